package bridges

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"quicksand/internal/marshal"
)

func TestRedact(t *testing.T) {
	var r Redactor
	if r.Active() || r.Redact("hunter2-hunter2") != "hunter2-hunter2" {
		t.Error("the zero Redactor knows a secret")
	}
	r.Add("SHORT", "abc")
	r.Add("EMPTY", "")
	if r.Active() {
		t.Error("a value of three bytes is redacted")
	}
	r.Add("FOUR", "abcd")
	r.Add("KEY", "hunter2-hunter2")
	r.Add("LONG", "hunter2-hunter2-and-more")
	r.Add("ODD", `p"a'ss\w/ö r&d`)
	r.Add("OVER", "and-more-of-it")
	r.Add("PEM", "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0\n  BAQEFAASCBKcwggSjAgEA\nend\n-----END KEY-----\n")
	const odd = `p"a'ss\w/ö r&d`
	quoted, _ := json.Marshal(odd)
	for _, row := range []struct{ name, in, want string }{
		{"nothing", "an ordinary line", "an ordinary line"},
		{"the shortest", "x abcd y", "x [redacted FOUR] y"},
		{"less than the shortest", "abc", "abc"},
		{"one", "key=hunter2-hunter2;", "key=[redacted KEY];"},
		{"alone", "hunter2-hunter2", "[redacted KEY]"},
		{"twice in a row", "abcdabcd", "[redacted FOUR][redacted FOUR]"},
		{"a longer one goes before one that begins it", "hunter2-hunter2-and-more!", "[redacted LONG]!"},
		{"no rest of one that overlaps stays", "hunter2-hunter2-and-more-of-it!", "[redacted LONG]!"},
		{"case counts", "HUNTER2-HUNTER2", "HUNTER2-HUNTER2"},
		{"cut is not found", "hunter2-hunter", "hunter2-hunter"},
		{"as JSON.stringify writes it", `{"k":"p\"a'ss\\w/ö r&d"}`, `{"k":"[redacted ODD]"}`},
		{"as encoders for pages write it", string(quoted), `"[redacted ODD]"`},
		{"in ASCII", `"p\"a'ss\\w/\u00f6 r&d"`, `"[redacted ODD]"`},
		{"with escaped slashes", `"p\"a'ss\\w\/ö r&d"`, `"[redacted ODD]"`},
		{"in single quotes", `'p"a\'ss\\w/ö r&d'`, `'[redacted ODD]'`},
		{"in a query", "?q=" + url.QueryEscape(odd), "?q=[redacted ODD]"},
		{"in a path", "/" + url.PathEscape(odd), "/[redacted ODD]"},
		{"by encodeURIComponent", "p%22a'ss%5Cw%2F%C3%B6%20r%26d", "[redacted ODD]"},
		{"with escapes in lower case", "p%22a'ss%5cw%2f%c3%b6%20r%26d", "[redacted ODD]"},
		{"in hex", hex.EncodeToString([]byte(odd)), "[redacted ODD]"},
		{"in upper hex", strings.ToUpper(hex.EncodeToString([]byte(odd))), "[redacted ODD]"},
		{"a line of several", "line MIIEvQIBADANBgkqhkiG9w0 here", "line [redacted PEM] here"},
		{"an indented line", "> BAQEFAASCBKcwggSjAgEA", "> [redacted PEM]"},
		{"a short line of several stays", "the end", "the end"},
		{"whole, of several lines", "x-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0\n  BAQEFAASCBKcwggSjAgEA\nend\n-----END KEY-----\ny", "x[redacted PEM]y"},
	} {
		if got := r.Redact(row.in); got != row.want {
			t.Errorf("%s:\ngot  %s\nwant %s", row.name, got, row.want)
		}
		if got := r.RedactName(row.in); got != row.in {
			t.Errorf("%s: the guest's own secret is taken out of a value: %s", row.name, got)
		}
	}
}

// TestRedactBase64 puts a secret at every place of texts and encodes them whole.
func TestRedactBase64(t *testing.T) {
	for _, secret := range []string{"abcd", "hunter2", "hunter2-hunter2", "\xff\xfe\xfd?>~/+ü", strings.Repeat("s3cret", 20)} {
		var r Redactor
		r.Add("KEY", secret)
		for before := range 7 {
			for after := range 7 {
				text := strings.Repeat("<", before) + secret + strings.Repeat(">", after)
				for i, enc := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
					in := enc.EncodeToString([]byte(text))
					got := r.Redact(in)
					if !strings.Contains(got, "[redacted KEY]") {
						t.Fatalf("%q in %q, encoding %d: got %s of %s", secret, text, i, got, in)
					}
					// Two characters at each end may stay, which hold bits of it.
					if rest := strings.Replace(got, "[redacted KEY]", "", 1); len(rest) > (before+2)/3*4+(after+4)/3*4+4 {
						t.Errorf("%q in %q, encoding %d: %s stays", secret, text, i, rest)
					}
				}
			}
		}
	}
}

func TestRedactKeepsTextsSmall(t *testing.T) {
	var r Redactor
	name := strings.Repeat("NÄME", 50)
	r.Add(name, "abcd")
	if got := r.Redact("abcd"); len(got) > 64 || !strings.HasPrefix(got, "[redacted NÄMENÄME") || !strings.HasSuffix(got, "…]") || strings.ContainsRune(got, '\uFFFD') {
		t.Errorf("got %q", got)
	}
	in := strings.Repeat("abcd", 100_000)
	got := r.Redact(in)
	if len(got) > len(in)+maxGrowth || strings.Contains(got, "abcd") || !strings.HasSuffix(got, "****") {
		t.Errorf("%d bytes became %d", len(in), len(got))
	}
}

func TestRedactValue(t *testing.T) {
	var r Redactor
	r.Add("OWN", "the-guests-own")
	value := func(x any) Value {
		v, err := marshal.NewValue(x, marshal.EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	same := func(got, want Value) bool {
		a, _ := got.Message()
		b, _ := want.Message()
		return marshal.Equal(a, b)
	}
	const secret = "bound-secret-1"
	if v := value("x " + secret); !same(r.RedactValue(v), v) {
		t.Error("without an injected secret a value is changed")
	}
	r.AddInjected("BOUND", secret)
	big := append(make([]byte, marshal.BlobSize), "x"+secret+"y"...)
	masked := bytes.ReplaceAll(big, []byte(secret), bytes.Repeat([]byte("*"), len(secret)))
	shared := &marshal.Object{}
	shared.Set("k", secret)
	cleaned := &marshal.Object{}
	cleaned.Set("k", "[redacted BOUND]")
	for _, row := range []struct {
		name     string
		in, want any
	}{
		{"the guest's own secrets stay", []any{"the-guests-own", []byte("the-guests-own")}, []any{"the-guests-own", []byte("the-guests-own")}},
		{"a string", "x" + secret + "y", "x[redacted BOUND]y"},
		{"base64 in a string", "QUE" + base64.StdEncoding.EncodeToString([]byte(secret)), "QUE[redacted BOUND]E="},
		{"keys and values", map[string]any{secret: secret}, map[string]any{"[redacted BOUND]": "[redacted BOUND]"}},
		{"deep inside", []any{[]any{map[string]any{"a": []any{secret}}}}, []any{[]any{map[string]any{"a": []any{"[redacted BOUND]"}}}}},
		{"an error", &marshal.Error{Name: "E", Message: secret, Stack: "at " + secret, Cause: secret}, &marshal.Error{Name: "E", Message: "[redacted BOUND]", Stack: "at [redacted BOUND]", Cause: "[redacted BOUND]"}},
		{"bytes", []byte("a" + secret + "b"), []byte("a**************b")},
		{"large bytes", big, masked},
		{"an ArrayBuffer", marshal.Buffer(secret), marshal.Buffer("**************")},
		{"shared values", []any{shared, shared}, []any{cleaned, cleaned}},
		{"nothing of it", []any{1, "a", nil}, []any{1, "a", nil}},
	} {
		in := value(row.in)
		if got, want := r.RedactValue(in), value(row.want); !same(got, want) {
			t.Errorf("%s:\ngot  %v\nwant %v", row.name, got, want)
		}
		if !same(in, value(row.in)) {
			t.Errorf("%s: the value itself was changed", row.name)
		}
	}
	if got := r.RedactValue(value([]any{"a", []any{secret}}).Index(1)); !same(got, value([]any{"[redacted BOUND]"})) {
		t.Errorf("a value inside another: got %v", got)
	}
	if got := r.RedactName("out " + secret + " the-guests-own"); got != "out [redacted BOUND] the-guests-own" {
		t.Errorf("a name: got %s", got)
	}
	if got := r.Redact(secret + " the-guests-own"); got != "[redacted BOUND] [redacted OWN]" {
		t.Errorf("a text: got %s", got)
	}
}

// TestRedactAgainstReplaceAll compares with the obvious way for secrets that do not overlap.
func TestRedactAgainstReplaceAll(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var r Redactor
		secrets := []string{"<aaaa>", "<abab>", "<bbaabb>"}
		var texts []string
		for _, s := range secrets[:1+rnd.IntN(3)] {
			r.Add("S", s)
			texts = append(texts, SecretForms(s)...)
		}
		var b strings.Builder
		for range rnd.IntN(40) {
			if rnd.IntN(6) == 0 {
				b.WriteString(texts[rnd.IntN(len(texts))] + " ")
			} else {
				b.WriteByte("ab<> "[rnd.IntN(5)])
			}
		}
		want := b.String()
		slices.SortFunc(texts, func(a, b string) int { return len(b) - len(a) })
		for _, s := range texts {
			want = strings.ReplaceAll(want, s, "[redacted S]")
		}
		if got := r.Redact(b.String()); got != want {
			t.Fatalf("%q:\ngot  %q\nwant %q", b.String(), got, want)
		}
	}
}

func TestRedactorWhileSecretsAreAdded(t *testing.T) {
	var r Redactor
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 50 {
				value := fmt.Sprintf("secret-%d-%d", g, i)
				r.AddInjected("S", value)
				if got := r.Redact(value); got != "[redacted S]" {
					t.Errorf("%s: got %s", value, got)
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkRedact(b *testing.B) {
	line := "GET https://api.example.com/v1/items?page=3 200 in 41 ms "
	for _, size := range []int{60, 500_000} {
		text := strings.Repeat(line, size/len(line)+1)[:size]
		for _, n := range []int{0, 1, 20} {
			var r Redactor
			for i := range n {
				r.Add("KEY", fmt.Sprintf("sk-live-%032x", i*7919))
			}
			b.Run(fmt.Sprintf("%d-bytes/%d-secrets", size, n), func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					r.Redact(text)
				}
			})
		}
	}
	b.Run("500000-bytes/strings.Replacer", func(b *testing.B) {
		var pairs []string
		for _, f := range SecretForms("sk-live-0123456789abcdef0123456789abcdef") {
			pairs = append(pairs, f, "[redacted KEY]")
		}
		r, text := strings.NewReplacer(pairs...), strings.Repeat(line, 500_000/len(line))
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			r.Replace(text)
		}
	})
	b.Run("add", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var r Redactor
			r.Add("KEY", "sk-live-0123456789abcdef0123456789abcdef")
		}
	})
}
