package image

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/colornames"
)

// maxColour is how long the text of a colour may be, in bytes: three numbers with all the
// digits that a float64 may have, and more.
const maxColour = 2048

// ParseColour reads a colour as CSS writes it ("CSS Color Level 4", W3C): #rgb, #rgba, #rrggbb
// and #rrggbbaa, a name, rgb() and hsl() in their older and newer forms. It gives straight
// red, green, blue and alpha. Values out of range are clamped, as CSS does.
func ParseColour(text string) (c [4]uint8, ok bool) {
	if len(text) > maxColour {
		return c, false
	}
	text = strings.ToLower(strings.Trim(text, " \t\r\n\f"))
	switch text {
	case "transparent":
		return c, true
	case "rebeccapurple": // the one name that is younger than SVG
		return [4]uint8{0x66, 0x33, 0x99, 255}, true
	}
	if hex, isHex := strings.CutPrefix(text, "#"); isHex {
		return parseHex(hex)
	}
	if n, found := colornames.Map[text]; found {
		return [4]uint8{n.R, n.G, n.B, n.A}, true
	}
	name, args, found := strings.Cut(text, "(")
	args, closed := strings.CutSuffix(args, ")")
	if !found || !closed {
		return c, false
	}
	parts, legacy, ok := colourArguments(args)
	if !ok {
		return c, false
	}
	var rgb [3]float64 // 0 to 1
	switch name {
	case "rgb", "rgba":
		percent := 0
		for i := range rgb {
			v, unit, ok := cssNumber(parts[i])
			switch {
			case !ok || unit != "" && unit != "%":
				return c, false
			case unit == "%":
				rgb[i] = v / 100
				percent++
			default:
				rgb[i] = v / 255
			}
		}
		if legacy && percent != 0 && percent != 3 {
			return c, false
		}
	case "hsl", "hsla":
		h, unit, ok := cssNumber(parts[0])
		if !ok {
			return c, false
		}
		switch unit {
		case "", "deg":
		case "grad":
			h *= 0.9
		case "rad":
			h *= 180 / math.Pi
		case "turn":
			h *= 360
		default:
			return c, false
		}
		var sl [2]float64
		for i := range sl {
			v, unit, ok := cssNumber(parts[i+1])
			if !ok || unit != "%" && (legacy || unit != "") {
				return c, false
			}
			sl[i] = min(max(v/100, 0), 1)
		}
		rgb = fromHSL(h, sl[0], sl[1])
	default:
		return c, false
	}
	for i, v := range rgb {
		c[i] = unit8(v)
	}
	c[3] = 255
	if len(parts) == 4 {
		v, unit, ok := cssNumber(parts[3])
		switch {
		case !ok || unit != "" && unit != "%":
			return c, false
		case unit == "%":
			v /= 100
		}
		c[3] = unit8(v)
	}
	return c, true
}

// unit8 is a share of 1 as a sample.
func unit8(v float64) uint8 { return uint8(min(max(v, 0), 1)*255 + 0.5) }

func parseHex(hex string) (c [4]uint8, ok bool) {
	v, err := strconv.ParseUint(hex, 16, 32)
	if err != nil || hex[0] == '+' || hex[0] == '-' {
		return c, false
	}
	c[3] = 255
	n := len(hex)
	switch n {
	case 3, 4:
		for i := range n {
			c[i] = uint8(v>>(4*(n-1-i))&15) * 17
		}
	case 6, 8:
		for i := range n / 2 {
			c[i] = uint8(v >> (4 * (n - 2 - 2*i)))
		}
	default:
		return c, false
	}
	return c, true
}

// colourArguments takes "1, 2, 3, 0.5", or "1 2 3 / 0.5", apart: three or four parts.
func colourArguments(text string) (parts []string, legacy, ok bool) {
	if strings.Contains(text, ",") {
		parts = strings.Split(text, ",")
		legacy = true
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
	} else {
		colour, alpha, hasAlpha := strings.Cut(text, "/")
		parts = strings.Fields(colour)
		if len(parts) != 3 {
			return nil, false, false
		}
		for i, p := range parts {
			if p == "none" {
				parts[i] = "0"
				if i > 0 && strings.Contains(text, "%") {
					parts[i] = "0%"
				}
			}
		}
		if hasAlpha {
			alpha = strings.TrimSpace(alpha)
			if alpha == "none" {
				alpha = "0"
			}
			parts = append(parts, alpha)
		}
	}
	return parts, legacy, len(parts) == 3 || len(parts) == 4
}

// cssNumber reads a number and its unit.
func cssNumber(text string) (v float64, unit string, ok bool) {
	end := len(text)
	for end > 0 && (text[end-1] >= 'a' && text[end-1] <= 'z' || text[end-1] == '%') {
		end--
	}
	number := text[:end]
	if number == "" || strings.ContainsAny(number, "_xpinf") || number[len(number)-1] == '.' {
		return 0, "", false
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil && !math.IsInf(v, 0) {
		return 0, "", false
	}
	return min(max(v, -1e9), 1e9), text[end:], true
}

// fromHSL is section 7.1 of the recommendation.
func fromHSL(h, s, l float64) [3]float64 {
	h = math.Mod(h, 360)
	if h < 0 {
		h += 360
	}
	f := func(n float64) float64 {
		k := math.Mod(n+h/30, 12)
		return l - s*min(l, 1-l)*max(-1, min(k-3, 9-k, 1))
	}
	return [3]float64{f(0), f(8), f(4)}
}
