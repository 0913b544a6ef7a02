package paint

import (
	"math"
	"strings"
	"testing"

	pix "quicksand/media/image"
)

func TestFilterLists(t *testing.T) {
	black := [4]uint8{0, 0, 0, 255}
	one := func(k pix.FilterKind, amount float64) FilterStep {
		return FilterStep{Filter: pix.Filter{Kind: k, Amount: amount}}
	}
	drop := func(x, y, sigma float64, c [4]uint8) FilterStep {
		return FilterStep{DropShadow: &DropShadow{x, y, sigma, c}}
	}
	for css, want := range map[string][]FilterStep{
		"none":                        {},
		"  NONE\t":                    {},
		"blur(5px)":                   {one(pix.Blur, 5)},
		"blur()":                      {one(pix.Blur, 0)},
		"blur( 0 )":                   {one(pix.Blur, 0)},
		"blur(1e3px)":                 {one(pix.Blur, MaxSigma)},
		"blur(2em)":                   {one(pix.Blur, 40)},
		"blur(1rem)":                  {one(pix.Blur, 16)},
		"blur(0.5in)":                 {one(pix.Blur, 48)},
		"blur(1cm)":                   {one(pix.Blur, 96/2.54)},
		"blur(10Q)":                   {one(pix.Blur, 96/10.16)},
		"blur(3pt)":                   {one(pix.Blur, 4)},
		"blur(1pc)":                   {one(pix.Blur, 16)},
		"blur(+.5px)":                 {one(pix.Blur, 0.5)},
		"Brightness(150%)":            {one(pix.Brightness, 1.5)},
		"brightness()":                {one(pix.Brightness, 1)},
		"contrast(0)":                 {one(pix.Contrast, 0)},
		"grayscale(2)":                {one(pix.Grayscale, 1)},
		"sepia(50%)":                  {one(pix.Sepia, 0.5)},
		"invert(1e-1)":                {one(pix.Invert, 0.1)},
		"opacity(150%)":               {one(pix.Opacity, 1)},
		"saturate(3)":                 {one(pix.Saturate, 3)},
		"hue-rotate()":                {one(pix.HueRotate, 0)},
		"hue-rotate(0)":               {one(pix.HueRotate, 0)},
		"hue-rotate(-90deg)":          {one(pix.HueRotate, -90)},
		"hue-rotate(.5turn)":          {one(pix.HueRotate, 180)},
		"hue-rotate(100grad)":         {one(pix.HueRotate, 90)},
		"hue-rotate(3.14rad)":         {one(pix.HueRotate, 3.14*180/math.Pi)},
		"invert() blur(1px)":          {one(pix.Invert, 1), one(pix.Blur, 1)},
		"invert()blur(1px)":           {one(pix.Invert, 1), one(pix.Blur, 1)},
		"drop-shadow(1px 2px)":        {drop(1, 2, 0, black)},
		"drop-shadow(-1px 0 3px red)": {drop(-1, 0, 3, [4]uint8{255, 0, 0, 255})},
		"drop-shadow(#00f8 1px 2px)":  {drop(1, 2, 0, [4]uint8{0, 0, 255, 136})},
		"drop-shadow(1px 2px 4px RGBA(1, 2, 3, 0.5))": {drop(1, 2, 4, [4]uint8{1, 2, 3, 128})},
		"drop-shadow(0 0 currentColor)":               {drop(0, 0, 0, black)},
	} {
		got, ok := ParseFilter(css, 20)
		if !ok || len(got) != len(want) {
			t.Errorf("%q: got %v, %v", css, got, ok)
			continue
		}
		for i, g := range got {
			w := want[i]
			switch {
			case (g.DropShadow == nil) != (w.DropShadow == nil),
				g.DropShadow != nil && *g.DropShadow != *w.DropShadow,
				g.DropShadow == nil && (g.Kind != w.Kind || math.Abs(g.Amount-w.Amount) > 1e-9):
				t.Errorf("%q: step %d is %v %v, want %v %v", css, i, g.Filter, g.DropShadow, w.Filter, w.DropShadow)
			}
		}
	}
	for _, css := range []string{
		"", " ", "blur", "blur(", "blur(5px", "blur(5)", "blur(-1px)", "blur(5%)", "blur(5px 5px)", "blur(5deg)", "blur (5px)", "blur(px)", "blur(5p x)",
		"brightness(-1)", "brightness(1px)", "brightness(1,2)", "brightness(1.)", "brightness(1_0)", "brightness(0x1)", "brightness(inf)", "brightness(nan)", "brightness(--1)",
		"grayscale(-1%)", "hue-rotate(90)", "hue-rotate(90px)", "hue-rotate(50%)", "url(#f)", "none blur(1px)", "blur(1px) none", "blur(1px), invert()", "shake(1)", "initial", "inherit", "unset",
		"drop-shadow()", "drop-shadow(1px)", "drop-shadow(1px 2px -3px)", "drop-shadow(1px 2px 3px 4px)", "drop-shadow(red)", "drop-shadow(1px red 2px)", "drop-shadow(red 1px 2px blue)", "drop-shadow(1px 2px red 3px)", "drop-shadow(1 2)", "drop-shadow(1px, 2px)",
		strings.Repeat("invert()", 65), "blur(" + strings.Repeat("0", 10000) + "px)",
	} {
		if got, ok := ParseFilter(css, 20); ok {
			t.Errorf("%.40q is understood: %v", css, got)
		}
	}
}

func TestLengths(t *testing.T) {
	for css, want := range map[string]float64{"3px": 3, " -2PX ": -2, "0": 0, "0.5em": 5, "1ex": 5, "2ch": 10, "1e1px": 10, "1e9px": 1e6, "72pt": 96, "25.4mm": 96} {
		if got, ok := ParseLength(css, 10); !ok || math.Abs(got-want) > 1e-9 {
			t.Errorf("%q: got %v, %v, want %v", css, got, ok, want)
		}
	}
	for _, css := range []string{"", "3", "px", "3 px", "3%", "normal", "1e", "e", "+", ".px", "3vw"} {
		if got, ok := ParseLength(css, 10); ok {
			t.Errorf("%q is %v", css, got)
		}
	}
}

func FuzzParseFilter(f *testing.F) {
	for _, css := range []string{"none", "blur(5px)", "drop-shadow(rgb(1 2 3 / 4%) 1px 2px 3em) hue-rotate(1turn)", "brightness(1e-5)"} {
		f.Add(css)
	}
	f.Fuzz(func(t *testing.T, css string) {
		steps, ok := ParseFilter(css, 16)
		if !ok {
			return
		}
		for _, s := range steps {
			if s.DropShadow != nil {
				if d := s.DropShadow; !(d.Sigma >= 0 && d.Sigma <= MaxSigma && d.X-d.X == 0 && d.Y-d.Y == 0) {
					t.Errorf("%q: %v", css, *d)
				}
			} else if err := s.Filter.Check(); err != nil {
				t.Errorf("%q: %v", css, err)
			}
		}
	})
}
