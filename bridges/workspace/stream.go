package workspace

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"sync"
)

// A File is an open file, for bridges that read it in pieces. Its ReadAt is safe for
// concurrent use, Read and Close are for one goroutine. It stays what it was when it was
// opened where another file takes its place. Errors are those of Workspace.
type File struct {
	path string
	f    fs.File
	at   io.ReaderAt
	size int64
}

// Open opens a file to read it. Who opens it closes it.
func (w *Workspace) Open(ctx context.Context, path string) (*File, error) {
	name, err := w.file("workspace.readBytes", path)
	if err != nil {
		return nil, err
	}
	f, err := w.store.Open(name)
	if err != nil {
		return nil, explain(path, err)
	}
	fi, err := f.Stat()
	if err == nil && fi.IsDir() {
		err = isDirectory(path)
	}
	if err != nil {
		f.Close()
		return nil, explain(path, err)
	}
	o := &File{path: path, f: f, size: fi.Size()}
	switch r := f.(type) {
	case io.ReaderAt:
		o.at = r
	case io.ReadSeeker:
		o.at = &seeking{r: r}
	default:
		f.Close()
		return nil, failure("EINVAL", "can only be read as a whole", path, errors.ErrUnsupported)
	}
	return o, nil
}

// Size is how many bytes the file had when it was opened.
func (f *File) Size() int64 { return f.size }

// ReadAt implements io.ReaderAt.
func (f *File) ReadAt(b []byte, off int64) (int, error) {
	n, err := f.at.ReadAt(b, off)
	if err != nil && err != io.EOF {
		err = explain(f.path, err)
	}
	return n, err
}

// Read implements io.Reader.
func (f *File) Read(b []byte) (int, error) {
	n, err := f.f.Read(b)
	if err != nil && err != io.EOF {
		err = explain(f.path, err)
	}
	return n, err
}

// Close closes the file.
func (f *File) Close() error { return f.f.Close() }

// seeking is an io.ReaderAt of what can only seek.
type seeking struct {
	mu sync.Mutex
	r  io.ReadSeeker
}

func (s *seeking) ReadAt(b []byte, off int64) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.r.Seek(off, io.SeekStart); err != nil {
		return 0, err
	}
	n, err := io.ReadFull(s.r, b)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, err
}

// WriteFrom makes or replaces a file, with the directories above it, whose content fill
// writes in pieces. It is there when fill has returned, or not at all if fill fails: the
// error of fill is then that of WriteFrom. Quotas hold for what is written while it is
// written. Until then other changes of the run wait, so fill must make none.
func (w *Workspace) WriteFrom(ctx context.Context, path string, fill func(io.Writer) error) error {
	const op = "workspace.writeBytes"
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
	return w.within(op, path, name, 0, fresh, func() (err error) {
		d, err := w.store.Create(name)
		if err != nil {
			return err
		}
		defer d.Discard()
		m := &metered{w: w, to: d, op: op, paid: old}
		defer func() {
			if err != nil {
				w.credit(m.paid-old, 0)
			}
		}()
		if err := fill(m); err != nil {
			return err
		}
		if err := d.Commit(); err != nil {
			return err
		}
		w.credit(m.paid-m.size, 0)
		return nil
	})
}

// metered charges the account for what is written beyond what the file had.
type metered struct {
	w          *Workspace
	to         io.Writer
	op         string
	size, paid int64
}

func (m *metered) Write(b []byte) (int, error) {
	size := m.size + int64(len(b))
	if size > m.w.fileSize {
		return 0, m.w.tooLarge(m.op, size)
	}
	if size > m.paid {
		if err := m.w.charge(m.op, size-m.paid, 0); err != nil {
			return 0, err
		}
		m.paid = size
	}
	n, err := m.to.Write(b)
	m.size += int64(n)
	return n, err
}

// A Pattern matches paths as Workspace.Glob does. It is for one goroutine at a time.
type Pattern struct{ m *matcher }

// NewPattern reads a pattern. With dot its wildcards match a dot at the start of a name, too.
// The error is a *bridges.Error of op.
func NewPattern(op, pattern string, dot bool) (*Pattern, error) {
	if err := checkText(op, pattern); err != nil {
		return nil, err
	}
	m, err := compile(op, pattern, dot)
	if err != nil {
		return nil, err
	}
	return &Pattern{m}, nil
}

// Match reports whether the pattern matches all of a path: names with slashes between them.
func (p *Pattern) Match(path string) bool { return p.m.matches(p.m.run(p.m.start(), path)) }
