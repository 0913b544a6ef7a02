package modules

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Set is what a run may import: modules of a catalog. It is immutable and safe for
// concurrent use. Nil has none.
type Set struct {
	catalog  *Catalog
	allowed  map[string]bool    // specifiers of the catalog, also of modules that are not available
	modules  map[string]*Module // of NewSet, which has no catalog
	warnings []Status
}

// NewSet is a set of modules that a host made itself, without a catalog: runs may import
// them all. Of two with one specifier it holds the later. Modules of one package must be of
// one version of it, and the set owns them from now on.
func NewSet(list ...*Module) *Set {
	s := &Set{modules: make(map[string]*Module, len(list))}
	for _, m := range list {
		s.modules[m.Specifier] = m
	}
	return s
}

// Lookup finds a module of the set by its specifier, or nil.
func (s *Set) Lookup(specifier string) *Module {
	switch {
	case s == nil:
		return nil
	case !s.allowed[specifier]:
		return s.modules[specifier]
	}
	m, why, ok := s.catalog.module(specifier)
	if !ok || why.Code != "" {
		return nil
	}
	return m
}

// Specifiers are the modules of the set, sorted; among them may be some that are not
// available.
func (s *Set) Specifiers() []string {
	if s == nil {
		return nil
	}
	list := slices.AppendSeq(slices.Collect(maps.Keys(s.allowed)), maps.Keys(s.modules))
	slices.Sort(list)
	return list
}

// Allows reports whether the set consents to a module, which need not be available.
func (s *Set) Allows(specifier string) bool {
	return s != nil && (s.allowed[specifier] || s.modules[specifier] != nil)
}

// Catalog is where the modules came from, or nil.
func (s *Set) Catalog() *Catalog {
	if s == nil {
		return nil
	}
	return s.catalog
}

// Warnings are what the logs of a run should say of the modules: other versions or other
// content than declared.
func (s *Set) Warnings() []Status {
	if s == nil {
		return nil
	}
	return s.warnings
}

// Deny is the error for a program that imports what it may not, or nil: it names all of the
// specifiers that are not in the set, or that their modules need and are not, why, and what
// the set has. Specifiers that the host serves itself must not be among them. It is for the
// time before a guest starts.
func (s *Set) Deny(specifiers []string) error {
	err := new(DeniedError)
	seen := make(map[string]bool)
	deny := func(spec, by string) {
		if seen[spec] {
			return
		}
		seen[spec] = true
		err.Specifiers = append(err.Specifiers, fmt.Sprintf("%q%s: %s", cut(spec, 200), by, s.why(spec)))
		// Where all that lacks is allowed, what else is allowed is no help.
		if !s.Allows(spec) && err.Allowed == nil {
			err.Allowed = append([]string{}, s.Specifiers()...)
		}
	}
	for _, spec := range specifiers {
		m := s.Lookup(spec)
		if m == nil {
			deny(spec, "")
			continue
		}
		for _, missing := range s.Missing(m) {
			deny(missing, " (imported by "+spec+")")
		}
	}
	if err.Specifiers == nil {
		return nil
	}
	return err
}

// Missing are the specifiers that a module of the set needs, by its own imports and by those
// of what it imports, and that are not in the set. Namespaces of the host are not among them.
func (s *Set) Missing(m *Module) []string {
	if len(m.Imports) == 0 {
		return nil
	}
	var missing []string
	seen := map[string]bool{m.Specifier: true}
	for queue := []*Module{m}; len(queue) > 0; queue = queue[1:] {
		for _, spec := range queue[0].Imports {
			if seen[spec] || PackOf(spec) == CapabilityPack {
				continue
			}
			seen[spec] = true
			if next := s.Lookup(spec); next != nil {
				queue = append(queue, next)
			} else {
				missing = append(missing, spec)
			}
		}
	}
	return missing
}

// why says why a specifier is not in the set.
func (s *Set) why(spec string) string {
	stranger := "not a sandbox package this run serves" + s.meant(spec)
	if s == nil || s.catalog == nil {
		return stranger
	}
	if _, installed := s.catalog.specs[spec]; installed && !s.allowed[spec] {
		return "the run is not allowed to import it"
	}
	status := s.catalog.missing(spec)
	if status.Code == CodeNotFound && !strings.Contains(status.Message, ";") {
		return stranger
	}
	return strings.TrimPrefix(status.Message, "it is ")
}

// meant asks about modules of the set for which a specifier that nobody serves may stand:
// "yaml" for "@nodetool-ai/sandbox-yaml", or a package for one of its modules.
func (s *Set) meant(spec string) string {
	if spec == "" {
		return ""
	}
	var near []string
	for _, have := range s.Specifiers() {
		switch {
		case strings.HasSuffix(have, "/"+spec), strings.HasSuffix(have, "-"+spec), strings.HasPrefix(have, spec+"/"), strings.HasPrefix(spec, have+"/"):
			near = append(near, fmt.Sprintf("%q", have))
		}
	}
	if len(near) == 0 || len(near) > 3 {
		return ""
	}
	return ", did you mean " + strings.Join(near, " or ") + "?"
}

// A DeniedError is a program that imports what it may not.
type DeniedError struct {
	// Specifiers are what it may not import, each with the reason.
	Specifiers []string
	// Allowed is what it may import, or nil where that does not matter: all that it lacks is
	// allowed, but not available.
	Allowed []string
}

// maxListed bounds how many specifiers an error lists.
const maxListed = 40

func (e *DeniedError) Error() string {
	var b strings.Builder
	b.WriteString("cannot import ")
	b.WriteString(listed(e.Specifiers, "; "))
	switch {
	case e.Allowed == nil:
	case len(e.Allowed) == 0:
		b.WriteString(" (nothing is allowed)")
	default:
		fmt.Fprintf(&b, " (allowed: %s)", listed(e.Allowed, ", "))
	}
	return b.String()
}

// listed joins a list, of which the end may be left out.
func listed(list []string, sep string) string {
	if len(list) <= maxListed {
		return strings.Join(list, sep)
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:maxListed], sep), len(list)-maxListed)
}
