package image

import (
	"strings"
	"testing"
)

func TestColours(t *testing.T) {
	for text, want := range map[string][4]uint8{
		"#f80": {255, 136, 0, 255}, "#F808": {255, 136, 0, 136}, "#102030": {16, 32, 48, 255}, "#10203040": {16, 32, 48, 64},
		"red": {255, 0, 0, 255}, " Tomato\n": {255, 99, 71, 255}, "rebeccapurple": {102, 51, 153, 255}, "transparent": {},
		"lightgoldenrodyellow": {250, 250, 210, 255}, "grey": {128, 128, 128, 255},
		"rgb(1, 2, 3)": {1, 2, 3, 255}, "rgba(1,2,3,.5)": {1, 2, 3, 128}, "rgb(1 2 3)": {1, 2, 3, 255}, "RGB(1 2 3 / 50%)": {1, 2, 3, 128},
		"rgb(100%, 50%, 0%)": {255, 128, 0, 255}, "rgb(300, -5, 1e1)": {255, 0, 10, 255}, "rgb(1 none 3 / none)": {1, 0, 3, 0}, "rgb(12.5 0 0)": {13, 0, 0, 255},
		"hsl(120, 100%, 50%)": {0, 255, 0, 255}, "hsl(240deg 100% 50%)": {0, 0, 255, 255}, "hsla(-120, 100%, 50%, 0.25)": {0, 0, 255, 64},
		"hsl(0.5turn 100% 25%)": {0, 128, 128, 255}, "hsl(400grad 100% 50%)": {255, 0, 0, 255}, "hsl(30 100 50)": {255, 128, 0, 255}, "hsl(0 none 50%)": {128, 128, 128, 255},
	} {
		if got, ok := ParseColour(text); !ok || got != want {
			t.Errorf("%q: got %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", " ", "#", "#12", "#12345", "#1234567", "#ggg", "#+12", "#-1234", "reddish", "rgb", "rgb(", "rgb()", "rgb(1,2)", "rgb(1,2,3,4,5)", "rgb(1 2 3 4)",
		"rgb(1, 2 3)", "rgb(1,,3)", "rgb(10%, 2, 3)", "rgb(0x10, 0, 0)", "rgb(nan,0,0)", "rgb(inf 0 0)", "rgb(1_0 0 0)", "rgb(1. 0 0)", "rgb(1px 0 0)", "rgb(none, 0, 0)",
		"hsl(1,2,3)", "hsl(1px 2% 3%)", "hsl(a 2% 3%)", "lab(1 2 3)", "url(x)", "currentcolor", "rgb(1 2 3 /)", "rgb(1 2 3 / 4 / 5)", "rgb(0 0 0)x", strings.Repeat("f", 200), "red\x00", "réd"} {
		if got, ok := ParseColour(text); ok {
			t.Errorf("%q: got %v, want none", text, got)
		}
	}
}

func FuzzParseColour(f *testing.F) {
	for _, s := range []string{"#abc", "rgb(1 2 3 / 50%)", "hsl(1turn, 2%, 3%, 1)", "tomato", "rgb(none none none)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, ok := ParseColour(s)
		if b, again := ParseColour(strings.ToUpper(s)); ok && isASCII(s) && (!again || a != b) {
			t.Errorf("%q in capitals: got %v and %v", s, a, b)
		}
	})
}

func isASCII(s string) bool { return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0 }
