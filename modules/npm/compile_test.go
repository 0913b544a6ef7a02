package npm

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quicksand"
	"quicksand/modules"
)

// write makes a directory of files from a text: "-- path --" in a line begins one.
func write(t testing.TB, dir, text string) string {
	t.Helper()
	var name string
	var content strings.Builder
	flush := func() {
		if name == "" {
			content.Reset()
			return
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		content.Reset()
	}
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "-- "); ok && strings.HasSuffix(rest, " --") {
			flush()
			name = strings.TrimSuffix(rest, " --")
			continue
		}
		content.WriteString(line)
	}
	flush()
	return dir
}

func bundleOf(t *testing.T, dir, npm string) *modules.Artifact {
	t.Helper()
	a, err := Bundle(t.Context(), dir, npm, Options{Cache: modules.NewCache(t.TempDir())})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// run evaluates a program that imports the artifact as "dep".
func run(t *testing.T, a *modules.Artifact, program string) string {
	t.Helper()
	if a.Skip != nil {
		t.Fatalf("%s: %s", a.Skip.Code, a.Skip.Message)
	}
	result, err := quicksand.Run(t.Context(), program, quicksand.Options{Modules: map[string]quicksand.Module{"dep": {Code: a.Source}}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := result.Value.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestDependenciesBecomeModules(t *testing.T) {
	for _, tt := range []struct{ name, files, npm, exports, program, want string }{
		{"an ECMAScript module with a default and names", `
-- node_modules/dep/package.json --
{"name": "dep", "type": "module", "exports": "./index.js"}
-- node_modules/dep/index.js --
export const a = 1; export default function f() { return 2 }
`, "dep", "a default", `import f, { a } from "dep"; return [a, f()]`, `[1,2]`},
		{"one without a default", `
-- node_modules/dep/index.mjs --
export const a = 1
-- node_modules/dep/package.json --
{"module": "index.mjs"}
`, "dep", "a", `import { a } from "dep"; return a`, `1`},
		{"CommonJS: its properties are named exports", `
-- node_modules/dep/index.js --
exports.parse = (x) => JSON.parse(x); exports["not-a-name"] = 1; exports.class = 2; exports.$ = 3
`, "dep", "$ default parse", `import dep, { parse, $ } from "dep"; return [parse("[1]"), $, dep["not-a-name"], dep.class]`, `[[1],3,1,2]`},
		{"CommonJS that exports a function with properties", `
-- node_modules/dep/package.json --
{"main": "lib"}
-- node_modules/dep/lib/index.js --
module.exports = function (x) { return x * 2 }; module.exports.half = (x) => x / 2
`, "dep", "default half", `import twice, { half } from "dep"; return [twice(2), half(2)]`, `[4,1]`},
		{"CommonJS that exports a value", `
-- node_modules/dep/index.js --
module.exports = 42
`, "dep", "default", `import n from "dep"; return n`, `42`},
		{"CommonJS that was an ECMAScript module", `
-- node_modules/dep/index.js --
Object.defineProperty(exports, "__esModule", { value: true }); exports.default = () => 1; exports.two = 2
`, "dep", "default two", `import f, { two } from "dep"; return [f(), two]`, `[1,2]`},
		{"the same without a default", `
-- node_modules/dep/index.js --
Object.defineProperty(exports, "__esModule", { value: true }); exports.two = 2
`, "dep", "default two", `import dep, { two } from "dep"; return [dep.two, two]`, `[2,2]`},
		{"CommonJS with a property that throws when it is read does without names", `
-- node_modules/dep/index.js --
module.exports = { a: 1, get b() { throw new Error("not now") } }
`, "dep", "default", `import dep from "dep"; return dep.a`, `1`},
		{"a path in a package", `
-- node_modules/dep/locale/de.js --
export default "de"
`, "dep/locale/de", "default", `import l from "dep"; return l`, `"de"`},
		{"a path through exports", `
-- node_modules/@s/dep/package.json --
{"exports": {"./features/*.js": null, "./f/*": "./src/*.js"}}
-- node_modules/@s/dep/src/a/b.js --
export const b = 1
`, "@s/dep/f/a/b", "b", `import { b } from "dep"; return b`, `1`},
		{"import conditions, in the order of the package", `
-- node_modules/dep/package.json --
{"exports": {".": {"browser": "./browser.js", "node": "./node.js", "import": {"types": "./x.d.ts", "default": "./esm.mjs"}, "require": "./cjs.cjs", "default": "./default.js"}}}
-- node_modules/dep/esm.mjs --
export const v = "esm"
`, "dep", "v", `import { v } from "dep"; return v`, `"esm"`},
		{"require conditions where it is required", `
-- node_modules/dep/index.js --
const other = require("other"); module.exports = other("x")
-- node_modules/other/package.json --
{"exports": {"import": "./esm.mjs", "require": "./cjs.cjs"}}
-- node_modules/other/esm.mjs --
export default (x) => "esm " + x
-- node_modules/other/cjs.cjs --
module.exports = (x) => "cjs " + x
`, "dep", "default", `import v from "dep"; return v`, `"cjs x"`},
		{"require of what has only import conditions", `
-- node_modules/dep/index.js --
module.exports = require("other").v
-- node_modules/other/package.json --
{"exports": {"import": "./esm.mjs"}}
-- node_modules/other/esm.mjs --
export const v = 7
`, "dep", "default", `import v from "dep"; return v`, `7`},
		{"imports of the package itself and of its own name", `
-- node_modules/dep/package.json --
{"name": "dep", "type": "module", "imports": {"#in/*": "./src/*.js", "#out": {"node": "fs", "default": "other"}}, "exports": {".": "./index.js", "./self": "./self.js"}}
-- node_modules/dep/index.js --
import a from "#in/a"; import b from "#out"; import { c } from "dep/self"; export const all = [a, b, c]
-- node_modules/dep/src/a.js --
export default 1
-- node_modules/dep/self.js --
export const c = 3
-- node_modules/other/index.js --
module.exports = 2
`, "dep", "all", `import { all } from "dep"; return all`, `[1,2,3]`},
		{"another version below the package", `
-- node_modules/dep/index.js --
module.exports = [require("other"), require("./lib/x")]
-- node_modules/dep/lib/x/index.js --
module.exports = require("other/package.json").version
-- node_modules/dep/node_modules/other/index.js --
module.exports = "inner"
-- node_modules/dep/node_modules/other/package.json --
{"version": "2.0.0"}
-- node_modules/other/index.js --
module.exports = "outer"
`, "dep", "default", `import v from "dep"; return v`, `["inner","2.0.0"]`},
		{"how Node.js imports CommonJS into a module", `
-- node_modules/dep/package.json --
{"type": "module", "main": "index.js"}
-- node_modules/dep/index.js --
import other from "other"; export const kind = typeof other, named = other.default
-- node_modules/other/index.js --
exports.__esModule = true; exports.default = 5
`, "dep", "kind named", `import { kind, named } from "dep"; return [kind, named]`, `["object",5]`},
		{"CommonJS as only Node.js takes it", `
-- node_modules/dep/index.js --
#!/usr/bin/env node
var undefined_global = this === module.exports; exports.a = 010; exports.b = require("./b"); exports.c = undefined_global; return; exports.d = 1
-- node_modules/dep/b.js --
module.exports = typeof module === "object" && module.exports ? "object" : self
`, "dep", "a b c default", `import { a, b, c } from "dep"; return [a, b, c]`, `[8,"object",true]`},
		{"a require that may fail", `
-- node_modules/dep/index.js --
let fs = null; try { fs = require("fs") } catch {} try { fs = require("absent") } catch {} module.exports = fs === null
`, "dep", "default", `import v from "dep"; return v`, `true`},
		{"a require of a computed name, which throws", `
-- node_modules/dep/index.js --
module.exports = (x) => { try { return require("../../../" + x + "/y") } catch (e) { return e.message.includes("not supported") } }
`, "dep", "default", `import f from "dep"; return f("etc")`, `true`},
		{"what a package has for browsers, where the rest needs Node.js", `
-- node_modules/dep/package.json --
{"browser": {"./node.js": "./browser.js", "fs": false, "util": "other"}}
-- node_modules/dep/index.js --
module.exports = [require("./node"), Object.keys(require("fs")), require("util")]
-- node_modules/dep/node.js --
module.exports = require("crypto")
-- node_modules/dep/browser.js --
module.exports = "browser"
-- node_modules/other/index.js --
module.exports = "other"
`, "dep", "default", `import v from "dep"; return v`, `["browser",[],"other"]`},
		{"a package with the name of a builtin", `
-- node_modules/dep/index.js --
module.exports = [require("events"), require("punycode/")]
-- node_modules/events/index.js --
module.exports = "installed"
-- node_modules/punycode/index.js --
module.exports = "too"
`, "dep", "default", `import v from "dep"; return v`, `["installed","too"]`},
		{"what is only a mention of eval and the global object", `
-- node_modules/dep/index.js --
var root = typeof self == "object" && self || typeof global == "object" && global || Function("return this")();
var other = new Function('return this')();
module.exports = [root === globalThis, other === globalThis, { eval: eval }.eval === undefined, process.env.NODE_ENV]
`, "dep", "default", `import v from "dep"; return v`, `[true,true,true,"production"]`},
		{"files without side effects are left out", `
-- node_modules/dep/package.json --
{"type": "module", "sideEffects": ["./keep.js"], "exports": "./index.js"}
-- node_modules/dep/index.js --
import "./drop.js"; import "./keep.js"; export const a = globalThis.kept
-- node_modules/dep/drop.js --
throw new Error("evaluated")
-- node_modules/dep/keep.js --
globalThis.kept = 1
`, "dep", "a", `import { a } from "dep"; return a`, `1`},
		{"TypeScript, JSON and import() of names that are known", `
-- node_modules/dep/package.json --
{"type": "module", "main": "index.js"}
-- node_modules/dep/index.js --
import { t } from "./t.ts"; import data from "./data.json" with { type: "json" };
export const all = async () => [t(1), data, (await import("./lazy.js")).lazy]
-- node_modules/dep/t.ts --
export const t = (x: number): string => String(x)
-- node_modules/dep/data.json --
{"a": [1]}
-- node_modules/dep/lazy.js --
export const lazy = 2
`, "dep", "all", `import { all } from "dep"; return await all()`, `["1",{"a":[1]},2]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := bundleOf(t, write(t, t.TempDir(), tt.files), tt.npm)
			got := run(t, a, tt.program)
			if exports := strings.Join(a.Exports, " "); exports != tt.exports {
				t.Errorf("exports %q, want %q", exports, tt.exports)
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestDependenciesAreSkipped(t *testing.T) {
	for _, tt := range []struct {
		name, files string
		code        modules.Code
		message     string
		slow        bool
	}{
		{name: "it imports builtins", files: `
-- node_modules/dep/index.js --
require("node:fs"); require("path"); require("fs/promises"); require("./more")
-- node_modules/dep/more.js --
require("stream/web")
`, code: modules.CodeBuiltinImport, message: "dep imports builtins of Node.js: fs/promises, node:fs, path, stream/web"},
		{name: "it imports builtins in what it has for browsers as well", files: `
-- node_modules/dep/package.json --
{"browser": "b.js"}
-- node_modules/dep/index.js --
require("fs")
-- node_modules/dep/b.js --
require("net")
`, code: modules.CodeBuiltinImport, message: "dep imports builtins of Node.js: fs"},
		{name: "it is not installed", code: modules.CodeUnresolved, message: "dep needs what is not installed: dep"},
		{name: "what it needs is not installed", files: `
-- node_modules/dep/index.js --
import "absent-b"; import "absent-a"; import "./gone.js"
`, code: modules.CodeUnresolved, message: "dep needs what is not installed: ./gone.js, absent-a, absent-b"},
		{name: "it does not export itself", files: `
-- node_modules/dep/package.json --
{"exports": {"./x": "./index.js"}}
-- node_modules/dep/index.js --
`, code: modules.CodeUnresolved, message: "dep needs what is not installed: dep"},
		{name: "exports that leave the package", files: `
-- node_modules/dep/package.json --
{"exports": "./../other/index.js"}
-- node_modules/other/index.js --
`, code: modules.CodeUnresolved, message: "dep needs what is not installed: dep"},
		{name: "it imports an address", files: `
-- node_modules/dep/index.js --
import "https://example.com/x.js"; import "data:text/javascript,1"; import "//x/y"
`, code: modules.CodeUnresolved, message: "dep needs what is not installed: //x/y, data:text/javascript,1, https://example.com/x.js"},
		{name: "it imports absolute paths", files: `
-- node_modules/dep/index.js --
import "/etc/passwd"
`, code: modules.CodeUnresolved, message: "dep needs what is not installed: /etc/passwd"},
		{name: "it leaves node_modules", files: `
-- node_modules/dep/index.js --
import "../../../../../../../../../../../../etc/hostname"
`, code: modules.CodeBundleFailed, message: "dep cannot be bundled: \"../../../../../../../../../../../../etc/hostname\": it is outside of the package and of node_modules"},
		{name: "it has a syntax error", files: `
-- node_modules/dep/index.js --
export const a =
`, code: modules.CodeBundleFailed, message: `dep cannot be bundled: Unexpected end of file (node_modules/dep/index.js:2:1)`},
		{name: "it has a syntax error beside imports", files: `
-- node_modules/dep/index.js --
import "./a.js"
const = require("./" + x)
-- node_modules/dep/a.js --
`, code: modules.CodeBundleFailed, message: `dep cannot be bundled: "node_modules/dep/index.js": Expected identifier but found "=" (2:7)`},
		{name: "it nests without end", files: "-- node_modules/dep/index.js --\nmodule.exports = " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "\n",
			code: modules.CodeBundleFailed, message: `dep cannot be bundled: "node_modules/dep/index.js": its code nests too deep: 5002 levels, the limit is 1000`},
		{name: "its JSON nests without end", files: "-- node_modules/dep/index.js --\nmodule.exports = require('./a.json')\n-- node_modules/dep/a.json --\n" + strings.Repeat("[", 100_000) + "\n",
			code: modules.CodeBundleFailed, message: `dep cannot be bundled: "node_modules/dep/a.json": its code nests too deep: more than 1000 levels`},
		{name: "it has files of other kinds", files: `
-- node_modules/dep/index.js --
import "./style.css"
-- node_modules/dep/style.css --
a {}
`, code: modules.CodeBundleFailed, message: `dep cannot be bundled: "node_modules/dep/style.css": only JavaScript and JSON can be bundled`},
		{name: "a file is too large", files: "-- node_modules/dep/index.js --\n//" + strings.Repeat("x", maxFile) + "\n",
			code: modules.CodeBundleFailed, message: `dep cannot be bundled: "dep": the dependency is too large: a file of 8388611 bytes is more than 8388608`},
		{name: "the bundle is too large", files: "-- node_modules/dep/index.js --\nmodule.exports = \"" + strings.Repeat("x", modules.MaxBundle) + "\"\n",
			code: modules.CodeTooLarge, message: `the bundle has 1050240 bytes, more than the limit of 1048576`},
		{name: "it imports computed names", files: `
-- node_modules/dep/index.js --
export const f = (x) => import(x)
`, code: modules.CodeScanRejected, message: "dynamic import() of a computed name (2:16, node_modules/dep/index.js:1:25)"},
		{name: "it imports by a pattern", files: `
-- node_modules/dep/index.js --
export const f = (x) => import("./" + x + ".js")
`, code: modules.CodeScanRejected, message: "dynamic import() of a computed name (2:16, node_modules/dep/index.js:1:25)"},
		{name: "it needs a global", files: `
-- node_modules/dep/index.js --
import { cwd } from "./b.js"
export const f = () => cwd()
-- node_modules/dep/b.js --
export const cwd = (dir = process.cwd()) => dir
`, code: modules.CodeForbiddenGlobal, message: "it needs globals that guests do not have: process (process at 2:18, node_modules/dep/b.js:1:27)"},
		{name: "it throws when it is evaluated", files: `
-- node_modules/dep/index.js --
throw new TypeError("no luck here")
`, code: modules.CodeProbeFailed, message: "dep does not initialize in a guest: TypeError: no luck here"},
		{name: "it uses a timer when it is evaluated", files: `
-- node_modules/dep/index.js --
setTimeout(() => {}, 1)
`, code: modules.CodeProbeFailed, message: "dep does not initialize in a guest: ReferenceError: setTimeout is not defined"},
		{name: "it makes code from text when it is evaluated", files: `
-- node_modules/dep/index.js --
export const a = Function("a", "return a")
`, code: modules.CodeProbeFailed, message: "dep does not initialize in a guest: TypeError: code generation from strings is disabled"},
		{name: "it takes too much memory when it is evaluated", files: `
-- node_modules/dep/index.js --
const all = []; for (;;) all.push(new Array(10000).fill(1))
`, code: modules.CodeProbeFailed, message: "dep does not initialize in a guest: ", slow: true},
		{name: "it goes on without end when it is evaluated", files: `
-- node_modules/dep/index.js --
for (;;);
`, code: modules.CodeProbeFailed, message: "dep does not initialize in a guest: ", slow: true},
		{name: "it waits without end when it is evaluated", files: `
-- node_modules/dep/package.json --
{"type": "module", "main": "index.js"}
-- node_modules/dep/index.js --
await new Promise(() => {})
`, code: modules.CodeProbeFailed, message: "dep does not initialize in a guest: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.slow && testing.Short() {
				t.Skip("waits until the limit is reached")
			}
			a := bundleOf(t, write(t, t.TempDir(), tt.files), "dep")
			if a.Skip == nil {
				t.Fatalf("it is a module: %q", cut(a.Source, 500))
			}
			if a.Skip.Code != tt.code || !strings.HasPrefix(a.Skip.Message, tt.message) {
				t.Errorf("got  %s: %s\nwant %s: %s", a.Skip.Code, a.Skip.Message, tt.code, tt.message)
			}
			if a.Source != "" || a.Exports != nil || a.Warnings != nil {
				t.Error("a skipped dependency has a module")
			}
		})
	}
}

func TestReadingStaysInside(t *testing.T) {
	outside := write(t, t.TempDir(), "-- secret.js --\nmodule.exports = 'secret'\n-- dep/index.js --\nmodule.exports = 'secret'\n-- dep/package.json --\n{\"main\": \"index.js\"}\n")
	link := func(t *testing.T, to, at string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, at); err != nil {
			t.Skip(err)
		}
	}
	for _, tt := range []struct {
		name string
		make func(t *testing.T, dir string)
		want string // module, or empty for a refusal
	}{
		{"a file that is a link to the outside", func(t *testing.T, dir string) {
			link(t, filepath.Join(outside, "secret.js"), filepath.Join(dir, "node_modules/dep/index.js"))
		}, ""},
		{"a package that is a link to the outside", func(t *testing.T, dir string) {
			link(t, filepath.Join(outside, "dep"), filepath.Join(dir, "node_modules/dep"))
		}, ""},
		{"a node_modules that is a link to the outside", func(t *testing.T, dir string) { link(t, outside, filepath.Join(dir, "node_modules")) }, ""},
		{"a main that leaves the package", func(t *testing.T, dir string) {
			rel, err := filepath.Rel(filepath.Join(dir, "node_modules/dep"), filepath.Join(outside, "secret.js"))
			if err != nil {
				t.Fatal(err)
			}
			write(t, dir, "-- node_modules/dep/package.json --\n{\"main\": \""+filepath.ToSlash(rel)+"\"}\n")
		}, ""},
		{"a link within node_modules, as some clients make them", func(t *testing.T, dir string) {
			write(t, dir, "-- node_modules/.store/dep@1/node_modules/dep/index.js --\nmodule.exports = require('other')\n-- node_modules/.store/dep@1/node_modules/other/index.js --\nmodule.exports = 'inside'\n")
			link(t, filepath.FromSlash(".store/dep@1/node_modules/dep"), filepath.Join(dir, "node_modules/dep"))
		}, `"inside"`},
		{"a node_modules above", func(t *testing.T, dir string) {
			write(t, filepath.Dir(dir), "-- node_modules/dep/index.js --\nmodule.exports = 'above'\n")
		}, `"above"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "packs", "p")
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			tt.make(t, dir)
			a := bundleOf(t, dir, "dep")
			if tt.want != "" {
				if got := run(t, a, `import v from "dep"; return v`); got != tt.want {
					t.Errorf("got %s, want %s", got, tt.want)
				}
				return
			}
			if a.Skip == nil || a.Skip.Code != modules.CodeBundleFailed || !strings.Contains(a.Skip.Message, "outside of the package") {
				t.Errorf("got %+v %q, want a refusal", a.Skip, a.Source)
			}
		})
	}
}

func TestBundleEndsWithItsContext(t *testing.T) {
	dir := write(t, t.TempDir(), "-- node_modules/dep/index.js --\nfor (;;);\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Bundle(ctx, dir, "dep", Options{Cache: modules.NewCache(t.TempDir())}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's end", err)
	}
	// The own limit is an outcome, and not kept.
	cache := modules.NewCache(t.TempDir())
	a, err := Bundle(t.Context(), dir, "dep", Options{Cache: cache, Timeout: 50 * time.Millisecond})
	if err != nil || a.Skip == nil || a.Skip.Code != modules.CodeBundleFailed || !strings.Contains(a.Skip.Message, "within 50ms") {
		t.Errorf("got %+v, %v", a, err)
	}
	if cache.Lookup(dir, "dep") != nil {
		t.Error("the cache has it")
	}
}

func TestBundleNeedsAName(t *testing.T) {
	for _, npm := range []string{"", ".", "..", "./x", "../x", "/x", "@", "@s", "@s/", "a//b", "node_modules", "@s/..", "a%2fb", "http://x"} {
		if a, err := Bundle(t.Context(), t.TempDir(), npm, Options{Cache: modules.NewCache(t.TempDir())}); err == nil && a.Skip == nil {
			t.Errorf("%q is a module", npm)
		}
	}
}
