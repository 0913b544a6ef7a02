package npm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"

	"quicksand/modules"
)

// defines are what the bundle has in the place of globals. That of eval is undefined, and
// not an error where packages only list what there is.
var defines = map[string]string{"process.env.NODE_ENV": `"production"`, "global": "globalThis", "eval": "globalThis.eval"}

// theGlobal is how code that is older than globalThis asks for it. The guest's Function
// would throw.
var theGlobal = regexp.MustCompile(`\b(?:new )?Function\((?:"return this;?"|'return this;?')\)\(\)`)

// optionsDigest identifies all choices that a bundle depends on, besides its inputs. Rules
// is raised when one of them changes which is not in the list: of resolution, of the scan
// or of the probe.
var optionsDigest = func() string {
	const rules = 1
	text, err := json.Marshal([]any{rules, "esm", "neutral", "es2022", importConditions, requireConditions, extensions, defines, theGlobal.String(),
		forbidden, conditional, missing, maxFile, maxTotal, maxFiles, modules.MaxBundle, maxNames})
	if err != nil {
		panic("npm: the options have no JSON: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}()

// maxNames is how many named exports a CommonJS module gets.
const maxNames = 2000

// A bundler makes the bundles of one dependency: one, or another one when more is known
// about it. Both read the same files.
type bundler struct {
	ctx   context.Context
	npm   string
	files *files
	res   *resolver

	mu       sync.Mutex
	sources  map[string]target // by name in the bundle
	texts    map[string]text   // by path
	failed   map[string]error  // specifiers that were not resolved
	trouble  error             // the first file that must not be read
	commonJS bool              // the dependency itself
}

// A text is what the bundler gets of a file.
type text struct {
	code   string
	loader api.Loader
}

// A bundle is what the bundler made.
type bundle struct {
	code []byte
	// positions leads from the code to the files.
	positions sourceMap
	warnings  []string
}

// errSkip is a dependency that cannot be a module.
type errSkip modules.Skip

func (e *errSkip) Error() string { return string(e.Code) + ": " + e.Message }

func skip(code modules.Code, format string, args ...any) *errSkip {
	return &errSkip{Code: code, Message: fmt.Sprintf(format, args...)}
}

func newBundler(ctx context.Context, files *files, npm string, browser bool) *bundler {
	return &bundler{ctx: ctx, npm: npm, files: files, res: &resolver{files: files, browser: browser, packages: map[string]*packageJSON{}},
		sources: map[string]target{}, texts: map[string]text{}, failed: map[string]error{}}
}

// Namespaces of the bundler: files of packages, and what stands for those left out.
const (
	nsFile  = "npm"
	nsEmpty = "empty"
)

// bundle makes the module. names are named exports of a CommonJS dependency.
func (b *bundler) bundle(names []string) (*bundle, error) {
	reexport := fmt.Sprintf("export * from %s;\n", quote(b.npm))
	made, err := b.build(fmt.Sprintf("%sexport { default } from %s;\n", reexport, quote(b.npm)))
	if s := (*errSkip)(nil); errors.As(err, &s) && s.Code == modules.CodeBundleFailed && strings.Contains(s.Message, `for import "default"`) {
		return b.build(reexport)
	}
	if err != nil || !b.commonJS {
		return made, err
	}
	var entry strings.Builder
	entry.WriteString(b.everything())
	for i, name := range names {
		fmt.Fprintf(&entry, "const name%d = all.%s;\nexport { name%[1]d as %[2]s };\n", i, name)
	}
	return b.build(entry.String())
}

// listing is a CommonJS dependency with one more export, the names of the properties that it
// has when it was evaluated.
func (b *bundler) listing() (*bundle, error) {
	return b.build(b.everything() + "export const " + namesExport + " = Object.keys(all);\n")
}

// namesExport is what listing adds. No export of a CommonJS module has another name than
// default otherwise.
const namesExport = "names"

func (b *bundler) everything() string {
	return fmt.Sprintf("import * as all from %s;\nexport default \"default\" in all ? all.default : all;\n", quote(b.npm))
}

// build runs the bundler on an entry module.
func (b *bundler) build(entry string) (*bundle, error) {
	ctx, failure := api.Context(api.BuildOptions{
		Stdin:     &api.StdinOptions{Contents: entry, Sourcefile: "entry", Loader: api.LoaderJS},
		Bundle:    true,
		Format:    api.FormatESModule,
		Platform:  api.PlatformNeutral,
		Target:    language,
		Charset:   api.CharsetUTF8,
		Define:    defines,
		Outfile:   "out.js",
		LogLevel:  api.LogLevelSilent,
		LogLimit:  100,
		Metafile:  true,
		Sourcemap: api.SourceMapExternal,

		TreeShaking:    api.TreeShakingTrue,
		LegalComments:  api.LegalCommentsNone,
		SourcesContent: api.SourcesContentExclude,
		TsconfigRaw:    "{}", // so that none is looked for

		Plugins: []api.Plugin{{Name: "npm", Setup: b.setup}},
	})
	if failure != nil {
		return nil, fmt.Errorf("the bundler: %w", failure)
	}
	// It ends when the parser is through with what it has begun.
	stop := context.AfterFunc(b.ctx, ctx.Cancel)
	result := ctx.Rebuild()
	stop()
	ctx.Dispose()
	if err := b.ctx.Err(); err != nil {
		return nil, context.Cause(b.ctx)
	}
	if len(result.Errors) > 0 {
		return nil, b.failure(result.Errors)
	}
	return b.made(&result)
}

// setup takes resolution and reading from the bundler, which then touches no file.
func (b *bundler) setup(p api.PluginBuild) {
	p.OnResolve(api.OnResolveOptions{Filter: ".*"}, b.onResolve)
	p.OnLoad(api.OnLoadOptions{Filter: ".*"}, b.onLoad)
}

// onResolve leaves what cannot be resolved to the bundler, which has no directory to look
// in: it fails, or leaves the call there if it is within a try.
func (b *bundler) onResolve(a api.OnResolveArgs) (api.OnResolveResult, error) {
	if err := b.ctx.Err(); err != nil {
		return api.OnResolveResult{}, err
	}
	from := b.files.dir
	if a.Namespace == nsFile {
		b.mu.Lock()
		from = filepath.Dir(b.sources[a.Importer].path)
		b.mu.Unlock()
	}
	require := a.Kind == api.ResolveJSRequireCall || a.Kind == api.ResolveJSRequireResolve
	t, err := b.res.resolve(a.Path, from, require)
	if err == nil && t.empty {
		return api.OnResolveResult{Path: "empty", Namespace: nsEmpty}, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		b.failed[a.Path] = err
		if !errors.Is(err, errBuiltin) && !errors.Is(err, errMissing) {
			return api.OnResolveResult{}, b.fail(fmt.Errorf("%q: %w", a.Path, err))
		}
		if a.Kind != api.ResolveJSRequireCall && a.Kind != api.ResolveJSRequireResolve && a.Kind != api.ResolveJSDynamicImport && a.Kind != api.ResolveJSImportStatement {
			return api.OnResolveResult{}, b.fail(fmt.Errorf("%q: imports of this kind are not possible", a.Path))
		}
		if strings.HasPrefix(a.Path, "data:") || strings.HasPrefix(a.Path, "//") || strings.Contains(a.Path, "://") {
			// The bundler would leave these in the bundle.
			return api.OnResolveResult{Errors: []api.Message{{Text: "Could not resolve " + quote(a.Path)}}}, nil
		}
		return api.OnResolveResult{}, nil
	}
	// The names of modules are in comments of the bundle and tell the bundler how Node.js
	// would interpret them, which it goes by the extension.
	name := b.files.rel(t.path)
	if t.pkg != nil && t.pkg.esm && strings.HasSuffix(name, ".js") {
		name += ".mjs"
	}
	if other, ok := b.sources[name]; ok && other.path != t.path {
		return api.OnResolveResult{}, b.fail(fmt.Errorf("%q: two files have one name", name))
	}
	b.sources[name] = t
	result := api.OnResolveResult{Path: name, Namespace: nsFile}
	if !t.pkg.sideEffects(t.path) {
		result.SideEffects = api.SideEffectsFalse
	}
	return result, nil
}

// fail remembers the first error that is not the bundler's.
func (b *bundler) fail(err error) error {
	if b.trouble == nil {
		b.trouble = err
	}
	return err
}

func (b *bundler) onLoad(a api.OnLoadArgs) (api.OnLoadResult, error) {
	if err := b.ctx.Err(); err != nil {
		return api.OnLoadResult{}, err
	}
	if a.Namespace == nsEmpty {
		contents := ""
		return api.OnLoadResult{Contents: &contents, Loader: api.LoaderEmpty}, nil
	}
	b.mu.Lock()
	path := b.sources[a.Path].path
	had, ok := b.texts[path]
	b.mu.Unlock()
	if !ok {
		var err error
		had, err = b.load(path)
		b.mu.Lock()
		defer b.mu.Unlock()
		if err != nil {
			return api.OnLoadResult{}, b.fail(fmt.Errorf("%q: %w", a.Path, err))
		}
		b.texts[path] = had
	}
	return api.OnLoadResult{Contents: &had.code, Loader: had.loader}, nil
}

// load reads a file and prepares it for the bundler.
func (b *bundler) load(path string) (text, error) {
	got, err := b.files.get(path)
	if err == nil {
		err = b.files.use(path)
	}
	if err != nil {
		return text{}, err
	}
	t := text{string(got.content), api.LoaderJS}
	switch filepath.Ext(path) {
	case ".js", ".mjs", ".cjs", "":
	case ".ts", ".mts", ".cts":
		t.loader = api.LoaderTS
	case ".json":
		t.loader = api.LoaderJSON
		return t, parseableJSON(got.content)
	default:
		return text{}, errors.New("only JavaScript and JSON can be bundled")
	}
	if err := parseable(t.code); err != nil {
		return text{}, err
	}
	// Columns stay what they are.
	t.code = theGlobal.ReplaceAllStringFunc(t.code, func(s string) string { return padded("globalThis", len(s)) })
	if t.code, err = tame(t.code, t.loader); err != nil {
		return text{}, err
	}
	if strings.Contains(t.code, requireMark) {
		t.code += "\nfunction " + requireMark + "(name) { throw new Error('require of \"' + name + '\" is not supported') }\n"
	}
	return t, nil
}

var unresolved = regexp.MustCompile(`^Could not resolve ("(?:[^"\\]|\\.)*")`)

// failure makes a skip of the errors.
func (b *bundler) failure(list []api.Message) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.trouble != nil {
		return skip(modules.CodeBundleFailed, "%s cannot be bundled: %v", b.npm, b.trouble)
	}
	built, missing := map[string]bool{}, map[string]bool{}
	for _, m := range list {
		found := unresolved.FindStringSubmatch(m.Text)
		if found == nil {
			continue
		}
		for spec, err := range b.failed {
			if quote(spec) != found[1] {
				continue
			}
			if errors.Is(err, errBuiltin) {
				built[spec] = true
			} else {
				missing[spec] = true
			}
		}
	}
	switch {
	case len(built) > 0:
		return skip(modules.CodeBuiltinImport, "%s imports builtins of Node.js: %s", b.npm, join(slices.Sorted(maps.Keys(built))))
	case len(missing) > 0:
		return skip(modules.CodeUnresolved, "%s needs what is not installed: %s", b.npm, join(slices.Sorted(maps.Keys(missing))))
	}
	m := list[0]
	where := ""
	if m.Location != nil {
		where = fmt.Sprintf(" (%s:%d:%d)", strings.TrimPrefix(m.Location.File, nsFile+":"), m.Location.Line, m.Location.Column+1)
	}
	return skip(modules.CodeBundleFailed, "%s cannot be bundled: %s%s", b.npm, cut(m.Text, 300), where)
}

// quote is a text as the bundler's messages show it.
func quote(s string) string {
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return s
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// join lists at most some names.
func join(names []string) string {
	const most = 20
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", cut(strings.Join(names[:most], ", "), 1000), len(names)-most)
	}
	return cut(strings.Join(names, ", "), 1000)
}

// cut shortens a text that others wrote.
func cut(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// made reads the result of the bundler.
func (b *bundler) made(result *api.BuildResult) (*bundle, error) {
	made := &bundle{}
	for _, f := range result.OutputFiles {
		if strings.HasSuffix(f.Path, ".map") {
			made.positions = parseSourceMap(f.Contents)
		} else if strings.HasSuffix(f.Path, ".js") {
			made.code = f.Contents
		}
	}
	var meta struct {
		Inputs map[string]struct {
			Format  string
			Imports []struct {
				Path     string
				Original string
			}
		}
	}
	if err := json.Unmarshal([]byte(result.Metafile), &meta); err != nil {
		return nil, fmt.Errorf("the bundler's description: %w", err)
	}
	for _, imp := range meta.Inputs["entry"].Imports {
		if imp.Original == b.npm {
			b.commonJS = meta.Inputs[imp.Path].Format == "cjs"
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, spec := range slices.Sorted(maps.Keys(b.failed)) {
		made.warnings = append(made.warnings, fmt.Sprintf("%s is not available: requiring it throws", cut(spec, 100)))
	}
	return made, nil
}
