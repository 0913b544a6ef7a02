package npm

import (
	"errors"
	"fmt"

	"github.com/evanw/esbuild/pkg/api"

	"quicksand/internal/entry"
)

// Bundler names the bundler, whose version is part of the identity of what it makes.
const Bundler = "esbuild 0.28.2"

const (
	// maxNesting is how deep the text of a file may nest. The parser's stack is not
	// bounded, and its overflow would end the process. Code that people write, and what
	// compilers make of it, stays below 200.
	maxNesting = 1000
	// maxUnknown is the length of a text whose nesting is not known, because it has a
	// syntax error or is beyond our scanner: no text of that length can overflow the stack.
	maxUnknown = 16 << 10
	// language is what the engines understand.
	language = api.ES2022
)

var errDeep = errors.New("its code nests too deep")

// parseable reports whether the bundler may be given a JavaScript text.
func parseable(code string) error {
	n, whole := entry.NestingSoFar(code)
	switch {
	case n > maxNesting:
		return fmt.Errorf("%w: %d levels, the limit is %d", errDeep, n, maxNesting)
	case !whole && len(code) > maxUnknown:
		return errors.New("it is not valid JavaScript")
	}
	return nil
}

// parseableJSON is parseable for JSON.
func parseableJSON(text []byte) error {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			if depth++; depth > maxNesting {
				return fmt.Errorf("%w: more than %d levels", errDeep, maxNesting)
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return nil
}
