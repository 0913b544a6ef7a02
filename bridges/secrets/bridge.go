package secrets

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"quicksand/bridges"
	"quicksand/bridges/fetch"
)

// Policy grants secrets to a run. The zero Policy finds none but the bound ones.
type Policy struct {
	// Provider has the values. Nil has none.
	Provider Provider
	// Scope are the names that the run may read, without the blank ones; white space around
	// them does not count. Nil means all that the Provider has. Empty means none.
	Scope []string
	// Where says where a user adds a secret, for the error of one that is not set: "add it
	// under Settings, Secrets". Empty means a sentence about the host.
	Where string
}

// Bridge is the capability. Its grant is a *Policy.
var Bridge = &bridges.Bridge{
	Name:   "secrets",
	Doc:    "read secrets by name",
	Grant:  "Options.Secrets (on the command line --secret)",
	Limits: []bridges.Limit{namesLimit, nameLimit, valueLimit, bytesLimit},
	Funcs: []bridges.Func{
		{
			Name: "getSecret", Doc: "reads a secret", Result: "the value, or undefined when it is not set",
			Params: []bridges.Param{{Name: "name", Type: bridges.String}},
			Call: func(ctx context.Context, c *bridges.Call) (any, error) {
				return orUndefined(c.State.(*run).lookup(ctx, c.Op(), c.Str(0)))
			},
			Without: func(_ context.Context, c *bridges.Call) (any, error) {
				return orUndefined(without(c, c.Str(0)))
			},
		},
		{
			Name: "nodetool.secrets.get", Doc: "reads a secret that has to be there", Result: "the value",
			Params: []bridges.Param{{Name: "name"}},
			Call:   get,
			Without: func(_ context.Context, c *bridges.Call) (any, error) {
				name, err := named(c)
				if err != nil {
					return nil, err
				}
				if p, ok := fetch.Placeholder(c.Session, name); ok {
					return p, nil
				}
				return nil, bridges.NotGranted(c.Bridge, c.Func)
			},
		},
		{
			Name: "nodetool.secrets.tryGet", Doc: "reads a secret", Result: "the value, or undefined when it is not set or empty",
			Params: []bridges.Param{{Name: "name"}},
			Call: func(ctx context.Context, c *bridges.Call) (any, error) {
				name, err := named(c)
				if err != nil {
					return nil, err
				}
				v, ok, err := c.State.(*run).lookup(ctx, c.Op(), name)
				return orUndefined(v, ok && v != "", err)
			},
			Without: func(_ context.Context, c *bridges.Call) (any, error) {
				name, err := named(c)
				if err != nil {
					return nil, err
				}
				return orUndefined(without(c, name))
			},
		},
		{
			Name: "nodetool.secrets.list", Doc: "lists the names that this run declares", Result: "the names, or null when it may read all", Sync: true,
			Call: func(_ context.Context, c *bridges.Call) (any, error) {
				if scope := c.State.(*run).policy.Scope; scope != nil {
					return scope, nil
				}
				return nil, nil
			},
			Without: func(context.Context, *bridges.Call) (any, error) { return nil, nil },
		},
	},
	Check: func(grant any) (any, error) {
		p, ok := grant.(*Policy)
		if !ok || p == nil {
			return nil, fmt.Errorf("secrets: the grant is a %T, not a *secrets.Policy", grant)
		}
		checked := *p
		if p.Scope != nil {
			checked.Scope = []string{}
			for _, name := range p.Scope {
				if name = strings.TrimSpace(name); name != "" && !slices.Contains(checked.Scope, name) {
					checked.Scope = append(checked.Scope, name)
				}
			}
		}
		return &checked, nil
	},
	Open: func(s *bridges.Session, grant any) (any, error) {
		return &run{session: s, policy: grant.(*Policy), found: make(map[string]entry)}, nil
	},
	Describe: func(grant any) any {
		scope := any(nil)
		if p := grant.(*Policy); p.Scope != nil {
			scope = p.Scope
		}
		return map[string]any{"scope": scope}
	},
}

// run are the secrets of a run.
type run struct {
	session *bridges.Session
	policy  *Policy

	mu    sync.Mutex
	found map[string]entry // by name, also what is not set
	bytes int64
}

type entry struct {
	value string
	ok    bool
}

// lookup is the secret of a name, or its placeholder, if the run may read it and it is set.
func (r *run) lookup(ctx context.Context, op, name string) (string, bool, error) {
	if len(name) > maxName {
		return "", false, bridges.Limitf(op, nameLimit.Name, maxName, int64(len(name)), "the name of the secret is %d bytes long, more than %d", len(name), maxName)
	}
	if scope := r.policy.Scope; scope != nil && !slices.Contains(scope, name) {
		return "", false, outside(op, name, scope)
	}
	if p, ok := fetch.Placeholder(r.session, name); ok {
		return p, true, nil
	}
	if r.policy.Provider == nil {
		return "", false, nil
	}
	r.mu.Lock()
	e, known := r.found[name]
	if !known && len(r.found) >= maxNames {
		r.mu.Unlock()
		return "", false, bridges.Limitf(op, namesLimit.Name, maxNames, maxNames+1, "more than %d different secrets", maxNames)
	}
	if !known {
		r.found[name] = entry{} // takes its place, also if it fails
	}
	r.mu.Unlock()
	if known && e.ok {
		return e.value, true, nil
	}
	value, ok, err := r.policy.Provider.Lookup(ctx, name)
	switch {
	case err != nil && ctx.Err() != nil:
		return "", false, ctx.Err()
	case err != nil:
		return "", false, &bridges.Error{Kind: bridges.KindInternal, Op: op, Code: "ERR_SECRET", Message: "the secret " + quoted(name) + " could not be read", Err: err}
	case !ok:
		return "", false, nil
	case !utf8.ValidString(value):
		return "", false, &bridges.Error{Op: op, Code: "ERR_SECRET", Message: "the secret " + quoted(name) + " is no text in UTF-8"}
	case len(value) > maxValue:
		return "", false, bridges.Limitf(op, valueLimit.Name, maxValue, int64(len(value)), "the secret %s is %d bytes long, more than %d", quoted(name), len(value), maxValue)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.found[name].ok {
		if used := r.bytes + int64(len(value)); used > maxBytes {
			return "", false, bridges.Limitf(op, bytesLimit.Name, maxBytes, used, "the secrets of the run are longer than %d bytes together", maxBytes)
		}
		r.bytes += int64(len(value))
		r.found[name] = entry{value, true}
		r.session.Redactor.Add(name, value)
	}
	return value, true, nil
}

// get is nodetool.secrets.get.
func get(ctx context.Context, c *bridges.Call) (any, error) {
	name, err := named(c)
	if err != nil {
		return nil, err
	}
	r := c.State.(*run)
	v, ok, err := r.lookup(ctx, c.Op(), name)
	if err != nil {
		return nil, err
	}
	if !ok || v == "" {
		where := r.policy.Where
		if where == "" {
			where = "the host adds it where it keeps the secrets of its runs"
		}
		return nil, &bridges.Error{Code: "ERR_SECRET_NOT_SET", Message: c.Op() + "(" + quoted(name) + "): not set; " + where}
	}
	return v, nil
}

// named is the first argument as the name of a secret.
func named(c *bridges.Call) (string, error) {
	name, ok := c.Arg(0).Str()
	if !ok || strings.TrimSpace(name) == "" {
		return "", bridges.TypeErrorf(c.Op(), "a secret name is required")
	}
	return name, nil
}

// without is lookup in a run without a grant.
func without(c *bridges.Call, name string) (string, bool, error) {
	p, ok := fetch.Placeholder(c.Session, name)
	if !ok {
		c.Session.WarnOnce(c.Op() + ": this run was not granted secrets, so none is set; the host grants them with " + c.Bridge.Granting())
	}
	return p, ok, nil
}

// orUndefined is the result of a call that may find nothing.
func orUndefined(v string, ok bool, err error) (any, error) {
	if err != nil || !ok {
		return bridges.Undefined, err
	}
	return v, nil
}

// outside is the error for a name outside of the scope.
func outside(op, name string, scope []string) error {
	if len(scope) == 0 {
		return bridges.Deniedf(op, "%s cannot be read: this run declares no secrets, so it can read none", quoted(name))
	}
	var names []string
	for _, s := range scope[:min(len(scope), maxListed)] {
		names = append(names, quoted(s))
	}
	more := ""
	if n := len(scope) - len(names); n > 0 {
		more = fmt.Sprintf(" and %d others", n)
	}
	return bridges.Deniedf(op, "%s cannot be read: this run may read only %s%s", quoted(name), strings.Join(names, ", "), more)
}

// maxListed is how many names an error lists.
const maxListed = 20

// quoted is a name for an error.
func quoted(name string) string {
	if len(name) > 100 {
		name = strings.ToValidUTF8(name[:100], "") + "…"
	}
	return strconv.Quote(name)
}
