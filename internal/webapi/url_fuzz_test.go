package webapi

import "testing"

// FuzzURL checks that a record parses to itself and that no setter leaves the URL in a
// state that does not.
func FuzzURL(f *testing.F) {
	for i, row := range loadURLs[urlRow](f, "urltestdata.json") {
		if row.Base != nil {
			f.Add(row.Input, *row.Base, row.Input, byte(i))
		} else {
			f.Add(row.Input, "https://a:b@example.org:81/x/y?z#w", row.Input, byte(i))
		}
	}
	f.Fuzz(func(t *testing.T, input, base, value string, part byte) {
		r, ok := ParseURL(input, base, true)
		if !ok {
			r, ok = ParseURL(input, "", false)
		}
		if !ok {
			return
		}
		checkRecord(t, r)
		p := recordNames[part%10]
		r, ok = SetURL(r[0], p, value)
		if !ok {
			if p != "href" {
				t.Fatalf("setting %s of %q failed", p, r[0])
			}
			return
		}
		checkRecord(t, r)
	})
}
