// Package modules finds packages of sandbox modules on disk, checks them without ever
// executing their code, and resolves what programs import.
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
