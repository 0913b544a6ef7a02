package npm

import (
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A resolver finds the file that an import means: the resolution of Node.js with the
// conditions and main fields that the package documentation names. It is safe for concurrent use.
type resolver struct {
	files *files
	// browser adds the condition "browser", and the field of that name.
	browser bool

	mu       sync.Mutex
	packages map[string]*packageJSON // by directory; nil where there is none
}

// A target is what an import means.
type target struct {
	path  string // real
	pkg   *packageJSON
	empty bool // an empty module
}

var (
	errBuiltin = errors.New("it is a builtin of Node.js")
	errMissing = errors.New("it was not found")
)

// extensions are tried for a path that names no file, in this order.
var extensions = []string{".js", ".mjs", ".cjs", ".json"}

// Conditions of exports and imports that hold.
var (
	importConditions  = []string{"import", "module", "default"}
	requireConditions = []string{"require", "module", "default"}
)

// resolve finds what spec means in a file of the directory from; require says that it is
// required, not imported. The error is errBuiltin, errMissing or one of files.
func (r *resolver) resolve(spec, from string, require bool) (target, error) {
	switch {
	case spec == "", strings.ContainsAny(spec, "\x00\\"), path.IsAbs(spec), filepath.IsAbs(spec):
		return target{}, errMissing
	case spec == ".", spec == "..", strings.HasPrefix(spec, "./"), strings.HasPrefix(spec, "../"):
		t, err := r.load(filepath.Join(from, filepath.FromSlash(spec)), require, !strings.HasSuffix(spec, "/") && !strings.HasSuffix(spec, "."))
		if err != nil {
			return target{}, err
		}
		return r.checked(t)
	}
	pkg, err := r.enclosing(from)
	if err != nil {
		return target{}, err
	}
	if other, ok := r.swapped(pkg, spec); ok {
		text, isText := other.(string)
		switch {
		case !isText:
			return target{empty: true}, nil
		case strings.HasPrefix(text, "./"):
			return r.load(filepath.Join(pkg.dir, filepath.FromSlash(text)), require, true)
		case text != spec && text != "" && text[0] != '.' && text[0] != '/':
			name, sub := splitSpecifier(text)
			if name == "" {
				return target{}, errMissing
			}
			return r.installed(name, sub, pkg.dir, require)
		}
	}
	if strings.HasPrefix(spec, "node:") {
		return target{}, errBuiltin
	}
	if spec[0] == '#' {
		if pkg == nil || pkg.imports == nil || spec == "#" {
			return target{}, errMissing
		}
		found, err := r.mapped(pkg.imports, spec, require, true)
		if err != nil {
			return target{}, err
		}
		if !strings.HasPrefix(found, "./") {
			if found[0] == '#' {
				return target{}, errMissing // an endless chain, perhaps
			}
			return r.resolve(found, pkg.dir, require)
		}
		return r.exact(pkg, found)
	}
	name, sub := splitSpecifier(spec)
	if name == "" {
		return target{}, errMissing
	}
	if pkg != nil && pkg.name == name && pkg.exports != nil {
		return r.exported(pkg, sub, require)
	}
	t, err := r.installed(name, sub, from, require)
	if errors.Is(err, errMissing) && isBuiltin(spec) {
		return target{}, errBuiltin
	}
	if err != nil {
		return target{}, err
	}
	return r.checked(t)
}

// splitSpecifier is the name of a package and the rest, "" or "." and a slash and a path.
func splitSpecifier(spec string) (name, sub string) {
	segments := 1
	if spec[0] == '@' {
		segments = 2
	}
	end := 0
	for range segments {
		i := strings.IndexByte(spec[end:], '/')
		if i < 0 {
			if segments == 2 && !strings.Contains(spec, "/") {
				return "", ""
			}
			return cleanName(spec), ""
		}
		end += i + 1
	}
	return cleanName(spec[:end-1]), "./" + spec[end:]
}

// cleanName is empty for what could not be the name of a package.
func cleanName(name string) string {
	for segment := range strings.SplitSeq(name, "/") {
		if segment == "" || segment[0] == '.' || segment == "node_modules" || strings.ContainsAny(segment, "%:*?#") {
			return ""
		}
	}
	return name
}

// installed looks for a package in node_modules from a directory upwards.
func (r *resolver) installed(name, sub, from string, require bool) (target, error) {
	for dir := from; ; dir = filepath.Dir(dir) {
		if filepath.Base(dir) != "node_modules" {
			at := filepath.Join(dir, "node_modules", filepath.FromSlash(name))
			if r.files.root(at) == "" {
				return target{}, errMissing // above is nothing that may be read
			}
			pkg, err := r.packageAt(at)
			if err != nil {
				return target{}, err
			}
			if pkg != nil && pkg.exports != nil {
				return r.exported(pkg, sub, require)
			}
			t, err := r.load(filepath.Join(at, filepath.FromSlash(sub)), require, sub != "" && sub != "./")
			if err == nil || pkg != nil || !errors.Is(err, errMissing) {
				return t, err
			}
		}
		if dir == filepath.Dir(dir) {
			return target{}, errMissing
		}
	}
}

// load finds a file at a path, with an extension added, or in the directory that it is.
func (r *resolver) load(path string, require, maybeFile bool) (target, error) {
	if maybeFile {
		t, err := r.loadFile(path)
		if !errors.Is(err, errMissing) {
			return t, err
		}
	}
	pkg, err := r.packageAt(path)
	if err != nil {
		return target{}, err
	}
	if pkg != nil {
		mains := []string{pkg.module, pkg.main}
		if require {
			mains = []string{pkg.main, pkg.module}
		}
		if r.browser {
			mains = append([]string{pkg.browser}, mains...)
		}
		for _, main := range mains {
			if main == "" {
				continue
			}
			// One that leaves the package is refused by files if it leaves what may be read.
			at := filepath.Join(path, filepath.FromSlash(main))
			t, err := r.loadFile(at)
			if errors.Is(err, errMissing) && at != path {
				t, err = r.loadFile(filepath.Join(at, "index"))
			}
			if !errors.Is(err, errMissing) {
				return t, err
			}
		}
	}
	return r.loadFile(filepath.Join(path, "index"))
}

func (r *resolver) loadFile(path string) (target, error) {
	for _, ext := range append([]string{""}, extensions...) {
		got, err := r.files.get(path + ext)
		if err != nil {
			return target{}, err
		}
		if got.real != "" {
			pkg, err := r.enclosing(filepath.Dir(got.real))
			return target{path: got.real, pkg: pkg}, err
		}
	}
	return target{}, errMissing
}

// swapped is what stands in a browser in the place of a file or package.
func (r *resolver) swapped(pkg *packageJSON, name string) (any, bool) {
	if pkg == nil || !r.browser {
		return nil, false
	}
	v, ok := pkg.inBrowser.get(name)
	_, isText := v.(string)
	return v, ok && (isText || v == false)
}

// checked is the file that stands in a browser in the place of another one.
func (r *resolver) checked(t target) (target, error) {
	if t.pkg == nil || !r.browser {
		return t, nil
	}
	rel, err := filepath.Rel(t.pkg.dir, t.path)
	if err != nil {
		return t, nil
	}
	rel = "./" + filepath.ToSlash(rel)
	for _, key := range []string{rel, strings.TrimSuffix(rel, ".js"), strings.TrimSuffix(rel, "/index.js"), rel[2:]} {
		if other, ok := r.swapped(t.pkg, key); ok {
			text, isText := other.(string)
			if !isText {
				return target{empty: true}, nil
			}
			return r.loadFile(filepath.Join(t.pkg.dir, filepath.FromSlash(text)))
		}
	}
	return t, nil
}

// packageAt is the package.json of a directory, nil if it has none.
func (r *resolver) packageAt(dir string) (*packageJSON, error) {
	got, err := r.files.get(filepath.Join(dir, "package.json"))
	if err != nil {
		return nil, err
	}
	if got.real == "" {
		return nil, nil
	}
	at := filepath.Dir(got.real)
	r.mu.Lock()
	defer r.mu.Unlock()
	pkg, ok := r.packages[at]
	if !ok {
		pkg = readPackage(at, got.content)
		r.packages[at] = pkg
	}
	return pkg, nil
}

// enclosing is the package that a directory belongs to, nil for none.
func (r *resolver) enclosing(dir string) (*packageJSON, error) {
	for ; filepath.Base(dir) != "node_modules" && r.files.root(dir) != ""; dir = filepath.Dir(dir) {
		pkg, err := r.packageAt(dir)
		if err != nil || pkg != nil {
			return pkg, err
		}
		if dir == r.files.dir || dir == filepath.Dir(dir) {
			break
		}
	}
	return nil, nil
}

// exported finds a file through the exports of a package.
func (r *resolver) exported(pkg *packageJSON, sub string, require bool) (target, error) {
	if sub == "" {
		sub = "."
	}
	table, ok := pkg.exports.(*object)
	if !ok || len(table.keys) == 0 || table.keys[0] == "" || table.keys[0][0] != '.' {
		// Without subpaths it is about the package itself.
		table = &object{keys: []string{"."}, values: []any{pkg.exports}}
	}
	found, err := r.mapped(table, sub, require, false)
	if err != nil {
		return target{}, err
	}
	t, err := r.exact(pkg, found)
	if err != nil {
		return target{}, err
	}
	return r.checked(t)
}

// exact is the file that a target of exports or imports names.
func (r *resolver) exact(pkg *packageJSON, found string) (target, error) {
	for i, segment := range strings.Split(found, "/") {
		if i > 0 && (segment == "." || segment == ".." || segment == "node_modules") || strings.ContainsAny(segment, "\\%") {
			return target{}, errMissing
		}
	}
	got, err := r.files.get(filepath.Join(pkg.dir, filepath.FromSlash(found)))
	if err != nil {
		return target{}, err
	}
	if got.real == "" {
		return target{}, errMissing
	}
	// A directory below may have a package.json of its own, which says what .js means.
	inner, err := r.enclosing(filepath.Dir(got.real))
	if inner == nil {
		inner = pkg
	}
	return target{path: got.real, pkg: inner}, err
}

// mapped looks a subpath up in a table of exports or imports. What is found begins with
// "./", or is the name of another package if bare allows it.
func (r *resolver) mapped(table *object, sub string, require, bare bool) (string, error) {
	value, star, ok := any(nil), "", false
	if !strings.Contains(sub, "*") {
		value, ok = table.get(sub)
	}
	if !ok {
		value, star, ok = bestPattern(table, sub)
	}
	if !ok {
		return "", errMissing
	}
	holds := func(list []string) func(string) bool {
		return func(key string) bool { return slices.Contains(list, key) || r.browser && key == "browser" }
	}
	found := ""
	if require {
		found = pick(value, holds(requireConditions))
	}
	if found == "" {
		found = pick(value, holds(importConditions))
	}
	found = strings.ReplaceAll(found, "*", star)
	if strings.HasPrefix(found, "./") || bare && found != "" && found[0] != '.' && found[0] != '/' {
		return found, nil
	}
	return "", errMissing
}

// bestPattern finds the key with a star, or with a slash at its end, that has the longest
// text before it, and what stands for the star.
func bestPattern(table *object, sub string) (value any, star string, ok bool) {
	best := -1
	for i, key := range table.keys {
		before, after, starred := strings.Cut(key, "*")
		if !starred && !strings.HasSuffix(key, "/") || strings.Contains(after, "*") {
			continue
		}
		if len(before) > best && len(sub) > len(before)+len(after)-1 && strings.HasPrefix(sub, before) && strings.HasSuffix(sub, after) && sub != before && len(sub) >= len(before)+len(after) {
			best, value, star, ok = len(before), table.values[i], sub[len(before):len(sub)-len(after)], true
			if !starred { // the old form: a directory
				if dir, isText := value.(string); isText {
					value = dir + "*"
				}
			}
		}
	}
	return value, star, ok
}

// pick follows conditions to a target; empty means that there is none.
func pick(value any, holds func(condition string) bool) string {
	switch v := value.(type) {
	case string:
		return v
	case []any:
		for _, e := range v {
			if found := pick(e, holds); found != "" {
				return found
			}
		}
	case *object:
		for i, key := range v.keys {
			if holds(key) {
				if v.values[i] == nil {
					return "" // excluded
				}
				if found := pick(v.values[i], holds); found != "" {
					return found
				}
			}
		}
	}
	return ""
}
