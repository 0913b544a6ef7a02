package quicksand

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"quicksand/engine"
	"quicksand/internal/prelude"
	"quicksand/modules"
)

// A warmImage is what the modules of Config.Warm are to heaps and to runs. It is immutable
// but for its plan, and safe for concurrent use.
type warmImage struct {
	entries []engine.Import            // in the order of their evaluation
	modules map[string]*modules.Module // by specifier
	files   map[string]warmFile        // by identity, all that the entries reach
	packs   map[string]bool            // packages of the files
	imports map[string][]string        // specifiers of other modules that a file names, by identity

	plan atomic.Pointer[warmPlan] // for the set of the last run
}

type warmFile struct {
	packFile
	program engine.Program
}

// A warmPlan says which packages of the image a run must evaluate itself although it may
// import them: they are not the same as in the image.
type warmPlan struct {
	set  *modules.Set
	cold map[string]bool
}

// warmTimeout bounds finding out which modules heaps can be made with.
const warmTimeout = time.Minute

// newWarmImage finds the modules of a set that heaps can be made with, by making some, and
// logs which it leaves out. It returns nil when none is left.
func (s *Sandbox) newWarmImage(base engine.Image, set *modules.Set) (*warmImage, error) {
	ctx, cancel := context.WithTimeout(context.Background(), warmTimeout)
	defer cancel()
	var left []*modules.Module
	for _, spec := range set.Specifiers() {
		m := set.Lookup(spec)
		if m == nil || m.Kind != modules.JS || !validSpecifier(spec) {
			continue
		}
		left = append(left, m)
	}
	programs := make(map[string]engine.Program)
	for len(left) > 0 {
		w := &warmImage{modules: make(map[string]*modules.Module), files: make(map[string]warmFile), packs: make(map[string]bool), imports: make(map[string][]string)}
		b := warmBuilder{w: w, engine: s.engine, ctx: ctx, set: set, programs: programs}
		img, err := b.trial(base, left)
		if err == nil {
			var iso engine.Isolate
			if iso, err = s.engine.NewIsolate(img); err == nil {
				return w, iso.Close()
			}
		}
		var ie *engine.ImageError
		if !errors.As(err, &ie) {
			return nil, err
		}
		out := slices.IndexFunc(left, func(m *modules.Module) bool { return ie.ID == identity(m.Pack, m.Entry) || ie.ID == clockCheck(m) })
		if out < 0 {
			return nil, err
		}
		s.log.Warn("quicksand: a module of Config.Warm is not part of heaps", "module", left[out].Specifier, "reason", ie.Reason)
		left = slices.Delete(left, out, out+1)
	}
	return nil, nil
}

// image is an image with the modules.
func (w *warmImage) image(base engine.Image) engine.Image {
	base.Modules = w.entries
	base.Resolve = func(from, specifier string) (engine.Import, error) {
		f, err := w.resolve(from, specifier, func(specifier string) *modules.Module { return w.modules[specifier] })
		if err != nil {
			return engine.Import{}, err
		}
		return engine.Import{ID: f.identity(), Program: w.files[f.identity()].program}, nil
	}
	return base
}

// resolve finds the file that an import of a file of the image means.
func (w *warmImage) resolve(from, specifier string, lookup func(string) *modules.Module) (packFile, error) {
	if isRelative(specifier) {
		return w.files[from].sibling(specifier)
	}
	m := lookup(specifier)
	if m == nil || m.Kind != modules.JS {
		return packFile{}, fmt.Errorf("cannot import %q: it is no JavaScript module of Config.Warm", specifier)
	}
	return packFile{m, m.Pack, m.Entry}, nil
}

// A warmBuilder fills a warmImage while an engine evaluates its modules for the first time.
type warmBuilder struct {
	w        *warmImage
	engine   engine.Engine
	ctx      context.Context
	set      *modules.Set
	programs map[string]engine.Program // of all attempts, by identity
}

// clockGuard counts how often the clock is read. What a module reads of it would be the time
// of the image in every run.
const clockGuard = `const RealDate = Date;
let reads = 0;
const count = (args) => { if (args.length === 0) reads++; return args; };
const now = () => { reads++; return RealDate.now(); };
globalThis.Date = new Proxy(RealDate, {
  construct: (_, args, target) => Reflect.construct(RealDate, count(args), target),
  apply: () => { reads++; return RealDate(); },
  get: (_, key) => key === "now" ? now : RealDate[key],
});
Object.defineProperty(RealDate.prototype, "constructor", { value: globalThis.Date });
export const check = () => { if (reads > 0) { reads = 0; throw new Error("it reads the clock when it is evaluated"); } };
`

const clockGuardName = prelude.Name + "/clock"

// clockCheck is the identity of the module that looks at the guard after m.
func clockCheck(m *modules.Module) string { return clockGuardName + "/" + m.Specifier }

// trial is an image that fails at the first module which heaps cannot be made with, and that
// fills the warmImage.
func (b *warmBuilder) trial(base engine.Image, list []*modules.Module) (engine.Image, error) {
	own := func(id, code string) error {
		p, err := b.compile(id, code)
		base.Modules = append(base.Modules, engine.Import{ID: id, Program: p})
		return err
	}
	base.Modules = nil
	if err := own(clockGuardName, clockGuard); err != nil {
		return base, err
	}
	for _, m := range list {
		b.w.modules[m.Specifier] = m
		imp, err := b.file(packFile{m, m.Pack, m.Entry})
		if err != nil {
			return base, &engine.ImageError{ID: imp.ID, Reason: err.Error()}
		}
		b.w.entries = append(b.w.entries, imp)
		base.Modules = append(base.Modules, imp)
		if err := own(clockCheck(m), "import { check } from "+strconv.Quote(clockGuardName)+"; check();"); err != nil {
			return base, err
		}
	}
	base.Resolve = func(from, specifier string) (engine.Import, error) {
		if specifier == clockGuardName && b.programs[from] != nil && b.w.files[from].module == nil {
			return engine.Import{ID: clockGuardName, Program: b.programs[clockGuardName]}, nil
		}
		f, err := b.w.resolve(from, specifier, b.set.Lookup)
		if err != nil {
			return engine.Import{}, err
		}
		if !isRelative(specifier) {
			b.w.imports[from] = append(b.w.imports[from], specifier)
		}
		return b.file(f)
	}
	return base, nil
}

// file compiles a file, as part of the image.
func (b *warmBuilder) file(f packFile) (engine.Import, error) {
	id := f.identity()
	imp := engine.Import{ID: id}
	if known, ok := b.w.files[id]; ok {
		imp.Program = known.program
		return imp, nil
	}
	code, err := f.code()
	if err != nil {
		return imp, err
	}
	if imp.Program, err = b.compile(id, code); err != nil {
		return imp, fmt.Errorf("cannot import %q: %w", id, err)
	}
	b.w.files[id] = warmFile{f, imp.Program}
	b.w.packs[f.module.Pack] = true
	return imp, nil
}

func (b *warmBuilder) compile(id, code string) (engine.Program, error) {
	if p := b.programs[id]; p != nil {
		return p, nil
	}
	p, err := b.engine.Compile(b.ctx, engine.Source{Name: id, Code: code, Kind: engine.Module})
	if err == nil {
		b.programs[id] = p
	}
	return p, err
}

// coldPacks are the packages of the image that a run evaluates itself.
func (w *warmImage) coldPacks(r *run) map[string]bool {
	set := r.opts.Packs
	// What a run has in the place of modules, of the image's or of the set's, is of this run alone.
	own := func(spec string) bool { return w.modules[spec] != nil || set.Allows(spec) }
	replaced := own(r.name)
	for spec := range r.opts.Modules {
		replaced = replaced || own(spec)
	}
	if p := w.plan.Load(); p != nil && p.set == set && !replaced {
		return p.cold
	}
	cold := w.compare(r)
	if !replaced {
		w.plan.Store(&warmPlan{set, cold})
	}
	return cold
}

// compare finds the packages of which the run has other files than the image, or that import
// something else there. Of one package a run takes all files from the image or none, so that
// its modules share what both import.
func (w *warmImage) compare(r *run) map[string]bool {
	cold := make(map[string]bool)
	var held []*modules.Module
	for _, spec := range r.opts.Packs.Specifiers() {
		// To look at a module of a catalog may load its code.
		if r.opts.Packs.Catalog() != nil && !w.packs[modules.PackOf(spec)] {
			continue
		}
		_, m, _ := r.served(spec)
		if m == nil || m.Kind != modules.JS || !w.packs[m.Pack] {
			continue
		}
		held = append(held, m)
		if known := w.modules[spec]; known != nil && known.Digest != m.Digest {
			cold[m.Pack] = true
		}
		for name, code := range m.Files {
			f, ok := w.files[identity(m.Pack, name)]
			if ok && f.module.Files[name] != code {
				cold[m.Pack] = true
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, m := range held {
			if cold[m.Pack] {
				continue
			}
			if !w.sameImports(r, m, cold) {
				cold[m.Pack], changed = true, true
			}
		}
	}
	return cold
}

// sameImports reports whether the files of a module mean in this run what they mean in the
// image where they name other modules.
func (w *warmImage) sameImports(r *run, m *modules.Module, cold map[string]bool) bool {
	for name := range m.Files {
		for _, spec := range w.imports[identity(m.Pack, name)] {
			known := w.modules[spec]
			if _, now, _ := r.served(spec); now == nil || known == nil || now.Digest != known.Digest || cold[known.Pack] {
				return false
			}
		}
	}
	return true
}
