// Package prelude holds the JavaScript that is evaluated into every image: the
// hooks that engines call, and what a guest finds as globals.
//
// The prelude is one script: a function over the native function. It is put
// together from the files of this package in a fixed order. Parts which few runs
// use are units: scripts of their own which the prelude evaluates when a guest first
// touches the global that they provide.
package prelude

import _ "embed"

//go:embed hooks.js
var hooksJS string

// Hooks is a complete prelude that holds the hooks and nothing else, for the
// engines' own tests.
func Hooks() string {
	return "(function (native) { \"use strict\"; delete globalThis.__native;\n" + hooksJS + "\n})(__native);\n"
}
