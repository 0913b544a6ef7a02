//go:build cgo && linux && (amd64 || arm64) && !purego

package carena_test

import (
	"testing"

	"quicksand/engine/arena/arenatest"
	"quicksand/engine/arena/carena"
)

func BenchmarkTrace(b *testing.B) {
	for _, tr := range arenatest.Traces() {
		r := carena.NewReplayer(carena.Init(arenatest.Reserve(b, 1<<30)), tr.Ops, tr.Slots)
		defer r.Close()
		for _, side := range []struct {
			name string
			run  func()
		}{{"arena", r.Arena}, {"libc", r.Libc}} {
			b.Run(tr.Name+"/"+side.name, func(b *testing.B) {
				for b.Loop() {
					side.run()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(tr.Ops)), "ns/request")
			})
		}
	}
}
