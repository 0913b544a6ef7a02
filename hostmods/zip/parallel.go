package zip

import (
	"runtime"
	"sync"
)

// inParallel calls work for 0 to n-1, on as many goroutines as there are processors, which
// have ended when it returns. Of errors it returns that of the least number; after one,
// nothing more is begun. A panic goes on in the caller, which has somebody to recover it.
func inParallel(n int, work func(i int) error) error {
	var (
		mu       sync.Mutex
		next     int
		failed   = n
		first    error
		panicked any
		wg       sync.WaitGroup
	)
	take := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		if next >= failed || panicked != nil {
			return 0, false
		}
		next++
		return next - 1, true
	}
	worker := func() {
		defer func() {
			if p := recover(); p != nil {
				mu.Lock()
				panicked = p
				mu.Unlock()
			}
		}()
		for i, ok := take(); ok; i, ok = take() {
			if err := work(i); err != nil {
				mu.Lock()
				if i < failed {
					failed, first = i, err
				}
				mu.Unlock()
			}
		}
	}
	for range min(n, runtime.GOMAXPROCS(0)) - 1 {
		wg.Go(worker)
	}
	worker()
	wg.Wait()
	if panicked != nil {
		panic(panicked)
	}
	return first
}
