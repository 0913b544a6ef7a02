// Times of a file where only its last change is known.

//go:build !linux && !darwin && !windows

package workspace

import (
	"io/fs"
	"os"
)

// fileTimes are those of a file.
func fileTimes(fi fs.FileInfo, _ *os.File) Times { return Times{fi.ModTime(), fi.ModTime()} }

// manyNames reports whether a file has hard links, which is not known here.
func manyNames(fs.FileInfo) bool { return false }
