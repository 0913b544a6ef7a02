package hosttest

import "math/rand/v2"

// Mutate damages a text at one to most places: a byte becomes one of replace, goes, or gets one
// of insert before it, or what follows it stands again at the end.
func Mutate(rng *rand.Rand, s string, most int, replace, insert string) string {
	b := []byte(s)
	for range 1 + rng.IntN(most) {
		if len(b) == 0 {
			break
		}
		i := rng.IntN(len(b))
		switch rng.IntN(4) {
		case 0:
			b[i] = replace[rng.IntN(len(replace))]
		case 1:
			b = append(b[:i], b[i+1:]...)
		case 2:
			b = append(b[:i], append([]byte{insert[rng.IntN(len(insert))]}, b[i:]...)...)
		case 3:
			j := i + rng.IntN(len(b)-i)
			b = append(b, b[i:j]...)
		}
	}
	return string(b)
}
