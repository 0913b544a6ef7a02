package html

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"quicksand/hostmods"
)

// nodesOf counts nodes and their attributes.
func nodesOf(n *html.Node) (nodes int) {
	for c := range n.Descendants() {
		nodes += 1 + len(c.Attr)/2
	}
	return nodes
}

// TestEstimateOfNodes parses pages that are nested wrongly in all ways, and compares.
func TestEstimateOfNodes(t *testing.T) {
	names := strings.Fields("a b i font u code p div li ul td tr table span button h1 nobr section option select em")
	rng := rand.New(rand.NewPCG(5, 6))
	worst := 0.0
	pages := 3000
	if testing.Short() {
		pages = 300
	}
	for n := range pages {
		var b strings.Builder
		few := names
		if n%2 == 0 {
			k := rng.IntN(len(names) - 4)
			few = names[k : k+4]
		}
		for range 20 + rng.IntN(400) {
			name := few[rng.IntN(len(few))]
			switch rng.IntN(6) {
			case 0, 1:
				fmt.Fprintf(&b, "<%s>", name)
			case 2:
				fmt.Fprintf(&b, "<%s a=%d>", name, rng.IntN(30))
			case 3, 4:
				fmt.Fprintf(&b, "</%s>", name)
			case 5:
				b.WriteString("x")
			}
		}
		page := b.String()
		root, err := html.ParseWithOptions(strings.NewReader(page), html.ParseOptionEnableScripting(false))
		if err != nil {
			continue
		}
		g := guard{}
		for tag := range strings.SplitSeq(page, "<") {
			if tag, _, ok := strings.Cut(tag, ">"); ok {
				g.tag(tag)
			}
		}
		ratio := float64(nodesOf(root)) / float64(g.nodes+20)
		if ratio > worst {
			worst = ratio
			t.Logf("%.2f: %d nodes, estimated %d: %.300s", ratio, nodesOf(root), g.nodes, page)
		}
	}
	if worst > 2 {
		t.Errorf("a page has %.1f times the nodes that were estimated", worst)
	}
}

// tooMany is tooManyNodes with a context that does not end.
func tooMany(t *testing.T, page string) bool {
	many, err := tooManyNodes(context.Background(), page)
	if err != nil {
		t.Fatal(err)
	}
	return many
}

func TestPagesThatGrowAreRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("the pages are large")
	}
	var distinct strings.Builder
	for i := range 400 {
		fmt.Fprintf(&distinct, "<b a=%d>", i)
	}
	for name, page := range map[string]string{
		"opened again in each div":     "<div>" + distinct.String() + "x</div>" + strings.Repeat("<div>x</div>", 50_000),
		"opened again in each p":       "<p>" + distinct.String() + strings.Repeat("<p>x", 50_000),
		"opened again in each cell":    "<table><tr><td>" + distinct.String() + strings.Repeat("<td>x", 50_000),
		"opened again in each heading": "<section>" + distinct.String() + "</section>" + strings.Repeat("<h1>x</h1>", 50_000),
		"very many elements":           strings.Repeat("<p>", 800_000),
	} {
		if !tooMany(t, page) {
			// What is not refused must not grow.
			root, err := html.Parse(strings.NewReader(page))
			if err != nil {
				continue
			}
			if n := nodesOf(root); n > maxNodes {
				t.Errorf("%s: a page of %d nodes is taken", name, n)
			}
		}
	}
	for name, page := range map[string]string{
		"cards in links":        strings.Repeat(`<a href="https://example.com/a/long/address/of/a/page?with=query"><div class="card"><p>x</p><p>y</p></div></a>`, 30_000),
		"scripts":               "<script>" + strings.Repeat("if(a<b>c)d<i>e;", 200_000) + "</script>",
		"unclosed fonts":        strings.Repeat("<font color=red>x<p>y", 300),
		"elements and comments": strings.Repeat("<b>x</b><!-- <i><u> -->", 100_000),
	} {
		if tooMany(t, page) {
			t.Errorf("%s: an honest page of %d bytes is refused", name, len(page))
		}
	}
}

// TestEstimateIsLinear has pages of the largest size in which something is looked for at every
// tag and never found. With a search to the end of the page each of them takes minutes.
func TestEstimateIsLinear(t *testing.T) {
	for name, page := range map[string]string{
		"brackets":                     strings.Repeat("<", hostmods.MaxText),
		"tags without ends":            strings.Repeat("<a", hostmods.MaxText/2),
		"comments without ends":        strings.Repeat("<!--", hostmods.MaxText/4),
		"tags, and an end far away":    strings.Repeat("<=", hostmods.MaxText/2-1) + ">",
		"a script that does not end":   "<script>" + strings.Repeat("</scrip", hostmods.MaxText/7-2),
		"end tags that nothing begins": strings.Repeat("</x>", hostmods.MaxText/4),
	} {
		t.Run(name, func(t *testing.T) { tooMany(t, page) })
	}
	t.Run("the context is looked at", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := tooManyNodes(ctx, "<p>"); err == nil {
			t.Error("a call that was cancelled goes on")
		}
	})
}
