package canvas

import (
	"math"
	"strings"
)

// parseModernColour reads the functions of "CSS Color Level 4" (W3C) that are not sRGB's older
// ones. Matrices are those of its section 18, sample code for conversions.
func parseModernColour(css string) (c [4]uint8, ok bool) {
	s := strings.ToLower(strings.Trim(css, " \t\n\r\f"))
	if s == "currentcolor" {
		return [4]uint8{3: 255}, true
	}
	name, rest, found := strings.Cut(s, "(")
	body, closed := strings.CutSuffix(rest, ")")
	if !found || !closed || strings.ContainsAny(body, "(),") || len(body) > 200 {
		return c, false
	}
	body, alpha, slash := strings.Cut(body, "/")
	args := strings.Fields(body)
	space := ""
	if name == "color" && len(args) > 0 {
		space, args = args[0], args[1:]
	}
	if len(args) != 3 {
		return c, false
	}
	a := 1.0
	if slash {
		if a, ok = component(strings.TrimSpace(alpha), 1); !ok {
			return c, false
		}
	}
	// What 100 % is for each component, 0 for an angle.
	var full [3]float64
	switch name {
	case "hwb":
		full = [3]float64{0, 100, 100}
	case "lab":
		full = [3]float64{100, 125, 125}
	case "lch":
		full = [3]float64{100, 150, 0}
	case "oklab":
		full = [3]float64{1, 0.4, 0.4}
	case "oklch":
		full = [3]float64{1, 0.4, 0}
	case "color":
		full = [3]float64{1, 1, 1}
	default:
		return c, false
	}
	var v [3]float64
	for i := range v {
		if full[i] == 0 {
			v[i], ok = hue(args[i])
		} else {
			v[i], ok = component(args[i], full[i])
		}
		if !ok {
			return c, false
		}
	}
	switch name {
	case "hwb":
		v = hwb(v)
	case "lch":
		sin, cos := math.Sincos(v[2] * math.Pi / 180)
		v = lab([3]float64{v[0], max(v[1], 0) * cos, max(v[1], 0) * sin})
	case "lab":
		v = lab(v)
	case "oklch":
		sin, cos := math.Sincos(v[2] * math.Pi / 180)
		v = oklab([3]float64{v[0], max(v[1], 0) * cos, max(v[1], 0) * sin})
	case "oklab":
		v = oklab(v)
	case "color":
		switch space {
		case "srgb":
		case "srgb-linear":
			v = encode(v)
		case "display-p3":
			for i := range v {
				v[i] = linear(v[i])
			}
			v = encode(times(&p3, v))
		case "xyz", "xyz-d65":
			v = encode(times(&xyz, v))
		case "xyz-d50":
			v = encode(times(&xyz, times(&d50, v)))
		default:
			return c, false
		}
	}
	for i, x := range v {
		c[i] = sample(x)
	}
	c[3] = sample(a)
	return c, true
}

func sample(v float64) uint8 { return uint8(math.Round(min(max(v, 0), 1) * 255)) }

// component reads a number, a percentage of full, or none, which is 0.
func component(s string, full float64) (float64, bool) {
	if s == "none" {
		return 0, true
	}
	number, percent := strings.CutSuffix(s, "%")
	v, ok := parseCSSNumber(number)
	if percent {
		v *= full / 100
	}
	return v, ok
}

// hue reads an angle, in degrees without a unit.
func hue(s string) (float64, bool) {
	for _, u := range []struct {
		name    string
		degrees float64
	}{{"deg", 1}, {"grad", 0.9}, {"rad", 180 / math.Pi}, {"turn", 360}} {
		if number, is := strings.CutSuffix(s, u.name); is {
			v, ok := parseCSSNumber(number)
			return v * u.degrees, ok
		}
	}
	return component(s, 0)
}

type matrix3 [9]float64

// times multiplies in an order that no platform fuses.
func times(m *matrix3, v [3]float64) (r [3]float64) {
	for i := range r {
		r[i] = float64(m[3*i]*v[0]) + float64(m[3*i+1]*v[1]) + float64(m[3*i+2]*v[2])
	}
	return r
}

var (
	// xyz takes XYZ of D65 to linear sRGB, d50 that of D50 to D65, p3 linear Display P3 to
	// linear sRGB.
	xyz = matrix3{12831.0 / 3959, -329.0 / 214, -1974.0 / 3959, -851781.0 / 878810, 1648619.0 / 878810, 36519.0 / 878810, 705.0 / 12673, -2585.0 / 12673, 705.0 / 667}
	d50 = matrix3{0.955473421488075, -0.02309845494876471, 0.06325924320057072, -0.0283697093338637, 1.0099953980813041, 0.021041441191917323, 0.012314014864481998, -0.020507649298898964, 1.330365926242124}
	p3  = matrix3{1.2249401762805598, -0.2249401762805598, 0, -0.0420569547096881, 1.0420569547096881, 0, -0.0196375545903344, -0.0786360455506319, 1.0982736001409663}
	// Oklab to the cube roots of cone responses, and those cubed to linear sRGB (Ottosson,
	// "A perceptual color space for image processing", 2020).
	okRoots = matrix3{1, 0.3963377773761749, 0.2158037573099136, 1, -0.1055613458156586, -0.0638541728258133, 1, -0.0894841775298119, -1.2914855480194092}
	okCones = matrix3{4.0767416360759583, -3.3077115392580629, 0.2309699031821043, -1.2684379732850315, 2.6097573492876882, -0.341319376002657, -0.0041960761386756, -0.7034186179359362, 1.7076146940746117}
)

func lab(v [3]float64) [3]float64 {
	const epsilon, kappa = 216.0 / 24389, 24389.0 / 27
	l := min(max(v[0], 0), 100)
	fy := (l + 16) / 116
	f := [3]float64{fy + v[1]/500, fy, fy - v[2]/200}
	white := [3]float64{0.3457 / 0.3585, 1, (1 - 0.3457 - 0.3585) / 0.3585}
	var w [3]float64
	for i, t := range f {
		if cube := t * t * t; cube > epsilon {
			w[i] = cube * white[i]
		} else {
			w[i] = (116*t - 16) / kappa * white[i]
		}
	}
	return encode(times(&xyz, times(&d50, w)))
}

func oklab(v [3]float64) [3]float64 {
	v[0] = min(max(v[0], 0), 1)
	r := times(&okRoots, v)
	for i, t := range r {
		r[i] = t * t * t
	}
	return encode(times(&okCones, r))
}

// hwb converts hue, whiteness and blackness.
func hwb(v [3]float64) (r [3]float64) {
	h := math.Mod(v[0], 360)
	if h < 0 {
		h += 360
	}
	w, b := max(v[1], 0)/100, max(v[2], 0)/100
	if w+b >= 1 {
		grey := w / (w + b)
		return [3]float64{grey, grey, grey}
	}
	for i, n := range []float64{0, 8, 4} {
		k := math.Mod(n+h/30, 12)
		pure := 0.5 - 0.5*max(-1, min(k-3, 9-k, 1))
		r[i] = pure*(1-w-b) + w
	}
	return r
}

// encode applies the transfer function of sRGB (IEC 61966-2-1), linear undoes it.
func encode(v [3]float64) [3]float64 {
	for i, x := range v {
		if x = min(max(x, 0), 1); x > 0.0031308 {
			v[i] = 1.055*math.Pow(x, 1/2.4) - 0.055
		} else {
			v[i] = 12.92 * x
		}
	}
	return v
}

func linear(x float64) float64 {
	if x > 0.04045 {
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return x / 12.92
}
