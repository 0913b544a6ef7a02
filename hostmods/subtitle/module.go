package subtitle

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"strings"

	"quicksand/bridges"
	"quicksand/hostmods"
	"quicksand/internal/marshal"
)

//go:embed SKILL.md
var skill string

func init() { hostmods.Register(module) }

var textParam = hostmods.TextParam("text", "the file, as a text or its UTF-8")

var module = &hostmods.Module{
	ID:    "subtitle",
	Doc:   "reads and writes subtitles: SRT and WebVTT",
	Skill: skill,
	Funcs: []bridges.Func{{
		Name: "parse", Doc: "the cues of an SRT or WebVTT file", Result: "[{start, end, text}] in milliseconds",
		Params: []bridges.Param{textParam,
			{Name: "options", Type: bridges.Any, Optional: true, Doc: "{details?: also id and settings of WebVTT cues}"}},
		Call: parse,
	}, {
		Name: "inspect", Doc: "everything in an SRT or WebVTT file", Result: "{format, header, styles, regions, notes, cues}",
		Params: []bridges.Param{textParam},
		Call:   inspect,
	}, {
		Name: "stringify", Doc: "a file of cues", Result: "a string",
		Params: []bridges.Param{
			{Name: "cues", Type: bridges.Array, Doc: "[{start, end, text, id?, settings?}] in milliseconds"},
			{Name: "options", Type: bridges.Any, Optional: true, Doc: `{format?: "srt" or "webvtt", header?, styles?, regions?}`}},
		Call: stringify,
	}},
}

func parse(ctx context.Context, c *bridges.Call) (any, error) {
	f, err := read(ctx, c)
	if err != nil {
		return nil, err
	}
	details, _ := c.Arg(1).Field("details").Bool()
	return cuesOf(f, details), nil
}

func inspect(ctx context.Context, c *bridges.Call) (any, error) {
	f, err := read(ctx, c)
	if err != nil {
		return nil, err
	}
	format := "srt"
	if f.WebVTT {
		format = "webvtt"
	}
	return &marshal.Object{Entries: []marshal.Entry{
		{Key: "format", Value: format}, {Key: "header", Value: f.Header},
		{Key: "styles", Value: list(f.Styles)}, {Key: "regions", Value: list(f.Regions)}, {Key: "notes", Value: list(f.Notes)},
		{Key: "cues", Value: cuesOf(f, true)},
	}}, nil
}

func read(ctx context.Context, c *bridges.Call) (*File, error) {
	text, err := hostmods.Text(c, 0)
	if err != nil {
		return nil, err
	}
	f, err := Parse(ctx, text)
	if err != nil && ctx.Err() == nil {
		return nil, bridges.Errorf(c.Op(), "%v", err)
	}
	return f, err
}

func list(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

func cuesOf(f *File, details bool) []any {
	out := make([]any, len(f.Cues))
	for i := range f.Cues {
		c := &f.Cues[i]
		e := []marshal.Entry{{Key: "start", Value: c.Start}, {Key: "end", Value: c.End}, {Key: "text", Value: c.Text}}
		if details && c.ID != "" {
			e = append(e, marshal.Entry{Key: "id", Value: c.ID})
		}
		if details && c.Settings != "" {
			e = append(e, marshal.Entry{Key: "settings", Value: c.Settings})
		}
		out[i] = &marshal.Object{Entries: e}
	}
	return out
}

// maxWritten bounds the text of stringify in bytes.
const maxWritten = 32 << 20

func stringify(ctx context.Context, c *bridges.Call) (any, error) {
	op := c.Op()
	options := c.Arg(1)
	f := &File{}
	if v := options.Field("format"); !v.IsNullish() {
		name, ok := v.Str()
		switch strings.ToLower(name) {
		case "webvtt", "vtt":
			f.WebVTT = true
		case "srt", "subrip":
		default:
			ok = false
		}
		if !ok {
			return nil, bridges.TypeErrorf(op, `options.format must be "srt" or "webvtt"`)
		}
	}
	f.Header, _ = options.Field("header").Str()
	var err error
	if f.Styles, err = texts(op, "options.styles", options.Field("styles")); err != nil {
		return nil, err
	}
	if f.Regions, err = texts(op, "options.regions", options.Field("regions")); err != nil {
		return nil, err
	}
	size := 0
	for i, v := range c.Arg(0).Elements() {
		if i%checkEvery == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		if v.Kind() != marshal.KindObject {
			return nil, bridges.TypeErrorf(op, "cues[%d] must be an object {start, end, text}, not %s", i, article(v.Kind().String()))
		}
		var cue Cue
		if cue.Start, err = timeOf(op, i, "start", v); err != nil {
			return nil, err
		}
		if cue.End, err = timeOf(op, i, "end", v); err != nil {
			return nil, err
		}
		text, ok := v.Field("text").Str()
		if !ok && !v.Field("text").IsNullish() {
			return nil, bridges.TypeErrorf(op, "cues[%d].text must be a string, not %s", i, article(v.Field("text").Kind().String()))
		}
		cue.Text = text
		cue.ID, _ = v.Field("id").Str()
		cue.Settings, _ = v.Field("settings").Str()
		if size += len(text) + len(cue.ID) + len(cue.Settings) + 48; size > maxWritten {
			return nil, bridges.Limitf(op, hostmods.LimitResult, maxWritten, int64(size), "the file would have more bytes than the limit of %d", maxWritten)
		}
		f.Cues = append(f.Cues, cue)
	}
	return Write(f), nil
}

// texts are the strings of an array.
func texts(op, name string, v bridges.Value) ([]string, error) {
	if v.IsNullish() {
		return nil, nil
	}
	var out []string
	for _, e := range v.Elements() {
		s, ok := e.Str()
		if !ok {
			return nil, bridges.TypeErrorf(op, "%s must be an array of strings", name)
		}
		out = append(out, s)
	}
	if out == nil && v.Kind() != marshal.KindArray {
		return nil, bridges.TypeErrorf(op, "%s must be an array of strings", name)
	}
	return out, nil
}

// timeOf is a time of cue i, checked.
func timeOf(op string, i int, name string, cue bridges.Value) (float64, error) {
	v := cue.Field(name)
	t, ok := v.Float()
	switch {
	case !ok:
		return 0, bridges.TypeErrorf(op, "cues[%d].%s must be a number of milliseconds, not %s", i, name, article(v.Kind().String()))
	case math.IsNaN(t) || t < 0 || t > MaxTime:
		return 0, &bridges.Error{Op: op, Name: "RangeError",
			Message: fmt.Sprintf("cues[%d].%s is %v, not between 0 and %d milliseconds", i, name, t, int64(MaxTime))}
	}
	return t, nil
}

func article(kind string) string {
	switch kind {
	case "undefined", "null", "bytes":
		return kind
	case "array", "object", "error":
		return "an " + kind
	}
	return "a " + kind
}
