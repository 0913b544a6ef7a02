package paint

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"math"

	pix "quicksand/media/image"
)

// A Shadow is what shadowColor, shadowBlur, shadowOffsetX and shadowOffsetY say.
type Shadow struct {
	Colour [4]uint8 // straight RGBA
	Blur   float64  // twice the standard deviation in pixels
	X, Y   float64  // pixels of the device
}

// Visible reports whether there is a shadow at all.
func (s Shadow) Visible() bool {
	return s.Colour[3] > 0 && (s.Blur > 0 || s.X != 0 || s.Y != 0)
}

// sigma is the standard deviation (HTML, "Shadows").
func (s Shadow) sigma() float64 { return min(s.Blur/2, MaxSigma) }

// An Effect is what is made of a shape before it is painted. The zero value does nothing.
type Effect struct {
	Filters []FilterStep
	Shadow  Shadow
}

// MaxLayer is how many pixels a layer or mask may have: a surface of the greatest size, and
// what a blur of the greatest deviation reaches around it.
const MaxLayer = 96 << 20

// CheckLayer reports by an error that no layer or mask may have these bounds.
func CheckLayer(bounds image.Rectangle) error {
	if w, h := bounds.Dx(), bounds.Dy(); int64(w)*int64(h) > MaxLayer {
		return fmt.Errorf("filter or shadow: a layer of %d×%d exceeds the limit of %d pixels", w, h, MaxLayer)
	}
	return nil
}

// Bounds are those of the layer that a shape must be painted on for the effect to be right
// within visible: what lies outside is not needed. shape holds all of the shape.
func (e *Effect) Bounds(shape, visible image.Rectangle) image.Rectangle {
	return shape.Intersect(e.needs(visible)[0])
}

// ShadowBounds are those of the mask of a shape, filters already applied, that its shadow
// within visible is made of.
func (e *Effect) ShadowBounds(shape, visible image.Rectangle) image.Rectangle {
	return shape.Intersect(before(visible, e.Shadow.X, e.Shadow.Y, e.Shadow.sigma()))
}

// needs are which pixels each filter must find, and at the end those that are left.
func (e *Effect) needs(visible image.Rectangle) []image.Rectangle {
	n := len(e.Filters)
	needs := make([]image.Rectangle, n+1)
	need := visible
	if e.Shadow.Visible() {
		need = need.Union(before(visible, e.Shadow.X, e.Shadow.Y, e.Shadow.sigma()))
	}
	needs[n] = need
	for i := n - 1; i >= 0; i-- {
		switch f := e.Filters[i]; {
		case f.DropShadow != nil:
			need = need.Union(before(need, f.DropShadow.X, f.DropShadow.Y, f.DropShadow.Sigma))
		case f.Kind == pix.Blur:
			need = grow(need, reach(f.Amount))
		}
		needs[i] = need
	}
	return needs
}

// reach is how far a blur carries, in pixels.
func reach(sigma float64) int {
	if !(sigma > 0) {
		return 0
	}
	return int(math.Ceil(3*min(sigma, MaxSigma))) + 1
}

func grow(r image.Rectangle, n int) image.Rectangle {
	if r.Empty() {
		return image.Rectangle{}
	}
	return image.Rect(r.Min.X-n, r.Min.Y-n, r.Max.X+n, r.Max.Y+n)
}

// farOffset is farther than any two pixels of a surface and a layer are apart.
const farOffset = 1 << 20

// offset takes an offset apart: whole pixels, and 256ths of one.
func offset(v float64) (whole int, part uint8) {
	v = min(max(v, -farOffset), farOffset)
	if v != v {
		return 0, 0
	}
	n := int(math.Floor(v*256 + 0.5))
	return n >> 8, uint8(n)
}

// before is what the shadow within r is made of, after what the shadow of r takes.
func before(r image.Rectangle, x, y, sigma float64) image.Rectangle {
	if r.Empty() {
		return image.Rectangle{}
	}
	dx, px := offset(x)
	dy, py := offset(y)
	r = grow(r.Sub(image.Pt(dx, dy)), reach(sigma))
	if px > 0 {
		r.Min.X--
	}
	if py > 0 {
		r.Min.Y--
	}
	return r
}

func after(r image.Rectangle, x, y, sigma float64) image.Rectangle {
	if r.Empty() {
		return image.Rectangle{}
	}
	dx, px := offset(x)
	dy, py := offset(y)
	r = grow(r.Add(image.Pt(dx, dy)), reach(sigma))
	if px > 0 {
		r.Max.X++
	}
	if py > 0 {
		r.Max.Y++
	}
	return r
}

// Filter applies the filters to a layer, which it may change. The result is right within
// visible, and where the shadow of that comes from. Layers on the way are never larger than
// what is needed and what blurs carry there.
func (e *Effect) Filter(ctx context.Context, l *Layer, visible image.Rectangle) (*Layer, error) {
	needs := e.needs(visible)
	var colours []pix.Filter
	flush := func() error {
		if len(colours) == 0 || l.Bounds.Empty() {
			return nil
		}
		err := pix.Apply(ctx, l.Surface, colours)
		colours = colours[:0]
		return err
	}
	for i, f := range e.Filters {
		if f.DropShadow == nil && f.Kind != pix.Blur {
			colours = append(colours, f.Filter)
			continue
		}
		err := flush()
		if err == nil && f.DropShadow != nil {
			l, err = dropShadow(ctx, l, *f.DropShadow, needs[i+1])
		} else if err == nil && f.Amount > 0 {
			l, err = blur(ctx, l, f.Amount, needs[i+1])
		}
		if err != nil {
			return nil, err
		}
	}
	if err := flush(); err != nil {
		return nil, err
	}
	return l, nil
}

// blur is right within need.
func blur(ctx context.Context, l *Layer, sigma float64, need image.Rectangle) (*Layer, error) {
	if p, m := l.coverage(); m != nil {
		m, err := cast(ctx, m, 0, 0, sigma, need)
		if err != nil {
			return nil, err
		}
		out := NewLayer(m.Bounds)
		q := out.Painter(m.Bounds.Min.Y, m.Bounds.Max.Y)
		q.Begin(Op{Alpha: 1, Source: solid(p)})
		q.Draw(m)
		q.End()
		return out, nil
	}
	all := l.Bounds.Union(grow(l.Bounds, reach(sigma)).Intersect(need))
	if err := CheckLayer(all); err != nil || all.Empty() {
		return l, err
	}
	out := NewLayer(all)
	for y := l.Bounds.Min.Y; y < l.Bounds.Max.Y; y++ {
		copy(out.Surface.Row(y - all.Min.Y)[4*(l.Bounds.Min.X-all.Min.X):], l.Surface.Row(y-l.Bounds.Min.Y))
	}
	sigma = min(sigma, MaxSigma)
	return out, pix.GaussianBlur(ctx, out.Surface, sigma, sigma)
}

// coverage takes a layer of one colour, which most are, apart into that and what it covers:
// blurring only that takes a fifth of the time. The mask is nil if there are several colours.
func (l *Layer) coverage() (p uint32, m *Mask) {
	if l.Bounds.Empty() {
		return 0, nil
	}
	pixels := l.Surface.Pix
	for i := 0; i < len(pixels) && p < 0xFF000000; i += 4 {
		if v := binary.LittleEndian.Uint32(pixels[i:]); v>>24 > p>>24 {
			p = v
		}
	}
	if p == 0 {
		return 0, nil
	}
	// What each alpha should be.
	var cover [256]uint8
	var want [256]uint32
	for a := range p>>24 + 1 {
		cover[a] = uint8((a*255 + p>>25) / (p >> 24))
		for c := 0; c < 32; c += 8 {
			want[a] |= ((p>>c&255)*a + p>>25) / (p >> 24) << c
		}
	}
	m = NewMask(l.Bounds)
	for i := range m.Pix {
		v := binary.LittleEndian.Uint32(pixels[4*i:])
		if w := want[v>>24]; v != w {
			for c := 0; c < 24; c += 8 {
				if d := int(v>>c&255) - int(w>>c&255); d < -1 || d > 1 { // more than rounding
					return 0, nil
				}
			}
		}
		m.Pix[i] = cover[v>>24]
	}
	return p, m
}

// dropShadow is right within need.
func dropShadow(ctx context.Context, l *Layer, d DropShadow, need image.Rectangle) (*Layer, error) {
	m, err := cast(ctx, l.Mask(), d.X, d.Y, d.Sigma, need)
	if err != nil {
		return nil, err
	}
	all := l.Bounds.Union(m.Bounds)
	if err := CheckLayer(all); err != nil {
		return nil, err
	}
	out := NewLayer(all)
	p := out.Painter(all.Min.Y, all.Max.Y)
	p.Begin(Op{Alpha: 1, Source: NewColour(d.Colour)})
	p.Draw(m)
	p.End()
	p.Begin(Op{Alpha: 1, Source: l.Source()})
	p.Rect(l.Bounds, 255)
	p.End()
	return out, nil
}

// Cast makes the shadow of a shape, filters already applied: what the colour of the shadow is
// to be painted through. It is right within visible, and may be the mask of the shape itself,
// moved.
func (e *Effect) Cast(ctx context.Context, shape *Mask, visible image.Rectangle) (*Mask, error) {
	return cast(ctx, shape, e.Shadow.X, e.Shadow.Y, e.Shadow.sigma(), visible)
}

func cast(ctx context.Context, shape *Mask, x, y, sigma float64, need image.Rectangle) (_ *Mask, err error) {
	// Before it is moved.
	from := shape.Bounds.Intersect(before(need, x, y, sigma))
	if from.Empty() {
		return &Mask{}, nil
	}
	out := after(from, x, y, sigma).Intersect(need)
	if out.Empty() {
		return &Mask{}, nil
	}
	m := shape.part(from)
	dx, px := offset(x)
	dy, py := offset(y)
	if sigma > 0 {
		all := grow(from, reach(sigma)).Intersect(before(need, x, y, 0)).Union(from)
		if err := CheckLayer(all); err != nil {
			return nil, err
		}
		if columns, rows, ok := m.product(); ok {
			m = NewMask(out.Sub(image.Pt(dx, dy)))
			m.blurredProduct(columns, rows, sigma, px, py)
			return &Mask{out, m.Stride, m.Pix}, ctx.Err()
		}
		if m, err = blurred(ctx, m, all, sigma); err != nil {
			return nil, err
		}
	}
	m = &Mask{m.Bounds.Add(image.Pt(dx, dy)), m.Stride, m.Pix}
	if px|py != 0 {
		m = m.shifted(px, py)
	}
	if out = out.Intersect(m.Bounds); out.Empty() {
		return &Mask{}, ctx.Err()
	}
	return m.part(out), ctx.Err()
}

// blurred is m blurred, within all, which holds its bounds.
func blurred(ctx context.Context, m *Mask, all image.Rectangle, sigma float64) (*Mask, error) {
	big := NewMask(all)
	for y := m.Bounds.Min.Y; y < m.Bounds.Max.Y; y++ {
		copy(big.Row(y)[m.Bounds.Min.X-all.Min.X:], m.Row(y))
	}
	p, err := pix.GaussianBlurPlane(ctx, pix.Plane{Pix: big.Pix, Stride: big.Stride, Width: all.Dx(), Height: all.Dy()}, sigma, sigma)
	return &Mask{all, p.Stride, p.Pix}, err
}

// A line is the coverage of a row or column of pixels, as it changes.
type line struct {
	first   int // position of the first pixel
	changes []change
}

type change struct{ at, by int } // position, and the new coverage less the old one

// mostChanges is how many changes a line has at most, of 4 that a rectangle has.
const mostChanges = 16

func newLine(first int, cover []uint8) (l line, ok bool) {
	l.first = first
	last := 0
	for i, v := range cover {
		if int(v) != last {
			if len(l.changes) == mostChanges {
				return l, false
			}
			l.changes = append(l.changes, change{first + i, int(v) - last})
			last = int(v)
		}
	}
	l.changes = append(l.changes, change{first + len(cover), -last})
	return l, true
}

// product takes m apart into the coverage of columns and of rows, whose products it is within
// rounding. Rectangles are, and their shadows take a tenth of the time of others.
func (m *Mask) product() (columns, rows line, ok bool) {
	middle := m.Row((m.Bounds.Min.Y + m.Bounds.Max.Y) / 2)
	most, at := uint8(0), 0
	for x, v := range middle {
		if v > most {
			most, at = v, x
		}
	}
	if columns, ok = newLine(m.Bounds.Min.X, middle); !ok || most != 255 {
		return columns, rows, false
	}
	cover := make([]uint8, m.Bounds.Dy())
	for y := range cover {
		row := m.Row(m.Bounds.Min.Y + y)
		cover[y] = row[at]
		if cover[y] == 255 {
			if !bytes.Equal(row, middle) {
				return columns, rows, false
			}
			continue
		}
		for x, v := range row {
			if d := int(v) - int(mul255(middle[x], cover[y])); d < -1 || d > 1 {
				return columns, rows, false
			}
		}
	}
	rows, ok = newLine(m.Bounds.Min.Y, cover)
	return columns, rows, ok
}

// blurredProduct makes m the blurred mask of products, moved by 256ths of a pixel.
func (m *Mask) blurredProduct(columns, rows line, sigma float64, px, py uint8) {
	xs := columns.blurred(m.Bounds.Min.X, m.Bounds.Max.X, gaussianSteps(sigma, px))
	ys := rows.blurred(m.Bounds.Min.Y, m.Bounds.Max.Y, gaussianSteps(sigma, py))
	for i, v := range ys {
		dst := m.Pix[i*m.Stride:][:len(xs)]
		v = (v + 127) / 255
		for j, u := range xs {
			dst[j] = uint8((v*u + 1<<(2*stepBits-1)) >> (2 * stepBits))
		}
	}
}

// stepBits is the precision of gaussianSteps.
const stepBits = 20

// gaussianSteps are what a Gaussian, moved by 256ths of a pixel, leaves of a step from 0 to 1
// in the pixels around it; the first one right of the step is in the middle.
func gaussianSteps(sigma float64, part uint8) []int64 {
	n := reach(sigma)
	steps := make([]int64, 2*n+1)
	for i := range steps {
		x := float64(i-n) + 0.5 - float64(part)/256
		steps[i] = int64(math.Erfc(-x/(sigma*math.Sqrt2))*(1<<(stepBits-1)) + 0.5)
	}
	return steps
}

// blurred is the line from from to before to, blurred, in 255<<stepBits.
func (l *line) blurred(from, to int, steps []int64) []int64 {
	out := make([]int64, to-from)
	n := len(steps) / 2
	for _, c := range l.changes {
		by := int64(c.by)
		// A change counts in full from n pixels to its right on.
		for x := max(from, c.at-n); x < to; x++ {
			i := x - c.at + n
			if i >= len(steps) {
				full := by << stepBits
				for ; x < to; x++ {
					out[x-from] += full
				}
				break
			}
			out[x-from] += by * steps[i]
		}
	}
	return out
}

// shifted is m moved by 256ths of a pixel to the right and downwards.
func (m *Mask) shifted(px, py uint8) *Mask {
	out := NewMask(image.Rect(m.Bounds.Min.X, m.Bounds.Min.Y, m.Bounds.Max.X+1, m.Bounds.Max.Y+1))
	x, y := uint32(px), uint32(py)
	blank := make([]uint8, m.Bounds.Dx())
	above := blank
	for r := out.Bounds.Min.Y; r < out.Bounds.Max.Y; r++ {
		row := blank
		if r < m.Bounds.Max.Y {
			row = m.Row(r)
		}
		dst := out.Row(r)
		left := uint32(0)
		for i := range dst {
			v := uint32(0)
			if i < len(row) {
				v = uint32(row[i])*(256-y) + uint32(above[i])*y
			}
			dst[i] = uint8((v*(256-x) + left*x + 1<<15) >> 16)
			left = v
		}
		above = row
	}
	return out
}
