// Package packs holds the guest packs that Quicksand ships: popular libraries that run in
// the guest, behind small facades of ours where a plain library would be a trap. Importing
// it makes them known to every catalog of package modules:
//
//	import _ "quicksand/packs"
//
// A pack is a folder of src: its manifest package.json, its documentation SKILL.md, and
// index.js, which says what of the npm library behind it is exported. The code of those
// libraries is not part of this repository. "make packs" fetches the exact versions of
// package-lock.json, bundles each pack into one file and puts it, compressed, into built,
// from where a program that imports this package embeds it. A program that is built without
// them has the manifests and the documentation, and an import of a pack says what to do.
package packs

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"quicksand/modules"
)

//go:embed src/*/package.json src/*/SKILL.md built
var embedded embed.FS

// ErrNotBuilt is what reading the code of a pack fails with in a program that was built
// without the bundles. It is an fs.ErrNotExist.
var ErrNotBuilt error = notBuilt{}

type notBuilt struct{}

func (notBuilt) Error() string {
	return `the guest packs are not part of this program: run "make packs" and build it again`
}

func (notBuilt) Is(target error) bool { return target == fs.ErrNotExist }

func init() { modules.Ship(FS()) }

// Licences are the licences of all packages whose code is in the packs, as one text: a table
// of the packages first. It fails with ErrNotBuilt.
func Licences() (string, error) {
	text, err := code("LICENSES.txt")
	return string(text), err
}

// FS has a folder for each pack: package.json, SKILL.md and index.js, the bundle, which is
// decompressed when it is read first and kept from then on. Without the bundles, index.js is
// in no listing, and opening it fails with ErrNotBuilt. It is safe for concurrent use.
func FS() fs.FS { return packFS{} }

// bundle is the one file of code in a pack.
const bundle = "index.js"

// decoder decompresses all bundles. What it reads is part of the program, so that its limit
// only states what is true.
var decoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(4<<20))
})

var decoded sync.Map // name of a file in built without ".zst": func() ([]byte, error)

// code decompresses a file of built.
func code(name string) ([]byte, error) {
	f, _ := decoded.LoadOrStore(name, sync.OnceValues(func() ([]byte, error) {
		small, err := embedded.ReadFile("built/" + name + ".zst")
		if err != nil {
			return nil, ErrNotBuilt
		}
		d, err := decoder()
		if err != nil {
			return nil, err
		}
		return d.DecodeAll(small, nil)
	}))
	return f.(func() ([]byte, error))()
}

// codeSize is the size of a bundle, which the header of its compressed form tells.
func codeSize(id string) (int64, error) {
	small, err := embedded.ReadFile("built/" + id + ".js.zst")
	if err != nil {
		return 0, ErrNotBuilt
	}
	var h zstd.Header
	if err := h.Decode(small); err != nil || !h.HasFCS {
		return 0, fmt.Errorf("packs: the bundle of %s has no size: %w", id, errors.Join(err, fs.ErrInvalid))
	}
	return int64(h.FrameContentSize), nil
}

type packFS struct{}

// bundleOf is the pack whose bundle a name is.
func bundleOf(name string) (id string, ok bool) {
	id, file, found := strings.Cut(name, "/")
	if !found || file != bundle {
		return "", false
	}
	_, err := fs.Stat(embedded, "src/"+id+"/package.json")
	return id, err == nil
}

func (packFS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if id, ok := bundleOf(name); ok {
		size, err := codeSize(id)
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: err}
		}
		return &bundleFile{id: id, size: size}, nil
	}
	f, err := embedded.Open(path.Join("src", name))
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return f, nil
}

// ReadDir lists a folder of embedded files, and in that of a pack its bundle too.
func (packFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	list, err := embedded.ReadDir(path.Join("src", name))
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	if _, ok := bundleOf(name + "/" + bundle); ok {
		if size, err := codeSize(name); err == nil {
			// "index.js" comes before "package.json", and "SKILL.md" before both.
			entry := fs.FileInfoToDirEntry(&bundleFile{id: name, size: size})
			for i, e := range list {
				if e.Name() > bundle {
					return append(list[:i:i], append([]fs.DirEntry{entry}, list[i:]...)...), nil
				}
			}
			return append(list, entry), nil
		}
	}
	return list, nil
}

// A bundleFile is an open bundle, and what is known about it.
type bundleFile struct {
	id   string
	size int64
	r    *bytes.Reader // from the first Read
}

func (f *bundleFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *bundleFile) Close() error               { return nil }
func (f *bundleFile) Name() string               { return bundle }
func (f *bundleFile) Size() int64                { return f.size }
func (f *bundleFile) Mode() fs.FileMode          { return 0o444 }
func (f *bundleFile) ModTime() time.Time         { return time.Time{} }
func (f *bundleFile) IsDir() bool                { return false }
func (f *bundleFile) Sys() any                   { return nil }

func (f *bundleFile) Read(p []byte) (int, error) {
	if err := f.load(); err != nil {
		return 0, err
	}
	return f.r.Read(p)
}

// Seek makes the file an io.ReadSeeker.
func (f *bundleFile) Seek(offset int64, whence int) (int64, error) {
	if err := f.load(); err != nil {
		return 0, err
	}
	return f.r.Seek(offset, whence)
}

func (f *bundleFile) load() error {
	if f.r != nil {
		return nil
	}
	text, err := code(f.id + ".js")
	if err != nil {
		return &fs.PathError{Op: "read", Path: f.id + "/" + bundle, Err: err}
	}
	f.r = bytes.NewReader(text)
	return nil
}

var (
	_ fs.ReadDirFS  = packFS{}
	_ io.ReadSeeker = (*bundleFile)(nil)
)
