package text

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"

	bundle "quicksand/canvas/fonts"
)

// Limits of the faces that a Fonts takes.
const (
	// MaxFontBytes is the greatest size of a font, unpacked.
	MaxFontBytes = 32 << 20
	// MaxFontsBytes is that of all fonts of a set together.
	MaxFontsBytes = 64 << 20
	// MaxFaces is the greatest number of registered faces.
	MaxFaces = 64
	// maxFamily is the greatest length of a family's name in bytes.
	maxFamily = 200
)

// errFont says nothing about what a parser found: its words are not for guests.
var errFont = errors.New("register font: the data is not a TrueType, OpenType, WOFF or WOFF2 font that can be read")

// Fonts is a set of faces: the bundled ones, which are parsed when they are first used, once
// per process, and those registered with it. It is safe for concurrent use.
//
// The shaped words, outlines and masks of registered faces are kept with the set and go when
// it goes; those of bundled faces are kept by the process, within fixed limits.
type Fonts struct {
	mu         sync.RWMutex
	registered []*Face
	bytes      int
	caches     *caches
	stacks     map[stackKey]*stack
	// instances are the faces made from others: of variable fonts, bold, oblique.
	instances map[instance]*Face
}

// instance says how a face is made from another.
type instance struct {
	of            *Face
	weight, width float64 // of the axes of a variable font
	bold, oblique bool
}

// NewFonts returns a set with the bundled faces. It costs nothing.
func NewFonts() *Fonts { return new(Fonts) }

// bundled are the faces of package fonts, shared by the process.
var bundled = sync.OnceValue(func() []*Face {
	caches := newCaches()
	var list []*Face
	for _, b := range bundle.Faces() {
		f := &Face{ttf: b.TTF, caches: caches}
		f.info = FaceInfo{Family: b.Family, Weight: b.Weight, MaxWeight: b.Weight, Stretch: 100, Bundled: true}
		if b.Italic {
			f.info.Style = Italic
		}
		list = append(list, f)
	}
	return list
})

// FaceOptions say under what name and style a face is registered. The zero value takes all
// from the font.
type FaceOptions struct {
	Family string
	// Weight is 1 to 1000, or 0 for that of the font.
	Weight float64
	// Stretch is in percent, or 0 for that of the font.
	Stretch float64
	// Style is nil for that of the font.
	Style *Style
}

// Register adds the faces of a font file: TrueType, OpenType, a collection of them, WOFF or WOFF2. A
// face with the family, weight, stretch and style of a registered one takes its place in the
// choice of faces; a registered family goes before a bundled one of its name. Of a collection,
// all fonts are taken, or with a family given its first one. The data is not kept.
//
// It fails when the data is no such font, or with a *LimitError; then nothing is added.
func (f *Fonts) Register(data []byte, o FaceOptions) ([]FaceInfo, error) {
	if len(data) > MaxFontBytes {
		return nil, &LimitError{"FontBytes", "bytes of a font", MaxFontBytes, int64(len(data))}
	}
	if len(o.Family) > maxFamily {
		return nil, fmt.Errorf("register font: the name of the family has %d bytes, limit %d", len(o.Family), maxFamily)
	}
	fonts, size, err := unpack(data)
	if err != nil {
		return nil, err
	}
	if o.Family != "" {
		fonts = fonts[:1]
		size = len(fonts[0])
	}
	f.mu.RLock()
	err = f.room(len(fonts), size)
	f.mu.RUnlock()
	if err != nil {
		return nil, err
	}
	faces := make([]*Face, len(fonts))
	for i, ttf := range fonts {
		if faces[i], err = registerFace(ttf, o); err != nil {
			return nil, err
		}
	}

	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.room(len(faces), size); err != nil {
		return nil, err
	}
	if f.caches == nil {
		f.caches = newCaches()
	}
	infos := make([]FaceInfo, len(faces))
	for i, face := range faces {
		face.caches = f.caches
		infos[i] = face.info
	}
	f.registered = append(f.registered, faces...)
	f.bytes += size
	f.stacks = nil
	return infos, nil
}

// room reports whether there is room for more.
func (f *Fonts) room(faces, size int) error {
	if n := len(f.registered) + faces; n > MaxFaces {
		return &LimitError{"FontFaces", "registered faces", MaxFaces, int64(n)}
	}
	if n := f.bytes + size; n > MaxFontsBytes {
		return &LimitError{"FontSetBytes", "bytes of registered fonts", MaxFontsBytes, int64(n)}
	}
	return nil
}

func registerFace(ttf []byte, o FaceOptions) (face *Face, err error) {
	defer func() {
		if recover() != nil {
			face, err = nil, errFont
		}
	}()
	ld, err := opentype.NewLoader(bytes.NewReader(ttf))
	if err != nil {
		return nil, errFont
	}
	parsed, err := parseFile(ld)
	if err != nil {
		return nil, errFont
	}
	face = &Face{file: parsed, hostile: true}
	d := parsed.font.Describe()
	d.Aspect.SetDefaults()
	info := FaceInfo{Family: cleanName(d.Family), Weight: float64(d.Aspect.Weight), Stretch: float64(d.Aspect.Stretch) * 100}
	if !(info.Weight >= 1 && info.Weight <= 1000) {
		info.Weight = 400
	}
	if !(info.Stretch >= 1 && info.Stretch <= 1000) {
		info.Stretch = 100
	}
	if d.Aspect.Style == font.StyleItalic {
		info.Style = Italic
	}
	info.MaxWeight = info.Weight
	if w := parsed.weight; w.max > w.min {
		info.Weight, info.MaxWeight = max(w.min, 1), min(w.max, 1000)
	}
	if o.Family != "" {
		info.Family = o.Family
	}
	if o.Weight != 0 {
		info.Weight, info.MaxWeight = o.Weight, o.Weight
	}
	if o.Stretch != 0 {
		info.Stretch = o.Stretch
	}
	if o.Style != nil {
		info.Style = *o.Style
	}
	if info.Family == "" {
		return nil, errors.New("register font: the font names no family and none is given")
	}
	info.Colour = parsed.bitmaps || parsed.font.COLR != nil
	face.info = info
	return face, nil
}

// cleanName makes a name of a font file fit for a guest.
func cleanName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0xfffd {
			return -1
		}
		return r
	}, s)
	s = strings.TrimSpace(s)
	if len(s) > maxFamily {
		s = strings.ToValidUTF8(s[:maxFamily], "")
	}
	return s
}

// List describes the faces of the set: the registered ones in order, then the bundled ones.
func (f *Fonts) List() []FaceInfo {
	f.mu.RLock()
	defer f.mu.RUnlock()
	var list []FaceInfo
	for _, face := range f.registered {
		list = append(list, face.info)
	}
	for _, face := range bundled() {
		list = append(list, face.info)
	}
	return list
}
