package quicksand

import (
	"context"
	"fmt"
	"strings"

	"quicksand/bridges"
	"quicksand/modules"
)

// A packsGrant is what guests may know of the modules that they can import.
type packsGrant struct {
	set *modules.Set
	// platform are the namespaces that the host mounts for the run, sorted.
	platform []platformModule
}

// A platformModule is a module of functions in Options.Modules.
type platformModule struct {
	Specifier string `json:"specifier"`
	Module    string `json:"module"` // the last part of the specifier
	bridge    *bridges.Bridge
}

// packsOf is the grant of packsBridge in a run, or nil without Options.Packs.
func packsOf(o *Options) any {
	if o.Packs == nil {
		return nil
	}
	g := &packsGrant{set: o.Packs, platform: []platformModule{}}
	for _, spec := range sortedKeys(o.Modules) {
		if m := o.Modules[spec]; m.Host != nil {
			g.platform = append(g.platform, platformModule{spec, spec[strings.LastIndexByte(spec, '/')+1:], m.Host})
		}
	}
	return g
}

// Codes of the errors of nodetool.packs.
const (
	codePackNotAllowed = "package_not_allowed"
	codePackNoDocs     = "package_docs_unavailable"
	codePackUnresolved = "module_not_resolved"
	codePackNoCatalog  = "catalog_unavailable"
)

// packsBridge lets guests, and the models that write them, find out what they can import.
var packsBridge = &bridges.Bridge{
	Name:        "packs",
	Doc:         "what programs can import, with exports and documentation",
	Grant:       "Options.Packs (on the command line --packs)",
	Replaceable: true,
	Funcs: []bridges.Func{
		{
			Name: "nodetool.packs.list", Result: "packages, platform and allowedSpecifiers",
			Doc:  "lists the modules that are installed, whether this run may import them, and those of the host",
			Call: listPacks,
		}, {
			Name: "nodetool.packs.modules", Result: "the specifiers",
			Params: []bridges.Param{{Name: "pack", Type: bridges.String}},
			Doc:    "lists the modules of one package",
			Call:   packModules,
		}, {
			Name: "nodetool.packs.exports", Result: "specifier, kind, exports and complete",
			Params: []bridges.Param{{Name: "specifier", Type: bridges.String}},
			Doc:    "lists the exports of one module, null when they are not known without running it",
			Call:   packExports,
		}, {
			Name: "nodetool.packs.docs", Result: "specifier, packName, trusted, description and documentation",
			Params: []bridges.Param{{Name: "specifier", Type: bridges.String}},
			Doc:    "gives the documentation of one module",
			Call:   packDocs,
		},
	},
}

// A listedModule is a module of nodetool.packs.list.
type listedModule struct {
	Specifier   string       `json:"specifier"`
	Pack        string       `json:"packName"`
	Version     string       `json:"packVersion,omitempty"`
	Kind        modules.Kind `json:"kind"`
	Description string       `json:"description,omitempty"`
	// Allowed says that the run may import it, and Available that this can succeed.
	Allowed   bool `json:"allowed"`
	Available bool `json:"available"`
}

func listPacks(_ context.Context, c *bridges.Call) (any, error) {
	g := c.State.(*packsGrant)
	packages := []listedModule{}
	allowed := []string{}
	if cat := g.set.Catalog(); cat != nil {
		for _, s := range cat.Summaries() {
			description := ""
			if skill := cat.Skill(s.Pack); skill != nil {
				description = skill.Summary()
			}
			packages = append(packages, listedModule{s.Specifier, s.Pack, s.Version, s.Kind, description, g.set.Allows(s.Specifier), s.Available})
		}
	} else {
		for _, spec := range g.set.Specifiers() {
			m := g.set.Lookup(spec)
			packages = append(packages, listedModule{spec, m.Pack, m.Version, m.Kind, "", true, true})
		}
	}
	return struct {
		Packages []listedModule   `json:"packages"`
		Platform []platformModule `json:"platform"`
		Allowed  []string         `json:"allowedSpecifiers"`
	}{packages, g.platform, append(allowed, g.set.Specifiers()...)}, nil
}

func packModules(_ context.Context, c *bridges.Call) (any, error) {
	g, pack := c.State.(*packsGrant), c.Str(0)
	list := []string{}
	if cat := g.set.Catalog(); cat != nil {
		list = append(list, cat.Modules(pack)...)
	} else {
		for _, spec := range g.set.Specifiers() {
			if g.set.Lookup(spec).Pack == pack {
				list = append(list, spec)
			}
		}
	}
	if len(list) == 0 {
		return nil, packError(c, codePackUnresolved, "%q is not an installed sandbox package", pack)
	}
	return list, nil
}

// exported is the answer of nodetool.packs.exports.
type exported struct {
	Specifier string `json:"specifier"`
	Kind      string `json:"kind"`
	Exports   any    `json:"exports"` // a list, or nil for null
	Complete  bool   `json:"complete"`
	Note      string `json:"note,omitempty"`
}

func packExports(_ context.Context, c *bridges.Call) (any, error) {
	g, spec := c.State.(*packsGrant), c.Str(0)
	if b := g.mounted(spec); b != nil {
		names := []string{}
		for i := range b.Funcs {
			names = append(names, b.Funcs[i].Name)
		}
		return exported{Specifier: spec, Kind: "platform", Exports: names, Complete: true}, nil
	}
	if err := g.check(c, spec); err != nil {
		return nil, err
	}
	m := g.set.Lookup(spec)
	if m == nil {
		return nil, packError(c, codePackUnresolved, "%v", g.set.Deny([]string{spec}))
	}
	out := exported{Specifier: spec, Kind: string(m.Kind), Complete: m.Complete}
	switch {
	case m.Exports != nil || m.Complete:
		out.Exports = append([]string{}, m.Exports...)
		if !m.Complete {
			out.Note = "there may be more: it exports all that another module does, or by a pattern"
		}
	default:
		out.Note = "the exports are not known without running it"
	}
	return out, nil
}

// packed is the answer of nodetool.packs.docs.
type packed struct {
	Specifier     string `json:"specifier"`
	Pack          string `json:"packName"`
	Version       string `json:"packVersion,omitempty"`
	Trusted       bool   `json:"trusted"`
	Description   string `json:"description"`
	Documentation string `json:"documentation"`
}

func packDocs(_ context.Context, c *bridges.Call) (any, error) {
	g, spec := c.State.(*packsGrant), c.Str(0)
	if b := g.mounted(spec); b != nil {
		var text strings.Builder
		for i := range b.Funcs {
			f := &b.Funcs[i]
			fmt.Fprintf(&text, "- `%s`: %s\n", f.Signature(), f.Doc)
		}
		return packed{spec, modules.PackOf(spec), "", true, b.Doc, text.String()}, nil
	}
	if err := g.check(c, spec); err != nil {
		return nil, err
	}
	cat := g.set.Catalog()
	skill := cat.Skill(modules.PackOf(spec))
	if skill == nil {
		return nil, packError(c, codePackNoDocs, "the package of %s has no documentation", spec)
	}
	return packed{spec, skill.Pack, skill.Version, skill.Trusted, skill.Summary(), skill.Guarded(skill.Section(spec))}, nil
}

// mounted is a namespace that the host mounts for the run, or nil.
func (g *packsGrant) mounted(spec string) *bridges.Bridge {
	for _, p := range g.platform {
		if p.Specifier == spec {
			return p.bridge
		}
	}
	return nil
}

// check refuses a specifier of which the run may know no more than that it is there.
func (g *packsGrant) check(c *bridges.Call, spec string) error {
	if g.set.Allows(spec) {
		return nil
	}
	if g.set.Catalog() == nil {
		return packError(c, codePackNoCatalog, "this run has no catalog of packages, and %q is not among its modules", spec)
	}
	return packError(c, codePackNotAllowed, "this run may not import %q", spec)
}

func packError(c *bridges.Call, code, format string, args ...any) error {
	e := bridges.Errorf(c.Op(), format, args...)
	e.Code = code
	return e
}
