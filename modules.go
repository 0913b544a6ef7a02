package quicksand

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"quicksand/bridges"
	"quicksand/engine"
	"quicksand/internal/entry"
	"quicksand/modules"
)

// sortedKeys are the keys of a map in order, so that runs do not differ by the
// order of a Go map.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// A packFile is a file of a package of Options.Packs that a run has imported.
type packFile struct {
	module *modules.Module // through which it was reached
	root   string          // see identity
	path   string
}

// identity is what a file is to the engine, and its name in stacks.
func identity(root, path string) string { return root + packageSeparator + path }

func (f packFile) identity() string { return identity(f.root, f.path) }

// code is the text of the file.
func (f packFile) code() (string, error) {
	code, ok := f.module.Files[f.path]
	if !ok {
		return "", fmt.Errorf("cannot import %q: it is not a file of the sandbox package %q", f.path, f.module.Pack)
	}
	return code, nil
}

// sibling is the file that a relative import in f means, by its exact name.
func (f packFile) sibling(specifier string) (packFile, error) {
	if f.module == nil {
		return packFile{}, fmt.Errorf("cannot import %q: only a file of a package can import its siblings", specifier)
	}
	target, ok := sibling(f.path, specifier)
	if !ok {
		return packFile{}, fmt.Errorf("cannot import %q: it leaves the sandbox package %q", specifier, f.module.Pack)
	}
	if _, ok := f.module.Files[target]; !ok {
		return packFile{}, fmt.Errorf("cannot import %q: it is not a file of the sandbox package %q", specifier, f.module.Pack)
	}
	return packFile{f.module, f.root, target}, nil
}

// Resolve finds the module that a static import names. It is part of the engine's
// contract, not of the embedding API.
//
// The identity of a module of Options.Modules is its specifier; that of a file of it is the
// specifier, "/./" and the path, which no specifier can be, since nothing declares one with
// a dot segment. A module of Options.Packs is such a file of its package, so that modules
// of one package share what both import, or a specifier when the host runs it.
func (r *run) Resolve(base, specifier string) (engine.Import, error) {
	if r.ctx.Err() != nil {
		return engine.Import{}, cancelled(r.ctx)
	}
	if !isRelative(specifier) {
		m, p, ok := r.served(specifier)
		switch {
		case !ok:
			return engine.Import{}, r.unserved([]string{specifier})
		case p != nil:
			return r.pack(p)
		case m.Host != nil:
			return r.hostModule(specifier, m.Host, true)
		}
		return r.module(specifier, m.Code)
	}
	if f, ok := r.packFiles[base]; ok {
		f, err := f.sibling(specifier)
		if err != nil {
			return engine.Import{}, err
		}
		return r.packFile(f)
	}
	pkg, file, inPackage := strings.Cut(base, packageSeparator)
	m, ok := r.opts.Modules[pkg]
	if !ok || pkg == r.name {
		return engine.Import{}, fmt.Errorf("cannot import %q: only a file of a package can import its siblings", specifier)
	}
	if !inPackage {
		file = ""
	}
	target, ok := sibling(file, specifier)
	if !ok {
		return engine.Import{}, fmt.Errorf("cannot import %q: it leaves the package %q", specifier, pkg)
	}
	for _, name := range []string{target, target + ".js", target + "/index.js"} {
		if code, ok := m.Files[name]; ok {
			return r.module(pkg+packageSeparator+name, code)
		}
	}
	return engine.Import{}, fmt.Errorf("cannot import %q: the package %q has no such file", specifier, pkg)
}

const packageSeparator = "/./"

func isRelative(specifier string) bool {
	return strings.HasPrefix(specifier, "./") || strings.HasPrefix(specifier, "../")
}

// sibling is the file that a relative specifier means in a file of a package. It reports
// false for what leaves the package.
func sibling(file, specifier string) (target string, ok bool) {
	target = path.Join(path.Dir(file), specifier)
	return target, target != ".." && !strings.HasPrefix(target, "../") && !strings.ContainsAny(specifier, "\\%\x00")
}

// validSpecifier refuses names that could be mistaken for a path or for a file of
// another package.
func validSpecifier(s string) bool {
	return s != "" && !strings.HasPrefix(s, ".") && !strings.HasPrefix(s, "/") && !strings.Contains(s, packageSeparator) &&
		!strings.ContainsAny(s, "\\%\x00")
}

// served finds what a specifier that is not relative means in this run: a module of
// Options.Modules, or one of Options.Packs.
func (r *run) served(specifier string) (m Module, p *modules.Module, ok bool) {
	if !validSpecifier(specifier) || specifier == r.name {
		return m, nil, false
	}
	if m, ok = r.opts.Modules[specifier]; ok {
		return m, nil, true
	}
	p = r.opts.Packs.Lookup(specifier)
	return m, p, p != nil
}

// consent refuses a program which imports what this run does not serve, before any of it
// runs and naming all of them. It logs what has changed of the modules that are served.
func (r *run) consent() error {
	var off []string
	first := -1
	for i, imp := range r.prog.entry.Imports {
		_, p, ok := r.served(imp.Specifier)
		if p != nil {
			// Modules that one of a pack imports need consent of their own.
			for _, spec := range r.opts.Packs.Missing(p) {
				_, _, served := r.served(spec)
				ok = ok && served
			}
		}
		if ok || slices.Contains(off, imp.Specifier) {
			continue
		}
		if off = append(off, imp.Specifier); first < 0 {
			first = i
		}
	}
	if first < 0 {
		for _, w := range r.opts.Packs.Warnings() {
			if slices.ContainsFunc(r.prog.entry.Imports, func(i entry.Import) bool { return i.Specifier == w.Specifier }) {
				r.warn("%s: %s: %s", w.Code, w.Specifier, w.Message)
			}
		}
		return nil
	}
	err := r.unserved(off)
	if r.opts.Packs != nil {
		if denied := r.opts.Packs.Deny(off); denied != nil {
			err = denied
		}
		var d *modules.DeniedError
		if errors.As(err, &d) && d.Allowed != nil && len(r.opts.Modules) > 0 {
			err = &modules.DeniedError{Specifiers: d.Specifiers, Allowed: slices.Sorted(slices.Values(append(sortedKeys(r.opts.Modules), d.Allowed...)))}
		}
	}
	e := &Error{Kind: KindDenied, Op: "run", Name: "TypeError", Message: err.Error(), Err: err}
	p := r.prog.entry.Imports[first]
	e.Position = Position{r.name, p.Line, p.Column}
	e.Frame = entry.Frame(r.code, p.Line, p.Column)
	return e
}

// unserved is the error for specifiers that the run does not serve.
func (r *run) unserved(specifiers []string) error {
	quoted := make([]string, len(specifiers))
	for i, s := range specifiers {
		quoted[i] = strconv.Quote(s)
	}
	what := "it is not a sandbox package this run serves"
	if len(quoted) > 1 {
		what = "they are not sandbox packages this run serves"
	}
	names := sortedKeys(r.opts.Modules)
	has := "it serves none"
	if len(names) > 0 {
		has = "it serves " + strings.Join(names, ", ")
	}
	return fmt.Errorf("cannot import %s: %s (%s)", strings.Join(quoted, ", "), what, has)
}

// module compiles a file of a package, or finds it in the cache.
func (r *run) module(id, code string) (engine.Import, error) {
	return r.compiled(programKey{id, code, moduleFile}, id, code)
}

func (r *run) compiled(key programKey, id, code string) (engine.Import, error) {
	if p := r.box.programs.get(key); p != nil {
		return engine.Import{ID: id, Program: p.code}, nil
	}
	if len(code) > limitSource {
		return engine.Import{}, fmt.Errorf("cannot import %q: its source of %d bytes is more than the limit SourceSize of %d", id, len(code), limitSource)
	}
	c, err := r.compileSource(engine.Source{Name: id, Code: code, Kind: engine.Module})
	if err != nil {
		return engine.Import{}, fmt.Errorf("cannot import %q: %w", id, err)
	}
	r.box.programs.put(key, &program{code: c})
	return engine.Import{ID: id, Program: c}, nil
}

// pack is what a module of Options.Packs is to the engine.
func (r *run) pack(m *modules.Module) (engine.Import, error) {
	if m.Kind != modules.JS {
		return r.hostModule(m.Specifier, m.Bridge, m.Default)
	}
	return r.packFile(packFile{m, r.packRoot(m), m.Entry})
}

// packRoot is what the identities of a package's files begin with in this run: its name,
// unless the heap or Options.Modules have other files of that name.
func (r *run) packRoot(m *modules.Module) string {
	_, taken := r.opts.Modules[m.Pack]
	if w := r.slot.warm; w != nil && w.packs[m.Pack] {
		// Modules may keep what they see of the clock and of timers when they are evaluated.
		taken = taken || !r.opts.Now.IsZero() || r.opts.Timers || w.coldPacks(r)[m.Pack]
	}
	switch {
	case !taken:
		return m.Pack
	case m.Version != "":
		return m.Pack + "@" + m.Version
	}
	return m.Pack + "@" + m.Digest[:min(8, len(m.Digest))]
}

// packFile is a file of a package. Its program is found by the digest of its module, since
// to hash a library in each run costs more than to import it.
func (r *run) packFile(f packFile) (engine.Import, error) {
	id := f.identity()
	if known, ok := r.packFiles[id]; ok {
		f = known
	} else {
		if r.packFiles == nil {
			r.packFiles = make(map[string]packFile)
		}
		r.packFiles[id] = f
	}
	if w := r.slot.warm; w != nil {
		if _, warm := w.files[id]; warm {
			return engine.Import{ID: id}, nil
		}
	}
	code, err := f.code()
	if err != nil {
		return engine.Import{}, err
	}
	if f.module.Digest == "" {
		return r.module(id, code)
	}
	return r.compiled(programKey{id, f.module.Digest, packedFile}, id, code)
}

// hostModule is a module of functions of the host.
func (r *run) hostModule(specifier string, b *bridges.Bridge, withDefault bool) (engine.Import, error) {
	if m, ok := r.hosted[specifier]; ok {
		return m, nil
	}
	if err := mountable(b); err != nil {
		return engine.Import{}, fmt.Errorf("cannot import %q: %w", specifier, err)
	}
	m := engine.Import{ID: specifier, Default: withDefault}
	for i := range b.Funcs {
		f := &b.Funcs[i]
		m.Exports = append(m.Exports, engine.Export{Name: f.Name, Op: opModule + uint32(len(r.mounted))})
		r.mounted = append(r.mounted, boundFunc{b, f})
	}
	if r.hosted == nil {
		r.hosted = make(map[string]engine.Import)
	}
	r.hosted[specifier] = m
	return m, nil
}

// mountable says why a bridge cannot be a module.
func mountable(b *bridges.Bridge) error {
	switch {
	case b == nil || len(b.Funcs) == 0:
		return errors.New("the module of the host has no functions")
	case b.Script != "":
		return fmt.Errorf("the bridge %s has a Script, which only works for globals", b.Name)
	}
	names := make(map[string]bool, len(b.Funcs))
	for i := range b.Funcs {
		f := &b.Funcs[i]
		switch {
		case f.Call == nil:
			return fmt.Errorf("the function %q of the bridge %s has no Call", f.Name, b.Name)
		case f.Sync:
			return fmt.Errorf("the function %q of the bridge %s is Sync, and functions of modules are asynchronous", f.Name, b.Name)
		case !exportName(f.Name) || names[f.Name]:
			return fmt.Errorf("the function %q of the bridge %s cannot be an export by its name", f.Name, b.Name)
		}
		names[f.Name] = true
	}
	return nil
}

// exportName reports whether functions of modules may have a name: an ASCII identifier that
// is not the default export's.
func exportName(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == '$':
		case c >= '0' && c <= '9' && i > 0:
		default:
			return false
		}
	}
	return s != "" && s != "default"
}

// source is Session.Source.
func (r *run) source(name string) (string, bool) {
	if name == "" || name == r.name {
		return r.code, true
	}
	if f, ok := r.packFiles[name]; ok {
		return f.module.Files[f.path], true
	}
	if w := r.slot.warm; w != nil {
		if f, ok := w.files[name]; ok {
			return f.module.Files[f.path], true
		}
	}
	pkg, file, inPackage := strings.Cut(name, packageSeparator)
	m, ok := r.opts.Modules[pkg]
	if !ok || !inPackage {
		return m.Code, ok
	}
	code, ok := m.Files[file]
	return code, ok
}
