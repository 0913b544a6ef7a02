// Times of a file where stat has its birth.

package workspace

import (
	"io/fs"
	"os"
	"syscall"
	"time"
)

// fileTimes are those of a file.
func fileTimes(fi fs.FileInfo, _ *os.File) Times {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return Times{fi.ModTime(), fi.ModTime()}
	}
	return Times{Created: time.Unix(st.Birthtimespec.Unix()), Accessed: time.Unix(st.Atimespec.Unix())}
}

// manyNames reports whether a file has hard links.
func manyNames(fi fs.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && st.Nlink > 1
}
