// The peers for Node: sharp and @napi-rs/canvas. See ../node for the protocol.
//
// Requests name a function below. Results stay here; `write` gives the last one to the
// parent, which looks at it once.
import { serve } from "../node/serve.mjs";
import { readFileSync, writeFileSync } from "node:fs";

const missing = {};
async function load(name) {
  try {
    return await import(name);
  } catch (e) {
    missing[name] = `${name} is not installed (npm ci in bench/peers)`;
    return null;
  }
}
const sharp = (await load("sharp"))?.default;
const napi = await load("@napi-rs/canvas");
if (sharp) sharp.cache(false); // of operations: each round does all of its work

const files = {}; // by name, bytes
let last = null; // the last result

// ---- sharp

// raw keeps a picture as pixels between two steps.
const raw = ({ data, info }) => sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });

// recomb is the matrix of the saturate filter of CSS.
function saturation(s) {
  return [
    [0.213 + 0.787 * s, 0.715 - 0.715 * s, 0.072 - 0.072 * s],
    [0.213 - 0.213 * s, 0.715 + 0.285 * s, 0.072 - 0.072 * s],
    [0.213 - 0.213 * s, 0.715 - 0.715 * s, 0.072 + 0.928 * s],
  ];
}

function sharpStep(s, t, size, mark) {
  switch (t.op) {
    case "resize": return s.resize(t.width, t.height, { fit: "fill", kernel: "lanczos3" });
    case "crop": return s.extract({ left: (size.width - t.width) >> 1, top: (size.height - t.height) >> 1, width: t.width, height: t.height });
    case "flop": return s.flop();
    case "flip": return s.flip();
    case "rotate": return s.rotate(t.amount, { background: { r: 0, g: 0, b: 0, alpha: 0 } });
    case "blur": return s.blur(t.amount);
    case "brightness": return s.linear(t.amount, 0);
    case "contrast": return s.linear(t.amount, 127.5 * (1 - t.amount));
    case "saturate": return s.recomb(saturation(t.amount));
    case "composite": return s.composite([{ input: mark, raw: { width: 128, height: 128, channels: 4 }, left: t.x, top: t.y }]);
  }
  throw new Error(`no operation ${t.op}`);
}

const sharpTasks = {
  jpeg: (r) => sharp(files[r.file]).resize(r.width).jpeg({ quality: 80 }).toBuffer(),
  webp: (r) => sharp(files[r.file]).resize(r.width).webp(r.lossless ? { lossless: true } : { quality: 80 }).toBuffer(),
  resize: async (r) => {
    const s = sharp(files[r.file], { raw: { width: r.from[0], height: r.from[1], channels: r.channels } });
    return s.resize(r.width, r.height, { fit: "fill", kernel: "lanczos3" }).raw().toBuffer();
  },
  // Pixels between the steps: one decode, one encode.
  chainPixels: async (r) => {
    const out = { resolveWithObject: true };
    let p = await sharp(files[r.file]).ensureAlpha().raw().toBuffer(out);
    for (const t of r.steps) p = await sharpStep(raw(p), t, p.info, files[r.mark]).raw().toBuffer(out);
    return raw(p).png().toBuffer();
  },
  // Files between the steps: each is bytes in, bytes out.
  chainFiles: async (r) => {
    let b = files[r.file];
    for (const t of r.steps) {
      const size = t.op === "crop" ? await sharp(b).metadata() : null;
      b = await sharpStep(sharp(b), t, size, files[r.mark]).png().toBuffer();
    }
    return b;
  },
};

// ---- @napi-rs/canvas

function blank(width, height) {
  const c = napi.createCanvas(width, height);
  const g = c.getContext("2d");
  g.imageSmoothingQuality = "high";
  return [c, g];
}

function napiStep(from, t, mark) {
  const { width: w, height: h } = from;
  let c, g;
  switch (t.op) {
    case "resize":
      [c, g] = blank(t.width, t.height);
      g.drawImage(from, 0, 0, t.width, t.height);
      return c;
    case "crop":
      [c, g] = blank(t.width, t.height);
      g.drawImage(from, -((w - t.width) >> 1), -((h - t.height) >> 1));
      return c;
    case "rotate": {
      const a = (t.amount * Math.PI) / 180, sin = Math.abs(Math.sin(a)), cos = Math.abs(Math.cos(a));
      [c, g] = blank(Math.floor(w * cos + h * sin + 0.5), Math.floor(w * sin + h * cos + 0.5));
      g.translate(c.width / 2, c.height / 2);
      g.rotate(a);
      g.drawImage(from, -w / 2, -h / 2);
      return c;
    }
  }
  [c, g] = blank(w, h);
  switch (t.op) {
    case "flop": g.translate(w, 0); g.scale(-1, 1); break;
    case "flip": g.translate(0, h); g.scale(1, -1); break;
    case "blur": g.filter = `blur(${t.amount}px)`; break;
    case "brightness": case "contrast": case "saturate": g.filter = `${t.op}(${t.amount})`; break;
    case "composite": break;
    default: throw new Error(`no operation ${t.op}`);
  }
  g.drawImage(from, 0, 0);
  if (t.op === "composite") g.drawImage(mark, t.x, t.y);
  return c;
}

const canvases = {}; // raw pixels as canvases, made before the rounds

function pixels(name, width, height) {
  if (!canvases[name]) {
    const [c, g] = blank(width, height);
    const d = g.createImageData(width, height);
    d.data.set(files[name]);
    g.putImageData(d, 0, 0);
    canvases[name] = c;
  }
  return canvases[name];
}

const napiTasks = {
  shrink: async (r) => {
    const m = await napi.loadImage(files[r.file]);
    const height = Math.round((m.height * r.width) / m.width);
    const [c, g] = blank(r.width, height);
    g.drawImage(m, 0, 0, r.width, height);
    return c;
  },
  jpeg: async (r) => (await napiTasks.shrink(r)).encode("jpeg", 80),
  // A quality of 100 is what Skia takes for "without loss".
  webp: async (r) => (await napiTasks.shrink(r)).encode("webp", r.lossless ? 100 : 80),
  resize: (r) => {
    const from = pixels(r.file, ...r.from);
    // Skia keeps a pyramid of a picture that does not change; each round makes its own.
    const g0 = from.getContext("2d");
    g0.putImageData(g0.getImageData(0, 0, 1, 1), 0, 0);
    const [c, g] = blank(r.width, r.height);
    g.drawImage(from, 0, 0, r.width, r.height);
    return Buffer.from(g.getImageData(0, 0, r.width, r.height).data.buffer);
  },
  chainPixels: async (r) => {
    const mark = pixels(r.mark, 128, 128);
    let c = await napi.loadImage(files[r.file]);
    for (const t of r.steps) c = napiStep(c, t, mark);
    return c.encode("png");
  },
  chainFiles: async (r) => {
    const mark = pixels(r.mark, 128, 128);
    let b = files[r.file];
    for (const t of r.steps) b = await napiStep(await napi.loadImage(b), t, mark).encode("png");
    return b;
  },
};

// ---- requests

const requests = {
  versions: async () => {
    const v = { node: process.version };
    if (sharp) Object.assign(v, { sharp: sharp.versions.sharp, libvips: sharp.versions.vips });
    if (napi) v["@napi-rs/canvas"] = JSON.parse(readFileSync(new URL("../node_modules/@napi-rs/canvas/package.json", import.meta.url))).version;
    return { versions: v, missing };
  },
  file: (r) => { files[r.name] = readFileSync(r.path); },
  drop: (r) => { delete files[r.name]; delete canvases[r.name]; },
  gc: () => globalThis.gc(),
  write: (r) => writeFileSync(r.path, last),
  sharp: async (r) => {
    sharp.concurrency(r.threads); // 0 is as many as there are processors
    last = await sharpTasks[r.task](r);
  },
  napi: async (r) => { last = await napiTasks[r.task](r); },
};

await serve(requests);
