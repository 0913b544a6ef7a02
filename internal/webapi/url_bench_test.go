package webapi

import (
	"strings"
	"testing"
)

func BenchmarkParseURL(b *testing.B) {
	for _, c := range []struct{ name, input, base string }{
		{"plain", "https://www.example.com/path/to/file.html?query=string&a=b#fragment", ""},
		{"encoded", "https://user:pass@Example.com:8080/a b/../ü/%7Efoo?x=ä y", ""},
		{"relative", "../c/d?e", "https://www.example.com/a/b/index.html"},
		{"idna", "https://bücher.example/", ""},
		{"ipv6", "http://[2001:db8::1]:8080/", ""},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, ok := ParseURL(c.input, c.base, c.base != ""); !ok {
					b.Fatal("does not parse")
				}
			}
		})
	}
}

func BenchmarkSetURL(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		SetURL("https://www.example.com/path/to/file.html?query=string#fragment", "search", "?a=b")
	}
}

// BenchmarkParseURLHostile has inputs at MaxURL that cost more than linear time where
// the work is done carelessly. Compare MB/s with that of "plain".
func BenchmarkParseURLHostile(b *testing.B) {
	const n = MaxURL / 4
	for _, c := range []struct{ name, input string }{
		{"plain", "https://x/" + strings.Repeat("abcd", n/5)},
		{"dots", "https://x/" + strings.Repeat("a/../", n/5)},
		{"deep then up", "https://x/" + strings.Repeat("a/", n/5) + strings.Repeat("../", n/5)},
		{"at signs", "https://" + strings.Repeat("@", n) + "x/"},
		{"colons", "https://" + strings.Repeat(":", n) + "@x/"},
		{"tabs", "https://x/" + strings.Repeat("\t", n)},
		{"blob", strings.Repeat("blob:", n/5)},
		{"long domain", "https://" + strings.Repeat("a.", n/2)},
		{"long number", "https://" + strings.Repeat("1", n)},
		{"long non-ascii domain", "https://" + strings.Repeat("ü", n/2)},
		{"domain at the cap", "https://" + distinct(maxIDNA)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.input)))
			b.ReportAllocs()
			for b.Loop() {
				ParseURL(c.input, "", false)
			}
		})
	}
}

// distinct returns n bytes of different letters, the worst case of Punycode.
func distinct(n int) string {
	var sb strings.Builder
	for r := rune(0x4E00); sb.Len()+3 <= n; r++ {
		sb.WriteRune(r)
	}
	return sb.String()
}
