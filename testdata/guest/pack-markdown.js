import * as m from "@nodetool-ai/sandbox-markdown";
return Object.keys(m).sort(); //= ["Hooks","Lexer","Marked","Parser","Renderer","TextRenderer","Tokenizer","defaults","getDefaults","lexer","marked","options","parse","parseInline","parser","setOptions","use","walkTokens"]
---
// blocks
import { marked } from "@nodetool-ai/sandbox-markdown";
return marked(`# One & *two*

Setext
------

> quote
> more

1. first
2. second
   * nested

- [x] done
- [ ] open

\`\`\`js
const a = "<b>";
\`\`\`

| a | b |
|:--|--:|
| 1 | \`x\` |

***
<div>raw</div>
`); //= "<h1>One &amp; <em>two</em></h1>\n<h2>Setext</h2>\n<blockquote>\n<p>quote\nmore</p>\n</blockquote>\n<ol>\n<li>first</li>\n<li>second<ul>\n<li>nested</li>\n</ul>\n</li>\n</ol>\n<ul>\n<li><input checked=\"\" disabled=\"\" type=\"checkbox\"> done</li>\n<li><input disabled=\"\" type=\"checkbox\"> open</li>\n</ul>\n<pre><code class=\"language-js\">const a = &quot;&lt;b&gt;&quot;;\n</code></pre>\n<table>\n<thead>\n<tr>\n<th align=\"left\">a</th>\n<th align=\"right\">b</th>\n</tr>\n</thead>\n<tbody><tr>\n<td align=\"left\">1</td>\n<td align=\"right\"><code>x</code></td>\n</tr>\n</tbody></table>\n<hr>\n<div>raw</div>\n"
---
// inline text
import { parseInline } from "@nodetool-ai/sandbox-markdown";
return parseInline("**bold** _em_ ~~del~~ `code` [link](https://example.com \"t\") ![alt](a.png) https://example.org <a@b.example> \\*not\\* a  \nb &copy; <i>x</i>"); //= "<strong>bold</strong> <em>em</em> <del>del</del> <code>code</code> <a href=\"https://example.com\" title=\"t\">link</a> <img src=\"a.png\" alt=\"alt\"> <a href=\"https://example.org\">https://example.org</a> <a href=\"mailto:a@b.example\">a@b.example</a> *not* a<br>b &copy; <i>x</i>"
---
// tokens and their text
import { lexer, walkTokens, Parser, parser } from "@nodetool-ai/sandbox-markdown";
const tokens = lexer("# A\n\nb **c** [d](e)\n"), kinds = [];
walkTokens(tokens, (t) => kinds.push(t.type));
return [kinds, tokens[0].depth, tokens[0].raw, parser(tokens), Parser.parseInline(tokens[2]?.tokens ?? tokens[1].tokens)]; //= [["heading","text","paragraph","text","strong","text","text","link","text"],1,"# A\n\n","<h1>A</h1>\n<p>b <strong>c</strong> <a href=\"e\">d</a></p>\n","b <strong>c</strong> <a href=\"e\">d</a>"]
---
// an instance of one's own leaves the shared one alone
import { Marked, marked } from "@nodetool-ai/sandbox-markdown";
const own = new Marked({ renderer: { heading: (text, level) => `<h${level + 1} class="x">${text}</h${level + 1}>\n`, html: () => "" } });
return [own.parse("# a\n\n<b>x</b>"), marked.parse("# a")]; //= ["<h2 class=\"x\">a</h2>\n<p>x</p>\n","<h1>a</h1>\n"]
---
// references, and line breaks as an option
import { parse } from "@nodetool-ai/sandbox-markdown";
return [parse("[a][x] and [x]\n\n[x]: http://e.example 'T'"), parse("a\nb", { breaks: true }), parse("a\nb")]; //= ["<p><a href=\"http://e.example\" title=\"T\">a</a> and <a href=\"http://e.example\" title=\"T\">x</a></p>\n","<p>a<br>b</p>\n","<p>a\nb</p>\n"]
---
import { parse } from "@nodetool-ai/sandbox-markdown";
return parse(5); //! Error "marked(): input parameter is of type [object Number]"
