package image

import (
	"context"
	"fmt"
)

// planar is a picture as luma and chroma: a part of planes, shown with an EXIF orientation.
// Cutting and turning change only what is said here, so that pixels are the same as if they
// had been cut and turned after the conversion, and JPEG files keep their very samples.
type planar struct {
	y *YCC // never changed
	// x, top, width and height are the part, in pixels of y.
	x, top, width, height int
	orientation           int
}

func wholePlanes(y *YCC, orientation int) *planar {
	if orientation < 1 || orientation > 8 {
		orientation = 1
	}
	return &planar{y, 0, 0, y.Width, y.Height, orientation}
}

func fromPlanar(p *planar, c *Conversion) *Picture {
	w, h := p.size()
	return &Picture{Info: Info{Format: Unknown, Width: w, Height: h, Frames: 1, Depth: 8}, planes: p, conversion: c}
}

// size is the size as shown.
func (p *planar) size() (width, height int) {
	if p.orientation >= 5 {
		return p.height, p.width
	}
	return p.width, p.height
}

// surface converts p to pixels.
func (p *planar) surface() *Surface {
	s := p.y.Surface()
	if p.width != s.Width || p.height != s.Height {
		cut, err := Crop(s, p.x, p.top, p.width, p.height)
		if err != nil {
			panic("image: " + err.Error()) // the part lies within the planes
		}
		s = cut
	}
	return Orient(s, p.orientation)
}

// upright is the part of the planes without the orientation. It is nil where it does not
// begin with a sample of chroma.
func (p *planar) upright() *YCC {
	if p.width == p.y.Width && p.height == p.y.Height {
		return p.y
	}
	return p.y.cut(p.x, p.top, p.width, p.height)
}

// flat is the part of the planes as shown, or nil where samples of chroma would have to be
// made anew, or p is nil.
func (p *planar) flat() *YCC {
	if p == nil {
		return nil
	}
	if y := p.upright(); y != nil {
		return y.orient(p.orientation)
	}
	return nil
}

// crop is a part of p, in pixels as shown. Its planes are a copy, so that those of p can be
// given back.
func (p *planar) crop(x, y, width, height int) *planar {
	w, h := p.size()
	r := unorient(Rect{float64(x), float64(y), float64(width), float64(height)}, float64(w), float64(h), p.orientation)
	out := &planar{orientation: p.orientation, x: p.x + int(r.X), top: p.top + int(r.Y), width: int(r.Width), height: int(r.Height)}
	// A margin of chroma, which is interpolated, goes along.
	fx, fy := p.y.factors()
	x0, y0 := max(out.x/fx-2, 0)*fx, max(out.top/fy-2, 0)*fy
	x1, y1 := min((out.x+out.width)/fx*fx+3*fx, p.y.Width), min((out.top+out.height)/fy*fy+3*fy, p.y.Height)
	out.y = p.y.cut(x0, y0, x1-x0, y1-y0)
	out.x, out.top = out.x-x0, out.top-y0
	return out
}

// turned is p with another orientation applied after its own.
func (p *planar) turned(orientation int) *planar {
	out := *p
	out.orientation = compose(p.orientation, orientation)
	return &out
}

// resize resamples part, in pixels of the shown picture whose size is full; y is p upright,
// at 1/scale of that.
func (p *planar) resize(ctx context.Context, y *YCC, full [2]int, scale float64, part Rect, width, height int, k Kernel) (*planar, error) {
	r := unorient(part, float64(full[0]), float64(full[1]), p.orientation)
	r = Rect{r.X / scale, r.Y / scale, r.Width / scale, r.Height / scale}
	r.Width, r.Height = min(r.Width, float64(y.Width)-r.X), min(r.Height, float64(y.Height)-r.Y)
	if p.orientation >= 5 {
		width, height = height, width
	}
	out, err := y.Resize(ctx, r, width, height, k)
	if err != nil {
		return nil, err
	}
	return wholePlanes(out, p.orientation), nil
}

// turns are the orientations as what they do to a vector from the centre: x' = a·x + b·y,
// y' = c·x + d·y.
var turns = [9][4]int{
	1: {1, 0, 0, 1}, 2: {-1, 0, 0, 1}, 3: {-1, 0, 0, -1}, 4: {1, 0, 0, -1},
	5: {0, 1, 1, 0}, 6: {0, -1, 1, 0}, 7: {0, -1, -1, 0}, 8: {0, 1, -1, 0},
}

// compose is the orientation that applies first and then second.
func compose(first, second int) int {
	f, s := turns[first], turns[second]
	m := [4]int{s[0]*f[0] + s[1]*f[2], s[0]*f[1] + s[1]*f[3], s[2]*f[0] + s[3]*f[2], s[2]*f[1] + s[3]*f[3]}
	for o := 1; o <= 8; o++ {
		if turns[o] == m {
			return o
		}
	}
	panic("image: an orientation that is none")
}

// unorient is where a part of a picture shown with width and height lies as stored.
func unorient(r Rect, width, height float64, orientation int) Rect {
	t := turns[orientation]
	// The inverse of a turn or reflection is its transpose; centres lie on each other.
	storedWidth, storedHeight := width, height
	if orientation >= 5 {
		storedWidth, storedHeight = height, width
	}
	cx, cy := r.X+r.Width/2-width/2, r.Y+r.Height/2-height/2
	x, y := float64(t[0])*cx+float64(t[2])*cy, float64(t[1])*cx+float64(t[3])*cy
	if orientation >= 5 {
		r.Width, r.Height = r.Height, r.Width
	}
	return Rect{x + storedWidth/2 - r.Width/2, y + storedHeight/2 - r.Height/2, r.Width, r.Height}
}

// asPlanar is p as luma and chroma, or nil. A file is decoded to them once: whoever wants
// more parts of it is better served with pixels, which are kept.
func (p *Picture) asPlanar(ctx context.Context) (*planar, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.planes != nil {
		return p.planes, nil
	}
	if p.parted || !p.canSplit() {
		return nil, nil
	}
	p.parted = true
	return p.decodePlanes(ctx, 1)
}

// Crop is the part of p that begins at x, y. It must lie within p. What comes of a JPEG file
// stays luma and chroma.
func (p *Picture) Crop(ctx context.Context, x, y, width, height int) (*Picture, error) {
	if width < 1 || height < 1 || x < 0 || y < 0 || x > p.Info.Width-width || y > p.Info.Height-height {
		return nil, fmt.Errorf("%d×%d at %d,%d falls outside the %dx%d image", width, height, x, y, p.Info.Width, p.Info.Height)
	}
	planes, err := p.asPlanar(ctx)
	if err != nil {
		return nil, err
	}
	if planes != nil {
		return fromPlanar(planes.crop(x, y, width, height), p.conversion), nil
	}
	s, err := p.Surface(ctx)
	if err != nil {
		return nil, err
	}
	s, err = Crop(s, x, y, width, height)
	if err != nil {
		return nil, err
	}
	return FromSurface(s), nil
}

// Flip mirrors p: left and right, top and bottom, or both. What comes of a JPEG file stays
// luma and chroma, and keeps its samples where the edge which becomes the first one does not
// cut through a sample of chroma.
func (p *Picture) Flip(ctx context.Context, horizontal, vertical bool) (*Picture, error) {
	orientation := 1
	if horizontal {
		orientation = 2
	}
	if vertical {
		orientation = compose(orientation, 4)
	}
	return p.oriented(ctx, orientation)
}

// Turn rotates p by quarter turns clockwise, like Flip.
func (p *Picture) Turn(ctx context.Context, quarters int) (*Picture, error) {
	return p.oriented(ctx, [4]int{1, 6, 3, 8}[(quarters%4+4)%4])
}

func (p *Picture) oriented(ctx context.Context, orientation int) (*Picture, error) {
	planes, err := p.asPlanar(ctx)
	if err != nil {
		return nil, err
	}
	if planes != nil {
		return fromPlanar(planes.turned(orientation), p.conversion), nil
	}
	s, err := p.Surface(ctx)
	if err != nil {
		return nil, err
	}
	return FromSurface(Orient(s, orientation)), nil
}
