package text

import (
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"
)

// A word is a shaped piece of text in one face, direction and script. It does not depend on
// the size. It is shared and not changed once made.
type word struct {
	glyphs  []wordGlyph // in visual order
	advance int         // in units
	missing bool        // some character has no glyph
}

// wordGlyph is a glyph of a word; lengths are in font units divided by unit, y downwards.
type wordGlyph struct {
	id      uint32
	x, y    int32 // of the origin, from the left end of the word
	advance int32
	cluster int32 // offset in bytes in the text of the word
	// gap is whether letter spacing follows, and blank whether word spacing does.
	gap, blank bool
}

// wordKey is what a word depends on.
type wordKey struct {
	face *Face
	attributes
	text string
}

// attributes are the properties of shaping, other than the face.
type attributes struct {
	rtl    bool
	noKern bool
	noLiga bool // no ligatures, as letters are spaced
	caps   Caps // by features of the font
	script language.Script
	lang   language.Language
}

// Limits of the pieces in which text is shaped. Shaping cannot be stopped, and a hostile font
// may make many glyphs of one character.
const (
	maxWord        = 2048
	maxHostileWord = 256
	// maxKey is the length in bytes of the longest word that is kept.
	maxKey = 256
)

// shapeWord shapes text, which has at most maxWord characters.
func (f *Face) shapeWord(a attributes, text string) *word {
	if len(text) > maxKey {
		return f.makeWord(a, text)
	}
	key := wordKey{f, a, text}
	if w, ok := f.caches.words.get(key); ok {
		return w
	}
	w := f.makeWord(a, text)
	// The text may be part of a long string: the cache must not hold on to that.
	key.text = string(append([]byte(nil), text...))
	f.caches.words.put(key, w, 200+len(text)+len(w.glyphs)*28)
	return w
}

func (f *Face) makeWord(a attributes, text string) (w *word) {
	runes := make([]rune, 0, len(text))
	offsets := make([]int32, 0, len(text))
	for i, r := range text {
		if isSpace(r) {
			r = ' '
		}
		runes = append(runes, r)
		offsets = append(offsets, int32(i))
	}
	if f.hostile {
		defer func() {
			if recover() != nil {
				w = new(word)
			}
		}()
	}
	s := f.shaper()
	b := s.buffer
	b.Clear()
	b.Props.Direction = harfbuzz.LeftToRight
	if a.rtl {
		b.Props.Direction = harfbuzz.RightToLeft
	}
	b.Props.Script = a.script
	b.Props.Language = a.lang
	b.Flags = harfbuzz.Bot | harfbuzz.Eot
	b.AddRunes(runes, 0, len(runes))
	b.Shape(s.font, a.features())

	w = &word{glyphs: make([]wordGlyph, len(b.Info))}
	for i := range b.Info {
		info, pos := &b.Info[i], &b.Pos[i]
		g := &w.glyphs[i]
		*g = wordGlyph{
			id:      uint32(info.Glyph),
			x:       int32(w.advance) + pos.XOffset,
			y:       -pos.YOffset,
			advance: pos.XAdvance,
		}
		if uint(info.Cluster) >= uint(len(runes)) {
			continue
		}
		g.cluster = offsets[info.Cluster]
		r := runes[info.Cluster]
		if i+1 == len(b.Info) || b.Info[i+1].Cluster != info.Cluster {
			// Letters that join are not moved apart.
			g.gap = !zeroWidth(r) && !cursive(a.script)
			g.blank = r == ' ' || r == 0xa0
		}
		w.missing = w.missing || info.Glyph == 0 && !zeroWidth(r)
		w.advance += int(pos.XAdvance)
	}
	f.shapers.Put(s)
	return w
}

var (
	tagKern = tag("kern")
	tagLiga = tag("liga")
	tagClig = tag("clig")
)

// capsFeatures are the features of the caps variants.
var capsFeatures = [...][]opentype.Tag{
	SmallCaps:     {tag("smcp")},
	AllSmallCaps:  {tag("smcp"), tag("c2sc")},
	PetiteCaps:    {tag("pcap")},
	AllPetiteCaps: {tag("pcap"), tag("c2pc")},
	Unicase:       {tag("unic")},
	TitlingCaps:   {tag("titl")},
}

func (a *attributes) features() []harfbuzz.Feature {
	var list []harfbuzz.Feature
	add := func(t opentype.Tag, v uint32) {
		list = append(list, harfbuzz.Feature{Tag: t, Value: v, End: harfbuzz.FeatureGlobalEnd})
	}
	if a.noKern {
		add(tagKern, 0)
	}
	if a.noLiga {
		add(tagLiga, 0)
		add(tagClig, 0)
	}
	for _, t := range capsFeatures[a.caps] {
		add(t, 1)
	}
	return list
}

// cursive tells whether the letters of the script join.
func cursive(s language.Script) bool {
	switch s {
	case language.Arabic, language.Syriac, language.Mongolian, language.Nko, language.Mandaic,
		language.Phags_Pa, language.Hanifi_Rohingya, language.Adlam, language.Manichaean, language.Psalter_Pahlavi:
		return true
	}
	return false
}

// isSpace tells whether the canvas sets the character as a space that ends a word: the white
// space of HTML and what separates lines and paragraphs.
func isSpace(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\v', '\f', '\r', 0x1c, 0x1d, 0x1e, 0x1f, 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

// zeroWidth tells whether the character takes no room: the ones of Unicode that are ignored by
// default.
func zeroWidth(r rune) bool {
	return r >= 0xad && harfbuzz.IsDefaultIgnorable(r)
}

// wordScript returns the script of a word and the length in bytes of its part in that script:
// all of it unless it is of several scripts. Characters of any script go with those before them
// or, at the start, after them.
func wordScript(text string) (script language.Script, n int) {
	script = language.Common
	for i, r := range text {
		s := scriptOf(r)
		if s == language.Common || s == language.Inherited || s == script {
			continue
		}
		if script != language.Common {
			return script, i
		}
		script = s
	}
	return script, len(text)
}

func scriptOf(r rune) language.Script {
	if r < 0x80 {
		if l := r | 0x20; l >= 'a' && l <= 'z' {
			return language.Latin
		}
		return language.Common
	}
	s := language.LookupScript(r)
	switch s {
	case language.Unknown:
		return language.Common
	case language.Katakana: // Japanese is written in several scripts with one set of rules
		return language.Hiragana
	}
	return s
}
