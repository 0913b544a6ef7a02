package bench

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Sample repeats f n times and times each repetition. Contenders written in Go use it.
func Sample(n int, f func() error) (Batch, error) {
	return Collect(n, func() (float64, error) {
		start := time.Now()
		err := f()
		return float64(time.Since(start)), err
	})
}

// Collect repeats f n times and collects what it returns.
func Collect(n int, f func() (float64, error)) (Batch, error) {
	b := Batch{Values: make([]float64, 0, n)}
	resetPeak()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range n {
		v, err := f()
		if err != nil {
			return b, err
		}
		b.Values = append(b.Values, v)
	}
	runtime.ReadMemStats(&after)
	b.Allocs = float64(after.Mallocs-before.Mallocs) / float64(n)
	b.AllocBytes = float64(after.TotalAlloc-before.TotalAlloc) / float64(n)
	b.PeakRSS = peak()
	return b, nil
}

// resetPeak lets the kernel count the peak of resident memory anew; proc(5) clear_refs.
func resetPeak() {
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0o200) // elsewhere the peak is that of the process
}

// peak is the largest resident memory since resetPeak, 0 where it is not known.
func peak() int64 { return statusField("VmHWM:") }

// resident is the resident memory, 0 where it is not known.
func resident() int64 { return statusField("VmRSS:") }

func statusField(name string) int64 {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if v, ok := strings.CutPrefix(line, name); ok {
			kb, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(v), " kB"), 10, 64)
			return kb << 10
		}
	}
	return 0
}
