package quicksand

import (
	"context"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// images counts the mappings of heaps in this process.
func images(t *testing.T) int {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Skip(err)
	}
	return strings.Count(string(maps), "quicksand image")
}

// TestCloseLeavesNothing makes sandboxes and forgets them: heaps are released when they are
// closed, and those of the engine's compiler some time later.
func TestCloseLeavesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes many heaps")
	}
	const sandboxes = 12
	eachEngine(t, func(t *testing.T, shared *Sandbox) {
		before := images(t)
		for range sandboxes {
			name, _ := shared.Engine()
			s, err := New(Config{Engine: name, Isolates: 1})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Run(context.Background(), "return 1", Options{}); err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
		// The collector decides when; the last ones may still be in a frame. Each has more than one.
		for left, end := 0, time.Now().Add(30*time.Second); ; runtime.GC() {
			if left = images(t) - before; left < sandboxes/2 {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%d mappings are left of %d sandboxes", left, sandboxes)
			}
		}
	})
}
