package bench

// reasons say, for workloads or groups of them, why a peer may be ahead of Quicksand.
var reasons = map[string]string{
	"cpu": "Engines that compile to machine code win at loops; a world of theirs costs hundreds of microseconds, and they cannot be embedded without cgo. The pure engine is QuickJS translated to Go, about three times as slow as in C.",
}
