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
var unitNames = []string{"inspect", "console", "bytes", "parallel", "events", "url", "text", "timers"}

// A Unit is a part of the prelude that is evaluated on first use.
type Unit struct {
	Name string // source name to compile it under
	Code string
}

// A Bridge is a set of functions of the host which the prelude makes globals of.
type Bridge struct {
	// Funcs are its functions.
	Funcs []Func
	// Script is the source of an expression: a function from the prelude's internals and
	// the plain functions, by name, to an object of what replaces them, by name. Its OP and
	// UNIT constants are replaced as those of units are. It may be empty.
	Script string
	// Replaceable lets guests overwrite its globals.
	Replaceable bool
}

// A Func is one function of a bridge.
type Func struct {
	// Name is the path of the function from the global object, as in "workspace.read". A
	// name that begins with "_" is for the script alone.
	Name string
	// Op is its operation. 0 means that the script makes the function.
	Op uint32
}

// Compile compiles the prelude and its units for eng.
func Compile(ctx context.Context, eng engine.Engine, bridges []Bridge) (engine.Image, error) {
	p, err := eng.Compile(ctx, engine.Source{Name: Name, Code: Source(bridges), Kind: engine.Script})
	if err != nil {
		return engine.Image{}, fmt.Errorf("prelude: %w", err)
	}
	img := engine.Image{Prelude: p}
	for _, u := range Units(bridges) {
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
	"Hooks": engine.OpHooks, "Async": engine.OpAsync, "Unit": engine.OpUnit, "UTF8Encode": engine.OpUTF8Encode, "UTF8Decode": engine.OpUTF8Decode,
	"Clone": engine.OpClone, "Class": engine.OpClass, "PromiseState": engine.OpPromiseState,
	"PerformanceNow": engine.OpPerformanceNow, "Stack": engine.OpStack, "Collect": engine.OpCollect,
}

// Hooks is a complete prelude that holds the hooks and nothing else, for the
// engines' own tests.
func Hooks() string { return script(read("hooks.js")) }

// Source is the whole prelude, to be compiled as a script under Name.
func Source(bridges []Bridge) string {
	return script(read("hooks.js") + strings.Replace(read("core.js"), "$BRIDGES", table(bridges), 1))
}

// Units are the parts that Source evaluates on demand, in the order of their index:
// the compiled units of an image must have the same order. Each is a script.
func Units(bridges []Bridge) []Unit {
	units := make([]Unit, len(unitNames))
	for i, name := range unitNames {
		units[i] = Unit{Name: Name + "/" + name, Code: read("units/" + name + ".js")}
	}
	for _, b := range bridges {
		if b.Script != "" {
			units = append(units, Unit{Name: Name + "/" + Root(b.Funcs[0].Name), Code: replaceConstants(b.Script)})
		}
	}
	return units
}

// Root is the global in which a function is found.
func Root(name string) string {
	root, _, _ := strings.Cut(name, ".")
	return root
}

// table writes what core.js needs to know of the bridges, as JavaScript: for each the
// index of its unit, or -1, and its functions, as one string because most runs never
// touch most of them; then the bridges of each global, by index, and whether it is
// replaceable.
func table(bridges []Bridge) string {
	type global struct {
		bridges     []int
		replaceable bool
	}
	globals := make(map[string]*global)
	var names []string
	var b strings.Builder
	b.WriteString("[[")
	unit := len(unitNames)
	for i, br := range bridges {
		index := -1
		if br.Script != "" {
			index = unit
			unit++
		}
		var list strings.Builder
		for _, f := range br.Funcs {
			fmt.Fprintf(&list, "%s %d\n", f.Name, f.Op)
			if f.Name[0] == '_' {
				continue
			}
			root := Root(f.Name)
			g := globals[root]
			if g == nil {
				g = new(global)
				globals[root] = g
				names = append(names, root)
			}
			if len(g.bridges) == 0 || g.bridges[len(g.bridges)-1] != i {
				g.bridges = append(g.bridges, i)
			}
			g.replaceable = g.replaceable || br.Replaceable
		}
		fmt.Fprintf(&b, "[%d, %q], ", index, list.String())
	}
	b.WriteString("], [")
	for _, name := range names {
		g := globals[name]
		fmt.Fprintf(&b, "[%q, [", name)
		for _, i := range g.bridges {
			fmt.Fprintf(&b, "%d, ", i)
		}
		fmt.Fprintf(&b, "], %v], ", g.replaceable)
	}
	b.WriteString("]]")
	return b.String()
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
	return replaceConstants(string(b))
}

// replaceConstants leaves those that it does not know, which a test of the prelude's own
// sources looks for.
func replaceConstants(code string) string {
	return constant.ReplaceAllStringFunc(code, func(c string) string {
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
		return c
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
