package npm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"quicksand/modules"
)

// defaultTimeout is that of Options.
const defaultTimeout = time.Minute

// Compile makes the npm modules of the package in a directory, and keeps them in the cache.
// That a dependency cannot be a module is not an error: the report says why. Errors are a
// package that cannot be read, and the end of ctx.
//
// It may be called from several goroutines.
func Compile(ctx context.Context, dir string, o Options) (*Report, error) {
	pack, version, list, err := modules.Dependencies(dir)
	if err != nil {
		return nil, fmt.Errorf("npm: %w", err)
	}
	report := &Report{Pack: pack, Version: version, Modules: []Result{}}
	for _, d := range list {
		a, cached, uncached, err := compile(ctx, dir, d.NPM, o)
		if err != nil {
			return nil, err
		}
		r := Result{Specifier: d.Specifier, NPM: d.NPM, Cached: cached, Uncached: uncached}
		if a.Skip != nil {
			r.Level, r.Code, r.Message = modules.LevelSkipped, a.Skip.Code, a.Skip.Message
		} else {
			r.Level, r.Code, r.Message = modules.LevelReady, modules.CodeCompiled, fmt.Sprintf("%d bytes, exports: %d", len(a.Source), len(a.Exports))
			r.Size, r.Exports, r.Warnings = len(a.Source), a.Exports, a.Warnings
		}
		report.Modules = append(report.Modules, r)
	}
	return report, nil
}

// Bundle makes one dependency of the package in a directory, by its name and a path that
// may follow it: "date-fns", "date-fns/locale". Its result is in the cache then. The
// directory needs no manifest. An artifact with a Skip is not an error.
//
// It may be called from several goroutines.
func Bundle(ctx context.Context, dir, npm string, o Options) (*modules.Artifact, error) {
	a, _, _, err := compile(ctx, dir, npm, o)
	return a, err
}

// compile finds the artifact in the cache or makes it. uncached is why it was not kept.
func compile(ctx context.Context, dir, npm string, o Options) (a *modules.Artifact, cached bool, uncached string, err error) {
	cache := o.Cache
	if cache == nil {
		cache = modules.DefaultCache()
	}
	if !o.Force {
		if a := cache.Lookup(dir, npm); a != nil && a.Bundler == Bundler && a.Options == optionsDigest {
			return a, true, "", nil
		}
	}
	if name, _ := splitName(npm); name == "" {
		return nil, false, "", fmt.Errorf("npm: %q is no name of an npm package", cut(npm, 64))
	}
	timeout := o.Timeout
	if timeout == 0 {
		timeout = defaultTimeout
	}
	within, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	f, err := newFiles(dir)
	if err != nil {
		return nil, false, "", fmt.Errorf("npm: %w", withoutPath(err))
	}
	defer f.close()
	a, known, err := makeArtifact(within, cache, f, npm, o)
	if err != nil {
		if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			return &modules.Artifact{NPM: npm, Bundler: Bundler, Options: optionsDigest, Skip: &modules.Skip{Code: modules.CodeBundleFailed,
				Message: fmt.Sprintf("%s was not compiled within %v", npm, timeout)}}, false, "the next attempt may be faster", nil
		}
		return nil, false, "", err
	}
	if f.passing != "" {
		return a, false, f.passing, nil
	}
	if known {
		err = cache.Point(dir, npm, a.Key())
	} else {
		err = cache.Put(dir, a)
	}
	if err != nil {
		uncached = "the cache cannot be written"
	}
	return a, known, uncached, nil
}

// withoutPath is the reason of an error about a file.
func withoutPath(err error) error {
	if e := (*os.PathError)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}

// splitName is the name of a package and the path after it, or nothing for what is no name.
func splitName(npm string) (name, path string) {
	if npm == "" || len(npm) > 512 || strings.HasPrefix(npm, ".") || strings.HasPrefix(npm, "/") {
		return "", ""
	}
	return splitSpecifier(npm)
}

// makeArtifact bundles, scans and probes. known says that the artifact was in the cache
// under its key, made for another package or earlier from the same files.
func makeArtifact(ctx context.Context, cache *modules.Cache, f *files, npm string, o Options) (a *modules.Artifact, known bool, err error) {
	// The package's own manifest decides, too.
	if _, err := f.get(f.manifest()); err != nil {
		return nil, false, fmt.Errorf("npm: package.json: %w", err)
	}
	a, known, err = attempt(ctx, newBundler(ctx, f, npm, false), cache, o)
	if err != nil || a.Skip == nil || a.Skip.Code != modules.CodeBuiltinImport {
		return a, known, err
	}
	// What it has for browsers may do without.
	other, known, err := attempt(ctx, newBundler(ctx, f, npm, true), cache, o)
	if err != nil {
		return nil, false, err
	}
	if other.Skip == nil {
		return other, known, nil
	}
	a.Inputs, a.Resolution = f.digests()
	return a, false, nil
}

// attempt makes an artifact in one of the two ways.
func attempt(ctx context.Context, b *bundler, cache *modules.Cache, o Options) (a *modules.Artifact, known bool, err error) {
	a = &modules.Artifact{NPM: b.npm, Bundler: Bundler, Options: optionsDigest}
	made, err := b.bundle(nil)
	a.Inputs, a.Resolution = b.files.digests()
	if err == nil && !o.Force {
		if had := cache.Get(a.Key()); had != nil {
			return had, true, nil
		}
	}
	if err == nil {
		err = examine(ctx, b, made, a, o)
	}
	if s := (*errSkip)(nil); errors.As(err, &s) {
		a.Skip, err = (*modules.Skip)(s), nil
	}
	return a, false, err
}

// examine decides whether a bundle can be a module, and completes the artifact.
func examine(ctx context.Context, b *bundler, made *bundle, a *modules.Artifact, o Options) error {
	if err := sized(made); err != nil {
		return err
	}
	warnings, err := verdict(made)
	if err != nil {
		return err
	}
	exports, err := b.probed(ctx, &made, o.Engine)
	if err != nil {
		return err
	}
	a.Source, a.Exports, a.Warnings = string(made.code), exports, slices.Concat(made.warnings, warnings)
	return nil
}

// probed evaluates a bundle. One of a CommonJS dependency gets the names that it has then
// as exports.
func (b *bundler) probed(ctx context.Context, made **bundle, engine string) (exports []string, err error) {
	if !b.commonJS {
		exports, _, err = b.probe(ctx, engine, (*made).code)
		return exports, err
	}
	listing, err := b.listing()
	if err != nil {
		return nil, err
	}
	_, names, err := b.probe(ctx, engine, listing.code)
	if err != nil {
		return nil, err
	}
	if names = exportable(names); len(names) == 0 {
		return []string{"default"}, nil
	}
	more, err := b.bundle(names)
	if err != nil {
		return nil, err
	}
	if len(more.code) <= modules.MaxBundle {
		// Each name is read once when the module is evaluated. One that cannot stand that
		// does without names.
		if exports, _, err := b.probe(ctx, engine, more.code); err == nil {
			*made = more
			return exports, nil
		} else if ctx.Err() != nil {
			return nil, err
		}
	}
	return []string{"default"}, nil
}

func sized(made *bundle) error {
	if n := len(made.code); n > modules.MaxBundle {
		return skip(modules.CodeTooLarge, "the bundle has %d bytes, more than the limit of %d", n, modules.MaxBundle)
	}
	return nil
}

// verdict scans a bundle. The error is a skip; the warnings are about globals.
func verdict(made *bundle) (warnings []string, err error) {
	list, err := scan(string(made.code))
	if err != nil {
		return nil, err
	}
	var hard []string
	var first finding
	for _, f := range list {
		switch {
		case slices.Contains(conditional, f.name):
			if f.hard {
				warnings = append(warnings, f.name+" is there only in runs with timers")
			}
		case slices.Contains(missing, f.name):
			if f.hard {
				warnings = append(warnings, f.name+" is missing in guests: what uses it throws")
			}
		case f.name == "import" && !f.hard: // dead
		case f.name == "require" && !f.hard && strings.Contains(string(made.code), "var __require = "): // it is the bundler that looks for it
		case !f.hard:
			warnings = append(warnings, f.name+" is looked for, which guests do not have: what depends on it never runs")
		default:
			if len(hard) == 0 || f.line < first.line || f.line == first.line && f.column < first.column {
				first = f
			}
			hard = append(hard, f.name)
		}
	}
	if len(hard) == 0 {
		return warnings, nil
	}
	where := fmt.Sprintf("%d:%d", first.line+1, first.column+1)
	if source, line, column, ok := made.positions.find(first.line, first.column); ok {
		where += fmt.Sprintf(", %s:%d:%d", strings.TrimPrefix(source, nsFile+":"), line+1, column+1)
	}
	if i := slices.Index(hard, "import"); i >= 0 {
		return nil, skip(modules.CodeScanRejected, "dynamic import() of a computed name (%s)", where)
	}
	return nil, skip(modules.CodeForbiddenGlobal, "it needs globals that guests do not have: %s (%s at %s)", strings.Join(hard, ", "), first.name, where)
}
