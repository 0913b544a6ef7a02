package modules

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

var registers = regexp.MustCompile(`hostmods\.Register\(`)

// TestHintsKnowWhatShips compares the lists for errors with what there is.
func TestHintsKnowWhatShips(t *testing.T) {
	for _, tt := range []struct {
		glob  string
		known map[string]bool
	}{
		{"../hostmods/*/*.go", shippedHosts},
		{"../packs/src/*/package.json", shippedGuests},
	} {
		files, err := filepath.Glob(tt.glob)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", tt.glob, len(files), err)
		}
		there := make(map[string]bool)
		for _, f := range files {
			dir := filepath.Dir(f)
			// A folder is a host module if it registers one.
			if filepath.Ext(f) == ".go" {
				text, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				if !registers.Match(text) {
					continue
				}
			}
			there[filepath.Base(dir)] = true
		}
		got, want := slices.Sorted(maps.Keys(tt.known)), slices.Sorted(maps.Keys(there))
		if !slices.Equal(got, want) {
			t.Errorf("the hints know %q, and there are %q", got, want)
		}
	}
}
