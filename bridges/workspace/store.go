package workspace

import (
	"io"
	"io/fs"
	"time"
)

// A Store is a tree of files that can change. Names are as in io/fs: "a/b", and "." for the
// root; what uses a Store calls it with no others. Its methods are safe for concurrent use,
// except that no two calls of those which change something happen at one time for one run.
//
// Errors are those of io/fs and of system calls (fs.ErrNotExist, syscall.ENOTDIR),
// ErrOutside and ErrNotRegular; their texts never reach a guest.
type Store interface {
	// Open opens a regular file, or a directory, which is an fs.ReadDirFile then; anything
	// else is ErrNotRegular, and is not waited for. Links are followed. A file that is an
	// io.ReaderAt too makes ranges cheap.
	fs.FS
	// Stat follows links, fs.ReadLinkFS's Lstat does not. A store without Lstat has no links.
	Stat(name string) (fs.FileInfo, error)
	// Create begins new content for a file whose directory is there. The file changes when
	// the draft is committed, at once and as a whole. A link is followed.
	Create(name string) (Draft, error)
	// Append adds to the end of a file, or makes it in a directory that is there. It adds
	// everything or nothing.
	Append(name string, data []byte) error
	// Mkdir makes one directory.
	Mkdir(name string) error
	// Remove removes a file, a link or an empty directory.
	Remove(name string) error
	// Rename gives a file or directory, and not what a link leads to, another name, at
	// once. A file in its place is replaced.
	Rename(from, to string) error
}

// A Draft is content that is not there yet. Who created it calls Discard at last, which
// forgets it unless Commit succeeded.
type Draft interface {
	io.Writer
	Commit() error
	Discard()
}

// A Timer is a Store that knows more times of a file than that of its last change. Guests
// of another one see that for all three.
type Timer interface {
	Times(name string) (Times, error)
}

// Times are what fs.FileInfo lacks.
type Times struct{ Created, Accessed time.Time }

// readOnly is a Store over an fs.FS that cannot change.
type readOnly struct{ fs.FS }

func (r readOnly) Stat(name string) (fs.FileInfo, error) { return fs.Stat(r.FS, name) }

func (r readOnly) Open(name string) (fs.File, error) {
	// What an fs.FS has besides files and directories is known by its type alone.
	if fi, err := fs.Stat(r.FS, name); err != nil {
		return nil, err
	} else if !fi.IsDir() && !fi.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	return r.FS.Open(name)
}

func (r readOnly) Create(string) (Draft, error) { return nil, fs.ErrPermission }
func (r readOnly) Append(string, []byte) error  { return fs.ErrPermission }
func (r readOnly) Mkdir(string) error           { return fs.ErrPermission }
func (r readOnly) Remove(string) error          { return fs.ErrPermission }
func (r readOnly) Rename(from, to string) error { return fs.ErrPermission }

// lstat is Stat without following a link.
func lstat(s Store, name string) (fs.FileInfo, error) {
	if l, ok := s.(interface {
		Lstat(name string) (fs.FileInfo, error)
	}); ok {
		return l.Lstat(name)
	}
	return s.Stat(name)
}
