package webapi

import "testing"

// The vectors of testdata/url do not have these; each is a difference of x/net from UTS #46.
func TestDomainToASCIIBeyondTheVectors(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"a capital that got its small letter in Unicode 16 is mapped", "\u10A0.\u04C0.\u2132", "xn--rkj.xn--s5a.xn--73g"},
		{"capital sharp s is sharp s", "gro\u1E9E", "xn--gro-7ka"},
		{"Hangul fillers are ignored", "a\u115Fb\u3164", "ab"},
		{"a corrected ideograph is mapped", "\U0002F868", "xn--snl"},
		{"a Hebrew symbol is right to left", "a\u2135b", ""},
		{"empty Punycode is refused", "xn--", ""},
		{"empty Punycode is refused between labels", "a.XN--.b", ""},
		{"empty Punycode is refused after mapping", "\uFF58n\uFF0D\u00AD-\u3002b", ""},
		{"Punycode of ASCII is refused", "xn--abc-", ""},
		{"a label that starts with a hyphen is not Punycode", "-.\u00FC", "-.xn--tda"},
		{"a joiner between joining letters is kept", "\u0628\u200C\u0628", "xn--ngba799q"},
		{"a joiner before a letter that does not join is refused", "\u0628\u200C\u05D0", ""},
		{"a joiner before a digit is refused", "\u0628\u200C8", ""},
		{"a joiner at the end is refused", "\u0628\u200C", ""},
		{"a joiner after a virama is kept", "\u0915\u094D\u200C\u0937", "xn--11b2ezcs70k"},
		{"marks between joiner and letter are skipped", "\u0628\u200C\u064B\u0628", "xn--ngba8hn06i"},
	} {
		got, ok := domainToASCII(c.in)
		if ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s: %+q is %q, %v; want %q", c.name, c.in, got, ok, c.want)
		}
	}
}
