// Package modules finds packages of sandbox modules on disk, checks them without ever
// executing their code, and resolves what programs import.
package modules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"quicksand/bridges"
)

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

// A Set is what a run may import: modules of a catalog. It is immutable and safe for
// concurrent use. Nil has none.
type Set struct {
	modules  map[string]*Module
	catalog  *Catalog // nil for none
	warnings []Status
}

// Specifiers are the modules of the set, sorted.
func (s *Set) Specifiers() []string {
	if s == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(s.modules))
}

// Catalog is where the modules came from, or nil.
func (s *Set) Catalog() *Catalog {
	if s == nil {
		return nil
	}
	return s.catalog
}

// Warnings are what the logs of a run should say of the modules: other versions or other
// content than declared.
func (s *Set) Warnings() []Status {
	if s == nil {
		return nil
	}
	return s.warnings
}

// Deny is the error for a program that imports what it may not, or nil: it names all of the
// specifiers that are not in the set, with what is. Specifiers that the host serves itself
// must not be among them. It is for the time before a guest starts.
func (s *Set) Deny(specifiers []string) error {
	var missing []string
	for _, spec := range specifiers {
		if s.Lookup(spec) == nil {
			missing = append(missing, spec)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("cannot import %s: not a sandbox package this run serves", strings.Join(missing, ", "))
}

// Lookup finds a module of the set by its specifier, or nil.
func (s *Set) Lookup(specifier string) *Module {
	if s == nil {
		return nil
	}
	return s.modules[specifier]
}
