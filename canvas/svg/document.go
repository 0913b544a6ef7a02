package svg

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"quicksand/media/image"
)

// Limits of a document. What is beyond one of them is an error that names it.
const (
	MaxBytes      = image.MaxEncoded // bytes of a document, which may hold pictures
	MaxDepth      = 200              // elements within each other
	MaxElements   = 100_000          // elements, and separately pieces of text
	MaxAttributes = 400_000          // attributes, counted by signs of equality
)

// A Document is a parsed SVG document. It does not change and is safe for concurrent use.
type Document struct {
	root *node
	ids  map[string]*node
	// size is the intrinsic one in CSS pixels.
	width, height float64
	rules         *sheet
}

// node is an element, or a piece of text where name is empty.
type node struct {
	name     string
	attrs    []attr
	children []*node
	parent   *node
	text     string
	// props are the declarations that hold for the element, one a property.
	props []declaration
}

type attr struct{ name, value string }

// attr is the value of an attribute, "" without it.
func (n *node) attr(name string) string {
	for i := range n.attrs {
		if n.attrs[i].name == name {
			return n.attrs[i].value
		}
	}
	return ""
}

func (n *node) has(name string) bool {
	for i := range n.attrs {
		if n.attrs[i].name == name {
			return true
		}
	}
	return false
}

// href is the reference of an element; that of SVG 2 goes before that of XLink.
func (n *node) href() string {
	if n.has("href") {
		return strings.TrimSpace(n.attr("href"))
	}
	return strings.TrimSpace(n.attr("xlink:href"))
}

const (
	spaceSVG   = "http://www.w3.org/2000/svg"
	spaceXLink = "http://www.w3.org/1999/xlink"
	spaceXML   = "http://www.w3.org/XML/1998/namespace"
)

// limitError is the error of what exceeds a limit.
func limitError(what string, limit int) error {
	return fmt.Errorf("svg: %s exceed the limit of %d", what, limit)
}

var errNotSVG = errors.New("svg: the root element is not svg")

// Parse reads a document. It takes memory in proportion to data, which it does not keep.
func Parse(data []byte) (*Document, error) {
	if err := checkBytes(data); err != nil {
		return nil, err
	}
	// Each attribute has a sign of equality and each element an angle, so that the parser,
	// which reads whole elements, takes no more than these say.
	if n := bytes.Count(data, []byte("=")); n > MaxAttributes {
		return nil, limitError(fmt.Sprintf("%d attributes", n), MaxAttributes)
	}
	d := &Document{ids: make(map[string]*node), rules: newSheet()}
	p := newParser(data)
	var at *node
	depth, elements, texts := 0, 0, 0
	skip := 0 // depth within an element that is none of SVG
	for {
		token, err := p.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if elements++; elements > MaxElements {
				return nil, limitError("elements", MaxElements)
			}
			if depth++; depth > MaxDepth {
				return nil, limitError("elements within each other", MaxDepth)
			}
			if skip > 0 || !ours(t.Name) {
				if at == nil {
					return nil, errNotSVG
				}
				skip++
				continue
			}
			n := newNode(t)
			switch {
			case at != nil:
				n.parent = at
				at.children = append(at.children, n)
			case d.root != nil || n.name != "svg":
				return nil, errNotSVG
			default:
				d.root = n
			}
			if id := n.attr("id"); id != "" && d.ids[id] == nil {
				d.ids[id] = n
			}
			at = n
		case xml.EndElement:
			depth--
			if skip > 0 {
				skip--
				continue
			}
			at = at.parent
		case xml.CharData:
			if skip > 0 || at == nil || !holdsText(at.name) {
				continue
			}
			if texts++; texts > MaxElements {
				return nil, limitError("pieces of text", MaxElements)
			}
			at.children = append(at.children, &node{text: string(t), parent: at})
		}
	}
	if d.root == nil {
		return nil, errNotSVG
	}
	if err := d.cascade(); err != nil {
		return nil, err
	}
	d.width, d.height = intrinsic(d.root)
	return d, nil
}

// Size is the intrinsic size in CSS pixels: width and height of the root element, of which
// the view box completes one that is missing or both, else 300 by 150.
func (d *Document) Size() (width, height float64) { return d.width, d.height }

func checkBytes(data []byte) error {
	if len(data) > MaxBytes {
		return limitError(fmt.Sprintf("%d bytes", len(data)), MaxBytes)
	}
	return nil
}

func ours(n xml.Name) bool { return n.Space == "" || n.Space == spaceSVG || n.Space == "svg" }

func holdsText(name string) bool {
	switch name {
	case "text", "tspan", "a", "style", "switch":
		return true
	}
	return false
}

func newNode(t xml.StartElement) *node {
	n := &node{name: t.Name.Local}
	if len(t.Attr) > 0 {
		n.attrs = make([]attr, 0, len(t.Attr))
	}
	for _, a := range t.Attr {
		name := a.Name.Local
		switch a.Name.Space {
		case "":
		case spaceXLink, "xlink":
			name = "xlink:" + name
		case spaceXML, "xml":
			name = "xml:" + name
		default:
			continue
		}
		n.attrs = append(n.attrs, attr{name, a.Value})
	}
	return n
}

// parser gives the tokens of a document with errors in words of this package.
type parser struct{ d *xml.Decoder }

func newParser(data []byte) parser {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = charset
	return parser{d}
}

func (p parser) next() (xml.Token, error) {
	t, err := p.d.Token()
	if err == nil || err == io.EOF {
		return t, err
	}
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		if strings.Contains(syntax.Msg, "entity") {
			return nil, fmt.Errorf("svg: line %d has an entity that XML does not define, and document types are not read", syntax.Line)
		}
		return nil, fmt.Errorf("svg: the XML is not well formed at line %d", syntax.Line)
	}
	var unknown *charsetError
	if errors.As(err, &unknown) {
		return nil, unknown
	}
	return nil, errors.New("svg: the XML is not well formed")
}

type charsetError struct{}

func (*charsetError) Error() string { return "svg: its encoding is none of UTF-8 and ISO 8859-1" }

// charset decodes what is not UTF-8.
func charset(label string, input io.Reader) (io.Reader, error) {
	switch strings.ToLower(label) {
	case "utf-8", "utf8", "us-ascii", "ascii":
		return input, nil
	case "iso-8859-1", "latin1", "windows-1252":
		return &latin1{input: input}, nil
	}
	return nil, &charsetError{}
}

// latin1 reads ISO 8859-1 as UTF-8.
type latin1 struct {
	input io.Reader
	out   []byte // what is decoded and not yet read
	in    [512]byte
}

func (l *latin1) Read(p []byte) (int, error) {
	if len(l.out) == 0 {
		n, err := l.input.Read(l.in[:])
		if n == 0 {
			return 0, err
		}
		for _, b := range l.in[:n] {
			l.out = utf8.AppendRune(l.out, rune(b))
		}
	}
	n := copy(p, l.out)
	l.out = l.out[n:]
	return n, nil
}

// readRoot reads no further than the root element.
func readRoot(data []byte) (*node, error) {
	if err := checkBytes(data); err != nil {
		return nil, err
	}
	p := newParser(data)
	for {
		t, err := p.next()
		if err == io.EOF {
			return nil, errNotSVG
		}
		if err != nil {
			return nil, err
		}
		if s, ok := t.(xml.StartElement); ok {
			if s.Name.Local != "svg" || !ours(s.Name) {
				return nil, errNotSVG
			}
			return newNode(s), nil
		}
	}
}

// intrinsic is the size of the root element ("CSS Images Level 3", 5.2, with the sizes that
// browsers fall back to).
func intrinsic(root *node) (w, h float64) {
	u := units{em: defaultFontSize, rem: defaultFontSize}
	side := func(name string) float64 {
		// A percentage is of a size that is not known: like auto.
		v, ok := parseLength(root.attr(name))
		if !ok || v.unit == "%" || !(v.n > 0) {
			return 0
		}
		return v.px(u, 0)
	}
	w, h = side("width"), side("height")
	box, ok := parseViewBox(root.attr("viewBox"))
	switch {
	case w > 0 && h > 0:
	case ok && w > 0:
		h = w * box.h / box.w
	case ok && h > 0:
		w = h * box.w / box.h
	case ok:
		w, h = box.w, box.h
	}
	if !(w > 0) {
		w = 300
	}
	if !(h > 0) {
		h = 150
	}
	return w, h
}

// pixels is a side of the surface for a side of the document.
func pixels(v float64) int { return int(min(max(math.Round(v), 1), math.MaxInt32)) }
