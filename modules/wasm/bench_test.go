package wasm

import (
	"context"
	"testing"

	"quicksand/bridges"
	"quicksand/internal/marshal"
	"quicksand/modules"
)

// BenchmarkCall is one call with its fresh instance, without an engine.
func BenchmarkCall(b *testing.B) {
	br, err := Compile(machine.bytes(), declare(machine, modules.WASMLimits{}, 2))
	if err != nil {
		b.Fatal(err)
	}
	f := &br.Funcs[4] // add
	v, err := marshal.NewValue([]any{1, 2}, marshal.EncodeOptions{})
	if err != nil {
		b.Fatal(err)
	}
	s := bridges.NewSession(bridges.SessionOptions{})
	defer s.Close()
	state, err := s.State(br)
	if err != nil {
		b.Fatal(err)
	}
	run := state.(*runState).run
	for b.Loop() {
		run.used, run.spent = 0, 0
		c, err := bridges.Unpack(s, br, f, v)
		if err != nil {
			b.Fatal(err)
		}
		c.State = state
		if _, err := f.Call(context.Background(), c); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCompile checks and compiles a small binary.
func BenchmarkCompile(b *testing.B) {
	bin, decl := numbers.bytes(), declare(numbers, modules.WASMLimits{}, 0)
	for b.Loop() {
		var c cache
		if _, err := c.bridge(bin, decl); err != nil {
			b.Fatal(err)
		}
		c.mu.Lock()
		c.drop(c.recent.Back().Value.(*entry))
		c.mu.Unlock()
	}
}
