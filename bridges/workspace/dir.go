package workspace

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// A Dir is a directory of the host as a Store that nothing leaves. Every operation goes
// through one os.Root.
type Dir struct {
	root *os.Root
	// real is the directory without links, with slashes, to know absolute links that lead
	// inside.
	real string
	// escapes is os.Root's error for a name that leads outside.
	escapes error
}

// OpenDir opens a directory. Who opens it closes it.
func OpenDir(name string) (*Dir, error) {
	root, err := os.OpenRoot(name + "/.")
	if err != nil {
		return nil, err
	}
	d := &Dir{root: root}
	// os.Root does not export this error.
	_, err = root.Stat("..")
	var pe *fs.PathError
	if !errors.As(err, &pe) {
		root.Close()
		return nil, errors.New("workspace: this system does not contain directories")
	}
	d.escapes = pe.Err
	// Where this fails or is out of date, absolute links are refused, nothing else.
	if abs, err := filepath.Abs(name); err == nil {
		if abs, err = filepath.EvalSymlinks(abs); err == nil {
			d.real = filepath.ToSlash(abs)
		}
	}
	return d, nil
}

// Close closes the directory. Files that are open stay usable.
func (d *Dir) Close() error { return d.root.Close() }

// maxLinks is how many links one name may lead through.
const maxLinks = 40

// again reports whether work failed on a name in a way that links explain, so that it is
// worth trying without them: absolute links that lead inside, longer chains than os.Root
// follows, and links without a target, which are an error of their own.
func (d *Dir) again(err error) bool {
	return errors.Is(err, d.escapes) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ELOOP)
}

// openDirectory opens a directory. os.Root opens the last name of a path like any file, and
// so waits for the other end of a FIFO that took the directory's place; names before the
// last it opens as directories only.
func openDirectory(root *os.Root, name string) (*os.Root, error) {
	return root.OpenRoot(name + "/.")
}

// try works on a name, and again without its links.
func (d *Dir) try(name string, work func(name string) error) error {
	err := work(name)
	if !d.again(err) {
		return err
	}
	resolved, rerr := d.resolve(name)
	if rerr != nil {
		return rerr
	}
	if resolved == name {
		return d.outside(err)
	}
	return d.outside(work(resolved))
}

func (d *Dir) outside(err error) error {
	if errors.Is(err, d.escapes) {
		return ErrOutside
	}
	return err
}

// resolve is name without links, as far as it exists. What it finds is only a better name
// for the operation that follows: os.Root contains that one as any other.
func (d *Dir) resolve(name string) (string, error) {
	done, todo := ".", strings.Split(name, "/")
	links, ofLink := 0, 0 // the next ofLink names come from a link
	for len(todo) > 0 {
		next, fromLink := todo[0], ofLink > 0
		todo, ofLink = todo[1:], max(ofLink-1, 0)
		switch next {
		case "", ".":
			continue
		case "..": // only of a link
			if done == "." {
				return "", ErrOutside
			}
			done = parent(done)
			continue
		}
		at := join(done, next)
		target, err := d.root.Readlink(at)
		switch {
		case err == nil:
			if links++; links > maxLinks {
				return "", syscall.ELOOP
			}
			if target = filepath.ToSlash(target); path.IsAbs(target) || filepath.IsAbs(target) {
				if d.real == "" || !beneath(target, d.real) {
					return "", ErrOutside
				}
				done, target = ".", strings.TrimPrefix(target, d.real)
			}
			names := strings.Split(target, "/")
			todo, ofLink = append(names, todo...), ofLink+len(names)
		case errors.Is(err, fs.ErrNotExist) && fromLink:
			return "", ErrOutside // a link without a target
		case errors.Is(err, fs.ErrNotExist):
			return path.Join(append([]string{at}, todo...)...), nil
		case errors.Is(err, d.escapes):
			return "", ErrOutside
		default:
			done = at
		}
	}
	return done, nil
}

// Open implements Store.
func (d *Dir) Open(name string) (fs.File, error) {
	var f *os.File
	err := d.try(name, func(name string) (err error) {
		f, err = openRegular(name, d.root.Stat, d.root.OpenFile)
		return err
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// openRegular opens a file or directory to read it. It is looked at before, because opening
// a device can have effects, and after, because it may have been another file.
func openRegular(name string, stat func(string) (fs.FileInfo, error), open func(string, int, fs.FileMode) (*os.File, error)) (*os.File, error) {
	fi, err := stat(name)
	if err != nil {
		return nil, err
	}
	if !fi.IsDir() && !fi.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	f, err := open(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if fi, err = f.Stat(); err == nil && !fi.IsDir() && !fi.Mode().IsRegular() {
		err = ErrNotRegular
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Stat implements Store.
func (d *Dir) Stat(name string) (fi fs.FileInfo, err error) {
	err = d.try(name, func(name string) error {
		fi, err = d.root.Stat(name)
		return err
	})
	if err != nil {
		return nil, err
	}
	return fi, nil
}

// Times implements Timer.
func (d *Dir) Times(name string) (t Times, err error) {
	err = d.try(name, func(name string) error {
		t, err = timesOf(name, d.root.Stat, d.root.OpenFile)
		return err
	})
	return t, err
}

// timesOf opens a file, if it can be, for what only an open file tells.
func timesOf(name string, stat func(string) (fs.FileInfo, error), open func(string, int, fs.FileMode) (*os.File, error)) (Times, error) {
	fi, err := stat(name)
	if err != nil {
		return Times{}, err
	}
	f, err := openRegular(name, stat, open)
	if err != nil {
		return fileTimes(fi, nil), nil
	}
	defer f.Close()
	return fileTimes(fi, f), nil
}

// Lstat is Stat that does not follow name itself when it is a link.
func (d *Dir) Lstat(name string) (fi fs.FileInfo, err error) {
	err = d.onParent(name, func(name string) error {
		fi, err = d.root.Lstat(name)
		return err
	})
	return fi, err
}

// onParent is try for work that is about the last name itself, which may be a link.
func (d *Dir) onParent(name string, work func(name string) error) error {
	err := work(name)
	dir := parent(name)
	if dir == "." || !d.again(err) {
		return d.outside(err)
	}
	resolved, rerr := d.resolve(dir)
	if rerr != nil {
		return rerr
	}
	if resolved == dir {
		return d.outside(err)
	}
	return d.outside(work(join(resolved, path.Base(name))))
}

// Create implements Store.
func (d *Dir) Create(name string) (Draft, error) {
	name, err := d.resolve(name)
	if err != nil {
		return nil, err
	}
	// The handle of the directory makes sure that the draft can be removed, whatever
	// happens to the path meanwhile.
	dir, err := openDirectory(d.root, parent(name))
	if err != nil {
		return nil, d.outside(err)
	}
	return newFileDraft(dir, path.Base(name))
}

// Append implements Store.
func (d *Dir) Append(name string, data []byte) error {
	name, err := d.resolve(name)
	if err != nil {
		return err
	}
	dir, err := openDirectory(d.root, parent(name))
	if err != nil {
		return d.outside(err)
	}
	return d.outside(appendIn(dir, path.Base(name), data))
}

// Mkdir implements Store.
func (d *Dir) Mkdir(name string) error {
	return d.onParent(name, func(name string) error { return d.root.Mkdir(name, 0o777) })
}

// Remove implements Store.
func (d *Dir) Remove(name string) error {
	return d.onParent(name, func(name string) error { return d.root.Remove(name) })
}

// Rename implements Store.
func (d *Dir) Rename(from, to string) error {
	return d.onParent(from, func(from string) error {
		return d.onParent(to, func(to string) error { return d.root.Rename(from, to) })
	})
}

// fileDraft is a file under another name in the directory where it is to be.
type fileDraft struct {
	dir       *os.Root // closed by Discard
	f         *os.File // nil once closed
	temp, to  string
	committed bool
}

// newFileDraft takes over dir.
func newFileDraft(dir *os.Root, to string) (*fileDraft, error) {
	w := &fileDraft{dir: dir, to: to, temp: tempName()}
	fi, err := dir.Lstat(to)
	switch {
	case err == nil && fi.IsDir():
		err = syscall.EISDIR
	case err == nil && !fi.Mode().IsRegular():
		err = ErrNotRegular // a link, if one came after links were resolved
	case errors.Is(err, fs.ErrNotExist):
		fi, err = nil, nil
	case err == nil:
		// Who may not write to a file may not replace it either, although the rights of
		// the directory would do.
		var f *os.File
		if f, err = dir.OpenFile(to, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
			f.Close()
		}
	}
	if err == nil {
		w.f, err = dir.OpenFile(w.temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	}
	if err != nil {
		dir.Close()
		return nil, err
	}
	if fi != nil {
		// What may be done with the file stays as it was. Where this is not possible it
		// gets the rights of a new file.
		w.f.Chmod(fi.Mode().Perm())
	}
	return w, nil
}

func tempName() string {
	var b [12]byte
	rand.Read(b[:])
	return tempPrefix + hex.EncodeToString(b[:])
}

func (w *fileDraft) Write(p []byte) (int, error) { return w.f.Write(p) }

func (w *fileDraft) Commit() error {
	f := w.f
	w.f = nil
	if err := f.Close(); err != nil {
		return err
	}
	if err := w.dir.Rename(w.temp, w.to); err != nil {
		return err
	}
	w.committed = true
	return nil
}

func (w *fileDraft) Discard() {
	if w.f != nil {
		w.f.Close()
		w.f = nil
	}
	if !w.committed {
		w.dir.Remove(w.temp)
	}
	w.dir.Close()
}

// appendIn appends to a file of a directory, which it closes.
func appendIn(dir *os.Root, name string, data []byte) error {
	fi, err := dir.Lstat(name)
	switch {
	case err == nil && fi.IsDir():
		err = syscall.EISDIR
	case err == nil && !fi.Mode().IsRegular():
		err = ErrNotRegular
	case err == nil && manyNames(fi):
		return appendToCopy(dir, name, data)
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	if err != nil {
		dir.Close()
		return err
	}
	defer dir.Close()
	f, err := dir.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE|syscall.O_NONBLOCK, 0o666)
	if err != nil {
		return err
	}
	defer f.Close()
	if fi, err = f.Stat(); err != nil {
		return err
	}
	if !fi.Mode().IsRegular() || manyNames(fi) {
		return ErrNotRegular // it was exchanged
	}
	if _, err := f.Write(data); err != nil {
		f.Truncate(fi.Size())
		return err
	}
	return nil
}

// appendToCopy appends to a file that has other names, perhaps outside of the directory: it
// becomes a file of its own first. It closes dir.
func appendToCopy(dir *os.Root, name string, data []byte) error {
	old, err := openRegular(name, dir.Lstat, dir.OpenFile)
	if err != nil {
		dir.Close()
		return err
	}
	defer old.Close()
	w, err := newFileDraft(dir, name)
	if err != nil {
		return err
	}
	defer w.Discard()
	if _, err := io.Copy(w, old); err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return err
	}
	return w.Commit()
}
