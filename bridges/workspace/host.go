package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// hostFiles is all that the process can reach, as a Store without containment. Names are
// absolute paths with slashes.
type hostFiles struct{}

func (hostFiles) Open(name string) (fs.File, error) {
	f, err := openRegular(name, os.Stat, os.OpenFile)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (hostFiles) Stat(name string) (fs.FileInfo, error)  { return os.Stat(name) }
func (hostFiles) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }

// Times are those of a file, or of a link itself.
func (hostFiles) Times(name string) (Times, error) {
	fi, err := os.Lstat(name)
	if err != nil {
		return Times{}, err
	}
	if fi.Mode()&fs.ModeSymlink != 0 {
		return fileTimes(fi, nil), nil
	}
	return timesOf(name, os.Stat, os.OpenFile)
}

// place opens the directory in which a file is, with the file's name there. Links are
// followed, and refused when they have no target.
func (hostFiles) place(name string) (*os.Root, string, error) {
	full, err := filepath.EvalSymlinks(name)
	if errors.Is(err, fs.ErrNotExist) {
		if _, lerr := os.Lstat(name); lerr == nil {
			return nil, "", ErrOutside
		}
		full, err = name, nil
	}
	if err != nil {
		return nil, "", err
	}
	full = filepath.ToSlash(full)
	dir, err := os.OpenRoot(parent(full) + "/.")
	if err != nil {
		return nil, "", err
	}
	return dir, path.Base(full), nil
}

func (h hostFiles) Create(name string) (Draft, error) {
	dir, base, err := h.place(name)
	if err != nil {
		return nil, err
	}
	return newFileDraft(dir, base)
}

func (h hostFiles) Append(name string, data []byte) error {
	dir, base, err := h.place(name)
	if err != nil {
		return err
	}
	return appendIn(dir, base, data)
}

func (hostFiles) Mkdir(name string) error      { return os.Mkdir(name, 0o777) }
func (hostFiles) Remove(name string) error     { return os.Remove(name) }
func (hostFiles) Rename(from, to string) error { return os.Rename(from, to) }
