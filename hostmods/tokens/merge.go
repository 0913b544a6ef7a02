package tokens

import (
	"context"
	"math"
)

// merger merges the bytes of pieces into tokens: again and again the two neighbours that make
// the token of the lowest rank, the left-most of them where there are several (Sennrich,
// Haddow, Birch: Neural Machine Translation of Rare Words with Subword Units, 2016). It holds
// memory that is used again.
type merger struct {
	short []part
	nodes []node
	heap  []candidate
}

// unmergeable is the rank of two parts that make no token.
const unmergeable = math.MaxUint32 // what rank makes of 0, an empty place

// longPiece is the length in bytes from which merging keeps a heap. Shorter pieces are faster
// with a scan for the lowest rank, whose time is quadratic.
const longPiece = 96

// hugePiece is the length from which pieces of all runs take turns: the memory for one of
// 5 MB is some 150 MB.
const hugePiece = 256 << 10

var hugeTurn = make(chan struct{}, 1)

// merge appends the ids of a piece's tokens to dst.
func (m *merger) merge(ctx context.Context, e *Encoding, piece string, dst []uint32) ([]uint32, error) {
	switch {
	case len(piece) < longPiece:
		return m.scan(e, piece, dst), nil
	case len(piece) < hugePiece:
		return m.heaped(ctx, e, piece, dst)
	}
	select {
	case hugeTurn <- struct{}{}:
	case <-ctx.Done():
		return dst, ctx.Err()
	}
	defer func() {
		m.nodes, m.heap = nil, nil
		<-hugeTurn
	}()
	return m.heaped(ctx, e, piece, dst)
}

// part is a token so far: where it begins, its id, and the rank of it with the next.
type part struct {
	start    int32
	id, rank uint32
}

func (m *merger) scan(e *Encoding, piece string, dst []uint32) []uint32 {
	p := m.short[:0]
	for i := range len(piece) {
		r := uint32(unmergeable)
		if i+2 <= len(piece) {
			r = e.rank(piece[i : i+2])
		}
		p = append(p, part{int32(i), e.single[piece[i]], r})
	}
	m.short = p
	// end is where the part after i ends.
	end := func(i int) int {
		if i+2 < len(p) {
			return int(p[i+2].start)
		}
		return len(piece)
	}
	for {
		best, at := uint32(unmergeable), 0
		for i := range p {
			if p[i].rank < best {
				best, at = p[i].rank, i
			}
		}
		if best == unmergeable {
			break
		}
		p[at].id = best
		p = append(p[:at+1], p[at+2:]...)
		p[at].rank = unmergeable
		if at+1 < len(p) {
			p[at].rank = e.rank(piece[p[at].start:end(at)])
		}
		if at > 0 {
			p[at-1].rank = e.rank(piece[p[at-1].start:end(at-1)])
		}
	}
	for i := range p {
		dst = append(dst, p[i].id)
	}
	return dst
}

// node is a part in a list, at the index where it begins; next is the length of the piece
// behind the last one. A part that was merged into the one before it has the rank unmergeable.
type node struct {
	prev, next int32
	id, rank   uint32
}

// candidate is two neighbours that make a token, by where the left one begins. Those whose
// rank is no more that of the node are out of date.
type candidate struct {
	rank uint32
	at   int32
}

func (c candidate) before(d candidate) bool {
	return c.rank < d.rank || c.rank == d.rank && c.at < d.at
}

func (m *merger) heaped(ctx context.Context, e *Encoding, piece string, dst []uint32) ([]uint32, error) {
	n := int32(len(piece))
	if cap(m.nodes) < int(n) {
		m.nodes = make([]node, n)
	}
	nodes, heap := m.nodes[:n], m.heap[:0]
	for i := range n {
		nodes[i] = node{prev: i - 1, next: i + 1, id: e.single[piece[i]], rank: unmergeable}
		if i+1 < n {
			if r := e.rank(piece[i : i+2]); r != unmergeable {
				nodes[i].rank = r
				heap = append(heap, candidate{r, i})
			}
		}
	}
	for i := len(heap)/2 - 1; i >= 0; i-- {
		sink(heap, i)
	}
	for count := 0; len(heap) > 0; count++ {
		if count%checkEvery == 0 {
			if err := ctx.Err(); err != nil {
				return dst, err
			}
		}
		top := heap[0]
		last := len(heap) - 1
		heap[0], heap = heap[last], heap[:last]
		sink(heap, 0)
		a := &nodes[top.at]
		if a.rank != top.rank {
			continue
		}
		// The right part ends where it began, and the left one has its place.
		b := &nodes[a.next]
		b.rank = unmergeable
		a.id, a.next = top.rank, b.next
		if a.next < n {
			nodes[a.next].prev = top.at
		}
		for _, i := range [2]int32{top.at, a.prev} {
			if i < 0 {
				continue
			}
			p := &nodes[i]
			p.rank = unmergeable
			if p.next < n {
				p.rank = e.rank(piece[i:nodes[p.next].next])
			}
			if p.rank != unmergeable {
				heap = append(heap, candidate{p.rank, i})
				rise(heap)
			}
		}
	}
	m.heap = heap
	for i := int32(0); i < n; i = nodes[i].next {
		dst = append(dst, nodes[i].id)
	}
	return dst, nil
}

// rise moves the last candidate up to its place.
func rise(h []candidate) {
	i := len(h) - 1
	c := h[i]
	for i > 0 {
		up := (i - 1) / 2
		if !c.before(h[up]) {
			break
		}
		h[i], i = h[up], up
	}
	h[i] = c
}

// sink moves the candidate at i down to its place.
func sink(h []candidate, i int) {
	if i >= len(h) {
		return
	}
	c := h[i]
	for {
		down := 2*i + 1
		if down >= len(h) {
			break
		}
		if down+1 < len(h) && h[down+1].before(h[down]) {
			down++
		}
		if !h[down].before(c) {
			break
		}
		h[i], i = h[down], down
	}
	h[i] = c
}
