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
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
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
	text, err := shipped.code("LICENSES.txt")
	return string(text), err
}

// FS has a folder for each pack: package.json, SKILL.md and index.js, the bundle, which is
// decompressed when it is read first and kept from then on. Without the bundles, index.js is
// in no listing, and opening it fails with ErrNotBuilt. It is safe for concurrent use.
func FS() fs.FS { return shipped }

var shipped = &packFS{files: embedded}

// bundle is the one file of code in a pack.
const bundle = "index.js"

// decoder decompresses all bundles. What it reads is part of the program, so that its limit
// only states what is true.
var decoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(4<<20))
})

// A packFS shows the folders src and built as the packs they make.
type packFS struct {
	files   fs.FS
	decoded sync.Map // name of a file in built without ".zst": func() ([]byte, error)
}

// code decompresses a file of built.
func (p *packFS) code(name string) ([]byte, error) {
	f, _ := p.decoded.LoadOrStore(name, sync.OnceValues(func() ([]byte, error) {
		small, err := fs.ReadFile(p.files, "built/"+name+".zst")
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
func (p *packFS) codeSize(id string) (int64, error) {
	small, err := fs.ReadFile(p.files, "built/"+id+".js.zst")
	if err != nil {
		return 0, ErrNotBuilt
	}
	var h zstd.Header
	if err := h.Decode(small); err != nil || !h.HasFCS {
		return 0, fmt.Errorf("packs: the bundle of %s has no size: %w", id, errors.Join(err, fs.ErrInvalid))
	}
	return int64(h.FrameContentSize), nil
}

// bundleOf is the pack whose bundle a name is.
func (p *packFS) bundleOf(name string) (id string, ok bool) {
	id, file, found := strings.Cut(name, "/")
	if !found || file != bundle {
		return "", false
	}
	_, err := fs.Stat(p.files, "src/"+id+"/package.json")
	return id, err == nil
}

// Open opens a bundle or an embedded file.
func (p *packFS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if id, ok := p.bundleOf(name); ok {
		size, err := p.codeSize(id)
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: err}
		}
		return &bundleFile{packs: p, id: id, size: size}, nil
	}
	f, err := p.files.Open(path.Join("src", name))
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		list, err := p.ReadDir(name)
		if err != nil {
			return nil, err
		}
		return &directory{File: f, list: list}, nil
	}
	return f, nil
}

// ReadDir lists a folder of embedded files, and in that of a pack its bundle too.
func (p *packFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	list, err := fs.ReadDir(p.files, path.Join("src", name))
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	if _, ok := p.bundleOf(name + "/" + bundle); ok {
		if size, err := p.codeSize(name); err == nil {
			list = append(list, fs.FileInfoToDirEntry(&bundleFile{id: name, size: size}))
			slices.SortFunc(list, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
		}
	}
	return list, nil
}

// A directory is an open folder whose listing is ours.
type directory struct {
	fs.File
	list []fs.DirEntry // what is not read yet
}

func (d *directory) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 || n > len(d.list) {
		if n > 0 && len(d.list) == 0 {
			return nil, io.EOF
		}
		n = len(d.list)
	}
	list := d.list[:n]
	d.list = d.list[n:]
	return list, nil
}

// A bundleFile is an open bundle, and what is known about it.
type bundleFile struct {
	packs *packFS
	id    string
	size  int64
	r     *bytes.Reader // from the first Read
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
	text, err := f.packs.code(f.id + ".js")
	if err != nil {
		return &fs.PathError{Op: "read", Path: f.id + "/" + bundle, Err: err}
	}
	f.r = bytes.NewReader(text)
	return nil
}

var (
	_ fs.ReadDirFS  = (*packFS)(nil)
	_ io.ReadSeeker = (*bundleFile)(nil)
)
