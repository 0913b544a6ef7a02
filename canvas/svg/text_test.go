package svg

import (
	"bytes"
	"context"
	"testing"

	"quicksand/canvas"
	"quicksand/canvas/text"
)

// TestTextIsThatOfTheCanvas compares text elements with the calls that draw the same.
func TestTextIsThatOfTheCanvas(t *testing.T) {
	for _, row := range []struct {
		name, body string
		draw       func(c *canvas.Context)
	}{
		{"a font by its properties", `<text x="3" y="20" font-family="sans-serif" font-size="14" font-weight="bold" font-style="italic" fill="red">Äg 1</text>`, func(c *canvas.Context) {
			c.SetFont("italic bold 14px sans-serif")
			c.SetFillColour(red)
			c.FillText("Äg 1", 3, 20)
		}},
		{"a font by its shorthand", `<text x="3" y="20" style="font: bold 14px monospace">a1</text>`, func(c *canvas.Context) {
			c.SetFont("bold 14px monospace")
			c.FillText("a1", 3, 20)
		}},
		{"a family in quotes", `<text x="3" y="20" font-family="'Liberation Mono', serif">a1</text>`, func(c *canvas.Context) {
			c.SetFont("16px monospace")
			c.FillText("a1", 3, 20)
		}},
		{"the end at x", `<text x="38" y="20" text-anchor="end">ab</text>`, func(c *canvas.Context) {
			c.SetFont("16px serif")
			c.SetTextAlign(text.AlignRight)
			c.FillText("ab", 38, 20)
		}},
		{"the middle at x", `<text x="20" y="20" text-anchor="middle">ab</text>`, func(c *canvas.Context) {
			c.SetFont("16px serif")
			c.SetTextAlign(text.AlignCenter)
			c.FillText("ab", 20, 20)
		}},
		{"letters apart", `<text x="1" y="20" letter-spacing="3">abc</text>`, func(c *canvas.Context) {
			c.SetFont("16px serif")
			c.SetLetterSpacing("3px")
			c.FillText("abc", 1, 20)
		}},
		{"a span goes on where the text ends", `<text x="1" y="20">a<tspan fill="red">b</tspan></text>`, func(c *canvas.Context) {
			c.SetFont("16px serif")
			c.FillText("a", 1, 20)
			m, err := c.MeasureText(context.Background(), "a")
			if err != nil {
				panic(err)
			}
			c.SetFillColour(red)
			c.FillText("b", 1+m.Width, 20)
		}},
		{"below the hanging baseline", `<text x="1" y="5" dominant-baseline="hanging">ab</text>`, func(c *canvas.Context) {
			c.SetFont("16px serif")
			c.SetTextBaseline(text.BaselineHanging)
			c.FillText("ab", 1, 5)
		}},
		{"white space that is kept", `<text x="1" y="20" xml:space="preserve">  a</text>`, func(c *canvas.Context) {
			c.SetFont("16px serif")
			c.FillText("  a", 1, 20)
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := render(t, in(row.body))
			c, err := canvas.NewContext(40, 40, canvas.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			row.draw(c)
			want, err := c.Surface(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Equal(want.Pix, make([]byte, len(want.Pix))) {
				t.Fatal("nothing is drawn")
			}
			if !bytes.Equal(got.Pix, want.Pix) {
				mae, _ := difference(got, want)
				t.Errorf("mean difference %.3f", mae)
			}
		})
	}
}
