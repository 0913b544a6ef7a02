package canvas

import "testing"

func TestParseColour(t *testing.T) {
	for _, tt := range []struct {
		css  string
		want [4]uint8
	}{
		{"red", red},
		{"#0f08", [4]uint8{0, 255, 0, 136}},
		{"rgb(1 2 3 / 50%)", [4]uint8{1, 2, 3, 128}},
		{"currentcolor", black},
		{"hwb(120 0% 0%)", green},
		{"hwb(0.5turn 20% 40%)", [4]uint8{51, 153, 153, 255}},
		{"hwb(90 80% 80%)", [4]uint8{128, 128, 128, 255}},
		{"lab(50% 0 0)", [4]uint8{119, 119, 119, 255}},
		{"lab(29.2345% 39.3825 20.0664)", [4]uint8{125, 35, 41, 255}},
		{"lch(52.2345% 72.2 56.2)", [4]uint8{198, 93, 6, 255}},
		{"oklab(59.69% 0.1007 0.1191)", [4]uint8{198, 93, 6, 255}},
		{"oklab(100% 0 0)", white},
		{"oklch(40.101% 0.12332 21.555)", [4]uint8{125, 35, 41, 255}},
		{"color(srgb 1 0.5 0)", [4]uint8{255, 128, 0, 255}},
		{"color(srgb-linear 0.5 0 none / 0.5)", [4]uint8{188, 0, 0, 128}},
		{"color(display-p3 0 1 0)", green},
		{"color(xyz 0.9504559 1 1.0890578)", white},
		{"color(xyz-d50 0.96422 1 0.82521)", white},
		{" OKLAB(100% 0 0) ", white},
	} {
		got, ok := ParseColour(tt.css)
		within := ok
		for i := range got {
			d := int(got[i]) - int(tt.want[i])
			within = within && d >= -1 && d <= 1
		}
		if !within {
			t.Errorf("%s is %v, %v, want %v", tt.css, got, ok, tt.want)
		}
	}
	for _, css := range []string{"", "reddish", "lab(1 2)", "lab(1 2 3 4)", "lab(1, 2, 3)", "color(rec1000 0 0 0)", "color(srgb 0 0)", "oklch(1 2 3x)", "lab(1 2 0x3)", "lab(1 2 inf)", "lab(1 2 3 / )", "lab((1 2 3))"} {
		if c, ok := ParseColour(css); ok {
			t.Errorf("%q is the colour %v", css, c)
		}
	}
}

func TestSerializeColour(t *testing.T) {
	for _, tt := range []struct {
		colour [4]uint8
		want   string
	}{
		{[4]uint8{1, 171, 255, 255}, "#01abff"},
		{[4]uint8{0, 0, 0, 0}, "rgba(0, 0, 0, 0)"},
		{[4]uint8{1, 2, 3, 128}, "rgba(1, 2, 3, 0.5)"},
		{[4]uint8{1, 2, 3, 127}, "rgba(1, 2, 3, 0.498)"},
		{[4]uint8{1, 2, 3, 51}, "rgba(1, 2, 3, 0.2)"},
		{[4]uint8{1, 2, 3, 254}, "rgba(1, 2, 3, 0.996)"},
		{[4]uint8{1, 2, 3, 1}, "rgba(1, 2, 3, 0.004)"},
	} {
		if got := SerializeColour(tt.colour); got != tt.want {
			t.Errorf("%v is written %s, want %s", tt.colour, got, tt.want)
		}
	}
	// What is written reads back.
	for a := range 256 {
		c := [4]uint8{10, 20, 30, uint8(a)}
		if got, ok := ParseColour(SerializeColour(c)); !ok || got != c {
			t.Errorf("%v is written %s and read %v", c, SerializeColour(c), got)
		}
	}
}

func TestLengths(t *testing.T) {
	for _, tt := range []struct {
		css, written string
		pixels       float64 // at a font of 20 px
	}{
		{"3px", "3px", 3}, {"-2.50PX", "-2.5px", -2.5}, {"0", "0px", 0}, {"0.1em", "0.1em", 2}, {"1rem", "1rem", 16}, {"72pt", "72pt", 96}, {" 1in ", "1in", 96}, {"1e1px", "10px", 10}, {"2ch", "2ch", 20},
	} {
		l, ok := ParseLength(tt.css)
		if !ok || l.String() != tt.written || l.Pixels(20) != tt.pixels {
			t.Errorf("%q is %s of %g px, %v", tt.css, l, l.Pixels(20), ok)
		}
	}
	for _, css := range []string{"", "3", "px", "3 px", "3%", "infpx", "0x1px", "1.px", "1e999px", "nanpx"} {
		if l, ok := ParseLength(css); ok {
			t.Errorf("%q is the length %s", css, l)
		}
	}
}
