package image

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	stdimage "image"
	"time"

	"golang.org/x/image/webp"

	"github.com/HugoSmits86/nativewebp"

	"quicksand/media/image/jpeg"
)

// WebP is read by RFC 9649: the container here, with animations, its two codes by
// golang.org/x/image. The package quicksand/media/image/webp adds writing with loss.

func init() {
	decode, frames := animated(openWebP)
	RegisterDecoder(WebP, Decoder{Config: webpConfig, Decode: decode, Frames: frames})
	RegisterEncoder(WebP, Encoder{Encode: EncodeWebPLossless, Animate: AnimateWebP(EncodeWebPLossless), Alpha: true})
}

type webpFile struct {
	animation
	alpha       bool
	animated    bool
	orientation int
	icc         []byte
	frames      [][2][]byte // the chunks of each frame: ALPH or none, and VP8 or VP8L
	lossless    bool        // whether a frame is VP8L or has alpha, which is decoded as VP8L is
}

func webpConfig(data []byte) (Info, error) {
	f, err := parseWebP(data)
	if err != nil {
		return Info{}, err
	}
	info := Info{Format: WebP, Width: f.width, Height: f.height, Orientation: f.orientation, Frames: 1, Depth: 8, Alpha: f.alpha, Profile: ProfileName(f.icc), ICC: f.icc}
	var part int64
	for _, p := range f.parts {
		part = max(part, int64(p.w)*int64(p.h))
	}
	// A frame as the decoder gives it, in macroblocks, and its data, which is copied twice.
	info.Scratch = f.scratch() + part*3/2 + 2*int64(len(data)) + 1<<20
	if f.lossless {
		info.Scratch += part * 9
	}
	if f.animated {
		f.describe(&info)
	}
	return info, nil
}

// chunks calls f with each chunk. It stops at one that is cut short, and says so.
func chunks(data []byte, f func(name string, body, whole []byte) error) error {
	for len(data) >= 8 {
		n := uint64(binary.LittleEndian.Uint32(data[4:]))
		if n+8 > uint64(len(data)) {
			return errors.New("webp: the file is cut short")
		}
		end := min(8+n+n&1, uint64(len(data)))
		if err := f(string(data[:4]), data[8:8+n], data[:end]); err != nil {
			return err
		}
		data = data[end:]
	}
	return nil
}

func u24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// parseWebP walks over the chunks. Of a file whose size is not allowed it tells the size only.
func parseWebP(data []byte) (*webpFile, error) {
	if len(data) < 20 {
		return nil, errors.New("webp: the header is cut short")
	}
	f := &webpFile{}
	extended := false
	stop := errors.New("") // the size is not allowed, or nothing else matters
	var alph, still []byte
	err := chunks(data[12:], func(name string, body, whole []byte) error {
		switch name {
		case "VP8X":
			if extended || len(body) < 10 {
				return errors.New("webp: the header is damaged")
			}
			extended = true
			f.animated, f.alpha = body[0]&2 != 0, body[0]&16 != 0
			f.width, f.height = u24(body[4:])+1, u24(body[7:])+1
			if CheckSize(f.width, f.height) != nil {
				return stop
			}
		case "ALPH":
			if alph == nil && still == nil {
				alph = whole
			}
		case "VP8 ", "VP8L":
			if still != nil || f.animated {
				return nil
			}
			w, h, alpha, err := bitstreamSize(name, body)
			if err != nil {
				return err
			}
			if !extended {
				f.width, f.height, f.alpha, alph = w, h, alpha, nil
				if CheckSize(w, h) != nil {
					return stop
				}
			} else if w != f.width || h != f.height {
				return fmt.Errorf("webp: a picture of %d×%d in a file of %d×%d", w, h, f.width, f.height)
			}
			f.lossless = name == "VP8L" || alph != nil
			if name == "VP8L" {
				alph = nil
			}
			still = whole
			if !extended {
				return stop
			}
		case "ANIM":
			if len(body) >= 6 {
				f.plays = int(binary.LittleEndian.Uint16(body[4:]))
			}
		case "ANMF":
			if f.animated {
				return f.addFrame(body)
			}
		case "ICCP":
			f.icc = body
		case "EXIF":
			f.orientation = jpeg.Orientation(bytes.TrimPrefix(body, []byte("Exif\x00\x00")))
		}
		return nil
	})
	switch {
	case err != nil && err != stop && len(f.parts) == 0 && still == nil:
		return nil, err
	case f.width > 0 && CheckSize(f.width, f.height) != nil:
		return f, nil
	case err != nil && err != stop && f.area > MaxFramePixels, len(f.parts) >= MaxFrames:
		return nil, err
	case f.animated && len(f.parts) > 0:
		return f, nil
	case still == nil:
		return nil, errors.New("webp: the file has no picture")
	}
	f.frames = [][2][]byte{{alph, still}}
	return f, f.add(framePart{w: f.width, h: f.height})
}

// bitstreamSize reads the header of a VP8 (RFC 6386, 9.1) or VP8L chunk (RFC 9649, 3.4).
func bitstreamSize(name string, b []byte) (width, height int, alpha bool, err error) {
	if name == "VP8L" {
		if len(b) < 5 || b[0] != 0x2F || b[4]>>5 != 0 {
			return 0, 0, false, errors.New("webp: the header of the picture is damaged")
		}
		v := binary.LittleEndian.Uint32(b[1:])
		return int(v&0x3FFF) + 1, int(v>>14&0x3FFF) + 1, v>>28&1 != 0, nil
	}
	if len(b) < 10 || b[0]&1 != 0 || string(b[3:6]) != "\x9D\x01\x2A" {
		return 0, 0, false, errors.New("webp: the header of the picture is damaged")
	}
	return int(binary.LittleEndian.Uint16(b[6:]) & 0x3FFF), int(binary.LittleEndian.Uint16(b[8:]) & 0x3FFF), false, nil
}

// addFrame adds what an ANMF chunk holds.
func (f *webpFile) addFrame(b []byte) error {
	if len(b) < 16 {
		return errors.New("webp: a frame is cut short")
	}
	p := framePart{x: 2 * u24(b), y: 2 * u24(b[3:]), w: u24(b[6:]) + 1, h: u24(b[9:]) + 1,
		delay: time.Duration(u24(b[12:])) * time.Millisecond, over: b[15]&2 == 0}
	if b[15]&1 != 0 {
		p.disposal = disposeClear
	}
	var alph, frame []byte
	err := chunks(b[16:], func(name string, body, whole []byte) error {
		switch {
		case name == "ALPH" && alph == nil && frame == nil:
			alph = whole
		case (name == "VP8 " || name == "VP8L") && frame == nil:
			w, h, _, err := bitstreamSize(name, body)
			if err != nil {
				return err
			}
			if w != p.w || h != p.h {
				return fmt.Errorf("webp: a frame of %d×%d in a place of %d×%d", w, h, p.w, p.h)
			}
			if name == "VP8L" {
				alph = nil
			}
			f.lossless = f.lossless || name == "VP8L" || alph != nil
			frame = whole
		}
		return nil
	})
	if err != nil {
		return err
	}
	if frame == nil {
		return errors.New("webp: a frame has no picture")
	}
	if err := f.add(p); err != nil {
		return err
	}
	f.frames = append(f.frames, [2][]byte{alph, frame})
	return nil
}

func openWebP(ctx context.Context, data []byte) (*animation, func(n int) (*Surface, error), error) {
	f, err := parseWebP(data)
	if err != nil {
		return nil, nil, err
	}
	return &f.animation, func(n int) (*Surface, error) { return f.part(ctx, n) }, nil
}

// part decodes frame n from a file made of it.
func (f *webpFile) part(ctx context.Context, n int) (*Surface, error) {
	p, alph, c := f.parts[n], f.frames[n][0], f.frames[n][1]
	var b bytes.Buffer
	b.WriteString("RIFF")
	var head []byte
	if alph != nil {
		head = []byte("VP8X\x0A\x00\x00\x00\x10\x00\x00\x00")
		for _, v := range []int{p.w - 1, p.h - 1} {
			head = append(head, byte(v), byte(v>>8), byte(v>>16))
		}
	}
	b.Write(binary.LittleEndian.AppendUint32(nil, uint32(4+len(head)+len(alph)+len(alph)&1+len(c)+len(c)&1)))
	b.WriteString("WEBP")
	b.Write(head)
	for _, chunk := range [][]byte{alph, c} {
		b.Write(chunk)
		if len(chunk)&1 != 0 { // the last one of a file, without its padding
			b.WriteByte(0)
		}
	}
	m, err := webp.Decode(contextReader{ctx, bytes.NewReader(b.Bytes())})
	if err != nil {
		return nil, err
	}
	if s := m.Bounds().Size(); s.X != p.w || s.Y != p.h {
		return nil, errors.New("webp: the picture is not of the size that its header says")
	}
	switch m := m.(type) {
	case *stdimage.YCbCr:
		return fromWebP(ctx, m, nil, 0)
	case *stdimage.NYCbCrA:
		return fromWebP(ctx, &m.YCbCr, m.A, m.AStride)
	}
	return fromStd(ctx, m)
}

// fromWebP converts luma from 16 to 235 and chroma of half the size, which the standard
// library takes for the full range of JPEG. Chroma is interpolated with the weights 9, 3, 3
// and 1, as the format's own library does.
func fromWebP(ctx context.Context, m *stdimage.YCbCr, alpha []byte, alphaStride int) (*Surface, error) {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	s := New(w, h)
	cw, ch := (w+1)/2, (h+1)/2
	err := bands(ctx, h, int64(len(s.Pix)), func(from, to int) error {
		for y := from; y < to; y++ {
			if y&63 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			near := y / 2
			far := min(max(near-1+y&1*2, 0), ch-1)
			dst, luma := s.Row(y), m.Y[y*m.YStride:]
			u0, u1 := m.Cb[near*m.CStride:][:cw], m.Cb[far*m.CStride:][:cw]
			v0, v1 := m.Cr[near*m.CStride:][:cw], m.Cr[far*m.CStride:][:cw]
			for x := range w {
				n := x / 2
				f := min(max(n-1+x&1*2, 0), cw-1)
				u := (9*int32(u0[n]) + 3*int32(u0[f]) + 3*int32(u1[n]) + int32(u1[f]) + 8) >> 4
				v := (9*int32(v0[n]) + 3*int32(v0[f]) + 3*int32(v1[n]) + int32(v1[f]) + 8) >> 4
				l := int32(luma[x]) * 19077 >> 8
				d := dst[4*x : 4*x+4 : 4*x+4]
				d[0] = clampSample((l + v*26149>>8 - 14234) >> 6)
				d[1] = clampSample((l - u*6419>>8 - v*13320>>8 + 8708) >> 6)
				d[2] = clampSample((l + u*33050>>8 - 17685) >> 6)
				d[3] = 255
			}
			if alpha != nil {
				for x, a := range alpha[y*alphaStride:][:w] {
					dst[4*x+3] = a
				}
				Premultiply(dst)
			}
		}
		return nil
	})
	return s, err
}

// EncodeWebPLossless writes WebP without loss. It is the Encode of an Encoder; the quality
// does not matter to it.
func EncodeWebPLossless(ctx context.Context, s *Surface, _ EncodeOptions) ([]byte, error) {
	m := stdimage.NewNRGBA(stdimage.Rect(0, 0, s.Width, s.Height))
	s.Straight(m.Pix)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := nativewebp.Encode(contextWriter{ctx, &b}, m, nil); err != nil {
		return nil, err
	}
	return b.Bytes(), ctx.Err()
}

// AnimateWebP makes the Animate of an Encoder from its Encode. Frames are cut to what changed
// since the last one, and replace what is there.
func AnimateWebP(encode func(ctx context.Context, s *Surface, o EncodeOptions) ([]byte, error)) func(ctx context.Context, frames []Frame, o AnimationOptions) ([]byte, error) {
	return func(ctx context.Context, frames []Frame, o AnimationOptions) ([]byte, error) {
		w, h := frames[0].Surface.Width, frames[0].Surface.Height
		var body bytes.Buffer
		body.WriteString("WEBP")
		extended := append([]byte{2 | 16, 0, 0, 0}, put24(w-1)...)
		webpChunk(&body, "VP8X", append(extended, put24(h-1)...))
		webpChunk(&body, "ANIM", []byte{0, 0, 0, 0, byte(o.Plays), byte(o.Plays >> 8)})
		for i, f := range frames {
			r := area{0, 0, w, h}
			if i > 0 {
				if r = changed(frames[i-1].Surface, f.Surface); r.x0 >= r.x1 {
					r = area{0, 0, 1, 1} // a frame of nothing, for its delay
				}
				r.x0, r.y0 = r.x0&^1, r.y0&^1 // places are even
			}
			still, err := encode(ctx, f.Surface.part(r), o.Encode)
			if err != nil {
				return nil, err
			}
			file, err := parseWebP(still)
			if err != nil || len(file.frames) != 1 {
				return nil, fmt.Errorf("webp: the encoder wrote no picture: %w", err)
			}
			var frame []byte
			for _, v := range []int{r.x0 / 2, r.y0 / 2, r.x1 - r.x0 - 1, r.y1 - r.y0 - 1, int(delayUnits(f.Delay, time.Millisecond))} {
				frame = append(frame, put24(v)...)
			}
			frame = append(frame, 2) // in place of what is there
			for _, c := range file.frames[0] {
				if frame = append(frame, c...); len(c)&1 != 0 {
					frame = append(frame, 0)
				}
			}
			webpChunk(&body, "ANMF", frame)
		}
		out := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(body.Len()))
		return append(out, body.Bytes()...), nil
	}
}

func put24(v int) []byte { return []byte{byte(v), byte(v >> 8), byte(v >> 16)} }

func webpChunk(b *bytes.Buffer, name string, body []byte) {
	b.WriteString(name)
	b.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(body))))
	b.Write(body)
	if len(body)&1 != 0 {
		b.WriteByte(0)
	}
}
