package csv_test

import (
	"bytes"
	"context"
	gocsv "encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	_ "quicksand/hostmods/csv"
	"quicksand/hostmods/hosttest"
	"quicksand/internal/marshal"
)

type o = map[string]any

// row is a record with its keys in their order.
func row(kv ...any) *marshal.Object {
	r := &marshal.Object{}
	for i := 0; i < len(kv); i += 2 {
		r.Set(kv[i].(string), kv[i+1])
	}
	return r
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name    string
		text    any
		options any
		want    string
	}{
		{"the first row names the keys and empty lines are skipped", "a,b\n1,2\n\n3,4\n", nil, `[{"a":"1","b":"2"},{"a":"3","b":"4"}]`},
		{"a short row lacks keys and a long one has extra fields", "a,b\n1\n1,2,3\n", nil, `[{"a":"1"},{"a":"1","b":"2","__parsed_extra":["3"]}]`},
		{"a name that occurs again gets a number", "a,a\n1,2\n", nil, `[{"a":"1","a_1":"2"}]`},
		{"a number that is taken is left out", "a,a_1,a,a\n1,2,3,4", nil, `[{"a":"1","a_1":"2","a_2":"3","a_3":"4"}]`},
		{"quotes hold delimiters, quotes and line breaks", "a,b\r\n\"x,1\",\"y\"\"q\"\r\n\"multi\nline\",z\r\n", nil, `[{"a":"x,1","b":"y\"q"},{"a":"multi\nline","b":"z"}]`},
		{"a line of spaces is no empty line", "a,b\n  \n1,2", nil, `[{"a":"  "},{"a":"1","b":"2"}]`},
		{"a quote that is not closed takes the rest", "a,b\n\"x,1\n2,3", nil, `[{"a":"x,1\n2,3"}]`},
		{"an empty name is a key", "a,,b\n1,2,3", nil, `[{"a":"1","":"2","b":"3"}]`},
		{"no text has no rows", "", nil, `[]`},
		{"a line break has no rows", "\n", nil, `[]`},
		{"a header has no rows", "a,b", nil, `[]`},
		{"header false gives arrays", "a,b\n1,2\n", o{"header": false}, `[["a","b"],["1","2"]]`},
		{"options that are no object are none", "a,b\n1,2\n", []any{1}, `[{"a":"1","b":"2"}]`},
		{"header null is false", "a\n1", o{"header": nil}, `[["a"],["1"]]`},
		{"a byte order mark is dropped", "\ufeffa,b\n1,2", nil, `[{"a":"1","b":"2"}]`},
		{"bytes are UTF-8", []byte("\xef\xbb\xbfä;b\n\xff;2"), nil, `[{"ä":"�","b":"2"}]`},
		{"tabs are found", "a\tb\n1\t2", nil, `[{"a":"1","b":"2"}]`},
		{"semicolons are found among decimal commas", "a;b\n1,5;2,5\n1,0;2", nil, `[{"a":"1,5","b":"2,5"},{"a":"1,0","b":"2"}]`},
		{"the most consistent delimiter wins", "a|b,c\n1|2\n3|4", nil, `[{"a":"1","b,c":"2"},{"a":"3","b,c":"4"}]`},
		{"a unit separator is found", "a\x1fb\n1\x1f2", nil, `[{"a":"1","b":"2"}]`},
		{"a delimiter is taken as it is", "a:b\n1:2", o{"delimiter": ":"}, `[{"a":"1","b":"2"}]`},
		{"an empty delimiter is guessed", "a;b\n1;2", o{"delimiter": ""}, `[{"a":"1","b":"2"}]`},
		{"a null delimiter is guessed", "a;b\n1;2", o{"delimiter": nil}, `[{"a":"1","b":"2"}]`},
		{"a delimiter of two characters is refused", "a", o{"delimiter": ";;"}, `! csv.parse: options.delimiter must be one character other than a line break`},
		{"a delimiter outside of ASCII", "a→b\n1→2", o{"delimiter": "→"}, `[{"a":"1","b":"2"}]`},
		{"CR alone ends lines", "a,b\r1,2\r", nil, `[{"a":"1","b":"2"}]`},
		{"white space around quotes is dropped behind them", "a,b\n\"1\" ,\"2\"  \n", nil, `[{"a":"1","b":"2"}]`},
		{"text behind a closing quote is kept", "a,b\n\"1\"x,2\n\"3\",4", nil, `[{"a":"1\"x,2\n\"3","b":"4"}]`},
		{"a quote inside of a field is text", "a,b\n1\"2,3", nil, `[{"a":"1\"2","b":"3"}]`},
		{"__proto__ is a key", "__proto__,b\n1,2", nil, `[{"__proto__":"1","b":"2"}]`},
		{"another quote", "a,b\n'x,1','y''q'", o{"quote": "'"}, `[{"a":"x,1","b":"y'q"}]`},
		{"comments are skipped", "a,b\n#x\n1,2\n# end", o{"comments": true}, `[{"a":"1","b":"2"}]`},
		{"comments of two characters", "//c\na,b\n1,2", o{"comments": "//"}, `[{"a":"1","b":"2"}]`},
		{"empty lines are kept on demand", "a,b\n\n1,2", o{"skipEmptyLines": false}, `[{"a":""},{"a":"1","b":"2"}]`},
		{"blank lines are skipped on demand", "a,b\n , \n1,2", o{"skipEmptyLines": "greedy"}, `[{"a":"1","b":"2"}]`},
		// papaparse numbers the names of the first line, whether it counts or not, and so loses
		// the second column here.
		{"names are numbered behind an empty line, too", "\na,a\n1,2", nil, `[{"a":"1","a_1":"2"}]`},
		{"a preview stops", "a\n1\n2\n3", o{"preview": 2}, `[{"a":"1"},{"a":"2"}]`},
		{"types are found on demand", "n,f,e,b,c,s,z,x\n1,-2.50,1e3,true,FALSE,1x,,9007199254740993\n", o{"dynamicTyping": true},
			`[{"n":1,"f":-2.5,"e":1000,"b":true,"c":false,"s":"1x","z":null,"x":"9007199254740993"}]`},
		{"types of some columns", "a,b\n1,2", o{"dynamicTyping": []any{"b"}}, `[{"a":"1","b":2}]`},
		{"types of some columns, as an object", "a,b\n1,2", o{"dynamicTyping": o{"a": true, "b": false}}, `[{"a":1,"b":"2"}]`},
		{"types of arrays", "1,x\n.5,5.", o{"dynamicTyping": true, "header": false}, `[[1,"x"],[0.5,5]]`},
		{"what only looks like a number is text", "a\n1.2.3\n-\n.\n1e\n0x10\n1e999\n+1", o{"dynamicTyping": true}, `[{"a":"1.2.3"},{"a":"-"},{"a":"."},{"a":"1e"},{"a":"0x10"},{"a":"1e999"},{"a":"+1"}]`},
		{"ISO dates are dates", "d\n2024-02-03T04:05:06.789Z\n2024-02-03T04:05+01:00\n2024-02-03", o{"dynamicTyping": true},
			`[{"d":"2024-02-03T04:05:06.789Z"},{"d":"2024-02-03T03:05:00.000Z"},{"d":"2024-02-03"}]`},
		{"errors on demand", "a,b\n1\n\"x\"y\",2,3\n", o{"errors": true},
			`{"rows":[{"a":"1"},{"a":"x\"y","b":"2","__parsed_extra":["3"]}],"errors":[` +
				`{"type":"Quotes","code":"InvalidQuotes","message":"Trailing quote on quoted field is malformed","row":2,"index":7},` +
				`{"type":"FieldMismatch","code":"TooFewFields","message":"Too few fields: expected 2 fields but parsed 1","row":0},` +
				`{"type":"FieldMismatch","code":"TooManyFields","message":"Too many fields: expected 2 fields but parsed 3","row":1}],` +
				`"meta":{"delimiter":",","linebreak":"\n","truncated":false,"errors":3,"fields":["a","b"]}}`},
		{"positions of errors are those of JavaScript", "a,b\n😀é,\"x", o{"errors": true, "header": false},
			`{"rows":[["a","b"],["😀é","x"]],"errors":[{"type":"Quotes","code":"MissingQuotes","message":"Quoted field unterminated","row":1,"index":9}],"meta":{"delimiter":",","linebreak":"\n","truncated":false,"errors":1}}`},
		{"a delimiter that cannot be guessed", "abc\ndef", o{"errors": true},
			`{"rows":[{"abc":"def"}],"errors":[{"type":"Delimiter","code":"UndetectableDelimiter","message":"Unable to auto-detect delimiting character; defaulted to ','"}],"meta":{"delimiter":",","linebreak":"\n","truncated":false,"errors":1,"fields":["abc"]}}`},
		{"a number is no text", 5, nil, `! csv.parse: text must be a string or Uint8Array, not the number 5`},
		{"a text above the limit", strings.Repeat("x", 5_242_881), nil, `! csv.parse: text has 5242881 characters, more than the limit of 5242880 (HostTextSize)`},
		{"a quote that is the delimiter", "a", o{"quote": ";", "delimiter": ";"}, `! csv.parse: options.delimiter and options.quote must differ`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := hosttest.JSON(context.Background(), "csv.parse", c.text, c.options); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestStringify(t *testing.T) {
	for _, c := range []struct {
		name    string
		rows    any
		options any
		want    string
	}{
		{"the first record has the columns", []any{row("a", 1, "b", "x,y"), row("b", 2, "c", 3)}, nil, "a,b\n1,\"x,y\"\n,2"},
		{"columns all has every key", []any{row("a", 1, "b", "x,y"), row("b", 2, "c", 3)}, o{"columns": "all"}, "a,b,c\n1,\"x,y\",\n,2,3"},
		{"columns are taken as they are", []any{row("a", 1, "b", 2)}, o{"columns": []any{"b", "z", "b"}}, "b,z,b\n2,,2"},
		{"no columns are refused", []any{row("a", 1)}, o{"columns": []any{}}, "! csv.stringify: options.columns is empty"},
		{"arrays", []any{[]any{1, 2}, []any{3, `q"q`}}, nil, "1,2\n3,\"q\"\"q\""},
		{"no rows", []any{}, nil, ""},
		{"space at an end is quoted", []any{row("g", " lead")}, nil, "g\n\" lead\""},
		{"line breaks are quoted", []any{[]any{"a\nb", "c\rd", "e f"}}, nil, "\"a\nb\",\"c\rd\",e f"},
		{"header false leaves the keys out", []any{row("a", 1)}, o{"header": false}, "1"},
		{"another delimiter", []any{row("a", 1, "b", "x;y", "c", "p,q")}, o{"delimiter": ";"}, "a;b;c\n1;\"x;y\";p,q"},
		{"an empty delimiter is refused", []any{}, o{"delimiter": ""}, "! csv.stringify: options.delimiter must be one character other than a line break"},
		{"values as JavaScript writes them", []any{[]any{nil, marshal.Undefined, true, 1.5, 1e21, 0.30000000000000004, math.NaN(), math.Copysign(0, -1), time.UnixMilli(0).UTC(), []any{1, nil, []any{2, 3}}, o{"x": 1}}}, nil,
			",,true,1.5,1e+21,0.30000000000000004,NaN,0,1970-01-01T00:00:00.000Z,\"1,,2,3\",[object Object]"},
		{"objects as JSON on demand", []any{[]any{[]any{1, "a"}, row("b", nil)}}, o{"json": true}, `"[1,""a""]","{""b"":null}"`},
		{"an empty record is an empty line", []any{row("a", 1, "b", 2), row(), row("a", 3)}, nil, "a,b\n1,2\n\n3,"},
		{"null among the rows is refused", []any{row("a", 1), nil}, nil, "! csv.stringify: rows[1] is null"},
		{"numbers are no rows", []any{1}, nil, "! csv.stringify: rows must hold records or arrays, rows[0] is a number"},
		{"a record is no list of rows", o{"a": 1}, nil, "! csv.stringify: rows must be an array, not an object"},
		{"formulas are made texts on demand", []any{row("=k", "=1+1", "b", -1, "c", "@x", "d", "a=b")}, o{"escapeFormulae": true}, "\"'=k\",b,c,d\n\"'=1+1\",-1,\"'@x\",a=b"},
		{"formulas stay by default", []any{row("a", "=1+1")}, nil, "a\n=1+1"},
		{"all fields in quotes on demand", []any{row("a", 1, "b", nil, "c", "")}, o{"quotes": true}, "\"a\",\"b\",\"c\"\n\"1\",,\"\""},
		{"another line break and quote", []any{row("a", "x,'y'")}, o{"newline": "\r\n", "quote": "'"}, "a\r\n'x,''y'''"},
		{"records after an array have no cells", []any{[]any{1}, row("a", 2)}, nil, "1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := hosttest.Call(context.Background(), "csv.stringify", c.rows, c.options)
			got, _ := v.Str()
			if err != nil {
				got = "! " + err.Error()
			}
			if got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestCellOfSharedArraysStopsAtTheLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("the values are large")
	}
	shared := []any{"x", "y"}
	for range 60 {
		shared = []any{shared, shared}
	}
	_, err := hosttest.Call(context.Background(), "csv.stringify", []any{[]any{shared}})
	if err == nil || !strings.Contains(err.Error(), "more than 5000000 elements") {
		t.Errorf("2^61 values: %v", err)
	}
	_, err = hosttest.Call(context.Background(), "csv.stringify", []any{[]any{shared}}, o{"json": true})
	if err == nil || !strings.Contains(err.Error(), "a cell has no JSON text") {
		t.Errorf("2^61 values as JSON: %v", err)
	}
	row := make([]any, 1000)
	for i := range row {
		row[i] = []any{strings.Repeat("x", 80_000)}
		row[i] = row[0]
	}
	_, err = hosttest.Call(context.Background(), "csv.stringify", []any{row})
	if err == nil || !strings.Contains(err.Error(), "HostResultSize") {
		t.Errorf("80 MB of text: %v", err)
	}
	loop := []any{nil}
	loop[0] = loop
	_, err = hosttest.Call(context.Background(), "csv.stringify", []any{[]any{loop}})
	if err == nil || !strings.Contains(err.Error(), "deeper than 100") {
		t.Errorf("an array inside of itself: %v", err)
	}
}

func TestRepeatedLongKeysStopAtTheLimit(t *testing.T) {
	var b strings.Builder
	for i := range 9000 {
		fmt.Fprintf(&b, "%0200d,", i)
	}
	for range 300 {
		b.WriteString("\n" + strings.Repeat(",", 9000))
	}
	_, err := hosttest.Call(context.Background(), "csv.parse", b.String())
	if err == nil || !strings.Contains(err.Error(), "HostResultSize") {
		t.Errorf("a result of 300 MB: %v", err)
	}
}

func TestRowsThatAreTooWideAreRefused(t *testing.T) {
	_, err := hosttest.Call(context.Background(), "csv.parse", strings.Repeat(",", 1_000_001), o{"header": false})
	if err == nil || err.Error() != "csv.parse: row 1 has more than 1000000 fields" {
		t.Errorf("got %v", err)
	}
}

func TestCallsEndWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := hosttest.Call(ctx, "csv.parse", "a\n"+strings.Repeat("1\n", 5000)); !errors.Is(err, context.Canceled) {
		t.Errorf("parse: %v", err)
	}
	if _, err := hosttest.Call(ctx, "csv.stringify", []any{[]any{1}}); !errors.Is(err, context.Canceled) {
		t.Errorf("stringify: %v", err)
	}
}

func TestHostileTextsTakeLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("the values are large")
	}
	for name, text := range map[string]string{
		"quotes in a quoted field":       "\"" + strings.Repeat("a\" b", 300_000),
		"white space behind quotes":      "\"" + strings.Repeat("\"           x", 100_000),
		"quotes alone":                   strings.Repeat("\"", 1_000_001),
		"the same name a million times":  strings.Repeat("a,", 500_000) + "\n1",
		"names that are taken":           names(100_000) + strings.Repeat("a,", 100_000) + "\n1",
		"carriage returns":               strings.Repeat("\r", 1_000_000),
		"a quote that is far":            strings.Repeat("x,", 500_000) + "\"",
		"one column, many lines":         strings.Repeat("x\n", 500_000),
		"quoted fields, one in each row": strings.Repeat("\"x\"\n", 300_000),
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		// Quadratic time would take minutes.
		if _, err := hosttest.Call(ctx, "csv.parse", text, o{"errors": true}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if ctx.Err() != nil {
			t.Errorf("%s: took more than 20 s", name)
		}
		cancel()
	}
}

func names(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "a_%d,", i)
	}
	return b.String()
}

// fixtures are texts that tests change at random.
var fixtures = []string{
	"a,b\r\n\"x,1\",\"y\"\"q\"\r\n\"multi\nline\",z\r\n",
	"id;name;note\n1;\"Äpfel\";\"a;b\"\n2;Birnen ; \n\n3;\"x\" ;y;z\n",
	"\ufeff#c\na\tb\n1\t2024-01-01T00:00Z\n'x'\t-1e5\n",
}

func TestMutants(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i, f := range fixtures {
		for n := range 200 {
			text := mutate(rng, f)
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
			v, err := hosttest.Call(ctx, "csv.parse", text, o{"dynamicTyping": n%2 == 0, "errors": n%3 == 0, "comments": n%5 == 0, "header": n%7 != 0})
			if err != nil || ctx.Err() != nil {
				t.Errorf("fixture %d, mutant %d %q: %v", i, n, text, err)
			}
			if rows := v; n%3 != 0 {
				if _, err := hosttest.Call(ctx, "csv.stringify", rows, o{"columns": "all"}); err != nil {
					t.Errorf("fixture %d, mutant %d %q back: %v", i, n, text, err)
				}
			}
			cancel()
		}
	}
}

func mutate(rng *rand.Rand, s string) string {
	return hosttest.Mutate(rng, s, 6, "\",;\n\r\t #'\xff", "\",;\n\r")
}

// FuzzCSV checks that what is written is what is read again.
func FuzzCSV(f *testing.F) {
	for _, s := range fixtures {
		f.Add(s, ",", true)
	}
	f.Fuzz(func(t *testing.T, text, delimiter string, header bool) {
		ctx := context.Background()
		opt := o{"header": header, "delimiter": delimiter, "skipEmptyLines": false}
		v, err := hosttest.Call(ctx, "csv.parse", text, opt)
		if err != nil {
			return
		}
		hosttest.Call(ctx, "csv.parse", text, o{"header": header, "dynamicTyping": true, "errors": true, "comments": true, "quote": "'"})
		if header {
			return
		}
		s, err := hosttest.Call(ctx, "csv.stringify", v, o{"delimiter": ",", "quotes": true})
		if err != nil {
			t.Fatal(err)
		}
		out, _ := s.Str()
		if out == "" || strings.HasSuffix(out, "\ufeff") {
			return
		}
		again := hosttest.JSON(ctx, "csv.parse", out, o{"header": false, "delimiter": ",", "skipEmptyLines": false})
		want, _ := v.JSON()
		if again != string(want) {
			t.Errorf("%q was read as\n%s, written as %q and read as\n%s", text, want, out, again)
		}
	})
}

// sales is a table of 20,000 rows and 1.42 MB.
func sales() string {
	rng := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	b.WriteString("id,customer,region,amount,paid,date,note\n")
	for i := range 20_000 {
		note := "plain note here"
		if i%10 == 0 {
			note = `"quoted, with ""quotes"""`
		}
		fmt.Fprintf(&b, "%d,customer %d,%s,%d.%02d,%v,2024-%02d-%02d,%s\n", i, rng.IntN(1_000_000), []string{"north", "south", "east", "west"}[i%4], rng.IntN(10_000), i%100, i%2 == 0, 1+i%12, 1+i%28, note)
	}
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	text := sales()
	run := func(name string, options any) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := hosttest.Call(context.Background(), "csv.parse", text, options); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	run("header", nil)
	run("arrays", o{"header": false})
	run("dynamicTyping", o{"dynamicTyping": true})
	b.Run("encoding/csv", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := gocsv.NewReader(strings.NewReader(text)).ReadAll(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkStringify(b *testing.B) {
	rows, err := hosttest.Call(context.Background(), "csv.parse", sales())
	if err != nil {
		b.Fatal(err)
	}
	b.Run("records", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := hosttest.Call(context.Background(), "csv.stringify", rows); err != nil {
				b.Fatal(err)
			}
		}
	})
	table, err := gocsv.NewReader(strings.NewReader(sales())).ReadAll()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("encoding/csv", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var out bytes.Buffer
			if err := gocsv.NewWriter(&out).WriteAll(table); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestRecorded compares with what papaparse 5.7.1 answered in Node for random texts and rows.
// Left out are texts that begin with an empty line, see TestParse.
func TestRecorded(t *testing.T) {
	var texts []struct {
		Text    string
		Options map[string]any
		Rows    json.RawMessage
		Errors  json.RawMessage
	}
	recorded(t, "papaparse-parse.json", &texts)
	for _, c := range texts {
		c.Options["errors"] = true
		v, err := hosttest.Call(context.Background(), "csv.parse", c.Text, c.Options)
		if err != nil {
			t.Fatal(err)
		}
		for field, want := range map[string]json.RawMessage{"rows": c.Rows, "errors": c.Errors} {
			got, err := v.Field(field).JSON()
			if err != nil {
				t.Fatal(err)
			}
			if plain(t, got) != plain(t, want) {
				t.Errorf("%q with %v: %s\ngot  %s\nwant %s", c.Text, c.Options, field, got, want)
			}
		}
	}
	var tables []struct {
		Rows    json.RawMessage
		Options map[string]any
		Want    string
	}
	recorded(t, "papaparse-unparse.json", &tables)
	for _, c := range tables {
		v, err := hosttest.Call(context.Background(), "csv.stringify", c.Rows, c.Options)
		if got, _ := v.Str(); err != nil || got != c.Want {
			t.Errorf("%s with %v: %v\ngot  %q\nwant %q", c.Rows, c.Options, err, got, c.Want)
		}
	}
}

func recorded(t *testing.T, file string, list any) {
	t.Helper()
	b, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, list); err != nil {
		t.Fatal(err)
	}
}

// plain is JSON with its keys in alphabetical order.
func plain(t *testing.T, b []byte) string {
	t.Helper()
	var x any
	if err := json.Unmarshal(b, &x); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
