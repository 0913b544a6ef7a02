// Command engines serves the contenders written in Go, or linked by it, to quicksand bench;
// see quicksand/bench for the protocol. It is not run by hand:
//
//	quicksand bench --peers bench/peers
package main

import (
	"log"
	"os"
	"runtime/debug"

	"quicksand/bench"
)

func main() {
	engines := []engine{quickjsGo, moderncQuickJS, gojaEngine, qjsEngine, v8Isolate, v8Context}
	contenders := make([]bench.Contender, len(engines))
	for i, e := range engines {
		contenders[i] = &contender{e}
	}
	if err := bench.Serve(os.Stdin, os.Stdout, contenders); err != nil {
		log.Fatal(err)
	}
}

// versionOf is the version of a module that this program was built with.
func versionOf(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, m := range info.Deps {
		if m.Path == path {
			return path + " " + m.Version
		}
	}
	return "unknown"
}
