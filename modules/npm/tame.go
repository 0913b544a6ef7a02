package npm

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// In a tamed text, importMark stands for the word import of an import() expression whose
// argument is no literal, and nothing defines it; requireMark stands for require in such a
// call, and files of bundles have a function of that name which throws.
const (
	importMark  = "__quicksand_import"
	requireMark = "__quicksand_require"
)

// IDs of the parser's messages about import() and require() with arguments that are no
// literals.
const (
	idImport  = "unsupported-dynamic-import"
	idRequire = "unsupported-require-call"
)

// tame changes require(x) and import(x) in a text where x is no literal, so that the
// bundler does not look for files which x might name: it would list directories by itself,
// and patterns as require("../../" + x + "/y") let a package choose which.
func tame(code string, loader api.Loader) (string, error) {
	// Names may be spelled with escapes.
	if !strings.Contains(code, "require") && !strings.Contains(code, "import") && !strings.Contains(code, `\u`) {
		return code, nil
	}
	for range 3 {
		found, err := dynamicCalls(code, loader)
		if err != nil || len(found) == 0 {
			return code, err
		}
		code = editCalls(code, found)
	}
	return "", errors.New("it imports modules by computed names in a way that is not supported")
}

// A dynamicCall is the place of the word import or require.
type dynamicCall struct {
	line, column, length int // column and length in bytes, from 0
	require              bool
}

// dynamicCalls finds those calls. The error is the parser's.
func dynamicCalls(code string, loader api.Loader) (found []dynamicCall, err error) {
	// Only with a format are calls of require looked at.
	r := api.Transform(code, api.TransformOptions{Loader: loader, Format: api.FormatESModule, Target: language, LogLevel: api.LogLevelSilent,
		LogOverride: map[string]api.LogLevel{idImport: api.LogLevelWarning, idRequire: api.LogLevelWarning}})
	if len(r.Errors) > 0 {
		return nil, syntaxError(r.Errors[0])
	}
	for _, m := range r.Warnings {
		if l := m.Location; l != nil && (m.ID == idImport || m.ID == idRequire && strings.HasPrefix(m.Text, "This call")) {
			found = append(found, dynamicCall{l.Line - 1, l.Column, l.Length, m.ID == idRequire})
		}
	}
	return found, nil
}

// syntaxError is a message of the parser with its place.
func syntaxError(m api.Message) error {
	if l := m.Location; l != nil {
		return fmt.Errorf("%s (%d:%d)", cut(m.Text, 300), l.Line, l.Column+1)
	}
	return errors.New(cut(m.Text, 300))
}

func editCalls(code string, found []dynamicCall) string {
	starts := lineStarts(code)
	type edit struct {
		from, to int
		text     string
	}
	var edits []edit
	for _, c := range found {
		if c.line < 0 || c.line >= len(starts) {
			continue
		}
		from := starts[c.line] + c.column
		to := min(from+c.length, len(code))
		switch {
		case from > to:
		case c.require:
			edits = append(edits, edit{from, to, requireMark})
		case strings.HasPrefix(code[from:], "import"):
			edits = append(edits, edit{from, from + len("import"), importMark})
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.from - b.from })
	var out strings.Builder
	at := 0
	for _, e := range edits {
		if e.from < at {
			continue
		}
		out.WriteString(code[at:e.from])
		out.WriteString(e.text)
		at = e.to
	}
	out.WriteString(code[at:])
	return out.String()
}

// lineStarts are the offsets of lines as the parser counts them (ECMA-262, 12.3).
func lineStarts(code string) []int {
	starts := []int{0}
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case c == '\n', c == '\r' && !strings.HasPrefix(code[i+1:], "\n"):
			starts = append(starts, i+1)
		case strings.HasPrefix(code[i:], "\u2028"), strings.HasPrefix(code[i:], "\u2029"):
			starts = append(starts, i+3)
		}
	}
	return starts
}
