package svg

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quicksand/media/image"
)

// laughs is a document whose uses double n times.
func laughs(n int, attribute string) string {
	var b strings.Builder
	b.WriteString(`<defs><rect id="u0" width="1" height="1"/>`)
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, `<g id="u%d" %s><use href="#u%d"/><use href="#u%d"/></g>`, i, attribute, i-1, i-1)
	}
	fmt.Fprintf(&b, `</defs><use href="#u%d"/>`, n)
	return in(b.String())
}

func repeat(n int, format string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(format, "$", fmt.Sprint(i)))
	}
	return b.String()
}

// hugePNG is a picture of one colour that says it is w by h pixels and is cut short.
func hugePNG(w, h int) string {
	var b bytes.Buffer
	b.WriteString("\x89PNG\r\n\x1a\n")
	chunk := func(kind string, data []byte) {
		fmt.Fprintf(&b, "%c%c%c%c", len(data)>>24, len(data)>>16&255, len(data)>>8&255, len(data)&255)
		sum := crc32.ChecksumIEEE(append([]byte(kind), data...))
		b.WriteString(kind)
		b.Write(data)
		b.Write([]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)})
	}
	chunk("IHDR", []byte{byte(w >> 24), byte(w >> 16), byte(w >> 8), byte(w), byte(h >> 24), byte(h >> 16), byte(h >> 8), byte(h), 8, 0, 0, 0, 0})
	var z bytes.Buffer
	zw := zlib.NewWriter(&z)
	zw.Write(make([]byte, 100))
	zw.Close()
	chunk("IDAT", z.Bytes())
	chunk("IEND", nil)
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())
}

func TestHostileDocuments(t *testing.T) {
	for _, row := range []struct {
		name, document string
		want           string // in the error; "" where it is drawn
	}{
		{"an entity of a document type is not expanded", `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg"><text>&b;</text></svg>`, "entity"},
		{"an external entity is not read", `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><text>&a;</text></svg>`, "entity"},
		{"XML that is not closed", `<svg xmlns="http://www.w3.org/2000/svg"><g>`, "not well formed at line 1"},
		{"another root", `<?xml version="1.0"?><html/>`, "root element is not svg"},
		{"no root", `<?xml version="1.0"?>`, "root element is not svg"},
		{"two roots", in("") + in(""), "root element is not svg"},
		{"an unknown encoding", `<?xml version="1.0" encoding="UTF-7"?><svg/>`, "encoding"},
		{"elements too deep", in(strings.Repeat("<g>", MaxDepth) + strings.Repeat("</g>", MaxDepth)), "exceed the limit of 200"},
		{"elements of others too deep", in(strings.Repeat("<x>", 100_000)), "exceed the limit of 200"},
		{"too many elements", in(strings.Repeat("<g/>", MaxElements)), "elements exceed the limit of 100000"},
		{"too many attributes", in("<g " + repeat(MaxAttributes+1, `a$="" `) + "/>"), "attributes exceed the limit of 400000"},
		{"attributes that mean nothing", in("<g " + repeat(200_000, `a$="" `) + "/>"), ""},
		{"too many selectors", in("<style>" + strings.Repeat("a,", MaxSelectors) + "b{fill:red}</style>"), "selectors exceed the limit of 20000"},
		{"selectors times elements", in("<style>" + repeat(15_000, ".a .b$ .a{fill:red}") + "</style>" + strings.Repeat(`<g class="a"/>`, 20_000)), "comparisons of selectors"},
		{"a long class for many selectors", in("<style>" + repeat(15_000, ".a.b$ {fill:red}") + `</style><g class="a ` + repeat(50_000, "c$ ") + `"/>`), "comparisons of selectors"},
		{"uses that double", laughs(30, ""), "elements drawn exceed the limit of 300000"},
		{"uses that double in groups with opacity", laughs(30, `opacity="0.5"`), "exceed the limit of"},
		{"uses that double in clips", laughs(30, `clip-path="url(#c)"`) + "", "exceed the limit of"},
		{"uses within each other too deep", in(`<defs><g id="u0"/>` + repeat(250, `<g id="v$"><use href="#w$"/></g>`) + `</defs>`), ""},
		{"a chain of uses too deep", in(`<defs><g id="u0"/>` + chainOfUses(250) + `</defs><use href="#u250"/>`), "those of use included"},
		{"clips that clip each other in a chain", in(chainOf(5000, `<clipPath id="c$" clip-path="url(#c%)"><rect width="9" height="9"/></clipPath>`) + `<g clip-path="url(#c5000)">` + rectRed + `</g>`), "exceed"},
		{"masks that mask each other in a chain", in(chainOf(5000, `<mask id="c$" mask="url(#c%)"><rect width="9" height="9"/></mask>`) + `<g mask="url(#c5000)">` + rectRed + `</g>`), "exceed"},
		{"patterns within patterns", in(chainOf(5000, `<pattern id="c$" width="9" height="9" patternUnits="userSpaceOnUse"><rect width="9" height="9" fill="url(#c%)"/></pattern>`) + `<rect width="40" height="40" fill="url(#c5000)"/>`), "exceed"},
		{"layers on layers", `<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="3000">` + strings.Repeat(`<g opacity=".5"><rect width="3000" height="3000"/>`, 20) + strings.Repeat("</g>", 20) + `</svg>`, "layers on top of each other"},
		{"a path of too many segments", in(`<path d="M0 0` + strings.Repeat("h1", 1_500_000) + `"/>`), "exceed"},
		{"a path used until segments are too many", in(`<defs><path id="a" d="M0 0` + strings.Repeat("h1", 50_000) + `"/></defs>` + strings.Repeat(`<use href="#a"/>`, 100)), "segments of paths exceed"},
		{"huge numbers", in(`<rect x="-1e300" y="-1e300" width="1e308" height="1e308" stroke="red" stroke-width="1e300"/><path d="M1e300 1e300L-1e300 1e39" stroke="red"/><circle r="1e308" transform="scale(1e300) scale(1e300)"/><rect width="1e999" height="9"/>`), ""},
		{"tiny dashes on a long line", in(`<path d="M0 0H1e9" stroke="red" stroke-dasharray="1e-9"/>`), ""},
		{"a size beyond surfaces", `<svg xmlns="http://www.w3.org/2000/svg" width="1e9" height="1e9"/>`, "no edge may exceed"},
		{"a picture that says it is huge", in(`<image href="` + hugePNG(1<<15, 1<<15) + `" width="40" height="40"/>`), ""},
		{"pictures of too many pixels", in(strings.Repeat(`<image href="`+hugePNG(8000, 3000)+`" width="40" height="40"/>`, 2)), "pixels of pictures exceed"},
		{"a picture that is damaged is not drawn", in(`<image href="` + hugePNG(100, 100) + `" width="40" height="40"/><image href="data:image/png;base64,!!!" width="4" height="4"/><image href="data:,x" width="4" height="4"/>`), ""},
		{"an SVG in an SVG is not drawn", in(`<image width="40" height="40" href="data:image/svg+xml,%3Csvg/%3E"/>`), ""},
		{"a blur without end", in(`<filter id="a"><feGaussianBlur stdDeviation="1e30"/><feOffset dx="1e300"/></filter><g filter="url(#a)">` + rectRed + `</g>`), ""},
		{"a filter of too many primitives", in(`<filter id="a">` + strings.Repeat(`<feOffset/>`, 200) + `</filter><g filter="url(#a)">` + rectRed + `</g>`), "primitives of a filter exceed the limit of 100"},
		{"a gradient that repeats without end", in(`<linearGradient id="a" x2="1e-9" spreadMethod="repeat">` + repeat(2000, `<stop offset=".$"/>`) + `</linearGradient><rect width="40" height="40" fill="url(#a)"/>`), ""},
		{"a text of too many characters", in(`<text>` + strings.Repeat("a", 100_001) + `</text>`), "characters of a text exceed"},
		{"a character for each position", in(`<text x="` + strings.Repeat("1 ", 20_000) + `">` + strings.Repeat("a", 2_000) + `</text>`), ""},
		{"markers at each vertex", in(`<marker id="m" markerWidth="9" markerHeight="9"><path d="M0 0` + strings.Repeat("h1", 3000) + `" marker-mid="url(#m)"/></marker><path marker-mid="url(#m)" d="M0 0` + strings.Repeat("h.01", 3000) + `"/>`), "exceed"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && len(row.document) > 100_000 {
				t.Skip("takes seconds on a busy machine")
			}
			err := open(t, row.document)
			if row.want == "" && err != nil || row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
				t.Errorf("error %v, want %q", err, row.want)
			}
		})
	}
}

func open(t *testing.T, document string) error {
	p, err := image.Open([]byte(document), nil)
	if err != nil {
		return err
	}
	_, err = p.Surface(t.Context())
	var panicked *image.PanicError
	if errors.As(err, &panicked) {
		t.Fatalf("%v\n%s", panicked, panicked.Stack)
	}
	return err
}

// chainOf repeats a format from 1 to n, $ being the number and % the one before.
func chainOf(n int, format string) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(format, "$", fmt.Sprint(i)), "%", fmt.Sprint(i-1)))
	}
	return b.String()
}

func chainOfUses(n int) string { return chainOf(n, `<g id="u$"><use href="#u%"/></g>`) }

func TestDrawingEndsWithItsContext(t *testing.T) {
	d, err := Parse([]byte(laughs(16, "")))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.Render(ctx, 40, 40, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func FuzzSVG(f *testing.F) {
	files, err := filepath.Glob("testdata/*.svg")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		document, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(document)
	}
	f.Add([]byte(laughs(5, `opacity=".5"`)))
	f.Fuzz(func(t *testing.T, data []byte) {
		root, err := readRoot(data)
		if err != nil {
			return
		}
		w, h := intrinsic(root)
		if !(w > 0 && h > 0) {
			t.Fatalf("size %v×%v", w, h)
		}
		d, err := Parse(data)
		if err != nil {
			return
		}
		if dw, dh := d.Size(); dw != w || dh != h {
			t.Fatalf("the header says %v×%v, the document %v×%v", w, h, dw, dh)
		}
		a, errA := d.Render(t.Context(), 48, 32, Options{})
		b, errB := d.Render(t.Context(), 48, 32, Options{})
		if (errA == nil) != (errB == nil) || errA == nil && !bytes.Equal(a.Pix, b.Pix) {
			t.Fatal("drawn twice, it looks different")
		}
	})
}

// endsAfter is a context that ends when it has been asked so many times.
type endsAfter struct {
	context.Context
	asks, left int
}

func (c *endsAfter) Err() error {
	if c.asks++; c.asks > c.left {
		return context.Canceled
	}
	return nil
}

// TestFiltersEndWithinARow ends the context at every place within the primitives that look at
// each pixel: what is left to do then asks a few times more, and is no row.
func TestFiltersEndWithinARow(t *testing.T) {
	for name, primitive := range map[string]string{
		"blending":           `<feBlend mode="hue" in="SourceGraphic" in2="SourceGraphic"/>`,
		"arithmetic":         `<feComposite operator="arithmetic" k1="1" in="SourceGraphic" in2="SourceGraphic"/>`,
		"matrix":             `<feColorMatrix type="saturate" values="0.5"/>`,
		"transfer":           `<feComponentTransfer><feFuncA type="linear" slope="0.5"/></feComponentTransfer>`,
		"merging":            `<feMerge><feMergeNode in="SourceGraphic"/><feMergeNode in="SourceGraphic"/></feMerge>`,
		"a shadow":           `<feDropShadow dx="1" dy="1" stdDeviation="0"/>`,
		"colours of another": `<feOffset color-interpolation-filters="linearRGB"/><feOffset color-interpolation-filters="sRGB"/>`,
	} {
		d, err := Parse([]byte(`<svg xmlns="http://www.w3.org/2000/svg" width="40" height="400"><filter id="f">` + primitive + `</filter><rect width="40" height="400" filter="url(#f)"/></svg>`))
		if err != nil {
			t.Fatal(err)
		}
		whole := &endsAfter{Context: t.Context(), left: 1 << 30}
		if _, err := d.Render(whole, 40, 400, Options{}); err != nil {
			t.Fatal(err)
		}
		if whole.asks < 300 {
			t.Errorf("%s: 400 rows ask %d times", name, whole.asks)
		}
		for left := 0; left < whole.asks-1; left += 37 {
			c := &endsAfter{Context: t.Context(), left: left}
			if _, err := d.Render(c, 40, 400, Options{}); !errors.Is(err, context.Canceled) {
				t.Fatalf("%s, ended after %d of %d: %v", name, left, whole.asks, err)
			}
			if c.asks > left+20 {
				t.Errorf("%s: asked %d times more after the end", name, c.asks-left)
			}
		}
	}
}
