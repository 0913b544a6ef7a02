//go:build cgo && linux && (amd64 || arm64) && !purego

package prelude_test

import (
	"testing"

	"quicksand/engine"
	"quicksand/engine/qjscgo"
)

func init() {
	engines = append(engines, func(t testing.TB) engine.Engine {
		t.Helper()
		e, err := qjscgo.New()
		if err != nil {
			t.Fatal(err)
		}
		return e
	})
}
