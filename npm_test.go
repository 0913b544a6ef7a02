package quicksand_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quicksand"
	"quicksand/modules"
	"quicksand/modules/npm"
)

// popularPack is a package whose modules are popular npm packages.
const popularPack = "testdata/packs/npm-popular"

// popular are programs that do real work with npm packages which nobody prepared for a
// sandbox. The results are those of the packages' own documentation or of arithmetic.
var popular = []struct{ module, code, want string }{
	{"lodash", `import _, { chunk, groupBy, merge, kebabCase } from "P/lodash";
		return [chunk([1, 2, 3, 4, 5], 2), groupBy(["one", "two", "three"], "length"), merge({ a: [{ b: 2 }] }, { a: [{ c: 3 }] }), kebabCase("fooBar baz"), _.sumBy([{ n: 4 }, { n: 6 }], "n"),
			_([3, 1, 2]).sortBy().map((x) => x * 10).value(), _.template === undefined]`,
		`[[[1,2],[3,4],[5]],{"3":["one","two"],"5":["three"]},{"a":[{"b":2,"c":3}]},"foo-bar-baz",10,[10,20,30],false]`},
	{"semver", `import semver, { satisfies } from "P/semver";
		return [satisfies("1.2.3", "^1.1.0"), satisfies("2.0.0", "^1.1.0"), semver.inc("1.2.3", "minor"), semver.sort(["1.10.0", "1.9.0", "1.2.0"]), semver.maxSatisfying(["1.2.3", "1.3.0", "2.0.0"], "~1.2"), semver.valid("a.b")]`,
		`[true,false,"1.3.0",["1.2.0","1.9.0","1.10.0"],"1.2.3",null]`},
	{"minimatch", `import { minimatch, Minimatch } from "P/minimatch";
		return [minimatch("src/a/b.js", "src/**/*.js"), minimatch("src/a/b.ts", "src/**/*.js"), minimatch("b.md", "*.{md,txt}"), minimatch.filter("*.js")("x.js"), new Minimatch("a?c").match("abc")]`,
		`[true,false,true,true,true]`},
	{"uuid", `import { v4, v5, validate, version, NIL } from "P/uuid";
		const a = v4(), b = v4();
		return [validate(a), version(a), a !== b, v5("www.example.com", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"), NIL]`,
		`[true,4,true,"2ed6657d-e927-568b-95e1-2665a8aea6a2","00000000-0000-0000-0000-000000000000"]`},
	{"qs", `import qs, { parse } from "P/qs";
		return [parse("a[b][c]=1&d[]=x&d[]=y&e=%C3%A9"), qs.stringify({ a: { b: [1, 2] }, c: "x y" }, { encode: false }), qs.stringify({ d: new Date(0) })]`,
		`[{"a":{"b":{"c":"1"}},"d":["x","y"],"e":"é"},"a[b][0]=1&a[b][1]=2&c=x y","d=1970-01-01T00%3A00%3A00.000Z"]`},
	{"zod", `import { z } from "P/zod";
		const User = z.object({ name: z.string().min(2), age: z.coerce.number().int().positive(), mail: z.email().optional(), tags: z.array(z.enum(["a", "b"])).default([]) });
		const bad = User.safeParse({ name: "x", age: -1, mail: "no" });
		return [User.parse({ name: "Ada", age: "36" }), bad.success, bad.error.issues.map((i) => i.path.join() + " " + i.code)]`,
		`[{"name":"Ada","age":36,"tags":[]},false,["name too_small","age too_small","mail invalid_format"]]`},
	{"dayjs", `import dayjs from "P/dayjs";
		import utc from "P/dayjs-utc";
		dayjs.extend(utc);
		const d = dayjs.utc("2024-01-31T10:20:30Z");
		return [d.add(1, "month").format("YYYY-MM-DD"), d.format("dddd, MMMM D, YYYY h:mm A"), dayjs.utc("2024-03-01").diff(dayjs.utc("2024-02-01"), "day"), d.startOf("year").toISOString(), d.isBefore("2025-01-01")]`,
		`["2024-02-29","Wednesday, January 31, 2024 10:20 AM",29,"2024-01-01T00:00:00.000Z",true]`},
	{"rxjs", `import { from, of, map, filter, scan, toArray, mergeMap, lastValueFrom, Subject, zip } from "P/rxjs";
		const subject = new Subject(), seen = [];
		subject.pipe(scan((a, b) => a + b, 0)).subscribe((x) => seen.push(x));
		[1, 2, 3].forEach((x) => subject.next(x));
		return [await lastValueFrom(from([1, 2, 3, 4]).pipe(filter((x) => x % 2 === 0), map((x) => x * x), mergeMap((x) => of(x, -x)), toArray())), seen, await lastValueFrom(zip(of(1), Promise.resolve("a")))]`,
		`[[4,-4,16,-16],[1,3,6],[1,"a"]]`},
	{"immer", `import { produce, produceWithPatches, enablePatches } from "P/immer";
		enablePatches();
		const base = [{ title: "a", done: false }, { title: "b", done: true }];
		const next = produce(base, (d) => { d[0].done = true; d.push({ title: "c" }); });
		const [, patches] = produceWithPatches({ x: 1 }, (d) => { d.x = 2; });
		return [next, base[0].done, next[1] === base[1], Object.isFrozen(next), patches]`,
		`[[{"title":"a","done":true},{"title":"b","done":true},{"title":"c"}],false,true,true,[{"op":"replace","path":["x"],"value":2}]]`},
	{"nanoid", `import { nanoid, customAlphabet } from "P/nanoid";
		const a = nanoid(), hex = customAlphabet("0123456789abcdef", 12)();
		return [a.length, a !== nanoid(), /^[\w-]+$/.test(a), /^[0-9a-f]{12}$/.test(hex)]`,
		`[21,true,true,true]`},
	{"ms", `import ms from "P/ms"; return [ms("2 days"), ms("1.5h"), ms(60000), ms(2 * 60000, { long: true })]`,
		`[172800000,5400000,"1m","2 minutes"]`},
	{"async", `import { mapLimit, parallel, waterfall, queue } from "P/async";
		const squares = await mapLimit([1, 2, 3], 2, async (x) => x * x);
		const done = [];
		const q = queue(async (x) => { done.push(x); }, 1);
		q.push([1, 2, 3]);
		await q.drain();
		return [squares, await parallel({ a: async () => 1, b: async () => 2 }), await waterfall([(cb) => cb(null, 2), (x, cb) => cb(null, x * 3)]), done]`,
		`[[1,4,9],{"a":1,"b":2},6,[1,2,3]]`},
	{"validator", `import validator, { isIBAN, isISBN } from "P/validator";
		return [validator.isEmail("foo@bar.com"), validator.isEmail("foo@"), validator.isURL("https://example.com/a?b=c"), isIBAN("DE89370400440532013000"), isIBAN("DE89370400440532013001"),
			isISBN("978-3-16-148410-0"), validator.isCreditCard("4111111111111111"), validator.escape("<a>"), validator.isUUID("2ed6657d-e927-568b-95e1-2665a8aea6a2")]`,
		`[true,false,true,true,false,true,true,"&lt;a&gt;",true]`},
	{"ramda", `import * as R from "P/ramda";
		const byGrade = R.groupBy((s) => s.n > 50 ? "pass" : "fail");
		return [R.pipe(R.filter((x) => x > 1), R.map(R.multiply(2)), R.sum)([1, 2, 3]), R.path(["a", "b"], { a: { b: 3 } }), byGrade([{ n: 60 }, { n: 40 }]), R.equals({ a: [1] }, { a: [1] }), R.zipObj(["a", "b"], [1, 2]), R.curry((a, b) => a - b)(5)(3)]`,
		`[10,3,{"pass":[{"n":60}],"fail":[{"n":40}]},true,{"a":1,"b":2},2]`},
	{"luxon", `import { DateTime, Duration, Interval } from "P/luxon";
		const d = DateTime.fromISO("2024-02-29T12:00:00", { zone: "utc" });
		return [d.plus({ years: 1 }).toISODate(), d.toFormat("yyyy LLL dd"), d.weekNumber, Interval.fromDateTimes(d, d.plus({ days: 3 })).length("hours"), Duration.fromObject({ hours: 30 }).shiftTo("days", "hours").toObject(), d.setZone("America/New_York").toISO()]`,
		`["2025-02-28","2024 Feb 29",9,72,{"days":1,"hours":6},"2024-02-29T07:00:00.000-05:00"]`},
	{"zod-mini", `import * as z from "P/zod-mini"; return [z.parse(z.array(z.number()), [1, 2]), z.safeParse(z.string(), 1).success]`, `[[1,2],false]`},
}

// compilePopular compiles the package, once.
func compilePopular(t *testing.T) *modules.Set {
	t.Helper()
	if _, err := os.Stat(filepath.Join(popularPack, "node_modules")); err != nil {
		t.Skip("the npm packages of " + popularPack + " are not installed: run npm ci there, or make packs")
	}
	cache := modules.NewCache(t.TempDir())
	report, err := npm.Compile(t.Context(), popularPack, npm.Options{Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range report.Modules {
		if m.Level != modules.LevelReady {
			t.Errorf("%s: %s: %s", m.NPM, m.Code, m.Message)
		}
	}
	catalog, err := modules.Config{Dirs: []string{popularPack}, Compiled: cache, Bare: true}.Open()
	if err != nil {
		t.Fatal(err)
	}
	return catalog.Set()
}

func TestPopularNPMPackagesCompileAndRun(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles fifteen npm packages")
	}
	set := compilePopular(t)
	for _, e := range quicksand.Engines() {
		t.Run(e.Name, func(t *testing.T) {
			box, err := quicksand.New(quicksand.Config{Engine: e.Name})
			if err != nil {
				t.Fatal(err)
			}
			defer box.Close()
			for _, row := range popular {
				t.Run(row.module, func(t *testing.T) {
					result, err := box.Run(t.Context(), withPack(row.code, "@quicksand-test/npm-popular"), quicksand.Options{Packs: set})
					if err != nil {
						t.Fatal(err)
					}
					var got strings.Builder
					enc := json.NewEncoder(&got)
					enc.SetEscapeHTML(false)
					if err := enc.Encode(result.Value); err != nil {
						t.Fatal(err)
					}
					if got := strings.TrimSpace(got.String()); got != row.want {
						t.Errorf("got  %s\nwant %s", got, row.want)
					}
				})
			}
		})
	}
}

// withPack replaces P/ in the imports of a program by the name of a package.
func withPack(code, pack string) string {
	return strings.ReplaceAll(code, `from "P/`, `from "`+pack+`/`)
}

func TestDesignListsThePopularPackages(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(popularPack, "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct{ Dependencies map[string]string }
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	design, err := os.ReadFile("DESIGN.md")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Join(strings.Fields(string(design)), " ")
	for name, version := range manifest.Dependencies {
		if !strings.Contains(words, name+" "+version) {
			t.Errorf("DESIGN.md does not list %s %s", name, version)
		}
	}
}
