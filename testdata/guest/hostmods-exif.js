// the header of a picture of one pixel
import { parse } from "@nodetool-ai/sandbox-exif";
const png = Uint8Array.from(atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="), (c) => c.charCodeAt(0));
return await parse(png); //= {"ImageWidth":1,"ImageHeight":1,"BitDepth":8,"ColorType":"RGB with Alpha","Compression":"Deflate/Inflate","Filter":"Adaptive","Interlace":"Noninterlaced"}
---
// a TIFF structure: tags by name, words for numbers, dates as ISO strings
import { parse, orientation, gps, thumbnail } from "@nodetool-ai/sandbox-exif";
const tiff = new Uint8Array(8 + 2 + 24 + 4 + 20);
tiff.set([0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 2]);
tiff.set([1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0], 10);
tiff.set([1, 0x32, 0, 2, 0, 0, 0, 20, 0, 0, 0, 38], 22);
tiff.set(new TextEncoder().encode("2024:02:29 12:34:56"), 38);
return [await parse(tiff), await parse(tiff, { raw: true, pick: ["Orientation"] }), (await parse(tiff, { dates: "date" })).ModifyDate instanceof Date, await orientation(tiff), await gps(tiff), await thumbnail(tiff)]; //= [{"Orientation":"Rotate 90 CW","ModifyDate":"2024-02-29T12:34:56.000Z"}, {"Orientation":6}, true, 6, null, null]
---
// metadata is removed, the picture stays
import { strip, parse } from "@nodetool-ai/sandbox-exif";
const text = (s) => [...s].map((c) => c.charCodeAt(0));
const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xfe, 0, 8, ...text("secret"), 0xff, 0xda, 0, 2, 1, 2, 0xff, 0, 3, 0xff, 0xd9, ...text("secret")]);
return [[...await strip(jpeg)], await parse(jpeg)]; //= [[255,216,255,218,0,2,1,2,255,0,3,255,217], null]
---
import { parse } from "@nodetool-ai/sandbox-exif";
await parse(new Uint8Array(100)); //! Error "exif.parse: unknown file format: expected JPEG, PNG, WebP, TIFF, HEIC or AVIF"
