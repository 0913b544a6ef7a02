package quicksand

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"quicksand/bridges"
)

// crm is a namespace of an embedder.
type crm struct {
	mu      sync.Mutex
	names   map[string]string
	working int
	peak    int
	once    sync.Once
	enough  chan struct{} // closed when as many calls work as may
}

type crmFind struct {
	ID    string   `json:"id" doc:"of the customer"`
	Tags  []string `json:"tags,omitempty"`
	Since *struct {
		Year int `json:"year" min:"1900"`
	} `json:"since,omitempty"`
}

type crmCustomer struct {
	ID     string    `json:"id"`
	Name   string    `json:"name"`
	Joined time.Time `json:"joined"`
	Photo  []byte    `json:"photo,omitempty"`
}

func (c *crm) bridge() *bridges.Bridge {
	return &bridges.Bridge{
		Name: "crm", Doc: "customer records", Always: true, Concurrency: 3,
		Funcs: []bridges.Func{
			bridges.Typed("find", "finds a customer", func(_ context.Context, in crmFind) (crmCustomer, error) {
				c.mu.Lock()
				defer c.mu.Unlock()
				name, ok := c.names[in.ID]
				if !ok {
					return crmCustomer{}, &bridges.Error{Op: "crm.find", Name: "NotFoundError", Code: "ENOENT", Message: "no customer " + in.ID, Err: errors.New("table customers_v2")}
				}
				return crmCustomer{in.ID, name, time.Date(2020, 2, 3, 0, 0, 0, 0, time.UTC), []byte(name)}, nil
			}),
			bridges.Typed("rename", "names a customer", func(_ context.Context, in struct {
				ID   string `json:"id"`
				Name string `json:"name" min:"1"`
			}) (struct{}, error) {
				c.mu.Lock()
				defer c.mu.Unlock()
				c.names[in.ID] = in.Name
				return struct{}{}, nil
			}),
			bridges.Typed("together", "waits for other calls", func(ctx context.Context, _ struct{}) (int, error) {
				c.mu.Lock()
				c.working++
				c.peak = max(c.peak, c.working)
				if c.working == 3 {
					c.once.Do(func() { close(c.enough) })
				}
				c.mu.Unlock()
				select {
				case <-c.enough:
				case <-ctx.Done():
				}
				c.mu.Lock()
				defer c.mu.Unlock()
				c.working--
				return c.peak, nil
			}),
			bridges.Typed("wait", "waits for the end of the run", func(ctx context.Context, _ struct{}) (struct{}, error) {
				<-ctx.Done()
				return struct{}{}, ctx.Err()
			}),
			bridges.Typed("broken", "panics", func(context.Context, struct{}) (struct{}, error) { panic("customers_v2") }),
		},
	}
}

func newCRM() *crm {
	return &crm{names: map[string]string{"c-1": "Ada"}, enough: make(chan struct{})}
}

func TestNamespace(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"a call by name", `import { find } from "crm"; const c = await find({ id: "c-1" }); return [c.name, c.joined instanceof Date, c.joined.getUTCFullYear(), c.photo instanceof Uint8Array];`, `["Ada",true,2020,true]`},
		{"a call through the namespace", `import crm from "crm"; await crm.rename({ id: "c-2", name: "Bob" }); return (await crm.find({ id: "c-2" })).name;`, `"Bob"`},
		{"all names", `import * as ns from "crm"; return Object.keys(ns).sort();`, `["broken","default","find","rename","together","wait"]`},
		{"a call without a result", `import { rename } from "crm"; return (await rename({ id: "c-2", name: "Bob" })) === undefined;`, `true`},
		{"an error of the host has its name and code, and no more", `import { find } from "crm"; try { await find({ id: "c-9" }); } catch (e) { return [e instanceof Error, e.name, e.code, e.message, Object.keys(e), String(e.stack).includes("customers")]; }`,
			`[true,"NotFoundError","ENOENT","crm.find: no customer c-9",[],false]`},
		{"a deep argument that does not fit", `import { find } from "crm"; try { await find({ id: "c-1", since: { year: 1800 } }); } catch (e) { return [e instanceof TypeError, e.message]; }`,
			`[true,"find: input.since.year must be an integer of at least 1900, not the number 1800"]`},
		{"an element that does not fit", `import { find } from "crm"; return await find({ id: "c-1", tags: ["a", 5] }).catch((e) => e.message);`, `"find: input.tags[1] must be a string, not the number 5"`},
		{"a misspelled option", `import { find } from "crm"; return await find({ id: "c-1", tag: [] }).catch((e) => e.message);`, `"find: input has no property \"tag\" (did you mean tags?)"`},
		{"no argument at all", `import { find } from "crm"; return await find().catch((e) => e.message);`, `"find: input must be an object {id: string, tags?: string[], since?: {year: number}}, not undefined"`},
		{"getters run once and before the call", `import { find } from "crm"; let n = 0; const c = await find({ get id() { n++; return "c-1"; } }); return [c.name, n];`, `["Ada",1]`},
		{"calls at one time are bounded", `import { together } from "crm"; return Math.max(...await Promise.all(Array.from({ length: 8 }, () => together())));`, `3`},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachEngine(t, func(t *testing.T, s *Sandbox) {
				res, err := s.Run(context.Background(), c.code, Options{Modules: map[string]Module{"crm": {Host: newCRM().bridge()}}})
				if err != nil {
					t.Fatal(err)
				}
				wantJSON(t, "result", res.Value, c.want)
			})
		})
	}
}

func TestNamespaceErrorsThatNobodyCatches(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Modules: map[string]Module{"crm": {Host: newCRM().bridge()}}}
		_, err := s.Run(context.Background(), `import { find } from "crm";
await find({ id: "c-9" });`, o)
		var e *Error
		if !errors.As(err, &e) || e.Kind != KindGuest || e.Name != "NotFoundError" || e.Code != "ENOENT" || e.Position.Line != 2 {
			t.Errorf("got %+v", err)
		}
		_, err = s.Run(context.Background(), `import { broken } from "crm"; await broken();`, o)
		if !errors.As(err, &e) || e.Name != "InternalError" || strings.Contains(e.Error(), "customers_v2") {
			t.Errorf("a panic: got %v", err)
		}
	})
}

func TestNamespaceCallsEndWithTheRun(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		ctx, cancel := context.WithCancel(context.Background())
		c := newCRM()
		b := c.bridge()
		began := make(chan struct{})
		for i := range b.Funcs {
			if f := &b.Funcs[i]; f.Name == "wait" {
				call := f.Call
				f.Call = func(ctx context.Context, c *bridges.Call) (any, error) { close(began); return call(ctx, c) }
			}
		}
		go func() { <-began; cancel() }()
		_, err := s.Run(ctx, `import { wait } from "crm"; await wait();`, Options{Modules: map[string]Module{"crm": {Host: b}}})
		if !errors.Is(err, ErrCancelled) {
			t.Errorf("got %v, want that the run was cancelled", err)
		}
	})
}

func TestNamespaceRunsAtOneTime(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		c := newCRM()
		o := Options{Modules: map[string]Module{"crm": {Host: c.bridge()}}}
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				code := fmt.Sprintf(`import crm from "crm"; const id = "r-%d"; await crm.rename({ id, name: id }); return (await crm.find({ id })).name;`, i)
				res, err := s.Run(context.Background(), code, o)
				if err != nil {
					t.Error(err)
					return
				}
				if got, _ := res.Value.Str(); got != fmt.Sprintf("r-%d", i) {
					t.Errorf("run %d: got %s", i, got)
				}
			})
		}
		wg.Wait()
	})
}

func TestNamespaceInTheManifest(t *testing.T) {
	s, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	m, err := s.Manifest(Options{Modules: map[string]Module{"@acme/crm": {Host: newCRM().bridge()}, "math": {Code: "export const a = 1;"}}})
	if err != nil {
		t.Fatal(err)
	}
	last := m[len(m)-1]
	if last.Name != "@acme/crm" || !last.Granted || len(last.Functions) != 5 {
		t.Fatalf("got %+v", last)
	}
	b, err := json.Marshal(last.Functions[1])
	if err != nil {
		t.Fatal(err)
	}
	want := `{"name":"rename","signature":"rename(input: {id: string, name: string}): Promise","doc":"names a customer","schema":{"input":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"id":{"type":"string"},"name":{"type":"string","minLength":1}},"required":["id","name"],"additionalProperties":false}}}`
	if string(b) != want {
		t.Errorf("got  %s\nwant %s", b, want)
	}
}

// TestTypedGlobals: what Typed makes is a function of a bridge like any other.
func TestTypedGlobals(t *testing.T) {
	double := bridges.Typed("calc.double", "doubles", func(_ context.Context, in struct {
		X float64 `json:"x"`
	}) (float64, error) {
		return 2 * in.X, nil
	})
	double.Quick = true
	b := &bridges.Bridge{Name: "calc", Always: true, Funcs: []bridges.Func{double}}
	for _, e := range engineNames {
		s, err := New(Config{Engine: e, Bridges: []*bridges.Bridge{b}})
		if err != nil {
			t.Fatal(err)
		}
		res, err := s.Run(context.Background(), `return [await calc.double({ x: 21 }), await calc.double({ x: "a" }).catch((e) => e.message),
			nodetool.capabilities().find((c) => c.name === "calc").functions[0].schema.input.required];`, Options{})
		s.Close()
		if err != nil {
			t.Fatal(err)
		}
		wantJSON(t, "result", res.Value, `[42,"calc.double: input.x must be a number, not the string \"a\"",["x"]]`)
	}
}
