package paint

import (
	"image"
	"sync"

	pix "quicksand/media/image"
)

// A Texture is a picture that images and patterns are made of. Its surface is not changed
// any more. It may be used by several goroutines; what shrinking by SmoothMedium and SmoothHigh
// needs is computed when it is first asked for and kept. That takes no more than another 5/3 of
// the memory of the surface.
type Texture struct {
	surface *pix.Surface

	mu     sync.Mutex
	halves []*pix.Surface // of the surface before, the first of surface
	parts  map[image.Rectangle]*Texture
	held   int // pixels of parts

	opaqueOnce sync.Once
	isOpaque   bool
}

// NewTexture makes a texture of s, which it keeps.
func NewTexture(s *pix.Surface) *Texture { return &Texture{surface: s} }

// Size is that of the surface.
func (t *Texture) Size() (width, height int) { return t.surface.Width, t.surface.Height }

// opaque reports whether no pixel is transparent.
func (t *Texture) opaque() bool {
	t.opaqueOnce.Do(func() { t.isOpaque = t.surface.Opaque() })
	return t.isOpaque
}

// level is the surface halved n times, or as often as it can be.
func (t *Texture) level(n int) *pix.Surface {
	t.mu.Lock()
	defer t.mu.Unlock()
	last := t.surface
	if len(t.halves) > 0 {
		last = t.halves[len(t.halves)-1]
	}
	for len(t.halves) < n && (last.Width > 1 || last.Height > 1) {
		last = halve(last)
		t.halves = append(t.halves, last)
	}
	switch n = min(n, len(t.halves)); n {
	case 0:
		return t.surface
	default:
		return t.halves[n-1]
	}
}

// part is a texture of nothing but r, which lies within the surface: halved, its edges are
// not mixed with what is outside.
func (t *Texture) part(r image.Rectangle) *Texture {
	if r == image.Rect(0, 0, t.surface.Width, t.surface.Height) {
		return t
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if p := t.parts[r]; p != nil {
		return p
	}
	s := &pix.Surface{Width: r.Dx(), Height: r.Dy(), Pix: make([]byte, 4*r.Dx()*r.Dy())}
	for y := range s.Height {
		copy(s.Row(y), t.surface.Row(r.Min.Y + y)[4*r.Min.X:])
	}
	// Parts are kept as long as they are not more than the whole.
	if t.held += r.Dx() * r.Dy(); t.parts == nil || t.held > t.surface.Width*t.surface.Height {
		t.parts, t.held = map[image.Rectangle]*Texture{}, r.Dx()*r.Dy()
	}
	t.parts[r] = NewTexture(s)
	return t.parts[r]
}
