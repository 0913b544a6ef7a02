package quicksand

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"quicksand/bridges"
)

// crmBridge is an embedder's capability: its state counts, its grant is a name.
type crmState struct {
	owner  string
	calls  atomic.Int64
	closed chan struct{}
	once   sync.Once
}

func (s *crmState) Close() error { s.once.Do(func() { close(s.closed) }); return nil }

func crmBridge() (*bridges.Bridge, *[]*crmState) {
	states := new([]*crmState)
	b := &bridges.Bridge{
		Name: "crm", Doc: "customer records", Concurrency: 2,
		Check: func(v any) (any, error) {
			if v == "nobody" {
				return nil, errors.New("nobody owns no customers")
			}
			return v, nil
		},
		Open: func(s *bridges.Session, grant any) (any, error) {
			st := &crmState{owner: grant.(string), closed: make(chan struct{})}
			*states = append(*states, st)
			return st, nil
		},
		Describe: func(grant any) any { return map[string]any{"owner": grant} },
		Script: `(function (I, host) {
			const find = host["crm.find"], raw = host._secretly;
			return { __proto__: null, "crm.findAll": I.freeze(async function findAll(ids) { return [await find(ids[0]), await raw(ids[1])]; }) };
		})`,
		Funcs: []bridges.Func{
			{Name: "crm.find", Params: []bridges.Param{{Name: "id", Type: bridges.String}, {Name: "options", Type: bridges.Object, Optional: true,
				Fields: []bridges.Param{{Name: "limit", Type: bridges.Integer, Optional: true}}}},
				Call: func(ctx context.Context, c *bridges.Call) (any, error) {
					st := c.State.(*crmState)
					st.calls.Add(1)
					return map[string]any{"id": c.Str(0), "owner": st.owner, "limit": c.Options(1).Int("limit")}, nil
				}},
			{Name: "crm.owner", Sync: true, Call: func(ctx context.Context, c *bridges.Call) (any, error) { return c.State.(*crmState).owner, nil }},
			{Name: "crm.deep.count", Quick: true, Call: func(ctx context.Context, c *bridges.Call) (any, error) {
				return c.State.(*crmState).calls.Load(), nil
			}},
			{Name: "crm.size", Params: []bridges.Param{{Name: "data", Type: bridges.Bytes}}, Quick: true, Call: func(ctx context.Context, c *bridges.Call) (any, error) { return c.Bytes(0), nil }},
			{Name: "crm.text", Params: []bridges.Param{{Name: "data", Type: bridges.Text}}, Quick: true, Call: func(ctx context.Context, c *bridges.Call) (any, error) { return string(c.Bytes(0)), nil }},
			{Name: "crm.fail", Params: []bridges.Param{{Name: "how", Type: bridges.String}}, Call: fail},
			{Name: "crm.failQuick", Quick: true, Params: []bridges.Param{{Name: "how", Type: bridges.String}}, Call: fail},
			{Name: "crm.failQuickIf", QuickIf: func(*bridges.Call) bool { panic("host detail") }, Call: fail},
			{Name: "crm.failSync", Sync: true, Params: []bridges.Param{{Name: "how", Type: bridges.String}}, Call: fail},
			{Name: "crm.wait", Call: func(ctx context.Context, c *bridges.Call) (any, error) { <-ctx.Done(); return nil, ctx.Err() }},
			{Name: "crm.findAll", Params: []bridges.Param{{Name: "ids"}}},
			{Name: "_secretly", Call: func(ctx context.Context, c *bridges.Call) (any, error) { return "raw " + c.Arg(0).String(), nil }},
		},
	}
	return b, states
}

func fail(ctx context.Context, c *bridges.Call) (any, error) {
	switch how := c.Str(0); how {
	case "denied":
		return nil, bridges.Deniedf(c.Op(), "customer %q is hidden", "c-9")
	case "limit":
		return nil, bridges.Limitf(c.Op(), "CRMCalls", 3, 4, "more than %d calls in one run", 3)
	case "cause":
		return nil, &bridges.Error{Op: c.Op(), Name: "RangeError", Code: "E_RANGE", Message: "too far",
			Cause: &bridges.Error{Name: "TypeError", Message: "inner", Code: "E_IN"}, Err: errors.New("secret of the host")}
	case "panic":
		panic("host detail")
	default:
		return nil, fmt.Errorf("plain: %s", how)
	}
}

func crmBox(t *testing.T, engine string) (*Sandbox, *bridges.Bridge, *[]*crmState) {
	t.Helper()
	b, states := crmBridge()
	s, err := New(Config{Engine: engine, Bridges: []*bridges.Bridge{b}, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, b, states
}

func TestABridgeOfAnEmbedder(t *testing.T) {
	rows := []struct{ name, code, want string }{
		{"a function of a bridge is called with checked arguments", `return await crm.find("c-1", { limit: 5, other: 1 });`, `{"id":"c-1","limit":5,"owner":"ann"}`},
		{"a synchronous function returns at once", `return crm.owner();`, `"ann"`},
		{"objects nest by the dots in the name", `await crm.find("a"); await crm.find("b"); return await crm.deep.count();`, `2`},
		{"a script replaces and uses functions", `return await crm.findAll(["x", "y"]);`, `[{"id":"x","limit":0,"owner":"ann"},"raw y"]`},
		{"functions of the script alone are hidden", `return [typeof _secretly, Object.keys(crm).sort().join(" ")];`, `["undefined","deep fail failQuick failQuickIf failSync find findAll owner size text wait"]`},
		{"the global and everything in it is frozen", `const r = []; for (const f of [() => { crm.find = 1; }, () => { crm.deep.x = 1; }, () => { crm = 1; }, () => { delete globalThis.crm; }, () => { crm.find.x = 1; }]) { try { f(); r.push("changed"); } catch (e) { r.push(e.name); } } return r;`,
			`["TypeError","TypeError","TypeError","TypeError","TypeError"]`},
		{"a local may shadow it", `const crm = 1; return crm;`, `1`},
		{"names and lengths look like functions", `return [crm.find.name, typeof crm.find, crm.deep.count.name];`, `["find","function","count"]`},
		{"views honour offset and length", `const b = new Uint8Array([1,2,3,4,5]); return Array.from(await crm.size(b.subarray(1, 3)));`, `[2,3]`},
		{"arrays of numbers are bytes modulo 256", `return Array.from(await crm.size([1, 257, -1, 2.9, NaN, Infinity]));`, `[1,1,255,2,0,0]`},
		{"buffers and views are bytes", `return [Array.from(await crm.size(new Uint8Array([7,8]).buffer)), Array.from(await crm.size(new DataView(new ArrayBuffer(3), 1)))];`, `[[7,8],[0,0]]`},
		{"text is a string as UTF-8 or bytes", `return [await crm.text("hé"), await crm.text(new Uint8Array([104, 195, 169]))];`, `["hé","hé"]`},
		{"an optional argument may be null or missing", `return [(await crm.find("a", null)).limit, (await crm.find("a", undefined)).limit, (await crm.find("a", { limit: null })).limit];`, `[0,0,0]`},
		{"a guest that breaks the intrinsics breaks only itself", `Array.prototype[Symbol.iterator] = Object.prototype.hasOwnProperty = String.prototype.split = Function.prototype.call = String.prototype.slice = Object.keys = () => { throw 1; };
			Object.prototype.evil = 1; return (await crm.find("z")).id;`, `"z"`},
	}
	eachEngine(t, func(t *testing.T, base *Sandbox) {
		name, _ := base.Engine()
		s, b, _ := crmBox(t, name)
		for _, row := range rows {
			t.Run(row.name, func(t *testing.T) {
				res, err := s.Run(context.Background(), row.code, Options{Grants: []bridges.Grant{{Bridge: b, Value: "ann"}}})
				if err != nil {
					t.Fatal(err)
				}
				got, _ := res.Value.JSON()
				if !sameJSON(got, []byte(row.want)) {
					t.Errorf("got  %s\nwant %s", got, row.want)
				}
			})
		}
	})
}

func TestWhatABridgeRefuses(t *testing.T) {
	rows := []struct {
		name, code string
		kind       Kind
		text, want string // text is a part of the error's text, want what a guest that catches it sees
	}{
		{"a missing string", `await crm.find()`, KindGuest, "TypeError: crm.find: id must be a string, not undefined", ""},
		{"a number for a string", `await crm.find(5)`, KindGuest, "crm.find: id must be a string, not the number 5", ""},
		{"an array for an object", `await crm.find("a", [])`, KindGuest, "crm.find: options must be an object, not an array", ""},
		{"a fraction in a field", `await crm.find("a", { limit: 1.5 })`, KindGuest, "crm.find: options.limit must be an integer, not the number 1.5", ""},
		{"a string for bytes", `await crm.size("abc")`, KindGuest, "crm.size: data must be a Uint8Array, not a string", ""},
		{"mixed elements for bytes", `await crm.size([1, "2"])`, KindGuest, "crm.size: data must be a Uint8Array, not an array", ""},
		{"a function cannot cross", `await crm.find(() => 1)`, KindGuest, "", ""},
		{"what the policy denies keeps its kind", `await crm.fail("denied")`, KindDenied, `crm.fail: customer "c-9" is hidden`, ""},
		{"from a quick call", `await crm.failQuick("denied")`, KindDenied, `crm.failQuick: customer "c-9" is hidden`, ""},
		{"from a synchronous call", `crm.failSync("denied")`, KindDenied, `crm.failSync: customer "c-9" is hidden`, ""},
		{"a limit keeps name and figures", `await crm.fail("limit")`, KindLimit, "RangeError: crm.fail: more than 3 calls in one run (CRMCalls)", ""},
		{"an error that is caught and thrown again keeps its kind", `try { await crm.fail("limit") } catch (e) { throw e }`, KindLimit, "CRMCalls", ""},
		{"an error that the guest makes up has no kind", `throw new Error("crm.fail: customer \"c-9\" is hidden")`, KindGuest, "", ""},
		{"name, message, code and cause cross", `await crm.fail("cause")`, KindGuest, "RangeError: crm.fail: too far", `RangeError|crm.fail: too far|E_RANGE|TypeError|inner|E_IN|true|true`},
		{"any other error crosses as its text", `await crm.fail("x")`, KindGuest, "plain: x", ""},
		{"a panic says nothing", `await crm.fail("panic")`, KindGuest, "internal error in a host function", ""},
		{"nor does one in a quick call", `await crm.failQuick("panic")`, KindGuest, "internal error in a host function", ""},
		{"nor in the question whether a call is quick", `await crm.failQuickIf()`, KindGuest, "internal error in a host function", ""},
		{"nor in a synchronous call", `crm.failSync("panic")`, KindGuest, "internal error in a host function", ""},
	}
	eachEngine(t, func(t *testing.T, base *Sandbox) {
		name, _ := base.Engine()
		s, b, _ := crmBox(t, name)
		o := Options{Grants: []bridges.Grant{{Bridge: b, Value: "ann"}}}
		for _, row := range rows {
			t.Run(row.name, func(t *testing.T) {
				_, err := s.Run(context.Background(), row.code, o)
				var e *Error
				if !errors.As(err, &e) {
					t.Fatalf("got %v", err)
				}
				if e.Kind != row.kind || !strings.Contains(e.Error(), row.text) {
					t.Errorf("got %s: %v\nwant %s: %s", e.Kind, e, row.kind, row.text)
				}
				if strings.Contains(e.Error(), "secret of the host") || strings.Contains(e.Error(), "host detail") {
					t.Errorf("the error tells what the host alone may know: %v", e)
				}
				if e.Kind == KindLimit && (e.Limit != "CRMCalls" || e.Value != 3 || e.Used != 4) {
					t.Errorf("got limit %q %d %d", e.Limit, e.Value, e.Used)
				}
				if e.Position.Line != 1 {
					t.Errorf("got position %v, want the guest's call", e.Position)
				}
				if row.want == "" {
					return
				}
				res, err := s.Run(context.Background(), `try { `+row.code+` } catch (e) { const c = e.cause; return [e.name, e.message, e.code, c.name, c.message, c.code, e instanceof RangeError, c instanceof TypeError].join("|"); }`, o)
				if err != nil {
					t.Fatal(err)
				}
				if got := res.Value.String(); got != row.want {
					t.Errorf("got  %s\nwant %s", got, row.want)
				}
			})
		}
	})
}

func TestABridgeWithoutAGrant(t *testing.T) {
	eachEngine(t, func(t *testing.T, base *Sandbox) {
		name, _ := base.Engine()
		s, b, states := crmBox(t, name)
		for _, code := range []string{`await crm.find("a")`, `crm.owner()`, `await crm.deep.count()`, `await crm.findAll([])`} {
			_, err := s.Run(context.Background(), code, Options{})
			var e *Error
			if !errors.As(err, &e) || e.Kind != KindDenied || e.Name != "NotGrantedError" || e.Code != bridges.CodeNotGranted || !strings.Contains(e.Message, "the host grants it with a Grant of the bridge crm in Options.Grants") {
				t.Errorf("%s: got %v", code, err)
			}
		}
		if len(*states) != 0 {
			t.Error("a state was opened")
		}
		if _, err := s.Run(context.Background(), "1", Options{Grants: []bridges.Grant{{Bridge: b, Value: "nobody"}}}); !errors.Is(err, ErrUsage) {
			t.Errorf("a grant that does not check: got %v", err)
		}
		if _, err := base.Run(context.Background(), "1", Options{Grants: []bridges.Grant{{Bridge: b, Value: "ann"}}}); !errors.Is(err, ErrUsage) {
			t.Errorf("a grant of another sandbox's bridge: got %v", err)
		}
	})
}

func TestTheStateOfABridgeIsTheRuns(t *testing.T) {
	eachEngine(t, func(t *testing.T, base *Sandbox) {
		name, _ := base.Engine()
		s, b, states := crmBox(t, name)
		for i := range 3 {
			res, err := s.Run(context.Background(), `await crm.find("a"); return await crm.deep.count();`, Options{Grants: []bridges.Grant{{Bridge: b, Value: fmt.Sprint(i)}}})
			if err != nil || res.Value.String() != "1" {
				t.Fatalf("got %v, %v", res.Value, err)
			}
			if len(*states) != i+1 {
				t.Fatalf("got %d states after %d runs", len(*states), i+1)
			}
			<-(*states)[i].closed
		}
		ctx, cancel := context.WithCancel(context.Background())
		o := Options{Grants: []bridges.Grant{{Bridge: b, Value: "c"}}, OnLog: func(_, _ string) { cancel() }}
		_, err := s.Run(ctx, `const all = []; for (let i = 0; i < 50; i++) all.push(crm.wait()); console.log("started"); await Promise.all(all);`, o)
		if !errors.Is(err, ErrCancelled) {
			t.Errorf("got %v", err)
		}
	})
}

func TestCallsOfABridgeTakeTurns(t *testing.T) {
	eachEngine(t, func(t *testing.T, base *Sandbox) {
		name, _ := base.Engine()
		var now, most, total atomic.Int64
		proceed := make(chan struct{})
		b := &bridges.Bridge{Name: "slow", Concurrency: 3, Funcs: []bridges.Func{{Name: "slow", Params: []bridges.Param{{Name: "n", Type: bridges.Integer}},
			Call: func(ctx context.Context, c *bridges.Call) (any, error) {
				if n := now.Add(1); n > most.Load() {
					most.Store(n)
				}
				defer now.Add(-1)
				if total.Add(1) == 3 {
					close(proceed) // three work at one time, or this test never ends
				}
				<-proceed
				return c.Int(0), nil
			}}}}
		s, err := New(Config{Engine: name, Bridges: []*bridges.Bridge{b}})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		res, err := s.Run(context.Background(), `return (await Promise.all(Array.from({ length: 200 }, (_, i) => slow(i)))).join() === Array.from({ length: 200 }, (_, i) => i).join();`,
			Options{Grants: []bridges.Grant{{Bridge: b}}})
		if err != nil {
			t.Fatal(err)
		}
		if res.Value.String() != "true" || most.Load() != 3 || total.Load() != 200 || res.Usage.Calls["slow"].Count != 200 {
			t.Errorf("got %v, %d at one time, %d calls, usage %v", res.Value, most.Load(), total.Load(), res.Usage.Calls)
		}
	})
}

func TestConfigBridges(t *testing.T) {
	ok := func(context.Context, *bridges.Call) (any, error) { return nil, nil }
	one := func(name string, f ...bridges.Func) *bridges.Bridge { return &bridges.Bridge{Name: name, Funcs: f} }
	rows := []struct {
		name    string
		bridges []*bridges.Bridge
		text    string
	}{
		{"a bridge without functions", []*bridges.Bridge{one("a")}, "no name or no functions"},
		{"a nil bridge", []*bridges.Bridge{nil}, "no name or no functions"},
		{"a function without Call", []*bridges.Bridge{one("a", bridges.Func{Name: "a.b"})}, "a.b has no Call"},
		{"a name with a space", []*bridges.Bridge{one("a", bridges.Func{Name: "a b", Call: ok})}, `"a b" is no name`},
		{"an empty name", []*bridges.Bridge{one("a", bridges.Func{Name: "", Call: ok})}, `"" is no name`},
		{"a name of the prelude's", []*bridges.Bridge{one("a", bridges.Func{Name: "console.log", Call: ok})}, "console.log is taken"},
		{"the same function twice", []*bridges.Bridge{one("a", bridges.Func{Name: "x", Call: ok}, bridges.Func{Name: "x", Call: ok})}, "the name x is taken"},
		{"the same bridge twice", []*bridges.Bridge{one("a", bridges.Func{Name: "x", Call: ok}), one("a", bridges.Func{Name: "y", Call: ok})}, `two bridges "a"`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			_, err := New(Config{Bridges: row.bridges})
			if !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), row.text) {
				t.Errorf("got %v, want …%s…", err, row.text)
			}
		})
	}
}
