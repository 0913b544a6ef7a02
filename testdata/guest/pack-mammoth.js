import mammoth, * as all from "@nodetool-ai/sandbox-mammoth";
return [Object.keys(all).sort(), mammoth.convertToHtml === all.convertToHtml]; //= [["convertToHtml", "default", "extractRawText"], true]
---
// paragraphs end with two lines, cells are paragraphs, and a page break is an empty one
import { build } from "@nodetool-ai/sandbox-docx";
import { extractRawText, convertToHtml } from "@nodetool-ai/sandbox-mammoth";
const bytes = await build({ elements: [
  { type: "heading", text: "Title" }, { type: "paragraph", runs: [{ text: "p1 ", bold: true }, { text: "p2" }] },
  { type: "table", rows: [["c1", "c2"]] }, { type: "pageBreak" }, { type: "paragraph", text: "end" },
] });
return [await extractRawText(bytes), await convertToHtml(bytes)]; //= ["Title\n\np1 p2\n\nc1\n\nc2\n\n\n\nend\n\n", "<h1>Title</h1><p><strong>p1 </strong>p2</p><table><tr><td><p>c1</p></td><td><p>c2</p></td></tr></table><p>end</p>"]
---
// a view into a larger buffer is read as the view
import { build } from "@nodetool-ai/sandbox-docx";
import { extractRawText } from "@nodetool-ai/sandbox-mammoth";
const bytes = await build({ elements: [{ type: "paragraph", text: "x" }] }), large = new Uint8Array(bytes.length + 20);
large.set(bytes, 7);
return await extractRawText(large.subarray(7, 7 + bytes.length)); //= "x\n\n"
---
// pictures become data URIs, or are left out; messages are there on demand
import { build } from "@nodetool-ai/sandbox-docx";
import { convertToHtml, extractRawText } from "@nodetool-ai/sandbox-mammoth";
const png = Uint8Array.from(atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="), (c) => c.charCodeAt(0));
const bytes = await build({ elements: [{ type: "image", data: png, alt: "dot" }, { type: "paragraph", text: "after" }] });
return [await convertToHtml(bytes), await convertToHtml(bytes, { images: "skip" }), await convertToHtml(bytes, { images: "skip", messages: true }), await extractRawText(bytes, { messages: true })]; //= ["<p><img alt=\"dot\" src=\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==\" /></p><p>after</p>","<p>after</p>",{"value":"<p>after</p>","messages":[]},{"value":"\n\nafter\n\n","messages":[]}]
---
// styles map to elements of one's own
import { build } from "@nodetool-ai/sandbox-docx";
import { convertToHtml } from "@nodetool-ai/sandbox-mammoth";
return await convertToHtml(await build({ elements: [{ type: "heading", text: "T" }] }), { styleMap: ["p[style-name='heading 1'] => h1.title:fresh", "p[style-name='Heading 1'] => h1.title:fresh"] }); //= "<h1 class=\"title\">T</h1>"
---
import { extractRawText } from "@nodetool-ai/sandbox-mammoth";
return await extractRawText(new Uint8Array(100)); //! Error "mammoth.extractRawText: the data is not a docx file: it does not begin like a zip archive"
---
import { convertToHtml } from "@nodetool-ai/sandbox-mammoth";
return await convertToHtml("x.docx"); //! Error "mammoth.convertToHtml: the data must be a Uint8Array, got a string"
---
import { convertToHtml } from "@nodetool-ai/sandbox-mammoth";
return await convertToHtml(Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0])); //! Error "mammoth.convertToHtml: the document cannot be read: Corrupted zip"
---
// what the directory of the archive promises is counted before anything is inflated
import { extractRawText } from "@nodetool-ai/sandbox-mammoth";
const b = new Uint8Array(4 + 46 + 22), d = new DataView(b.buffer);
d.setUint32(0, 0x04034b50, true);
d.setUint32(4, 0x02014b50, true);
d.setUint32(4 + 24, 60 * 1024 * 1024, true);
d.setUint32(50, 0x06054b50, true);
d.setUint16(50 + 10, 1, true);
d.setUint32(50 + 16, 4, true);
return await extractRawText(b); //! Error "mammoth.extractRawText: the parts of the document take more than the limit of 52428800 bytes"
