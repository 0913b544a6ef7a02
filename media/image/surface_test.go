package image

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestStraightIsRounded compares all samples up to each alpha with the quotient, and samples
// beyond alpha with full colour.
func TestStraightIsRounded(t *testing.T) {
	s := New(256, 256)
	want := make([]byte, len(s.Pix))
	for a := range 256 {
		for v := range 256 {
			i := 4 * (256*a + v)
			copy(s.Pix[i:], []byte{byte(v), byte(v), byte(v / 2), byte(a)})
			if a > 0 {
				for c, p := range []int{v, v, v / 2} {
					want[i+c] = byte(min((255*p+a/2)/a, 255))
				}
				want[i+3] = byte(a)
			}
		}
	}
	got := make([]byte, len(s.Pix))
	s.Straight(got)
	for i := 0; i < len(got); i += 4 {
		if !slices.Equal(got[i:i+4], want[i:i+4]) {
			t.Fatalf("% d is % d, want % d", s.Pix[i:i+4], got[i:i+4], want[i:i+4])
		}
	}
}

// TestStraightOfNeighbours compares rows, in which neighbours are often the same, with their
// pixels on their own. It is done in place.
func TestStraightOfNeighbours(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	choices := [][]byte{{0, 0, 0, 0}, {9, 8, 7, 255}, {9, 8, 7, 100}, {1, 2, 3, 4}, {0, 0, 0, 255}, {60, 50, 40, 200}}
	for width := range 20 {
		for range 50 {
			s := &Surface{Width: width, Height: 1}
			var want []byte
			for range width {
				one := make([]byte, 4)
				c := choices[r.IntN(len(choices))]
				(&Surface{1, 1, c}).Straight(one)
				s.Pix, want = append(s.Pix, c...), append(want, one...)
			}
			from := slices.Clone(s.Pix)
			if s.Straight(s.Pix); !slices.Equal(s.Pix, want) {
				t.Fatalf("% d is % d, want % d", from, s.Pix, want)
			}
		}
	}
}
