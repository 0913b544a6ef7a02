package svg

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shapes is a document of n shapes of several kinds in 512 by 512 pixels.
func shapes(n int) []byte {
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512"><style>.a{fill:#345;stroke:gold}</style><linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient>`)
	for i := range n {
		x, y := i*37%500, i*91%500
		switch i % 4 {
		case 0:
			fmt.Fprintf(&b, `<rect class="a" x="%d" y="%d" width="30" height="20" rx="4"/>`, x, y)
		case 1:
			fmt.Fprintf(&b, `<circle cx="%d" cy="%d" r="15" fill="url(#g)"/>`, x, y)
		case 2:
			fmt.Fprintf(&b, `<path d="M%d %dc10 -20 30 20 40 0s-20 -30 -40 0" fill="none" stroke="#080" stroke-width="2"/>`, x, y)
		case 3:
			fmt.Fprintf(&b, `<text x="%d" y="%d" font-size="12" font-family="sans-serif">Item %d</text>`, x, y, i)
		}
	}
	b.WriteString("</svg>")
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	data := shapes(1000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRender(b *testing.B) {
	d, err := Parse(shapes(1000))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Render(b.Context(), 512, 512, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDocuments(b *testing.B) {
	files, _ := filepath.Glob("testdata/*.svg")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(strings.TrimSuffix(filepath.Base(file), ".svg"), func(b *testing.B) {
			for b.Loop() {
				d, err := Parse(data)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := d.Render(b.Context(), 160, 120, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
