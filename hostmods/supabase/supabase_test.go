package supabase

import (
	"context"
	"testing"

	"quicksand/hostmods/hosttest"
	"quicksand/internal/marshal"
)

type object = map[string]any

func TestRequests(t *testing.T) {
	options := func(kv ...any) object {
		m := object{"url": "https://abc.supabase.co", "key": "k"}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i].(string)] = kv[i+1]
		}
		return m
	}
	ordered := func(kv ...any) *marshal.Object {
		o := new(marshal.Object)
		for i := 0; i < len(kv); i += 2 {
			o.Set(kv[i].(string), kv[i+1])
		}
		return o
	}
	get := func(query string) string {
		return `{"url":"https://abc.supabase.co/rest/v1/orders` + query + `","method":"GET","headers":{"apikey":"k","Authorization":"Bearer k","Prefer":"return=representation"}}`
	}
	const badURL = `options.url must be the address of a project, such as https://abc.supabase.co, without a user, query or fragment`
	for _, c := range []struct {
		name, export string
		options      object
		want         string
	}{
		{"a table", "from", options("table", "orders"), get("")},
		{"columns and order, as texts and lists", "from", options("table", "orders", "select", []any{"id", "total"}, "order", "total.desc", "limit", 10, "offset", 0), get("?select=id%2Ctotal&order=total.desc&limit=10&offset=0")},
		{"filters as texts", "from", options("table", "orders", "filters", ordered("status", "eq.open", "id", 5, "gone", nil, "paid", true)), get("?status=eq.open&id=eq.5&gone=is.null&paid=eq.true")},
		{"filters as objects", "from", options("table", "orders", "filters", ordered("age", ordered("gte", 18, "lt", 65), "id", object{"in": []any{1, "a,b", `q"`}}, "at", object{"is": nil}, "tags", object{"cs": []any{"x", "y z"}})),
			get("?age=gte.18&age=lt.65&id=in.%281%2C%22a%2Cb%22%2C%22q%5C%22%22%29&at=is.null&tags=cs.%7Bx%2C%22y+z%22%7D")},
		{"more parameters", "from", options("table", "orders", "query", object{"or": "(a.eq.1,b.eq.2)"}), get("?or=%28a.eq.1%2Cb.eq.2%29")},
		{"an insert that replaces", "from", options("table", "orders", "method", "post", "onConflict", "id", "returning", "minimal", "count", "exact", "body", []any{object{"id": 1}}),
			`{"url":"https://abc.supabase.co/rest/v1/orders?on_conflict=id","method":"POST","headers":{"apikey":"k","Authorization":"Bearer k","Prefer":"return=minimal,resolution=merge-duplicates,count=exact","Content-Type":"application/json"},"body":"[{\"id\":1}]"}`},
		{"a name is one segment", "from", options("table", "a/b?c#d é"), `{"url":"https://abc.supabase.co/rest/v1/a%2Fb%3Fc%23d%20%C3%A9","method":"GET","headers":{"apikey":"k","Authorization":"Bearer k","Prefer":"return=representation"}}`},
		{"a project below a path", "from", options("url", "http://localhost:54321/base/", "table", "t"), `{"url":"http://localhost:54321/base/rest/v1/t","method":"GET","headers":{"apikey":"k","Authorization":"Bearer k","Prefer":"return=representation"}}`},
		{"a function", "rpc", options("fn", "add", "args", object{"a": 1}), `{"url":"https://abc.supabase.co/rest/v1/rpc/add","method":"POST","headers":{"apikey":"k","Authorization":"Bearer k","Content-Type":"application/json"},"body":"{\"a\":1}"}`},
		{"a function without arguments", "rpc", options("fn", "add", "query", object{"select": "x"}), `{"url":"https://abc.supabase.co/rest/v1/rpc/add?select=x","method":"POST","headers":{"apikey":"k","Authorization":"Bearer k","Content-Type":"application/json"},"body":"{}"}`},
		{"a function by GET has its arguments in the query", "rpc", options("fn", "add", "method", "GET", "args", object{"a": 1}), `{"url":"https://abc.supabase.co/rest/v1/rpc/add?a=1","method":"GET","headers":{"apikey":"k","Authorization":"Bearer k"}}`},
		{"no table", "from", options(), `! supabase.from: options.table must be a string, not undefined`},
		{"an empty table", "from", options("table", ""), `! supabase.from: options.table must not be empty`},
		{"a table of dots", "from", options("table", ".."), `! supabase.from: options.table is not the name of anything`},
		{"an address that is none", "from", options("url", "abc.supabase.co", "table", "t"), "! supabase.from: " + badURL},
		{"an address with a password is not in the error", "from", options("url", "https://u:secret@h", "table", "t"), "! supabase.from: " + badURL},
		{"an address that leads elsewhere", "rpc", options("url", "https://abc.supabase.co\\@evil", "fn", "t"), "! supabase.rpc: " + badURL},
		{"a file", "rpc", options("url", "file:///etc/passwd", "fn", "t"), "! supabase.rpc: " + badURL},
		{"no key", "from", options("key", nil, "table", "t"), `! supabase.from: options.key must be a credential of visible ASCII characters; getSecret(name) gives one`},
		{"a filter that is a list", "from", options("table", "t", "filters", object{"a": []any{1}}), `! supabase.from: options.filters.a must be a string such as "eq.open" or an object such as {gte: 18}`},
		{"a filter of an object", "from", options("table", "t", "filters", object{"a": object{"eq": object{}}}), `! supabase.from: options.filters.a.eq must be a string, number, boolean, date, null or an array of them`},
		{"a negative limit", "from", options("table", "t", "limit", -1), `! supabase.from: options.limit must not be negative`},
		{"another way to count", "from", options("table", "t", "count", "some"), `! supabase.from: options.count must be "exact", "planned" or "estimated"`},
		{"another answer", "from", options("table", "t", "returning", "some"), `! supabase.from: options.returning must be "representation" or "minimal"`},
		{"columns that are numbers", "from", options("table", "t", "select", []any{1}), `! supabase.from: options.select must be a string or an array of strings`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := hosttest.JSON(context.Background(), "supabase."+c.export, c.options); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
