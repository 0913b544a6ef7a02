package workspace

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A Memory is a tree of files in memory, a Store. A host fills it before a run and reads it
// afterwards, with WriteFile and the functions of io/fs. It is safe for concurrent use, also
// by several runs.
type Memory struct {
	mu   sync.Mutex
	root *node
	base fs.FS // what is below, or nil
	now  func() time.Time
}

// node is a file or a directory.
type node struct {
	dir  bool
	data []byte // only ever appended to: readers keep what they have
	// children of a directory; nil hides what is below.
	children map[string]*node
	// base is the name of what is below, of which data or further children come; "" is none.
	base string
	info fs.FileInfo // of base

	created, changed time.Time
}

// NewMemory is an empty tree. now is the clock of its files; nil means time.Now.
func NewMemory(now func() time.Time) *Memory {
	if now == nil {
		now = time.Now
	}
	t := now()
	return &Memory{root: &node{dir: true, created: t, changed: t}, now: now}
}

// Overlay is a tree that begins as base. Changes are in memory and leave base as it is.
func Overlay(base fs.FS) *Memory {
	m := NewMemory(nil)
	m.base, m.root.base = readOnly{base}, "."
	return m
}

// WriteFile makes a file with its directories, for the host. It keeps data.
func (m *Memory) WriteFile(name string, data []byte) error {
	if !fs.ValidPath(name) || name == "." {
		return &fs.PathError{Op: "write", Path: name, Err: fs.ErrInvalid}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	names := strings.Split(name, "/")
	for i := 1; i < len(names); i++ {
		if _, err := m.find(path.Join(names[:i]...)); err == nil {
			continue
		}
		if err := m.put(path.Join(names[:i]...), &node{dir: true}); err != nil {
			return &fs.PathError{Op: "write", Path: name, Err: err}
		}
	}
	if err := m.put(name, &node{data: slices.Clip(data)}); err != nil {
		return &fs.PathError{Op: "write", Path: name, Err: err}
	}
	return nil
}

// find is the node of a name.
func (m *Memory) find(name string) (*node, error) {
	n := m.root
	if name == "." {
		return n, nil
	}
	for _, next := range strings.Split(name, "/") {
		if !n.dir {
			return nil, syscall.ENOTDIR
		}
		var err error
		if n, err = m.child(n, next); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// child is an entry of a directory.
func (m *Memory) child(n *node, name string) (*node, error) {
	c, known := n.children[name]
	switch {
	case c != nil:
		return c, nil
	case known || n.base == "":
		return nil, fs.ErrNotExist
	}
	base := join(n.base, name)
	fi, err := fs.Stat(m.base, base)
	if err != nil {
		return nil, err
	}
	if !fi.IsDir() && !fi.Mode().IsRegular() {
		return nil, ErrNotRegular
	}
	c = &node{dir: fi.IsDir(), base: base, info: fi, created: fi.ModTime(), changed: fi.ModTime()}
	n.set(name, c)
	return c, nil
}

func (n *node) set(name string, c *node) {
	if n.children == nil {
		n.children = make(map[string]*node)
	}
	n.children[name] = c
}

// put makes c the entry of a name, in a directory that is there.
func (m *Memory) put(name string, c *node) error {
	dir, err := m.find(parent(name))
	if err != nil {
		return err
	}
	if !dir.dir {
		return syscall.ENOTDIR
	}
	c.changed = m.now()
	if c.created = c.changed; !c.dir {
		if old, err := m.child(dir, path.Base(name)); err == nil {
			if old.dir {
				return syscall.EISDIR
			}
			c.created = old.created
		}
	}
	dir.set(path.Base(name), c)
	dir.changed = c.changed
	return nil
}

// take removes the entry of a name.
func (m *Memory) take(name string) error {
	dir, err := m.find(parent(name))
	if err != nil {
		return err
	}
	if dir.base != "" {
		dir.set(path.Base(name), nil)
	} else {
		delete(dir.children, path.Base(name))
	}
	dir.changed = m.now()
	return nil
}

// names are the entries of a directory, sorted.
func (m *Memory) names(n *node) ([]string, error) {
	names := make([]string, 0, len(n.children))
	for name, c := range n.children {
		if c != nil {
			names = append(names, name)
		}
	}
	if n.base != "" {
		below, err := fs.ReadDir(m.base, n.base)
		if err != nil {
			return nil, err
		}
		for _, e := range below {
			if _, known := n.children[e.Name()]; !known {
				names = append(names, e.Name())
			}
		}
	}
	slices.Sort(names)
	return names, nil
}

// Open implements Store.
func (m *Memory) Open(name string) (fs.File, error) {
	f, err := m.open(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return f, nil
}

func (m *Memory) open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, fs.ErrInvalid
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find(name)
	if err != nil {
		return nil, err
	}
	switch {
	case n.dir:
		names, err := m.names(n)
		if err != nil {
			return nil, err
		}
		return &memoryDir{m: m, n: n, info: n.describe(name), names: names}, nil
	case n.base != "":
		return m.base.Open(n.base)
	}
	return &memoryFile{*bytes.NewReader(n.data), n.describe(name)}, nil
}

// Stat implements Store.
func (m *Memory) Stat(name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrInvalid}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find(name)
	if err != nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	return n.describe(name), nil
}

// Times implements Timer. When a file was read is not known here.
func (m *Memory) Times(name string) (Times, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find(name)
	if err != nil {
		return Times{}, err
	}
	return Times{Created: n.created, Accessed: n.changed}, nil
}

// Create implements Store.
func (m *Memory) Create(name string) (Draft, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir, err := m.find(parent(name))
	if err != nil {
		return nil, err
	}
	if !dir.dir {
		return nil, syscall.ENOTDIR
	}
	return &memoryDraft{m: m, name: name}, nil
}

type memoryDraft struct {
	m    *Memory
	name string
	data []byte
}

func (d *memoryDraft) Write(p []byte) (int, error) {
	d.data = append(d.data, p...)
	return len(p), nil
}

func (d *memoryDraft) Commit() error {
	d.m.mu.Lock()
	defer d.m.mu.Unlock()
	return d.m.put(d.name, &node{data: d.data})
}

func (d *memoryDraft) Discard() {}

// Append implements Store.
func (m *Memory) Append(name string, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find(name)
	switch {
	case err != nil && !isMissing(err):
		return err
	case err != nil:
		return m.put(name, &node{data: slices.Clone(data)})
	case n.dir:
		return syscall.EISDIR
	case n.base != "":
		below, err := fs.ReadFile(m.base, n.base)
		if err != nil {
			return err
		}
		n.data, n.base, n.info = below, "", nil
	}
	n.data = append(n.data, data...)
	n.changed = m.now()
	return nil
}

// Mkdir implements Store.
func (m *Memory) Mkdir(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.find(name); err == nil {
		return fs.ErrExist
	} else if !isMissing(err) {
		return err
	}
	return m.put(name, &node{dir: true})
}

// Remove implements Store.
func (m *Memory) Remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find(name)
	if err != nil {
		return err
	}
	if n == m.root {
		return fs.ErrInvalid
	}
	if n.dir {
		if names, err := m.names(n); err != nil {
			return err
		} else if len(names) > 0 {
			return syscall.ENOTEMPTY
		}
	}
	return m.take(name)
}

// Rename implements Store.
func (m *Memory) Rename(from, to string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find(from)
	if err != nil {
		return err
	}
	if from == to {
		return nil
	}
	if n == m.root || beneath(to, from) {
		return syscall.EINVAL
	}
	if old, err := m.find(to); err == nil && (old.dir || n.dir) {
		return fs.ErrExist
	}
	dir, err := m.find(parent(to))
	if err != nil {
		return err
	}
	if !dir.dir {
		return syscall.ENOTDIR
	}
	if err := m.take(from); err != nil {
		return err
	}
	dir.set(path.Base(to), n)
	dir.changed = m.now()
	return nil
}

// describe is a snapshot.
func (n *node) describe(name string) memoryInfo {
	i := memoryInfo{name: path.Base(name), size: int64(len(n.data)), mode: 0o644, changed: n.changed}
	switch {
	case n.dir:
		i.mode, i.size = fs.ModeDir|0o755, 0
	case n.base != "":
		i.size, i.mode = n.info.Size(), n.info.Mode()
	}
	return i
}

type memoryInfo struct {
	name    string
	size    int64
	mode    fs.FileMode
	changed time.Time
}

func (i memoryInfo) Name() string               { return i.name }
func (i memoryInfo) Size() int64                { return i.size }
func (i memoryInfo) Mode() fs.FileMode          { return i.mode }
func (i memoryInfo) Type() fs.FileMode          { return i.mode.Type() }
func (i memoryInfo) ModTime() time.Time         { return i.changed }
func (i memoryInfo) IsDir() bool                { return i.mode.IsDir() }
func (i memoryInfo) Sys() any                   { return nil }
func (i memoryInfo) Info() (fs.FileInfo, error) { return i, nil }
func (i memoryInfo) String() string             { return fs.FormatFileInfo(i) }

// memoryFile is a file as it was when it was opened.
type memoryFile struct {
	bytes.Reader
	info memoryInfo
}

func (f *memoryFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *memoryFile) Close() error               { return nil }

// memoryDir lists the entries that a directory had when it was opened.
type memoryDir struct {
	m     *Memory
	n     *node
	info  memoryInfo
	names []string
}

func (d *memoryDir) Stat() (fs.FileInfo, error) { return d.info, nil }
func (d *memoryDir) Close() error               { return nil }
func (d *memoryDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.name, Err: syscall.EISDIR}
}

func (d *memoryDir) ReadDir(n int) ([]fs.DirEntry, error) {
	d.m.mu.Lock()
	defer d.m.mu.Unlock()
	if n > 0 && len(d.names) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(d.names) {
		n = len(d.names)
	}
	entries := []fs.DirEntry{}
	for _, name := range d.names[:n] {
		// What was removed meanwhile, and what is below and no file, is left out.
		if c, err := d.m.child(d.n, name); err == nil {
			entries = append(entries, c.describe(name))
		}
	}
	d.names = d.names[n:]
	return entries, nil
}
