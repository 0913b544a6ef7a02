package modules

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// manifestOf is a package.json with a nodetool field.
func manifestOf(nodetool string) string {
	return fmt.Sprintf(`{"name": "@acme/pack", "version": "1.0.0", "nodetool": %s}`, nodetool)
}

// entryOf is a manifest with one module.
func entryOf(entry string) string {
	return manifestOf(fmt.Sprintf(`{"sandboxModules": [%s]}`, entry))
}

// repeated is a list of entries with numbers in them.
func repeated(n int, format string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(list, ",")
}

func TestManifestsThatAreNoPacks(t *testing.T) {
	for name, text := range map[string]string{
		"without nodetool":             `{"name": "x"}`,
		"nodetool without modules":     `{"name": "x", "nodetool": {"recommended": true}}`,
		"nodetool with an empty list":  `{"name": "x", "nodetool": {"sandboxModules": []}}`,
		"nodetool of another system":   `{"name": "x", "nodetool": "yes"}`,
		"a field of another case":      `{"name": "x", "Nodetool": {"sandboxModules": [{"kind": "js", "name": ".", "file": "a.js"}]}}`,
		"modules without a name of it": `{"nodetool": {"nodes": []}}`,
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := parseManifest([]byte(text)); !errors.Is(err, errNoPack) {
				t.Errorf("got %v, want errNoPack", err)
			}
		})
	}
}

func TestManifestsAreStrict(t *testing.T) {
	wasm := func(rest string) string {
		return entryOf(`{"kind": "wasm", "name": "w", "file": "w.wasm", ` + rest + `}`)
	}
	for _, tt := range []struct{ name, text, want string }{ // want "" is no error
		{"authored JavaScript", entryOf(`{"kind": "js", "name": ".", "file": "a.js"}`), ""},
		{"a name of all characters that there are", entryOf(`{"kind": "js", "name": "Az0._-", "file": "a.js"}`), ""},
		{"a name that begins with a dot", entryOf(`{"kind": "js", "name": ".x", "file": "a.js"}`), ""},
		{"an npm dependency", entryOf(`{"kind": "js", "name": "y", "npm": "js-yaml"}`), ""},
		{"an npm dependency in a scope, in any case", entryOf(`{"kind": "js", "name": "y", "npm": "@Scope/na_me.js~1"}`), ""},
		{"a path within an npm dependency", entryOf(`{"kind": "js", "name": "y", "npm": "date-fns/locale"}`), ""},
		{"a host module", entryOf(`{"kind": "host", "name": ".", "host": "csv"}`), ""},
		{"what other systems keep in nodetool", manifestOf(`{"apiVersion": 1, "recommended": true, "nodes": {}, "sandboxModules": [{"kind": "js", "name": ".", "file": "a.js"}]}`), ""},
		{"a path with dots in names", entryOf(`{"kind": "js", "name": ".", "file": "./a/./..b/c..js"}`), ""},

		{"a byte order mark", "\ufeff" + entryOf(`{"kind": "js", "name": ".", "file": "a.js"}`), ""},

		{"no JSON", `{`, "is no JSON"},
		{"no object", `[]`, "must be an object"},
		{"null", `null`, "must be an object"},
		{"no name", `{"nodetool": {"sandboxModules": [{}]}}`, "the name of the package is missing"},
		{"a name that is no string", `{"name": 1, "nodetool": {"sandboxModules": [{}]}}`, "the name of the package must be a string"},
		{"a name that is a path", `{"name": "../x", "nodetool": {"sandboxModules": [{}]}}`, "no name of a package"},
		{"a name with a scope too many", `{"name": "@a/b/c", "nodetool": {"sandboxModules": [{}]}}`, "no name of a package"},
		{"a name with ::", `{"name": "a::b", "nodetool": {"sandboxModules": [{}]}}`, "no name of a package"},
		{"a scope of dots", `{"name": "@../b", "nodetool": {"sandboxModules": [{}]}}`, "no name of a package"},
		{"the name of the host", `{"name": "@nodetool-ai/sandbox-nodetool", "nodetool": {"sandboxModules": [{}]}}`, "belongs to the host"},
		{"a version that is no string", `{"name": "x", "version": 1, "nodetool": {"sandboxModules": [{}]}}`, "version must be a string"},
		{"another apiVersion", manifestOf(`{"apiVersion": 2, "sandboxModules": [{}]}`), "apiVersion must be 1"},
		{"an apiVersion that is a string", manifestOf(`{"apiVersion": "1", "sandboxModules": [{}]}`), "apiVersion must be 1"},
		{"modules that are no list", manifestOf(`{"sandboxModules": {}}`), "must be a list"},
		{"modules that are null", manifestOf(`{"sandboxModules": null}`), "must be a list"},
		{"a module that is no object", entryOf(`"a.js"`), "sandboxModules[0] must be an object"},
		{"a module of no kind", entryOf(`{"name": ".", "file": "a.js"}`), "kind is missing"},
		{"a module of another kind", entryOf(`{"kind": "native", "name": ".", "file": "a.js"}`), `"native" is none of js, host and wasm`},
		{"a field that nobody knows", entryOf(`{"kind": "js", "name": ".", "file": "a.js", "main": true}`), `no field "main"`},
		{"a field of another case", entryOf(`{"kind": "js", "Name": ".", "file": "a.js"}`), `name is missing`},
		{"a field of another kind", entryOf(`{"kind": "js", "name": ".", "file": "a.js", "host": "csv"}`), `no field "host"`},
		{"neither file nor npm", entryOf(`{"kind": "js", "name": "."}`), "must have file or npm"},
		{"file and npm", entryOf(`{"kind": "js", "name": ".", "file": "a.js", "npm": "a"}`), "must have file or npm"},
		{"an empty name", entryOf(`{"kind": "js", "name": "", "file": "a.js"}`), "name must be"},
		{"a name with a slash", entryOf(`{"kind": "js", "name": "a/b", "file": "a.js"}`), "name must be"},
		{"a name with a control character", entryOf(`{"kind": "js", "name": "a\u007f", "file": "a.js"}`), "name must be"},
		{"a name that leads up", entryOf(`{"kind": "js", "name": "..", "file": "a.js"}`), "reserved"},
		{"the name node_modules", entryOf(`{"kind": "js", "name": "node_modules", "file": "a.js"}`), "reserved"},
		{"a file outside of the package", entryOf(`{"kind": "js", "name": ".", "file": "a/../../b.js"}`), `must not hold ".."`},
		{"a file at the root", entryOf(`{"kind": "js", "name": ".", "file": "/a.js"}`), "must not begin with /"},
		{"a file of Windows", entryOf(`{"kind": "js", "name": ".", "file": "a\\b.js"}`), "backslash"},
		{"a file with a control character", entryOf(`{"kind": "js", "name": ".", "file": "a\u0000.js"}`), "control characters"},
		{"a file with encoded dots", entryOf(`{"kind": "js", "name": ".", "file": "%2E%2e/a.js"}`), "percent-encoded"},
		{"a file with an encoded slash", entryOf(`{"kind": "js", "name": ".", "file": "a%2fb.js"}`), "percent-encoded"},
		{"a file with an encoded backslash", entryOf(`{"kind": "js", "name": ".", "file": "a%5Cb.js"}`), "percent-encoded"},
		{"a file with an empty name", entryOf(`{"kind": "js", "name": ".", "file": "a//b.js"}`), "empty name"},
		{"a file that is a folder", entryOf(`{"kind": "js", "name": ".", "file": "a/"}`), "empty name"},
		{"a file that is the package", entryOf(`{"kind": "js", "name": ".", "file": "./."}`), "must name a file"},
		{"no file at all", entryOf(`{"kind": "js", "name": ".", "file": ""}`), "must not be empty"},
		{"a dependency that leads up", entryOf(`{"kind": "js", "name": ".", "npm": ".."}`), "no name of an npm package"},
		{"a dependency that leads up in its path", entryOf(`{"kind": "js", "name": ".", "npm": "a/../b"}`), "no name of an npm package"},
		{"a dependency that is a path", entryOf(`{"kind": "js", "name": ".", "npm": "./a"}`), "no name of an npm package"},
		{"a dependency that is encoded", entryOf(`{"kind": "js", "name": ".", "npm": "a%2fb"}`), "no name of an npm package"},
		{"a host module with a capital", entryOf(`{"kind": "host", "name": ".", "host": "Csv"}`), "lower-case"},
		{"a host module with a long name", entryOf(`{"kind": "host", "name": ".", "host": "` + strings.Repeat("a", 65) + `"}`), "lower-case"},
		{"two modules of one name", entryOf(`{"kind": "js", "name": "a", "file": "a.js"}, {"kind": "js", "name": "a", "file": "b.js"}`), `two modules "a"`},
		{"two modules of one dependency", entryOf(`{"kind": "js", "name": "a", "npm": "x"}, {"kind": "js", "name": "b", "npm": "x"}`), `two modules of "x"`},
		{"as many modules as there may be", entryOf(repeated(maxModules, `{"kind": "js", "name": "%d", "file": "x.js"}`)), ""},
		{"too many modules", entryOf(repeated(maxModules+1, `{"kind": "js", "name": "%d", "file": "x.js"}`)), "has 257 entries, more than 256"},
		{"too many internal files", manifestOf(`{"sandboxModules": [{"kind": "js", "name": ".", "file": "a.js"}], "internal": [` + repeated(maxInternal+1, `"%d.js"`) + `]}`), "has 513 entries, more than 512"},
		{"too many exports", wasm(`"memoryPagesMax": 1, "exports": [` + repeated(maxExports+1, `"a%d"`) + `]`), "has 1025 entries, more than 1024"},
		{"two modules of one file", entryOf(`{"kind": "js", "name": "a", "file": "x.js"}, {"kind": "js", "name": "b", "file": "x.js"}`), ""},
		{"two spellings of one file", entryOf(`{"kind": "js", "name": "a", "file": "x.js"}, {"kind": "js", "name": "b", "file": "./x.js"}`), `"x.js" and "./x.js" are one file`},
		{"one file of two kinds", entryOf(`{"kind": "js", "name": "a", "file": "x.js"}, {"kind": "wasm", "name": "b", "file": "x.js", "memoryPagesMax": 0, "exports": ["a"]}`), ""}, // discovery refuses it
		{"an internal file that is public", manifestOf(`{"sandboxModules": [{"kind": "js", "name": ".", "file": "a.js"}], "internal": ["./a.js"]}`), "file of a module too"},
		{"an internal file twice", manifestOf(`{"sandboxModules": [{"kind": "js", "name": ".", "file": "a.js"}], "internal": ["b.js", "./b.js"]}`), "twice"},
		{"an internal file that is no JavaScript", manifestOf(`{"sandboxModules": [{"kind": "js", "name": ".", "file": "a.js"}], "internal": ["b.json"]}`), "must end in .js"},
		{"internal files that are no list", manifestOf(`{"sandboxModules": [{"kind": "js", "name": ".", "file": "a.js"}], "internal": "b.js"}`), "internal must be a list"},

		{"WASM", wasm(`"memoryPagesMax": 16, "exports": ["add", {"wasm": "a-b", "as": "ab"}], "limits": {"callTimeoutMs": 5000, "callConcurrency": 2, "callsPerInvocation": 256, "wallClockMs": 30000}`), ""},
		{"WASM without memory", wasm(`"memoryPagesMax": 0, "exports": ["add"]`), ""},
		{"WASM without a bound of memory", wasm(`"exports": ["add"]`), "memoryPagesMax is missing"},
		{"WASM with too much memory", wasm(`"memoryPagesMax": 4097, "exports": ["add"]`), "from 0 to 4096"},
		{"WASM with a fraction of a page", wasm(`"memoryPagesMax": 1.5, "exports": ["add"]`), "from 0 to 4096"},
		{"WASM without exports", wasm(`"memoryPagesMax": 1, "exports": []`), "at least one export"},
		{"WASM with an export that needs an alias", wasm(`"memoryPagesMax": 1, "exports": ["a-b"]`), "no identifier"},
		{"WASM with an export that is a keyword", wasm(`"memoryPagesMax": 1, "exports": ["await"]`), "no identifier"},
		{"WASM with an alias that is a keyword", wasm(`"memoryPagesMax": 1, "exports": [{"wasm": "x", "as": "static"}]`), "no identifier"},
		{"WASM with the alias default", wasm(`"memoryPagesMax": 1, "exports": [{"wasm": "x", "as": "default"}]`), "no identifier"},
		{"WASM with an empty export", wasm(`"memoryPagesMax": 1, "exports": [{"wasm": "", "as": "x"}]`), "must not be empty"},
		{"WASM with an export twice", wasm(`"memoryPagesMax": 1, "exports": ["a", {"wasm": "a", "as": "b"}]`), "twice"},
		{"WASM with an alias twice", wasm(`"memoryPagesMax": 1, "exports": ["a", {"wasm": "b", "as": "a"}]`), "two exports"},
		{"WASM that asks for more time", wasm(`"memoryPagesMax": 1, "exports": ["a"], "limits": {"callTimeoutMs": 5001}`), "from 1 to 5000"},
		{"WASM that asks for more calls at one time", wasm(`"memoryPagesMax": 1, "exports": ["a"], "limits": {"callConcurrency": 3}`), "from 1 to 2"},
		{"WASM that asks for more calls", wasm(`"memoryPagesMax": 1, "exports": ["a"], "limits": {"callsPerInvocation": 257}`), "from 1 to 256"},
		{"WASM that asks for more time in sum", wasm(`"memoryPagesMax": 1, "exports": ["a"], "limits": {"wallClockMs": 30001}`), "from 1 to 30000"},
		{"WASM with a limit of zero", wasm(`"memoryPagesMax": 1, "exports": ["a"], "limits": {"wallClockMs": 0}`), "from 1 to 30000"},
		{"WASM with another limit", wasm(`"memoryPagesMax": 1, "exports": ["a"], "limits": {"fuel": 1}`), `no field "fuel"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parseManifest([]byte(tt.text))
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("got %v, want no error", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func TestManifestsOfWASM(t *testing.T) {
	m, err := parseManifest([]byte(entryOf(`{"kind": "wasm", "name": "w", "file": "./w.wasm", "memoryPagesMax": 16, "exports": ["add", {"wasm": "a-b", "as": "ab"}], "limits": {"callTimeoutMs": 10, "callsPerInvocation": 7}}`)))
	if err != nil {
		t.Fatal(err)
	}
	w := m.modules[0].wasm
	if m.modules[0].file != "w.wasm" || w.Specifier != "@acme/pack/w" || w.MemoryPagesMax != 16 {
		t.Errorf("got %+v", m.modules[0])
	}
	if want := (WASMLimits{CallTimeout: 10 * time.Millisecond, CallsPerInvocation: 7}); w.Limits != want {
		t.Errorf("limits %+v, want %+v", w.Limits, want)
	}
	if want := []WASMExport{{"add", "add"}, {"a-b", "ab"}}; fmt.Sprint(w.Exports) != fmt.Sprint(want) {
		t.Errorf("exports %v, want %v", w.Exports, want)
	}
}

func TestManifestsAreSmall(t *testing.T) {
	if _, err := parseManifest(make([]byte, MaxManifest+1)); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("got %v for a package.json of 1 MiB and a byte", err)
	}
}

func TestPackOf(t *testing.T) {
	for spec, want := range map[string]string{"a": "a", "a/b": "a", "@a/b": "@a/b", "@a/b/c/d": "@a/b", "@a": "@a", "": "", "/etc/passwd": "", "node:fs": "node:fs"} {
		if got := PackOf(spec); got != want {
			t.Errorf("PackOf(%q) is %q, want %q", spec, got, want)
		}
	}
}

func TestRelativeSpecifiersAreExact(t *testing.T) {
	for _, tt := range []struct{ base, spec, want string }{ // want "" is an error
		{"a/b.js", "./c.js", "a/c.js"},
		{"a/b.js", "../c.js", "c.js"},
		{"a/b.js", "./d/../c.js", "a/c.js"},
		{"b.js", "./c", "c"},
		{"b.js", ".", ""},
		{"a/b/c.js", "../../d.js", "d.js"},
		{"b.js", "../c.js", ""},
		{"a/b.js", "../../a/b.js", ""},
		{"b.js", "./c//d.js", ""},
		{"b.js", "./%2e%2e/d.js", ""},
		{"b.js", `.\d.js`, ""},
		{"b.js", "./d\x00.js", ""},
		{"b.js", "./d.js/", ""},
	} {
		got, err := resolve(tt.base, tt.spec)
		if tt.spec == "." { // the folder itself, which is no file
			if got != "" {
				t.Errorf("%q in %s is %q", tt.spec, tt.base, got)
			}
			continue
		}
		if got != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%q in %s is %q, %v; want %q", tt.spec, tt.base, got, err, tt.want)
		}
	}
}

func FuzzManifest(f *testing.F) {
	f.Add(entryOf(`{"kind": "js", "name": ".", "file": "a.js"}, {"kind": "js", "name": "b", "npm": "@a/b/c"}`))
	f.Add(entryOf(`{"kind": "wasm", "name": "w", "file": "w.wasm", "memoryPagesMax": 1, "exports": ["a", {"wasm": "b", "as": "c"}], "limits": {"wallClockMs": 1}}`))
	f.Add(manifestOf(`{"apiVersion": 1, "internal": ["a/b.js"], "sandboxModules": [{"kind": "host", "name": "h", "host": "csv"}]}`))
	f.Fuzz(func(t *testing.T, text string) {
		m, err := parseManifest([]byte(text))
		if err != nil {
			return
		}
		seen := make(map[string]bool)
		for i := range m.modules {
			d := &m.modules[i]
			spec := m.specifier(d)
			if seen[spec] || PackOf(spec) != m.name {
				t.Fatalf("the specifier %q of package %q is there twice or belongs to another", spec, m.name)
			}
			seen[spec] = true
			if d.kind != Host && d.npm == "" {
				if again, err := normalize(d.file); err != nil || again != d.file {
					t.Fatalf("the file %q is not normal: %q, %v", d.file, again, err)
				}
			}
			for _, e := range d.wasm.Exports {
				if !isIdentifier(e.As) {
					t.Fatalf("the export %q is no identifier", e.As)
				}
			}
		}
	})
}

func FuzzRelativeSpecifier(f *testing.F) {
	f.Add("a/b/c.js", "../d/./e.js")
	f.Add("a.js", "./../../etc/passwd")
	f.Fuzz(func(t *testing.T, base, spec string) {
		base, err := normalize(base)
		if err != nil {
			return
		}
		id, err := resolve(base, spec)
		if err != nil || id == "" {
			return
		}
		if again, err := normalize(id); err != nil || again != id {
			t.Fatalf("%q in %q is %q, which is not normal: %q, %v", spec, base, id, again, err)
		}
	})
}
