// references are loaded when the picture is made, and only those
//@workspace {"note.txt":"hello"}
import { px } from "pixels";
const dot = await image.blank(2, 2, { color: "red" });
await workspace.writeBytes("dot.png", await image.bytes(dot));
const c = createCanvas(8, 2), x = c.getContext("2d");
x.drawImage({ uri: "dot.png" }, 0, 0);
x.drawImage({ uri: "dot.png", type: "image" }, 2, 0);
x.fillText("file://dot.png", 5, 100);
let early;
try { x.getImageData(0, 0, 1, 1); } catch (e) { early = [e.name, e.code]; }
const h = await c.toImage();
return [early, await px(h, [0, 0], [2, 0], [5, 0]), [...x.getImageData(0, 0, 1, 1).data]]; //= [["InvalidStateError", "ERR_CANVAS_PENDING"], ["255,0,0,255", "255,0,0,255", "0,0,0,0"], [255, 0, 0, 255]]
---
// a reference that leads nowhere names the operation
//@workspace {}
const c = createCanvas(8, 2), x = c.getContext("2d");
x.fillRect(0, 0, 1, 1);
x.drawImage({ uri: "none.png" }, 0, 0);
await c.toBytes(); //! Error "canvas.render: op 1: could not read none.png"
---
// toBytes and toImage take a MIME type and a quality, as toBlob does
const c = createCanvas(64, 64), x = c.getContext("2d");
for (let i = 0; i < 64; i++) { x.fillStyle = `hsl(${i * 6} 80% 50%)`; x.fillRect(i, 0, 1, 64 - i); }
const out = [];
for (const a of [["image/png"], ["image/jpeg"], ["webp"], ["image/jpg", 0.2], ["image/png", "x"]]) { const h = await c.toImage(...a); out.push(h.mimeType); }
const small = await c.toBytes("image/jpeg", 0.1), large = await c.toBytes("image/jpeg", 1), png = await c.toBytes("image/png");
for (const f of [() => c.toBytes("image/bmp"), () => c.toBytes(7), () => c.toImage([]), () => c.toSVG("x"), () => c.toPDF(true)]) try { await f(); } catch (e) { out.push(e.name + " " + e.message); }
return [...out, small.length < large.length, [...png.slice(1, 4)]]; //= ["image/png", "image/jpeg", "image/webp", "image/jpeg", "image/png", "TypeError canvas.render: format must be one of png, jpeg, webp, avif, gif, jxl, not \"bmp\"", "TypeError toBytes: options must be an object or a MIME type", "TypeError toImage: options must be an object or a MIME type", "TypeError toSVG: options must be an object", "TypeError toPDF: options must be an object", true, [80, 78, 71]]
---
// so do bytes of no picture
const c = createCanvas(8, 2), x = c.getContext("2d");
x.fillRect(0, 0, 1, 1).save();
x.drawImage(new Uint8Array([1, 2, 3]), 0, 0);
await c.toBytes(); //! Error "canvas.render: op 2: could not decode the image (unknown)"
---
// bytes are those of the moment of the call
import { px } from "pixels";
const bytes = await image.bytes(await image.blank(2, 2, { color: "red" })), c = createCanvas(2, 2);
c.getContext("2d").drawImage(bytes, 0, 0);
bytes.fill(0);
return await px(await c.toImage(), [0, 0]); //= ["255,0,0,255"]
---
// a handle that is released stays where it was drawn
import { px } from "pixels";
const h = await image.blank(2, 2, { color: "red" }), c = createCanvas(2, 2), x = c.getContext("2d");
x.drawImage(h, 0, 0);
await image.release(h);
const shown = await px(await c.toImage(), [0, 0]);
let e;
try { createCanvas(1, 1).getContext("2d").drawImage(h, 0, 0); } catch (error) { e = [error.code, error.message.slice(0, 30)]; }
return [shown, e]; //= [["255,0,0,255"], ["ERR_MEDIA_HANDLE", "drawImage: sandbox://media/m1 "]]
---
// a surface is drawn as it is at the call, on itself too
import { px } from "pixels";
const a = createCanvas(2, 2), b = createCanvas(6, 2), x = a.getContext("2d"), y = b.getContext("2d");
x.fillStyle = "red";
x.fillRect(0, 0, 2, 2);
y.drawImage(a, 0, 0);
x.fillStyle = "blue";
x.fillRect(0, 0, 2, 2);
y.drawImage(a, 2, 0);
y.drawImage(b, 4, 0);
const bitmap = a.transferToImageBitmap();
y.drawImage(bitmap, 5, 0);
return [await px(await b.toImage(), [1, 0], [3, 0], [4, 0], [5, 0]), [...x.getImageData(0, 0, 1, 1).data], bitmap.width]; //= [["255,0,0,255", "0,0,255,255", "255,0,0,255", "0,0,255,255"], [0, 0, 0, 0], 2]
---
createCanvas(1, 1).getContext("2d").drawImage(createCanvas(0, 1), 0, 0); //! InvalidStateError "drawImage: the canvas has no pixels"
---
// the state of a context survives transferToImageBitmap, its pixels do not
const c = createCanvas(4, 4), x = c.getContext("2d");
x.fillStyle = "red";
x.rect(0, 0, 2, 4);
x.clip();
x.translate(1, 0);
x.fillRect(0, 0, 4, 4);
const b = c.transferToImageBitmap(), d = createCanvas(4, 4).getContext("2d");
d.drawImage(b, 0, 0);
const seen = [...x.getImageData(1, 1, 1, 1).data].join();
x.fillRect(0, 1, 4, 1);
let e;
try { createCanvas(4, 4).transferToImageBitmap(); } catch (error) { e = error.name; }
return [x.fillStyle, x.getTransform().e, seen, [...x.getImageData(1, 1, 1, 1).data].join(), [...x.getImageData(2, 1, 1, 1).data].join(), [...d.getImageData(1, 1, 1, 1).data].join(), e]; //= ["#ff0000", 1, "0,0,0,0", "255,0,0,255", "0,0,0,0", "255,0,0,255", "InvalidStateError"]
---
// sizes that an element does not take
const c = createCanvas(4, 4);
const out = [-1, 2147483648, "x", null, 7.9, 4294967297, 2147483647].map((v) => { c.width = c.height = v; return c.width + "×" + c.height; });
return out; //= ["300×150", "300×150", "0×0", "0×0", "7×7", "1×1", "2147483647×2147483647"]
---
// bitmaps of all kinds
const c = createCanvas(4, 4), x = c.getContext("2d"), out = [];
x.fillStyle = "red";
x.fillRect(0, 0, 2, 4);
const show = (b) => { const d = createCanvas(4, 4).getContext("2d"); d.drawImage(b, 0, 0); return [b.width, b.height, [...d.getImageData(0, 0, 1, 1).data].join()].join(" "); };
for (const args of [[c], [c, 1, 0, 2, 3], [c, 4, 4, -3, -4], [x.getImageData(0, 0, 3, 3)], [await c.toBytes()], [await c.toImage()], [await createImageBitmap(c)]]) out.push(show(await createImageBitmap(...args)));
const gone = await createImageBitmap(c);
gone.close();
for (const f of [() => createImageBitmap(), () => createImageBitmap(5), () => createImageBitmap(c, 1, 1), () => createImageBitmap(c, 0, 0, 0, 1), () => createImageBitmap(gone), () => createImageBitmap(new Uint8Array(3))]) try { await f(); out.push("none"); } catch (e) { out.push(e.name); }
return [out, gone.width]; //= [["4 4 255,0,0,255","2 3 255,0,0,255","3 4 255,0,0,255","3 3 255,0,0,255","4 4 255,0,0,255","4 4 255,0,0,255","4 4 255,0,0,255","TypeError","TypeError","TypeError","RangeError","InvalidStateError","Error"], 0]
---
// pixels go in and out
const c = createCanvas(5, 5), x = c.getContext("2d"), d = x.createImageData(2, 2);
d.data.set([255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 255, 255, 9, 9, 9, 0]);
x.putImageData(d, 1, 1);
x.putImageData(d, 4, -1);
x.putImageData(d, 0, 0, 1, 1, 5, 5);
x.putImageData(d, 1e9, 0);
const at = (a, b) => [...x.getImageData(a, b, 1, 1).data].join();
return [at(1, 1), at(2, 1), at(1, 2), at(2, 2), at(4, 0), at(0, 0), at(-1, 9), x.getImageData(4, 4, -4, -4).width]; //= ["0,0,0,0", "0,255,0,128", "0,0,255,255", "0,0,0,0", "0,0,255,255", "0,0,0,0", "0,0,0,0", 4]
---
// hit tests
const x = createCanvas(20, 20).getContext("2d"), p = new Path2D();
p.rect(2, 2, 10, 10);
p.rect(4, 4, 4, 4);
x.rect(0, 0, 5, 5);
x.lineWidth = 2;
x.translate(5, 0);
return [x.isPointInPath(1, 1), x.isPointInPath(9, 1), x.isPointInPath(p, 11, 6), x.isPointInPath(p, 11, 6, "evenodd"), x.isPointInStroke(0, 2), x.isPointInStroke(p, 7, 5), x.isPointInStroke(p, 3, 5), x.isPointInPath(NaN, 1)]; //= [true, false, true, false, true, true, false, false]
---
// the methods are those of contexts alone
const proto = CanvasRenderingContext2D.prototype, x = createCanvas(1, 1).getContext("2d"), bad = [];
for (const k of Object.keys(proto)) for (const receiver of [{}, null, 5, proto]) {
  const d = Object.getOwnPropertyDescriptor(proto, k);
  for (const f of [d.value, d.get, d.set]) if (f) try { Reflect.apply(f, receiver, [[1], 1, 1, 1, 1, 1, 1, 1, 1, 1]); bad.push(k); } catch (e) { if (!(e instanceof TypeError)) bad.push(k + e); }
}
for (const C of [CanvasRenderingContext2D, CanvasGradient, CanvasPattern, TextMetrics, ImageBitmap]) try { new C(); bad.push(C.name); } catch (e) { if (!(e instanceof TypeError)) bad.push(e); }
return [bad, String(x), String(new Path2D()), CanvasRenderingContext2D === OffscreenCanvasRenderingContext2D, x instanceof CanvasRenderingContext2D, Object.getPrototypeOf(proto) === Object.prototype, createCanvas(1, 1) instanceof OffscreenCanvas]; //= [[], "[object CanvasRenderingContext2D]", "[object Path2D]", true, true, true, true]
---
// a program that replaces what the language has breaks nothing but itself
import { px } from "pixels";
const c = createCanvas(8, 8), x = c.getContext("2d");
for (const k of ["set", "fill", "subarray"]) Object.getPrototypeOf(Uint8Array).prototype[k] = () => { throw new Error(k); };
Array.prototype[Symbol.iterator] = () => { throw new Error("iterated"); };
Object.defineProperty(Array.prototype, 0, { set() { throw new Error("set"); }, configurable: true });
Object.defineProperty(Object.prototype, "fillText", { set() { throw new Error("set"); }, get() { throw new Error("get"); }, configurable: true });
Map.prototype.get = Map.prototype.set = WeakMap.prototype.get = () => { throw new Error("map"); };
Math.sin = Math.floor = () => { throw new Error("math"); };
Float64Array.prototype.constructor = globalThis.Float64Array = globalThis.Uint8Array = null;
x.fillStyle = x.createLinearGradient(0, 0, 8, 8).addColorStop(0, "red");
x.save().rotate(0).setLineDash({ [Symbol.iterator]() { let i = 0; return { next: () => ({ value: 1, done: i++ > 2 }) }; } }).fillRect(0, 0, 4, 4).restore();
x.drawImage(await c.toImage(), 4, 4);
x.fill(new Path2D("M0 4h4v4h-4z"));
for (let i = 0; i < 3000; i++) x.lineTo(i, i);
delete Array.prototype[0];
const p = x.getImageData(5, 5, 1, 1).data;
return [p[0], p[3], x.getTransform().a]; //= [255, 255, 1]
---
// inverses of matrices, in three dimensions too
const one = (m) => { const id = m.multiply(m.inverse()), l = id.toFloat64Array(); return l.every((v, i) => Math.abs(v - (i % 5 === 0 ? 1 : 0)) < 1e-12); };
const all = [new DOMMatrix([0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 0, 5, 1, 1, 7, 1]), new DOMMatrix([2, 1, 0, 0, 0, 3, 1, 0, 4, 0, 5, 0, 1, 2, 3, 1]), new DOMMatrix("rotate(30deg) scale(2, 3) translate(5px, 6px)"), new DOMMatrix().rotate(10, 20, 30), new DOMMatrix().scale(2, 3, 4, 1, 1, 1)];
return [all.map(one), new DOMMatrix([1, 2, 2, 4, 0, 0]).inverse().is2D, Number.isNaN(new DOMMatrix([0, 0, 0, 0, 0, 0]).inverse().a)]; //= [[true, true, true, true, true], false, true]
---
// what a conversion does while it is recorded comes first
import { px } from "pixels";
const c = createCanvas(8, 8), x = c.getContext("2d");
x.fillStyle = "red";
x.fillRect({ valueOf() { x.fillStyle = "blue"; x.fillRect(0, 0, 8, 8); x.fillStyle = "lime"; return 0; } }, "0", [4], true);
return await px(await c.toImage(), [0, 0], [5, 5], [3, 0]); //= ["0,255,0,255", "0,0,255,255", "0,255,0,255"]
---
// values that are no numbers throw, and leave nothing behind
const c = createCanvas(8, 8), x = c.getContext("2d"), out = [];
for (const v of [Symbol(), 1n, { valueOf() { throw new RangeError("mine"); } }, Object.create(null)]) for (const f of [() => x.fillRect(0, 0, v, 1), () => x.fillText("a", v, 1), () => { x.lineWidth = v; }, () => x.setLineDash([v]), () => { x.fillStyle = v; }]) try { f(); out.push("-"); } catch (e) { out.push(e.name[0]); }
return [out.join(""), c.toSpec().ops.length]; //= ["TTTTTTTTT-RRRR-TTTTT", 0]
---
// fonts: what there is, and one that is added
//@assets {}
const before = await canvas.fonts(), out = [];
for (const f of [() => canvas.registerFont(), () => canvas.registerFont("text"), () => canvas.registerFont(new Uint8Array(100)), () => canvas.registerFont(new Uint8Array(4), { weight: 2000 }), () => canvas.registerFont(new Uint8Array(4), { style: "flat" }), () => canvas.registerFont(new Uint8Array(4), { family: 5 }), () => canvas.registerFont("asset://none")]) try { await f(); out.push("none"); } catch (e) { out.push((e.code ?? e.name) + " " + e.message.slice(21, 70)); }
return [before.length > 5 && before.every((f) => f.bundled && f.weight >= 100 && typeof f.family === "string" && typeof f.style === "string"), out]; //= [true, ["TypeError font must be a Uint8Array of a font file, or a re","TypeError font must be a Uint8Array of a font file, or a re","ERR_CANVAS_FONT the data is not a TrueType, OpenType, WOFF or WOF","TypeError weight must be normal, bold or a number from 1 to","TypeError style must be normal, italic or oblique, not \"fla","TypeError family must be a name, not 5","ENOENT could not read asset://none"]]
---
// text as a picture
const a = await image.text("Hello"), b = await image.text("Hello world, and more of it", { font: "bold 20px serif", width: 120, padding: 4, align: "center", color: "red", background: "white", format: "jpeg" });
const one = await image.stats(a), two = await image.decode(b), out = [];
for (const f of [() => image.text(5), () => image.text("x", { font: "nope" }), () => image.text("x", { color: "nope" }), () => image.text("x", { width: 10, padding: 9 }), () => image.text("x", { align: "up" }), () => image.text("x", { maxLines: -1 })]) try { await f(); out.push("none"); } catch (e) { out.push(e.message.slice(12, 50)); }
return [a.width > 30 && a.width < 60, a.height > 15 && a.height < 40, one.channels.a.max > 200, b.width, b.height > 2 * a.height, b.mimeType, [...two.pixels.slice(0, 4)], out]; //= [true, true, true, 120, true, "image/jpeg", [255,255,255,255], ["text must be a string, not the number ","font must be a CSS font like bold 20px","color must be a CSS colour like #ff800","the width 10 leaves no room within a p","align of the text box is not one of st","maxLines of the text box is not a numb"]]
---
// paragraphs
const x = createCanvas(100, 100).getContext("2d");
x.font = "10px sans-serif";
const m = x.measureTextBox("one two three four five six seven", 60, { lineHeight: 2 }), cut = x.measureTextBox("one two three four five six seven", 60, { maxLines: 1, ellipsis: false });
x.fillTextBox("one two three four five six seven", 0, 0, 60, { lineHeight: 2, align: "justify" });
const ink = x.getImageData(0, 0, 100, 100).data;
let wide = 0, low = 0;
for (let i = 3; i < ink.length; i += 4) if (ink[i]) { wide = Math.max(wide, (i - 3) / 4 % 100); low = Math.max(low, Math.floor(i / 400)); }
const out = [];
for (const f of [() => x.fillTextBox("a", 0, 0), () => x.fillTextBox("a", 0, 0, -1), () => x.fillTextBox("a", 0, 0, 5, { align: "up" }), () => x.fillTextBox("a", 0, 0, 5, 5), () => x.fillTextBox("a", NaN, 0, 5) && "drawn"]) try { out.push(f()); } catch (e) { out.push(e.name); }
return [m.lines > 2, m.height === 20 * m.lines, m.cut, cut.lines, cut.cut, wide > 50 && wide <= 60, low > 40, out]; //= [true, true, false, 1, true, true, true, ["TypeError","RangeError","TypeError","TypeError","drawn"]]
---
// SVG is a picture
import { px } from "pixels";
const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="6"><rect width="4" height="6" fill="red"/></svg>');
const c = createCanvas(8, 6);
c.getContext("2d").drawImage(svg, 0, 0);
const h = await image.convert(svg);
return [h.width, h.height, await px(h, [1, 1], [6, 1]), await px(await c.toImage(), [1, 1], [6, 1])]; //= [8, 6, ["255,0,0,255", "0,0,0,0"], ["255,0,0,255", "0,0,0,0"]]
---
// globals of the canvas: the functions cannot be replaced, the classes can, and locals have any name
const bad = [], canvas2 = createCanvas(1, 1);
for (const k of ["createCanvas", "canvas"]) { try { globalThis[k] = 1; bad.push(k); } catch {} if (!Object.isFrozen(globalThis[k])) bad.push(k); }
globalThis.Path2D = 5;
const canvas = 7, Image = 8;
return [bad, Path2D, canvas, typeof ImageData, Object.keys(globalThis.canvas).sort().join()]; //= [[], 5, 7, "function", "fonts,measureText,registerFont,render"]
