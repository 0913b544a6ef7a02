package typescript

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"quicksand/internal/entry"
)

// parse reports whether esbuild accepts code as a JavaScript module.
func parse(code string) (ok bool, message string) {
	// The export makes it a module, so that the rules of strict mode hold. Both ends are
	// needed: "a." goes on with the word, "if (a)" with the semicolon.
	for _, end := range []string{"\nexport {}", "\n;export {}"} {
		r := api.Transform(code+end, api.TransformOptions{Loader: api.LoaderJS, Format: api.FormatESModule, Target: api.ESNext, LogLevel: api.LogLevelSilent})
		if len(r.Errors) > 0 {
			return false, r.Errors[0].Text
		}
	}
	return true, ""
}

// imports is what esbuild resolves of the static imports and re-exports of a module it
// accepts, sorted and without duplicates.
func imports(t *testing.T, code string) (specifiers []string, hasExport bool) {
	t.Helper()
	r := api.Build(api.BuildOptions{
		Stdin:    &api.StdinOptions{Contents: code, Loader: api.LoaderJS, ResolveDir: "/"},
		Bundle:   true,
		Format:   api.FormatESModule,
		Target:   api.ESNext,
		LogLevel: api.LogLevelSilent,
		Metafile: true,
		Plugins: []api.Plugin{{Name: "record", Setup: func(b api.PluginBuild) {
			b.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
				if a.Kind == api.ResolveJSImportStatement {
					specifiers = append(specifiers, a.Path)
				}
				return api.OnResolveResult{Path: a.Path, External: true}, nil
			})
		}}},
	})
	for _, e := range r.Errors {
		t.Logf("build: %s", e.Text)
	}
	if len(r.Errors) > 0 {
		return nil, true
	}
	slices.Sort(specifiers)
	return slices.Compact(specifiers), false
}

// otherRules are refusals of the scanner which esbuild does not share.
var otherRules = []string{
	"export is not possible",
	"is not supported",      // import defer, import source
	"import assertions",     // assert instead of with
	"program is JavaScript", // nothing esbuild accepts either, but cheap to list
	"nested more than",
	"but found `", // a template as specifier
	// ECMAScript 2026, 12.9.4.1: not in strict mode code, which modules are. esbuild lets
	// them pass in specifiers.
	"octal escapes are not possible",
}

func FuzzBuild(f *testing.F) {
	data, err := os.ReadFile("../internal/entry/testdata/programs.js")
	if err != nil {
		f.Fatal(err)
	}
	for s := range strings.SplitSeq(string(data), "\n---\n") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, code string) {
		if len(code) > 4096 || entry.Nesting(code) > MaxNesting {
			return
		}
		e, err := entry.Build(t.Context(), code)
		if errors.Is(err, entry.ErrNoCode) {
			return
		}
		accepted, message := parse(strings.TrimPrefix(code, "\ufeff"))
		if strings.Contains(message, "<!--") || strings.Contains(message, "HTML") {
			return // esbuild reads these as comments even in modules
		}
		if err != nil {
			var se *entry.SyntaxError
			if !errors.As(err, &se) {
				t.Fatalf("error %v is no syntax error", err)
			}
			if se.Line < 1 || se.Column < 1 {
				t.Errorf("error without position: %+v", se)
			}
			for _, rule := range otherRules {
				if strings.Contains(se.Message, rule) {
					return
				}
			}
			if strings.Contains(se.Message, "not valid UTF-8") {
				return
			}
			if !accepted && !strings.Contains(code, "import") {
				// With return at the top level only a function body is valid.
				first, _ := parse("(async () => {\n" + code + "\n})")
				second, _ := parse(insideMethod(code))
				accepted = first && second
			}
			if accepted {
				t.Errorf("scanner refuses what esbuild accepts: %v\n%s", se, code)
			}
			return
		}
		if len(e.Source) > 8*len(code)+200 {
			t.Errorf("built source of %d bytes from %d", len(e.Source), len(code))
		}
		built, message := parse(e.Source)
		if accepted && !built {
			t.Errorf("built source is refused: %s\n%s", message, e.Source)
		}
		if built {
			// A body that closes the wrapper cannot be valid in this one as well.
			rest := e.Source[strings.IndexByte(e.Source, '\n')+1:]
			body := strings.TrimSuffix(rest, "})();\n")
			if ok, message := parse(insideMethod(body)); !ok && !strings.Contains(message, "await") {
				if !strings.Contains(message, "already been declared") && !strings.Contains(message, "super") && !strings.Contains(message, "arguments") {
					t.Errorf("body closes its wrapper: %s\n%s", message, e.Source)
				}
			}
		}
		if accepted {
			want, _ := imports(t, strings.TrimPrefix(code, "\ufeff"))
			var got []string
			for _, i := range e.Imports {
				got = append(got, i.Specifier)
			}
			slices.Sort(got)
			got = slices.Compact(got)
			if !slices.Equal(got, want) {
				t.Errorf("imports %q, esbuild finds %q\n%s", got, want, code)
			}
		}
		list, err := entry.Imports(code)
		if err == nil && len(list) != len(e.Imports) {
			t.Errorf("Imports finds %d, Build %d\n%s", len(list), len(e.Imports), code)
		}
		sameLines(t, code, e)
	})
}

// insideMethod wraps a body in another way than Build does. Text that closes one of
// the wrappers and goes on is not valid in the other.
func insideMethod(body string) string {
	return "class A { async m() { [() => {\n}];\n" + body + "\n}}"
}

// sameLines checks that the body's lines are the program's, apart from imports.
func sameLines(t *testing.T, code string, e entry.Entry) {
	t.Helper()
	code = strings.NewReplacer("\r\n", "\r\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(strings.TrimPrefix(code, "\ufeff"))
	lines := strings.Split(code, "\n")
	body := strings.NewReplacer("\u2028", "\n", "\u2029", "\n").Replace(e.Source)
	got := strings.Split(body, "\n")[1:]
	got = got[:len(got)-2]
	if len(got) != len(lines) {
		t.Fatalf("body has %d lines, the program %d\n%q\n%q", len(got), len(lines), code, e.Source)
	}
	if len(e.Imports) > 0 || strings.HasPrefix(code, "#!") {
		for i := range lines {
			a, b := column(lines[i], len(lines[i])), column(strings.TrimRight(got[i], " "), len(got[i]))
			if b > a {
				t.Fatalf("line %d grew from %d to %d columns\n%s", i+1, a, b, e.Source)
			}
		}
		return
	}
	for i := range lines {
		if strings.TrimRight(lines[i], " ") != strings.TrimRight(got[i], " ") {
			t.Fatalf("line %d is %q, was %q", i+1, got[i], lines[i])
		}
	}
}
