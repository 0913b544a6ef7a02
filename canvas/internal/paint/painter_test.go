package paint

import (
	"bytes"
	"image"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"quicksand/canvas/geometry"
	pix "quicksand/media/image"
)

const modes = 26

// reference is "Compositing and Blending Level 1" (W3C) in floating point. s and d are
// premultiplied, 0 to 1, and so is the result.
func reference(m pix.BlendMode, s, d [4]float64) (out [4]float64) {
	sa, da := s[3], d[3]
	fs, fd := 1.0, 1-sa
	switch m {
	case pix.SourceIn:
		fs, fd = da, 0
	case pix.SourceOut:
		fs, fd = 1-da, 0
	case pix.SourceAtop:
		fs = da
	case pix.DestinationOver:
		fs, fd = 1-da, 1
	case pix.DestinationIn:
		fs, fd = 0, sa
	case pix.DestinationOut:
		fs = 0
	case pix.DestinationAtop:
		fs, fd = 1-da, sa
	case pix.Lighter:
		fd = 1
	case pix.Copy:
		fd = 0
	case pix.Xor:
		fs = 1 - da
	}
	if m < pix.Multiply {
		for c := range out {
			out[c] = min(fs*s[c]+fd*d[c], 1)
		}
		return out
	}
	var cs, cb [3]float64
	for c := range 3 {
		if sa > 0 {
			cs[c] = s[c] / sa
		}
		if da > 0 {
			cb[c] = d[c] / da
		}
	}
	b := blended(m, cb, cs)
	for c := range 3 {
		out[c] = s[c]*(1-da) + d[c]*(1-sa) + sa*da*b[c]
	}
	out[3] = sa + da - sa*da
	return out
}

func blended(m pix.BlendMode, b, s [3]float64) (out [3]float64) {
	lum := func(c [3]float64) float64 { return 0.3*c[0] + 0.59*c[1] + 0.11*c[2] }
	sat := func(c [3]float64) float64 { return max(c[0], c[1], c[2]) - min(c[0], c[1], c[2]) }
	setLum := func(c [3]float64, l float64) [3]float64 {
		d := l - lum(c)
		for i := range c {
			c[i] += d
		}
		if n := min(c[0], c[1], c[2]); n < 0 {
			for i := range c {
				c[i] = l + (c[i]-l)*l/(l-n)
			}
		}
		if x := max(c[0], c[1], c[2]); x > 1 {
			for i := range c {
				c[i] = l + (c[i]-l)*(1-l)/(x-l)
			}
		}
		return c
	}
	setSat := func(c [3]float64, s float64) [3]float64 {
		n, span := min(c[0], c[1], c[2]), sat(c)
		for i := range c {
			if span == 0 {
				c[i] = 0
			} else {
				c[i] = (c[i] - n) / span * s
			}
		}
		return c
	}
	switch m {
	case pix.Hue:
		return setLum(setSat(s, sat(b)), lum(b))
	case pix.Saturation:
		return setLum(setSat(b, sat(s)), lum(b))
	case pix.Color:
		return setLum(s, lum(b))
	case pix.Luminosity:
		return setLum(b, lum(s))
	}
	var one func(m pix.BlendMode, b, s float64) float64
	one = func(m pix.BlendMode, b, s float64) float64 {
		switch m {
		case pix.Multiply:
			return b * s
		case pix.Screen:
			return b + s - b*s
		case pix.Overlay:
			return one(pix.HardLight, s, b)
		case pix.Darken:
			return min(b, s)
		case pix.Lighten:
			return max(b, s)
		case pix.ColorDodge:
			switch {
			case b == 0:
				return 0
			case s >= 1:
				return 1
			}
			return min(1, b/(1-s))
		case pix.ColorBurn:
			switch {
			case b >= 1:
				return 1
			case s <= 0:
				return 0
			}
			return 1 - min(1, (1-b)/s)
		case pix.HardLight:
			if s <= 0.5 {
				return 2 * b * s
			}
			return b + (2*s - 1) - b*(2*s-1)
		case pix.SoftLight:
			if s <= 0.5 {
				return b - (1-2*s)*b*(1-b)
			}
			g := math.Sqrt(b)
			if b <= 0.25 {
				g = ((16*b-12)*b + 4) * b
			}
			return b + (2*s-1)*(g-b)
		case pix.Difference:
			return math.Abs(b - s)
		}
		return b + s - 2*b*s
	}
	for i := range out {
		out[i] = one(m, b[i], s[i])
	}
	return out
}

// pixels is a source that is not solid.
type pixels struct{ s *pix.Surface }

func (p pixels) Solid() (c [4]uint8, ok bool) { return c, false }
func (p pixels) Row(dst []byte, x, y int)     { copy(dst, p.s.Row(y)[4*x:]) }

func randomSurface(r *rand.Rand, w, h int) *pix.Surface {
	s := pix.New(w, h)
	for i := 0; i < len(s.Pix); i += 4 {
		a := r.IntN(256)
		switch r.IntN(4) {
		case 0:
			a = 255
		case 1:
			a = 0
		}
		s.Pix[i+3] = byte(a)
		for c := range 3 {
			s.Pix[i+c] = byte(r.IntN(a + 1))
		}
	}
	return s
}

func toFloat(p []byte) (f [4]float64) {
	for i := range f {
		f[i] = float64(p[i]) / 255
	}
	return f
}

// How a mode reacts to a source that is off by half a level: dodge and burn divide by what
// may be a few levels, and the modes of hue divide twice.
func tolerance(m pix.BlendMode) (most, mean float64) {
	switch m {
	case pix.ColorDodge, pix.ColorBurn:
		return 40, 0.6
	case pix.Hue, pix.Saturation, pix.Color, pix.Luminosity, pix.SoftLight:
		return 12, 0.6
	case pix.Difference, pix.Exclusion, pix.HardLight, pix.Overlay, pix.Darken, pix.Lighten, pix.Xor:
		return 3.2, 0.6
	}
	return 2.2, 0.6
}

// Coverage and alpha multiply the source; a clip mixes old and new where the mode clears, and
// does not differ from coverage where it does not.
func TestEveryModeIsItsDefinitionUnderCoverageAlphaAndClip(t *testing.T) {
	const w, h = 61, 23
	for m := range pix.BlendMode(modes) {
		t.Run(m.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(m), 7))
			for _, row := range []struct {
				name          string
				alpha         float64
				solid, clips  bool
				partial, runs bool
			}{
				{name: "a plain row of pixels", alpha: 1, runs: true},
				{name: "a plain colour", alpha: 1, runs: true, solid: true},
				{name: "runs of partial coverage", alpha: 1, runs: true, partial: true},
				{name: "runs of a colour, partly covered", alpha: 1, runs: true, partial: true, solid: true},
				{name: "a mask over pixels", alpha: 1, partial: true},
				{name: "a mask over a colour", alpha: 1, partial: true, solid: true},
				{name: "alpha and a mask over pixels", alpha: 0.3, partial: true},
				{name: "alpha and a mask over a colour", alpha: 0.3, partial: true, solid: true},
				{name: "a mask within a clip", alpha: 1, partial: true, clips: true},
				{name: "alpha, runs and a clip", alpha: 0.7, partial: true, clips: true, runs: true},
				{name: "a colour with alpha, runs and a clip", alpha: 0.7, partial: true, clips: true, runs: true, solid: true},
			} {
				most, mean := tolerance(m)
				if row.clips {
					most++ // products of coverages are rounded
				}
				dst, src := randomSurface(r, w, h), randomSurface(r, w, h)
				before := dst.Clone()
				straight := [4]uint8{200, 100, 30, 190}
				var source Source = pixels{src}
				if row.solid {
					source = NewColour(straight)
				}
				bounds := image.Rect(3, 2, 55, 20)
				clip := NewClip(bounds)
				if row.clips {
					clip = clip.Shape(bounds, func(s Sink, _ image.Rectangle) {
						for y := 2; y < 20; y++ {
							for x := 3; x < 55; x++ {
								s.Run(x, y, 1, uint8(r.IntN(256)))
							}
						}
					})
				}
				var cover [h][w]uint8
				p := NewPainter(dst, 0, h)
				p.Begin(Op{Mode: m, Alpha: row.alpha, Clip: clip, Source: source})
				for y := 1; y < h-1; y++ {
					for x := 5; x < w-3; {
						n := 1 + r.IntN(30)
						n = min(n, w-3-x)
						c := uint8(255)
						if row.partial {
							c = uint8(r.IntN(256))
						}
						for i := range n {
							cover[y][x+i] = c
							if !row.runs {
								cover[y][x+i] = uint8(r.IntN(3)) * 100
							}
						}
						if row.runs && c > 0 {
							p.Run(x, y, n, c)
						} else {
							p.Mask(x, y, cover[y][x:x+n])
						}
						x += n + r.IntN(3)
					}
				}
				p.End()
				sum := 0.0
				for y := range h {
					for x := range w {
						got, d := dst.Row(y)[4*x:4*x+4], toFloat(before.Row(y)[4*x:])
						inside := 0.0
						if image.Pt(x, y).In(bounds) {
							inside = 1
							if clip.mask != nil {
								inside = float64(clip.mask.Row(y)[x-3]) / 255
							}
						}
						s := toFloat(src.Row(y)[4*x:])
						if row.solid {
							s = toFloat(straight[:])
							for c := range 3 {
								s[c] *= s[3]
							}
						}
						k := row.alpha * float64(cover[y][x]) / 255
						if m == pix.Lighter { // which saturates after the clip
							k, inside = k*inside, 1
						}
						for c := range s {
							s[c] *= k
						}
						want := reference(m, s, d)
						for c := range want {
							v := 255 * (d[c] + (want[c]-d[c])*inside)
							off := math.Abs(v - float64(got[c]))
							sum += off
							if off > most {
								t.Fatalf("%s: pixel %d, %d: got %v, want %v·255 (source %v on %v, clip %.2f)", row.name, x, y, got, want, s, d, inside)
							}
						}
						if max(got[0], got[1], got[2]) > got[3] {
							t.Fatalf("%s: pixel %d, %d: %v is lighter than its alpha allows", row.name, x, y, got)
						}
					}
				}
				if sum /= 4 * w * h; sum > mean {
					t.Errorf("%s: off by %.2f on the average", row.name, sum)
				}
			}
		})
	}
}

func TestSourceOverIsWithinOneLevel(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 200000 {
		p, d, c := randomSurface(r, 1, 1), randomSurface(r, 1, 1), uint8(r.IntN(256))
		run, mask, row, masked := d.Clone(), d.Clone(), d.Clone(), d.Clone()
		overRun(run.Pix, scalePixel(packed([4]uint8(p.Pix)), c))
		overMask(mask.Pix, packed([4]uint8(p.Pix)), []uint8{c})
		scaled := make([]byte, 4)
		scaleRun(scaled, p.Pix, c)
		overRow(row.Pix, scaled)
		overRowMask(masked.Pix, p.Pix, []uint8{c})
		for i := range 4 {
			k := float64(c) / 255
			want := float64(p.Pix[i])*k + float64(d.Pix[i])*(1-k*float64(p.Pix[3])/255)
			for _, got := range [...]uint8{run.Pix[i], mask.Pix[i], row.Pix[i], masked.Pix[i]} {
				if math.Abs(float64(got)-want) > 1.51 {
					t.Fatalf("%v over %v at %d: got %d, want %.2f", p.Pix, d.Pix, c, got, want)
				}
			}
		}
	}
}

func TestBandsAreWhatTheWholeIs(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for m := range pix.BlendMode(modes) {
		whole := randomSurface(r, 40, 40)
		parts := whole.Clone()
		src := pixels{randomSurface(r, 40, 40)}
		draw := func(s *pix.Surface, y0, y1 int) {
			p := NewPainter(s, y0, y1)
			p.Begin(Op{Mode: m, Alpha: 0.8, Source: src})
			for y := range 40 {
				p.Run(y-10, y, 30, uint8(6*y+1))
			}
			p.End()
		}
		draw(whole, 0, 40)
		draw(parts, 0, 13)
		draw(parts, 13, 40)
		if string(whole.Pix) != string(parts.Pix) {
			t.Errorf("%v: bands differ from the whole", m)
		}
	}
}

// Run with the race detector: two bands share a ramp, a texture and a clip.
func TestBandsMayBePaintedAtOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	tex := NewTexture(randomSurface(r, 50, 50))
	ramp := NewRamp([]Stop{{0, [4]uint8{255, 0, 0, 255}}, {1, [4]uint8{0, 0, 255, 9}}})
	clip := NewClip(image.Rect(0, 0, 64, 64)).Shape(image.Rect(0, 0, 64, 64), func(s Sink, _ image.Rectangle) {
		for y := range 64 {
			s.Run(y/2, y, 30, uint8(y*4))
		}
	})
	half := geometry.Matrix{A: 0.4, D: 0.4}
	draw := func(s *pix.Surface, y0, y1 int) {
		p := NewPainter(s, y0, y1)
		for _, src := range []Source{
			ramp.Place(Linear, [6]float64{0, 0, 64, 64}, geometry.Identity),
			ramp.Place(Conic, [6]float64{1, 30, 30}, geometry.Identity),
			tex.Place(image.Rect(3, 3, 40, 40), half, Clamp, Clamp, SmoothMedium),
			tex.Place(image.Rect(0, 0, 50, 50), geometry.Identity, Repeat, Blank, SmoothHigh),
		} {
			p.Begin(Op{Mode: pix.SourceOver, Alpha: 0.9, Clip: clip, Source: src})
			p.Rect(image.Rect(0, 0, 64, 64), 255)
			p.End()
		}
	}
	whole, parts := pix.New(64, 64), pix.New(64, 64)
	var wg sync.WaitGroup
	wg.Go(func() { draw(parts, 0, 30) })
	wg.Go(func() { draw(parts, 30, 64) })
	wg.Wait()
	draw(whole, 0, 64)
	if string(whole.Pix) != string(parts.Pix) {
		t.Error("bands differ from the whole")
	}
}

func TestWhatIsOutsideIsLeftOut(t *testing.T) {
	s := pix.New(4, 4)
	p := NewPainter(s, 1, 3)
	p.Begin(Op{Alpha: 1, Source: NewColour([4]uint8{255, 255, 255, 255}), Clip: NewClip(image.Rect(1, -5, 3, 50))})
	for y := -2; y < 8; y++ {
		p.Run(-100, y, 1000, 255)
		p.Run(10, y, 5, 255)
		p.Run(-10, y, 5, 255)
		p.Mask(-3, y, make([]uint8, 2))
		p.Mask(-3, y, []uint8{9, 9, 9, 9, 9, 9, 9, 9, 9, 9})
		p.Mask(7, y, []uint8{9})
	}
	p.End()
	for i := range 16 {
		want := uint8(0)
		if x, y := i%4, i/4; x >= 1 && x < 3 && y >= 1 && y < 3 {
			want = 255
		}
		if s.Pix[4*i+3] != want {
			t.Errorf("pixel %d, %d has alpha %d", i%4, i/4, s.Pix[4*i+3])
		}
	}
}

func TestAlphaIsNotRoundedToALevel(t *testing.T) {
	// White at 1/512 on black, eight bits of alpha would make it 0 or 1/255.
	for _, row := range []struct {
		name   string
		source Source
	}{
		{"a colour", NewColour([4]uint8{255, 255, 255, 255})},
		{"pixels", pixels{&pix.Surface{Width: 1, Height: 1, Pix: []byte{255, 255, 255, 255}}}},
	} {
		for _, alpha := range []float64{0.3, 0.501, 1.0 / 512, 0.9999} {
			s := pix.New(1, 1)
			p := NewPainter(s, 0, 1)
			p.Begin(Op{Alpha: alpha, Source: row.source})
			p.Run(0, 0, 1, 255)
			p.End()
			if want := uint8(alpha*255 + 0.5); s.Pix[3] != want || s.Pix[0] != want {
				t.Errorf("%s at %v: got %v, want %d", row.name, alpha, s.Pix, want)
			}
		}
	}
}

// TestRectIsItsRuns compares rectangles of one coverage with a run for each of their rows.
func TestRectIsItsRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	clip := NewClip(image.Rect(3, 2, 17, 15))
	masked := clip.Shape(image.Rect(4, 4, 12, 12), func(s Sink, _ image.Rectangle) {
		for y := 4; y < 12; y++ {
			s.Run(4, y, 8, uint8(20*y))
		}
	})
	for _, op := range []Op{
		{Alpha: 1, Source: NewColour([4]uint8{200, 100, 50, 255})},
		{Alpha: 1, Source: NewColour([4]uint8{200, 100, 50, 90})},
		{Alpha: 0.3, Source: NewColour([4]uint8{200, 100, 50, 90}), Clip: clip},
		{Alpha: 1, Source: NewColour([4]uint8{200, 100, 50, 255}), Clip: masked},
		{Alpha: 1, Source: NewColour([4]uint8{200, 100, 50, 0})},
		{Alpha: 1, Source: NewColour([4]uint8{200, 100, 50, 99}), Mode: pix.SourceIn},
		{Alpha: 1, Source: NewColour([4]uint8{0, 0, 0, 255}), Mode: pix.DestinationOut},
		{Alpha: 1, Source: NewRamp(redToBlue).Place(Linear, [6]float64{0, 0, 20, 20}, geometry.Identity)},
	} {
		for range 200 {
			x, y := r.IntN(24)-4, r.IntN(24)-4
			rect := image.Rect(x, y, x+r.IntN(12), y+r.IntN(12))
			if r.IntN(3) == 0 {
				rect.Max.X = x + 1
			}
			cover := uint8(1 + r.IntN(255))
			if r.IntN(3) == 0 {
				cover = 255
			}
			got := randomSurface(r, 20, 20)
			want := got.Clone()
			p := NewPainter(got, 1, 19)
			p.Begin(op)
			p.Rect(rect, cover)
			p.End()
			p = NewPainter(want, 1, 19)
			p.Begin(op)
			for y := rect.Min.Y; y < rect.Max.Y; y++ {
				p.Run(rect.Min.X, y, rect.Dx(), cover)
			}
			p.End()
			if !bytes.Equal(got.Pix, want.Pix) {
				t.Fatalf("%+v: %v with coverage %d is not its rows", op, rect, cover)
			}
		}
	}
}
