package text

import (
	"encoding/binary"

	"github.com/go-text/typesetting/font/opentype"
)

// A baseline is where a font says that one is, in font units above the alphabetic baseline.
type baseline struct {
	at    float64
	known bool
}

// readBaselines reads the baselines of horizontal text from the table BASE, those of the
// default script or else of Latin ("OpenType Specification", BASE). Broken tables say nothing.
func (f *file) readBaselines(ld *opentype.Loader) {
	base, _ := ld.RawTable(tag("BASE"))
	// u16 is the number at an offset, 0 beyond the end, and offset what is found at the offset
	// that is there, which counts from the beginning of its table.
	u16 := func(at int) int {
		if at < 0 || at+2 > len(base) {
			return 0
		}
		return int(binary.BigEndian.Uint16(base[at:]))
	}
	offset := func(from, at int) (int, bool) {
		n := u16(from + at)
		return from + n, n != 0
	}
	name := func(at int) opentype.Tag { return opentype.Tag(u16(at)<<16 | u16(at+2)) }

	axis, ok := offset(0, 4)
	if !ok {
		return
	}
	tags, ok1 := offset(axis, 0)
	scripts, ok2 := offset(axis, 2)
	if !ok1 || !ok2 {
		return
	}
	values := 0
	for i := range u16(scripts) {
		at := scripts + 2 + 6*i
		script := name(at)
		if script != tag("DFLT") && (script != tag("latn") || values != 0) {
			continue
		}
		if s, ok := offset(scripts, at+4-scripts); ok {
			if v, ok := offset(s, 0); ok {
				values = v
			}
		}
	}
	if values == 0 {
		return
	}
	alphabetic := 0.0
	var hanging, ideographic baseline
	for i := range min(u16(tags), u16(values+2)) {
		coord, ok := offset(values, 4+2*i)
		if !ok || coord+4 > len(base) {
			continue
		}
		at := float64(int16(u16(coord + 2)))
		switch name(tags + 2 + 4*i) {
		case tag("romn"):
			alphabetic = at
		case tag("hang"):
			hanging = baseline{at, true}
		case tag("ideo"):
			ideographic = baseline{at, true}
		}
	}
	hanging.at -= alphabetic
	ideographic.at -= alphabetic
	f.hanging, f.ideographic = hanging, ideographic
}
