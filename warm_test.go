package quicksand

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"quicksand/bridges"
	"quicksand/modules"
	_ "quicksand/packs"
)

// packModule makes a module of a package. Files that it does not reach must not be given.
func packModule(specifier, pack, version, entry string, files map[string]string, imports ...string) *modules.Module {
	m := &modules.Module{Specifier: specifier, Pack: pack, Version: version, Kind: modules.JS, Entry: entry, Files: files, Imports: imports}
	m.Digest = fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, specifier, pack, version, entry, files)))
	return m
}

// geoPack is a package of two modules that share a file. sees tells where it was evaluated:
// only a run has the global marker.
func geoPack(version string) []*modules.Module {
	const shared = `export const state = { n: 0, list: [1, 2, 3], map: new Map([["a", 1]]), date: new Date(0) };
export const next = () => ++state.n;
export class Point { x = 1; static made = 0; constructor() { Point.made++; } }
export const sees = typeof marker;`
	return []*modules.Module{
		packModule("@acme/geo", "@acme/geo", version, "sandbox/geo.js", map[string]string{
			"sandbox/geo.js":    `import { next, state, Point, sees } from "./shared.js"; export { next, state, Point, sees }; export const version = "` + version + `"; export default function fail() { throw new Error("far"); }`,
			"sandbox/shared.js": shared,
		}),
		packModule("@acme/geo/extra", "@acme/geo", version, "sandbox/extra.js", map[string]string{
			"sandbox/extra.js":  `import { next, sees } from "./shared.js"; export { next, sees };`,
			"sandbox/shared.js": shared,
		}),
	}
}

// tripPack imports a module of another package.
func tripPack() *modules.Module {
	return packModule("trip", "trip", "1.0.0", "trip.js", map[string]string{
		"trip.js": `import { version, next } from "@acme/geo"; export const geo = version, step = next; export const sees = typeof marker;`}, "@acme/geo")
}

func TestWarmModules(t *testing.T) {
	set := func(list ...*modules.Module) *modules.Set { return modules.NewSet(list...) }
	v1, v2 := geoPack("1.0.0"), geoPack("2.0.0")
	other := packModule("@acme/geo/other", "@acme/geo", "1.0.0", "other.js", map[string]string{
		"other.js":          `import { next } from "./sandbox/shared.js"; export { next }; export const sees = typeof marker;`,
		"sandbox/shared.js": v1[0].Files["sandbox/shared.js"]})
	patched := packModule("@acme/geo/other", "@acme/geo", "1.0.1", "other.js", map[string]string{
		"other.js":          `import { next } from "./sandbox/shared.js"; export { next };`,
		"sandbox/shared.js": `export const next = () => "patched";`})
	silentTrip := packModule("silent", "silent", "1.0.0", "trip.js", map[string]string{"trip.js": `export { version as geo } from "@acme/geo";`})
	all := set(v1[0], v1[1], tripPack(), silentTrip)
	marker := map[string]any{"marker": 1}
	rows := []struct {
		name string
		code string
		o    Options
		want string // or the beginning of the error behind "! "
	}{
		{"a run imports what its heap has", `import { next, sees, version } from "@acme/geo"; return [next(), sees, version]`, Options{Packs: all}, `[1,"undefined","1.0.0"]`},
		{"a run of another set with the same module, too", `import { sees } from "@acme/geo"; return sees`, Options{Packs: set(v1...)}, `undefined`},
		{"modules of a package share their files", `import { next } from "@acme/geo"; import { next as same } from "@acme/geo/extra"; return [next(), same(), next === same]`, Options{Packs: all}, `[1,2,true]`},
		{"another version is evaluated by the run", `import { sees, version } from "@acme/geo"; return [sees, version]`, Options{Packs: set(v2...)}, `["number","2.0.0"]`},
		{"another version shares its own files", `import { next, state } from "@acme/geo"; import { next as same } from "@acme/geo/extra"; next(); return [same(), state.n]`, Options{Packs: set(v2...)}, `[2,2]`},
		{"a module that the heap lacks takes the files which it has", `import { next, sees } from "@acme/geo/other"; import { next as same, sees as warm } from "@acme/geo"; return [next === same, sees, warm]`, Options{Packs: set(v1[0], other)}, `[true,"number","undefined"]`},
		{"a module that has other files has the whole package evaluated", `import { next } from "@acme/geo/other"; import { sees } from "@acme/geo"; return [next(), sees]`, Options{Packs: set(v1[0], patched)}, `["patched","number"]`},
		{"what imports another package", `import { geo, step, sees } from "trip"; import { next } from "@acme/geo"; return [geo, sees, step === next]`, Options{Packs: all}, `["1.0.0","undefined",true]`},
		{"what imports another version of a package is evaluated by the run", `import { geo, step, sees } from "trip"; import { next } from "@acme/geo"; return [geo, sees, step === next]`, Options{Packs: set(v2[0], tripPack())}, `["2.0.0","number",true]`},
		{"what imports a package which the run is not allowed", `import { geo } from "trip"; return geo`, Options{Packs: set(tripPack())}, `! cannot import "@acme/geo"`},
		{"the same where nobody said what it imports", `import { geo } from "silent"; return geo`, Options{Packs: set(silentTrip)}, `! cannot import "@acme/geo"`},
		{"a module of the host's takes the place of one in the heap", `import { version } from "@acme/geo"; import { geo } from "trip"; return [version, geo]`, Options{Packs: all, Modules: map[string]Module{"@acme/geo": {Code: `export const version = "mine"; export const next = 1;`}}}, `["mine","mine"]`},
		{"a run with timers evaluates modules itself", `import { sees } from "@acme/geo"; return sees`, Options{Packs: all, Timers: true}, `number`},
		{"a run with a fixed clock evaluates modules itself", `import { sees, state } from "@acme/geo"; return [sees, state.date instanceof Date]`, Options{Packs: all, Now: time.Unix(1, 0)}, `["number",true]`},
		{"a run with a seed does not", `import { sees } from "@acme/geo"; return sees`, Options{Packs: all, Seed: 7}, `undefined`},
		{"a module of the heap that the run is not allowed", `import { sees } from "@acme/geo"; return sees`, Options{Packs: set(tripPack())}, `! cannot import "@acme/geo"`},
		{"no modules allowed at all", `import { sees } from "@acme/geo"; return sees`, Options{}, `! cannot import "@acme/geo"`},
		{"an inner file of a module of the heap", `import { sees } from "@acme/geo/./sandbox/shared.js"; return sees`, Options{Packs: all}, `! cannot import "@acme/geo/./sandbox/shared.js"`},
		{"a dynamic import of a module of the heap", `import "@acme/geo"; return await import("@acme/geo").catch((e) => e.message.slice(0, 30))`, Options{Packs: all}, `dynamic import() of "@acme/geo`},
		{"a name that it does not export", `import { nope } from "@acme/geo"; return 1`, Options{Packs: all}, `! "@acme/geo" has no export "nope"`},
		{"a run that imports nothing sees nothing", `return [typeof marker, Object.keys(globalThis).filter((k) => !/^(console|sleep|emit|output|progress)/.test(k)).includes("Point")]`, Options{Packs: all}, `["number",false]`},
	}
	eachEngine(t, func(t *testing.T, shared *Sandbox) {
		s := own(t, shared, Config{Warm: all, Isolates: 1})
		for range 2 {
			for _, r := range rows {
				r.o.Globals = marker
				res, err := s.Run(context.Background(), r.code, r.o)
				var got string
				switch {
				case err == nil:
					got = res.Value.String()
				default:
					got = "! " + err.(*Error).Message
					if strings.HasPrefix(got, r.want) {
						continue
					}
				}
				if got != r.want {
					t.Errorf("%s:\ngot  %s\nwant %s", r.name, got, r.want)
				}
			}
		}
		t.Run("stacks name the files", func(t *testing.T) {
			for _, o := range []Options{{Packs: all}, {Packs: all, Timers: true}} {
				_, e := fails(t, s, `import fail from "@acme/geo"; fail()`, o, KindGuest)
				if !strings.Contains(e.Stack, "/./sandbox/geo.js:1:") || !strings.Contains(e.Stack, "main.js:1:") {
					t.Errorf("stack %s", e.Stack)
				}
			}
		})
		t.Run("bridges find the source of the files", func(t *testing.T) {
			for _, o := range []Options{{}, {Timers: true}} {
				found := ""
				o.Packs = all
				o.Modules = map[string]Module{"probe": {Host: &bridges.Bridge{Name: "probe", Funcs: []bridges.Func{{Name: "source", Params: []bridges.Param{{Name: "name", Type: bridges.String}}, Call: func(_ context.Context, c *bridges.Call) (any, error) {
					name, _ := c.Arg(0).Str()
					found, _ = c.Session.Source(name)
					return nil, nil
				}}}}}}
				must(t, s, `import fail from "@acme/geo"; import { source } from "probe"; try { fail() } catch (e) { await source(/\((.*?geo\.js)/.exec(e.stack)[1]) }`, o)
				if found != v1[0].Files["sandbox/geo.js"] {
					t.Errorf("got %q", found)
				}
			}
		})
	})
}

func TestAHeapThatBeginsWithMoreThanTheLimit(t *testing.T) {
	set := modules.NewSet(&modules.Module{Specifier: "big", Pack: "big", Version: "1.0.0", Kind: modules.JS, Digest: "big 1.0.0", Entry: "index.js",
		Files: map[string]string{"index.js": `export const list = Array.from({ length: 100000 }, (_, i) => ({ i }));`}})
	eachEngine(t, func(t *testing.T, shared *Sandbox) {
		s := own(t, shared, Config{Warm: set, Isolates: 1})
		for range 2 {
			fails(t, s, `return 1`, Options{Limits: Limits{Memory: 1 << 20}}, KindMemory)
			if got := must(t, s, `import { list } from "big"; return list.length`, Options{Packs: set}).Value.String(); got != "100000" {
				t.Errorf("got %s", got)
			}
		}
	})
}

// TestWarmModulesKeepNothing does to modules in the heap what programs can, and sees in the
// next run whether anything is left.
func TestWarmModulesKeepNothing(t *testing.T) {
	set := modules.NewSet(append(geoPack("1.0.0"), tripPack())...)
	const look = `import fail, { next, state, Point } from "@acme/geo"; import { step } from "trip";
return [next(), step(), state.list, [...state.map], Object.keys(state), state.date.getTime(), new Point().x, Point.made, Object.keys(Point.prototype), typeof Point.prototype.extra, [3, 1].sort(), Object.isFrozen(state), typeof leak, fail.name, "x".trim()]`
	const want = `[1,2,[1,2,3],[["a",1]],["n","list","map","date"],0,1,1,[],"undefined",[1,3],false,"undefined","fail","x"]`
	const imports = `import fail, { next, state, Point } from "@acme/geo"; `
	rows := []struct {
		name, code string
		limits     Limits
		kind       Kind
	}{
		{"counters", `for (let i = 0; i < 1000; i++) next()`, Limits{}, ""},
		{"objects", `state.list.length = 0; state.map.clear(); state.date.setTime(5); state.extra = 1; delete state.n`, Limits{}, ""},
		{"freezing", `Object.freeze(state); Object.freeze(Point); Object.freeze(Point.prototype)`, Limits{}, ""},
		{"prototypes", `Point.prototype.extra = 1; Array.prototype.sort = null; String.prototype.trim = () => "spoilt"; Map.prototype[Symbol.iterator] = null; Object.prototype.extra = 1`, Limits{}, ""},
		{"globals", `globalThis.leak = 1; globalThis.Date = null`, Limits{}, ""},
		{"functions", `Object.defineProperty(fail, "name", { value: "spoilt" })`, Limits{}, ""},
		{"a throw", `next(); state.list.length = 0; throw new Error("e")`, Limits{}, KindGuest},
		{"a timeout", `for (;;) { next(); state.list.push(1); if (state.list.length > 1000) state.list = [] }`, Limits{Timeout: 50 * time.Millisecond}, KindTimeout},
		{"a kill", `next(); state.list.length = 0; [].indexOf.call({ length: 2 ** 53 - 1 })`, Limits{Timeout: 50 * time.Millisecond}, KindTimeout},
		{"the memory limit", `next(); for (;;) state.list.push({ a: "x".repeat(100) + next() })`, Limits{Memory: 8 << 20}, KindMemory},
		{"a stalled wait", `next(); state.promise = new Promise(() => {}); await state.promise`, Limits{}, KindStalled},
		{"garbage", `const a = []; for (let i = 0; i < 60000; i++) a[i % 1000] = { i, state, a }`, Limits{}, ""},
	}
	eachEngine(t, func(t *testing.T, shared *Sandbox) {
		s := own(t, shared, Config{Warm: set, Isolates: 1})
		for _, r := range rows {
			t.Run(r.name, func(t *testing.T) {
				o := Options{Packs: set, Limits: r.limits}
				if r.kind == "" {
					must(t, s, imports+r.code, o)
				} else {
					fails(t, s, imports+r.code, o, r.kind)
				}
				if got := must(t, s, look, Options{Packs: set}).Value.String(); got != want {
					t.Errorf("got  %s\nwant %s", got, want)
				}
			})
		}
		if n := s.Stats().Rebuilt; n != 0 {
			t.Errorf("%d heaps were made anew", n)
		}
	})
}

// TestWarmModulesAfterRunsThatShadowThem compares a set with the heap for one run, in which a
// module of the set stands for something else, and then for one in which it does not.
func TestWarmModulesAfterRunsThatShadowThem(t *testing.T) {
	v1 := geoPack("1.0.0")
	patched := packModule("@acme/geo/other", "@acme/geo", "1.0.1", "other.js", map[string]string{
		"other.js":          `import { next } from "./sandbox/shared.js"; export { next };`,
		"sandbox/shared.js": `export const next = () => "patched";`})
	rows := []struct {
		name  string
		first Options
	}{
		{"by a module of the run's", Options{Modules: map[string]Module{"@acme/geo/other": {Code: `export const next = () => "mine";`}}}},
		{"by the name of the run", Options{Name: "@acme/geo/other"}},
	}
	eachEngine(t, func(t *testing.T, shared *Sandbox) {
		s := own(t, shared, Config{Warm: modules.NewSet(v1...), Isolates: 1})
		for _, r := range rows {
			t.Run(r.name, func(t *testing.T) {
				set := modules.NewSet(v1[0], patched)
				r.first.Packs = set
				must(t, s, `import { next } from "@acme/geo"; return next()`, r.first)
				if got := must(t, s, `import { next } from "@acme/geo/other"; return next()`, Options{Packs: set}).Value.String(); got != "patched" {
					t.Errorf("got %s of the heap, not the module of the run", got)
				}
			})
		}
	})
}

// TestModulesThatCannotBeWarm are left out of heaps and work all the same.
func TestModulesThatCannotBeWarm(t *testing.T) {
	host := &modules.Module{Specifier: "host", Pack: "host", Kind: modules.Host, Digest: "h", Bridge: &bridges.Bridge{Name: "host", Always: true,
		Funcs: []bridges.Func{{Name: "f", Call: func(context.Context, *bridges.Call) (any, error) { return 1, nil }}}}}
	rows := []struct{ specifier, code, reason, want string }{
		{"throws", `if (typeof marker === "undefined") throw new Error("too early"); export const v = 1;`, "Error: too early", "1"},
		{"waits", `export const v = await (typeof marker === "undefined" ? new Promise(() => {}) : 2);`, "it waits", "2"},
		{"random", `export const v = Math.random() < 1;`, "random number", "true"},
		{"clock", `export const v = Date.now() > 0;`, "reads the clock", "true"},
		{"date", `export const v = new Date().getTime() > 0;`, "reads the clock", "true"},
		{"date-text", `export const v = typeof Date();`, "reads the clock", "string"},
		{"date-hidden", `export const v = new (new Date(0).constructor)().getTime() > 0;`, "reads the clock", "true"},
		{"logs", `console.log("x"); export const v = 3;`, "asks the host", "3"},
		{"uuid", `export const v = crypto.randomUUID().length;`, "asks the host", "36"},
		{"uses-host", `import { f } from "host"; export const v = await f();`, `"host"`, "1"},
		{"uses-clock", `import { v } from "clock"; export { v };`, "reads the clock", "true"},
		{"syntax", `export const v = ;`, "cannot import", ""},
		{"fine-date", `export const v = new Date(5).getTime() + Date.UTC(1970, 0, 1);`, "", "5"},
		{"fine", `export const v = typeof marker;`, "", "undefined"},
	}
	list := []*modules.Module{host}
	for _, r := range rows {
		var imports []string
		if strings.HasPrefix(r.specifier, "uses-") {
			imports = []string{strings.TrimPrefix(r.specifier, "uses-")}
		}
		list = append(list, packModule(r.specifier, r.specifier, "1", "i.js", map[string]string{"i.js": r.code}, imports...))
	}
	set := modules.NewSet(list...)
	eachEngine(t, func(t *testing.T, shared *Sandbox) {
		var log bytes.Buffer
		s := own(t, shared, Config{Warm: set, Isolates: 1, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		must(t, s, "return 1", Options{})
		lines := strings.Split(log.String(), "\n")
		for _, r := range rows {
			logged := ""
			for _, l := range lines {
				if strings.Contains(l, "module="+r.specifier+" ") {
					logged = l
				}
			}
			if (logged != "") != (r.reason != "") || !strings.Contains(strings.ReplaceAll(logged, `\"`, `"`), r.reason) {
				t.Errorf("%s: logged %q, want %q", r.specifier, logged, r.reason)
			}
			if r.want == "" {
				continue
			}
			res, err := s.Run(context.Background(), fmt.Sprintf("import { v } from %q; return v", r.specifier), Options{Packs: set, Globals: map[string]any{"marker": 1}})
			if err != nil {
				t.Errorf("%s: %v", r.specifier, err)
			} else if got := res.Value.String(); got != r.want {
				t.Errorf("%s: got %s, want %s", r.specifier, got, r.want)
			}
		}
	})
}

// BenchmarkImport is a whole run that imports two libraries, dates and YAML: of a new program
// cache, of cached bytecode, and of a heap that holds them; and runs that import nothing.
func BenchmarkImport(b *testing.B) {
	catalog, err := modules.Open()
	if err != nil {
		b.Fatal(err)
	}
	set := catalog.Set("@nodetool-ai/sandbox-dates", "@nodetool-ai/sandbox-yaml")
	for _, spec := range set.Specifiers() {
		if set.Lookup(spec) == nil {
			b.Skip("the shipped packs are not built")
		}
	}
	const program = `import { addDays } from "@nodetool-ai/sandbox-dates"; import { load } from "@nodetool-ai/sandbox-yaml"; return 1+1`
	rows := []struct {
		name, code string
		c          Config
		o          Options
	}{
		{"empty", "return 1+1", Config{}, Options{}},
		{"cached", program, Config{}, Options{Packs: set}},
		{"empty beside warm", "return 1+1", Config{Warm: set}, Options{}},
		{"warm", program, Config{Warm: set}, Options{Packs: set}},
		{"cold", program, Config{CacheSize: -1}, Options{Packs: set}},
	}
	for _, name := range engineNames {
		for _, r := range rows {
			b.Run(r.name+"/"+name, func(b *testing.B) {
				r.c.Engine, r.c.Isolates = name, 1
				s := open(b, r.c)
				defer s.Close()
				for range 20 {
					must(b, s, r.code, r.o)
				}
				b.ReportAllocs()
				times := make([]time.Duration, 0, b.N)
				for b.Loop() {
					began := time.Now()
					if _, err := s.Run(context.Background(), r.code, r.o); err != nil {
						b.Fatal(err)
					}
					times = append(times, time.Since(began))
				}
				slices.Sort(times)
				b.ReportMetric(float64(times[len(times)/2]), "ns/median")
			})
		}
	}
}
