package npm

import (
	"errors"
	"strings"
	"testing"

	"quicksand/modules"
)

// findings are those of a scan as one text: hard ones with an exclamation mark.
func findings(list []finding) string {
	var names []string
	for _, f := range list {
		if f.hard {
			names = append(names, f.name+"!")
		} else {
			names = append(names, f.name)
		}
	}
	return strings.Join(names, " ")
}

func TestScanFindsGlobals(t *testing.T) {
	for _, tt := range []struct{ name, code, want string }{
		// What is free.
		{"a free name is needed", `export const a = process.env`, "process!"},
		{"several names are sorted", `export const a = [window, process, document]`, "document! process! window!"},
		{"a name in escapes is the same name", `export const a = \u0070rocess.env`, "process!"},
		{"a variable of the module is not free", `const process = { env: 1 }; export const a = process.env`, ""},
		{"a variable below is not free, since var is hoisted", `export const a = () => { process = 1; var process; return process }`, ""},
		{"a function is hoisted", `export const a = alert(); function alert() {}`, ""},
		{"a parameter is not free", `export function f(window) { return window.x }`, ""},
		{"a caught error is not free", `export const f = () => { try { f() } catch (self) { return self } }`, ""},
		{"the name of a class expression is not free inside", `export const C = class top { m() { return top } }`, ""},
		{"a variable of a for is not free", `export const f = () => { for (const top of []) f(top) }`, ""},
		{"a variable that ends before does not count", `export const f = () => { { let top = 1; f(top) } return top }`, "top!"},
		{"a let inside a switch is not free", `export const f = (x) => { switch (x) { case 1: let process = 2; return process } }`, ""},
		{"the names of properties are not free", `export const a = { process: 1, window() {} }; export const b = a.process + a.window`, ""},
		{"a short property is a reference", `export const a = { process }`, "process!"},
		{"a label is no reference", `export const f = () => { top: for (;;) { break top } }`, ""},
		{"the name of an export is no reference", `const x = 1; export { x as module }`, ""},
		{"the name in a string is no reference", `export const a = "process.env"`, ""},
		{"the default of a parameter is a reference", `export function f(a = process.cwd()) { return a }`, "process!"},
		{"the default in a pattern is a reference", `export const f = ({ a = window.b }) => a`, "window!"},
		{"an assignment is a reference", `export const f = () => { window = 1 }`, "window!"},
		{"eval is a reference", `export const f = (s) => eval(s)`, "eval!"},
		{"require is one where nothing defines it", `export const f = (s) => require(s)`, "require!"},
		{"module and exports are", `export const f = () => { module.exports = exports }`, "exports! module!"},
		{"Function is there", `export const f = () => Function("return 1")`, ""},
		{"what guests have is no finding", `export const a = [URL, TextEncoder, structuredClone, queueMicrotask, crypto, AbortController, Intl, globalThis]`, ""},
		{"code that nothing reaches does not count", `function f() { return process }; export const a = 1`, ""},

		// What is only looked for.
		{"typeof does not need it", `export const a = typeof process`, "process"},
		{"typeof in parentheses neither", `export const a = typeof (process)`, "process"},
		{"typeof of a property does", `export const a = typeof process.env`, "process!"},
		{"the right side of &&", `export const a = typeof process !== "undefined" && process.env`, "process"},
		{"the right side of ||", `export const a = typeof process === "undefined" || process.env`, "process"},
		{"a question", `export const a = typeof window === "object" ? window.x : 0`, "window"},
		{"the wrong branch of a question", `export const a = typeof window === "object" ? 0 : window.x`, "window!"},
		{"an if", `export const f = () => { if (typeof window !== "undefined") { return window.x } }`, "window"},
		{"the wrong branch of an if", `export const f = () => { if (typeof process === "undefined") process.exit() }`, "process!"},
		{"the else of an if", `export const f = () => { if (typeof process !== "undefined") return 1; else process.exit() }`, "process!"},
		{"a return before", `export const f = () => { if (typeof window === "undefined") return 0; return window.x }`, "window"},
		{"the test of another name", `export const f = () => typeof window !== "undefined" && document.title`, "document window"},
		{"a test that another name may pass", `export const f = (x) => (typeof window !== "undefined" || x) && window.x`, "window!"},
		{"as minifiers write it", `export const a=typeof self<"u"?self:typeof window<"u"?window:1`, "self window"},
		{"behind typeof globalThis", `export const a = typeof globalThis !== "undefined" ? globalThis : self`, "self"},
		{"a flag at the top", `const isNode = typeof process !== "undefined" && process.versions.node;
			export const f = () => isNode ? process.cwd() : 0`, "process"},
		{"a flag that is a var", `var isBrowser = typeof window !== "undefined"; export const f = () => { if (isBrowser) return window.x }`, "window"},
		{"a flag that holds the function itself", `var hasNow = typeof setImmediate === "function" && setImmediate; export let defer = queueMicrotask; if (hasNow) defer = setImmediate`, "setImmediate"},
		{"a flag in a function", `export const f = () => { const a = 1; const isBrowser = typeof window !== "undefined"; return isBrowser && window.x }`, "window"},
		{"a flag that is set later", `export let isBrowser = typeof window !== "undefined"; export const set = () => { isBrowser = true };
			export const f = () => isBrowser && window.x`, "window!"},
		{"a second flag where the first is set later", `var a = typeof window !== "undefined"; export const set = () => { a = true }; var b = typeof process !== "undefined";
			export const f = () => b && process.cwd()`, "process window"},

		// Properties of the global object.
		{"reading one is no need", `export const a = globalThis.process`, "process"},
		{"reading a property of it is", `export const a = globalThis.process.env`, "process!"},
		{"also in brackets", `export const a = globalThis["process"].env`, "process!"},
		{"calling it is", `export const f = () => globalThis.alert(1)`, "alert!"},
		{"an optional chain", `export const a = globalThis.process?.env?.X`, "process"},
		{"a test", `export const a = globalThis.process && globalThis.process.env`, "process"},
		{"a test with in", `export const a = "navigator" in globalThis ? globalThis.navigator.language : 0`, "navigator"},
		{"a module that brings it", `globalThis.process = { env: {} }; export const a = globalThis.process.env`, "process"},
		{"a module that brings it if it is missing", `globalThis.process ??= { env: {} }; export const a = globalThis.process.env`, "process"},
		{"globalThis that is a parameter", `export const f = (globalThis) => globalThis.process.env`, ""},

		// Those of some runs, and of none but not refused.
		{"timers", `export const f = () => setTimeout(f, 1)`, "setTimeout!"},
		{"both branches behind a test for timers", `export const f = () => typeof setTimeout === "function" ? setTimeout(f) : setImmediate(f)`, "setImmediate! setTimeout!"},
		{"globals of browsers", `export const f = () => performance.now()`, "performance!"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list, err := scan(tt.code)
			if err != nil {
				t.Fatal(err)
			}
			if got := findings(list); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestScanRejects(t *testing.T) {
	for _, tt := range []struct{ name, code, want string }{
		{"a syntax error, with its place", "const a = 1;\nconst = 2", "not valid JavaScript: Expected identifier but found \"=\" (2:7)"},
		{"an import", `import a from "a"; export { a }`, `not self-contained: it imports "a"`},
		{"an import for its effects", `import "a"`, `not self-contained: it imports "a"`},
		{"a re-export of everything", `export * from "a"`, `not self-contained: it imports "a"`},
		{"a re-export of a name", `export { b } from "a"`, `not self-contained: it imports "a"`},
		{"an address", `import "https://example.com/a.js"`, `not self-contained: it imports "https://example.com/a.js"`},
		{"import() of a name", `export const f = () => import("a")`, `dynamic import() of "a"`},
		{"text that nests without end", "export const a = " + strings.Repeat("[", 100_000), "not valid JavaScript"},
		{"text that nests too deep", "export const a = " + strings.Repeat("[", 2000) + strings.Repeat("]", 2000), "its code nests too deep: 2001 levels, the limit is 1000"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := scan(tt.code)
			var s *errSkip
			if !errors.As(err, &s) || s.Code != modules.CodeScanRejected || !strings.Contains(s.Message, tt.want) {
				t.Errorf("got %v, want a rejection with %q", err, tt.want)
			}
		})
	}
}

func TestVerdictSaysWhere(t *testing.T) {
	for _, tt := range []struct{ name, code, want string }{
		{"the first place of all names", "export const a = 1;\n\nexport const b = \"😀\" + window.x + process.y;\n", "npm-module-forbidden-global: it needs globals that guests do not have: process, window (window at 3:25)"},
		{"a computed import", "export const f = (x) => import(x)", "npm-module-scan-rejected: dynamic import() of a computed name (1:25)"},
		{"a pattern of imports", "export const f = (x) => import(`./${x}.js`)", "npm-module-scan-rejected: dynamic import() of a computed name (1:25)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := verdict(&bundle{code: []byte(tt.code)})
			if err == nil || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestVerdictWarns(t *testing.T) {
	code := `export const f = () => typeof window !== "undefined" ? window.x : setTimeout(f, performance.now());
		export const g = (x) => typeof document !== "undefined" && import(x)`
	warnings, err := verdict(&bundle{code: []byte(code)})
	if err != nil {
		t.Fatal(err)
	}
	want := "document is looked for, which guests do not have: what depends on it never runs\n" +
		"performance is missing in guests: what uses it throws\n" +
		"setTimeout is there only in runs with timers\n" +
		"window is looked for, which guests do not have: what depends on it never runs"
	if got := strings.Join(warnings, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
