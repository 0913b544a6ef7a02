package wasm

// The compiler takes time that grows with the square of the branches of a function, and with
// the product of its branches and its locals: a function of 60 KB can keep it busy for minutes,
// with gigabytes of memory, and nothing can stop it. So the instructions of a binary are read
// before, and what they cost is estimated. On the machine where it was measured, a unit is a
// nanosecond: 8 000 empty loops took 1.8 s, 2 000 loops over 5 000 locals 12 s, a table of 8 000
// branches 80 ms. The interpreter loop of QuickJS is 0.17 s by this measure, all of QuickJS,
// 1 MB, 0.9 s.
const (
	maxFunctionWork = 2_000_000_000  // which takes some 70 MB besides
	maxWork         = 10_000_000_000 // of all functions of a binary

	workBranches = 6      // of the square of branches
	workLocals   = 400    // of each pair of a branch and a local
	workTarget   = 10_000 // of each branch of a table
	workType     = 22     // of each pair of a function and a type: the compiler visits all types for each
)

// effort is what makes a function hard to compile.
type effort struct {
	branches uint64 // blocks that the function is cut into, more or less
	accesses uint64 // of locals
	targets  uint64 // of tables of branches
}

// work is an estimate of what it takes to compile a function with so many locals, parameters
// included.
func (e *effort) work(locals uint64) uint64 {
	return workBranches*e.branches*e.branches + workLocals*e.branches*min(locals, e.accesses) + workTarget*e.targets
}

// instructions reads the instructions of a function (WebAssembly Core Specification 2.0, 5.4).
// Whether they are valid is for the compiler to say.
func (r *reader) instructions(c *contents) (e effort) {
	for r.err == nil && len(r.b) > 0 {
		op := r.byte()
		switch {
		case op >= 0x45 && op <= 0xc4: // numbers
		case op >= 0x28 && op <= 0x3e: // memory
			r.u32()
			r.u32()
		case op >= 0x20 && op <= 0x22: // locals
			r.u32()
			e.accesses++
		case op == 0x41:
			r.skipSigned(5)
		case op >= 0x02 && op <= 0x04:
			e.branches += 2 + r.blockType(c)
		case op == 0x05: // else
			e.branches++
		case op == 0x0c, op == 0x0d: // br, br_if
			r.u32()
			e.branches++
		case op == 0x0e: // br_table
			n := r.count(1, len(r.b))
			for i := 0; i <= n && r.err == nil; i++ {
				r.u32()
			}
			e.branches++
			e.targets += uint64(n)
		case op == 0x10: // call
			r.u32()
		case op == 0x11: // call_indirect
			r.u32()
			r.u32()
			e.branches++
		case op <= 0x01, op == 0x0b, op == 0x0f, op == 0x1a, op == 0x1b, op == 0xd1:
		case op == 0x1c: // select
			r.take(uint32(r.count(1, maxResults)))
		case op >= 0x23 && op <= 0x26, op == 0xd2: // globals, tables, ref.func
			r.u32()
		case op == 0x3f, op == 0x40, op == 0xd0: // memory.size, memory.grow, ref.null
			r.byte()
		case op == 0x42:
			r.skipSigned(10)
		case op == 0x43:
			r.take(4)
		case op == 0x44:
			r.take(8)
		case op == 0xfc:
			r.bulk(c)
		case op == 0xfd:
			r.vector()
		default:
			r.fail("there is an instruction 0x%02x, which modules cannot have", op)
		}
	}
	return e
}

// blockType reads the type of a block and returns how many values go in and out.
func (r *reader) blockType(c *contents) uint64 {
	if len(r.b) > 0 && r.b[0]&0xc0 == 0x40 { // a type of one byte, or none
		r.byte()
		return 0
	}
	i := r.u32() // not negative
	if r.err != nil || int(i) >= len(c.signatures) {
		r.fail("a block has the type %d, of %d", i, len(c.signatures))
		return 0
	}
	s := &c.signatures[i]
	return uint64(len(s.params) + len(s.results))
}

// bulk reads the rest of an instruction with the prefix 0xfc.
func (r *reader) bulk(c *contents) {
	switch op := r.u32(); {
	case r.err != nil || op <= 7: // conversions that saturate
	case op == 8, op == 10, op == 12, op == 14: // init and copy, of memories and tables
		r.u32()
		r.u32()
	case op == 15 && c.tables > MaxTableElements:
		// Unlike a memory, a table could grow to gigabytes.
		r.fail("it has table.grow, and tables of up to %d elements: declare maxima of at most %d together", c.tables, MaxTableElements)
	case op <= 17:
		r.u32()
	default:
		r.fail("there is an instruction 0xfc %d, which modules cannot have", op)
	}
}

// vector reads the rest of an instruction with the prefix 0xfd.
func (r *reader) vector() {
	switch op := r.u32(); {
	case r.err != nil:
	case op <= 11, op == 92, op == 93: // memory
		r.u32()
		r.u32()
	case op == 12, op == 13: // v128.const, i8x16.shuffle
		r.take(16)
	case op >= 21 && op <= 34: // a lane
		r.byte()
	case op >= 84 && op <= 91: // a lane of memory
		r.u32()
		r.u32()
		r.byte()
	case op > 255:
		r.fail("there is an instruction 0xfd %d, which modules cannot have", op)
	}
}
