package quicksand

import (
	"context"
	"runtime"
	"sync"
	"testing"

	"quicksand/bridges"
)

// What the engine is told about modules of the host is in Go's heap, and nothing of it may be
// found by Go's collector after it is free: runs that import such modules go on while the
// collector works.
func TestModulesOfTheHostAndTheCollector(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		host := &bridges.Bridge{Name: "one", Always: true, Funcs: []bridges.Func{{Name: "f", Call: func(context.Context, *bridges.Call) (any, error) { return 1.0, nil }}}}
		stop, done := make(chan bool), sync.WaitGroup{}
		done.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					runtime.GC()
				}
			}
		})
		for i := range 400 {
			name := string(rune('a' + i%26))
			res := must(t, s, `import { f } from "`+name+`"; return await f()`, Options{Modules: map[string]Module{name: {Host: host}}})
			wantJSON(t, "result", res.Value, "1")
		}
		close(stop)
		done.Wait()
	})
}
