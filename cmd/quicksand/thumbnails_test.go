package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"quicksand/media/image"
)

// Twenty pictures are decoded several times and encoded with loss: two seconds an engine.
func TestThumbnails(t *testing.T) {
	if testing.Short() {
		t.Skip("takes several seconds")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	eachEngine(t, func(t *testing.T, engine string) {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(filepath.Join(root, "testdata/pictures"))); err != nil {
			t.Fatal(err)
		}
		status, stdout, stderr := execute("", "run", filepath.Join(root, "examples/thumbnails.js"), "--engine", engine, "--json", "--workspace", dir)
		if status != 0 {
			t.Fatalf("got %d, %s%s", status, stdout, stderr)
		}
		var run struct {
			Result struct {
				Pictures int
				Formats  []string
				Sheet    string
				Upright  bool
			}
		}
		if err := json.Unmarshal([]byte(stdout), &run); err != nil {
			t.Fatal(err)
		}
		if r := run.Result; r.Pictures != 20 || len(r.Formats) != 6 || r.Sheet != "900×558" || !r.Upright {
			t.Errorf("got %+v", r)
		}
		read := func(name string) []byte {
			data, err := os.ReadFile(filepath.Join(dir, "thumbnails", name))
			if err != nil {
				t.Fatal(err)
			}
			return data
		}
		var stats []struct {
			Name, Format, Size string
			Luminance          int
			Opaque             bool
			Mean               [3]int
		}
		if err := json.Unmarshal(read("stats.json"), &stats); err != nil {
			t.Fatal(err)
		}
		type facts struct {
			format, size string
			luminance    int
			opaque       bool
		}
		want := map[string]facts{
			"cmyk-swatches.jpg":    {"jpeg", "192×144", 108, true},
			"gradient-16bit.png":   {"png", "200×150", 119, false},
			"orientation-6.jpg":    {"jpeg", "200×150", 207, true},
			"orbit.gif":            {"gif", "120×120", 29, true},
			"glow-transparent.png": {"png", "200×150", 84, false},
			"lines.tiff":           {"tiff", "200×150", 225, true},
		}
		for _, s := range stats {
			if w, ok := want[s.Name]; ok && w != (facts{s.Format, s.Size, s.Luminance, s.Opaque}) {
				t.Errorf("%s: got %+v, want %+v", s.Name, s, w)
			}
		}
		surface := func(name string) *image.Surface {
			p, err := image.Open(read(name), nil)
			if err != nil {
				t.Fatal(err)
			}
			s, err := p.Surface(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		sheet := surface("sheet.png")
		// Between the cells, the paper around a tile, the first swatch, which is without ink, and
		// the red corner of the first picture with an orientation.
		for at, want := range map[[2]int][3]byte{{177, 50}: {255, 255, 255}, {3, 3}: {0xF4, 0xF1, 0xEA}, {7, 7}: {255, 255, 255}, {376, 296}: {210, 40, 40}} {
			got := sheet.Row(at[1])[4*at[0]:][:3]
			for c := range want {
				if d := int(got[c]) - int(want[c]); d > 12 || d < -12 {
					t.Errorf("the sheet is %v at %v, want %v", got, at, want)
					break
				}
			}
		}
		if s := surface("landscape.webp"); s.Width != 160 || s.Height != 120 {
			t.Errorf("a thumbnail of %d×%d", s.Width, s.Height)
		}
		if lossy := read("landscape.webp"); len(lossy) > 12000 || !bytes.Contains(lossy[:64], []byte("VP8 ")) {
			t.Errorf("a thumbnail with loss has %d bytes: %q", len(lossy), lossy[:20])
		}
	})
}
