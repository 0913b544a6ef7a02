//go:build !(cgo && linux && (amd64 || arm64) && !purego)

// Used without cgo, on other platforms than linux on amd64 and arm64, and with the
// build tag purego: the engine in pure Go is the only one.

package quicksand

import (
	"quicksand/engine"
	"quicksand/engine/qjspure"
)

var engineNames = []string{"pure"}

func chooseEngine(name string) (engine.Engine, error) {
	switch name {
	case "", "pure":
		return qjspure.New()
	case "cgo":
		return nil, usageError("the engine cgo is not in this build: build with CGO_ENABLED=1 and a C compiler, for linux on amd64 or arm64, without the tag purego")
	}
	return nil, usageError("unknown engine %q: this build has pure", name)
}
