package arenatest

import "math/rand/v2"

// An Op of a trace frees the block in a slot (Size 0), allocates into an empty slot, or
// changes the size of what is in the slot.
type Op struct {
	Slot, Size uint32
}

// A Trace is a sequence of requests that ends with every slot empty.
type Trace struct {
	Name  string
	Slots int
	Ops   []Op
}

// Traces are what allocators are compared by.
func Traces() []Trace {
	return []Trace{
		{"objects", 2000, steady(2000, 200000, false, func(rnd *rand.Rand) uint32 { return 16 + uint32(rnd.IntN(9))*16 })},
		{"temporaries", 64, steady(64, 200000, true, func(rnd *rand.Rand) uint32 { return 40 + uint32(rnd.IntN(3))*32 })},
		{"mixed", 4000, steady(4000, 200000, false, func(rnd *rand.Rand) uint32 { return 1 + uint32(min(size(rnd), 200000)) })},
		{"growing heap", 100000, grow(100000)},
		{"buffers", 32, buffers(400)},
	}
}

// drain frees what is left.
func drain(ops []Op, live []bool) []Op {
	for i, l := range live {
		if l {
			ops = append(ops, Op{Slot: uint32(i)})
		}
	}
	return ops
}

// steady frees and allocates slots at random, or the last first.
func steady(slots, n int, stack bool, size func(*rand.Rand) uint32) (ops []Op) {
	rnd := rand.New(rand.NewPCG(1, 2))
	live, depth := make([]bool, slots), 0
	for range n {
		i := rnd.IntN(slots)
		if stack {
			if up := rnd.IntN(2) == 0; depth == 0 || up && depth < slots {
				i, depth = depth, depth+1
			} else {
				depth--
				i = depth
			}
		}
		op := Op{Slot: uint32(i)}
		if !live[i] {
			op.Size = size(rnd)
		}
		live[i] = !live[i]
		ops = append(ops, op)
	}
	return drain(ops, live)
}

// grow allocates n objects, as a program does that builds a data structure.
func grow(n int) (ops []Op) {
	rnd := rand.New(rand.NewPCG(3, 4))
	live := make([]bool, n)
	for i := range live {
		live[i] = true
		ops = append(ops, Op{uint32(i), 16 + uint32(rnd.IntN(8))*8})
	}
	return drain(ops, live)
}

// buffers grows arrays by half to a megabyte, several at a time.
func buffers(n int) (ops []Op) {
	rnd := rand.New(rand.NewPCG(5, 6))
	size := make([]uint32, 32)
	for range n * 32 {
		i := rnd.IntN(len(size))
		if size[i] += size[i]/2 + 64; size[i] > 1<<20 {
			size[i] = 0
		}
		ops = append(ops, Op{uint32(i), size[i]})
	}
	live := make([]bool, len(size))
	for i := range live {
		live[i] = size[i] != 0
	}
	return drain(ops, live)
}
