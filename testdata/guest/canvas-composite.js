// composite: Porter-Duff modes on translucent colours
import { check, report, at, whole, fill, near } from "checks";
// mix paints a source over a destination, both given as [red, green, blue, alpha of 0 to 1],
// and is what comes of it.
const rgba = ([r, g, b, a]) => `rgba(${r}, ${g}, ${b}, ${a})`;
const mix = (c, mode, s, d) => { c.globalCompositeOperation = "copy"; fill(c, rgba(d)); c.globalCompositeOperation = mode; c.fillStyle = rgba(s); c.fillRect(0, 0, 100, 50); return whole(c); };
// Factors of source and destination by their alphas.
const factors = {
  "source-over": (s, d) => [1, 1 - s], "destination-over": (s, d) => [1 - d, 1],
  "source-in": (s, d) => [d, 0], "destination-in": (s, d) => [0, s],
  "source-out": (s, d) => [1 - d, 0], "destination-out": (s, d) => [0, 1 - s],
  "source-atop": (s, d) => [d, 1 - s], "destination-atop": (s, d) => [1 - d, s],
  xor: (s, d) => [1 - d, 1 - s], copy: () => [1, 0], lighter: () => [1, 1],
};
const expect = (mode, s, d) => {
  const [fs, fd] = factors[mode](s[3], d[3]), a = Math.min(1, s[3] * fs + d[3] * fd);
  return [0, 1, 2].map((i) => a ? Math.min(255, (s[i] * s[3] * fs + d[i] * d[3] * fd) / a) : 0).concat(a * 255);
};
const solid = [[0, 255, 255, 1], [255, 255, 0, 1]], thin = [[0, 0, 255, 0.75], [0, 255, 0, 0.5]], clear = [[0, 0, 255, 0.75], [0, 0, 0, 0]];
const exact = (mode, pair) => (c) => { const got = mix(c, mode, ...pair), want = expect(mode, ...pair); return got.is?.(want, 5) || `${got.rgba ?? got} for ${want}`; };
check("source-over of opaque colours", exact("source-over", solid), true);
check("source-over of translucent colours", exact("source-over", thin), true);
check("source-over on nothing", exact("source-over", clear), true);
check("destination-over of opaque colours", exact("destination-over", solid), true);
check("destination-over of translucent colours", exact("destination-over", thin), true);
check("destination-over on nothing", exact("destination-over", clear), true);
check("source-in of opaque colours", exact("source-in", solid), true);
check("source-in of translucent colours", exact("source-in", thin), true);
check("source-in on nothing", exact("source-in", clear), true);
check("destination-in of opaque colours", exact("destination-in", solid), true);
check("destination-in of translucent colours", exact("destination-in", thin), true);
check("destination-in on nothing", exact("destination-in", clear), true);
check("source-out of opaque colours", exact("source-out", solid), true);
check("source-out of translucent colours", exact("source-out", thin), true);
check("source-out on nothing", exact("source-out", clear), true);
check("destination-out of opaque colours", exact("destination-out", solid), true);
check("destination-out of translucent colours", exact("destination-out", thin), true);
check("destination-out on nothing", exact("destination-out", clear), true);
check("source-atop of opaque colours", exact("source-atop", solid), true);
check("source-atop of translucent colours", exact("source-atop", thin), true);
check("source-atop on nothing", exact("source-atop", clear), true);
check("destination-atop of opaque colours", exact("destination-atop", solid), true);
check("destination-atop of translucent colours", exact("destination-atop", thin), true);
check("destination-atop on nothing", exact("destination-atop", clear), true);
check("xor of opaque colours", exact("xor", solid), true);
check("xor of translucent colours", exact("xor", thin), true);
check("xor on nothing", exact("xor", clear), true);
check("copy of opaque colours", exact("copy", solid), true);
check("copy of translucent colours", exact("copy", thin), true);
check("copy on nothing", exact("copy", clear), true);
check("lighter of opaque colours", exact("lighter", solid), true);
check("lighter of translucent colours", exact("lighter", thin), true);
check("lighter on nothing", exact("lighter", clear), true);
return report(); //= {"checks":33,"failed":[]}
---
// composite: what modes do outside of the shape
import { check, report, at, whole, cells, fill, surface } from "checks";
const half = (c, mode) => { fill(c, "lime"); c.globalCompositeOperation = mode; c.fillStyle = "blue"; c.fillRect(0, 0, 50, 50); return cells(c); };
check("source-in clears outside of the shape", (c) => half(c, "source-in"), "BBBBB.....");
check("source-out clears outside of the shape", (c) => half(c, "source-out"), ".");
check("destination-in clears outside of the shape", (c) => half(c, "destination-in"), "GGGGG.....");
check("destination-atop clears outside of the shape", (c) => half(c, "destination-atop"), "GGGGG.....");
check("copy clears outside of the shape", (c) => half(c, "copy"), "BBBBB.....");
check("source-over leaves what is outside of the shape", (c) => half(c, "source-over"), "BBBBBGGGGG");
check("source-atop leaves what is outside of the shape", (c) => half(c, "source-atop"), "BBBBBGGGGG");
check("destination-out leaves what is outside of the shape", (c) => half(c, "destination-out"), ".....GGGGG");
check("xor leaves what is outside of the shape", (c) => half(c, "xor"), ".....GGGGG");
check("modes that clear outside stay in the clip", (c) => { fill(c, "lime"); c.rect(0, 0, 70, 50); c.clip(); c.globalCompositeOperation = "copy"; c.fillStyle = "blue"; c.fillRect(0, 0, 50, 50); return cells(c); }, "BBBBB..GGG");
check("source-in inside a clip", (c) => { fill(c, "lime"); c.rect(20, 0, 60, 50); c.clip(); c.globalCompositeOperation = "source-in"; c.fillStyle = "blue"; c.fillRect(0, 0, 50, 50); return cells(c); }, "GGBBB...GG");
check("copy of an image clears around it", (c) => { fill(c, "lime"); c.globalCompositeOperation = "copy"; c.drawImage(surface(50, 50, (d) => fill(d, "blue")), 0, 0); return cells(c); }, "BBBBB.....");
check("destination-atop of an image keeps only what is under it", (c) => { fill(c, "lime"); c.globalCompositeOperation = "destination-atop"; c.drawImage(surface(50, 50, (d) => fill(d, "blue")), 0, 0); return cells(c); }, "GGGGG.....");
check("source-in of an image", (c) => { fill(c, "lime"); c.globalCompositeOperation = "source-in"; c.drawImage(surface(50, 50, (d) => fill(d, "blue")), 0, 0); return cells(c); }, "BBBBB.....");
check("copy of a pattern that is there once clears around it", (c) => { fill(c, "lime"); c.globalCompositeOperation = "copy"; c.fillStyle = c.createPattern(surface(50, 50, (d) => fill(d, "blue")), "no-repeat"); c.fillRect(0, 0, 100, 50); return cells(c); }, "BBBBB.....");
check("copy of a stroke clears all else", (c) => { fill(c, "lime"); c.globalCompositeOperation = "copy"; c.strokeStyle = "blue"; c.lineWidth = 10; c.strokeRect(-50, 5, 200, 0); return cells(c); }, "BBBBBBBBBB/........../........../........../..........");
check("copy of a path that is empty clears all", (c) => { fill(c, "lime"); c.globalCompositeOperation = "copy"; c.beginPath(); c.rect(200, 200, 5, 5); c.fill(); return whole(c); }, "none");
check("copy with globalAlpha 0.5 leaves nothing of what was", (c) => { fill(c, "lime"); c.globalCompositeOperation = "copy"; c.globalAlpha = 0.5; c.fillStyle = "blue"; c.fillRect(0, 0, 100, 50); return whole(c); }, [0, 0, 255, 128]);
check("copy of the surface onto itself, shifted", (c) => { c.fillStyle = "lime"; c.fillRect(0, 0, 50, 50); c.globalCompositeOperation = "copy"; c.drawImage(c.canvas, 50, 0); return cells(c); }, ".....GGGGG");
check("clearRect does not look at the mode", (c) => { fill(c, "lime"); c.globalCompositeOperation = "destination-atop"; c.clearRect(0, 0, 50, 50); return cells(c); }, ".....GGGGG");
check("copy keeps a smooth edge", (c) => { fill(c, "lime"); c.globalCompositeOperation = "copy"; c.fillStyle = "blue"; c.fillRect(0, 0, 50.5, 50); const p = at(c, 50, 25).rgba; return [p[3] > 110 && p[3] < 145, p[1] < 10]; }, [true, true]);
return report(); //= {"checks":21,"failed":[]}
---
// composite: blend modes
import { check, report, whole, fill } from "checks";
const rgba = ([r, g, b, a]) => `rgba(${r}, ${g}, ${b}, ${a})`;
const mix = (c, mode, s, d) => { c.globalCompositeOperation = "copy"; fill(c, rgba(d)); c.globalCompositeOperation = mode; c.fillStyle = rgba(s); c.fillRect(0, 0, 100, 50); return whole(c); };
const lum = ([r, g, b]) => 0.3 * r + 0.59 * g + 0.11 * b;
const sat = (c) => Math.max(...c) - Math.min(...c);
const clipped = (c) => { const l = lum(c), n = Math.min(...c), x = Math.max(...c); return c.map((v) => n < 0 ? l + (v - l) * l / (l - n) : v).map((v) => x > 1 ? l + (v - l) * (1 - l) / (x - l) : v); };
const withLum = (c, l) => clipped(c.map((v) => v + l - lum(c)));
const withSat = (c, s) => { const n = Math.min(...c), x = Math.max(...c); return c.map((v) => x > n ? (v - n) * s / (x - n) : 0); };
const each = (f) => (s, d) => s.map((v, i) => f(v, d[i]));
const screen = (s, d) => s + d - s * d, hard = (s, d) => s <= 0.5 ? 2 * s * d : screen(2 * s - 1, d);
const blends = {
  multiply: each((s, d) => s * d), screen: each(screen), overlay: each((s, d) => hard(d, s)),
  darken: each(Math.min), lighten: each(Math.max), "hard-light": each(hard),
  "color-dodge": each((s, d) => d === 0 ? 0 : s >= 1 ? 1 : Math.min(1, d / (1 - s))),
  "color-burn": each((s, d) => d >= 1 ? 1 : s <= 0 ? 0 : 1 - Math.min(1, (1 - d) / s)),
  "soft-light": each((s, d) => s <= 0.5 ? d - (1 - 2 * s) * d * (1 - d) : d + (2 * s - 1) * ((d <= 0.25 ? ((16 * d - 12) * d + 4) * d : Math.sqrt(d)) - d)),
  difference: each((s, d) => Math.abs(s - d)), exclusion: each((s, d) => s + d - 2 * s * d),
  hue: (s, d) => withLum(withSat(s, sat(d)), lum(d)), saturation: (s, d) => withLum(withSat(d, sat(s)), lum(d)),
  color: (s, d) => withLum(s, lum(d)), luminosity: (s, d) => withLum(d, lum(s)),
};
const expect = (mode, s, d) => {
  const unit = (p) => p.slice(0, 3).map((v) => v / 255), b = blends[mode](unit(s), unit(d)), a = s[3] + d[3] * (1 - s[3]);
  return b.map((v, i) => 255 * ((1 - d[3]) * unit(s)[i] * s[3] + d[3] * v * s[3] + (1 - s[3]) * unit(d)[i] * d[3]) / a).concat(255 * a);
};
const pairs = [[[40, 120, 220, 1], [200, 90, 30, 1]], [[230, 20, 140, 1], [10, 250, 128, 1]], [[0, 255, 64, 1], [255, 0, 192, 1]], [[90, 90, 90, 1], [30, 60, 220, 1]]];
const thin = [[[40, 120, 220, 0.6], [200, 90, 30, 0.8]], [[230, 20, 140, 0.5], [10, 250, 128, 0.3]]];
const all = (mode, list) => (c) => list.map(([s, d]) => { const got = mix(c, mode, s, d), want = expect(mode, s, d); return got.is?.(want, 5) || `${got.rgba ?? got} for ${want.map(Math.round)}`; }).filter((r) => r !== true);
check("multiply of opaque colours", all("multiply", pairs), []);
check("multiply of translucent colours", all("multiply", thin), []);
check("screen of opaque colours", all("screen", pairs), []);
check("screen of translucent colours", all("screen", thin), []);
check("overlay of opaque colours", all("overlay", pairs), []);
check("overlay of translucent colours", all("overlay", thin), []);
check("darken of opaque colours", all("darken", pairs), []);
check("darken of translucent colours", all("darken", thin), []);
check("lighten of opaque colours", all("lighten", pairs), []);
check("lighten of translucent colours", all("lighten", thin), []);
check("color-dodge of opaque colours", all("color-dodge", pairs), []);
check("color-dodge of translucent colours", all("color-dodge", thin), []);
check("color-burn of opaque colours", all("color-burn", pairs), []);
check("color-burn of translucent colours", all("color-burn", thin), []);
check("hard-light of opaque colours", all("hard-light", pairs), []);
check("hard-light of translucent colours", all("hard-light", thin), []);
check("soft-light of opaque colours", all("soft-light", pairs), []);
check("soft-light of translucent colours", all("soft-light", thin), []);
check("difference of opaque colours", all("difference", pairs), []);
check("difference of translucent colours", all("difference", thin), []);
check("exclusion of opaque colours", all("exclusion", pairs), []);
check("exclusion of translucent colours", all("exclusion", thin), []);
check("hue of opaque colours", all("hue", pairs), []);
check("hue of translucent colours", all("hue", thin), []);
check("saturation of opaque colours", all("saturation", pairs), []);
check("saturation of translucent colours", all("saturation", thin), []);
check("color of opaque colours", all("color", pairs), []);
check("color of translucent colours", all("color", thin), []);
check("luminosity of opaque colours", all("luminosity", pairs), []);
check("luminosity of translucent colours", all("luminosity", thin), []);
check("blend modes on nothing are source-over", (c) => Object.keys(blends).filter((m) => { c.clearRect(0, 0, 100, 50); c.globalCompositeOperation = m; c.fillStyle = "rgba(40, 120, 220, 0.6)"; c.fillRect(0, 0, 100, 50); const p = whole(c); c.globalCompositeOperation = "source-over"; return !p.is?.([40, 120, 220, 153], 3); }), []);
return report(); //= {"checks":31,"failed":[]}
---
// composite: the property
import { check, report, at, cells, fill, surface } from "checks";
const modes = ["source-over", "source-in", "source-out", "source-atop", "destination-over", "destination-in", "destination-out", "destination-atop", "lighter", "copy", "xor", "multiply", "screen", "overlay", "darken", "lighten", "color-dodge", "color-burn", "hard-light", "soft-light", "difference", "exclusion", "hue", "saturation", "color", "luminosity"];
check("globalCompositeOperation is source-over at first", (c) => c.globalCompositeOperation, "source-over");
check("globalCompositeOperation takes all modes", (c) => modes.filter((m) => { c.globalCompositeOperation = m; return c.globalCompositeOperation !== m; }), []);
check("globalCompositeOperation leaves out other words", (c) => ["Source-over", "source-over ", "over", "darker", "highlight", "nonexistent", "", "xor\0", null].filter((m) => { c.globalCompositeOperation = "xor"; c.globalCompositeOperation = m; return c.globalCompositeOperation !== "xor"; }), []);
check("save and restore hold the mode", (c) => { c.globalCompositeOperation = "xor"; c.save(); c.globalCompositeOperation = "copy"; c.restore(); return c.globalCompositeOperation; }, "xor");
check("a mode works on strokes", (c) => { fill(c, "lime"); c.globalCompositeOperation = "destination-out"; c.lineWidth = 50; c.strokeRect(0, 25, 50, 0); return at(c, 25, 25); }, "none");
check("a mode works on patterns", (c) => { fill(c, "lime"); c.globalCompositeOperation = "destination-out"; c.fillStyle = c.createPattern(surface(5, 5, (d) => fill(d, "red")), "repeat"); c.fillRect(0, 0, 50, 50); return cells(c); }, ".....GGGGG");
check("a mode works on gradients", (c) => { fill(c, "lime"); const g = c.createLinearGradient(0, 0, 100, 0); g.addColorStop(0.5, "#000"); g.addColorStop(0.5, "transparent"); c.globalCompositeOperation = "destination-out"; c.fillStyle = g; c.fillRect(0, 0, 100, 50); return cells(c); }, ".....GGGGG");
check("a mode works with globalAlpha", (c) => { fill(c, "lime"); c.globalCompositeOperation = "destination-out"; c.globalAlpha = 0.5; c.fillRect(0, 0, 100, 50); return at(c, 50, 25); }, [0, 255, 0, 127]);
return report(); //= {"checks":8,"failed":[]}
