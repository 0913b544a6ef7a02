package text

import (
	"bytes"
	"encoding/binary"
	"math"
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/harfbuzz"

	"quicksand/canvas/geometry"
)

// A Face is a font file, or one of a collection, in one style: synthesised bold or oblique
// ones and instances of a variable font are faces of their own. Faces are compared by their
// address and safe for concurrent use.
type Face struct {
	info FaceInfo
	// hostile is whether a guest registered it: then every use is under recover.
	hostile bool
	// ttf is the file of a bundled face, which is parsed when it is first needed.
	ttf    []byte
	once   sync.Once
	file   *file
	coords []font.VarCoord
	// embolden is by how much of an em synthesised boldness moves the outline outwards.
	embolden float64
	slant    float64 // x per y upwards of a synthesised oblique
	caches   *caches

	shapers sync.Pool // of *shaper
	drawers sync.Pool // of *font.Face: one at a time may use it
}

// FaceInfo describes a face as Fonts.List gives it.
type FaceInfo struct {
	Family string
	// Weight is 1 to 1000, or the least of a variable font.
	Weight float64
	// MaxWeight is the greatest weight of a variable font, otherwise Weight.
	MaxWeight float64
	// Stretch is in percent.
	Stretch float64
	Style   Style
	// Bundled is whether it came with the canvas.
	Bundled bool
	// Colour is whether it has coloured glyphs.
	Colour bool
}

// Info describes the face.
func (f *Face) Info() FaceInfo { return f.info }

// data returns the parsed file.
func (f *Face) data() *file {
	if f.ttf != nil {
		f.once.Do(func() {
			ld, err := opentype.NewLoader(bytes.NewReader(f.ttf))
			if err == nil {
				f.file, err = parseFile(ld)
			}
			if err != nil {
				panic("text: a bundled face does not parse")
			}
		})
	}
	return f.file
}

// file is a parsed font.
type file struct {
	font *font.Font
	upem float64

	// In font units, upwards.
	ascent, descent, typoAscent, typoDescent float64
	hanging, ideographic                     baseline
	smcp, c2sc, pcap, c2pc, unic, titl       bool
	bitmaps                                  bool
	weight, width                            axis
}

// axis is a variation axis; min equals max in a font without it.
type axis struct{ min, max float64 }

// maxSegments is the greatest number of segments of an outline that is drawn. The most
// complex glyphs in use have about 2 000.
const maxSegments = 1 << 15

func tag(s string) opentype.Tag { return opentype.MustNewTag(s) }

// parseFile parses one font. A parser that panics is an error like another.
func parseFile(ld *opentype.Loader) (f *file, err error) {
	defer func() {
		if recover() != nil {
			f, err = nil, errFont
		}
	}()
	parsed, err := font.NewFont(ld)
	if err != nil {
		return nil, errFont
	}
	f = &file{font: parsed, upem: float64(parsed.Upem())}
	if f.upem < 16 || f.upem > 16384 {
		return nil, errFont
	}
	f.readMetrics(ld)
	f.readBaselines(ld)
	f.readAxes(ld)
	f.readFeatures()
	f.bitmaps = len(parsed.BitmapSizes()) > 0
	return f, nil
}

func (f *file) readMetrics(ld *opentype.Loader) {
	i16 := func(b []byte, at int) float64 {
		if at+2 > len(b) {
			return 0
		}
		return float64(int16(binary.BigEndian.Uint16(b[at:])))
	}
	hhea, _ := ld.RawTable(tag("hhea"))
	os2, _ := ld.RawTable(tag("OS/2"))
	f.ascent, f.descent = i16(hhea, 4), -i16(hhea, 6)
	const useTypo = 1 << 7
	if len(os2) >= 78 {
		f.typoAscent, f.typoDescent = i16(os2, 68), -i16(os2, 70)
		if uint16(i16(os2, 62))&useTypo != 0 {
			f.ascent, f.descent = f.typoAscent, f.typoDescent
		}
		if f.ascent == 0 && f.descent == 0 {
			f.ascent, f.descent = i16(os2, 74), i16(os2, 76)
		}
	}
	if f.ascent == 0 && f.descent == 0 {
		f.ascent, f.descent = 0.8*f.upem, 0.2*f.upem
	}
	if f.typoAscent+f.typoDescent <= 0 {
		f.typoAscent, f.typoDescent = f.ascent, f.descent
	}
}

// readAxes looks for the axes of weight and width, of which CSS sets the values.
func (f *file) readAxes(ld *opentype.Loader) {
	raw, _ := ld.RawTable(tag("fvar"))
	if len(raw) < 16 {
		return
	}
	at, n, size := int(binary.BigEndian.Uint16(raw[4:])), int(binary.BigEndian.Uint16(raw[8:])), int(binary.BigEndian.Uint16(raw[10:]))
	for ; n > 0 && at+20 <= len(raw) && size >= 20; n-- {
		fixed := func(i int) float64 { return float64(int32(binary.BigEndian.Uint32(raw[at+i:]))) / 65536 }
		switch opentype.Tag(binary.BigEndian.Uint32(raw[at:])) {
		case tag("wght"):
			f.weight = axis{fixed(4), fixed(12)}
		case tag("wdth"):
			f.width = axis{fixed(4), fixed(12)}
		}
		at += size
	}
}

// vary sets the axes of a variable font, 0 leaving one as it is.
func (f *Face) vary(weight, width float64) {
	if weight == 0 && width == 0 {
		return
	}
	var settings []font.Variation
	if weight != 0 {
		settings = append(settings, font.Variation{Tag: tag("wght"), Value: float32(weight)})
	}
	if width != 0 {
		settings = append(settings, font.Variation{Tag: tag("wdth"), Value: float32(width)})
	}
	defer func() {
		if recover() != nil {
			f.coords = nil
		}
	}()
	face := font.NewFace(f.file.font)
	face.SetVariations(settings)
	f.coords = face.Coords()
}

func (f *file) readFeatures() {
	for _, ft := range f.font.GSUB.Features {
		switch ft.Tag {
		case tag("smcp"):
			f.smcp = true
		case tag("c2sc"):
			f.c2sc = true
		case tag("pcap"):
			f.pcap = true
		case tag("c2pc"):
			f.c2pc = true
		case tag("unic"):
			f.unic = true
		case tag("titl"):
			f.titl = true
		}
	}
}

// extents are those of the face at a size, as Chromium has them: the ascent and the descent
// of the font rounded to whole pixels, the hanging baseline at four fifths of that ascent and
// the ideographic one at the descent where the font does not say where they are, the em box in
// the proportion of the typographic ascent and descent. With precise, as Chromium does for
// geometricPrecision, a descent that is rounded down takes a pixel from the ascent.
func (f *Face) extents(size float64, precise bool) extents {
	ft := f.data()
	e := extents{
		ascent:  math.Round(ft.ascent / ft.upem * size),
		descent: math.Round(ft.descent / ft.upem * size),
	}
	if precise && e.descent < ft.descent/ft.upem*size && e.ascent >= 1 {
		e.ascent--
		e.descent++
	}
	e.hanging = e.ascent * 0.8
	if ft.hanging.known {
		e.hanging = ft.hanging.at / ft.upem * size
	}
	e.ideograph = e.descent
	if ft.ideographic.known {
		e.ideograph = -ft.ideographic.at / ft.upem * size
	}
	e.emAscent = ft.typoAscent / (ft.typoAscent + ft.typoDescent) * size
	e.emDescent = size - e.emAscent
	return e
}

// newFontFace returns a face of the library, which only one goroutine may use at a time.
func (f *Face) newFontFace() *font.Face {
	face := font.NewFace(f.data().font)
	if f.coords != nil {
		face.SetCoords(f.coords)
	}
	return face
}

// drawer returns a face of the library to take glyphs from, to be put back.
func (f *Face) drawer() *font.Face {
	if face, ok := f.drawers.Get().(*font.Face); ok {
		return face
	}
	return f.newFontFace()
}

// outline is a glyph in ems, y downwards.
type outline struct {
	path geometry.Path
	box  box
	ink  bool
}

func (f *Face) outline(id uint32) *outline {
	key := glyphKey{f, id}
	if o, ok := f.caches.frontOutlines.get(id, key); ok {
		return o
	}
	o, ok := f.caches.outlines.get(key)
	if !ok {
		o = f.makeOutline(id)
		f.caches.outlines.put(key, o, 200+o.path.Len()*48)
	}
	f.caches.frontOutlines.put(id, key, o)
	return o
}

func (f *Face) makeOutline(id uint32) (o *outline) {
	o = new(outline)
	if f.hostile {
		defer func() {
			if recover() != nil {
				o = new(outline)
			}
		}()
	}
	face := f.drawer()
	data, ok := face.GlyphDataOutline(font.GID(id))
	f.drawers.Put(face)
	if !ok || len(data.Segments) == 0 || len(data.Segments) > maxSegments {
		return o
	}
	segments := data.Segments
	if f.embolden != 0 {
		segments = embolden(segments, f.embolden*f.data().upem)
	}
	k := 1 / f.data().upem
	at := func(p opentype.SegmentPoint) (x, y float64) {
		x, y = float64(p.X)*k, float64(p.Y)*k
		return x + float64(y*f.slant), -y
	}
	p := &o.path
	for _, s := range segments {
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			p.Close()
			x, y := at(s.Args[0])
			p.MoveTo(x, y)
		case opentype.SegmentOpLineTo:
			x, y := at(s.Args[0])
			p.LineTo(x, y)
		case opentype.SegmentOpQuadTo:
			cx, cy := at(s.Args[0])
			x, y := at(s.Args[1])
			p.QuadTo(cx, cy, x, y)
		case opentype.SegmentOpCubeTo:
			ax, ay := at(s.Args[0])
			bx, by := at(s.Args[1])
			x, y := at(s.Args[2])
			p.CubicTo(ax, ay, bx, by, x, y)
		}
	}
	p.Close()
	o.box, o.ink = bounds(p)
	return o
}

// shaper holds what shaping with a face needs; one goroutine at a time uses it.
type shaper struct {
	buffer *harfbuzz.Buffer
	font   *harfbuzz.Font
}

// unit is the resolution of positions: font units divided by 64, so that advances of variable
// fonts are not rounded to units.
const unit = 64

func (f *Face) shaper() *shaper {
	if s, ok := f.shapers.Get().(*shaper); ok {
		return s
	}
	s := &shaper{harfbuzz.NewBuffer(), harfbuzz.NewFont(f.newFontFace())}
	s.font.XScale *= unit
	s.font.YScale *= unit
	return s
}

// has tells whether the face has a glyph for the character.
func (f *Face) has(r rune) (ok bool) {
	if f.hostile {
		defer func() { _ = recover() }()
	}
	_, ok = f.data().font.NominalGlyph(r)
	return ok
}
