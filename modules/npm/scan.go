package npm

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"

	"quicksand/modules"
)

// Globals that the scan knows, besides those of guests.
var (
	// forbidden are those which no guest has and no module may need.
	forbidden = strings.Fields(`process Buffer require module exports __dirname __filename eval setImmediate clearImmediate
		WebAssembly window document navigator location self top parent frames alert XMLHttpRequest HTMLElement
		customElements localStorage sessionStorage indexedDB importScripts`)
	// conditional are those of runs with Options.Timers.
	conditional = strings.Fields("setTimeout setInterval clearTimeout clearInterval")
	// missing are others that guests lack. Code that is reached only by some calls often
	// uses them.
	missing = strings.Fields(`performance Headers Request Response FormData Blob File FileReader Image Worker WebSocket
		MessageChannel BroadcastChannel ReadableStream WritableStream TransformStream Atomics requestAnimationFrame
		cancelAnimationFrame requestIdleCallback MutationObserver Element Node DOMParser`)
)

// A finding is what a scan has to say about a global.
type finding struct {
	name string
	// hard says that code which is not dead needs it; otherwise it is only looked for.
	hard         bool
	line, column int // in the scanned text, from 0; of a hard one
}

// The scan lets the bundler answer which names are free and which code is dead. In a first
// pass each free reference to a known global becomes a mark, a name that occurs nowhere
// else. In its printed form, typeof and a mark is then "undefined", and the second pass
// leaves out what is dead because of that. The marks that are still there are needed.
//
// Constants are the one thing it would not see through: the bundler makes variables of
// those at the top of a module, as of isBrowser in
//
//	const isBrowser = typeof window !== "undefined"
//
// They are constants for the second pass, as variables are that nothing assigns to.

// scan finds the globals that a module needs or looks for, by name. The error is a skip: it
// is not valid, or not self-contained.
func scan(code string) ([]finding, error) {
	if err := parseable(code); err != nil {
		return nil, skip(modules.CodeScanRejected, "not valid JavaScript: %v", err)
	}
	tamed, err := tame(code, api.LoaderJS)
	if err != nil {
		return nil, skip(modules.CodeScanRejected, "not valid JavaScript: %v", err)
	}
	marks := newMarks(tamed)
	first, fromFirst, err := marks.place(tamed)
	if err != nil {
		return nil, err
	}
	placed := marks.in(first, false)
	if len(placed) == 0 {
		return nil, nil
	}
	second, fromSecond := marks.fold(first)
	needed := marks.in(second, true)
	for name := range marks.assigned(first) {
		delete(needed, name) // the module brings it
	}

	var list []finding
	for _, name := range slices.Sorted(maps.Keys(placed)) {
		offset, hard := needed[name]
		f := finding{name: name, hard: hard}
		if hard {
			// Back through both passes. Replacements between them kept lines, and columns of
			// all but the lines that got a constant.
			line, column := place(second, offset)
			if _, l, c, ok := fromSecond.find(line, column); ok {
				if _, l, c, ok := fromFirst.find(l, c); ok {
					f.line, f.column = l, c
				}
			}
		}
		list = append(list, f)
	}
	return list, nil
}

// place is the line and column of an offset, from 0, the column in UTF-16 units.
func place(text string, offset int) (line, column int) {
	before := text[:offset]
	line = strings.Count(before, "\n")
	for _, r := range before[strings.LastIndexByte(before, '\n')+1:] {
		column++
		if r > 0xffff {
			column++
		}
	}
	return line, column
}

// marks are the names that stand for globals.
type marks struct {
	prefix  string // of a global, "_g" and "_p" follow: the variable, or the property of globalThis
	defines map[string]string
	found   *regexp.Regexp
}

// newMarks makes a prefix that the text does not have.
func newMarks(code string) *marks {
	sum := sha256.Sum256([]byte(code))
	m := &marks{prefix: "QS" + hex.EncodeToString(sum[:6])}
	for strings.Contains(code, m.prefix) {
		m.prefix += "q"
	}
	m.defines = map[string]string{importMark: m.prefix + "_g_import", requireMark: m.prefix + "_g_require"}
	for _, name := range slices.Concat(forbidden, conditional, missing) {
		m.defines[name] = m.prefix + "_g_" + name
		m.defines["globalThis."+name] = m.prefix + "_p_" + name
	}
	m.found = regexp.MustCompile(m.prefix + `_([gp])_(\w+)`)
	return m
}

// place prints the module with marks, and where its code comes from.
func (m *marks) place(code string) (string, sourceMap, error) {
	var leftover *errSkip
	// The end makes it a module, whatever it is.
	r := parseModule(code+"\n;export {};", api.BuildOptions{
		Define: m.defines,
		Plugins: []api.Plugin{{Name: "leftover", Setup: func(p api.PluginBuild) {
			p.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
				what := "not self-contained: it imports"
				if a.Kind == api.ResolveJSDynamicImport {
					what = "dynamic import() of"
				}
				// One goroutine parses the one file.
				if leftover == nil {
					leftover = skip(modules.CodeScanRejected, "%s %s", what, quote(cut(a.Path, 200)))
				}
				return api.OnResolveResult{Path: a.Path, External: true}, nil
			})
		}}},
	})
	if leftover != nil {
		return "", sourceMap{}, leftover
	}
	if len(r.Errors) > 0 {
		return "", sourceMap{}, skip(modules.CodeScanRejected, "not valid JavaScript: %v", syntaxError(r.Errors[0]))
	}
	text, positions := printed(&r)
	return text, positions, nil
}

// in finds the globals whose marks are in a text, each with the offset of the first one. If
// needed is set, a property of globalThis counts only where undefined in its place throws.
func (m *marks) in(text string, needed bool) map[string]int {
	found := map[string]int{}
	for _, at := range m.found.FindAllStringSubmatchIndex(text, -1) {
		if needed && text[at[2]] == 'p' && !dereferenced(text[at[1]:]) {
			continue
		}
		name := text[at[4]:at[5]]
		if _, ok := found[name]; !ok {
			found[name] = at[0]
		}
	}
	return found
}

// assigned are the globals that a text makes, as properties of globalThis.
func (m *marks) assigned(text string) map[string]bool {
	found := map[string]bool{}
	for _, at := range m.found.FindAllStringSubmatchIndex(text, -1) {
		if text[at[2]] == 'p' && assignment.MatchString(text[at[1]:min(len(text), at[1]+6)]) {
			found[text[at[4]:at[5]]] = true
		}
	}
	return found
}

var assignment = regexp.MustCompile(`^ (\?\?|\|\|)?= `)

// fold leaves out what is dead when the marks are undefined, and says where the rest comes
// from in text.
func (m *marks) fold(text string) (string, sourceMap) {
	text = facts(m.undefine(text))
	variable := map[string]bool{}
	for range 3 {
		constant, any := constants(text, variable)
		if !any {
			break
		}
		r := parseModule(constant, api.BuildOptions{MinifySyntax: true})
		if len(r.Errors) == 0 {
			return printed(&r)
		}
		n := len(variable)
		for _, e := range r.Errors {
			if name := assigning.FindStringSubmatch(e.Text); name != nil {
				variable[name[1]] = true
			}
		}
		if len(variable) == n {
			break
		}
	}
	r := parseModule(text, api.BuildOptions{MinifySyntax: true})
	if len(r.Errors) > 0 {
		return text, sourceMap{} // all marks count
	}
	return printed(&r)
}

// parseModule gives one module to the bundler, as a bundle of its own.
func parseModule(code string, o api.BuildOptions) api.BuildResult {
	o.Stdin = &api.StdinOptions{Contents: code, Sourcefile: "module", Loader: api.LoaderJS}
	o.Bundle, o.Format, o.Platform, o.Target, o.Charset = true, api.FormatESModule, api.PlatformNeutral, language, api.CharsetUTF8
	o.Outfile, o.Sourcemap, o.SourcesContent, o.TsconfigRaw = "out.js", api.SourceMapExternal, api.SourcesContentExclude, "{}"
	o.TreeShaking, o.LegalComments, o.LogLevel = api.TreeShakingTrue, api.LegalCommentsNone, api.LogLevelSilent
	return api.Build(o)
}

// printed is what the bundler made of one module.
func printed(r *api.BuildResult) (text string, positions sourceMap) {
	for _, f := range r.OutputFiles {
		if strings.HasSuffix(f.Path, ".map") {
			positions = parseSourceMap(f.Contents)
		} else {
			text = string(f.Contents)
		}
	}
	return text, positions
}

var (
	flag  = regexp.MustCompile(`^( *)var (\w+) = (.*"undefined".*);$`)
	known = regexp.MustCompile(`^export const v = (!0|!1|void 0|"\w*");\n$`)
	// assigning is the parser's message about an assignment to a constant.
	assigning = regexp.MustCompile(`^Cannot assign to "(\w+)"`)
)

// maxFlags is how many variables are looked at.
const maxFlags = 200

// constants makes constants of the variables that hold the answer of a typeof, but for some.
// The parser puts the values of constants in their place when they come first in a block,
// so they are moved there, in the line that opens it: lines keep their numbers.
func constants(text string, except map[string]bool) (string, bool) {
	lines := strings.Split(text, "\n")
	flags, tried := 0, 0
	for i, line := range lines {
		part := flag.FindStringSubmatch(line)
		if part == nil || except[part[2]] || tried == maxFlags || strings.Contains(part[3], "=>") || strings.Contains(part[3], "function(") {
			continue
		}
		tried++
		r := api.Transform("export const v = "+part[3], api.TransformOptions{MinifySyntax: true, LogLevel: api.LogLevelSilent})
		value := known.FindStringSubmatch(string(r.Code))
		if value == nil {
			continue
		}
		constant := "const " + part[2] + " = " + value[1] + ";"
		if part[1] == "" {
			lines[i] = ""
			lines[0] = constant + lines[0]
			flags++
			continue
		}
		for j := i - 1; j >= 0; j-- {
			if open := lines[j]; len(open)-len(strings.TrimLeft(open, " ")) < len(part[1]) && strings.TrimSpace(open) != "" {
				if at := strings.LastIndexByte(open, '{'); at >= 0 && (strings.HasSuffix(open, "{") || strings.HasSuffix(open, ";")) {
					lines[i] = ""
					lines[j] = open[:at+1] + constant + open[at+1:]
					flags++
				}
				break
			}
		}
	}
	return strings.Join(lines, "\n"), flags > 0
}

// undefine puts "undefined" in the place of typeof and a mark, and undefined in the place of
// a property of globalThis, unless something is read of them or done to them. Of timers
// nobody knows.
func (m *marks) undefine(text string) string {
	var out strings.Builder
	at := 0
	for _, span := range m.found.FindAllStringSubmatchIndex(text, -1) {
		rest := text[span[1]:]
		if dereferenced(rest) || slices.Contains(conditional, text[span[4]:span[5]]) {
			continue
		}
		from, value := span[0], ""
		switch before := text[at:span[0]]; {
		case strings.HasSuffix(before, "typeof "):
			from, value = from-len("typeof "), `"undefined"`
		case text[span[2]] == 'p' && !changed(rest) && !strings.HasSuffix(before, "delete ") && !strings.HasSuffix(before, "++") && !strings.HasSuffix(before, "--"):
			value = "undefined"
		default:
			continue
		}
		out.WriteString(text[at:from])
		out.WriteString(padded(value, span[1]-from))
		at = span[1]
	}
	out.WriteString(text[at:])
	return out.String()
}

// facts replaces questions that have one answer in a guest and in a CommonJS module, whose
// exports and module are variables like others here, by their answers: those which decide
// for a kind of environment.
func facts(text string) string {
	text = replace(text, kind, func([]string) string { return `"object"` })
	text = replace(text, exports, func([]string) string { return "&& true" })
	return replace(text, absent, func(part []string) string {
		if slices.Contains(forbidden, part[1]) || slices.Contains(missing, part[1]) {
			return "false"
		}
		return part[0]
	})
}

// replace replaces expressions, which nothing is read of, by what is not longer.
func replace(text string, re *regexp.Regexp, by func(part []string) string) string {
	var out strings.Builder
	at := 0
	for _, span := range re.FindAllStringSubmatchIndex(text, -1) {
		if dereferenced(text[span[1]:]) {
			continue
		}
		part := []string{text[span[0]:span[1]]}
		if len(span) > 2 {
			part = append(part, text[span[2]:span[3]])
		}
		out.WriteString(text[at:span[0]])
		out.WriteString(padded(by(part), span[1]-span[0]))
		at = span[1]
	}
	out.WriteString(text[at:])
	return out.String()
}

var (
	kind    = regexp.MustCompile(`typeof (?:globalThis|exports\d*|module\d*)\b`)
	exports = regexp.MustCompile(`&& module\d*\.exports\b`)
	absent  = regexp.MustCompile(`"(\w+)" in globalThis\b`)
)

// dereferenced reports whether what follows an expression reads a property of it or calls it.
func dereferenced(rest string) bool {
	return rest != "" && strings.ContainsRune(".[(`", rune(rest[0]))
}

// changed reports whether what follows an expression assigns to it.
func changed(rest string) bool {
	return strings.HasPrefix(rest, "++") || strings.HasPrefix(rest, "--") || changes.MatchString(rest[:min(len(rest), 6)])
}

var changes = regexp.MustCompile(`^ [-+*/%&|^<>?]{0,3}= `)

// padded is a text followed by spaces.
func padded(s string, n int) string {
	return s + strings.Repeat(" ", max(0, n-utf8.RuneCountInString(s)))
}
