package zip

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// safe is a name of an archive as a path that stays below any directory it is joined to,
// without a slash at its end. It is empty where nothing is left. The rule is in the
// documentation of the package.
func safe(raw string) string {
	// The replacements first, for they make nothing that the rest would have to see.
	name := strings.Map(func(r rune) rune {
		switch {
		case r == '\\':
			return '/'
		case r < ' ' || r == 0x7f || r == utf8.RuneError:
			return '_'
		}
		return r
	}, raw)
	kept := make([]string, 0, 8)
	for part := range strings.SplitSeq(name, "/") {
		if len(kept) == 0 {
			part = strings.TrimLeftFunc(part, unicode.IsSpace)
			for len(part) >= 2 && part[1] == ':' && isLetter(part[0]) {
				part = strings.TrimLeftFunc(part[2:], unicode.IsSpace)
			}
		}
		if !nothing(part) {
			kept = append(kept, part)
		}
	}
	for n := len(kept) - 1; n >= 0; n-- {
		if kept[n] = strings.TrimRightFunc(kept[n], unicode.IsSpace); !nothing(kept[n]) {
			break
		}
		kept = kept[:n]
	}
	return strings.Join(kept, "/")
}

// nothing reports whether a part of a path leads nowhere else, or back.
func nothing(part string) bool { return part == "" || part == "." || part == ".." }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// decodeName is the text of a name or comment: UTF-8 where a flag says so or it is valid, or
// code page 437, which is what names are without that flag (APPNOTE.TXT, appendix D).
func decodeName(b []byte, isUTF8 bool) string {
	if isUTF8 || utf8.Valid(b) {
		return strings.ToValidUTF8(string(b), "\uFFFD")
	}
	var t strings.Builder
	for _, c := range b {
		if c < 0x80 {
			t.WriteByte(c)
			continue
		}
		t.WriteRune(cp437[c-0x80])
	}
	return t.String()
}

// cp437 is the upper half of code page 437.
var cp437 = []rune("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0")

// show is a name in an error, cut where it is absurd.
func show(name string) string {
	const most = 200
	if len(name) <= most {
		return name
	}
	cut := most
	for !utf8.RuneStart(name[cut]) {
		cut--
	}
	return name[:cut] + "…"
}
