package wasm

import (
	"errors"
	"fmt"
	"math"
	"unicode/utf8"
)

// Limits of binaries. Those which are not exported are far beyond what compilers make, and
// bound the memory that a binary of strangers takes to compile.
const (
	// MaxBinary is the size of a binary in bytes.
	MaxBinary = 4 << 20
	// MaxPages is the most that a declaration may give a memory, in pages of 64 KiB.
	MaxPages = 4096
	// MaxTableElements is how many elements the tables of a binary may have together.
	MaxTableElements = 1 << 20
	// MaxParams and MaxResults are those of a function that guests call.
	MaxParams, MaxResults = 8, 8

	maxItems          = 1 << 16 // of each section
	maxParams         = 255     // of any function
	maxResults        = 16      // of any function
	maxFunctionLocals = 50_000
	maxLocals         = 1 << 21 // of all functions
	maxTables         = 16
	maxBody           = 1 << 17 // bytes of a function, each of which may take a kilobyte to compile
)

// valueType is a type of values by its code in binaries.
type valueType byte

const (
	i32 valueType = 0x7f
	i64 valueType = 0x7e
	f32 valueType = 0x7d
	f64 valueType = 0x7c
)

func (t valueType) String() string {
	switch t {
	case i32:
		return "i32"
	case i64:
		return "i64"
	case f32:
		return "f32"
	case f64:
		return "f64"
	case 0x7b:
		return "v128"
	case 0x70:
		return "funcref"
	case 0x6f:
		return "externref"
	}
	return fmt.Sprintf("the type 0x%02x", byte(t))
}

// scalar reports whether values of the type can cross to a guest.
func (t valueType) scalar() bool { return t >= f64 && t <= i32 }

// signature is the type of a function.
type signature struct{ params, results []valueType }

// Kinds of exports.
const (
	exportFunction byte = iota
	exportTable
	exportMemory
	exportGlobal
)

var exportKinds = [...]string{"function", "table", "memory", "global"}

type export struct {
	kind  byte
	index uint32
}

// memory is a memory in pages. It may grow to max if that is declared.
type memory struct {
	min, max uint32
	bounded  bool
}

// contents are what a binary says of itself.
type contents struct {
	signatures []signature
	functions  []uint32 // their signatures
	memories   []memory
	tables     uint64 // how many elements its tables may have together
	exports    map[string]export
	// code is the binary without its custom sections.
	code []byte
}

// Ids of sections, and their places in the order that binaries keep.
const (
	sectionCustom = iota
	sectionType
	sectionImport
	sectionFunction
	sectionTable
	sectionMemory
	sectionGlobal
	sectionExport
	sectionStart
	sectionElement
	sectionCode
	sectionData
	sectionDataCount
)

var sections = [...]struct {
	name  string
	place int
	read  func(*reader, *contents)
}{
	sectionType:      {"type", 1, readTypes},
	sectionImport:    {"import", 2, readImports},
	sectionFunction:  {"function", 3, readFunctions},
	sectionTable:     {"table", 4, readTables},
	sectionMemory:    {"memory", 5, readMemories},
	sectionGlobal:    {"global", 6, readGlobals},
	sectionExport:    {"export", 7, readExports},
	sectionStart:     {"start", 8, func(r *reader, _ *contents) { r.u32() }},
	sectionElement:   {"element", 9, readElements},
	sectionDataCount: {"data count", 10, func(r *reader, _ *contents) { r.u32() }},
	sectionCode:      {"code", 11, readCode},
	sectionData:      {"data", 12, readData},
}

// inspect reads a binary, all but the instructions of its functions (WebAssembly Core
// Specification 2.0, 5.5). It takes no more memory than a few times the size of bin.
func inspect(bin []byte) (*contents, error) {
	if len(bin) > MaxBinary {
		return nil, fmt.Errorf("the binary of %d bytes is more than the limit of %d", len(bin), MaxBinary)
	}
	if len(bin) < 8 || string(bin[:4]) != "\x00asm" {
		return nil, errors.New("the file is no WebAssembly binary")
	}
	if string(bin[4:8]) != "\x01\x00\x00\x00" {
		return nil, errors.New("the binary is not of version 1")
	}
	c := &contents{exports: make(map[string]export), code: append(make([]byte, 0, len(bin)), bin[:8]...)}
	last := 0
	whole := &reader{b: bin[8:]}
	for len(whole.b) > 0 {
		start := whole.b
		id := whole.byte()
		body := whole.take(whole.u32())
		if whole.err != nil {
			return nil, whole.err
		}
		r := &reader{b: body}
		switch {
		case id == sectionCustom:
			r.name()
			if r.err != nil {
				return nil, fmt.Errorf("custom section: %w", r.err)
			}
			continue
		case int(id) >= len(sections):
			return nil, fmt.Errorf("there is a section %d, which modules do not have", id)
		}
		s := &sections[id]
		if s.place <= last {
			return nil, fmt.Errorf("the %s section is out of order", s.name)
		}
		last = s.place
		s.read(r, c)
		if r.err == nil && len(r.b) > 0 {
			r.err = fmt.Errorf("%d bytes are left over", len(r.b))
		}
		if r.err != nil {
			return nil, fmt.Errorf("%s section: %w", s.name, r.err)
		}
		c.code = append(c.code, start[:len(start)-len(whole.b)]...)
	}
	return c, nil
}

// reader reads numbers and names. After an error it returns zeros.
type reader struct {
	b   []byte
	err error
}

var errTruncated = errors.New("the binary is truncated")

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
	r.b = nil
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		if r.err == nil {
			r.err = errTruncated
		}
		return 0
	}
	b := r.b[0]
	r.b = r.b[1:]
	return b
}

func (r *reader) take(n uint32) []byte {
	if uint64(n) > uint64(len(r.b)) {
		if r.err == nil {
			r.err = errTruncated
		}
		r.b = nil
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

// u32 reads an unsigned number of 32 bits in LEB128.
func (r *reader) u32() uint32 {
	n := uint64(0)
	for shift := 0; shift < 35; shift += 7 {
		b := r.byte()
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			if n > 1<<32-1 {
				r.fail("a number has more than 32 bits")
				return 0
			}
			return uint32(n)
		}
	}
	r.fail("a number has more than 5 bytes")
	return 0
}

// skipSigned skips a signed number in LEB128 of at most n bytes.
func (r *reader) skipSigned(n int) {
	for range n {
		if r.byte() < 0x80 {
			return
		}
	}
	r.fail("a number has more than %d bytes", n)
}

// count reads how many items follow, each of at least size bytes.
func (r *reader) count(size, limit int) int {
	n := int(r.u32())
	switch {
	case r.err != nil:
		return 0
	case n > limit:
		r.fail("there are %d items, more than the limit of %d", n, limit)
		return 0
	case n > len(r.b)/size:
		r.fail("%w", errTruncated)
		return 0
	}
	return n
}

func (r *reader) name() string {
	b := r.take(r.u32())
	if !utf8.Valid(b) {
		r.fail("a name is not valid UTF-8")
		return ""
	}
	return string(b)
}

func (r *reader) types(limit int) []valueType {
	n := r.count(1, limit)
	types := make([]valueType, n)
	for i := range types {
		types[i] = valueType(r.byte())
	}
	return types
}

// limits reads the limits of a table or memory.
func (r *reader) limits() (m memory, shared bool) {
	flags := r.byte()
	if flags > 3 {
		r.fail("the limits have the flags 0x%02x", flags)
		return m, false
	}
	m.min = r.u32()
	if flags&1 != 0 {
		m.max, m.bounded = r.u32(), true
		if r.err == nil && m.max < m.min {
			r.fail("the minimum %d is more than the maximum %d", m.min, m.max)
		}
	}
	return m, flags&2 != 0
}

// constant skips a constant expression.
func (r *reader) constant() {
	for r.err == nil {
		switch op := r.byte(); op {
		case 0x0b:
			return
		case 0x23, 0xd2: // global.get, ref.func
			r.u32()
		case 0x41:
			r.skipSigned(5)
		case 0x42:
			r.skipSigned(10)
		case 0x43:
			r.take(4)
		case 0x44:
			r.take(8)
		case 0xd0: // ref.null
			r.byte()
		case 0x6a, 0x6b, 0x6c, 0x7c, 0x7d, 0x7e: // sums, differences and products of integers
		case 0xfd:
			if r.u32() != 12 {
				r.fail("an expression is not constant")
			}
			r.take(16)
		default:
			if r.err == nil {
				r.fail("an expression is not constant: it has the instruction 0x%02x", op)
			}
		}
	}
}

func readTypes(r *reader, c *contents) {
	n := r.count(3, maxItems)
	c.signatures = make([]signature, 0, n)
	for range n {
		if form := r.byte(); r.err == nil && form != 0x60 {
			r.fail("a type is not that of a function")
		}
		c.signatures = append(c.signatures, signature{r.types(maxParams), r.types(maxResults)})
	}
}

func readImports(r *reader, _ *contents) {
	n := r.count(4, maxItems)
	if n == 0 {
		return
	}
	from, name := r.name(), r.name()
	if r.err == nil {
		r.fail("it has %d imports, such as %.60q of %.60q: a module must have none", n, name, from)
	}
}

func readFunctions(r *reader, c *contents) {
	n := r.count(1, maxItems)
	c.functions = make([]uint32, n)
	for i := range c.functions {
		c.functions[i] = r.u32()
		if r.err == nil && int(c.functions[i]) >= len(c.signatures) {
			r.fail("function %d has the type %d, of %d", i, c.functions[i], len(c.signatures))
		}
	}
}

func readTables(r *reader, c *contents) {
	least := uint64(0)
	for i := range r.count(3, maxTables) {
		if t := valueType(r.byte()); r.err == nil && t != 0x70 && t != 0x6f {
			r.fail("table %d holds %s", i, t)
		}
		m, shared := r.limits()
		if r.err == nil && shared {
			r.fail("table %d is shared", i)
		}
		if least += uint64(m.min); least > MaxTableElements {
			r.fail("the tables have %d elements, more than the limit of %d", least, MaxTableElements)
		}
		if !m.bounded {
			m.max = math.MaxUint32
		}
		c.tables += uint64(m.max)
	}
}

func readMemories(r *reader, c *contents) {
	for range r.count(2, maxItems) {
		m, shared := r.limits()
		if r.err == nil && shared {
			r.fail("a memory is shared")
		}
		if r.err == nil && (m.min > 1<<16 || m.max > 1<<16) {
			r.fail("a memory has more than 65536 pages")
		}
		c.memories = append(c.memories, m)
	}
	if r.err == nil && len(c.memories) > 1 {
		r.fail("there are %d memories, more than one", len(c.memories))
	}
}

func readGlobals(r *reader, _ *contents) {
	for range r.count(3, maxItems) {
		r.byte() // the type
		r.byte() // whether it can change
		r.constant()
	}
}

func readExports(r *reader, c *contents) {
	for range r.count(3, maxItems) {
		name := r.name()
		e := export{kind: r.byte(), index: r.u32()}
		switch _, twice := c.exports[name]; {
		case r.err != nil:
			return
		case int(e.kind) >= len(exportKinds):
			r.fail("the export %.60q is of the kind %d", name, e.kind)
		case twice:
			r.fail("there are two exports %.60q", name)
		case e.kind == exportFunction && int(e.index) >= len(c.functions):
			r.fail("the export %.60q is function %d, of %d", name, e.index, len(c.functions))
		}
		c.exports[name] = e
	}
}

func readElements(r *reader, _ *contents) {
	for range r.count(3, maxItems) {
		flags := r.u32()
		if flags > 7 {
			r.fail("a segment has the flags 0x%02x", flags)
			return
		}
		if flags&2 != 0 && flags&1 == 0 {
			r.u32() // the table
		}
		if flags&1 == 0 {
			r.constant() // where to
		}
		if flags&3 != 0 {
			r.byte() // the kind of element
		}
		n := r.count(1, MaxTableElements)
		for i := 0; i < n && r.err == nil; i++ {
			if flags&4 != 0 {
				r.constant()
			} else {
				r.u32()
			}
		}
	}
}

func readCode(r *reader, c *contents) {
	n := r.count(3, maxItems)
	if r.err == nil && n != len(c.functions) {
		r.fail("there are %d bodies of %d functions", n, len(c.functions))
	}
	total, work := uint64(0), workType*uint64(n)*uint64(len(c.signatures))
	if work > maxWork {
		r.fail("there are %d functions and %d types, too many to compile", n, len(c.signatures))
	}
	for i := 0; i < n && r.err == nil; i++ {
		body := &reader{b: r.take(r.u32())}
		if len(body.b) > maxBody {
			r.fail("function %d has %d bytes, more than the limit of %d", i, len(body.b), maxBody)
		}
		locals := uint64(0)
		for range body.count(2, maxFunctionLocals) {
			locals += uint64(body.u32())
			body.byte() // their type
		}
		if total += locals; locals > maxFunctionLocals || total > maxLocals {
			r.fail("function %d has %d locals, %d with those before: the limits are %d and %d", i, locals, total, maxFunctionLocals, maxLocals)
		}
		if r.err != nil {
			return
		}
		e := body.instructions(c)
		own := e.work(locals + uint64(len(c.signatures[c.functions[i]].params)))
		if work += own; own > maxFunctionWork || work > maxWork {
			r.fail("function %d, with %d branches and %d locals, makes it too intricate to compile", i, e.branches, locals)
		}
		if r.err == nil && body.err != nil {
			r.fail("function %d: %w", i, body.err)
		}
	}
}

func readData(r *reader, _ *contents) {
	for range r.count(2, maxItems) {
		flags := r.u32()
		if flags > 2 {
			r.fail("a segment has the flags 0x%02x", flags)
			return
		}
		if flags == 2 {
			r.u32() // the memory
		}
		if flags != 1 {
			r.constant() // where to
		}
		r.take(r.u32())
	}
}
