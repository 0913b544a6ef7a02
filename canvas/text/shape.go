package text

import (
	"context"
	"math"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/segmenter"
	"golang.org/x/text/unicode/norm"
)

// MaxText is the length in bytes of the longest string that is shaped, and the greatest number
// of its glyphs.
const MaxText = 1 << 20

// Shape sets a string in a font. Words are shaped one by one, as browsers do, unless the
// options ask for kerning across spaces; white space is one space for each character; what no
// face has is the box of the first face that has one.
//
// It fails with a *LimitError when the string is longer than MaxText, and when the context
// ends. Its work is linear in the length of the string.
func (f *Fonts) Shape(ctx context.Context, font Font, o Options, s string) (*Line, error) {
	if len(s) > MaxText {
		return nil, &LimitError{"TextBytes", "bytes of one text", MaxText, int64(len(s))}
	}
	stretch := font.Stretch
	if o.Stretch != 0 {
		stretch = o.Stretch
	}
	size := font.Size
	if size >= 1 {
		// The resolution of sizes in FreeType, with which Chromium measures; it cuts off.
		size = math.Floor(size*64) / 64
	}
	b := builder{
		ctx:   ctx,
		stack: f.stack(&font, stretch),
		size:  size,
		o:     &o,
		line:  &Line{rtl: o.RTL},
	}
	primary := b.stack.faces[0]
	b.line.primary = primary.extents(size, o.Rendering == GeometricPrecision)
	if s == "" {
		return b.line, ctx.Err()
	}
	b.attributes.noKern = o.Kerning == KerningNone
	b.attributes.noLiga = o.LetterSpacing != 0
	if o.Lang != "" && len(o.Lang) <= maxLang {
		b.attributes.lang = language.NewLanguage(o.Lang)
	}
	// Browsers shape word by word only as long as nothing asks for the kerning of spaces.
	b.whole = o.Kerning == KerningNormal || o.Kerning == KerningAuto && o.Rendering >= OptimizeLegibility
	b.setCaps(primary, font.SmallCaps)
	b.line.Glyphs = make([]Glyph, 0, utf8.RuneCountInString(s))

	var err error
	if !o.RTL && leftToRight(s) {
		err = b.run(s, 0)
	} else {
		err = b.bidi(s)
	}
	if err != nil {
		return nil, err
	}
	b.line.Advance = b.pen
	return b.line, nil
}

// maxLang is the length of the longest language tag that is looked at.
const maxLang = 64

// builder makes a line.
type builder struct {
	ctx   context.Context
	stack *stack
	size  float64
	o     *Options
	line  *Line
	attributes
	whole bool // shape runs without a break at spaces
	synth Caps // the variant that is made by scaled capitals
	pen   float64
	words int // since the context was looked at
}

// leftToRight tells whether all of the text is sure to stand in its order in a line from left to
// right, without a look at the tables of Unicode: Latin, Greek, Cyrillic, common punctuation.
func leftToRight(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return leftToRightRunes(s[i:])
		}
	}
	return true
}

func leftToRightRunes(s string) bool {
	for _, r := range s {
		switch {
		case r < 0x590, r >= 0x1e00 && r < 0x200b, r >= 0x2010 && r < 0x2028, r >= 0x2030 && r < 0x2060, r >= 0x20a0 && r < 0x20c0, r == utf8.RuneError:
		default:
			return false
		}
	}
	return true
}

// bidi sets text with characters of both directions: each run of one direction from left to
// right as they are seen ("Unicode Bidirectional Algorithm", L2).
func (b *builder) bidi(s string) error {
	runes := make([]rune, 0, len(s))
	offsets := make([]int, 0, len(s)+1)
	for i, r := range s {
		if isSpace(r) {
			r = ' ' // a separator of paragraphs would end the text
		}
		runes = append(runes, r)
		offsets = append(offsets, i)
	}
	offsets = append(offsets, len(s))
	flattenIsolates(runes)
	base := bidi.LeftToRight
	if b.o.RTL {
		base = bidi.RightToLeft
	}
	var p bidi.Paragraph
	for _, run := range visual(levels(p.Segment(runes, base), len(runes))) {
		b.attributes.rtl = run.level&1 != 0
		from, to := offsets[run.start], offsets[run.end]
		if err := b.run(s[from:to], from); err != nil {
			return err
		}
	}
	return nil
}

// maxIsolates is how deep isolates may be nested ("Unicode Bidirectional Algorithm", BD2).
const maxIsolates = 125

// flattenIsolates takes out the isolates that are nested deeper than the algorithm heeds. The
// library looks for the end of each up to the end of the text: a megabyte of open ones took it
// two minutes.
func flattenIsolates(runes []rune) {
	const blank = 0x200b // has no part in the algorithm
	depth := 0
	for i, r := range runes {
		switch r {
		case 0x2066, 0x2067, 0x2068: // LRI, RLI, FSI
			if depth++; depth > maxIsolates {
				runes[i] = blank
			}
		case 0x2069: // PDI
			if depth > maxIsolates {
				runes[i] = blank
			}
			depth = max(depth-1, 0)
		}
	}
}

type run struct {
	start, end int
	level      int8
}

// levels returns the runs of equal levels. The library gives runs of equal direction, in which
// digits of level 2 go with a neighbour of level 0 and then stand at the wrong side of words
// between; hence the look at its levels.
func levels(runs bidi.Runs, n int) []run {
	v := reflect.ValueOf(runs).FieldByName("levels")
	var list []run
	for i := 0; i < n; i++ {
		l := int8(v.Index(i).Int())
		if k := len(list) - 1; k >= 0 && list[k].level == l {
			list[k].end = i + 1
		} else {
			list = append(list, run{i, i + 1, l})
		}
	}
	return list
}

// visual puts runs into the order in which they are seen.
func visual(runs []run) []run {
	var highest int8
	for _, r := range runs {
		highest = max(highest, r.level)
	}
	for l := highest; l > 0; l-- {
		for i := 0; i < len(runs); i++ {
			if runs[i].level < l {
				continue
			}
			j := i
			for j < len(runs) && runs[j].level >= l {
				j++
			}
			for a, z := i, j-1; a < z; a, z = a+1, z-1 {
				runs[a], runs[z] = runs[z], runs[a]
			}
			i = j
		}
	}
	return runs
}

// run sets a run of one direction, which begins at an offset of the string.
func (b *builder) run(s string, at int) error {
	longest := maxWord
	if b.stack.hostile {
		longest = maxHostileWord
	}
	for s != "" {
		n := 0
		if b.attributes.rtl {
			n = b.lastWord(s, longest)
			if err := b.word(s[len(s)-n:], at+len(s)-n); err != nil {
				return err
			}
			s = s[:len(s)-n]
			continue
		}
		n = b.firstWord(s, longest)
		if err := b.word(s[:n], at); err != nil {
			return err
		}
		s, at = s[n:], at+n
	}
	return nil
}

// firstWord returns the length of the first word: a space, or what stands before the next one.
func (b *builder) firstWord(s string, longest int) int {
	count := 0
	for i, r := range s {
		if !b.whole && isSpace(r) {
			if i == 0 {
				return utf8.RuneLen(r)
			}
			return i
		}
		if count++; count > longest {
			return i
		}
	}
	return len(s)
}

// lastWord is firstWord from the end.
func (b *builder) lastWord(s string, longest int) int {
	count := 0
	for i := len(s); i > 0; {
		r, n := utf8.DecodeLastRuneInString(s[:i])
		if !b.whole && isSpace(r) {
			if i == len(s) {
				return n
			}
			return len(s) - i
		}
		if count++; count > longest {
			return len(s) - i
		}
		i -= n
	}
	return len(s)
}

// word sets one word. It looks at the context now and then.
func (b *builder) word(s string, at int) error {
	b.words += 1 + len(s)/16
	if b.words > 200 {
		b.words = 0
		if err := b.ctx.Err(); err != nil {
			return err
		}
	}
	if len(b.line.Glyphs) > MaxText {
		// A font may replace each character by several glyphs, and those again.
		return &LimitError{"TextBytes", "glyphs of one text", MaxText, int64(len(b.line.Glyphs))}
	}
	if b.synth != CapsNormal {
		b.smallCaps(s, at)
		return nil
	}
	b.scripts(s, at, b.size, false)
	return nil
}

// scripts sets text, part by part of one script. With fixed, all of it is at the offset.
func (b *builder) scripts(s string, at int, size float64, fixed bool) {
	script, n := wordScript(s)
	if n == len(s) {
		b.part(s, script, at, size, fixed)
		return
	}
	type part struct {
		from, to int
		script   language.Script
	}
	parts := []part{{0, n, script}}
	for n < len(s) {
		script, k := wordScript(s[n:])
		parts = append(parts, part{n, n + k, script})
		n += k
	}
	for i := range parts {
		p := parts[i]
		if b.attributes.rtl {
			p = parts[len(parts)-1-i]
		}
		b.part(s[p.from:p.to], p.script, b.offset(at, p.from, fixed), size, fixed)
	}
}

func (b *builder) offset(at, d int, fixed bool) int {
	if fixed {
		return at
	}
	return at + d
}

// part sets text of one script: in the first face if that has all of it.
func (b *builder) part(s string, script language.Script, at int, size float64, fixed bool) {
	b.attributes.script = script
	first := b.stack.faces[0]
	if b.stack.colour == nil || !mayBeEmoji(s) {
		if w := first.shapeWord(b.attributes, s); !w.missing {
			b.emit(w, first, at, size, fixed)
			return
		}
	}
	type part struct {
		from, to int
		face     *Face
	}
	var parts []part
	var seg segmenter.Segmenter
	runes := []rune(s)
	seg.Init(runes)
	from := 0
	for it := seg.GraphemeIterator(); it.Next(); {
		g := it.Grapheme()
		to := from
		for range g.Text { // invalid bytes are one character each
			_, n := utf8.DecodeRuneInString(s[to:])
			to += n
		}
		face := b.choose(g.Text)
		if k := len(parts) - 1; k >= 0 && parts[k].face == face {
			parts[k].to = to
		} else {
			parts = append(parts, part{from, to, face})
		}
		from = to
	}
	for i := range parts {
		p := parts[i]
		if b.attributes.rtl {
			p = parts[len(parts)-1-i]
		}
		b.emit(p.face.shapeWord(b.attributes, s[p.from:p.to]), p.face, b.offset(at, p.from, fixed), size, fixed)
	}
}

// choose returns the face for a character as the reader sees it.
func (b *builder) choose(grapheme []rune) *Face {
	emoji := false
	for i, r := range grapheme {
		emoji = emoji || r == 0xfe0f || i == 0 && emojiByDefault(r)
	}
	if grapheme[len(grapheme)-1] == 0xfe0e {
		emoji = false
	}
	if emoji {
		for _, f := range b.stack.colour {
			if f.hasAll(grapheme) {
				return f
			}
		}
	}
	for _, f := range b.stack.faces {
		if f.hasAll(grapheme) {
			return f
		}
	}
	if composed := []rune(norm.NFC.String(string(grapheme))); len(composed) < len(grapheme) {
		for _, f := range b.stack.faces {
			if f.hasAll(composed) {
				return f
			}
		}
	}
	for _, f := range b.stack.faces {
		if f.has(grapheme[0]) {
			return f
		}
	}
	// Liberation Serif has nothing in place of its box, and text must not vanish.
	for _, f := range b.stack.faces {
		if f.outline(0).path.Len() > 0 {
			return f
		}
	}
	return b.stack.faces[0]
}

// hasAll tells whether the face has all characters that are seen.
func (f *Face) hasAll(runes []rune) bool {
	for _, r := range runes {
		if !zeroWidth(r) && !f.has(r) {
			return false
		}
	}
	return true
}

// mayBeEmoji is false for text that is certainly none.
func mayBeEmoji(s string) bool {
	for _, r := range s {
		if r >= 0x2300 || r == 0x20e3 || r == 0xa9 || r == 0xae {
			return true
		}
	}
	return false
}

// emojiByDefault tells whether a character has emoji presentation without a selector: all of
// the blocks of pictographs, and those of the older symbols which have it (Unicode's
// emoji-data.txt, Emoji_Presentation).
func emojiByDefault(r rune) bool {
	return r >= 0x1f000 && r < 0x1fb00 || unicode.Is(emojiPresentation, r)
}

var emojiPresentation = &unicode.RangeTable{R16: []unicode.Range16{
	{0x231a, 0x231b, 1}, {0x23e9, 0x23ec, 1}, {0x23f0, 0x23f3, 3}, {0x25fd, 0x25fe, 1},
	{0x2614, 0x2615, 1}, {0x2648, 0x2653, 1}, {0x267f, 0x2693, 20}, {0x26a1, 0x26aa, 9},
	{0x26ab, 0x26bd, 18}, {0x26be, 0x26c4, 6}, {0x26c5, 0x26ce, 9}, {0x26d4, 0x26ea, 22},
	{0x26f2, 0x26f3, 1}, {0x26f5, 0x26fa, 5}, {0x26fd, 0x2705, 8}, {0x270a, 0x270b, 1},
	{0x2728, 0x274c, 36}, {0x274e, 0x2753, 5}, {0x2754, 0x2755, 1}, {0x2757, 0x2795, 62},
	{0x2796, 0x2797, 1}, {0x27b0, 0x27bf, 15}, {0x2b1b, 0x2b1c, 1}, {0x2b50, 0x2b55, 5},
}}

// emit adds the glyphs of a word at the pen.
func (b *builder) emit(w *word, f *Face, at int, size float64, fixed bool) {
	k := size / (f.data().upem * unit)
	spacing := b.o.LetterSpacing
	spaced := spacing != 0 || b.o.WordSpacing != 0
	if f.info.Colour {
		b.line.coloured = true
	}
	for i := range w.glyphs {
		g := &w.glyphs[i]
		gap := 0.0
		if spaced {
			if g.gap {
				gap = spacing
			}
			if g.blank {
				gap += b.o.WordSpacing
			}
		}
		cluster := at
		if !fixed {
			cluster += int(g.cluster)
		}
		b.line.Glyphs = append(b.line.Glyphs, Glyph{
			Face:    f,
			ID:      g.id,
			Cluster: int32(cluster),
			X:       b.pen + float64(float64(g.x)*k),
			Y:       float64(g.y) * k,
			Advance: float64(float64(g.advance)*k) + gap,
			Size:    size,
		})
		b.pen += gap
	}
	b.pen += float64(float64(w.advance) * k)
}

// setCaps decides whether the caps variant comes from features of the face or is made.
func (b *builder) setCaps(f *Face, small bool) {
	caps := b.o.Caps
	if caps == CapsNormal && small {
		caps = SmallCaps
	}
	if caps == CapsNormal {
		return
	}
	d := f.data()
	// Petite capitals are small ones where a font has none.
	if caps == PetiteCaps && !d.pcap {
		caps = SmallCaps
	}
	if caps == AllPetiteCaps && !(d.pcap && d.c2pc) {
		caps = AllSmallCaps
	}
	switch {
	case caps == SmallCaps && !d.smcp,
		caps == AllSmallCaps && !(d.smcp && d.c2sc),
		caps == Unicase && !d.unic:
		b.synth = caps
	default:
		b.attributes.caps = caps
	}
}

// smallScale is the size of made small capitals, as in browsers.
const smallScale = 0.7

// smallCaps sets a word in made capitals: capitals of smaller size for small letters, and
// according to the variant for the rest.
func (b *builder) smallCaps(s string, at int) {
	type part struct {
		from, to     int
		lower, small bool
	}
	var parts []part
	for i, r := range s {
		lower := changes(r)
		if unicode.Is(unicode.M, r) && len(parts) > 0 {
			lower = parts[len(parts)-1].lower // marks go with their letter
		}
		var small bool
		switch b.synth {
		case SmallCaps:
			small = lower
		case AllSmallCaps:
			small = true
		case Unicase:
			small = !lower
		}
		n := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, n = utf8.DecodeRuneInString(s[i:])
		}
		if k := len(parts) - 1; k >= 0 && parts[k].small == small && parts[k].lower == lower {
			parts[k].to = i + n
		} else {
			parts = append(parts, part{i, i + n, lower, small})
		}
	}
	for i := range parts {
		p := parts[i]
		if b.attributes.rtl {
			p = parts[len(parts)-1-i]
		}
		text, size, fixed := s[p.from:p.to], b.size, false
		if p.small {
			if size *= smallScale; size >= 1 {
				size = math.Round(size) // as in Chromium
			}
			if b.synth != Unicase {
				upper := strings.ReplaceAll(strings.ToUpper(text), "ß", "SS")
				fixed = len(upper) != len(text)
				text = upper
			}
		}
		b.scripts(text, at+p.from, size, fixed)
	}
}

// changes tells whether a character has a capital that is another one.
func changes(r rune) bool { return r == 'ß' || unicode.ToUpper(r) != r }
