package flac

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"testing"

	"quicksand/media/audio"
)

// clip makes a clip of integers, as decoders do.
func clip(t testing.TB, s signal, frames int) *audio.Clip {
	t.Helper()
	planes := make([][]float32, s.channels)
	for c, p := range s.samples(frames) {
		planes[c] = make([]float32, frames)
		for i, v := range p {
			planes[c][i] = float32(math.Ldexp(float64(v), 1-s.depth))
		}
	}
	out, err := audio.NewClip(nil, s.rate, planes)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSoundsAreWrittenAndRead(t *testing.T) {
	const frames = 3*16384 + 77
	for _, s := range signals {
		if s.depth != 16 && s.depth != 24 {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			in := clip(t, s, frames)
			file, err := audio.Encode(context.Background(), audio.FLAC, in, audio.EncodeOptions{Depth: s.depth}, nil)
			if err != nil {
				t.Fatal(err)
			}
			sound, err := audio.Open(file, nil)
			if err != nil {
				t.Fatal(err)
			}
			i := sound.Info()
			if i.Format != audio.FLAC || i.Container != "flac" || i.Codec != "flac" || i.Rate != s.rate || i.Channels != s.channels ||
				i.Frames != frames || i.Depth != s.depth || i.Float || i.Seconds != frames/float64(s.rate) {
				t.Errorf("it is %+v", i)
			}
			if want := float64(len(file)) * 8 / i.Seconds; math.Abs(float64(i.BitRate)/want-1) > 0.05 && s.name != "silence" && s.name != "a constant" {
				t.Errorf("the bit rate is %d, want about %.0f", i.BitRate, want)
			}
			out, err := sound.Clip(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for c, p := range in.Planes() {
				for k, v := range p {
					if got := out.Planes()[c][k]; got != v {
						t.Fatalf("sample %d of channel %d is %v, want %v", k, c, got, v)
					}
				}
			}
		})
	}
}

func TestTheDefaultIs16BitsWithDither(t *testing.T) {
	s := signals[0]
	s.depth = 24
	in := clip(t, s, 5000)
	var files [2][]byte
	for i, no := range []bool{false, true} {
		var err error
		if files[i], err = audio.Encode(context.Background(), audio.FLAC, in, audio.EncodeOptions{NoDither: no}, nil); err != nil {
			t.Fatal(err)
		}
	}
	var largest [2]float64
	for i, file := range files {
		info, planes, err := decodeAll(file)
		if err != nil {
			t.Fatal(err)
		}
		if info.Depth != 16 {
			t.Errorf("samples have %d bits", info.Depth)
		}
		for c, p := range planes {
			for k, v := range p {
				d := math.Abs(float64(v) - float64(in.Planes()[c][k])*32768)
				largest[i] = max(largest[i], d)
			}
		}
	}
	if largest[0] <= 1 || largest[0] > 1.5 || largest[1] > 0.5 {
		t.Errorf("with dither, samples are %.3f steps off at most, and without %.3f", largest[0], largest[1])
	}
}

func TestWhatCannotBeWrittenIsAnError(t *testing.T) {
	in := clip(t, signals[0], 10)
	for _, c := range []struct {
		name string
		o    audio.EncodeOptions
		want string
	}{
		{"floats", audio.EncodeOptions{Float: true}, "FLAC has no floating-point samples; use a depth of 24 or 32, or WAV"},
		{"seven bits", audio.EncodeOptions{Depth: 7}, "samples of 7 bits cannot be written as FLAC: it must be 8 to 32"},
		{"64 bits", audio.EncodeOptions{Depth: 64}, "samples of 64 bits cannot be written as FLAC: it must be 8 to 32"},
		{"too much effort", audio.EncodeOptions{Effort: 11}, "the effort is 11; it must be 1 to 10"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := audio.Encode(context.Background(), audio.FLAC, in, c.o, nil)
			if err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// failing gives some blocks and then an error.
type failing struct {
	*audio.Clip
	after int
	err   error
}

func (f *failing) Blocks(ctx context.Context, yield func([][]float32) error) error {
	return f.Clip.Blocks(ctx, func(b [][]float32) error {
		if f.after--; f.after < 0 {
			return f.err
		}
		return yield(b)
	})
}

func TestErrorsOfTheSourceArePassedOn(t *testing.T) {
	want := errors.New("no more")
	in := &failing{clip(t, signals[0], 10*16384), 5, want}
	// The samples are on the grid of 16 bits if nobody looks.
	if _, err := audio.Encode(context.Background(), audio.FLAC, in, audio.EncodeOptions{NoDither: true}, nil); !errors.Is(err, want) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := audio.Encode(ctx, audio.FLAC, in.Clip, audio.EncodeOptions{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestReadersGiveAnySizeThatIsAskedFor(t *testing.T) {
	s := signals[0]
	const frames = 10000
	want := s.samples(frames)
	file := encodeAll(t, s.info(frames), want, Options{})
	r, err := open(file)
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for size := 1; ; size = size*5%6007 + 1 {
		dst := [][]float32{make([]float32, size), make([]float32, size)}
		n, err := r.Read(dst)
		if err == io.EOF && n == 0 {
			break
		}
		if err != nil || n == 0 {
			t.Fatalf("got %d frames and %v", n, err)
		}
		for c := range dst {
			for i, x := range dst[c][:n] {
				if x*32768 != float32(want[c][at+i]) {
					t.Fatalf("sample %d of channel %d is %v", at+i, c, x)
				}
			}
		}
		at += n
	}
	if at != frames {
		t.Errorf("got %d frames", at)
	}
}

func TestScratchIsWhatDecodingTakes(t *testing.T) {
	for _, c := range []struct {
		info Info
		want int64
	}{
		{Info{Channels: 2, Depth: 16, MaxBlock: 4096}, 4 * 2 * (4096 + 32)},
		{Info{Channels: 8, Depth: 24, MaxBlock: 65535}, 4 * 8 * (65535 + 32)},
		{Info{Channels: 2, Depth: 32, MaxBlock: 4096}, 4*2*(4096+32) + 8*4096},
	} {
		if got := c.info.scratch(); got != c.want {
			t.Errorf("%+v takes %d bytes, want %d", c.info, got, c.want)
		}
	}
}

func ExampleEncoder() {
	e, err := NewEncoder(Info{Rate: 8000, Channels: 1, Depth: 16, Frames: -1}, Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	// A second of a square wave.
	wave := make([]int32, 8000)
	for i := range wave {
		wave[i] = int32(i/10%2)*2000 - 1000
	}
	if err := e.Write([][]int32{wave}); err != nil {
		fmt.Println(err)
		return
	}
	file, err := e.Finish()
	if err != nil {
		fmt.Println(err)
		return
	}
	info, err := ReadInfo(file)
	fmt.Println(info.Rate, info.Channels, info.Depth, info.Frames, err)
	// Output: 8000 1 16 8000 <nil>
}
