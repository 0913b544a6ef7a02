package quicksand

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"quicksand/bridges"
	"quicksand/bridges/secrets"
	"quicksand/modules"
)

// conformancePacks are the packages of the conformance vectors.
func conformancePacks() *modules.Set {
	round := `export const round = (x) => Math.round(x * 100) / 100;`
	file := func(specifier, entry, code string, more ...string) *modules.Module {
		files := map[string]string{entry: code}
		for i := 0; i+1 < len(more); i += 2 {
			files[more[i]] = more[i+1]
		}
		return packModule(specifier, "@acme/nodetool-geo", "1.0.0", entry, files)
	}
	lone := func(name, code string, imports ...string) *modules.Module {
		return packModule(name, name, "1.0.0", "index.js", map[string]string{"index.js": code}, imports...)
	}
	return modules.NewSet(
		file("@acme/geo", "sandbox/geo.js", `import { round } from "./internal/round.js"; export const haversine = (a, b) => round(Math.abs(a - b) * 111); export { round };`, "sandbox/internal/round.js", round),
		file("@acme/geo/extra", "sandbox/extra.js", `import { round } from "./internal/round.js"; export { round }; export const extra = 1;`, "sandbox/internal/round.js", round),
		packModule("@other/pack", "@other/nodetool-pack", "1.0.0", "sandbox/i.js", map[string]string{"sandbox/i.js": `export * from "./internal/secret.js";`, "sandbox/internal/secret.js": `export const secret = 1;`}),
		lone("timers", `setTimeout(() => {}, 1);`), lone("evals", `eval("1");`), lone("functions", `Function("return 1")();`),
		lone("guesses", `import "./other";`), lone("escapes", `import "../x.js";`), lone("bare-own", `import "index.js";`), lone("strange", `import "node:fs";`, "node:fs"),
		lone("encoded", `import "./%2e%2e/x.js";`), lone("outer", `import { haversine } from "@acme/geo"; export const d = haversine(1, 3);`, "@acme/geo"),
		lone("cycle-a", `import { b } from "cycle-b"; export const a = () => b; export const x = "x";`, "cycle-b"), lone("cycle-b", `import { x } from "cycle-a"; export const b = "b", late = () => x;`, "cycle-a"),
		lone("broken", `let = ;`), lone("loads", `export const load = (s) => import(s);`),
	)
}

func TestPackImports(t *testing.T) {
	rows := []struct {
		name, code string
		want       string   // the result
		says       []string // of the error
		alone      bool     // the error comes without any packages, too
	}{
		{"a named import", `import { haversine } from "@acme/geo"; return haversine(1, 3)`, "222", nil, false},
		{"an internal file", `import { haversine } from "@acme/geo"; return haversine(0, 0.001)`, "0.11", nil, false},
		{"two entries of one package", `import { haversine, round } from "@acme/geo"; import { extra, round as same } from "@acme/geo/extra"; return [haversine(1, 3), extra, round === same]`, "[222,1,true]", nil, false},
		{"a package that imports another", `import { d } from "outer"; return d`, "222", nil, false},
		{"packages in a circle", `import { a } from "cycle-a"; import { late } from "cycle-b"; return [a(), late()]`, `["b","x"]`, nil, false},
		{"a package of another name", `import { secret } from "@other/pack"; return secret`, "1", nil, false},

		{"a builtin of Node", `import "node:buffer"; return 1`, "", []string{`"node:buffer"`, "not a sandbox package this run serves"}, true},
		{"a bare builtin", `import "buffer"; return 1`, "", []string{`"buffer"`}, true},
		{"an absolute path", `import "/etc/passwd"; return 1`, "", []string{`"/etc/passwd"`}, true},
		{"a path upwards", `import "../secrets.js"; return 1`, "", []string{`"../secrets.js"`}, true},
		{"an encoded path", `import "%2e%2e/secrets.js"; return 1`, "", []string{`"%2e%2e/secrets.js"`}, true},
		{"what is not installed", `import "@acme/other"; return 1`, "", []string{`"@acme/other"`}, true},
		{"an internal file of another package", `import "@other/nodetool-pack/sandbox/internal/secret.js"; return 1`, "", []string{"secret.js"}, true},
		{"an internal file by its identity", `import "@other/nodetool-pack/./sandbox/internal/secret.js"; return 1`, "", []string{"secret.js"}, true},
		{"an internal file by its path", `import "sandbox/internal/round.js"; return 1`, "", []string{`"sandbox/internal/round.js"`}, true},
		{"the name of a package that is no specifier", `import "@acme/nodetool-geo"; return 1`, "", []string{`"@acme/nodetool-geo"`}, true},
		{"private modules of the original", `import "nodetool:host-bridge"; return 1`, "", []string{`"nodetool:host-bridge"`}, true},
		{"all that is not served, at once", `import "a"; import { haversine } from "@acme/geo"; import "b"; import "a"; return 1`, "", []string{`"a"`, `"b"`}, true},

		{"a module that sets a timer", `import "timers"; return 1`, "", []string{"setTimeout"}, false},
		{"a module that calls eval", `import "evals"; return 1`, "", []string{"eval"}, false},
		{"a module that calls Function", `import "functions"; return 1`, "", []string{"Function"}, false},
		{"a relative import without the extension", `import "guesses"; return 1`, "", []string{`"./other"`, `not a file of the sandbox package "guesses"`}, false},
		{"a relative import out of the package", `import "escapes"; return 1`, "", []string{`"../x.js"`, `leaves the sandbox package "escapes"`}, false},
		{"an encoded relative import", `import "encoded"; return 1`, "", []string{"%2e"}, false},
		{"an own file by its path", `import "bare-own"; return 1`, "", []string{`"index.js"`}, false},
		{"a builtin in a package", `import "strange"; return 1`, "", []string{`"node:fs"`}, false},
		{"a package that does not parse", `import "broken"; return 1`, "", []string{"broken/./index.js"}, false},
	}
	set := conformancePacks()
	eachEngine(t, func(t *testing.T, shared *Sandbox) {
		warm := own(t, shared, Config{Warm: set, Isolates: 1})
		for _, r := range rows {
			t.Run(r.name, func(t *testing.T) {
				for _, s := range []*Sandbox{shared, warm} {
					for _, packs := range []*modules.Set{set, nil} {
						if packs == nil && !r.alone {
							continue
						}
						res, err := s.Run(context.Background(), "console.log('ran')\n"+r.code, Options{Packs: packs})
						if r.says == nil {
							if err != nil || res.Value.String() != r.want {
								t.Errorf("got %v, %v, want %s", res.Value, err, r.want)
							}
							continue
						}
						if err == nil {
							t.Fatalf("got %v, want an error with %q", res.Value, r.says)
						}
						for _, w := range r.says {
							if !strings.Contains(err.Error(), w) {
								t.Errorf("error %v does not say %q", err, w)
							}
						}
						if r.alone {
							e := wantKind(t, err, KindDenied)
							if e.Position.Line != 2 || e.Frame == "" {
								t.Errorf("the error is at %v: %q", e.Position, e.Frame)
							}
						}
						if len(res.Logs) != 0 {
							t.Error("the program ran")
						}
					}
				}
			})
		}
		for _, name := range []string{`"@acme/geo"`, `"node:" + "buffer"`, `specifier`} {
			code := `import { haversine } from "@acme/geo"; import { load } from "loads"; const specifier = "@acme/" + "geo"; const say = (p) => p.then(() => "loaded", (e) => e.message);
return [await say(import(` + name + `)), await say(load(` + name + `))]`
			for _, s := range []*Sandbox{shared, warm} {
				got := must(t, s, code, Options{Packs: set}).Value.String()
				if strings.Contains(got, "loaded") || strings.Count(got, "dynamic import()") != 2 {
					t.Errorf("import(%s): %s", name, got)
				}
			}
		}
	})
}

func TestModulesComeBeforePacks(t *testing.T) {
	o := Options{Packs: conformancePacks(), Modules: map[string]Module{
		"@acme/geo":          {Code: `export const haversine = () => "mine";`},
		"@acme/nodetool-geo": {Code: `export { extra } from "@acme/geo/extra"; import "./sandbox/internal/round.js";`, Files: map[string]string{"sandbox/internal/round.js": `globalThis.mine = 1;`}},
	}}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		got := must(t, s, `import { haversine } from "@acme/geo"; import { extra } from "@acme/nodetool-geo"; import { round } from "@acme/geo/extra"; return [haversine(), extra, round(1.239), mine]`, o).Value.String()
		if got != `["mine",1,1.24,1]` {
			t.Errorf("got %s", got)
		}
	})
}

// desk is a bridge as an embedder writes it.
func desk(working, most *atomic.Int64, release chan struct{}) *bridges.Bridge {
	return &bridges.Bridge{
		Name: "crm", Concurrency: 2,
		Open: func(_ *bridges.Session, grant any) (any, error) {
			name, _ := grant.(string)
			return &name, nil
		},
		Funcs: []bridges.Func{
			{Name: "add", Params: []bridges.Param{{Name: "a", Type: bridges.Number}, {Name: "b", Type: bridges.Number, Optional: true}}, Call: func(_ context.Context, c *bridges.Call) (any, error) {
				a, _ := c.Arg(0).Float()
				b, _ := c.Arg(1).Float()
				return a + b, nil
			}},
			{Name: "whose", Quick: true, Call: func(_ context.Context, c *bridges.Call) (any, error) { return *c.State.(*string), nil }},
			{Name: "refuse", Op: "crm.refuse", Call: func(context.Context, *bridges.Call) (any, error) {
				return nil, bridges.Deniedf("crm.refuse", "not today")
			}},
			{Name: "leak", Call: func(context.Context, *bridges.Call) (any, error) { return nil, errors.New("the word is hunter22") }},
			{Name: "panics", Call: func(context.Context, *bridges.Call) (any, error) { panic("host detail") }},
			{Name: "bytes", Call: func(context.Context, *bridges.Call) (any, error) { return []byte{1, 2}, nil }},
			{Name: "slow", Call: func(ctx context.Context, _ *bridges.Call) (any, error) {
				n := working.Add(1)
				for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
				}
				select {
				case <-release:
				case <-ctx.Done():
				}
				working.Add(-1)
				return nil, ctx.Err()
			}},
			{Name: "go", Call: func(context.Context, *bridges.Call) (any, error) { close(release); return nil, nil }, Quick: true},
		},
	}
}

func TestHostModules(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		var working, most atomic.Int64
		o := func() Options {
			return Options{Modules: map[string]Module{"@corp/crm": {Host: desk(&working, &most, make(chan struct{}))}, "uses": {Code: `export { add } from "@corp/crm"; export { default as all } from "@corp/crm";`}}}
		}
		for _, r := range []struct{ name, code, want string }{
			{"named imports", `import { add } from "@corp/crm"; return [await add(1, 2), await add(1), add.name]`, `[3,1,"add"]`},
			{"the default export", `import crm from "@corp/crm"; return [await crm.add(1, 2), Object.isFrozen(crm), Object.keys(crm).length]`, `[3,true,8]`},
			{"a namespace", `import * as crm from "@corp/crm"; return Object.keys(crm)`, `["add","bytes","default","go","leak","panics","refuse","slow","whose"]`},
			{"through another module", `import { add, all } from "uses"; import { add as same } from "@corp/crm"; return [add === same, all.add === add]`, `[true,true]`},
			{"bytes", `import { bytes } from "@corp/crm"; const b = await bytes(); return [b instanceof Uint8Array, b.length]`, `[true,2]`},
			{"arguments are checked", `import { add } from "@corp/crm"; return await add("1").catch((e) => [e.name, e.message])`, `["TypeError","add: a must be a number, not a string"]`},
			{"errors have a code", `import { refuse } from "@corp/crm"; return await refuse().catch((e) => [e.message, e.code])`, `["crm.refuse: not today","ERR_DENIED"]`},
			{"without a grant the value is nil", `import { whose } from "@corp/crm"; return await whose()`, ``},
		} {
			if got := must(t, s, r.code, o()).Value.String(); got != r.want {
				t.Errorf("%s: got %s, want %s", r.name, got, r.want)
			}
		}
		t.Run("an error that nobody catches keeps its kind", func(t *testing.T) {
			_, e := fails(t, s, "import { refuse } from '@corp/crm'\nawait refuse()", o(), KindDenied)
			if e.Op != "crm.refuse" || e.Position.Line != 2 {
				t.Errorf("got %+v", e)
			}
		})
		t.Run("a panic is the host's", func(t *testing.T) {
			_, e := fails(t, s, `import { panics } from "@corp/crm"; await panics()`, o(), KindGuest)
			var p *PanicError
			if !errors.As(e, &p) || strings.Contains(e.Message, "host detail") {
				t.Errorf("got %v", e)
			}
			alive(t, s)
		})
		t.Run("usage counts calls by name", func(t *testing.T) {
			res := must(t, s, `import { add, refuse } from "@corp/crm"; await add(1); await add(2); await refuse().catch(() => 0)`, o())
			if res.Usage.Calls["add"].Count != 2 || res.Usage.Calls["crm.refuse"].Count != 1 {
				t.Errorf("got %v", res.Usage.Calls)
			}
		})
		t.Run("no more calls work at one time than the bridge allows", func(t *testing.T) {
			most.Store(0)
			must(t, s, `import { slow, go } from "@corp/crm"; const all = Promise.all(Array.from({ length: 10 }, slow)); await sleep(20); await go(); await all`, o())
			if n := most.Load(); n < 1 || n > 2 {
				t.Errorf("%d worked at one time, want at most 2", n)
			}
		})
		t.Run("calls that are open at the end are cancelled", func(t *testing.T) {
			res := must(t, s, `import { slow } from "@corp/crm"; slow(); await sleep(1); return 1`, o())
			if working.Load() != 0 || len(res.Logs) != 1 || !strings.Contains(res.Logs[0].Message, "slow") {
				t.Errorf("%d work, logs %v", working.Load(), res.Logs)
			}
		})
		t.Run("a grant gives the module a value", func(t *testing.T) {
			o := o()
			o.Grants = []bridges.Grant{{Bridge: o.Modules["@corp/crm"].Host, Value: "mine"}}
			if got := must(t, s, `import { whose } from "@corp/crm"; return whose()`, o).Value.String(); got != "mine" {
				t.Errorf("got %s", got)
			}
		})
		t.Run("secrets are redacted", func(t *testing.T) {
			o := o()
			o.Secrets = &secrets.Policy{Provider: secrets.Map{"WORD": "hunter22"}}
			_, e := fails(t, s, `import { leak } from "@corp/crm"; await getSecret("WORD"); await leak()`, o, KindGuest)
			if strings.Contains(e.Message, "hunter22") || !strings.Contains(e.Message, "the word is") {
				t.Errorf("got %s", e.Message)
			}
		})
		t.Run("a name that it does not export", func(t *testing.T) {
			_, e := fails(t, s, "1;\nimport { nope } from '@corp/crm'", o(), KindDenied)
			if want := `"@corp/crm" has no export "nope" (it has add, whose, refuse, leak, panics, bytes, slow, go)`; e.Message != want || e.Position.Line != 2 || e.Frame == "" {
				t.Errorf("got %s at %v, want %s at line 2", e.Message, e.Position, want)
			}
		})
		t.Run("a module that is not imported costs nothing and can do nothing", func(t *testing.T) {
			res := must(t, s, `return typeof add`, o())
			if res.Value.String() != "undefined" {
				t.Errorf("got %v", res.Value)
			}
		})
	})
}

func TestHostModulesOfPacks(t *testing.T) {
	call := func(context.Context, *bridges.Call) (any, error) { return "done", nil }
	module := func(specifier string, kind modules.Kind, withDefault bool) *modules.Module {
		return &modules.Module{Specifier: specifier, Pack: specifier, Kind: kind, Digest: specifier, Default: withDefault,
			Bridge: &bridges.Bridge{Name: specifier, Always: true, Funcs: []bridges.Func{{Name: "work", Call: call}, {Name: "$2", Call: call}}}}
	}
	set := modules.NewSet(module("host", modules.Host, true), module("wasm", modules.WASM, false),
		packModule("js", "js", "1", "i.js", map[string]string{"i.js": `import { work } from "host"; export const twice = async () => [await work(), await work()];`}, "host"))
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		got := must(t, s, `import host, { work } from "host"; import * as wasm from "wasm"; import { twice } from "js"; import { work as other } from "wasm";
return [await work(), await host.$2(), Object.keys(wasm), await wasm.work(), await twice(), work === other]`, Options{Packs: set}).Value.String()
		if want := `["done","done",["$2","work"],"done",["done","done"],false]`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

func TestHostModulesThatCannotBe(t *testing.T) {
	call := func(context.Context, *bridges.Call) (any, error) { return nil, nil }
	one := func(f bridges.Func) *bridges.Bridge {
		return &bridges.Bridge{Name: "b", Funcs: []bridges.Func{f}}
	}
	rows := []struct {
		name string
		b    *bridges.Bridge
		says string
	}{
		{"without functions", &bridges.Bridge{Name: "b"}, "no functions"},
		{"with a script", &bridges.Bridge{Name: "b", Script: "() => ({})", Funcs: []bridges.Func{{Name: "a", Call: call}}}, "Script"},
		{"with a synchronous function", one(bridges.Func{Name: "a", Sync: true, Call: call}), "Sync"},
		{"with a function that does nothing", one(bridges.Func{Name: "a"}), "no Call"},
		{"with a function called default", one(bridges.Func{Name: "default", Call: call}), `"default"`},
		{"with a function in an object", one(bridges.Func{Name: "a.b", Call: call}), `"a.b"`},
		{"with two functions of one name", &bridges.Bridge{Name: "b", Funcs: []bridges.Func{{Name: "a", Call: call}, {Name: "a", Call: call}}}, `"a"`},
	}
	s := sharedSandbox(t, engineNames[0])
	for _, r := range rows {
		_, e := fails(t, s, "return 1", Options{Modules: map[string]Module{"m": {Host: r.b}}}, KindUsage)
		if !strings.Contains(e.Message, r.says) || !strings.Contains(e.Message, `"m"`) {
			t.Errorf("%s: %s, want %q", r.name, e.Message, r.says)
		}
	}
	refused := &bridges.Bridge{Name: "checked", Check: func(v any) (any, error) { return nil, fmt.Errorf("no value in %v", v) }, Funcs: []bridges.Func{{Name: "a", Call: call}}}
	if _, e := fails(t, s, "return 1", Options{Modules: map[string]Module{"m": {Host: refused}}}, KindUsage); !strings.Contains(e.Message, "no value") {
		t.Errorf("a grant that its bridge refuses: %s", e.Message)
	}
}
