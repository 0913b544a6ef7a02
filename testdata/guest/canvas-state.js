// state: save, restore, reset
import { check, report, at, whole, cells, fill, surface, error } from "checks";
const defaults = { strokeStyle: "#000000", fillStyle: "#000000", globalAlpha: 1, lineWidth: 1, lineCap: "butt", lineJoin: "miter", miterLimit: 10, lineDashOffset: 0, shadowOffsetX: 0, shadowOffsetY: 0, shadowBlur: 0, shadowColor: "rgba(0, 0, 0, 0)", globalCompositeOperation: "source-over", font: "10px sans-serif", textAlign: "start", textBaseline: "alphabetic", imageSmoothingEnabled: true, imageSmoothingQuality: "low", filter: "none", letterSpacing: "0px", wordSpacing: "0px", fontKerning: "auto", textRendering: "auto" };
const others = { strokeStyle: "#ff0000", fillStyle: "#ff0000", globalAlpha: 0.5, lineWidth: 0.5, lineCap: "round", lineJoin: "round", miterLimit: 0.5, lineDashOffset: 5, shadowOffsetX: 5, shadowOffsetY: 5, shadowBlur: 5, shadowColor: "#ff0000", globalCompositeOperation: "copy", font: "25px serif", textAlign: "center", textBaseline: "bottom", imageSmoothingEnabled: false, imageSmoothingQuality: "high", filter: "sepia(1)", letterSpacing: "1px", wordSpacing: "1px", fontKerning: "none", textRendering: "optimizeSpeed" };
const unlike = (c, want) => Object.keys(want).filter((k) => c[k] !== want[k]);
check("a new context has the defaults of all properties", (c) => unlike(c, defaults), []);
check("all properties read back what was set", (c) => { Object.assign(c, others); return unlike(c, others); }, []);
check("save changes no property", (c) => { Object.assign(c, others); c.save(); return unlike(c, others); }, []);
check("restore brings all properties back", (c) => { c.save(); Object.assign(c, others); c.restore(); return unlike(c, defaults); }, []);
check("save and restore nest", (c) => { const seen = []; for (const w of [1, 2, 3]) { c.lineWidth = w; c.save(); } c.lineWidth = 9; for (let i = 0; i < 3; i++) { c.restore(); seen.push(c.lineWidth); } return seen; }, [3, 2, 1]);
check("save is not bounded at 512", (c) => { for (let i = 1; i < 600; i++) { c.save(); c.lineWidth = i; } let wrong = 0; for (let i = 599; i > 0; i--) { if (c.lineWidth !== i) wrong++; c.restore(); } return wrong; }, 0);
check("restore without save does nothing", (c) => { for (let i = 0; i < 16; i++) c.restore(); c.lineWidth = 0.5; c.restore(); return c.lineWidth; }, 0.5);
check("save and restore leave pixels as they are", (c) => { c.save(); fill(c, "lime"); c.restore(); return whole(c); }, "lime");
check("save and restore hold matrix and clip together", (c) => { c.save(); c.translate(50, 0); c.beginPath(); c.rect(0, 0, 10, 50); c.clip(); c.restore(); c.fillRect(0, 0, 100, 50); return cells(c); }, "K");
check("reset brings all properties back", (c) => { Object.assign(c, others); c.reset(); return unlike(c, defaults); }, []);
check("reset clears pixels, path, matrix and clip", (c) => { fill(c, "red"); c.rect(0, 0, 10, 10); c.clip(); c.translate(9, 9); c.reset(); const clear = whole(c); c.fill(); const still = whole(c); c.fillRect(0, 0, 50, 50); return [clear, still, cells(c)]; }, ["none", "none", "KKKKK....."]);
check("reset forgets what was saved", (c) => { c.lineWidth = 3; c.save(); c.reset(); c.lineWidth = 5; c.restore(); return c.lineWidth; }, 5);
check("reset forgets dashes", (c) => { c.setLineDash([1, 2]); c.reset(); return c.getLineDash(); }, []);
check("setting the width brings all properties back", (c) => { Object.assign(c, others); c.canvas.width = 100; return unlike(c, defaults); }, []);
check("setting the height clears pixels, path, matrix, clip and what was saved", (c) => { c.lineWidth = 3; c.save(); fill(c, "red"); c.rect(0, 0, 10, 10); c.clip(); c.translate(9, 9); c.canvas.height = 50; const clear = whole(c); c.restore(); c.fill(); c.fillRect(0, 0, 50, 50); return [clear, c.lineWidth, cells(c)]; }, ["none", 1, "KKKKK....."]);
check("a new size is the size", (c) => { c.canvas.width = 20; c.canvas.height = 10; fill(c, "lime"); return [c.canvas.width, c.canvas.height, cells(c), at(c, 20, 5), at(c, 5, 10)]; }, [20, 10, "G", "none", "none"]);
check("sizes are converted to whole numbers", (c) => ["100", 301.999, "+1.5e2", "0x96", 0, true].map((v) => { c.canvas.width = v; return c.canvas.width; }), [100, 301, 150, 150, 0, 1]);
check("sizes wrap as 32 bits do, and are zero for what is no number", (c) => [200 - 2 ** 32, NaN, "400x", "wide", Infinity].map((v) => { c.canvas.width = v; return c.canvas.width; }), [200, 0, 0, 0, 0]);
check("sizes beyond 31 bits are those of a canvas element without attributes", (c) => { c.canvas.width = -1; c.canvas.height = 2 ** 31; return [c.canvas.width, c.canvas.height]; }, [300, 150]);
check("a surface may have no pixels for a time", (c) => { c.canvas.width = 0; c.fillRect(0, 0, 9, 9); c.canvas.width = 100; c.fillRect(0, 0, 50, 50); return cells(c); }, "KKKKK.....");
check("contexts of two surfaces share nothing", (c) => { const d = surface(100, 50).getContext("2d"); d.fillStyle = "red"; d.translate(50, 0); d.fillRect(0, 0, 50, 50); c.fillRect(0, 0, 10, 50); return [cells(c), cells(d), c.fillStyle]; }, ["K.........", ".....RRRRR", "#000000"]);
return report(); //= {"checks":21,"failed":[]}
---
// state: the surface and its context
import { check, report, at, whole, cells, fill, surface, error } from "checks";
const methods = ["save", "restore", "reset", "scale", "rotate", "translate", "transform", "getTransform", "setTransform", "resetTransform", "createLinearGradient", "createRadialGradient", "createConicGradient", "createPattern", "clearRect", "fillRect", "strokeRect", "beginPath", "fill", "stroke", "clip", "isPointInPath", "isPointInStroke", "fillText", "strokeText", "measureText", "drawImage", "createImageData", "getImageData", "putImageData", "setLineDash", "getLineDash", "closePath", "moveTo", "lineTo", "quadraticCurveTo", "bezierCurveTo", "arcTo", "rect", "roundRect", "arc", "ellipse"];
check("getContext gives the same context every time", (c) => [c.canvas.getContext("2d") === c, c.canvas.getContext("2d", { alpha: false }) === c], [true, true]);
check("getContext takes arguments beyond its own", (c) => [createCanvas(1, 1).getContext("2d", false, {}, 1) !== null, createCanvas(1, 1).getContext("2d", null) !== null, createCanvas(1, 1).getContext("2d", undefined) !== null], [true, true, true]);
check("canvas is the surface of a context, and stays it", (c) => { const s = c.canvas; try { c.canvas = createCanvas(1, 1); } catch {} return [c.canvas === s, s.width, s.height]; }, [true, 100, 50]);
check("a context is a CanvasRenderingContext2D", (c) => [c instanceof CanvasRenderingContext2D, Object.getPrototypeOf(c) === CanvasRenderingContext2D.prototype, String(c)], [true, true, "[object CanvasRenderingContext2D]"]);
check("CanvasRenderingContext2D cannot be made", () => error(() => new CanvasRenderingContext2D()), "TypeError");
check("CanvasGradient and CanvasPattern cannot be made", () => [error(() => new CanvasGradient()), error(() => new CanvasPattern())], ["TypeError", "TypeError"]);
check("methods are on the prototype", () => methods.filter((m) => typeof CanvasRenderingContext2D.prototype[m] !== "function"), []);
check("properties are accessors on the prototype", () => ["fillStyle", "lineWidth", "font", "globalAlpha", "canvas"].filter((p) => typeof Object.getOwnPropertyDescriptor(CanvasRenderingContext2D.prototype, p)?.get !== "function"), []);
check("the prototype of contexts stays, its methods may go", () => { const d = Object.getOwnPropertyDescriptor(CanvasRenderingContext2D, "prototype"); return [d.writable, d.configurable, Object.getOwnPropertyDescriptor(d.value, "fill").configurable, Object.getPrototypeOf(d.value) === Object.prototype]; }, [false, false, true, true]);
check("getContextAttributes says how the context is", (c) => { const a = c.getContextAttributes(); return [a.alpha, a.colorSpace, a.willReadFrequently, a.desynchronized]; }, [true, "srgb", false, false]);
check("methods can be replaced for a context", (c) => { c.fillRect = function (...a) { this.fillStyle = "lime"; CanvasRenderingContext2D.prototype.fillRect.apply(this, a); }; c.fillStyle = "red"; c.fillRect(0, 0, 100, 50); return whole(c); }, "lime");
check("methods can be added to all contexts", (c) => { const p = CanvasRenderingContext2D.prototype; p.fillLime = function () { this.fillStyle = "lime"; this.fillRect(0, 0, 100, 50); }; c.fillLime(); delete p.fillLime; return whole(c); }, "lime");
check("methods refuse what is no context", () => ["fillRect", "save", "getImageData", "measureText"].map((m) => error(() => CanvasRenderingContext2D.prototype[m].call({}, 0, 0, 1, 1))), Array(4).fill("TypeError"));
check("properties refuse what is no context", () => { const get = Object.getOwnPropertyDescriptor(CanvasRenderingContext2D.prototype, "lineWidth").get; return [error(() => get.call({})), error(() => get.call(null))]; }, ["TypeError", "TypeError"]);
check("properties of a context can be listed", (c) => { const seen = new Set(); for (const k in c) seen.add(k); return [...methods, "fillStyle", "canvas", "font"].filter((k) => !seen.has(k)); }, []);
check("properties of one's own are kept", (c) => { c.mine = 7; return c.canvas.getContext("2d").mine; }, 7);
check("a surface begins clear", (c) => whole(c), "none");
check("a surface of one pixel", () => { const c = createCanvas(1, 1).getContext("2d"); c.fillStyle = "lime"; c.fillRect(0, 0, 1, 1); return at(c, 0, 0); }, "lime");
check("methods need their arguments", (c) => [["scale", 1], ["rotate"], ["translate", 1], ["rect", 1, 2, 3], ["arc", 1, 2, 3, 4], ["arcTo", 1, 2, 3, 4], ["quadraticCurveTo", 1, 2, 3], ["bezierCurveTo", 1, 2, 3, 4, 5], ["moveTo", 1], ["setLineDash"], ["roundRect", 1, 2, 3], ["drawImage"], ["isPointInPath"], ["strokeRect", 1, 2, 3], ["clearRect", 1]].filter(([m, ...a]) => error(() => c[m](...a)) !== "TypeError").map(([m]) => m), []);
check("arguments are converted in order, each once", (c) => { const seen = []; const n = (name) => ({ valueOf() { seen.push(name); return 1; } }); c.fillRect(n("x"), n("y"), n("w"), n("h")); return seen.join(""); }, "xywh");
check("an error in a conversion is thrown on", (c) => error(() => c.fillRect(0, 0, { valueOf() { throw new RangeError("mine"); } }, 1)), "RangeError");
check("errors of bad sizes are DOMExceptions", (c) => { try { c.arc(0, 0, -1, 0, 1); } catch (e) { return [e.name, e instanceof DOMException, e.code]; } }, ["IndexSizeError", true, 1]);
check("errors of bad words are DOMExceptions", (c) => { try { c.createPattern(c.canvas, "x"); } catch (e) { return [e.name, e instanceof DOMException, e.code]; } }, ["SyntaxError", true, 12]);
return report(); //= {"checks":23,"failed":[]}
