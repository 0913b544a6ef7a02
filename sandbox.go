package quicksand

import (
	"context"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"quicksand/bridges"
	"quicksand/engine"
	"quicksand/internal/prelude"
	"quicksand/modules"
)

// Config makes a Sandbox. The zero value is a good choice.
type Config struct {
	// Engine picks an engine by name: "cgo" (QuickJS-NG) or "pure" (QuickJS in pure
	// Go). Empty means cgo where it is compiled in, else pure. Naming one that is not
	// compiled in is an error that says how to build it.
	Engine string
	// Isolates is the largest number of guest heaps that are alive, and so the number
	// of runs at one time; further runs wait. Zero means GOMAXPROCS. Heaps are made on
	// first use, and an idle one holds less than 0.8 MB.
	Isolates int
	// CacheSize is the memory for compiled programs in bytes. Zero means 32 MiB;
	// negative means none are kept.
	CacheSize int64
	// Limits are the defaults of this sandbox, for fields that a run leaves zero.
	Limits Limits
	// Logger receives what concerns the operator: engine faults, panics of host
	// functions, host functions that ignored their cancellation. Nil means
	// slog.Default().
	Logger *slog.Logger
	// Bridges are the embedder's own capabilities. Their globals exist in every run;
	// Options.Grants lets a run use them.
	Bridges []*bridges.Bridge
	// Warm are modules that every heap is made with: the JavaScript ones are evaluated
	// once, so that a run which imports them takes them as they are, whatever other runs
	// did to theirs. They lengthen each run a little and count against Limits.Memory. A run may import them only when its
	// Packs hold the same modules, and evaluates them anew where what they would see is not
	// what others see: with Options.Now or Options.Timers. Modules that cannot be evaluated
	// by themselves are left out, which is logged: those that wait, fail, need
	// the host or read the clock or randomness meanwhile. Nil means none.
	Warm *modules.Set
}

// A Sandbox runs programs. It is safe for concurrent use; one serves a whole
// process. Each run has a heap of its own which is fresh at its start.
type Sandbox struct {
	engine   engine.Engine
	limits   Limits
	log      *slog.Logger
	registry *registry
	programs *programCache

	tokens chan struct{} // one for each isolate that may be in use

	mu      sync.Mutex
	idle    []*slot
	closed  bool
	trimmer *time.Timer // trims idle heaps; nil until one is worth it

	imageOnce sync.Once
	image     engine.Image
	imageErr  error
	warmSet   *modules.Set
	warm      *warmImage // nil for none

	runs, faults, abandoned, rebuilt atomic.Int64
	alive                            atomic.Int64
}

// A slot is an isolate with what serves it.
type slot struct {
	iso engine.Isolate
	dog *watchdog
	run run
	// warm is what the heap holds besides the prelude. Nil is nothing.
	warm *warmImage
	// fat is set after a run that used much memory, until the heap was trimmed.
	fat bool
}

const (
	// fatHeap is the peak from which an idle heap is worth trimming.
	fatHeap = 1 << 20
	// trimAfter is how long memory stays with heaps for the next run. Taking pages
	// anew costs a run milliseconds.
	trimAfter = 2 * time.Second
)

// New makes a sandbox. It starts no engine yet.
func New(c Config) (*Sandbox, error) {
	e, err := chooseEngine(c.Engine)
	if err != nil {
		return nil, err
	}
	limits, err := c.Limits.resolve(Limits{})
	if err != nil {
		return nil, err
	}
	n := c.Isolates
	switch {
	case n < 0:
		return nil, usageError("Config.Isolates is %d: it cannot be negative", n)
	case n == 0:
		n = runtime.GOMAXPROCS(0)
	}
	reg, err := newRegistry(bridges.Registered(), c.Bridges)
	if err != nil {
		return nil, err
	}
	s := &Sandbox{engine: e, limits: limits, log: c.Logger, registry: reg, warmSet: c.Warm, tokens: make(chan struct{}, n)}
	if s.log == nil {
		s.log = slog.Default()
	}
	size := c.CacheSize
	if size == 0 {
		size = 32 << 20
	}
	s.programs = newProgramCache(size)
	return s, nil
}

// Engine is the name of the engine in use and its version.
func (s *Sandbox) Engine() (name, version string) { return s.engine.Name(), s.engine.Version() }

// Close releases the heaps that are idle; those in use are released when their
// runs end. Runs that start later fail with kind Usage.
func (s *Sandbox) Close() error {
	s.mu.Lock()
	idle := s.idle
	s.idle, s.closed = nil, true
	s.mu.Unlock()
	var first error
	for _, sl := range idle {
		if err := s.discard(sl); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Stats counts what a sandbox did since New.
type Stats struct {
	Runs      int64 // runs that got a heap
	Isolates  int64 // heaps alive now
	Rebuilt   int64 // heaps that were given up and made anew
	Faults    int64 // engine faults that were contained
	Abandoned int64 // host functions that outlived their run
	Programs  int64 // compiled programs in the cache
	CacheSize int64 // their size in bytes
}

// Stats is a snapshot of the counters.
func (s *Sandbox) Stats() Stats {
	n, size := s.programs.stats()
	return Stats{Runs: s.runs.Load(), Isolates: s.alive.Load(), Rebuilt: s.rebuilt.Load(), Faults: s.faults.Load(),
		Abandoned: s.abandoned.Load(), Programs: n, CacheSize: size}
}

// acquire waits for an isolate.
func (s *Sandbox) acquire(ctx context.Context) (*slot, error) {
	select {
	case s.tokens <- struct{}{}:
	default:
		select {
		case s.tokens <- struct{}{}:
		case <-ctx.Done():
			return nil, cancelled(ctx)
		}
	}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		<-s.tokens
		return nil, usageError("the sandbox is closed")
	}
	if n := len(s.idle); n > 0 {
		sl := s.idle[n-1]
		s.idle = s.idle[:n-1]
		s.mu.Unlock()
		return sl, nil
	}
	s.mu.Unlock()
	sl, err := s.newSlot()
	if err != nil {
		<-s.tokens
		return nil, err
	}
	return sl, nil
}

// release takes an isolate back after a run.
func (s *Sandbox) release(sl *slot, usable bool) {
	s.mu.Lock()
	if usable && !s.closed {
		s.idle = append(s.idle, sl)
		if sl.fat && s.trimmer == nil {
			s.trimmer = time.AfterFunc(trimAfter, s.trim)
		}
		s.mu.Unlock()
	} else {
		s.mu.Unlock()
		if !usable {
			s.rebuilt.Add(1)
		}
		if err := s.discard(sl); err != nil {
			s.log.Error("quicksand: closing a heap failed", "error", err)
		}
	}
	<-s.tokens
}

// trim gives back the memory of heaps that are idle.
func (s *Sandbox) trim() {
	for {
		// A heap may be trimmed only by who holds a token, like a run.
		select {
		case s.tokens <- struct{}{}:
		default:
			// All heaps are busy; the next release starts the timer again.
			s.mu.Lock()
			s.trimmer = nil
			s.mu.Unlock()
			return
		}
		s.mu.Lock()
		i := slices.IndexFunc(s.idle, func(sl *slot) bool { return sl.fat })
		if i < 0 {
			s.trimmer = nil
			s.mu.Unlock()
			<-s.tokens
			return
		}
		sl := s.idle[i]
		s.idle = slices.Delete(s.idle, i, i+1)
		s.mu.Unlock()
		err := sl.iso.Trim()
		if err != nil {
			s.log.Error("quicksand: trimming a heap failed", "error", err)
		}
		sl.fat = false
		s.release(sl, err == nil)
	}
}

func (s *Sandbox) discard(sl *slot) error {
	s.alive.Add(-1)
	return sl.iso.Close()
}

func (s *Sandbox) newSlot() (*slot, error) {
	s.imageOnce.Do(func() {
		if s.image, s.imageErr = buildImage(s.engine, s.registry); s.imageErr == nil && s.warmSet != nil {
			s.warm, s.imageErr = s.newWarmImage(s.image, s.warmSet)
		}
	})
	if s.imageErr != nil {
		return nil, &Error{Kind: KindInternal, Op: "run", Message: "the prelude does not build", Err: s.imageErr}
	}
	iso, warm, err := s.newIsolate()
	if err != nil {
		return nil, &Error{Kind: KindInternal, Op: "run", Message: "no heap can be made", Err: err}
	}
	s.alive.Add(1)
	return &slot{iso: iso, dog: newWatchdog(iso), warm: warm}, nil
}

// newIsolate makes a heap. Modules that could be evaluated once may fail another time: a heap
// without them is better than none.
func (s *Sandbox) newIsolate() (engine.Isolate, *warmImage, error) {
	if s.warm != nil {
		iso, err := s.engine.NewIsolate(s.warm.image(s.image))
		if err == nil {
			return iso, s.warm, nil
		}
		s.log.Warn("quicksand: a heap has no modules of Config.Warm", "error", err)
	}
	iso, err := s.engine.NewIsolate(s.image)
	return iso, nil, err
}

// buildImage compiles the prelude. It does so once for each sandbox, without the
// context of the run that happens to come first.
func buildImage(e engine.Engine, reg *registry) (engine.Image, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return prelude.Compile(ctx, e, reg.prelude)
}

var (
	sharedOnce sync.Once
	shared     *Sandbox
	sharedErr  error
)

// Run runs code in a sandbox with the default configuration that the whole
// process shares.
func Run(ctx context.Context, code string, o Options) (*Result, error) {
	sharedOnce.Do(func() { shared, sharedErr = New(Config{}) })
	if sharedErr != nil {
		return nil, sharedErr
	}
	return shared.Run(ctx, code, o)
}

// Engines describes the engines that are compiled in, the default one first.
func Engines() []EngineInfo {
	var out []EngineInfo
	for _, name := range engineNames {
		if e, err := chooseEngine(name); err == nil {
			out = append(out, EngineInfo{Name: e.Name(), Version: e.Version(), Default: len(out) == 0})
		}
	}
	return out
}

// EngineInfo describes one engine.
type EngineInfo struct {
	Name    string `json:"name"`    // "cgo" or "pure"
	Version string `json:"version"` // for example "quickjs-ng 0.15.1"
	Default bool   `json:"default"`
}
