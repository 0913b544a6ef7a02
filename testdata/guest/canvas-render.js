// a list of operations written by hand
import { px } from "pixels";
const h = await canvas.render({ width: 8, height: 8, background: "#000000", ops: [{ op: "set", args: ["fillStyle", "#ffffff"] }, { op: "fillRect", args: [2, 2, 4, 4] }] });
return [h.width, h.height, h.mimeType, await px(h, [3, 3], [0, 0])]; //= [8, 8, "image/png", ["255,255,255,255", "0,0,0,255"]]
---
// the background is not what the program draws in
import { px } from "pixels";
return await px(await canvas.render({ width: 4, height: 4, background: "red", ops: [{ op: "fillRect", args: [0, 0, 2, 2] }] }), [0, 0], [3, 3]); //= ["0,0,0,255", "255,0,0,255"]
---
// gradients by reference
import { px } from "pixels";
const spec = { width: 64, height: 1, gradients: { g0: { type: "linear", coords: ["0", 0, 64, 0], stops: [[0, "red"], [1, "blue"]] }, g1: { type: "radial", coords: [0, 0, 0, 0, 0, 9], stops: [] }, g2: { type: "conic", coords: [0, 0, 0], stops: [] } },
  ops: [{ op: "set", args: ["fillStyle", { __nodetool_canvas_gradient__: "g0" }] }, { op: "fillRect", args: [0, 0, 64, 1] }] };
const [a, b] = (await px(await canvas.render(spec), [0, 0], [63, 0])).map((p) => p.split(",").map(Number));
return [a[0] > 200 && a[2] < 60, b[2] > 200 && b[0] < 60]; //= [true, true]
---
// what a spec may not be, in the order in which it is looked at
const out = [], bytes = new Uint8Array([1, 2, 3]);
for (const spec of [undefined, null, 5, "x", [], {}, { width: "a", height: 5 }, { width: 0, height: 5 }, { width: 1, height: 16385 }, { width: 8192, height: 4097, ops: 5 },
  { width: 4, height: 4, ops: {} }, { width: 4, height: 4, ops: Array(10001).fill({ op: "?" }), format: "tiff" }, { width: 4, height: 4, format: "tiff", ops: [5] }, { width: 4, height: 4, quality: "best" },
  { width: 4, height: 4, ops: [5] }, { width: 4, height: 4, ops: [{}] }, { width: 4, height: 4, ops: [{ op: "save", args: 5 }] },
  { width: 4, height: 4, ops: [{ op: "zap" }, { op: "drawImage", args: [5, 0, 0] }] }, { width: 4, height: 4, ops: [{ op: "zap" }, { op: "drawImage", args: [bytes, 0, 0] }] }, { width: 4, height: 4, ops: [{ op: "drawImage" }] },
  { width: 4, height: 4, gradients: { a: { type: "mesh" } }, ops: [{ op: "zap" }] }, { width: 4, height: 4, gradients: { a: { type: "linear", coords: [0, 0, 1] } } }, { width: 4, height: 4, gradients: { a: { type: "radial", coords: [0, 0, -1, 0, 0, 1] } } },
  { width: 4, height: 4, gradients: { a: { type: "linear", coords: [0, 0, 1, 1], stops: [[2, "red"]] } } }, { width: 4, height: 4, gradients: { a: { type: "linear", coords: [0, 0, 1, 1], stops: [[1, "rd"]] } } },
  { width: 4, height: 4, ops: [{ op: "save" }, { op: "getImageData", args: [0, 0, 1, 1] }] }, { width: 4, height: 4, ops: [{ op: "set", args: ["canvas", null] }] }, { width: 4, height: 4, ops: [{ op: "set" }] },
  { width: 4, height: 4, ops: [{ op: "set", args: ["fillStyle", { __nodetool_canvas_gradient__: "g9" }] }] }, { width: 4, height: 4, ops: [{ op: "save" }, { op: "arc", args: [0, 0, -1, 0, 1] }] }, { width: 4, height: 4, ops: [{ op: "fillRect", args: [0] }] },
  { width: 4, height: 4, ops: [{ op: "constructor" }] }, { width: 4, height: 4, ops: [{ op: "__proto__" }] }, { width: 4, height: 4, background: "no colour" },
]) try { await canvas.render(spec); out.push("no error"); } catch (e) { out.push(e.name + " " + e.message.replace("canvas.render: ", "").slice(0, 76)); }
return out; //= ["TypeError spec must be an object","TypeError spec must be an object","TypeError spec must be an object","TypeError spec must be an object","TypeError spec must be an object","TypeError width and height must be numbers","TypeError width and height must be numbers","RangeError width and height must be positive numbers, not 0×5","RangeError 1×16385: no edge may exceed 16384 pixels (ImageEdge)","RangeError 8192×4097 exceeds the limit of 33554432 pixels (ImagePixels)","TypeError ops must be an array","RangeError 10001 ops exceeds the 10000 limit (CanvasOps)","TypeError format must be one of png, jpeg, webp, avif, gif, jxl, not \"tiff\"","TypeError quality must be a number from 0 to 1","TypeError op 0 must be an object","TypeError op 0 must have a name","TypeError args of op 0 must be an array","TypeError op 1: drawImage: bytes must be a Uint8Array of encoded image bytes, or pass ","Error op 1: could not decode the image (unknown): it is none of the formats that c","TypeError op 0: drawImage: bytes must be a Uint8Array of encoded image bytes, or pass ","TypeError gradient type \"mesh\" is not available","TypeError a coordinate of gradient a must be a finite number","IndexSizeError gradient a: the radius -1 is negative","IndexSizeError gradient a: addColorStop: the offset 2 is not from 0 to 1","SyntaxError gradient a: addColorStop: \"rd\" is not a CSS colour","TypeError op 1 calls unknown method \"getImageData\"","TypeError op 0 sets unknown property \"canvas\"","TypeError op 0 sets unknown property undefined","TypeError op 0 has an unknown gradient reference \"g9\"","IndexSizeError op 1: arc: the radius -1 is negative","TypeError op 0: fillRect: 4 arguments required, but only 1 present","TypeError op 0 calls unknown method \"constructor\"","TypeError op 0 calls unknown method \"__proto__\"","TypeError background must be a CSS colour like #ff8000, rgb(255 128 0 / 50%) or tomato"]
---
// pictures of all kinds are drawn by a list, those loaded first that come later
//@workspace {"a.txt":"x"}
import { px } from "pixels";
const dot = await image.blank(2, 2, { color: "red" }), bytes = await image.bytes(dot);
const data = "data:image/png;base64," + toBase64(bytes), raw = { type: "image", mimeType: "image/x-raw-rgba", width: 2, height: 2, data: new Uint8Array(16).fill(255) };
const h = await canvas.render({ width: 20, height: 2, ops: [dot, bytes, bytes.buffer, Array.from(bytes), { data: toBase64(bytes) }, { uri: data }, data, raw, await createImageBitmap(dot)].map((v, i) => ({ op: "drawImage", args: [v, 2 * i, 0] })) });
return await px(h, [0, 0], [2, 0], [4, 0], [6, 0], [8, 0], [10, 0], [12, 0], [14, 0], [16, 0], [18, 0]); //= ["255,0,0,255","255,0,0,255","255,0,0,255","255,0,0,255","255,0,0,255","255,0,0,255","255,0,0,255","255,255,255,255","255,0,0,255","0,0,0,0"]
---
// toSpec is what canvas.render takes, and gives the same picture
const dot = createCanvas(4, 4), c = createCanvas(40, 40), x = c.getContext("2d"), p = new Path2D("M0 0h9v9z");
dot.getContext("2d").fillRect(0, 0, 2, 2);
p.addPath(new Path2D("M10 10h5v5z"), { a: 2, e: 1.5 });
const g = x.createRadialGradient(20, 20, 0, 20, 20, 20).addColorStop(0, "red");
x.fillStyle = g;
x.fillRect(0, 0, 40, 40);
g.addColorStop(1, "#00f8");
x.fillRect(20, 0, 20, 40);
const pattern = x.createPattern(dot, "repeat-x");
pattern.setTransform({ f: 3 });
x.strokeStyle = pattern;
x.lineWidth = 5;
x.setLineDash([3, 1, 2]);
x.stroke(p);
x.save();
x.font = "bold 12px serif";
x.globalCompositeOperation = "multiply";
x.imageSmoothingEnabled = false;
x.lineCap = "round";
x.filter = "blur(1px)";
x.shadowColor = "rgb(1 2 3 / 40%)";
x.fillText("Ag", 2, 30, 50);
x.restore();
x.drawImage(dot, 30, 30, 8, 8);
x.roundRect(4, 4, 20, 20, [1, { x: 2, y: 3 }]);
x.fill("evenodd");
x.fillTextBox("some words", 0, 0, 30, { align: "center", maxLines: 1 });
const spec = c.toSpec({ format: "webp", extra: 1 });
const again = await image.decode(await canvas.render({ ...spec, format: "png" })), own = await image.decode(await c.toImage());
return [toHex(again.pixels) === toHex(own.pixels), Object.keys(spec), Object.keys(spec.gradients), spec.gradients.g1, spec.ops[0], spec.ops.filter((o) => o.op === "roundRect"), spec.ops.find((o) => o.args[0] === "shadowColor"), JSON.stringify(spec.patterns.p0.matrix)]; //= [true, ["width","height","gradients","patterns","paths","ops","format","extra"], ["g0","g1"], {"type":"radial","coords":[20,20,0,20,20,20],"stops":[[0,"#ff0000"],[1,"rgba(0, 0, 255, 0.533)"]]}, {"op":"set","args":["fillStyle",{"__nodetool_canvas_gradient__":"g0"}]}, [{"op":"roundRect","args":[4,4,20,20,[{"x":1,"y":1},{"x":2,"y":3},{"x":1,"y":1},{"x":2,"y":3}]]}], {"op":"set","args":["shadowColor","rgba(1, 2, 3, 0.4)"]}, "{\"a\":1,\"b\":0,\"c\":0,\"d\":1,\"e\":0,\"f\":3}"]
---
// a spec that is made of an empty surface
const s = createCanvas(3, 4).toSpec();
return [s, (await canvas.render(s)).width]; //= [{"width":3,"height":4,"gradients":{},"ops":[]}, 3]
---
// options of the surface's own
const c = createCanvas(6, 5);
return [(await c.toImage({ format: "jpeg", quality: 0.5 })).mimeType, (await c.toImage({ format: null })).mimeType, (await image.info(await c.toBytes({ format: "jpg" }))).format]; //= ["image/jpeg", "image/png", "jpeg"]
---
await createCanvas(0, 5).toImage(); //! RangeError "canvas.render: width and height must be positive numbers, not 0×5"
---
await createCanvas().toBytes(); //! TypeError "canvas.render: width and height must be numbers"
---
await createCanvas(1e9, 1).toBytes(); //! limit "no edge may exceed 16384 pixels (ImageEdge)"
---
// the size is rounded, and what is given stays what it is
const c = createCanvas("7.6", 4.4), h = await c.toImage();
return [c.width, c.height, h.width, h.height]; //= ["7.6", 4.4, 8, 4]
---
// 10 001 operations are one too many
const c = createCanvas(5, 5), x = c.getContext("2d");
for (let i = 0; i < 10000; i++) x.save();
const fits = (await c.toImage()).width;
x.save();
let e;
try { await c.toImage(); } catch (error) { e = error; }
c.reset();
return [fits, e.name, e.code, e.message, (await c.toImage()).width]; //= [5, "RangeError", "ERR_LIMIT", "canvas: 10001 operations exceeds the 10000 limit (CanvasOps)", 5]
---
// gradients and paths are none of them
const c = createCanvas(5, 5), x = c.getContext("2d"), p = new Path2D("M0 0h1v1z");
x.fillStyle = x.createLinearGradient(0, 0, 1, 1).addColorStop(0, "red");
for (let i = 0; i < 9999; i++) { x.fill(p); if (i % 1000 === 0) p.lineTo(i, i); }
const spec = { width: 5, height: 5, gradients: { g: { type: "linear", coords: [0, 0, 1, 1], stops: [] } }, ops: Array(10000).fill({ op: "save" }) };
spec.ops[0] = { op: "set", args: ["fillStyle", { __nodetool_canvas_gradient__: "g" }] };
return [(await c.toImage()).width, (await canvas.render(spec)).width]; //= [5, 5]
---
// vector files of the same operations
const c = createCanvas(30, 20), x = c.getContext("2d");
x.fillStyle = "tomato";
x.fillRect(1, 2, 3, 4);
const svg = await c.toSVG(), pdf = await c.toPDF({ background: "white" });
return [svg.startsWith("<svg"), svg.includes('width="30"'), (await image.info(new TextEncoder().encode(svg))).format, new TextDecoder().decode(pdf.slice(0, 5)), await c.toSVG() === svg]; //= [true, true, "svg", "%PDF-", true]
---
// a data address
const c = createCanvas(3, 3), u = c.toDataURL(), j = c.toDataURL("image/JPEG", 0.5);
return [u.slice(0, 26), (await image.info(u)).width, j.slice(0, 19), c.toDataURL("image/x-none").slice(5, 14), createCanvas(0, 0).toDataURL()]; //= ["data:image/png;base64,iVBO", 3, "data:image/jpeg;bas", "image/png", "data:,"]
---
// what toSpec gives is drawn again, with pixels that were put
const c = createCanvas(4, 4), x = c.getContext("2d"), d = createCanvas(4, 4), y = d.getContext("2d");
x.putImageData(new ImageData(new Uint8ClampedArray([255, 0, 0, 255, 0, 0, 255, 128]), 2, 1), 1, 1);
y.drawImage(await canvas.render(c.toSpec()), 0, 0);
return [...y.getImageData(0, 1, 4, 1).data] //= [0,0,0,0,255,0,0,255,0,0,255,128,0,0,0,0]
---
// a putImageData that puts nothing names the operation
await canvas.render({ width: 4, height: 4, ops: [{ op: "save" }, { op: "putImageData", args: [null, 1, 1, 0, 0, 1, 1] }] }) //! TypeError "canvas.render: op 1: "
---
// what a program does to the prototypes of the language changes no canvas
let seen = "";
const note = (v) => { seen += v + " "; }, descriptor = (d) => ({ __proto__: null, configurable: true, ...d });
const typed = Float64Array.prototype.__proto__, names = ["a", "done", "value", "get", "set", "alpha", "width", "data", "op", "args", "id", "length", "enumerable", "writable", "return"];
for (const k of names) Object.defineProperty(Object.prototype, k, descriptor({ get() {}, set(v) { note("set " + k); } }));
for (const k of ["0", "1", "5"]) Object.defineProperty(Array.prototype, k, descriptor({ get() { note("get " + k); }, set(v) { note("set " + k); } }));
for (const k of ["push", "map", "slice", "concat", "join"]) Array.prototype[k] = () => note(k);
for (const k of ["floor", "min", "max", "sin", "round"]) Math[k] = () => note(k);
for (const k of ["length", "buffer", "byteOffset"]) Object.defineProperty(typed, k, descriptor({ get() { note(k); } }));
for (const k of ["set", "fill", "subarray"]) typed[k] = () => note(k);
Object.defineProperty(typed.constructor, Symbol.species, descriptor({ get() { note("species"); } }));
Map.prototype.get = Map.prototype.set = () => note("map");
Promise.prototype.then = () => note("then");
const c = createCanvas(8, 8), x = c.getContext("2d");
x.fillStyle = "#f00";
x.fillRect(0, 0, 8, 8);
x.save();
x.translate(1, 1);
x.restore();
const g = x.createLinearGradient(0, 0, 8, 0);
g.addColorStop(0, "#00f");
x.fillStyle = g;
x.fillRect(5, 5, 1, 1);
const p = x.createPattern(c, "repeat");
p.setTransform(new DOMMatrix("translate(1px)"));
x.stroke(new Path2D("M0 0L5 5"));
x.roundRect(1, 1, 2, 2, 1);
x.fillText("a", 1, 9);
x.measureText("a").width;
x.drawImage(c, 0, 20);
x.putImageData(x.getImageData(0, 5, 1, 1), 0, 7);
const h = await c.toImage(), again = await canvas.render(c.toSpec());
const d = x.getImageData(0, 7, 1, 1).data;
return [seen, d[0], d[3], h.width, again.height, (await c.toBytes()) instanceof Uint8Array] //= ["",255,255,8,8,true]
