package audio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"testing"

	"quicksand/media"
)

// A fake is a decoder whose files are M4A by their first bytes and whatever it says.
type fake struct {
	info  Info
	real  int64 // frames that there are
	read  func(dst [][]float32) (int, error)
	opens int
}

var fakeFile = []byte("\x00\x00\x00\x20ftypfake\x00\x00\x00\x00")

// register makes it the decoder of M4A until the test ends.
func (f *fake) register(t *testing.T) {
	t.Helper()
	Register(M4A, Decoder{
		Config: func([]byte) (Info, error) { return f.info, nil },
		Open: func([]byte) (Reader, error) {
			f.opens++
			return &fakeReader{f: f}, nil
		},
	})
	t.Cleanup(func() {
		codecs.Lock()
		delete(codecs.decoders, M4A)
		codecs.Unlock()
	})
}

type fakeReader struct {
	f  *fake
	at int64
}

func (r *fakeReader) Info() Info { return r.f.info }

// Read gives at most 1000 frames, each of which is its number, in thousandths.
func (r *fakeReader) Read(dst [][]float32) (int, error) {
	if r.f.read != nil {
		return r.f.read(dst)
	}
	n := int(min(r.f.real-r.at, 1000, int64(len(dst[0]))))
	if n == 0 {
		return 0, io.EOF
	}
	for _, p := range dst {
		for i := range n {
			p[i] = float32(r.at+int64(i)) / 1000
		}
	}
	r.at += int64(n)
	return n, nil
}

// The length of what is decoded is what counts, whatever the header says.
func TestHeadersThatLie(t *testing.T) {
	for _, test := range []struct {
		name         string
		claims, real int64
	}{
		{"the truth", 5000, 5000},
		{"nothing", -1, 5000},
		{"too little", 100, 5000},
		{"none at all", 0, 5000},
		{"somewhat too much", 5500, 5000},
		{"far too much", 1 << 29, 5000},
		{"much, and there is nothing", 1 << 20, 0},
		{"nothing, and there is much", -1, 1_000_000},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := &fake{info: Info{Rate: 48000, Channels: 2, Frames: test.claims}, real: test.real}
			f.register(t)
			b := media.NewBudget(64 << 20)
			s := must(Open(fakeFile, b))(t)
			if b.Used() != 0 {
				t.Errorf("opening takes %d bytes", b.Used())
			}
			c := must(s.Clip(background))(t)
			if c.Frames() != test.real || c.Channels() != 2 {
				t.Fatalf("got %d frames, want %d", c.Frames(), test.real)
			}
			for i, x := range c.Planes()[1] {
				if x != float32(i)/1000 {
					t.Fatalf("frame %d: got %v", i, x)
				}
			}
			if used, need := b.Used(), 8*test.real; used < need || used > need+need/2+8*BlockFrames {
				t.Errorf("%d bytes are reserved for %d", used, need)
			}
			if n := must(s.Frames(background))(t); n != test.real {
				t.Errorf("Frames: got %d, want %d", n, test.real)
			}
			c.Release()
			s.Drop()
			if b.Used() != 0 {
				t.Errorf("%d bytes are left", b.Used())
			}
		})
	}
}

func TestSoundsAreDecodedOnce(t *testing.T) {
	f := &fake{info: Info{Rate: 48000, Channels: 1, Frames: 5000}, real: 5000}
	f.register(t)
	b := media.NewBudget(1 << 20)
	s := must(Open(fakeFile, b))(t)
	if s.Decoded() || f.opens != 0 {
		t.Error("opening decodes")
	}
	if i := s.Info(); i.Format != M4A || i.Container != "mp4" || i.Seconds != 5000./48000 {
		t.Errorf("got %+v", i)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			c, err := s.Clip(background)
			if err != nil || c.Frames() != 5000 {
				t.Error(err)
				return
			}
			c.Release()
		})
	}
	wg.Wait()
	if f.opens != 1 || !s.Decoded() {
		t.Errorf("decoded %d times, want once", f.opens)
	}
	// What is kept serves the rest, too.
	c := must(s.Section(background, 10, 3000))(t)
	if c.Planes()[0][0] != 0.01 {
		t.Errorf("got %v first, want 0.01", c.Planes()[0][0])
	}
	c.Release()
	if err := s.Blocks(background, func([][]float32) error { return nil }); err != nil || f.opens != 1 {
		t.Errorf("decoded %d times, %v", f.opens, err)
	}
	s.Drop()
	if b.Used() != 0 || s.Decoded() {
		t.Errorf("%d bytes are left", b.Used())
	}
	must(s.Clip(background))(t).Release()
	if f.opens != 2 {
		t.Errorf("after Drop: decoded %d times in all, want twice", f.opens)
	}
	s.Release()
	if b.Used() != 0 {
		t.Errorf("%d bytes are left", b.Used())
	}
}

// A section of a file takes no more than itself.
func TestSectionOfAFile(t *testing.T) {
	for _, claims := range []int64{100_000, -1} {
		f := &fake{info: Info{Rate: 48000, Channels: 1, Frames: claims}, real: 100_000}
		f.register(t)
		b := media.NewBudget(300_000)
		s := must(Open(fakeFile, b))(t)
		if _, err := s.Clip(background); err == nil {
			t.Fatal("the whole file fits, so that the test shows nothing")
		}
		for _, test := range []struct {
			from, to int64
			want     int
		}{{0, 10, 10}, {990, 1010, 20}, {99_990, 100_010, 10}, {100_000, 100_001, 0}, {40_000, 60_000, 20_000}} {
			c := must(s.Section(background, test.from, test.to))(t)
			if len(c.Planes()[0]) != test.want {
				t.Fatalf("%d to %d: got %d frames, want %d", test.from, test.to, c.Frames(), test.want)
			}
			for i, x := range c.Planes()[0] {
				if x != float32(test.from+int64(i))/1000 {
					t.Fatalf("%d to %d: frame %d is %v", test.from, test.to, i, x)
				}
			}
			c.Release()
		}
		c := must(s.Trim(background, 1, 1.5))(t)
		if c.Frames() != 24_000 || c.Planes()[0][0] != 48 {
			t.Errorf("got %d frames from %v", c.Frames(), c.Planes()[0][0])
		}
		c.Release()
		if b.Used() != 0 || s.Decoded() {
			t.Errorf("%d bytes are left", b.Used())
		}
	}
}

// Whatever a decoder does, it is an error of the file and memory is given back.
func TestDecodersThatMisbehave(t *testing.T) {
	reads := 0
	for name, test := range map[string]struct {
		read func([][]float32) (int, error)
		want string
	}{
		"panics":           {func([][]float32) (int, error) { panic("secret of /etc") }, "could not decode the audio (m4a): the file is damaged"},
		"fails":            {func([][]float32) (int, error) { return 0, errors.New("lib: at /home: bad") }, "could not decode the audio (m4a): the file is damaged"},
		"says why":         {func([][]float32) (int, error) { return 0, FormatError("the CRC is wrong") }, "could not decode the audio (m4a): the CRC is wrong"},
		"gives nothing":    {func([][]float32) (int, error) { return 0, nil }, "could not decode the audio (m4a): the file is damaged"},
		"gives too much":   {func(d [][]float32) (int, error) { return len(d[0]) + 1, nil }, "could not decode the audio (m4a): the file is damaged"},
		"gives less":       {func([][]float32) (int, error) { return -1, nil }, "could not decode the audio (m4a): the file is damaged"},
		"never ends":       {func(d [][]float32) (int, error) { return len(d[0]), nil }, "could not decode the audio (m4a): the duration in seconds is "},
		"fails in between": {func(d [][]float32) (int, error) { reads++; return 10, []error{nil, io.ErrUnexpectedEOF}[reads/5] }, "could not decode the audio (m4a): the file is damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fake{info: Info{Rate: 1, Channels: 1, Frames: -1}, read: test.read}
			f.register(t)
			b := media.NewBudget(1 << 20)
			s := must(Open(fakeFile, b))(t)
			_, err := s.Clip(background)
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
			var d *DecodeError
			if !errors.As(err, &d) || d.Format != M4A {
				t.Errorf("got %T, want a DecodeError", err)
			}
			if b.Used() != 0 {
				t.Errorf("%d bytes are left", b.Used())
			}
			if reads = 0; s.Blocks(background, func([][]float32) error { return nil }) == nil {
				t.Error("the blocks are right")
			}
		})
	}
	Register(M4A, Decoder{Config: func([]byte) (Info, error) { panic("at once") }})
	defer func() { codecs.Lock(); delete(codecs.decoders, M4A); codecs.Unlock() }()
	_, err := Open(fakeFile, nil)
	var p *PanicError
	if !errors.As(err, &p) || p.Value != "at once" || len(p.Stack) == 0 {
		t.Errorf("got %v", err)
	}
}

func TestDecodingLooksAtItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	reads := 0
	f := &fake{info: Info{Rate: 768_000, Channels: 1, Frames: -1}}
	f.read = func(d [][]float32) (int, error) {
		if reads++; reads == 3 {
			cancel()
		}
		return len(d[0]), nil
	}
	f.register(t)
	s := must(Open(fakeFile, nil))(t)
	if _, err := s.Clip(ctx); !errors.Is(err, context.Canceled) || reads != 3 {
		t.Errorf("got %v after %d reads, want the context's error after 3", err, reads)
	}
	// Who waits for another's decoding waits only as long as its own context.
	<-s.turn
	if _, err := s.Clip(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting: got %v", err)
	}
}

// A sound that is released while it is decoded keeps nothing, and Release does not wait.
func TestReleaseWhileDecoding(t *testing.T) {
	f := &fake{info: Info{Rate: 48000, Channels: 1, Frames: -1}}
	b := media.NewBudget(8 << 20)
	var s *Sound
	reads := 0
	f.read = func(d [][]float32) (int, error) {
		if reads++; reads == 3 {
			s.Release()
			return 0, io.EOF
		}
		return len(d[0]), nil
	}
	f.register(t)
	s = must(Open(fakeFile, b))(t)
	c := must(s.Clip(background))(t)
	if c.Frames() != 2*BlockFrames || s.Decoded() {
		t.Errorf("got %d frames, kept: %v", c.Frames(), s.Decoded())
	}
	c.Release()
	if b.Used() != 0 {
		t.Errorf("%d bytes are left", b.Used())
	}
}

func TestSoundOfAClip(t *testing.T) {
	b := media.NewBudget(1 << 20)
	s := FromClip(must(Silence(b, 1, 8000, 2))(t))
	s.Drop()
	if !s.Decoded() || s.Data() != nil || b.Used() != 64_000 || s.Info().Codec != "pcm-f32" {
		t.Errorf("got %+v with %d bytes", s.Info(), b.Used())
	}
	c := must(s.Clip(background))(t)
	s.Release()
	s.Release()
	if b.Used() != 64_000 {
		t.Errorf("%d bytes are in use, and a clip needs 64000", b.Used())
	}
	c.Release()
	if b.Used() != 0 {
		t.Errorf("%d bytes are left", b.Used())
	}
}

func TestEncodeIsMetered(t *testing.T) {
	c := must(Silence(nil, 10, 8000, 1))(t)
	b := media.NewBudget(1 << 20)
	if _, err := Encode(background, WAV, c, EncodeOptions{}, b); err != nil || b.Used() != 0 || b.Peak() < 160_044 {
		t.Errorf("got %v, %d bytes left and %d at most", err, b.Used(), b.Peak())
	}
	var full *media.BudgetError
	small := media.NewBudget(200_000)
	if _, err := Encode(background, WAV, c, EncodeOptions{Depth: 24}, media.NewBudget(320_000)); err != nil {
		t.Errorf("room for the file and its headers: %v", err)
	}
	if _, err := Encode(background, WAV, c, EncodeOptions{Depth: 24}, small); !errors.As(err, &full) || small.Used() != 0 {
		t.Errorf("got %v and %d bytes left", err, small.Used())
	}
	if _, err := Encode(background, "mp5", c, EncodeOptions{}, nil); err == nil || !strings.HasPrefix(err.Error(), `format "mp5" cannot be written: it must be one of `) {
		t.Errorf("got %v", err)
	}
	RegisterEncoder("fat", Encoder{Encode: func(ctx context.Context, s Source, o EncodeOptions) ([]byte, error) {
		return make([]byte, MaxEncodedSize(8000, 1, s.Info().Frames, false, o)+2), nil
	}})
	RegisterEncoder("frail", Encoder{Encode: func(context.Context, Source, EncodeOptions) ([]byte, error) { panic("no") }})
	defer func() {
		codecs.Lock()
		delete(codecs.encoders, "fat")
		delete(codecs.encoders, "frail")
		codecs.Unlock()
	}()
	if _, err := Encode(background, "fat", c, EncodeOptions{}, b); err == nil || !strings.Contains(err.Error(), "the encoder for fat wrote") {
		t.Errorf("got %v", err)
	}
	var p *PanicError
	if _, err := Encode(background, "frail", c, EncodeOptions{}, b); !errors.As(err, &p) {
		t.Errorf("got %v", err)
	}
}

// A file whose header says nothing of its length is written in one pass, with the right sizes.
func TestEncodeOfUnknownLength(t *testing.T) {
	f := &fake{info: Info{Rate: 48000, Channels: 1, Frames: -1, Depth: 0}, real: 1500}
	f.register(t)
	out := must(Encode(background, WAV, must(Open(fakeFile, nil))(t), EncodeOptions{Float: true}, nil))(t)
	c := decoded(t, out)
	if c.Frames() != 1500 || c.Planes()[0][1499] != 1.499 || le.Uint32(out[46:]) != 1500 {
		t.Errorf("got %d frames, fact %d", c.Frames(), le.Uint32(out[46:]))
	}
}

func TestQuantizer(t *testing.T) {
	in := []float32{0, 0.5, -0.5, 1, -1, 2, -2, 1.4 / (1 << 15), 1.5 / (1 << 15), -1.4 / (1 << 15), -1.6 / (1 << 15), float32(math.NaN()), float32(math.Inf(1))}
	for depth, want := range map[int][]int32{
		16: {0, 1 << 14, -1 << 14, 32767, -32768, 32767, -32768, 1, 2, -1, -2, 0, 32767},
		24: {0, 1 << 22, -1 << 22, 1<<23 - 1, -1 << 23, 1<<23 - 1, -1 << 23, 358, 384, -358, -410, 0, 1<<23 - 1},
		8:  {0, 64, -64, 127, -128, 127, -128, 0, 0, 0, 0, 0, 127},
	} {
		got := make([]int32, len(in))
		NewQuantizer(depth, 1, false).Block([][]int32{got}, [][]float32{in})
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%d bits: got %v, want %v", depth, got, want)
		}
	}
	got := make([]int32, 2)
	NewQuantizer(32, 1, false).Channel(got, []float32{1, -1}, 0)
	if got[0] != math.MaxInt32 || got[1] != math.MinInt32 {
		t.Errorf("32 bits: got %v", got)
	}
}

// With dither the error has the mean 0 and the variance 1/4 (1/12 of rounding and 1/6 of the
// noise) whatever the sample is, and is not the same in two channels.
func TestDitherMakesTheErrorIndependent(t *testing.T) {
	const n = 200_000
	for _, x := range []float64{0.1, 0.25, 0.5, 0.9, -3.3} {
		src := make([]float32, n)
		for i := range src {
			src[i] = float32(x / (1 << 15))
		}
		dst := [][]int32{make([]int32, n), make([]int32, n)}
		NewQuantizer(16, 2, true).Block(dst, [][]float32{src, src})
		var sum, squares, both float64
		for i := range n {
			e := float64(dst[0][i]) - x
			sum += e
			squares += e * e
			both += e * (float64(dst[1][i]) - x)
		}
		if mean, variance, c := sum/n, squares/n, both/n; math.Abs(mean) > 0.01 || math.Abs(variance-0.25) > 0.01 || math.Abs(c) > 0.01 {
			t.Errorf("%v steps: got a mean error of %.4f, a variance of %.4f and a covariance of %.4f, want 0, 0.25 and 0", x, mean, variance, c)
		}
	}
	dst := make([]int32, 3)
	NewQuantizer(16, 1, true).Channel(dst, make([]float32, 3), 0)
	if dst[0] != 0 || dst[1] != 0 || dst[2] != 0 {
		t.Errorf("silence: got %v", dst)
	}
}

func TestDitherIsForWhatLosesDepth(t *testing.T) {
	grid := clipOf(t, []float32{0.5, -1, 1 - 1./(1<<15), 3. / (1 << 15)})
	for _, test := range []struct {
		name  string
		s     Source
		depth int
		want  bool
	}{
		{"16 bits on 16", grid, 16, true},
		{"16 bits on 24", grid, 24, true},
		{"16 bits on 8", grid, 8, false},
		{"with a gain", must(grid.Gain(-1))(t), 16, false},
		{"with gains that cancel out", must(must(grid.Gain(-1))(t).Gain(1))(t), 16, true},
		{"over full scale", clipOf(t, []float32{1}), 16, false},
		{"no number", clipOf(t, []float32{float32(math.NaN())}), 16, false},
		{"a file of 24 bits that needs 16", must(Open(must(Encode(background, WAV, grid, EncodeOptions{Depth: 24}, nil))(t), nil))(t), 16, true},
		{"a file of 16 bits", must(Open(must(Encode(background, WAV, grid, EncodeOptions{}, nil))(t), nil))(t), 16, true},
		{"a file of floats", must(Open(must(Encode(background, WAV, grid, EncodeOptions{Float: true}, nil))(t), nil))(t), 16, true},
	} {
		if got := must(OnGrid(background, test.s, test.depth))(t); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
	f := &fake{info: Info{Rate: 48000, Channels: 1, Frames: 10}, real: 10}
	f.register(t)
	if must(OnGrid(background, must(Open(fakeFile, nil))(t), 16))(t) || f.opens != 0 {
		t.Error("a file with loss is on the grid, or was decoded to find out")
	}
	// −30 dB of a sine: without dither its harmonics would be louder than this.
	quiet := clipAt(t, 48000, sine(48000, 48000, 997, 1.2/(1<<15)))
	for o, want := range map[EncodeOptions]bool{{}: true, {NoDither: true}: false} {
		out := decoded(t, must(Encode(background, WAV, quiet, o, nil))(t))
		s := must(SpectrumOf(background, out, SpectrumOptions{Size: 4096}))(t)
		third := -200.0
		for k := 253; k <= 258; k++ { // about 2991 Hz
			third = max(third, s.Level[k])
		}
		if got := third < -110; got != want {
			t.Errorf("%+v: the third harmonic is at %.1f dB", o, third)
		}
	}
}
