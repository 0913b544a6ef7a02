package notion

import (
	"context"
	"strings"
	"testing"

	"quicksand/hostmods/hosttest"
)

type object = map[string]any

func TestRequest(t *testing.T) {
	options := func(kv ...any) object {
		m := object{"token": "tok", "path": "pages/1"}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i].(string)] = kv[i+1]
		}
		return m
	}
	const headers = `"headers":{"Authorization":"Bearer tok","Notion-Version":"2022-06-28"`
	for _, c := range []struct {
		name    string
		options object
		want    string
	}{
		{"a path is one of version 1", options(), `{"url":"https://api.notion.com/v1/pages/1","method":"GET",` + headers + `}}`},
		{"a path with a slash is used as it is", options("path", "/v2/x"), `{"url":"https://api.notion.com/v2/x","method":"GET",` + headers + `}}`},
		{"a path may have a query", options("path", "search?a=b c#d", "query", object{"x": []any{1, true, nil, "ü+~ *"}, "y": nil}),
			`{"url":"https://api.notion.com/v1/search?a=b%20c&x=1&x=true&x=%C3%BC%2B%7E+*","method":"GET",` + headers + `}}`},
		{"a body is JSON", options("method", "post", "body", object{"a": []any{1, "x"}}),
			`{"url":"https://api.notion.com/v1/pages/1","method":"POST",` + headers + `,"Content-Type":"application/json"},"body":"{\"a\":[1,\"x\"]}"}`},
		{"a text is JSON already", options("method", "POST", "body", "{}"), `{"url":"https://api.notion.com/v1/pages/1","method":"POST",` + headers + `,"Content-Type":"application/json"},"body":"{}"}`},
		{"another version", options("version", "2025-09-03"), `{"url":"https://api.notion.com/v1/pages/1","method":"GET","headers":{"Authorization":"Bearer tok","Notion-Version":"2025-09-03"}}`},
		{"characters that a path cannot have are escaped", options("path", "a b/%zz/%41/é#x"), `{"url":"https://api.notion.com/v1/a%20b/%25zz/%41/%C3%A9%23x","method":"GET",` + headers + `}}`},
		{"another host in the path", options("path", "//other.host/x"), `! notion.request: path must be a path of https://api.notion.com, not an address`},
		{"an address as the path", options("path", "https://other.host/x"), `! notion.request: path must be a path of https://api.notion.com, not an address`},
		{"an at sign leads nowhere", options("path", "/@other.host"), `{"url":"https://api.notion.com/@other.host","method":"GET",` + headers + `}}`},
		{"a backslash", options("path", `/\other.host`), `! notion.request: path must not have control characters or backslashes`},
		{"a tab", options("path", "/\t/other.host"), `! notion.request: path must not have control characters or backslashes`},
		{"a path further up", options("path", "../x"), `! notion.request: path must not have the segment ..`},
		{"a hidden path further up", options("path", "a/.%2E/x"), `! notion.request: path must not have the segment ..`},
		{"no path", options("path", ""), `! notion.request: options.path must not be empty`},
		{"no token", options("token", nil), `! notion.request: options.token must be a credential of visible ASCII characters; getSecret(name) gives one`},
		{"a token with a line break", options("token", "secret\r\nX: y"), `! notion.request: options.token must be a credential of visible ASCII characters; getSecret(name) gives one`},
		{"a token that is a number", options("token", 12345), `! notion.request: options.token must be a credential of visible ASCII characters; getSecret(name) gives one`},
		{"a method with a line break", options("method", "GET\nX"), `! notion.request: method must be the name of an HTTP method`},
		{"a query of objects", options("query", object{"a": object{}}), `! notion.request: options.query.a must be a string, number, bigint, boolean or date, or an array of them`},
		{"a query that is none", options("query", "a=b"), `! notion.request: options.query must be an object`},
		{"too large a body", options("body", strings.Repeat("é", 1_048_577)), `! notion.request: the body has 1048577 characters, more than the limit of 1048576 (HostRequestBody)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := hosttest.JSON(context.Background(), "notion.request", c.options); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func rich(texts ...string) []any {
	var list []any
	for i, s := range texts {
		if i%2 == 0 {
			list = append(list, object{"type": "text", "plain_text": s})
		} else {
			list = append(list, object{"type": "text", "text": object{"content": s}})
		}
	}
	return list
}

func TestPlainText(t *testing.T) {
	for _, c := range []struct {
		name  string
		value any
		want  string
	}{
		{"a string", "abc", `"abc"`},
		{"rich text", rich("a", "b", "c"), `"abc"`},
		{"nothing", nil, `""`},
		{"an object", object{"plain_text": "x"}, `""`},
		{"parts that are none", []any{1, object{}, nil, object{"plain_text": 5}}, `""`},
	} {
		if got := hosttest.JSON(context.Background(), "notion.plainText", c.value); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestToMarkdown(t *testing.T) {
	block := func(kind string, text any, kv ...any) object {
		content := object{"rich_text": text}
		for i := 0; i < len(kv); i += 2 {
			content[kv[i].(string)] = kv[i+1]
		}
		return object{"object": "block", "type": kind, kind: content}
	}
	blocks := []any{
		block("heading_1", rich("One")), block("heading_2", rich("Two")), block("heading_3", rich("Three")), block("paragraph", rich("a ", "b")),
		block("bulleted_list_item", rich("x\ny")), block("numbered_list_item", rich("n")), block("to_do", rich("open"), "checked", false), block("to_do", rich("done"), "checked", true),
		block("quote", rich("q\nr")), block("code", rich("let a;"), "language", "javascript"), block("code", rich("```"), "language", "markdown"),
		object{"type": "divider", "divider": object{}}, object{"type": "image", "image": object{}}, 5, nil,
		object{"type": "paragraph", "paragraph": object{"text": rich("old")}},
	}
	want := `"# One\n\n## Two\n\n### Three\n\na b\n\n- x\n  y\n\n1. n\n\n- [ ] open\n\n- [x] done\n\n> q\n> r\n\n` +
		"```javascript\\nlet a;\\n```\\n\\n````markdown\\n```\\n````\\n\\n---\\n\\nold\""
	if got := hosttest.JSON(context.Background(), "notion.toMarkdown", blocks); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := hosttest.JSON(context.Background(), "notion.toMarkdown", []any{}); got != `""` {
		t.Errorf("no blocks: got %s", got)
	}
	if got, want := hosttest.JSON(context.Background(), "notion.toMarkdown", "x"), "! notion.toMarkdown: blocks must be an array, not a string"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
