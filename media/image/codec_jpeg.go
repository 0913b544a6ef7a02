package image

import (
	"bytes"
	"context"
	stdimage "image"
	stdjpeg "image/jpeg"

	"quicksand/media/image/jpeg"
)

func init() {
	RegisterDecoder(JPEG, Decoder{Config: jpegConfig, Decode: decodeJPEG, Planes: jpegPlanes})
	RegisterEncoder(JPEG, Encoder{Encode: encodeJPEG, Planes: encodeJPEGPlanes})
}

// jpegLimits are those that Picture has not checked itself.
var jpegLimits = jpeg.Limits{Edge: MaxEdge, Pixels: MaxPixels, Scans: 100}

func jpegConfig(data []byte) (Info, error) {
	c, err := jpeg.DecodeConfig(data)
	if err != nil {
		return Info{}, err
	}
	info := Info{Format: JPEG, Width: c.Width, Height: c.Height, Orientation: c.Orientation, Frames: 1, Depth: 8, Scratch: c.Memory}
	info.Profile, info.ICC = ProfileName(c.ICC), c.ICC
	return info, nil
}

func decodeJPEG(ctx context.Context, data []byte, _ int) (*Surface, error) {
	im, err := jpeg.Decode(ctx, data, 1, jpegLimits)
	if err != nil {
		return nil, err
	}
	s := New(im.Width, im.Height)
	err = bands(ctx, s.Height, int64(len(s.Pix)), func(from, to int) error {
		c := jpeg.NewConverter(im)
		for y := from; y < to; y++ {
			c.Row(s.Row(y), y)
		}
		return nil
	})
	return s, err
}

// jpegPlanes gives nothing for a file that is no YCbCr.
func jpegPlanes(ctx context.Context, data []byte, scale int) (*YCC, error) {
	c, err := jpeg.DecodeConfig(data)
	if err != nil {
		return nil, err
	}
	if c.Model != jpeg.YCbCr {
		return nil, nil
	}
	im, err := jpeg.Decode(ctx, data, scale, jpegLimits)
	if err != nil {
		return nil, err
	}
	plane := func(i int) Plane {
		p := im.Planes[i]
		return Plane{p.Pix, p.Stride, p.Width, p.Height}
	}
	return &YCC{im.Width, im.Height, plane(0), plane(1), plane(2)}, nil
}

// encodeJPEGPlanes writes planes with chroma of half the size as they are.
func encodeJPEGPlanes(ctx context.Context, y *YCC, o EncodeOptions) ([]byte, error) {
	half := func(p *Plane) bool { return p.Width == (y.Width+1)/2 && p.Height == (y.Height+1)/2 }
	if !half(&y.Cb) || !half(&y.Cr) || y.Cb.Stride != y.Cr.Stride {
		return encodeJPEG(ctx, y.Surface(), o)
	}
	m := &stdimage.YCbCr{Y: y.Y.Pix, Cb: y.Cb.Pix, Cr: y.Cr.Pix, YStride: y.Y.Stride, CStride: y.Cb.Stride,
		SubsampleRatio: stdimage.YCbCrSubsampleRatio420, Rect: stdimage.Rect(0, 0, y.Width, y.Height)}
	return writeJPEG(ctx, m, o)
}

// encodeJPEG writes an opaque surface.
func encodeJPEG(ctx context.Context, s *Surface, o EncodeOptions) ([]byte, error) {
	return writeJPEG(ctx, toYCbCr(s), o)
}

func writeJPEG(ctx context.Context, m stdimage.Image, o EncodeOptions) ([]byte, error) {
	var b bytes.Buffer
	if err := stdjpeg.Encode(contextWriter{ctx, &b}, m, &stdjpeg.Options{Quality: o.Percent()}); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// toYCbCr converts with chroma of half the size, the mean of 2 by 2 pixels. The standard
// encoder takes twice as long on RGBA.
func toYCbCr(s *Surface) *stdimage.YCbCr {
	m := stdimage.NewYCbCr(stdimage.Rect(0, 0, s.Width, s.Height), stdimage.YCbCrSubsampleRatio420)
	bands(context.Background(), (s.Height+1)/2, 4*int64(len(s.Pix)), func(from, to int) error {
		for cy := from; cy < to; cy++ {
			halfRow(m, s, cy)
		}
		return nil
	})
	return m
}

// halfRow converts two rows of pixels, which share a row of chroma.
func halfRow(m *stdimage.YCbCr, s *Surface, cy int) {
	rows := [2][]byte{s.Row(2 * cy), s.Row(min(2*cy+1, s.Height-1))}
	for k, row := range rows {
		if 2*cy+k >= s.Height {
			break
		}
		luma := m.Y[(2*cy+k)*m.YStride:]
		for x := range s.Width {
			p := row[4*x : 4*x+4 : 4*x+4]
			luma[x] = byte((19595*uint32(p[0]) + 38470*uint32(p[1]) + 7471*uint32(p[2]) + 1<<15) >> 16)
		}
	}
	for cx := range (s.Width + 1) / 2 {
		var r, g, b int32
		right := min(2*cx+1, s.Width-1)
		for _, row := range rows {
			for _, x := range [2]int{2 * cx, right} {
				p := row[4*x : 4*x+4 : 4*x+4]
				r, g, b = r+int32(p[0]), g+int32(p[1]), b+int32(p[2])
			}
		}
		m.Cb[cy*m.CStride+cx] = clampSample((-11056*r - 21712*g + 32768*b + 512<<16 + 1<<17) >> 18)
		m.Cr[cy*m.CStride+cx] = clampSample((32768*r - 27440*g - 5328*b + 512<<16 + 1<<17) >> 18)
	}
}

// contextWriter fails when its context ends, so that encoders stop.
type contextWriter struct {
	ctx context.Context
	b   *bytes.Buffer
}

func (w contextWriter) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.b.Write(p)
}
