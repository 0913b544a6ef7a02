// squares makes a TrueType font of rectangles, whose text covers pixels exactly. An em has 1000
// units, of which 750 are above the baseline; all letters are an em wide:
//
//	A  the em above the baseline
//	B  the em below the baseline
//	E  the whole em
//
// A space is an em wide, too. ascent and descent are those of the font's tables; with
// baselines, its table BASE has the hanging baseline 500 and the ideographic one 125 units
// above the alphabetic one.
export default function squares({ ascent = 750, descent = 250, baselines = true } = {}) {
  const u16 = (v) => [v >> 8 & 255, v & 255], u32 = (v) => [...u16(v >>> 16), ...u16(v)];
  const words = (...list) => list.flatMap(u16);
  const tag = (s) => [...s].map((l) => l.charCodeAt(0));
  const box = (bottom, top) => [...words(1, 0, bottom, 1000, top, 3, 0), 1, 1, 1, 1, ...words(0, 0, 1000, 0, bottom, top - bottom, 0, bottom - top)];
  const glyphs = [box(-250, 750), [], box(0, 750), box(-250, 0), box(-250, 750)];
  const letters = [[32, 1], [65, 2], [66, 3], [69, 4]];
  const offsets = [0];
  for (const g of glyphs) {
    while (g.length % 4) g.push(0);
    offsets.push(offsets.at(-1) + g.length);
  }
  const segments = [...letters, [0xffff, 0]], n = segments.length;
  const map = [...words(2 * n, 8, 2, 2 * n - 8), ...segments.flatMap(([c]) => u16(c)), ...u16(0), ...segments.flatMap(([c]) => u16(c)),
    ...segments.flatMap(([c, g]) => u16(c === 0xffff ? 1 : g - c)), ...segments.flatMap(() => u16(0))];
  const text = [..."Squares"].flatMap((l) => u16(l.charCodeAt(0)));
  const names = [1, 2, 3, 4, 6];
  const tables = {
    "OS/2": [...words(4, 1000, 400, 5, 0), ...Array(20).fill(0), ...u16(0), ...Array(10).fill(0), ...u32(1), ...u32(0), ...u32(0), ...u32(0), ...tag("none"),
      ...words(0x40, 32, 69, ascent, -descent, 0, ascent, descent), ...u32(1), ...u32(0), ...words(500, 750, 0, 32, 1)],
    cmap: [...words(0, 1, 3, 1), ...u32(12), ...words(4, map.length + 6, 0), ...map],
    glyf: glyphs.flat(),
    head: [...u32(0x10000), ...u32(0x10000), ...u32(0), ...u32(0x5f0f3cf5), ...words(3, 1000), ...Array(16).fill(0), ...words(0, -250, 1000, 750, 0, 8, 2, 1, 0)],
    hhea: [...u32(0x10000), ...words(ascent, -descent, 0, 1000, 0, 0, 1000, 1, 0, 0, 0, 0, 0, 0, 0, glyphs.length)],
    hmtx: glyphs.flatMap(() => words(1000, 0)),
    loca: offsets.flatMap(u32),
    maxp: [...u32(0x10000), ...words(glyphs.length, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)],
    name: [...words(0, names.length, 6 + 12 * names.length), ...names.flatMap((id) => words(3, 1, 0x409, id, text.length, 0)), ...text],
    post: [...u32(0x30000), ...Array(28).fill(0)],
  };
  if (baselines) {
    tables.BASE = [...words(1, 0, 8, 0), ...words(4, 18), ...words(3), ...tag("hangideoromn"), ...words(1), ...tag("DFLT"), ...u16(8),
      ...words(6, 0, 0), ...words(2, 3, 10, 14, 18), ...words(1, 500), ...words(1, 125), ...words(1, 0)];
  }
  const list = Object.entries(tables).sort(([a], [b]) => (a < b ? -1 : 1));
  const sum = (data) => data.reduce((s, v, i) => (s + v * 2 ** (8 * (3 - i % 4))) % 2 ** 32, 0);
  let at = 12 + 16 * list.length;
  const header = [...u32(0x10000), ...words(list.length, 128, 3, 16 * list.length - 128)], body = [];
  for (const [name, data] of list) {
    header.push(...tag(name), ...u32(sum(data)), ...u32(at), ...u32(data.length));
    while (data.length % 4) data.push(0);
    body.push(...data);
    at += data.length;
  }
  return new Uint8Array([...header, ...body]);
}
