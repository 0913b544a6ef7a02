const text = "héllo 日本 😀", bytes = new TextEncoder().encode(text);
return [bytes.length, new TextDecoder().decode(bytes) === text, bytes instanceof Uint8Array]; //= [18, true, true]
---
// lone surrogates become replacement characters
return toHex(new TextEncoder().encode("a\ud800b")); //= "61efbfbd62"
---
// encodeInto stops before a character that does not fit
const e = new TextEncoder();
return [e.encodeInto("héllo😀", new Uint8Array(7)), e.encodeInto("a😀", new Uint8Array(4)), e.encodeInto("a😀", new Uint8Array(5)), e.encodeInto("", new Uint8Array(0))]; //= [{"read": 5, "written": 6}, {"read": 1, "written": 1}, {"read": 3, "written": 5}, {"read": 0, "written": 0}]
---
// labels are those of the standard, in any case and with spaces around
return ["utf8", " UTF-8 ", "unicode-1-1-utf-8", "latin1", "ascii", "utf-16", "utf-16be", "shift_jis", "gbk", "koi8-r", "euc-kr", "macintosh"].map((l) => new TextDecoder(l).encoding); //= ["utf-8", "utf-8", "utf-8", "windows-1252", "windows-1252", "utf-16le", "utf-16be", "shift_jis", "gbk", "koi8-r", "euc-kr", "macintosh"]
---
return new TextDecoder("nope"); //! RangeError "unknown encoding "nope""
---
return new TextDecoder("replacement"); //! RangeError "unknown encoding"
---
return new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([104, 255])); //! TypeError "not valid utf-8"
---
return new TextDecoder().decode(new Uint8Array([104, 255, 0xe2, 0x82, 0xf0, 0x9f, 0x98])); //= "h���"
---
// a decoder takes a buffer, any view by its range, and nothing
const d = new TextDecoder(), bytes = new TextEncoder().encode("abcdef");
return [d.decode(bytes.buffer), d.decode(bytes.subarray(1, 3)), d.decode(new DataView(bytes.buffer, 4)), d.decode(new Uint16Array(bytes.buffer, 2, 1)), d.decode()]; //= ["abcdef", "bc", "ef", "cd", ""]
---
return new TextDecoder().decode("text"); //! TypeError "ArrayBuffer"
---
// streaming keeps an unfinished character, byte by byte, and drops one byte order mark
const d = new TextDecoder();
let s = "";
for (const b of new TextEncoder().encode("\ufeff\ufeffé日😀")) s += d.decode(new Uint8Array([b]), { stream: true }) + "|";
return s + d.decode(); //= "|||||﻿||é|||日||||😀|"
---
// the end of a stream shows what stayed unfinished, and the decoder starts anew
const d = new TextDecoder();
return [d.decode(new Uint8Array([0xe2, 0x82]), { stream: true }), d.decode(), d.decode(new Uint8Array([0xef, 0xbb, 0xbf, 65]))]; //= ["", "�", "A"]
---
return [new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array([0xef, 0xbb, 0xbf, 65])).length, new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 65])).length]; //= [2, 1]
---
return [new TextDecoder("utf-16le").decode(new Uint8Array([0xff, 0xfe, 0x3d, 0xd8, 0x00, 0xde])), new TextDecoder("utf-16be").decode(new Uint8Array([0x65, 0xe5])),
  new TextDecoder("latin1").decode(new Uint8Array([0xe9, 0x80])), new TextDecoder("shift_jis").decode(new Uint8Array([0x93, 0xfa, 0x96, 0x7b])), new TextDecoder("koi8-r").decode(new Uint8Array([0xf0]))]; //= ["😀", "日", "é€", "日本", "П"]
---
// UTF-16 across chunks: half a unit, half a pair
const d = new TextDecoder("utf-16le");
return [0x3d, 0xd8, 0x00, 0xde, 0x41].map((b) => d.decode(new Uint8Array([b]), { stream: true })).join("|") + "|" + d.decode(); //= "|||😀||�"
---
// an encoding with a state keeps it across chunks
const d = new TextDecoder("iso-2022-jp");
let s = "";
for (const b of [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x4b, 0x5c, 0x1b, 0x28, 0x42, 0x41]) s += d.decode(new Uint8Array([b]), { stream: true });
return s + d.decode(); //= "日本A"
---
return [new TextDecoder("utf-16le", { fatal: true }).fatal, new TextDecoder().ignoreBOM, String(new TextDecoder()), String(new TextEncoder()), new TextEncoder().encoding]; //= [true, false, "[object TextDecoder]", "[object TextEncoder]", "utf-8"]
---
// the classes can be extended and replaced
class Loud extends TextDecoder { decode(b) { return super.decode(b) + "!"; } }
const loud = new Loud().decode(new Uint8Array([104]));
globalThis.TextDecoder = 5;
return [loud, TextDecoder]; //= ["h!", 5]
