// Package supabase is the module "supabase" for guests: it prepares requests to the tables
// and functions of a Supabase project, which the guest sends with fetch. It does no input or
// output itself. The requests are those of PostgREST, which is behind Supabase.
//
// Unlike NodeTool's module it takes lists for select, order and the operators of filters, and
// numbers, booleans and null as filters; says return=minimal where returning is that; and puts
// the arguments of a function called by GET into the query, since such a request has no body.
//
// Importing the package registers the module. It has no state; all of it may be used by any
// number of goroutines.
package supabase

import (
	"context"
	_ "embed"
	"net/url"
	"strings"

	"quicksand/bridges"
	"quicksand/hostmods"
	"quicksand/internal/marshal"
)

//go:embed SKILL.md
var skill string

func init() {
	text := func(name, doc string) bridges.Param {
		return bridges.Param{Name: name, Type: bridges.String, Doc: doc}
	}
	optional := func(name string, t bridges.Type) bridges.Param {
		return bridges.Param{Name: name, Type: t, Optional: true}
	}
	hostmods.Register(&hostmods.Module{
		ID:    "supabase",
		Doc:   "Requests to the tables and functions of a Supabase project.",
		Skill: skill,
		Funcs: []bridges.Func{
			{Name: "from", Result: "{url, method, headers, body?} for fetch", Doc: "Prepares a request to a table.",
				Params: []bridges.Param{{Name: "options", Type: bridges.Object, Fields: []bridges.Param{
					text("url", "of the project"), text("table", "or view"), optional("method", bridges.String), optional("filters", bridges.Object),
					optional("limit", bridges.Integer), optional("offset", bridges.Integer),
					optional("onConflict", bridges.String), optional("returning", bridges.String), optional("count", bridges.String),
				}, Doc: "url, key, table, method, select, filters, order, limit, offset, onConflict, returning, count, query, body"}},
				Call: from},
			{Name: "rpc", Result: "{url, method, headers, body?} for fetch", Doc: "Prepares a call of a function.",
				Params: []bridges.Param{{Name: "options", Type: bridges.Object, Fields: []bridges.Param{
					text("url", "of the project"), text("fn", "the function"), optional("method", bridges.String), optional("args", bridges.Object),
				}, Doc: "url, key, fn, args, method, query"}},
				Call: rpc},
		},
	})
}

// begin makes a request to a project.
func begin(c *bridges.Call, o bridges.Options, method string) (*hostmods.Request, error) {
	// The address itself is in no error: it may hold a password.
	u, err := url.Parse(o.Str("url"))
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Opaque != "" {
		return nil, bridges.TypeErrorf(c.Op(), "options.url must be the address of a project, such as https://abc.supabase.co, without a user, query or fragment")
	}
	r := hostmods.NewRequest(c, u.Scheme+"://"+u.Host, method)
	r.Path(strings.TrimRight(u.EscapedPath(), "/")+"/rest/v1", "")
	key, _ := o.Field("key").Str()
	r.Secret("apikey", "options.key", "", key)
	r.Secret("Authorization", "options.key", "Bearer ", key)
	return r, nil
}

func from(_ context.Context, c *bridges.Call) (any, error) {
	o := c.Options(0)
	r, err := begin(c, o, o.Str("method"))
	if err != nil {
		return nil, err
	}
	if o.Str("table") == "" {
		r.Fail("options.table must not be empty")
	}
	r.Segment("options.table", o.Str("table"))
	for _, name := range []string{"select", "order"} {
		if name == "order" {
			filters(r, o.Field("filters"))
		}
		list(r, o, name)
	}
	for _, name := range []string{"limit", "offset"} {
		if !o.Has(name) {
			continue
		}
		if o.Int(name) < 0 {
			r.Fail("options.%s must not be negative", name)
		}
		text, _ := hostmods.Scalar(o.Field(name))
		r.Param(name, text)
	}
	prefer := []string{"return=representation"}
	switch o.Str("returning") {
	case "", "representation":
	case "minimal":
		prefer[0] = "return=minimal"
	default:
		r.Fail(`options.returning must be "representation" or "minimal"`)
	}
	if o.Has("onConflict") {
		r.Param("on_conflict", o.Str("onConflict"))
		prefer = append(prefer, "resolution=merge-duplicates")
	}
	switch count := o.Str("count"); count {
	case "":
	case "exact", "planned", "estimated":
		prefer = append(prefer, "count="+count)
	default:
		r.Fail(`options.count must be "exact", "planned" or "estimated"`)
	}
	r.Header("Prefer", strings.Join(prefer, ","))
	r.Query("options.query", o.Field("query"))
	if o.Has("body") {
		r.JSON(o.Field("body"))
	}
	return r.Result()
}

// list adds the names of columns, a string or an array of strings.
func list(r *hostmods.Request, o bridges.Options, name string) {
	v := o.Field(name)
	if v.IsNullish() {
		return
	}
	if s, ok := v.Str(); ok {
		r.Param(name, s)
		return
	}
	var names []string
	for _, e := range v.Elements() {
		s, ok := e.Str()
		if !ok {
			names = nil
			break
		}
		names = append(names, s)
	}
	if names == nil {
		r.Fail("options.%s must be a string or an array of strings", name)
		return
	}
	r.Param(name, strings.Join(names, ","))
}

// filters adds conditions: {column: "eq.open"}, or {column: {gte: 18, lt: 65}}. Numbers and
// booleans mean eq, null means is.
func filters(r *hostmods.Request, bag bridges.Value) {
	for column, v := range bag.Fields() {
		switch v.Kind() {
		case marshal.KindString:
			s, _ := v.Str()
			r.Param(column, s)
		case marshal.KindObject:
			for op, x := range v.Fields() {
				text, ok := operand(op, x)
				if !ok {
					r.Fail("options.filters.%.80s.%.80s must be a string, number, boolean, date, null or an array of them", column, op)
				}
				r.Param(column, op+"."+text)
			}
		case marshal.KindNull:
			r.Param(column, "is.null")
		case marshal.KindUndefined:
		default:
			text, ok := hostmods.Scalar(v)
			if !ok {
				r.Fail(`options.filters.%.80s must be a string such as "eq.open" or an object such as {gte: 18}`, column)
			}
			r.Param(column, "eq."+text)
		}
	}
}

// operand is the value of a condition. Arrays are lists in brackets, whose texts are quoted
// where they need it.
func operand(op string, v bridges.Value) (text string, ok bool) {
	switch v.Kind() {
	case marshal.KindNull:
		return "null", true
	case marshal.KindArray:
	default:
		return hostmods.Scalar(v)
	}
	var items []string
	for _, e := range v.Elements() {
		s, ok := hostmods.Scalar(e)
		if !ok {
			return "", false
		}
		if s == "" || strings.ContainsAny(s, ",.:()\"\\ {}") {
			s = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
		}
		items = append(items, s)
	}
	joined := strings.Join(items, ",")
	switch strings.TrimPrefix(op, "not.") {
	case "cs", "cd", "ov": // containment takes an array of PostgreSQL
		return "{" + joined + "}", true
	}
	return "(" + joined + ")", true
}

func rpc(_ context.Context, c *bridges.Call) (any, error) {
	o := c.Options(0)
	method := o.Str("method")
	if method == "" {
		method = "POST"
	}
	r, err := begin(c, o, method)
	if err != nil {
		return nil, err
	}
	if o.Str("fn") == "" {
		r.Fail("options.fn must not be empty")
	}
	r.Path("/rpc", "")
	r.Segment("options.fn", o.Str("fn"))
	if r.Method() == "GET" || r.Method() == "HEAD" {
		// Such requests have no body; PostgREST takes the arguments from the query.
		r.Query("options.args", o.Field("args"))
		r.Query("options.query", o.Field("query"))
		return r.Result()
	}
	r.Query("options.query", o.Field("query"))
	args := o.Field("args")
	if args.IsNullish() {
		if args, err = marshal.NewValue(map[string]any{}, marshal.EncodeOptions{}); err != nil {
			return nil, err
		}
	}
	r.JSON(args)
	return r.Result()
}
