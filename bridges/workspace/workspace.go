package workspace

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"quicksand/bridges"
	"quicksand/internal/webapi"
)

// A Workspace is the files of one run under its policy. It is safe for concurrent use, and
// closed with the run.
//
// Paths are those of guests, in all their spellings. Errors are *bridges.Error and fit for
// guests, except those of a context.
type Workspace struct {
	store    Store
	close    func() error // or nil
	host     bool
	readOnly bool
	root     string
	home     string

	entries, fileSize, readSize, memory int64

	// lock is held by the one call that changes something.
	lock    chan struct{}
	account account

	mu    sync.Mutex // guards what follows
	held  int64      // bytes that reads hold
	freed chan struct{}
}

// Of is the workspace of a run, or bridges.ErrNotGranted.
func Of(s *bridges.Session) (*Workspace, error) {
	st, err := s.State(Bridge)
	if err != nil {
		return nil, err
	}
	return st.(*Workspace), nil
}

// Close ends the workspace. The run that owns it does that.
func (w *Workspace) Close() error {
	if w.close == nil {
		return nil
	}
	return w.close()
}

// Root is the path under which guests know the workspace: "/workspace", or a directory of
// the host where the policy shows it.
func (w *Workspace) Root() string { return w.root }

// Path is a path in full, beginning with Root unless it is in host mode.
func (w *Workspace) Path(path string) (string, error) {
	name, err := w.resolve("workspace.root", path)
	switch {
	case err != nil || w.host:
		return name, err
	case name == ".":
		return w.root, nil
	}
	return strings.TrimSuffix(w.root, "/") + "/" + name, nil
}

// Read is the content of a file.
func (w *Workspace) Read(ctx context.Context, path string) ([]byte, error) {
	return w.read(ctx, "workspace.readBytes", path, 0, math.MaxInt64)
}

// ReadRange is at most length bytes of a file from offset, fewer where it ends.
func (w *Workspace) ReadRange(ctx context.Context, path string, offset, length int64) ([]byte, error) {
	return w.read(ctx, "workspace.readBytes", path, max(offset, 0), max(length, 0))
}

// Write makes or replaces a file, with the directories above it. It does not keep data.
func (w *Workspace) Write(ctx context.Context, path string, data []byte) error {
	return w.write(ctx, "workspace.writeBytes", path, data)
}

// Append adds to a file, or makes it.
func (w *Workspace) Append(ctx context.Context, path string, data []byte) error {
	return w.append(ctx, "workspace.appendBytes", path, data)
}

// List is the names in a directory, or with recursive the paths of all that is below it,
// sorted.
func (w *Workspace) List(ctx context.Context, path string, recursive bool) ([]string, error) {
	return w.list(ctx, "workspace.list", path, recursive)
}

// Glob is the paths that match a pattern, sorted.
func (w *Workspace) Glob(ctx context.Context, pattern string) ([]string, error) {
	return w.glob(ctx, "workspace.glob", pattern, false)
}

// Stat describes a file or directory. What is not there, or refused, does not exist.
func (w *Workspace) Stat(path string) (Stat, error) { return w.stat("workspace.stat", path) }

// Copy copies a file, or with recursive a directory.
func (w *Workspace) Copy(ctx context.Context, from, to string, recursive bool) error {
	return w.copy(ctx, "workspace.copy", from, to, recursive)
}

// Move renames a file or directory.
func (w *Workspace) Move(ctx context.Context, from, to string) error {
	return w.move(ctx, "workspace.move", from, to)
}

// Mkdir makes a directory and those above it.
func (w *Workspace) Mkdir(ctx context.Context, path string) error {
	return w.mkdir(ctx, "workspace.mkdir", path)
}

// Remove removes a file or an empty directory, or with recursive any directory.
func (w *Workspace) Remove(ctx context.Context, path string, recursive bool) error {
	return w.remove(ctx, "workspace.remove", path, recursive)
}

// resolve is the name in the store of a guest's path.
func (w *Workspace) resolve(op, path string) (string, error) {
	if w.host {
		return cleanHost(op, path, w.root, w.home)
	}
	if w.root != "/workspace" {
		if p := strings.ReplaceAll(path, `\`, "/"); p == w.root || strings.HasPrefix(p, w.root+"/") {
			path = p[len(w.root):]
		}
	}
	return clean(op, path)
}

// file is resolve for what cannot be the root.
func (w *Workspace) file(op, path string) (string, error) {
	name, err := w.resolve(op, path)
	if err == nil && name == "." {
		err = outside(path, nil)
	}
	return name, err
}

// toChange is what every change begins with: it checks the policy, and waits for others.
func (w *Workspace) toChange(ctx context.Context, path string) error {
	if w.readOnly {
		return &bridges.Error{Kind: bridges.KindDenied, Code: "EROFS", Message: "EROFS: the workspace is read-only: " + show(path)}
	}
	select {
	case w.lock <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if ctx.Err() != nil {
		w.changed()
		return context.Cause(ctx)
	}
	return nil
}

func (w *Workspace) changed() { <-w.lock }

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// chunk is how much is read or written between two looks at the context.
const chunk = 1 << 20

// read is what readHeld is for callers which account for the bytes themselves.
func (w *Workspace) read(ctx context.Context, op, path string, offset, length int64) ([]byte, error) {
	data, give, err := w.readHeld(ctx, op, path, offset, length)
	if err != nil {
		return nil, err
	}
	give()
	return data, nil
}

// readHeld is at most length bytes of a file from offset. They count among those that the
// run holds until give is called, which is to be called once they are not held any more.
func (w *Workspace) readHeld(ctx context.Context, op, path string, offset, length int64) (data []byte, give func(), err error) {
	name, err := w.file(op, path)
	if err != nil {
		return nil, nil, err
	}
	f, err := w.store.Open(name)
	if err != nil {
		return nil, nil, explain(path, err)
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, nil, explain(path, err)
	}
	if fi.IsDir() {
		return nil, nil, isDirectory(path)
	}
	want := max(min(length, fi.Size()-offset), 0)
	tooMuch := func(n int64) error {
		return over(op, &limitReadSize, w.readSize, n, "%d bytes are more than one read may return, %d: read ranges", n, w.readSize)
	}
	if want > w.readSize {
		return nil, nil, tooMuch(want)
	}
	if err := w.take(ctx, want); err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			w.give(want)
		}
	}()
	r, err := from0(ctx, f, offset)
	if err != nil {
		return nil, nil, explain(path, err)
	}
	// One byte more than expected tells at the end that there is no more.
	data = make([]byte, 0, want+1)
	for int64(len(data)) < length {
		if err := ctx.Err(); err != nil {
			return nil, nil, context.Cause(ctx)
		}
		if len(data) == cap(data) { // it grows while it is read, or did not know its size
			if int64(len(data)) > w.readSize {
				return nil, nil, tooMuch(int64(len(data)))
			}
			data = append(data, 0)[:len(data)]
		}
		n, err := r.Read(data[len(data):min(int64(cap(data)), int64(len(data))+chunk, length)])
		data = data[:len(data)+n]
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, explain(path, err)
		}
	}
	if int64(len(data)) > w.readSize {
		return nil, nil, tooMuch(int64(len(data)))
	}
	return data, func() { w.give(want) }, nil
}

// from0 reads a file from an offset.
func from0(ctx context.Context, f fs.File, offset int64) (io.Reader, error) {
	if offset == 0 {
		return f, nil
	}
	switch f := f.(type) {
	case io.ReaderAt:
		return io.NewSectionReader(f, offset, math.MaxInt64-offset), nil
	case io.Seeker:
		_, err := f.Seek(offset, io.SeekStart)
		return f.(io.Reader), err
	}
	for offset > 0 {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		n, err := io.CopyN(io.Discard, f, min(offset, chunk))
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		offset -= n
	}
	return f, nil
}

// readText is readHeld for text.
func (w *Workspace) readText(ctx context.Context, op, path string, offset, length int64) (text string, give func(), err error) {
	b, give, err := w.readHeld(ctx, op, path, offset, length)
	if err != nil {
		return "", nil, err
	}
	text = webapi.DecodeUTF8(b)
	if n := int64(len(text)); n > w.readSize {
		give()
		return "", nil, over(op, &limitReadSize, w.readSize, n, "the text is longer than one read may return, %d bytes", w.readSize)
	}
	return text, give, nil
}

func (w *Workspace) write(ctx context.Context, op, path string, data []byte) error {
	name, err := w.file(op, path)
	if err != nil {
		return err
	}
	return w.put(ctx, op, path, name, int64(len(data)), func(to io.Writer) error {
		for {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			n := min(len(data), chunk)
			if _, err := to.Write(data[:n]); err != nil {
				return err
			}
			if data = data[n:]; len(data) == 0 {
				return nil
			}
		}
	})
}

func (w *Workspace) tooLarge(op string, size int64) error {
	return over(op, &limitFileSize, w.fileSize, size, "a file of %d bytes is larger than the limit of %d", size, w.fileSize)
}

// put makes a file of size bytes, which fill writes. When it fails, there is nothing that
// was not there before.
func (w *Workspace) put(ctx context.Context, op, path, name string, size int64, fill func(io.Writer) error) error {
	if size > w.fileSize {
		return w.tooLarge(op, size)
	}
	if err := w.toChange(ctx, path); err != nil {
		return err
	}
	defer w.changed()
	if err := w.count(ctx, op); err != nil {
		return explain(path, err)
	}
	old, fresh, err := w.target(path, name)
	if err != nil {
		return err
	}
	return w.within(op, path, name, size-old, fresh, func() error {
		d, err := w.store.Create(name)
		if err != nil {
			return err
		}
		defer d.Discard()
		if err := fill(d); err != nil {
			return err
		}
		return d.Commit()
	})
}

// target looks at where a file is to be: the size of the file that is there, or that there
// is none.
func (w *Workspace) target(path, name string) (size, fresh int64, err error) {
	fi, err := w.store.Stat(name)
	switch {
	case isMissing(err):
		return 0, 1, nil
	case err != nil:
		return 0, 0, explain(path, err)
	case fi.IsDir():
		return 0, 0, isDirectory(path)
	case !fi.Mode().IsRegular():
		return 0, 0, notRegular(path)
	}
	return fi.Size(), 0, nil
}

// within makes the directories above name and does a change that adds bytes and files, all
// within the account. When work fails, nothing of that is left.
func (w *Workspace) within(op, path, name string, bytes, files int64, work func() error) error {
	var missing []string
	for dir := parent(name); dir != name && dir != "."; dir = parent(dir) {
		fi, err := w.store.Stat(dir)
		if err == nil && !fi.IsDir() {
			return notDirectory(path)
		}
		if err == nil {
			break
		}
		if !isMissing(err) {
			return explain(path, err)
		}
		missing = append(missing, dir)
		name = dir
	}
	files += int64(len(missing))
	if err := w.charge(op, bytes, files); err != nil {
		return err
	}
	made := len(missing)
	var err error
	for made > 0 && err == nil {
		if err = w.store.Mkdir(missing[made-1]); err == nil || errors.Is(err, fs.ErrExist) {
			err = nil
			made--
		}
	}
	if err == nil {
		err = work()
	}
	if err == nil {
		return nil
	}
	w.credit(bytes, files)
	for _, dir := range missing[made:] {
		w.store.Remove(dir) // a directory that others use meanwhile is not empty, and stays
	}
	return explain(path, err)
}

func (w *Workspace) append(ctx context.Context, op, path string, data []byte) error {
	name, err := w.file(op, path)
	if err != nil {
		return err
	}
	if err := w.toChange(ctx, path); err != nil {
		return err
	}
	defer w.changed()
	if err := w.count(ctx, op); err != nil {
		return explain(path, err)
	}
	old, fresh, err := w.target(path, name)
	if err != nil {
		return err
	}
	if size := old + int64(len(data)); size > w.fileSize {
		return w.tooLarge(op, size)
	}
	return w.within(op, path, name, int64(len(data)), fresh, func() error { return w.store.Append(name, data) })
}

// A Stat is what guests learn of a file. Times are in milliseconds since 1970.
type Stat struct {
	Exists      bool  `json:"exists"`
	Size        int64 `json:"size"` // 0 for directories
	IsDirectory bool  `json:"isDirectory"`
	IsFile      bool  `json:"isFile"`
	IsSymlink   bool  `json:"isSymlink"` // in host mode; elsewhere links are followed
	ModifiedMs  int64 `json:"modifiedMs"`
	CreatedMs   int64 `json:"createdMs"`
	AccessedMs  int64 `json:"accessedMs"`
}

func (w *Workspace) stat(op, path string) (Stat, error) {
	name, err := w.resolve(op, path)
	if err == nil {
		var fi fs.FileInfo
		if w.host {
			fi, err = lstat(w.store, name)
		} else {
			fi, err = w.store.Stat(name)
		}
		if err == nil {
			return w.describe(name, fi), nil
		}
	}
	err = explain(path, err)
	var e *bridges.Error
	if errors.As(err, &e) && e.Kind != bridges.KindLimit && e.Name == "" {
		switch e.Code {
		case "ENOENT", "ENOTDIR", "EACCES", "ELOOP", "EINVAL", "ENAMETOOLONG":
			return Stat{}, nil
		}
	}
	return Stat{}, err
}

func (w *Workspace) describe(name string, fi fs.FileInfo) Stat {
	s := Stat{Exists: true, IsDirectory: fi.IsDir(), IsFile: fi.Mode().IsRegular(), IsSymlink: fi.Mode()&fs.ModeSymlink != 0}
	if !s.IsDirectory {
		s.Size = fi.Size()
	}
	t := Times{fi.ModTime(), fi.ModTime()}
	if timer, ok := w.store.(Timer); ok {
		if known, err := timer.Times(name); err == nil {
			t = known
		}
	}
	s.ModifiedMs, s.CreatedMs, s.AccessedMs = millis(fi.ModTime()), millis(t.Created), millis(t.Accessed)
	return s
}

func millis(t time.Time) int64 {
	if t.IsZero() { // as embedded files have it
		return 0
	}
	return t.UnixMilli()
}

func (w *Workspace) copy(ctx context.Context, op, from, to string, recursive bool) error {
	src, err := w.file(op, from)
	if err != nil {
		return err
	}
	dst, err := w.file(op, to)
	if err != nil {
		return err
	}
	if w.readOnly {
		return w.toChange(ctx, to)
	}
	fi, err := w.store.Stat(src)
	if err != nil {
		return notCopied(from, err)
	}
	switch {
	case !fi.IsDir():
		return w.copyFile(ctx, op, from, src, to, dst)
	case !recursive:
		return &bridges.Error{Code: "EISDIR", Message: "EISDIR: is a directory, which only {recursive: true} copies: " + show(from)}
	case beneath(dst, src):
		return intoItself(from)
	}
	return w.copyTree(ctx, op, from, src, to, dst)
}

func intoItself(path string) error {
	return failure("EINVAL", "a directory cannot be put into itself", path, nil)
}

// notCopied is the error for the source of a copy or move.
func notCopied(path string, err error) error {
	if isMissing(err) {
		return &bridges.Error{Code: "ENOENT", Message: "Cannot copy " + show(path) + ": it does not exist", Err: err}
	}
	return explain(path, err)
}

func (w *Workspace) copyFile(ctx context.Context, op, from, src, to, dst string) error {
	f, err := w.store.Open(src)
	if err != nil {
		return notCopied(from, err)
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return explain(from, err)
	}
	if fi.IsDir() {
		return isDirectory(from)
	}
	// Not more than it had when it was opened is copied, for that is what is accounted.
	left := fi.Size()
	return w.put(ctx, op, to, dst, left, func(to io.Writer) error {
		buf := make([]byte, min(left, chunk))
		for left > 0 {
			if err := ctx.Err(); err != nil {
				return context.Cause(ctx)
			}
			n, err := f.Read(buf[:min(left, int64(len(buf)))])
			if _, werr := to.Write(buf[:n]); werr != nil {
				return werr
			}
			left -= int64(n)
			if err == io.EOF {
				break
			}
			if err != nil {
				return explain(from, err)
			}
		}
		return nil
	})
}

// copyTree copies a directory. What is there before it starts is copied, so that it ends also
// where the target is inside of the source through a link.
func (w *Workspace) copyTree(ctx context.Context, op, from, src, to, dst string) error {
	tree, err := w.walk(ctx, op, from, src, false, nil)
	if err != nil {
		return err
	}
	if _, err := w.store.Stat(dst); isMissing(err) {
		// What can be known to be too much is refused before the first file is copied.
		if err := w.wouldFit(ctx, op, to, src, tree); err != nil {
			return err
		}
	}
	if err := w.mkdir(ctx, op, to); err != nil {
		return err
	}
	for _, e := range tree {
		if e.dir {
			err = w.makeDir(ctx, op, to, join(dst, e.path))
		} else {
			err = w.copyFile(ctx, op, from+"/"+e.path, join(src, e.path), to+"/"+e.path, join(dst, e.path))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// wouldFit reports by an error that a copy of a tree does not fit.
func (w *Workspace) wouldFit(ctx context.Context, op, path, src string, tree []entry) error {
	var bytes int64
	for _, e := range tree {
		if e.dir {
			continue
		}
		if fi, err := w.store.Stat(join(src, e.path)); err == nil {
			if bytes += fi.Size(); fi.Size() > w.fileSize {
				return w.tooLarge(op, fi.Size())
			}
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	if err := w.toChange(ctx, path); err != nil {
		return err
	}
	defer w.changed()
	if err := w.count(ctx, op); err != nil {
		return explain(path, err)
	}
	files := int64(len(tree)) + 1
	if err := w.charge(op, bytes, files); err != nil {
		return err
	}
	w.credit(bytes, files)
	return nil
}

func (w *Workspace) move(ctx context.Context, op, from, to string) error {
	src, err := w.file(op, from)
	if err != nil {
		return err
	}
	dst, err := w.file(op, to)
	if err != nil {
		return err
	}
	if again, err := w.rename(ctx, op, from, src, to, dst); !again {
		return err
	}
	// A link, whose target would be another one elsewhere, or another device.
	if err := w.copy(ctx, op, from, to, true); err != nil {
		return err
	}
	link, err := lstat(w.store, src)
	if err != nil {
		return explain(from, err)
	}
	return w.remove(ctx, op, from, link.IsDir())
}

// rename moves in one step, or says that this is not possible.
func (w *Workspace) rename(ctx context.Context, op, from, src, to, dst string) (copyInstead bool, err error) {
	if err := w.toChange(ctx, to); err != nil {
		return false, err
	}
	defer w.changed()
	if err := w.count(ctx, op); err != nil {
		return false, explain(to, err)
	}
	fi, err := w.store.Stat(src)
	if err != nil {
		return false, notCopied(from, err)
	}
	if link, err := lstat(w.store, src); err != nil {
		return false, notCopied(from, err)
	} else if link.Mode()&fs.ModeSymlink != 0 {
		return true, nil
	}
	if !fi.IsDir() && !fi.Mode().IsRegular() {
		return false, notRegular(from)
	}
	if src == dst {
		return false, nil
	}
	if fi.IsDir() && beneath(dst, src) {
		return false, intoItself(from)
	}
	var bytes, files int64
	switch old, err := w.store.Stat(dst); {
	case isMissing(err):
	case err != nil:
		return false, explain(to, err)
	case os.SameFile(fi, old): // another spelling, where case does not count
	case fi.IsDir():
		return false, failure("EEXIST", "already exists", to, fs.ErrExist)
	case old.IsDir():
		return false, isDirectory(to)
	case !old.Mode().IsRegular():
		return false, notRegular(to)
	default:
		// A link in its place goes, its target stays.
		files = -1
		if link, err := lstat(w.store, dst); err == nil && link.Mode().IsRegular() {
			bytes = -link.Size()
		}
	}
	var moved error
	err = w.within(op, to, dst, bytes, files, func() error {
		moved = w.store.Rename(src, dst)
		return moved
	})
	if errors.Is(moved, syscall.EXDEV) {
		return true, nil
	}
	return false, err
}

func (w *Workspace) mkdir(ctx context.Context, op, path string) error {
	name, err := w.resolve(op, path)
	if err != nil {
		return err
	}
	return w.makeDir(ctx, op, path, name)
}

func (w *Workspace) makeDir(ctx context.Context, op, path, name string) error {
	if err := w.toChange(ctx, path); err != nil {
		return err
	}
	defer w.changed()
	switch fi, err := w.store.Stat(name); {
	case err == nil && fi.IsDir():
		return nil
	case err == nil:
		return failure("EEXIST", "already exists", path, fs.ErrExist)
	case !isMissing(err):
		return explain(path, err)
	}
	if err := w.count(ctx, op); err != nil {
		return explain(path, err)
	}
	return w.within(op, path, name, 0, 1, func() error { return w.store.Mkdir(name) })
}

func (w *Workspace) remove(ctx context.Context, op, path string, recursive bool) error {
	name, err := w.file(op, path)
	if err != nil {
		return err
	}
	if err := w.toChange(ctx, path); err != nil {
		return err
	}
	defer w.changed()
	// Links that lead outside are not even removed.
	if _, err := w.store.Stat(name); err != nil {
		if isMissing(err) {
			return noFile(path)
		}
		return explain(path, err)
	}
	fi, err := lstat(w.store, name)
	if err != nil {
		return explain(path, err)
	}
	if !fi.IsDir() || !recursive {
		err := w.removeOne(name, fi)
		if err != nil && fi.IsDir() && w.holdsAny(ctx, name) {
			return failure("ENOTEMPTY", "directory not empty", path, syscall.ENOTEMPTY)
		}
		return explain(path, err)
	}
	tree, err := w.walk(ctx, op, path, name, true, nil)
	if err != nil {
		return err
	}
	for i := len(tree) - 1; i >= 0; i-- {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		at := join(name, tree[i].path)
		inner, err := lstat(w.store, at)
		if err == nil {
			err = w.removeOne(at, inner)
		}
		if err != nil && !isMissing(err) {
			return explain(path+"/"+tree[i].path, err)
		}
	}
	return explain(path, w.removeOne(name, fi))
}

// removeOne removes what fi describes.
func (w *Workspace) removeOne(name string, fi fs.FileInfo) error {
	if err := w.store.Remove(name); err != nil {
		return err
	}
	var size int64
	if fi.Mode().IsRegular() {
		size = fi.Size()
	}
	w.credit(size, 1)
	return nil
}

// holdsAny reports whether a directory has entries, hidden ones too.
func (w *Workspace) holdsAny(ctx context.Context, name string) bool {
	found := errors.New("found")
	return w.entriesOf(ctx, name, func(fs.DirEntry) error { return found }) == found
}
