package canvas

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	mediaimage "quicksand/media/image"
)

// ParseColour reads a colour as CSS writes it ("CSS Color Level 4", W3C): what
// image.ParseColour reads, and hwb(), lab(), lch(), oklab(), oklch() and color() with the
// spaces srgb, srgb-linear, display-p3, xyz, xyz-d50 and xyz-d65, whose colours outside of
// sRGB are cut off channel by channel, and the names of system colours. currentcolor is black,
// as it is for a canvas that is in no document. It gives straight red, green, blue and alpha.
func ParseColour(css string) ([4]uint8, bool) {
	css = plainCSS(css)
	if c, ok := mediaimage.ParseColour(css); ok {
		return c, true
	}
	if name := strings.ToLower(strings.Trim(css, " \t\r\n\f")); len(name) < 32 {
		if c, ok := systemColours[name]; ok {
			return c, true
		}
	}
	return parseModernColour(css)
}

// systemColours are those of "CSS Color Level 4", 6.2, with the values that Chromium has for
// them on a light page, and the names that are no longer recommended (Appendix A), which stand
// for the newer ones.
var systemColours = func() map[string][4]uint8 {
	all := map[string][4]uint8{}
	for colour, names := range map[[4]uint8]string{
		{0, 0, 0, 255}:       "buttonborder buttontext canvastext fieldtext marktext activeborder captiontext inactiveborder infotext menutext threeddarkshadow threedhighlight threedlightshadow threedshadow windowframe windowtext",
		{255, 255, 255, 255}: "canvas field highlighttext selecteditemtext accentcolortext activecaption appworkspace background inactivecaption infobackground menu scrollbar window",
		{239, 239, 239, 255}: "buttonface buttonhighlight buttonshadow threedface",
		{128, 128, 128, 255}: "graytext inactivecaptiontext",
		{25, 103, 210, 255}:  "highlight selecteditem accentcolor",
		{255, 255, 0, 255}:   "mark",
		{0, 0, 238, 255}:     "linktext",
		{85, 26, 139, 255}:   "visitedtext",
		{255, 0, 0, 255}:     "activetext",
	} {
		for _, name := range strings.Fields(names) {
			all[name] = colour
		}
	}
	return all
}()

// plainCSS is a value without comments, and with the parenthesis closed that the end of the
// text closes ("CSS Syntax Module Level 3").
func plainCSS(css string) string {
	if strings.Contains(css, "/*") {
		var plain strings.Builder
		for css != "" {
			before, rest, _ := strings.Cut(css, "/*")
			plain.WriteString(before)
			_, css, _ = strings.Cut(rest, "*/")
		}
		css = plain.String()
	}
	if strings.Contains(css, "(") && !strings.Contains(css, ")") {
		css += ")"
	}
	return css
}

// SerializeColour writes a straight colour as fillStyle reads it back ("HTML Standard",
// serialization of a color): #rrggbb when it is opaque, otherwise rgba(r, g, b, a) with the
// shortest alpha of two or else three digits that gives the byte again.
func SerializeColour(c [4]uint8) string {
	if c[3] == 255 {
		return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2])
	}
	a := math.Round(float64(c[3])*100/255) / 100
	if math.Round(a*255) != float64(c[3]) {
		a = math.Round(float64(c[3])*1000/255) / 1000
	}
	return fmt.Sprintf("rgba(%d, %d, %d, %s)", c[0], c[1], c[2], strconv.FormatFloat(a, 'f', -1, 64))
}

// A Length is a CSS length.
type Length struct {
	Value float64
	Unit  string // in lower case: px, pt, pc, in, cm, mm, q, em, rem, ex, ch, ic
}

var lengthUnits = map[string]float64{
	"px": 1, "in": 96, "pt": 96.0 / 72, "pc": 16, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6,
	// Of fonts: a root font of 16 px, and the ratios which CSS gives for the case that they
	// are not known.
	"rem": 16, "em": 0, "ex": 0, "ch": 0, "ic": 0,
}

// ParseLength reads a length: a number and a unit, or 0.
func ParseLength(css string) (Length, bool) {
	s := strings.ToLower(strings.Trim(css, " \t\n\r\f"))
	n := len(s)
	for n > 0 && s[n-1] >= 'a' && s[n-1] <= 'z' {
		n--
	}
	v, ok := parseCSSNumber(s[:n])
	if !ok {
		return Length{}, false
	}
	unit := s[n:]
	if unit == "" {
		return Length{Unit: "px"}, v == 0
	}
	if _, ok := lengthUnits[unit]; !ok {
		return Length{}, false
	}
	return Length{v, unit}, true
}

// String writes the length as CSS does.
func (l Length) String() string {
	return strconv.FormatFloat(l.Value, 'f', -1, 64) + l.Unit
}

// Pixels is the length in pixels, for a font of size pixels.
func (l Length) Pixels(size float64) float64 {
	switch l.Unit {
	case "em", "ic":
		return l.Value * size
	case "ex", "ch":
		return l.Value * size / 2
	}
	return l.Value * lengthUnits[l.Unit]
}

// parseCSSNumber reads a finite number as CSS writes it.
func parseCSSNumber(s string) (float64, bool) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9', c == '.', c == '+', c == '-', c == 'e':
		default: // what ParseFloat reads besides: inf, nan, hexadecimal, underscores
			return 0, false
		}
	}
	if s == "" || s[len(s)-1] == '.' {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}
