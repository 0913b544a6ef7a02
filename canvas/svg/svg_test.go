package svg

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quicksand/media/image"
)

// render draws a document at its own size.
func render(t testing.TB, document string) *image.Surface {
	t.Helper()
	p, err := image.Open([]byte(document), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Surface(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// difference is the mean difference of samples in 255ths, and the share of pixels that differ
// by more than 32.
func difference(a, b *image.Surface) (mae, off float64) {
	sum, far := 0, 0
	for i := 0; i < len(a.Pix); i += 4 {
		most := 0
		for c := range 4 {
			d := int(a.Pix[i+c]) - int(b.Pix[i+c])
			if d < 0 {
				d = -d
			}
			sum += d
			most = max(most, d)
		}
		if most > 32 {
			far++
		}
	}
	return float64(sum) / float64(len(a.Pix)), float64(far) / float64(len(a.Pix)/4)
}

// TestDocumentsLookAsInLibrsvg compares the documents of testdata with what make.cjs has made
// of them.
func TestDocumentsLookAsInLibrsvg(t *testing.T) {
	// Where more than the common 0.5 is allowed, and why.
	allowed := map[string]float64{
		"pattern": 1.5, // it blends the colours at the corners of a rotated tile into each other
	}
	files, err := filepath.Glob("testdata/*.svg")
	if err != nil || len(files) < 15 {
		t.Fatalf("%d documents, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".svg")
		t.Run(name, func(t *testing.T) {
			document, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			golden, err := os.ReadFile(strings.TrimSuffix(file, "svg") + "png")
			if err != nil {
				t.Fatal(err)
			}
			p, err := image.Open(golden, nil)
			if err != nil {
				t.Fatal(err)
			}
			want, err := p.Surface(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got := render(t, string(document))
			if got.Width != want.Width || got.Height != want.Height {
				t.Fatalf("size %d×%d, want %d×%d", got.Width, got.Height, want.Width, want.Height)
			}
			limit := allowed[name]
			if limit == 0 {
				limit = 0.5
			}
			mae, off := difference(got, want)
			t.Logf("mean difference %.3f, %.2f %% of pixels off", mae, off*100)
			if mae > limit {
				t.Errorf("mean difference %.3f, limit %.1f", mae, limit)
			}
			if out := os.Getenv("SVG_OUT"); out != "" {
				data, err := image.FromSurface(got).Encode(t.Context(), image.PNG, [4]uint8{}, image.EncodeOptions{})
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(out, name+".png"), data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
