// Package secrets is the capability to read secrets by name: the globals getSecret and
// nodetool.secrets of guests, and where hosts keep the values.
//
// # What may be read
//
// A Policy names a Provider, which has the values, and a Scope, the names that a run
// declares. The scope is checked first, on the host: a name outside of it is an error also
// where there is nothing to read.
//
// # Without a grant
//
// getSecret and nodetool.secrets.tryGet find nothing then, and nodetool.secrets.list says
// null, where other capabilities fail: programs ask for optional secrets with getSecret and
// take undefined for an answer, wherever they run. The first such call leaves a warning in
// the logs that says what the host has to set. nodetool.secrets.get, which is for secrets
// that a program cannot do without, fails.
//
// # Redaction
//
// Each value that a guest gets is known to the session's Redactor from then on: logs,
// progress messages and errors show "[redacted NAME]" in its place. Values shorter than
// bridges.MinSecret bytes are not redacted. Results, outputs and emitted values keep what
// the guest put there: a guest that is given a secret can do with it what it likes.
//
// # Secrets that guests never see
//
// A secret that the host bound to destinations (fetch.Binding) is never given out. The
// guest gets a placeholder, which fetch replaces on the way to those destinations. It does
// not need a Policy, but a Scope counts for it too, and it comes before the Provider's
// value of the same name.
package secrets
