package image

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// A Picture is a file or what came of one. It is decoded at the first need, once, and keeps
// what it has decoded until Drop. It is safe for concurrent use; its surface must not be
// changed.
type Picture struct {
	// Info is the header's. For a picture that is no file, Format is Unknown.
	Info Info

	data   []byte // nil for a picture that is no file
	budget Budget

	// conversion takes what is decoded to sRGB, nil where nothing is to be done.
	conversion *Conversion

	mu       sync.Mutex
	surface  *Surface
	planes   *planar
	parted   bool // planes of a file were decoded once for asPlanar
	reserved int64
}

// Open reads the header of a file, which must not be changed afterwards. Decoding takes
// memory from budget, which may be nil.
func Open(data []byte, budget Budget) (*Picture, error) {
	switch {
	case len(data) == 0:
		return nil, fmt.Errorf("image bytes are empty")
	case len(data) > MaxEncoded:
		return nil, fmt.Errorf("image of %d bytes exceeds the %d byte limit", len(data), MaxEncoded)
	}
	f := Sniff(data)
	d, ok := decoder(f)
	if !ok {
		return nil, noDecoder(f)
	}
	var info Info
	if err := contained(func() (err error) { info, err = d.Config(data); return err }); err != nil {
		return nil, decodeError(f, err)
	}
	// The stored size: decoders do not turn pictures.
	if err := CheckSize(info.Width, info.Height); err != nil {
		return nil, err
	}
	if info.Orientation >= 5 {
		info.Width, info.Height = info.Height, info.Width
	}
	p := &Picture{Info: info, data: data, budget: budget}
	if len(info.ICC) > 0 {
		p.conversion, p.Info.ProfileUse = NewConversion(info.ICC)
	}
	return p, nil
}

// FromSurface is a picture of pixels, which must not be changed afterwards.
func FromSurface(s *Surface) *Picture {
	return &Picture{Info: Info{Format: Unknown, Width: s.Width, Height: s.Height, Frames: 1, Depth: 8, Alpha: true}, surface: s}
}

// FromYCC is a picture of luma and chroma, which must not be changed afterwards.
func FromYCC(y *YCC) *Picture {
	return fromPlanar(wholePlanes(y, 1), nil)
}

// Data is the file, nil for a picture that is none.
func (p *Picture) Data() []byte { return p.data }

// Decoded reports whether the pixels are there. A picture made of luma and chroma has none
// until they are needed.
func (p *Picture) Decoded() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.surface != nil
}

// Surface is the picture's pixels, as shown. Decoding is done at most once.
func (p *Picture) Surface(ctx context.Context) (*Surface, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.surface != nil {
		return p.surface, nil
	}
	if p.planes != nil {
		s := p.planes.surface()
		if p.conversion != nil {
			if err := p.conversion.Apply(ctx, s); err != nil {
				return nil, err
			}
		}
		p.surface = s
		return p.surface, nil
	}
	s, err := p.decode(ctx, 0)
	if err != nil {
		return nil, err
	}
	p.surface = s
	return s, nil
}

// Frame decodes one frame of an animation; it is not kept.
func (p *Picture) Frame(ctx context.Context, n int) (*Surface, error) {
	if n < 0 || n >= p.Info.Frames {
		return nil, fmt.Errorf("frame %d of %d does not exist", n, p.Info.Frames)
	}
	if n == 0 || p.data == nil {
		return p.Surface(ctx)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.decode(ctx, n)
}

// Frames decodes the frames of an animation in order and gives each to yield with the time
// that it is shown, which costs far less than one call of Frame for each. The surface is
// valid until yield returns; an error of yield is returned. Any other picture is one frame
// without a delay.
func (p *Picture) Frames(ctx context.Context, yield func(n int, s *Surface, delay time.Duration) error) error {
	d, _ := decoder(p.Info.Format)
	if p.data == nil || d.Frames == nil || p.Info.Frames <= 1 {
		s, err := p.Surface(ctx)
		if err != nil {
			return err
		}
		return yield(0, s, 0)
	}
	if p.budget != nil {
		// The canvas, and the turned copy of it.
		size := 8*int64(p.Info.Width)*int64(p.Info.Height) + p.Info.Scratch
		if err := p.budget.Reserve(size); err != nil {
			return err
		}
		defer p.budget.Release(size)
	}
	w, h := p.stored()
	var stopped error
	err := contained(func() error {
		return d.Frames(ctx, p.data, func(n int, s *Surface, delay time.Duration) error {
			if s.Width != w || s.Height != h {
				return fmt.Errorf("image: a frame is not of the size that the header says")
			}
			s = Orient(s, p.Info.Orientation)
			if p.conversion != nil {
				s = s.Clone() // the decoder goes on with its own
				if stopped = p.conversion.Apply(ctx, s); stopped != nil {
					return stopped
				}
			}
			stopped = yield(n, s, delay)
			return stopped
		})
	})
	if err == nil || err == stopped {
		return err
	}
	return decodeError(p.Info.Format, err)
}

// decode decodes a frame. The memory of what is kept stays reserved until Drop.
func (p *Picture) decode(ctx context.Context, frame int) (*Surface, error) {
	d, _ := decoder(p.Info.Format)
	size := 4 * int64(p.Info.Width) * int64(p.Info.Height)
	if p.budget != nil {
		if err := p.budget.Reserve(size + p.Info.Scratch); err != nil {
			return nil, err
		}
		kept := size
		if frame > 0 {
			kept = 0
		}
		p.reserved += kept
		defer p.budget.Release(p.Info.Scratch + size - kept)
	}
	var s *Surface
	err := contained(func() (err error) {
		s, err = d.Decode(ctx, p.data, frame)
		return err
	})
	if err == nil {
		// What a decoder gives must be what its header said, or the check of the size was for
		// nothing.
		w, h := p.stored()
		if s.Width != w || s.Height != h || len(s.Pix) != 4*w*h {
			err = fmt.Errorf("image: the picture is not of the size that the header says")
		}
	}
	if err == nil && p.conversion != nil {
		err = p.conversion.Apply(ctx, s)
	}
	if err != nil {
		if p.budget != nil && frame == 0 {
			p.budget.Release(size)
			p.reserved -= size
		}
		return nil, decodeError(p.Info.Format, err)
	}
	return Orient(s, p.Info.Orientation), nil
}

// stored is the size in the file.
func (p *Picture) stored() (width, height int) {
	if p.Info.Orientation >= 5 {
		return p.Info.Height, p.Info.Width
	}
	return p.Info.Width, p.Info.Height
}

// Drop gives decoded pixels back; they are decoded again when they are needed. A picture
// that is no file keeps them.
func (p *Picture) Drop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.data == nil {
		return
	}
	p.surface, p.planes = nil, nil
	if p.budget != nil {
		p.budget.Release(p.reserved)
	}
	p.reserved = 0
}

// Resize resamples the part of p within part to width by height. A JPEG file that was not
// decoded yet is decoded at the smallest scale that is enough, and stays luma and chroma.
func (p *Picture) Resize(ctx context.Context, part Rect, width, height int, k Kernel) (*Picture, error) {
	if err := CheckSize(width, height); err != nil {
		return nil, err
	}
	planes, scale, err := p.scaledPlanes(ctx, part, width, height)
	if err != nil {
		return nil, err
	}
	if planes != nil {
		if y := planes.upright(); y != nil {
			out, err := planes.resize(ctx, y, [2]int{p.Info.Width, p.Info.Height}, float64(scale), part, width, height, k)
			if err != nil {
				return nil, err
			}
			return fromPlanar(out, p.conversion), nil
		}
	}
	s, err := p.Surface(ctx)
	if err != nil {
		return nil, err
	}
	out, err := ResizeSurface(ctx, s, part, width, height, k)
	if err != nil {
		return nil, err
	}
	return FromSurface(out), nil
}

// scaledPlanes is p as luma and chroma at 1/scale, or nil where pixels are there or better.
func (p *Picture) scaledPlanes(ctx context.Context, part Rect, width, height int) (planes *planar, scale int, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.planes != nil {
		return p.planes, 1, nil
	}
	if !p.canSplit() {
		return nil, 0, nil
	}
	scale = 1
	for scale < 8 && part.Width >= float64(2*scale*width) && part.Height >= float64(2*scale*height) {
		scale *= 2
	}
	planes, err = p.decodePlanes(ctx, scale)
	return planes, scale, err
}

// canSplit reports whether p is a file that may be decoded to planes instead of to pixels
// which are there already.
func (p *Picture) canSplit() bool {
	d, _ := decoder(p.Info.Format)
	return p.surface == nil && p.data != nil && d.Planes != nil
}

// decodePlanes decodes a file to luma and chroma at 1/scale. They are nil where it has none.
func (p *Picture) decodePlanes(ctx context.Context, scale int) (*planar, error) {
	d, _ := decoder(p.Info.Format)
	size := 3 * int64(p.Info.Width) * int64(p.Info.Height) / int64(scale*scale)
	if p.budget != nil {
		if err := p.budget.Reserve(size + p.Info.Scratch); err != nil {
			return nil, err
		}
		defer p.budget.Release(size + p.Info.Scratch)
	}
	var y *YCC
	if err := contained(func() (err error) { y, err = d.Planes(ctx, p.data, scale); return err }); err != nil {
		return nil, decodeError(p.Info.Format, err)
	}
	if y == nil {
		return nil, nil
	}
	return wholePlanes(y, p.Info.Orientation), nil
}

// storedPlanes is the luma and chroma that p is, or that its file holds, whether or not pixels
// are there, so that what is written does not depend on what was done before. It is nil where
// there is none.
func (p *Picture) storedPlanes(ctx context.Context) (*planar, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if d, _ := decoder(p.Info.Format); p.planes != nil || p.data == nil || d.Planes == nil {
		return p.planes, nil
	}
	return p.decodePlanes(ctx, 1)
}

// Encode writes p. Transparency is painted on background where the format has none or
// background is not transparent itself; it is a straight colour, and white where the format
// has no transparency and background is the zero colour.
func (p *Picture) Encode(ctx context.Context, f Format, background [4]uint8, o EncodeOptions) ([]byte, error) {
	e, ok := encoder(f)
	if !ok {
		return nil, fmt.Errorf("format %q cannot be written", f)
	}
	var out []byte
	if e.Planes != nil && p.conversion == nil {
		planes, err := p.storedPlanes(ctx)
		if err != nil {
			return nil, err
		}
		if y := planes.flat(); y != nil {
			err := contained(func() (err error) { out, err = e.Planes(ctx, y, o); return err })
			return out, err
		}
	}
	s, err := p.Surface(ctx)
	if err != nil {
		return nil, err
	}
	if !e.Alpha && background[3] != 255 {
		white := [4]uint8{255, 255, 255, 255}
		if background != [4]uint8{} {
			c := Surface{1, 1, append([]byte(nil), background[:]...)}
			Premultiply(c.Pix)
			DestinationOver.Blend(c.Pix, white[:], 255)
			copy(background[:], c.Pix)
		} else {
			background = white
		}
	}
	if background != [4]uint8{} && !s.Opaque() {
		s = s.Clone()
		Fill(s, background, DestinationOver)
	}
	err = contained(func() (err error) { out, err = e.Encode(ctx, s, o); return err })
	return out, err
}
