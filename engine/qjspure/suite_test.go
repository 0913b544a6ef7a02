package qjspure

import (
	"testing"

	"quicksand/engine"
	"quicksand/engine/enginetest"
)

func newEngine(t testing.TB) engine.Engine {
	t.Helper()
	e, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestSuite(t *testing.T) { enginetest.Run(t, newEngine(t)) }
