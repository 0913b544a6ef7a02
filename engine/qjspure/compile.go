package qjspure

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	lib "modernc.org/libquickjs"

	"quicksand/engine"
	"quicksand/engine/arena"
)

// A compiler is an isolate that only ever parses. It is restored before each source.
type compiler struct{ iso *isolate }

func newCompiler() (*compiler, error) {
	v, err := newIsolate(true)
	if err != nil {
		return nil, err
	}
	v.image = arena.Snapshot(v.region)
	c := &compiler{v}
	// One that waits in an engine is closed when the engine is gone. The table of isolates
	// keeps v alive, which does not know c.
	runtime.AddCleanup(c, func(v *isolate) { v.Close() }, v)
	return c, nil
}

// keepCompiler is what an idle compiler may hold dirty.
const keepCompiler = 4 << 20

var errFault = errors.New("the engine failed")

// compile makes a program. ctx ends it: a parser polls nothing, so it is killed.
func (c *compiler) compile(ctx context.Context, src engine.Source) (*program, error) {
	v := c.iso
	v.image.Restore()
	v.setLimit(compilerMemory)
	v.interrupted.Store(false)
	v.stopped, v.failure = false, engine.Failure{}
	(*lib.TJSRuntime)(at(v.rt)).Fstack_size = compilerStack
	v.compiling = &src
	defer func() {
		v.compiling = nil
		if v.stage.size > keepStaging {
			v.stage.release()
		}
		if v.heap.HighWater() > keepCompiler && !v.broken {
			v.image.Restore() // an idle compiler holds no memory
		}
	}()

	watched := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		v.Kill()
		close(watched)
	})
	var (
		code   []byte
		syntax *engine.SyntaxError
	)
	ok := v.guarded(nil, func() { code, syntax = v.compile(src) })
	if !stop() {
		<-watched // a kill must not reach the next compilation
	}
	switch {
	case !ok:
		err := &engine.CompileError{Name: src.Name, Kind: v.failure.Kind}
		switch v.failure.Kind {
		case engine.Interrupted, engine.Killed:
			err.Err = context.Cause(ctx)
		case engine.Fault:
			err.Err = errFault
		}
		return nil, err
	case syntax != nil:
		return nil, syntax
	case code == nil:
		return nil, &engine.CompileError{Name: src.Name, Kind: engine.Memory}
	}
	b, ok := newBytecode(code)
	if !ok {
		return nil, &engine.CompileError{Name: src.Name, Kind: engine.Memory}
	}
	return &program{name: src.Name, kind: src.Kind, code: b}, nil
}

// compile returns neither code nor an error when memory ran out.
func (v *isolate) compile(src engine.Source) ([]byte, *engine.SyntaxError) {
	flags, strip := int32(lib.MJS_EVAL_TYPE_MODULE), int32(0)
	if src.Kind == engine.Script {
		// Nobody needs the text of the prelude's functions.
		flags, strip = lib.MJS_EVAL_TYPE_GLOBAL, lib.MJS_STRIP_SOURCE
	}
	lib.XJS_SetStripInfo(v.tls, v.rt, strip)
	file := v.tls.Alloc(len(src.Name) + 1)
	defer v.tls.Free(len(src.Name) + 1)
	b := mem(file, uintptr(len(src.Name)+1))
	copy(b, src.Name)
	b[len(src.Name)] = 0
	fn := lib.XJS_Eval(v.tls, v.ctx, v.stage.put(src.Code), lib.Tsize_t(len(src.Code)), file, flags|lib.MJS_EVAL_FLAG_COMPILE_ONLY)
	if isException(fn) {
		return nil, v.syntaxError(src)
	}
	if src.HeaderLines > 0 {
		root := fn
		if tagOf(fn) == lib.EJS_TAG_MODULE {
			root = (*lib.TJSModuleDef)(at(addrOf(fn))).Ffunc_obj
		}
		if !v.shiftLines(root, uint32(src.HeaderLines)) {
			return nil, nil
		}
	}
	size := v.tls.Alloc(8)
	defer v.tls.Free(8)
	out := lib.XJS_WriteObject(v.tls, v.ctx, size, fn, lib.MJS_WRITE_OBJ_BYTECODE)
	if out == 0 {
		return nil, nil
	}
	program := append([]byte(nil), mem(out, ptr(size))...)
	anchorLiterals(program)
	return program, nil
}

// syntaxError is the pending exception with positions in the user's text, or nil when
// it says that memory ran out.
func (v *isolate) syntaxError(src engine.Source) *engine.SyntaxError {
	e := lib.XJS_GetException(v.tls, v.ctx)
	if !isObject(e) || v.outOfMemory(e) {
		return nil
	}
	s := &engine.SyntaxError{Name: src.Name}
	if m, ok := ownProperty(addrOf(e), lib.EJS_ATOM_message); ok && isString(m) {
		s.Message = v.goString(m)
	}
	line, _ := ownProperty(addrOf(e), lib.EJS_ATOM_lineNumber)
	col, _ := ownProperty(addrOf(e), lib.EJS_ATOM_columnNumber)
	if l, ok := numberOf(line); ok {
		s.Line = max(int(l)-src.HeaderLines, 1)
		if c, ok := numberOf(col); ok {
			s.Column = columnUTF16(src.Code, int(l), int(c))
		}
		return s
	}
	s.Line, s.Column = nameInMessage(src, s.Message)
	return s
}

// nameInMessage is where the name that a message quotes occurs first in the user's
// text. The engine gives no position to errors which it finds after parsing, such as
// a private name outside of its class.
func nameInMessage(src engine.Source, message string) (line, column int) {
	_, name, _ := strings.Cut(message, "'")
	name, _, ok := strings.Cut(name, "'")
	line = 1
	if !ok || name == "" {
		return line, 0
	}
	code := src.Code
	for range src.HeaderLines {
		_, code, _ = strings.Cut(code, "\n")
	}
	for l, text := range strings.Split(code, "\n") {
		if i := strings.Index(text, name); i >= 0 {
			return l + 1, len(utf16.Encode([]rune(text[:i]))) + 1
		}
	}
	return line, 0
}

// columnUTF16 turns a column in code points, from 1, into one in UTF-16 code units.
func columnUTF16(code string, line, col int) int {
	for ; line > 1; line-- {
		_, rest, ok := strings.Cut(code, "\n")
		if !ok {
			return col
		}
		code = rest
	}
	units := 1
	for ; col > 1 && code != ""; col-- {
		r, n := utf8.DecodeRuneInString(code)
		code = code[n:]
		units++
		if r > 0xffff {
			units++
		}
	}
	return units + col - 1
}

// shiftLines takes n lines off the positions of a function and all inside it.
//
// A function's table of positions begins with its own line and column as unsigned
// LEB128, from 0; everything after is relative. Source in front of the user's text
// gets a line of zero or less, so that the number may need all of five bytes: the
// reader computes modulo 2^32.
func (v *isolate) shiftLines(fn value, n uint32) bool {
	if tagOf(fn) == lib.EJS_TAG_OBJECT {
		fn = make64(lib.EJS_TAG_FUNCTION_BYTECODE, uint64(ptr(addrOf(fn)+objectUnion)))
	}
	if tagOf(fn) != lib.EJS_TAG_FUNCTION_BYTECODE {
		return true
	}
	b := (*lib.TJSFunctionBytecode)(at(addrOf(fn)))
	if b.Fdebug.Fpc2line_buf != 0 && b.Fdebug.Fpc2line_len > 0 {
		table := mem(b.Fdebug.Fpc2line_buf, uintptr(b.Fdebug.Fpc2line_len))
		line, width := leb128(table)
		if width == 0 {
			return true
		}
		if line >= n {
			putLEB128(table[:width], line-n)
		} else {
			size := len(table) - width + 5
			buf := lib.Xjs_malloc(v.tls, v.ctx, lib.Tsize_t(size))
			if buf == 0 {
				return false
			}
			moved := mem(buf, uintptr(size))
			putLEB128(moved[:5], line-n)
			copy(moved[5:], table[width:])
			lib.Xjs_free(v.tls, v.ctx, b.Fdebug.Fpc2line_buf)
			b.Fdebug.Fpc2line_buf, b.Fdebug.Fpc2line_len = buf, int32(size)
		}
	}
	for i := int32(0); i < b.Fcpool_count; i++ {
		c := valueAt(b.Fcpool + uintptr(i)*valueSize)
		if tagOf(c) == lib.EJS_TAG_FUNCTION_BYTECODE && !v.shiftLines(c, n) {
			return false
		}
	}
	return true
}

// leb128 reads an unsigned number of at most five bytes and its width, 0 if malformed.
func leb128(b []byte) (n uint32, width int) {
	for i := 0; i < len(b) && i < 5; i++ {
		n |= uint32(b[i]&0x7f) << (7 * i)
		if b[i] < 0x80 {
			return n, i + 1
		}
	}
	return 0, 0
}

// putLEB128 writes n with exactly the width of b, longer than necessary if need be.
func putLEB128(b []byte, n uint32) {
	for i := range b {
		b[i] = byte(n&0x7f) | 0x80
		n >>= 7
	}
	b[len(b)-1] &= 0x7f
}
