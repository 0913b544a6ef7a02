package quicksand

import (
	"context"
	"errors"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quicksand/modules"
	_ "quicksand/modules/wasm"
)

// wasmPacks is a set with the WebAssembly module of testdata/packs.
func wasmPacks(t testing.TB) *modules.Set {
	t.Helper()
	return openPacks(t, "testdata/packs/wasm-numbers").Set()
}

// openPacks is a catalog of packs which have nothing to complain of.
func openPacks(t testing.TB, dirs ...string) *modules.Catalog {
	t.Helper()
	cat, err := modules.Config{Dirs: dirs, Bare: true, Compiled: modules.NewCache(t.TempDir())}.Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range cat.Diagnostics() {
		t.Errorf("%v: %s", dirs, d)
	}
	return cat
}

func TestWASM(t *testing.T) {
	set := wasmPacks(t)
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		res := must(t, s, `import { gcd, escapeTime } from "@acme/wasm-numbers";
return [await gcd(1071n, 462n), await gcd(-(2n ** 63n), 3n), await escapeTime(0, 0, 50), await escapeTime(1, 1, 50)];`, Options{Packs: set})
		got, _ := res.Value.Any().([]any)
		if len(got) != 4 {
			t.Fatalf("got %v", res.Value)
		}
		for i, want := range []int64{21, -1} {
			n, ok := got[i].(*big.Int)
			if !ok || want > 0 && n.Int64() != want || want < 0 && new(big.Int).Abs(n).Int64() != 1 {
				t.Errorf("result %d: got %v, want the BigInt %d", i, got[i], want)
			}
		}
		if got[2] != 50.0 || got[3] != 2.0 {
			t.Errorf("got %v and %v steps, want 50 and 2", got[2], got[3])
		}
	})
}

// TestWASMCallsOfARun: the budget counts calls that were made at one time, too.
func TestWASMCallsOfARun(t *testing.T) {
	set := wasmPacks(t)
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		const code = `import { gcd } from "@acme/wasm-numbers";
const all = await Promise.allSettled(Array.from({ length: 260 }, (_, i) => gcd(BigInt(i), 12n)));
const failed = all.filter((r) => r.status === "rejected");
return [all.length - failed.length, failed.length, new Set(failed.map((r) => r.reason.name + " " + r.reason.code + " " + r.reason.message)).size, failed[0].reason.message];`
		for range 2 { // the next run has its own
			res := must(t, s, code, Options{Packs: set})
			wantJSON(t, "result", res.Value, `[256,4,1,"@acme/wasm-numbers.gcd: the run has made its 256 calls (callsPerInvocation)"]`)
		}
		_, err := s.Run(context.Background(), `import { gcd } from "@acme/wasm-numbers"; for (;;) await gcd(1n, 1n);`, Options{Packs: set})
		var e *Error
		if !errors.As(err, &e) || e.Kind != KindLimit || e.Limit != "callsPerInvocation" || e.Value != 256 {
			t.Errorf("a run that does not catch it: got %+v", err)
		}
	})
}

func TestWASMTakesTheTimeOfTheRun(t *testing.T) {
	set := wasmPacks(t)
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		_, err := s.Run(context.Background(), `import { escapeTime } from "@acme/wasm-numbers"; await escapeTime(0, 0, 2147483647);`,
			Options{Packs: set, Limits: Limits{Timeout: 50 * time.Millisecond}})
		if !errors.Is(err, ErrTimeout) {
			t.Errorf("got %v, want a timeout", err)
		}
		_, err = s.Run(context.Background(), `import { escapeTime } from "@acme/wasm-numbers"; await escapeTime(0, 0, 2147483647);`, Options{Packs: set})
		var e *Error
		if !errors.As(err, &e) || e.Limit != "callTimeoutMs" || !strings.Contains(e.Message, "1000 ms") {
			t.Errorf("got %v, want that the call took too long", err)
		}
	})
}

// TestWASMOfATruncatedBinary: the pack is refused when it is found, so that no run starts.
func TestWASMOfATruncatedBinary(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"package.json", "SKILL.md", "numbers.wasm"} {
		b, err := os.ReadFile(filepath.Join("testdata/packs/wasm-numbers", name))
		if err != nil {
			t.Fatal(err)
		}
		if name == "numbers.wasm" {
			b = b[:len(b)-10]
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cat, err := modules.Config{Dirs: []string{dir}, Bare: true, Compiled: modules.NewCache(t.TempDir())}.Open()
	if err != nil {
		t.Fatal(err)
	}
	d := cat.Diagnostics()
	if len(d) != 1 || d[0].Code != modules.CodeDiscovery || !strings.Contains(d[0].Message, "truncated") {
		t.Errorf("got %v", d)
	}
	_, err = Run(context.Background(), `import { gcd } from "@acme/wasm-numbers"; console.log("started");`, Options{Packs: cat.Set()})
	if !errors.Is(err, ErrDenied) {
		t.Errorf("got %v, want a denied import", err)
	}
}

// BenchmarkWASMCall is one call of a function, and its awaiting.
func BenchmarkWASMCall(b *testing.B) {
	set := wasmPacks(b)
	eachEngineBench(b, func(b *testing.B, s *Sandbox) {
		const calls = 200
		code := `import { gcd } from "@acme/wasm-numbers"; for (let i = 0; i < 200; i++) await gcd(1071n, 462n);`
		n := int(math.Ceil(float64(b.N) / calls))
		b.ResetTimer()
		for range n {
			must(b, s, code, Options{Packs: set})
		}
	})
}
