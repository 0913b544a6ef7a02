package wasm

import (
	"context"
	"runtime"
	"testing"
	"time"

	"quicksand/bridges"
	"quicksand/internal/marshal"
	"quicksand/modules"
)

func seeds(f *testing.F) {
	for _, a := range []assembly{numbers, machine, {table: []uint32{1, 4}, start: 1, funcs: []function{{export: "f"}}}} {
		f.Add(a.bytes())
	}
	f.Add([]byte("\x00asm\x01\x00\x00\x00"))
}

// FuzzInspect: what the reader accepts is no larger than the file, and reads the same without
// its custom sections.
func FuzzInspect(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, bin []byte) {
		c, err := inspect(bin)
		if err != nil {
			return
		}
		if len(c.code) > len(bin) || len(c.functions) > len(bin) || len(c.signatures) > len(bin) {
			t.Fatalf("%d bytes make %d bytes, %d functions and %d types", len(bin), len(c.code), len(c.functions), len(c.signatures))
		}
		again, err := inspect(c.code)
		if err != nil || len(again.exports) != len(c.exports) || len(again.code) != len(c.code) {
			t.Fatalf("without custom sections: %v", err)
		}
	})
}

// FuzzCompile goes the whole way: compile a binary and call what it exports. A call ends, and
// nothing panics.
func FuzzCompile(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, bin []byte) {
		found, err := inspect(bin)
		if err != nil {
			return
		}
		decl := modules.WASMDecl{Specifier: "@acme/fuzz", MemoryPagesMax: 8, Limits: modules.WASMLimits{CallTimeout: 20 * time.Millisecond}}
		for name, e := range found.exports {
			if e.kind == exportFunction && identifier(name) && len(decl.Exports) < 4 {
				decl.Exports = append(decl.Exports, modules.WASMExport{WASM: name, As: name})
			}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var c cache
		b, err := c.bridge(bin, decl)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20+2000*uint64(len(bin)) {
			t.Fatalf("%d bytes took %d bytes of memory to compile", len(bin), took)
		}
		if err != nil {
			return
		}
		s := bridges.NewSession(bridges.SessionOptions{})
		defer s.Close()
		for i := range b.Funcs {
			var args []any
			for _, p := range b.Funcs[i].Params {
				if p.Doc == i64.String() {
					args = append(args, int64(1)<<60)
				} else {
					args = append(args, 7)
				}
			}
			if args == nil {
				args = []any{}
			}
			v, err := marshal.NewValue(args, marshal.EncodeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			call, err := bridges.Unpack(s, b, &b.Funcs[i], v)
			if err != nil {
				t.Fatal(err)
			}
			if call.State, err = s.State(b); err != nil {
				t.Fatal(err)
			}
			_, _ = b.Funcs[i].Call(context.Background(), call)
		}
		c.mu.Lock()
		for c.recent.Len() > 0 {
			c.drop(c.recent.Back().Value.(*entry))
		}
		c.mu.Unlock()
	})
}
