// Package prelude holds the JavaScript that is evaluated into every image: the
// hooks that engines call, and what a guest finds as globals.
//
// The prelude is one script: a function over the native function. It is put
// together from the files of this package in a fixed order. Parts which few runs
// use are units: scripts of their own which the prelude evaluates when a guest first
// touches the global that they provide. A unit's completion value is a function
// from the prelude's internals (captured intrinsics and shared state) to an object
// with what the unit provides.
//
// Neither the prelude nor a unit calls a method or an iterator that a guest can
// replace, unless the standard says that the guest's own is called. Template literals
// are among what it does without: the engines compile them to calls of
// String.prototype.concat.
package prelude

import (
	"context"
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quicksand/engine"
)

//go:embed hooks.js core.js units/*.js
var files embed.FS

// Name is the source name under which the prelude is compiled. The names of units
// begin with it too. Frames of a stack in which it occurs are not the guest's.
const Name = "quicksand:prelude"

// unitNames are the units in the order of their index.
var unitNames = []string{"inspect", "console", "bytes", "parallel", "events", "url", "text"}

// A Unit is a part of the prelude that is evaluated on first use.
type Unit struct {
	Name string // source name to compile it under
	Code string
}

// Compile compiles the prelude and its units for eng.
func Compile(ctx context.Context, eng engine.Engine) (engine.Image, error) {
	p, err := eng.Compile(ctx, engine.Source{Name: Name, Code: Source(), Kind: engine.Script})
	if err != nil {
		return engine.Image{}, fmt.Errorf("prelude: %w", err)
	}
	img := engine.Image{Prelude: p}
	for _, u := range Units() {
		p, err := eng.Compile(ctx, engine.Source{Name: u.Name, Code: u.Code, Kind: engine.Script})
		if err != nil {
			return engine.Image{}, fmt.Errorf("prelude: %w", err)
		}
		img.Units = append(img.Units, p)
	}
	return img, nil
}

// engineOps are the operations that engines serve themselves.
var engineOps = map[string]int{
	"Hooks": engine.OpHooks, "Unit": engine.OpUnit, "UTF8Encode": engine.OpUTF8Encode, "UTF8Decode": engine.OpUTF8Decode,
	"Clone": engine.OpClone, "Class": engine.OpClass, "PromiseState": engine.OpPromiseState,
	"PerformanceNow": engine.OpPerformanceNow, "Stack": engine.OpStack,
}

// Hooks is a complete prelude that holds the hooks and nothing else, for the
// engines' own tests.
func Hooks() string { return script(read("hooks.js")) }

// Source is the whole prelude, to be compiled as a script under Name.
func Source() string { return script(read("hooks.js") + read("core.js")) }

// Units are the parts that Source evaluates on demand, in the order of their index:
// the compiled units of an image must have the same order. Each is a script.
func Units() []Unit {
	units := make([]Unit, len(unitNames))
	for i, name := range unitNames {
		units[i] = Unit{Name: Name + "/" + name, Code: read("units/" + name + ".js")}
	}
	return units
}

func script(body string) string {
	return "(function (native) { \"use strict\"; delete globalThis.__native;\n" + body + "\nnative(0, hooks);\n})(__native);\n"
}

var constant = regexp.MustCompile(`\b(OP|UNIT)\.(\w+)\b`)

// read returns a file with its OP and UNIT constants replaced by numbers.
func read(name string) string {
	b, err := files.ReadFile(name)
	if err != nil {
		panic(err) // the file is embedded
	}
	return constant.ReplaceAllStringFunc(string(b), func(c string) string {
		kind, key, _ := strings.Cut(c, ".")
		if kind == "UNIT" {
			if i := slices.Index(unitNames, key); i >= 0 {
				return strconv.Itoa(i)
			}
		} else if n, ok := Ops[key]; ok {
			return strconv.Itoa(n)
		} else if n, ok := engineOps[key]; ok {
			return strconv.Itoa(n)
		}
		panic(fmt.Sprintf("prelude: %s uses the unknown constant %s", name, c))
	})
}

// Reserved are the names that a host may not give to a global: the bridges and
// helpers of the guest surface (also those which this image does not have), the
// internals, and the globals that cannot be redefined.
var Reserved = reserved()

func reserved() map[string]bool {
	names := strings.Fields(`
		console fetch crypto sleep getSecret workspace assetToSandbox sandboxToAsset progress emit output format
		image audio video canvas media __maxIter __secretScope
		toBase64 fromBase64 toHex fromHex parallelMap createCanvas stream
		__wasmCall __wasmDispatch __capabilityCall __capabilityDispatch __takeInput __streamOpen
		__nodetool_marshal__ __nodetool_globals_json__ __nodetool_globals_side__
		__hostCall __nodetoolHostDispatch __native
		globalThis undefined NaN Infinity`)
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	return set
}
