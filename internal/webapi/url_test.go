package webapi

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// loadURLs reads a table of testdata/url, dropping the strings in it, which are comments.
func loadURLs[T any](t testing.TB, name string) []T {
	t.Helper()
	data, err := os.ReadFile("testdata/url/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		t.Fatal(err)
	}
	var rows []T
	for _, r := range raw {
		if r[0] == '"' {
			continue
		}
		var row T
		if err := json.Unmarshal(r, &row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

// A urlRow is a row of urltestdata.json; a nil field is not checked.
type urlRow struct {
	Input                                                    string
	Base                                                     *string
	Failure                                                  bool
	Href, Protocol, Username, Password, Host, Hostname, Port *string
	Pathname, Search, Hash, Origin                           *string
}

func (r urlRow) want() [11]*string {
	return [11]*string{r.Href, r.Protocol, r.Username, r.Password, r.Host, r.Hostname, r.Port, r.Pathname, r.Search, r.Hash, r.Origin}
}

var recordNames = [11]string{"href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash", "origin"}

func TestParseURLVectors(t *testing.T) {
	rows := loadURLs[urlRow](t, "urltestdata.json")
	if len(rows) < 800 {
		t.Fatalf("only %d rows", len(rows))
	}
	for _, row := range rows {
		base, hasBase := "", row.Base != nil
		if hasBase {
			base = *row.Base
		}
		name := fmt.Sprintf("%q against %q", row.Input, base)
		got, ok := ParseURL(row.Input, base, hasBase)
		if ok == row.Failure {
			t.Errorf("%s: parsed %v, want %v (%q)", name, ok, !row.Failure, got[0])
			continue
		}
		if !ok {
			continue
		}
		for i, want := range row.want() {
			if want != nil && got[i] != *want {
				t.Errorf("%s: %s is %q, want %q", name, recordNames[i], got[i], *want)
			}
		}
		checkRecord(t, got)
	}
}

// checkRecord asserts what holds of every record: its href parses to itself.
func checkRecord(t *testing.T, r Record) {
	t.Helper()
	again, ok := ParseURL(r[0], "", false)
	if !ok {
		t.Errorf("%q: does not parse again", r[0])
	} else if again != r {
		t.Errorf("%q: parses again to %q, want %q", r[0], again, r)
	}
}

func TestSetURLVectors(t *testing.T) {
	data, err := os.ReadFile("testdata/url/setters_tests.json")
	if err != nil {
		t.Fatal(err)
	}
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil {
		t.Fatal(err)
	}
	n := 0
	for part, raw := range parts {
		if part == "comment" {
			continue
		}
		var rows []struct {
			Href     string
			NewValue string `json:"new_value"`
			Expected map[string]string
		}
		if err := json.Unmarshal(raw, &rows); err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			n++
			name := fmt.Sprintf("%q with %s = %q", row.Href, part, row.NewValue)
			start, ok := ParseURL(row.Href, "", false)
			if !ok {
				t.Errorf("%q does not parse", row.Href)
				continue
			}
			got, ok := SetURL(start[0], part, row.NewValue)
			if !ok {
				if part != "href" {
					t.Errorf("%s: failed", name)
				}
				got = start
			}
			checkRecord(t, got)
			for i, field := range recordNames {
				if want, ok := row.Expected[field]; ok && got[i] != want {
					t.Errorf("%s: %s is %q, want %q", name, field, got[i], want)
				}
			}
		}
	}
	if n < 240 {
		t.Errorf("only %d rows", n)
	}
}

func TestToASCIIVectors(t *testing.T) {
	for _, row := range loadURLs[struct {
		Input  string
		Output *string
	}](t, "toascii.json") {
		for _, href := range []string{"https://" + row.Input + "/x", "ftp://user@" + row.Input + ":81/"} {
			got, ok := ParseURL(href, "", false)
			switch {
			case row.Output == nil && ok:
				t.Errorf("%q: host is %q, want a failure", href, got[5])
			case row.Output != nil && !ok:
				t.Errorf("%q: does not parse, want host %q", href, *row.Output)
			case ok && got[5] != *row.Output:
				t.Errorf("%q: host is %q, want %q", href, got[5], *row.Output)
			}
		}
		// The setters leave the URL alone when the host is bad.
		for _, part := range []string{"host", "hostname"} {
			want := "x"
			if row.Output != nil {
				want = *row.Output
			}
			if got, _ := SetURL("https://x/x", part, row.Input); got[5] != want {
				t.Errorf("%s = %q: hostname is %q, want %q", part, row.Input, got[5], want)
			}
		}
	}
}

func TestURLLengthIsCapped(t *testing.T) {
	t.Parallel()
	long := "https://x/" + strings.Repeat("a", MaxURL-10)
	if _, ok := ParseURL(long, "", false); !ok {
		t.Errorf("a URL of %d bytes does not parse", len(long))
	}
	if _, ok := ParseURL(long+"a", "", false); ok {
		t.Errorf("a URL of %d bytes parses", len(long)+1)
	}
	if _, ok := ParseURL("/", long+"a", true); ok {
		t.Errorf("a base of %d bytes parses", len(long)+1)
	}
	if r, ok := ParseURL("data:"+strings.Repeat("\x01", MaxURL/2)+"x", "", false); ok {
		t.Errorf("a URL that grows to %d bytes parses", len(r[0]))
	}
	for _, value := range []string{strings.Repeat(" ", MaxURL/2), strings.Repeat("a", MaxURL+1)} {
		if r, ok := SetURL("https://x/?q", "hash", value); !ok || r[0] != "https://x/?q" {
			t.Errorf("a hash of %d bytes gives a URL of %d bytes, %v; want no change", len(value), len(r[0]), ok)
		}
	}
	if _, ok := ParseURL("https://"+strings.Repeat("ü", maxIDNA/2)+"/", "", false); !ok {
		t.Errorf("a domain of %d bytes that needs IDNA does not parse", maxIDNA)
	}
	if _, ok := ParseURL("https://"+strings.Repeat("ü", maxIDNA/2)+"a/", "", false); ok {
		t.Errorf("a domain of %d bytes that needs IDNA parses", maxIDNA+1)
	}
	if _, ok := ParseURL("https://"+strings.Repeat("u", 2*maxIDNA)+"/", "", false); !ok {
		t.Errorf("an ASCII domain of %d bytes does not parse", 2*maxIDNA)
	}
}

func TestSetURLRefusesWhatIsNoURLOrPart(t *testing.T) {
	for _, c := range [][3]string{{"x", "search", "a"}, {"https://x", "origin", "a"}, {"https://x", "", "a"}, {"https://x", "href", "x"}} {
		if r, ok := SetURL(c[0], c[1], c[2]); ok {
			t.Errorf("%q = %q on %q gives %q", c[1], c[2], c[0], r[0])
		}
	}
}
