package text

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/go-fonts/liberation/liberationsansitalic"
	"github.com/go-fonts/liberation/liberationsansregular"

	"quicksand/canvas/geometry"
)

var sansTTF = liberationsansregular.TTF

func sansTables(t testing.TB) sfntTables {
	t.Helper()
	tables, ok := readTables(sansTTF, 0)
	if !ok {
		t.Fatal("no tables")
	}
	return tables
}

func pack(t testing.TB, tables sfntTables) []byte {
	t.Helper()
	data, err := tables.pack("")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func be(values ...any) []byte {
	var b []byte
	for _, v := range values {
		switch v := v.(type) {
		case []byte:
			b = append(b, v...)
		case string:
			b = append(b, v...)
		case uint8:
			b = append(b, v)
		case uint16:
			b = binary.BigEndian.AppendUint16(b, v)
		case uint32:
			b = binary.BigEndian.AppendUint32(b, v)
		default:
			panic("be")
		}
	}
	return b
}

// woff packs the tables of the sans face as WOFF.
func woff(t testing.TB) []byte {
	t.Helper()
	tables := sansTables(t)
	head := be("wOFF", uint32(0x00010000), uint32(0), uint16(len(tables)), uint16(0), make([]byte, 28))
	var body []byte
	at := len(head) + 20*len(tables)
	for name, table := range tables {
		var z bytes.Buffer
		w := zlib.NewWriter(&z)
		w.Write(table)
		w.Close()
		packed := z.Bytes()
		if len(packed) >= len(table) {
			packed = table
		}
		head = append(head, be(name, uint32(at+len(body)), uint32(len(packed)), uint32(len(table)), uint32(0))...)
		body = append(body, packed...)
	}
	return append(head, body...)
}

// collection packs the sans face n times.
func collection(n int) []byte {
	head := be("ttcf", uint32(0x00010000), uint32(n))
	at := len(head) + 4*n
	for range n {
		head = binary.BigEndian.AppendUint32(head, uint32(at))
	}
	font := bytes.Clone(sansTTF)
	for i := range reader(font).u16(4) { // offsets count from the start of the file
		o := 12 + 16*i + 8
		binary.BigEndian.PutUint32(font[o:], uint32(reader(font).u32(o)+at))
	}
	return append(head, font...)
}

func TestRegisteredFontsAreUsed(t *testing.T) {
	oblique := Oblique
	for _, row := range []struct {
		name    string
		data    []byte
		options FaceOptions
		want    []FaceInfo
	}{
		{"a TrueType font by its own name", sansTTF, FaceOptions{},
			[]FaceInfo{{Family: "Liberation Sans", Weight: 400, MaxWeight: 400, Stretch: 100}}},
		{"an italic one", liberationsansitalic.TTF, FaceOptions{},
			[]FaceInfo{{Family: "Liberation Sans", Weight: 400, MaxWeight: 400, Stretch: 100, Style: Italic}}},
		{"one with all options", sansTTF, FaceOptions{Family: "Ünë", Weight: 250, Stretch: 75, Style: &oblique},
			[]FaceInfo{{Family: "Ünë", Weight: 250, MaxWeight: 250, Stretch: 75, Style: Oblique}}},
		{"WOFF", woff(t), FaceOptions{Family: "W"},
			[]FaceInfo{{Family: "W", Weight: 400, MaxWeight: 400, Stretch: 100}}},
		{"a collection", collection(2), FaceOptions{},
			[]FaceInfo{{Family: "Liberation Sans", Weight: 400, MaxWeight: 400, Stretch: 100}, {Family: "Liberation Sans", Weight: 400, MaxWeight: 400, Stretch: 100}}},
		{"the first of a collection that is given a name", collection(2), FaceOptions{Family: "C"},
			[]FaceInfo{{Family: "C", Weight: 400, MaxWeight: 400, Stretch: 100}}},
	} {
		fonts := NewFonts()
		got, err := fonts.Register(row.data, row.options)
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		if len(got) != len(row.want) {
			t.Errorf("%s: %d faces", row.name, len(got))
			continue
		}
		for i := range got {
			if got[i] != row.want[i] {
				t.Errorf("%s: got %+v, want %+v", row.name, got[i], row.want[i])
			}
		}
		if list := fonts.List(); len(list) != len(got)+14 || list[0] != got[0] || !list[len(got)].Bundled {
			t.Errorf("%s: list %+v", row.name, list)
		}
		f := Font{Weight: 400, Stretch: 100, Size: 30, Families: []Family{{Name: strings.ToUpper(got[0].Family)}}}
		l, err := fonts.Shape(context.Background(), f, Options{}, "iiii")
		if err != nil {
			t.Fatal(err)
		}
		if g := l.Glyphs[0]; g.Face.Info().Bundled || math.Abs(l.Advance-26.66) > 0.01 {
			t.Errorf("%s: %+v, width %v", row.name, g.Face.Info(), l.Advance)
		}
		if _, _, _, _, ok := l.Ink(); !ok {
			t.Errorf("%s: no ink", row.name)
		}
	}
}

func TestALaterFaceReplacesItsEqual(t *testing.T) {
	fonts := NewFonts()
	for range 2 {
		if _, err := fonts.Register(sansTTF, FaceOptions{Family: "F"}); err != nil {
			t.Fatal(err)
		}
		shape(t, fonts, "10px F", Options{}, "a") // the choice must not be kept
	}
	if g := shape(t, fonts, "10px F", Options{}, "a").Glyphs[0]; g.Face != fonts.registered[1] {
		t.Error("the first face is still used")
	}
	if _, err := fonts.Register(sansTTF, FaceOptions{Family: "F", Weight: 700}); err != nil {
		t.Fatal(err)
	}
	if g := shape(t, fonts, "bold 10px F", Options{}, "a").Glyphs[0]; g.Face != fonts.registered[2] {
		t.Error("the bold face is not used")
	}
}

func TestBoldIsMadeWhereThereIsNone(t *testing.T) {
	fonts := NewFonts()
	if _, err := fonts.Register(sansTTF, FaceOptions{Family: "F"}); err != nil {
		t.Fatal(err)
	}
	plain, bold := shape(t, fonts, "40px F", Options{}, "H"), shape(t, fonts, "bold 40px F", Options{}, "H")
	a, _, _, _, _ := plain.Ink()
	b, _, _, _, _ := bold.Ink()
	if math.Abs(a-b-40*boldness) > 0.01 || plain.Advance != bold.Advance {
		t.Errorf("left ends %v, %v; widths %v, %v", a, b, plain.Advance, bold.Advance)
	}
}

func TestWhatIsNoFontIsRefused(t *testing.T) {
	table := func(name string, data []byte) []byte {
		tables := sansTables(t)
		tables[name] = data
		var out []byte
		for name, table := range tables { // as pack, without its checks
			out = append(out, be(name, uint32(0), uint32(0), uint32(len(table)))...)
		}
		at := 12 + len(out)
		for i := range len(tables) {
			binary.BigEndian.PutUint32(out[16*i+8:], uint32(at))
			at += len(tables[string(out[16*i:16*i+4])])
		}
		n := len(out)
		for i := range n / 16 {
			out = append(out, tables[string(out[16*i:16*i+4])]...)
		}
		return append(be(uint32(0x00010000), uint16(len(tables)), make([]byte, 6)), out...)
	}
	// A lookup whose 1 000 subtables are at one place, with a list of 65 535 glyphs.
	shared := be(uint32(0x00010000), uint16(0), uint16(0), uint16(10), uint16(1), uint16(4), uint16(1), uint16(0), uint16(1000),
		bytes.Repeat(be(uint16(2006)), 1000), uint16(1), uint16(6), uint16(0), uint16(1), uint16(65535), make([]byte, 131070))
	// One glyph becomes 65 535.
	bomb := be(uint32(0x00010000), uint16(0), uint16(0), uint16(10), uint16(1), uint16(4), uint16(2), uint16(0), uint16(1), uint16(8),
		uint16(1), uint16(0), uint16(1), uint16(8), uint16(65535), make([]byte, 131070))
	// Each of 50 paints has the next one twice.
	tree := be(uint16(1), make([]byte, 12), uint32(34), make([]byte, 16), uint32(1), uint16(36), uint32(10))
	for range 50 {
		tree = append(tree, be(uint8(32), uint8(0), uint16(8), uint8(3), uint8(0), uint16(8))...)
	}
	tree = append(tree, be(uint8(2), uint32(0))...)

	for _, row := range []struct {
		name string
		data []byte
		want string
	}{
		{"nothing", nil, "not a TrueType"},
		{"text", []byte("hello, world, this is no font"), "not a TrueType"},
		{"a header only", sansTTF[:12], "not a TrueType"},
		{"half a font", sansTTF[:len(sansTTF)/2], "not a TrueType"},
		{"an empty WOFF2", be("wOF2", make([]byte, 100)), "not a TrueType"},
		{"a font above the limit", make([]byte, MaxFontBytes+1), "33554433 bytes of a font exceeds the 33554432 limit (FontBytes)"},
		{"a collection of too many", be("ttcf", uint32(0x00010000), uint32(1000)), "1000 fonts of a collection exceeds the 64 limit (FontFaces)"},
		{"a collection that ends early", be("ttcf", uint32(0x00010000), uint32(2), uint32(1000), uint32(2000)), "not a TrueType"},
		{"an empty cmap", table("cmap", nil), "not a TrueType"},
		{"lookups at one place", table("GSUB", shared), "too complex"},
		{"a glyph that becomes many", table("GSUB", bomb), "too complex"},
		{"paints that double", table("COLR", tree), "too complex"},
		{"a character map at one place", table("cmap", be(uint16(0), uint16(1000), make([]byte, 8000))), "too complex"},
		{"glyphs at one place", table("loca", bytes.Repeat([]byte{0, 0, 16, 0, 0, 0, 0, 0}, 2000)), "too complex"},
		{"subroutines that call each other", table("CFF ", nestedCFF(200)), "too complex"},
		{"outlines in CFF2", func() []byte {
			tables, _ := readTables(sansTTF, 0)
			head := be("OTTO", uint16(5), make([]byte, 6))
			var body []byte
			for _, name := range []string{"cmap", "head", "hhea", "hmtx", "maxp"} {
				head = append(head, be(name, uint32(0), uint32(12+5*16+len(body)), uint32(len(tables[name])))...)
				body = append(body, tables[name]...)
			}
			return append(head, body...)
		}(), "no glyphs that are read"},
		{"palettes beyond their colours", table("COLR", be(uint16(0), make([]byte, 12))), "not a TrueType"},
	} {
		fonts := NewFonts()
		_, err := fonts.Register(row.data, FaceOptions{})
		if err == nil || !strings.Contains(err.Error(), row.want) || !strings.HasPrefix(err.Error(), "register font: ") && !errors.As(err, new(*LimitError)) {
			t.Errorf("%s: got %v, want %q", row.name, err, row.want)
		}
		if n := len(fonts.List()); n != 14 {
			t.Errorf("%s: %d faces", row.name, n)
		}
	}
	if _, err := NewFonts().Register(table("GSUB", nil), FaceOptions{}); err != nil {
		t.Errorf("the rows above are refused for another reason: %v", err)
	}
}

func TestGlyphsOfAFontThatMultipliesAreBounded(t *testing.T) {
	tables := sansTables(t)
	// Each A becomes sixteen, by three lookups one after the other.
	lookup := be(uint16(2), uint16(0), uint16(1), uint16(8), uint16(1), uint16(8), uint16(1), uint16(14), uint16(1), uint16(1), uint16(glyphA),
		uint16(16), bytes.Repeat(be(uint16(glyphA)), 16))
	lookups := be(uint16(3))
	for i := range 3 {
		lookups = append(lookups, be(uint16(8+i*len(lookup)))...)
	}
	lookups = append(lookups, bytes.Repeat(lookup, 3)...)
	features := be(uint16(1), "ccmp", uint16(8), uint16(0), uint16(3), uint16(0), uint16(1), uint16(2))
	scripts := be(uint16(1), "DFLT", uint16(8), uint16(4), uint16(0), uint16(0), uint16(0xffff), uint16(1), uint16(0))
	tables["GSUB"] = be(uint32(0x00010000), uint16(10), uint16(10+len(scripts)), uint16(10+len(scripts)+len(features)), scripts, features, lookups)
	fonts := NewFonts()
	if _, err := fonts.Register(pack(t, tables), FaceOptions{Family: "M"}); err != nil {
		t.Fatal(err)
	}
	if l := shape(t, fonts, "10px M", Options{}, "A"); len(l.Glyphs) != 4096 {
		t.Fatalf("%d glyphs", len(l.Glyphs))
	}
	_, err := fonts.Shape(context.Background(), parsed(t, "10px M"), Options{}, strings.Repeat("A ", 1000))
	if err == nil || !strings.Contains(err.Error(), "the 1048576 limit (TextBytes)") {
		t.Errorf("got %v", err)
	}
}

func TestASetOfFontsIsBounded(t *testing.T) {
	fonts := NewFonts()
	for i := range MaxFaces {
		if _, err := fonts.Register(sansTTF, FaceOptions{Family: "F"}); err != nil {
			t.Fatalf("face %d: %v", i, err)
		}
	}
	if _, err := fonts.Register(sansTTF, FaceOptions{}); err == nil || !strings.Contains(err.Error(), "65 registered faces exceeds the 64 limit (FontFaces)") {
		t.Errorf("got %v", err)
	}
	fonts = NewFonts()
	fonts.bytes = MaxFontsBytes
	if _, err := fonts.Register(sansTTF, FaceOptions{}); err == nil || !strings.Contains(err.Error(), "the 67108864 limit (FontSetBytes)") {
		t.Errorf("got %v", err)
	}
	if _, err := NewFonts().Register(sansTTF, FaceOptions{Family: strings.Repeat("a", 201)}); err == nil || !strings.Contains(err.Error(), "201 bytes, limit 200") {
		t.Errorf("got %v", err)
	}
}

// glyphA is the number of the letter A in the sans face, glyphH that of H.
const glyphA, glyphH = 36, 43

func TestLayersOfColour(t *testing.T) {
	tables := sansTables(t)
	tables["CPAL"] = be(uint16(0), uint16(2), uint16(1), uint16(2), uint32(14), uint16(0),
		[]byte{10, 20, 30, 255}, []byte{40, 50, 60, 128}) // blue green red alpha
	tables["COLR"] = be(uint16(0), uint16(1), uint32(14), uint32(20), uint16(3),
		uint16(glyphA), uint16(0), uint16(3),
		uint16(glyphA), uint16(0), uint16(glyphH), uint16(1), uint16(glyphH), uint16(0xffff))
	fonts := NewFonts()
	info, err := fonts.Register(pack(t, tables), FaceOptions{Family: "C"})
	if err != nil {
		t.Fatal(err)
	}
	if !info[0].Colour {
		t.Error("the face has no colours")
	}
	l := shape(t, fonts, "40px C", Options{}, "HA")
	if !l.Coloured() || l.Glyphs[0].Layers() != nil {
		t.Fatal("H has layers, or the line has no colours")
	}
	layers := l.Glyphs[1].Layers()
	if len(layers) != 3 {
		t.Fatalf("%d layers", len(layers))
	}
	for i, want := range []Fill{
		{Kind: FillSolid, Colour: [4]uint8{30, 20, 10, 255}},
		{Kind: FillSolid, Colour: [4]uint8{60, 50, 40, 128}},
		{Kind: FillText, Colour: [4]uint8{0, 0, 0, 255}},
	} {
		if got := layers[i].Fill; got.Kind != want.Kind || got.Colour != want.Colour {
			t.Errorf("layer %d: %+v", i, got)
		}
	}
	var plain geometry.Path
	l.Glyphs[1].AppendOutline(&plain, geometry.Identity)
	a, _ := bounds(&plain)
	b, _ := bounds(layers[0].Path)
	if math.Abs(a.x0-b.x0) > 1e-3 || math.Abs(a.y0-b.y0) > 1e-3 || math.Abs(a.x1-b.x1) > 1e-3 || math.Abs(a.y1-b.y1) > 1e-3 {
		t.Errorf("the layer is at %v, the outline at %v", b, a)
	}
}

func TestPaintsOfColour(t *testing.T) {
	tables := sansTables(t)
	tables["CPAL"] = be(uint16(0), uint16(2), uint16(1), uint16(2), uint32(14), uint16(0),
		[]byte{10, 20, 30, 255}, []byte{40, 50, 60, 128})
	half, one := uint16(1<<13), uint16(1<<14)
	// A glyph's outline, moved by (100, 0) and filled with a linear gradient whose third point
	// is straight above the first.
	line := be(uint8(0), uint16(2), uint16(0), uint16(0), one, half, uint16(1), one)
	gradient := be(uint8(4), []byte{0, 0, 16}, uint16(0), uint16(0), uint16(1000), uint16(500), uint16(0), uint16(2048), line)
	paint := be(uint8(14), []byte{0, 0, 8}, uint16(100), uint16(0), uint8(10), []byte{0, 0, 6}, uint16(glyphH), gradient)
	tables["COLR"] = be(uint16(1), make([]byte, 12), uint32(34), make([]byte, 16), uint32(1), uint16(glyphA), uint32(10), paint)
	fonts := NewFonts()
	if _, err := fonts.Register(pack(t, tables), FaceOptions{Family: "C"}); err != nil {
		t.Fatal(err)
	}
	l := shape(t, fonts, "20.48px C", Options{}, "A")
	layers := l.Glyphs[0].Layers()
	if len(layers) != 1 {
		t.Fatalf("%d layers", len(layers))
	}
	f := layers[0].Fill
	if f.Kind != FillLinear || f.Coords != [6]float64{0, 0, 1000, 0} || len(f.Stops) != 2 {
		t.Fatalf("%+v", f)
	}
	if f.Stops[0] != (Stop{0, [4]uint8{30, 20, 10, 255}}) || f.Stops[1] != (Stop{0.5, [4]uint8{60, 50, 40, 128}}) && f.Stops[1].Offset != 1 {
		t.Errorf("%+v", f.Stops)
	}
	k := l.Glyphs[0].Size / 2048
	if p := f.Matrix.Apply(geometry.Point{X: 1000, Y: 100}); math.Abs(p.X-1100*k) > 1e-9 || math.Abs(p.Y+100*k) > 1e-9 {
		t.Errorf("(1000, 100) is at %v", p)
	}
	x0, _, _, _, ok := l.Ink()
	h := shape(t, NewFonts(), "20.48px Liberation Sans", Options{}, "H")
	left, _, _, _, _ := h.Ink()
	if !ok || math.Abs(x0-left-100*k) > 1e-3 {
		t.Errorf("ink from %v, that of an H from %v", x0, left)
	}
}

func TestPicturesOfGlyphs(t *testing.T) {
	tables := sansTables(t)
	img := image.NewRGBA(image.Rect(0, 0, 20, 10))
	img.Set(0, 0, color.White)
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		t.Fatal(err)
	}
	n := reader(tables["maxp"]).u16(4)
	strike := be(uint16(20), uint16(72))
	at := 4 + 4*(n+1)
	for i := range n + 1 {
		if i == glyphA+1 {
			at += 8 + file.Len()
		}
		strike = binary.BigEndian.AppendUint32(strike, uint32(at))
	}
	strike = append(strike, be(uint16(2), uint16(1), "png ", file.Bytes())...)
	tables["sbix"] = be(uint16(1), uint16(1), uint32(1), uint32(12), strike)
	fonts := NewFonts()
	info, err := fonts.Register(pack(t, tables), FaceOptions{Family: "B"})
	if err != nil {
		t.Fatal(err)
	}
	if !info[0].Colour {
		t.Error("the face has no colours")
	}
	l := shape(t, fonts, "40px B", Options{}, "HA")
	if _, ok := l.Glyphs[0].Bitmap(40); ok {
		t.Error("H is a picture")
	}
	b, ok := l.Glyphs[1].Bitmap(40)
	if !ok || !bytes.Equal(b.Data, file.Bytes()) || b.Width != 40 || b.Height != 20 {
		t.Fatalf("%v %d bytes, %v × %v", ok, len(b.Data), b.Width, b.Height)
	}
	if math.Abs(b.X-l.Glyphs[1].X-4) > 0.01 || math.Abs(b.Y+22) > 0.01 {
		t.Errorf("at %v, %v", b.X-l.Glyphs[1].X, b.Y)
	}
}

// nestedCFF is a CFF table with nine subroutines, each of which calls the next one n times.
func nestedCFF(n int) []byte {
	index := func(items ...[]byte) []byte {
		out := be(uint16(len(items)), uint8(2))
		at := 1
		for _, item := range items {
			out = append(out, be(uint16(at))...)
			at += len(item)
		}
		out = append(out, be(uint16(at))...)
		for _, item := range items {
			out = append(out, item...)
		}
		return out
	}
	call := func(i int) []byte { return []byte{byte(i - 107 + 139), 29} }
	var subrs [][]byte
	for i := range 9 {
		body := bytes.Repeat(call(i+1), n)
		if i == 8 {
			body = nil
		}
		subrs = append(subrs, append(body, 11))
	}
	names, strings, global := index([]byte("F")), be(uint16(0)), index(subrs...)
	top := func(at int) []byte { return index(be(uint8(29), uint32(at), uint8(17))) }
	at := 4 + len(names) + len(top(0)) + len(strings) + len(global)
	return be(uint8(1), uint8(0), uint8(4), uint8(2), names, top(at), strings, global, index(append(call(0), 14)))
}

func TestStepsOfCFFAreCounted(t *testing.T) {
	if err := checkTables(sfntTables{"CFF ": nestedCFF(2)}); err != nil {
		t.Errorf("2 calls in each: %v", err)
	}
	if err := checkTables(sfntTables{"CFF ": nestedCFF(5)}); err != errComplex {
		t.Errorf("5 calls in each: %v", err)
	}
}

func TestEmojiTakeAFaceWithColours(t *testing.T) {
	tables := sansTables(t)
	tables["cmap"] = be(uint16(0), uint16(1), uint16(3), uint16(10), uint32(12),
		uint16(12), uint16(0), uint32(16+24), uint32(0), uint32(2),
		uint32(0x2660), uint32(0x2660), uint32(glyphH), uint32(0x1f600), uint32(0x1f600), uint32(glyphA))
	tables["CPAL"] = be(uint16(0), uint16(1), uint16(1), uint16(1), uint32(14), uint16(0), []byte{0, 0, 255, 255})
	tables["COLR"] = be(uint16(0), uint16(1), uint32(14), uint32(20), uint16(1), uint16(glyphA), uint16(0), uint16(1), uint16(glyphA), uint16(0))
	fonts := NewFonts()
	if _, err := fonts.Register(pack(t, tables), FaceOptions{Family: "Emoji"}); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ name, text, want string }{
		{"an emoji", "😀", "Emoji"},
		{"an emoji that is to be text", "😀\ufe0e", "DejaVu Sans"},
		{"a symbol", "♠", "DejaVu Sans"},
		{"a symbol that is to be an emoji", "♠\ufe0f", "Emoji"},
	} {
		g := shape(t, fonts, "20px DejaVu Sans", Options{}, row.text).Glyphs[0]
		if got := g.Face.Info().Family; got != row.want || g.ID == 0 {
			t.Errorf("%s: got %s, glyph %d", row.name, got, g.ID)
		}
	}
}

// Several goroutines share a set, its faces and the caches of the process.
func TestASetIsShared(t *testing.T) {
	fonts := NewFonts()
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range 20 {
				if j%10 == i {
					if _, err := fonts.Register(sansTTF, FaceOptions{Family: "F"}); err != nil {
						t.Error(err)
					}
				}
				for _, css := range []string{"20px F", "bold 20px F", "italic 20px DejaVu Sans", "20px serif"} {
					f, _ := ParseFont(css)
					l, err := fonts.Shape(context.Background(), f, Options{}, "Hello שלום 123")
					if err != nil {
						t.Error(err)
						return
					}
					l.Metrics(AlignEnd, BaselineTop)
					for k := range l.Glyphs {
						l.Glyphs[k].Mask(geometry.Identity, 0)
					}
				}
				fonts.List()
			}
		}()
	}
	wg.Wait()
}

// FuzzRegister changes a font at some places, registers it and uses all of it.
func FuzzRegister(f *testing.F) {
	f.Add(uint32(0), byte(1), uint32(100), byte(0xff), uint32(200), byte(0x80), "AVfi é")
	for i := range reader(sansTTF).u16(4) {
		at := uint32(reader(sansTTF).u32(12 + 16*i + 8))
		f.Add(at+4, byte(0xff), at+7, byte(0x7f), at+16, byte(1), "Ag")
	}
	f.Fuzz(func(t *testing.T, a uint32, av byte, b uint32, bv byte, c uint32, cv byte, s string) {
		data := bytes.Clone(sansTTF)
		data[a%uint32(len(data))] ^= av
		data[b%uint32(len(data))] ^= bv
		data[c%uint32(len(data))] ^= cv
		use(t, data, s)
	})
}

// FuzzTables puts any bytes in place of a table.
func FuzzTables(f *testing.F) {
	for _, name := range []string{"GSUB", "GPOS", "GDEF", "kern", "COLR", "cmap", "glyf", "hmtx", "name", "gvar", "CFF ", "sbix", "CBLC", "fvar"} {
		f.Add(name, sansTables(f)[name][:min(100, len(sansTables(f)[name]))])
	}
	f.Fuzz(func(t *testing.T, name string, table []byte) {
		if !kept[name] {
			return
		}
		tables := sansTables(t)
		tables[name] = table
		data, err := tables.pack("")
		if err == nil {
			use(t, data, "AVfi é")
		}
	})
}

func use(t *testing.T, data []byte, s string) {
	if len(s) > 1000 {
		s = s[:1000]
	}
	fonts := NewFonts()
	infos, err := fonts.Register(data, FaceOptions{Family: "F"})
	if err != nil {
		if !strings.HasPrefix(err.Error(), "register font: ") || len(fonts.List()) != 14 {
			t.Fatalf("%v, %d faces", err, len(fonts.List()))
		}
		return
	}
	if len(infos) != 1 || infos[0].Family != "F" {
		t.Fatalf("%+v", infos)
	}
	for _, css := range []string{"20px F", "bold italic 20px F"} {
		l, err := fonts.Shape(context.Background(), parsed(t, css), Options{}, s+" AVa fi 12")
		if err != nil {
			t.Fatal(err)
		}
		m := l.Metrics(AlignStart, BaselineMiddle)
		for _, v := range []float64{m.Width, m.ActualLeft, m.ActualRight, m.ActualAscent, m.ActualDescent, m.FontAscent, m.FontDescent, m.EmAscent, m.HangingBaseline} {
			if math.IsNaN(v) || math.Abs(v) > 1e9 {
				t.Fatalf("%+v", m)
			}
		}
		for i := range l.Glyphs {
			g := &l.Glyphs[i]
			if mask, _, _, ok := g.Mask(geometry.Identity, 0); ok && len(mask.Pix) > 1<<20 {
				t.Fatalf("a mask of %d × %d", mask.W, mask.H)
			}
			g.Layers()
			g.Bitmap(20)
		}
	}
}

func FuzzParseFont(f *testing.F) {
	for _, s := range []string{"italic bold 12px/1.5 \"a\\\"b\", serif", "calc(1px + (2px*3)) a", "10px \\31 a", "oblique 20deg 1em x y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		font, ok := ParseFont(s)
		if !ok {
			return
		}
		if !(font.Size >= 0 && font.Size <= maxSize) || !(font.Weight >= 1 && font.Weight <= 1000) || len(font.Families) == 0 {
			t.Fatalf("%q: %+v", s, font)
		}
		once := font.String()
		again, ok := ParseFont(once)
		if !ok && len(once) <= maxShorthand {
			t.Fatalf("%q: %q is no font", s, once)
		}
		if twice := again.String(); ok && twice != once {
			t.Fatalf("%q: %q, then %q", s, once, twice)
		}
	})
}
