package enginetest

import (
	"testing"

	"quicksand/engine"
)

// regexpRows are patterns whose beginnings are anchored, nearly so, or not, at all positions
// of a text that matter. The values are those of every engine that follows the standard.
var regexpRows = []struct{ name, code, want string }{
	{"one alternative", `[/^abc/.exec("abcd")[0], /^abc/.exec("xabc"), /^abc/.test("ab\nabc")]`, `["abc",null,false]`},
	{"all alternatives", `[/^a|^b/.exec("b")[0], /^a|^b/.exec("xb"), /(^a|^b)c/.exec("bc")[1], /((^a)|(?:^b|^(c)))d/.exec("cd")[3], /^a|^b|^c|^d/.exec("xd")]`, `["b",null,"b","c",null]`},
	{"some alternatives", `[/^a|b/.exec("xb").index, /a|^b/.exec("xa").index, /(^a|b)c/.exec("xbc").index, /(?:a|^b)/.exec("xxa").index]`, `[1,1,1,2]`},
	{"a quantifier", `[/(?:^a)?b/.exec("xb").index, /(?:^a)*b/.exec("xb").index, /(?:^a)+b/.exec("xab"), /(?:^a){0,3}b/.exec("xxb").index, /(?:^a){2}/.exec("aa")]`, `[1,1,null,2,null]`},
	{"look-around", `[/(?<=^a)b/.exec("ab").index, /(?<!^)b/.exec("ab").index, /(?=^)a/.exec("a").index, /(?!^)a/.exec("aa").index, /(?:(?=^a)|b)/.exec("xb").index]`, `[1,1,0,1,1]`},
	{"many lines", `[/^a/m.exec("x\na").index, "a\na\nb".match(/^a/gm).length, "x\ny".replace(/^/gm, "> "), new RegExp(/^a/, "m").exec("x\na").index]`, `[2,2,"> x\n> y",2]`},
	{"global", `["aaa".replace(/^a/g, "b"), [..."aa".matchAll(/^a/g)].length, "aXa".split(/^a/), (() => { const r = /^a/g; return [r.test("aa"), r.lastIndex, r.test("aa"), r.lastIndex]; })()]`, `["baa",1,["","Xa"],[true,1,false,0]]`},
	{"sticky", `(() => { const r = /^a/y; r.lastIndex = 1; const first = r.test("aa"); r.lastIndex = 0; const s = /a/y; s.lastIndex = 1; return [first, r.test("aa"), s.test("ba"), /a/y.test("ba")]; })()`, `[false,true,true,false]`},
	{"lastIndex beyond the beginning", `(() => { const r = /^a|^b/g; r.lastIndex = 1; return [r.exec("ab"), r.lastIndex, /^/g.exec("")[0]]; })()`, `[null,0,""]`},
	{"from a text", `[new RegExp("^a|^b").exec("xb"), RegExp("^(?:a|b)c").exec("bc")[0], new RegExp("^a|b").exec("xb").index, new RegExp("", "").exec("x").index]`, `[null,"bc",1,0]`},
	{"compiled anew", `(() => { const r = /a/; r.compile("^b"); const no = r.exec("xb"); r.compile("b"); return [no, r.exec("xb").index]; })()`, `[null,1]`},
	{"copies", `[new RegExp(/^a/).exec("xa"), RegExp(/^a/) instanceof RegExp, new (class extends RegExp {})("^a").exec("xa"), new RegExp(/^a/, "y").sticky]`, `[null,true,null,true]`},
	{"case and Unicode", `[/^Ä/i.exec("ä")[0], /^\u{1F600}/u.exec("😀").index, /^./u.exec("😀x")[0].length, /^[^a]/u.exec("😀")[0].length, /^(?<n>a)/.exec("a").groups.n]`, `["ä",0,2,2,"a"]`},
	{"names and lengths of what engines replace", `[RegExp.name, RegExp.length, RegExp.prototype.compile.name, RegExp.prototype.compile.length, RegExp.prototype.exec.name]`, `["RegExp",2,"compile",2,"exec"]`},
	{"text that looks like code", `"\x0e\x06\x00\x00\x00\x06\r\xf5\xff\xff\xff\x13\x00\t".length`, `14`},
	{"many alternatives", `[new RegExp(Array.from({ length: 5000 }, (_, i) => "^a" + i).join("|")).exec("xa1"), new RegExp(Array.from({ length: 5000 }, (_, i) => "^a" + i).join("|")).exec("a4999")[0]]`, `[null,"a4"]`},
	{"deep groups", `new RegExp("(".repeat(200) + "^a" + ")".repeat(200)).exec("xa")`, `null`},
}

func testRegExps(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	for _, r := range regexpRows {
		t.Run(r.name, func(t *testing.T) {
			expect(t, w.Eval(t, "const got = JSON.stringify("+r.code+"), want = JSON.stringify("+r.want+"); export default got === want || got;", nil), "= true")
		})
	}
	t.Run("random patterns mean the same behind what is no anchor", func(t *testing.T) {
		expect(t, w.Eval(t, regexpPairs, nil), `= "none of 5000"`)
	})
	// All positions of the text, twenty thousand times, would take minutes.
	for _, code := range []string{"/^abc|^b/", "new RegExp('^abc|^b')"} {
		t.Run(code+" looks at the beginning alone", func(t *testing.T) {
			expect(t, w.Eval(t, "const r = "+code+", text = 'x'.repeat(1 << 20); let n = 0; for (let i = 0; i < 20000; i++) if (r.test(text)) n++; export default n;", nil), "= 0")
		})
	}
	w.check(t)
}

// regexpPairs compares random patterns, which hold ^ in all places, with themselves behind a
// look-ahead that always holds: with that in front no pattern counts as anchored.
const regexpPairs = `
let s = 7;
const rnd = (n) => { s ^= s << 13; s >>>= 0; s ^= s >>> 17; s ^= s << 5; s >>>= 0; return s % n; };
const pick = (a) => a[rnd(a.length)];
const atoms = ["a", "b", "x", "\\n", ".", "[^a]", "\\b", "$", "", "\u{1f600}", "\\1", "(?=a)", "(?!a)", "(?<!^)", "(?=^)", "(?<=^a)", "()"];
const gen = (depth) => {
  const r = rnd(9);
  if (depth <= 0 || r < 2) return pick(atoms);
  if (r < 4) return "^";
  if (r === 4) return gen(depth - 1) + "|" + gen(depth - 1);
  if (r === 5) return pick(["(", "(?:", "(?=", "(?!", "(?<=", "(?<!"]) + gen(depth - 1) + ")";
  if (r === 6) return "(?:" + gen(1) + ")" + pick(["?", "*", "+", "{2}", "{0,2}", "{0}", "??", "*?"]);
  return gen(depth - 1) + gen(depth - 1);
};
const whole = [(p) => p, (p) => "^" + p, (p) => "(?:^" + p + ")", (p) => "^" + p + "|^" + gen(2), (p) => "(^" + p + ")", (p) => "^|" + p];
const text = () => Array.from({ length: rnd(7) }, () => pick(["a", "b", "x", "\n", "\u{1f600}", "\ud83d", "\ude00", "A"])).join("");
const make = [(p, f) => new RegExp(p, f), (p, f) => { const r = /z/; r.compile(p, f); return r; }, (p, f) => new RegExp(new RegExp(p), f)];
const uses = [
  (r, t) => { const m = r.exec(t); return [m, m && m.index, r.test(t)]; },
  (r, t) => t.match(r),
  (r, t) => r.global ? [...t.matchAll(r)].map((m) => [m, m.index]) : 0,
  (r, t) => t.replace(r, (...a) => "<" + a.join() + ">"),
  (r, t) => t.split(r),
  (r, t) => t.search(r),
];
const use = (f, r, t, i) => { r.lastIndex = i; return JSON.stringify([f(r, t), r.lastIndex]); };
let different = "none", count = 0;
while (count < 5000 && different === "none") {
  const p = pick(whole)(gen(3)), f = pick(["", "", "g", "gi", "s", "d", "u", "v", "y", "m", "gm", "gy", "gu"]), m = pick(make);
  let r, same;
  try { r = m(p, f); same = new RegExp("(?=)(?:" + p + ")", f); } catch { continue; }
  for (let k = 0; k < 3; k++) {
    const t = text(), i = rnd(3) ? 0 : rnd(t.length + 2);
    for (const f of uses) {
      if (count < 5000) count++;
      const a = use(f, r, t, i), b = use(f, same, t, i);
      if (a !== b) different = JSON.stringify([p, r.flags, t, i, a, b]);
    }
  }
}
export default different + " of " + count;
`
