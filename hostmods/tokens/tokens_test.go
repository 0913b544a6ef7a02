package tokens

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"

	"quicksand/hostmods/hosttest"
)

func TestGoldens(t *testing.T) {
	ctx := context.Background()
	const text = "hello world, sandbox 日本"
	for encoding, want := range map[string]string{
		"cl100k_base": "[15339,1917,11,43854,76502,22656]",
		"o200k_base":  "[24912,2375,11,91789,17428]",
		"p50k_base":   "[31373,995,11,35204,10545,245,98,17312,105]",
		"r50k_base":   "[31373,995,11,35204,10545,245,98,17312,105]",
	} {
		if got := hosttest.JSON(ctx, "tokens.encode", text, encoding); got != want {
			t.Errorf("%s: got %s, want %s", encoding, got, want)
		}
		if got, want := hosttest.JSON(ctx, "tokens.count", text, encoding), fmt.Sprint(1+strings.Count(want, ",")); got != want {
			t.Errorf("%s: counted %s, want %s", encoding, got, want)
		}
		if got := hosttest.JSON(ctx, "tokens.decode", json.RawMessage(want), encoding); got != `"`+text+`"` {
			t.Errorf("%s: decoded %s", encoding, got)
		}
	}
}

func TestCalls(t *testing.T) {
	ctx := context.Background()
	for _, row := range []struct {
		name string
		call string
		args []any
		want string
	}{
		{"an empty text has no tokens", "tokens.count", []any{""}, "0"},
		{"the default is cl100k_base", "tokens.count", []any{"hello world, sandbox 日本"}, "6"},
		{"a text may be bytes", "tokens.count", []any{[]byte("hello world")}, "2"},
		{"unknown encodings are listed", "tokens.count", []any{"x", "gpt2"}, `! tokens.count: there is no encoding "gpt2", only cl100k_base, p50k_base, r50k_base, o200k_base`},
		{"the text of a control token is text", "tokens.count", []any{"<|endoftext|>"}, "7"},
		{"a number is no text", "tokens.count", []any{5}, `! tokens.count: text must be a string or Uint8Array, not the number 5`},
		{"unknown ids are left out", "tokens.decode", []any{[]any{15339, 100256, 4000000, 1 << 40, 1917}}, `"hello world"`},
		{"control ids decode to their text", "tokens.decode", []any{[]any{100257}}, `"<|endoftext|>"`},
		{"typed arrays are ids", "tokens.decode", []any{[]uint32{15339, 1917}}, `"hello world"`},
		{"no ids make no text", "tokens.decode", []any{[]any{}}, `""`},
		{"negative ids are refused", "tokens.decode", []any{[]any{1, -1}}, `! tokens.decode: ids[1] is -1, not a whole number of at least 0`},
		{"fractions are refused", "tokens.decode", []any{[]any{1.5}}, `! tokens.decode: ids[0] is 1.5, not a whole number of at least 0`},
		{"strings are no ids", "tokens.decode", []any{[]any{"1"}}, `! tokens.decode: ids[0] must be a number`},
		{"a string is no list", "tokens.decode", []any{"1"}, `! tokens.decode: ids must be an array of numbers, not a string`},
		{"half a character is one mark", "tokens.decode", []any{[]any{9468}}, "\"\uFFFD\""},
		{"DEL is a symbol", "tokens.count", []any{"\x00\x01\x7f"}, "3"},
		{"a text is cut after n tokens", "tokens.truncate", []any{"hello world, sandbox", 2}, `"hello world"`},
		{"a short text stays whole", "tokens.truncate", []any{"hello", 2}, `"hello"`},
		{"nothing fits into no tokens", "tokens.truncate", []any{"hello", 0}, `""`},
		{"a cut leaves no half character", "tokens.truncate", []any{"ab😀", 2, "r50k_base"}, `"ab"`},
		{"a negative budget is refused", "tokens.truncate", []any{"x", -1}, `! tokens.truncate: n must be at least 0, not -1`},
		{"more than the limit is refused", "tokens.count", []any{strings.Repeat("é", 5_242_881)}, `! tokens.count: text has 5242881 characters, more than the limit of 5242880 (HostTextSize)`},
	} {
		if got := hosttest.JSON(ctx, row.call, row.args...); got != row.want {
			t.Errorf("%s: got %s, want %s", row.name, got, row.want)
		}
	}
}

var samples = []string{
	"", " ", "\n", "  \n  x", " \r\n\r\n\t y", "a  b   c    ", "don't DON'T we'll WE'LL x'S 'Re", "'", "''s",
	"12345678 1234 ١٢٣٤ ½ Ⅷ", "foo/bar//baz\n\n/x", "int main() { return 0; }\n\n\n\n\treturn;",
	"日本語のテキスト、混ぜてABCxyz", "ABCdef ABCDefGHI ǅx ʰa aʰB", "e\u0301te\u0301 \u0301\u0301A \u0301b \u0301B", "😀😀 👩‍👩‍👧‍👦!",
	"\u00a0\u2003x \u0085 y\ufeffz", "שלום עולם مرحبا", "ᄒ하ᅡᆫ 한국어", "\u0300AB", "!\u0300AB", " \u0300", "AΑА", "ß ẞ ŉ",
	strings.Repeat("a", 300), strings.Repeat("ab", 200) + " " + strings.Repeat("=", 257), strings.Repeat(" ", 200) + "x", "\x00\x01",
	"<|endoftext|>", "x\n \n\n  \n y", "1 22 333 4444 55555", "ⅣⅣⅣⅣ", "\u1c80\u1c80Ა", "ﬁ ﬂ", "A'LL a'lL 'lx 'v 'r",
}

const (
	white        = `\t\n\v\f\r \x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}`
	contractions = `'(?:[sS]|[tT]|[rR][eE]|[vV][eE]|[mM]|[lL][lL]|[dD])`
	gpt2         = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^` + white + `\p{L}\p{N}]+|([` + white + `]+)`
	modern       = `[` + white + `]*[\r\n]+|([` + white + `]+)`
)

// Expressions of the encodings for package regexp, which has no (?!\S): of a piece by the last
// alternative, group 1, the last character is left to the next piece unless the text ends.
var expressions = map[string]*regexp.Regexp{
	"cl100k_base": regexp.MustCompile(`^(?:` + contractions + `|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^` + white + `\p{L}\p{N}]+[\r\n]*|` + modern + `)`),
	"o200k_base": regexp.MustCompile(`^(?:[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?:` + contractions + `)?|` +
		`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?:` + contractions + `)?|` +
		`\p{N}{1,3}| ?[^` + white + `\p{L}\p{N}]+[\r\n/]*|` + modern + `)`),
	"r50k_base": regexp.MustCompile(`^(?:` + gpt2 + `)`),
	"p50k_base": regexp.MustCompile(`^(?:` + gpt2 + `)`),
}

// reference encodes in the plainest way.
func reference(e *Encoding, text string) []int {
	list := []int{}
	for len(text) > 0 {
		m := expressions[e.name].FindStringSubmatchIndex(text)
		end := m[1]
		if m[2] >= 0 && end < len(text) {
			if _, n := utf8.DecodeLastRuneInString(text[:end]); n < end {
				end -= n
			}
		}
		var parts []string
		for i := range end {
			parts = append(parts, text[i:i+1])
		}
		for {
			best, at := uint32(unmergeable), 0
			for i := 0; i+1 < len(parts); i++ {
				if r := e.rank(parts[i] + parts[i+1]); r < best {
					best, at = r, i
				}
			}
			if best == unmergeable {
				break
			}
			parts = slices.Replace(parts, at, at+2, parts[at]+parts[at+1])
		}
		if id := e.rank(text[:end]); id != unmergeable {
			list = append(list, int(id))
		} else {
			for _, p := range parts {
				list = append(list, int(e.rank(p)))
			}
		}
		text = text[end:]
	}
	return list
}

func TestEqualToTheRegularExpressions(t *testing.T) {
	ctx := context.Background()
	rounds := 2000
	if testing.Short() {
		rounds = 200
	}
	for _, f := range families {
		e := f.load()
		check := func(text string) {
			want := reference(e, text)
			got, err := e.Encode(ctx, text)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s of %q: got %v, %v, want %v", f.name, text, got, err, want)
			}
			list := make([]uint32, len(got))
			for i, id := range got {
				list[i] = uint32(id)
			}
			if back := e.Decode(list); back != text {
				t.Errorf("%s: %q came back as %q", f.name, text, back)
			}
		}
		for _, s := range samples {
			check(s)
		}
		alphabet := []rune("aAbBzéÉ1٢ \t\n\r'/-_.日ʰǅ\u0301\u0903😀\u00a0st LlRe\x7f")
		rnd := rand.New(rand.NewPCG(1, 2))
		for range rounds {
			var b strings.Builder
			for range rnd.IntN(30) {
				b.WriteRune(alphabet[rnd.IntN(len(alphabet))])
			}
			check(b.String())
		}
	}
}

// The library whose vocabularies these are encodes prose alike. It loses U+007F, which no part
// of its expressions takes, and cuts lines of spaces between empty lines in two.
func TestEqualToTheLibrary(t *testing.T) {
	for _, f := range families {
		got, err := f.load().Encode(context.Background(), prose)
		want, _, err2 := f.source().Encode(prose)
		if err != nil || err2 != nil || len(got) != len(want) || len(got) < 10_000 {
			t.Fatalf("%s: %d tokens, %v, want %d, %v", f.name, len(got), err, len(want), err2)
		}
		for i := range got {
			if got[i] != int(want[i]) {
				t.Fatalf("%s: token %d is %d, want %d", f.name, i, got[i], want[i])
			}
		}
	}
}

func TestLongPiecesAreMergedAsShortOnes(t *testing.T) {
	e, err := Load("o200k_base")
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		b := make([]byte, 2+rnd.IntN(150))
		for i := range b {
			b[i] = "abcdinteo"[rnd.IntN(9)]
		}
		var m merger
		short := m.scan(e, string(b), nil)
		long, err := m.heaped(context.Background(), e, string(b), nil)
		if err != nil || !slices.Equal(short, long) {
			t.Fatalf("%s: %v and %v, %v", b, short, long, err)
		}
	}
}

func TestHostileTextsEndWithTheContext(t *testing.T) {
	if testing.Short() {
		t.Skip("long pieces take a second each")
	}
	e, err := Load("o200k_base")
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]string{
		"one letter": strings.Repeat("a", 1<<20), "spaces": strings.Repeat(" ", 1<<20) + "x",
		"symbols": strings.Repeat("=-", 1<<19), "lines": strings.Repeat("\n ", 1<<19), "marks": strings.Repeat("\u0301", 1<<19),
	} {
		start := time.Now()
		n, err := e.Count(context.Background(), s)
		if err != nil || n < len(s)/1000 || n > len(s) {
			t.Errorf("%s: got %d, %v", name, n, err)
		}
		t.Logf("%s: %d tokens in %v", name, n, time.Since(start))
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		if _, err := e.Count(ctx, s); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: with a deadline got %v", name, err)
		}
		cancel()
	}
}

func TestACancelledCallDoesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := hosttest.Call(ctx, "tokens.count", "hello"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	e, _ := Load("r50k_base")
	var m merger
	hugeTurn <- struct{}{}
	_, err := m.merge(ctx, e, strings.Repeat("a", hugePiece), nil)
	<-hugeTurn
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a huge piece that waits for its turn: got %v", err)
	}
}

func FuzzEncode(f *testing.F) {
	for _, s := range samples {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 4096 || !utf8.ValidString(s) {
			return
		}
		for _, fam := range families {
			e := fam.load()
			got, err := e.Encode(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			if want := reference(e, s); !slices.Equal(got, want) {
				t.Fatalf("%s of %q: got %v, want %v", fam.name, s, got, want)
			}
			cut, err := e.Truncate(context.Background(), s, len(got)/2)
			if err != nil || !strings.HasPrefix(s, cut) || !utf8.ValidString(cut) {
				t.Fatalf("%s: %q cut to %q", fam.name, s, cut)
			}
		}
	})
}

var prose = func() string {
	rnd := rand.New(rand.NewPCG(5, 6))
	words := strings.Fields("the quick brown fox jumps over lazy dogs; internationalisation of 2026 sandboxes, weren't 3.14159 日本 naïve façade {\"key\": [1, 2]} SELECT FROM returning")
	var b strings.Builder
	for b.Len() < 99_000 {
		b.WriteString(words[rnd.IntN(len(words))])
		b.WriteByte(" \n"[min(1, rnd.IntN(12)/11)])
	}
	return b.String()
}()

func BenchmarkCount99KB(b *testing.B) {
	e, _ := Load("o200k_base")
	b.SetBytes(int64(len(prose)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := e.Count(context.Background(), prose); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLibrary99KB(b *testing.B) {
	c := codec.NewO200kBase()
	b.SetBytes(int64(len(prose)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Count(prose); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		families[3].read()
	}
}
