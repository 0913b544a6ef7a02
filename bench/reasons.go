package bench

// reasons say, for workloads or groups of them, why a peer may be ahead of Quicksand. A
// report quotes them where one is.
var reasons = map[string]string{
	"run":      "goja makes built-ins when they are first touched, in the heap of its host: its world has no memory limit, no capabilities and no console, and a builtin that computes for long cannot be stopped. With a body that uses the language, its lead is gone (run/first, run/repeated).",
	"call":     "In node:vm a host call is a call within one heap of V8, and in goja one of a Go function on values that its collector shares: nothing crosses a boundary, and nothing is checked. Here arguments are encoded, checked and copied out of the guest's heap, and the call is counted, bounded and redacted.",
	"rows":     "node:vm hands the host's own objects to the guest, and takes the guest's: they share one heap, so that nothing is copied and each can change the other's.",
	"bytes":    "Peers that are ahead share the buffer with their host or hand over a view. Here bytes are copied into the guest's heap, which is bounded and restored, and results are the host's own.",
	"cpu":      "V8 compiles hot code to machine code, which an interpreter does not match; a world of its own costs it a hundred times more (run/empty), and its heap cannot be restored. The pure engine is QuickJS translated to Go, about three times as slow as in C.",
	"parallel": "See run/empty: this is the same run, 200 times.",
}
