//go:build race

package instructions

// raceEnabled leaves counting out: callgrind does not run programs with the race detector.
const raceEnabled = true
