package wasm

import (
	"container/list"
	"context"
	"crypto/sha256"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"
)

// CompileTimeout bounds how long a binary may take to compile.
const CompileTimeout = 30 * time.Second

const (
	// maxCached is how many bytes of binaries may be compiled at one time, besides those
	// whose calls work. Compiled code takes several times as much.
	maxCached = 8 << 20
	// compilers is how many binaries are compiled at one time. One that takes too long goes
	// on to the end, since nothing can stop it, and keeps its place until then.
	compilers = 2
)

// checked is a module that was inspected. It is compiled when it is needed.
type checked struct {
	code  []byte
	pages uint32 // the most that its memory may have
	key   [sha256.Size]byte
}

func newChecked(code []byte, pages uint32) *checked {
	h := sha256.New()
	fmt.Fprintf(h, "%d pages\n", pages)
	h.Write(code)
	b := &checked{code: code, pages: pages}
	h.Sum(b.key[:0])
	return b
}

// compiled is native code of a binary, in a runtime of its own, whose limits are those of the
// binary and which frees the code when it is closed.
type compiled struct {
	runtime wazero.Runtime
	module  wazero.CompiledModule
}

// cache keeps the compiled modules that were used last. The zero value is ready to use. It is
// safe for concurrent use.
type cache struct {
	mu      sync.Mutex
	entries map[[sha256.Size]byte]*entry
	recent  list.List // of *entry, the latest first
	size    int
	compile chan struct{} // made at the first need
}

type entry struct {
	binary *checked
	place  *list.Element
	ready  chan struct{} // closed when code or err is there
	code   *compiled
	err    error
	users  int // calls that work with it, and the compiler
	gone   bool
}

// shared is the cache of the process.
var shared cache

// get returns the compiled binary. release must be called when it is no longer used.
func (c *cache) get(ctx context.Context, b *checked) (code *compiled, release func(), err error) {
	c.mu.Lock()
	e := c.entries[b.key]
	if e == nil {
		e = &entry{binary: b, ready: make(chan struct{}), users: 1}
		e.place = c.recent.PushFront(e)
		if c.entries == nil {
			c.entries = make(map[[sha256.Size]byte]*entry)
			c.compile = make(chan struct{}, compilers)
		}
		c.entries[b.key] = e
		c.size += len(b.code)
		c.trim()
		go c.fill(e) // ends when the binary is compiled
	}
	c.recent.MoveToFront(e.place)
	e.users++
	c.mu.Unlock()
	select {
	case <-e.ready:
	case <-ctx.Done():
		c.release(e)
		return nil, nil, ctx.Err()
	}
	if e.err != nil {
		c.release(e)
		return nil, nil, e.err
	}
	return e.code, func() { c.release(e) }, nil
}

// fill compiles the binary of e. What fails is forgotten, so that the next call tries again.
func (c *cache) fill(e *entry) {
	c.compile <- struct{}{}
	code, err := compile(e.binary)
	<-c.compile
	e.code, e.err = code, err
	if err != nil {
		c.mu.Lock()
		c.drop(e)
		c.mu.Unlock()
	}
	close(e.ready)
	c.release(e)
}

// trim forgets modules until those that are left are within maxCached.
func (c *cache) trim() {
	for c.size > maxCached && c.recent.Len() > 1 {
		c.drop(c.recent.Back().Value.(*entry))
	}
}

// drop forgets e. Its code is freed when nobody uses it any more.
func (c *cache) drop(e *entry) {
	if e.gone {
		return
	}
	e.gone = true
	c.recent.Remove(e.place)
	delete(c.entries, e.binary.key)
	c.size -= len(e.binary.code)
	c.free(e)
}

func (c *cache) release(e *entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e.users--
	c.free(e)
}

func (c *cache) free(e *entry) {
	if e.gone && e.users == 0 && e.code != nil {
		_ = e.code.runtime.Close(context.Background())
		e.code = nil
	}
}

// compile validates and compiles a binary.
func compile(b *checked) (code *compiled, err error) {
	ctx := context.Background()
	config := wazero.NewRuntimeConfig().WithCloseOnContextDone(true).WithMemoryLimitPages(b.pages).WithDebugInfoEnabled(false)
	r := wazero.NewRuntimeWithConfig(ctx, config)
	defer func() {
		if p := recover(); p != nil {
			code, err = nil, fmt.Errorf("the compiler failed on it")
		}
		if err != nil {
			_ = r.Close(ctx)
		}
	}()
	m, err := r.CompileModule(ctx, b.code)
	if err != nil {
		return nil, err
	}
	return &compiled{r, m}, nil
}

// A semaphore lets a number of calls work at one time, the others in their order.
type semaphore struct {
	mu      sync.Mutex
	limit   int
	working int
	peak    int // of working
	waiting []chan struct{}
}

// instances bounds the instances of the process, which hold memory.
var instances = semaphore{limit: max(4, runtime.GOMAXPROCS(0))}

// acquire waits for a place.
func (s *semaphore) acquire(ctx context.Context) error {
	s.mu.Lock()
	if s.working < s.limit && len(s.waiting) == 0 {
		s.enter()
		s.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	s.waiting = append(s.waiting, turn)
	s.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, w := range s.waiting {
		if w == turn {
			s.waiting = append(s.waiting[:i], s.waiting[i+1:]...)
			return ctx.Err()
		}
	}
	// Its turn came at the same time.
	s.leave()
	return ctx.Err()
}

func (s *semaphore) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leave()
}

func (s *semaphore) enter() {
	s.working++
	s.peak = max(s.peak, s.working)
}

func (s *semaphore) leave() {
	s.working--
	s.admit()
}

func (s *semaphore) admit() {
	for s.working < s.limit && len(s.waiting) > 0 {
		close(s.waiting[0])
		s.waiting = s.waiting[1:]
		s.enter()
	}
}

// lower makes the limit smaller. Those who work go on.
func (s *semaphore) lower(limit int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.limit = min(s.limit, limit)
}
