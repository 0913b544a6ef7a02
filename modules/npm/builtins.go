package npm

import "strings"

// builtins are the modules of Node.js, by first segment.
var builtins = func() map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(`assert async_hooks buffer child_process cluster console constants crypto dgram
		diagnostics_channel dns domain events fs http http2 https inspector module net os path perf_hooks process
		punycode querystring readline repl stream string_decoder sys timers tls trace_events tty url util v8 vm wasi
		worker_threads zlib`) {
		set[name] = true
	}
	return set
}()

// isBuiltin reports whether Node.js has a module of the name.
func isBuiltin(spec string) bool {
	if strings.HasPrefix(spec, "node:") {
		return true
	}
	name, sub, deep := strings.Cut(spec, "/")
	return builtins[name] && (!deep || sub != "") // "punycode/" is a package
}
