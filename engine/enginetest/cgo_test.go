//go:build cgo && linux && (amd64 || arm64) && !purego

package enginetest_test

import (
	"quicksand/engine"
	"quicksand/engine/qjscgo"
)

func init() {
	engines = append(engines, func() (engine.Engine, error) { return qjscgo.New() })
}
