package modules

// The largest files of a package, in bytes.
const (
	MaxManifest = 1 << 20   // package.json
	MaxFile     = 256 << 10 // one JavaScript file that the package brings
	MaxShipped  = 1 << 20   // the same in a package of Ship
	MaxBundle   = 1 << 20   // one compiled npm dependency
	MaxWASM     = 4 << 20   // one WebAssembly binary
	MaxPack     = 8 << 20   // all files of a package together
	MaxSkill    = 16 << 10  // SKILL.md
)

// How much a manifest may declare and its files import: with these, what modules reach of
// each other is a matter of milliseconds.
const (
	maxModules  = 256
	maxInternal = 512
	maxExports  = 1024 // of a WebAssembly module
	maxImports  = 16384
)
