// Checks of the canvas. A check is a sentence, a program that gets the context of a surface
// of its own, 100 × 50 pixels, and what the program returns.
//
// Colours that at and whole return may be off by 2 in each component; they are expected as a
// name of colours or as [red, green, blue, alpha]. Other numbers are compared to 1e-6, or to
// the tolerance of near.

const colours = {
  none: [0, 0, 0, 0], red: [255, 0, 0, 255], lime: [0, 255, 0, 255], blue: [0, 0, 255, 255],
  white: [255, 255, 255, 255], black: [0, 0, 0, 255], yellow: [255, 255, 0, 255],
  cyan: [0, 255, 255, 255], magenta: [255, 0, 255, 255],
};
const letters = { none: ".", red: "R", lime: "G", blue: "B", white: "W", black: "K", yellow: "Y", cyan: "C", magenta: "M" };

class Colour {
  constructor(data, i) { this.rgba = Array.from(data.slice(i, i + 4)); }
  is(rgba, off = 2) { return Array.isArray(rgba) && this.rgba.every((v, i) => Math.abs(v - rgba[i]) <= off); }
}

class Near {
  constructor(value, off) { this.value = value; this.off = off; }
}

// near expects a number that is off by no more than that.
export const near = (value, off) => new Near(value, off);

const pixels = (c) => c.getImageData(0, 0, c.canvas.width, c.canvas.height);

// at is the colour of a pixel.
export const at = (c, x, y) => new Colour(c.getImageData(x, y, 1, 1).data, 0);

// whole is the colour of all pixels of a rectangle, or says where they differ.
export function whole(c, x = 0, y = 0, w = c.canvas.width - x, h = c.canvas.height - y) {
  const { data } = c.getImageData(x, y, w, h), first = new Colour(data, 0), words = new Uint32Array(data.buffer);
  for (let i = 1; i < words.length; i++) {
    if (words[i] === words[0]) continue;
    const next = new Colour(data, 4 * i);
    if (!next.is(first.rgba)) return `${first.rgba} at ${x},${y} but ${next.rgba} at ${x + i % w},${y + Math.floor(i / w)}`;
  }
  return first;
}

// cells is a picture in letters of the pixels in the middle of squares of size × size pixels.
// Rows are joined by slashes; equal rows are given once, equal letters too.
export function cells(c, size = 10) {
  const { data, width, height } = pixels(c), rows = [];
  for (let y = Math.floor(size / 2); y < height; y += size) {
    let row = "";
    for (let x = Math.floor(size / 2); x < width; x += size) {
      const colour = new Colour(data, 4 * (y * width + x));
      row += letters[Object.keys(colours).find((n) => colour.is(colours[n], 8))] ?? "?";
    }
    rows.push(row);
  }
  if (!rows.every((r) => r === rows[0])) return rows.join("/");
  return [...rows[0]].every((l) => l === rows[0][0]) ? rows[0][0] : rows[0];
}

// fill paints everything in a colour.
export function fill(c, colour) {
  c.save();
  c.resetTransform();
  c.fillStyle = colour;
  c.fillRect(0, 0, c.canvas.width, c.canvas.height);
  c.restore();
}

// error is the name of the error that a function throws, or none.
export function error(f) {
  try {
    f();
  } catch (e) {
    return e.name;
  }
  return "none";
}

// broken are the arguments with each, and all, of the numbers replaced by what is not finite.
export const broken = (...args) => [Infinity, -Infinity, NaN].flatMap((bad) =>
  [...args.keys()].map((i) => args.with(i, bad)).concat([args.map(() => bad)]));

// surface is another surface, painted.
export function surface(width, height, paint = () => {}) {
  const s = createCanvas(width, height);
  paint(s.getContext("2d"));
  return s;
}

function same(got, want) {
  if (got instanceof Colour) return got.is(typeof want === "string" ? colours[want] : want);
  if (want instanceof Near) return typeof got === "number" && Math.abs(got - want.value) <= want.off;
  if (Array.isArray(want)) return Array.isArray(got) && got.length === want.length && want.every((w, i) => same(got[i], w));
  if (typeof want === "number" && typeof got === "number" && Number.isFinite(want)) {
    return Math.abs(got - want) <= 1e-6 * Math.max(1, Math.abs(want));
  }
  return Object.is(got, want);
}

function show(v) {
  if (v instanceof Colour) return `[${v.rgba}]`;
  if (v instanceof Near) return `${v.value} ± ${v.off}`;
  return Array.isArray(v) ? `[${v.map(show).join(", ")}]` : typeof v === "string" ? JSON.stringify(v) : String(v);
}

let count = 0;
const failed = [];

// check runs a check.
export function check(sentence, body, want) {
  count++;
  let got;
  try {
    got = body(createCanvas(100, 50).getContext("2d"));
  } catch (e) {
    got = `threw ${e.name}: ${e.message}`;
  }
  if (!same(got, want)) failed.push(`${sentence}: got ${show(got)}, want ${show(want)}`);
}

// report is how many checks there were, and those that failed.
export const report = () => ({ checks: count, failed });
