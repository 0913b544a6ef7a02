package quicksand

import (
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// arrows are which packages of the module each of them may import, without its tests; "*"
// ends a prefix. The longest key that matches a package counts. style.md draws them, and a
// new package needs a line here.
var arrows = map[string][]string{
	".":                   {"engine", "engine/qjscgo", "engine/qjspure", "internal/*", "bridges", "bridges/*", "modules"},
	"engine":              {"internal/marshal"},
	"engine/arena":        {},
	"engine/arena/*":      {"engine/arena", "engine/arena/*"},
	"engine/qjscgo":       {"engine", "engine/arena", "engine/arena/carena", "internal/marshal"},
	"engine/qjspure":      {"engine", "engine/arena", "internal/marshal"},
	"engine/enginetest":   {"engine", "engine/*", "internal/*"}, // a suite for tests
	"internal/marshal":    {},
	"internal/meter":      {},
	"internal/entry":      {},
	"internal/webapi":     {},
	"internal/prelude":    {"engine", "internal/marshal"},
	"internal/testkit":    {"engine", "internal/*"},
	"typescript":          {"internal/entry"},
	"bridges":             {"engine", "internal/meter", "internal/marshal"},
	"bridges/*":           {"bridges", "internal/meter", "internal/marshal"},
	"bridges/secrets":     {"bridges", "bridges/fetch"},
	"bridges/assets":      {"bridges", "bridges/fetch", "bridges/workspace", "internal/webapi", "internal/meter", "internal/marshal"},
	"bridges/workspace":   {"bridges", "internal/webapi", "internal/meter", "internal/marshal"},
	"bridges/fetch":       {"bridges", "internal/webapi", "internal/meter", "internal/marshal"},
	"bridges/intl":        {"bridges", "bridges/intl/cldr", "internal/marshal"},
	"bridges/intl/cldr":   {},
	"bridges/mediabridge": {"bridges", "bridges/assets", "media", "media/*", "canvas", "canvas/*", "internal/meter", "internal/marshal"},
	"media":               {"internal/meter"},
	"media/*":             {"media", "media/*", "internal/meter"},
	"canvas":              {"canvas/*", "media", "media/*", "internal/meter"},
	"canvas/fonts":        {},
	"canvas/geometry":     {},
	"canvas/internal/*":   {"canvas/geometry", "canvas/internal/*", "media/image"},
	"canvas/text":         {"canvas/geometry", "canvas/fonts", "canvas/internal/raster"},
	"canvas/svg":          {"canvas", "canvas/*", "media/image"},
	"canvas/vector":       {"canvas", "canvas/*", "media/image"},
	"modules":             {"bridges", "hostmods", "internal/entry", "internal/meter", "internal/marshal"},
	"modules/npm":         {".", "modules", "internal/entry"},
	"modules/wasm":        {"modules", "bridges", "internal/meter", "internal/marshal"},
	"hostmods":            {"bridges", "internal/meter", "internal/marshal"},
	"hostmods/*":          {"hostmods", "bridges", "internal/meter", "internal/marshal", "internal/webapi"},
	"hostmods/zip":        {"hostmods", "bridges", "bridges/workspace", "internal/meter", "internal/marshal"},
	"hostmods/all":        {"hostmods/*"},
	"packs":               {"modules"},
	"packs/*":             {"modules", "modules/npm"},
	"codenode":            {".", "internal/entry", "internal/meter", "internal/marshal"},
	"codeact":             {".", "internal/entry", "internal/meter", "internal/marshal"},
	"bench/instructions":  {".", "bench"}, // a test alone
	"cmd/*":               {".", "bench", "engine", "typescript", "codenode", "codeact", "bridges", "bridges/*", "modules", "modules/*", "hostmods", "hostmods/*", "packs", "media", "media/*", "canvas", "canvas/*"},
	"bench":               {".", "engine", "engine/*", "typescript", "codenode", "codeact", "bridges", "bridges/*", "modules", "modules/*", "hostmods", "hostmods/*", "packs", "media", "media/*", "canvas", "canvas/*", "internal/*"},
	"examples/*":          {".", "engine", "typescript", "codenode", "codeact", "bridges", "bridges/*", "modules", "modules/*", "hostmods", "hostmods/*", "packs", "media", "media/*", "canvas", "canvas/*"},
}

// goPackage is the part of what go list prints that counts here.
type goPackage struct {
	ImportPath string
	Imports    []string
	Deps       []string
	Standard   bool
}

func goList(t *testing.T, args ...string) []goPackage {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Imports,Deps,Standard"}, args...)...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	var list []goPackage
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p goPackage
		if err := dec.Decode(&p); err == io.EOF {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

// inside is the path of a package within the module.
func inside(path string) (string, bool) {
	if path == "quicksand" {
		return ".", true
	}
	return strings.CutPrefix(path, "quicksand/")
}

func matches(pattern, path string) bool {
	prefix, open := strings.CutSuffix(pattern, "*")
	return pattern == path || open && strings.HasPrefix(path, prefix)
}

func allowed(path string) (to []string, known bool) {
	best := ""
	for pattern := range arrows {
		if matches(pattern, path) && len(pattern) > len(best) {
			best = pattern
		}
	}
	return arrows[best], best != ""
}

func TestImportsGoOneWay(t *testing.T) {
	for _, p := range goList(t, "./...") {
		path, _ := inside(p.ImportPath)
		to, known := allowed(path)
		if !known {
			t.Errorf("no arrows are drawn for the package %s", path)
			continue
		}
		for _, imp := range p.Imports {
			if target, ours := inside(imp); ours && !slices.ContainsFunc(to, func(pattern string) bool { return matches(pattern, target) }) {
				t.Errorf("%s imports %s, an arrow that the layout does not have", path, target)
			}
			if imp == "C" && path != "engine/qjscgo" && path != "engine/arena/carena" {
				t.Errorf("%s uses cgo, which only the cgo engine may", path)
			}
		}
	}
}

// TestWhatAnEmbedderLinks looks at everything behind the root package.
func TestWhatAnEmbedderLinks(t *testing.T) {
	// What is outside of the module and the standard library, by prefix.
	outside := []string{"github.com/buke/quickjs-go", "modernc.org/", "golang.org/x/", "github.com/dustin/go-humanize", "github.com/google/uuid", "github.com/mattn/go-isatty",
		"github.com/ncruces/go-strftime", "github.com/klauspost/compress", "github.com/andybalholm/brotli", "github.com/remyoudompheng/bigfft"}
	root := goList(t, ".")[0]
	for _, dep := range root.Deps {
		path, ours := inside(dep)
		switch {
		case strings.Contains(dep, "esbuild"):
			t.Errorf("the root package links %s", dep)
		case ours:
			for _, no := range []string{"typescript", "packs", "hostmods", "media", "canvas", "codenode", "codeact", "cmd", "bench", "engine/enginetest", "internal/testkit", "engine/arena/arenatest"} {
				// The registry of host modules is in, none of its modules.
				if path != "hostmods" && (path == no || strings.HasPrefix(path, no+"/")) {
					t.Errorf("the root package links %s", path)
				}
			}
		case strings.Contains(strings.SplitN(dep, "/", 2)[0], "."):
			if !slices.ContainsFunc(outside, func(prefix string) bool { return strings.HasPrefix(dep, prefix) }) {
				t.Errorf("the root package links %s: a new dependency needs a sentence in the design notes and a line here", dep)
			}
		}
		if dep == "testing" {
			t.Error("the root package links testing")
		}
	}
}
