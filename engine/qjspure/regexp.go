package qjspure

import (
	"bytes"
	"encoding/binary"
	"sync/atomic"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/libquickjs"
)

// Anchored regular expressions.
//
// The engine compiles /^a/ to a loop over all positions of the text, in front of what fails
// at each of them but the first: a tokenizer that tries such patterns at the rest of its text
// takes quadratic time. Where every alternative begins with ^, the split at the head of the
// loop is turned into a jump out of it, so that the match is tried where it can succeed. What
// matches is the same: without the flag m, ^ holds at position 0 alone.
//
// That is done where such code comes into being: in programs, for literals, and by what stands
// in the places of the constructor and of RegExp.prototype.compile.

// regexpLoop is the beginning of the code of a regular expression without the flag y:
// split_goto_first +6, any, goto -11, save_start 0.
var regexpLoop = []byte{lib.EREOP_split_goto_first, 6, 0, 0, 0, lib.EREOP_any, lib.EREOP_goto, 0xf5, 0xff, 0xff, 0xff, lib.EREOP_save_start, 0}

const (
	regexpHeader     = lib.MRE_HEADER_LEN
	regexpLength     = lib.MRE_HEADER_BYTECODE_LEN // uint32 in the header
	regexpLoopLength = 11                          // without save_start
	regexpSteps      = 1000
)

// anchorLiterals does it to all literals of a serialized program. Their code stands there as
// it is in memory.
func anchorLiterals(program []byte) {
	for at := 0; ; {
		i := bytes.Index(program[at:], regexpLoop)
		if i < 0 {
			return
		}
		at += i
		if start := at - regexpHeader; start >= 0 {
			n := uint64(binary.LittleEndian.Uint32(program[start+regexpLength:]))
			if flags := binary.LittleEndian.Uint16(program[start:]); flags < 1<<9 && n <= uint64(len(program)-at) {
				anchor(program[at : uint64(at)+n])
			}
		}
		at += len(regexpLoop)
	}
}

// anchor does it to the code of one, from behind its header.
func anchor(code []byte) {
	left := regexpSteps
	if bytes.HasPrefix(code, regexpLoop) && anchored(code[regexpLoopLength:], &left) {
		code[0] = lib.EREOP_goto
	}
}

// anchored reports whether every way through code meets ^ before anything else. left bounds
// the work for patterns with very many alternatives, which then stay as they are.
func anchored(code []byte, left *int) bool {
	for ; len(code) >= 5 && *left > 0; *left-- {
		skip := 0
		switch code[0] {
		case lib.EREOP_line_start:
			return true
		case lib.EREOP_save_start:
			skip = 2
		case lib.EREOP_save_reset:
			skip = 3
		case lib.EREOP_split_goto_first, lib.EREOP_split_next_first:
			if !anchored(code[5:], left) {
				return false
			}
			fallthrough
		case lib.EREOP_goto:
			to := int64(int32(binary.LittleEndian.Uint32(code[1:])))
			if to < 0 || 5+to > int64(len(code)) {
				return false
			}
			skip = 5 + int(to)
		default:
			return false
		}
		code = code[skip:]
	}
	return false
}

// cFunction is a native function as the engine calls it.
type cFunction = func(tls *libc.TLS, ctx uintptr, this value, argc int32, argv uintptr) value

// The engine's own functions, by address, and what stands in their places. They are the same
// in all heaps.
var (
	realRegExp, realCompile atomic.Uintptr
	regExpCode              = code(anchoringRegExp)
	compileCode             = code(anchoringCompile)
)

func anchoringRegExp(tls *libc.TLS, ctx uintptr, this value, argc int32, argv uintptr) value {
	return anchorObject(callCode(realRegExp.Load())(tls, ctx, this, argc, argv))
}

func anchoringCompile(tls *libc.TLS, ctx uintptr, this value, argc int32, argv uintptr) value {
	return anchorObject(callCode(realCompile.Load())(tls, ctx, this, argc, argv))
}

// callCode is the function at an address in the form that the engine calls.
func callCode(addr uintptr) cFunction { return *(*cFunction)(unsafe.Pointer(&addr)) }

// anchorObject does it to what a constructor returned.
func anchorObject(r value) value {
	if isObject(r) && u16(addrOf(r)+objectClass) == lib.EJS_CLASS_REGEXP {
		if s := (*lib.TJSRegExp)(at(addrOf(r) + objectUnion)).Fbytecode; s != 0 {
			if n := uintptr(u32(s) &^ stringWide); n > regexpHeader {
				anchor(mem(s+stringData+regexpHeader, n-regexpHeader))
			}
		}
	}
	return r
}

// anchorRegExps puts the functions in their places, in a new context.
func (v *isolate) anchorRegExps(ctx uintptr) bool {
	global := lib.XJS_GetGlobalObject(v.tls, ctx)
	constructor := lib.XJS_GetPropertyStr(v.tls, ctx, global, v.stage.put("RegExp"))
	proto := lib.XJS_GetPropertyStr(v.tls, ctx, constructor, v.stage.put("prototype"))
	compile := lib.XJS_GetPropertyStr(v.tls, ctx, proto, v.stage.put("compile"))
	defer func() {
		for _, x := range []value{compile, proto, constructor, global} {
			lib.XFreeValue(v.tls, ctx, x) // none of them is gone by that
		}
	}()
	return replaceCode(constructor, &realRegExp, regExpCode) && replaceCode(compile, &realCompile, compileCode)
}

// replaceCode exchanges the code of a native function. Its name and length stay.
func replaceCode(f value, real *atomic.Uintptr, with uintptr) bool {
	if !isObject(f) || u16(addrOf(f)+objectClass) != lib.EJS_CLASS_C_FUNCTION {
		return false
	}
	place := (*uintptr)(at(addrOf(f) + objectUnion + functionCode))
	real.Store(*place)
	*place = with
	return true
}
