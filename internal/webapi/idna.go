package webapi

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// maxIDNA is the longest domain, in bytes, that is given to UTS #46 processing, which
// is not linear (Punycode). No domain above 253 bytes resolves anyhow.
const maxIDNA = 1024

// domains is UTS #46 as "domain to ASCII" with beStrict false asks for it.
var domains = idna.New(
	idna.MapForLookup(),
	idna.Transitional(false),
	idna.CheckHyphens(false),
	idna.CheckJoiners(true),
	idna.BidiRule(),
	idna.StrictDomainName(false),
	idna.VerifyDNSLength(false),
)

// needsIDNA reports whether domain to ASCII does more than lower ASCII letters.
func needsIDNA(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return true
		}
		if s[i]|0x20 == 'x' && (i == 0 || s[i-1] == '.') && len(s)-i >= 4 && s[i+1]|0x20 == 'n' && s[i+2:i+4] == "--" {
			return true
		}
	}
	return false
}

// domainToASCII is UTS #46 ToASCII. x/net does the work, with the Unicode version of the
// Go release; added are the three things in which it differs from the Unicode 16 rules
// for characters it knows: mapChanged, hasEmptyPunycode and joinersFit. (A fourth, U+1806,
// became valid and stays refused.)
func domainToASCII(s string) (string, bool) {
	if len(s) > maxIDNA {
		return "", false
	}
	s = strings.Map(mapChanged, s)
	if hasEmptyPunycode(s) {
		return "", false
	}
	ascii, err := domains.ToASCII(s)
	return ascii, err == nil && joinersFit(ascii)
}

// mapChanged maps the characters whose UTS #46 mapping changed between Unicode 15 and 16
// (capitals that got their small letter, invisible characters that are now ignored,
// compatibility ideographs with corrected mappings), and the Hebrew symbols, whose
// direction x/net takes from before their mapping and so misses.
func mapChanged(r rune) rune {
	switch {
	case r < 0x04C0:
	case r == 0x04C0:
		return 0x04CF
	case 0x10A0 <= r && r <= 0x10C5:
		return r - 0x10A0 + 0x2D00
	case r == 0x1E9E:
		return 0xDF
	case r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5, r == 0x180E, r == 0x3164, r == 0xFFA0,
		0x2061 <= r && r <= 0x2063, 0x206A <= r && r <= 0x206F, 0x1D173 <= r && r <= 0x1D17A:
		return -1
	case r == 0x2132:
		return 0x214E
	case 0x2135 <= r && r <= 0x2138:
		return r - 0x2135 + 0x05D0
	case r == 0x2183:
		return 0x2184
	case r == 0x2F868:
		return 0x36FC
	case r == 0x2F874:
		return 0x5F53
	case r == 0x2F91F:
		return 0x243AB
	case r == 0x2F95F:
		return 0x7AEE
	case r == 0x2F9BF:
		return 0x45D7
	}
	return r
}

// hasEmptyPunycode reports whether a label of s is, after mapping, "xn--" and nothing
// more, which x/net takes for an empty label. The mapping is not to be had by itself;
// but with a letter in front, the label is mapped and no more taken for Punycode.
func hasEmptyPunycode(s string) bool {
	if !strings.ContainsAny(s, "-\uFE63\uFF0D") {
		return false
	}
	for s != "" {
		label := s
		if i := strings.IndexAny(s, ".\u3002\uFF0E\uFF61"); i >= 0 {
			_, dot := utf8.DecodeRuneInString(s[i:])
			label, s = s[:i], s[i+dot:]
		} else {
			s = ""
		}
		if mapped, err := domains.ToASCII("a" + label); err == nil && mapped == "axn--" {
			return true
		}
	}
	return false
}

// joinersFit reports whether each zero width non-joiner in a domain that x/net took is
// followed by a character that joins (RFC 5892, A.1), unless a virama precedes it. x/net
// checks what precedes it but lets any letter follow.
func joinersFit(ascii string) bool {
	const zwnj = '\u200C'
	s, err := idna.Punycode.ToUnicode(ascii)
	if err != nil {
		return false
	}
	joined := false // a joiner waits for its letter
	last := rune(0)
	for _, r := range s {
		switch {
		case r == zwnj:
			joined = !unicode.Is(viramas, last)
		case !joined:
		case unicode.Is(joinsBefore, r):
			joined = false
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) && !unicode.Is(nonTransparent, r) || r == 0x1E94B:
		default:
			return false
		}
		last = r
	}
	return !joined
}

func table(bounds ...uint32) *unicode.RangeTable {
	t := &unicode.RangeTable{}
	for i := 0; i < len(bounds); i += 2 {
		t.R32 = append(t.R32, unicode.Range32{Lo: bounds[i], Hi: bounds[i+1], Stride: 1})
	}
	return t
}

// From the Unicode Character Database, version 16.
var (
	// joinsBefore has Joining_Type R or D: letters that join to the one before them.
	joinsBefore = table(
		0x0620, 0x0620, 0x0622, 0x063F, 0x0641, 0x064A, 0x066E, 0x066F, 0x0671, 0x0673,
		0x0675, 0x06D3, 0x06D5, 0x06D5, 0x06EE, 0x06EF, 0x06FA, 0x06FC, 0x06FF, 0x06FF,
		0x0710, 0x0710, 0x0712, 0x072F, 0x074D, 0x077F, 0x07CA, 0x07EA, 0x0840, 0x0858,
		0x0860, 0x0860, 0x0862, 0x0865, 0x0867, 0x086A, 0x0870, 0x0882, 0x0886, 0x0886,
		0x0889, 0x088E, 0x08A0, 0x08AC, 0x08AE, 0x08C8, 0x1807, 0x1807, 0x1820, 0x1878,
		0x1887, 0x18A8, 0x18AA, 0x18AA, 0xA840, 0xA871, 0x10AC0, 0x10AC5, 0x10AC7, 0x10AC7,
		0x10AC9, 0x10ACA, 0x10ACE, 0x10AD6, 0x10AD8, 0x10AE1, 0x10AE4, 0x10AE4, 0x10AEB, 0x10AEF,
		0x10B80, 0x10B91, 0x10BA9, 0x10BAE, 0x10D01, 0x10D23, 0x10EC2, 0x10EC4, 0x10F30, 0x10F44,
		0x10F51, 0x10F54, 0x10F70, 0x10F81, 0x10FB0, 0x10FB0, 0x10FB2, 0x10FB6, 0x10FB8, 0x10FBF,
		0x10FC1, 0x10FC4, 0x10FC9, 0x10FCA, 0x1E900, 0x1E943,
	)
	// nonTransparent are format characters whose Joining_Type is U, unlike the others'.
	nonTransparent = table(0x0600, 0x0605, 0x06DD, 0x06DD, 0x0890, 0x0891, 0x08E2, 0x08E2, 0x200D, 0x200D)
	// viramas has Canonical_Combining_Class Virama.
	viramas = table(
		0x094D, 0x094D, 0x09CD, 0x09CD, 0x0A4D, 0x0A4D, 0x0ACD, 0x0ACD, 0x0B4D, 0x0B4D,
		0x0BCD, 0x0BCD, 0x0C4D, 0x0C4D, 0x0CCD, 0x0CCD, 0x0D3B, 0x0D3C, 0x0D4D, 0x0D4D,
		0x0DCA, 0x0DCA, 0x0E3A, 0x0E3A, 0x0EBA, 0x0EBA, 0x0F84, 0x0F84, 0x1039, 0x103A,
		0x1714, 0x1715, 0x1734, 0x1734, 0x17D2, 0x17D2, 0x1A60, 0x1A60, 0x1B44, 0x1B44,
		0x1BAA, 0x1BAB, 0x1BF2, 0x1BF3, 0x2D7F, 0x2D7F, 0xA806, 0xA806, 0xA82C, 0xA82C,
		0xA8C4, 0xA8C4, 0xA953, 0xA953, 0xA9C0, 0xA9C0, 0xAAF6, 0xAAF6, 0xABED, 0xABED,
		0x10A3F, 0x10A3F, 0x11046, 0x11046, 0x11070, 0x11070, 0x1107F, 0x1107F, 0x110B9, 0x110B9,
		0x11133, 0x11134, 0x111C0, 0x111C0, 0x11235, 0x11235, 0x112EA, 0x112EA, 0x1134D, 0x1134D,
		0x113CE, 0x113D0, 0x11442, 0x11442, 0x114C2, 0x114C2, 0x115BF, 0x115BF, 0x1163F, 0x1163F,
		0x116B6, 0x116B6, 0x1172B, 0x1172B, 0x11839, 0x11839, 0x1193D, 0x1193E, 0x119E0, 0x119E0,
		0x11A34, 0x11A34, 0x11A47, 0x11A47, 0x11A99, 0x11A99, 0x11C3F, 0x11C3F, 0x11D44, 0x11D45,
		0x11D97, 0x11D97, 0x11F41, 0x11F42, 0x1612F, 0x1612F,
	)
)
