// pad: on all sides, in a colour
import { px, size } from "pixels";
const h = await image.pad(await image.blank(10, 10, { color: "red" }), { all: 5, color: "#0000ff" });
return [size(h), await px(h, [1, 1], [10, 10], [19, 19])]; //= ["20x20", ["0,0,255,255", "255,0,0,255", "0,0,255,255"]]
---
// pad: single sides, rounded, transparent without a colour
import { px, size } from "pixels";
const h = await image.pad(await image.blank(2, 2, { color: "red" }), { all: 1, left: 2.5, top: 0, background: null });
return [size(h), await px(h, [2, 0], [3, 0], [5, 2])]; //= ["6x3", ["0,0,0,0", "255,0,0,255", "0,0,0,0"]]
---
// pad: the colour shows through the picture
import { px } from "pixels";
return await px(await image.pad(await image.blank(1, 1, { color: "rgb(255 0 0 / 50%)" }), { all: 1, background: "#000" }), [1, 1]); //= ["128,0,0,255"]
---
// pad: a negative side is an error
await image.pad(await image.blank(1, 1), { top: -1 }); //! TypeError "image.pad: top must be a non-negative number"
---
// grid: three pictures side by side with a gap
import { px, size } from "pixels";
const [r, g, b] = await Promise.all(["red", "lime", "blue"].map((color) => image.blank(10, 10, { color })));
const h = await image.grid([r, g, b], { gap: 4 });
return [size(h), await px(h, [9, 5], [10, 5], [14, 5], [28, 5])]; //= ["38x10", ["255,0,0,255", "0,0,0,0", "0,255,0,255", "0,0,255,255"]]
---
// grid: rows by columns, pictures in the middle of their cells
import { px, size } from "pixels";
const a = await image.blank(4, 4, { color: "red" }), b = await image.blank(2, 2, { color: "lime" });
const h = await image.grid([a, b, b], { columns: 2, gap: 1, background: "#000" });
return [size(h), await px(h, [3, 3], [4, 4], [5, 0], [6, 1], [7, 2], [1, 6], [8, 8])]; //= ["9x9", ["255,0,0,255", "0,0,0,255", "0,0,0,255", "0,255,0,255", "0,255,0,255", "0,255,0,255", "0,0,0,255"]]
---
// grid: columns are at least one and at most as many as there are pictures
import { size } from "pixels";
const a = await image.blank(4, 4);
return [size(await image.grid([a, a], { columns: 9 })), size(await image.grid([a, a], { columns: -2, gap: -5 })), size(await image.grid([a, a, a], { columns: 1.6 }))]; //= ["8x4", "4x8", "8x8"]
---
// grid: pictures of every kind of input
import { size } from "pixels";
const a = await image.blank(4, 4), bytes = await image.bytes(a);
return size(await image.grid([a, bytes, bytes.buffer, { data: bytes }, { data: toBase64(bytes) }, "data:image/png;base64," + toBase64(bytes), { ...a }, a.uri], { columns: 4 })); //= "16x8"
---
// grid: the errors name the picture
await image.grid([await image.blank(1, 1), new Uint8Array(3)]); //! Error "image.grid: image 1: could not decode the image (unknown)"
---
// composite: layers in their order, clipped at the edges
import { px, size } from "pixels";
const base = await image.blank(6, 6, { color: "#000" }), r = await image.blank(2, 2, { color: "red" }), g = await image.blank(2, 2, { color: "lime" });
const h = await image.composite(base, [{ image: r, x: -1, y: -1 }, { image: r, x: 5, y: 5 }, { image: g, x: 5, y: 4 }, { image: r, x: 100, y: -100 }]);
return [size(h), await px(h, [0, 0], [1, 1], [5, 5], [5, 4]), await px(base, [0, 0])]; //= ["6x6", ["255,0,0,255", "0,0,0,255", "0,255,0,255", "0,255,0,255"], ["0,0,0,255"]]
---
// composite: opacity is clamped, and half of white on black is grey
import { px } from "pixels";
const black = await image.blank(1, 1, { color: "#000" }), white = await image.blank(1, 1, { color: "#fff" });
const out = [];
for (const opacity of [0.5, 0, 1, 7, -1, undefined, null]) out.push((await px(await image.composite(black, [{ image: white, opacity }]), [0, 0]))[0].split(",")[0]);
return out.join(); //= "128,0,255,255,0,255,255"
---
// composite: a size of its own scales a layer
import { px } from "pixels";
const h = await image.composite(await image.blank(6, 6), [{ image: await image.blank(1, 1, { color: "red" }), x: 1, y: 2, width: 3, height: 2.5 }]);
return await px(h, [0, 2], [1, 2], [3, 4], [3, 5], [4, 2]); //= ["0,0,0,0", "255,0,0,255", "255,0,0,255", "0,0,0,0", "0,0,0,0"]
---
// composite: every blend mode
import { px } from "pixels";
const a = await image.blank(1, 1, { color: "rgb(100 150 200)" }), b = await image.blank(1, 1, { color: "rgb(200 100 50 / 50%)" }), out = {};
for (const blendMode of "source-over source-in source-out source-atop destination-over destination-in destination-out destination-atop lighter copy xor multiply screen overlay darken lighten color-dodge color-burn hard-light soft-light difference exclusion hue saturation color luminosity".split(" ")) out[blendMode] = (await px(await image.composite(a, [{ image: b, blendMode }]), [0, 0]))[0];
return [Object.keys(out).length, out["source-over"], out["destination-over"], out["source-in"], out["destination-out"], out.copy, out.multiply, out.lighten, out.difference]; //= [26,"150,125,125,255","100,150,200,255","199,100,50,128","100,151,201,127","199,100,50,128","89,104,119,255","150,150,200,255","100,100,175,255"]
---
// composite: modes that clear what the layer does not cover
import { px } from "pixels";
const h = await image.composite(await image.blank(3, 3, { color: "red" }), [{ image: await image.blank(1, 1, { color: "lime" }), x: 1, y: 1, blendMode: "destination-in" }]);
return await px(h, [0, 0], [1, 1], [2, 2]); //= ["0,0,0,0", "255,0,0,255", "0,0,0,0"]
---
// composite: a layer shows itself
import { px } from "pixels";
const a = await image.blank(2, 2, { color: "rgb(255 0 0 / 50%)" });
return await px(await image.composite(a, [{ image: a }]), [0, 0]); //= ["255,0,0,192"]
---
// composite: no layers are allowed, 65 are not
const a = await image.blank(2, 2);
const n = [(await image.composite(a, [])).width, (await image.composite(a, Array.from({ length: 64 }, () => ({ image: a })))).width];
try { await image.composite(a, Array.from({ length: 65 }, () => ({ image: a }))); } catch (e) { n.push(e.message, e.code); }
return n; //= [2, 2, "image.composite: 65 layers: at most 64 layers per call (ImageLayers)", "ERR_LIMIT"]
---
// grid: 65 pictures are too many
const a = await image.blank(2, 2);
await image.grid(Array.from({ length: 65 }, () => a)); //! limit "at most 64 images per call (ImageLayers)"
---
// frames and animations: what goes in comes out
import { px } from "pixels";
const frames = await Promise.all(["red", "lime", "blue"].map((color) => image.blank(8, 6, { color })));
const gif = await image.animate(frames, { delay: 200, plays: 3 });
const info = await image.info(gif), list = await image.frames(gif), some = await image.frames(gif, { first: 1, count: 1, format: "jpeg" });
return [gif.mimeType, gif.width, info.frames, info.duration, info.plays, list.map((f) => [f.width, f.delay, f.mimeType]), (await px(list[2], [3, 3]))[0], (await px(gif, [3, 3]))[0], some.length, some[0].mimeType, (await px(some[0], [1, 1]))[0], (await image.frames(frames[0])).length]; //= ["image/gif", 8, 3, 600, 3, [[8, 200, "image/png"], [8, 200, "image/png"], [8, 200, "image/png"]], "0,0,255,255", "255,0,0,255", 1, "image/jpeg", "0,255,0,255", 1]
---
// an animation has one size
await image.animate([await image.blank(2, 2), await image.blank(2, 3)]); //! RangeError "image.animate: image 1 is 2×3, and the first is 2×2: an animation has one size"
---
// a frame beyond the last does not exist
await image.frames(await image.blank(1, 1), { first: 1 }); //! TypeError "image.frames: first is 1, and the picture has 1 frames"
---
// 1001 frames are too many for one call
const h = await image.blank(1, 1);
await image.animate(Array.from({ length: 1001 }, () => h)); //! limit "image.animate: 1001 images: at most 1000 images per call (ImageFrames)"
