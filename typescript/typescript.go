// Package typescript lets programs be written in TypeScript and makes syntax errors
// of JavaScript programs say more. It needs no calls: importing it is enough.
//
//	import _ "quicksand/typescript"
//
// It is a package of its own because the parser behind it, esbuild, adds 6.5 MB to a
// binary.
//
// # TypeScript
//
// Types are erased and nothing is checked. Each file stands alone, as with the compiler
// options verbatimModuleSyntax and isolatedModules: an import that is used only as a
// type must be marked, import type or import { type T }, or it is imported at run
// time. Enums, parameter properties, decorators and using declarations are turned into
// plain JavaScript. Namespaces and import = are refused.
//
// Positions in errors and cleaned stacks are those of the TypeScript text. A stack
// that the program itself reads shows lines of the generated text.
//
// # Cost and safety
//
// The parser reads nothing but the text it is given: no files, no network. It cannot
// be stopped, and its stack is not bounded. Therefore programs above MaxSource or
// MaxNesting are not given to it, no more of them are parsed at one time than there
// are processors, and Timeout after the start, or when the run ends, the caller goes on
// without an answer
// while the parser ends on its own. In all these cases a JavaScript program just has
// the engine's own error message, and a TypeScript program is refused.
package typescript

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"

	"quicksand/internal/entry"
)

const (
	// MaxSource is the length in bytes of the longest program that is parsed.
	MaxSource = 4 << 20
	// MaxNesting is how deep brackets, statements, operators and member chains may
	// nest in each other, counted from above.
	MaxNesting = 250
	// Timeout is how long a caller waits for the parser. A program of MaxSource takes
	// well below a second.
	Timeout = 5 * time.Second
)

func init() { entry.Register(frontend{}) }

// frontend implements entry.Frontend.
type frontend struct{}

// slots bounds the parsers that run at one time, abandoned ones included.
var slots = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)))

var errTimeout = fmt.Errorf("typescript: the program was not parsed within %v", Timeout)

// transform runs the parser, unless the text is beyond the limits.
func transform(ctx context.Context, code string, options api.TransformOptions) (api.TransformResult, error) {
	if len(code) > MaxSource {
		return api.TransformResult{}, fmt.Errorf("typescript: the program is %d bytes long, the limit is %d", len(code), MaxSource)
	}
	if n := entry.Nesting(code); n > MaxNesting {
		return api.TransformResult{}, fmt.Errorf("typescript: the program nests up to %d levels, the limit is %d", n, MaxNesting)
	}
	timer := time.NewTimer(Timeout)
	defer timer.Stop()
	select {
	case slots <- struct{}{}:
	case <-timer.C:
		return api.TransformResult{}, errTimeout
	case <-ctx.Done():
		return api.TransformResult{}, context.Cause(ctx)
	}
	done := make(chan api.TransformResult, 1)
	// The goroutine ends when the parser does.
	go func() {
		defer func() { <-slots }()
		defer func() {
			if recover() != nil {
				close(done)
			}
		}()
		done <- api.Transform(code, options)
	}()
	select {
	case r, ok := <-done:
		if !ok {
			return r, errors.New("typescript: the parser failed")
		}
		return r, nil
	case <-timer.C:
		return api.TransformResult{}, errTimeout
	case <-ctx.Done():
		return api.TransformResult{}, context.Cause(ctx)
	}
}

// Check implements entry.Frontend.
func (frontend) Check(ctx context.Context, name, code string) *entry.SyntaxError {
	e, err := entry.Build(ctx, code)
	if err != nil {
		var se *entry.SyntaxError
		errors.As(err, &se)
		return se // the scanner's own, nil when there is no code or ctx ended
	}
	r, err := transform(ctx, e.Source, api.TransformOptions{
		Loader:     api.LoaderJS,
		Target:     api.ESNext,
		Sourcefile: name,
		LogLevel:   api.LogLevelSilent,
	})
	if err != nil || len(r.Errors) == 0 {
		return nil
	}
	se := describe(e.Source, r.Errors[0], 1)
	out := e.SyntaxError(se.Message, se.Line-1, se.Column)
	if out.Message == se.Message {
		out.Hint = se.Hint
	}
	return out
}

// StripTypes implements entry.Frontend.
func (frontend) StripTypes(ctx context.Context, name, code string) (string, entry.Mapping, error) {
	r, err := transform(ctx, code, api.TransformOptions{
		Loader: api.LoaderTS,
		Target: api.ESNext,
		// What the engines lack, or one of them.
		Supported: map[string]bool{"decorators": false, "using": false},
		TsconfigRaw: `{"compilerOptions":{"target":"esnext","useDefineForClassFields":true,` +
			`"verbatimModuleSyntax":true}}`,
		Charset:        api.CharsetUTF8,
		LegalComments:  api.LegalCommentsNone,
		Sourcemap:      api.SourceMapExternal,
		SourcesContent: api.SourcesContentExclude,
		Sourcefile:     name,
		LogLevel:       api.LogLevelSilent,
	})
	if err != nil {
		return "", nil, err
	}
	if len(r.Errors) > 0 {
		return "", nil, describe(code, r.Errors[0], 1)
	}
	m, err := parseMap(r.Map)
	if err != nil {
		return "", nil, err
	}
	return string(r.Code), m, nil
}

// describe turns a message of the parser about code into a syntax error. header is
// the number of generated lines in front of the program, for lines named in hints.
func describe(code string, m api.Message, header int) *entry.SyntaxError {
	out := &entry.SyntaxError{Message: m.Text}
	if m.Location != nil {
		line := lineText(code, m.Location.Line)
		out.Line = m.Location.Line
		out.Column = column(line, m.Location.Column)
		if s := m.Location.Suggestion; s != "" && len(s) <= 40 {
			out.Hint = fmt.Sprintf("write %q here", s)
		}
		before := line[:min(m.Location.Column, len(line))]
		if at := namespaceWord.FindStringSubmatchIndex(before); at != nil {
			return &entry.SyntaxError{
				Message: before[at[2]:at[3]] + " is not possible in a program",
				Line:    out.Line, Column: column(line, at[2]),
				Hint: "use an object or a class",
			}
		}
	}
	if out.Hint == "" {
		for _, n := range m.Notes {
			text := strings.TrimSuffix(n.Text, ":")
			if n.Location != nil && n.Location.Line > header {
				text += " in line " + strconv.Itoa(n.Location.Line-header)
			} else if n.Location == nil {
				continue
			}
			out.Hint = text
			break
		}
	}
	if strings.Contains(m.Text, "JSX syntax extension") {
		out.Message, out.Hint = "JSX is not possible in a program", ""
	}
	return out
}

// namespaceWord matches the text before the name of a namespace, at which the parser
// stops because a program is a function body.
var namespaceWord = regexp.MustCompile(`(?:^|[;{}\s])(namespace|module)[ \t]+$`)

// lineText is the line with a number of at least 1, without its end.
func lineText(code string, number int) string {
	for ; number > 1; number-- {
		i := strings.IndexAny(code, "\n\r\u2028\u2029")
		if i < 0 {
			return ""
		}
		_, n := utf8.DecodeRuneInString(code[i:])
		if strings.HasPrefix(code[i:], "\r\n") {
			n = 2
		}
		code = code[i+n:]
	}
	if i := strings.IndexAny(code, "\n\r\u2028\u2029"); i >= 0 {
		code = code[:i]
	}
	return code
}

// column turns a byte offset in a line into a column in UTF-16 units.
func column(line string, off int) int {
	col := 1
	for i, r := range line {
		if i >= off {
			break
		}
		col++
		if r >= 0x10000 {
			col++
		}
	}
	return col
}
