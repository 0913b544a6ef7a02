package paint

import (
	"encoding/binary"
	"math"

	"quicksand/canvas/geometry"
)

// A GradientKind is the form of a gradient.
type GradientKind uint8

// Kinds, in the order of canvas.GradientTypes.
const (
	Linear GradientKind = iota // coordinates x0 y0 x1 y1
	Radial                     // x0 y0 r0 x1 y1 r1, the radii not negative
	Conic                      // start angle in radians, x y; clockwise
)

// NewGradient is NewRamp(stops).Place(kind, coords, m). Where the same gradient paints
// more than once, keeping the ramp saves computing its table.
func NewGradient(kind GradientKind, coords [6]float64, stops []Stop, m geometry.Matrix) Source {
	return NewRamp(stops).Place(kind, coords, m)
}

// Place is the gradient with these coordinates in user space, which m maps to the device
// (HTML, "Fill and stroke styles"). It paints nothing if there are no stops, if a linear one
// has its two points or a radial one its two circles the same, and if m has no inverse.
func (r *Ramp) Place(kind GradientKind, coords [6]float64, m geometry.Matrix) Source {
	inv, ok := m.Inverse()
	for _, v := range [...]float64{inv.A, inv.B, inv.C, inv.D, inv.E, inv.F, coords[0], coords[1], coords[2], coords[3], coords[4], coords[5]} {
		ok = ok && !math.IsNaN(v) && !math.IsInf(v, 0)
	}
	if !ok || r.empty() {
		return Nothing
	}
	switch kind {
	case Linear:
		return newLinear(r, coords, inv)
	case Radial:
		return newRadial(r, coords, inv)
	}
	r.build()
	g := &conic{gradient: gradient{r, inv}, x: coords[1], y: coords[2]}
	start := math.Mod(coords[0]/(2*math.Pi), 1)
	if start < 0 {
		start++
	}
	g.start = start
	return g
}

// gradient is what the kinds have in common.
type gradient struct {
	ramp *Ramp
	inv  geometry.Matrix // device to user space
}

func (g *gradient) Solid() ([4]uint8, bool) { return [4]uint8{}, false }

// user is the middle of a pixel of the device in user space, and the way to the next pixel.
func (g *gradient) user(x, y int) (ux, uy, dx, dy float64) {
	px, py := float64(x)+0.5, float64(y)+0.5
	m := &g.inv
	return float64(m.A*px) + float64(m.C*py) + m.E, float64(m.B*px) + float64(m.D*py) + m.F, m.A, m.B
}

// linear has a position along its line that is linear in device coordinates.
type linear struct {
	ramp    *Ramp
	x, y, c float64 // position = x·px + y·py + c
}

func newLinear(r *Ramp, p [6]float64, inv geometry.Matrix) Source {
	dx, dy := p[2]-p[0], p[3]-p[1]
	most := max(math.Abs(dx), math.Abs(dy))
	if most == 0 || math.IsInf(most, 0) {
		return Nothing
	}
	// In parts of the longer side, so that squares neither vanish nor overflow.
	dx, dy = dx/most, dy/most
	l := (float64(dx*dx) + float64(dy*dy)) * most
	dx, dy = dx/l, dy/l
	g := &linear{ramp: r}
	g.x = float64(inv.A*dx) + float64(inv.B*dy)
	g.y = float64(inv.C*dx) + float64(inv.D*dy)
	g.c = float64((inv.E-p[0])*dx) + float64((inv.F-p[1])*dy)
	r.build()
	return g
}

func (g *linear) opaque() bool { return g.ramp.opaque() }

func (g *linear) Solid() ([4]uint8, bool) { return [4]uint8{}, false }

func (g *linear) Row(dst []byte, x, y int) {
	t0 := float64(g.x*(float64(x)+0.5)) + float64(g.y*(float64(y)+0.5)) + g.c
	colours := g.ramp.colours
	if g.x == 0 {
		fillRow(dst, colours[g.ramp.index(t0)])
		return
	}
	n := len(dst) / 4
	if len(g.ramp.edges) > 0 {
		for i := range n {
			binary.LittleEndian.PutUint32(dst[4*i:], colours[g.ramp.index(t0+float64(float64(i)*g.x))])
		}
		return
	}
	const most = 1 << 19 // of positions that fit into integers
	if t1 := t0 + float64(float64(n)*g.x); !(t0 > -most && t0 < most && t1 > -most && t1 < most) {
		for i := range n {
			binary.LittleEndian.PutUint32(dst[4*i:], colours[g.ramp.index(t0+float64(float64(i)*g.x))])
		}
		return
	}
	at, by := int64(math.Floor(t0*(rampSize<<fraction))), int64(math.Floor(g.x*(rampSize<<fraction)))
	// Pixels from up to until lie on the steps, the others before or after them.
	before, after := colours[0], colours[rampSize+1]
	const end = rampSize << fraction
	from, until := 0, n
	switch {
	case by > 0:
		from, until = stepsTo(-at, by, n), stepsTo(end-at, by, n)
	case by < 0:
		before, after = after, before
		from, until = stepsTo(at-end+1, -by, n), stepsTo(at+1, -by, n)
	case at < 0:
		until = 0
		after = before
	case at >= end:
		until = 0
	}
	fillRow(dst[:4*from], before)
	fillRow(dst[4*until:], after)
	at += int64(from) * by
	steps := (*[rampSize]uint32)(colours[1:])
	for dst = dst[4*from : 4*until]; len(dst) >= 16; dst = dst[16:] {
		d := dst[:16:16]
		b := at + by
		v := uint64(steps[uint64(at)>>fraction%rampSize]) | uint64(steps[uint64(b)>>fraction%rampSize])<<32
		at = b + by
		b = at + by
		w := uint64(steps[uint64(at)>>fraction%rampSize]) | uint64(steps[uint64(b)>>fraction%rampSize])<<32
		at = b + by
		binary.LittleEndian.PutUint64(d, v)
		binary.LittleEndian.PutUint64(d[8:], w)
	}
	for ; len(dst) >= 4; dst = dst[4:] {
		binary.LittleEndian.PutUint32(dst, steps[uint64(at)>>fraction%rampSize])
		at += by
	}
}

// stepsTo is how many steps of by, which is above 0, reach way, from 0 to most.
func stepsTo(way, by int64, most int) int {
	if way <= 0 {
		return 0
	}
	return int(min((way+by-1)/by, int64(most)))
}

// fillRow fills dst with one pixel.
func fillRow(dst []byte, c uint32) {
	w := uint64(c) | uint64(c)<<32
	n := 0
	for ; n+8 <= min(len(dst), 64); n += 8 {
		binary.LittleEndian.PutUint64(dst[n:], w)
	}
	if n+4 == len(dst) {
		binary.LittleEndian.PutUint32(dst[n:], c)
		return
	}
	// Copies are faster than stores.
	for n < len(dst) {
		n += copy(dst[n:], dst[:n])
	}
}

// radial is circles from (x, y) with radius r, at 0, to those dx, dy and dr away, at 1, and
// beyond. A pixel has the colour of the greatest position whose circle passes through it,
// which solves a·t² − 2·b·t + c = 0 with a = dx² + dy² − dr², b = px·dx + py·dy + r·dr,
// c = px² + py² − r², px and py being the distance from (x, y).
type radial struct {
	gradient
	x, y, r, dx, dy, dr float64
	a                   float64 // 0 also if it is but for rounding
}

func newRadial(r *Ramp, p [6]float64, inv geometry.Matrix) Source {
	g := &radial{gradient: gradient{r, inv}, x: p[0], y: p[1], r: p[2], dx: p[3] - p[0], dy: p[4] - p[1], dr: p[5] - p[2]}
	if g.dx == 0 && g.dy == 0 && g.dr == 0 {
		return Nothing
	}
	d2, r2 := float64(g.dx*g.dx)+float64(g.dy*g.dy), float64(g.dr*g.dr)
	if g.a = d2 - r2; math.Abs(g.a) <= 1e-10*(d2+r2) {
		g.a = 0
	}
	r.build()
	return g
}

// opaque is not true of cones, which leave out what is beside them.
func (g *radial) opaque() bool { return g.a < 0 && g.ramp.opaque() }

func (g *radial) Row(dst []byte, x, y int) {
	ux, uy, sx, sy := g.user(x, y)
	ux, uy = ux-g.x, uy-g.y
	colours := g.ramp.colours
	concentric := g.dx == 0 && g.dy == 0
	perRadius := 1 / g.dr
	for i := 0; len(dst) >= 4; i++ {
		px, py := ux+float64(float64(i)*sx), uy+float64(float64(i)*sy)
		d2 := float64(px*px) + float64(py*py)
		var c uint32
		if concentric {
			c = colours[g.ramp.index(float64((math.Sqrt(d2)-g.r)*perRadius))]
		} else if t, ok := g.position(px, py, d2); ok {
			c = colours[g.ramp.index(t)]
		}
		binary.LittleEndian.PutUint32(dst, c)
		dst = dst[4:]
	}
}

// position is the greatest position whose circle, of a radius that is not negative, passes
// through a point.
func (g *radial) position(px, py, d2 float64) (t float64, ok bool) {
	b := float64(px*g.dx) + float64(py*g.dy) + float64(g.r*g.dr)
	c := d2 - float64(g.r*g.r)
	if g.a == 0 {
		t = c / (2 * b)
		return t, b != 0 && g.r+float64(t*g.dr) >= 0
	}
	under := float64(b*b) - float64(g.a*c)
	if !(under >= 0) {
		return 0, false
	}
	// Of the roots q/a and c/q, which do not subtract equal numbers, the greater one first.
	root := math.Sqrt(under)
	q := b + math.Copysign(root, b)
	greater := (b >= 0) == (g.a > 0)
	if greater || q == 0 {
		t = q / g.a
	} else {
		t = c / q
	}
	if g.r+float64(t*g.dr) >= 0 {
		return t, true
	}
	if greater && q != 0 {
		t = c / q
	} else {
		t = q / g.a
	}
	return t, g.r+float64(t*g.dr) >= 0
}

// conic turns around a point.
type conic struct {
	gradient
	x, y  float64
	start float64 // in turns, 0 to 1
}

func (g *conic) opaque() bool { return g.ramp.opaque() }

func (g *conic) Row(dst []byte, x, y int) {
	ux, uy, sx, sy := g.user(x, y)
	ux, uy = ux-g.x, uy-g.y
	colours := g.ramp.colours
	for i := 0; len(dst) >= 4; i++ {
		t := turns(ux+float64(float64(i)*sx), uy+float64(float64(i)*sy)) - g.start
		if t < 0 {
			t++
		}
		binary.LittleEndian.PutUint32(dst, colours[g.ramp.index(t)])
		dst = dst[4:]
	}
}

// arcTurns are the arc tangents of 0 to 1 in turns. Interpolated they are within 2e-8 turns.
var arcTurns = func() (t [1026]float64) {
	for i := range t {
		t[i] = math.Atan(float64(i)/1024) / (2 * math.Pi)
	}
	return t
}()

// turns is the direction of a point, 0 to 1, from +x to +y. math.Atan2 would take four times
// as long.
func turns(x, y float64) float64 {
	ax, ay := math.Abs(x), math.Abs(y)
	lo, hi := min(ax, ay), max(ax, ay)
	if !(hi > 0) || math.IsInf(hi, 0) {
		return 0
	}
	f := lo / hi * 1024
	i := int(f)
	t := arcTurns[i] + float64((arcTurns[i+1]-arcTurns[i])*(f-float64(i)))
	if ay > ax {
		t = 0.25 - t
	}
	if x < 0 {
		t = 0.5 - t
	}
	if y < 0 {
		t = 1 - t
	}
	return t
}
