// The peer for Node, fflate. See ../node for the protocol.
import { serve } from "../node/serve.mjs";
import { readFileSync } from "node:fs";

const fflate = await import("fflate").catch(() => null);
const archives = new Map(); // by path

// both calls a function of fflate in this thread, or the one with workers.
const both = (name, workers, arg) =>
  workers ? new Promise((ok, no) => fflate[name](arg, (e, v) => (e ? no(e) : ok(v)))) : fflate[name + "Sync"](arg);

// timed is how many bytes came out of work, and its processor time in milliseconds.
const timed = async (work) => {
  const before = process.cpuUsage();
  const bytes = await work();
  const { user, system } = process.cpuUsage(before);
  return { bytes, cpu: (user + system) / 1000 };
};

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
  unzip: (r) => timed(async () => Object.values(await both("unzip", r.workers, archives.get(r.path).zip)).reduce((n, b) => n + b.length, 0)),
  // fflate copies its input for workers, which is its default.
  zip: (r) => timed(async () => (await both("zip", r.workers, archives.get(r.path).files)).length),
  again: (r) => timed(async () => (await both("zip", r.workers, await both("unzip", r.workers, archives.get(r.path).zip))).length),
};

await serve(requests);
