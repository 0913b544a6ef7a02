import docx, * as all from "@nodetool-ai/sandbox-docx";
return [Object.keys(all).sort(), docx.build === all.build]; //= [["build", "default"], true]
---
// what is written can be read again
import { build } from "@nodetool-ai/sandbox-docx";
import { extractRawText, convertToHtml } from "@nodetool-ai/sandbox-mammoth";
const bytes = await build({ properties: { title: "T", author: "A", subject: "S", keywords: "k" }, elements: [
  { type: "heading", text: "Title" }, { type: "heading", text: "Part", level: 3 },
  { type: "paragraph", text: "bold & <italic>", bold: true, italic: true, alignment: "CENTER", fontSize: 14 },
  { type: "paragraph", runs: ["plain ", { text: "bold", bold: true }, " ", { text: "site", link: "https://example.com/" }] },
  { type: "list", items: ["one", { text: "two", level: 1 }] }, { type: "list", ordered: true, items: [1, 2] },
  { type: "table", rows: [["a", 1], [true, null], [{ text: "x", bold: true }]], header: true },
  { type: "paragraph", text: "two\nlines" }, { type: "pageBreak" }, { type: "paragraph", text: "end" },
] });
return [await extractRawText(bytes), await convertToHtml(bytes)]; //= ["Title\n\nPart\n\nbold & <italic>\n\nplain bold site\n\none\n\ntwo\n\n1\n\n2\n\na\n\n1\n\ntrue\n\n\n\nx\n\n\n\ntwolines\n\n\n\nend\n\n","<h1>Title</h1><h3>Part</h3><p><strong><em>bold &amp; &lt;italic&gt;</em></strong></p><p>plain <strong>bold</strong> <a href=\"https://example.com/\">site</a></p><ul><li>one<ul><li>two</li></ul></li></ul><ol><li>1</li><li>2</li></ol><table><thead><tr><th><p><strong>a</strong></p></th><th><p><strong>1</strong></p></th></tr></thead><tbody><tr><td><p>true</p></td><td></td></tr><tr><td><p><strong>x</strong></p></td><td></td></tr></tbody></table><p>two<br />lines</p><p>end</p>"]
---
// a document of anything but elements is empty
import { build } from "@nodetool-ai/sandbox-docx";
import { extractRawText } from "@nodetool-ai/sandbox-mammoth";
return [await extractRawText(await build({ elements: "no" })), await extractRawText(await build()), await extractRawText(await build([1]))]; //= ["", "", ""]
---
// levels of headings stay between 1 and 6
import { build } from "@nodetool-ai/sandbox-docx";
import { convertToHtml } from "@nodetool-ai/sandbox-mammoth";
return await convertToHtml(await build({ elements: [0, 9, 2.4, "x", undefined].map((level) => ({ type: "heading", text: "h", level })) })); //= "<h1>h</h1><h6>h</h6><h2>h</h2><h1>h</h1><h1>h</h1>"
---
// what XML cannot hold is left out
import { build } from "@nodetool-ai/sandbox-docx";
import { extractRawText } from "@nodetool-ai/sandbox-mammoth";
return await extractRawText(await build({ elements: [{ type: "paragraph", text: "a\u0000b\u001fc\ud800d👋" }] })); //= "abcd👋\n\n"
---
import { build } from "@nodetool-ai/sandbox-docx";
return await build({ elements: [{ type: "heading", text: "x" }, { text: "no type" }] }); //! Error "docx.build: element 1 has no type"
---
import { build } from "@nodetool-ai/sandbox-docx";
return await build({ elements: [{ type: "toString" }] }); //! Error "docx.build: element 0 has the unknown type \"toString\""
---
import { build } from "@nodetool-ai/sandbox-docx";
return await build({ elements: [{ type: "image", data: "x" }] }); //! Error "docx.build: element 0: data must be a Uint8Array, got a string (workspace.readBytes and response.bytes() give one)"
---
import { build } from "@nodetool-ai/sandbox-docx";
return await build({ elements: [{ type: "image", data: new Uint8Array(10485761) }] }); //! Error "docx.build: element 0: data of 10485761 bytes is more than the limit of 10485760"
---
import { build } from "@nodetool-ai/sandbox-docx";
return await build({ elements: [{ type: "image", data: new Uint8Array(20) }] }); //! Error "docx.build: element 0: data must be a PNG, JPEG, GIF or BMP picture"
---
import { build } from "@nodetool-ai/sandbox-docx";
return await build({ elements: [{ type: "paragraph", runs: [{ text: "x", link: "javascript:alert(1)" }] }] }); //! Error "docx.build: element 0: link must begin with https:, http: or mailto:"
---
import { build } from "@nodetool-ai/sandbox-docx";
return await build({ elements: [{ type: "paragraph", text: "x", alignment: "MIDDLE" }] }); //! Error "docx.build: element 0: alignment must be LEFT, CENTER, RIGHT or JUSTIFY"
