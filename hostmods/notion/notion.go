// Package notion is the module "notion" for guests: it prepares requests to the API of
// Notion, and makes text of what that answers. It does no input or output itself: the guest
// sends a request with fetch.
//
// Unlike NodeTool's module it refuses a path that is an address or has dots, double slashes or
// backslashes, sends a string as the body as it is, makes fences longer than those in code,
// and indents further lines of items and quotes.
//
// Importing the package registers the module. It has no state; all of it may be used by any
// number of goroutines.
package notion

import (
	"context"
	_ "embed"
	"strings"

	"quicksand/bridges"
	"quicksand/hostmods"
	"quicksand/internal/marshal"
)

//go:embed SKILL.md
var skill string

// Version is the version of the API that requests ask for by default.
const Version = "2022-06-28"

const origin = "https://api.notion.com"

func init() {
	hostmods.Register(&hostmods.Module{
		ID:    "notion",
		Doc:   "Requests to the Notion API, and text of its blocks.",
		Skill: skill,
		Funcs: []bridges.Func{
			{Name: "request", Result: "{url, method, headers, body?} for fetch", Doc: "Prepares a request.",
				Params: []bridges.Param{{Name: "options", Type: bridges.Object, Fields: []bridges.Param{
					{Name: "path", Type: bridges.String, Doc: "of the API: databases/<id>/query"},
					{Name: "method", Type: bridges.String, Optional: true},
					{Name: "version", Type: bridges.String, Optional: true},
				}, Doc: "token, path, method, query, body, version"}},
				Call: request},
			{Name: "plainText", Result: "the text", Doc: "Joins the texts of a rich text array.",
				Params: []bridges.Param{{Name: "value", Doc: "a rich text array or a string"}}, Call: func(_ context.Context, c *bridges.Call) (any, error) {
					return plainText(c.Arg(0)), nil
				}},
			{Name: "toMarkdown", Result: "Markdown", Doc: "Makes Markdown of blocks.",
				Params: []bridges.Param{{Name: "blocks", Type: bridges.Array}}, Call: toMarkdown},
		},
	})
}

func request(_ context.Context, c *bridges.Call) (any, error) {
	o := c.Options(0)
	r := hostmods.NewRequest(c, origin, o.Str("method"))
	path := o.Str("path")
	if path == "" {
		r.Fail("options.path must not be empty")
	}
	if strings.HasPrefix(path, "/") {
		r.Path("", path)
	} else {
		r.Path("/v1/", path)
	}
	token, _ := o.Field("token").Str()
	r.Secret("Authorization", "options.token", "Bearer ", token)
	version := o.Str("version")
	if version == "" {
		version = Version
	}
	if strings.ContainsFunc(version, func(c rune) bool { return c <= ' ' || c >= 0x7f }) {
		r.Fail("options.version must be a date")
	}
	r.Header("Notion-Version", version)
	r.Query("options.query", o.Field("query"))
	if o.Has("body") {
		r.JSON(o.Field("body"))
	}
	return r.Result()
}

// plainText is the text of rich text; of anything else it is empty.
func plainText(v bridges.Value) string {
	if s, ok := v.Str(); ok {
		return s
	}
	var b strings.Builder
	for _, part := range v.Elements() {
		if s, ok := part.Field("plain_text").Str(); ok {
			b.WriteString(s)
		} else if s, ok := part.Field("text").Field("content").Str(); ok {
			b.WriteString(s)
		}
	}
	return b.String()
}

// prefixes of blocks that are one paragraph of text.
var prefixes = map[string]string{
	"heading_1": "# ", "heading_2": "## ", "heading_3": "### ", "paragraph": "",
	"bulleted_list_item": "- ", "numbered_list_item": "1. ", "to_do": "- [ ] ", "quote": "> ",
}

func toMarkdown(ctx context.Context, c *bridges.Call) (any, error) {
	var parts []string
	for i, block := range c.Arg(0).Elements() {
		if i&1023 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		kind, _ := block.Field("type").Str()
		content := block.Field(kind)
		text := plainText(content.Field("rich_text"))
		if content.Field("rich_text").Kind() != marshal.KindArray {
			text = plainText(content.Field("text")) // as versions before 2022 called it
		}
		prefix, known := prefixes[kind]
		switch checked, _ := content.Field("checked").Bool(); {
		case kind == "to_do" && checked:
			prefix = "- [x] "
		case kind == "code":
			language, _ := content.Field("language").Str()
			parts = append(parts, fenced(language, text))
			continue
		case kind == "divider":
			parts = append(parts, "---")
			continue
		case !known:
			continue
		}
		// Further lines of a quote and of an item belong to it.
		indent := strings.Repeat(" ", len(prefix))
		switch {
		case kind == "quote":
			indent = prefix
		case kind == "paragraph" || strings.HasPrefix(kind, "heading"):
			indent = ""
		}
		parts = append(parts, prefix+strings.ReplaceAll(text, "\n", "\n"+indent))
	}
	return strings.Join(parts, "\n\n"), nil
}

// fenced is a block of code, whose fence is longer than any that is inside.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.ContainsAny(language, "`\n") {
		language = ""
	}
	return fence + language + "\n" + text + "\n" + fence
}
