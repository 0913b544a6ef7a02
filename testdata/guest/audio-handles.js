// these are all the members
return [Object.keys(audio).sort().join(" "), Object.isFrozen(audio), typeof media.waveformImage]; //= ["bytes concat convert fadeIn fadeOut gain info loudness merge mix normalize normalizeLoudness pad release repeat resample reverse silence spectrum speed split stats toAsset trim waveform", true, "function"]
---
// a handle is a plain object that names what the host keeps, without width and height
const h = await audio.silence({ duration: 0.5, rate: 8000 });
return [Object.keys(h).join(), h.__nodetool_sandbox_media__, h.type, h.uri, h.mimeType, h.byteLength, h[0] === undefined, Object.getPrototypeOf(h) === Object.prototype]; //= ["__nodetool_sandbox_media__,type,uri,mimeType,byteLength", "m1", "audio", "sandbox://media/m1", "audio/wav", 8044, true, true]
---
// pictures and sounds count up together
const a = await audio.silence(), b = await image.blank(1, 1), c = await audio.reverse(a);
return [a.uri, b.uri, c.uri]; //= ["sandbox://media/m1", "sandbox://media/m2", "sandbox://media/m3"]
---
// copies of a handle are handles
import { ramp, shape } from "sounds";
const h = await audio.trim(ramp(10)), out = [];
for (const c of [{ ...h }, JSON.parse(JSON.stringify(h)), structuredClone(h), { __nodetool_sandbox_media__: "m1" }, h.uri, { uri: h.uri }]) out.push(await shape(c));
return new Set(out).size + " " + out[0]; //= "1 10 8000 1"
---
// a handle of something else says so, in both directions
const a = await audio.silence(), i = await image.blank(1, 1), out = [];
for (const f of [() => image.info(a), () => audio.info(i), () => audio.trim(i), () => audio.concat([a, i]), () => audio.mix([{ audio: i }]), () => media.waveformImage(i), () => audio.release(i), () => image.release(a), () => image.composite(i, [{ image: a }])]) try { await f(); out.push("no error"); } catch (e) { out.push(e.name + " " + e.code + " " + e.message); }
return out; //= ["TypeError ERR_MEDIA_HANDLE image.info: Expected an image handle, but sandbox://media/m1 contains audio.","TypeError ERR_MEDIA_HANDLE audio.info: Expected an audio handle, but sandbox://media/m2 contains image.","TypeError ERR_MEDIA_HANDLE audio.trim: Expected an audio handle, but sandbox://media/m2 contains image.","TypeError ERR_MEDIA_HANDLE audio.concat: Expected an audio handle, but sandbox://media/m2 contains image.","TypeError ERR_MEDIA_HANDLE audio.mix: Expected an audio handle, but sandbox://media/m2 contains image.","TypeError ERR_MEDIA_HANDLE media.waveformImage: Expected an audio handle, but sandbox://media/m2 contains image.","TypeError ERR_MEDIA_HANDLE audio.release: Expected an audio handle, but sandbox://media/m2 contains image.","TypeError ERR_MEDIA_HANDLE image.release: Expected an image handle, but sandbox://media/m1 contains audio.","TypeError ERR_MEDIA_HANDLE image.composite: Expected an image handle, but sandbox://media/m1 contains audio."]
---
// a handle of another run names itself and says what to do
//@globals {"state": {"kept": {"__nodetool_sandbox_media__": "m7", "type": "audio", "uri": "sandbox://media/m7"}}}
await audio.reverse(state.kept); //! Error "audio.reverse: sandbox://media/m7 is not available in this run: a handle only lives for the action that produced it; save it as an asset to keep it"
---
// a released handle is gone, what was cut from it is not
import { ramp, ints } from "sounds";
const h = await audio.trim(ramp(8)), part = await audio.trim(h, { start: 2 / 8000, end: 4 / 8000 }), loud = await audio.gain(h, { db: 0 }), copy = await audio.convert(h);
const first = await audio.release(h), second = await audio.release(h);
let text;
try { await audio.info(h); } catch (e) { text = e.code; }
return [first, second, text, await ints(part), (await ints(loud)).length, (await ints(copy)).length]; //= [true, false, "ERR_MEDIA_HANDLE", [300, 400], 8, 8]
---
// released ones do not count: 40 times 20 MB
for (let i = 0; i < 40; i++) await audio.release(await audio.silence({ duration: 110, rate: 48000 }));
return "done"; //= "done"
---
// nor do those that became unreachable
for (let i = 0; i < 40; i++) await audio.silence({ duration: 110, rate: 48000 });
return "done"; //= "done"
---
// those that the guest has do, and calls at one time share the room
const results = await Promise.allSettled(Array.from({ length: 30 }, () => audio.silence({ duration: 110, rate: 48000 })));
const made = results.filter((r) => r.status === "fulfilled").length, e = results.find((r) => r.status === "rejected").reason;
return [made, e.code, e.message.slice(0, 56), e.message.indexOf("(RunMedia)") > 0]; //= [12, "ERR_LIMIT", "audio.silence: decoded audio exceeds the run media limit", true]
---
// what is shared counts once: 60 trims, gains and converts of 20 MB
let h = await audio.silence({ duration: 110, rate: 48000 }), all = [h];
for (let i = 0; i < 60; i++) all.push(h = await [() => audio.trim(h, { end: 100 }), () => audio.gain(h, { db: -1 }), () => audio.convert(h, { format: "flac" })][i % 3]());
return all.length; //= 61
---
// a guest that breaks the intrinsics breaks only itself
import { ramp } from "sounds";
const file = ramp(8);
WeakMap.prototype.get = WeakMap.prototype.set = FinalizationRegistry.prototype.register = Array.isArray = Array.prototype[Symbol.iterator] = Object.prototype.hasOwnProperty = Array.prototype.push = () => { throw 1; };
Object.defineProperty = undefined;
Object.prototype.audio = "no";
const a = await audio.reverse(file), b = await audio.mix([a, { audio: file, gain: -6, start: 1 }]), c = await audio.concat([a, b]), w = await media.waveformImage(c, { width: 20 });
return [a.byteLength, w.width, c.uri]; //= [60, 20, "sandbox://media/m3"]
---
// the size of a WAV file is known without there being one: 40 minutes within 256 MiB
const h = await audio.silence({ duration: 2400, rate: 16000 });
let text;
try { await audio.bytes(await audio.convert(h, { depth: 32 })); } catch (e) { text = e.code; }
return [h.byteLength, JSON.parse(JSON.stringify(await audio.convert(h, { depth: 24 }))).byteLength, (await audio.info(h)).size_bytes, text]; //= [76800044, 115200068, 76800044, "ERR_LIMIT"]
