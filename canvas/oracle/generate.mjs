// Draws the scenes with a browser and with @napi-rs/canvas and writes testdata: see README.md.

import { execFileSync } from "node:child_process";
import { mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const here = new URL(".", import.meta.url).pathname;
const require = createRequire(join(here, "../../bench/peers/package.json"));
process.env.DISABLE_SYSTEM_FONTS_LOAD = "1"; // no face of the machine is drawn with
const napi = require("@napi-rs/canvas");
const sharp = require("sharp");
for (const name of ["Path2D", "DOMMatrix"]) globalThis[name] ??= napi[name]; // as in browsers
const chromium = process.env.CHROMIUM ?? "chromium";
const size = 256;
const times = 16; // of the truth
const only = process.argv[2]; // a part of scenes' names

// ---- scenes

const helpers = readFileSync(here + "helpers.js", "utf8");
const scenes = [];
for (const file of readdirSync(here + "scenes").sort()) {
  const [, ...chunks] = readFileSync(here + "scenes/" + file, "utf8").split(/^\/\/ (?=scenes?: )/m);
  for (const chunk of chunks) {
    const [head, ...body] = chunk.split("\n");
    const [, name, words] = /^scenes?: (\S+)(?: for (.+))?$/.exec(head);
    for (const word of words ? words.split(" ") : [""])
      scenes.push({ name: name.replace("$", word.replace(/[^\w.-]+/g, "-").replace(/-$/, "")), code: `const word = ${JSON.stringify(word)};\n${body.join("\n")}` });
  }
}
const chosen = scenes.filter((s) => !only || s.name.includes(only));
const groups = JSON.parse(readFileSync(here + "strings.json", "utf8"));

// A truth is drawn for what is all geometry: there a browser's own edges are not exact. Of text
// it has the outlines as the font gives them, which no hinting has moved and no tone of the colour
// has made bolder.
const geometric = (name) => /^(paths|strokes|clips-(circle|nested|evenodd|turned|empty)|transforms|mixed|text-(?!shadowed|tones))/.test(name);

// The ways differ in how they blur, filter and sample, and in edges that the processor does not
// smooth.
const sampled = (name) => /^(filters|shadows|images|patterns|pixels|compositing-of|clips-(shadow|and)|text-shadowed)/.test(name);

// ---- fonts

const fontsDir = execFileSync("go", ["list", "-m", "-f", "{{.Dir}}", "github.com/go-fonts/liberation"], { cwd: here, encoding: "utf8" }).trim();
const faces = [];
for (const family of ["Sans", "Serif", "Mono"])
  for (const style of ["Regular", "Bold", "Italic", "BoldItalic"])
    faces.push({
      family: "Liberation " + family,
      weight: style.startsWith("Bold") ? 700 : 400,
      style: style.endsWith("Italic") ? "italic" : "normal",
      data: readFileSync(join(fontsDir, `liberation${family}${style}`.toLowerCase(), `Liberation${family}-${style}.ttf`)),
    });

// ---- the browser

const metrics = ["width", "actualBoundingBoxLeft", "actualBoundingBoxRight", "actualBoundingBoxAscent", "actualBoundingBoxDescent", "fontBoundingBoxAscent", "fontBoundingBoxDescent"];

// measure runs in the page and in Node.
function measure(ctx, groups, names) {
  return groups.map(({ font, set, texts }) => {
    ctx.save();
    ctx.font = font;
    Object.assign(ctx, set);
    const all = texts.map((text) => {
      const m = ctx.measureText(text);
      return names.map((n) => m[n]);
    });
    ctx.restore();
    return all;
  });
}

// Without graphics hardware a browser draws in one of two ways: on the processor, which is what
// pictures are compared with first, or as if there were such hardware.
const processor = ["--disable-gpu"];
const hardware = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--enable-gpu-rasterization"];

// Under Linux fontconfig decides whether glyphs are hinted, that is, fitted to rows of pixels.
// Elsewhere, and on dense screens, they are not.
const unhinted = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>${["pattern", "font"].map((target) => `<match target="${target}"><edit name="hinting" mode="assign"><bool>false</bool></edit>
<edit name="hintstyle" mode="assign"><const>hintnone</const></edit><edit name="autohint" mode="assign"><bool>false</bool></edit></match>`).join("\n")}
</fontconfig>`;

function inBrowser(part, withText, flags = processor, fontconfig) {
  const dir = mkdtempSync(join(tmpdir(), "oracle-"));
  try {
    const css = faces.map((f) => `@font-face { font-family: "${f.family}"; font-weight: ${f.weight}; font-style: ${f.style}; src: url(data:font/ttf;base64,${f.data.toString("base64")}); }`);
    const draws = part.map((s) => `${JSON.stringify(s.name)}: (ctx, w, h, helpers) => {\n${s.code}\n}`);
    writeFileSync(join(dir, "page.html"), `<!doctype html><meta charset="utf-8"><style>${withText ? css.join("\n") : ""}</style><body><script>
const blank = (width, height) => Object.assign(document.createElement("canvas"), { width, height });
const helpers = (() => { ${helpers} })();
const scenes = { ${draws.join(",\n")} };
const faces = ${JSON.stringify(withText ? faces.map((f) => `${f.style} ${f.weight} 20px "${f.family}"`) : [])};
Promise.all(faces.map((f) => document.fonts.load(f))).then(() => {
  const out = { scenes: {} };
  for (const [name, draw] of Object.entries(scenes)) {
    const c = blank(${size}, ${size});
    try {
      draw(c.getContext("2d"), ${size}, ${size}, helpers);
      out.scenes[name] = c.toDataURL();
    } catch (e) {
      out.scenes[name] = "failed: " + e;
    }
  }
  ${withText ? `out.metrics = (${measure})(blank(10, 10).getContext("2d"), ${JSON.stringify(groups)}, ${JSON.stringify(metrics)});` : ""}
  document.body.textContent = "";
  document.body.append("BEGIN" + btoa(unescape(encodeURIComponent(JSON.stringify(out)))) + "END");
});
</script>`);
    const env = { ...process.env };
    if (fontconfig) writeFileSync((env.FONTCONFIG_FILE = join(dir, "fonts.conf")), fontconfig);
    const dom = execFileSync(chromium, ["--headless", "--no-sandbox", ...flags, "--virtual-time-budget=60000", "--user-data-dir=" + dir, "--dump-dom", "file://" + join(dir, "page.html")],
      { env, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
    return JSON.parse(Buffer.from(/BEGIN([\w+/=]*)END/.exec(dom)[1], "base64").toString());
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

// ---- Node

const blank = (width, height) => napi.createCanvas(width, height);
const shared = new Function("blank", helpers)(blank);
for (const f of faces) napi.GlobalFonts.register(f.data, f.family);

function inNode(s) {
  const c = blank(size, size);
  new Function("ctx", "w", "h", "helpers", s.code)(c.getContext("2d"), size, size, shared);
  return c;
}

// truth draws a scene much larger, with transformations and other lengths in the same units,
// and takes the mean of the premultiplied pixels.
function truth(s) {
  const c = blank(size * times, size * times);
  const g = c.getContext("2d");
  g.scale(times, times);
  const big = new napi.DOMMatrix([times, 0, 0, times, 0, 0]);
  const set = g.setTransform.bind(g), get = g.getTransform.bind(g);
  g.setTransform = (...m) => {
    if (m.length === 6) m = [{ a: m[0], b: m[1], c: m[2], d: m[3], e: m[4], f: m[5] }];
    const { a = 1, b = 0, c = 0, d = 1, e = 0, f = 0 } = m[0] ?? {};
    set(big.multiply(new napi.DOMMatrix([a, b, c, d, e, f])));
  };
  g.resetTransform = () => set(big);
  g.getTransform = () => big.inverse().multiply(get());
  new Function("ctx", "w", "h", "helpers", s.code)(g, size, size, shared);
  const sum = new Float64Array(size * size * 4);
  for (let y = 0; y < size; y++) {
    const { data } = g.getImageData(0, y * times, size * times, times);
    for (let i = 0; i < data.length; i += 4) {
      const to = 4 * (y * size + Math.floor(((i / 4) % (size * times)) / times)), a = data[i + 3];
      for (let k = 0; k < 3; k++) sum[to + k] += (data[i + k] * a) / 255;
      sum[to + 3] += a;
    }
  }
  const out = new Uint8ClampedArray(sum.length);
  for (let i = 0; i < sum.length; i += 4) {
    const a = sum[i + 3] / times / times;
    for (let k = 0; k < 3; k++) out[i + k] = a ? Math.round((sum[i + k] / times / times / a) * 255) : 0;
    out[i + 3] = Math.round(a);
  }
  return Buffer.from(out.buffer);
}

// exactBlur draws a scene whose filter is one blur, each drawing blurred by a Gaussian in
// floating point.
function exactBlur(s) {
  const sigma = parseFloat(/blur\((.+)px\)/.exec(s.code)[1]), margin = Math.ceil(4 * sigma), side = size + 2 * margin;
  const weights = [];
  for (let i = -margin; i <= margin; i++) weights.push(Math.exp((-i * i) / (2 * sigma * sigma)));
  const total = weights.reduce((a, b) => a + b);
  const pass = (from, dx, dy) => {
    const to = new Float64Array(from.length);
    for (let y = 0; y < side; y++)
      for (let x = 0; x < side; x++)
        for (let i = -margin; i <= margin; i++) {
          const u = x + i * dx, v = y + i * dy;
          if (u < 0 || v < 0 || u >= side || v >= side) continue;
          for (let k = 0; k < 4; k++) to[4 * (y * side + x) + k] += (weights[i + margin] / total) * from[4 * (v * side + u) + k];
        }
    return to;
  };
  let sum = new Float64Array(4 * side * side), filter = "none";
  const c = blank(side, side), g = c.getContext("2d");
  g.translate(margin, margin);
  const paints = ["fill", "fillRect", "drawImage"];
  const ctx = new Proxy(g, {
    set: (_, k, v) => (k === "filter" ? (filter = v) : (g[k] = v), true),
    get: (_, k) => (typeof g[k] !== "function" ? g[k] : (...args) => {
      const got = g[k](...args);
      if (paints.includes(k)) {
        let layer = Float64Array.from(g.getImageData(0, 0, side, side).data);
        for (let i = 0; i < layer.length; i += 4) for (let j = 0; j < 3; j++) layer[i + j] *= layer[i + 3] / 255;
        if (filter !== "none") layer = pass(pass(layer, 1, 0), 0, 1);
        sum = sum.map((v, i) => layer[i] + v * (1 - layer[i - (i % 4) + 3] / 255));
        g.clearRect(-margin, -margin, side, side);
      }
      return got;
    }),
  });
  new Function("ctx", "w", "h", "helpers", s.code)(ctx, size, size, shared);
  const out = new Uint8ClampedArray(4 * size * size);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const to = 4 * (y * size + x), from = 4 * ((y + margin) * side + x + margin), a = sum[from + 3];
      for (let k = 0; k < 3; k++) out[to + k] = a ? Math.round((sum[from + k] / a) * 255) : 0;
      out[to + 3] = Math.round(a);
    }
  return Buffer.from(out.buffer);
}

// ---- pictures

const pixels = async (png) => (await sharp(png).ensureAlpha().raw().toBuffer());

// png is the smallest of some ways to write the same pixels.
async function png(raw) {
  const write = (o) => sharp(raw, { raw: { width: size, height: size, channels: 4 } }).png({ compressionLevel: 9, ...o }).toBuffer();
  const ways = await Promise.all([{ adaptiveFiltering: true }, { adaptiveFiltering: false }, { palette: true, colours: 256, dither: 0, effort: 10 }].map(write));
  if (!(await pixels(ways[2])).equals(raw)) ways.pop(); // more colours than a palette has
  return ways.reduce((a, b) => (a.length <= b.length ? a : b));
}

// differ is the mean of the premultiplied differences and the share of pixels off by more than 32.
function differ(a, b) {
  let sum = 0, off = 0;
  for (let i = 0; i < a.length; i += 4) {
    let most = Math.abs(a[i + 3] - b[i + 3]);
    sum += most;
    for (let k = 0; k < 3; k++) {
      const d = Math.abs(a[i + k] * a[i + 3] - b[i + k] * b[i + 3]) / 255;
      sum += d;
      most = Math.max(most, d);
    }
    if (most > 32) off++;
  }
  return [sum / a.length, off / (a.length / 4)];
}

const testdata = here + "testdata/";
mkdirSync(testdata, { recursive: true });
let failed = 0;
const add = async (name, raw) => writeFileSync(testdata + name + ".png", await png(raw));
for (let at = 0; at < chosen.length; at += 30) {
  const part = chosen.slice(at, at + 30);
  const withText = part.some((s) => s.name.startsWith("text"));
  const { scenes: drawn } = inBrowser(part, withText);
  const second = part.filter((s) => sampled(s.name));
  const { scenes: drawnTwice } = second.length > 0 ? inBrowser(second, withText, hardware) : { scenes: {} };
  const texts = part.filter((s) => s.name.startsWith("text"));
  const { scenes: drawnPlainly } = texts.length > 0 ? inBrowser(texts, true, processor, unhinted) : { scenes: {} };
  for (const s of part) {
    if (!drawn[s.name]?.startsWith("data:image/png;base64,")) {
      console.log(s.name, drawn[s.name]);
      failed++;
      continue;
    }
    const golden = await pixels(Buffer.from(drawn[s.name].split(",")[1], "base64"));
    await add(s.name, golden);
    rmSync(testdata + s.name + ".napi.png", { force: true });
    const line = [s.name];
    try {
      const node = await pixels(inNode(s).toBuffer("image/png"));
      const [mean, off] = differ(golden, node);
      if (mean > 0.01) {
        line.push(`@napi-rs/canvas differs by ${mean.toFixed(3)}, ${(100 * off).toFixed(2)} % of pixels`);
        await add(s.name + ".napi", node);
      }
    } catch (e) {
      line.push("@napi-rs/canvas: " + e);
    }
    for (const [kind, from, what] of [[".gpu", drawnTwice, "with hardware"], [".unhinted", drawnPlainly, "without hinting"]]) {
      rmSync(testdata + s.name + kind + ".png", { force: true });
      if (!from[s.name]) continue;
      const other = await pixels(Buffer.from(from[s.name].split(",")[1], "base64"));
      const [mean, off] = differ(golden, other);
      if (mean > 0.25) {
        line.push(`${what} ${mean.toFixed(3)}, ${(100 * off).toFixed(2)} % of pixels`);
        await add(s.name + kind, other);
      }
    }
    const exactly = geometric(s.name) ? truth : s.name.startsWith("filters-blur") ? exactBlur : null;
    if (exactly) {
      const exact = exactly(s);
      const [mean, off] = differ(golden, exact);
      line.push(`the truth is ${mean.toFixed(3)}, ${(100 * off).toFixed(2)} % away`);
      await add(s.name + ".truth", exact);
    }
    console.log(line.join("; "));
  }
}
if (!only) {
  const browser = inBrowser([], true).metrics;
  const node = measure(blank(10, 10).getContext("2d"), groups, metrics);
  const all = groups.flatMap(({ font, set, texts }, i) => texts.map((text, j) => ({ font, set, text, chromium: browser[i][j], napi: node[i][j] })));
  const version = execFileSync(chromium, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  writeFileSync(testdata + "metrics.json", `{"by": ${JSON.stringify([version, "@napi-rs/canvas " + require("@napi-rs/canvas/package.json").version])}, "metrics": ${JSON.stringify(metrics)}, "strings": [\n${all.map((m) => "  " + JSON.stringify(m)).join(",\n")}\n]}\n`);
}
console.log(`${chosen.length} scenes, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
