package enginetest_test

import (
	"testing"

	"quicksand/engine"
	"quicksand/engine/enginetest"
	"quicksand/engine/qjspure"
)

// engines are the engines of this build; a file for each further one adds its own.
var engines = []func() (engine.Engine, error){func() (engine.Engine, error) { return qjspure.New() }}

func open(t testing.TB, f func() (engine.Engine, error)) engine.Engine {
	t.Helper()
	e, err := f()
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	return e
}

// The suite itself runs in the engines' own packages.
func TestCompare(t *testing.T) {
	if len(engines) < 2 {
		t.Skip("one engine in this build")
	}
	enginetest.Compare(t, open(t, engines[0]), open(t, engines[1]))
}
