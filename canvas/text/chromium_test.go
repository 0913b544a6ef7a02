package text

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func readJSON(t *testing.T, name string, v any) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatal(err)
	}
}

// TestFontsReadBackAsInChromium has the deliberate differences as its table.
func TestFontsReadBackAsInChromium(t *testing.T) {
	different := map[string]string{
		// No viewport.
		"10vw a": "", "1vh a": "",
		// Measures of Liberation Sans itself, not of hinted glyphs of another font.
		"2ch a": "11.123px a", "2ex a": "10.5664px a",
		// Stretches and angles are kept.
		"condensed 10px serif":     "condensed 10px serif",
		"ultra-expanded 10px a":    "ultra-expanded 10px a",
		"oblique -10deg 10px a":    "oblique -10deg 10px a",
		"oblique 0.25turn 10px a":  "oblique 90deg 10px a",
		"oblique 10grad 10px a":    "oblique 9deg 10px a",
		"oblique 20deg 20px serif": "oblique 20deg 20px serif",
		`semi-condensed small-caps bold italic 10px/3 a, "b c", serif`: `italic bold small-caps semi-condensed 10px a, "b c", serif`,
	}
	var rows [][2]string
	readJSON(t, "fonts.json", &rows)
	if len(rows) < 150 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		want, ok := different[row[0]]
		if !ok {
			want = row[1]
		}
		got := ""
		if f, ok := ParseFont(row[0]); ok {
			got = f.String()
			again, ok := ParseFont(got)
			if s := again.String(); !ok || s != got {
				t.Errorf("%q: %q reads back as %q", row[0], got, s)
			}
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", row[0], got, want)
		}
	}
}

func index[T ~uint8](t *testing.T, word string, words ...string) T {
	t.Helper()
	i := slices.Index(words, word)
	if i < 0 {
		t.Fatalf("no word %q", word)
	}
	return T(i)
}

func TestMetricsAreThoseOfChromium(t *testing.T) {
	var rows []struct {
		Font, Text                                               string
		Set                                                      map[string]string
		Width, Ascent, Descent, Hanging, Ideographic, Alphabetic float64
		Box                                                      [4]float64
	}
	readJSON(t, "metrics.json", &rows)
	if len(rows) < 500 {
		t.Fatalf("%d rows", len(rows))
	}
	fonts := NewFonts()
	for _, r := range rows {
		f, ok := ParseFont(r.Font)
		if !ok {
			t.Fatal(r.Font)
		}
		var o Options
		var align Align
		var base Baseline
		px := func(v string) float64 {
			n, err := strconv.ParseFloat(strings.TrimSuffix(v, "px"), 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		for k, v := range r.Set {
			switch k {
			case "fontKerning":
				o.Kerning = index[Kerning](t, v, "auto", "normal", "none")
			case "textRendering":
				o.Rendering = index[Rendering](t, v, "auto", "optimizeSpeed", "optimizeLegibility", "geometricPrecision")
			case "letterSpacing":
				o.LetterSpacing = px(v)
			case "wordSpacing":
				o.WordSpacing = px(v)
			case "fontVariantCaps":
				o.Caps = index[Caps](t, v, "normal", "small-caps", "all-small-caps", "petite-caps", "all-petite-caps", "unicase", "titling-caps")
			case "direction":
				o.RTL = v == "rtl"
			case "textAlign":
				align = index[Align](t, v, "start", "end", "left", "right", "center")
			case "textBaseline":
				base = index[Baseline](t, v, "alphabetic", "top", "hanging", "middle", "ideographic", "bottom")
			default:
				t.Fatal(k)
			}
		}
		l, err := fonts.Shape(context.Background(), f, o, r.Text)
		if err != nil {
			t.Fatal(err)
		}
		m := l.Metrics(align, base)
		check := func(name string, got, want, tolerance float64) {
			if math.Abs(got-want) > tolerance {
				t.Errorf("%s %q %v: %s %.4f, want %.4f", r.Font, r.Text, r.Set, name, got, want)
			}
		}
		check("width", m.Width, r.Width, 0.01)
		check("fontBoundingBoxAscent", m.FontAscent, r.Ascent, 0.02)
		check("fontBoundingBoxDescent", m.FontDescent, r.Descent, 0.02)
		check("hangingBaseline", m.HangingBaseline, r.Hanging, 0.02)
		check("ideographicBaseline", m.IdeographicBaseline, r.Ideographic, 0.02)
		check("alphabeticBaseline", m.AlphabeticBaseline, r.Alphabetic, 0.02)
		if strings.TrimSpace(r.Text) != "" {
			check("actualBoundingBoxLeft", m.ActualLeft, r.Box[0], 2)
			check("actualBoundingBoxRight", m.ActualRight, r.Box[1], 2)
			check("actualBoundingBoxAscent", m.ActualAscent, r.Box[2], 2)
			check("actualBoundingBoxDescent", m.ActualDescent, r.Box[3], 2)
		}
	}
}
