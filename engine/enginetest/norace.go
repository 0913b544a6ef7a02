//go:build !race

package enginetest

// raceEnabled is set in builds with the race detector.
const raceEnabled = false
