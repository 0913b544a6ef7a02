package modules

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"quicksand/bridges"
	"quicksand/hostmods"
	"quicksand/internal/entry"
)

// A pack is a package as it was found. It is immutable.
type pack struct {
	manifest
	dir     string // on the host; empty for a shipped one
	shipped bool
	modules []found
	skill   *Skill
	digest  string
	// statuses are what there is to say of it, in order.
	statuses []Status
}

// found is a module that a package declares.
type found struct {
	*Module        // without a Bridge or Files unless it is available
	why     Status // why it is not available; the zero value if it is
}

// discovery is a package that is being read. Nothing of it is executed.
type discovery struct {
	pack
	fsys     fs.FS
	compiled Compiled // nil finds nothing
	maxFile  int64
	files    map[string]*file
	size     int64
	imports  int // of all files
}

// A file is one file of a package.
type file struct {
	id      string
	kind    string // "js", "wasm" or "npm"
	content string
	sum     string
	deps    []string // files of the package that it imports, sorted
	bare    []string // what else it imports, sorted
	outline entry.Outline
	digest  string // of all of these
}

// errNotBuilt wraps the error of a file that a shipped package does not have.
type errNotBuilt struct{ error }

// discover reads the package in fsys. The error is errNoPack, or says which rule the package
// breaks. Errors are for the host; they name files relative to the package.
func discover(fsys fs.FS, dir string, shipped bool, compiled Compiled) (*pack, error) {
	text, err := readPackage(fsys)
	if err != nil {
		return nil, err
	}
	m, err := parseManifest(text)
	if err != nil {
		return nil, err
	}
	d := &discovery{pack: pack{manifest: *m, dir: dir, shipped: shipped}, fsys: fsys, compiled: compiled, maxFile: MaxFile, files: make(map[string]*file)}
	if shipped {
		d.maxFile = MaxShipped
	}
	if err := d.read(); err != nil {
		return nil, fmt.Errorf("package %s: %w", m.name, err)
	}
	return &d.pack, nil
}

// readPackage is the package.json of fsys, or errNoPack.
func readPackage(fsys fs.FS) ([]byte, error) {
	const name = "package.json"
	info, err := fs.Lstat(fsys, name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, errNoPack
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, reason(err))
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, reason(err))
	}
	defer f.Close()
	text, err := readFile(f, MaxManifest)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, reason(err))
	}
	return text, nil
}

func (d *discovery) read() error {
	for _, id := range d.internal {
		if err := d.load(id, "js", d.maxFile); err != nil {
			return err
		}
	}
	for i := range d.manifest.modules {
		decl := &d.manifest.modules[i]
		m := &Module{Specifier: d.specifier(decl), Pack: d.name, Version: d.version, Kind: decl.kind}
		var why Status
		var err error
		switch {
		case decl.npm != "":
			why, err = d.npmModule(m, decl)
		case decl.kind == Host:
			why, err = d.hostModule(m, decl)
		case decl.kind == WASM:
			why, err = d.wasmModule(m, decl)
		default:
			m.Entry = decl.file
			err = d.load(decl.file, "js", d.maxFile)
		}
		var missing errNotBuilt
		if errors.As(err, &missing) {
			why, err = d.status(LevelSkipped, CodeNotBuilt, m.Specifier, "%v", missing.error), nil
		}
		if err != nil {
			return fmt.Errorf("module %q: %w", decl.name, err)
		}
		d.pack.modules = append(d.pack.modules, found{m, why})
	}
	for _, id := range slices.Sorted(maps.Keys(d.files)) {
		f := d.files[id]
		if err := d.links(f); err != nil {
			return err
		}
		f.digest = digestJSON([]any{f.id, f.kind, f.deps, f.bare, f.sum})
	}
	for i := range d.pack.modules {
		d.finish(&d.pack.modules[i], &d.manifest.modules[i])
	}
	d.pack.digest = d.packDigest()
	d.readSkill()
	return nil
}

// status notes a status.
func (d *discovery) status(level Level, code Code, specifier, format string, args ...any) Status {
	s := Status{Level: level, Code: code, Pack: d.name, Specifier: specifier, Message: fmt.Sprintf(format, args...)}
	d.statuses = append(d.statuses, s)
	return s
}

// load reads a file of the package, once.
func (d *discovery) load(id, kind string, limit int64) error {
	if f := d.files[id]; f != nil {
		if f.kind != kind {
			return fmt.Errorf("%q is declared as %s and as %s", id, f.kind, kind)
		}
		return nil
	}
	content, err := d.readFile(id, limit)
	if err != nil {
		return err
	}
	return d.add(&file{id: id, kind: kind, content: string(content), sum: digest(content)})
}

// add counts a file and keeps it.
func (d *discovery) add(f *file) error {
	d.size += int64(len(f.content))
	if d.size > MaxPack {
		return fmt.Errorf("its files are larger than %d bytes together", MaxPack)
	}
	d.files[f.id] = f
	return nil
}

// readFile reads a file that lies in the package itself: no part of its path is a symbolic
// link, whose target might change, or be a file that the package does not own.
func (d *discovery) readFile(id string, limit int64) ([]byte, error) {
	for i := 0; i <= len(id); i++ {
		if i < len(id) && id[i] != '/' {
			continue
		}
		info, err := fs.Lstat(d.fsys, id[:i])
		switch {
		case err != nil && d.shipped:
			return nil, errNotBuilt{reason(err)}
		case err != nil:
			return nil, fmt.Errorf("%q: %w", id, reason(err))
		case info.Mode()&fs.ModeSymlink != 0:
			return nil, fmt.Errorf("%q: %q is a symbolic link", id, id[:i])
		case i == len(id) && !info.Mode().IsRegular():
			// Opening a pipe would wait for who writes it.
			return nil, fmt.Errorf("%q: %w", id, errIrregular)
		case i == len(id) && info.Size() > limit:
			return nil, fmt.Errorf("%q: it has %d bytes, more than the limit of %d", id, info.Size(), limit)
		}
	}
	f, err := d.fsys.Open(id)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", id, reason(err))
	}
	defer f.Close()
	content, err := readFile(f, limit)
	if errors.Is(err, errTooLarge) {
		return nil, fmt.Errorf("%q: it has more than the limit of %d bytes", id, limit)
	}
	if err != nil {
		return nil, fmt.Errorf("%q: %w", id, reason(err))
	}
	return content, nil
}

// reason is an error without the path of the host.
func reason(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

func (d *discovery) npmModule(m *Module, decl *moduleDecl) (why Status, err error) {
	var a *Artifact
	if d.compiled != nil && d.dir != "" {
		a = d.compiled.Lookup(d.dir, decl.npm)
	}
	switch {
	case a == nil:
		return d.status(LevelSkipped, CodePending, m.Specifier, "%s was not compiled here, or its files have changed since: run quicksand packs compile %s", decl.npm, d.dir), nil
	case a.Skip != nil:
		return d.status(LevelSkipped, a.Skip.Code, m.Specifier, "%s", a.Skip.Message), nil
	case len(a.Source) > MaxBundle:
		return d.status(LevelSkipped, CodeTooLarge, m.Specifier, "the module made of %s has %d bytes, more than the limit of %d", decl.npm, len(a.Source), MaxBundle), nil
	}
	m.Entry = "npm:" + decl.npm
	m.Exports, m.Complete = a.Exports, true
	f := &file{id: m.Entry, kind: "npm", content: a.Source, sum: digest([]byte(a.Source))}
	if err := d.add(f); err != nil {
		return Status{}, err
	}
	for _, w := range a.Warnings {
		d.status(LevelWarning, CodeNPMWarning, m.Specifier, "%s", w)
	}
	d.status(LevelReady, CodeCompiled, m.Specifier, "made of %s: %d bytes", decl.npm, len(a.Source))
	// The inputs are part of the identity: the same bundle of other files is another one.
	m.Digest = digestJSON([]any{"npm", d.name, d.version, m.Specifier, m.Entry, decl.npm, decl.name, a.Bundler, a.Options, a.Key(), f.sum})
	return Status{}, nil
}

// hostModule applies the rule that pins host modules to the one package that may declare each.
func (d *discovery) hostModule(m *Module, decl *moduleDecl) (why Status, err error) {
	host := hostmods.Lookup(decl.host)
	if host == nil && !shippedHosts[decl.host] {
		return Status{}, fmt.Errorf("%q is not a host module that Quicksand implements; host modules are first-party, and a package cannot bring one", decl.host)
	}
	if owner := hostmods.PackOf(decl.host); owner != d.name {
		return Status{}, fmt.Errorf("the host module %q belongs to the package %s; %s cannot declare it", decl.host, owner, d.name)
	}
	if host == nil {
		return d.status(LevelSkipped, CodeUnsupported, m.Specifier, "%s", unlinkedHost(decl.host)), nil
	}
	setHost(m, host)
	return Status{}, nil
}

// setHost makes m the host module.
func setHost(m *Module, host *hostmods.Module) {
	m.Bridge = HostBridge(host)
	m.Default, m.Complete = true, true
	m.Exports = make([]string, 0, len(host.Funcs))
	for i := range host.Funcs {
		m.Exports = append(m.Exports, host.Funcs[i].Name)
	}
	m.Digest = digestJSON([]any{"host", m.Pack, m.Version, m.Specifier, "host:" + host.ID, slices.Sorted(slices.Values(m.Exports)), facadeVersion})
}

// facadeVersion is the version of what guests see of a module on the host.
const facadeVersion = 1

func (d *discovery) wasmModule(m *Module, decl *moduleDecl) (why Status, err error) {
	if err := d.load(decl.file, "wasm", MaxWASM); err != nil {
		return Status{}, err
	}
	m.Complete = true
	for _, e := range decl.wasm.Exports {
		m.Exports = append(m.Exports, e.As)
	}
	compile := wasmCompiler()
	if compile == nil {
		return d.status(LevelSkipped, CodeUnsupported, m.Specifier, "this program does not run WebAssembly modules: it does not import quicksand/modules/wasm"), nil
	}
	m.Bridge, err = compileWASM(compile, []byte(d.files[decl.file].content), decl.wasm)
	return Status{}, err
}

// compileWASM calls a compiler, which reads bytes of strangers: a panic of it rejects the
// package.
func compileWASM(compile WASMCompiler, bin []byte, decl WASMDecl) (b *bridges.Bridge, err error) {
	defer func() {
		if p := recover(); p != nil {
			b, err = nil, fmt.Errorf("the compiler of WebAssembly panicked: %v", p)
		}
	}()
	return compile(bin, decl)
}

// links reads the imports of a JavaScript file.
func (d *discovery) links(f *file) error {
	if f.kind != "js" {
		return nil
	}
	o, err := entry.ReadModule(f.content)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", f.id, err)
	case o.DynamicLine > 0:
		return fmt.Errorf("%s:%d: import() is not possible in a sandbox package", f.id, o.DynamicLine)
	case o.RequireLine > 0:
		return fmt.Errorf("%s:%d: require() is not possible in a sandbox package", f.id, o.RequireLine)
	}
	f.outline = o
	if d.imports += len(o.Imports); d.imports > maxImports {
		return fmt.Errorf("its files have more than %d imports", maxImports)
	}
	for _, imp := range o.Imports {
		at := fmt.Sprintf("%s:%d", f.id, imp.Line)
		if !strings.HasPrefix(imp.Specifier, ".") {
			if err := d.mayImport(imp.Specifier); err != nil {
				return fmt.Errorf("%s: %w", at, err)
			}
			f.bare = append(f.bare, imp.Specifier)
			continue
		}
		id, err := resolve(f.id, imp.Specifier)
		if err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
		target := d.files[id]
		switch {
		case target == nil:
			return fmt.Errorf("%s: import %q: the package declares no file %q", at, imp.Specifier, id)
		case target.kind != "js":
			return fmt.Errorf("%s: import %q: it is no JavaScript; import its module by name", at, imp.Specifier)
		}
		f.deps = append(f.deps, id)
	}
	f.deps, f.bare = sorted(f.deps), sorted(f.bare)
	return nil
}

// sorted is a list without what it holds twice.
func sorted(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// resolve is the file that a relative specifier in a file means. It is exact: no extension
// and no folder is guessed, and what leaves the package is an error.
func resolve(base, specifier string) (string, error) {
	if err := checkPath(specifier); err != nil {
		return "", fmt.Errorf("import: the path %w", err)
	}
	var names []string
	if dir := path.Dir(base); dir != "." {
		names = strings.Split(dir, "/")
	}
	for name := range strings.SplitSeq(specifier, "/") {
		switch name {
		case "":
			return "", fmt.Errorf("import %q: the path holds an empty name", cut(specifier, 200))
		case ".":
		case "..":
			if len(names) == 0 {
				return "", fmt.Errorf("import %q: the path leaves the package", cut(specifier, 200))
			}
			names = names[:len(names)-1]
		default:
			names = append(names, name)
		}
	}
	return strings.Join(names, "/"), nil
}

// mayImport checks an import by name: of the host's namespaces, of modules of the package
// itself, and of packages that its package.json names as dependencies.
func (d *discovery) mayImport(specifier string) error {
	of := PackOf(specifier)
	switch {
	case of == CapabilityPack:
		return nil
	case of == d.name:
		for i := range d.manifest.modules {
			if d.specifier(&d.manifest.modules[i]) == specifier {
				return nil
			}
		}
		return fmt.Errorf("import %q: the package declares no such module", cut(specifier, 200))
	case d.dependencies[of]:
		return nil
	}
	return fmt.Errorf("import %q outside the package: dependencies in package.json do not name it", cut(specifier, 200))
}

// finish fills what depends on the files that a module reaches.
func (d *discovery) finish(m *found, decl *moduleDecl) {
	if m.why.Code != "" && m.Digest == "" {
		m.Digest = digestJSON([]any{"unavailable", d.name, d.version, m.Specifier, decl.name, decl.kind, decl.file, decl.npm, decl.host})
	}
	if decl.kind == Host || m.why.Code != "" {
		return
	}
	start := cmp.Or(m.Entry, decl.file)
	reached := d.reach(start)
	if decl.kind == JS {
		m.Files = make(map[string]string, len(reached))
		for _, f := range reached {
			m.Files[f.id] = f.content
			m.Imports = append(m.Imports, f.bare...)
		}
		m.Imports = sorted(m.Imports)
	}
	if decl.npm != "" {
		return
	}
	if decl.kind == JS {
		m.Exports, m.Complete = d.files[start].outline.Exports, d.files[start].outline.Complete
	}
	m.Digest = digestJSON([]any{"module", d.name, d.version, m.Specifier, decl.kind, decl.name, decl.wasmIdentity(), describe(reached)})
}

// wasmIdentity is what the declaration of a WASM module adds to its identity.
func (decl *moduleDecl) wasmIdentity() any {
	if decl.kind != WASM {
		return nil
	}
	exports := slices.Clone(decl.wasm.Exports)
	slices.SortFunc(exports, func(a, b WASMExport) int { return cmp.Compare(a.WASM, b.WASM) })
	return []any{decl.wasm.MemoryPagesMax, decl.wasm.Limits, exports, facadeVersion}
}

// reach are the files that an import of one evaluates, sorted.
func (d *discovery) reach(id string) []*file {
	seen := map[string]bool{id: true}
	list := []*file{d.files[id]}
	for i := 0; i < len(list); i++ {
		for _, dep := range list[i].deps {
			if !seen[dep] {
				seen[dep] = true
				list = append(list, d.files[dep])
			}
		}
	}
	slices.SortFunc(list, func(a, b *file) int { return cmp.Compare(a.id, b.id) })
	return list
}

// describe is what identifies files in a digest.
func describe(files []*file) []string {
	list := make([]string, 0, len(files))
	for _, f := range files {
		list = append(list, f.digest)
	}
	return list
}

func (d *discovery) packDigest() string {
	var files []*file
	for _, id := range slices.Sorted(maps.Keys(d.files)) {
		files = append(files, d.files[id])
	}
	var modules []any
	for _, m := range d.pack.modules {
		modules = append(modules, []string{m.Specifier, m.Digest})
	}
	slices.SortFunc(modules, func(a, b any) int { return cmp.Compare(a.([]string)[0], b.([]string)[0]) })
	return digestJSON([]any{"pack", d.name, d.version, modules, d.internal, describe(files)})
}
