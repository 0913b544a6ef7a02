package audio

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"quicksand/media"
	"quicksand/media/audio/dsp"
)

// eager does at once to samples what a clip leaves pending.
type eager [][]float32

func (e eager) each(f func(p []float32) []float32) eager {
	var out eager
	for _, p := range e {
		out = append(out, f(slices.Clone(p)))
	}
	return out
}

func TestWhatIsPendingIsWhatIsDoneAtOnce(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 6))
		frames := 1 + r.IntN(1000)
		if seed%20 == 0 {
			frames += 2 * BlockFrames
		}
		want := eager{noise(frames, uint32(seed)), noise(frames, uint32(seed)+1)}
		c := clipAt(t, 1000, want...)
		steps := ""
		for range 1 + r.IntN(16) {
			n := int(c.Frames())
			switch r.IntN(5) {
			case 0:
				steps += " reverse"
				c = must(c.Reverse())(t)
				want = want.each(func(p []float32) []float32 { slices.Reverse(p); return p })
			case 1:
				// Mostly so large that it is a view.
				from := r.IntN(n/4 + 1)
				to := from + r.IntN(n-from+1)
				if r.IntN(4) > 0 {
					to = n - r.IntN(n/4+1)
				}
				steps += fmt.Sprintf(" section %d-%d", from, to)
				c = must(c.Section(int64(from), int64(to)))(t)
				want = want.each(func(p []float32) []float32 { return p[from:to] })
			default:
				length, v := min(n, 1+r.IntN(n+1)), dsp.Curve(r.IntN(4))
				if out := r.IntN(2) == 0; out {
					steps += fmt.Sprintf(" out %d", length)
					c = must(c.FadeOut(background, float64(length)/1000, v))(t)
					want = want.each(func(p []float32) []float32 { v.FadeOut(p[n-length:], 0, int64(length)); return p })
				} else {
					steps += fmt.Sprintf(" in %d", length)
					c = must(c.FadeIn(background, float64(length)/1000, v))(t)
					want = want.each(func(p []float32) []float32 { v.FadeIn(p[:length], 0, int64(length)); return p })
				}
			}
			if n := int(c.Frames()); n == 0 {
				break
			}
		}
		if len(c.fades) > maxFades {
			t.Errorf("%s: %d fades are pending", steps, len(c.fades))
		}
		same(t, steps, c.Planes(), want)
		same(t, steps+", flat", must(c.Flat(background))(t).planes, want)
		if t.Failed() {
			return
		}
		// Operations that make new samples see them, too.
		if c.Frames() == 0 {
			continue
		}
		twice := want.each(func(p []float32) []float32 { return append(p, p...) })
		same(t, steps+", repeated", must(c.Repeat(background, 2))(t).Planes(), twice)
		same(t, steps+", joined", must(Concat(background, c, c))(t).Planes(), twice)
		same(t, steps+", at another rate", must(c.Resample(background, 1500, dsp.Fast))(t).Planes(),
			must(clipAt(t, 1000, want...).Resample(background, 1500, dsp.Fast))(t).Planes())
		same(t, steps+", on the right", must(must(c.Split())(t)[1].Reverse())(t).Planes(),
			eager{want[1]}.each(func(p []float32) []float32 { slices.Reverse(p); return p }))
		peak := must(c.Peak(background))(t)
		if direct := must(clipAt(t, 1000, want...).Peak(background))(t); peak != direct {
			t.Errorf("%s: got a peak of %v, want %v", steps, peak, direct)
		}
	}
}

func TestReversingAndFadingTakeNoMemory(t *testing.T) {
	b := media.NewBudget(1 << 20)
	c := must(Silence(b, 1, 10_000, 2))(t)
	taken := b.Used()
	r := must(c.Reverse())(t)
	f := must(r.FadeIn(background, 0.5, dsp.SCurve))(t)
	for range maxFades - 1 {
		n := must(f.FadeOut(background, 0.1, dsp.LinearFade))(t)
		f.Release()
		f = n
	}
	if b.Used() != taken {
		t.Errorf("they take %d bytes", b.Used()-taken)
	}
	// One fade more is one too many to be pending.
	n := must(f.FadeOut(background, 0.1, dsp.LinearFade))(t)
	if b.Used() != 2*taken || len(n.fades) != 1 {
		t.Errorf("one more takes %d bytes, and leaves %d pending", b.Used()-taken, len(n.fades))
	}
	c.Release()
	r.Release()
	f.Release()
	if b.Used() != taken {
		t.Errorf("got %d bytes in use, want %d", b.Used(), taken)
	}
	n.Release()
}
