import pdflib, * as all from "@nodetool-ai/sandbox-pdflib";
return [Object.keys(all).sort(), pdflib.build === all.build]; //= [["build", "default", "info", "merge"], true]
---
// pages, sizes and properties
import { build, info } from "@nodetool-ai/sandbox-pdflib";
const bytes = await build({ title: "Títle", author: "A", subject: "S", keywords: ["a", "b"], pages: [{}, { width: 100, height: 8192, rotate: 90, items: [] }] });
return [new TextDecoder().decode(bytes.subarray(0, 5)), await info(bytes)]; //= ["%PDF-", {"pageCount": 2, "title": "Títle", "author": "A", "subject": "S", "pages": [{"width": 612, "height": 792, "rotate": 0}, {"width": 100, "height": 8192, "rotate": 90}]}]
---
// documents are merged page by page, or in parts
import { build, merge, info } from "@nodetool-ai/sandbox-pdflib";
const make = (...widths) => build({ pages: widths.map((width) => ({ width, items: [{ type: "text", text: String(width) }] })) });
const a = await make(100, 101), b = await make(200);
const widths = async (bytes) => (await info(bytes)).pages.map((p) => p.width);
return [await widths(await merge([a, b])), await widths(await merge([a, b, a], { pages: [[1], null, [0, 0]] }))]; //= [[100, 101, 200], [101, 200, 100, 100]]
---
// a character that the standard fonts lack is named, or replaced
import { build } from "@nodetool-ai/sandbox-pdflib";
const page = (text, o) => build({ pages: [{ items: [{ type: "text", text: "fine" }, { type: "text", text, ...o }] }] }).then(() => "fine", (e) => e.message);
return [await page("Ünïcödé – “€” •"), await page("世界"), await page("👋"), await page("世界👋→", { fallback: "?" }), await page("a\tb\r\nc\nd")]; //= ["fine", "pdflib.build: page 0 item 1: the character \"世\" (U+4E16) is not in the standard fonts: set fallback, or draw the text with a canvas and add it as an image", "pdflib.build: page 0 item 1: the character \"👋\" (U+1F44B) is not in the standard fonts: set fallback, or draw the text with a canvas and add it as an image", "fine", "fine"]
---
import { build } from "@nodetool-ai/sandbox-pdflib";
return await build({ pages: [] }); //! Error "pdflib.build: pages must have at least one page"
---
import { build } from "@nodetool-ai/sandbox-pdflib";
return await build({ pages: Array(201).fill({}) }); //! Error "pdflib.build: pages has 201 elements, more than the limit of 200"
---
import { build } from "@nodetool-ai/sandbox-pdflib";
return await build({ pages: [{}, { width: 8193 }] }); //! Error "pdflib.build: page 1: width of 8193 is not more than 0 and at most 8192"
---
import { build } from "@nodetool-ai/sandbox-pdflib";
return await build({ pages: [{ height: 0 }] }); //! Error "pdflib.build: page 0: height of 0 is not more than 0"
---
import { build } from "@nodetool-ai/sandbox-pdflib";
return await build({ pages: [{ items: [{ type: "text", text: "a" }, { type: "circle" }] }] }); //! Error "pdflib.build: page 0 item 1 has the unknown type \"circle\""
---
import { build } from "@nodetool-ai/sandbox-pdflib";
return await build({ pages: [{}, { items: ["text"] }] }); //! Error "pdflib.build: page 1 item 0 is no object"
---
import { build } from "@nodetool-ai/sandbox-pdflib";
return await build({ pages: [{ items: [{ type: "image", data: new Uint8Array(8) }] }] }); //! Error "pdflib.build: page 0 item 0: data must be a PNG or JPEG picture"
---
import { merge } from "@nodetool-ai/sandbox-pdflib";
return await merge([new Uint8Array(8)]); //! Error "pdflib.merge: document 0 is not a PDF that can be read"
---
import { merge } from "@nodetool-ai/sandbox-pdflib";
return await merge([]); //! Error "pdflib.merge: documents must have at least one document"
---
import { build, merge } from "@nodetool-ai/sandbox-pdflib";
return await merge([await build({ pages: [{}] })], { pages: [[3]] }); //! Error "pdflib.merge: document 0 has no page 3: it has 1"
