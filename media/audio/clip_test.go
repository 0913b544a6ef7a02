package audio

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"quicksand/media"
)

var background = context.Background()

// clipOf is a clip at 8 kHz.
func clipOf(t testing.TB, planes ...[]float32) *Clip {
	t.Helper()
	return clipAt(t, 8000, planes...)
}

func clipAt(t testing.TB, rate int, planes ...[]float32) *Clip {
	t.Helper()
	c, err := NewClip(nil, rate, planes)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// sine is n samples of a tone.
func sine(n, rate int, hz, amplitude float64) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(amplitude * math.Sin(2*math.Pi*hz*float64(i)/float64(rate)))
	}
	return x
}

// noise is n samples from −1 to 1.
func noise(n int, seed uint32) []float32 {
	x := make([]float32, n)
	for i := range x {
		seed = seed*1664525 + 1013904223
		x[i] = float32(int32(seed)) / (1 << 31)
	}
	return x
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func same(t *testing.T, what string, got, want [][]float32) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: got %d channels, want %d", what, len(got), len(want))
	}
	for i := range want {
		if len(got[i]) != len(want[i]) {
			t.Fatalf("%s: channel %d: got %d frames, want %d", what, i, len(got[i]), len(want[i]))
		}
		for k := range want[i] {
			if got[i][k] != want[i][k] {
				t.Fatalf("%s: channel %d, frame %d: got %v, want %v", what, i, k, got[i][k], want[i][k])
			}
		}
	}
}

// Trim, −6 dB, +6 dB and a concatenation without fades give the samples of the file back, and
// the file.
func TestChainIsExact(t *testing.T) {
	x := [][]float32{noise(30_000, 1), noise(30_000, 2)}
	for _, p := range x {
		for i := range p {
			p[i] = float32(math.Round(float64(p[i])*20000)) / (1 << 15)
		}
	}
	in := must(Encode(background, WAV, clipAt(t, 44100, x...), EncodeOptions{}, nil))(t)
	c := decoded(t, in)
	var parts []*Clip
	for _, cut := range [][2]float64{{0, 0.1}, {0.1, 0.35}, {0.35, 10}} {
		p := must(c.Trim(cut[0], cut[1]))(t)
		p = must(p.Gain(-6))(t)
		p = must(p.Gain(+6))(t)
		parts = append(parts, p)
	}
	for name, parts := range map[string][]*Clip{
		"gains that cancel out": parts,
		"gains that are equal": {
			must(must(parts[0].Gain(-6))(t).Gain(3))(t), must(parts[1].Gain(-3))(t), must(parts[2].Gain(-3))(t),
		},
	} {
		whole := must(Concat(background, parts...))(t)
		if name == "gains that are equal" {
			whole = must(whole.Gain(3))(t)
		}
		same(t, name, whole.Planes(), x)
		out := must(Encode(background, WAV, whole, EncodeOptions{}, nil))(t)
		if string(out) != string(in) {
			t.Errorf("%s: the file is not the one that was read", name)
		}
	}
	// Many small steps, none of which is a number of base 2.
	for range 30 {
		c = must(c.Gain(-0.1))(t)
	}
	for range 10 {
		c = must(c.Gain(0.3))(t)
	}
	same(t, "thirty steps", c.Planes(), x)
}

func TestGainsAreAppliedOnce(t *testing.T) {
	c := clipOf(t, []float32{0.5, -0.25})
	g := must(c.Gain(20))(t)
	same(t, "+20 dB", g.Planes(), [][]float32{{5, -2.5}})
	same(t, "the clip itself", c.Planes(), [][]float32{{0.5, -0.25}})
	var blocks [][]float32
	if err := g.Blocks(background, func(b [][]float32) error { blocks = append(blocks, append([]float32(nil), b[0]...)); return nil }); err != nil {
		t.Fatal(err)
	}
	same(t, "blocks", blocks, [][]float32{{5, -2.5}})
	flat := must(g.Flat(background))(t)
	same(t, "flat", flat.planes, [][]float32{{5, -2.5}})
	if flat.PendingGain() != 0 {
		t.Errorf("flat: got %v dB pending", flat.PendingGain())
	}
	if g.PendingGain() != 20 {
		t.Errorf("got %v dB pending, want 20", g.PendingGain())
	}
	for db, want := range map[float64]string{
		201:         "the gain in dB is 201, over the limit of 200 (AudioGain)",
		-200.5:      "the gain in dB is -200.5, under the limit of -200 (AudioGain)",
		math.NaN():  "the gain must be a finite number",
		math.Inf(1): "the gain must be a finite number",
	} {
		if _, err := c.Gain(db); err == nil || err.Error() != want {
			t.Errorf("%v dB: got %v, want %s", db, err, want)
		}
	}
	loud := c
	for range 3 {
		loud = must(loud.Gain(200))(t)
	}
	if _, err := loud.Gain(1); err == nil || !strings.Contains(err.Error(), "of all steps together is 601") {
		t.Errorf("got %v", err)
	}
}

func TestMemoryIsSharedAndGivenBack(t *testing.T) {
	b := media.NewBudget(1 << 20)
	c := must(Silence(b, 1, 10_000, 2))(t) // 80 000 bytes
	if b.Used() != 80_000 {
		t.Fatalf("got %d bytes in use, want 80000", b.Used())
	}
	half := must(c.Section(0, 5000))(t)
	loud := must(half.Gain(6))(t)
	mono := must(c.Split())(t)
	if b.Used() != 80_000 {
		t.Errorf("views take %d bytes", b.Used()-80_000)
	}
	c.Release()
	c.Release()
	half.Release()
	mono[0].Release()
	mono[1].Release()
	if b.Used() != 80_000 {
		t.Errorf("got %d bytes in use while a clip needs them", b.Used())
	}
	loud.Release()
	if b.Used() != 0 {
		t.Errorf("got %d bytes in use at the end", b.Used())
	}
	// A view of a clip that was released takes the memory again.
	again := must(loud.Gain(1))(t)
	if b.Used() != 80_000 {
		t.Errorf("got %d bytes in use, want 80000", b.Used())
	}
	again.Release()

	c = must(Silence(b, 1, 10_000, 2))(t)
	small := must(c.Section(10, 20))(t)
	c.Release()
	if b.Used() != 80 {
		t.Errorf("ten frames of a clip that is gone take %d bytes, want 80", b.Used())
	}
	small.Release()
}

// Every operation takes what it makes from the budget, and gives back all but the result.
func TestOperationsKeepToTheBudget(t *testing.T) {
	type operation func(ctx context.Context, c, d *Clip) (*Clip, error)
	for name, f := range map[string]operation{
		"repeat": func(ctx context.Context, c, d *Clip) (*Clip, error) { return c.Repeat(ctx, 3) },
		"pad":    func(ctx context.Context, c, d *Clip) (*Clip, error) { return c.Pad(ctx, 0.1, 0.2) },
		"concat": func(ctx context.Context, c, d *Clip) (*Clip, error) { return Concat(ctx, c, d, d) },
		"mix": func(ctx context.Context, c, d *Clip) (*Clip, error) {
			return Mix(ctx, MixOptions{}, Input{Clip: c}, Input{Clip: d})
		},
		"mix and limit": func(ctx context.Context, c, d *Clip) (*Clip, error) {
			return Mix(ctx, MixOptions{Limit: true}, Input{Clip: c}, Input{Clip: d})
		},
		"merge":       func(ctx context.Context, c, d *Clip) (*Clip, error) { return Merge(ctx, c, d) },
		"resample":    func(ctx context.Context, c, d *Clip) (*Clip, error) { return c.Resample(ctx, 12_000, 0) },
		"speed":       func(ctx context.Context, c, d *Clip) (*Clip, error) { return c.Speed(ctx, 0.7, 0) },
		"mapChannels": func(ctx context.Context, c, d *Clip) (*Clip, error) { return c.MapChannels(ctx, 2) },
		"loudness":    func(ctx context.Context, c, d *Clip) (*Clip, error) { return c.NormalizeLoudness(ctx, -1, -1) },
	} {
		b := media.NewBudget(1 << 20)
		c := must(NewClip(b, 8000, [][]float32{sine(8000, 8000, 440, 0.5)}))(t)
		d := must(NewClip(b, 6000, [][]float32{sine(3000, 6000, 440, 0.5), sine(3000, 6000, 440, 0.5)}))(t)
		inputs := b.Used()
		n, err := f(background, c, d)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, want := b.Used()-inputs, 4*int64(n.Channels())*n.Frames(); got != want {
			t.Errorf("%s: takes %d bytes, want %d", name, got, want)
		}
		n.Release()

		left := b.Left()
		if err := b.Reserve(left); err != nil {
			t.Fatal(err)
		}
		_, err = f(background, c, d)
		var full *media.BudgetError
		if !errors.As(err, &full) {
			t.Errorf("%s without budget: got %v", name, err)
		}
		b.Release(left)

		cancelled, cancel := context.WithCancel(background)
		cancel()
		_, err = f(cancelled, c, d)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s cancelled: got %v", name, err)
		}
		if b.Used() != inputs {
			t.Errorf("%s: %d bytes are not given back", name, b.Used()-inputs)
		}
	}
}

func TestRepeatOfTheAcceptanceCheck(t *testing.T) {
	b := media.NewBudget(1 << 20)
	c := must(Silence(b, 0.5, 8000, 1))(t)
	_, err := c.Repeat(background, 100)
	var full *media.BudgetError
	if !errors.As(err, &full) || full.Limit != 1<<20 || full.Used != 16_000+1_600_000 {
		t.Errorf("got %v", err)
	}
}

func TestClipsAreSafeForConcurrentUse(t *testing.T) {
	b := media.NewBudget(1 << 20)
	c := must(NewClip(b, 8000, [][]float32{noise(8000, 1)}))(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				n, err := c.Section(0, 6000)
				if err != nil {
					t.Error(err)
					return
				}
				n.Release()
				n.Release()
			}
		})
	}
	wg.Wait()
	c.Release()
	if b.Used() != 0 {
		t.Errorf("got %d bytes in use at the end", b.Used())
	}
}

func TestNewClipChecks(t *testing.T) {
	for name, test := range map[string]struct {
		rate   int
		planes [][]float32
		want   string
	}{
		"no channels":       {8000, nil, "the number of channels is 0, under the limit of 1 (AudioChannels)"},
		"different lengths": {8000, [][]float32{{1, 2}, {1}}, "channels are of 2 and of 1 frames"},
		"no rate":           {0, [][]float32{{1}}, "the sampling rate in Hz is 0, under the limit of 1 (AudioRate)"},
	} {
		if _, err := NewClip(nil, test.rate, test.planes); fmt.Sprint(err) != test.want {
			t.Errorf("%s: got %v, want %s", name, err, test.want)
		}
	}
}
