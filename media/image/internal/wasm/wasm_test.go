package wasm

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	_ "unsafe" // for go:linkname

	_ "github.com/gen2brain/webp"
	"github.com/tetratelabs/wazero"
)

// loops is a module with one page of memory and three functions: "forever" loops, "deep" loops
// within loops and blocks, with a count of 10 000 turns that it returns, and "grow" takes n
// pages more.
var loops = func() []byte {
	section := func(id byte, items ...[]byte) []byte {
		var body []byte
		body = append(body, byte(len(items)))
		for _, i := range items {
			body = append(body, i...)
		}
		return append([]byte{id, byte(len(body))}, body...)
	}
	code := func(locals []byte, ops ...byte) []byte {
		f := append(append(locals, ops...), 0x0B)
		return append([]byte{byte(len(f))}, f...)
	}
	export := func(name string, kind, index byte) []byte {
		return append(append([]byte{byte(len(name))}, name...), kind, index)
	}
	var m []byte
	m = append(m, "\x00asm\x01\x00\x00\x00"...)
	m = append(m, section(1, []byte{0x60, 0, 0}, []byte{0x60, 0, 1, 0x7F}, []byte{0x60, 1, 0x7F, 1, 0x7F})...)
	m = append(m, section(3, []byte{0}, []byte{1}, []byte{2}, []byte{0})...)
	m = append(m, section(5, []byte{0, 1})...)
	m = append(m, section(7, export("forever", 0, 0), export("deep", 0, 1), export("grow", 0, 2), export("_initialize", 0, 3), export("memory", 2, 0))...)
	m = append(m, section(10,
		code([]byte{0}, 0x03, 0x40, 0x0C, 0, 0x0B),
		code([]byte{1, 3, 0x7F}, // i, k, n
			0x03, 0x40, // loop
			0x41, 0, 0x21, 1, // k = 0
			0x02, 0x40, 0x03, 0x40, // block loop
			0x20, 2, 0x41, 1, 0x6A, 0x21, 2, // n++
			0x20, 1, 0x41, 1, 0x6A, 0x22, 1, // k++
			0x41, 0xE4, 0, 0x49, 0x0D, 0, // if k < 100 continue
			0x0B, 0x0B,
			0x20, 0, 0x41, 1, 0x6A, 0x22, 0, // i++
			0x41, 0xE4, 0, 0x49, 0x0D, 0, // if i < 100 continue
			0x0B, 0x20, 2),
		code([]byte{0}, 0x20, 0, 0x40, 0),
		code([]byte{0}),
	)...)
	return m
}()

func zipped(module []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(module)
	z.Close()
	return b.Bytes()
}

func TestALoopEndsWithItsContext(t *testing.T) {
	m := New(zipped(loops))
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	err := m.Run(ctx, 1<<20, func(in *Instance) error {
		_, err := in.Call("forever")
		return err
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	err = m.Run(ctx, 1<<20, func(in *Instance) error { t.Error("it runs after the end of its context"); return nil })
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestLoopsCountAsTheyDidBefore(t *testing.T) {
	m := New(zipped(loops))
	err := m.Run(context.Background(), 1<<20, func(in *Instance) error {
		n, err := in.Call("deep")
		if n != 10000 {
			t.Errorf("%d turns, want 10000", n)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	m := New(zipped(loops))
	rows := []struct {
		name  string
		limit int64
		pages uint64
		want  int32 // pages before, or -1
	}{
		{"within the limit", 10 * page, 9, 1},
		{"one page over the limit", 10 * page, 10, -1},
		{"all that there is", 10 * page, 65535, -1},
		{"over the limit of all instances", 1 << 40, 1 << 14, -1},
	}
	for _, row := range rows {
		err := m.Run(context.Background(), row.limit, func(in *Instance) error {
			got, err := in.Call("grow", row.pages)
			if int32(got) != row.want {
				t.Errorf("%s: got %d, want %d", row.name, int32(got), row.want)
			}
			if in.Memory() > MaxMemory {
				t.Errorf("%s: %d bytes", row.name, in.Memory())
			}
			return err
		})
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
		}
	}
}

// webp is a library that asks for memory.
//
//go:linkname webp github.com/gen2brain/webp.webpWasm
var webp []byte

func TestALibraryOutOfMemorySaysSo(t *testing.T) {
	err := New(webp).Run(context.Background(), 8<<20, func(in *Instance) error {
		if _, err := in.Put(make([]byte, 1<<20)); err != nil {
			t.Error(err)
		}
		_, err := in.Alloc(64 << 20)
		return err
	})
	if !errors.Is(err, ErrMemory) {
		t.Errorf("got %v", err)
	}
}

func TestBrokenModules(t *testing.T) {
	rows := []struct {
		name   string
		zipped []byte
		text   string
	}{
		{"no gzip", []byte("hello"), "unexpected EOF"},
		{"bytes behind the functions", zipped([]byte("\x00asm\x01\x00\x00\x00\x0A\x02\x00\x00")), "behind the last function"},
		{"more local variables than bytes", zipped([]byte("\x00asm\x01\x00\x00\x00\x0A\x07\x01\x05\xFF\xFF\xFF\xFF\x0F")), "cut short"},
		{"no module", zipped([]byte("hello world")), "wasm: no module"},
		{"a module cut short", zipped(loops[:len(loops)-20]), "wasm: the module is cut short"},
		{"an instruction that is not known", zipped(bytes.Replace(loops, []byte{0x03, 0x40, 0x0C, 0}, []byte{0x06, 0x40, 0x0C, 0}, 1)), "unknown instruction 0x06"},
	}
	for _, row := range rows {
		err := New(row.zipped).Run(context.Background(), 1<<20, func(*Instance) error { return nil })
		if err == nil || !strings.Contains(err.Error(), row.text) {
			t.Errorf("%s: got %v, want …%s…", row.name, err, row.text)
		}
	}
}

func TestInstancesAreNotLeaked(t *testing.T) {
	m := New(zipped(loops))
	run := func() {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		m.Run(ctx, 4<<20, func(in *Instance) error {
			in.Call("grow", 60)
			_, err := in.Call("no such function")
			return err
		})
	}
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	run()
	before, goroutines := heap(), runtime.NumGoroutine()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				run()
			}
		})
	}
	wg.Wait()
	if after := heap(); after > before+8<<20 {
		t.Errorf("%d bytes more after 200 instances of 4 MB", after-before)
	}
	if n := runtime.NumGoroutine(); n > goroutines+2 {
		t.Errorf("%d goroutines, %d before", n, goroutines)
	}
}

// What is a module without the checks is one with them.
func FuzzInstrument(f *testing.F) {
	ctx := context.Background()
	runtime := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	f.Add(loops)
	f.Fuzz(func(t *testing.T, module []byte) {
		before, err := runtime.CompileModule(ctx, module)
		if err == nil {
			before.Close(ctx)
		}
		out, ierr := instrument(module)
		if err != nil || ierr != nil {
			return
		}
		after, err := runtime.CompileModule(ctx, out)
		if err != nil && strings.Contains(err.Error(), "memory must exist") {
			return // the checks read memory
		}
		if err != nil {
			t.Fatalf("with checks the module is none: %v", err)
		}
		after.Close(ctx)
	})
}
