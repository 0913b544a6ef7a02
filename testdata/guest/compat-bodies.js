// Bodies as they are written for the original's Code node: its contract of inputs, outputs
// and helpers, which run here unchanged.
//@inputs {"text": "one two  three"}
return { output: inputs.text.split(/\s+/).length }; //= {"output": 3}
---
//@inputs {"a": 2, "b": 3}
const { a, b } = inputs;
return { sum: a + b, product: a * b }; //= {"sum": 5, "product": 6}
---
// a report over rows, with its handles
//@inputs {"rows": [{"region": "north", "amount": 10}, {"region": "south", "amount": 5}, {"region": "north", "amount": 2.5}]}
//@outputs {"count": 3, "totals": {"north": 12.5, "south": 5}}
const totals = {};
for (const row of inputs.rows) totals[row.region] = (totals[row.region] ?? 0) + row.amount;
await output("totals", totals);
await output("count", inputs.rows.length);
return; //= null
---
// streaming values downstream
//@inputs {"items": ["a", "b", "c"]}
//@emitted [["item", "A"], ["item", "B"], ["item", "C"]]
//@outputs {"done": true}
for (const item of inputs.items) await emit("item", item.toUpperCase());
await output("done", true);
return; //= null
---
// emits that are not awaited are delivered in order all the same
//@emitted [["n", 0], ["n", 1], ["n", 2]]
for (let i = 0; i < 3; i++) emit("n", i);
return {}; //= {}
---
// setting an output twice
await output("x", 1);
await output("x", 2); //! Error "output \"x\" was already set"
---
await emit(5, 1); //! TypeError "emit: name must be a string"
---
// state is kept by the host between invocations
//@globals {"state": {"count": 1}}
//@after {"state": {"count": 2, "seen": ["x"]}}
state.count += 1;
state.seen = [...(state.seen ?? []), "x"];
return { count: state.count }; //= {"count": 2}
---
// state that is replaced as a whole
//@globals {"state": {"old": true}}
//@after {"state": {"fresh": 1}}
state = { fresh: 1 };
return {}; //= {}
---
// logging with levels
//@logs ["plain 1", "[warn] careful", "[error] broken", "[info] note"]
console.log("plain", 1);
console.warn("careful");
console.error("broken");
console.info("note");
return {}; //= {}
---
// progress returns nothing and never throws
return [progress(50, "half"), progress("x"), progress(Infinity, null), progress()].every((v) => v === undefined); //= true
---
// hashing
const digest = await crypto.digest("sha256", "hello");
return { hex: toHex(digest), b64: toBase64(digest).length }; //= {"hex": "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824", "b64": 44}
---
// signing
const sig = await crypto.hmac("SHA-256", "key", "message");
return toHex(sig).slice(0, 16); //= "6e9ef29b75fffc5b"
---
// ids and random bytes
const id = crypto.randomUUID();
const salt = crypto.getRandomValues(16);
return { id: id.length, salt: salt.length, typed: salt instanceof Uint8Array }; //= {"id": 36, "salt": 16, "typed": true}
---
// base64 of text and bytes
const encoded = toBase64("héllo");
return { encoded, decoded: new TextDecoder().decode(fromBase64(encoded)) }; //= {"encoded": "aMOpbGxv", "decoded": "héllo"}
---
// text of several scripts round trip in 18 bytes
const bytes = new TextEncoder().encode("héllo 日本 😀");
return { length: bytes.length, text: new TextDecoder("utf-8").decode(bytes) }; //= {"length": 18, "text": "héllo 日本 😀"}
---
// query strings
const url = new URL("https://api.example.com/search?q=cats&page=2");
const params = new URLSearchParams({ q: "dogs", limit: "5" });
return { host: url.hostname, q: url.searchParams.get("q"), path: url.pathname, query: params.toString() }; //= {"host": "api.example.com", "q": "cats", "path": "/search", "query": "q=dogs&limit=5"}
---
// work in parallel, results in order
const results = await parallelMap([30, 1, 10], async (ms, i) => { await sleep(ms); return i; }, 3);
return { results }; //= {"results": [0, 1, 2]}
---
// sleeping in parallel takes as long as the longest
const started = Date.now();
await Promise.all([sleep(60), sleep(60), sleep(60), sleep(60), sleep(60), sleep(60), sleep(60), sleep(60), sleep(60), sleep(60)]);
return Date.now() - started < 550; //= true
---
// a function of the host, and its failure
//@host lookup
const prices = [];
for (const name of ["tea", "gold"]) {
  try { prices.push(await lookup.price(name)); } catch (e) { prices.push(e.message); }
}
return { prices }; //= {"prices": [2.5, "no price for gold"]}
---
// the first of several failures
//@host plain
const all = await Promise.allSettled([plain("a"), sleep(1), plain("b")]);
return all.map((r) => r.status === "fulfilled" ? "ok" : r.reason.message); //= ["a", "ok", "b"]
---
// what is absent in the original is guarded by typeof
return [typeof process, typeof require, typeof Buffer, typeof setTimeout, typeof window, typeof eval]; //= ["undefined", "undefined", "undefined", "undefined", "undefined", "undefined"]
---
const t = setTimeout(() => {}, 1); //! ReferenceError "setTimeout"
---
// a copy by JSON
//@inputs {"doc": {"a": [1, {"b": null}]}}
const copy = JSON.parse(JSON.stringify(inputs.doc));
copy.a[1].b = "changed";
return { before: inputs.doc.a[1].b, after: copy.a[1].b }; //= {"before": null, "after": "changed"}
---
// building CSV by hand
//@inputs {"rows": [{"name": "A, Inc.", "n": 1}, {"name": "B \"b\"", "n": 2}]}
const quote = (v) => /[",\n]/.test(String(v)) ? `"${String(v).replaceAll('"', '""')}"` : String(v);
const lines = [Object.keys(inputs.rows[0]).sort().join(","), ...inputs.rows.map((r) => [r.n, r.name].map(quote).join(","))];
return lines.join("\n"); //= "n,name\n1,\"A, Inc.\"\n2,\"B \"\"b\"\"\""
---
// grouping, sorting and statistics
//@inputs {"values": [5, 3, 9, 1, 7]}
const sorted = [...inputs.values].sort((a, b) => a - b);
const mean = sorted.reduce((a, b) => a + b, 0) / sorted.length;
const variance = sorted.reduce((a, b) => a + (b - mean) ** 2, 0) / sorted.length;
return { min: sorted[0], max: sorted.at(-1), median: sorted[sorted.length >> 1], mean, variance }; //= {"min": 1, "max": 9, "median": 5, "mean": 5, "variance": 8}
---
// regular expressions with named groups
//@inputs {"log": "2024-02-29 ERROR disk full\n2024-03-01 INFO ok"}
const found = [...inputs.log.matchAll(/^(?<day>\d{4}-\d\d-\d\d) (?<level>\w+) (?<text>.*)$/gm)].map((m) => ({ ...m.groups }));
return { errors: found.filter((f) => f.level === "ERROR").map((f) => f.text), days: found.map((f) => f.day) }; //= {"errors": ["disk full"], "days": ["2024-02-29", "2024-03-01"]}
---
// a generator that was declared in the body
function* take(n, from) { for (const x of from) { if (n-- <= 0) return; yield x; } }
function* naturals() { for (let i = 1; ; i++) yield i; }
return { output: [...take(4, naturals())] }; //= {"output": [1, 2, 3, 4]}
---
// an asynchronous generator
async function* ticks(n) { for (let i = 0; i < n; i++) { await sleep(1); yield i; } }
const seen = [];
for await (const t of ticks(3)) seen.push(t);
return { seen }; //= {"seen": [0, 1, 2]}
---
// a retry with growing pauses
let attempts = 0;
const flaky = async () => { if (++attempts < 3) throw new Error("not yet"); return "done"; };
for (let i = 0; ; i++) {
  try { return { result: await flaky(), attempts }; } catch (e) { if (i > 4) throw e; await sleep(2 ** i); } //= {"result": "done", "attempts": 3}
}
---
// dates
const due = new Date("2024-01-31T00:00:00Z");
due.setUTCMonth(1, 29);
return { iso: due.toISOString(), days: Math.round((due - Date.UTC(2024, 0, 1)) / 864e5) }; //= {"iso": "2024-02-29T00:00:00.000Z", "days": 59}
---
// a global of the legacy contract
return [__maxIter, __secretScope]; //= [10000, null]
---
// helpers cannot be replaced, a local may shadow them
const format = (n) => n.toFixed(2);
const sleep = "shadowed";
return { price: format(1.5), sleep }; //= {"price": "1.50", "sleep": "shadowed"}
---
// imports of a package anywhere in the body
const n = 4;
import square, { double } from "@nodetool-ai/sandbox-math";
return { squared: square(n), doubled: double(n) }; //= {"squared": 16, "doubled": 8}
---
// integer keys stay an object
return { 0: 5, 1: 200 }; //= {"0": 5, "1": 200}
---
// bytes as a result
return { data: new Uint8Array([104, 105]) }; //= {"data": "aGk="}
