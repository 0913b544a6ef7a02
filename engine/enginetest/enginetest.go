// Package enginetest is the suite that every engine must pass. It is written
// against the contract in package engine and knows nothing of an engine's insides.
//
// Run holds one engine to the contract. Compare holds two engines to each other:
// what a guest can see and what crosses to the host must be the same. Both build
// isolates of their own from the hooks of internal/prelude and a few globals that
// only this suite has: native itself, and shorter names for the suite's host calls.
//
// Expected values are written in the notation of Dump, which a reader of the wire
// encoding of this package produces; it shares no code with the engines or with
// internal/marshal.
package enginetest

import (
	"testing"

	"quicksand/engine"
)

// Run runs the whole suite as subtests of t. Under -short it leaves out what takes
// more than about a second. The engine must be able to make many isolates at once.
func Run(t *testing.T, e engine.Engine) {
	groups := []struct {
		name string
		test func(*testing.T, engine.Engine)
		// computes says that the group computes much and shares nothing between
		// goroutines: an engine in Go takes minutes for it with the race detector.
		computes bool
	}{
		{"Identity", testIdentity, false},
		{"Values", testValues, false},
		{"Refused", testRefused, false},
		{"Lenient", testLenient, false},
		{"HostileValues", testHostileValues, false},
		{"Poisoned", testPoisoned, false},
		{"Malformed", testMalformed, false},
		{"MessageSize", testMessageSize, true},
		{"Ops", testOps, false},
		{"Hooks", testHooks, false},
		{"Isolation", testIsolation, true},
		{"Random", testRandom, false},
		{"Memory", testMemory, true},
		{"Ropes", testRopes, false},
		{"Stack", testStack, true},
		{"Stop", testStop, false},
		{"KillNative", testKillNative, false},
		{"Hostile", testHostile, true},
		{"SyncCalls", testSyncCalls, false},
		{"AsyncCalls", testAsyncCalls, false},
		{"ErrorHooks", testErrorHooks, false},
		{"Panics", testPanics, false},
		{"Modules", testModules, true},
		{"RegExps", testRegExps, true},
		{"Facades", testFacades, false},
		{"Warm", testWarm, false},
		{"ImageFailures", testImageFailures, false},
		{"DynamicImport", testDynamicImport, true},
		{"CodeGeneration", testCodeGeneration, false},
		{"Compile", testCompile, true},
		{"CompileStopped", testCompileStopped, false},
		{"Positions", testPositions, false},
		{"Close", testClose, false},
		{"Parallel", testParallel, false},
		{"Sweep", testSweep, true},
		{"Cycles", testCycles, false},
		{"Mixed", testMixed, true},
	}
	for _, g := range groups {
		t.Run(g.name, func(t *testing.T) {
			if g.computes && slowed(e) {
				t.Skip("runs without the race detector")
			}
			g.test(t, e)
		})
	}
}

// slowed reports whether the race detector makes the engine itself about ten times slower.
// Its long tests then are shorter, since they run in full without the detector. C code has
// no detector in it.
func slowed(e engine.Engine) bool { return raceEnabled && e.Name() == "pure" }

func testIdentity(t *testing.T, e engine.Engine) {
	if n := e.Name(); n != "cgo" && n != "pure" {
		t.Errorf("Name() = %q, want cgo or pure", n)
	}
	if e.Version() == "" {
		t.Error("Version() is empty")
	}
	p := MustCompile(t, e, "main.js", "export default 1")
	if p.Name() != "main.js" {
		t.Errorf("Program.Name() = %q, want main.js", p.Name())
	}
	if p.Size() <= 0 || p.Size() > 1<<16 {
		t.Errorf("Program.Size() = %d for a line of source", p.Size())
	}
}
