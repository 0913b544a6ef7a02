package html

import (
	"context"
	"strings"

	"quicksand/bridges"
)

// The parser of HTML repairs what is nested wrongly by opening elements like <b> again, each
// with its attributes: a page of a few megabytes can so become one of gigabytes. Before a
// page is parsed, a pass over its tags estimates how many nodes it will have.

// maxNodes bounds the estimate: nodes take some 150 bytes each.
const maxNodes = 1_500_000

// reopened are the elements that the parser opens again (HTML Standard, "list of active
// formatting elements").
var reopened = set("a b big code em font i nobr s small strike strong tt u")

// phrasing are elements that close no others when they begin.
var phrasing = set("abbr bdi bdo br button canvas cite data del dfn img input ins kbd label mark q samp span sub sup svg time var wbr")

// endsItself are elements that end where the next of their kind begins.
var endsItself = set("p li dt dd option optgroup tr td th tbody thead tfoot")

// rawText are elements that have no elements inside.
var rawText = set("script style textarea title xmp iframe noembed noframes")

// An opened tag is one without an end so far.
type opened struct {
	name   string
	weight int  // nodes that it costs to open it again; 0 for what is never
	block  bool // weight is 0 and it is not phrasing
	closed bool // it ends itself
}

// A guard estimates the nodes of a page.
type guard struct {
	open  []opened
	nodes int
}

// keptOpen is how many open tags are known: the parser refuses more.
const keptOpen = 2 * maxNesting

// tooManyNodes reports whether a page may have more than maxNodes. Its time is linear in the
// page, also where brackets and comments are never closed.
func tooManyNodes(ctx context.Context, page string) (bool, error) {
	g := guard{}
	raw := ""
	gt, comment := finder{text: ">"}, finder{text: "-->"}
	for i, tags := 0, 0; ; tags++ {
		if tags%tagsPerLook == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		next := strings.IndexByte(page[i:], '<')
		if next < 0 {
			return false, nil
		}
		i += next + 1
		rest := page[i:]
		if raw != "" {
			if end, ok := strings.CutPrefix(rest, "/"); !ok || len(end) < len(raw) || lower(end[:len(raw)]) != raw {
				continue
			}
			raw = ""
		}
		if strings.HasPrefix(rest, "!--") {
			g.nodes++
			if end := comment.from(page, i+3); end < len(page) {
				i = end + len(comment.text)
			}
			continue
		}
		if isStart := g.tag(page[i:gt.from(page, i)]); isStart != "" && rawText[isStart] {
			raw = isStart
		}
		if g.nodes > maxNodes {
			return true, nil
		}
	}
}

// tagsPerLook is after how many tags the context is looked at.
const tagsPerLook = 1024

// A finder finds a text again and again, from places that only grow.
type finder struct {
	text  string
	found int // place of the text that was found last, or the length of the page
	valid bool
}

// from is the place of the text at or behind i, or the length of the page.
func (f *finder) from(page string, i int) int {
	if !f.valid || f.found < i {
		f.valid = true
		if n := strings.Index(page[i:], f.text); n >= 0 {
			f.found = i + n
		} else {
			f.found = len(page)
		}
	}
	return f.found
}

// longestName is how much of a name counts: more than any name has that is known here.
const longestName = 32

// tag counts a tag, and returns the name of one that begins an element.
func (g *guard) tag(tag string) string {
	rest, isEnd := strings.CutPrefix(tag, "/")
	n := 0
	for n < min(len(rest), longestName) && strings.IndexByte(" \t\n\f\r/", rest[n]) < 0 {
		n++
	}
	name := lower(rest[:n])
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		return ""
	}
	g.nodes += 2 // itself, and the text after it
	if isEnd {
		g.end(name)
		return ""
	}
	weight := 0
	if reopened[name] {
		weight = 1 + len(tag)/4 // an attribute has two characters and half the size of a node
	} else if !phrasing[name] {
		g.closeRun()
		if endsItself[name] {
			for n := len(g.open); n > 0 && g.open[n-1].closed && closes(name, g.open[n-1].name); n-- {
				g.open = g.open[:n-1]
			}
		}
		if strings.HasPrefix(name, "t") && len(name) <= 5 {
			g.nodes += 2 // tbody and tr, which need no tags
		}
	}
	if !voidElements[name] && !rawText[name] {
		g.open = append(g.open, opened{name, weight, weight == 0 && !phrasing[name], endsItself[name]})
		if len(g.open) > keptOpen {
			g.open = append(g.open[:0], g.open[len(g.open)-keptOpen/2:]...)
		}
	}
	return name
}

// closes reports whether the start of an element ends another.
func closes(name, open string) bool {
	if name[0] == 't' {
		return open[0] == 't'
	}
	return name == open || (name == "dt" || name == "dd") && (open == "dt" || open == "dd")
}

// closeRun counts the elements around the current position that may be closed, and opened
// again, by a block that begins: those up to the next block, and those of a block that ends.
func (g *guard) closeRun() {
	for i := len(g.open) - 1; i >= 0; i-- {
		o := &g.open[i]
		if o.block {
			if o.closed {
				continue
			}
			return
		}
		g.nodes += o.weight
	}
}

// end counts what is closed by an end tag that is not its own, as it will be opened again,
// and stays open here.
func (g *guard) end(name string) {
	for i := len(g.open) - 1; i >= 0; i-- {
		if g.open[i].name != name {
			continue
		}
		crossed := g.open[i+1:]
		if reopened[name] && len(crossed) > 0 {
			g.nodes += 32 // the most that the adoption agency algorithm makes, about
		}
		kept := g.open[:i]
		for _, o := range crossed {
			g.nodes += o.weight
			if o.weight > 0 || reopened[name] {
				kept = append(kept, o)
			}
		}
		g.open = kept
		return
	}
}

// checkNodes refuses a page that would have too many nodes.
func checkNodes(ctx context.Context, op, page string) error {
	many, err := tooManyNodes(ctx, page)
	if err != nil {
		return err
	}
	if many {
		return bridges.TypeErrorf(op, "the page has more than %d elements and texts, counting those that are opened again where it is nested wrongly", maxNodes)
	}
	return nil
}
