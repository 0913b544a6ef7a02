package arena_test

import (
	"fmt"
	"testing"
	"unsafe"

	"quicksand/engine/arena"
	"quicksand/engine/arena/arenatest"
)

func BenchmarkTrace(b *testing.B) {
	for _, tr := range arenatest.Traces() {
		b.Run(tr.Name, func(b *testing.B) {
			r := arenatest.Reserve(b, 1<<30)
			a := &arena.Allocator{Heap: arena.Init(r)}
			slots := make([]uintptr, tr.Slots)
			for b.Loop() {
				for _, op := range tr.Ops {
					s := &slots[op.Slot]
					switch {
					case op.Size == 0:
						a.Free(*s)
						*s = 0
					case *s != 0:
						*s = a.Realloc(*s, uintptr(op.Size))
					default:
						*s = a.Alloc(uintptr(op.Size))
						*(*uintptr)(unsafe.Add(nil, *s)) = uintptr(op.Size)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(tr.Ops)), "ns/request")
		})
	}
}

func BenchmarkRestore(b *testing.B) {
	for _, kb := range []uintptr{100, 300, 1000} {
		for _, dirty := range []uintptr{0, 64 << 10, 1 << 20, 16 << 20} {
			b.Run(fmt.Sprintf("image %d KB dirty %d KB", kb, dirty>>10), func(b *testing.B) {
				r := arenatest.Reserve(b, 1<<28)
				h := arena.Init(r)
				for h.Used() < kb<<10 {
					h.Alloc(100)
				}
				im := arena.Snapshot(r)
				b.SetBytes(int64(im.Len()))
				for b.Loop() {
					if dirty != 0 {
						p := h.Alloc(dirty) - r.Base()
						mem := r.Bytes(p, dirty)
						for i := 0; i < len(mem); i += 4096 {
							mem[i] = 1
						}
					}
					im.Restore()
				}
			})
		}
	}
}

// BenchmarkRestoreImage restores an image in which a run wrote to some pages, with the help
// of the system and as one copy.
func BenchmarkRestoreImage(b *testing.B) {
	for _, kb := range []uintptr{400, 1700} {
		for _, pages := range []uintptr{0, 40, 80, 400} {
			for _, whole := range []bool{false, true} {
				name := "by page"
				if whole {
					name = "whole"
				}
				b.Run(fmt.Sprintf("image %d KB, %d pages written, %s", kb, pages, name), func(b *testing.B) {
					r, _ := filled(b, kb<<10)
					im := arena.Snapshot(r)
					if whole {
						im.CopyWhole()
					}
					n := uintptr(im.Len()) / 4096
					for b.Loop() {
						for i := range min(pages, n) {
							r.Bytes(i*37%n*4096+3000, 1)[0] = 1
						}
						im.Restore()
					}
				})
			}
		}
	}
}
