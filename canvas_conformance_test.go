package quicksand

import (
	_ "embed"
	"path/filepath"
	"regexp"
	"testing"
)

// canvasChecks is the module with which guest programs check the canvas.
//
//go:embed testdata/canvas/checks.js
var canvasChecks string

// canvasSquares is the module with a font for such programs.
//
//go:embed testdata/canvas/squares.js
var canvasSquares string

func init() {
	guestModules["checks"] = Module{Code: canvasChecks}
	guestModules["squares"] = Module{Code: canvasSquares}
}

// canvasCheck is the beginning of a check in a guest program.
var canvasCheck = regexp.MustCompile("(?m)^check\\((\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`),")

// TestCanvasConformance counts the checks of the canvas in guest programs, which
// TestGuestPrograms runs: there are at least 500, and each says something else.
func TestCanvasConformance(t *testing.T) {
	files, err := filepath.Glob("testdata/guest/canvas-*.js")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for _, f := range files {
		for _, m := range canvasCheck.FindAllStringSubmatch(readFile(t, f), -1) {
			if other, ok := seen[m[1]]; ok {
				t.Errorf("%s and %s both check %s", other, f, m[1])
			}
			seen[m[1]] = f
		}
	}
	if len(seen) < 500 {
		t.Errorf("got %d checks of the canvas, want 500 at least", len(seen))
	}
}
