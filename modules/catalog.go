package modules

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Config says what a catalog holds. Its zero value holds what the program ships.
type Config struct {
	// Dirs are searched for packages, in order: each is a package itself, a project with a
	// folder node_modules, or a folder of packages and scopes. What a program ships comes
	// last, and an installed package takes the place of a shipped one.
	Dirs []string
	// Compiled knows compiled npm dependencies. Nil means DefaultCache().
	Compiled Compiled
	// Trust are the packages whose documentation counts as instructions, "*" for all, besides
	// what the program ships. Nothing else depends on it.
	Trust []string
	// Prefer settles which of several packages of one name counts: its folder by name.
	// Without it none of them does.
	Prefer map[string]string
	// Bare leaves out what the program ships.
	Bare bool
}

// A Catalog is what was found: packages, their modules, and what is wrong with others. It is
// immutable and safe for concurrent use. Of what a program ships, the code is read at the
// first need.
type Catalog struct {
	packs     map[string]func() *pack
	specs     map[string]string // the package of each module
	trust     map[string]bool
	search    []Status          // what happened apart from the packages that count
	installed []string          // packages that were found in Dirs
	broken    map[string]Status // modules whose imports are not there
}

// Open is Config.Open with directories alone.
func Open(dirs ...string) (*Catalog, error) { return Config{Dirs: dirs}.Open() }

// Open finds packages. No code of theirs runs. The error is about directories that cannot be
// read; a package which breaks a rule is a diagnostic.
func (c Config) Open() (*Catalog, error) {
	if c.Compiled == nil {
		c.Compiled = DefaultCache()
	}
	cat := &Catalog{packs: make(map[string]func() *pack), specs: make(map[string]string), trust: make(map[string]bool), broken: make(map[string]Status)}
	for _, name := range c.Trust {
		cat.trust[name] = true
	}
	found, err := cat.installedPacks(&c)
	if err != nil {
		return nil, err
	}
	for _, p := range found {
		cat.packs[p.name] = func() *pack { return p }
		cat.installed = append(cat.installed, p.name)
		for i := range p.modules {
			cat.specs[p.modules[i].Specifier] = p.name
		}
	}
	if !c.Bare {
		for _, p := range shipped() {
			if cat.packs[p.name] != nil {
				continue
			}
			cat.packs[p.name] = p.load
			for _, spec := range p.specs {
				cat.specs[spec] = p.name
			}
		}
	}
	cat.checkImports(found)
	return cat, nil
}

// installedPacks are the packages in the directories of a configuration, those that count.
func (cat *Catalog) installedPacks(c *Config) ([]*pack, error) {
	seen := make(map[string]bool)
	byName := make(map[string][]*pack)
	var order []string
	for _, root := range c.Dirs {
		dirs, err := search(root)
		if err != nil {
			return nil, err
		}
		for _, dir := range dirs {
			real, err := realDir(dir)
			if err != nil || seen[real] {
				continue // a link to nothing, or the same folder again
			}
			seen[real] = true
			p, err := discoverDir(real, c.Compiled)
			if errors.Is(err, errNoPack) {
				continue
			}
			if err != nil {
				cat.search = append(cat.search, Status{Level: LevelError, Code: CodeDiscovery, Message: fmt.Sprintf("%s: %v", real, err)})
				continue
			}
			if byName[p.name] == nil {
				order = append(order, p.name)
			}
			byName[p.name] = append(byName[p.name], p)
		}
	}
	var found []*pack
	for _, name := range order {
		list := byName[name]
		if prefer, ok := c.Prefer[name]; ok {
			real, err := realDir(prefer)
			if err != nil {
				return nil, fmt.Errorf("preferred package %s: %w", prefer, reason(err))
			}
			list = slices.DeleteFunc(slices.Clone(list), func(p *pack) bool { return p.dir != real })
			if len(list) == 0 {
				return nil, fmt.Errorf("there is no package %s in %s, which is preferred", name, prefer)
			}
		}
		if len(list) > 1 {
			var dirs []string
			for _, p := range list {
				dirs = append(dirs, p.dir)
			}
			cat.search = append(cat.search, Status{Level: LevelError, Code: CodeDuplicate, Pack: name, Message: "it is in " + strings.Join(dirs, " and in ") + "; none of them counts"})
			continue
		}
		found = append(found, list[0])
	}
	return found, nil
}

// checkImports finds the modules which import others that are not there, and then those which
// import these.
func (cat *Catalog) checkImports(found []*pack) {
	skipped := make(map[string]bool)
	for _, p := range found {
		for _, m := range p.modules {
			skipped[m.Specifier] = m.why.Code != ""
		}
	}
	for changed := true; changed; {
		changed = false
		for _, p := range found {
			for _, m := range p.modules {
				if _, known := cat.broken[m.Specifier]; known || m.why.Code != "" {
					continue
				}
				for _, spec := range m.Imports {
					if PackOf(spec) == CapabilityPack {
						continue
					}
					_, exists := cat.specs[spec]
					_, broken := cat.broken[spec]
					if exists && !broken && !skipped[spec] {
						continue
					}
					why := "not installed"
					if exists {
						why = "not available"
					}
					cat.broken[m.Specifier] = Status{Level: LevelSkipped, Code: CodeDependency, Pack: p.name, Specifier: m.Specifier, Message: fmt.Sprintf("it imports %s, which is %s", spec, why)}
					changed = true
					break
				}
			}
		}
	}
}

// module is a module by its specifier: ok is false when nothing of the name is installed, and
// why has a Code when it is not available.
func (cat *Catalog) module(spec string) (m *Module, why Status, ok bool) {
	if cat == nil {
		return nil, Status{}, false
	}
	name, ok := cat.specs[spec]
	if !ok {
		return nil, Status{}, false
	}
	for _, f := range cat.packs[name]().modules {
		if f.Specifier == spec {
			if broken, is := cat.broken[spec]; is {
				return f.Module, broken, true
			}
			return f.Module, f.why, true
		}
	}
	return nil, Status{}, false
}

// A Summary is one module in a list.
type Summary struct {
	Specifier   string `json:"specifier"`
	Pack        string `json:"packName"`
	Version     string `json:"packVersion,omitempty"`
	Kind        Kind   `json:"kind"`
	Description string `json:"description,omitempty"`
	Digest      string `json:"contentDigest"`
	// Available is false for a module that was skipped; the diagnostics say why.
	Available bool `json:"available"`
	// Shipped is true for a module that the program brings.
	Shipped bool `json:"shipped,omitempty"`
}

// Summaries are all modules, by specifier.
func (cat *Catalog) Summaries() []Summary {
	list := make([]Summary, 0, len(cat.specs))
	for _, spec := range slices.Sorted(maps.Keys(cat.specs)) {
		m, why, ok := cat.module(spec)
		if !ok {
			continue
		}
		p := cat.packs[m.Pack]()
		s := Summary{Specifier: spec, Pack: m.Pack, Version: m.Version, Kind: m.Kind, Digest: m.Digest, Available: why.Code == "", Shipped: p.shipped}
		if p.skill != nil {
			s.Description = p.skill.Description
		}
		list = append(list, s)
	}
	return list
}

// A Pack is one package in a list.
type Pack struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	// Dir is where it is on the host, empty for one that the program brings.
	Dir    string `json:"dir,omitempty"`
	Digest string `json:"digest"`
	// NPM are its dependencies that are modules, by specifier.
	NPM map[string]string `json:"npm,omitempty"`
}

// Packs are all packages that count, by name.
func (cat *Catalog) Packs() []Pack {
	var list []Pack
	for _, name := range slices.Sorted(maps.Keys(cat.packs)) {
		p := cat.packs[name]()
		out := Pack{Name: name, Version: p.version, Dir: p.dir, Digest: p.digest}
		for i := range p.manifest.modules {
			if decl := &p.manifest.modules[i]; decl.npm != "" {
				if out.NPM == nil {
					out.NPM = make(map[string]string)
				}
				out.NPM[p.specifier(decl)] = decl.npm
			}
		}
		list = append(list, out)
	}
	return list
}

// Modules are the specifiers of a package, in the order of its manifest, or nil.
func (cat *Catalog) Modules(pack string) []string {
	load := cat.packs[pack]
	if load == nil {
		return nil
	}
	var list []string
	for _, m := range load().modules {
		list = append(list, m.Specifier)
	}
	return list
}

// Diagnostics are the statuses of discovery: of packages that do not count, of installed ones
// in the order of search, and of those that the program brings. They are for the host.
func (cat *Catalog) Diagnostics() []Status {
	list := slices.Clone(cat.search)
	for _, name := range cat.installed {
		p := cat.packs[name]()
		list = append(list, p.statuses...)
		for _, m := range p.modules {
			if s, ok := cat.broken[m.Specifier]; ok {
				list = append(list, s)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(cat.packs)) {
		if p := cat.packs[name](); p.shipped {
			list = append(list, p.statuses...)
		}
	}
	return list
}

// Skill is the documentation of a package, or nil.
func (cat *Catalog) Skill(name string) *Skill {
	if cat == nil || cat.packs[name] == nil {
		return nil
	}
	p := cat.packs[name]()
	if p.skill == nil {
		return nil
	}
	s := *p.skill
	s.Trusted = p.shipped || cat.trust[name] || cat.trust["*"]
	return &s
}

// A Declaration names a module, and perhaps what it was when the declaration was made.
type Declaration struct {
	Specifier string `json:"specifier"`
	Version   string `json:"resolvedPackVersion,omitempty"`
	Digest    string `json:"contentDigest,omitempty"`
}

// A Resolution is what declarations mean in a catalog.
type Resolution struct {
	Modules  []*Module
	Statuses []Status
	catalog  *Catalog
}

// Resolve finds the modules of declarations, in their order. What cannot be found is an error
// among the statuses; another version or content than declared is a warning.
func (cat *Catalog) Resolve(decls []Declaration) Resolution {
	r := Resolution{catalog: cat}
	seen := make(map[string]bool)
	for _, d := range decls {
		if seen[d.Specifier] {
			continue
		}
		seen[d.Specifier] = true
		m, why, ok := cat.module(d.Specifier)
		if !ok || why.Code != "" {
			r.Statuses = append(r.Statuses, cat.missing(d.Specifier))
			continue
		}
		drift := func(code Code, format string, args ...any) {
			r.Statuses = append(r.Statuses, Status{Level: LevelWarning, Code: code, Pack: m.Pack, Specifier: m.Specifier, Message: fmt.Sprintf(format, args...)})
		}
		if d.Version != "" && d.Version != m.Version {
			drift(CodeVersion, "version %s is installed, and %s was declared", cmp.Or(m.Version, "(none)"), cut(d.Version, maxVersion))
		}
		if d.Digest != "" && d.Digest != m.Digest {
			drift(CodeDigest, "its content has changed since it was declared")
		}
		r.Modules = append(r.Modules, m)
	}
	return r
}

// missing is the status of a specifier that cannot be resolved. It says nothing about the
// host.
func (cat *Catalog) missing(spec string) Status {
	m, why, ok := cat.module(spec)
	if !ok {
		s := Status{Level: LevelError, Code: CodeNotFound, Pack: PackOf(spec), Specifier: spec, Message: "it is not installed"}
		if h := hint(s.Pack); h != "" && cat != nil && cat.packs[s.Pack] == nil {
			s.Message += "; " + h
		}
		return s
	}
	text := "it is installed, but not available"
	switch why.Code {
	case CodePending:
		text += ": its npm dependency was not compiled, or has changed since (quicksand packs compile)"
	default:
		text += ": " + why.Message
	}
	return Status{Level: LevelError, Code: CodeUnavailable, Pack: m.Pack, Specifier: spec, Message: text}
}

// Set is the resolution as what a run may import.
func (r Resolution) Set() *Set {
	s := &Set{catalog: r.catalog, allowed: make(map[string]bool)}
	for _, m := range r.Modules {
		s.allowed[m.Specifier] = true
	}
	for _, st := range r.Statuses {
		if st.Level == LevelWarning {
			s.warnings = append(s.warnings, st)
		}
	}
	return s
}

// Set is the part of the catalog that allow consents to: a specifier stands for itself and
// for everything below it, so that the name of a package is the whole package. No argument
// means everything; a nil *Set is nothing. To import a package is to trust it with all that
// the run may do.
func (cat *Catalog) Set(allow ...string) *Set {
	s := &Set{catalog: cat, allowed: make(map[string]bool)}
	for spec := range cat.specs {
		if len(allow) == 0 || slices.ContainsFunc(allow, func(a string) bool { return spec == a || strings.HasPrefix(spec, a+"/") }) {
			s.allowed[spec] = true
		}
	}
	return s
}
