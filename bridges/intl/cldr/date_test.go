package cldr

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	dateAll    = flag.String("date.all", "", "table to compare with instead of date.tsv (gen-dates.js N)")
	dateUpdate = flag.Bool("date.update", false, "rewrite date-exceptions.tsv, keeping the reasons")
)

const intlData = "../../../testdata/intl/"

// readTSV returns the rows of a table without comments.
func readTSV(t testing.TB, file string, columns int) [][]string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows [][]string
	for s := bufio.NewScanner(f); s.Scan(); {
		if line := s.Text(); line != "" && line[0] != '#' {
			row := strings.Split(line, "\t")
			if len(row) != columns {
				t.Fatalf("%s: %d columns, want %d: %s", file, len(row), columns, line)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// options reads DateTimeOptions as a guest writes them.
func dateOptions(t testing.TB, text, zone string) DateTimeOptions {
	t.Helper()
	var o DateTimeOptions
	// The names differ from the fields' in the case of one letter, which encoding/json ignores.
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	o.TimeZone = zone
	return o
}

// exceptions are the rows in which ICU and we differ, with the reason.
func exceptions(t *testing.T, file string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, r := range readTSV(t, file, 3) {
		if r[2] == "?" && !*dateUpdate {
			t.Errorf("%s: no reason for %s", file, r[1])
		}
		out[r[0]+"\t"+r[1]] = r[2]
	}
	return out
}

// compareTable checks cases against the wanted strings, and what differs against the
// list of exceptions: at least least per cent must agree, and the list must be the truth.
func compareTable(t *testing.T, table string, least float64, rows [][]string, got func(row []string) (string, string)) {
	t.Helper()
	file := intlData + "date-exceptions.tsv"
	known := exceptions(t, file)
	found := map[string]string{}
	bad := 0
	for _, r := range rows {
		have, want := got(r)
		if have == want {
			continue
		}
		bad++
		id := table + "\t" + strings.Join(r[:len(r)-1], " ")
		if *dateAll == "" {
			found[id] = have
		}
		if _, ok := known[id]; !ok && !*dateUpdate {
			t.Errorf("%s\n got %s\nwant %s", id, have, want)
		}
	}
	agree := 100 * float64(len(rows)-bad) / float64(len(rows))
	t.Logf("%s: %d of %d agree, %.2f %%", table, len(rows)-bad, len(rows), agree)
	if agree < least {
		t.Errorf("%s: %.2f %% agree with ICU, want at least %g", table, agree, least)
	}
	if *dateAll != "" {
		return
	}
	for id := range known {
		if strings.HasPrefix(id, table+"\t") && found[id] == "" && !*dateUpdate {
			t.Errorf("%s is listed as an exception and agrees", id)
		}
	}
	if *dateUpdate {
		maps.DeleteFunc(known, func(id, _ string) bool { return strings.HasPrefix(id, table+"\t") && found[id] == "" })
		for id := range found {
			if known[id] == "" {
				known[id] = "?"
			}
		}
		var b strings.Builder
		b.WriteString("# Rows of the date tables in which this package and ICU differ: table, row, reason.\n")
		for _, id := range slices.Sorted(maps.Keys(known)) {
			fmt.Fprintf(&b, "%s\t%s\n", id, known[id])
		}
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// V8 writes ICU's U+202F as a space in format, and leaves it in the parts and in ranges.
// Here it is a space everywhere, and in what those give it is replaced before comparing.
// All else is compared as it is.
func TestDatesAreWhatICUWrites(t *testing.T) {
	file := intlData + "date.tsv"
	if *dateAll != "" {
		file = *dateAll
	}
	rows := readTSV(t, file, 5)
	compareTable(t, "date", 99, rows, func(r []string) (string, string) {
		f, err := NewDateTimeFormat([]string{r[0]}, dateOptions(t, r[1], r[2]))
		if err != nil {
			return err.Error(), r[4]
		}
		ms, err := strconv.ParseFloat(r[3], 64)
		if err != nil {
			t.Fatal(err)
		}
		s, err := f.Format(ms)
		if err != nil {
			return err.Error(), r[4]
		}
		return s, r[4]
	})
}

func TestDateRangesAreWhatICUWrites(t *testing.T) {
	rows := readTSV(t, intlData+"date-range.tsv", 7)
	keys := make([][]string, len(rows))
	for i, r := range rows {
		keys[i] = append(slices.Clone(r[:5]), plainSpaces(r[5]))
	}
	compareTable(t, "range", 99, keys, func(r []string) (string, string) {
		f, a, b := rangeOf(t, r)
		s, err := f.FormatRange(a, b)
		if err != nil {
			return err.Error(), r[5]
		}
		return s, r[5]
	})
	for i, r := range rows {
		keys[i] = append(slices.Clone(r[:5]), plainSpaces(r[6]))
	}
	compareTable(t, "rangeparts", 99, keys, func(r []string) (string, string) {
		f, a, b := rangeOf(t, r)
		parts, err := f.FormatRangeToParts(a, b)
		if err != nil {
			return err.Error(), r[5]
		}
		list := [][]string{}
		for _, p := range parts {
			list = append(list, []string{p.Type, p.Value, p.Source})
		}
		return jsonText(t, list), r[5]
	})
}

func rangeOf(t *testing.T, r []string) (f *DateTimeFormat, a, b float64) {
	t.Helper()
	f, err := NewDateTimeFormat([]string{r[0]}, dateOptions(t, r[1], r[2]))
	if err != nil {
		t.Fatal(err)
	}
	a, _ = strconv.ParseFloat(r[3], 64)
	b, _ = strconv.ParseFloat(r[4], 64)
	return f, a, b
}

func jsonText(t testing.TB, v any) string {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

func TestPartsOfDatesAreICUs(t *testing.T) {
	rows := readTSV(t, intlData+"date-parts.tsv", 5)
	compareTable(t, "parts", 99, rows, func(r []string) (string, string) {
		f, err := NewDateTimeFormat([]string{r[0]}, dateOptions(t, r[1], r[2]))
		if err != nil {
			t.Fatal(err)
		}
		ms, _ := strconv.ParseFloat(r[3], 64)
		parts, err := f.FormatToParts(ms)
		if err != nil {
			t.Fatal(err)
		}
		list := [][]string{}
		for _, p := range parts {
			list = append(list, []string{p.Type, p.Value})
		}
		return jsonText(t, list), plainSpaces(r[4])
	})
}

func TestResolvedDateOptionsAreV8s(t *testing.T) {
	rows := readTSV(t, intlData+"date-resolved.tsv", 4)
	compareTable(t, "resolved", 90, rows, func(r []string) (string, string) {
		f, err := NewDateTimeFormat([]string{r[0]}, dateOptions(t, r[1], r[2]))
		if err != nil {
			t.Fatal(err)
		}
		return resolvedText(t, f.ResolvedOptions()), r[3]
	})
}

// resolvedText writes the options as JSON.stringify does.
func resolvedText(t testing.TB, r ResolvedDateTime) string {
	var b strings.Builder
	add := func(name string, v any) {
		if v != "" && v != 0 {
			fmt.Fprintf(&b, ",%q:%s", name, jsonText(t, v))
		}
	}
	add("locale", r.Locale)
	add("calendar", r.Calendar)
	add("numberingSystem", r.NumberingSystem)
	add("timeZone", r.TimeZone)
	add("hourCycle", r.HourCycle)
	if r.Hour12 != nil {
		add("hour12", *r.Hour12)
	}
	add("weekday", r.Weekday)
	add("era", r.Era)
	add("year", r.Year)
	add("month", r.Month)
	add("day", r.Day)
	add("dayPeriod", r.DayPeriod)
	add("hour", r.Hour)
	add("minute", r.Minute)
	add("second", r.Second)
	add("fractionalSecondDigits", r.FractionalSecondDigits)
	add("timeZoneName", r.TimeZoneName)
	add("dateStyle", r.DateStyle)
	add("timeStyle", r.TimeStyle)
	return "{" + strings.TrimPrefix(b.String(), ",") + "}"
}
