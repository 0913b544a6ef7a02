package quicksand

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"quicksand/bridges"
	_ "quicksand/hostmods/csv"
	"quicksand/modules"
	_ "quicksand/modules/wasm"
)

// testPacks is the catalog of testdata/packs with nothing that the program ships.
func testPacks(t testing.TB) *modules.Catalog {
	t.Helper()
	cat, err := modules.Config{Dirs: []string{"testdata/packs/geo", "testdata/packs/other"}, Bare: true, Compiled: modules.NewCache(t.TempDir())}.Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range cat.Diagnostics() {
		t.Errorf("testdata/packs: %s", d)
	}
	return cat
}

// valueText is the value of a run as JSON.
func valueText(t testing.TB, res *Result) string {
	t.Helper()
	text, err := json.Marshal(res.Value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestPacksAreImported(t *testing.T) {
	set := testPacks(t).Set()
	for _, tt := range []struct{ name, code, want string }{
		{"an export is called by its name", `import { haversine } from "@acme/geo"; return haversine(1, 3)`, "222"},
		{"a sibling within the pack did its part", `import { haversine } from "@acme/geo"; return haversine(0, 0.001)`, "0.11"},
		{"two entries of a pack share its state", `import { metres, count } from "@acme/geo/extra"; import * as geo from "@acme/geo"; geo.haversine(0, 1); return [metres(1, 3), geo.count(), count()]`, "[222000,2,2]"},
		{"files of a pack may import each other in a circle", `import { volley } from "@other/pack"; return [volley(4), volley(5)]`, `["ping","pong"]`},
		{"a pack imports another one that it depends on", `import { trip } from "@other/pack"; return trip(0, 1, 3)`, "333"},
		{"a pack that depends on another one shares its state with the program", `import { trip } from "@other/pack"; import { count } from "@acme/geo"; trip(0, 1, 3); return count()`, "2"},
		{"import() of a pack that was imported is denied", `import "@acme/geo"; try { await import("@acme/geo") } catch (e) { return [/import\(\)/.test(e.message), e.message.includes("@acme/geo")] }`, "[true,true]"},
		{"import() of a builtin is denied", `try { await import("node:" + "buffer") } catch (e) { return [/import\(\)/.test(e.message), e.message.includes("node:buffer")] }`, "[true,true]"},
		{"import() of a variable is denied", `const x = "@acme/geo"; try { await import(x) } catch (e) { return [/import\(\)/.test(e.message), e.message.includes("@acme/geo")] }`, "[true,true]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			eachEngine(t, func(t *testing.T, s *Sandbox) {
				if got := valueText(t, must(t, s, tt.code, Options{Packs: set})); got != tt.want {
					t.Errorf("got %s, want %s", got, tt.want)
				}
			})
		})
	}
}

func TestWhatIsNoPackIsDenied(t *testing.T) {
	cat := testPacks(t)
	for name, o := range map[string]Options{"with packs": {Packs: cat.Set()}, "without packs": {}} {
		t.Run(name, func(t *testing.T) {
			for _, spec := range []string{"node:buffer", "buffer", "/etc/passwd", "../secrets.js", "%2e%2e/secrets.js", "@acme/other",
				"@other/nodetool-pack/sandbox/internal/secret.js", "@other/pack/sandbox/internal/secret.js", "sandbox/internal/round.js", "@acme/geo/./sandbox/internal/round.js",
				"./sandbox/internal/round.js", "@acme/geo/sandbox/internal/round.js", "@acme/geo/../geo", "", "."} {
				eachEngine(t, func(t *testing.T, s *Sandbox) {
					_, err := fails(t, s, fmt.Sprintf("import x from %q; return 1", spec), o, KindDenied)
					if !strings.Contains(err.Message, spec) {
						t.Errorf("%q: the error does not name the specifier: %s", spec, err.Message)
					}
				})
			}
		})
	}
}

func TestConsentToPacks(t *testing.T) {
	cat := testPacks(t)
	for _, tt := range []struct {
		name  string
		allow []string
		code  string
		want  []string // in the error; nil for none
	}{
		{"a pack stands for all of its modules", []string{"@acme/geo"}, `import "@acme/geo/extra"; import "@acme/geo"`, nil},
		{"a module stands for itself alone", []string{"@acme/geo/extra"}, `import "@acme/geo/extra"`, nil},
		{"a module does not stand for its pack", []string{"@acme/geo/extra"}, `import "@acme/geo"`, []string{`"@acme/geo"`, "not allowed", "allowed: @acme/geo/extra"}},
		{"the beginning of a name is no consent", []string{"@acme/ge"}, `import "@acme/geo"`, []string{`"@acme/geo"`, "nothing is allowed"}},
		{"all that is not allowed is named at once", []string{"@acme/geo/extra"}, `import "@acme/geo"; import "@other/pack"; import "left-pad"`, []string{`"@acme/geo"`, `"@other/pack"`, `"left-pad"`}},
		{"what a pack imports needs consent too", []string{"@other/pack"}, `import "@other/pack"`, []string{`"@acme/geo"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := Options{Packs: cat.Set(tt.allow...)}
			eachEngine(t, func(t *testing.T, s *Sandbox) {
				if tt.want == nil {
					must(t, s, tt.code, o)
					return
				}
				_, err := fails(t, s, tt.code, o, KindDenied)
				for _, part := range tt.want {
					if !strings.Contains(err.Message, part) {
						t.Errorf("the error does not say %q: %s", part, err.Message)
					}
				}
			})
		})
	}
}

func TestErrorsAboutWhatIsAllowedButNotAvailable(t *testing.T) {
	set := packOf(t, fstest.MapFS{
		"package.json": {Data: []byte(`{"name": "p", "dependencies": {"dep": "1"}, "nodetool": {"sandboxModules": [{"kind": "js", "name": ".", "npm": "dep"}]}}`)},
	}).Set()
	for name, o := range map[string]Options{"alone": {Packs: set}, "with modules of the host": {Packs: set, Modules: map[string]Module{"mine": {Code: ""}}}} {
		t.Run(name, func(t *testing.T) {
			eachEngine(t, func(t *testing.T, s *Sandbox) {
				_, e := fails(t, s, `import "p"`, o, KindDenied)
				if !strings.Contains(e.Message, "not compiled") || strings.Contains(e.Message, "allowed") {
					t.Errorf("got %s", e.Message)
				}
			})
		})
	}
}

func TestDriftOfPacksIsLogged(t *testing.T) {
	set := testPacks(t).Resolve([]modules.Declaration{{Specifier: "@acme/geo", Version: "1.0.0", Digest: strings.Repeat("0", 64)}, {Specifier: "@other/pack", Version: "9"}}).Set()
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		res := must(t, s, `import { haversine } from "@acme/geo"; return haversine(1, 3)`, Options{Packs: set})
		if got := valueText(t, res); got != "222" {
			t.Errorf("got %s, want 222", got)
		}
		text := logText(res)
		if want := "version-mismatch: @acme/geo: version "; !strings.Contains(text, want) || strings.Contains(text, "warning") {
			t.Errorf("the logs do not say %q, without the level of the status:\n%s", want, text)
		}
		for _, code := range []string{"version-mismatch", "content-digest-mismatch"} {
			if strings.Count(text, code) != 1 {
				t.Errorf("the logs do not say %s once:\n%s", code, text)
			}
		}
		if strings.Contains(text, "@other/pack") {
			t.Errorf("the logs are about a module that the program does not import:\n%s", text)
		}
	})
}

// TestPacksThatFail has packs whose code does what it cannot.
func TestPacksThatFail(t *testing.T) {
	pack := func(code string) *modules.Set {
		return packOf(t, fstest.MapFS{
			"package.json": {Data: []byte(`{"name": "p", "nodetool": {"sandboxModules": [{"kind": "js", "name": ".", "file": "p.js"}]}}`)},
			"p.js":         {Data: []byte(code)},
		}).Set()
	}
	for _, tt := range []struct{ name, code, want string }{
		{"a timer when it is evaluated", "setTimeout(() => {}, 1); export const a = 1", "setTimeout"},
		{"eval when it is evaluated", "eval('1'); export const a = 1", "eval"},
		{"Function when it is evaluated", "new Function('return 1'); export const a = 1", "Function"},
		{"an error when it is evaluated", "throw new Error('not today'); export const a = 1", "not today"},
		{"what does not parse", "export const a = 1 +", "p/./p.js"},
		{"an export that is missing", "export const b = 1", `"p" has no export "a" (it has b)`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			set := pack(tt.code)
			eachEngine(t, func(t *testing.T, s *Sandbox) {
				res, err := s.Run(context.Background(), `import { a } from "p"; console.log("started"); return a`, Options{Packs: set})
				var e *Error
				if !errors.As(err, &e) || !strings.Contains(e.Error(), tt.want) {
					t.Errorf("got %v, want an error with %q", err, tt.want)
				}
				if len(res.Logs) > 0 {
					t.Errorf("the program ran: %v", res.Logs)
				}
				alive(t, s)
			})
		})
	}
}

// packOf is a catalog of one pack.
func packOf(t testing.TB, files fs.FS) *modules.Catalog {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
	cat, err := modules.Config{Dirs: []string{dir}, Bare: true, Compiled: modules.NewCache(t.TempDir())}.Open()
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

// TestHostModulesInPacks has the vectors of host modules.
func TestHostModulesInPacks(t *testing.T) {
	host := func(name, id string) fstest.MapFS {
		return fstest.MapFS{"package.json": {Data: fmt.Appendf(nil, `{"name": %q, "nodetool": {"sandboxModules": [{"kind": "host", "name": ".", "host": %q}]}}`, name, id)}}
	}
	t.Run("csv end to end", func(t *testing.T) {
		set := packOf(t, host("@nodetool-ai/sandbox-csv", "csv")).Set()
		eachEngine(t, func(t *testing.T, s *Sandbox) {
			res := must(t, s, `import { parse } from "@nodetool-ai/sandbox-csv"; import csv from "@nodetool-ai/sandbox-csv"; return [await parse("name,city\nada,london\n"), csv.parse === parse]`, Options{Packs: set})
			if got, want := valueText(t, res), `[[{"name":"ada","city":"london"}],true]`; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			e := new(Error)
			_, err := s.Run(context.Background(), `import { parse } from "@nodetool-ai/sandbox-csv"; return await parse(1)`, Options{Packs: set})
			if !errors.As(err, &e) || e.Name != "TypeError" || !strings.HasPrefix(e.Message, "csv.parse: ") {
				t.Errorf("got %v, want an error of csv.parse", err)
			}
		})
	})
	for _, tt := range []struct{ name, pack, id, want string }{
		{"a stranger that declares csv", "@acme/csv", "csv", "belongs to the package @nodetool-ai/sandbox-csv; @acme/csv cannot declare it"},
		{"a stranger that declares shell", "@acme/csv", "shell", `"shell" is not a host module that Quicksand implements`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cat := packOf(t, host(tt.pack, tt.id))
			list := cat.Diagnostics()
			if len(list) != 1 || list[0].Code != modules.CodeDiscovery || !strings.Contains(list[0].Message, tt.want) {
				t.Errorf("diagnostics %v, want one with %q", list, tt.want)
			}
			if len(cat.Summaries()) > 0 {
				t.Error("the pack counts")
			}
		})
	}
}

// TestWASMThatIsCut: a binary that is no module rejects its pack, so that no run begins.
func TestWASMThatIsCut(t *testing.T) {
	binary, err := os.ReadFile("testdata/packs/wasm-numbers/numbers.wasm")
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := os.ReadFile("testdata/packs/wasm-numbers/package.json")
	if err != nil {
		t.Fatal(err)
	}
	cat := packOf(t, fstest.MapFS{"package.json": {Data: manifest}, "numbers.wasm": {Data: binary[:len(binary)-3]}})
	if list := cat.Diagnostics(); len(list) != 1 || list[0].Code != modules.CodeDiscovery || list[0].Level != modules.LevelError {
		t.Errorf("diagnostics %v", list)
	}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		res, _ := fails(t, s, `import "@acme/wasm-numbers"; console.log("started")`, Options{Packs: cat.Set()}, KindDenied)
		if len(res.Logs) > 0 {
			t.Errorf("the program ran: %v", res.Logs)
		}
	})
}

func TestGuestsLearnAboutPacks(t *testing.T) {
	cat := testPacks(t)
	host := &bridges.Bridge{Name: "crm", Doc: "customer records", Funcs: []bridges.Func{{Name: "find", Doc: "finds one", Params: []bridges.Param{{Name: "id", Type: bridges.String}}, Call: func(context.Context, *bridges.Call) (any, error) { return 1, nil }}}}
	o := Options{Packs: cat.Set("@acme/geo"), Modules: map[string]Module{"@nodetool-ai/sandbox-nodetool/crm": {Host: host}}}
	for _, tt := range []struct{ name, code, want string }{
		{"list has what may be imported and what may not", `const l = await nodetool.packs.list(); return l.packages.map((p) => [p.specifier, p.packVersion, p.kind, p.allowed])`,
			`[["@acme/geo","1.2.0","js",true],["@acme/geo/extra","1.2.0","js",true],["@other/pack","0.1.0","js",false]]`},
		{"list has what is allowed, and the host's own", `const l = await nodetool.packs.list(); return [l.allowedSpecifiers, l.platform]`,
			`[["@acme/geo","@acme/geo/extra"],[{"specifier":"@nodetool-ai/sandbox-nodetool/crm","module":"crm"}]]`},
		{"list describes", `return (await nodetool.packs.list()).packages[0].description`, `"Distances between two points on a line of latitude, in kilometres."`},
		{"modules of a pack", `return await nodetool.packs.modules("@acme/geo")`, `["@acme/geo","@acme/geo/extra"]`},
		{"exports of a module", `return await nodetool.packs.exports("@acme/geo")`, `{"specifier":"@acme/geo","kind":"js","exports":["count","haversine"],"complete":true}`},
		{"exports of the host", `return await nodetool.packs.exports("@nodetool-ai/sandbox-nodetool/crm")`, `{"specifier":"@nodetool-ai/sandbox-nodetool/crm","kind":"platform","exports":["find"],"complete":true}`},
		{"docs of a module", "return (await nodetool.packs.docs('@acme/geo/extra')).documentation.split('\\n').at(-2).slice(0, 16)", "\"`metres(a, b)` i\""},
		{"docs of the host", `return await nodetool.packs.docs("@nodetool-ai/sandbox-nodetool/crm")`,
			`{"specifier":"@nodetool-ai/sandbox-nodetool/crm","packName":"@nodetool-ai/sandbox-nodetool","trusted":true,"description":"customer records","documentation":"- ` + "`find(id: string): Promise`" + `: finds one\n"}`},
		{"docs of a stranger are in an envelope", "const d = await nodetool.packs.docs('@acme/geo'); return [d.trusted, d.documentation.startsWith('<untrusted-package-docs>'), d.documentation.includes('=&gt;')]", "[false,true,false]"},
		{"modules of what is not there", `try { await nodetool.packs.modules("nope") } catch (e) { return [e.code, e.message] }`, `["module_not_resolved","nodetool.packs.modules: \"nope\" is not an installed sandbox package"]`},
		{"exports of what is not allowed", `try { await nodetool.packs.exports("@other/pack") } catch (e) { return e.code }`, `"package_not_allowed"`},
		{"docs of what is not allowed", `try { await nodetool.packs.docs("@other/pack") } catch (e) { return e.code }`, `"package_not_allowed"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			eachEngine(t, func(t *testing.T, s *Sandbox) {
				if got := valueText(t, must(t, s, tt.code, o)); got != tt.want {
					t.Errorf("got  %s\nwant %s", got, tt.want)
				}
			})
		})
	}
	t.Run("without packs there is no answer", func(t *testing.T) {
		eachEngine(t, func(t *testing.T, s *Sandbox) {
			_, err := fails(t, s, `await nodetool.packs.list()`, Options{}, KindDenied)
			if !strings.Contains(err.Message, "Options.Packs") {
				t.Errorf("the error does not say how to grant it: %s", err.Message)
			}
		})
	})
	t.Run("a set without a catalog lists its modules", func(t *testing.T) {
		set := modules.NewSet(&modules.Module{Specifier: "m", Pack: "m", Kind: modules.JS, Entry: "m.js", Files: map[string]string{"m.js": "export const a = 1"}})
		eachEngine(t, func(t *testing.T, s *Sandbox) {
			res := must(t, s, `const l = await nodetool.packs.list(); let code; try { await nodetool.packs.docs("x") } catch (e) { code = e.code }
				return [l.packages.map((p) => p.specifier), await nodetool.packs.modules("m"), await nodetool.packs.exports("m"), code]`, Options{Packs: set})
			want := `[["m"],["m"],{"specifier":"m","kind":"js","exports":null,"complete":false,"note":"the exports are not known without running it"},"catalog_unavailable"]`
			if got := valueText(t, res); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	})
}
