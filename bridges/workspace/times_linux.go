// Times of a file where statx knows its birth.

package workspace

import (
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// fileTimes are those of a file; f is nil when it could not be opened. Where its birth is
// not known it is as old as its oldest time.
func fileTimes(fi fs.FileInfo, f *os.File) Times {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return Times{fi.ModTime(), fi.ModTime()}
	}
	t := Times{Created: time.Unix(st.Ctim.Unix()), Accessed: time.Unix(st.Atim.Unix())}
	if fi.ModTime().Before(t.Created) {
		t.Created = fi.ModTime()
	}
	if f == nil {
		return t
	}
	var x unix.Statx_t
	if err := unix.Statx(int(f.Fd()), "", unix.AT_EMPTY_PATH, unix.STATX_BTIME, &x); err == nil && x.Mask&unix.STATX_BTIME != 0 {
		t.Created = time.Unix(x.Btime.Sec, int64(x.Btime.Nsec))
	}
	return t
}

// manyNames reports whether a file has hard links.
func manyNames(fi fs.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && st.Nlink > 1
}
