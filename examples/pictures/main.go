// Command pictures writes the pictures that thumbnails.js reads: one of each kind that is
// met in a folder, always the same bytes.
//
//	go run ./examples/pictures testdata/pictures
package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	stdimage "image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"quicksand/media/image"
)

const width, height = 200, 150

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: pictures DIR")
	}
	files, err := pictures()
	if err != nil {
		log.Fatal(err)
	}
	if err := os.MkdirAll(os.Args[1], 0o777); err != nil {
		log.Fatal(err)
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), data, 0o666); err != nil {
			log.Fatal(err)
		}
	}
}

// pictures are the files by name.
func pictures() (map[string][]byte, error) {
	files := map[string][]byte{"cmyk-swatches.jpg": cmyk(24, 18)}
	add := func(name string, write func(b *bytes.Buffer) error) error {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		files[name] = b.Bytes()
		return nil
	}
	photo := landscape()
	kinds := []struct {
		name  string
		write func(b *bytes.Buffer) error
	}{
		{"landscape.jpg", func(b *bytes.Buffer) error { return jpeg.Encode(b, photo, &jpeg.Options{Quality: 85}) }},
		{"landscape-gray.jpg", func(b *bytes.Buffer) error { return jpeg.Encode(b, gray(photo), &jpeg.Options{Quality: 80}) }},
		{"gradient.png", func(b *bytes.Buffer) error { return png.Encode(b, gradient()) }},
		{"gradient-16bit.png", func(b *bytes.Buffer) error { return png.Encode(b, deep()) }},
		{"lines-palette.png", func(b *bytes.Buffer) error { return png.Encode(b, lines(color.White)) }},
		{"lines-palette-transparent.png", func(b *bytes.Buffer) error { return png.Encode(b, lines(color.Transparent)) }},
		{"glow-transparent.png", func(b *bytes.Buffer) error { return png.Encode(b, glow()) }},
		{"orbit.gif", func(b *bytes.Buffer) error { return gif.EncodeAll(b, orbit()) }},
		{"gradient.bmp", func(b *bytes.Buffer) error { return bmp.Encode(b, gradient()) }},
		{"lines.tiff", func(b *bytes.Buffer) error {
			return tiff.Encode(b, lines(color.White), &tiff.Options{Compression: tiff.Deflate})
		}},
		{"glow.webp", func(b *bytes.Buffer) error {
			s := image.New(width, height)
			copy(s.Pix, glow().Pix)
			image.Premultiply(s.Pix)
			data, err := image.FromSurface(s).Encode(context.Background(), image.WebP, [4]uint8{}, image.EncodeOptions{Lossless: true})
			b.Write(data)
			return err
		}},
	}
	for _, k := range kinds {
		if err := add(k.name, k.write); err != nil {
			return nil, err
		}
	}
	// The same picture eight times, as cameras held in eight ways store it: all are shown
	// upright.
	upright := sign()
	for o := 1; o <= 8; o++ {
		back := map[int]int{6: 8, 8: 6}[o]
		if back == 0 {
			back = o
		}
		s := image.Orient(upright, back)
		m := &stdimage.RGBA{Pix: s.Pix, Stride: 4 * s.Width, Rect: stdimage.Rect(0, 0, s.Width, s.Height)}
		if err := add(fmt.Sprintf("orientation-%d.jpg", o), func(b *bytes.Buffer) error {
			var plain bytes.Buffer
			err := jpeg.Encode(&plain, m, &jpeg.Options{Quality: 90})
			b.WriteString("\xFF\xD8\xFF\xE1\x00\x22Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00" +
				string(rune(o)) + "\x00\x00\x00\x00\x00\x00\x00")
			b.Write(plain.Bytes()[2:])
			return err
		}); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// level is a sample of v, 0 to 1.
func level(v float64) uint8 { return uint8(255*min(max(v, 0), 1) + 0.5) }

// noise is smooth noise of a few sizes, 0 to 1.
type noise [64][64]float64

func newNoise(seed uint64) *noise {
	r := rand.New(rand.NewPCG(seed, 2))
	n := &noise{}
	for y := range n {
		for x := range n[y] {
			n[y][x] = r.Float64()
		}
	}
	return n
}

func (n *noise) at(x, y float64) float64 {
	sum, weight := 0.0, 0.5
	for range 5 {
		x0, y0 := math.Floor(x), math.Floor(y)
		fx, fy := x-x0, y-y0
		fx, fy = fx*fx*(3-2*fx), fy*fy*(3-2*fy)
		i, k := int(x0)&63, int(y0)&63
		top := n[k][i]*(1-fx) + n[k][(i+1)&63]*fx
		bottom := n[(k+1)&63][i]*(1-fx) + n[(k+1)&63][(i+1)&63]*fx
		sum += weight * (top*(1-fy) + bottom*fy)
		x, y, weight = 2*x, 2*y, weight/2
	}
	return sum
}

// landscape has a sky with clouds, hills, and the noise of a sensor.
func landscape() *stdimage.RGBA {
	m := stdimage.NewRGBA(stdimage.Rect(0, 0, width, height))
	clouds, hills, r := newNoise(1), newNoise(2), rand.New(rand.NewPCG(3, 4))
	for x := range width {
		horizon := 60 + 50*hills.at(float64(x)/60, 0)
		for y := range height {
			grain := (r.Float64() - 0.5) / 20
			var c [3]float64
			if float64(y) < horizon {
				v := min(max(2*clouds.at(float64(x)/40, float64(y)/15)-0.8, 0), 1)
				sky := float64(y) / height
				c = [3]float64{0.3 + 0.4*sky + 0.5*v, 0.5 + 0.3*sky + 0.4*v, 0.85 + 0.15*v}
			} else {
				v := hills.at(float64(x)/12, float64(y)/6)
				c = [3]float64{0.15 + 0.3*v, 0.25 + 0.5*v, 0.1 + 0.15*v}
			}
			m.SetRGBA(x, y, color.RGBA{level(c[0] + grain), level(c[1] + grain), level(c[2] + grain), 255})
		}
	}
	return m
}

func gray(m *stdimage.RGBA) *stdimage.Gray {
	g := stdimage.NewGray(m.Rect)
	for y := range height {
		for x := range width {
			g.Set(x, y, m.At(x, y))
		}
	}
	return g
}

func gradient() *stdimage.RGBA {
	m := stdimage.NewRGBA(stdimage.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.SetRGBA(x, y, color.RGBA{level(float64(x) / width), level(float64(y) / height), level(1 - float64(x+y)/(width+height)), 255})
		}
	}
	return m
}

// deep has steps of which 8 bits know nothing.
func deep() *stdimage.NRGBA64 {
	m := stdimage.NewNRGBA64(stdimage.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			v := uint16(20000 + 100*x + y)
			m.SetNRGBA64(x, y, color.NRGBA64{v, v, 65535 - v, uint16(65535 * (height - y) / height)})
		}
	}
	return m
}

// lines are rays and rings without soft edges, in four colours.
func lines(paper color.Color) *stdimage.Paletted {
	m := stdimage.NewPaletted(stdimage.Rect(0, 0, width, height), color.Palette{paper, color.Black, color.RGBA{200, 30, 30, 255}, color.RGBA{30, 60, 200, 255}})
	for y := range height {
		for x := range width {
			dx, dy := float64(x)-width/2, float64(y)-height/2
			d, a := math.Hypot(dx, dy), math.Atan2(dy, dx)
			switch {
			case math.Abs(math.Mod(d, 20)-10) < 0.8:
				m.SetColorIndex(x, y, 1)
			case d > 20 && math.Abs(math.Mod(a+math.Pi, math.Pi/6)-math.Pi/12)*d < 0.8:
				m.SetColorIndex(x, y, 2)
			case d < 8:
				m.SetColorIndex(x, y, 3)
			}
		}
	}
	return m
}

// glow fades out into nothing.
func glow() *stdimage.NRGBA {
	m := stdimage.NewNRGBA(stdimage.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			d := math.Hypot(float64(x)-width/2, float64(y)-height/2) / 75
			m.SetNRGBA(x, y, color.NRGBA{255, level(1.1 - d), level(0.6 - d), level(1.2 - d*1.2)})
		}
	}
	return m
}

// orbit is twelve frames, each of which replaces a part of the one before.
func orbit() *gif.GIF {
	g := &gif.GIF{Config: stdimage.Config{Width: 120, Height: 120}}
	palette := color.Palette{color.RGBA{10, 10, 40, 255}, color.RGBA{250, 220, 80, 255}, color.RGBA{120, 160, 255, 255}}
	for f := range 12 {
		r := stdimage.Rect(5, 5, 115, 115)
		if f == 0 {
			r = stdimage.Rect(0, 0, 120, 120)
		}
		m := stdimage.NewPaletted(r, palette)
		sin, cos := math.Sincos(float64(f) * math.Pi / 6)
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				switch {
				case math.Hypot(float64(x)-60, float64(y)-60) < 18:
					m.SetColorIndex(x, y, 1)
				case math.Hypot(float64(x)-60-42*cos, float64(y)-60-42*sin) < 8:
					m.SetColorIndex(x, y, 2)
				}
			}
		}
		g.Image, g.Delay = append(g.Image, m), append(g.Delay, 8)
	}
	return g
}

// sign shows which way is up: a red corner at the upper left, an arrow that points up.
func sign() *image.Surface {
	s := image.New(width, height)
	image.Fill(s, [4]uint8{240, 240, 230, 255}, image.Copy)
	for y := range height {
		for x := range width {
			c := [4]uint8{20, 90, 60, 255}
			switch {
			case x < 50 && y < 40:
				c = [4]uint8{210, 40, 40, 255}
			case y >= 30 && y < 80 && math.Abs(float64(x)-100) < float64(y-30):
			case y >= 80 && y < 130 && x >= 85 && x < 115:
			default:
				continue
			}
			copy(s.Row(y)[4*x:], c[:])
		}
	}
	return s
}

// cmyk is a JPEG file (ITU-T T.81) of four inks, stored inverted as the Adobe marker says, in
// blocks of 8 by 8 pixels of one colour each: columns and rows of blocks.
func cmyk(columns, rows int) []byte {
	var b []byte
	segment := func(marker byte, body ...byte) {
		b = append(b, 0xFF, marker)
		b = binary.BigEndian.AppendUint16(b, uint16(len(body)+2))
		b = append(b, body...)
	}
	b = append(b, 0xFF, 0xD8)
	segment(0xEE, append([]byte("Adobe"), 0, 100, 0, 0, 0, 0, 0)...)
	segment(0xDB, append([]byte{0}, bytes.Repeat([]byte{8}, 64)...)...) // a step of 8 makes a level of the constant term
	segment(0xC0, 8, byte(rows*8>>8), byte(rows*8), byte(columns*8>>8), byte(columns*8), 4,
		1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 4, 0x11, 0)
	// Constant terms: sizes 0 to 8 in codes of four bits. Others: the end of the block, in one.
	segment(0xC4, 0x00, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8)
	segment(0xC4, 0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	segment(0xDA, 4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 63, 0)
	var acc, bits uint32
	put := func(v, n uint32) {
		acc, bits = acc<<n|v, bits+n
		for bits >= 8 {
			c := byte(acc >> (bits - 8))
			b = append(b, c)
			if c == 0xFF {
				b = append(b, 0)
			}
			bits -= 8
		}
	}
	var last [4]int
	for y := range rows {
		for x := range columns {
			inks := [4]int{255 * x / (columns - 1), 255 * y / (rows - 1), 255 * ((x + y) % 6) / 5, 20 * ((x + 2*y) % 5)}
			for i, ink := range inks {
				v := 255 - ink - 128
				d := v - last[i]
				last[i] = v
				size := uint32(0)
				for a := max(d, -d); a > 0; a >>= 1 {
					size++
				}
				put(size, 4)
				if d < 0 {
					d += 1<<size - 1
				}
				put(uint32(d), size)
				put(0, 1)
			}
		}
	}
	put(0x7F, 7)
	return append(b, 0xFF, 0xD9)
}
