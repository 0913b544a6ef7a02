package modules

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// install writes packs into a folder, by path.
func install(t testing.TB, packs map[string]fstest.MapFS) string {
	t.Helper()
	root := t.TempDir()
	for path, f := range packs {
		if err := os.CopyFS(filepath.Join(root, filepath.FromSlash(path)), f); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// simple is a pack with one module.
func simple(name, version, code string) fstest.MapFS {
	return files(map[string]string{
		"package.json": fmt.Sprintf(`{"name": %q, "version": %q, "dependencies": {"a": "1", "b": "1", "c": "1"}, "nodetool": {"sandboxModules": [{"kind": "js", "name": ".", "file": "i.js"}]}}`, name, version),
		"i.js":         code,
		"SKILL.md":     fmt.Sprintf("---\nname: x\ndescription: About %s.\n---\n", name),
	})
}

func bare(t testing.TB, c Config) *Catalog {
	t.Helper()
	c.Bare = true
	if c.Compiled == nil {
		c.Compiled = artifacts{}
	}
	cat, err := c.Open()
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

func specifiers(cat *Catalog) []string {
	var list []string
	for _, s := range cat.Summaries() {
		list = append(list, s.Specifier)
	}
	return list
}

func TestSearch(t *testing.T) {
	root := install(t, map[string]fstest.MapFS{
		"one":                               simple("one", "1", "1"),
		"project/node_modules/two":          simple("two", "1", "1"),
		"project/node_modules/@s/three":     simple("@s/three", "1", "1"),
		"project/node_modules/.cache/four":  simple("four", "1", "1"),
		"project/node_modules/.bin":         files(map[string]string{"x": ""}),
		"project/node_modules/ordinary":     files(map[string]string{"package.json": `{"name": "ordinary"}`}),
		"project/node_modules/@s/a/@s/five": simple("five", "1", "1"),
		"project":                           files(map[string]string{"package.json": `{"name": "project"}`}),
		"folder/six":                        simple("six", "1", "1"),
		"folder/@t/seven":                   simple("@t/seven", "1", "1"),
		"folder/notes.txt":                  files(map[string]string{"x": ""}),
	})
	dir := func(name string) string { return filepath.Join(root, name) }
	if err := os.Symlink(dir("one"), filepath.Join(dir("folder"), "linked")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		dirs []string
		want []string
	}{
		{"a package", []string{dir("one")}, []string{"one"}},
		{"a project", []string{dir("project")}, []string{"@s/three", "two"}},
		{"its node_modules", []string{dir("project/node_modules")}, []string{"@s/three", "two"}},
		{"a folder of packages and scopes, and links", []string{dir("folder")}, []string{"@t/seven", "one", "six"}},
		{"one package twice is one", []string{dir("one"), dir("folder"), dir("one")}, []string{"@t/seven", "one", "six"}},
		{"several", []string{dir("project"), dir("folder")}, []string{"@s/three", "@t/seven", "one", "six", "two"}},
		{"none", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cat := bare(t, Config{Dirs: tt.dirs})
			if got := specifiers(cat); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if list := cat.Diagnostics(); len(list) > 0 {
				t.Errorf("diagnostics %v", list)
			}
		})
	}
	for _, name := range []string{"missing", "folder/notes.txt/x"} {
		if _, err := Open(dir(name)); err == nil || !strings.Contains(err.Error(), "is no directory") && !strings.Contains(err.Error(), "no such file") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestPacksOfOneName(t *testing.T) {
	a := install(t, map[string]fstest.MapFS{"x": simple("x", "1", "1"), "y": simple("y", "1", "1")})
	b := install(t, map[string]fstest.MapFS{"x": simple("x", "2", "2")})
	cat := bare(t, Config{Dirs: []string{a, b}})
	if got := specifiers(cat); !slices.Equal(got, []string{"y"}) {
		t.Errorf("got %q, want that neither counts", got)
	}
	wantStatus(t, cat.Diagnostics(), LevelError, CodeDuplicate, filepath.Join(b, "x"))
	wantStatus(t, cat.Diagnostics(), LevelError, CodeDuplicate, filepath.Join(a, "x"))

	cat = bare(t, Config{Dirs: []string{a, b}, Prefer: map[string]string{"x": filepath.Join(b, "x")}})
	if m := cat.Set().Lookup("x"); m == nil || m.Version != "2" || len(cat.Diagnostics()) > 0 {
		t.Errorf("the preferred package is %+v, diagnostics %v", m, cat.Diagnostics())
	}
	if _, err := (Config{Dirs: []string{a, b}, Prefer: map[string]string{"x": a}}).Open(); err == nil || !strings.Contains(err.Error(), "there is no package x in "+a) {
		t.Errorf("a preference for another folder: %v", err)
	}
}

func TestABrokenPackDoesNotHideOthers(t *testing.T) {
	root := install(t, map[string]fstest.MapFS{"bad": simple("bad", "1", "import('x')"), "good": simple("good", "1", "1"), "json": files(map[string]string{"package.json": "{"})})
	cat := bare(t, Config{Dirs: []string{root}})
	if got := specifiers(cat); !slices.Equal(got, []string{"good"}) {
		t.Errorf("got %q", got)
	}
	list := cat.Diagnostics()
	if len(list) != 2 || list[0].Code != CodeDiscovery || list[0].Level != LevelError || !strings.Contains(list[0].Message, "package bad: i.js:1: import()") || !strings.Contains(list[1].Message, "is no JSON") {
		t.Errorf("diagnostics %v", list)
	}
}

func TestDependenciesBetweenPacks(t *testing.T) {
	root := install(t, map[string]fstest.MapFS{
		"a": simple("a", "1", "import 'b'"), "b": simple("b", "1", "import 'c'; import 'a'"), "c": simple("c", "1", "export const c = 1"),
	})
	cat := bare(t, Config{Dirs: []string{root}})
	if err := cat.Set().Deny([]string{"a", "b", "c"}); err != nil {
		t.Errorf("packs that need each other: %v", err)
	}
	if got := cat.Set("a").Missing(cat.Set("a").Lookup("a")); !slices.Equal(got, []string{"b"}) {
		t.Errorf("a needs %q besides", got)
	}
	err := cat.Set("a", "b").Deny([]string{"a"})
	if want := `cannot import "c" (imported by a): the run is not allowed to import it (allowed: a, b)`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}

	// Without c, b cannot be there, and without b neither can a.
	if err := os.RemoveAll(filepath.Join(root, "c")); err != nil {
		t.Fatal(err)
	}
	cat = bare(t, Config{Dirs: []string{root}})
	for _, s := range cat.Summaries() {
		if s.Available {
			t.Errorf("%s is available", s.Specifier)
		}
	}
	var messages []string
	for _, s := range cat.Diagnostics() {
		messages = append(messages, s.String())
	}
	want := []string{
		"skipped module-dependency-missing: a: it imports b, which is not available",
		"skipped module-dependency-missing: b: it imports c, which is not installed",
	}
	if !slices.Equal(messages, want) {
		t.Errorf("diagnostics %q, want %q", messages, want)
	}
}

// TestAuthoredCodeOnADependency: a module of the pack itself is the way from the code that a
// pack brings to npm.
func TestAuthoredCodeOnADependency(t *testing.T) {
	f := files(map[string]string{
		"package.json": `{"name": "p", "nodetool": {"sandboxModules": [{"kind": "js", "name": ".", "file": "i.js"}, {"kind": "js", "name": "y", "npm": "js-yaml"}]}}`,
		"i.js":         "import { load } from 'p/y'; export const read = (s) => load(s)",
	})
	root := install(t, map[string]fstest.MapFS{"p": f})
	cat := bare(t, Config{Dirs: []string{root}})
	if cat.Set().Lookup("p") != nil {
		t.Error("the module is available, and what it imports is not")
	}
	wantStatus(t, cat.Diagnostics(), LevelSkipped, CodeDependency, "it imports p/y, which is not available")
	cat = bare(t, Config{Dirs: []string{root}, Compiled: artifacts{"js-yaml": {NPM: "js-yaml", Source: "export const load = 1", Exports: []string{"load"}}}})
	if err := cat.Set().Deny([]string{"p"}); err != nil {
		t.Error(err)
	}
}

func TestResolve(t *testing.T) {
	root := install(t, map[string]fstest.MapFS{"geo": geo(), "p": npmPack()})
	cat := bare(t, Config{Dirs: []string{root}})
	digest := cat.Set().Lookup("@acme/geo").Digest
	for _, tt := range []struct {
		name  string
		decls []Declaration
		found []string
		codes []Code
	}{
		{"nothing", nil, nil, nil},
		{"modules in their order, each once", []Declaration{{Specifier: "@acme/geo/extra"}, {Specifier: "@acme/geo"}, {Specifier: "@acme/geo/extra"}}, []string{"@acme/geo/extra", "@acme/geo"}, nil},
		{"what was declared", []Declaration{{"@acme/geo", "1.2.0", digest}}, []string{"@acme/geo"}, nil},
		{"another version", []Declaration{{"@acme/geo", "1.0.0", digest}}, []string{"@acme/geo"}, []Code{CodeVersion}},
		{"other content", []Declaration{{"@acme/geo", "", strings.Repeat("0", 64)}}, []string{"@acme/geo"}, []Code{CodeDigest}},
		{"both", []Declaration{{"@acme/geo", "2", "x"}}, []string{"@acme/geo"}, []Code{CodeVersion, CodeDigest}},
		{"what is not installed", []Declaration{{Specifier: "nope"}, {Specifier: "@acme/geo"}}, []string{"@acme/geo"}, []Code{CodeNotFound}},
		{"what is not available", []Declaration{{Specifier: "p/y"}}, nil, []Code{CodeUnavailable}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := cat.Resolve(tt.decls)
			var got []string
			for _, m := range r.Modules {
				got = append(got, m.Specifier)
			}
			var codes []Code
			for _, s := range r.Statuses {
				codes = append(codes, s.Code)
				if want := s.Code == CodeNotFound || s.Code == CodeUnavailable; (s.Level == LevelError) != want {
					t.Errorf("status %s", s)
				}
				if strings.Contains(s.Message, root) {
					t.Errorf("the status tells a path of the host: %s", s)
				}
			}
			if !slices.Equal(got, tt.found) || !slices.Equal(codes, tt.codes) {
				t.Errorf("found %q with %q, want %q with %q", got, codes, tt.found, tt.codes)
			}
			set := r.Set()
			if got := set.Specifiers(); len(got) != len(tt.found) {
				t.Errorf("the set has %q", got)
			}
			for _, w := range set.Warnings() {
				if w.Level != LevelWarning {
					t.Errorf("the set warns of %s", w)
				}
			}
		})
	}
}

func TestHints(t *testing.T) {
	cat := bare(t, Config{})
	for spec, want := range map[string]string{
		"@nodetool-ai/sandbox-csv":   "import quicksand/hostmods/csv or quicksand/hostmods/all",
		"@nodetool-ai/sandbox-dates": "import quicksand/packs",
		"@nodetool-ai/sandbox-none":  "it is not installed",
		"left-pad":                   "it is not installed",
	} {
		s := cat.Resolve([]Declaration{{Specifier: spec}}).Statuses[0]
		if s.Code != CodeNotFound || !strings.HasSuffix(s.Message, want) {
			t.Errorf("%s: got %s, want %q", spec, s, want)
		}
	}
}

func TestSets(t *testing.T) {
	root := install(t, map[string]fstest.MapFS{"geo": geo(), "p": npmPack(), "geometry": simple("@acme/geometry", "1", "1")})
	cat := bare(t, Config{Dirs: []string{root}})
	for _, tt := range []struct {
		name        string
		allow, want []string
	}{
		{"everything", nil, []string{"@acme/geo", "@acme/geo/extra", "@acme/geometry", "p/y"}},
		{"a package", []string{"@acme/geo"}, []string{"@acme/geo", "@acme/geo/extra"}},
		{"a module", []string{"@acme/geo/extra"}, []string{"@acme/geo/extra"}},
		{"a scope is no package", []string{"@acme/"}, nil},
		{"the same below a scope", []string{"@acme"}, []string{"@acme/geo", "@acme/geo/extra", "@acme/geometry"}},
		{"an empty entry is nothing", []string{""}, nil},
		{"what is not there", []string{"left-pad"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := cat.Set(tt.allow...).Specifiers(); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	var none *Set
	if none.Lookup("@acme/geo") != nil || none.Specifiers() != nil || none.Catalog() != nil || none.Warnings() != nil || none.Allows("@acme/geo") {
		t.Error("a nil set has something")
	}
	if err := none.Deny([]string{"a", "b"}); err == nil || err.Error() != `cannot import "a": not a sandbox package this run serves; "b": not a sandbox package this run serves (nothing is allowed)` {
		t.Errorf("a nil set denies with %v", err)
	}
	if err := none.Deny(nil); err != nil {
		t.Errorf("a nil set denies nothing with %v", err)
	}
	err := cat.Set("@acme/geo", "p").Deny([]string{"@acme/geometry", "p/y", "x", "x", "@acme/geo"})
	var denied *DeniedError
	if !errors.As(err, &denied) || len(denied.Specifiers) != 3 || len(denied.Allowed) != 3 {
		t.Fatalf("got %v", err)
	}
	for i, want := range []string{`"@acme/geometry": the run is not allowed to import it`, `"p/y": installed, but not available: its npm dependency was not compiled`, `"x": not a sandbox package this run serves`} {
		if !strings.HasPrefix(denied.Specifiers[i], want) {
			t.Errorf("got %q, want %q", denied.Specifiers[i], want)
		}
	}
	if strings.Contains(err.Error(), root) {
		t.Errorf("the error tells a path of the host: %v", err)
	}
}

func TestErrorsAskWhatWasMeant(t *testing.T) {
	set := NewSet(&Module{Specifier: "@nodetool-ai/sandbox-yaml"}, &Module{Specifier: "mine/slug"}, &Module{Specifier: "mine"},
		&Module{Specifier: "many/a"}, &Module{Specifier: "many/b"}, &Module{Specifier: "many/c"}, &Module{Specifier: "many/d"})
	for _, tt := range []struct{ name, spec, want string }{
		{"the name of a library that ships", "yaml", `, did you mean "@nodetool-ai/sandbox-yaml"?`},
		{"a module without its package", "slug", `, did you mean "mine/slug"?`},
		{"a path within a module", "@nodetool-ai/sandbox-yaml/lib", `, did you mean "@nodetool-ai/sandbox-yaml"?`},
		{"too many to tell", "many", ""},
		{"nothing like it", "lodash", ""},
		{"an empty name", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := set.Deny([]string{tt.spec}).(*DeniedError)
			if want := fmt.Sprintf("%q: not a sandbox package this run serves%s", tt.spec, tt.want); err.Specifiers[0] != want {
				t.Errorf("got %s, want %s", err.Specifiers[0], want)
			}
		})
	}
}

func TestErrorsListWhatIsAllowedWhereThatHelps(t *testing.T) {
	set := bare(t, Config{Dirs: []string{install(t, map[string]fstest.MapFS{"p": npmPack()})}}).Set()
	if err := set.Deny([]string{"p/y"}); err == nil || strings.Contains(err.Error(), "(allowed") || strings.Contains(err.Error(), "nothing") {
		t.Errorf("got %v", err)
	}
	if err := set.Deny([]string{"p/y", "x"}); err == nil || !strings.HasSuffix(err.Error(), "(allowed: p/y)") {
		t.Errorf("got %v", err)
	}
}

func TestErrorsAreShort(t *testing.T) {
	packs := make(map[string]fstest.MapFS)
	var specs []string
	for i := range 60 {
		packs[fmt.Sprint("p", i)] = simple(fmt.Sprint("p", i), "1", "1")
		specs = append(specs, fmt.Sprint("x", i))
	}
	err := bare(t, Config{Dirs: []string{install(t, packs)}}).Set().Deny(specs)
	if err == nil || strings.Count(err.Error(), "and 20 more") != 2 {
		t.Errorf("got %v", err)
	}
}

// TestWhatAProgramShips has a file system of its own, and the host module of other tests.
func TestWhatAProgramShips(t *testing.T) {
	large := simple("large", "1", "//"+strings.Repeat("x", MaxFile))
	ship := make(fstest.MapFS)
	for dir, f := range map[string]fstest.MapFS{"geo": geo(), "large": large, "missing": with(simple("missing", "3", ""), map[string]string{"i.js": ""}), "broken": simple("broken", "1", "import('x')")} {
		for name, file := range f {
			ship[dir+"/"+name] = file
		}
	}
	before := ships.list
	t.Cleanup(func() { ships.list = before })
	Ship(notBuilt{ship})
	cat, err := Config{Compiled: artifacts{}}.Open()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := specifiers(cat), []string{"@acme/geo", "@acme/geo/extra", "@nodetool-ai/sandbox-echo", "broken", "large", "missing"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := cat.Set().Deny([]string{"@acme/geo", "@acme/geo/extra", "@nodetool-ai/sandbox-echo", "large"}); err != nil {
		t.Error(err)
	}
	if err := cat.Set().Deny([]string{"missing"}); err == nil || !strings.Contains(err.Error(), "not available: run make") {
		t.Errorf("got %v", err)
	}
	wantStatus(t, cat.Diagnostics(), LevelSkipped, CodeNotBuilt, "run make")
	wantStatus(t, cat.Diagnostics(), LevelError, CodeDiscovery, "package broken: i.js:1: import()")
	if s := cat.Skill("@nodetool-ai/sandbox-echo"); s == nil || !s.Trusted || s.Description != "Gives back what it gets." || s.Body != "Body." {
		t.Errorf("the documentation of a host module is %+v", s)
	}

	t.Run("an installed package takes the place of a shipped one", func(t *testing.T) {
		root := install(t, map[string]fstest.MapFS{"geo": simple("@acme/geo", "9", "1")})
		cat, err := Config{Dirs: []string{root}, Compiled: artifacts{}}.Open()
		if err != nil {
			t.Fatal(err)
		}
		if m := cat.Set().Lookup("@acme/geo"); m == nil || m.Version != "9" || cat.Set().Lookup("@acme/geo/extra") != nil {
			t.Errorf("got %+v", m)
		}
		if slices.ContainsFunc(cat.Diagnostics(), func(s Status) bool { return s.Code == CodeDuplicate }) {
			t.Errorf("diagnostics %v", cat.Diagnostics())
		}
		if cat.Skill("@acme/geo").Trusted {
			t.Error("the documentation of the installed package is trusted")
		}
	})
	t.Run("a package that breaks a rule in its manifest is a defect of the program", func(t *testing.T) {
		defer func() {
			if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "version must be a string") {
				t.Errorf("panic %v", p)
			}
		}()
		Ship(files(map[string]string{"x/package.json": `{"name": "x", "version": 1, "nodetool": {"sandboxModules": [{"kind": "js", "name": ".", "file": "i.js"}]}}`}))
	})
}

// notBuilt is a file system in which code may be missing, for a reason of its own.
type notBuilt struct{ files fstest.MapFS }

func (f notBuilt) Open(name string) (fs.File, error) {
	file, err := f.files.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("run make")}
	}
	return file, err
}

func TestTrust(t *testing.T) {
	root := install(t, map[string]fstest.MapFS{"a": simple("a", "1", "1"), "b": simple("b", "1", "1")})
	for _, tt := range []struct {
		trust []string
		a, b  bool
	}{
		{nil, false, false}, {[]string{"a"}, true, false}, {[]string{"*"}, true, true}, {[]string{"c"}, false, false},
	} {
		cat := bare(t, Config{Dirs: []string{root}, Trust: tt.trust})
		if a, b := cat.Skill("a").Trusted, cat.Skill("b").Trusted; a != tt.a || b != tt.b {
			t.Errorf("%q: trusted %v and %v, want %v and %v", tt.trust, a, b, tt.a, tt.b)
		}
	}
	if bare(t, Config{}).Skill("a") != nil {
		t.Error("a package that is not there has documentation")
	}
}

func TestSummaries(t *testing.T) {
	cat := bare(t, Config{Dirs: []string{install(t, map[string]fstest.MapFS{"geo": geo(), "p": npmPack()})}})
	list := cat.Summaries()
	for i := range list {
		if !isDigest(list[i].Digest) {
			t.Errorf("%s has the digest %q", list[i].Specifier, list[i].Digest)
		}
		list[i].Digest = "d"
	}
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"specifier":"@acme/geo","packName":"@acme/geo","packVersion":"1.2.0","kind":"js","description":"Distances.","contentDigest":"d","available":true},` +
		`{"specifier":"@acme/geo/extra","packName":"@acme/geo","packVersion":"1.2.0","kind":"js","description":"Distances.","contentDigest":"d","available":true},` +
		`{"specifier":"p/y","packName":"p","kind":"js","contentDigest":"d","available":false}]`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	if got := cat.Modules("@acme/geo"); !slices.Equal(got, []string{"@acme/geo", "@acme/geo/extra"}) || cat.Modules("x") != nil {
		t.Errorf("the modules of a package are %q", got)
	}
	packs := cat.Packs()
	if len(packs) != 2 || packs[1].Name != "p" || packs[1].NPM["p/y"] != "js-yaml" || !isDigest(packs[0].Digest) || packs[0].NPM != nil {
		t.Errorf("the packages are %+v", packs)
	}
}

func TestCatalogsAreSafeForConcurrentUse(t *testing.T) {
	before := ships.list
	t.Cleanup(func() { ships.list = before })
	ship := make(fstest.MapFS)
	for name, file := range geo() {
		ship["geo/"+name] = file
	}
	Ship(ship)
	cat, err := Config{Compiled: artifacts{}}.Open()
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			set := cat.Set()
			if set.Lookup("@acme/geo") == nil || len(cat.Summaries()) == 0 || cat.Skill("@acme/geo") == nil || set.Deny([]string{"x"}) == nil {
				t.Error("something is missing")
			}
			cat.Diagnostics()
		})
	}
	wg.Wait()
}

// FuzzDiscovery: no file makes discovery panic, and what is found stays within the package.
func FuzzDiscovery(f *testing.F) {
	f.Add(string(geo()["package.json"].Data), string(geo()["sandbox/geo.js"].Data), "---\nname: a\ndescription: b\n---")
	f.Add(entryOf(`{"kind": "js", "name": ".", "file": "sandbox/geo.js"}`), "import '@acme/pack'; export const { a, b: [c] } = 1", "")
	f.Fuzz(func(t *testing.T, manifest, code, skill string) {
		p, err := discover(with(geo(), map[string]string{"package.json": manifest, "sandbox/geo.js": code, "SKILL.md": skill}), "/x", false, artifacts{})
		if err != nil {
			return
		}
		for _, m := range p.modules {
			if PackOf(m.Specifier) != p.name || !isDigest(m.Digest) {
				t.Fatalf("module %+v of %s", m.Module, p.name)
			}
			if m.why.Code == "" && m.Kind == JS && m.Files[m.Entry] == "" && code != "" && m.Entry == "sandbox/geo.js" {
				t.Fatalf("module %+v has no code", m.Module)
			}
		}
	})
}
