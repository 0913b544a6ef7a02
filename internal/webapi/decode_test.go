package webapi

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// A goldenEncoding is what golden.mjs writes of one encoding.
type goldenEncoding struct {
	Sweeps map[string]string
	Cases  []goldenCase
}

type goldenCase struct {
	bytes []byte
	text  string
	valid bool
}

func (c *goldenCase) UnmarshalJSON(data []byte) error {
	var h string
	if err := json.Unmarshal(data, &[]any{&h, &c.text, &c.valid}); err != nil {
		return err
	}
	var err error
	c.bytes, err = hex.DecodeString(h)
	return err
}

func loadGolden(t testing.TB) map[string]goldenEncoding {
	t.Helper()
	data, err := os.ReadFile("testdata/encoding/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden map[string]goldenEncoding
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	return golden
}

// sweepFamilies yield the byte sequences whose texts golden.mjs hashes.
var sweepFamilies = map[string]iter.Seq[[]byte]{
	"single": func(yield func([]byte) bool) {
		for a := range 256 {
			yield([]byte{byte(a)})
		}
	},
	"pairs": func(yield func([]byte) bool) {
		for p := range 1 << 16 {
			yield([]byte{byte(p >> 8), byte(p)})
		}
	},
	"jis0212": func(yield func([]byte) bool) {
		for p := range 1 << 16 {
			yield([]byte{0x8F, byte(p >> 8), byte(p)})
		}
	},
	"escaped": func(yield func([]byte) bool) {
		for _, e := range []string{"(B", "(J", "(I", "$B", "$@"} {
			for p := range 1 << 16 {
				yield([]byte{0x1B, e[0], e[1], byte(p >> 8), byte(p)})
			}
		}
	},
	"four": func(yield func([]byte) bool) {
		for a := 0x81; a < 0xFF; a++ {
			step := 1
			if a > 0x84 {
				step = 25
			}
			for b := '0'; b <= '9'; b++ {
				if a > 0x84 && a < 0x90 && b > '0' {
					continue
				}
				for c := 0x81; c < 0xFF; c += step {
					for d := '0'; d <= '9'; d++ {
						yield([]byte{byte(a), byte(b), byte(c), byte(d)})
					}
				}
			}
		}
	},
}

func TestDecodeTextSweeps(t *testing.T) {
	if testing.Short() {
		t.Skip("decodes three million sequences, which takes about a second")
	}
	t.Parallel()
	for name, golden := range loadGolden(t) {
		for family, want := range golden.Sweeps {
			h := sha256.New()
			for b := range sweepFamilies[family] {
				text, n, ok := DecodeText(name, b, false, true)
				if !ok || n != len(b) {
					t.Fatalf("%s: % x: consumed %d, %v", name, b, n, ok)
				}
				h.Write([]byte(text + "\n"))
			}
			if got := hex.EncodeToString(h.Sum(nil)); got != want {
				t.Errorf("%s: the texts of %q are not those of the reference", name, family)
			}
		}
	}
}

func TestDecodeTextCases(t *testing.T) {
	t.Parallel()
	for name, golden := range loadGolden(t) {
		for _, c := range golden.Cases {
			text, n, ok := DecodeText(name, c.bytes, false, true)
			if text != c.text || n != len(c.bytes) || !ok {
				t.Errorf("%s: % x is %+q, %d, %v; want %+q", name, c.bytes, text, n, ok, c.text)
			}
			if _, _, ok := DecodeText(name, c.bytes, true, true); ok != c.valid {
				t.Errorf("%s: % x with fatal: %v, want %v", name, c.bytes, ok, c.valid)
			}
			for size := 1; size < 4; size++ {
				if got := decodeStream(t, name, slices.Collect(slices.Chunk(c.bytes, size))); got != c.text {
					t.Errorf("%s: % x in pieces of %d is %+q, want %+q", name, c.bytes, size, got, c.text)
				}
			}
		}
	}
}

// decodeStream decodes pieces as TextDecoder does with stream.
func decodeStream(t testing.TB, name string, pieces [][]byte) string {
	t.Helper()
	var sb strings.Builder
	var rest []byte
	for i := 0; i <= len(pieces); i++ {
		last := i == len(pieces)
		if !last {
			rest = append(rest, pieces[i]...)
		}
		text, n, ok := DecodeText(name, rest, false, last)
		if !ok || n > len(rest) || last && n != len(rest) {
			t.Fatalf("%s: % x: consumed %d, %v", name, rest, n, ok)
		}
		if left := len(rest) - n; name != "iso-2022-jp" && left > 3 {
			t.Fatalf("%s: % x: %d bytes are left", name, rest, left)
		}
		sb.WriteString(text)
		rest = rest[n:]
	}
	return sb.String()
}

func TestDecodeTextStreams(t *testing.T) {
	for _, c := range []struct {
		name, encoding, in string
		last               bool
		text               string
		consumed           int
	}{
		{"an unfinished pair stays", "big5", "a\xA4", false, "a", 1},
		{"an unfinished pair is an error at the end", "big5", "a\xA4", true, "a\uFFFD", 2},
		{"an unfinished four-byte sequence stays", "gb18030", "a\x81\x30\x81", false, "a", 1},
		{"an unfinished four-byte sequence is one error at the end", "gb18030", "a\x81\x30\x81", true, "a\uFFFD", 4},
		{"three bytes that cannot go on do not wait", "gb18030", "a\x81\x30a", false, "a\uFFFD0a", 4},
		{"a high surrogate stays", "utf-16le", "a\x00\x3D\xD8\x00", false, "a", 2},
		{"a high surrogate and half a unit are one error at the end", "utf-16le", "a\x00\x3D\xD8\x00", true, "a\uFFFD", 5},
		{"a third byte of JIS X 0212 is waited for", "euc-jp", "a\x8F\xA2", false, "a", 1},
		{"a byte order mark is kept", "utf-16be", "\xFE\xFF\x00a", false, "\uFEFFa", 4},
		{"Japanese stays until ASCII and a character", "iso-2022-jp", "a\x1B$B\x24\x22\x1B(B", false, "a", 1},
		{"Japanese is given after ASCII and a character", "iso-2022-jp", "a\x1B$B\x24\x22\x1B(Bb", false, "a\u3042b", 10},
		{"Japanese is given at the end", "iso-2022-jp", "a\x1B$B\x24\x22", true, "a\u3042", 6},
		{"an escape sequence stays", "iso-2022-jp", "a\x1B$", false, "a", 1},
		{"two escape sequences in a row are an error", "iso-2022-jp", "\x1B$B\x1B(Ba", true, "\uFFFDa", 7},
		{"no bytes are no text", "shift_jis", "", true, "", 0},
	} {
		text, n, ok := DecodeText(c.encoding, []byte(c.in), false, c.last)
		if text != c.text || n != c.consumed || !ok {
			t.Errorf("%s: got %+q, %d, %v; want %+q, %d", c.name, text, n, ok, c.text, c.consumed)
		}
	}
}

func TestDecodeTextFatal(t *testing.T) {
	for _, c := range []struct {
		name, encoding, in string
		last, ok           bool
	}{
		{"an encoded U+FFFD is no error", "gb18030", "\x84\x31\xA4\x37", true, true},
		{"a UTF-16 U+FFFD is no error", "utf-16be", "\xFF\xFD", true, true},
		{"an unmapped byte is an error", "windows-1253", "\xAA", true, false},
		{"an unfinished pair may go on", "euc-kr", "\xB0", false, true},
		{"an unfinished pair may not end", "euc-kr", "\xB0", true, false},
		{"an error among bytes that stay counts at once", "iso-2022-jp", "\x1B$B\x01", false, false},
		{"more than MaxDecode is refused", "x-user-defined", strings.Repeat("a", MaxDecode+1), true, false},
		{"UTF-8 is not decoded here", "utf-8", "a", true, false},
		{"an unknown name is refused", "replacement", "a", true, false},
	} {
		if _, _, ok := DecodeText(c.encoding, []byte(c.in), true, c.last); ok != c.ok {
			t.Errorf("%s: %v, want %v", c.name, ok, c.ok)
		}
	}
}

func TestEncodingName(t *testing.T) {
	if len(names) != 228-6 {
		t.Errorf("%d labels, want all 228 but the 6 of replacement", len(names))
	}
	for label, name := range names {
		if _, ok := labels[name]; !ok {
			t.Errorf("label %q has name %q, which is no encoding", label, name)
		}
		if decoders[name] == nil && name != "utf-8" {
			t.Errorf("%q has no decoder", name)
		}
	}
	for _, c := range []struct{ label, want string }{
		{"latin1", "windows-1252"}, {"ASCII", "windows-1252"}, {" \t\r\n\fUTF8 ", "utf-8"}, {"unicode", "utf-16le"},
		{"UnicodeFFFE", "utf-16be"}, {"x-sjis", "shift_jis"}, {"GB2312", "gbk"}, {"logical", "iso-8859-8-i"},
		{"ISO-8859-8", "iso-8859-8"}, {"x-x-big5", "big5"}, {"iso885911", "windows-874"}, {"x-user-defined", "x-user-defined"},
		{"replacement", ""}, {"iso-2022-kr", ""}, {"hz-gb-2312", ""}, {"", ""}, {" ", ""}, {"utf-7", ""}, {"utf-32", ""},
		{"\vutf8", ""}, {"utf8\u00A0", ""}, {"\u212Aoi8", ""}, {strings.Repeat("x", 1<<20), ""},
	} {
		if got, ok := EncodingName(c.label); got != c.want || ok != (c.want != "") {
			t.Errorf("%.40q is %q, %v; want %q", c.label, got, ok, c.want)
		}
	}
}

// FuzzDecodeText checks that a stream gives the same text as its bytes at once, however
// it is cut, that the text is UTF-8 and its size bounded, and that fatal fails exactly
// when a text without fatal has errors (which no text without U+FFFD has).
func FuzzDecodeText(f *testing.F) {
	golden := loadGolden(f)
	all := slices.Sorted(func(yield func(string) bool) {
		for name := range decoders {
			if !yield(name) {
				return
			}
		}
	})
	for name, g := range golden {
		for i, c := range g.Cases {
			f.Add(byte(slices.Index(all, name)), c.bytes, byte(i))
		}
	}
	f.Fuzz(func(t *testing.T, encoding byte, b []byte, cut byte) {
		name := all[int(encoding)%len(all)]
		text, n, ok := DecodeText(name, b, false, true)
		if !ok || n != len(b) || !utf8.ValidString(text) || len(text) > 3*len(b) {
			t.Fatalf("%s: % x is %q, %d, %v", name, b, text, n, ok)
		}
		strict, _, ok := DecodeText(name, b, true, true)
		if ok && strict != text || !ok && !strings.Contains(text, "\uFFFD") {
			t.Fatalf("%s: % x is %q, with fatal %q, %v", name, b, text, strict, ok)
		}
		at := int(cut) % (len(b) + 1)
		if got := decodeStream(t, name, [][]byte{b[:at], b[at:]}); got != text {
			t.Fatalf("%s: % x cut at %d is %q, want %q", name, b, at, got, text)
		}
		if len(b) < 64 {
			if got := decodeStream(t, name, slices.Collect(slices.Chunk(b, 1+int(cut)%3))); got != text {
				t.Fatalf("%s: % x in pieces is %q, want %q", name, b, got, text)
			}
		}
	})
}

func BenchmarkDecodeText(b *testing.B) {
	for name, unit := range map[string]string{
		"windows-1252": "Caf\xE9 au lait, ",
		"utf-16le":     "a\x00\x42\x30\x3D\xD8\x00\xDE",
		"gb18030":      "abc \xC4\xE3\xBA\xC3",
		"shift_jis":    "abc \x82\xB1\x82\xF1",
		"iso-2022-jp":  "abc \x1B$B\x24\x33\x24\x73\x1B(B",
	} {
		in := []byte(strings.Repeat(unit, (1<<20)/len(unit)))
		DecodeText(name, in[:4], false, true) // builds the index
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				DecodeText(name, in, false, true)
			}
		})
	}
}
