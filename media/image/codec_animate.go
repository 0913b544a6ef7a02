package image

import (
	"context"
	"fmt"
	"time"
)

// A Frame is one picture of an animation and how long it is shown. Files hold delays in
// hundredths (GIF) or thousandths of a second (PNG and WebP), up to 655 and 65 seconds; they
// are rounded.
type Frame struct {
	Surface *Surface
	Delay   time.Duration
}

// AnimationOptions say how an animation is written. The zero value plays for ever, with as
// many colours as the format has and without dithering.
type AnimationOptions struct {
	// Plays is how many times it is shown, 0 for ever.
	Plays int
	// Colors is the most colours of a frame of GIF, 2 to 256; zero is 256.
	Colors int
	// Dither spreads the error of a colour that GIF does not have to its neighbours
	// (Floyd and Steinberg), which suits photographs and costs bytes.
	Dither bool
	// Encode is how frames are written in formats that have its options, which is WebP.
	Encode EncodeOptions
}

// Animations are the formats that EncodeAnimation writes, in alphabetical order.
func Animations() []Format {
	var list []Format
	for _, f := range Encoders() {
		if e, _ := encoder(f); e.Animate != nil {
			list = append(list, f)
		}
	}
	return list
}

// EncodeAnimation writes frames of one size. It does not change them.
func EncodeAnimation(ctx context.Context, f Format, frames []Frame, o AnimationOptions) ([]byte, error) {
	e, ok := encoder(f)
	if !ok || e.Animate == nil {
		return nil, fmt.Errorf("format %q cannot be written as an animation", f)
	}
	switch {
	case len(frames) == 0:
		return nil, fmt.Errorf("an animation needs a frame at least")
	case len(frames) > MaxFrames:
		return nil, fmt.Errorf("an animation of %d frames exceeds the limit of %d", len(frames), MaxFrames)
	case o.Colors != 0 && (o.Colors < 2 || o.Colors > 256):
		return nil, fmt.Errorf("colors must be from 2 to 256, not %d", o.Colors)
	case o.Plays < 0 || o.Plays > 65535:
		return nil, fmt.Errorf("plays must be from 0 to 65535, not %d", o.Plays)
	}
	w, h := frames[0].Surface.Width, frames[0].Surface.Height
	for i, frame := range frames {
		if s := frame.Surface; s.Width != w || s.Height != h {
			return nil, fmt.Errorf("frame %d is %d×%d, but the first one is %d×%d", i, s.Width, s.Height, w, h)
		}
	}
	if int64(len(frames))*int64(w)*int64(h) > MaxFramePixels {
		return nil, fmt.Errorf("an animation of %d frames of %d×%d exceeds the limit of %d pixels", len(frames), w, h, MaxFramePixels)
	}
	var out []byte
	err := contained(func() (err error) { out, err = e.Animate(ctx, frames, o); return err })
	return out, err
}

// area is a rectangle of pixels, empty where a side is none.
type area struct{ x0, y0, x1, y1 int }

// changed is the smallest rectangle outside of which two surfaces are equal.
func changed(a, b *Surface) area {
	r := area{a.Width, a.Height, 0, 0}
	for y := range a.Height {
		p, q := a.Row(y), b.Row(y)
		if string(p) == string(q) {
			continue
		}
		x0, x1 := 0, a.Width
		for string(p[4*x0:4*x0+4]) == string(q[4*x0:4*x0+4]) {
			x0++
		}
		for string(p[4*x1-4:4*x1]) == string(q[4*x1-4:4*x1]) {
			x1--
		}
		r = area{min(r.x0, x0), min(r.y0, y), max(r.x1, x1), y + 1}
	}
	return r
}

// delayUnits is a delay in units of a file, 0 to 65535.
func delayUnits(d, unit time.Duration) uint16 {
	return uint16(min(max((d+unit/2)/unit, 0), 65535))
}
