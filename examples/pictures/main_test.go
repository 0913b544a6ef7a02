package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"quicksand/media/image"
)

func TestPictures(t *testing.T) {
	files, err := pictures()
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 12 {
		t.Errorf("%d files", len(files))
	}
	want := map[string]image.Info{
		"cmyk-swatches.jpg":             {Format: image.JPEG, Width: 192, Height: 144, Frames: 1, Depth: 8},
		"gradient-16bit.png":            {Format: image.PNG, Width: 200, Height: 150, Frames: 1, Depth: 16, Alpha: true},
		"orbit.gif":                     {Format: image.GIF, Width: 120, Height: 120, Frames: 12, Depth: 8, Alpha: true},
		"orientation-6.jpg":             {Format: image.JPEG, Width: 200, Height: 150, Orientation: 6, Frames: 1, Depth: 8},
		"lines-palette-transparent.png": {Format: image.PNG, Width: 200, Height: 150, Frames: 1, Depth: 8, Alpha: true},
		"glow.webp":                     {Format: image.WebP, Width: 200, Height: 150, Frames: 1, Depth: 8, Alpha: true},
		"lines.tiff":                    {Format: image.TIFF, Width: 200, Height: 150, Frames: 1, Depth: 8},
		"gradient.bmp":                  {Format: image.BMP, Width: 200, Height: 150, Frames: 1, Depth: 8},
	}
	var upright *image.Surface
	for name, data := range files {
		p, err := image.Open(data, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s, err := p.Surface(context.Background())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if w, ok := want[name]; ok {
			if i := p.Info; i.Format != w.Format || i.Width != w.Width || i.Height != w.Height || i.Orientation != w.Orientation || i.Frames != w.Frames || i.Depth != w.Depth || i.Alpha != w.Alpha {
				t.Errorf("%s: got %+v", name, i)
			}
		}
		if p.Info.Orientation > 0 {
			if upright == nil {
				upright = s
			}
			if c := s.Pix[:3]; c[0] < 200 || c[1] > 60 || s.Width != upright.Width {
				t.Errorf("%s: the upper left corner is %v", name, c)
			}
		}
		if name == "cmyk-swatches.jpg" {
			// No cyan, magenta, yellow or black at first; all cyan at the right.
			right := s.Pix[4*191:][:3]
			if c := s.Pix[:3]; c[0] < 254 || c[1] < 254 || c[2] < 254 || right[0] > 1 {
				t.Errorf("%s: the corners are %v and %v", name, c, right)
			}
		}
	}
}

// The files in testdata are what the program writes; encoders of another release of Go may
// write others, which the pixels do not show.
func TestFilesInTestdata(t *testing.T) {
	files, err := pictures()
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		disk, err := os.ReadFile(filepath.Join("../../testdata/pictures", name))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(disk, data) {
			continue
		}
		var s [2]*image.Surface
		for i, d := range [][]byte{disk, data} {
			p, err := image.Open(d, nil)
			if err != nil {
				t.Fatal(err)
			}
			if s[i], err = p.Surface(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(s[0].Pix, s[1].Pix) {
			t.Errorf("%s: other pixels than in testdata/pictures", name)
		}
	}
}
