package text

import (
	"errors"
	"math/bits"
)

// errComplex is the error of a font that goes beyond a budget.
var errComplex = errors.New("register font: the tables of the font are too complex")

// Budgets of a font. The greatest of the fonts in use, for Chinese or emoji, take a quarter of
// them.
const (
	maxElements = 4 << 20  // entries of the lists of a table, counted as often as they are referred to
	maxPoints   = 8 << 20  // points of all outlines
	maxDeltas   = 32 << 20 // movements of points in the instances of a variable font
	// maxOutline is the greatest number of points of one outline, with those it is composed of.
	maxOutline = 1 << 16
	// maxSequence is the greatest number of glyphs that replace one.
	maxSequence = 16
)

// checkTables walks through what the parser will read and counts.
func checkTables(t sfntTables) (err error) {
	defer func() {
		if p := recover(); p != nil {
			if p != any(errComplex) {
				panic(p)
			}
			err = errComplex
		}
	}()
	glyphs := reader(t["maxp"]).u16(4)
	budget := func(name string) *checker { return &checker{reader: t[name], left: maxElements} }
	budget("cmap").cmap()
	budget("name").names()
	budget("GSUB").layout(false)
	budget("GPOS").layout(true)
	budget("GDEF").gdef()
	budget("kern").kern()
	budget("COLR").colr()
	budget("CPAL").cpal()
	budget("CBLC").cblc()
	budget("sbix").sbix(glyphs)
	hvar := budget("HVAR")
	hvar.store(hvar.u32(4))
	mvar := budget("MVAR")
	mvar.store(mvar.u16(10))
	budget("fvar").fvar()
	points := checkOutlines(t["glyf"], t["loca"], reader(t["head"]).u16(50) == 1, glyphs)
	gvar := budget("gvar")
	gvar.left = maxDeltas
	gvar.gvar(points)
	checkCFF(t["CFF "])
	return nil
}

// checker counts what is in a table. It panics with errComplex when there is too much.
type checker struct {
	reader
	left int
}

func (c *checker) spend(n int) {
	if c.left -= n; n < 0 || c.left < 0 {
		panic(errComplex)
	}
}

// list calls f with the offset of each of n entries, which are 16-bit offsets relative to base.
func (c *checker) list(base, at, n int, f func(at int)) {
	c.spend(n)
	for i := range n {
		if o := c.u16(at + 2*i); o != 0 {
			f(base + o)
		}
	}
}

func (c *checker) cmap() {
	n := c.u16(2)
	if n > 64 {
		panic(errComplex)
	}
	for i := range n {
		at := c.u32(4 + 8*i + 4)
		switch c.u16(at) {
		case 14:
			n := c.u32(at + 6)
			c.spend(n)
			for j := range n {
				record := at + 10 + 11*j
				if o := c.u32(record + 3); o != 0 {
					c.spend(c.u32(at + o))
				}
				if o := c.u32(record + 7); o != 0 {
					c.spend(c.u32(at + o))
				}
			}
		case 8, 10, 12, 13:
			c.spend(c.u32(at+4) / 4)
		default:
			c.spend(c.u16(at+2) / 2)
		}
	}
}

func (c *checker) names() {
	for i := range c.u16(2) {
		c.spend(4 + c.u16(6+12*i+8)/4)
	}
}

func (c *checker) kern() {
	n := c.u16(2)
	if c.u16(0) != 0 {
		n = c.u32(4)
	}
	if n > 64 {
		panic(errComplex)
	}
}

func (c *checker) fvar() {
	if c.u16(8) > 32 {
		panic(errComplex)
	}
}

func (c *checker) coverage(at int) {
	if n := c.u16(at + 2); c.u16(at) == 1 {
		c.spend(n)
	} else {
		c.spend(3 * n)
	}
}

func (c *checker) classes(at int) {
	if c.u16(at) == 1 {
		c.spend(c.u16(at + 4))
	} else {
		c.spend(3 * c.u16(at+2))
	}
}

// layout counts a GSUB or GPOS table ("OpenType Layout Common Table Formats").
func (c *checker) layout(position bool) {
	if len(c.reader) == 0 {
		return
	}
	scripts := c.u16(4)
	n := c.u16(scripts)
	c.spend(n)
	for i := range n {
		script := scripts + c.u16(scripts+2+6*i+4)
		if o := c.u16(script); o != 0 {
			c.spend(c.u16(script + o + 4))
		}
		langs := c.u16(script + 2)
		c.spend(langs)
		for j := range langs {
			c.spend(c.u16(script + c.u16(script+4+6*j+4) + 4))
		}
	}
	features := c.u16(6)
	n = c.u16(features)
	c.spend(n)
	for i := range n {
		c.spend(c.u16(features + c.u16(features+2+6*i+4) + 2))
	}
	lookups := c.u16(8)
	c.list(lookups, lookups+2, c.u16(lookups), func(lookup int) {
		kind := c.u16(lookup)
		c.list(lookup, lookup+6, c.u16(lookup+4), func(at int) { c.subtable(kind, at, position) })
	})
	if o := c.u32(10); o != 0 && c.u16(2) >= 1 {
		n := c.u32(o + 4)
		c.spend(n)
		for i := range n {
			conditions, substitution := o+c.u32(o+8+8*i), o+c.u32(o+8+8*i+4)
			c.spend(c.u16(conditions))
			k := c.u16(substitution + 4)
			c.spend(k)
			for j := range k {
				c.spend(c.u16(substitution + c.u32(substitution+6+6*j+2) + 2))
			}
		}
	}
}

func (c *checker) subtable(kind, at int, position bool) {
	if extension := 7; position && kind == extension+2 || !position && kind == extension {
		kind, at = c.u16(at+2), at+c.u32(at+4)
		if kind == extension || kind == extension+2 {
			return
		}
	}
	if position {
		c.position(kind, at)
	} else {
		c.substitution(kind, at)
	}
}

func (c *checker) substitution(kind, at int) {
	switch kind {
	case 1:
		c.coverage(at + c.u16(at+2))
		if c.u16(at) == 2 {
			c.spend(c.u16(at + 4))
		}
	case 2, 3:
		c.coverage(at + c.u16(at+2))
		c.list(at, at+6, c.u16(at+4), func(set int) {
			n := c.u16(set)
			if kind == 2 && n > maxSequence {
				panic(errComplex)
			}
			c.spend(n)
		})
	case 4:
		c.coverage(at + c.u16(at+2))
		c.list(at, at+6, c.u16(at+4), func(set int) {
			c.list(set, set+2, c.u16(set), func(ligature int) { c.spend(c.u16(ligature + 2)) })
		})
	case 5:
		c.context(at)
	case 6:
		c.chain(at)
	case 8:
		c.coverage(at + c.u16(at+2))
		next := at + 4
		for range 2 {
			n := c.u16(next)
			c.list(at, next+2, n, c.coverage)
			next += 2 + 2*n
		}
		c.spend(c.u16(next))
	}
}

func (c *checker) context(at int) {
	rules := func(set int) {
		c.list(set, set+2, c.u16(set), func(rule int) { c.spend(c.u16(rule) + c.u16(rule+2)) })
	}
	switch c.u16(at) {
	case 1:
		c.coverage(at + c.u16(at+2))
		c.list(at, at+6, c.u16(at+4), rules)
	case 2:
		c.coverage(at + c.u16(at+2))
		c.classes(at + c.u16(at+4))
		c.list(at, at+8, c.u16(at+6), rules)
	case 3:
		c.spend(c.u16(at + 4))
		c.list(at, at+6, c.u16(at+2), c.coverage)
	}
}

func (c *checker) chain(at int) {
	rules := func(set int) {
		c.list(set, set+2, c.u16(set), func(rule int) {
			for i := range 4 {
				n := c.u16(rule)
				c.spend(n + 1)
				if i == 1 && n > 0 {
					n-- // the first glyph of the input is not in the list
				}
				rule += 2 + 2*n
			}
		})
	}
	switch c.u16(at) {
	case 1:
		c.coverage(at + c.u16(at+2))
		c.list(at, at+6, c.u16(at+4), rules)
	case 2:
		c.coverage(at + c.u16(at+2))
		for i := range 3 {
			c.classes(at + c.u16(at+4+2*i))
		}
		c.list(at, at+12, c.u16(at+10), rules)
	case 3:
		next := at + 2
		for range 3 {
			n := c.u16(next)
			c.list(at, next+2, n, c.coverage)
			next += 2 + 2*n
		}
		c.spend(c.u16(next))
	}
}

func (c *checker) position(kind, at int) {
	fields := func(at int) int { return bits.OnesCount16(uint16(c.u16(at))) }
	switch kind {
	case 1:
		c.coverage(at + c.u16(at+2))
		if c.u16(at) == 2 {
			c.spend(c.u16(at+6) * (1 + fields(at+4)))
		}
	case 2:
		c.coverage(at + c.u16(at+2))
		n := 1 + fields(at+4) + fields(at+6)
		if c.u16(at) == 1 {
			c.list(at, at+10, c.u16(at+8), func(set int) { c.spend(c.u16(set) * n) })
		} else {
			c.classes(at + c.u16(at+8))
			c.classes(at + c.u16(at+10))
			c.spend(c.u16(at+12) * c.u16(at+14) * n)
		}
	case 3:
		c.coverage(at + c.u16(at+2))
		c.spend(2 * c.u16(at+4))
	case 4, 5, 6:
		c.coverage(at + c.u16(at+2))
		c.coverage(at + c.u16(at+4))
		classes := c.u16(at+6) + 1
		c.spend(c.u16(at + c.u16(at+8)))
		second := at + c.u16(at+10)
		if kind == 5 {
			c.list(second, second+2, c.u16(second), func(ligature int) { c.spend(c.u16(ligature) * classes) })
		} else {
			c.spend(c.u16(second) * classes)
		}
	case 7:
		c.context(at)
	case 8:
		c.chain(at)
	}
}

func (c *checker) gdef() {
	if o := c.u16(4); o != 0 {
		c.classes(o)
	}
	for _, o := range []int{c.u16(6), c.u16(8)} { // points to attach to, carets in ligatures
		if o != 0 {
			c.coverage(o + c.u16(o))
			c.list(o, o+4, c.u16(o+2), func(at int) { c.spend(c.u16(at)) })
		}
	}
	if o := c.u16(10); o != 0 {
		c.classes(o)
	}
	if o := c.u16(12); o != 0 && c.u16(2) >= 2 {
		n := c.u16(o + 2)
		c.spend(n)
		for i := range n {
			c.coverage(o + c.u32(o+4+4*i))
		}
	}
	if c.u16(2) >= 3 {
		c.store(c.u32(14))
	}
}

// store counts an item variation store.
func (c *checker) store(at int) {
	if at == 0 {
		return
	}
	regions := at + c.u32(at+2)
	c.spend(c.u16(regions) * c.u16(regions+2))
	n := c.u16(at + 6)
	c.spend(n)
	for i := range n {
		data := at + c.u32(at+8+4*i)
		c.spend((c.u16(data) + 1) * (c.u16(data+4) + 1))
	}
}

// maxPaints is how deep the paints of a coloured glyph may be nested.
const maxPaints = 64

// colr counts the paints of coloured glyphs, which form a graph that is read as a tree.
func (c *checker) colr() {
	if c.u16(0) < 1 {
		return
	}
	counts := make(map[int]int)
	var count func(at, depth int) int
	count = func(at, depth int) int {
		if n, ok := counts[at]; ok {
			return n
		}
		if depth > maxPaints {
			panic(errComplex)
		}
		n := 1
		child := func(o int) {
			if o == 0 || at+o >= len(c.reader) {
				panic(errComplex)
			}
			n += count(at+o, depth+1)
		}
		switch format := c.u8(at); {
		case format >= 4 && format <= 9:
			n += c.u16(at + c.u24(at+1) + 1)
		case format == 10, format >= 12 && format <= 31:
			child(c.u24(at + 1))
		case format == 32:
			child(c.u24(at + 1))
			child(c.u24(at + 5))
		}
		if n > c.left {
			panic(errComplex)
		}
		counts[at] = n
		return n
	}
	if base := c.u32(14); base != 0 {
		n := c.u32(base)
		c.spend(n)
		for i := range n {
			c.spend(count(base+c.u32(base+4+6*i+2), 0))
		}
	}
	if layers := c.u32(18); layers != 0 {
		n := c.u32(layers)
		c.spend(n)
		for i := range n {
			c.spend(count(layers+c.u32(layers+4+4*i), 0))
		}
	}
	if clips := c.u32(22); clips != 0 {
		c.spend(c.u32(clips + 1))
	}
	if o := c.u32(30); o != 0 {
		c.store(o)
	}
}

func (c *checker) cpal() { c.spend(c.u16(2) + c.u16(4)) }

// cblc counts the index of bitmaps.
func (c *checker) cblc() {
	n := c.u32(4)
	if n > 64 {
		panic(errComplex)
	}
	for i := range n {
		size := 8 + 48*i
		subtables, k := c.u32(size), c.u32(size+8)
		c.spend(k)
		for j := range k {
			entry := subtables + 8*j
			c.spend(1 + max(0, c.u16(entry+2)-c.u16(entry)))
			if at := subtables + c.u32(entry+4); c.u16(at) == 4 || c.u16(at) == 5 {
				c.spend(c.u32(at + 8))
			}
		}
	}
}

func (c *checker) sbix(glyphs int) {
	n := c.u32(4)
	if n > 64 {
		panic(errComplex)
	}
	c.spend(n * glyphs)
}

func (c *checker) gvar(points []int32) {
	if len(c.reader) == 0 {
		return
	}
	c.spend(c.u16(4) * c.u16(6)) // axes, shared tuples
	data, glyphs := c.u32(16), c.u16(12)
	c.spend(glyphs)
	last := 0
	for i := range glyphs {
		at := 2 * c.u16(20+2*i)
		end := 2 * c.u16(20+2*i+2)
		if c.u16(14)&1 != 0 {
			at, end = c.u32(20+4*i), c.u32(20+4*i+4)
		}
		if at < last || end < at {
			panic(errComplex)
		}
		last = at
		n := 4
		if i < len(points) {
			n += int(points[i])
		}
		if end > at {
			c.spend(c.u16(data+at) & 0xfff * min(n, 64*(end-at)))
		}
	}
}

// checkOutlines counts the points of TrueType outlines and returns those of each glyph itself.
func checkOutlines(glyf, loca []byte, long bool, glyphs int) []int32 {
	if len(glyf) == 0 {
		return nil
	}
	c := checker{reader: glyf, left: maxPoints}
	offset := func(i int) int {
		if long {
			return reader(loca).u32(4 * i)
		}
		return 2 * reader(loca).u16(2*i)
	}
	if n := len(loca)/2 - 1; !long && n < glyphs {
		glyphs = max(n, 0)
	}
	if n := len(loca)/4 - 1; long && n < glyphs {
		glyphs = max(n, 0)
	}
	points := make([]int32, glyphs)
	parts := make(map[int][]int)
	last := 0
	for i := range glyphs {
		at, end := offset(i), offset(i+1)
		if at < last || end < at || end > len(glyf) {
			panic(errComplex)
		}
		last = at
		if end-at < 10 {
			continue
		}
		n := c.u16(at)
		if n < 0x8000 {
			if n > 0 {
				points[i] = int32(c.u16(at+10+2*(n-1)) + 1)
			}
			c.spend(n + int(points[i]))
			continue
		}
		for at += 10; at < end; {
			flags := c.u16(at)
			parts[i] = append(parts[i], c.u16(at+2))
			at += 6
			if flags&1 != 0 {
				at += 2
			}
			switch {
			case flags&8 != 0:
				at += 2
			case flags&0x40 != 0:
				at += 4
			case flags&0x80 != 0:
				at += 8
			}
			if flags&0x20 == 0 {
				break
			}
		}
		points[i] = int32(len(parts[i]))
		c.spend(len(parts[i]))
	}
	// Composite glyphs may be made of composite ones: count each once.
	whole := make(map[int]int)
	var count func(i, depth int) int
	count = func(i, depth int) int {
		p, composite := parts[i]
		if !composite {
			if i < len(points) {
				return int(points[i]) + 1
			}
			return 1
		}
		if n, ok := whole[i]; ok {
			return n
		}
		if depth > 20 {
			panic(errComplex)
		}
		whole[i] = 1 // a glyph within itself: the parser leaves it out
		n := len(p)
		for _, j := range p {
			if n += count(j, depth+1); n > maxOutline {
				panic(errComplex)
			}
		}
		whole[i] = n
		return n
	}
	for i := range parts {
		count(i, 0)
	}
	return points
}
