package subtitle

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"quicksand/hostmods/hosttest"
)

const vtt = `WEBVTT Film

STYLE
::cue { color: red }

REGION
id:fred width:40%

NOTE a comment

intro
00:01.000 --> 00:02.500 line:10% align:start
<v Ann>Hello

NOTE
another
one

00:00:03.000 --> 00:00:04.000
World
`

func TestCalls(t *testing.T) {
	ctx := context.Background()
	type obj = map[string]any
	cue := func(start, end any, text any) any { return obj{"start": start, "end": end, "text": text} }
	golden := []any{cue(1000, 2500, "A\nB"), cue(3600000, 3601001, "C")}
	for _, row := range []struct {
		name string
		call string
		args []any
		want string
	}{
		{"cues become SRT", "stringify", []any{golden}, `"1\n00:00:01,000 --> 00:00:02,500\nA\nB\n\n2\n01:00:00,000 --> 01:00:01,001\nC\n"`},
		{"a cue becomes WebVTT", "stringify", []any{[]any{cue(1000, 2500, "A")}, obj{"format": "WebVTT"}}, `"WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.500\nA\n"`},
		{"no cues make no SRT", "stringify", []any{[]any{}}, `""`},
		{"no cues make no WebVTT", "stringify", []any{[]any{}, obj{"format": "WebVTT"}}, `""`},
		{"names of formats have any case", "stringify", []any{[]any{cue(0, 1, "x")}, obj{"format": "webvtt"}}, `"WEBVTT\n\n1\n00:00:00.000 --> 00:00:00.001\nx\n"`},
		{"SRT has a name too", "stringify", []any{[]any{cue(0, 1, "x")}, obj{"format": "SRT"}}, `"1\n00:00:00,000 --> 00:00:00,001\nx\n"`},
		{"other formats are refused", "stringify", []any{[]any{}, obj{"format": "ass"}}, `! subtitle.stringify: options.format must be "srt" or "webvtt"`},
		{"options that are no object count as none", "stringify", []any{[]any{}, "x"}, `""`},
		{"cues are a list", "stringify", []any{"x"}, `! subtitle.stringify: cues must be an array, not a string`},
		{"a cue is an object", "stringify", []any{[]any{1}}, `! subtitle.stringify: cues[0] must be an object {start, end, text}, not a number`},
		{"NaN is no time", "stringify", []any{[]any{cue(math.NaN(), 1, "")}}, `! subtitle.stringify: cues[0].start is NaN, not between 0 and 3599996400000 milliseconds`},
		{"times are not negative", "stringify", []any{[]any{cue(1, -5, "")}}, `! subtitle.stringify: cues[0].end is -5, not between 0 and 3599996400000 milliseconds`},
		{"times are finite", "stringify", []any{[]any{cue(1, math.Inf(1), "")}}, `! subtitle.stringify: cues[0].end is +Inf, not between 0 and 3599996400000 milliseconds`},
		{"a time is there", "stringify", []any{[]any{obj{"start": 1}}}, `! subtitle.stringify: cues[0].end must be a number of milliseconds, not undefined`},
		{"texts are strings", "stringify", []any{[]any{cue(1, 2, 3)}}, `! subtitle.stringify: cues[0].text must be a string, not a number`},
		{"long films have many hours", "stringify", []any{[]any{cue(360000000, 360000000.6, "x")}}, `"1\n100:00:00,000 --> 100:00:00,001\nx\n"`},
		{"an arrow in a WebVTT text is escaped", "stringify", []any{[]any{cue(0, 1, "a --> b")}, obj{"format": "vtt"}}, `"WEBVTT\n\n1\n00:00:00.000 --> 00:00:00.001\na --&gt; b\n"`},
		{"ids and settings go into WebVTT", "stringify", []any{[]any{obj{"start": 0, "end": 1, "text": "x", "id": "a\n\nb", "settings": "line:0"}}, obj{"format": "vtt", "header": "T", "styles": []any{"p {}\n\n"}}},
			`"WEBVTT T\n\nSTYLE\np {}\n\na  b\n00:00:00.000 --> 00:00:00.001 line:0\nx\n"`},
		{"an id that would be a note is a number", "stringify", []any{[]any{obj{"start": 0, "end": 1, "text": "x", "id": "NOTE y"}}, obj{"format": "vtt"}}, `"WEBVTT\n\n1\n00:00:00.000 --> 00:00:00.001\nx\n"`},

		{"SRT is read", "parse", []any{"1\n00:00:01,000 --> 00:00:02,500\nA\nB\n\n2\n01:00:00,000 --> 01:00:01,001\nC\n"},
			`[{"start":1000,"end":2500,"text":"A\nB"},{"start":3600000,"end":3601001,"text":"C"}]`},
		{"nothing has no cues", "parse", []any{""}, "[]"},
		{"white space has no cues", "parse", []any{"\ufeff\n  \n"}, "[]"},
		{"a header alone has no cues", "parse", []any{"WEBVTT"}, "[]"},
		{"UTF-8 with a byte order mark", "parse", []any{[]byte("\ufeff1\r\n0:0:1,0 --> 0:0:2,5\r\né\r\n")}, `[{"start":1000,"end":2500,"text":"é"}]`},
		{"old line ends", "parse", []any{"00:01,000 --> 00:02,000\rA\rB"}, `[{"start":1000,"end":2000,"text":"A\nB"}]`},
		{"indices may be missing", "parse", []any{"00:00:01,000 --> 00:00:02,000\nA\n\n00:00:03,000 --> 00:00:04,000\nB"},
			`[{"start":1000,"end":2000,"text":"A"},{"start":3000,"end":4000,"text":"B"}]`},
		{"empty lines inside of a cue stay", "parse", []any{"1\n00:00:01,000 --> 00:00:02,000\nA\n\nB\n\n\n2\n00:00:03,000 --> 00:00:04,000\n\nC\n\n"},
			`[{"start":1000,"end":2000,"text":"A\n\nB"},{"start":3000,"end":4000,"text":"\nC"}]`},
		{"a cue may have no text", "parse", []any{"1\n00:00:01,000 --> 00:00:02,000\n\n2\n00:00:03,000 --> 00:00:04,000"},
			`[{"start":1000,"end":2000,"text":""},{"start":3000,"end":4000,"text":""}]`},
		{"an empty line between cues may be missing", "parse", []any{"1\n00:00:01,000 --> 00:00:02,000\nA\n2\n00:00:03,000 --> 00:00:04,000\nB"},
			`[{"start":1000,"end":2000,"text":"A"},{"start":3000,"end":4000,"text":"B"}]`},
		{"a number can be a text", "parse", []any{"1\n00:00:01,000 --> 00:00:02,000\n42\n\n2\n00:00:03,000 --> 00:00:04,000\nB"},
			`[{"start":1000,"end":2000,"text":"42"},{"start":3000,"end":4000,"text":"B"}]`},
		{"headers, notes, styles, ids and settings of WebVTT are left out", "parse", []any{vtt},
			`[{"start":1000,"end":2500,"text":"<v Ann>Hello"},{"start":3000,"end":4000,"text":"World"}]`},
		{"details keep ids and settings", "parse", []any{vtt, obj{"details": true}},
			`[{"start":1000,"end":2500,"text":"<v Ann>Hello","id":"intro","settings":"line:10% align:start"},{"start":3000,"end":4000,"text":"World"}]`},
		{"inspect keeps everything", "inspect", []any{vtt},
			`{"format":"webvtt","header":"Film","styles":["::cue { color: red }"],"regions":["id:fred width:40%"],"notes":["a comment","another\none"],` +
				`"cues":[{"start":1000,"end":2500,"text":"<v Ann>Hello","id":"intro","settings":"line:10% align:start"},{"start":3000,"end":4000,"text":"World"}]}`},
		{"inspect knows SRT", "inspect", []any{"00:01,000 --> 00:02,000\nA"}, `{"format":"srt","header":"","styles":[],"regions":[],"notes":[],"cues":[{"start":1000,"end":2000,"text":"A"}]}`},
		{"words are no subtitles", "parse", []any{"\nhello there"}, `! subtitle.parse: row 2: expected the number of a cue or its times, like 00:00:01,000 --> 00:00:02,500, not "hello there"`},
		{"a number needs times", "parse", []any{"1\nhello"}, `! subtitle.parse: row 2: expected the times of a cue, like 00:00:01,000 --> 00:00:02,500, not "hello"`},
		{"a number at the end needs times", "parse", []any{"1"}, `! subtitle.parse: row 2: expected the times of a cue, like 00:00:01,000 --> 00:00:02,500, not ""`},
		{"an id of WebVTT needs times", "parse", []any{"WEBVTT\n\nintro\nhello"}, `! subtitle.parse: row 3: expected the times of a cue, like 00:01.000 --> 00:02.500, or an id with its times below, not "intro"`},
		{"times need two parts", "parse", []any{"1\n5 --> 6\nx"}, `! subtitle.parse: row 2: expected the times of a cue, like 00:00:01,000 --> 00:00:02,500, not "5 --> 6"`},
		{"times are not negative in files", "parse", []any{"-00:01,000 --> 00:02,000\nx"}, `! subtitle.parse: row 1: expected the number of a cue or its times, like 00:00:01,000 --> 00:00:02,500, not "-00:01,000 --> 00:02,000"`},
		{"a number is no file", "parse", []any{7}, `! subtitle.parse: text must be a string or Uint8Array, not the number 7`},
	} {
		if got := hosttest.JSON(ctx, "subtitle."+row.call, row.args...); got != row.want {
			t.Errorf("%s:\n got %s\nwant %s", row.name, got, row.want)
		}
	}
}

func TestLimits(t *testing.T) {
	ctx := context.Background()
	if got, want := hosttest.JSON(ctx, "subtitle.parse", strings.Repeat("x", 5_242_881)), "! subtitle.parse: text has 5242881 characters, more than the limit of 5242880 (HostTextSize)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	big := map[string]any{"start": 0, "end": 1, "text": strings.Repeat("x", 1<<20)}
	cues := make([]any, 33)
	for i := range cues {
		cues[i] = big
	}
	if got, want := hosttest.JSON(ctx, "subtitle.stringify", cues), "! subtitle.stringify: the file would have more bytes than the limit of 33554432 (HostResultSize)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Parse(ended, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: got %v", err)
	}
}

// A file is read in linear time, whatever it repeats: lookahead never goes over the same
// empty lines twice.
func TestHostileTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("reads texts of 5 MB")
	}
	for name, s := range map[string]string{
		"empty lines in a cue":  "00:01,000 --> 00:02,000\n" + strings.Repeat("\n", 5<<20) + "x",
		"numbers":               "00:01,000 --> 00:02,000\n" + strings.Repeat("1\n", 2<<20),
		"numbers with gaps":     "00:01,000 --> 00:02,000\n" + strings.Repeat("1\n\n", 1<<20),
		"times without a text":  strings.Repeat("00:01,000 --> 00:02,000\n", 200_000),
		"notes without content": "WEBVTT\n\n" + strings.Repeat("NOTE\n\n", 500_000),
	} {
		f, err := Parse(context.Background(), s)
		if err != nil || len(f.Cues)+len(f.Notes) == 0 {
			t.Errorf("%s: got %d cues, %v", name, len(f.Cues), err)
		}
	}
}

func TestMutants(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, s := range seeds {
		for range 200 {
			b := []byte(s)
			for range 1 + rnd.IntN(6) {
				switch i := rnd.IntN(len(b) + 1); {
				case i < len(b) && rnd.IntN(2) == 0:
					b[i] = byte(rnd.IntN(256))
				case i < len(b):
					b = append(b[:i], b[min(len(b), i+1+rnd.IntN(5)):]...)
				default:
					b = append(b, "\n1\n-->00:01"...)
				}
			}
			checkFile(t, string(b))
		}
	}
}

// checkFile parses, and if that works writes and parses again.
func checkFile(t *testing.T, s string) {
	t.Helper()
	ctx := context.Background()
	f, err := Parse(ctx, s)
	if err != nil {
		if !strings.HasPrefix(err.Error(), "row ") {
			t.Fatalf("%q: %v", s, err)
		}
		return
	}
	for _, c := range f.Cues {
		if c.Start > MaxTime || c.End > MaxTime || strings.Contains(c.Text+c.Settings, "-->") {
			return // an arrow that is no time changes when it is escaped
		}
	}
	again, err := Parse(ctx, Write(f))
	if err != nil {
		t.Fatalf("%q: what was written of it: %v", s, err)
	}
	for i := range min(len(again.Cues), len(f.Cues)) {
		if f.Cues[i].ID == "" {
			again.Cues[i].ID = ""
		}
		if !f.WebVTT {
			again.Cues[i].Settings = f.Cues[i].Settings
		}
	}
	if !reflect.DeepEqual(f.Cues, again.Cues) {
		t.Fatalf("%q:\n got %#v\nback %#v", s, f.Cues, again.Cues)
	}
}

var seeds = []string{vtt, "WEBVTT \n\nREGION\v\n0:0-->0:0", "1\n00:00:01,000 --> 00:00:02,500\nA\nB\n\n2\n01:00:00,000 --> 01:00:01,001\nC\n", "WEBVTT\n\n\n5\n00:01.0 --> 00:02.5 a:b\n\n\nx\n\n6", "\ufeffWEBVTT - x\ny: z\n\nNOTE\n\nREGION\n\n00:01.0 --> 00:02.5\n<i>x</i>\n\nNOTE y"}

func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(checkFile)
}

func BenchmarkParse(b *testing.B) {
	var s strings.Builder
	f := File{}
	for i := range 2000 {
		f.Cues = append(f.Cues, Cue{Start: float64(i) * 3000, End: float64(i)*3000 + 2500, Text: "A line of what they say,\nand a second one."})
	}
	s.WriteString(Write(&f))
	b.SetBytes(int64(s.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(context.Background(), s.String()); err != nil {
			b.Fatal(err)
		}
	}
}
