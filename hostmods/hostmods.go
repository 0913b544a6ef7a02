// Package hostmods registers libraries that run on the host and that guests import: each is
// a folder of this one, which registers itself when a program imports it. The package
// quicksand/hostmods/all imports the shipped set.
//
// A guest sees a module of asynchronous functions. Every call runs on a goroutine of its own
// under the recover of the run, with a context that ends after Limits.Timeout or with the
// run, and with caps on what goes in and comes out.
package hostmods

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"quicksand/bridges"
)

// A Module is a library that runs on the host.
type Module struct {
	// ID names it in the manifests of packs: "csv".
	ID string
	// Doc says in one line what it is for.
	Doc string
	// Skill is its documentation for those who write guests: a SKILL.md with front matter.
	Skill string
	// Limits apply to each call. Zero fields mean the defaults.
	Limits Limits
	// Funcs are its exports, asynchronous functions with a Call. In them
	// Call.Op() is "csv.parse", which an error without an Op gets, and Call.State is nil.
	// They must return soon after their context has ended.
	Funcs []bridges.Func
}

// Defaults of Limits.
const (
	DefaultTimeout     = 30 * time.Second
	DefaultResult      = 64 << 20
	DefaultConcurrency = 4
)

// Limits bound each call of a module.
type Limits struct {
	// Timeout ends the context of a call. Zero means 30 seconds.
	Timeout time.Duration
	// Result is the largest result in bytes as it crosses to the guest. Zero means 64 MiB.
	Result int64
	// Concurrency is the largest number of calls of one run that work at one time. Zero
	// means 4.
	Concurrency int
	// Memory is about how many bytes of memory a call takes at the most, and MemoryPerByte
	// how many more for each byte of its arguments, its result included. They bound what a run
	// takes by calls at one time: see MaxMemory. Zero means 1 MiB and 8.
	Memory, MemoryPerByte int64
}

// MaxMemory is how much memory the calls of one run to all modules of the host may take at
// one time, by the estimates of Limits: further ones wait. A call that takes more alone has
// no others beside it.
const MaxMemory = 256 << 20

// Pack is the package that guests import: "@nodetool-ai/sandbox-csv".
func (m *Module) Pack() string { return PackOf(m.ID) }

// PackOf is the one package that may declare the module of an ID.
func PackOf(id string) string { return "@nodetool-ai/sandbox-" + id }

// Estimate is how much memory a call takes whose arguments have so many bytes, at most
// MaxMemory.
func (l Limits) Estimate(arguments int64) int64 {
	base, per := cmp.Or(l.Memory, 1<<20), cmp.Or(l.MemoryPerByte, 8)
	if arguments > MaxMemory/per {
		return MaxMemory
	}
	return min(base+per*arguments, MaxMemory)
}

var registered struct {
	sync.Mutex
	modules map[string]*Module
}

// Register makes a module known to every catalog that is opened from then on. Packages call
// it when they are initialized. A module takes the place of an earlier one of its ID.
func Register(m *Module) {
	registered.Lock()
	defer registered.Unlock()
	if registered.modules == nil {
		registered.modules = make(map[string]*Module)
	}
	registered.modules[m.ID] = m
}

// Lookup finds a registered module by its ID, or nil.
func Lookup(id string) *Module {
	registered.Lock()
	defer registered.Unlock()
	return registered.modules[id]
}

// Registered are the modules of Register in the order of their IDs.
func Registered() []*Module {
	registered.Lock()
	defer registered.Unlock()
	var list []*Module
	for _, m := range registered.modules {
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b *Module) int { return cmp.Compare(a.ID, b.ID) })
	return list
}
