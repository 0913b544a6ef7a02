package quicksand

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"quicksand/engine"
)

// sortedKeys are the keys of a map in order, so that runs do not differ by the
// order of a Go map.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Resolve finds the module that a static import names. It is part of the engine's
// contract, not of the embedding API.
//
// The identity of a specifier's own module is the specifier; that of a file of the
// package is the specifier, "/./" and the path, which no specifier can be, since
// nothing declares one with a dot segment.
func (r *run) Resolve(base, specifier string) (engine.Import, error) {
	if r.ctx.Err() != nil {
		return engine.Import{}, cancelled(r.ctx)
	}
	if !strings.HasPrefix(specifier, "./") && !strings.HasPrefix(specifier, "../") {
		m, ok := r.opts.Modules[specifier]
		if !ok || !validSpecifier(specifier) || specifier == r.name {
			return engine.Import{}, r.unknownModule(specifier)
		}
		return r.module(specifier, m.Code)
	}
	pkg, file, inPackage := strings.Cut(base, packageSeparator)
	m, ok := r.opts.Modules[pkg]
	if !ok || pkg == r.name {
		return engine.Import{}, fmt.Errorf("cannot import %q: only a file of a package can import its siblings", specifier)
	}
	if !inPackage {
		file = ""
	}
	target := path.Join(path.Dir(file), specifier)
	if strings.HasPrefix(target, "../") || target == ".." || strings.ContainsAny(specifier, "\\%\x00") {
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

// validSpecifier refuses names that could be mistaken for a path or for a file of
// another package.
func validSpecifier(s string) bool {
	return s != "" && !strings.HasPrefix(s, ".") && !strings.HasPrefix(s, "/") && !strings.Contains(s, packageSeparator) &&
		!strings.ContainsAny(s, "\\%\x00")
}

func (r *run) unknownModule(specifier string) error {
	has := "it serves none"
	if len(r.opts.Modules) > 0 {
		has = "it serves " + strings.Join(sortedKeys(r.opts.Modules), ", ")
	}
	return fmt.Errorf("cannot import %q: it is not a sandbox package this run serves (%s)", specifier, has)
}

// module compiles a file of a package, or finds it in the cache.
func (r *run) module(id, code string) (engine.Import, error) {
	key := programKey{id, code, moduleFile}
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
