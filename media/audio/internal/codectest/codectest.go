// Package codectest has the tests that decoders of sound share. Files lie in the folder
// testdata of the package that is tested.
package codectest

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"quicksand/media"
	"quicksand/media/audio"
)

// Limit is how far from ffmpeg a decoder may be: −90 dB under full scale, as effective value.
const Limit = -90

// Budget is what Survive allows a file.
const Budget = 64 << 20

// File reads a file.
func File(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Names are the names of the files that match a pattern, of which there are some.
func Names(t testing.TB, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %d files (%v)", pattern, len(names), err)
	}
	for i := range names {
		names[i] = filepath.Base(names[i])
	}
	return names
}

// Decode decodes a file and checks that it is as long as its header said.
func Decode(t testing.TB, data []byte) ([][]float32, audio.Info) {
	t.Helper()
	s, err := audio.Open(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Clip(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	planes := c.Planes()
	if got := int64(len(planes[0])); got != s.Info().Frames {
		t.Errorf("%d frames were decoded, and the header said %d", got, s.Info().Frames)
	}
	return planes, s.Info()
}

// A reference is what ffmpeg decodes a file to; media/audio/oracle/lossy.sh makes them.
type reference struct {
	frames, channels, stride int
	samples                  []float32 // of every stride-th frame
}

func readReference(t *testing.T, name string) reference {
	t.Helper()
	b := File(t, name)
	r := reference{int(binary.LittleEndian.Uint32(b)), int(b[4]), int(b[5]), nil}
	for b = b[6:]; len(b) >= 4; b = b[4:] {
		r.samples = append(r.samples, math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return r
}

// Golden compares files with their references, which are n or more.
func Golden(t *testing.T, container string, n int) {
	names := Names(t, "*.ref")
	if len(names) < n {
		t.Fatalf("%d references, want %d", len(names), n)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			want := readReference(t, name)
			got, info := Decode(t, File(t, name[:len(name)-len(".ref")]))
			if len(got) != want.channels || len(got[0]) != want.frames {
				t.Fatalf("%d channels of %d frames, want %d of %d", len(got), len(got[0]), want.channels, want.frames)
			}
			if info.Channels != want.channels || info.Container != container {
				t.Errorf("info is %+v", info)
			}
			sum := 0.0
			for i, w := range want.samples {
				frame, c := i/want.channels*want.stride, i%want.channels
				d := float64(w - got[c][frame])
				sum += d * d
			}
			if dB := 10 * math.Log10(sum/float64(len(want.samples))+1e-30); dB > Limit {
				t.Errorf("%.1f dB from ffmpeg, want %d", dB, Limit)
			}
		})
	}
}

// SmallBlocks reads a file in blocks of many sizes, which gives what one large block does.
func SmallBlocks(t *testing.T, name string, open func(data []byte) (audio.Reader, error)) {
	t.Helper()
	data := File(t, name)
	want, info := Decode(t, data)
	r, err := open(data)
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for size := 1; ; size = size*3%997 + 1 {
		dst := make([][]float32, info.Channels)
		for c := range dst {
			dst[c] = make([]float32, size)
		}
		n, err := r.Read(dst)
		if err == io.EOF {
			break
		}
		if err != nil || n == 0 {
			t.Fatalf("%s: %d, %v", name, n, err)
		}
		for c := range dst {
			for k, v := range dst[c][:n] {
				if v != want[c][at+k] {
					t.Fatalf("%s: channel %d, frame %d is %g, want %g", name, c, at+k, v, want[c][at+k])
				}
			}
		}
		at += n
	}
	if at != len(want[0]) {
		t.Errorf("%s: %d frames, want %d", name, at, len(want[0]))
	}
}

// Survive decodes a file of which nothing is known. It may fail, but not panic. Where it does
// not fail, right says whether it may have that many frames.
func Survive(t *testing.T, data []byte, right func(i audio.Info, frames int64) bool) {
	t.Helper()
	s, err := audio.Open(data, media.NewBudget(Budget))
	if err == nil {
		frames := int64(0)
		err = s.Blocks(context.Background(), func(block [][]float32) error {
			frames += int64(len(block[0]))
			return nil
		})
		if err == nil && !right(s.Info(), frames) {
			t.Errorf("%d frames, and the header says %d", frames, s.Info().Frames)
		}
	}
	if d, ok := err.(*audio.DecodeError); ok {
		if p, ok := d.Err.(*audio.PanicError); ok {
			t.Fatalf("%v\n%s", p, p.Stack)
		}
	}
}

// Mutate changes bytes, cuts and repeats parts of a file. Most of what it does is to invert
// single bits, among the first so many bytes.
func Mutate(r *rand.Rand, data []byte, first int) []byte {
	b := bytes.Clone(data)
	for range 1 + r.IntN(8) {
		at := r.IntN(len(b))
		switch r.IntN(8) {
		case 0:
			b = b[:at+1]
		case 1:
			to := min(at+r.IntN(2000), len(b))
			b = append(b[:to:to], b[at:]...)
		case 2:
			to := min(at+r.IntN(200), len(b))
			for i := range b[at:to] {
				b[at+i] = byte(r.Uint32())
			}
		case 3:
			b[at] = 0xFF
		default:
			b[r.IntN(min(len(b), first))] ^= 1 << r.IntN(8)
		}
	}
	return b
}

// BenchmarkDecode decodes a file in blocks.
func BenchmarkDecode(b *testing.B, name string) {
	b.Run(name, func(b *testing.B) {
		data := File(b, name)
		b.ReportAllocs()
		for b.Loop() {
			s, err := audio.Open(data, nil)
			if err != nil {
				b.Fatal(err)
			}
			if err := s.Blocks(context.Background(), func([][]float32) error { return nil }); err != nil {
				b.Fatal(err)
			}
		}
	})
}
