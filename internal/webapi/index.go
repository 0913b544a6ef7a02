package webapi

import (
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// singleByte has the encodings of one byte per character.
var singleByte = map[string]*charmap.Charmap{
	"ibm866":         charmap.CodePage866,
	"iso-8859-2":     charmap.ISO8859_2,
	"iso-8859-3":     charmap.ISO8859_3,
	"iso-8859-4":     charmap.ISO8859_4,
	"iso-8859-5":     charmap.ISO8859_5,
	"iso-8859-6":     charmap.ISO8859_6,
	"iso-8859-7":     charmap.ISO8859_7,
	"iso-8859-8":     charmap.ISO8859_8,
	"iso-8859-8-i":   charmap.ISO8859_8,
	"iso-8859-10":    charmap.ISO8859_10,
	"iso-8859-13":    charmap.ISO8859_13,
	"iso-8859-14":    charmap.ISO8859_14,
	"iso-8859-15":    charmap.ISO8859_15,
	"iso-8859-16":    charmap.ISO8859_16,
	"koi8-r":         charmap.KOI8R,
	"koi8-u":         charmap.KOI8U,
	"macintosh":      charmap.Macintosh,
	"windows-874":    charmap.Windows874,
	"windows-1250":   charmap.Windows1250,
	"windows-1251":   charmap.Windows1251,
	"windows-1252":   charmap.Windows1252,
	"windows-1253":   charmap.Windows1253,
	"windows-1254":   charmap.Windows1254,
	"windows-1255":   charmap.Windows1255,
	"windows-1256":   charmap.Windows1256,
	"windows-1257":   charmap.Windows1257,
	"windows-1258":   charmap.Windows1258,
	"x-mac-cyrillic": charmap.MacintoshCyrillic,
}

func singleByteDecoder(cm *charmap.Charmap) func(*decoding) int {
	return func(d *decoding) int {
		for i := 0; ; i++ {
			if i = d.ascii(i); i == len(d.b) || d.failed {
				return i
			}
			c := d.b[i]
			r := cm.DecodeByte(c)
			if r == utf8.RuneError {
				r = -1
				if c < 0xA0 {
					r = rune(c) // x/text leaves these C1 controls out
				}
			}
			d.put(r)
		}
	}
}

// runeIndex is one of the standard's indexes: the code point of each pointer, or zero.
type runeIndex []rune

// at returns the code point of pointer p, -1 if it has none.
func (x runeIndex) at(p int) rune {
	if p >= len(x) || x[p] == 0 {
		return -1
	}
	return x[p]
}

// buildIndex asks x/text's decoder for the code point of each of n pointers; seq gives
// the bytes of a pointer. It takes a few milliseconds, once per index and process.
func buildIndex(e encoding.Encoding, n int, seq func(p int) []byte) runeIndex {
	x := make(runeIndex, n)
	dec := e.NewDecoder().Transformer
	var dst [16]byte
	for p := range x {
		dec.Reset()
		size, _, err := dec.Transform(dst[:], seq(p), true)
		r, first := utf8.DecodeRune(dst[:size])
		if err == nil && first == size && r != utf8.RuneError {
			x[p] = r
		}
	}
	return x
}

// trailByte is the opposite of trail.
func trailByte(n int, off byte) byte {
	if n < 0x3F {
		return 0x40 + byte(n)
	}
	return off + byte(n)
}

var big5Index = sync.OnceValue(func() runeIndex {
	return buildIndex(traditionalchinese.Big5, 126*157, func(p int) []byte {
		return []byte{0x81 + byte(p/157), trailByte(p%157, 0x62)}
	})
})

var eucKRIndex = sync.OnceValue(func() runeIndex {
	return buildIndex(korean.EUCKR, 126*190, func(p int) []byte {
		return []byte{0x81 + byte(p/190), 0x41 + byte(p%190)}
	})
})

var jis0208Index = sync.OnceValue(func() runeIndex {
	return buildIndex(japanese.ShiftJIS, 60*188, func(p int) []byte {
		c := 0x81 + byte(p/188)
		if c >= 0xA0 {
			c += 0xC1 - 0x81
		}
		return []byte{c, trailByte(p%188, 0x41)}
	})
})

var jis0212Index = sync.OnceValue(func() runeIndex {
	return buildIndex(japanese.EUCJP, 94*94, func(p int) []byte {
		return []byte{0x8F, 0xA1 + byte(p/94), 0xA1 + byte(p%94)}
	})
})

var gb18030Index = sync.OnceValue(func() runeIndex {
	x := buildIndex(simplifiedchinese.GB18030, 126*190, func(p int) []byte {
		return []byte{0x81 + byte(p/190), trailByte(p%190, 0x41)}
	})
	for _, run := range gb18030Missing {
		for i := range run.n {
			x[run.pointer+i] = run.first + rune(i)
		}
	}
	return x
})

// gb18030Missing are the runs of the standard's index that x/text's table does not have:
// the private use areas, and what GB 18030-2005 and 2022 moved out of them.
var gb18030Missing = [...]struct {
	pointer, n int
	first      rune
}{
	{6080, 96, 0xE4C6}, {6270, 96, 0xE526}, {6376, 6, 0xE766}, {6433, 1, 0xE76D}, {6444, 2, 0xE76E},
	{6458, 2, 0xE770}, {6460, 95, 0xE586}, {6650, 96, 0xE5E6}, {6829, 11, 0xE772}, {6840, 96, 0xE646},
	{7022, 8, 0xE77D}, {7030, 96, 0xE6A6}, {7150, 8, 0xE785}, {7182, 1, 0xFE10}, {7183, 1, 0xFE12},
	{7184, 1, 0xFE11}, {7185, 4, 0xFE13}, {7201, 2, 0xFE17}, {7208, 1, 0xFE19}, {7211, 9, 0xE797},
	{7220, 96, 0xE706}, {7349, 15, 0xE7A0}, {7397, 13, 0xE7AF}, {7495, 11, 0xE7BC}, {7533, 1, 0x1E3F},
	{7538, 4, 0xE7C9}, {7579, 21, 0xE7CD}, {7624, 1, 0xE7E2}, {7627, 1, 0xE7E3}, {7629, 3, 0xE7E4},
	{7686, 13, 0xE7F4}, {7775, 15, 0xE801}, {7886, 94, 0xE000}, {8076, 94, 0xE05E}, {8266, 94, 0xE0BC},
	{8456, 94, 0xE11A}, {8646, 94, 0xE178}, {8836, 94, 0xE1D6}, {16525, 5, 0xE810}, {22706, 94, 0xE234},
	{22896, 94, 0xE292}, {23086, 94, 0xE2F0}, {23276, 94, 0xE34E}, {23466, 94, 0xE3AC}, {23656, 94, 0xE40A},
	{23767, 3, 0xE816}, {23775, 1, 0x9FB4}, {23783, 1, 0x9FB5}, {23788, 2, 0x9FB6}, {23794, 1, 0xE831},
	{23795, 1, 0x9FB8}, {23804, 1, 0xE83B}, {23812, 1, 0x9FB9}, {23829, 1, 0x9FBA}, {23830, 1, 0xE855},
	{23845, 1, 0x9FBB}, {23846, 94, 0xE468},
}

// gb18030Ranges has the code points of the four-byte sequences below U+10000, all of
// which exist. U+FFFD is one of them.
var gb18030Ranges = sync.OnceValue(func() []uint16 {
	x := make([]uint16, 39420)
	dec := simplifiedchinese.GB18030.NewDecoder().Transformer
	var dst [16]byte
	for p := range x {
		seq := []byte{0x81 + byte(p/12600), '0' + byte(p/1260%10), 0x81 + byte(p/10%126), '0' + byte(p%10)}
		size, _, _ := dec.Transform(dst[:], seq, true)
		r, _ := utf8.DecodeRune(dst[:size])
		x[p] = uint16(r)
	}
	x[7457] = 0xE7C7 // GB 18030-2005 exchanged it with U+1E3F
	return x
})
