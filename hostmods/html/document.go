package html

import (
	"context"
	"errors"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"quicksand/bridges"
	"quicksand/hostmods"
)

// maxNesting is how deep golang.org/x/net/html goes.
const maxNesting = 512

// A document is a page as an array of its elements in document order, with all of its text
// in one string, so that the text of every element is a part of it.
type document struct {
	elements []element
	text     string
	ofType   []ordinals // made when a selector asks for it
}

// An element refers to others by their place in the array; -1 is none.
type element struct {
	node       *html.Node
	name       string // in lower case but for some of SVG's
	parent     int32
	prev, next int32 // elements beside it
	first      int32 // child element
	end        int32 // behind its last descendant
	ordinal    ordinals
	from, to   int32 // its text
}

// ordinals are places among siblings, counted from both ends, from 1 on.
type ordinals struct{ nth, last int32 }

// parseDocument parses argument 0 of a call, without the elements that drop is true for.
func parseDocument(ctx context.Context, c *bridges.Call, drop func(*html.Node) bool) (*document, error) {
	root, err := parsePage(ctx, c)
	if err != nil {
		return nil, err
	}
	return newDocument(root, drop), nil
}

// parsePage parses argument 0 of a call.
func parsePage(ctx context.Context, c *bridges.Call) (*html.Node, error) {
	text, err := hostmods.Text(c, 0)
	if err != nil {
		return nil, err
	}
	return parseHTML(ctx, c.Op(), text)
}

// parseHTML parses a page.
func parseHTML(ctx context.Context, op, text string) (root *html.Node, err error) {
	if err := checkNodes(ctx, op, text); err != nil {
		return nil, err
	}
	root, err = html.ParseWithOptions(&reader{ctx, strings.NewReader(text)}, html.ParseOptionEnableScripting(false))
	switch {
	case err == nil:
		return root, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case strings.Contains(err.Error(), "open stack"):
		return nil, bridges.Errorf(op, "the elements of the page are nested deeper than %d levels", maxNesting)
	}
	return nil, &bridges.Error{Op: op, Message: "the page cannot be parsed", Err: err}
}

// reader ends reading with the context, which the parser does not know.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r *reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, errors.New("cancelled")
	}
	return r.r.Read(p)
}

// newDocument lists the elements below root.
func newDocument(root *html.Node, drop func(*html.Node) bool) *document {
	d := &document{}
	count := 0
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			count++
		}
	}
	d.elements = make([]element, 0, count)
	var text strings.Builder
	d.add(root, -1, &text, drop)
	d.text = text.String()
	return d
}

// add lists what is below a node. It goes as deep as the parser did.
func (d *document) add(n *html.Node, parent int32, text *strings.Builder, drop func(*html.Node) bool) {
	count := int32(0)
	last := int32(-1)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			text.WriteString(c.Data)
		case html.ElementNode:
			if drop != nil && drop(c) {
				continue
			}
			count++
			i := int32(len(d.elements))
			d.elements = append(d.elements, element{node: c, name: c.Data, parent: parent, prev: last, next: -1, first: -1,
				ordinal: ordinals{nth: count}, from: int32(text.Len())})
			if last >= 0 {
				d.elements[last].next = i
			} else if parent >= 0 {
				d.elements[parent].first = i
			}
			last = i
			d.add(c, i, text, drop)
			d.elements[i].end = int32(len(d.elements))
			d.elements[i].to = int32(text.Len())
		}
	}
	for i := last; i >= 0; i = d.elements[i].prev {
		d.elements[i].ordinal.last = count - d.elements[i].ordinal.nth + 1
	}
}

// content is the text of an element and of all inside of it.
func (d *document) content(i int32) string { return d.text[d.elements[i].from:d.elements[i].to] }

// attribute is an attribute of an element.
func (d *document) attribute(i int32, name string) (string, bool) {
	return attribute(d.elements[i].node, name)
}

// attribute is an attribute of a node, whose name is given in lower case.
func attribute(n *html.Node, name string) (string, bool) {
	for i := range n.Attr {
		a := &n.Attr[i]
		if a.Key == name && a.Namespace == "" || a.Namespace != "" && name == a.Namespace+":"+a.Key {
			return a.Val, true
		}
	}
	return "", false
}

// named makes a drop function of names of elements.
func named(names ...string) func(*html.Node) bool {
	return func(n *html.Node) bool {
		for _, name := range names {
			if n.Data == name {
				return true
			}
		}
		return false
	}
}

// isSpace reports whether a character is white space in JavaScript's regular expressions.
func isSpace(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ' ' || '\t' <= r && r <= '\r'
	}
	return r == '\ufeff' || r != '\u0085' && unicode.IsSpace(r)
}

// trimSpace is String.prototype.trim.
func trimSpace(s string) string { return strings.TrimFunc(s, isSpace) }

// lower makes the letters of ASCII small.
func lower(s string) string {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for j := i; j < len(b); j++ {
				if 'A' <= b[j] && b[j] <= 'Z' {
					b[j] |= 0x20
				}
			}
			return string(b)
		}
	}
	return s
}
