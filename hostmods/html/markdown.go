package html

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/net/html"

	"quicksand/bridges"
	"quicksand/hostmods"
	"quicksand/internal/marshal"
)

// Markdown comes out as turndown 7.2 writes it, with ATX headings, fenced code and "-" for
// bullets by default, except that scripts, styles and templates are left out.

// A markdownStyle is what the option turndown sets.
type markdownStyle struct {
	setext, indented    bool
	hr, bullet, fence   string
	em, strong          string
	referenced          bool
	collapsed, shortcut bool
	tables              bool
}

func toMarkdown(ctx context.Context, c *bridges.Call) (any, error) {
	text, err := hostmods.Text(c, 0)
	if err != nil {
		return nil, err
	}
	o := c.Options(1)
	style, err := styleOf(c, o.Field("turndown"))
	if err != nil {
		return nil, err
	}
	style.tables = hostmods.Truthy(o.Field("tables"), false)
	// In an element of its own everything stays in its order, also what belongs in a head.
	page, err := parseHTML(ctx, c.Op(), "<x-md>"+text+"</x-md>")
	if err != nil {
		return nil, err
	}
	root := wrapper(page)
	if root == nil {
		return "", nil
	}
	w := &markdown{ctx: ctx, op: c.Op(), style: style}
	w.pieces = make([]piece, 0, strings.Count(text, "<")+16) // about one for each tag
	w.build(root)
	out, err := w.content(0)
	if err != nil {
		return nil, err
	}
	if len(w.references) > 0 {
		out = join(out, []byte("\n\n"+strings.Join(w.references, "\n")+"\n\n"))
	}
	out = bytes.TrimLeft(out, "\t\r\n")
	return strings.TrimRightFunc(string(out), isSpace), nil
}

// wrapper finds the element that was put around the page.
func wrapper(n *html.Node) *html.Node {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && c.Data == "x-md" {
			return c
		}
		if found := wrapper(c); found != nil {
			return found
		}
	}
	return nil
}

// styleOf reads the option turndown.
func styleOf(c *bridges.Call, v bridges.Value) (s markdownStyle, err error) {
	one := func(name, byDefault string, allowed ...string) string {
		f := v.Field(name)
		if f.IsUndefined() || v.Kind() != marshal.KindObject {
			return byDefault
		}
		text, _ := f.Str()
		for _, a := range allowed {
			if f.Kind() == marshal.KindString && text == a {
				return a
			}
		}
		if err == nil {
			err = bridges.TypeErrorf(c.Op(), "options.turndown.%s must be one of %s", name, quotedList(allowed))
		}
		return byDefault
	}
	s.setext = one("headingStyle", "atx", "atx", "setext") == "setext"
	s.indented = one("codeBlockStyle", "fenced", "fenced", "indented") == "indented"
	s.bullet = one("bulletListMarker", "-", "-", "*", "+")
	s.fence = one("fence", "```", "```", "~~~")
	s.em = one("emDelimiter", "_", "_", "*")
	s.strong = one("strongDelimiter", "**", "**", "__")
	s.referenced = one("linkStyle", "inlined", "inlined", "referenced") == "referenced"
	style := one("linkReferenceStyle", "full", "full", "collapsed", "shortcut")
	s.collapsed, s.shortcut = style == "collapsed", style == "shortcut"
	s.hr = "* * *"
	if f := v.Field("hr"); v.Kind() == marshal.KindObject && !f.IsUndefined() {
		text, _ := f.Str()
		if !isRule(text) {
			return s, bridges.TypeErrorf(c.Op(), "options.turndown.hr must be three or more of *, - or _, with spaces between them or without")
		}
		s.hr = text
	}
	return s, err
}

func quotedList(list []string) string {
	q := make([]string, len(list))
	for i, s := range list {
		q[i] = strconv.Quote(s)
	}
	return strings.Join(q, ", ")
}

// isRule reports whether a text is a thematic break of CommonMark.
func isRule(s string) bool {
	n := 0
	for i := range len(s) {
		switch {
		case s[i] == ' ':
		case strings.IndexByte("*-_", s[i]) >= 0 && s[i] == strings.TrimLeft(s, " ")[0]:
			n++
		default:
			return false
		}
	}
	return n >= 3 && len(s) <= 100
}

// A piece is a text or an element. Pieces stand in document order.
type piece struct {
	node   *html.Node // nil for a text
	name   string     // of an element of HTML; "" for texts and elements of SVG and MathML
	parent int32
	prev   int32 // pieces beside it; -1 for none
	next   int32
	first  int32
	end    int32 // behind its last descendant
	nth    int32 // among the elements beside it, from 0 on
	data   string
	from   int32 // its text, in markdown.text
	to     int32

	lastElement   int32 // the last child that is an element
	block, code   bool
	hasVoid, lone bool // whether void elements, or others that count without text, are inside
}

// markdown writes the pieces of a page as Markdown.
type markdown struct {
	ctx        context.Context
	op         string
	style      markdownStyle
	pieces     []piece
	text       string // all texts, one after the other
	references []string
	steps      int
	inTable    int
}

var (
	blockElements = set("address article aside audio blockquote body canvas center dd dir div dl dt fieldset figcaption figure footer form frameset " +
		"h1 h2 h3 h4 h5 h6 header hgroup hr html isindex li main menu nav noframes noscript ol output p pre section table tbody td tfoot th thead tr ul")
	voidElements = set("area base br col command embed hr img input keygen link meta param source track wbr")
	loneElements = set("a table thead tbody tfoot th td iframe script audio video")
	droppedNames = set("script style template")
)

func set(names string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		m[name] = true
	}
	return m
}

// build lists the pieces below an element, with white space collapsed.
func (w *markdown) build(root *html.Node) {
	w.pieces = append(w.pieces, piece{node: root, parent: -1, prev: -1, next: -1, first: -1, lastElement: -1})
	c := collapser{w: w, prev: -1}
	c.children(root, 0, false)
	c.endText()
	var text strings.Builder
	// Elements inside of an element begin at its text or later, and end before it does.
	for i := range w.pieces {
		p := &w.pieces[i]
		p.from = int32(text.Len())
		text.WriteString(p.data)
	}
	w.text = text.String()
	for i := len(w.pieces) - 1; i >= 0; i-- {
		p := &w.pieces[i]
		p.to = int32(len(w.text))
		if int(p.end) < len(w.pieces) {
			p.to = w.pieces[p.end].from
		}
		if p.parent >= 0 {
			up := &w.pieces[p.parent]
			up.hasVoid = up.hasVoid || p.hasVoid || voidElements[p.name]
			up.lone = up.lone || p.lone || loneElements[p.name]
		}
	}
}

// A collapser lists the pieces of a page and collapses white space over the borders of
// inline elements on the way: of a run of it one space stays, and none at the ends of blocks.
type collapser struct {
	w    *markdown
	prev int32 // the last text of the line, or -1
	keep bool  // whether space at the start of the next text counts
}

func (c *collapser) children(n *html.Node, parent int32, pre bool) {
	last, nth := int32(-1), int32(0)
	add := func(p piece) int32 {
		i := int32(len(c.w.pieces))
		p.parent, p.prev, p.next, p.first, p.lastElement = parent, last, -1, -1, -1
		if last >= 0 {
			c.w.pieces[last].next = i
		} else {
			c.w.pieces[parent].first = i
		}
		c.w.pieces = append(c.w.pieces, p)
		c.w.pieces[i].end = i + 1
		last = i
		return i
	}
	for n := n.FirstChild; n != nil; n = n.NextSibling {
		switch n.Type {
		case html.TextNode:
			data := n.Data
			if !pre {
				if data = c.collapse(data); data == "" {
					continue
				}
			}
			i := add(piece{data: data, code: c.w.pieces[parent].code})
			if !pre {
				c.prev = i
			}
		case html.ElementNode:
			if droppedNames[n.Data] {
				continue
			}
			name := ""
			if n.Namespace == "" {
				name = n.Data
			}
			i := add(piece{node: n, name: name, nth: nth, block: blockElements[name], code: name == "code" || c.w.pieces[parent].code})
			nth++
			c.w.pieces[parent].lastElement = i
			if pre {
				c.children(n, i, true)
			} else {
				c.border(name)
				c.children(n, i, name == "pre")
				if name != "pre" && n.FirstChild != nil {
					c.border(name)
				}
			}
			c.w.pieces[i].end = int32(len(c.w.pieces))
		}
	}
	c.w.pieces[parent].end = int32(len(c.w.pieces))
}

// collapse is a text as it follows what was before.
func (c *collapser) collapse(s string) string {
	s = collapseSpace(s)
	if s != "" && s[0] == ' ' && !c.keep && (c.prev < 0 || strings.HasSuffix(c.w.pieces[c.prev].data, " ")) {
		s = s[1:]
	}
	return s
}

// border goes over the start or the end of an element.
func (c *collapser) border(name string) {
	switch {
	case blockElements[name] || name == "br":
		c.endText()
		c.keep = false
	case voidElements[name] || name == "pre":
		c.prev = -1
		c.keep = true
	case c.prev >= 0:
		c.keep = false
	}
}

// endText ends the line: its last text has no space at its end.
func (c *collapser) endText() {
	if c.prev >= 0 {
		p := &c.w.pieces[c.prev]
		p.data = strings.TrimSuffix(p.data, " ")
	}
	c.prev = -1
}

// collapseSpace makes one space of each run of spaces, tabs and line breaks.
func collapseSpace(s string) string {
	ok := true
	for i := 0; i < len(s) && ok; i++ {
		switch s[i] {
		case '\t', '\n', '\r':
			ok = false
		case ' ':
			ok = i == 0 || s[i-1] != ' '
		}
	}
	if ok {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		switch c := s[i]; c {
		case ' ', '\t', '\n', '\r':
			if n := len(b); n == 0 || b[n-1] != ' ' {
				b = append(b, ' ')
			}
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

// textOf is the text of a piece and of all inside of it.
func (w *markdown) textOf(i int32) string { return w.text[w.pieces[i].from:w.pieces[i].to] }

// blank reports whether a text is white space alone.
func blank(s string) bool {
	for _, r := range s {
		if !isSpace(r) {
			return false
		}
	}
	return true
}

// join appends b to a with as many line breaks between them as the one or the other has, but
// two at most.
func join(a, b []byte) []byte {
	n := len(a)
	for n > 0 && a[n-1] == '\n' {
		n--
	}
	k := 0
	for k < len(b) && b[k] == '\n' {
		k++
	}
	breaks := min(max(len(a)-n, k), 2)
	a = append(a[:n], "\n\n"[:breaks]...)
	return append(a, b[k:]...)
}

// content is the Markdown of what is inside of an element.
func (w *markdown) content(i int32) ([]byte, error) {
	var out []byte
	for c := w.pieces[i].first; c >= 0; c = w.pieces[c].next {
		if w.steps++; w.steps%1024 == 0 && w.ctx.Err() != nil {
			return nil, w.ctx.Err()
		}
		p := &w.pieces[c]
		var b []byte
		if p.node == nil {
			if p.code {
				b = []byte(p.data)
			} else {
				b = escape(p.data)
			}
		} else {
			var err error
			if b, err = w.element(c); err != nil {
				return nil, err
			}
		}
		out = join(out, b)
	}
	if len(out) > maxOutput {
		return nil, bridges.Limitf(w.op, hostmods.LimitResult, maxOutput, int64(len(out)), "the Markdown is more than the limit of %d bytes", maxOutput)
	}
	return out, nil
}

// element is the Markdown of an element.
func (w *markdown) element(i int32) ([]byte, error) {
	p := &w.pieces[i]
	if p.name == "table" && w.style.tables && w.inTable == 0 {
		return w.table(i)
	}
	lead, trail := w.flanks(i)
	content, err := w.content(i)
	if err != nil {
		return nil, err
	}
	if lead != "" || trail != "" {
		content = bytes.TrimFunc(content, isSpace)
	}
	b := w.replace(i, content)
	if lead == "" && trail == "" {
		return b, nil
	}
	return append(append([]byte(lead), b...), trail...), nil
}

// flanks is the white space at the ends of an inline element, which goes outside of its
// delimiters: ASCII's does not where there is a space already.
func (w *markdown) flanks(i int32) (lead, trail string) {
	p := &w.pieces[i]
	if p.block {
		return "", ""
	}
	s := w.textOf(i)
	start := strings.TrimLeftFunc(s, isSpace)
	lead = s[:len(s)-len(start)]
	trail = start[len(strings.TrimRightFunc(start, isSpace)):]
	if ascii := strings.TrimLeft(lead, " \t\r\n"); len(ascii) < len(lead) && w.flanked(p.prev, true) {
		lead = ascii
	}
	if ascii := strings.TrimRight(trail, " \t\r\n"); len(ascii) < len(trail) && w.flanked(p.next, false) {
		trail = ascii
	}
	return lead, trail
}

// flanked reports whether the text of a sibling has a space at the end that is near.
func (w *markdown) flanked(sibling int32, left bool) bool {
	if sibling < 0 {
		return false
	}
	p := &w.pieces[sibling]
	if p.node != nil && p.block {
		return false
	}
	if s := w.textOf(sibling); left {
		return strings.HasSuffix(s, " ")
	} else {
		return strings.HasPrefix(s, " ")
	}
}

// paragraph is content with an empty line before and after.
func paragraph(content []byte) []byte {
	b := make([]byte, 0, len(content)+4)
	return append(append(append(b, "\n\n"...), content...), "\n\n"...)
}

// around is content between two delimiters.
func around(delimiter string, content []byte) []byte {
	return append(append([]byte(delimiter), content...), delimiter...)
}

// replace is an element with its content.
func (w *markdown) replace(i int32, content []byte) []byte {
	p := &w.pieces[i]
	if !p.hasVoid && !p.lone && !voidElements[p.name] && !loneElements[p.name] && blank(w.textOf(i)) {
		if p.block {
			return []byte("\n\n")
		}
		return nil
	}
	switch p.name {
	case "br":
		return []byte("  \n")
	case "h1", "h2", "h3", "h4", "h5", "h6":
		level := int(p.name[1] - '0')
		if !w.style.setext || level > 2 {
			return paragraph(append([]byte("######"[:level]+" "), content...))
		}
		line := "=-"[level-1 : level]
		return paragraph(append(append(bytes.Clone(content), '\n'), strings.Repeat(line, units(content))...))
	case "blockquote":
		content = bytes.Trim(content, "\n")
		return paragraph(append([]byte("> "), bytes.ReplaceAll(content, []byte("\n"), []byte("\n> "))...))
	case "ul", "ol":
		if up := p.parent; up >= 0 && w.pieces[up].name == "li" && w.pieces[up].lastElement == i {
			return append([]byte("\n"), content...)
		}
		return paragraph(content)
	case "li":
		return w.item(i, content)
	case "pre":
		if first := p.first; first >= 0 && w.pieces[first].name == "code" {
			return w.codeBlock(first)
		}
	case "code":
		if up := p.parent; up < 0 || w.pieces[up].name != "pre" || p.prev >= 0 || p.next >= 0 {
			return codeSpan(content)
		}
	case "hr":
		return paragraph([]byte(w.style.hr))
	case "a":
		if href, _ := attribute(p.node, "href"); href != "" {
			return w.link(p.node, href, content)
		}
	case "em", "i":
		if blank(string(content)) {
			return nil
		}
		return around(w.style.em, content)
	case "strong", "b":
		if blank(string(content)) {
			return nil
		}
		return around(w.style.strong, content)
	case "img":
		return image(p.node)
	}
	if p.block {
		return paragraph(content)
	}
	return content
}

// units counts UTF-16 units.
func units(b []byte) (n int) {
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		n += max(utf16.RuneLen(r), 1)
		b = b[size:]
	}
	return n
}

// item is an item of a list, indented by the width of its marker.
func (w *markdown) item(i int32, content []byte) []byte {
	p := &w.pieces[i]
	marker := w.style.bullet + "   "
	if up := &w.pieces[p.parent]; up.name == "ol" {
		n := int(p.nth) + 1
		if start, ok := attribute(up.node, "start"); ok {
			if from, err := strconv.Atoi(strings.TrimSpace(start)); err == nil && bounded(from) {
				n = from + int(p.nth)
			}
		}
		marker = strconv.Itoa(n) + ".  "
	}
	more := len(content) > 0 && content[len(content)-1] == '\n'
	content = bytes.Trim(content, "\n")
	if more {
		content = append(bytes.Clone(content), '\n')
	}
	indent := append([]byte("\n"), strings.Repeat(" ", len(marker))...)
	b := append([]byte(marker), bytes.ReplaceAll(content, []byte("\n"), indent)...)
	if p.next >= 0 {
		b = append(b, '\n')
	}
	return b
}

// codeBlock is a block of code: i is the element code inside of pre.
func (w *markdown) codeBlock(i int32) []byte {
	code := w.textOf(i)
	if w.style.indented {
		return paragraph([]byte("    " + strings.ReplaceAll(code, "\n", "\n    ")))
	}
	class, _ := attribute(w.pieces[i].node, "class")
	language := ""
	for language == "" {
		at := strings.Index(class, "language-")
		if at < 0 {
			break
		}
		class = class[at+len("language-"):]
		language = class
		if end := strings.IndexFunc(class, isSpace); end >= 0 {
			language = class[:end]
		}
	}
	size := 3
	for line := range strings.SplitSeq(code, "\n") {
		n := 0
		for n < len(line) && line[n] == w.style.fence[0] {
			n++
		}
		if n >= size {
			size = n + 1
		}
	}
	fence := strings.Repeat(w.style.fence[:1], size)
	return paragraph([]byte(fence + language + "\n" + strings.TrimSuffix(code, "\n") + "\n" + fence))
}

var (
	lineBreaks = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")
	brackets   = strings.NewReplacer("<", `\<`, ">", `\>`, "(", `\(`, ")", `\)`)
)

// codeSpan is code in a line, between more backticks than it has beside each other.
func codeSpan(content []byte) []byte {
	if len(content) == 0 {
		return nil
	}
	s := lineBreaks.Replace(string(content))
	runs := map[int]bool{}
	for i := 0; i < len(s); {
		n := 0
		for i+n < len(s) && s[i+n] == '`' {
			n++
		}
		if n > 0 {
			runs[n] = true
		}
		i += n + 1
	}
	size := 1
	for runs[size] {
		size++
	}
	pad := ""
	if s[0] == '`' || s[len(s)-1] == '`' || len(s) > 2 && s[0] == ' ' && s[len(s)-1] == ' ' && strings.Trim(s, " ") != "" {
		pad = " "
	}
	fence := strings.Repeat("`", size)
	return []byte(fence + pad + s + pad + fence)
}

func (w *markdown) link(n *html.Node, href string, content []byte) []byte {
	title, _ := attribute(n, "title")
	target := destination(href)
	if title = cleanAttribute(title); title != "" {
		target += ` "` + strings.ReplaceAll(title, `"`, `\"`) + `"`
	}
	if !w.style.referenced {
		return []byte("[" + string(content) + "](" + target + ")")
	}
	label, text := string(content), ""
	switch {
	case w.style.collapsed:
		text = "[" + label + "][]"
	case w.style.shortcut:
		text = "[" + label + "]"
	default:
		text = "[" + label + "][" + strconv.Itoa(len(w.references)+1) + "]"
		label = strconv.Itoa(len(w.references) + 1)
	}
	w.references = append(w.references, "["+label+"]: "+target)
	return []byte(text)
}

func image(n *html.Node) []byte {
	src, _ := attribute(n, "src")
	if src == "" {
		return nil
	}
	alt, _ := attribute(n, "alt")
	title, _ := attribute(n, "title")
	target := destination(src)
	if title = cleanAttribute(title); title != "" {
		target += ` "` + strings.ReplaceAll(title, `"`, `\"`) + `"`
	}
	return []byte("![" + string(escape(cleanAttribute(alt))) + "](" + target + ")")
}

// cleanAttribute makes one line break of several lines.
func cleanAttribute(s string) string {
	if strings.IndexByte(s, '\n') < 0 {
		return s
	}
	var b strings.Builder
	for s != "" {
		i := strings.IndexByte(s, '\n')
		if i < 0 {
			break
		}
		b.WriteString(s[:i+1])
		s = strings.TrimLeftFunc(s[i:], isSpace)
	}
	b.WriteString(s)
	return b.String()
}

// destination is the address of a link or picture.
func destination(s string) string {
	s = brackets.Replace(s)
	if strings.IndexByte(s, ' ') >= 0 {
		return "<" + s + ">"
	}
	return s
}

// escape marks what would be Markdown in a text.
func escape(s string) []byte {
	b := make([]byte, 0, len(s)+8)
	if s == "" {
		return b
	}
	// What means something at the start of a line only.
	switch s[0] {
	case '-', '>', '=':
		b = append(b, '\\')
	case '+':
		if strings.HasPrefix(s, "+ ") {
			b = append(b, '\\')
		}
	case '#':
		n := len(s) - len(strings.TrimLeft(s, "#"))
		if n <= 6 && strings.HasPrefix(s[n:], " ") {
			b = append(b, '\\')
		}
	case '~':
		if strings.HasPrefix(s, "~~~") {
			b = append(b, '\\')
		}
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		n := len(s) - len(strings.TrimLeft(s, "0123456789"))
		if strings.HasPrefix(s[n:], ". ") {
			b = append(append(b, s[:n]...), '\\', '.')
			s = s[n+1:]
		}
	}
	for i := range len(s) {
		switch c := s[i]; c {
		case '\\', '*', '`', '[', ']', '_':
			b = append(b, '\\', c)
		default:
			b = append(b, c)
		}
	}
	return b
}
