package rounds

import "syscall"

// ProcessorTime is that of this process so far, in milliseconds, of all threads together; 0
// where it is not known.
func ProcessorTime() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e6
}
