// Times of a file where they are part of its attributes.

package workspace

import (
	"io/fs"
	"os"
	"syscall"
	"time"
)

// fileTimes are those of a file.
func fileTimes(fi fs.FileInfo, _ *os.File) Times {
	a, ok := fi.Sys().(*syscall.Win32FileAttributeData)
	if !ok {
		return Times{fi.ModTime(), fi.ModTime()}
	}
	return Times{Created: time.Unix(0, a.CreationTime.Nanoseconds()), Accessed: time.Unix(0, a.LastAccessTime.Nanoseconds())}
}

// manyNames reports whether a file has hard links, which attributes do not tell here.
func manyNames(fs.FileInfo) bool { return false }
