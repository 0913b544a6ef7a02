//go:build cgo && linux && (amd64 || arm64) && !purego

// Used where a C compiler and a platform are at hand on which QuickJS-NG runs: both
// engines are compiled in, and the cgo one, about three times as fast at computing,
// is the default.

package quicksand

import (
	"quicksand/engine"
	"quicksand/engine/qjscgo"
	"quicksand/engine/qjspure"
)

var engineNames = []string{"cgo", "pure"}

func chooseEngine(name string) (engine.Engine, error) {
	switch name {
	case "", "cgo":
		return qjscgo.New()
	case "pure":
		return qjspure.New()
	}
	return nil, usageError("unknown engine %q: this build has cgo and pure", name)
}
