package audio

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
)

// encodeWAV writes a WAV file: of 16 bits by default, with the 44 bytes of header that every
// reader knows for one and two channels, else with WAVE_FORMAT_EXTENSIBLE.
func encodeWAV(ctx context.Context, s Source, o EncodeOptions) ([]byte, error) {
	depth := o.Depth
	switch {
	case o.Float && depth != 0 && depth != 32:
		return nil, fmt.Errorf("depth must be 32 for floating-point samples")
	case o.Float:
		depth = 32
	case depth == 0:
		depth = 16
	case depth != 16 && depth != 24 && depth != 32:
		return nil, fmt.Errorf("depth must be 16, 24 or 32")
	}
	info := s.Info()
	width := depth / 8
	stride := width * info.Channels
	head := wavHeader(info, depth, o.Float)
	out := make([]byte, len(head), min(int64(len(head))+int64(stride)*trusted(s)+1, MaxEncoded))
	copy(out, head)

	var (
		q      *Quantizer
		values = make([]int32, min(BlockFrames, 4096))
		err    error
	)
	if !o.Float {
		if q, err = QuantizerFor(ctx, s, depth, o.NoDither); err != nil {
			return nil, err
		}
	}
	err = s.Blocks(ctx, func(block [][]float32) error {
		frames := len(block[0])
		if int64(len(out))+int64(frames*stride) > MaxEncoded {
			return &LimitError{"AudioBytes", "the encoded sound in bytes", float64(len(out)) + float64(frames*stride), 0, MaxEncoded}
		}
		at := len(out)
		out = extend(out, frames*stride)
		for i, p := range block {
			dst := out[at+i*width:]
			if o.Float {
				for k, x := range p {
					binary.LittleEndian.PutUint32(dst[k*stride:], math.Float32bits(x))
				}
				continue
			}
			for from := 0; from < len(p); from += len(values) {
				part := p[from:min(from+len(values), len(p))]
				q.Channel(values[:len(part)], part, i)
				putIntegers(dst[from*stride:], values[:len(part)], width, stride)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	size := len(out) - len(head)
	if size%2 == 1 {
		out = append(out, 0)
	}
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	binary.LittleEndian.PutUint32(out[len(head)-4:], uint32(size))
	if o.Float {
		binary.LittleEndian.PutUint32(out[len(head)-12:], uint32(size/stride))
	}
	return out, nil
}

// extend is b with n more bytes.
func extend(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b[:len(b)+n]
	}
	return append(b, make([]byte, n)...)
}

// putIntegers writes integers of width bytes, one every stride bytes.
func putIntegers(dst []byte, values []int32, width, stride int) {
	at := 0
	switch width {
	case 2:
		for _, v := range values {
			b := dst[at : at+2 : at+2]
			b[0], b[1] = byte(v), byte(v>>8)
			at += stride
		}
	case 3:
		for _, v := range values {
			b := dst[at : at+3 : at+3]
			b[0], b[1], b[2] = byte(v), byte(v>>8), byte(v>>16)
			at += stride
		}
	default:
		for _, v := range values {
			binary.LittleEndian.PutUint32(dst[at:], uint32(v))
			at += stride
		}
	}
}

// speakers are the usual positions for so many channels, of dwChannelMask.
var speakers = [MaxChannels + 1]uint32{1: 0x4, 2: 0x3, 3: 0x7, 4: 0x33, 5: 0x37, 6: 0x3F, 7: 0x13F, 8: 0x63F}

// wavHeader is everything up to the samples, without the sizes.
func wavHeader(info Info, depth int, float bool) []byte {
	le := binary.LittleEndian
	tag := uint16(tagPCM)
	if float {
		tag = tagFloat
	}
	extensible := info.Channels > 2 || depth > 16 && !float
	stride := info.Channels * depth / 8
	h := []byte("RIFF\x00\x00\x00\x00WAVEfmt ")
	switch {
	case extensible:
		h = le.AppendUint16(le.AppendUint32(h, 40), tagExtensible)
	case float:
		h = le.AppendUint16(le.AppendUint32(h, 18), tag)
	default:
		h = le.AppendUint16(le.AppendUint32(h, 16), tag)
	}
	h = le.AppendUint16(h, uint16(info.Channels))
	h = le.AppendUint32(h, uint32(info.Rate))
	h = le.AppendUint32(h, uint32(info.Rate*stride))
	h = le.AppendUint16(h, uint16(stride))
	h = le.AppendUint16(h, uint16(depth))
	switch {
	case extensible:
		h = le.AppendUint16(le.AppendUint16(h, 22), uint16(depth))
		h = le.AppendUint16(le.AppendUint32(h, speakers[info.Channels]), tag)
		h = append(h, "\x00\x00\x00\x00\x10\x00\x80\x00\x00\xAA\x00\x38\x9B\x71"...)
	case float:
		h = le.AppendUint16(h, 0)
	}
	if float {
		h = append(h, "fact\x04\x00\x00\x00\x00\x00\x00\x00"...)
	}
	return append(h, "data\x00\x00\x00\x00"...)
}
