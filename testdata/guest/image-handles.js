// these are all the members
return [Object.keys(image).sort().join(" "), typeof image.encode, Object.isFrozen(image)]; //= ["adjust animate blank bytes composite convert crop decode flip frames grid info mask pad release resize rotate sharpen stats text threshold toAsset trim", "undefined", true]
---
// a handle is a plain object that names what the host keeps
const h = await image.blank(4, 3);
return [Object.keys(h).join(), h.__nodetool_sandbox_media__, h.type, h.uri, h.mimeType, h.width, h.height, typeof h.byteLength, h.byteLength > 0, h[0] === undefined, Object.getPrototypeOf(h) === Object.prototype]; //= ["__nodetool_sandbox_media__,type,uri,mimeType,byteLength,width,height", "m1", "image", "sandbox://media/m1", "image/png", 4, 3, "number", true, true, true]
---
// ids count up, and are not used twice
const a = await image.blank(1, 1), b = await image.blank(1, 1);
await image.release(a);
const c = await image.blank(1, 1);
return [a.uri, b.uri, c.uri]; //= ["sandbox://media/m1", "sandbox://media/m2", "sandbox://media/m3"]
---
// copies of a handle are handles, and have plain numbers
import { size } from "pixels";
const h = await image.blank(5, 2);
const copies = [{ ...h }, JSON.parse(JSON.stringify(h)), structuredClone(h), Object.assign({}, h), { __nodetool_sandbox_media__: "m1" }];
const out = [];
for (const c of copies) out.push(size(await image.convert(c)), typeof c.byteLength);
return [out.join(), (await image.bytes(h)).length === h.byteLength, copies[1].byteLength === h.byteLength]; //= ["5x2,number,5x2,number,5x2,number,5x2,number,5x2,undefined", true, true]
---
// the uri of a handle stands for it
const h = await image.blank(5, 2);
return [(await image.info(h.uri)).width, (await image.info({ uri: h.uri })).height]; //= [5, 2]
---
// a handle can be changed like any object
const h = await image.blank(1, 1);
h.byteLength = 5; h.label = "x";
return [h.byteLength, h.label, (await image.info(h)).width]; //= [5, "x", 1]
---
// a handle crosses with its size: result, output, emitted value
//@outputs {"o": {"__nodetool_sandbox_media__": "m1", "type": "image", "uri": "sandbox://media/m1", "mimeType": "image/png", "byteLength": 87, "width": 1, "height": 1}}
const h = await image.blank(1, 1, { color: "#010203" });
await output("o", h);
return [(await image.bytes(h)).length, h.byteLength]; //= [87, 87]
---
// a released handle is gone
const h = await image.blank(1, 1);
const first = await image.release(h), second = await image.release(h);
let text;
try { await image.info(h); } catch (e) { text = e.message + " " + e.code; }
return [first, second, text]; //= [true, false, "image.info: sandbox://media/m1 is not available in this run: a handle only lives for the action that produced it; save it as an asset to keep it ERR_MEDIA_HANDLE"]
---
// its copies too, and its size
const h = await image.blank(1, 1);
await image.release({ ...h }); return h.byteLength; //! Error "byteLength: sandbox://media/m1 is not available in this run"
---
// a handle of another run names itself and says what to do
//@globals {"state": {"kept": {"__nodetool_sandbox_media__": "m7", "type": "image", "uri": "sandbox://media/m7"}}}
await image.resize(state.kept, { width: 1 }); //! Error "sandbox://media/m7 is not available in this run: a handle only lives for the action that produced it; save it as an asset to keep it"
---
// what is under a handle stays as long as a copy by convert needs it
import { px } from "pixels";
const a = await image.blank(2, 2, { color: "red" });
const b = await image.convert(a, { format: "jpeg" }), c = await image.flip(a, { horizontal: false });
await image.release(a);
return [await px(c, [1, 1]), b.mimeType, (await image.info(b)).format]; //= [["255,0,0,255"], "image/jpeg", "jpeg"]
---
// handles that became unreachable make room when it is needed
let last;
for (let i = 0; i < 60; i++) last = await image.blank(1448, 1448);
return last.width; //= 1448
---
// those whose size was read do not, because they may have been copied
const ids = [];
for (let i = 0; i < 40; i++) ids.push(JSON.stringify(await image.blank(1448, 1448))); //! limit "media are more than the limit for one run of 268435456 (RunMedia)"
---
// nor do those that the guest still has
const all = [];
for (let i = 0; i < 40; i++) all.push(await image.blank(1448, 1448)); //! RangeError "image.blank: "
---
// released ones do not count
for (let i = 0; i < 40; i++) {
  const h = await image.blank(1448, 1448);
  h.byteLength;
  await image.release(h);
}
return "done"; //= "done"
---
// calls at one time share the budget
const results = await Promise.allSettled(Array.from({ length: 60 }, () => image.blank(1448, 1448)));
const made = results.filter((r) => r.status === "fulfilled").length;
return [made >= 31 && made <= 32, results.find((r) => r.status === "rejected").reason.code]; //= [true, "ERR_LIMIT"]
---
// a guest that breaks the intrinsics breaks only itself
const keep = { async: 1 };
WeakMap.prototype.get = WeakMap.prototype.set = FinalizationRegistry.prototype.register = Object.defineProperty = Array.isArray = Array.prototype[Symbol.iterator] = Object.prototype.hasOwnProperty = () => { throw 1; };
Object.prototype.__nodetool_sandbox_media__ = "m1";
Object.defineProperty = undefined;
const a = await image.blank(3, 2, { color: "red" });
const b = await image.grid([a, a]);
const c = await image.composite(a, [{ image: b }]);
return [b.width, c.height, a.byteLength > 0, c.uri]; //= [6, 2, true, "sandbox://media/m3"]
---
// a mark that is inherited is none
Object.prototype.__nodetool_sandbox_media__ = "m1";
await image.blank(1, 1);
await image.info({ type: "image" }); //! TypeError "image.info: bytes must be a Uint8Array of encoded image bytes"
---
// a getter of the guest's in place of a mark is asked once
const h = await image.blank(2, 1);
let asked = 0;
const odd = { get __nodetool_sandbox_media__() { asked++; return "m1"; } };
return [(await image.info(odd)).width, asked]; //= [2, 1]
---
// a chain of 45 steps and its size
import { px, size } from "pixels";
let h = await image.blank(48, 48, { color: "rgb(10 20 30)" });
for (let i = 0; i < 15; i++) {
  h = await image.rotate(h, 90);
  h = await image.flip(h, { vertical: true });
  h = await image.adjust(h, { brightness: 1 });
}
return [size(h), await px(h, [0, 0], [47, 47]), h.uri]; //= ["48x48", ["10,20,30,255", "10,20,30,255"], "sandbox://media/m46"]
