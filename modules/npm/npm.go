// Package npm turns npm packages into modules for guests: it bundles a dependency and all
// that it needs into one self-contained JavaScript module, looks whether the module can work
// in a guest, and keeps the result in a [modules.Cache], where catalogs find it.
//
//	report, err := npm.Compile(ctx, "packs/acme-geo", npm.Options{})
//
// Nothing is downloaded: the packages are in the node_modules of the package or of a
// directory above it, where any npm client puts them. No code of theirs runs on the host.
// It is evaluated once, in a sealed sandbox that can do nothing but compute.
//
// It is a package of its own because the bundler, esbuild, adds 6.5 MB to a binary.
//
// # Bundling
//
// The module exports what the dependency exports, its default included. The default of a
// CommonJS package is module.exports, or exports.default where the package says that it was
// translated from an ECMAScript module; the properties which module.exports has when it was
// evaluated are named exports besides, unless evaluation fails when all of them are read.
//
// The rules of resolution are those of Node.js and its bundlers. Conditions of exports are
// "import", "module" and "default" for import, and "require", "module" and "default", then
// those of import, for require; main fields are "module" and "main" for import, "main" and
// "module" for require. A guest is neither Node.js nor a browser, so there is neither "node"
// nor "browser". Only a dependency that imports builtins of Node.js is tried once more, with
// the condition and the field "browser". If that fails as well, the builtins are the reason
// that is given. A package that is installed under the name of a builtin is that package,
// and a require within a try may fail.
//
// In the code, process.env.NODE_ENV is "production", global is globalThis, eval is
// undefined, and Function("return this")() is globalThis. A require of a computed name
// throws. The target is ES2022; code is not minified, and source maps are not part of it.
//
// All reading is our own: each file is inside the directory of the package or a
// node_modules of it or above it, also when links are followed, and no configuration of
// other tools is looked at. JavaScript, TypeScript, JSON and package.json files are all
// that is read.
//
// # Globals
//
// A bundle is refused when it needs a global that no guest has:
//
//	process Buffer require module exports __dirname __filename eval setImmediate
//	clearImmediate WebAssembly window document navigator location self top parent frames
//	alert XMLHttpRequest HTMLElement customElements localStorage sessionStorage indexedDB
//	importScripts
//
// Needing means that the name is free where it stands, and that the code is not dead when
// each of these names is undefined: typeof of such a name is "undefined", and what follows
// from that is left out. What only code behind such a test needs is reported as a warning.
// So are properties of globalThis with these names, since reading one gives undefined;
// reading a property of that, or calling it, is refused as well, unless the module assigns
// to it somewhere.
//
// NodeTool refuses six more names. The timers, setTimeout, setInterval and their clear
// functions, are warnings here: runs have them when Options.Timers is set. queueMicrotask
// and Function are not on the list: guests have the first, and a Function that throws. Some
// globals of browsers and Node.js, as performance and Headers, are warnings, too: what uses
// them throws a ReferenceError.
//
// # Time and memory
//
// A dependency is at most 5 000 files of at most 8 MiB and 32 MiB together, and its bundle
// at most modules.MaxBundle. The bundler cannot be stopped while it parses a file; its
// stack is bounded by how deep files may nest. The probe has 5 s, 64 MiB of heap and 1 MiB
// of stack, and one is made at a time.
package npm

import (
	"time"

	"quicksand/modules"
)

// Options of Compile and Bundle. The zero value is a good choice.
type Options struct {
	// Cache keeps the results. Nil means modules.DefaultCache.
	Cache *modules.Cache
	// Force compiles and probes again what the cache has.
	Force bool
	// Timeout is for one dependency. Zero means a minute.
	Timeout time.Duration
	// Engine probes, by the name of quicksand.Config. Empty means its default.
	Engine string
}

// A Report says what became of the dependencies of one package. It is encoded as JSON by
// the command line.
type Report struct {
	Pack    string `json:"pack"`
	Version string `json:"version,omitempty"`
	// Modules are in the order of the manifest; empty for a package that has no npm modules.
	Modules []Result `json:"modules"`
}

// A Result says what became of one dependency.
type Result struct {
	Specifier string `json:"specifier"`
	NPM       string `json:"npm"`
	// Level and Code are ready, npm-module-compiled, or skipped and why.
	Level   modules.Level `json:"status"`
	Code    modules.Code  `json:"code"`
	Message string        `json:"message"`
	// Size is that of the bundle in bytes.
	Size     int      `json:"size,omitempty"`
	Exports  []string `json:"exports,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	// Cached says that the cache had it.
	Cached bool `json:"cached,omitempty"`
	// Uncached is why the result could not be kept, so that catalogs will not find it.
	Uncached string `json:"uncached,omitempty"`
}
