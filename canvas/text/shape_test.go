package text

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"quicksand/canvas/geometry"
)

func parsed(t testing.TB, css string) Font {
	t.Helper()
	f, ok := ParseFont(css)
	if !ok {
		t.Fatalf("%q is no font", css)
	}
	return f
}

func shape(t testing.TB, fonts *Fonts, css string, o Options, s string) *Line {
	t.Helper()
	l, err := fonts.Shape(context.Background(), parsed(t, css), o, s)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// order returns the offsets of the characters as they are seen.
func order(l *Line) []int {
	var list []int
	for _, g := range l.Glyphs {
		list = append(list, int(g.Cluster))
	}
	return list
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestCharactersStandInVisualOrder(t *testing.T) {
	for _, row := range []struct {
		name, text string
		rtl        bool
		want       []int
	}{
		{"Latin text", "abc", false, []int{0, 1, 2}},
		{"Latin text in a line from right to left", "abc", true, []int{0, 1, 2}},
		{"a full stop goes to the left end there", "abc.", true, []int{3, 0, 1, 2}},
		{"Hebrew text is reversed", "אבג", false, []int{4, 2, 0}},
		{"words of Hebrew are reversed as a whole", "אב גד", false, []int{7, 5, 4, 2, 0}},
		{"Hebrew within Latin", "a אב b", false, []int{0, 1, 4, 2, 6, 7}},
		{"Latin within Hebrew", "א bc ד", true, []int{6, 5, 3, 4, 2, 0}},
		{"digits within Hebrew keep their order", "א 12 ב", false, []int{6, 5, 3, 4, 2, 0}},
		{"Arabic digits after Latin text go to the right of Hebrew", "a ١٢ א", false, []int{0, 1, 7, 6, 2, 4}},
		{"an override reverses Latin text", "\u202eab\u202c", false, []int{0, 4, 3, 5}},
		{"a tab does not end a paragraph", "א\tב", false, []int{3, 2, 0}},
		{"nor does its separator", "א\u2029ב", false, []int{5, 2, 0}},
	} {
		l := shape(t, NewFonts(), "20px DejaVu Sans", Options{RTL: row.rtl}, row.text)
		if got := order(l); !equal(got, row.want) {
			t.Errorf("%s: %q: got %v, want %v", row.name, row.text, got, row.want)
		}
	}
}

func TestGlyphsFollowEachOther(t *testing.T) {
	for _, s := range []string{"Hello, World", "a אב b", "فكرة جيدة", "e\u0301x", "a→b"} {
		for _, o := range []Options{{}, {RTL: true}, {LetterSpacing: 2, WordSpacing: -1}, {Caps: SmallCaps}} {
			l := shape(t, NewFonts(), "20px serif", o, s)
			sum := 0.0
			for _, g := range l.Glyphs {
				sum += g.Advance
			}
			if math.Abs(sum-l.Advance) > 1e-9 || l.Advance <= 0 {
				t.Errorf("%q %+v: advances %v, line %v", s, o, sum, l.Advance)
			}
		}
	}
}

func TestFacesAreChosenForEachCharacter(t *testing.T) {
	for _, row := range []struct {
		name, font, text string
		want             []string
	}{
		{"all in the first face", "20px serif", "ab", []string{"Liberation Serif", "Liberation Serif"}},
		{"a generic family", "20px monospace", "a", []string{"Liberation Mono"}},
		{"a family by another name", "20px Helvetica", "a", []string{"Liberation Sans"}},
		{"families are found without regard to case", "20px LIBERATION mono", "a", []string{"Liberation Mono"}},
		{"the second family when the first is not there", "20px Nowhere, Courier", "a", []string{"Liberation Mono"}},
		{"serif when none is there", "20px Nowhere", "a", []string{"Liberation Serif"}},
		{"a stand-in for a known family", "20px Verdana", "a", []string{"Liberation Sans"}},
		{"no stand-in when another family is there", "20px Verdana, serif", "a", []string{"Liberation Serif"}},
		{"a quoted generic family is none", `20px "monospace"`, "a", []string{"Liberation Serif"}},
		{"a symbol from the fallback", "20px sans-serif", "a✓b", []string{"Liberation Sans", "DejaVu Sans", "Liberation Sans"}},
		{"Arabic from the fallback", "20px sans-serif", "س", []string{"DejaVu Sans"}},
		{"a mark goes with its letter", "20px sans-serif", "✓\u0301", []string{"DejaVu Sans", "DejaVu Sans"}},
		{"what no face has is of the first", "20px monospace", "漢", []string{"Liberation Mono"}},
	} {
		l := shape(t, NewFonts(), row.font, Options{}, row.text)
		var got []string
		for _, g := range l.Glyphs {
			got = append(got, g.Face.Info().Family)
		}
		if strings.Join(got, ",") != strings.Join(row.want, ",") {
			t.Errorf("%s: got %v, want %v", row.name, got, row.want)
		}
	}
}

func TestAMissingCharacterIsABox(t *testing.T) {
	l := shape(t, NewFonts(), "40px sans-serif", Options{}, "漢")
	if len(l.Glyphs) != 1 || l.Glyphs[0].ID != 0 || l.Advance < 10 {
		t.Fatalf("%+v, advance %v", l.Glyphs, l.Advance)
	}
	x0, y0, x1, y1, ok := l.Ink()
	if !ok || x1-x0 < 10 || y1-y0 < 20 {
		t.Errorf("ink %v %v %v %v %v", x0, y0, x1, y1, ok)
	}
}

func TestStylesChooseTheirFace(t *testing.T) {
	for _, row := range []struct {
		font   string
		weight float64
		style  Style
	}{
		{"20px sans-serif", 400, Normal},
		{"italic 20px sans-serif", 400, Italic},
		{"oblique 20px sans-serif", 400, Italic},
		{"bold 20px sans-serif", 700, Normal},
		{"900 20px sans-serif", 700, Normal},
		{"600 20px sans-serif", 700, Normal},
		{"500 20px sans-serif", 400, Normal},
		{"100 20px sans-serif", 400, Normal},
		{"bold italic 20px sans-serif", 700, Italic},
		{"italic 20px DejaVu Sans", 400, Normal},
	} {
		g := shape(t, NewFonts(), row.font, Options{}, "a").Glyphs[0]
		if i := g.Face.Info(); i.Weight != row.weight || i.Style != row.style {
			t.Errorf("%s: got %v %v", row.font, i.Weight, i.Style)
		}
	}
	upright := shape(t, NewFonts(), "40px DejaVu Sans", Options{}, "l")
	oblique := shape(t, NewFonts(), "italic 40px DejaVu Sans", Options{}, "l")
	_, _, a, _, _ := upright.Ink()
	_, _, b, _, _ := oblique.Ink()
	if b < a+4 {
		t.Errorf("an oblique l reaches to %v, an upright one to %v", b, a)
	}
	if upright.Advance != oblique.Advance {
		t.Errorf("advances %v, %v", upright.Advance, oblique.Advance)
	}
}

func TestWeightsAreChosenAsInCSS(t *testing.T) {
	faces := func(weights ...float64) []*Face {
		var list []*Face
		for _, w := range weights {
			list = append(list, &Face{info: FaceInfo{Family: "F", Weight: w, MaxWeight: w, Stretch: 100}})
		}
		return list
	}
	for _, row := range []struct {
		have       []float64
		want, face float64
	}{
		{[]float64{300, 500, 700}, 400, 500},
		{[]float64{300, 700}, 400, 300},
		{[]float64{300, 400}, 500, 400},
		{[]float64{600, 700}, 450, 600},
		{[]float64{100, 300, 400}, 200, 100},
		{[]float64{300, 400}, 200, 300},
		{[]float64{400, 800, 900}, 700, 800},
		{[]float64{400, 500}, 700, 500},
		{[]float64{450, 500}, 400, 450},
	} {
		if got := best(faces(row.have...), "f", &Font{Weight: row.want}, 100).info.Weight; got != row.face {
			t.Errorf("%v of %v: got %v, want %v", row.want, row.have, got, row.face)
		}
	}
	wide := []*Face{
		{info: FaceInfo{Family: "F", Weight: 400, MaxWeight: 400, Stretch: 75}},
		{info: FaceInfo{Family: "F", Weight: 400, MaxWeight: 400, Stretch: 125}},
	}
	for _, row := range [][2]float64{{100, 75}, {50, 75}, {112.5, 125}, {200, 125}, {75, 75}} {
		if got := best(wide, "F", &Font{Weight: 400}, row[0]).info.Stretch; got != row[1] {
			t.Errorf("stretch %v: got %v, want %v", row[0], got, row[1])
		}
	}
}

func TestAStringIsBounded(t *testing.T) {
	fonts := NewFonts()
	_, err := fonts.Shape(context.Background(), DefaultFont, Options{}, strings.Repeat("a", MaxText+1))
	if err == nil || !strings.Contains(err.Error(), "1048577 bytes of one text exceeds the 1048576 limit (TextBytes)") {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, s := range []string{"", "a", strings.Repeat("a ", 10000), strings.Repeat("א ", 10000)} {
		if _, err := fonts.Shape(ctx, DefaultFont, Options{}, s); len(s) != 1 && !errors.Is(err, context.Canceled) {
			t.Errorf("%d bytes: got %v", len(s), err)
		}
	}
}

// A megabyte of open isolates took two minutes, and more than any test may take.
func TestOpenIsolatesAreNotQuadratic(t *testing.T) {
	s := strings.Repeat("\u2067a", MaxText/4)
	if l := shape(t, NewFonts(), "10px serif", Options{}, s); len(l.Glyphs) != MaxText/2 {
		t.Errorf("%d glyphs", len(l.Glyphs))
	}
	runes := []rune(strings.Repeat("\u2067", 200) + "a" + strings.Repeat("\u2069", 201))
	flattenIsolates(runes)
	if n := strings.Count(string(runes), "\u2067"); n != maxIsolates {
		t.Errorf("%d isolates", n)
	}
	if n := strings.Count(string(runes), "\u2069"); n != maxIsolates+1 {
		t.Errorf("%d ends", n)
	}
}

func TestEmptyTextHasTheMetricsOfItsFont(t *testing.T) {
	m := shape(t, NewFonts(), "30px sans-serif", Options{}, "").Metrics(AlignCenter, BaselineTop)
	if m.Width != 0 || m.ActualLeft != 0 || m.ActualRight != 0 || m.ActualAscent != 0 || m.ActualDescent != 0 {
		t.Errorf("%+v", m)
	}
	if math.Abs(m.FontAscent-3.727) > 0.001 || math.Abs(m.EmAscent) > 1e-9 || math.Abs(m.EmDescent-30) > 1e-9 {
		t.Errorf("%+v", m)
	}
}

func TestAMaskIsTheOutline(t *testing.T) {
	l := shape(t, NewFonts(), "40px sans-serif", Options{}, "H")
	g := &l.Glyphs[0]
	mask, x, y, ok := g.Mask(geometry.Matrix{A: 1, D: 1, E: 100.3, F: 50.4}, 0)
	if !ok {
		t.Fatal("no mask")
	}
	x0, y0, x1, y1, _ := l.Ink()
	if x != int(math.Floor(100.25+x0)) || y != int(math.Floor(50+y0)) || x+mask.W != int(math.Ceil(100.25+x1)) || y+mask.H != int(math.Ceil(50+y1)) {
		t.Errorf("at %d %d, %d × %d; ink %v %v %v %v", x, y, mask.W, mask.H, x0, y0, x1, y1)
	}
	sum := 0.0
	for _, v := range mask.Pix {
		sum += float64(v) / 255
	}
	// An H of two stems and a bar, in font units of the glyph: its area by the shoelace
	// formula over its points.
	area := 0.0
	var first, last geometry.Point
	var path geometry.Path
	g.AppendOutline(&path, geometry.Identity)
	path.Each(func(k geometry.Kind, p []geometry.Point) {
		switch k {
		case geometry.Move:
			first, last = p[0], p[0]
		case geometry.Line:
			area += last.X*p[0].Y - p[0].X*last.Y
			last = p[0]
		case geometry.Close:
			area += last.X*first.Y - first.X*last.Y
		default:
			t.Fatal("an H has a curve")
		}
	})
	if area = math.Abs(area) / 2; math.Abs(sum-area) > 0.02*area || area < 100 {
		t.Errorf("mask covers %v, outline %v", sum, area)
	}
	for name, m := range map[string]geometry.Matrix{
		"a rotation":   geometry.Identity.Rotate(0.1),
		"a mirror":     {A: -1, D: 1},
		"a large size": {A: 3, D: 3},
		"no size":      {},
	} {
		if _, _, _, ok := g.Mask(m, 0); ok {
			t.Errorf("%s has a mask", name)
		}
	}
	again, _, _, _ := g.Mask(geometry.Matrix{A: 1, D: 1, E: 7.2, F: -3}, 0)
	if again != mask {
		t.Error("the mask of the same quarter is made again")
	}
	space := shape(t, NewFonts(), "40px sans-serif", Options{}, " ")
	if m, _, _, ok := space.Glyphs[0].Mask(geometry.Identity, 0); !ok || m.W != 0 || len(m.Pix) != 0 {
		t.Errorf("a space has a mask of %d × %d", m.W, m.H)
	}
}

func TestMadeBoldGrows(t *testing.T) {
	plain := bundled()[0]
	bold := &Face{info: plain.info, file: plain.data(), caches: newCaches(), embolden: 0.05}
	a, b := plain.outline(43), bold.outline(43) // H
	for name, d := range map[string]float64{
		"left": a.box.x0 - b.box.x0, "right": b.box.x1 - a.box.x1,
		"top": a.box.y0 - b.box.y0, "bottom": b.box.y1 - a.box.y1,
	} {
		if math.Abs(d-0.05) > 0.001 {
			t.Errorf("%s moves outwards by %v", name, d)
		}
	}
}

func TestTheCacheIsBounded(t *testing.T) {
	c := cache[int, int]{limit: 1000}
	for i := range 10000 {
		c.put(i, i, 10)
		c.get(0)
	}
	if n := len(c.young) + len(c.old); n > 100 {
		t.Errorf("%d entries of 10 bytes, limit 1000", n)
	}
	if _, ok := c.get(0); !ok {
		t.Error("the entry in use is gone")
	}
	if _, ok := c.get(100); ok {
		t.Error("an entry that is not used is still there")
	}
	c.put(-1, 1, 600)
	if _, ok := c.get(-1); ok {
		t.Error("an entry above half of the limit is kept")
	}
}

func TestLanguagesHaveTheirForms(t *testing.T) {
	glyph := func(lang string) uint32 {
		return shape(t, NewFonts(), "20px DejaVu Sans", Options{Lang: lang}, "б").Glyphs[0].ID
	}
	if plain := glyph(""); glyph("sr") == plain || glyph("sr-Cyrl-RS") != glyph("sr") || glyph("ru") != plain {
		t.Errorf("be is %d, in Serbian %d, in Russian %d", plain, glyph("sr"), glyph("ru"))
	}
	glyph(strings.Repeat("x-", 1000))
}

func TestSmallCapitalsOfAFontAreUsed(t *testing.T) {
	tables := sansTables(t)
	// A feature smcp that puts an H for an a.
	const glyphSmallA = 68
	lookups := be(uint16(1), uint16(4), uint16(1), uint16(0), uint16(1), uint16(8),
		uint16(2), uint16(8), uint16(1), uint16(glyphH), uint16(1), uint16(1), uint16(glyphSmallA))
	features := be(uint16(1), "smcp", uint16(8), uint16(0), uint16(1), uint16(0))
	scripts := be(uint16(1), "DFLT", uint16(8), uint16(4), uint16(0), uint16(0), uint16(0xffff), uint16(1), uint16(0))
	tables["GSUB"] = be(uint32(0x00010000), uint16(10), uint16(10+len(scripts)), uint16(10+len(scripts)+len(features)), scripts, features, lookups)
	fonts := NewFonts()
	if _, err := fonts.Register(pack(t, tables), FaceOptions{Family: "S"}); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name, font string
		caps       Caps
		id         uint32
		size       float64
	}{
		{"the font's own, by the shorthand", "small-caps 20px S", CapsNormal, glyphH, 20},
		{"the font's own, by the property", "20px S", SmallCaps, glyphH, 20},
		{"none", "20px S", CapsNormal, glyphSmallA, 20},
		{"made ones, where the font lacks the variant", "20px S", AllSmallCaps, glyphA, 14},
		{"made ones, where the font has none", "small-caps 20px sans-serif", CapsNormal, glyphA, 14},
	} {
		g := shape(t, fonts, row.font, Options{Caps: row.caps}, "a").Glyphs[0]
		if g.ID != row.id || g.Size != row.size {
			t.Errorf("%s: glyph %d at %v, want %d at %v", row.name, g.ID, g.Size, row.id, row.size)
		}
	}
}

// The spans of the parts of one string must cover it, whatever it is made of.
func FuzzShape(f *testing.F) {
	for _, s := range []string{"Hello, World", "abc שלום 123", "a\tb\u2029c\xff", "👩‍👩‍👧 e\u0301", "straße \u202e\u2067x"} {
		f.Add(s, uint8(0), 0.0)
		f.Add(s, uint8(0xff), 2.5)
	}
	fonts := NewFonts()
	f.Fuzz(func(t *testing.T, s string, bits uint8, spacing float64) {
		if len(s) > 2000 || math.IsNaN(spacing) || math.Abs(spacing) > 1e6 {
			return
		}
		o := Options{RTL: bits&1 != 0, Caps: Caps(bits >> 1 & 7 % 7), Kerning: Kerning(bits >> 4 & 1), LetterSpacing: spacing}
		l, err := fonts.Shape(context.Background(), DefaultFont, o, s)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, g := range l.Glyphs {
			if int(g.Cluster) < 0 || int(g.Cluster) >= len(s) {
				t.Fatalf("%q: a glyph of offset %d", s, g.Cluster)
			}
			sum += g.Advance
		}
		if s != "" && len(l.Glyphs) == 0 {
			t.Fatalf("%q has no glyphs", s)
		}
		if math.Abs(sum-l.Advance) > 1e-6*(1+math.Abs(spacing))*float64(len(s)+1) {
			t.Fatalf("%q: advances %v, line %v", s, sum, l.Advance)
		}
		l.Metrics(AlignCenter, BaselineHanging)
	})
}
