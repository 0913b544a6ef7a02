// The peer for Node, @napi-rs/canvas. See ../node for the protocol.
import { serve } from "../node/serve.mjs";
import { readFileSync, writeFileSync } from "node:fs";

process.env.DISABLE_SYSTEM_FONTS_LOAD = "1";
const napi = await import("@napi-rs/canvas").catch(() => null);
const lists = new Function(readFileSync(new URL("lists.js", import.meta.url), "utf8"))();
let last = null; // the last pixels

const requests = {
  versions: () => ({
    versions: { node: process.version, ...(napi && { "@napi-rs/canvas": JSON.parse(readFileSync(new URL("../node_modules/@napi-rs/canvas/package.json", import.meta.url))).version }) },
    missing: napi ? "" : "@napi-rs/canvas is not installed (npm ci in bench/peers)",
  }),
  font: (r) => napi.GlobalFonts.register(readFileSync(r.path), r.family),
  gc: () => globalThis.gc(),
  write: (r) => writeFileSync(r.path, last),
  // draw answers with the processor time that it took, in milliseconds.
  draw: (r) => {
    const before = process.cpuUsage();
    const ctx = napi.createCanvas(r.size, r.size).getContext("2d");
    lists[r.list](ctx, r.size, r.n);
    last = ctx.getImageData(0, 0, r.size, r.size).data;
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  },
};

await serve(requests);
