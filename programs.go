package quicksand

import (
	"container/list"
	"sync"

	"quicksand/engine"
	"quicksand/internal/entry"
)

// A program is an entry that was compiled, with what maps its positions.
type program struct {
	code  engine.Program
	entry entry.Entry
}

// programKey is everything that a compiled program depends on. The engine is not in
// it, since a cache belongs to a sandbox and that to one engine. Keys are compared
// whole, so that no two programs can be confused.
type programKey struct {
	name string
	code string
	kind programKind
}

type programKind uint8

const (
	javascriptEntry programKind = iota
	typescriptEntry
	moduleFile
	packedFile // whose code is the digest of its module and its path
)

// programCache keeps compiled programs, bounded by their size, and forgets the one
// that was not used for longest. It is safe for concurrent use.
type programCache struct {
	mu    sync.Mutex
	limit int64
	size  int64
	byKey map[programKey]*list.Element
	order list.List // of *cachedProgram, most recent first
}

type cachedProgram struct {
	key  programKey
	prog *program
	size int64
}

func newProgramCache(limit int64) *programCache {
	return &programCache{limit: limit, byKey: make(map[programKey]*list.Element)}
}

func (c *programCache) get(key programKey) *program {
	c.mu.Lock()
	defer c.mu.Unlock()
	el, ok := c.byKey[key]
	if !ok {
		return nil
	}
	c.order.MoveToFront(el)
	return el.Value.(*cachedProgram).prog
}

func (c *programCache) put(key programKey, p *program) {
	// The source is held by the key and once more by the entry.
	size := p.code.Size() + 2*int64(len(key.code)) + int64(len(key.name)) + 256
	if size > c.limit {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byKey[key]; ok {
		return
	}
	c.byKey[key] = c.order.PushFront(&cachedProgram{key, p, size})
	c.size += size
	for c.size > c.limit {
		el := c.order.Back()
		old := c.order.Remove(el).(*cachedProgram)
		delete(c.byKey, old.key)
		c.size -= old.size
	}
}

func (c *programCache) stats() (n, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return int64(len(c.byKey)), c.size
}
