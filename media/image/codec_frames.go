package image

import (
	"context"
	"fmt"
	"time"
)

// Limits of an animation. Frames are composed one after the other, so that they bound work,
// not memory.
const (
	MaxFrames      = 4096
	MaxFramePixels = 256 << 20 // the sum of the areas of all frames
)

// A disposal is what happens to a frame's rectangle before the next one is drawn.
type disposal uint8

const (
	disposeNone     disposal = iota // it stays
	disposeClear                    // it becomes transparent
	disposePrevious                 // it becomes what it was before the frame
)

// A framePart is what a file stores of one frame: a rectangle of the canvas, which may reach
// outside of it.
type framePart struct {
	x, y, w, h int
	delay      time.Duration
	disposal   disposal
	over       bool // drawn over the canvas, or else in place of it
}

// An animation is the frames of a GIF, PNG or WebP file.
type animation struct {
	width, height int
	plays         int // how many times it is shown, 0 for ever
	parts         []framePart
	area          int64
}

// add appends a frame within the limits.
func (a *animation) add(p framePart) error {
	if len(a.parts) >= MaxFrames {
		return fmt.Errorf("animation: more than %d frames", MaxFrames)
	}
	if err := CheckSize(p.w, p.h); err != nil {
		return fmt.Errorf("animation: frame %d: %w", len(a.parts), err)
	}
	if a.area += int64(p.w) * int64(p.h); a.area > MaxFramePixels {
		return fmt.Errorf("animation: its frames have more than %d pixels", MaxFramePixels)
	}
	a.parts = append(a.parts, p)
	return nil
}

// describe adds what is known of the frames to info.
func (a *animation) describe(info *Info) {
	info.Frames, info.Plays = max(len(a.parts), 1), a.plays
	for _, p := range a.parts {
		info.Duration += p.delay
	}
}

// scratch is what compose takes besides one surface and what part takes itself: the part,
// and the canvas before it where a frame asks for it.
func (a *animation) scratch() int64 {
	var part, before int64
	for _, p := range a.parts {
		part = max(part, 4*int64(p.w)*int64(p.h))
		if p.disposal == disposePrevious {
			before = 4 * int64(a.width) * int64(a.height)
		}
	}
	return part + before
}

// compose draws frames 0 to last and gives each to yield, which must not keep the canvas.
// part decodes the rectangle of one frame.
func (a *animation) compose(ctx context.Context, last int, part func(n int) (*Surface, error), yield func(n int, canvas *Surface) error) error {
	canvas := New(a.width, a.height)
	var before *Surface
	for n, p := range a.parts[:last+1] {
		if err := ctx.Err(); err != nil {
			return err
		}
		s, err := part(n)
		if err != nil {
			return err
		}
		if p.disposal == disposePrevious {
			if before == nil {
				before = New(a.width, a.height)
			}
			copy(before.Pix, canvas.Pix)
		}
		a.draw(canvas, s, p)
		if err := yield(n, canvas); err != nil {
			return err
		}
		if n == last {
			break
		}
		switch p.disposal {
		case disposeClear:
			a.rows(p, func(y, from, to int) { clear(canvas.Row(y)[4*from : 4*to]) })
		case disposePrevious:
			canvas, before = before, canvas
		}
	}
	return nil
}

// frame is the canvas at frame n.
func (a *animation) frame(ctx context.Context, n int, part func(n int) (*Surface, error)) (*Surface, error) {
	var out *Surface
	err := a.compose(ctx, n, part, func(k int, canvas *Surface) error {
		if k == n {
			out = canvas
		}
		return nil
	})
	return out, err
}

// rows calls f with what p covers of the canvas.
func (a *animation) rows(p framePart, f func(y, from, to int)) {
	from, to := max(p.x, 0), min(p.x+p.w, a.width)
	if from >= to {
		return
	}
	for y := max(p.y, 0); y < min(p.y+p.h, a.height); y++ {
		f(y, from, to)
	}
}

func (a *animation) draw(canvas, s *Surface, p framePart) {
	a.rows(p, func(y, from, to int) {
		dst, src := canvas.Row(y)[4*from:4*to], s.Row(y - p.y)[4*(from-p.x):4*(to-p.x)]
		if !p.over {
			copy(dst, src)
			return
		}
		for i := 0; i < len(dst); i += 4 {
			d, s := dst[i:i+4:i+4], src[i:i+4:i+4]
			switch s[3] {
			case 0:
			case 255:
				copy(d, s)
			default:
				k := uint32(255 - s[3])
				for c := range 4 {
					d[c] = s[c] + byte(muldiv255(uint32(d[c]), k))
				}
			}
		}
	})
}

// animated makes the functions of a decoder of what opens a file and decodes the parts of
// its frames.
func animated(open func(ctx context.Context, data []byte) (*animation, func(n int) (*Surface, error), error)) (decode func(ctx context.Context, data []byte, frame int) (*Surface, error), frames func(ctx context.Context, data []byte, yield func(n int, s *Surface, delay time.Duration) error) error) {
	decode = func(ctx context.Context, data []byte, frame int) (*Surface, error) {
		a, part, err := open(ctx, data)
		if err != nil {
			return nil, err
		}
		if frame >= len(a.parts) {
			return nil, fmt.Errorf("animation: frame %d of %d does not exist", frame, len(a.parts))
		}
		return a.frame(ctx, frame, part)
	}
	frames = func(ctx context.Context, data []byte, yield func(n int, s *Surface, delay time.Duration) error) error {
		a, part, err := open(ctx, data)
		if err != nil {
			return err
		}
		return a.compose(ctx, len(a.parts)-1, part, func(n int, canvas *Surface) error {
			return yield(n, canvas, a.parts[n].delay)
		})
	}
	return decode, frames
}
