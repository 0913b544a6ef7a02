package cldr

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// goldenDir holds what ICU answers; QUICKSAND_INTL_GRID names a folder with the larger
// grid of gen-numbers.js, for which there is no list of exceptions.
func goldenDir() (dir string, grid bool) {
	if d := os.Getenv("QUICKSAND_INTL_GRID"); d != "" {
		return d, true
	}
	return filepath.Join("..", "..", "..", "testdata", "intl"), false
}

func readGolden(t *testing.T, name string, cases any) {
	t.Helper()
	dir, _ := goldenDir()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	file := struct {
		Versions map[string]string
		Cases    any
	}{Cases: cases}
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(name, err)
	}
	if file.Versions["cldr"] != "48.0" {
		t.Errorf("%s is of CLDR %s, the data of 48.0", name, file.Versions["cldr"])
	}
}

// A tally compares texts and collects the differences, each under a name that the
// exceptions file has too.
type tally struct {
	total int
	diffs map[string]string
}

func (c *tally) check(name, got, want string) {
	c.total++
	if got != want {
		if c.diffs == nil {
			c.diffs = map[string]string{}
		}
		c.diffs[name] = fmt.Sprintf("got %q want %q", got, want)
	}
}

// finish compares the differences with the lines "name<TAB>reason" of the exceptions
// file and fails when they are not the same, or are more than 1 %.
func (c *tally) finish(t *testing.T, section string) {
	t.Helper()
	t.Logf("%s: %d of %d equal", section, c.total-len(c.diffs), c.total)
	if _, grid := goldenDir(); grid {
		names := []string{}
		for n := range c.diffs {
			names = append(names, n)
		}
		sort.Strings(names)
		for i, n := range names {
			if i > 400 {
				break
			}
			t.Log(n, c.diffs[n])
		}
		t.Logf("%.3f %% equal", 100-100*float64(len(c.diffs))/float64(c.total))
		return
	}
	if len(c.diffs)*100 > c.total {
		t.Errorf("%s: %d of %d differ, more than 1 %%", section, len(c.diffs), c.total)
	}
	known := readExceptions(t, section)
	for n, d := range c.diffs {
		if _, ok := known[n]; !ok {
			t.Errorf("%s: %s", n, d)
		}
	}
	for n := range known {
		if _, ok := c.diffs[n]; !ok {
			t.Errorf("%s is listed as an exception but is equal, or not in the table", n)
		}
	}
}

func readExceptions(t *testing.T, section string) map[string]string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "intl", "number-exceptions.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, line := range strings.Split(string(b), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, ok := strings.Cut(line, "\t")
		if !ok || reason == "" {
			t.Fatalf("exceptions: %q has no reason", line)
		}
		if strings.HasPrefix(name, section+" ") {
			out[name] = reason
		}
	}
	return out
}

// goldenOptions are the options of all services, as JSON has them.
type goldenOptions struct {
	NumberOptions
	Type, Numeric string
}

// UnmarshalJSON takes the standard's spellings of useGrouping.
func (o *goldenOptions) UnmarshalJSON(b []byte) error {
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		return err
	}
	if m["useGrouping"] == false {
		m["useGrouping"] = "false"
	}
	o.Type, _ = m["type"].(string)
	o.Numeric, _ = m["numeric"].(string)
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, &o.NumberOptions)
}

func optionsName(raw json.RawMessage) string { return string(raw) }

func showParts(parts []Part) string {
	var list []string
	for _, p := range parts {
		s := p.Type + ":" + p.Value
		if p.Source != "" {
			s += ":" + p.Source
		}
		if p.Unit != "" {
			s += ":" + p.Unit
		}
		list = append(list, s)
	}
	return strings.Join(list, "|")
}

func TestNumbersEqualICU(t *testing.T) {
	t.Parallel()
	var cases []struct {
		Locale  string
		Options json.RawMessage
		Values  [][2]string
		Parts   [][2]string
	}
	readGolden(t, "numbers.json", &cases)
	var c tally
	for _, k := range cases {
		var o goldenOptions
		if err := json.Unmarshal(k.Options, &o); err != nil {
			t.Fatal(err)
		}
		name := "number " + k.Locale + " " + optionsName(k.Options)
		f, err := NewNumberFormat([]string{k.Locale}, o.NumberOptions)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, v := range k.Values {
			c.check(name+" "+v[0], f.Format(ParseDecimal(v[0])), v[1])
		}
		for _, v := range k.Parts {
			c.check(name+" parts "+v[0], showParts(f.FormatToParts(ParseDecimal(v[0]))), v[1])
		}
	}
	c.finish(t, "number")
}

func TestRangesEqualICU(t *testing.T) {
	t.Parallel()
	var cases []struct {
		Locale  string
		Options json.RawMessage
		Ranges  [][3]string
		Parts   [][3]string
	}
	readGolden(t, "ranges.json", &cases)
	var c tally
	for _, k := range cases {
		var o goldenOptions
		if err := json.Unmarshal(k.Options, &o); err != nil {
			t.Fatal(err)
		}
		name := "range " + k.Locale + " " + optionsName(k.Options)
		f, err := NewNumberFormat([]string{k.Locale}, o.NumberOptions)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, v := range k.Ranges {
			got, err := f.FormatRange(ParseDecimal(v[0]), ParseDecimal(v[1]))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			c.check(name+" "+v[0]+" "+v[1], got, v[2])
		}
		for _, v := range k.Parts {
			parts, err := f.FormatRangeToParts(ParseDecimal(v[0]), ParseDecimal(v[1]))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			c.check(name+" parts "+v[0]+" "+v[1], showParts(parts), v[2])
		}
	}
	c.finish(t, "range")
}

func TestPluralsEqualICU(t *testing.T) {
	t.Parallel()
	var cases []struct {
		Locale     string
		Options    json.RawMessage
		Values     map[string][]float64
		Categories []string
		Ranges     [][3]any
	}
	readGolden(t, "plurals.json", &cases)
	var c tally
	for _, k := range cases {
		var o goldenOptions
		if err := json.Unmarshal(k.Options, &o); err != nil {
			t.Fatal(err)
		}
		name := "plural " + k.Locale + " " + optionsName(k.Options)
		p, err := NewPluralRules([]string{k.Locale}, PluralOptions{Type: o.Type, DigitOptions: o.DigitOptions})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for want, values := range k.Values {
			for _, v := range values {
				c.check(fmt.Sprint(name, " ", v), p.Select(Float(v)), want)
			}
		}
		if k.Categories != nil {
			c.check(name+" categories", fmt.Sprint(p.ResolvedOptions().Categories), fmt.Sprint(k.Categories))
		}
		if k.Ranges == nil {
			continue
		}
		q, err := NewPluralRules([]string{k.Locale}, PluralOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range k.Ranges {
			got, err := q.SelectRange(Float(r[0].(float64)), Float(r[1].(float64)))
			if err != nil {
				t.Fatal(err)
			}
			c.check(fmt.Sprint(name, " range ", r[0], " ", r[1]), got, r[2].(string))
		}
	}
	c.finish(t, "plural")
}

func TestRelativeTimesEqualICU(t *testing.T) {
	t.Parallel()
	var cases []struct {
		Locale  string
		Options json.RawMessage
		Values  [][3]string
		Parts   [][3]string
	}
	readGolden(t, "relative.json", &cases)
	var c tally
	for _, k := range cases {
		var o goldenOptions
		if err := json.Unmarshal(k.Options, &o); err != nil {
			t.Fatal(err)
		}
		name := "relative " + k.Locale + " " + optionsName(k.Options)
		f, err := NewRelativeTimeFormat([]string{k.Locale}, RelativeOptions{Style: o.Style, Numeric: o.Numeric})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, v := range k.Values {
			got, err := f.Format(parseFloat(t, v[0]), v[1])
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			c.check(name+" "+v[0]+" "+v[1], got, v[2])
		}
		for _, v := range k.Parts {
			parts, err := f.FormatToParts(parseFloat(t, v[0]), v[1])
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			c.check(name+" parts "+v[0]+" "+v[1], showParts(parts), v[2])
		}
	}
	c.finish(t, "relative")
}

func parseFloat(t *testing.T, s string) float64 {
	t.Helper()
	var f float64
	if _, err := fmt.Sscan(s, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestListsEqualICU(t *testing.T) {
	t.Parallel()
	type value struct {
		items []string
		text  string
	}
	var cases []struct {
		Locale  string
		Options json.RawMessage
		Values  [][2]any
		Parts   [][2]any
	}
	readGolden(t, "lists.json", &cases)
	read := func(v [2]any) value {
		var out value
		for _, s := range v[0].([]any) {
			out.items = append(out.items, s.(string))
		}
		out.text = v[1].(string)
		return out
	}
	var c tally
	for _, k := range cases {
		var o goldenOptions
		if err := json.Unmarshal(k.Options, &o); err != nil {
			t.Fatal(err)
		}
		name := "list " + k.Locale + " " + optionsName(k.Options)
		f, err := NewListFormat([]string{k.Locale}, ListOptions{Type: o.Type, Style: o.Style})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, raw := range k.Values {
			v := read(raw)
			c.check(fmt.Sprint(name, " ", v.items), f.Format(v.items), v.text)
		}
		for _, raw := range k.Parts {
			v := read(raw)
			c.check(fmt.Sprint(name, " parts ", v.items), showParts(f.FormatToParts(v.items)), v.text)
		}
	}
	c.finish(t, "list")
}
