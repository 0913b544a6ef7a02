package audio

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"quicksand/media"
)

// seeds are small files of each format that this package reads.
func seeds() map[Format][][]byte {
	x := []float64{0.5, -0.5, 0.25, 0.75, -1, 0, 0.125, -0.25}
	var wav, aiff [][]byte
	for kind, f := range map[string]struct {
		tag  uint16
		bits int
	}{"u8": {1, 8}, "s16": {1, 16}, "s24": {1, 24}, "s32": {1, 32}, "f32": {3, 32}, "f64": {3, 64}} {
		b := stored(x, kind, le)
		wav = append(wav, wavOf("RIFF", chunk("LIST", 5, []byte("INFOx")), fmtChunk(40, f.tag, 2, 44100, f.bits), chunk("data", len(b), b), chunk("JUNK", 3, make([]byte, 3))))
	}
	ds64 := le.AppendUint64(le.AppendUint64(nil, 100), 16)
	wav = append(wav, wavOf("RF64", chunk("ds64", 28, append(ds64, make([]byte, 12)...)), fmtChunk(16, 1, 1, 8000, 16), chunk("data", -1, stored(x, "s16", le))))
	for codec, kind := range map[string]string{"": "s16", "NONE": "s24", "fl32": "f32", "fl64": "f64", "raw ": "u8"} {
		form := "AIFC"
		if codec == "" {
			form = "AIFF"
		}
		bits := map[string]int{"s16": 16, "s24": 24, "f32": 32, "f64": 64, "u8": 8}[kind]
		aiff = append(aiff, aiffOf(form, aiffChunk("NAME", []byte("abc")), comm(2, 4, bits, rate8000, codec), ssnd(2, stored(x, kind, be))))
	}
	return map[Format][][]byte{WAV: wav, AIFF: aiff}
}

// mutated is a copy of a file that was damaged in one of the ways in which files are.
func mutated(r *rand.Rand, file []byte) []byte {
	b := append([]byte(nil), file...)
	for range 1 + r.IntN(4) {
		if len(b) == 0 {
			break
		}
		at := r.IntN(len(b))
		switch r.IntN(6) {
		case 0:
			b[at] ^= 1 << r.IntN(8)
		case 1:
			b[at] = byte(r.Uint32())
		case 2: // numbers at their ends
			for i := at; i < min(at+4, len(b)); i++ {
				b[i] = 0xFF
			}
		case 3:
			for i := at; i < min(at+4, len(b)); i++ {
				b[i] = 0
			}
		case 4:
			b = b[:at]
		case 5:
			b = append(b[:at], b[min(at+r.IntN(8), len(b)):]...)
		}
	}
	return b
}

// hostile decodes what may be damaged, and checks that what comes of it keeps to the rules.
func hostile(t testing.TB, data []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(background, 2*time.Second)
	defer cancel()
	b := media.NewBudget(8 << 20)
	s, err := Open(data, b)
	var c *Clip
	if err == nil {
		c, err = s.Clip(ctx)
	}
	var (
		d    *DecodeError
		p    *PanicError
		full *media.BudgetError
	)
	switch {
	case errors.As(err, &p):
		t.Fatalf("%q: %v\n%s", data, p, p.Stack)
	case errors.Is(err, context.DeadlineExceeded):
		t.Fatalf("%q takes too long", data)
	case errors.As(err, &full):
	case err != nil && len(data) > 0 && !errors.As(err, &d):
		t.Fatalf("%q: got an error of type %T: %v", data, err, err)
	case err != nil:
		if strings.Contains(err.Error(), "/work") || errors.Is(err, io.EOF) {
			t.Fatalf("%q: got %v", data, err)
		}
	default:
		if n := c.Frames(); n*int64(c.Channels()) > int64(len(data)) || b.Used() > 4*int64(c.Channels())*n+8*BlockFrames*int64(c.Channels()) {
			t.Fatalf("%q: %d frames of %d channels, and %d bytes reserved", data, n, c.Channels(), b.Used())
		}
		for _, p := range c.Planes() {
			for _, x := range p {
				if !(x >= -MaxSample && x <= MaxSample) {
					t.Fatalf("%q: got a sample of %v", data, x)
				}
			}
		}
		c.Release()
		s.Release()
	}
	if b.Used() != 0 {
		t.Fatalf("%q: %d bytes are left", data, b.Used())
	}
}

func TestDamagedFiles(t *testing.T) {
	for f, list := range seeds() {
		r := rand.New(rand.NewPCG(1, 2))
		opened := 0
		for range 2000 {
			data := mutated(r, list[r.IntN(len(list))])
			hostile(t, data)
			if _, err := Open(data, nil); err == nil {
				opened++
			}
		}
		if opened < 200 {
			t.Errorf("%s: only %d of 2000 files were opened: the damage is too large to show something", f, opened)
		}
	}
}

func fuzz(f *testing.F, format Format) {
	for _, data := range seeds()[format] {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { hostile(t, data) })
}

func FuzzWAV(f *testing.F)  { fuzz(f, WAV) }
func FuzzAIFF(f *testing.F) { fuzz(f, AIFF) }

// Sniff and what it is made of take anything.
func FuzzSniff(f *testing.F) {
	f.Add(append(id3(40), mpegFrames(2)...))
	f.Add(oggPage("OpusHead"))
	f.Fuzz(func(t *testing.T, data []byte) {
		format := Sniff(data)
		if at := MPEGStart(TrimID3(data)); format == MP3 && (at < 0 || at > MaxJunk) {
			t.Errorf("MP3 that begins at %d", at)
		}
	})
}
