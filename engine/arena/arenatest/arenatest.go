// Package arenatest is the suite that the allocator must pass, in Go and in C. It
// drives a heap against a model that knows every block and its contents.
package arenatest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"sort"
	"testing"

	"quicksand/engine/arena"
)

// Heap is what both allocators have. Counters and consistency are read through
// arena.At, whose metadata they share.
type Heap interface {
	Alloc(n uintptr) uintptr
	Calloc(count, size uintptr) uintptr
	Realloc(p, n uintptr) uintptr
	Free(p uintptr)
	Usable(p uintptr) uintptr
	SetLimit(limit, span uintptr)
	Charge(n uintptr) bool
	Uncharge(n uintptr)
	Used() uintptr
}

// New makes a heap in a fresh region. ooms counts the calls of its out of memory
// function, which returns.
type New func(r *arena.Region) (h Heap, ooms func() int)

// Reserve maps a region that lives as long as the test.
func Reserve(tb testing.TB, size uintptr) *arena.Region {
	tb.Helper()
	r, err := arena.Reserve(size)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { r.Release() })
	return r
}

// rig is a heap with everything that a test looks at.
type rig struct {
	tb   testing.TB
	r    *arena.Region
	h    Heap
	m    *arena.Heap // the same metadata
	ooms func() int
}

func newRig(tb testing.TB, mk New, size uintptr) *rig {
	tb.Helper()
	r := Reserve(tb, size)
	h, ooms := mk(r)
	return &rig{tb, r, h, arena.At(r), ooms}
}

func (g *rig) check() {
	g.tb.Helper()
	if err := g.m.Check(); err != nil {
		g.tb.Fatal(err)
	}
}

func (g *rig) must(p uintptr) uintptr {
	g.tb.Helper()
	if p == 0 {
		g.tb.Fatalf("a request failed with %d of %d bytes in use", g.h.Used(), g.m.Limit())
	}
	return p
}

func (g *rig) bytes(p, n uintptr) []byte { return g.r.Bytes(p-g.r.Base(), n) }

// block is one allocation of the model.
type block struct {
	p, n, usable uintptr
	seed         uint64
}

// Model is a heap together with what must be true of it.
type Model struct {
	*rig
	blocks []block // in no order
	spans  []block // the same by address
	base   uintptr // used before the first block
	seed   uint64
	// Strict makes a failed request an error unless the limit explains it.
	Strict bool
}

// NewModel drives a fresh heap in a region of the given size.
func NewModel(tb testing.TB, mk New, size uintptr) *Model {
	g := newRig(tb, mk, size)
	return &Model{rig: g, base: g.h.Used()}
}

// marks visits the bytes of a block of n bytes that hold its pattern: the first
// kilobyte, one byte of each page, and with tail the last 16.
func marks(n uintptr, tail bool) iter.Seq[uintptr] {
	return func(yield func(uintptr) bool) {
		for i := range min(n, 1024) {
			if !yield(i) {
				return
			}
		}
		for i := uintptr(4096); i < n; i += 4096 {
			if !yield(i) {
				return
			}
		}
		for i := n - min(n, 16); tail && i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func (b block) at(i uintptr) byte { return byte(b.seed>>32 + uint64(i)*0x9d + uint64(i>>8)) }

func (m *Model) mark(b block) {
	mem := m.bytes(b.p, b.n)
	for i := range marks(b.n, true) {
		mem[i] = b.at(i)
	}
}

// intact says whether the first n bytes at p are those of block b.
func (m *Model) intact(b block, p, n uintptr) error {
	mem := m.bytes(p, n)
	for i := range marks(n, n == b.n) {
		if mem[i] != b.at(i) {
			return fmt.Errorf("byte %d of a block of %d bytes at %#x was lost", i, b.n, p-m.r.Base())
		}
	}
	return nil
}

func (m *Model) find(p uintptr) int {
	return sort.Search(len(m.spans), func(i int) bool { return m.spans[i].p >= p })
}

// add takes a new block into the model.
func (m *Model) add(p, n uintptr) error {
	b := block{p: p, n: n, usable: m.h.Usable(p), seed: m.seed}
	m.seed += 0x9e3779b97f4a7c15
	if err := m.place(b); err != nil {
		return err
	}
	m.blocks = append(m.blocks, b)
	m.mark(b)
	return nil
}

func (m *Model) place(b block) error {
	if b.p%16 != 0 {
		return fmt.Errorf("address %#x of %d bytes is not aligned", b.p, b.n)
	}
	if b.usable < b.n {
		return fmt.Errorf("usable %d of a block of %d bytes", b.usable, b.n)
	}
	if off := b.p - m.r.Base(); off > m.r.Size() || off+b.usable > m.m.HighWater() {
		return fmt.Errorf("block %#x of %d bytes ends above the high water %#x", off, b.usable, m.m.HighWater())
	}
	i := m.find(b.p)
	if i < len(m.spans) && m.spans[i].p-8 < b.p+b.usable {
		return fmt.Errorf("block %#x of %d bytes reaches into %#x", b.p, b.usable, m.spans[i].p)
	}
	if i > 0 && m.spans[i-1].p+m.spans[i-1].usable > b.p-8 {
		return fmt.Errorf("block %#x begins inside %#x", b.p, m.spans[i-1].p)
	}
	m.spans = append(m.spans, block{})
	copy(m.spans[i+1:], m.spans[i:])
	m.spans[i] = b
	return nil
}

func (m *Model) lift(b block) {
	i := m.find(b.p)
	m.spans = append(m.spans[:i], m.spans[i+1:]...)
}

var errFull = errors.New("does not fit")

// failed is called when a request for n bytes failed that would have added extra to
// what is used.
func (m *Model) failed(n, extra uintptr) error {
	if m.Strict && n < m.m.Limit() && m.h.Used()+extra <= m.m.Limit() {
		return fmt.Errorf("a request of %d bytes failed with %d of %d in use, high water %d",
			n, m.h.Used(), m.m.Limit(), m.m.HighWater())
	}
	return errFull
}

// Alloc allocates; errFull is returned when the heap is out of memory.
func (m *Model) Alloc(n uintptr) error {
	p := m.h.Alloc(n)
	if p == 0 {
		return m.failed(n, n+32)
	}
	return m.add(p, n)
}

func zero(b []byte) bool { return len(b) == 0 || b[0] == 0 && bytes.Equal(b[1:], b[:len(b)-1]) }

// Calloc allocates zeroed memory.
func (m *Model) Calloc(count, size uintptr) error {
	p := m.h.Calloc(count, size)
	if p == 0 {
		return m.failed(count*size, count*size+32)
	}
	if !zero(m.bytes(p, count*size)) {
		return fmt.Errorf("calloc(%d, %d) is not zero", count, size)
	}
	return m.add(p, count*size)
}

// Free frees block i.
func (m *Model) Free(i int) error {
	b := m.blocks[i]
	if err := m.intact(b, b.p, b.n); err != nil {
		return err
	}
	m.lift(b)
	m.blocks[i] = m.blocks[len(m.blocks)-1]
	m.blocks = m.blocks[:len(m.blocks)-1]
	m.h.Free(b.p)
	return nil
}

// Realloc changes block i to n bytes.
func (m *Model) Realloc(i int, n uintptr) error {
	b := m.blocks[i]
	if n == 0 {
		return m.Free(i)
	}
	if err := m.intact(b, b.p, b.n); err != nil {
		return err
	}
	p := m.h.Realloc(b.p, n)
	if p == 0 {
		if n <= b.n {
			return fmt.Errorf("shrinking %d to %d bytes failed", b.n, n)
		}
		if err := m.intact(b, b.p, b.n); err != nil {
			return err
		}
		return m.failed(n, n+32-b.n)
	}
	m.lift(b)
	if err := m.intact(b, p, min(b.n, n)); err != nil {
		return fmt.Errorf("realloc to %d bytes: %w", n, err)
	}
	nb := block{p: p, n: n, usable: m.h.Usable(p), seed: b.seed}
	if err := m.place(nb); err != nil {
		return err
	}
	m.blocks[i] = nb
	m.mark(nb)
	return nil
}

// Check checks the heap and the accounting.
func (m *Model) Check() error {
	sum := m.base
	for _, b := range m.blocks {
		sum += b.usable + 8
	}
	if got := m.h.Used(); got != sum {
		return fmt.Errorf("used is %d, the blocks are %d", got, sum)
	}
	if m.m.Peak() < sum || m.m.Peak() > m.m.Limit() {
		return fmt.Errorf("peak %d, used %d, limit %d", m.m.Peak(), sum, m.m.Limit())
	}
	return m.m.Check()
}

// Drain frees everything in an order drawn from rnd and checks that the heap is as
// before the first block.
func (m *Model) Drain(rnd *rand.Rand) error {
	for len(m.blocks) > 0 {
		if err := m.Free(rnd.IntN(len(m.blocks))); err != nil {
			return err
		}
	}
	return m.Check()
}

// A fuzzed heap is small: its traces are short, and page faults would take most of the
// time.
const (
	fuzzLimit = 300_000
	fuzzSpan  = 900_000
)

// Fuzz runs a trace that data encodes: four bytes to a step. It is what the fuzz
// targets and their seeds call.
func Fuzz(tb testing.TB, mk New, data []byte) {
	m := NewModel(tb, mk, 1<<20)
	m.h.SetLimit(fuzzLimit, fuzzSpan)
	for step := 0; len(data) >= 4 && step < 2000; step++ {
		op, arg := data[0], uintptr(binary.LittleEndian.Uint16(data[1:]))
		n := arg >> 4 << (arg & 15 % 10) // up to 4095<<9: 2 MB
		pick := 0
		if len(m.blocks) > 0 {
			pick = (int(data[3]) | int(op)<<5&0x1f00) % len(m.blocks)
		}
		data = data[4:]
		var err error
		switch {
		case op&7 < 3:
			err = m.Alloc(n)
		case op&7 == 3:
			if n > 1<<20 {
				n = 1 << 20
			}
			err = m.Calloc(1, n)
		case len(m.blocks) == 0:
		case op&7 < 6:
			err = m.Free(pick)
		default:
			err = m.Realloc(pick, n)
		}
		if err != nil && err != errFull {
			tb.Fatalf("step %d: %v", step, err)
		}
		if step%256 == 255 {
			if err := m.Check(); err != nil {
				tb.Fatalf("step %d: %v", step, err)
			}
		}
	}
	if err := m.Check(); err != nil {
		tb.Fatal(err)
	}
	if err := m.Drain(rand.New(rand.NewPCG(1, 2))); err != nil {
		tb.Fatal(err)
	}
	if m.m.HighWater() > fuzzSpan {
		tb.Fatalf("high water %d is above the span", m.m.HighWater())
	}
}

// Seeds are traces to start fuzzing from.
func Seeds() [][]byte {
	var seeds [][]byte
	for s := range uint64(5) {
		rnd := rand.New(rand.NewPCG(s, 7))
		data := make([]byte, 4*(60<<s))
		for i := range data {
			data[i] = byte(rnd.Uint32())
		}
		seeds = append(seeds, data)
	}
	return append(seeds, nil, bytes.Repeat([]byte{0, 0x10, 0, 0}, 1500))
}

// Differential runs the same trace on two heaps and requires the same offsets.
func Differential(tb testing.TB, a, b New, data []byte) {
	x, y := newRig(tb, a, 1<<20), newRig(tb, b, 1<<20)
	x.h.SetLimit(fuzzLimit, fuzzSpan)
	y.h.SetLimit(fuzzLimit, fuzzSpan)
	var ps, qs []uintptr
	for step := 0; len(data) >= 4 && step < 2000; step++ {
		arg := uintptr(binary.LittleEndian.Uint16(data[1:]))
		n := arg >> 4 << (arg & 15 % 10)
		op, pick := data[0]&7, int(data[3])|int(data[0])<<5&0x1f00
		data = data[4:]
		var p, q uintptr
		switch {
		case op < 4 || len(ps) == 0:
			if op&1 == 0 {
				p, q = x.h.Alloc(n), y.h.Alloc(n)
			} else {
				p, q = x.h.Calloc(n, 1), y.h.Calloc(n, 1)
			}
			if p != 0 {
				ps, qs = append(ps, p), append(qs, q)
			}
		default:
			pick %= len(ps)
			if op < 6 {
				n = 0
				x.h.Free(ps[pick])
				y.h.Free(qs[pick])
			} else {
				p, q = x.h.Realloc(ps[pick], n), y.h.Realloc(qs[pick], n)
			}
			switch {
			case n == 0:
				last := len(ps) - 1
				ps[pick], qs[pick] = ps[last], qs[last]
				ps, qs = ps[:last], qs[:last]
			case p != 0:
				ps[pick], qs[pick] = p, q
			}
		}
		if p == 0 && q == 0 {
			continue
		}
		if p == 0 || q == 0 || p-x.r.Base() != q-y.r.Base() {
			tb.Fatalf("step %d: operation %d of %d bytes returned %#x and %#x", step, op, n, p-x.r.Base(), q-y.r.Base())
		}
	}
	sa, sb := x.m.Stats(), y.m.Stats()
	if sa != sb || x.m.Used() != y.m.Used() || x.m.Peak() != y.m.Peak() || x.m.HighWater() != y.m.HighWater() ||
		x.m.Refused() != y.m.Refused() || x.ooms() != y.ooms() {
		tb.Fatalf("the heaps differ: %+v, %d of %d; %+v, %d of %d", sa, x.m.Used(), x.m.Peak(), sb, y.m.Used(), y.m.Peak())
	}
	x.check()
	y.check()
}
