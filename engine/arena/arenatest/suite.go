package arenatest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"quicksand/engine/arena"
)

// Run is the suite.
func Run(t *testing.T, mk New) {
	tests := []struct {
		name string
		run  func(*testing.T, New)
	}{
		{"random requests keep contents and accounting", testRandom},
		{"fuzz seeds", testSeeds},
		{"an empty request gets a block of its own", testEmpty},
		{"used counts usable and one word", testUsed},
		{"the limit holds to the byte", testLimit},
		{"a limit below what is used refuses only growth", testLowLimit},
		{"big requests are refused and small ones are out of memory", testRefused},
		{"sizes that overflow are refused", testOverflow},
		{"calloc clears what was used before", testCalloc},
		{"realloc of nothing allocates, to nothing frees", testReallocEdges},
		{"realloc grows in place", testReallocGrows},
		{"realloc shrinks in place and gives the rest back", testReallocShrinks},
		{"a failed realloc leaves the block", testReallocFails},
		{"a realloc that moves counts the difference", testReallocMoves},
		{"charges count against the limit", testCharge},
		{"neighbours join whatever the order of freeing", testJoin},
		{"empty runs go back but for one", testRuns},
		{"cycled size classes stay below the span", testCycle},
		{"cycled size classes with survivors stay below the span", testSurvivors},
		{"churn at the limit fits into twice the limit", testChurn},
		{"growing buffers fit into twice the limit", testGrowth},
		{"restore brings back every byte", testRestore},
		{"restore survives a trampled heap", testTrampled},
		{"snapshot forgets what lies free at the end", testSnapshotTrims},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.run(t, mk) })
	}
}

// size draws a request as an engine makes them: mostly small objects, some tables and
// strings, few buffers.
func size(rnd *rand.Rand) uintptr {
	switch k := rnd.IntN(1000); {
	case k < 800:
		return uintptr(rnd.IntN(160))
	case k < 950:
		return uintptr(rnd.IntN(1200))
	case k < 990:
		return uintptr(rnd.IntN(20000))
	case k < 999:
		return uintptr(rnd.IntN(200000))
	}
	return uintptr(rnd.IntN(3 << 20))
}

// steps makes n random requests.
func (m *Model) steps(rnd *rand.Rand, n, keep int) error {
	for i := range n {
		var err error
		grow := len(m.blocks) < keep
		switch k := rnd.IntN(10); {
		case k < 3 || k < 6 && grow || len(m.blocks) == 0:
			err = m.Alloc(size(rnd))
		case k == 6:
			err = m.Calloc(uintptr(rnd.IntN(5)), size(rnd))
		case k == 7:
			err = m.Realloc(rnd.IntN(len(m.blocks)), size(rnd))
		default:
			err = m.Free(rnd.IntN(len(m.blocks)))
		}
		if err != nil && err != errFull {
			return fmt.Errorf("step %d: %w", i, err)
		}
		if i%512 == 0 {
			if err := m.Check(); err != nil {
				return fmt.Errorf("step %d: %w", i, err)
			}
		}
	}
	return nil
}

func testRandom(t *testing.T, mk New) {
	for seed := range uint64(6) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		m := NewModel(t, mk, 64<<20)
		m.h.SetLimit(16<<20>>seed, 40<<20>>seed)
		for round := range 3 {
			if err := m.steps(rnd, 6000, 1500); err != nil {
				t.Fatalf("seed %d, round %d: %v", seed, round, err)
			}
			if err := m.Drain(rnd); err != nil {
				t.Fatalf("seed %d, round %d: %v", seed, round, err)
			}
		}
		if hw := m.m.HighWater(); hw > 40<<20>>seed {
			t.Errorf("seed %d: high water %d is above the span", seed, hw)
		}
	}
}

func testSeeds(t *testing.T, mk New) {
	for _, s := range Seeds() {
		Fuzz(t, mk, s)
	}
}

func testEmpty(t *testing.T, mk New) {
	g := newRig(t, mk, 1<<20)
	p, q := g.must(g.h.Alloc(0)), g.must(g.h.Calloc(0, 10))
	if p == q || g.h.Usable(p) != 8 || g.h.Usable(q) != 8 {
		t.Errorf("blocks %#x and %#x, usable %d and %d, want different ones of 8", p, q, g.h.Usable(p), g.h.Usable(q))
	}
	if g.h.Usable(0) != 0 {
		t.Errorf("usable of no block is %d", g.h.Usable(0))
	}
	used := g.h.Used()
	g.h.Free(0)
	if g.h.Used() != used {
		t.Errorf("freeing nothing changed used from %d to %d", used, g.h.Used())
	}
	g.check()
}

func testUsed(t *testing.T, mk New) {
	tests := []struct{ ask, usable uintptr }{
		{1, 8}, {8, 8}, {9, 24}, {24, 24}, {25, 40}, {248, 248}, {249, 280}, {280, 280}, {281, 312},
		{504, 504}, {505, 568}, {568, 568}, {569, 632}, {1016, 1016}, {1017, 1032}, {1032, 1032}, {1033, 1048}, {100000, 100008},
	}
	g := newRig(t, mk, 1<<20)
	for _, tt := range tests {
		before := g.h.Used()
		p := g.must(g.h.Alloc(tt.ask))
		if u := g.h.Usable(p); u != tt.usable || g.h.Used()-before != tt.usable+8 {
			t.Errorf("alloc(%d): usable %d, used grew by %d, want %d and %d", tt.ask, u, g.h.Used()-before, tt.usable, tt.usable+8)
		}
	}
	if g.m.Peak() != g.h.Used() {
		t.Errorf("peak %d, want %d", g.m.Peak(), g.h.Used())
	}
	g.check()
}

func testLimit(t *testing.T, mk New) {
	for _, n := range []uintptr{1, 24, 200, 300, 900, 1016, 1017, 5000, 300000, 1 << 20, 3 << 20} {
		g := newRig(t, mk, 16<<20)
		for range 10 {
			g.must(g.h.Alloc(48))
		}
		probe := g.must(g.h.Alloc(n))
		cost := g.h.Usable(probe) + 8
		g.h.Free(probe)
		used := g.h.Used()

		g.h.SetLimit(used+cost-1, 16<<20)
		if p := g.h.Alloc(n); p != 0 {
			t.Errorf("alloc(%d) fits one byte below what it costs", n)
		}
		if p := g.h.Calloc(n, 1); p != 0 {
			t.Errorf("calloc(%d, 1) fits one byte below what it costs", n)
		}
		if g.h.Used() != used || g.m.Peak() != used {
			t.Errorf("a failed alloc(%d) changed used %d to %d, peak %d", n, used, g.h.Used(), g.m.Peak())
		}
		wantOOM := 2
		if n >= arena.BigRequest {
			wantOOM = 0
		}
		if g.ooms() != wantOOM || g.m.Refused() != (wantOOM == 0) {
			t.Errorf("alloc(%d) at the limit: %d out of memory calls, refused %v", n, g.ooms(), g.m.Refused())
		}
		g.h.SetLimit(used+cost, 16<<20)
		g.must(g.h.Alloc(n))
		if g.h.Used() != used+cost || g.m.Peak() != used+cost {
			t.Errorf("alloc(%d): used %d, peak %d, want %d", n, g.h.Used(), g.m.Peak(), used+cost)
		}
		if g.h.Alloc(1) != 0 {
			t.Errorf("a byte fits above the limit")
		}
		g.check()
	}
}

func testLowLimit(t *testing.T, mk New) {
	g := newRig(t, mk, 4<<20)
	p, q := g.must(g.h.Alloc(40000)), g.must(g.h.Alloc(100))
	g.must(g.h.Alloc(100)) // room in the run is no reason to grant more
	g.h.SetLimit(1000, 2000)
	if g.h.Alloc(1) != 0 || g.h.Alloc(5000) != 0 || g.h.Realloc(q, 500) != 0 || g.h.Realloc(p, 80000) != 0 {
		t.Error("a request was granted above the limit")
	}
	if g.h.Realloc(p, 30000) != p || g.h.Realloc(q, 10) == 0 {
		t.Error("shrinking failed above the limit")
	}
	g.check()
	g.h.SetLimit(1<<20, 4<<20)
	g.must(g.h.Alloc(5000))
	g.check()
}

func testRefused(t *testing.T, mk New) {
	g := newRig(t, mk, 8<<20)
	g.h.SetLimit(1<<20-1000, 4<<20)
	im := arena.Snapshot(g.r)
	if g.h.Alloc(1<<20) != 0 || !g.m.Refused() || g.ooms() != 0 {
		t.Errorf("alloc(1 MB): refused %v, %d out of memory calls", g.m.Refused(), g.ooms())
	}
	im.Restore()
	if g.m.Refused() {
		t.Error("refused outlives a restore")
	}
	if g.h.Alloc(1<<20-1) != 0 || g.m.Refused() || g.ooms() != 1 {
		t.Errorf("alloc(1 MB - 1): refused %v, %d out of memory calls", g.m.Refused(), g.ooms())
	}
	// The span is as much a limit as the limit.
	g.h.SetLimit(8<<20, g.m.HighWater()+100000)
	if g.h.Alloc(200000) != 0 || g.m.Refused() || g.ooms() != 2 {
		t.Errorf("alloc(200000) above the span: refused %v, %d out of memory calls", g.m.Refused(), g.ooms())
	}
	if g.h.Alloc(2<<20) != 0 || !g.m.Refused() || g.ooms() != 2 {
		t.Errorf("alloc(2 MB) above the span: refused %v, %d out of memory calls", g.m.Refused(), g.ooms())
	}
	g.check()
}

func testOverflow(t *testing.T, mk New) {
	g := newRig(t, mk, 4<<20)
	p := g.must(g.h.Alloc(2000))
	small := g.must(g.h.Alloc(20))
	used, max := g.h.Used(), ^uintptr(0)
	for _, n := range []uintptr{max, max - 1, max - 7, max - 8, max - 15, max - 16, max - 31, max >> 1, max>>1 + 1, 1 << 46, 1 << 40, 1 << 38, 4 << 20} {
		if g.h.Alloc(n) != 0 || g.h.Calloc(1, n) != 0 || g.h.Realloc(p, n) != 0 || g.h.Realloc(small, n) != 0 {
			t.Errorf("a request of %#x bytes was granted", n)
		}
	}
	for _, c := range [][2]uintptr{{1 << 32, 1 << 32}, {max, 2}, {1<<63 + 1, 2}, {3, max / 2}} {
		if g.h.Calloc(c[0], c[1]) != 0 {
			t.Errorf("calloc(%#x, %#x) was granted", c[0], c[1])
		}
	}
	if g.h.Charge(max) || g.h.Charge(max-used) || g.h.Charge(max-used+1) {
		t.Error("an overflowing charge was granted")
	}
	if !g.m.Refused() || g.ooms() != 0 || g.h.Used() != used {
		t.Errorf("refused %v, %d out of memory calls, used %d, want %d", g.m.Refused(), g.ooms(), g.h.Used(), used)
	}
	g.check()
}

func testCalloc(t *testing.T, mk New) {
	m := NewModel(t, mk, 32<<20)
	rnd := rand.New(rand.NewPCG(3, 3))
	for _, n := range []uintptr{1, 100, 1016, 1017, 5000, 70000, 1 << 20, 5 << 20} {
		for range 20 {
			if err := m.Alloc(n); err != nil && err != errFull {
				t.Fatal(err)
			}
			if len(m.blocks) > 0 {
				b := m.blocks[len(m.blocks)-1]
				dirty := m.bytes(b.p, b.usable)
				for i := range dirty {
					dirty[i] |= 0xa5
				}
				m.mark(b)
			}
		}
		if err := m.Drain(rnd); err != nil {
			t.Fatal(err)
		}
		// Freed memory, memory across the high water and fresh memory.
		for _, k := range []uintptr{n, 2*n + 13, 16 << 20, n} {
			if err := m.Calloc(k, 1); err != nil && err != errFull {
				t.Fatal(err)
			}
		}
		if err := m.Drain(rnd); err != nil {
			t.Fatal(err)
		}
	}
}

func testReallocEdges(t *testing.T, mk New) {
	g := newRig(t, mk, 1<<20)
	used := g.h.Used()
	if g.h.Realloc(0, 0) != 0 {
		t.Error("realloc(0, 0) is a block")
	}
	for _, n := range []uintptr{10, 5000} {
		p := g.must(g.h.Realloc(0, n))
		if g.h.Realloc(p, 0) != 0 {
			t.Error("realloc(p, 0) is a block")
		}
	}
	if g.h.Used() != used || g.ooms() != 0 {
		t.Errorf("used %d, want %d; %d out of memory calls", g.h.Used(), used, g.ooms())
	}
	p := g.must(g.h.Alloc(100))
	if q := g.h.Realloc(p, 104); q != p {
		t.Error("a slot moved although the new size fits")
	}
	g.check()
}

func testReallocGrows(t *testing.T, mk New) {
	g := newRig(t, mk, 8<<20)
	p := g.must(g.h.Alloc(5000))
	for n := uintptr(6000); n < 1<<20; n += n / 2 {
		if q := g.h.Realloc(p, n); q != p {
			t.Fatalf("the last block moved when it grew to %d bytes", n)
		}
		if g.h.Used() != g.h.Usable(p)+8 {
			t.Fatalf("used %d, usable %d", g.h.Used(), g.h.Usable(p))
		}
	}
	next, fence := g.must(g.h.Alloc(50000)), g.must(g.h.Alloc(3000))
	size := g.h.Usable(p)
	g.h.Free(next)
	if q := g.h.Realloc(p, size+1000); q != p {
		t.Error("the block moved although its successor is free")
	}
	if q := g.h.Realloc(p, size+50016); q != p {
		t.Error("the block moved although its successor is free and just large enough")
	}
	if q := g.h.Realloc(p, size+50017); q == p {
		t.Error("the block grew over a block in use")
	}
	g.h.Free(fence)
	g.check()
}

func testReallocShrinks(t *testing.T, mk New) {
	g := newRig(t, mk, 8<<20)
	p := g.must(g.h.Alloc(1 << 20))
	fence := g.must(g.h.Alloc(2000))
	for _, n := range []uintptr{1<<20 - 1, 1 << 19, 5000, 1017, 100, 1} {
		if q := g.h.Realloc(p, n); q != p {
			t.Fatalf("shrinking to %d bytes moved the block", n)
		}
		if u := g.h.Usable(p); u < n || u > n+40 {
			t.Errorf("usable is %d after shrinking to %d", u, n)
		}
		g.check()
	}
	if want := g.h.Usable(p) + 8 + g.h.Usable(fence) + 8; g.h.Used() != want {
		t.Errorf("used %d, want %d", g.h.Used(), want)
	}
	if q := g.must(g.h.Alloc(1 << 19)); q > fence {
		t.Error("the rest was not reused")
	}
	g.check()
}

func testReallocFails(t *testing.T, mk New) {
	m := NewModel(t, mk, 8<<20)
	m.h.SetLimit(300000, 8<<20)
	for _, n := range []uintptr{100, 2000, 100000} {
		if err := m.Alloc(n); err != nil {
			t.Fatal(err)
		}
	}
	for i := range m.blocks {
		for _, n := range []uintptr{299000, 400000, 2 << 20} {
			if err := m.Realloc(i, n); err != errFull {
				t.Errorf("realloc of %d to %d bytes: %v", m.blocks[i].n, n, err)
			}
		}
	}
	if m.ooms() != 6 || !m.m.Refused() {
		t.Errorf("%d out of memory calls, want 6; refused %v", m.ooms(), m.m.Refused())
	}
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
}

func testReallocMoves(t *testing.T, mk New) {
	m := NewModel(t, mk, 8<<20)
	m.h.SetLimit(300000, 600000)
	for _, n := range []uintptr{160000, 1000, 1100} {
		if err := m.Alloc(n); err != nil {
			t.Fatal(err)
		}
	}
	old := m.blocks[0].p
	if err := m.Realloc(0, 290000); err != nil || m.blocks[0].p == old {
		t.Fatalf("growing to 290000 of 300000 bytes: %v, moved %v", err, m.blocks[0].p != old)
	}
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	if m.m.Peak() != m.h.Used() {
		t.Errorf("peak %d, used %d", m.m.Peak(), m.h.Used())
	}
	// A slot moves by the same rule, to the byte.
	if err := m.Alloc(200); err != nil {
		t.Fatal(err)
	}
	last := len(m.blocks) - 1
	m.h.SetLimit(m.h.Used()+512-208-1, 600000)
	if err := m.Realloc(last, 500); err != errFull {
		t.Errorf("growing a slot one byte above the limit: %v", err)
	}
	m.h.SetLimit(m.h.Used()+512-208, 600000)
	if err := m.Realloc(last, 500); err != nil || m.h.Used() != m.m.Limit() {
		t.Errorf("growing a slot to the limit: %v, used %d of %d", err, m.h.Used(), m.m.Limit())
	}
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
}

func testCharge(t *testing.T, mk New) {
	g := newRig(t, mk, 1<<20)
	g.h.SetLimit(10000, 1<<20)
	if !g.h.Charge(10000) || g.h.Charge(1) || g.h.Used() != 10000 || g.m.Peak() != 10000 {
		t.Errorf("used %d, peak %d", g.h.Used(), g.m.Peak())
	}
	if !g.m.Refused() || g.ooms() != 0 {
		t.Errorf("refused %v, %d out of memory calls", g.m.Refused(), g.ooms())
	}
	if g.h.Alloc(1) != 0 {
		t.Error("a request was granted above the limit")
	}
	g.check()
	g.h.Uncharge(4000)
	g.must(g.h.Alloc(3000))
	if want := 6000 + uintptr(3008); g.h.Used() != want {
		t.Errorf("used %d, want %d", g.h.Used(), want)
	}
	g.check()
}

func testJoin(t *testing.T, mk New) {
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		g := newRig(t, mk, 1<<20)
		var p [3]uintptr
		for i := range p {
			p[i] = g.must(g.h.Alloc(4096))
		}
		fence := g.must(g.h.Alloc(2000))
		for _, i := range order {
			g.h.Free(p[i])
			g.check()
		}
		if q := g.h.Alloc(3*4096 + 16); q != p[0] {
			t.Errorf("order %v: three neighbours are not one block", order)
		} else {
			g.h.Free(q)
		}
		top := g.m.Stats().Top
		g.h.Free(fence)
		if got := g.m.Stats().Top; got >= top-3*4096 {
			t.Errorf("order %v: top is %#x after everything was freed, was %#x", order, got, top)
		}
		g.check()
	}
}

func testRuns(t *testing.T, mk New) {
	g := newRig(t, mk, 4<<20)
	var ps []uintptr
	for range 2000 {
		ps = append(ps, g.must(g.h.Alloc(100)))
	}
	if n := g.m.Stats().Runs; n < 10 {
		t.Errorf("%d runs hold 2000 slots", n)
	}
	for _, p := range ps {
		g.h.Free(p)
	}
	if n := g.m.Stats().Runs; n != 1 {
		t.Errorf("%d runs remain, want 1", n)
	}
	g.check()
	for range 100 { // the run that stayed serves the next objects
		before := g.m.Stats()
		g.h.Free(g.must(g.h.Alloc(100)))
		if g.m.Stats() != before {
			t.Fatal("one object made and broke a run")
		}
	}
}

// fill allocates n bytes at a time until memory runs out.
func (g *rig) fill(n uintptr) (ps []uintptr) {
	for {
		p := g.h.Alloc(n)
		if p == 0 {
			return ps
		}
		g.bytes(p, n)[0] = 1
		ps = append(ps, p)
	}
}

var cycle = []uintptr{8, 16, 40, 100, 250, 270, 500, 600, 1016, 1017, 1500, 3000, 4096, 9000, 33000, 100000, 500000, 1100000}

func testCycle(t *testing.T, mk New) {
	const limit, span = 4 << 20, 8<<20 + 1<<20
	g := newRig(t, mk, 32<<20)
	g.h.SetLimit(limit, span)
	for round := range 3 {
		rnd := rand.New(rand.NewPCG(uint64(round), 5))
		for _, i := range rnd.Perm(len(cycle)) {
			n := cycle[i]
			ps := g.fill(n)
			if u := g.h.Used(); u+n+32 < limit {
				t.Errorf("round %d: only %d of %d bytes could be had in pieces of %d", round, u, limit, n)
			}
			rnd.Shuffle(len(ps), func(i, j int) { ps[i], ps[j] = ps[j], ps[i] })
			for _, p := range ps {
				g.h.Free(p)
			}
			if g.h.Used() != 0 {
				t.Fatalf("%d bytes are used by nothing", g.h.Used())
			}
			if hw := g.m.HighWater(); hw > 2*limit {
				t.Errorf("high water %d after pieces of %d with a limit of %d", hw, n, limit)
			}
		}
		g.check()
	}
}

// testSurvivors leaves a piece of each run and each neighbourhood alive, which is the
// worst a guest can do.
func testSurvivors(t *testing.T, mk New) {
	const limit, span = 2 << 20, 5 << 20
	g := newRig(t, mk, 32<<20)
	g.h.SetLimit(limit, span)
	for round := range 3 {
		for _, n := range cycle {
			for i, p := range g.fill(n) {
				if i%37 != 0 {
					g.h.Free(p)
				}
			}
			if hw := g.m.HighWater(); hw > span {
				t.Fatalf("high water %d is above the span after pieces of %d", hw, n)
			}
		}
		g.check()
		if rest := g.r.Bytes(span, g.r.Size()-span); !zero(rest) {
			t.Fatalf("round %d: something was written above the span", round)
		}
	}
}

// testChurn keeps the heap between half full and full with requests of all sizes. None
// may fail for another reason than the limit.
func testChurn(t *testing.T, mk New) {
	for seed := range uint64(4) {
		const limit = 8 << 20
		m := NewModel(t, mk, 64<<20)
		m.h.SetLimit(limit, 2*limit)
		m.Strict = true
		rnd := rand.New(rand.NewPCG(seed, 11))
		n := 60000
		if testing.Short() {
			n = 15000
		}
		for i := range n {
			var err error
			switch k := rnd.IntN(12); {
			case k < 6 || len(m.blocks) == 0:
				s := size(rnd)
				if seed&1 == 1 { // drift from small to large and back
					s = s << (uint(i/8192) % 4)
				}
				err = m.Alloc(s)
			case k < 8:
				err = m.Realloc(rnd.IntN(len(m.blocks)), size(rnd))
			default:
				err = m.Free(rnd.IntN(len(m.blocks)))
			}
			for err == errFull && m.h.Used() > limit/2 && len(m.blocks) > 0 {
				if e := m.Free(rnd.IntN(len(m.blocks))); e != nil {
					t.Fatal(e)
				}
			}
			if err != nil && err != errFull {
				t.Fatalf("seed %d, step %d: %v", seed, i, err)
			}
		}
		if err := m.Check(); err != nil {
			t.Fatal(err)
		}
		t.Logf("seed %d: peak %d, high water %d, top %d, %d in %d runs", seed, m.m.Peak(), m.m.HighWater(),
			m.m.Stats().Top, m.m.Stats().RunBytes, m.m.Stats().Runs)
	}
}

// testGrowth grows arrays and strings by half, as engines do, among small objects.
func testGrowth(t *testing.T, mk New) {
	const limit = 16 << 20
	m := NewModel(t, mk, 64<<20)
	m.h.SetLimit(limit, 2*limit)
	m.Strict = true
	rnd := rand.New(rand.NewPCG(1, 13))
	for round := range 30 {
		var grow []int
		for range 4 {
			grow = append(grow, len(m.blocks))
			if err := m.Alloc(64); err != nil {
				t.Fatal(err)
			}
		}
		for len(grow) > 0 {
			for range 50 {
				if err := m.Alloc(uintptr(rnd.IntN(120))); err == errFull {
					grow = nil
				} else if err != nil {
					t.Fatal(err)
				}
			}
			for _, i := range grow {
				if n := m.blocks[i].n; n > 1<<20 {
					grow = nil
					break
				} else if err := m.Realloc(i, n+n/2); err == errFull {
					grow = nil
					break
				} else if err != nil {
					t.Fatalf("round %d: %v", round, err)
				}
			}
		}
		for len(m.blocks) > 0 && (m.h.Used() > limit/4 || rnd.IntN(3) > 0) {
			if err := m.Free(rnd.IntN(len(m.blocks))); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("peak %d, high water %d", m.m.Peak(), m.m.HighWater())
}

func testRestore(t *testing.T, mk New) {
	m := NewModel(t, mk, 32<<20)
	rnd := rand.New(rand.NewPCG(9, 9))
	if err := m.steps(rnd, 3000, 1000); err != nil {
		t.Fatal(err)
	}
	im := arena.Snapshot(m.r)
	want := bytes.Clone(m.r.Bytes(0, uintptr(im.Len())))
	used, live := m.h.Used(), append([]block(nil), m.blocks...)
	for round := range 4 {
		// The trace after each restore is another, and may dirty much or little.
		dirt := NewModelOf(m)
		if err := dirt.steps(rnd, 50<<(2*round), 1000); err != nil {
			t.Fatal(err)
		}
		if round == 3 {
			for range 3 {
				dirt.h.Alloc(4 << 20)
			}
		}
		im.Restore()
		if round&1 == 1 {
			im.Trim()
		}
		if !bytes.Equal(m.r.Bytes(0, uintptr(im.Len())), want) {
			t.Fatalf("round %d: the image differs", round)
		}
		if rest := m.r.Bytes(uintptr(im.Len()), m.r.Size()-uintptr(im.Len())); !zero(rest) {
			t.Fatalf("round %d: dirt above the image", round)
		}
		if m.h.Used() != used {
			t.Fatalf("round %d: used %d, want %d", round, m.h.Used(), used)
		}
		m.check()
	}
	for _, b := range live {
		if err := m.intact(b, b.p, b.n); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Drain(rnd); err != nil {
		t.Fatal(err)
	}
}

// NewModelOf is a second model of the same heap that knows only what it allocates
// itself.
func NewModelOf(m *Model) *Model { return &Model{rig: m.rig, base: m.h.Used()} }

func testTrampled(t *testing.T, mk New) {
	g := newRig(t, mk, 2<<20)
	for i := range uintptr(500) {
		g.must(g.h.Alloc(i * 3))
	}
	im := arena.Snapshot(g.r)
	want := bytes.Clone(g.r.Bytes(0, uintptr(im.Len())))
	rnd := rand.New(rand.NewPCG(4, 4))
	for _, fill := range []func(int) byte{
		func(int) byte { return 0 },
		func(int) byte { return 0xff },
		func(int) byte { return byte(rnd.Uint32()) },
	} {
		mem := g.r.Bytes(0, g.r.Size())
		for i := range mem {
			mem[i] = fill(i)
		}
		im.Restore()
		if !bytes.Equal(mem[:im.Len()], want) || !zero(mem[im.Len():]) {
			t.Fatal("the region is not as it was")
		}
		g.check()
		g.must(g.h.Alloc(100))
	}
}

func testSnapshotTrims(t *testing.T, mk New) {
	g := newRig(t, mk, 16<<20)
	p := g.must(g.h.Alloc(6000))
	q := g.must(g.h.Alloc(5 << 20))
	g.bytes(q, 5<<20)[4<<20] = 7
	g.h.Free(q)
	im := arena.Snapshot(g.r)
	if im.Len() > 32<<10 {
		t.Errorf("the image has %d bytes for a block of 6000", im.Len())
	}
	if q := g.must(g.h.Calloc(1, 5<<20)); g.bytes(q, 5<<20)[4<<20] != 0 {
		t.Error("calloc handed out dirt after a snapshot")
	}
	im.Restore()
	if g.h.Usable(p) != 6008 {
		t.Errorf("usable is %d", g.h.Usable(p))
	}
	g.check()
}
