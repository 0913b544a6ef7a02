package html

import (
	"context"
	"strings"

	"golang.org/x/net/html"

	"quicksand/bridges"
	"quicksand/hostmods"
)

func toText(ctx context.Context, c *bridges.Call) (any, error) {
	if hostmods.Truthy(c.Options(1).Field("blocks"), false) {
		root, err := parsePage(ctx, c)
		if err != nil {
			return nil, err
		}
		return blockText(root, named("head", "script", "style", "template")), nil
	}
	d, err := parseDocument(ctx, c, named("script", "style"))
	if err != nil {
		return nil, err
	}
	return trimSpace(squeeze(d.text)), nil
}

// squeeze makes one space of a run of spaces and tabs, and two line breaks of more.
func squeeze(s string) string {
	b := make([]byte, 0, len(s))
	breaks := 0
	for i := range len(s) {
		c := s[i]
		switch c {
		case ' ', '\t':
			breaks = 0
			if n := len(b); n > 0 && b[n-1] == ' ' {
				continue
			}
			c = ' '
		case '\n':
			if breaks++; breaks > 2 {
				continue
			}
		default:
			breaks = 0
		}
		b = append(b, c)
	}
	return string(b)
}

// collapseAll makes one space of each run of white space.
func collapseAll(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range s {
		if isSpace(r) {
			space = true
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
	}
	return b.String()
}

// boilerplate are the elements that are no main content.
var boilerplate = named("script", "style", "nav", "aside", "footer", "header")

// noContent is the answer for a page without any.
const noContent = "No main content found"

func extractReadableText(ctx context.Context, c *bridges.Call) (any, error) {
	d, err := parseDocument(ctx, c, boilerplate)
	if err != nil {
		return nil, err
	}
	for _, selector := range []string{"article", "main", "[id*=content]", "[class*=content]", "body"} {
		list, err := parseSelector(selector)
		if err != nil {
			return nil, err
		}
		found, err := d.find(ctx, list)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			continue
		}
		text := collapseAll(d.content(found[0]))
		if text == "" {
			continue
		}
		if hostmods.Truthy(c.Options(1).Field("blocks"), false) {
			return blockText(d.elements[found[0]].node, func(n *html.Node) bool { return n.Data == "template" || boilerplate(n) }), nil
		}
		return text, nil
	}
	return noContent, nil
}

// A blockWriter writes the text of a page as a browser shows it: white space collapsed, an
// empty line between paragraphs and headings, a line for each other block, tabs between
// cells.
type blockWriter struct {
	out    []byte
	breaks int  // line breaks that are due before the next text
	space  bool // whether a space is
	tab    bool
	drop   func(*html.Node) bool
}

// ownParagraph are the blocks with an empty line before and after.
var ownParagraph = set("p h1 h2 h3 h4 h5 h6 ul ol dl blockquote pre table figure hr article section main form fieldset details")

// blockText is the text of a page with line breaks between its blocks.
func blockText(root *html.Node, drop func(*html.Node) bool) string {
	w := &blockWriter{drop: drop}
	w.children(root, false, 0)
	return strings.TrimRightFunc(string(w.out), isSpace)
}

func (w *blockWriter) children(n *html.Node, pre bool, lists int) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			w.write(c.Data, pre)
		case html.ElementNode:
			if w.drop(c) {
				continue
			}
			w.element(c, pre, lists)
		}
	}
}

func (w *blockWriter) element(n *html.Node, pre bool, lists int) {
	due := 0
	switch {
	case n.Namespace != "":
	case n.Data == "br":
		w.breaks = min(w.breaks+1, 2)
		w.space, w.tab = false, false
		return
	case n.Data == "td" || n.Data == "th":
		for p := n.PrevSibling; p != nil; p = p.PrevSibling {
			if p.Type == html.ElementNode {
				w.tab = true
				break
			}
		}
	case (n.Data == "ul" || n.Data == "ol") && lists > 0:
		due = 1
	case ownParagraph[n.Data]:
		due = 2
	case blockElements[n.Data]:
		due = 1
	}
	w.breaks = max(w.breaks, due)
	if n.Data == "ul" || n.Data == "ol" {
		lists++
	}
	w.children(n, pre || n.Data == "pre", lists)
	w.breaks = max(w.breaks, due)
}

// write writes a text, after what is due before it.
func (w *blockWriter) write(s string, pre bool) {
	if pre {
		if s == "" {
			return
		}
		w.flush()
		w.out = append(w.out, s...)
		return
	}
	for _, r := range s {
		if isSpace(r) && r != '\u00a0' {
			w.space = true
			continue
		}
		w.flush()
		w.out = append(w.out, string(r)...)
	}
}

func (w *blockWriter) flush() {
	switch {
	case len(w.out) == 0:
	case w.breaks > 0:
		n := len(w.out)
		for n > 0 && (w.out[n-1] == '\n' || w.out[n-1] == ' ') {
			n--
		}
		w.out = append(w.out[:n], "\n\n"[:w.breaks]...)
	case w.tab:
		w.out = append(w.out, '\t')
	case w.space && w.out[len(w.out)-1] != '\n':
		w.out = append(w.out, ' ')
	}
	w.breaks, w.space, w.tab = 0, false, false
}
