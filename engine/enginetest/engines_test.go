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

func onEngines(t *testing.T, f func(*testing.T, engine.Engine)) {
	for _, o := range engines {
		e := open(t, o)
		t.Run(e.Name(), func(t *testing.T) { f(t, e) })
	}
}

func TestEngines(t *testing.T) { onEngines(t, enginetest.Run) }

func TestCompare(t *testing.T) {
	if len(engines) < 2 {
		t.Skip("one engine in this build")
	}
	enginetest.Compare(t, open(t, engines[0]), open(t, engines[1]))
}
