// a page as Markdown, text and lists
import html, { select, toMarkdown, toText, extractLinks, extractImages, extractMetadata, extractReadableText } from "@nodetool-ai/sandbox-html";
const page = '<title>T</title><nav>n</nav><main><h1>H</h1><p>a <b>b</b></p><ul><li>x<li>y</ul><a href="/l">l</a><img src=i.png></main><script>s()</script>';
return [
	await select(page, "main > :header, li:nth-child(2)"),
	await select(page, "a[href]", { attr: "href" }),
	await toMarkdown(page),
	await toText(page),
	await toText(page, { blocks: true }),
	await extractLinks(page, "https://a.b/c"),
	await extractImages(page, "https://a.b/c"),
	await extractMetadata(page),
	await extractReadableText(page),
	Object.keys(html).length,
]; //= [["H","y"],["/l"],"T\n\nn\n\n# H\n\na **b**\n\n-   x\n-   y\n\n[l](/l)![](i.png)","TnHa bxyl","n\n\nH\n\na b\n\nx\ny\n\nl",[{"href":"/l","text":"l","type":"internal"}],["https://a.b/i.png"],{"title":"T","description":null,"keywords":null},"Ha bxyl",9]
---
// turndown's options, and tables
import { toMarkdown } from "@nodetool-ai/sandbox-html";
return [await toMarkdown("<i>x</i>", { turndown: { emDelimiter: "*" } }), await toMarkdown("<table><tr><th>a<th>b<tr><td>1<td>2</table>", { tables: true })]; //= ["*x*","| a | b |\n| --- | --- |\n| 1 | 2 |"]
---
// what a page says of itself
import { extractMetadata } from "@nodetool-ai/sandbox-html";
const m = await extractMetadata('<html lang=de><meta property="og:title" content="O"><script type="application/ld+json">{"@type":"Thing","__proto__":1}</script>', { full: true });
return [m.lang, m.openGraph, m.jsonLd[0]["@type"], Object.getPrototypeOf(m.jsonLd[0]) === Object.prototype]; //= ["de",{"title":"O"},"Thing",true]
---
import { select } from "@nodetool-ai/sandbox-html";
await select("<p>", "p:nope"); //! Error "html.select: the selector \"p:nope\" is invalid: the pseudo-class :nope is not supported"
---
import { toMarkdown } from "@nodetool-ai/sandbox-html";
await toMarkdown("<p>", { turndown: { fence: "x" } }); //! TypeError "html.toMarkdown: options.turndown.fence must be one of"
---
import { toText } from "@nodetool-ai/sandbox-html";
await toText("<div>".repeat(1000)); //! Error "html.toText: the elements of the page are nested deeper than 512 levels"
