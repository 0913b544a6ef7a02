// Package modules finds packages of sandbox modules on disk, checks them without ever
// executing their code, and resolves what programs import.
//
//	cat, err := modules.Open("my-packs")
//	res, err := quicksand.Run(ctx, code, quicksand.Options{Packs: cat.Set("@acme/geo")})
//
// A package is a folder in the form of an npm package. Its package.json says what can be
// imported, in the field nodetool:
//
//	"nodetool": {
//		"apiVersion": 1,
//		"sandboxModules": [
//			{"kind": "js", "name": ".", "file": "sandbox/geo.js"},
//			{"kind": "js", "name": "yaml", "npm": "js-yaml"},
//			{"kind": "host", "name": "csv", "host": "csv"},
//			{"kind": "wasm", "name": "grid", "file": "grid.wasm", "memoryPagesMax": 16, "exports": ["cell"]}
//		],
//		"internal": ["sandbox/round.js"]
//	}
//
// A module is imported by the name of the package, a slash and its own name; "." stands for
// the package alone. Files are named exactly, have no symbolic links in their paths, and
// import each other by exact relative paths; "internal" lists those that are no modules.
// Besides their siblings they may import the other modules of the package, modules of the
// packages in "dependencies", and those of CapabilityPack, all by name. import() and
// require() are errors. An npm dependency is bundled by quicksand/modules/npm beforehand; a
// host module belongs to the one package that hostmods.PackOf tells; WebAssembly needs
// quicksand/modules/wasm in the program.
//
// Syntax is checked as far as tokens, brackets, imports and exports go. Other errors of it
// are found when a program first imports the file.
//
// A JavaScript module runs in the realm of the program that imports it and can do what that
// can. To allow an import is to trust the package with it.
package modules

import "quicksand/bridges"

// Kind says where a module runs.
type Kind string

// The kinds of modules.
const (
	JS   Kind = "js"   // in the guest
	Host Kind = "host" // on the host, behind a facade
	WASM Kind = "wasm" // on the host, in a fresh WebAssembly instance for each call
)

// A Module is one importable entry of a package, resolved: it holds everything that a run
// needs, and no path of the file system. It is immutable.
type Module struct {
	// Specifier is what programs import: "@acme/geo/extra".
	Specifier string
	// Pack and Version are the package it belongs to.
	Pack, Version string
	Kind          Kind
	// Digest identifies the module with everything it reaches: 64 hexadecimal digits.
	Digest string
	// Entry is the file of a JS module which the specifier means, a key of Files.
	Entry string
	// Files are the sources of a JS module: its entry and all that it reaches by relative
	// imports, by package-relative path. Modules of one package that share a file share
	// its instance in a run.
	Files map[string]string
	// Bridge are the functions of a Host or WASM module; each of its Funcs is an export.
	Bridge *bridges.Bridge
	// Default says that a Host module exports an object of its functions as default too.
	Default bool
	// Imports are the modules of other packages, and of its own, which files of a JS module
	// name, sorted.
	Imports []string
	// Exports are the names that it exports, as far as they are known without running it:
	// all of them if Complete. Nil means that nothing is known.
	Exports  []string
	Complete bool
}
