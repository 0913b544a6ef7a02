package entry

import (
	"context"
	"sync/atomic"
)

// A Frontend parses with more knowledge than the scanner: it explains syntax errors
// better than an engine, and erases the types of TypeScript. Both methods are called
// from any number of goroutines at once, with hostile text; they must be bounded in
// time, memory and stack by the length of the text or refuse it, and return soon after
// ctx ended.
type Frontend interface {
	// Check parses a JavaScript program and describes its first syntax error, with
	// its position in code. It returns nil when it accepts the program or does not
	// look at it, for example because of its size. name is the file name.
	Check(ctx context.Context, name, code string) *SyntaxError
	// StripTypes turns a TypeScript module into JavaScript of the same meaning. The
	// mapping leads from the JavaScript to code. The error is a *SyntaxError with a
	// position in code, or says why the module was not looked at: the cause of ctx when
	// that ended.
	StripTypes(ctx context.Context, name, code string) (js string, m Mapping, err error)
}

// Mapping leads from generated text to its origin. It is immutable.
type Mapping interface {
	// Position is the origin of a line and column of the generated text. Without an
	// origin it is 0, 0. Column 0 means the line as a whole.
	Position(line, col int) (int, int)
}

var frontend atomic.Pointer[Frontend]

// Register makes f the front end. The last call wins. A nil f removes it.
func Register(f Frontend) {
	if f == nil {
		frontend.Store(nil)
		return
	}
	frontend.Store(&f)
}

// Registered is the front end, or nil.
func Registered() Frontend {
	if p := frontend.Load(); p != nil {
		return *p
	}
	return nil
}

// errNoTypeScript tells an embedder what to do.
const errNoTypeScript = `TypeScript is not compiled in: import _ "quicksand/typescript" in the host`

// BuildTypeScript makes a module of a TypeScript program with the registered front
// end. Types are erased, nothing is checked. Imports stay unless they are marked type.
// Use Entry.Position and Entry.CleanStack for positions: the lines of Source are not
// those of the program. name is the file name.
//
// The error is ErrNoCode, a *SyntaxError, the cause of ctx when that ended meanwhile, or
// says why the program was not looked at.
func BuildTypeScript(ctx context.Context, name, code string) (Entry, error) {
	e, err := build(ctx, code, true)
	if err != nil {
		return Entry{}, err
	}
	f := Registered()
	if f == nil {
		return Entry{}, &SyntaxError{Message: errNoTypeScript, Line: 1, Column: 1}
	}
	header, module := splitHeader(e.Source)
	js, m, err := f.StripTypes(ctx, name, module)
	if err != nil {
		if se, ok := err.(*SyntaxError); ok {
			out := *se
			out.Line, out.Column = e.Position(se.Line-1, se.Column)
			if se.Line-1 < 1 {
				out.Line, out.Column = 1, 1
			}
			if se.Line-1 > e.lines {
				out.Message, out.Hint = "unexpected end of the program", ""
			}
			return Entry{}, &out
		}
		return Entry{}, err
	}
	e.Source = header + "\n" + js
	e.generated = true
	e.mapping = programMapping{m, e.lines}
	return e, nil
}

// splitHeader separates the imports from the wrapped program.
func splitHeader(source string) (header, module string) {
	for i := 0; i < len(source); i++ {
		if source[i] == '\n' {
			start := i + 1 - len(opening)
			return source[:start], source[start:]
		}
	}
	return "", source
}

// programMapping leads from a generated module to the program in the module that it
// was generated from: one line less, for the wrapper's first line.
type programMapping struct {
	m     Mapping
	lines int // of the program
}

func (p programMapping) Position(line, col int) (int, int) {
	if p.m == nil {
		return 0, 0
	}
	l, c := p.m.Position(line, col)
	if l < 2 || l-1 > p.lines {
		return 0, 0
	}
	return l - 1, c
}

// Explain describes source that an engine refused to compile: with the words and the
// position of the registered front end when that refuses the program too, else with
// the engine's message, translated into the program. e was built from code; message,
// line and column are the engine's.
func Explain(ctx context.Context, e *Entry, name, code, message string, line, col int) *SyntaxError {
	if f := Registered(); f != nil && !e.generated {
		if se := f.Check(ctx, name, code); se != nil {
			return se
		}
	}
	return e.SyntaxError(message, line, col)
}
