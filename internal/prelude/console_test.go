package prelude_test

import (
	"regexp"
	"strings"
	"testing"
)

// Each row is a program and the lines it prints; a line of another level than log
// begins with the level in brackets.
var consoleCases = []struct {
	name string
	code string
	want string
}{
	{"plain values are joined by one space", `console.log("a", 1, true, null, undefined, -0, 12n, Symbol("q"), 1.5, NaN);`, `a 1 true null undefined -0 12n Symbol(q) 1.5 NaN`},
	{"nothing prints an empty line", `console.log();`, ``},
	{"each method has its level", `console.log("a"); console.info("b"); console.warn("c"); console.error("d"); console.debug("e");`, "a\n[info] b\n[warn] c\n[error] d\n[debug] e"},
	{"a string stands alone raw and quoted inside an object", `console.log("it's", ["it's", 'a"b', "a\n\t\u0001\ud800", ` + "'`\"\\''" + `]);`, "it's [ \"it's\", 'a\"b', 'a\\n\\t\\x01\\uD800', '`\"\\'' ]"},
	{"objects show keys as written", `console.log({ a: 1, "b-c": 2, 3: 4, [Symbol("s")]: 5, "": 6 });`, `{ '3': 4, a: 1, 'b-c': 2, '': 6, [Symbol(s)]: 5 }`},
	{"empty containers", `console.log({}, [], new Map(), new Set(), new Uint8Array(0));`, `{} [] Map(0) {} Set(0) {} Uint8Array(0) []`},
	{"nesting stops at the fifth level", `console.log({ a: { b: { c: { d: { e: { f: 1 } } } } }, x: [[[[[[1]]]]]] });`,
		"{\n  a: {\n    b: { c: { d: { e: [Object] } } }\n  },\n  x: [\n    [ [ [ [Array] ] ] ]\n  ]\n}"},
	{"a long object has one line for each entry", `console.log({ first: "x".repeat(30), second: "y".repeat(30), third: 3 });`,
		"{\n  first: '" + strings.Repeat("x", 30) + "',\n  second: '" + strings.Repeat("y", 30) + "',\n  third: 3\n}"},
	{"a long array of short items is filled", `console.log(Array.from({ length: 30 }, (_, i) => i));`,
		"[\n  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,\n  21, 22, 23, 24, 25, 26, 27, 28, 29\n]"},
	{"holes and further properties of an array", `const a = [1, , , 4]; a.x = "y"; console.log(a, [,]);`, `[ 1, <2 empty items>, 4, x: 'y' ] [ <1 empty item> ]`},
	{"getters are named and not run", `console.log({ get a() { throw 1; }, set b(v) {}, get c() { return 1; }, set c(v) {} });`, `{ a: [Getter], b: [Setter], c: [Getter/Setter] }`},
	{"circular references are numbered", `const a = { n: 1 }; a.self = a; a.list = [a]; console.log(a);`, `<ref *1> { n: 1, self: [Circular *1], list: [ [Circular *1] ] }`},
	{"shared references are not circular", `const s = { n: 1 }; console.log([s, s]);`, `[ { n: 1 }, { n: 1 } ]`},
	{"Map and Set show their content", `console.log(new Map([["k", { v: 1 }], [{}, 2]]), new Set(["a", [1]]));`, `Map(2) { 'k' => { v: 1 }, {} => 2 } Set(2) { 'a', [ 1 ] }`},
	{"typed arrays, buffers and views", `console.log(new Uint8Array([1, 2]), new Float64Array([0.5, -0]), new BigInt64Array(1), new Uint8Array([255, 1]).buffer, new DataView(new ArrayBuffer(2), 1));`,
		"Uint8Array(2) [ 1, 2 ] Float64Array(2) [ 0.5, -0 ] BigInt64Array(1) [ 0n ] ArrayBuffer { [Uint8Contents]: <ff 01>, byteLength: 2 } DataView {\n  byteLength: 1,\n  byteOffset: 1,\n  buffer: ArrayBuffer { [Uint8Contents]: <00 00>, byteLength: 2 }\n}"},
	{"dates and regular expressions", `console.log(new Date(0), new Date(NaN), /a\/b/gi, [new Date(0)]);`, `1970-01-01T00:00:00.000Z Invalid Date /a\/b/gi [ 1970-01-01T00:00:00.000Z ]`},
	{"functions and classes", `console.log(function f() {}, () => {}, async () => {}, function* g() {}, async function* h() {}, class A {}, class B extends Map {}, class extends Array {}, Map, Math.max);`,
		`[Function: f] [Function (anonymous)] [AsyncFunction (anonymous)] [GeneratorFunction: g] [AsyncGeneratorFunction: h] [class A] [class B extends Map] [class (anonymous) extends Array] [Function: Map] [Function: max]`},
	{"a function with properties", `console.log([Object.assign(function f() {}, { a: 1 })]);`, `[ [Function: f] { a: 1 } ]`},
	{"instances show their class", `class P { constructor() { this.x = 1; } } class M extends Map {} class L extends Array {} console.log(new P(), new M([[1, 2]]), L.of(1), new (class { a = 1 })());`, `P { x: 1 } M(1) [Map] { 1 => 2 } L(1) [ 1 ] { a: 1 }`},
	{"objects without prototype", `console.log(Object.create(null), Object.assign(Object.create(null), { a: 1 }));`, `[Object: null prototype] {} [Object: null prototype] { a: 1 }`},
	{"a tag is shown", `console.log({ [Symbol.toStringTag]: "T", a: 1 }, (function* () {})(), [].values());`, `Object [T] { a: 1, [Symbol(Symbol.toStringTag)]: 'T' } Object [Generator] {} Object [Array Iterator] {}`},
	{"boxed values", `console.log(Object(3), Object("s"), Object(true), Object(1n), Object(Symbol("q")));`, `[Number: 3] [String: 's'] [Boolean: true] [BigInt: 1n] [Symbol: Symbol(q)]`},
	{"promises show their state", `const bad = Promise.reject(5); bad.catch(() => {}); console.log(Promise.resolve({ a: 1 }), bad, new Promise(() => {}));`, `Promise { { a: 1 } } Promise { <rejected> 5 } Promise { <pending> }`},
	{"weak collections keep their secret", `console.log(new WeakMap(), new WeakSet(), new WeakRef({}));`, `WeakMap { <items unknown> } WeakSet { <items unknown> } WeakRef {}`},
	{"arguments", `(function () { console.log(arguments); })(1, 2);`, `[Arguments] [ 1, 2 ]`},
	{"a proxy is shown through its traps and its failures are named", `const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); console.log(new Proxy({ a: 1 }, {}), new Proxy([1, 2], {}), [new Proxy({}, { ownKeys() { throw new RangeError("no keys"); } })], proxy);`,
		`Proxy { a: 1 } Proxy [ 1, 2 ] [ <Proxy that throws RangeError: no keys> ] <Proxy that throws TypeError: revoked proxy>`},
	{"errors show name and message without a stack", `const e = new TypeError("bad"); e.stack = ""; const n = new Error(""); n.stack = ""; console.log(e, [e], n);`, `[TypeError: bad] [ [TypeError: bad] ] [Error]`},
	{"errors show their stack", `function f() { return new RangeError("bad"); } console.error(f());`, "[error] RangeError: bad\n    at f (…)"},
	{"errors show cause, own properties and collected errors", `
const flat = (e, more) => { e.stack = ""; return Object.assign(e, more); };
console.log(flat(new Error("top", { cause: flat(new TypeError("why"), {}) }), { code: "E1" }));
console.log(flat(new AggregateError([flat(new Error("a"), {}), flat(new Error("b"), {})], "many"), {}));`,
		"[Error: top] { [cause]: [TypeError: why], code: 'E1' }\n[AggregateError: many] { [errors]: [ [Error: a], [Error: b] ] }"},
	{"an error class that sets no name shows its own", `class NotFound extends Error {} const e = new NotFound("x"); e.stack = ""; console.log(e, String(e));`, `[NotFound: x] Error: x`},
	{"printf directives", `console.log("%s is %d, %i, %f, %j %o %O%c %% %x", "Bob", 42.5, 42.9, "3.5", { a: [1] }, [1], { b: 1 }, "css", "extra", 1);`, `Bob is 42.5, 42, 3.5, {"a":[1]} [ 1 ] { b: 1 } % %x extra 1`},
	{"printf directives without arguments stay", `console.log("100%", "%s"); console.log("%s %s", 1); console.log("50%% done"); console.log("%d %i", "x", {});`, "100% %s\n1 %s\n50%% done\nNaN NaN"},
	{"%s prefers a string form of its own", `console.log("%s %s %s %s", { toString() { return "mine"; } }, { a: { b: 1 } }, 12n, Symbol("q"));`, `mine { a: [Object] } 12n Symbol(q)`},
	{"groups indent every line", `console.group("G", 1); console.log("a\nb"); console.group(); console.warn("c"); console.groupEnd(); console.log("d"); console.groupEnd(); console.groupEnd(); console.log("e");`, "G 1\n  a\n  b\n[warn]     c\n  d\ne"},
	{"count and countReset", `console.count(); console.count(); console.count("x"); console.countReset(); console.count(); console.countReset("nope");`, "default: 1\ndefault: 2\nx: 1\ndefault: 1\n[warn] Count for 'nope' does not exist"},
	{"assert prints only what fails", `console.assert(true, "no"); console.assert(false); console.assert(0, "x is %d", 5); console.assert(false, { a: 1 });`, "[error] Assertion failed\n[error] Assertion failed: x is 5\n[error] Assertion failed { a: 1 }"},
	{"timers", `console.timeEnd("t"); console.time("t"); console.time("t"); console.timeLog("t", "x"); console.timeEnd("t"); console.timeEnd("t");`, "[warn] No such label 't' for console.timeEnd()\n[warn] Label 't' already exists for console.time()\nt: (…)ms x\nt: (…)ms\n[warn] No such label 't' for console.timeEnd()"},
	{"dir takes a depth", `console.dir({ a: { b: { c: 1 } } }, { depth: 0 }); console.dir("text"); console.dir({ a: [[[[[[1]]]]]] }, { depth: null });`, "{ a: [Object] }\n'text'\n{\n  a: [\n    [\n      [\n        [ [ [ 1 ] ] ]\n      ]\n    ]\n  ]\n}"},
	{"trace has level debug and the guest's own frames", `function here() { console.trace("at %s", "x"); } here();`, "[debug] Trace: at x\n    at here (…)"},
	{"table of objects, values and a choice of columns", `console.table([{ a: 1, b: "x" }, { a: 2, c: true }]); console.table([1, "b"]); console.table([{ a: 1, b: 2 }], ["b"]); console.table(5);`,
		`┌─────────┬───┬─────┬──────┐
│ (index) │ a │ b   │ c    │
├─────────┼───┼─────┼──────┤
│ 0       │ 1 │ 'x' │      │
│ 1       │ 2 │     │ true │
└─────────┴───┴─────┴──────┘
┌─────────┬────────┐
│ (index) │ Values │
├─────────┼────────┤
│ 0       │ 1      │
│ 1       │ 'b'    │
└─────────┴────────┘
┌─────────┬───┐
│ (index) │ b │
├─────────┼───┤
│ 0       │ 2 │
└─────────┴───┘
5`},
	{"classes of the web show what they hold", `const c = new AbortController(); console.log(new URLSearchParams("a=1&b=2&a=3"), c, new Event("x"), new TextEncoder());`,
		"URLSearchParams Map(2) { 'a' => [ '1', '3' ], 'b' => '2' } AbortController { signal: AbortSignal { aborted: false } } Event { type: 'x', defaultPrevented: false, cancelable: false } TextEncoder {}"},
	{"more than a hundred items are counted", `console.log([new Set(Array.from({ length: 102 }, (_, i) => "item number " + i))].map((s) => 1), new Uint8Array(101).length);`, `[ 1 ] 101`},
}

// vague replaces what differs from run to run or between the engines: positions in stacks
// and measured times.
func vague(s string) string {
	s = times.ReplaceAllString(positions.ReplaceAllString(s, "(…)"), "(…)ms")
	return strings.ReplaceAll(s, "\n    at <anonymous> (…)", "") // the frames of the test's own wrapper
}

var times = regexp.MustCompile(`\b\d+\.\d{3}ms`)

func TestConsole(t *testing.T) {
	onEngines(t, func(t *testing.T, w *world) {
		for _, c := range consoleCases {
			t.Run(c.name, func(t *testing.T) {
				r := w.run(t, c.code)
				if r.result != "= null" {
					t.Fatalf("program ended with %s", r.result)
				}
				if got := vague(strings.Join(r.lines, "\n")); got != c.want {
					t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
				}
			})
		}
	})
}

func TestConsoleCuts(t *testing.T) {
	cases := []struct {
		name string
		code string
		tail string
		max  int
	}{
		{"a formatted line is cut while it is formatted", `console.log([ "x".repeat(1e6) ]);`, " more characters\n]", 16500},
		{"a wide object stops when the line is full", `const o = {}; for (let i = 0; i < 50000; i++) o["key" + i] = i; console.log(o);`, "more keys\n}", 20000},
		{"long arrays say how many items are left", `console.log(Array(5000).fill("some text of a length"));`, "... 4900 more items\n]", 5000},
		{"a long Map says how many items are left", `console.log(new Map(Array.from({ length: 150 }, (_, i) => [i, i])));`, "... 50 more items\n}", 5000},
		{"a plain string passes up to what a whole run may keep, and a little more", `console.log("y".repeat(600000));`, "yyy", 524288 + 4096},
		{"a huge sparse array is not searched", `const a = [1]; a[4e9] = 2; console.log(a);`, "... 4000000000 more items ]", 100},
		{"many arguments", `console.log(...Array(3000).fill({ some: "object of thirty characters" }));`, "more arguments", 17000},
	}
	onEngines(t, func(t *testing.T, w *world) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				r := w.run(t, c.code)
				if len(r.lines) != 1 {
					t.Fatalf("got %d lines, result %s", len(r.lines), r.result)
				}
				l := r.lines[0]
				if len(l) > c.max || !strings.HasSuffix(l, c.tail) {
					t.Errorf("got %d bytes ending in %q, want at most %d ending in %q", len(l), l[max(0, len(l)-60):], c.max, c.tail)
				}
			})
		}
	})
}

func TestConsoleStopsWhenTheHostTakesNoMore(t *testing.T) {
	onEngines(t, func(t *testing.T, w *world) {
		w.quietAfter = 2
		defer func() { w.quietAfter = 0 }()
		r := w.run(t, `let read = 0; const o = { toString() { read++; return "x"; } };
			for (let i = 0; i < 5; i++) console.log("%s", o);
			console.table([1]); console.dir(1); console.trace(); console.assert(false); console.count();
			return read;`)
		if len(r.lines) != 2 || r.result != "= 2" {
			t.Errorf("got %d lines and %s, want 2 lines and = 2", len(r.lines), r.result)
		}
	})
}
