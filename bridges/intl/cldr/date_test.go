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
		out[r[0]+"\t"+r[1]] = r[2]
	}
	return out
}

// compareTable checks cases against the wanted strings, and what differs against the
// list of exceptions: at least 99 % must agree, and the list must be the truth.
func compareTable(t *testing.T, table string, rows [][]string, got func(row []string) (string, string)) {
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
	if agree < 99 {
		t.Errorf("%s: %.2f %% agree with ICU, want at least 99", table, agree)
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

// The strings are compared as ICU gives them, U+202F and all.
func TestDatesAreWhatICUWrites(t *testing.T) {
	file := intlData + "date.tsv"
	if *dateAll != "" {
		file = *dateAll
	}
	rows := readTSV(t, file, 5)
	compareTable(t, "date", rows, func(r []string) (string, string) {
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
