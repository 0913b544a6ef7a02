package modules

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
)

// A Cache keeps artifacts on disk, by Artifact.Key:
//
//	<key>.json          an artifact
//	index/<hash>.json   the key of what a package's dependency was last compiled to
//
// What it returns was verified: the artifact is whole and is what its key says, and all
// files that it was made of are as they were. What is not is removed. A directory that
// cannot be read or written is one that holds nothing. A Cache is safe for concurrent use,
// also by several processes: files appear by renaming.
//
// Who can write the directory decides what modules do, as who can write the packages.
type Cache struct{ dir string }

// NewCache is a cache in a directory, which is made when the first artifact comes.
func NewCache(dir string) *Cache { return &Cache{dir} }

// DefaultCache is the cache of the user: quicksand/modules in os.UserCacheDir. It holds
// nothing, and Put fails, when there is no such directory.
var DefaultCache = sync.OnceValue(func() *Cache {
	dir, err := os.UserCacheDir()
	if err != nil {
		return &Cache{}
	}
	return NewCache(filepath.Join(dir, "quicksand", "modules"))
})

// Dir is the directory, or empty for a DefaultCache without one.
func (c *Cache) Dir() string { return c.dir }

// stored is the file of an artifact.
type stored struct {
	Key      string          `json:"key"`
	Sum      string          `json:"sum"` // digest of Artifact's text
	Contract string          `json:"contract"`
	Artifact json.RawMessage `json:"artifact"`
}

// pointer is a file of the index.
type pointer struct {
	Key string `json:"key"`
}

// Sizes of files, above which they are taken for damaged or, as inputs, for unreadable.
const (
	maxStored = 32 << 20
	maxInput  = 64 << 20
	maxInputs = 100_000
)

// Lookup implements Compiled.
func (c *Cache) Lookup(dir, npm string) *Artifact {
	if c.dir == "" {
		return nil
	}
	real, err := realDir(dir)
	if err != nil {
		return nil
	}
	name := c.pointer(real, npm)
	text, err := readUpTo(name, 4096)
	if err != nil {
		return nil
	}
	var p pointer
	if json.Unmarshal(text, &p) != nil || !isDigest(p.Key) {
		os.Remove(name)
		return nil
	}
	a := c.Get(p.Key)
	if a == nil || a.NPM != npm || !a.current(real) {
		return nil
	}
	return a
}

// Get finds an artifact by its key, without a look at the files that it was made of.
func (c *Cache) Get(key string) *Artifact {
	if c.dir == "" || !isDigest(key) {
		return nil
	}
	name := c.entry(key)
	text, err := readUpTo(name, maxStored)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		if a := parseStored(text, key); a != nil {
			return a
		}
	}
	os.Remove(name)
	return nil
}

// parseStored is the artifact of a file, or nil for anything else.
func parseStored(text []byte, key string) *Artifact {
	var s stored
	var a Artifact
	switch {
	case json.Unmarshal(text, &s) != nil,
		s.Key != key || s.Contract != CompilerContract || s.Sum != digest(s.Artifact),
		json.Unmarshal(s.Artifact, &a) != nil,
		a.Key() != key:
		return nil
	}
	return &a
}

// Put keeps the artifact of the package in directory dir, which is from then on what Lookup
// finds.
func (c *Cache) Put(dir string, a *Artifact) error {
	if c.dir == "" {
		return errors.New("there is no directory for the cache")
	}
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	key := a.Key()
	if err := c.write(c.entry(key), stored{key, digest(text), CompilerContract, text}); err != nil {
		return err
	}
	return c.Point(dir, a.NPM, key)
}

// Point makes the artifact of a key what Lookup finds for a package, where it was compiled
// for another one, or at another time, from the same files.
func (c *Cache) Point(dir, npm, key string) error {
	real, err := realDir(dir)
	if err != nil {
		return err
	}
	return c.write(c.pointer(real, npm), pointer{key})
}

func (c *Cache) entry(key string) string { return filepath.Join(c.dir, key+".json") }

func (c *Cache) pointer(real, npm string) string {
	return filepath.Join(c.dir, "index", digestJSON([]string{"pointer", CompilerContract, real, npm})+".json")
}

// write makes a file appear at once.
func (c *Cache) write(name string, v any) (err error) {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.Write(text)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// current reports whether all files that the artifact was made of are as they were.
func (a *Artifact) current(dir string) bool {
	if len(a.Resolution) == 0 || len(a.Inputs) == 0 && a.Skip == nil || len(a.Inputs)+len(a.Resolution) > maxInputs {
		return false
	}
	for _, f := range slices.Concat(a.Resolution, a.Inputs) {
		if DigestFile(dir, f.Path) != f.SHA256 {
			return false
		}
	}
	return true
}

// DigestFile is the FileDigest.SHA256 of a file as it is now, by its path relative to the
// directory of the package.
func DigestFile(dir, path string) string {
	content, err := readUpTo(filepath.Join(dir, filepath.FromSlash(path)), maxInput)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return Absent
	case err != nil:
		return Unreadable
	}
	return digest(content)
}

// errTooLarge is the error of readUpTo for a larger file.
var errTooLarge = errors.New("the file is too large")

// errIrregular is the error of readUpTo for what is no file.
var errIrregular = errors.New("it is no regular file")

// readUpTo reads a regular file of at most limit bytes.
func readUpTo(name string, limit int64) ([]byte, error) {
	// Opening a pipe would wait for who writes it.
	if info, err := os.Stat(name); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, errIrregular
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readFile(f, limit)
}

// readFile reads all of a file, whose size is checked before and as it is read.
func readFile(f fs.File, limit int64) ([]byte, error) {
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errIrregular
	case info.Size() > limit:
		return nil, errTooLarge
	}
	content := make([]byte, 0, info.Size()+1)
	for {
		n, err := f.Read(content[len(content):cap(content)])
		content = content[:len(content)+n]
		switch {
		case int64(len(content)) > limit:
			return nil, errTooLarge
		case err == io.EOF:
			return content, nil
		case err != nil:
			return nil, err
		case len(content) == cap(content):
			content = slices.Grow(content, 512)
		}
	}
}

// realDir is the real path of a directory.
func realDir(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// isDigest reports whether s has the form of one.
func isDigest(s string) bool {
	if len(s) != 64 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
