//go:build race

package enginetest

// raceEnabled makes long tests shorter: everything is about ten times slower.
const raceEnabled = true

// slower is how much longer things take than without the race detector.
const slower = 10
