package npm

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quicksand/modules"
)

const cachedPack = `
-- root/package.json --
{"private": true}
-- root/packs/p/package.json --
{"name": "@acme/p", "version": "1.0.0", "nodetool": {"sandboxModules": [
	{"kind": "js", "name": "dep", "npm": "dep"}, {"kind": "js", "name": "part", "npm": "dep/part"}, {"kind": "js", "name": "node", "npm": "node"}, {"kind": "js", "name": "gone", "npm": "gone"}]}}
-- root/packs/p/SKILL.md --
---
name: p
description: about p
---
-- root/node_modules/dep/package.json --
{"main": "lib/index"}
-- root/node_modules/dep/lib/index.js --
exports.a = require("./b") + require("other"); exports.title = typeof document !== "undefined" ? document.title : ""
-- root/node_modules/dep/lib/b.js --
module.exports = 1
-- root/node_modules/dep/part.js --
export const part = 1
-- root/node_modules/other/index.js --
module.exports = 10
-- root/node_modules/node/index.js --
require("fs")
`

// statuses are those of a catalog about npm, without messages.
func statuses(t *testing.T, dir string, cache modules.Compiled) string {
	t.Helper()
	catalog, err := modules.Config{Dirs: []string{dir}, Compiled: cache, Bare: true}.Open()
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, s := range catalog.Diagnostics() {
		if s.Specifier != "" {
			list = append(list, strings.TrimPrefix(s.Specifier, "@acme/p/")+" "+string(s.Code))
		}
	}
	return strings.Join(list, ", ")
}

func TestCompileFillsTheCache(t *testing.T) {
	dir := filepath.Join(write(t, t.TempDir(), cachedPack), "root", "packs", "p")
	cache := modules.NewCache(t.TempDir())
	if got, want := statuses(t, dir, cache), "dep pending-compile, gone pending-compile, node pending-compile, part pending-compile"; !sameParts(got, want) {
		t.Errorf("before: got %s, want %s", got, want)
	}
	report, err := Compile(t.Context(), dir, Options{Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(report, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{ "pack": "@acme/p", "version": "1.0.0", "modules": [ { "specifier": "@acme/p/dep", "npm": "dep", "status": "ready", "code": "npm-module-compiled", "message": "`,
		`"exports": [ "a", "default", "title" ], "warnings": [ "document is looked for, which guests do not have: what depends on it never runs" ] }`,
		`"specifier": "@acme/p/part", "npm": "dep/part", "status": "ready"`,
		`{ "specifier": "@acme/p/node", "npm": "node", "status": "skipped", "code": "npm-module-builtin-import", "message": "node imports builtins of Node.js: fs" }`,
		`{ "specifier": "@acme/p/gone", "npm": "gone", "status": "skipped", "code": "npm-module-unresolved", "message": "gone needs what is not installed: gone" } ] }`,
	} {
		if !strings.Contains(strings.Join(strings.Fields(string(text)), " "), want) {
			t.Errorf("the report lacks %s:\n%s", want, text)
		}
	}
	if got, want := statuses(t, dir, cache), "dep npm-module-warning, dep npm-module-compiled, gone npm-module-unresolved, node npm-module-builtin-import, part npm-module-compiled"; !sameParts(got, want) {
		t.Errorf("after: got %s, want %s", got, want)
	}
	again, err := Compile(t.Context(), dir, Options{Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	forced, err := Compile(t.Context(), dir, Options{Cache: cache, Force: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range again.Modules {
		if !m.Cached || forced.Modules[i].Cached {
			t.Errorf("%s: cached %v, when forced %v", m.NPM, m.Cached, forced.Modules[i].Cached)
		}
	}
	empty, err := Compile(t.Context(), t.TempDir(), Options{Cache: cache})
	if err != nil || empty.Pack != "" || empty.Modules == nil || len(empty.Modules) > 0 {
		t.Errorf("a directory without a package: %+v, %v", empty, err)
	}
}

func sameParts(a, b string) bool {
	count := map[string]int{}
	for s := range strings.SplitSeq(a, ", ") {
		count[s]++
	}
	for s := range strings.SplitSeq(b, ", ") {
		count[s]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

func TestWhatMakesTheCacheStale(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change string // files that are written
		remove string
		stale  bool
	}{
		{name: "nothing", stale: false},
		{name: "a file that has nothing to do with it", change: "-- root/node_modules/unrelated/index.js --\n", stale: false},
		{name: "a lock file", change: "-- root/package-lock.json --\n{}\n", stale: false},
		{name: "the file itself", change: "-- root/node_modules/dep/lib/index.js --\nexports.a = 2\n", stale: true},
		{name: "a file that it requires", change: "-- root/node_modules/dep/lib/b.js --\nmodule.exports = 2\n", stale: true},
		{name: "a file of another package", change: "-- root/node_modules/other/index.js --\nmodule.exports = 20\n", stale: true},
		{name: "the package.json of the dependency", change: "-- root/node_modules/dep/package.json --\n{\"main\": \"lib/index\", \"version\": \"2.0.0\"}\n", stale: true},
		{name: "a package.json where there was none", change: "-- root/node_modules/other/package.json --\n{\"main\": \"index.js\"}\n", stale: true},
		{name: "a package.json below, which says what .js means", change: "-- root/node_modules/dep/lib/package.json --\n{\"type\": \"module\"}\n", stale: true},
		{name: "the package.json of the pack", change: "-- root/packs/p/package.json --\n{\"name\": \"@acme/p\", \"nodetool\": {\"sandboxModules\": [{\"kind\": \"js\", \"name\": \"dep\", \"npm\": \"dep\"}]}}\n", stale: true},
		{name: "the dependency in a nearer node_modules", change: "-- root/packs/p/node_modules/dep/package.json --\n{}\n-- root/packs/p/node_modules/dep/index.js --\n", stale: true},
		{name: "in one between", change: "-- root/packs/node_modules/dep/index.js --\nexports.a = 5\n", stale: true},
		{name: "what it requires in its own node_modules", change: "-- root/node_modules/dep/node_modules/other/index.js --\nmodule.exports = 30\n", stale: true},
		{name: "a file that would be found before", change: "-- root/node_modules/dep/lib/b --\nmodule.exports = 40\n", stale: true},
		{name: "a file that is gone", remove: "root/node_modules/dep/lib/b.js", stale: true},
		{name: "a package that is gone", remove: "root/node_modules/other", stale: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := write(t, t.TempDir(), cachedPack)
			dir := filepath.Join(root, "root", "packs", "p")
			cache := modules.NewCache(t.TempDir())
			if _, err := Bundle(t.Context(), dir, "dep", Options{Cache: cache}); err != nil {
				t.Fatal(err)
			}
			write(t, root, tt.change)
			if tt.remove != "" {
				if err := os.RemoveAll(filepath.Join(root, filepath.FromSlash(tt.remove))); err != nil {
					t.Fatal(err)
				}
			}
			if got := cache.Lookup(dir, "dep") == nil; got != tt.stale {
				t.Errorf("stale %v, want %v", got, tt.stale)
			}
			report, err := Compile(t.Context(), dir, Options{Cache: cache})
			if err != nil {
				t.Fatal(err)
			}
			if m := report.Modules[0]; m.Cached == tt.stale {
				t.Errorf("compiled from the cache: %v", m.Cached)
			}
			if cache.Lookup(dir, "dep") == nil {
				t.Error("it is still stale after it was compiled")
			}
		})
	}
}

func TestSkipsAreCachedUntilSomethingChanges(t *testing.T) {
	dir := filepath.Join(write(t, t.TempDir(), cachedPack), "root", "packs", "p")
	cache := modules.NewCache(t.TempDir())
	for _, npm := range []string{"gone", "node"} {
		if _, err := Bundle(t.Context(), dir, npm, Options{Cache: cache}); err != nil {
			t.Fatal(err)
		}
		if a := cache.Lookup(dir, npm); a == nil || a.Skip == nil {
			t.Errorf("%s is not in the cache: %+v", npm, a)
		}
	}
	write(t, dir, "-- node_modules/gone/index.js --\nmodule.exports = 1\n-- node_modules/fs/index.js --\n")
	if cache.Lookup(dir, "gone") != nil {
		t.Error("gone was installed, and the cache still says that it is missing")
	}
}

func TestSameFilesElsewhereNeedNoSecondProbe(t *testing.T) {
	cache := modules.NewCache(t.TempDir())
	for i, dir := range []string{t.TempDir(), t.TempDir()} {
		write(t, dir, "-- package.json --\n{\"name\": \"p\", \"nodetool\": {\"sandboxModules\": [{\"kind\": \"js\", \"name\": \"dep\", \"npm\": \"dep\"}]}}\n-- node_modules/dep/index.js --\nmodule.exports = { a: 1 }\n")
		report, err := Compile(t.Context(), dir, Options{Cache: cache})
		if err != nil {
			t.Fatal(err)
		}
		if m := report.Modules[0]; m.Level != modules.LevelReady || m.Cached != (i == 1) {
			t.Errorf("%d: %+v", i, m)
		}
		if cache.Lookup(dir, "dep") == nil {
			t.Errorf("%d: the cache does not find it", i)
		}
	}
}

func TestLinksThatLeadOutAreNotCached(t *testing.T) {
	dir := write(t, t.TempDir(), "-- package.json --\n{\"name\": \"p\", \"nodetool\": {\"sandboxModules\": [{\"kind\": \"js\", \"name\": \"dep\", \"npm\": \"dep\"}]}}\n")
	outside := write(t, t.TempDir(), "-- index.js --\n")
	if err := os.MkdirAll(filepath.Join(dir, "node_modules"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "node_modules", "dep")); err != nil {
		t.Skip(err)
	}
	cache := modules.NewCache(t.TempDir())
	report, err := Compile(t.Context(), dir, Options{Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	if m := report.Modules[0]; m.Level != modules.LevelSkipped || m.Uncached != "a link leads out of the package and of node_modules" {
		t.Errorf("got %+v", m)
	}
	if got := statuses(t, dir, cache); got != "p/dep pending-compile" {
		t.Errorf("got %s", got)
	}
}

func TestACacheThatCannotBeWrittenIsNoError(t *testing.T) {
	dir := write(t, t.TempDir(), "-- package.json --\n{\"name\": \"p\", \"nodetool\": {\"sandboxModules\": [{\"kind\": \"js\", \"name\": \"dep\", \"npm\": \"dep\"}]}}\n-- node_modules/dep/index.js --\nmodule.exports = 1\n-- file --\n")
	report, err := Compile(t.Context(), dir, Options{Cache: modules.NewCache(filepath.Join(dir, "file", "cache"))})
	if err != nil {
		t.Fatal(err)
	}
	if m := report.Modules[0]; m.Level != modules.LevelReady || m.Uncached != "the cache cannot be written" {
		t.Errorf("got %+v", m)
	}
}

func TestAProbeThatTookTooLongIsNotCached(t *testing.T) {
	if testing.Short() {
		t.Skip("waits until the limit is reached")
	}
	dir := write(t, t.TempDir(), "-- package.json --\n{\"name\": \"p\", \"nodetool\": {\"sandboxModules\": [{\"kind\": \"js\", \"name\": \"dep\", \"npm\": \"dep\"}]}}\n-- node_modules/dep/index.js --\nfor (;;);\n")
	cache := modules.NewCache(t.TempDir())
	report, err := Compile(t.Context(), dir, Options{Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	if m := report.Modules[0]; m.Code != modules.CodeProbeFailed || m.Uncached != "the probe took too long, which may be the machine's fault" || cache.Lookup(dir, "dep") != nil {
		t.Errorf("got %+v", m)
	}
}
