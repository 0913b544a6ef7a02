package npm

import (
	"os"
	"slices"
	"testing"

	"quicksand"
	"quicksand/modules"
)

// TestBundlesHaveTheSizesOfNodeTool bundles libraries which NodeTool bundles with the same
// options: the sizes are those that it has, in kB, of versions that may differ.
func TestBundlesHaveTheSizesOfNodeTool(t *testing.T) {
	const dir = "../../packs"
	if _, err := os.Stat(dir + "/node_modules"); err != nil {
		t.Skip("the libraries are not installed: run make packs")
	}
	if testing.Short() {
		t.Skip("bundles ten libraries")
	}
	cache := modules.NewCache(t.TempDir())
	for _, tt := range []struct {
		npm        string
		kB         int
		byName     string // an export
		hasDefault bool
	}{
		{"date-fns", 180, "addDays", false},
		{"js-yaml", 104, "load", true},
		{"marked", 66, "marked", false},
		{"uqr", 27, "encode", false},
		{"culori", 136, "parse", false},
		{"decimal.js", 63, "Decimal", true},
		{"jmespath", 58, "search", true}, // by name only here
		{"simple-statistics", 59, "mean", false},
		{"rrule", 91, "RRule", false},
		{"gifenc", 13, "GIFEncoder", true},
	} {
		a, err := Bundle(t.Context(), dir, tt.npm, Options{Cache: cache})
		if err != nil {
			t.Fatal(err)
		}
		if a.Skip != nil {
			t.Errorf("%s: %s: %s", tt.npm, a.Skip.Code, a.Skip.Message)
			continue
		}
		if kB := len(a.Source) / 1000; kB < tt.kB*95/100-1 || kB > tt.kB*105/100+1 {
			t.Errorf("%s: %d kB, want about %d", tt.npm, kB, tt.kB)
		}
		if !slices.Contains(a.Exports, tt.byName) || slices.Contains(a.Exports, "default") != tt.hasDefault {
			t.Errorf("%s exports %q", tt.npm, a.Exports)
		}
	}
}

func TestEachEngineProbes(t *testing.T) {
	dir := write(t, t.TempDir(), "-- node_modules/dep/index.js --\nexports.a = [1].at(-1)\n-- node_modules/bad/index.js --\nnull.x\n")
	for _, e := range quicksand.Engines() {
		o := Options{Cache: modules.NewCache(t.TempDir()), Engine: e.Name}
		good, err := Bundle(t.Context(), dir, "dep", o)
		if err != nil || good.Skip != nil || !slices.Equal(good.Exports, []string{"a", "default"}) {
			t.Errorf("%s: %+v, %v", e.Name, good, err)
		}
		bad, err := Bundle(t.Context(), dir, "bad", o)
		if err != nil || bad.Skip == nil || bad.Skip.Code != modules.CodeProbeFailed {
			t.Errorf("%s: %+v, %v", e.Name, bad, err)
		}
	}
	if _, err := Bundle(t.Context(), dir, "dep", Options{Cache: modules.NewCache(t.TempDir()), Engine: "none"}); err == nil {
		t.Error("an engine that does not exist probes")
	}
}
