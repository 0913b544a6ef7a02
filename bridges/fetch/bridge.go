package fetch

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"time"

	"quicksand/bridges"
)

//go:embed fetch.js
var script string

// Bridge is the capability. Its grant is a *Policy.
var Bridge = &bridges.Bridge{
	Name:        "fetch",
	Doc:         "make HTTP requests to the hosts that are allowed",
	Grant:       "Options.Fetch (on the command line --allow-net)",
	Ungranted:   "fetch is not available: this run was not granted the network",
	Concurrency: 16,
	Script:      script,
	Limits: []bridges.Limit{callsLimit, bodyLimit, bytesLimit, timeoutLimit, redirectsLimit, refusalsLimit,
		urlLimit, headerLimit},
	Funcs: []bridges.Func{
		{
			Name: "fetch", Doc: "request a URL", Result: "a promise of the Response",
			Params: []bridges.Param{
				{Name: "url", Type: bridges.Any, Doc: "a string or URL"},
				{Name: "options", Type: bridges.Object, Optional: true, Fields: []bridges.Param{
					{Name: "method", Type: bridges.String, Optional: true, Doc: "GET by default"},
					{Name: "headers", Type: bridges.Any, Optional: true, Doc: "an object, or pairs of name and value"},
					{Name: "body", Type: bridges.Any, Optional: true, Doc: "text, bytes, URLSearchParams, or a value that is sent as JSON"},
					{Name: "redirect", Type: bridges.String, Optional: true, Doc: "follow, error or manual"},
					{Name: "signal", Type: bridges.Any, Optional: true, Doc: "an AbortSignal"},
					{Name: "timeoutMs", Type: bridges.Number, Optional: true, Doc: "at most the host's own timeout"},
				}},
			},
		},
		{
			Name: "_fetch", Doc: "one request", Result: "what the script makes a Response of",
			Params: []bridges.Param{
				{Name: "url", Type: bridges.String},
				{Name: "method", Type: bridges.String, Optional: true},
				{Name: "headers", Type: bridges.Array, Doc: "names and values in turn"},
				{Name: "body", Type: bridges.Text, Optional: true},
				{Name: "redirect", Type: bridges.String, Optional: true},
				{Name: "timeoutMs", Type: bridges.Number, Optional: true},
				{Name: "token", Type: bridges.Integer, Doc: "names the call for _fetch.abort"},
			},
			Call: request,
		},
		{
			Name: "_fetch.abort", Doc: "end a call", Result: "nothing", Sync: true,
			Params: []bridges.Param{{Name: "token", Type: bridges.Integer}},
			Call: func(_ context.Context, c *bridges.Call) (any, error) {
				c.State.(*run).abort(c.Int(0))
				return bridges.Undefined, nil
			},
		},
		{
			Name: "_fetch.callsJSON", Doc: "whether the code that called fetch calls a method json", Result: "a boolean", Sync: true,
			Params: []bridges.Param{{Name: "stack", Type: bridges.String}},
			Call: func(_ context.Context, c *bridges.Call) (any, error) {
				return c.State.(*run).callsJSON(c.Session, c.Str(0)), nil
			},
		},
	},
	Check: func(grant any) (any, error) {
		switch p := grant.(type) {
		case *Policy:
			if p != nil {
				return check(p)
			}
		case *settings: // checked before
			return p, nil
		}
		return nil, fmt.Errorf("fetch: the grant is a %T, not a *fetch.Policy", grant)
	},
	Open: func(s *bridges.Session, grant any) (any, error) {
		return &run{Client: newClient(grant.(*settings), s.Redactor.AddInjected), calls: make(map[int64]context.CancelCauseFunc), json: make(map[string]bool)}, nil
	},
	Describe: func(grant any) any {
		s := grant.(*settings)
		secrets := []any{}
		for _, b := range s.Secrets {
			secrets = append(secrets, map[string]any{"name": b.Name, "hosts": texts(b.Hosts)})
		}
		d := map[string]any{
			"allow": texts(s.Allow), "deny": texts(s.Deny), "privateNetwork": s.AllowPrivateNetwork, "secrets": secrets,
			"maxCalls": s.MaxCalls, "maxBody": s.MaxBody, "maxBytes": s.MaxBytes, "timeoutMs": s.Timeout.Milliseconds(),
		}
		if s.Methods != nil {
			d["methods"] = texts(s.Methods)
		}
		return d
	},
}

func texts(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// Of is the client of a run, for other bridges: what they request counts and is guarded
// like the guest's own. The error is bridges.ErrNotGranted if the run was not granted
// Bridge. The client is the session's to close.
func Of(s *bridges.Session) (*Client, error) {
	state, err := s.State(Bridge)
	if err != nil {
		return nil, err
	}
	return state.(*run).Client, nil
}

// Placeholder is what the guest of a run gets instead of a secret that is bound to hosts,
// and whether there is such a secret.
func Placeholder(s *bridges.Session, name string) (string, bool) {
	c, err := Of(s)
	if err != nil {
		return "", false
	}
	return c.Placeholder(name)
}

// run is the state of a run: its client, and how to end the calls that are under way.
type run struct {
	*Client

	mu sync.Mutex
	// calls are the calls by token. nil stands for one that was aborted before it began.
	calls map[int64]context.CancelCauseFunc
	// json is what is known of callsJSON, by file.
	json map[string]bool
}

// begin makes the context of a call.
func (r *run) begin(ctx context.Context, token int64) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, aborted := r.calls[token]; aborted {
		cancel(errCanceled)
	}
	r.calls[token] = cancel
	return ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.calls, token)
		cancel(nil)
	}
}

func (r *run) abort(token int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if cancel := r.calls[token]; cancel != nil {
		cancel(errCanceled)
	} else {
		r.calls[token] = nil
	}
}

// callsJSON reports whether the code which called fetch with this stack calls a method json
// of anything. It decides what response.json is: code written for the property, which never
// does that, gets plain data; for other code it can be called. Where no code is known it
// can be, too.
func (r *run) callsJSON(s *bridges.Session, stack string) bool {
	name, code, ok := caller(s, stack)
	if !ok {
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	calls, known := r.json[name]
	if !known {
		calls = callsJSON(code)
		r.json[name] = calls
	}
	return calls
}

// caller is the file at the top of a stack, or the program if there is none: a function
// that the engine calls by itself has nobody above it.
func caller(s *bridges.Session, stack string) (name, code string, ok bool) {
	for line := range strings.Lines(stack) {
		// "    at name (main.js:3:14)", or without a name and brackets
		at := strings.TrimSuffix(strings.TrimSpace(line), ")")
		if i := strings.LastIndexByte(at, '('); i >= 0 {
			at = at[i+1:]
		} else {
			at = strings.TrimPrefix(at, "at ")
		}
		for range 2 {
			if i := strings.LastIndexByte(at, ':'); i > 0 && strings.Trim(at[i+1:], "0123456789") == "" {
				at = at[:i]
			}
		}
		if at == "" {
			continue
		}
		if code, ok := s.Source(at); ok {
			return at, code, true
		}
	}
	code, ok = s.Source("")
	return "", code, ok
}

// callsJSON looks for .json( in code, also with ?. and as ["json"].
func callsJSON(code string) bool {
	for i := 0; ; {
		at := strings.Index(code[i:], "json")
		if at < 0 {
			break
		}
		i += at + len("json")
		before, after := strings.TrimRight(code[:i-len("json")], blanks), strings.TrimLeft(code[i:], blanks)
		if quote := strings.TrimRight(before, "\"'`"); quote != before {
			// r["json"](); what is no index is found to be one too often, which is harmless.
			rest := strings.TrimLeft(strings.TrimLeft(after, "\"'`"), blanks)
			bracket, isIndex := strings.CutPrefix(rest, "]")
			if !strings.HasSuffix(strings.TrimRight(quote, blanks), "[") || !isIndex {
				continue
			}
			after = strings.TrimLeft(bracket, blanks)
		} else if !strings.HasSuffix(before, ".") {
			continue
		}
		if optional, is := strings.CutPrefix(after, "?."); is {
			after = strings.TrimLeft(optional, blanks)
		}
		if strings.HasPrefix(after, "(") {
			return true
		}
	}
	return false
}

const blanks = " \t\r\n"

func request(ctx context.Context, c *bridges.Call) (any, error) {
	r := c.State.(*run)
	ctx, end := r.begin(ctx, c.Int(6))
	defer end()
	q := &Request{URL: c.Str(0), Method: c.Str(1), Redirect: Redirect(c.Str(4))}
	headers := c.Arg(2)
	for i := 0; i+1 < headers.Len(); i += 2 {
		name, _ := headers.Index(i).Str()
		value, _ := headers.Index(i + 1).Str()
		q.Header = append(q.Header, Field{name, value})
	}
	if c.Has(3) {
		if q.Body = c.Bytes(3); q.Body == nil {
			q.Body = []byte{}
		}
	}
	if c.Has(5) {
		ms := c.Float(5)
		if !(ms > 0) {
			return nil, &bridges.Error{Op: "fetch", Name: "RangeError", Message: "timeoutMs must be above zero"}
		}
		q.Timeout = time.Duration(min(ms, 1e9) * float64(time.Millisecond))
	}
	if err := context.Cause(ctx); err != nil {
		return nil, explain(ctx, "", err, 0, false)
	}
	res, err := r.Do(ctx, q)
	if err != nil {
		return nil, err
	}
	fields := make([]any, 0, 2*len(res.Header))
	for _, f := range res.Header {
		fields = append(fields, f.Name, f.Value)
	}
	out := []any{res.Status, res.StatusText, res.URL, res.Redirected, fields, res.Body, res.Encoding, res.Truncated}
	if e := res.BodyError; e != nil {
		out = append(out, e.Name, e.Error(), e.Code)
	}
	return out, nil
}
