// The peer for Node, fflate. See ../node for the protocol.
import { createInterface } from "node:readline";
import { readFileSync, writeFileSync } from "node:fs";

const fflate = await import("fflate").catch(() => null);
const archives = new Map(); // by path
let last = null; // the last archive

// both calls a function of fflate in this thread, or the one with workers.
const both = (name, workers, arg) =>
  workers ? new Promise((ok, no) => fflate[name](arg, (e, v) => (e ? no(e) : ok(v)))) : fflate[name + "Sync"](arg);

const requests = {
  versions: () => ({
    versions: { node: process.version, ...(fflate && { fflate: JSON.parse(readFileSync(new URL("../node_modules/fflate/package.json", import.meta.url))).version }) },
    missing: fflate ? "" : "fflate is not installed (npm ci in bench/peers)",
  }),
  gc: () => globalThis.gc(),
  // load reads an archive before the time counts, and its files for zip.
  load: (r) => {
    const zip = new Uint8Array(readFileSync(r.path));
    archives.set(r.path, { zip, files: fflate.unzipSync(zip) });
  },
  write: (r) => writeFileSync(r.path, last),
  unzip: async (r) => Object.values(await both("unzip", r.workers, archives.get(r.path).zip)).reduce((n, b) => n + b.length, 0),
  // fflate copies its input for workers, which is its default.
  zip: async (r) => (last = await both("zip", r.workers, archives.get(r.path).files)).length,
  again: async (r) => (last = await both("zip", r.workers, await both("unzip", r.workers, archives.get(r.path).zip))).length,
};

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    const r = JSON.parse(line);
    answer = { ok: (await requests[r.do](r)) ?? null };
  } catch (e) {
    answer = { error: String(e?.message ?? e) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
