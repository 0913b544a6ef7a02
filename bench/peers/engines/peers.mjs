// The contenders for Node of quicksand bench; the protocol is that of quicksand/bench. Each
// of them does workloads in worlds that are as fresh as it can make them. What is not
// installed is skipped (npm ci in bench/peers).
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { performance } from "node:perf_hooks";

const here = (file) => new URL(file, import.meta.url);
const kernel = (name) => readFileSync(here("../../kernels/" + name + ".js"), "utf8");
const fixture = (name) => readFileSync(process.env.QUICKSAND_BENCH_FIXTURES + "/" + name);
const version = (name) => JSON.parse(readFileSync(here("../node_modules/" + name + "/package.json"))).version;
const calls = 1000;
const unsupported = (why) => Object.assign(new Error(why), { unsupported: why });
const check = (got, want) => { if (got !== want) throw new Error(`the result is ${got}, want ${want}`); };

const func = (body) => `(function () {\n${body}\n})()`;
const asyncFunc = (body) => `(async function () {\n${body}\n})()`;

// Rows and what programs do with them are those of the Go side.
const row = (i) => ({ id: i, name: "customer " + i, region: ["north", "south", "east", "west"][i % 4], amount: i * 1.25, count: i % 7, paid: i % 3 === 0, note: i % 5 ? null : "see file", at: 1.7e12 + i });
const rows = (n) => Array.from({ length: n }, (_, i) => row(i));
const rowsIn = "let n = 0; for (const r of rows) n += r.name.length + r.count; return n;";
const rowsSum = (n) => rows(n).reduce((s, r) => s + r.name.length + r.count, 0);
const rowsOut = (n) => `const row = ${row}; const list = []; for (let i = 0; i < ${n}; i++) list.push(row(i)); return `;

// An engine has open(): a world with
//   number(body, globals) – the number that the body of a function returns; globals may have
//     rows (JSON) or data (Uint8Array)
//   later(body)           – the same of an asynchronous function, with the global bench
//   call(body)            – the same of a function, with the global bench
//   rows(body), bytes(body) – what it returns, as values of the host
//   close()
const engines = [];

const load = async (names, make) => {
  try {
    const mods = await Promise.all(names.map((n) => import(n)));
    engines.push(await make(...mods));
  } catch (e) {
    engines.push({ info: { name: names[0].replace("node:", "node "), version: "", installs: "", skipped: String(e.message).split("\n")[0] } });
  }
};

const host = { number: (n) => n + 1, text: (s) => s, later: async (n) => n + 1 };

await load(["node:vm"], (vm) => ({
  info: { name: "node:vm", version: "node " + process.version, installs: "a context of the same isolate: no limits, no isolation from its host" },
  open() {
    const ctx = vm.createContext({});
    const run = (code, globals = {}) => { Object.assign(ctx, globals); return vm.runInContext(code, ctx); };
    return {
      number: (body, g) => run(func(body), g), call: (body) => run(func(body), { bench: host }), later: (body) => run(asyncFunc(body), { bench: host }),
      rows: (body) => run(func(body)), bytes: (body) => run(func(body)), close() {},
    };
  },
}));

await load(["isolated-vm"], ({ default: ivm }) => {
  const world = (isolate, alone) => {
    const ctx = isolate.createContextSync();
    const set = (globals) => { for (const [k, v] of Object.entries(globals)) ctx.global.setSync(k, new ivm.ExternalCopy(v).copyInto()); };
    const hosted = () => {
      for (const k of ["number", "text"]) ctx.global.setSync("_" + k, new ivm.Callback(host[k]));
      ctx.global.setSync("_later", new ivm.Reference(host.later));
      ctx.evalSync("var bench = { number: _number, text: _text, later: (n) => _later.apply(undefined, [n], { result: { promise: true } }) };");
    };
    return {
      number(body, g = {}) { set(g); return ctx.evalSync(func(body)); },
      call(body) { hosted(); return ctx.evalSync(func(body)); },
      later(body) { hosted(); return ctx.eval(asyncFunc(body), { promise: true }); },
      rows: (body) => ctx.evalSync(func(body), { copy: true }),
      bytes: (body) => ctx.evalSync(func(body), { copy: true }),
      close() { ctx.release(); if (alone) isolate.dispose(); },
    };
  };
  let warm;
  engines.push({
    info: { name: "isolated-vm, fresh isolate", version: "isolated-vm " + version("isolated-vm"), installs: "a V8 isolate with a memory limit and a context" },
    open: () => world(new ivm.Isolate({ memoryLimit: 512 }), true),
  });
  return {
    info: { name: "isolated-vm, warm isolate", version: "isolated-vm " + version("isolated-vm"), installs: "a context in a V8 isolate that all worlds share" },
    open: () => world(warm ??= new ivm.Isolate({ memoryLimit: 512 }), false),
  };
});

await load(["quickjs-emscripten"], async (q) => {
  const QuickJS = await q.getQuickJS();
  return {
    info: { name: "quickjs-emscripten", version: "quickjs-emscripten " + version("quickjs-emscripten"), installs: "a context with the built-ins of QuickJS in WebAssembly" },
    open() {
      const ctx = QuickJS.newContext();
      const take = (r) => { const h = ctx.unwrapResult(r); const v = ctx.dump(h); h.dispose(); return v; };
      const json = (name, v) => { const s = ctx.newString(JSON.stringify(v)); ctx.setProp(ctx.global, "_text", s); s.dispose(); take(ctx.evalCode(`var ${name} = JSON.parse(_text); 0`)); };
      const hosted = () => {
        const o = ctx.newObject();
        const fn = (name, f) => ctx.newFunction(name, f).consume((h) => ctx.setProp(o, name, h));
        fn("number", (n) => ctx.newNumber(ctx.getNumber(n) + 1));
        fn("text", (s) => ctx.newString(ctx.getString(s)));
        fn("later", (n) => { const p = ctx.newPromise(); p.resolve(ctx.newNumber(ctx.getNumber(n) + 1)); return p.handle; });
        ctx.setProp(ctx.global, "bench", o);
        o.dispose();
      };
      return {
        number(body, g = {}) {
          if (g.rows) json("rows", g.rows);
          if (g.data) { const b = ctx.newArrayBuffer(g.data.buffer); ctx.setProp(ctx.global, "buffer", b); b.dispose(); take(ctx.evalCode("var data = new Uint8Array(buffer); 0")); }
          return take(ctx.evalCode(func(body)));
        },
        call(body) { hosted(); return take(ctx.evalCode(func(body))); },
        later(body) {
          hosted();
          take(ctx.evalCode(`var settled; void ${asyncFunc(body)}.then((v) => { settled = v })`));
          const jobs = ctx.runtime.executePendingJobs();
          if (jobs.error) throw new Error("a job failed");
          return take(ctx.evalCode("settled"));
        },
        rows: (body) => JSON.parse(take(ctx.evalCode(func(body.replace(/return $/, "return JSON.stringify(list)")) ))),
        bytes(body) { const h = ctx.unwrapResult(ctx.evalCode(func(body.replace("return b", "return b.buffer")))); const b = ctx.getArrayBuffer(h); const v = b.value.slice(); b.dispose(); h.dispose(); return v; },
        close() { ctx.dispose(); },
      };
    },
  };
});

await load(["@sebastianwessel/quickjs", "@jitl/quickjs-ng-wasmfile-release-sync"], async ({ loadQuickJs }, variant) => {
  const { runSandboxed } = await loadQuickJs(variant.default);
  const run = async (body, env) => {
    const r = await runSandboxed(({ evalCode }) => evalCode(`export default await ${asyncFunc(body)}`), { allowFetch: false, executionTimeout: 60000, memoryLimit: 512 << 20, env: { ...env } });
    if (!r.ok) throw new Error(r.error?.message ?? "it failed");
    return r.data;
  };
  const named = (body) => body.replace(/\bbench\b/g, "env.bench");
  return {
    info: { name: "@sebastianwessel/quickjs", version: `@sebastianwessel/quickjs ${version("@sebastianwessel/quickjs")}, @jitl/quickjs-ng-wasmfile-release-sync ${version("@jitl/quickjs-ng-wasmfile-release-sync")}`, installs: "QuickJS-NG in WebAssembly with console, URL, Buffer and modules of Node: the engine stack whose programs run here" },
    open: () => ({
      number: (body, g = {}) => run((g.rows ? "const rows = env.rows;\n" : "") + (g.data ? "const data = env.data;\n" : "") + body, g),
      call: (body) => run(named(body), { bench: host }), later: (body) => run(named(body), { bench: host }),
      rows: (body) => run(body), bytes: (body) => run(body), close() {},
    }),
  };
});

const programs = {
  "run/empty": (e) => () => fresh(e, async (w) => check(await w.number("return 1+1"), 2)),
  "run/first": (e) => { let n = 0; const body = kernel("body"); return () => fresh(e, (w) => w.number(`const unseen = ${++n};\n${body}`)); },
  "run/repeated": (e) => { const body = kernel("body"); return () => fresh(e, (w) => w.number(body)); },
  "call/sync": (e) => () => fresh(e, async (w) => check(await w.call(`let n = 0; const f = bench.number; for (let i = 0; i < ${calls}; i++) n = f(n); return n`), calls)),
  "call/text": (e) => () => fresh(e, async (w) => check(await w.call(`const s = 'x'.repeat(100), f = bench.text; let n = 0; for (let i = 0; i < ${calls}; i++) n += f(s).length; return n / 100`), calls)),
  "call/async": (e) => () => fresh(e, async (w) => check(await w.later(`let n = 0; const f = bench.later; for (let i = 0; i < ${calls}; i++) n = await f(n); return n`), calls)),
};
for (const n of [100, 5000, 50000]) {
  programs["rows/in-" + n] = (e) => { const list = rows(n), sum = rowsSum(n); return () => fresh(e, async (w) => check(await w.number(rowsIn, { rows: list }), sum)); };
  programs["rows/out-" + n] = (e) => () => fresh(e, async (w) => check((await w.rows(rowsOut(n) + (e.info.name === "quickjs-emscripten" ? "" : "list"))).length, n));
}
for (const mb of [1, 16, 64]) {
  const n = mb << 20;
  programs[`bytes/in-${mb}MB`] = (e) => { const data = new Uint8Array(n); data[n - 1] = 7; return () => fresh(e, async (w) => check(await w.number("return data.length + data[data.length - 1]", { data }), n + 7)); };
  programs[`bytes/out-${mb}MB`] = (e) => () => fresh(e, async (w) => { const b = await w.bytes(`const b = new Uint8Array(${n}); b[b.length - 1] = 7; return b`); check(b.length, n); });
}
for (const k of ["fib", "json", "regexp", "sort", "strings", "typed-arrays", "scheduler", "constraints"]) {
  programs["cpu/" + k] = (e) => { const code = kernel(k); return () => fresh(e, (w) => w.number(code)); };
}

async function fresh(e, f) {
  const w = e.open();
  try {
    return await f(w);
  } finally {
    w.close();
  }
}

// Libraries do one workload each.
const library = (name, pkg, workload, make) => load([pkg], (mod) => ({ info: { name, version: pkg + " " + version(pkg), installs: "a library, no sandbox" }, only: { [workload]: () => make(mod) } }));
await library("sharp", "sharp", "image/thumbnail", ({ default: sharp }) => {
  const photo = fixture("photo.jpg");
  return async () => check((await sharp(photo).resize(320).jpeg({ quality: 80 }).toBuffer()).length > 1000, true);
});
await library("@napi-rs/canvas", "@napi-rs/canvas", "canvas/shapes", (napi) => {
  const draw = new Function("x", fixture("shapes.js").toString());
  return async () => { const c = napi.createCanvas(512, 512); draw(c.getContext("2d")); check((await c.encode("png")).length > 1000, true); };
});
await library("fflate", "fflate", "zip/round", ({ zipSync, unzipSync, strToU8 }) => {
  const texts = Object.entries(JSON.parse(fixture("texts.json")));
  return () => check(Object.keys(unzipSync(zipSync(Object.fromEntries(texts.map(([k, v]) => [k, strToU8(v)]))))).length, 16);
});
engines.push({
  info: { name: "node, a process", version: "node " + process.version, installs: "a process of Node, no sandbox" },
  only: { "run/cold-process": () => () => check(execFileSync(process.execPath, ["-p", "1+1"]).toString().trim(), "2") },
});
try {
  const text = execFileSync("ffmpeg", ["-version"], { stdio: ["ignore", "pipe", "ignore"] }).toString();
  engines.push({
    info: { name: "ffmpeg, a process", version: text.split("\n")[0].split(" ").slice(0, 3).join(" "), installs: "a process of ffmpeg, no sandbox" },
    only: { "audio/podcast": () => () => void execFileSync("ffmpeg", ["-v", "error", "-i", process.env.QUICKSAND_BENCH_FIXTURES + "/music.wav", "-af", "atrim=0.5:9.5,afade=in:d=1,afade=out:st=8:d=1,aresample=48000,ebur128", "-f", "null", "-"], { stdio: "ignore" }) },
  });
} catch {
  engines.push({ info: { name: "ffmpeg, a process", version: "", installs: "", skipped: "ffmpeg is not installed" } });
}

// open finds what an engine does at a workload, and tries it.
async function open(engine, workload) {
  const make = engine.only ? engine.only[workload] : programs[workload];
  if (!make) throw unsupported("it has nothing like it");
  const f = make(engine);
  await f();
  return f;
}

let current = null;
const requests = {
  contenders: () => ({ contenders: engines.map((e) => e.info) }),
  open: async (r) => { current = await open(engines[r.contender], r.workload); return {}; },
  run: async (r) => {
    const values = [];
    for (let i = 0; i < r.n; i++) {
      const t = performance.now();
      await current();
      values.push((performance.now() - t) * 1e6);
    }
    return { batch: { values, allocs: -1, allocBytes: -1, peakRSS: process.resourceUsage().maxRSS * 1024 } };
  },
  close: () => { current = null; return {}; },
};
for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    const r = JSON.parse(line);
    answer = await requests[r.do](r);
  } catch (e) {
    answer = e?.unsupported ? { unsupported: e.unsupported } : { error: String(e?.message ?? e).split("\n")[0] };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
process.exit(0);
