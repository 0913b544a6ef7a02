package text

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/go-text/typesetting/font/opentype/tables"
)

// woff2 packs the sans face as WOFF2 with transformed outlines and advances: points as
// triplets of the longest form and those of most of the other forms that fit.
func woff2(t testing.TB) []byte {
	t.Helper()
	tabs := sansTables(t)
	n := reader(tabs["maxp"]).u16(4)
	loca, err := tables.ParseLoca(tabs["loca"], n, reader(tabs["head"]).u16(50) == 1)
	if err != nil {
		t.Fatal(err)
	}
	glyf, err := tables.ParseGlyf(tabs["glyf"], loca)
	if err != nil {
		t.Fatal(err)
	}
	var contours, counts, flags, glyphs, composites, boxes []byte
	bitmap := make([]byte, (n+31)/32*4)
	for i, g := range glyf {
		raw := tabs["glyf"][loca[i]:loca[i+1]]
		switch d := g.Data.(type) {
		case tables.SimpleGlyph:
			contours = append(contours, be(uint16(len(d.EndPtsOfContours)))...)
			if len(d.EndPtsOfContours) == 0 {
				continue
			}
			last := -1
			for _, e := range d.EndPtsOfContours {
				switch k := int(e) - last; {
				case k < 253:
					counts = append(counts, byte(k))
				case k < 506:
					counts = append(counts, 255, byte(k-253))
				default:
					counts = append(counts, be(uint8(253), uint16(k))...)
				}
				last = int(e)
			}
			var x, y int
			box := [4]int16{d.Points[0].X, d.Points[0].Y, d.Points[0].X, d.Points[0].Y}
			for _, p := range d.Points {
				box = [4]int16{min(box[0], p.X), min(box[1], p.Y), max(box[2], p.X), max(box[3], p.Y)}
				f, data := encodeTriplet(int(p.X)-x, int(p.Y)-y)
				if p.Flag&1 == 0 {
					f |= 0x80
				}
				flags, glyphs = append(flags, f), append(glyphs, data...)
				x, y = int(p.X), int(p.Y)
			}
			glyphs = append(glyphs, 0)
			if box != [4]int16{g.XMin, g.YMin, g.XMax, g.YMax} {
				bitmap[i/8] |= 0x80 >> (i % 8)
				boxes = append(boxes, raw[2:10]...)
			}
		case tables.CompositeGlyph:
			contours = append(contours, 0xff, 0xff)
			bitmap[i/8] |= 0x80 >> (i % 8)
			boxes = append(boxes, raw[2:10]...)
			instructed := false
			for at, more := 10, true; more; {
				f := reader(raw).u16(at)
				size := 6
				if f&1 != 0 {
					size = 8
				}
				switch {
				case f&8 != 0:
					size += 2
				case f&0x40 != 0:
					size += 4
				case f&0x80 != 0:
					size += 8
				}
				composites = append(composites, raw[at:at+size]...)
				at += size
				more = f&0x20 != 0
				instructed = instructed || f&0x100 != 0
			}
			if instructed {
				glyphs = append(glyphs, 0)
			}
		default:
			contours = append(contours, 0, 0)
		}
	}
	boxes = append(bitmap, boxes...)
	outlines := be(uint16(0), uint16(0), uint16(n), uint16(1))
	streams := [][]byte{contours, counts, flags, glyphs, composites, boxes, nil}
	for _, s := range streams {
		outlines = append(outlines, be(uint32(len(s)))...)
	}
	outlines = append(outlines, bytes.Join(streams, nil)...)

	metrics := reader(tabs["hhea"]).u16(34)
	advances, bearings := []byte{0}, []byte(nil)
	for i := range metrics {
		advances = append(advances, tabs["hmtx"][4*i:4*i+2]...)
		bearings = append(bearings, tabs["hmtx"][4*i+2:4*i+4]...)
	}
	hmtx := append(append(advances, bearings...), tabs["hmtx"][4*metrics:]...)

	base128 := func(v int) []byte {
		out := []byte{byte(v & 127)}
		for v >>= 7; v > 0; v >>= 7 {
			out = append([]byte{byte(v&127) | 128}, out...)
		}
		return out
	}
	var directory, body []byte
	count := 0
	for i, name := range knownTags {
		table, ok := tabs[name]
		if !ok {
			continue
		}
		count++
		switch name {
		case "glyf":
			directory = append(directory, be(uint8(i), base128(len(table)), base128(len(outlines)))...)
			body = append(body, outlines...)
		case "loca":
			directory = append(directory, be(uint8(i), base128(len(table)), base128(0))...)
		case "hmtx":
			directory = append(directory, be(uint8(i|0x40), base128(len(table)), base128(len(hmtx)))...)
			body = append(body, hmtx...)
		default:
			directory = append(directory, be(uint8(i), base128(len(table)))...)
			body = append(body, table...)
		}
	}
	var packed bytes.Buffer
	w := brotli.NewWriterLevel(&packed, 1)
	w.Write(body)
	w.Close()
	return be("wOF2", uint32(0x00010000), uint32(0), uint16(count), uint16(0), uint32(0), uint32(packed.Len()), make([]byte, 24), directory, packed.Bytes())
}

func encodeTriplet(dx, dy int) (byte, []byte) {
	sign := 0
	ax, ay := dx, dy
	if dx >= 0 {
		sign |= 1
	} else {
		ax = -dx
	}
	if dy >= 0 {
		sign |= 2
	} else {
		ay = -dy
	}
	switch {
	case dx == 0 && ay < 1280:
		return byte(ay>>8<<1 | sign>>1), []byte{byte(ay)}
	case dy == 0 && ax < 1280:
		return byte(10 + ax>>8<<1 | sign&1), []byte{byte(ax)}
	case ax >= 1 && ay >= 1 && ax <= 64 && ay <= 64:
		return byte(20 + (ax-1)&0x30 + (ay-1)&0x30>>2 + sign), []byte{byte((ax-1)&15<<4 | (ay-1)&15)}
	case ax >= 1 && ay >= 1 && ax <= 768 && ay <= 768:
		return byte(84 + 12*((ax-1)>>8) + 4*((ay-1)>>8) + sign), []byte{byte(ax - 1), byte(ay - 1)}
	case ax < 4096 && ay < 4096:
		return byte(120 + sign), []byte{byte(ax >> 4), byte(ax&15<<4 | ay>>8), byte(ay)}
	default:
		return byte(124 + sign), binary.BigEndian.AppendUint16(be(uint16(ax)), uint16(ay))
	}
}

func TestOutlinesOfWOFF2AreRestored(t *testing.T) {
	data := woff2(t)
	fonts := NewFonts()
	if _, err := fonts.Register(data, FaceOptions{Family: "W"}); err != nil {
		t.Fatal(err)
	}
	got, want := fonts.registered[0], bundled()[0]
	n := reader(sansTables(t)["maxp"]).u16(4)
	inked := 0
	for id := range uint32(n) {
		a, b := got.outline(id), want.outline(id)
		if !reflect.DeepEqual(a, b) {
			t.Errorf("glyph %d: %d segments in %v, want %d in %v", id, a.path.Len(), a.box, b.path.Len(), b.box)
		}
		if b.ink {
			inked++
		}
	}
	if inked < 2000 {
		t.Errorf("%d glyphs have ink", inked)
	}
	for _, s := range []string{"iiii", "AVA"} {
		if a, b := shape(t, fonts, "30px W", Options{}, s).Advance, shape(t, fonts, "30px sans-serif", Options{}, s).Advance; a != b {
			t.Errorf("%q: width %v, want %v", s, a, b)
		}
	}
	for _, n := range []int{10, 48, 60, len(data) / 2, len(data) - 1} {
		if _, err := NewFonts().Register(data[:n], FaceOptions{}); err == nil {
			t.Errorf("the first %d bytes are a font", n)
		}
	}
}

func TestBearingsThatAreLeftOutAreTheLeftEnds(t *testing.T) {
	got, ok := restoreHmtx([]byte{3, 1, 2, 3, 4}, 2, []int16{5, -6, 7})
	if want := be(uint16(0x102), uint16(5), uint16(0x304), uint16(0xfffa), uint16(7)); !ok || !bytes.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if _, ok := restoreHmtx([]byte{0, 1, 2}, 1, []int16{5}); ok {
		t.Error("a bearing that is missing is restored")
	}
}

// FuzzWOFF2 changes the outlines of a WOFF2 file at some places.
func FuzzWOFF2(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 0, 1, 0, 1})
	f.Add(be(uint16(0), uint16(0), uint16(1), uint16(1), uint32(2), uint32(1), uint32(3), uint32(7), uint32(0), uint32(4), uint32(0),
		uint16(1), uint8(3), []byte{1, 10, 124}, []byte{1, 2, 0, 9, 0, 9, 0}, uint32(0)))
	f.Fuzz(func(t *testing.T, data []byte) {
		glyf, loca, lefts, ok := restoreGlyf(data)
		if !ok {
			return
		}
		if len(loca) != 4*(len(lefts)+1) || reader(loca).u32(len(loca)-4) != len(glyf) {
			t.Fatalf("%d bytes of outlines, %d of offsets, %d glyphs", len(glyf), len(loca), len(lefts))
		}
		if len(glyf) > 16*len(data)+65536*16 {
			t.Fatalf("%d bytes from %d", len(glyf), len(data))
		}
	})
}
