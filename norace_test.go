//go:build !race

package quicksand

const raceEnabled = false
