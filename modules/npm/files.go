package npm

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"quicksand/modules"
)

// What may be read for one dependency.
const (
	maxFile  = 8 << 20  // bytes of one file
	maxTotal = 32 << 20 // bytes of all
	maxFiles = 5_000    // files of code
	maxReads = 50_000   // places where one was looked for
)

// files reads for one dependency, and remembers what it found and did not find. It is safe
// for concurrent use, since the bundler reads from several goroutines.
type files struct {
	dir string // real path of the package

	mu    sync.Mutex
	roots map[string]*os.Root
	read  map[string]*file // by absolute path, links unresolved
	code  int
	total int64
	// passing is why the result must not be cached: something that was met here looks
	// different to who checks the cache, or may be different the next time.
	passing string
}

// A file is what was found at a path.
type file struct {
	content []byte
	real    string // path without links, empty if there is no file
	digest  string // as in modules.FileDigest
	code    bool   // it is part of the bundle
}

var (
	errOutside = errors.New("it is outside of the package and of node_modules")
	errMuch    = errors.New("the dependency is too large")
)

func newFiles(dir string) (*files, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return nil, err
	}
	return &files{dir: real, roots: map[string]*os.Root{}, read: map[string]*file{}}, nil
}

func (f *files) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range f.roots {
		r.Close()
	}
}

// root is the directory that a path may be in: the package, or a node_modules above it.
// Empty means neither.
func (f *files) root(path string) string {
	if within(f.dir, path) {
		return f.dir
	}
	for dir := filepath.Dir(f.dir); ; dir = filepath.Dir(dir) {
		if m := filepath.Join(dir, "node_modules"); within(m, path) {
			return m
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

func within(dir, path string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || rest[0] == filepath.Separator || strings.HasSuffix(dir, string(filepath.Separator)))
}

// get reads a file, or finds that there is none: its content is nil then. The error is for
// what must not be read.
func (f *files) get(path string) (*file, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if got, ok := f.read[path]; ok {
		return got, nil
	}
	if f.root(path) == "" {
		return nil, errOutside
	}
	if len(f.read) >= maxReads {
		return nil, fmt.Errorf("%w: it looks at more than %d places", errMuch, maxReads)
	}
	got := &file{}
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		root := f.root(real)
		if root == "" {
			f.passing = "a link leads out of the package and of node_modules"
			return nil, errOutside
		}
		got.content, err = f.readIn(root, real)
	}
	switch {
	case err == nil:
		sum := sha256.Sum256(got.content)
		got.real, got.digest = real, hex.EncodeToString(sum[:])
		f.total += int64(len(got.content))
	case errors.Is(err, errMuch):
		f.passing = "a file is too large"
		return nil, err
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		got.digest = modules.Absent
	default: // a directory, most often
		got.digest = modules.Unreadable
	}
	f.read[path] = got
	return got, nil
}

// readIn reads a file by its real path. The file system may change meanwhile, so the
// directory is opened by itself, which no link leads out of.
func (f *files) readIn(root, real string) ([]byte, error) {
	r := f.roots[root]
	if r == nil {
		var err error
		if r, err = os.OpenRoot(root); err != nil {
			return nil, err
		}
		f.roots[root] = r
	}
	rel, err := filepath.Rel(root, real)
	if err != nil {
		return nil, err
	}
	// Opening a pipe would wait for who writes it.
	info, err := r.Stat(rel)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no regular file")
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%w: a file of %d bytes is more than %d", errMuch, info.Size(), maxFile)
	case f.total+info.Size() > maxTotal:
		return nil, fmt.Errorf("%w: its files have more than %d bytes", errMuch, maxTotal)
	}
	file, err := r.Open(rel)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(content) > maxFile {
		err = fmt.Errorf("%w: a file is more than %d bytes", errMuch, maxFile)
	}
	if content == nil {
		content = []byte{}
	}
	return content, err
}

// doubt says why the result must not be cached.
func (f *files) doubt(why string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.passing = why
}

// use says that a file that was read is part of the bundle.
func (f *files) use(path string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	got := f.read[path]
	if got == nil || got.code {
		return nil
	}
	got.code = true
	if f.code++; f.code > maxFiles {
		return fmt.Errorf("%w: it has more than %d files", errMuch, maxFiles)
	}
	return nil
}

// manifest is the package.json of the package.
func (f *files) manifest() string { return filepath.Join(f.dir, "package.json") }

// rel is how a path is told: relative to the package, with slashes.
func (f *files) rel(path string) string {
	rel, err := filepath.Rel(f.dir, path)
	if err != nil {
		return filepath.Base(path) // on another volume
	}
	return filepath.ToSlash(rel)
}

// digests are the files of the bundle, and those which decided what is in it, sorted.
func (f *files) digests() (inputs, resolution []modules.FileDigest) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for path, got := range f.read {
		d := modules.FileDigest{Path: f.rel(path), SHA256: got.digest}
		if got.code {
			inputs = append(inputs, d)
		} else {
			resolution = append(resolution, d)
		}
	}
	byPath := func(a, b modules.FileDigest) int { return strings.Compare(a.Path, b.Path) }
	slices.SortFunc(inputs, byPath)
	slices.SortFunc(resolution, byPath)
	return inputs, resolution
}
