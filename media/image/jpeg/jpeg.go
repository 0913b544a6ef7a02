// Package jpeg decodes JPEG files (ITU-T T.81, JFIF, Adobe) into planes, whole or scaled
// by ½, ¼ or ⅛ while decoding.
//
// It exists beside the standard library's decoder because thumbnails are what JPEG files
// are mostly read for: a scaled inverse DCT leaves out most of the arithmetic, and a
// Huffman decoder that looks at eleven bits at once most of the rest. It reads 8-bit
// baseline, extended sequential and progressive files with one, three or four components,
// any sampling factors, and restart markers. Arithmetic coding, lossless and 12-bit files
// are refused by name.
//
// Everything in a file is hostile: the header is checked against Limits before memory is
// taken, and no input makes Decode panic, run away or take more than Config.Memory says.
package jpeg

import (
	"context"
	"errors"
	"fmt"
)

// Model is how the components of a file are to be read as colour.
type Model uint8

// Colour models.
const (
	Gray  Model = iota
	YCbCr       // ITU-R BT.601, full range, as JFIF says
	RGB         // as an Adobe marker or the component names say
	CMYK        // inverted, as Adobe writes it, when Config.Inverted is set
	YCCK        // CMYK whose first three components are YCbCr of the inverted CMY
)

// Config is what the header of a file says.
type Config struct {
	Width, Height int
	Model         Model
	Progressive   bool
	// Inverted is set when the four components of CMYK and YCCK are stored as 255−ink, as
	// all files with an Adobe marker do.
	Inverted bool
	// Orientation is the value of the EXIF tag, 1 to 8, or 0 without it.
	Orientation int
	// ICC is the embedded colour profile, nil without one. It aliases the input where it
	// lies in one piece.
	ICC []byte
	// Memory is about what a full decode holds, in bytes: the planes, and the coefficients
	// of a progressive file.
	Memory int64
}

// A Plane is one component. Its samples are 8 bits wide.
type Plane struct {
	Pix    []byte
	Stride int
	// Width and Height are those of the component itself, which is HShift and VShift times
	// halved against the picture, rounded up. A file with other ratios is resampled to these.
	Width, Height  int
	HShift, VShift uint8
}

// An Image is a decoded file.
type Image struct {
	Config
	// Width and Height are those of the file, or scaled and rounded up.
	Width, Height int
	Planes        []Plane
}

// Limits bound a decode. A zero field means no bound.
type Limits struct {
	Edge   int   // of width and height
	Pixels int64 // of their product
	Memory int64 // of Config.Memory
	Scans  int   // of a progressive file; each costs a pass over all coefficients
}

// ErrFormat is what all errors about the content of a file are.
var ErrFormat = errors.New("not a valid JPEG file")

// formatError is an error about the content.
type formatError string

func (e formatError) Error() string { return "jpeg: " + string(e) }
func (formatError) Unwrap() error   { return ErrFormat }

func bad(format string, args ...any) error { return formatError(fmt.Sprintf(format, args...)) }

// DecodeConfig reads the header.
func DecodeConfig(data []byte) (Config, error) {
	d := &decoder{data: data}
	if err := d.header(); err != nil {
		return Config{}, err
	}
	return d.config(), nil
}

// Decode decodes data at 1/scale of its size; scale is 1, 2, 4 or 8. It looks at ctx once
// in each row of blocks.
func Decode(ctx context.Context, data []byte, scale int, limits Limits) (*Image, error) {
	switch scale {
	case 1, 2, 4, 8:
	default:
		return nil, fmt.Errorf("jpeg: scale is %d: it must be 1, 2, 4 or 8", scale)
	}
	d := &decoder{ctx: ctx, data: data, scale: scale, limits: limits}
	if err := d.header(); err != nil {
		return nil, err
	}
	c := d.config()
	switch {
	case limits.Edge > 0 && (c.Width > limits.Edge || c.Height > limits.Edge):
		return nil, fmt.Errorf("jpeg: %d×%d: no edge may exceed %d pixels", c.Width, c.Height, limits.Edge)
	case limits.Pixels > 0 && int64(c.Width)*int64(c.Height) > limits.Pixels:
		return nil, fmt.Errorf("jpeg: %d×%d exceeds the limit of %d pixels", c.Width, c.Height, limits.Pixels)
	case limits.Memory > 0 && c.Memory > limits.Memory:
		return nil, fmt.Errorf("jpeg: decoding needs %d bytes, more than the limit of %d", c.Memory, limits.Memory)
	}
	return d.decode()
}
