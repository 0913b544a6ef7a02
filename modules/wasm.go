package modules

import (
	"sync"
	"time"

	"quicksand/bridges"
)

// A WASMDecl is what a manifest declares of a WebAssembly module, after validation.
type WASMDecl struct {
	// Specifier is what programs import.
	Specifier string
	// MemoryPagesMax bounds each memory, in pages of 64 KiB. 0 means that it may have none.
	MemoryPagesMax int
	// Exports are the functions that guests see.
	Exports []WASMExport
	Limits  WASMLimits
}

// A WASMExport maps a function of the binary to its name for guests.
type WASMExport struct {
	WASM string // in the binary
	As   string // an identifier
}

// WASMLimits bound calls. Zero fields mean the default, which is also the most that a
// manifest may say.
type WASMLimits struct {
	CallTimeout        time.Duration // of one call: 5 s
	CallConcurrency    int           // calls of a run that work at one time: 2
	CallsPerInvocation int           // calls of a run: 256
	WallClock          time.Duration // the sum of the calls of a run: 30 s
}

// WASMCompiler checks a binary against its declaration and makes the bridge whose Funcs are
// the exports, named as guests see them. An error rejects the package; its text names the
// export and the rule. It must be safe for concurrent use, and must not keep or change bin.
type WASMCompiler func(bin []byte, decl WASMDecl) (*bridges.Bridge, error)

var wasm struct {
	sync.Mutex
	compile WASMCompiler
}

// RegisterWASM makes f serve WebAssembly modules of the catalogs that are opened from then
// on. The package quicksand/modules/wasm calls it when it is initialized; without it such
// modules are skipped.
func RegisterWASM(f WASMCompiler) {
	wasm.Lock()
	defer wasm.Unlock()
	wasm.compile = f
}

func wasmCompiler() WASMCompiler {
	wasm.Lock()
	defer wasm.Unlock()
	return wasm.compile
}
