//go:build race

package enginetest

// raceEnabled makes long tests shorter: everything is about ten times slower.
const raceEnabled = true
