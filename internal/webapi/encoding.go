package webapi

import (
	"strings"
	"unicode/utf8"
)

// MaxDecode is the most bytes that DecodeText takes: 32 MiB. No encoding makes more than
// three bytes of UTF-8 of one byte, so its text stays below three times that.
const MaxDecode = 32 << 20

// labels has, for each encoding's name in lower case, its labels besides the name
// itself. The encodings that the standard calls "replacement" are not here:
// TextDecoder refuses them.
var labels = map[string]string{
	"big5":           "big5-hkscs cn-big5 csbig5 x-x-big5",
	"euc-jp":         "cseucpkdfmtjapanese x-euc-jp",
	"euc-kr":         "cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949",
	"gb18030":        "",
	"gbk":            "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk",
	"ibm866":         "866 cp866 csibm866",
	"iso-2022-jp":    "csiso2022jp",
	"iso-8859-10":    "csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6",
	"iso-8859-13":    "iso8859-13 iso885913",
	"iso-8859-14":    "iso8859-14 iso885914",
	"iso-8859-15":    "csisolatin9 iso8859-15 iso885915 iso_8859-15 l9",
	"iso-8859-16":    "",
	"iso-8859-2":     "csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2",
	"iso-8859-3":     "csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3",
	"iso-8859-4":     "csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4",
	"iso-8859-5":     "csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988",
	"iso-8859-6":     "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987",
	"iso-8859-7":     "csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek",
	"iso-8859-8":     "csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 visual",
	"iso-8859-8-i":   "csiso88598i logical",
	"koi8-r":         "cskoi8r koi koi8 koi8_r",
	"koi8-u":         "koi8-ru",
	"macintosh":      "csmacintosh mac x-mac-roman",
	"shift_jis":      "csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis",
	"utf-16be":       "unicodefffe",
	"utf-16le":       "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16",
	"utf-8":          "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8",
	"windows-1250":   "cp1250 x-cp1250",
	"windows-1251":   "cp1251 x-cp1251",
	"windows-1252":   "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252",
	"windows-1253":   "cp1253 x-cp1253",
	"windows-1254":   "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 x-cp1254",
	"windows-1255":   "cp1255 x-cp1255",
	"windows-1256":   "cp1256 x-cp1256",
	"windows-1257":   "cp1257 x-cp1257",
	"windows-1258":   "cp1258 x-cp1258",
	"windows-874":    "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620",
	"x-mac-cyrillic": "x-mac-ukrainian",
	"x-user-defined": "",
}

// names maps each label to its encoding's name.
var names = func() map[string]string {
	m := make(map[string]string, 256)
	for name, list := range labels {
		m[name] = name
		for _, label := range strings.Fields(list) {
			m[label] = name
		}
	}
	return m
}()

// EncodingName returns the lower-case name of the encoding that the Encoding Standard
// gives a label, as TextDecoder's encoding attribute shows it. Case and ASCII white
// space around the label do not matter. It reports false for what is no label and for
// those of the replacement encoding.
func EncodingName(label string) (name string, ok bool) {
	label = strings.Trim(label, "\t\n\f\r ")
	if len(label) > 32 {
		return "", false // longer than all labels
	}
	name, ok = names[asciiLower(label)]
	return name, ok
}

// DecodeText decodes b by the decoder of the named encoding, one of EncodingName's
// results other than "utf-8". A byte order mark is kept as U+FEFF. Each error is one
// U+FFFD; with fatal, ok is false instead, and it is also false for a name that is not
// known and for more than MaxDecode bytes.
//
// A stream is decoded piece by piece without state: text is that of b[:consumed], and
// the caller puts b[consumed:] before the next piece. With last, all is consumed.
// Otherwise up to three bytes of an unfinished character stay. ISO-2022-JP has shift
// states: there, consumed ends at the last place where the decoder is in its initial
// state, so that a stretch of Japanese stays until the escape sequence back to ASCII
// and one character have come. An error in bytes that stay counts for fatal at once.
func DecodeText(name string, b []byte, fatal, last bool) (text string, consumed int, ok bool) {
	decode := decoders[name]
	if decode == nil || len(b) > MaxDecode {
		return "", 0, false
	}
	d := decoding{b: b, last: last, fatal: fatal}
	d.out = make([]byte, 0, len(b)+len(b)/8+8)
	consumed = decode(&d)
	if d.failed {
		return "", 0, false
	}
	return string(d.out), consumed, true
}

// decoding is the work of one DecodeText. Its decoders return how much they consumed.
type decoding struct {
	b           []byte
	out         []byte
	last, fatal bool
	failed      bool // an error with fatal: the decoder returns at its next look
}

// error adds what the standard's error mode asks for.
func (d *decoding) error() {
	if d.fatal {
		d.failed = true
		return
	}
	d.out = append(d.out, "\uFFFD"...)
}

// put adds r, or an error if r is none.
func (d *decoding) put(r rune) {
	switch {
	case r < 0:
		d.error()
	case r > utf8.MaxRune:
		d.out = append(d.out, big5Pairs[r-utf8.MaxRune-1]...)
	default:
		d.out = utf8.AppendRune(d.out, r)
	}
}

// unfinished ends the input at i, where a character starts that needs more bytes.
func (d *decoding) unfinished(i int) int {
	if !d.last {
		return i
	}
	d.error()
	return len(d.b)
}

// ascii copies the ASCII bytes from i on and returns where they end.
func (d *decoding) ascii(i int) int {
	j := i
	for j < len(d.b) && d.b[j] < utf8.RuneSelf {
		j++
	}
	d.out = append(d.out, d.b[i:j]...)
	return j
}
