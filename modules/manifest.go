package modules

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// A manifest is what discovery reads of a package.json.
type manifest struct {
	name, version string
	dependencies  map[string]bool
	modules       []moduleDecl
	internal      []string // normalized
}

// A moduleDecl is an entry of sandboxModules.
type moduleDecl struct {
	kind Kind
	name string
	file string // normalized; of authored JS and of WASM
	path string // file as the manifest spells it
	npm  string
	host string
	wasm WASMDecl
}

// specifier is what programs import.
func (m *manifest) specifier(d *moduleDecl) string {
	if d.name == "." {
		return m.name
	}
	return m.name + "/" + d.name
}

// errNoPack is what parseManifest returns for a package without sandbox modules.
var errNoPack = errors.New("not a sandbox package")

// parseManifest reads a package.json. What belongs to other systems is ignored; what does
// not fit in the three fields of nodetool that count here is an error, since a package which
// is misunderstood is worse than one which is missing.
func parseManifest(text []byte) (*manifest, error) {
	if len(text) > MaxManifest {
		return nil, fmt.Errorf("package.json is larger than %d bytes", MaxManifest)
	}
	top, err := readObject(bytes.TrimPrefix(text, []byte("\ufeff"))) // as Node.js reads it
	if err != nil {
		return nil, fmt.Errorf("package.json: %w", err)
	}
	var own map[string]json.RawMessage
	if json.Unmarshal(top["nodetool"], &own) != nil || own["sandboxModules"] == nil {
		return nil, errNoPack
	}
	var list []json.RawMessage
	if err := json.Unmarshal(own["sandboxModules"], &list); err != nil || own["sandboxModules"][0] != '[' {
		return nil, errors.New("nodetool.sandboxModules must be a list")
	}
	if len(list) == 0 {
		return nil, errNoPack
	}
	m := new(manifest)
	if m.name, err = readString(top["name"]); err != nil {
		return nil, fmt.Errorf("the name of the package %w", err)
	}
	if err := checkPackName(m.name); err != nil {
		return nil, err
	}
	if err := m.read(top, own, list); err != nil {
		return m, fmt.Errorf("package %s: %w", m.name, err)
	}
	return m, nil
}

func (m *manifest) read(top, own map[string]json.RawMessage, list []json.RawMessage) (err error) {
	if v := top["version"]; v != nil {
		if m.version, err = readString(v); err != nil {
			return fmt.Errorf("version %w", err)
		}
		if len(m.version) > maxVersion || hasControl(m.version) {
			return fmt.Errorf("version must be at most %d characters without control characters", maxVersion)
		}
	}
	m.dependencies = make(map[string]bool)
	// Other systems may have their own ideas of dependencies: what is no object names none.
	var deps map[string]json.RawMessage
	_ = json.Unmarshal(top["dependencies"], &deps)
	for name := range deps {
		m.dependencies[name] = true
	}
	if v := own["apiVersion"]; v != nil && string(v) != "1" {
		return errors.New("nodetool.apiVersion must be 1")
	}
	if len(list) > maxModules {
		return fmt.Errorf("nodetool.sandboxModules has %d entries, more than %d", len(list), maxModules)
	}
	names := make(map[string]bool)
	public := make(map[string]string) // spelling by file
	npm := make(map[string]bool)
	for i, raw := range list {
		at := fmt.Sprintf("nodetool.sandboxModules[%d]", i)
		d, err := readModule(at, raw)
		switch {
		case err != nil:
			return err
		case names[d.name]:
			return fmt.Errorf("%s.name: there are two modules %q", at, d.name)
		case d.npm != "" && npm[d.npm]:
			return fmt.Errorf("%s.npm: there are two modules of %q", at, d.npm)
		case d.file != "" && public[d.file] != "" && public[d.file] != d.path:
			return fmt.Errorf("%s.file: %q and %q are one file", at, public[d.file], d.path)
		}
		names[d.name] = true
		if d.file != "" {
			public[d.file] = d.path
		}
		if d.npm != "" {
			npm[d.npm] = true
		}
		d.wasm.Specifier = m.specifier(d)
		m.modules = append(m.modules, *d)
	}
	if v := own["internal"]; v != nil {
		var files []json.RawMessage
		if err := json.Unmarshal(v, &files); err != nil || v[0] != '[' {
			return errors.New("nodetool.internal must be a list")
		}
		if len(files) > maxInternal {
			return fmt.Errorf("nodetool.internal has %d entries, more than %d", len(files), maxInternal)
		}
		seen := make(map[string]bool)
		for i, raw := range files {
			at := fmt.Sprintf("nodetool.internal[%d]", i)
			file, err := readPath(raw)
			switch {
			case err != nil:
				return fmt.Errorf("%s %w", at, err)
			case !strings.HasSuffix(file, ".js"):
				return fmt.Errorf("%s: %q must end in .js", at, file)
			case public[file] != "":
				return fmt.Errorf("%s: %q is the file of a module too", at, file)
			case seen[file]:
				return fmt.Errorf("%s: %q stands there twice", at, file)
			}
			seen[file] = true
			m.internal = append(m.internal, file)
		}
	}
	return nil
}

// maxVersion bounds a version, and maxPath a path within a package, in bytes.
const (
	maxVersion = 256
	maxPath    = 1024
)

// fieldsOf are the fields of entries by kind, besides kind and name; those with a star may
// be absent.
var fieldsOf = map[Kind]string{
	JS:   "file* npm*",
	Host: "host",
	WASM: "file memoryPagesMax exports limits*",
}

// readModule reads an entry of sandboxModules.
func readModule(at string, raw json.RawMessage) (*moduleDecl, error) {
	fields, err := readObject(raw)
	if err != nil {
		return nil, fmt.Errorf("%s %w", at, err)
	}
	kind, err := readString(fields["kind"])
	if err != nil {
		return nil, fmt.Errorf("%s.kind %w", at, err)
	}
	d := &moduleDecl{kind: Kind(kind)}
	known, ok := fieldsOf[d.kind]
	if !ok {
		return nil, fmt.Errorf("%s.kind: %q is none of js, host and wasm", at, cut(kind, 64))
	}
	if err := onlyFields(fields, "kind name "+known); err != nil {
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	if d.name, err = readString(fields["name"]); err == nil {
		err = checkModuleName(d.name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s.name %w", at, err)
	}
	if v := fields["file"]; v != nil {
		if d.file, err = readPath(v); err != nil {
			return nil, fmt.Errorf("%s.file %w", at, err)
		}
		d.path, _ = readString(v)
	}
	switch d.kind {
	case JS:
		if (fields["file"] == nil) == (fields["npm"] == nil) {
			return nil, fmt.Errorf("%s must have file or npm, and not both", at)
		}
		if v := fields["npm"]; v != nil {
			if d.npm, err = readString(v); err == nil {
				err = checkNPMName(d.npm)
			}
			if err != nil {
				return nil, fmt.Errorf("%s.npm %w", at, err)
			}
		}
	case Host:
		if d.host, err = readString(fields["host"]); err == nil && !hostID.MatchString(d.host) {
			err = errors.New("must be 1 to 64 lower-case letters, digits and -, a letter first")
		}
		if err != nil {
			return nil, fmt.Errorf("%s.host %w", at, err)
		}
	case WASM:
		if err := d.wasm.read(at, fields); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Ceilings of what a manifest may say of a WebAssembly module.
const (
	maxPages           = 4096
	maxCallTimeout     = 5 * time.Second
	maxCallConcurrency = 2
	maxCalls           = 256
	maxWallClock       = 30 * time.Second
)

// read takes the fields of a WASM module but its file.
func (w *WASMDecl) read(at string, fields map[string]json.RawMessage) (err error) {
	pages, err := readInteger(fields["memoryPagesMax"], 0, maxPages)
	if err != nil {
		return fmt.Errorf("%s.memoryPagesMax %w", at, err)
	}
	w.MemoryPagesMax = pages
	if v := fields["limits"]; v != nil {
		limits, err := readObject(v)
		if err == nil {
			err = onlyFields(limits, "callTimeoutMs* callConcurrency* callsPerInvocation* wallClockMs*")
		}
		if err != nil {
			return fmt.Errorf("%s.limits %w", at, err)
		}
		var callMS, wallMS int
		for _, l := range []struct {
			name string
			to   *int
			max  int
		}{
			{"callTimeoutMs", &callMS, int(maxCallTimeout / time.Millisecond)},
			{"callConcurrency", &w.Limits.CallConcurrency, maxCallConcurrency},
			{"callsPerInvocation", &w.Limits.CallsPerInvocation, maxCalls},
			{"wallClockMs", &wallMS, int(maxWallClock / time.Millisecond)},
		} {
			if v := limits[l.name]; v != nil {
				if *l.to, err = readInteger(v, 1, l.max); err != nil {
					return fmt.Errorf("%s.limits.%s %w", at, l.name, err)
				}
			}
		}
		w.Limits.CallTimeout = time.Duration(callMS) * time.Millisecond
		w.Limits.WallClock = time.Duration(wallMS) * time.Millisecond
	}
	var list []json.RawMessage
	if err := json.Unmarshal(fields["exports"], &list); err != nil || len(list) == 0 {
		return fmt.Errorf("%s.exports must be a list of at least one export", at)
	}
	if len(list) > maxExports {
		return fmt.Errorf("%s.exports has %d entries, more than %d", at, len(list), maxExports)
	}
	names, aliases := make(map[string]bool), make(map[string]bool)
	for i, raw := range list {
		at := fmt.Sprintf("%s.exports[%d]", at, i)
		e, err := readExport(raw)
		switch {
		case err != nil:
			return fmt.Errorf("%s %w", at, err)
		case names[e.WASM]:
			return fmt.Errorf("%s: the function %q stands there twice", at, cut(e.WASM, 64))
		case aliases[e.As]:
			return fmt.Errorf("%s: there are two exports %q", at, cut(e.As, 64))
		}
		names[e.WASM], aliases[e.As] = true, true
		w.Exports = append(w.Exports, e)
	}
	return nil
}

// readExport reads an export of a WASM module: a name, or a pair of names.
func readExport(raw json.RawMessage) (e WASMExport, err error) {
	if raw[0] == '"' {
		if e.WASM, err = readString(raw); err != nil {
			return e, err
		}
		if !isIdentifier(e.WASM) {
			return e, fmt.Errorf(`%q is no identifier of JavaScript; write {"wasm": …, "as": …}`, cut(e.WASM, 64))
		}
		e.As = e.WASM
		return e, nil
	}
	fields, err := readObject(raw)
	if err != nil {
		return e, errors.New("must be a name or an object")
	}
	if err := onlyFields(fields, "wasm as"); err != nil {
		return e, err
	}
	if e.WASM, err = readString(fields["wasm"]); err == nil && (e.WASM == "" || hasControl(e.WASM)) {
		err = errors.New("must not be empty or hold control characters")
	}
	if err != nil {
		return e, fmt.Errorf("wasm %w", err)
	}
	if e.As, err = readString(fields["as"]); err == nil && !isIdentifier(e.As) {
		err = fmt.Errorf("%q is no identifier of JavaScript", cut(e.As, 64))
	}
	if err != nil {
		return e, fmt.Errorf("as %w", err)
	}
	return e, nil
}

// readObject is an object by its fields, whose names count as they are written; package json
// by itself ignores their case.
func readObject(raw json.RawMessage) (map[string]json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, fmt.Errorf("is no JSON: %w at byte %d", err, syntax.Offset)
		}
		return nil, errors.New("must be an object")
	}
	if fields == nil {
		return nil, errors.New("must be an object")
	}
	return fields, nil
}

// onlyFields checks that all fields of a list are there, but those with a star, and no more.
func onlyFields(fields map[string]json.RawMessage, list string) error {
	known := make(map[string]bool)
	for _, f := range strings.Fields(list) {
		name, optional := strings.CutSuffix(f, "*")
		known[name] = true
		if !optional && fields[name] == nil {
			return fmt.Errorf("%s is missing", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !known[name] {
			return fmt.Errorf("there is no field %q here", cut(name, 64))
		}
	}
	return nil
}

func readString(raw json.RawMessage) (string, error) {
	if raw == nil {
		return "", errors.New("is missing")
	}
	var s string
	if raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", errors.New("must be a string")
	}
	return s, nil
}

func readInteger(raw json.RawMessage, low, high int) (int, error) {
	var n int
	if raw == nil || raw[0] == 'n' || json.Unmarshal(raw, &n) != nil || n < low || n > high {
		return 0, fmt.Errorf("must be a whole number from %d to %d", low, high)
	}
	return n, nil
}

// readPath is a path within a package, normalized.
func readPath(raw json.RawMessage) (string, error) {
	s, err := readString(raw)
	if err != nil {
		return "", err
	}
	return normalize(s)
}

// normalize is the one spelling of a path within a package: without "." and with at least
// one name. What could lead out of the package, or mean different files to different
// readers, is refused.
func normalize(path string) (string, error) {
	switch {
	case path == "":
		return "", errors.New("must not be empty")
	case path[0] == '/':
		return "", fmt.Errorf("%q must not begin with /", cut(path, 200))
	}
	if err := checkPath(path); err != nil {
		return "", err
	}
	var names []string
	for name := range strings.SplitSeq(path, "/") {
		switch name {
		case "":
			return "", fmt.Errorf("%q must not hold an empty name", path)
		case ".":
		case "..":
			return "", fmt.Errorf(`%q must not hold ".."`, path)
		default:
			names = append(names, name)
		}
	}
	if names == nil {
		return "", fmt.Errorf("%q must name a file", path)
	}
	return strings.Join(names, "/"), nil
}

// checkPath refuses characters that no path within a package holds.
func checkPath(path string) error {
	switch {
	case len(path) > maxPath:
		return fmt.Errorf("must be at most %d bytes", maxPath)
	case strings.Contains(path, `\`):
		return fmt.Errorf("%q must not hold a backslash", path)
	case hasControl(path) || !utf8.ValidString(path):
		return fmt.Errorf("%q must not hold control characters", path)
	case percentPath.MatchString(path):
		return fmt.Errorf("%q must not hold percent-encoded dots and slashes", path)
	case strings.Contains(path, "::"):
		return fmt.Errorf("%q must not hold two colons", path)
	}
	return nil
}

var (
	percentPath = regexp.MustCompile(`(?i)%(2e|2f|5c)`)
	moduleName  = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)
	npmName     = regexp.MustCompile(`^(@[A-Za-z0-9._~-]+/)?[A-Za-z0-9._~-]+(/[A-Za-z0-9._~-]+)*$`)
	packName    = regexp.MustCompile(`^(@[A-Za-z0-9._~-]+/)?[A-Za-z0-9._~-]+$`)
	hostID      = regexp.MustCompile(`^[a-z][a-z0-9-]{0,63}$`)
	identifier  = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)
)

// maxName bounds the names of packages and modules, as npm does.
const maxName = 214

// checkModuleName checks the name of a module within its package.
func checkModuleName(s string) error {
	switch {
	case s == ".":
		return nil
	case s == ".." || s == "node_modules":
		return fmt.Errorf("%q is reserved", s)
	case len(s) > maxName || !moduleName.MatchString(s):
		return fmt.Errorf(`must be "." or 1 to %d letters, digits, dots, underscores and hyphens`, maxName)
	}
	return nil
}

// checkNPMName checks the name of a dependency, which may go on with a path that the
// dependency exports: "date-fns/locale".
func checkNPMName(s string) error {
	if len(s) > maxName || !npmName.MatchString(s) || dotName(s) {
		return fmt.Errorf("%q is no name of an npm package", cut(s, 64))
	}
	return nil
}

// CapabilityPack is the package whose modules are namespaces of the host. Hosts mount them;
// no package may have its name, and every package may import them.
const CapabilityPack = "@nodetool-ai/sandbox-nodetool"

func checkPackName(s string) error {
	switch {
	case len(s) > maxName || !packName.MatchString(s) || dotName(s) || strings.HasPrefix(s, ".") || s == "node_modules":
		return fmt.Errorf("%q is no name of a package", cut(s, 64))
	case s == CapabilityPack:
		return fmt.Errorf("the name %s belongs to the host", s)
	}
	return nil
}

// dotName reports whether a part of a name is "." or "..".
func dotName(s string) bool {
	for part := range strings.SplitSeq(strings.TrimPrefix(s, "@"), "/") {
		if part == "." || part == ".." {
			return true
		}
	}
	return false
}

// PackOf is the package of a specifier: its first part, or the first two with a scope.
func PackOf(specifier string) string {
	parts := strings.SplitN(specifier, "/", 3)
	if strings.HasPrefix(specifier, "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f })
}

// cut shortens a text from outside for an error.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// isIdentifier reports whether a name can be an export that guests import by name.
func isIdentifier(s string) bool { return identifier.MatchString(s) && !reserved[s] }

// reserved are the words of ECMA-262, §12.7.2, that cannot name a binding in a module.
var reserved = func() map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(`await break case catch class const continue debugger default delete do else
		enum export extends false finally for function if import in instanceof new null return super switch this
		throw true try typeof var void while with let static yield implements interface package private protected public`) {
		m[w] = true
	}
	return m
}()
