package modules

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
