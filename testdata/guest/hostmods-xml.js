// a document and back
import { parse, stringify } from "@nodetool-ai/sandbox-xml";
const doc = await parse('<?xml version="1.0"?><r a="1"><i>01</i><i> 2 </i><e/><t x="y">t&amp;xt</t></r>');
return [doc, await stringify(doc)]; //= [{"?xml":{"@_version":"1.0"},"r":{"i":["01","2"],"e":"","t":{"#text":"t&xt","@_x":"y"},"@_a":"1"}},"<?xml version=\"1.0\"?><r a=\"1\"><i>01</i><i>2</i><e/><t x=\"y\">t&amp;xt</t></r>"]
---
// lists that are always lists, numbers, and order that is kept
import xml from "@nodetool-ai/sandbox-xml";
return [await xml.parse("<r><i>1.5</i></r>", { arrays: ["i"], numbers: true }), await xml.parse(new TextEncoder().encode("<p>a<b>c</b>d</p>"), { preserveOrder: true })]; //= [{"r":{"i":[1.5]}},[{"p":[{"#text":"a"},{"b":[{"#text":"c"}]},{"#text":"d"}]}]]
---
// nothing of a document becomes a prototype
import { parse } from "@nodetool-ai/sandbox-xml";
const { r } = await parse('<r __proto__="1"><hasOwnProperty>x</hasOwnProperty></r>');
return [Object.getPrototypeOf(r) === Object.prototype, Object.keys(r), Object.prototype.hasOwnProperty.call(r, "__hasOwnProperty")]; //= [true,["__hasOwnProperty","@___proto__"],true]
---
import { parse } from "@nodetool-ai/sandbox-xml";
await parse("<r><__proto__/></r>"); //! Error "xml.parse: the element name '__proto__' is reserved"
---
import { parse } from "@nodetool-ai/sandbox-xml";
await parse("<r>\n<a></r>"); //! Error "xml.parse: expected closing tag 'a' (opened in line 2, col 1) instead of closing tag 'r' (line 2, column 4)"
---
import { parse } from "@nodetool-ai/sandbox-xml";
await parse('<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>'); //! Error "external entities are not supported"
---
import { stringify } from "@nodetool-ai/sandbox-xml";
await stringify({ "a><b": 1 }); //! TypeError "is no name of an element"
