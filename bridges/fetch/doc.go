// Package fetch is the capability to make HTTP requests: the global fetch of guests, and
// the guarded client behind it, which works without a guest too.
//
// # What may be reached
//
// A Policy names the hosts. A guest reaches nothing without one, and nothing with an empty
// Allow. Deny wins over Allow. Below the names there is the address guard: whatever a name
// resolves to, a connection to the host itself, to its network or to an address that
// means nothing on the Internet is refused unless Policy.AllowPrivateNetwork is set. It
// works on the address of each connection at the moment of connecting, so that a name
// whose answers change (DNS rebinding) or a redirect gains nothing: a name is resolved
// once, all of its answers are checked, the checked addresses are the ones that are
// dialled, and the socket is checked once more. Addresses that embed an IPv4 address are
// judged by it (mapped, NAT64) or refused as a whole (6to4, Teredo, compatible).
//
// URLs are parsed by the parser that guests see (the URL Standard), so that no spelling
// means one thing to the guest and another to the guard: 0x7f.1, 017700000001 and
// 127.0.0.1 are one host. URLs with a user name or password are refused.
//
// Behind a Policy.Proxy it is the proxy that connects: names, literal addresses, and what
// this host resolves are checked as ever, but a proxy that resolves names differently has
// to guard its own network.
//
// # Requests
//
// Headers that frame a message or belong to a connection (content-length, connection,
// transfer-encoding and so on) are ignored, host and those that begin with proxy- are
// refused; everything else can be set, cookies and user-agent included. Header values are
// byte strings as in the Fetch Standard. There is no cookie jar and no cache. Bodies that
// come back are decoded from gzip, br, zstd and deflate whatever Accept-Encoding a guest
// asked for, and only decoded bytes count.
//
// Redirects are followed one by one, each hop as guarded as a request of its own. A hop to
// another origin, which every step from https to http is, loses all headers that look
// like credentials: authorization, cookie, proxy-authorization, names that end in -key
// and those that speak of auth, tokens, secrets, sessions, passwords or signatures.
//
// # What guests get
//
// The Response of the Fetch Standard, whole when the promise resolves, with what programs
// of the original expect: body is the text as a string, headers can be read like an object
// by lower-case names, besides get, has, getSetCookie and iteration. text(), bytes() and
// arrayBuffer() may be called any number of times. The charset of the content type and a
// byte order mark count.
//
// response.json is both a property and a method. Code that nowhere calls a method of that
// name gets plain data: the parsed body, or undefined if the body is no JSON. If the file
// that calls fetch has a .json( anywhere it is a function: called, it gives a promise of
// the parsed body, which rejects with a SyntaxError if there is none; read, it shows the
// data: its properties,
// iteration, spread, JSON.stringify, Array.isArray, awaiting it. What such a function
// cannot hide: typeof is "function", it is truthy and equal to nothing else even if the
// data is null, false or a number, and it is left out of results and outputs as functions
// are, unless it is what an async function returns.
//
// # Limits
//
// Only requests that leave count as calls. A request that the policy or the guard refuses
// does not, but a run may have MaxRefusals of those and no more, so that a loop of them
// ends. A body above the limit is cut and says so (Response.Truncated and BodyError), as
// is one whose connection broke. A timeout is always an error.
//
// # Bound secrets
//
// A Binding ties a secret to hosts. The guest gets a placeholder, 35 letters and digits
// that are new in each run, and may put it where the value belongs. The client puts the
// value in its place when the request goes out to one of the hosts, over https unless
// Binding.AllowHTTP is set, and never follows a redirect to elsewhere with it. In what
// comes back the value is replaced again, in its common encodings too, so that a server
// which echoes requests does not hand it out. That is a protection against mistakes and
// prying guests, not against a bound host that works with the guest: a server can encode
// what it got in ways that nobody recognises. And a secret must not be guessable, such as
// a word or a short number: a guest sees which of its guesses an answer replaces.
package fetch
