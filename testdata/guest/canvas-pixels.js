// pixels: ImageData and createImageData
import { check, report, error, fill, broken } from "checks";
const size = (d) => [d.width, d.height, d.data.length];
const clear = (d) => d.data.every((v) => v === 0);
check("createImageData gives clear pixels", (c) => { const d = c.createImageData(10, 20); return [...size(d), clear(d)]; }, [10, 20, 800, true]);
check("createImageData gives an ImageData of a Uint8ClampedArray", (c) => { const d = c.createImageData(1, 1); return [d instanceof ImageData, d.data instanceof Uint8ClampedArray, String(d)]; }, [true, true, "[object ImageData]"]);
check("createImageData of another is clear and of its size", (c) => { fill(c, "lime"); const d = c.createImageData(c.getImageData(0, 0, 10, 20)); return [...size(d), clear(d)]; }, [10, 20, 800, true]);
check("createImageData may be larger than the surface", (c) => size(c.createImageData(1000, 200)), [1000, 200, 800000]);
check("createImageData takes sizes without their signs", (c) => [size(c.createImageData(-10, 20)), size(c.createImageData(10, -20)), size(c.createImageData(-10, -20))], Array(3).fill([10, 20, 800]));
check("createImageData cuts fractions off", (c) => [size(c.createImageData(10.01, 10.99)), size(c.createImageData(-10.01, -10.99))], Array(2).fill([10, 10, 400]));
check("createImageData refuses a size of zero", (c) => [[10, 0], [0, 10], [0, 0], [0.99, 10], [10, 0.1]].map((a) => error(() => c.createImageData(...a))), Array(5).fill("IndexSizeError"));
check("createImageData refuses what is no size", (c) => broken(10, 10).filter((a) => !["TypeError", "IndexSizeError"].includes(error(() => c.createImageData(...a)))), []);
check("createImageData refuses null and what is no ImageData", (c) => [error(() => c.createImageData(null)), error(() => c.createImageData({})), error(() => c.createImageData())], Array(3).fill("TypeError"));
check("createImageData of another context's method", (c) => [null, undefined, {}].map((t) => error(() => CanvasRenderingContext2D.prototype.createImageData.call(t, 1, 1))), Array(3).fill("TypeError"));
check("new ImageData with sizes is clear", () => { const d = new ImageData(2, 3); return [...size(d), clear(d)]; }, [2, 3, 24, true]);
check("new ImageData holds the array it is given", () => { const a = new Uint8ClampedArray(8), d = new ImageData(a, 1, 2); a[0] = 7; return [d.data === a, d.data[0], d.width, d.height]; }, [true, 7, 1, 2]);
check("new ImageData finds its height", () => new ImageData(new Uint8ClampedArray(28), 7).height, 1);
check("new ImageData refuses a size of zero", () => [[0, 10], [10, 0], ["width", "height"], [new Uint8ClampedArray(4), 0], [new Uint8ClampedArray(28), 7, 0]].map((a) => error(() => new ImageData(...a))), Array(5).fill("IndexSizeError"));
check("new ImageData refuses an array that is no whole number of pixels", () => [0, 3, 27].map((n) => error(() => new ImageData(new Uint8ClampedArray(n), 1))), Array(3).fill("InvalidStateError"));
check("new ImageData refuses a width that does not fit the array", () => [[20000 / 4 * 4, 13], [104, 14]].map(([n, w]) => error(() => new ImageData(new Uint8ClampedArray(n), w))), Array(2).fill("IndexSizeError"));
check("new ImageData refuses a height that does not fit the array", () => [[4, 1, 2], [8, 1, 3]].map(([n, w, h]) => error(() => new ImageData(new Uint8ClampedArray(n), w, h))), Array(2).fill("IndexSizeError"));
check("new ImageData refuses other arrays", () => [new Uint8Array(8), new Int8Array(8), [0, 0, 0, 0, 0, 0, 0, 0], new ArrayBuffer(8), null].map((a) => error(() => new ImageData(a, 1, 2))), Array(5).fill("TypeError"));
check("new ImageData of an object that is no array of pixels takes it for a size", () => [new Uint8Array(100), {}, "wide"].map((v) => error(() => new ImageData(v, 25))), Array(3).fill("IndexSizeError"));
check("new ImageData refuses sizes beyond 31 bits", () => [[1 << 31, 1 << 31], [new Uint8ClampedArray(400), 1 << 31], [new Uint8ClampedArray(400), 1 << 24, 1 << 31]].map((a) => error(() => new ImageData(...a))), Array(3).fill("IndexSizeError"));
check("settings of pixels are checked", (c) => [error(() => c.createImageData(1, 1, { colorSpace: "x" })), error(() => new ImageData(1, 1, { colorSpace: "x" })), error(() => new ImageData(1, 1, null)), error(() => c.getImageData(0, 0, 1, 1, { colorSpace: "x" }))], ["TypeError", "TypeError", "none", "TypeError"]);
check("new ImageData needs two arguments", () => [error(() => new ImageData()), error(() => new ImageData(10)), error(() => new ImageData(new Uint8ClampedArray(4)))], Array(3).fill("TypeError"));
check("ImageData needs new", () => error(() => ImageData(1, 1)), "TypeError");
check("the properties of ImageData cannot be set", (c) => { const d = c.createImageData(2, 2), { data } = d; try { d.width = 9; d.height = 9; d.data = []; } catch {} return [d.width, d.height, d.data === data]; }, [2, 2, true]);
check("ImageData says its colour space", (c) => [c.createImageData(1, 1).colorSpace, new ImageData(1, 1).colorSpace], ["srgb", "srgb"]);
check("pixels clamp and round what they are given", (c) => { const { data } = c.createImageData(1, 1); return [NaN, true, "garbage", "-1", "2", Infinity, -Infinity, 0.5, 1.5, 254.5, 300, null, undefined, "0x78"].map((v) => { data[0] = 9; data[0] = v; return data[0]; }); }, [0, 1, 0, 0, 2, 255, 0, 0, 2, 254, 255, 0, 0, 120]);
check("pixels beyond their end are none", (c) => { const { data } = c.createImageData(1, 1); try { data[4] = 1; data[-1] = 1; } catch {} return [data[4], data[-1], data.length]; }, [undefined, undefined, 4]);
return report(); //= {"checks":27,"failed":[]}
---
// pixels: getImageData
import { check, report, error, fill, broken, at } from "checks";
const first = (d) => [...d.data.slice(0, 4)];
check("getImageData gives red, green, blue and alpha", (c) => { fill(c, "#4488cc"); return [...c.getImageData(0, 0, 10, 10).data.slice(0, 8)]; }, [0x44, 0x88, 0xcc, 255, 0x44, 0x88, 0xcc, 255]);
check("getImageData goes along rows, then down", (c) => { fill(c, "white"); c.fillRect(0, 0, 2, 50); const d = c.getImageData(0, 0, 10, 10).data; return [d[0], d[20], d[200]]; }, [0, 255, 0]);
check("getImageData begins at the top", (c) => { fill(c, "white"); c.fillRect(0, 0, 100, 2); const d = c.getImageData(0, 0, 10, 10).data; return [d[0], d[20], d[200]]; }, [0, 0, 255]);
check("getImageData gives colours without their alpha multiplied in", (c) => { fill(c, "rgba(255,255,255,0.5)"); return first(c.getImageData(10, 10, 1, 1)); }, [255, 255, 255, 128]);
check("getImageData of what is clear is zero", (c) => first(c.getImageData(0, 0, 1, 1)), [0, 0, 0, 0]);
check("getImageData outside of the surface is clear", (c) => { fill(c, "lime"); return [[-10, 5], [10, -5], [200, 5], [10, 60], [100, 10]].map(([x, y]) => first(c.getImageData(x, y, 1, 1)).join()); }, Array(5).fill("0,0,0,0"));
check("getImageData across the edge of the surface", (c) => { fill(c, "lime"); const d = c.getImageData(-10, 10, 20, 20).data; return [d[9 * 4 + 3], d[10 * 4 + 3], d[19 * 4 + 3], d[20 * 4 + 3]]; }, [0, 255, 255, 0]);
check("getImageData takes negative sizes", (c) => { fill(c, "black"); c.fillStyle = "white"; c.fillRect(20, 10, 60, 10); const d = c.getImageData(85, 25, -10, -10).data; return [d[0], d[d.length - 4], d.length]; }, [255, 0, 400]);
check("getImageData of negative sizes at the origin is outside", (c) => { fill(c, "lime"); return first(c.getImageData(0, 0, -1, -1)); }, [0, 0, 0, 0]);
check("getImageData cuts fractions off", (c) => [[0.9, 0.8, 20.9, 10.9], [0, 0, -20.1, -10.9], [-1.9, 0, 20, 10]].map((a) => { const d = c.getImageData(...a); return `${d.width}x${d.height}`; }), Array(3).fill("20x10"));
check("getImageData refuses a size of zero", (c) => [[10, 0], [0, 10], [0, 0], [0.1, 10], [10, 0.99], [-0.1, 10]].map((a) => error(() => c.getImageData(1, 1, ...a))), Array(6).fill("IndexSizeError"));
check("getImageData refuses what is no number", (c) => broken(10, 10, 10, 10).filter((a) => error(() => c.getImageData(...a)) === "none"), []);
check("getImageData needs four numbers", (c) => error(() => c.getImageData(0, 0, 1)), "TypeError");
check("getImageData of a size beyond memory is refused", (c) => ["RangeError", "TypeError", "InvalidStateError", "IndexSizeError", "NotSupportedError"].includes(error(() => c.getImageData(0, 0, 2147483647, 2147483647))), true);
check("getImageData does not look at matrix, clip, alpha, mode and shadow", (c) => { c.fillStyle = "lime"; c.fillRect(0, 0, 50, 50); c.translate(50, 0); c.globalAlpha = 0.1; c.globalCompositeOperation = "destination-atop"; c.shadowColor = "red"; c.rect(0, 0, 5, 5); c.clip(); return first(c.getImageData(20, 20, 1, 1)); }, [0, 255, 0, 255]);
check("getImageData gives a copy", (c) => { const d = c.getImageData(0, 0, 1, 1); d.data[3] = 255; return first(c.getImageData(0, 0, 1, 1)); }, [0, 0, 0, 0]);
check("getImageData sees what was drawn before, not after", (c) => { const before = c.getImageData(0, 0, 1, 1); fill(c, "lime"); return [first(before), first(c.getImageData(0, 0, 1, 1))]; }, [[0, 0, 0, 0], [0, 255, 0, 255]]);
check("colours out of range are clamped", (c) => { fill(c, "rgb(-100, 300, 400)"); return first(c.getImageData(0, 0, 1, 1)); }, [0, 255, 255, 255]);
return report(); //= {"checks":18,"failed":[]}
---
// pixels: putImageData
import { check, report, error, fill, broken, at, whole, cells, surface } from "checks";
const plain = (c, w, h, rgba) => { const d = c.createImageData(w, h); for (let i = 0; i < d.data.length; i += 4) d.data.set(rgba, i); return d; };
const lime = (c, w = 100, h = 50) => plain(c, w, h, [0, 255, 0, 255]);
check("putImageData writes pixels", (c) => { c.putImageData(lime(c, 30, 20), 20, 10); return cells(c); }, "........../..GGG...../..GGG...../........../..........");
check("putImageData replaces, with alpha", (c) => { fill(c, "red"); c.putImageData(plain(c, 100, 50, [0, 255, 0, 64]), 0, 0); return whole(c); }, [0, 255, 0, 64]);
check("putImageData of clear pixels clears", (c) => { fill(c, "red"); c.putImageData(c.createImageData(50, 50), 0, 0); return cells(c); }, ".....RRRRR");
check("putImageData writes a part", (c) => { c.putImageData(lime(c), 0, 0, 20, 10, 30, 20); return cells(c); }, "........../..GGG...../..GGG...../........../..........");
check("putImageData writes a part at its place", (c) => { c.putImageData(lime(c), 10, 10, 20, 10, 30, 20); return cells(c); }, "........../........../...GGG..../...GGG..../..........");
check("putImageData takes negative sizes of the part", (c) => { c.putImageData(lime(c), 0, 0, 50, 30, -30, -20); return cells(c); }, "........../..GGG...../..GGG...../........../..........");
check("putImageData of a part without size writes nothing", (c) => { c.putImageData(lime(c), 0, 0, 0, 0, 0, 0); return whole(c); }, "none");
check("putImageData clips the part to its pixels", (c) => { c.putImageData(lime(c, 20, 20), 0, 0, -50, -50, 200, 200); return cells(c); }, "GG......../GG......../........../........../..........");
check("putImageData outside of the surface writes nothing", (c) => { for (const [x, y] of [[200, 0], [0, 200], [-100, 0], [0, -50], [1e9, 1e9], [-2147483648, 0]]) c.putImageData(lime(c), x, y); return whole(c); }, "none");
check("putImageData across the edge writes what is inside", (c) => { c.putImageData(lime(c), -50, -30); return cells(c); }, "GGGGG...../GGGGG...../........../........../..........");
check("putImageData of a part at the edge of its pixels", (c) => { c.putImageData(lime(c, 20, 20), 0, 0, 10, 0, 20, 20); return cells(c); }, ".G......../.G......../........../........../..........");
check("putImageData does not look at the state", (c) => { fill(c, "red"); c.globalAlpha = 0.1; c.globalCompositeOperation = "destination-atop"; c.shadowColor = "red"; c.shadowBlur = 1; c.translate(100, 50); c.scale(0.1, 0.1); c.filter = "invert(1)"; c.putImageData(lime(c), 0, 0); return whole(c); }, "lime");
check("putImageData is not clipped", (c) => { c.rect(0, 0, 50, 50); c.clip(); c.putImageData(lime(c), 0, 0); return whole(c); }, "lime");
check("putImageData leaves the path as it is", (c) => { c.rect(0, 0, 50, 50); c.putImageData(lime(c), 0, 0); c.fill(); return cells(c); }, "KKKKKGGGGG");
check("putImageData takes what another surface gave", (c) => { const s = surface(100, 50, (d) => fill(d, "lime")); c.putImageData(s.getContext("2d").getImageData(0, 0, 100, 50), 0, 0); return whole(c); }, "lime");
check("putImageData takes pixels of the program", (c) => { c.putImageData(new ImageData(new Uint8ClampedArray([255, 0, 0, 255, 0, 0, 255, 255]), 2, 1), 10, 10); return [at(c, 10, 10), at(c, 11, 10), at(c, 12, 10)]; }, ["red", "blue", "none"]);
check("putImageData takes the pixels as they are at the call", (c) => { const d = lime(c); c.putImageData(d, 0, 0); d.data.fill(0); return whole(c); }, "lime");
check("putting back what getImageData gave changes nothing", (c) => {
  for (let i = 0; i < 256; i++) { c.fillStyle = `rgba(${i}, ${(i * 1.5 | 0) % 256}, ${(i * 23.3 | 0) % 256}, ${i / 256})`; c.fillRect(i % 16, i >> 4, 1, 1); }
  const old = c.getImageData(0, 0, 16, 16); c.putImageData(old, 0, 0);
  return c.getImageData(0, 0, 16, 16).data.every((v, i) => v === old.data[i]);
}, true);
check("putting translucent pixels loses no more than their alpha says", (c) => { const d = new ImageData(256, 1); for (let i = 0; i < 256; i++) d.data.set([255, i, 128, i], 4 * i); c.canvas.width = 256; c.putImageData(d, 0, 0); const e = c.getImageData(0, 0, 256, 1); return e.data.every((v, i) => { const a = d.data[i | 3]; return a === 0 ? v === 0 : Math.abs(v - d.data[i]) <= 1 + 128 / a; }); }, true);
check("putImageData cuts fractions of its place off", (c) => { c.putImageData(lime(c, 10, 10), 10.9, 10.9); return [at(c, 10, 10), at(c, 20, 20)]; }, ["lime", "none"]);
check("putImageData refuses what is no ImageData", (c) => [null, undefined, "x", 42, { width: 1, height: 1, data: [255, 0, 0, 255] }].map((v) => error(() => c.putImageData(v, 0, 0))), Array(5).fill("TypeError"));
check("putImageData refuses what is no number", (c) => { const d = lime(c, 1, 1); return [...broken(10, 10), ...broken(10, 10, 10, 10, 10, 10)].filter((a) => error(() => c.putImageData(d, ...a)) !== "TypeError"); }, []);
check("putImageData needs a place", (c) => error(() => c.putImageData(lime(c, 1, 1), 0)), "TypeError");
return report(); //= {"checks":23,"failed":[]}
