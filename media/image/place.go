package image

import (
	"fmt"
	"math"
)

// A Fit is how a picture is fitted into a box.
type Fit uint8

// Fits. The zero value is Contain.
const (
	Contain Fit = iota // all of the picture, centred in the box
	Cover              // all of the box, cutting off what does not fit
	Stretch            // both, giving up the aspect ratio
)

var fitNames = [...]string{"contain", "cover", "fill"}

// String is the name of the fit in options.
func (f Fit) String() string { return fitNames[f] }

// ParseFit finds a fit by its name.
func ParseFit(name string) (Fit, bool) {
	for f, n := range fitNames {
		if n == name {
			return Fit(f), true
		}
	}
	return 0, false
}

// An Anchor is the place in the box where a contained picture lies, and the place in the
// picture that a cover keeps.
type Anchor uint8

// Anchors. The zero value is Center.
const (
	Center Anchor = iota
	Top
	TopRight
	Right
	BottomRight
	Bottom
	BottomLeft
	Left
	TopLeft
)

// anchors are the names and the shares of the free space that lie left of and above it.
var anchors = [...]struct {
	name string
	x, y float64
}{
	Center: {"center", 0.5, 0.5}, Top: {"top", 0.5, 0}, TopRight: {"top-right", 1, 0}, Right: {"right", 1, 0.5},
	BottomRight: {"bottom-right", 1, 1}, Bottom: {"bottom", 0.5, 1}, BottomLeft: {"bottom-left", 0, 1}, Left: {"left", 0, 0.5},
	TopLeft: {"top-left", 0, 0},
}

// String is the name of the anchor in options.
func (a Anchor) String() string { return anchors[a].name }

// ParseAnchor finds an anchor by its name.
func ParseAnchor(name string) (Anchor, bool) {
	for a := range anchors {
		if anchors[a].name == name {
			return Anchor(a), true
		}
	}
	return 0, false
}

// FitOptions say what Place is to do.
type FitOptions struct {
	// Width and Height are the wanted size; one of them may be 0, which keeps the aspect
	// ratio, and Fit and Anchor then do not matter.
	Width, Height int
	Fit           Fit
	Anchor        Anchor
	// WithoutEnlargement makes nothing larger than it is: a contained picture keeps its size
	// within the box, and any other result is at most as wide and as high as the picture.
	WithoutEnlargement bool
}

// A Placement is what Place found out.
type Placement struct {
	// Width and Height are the size of the result.
	Width, Height int
	// Part is what is used of the source.
	Part Rect
	// X, Y, PartWidth and PartHeight are where Part comes to lie in the result.
	X, Y, PartWidth, PartHeight int
}

// Whole reports whether the part fills the result.
func (p Placement) Whole() bool {
	return p.X == 0 && p.Y == 0 && p.PartWidth == p.Width && p.PartHeight == p.Height
}

// round is Math.round: halves go up.
func round(v float64) int { return int(math.Floor(v + 0.5)) }

// Place computes how a picture of width by height pixels is resized. Sizes are rounded,
// halves up, and are at least 1; the size of the result is one that CheckSize allows.
func Place(width, height int, o FitOptions) (Placement, error) {
	if width < 1 || height < 1 || o.Width < 0 || o.Height < 0 || o.Width == 0 && o.Height == 0 {
		return Placement{}, fmt.Errorf("pass width, height, or both, as positive numbers")
	}
	sw, sh := float64(width), float64(height)
	p := Placement{Width: o.Width, Height: o.Height, Part: Rect{0, 0, sw, sh}}
	switch {
	case o.Width == 0 || o.Height == 0:
		scale := max(float64(o.Width)/sw, float64(o.Height)/sh)
		if o.WithoutEnlargement && scale >= 1 {
			p.Width, p.Height = width, height
			break
		}
		if o.Width == 0 {
			p.Width = clampInt(sw * scale)
		} else {
			p.Height = clampInt(sh * scale)
		}
	case o.Fit == Contain:
		scale := min(float64(o.Width)/sw, float64(o.Height)/sh)
		if o.WithoutEnlargement {
			scale = min(scale, 1)
		}
		p.PartWidth, p.PartHeight = min(clampInt(sw*scale), o.Width), min(clampInt(sh*scale), o.Height)
		p.X = round(float64(o.Width-p.PartWidth) * anchors[o.Anchor].x)
		p.Y = round(float64(o.Height-p.PartHeight) * anchors[o.Anchor].y)
		return p, CheckSize(p.Width, p.Height)
	default:
		if o.WithoutEnlargement {
			p.Width, p.Height = min(p.Width, width), min(p.Height, height)
		}
		if o.Fit == Cover {
			scale := max(float64(p.Width)/sw, float64(p.Height)/sh)
			pw, ph := min(float64(p.Width)/scale, sw), min(float64(p.Height)/scale, sh)
			p.Part = Rect{(sw - pw) * anchors[o.Anchor].x, (sh - ph) * anchors[o.Anchor].y, pw, ph}
		}
	}
	p.PartWidth, p.PartHeight = p.Width, p.Height
	return p, CheckSize(p.Width, p.Height)
}

// clampInt rounds v to at least 1, and to no more than what CheckSize refuses in any case.
func clampInt(v float64) int { return max(round(min(v, MaxEdge+1)), 1) }
