package audio

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// Files that ffmpeg and sox wrote are decoded to the floats that ffmpeg decodes them to, bit
// by bit (testdata/make.sh).
func TestFilesOfOtherPrograms(t *testing.T) {
	list, err := os.ReadFile("testdata/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(list)), "\n")
	if len(lines) < 27 {
		t.Fatalf("only %d files", len(lines))
	}
	for _, line := range lines {
		name, rest, _ := strings.Cut(line, " ")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile("testdata/" + name)
			if err != nil {
				t.Fatal(err)
			}
			c := decoded(t, data)
			var raw []byte
			for i := range c.planes[0] {
				for _, p := range c.planes {
					raw = le.AppendUint32(raw, math.Float32bits(p[i]))
				}
			}
			sum := sha256.Sum256(raw)
			if got := fmt.Sprintf("%d %d %d %s", c.Rate(), c.Channels(), c.Frames(), hex.EncodeToString(sum[:])); got != rest {
				t.Errorf("got %s, want %s", got, rest)
			}
		})
	}
}
