// what is no picture
const h = await image.blank(2, 2), out = [];
for (const v of [undefined, null, 5, "text", true, {}, [], [1, "2"], { length: 2.5 }, () => 1, new Map(), new Date()]) try { await image.info(v); out.push("no error"); } catch (e) { out.push(e.name + ": " + e.message); }
const rest = out.filter((t) => t !== "TypeError: image.info: bytes must be a Uint8Array of encoded image bytes, or pass a handle or a reference");
return [out.length, rest]; //= [12,["TypeError: image.info: image bytes are empty","DataCloneError: cannot pass a function to the host (at value[0])"]]
---
// damaged files of every format
const png = await image.bytes(await image.blank(9, 9, { color: "red" })), jpeg = await image.bytes(await image.blank(9, 9, { format: "jpeg" })), out = [];
for (const [name, v] of [["text", new TextEncoder().encode("hello")], ["png head", png.slice(0, 20)], ["png cut", png.slice(0, png.length - 30)], ["jpeg head", jpeg.slice(0, 20)], ["gif", new TextEncoder().encode("GIF89a")], ["heic", new Uint8Array([0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70, 0x68, 0x65, 0x69, 0x63])]]) try { await image.convert(v); out.push(name + ": no error"); } catch (e) { out.push(name + ": " + e.code + " " + e.message.slice(0, e.message.indexOf(")") + 2)); }
return out; //= ["text: ERR_IMAGE_DECODE image.convert: could not decode the image (unknown):", "png head: ERR_IMAGE_DECODE image.convert: could not decode the image (png):", "png cut: ERR_IMAGE_DECODE image.convert: could not decode the image (png):", "jpeg head: ERR_IMAGE_DECODE image.convert: could not decode the image (jpeg):", "gif: ERR_IMAGE_DECODE image.convert: could not decode the image (gif):", "heic: ERR_IMAGE_DECODE image.convert: could not decode the image (heic):"]
---
// a GIF of 34 bytes that declares 65535 × 65535 pixels is refused by its header
const gif = new Uint8Array([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 255, 255, 255, 255, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2c, 0, 0, 0, 0, 255, 255, 255, 255, 0, 2, 2, 0x44, 1, 0x3b]);
await image.decode(gif); //! limit "image.decode: 65535×65535: no edge may exceed 16384 pixels (ImageEdge)"
---
// so is a size that is asked for
const out = [];
const h = await image.blank(1000, 1000);
for (const f of [() => image.blank(16385, 1), () => image.blank(8192, 4097), () => image.resize(h, { width: 1e9 }), () => image.resize(h, { width: 9000 }), () => image.pad(h, { all: 16000 }), () => image.grid(Array.from({ length: 20 }, () => h), { columns: 20 }), () => image.grid([h, h], { gap: 1e9 }), () => image.composite(h, [{ image: h, width: 20000 }]), () => image.blank(0, 5), () => image.blank(-1, 5), () => image.composite(h, [{ image: h, height: 0 }])]) try { await f(); out.push("no error"); } catch (e) { out.push(e.message.slice(6)); }
return out; //= ["blank: 16385×1: no edge may exceed 16384 pixels (ImageEdge)","blank: 8192×4097 exceeds the limit of 33554432 pixels (ImagePixels)","resize: 1000000000×16385: no edge may exceed 16384 pixels (ImageEdge)","resize: 9000×9000 exceeds the limit of 33554432 pixels (ImagePixels)","pad: 33000×33000: no edge may exceed 16384 pixels (ImageEdge)","grid: 20000×1000: no edge may exceed 16384 pixels (ImageEdge)","grid: 18384×1000: no edge may exceed 16384 pixels (ImageEdge)","composite: layer 0: 20000×1000: no edge may exceed 16384 pixels (ImageEdge)","blank: width and height must be positive numbers, not 0×5","blank: width and height must be positive numbers, not -1×5","composite: layer 0: width and height must be positive numbers, not 1000×0"]
---
// options that make no sense are named
const h = await image.blank(2, 2), out = [];
for (const f of [
  () => image.convert(h, { format: "tiff" }), () => image.convert(h, { format: 5 }), () => image.convert(h, { quality: "high" }), () => image.convert(h, { background: "notacolor" }), () => image.convert(h, { background: 7 }),
  () => image.blank("a", 2), () => image.blank(), () => image.blank(2, 2, { color: "rgb(1,2)" }), () => image.blank(2, 2, 5),
  () => image.resize(h), () => image.resize(h, {}), () => image.resize(h, { width: NaN }), () => image.resize(h, { width: 2, height: "x" }), () => image.resize(h, { width: 1, fit: "inside" }), () => image.resize(h, { width: 1, kernel: "magic" }), () => image.resize(h, { width: 1, anchor: 4 }),
  () => image.crop(h, { x: NaN }), () => image.crop(h, { width: "w" }), () => image.rotate(h), () => image.rotate(h, "x"), () => image.rotate(h, Infinity),
  () => image.adjust(h), () => image.adjust(h, { colour: 1 }), () => image.adjust(h, { blur: "x" }), () => image.adjust(h, { brightness: -1 }), () => image.adjust(h, { blur: -0.1 }), () => image.adjust(h, { blur: 1e9 }),
  () => image.pad(h, { left: "x" }), () => image.grid(h), () => image.grid([]), () => image.grid([h], { columns: "x" }), () => image.grid([h], { gap: NaN }),
  () => image.composite(h), () => image.composite(h, {}), () => image.composite(h, [h]), () => image.composite(h, [5]), () => image.composite(h, [{ image: h }, { image: h, x: NaN }]), () => image.composite(h, [{ image: h, blendMode: "burn" }]), () => image.composite(h, [{ image: h, opacity: "x" }]),
  () => image.trim(h, { threshold: 300 }), () => image.trim(h, { color: "x" }), () => image.threshold(h, { level: -1 }), () => image.sharpen(h, { sigma: 0 }), () => image.sharpen(h, { amount: 1e9 }), () => image.mask(h), () => image.mask(h, h, { mode: "x" }),
  () => image.frames(h, { count: 0 }), () => image.animate([h], { format: "jpeg" }), () => image.animate([h], { delay: -1 }), () => image.release(5),
]) try { await f(); out.push("no error: " + f); } catch (e) { out.push(e.message.slice(6)); }
return out.map((t) => t.slice(0, 70)); //= ["convert: format must be one of png, jpeg, webp, avif, gif, jxl, not \"t","convert: format must be one of png, jpeg, webp, avif, gif, jxl, not 5","convert: quality must be a number from 0 to 1","convert: background must be a CSS colour like #ff8000, rgb(255 128 0 /","convert: background must be a CSS colour like #ff8000, rgb(255 128 0 /","blank: width and height must be numbers","blank: width and height must be numbers","blank: color must be a CSS colour like #ff8000, rgb(255 128 0 / 50%) o","blank: options must be an object, not the number 5","resize: pass width, height, or both","resize: pass width, height, or both","resize: width must be a number, not NaN","resize: height must be a number, not \"x\"","resize: fit must be cover, contain or fill, not \"inside\"","resize: kernel must be lanczos3, lanczos2, mitchell, cubic, linear, bo","resize: anchor must be center, top, top-right, right, bottom-right, bo","crop: x must be a number, not NaN","crop: width must be a number, not \"w\"","rotate: degrees must be a finite number, not undefined","rotate: degrees must be a finite number, not \"x\"","rotate: degrees must be a finite number, not Infinity","adjust: name at least one of brightness, contrast, saturate, grayscale","adjust: name at least one of brightness, contrast, saturate, grayscale","adjust: blur must be a number, not \"x\"","adjust: brightness must not be negative","adjust: blur must not be negative","adjust: blur 1e+09 is more than 1000 pixels","pad: left must be a non-negative number","grid: images must be a non-empty array","grid: images must be a non-empty array","grid: columns must be a number, not \"x\"","grid: gap must be a number, not NaN","composite: layers must be an array","composite: layers must be an array","composite: layer 0: image is missing: a layer is an object { image, x,","composite: layer 0: image is missing: a layer is an object { image, x,","composite: layer 1: x must be a number, not NaN","composite: layer 0: blendMode \"burn\" is none of source-over, source-in","composite: layer 0: opacity must be a number, not \"x\"","trim: threshold must be from 0 to 255, not 300","trim: color must be a CSS colour like #ff8000, rgb(255 128 0 / 50%) or","threshold: level must be from 0 to 255, not -1","sharpen: sigma must be above 0 and at most 1000","sharpen: amount must be from 0 to 100","mask: mask: bytes must be a Uint8Array of encoded image bytes, or pass","mask: mode must be alpha or luminance, not \"x\"","frames: count must be from 1 to 1000000, not 0","animate: format must be one of gif, png, webp, not \"jpeg\"","animate: delay must be from 0 to 60000, not -1","release: pass a handle"]
---
// the error of a call points to the guest's call
const h = await image.blank(2, 2);
await image.resize(h, { fit: "x" }); //! TypeError "image.resize: pass width, height, or both"
---
// a reference that says it is something else
await image.info({ type: "audio", data: new Uint8Array(4) }); //! TypeError "image.info: expected image media, but received audio"
---
// references that lead nowhere
//@assets {}
//@workspace {}
const out = [];
for (const v of ["asset://none", { uri: "nowhere.png" }, { asset_id: "x" }, { uri: "https://example.com/a.png" }, { data: "not base64 at all!" }, { uri: "package://a/b.png" }, { uri: "../../etc/passwd" }]) try { await image.info(v); out.push("no error"); } catch (e) { out.push(e.message.slice(0, 45)); }
return out; //= ["image.info: could not read asset://none","image.info: could not read nowhere.png: ENOEN","image.info: could not read asset x: ENOENT: n","image.info: could not read https://example.co","image.info: could not read the data of the im","image.info: could not read package://a/b.png:","image.info: could not read ../../etc/passwd: "]
---
// an input is at most 25 MiB
await image.info(new Uint8Array(26214401)); //! limit "image.info: image of 26214401 bytes exceeds the 26214400 byte limit (ImageBytes)"
---
// an array-like object that says it is huge is not copied whole
await image.info({ length: 1e12 }); //! limit "image of 1000000000000 bytes exceeds the 26214400 byte limit (ImageBytes)"
---
// a getter that throws is the guest's own error
await image.composite(await image.blank(1, 1), [{ get image() { throw new RangeError("mine"); } }]); //! RangeError "mine"
