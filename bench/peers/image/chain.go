package main

import (
	"bytes"
	"context"
	"fmt"
	stdimage "image"
	"image/color"

	"github.com/disintegration/imaging"

	"quicksand/media/image"
)

// A step is one operation of the chain, for all peers.
type step struct {
	Op string `json:"op"`
	// Width and Height are those of resize and crop, which is centred; X and Y the place of
	// composite.
	Width  int `json:"width,omitempty"`
	Height int `json:"height,omitempty"`
	X      int `json:"x,omitempty"`
	Y      int `json:"y,omitempty"`
	// Amount is the degrees of rotate (clockwise), the standard deviation of blur and the
	// factor of brightness, contrast and saturate (as in CSS).
	Amount float64 `json:"amount,omitempty"`
}

// cycle begins and ends with a picture of 1280×960; three of it are the chain.
var cycle = []step{
	{Op: "resize", Width: 960, Height: 720},
	{Op: "flop"},
	{Op: "brightness", Amount: 1.1},
	{Op: "rotate", Amount: 90},
	{Op: "crop", Width: 680, Height: 920},
	{Op: "blur", Amount: 2},
	{Op: "composite", X: 30, Y: 40},
	{Op: "rotate", Amount: 7},
	{Op: "crop", Width: 600, Height: 820},
	{Op: "contrast", Amount: 0.95},
	{Op: "resize", Width: 800, Height: 1000},
	{Op: "flip"},
	{Op: "rotate", Amount: 270},
	{Op: "saturate", Amount: 1.1},
	{Op: "resize", Width: 1280, Height: 960},
}

func chain() []step {
	var all []step
	for range 3 {
		all = append(all, cycle...)
	}
	return all
}

// badge is what composite puts on the picture: 128×128, half transparent towards its edge.
func badge() *stdimage.NRGBA {
	m := stdimage.NewNRGBA(stdimage.Rect(0, 0, 128, 128))
	for y := range 128 {
		for x := range 128 {
			d := (x-64)*(x-64) + (y-64)*(y-64)
			m.SetNRGBA(x, y, color.NRGBA{uint8(2 * x), 80, uint8(2 * y), uint8(max(0, 255-d/16))})
		}
	}
	return m
}

// oursChain decodes once and encodes once. Each step makes a new picture, as handles do.
func oursChain(data []byte, steps []step) ([]byte, error) {
	ctx := context.Background()
	p, err := image.Open(data, nil)
	if err != nil {
		return nil, err
	}
	s, err := p.Surface(ctx)
	if err != nil {
		return nil, err
	}
	b := badge()
	mark := image.Surface{Width: 128, Height: 128, Pix: b.Pix}
	image.Premultiply(mark.Pix)
	filter := func(k image.FilterKind, amount float64) error {
		s = s.Clone()
		return image.Apply(ctx, s, []image.Filter{{Kind: k, Amount: amount}})
	}
	for _, t := range steps {
		var err error
		switch t.Op {
		case "resize":
			s, err = image.ResizeSurface(ctx, s, image.Rect{Width: float64(s.Width), Height: float64(s.Height)}, t.Width, t.Height, image.Lanczos3)
		case "crop":
			s, err = image.Crop(s, (s.Width-t.Width)/2, (s.Height-t.Height)/2, t.Width, t.Height)
		case "flop":
			s = image.Flip(s, true, false)
		case "flip":
			s = image.Flip(s, false, true)
		case "rotate":
			s, err = image.Rotate(ctx, s, t.Amount)
		case "blur":
			err = filter(image.Blur, t.Amount)
		case "brightness":
			err = filter(image.Brightness, t.Amount)
		case "contrast":
			err = filter(image.Contrast, t.Amount)
		case "saturate":
			err = filter(image.Saturate, t.Amount)
		case "composite":
			s = s.Clone()
			image.Draw(s, &mark, t.X, t.Y, image.SourceOver, 255)
		default:
			err = fmt.Errorf("no operation %s", t.Op)
		}
		if err != nil {
			return nil, err
		}
	}
	return image.FromSurface(s).Encode(ctx, image.PNG, [4]uint8{}, image.EncodeOptions{})
}

// imagingChain keeps the picture decoded, too.
func imagingChain(data []byte, steps []step) ([]byte, error) {
	m, err := imaging.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	mark := badge()
	for _, t := range steps {
		switch t.Op {
		case "resize":
			m = imaging.Resize(m, t.Width, t.Height, imaging.Lanczos)
		case "crop":
			m = imaging.CropCenter(m, t.Width, t.Height)
		case "flop":
			m = imaging.FlipH(m)
		case "flip":
			m = imaging.FlipV(m)
		case "rotate": // counter-clockwise there
			switch t.Amount {
			case 90:
				m = imaging.Rotate270(m)
			case 270:
				m = imaging.Rotate90(m)
			default:
				m = imaging.Rotate(m, -t.Amount, color.Transparent)
			}
		case "blur":
			m = imaging.Blur(m, t.Amount)
		case "brightness": // adds there, which costs the same
			m = imaging.AdjustBrightness(m, 100*(t.Amount-1))
		case "contrast":
			m = imaging.AdjustContrast(m, 100*(t.Amount-1))
		case "saturate":
			m = imaging.AdjustSaturation(m, 100*(t.Amount-1))
		case "composite":
			m = imaging.Overlay(m, mark, stdimage.Pt(t.X, t.Y), 1)
		default:
			return nil, fmt.Errorf("no operation %s", t.Op)
		}
	}
	var b bytes.Buffer
	err = imaging.Encode(&b, m, imaging.PNG)
	return b.Bytes(), err
}
