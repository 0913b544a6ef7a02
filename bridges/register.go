package bridges

import (
	"slices"
	"sync"
)

var registered struct {
	sync.Mutex
	bridges []*Bridge
}

// Register adds a bridge to every sandbox that is made from then on. Packages which an
// embedder links for what they bring call it when they are initialized. A bridge takes the
// place of an earlier one of its name.
func Register(b *Bridge) {
	registered.Lock()
	defer registered.Unlock()
	for i, old := range registered.bridges {
		if old.Name == b.Name {
			registered.bridges[i] = b
			return
		}
	}
	registered.bridges = append(registered.bridges, b)
}

// Registered are the bridges of Register, in alphabetical order of their names.
func Registered() []*Bridge {
	registered.Lock()
	defer registered.Unlock()
	list := slices.Clone(registered.bridges)
	slices.SortFunc(list, func(a, b *Bridge) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return list
}
