package modules

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"quicksand/bridges"
	"quicksand/hostmods"
)

// echoHost is a host module for tests.
var echoHost = &hostmods.Module{
	ID: "echo", Doc: "gives back what it gets", Skill: "---\nname: echo\ndescription: Gives back what it gets.\n---\nBody.",
	Funcs: []bridges.Func{
		{Name: "echo", Params: []bridges.Param{{Name: "value"}}, Call: func(_ context.Context, c *bridges.Call) (any, error) { return c.Arg(0), nil }},
		{Name: "also", Call: func(context.Context, *bridges.Call) (any, error) { return 1, nil }},
	},
}

func init() { hostmods.Register(echoHost) }

// geo are the files of a pack with two modules and a file that both need.
func geo() fstest.MapFS {
	return files(map[string]string{
		"package.json": `{"name": "@acme/geo", "version": "1.2.0", "dependencies": {"left": "1"}, "nodetool": {"sandboxModules": [
			{"kind": "js", "name": ".", "file": "sandbox/geo.js"}, {"kind": "js", "name": "extra", "file": "sandbox/extra.js"}], "internal": ["sandbox/in/round.js"]}}`,
		"SKILL.md":            "---\nname: geo\ndescription: Distances.\n---\nBody.",
		"sandbox/geo.js":      "import { round } from './in/round.js'\nexport const haversine = (a, b) => round(Math.abs(a - b) * 111)",
		"sandbox/extra.js":    "export * from './geo.js'",
		"sandbox/in/round.js": "export const round = (x) => Math.round(x * 100) / 100",
	})
}

func files(m map[string]string) fstest.MapFS {
	f := make(fstest.MapFS)
	for name, text := range m {
		f[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return f
}

// with is a copy of files with others; "" removes one.
func with(f fstest.MapFS, more map[string]string) fstest.MapFS {
	f = maps.Clone(f)
	for name, text := range more {
		if text == "" {
			delete(f, name)
			continue
		}
		f[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return f
}

// artifacts is a Compiled for tests, by the name of a dependency.
type artifacts map[string]*Artifact

func (a artifacts) Lookup(_, npm string) *Artifact { return a[npm] }

func found1(t *testing.T, f fs.FS) *pack {
	t.Helper()
	p, err := discover(f, "/packs/x", false, artifacts{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestDiscovery(t *testing.T) {
	p := found1(t, geo())
	if p.name != "@acme/geo" || p.version != "1.2.0" || len(p.modules) != 2 || p.statuses != nil {
		t.Fatalf("got %+v", p)
	}
	for i, want := range []Module{
		{Specifier: "@acme/geo", Entry: "sandbox/geo.js", Exports: []string{"haversine"}, Complete: true},
		{Specifier: "@acme/geo/extra", Entry: "sandbox/extra.js"},
	} {
		m := p.modules[i]
		if m.Specifier != want.Specifier || m.Entry != want.Entry || m.Pack != "@acme/geo" || m.Version != "1.2.0" || m.Kind != JS {
			t.Errorf("module %d is %+v", i, m.Module)
		}
		if !slices.Equal(m.Exports, want.Exports) || m.Complete != want.Complete {
			t.Errorf("%s exports %q, complete %v", m.Specifier, m.Exports, m.Complete)
		}
		if m.why.Code != "" || !isDigest(m.Digest) {
			t.Errorf("%s: %v, digest %q", m.Specifier, m.why, m.Digest)
		}
	}
	if got := slices.Sorted(maps.Keys(p.modules[0].Files)); !slices.Equal(got, []string{"sandbox/geo.js", "sandbox/in/round.js"}) {
		t.Errorf("the first module has the files %q", got)
	}
	if got := len(p.modules[1].Files); got != 3 {
		t.Errorf("the second module has %d files, want 3", got)
	}
}

func TestFoldersThatAreNoPacks(t *testing.T) {
	for name, f := range map[string]fstest.MapFS{
		"empty":                    {},
		"an ordinary npm package":  files(map[string]string{"package.json": `{"name": "x"}`}),
		"package.json is a folder": {"package.json": {Mode: fs.ModeDir | 0o755}},
	} {
		if _, err := discover(f, "", false, nil); !errors.Is(err, errNoPack) {
			t.Errorf("%s: got %v, want errNoPack", name, err)
		}
	}
}

func TestPacksThatBreakARule(t *testing.T) {
	code := func(js string) map[string]string { return map[string]string{"sandbox/geo.js": js} }
	host := func(id string) map[string]string {
		return map[string]string{"package.json": fmt.Sprintf(`{"name": "@acme/geo", "nodetool": {"sandboxModules": [{"kind": "host", "name": ".", "host": %q}]}}`, id)}
	}
	for _, tt := range []struct {
		name string
		more map[string]string
		want string
	}{
		{"a file that is missing", map[string]string{"sandbox/geo.js": ""}, `"sandbox/geo.js": file does not exist`},
		{"an internal file that is missing", map[string]string{"sandbox/in/round.js": ""}, `"sandbox/in/round.js": file does not exist`},
		{"a file that is too large", code("//" + strings.Repeat("x", MaxFile-1)), "more than the limit of 262144"},
		{"a file that is no UTF-8", code("// \xff"), "not valid UTF-8"},
		{"a file whose brackets are open", code("export const f = () => {"), "sandbox/geo.js: expected"},
		{"import() anywhere", code("export const f = () =>\n import('./in/round.js')"), "sandbox/geo.js:2: import() is not possible"},
		{"require() anywhere", code("export const f = () => require('fs')"), "sandbox/geo.js:1: require() is not possible"},
		{"import() in an internal file", map[string]string{"sandbox/in/round.js": "import('x')"}, "sandbox/in/round.js:1: import() is not possible"},
		{"a builtin of Node", code("import fs from 'node:fs'"), `import "node:fs" outside the package`},
		{"a builtin of Node without its scheme", code("\n\nexport { x } from 'fs'"), `sandbox/geo.js:3: import "fs" outside the package`},
		{"a package that is no dependency", code("export * from 'right'"), `import "right" outside the package`},
		{"a path at the root", code("import '/etc/passwd'"), `import "/etc/passwd" outside the package`},
		{"a path that leaves the package", code("import '../../x.js'"), `import "../../x.js": the path leaves the package`},
		{"a path with encoded dots", code("import './%2e%2e/x.js'"), "percent-encoded"},
		{"a sibling without its extension", code("import './in/round'"), `declares no file "sandbox/in/round"`},
		{"a folder with an index", code("import './in'"), `declares no file "sandbox/in"`},
		{"a sibling that is not declared", map[string]string{"sandbox/geo.js": "import './more.js'", "sandbox/more.js": "1"}, `declares no file "sandbox/more.js"`},
		{"a module of the package that does not exist", code("import '@acme/geo/none'"), "declares no such module"},
		{"a file that is a folder", map[string]string{"sandbox/geo.js": "", "sandbox/geo.js/x": "1"}, "it is no regular file"},
		{"as many imports as there may be", code(strings.Repeat("import'left'\n", maxImports-1)), ""}, // and one in extra.js
		{"too many imports", code(strings.Repeat("import'left'\n", maxImports)), "more than 16384 imports"},
		{"one file of two kinds", map[string]string{"package.json": `{"name": "@acme/geo", "nodetool": {"sandboxModules": [{"kind": "js", "name": "a", "file": "sandbox/geo.js"}, {"kind": "wasm", "name": "b", "file": "sandbox/geo.js", "memoryPagesMax": 0, "exports": ["a"]}], "internal": ["sandbox/in/round.js"]}}`}, "is declared as js and as wasm"},
		{"a host module of Quicksand's", host("csv"), `belongs to the package @nodetool-ai/sandbox-csv; @acme/geo cannot declare it`},
		{"a host module of the program's", host("echo"), `belongs to the package @nodetool-ai/sandbox-echo`},
		{"a host module that nobody knows", host("shell"), `"shell" is not a host module that Quicksand implements`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := discover(with(geo(), tt.more), "", false, nil)
			if tt.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "package @acme/geo: ") {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func TestWhatFilesOfPacksMayImport(t *testing.T) {
	for _, tt := range []struct {
		name, code string
		imports    []string
	}{
		{"siblings in a circle", "import './extra.js'", nil},
		{"itself", "import './geo.js'", nil},
		{"a path that goes up and comes back", "import '../sandbox/./in/round.js'", nil},
		{"namespaces of the host", "import '@nodetool-ai/sandbox-nodetool/flow'", []string{"@nodetool-ai/sandbox-nodetool/flow"}},
		{"dependencies and their modules", "import 'left/pad'; import 'left'; import 'left'", []string{"left", "left/pad"}},
		{"modules of its own package by name", "import '@acme/geo/extra'", []string{"@acme/geo/extra"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := found1(t, with(geo(), map[string]string{"sandbox/geo.js": tt.code}))
			if got := p.modules[0].Imports; !slices.Equal(got, tt.imports) {
				t.Errorf("imports %q, want %q", got, tt.imports)
			}
		})
	}
}

func TestPacksAreBounded(t *testing.T) {
	var internal []string
	more := make(map[string]string)
	for i := range MaxPack/MaxFile + 1 {
		name := fmt.Sprintf("i/%d.js", i)
		internal = append(internal, fmt.Sprintf("%q", name))
		more[name] = "//" + strings.Repeat("x", MaxFile-2)
	}
	more["package.json"] = fmt.Sprintf(`{"name": "x", "nodetool": {"sandboxModules": [{"kind": "js", "name": ".", "file": "sandbox/in/round.js"}], "internal": [%s]}}`, strings.Join(internal, ","))
	if _, err := discover(with(geo(), more), "", false, nil); err == nil || !strings.Contains(err.Error(), "larger than 8388608 bytes together") {
		t.Errorf("got %v", err)
	}
}

// TestLinksInPacks uses a directory, since they are about the file system.
func TestLinksInPacks(t *testing.T) {
	for _, tt := range []struct{ name, link, target, want string }{
		{"a file that is a link to one of the package", "sandbox/geo.js", "extra.js", `"sandbox/geo.js" is a symbolic link`},
		{"a file that is a link to one outside", "sandbox/geo.js", "/etc/hostname", `"sandbox/geo.js" is a symbolic link`},
		{"a folder that is a link", "sandbox/in", "../real", `"sandbox/in" is a symbolic link`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, with(geo(), map[string]string{"real/round.js": "1"})); err != nil {
				t.Fatal(err)
			}
			link := filepath.Join(dir, filepath.FromSlash(tt.link))
			if err := os.RemoveAll(link); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(tt.target, link); err != nil {
				t.Fatal(err)
			}
			if _, err := discoverDir(dir, nil); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
	t.Run("SKILL.md that is a link is no documentation", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.CopyFS(dir, with(geo(), map[string]string{"SKILL.md": ""})); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("/etc/hostname", filepath.Join(dir, "SKILL.md")); err != nil {
			t.Fatal(err)
		}
		p, err := discoverDir(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		wantStatus(t, p.statuses, LevelWarning, CodeSkillInvalid, "symbolic link")
	})
	t.Run("a package.json that is a link is none", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.CopyFS(dir, with(geo(), map[string]string{"package.json": "", "real.json": `{"name": "x"}`})); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("real.json", filepath.Join(dir, "package.json")); err != nil {
			t.Fatal(err)
		}
		if _, err := discoverDir(dir, nil); !errors.Is(err, errNoPack) {
			t.Errorf("got %v, want errNoPack", err)
		}
	})
}

// wantStatus checks that there is one status of a code.
func wantStatus(t *testing.T, list []Status, level Level, code Code, part string) {
	t.Helper()
	n := 0
	for _, s := range list {
		if s.Code == code {
			n++
			if s.Level != level || !strings.Contains(s.Message, part) {
				t.Errorf("status %s, want level %s and a message with %q", s, level, part)
			}
		}
	}
	if n != 1 {
		t.Errorf("%d statuses %s among %v, want 1", n, code, list)
	}
}

// npmPack are the files of a pack whose module y is made of js-yaml.
func npmPack() fstest.MapFS {
	return files(map[string]string{"package.json": `{"name": "p", "nodetool": {"sandboxModules": [{"kind": "js", "name": "y", "npm": "js-yaml"}]}}`})
}

func TestCompiledDependencies(t *testing.T) {
	artifact := func(source string) *Artifact {
		return &Artifact{NPM: "js-yaml", Bundler: "b 1", Options: "o", Source: source, Exports: []string{"default", "load"}}
	}
	t.Run("one that was never compiled is pending", func(t *testing.T) {
		p := found1(t, npmPack())
		wantStatus(t, p.statuses, LevelSkipped, CodePending, "quicksand packs compile /packs/x")
		if p.modules[0].why.Code != CodePending || p.modules[0].Files != nil || !isDigest(p.modules[0].Digest) {
			t.Errorf("the module is %+v", p.modules[0])
		}
	})
	for _, code := range []Code{CodeBuiltinImport, CodeUnresolved, CodeBundleFailed, CodeTooLarge, CodeScanRejected, CodeForbiddenGlobal, CodeProbeFailed} {
		t.Run(string(code)+" is passed on", func(t *testing.T) {
			p, err := discover(npmPack(), "/x", false, artifacts{"js-yaml": {NPM: "js-yaml", Skip: &Skip{code, "because"}}})
			if err != nil {
				t.Fatal(err)
			}
			wantStatus(t, p.statuses, LevelSkipped, code, "because")
			if p.modules[0].why.Code != code {
				t.Errorf("the module is %+v", p.modules[0])
			}
		})
	}
	t.Run("one that is too large is skipped", func(t *testing.T) {
		p, err := discover(npmPack(), "/x", false, artifacts{"js-yaml": artifact(strings.Repeat(" ", MaxBundle+1))})
		if err != nil {
			t.Fatal(err)
		}
		wantStatus(t, p.statuses, LevelSkipped, CodeTooLarge, "1048577")
	})
	t.Run("one that was compiled is a module", func(t *testing.T) {
		a := artifact("export default 1; export const load = 2")
		a.Warnings = []string{"it looks for process"}
		p, err := discover(npmPack(), "/x", false, artifacts{"js-yaml": a})
		if err != nil {
			t.Fatal(err)
		}
		wantStatus(t, p.statuses, LevelReady, CodeCompiled, "39 bytes")
		wantStatus(t, p.statuses, LevelWarning, CodeNPMWarning, "it looks for process")
		m := p.modules[0]
		if m.why.Code != "" || m.Entry != "npm:js-yaml" || m.Files["npm:js-yaml"] != a.Source || !slices.Equal(m.Exports, a.Exports) || !m.Complete {
			t.Errorf("the module is %+v", m.Module)
		}
	})
}

func TestHostModulesOfPacks(t *testing.T) {
	p := found1(t, files(map[string]string{"package.json": `{"name": "@nodetool-ai/sandbox-echo", "version": "2.0.0", "nodetool": {"sandboxModules": [{"kind": "host", "name": ".", "host": "echo"}]}}`}))
	m := p.modules[0]
	if m.why.Code != "" || m.Bridge == nil || !m.Default || !slices.Equal(m.Exports, []string{"echo", "also"}) || m.Bridge.Funcs[0].Op != "echo.echo" {
		t.Errorf("the module is %+v", m.Module)
	}
	wantStatus(t, p.statuses, LevelWarning, CodeSkillMissing, "no SKILL.md")

	p = found1(t, files(map[string]string{"package.json": `{"name": "@nodetool-ai/sandbox-csv", "nodetool": {"sandboxModules": [{"kind": "host", "name": ".", "host": "csv"}]}}`}))
	wantStatus(t, p.statuses, LevelSkipped, CodeUnsupported, "import quicksand/hostmods/csv")
}

func TestWASMModulesOfPacks(t *testing.T) {
	f := files(map[string]string{
		"package.json": `{"name": "w", "nodetool": {"sandboxModules": [{"kind": "wasm", "name": ".", "file": "w.wasm", "memoryPagesMax": 1, "exports": [{"wasm": "a-b", "as": "ab"}]}]}}`,
		"w.wasm":       "binary",
	})
	p := found1(t, f)
	wantStatus(t, p.statuses, LevelSkipped, CodeUnsupported, "quicksand/modules/wasm")

	bridge := &bridges.Bridge{Name: "w", Funcs: []bridges.Func{{Name: "ab"}}}
	RegisterWASM(func(bin []byte, decl WASMDecl) (*bridges.Bridge, error) {
		if string(bin) != "binary" || decl.Specifier != "w" || decl.MemoryPagesMax != 1 || decl.Exports[0] != (WASMExport{"a-b", "ab"}) {
			t.Errorf("compile(%q, %+v)", bin, decl)
		}
		return bridge, nil
	})
	t.Cleanup(func() { RegisterWASM(nil) })
	m := found1(t, f).modules[0]
	if m.Bridge != bridge || m.Default || !slices.Equal(m.Exports, []string{"ab"}) || m.Files != nil || !isDigest(m.Digest) {
		t.Errorf("the module is %+v", m.Module)
	}
	RegisterWASM(func([]byte, WASMDecl) (*bridges.Bridge, error) { return nil, errors.New("export ab takes an i64") })
	if _, err := discover(f, "", false, nil); err == nil || !strings.Contains(err.Error(), `package w: module ".": export ab takes an i64`) {
		t.Errorf("got %v", err)
	}
	RegisterWASM(func([]byte, WASMDecl) (*bridges.Bridge, error) { panic("oops") })
	if _, err := discover(f, "", false, nil); err == nil || !strings.Contains(err.Error(), "panicked: oops") {
		t.Errorf("got %v", err)
	}
	js := with(f, map[string]string{"package.json": `{"name": "w", "nodetool": {"sandboxModules": [{"kind": "js", "name": ".", "file": "a.js"}, {"kind": "wasm", "name": "b", "file": "w.wasm", "memoryPagesMax": 1, "exports": ["a"]}]}}`, "a.js": "import './w.wasm'"})
	RegisterWASM(nil)
	if _, err := discover(js, "", false, nil); err == nil || !strings.Contains(err.Error(), "import its module by name") {
		t.Errorf("got %v", err)
	}
}

// TestDigests shows what a digest depends on.
func TestDigests(t *testing.T) {
	base := found1(t, geo())
	if again := found1(t, geo()); again.digest != base.digest || again.modules[0].Digest != base.modules[0].Digest {
		t.Error("the same files have different digests")
	}
	for _, tt := range []struct {
		name                string
		more                map[string]string
		first, second, pack bool // which digests change
	}{
		{"a file that both reach", map[string]string{"sandbox/in/round.js": "export const round = (x) => x"}, true, true, true},
		{"a file of the second alone", map[string]string{"sandbox/extra.js": "export { haversine } from './geo.js'"}, false, true, true},
		{"the version", map[string]string{"package.json": strings.Replace(string(geo()["package.json"].Data), "1.2.0", "1.2.1", 1)}, true, true, true},
		{"the documentation", map[string]string{"SKILL.md": "---\nname: geo\ndescription: Others.\n---\n"}, false, false, false},
		{"an internal file that nothing reaches", map[string]string{"package.json": strings.Replace(string(geo()["package.json"].Data), `["sandbox/in`, `["z.js", "sandbox/in`, 1), "z.js": "1"}, false, false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := found1(t, with(geo(), tt.more))
			for _, d := range []struct {
				what    string
				changed bool
				want    bool
			}{
				{"the first module", p.modules[0].Digest != base.modules[0].Digest, tt.first},
				{"the second module", p.modules[1].Digest != base.modules[1].Digest, tt.second},
				{"the pack", p.digest != base.digest, tt.pack},
			} {
				if d.changed != d.want {
					t.Errorf("the digest of %s: changed %v, want %v", d.what, d.changed, d.want)
				}
			}
		})
	}
}

// TestDigestsOfHostModules: another list of exports is another module.
func TestDigestsOfHostModules(t *testing.T) {
	a, b := &Module{Specifier: "s"}, &Module{Specifier: "s"}
	setHost(a, echoHost)
	fewer := *echoHost
	fewer.Funcs = echoHost.Funcs[:1]
	setHost(b, &fewer)
	if a.Digest == b.Digest || !isDigest(a.Digest) {
		t.Errorf("digests %s and %s", a.Digest, b.Digest)
	}
}
