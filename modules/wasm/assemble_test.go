package wasm

import (
	"encoding/binary"
	"math"
)

// assembly is a module for tests, written by hand: bytes makes the binary.
type assembly struct {
	funcs []function
	// memory are the minimum and the maximum of its memory, the latter if there is one.
	memory  []uint32
	table   []uint32 // the same of a table of functions
	globals []int32  // i32, which can change
	start   int      // the function that starts, counted from 1; 0 is none
	exports []byte   // more entries of the export section
	more    int      // how many
	data    []byte   // at the beginning of the memory
	first   []byte   // sections in front of all others
}

// function is one function, exported if it has a name.
type function struct {
	export          string
	params, results []valueType
	locals          []valueType
	code            []byte // without the final end
}

// Instructions.
const (
	opUnreachable = 0x00
	opBlock       = 0x02
	opLoop        = 0x03
	opIf          = 0x04
	opElse        = 0x05
	opEnd         = 0x0b
	opBr          = 0x0c
	opBrIf        = 0x0d
	opReturn      = 0x0f
	opCall        = 0x10
	opGet         = 0x20 // local.get
	opSet         = 0x21
	opTee         = 0x22
	opGlobalGet   = 0x23
	opGlobalSet   = 0x24
	opLoad32      = 0x28
	opStore32     = 0x36
	opMemorySize  = 0x3f
	opMemoryGrow  = 0x40
	opConst32     = 0x41
	opConst64     = 0x42
	opConstF64    = 0x44
	opEqz32       = 0x45
	opGe32        = 0x4e // i32.ge_s
	opEqz64       = 0x50
	opGtF64       = 0x64
	opAdd32       = 0x6a
	opDiv32       = 0x6d // i32.div_s
	opAdd64       = 0x7c
	opRem64       = 0x81 // i64.rem_s
	opAddF32      = 0x92
	opAddF64      = 0xa0
	opSubF64      = 0xa1
	opMulF64      = 0xa2
	empty         = 0x40 // the type of a block without a result
)

func leb(n uint32) []byte { return binary.AppendUvarint(nil, uint64(n)) }

// sleb is a signed LEB128.
func sleb(n int64) []byte {
	var b []byte
	for {
		c := byte(n & 0x7f)
		n >>= 7
		if n == 0 && c&0x40 == 0 || n == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

// code joins instructions, which are bytes, and their operands.
func code(parts ...any) []byte {
	var b []byte
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			b = append(b, byte(p))
		case []byte:
			b = append(b, p...)
		case float64:
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(p))
		}
	}
	return b
}

func vector(n int, content []byte) []byte { return append(leb(uint32(n)), content...) }

func section(id byte, content []byte) []byte {
	return append(append([]byte{id}, leb(uint32(len(content)))...), content...)
}

func text(s string) []byte { return append(leb(uint32(len(s))), s...) }

func limitsBytes(l []uint32) []byte {
	if len(l) == 1 {
		return append([]byte{0}, leb(l[0])...)
	}
	return append(append([]byte{1}, leb(l[0])...), leb(l[1])...)
}

func (a assembly) bytes() []byte {
	out := []byte("\x00asm\x01\x00\x00\x00")
	out = append(out, a.first...)
	var types, indices, exports, bodies []byte
	exported := a.more
	exports = append(exports, a.exports...)
	for i, f := range a.funcs {
		types = append(types, 0x60)
		for _, list := range [][]valueType{f.params, f.results} {
			types = append(types, leb(uint32(len(list)))...)
			for _, t := range list {
				types = append(types, byte(t))
			}
		}
		indices = append(indices, leb(uint32(i))...)
		if f.export != "" {
			exports = append(exports, text(f.export)...)
			exports = append(exports, exportFunction)
			exports = append(exports, leb(uint32(i))...)
			exported++
		}
		body := leb(uint32(len(f.locals)))
		for _, t := range f.locals {
			body = append(body, 1, byte(t))
		}
		body = append(append(body, f.code...), opEnd)
		bodies = append(append(bodies, leb(uint32(len(body)))...), body...)
	}
	n := len(a.funcs)
	out = append(out, section(sectionType, vector(n, types))...)
	out = append(out, section(sectionFunction, vector(n, indices))...)
	if a.table != nil {
		out = append(out, section(sectionTable, vector(1, append([]byte{0x70}, limitsBytes(a.table)...)))...)
	}
	if a.memory != nil {
		out = append(out, section(sectionMemory, vector(1, limitsBytes(a.memory)))...)
	}
	if a.globals != nil {
		var g []byte
		for _, v := range a.globals {
			g = append(g, code(int(i32), 1, opConst32, sleb(int64(v)), opEnd)...)
		}
		out = append(out, section(sectionGlobal, vector(len(a.globals), g))...)
	}
	out = append(out, section(sectionExport, vector(exported, exports))...)
	if a.start > 0 {
		out = append(out, section(sectionStart, leb(uint32(a.start-1)))...)
	}
	out = append(out, section(sectionCode, vector(n, bodies))...)
	if a.data != nil {
		out = append(out, section(sectionData, vector(1, code(0, opConst32, 0, opEnd, vector(len(a.data), a.data))))...)
	}
	return out
}

// numbers is the module of testdata/packs/wasm-numbers.
var numbers = assembly{funcs: []function{
	// gcd(a, b) is the greatest common divisor.
	{export: "gcd", params: []valueType{i64, i64}, results: []valueType{i64}, locals: []valueType{i64}, code: code(
		opBlock, empty,
		opLoop, empty,
		opGet, 1, opEqz64, opBrIf, 1,
		opGet, 0, opGet, 1, opRem64, opSet, 2,
		opGet, 1, opSet, 0,
		opGet, 2, opSet, 1,
		opBr, 0,
		opEnd,
		opEnd,
		opGet, 0,
	)},
	// escape(re, im, max) counts the steps of z²+c from 0 until |z| is more than 2.
	{export: "escape_time", params: []valueType{f64, f64, i32}, results: []valueType{i32}, locals: []valueType{f64, f64, f64, i32}, code: code(
		opBlock, empty,
		opLoop, empty,
		opGet, 6, opGet, 2, opGe32, opBrIf, 1,
		opGet, 3, opGet, 3, opMulF64, opGet, 4, opGet, 4, opMulF64, opAddF64, opConstF64, 4.0, opGtF64, opBrIf, 1,
		opGet, 3, opGet, 3, opMulF64, opGet, 4, opGet, 4, opMulF64, opSubF64, opGet, 0, opAddF64, opSet, 5,
		opConstF64, 2.0, opGet, 3, opMulF64, opGet, 4, opMulF64, opGet, 1, opAddF64, opSet, 4,
		opGet, 5, opSet, 3,
		opGet, 6, opConst32, 1, opAdd32, opSet, 6,
		opBr, 0,
		opEnd,
		opEnd,
		opGet, 6,
	)},
}}
