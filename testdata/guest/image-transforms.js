// blank: sizes are rounded, half up, and coerced
import { size } from "pixels";
return [size(await image.blank(2.5, 2.4)), size(await image.blank("7", true)), size(await image.blank(3, 3, null))]; //= ["3x2", "7x1", "3x3"]
---
// blank: without a colour all is transparent, white as jpeg
import { px } from "pixels";
return [await px(await image.blank(2, 2), [0, 0]), await px(await image.blank(2, 2, { format: "jpeg" }), [1, 1]), await px(await image.blank(2, 2, { color: "", background: "#123" }), [0, 1])]; //= [["0,0,0,0"], ["255,255,255,255"], ["17,34,51,255"]]
---
// blank: colours of every kind
import { px } from "pixels";
const out = [];
for (const color of ["#f00", "#0F08", "rgb(1, 2, 3)", "rgb(10 20 30 / 50%)", "hsl(240 100% 50%)", "RebeccaPurple", "transparent"]) out.push((await px(await image.blank(1, 1, { color }), [0, 0]))[0]);
return out; //= ["255,0,0,255", "0,255,0,136", "1,2,3,255", "10,20,30,128", "0,0,255,255", "102,51,153,255", "0,0,0,0"]
---
// blank: a jpeg has no transparency: white shines through
import { px } from "pixels";
return await px(await image.blank(1, 1, { color: "rgb(255 0 0 / 50%)", format: "jpg" }), [0, 0]); //= ["255,127,127,255"]
---
// resize: one dimension keeps the ratio
import { size } from "pixels";
const h = await image.blank(40, 20);
return [size(await image.resize(h, { width: 10 })), size(await image.resize(h, { height: 5 })), size(await image.resize(h, { width: 15 })), size(await image.resize(h, { width: 10, height: null })), size(await image.resize(h, { width: 0.2 }))]; //= ["10x5", "10x5", "15x8", "10x5", "1x1"]
---
// resize: contain is the default, and leaves the rest transparent or background
import { px, size } from "pixels";
const h = await image.blank(40, 20, { color: "red" });
const a = await image.resize(h, { width: 20, height: 20 }), b = await image.resize(h, { width: 20, height: 20, background: "blue" }), c = await image.resize(h, { width: 20, height: 20, format: "jpeg" });
return [size(a), await px(a, [0, 0], [10, 4], [10, 5], [10, 14], [10, 15]), await px(b, [0, 0], [10, 10]), await px(c, [0, 0])]; //= ["20x20", ["0,0,0,0", "0,0,0,0", "255,0,0,255", "255,0,0,255", "0,0,0,0"], ["0,0,255,255", "255,0,0,255"], ["255,255,255,255"]]
---
// resize: cover cuts the middle, fill stretches
import { px, size, quarters } from "pixels";
const h = await image.grid([await image.blank(20, 20, { color: "red" }), await image.blank(20, 20, { color: "blue" })]);
const c = await image.resize(h, { width: 10, height: 10, fit: "cover" }), f = await image.resize(h, { width: 10, height: 10, fit: "fill", kernel: "box" });
return [size(c), size(f), await px(c, [1, 5], [8, 5]), await px(f, [4, 5], [5, 5])]; //= ["10x10", "10x10", ["255,0,0,255", "0,0,255,255"], ["255,0,0,255", "0,0,255,255"]]
---
// resize: an anchor moves what is kept and where it lies
import { px } from "pixels";
const h = await image.grid([await image.blank(20, 20, { color: "red" }), await image.blank(20, 20, { color: "blue" })]);
const l = await image.resize(h, { width: 10, height: 10, fit: "cover", anchor: "left" }), t = await image.resize(h, { width: 20, height: 20, anchor: "bottom" });
return [await px(l, [1, 5], [8, 5]), await px(t, [5, 9], [5, 10])]; //= [["255,0,0,255", "255,0,0,255"], ["0,0,0,0", "255,0,0,255"]]
---
// resize: without enlargement
import { size } from "pixels";
const h = await image.blank(10, 10);
return [size(await image.resize(h, { width: 50, withoutEnlargement: true })), size(await image.resize(h, { width: 5, withoutEnlargement: true })), size(await image.resize(h, { width: 50, height: 5, fit: "fill", withoutEnlargement: true }))]; //= ["10x10", "5x5", "10x5"]
---
// resize: nearest keeps the colours apart
import { all, quarters } from "pixels";
const big = await image.resize(await quarters(1), { width: 4, kernel: "nearest" });
return (await all(big)) === (await all(await quarters(2))); //= true
---
// resize: half of black and white is darker to the eye than to the light
import { px } from "pixels";
const h = await image.grid([await image.blank(1, 2, { color: "#000" }), await image.blank(1, 2, { color: "#fff" })]);
return [await px(await image.resize(h, { width: 1, height: 1, fit: "fill", kernel: "box" }), [0, 0]), await px(await image.resize(h, { width: 1, height: 1, fit: "fill", kernel: "box", linear: true }), [0, 0])]; //= [["128,128,128,255"], ["188,188,188,255"]]
---
// crop: the rest of the picture by default
import { px, size, quarters } from "pixels";
const h = await quarters(4);
const a = await image.crop(h, { x: 4 }), b = await image.crop(h, { y: 3.5, height: 2 }), c = await image.crop(h);
return [size(a), await px(a, [0, 0], [3, 7]), size(b), await px(b, [0, 0], [7, 1]), size(c)]; //= ["4x8", ["0,255,0,255", "255,255,255,255"], "8x2", ["0,0,255,255", "255,255,255,255"], "8x8"]
---
// crop: outside is an error
await image.crop(await image.blank(8, 6), { x: 4, width: 5 }); //! RangeError "image.crop: 5×6 at 4, 0 falls outside the 8x6 image"
---
// crop: no size at all either
const h = await image.blank(8, 6), bad = [];
for (const o of [{ width: 0 }, { x: -1 }, { y: 6 }, { height: 7 }, { x: 8 }, { width: -3 }, { x: 1e308 }]) try { await image.crop(h, o); bad.push(o); } catch (e) { if (!e.message.includes("falls outside the 8x6 image")) bad.push(e.message); }
return bad; //= []
---
// rotate: a quarter turn is clockwise and loses nothing
import { px, size, quarters, all } from "pixels";
const h = await quarters(2), r = await image.rotate(h, 90), w = await image.rotate(await image.blank(40, 20), 90);
const back = await image.rotate(await image.rotate(await image.rotate(r, 90), "90"), 90);
return [await px(r, [0, 0], [3, 0], [0, 3], [3, 3]), size(w), (await all(back)) === (await all(h)), (await all(await image.rotate(h, -270))) === (await all(r)), size(await image.rotate(h, 360))]; //= [["0,0,255,255", "255,0,0,255", "255,255,255,255", "0,255,0,255"], "20x40", true, true, "4x4"]
---
// rotate: any other angle gets the bounding box, with corners in the background
import { px, size } from "pixels";
const h = await image.blank(40, 20, { color: "red" });
const r = await image.rotate(h, 45), b = await image.rotate(h, 45, { background: "blue" });
return [size(r), await px(r, [0, 0], [21, 21]), await px(b, [0, 0], [21, 21])]; //= ["42x42", ["0,0,0,0", "255,0,0,255"], ["0,0,255,255", "255,0,0,255"]]
---
// flip: horizontal by default
import { px, quarters, all } from "pixels";
const h = await quarters(1);
const corners = (x) => px(x, [0, 0], [1, 0], [0, 1], [1, 1]).then((l) => l.map((c) => ({ "255,0,0,255": "R", "0,255,0,255": "G", "0,0,255,255": "B", "255,255,255,255": "W" })[c]).join(""));
return [await corners(h), await corners(await image.flip(h)), await corners(await image.flip(h, { vertical: true })), await corners(await image.flip(h, { horizontal: false, vertical: 1 })), await corners(await image.flip(h, { horizontal: 0 })), await corners(await image.flip(h, { horizontal: null, vertical: "yes" }))]; //= ["RGBW", "GRWB", "WBGR", "BWRG", "RGBW", "BWRG"]
---
// adjust: each filter, as CSS has it
import { px } from "pixels";
const h = await image.blank(1, 1, { color: "rgb(100 150 200)" }), out = {};
for (const o of [{ brightness: 0.5 }, { contrast: 0 }, { contrast: 1 }, { saturate: 0 }, { grayscale: 1 }, { invert: true }, { hueRotate: 180 }, { opacity: 0.5 }, { brightness: "2" }]) out[JSON.stringify(o)] = (await px(await image.adjust(h, o), [0, 0]))[0];
return out; //= {"{\"brightness\":0.5}": "50,75,100,255", "{\"contrast\":0}": "128,128,128,255", "{\"contrast\":1}": "100,150,200,255", "{\"saturate\":0}": "143,143,143,255", "{\"grayscale\":1}": "143,143,143,255", "{\"invert\":true}": "155,105,55,255", "{\"hueRotate\":180}": "186,136,86,255", "{\"opacity\":0.5}": "100,149,199,128", "{\"brightness\":\"2\"}": "200,255,255,255"}
---
// adjust: sepia
import { px } from "pixels";
return await px(await image.adjust(await image.blank(1, 1, { color: "rgb(100 150 204)" }), { sepia: 1 }), [0, 0]); //= ["193,172,134,255"]
---
// adjust: the order of the keys does not matter
import { px } from "pixels";
const h = await image.blank(1, 1, { color: "rgb(100 150 200)" });
return [(await px(await image.adjust(h, { invert: 1, brightness: 2 }), [0, 0]))[0], (await px(await image.adjust(h, { brightness: 2, invert: 1 }), [0, 0]))[0]]; //= ["55,0,0,255", "55,0,0,255"]
---
// adjust: a blur softens an edge and keeps the colour of a transparent one
const h = await image.composite(await image.blank(40, 40), [{ image: await image.blank(20, 20, { color: "#fff" }), x: 10, y: 10 }]);
const { pixels } = await image.decode(await image.adjust(h, { blur: 2 }));
const at = (x, y) => Array.from(pixels.slice(4 * (40 * y + x), 4 * (40 * y + x) + 4));
const edge = at(10, 20);
let dark = 0;
for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3] > 8 && pixels[i] < 245) dark++;
return [at(20, 20), edge[3] > 90 && edge[3] < 180, dark]; //= [[255, 255, 255, 255], true, 0]
---
// a white disc on transparent black has no dark fringe when it shrinks
let h = await image.blank(64, 64);
const line = await image.blank(1, 1, { color: "#fff" }), layers = [];
for (let y = 0; y < 64; y++) {
  const half = Math.round(Math.sqrt(Math.max(0, 30 * 30 - (y - 31.5) ** 2)));
  if (half > 0) layers.push({ image: line, x: 32 - half, y, width: 2 * half, height: 1 });
}
h = await image.composite(h, layers);
const { pixels } = await image.decode(await image.resize(h, { width: 32 }));
let bad = 0, seen = 0;
for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3] > 8) { seen++; if (Math.min(pixels[i], pixels[i + 1], pixels[i + 2]) < 245) bad++; }
return [seen > 600, bad]; //= [true, 0]
---
// trim: cuts off the border, whatever its colour
import { px, size } from "pixels";
const h = await image.pad(await image.blank(6, 4, { color: "red" }), { all: 5, left: 9, color: "#00f" });
const t = await image.trim(h), none = await image.trim(await image.blank(3, 3, { color: "red" })), keep = await image.trim(h, { color: "lime" });
return [size(h), size(t), await px(t, [0, 0], [5, 3]), size(none), size(keep)]; //= ["20x14", "6x4", ["255,0,0,255", "255,0,0,255"], "3x3", "20x14"]
---
// threshold: black or white by luminance, or by channel
import { px } from "pixels";
const h = await image.blank(1, 1, { color: "rgb(200 100 50)" });
return [await px(await image.threshold(h), [0, 0]), await px(await image.threshold(h, { level: 100 }), [0, 0]), await px(await image.threshold(h, { perChannel: true }), [0, 0])]; //= [["0,0,0,255"], ["255,255,255,255"], ["255,0,0,255"]]
---
// sharpen: an edge gets steeper, flat parts stay
import { px } from "pixels";
const soft = await image.resize(await image.grid([await image.blank(4, 4, { color: "#444" }), await image.blank(4, 4, { color: "#bbb" })]), { width: 32, kernel: "linear" });
const [flat, a, b] = (await px(await image.sharpen(soft, { sigma: 2, amount: 1 }), [1, 8], [12, 8], [19, 8])).map((c) => +c.split(",")[0]);
return [flat, a < 0x44, b > 0xbb]; //= [68, true, true]
---
// mask: by alpha, by luminance, inverted, stretched
import { px } from "pixels";
const h = await image.blank(4, 4, { color: "red" });
const left = await image.composite(await image.blank(2, 2), [{ image: await image.blank(1, 2, { color: "#808080" }) }]);
const nearest = await image.resize(left, { width: 4, kernel: "nearest" });
return [await px(await image.mask(h, nearest), [0, 0], [3, 3]), await px(await image.mask(h, nearest, { invert: true }), [0, 0], [3, 3]), await px(await image.mask(h, nearest, { mode: "luminance" }), [0, 0], [3, 3]), (await image.stats(await image.mask(h, left))).channels.a.max]; //= [["255,0,0,255", "0,0,0,0"], ["0,0,0,0", "255,0,0,255"], ["255,0,0,128", "0,0,0,0"], 255]
---
// convert: formats by name, in any case, png for null
const h = await image.blank(3, 2, { color: "red" }), out = [];
for (const format of ["png", "JPEG", "jpg", null, undefined, "gif"]) {
  const c = await image.convert(h, { format });
  out.push(c.mimeType + " " + (await image.info(c)).format);
}
return out; //= ["image/png png", "image/jpeg jpeg", "image/jpeg jpeg", "image/png png", "image/png png", "image/gif gif"]
---
// convert: the background lies under everything
import { px } from "pixels";
const h = await image.composite(await image.blank(2, 1), [{ image: await image.blank(1, 1, { color: "rgb(255 0 0 / 50%)" }) }]);
return [await px(await image.convert(h, { background: "#00f" }), [0, 0], [1, 0]), await px(await image.convert(h, { format: "jpeg" }), [1, 0]), await px(await image.convert(h, { background: "", format: "jpeg" }), [1, 0]), await px(h, [1, 0])]; //= [["128,0,127,255", "0,0,255,255"], ["255,255,255,255"], ["255,255,255,255"], ["0,0,0,0"]]
---
// convert: quality changes the size of a jpeg and not of a png
let h = await image.blank(64, 64, { color: "#888" });
const dots = [];
for (let i = 0; i < 60; i++) dots.push({ image: await image.blank(3, 3, { color: `hsl(${i * 47} 90% 50%)` }), x: (i * 37) % 64, y: (i * 23) % 64 });
h = await image.composite(h, dots);
const size = async (o) => (await image.convert(h, o)).byteLength;
const [lo, mid, hi, top] = [await size({ format: "jpeg", quality: 0 }), await size({ format: "jpeg", quality: 0.5 }), await size({ format: "jpeg" }), await size({ format: "jpeg", quality: 7 })];
return [lo < mid, mid < hi, hi < top, hi === await size({ format: "jpeg", quality: 0.92 }), hi === await size({ format: "jpeg", quality: NaN }), hi === await size({ format: "jpeg", quality: null }), await size({ quality: 0 }) === await size({ quality: 1 })]; //= [true, true, true, true, true, true, true]
---
// what a handle shows does not change with its format: loss comes with the bytes alone
import { all } from "pixels";
let h = await image.composite(await image.blank(16, 16, { color: "#123456" }), [{ image: await image.blank(3, 3, { color: "orange" }), x: 5, y: 5 }]);
const before = await all(h);
for (let i = 0; i < 20; i++) h = await image.convert(h, { format: "jpeg", quality: 0.1 });
return (await all(h)) === before; //= true
---
// steps without effect show the same picture
import { all, quarters } from "pixels";
const h = await quarters(8), same = await all(h), out = [];
for (const f of [(x) => image.rotate(x, 0), (x) => image.rotate(x, 720), (x) => image.flip(x, { horizontal: false }), (x) => image.crop(x), (x) => image.pad(x), (x) => image.resize(x, { width: 16 }), (x) => image.adjust(x, { brightness: 1 }), (x) => image.composite(x, []), (x) => image.convert(x)]) out.push((await all(await f(h))) === same);
return out.join(); //= "true,true,true,true,true,true,true,true,true"
