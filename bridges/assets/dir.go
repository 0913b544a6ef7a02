package assets

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"runtime"
	"strings"
	"syscall"
)

// Dir is a Store in a directory. Each asset is one file whose name is its id; what Create
// knows of it besides is in the directory ".meta". Files that are put there by other means
// are assets, too, if their names can be ids: ASCII letters, digits, "_", "-" and dots, not
// a dot in front, at most 128 of them. Directories are none.
//
// Create gives ids that nobody can guess, and a file appears with its whole content. A
// guest that knows the name of a file in the directory can read it.
type Dir struct{ root *os.Root }

// OpenDir opens a directory, which it makes if it is not there. The Dir is to be closed.
func OpenDir(name string) (*Dir, error) {
	if err := os.MkdirAll(name, 0o777); err != nil {
		return nil, fmt.Errorf("assets: %w", err)
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, fmt.Errorf("assets: %w", err)
	}
	return &Dir{root}, nil
}

// Close ends the use of the directory.
func (d *Dir) Close() error { return d.root.Close() }

const metaDir = ".meta"

// meta is what is in the file of metaDir that has the asset's id and ".json" for a name.
type meta struct {
	Name string `json:"name"`
	MIME string `json:"mime"`
}

var (
	validID = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$`)
	// windowsDevice are names that are no files there, whatever follows a dot.
	windowsDevice = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)
)

func allowedID(id string) bool {
	return validID.MatchString(id) && !strings.HasSuffix(id, ".") && !(runtime.GOOS == "windows" && windowsDevice.MatchString(id))
}

// Resolve opens an asset. Links may not lead out of the directory.
func (d *Dir) Resolve(_ context.Context, id string) (*Asset, error) {
	if !allowedID(id) {
		return nil, fmt.Errorf("asset %q: %w", id, fs.ErrNotExist)
	}
	f, info, err := d.open(id)
	if err != nil {
		return nil, err
	}
	a := &Asset{Name: id, MIME: MIMEByName(id), Size: info.Size(), Body: f}
	if mf, info, err := d.open(metaDir + "/" + id + ".json"); err == nil {
		defer mf.Close()
		var m meta
		if info.Size() <= 4096 && json.NewDecoder(io.LimitReader(mf, 4096)).Decode(&m) == nil {
			a.Name, a.MIME = m.Name, m.MIME
		}
	}
	return a, nil
}

// open opens a regular file. What is looked at is what is open, and opening does not wait,
// as it would for a FIFO.
func (d *Dir) open(name string) (*os.File, fs.FileInfo, error) {
	f, err := d.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("asset %q is no file: %w", name, fs.ErrNotExist)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// Create writes a new asset.
func (d *Dir) Create(ctx context.Context, name, mime string, data []byte) (string, error) {
	id := newID(name, mime)
	about, err := json.Marshal(meta{name, mime})
	if err != nil {
		return "", err
	}
	if err := d.root.Mkdir(metaDir, 0o777); err != nil && !os.IsExist(err) {
		return "", err
	}
	sidecar := metaDir + "/" + id + ".json"
	if err := d.write(ctx, sidecar, about); err != nil {
		return "", err
	}
	if err := d.write(ctx, id, data); err != nil {
		d.root.Remove(sidecar)
		return "", err
	}
	return id, nil
}

// write makes a file as a whole or not at all.
func (d *Dir) write(ctx context.Context, name string, data []byte) (err error) {
	temp := path.Join(path.Dir(name), ".tmp-"+rand.Text())
	f, err := d.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			d.root.Remove(temp)
		}
	}()
	for len(data) > 0 && err == nil {
		n := min(len(data), 1<<20)
		if err = ctx.Err(); err == nil {
			_, err = f.Write(data[:n])
		}
		data = data[n:]
	}
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return d.root.Rename(temp, name)
}
