package modules

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// CompilerContract is the version of what an Artifact means. A change of the rules that
// compilers follow raises it, and older artifacts are compiled again.
const CompilerContract = "1"

// Compiled knows dependencies that were compiled, or why they cannot be. It must be safe for
// concurrent use, and must answer without executing code of the package. A Cache is one.
type Compiled interface {
	// Lookup finds dependency npm of the package in directory dir. Nil means that it was
	// not compiled, or that its files have changed since.
	Lookup(dir, npm string) *Artifact
}

// An Artifact is an npm dependency as one self-contained JavaScript module, or the reason
// why it cannot be one.
type Artifact struct {
	// NPM is the name of the dependency.
	NPM string `json:"npm"`
	// Bundler and Options identify what made it: "esbuild 0.28.2", a digest of its options.
	Bundler string `json:"bundler"`
	Options string `json:"options"`
	// Inputs are all files which the bundler read. Resolution are the files that decided
	// which ones: the package.json files that govern them, that of the package, and each
	// place where a dependency was looked for, with Absent where there was nothing.
	Inputs     []FileDigest `json:"inputs"`
	Resolution []FileDigest `json:"resolution"`
	// Skip says why there is no module; the fields below are empty then. Nil means that
	// there is one.
	Skip *Skip `json:"skip,omitempty"`
	// Source is the module.
	Source string `json:"source,omitempty"`
	// Exports are the names that it exports, sorted.
	Exports []string `json:"exports,omitempty"`
	// Warnings are what a user of the module should know, a line each.
	Warnings []string `json:"warnings,omitempty"`
}

// A Skip is why a dependency is no module.
type Skip struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
}

// A FileDigest is a file as it was when the dependency was compiled.
type FileDigest struct {
	// Path is relative to the directory of the package, with slashes; it may begin with "../".
	Path string `json:"path"`
	// SHA256 is the content in 64 hexadecimal digits, Absent or Unreadable.
	SHA256 string `json:"sha256"`
}

// What stands in FileDigest.SHA256 for a file without content.
const (
	Absent     = "absent"
	Unreadable = "unreadable"
)

// Key is the content address of the artifact: a digest of everything that it was made of, 64
// hexadecimal digits. It does not depend on what came out.
func (a *Artifact) Key() string {
	return digestJSON([]any{"artifact", CompilerContract, MaxBundle, a.Bundler, a.Options, a.NPM, sortedDigests(a.Inputs), sortedDigests(a.Resolution)})
}

func sortedDigests(list []FileDigest) []FileDigest {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b FileDigest) int {
		switch {
		case a.Path < b.Path:
			return -1
		case a.Path > b.Path:
			return 1
		}
		return 0
	})
	return list
}

// digestJSON is the SHA-256 of a canonical JSON document: slices are in an order that the
// caller made, keys of maps are sorted.
func digestJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("modules: a digest of %T: %v", v, err)) // all of them are plain
	}
	return digest(text)
}

// digest is the SHA-256 of content in hexadecimal digits.
func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
