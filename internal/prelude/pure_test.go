package prelude_test

import (
	"testing"

	"quicksand/engine"
	"quicksand/engine/qjspure"
)

func init() {
	engines = append(engines, func(t testing.TB) engine.Engine {
		t.Helper()
		e, err := qjspure.New()
		if err != nil {
			t.Fatal(err)
		}
		return e
	})
}
