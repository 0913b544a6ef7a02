package text

import "testing"

func TestWhatNoFaceHasIsABox(t *testing.T) {
	for _, css := range []string{"20px serif", "italic bold 20px serif", "20px sans-serif", "20px monospace", "20px nowhere"} {
		font, ok := ParseFont(css)
		if !ok {
			t.Fatal(css)
		}
		line, err := NewFonts().Shape(t.Context(), font, Options{}, "a\u65e5\u672cb")
		if err != nil {
			t.Fatal(err)
		}
		if len(line.Glyphs) != 4 {
			t.Fatalf("%s: %d glyphs", css, len(line.Glyphs))
		}
		for i, g := range line.Glyphs {
			if missing := i == 1 || i == 2; missing != (g.ID == 0) || g.Face.outline(g.ID).path.Len() == 0 {
				t.Errorf("%s: glyph %d is number %d of %s, of %d segments", css, i, g.ID, g.Face.info.Family, g.Face.outline(g.ID).path.Len())
			}
		}
	}
}
