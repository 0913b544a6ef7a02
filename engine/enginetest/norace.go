//go:build !race

package enginetest

// raceEnabled is set in builds with the race detector.
const raceEnabled = false

// slower is how much longer things take than without the race detector.
const slower = 1
