// Package html is the module "html" for guests: what stands in a page, by selectors, as
// Markdown and as text. Pages are parsed by the algorithm of the HTML Standard
// (https://html.spec.whatwg.org/multipage/parsing.html) without scripting.
//
// It differs from cheerio and turndown in that scripting is off, so that noscript has elements;
// that Markdown has no text of scripts, styles and templates, and ignores comments inside of
// pre; that the title is that of the page and not those of drawings as well; that options of
// turndown are checked; that :first, :eq and the like end a selector; and that pages with
// elements more than 512 deep are refused.
//
// Importing the package registers the module. It has no state; all of it may be used by any
// number of goroutines.
package html

import (
	"context"
	_ "embed"
	"math"

	"quicksand/bridges"
	"quicksand/hostmods"
)

//go:embed SKILL.md
var skill string

func init() {
	page := hostmods.TextParam("html", "the page, or its UTF-8")
	base := bridges.Param{Name: "baseUrl", Type: bridges.String, Optional: true, Doc: "the address of the page"}
	hostmods.Register(&hostmods.Module{
		ID:    "html",
		Doc:   "Selects in HTML and makes Markdown, text, links and metadata of it.",
		Skill: skill,
		// A call may hold some 300 MB while it works on the largest pages.
		Limits: hostmods.Limits{Concurrency: 2, MemoryPerByte: 60},
		Funcs: []bridges.Func{
			{Name: "select", Result: "an array of strings", Doc: "Finds the text or an attribute of what a CSS selector matches.",
				Params: []bridges.Param{page, {Name: "selector", Type: bridges.String, Doc: "a CSS selector"}, hostmods.OptionsParam("attr, limit")}, Call: selectCall},
			{Name: "toMarkdown", Result: "the Markdown", Doc: "Converts a page to Markdown.",
				Params: []bridges.Param{page, hostmods.OptionsParam("turndown, tables")}, Call: toMarkdown},
			{Name: "toText", Result: "the text", Doc: "Drops the markup.",
				Params: []bridges.Param{page, hostmods.OptionsParam("blocks")}, Call: toText},
			{Name: "extractLinks", Result: "an array of { href, text, type }", Doc: "Lists the links.",
				Params: []bridges.Param{page, base, hostmods.OptionsParam("resolve, limit")}, Call: extractLinks},
			{Name: "extractImages", Result: "an array of addresses", Doc: "Lists the pictures.",
				Params: []bridges.Param{page, base, hostmods.OptionsParam("all, limit")}, Call: extractMedia(imageSources)},
			{Name: "extractAudio", Result: "an array of addresses", Doc: "Lists the sounds.",
				Params: []bridges.Param{page, base, hostmods.OptionsParam("all, limit")}, Call: extractMedia(audioSources)},
			{Name: "extractVideos", Result: "an array of addresses", Doc: "Lists the videos and frames.",
				Params: []bridges.Param{page, base, hostmods.OptionsParam("all, limit")}, Call: extractMedia(videoSources)},
			{Name: "extractMetadata", Result: "{ title, description, keywords }, with full more", Doc: "Reads what a page says of itself.",
				Params: []bridges.Param{page, hostmods.OptionsParam("full, baseUrl")}, Call: extractMetadata},
			{Name: "extractReadableText", Result: "the text", Doc: "Finds the text of the main content.",
				Params: []bridges.Param{page, hostmods.OptionsParam("blocks")}, Call: extractReadableText},
		},
	})
}

// Limits of a call.
const (
	maxList      = 1000  // entries of the lists of extract functions, by default
	maxLongList  = 10000 // the same, that options may ask for
	maxSelected  = 1000
	maxSelector  = 4096 // bytes of a selector
	maxCompounds = 200  // of it, that are evaluated
	maxOutput    = hostmods.DefaultResult
)

// limitOf reads an option that bounds a list: what is no finite number is the default.
func limitOf(v bridges.Value, byDefault, most int) int {
	f, ok := v.Float()
	if !ok || math.IsNaN(f) || math.IsInf(f, 0) {
		return byDefault
	}
	return int(min(max(math.Floor(f), 0), float64(most)))
}

func selectCall(ctx context.Context, c *bridges.Call) (any, error) {
	d, err := parseDocument(ctx, c, nil)
	if err != nil {
		return nil, err
	}
	text := c.Str(1)
	o := c.Options(2)
	limit := limitOf(o.Field("limit"), 100, maxSelected)
	attr, byAttr := o.Field("attr").Str()
	byAttr = byAttr && attr != ""
	list, err := parseSelector(text)
	if err != nil {
		return nil, bridges.Errorf(c.Op(), "the selector %q is invalid: %s", short(text), err)
	}
	found, err := d.find(ctx, list)
	if err != nil {
		return nil, err
	}
	result := []string{}
	size := 0
	for _, i := range found {
		if len(result) >= limit {
			break
		}
		s := ""
		if byAttr {
			var ok bool
			if s, ok = d.attribute(i, lower(attr)); !ok {
				continue
			}
		} else {
			s = trimSpace(d.content(i))
		}
		if size += len(s) + 8; size > maxOutput {
			return nil, bridges.Limitf(c.Op(), hostmods.LimitResult, maxOutput, int64(size), "the result is more than the limit of %d bytes", maxOutput)
		}
		result = append(result, s)
	}
	return result, nil
}

// short is a text for an error.
func short(s string) string {
	const most = 200
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}
