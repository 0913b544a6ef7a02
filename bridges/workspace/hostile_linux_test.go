package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"quicksand/bridges"
)

// The layouts here are made in a directory "ws" next to a directory "outside", whose files
// hold the word below. Nothing that any call does may read or change them.
const canary = "CANARY"

// place is one layout on disk.
type place struct {
	t       testing.TB
	ws, out string
}

func (p *place) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) link(target, name string) { p.t.Helper(); p.must(os.Symlink(target, p.ws+"/"+name)) }
func (p *place) dir(name string)          { p.t.Helper(); p.must(os.MkdirAll(p.ws+"/"+name, 0o777)) }
func (p *place) file(name string) {
	p.t.Helper()
	p.must(os.MkdirAll(filepath.Dir(p.ws+"/"+name), 0o777))
	p.must(os.WriteFile(p.ws+"/"+name, []byte("inside"), 0o666))
}

func newPlace(t testing.TB, base string, layout func(*place)) *place {
	t.Helper()
	p := &place{t, base + "/ws", base + "/outside"}
	p.must(os.MkdirAll(p.out+"/dir/deep", 0o777))
	for _, name := range []string{"/file", "/dir/file", "/dir/deep/file", "/x"} {
		p.must(os.WriteFile(p.out+name, []byte(canary+name), 0o666))
	}
	// A neighbour whose name begins with that of the workspace.
	p.must(os.MkdirAll(p.ws+"-2", 0o777))
	p.must(os.WriteFile(p.ws+"-2/file", []byte(canary), 0o666))
	p.must(os.MkdirAll(p.ws, 0o777))
	layout(p)
	return p
}

// seen is all that is outside: names, types, contents, times of changes, numbers of links.
func (p *place) seen() string {
	p.t.Helper()
	var b strings.Builder
	for _, root := range []string{p.out, p.ws + "-2"} {
		p.must(filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			fi, err := d.Info()
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "%s %v %d %v", name, fi.Mode(), fi.Size(), fi.ModTime())
			if fi.Mode().IsRegular() {
				c, err := os.ReadFile(name)
				if err != nil {
					return err
				}
				fmt.Fprintf(&b, " %q", c)
			}
			b.WriteByte('\n')
			return nil
		}))
	}
	entries, err := os.ReadDir(filepath.Dir(p.ws))
	p.must(err)
	for _, e := range entries {
		fmt.Fprintln(&b, e.Name())
	}
	return b.String()
}

// hostileCalls are all calls, made on one path. Each fails or works, and returns what a
// guest sees.
var hostileCalls = []struct {
	name string
	call func(w *Workspace, path string) (any, error)
}{
	{"read", func(w *Workspace, p string) (any, error) { b, err := w.Read(ctx, p); return string(b), err }},
	{"range", func(w *Workspace, p string) (any, error) {
		b, err := w.ReadRange(ctx, p, 0, 6)
		return string(b), err
	}},
	{"write", func(w *Workspace, p string) (any, error) { return nil, w.Write(ctx, p, []byte("guest")) }},
	{"write below", func(w *Workspace, p string) (any, error) { return nil, w.Write(ctx, p+"/file", []byte("guest")) }},
	{"write far below", func(w *Workspace, p string) (any, error) { return nil, w.Write(ctx, p+"/new/x", []byte("guest")) }},
	{"append", func(w *Workspace, p string) (any, error) { return nil, w.Append(ctx, p, []byte("guest")) }},
	{"append below", func(w *Workspace, p string) (any, error) { return nil, w.Append(ctx, p+"/file", []byte("guest")) }},
	{"list", func(w *Workspace, p string) (any, error) { return w.List(ctx, p, false) }},
	{"list all", func(w *Workspace, p string) (any, error) { return w.List(ctx, p, true) }},
	{"glob", func(w *Workspace, p string) (any, error) { return w.Glob(ctx, p+"/**") }},
	{"glob all", func(w *Workspace, p string) (any, error) { return w.Glob(ctx, "**") }},
	{"stat", func(w *Workspace, p string) (any, error) { return w.Stat(p) }},
	{"stat below", func(w *Workspace, p string) (any, error) { return w.Stat(p + "/file") }},
	{"copy from", func(w *Workspace, p string) (any, error) {
		if err := w.Copy(ctx, p, "copied", true); err != nil {
			return nil, err
		}
		b, _ := w.Read(ctx, "copied")
		c, _ := w.Read(ctx, "copied/file")
		return string(b) + string(c), nil
	}},
	{"copy to", func(w *Workspace, p string) (any, error) {
		if err := w.Write(ctx, "mine", []byte("guest")); err != nil {
			return nil, err
		}
		return nil, w.Copy(ctx, "mine", p, true)
	}},
	{"copy a tree to", func(w *Workspace, p string) (any, error) {
		if err := w.Write(ctx, "tree/file", []byte("guest")); err != nil {
			return nil, err
		}
		return nil, w.Copy(ctx, "tree", p, true)
	}},
	{"move from", func(w *Workspace, p string) (any, error) {
		if err := w.Move(ctx, p, "moved"); err != nil {
			return nil, err
		}
		b, _ := w.Read(ctx, "moved")
		c, _ := w.Read(ctx, "moved/file")
		return string(b) + string(c), nil
	}},
	{"move to", func(w *Workspace, p string) (any, error) {
		if err := w.Write(ctx, "mine", []byte("guest")); err != nil {
			return nil, err
		}
		return nil, w.Move(ctx, "mine", p)
	}},
	{"move below", func(w *Workspace, p string) (any, error) {
		if err := w.Write(ctx, "mine", []byte("guest")); err != nil {
			return nil, err
		}
		return nil, w.Move(ctx, "mine", p+"/file")
	}},
	{"mkdir", func(w *Workspace, p string) (any, error) { return nil, w.Mkdir(ctx, p) }},
	{"mkdir below", func(w *Workspace, p string) (any, error) { return nil, w.Mkdir(ctx, p+"/new/x") }},
	{"remove", func(w *Workspace, p string) (any, error) { return nil, w.Remove(ctx, p, false) }},
	{"remove all", func(w *Workspace, p string) (any, error) { return nil, w.Remove(ctx, p, true) }},
	{"remove below", func(w *Workspace, p string) (any, error) { return nil, w.Remove(ctx, p+"/file", true) }},
}

const outsideWords = "outside the workspace"

func none(*place) {}

// hostileLayouts are what may be on disk, and what reading a path of it comes to: a part of
// the error, or "inside", the content of the files inside.
var hostileLayouts = []struct {
	name   string
	layout func(p *place)
	path   string
	want   string
}{
	// Links that leave.
	{"an absolute link to a file", func(p *place) { p.link(p.out+"/file", "a") }, "a", outsideWords},
	{"an absolute link to a directory", func(p *place) { p.link(p.out, "a") }, "a", outsideWords},
	{"a file through an absolute link", func(p *place) { p.link(p.out, "a") }, "a/file", outsideWords},
	{"a missing file through an absolute link", func(p *place) { p.link(p.out, "a") }, "a/none", outsideWords},
	{"deep through an absolute link", func(p *place) { p.link(p.out, "a") }, "a/dir/deep/file", outsideWords},
	{"a relative link to a file", func(p *place) { p.link("../outside/file", "a") }, "a", outsideWords},
	{"a relative link to a directory", func(p *place) { p.link("../outside", "a") }, "a", outsideWords},
	{"a file through a relative link", func(p *place) { p.link("../outside", "a") }, "a/file", outsideWords},
	{"a link to the parent", func(p *place) { p.link("..", "a") }, "a/outside/file", outsideWords},
	{"a link to the parent itself", func(p *place) { p.link("..", "a") }, "a", outsideWords},
	{"a link to the root of the machine", func(p *place) { p.link("/", "a") }, "a/etc/passwd", outsideWords},
	{"a link to /etc/passwd", func(p *place) { p.link("/etc/passwd", "a") }, "a", outsideWords},
	{"very many parents", func(p *place) { p.link(strings.Repeat("../", 100)+"etc/passwd", "a") }, "a", outsideWords},
	{"a link from below", func(p *place) { p.dir("d/e"); p.link("../../../outside/file", "d/e/a") }, "d/e/a", outsideWords},
	{"a link whose target goes up in the middle", func(p *place) { p.dir("d"); p.link("d/../../outside/file", "a") }, "a", outsideWords},
	{"a link whose target goes up through a file that is not there", func(p *place) { p.link("none/../../outside/file", "a") }, "a", outsideWords},
	{"a link with a slash at the end", func(p *place) { p.link("../outside/", "a") }, "a/file", outsideWords},
	{"a link with double slashes", func(p *place) { p.link("..//outside//file", "a") }, "a", outsideWords},
	{"a link with dots", func(p *place) { p.link("./.././outside/./file", "a") }, "a", outsideWords},
	{"a link to a neighbour with a longer name", func(p *place) { p.link("../ws-2/file", "a") }, "a", outsideWords},
	{"an absolute link to a neighbour with a longer name", func(p *place) { p.link(p.ws+"-2/file", "a") }, "a", outsideWords},
	{"an absolute link through the workspace and out", func(p *place) { p.link(p.ws+"/../outside/file", "a") }, "a", outsideWords},
	{"an absolute link with dots", func(p *place) { p.link(p.ws+"/./.././outside/file", "a") }, "a", outsideWords},

	// Chains.
	{"a chain of two", func(p *place) { p.link("b", "a"); p.link("../outside/file", "b") }, "a", outsideWords},
	{"a chain of ten", func(p *place) {
		for i := range 9 {
			p.link(fmt.Sprint("l", i+1), fmt.Sprint("l", i))
		}
		p.link(p.out+"/file", "l9")
	}, "l0", outsideWords},
	{"a chain through directories", func(p *place) { p.dir("d"); p.link("d", "a"); p.link("../../outside", "d/b") }, "a/b/file", outsideWords},
	{"a link in a linked directory", func(p *place) {
		p.dir("d/e")
		p.link("d/e", "a")
		p.link("../../../outside/file", "d/e/x")
	}, "a/x", outsideWords},
	{"a chain by an absolute link inside", func(p *place) { p.link(p.ws+"/b", "a"); p.link("../outside/file", "b") }, "a", outsideWords},
	{"a chain by an absolute link inside to an absolute link outside", func(p *place) { p.link(p.ws+"/b", "a"); p.link(p.out, "b") }, "a/file", outsideWords},
	{"two links that only together leave", func(p *place) { p.dir("d/e"); p.link("d/e", "a"); p.link("a/../../../outside/file", "b") }, "b", outsideWords},
	{"a link up and one out", func(p *place) { p.dir("d"); p.link("..", "d/up"); p.link("d/up/../outside", "a") }, "a/file", outsideWords},
	{"a link to a link to the parent", func(p *place) { p.dir("d"); p.link("../..", "d/up"); p.link("d/up", "a") }, "a/outside/file", outsideWords},

	// Loops.
	{"a link to itself", func(p *place) { p.link("a", "a") }, "a", "ELOOP"},
	{"two links to each other", func(p *place) { p.link("b", "a"); p.link("a", "b") }, "a", "ELOOP"},
	{"a link to itself by an absolute path", func(p *place) { p.link(p.ws+"/a", "a") }, "a", "ELOOP"},
	{"a link to itself and further", func(p *place) { p.link("a/b", "a") }, "a", "ELOOP"},
	{"a link below itself", func(p *place) { p.link("a/../a", "a") }, "a/x", "ELOOP"},
	{"a link that doubles", func(p *place) { p.link("b/b", "a"); p.link("a/a", "b") }, "a", "ELOOP"},
	{"fifty links", func(p *place) {
		for i := range 50 {
			p.link(fmt.Sprint("l", i+1), fmt.Sprint("l", i))
		}
		p.file("l50")
	}, "l0", "ELOOP"},
	{"a directory that links to itself", func(p *place) { p.dir("d"); p.file("d/file"); p.link(".", "d/a") }, "d/a/a/a/file", "inside"},
	{"a link to the workspace", func(p *place) { p.file("file"); p.link(".", "a") }, "a/a/file", "inside"},

	// Links without a target.
	{"a dangling link inside", func(p *place) { p.link("none", "a") }, "a", outsideWords},
	{"a dangling link outside", func(p *place) { p.link("../outside/none", "a") }, "a", outsideWords},
	{"an absolute dangling link inside", func(p *place) { p.link(p.ws+"/none", "a") }, "a", outsideWords},
	{"an absolute dangling link outside", func(p *place) { p.link(p.out+"/none", "a") }, "a", outsideWords},
	{"a dangling directory", func(p *place) { p.link("none", "a") }, "a/x", outsideWords},
	{"a dangling link below", func(p *place) { p.dir("d"); p.link("../none/x", "d/a") }, "d/a", outsideWords},
	{"a chain to a dangling link", func(p *place) { p.link("b", "a"); p.link("none", "b") }, "a", outsideWords},
	{"an empty directory's missing file through a link", func(p *place) { p.dir("d"); p.link("d", "a") }, "a/none", "ENOENT"},

	// Links that stay.
	{"a relative link inside", func(p *place) { p.file("file"); p.link("file", "a") }, "a", "inside"},
	{"a relative link to a directory inside", func(p *place) { p.file("d/file"); p.link("d", "a") }, "a/file", "inside"},
	{"a link that goes up inside", func(p *place) { p.file("file"); p.dir("d/e"); p.link("../../file", "d/e/a") }, "d/e/a", "inside"},
	{"an absolute link inside", func(p *place) { p.file("file"); p.link(p.ws+"/file", "a") }, "a", "inside"},
	{"an absolute link to a directory inside", func(p *place) { p.file("d/file"); p.link(p.ws+"/d", "a") }, "a/file", "inside"},
	{"an absolute link to the workspace", func(p *place) { p.file("file"); p.link(p.ws, "a") }, "a/file", "inside"},
	{"an absolute link that goes up inside", func(p *place) { p.file("file"); p.dir("d"); p.link(p.ws+"/d/../file", "a") }, "a", "inside"},
	{"a relative link to an absolute one inside", func(p *place) { p.file("d/file"); p.link("b", "a"); p.link(p.ws+"/d", "b") }, "a/file", "inside"},
	{"a link with a long way round", func(p *place) { p.file("d/file"); p.link("d/../d/./../d/file", "a") }, "a", "inside"},

	// The kernel's own links.
	{"/proc/self/root", func(p *place) { p.link("/proc/self/root", "a") }, "a/etc/passwd", outsideWords},
	{"/proc/self/cwd", func(p *place) { p.link("/proc/self/cwd", "a") }, "a/doc.go", outsideWords},
	{"/proc/self/fd", func(p *place) { p.link("/proc/self/fd", "a") }, "a/0", outsideWords},
	{"/dev/stdin", func(p *place) { p.link("/dev/stdin", "a") }, "a", outsideWords},
	{"/dev/fd", func(p *place) { p.link("/dev/fd/3", "a") }, "a", outsideWords},
	{"/proc/self/environ", func(p *place) { p.link("/proc/self/environ", "a") }, "a", outsideWords},
	{"/proc/self/mem", func(p *place) { p.link("/proc/self/mem", "a") }, "a", outsideWords},
	{"/proc/thread-self", func(p *place) { p.link("/proc/thread-self/root/etc", "a") }, "a/passwd", outsideWords},

	// What is no file.
	{"a FIFO", func(p *place) { p.must(syscall.Mkfifo(p.ws+"/a", 0o666)) }, "a", "not a regular file"},
	{"a FIFO through a link", func(p *place) { p.must(syscall.Mkfifo(p.ws+"/f", 0o666)); p.link("f", "a") }, "a", "not a regular file"},
	{"a FIFO in a directory", func(p *place) { p.dir("d"); p.must(syscall.Mkfifo(p.ws+"/d/a", 0o666)) }, "d/a", "not a regular file"},
	{"a directory with a FIFO", func(p *place) { p.dir("d"); p.must(syscall.Mkfifo(p.ws+"/d/a", 0o666)) }, "d", "EISDIR"},
	{"below a FIFO", func(p *place) { p.must(syscall.Mkfifo(p.ws+"/a", 0o666)) }, "a/x", "ENOTDIR"},
	{"a FIFO outside", func(p *place) { p.must(syscall.Mkfifo(filepath.Dir(p.ws)+"/f", 0o666)); p.link("../f", "a") }, "a", outsideWords},
	{"a socket", func(p *place) { socket(p, "a") }, "a", "not a regular file"},
	{"a socket through a link", func(p *place) { socket(p, "s"); p.link("s", "a") }, "a", "not a regular file"},
	{"a character device", func(p *place) { device(p, syscall.S_IFCHR, 1, 5, "a") }, "a", "not a regular file"},
	{"a character device through a link", func(p *place) { device(p, syscall.S_IFCHR, 1, 5, "z"); p.link("z", "a") }, "a", "not a regular file"},
	{"the console's device", func(p *place) { device(p, syscall.S_IFCHR, 5, 0, "a") }, "a", "not a regular file"},
	{"a block device", func(p *place) { device(p, syscall.S_IFBLK, 7, 0, "a") }, "a", "not a regular file"},

	// Files with more than one name: they are read, and writing parts them.
	{"a hard link inside", func(p *place) { p.file("file"); p.must(os.Link(p.ws+"/file", p.ws+"/a")) }, "a", "inside"},

	// Names.
	{"a name of 255 bytes", func(p *place) { p.file(strings.Repeat("n", 255)) }, strings.Repeat("n", 255), "inside"},
	{"a name of 256 bytes", none, strings.Repeat("n", 256), "WorkspaceNameLength"},
	{"a path of 64 names", func(p *place) { p.file(strings.Repeat("d/", 63) + "f") }, strings.Repeat("d/", 63) + "f", "inside"},
	{"a path of 65 names", none, strings.Repeat("d/", 64) + "f", "WorkspacePathDepth"},
	{"a path of 5 000 bytes", none, strings.Repeat("d/", 2500), "WorkspacePathLength"},
	{"a name in another case", func(p *place) { p.file("File") }, "file", "ENOENT"},
	{"a composed name, decomposed", func(p *place) { p.file("\u00e9") }, "e\u0301", "ENOENT"},
	{"a decomposed name", func(p *place) { p.file("e\u0301") }, "e\u0301", "inside"},
	{"full-width dots and slashes", none, "．．／outside／file", "ENOENT"},
	{"a fraction slash", none, "..\u2044outside\u2044file", "ENOENT"},
	{"an overlong slash", none, "..\xc0\xafoutside\xc0\xaffile", "lone surrogate"},
	{"a right-to-left override", func(p *place) { p.file("\u202egpj.exe") }, "\u202egpj.exe", "inside"},
	{"a name with a line break", func(p *place) { p.file("a\nb") }, "a\nb", "inside"},
	{"a name that is no UTF-8", func(p *place) { p.file("a\xff") }, "a\xff", "lone surrogate"},
	{"a NUL in the middle", func(p *place) { p.file("a") }, "a\x00.txt", "NUL"},
	{"a NUL at the end", func(p *place) { p.file("a") }, "a\x00", "NUL"},
	{"a name with a tilde", none, "~/x", "ENOENT"},
	{"the home of root", none, "~root/.profile", "ENOENT"},
	{"a variable", none, "$HOME/x", "ENOENT"},
	{"a name with stars", none, "*", "ENOENT"},
	{"a name with a colon", func(p *place) { p.file("a:b") }, "a:b", "b"}, // a drive
	{"a name with a dash", func(p *place) { p.file("-rf") }, "-rf", "inside"},
	{"three dots", none, ".../outside/file", "ENOENT"},
	{"dots and a space", none, ".. /outside/file", "ENOENT"},
	{"a file that is being written", func(p *place) { p.file(tempPrefix + "00") }, tempPrefix + "00", "reserved"},

	// Paths that leave.
	{"the parent", none, "..", outsideWords},
	{"the parent's directory", none, "../outside/file", outsideWords},
	{"up after down", none, "a/../../outside/file", outsideWords},
	{"up with backslashes", none, `..\outside\file`, outsideWords},
	{"up with mixed slashes", none, `a\..\../outside/file`, outsideWords},
	{"up from the name of the workspace", none, "/workspace/../outside/file", outsideWords},
	{"up from a drive", none, `C:\..\outside\file`, outsideWords},
	{"up with dots in between", none, "./.././outside/file", outsideWords},
	{"up with slashes in between", none, "/..//outside//file", outsideWords},
	{"up behind white space", none, "\t../outside/file", outsideWords},
	{"up at the end", none, "a/b/../../..", outsideWords},
	{"percent-encoded dots", none, "%2e%2e/outside/file", "ENOENT"},
	{"twice encoded dots", none, "%252e%252e%252foutside", "ENOENT"},
	{"an absolute path", none, "/etc/passwd", "ENOENT"},
	{"a file URL", none, "file:///etc/passwd", "ENOENT"},
	{"a UNC path", none, `\\?\C:\Windows\win.ini`, "ENOENT"},
	{"a device path", none, `\\.\PhysicalDrive0`, "ENOENT"},
	{"a path below /proc", none, "/proc/self/environ", "ENOENT"},
	{"up through a file", func(p *place) { p.file("f") }, "f/../../outside/file", outsideWords},
	{"up through a link to a directory", func(p *place) { p.dir("d/e"); p.link("d/e", "a"); p.file("file") }, "a/../file", "inside"}, // by its text
}

func socket(p *place, name string) {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: p.ws + "/" + name})
	p.must(err)
	l.SetUnlinkOnClose(false)
	l.Close()
}

func device(p *place, kind uint32, major, minor int, name string) {
	if err := syscall.Mknod(p.ws+"/"+name, kind|0o666, major<<8|minor); errors.Is(err, syscall.EPERM) {
		p.t.Skip("devices cannot be made here")
	} else {
		p.must(err)
	}
}

func TestHostileLayouts(t *testing.T) {
	if n := len(hostileLayouts); n < 100 {
		t.Errorf("there are %d layouts and paths", n)
	}
	// Thousands of small trees: in memory where the machine has a place for that.
	base, err := os.MkdirTemp("/dev/shm", "workspace")
	if err != nil {
		base = t.TempDir()
	}
	defer os.RemoveAll(base)
	before := openFiles(t)
	n := 0
	for i, row := range hostileLayouts {
		t.Run(row.name, func(t *testing.T) {
			for k, c := range hostileCalls {
				if testing.Short() && k > 0 && (i+k)%len(hostileCalls) > 1 {
					continue // all of it takes more than a second, for the disk
				}
				n++
				dir := fmt.Sprint(base, "/", n)
				p := newPlace(t, dir, row.layout)
				outside := p.seen()
				w := grantOf(t, &Policy{Dir: p.ws}, 0)
				got, err := c.call(w, row.path)
				if after := p.seen(); after != outside {
					t.Fatalf("%s changed what is outside:\n%s\nwas\n%s", c.name, after, outside)
				}
				if text := fmt.Sprint(got); strings.Contains(text, canary) || strings.Contains(text, "deep") {
					t.Errorf("%s read what is outside: %v", c.name, got)
				}
				if err != nil && (strings.Contains(err.Error(), dir) || strings.Contains(err.Error(), "openat")) {
					t.Errorf("%s tells of the host: %v", c.name, err)
				}
				switch {
				case c.name == "read" && err != nil:
					var e *bridges.Error
					if !errors.As(err, &e) || !strings.Contains(e.Error(), row.want) {
						t.Errorf("read: got %v, want %s", err, row.want)
					}
				case c.name == "read" && got != row.want:
					t.Errorf("read: got %v, want %s", got, row.want)
				case row.want == outsideWords && c.name != "glob all" && !strings.HasPrefix(c.name, "stat"):
					if err == nil || !strings.Contains(err.Error(), outsideWords) {
						t.Errorf("%s: got %v, %v", c.name, got, err)
					}
				case row.want == outsideWords && strings.HasPrefix(c.name, "stat"):
					if got != (Stat{}) || err != nil {
						t.Errorf("%s: got %v, %v", c.name, got, err)
					}
				}
				checkAccount(t, w)
				if left := temps(t, p.ws); len(left) > 0 && !strings.HasPrefix(row.path, tempPrefix) {
					t.Errorf("%s left %v", c.name, left)
				}
				w.Close()
				os.RemoveAll(dir)
			}
		})
	}
	if after := openFiles(t); after > before {
		t.Errorf("%d files are open, there were %d", after, before)
	}
}

// openFiles is how many files the process has open, without the poller of Go's runtime, which
// appears at the first use.
func openFiles(t testing.TB) int {
	t.Helper()
	names, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range names {
		if to, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && !strings.HasPrefix(to, "anon_inode:") {
			n++
		}
	}
	return n
}

// temps are files that were being written, anywhere below a directory.
func temps(t testing.TB, dir string) []string {
	t.Helper()
	var left []string
	filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && hidden(d.Name()) {
			left = append(left, name)
		}
		return nil
	})
	return left
}

// TestAHardLinkToAFileOutside documents what containment does not cover, and what it does.
func TestAHardLinkToAFileOutside(t *testing.T) {
	p := newPlace(t, t.TempDir(), none)
	p.must(os.Link(p.out+"/file", p.ws+"/a"))
	p.must(os.Link(p.out+"/dir/file", p.ws+"/b"))
	outside := p.seen()
	w := grantOf(t, &Policy{Dir: p.ws}, 0)
	wantText(t, w, "a", canary+"/file")
	wantError(t, "append", w.Append(ctx, "a", []byte("!")), "", "")
	wantText(t, w, "a", canary+"/file!")
	write(t, w, "b", "mine")
	if after := p.seen(); after != outside {
		t.Errorf("what is outside changed:\n%s", after)
	}
	checkAccount(t, w)
}

func TestMoveOfLinks(t *testing.T) {
	p := newPlace(t, t.TempDir(), func(p *place) {
		p.file("d/file")
		p.dir("e")
		p.link("d/file", "a")
		p.link("d", "b")
		p.link("d/file", "c")
	})
	w := grantOf(t, &Policy{Dir: p.ws}, 0)
	wantError(t, "move a link to a file", w.Move(ctx, "a", "e/a"), "", "")
	wantText(t, w, "e/a", "inside")
	wantError(t, "move a link to a directory", w.Move(ctx, "b", "e/b"), "", "")
	wantText(t, w, "e/b/file", "inside")
	wantError(t, "write through a link", w.Write(ctx, "c", []byte("new")), "", "")
	wantText(t, w, "d/file", "new")
	wantError(t, "append through a link", w.Append(ctx, "c", []byte("er")), "", "")
	wantText(t, w, "d/file", "newer")
	wantError(t, "move over a link", w.Move(ctx, "e/a", "c"), "", "")
	wantText(t, w, "d/file", "newer")
	wantText(t, w, "c", "inside")
	if got, err := w.List(ctx, ".", true); err != nil || strings.Join(got, " ") != "c d d/file e e/b e/b/file" {
		t.Errorf("got %q, %v", got, err)
	}
	checkAccount(t, w)
}

func TestPermissionsStayWithAFile(t *testing.T) {
	p := newPlace(t, t.TempDir(), func(p *place) { p.file("run.sh"); p.must(os.Chmod(p.ws+"/run.sh", 0o750)) })
	w := grantOf(t, &Policy{Dir: p.ws}, 0)
	write(t, w, "run.sh", "new")
	if fi, err := os.Stat(p.ws + "/run.sh"); err != nil || fi.Mode().Perm() != 0o750 {
		t.Errorf("got %v, %v", fi.Mode(), err)
	}
}

func TestAFileThatCannotBeWrittenIsNotReplaced(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("the superuser can write to all files")
	}
	p := newPlace(t, t.TempDir(), func(p *place) { p.file("a"); p.must(os.Chmod(p.ws+"/a", 0o444)) })
	w := grantOf(t, &Policy{Dir: p.ws}, 0)
	wantError(t, "write", w.Write(ctx, "a", []byte("new")), "EACCES", "permission denied: a")
	wantError(t, "append", w.Append(ctx, "a", []byte("new")), "EACCES", "permission denied: a")
	wantText(t, w, "a", "inside")
}

func TestTimesAreThoseOfTheFile(t *testing.T) {
	p := newPlace(t, t.TempDir(), func(p *place) { p.file("f") })
	accessed, modified := time.UnixMilli(1_000_000_000_000), time.UnixMilli(1_500_000_000_000)
	p.must(os.Chtimes(p.ws+"/f", accessed, modified))
	w := grantOf(t, &Policy{Dir: p.ws}, 0)
	st, err := w.Stat("f")
	if err != nil || st.AccessedMs != accessed.UnixMilli() || st.ModifiedMs != modified.UnixMilli() || st.CreatedMs == 0 || st.CreatedMs == st.AccessedMs {
		t.Errorf("got %+v, %v", st, err)
	}
}

// TestSwappingLinks replaces files and directories by links, FIFOs and each other while
// guests work on them.
func TestSwappingLinks(t *testing.T) {
	d := 10 * time.Second
	if testing.Short() {
		d = 500 * time.Millisecond
	}
	p := newPlace(t, t.TempDir(), func(p *place) {
		p.file("d/file")
		p.file("d/e/file")
		p.file("f")
	})
	outside := p.seen()
	done := make(chan struct{})
	var swaps, works, refused atomic.Int64
	var wg sync.WaitGroup
	// What guests removed is made again, through a handle that follows no link outside.
	root, err := os.OpenRoot(p.ws)
	p.must(err)
	defer root.Close()
	restore := func() {
		root.MkdirAll("d/e", 0o777)
		for _, name := range []string{"d/file", "d/e/file", "f"} {
			if f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|syscall.O_NONBLOCK, 0o666); err == nil {
				f.WriteString("inside")
				f.Close()
			}
		}
	}
	before := openFiles(t)
	// Each swapper puts something else in the place of one name, and then the thing itself
	// back. It ends with the test.
	swapper := func(name string, others ...func(at string) error) {
		kept := "kept-" + filepath.Base(name)
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
			}
			if root.Rename(name, kept) != nil {
				restore() // it was moved or removed by a guest
				continue
			}
			if others[i%len(others)](name) == nil {
				swaps.Add(1)
			}
			root.RemoveAll(name)
			root.Rename(kept, name)
			root.RemoveAll(kept)
		}
	}
	to := func(target string) func(string) error {
		return func(at string) error { return root.Symlink(target, at) }
	}
	fifo := func(at string) error {
		made := "fifo-" + filepath.Base(at)
		if err := syscall.Mkfifo(p.ws+"/"+made, 0o666); err != nil {
			return err
		}
		return root.Rename(made, at)
	}
	for _, s := range []func(){
		func() { swapper("d", to(p.out), to("../outside"), to("..")) },
		func() { swapper("d/e", to(p.out+"/dir"), to("../../outside/dir"), fifo) },
		func() { swapper("f", to(p.out+"/file"), to("../outside/file"), to("/dev/zero"), fifo) },
	} {
		wg.Go(s)
	}
	paths := []string{"d", "d/file", "d/e", "d/e/file", "f", "d/new", "d/e/new/x"}
	for g := range 4 {
		wg.Go(func() {
			for i := g; ; i++ {
				select {
				case <-done:
					return
				default:
				}
				// A workspace for some calls each, as runs have it.
				c, err := check(&Policy{Dir: p.ws})
				if err != nil {
					t.Error(err)
					return
				}
				s := bridges.NewSession(bridges.SessionOptions{Grants: map[*bridges.Bridge]any{Bridge: c}})
				w, err := Of(s)
				if err != nil {
					t.Error(err)
					return
				}
				for k := range 20 {
					call := hostileCalls[(i*7+k*5)%len(hostileCalls)]
					got, err := call.call(w, paths[(i+k*3)%len(paths)])
					works.Add(1)
					if err != nil && strings.Contains(err.Error(), outsideWords) {
						refused.Add(1)
					}
					if text := fmt.Sprint(got); strings.Contains(text, canary) || strings.Contains(text, "deep") {
						t.Errorf("%s read what is outside: %v", call.name, got)
					}
					var e *bridges.Error
					if err != nil && !errors.As(err, &e) {
						t.Errorf("%s: %v", call.name, err)
					}
				}
				s.Close()
			}
		})
	}
	time.AfterFunc(d, func() { close(done) })
	wg.Wait()
	if after := p.seen(); after != outside {
		t.Errorf("what is outside changed:\n%s\nwas\n%s", after, outside)
	}
	if left := temps(t, filepath.Dir(p.ws)); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if after := openFiles(t); after > before {
		t.Errorf("%d files are open, there were %d", after, before)
	}
	if swaps.Load() == 0 || refused.Load() == 0 {
		t.Errorf("nothing was tested: %d swaps, %d of %d calls refused", swaps.Load(), refused.Load(), works.Load())
	}
	t.Logf("%d swaps, %d calls, %d of them refused", swaps.Load(), works.Load(), refused.Load())
}

// TestRunsLeaveNothingOpen opens and ends many workspaces, some in the middle of calls.
func TestRunsLeaveNothingOpen(t *testing.T) {
	dir := t.TempDir()
	before := openFiles(t)
	for i := range 50 {
		run, cancel := context.WithCancel(ctx)
		c, err := check(&Policy{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		s := bridges.NewSession(bridges.SessionOptions{Context: run, Grants: map[*bridges.Bridge]any{Bridge: c}})
		w, err := Of(s)
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for k := range 8 {
			wg.Go(func() {
				w.Write(run, fmt.Sprint("d/", k), make([]byte, 1<<16))
				w.Read(run, fmt.Sprint("d/", k))
				w.List(run, ".", true)
			})
		}
		if i%2 == 0 {
			cancel()
		}
		wg.Wait()
		cancel()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if after := openFiles(t); after > before {
		t.Errorf("%d files are open, there were %d", after, before)
	}
	if left := temps(t, dir); len(left) > 0 || slices.Contains(left, "") {
		t.Errorf("left: %v", left)
	}
}
