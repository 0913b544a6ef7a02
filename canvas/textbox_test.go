package canvas

import (
	"context"
	"slices"
	"strings"
	"testing"
)

func linesOf(t *testing.T, c *Context, s string, width float64, o TextBoxOptions) ([]string, TextBox) {
	t.Helper()
	l, err := c.layOut(context.Background(), s, width, &o)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, line := range l.lines {
		lines = append(lines, line.text)
	}
	return lines, l.box
}

func TestTextBoxLines(t *testing.T) {
	// In Liberation Mono each character is 6.001 px wide at 10 px.
	tests := []struct {
		name  string
		text  string
		chars int // that fit on a line
		o     TextBoxOptions
		want  []string
		cut   bool
	}{
		{"a text that fits is one line", "two words", 20, TextBoxOptions{}, []string{"two words"}, false},
		{"no text has no lines", "", 20, TextBoxOptions{}, nil, false},
		{"lines break between words", "the quick brown fox", 10, TextBoxOptions{}, []string{"the quick", "brown fox"}, false},
		{"white space at the end of a line takes no place", "the quick    brown", 9, TextBoxOptions{}, []string{"the quick", "brown"}, false},
		{"newlines break lines", "a\nb\r\nc\rd", 20, TextBoxOptions{}, []string{"a", "b", "c", "d"}, false},
		{"an empty line is kept", "a\n\nb", 20, TextBoxOptions{}, []string{"a", "", "b"}, false},
		{"a newline at the end adds no line", "a\n", 20, TextBoxOptions{}, []string{"a"}, false},
		{"a line separator breaks a line", "a\u2028b", 20, TextBoxOptions{}, []string{"a", "b"}, false},
		{"lines break after hyphens", "well-known", 7, TextBoxOptions{}, []string{"well-", "known"}, false},
		{"no-break spaces keep words together", "aa b\u00a0c d", 5, TextBoxOptions{}, []string{"aa", "b\u00a0c d"}, false},
		{"a long word is broken", "abcdefghij", 4, TextBoxOptions{}, []string{"abcd", "efgh", "ij"}, false},
		{"a long word begins a line, and the next goes on after it", "x abcdefghij y", 4, TextBoxOptions{}, []string{"x", "abcd", "efgh", "ij y"}, false},
		{"a line has a character at least", "abc", 0, TextBoxOptions{}, []string{"a", "b", "c"}, false},
		{"characters with marks are not broken", "e\u0301e\u0301", 1, TextBoxOptions{}, []string{"e\u0301", "e\u0301"}, false},
		{"ideographs break anywhere", "漢字漢字", 2, TextBoxOptions{}, nil, false},
		{"too many lines are cut off with an ellipsis", "aaa bbb ccc", 4, TextBoxOptions{MaxLines: 2}, []string{"aaa", "bbb…"}, true},
		{"the ellipsis takes the place of characters", "aaaa bbbb cccc", 4, TextBoxOptions{MaxLines: 2}, []string{"aaaa", "bbb…"}, true},
		{"an ellipsis may be longer", "aaaaaa bbbb", 6, TextBoxOptions{MaxLines: 1, Ellipsis: "..."}, []string{"aaa..."}, true},
		{"an ellipsis longer than the line stands alone", "aaaaaa bbbb", 2, TextBoxOptions{MaxLines: 1, Ellipsis: "....."}, []string{"....."}, true},
		{"no ellipsis", "aaa bbb ccc", 4, TextBoxOptions{MaxLines: 2, Ellipsis: "none"}, []string{"aaa", "bbb"}, true},
		{"a long word is cut off", "abcdefghij", 4, TextBoxOptions{MaxLines: 1}, []string{"abc…"}, true},
		{"a height cuts off", "a\nb\nc", 4, TextBoxOptions{MaxHeight: 24}, []string{"a", "b…"}, true},
		{"a height below a line keeps one", "a\nb\nc", 4, TextBoxOptions{MaxHeight: 1}, []string{"a…"}, true},
		{"as many lines as allowed are not cut off", "a\nb", 4, TextBoxOptions{MaxLines: 2}, []string{"a", "b"}, false},
		{"what is not UTF-8 is replaced", "a\xffb", 4, TextBoxOptions{}, []string{"a\ufffdb"}, false},
	}
	c := newTest(t, 10, 10, Options{})
	if !c.SetFont(`10px "Liberation Mono"`) {
		t.Fatal("the font does not parse")
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lines, box := linesOf(t, c, tt.text, float64(tt.chars)*6.002, tt.o)
			if tt.want == nil && tt.text != "" {
				if len(lines) < 2 || strings.Join(lines, "") != tt.text {
					t.Errorf("the lines are %q", lines)
				}
				return
			}
			if !slices.Equal(lines, tt.want) || box.Cut != tt.cut || box.Lines != len(lines) {
				t.Errorf("the lines are %q, cut off: %v; want %q, %v", lines, box.Cut, tt.want, tt.cut)
			}
		})
	}
}

func TestTextBoxSize(t *testing.T) {
	c := newTest(t, 10, 10, Options{})
	for _, tt := range []struct {
		font string
		o    TextBoxOptions
		want float64
	}{
		{"10px monospace", TextBoxOptions{}, 24},
		{"10px/20px monospace", TextBoxOptions{}, 40},
		{"10px/20px monospace", TextBoxOptions{LineHeight: 1.5}, 30},
	} {
		c.SetFont(tt.font)
		box, err := c.MeasureTextBox(context.Background(), "aa\nbbbb", 100, tt.o)
		if err != nil || box.Height != tt.want || box.Lines != 2 || box.Width < 24 || box.Width > 24.1 {
			t.Errorf("%s, %+v: %+v, %v", tt.font, tt.o, box, err)
		}
	}
}

// TestTextBoxPlaces looks at where a box of full blocks has ink.
func TestTextBoxPlaces(t *testing.T) {
	tests := []struct {
		name string
		o    TextBoxOptions
		rtl  bool
		text string
		x, y [2]int // from, to, about
	}{
		{"from the top left", TextBoxOptions{}, false, "█", [2]int{10, 22}, [2]int{10, 34}},
		{"at the end", TextBoxOptions{Align: "end"}, false, "█", [2]int{78, 90}, [2]int{10, 34}},
		{"at the start from right to left", TextBoxOptions{}, true, "█", [2]int{78, 90}, [2]int{10, 34}},
		{"at the end from right to left", TextBoxOptions{Align: "end"}, true, "█", [2]int{10, 22}, [2]int{10, 34}},
		{"at the left from right to left", TextBoxOptions{Align: "left"}, true, "█", [2]int{10, 22}, [2]int{10, 34}},
		{"in the centre", TextBoxOptions{Align: "center"}, false, "█", [2]int{44, 56}, [2]int{10, 34}},
		{"justified to both sides", TextBoxOptions{Align: "justify"}, false, "█ █ ██████", [2]int{10, 90}, [2]int{10, 58}},
		{"at the bottom", TextBoxOptions{MaxHeight: 80, VerticalAlign: "bottom"}, false, "█", [2]int{10, 22}, [2]int{66, 90}},
		{"in the middle", TextBoxOptions{MaxHeight: 80, VerticalAlign: "middle"}, false, "█", [2]int{10, 22}, [2]int{38, 62}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newTest(t, 100, 100, Options{})
			c.SetFont(`20px "Liberation Mono"`)
			if tt.rtl {
				c.SetDirection(RTL)
			}
			if box := c.FillTextBox(tt.text, 10, 10, 80, tt.o); box.Lines == 0 {
				t.Error("there are no lines")
			}
			pix := pixelsOf(t, c)
			x, y := [2]int{100, 0}, [2]int{100, 0}
			for i := range 100 * 100 {
				if pix[4*i+3] > 128 {
					x = [2]int{min(x[0], i%100), max(x[1], i%100+1)}
					y = [2]int{min(y[0], i/100), max(y[1], i/100+1)}
				}
			}
			near := func(a, b [2]int, by int) bool {
				return max(a[0]-b[0], b[0]-a[0]) <= by && max(a[1]-b[1], b[1]-a[1]) <= by
			}
			if !near(x, tt.x, 1) || !near(y, tt.y, 4) {
				t.Errorf("there is ink from %v to %v, want %v, %v", x, y, tt.x, tt.y)
			}
		})
	}
}

func TestTextBoxOptions(t *testing.T) {
	for _, tt := range []struct{ json, want string }{
		{"", ""},
		{"{}", ""},
		{`{"align":"justify","lineHeight":1.5,"maxLines":3,"maxHeight":50,"ellipsis":"none","verticalAlign":"bottom"}`, ""},
		{"[]", "the options of the text box are not a JSON object"},
		{`{"align":`, "the options of the text box are not a JSON object"},
		{`{"align":3}`, "align of the text box is not one of start, end, left, right, center, justify"},
		{`{"verticalAlign":"centre"}`, "verticalAlign of the text box is not one of top, middle, bottom"},
		{`{"lineHeight":-1}`, "lineHeight of the text box is not a number from 0 to 1e9"},
		{`{"maxHeight":"3"}`, "maxHeight of the text box is not a number from 0 to 1e9"},
		{`{"maxLines":1.5}`, "maxLines of the text box is not an integer"},
		{`{"ellipsis":null}`, "ellipsis of the text box is not a string"},
		{`{"linesMax":1}`, `a text box has no option "linesMax"`},
	} {
		_, err := ParseTextBoxOptions(tt.json)
		if got := ""; err != nil || tt.want != "" {
			if err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("%s: %q, want %q", tt.json, got, tt.want)
			}
		}
	}
}

func TestMeasureText(t *testing.T) {
	c := newTest(t, 10, 10, Options{})
	c.SetFont(`20px "Liberation Mono"`)
	measure := func(s string) TextMetrics {
		m, err := c.MeasureText(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	if m := measure(""); m.Width != 0 {
		t.Errorf("no text is %g wide", m.Width)
	}
	plain := measure("ab c").Width
	if plain < 48 || plain > 48.1 {
		t.Errorf("four characters are %g wide", plain)
	}
	c.SetLetterSpacing("0.1em")
	if got := measure("ab c").Width - plain; got < 7.99 || got > 8.01 {
		t.Errorf("letter spacing adds %g", got)
	}
	c.SetWordSpacing("5px")
	if got := measure("ab c").Width - plain; got < 12.99 || got > 13.01 {
		t.Errorf("letter and word spacing add %g", got)
	}
	if _, err := c.MeasureText(context.Background(), strings.Repeat("x", 2<<20)); err == nil {
		t.Error("a text that is too long is no error")
	}
	if c.Err() != nil {
		t.Errorf("measuring ends the context: %v", c.Err())
	}
}
