//go:build race

package quicksand

// raceEnabled makes tests allow more time: the pure engine is about ten times slower.
const raceEnabled = true
