package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	stdimage "image"
	_ "image/png"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Each example that draws writes a PNG, the same on both engines, and an SVG that parses.
func TestDrawingExamples(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name          string
		width, height int
	}{{"chart", 960, 540}, {"social-card", 1200, 630}} {
		var first []byte
		eachEngine(t, func(t *testing.T, engine string) {
			dir := t.TempDir()
			t.Chdir("../..")
			status, _, stderr := execute("", "run", "--engine", engine, "--workspace", dir, "examples/"+c.name+".js")
			t.Chdir(here)
			if status != exitOK {
				t.Fatalf("%s: status %d, stderr %s", c.name, status, stderr)
			}
			png, err := os.ReadFile(filepath.Join(dir, c.name+".png"))
			if err != nil {
				t.Fatal(err)
			}
			m, _, err := stdimage.DecodeConfig(bytes.NewReader(png))
			if err != nil {
				t.Fatal(err)
			}
			if m.Width != c.width || m.Height != c.height {
				t.Errorf("%s: %d×%d, want %d×%d", c.name, m.Width, m.Height, c.width, c.height)
			}
			if first == nil {
				first = png
			} else if !bytes.Equal(first, png) {
				t.Errorf("%s: another picture than on the first engine", c.name)
			}
			svg, err := os.ReadFile(filepath.Join(dir, c.name+".svg"))
			if err != nil {
				t.Fatal(err)
			}
			elements := map[string]int{}
			for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
				token, err := d.Token()
				if errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("%s.svg: %v", c.name, err)
				}
				if e, ok := token.(xml.StartElement); ok {
					elements[e.Name.Local]++
				}
			}
			if elements["svg"] != 1 || elements["linearGradient"] == 0 || elements["path"] < 10 {
				t.Errorf("%s.svg has the elements %v", c.name, elements)
			}
		})
	}
}
