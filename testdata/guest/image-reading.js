// info: what the header says, of handles and of bytes
const h = await image.blank(5, 4, { color: "red", format: "jpeg" });
const a = await image.info(h), b = await image.info(await image.bytes(h));
return [a, JSON.stringify(a) === JSON.stringify(b), a.byteLength === h.byteLength]; //= [{"width":5,"height":4,"format":"jpeg","byteLength":600,"orientation":1,"frames":1,"hasAlpha":false,"depth":8,"profile":null},true,true]
---
// info: an orientation turns the size, and is told as it is stored
import { px, quarters, size } from "pixels";
const wide = await image.composite(await image.blank(4, 2, { color: "#fff" }), [{ image: await image.blank(1, 1, { color: "#000" }) }]);
const jpeg = await image.bytes(await image.convert(wide, { format: "jpeg", quality: 1 }));
const exif = new Uint8Array([0xff, 0xe1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0, 0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]);
const turned = new Uint8Array([...jpeg.slice(0, 2), ...exif, ...jpeg.slice(2)]);
const i = await image.info(turned), d = await image.decode(turned), png = await image.convert(turned), zero = await image.rotate(turned, 0);
const dark = (x, y) => d.pixels[4 * (2 * y + x)] < 90;
return [[i.width, i.height, i.orientation], [d.width, d.height], dark(1, 0), dark(0, 0), dark(1, 3), size(png), (await image.info(png)).orientation, size(zero), size(await image.resize(turned, { width: 1, format: "jpeg" }))]; //= [[2, 4, 6], [2, 4], true, false, false, "2x4", 1, "2x4", "1x2"]
---
// decode: straight samples, row by row
const h = await image.composite(await image.blank(2, 2), [{ image: await image.blank(1, 1, { color: "rgb(255 0 0 / 50%)" }), x: 1, y: 0 }]);
const d = await image.decode(h);
return [d.width, d.height, d.pixels.constructor.name, Array.from(d.pixels).join()]; //= [2, 2, "Uint8Array", "0,0,0,0,255,0,0,128,0,0,0,0,0,0,0,0"]
---
// decode: a picture of 8 388 608 pixels is the largest
const big = await image.blank(4096, 2049);
const ok = await image.decode(await image.crop(big, { height: 2048 }));
try { await image.decode(big); } catch (e) { return [ok.pixels.length, e.name, e.code, e.message]; } //= [33554432, "RangeError", "ERR_LIMIT", "image.decode: 4096×2049 is 8392704 pixels, over the limit of 8388608: resize it first (ImageDecode)"]
---
// stats: means, extremes and luminance; a histogram on demand
const h = await image.grid([await image.blank(1, 1, { color: "#000" }), await image.blank(1, 1, { color: "rgb(200 100 50)" })]);
const s = await image.stats(h), g = await image.stats(h, { histogram: true });
return [s, g.channels.r.histogram.length, g.channels.r.histogram[200], g.channels.b.histogram[0], "histogram" in s.channels.r, (await image.stats(await image.blank(2, 2))).opaque]; //= [{"width": 2, "height": 1, "pixels": 2, "luminance": 62.1, "opaque": true, "channels": {"r": {"mean": 100, "min": 0, "max": 200}, "g": {"mean": 50, "min": 0, "max": 100}, "b": {"mean": 25, "min": 0, "max": 50}, "a": {"mean": 255, "min": 255, "max": 255}}}, 256, 1, 1, false, false]
---
// bytes: of a handle the file, of bytes the same bytes
const h = await image.blank(2, 2), b = await image.bytes(h);
return [b instanceof Uint8Array, b.slice(1, 4).join(), (await image.bytes(b)).join() === b.join(), (await image.bytes([1, 2, 259])).join()]; //= [true, "80,78,71", true, "1,2,3"]
---
// inputs: views, buffers, arrays, array-like objects
import { size } from "pixels";
const b = await image.bytes(await image.blank(3, 1)), wide = new Uint8Array(b.length + 8);
wide.set(b, 5);
const like = { length: b.length };
b.forEach((v, i) => { like[i] = v + 256; });
const out = [];
for (const v of [b.buffer, wide.subarray(5, 5 + b.length), new DataView(wide.buffer, 5, b.length), new Uint8ClampedArray(b), new Int8Array(b), Array.from(b), like]) out.push(size(await image.convert(v)));
return out.join(); //= "3x1,3x1,3x1,3x1,3x1,3x1,3x1"
---
// inputs: references, loaded on the host
//@workspace {"note.txt": "text"}
import { size } from "pixels";
const b = await image.bytes(await image.blank(3, 2));
await workspace.write("dir/p.png", b);
return [size(await image.convert({ type: "image", uri: "dir/p.png" })), size(await image.convert({ uri: "file://dir/p.png" })), size(await image.convert({ type: "image", data: b })), size(await image.convert({ type: "document", uri: "data:image/png;base64," + toBase64(b) }))]; //= ["3x2", "3x2", "3x2", "3x2"]
---
// inputs: an asset, also of a generation result
//@assets {}
import { size } from "pixels";
const ref = await image.toAsset(await image.blank(3, 2), { filename: "cover.png" });
const generated = { type: "image", asset_id: ref.asset_id, asset_uri: ref.uri, url: ref.uri, uri: "file:///home/u/x.png" };
return [ref.type, ref.mimeType, ref.metadata, size(await image.convert(ref)), size(await image.convert(ref.uri)), size(await image.convert(generated)), (await image.info(generated)).format]; //= ["image", "image/png", {"filename": "cover.png"}, "3x2", "3x2", "3x2", "png"]
---
// toAsset: the type is what the bytes are, unless the guest says
//@assets {}
const jpeg = await image.blank(1, 1, { format: "jpeg" });
const refs = [await image.toAsset(jpeg), await image.toAsset(await image.bytes(jpeg)), await image.toAsset(new Uint8Array([1, 2, 3])), await image.toAsset(jpeg, { mimeType: "image/x-own" }), await media.toImage(jpeg), await media.toDocument(jpeg)];
return refs.map((r) => r.type + " " + r.mimeType).join(); //= "image image/jpeg,image image/jpeg,image image/png,image image/x-own,image image/jpeg,document undefined"
---
// toAsset: without assets it says what to grant
await image.toAsset(await image.blank(1, 1)); //! NotGrantedError "image.toAsset is not available without a context: this run was not granted assets, which media.toImage needs, too; the host grants it with Options.Assets"
---
// media.*: takes handles
//@assets {}
const h = await image.blank(3, 2), i = await media.info(h);
return [(await media.bytes(h)).length === h.byteLength, i.type, i.mimeType, i.uri, i.size === h.byteLength, (await media.text(h.uri, { encoding: "latin1" })).slice(1, 4)]; //= [true, "image", "image/png", "sandbox://media/m1", true, "PNG"]
---
// media.toAudio: refuses a handle of a picture
//@assets {}
await media.toAudio(await image.blank(1, 1)); //! TypeError "media.toAudio: Expected an audio handle, but sandbox://media/m1 contains image."
---
// assetToSandbox: writes the file of a handle
//@assets {}
//@workspace {}
const h = await image.blank(3, 2);
await assetToSandbox(h, "out/x.png");
return (await workspace.readBytes("out/x.png")).length === h.byteLength; //= true
---
// what is no media in the arguments is left alone
import { size } from "pixels";
const h = await image.blank(2, 2, { color: "red", title: "https://example.com/a.png", data: 5, uri: "asset://x", note: { uri: "file:///etc/passwd" } });
return size(await image.composite(h, [{ image: h, link: "https://example.com", uri: "asset://x" }])); //= "2x2"
---
// pixels without a file around them are a picture where pictures are taken
const raw = { type: "image", mimeType: "image/x-raw-rgba", width: 2, height: 1, data: new Uint8Array([255, 0, 0, 255, 0, 0, 200, 128]) };
const i = await image.info(raw), flipped = await image.decode(await image.flip(raw));
return [i.format, i.width, i.height, Array.from(flipped.pixels).join()]; //= ["png", 2, 1, "0,0,199,128,255,0,0,255"]
---
// raw pixels that do not fit their size are no picture
await image.info({ type: "image", mimeType: "image/x-raw-rgba", width: 2, height: 2, data: new Uint8Array(8) }); //! Error "could not decode the image (unknown)"
