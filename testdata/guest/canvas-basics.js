// a red square, and a green one on it
import { px } from "pixels";
const c = createCanvas(10, 10), x = c.getContext("2d");
x.fillStyle = "red";
x.fillRect(0, 0, 10, 10);
x.fillStyle = "#00ff00";
x.fillRect(0, 0, 5, 5);
return await px(await c.toImage(), [1, 1], [8, 8]); //= ["0,255,0,255", "255,0,0,255"]
---
// a gradient from red to blue
import { px } from "pixels";
const c = createCanvas(64, 1), x = c.getContext();
x.fillStyle = x.createLinearGradient(0, 0, 64, 0).addColorStop(0, "red").addColorStop(1, "blue");
x.fillRect(0, 0, 64, 1);
const [a, b] = (await px(await c.toImage(), [0, 0], [63, 0])).map((p) => p.split(",").map(Number));
return [a[0] > 200, a[2] < 60, b[0] < 60, b[2] > 200]; //= [true, true, true, true]
---
// save, translate, restore
import { px } from "pixels";
const c = createCanvas(20, 20), x = c.getContext("2d");
x.fillStyle = "white";
x.save();
x.translate(10, 10).fillRect(0, 0, 8, 8);
x.fillStyle = "red";
x.restore();
x.fillRect(0, 0, 4, 4);
return await px(await c.toImage(), [15, 15], [2, 2], [8, 8]); //= ["255,255,255,255", "255,255,255,255", "0,0,0,0"]
---
// the bytes of a picture are drawn
import { px } from "pixels";
const dot = createCanvas(8, 8), d = dot.getContext("2d");
d.fillStyle = "rgb(0 0 200)";
d.fillRect(0, 0, 8, 8);
const c = createCanvas(16, 16);
c.getContext("2d").drawImage(await dot.toBytes(), 8, 8);
return await px(await c.toImage(), [12, 12], [2, 2]); //= ["0,0,200,255", "0,0,0,0"]
---
// JPEG has white paper, or the colour that is asked for, and neither is seen by the program
import { px } from "pixels";
const c = createCanvas(16, 16), bytes = await c.toBytes({ format: "jpeg" }), x = c.getContext("2d");
const at = async (o) => (await px(await c.toImage(o), [8, 8]))[0];
const seen = [toHex(bytes.slice(0, 3)), await at({ format: "jpg" }), await at({ background: "#102030" }), await at()];
x.fillRect(4, 4, 4, 4);
seen.push((await px(await c.toImage({ background: "lime" }), [5, 5], [0, 0])).join(" "), x.fillStyle);
return seen; //= ["ffd8ff", "255,255,255,255", "16,32,48,255", "0,0,0,0", "0,0,0,255 0,255,0,255", "#000000"]
---
createCanvas(5, 5).getContext("webgl"); //! TypeError "only the \"2d\" context"
---
// all properties and methods are there
const x = createCanvas(1, 1).getContext("2d");
const properties = `fillStyle strokeStyle lineWidth lineCap lineJoin miterLimit lineDashOffset globalAlpha globalCompositeOperation filter font textAlign
  textBaseline direction letterSpacing imageSmoothingEnabled imageSmoothingQuality shadowColor shadowBlur shadowOffsetX shadowOffsetY
  fontKerning fontStretch fontVariantCaps textRendering wordSpacing lang canvas`.split(/\s+/);
const methods = `save restore translate rotate scale transform setTransform resetTransform beginPath closePath moveTo lineTo bezierCurveTo quadraticCurveTo arc
  arcTo ellipse rect roundRect fill stroke clip fillRect strokeRect clearRect fillText strokeText setLineDash drawImage createLinearGradient
  createRadialGradient createConicGradient createPattern createImageData getImageData putImageData getLineDash getTransform isPointInPath isPointInStroke
  measureText reset fillTextBox measureTextBox getContextAttributes isContextLost`.split(/\s+/);
const enumerable = [];
for (const k in x) enumerable.push(k);
return [properties.filter((k) => !(k in x)), methods.filter((k) => typeof x[k] !== "function"), [...properties, ...methods].filter((k) => !enumerable.includes(k)), Object.keys(x)]; //= [[], [], [], []]
---
// what a new context says
const x = createCanvas(1, 1).getContext("2d");
return [x.fillStyle, x.strokeStyle, x.lineWidth, x.lineCap, x.lineJoin, x.miterLimit, x.lineDashOffset, x.getLineDash(), x.globalAlpha, x.globalCompositeOperation, x.filter, x.font, x.textAlign, x.textBaseline, x.direction, x.letterSpacing, x.wordSpacing, x.imageSmoothingEnabled, x.imageSmoothingQuality, x.shadowColor, x.shadowBlur, x.shadowOffsetX, x.shadowOffsetY, x.fontKerning, x.fontStretch, x.fontVariantCaps, x.textRendering, x.lang, String(x.getTransform())]; //= ["#000000", "#000000", 1, "butt", "miter", 10, 0, [], 1, "source-over", "none", "10px sans-serif", "start", "alphabetic", "inherit", "0px", "0px", true, "low", "rgba(0, 0, 0, 0)", 0, 0, 0, "auto", "normal", "normal", "auto", "inherit", "matrix(1, 0, 0, 1, 0, 0)"]
---
// save and restore hold for all of it, and restore without save does nothing
const x = createCanvas(1, 1).getContext("2d");
const set = { fillStyle: "#010203", strokeStyle: "#040506", lineWidth: 2, lineCap: "round", lineJoin: "bevel", miterLimit: 3, lineDashOffset: 4, globalAlpha: 0.5, globalCompositeOperation: "xor", filter: "blur(2px)", font: "20px serif", textAlign: "end", textBaseline: "top", direction: "rtl", letterSpacing: "1px", wordSpacing: "2px", imageSmoothingEnabled: false, imageSmoothingQuality: "high", shadowColor: "#070809", shadowBlur: 5, shadowOffsetX: 6, shadowOffsetY: 7, fontKerning: "none", fontStretch: "expanded", fontVariantCaps: "unicase", textRendering: "optimizeSpeed", lang: "tr" };
const read = () => JSON.stringify([Object.keys(set).map((k) => x[k]), x.getLineDash(), x.getTransform().toString()]);
x.restore();
const before = read();
x.save();
Object.assign(x, set);
x.setLineDash([1, 2, 3]);
x.translate(1, 2).scale(3, 4).rotate(Math.PI / 2).transform(1, 0, 0, 1, 5, 6);
const changed = read(), kept = Object.keys(set).filter((k) => x[k] !== set[k]);
x.save();
x.fillStyle = "red";
x.restore();
const again = read() === changed;
x.restore();
return [before === read(), before === changed, kept, again]; //= [true, false, [], true]
---
// states within states within states
const x = createCanvas(1, 1).getContext("2d"), down = [], up = [];
for (let i = 0; i < 40; i++) { x.save(); if (i % 3) x.lineWidth = i + 1; x.globalAlpha = i / 40; down.push(x.lineWidth + "/" + x.globalAlpha); }
for (let i = 0; i < 40; i++) { up.unshift(x.lineWidth + "/" + x.globalAlpha); x.restore(); }
return [down.join() === up.join(), x.lineWidth, x.globalAlpha]; //= [true, 1, 1]
---
// what means nothing is ignored, and told
//@logs ["[warn] canvas: the colour \"nonsense\" is ignored","[warn] canvas: the font \"12\" is ignored","[warn] canvas: the filter \"blur(x)\" is ignored","[warn] canvas: the globalCompositeOperation \"over\" is ignored","[warn] canvas: the length \"3\" is ignored"]
const x = createCanvas(1, 1).getContext("2d");
for (let i = 0; i < 3; i++) Object.assign(x, { fillStyle: "nonsense", strokeStyle: "nonsense", shadowColor: "nonsense", font: "12", filter: "blur(x)", globalCompositeOperation: "over", letterSpacing: "3", lineWidth: 0, lineCap: "pointed", globalAlpha: 2, shadowBlur: -1, miterLimit: NaN });
return [x.fillStyle, x.font, x.filter, x.globalCompositeOperation, x.letterSpacing, x.lineWidth, x.lineCap, x.globalAlpha, x.shadowBlur, x.miterLimit]; //= ["#000000", "10px sans-serif", "none", "source-over", "0px", 1, "butt", 1, 0, 10]
---
// numbers that are not finite change nothing; a negative radius throws at the call
const c = createCanvas(20, 20), x = c.getContext("2d");
x.fillStyle = "red";
x.fillRect(0, 0, 20, 20);
x.fillStyle = "blue";
x.arc(NaN, 1, 2, 3, 4);
x.arc(10, 10, Infinity, 0, 7);
x.lineTo(10, NaN);
x.fill();
let thrown;
try { x.arc(5, 5, -1, 0, 1); } catch (e) { thrown = [e.name, e instanceof DOMException, e.code]; }
const d = x.getImageData(0, 0, 20, 20).data;
return [thrown, d.every((v, i) => v === [255, 0, 0, 255][i % 4])]; //= [["IndexSizeError", true, 1], true]
---
const x = createCanvas(9, 9).getContext("2d");
x.arc(1, 1, -1, 0, 1); //! IndexSizeError "arc: the radius -1 is negative"
---
const x = createCanvas(9, 9).getContext("2d");
x.roundRect(1, 1, 5, 5, [1, -2]); //! RangeError "roundRect: the radius -2 is negative"
---
const x = createCanvas(9, 9).getContext("2d");
x.createLinearGradient(0, 0, 1, 1).addColorStop(0, "red-ish"); //! SyntaxError "\"red-ish\" is not a CSS colour"
---
const x = createCanvas(9, 9).getContext("2d");
x.fillRect(1, 2, 3); //! TypeError "fillRect: 4 arguments required, but only 3 present"
---
// an arrow function under the transform: gradients are in user space
import { px } from "pixels";
const c = createCanvas(40, 1), x = c.getContext("2d"), g = x.createLinearGradient(0, 0, 20, 0);
g.addColorStop(0, "red");
g.addColorStop(1, "blue");
x.fillStyle = g;
x.fillRect(0, 0, 20, 1);
x.translate(20, 0);
x.fillRect(0, 0, 20, 1);
const [a, b] = await px(await c.toImage(), [2, 0], [22, 0]);
return a === b && a !== "0,0,0,0"; //= true
---
// a clip is gone after restore, and unbalanced saves are harmless
import { px } from "pixels";
const c = createCanvas(20, 20), x = c.getContext("2d");
x.save();
x.arc(10, 10, 5, 0, 7);
x.clip();
x.fillStyle = "red";
x.fillRect(0, 0, 20, 20);
const clipped = await px(await c.toImage(), [10, 10], [1, 1]);
x.restore();
for (let i = 0; i < 600; i++) x.save();
x.fillRect(0, 0, 20, 20);
return [clipped, await px(await c.toImage(), [1, 1])]; //= [["255,0,0,255", "0,0,0,0"], ["0,0,0,255"]]
---
// text is not an address
import { px } from "pixels";
const c = createCanvas(200, 20), x = c.getContext("2d");
x.fillText("https://example.com", 2, 14);
const d = x.getImageData(0, 0, 200, 20).data;
return [d.some((v) => v !== 0), (await c.toImage()).width]; //= [true, 200]
---
// a gradient of another surface is as good
import { px } from "pixels";
const a = createCanvas(4, 4).getContext("2d"), c = createCanvas(4, 4), b = c.getContext("2d");
b.createLinearGradient(0, 0, 4, 0).addColorStop(0, "red");
const g = a.createLinearGradient(0, 0, 4, 0).addColorStop(0, "lime");
b.fillStyle = g;
b.fillRect(0, 0, 4, 4);
return [b.fillStyle === g, await px(await c.toImage(), [1, 1])]; //= [true, ["0,255,0,255"]]
---
// stops that are added later count for what is painted later
import { px } from "pixels";
const c = createCanvas(4, 1), x = c.getContext("2d"), g = x.createLinearGradient(0, 0, 1, 0);
x.fillStyle = g;
x.fillRect(0, 0, 1, 1);
g.addColorStop(0, "red");
x.fillRect(1, 0, 1, 1);
x.save();
x.strokeStyle = "blue";
g.addColorStop(1, "lime");
x.fillRect(2, 0, 1, 1);
x.restore();
x.fillRect(3, 0, 1, 1);
return await px(await c.toImage(), [0, 0], [1, 0], [2, 0], [3, 0]); //= ["0,0,0,0", "255,0,0,255", "0,255,0,255", "0,255,0,255"]
---
// a Path2D may grow after it was used, and be of SVG path data
import { px } from "pixels";
const c = createCanvas(20, 20), x = c.getContext("2d"), p = new Path2D("M0 0h5v5h-5z");
x.fill(p);
p.rect(10, 0, 5, 5);
p.addPath(new Path2D(p), { a: 1, d: 1, f: 10 });
x.fillStyle = "red";
x.fill(p, "nonzero");
return await px(await c.toImage(), [2, 2], [12, 2], [2, 12], [12, 12], [7, 7]); //= ["255,0,0,255", "255,0,0,255", "255,0,0,255", "255,0,0,255", "0,0,0,0"]
---
// calls chain, as they do where the specification comes from
const x = createCanvas(3, 3).getContext("2d");
return [x.save() === x, x.beginPath().moveTo(0, 0).lineTo(1, 1).stroke() === x, x.setLineDash([]) === x, x.fillText("", 0, 0) === x]; //= [true, true, true, true]
---
// setting a size clears, whatever it is
import { px } from "pixels";
const c = createCanvas(4, 4), x = c.getContext("2d");
x.fillStyle = "red";
x.fillRect(0, 0, 4, 4);
const before = [...x.getImageData(0, 0, 1, 1).data];
c.width = "4";
const after = [...x.getImageData(0, 0, 1, 1).data];
c.height = 7.9;
const h = await c.toImage();
x.fillRect(0, 0, 1, 1);
c.reset();
return [before, after, x.fillStyle, h.width, h.height, c.width, await px(await c.toImage(), [0, 0]), c.getContext("2d") === x, x.canvas === c]; //= [[255, 0, 0, 255], [0, 0, 0, 0], "#000000", 4, 7, 4, ["0,0,0,0"], true, true]
---
// rendering twice gives the same bytes, and more may be drawn in between
const c = createCanvas(30, 30), x = c.getContext("2d");
x.strokeStyle = "teal";
x.arc(15, 15, 10, 0, 5);
x.stroke();
const a = await c.toBytes(), b = await c.toBytes();
x.fillRect(1, 1, 3, 3);
const d = await c.toBytes();
return [toHex(a) === toHex(b), toHex(a) === toHex(d)]; //= [true, false]
---
// what is drawn after a call is not in its picture
import { px } from "pixels";
const c = createCanvas(4, 4), x = c.getContext("2d");
x.fillStyle = "red";
x.fillRect(0, 0, 4, 4);
const first = c.toImage();
x.fillStyle = "blue";
x.fillRect(0, 0, 4, 4);
const second = c.toImage();
return [await px(await first, [0, 0]), await px(await second, [0, 0])]; //= [["255,0,0,255"], ["0,0,255,255"]]
---
// widths of the bundled font are those of its advances
const x = createCanvas(1, 1).getContext("2d"), w = (s) => x.measureText(s).width;
x.font = "30px Liberation Sans, sans-serif";
return [Math.abs(w("iiii") - 4 * w("i")) < 0.5, Math.abs(w("MMMM") - 4 * w("M")) < 0.5, Math.abs(w("é") - w("e")) < 0.5, w("😀") > 10, w(""), Object.keys(TextMetrics.prototype).length]; //= [true, true, true, true, 0, 12]
---
// canvas.measureText
const m = await canvas.measureText("iiii", "40px sans-serif"), d = await canvas.measureText("iiii"), e = await canvas.measureText("iiii", "nonsense"), none = await canvas.measureText("");
return [m.width > 0, typeof m.actualBoundingBoxAscent, Object.keys(m), Math.abs(m.width - 4 * d.width) < 0.1, d.width === e.width, none.width]; //= [true, "number", ["width", "actualBoundingBoxLeft", "actualBoundingBoxRight", "actualBoundingBoxAscent", "actualBoundingBoxDescent", "fontBoundingBoxAscent", "fontBoundingBoxDescent"], true, true, 0]
---
await canvas.measureText(5); //! TypeError "canvas.measureText: text must be a string"
