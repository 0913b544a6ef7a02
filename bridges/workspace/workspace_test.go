package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"quicksand/bridges"
	"quicksand/internal/marshal"
	"quicksand/internal/webapi"
)

var ctx = context.Background()

// grantOf opens the workspace of a policy.
func grantOf(t testing.TB, p *Policy, memory int64) *Workspace {
	t.Helper()
	checked, err := check(p)
	if err != nil {
		t.Fatal(err)
	}
	s := bridges.NewSession(bridges.SessionOptions{Grants: map[*bridges.Bridge]any{Bridge: checked}, Memory: memory})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	w, err := Of(s)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// wantError checks code and part of the message of an error; "" is none.
func wantError(t testing.TB, what string, err error, code, words string) {
	t.Helper()
	if code == "" {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		return
	}
	var e *bridges.Error
	if !errors.As(err, &e) || e.Code != code || !strings.Contains(e.Error(), words) {
		t.Errorf("%s: got %v, want %s …%s…", what, err, code, words)
	}
}

func wantText(t testing.TB, w *Workspace, path, want string) {
	t.Helper()
	got, err := w.Read(ctx, path)
	if err != nil || string(got) != want {
		t.Errorf("%s: got %q, %v, want %q", path, got, err, want)
	}
}

func write(t testing.TB, w *Workspace, path, text string) {
	t.Helper()
	if err := w.Write(ctx, path, []byte(text)); err != nil {
		t.Fatalf("write %s: %v", path, err)
	}
}

// backends are the stores that can change, each with a way to look at what it really holds.
func eachBackend(t *testing.T, p Policy, f func(t *testing.T, w *Workspace, files func() []string)) {
	all := func(fsys fs.FS) func() []string {
		return func() []string {
			var names []string
			fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
				if err != nil {
					t.Error(err)
				} else if name != "." {
					names = append(names, name)
				}
				return nil
			})
			return names
		}
	}
	t.Run("directory", func(t *testing.T) {
		p := p
		p.Dir = t.TempDir()
		f(t, grantOf(t, &p, 0), all(os.DirFS(p.Dir)))
	})
	t.Run("memory", func(t *testing.T) {
		p := p
		m := NewMemory(nil)
		p.FS = m
		f(t, grantOf(t, &p, 0), all(m))
	})
	t.Run("overlay", func(t *testing.T) {
		p := p
		m := Overlay(fstest.MapFS{})
		p.FS = m
		f(t, grantOf(t, &p, 0), all(m))
	})
	t.Run("host", func(t *testing.T) {
		p := p
		p.Dir, p.HostMode = t.TempDir(), true
		f(t, grantOf(t, &p, 0), all(os.DirFS(p.Dir)))
	})
}

func TestAllBackendsBehaveTheSame(t *testing.T) {
	eachBackend(t, Policy{}, func(t *testing.T, w *Workspace, files func() []string) {
		// Writing and reading.
		write(t, w, "a/b/c.txt", "one")
		wantText(t, w, "a/b/c.txt", "one")
		write(t, w, "a/b/c.txt", "two!")
		wantText(t, w, `a//b/./c.txt`, "two!")
		write(t, w, "empty", "")
		wantText(t, w, "empty", "")
		_, err := w.Read(ctx, "a/none")
		wantError(t, "read", err, "ENOENT", "ENOENT: no such file: a/none")
		_, err = w.Read(ctx, "a/b")
		wantError(t, "read a directory", err, "EISDIR", "EISDIR: is a directory: a/b")
		_, err = w.Read(ctx, "empty/x")
		wantError(t, "read below a file", err, "ENOTDIR", "empty/x")
		wantError(t, "write below a file", w.Write(ctx, "empty/x", nil), "ENOTDIR", "empty/x")
		wantError(t, "write below below a file", w.Write(ctx, "empty/x/y", nil), "ENOTDIR", "empty/x")
		wantError(t, "write to a directory", w.Write(ctx, "a/b", nil), "EISDIR", "a/b")
		wantError(t, "append to a directory", w.Append(ctx, "a/b", nil), "EISDIR", "a/b")

		// Ranges.
		for _, r := range []struct {
			offset, length int64
			want           string
		}{{0, 2, "tw"}, {1, 2, "wo"}, {1, math.MaxInt64, "wo!"}, {4, 1, ""}, {100, 1, ""}, {math.MaxInt64, math.MaxInt64, ""}, {0, 0, ""}, {3, 0, ""}} {
			got, err := w.ReadRange(ctx, "a/b/c.txt", r.offset, r.length)
			if err != nil || string(got) != r.want {
				t.Errorf("range %d, %d: got %q, %v", r.offset, r.length, got, err)
			}
		}

		// Appending.
		for _, s := range []string{"x", "", "yz"} {
			if err := w.Append(ctx, "log/l", []byte(s)); err != nil {
				t.Error(err)
			}
		}
		wantText(t, w, "log/l", "xyz")

		// Listing.
		list := func(path string, recursive bool, want ...string) {
			t.Helper()
			got, err := w.List(ctx, path, recursive)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("list %s: got %q, %v, want %q", path, got, err, want)
			}
		}
		list("", false, "a", "empty", "log")
		list(".", true, "a", "a/b", "a/b/c.txt", "empty", "log", "log/l")
		list("a", true, "b", "b/c.txt")
		_, err = w.List(ctx, "none", false)
		wantError(t, "list", err, "ENOENT", "ENOENT: no such directory: none")
		_, err = w.List(ctx, "empty", false)
		wantError(t, "list a file", err, "ENOTDIR", "empty")

		// Stat.
		st, err := w.Stat("a/b/c.txt")
		if now := time.Now().UnixMilli(); err != nil || !st.Exists || !st.IsFile || st.IsDirectory || st.IsSymlink || st.Size != 4 ||
			st.ModifiedMs > now+2000 || st.ModifiedMs < now-600_000 || st.CreatedMs > st.ModifiedMs+2000 || st.CreatedMs < now-600_000 || st.AccessedMs < now-600_000 {
			t.Errorf("stat: got %+v, %v", st, err)
		}
		for _, path := range []string{".", "a"} {
			if st, err := w.Stat(path); err != nil || !st.Exists || !st.IsDirectory || st.IsFile || st.Size != 0 || st.ModifiedMs == 0 {
				t.Errorf("stat %s: got %+v, %v", path, st, err)
			}
		}
		for _, path := range []string{"none", "none/x", "empty/x"} {
			if st, err := w.Stat(path); err != nil || st != (Stat{}) {
				t.Errorf("stat %s: got %+v, %v", path, st, err)
			}
		}

		// Directories.
		wantError(t, "mkdir", w.Mkdir(ctx, "m/n/o"), "", "")
		wantError(t, "mkdir again", w.Mkdir(ctx, "m/n/o"), "", "")
		wantError(t, "mkdir of the root", w.Mkdir(ctx, "."), "", "")
		wantError(t, "mkdir over a file", w.Mkdir(ctx, "empty"), "EEXIST", "EEXIST: already exists: empty")
		wantError(t, "mkdir below a file", w.Mkdir(ctx, "empty/x"), "ENOTDIR", "empty/x")

		// Removing.
		wantError(t, "remove what is not empty", w.Remove(ctx, "m", false), "ENOTEMPTY", "ENOTEMPTY: directory not empty: m")
		wantError(t, "remove", w.Remove(ctx, "m/n/o", false), "", "")
		wantError(t, "remove again", w.Remove(ctx, "m/n/o", false), "ENOENT", "ENOENT: no such file: m/n/o")
		write(t, w, "m/n/f", "1")
		write(t, w, "m/g", "1")
		wantError(t, "remove a tree", w.Remove(ctx, "m", true), "", "")
		list("", false, "a", "empty", "log")

		// Copying.
		wantError(t, "copy", w.Copy(ctx, "a/b/c.txt", "copies/1", false), "", "")
		wantText(t, w, "copies/1", "two!")
		wantError(t, "copy over", w.Copy(ctx, "log/l", "copies/1", false), "", "")
		wantText(t, w, "copies/1", "xyz")
		wantError(t, "copy onto itself", w.Copy(ctx, "log/l", "log/l", false), "", "")
		wantText(t, w, "log/l", "xyz")
		wantError(t, "copy nothing", w.Copy(ctx, "none", "x", false), "ENOENT", "Cannot copy none: it does not exist")
		wantError(t, "copy a directory", w.Copy(ctx, "a", "x", false), "EISDIR", "recursive")
		wantError(t, "copy to a directory", w.Copy(ctx, "empty", "a", false), "EISDIR", "a")
		wantError(t, "copy into itself", w.Copy(ctx, "a", "a/b/x", true), "EINVAL", "into itself")
		write(t, w, "a/z", "z")
		wantError(t, "copy a tree", w.Copy(ctx, "a", "tree/a", true), "", "")
		list("tree", true, "a", "a/b", "a/b/c.txt", "a/z")
		wantError(t, "copy a tree over a file", w.Copy(ctx, "a", "empty", true), "EEXIST", "empty")
		wantError(t, "copy a tree over a tree", w.Copy(ctx, "log", "tree/a", true), "", "")
		list("tree", true, "a", "a/b", "a/b/c.txt", "a/l", "a/z")

		// Moving.
		wantError(t, "move", w.Move(ctx, "copies/1", "moved/x"), "", "")
		wantText(t, w, "moved/x", "xyz")
		list("copies", false)
		wantError(t, "move over", w.Move(ctx, "moved/x", "empty"), "", "")
		wantText(t, w, "empty", "xyz")
		wantError(t, "move onto itself", w.Move(ctx, "empty", "./empty"), "", "")
		wantText(t, w, "empty", "xyz")
		wantError(t, "move nothing", w.Move(ctx, "none", "x"), "ENOENT", "Cannot copy none: it does not exist")
		wantError(t, "move a tree", w.Move(ctx, "tree", "forest/tree"), "", "")
		list("forest", true, "tree", "tree/a", "tree/a/b", "tree/a/b/c.txt", "tree/a/l", "tree/a/z")
		wantError(t, "move a tree onto a tree", w.Move(ctx, "forest", "a"), "EEXIST", "a")
		wantError(t, "move a tree onto a file", w.Move(ctx, "forest", "empty"), "EEXIST", "empty")
		wantError(t, "move a file onto a tree", w.Move(ctx, "empty", "a"), "EISDIR", "a")
		wantError(t, "move into itself", w.Move(ctx, "forest", "forest/x"), "EINVAL", "into itself")
		wantError(t, "move below a file", w.Move(ctx, "log", "empty/x"), "ENOTDIR", "empty/x")

		// A run that ended changes nothing, and the account is still right.
		ended, cancel := context.WithCancel(ctx)
		cancel()
		for what, err := range map[string]error{"write": w.Write(ended, "new/x", []byte("x")), "append": w.Append(ended, "new/x", []byte("x")), "copy": w.Copy(ended, "a", "new", true),
			"move": w.Move(ended, "a", "new"), "mkdir": w.Mkdir(ended, "new"), "remove": w.Remove(ended, "a", true)} {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s after the end: got %v", what, err)
			}
		}
		got := files()
		want := []string{"a", "a/b", "a/b/c.txt", "a/z", "copies", "empty", "forest", "forest/tree", "forest/tree/a", "forest/tree/a/b", "forest/tree/a/b/c.txt", "forest/tree/a/l", "forest/tree/a/z", "log", "log/l", "moved"}
		if !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
		checkAccount(t, w)
	})
}

// checkAccount compares the account with what is there.
func checkAccount(t testing.TB, w *Workspace) {
	t.Helper()
	if w.host {
		return
	}
	had := w.account
	if !had.counted {
		return
	}
	w.account.counted = false
	if err := w.count(ctx, "test"); err != nil {
		t.Error(err)
	}
	if w.account != had {
		t.Errorf("the account says %+v, there is %+v", had, w.account)
	}
}

func TestGuestPathsAreCleaned(t *testing.T) {
	for _, row := range []struct{ path, want string }{
		{"a", "a"}, {"a/b", "a/b"}, {"/a", "a"}, {"//a//b//", "a/b"}, {"./a/./b", "a/b"}, {"a/../b", "b"}, {"a/b/../..", "."},
		{"workspace", "."}, {"/workspace", "."}, {"/workspace/", "."}, {"workspace/x", "x"}, {"/workspace/x", "x"}, {"//workspace/x", "x"},
		{"workspace/workspace/x", "workspace/x"}, {"workspaces/x", "workspaces/x"}, {"./workspace/x", "workspace/x"},
		{`a\b`, "a/b"}, {`C:\a\b`, "a/b"}, {`c:a`, "a"}, {`C:/workspace/x`, "x"}, {`\\server\share\x`, "server/share/x"},
		{"  a  ", "a"}, {"\ta b\n", "a b"}, {"", "."}, {".", "."}, {"/", "."}, {"/etc/passwd", "etc/passwd"},
		{"...", "..."}, {"a/.../b", "a/.../b"}, {"..a", "..a"}, {"%2e%2e/x", "%2e%2e/x"}, {"~", "~"}, {"~/x", "~/x"}, {"é/ü", "é/ü"},
		{strings.Repeat("a/", 63) + "a", strings.Repeat("a/", 63) + "a"},
	} {
		if got, err := clean("op", row.path); err != nil || got != row.want {
			t.Errorf("%q: got %q, %v, want %q", row.path, got, err, row.want)
		}
	}
	for _, row := range []struct{ path, code, words string }{
		{"..", "EACCES", "Path '..' is outside the workspace"}, {"../x", "EACCES", "Path '../x' is outside the workspace"},
		{"a/../../x", "EACCES", "outside"}, {"/..", "EACCES", "outside"}, {`..\x`, "EACCES", "outside"}, {`a\..\..\x`, "EACCES", "outside"},
		{"/workspace/../x", "EACCES", "outside"}, {"workspace/..", "EACCES", "outside"}, {"C:/../x", "EACCES", "outside"}, {"./..", "EACCES", "outside"},
		{" ../x", "EACCES", "outside"}, {"a/\x00b", "EINVAL", "op: a path cannot contain a NUL character"}, {"\xff", "EINVAL", "lone surrogate"}, {"a\uFFFDb", "EINVAL", "lone surrogate"},
		{tempPrefix + "1", "EACCES", "the name is reserved"}, {"a/" + strings.ToUpper(tempPrefix) + "x/b", "EACCES", "reserved"},
	} {
		_, err := clean("op", row.path)
		wantError(t, fmt.Sprintf("%q", row.path), err, row.code, row.words)
	}
}

func TestNamesThatWindowsReserves(t *testing.T) {
	for _, name := range []string{"NUL", "nul", "NUL.txt", "con", "CON .x", "aux", "prn", "COM1", "com9.log", "LPT1", "COM¹", "CONIN$", "a:b", "a::$DATA", "x.", "x ", "a?", "a*", "<a", "a\x01"} {
		if !reservedOnWindows(name) {
			t.Errorf("%q is not reserved", name)
		}
		if err := checkName("op", name, name, true); err == nil {
			t.Errorf("%q is allowed", name)
		}
		if err := checkName("op", name, name, false); err != nil {
			t.Errorf("%q is refused elsewhere: %v", name, err)
		}
	}
	for _, name := range []string{"null", "COM", "COM10", "COMx", "LPT", "console", "a.b", ".x", "a b", "nul_"} {
		if reservedOnWindows(name) {
			t.Errorf("%q is reserved", name)
		}
	}
}

// TestOrder has what localeCompare gives with ICU 78 for paths of ASCII.
func TestOrder(t *testing.T) {
	want := []string{"_a", "-a", ".a", "(a)", "@a", "#a", "+a", "~a", "$a", "1", "10", "2", "a", "A", "a b", "a_b", "a-b", "a.b", "a/b", "a/B", "a1", "aa", "aA", "Aa", "AA", "ab", "b", "B", "file1", "file10", "file2", "README", "readme.md", "Zoo", "é", "Ü"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, compare)
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestTextIsDecodedAsUTF8(t *testing.T) {
	for _, row := range []struct{ bytes, want string }{
		{"abc é €", "abc é €"}, {"\xEF\xBB\xBFx", "\uFEFFx"}, {"a\xFFb", "a\uFFFDb"}, {"\xE2\x82", "\uFFFD"}, {"\xE2\x82x", "\uFFFDx"}, {"\xF0\x9F\x92", "\uFFFD"},
		{"\xC0\x80", "\uFFFD\uFFFD"}, {"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"}, {"\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"}, {"\x80\x80", "\uFFFD\uFFFD"}, {"\xE0\x80\x80", "\uFFFD\uFFFD\uFFFD"},
		{"\xF0\x9F\x92\xA9\xF0", "💩\uFFFD"},
	} {
		if got := webapi.DecodeUTF8([]byte(row.bytes)); got != row.want {
			t.Errorf("%q: got %q, want %q", row.bytes, got, row.want)
		}
	}
}

func TestGlob(t *testing.T) {
	names := []string{"a.csv", "b.csv", "B.CSV", "c.txt", "[x].txt", "data/a.csv", "data/deep/er/b.csv", "data/deep/c.json", ".hidden/x.csv", "data/.dot.csv", "é.txt", "x{1}.txt"}
	m := NewMemory(nil)
	for _, n := range names {
		if err := m.WriteFile(n, nil); err != nil {
			t.Fatal(err)
		}
	}
	w := grantOf(t, &Policy{FS: m}, 0)
	for _, row := range []struct{ pattern, want string }{
		{"*.csv", "a.csv b.csv"},
		{"/workspace/*.csv", "a.csv b.csv"},
		{"./*.csv", "a.csv b.csv"},
		{`data\*.csv`, "data/a.csv"},
		{"**/*.csv", "a.csv b.csv data/a.csv data/deep/er/b.csv"},
		{"data/**", "data/a.csv data/deep data/deep/c.json data/deep/er data/deep/er/b.csv"},
		{"data/**/b.csv", "data/deep/er/b.csv"},
		{"**/deep/**/*.csv", "data/deep/er/b.csv"},
		{"**/er", "data/deep/er"},
		{"*", "[x].txt a.csv b.csv B.CSV c.txt data x{1}.txt é.txt"},
		{"?.csv", "a.csv b.csv"},
		{"?.*", "a.csv b.csv B.CSV c.txt é.txt"},
		{"[ab].csv", "a.csv b.csv"},
		{"[a-b].csv", "a.csv b.csv"},
		{"[!a].csv", "b.csv"},
		{"[^a].csv", "b.csv"},
		{"[é].txt", "é.txt"},
		{"[[]x[]].txt", "[x].txt"},
		{"{a,c}.{csv,txt}", "a.csv c.txt"},
		{"{a.csv,data/{a,b}.csv}", "a.csv data/a.csv"},
		{"{data/**,c.txt}", "c.txt data/a.csv data/deep data/deep/c.json data/deep/er data/deep/er/b.csv"},
		{"{,data/}a.csv", "a.csv data/a.csv"},
		{"x[{]1[}].txt", "x{1}.txt"},
		{"x{1}.txt", ""},
		{"a.csv", "a.csv"},
		{"data/deep/er/b.csv", "data/deep/er/b.csv"},
		{"data/../*.csv", "a.csv b.csv"},
		{".*/*.csv", ".hidden/x.csv"},
		{".hidden/*", ".hidden/x.csv"},
		{"data/.*", "data/.dot.csv"},
		{"none/*", ""}, {"a.csv/*", ""}, {"", ""}, {".", ""}, {"***", "[x].txt a.csv b.csv B.CSV c.txt data x{1}.txt é.txt"},
		{"[", ""}, {"{", ""}, {"[]", ""}, {"a{", ""}, {"{a,b.csv", ""}, {"[!]", ""}, {"[a/b]", ""},
	} {
		got, err := w.Glob(ctx, row.pattern)
		if err != nil || strings.Join(got, " ") != row.want {
			t.Errorf("%q:\ngot  %q, %v\nwant %q", row.pattern, strings.Join(got, " "), err, row.want)
		}
	}
	got, err := w.glob(ctx, "op", "**/*.csv", true)
	if want := ".hidden/x.csv a.csv b.csv data/.dot.csv data/a.csv data/deep/er/b.csv"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("with dots: got %q, %v", got, err)
	}
	_, err = w.Glob(ctx, "*/../x")
	wantError(t, "up again", err, "EINVAL", "in front")
	_, err = w.Glob(ctx, "../*")
	wantError(t, "out of the workspace", err, "EACCES", "outside the workspace")
	// Patterns that make backtracking matchers work for ages.
	long := strings.Repeat("a", 250)
	if err := m.WriteFile("slow/"+long, nil); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"slow/" + strings.Repeat("*a", 100) + "b", strings.Repeat("**/", 60) + "x", "slow/" + strings.Repeat("{a,aa}", 60) + "b", strings.Repeat("{", 3000), strings.Repeat("[", 4000), strings.Repeat("{a,", 30) + strings.Repeat("}", 30)} {
		if _, err := w.Glob(ctx, p); err != nil {
			var e *bridges.Error
			if !errors.As(err, &e) || e.Kind != bridges.KindLimit {
				t.Errorf("%.30s: %v", p, err)
			}
		}
	}
}

// TestLimits meets each limit and exceeds it; nothing is left of what was too much.
func TestLimits(t *testing.T) {
	wantLimit := func(t testing.TB, what string, err error, name string, value, used int64) {
		t.Helper()
		var e *bridges.Error
		if !errors.As(err, &e) || e.Kind != bridges.KindLimit || e.Limit != name || e.Value != value || e.Used != used || e.Code != bridges.CodeLimit {
			t.Errorf("%s: got %+v, want %s of %d, used %d", what, err, name, value, used)
		}
	}
	rows := map[string]struct {
		policy Policy
		test   func(t *testing.T, w *Workspace, files func() []string)
	}{
		"WorkspaceBytes": {Policy{MaxBytes: 100}, func(t *testing.T, w *Workspace, files func() []string) {
			write(t, w, "a", strings.Repeat("x", 60))
			write(t, w, "b", strings.Repeat("x", 40))
			wantLimit(t, "write", w.Write(ctx, "c/d", []byte("x")), "WorkspaceBytes", 100, 101)
			wantLimit(t, "append", w.Append(ctx, "a", []byte("x")), "WorkspaceBytes", 100, 101)
			wantLimit(t, "append anew", w.Append(ctx, "d/e", []byte("x")), "WorkspaceBytes", 100, 101)
			wantLimit(t, "copy", w.Copy(ctx, "b", "f/g", false), "WorkspaceBytes", 100, 140)
			wantLimit(t, "grow", w.Write(ctx, "a", make([]byte, 61)), "WorkspaceBytes", 100, 101)
			write(t, w, "a", strings.Repeat("y", 60)) // the same size again
			wantError(t, "an empty file", w.Write(ctx, "empty", nil), "", "")
			wantError(t, "copy over", w.Copy(ctx, "b", "a", false), "", "")
			write(t, w, "c", strings.Repeat("x", 20))
			wantError(t, "move over", w.Move(ctx, "c", "a"), "", "")
			wantError(t, "remove", w.Remove(ctx, "b", false), "", "")
			write(t, w, "t/1", strings.Repeat("x", 41))
			wantLimit(t, "copy a tree", w.Copy(ctx, "t", "u", true), "WorkspaceBytes", 100, 102)
			if got := files(); !slices.Equal(got, []string{"a", "empty", "t", "t/1"}) {
				t.Errorf("got %q", got)
			}
		}},
		"WorkspaceFiles": {Policy{MaxFiles: 3}, func(t *testing.T, w *Workspace, files func() []string) {
			write(t, w, "a/b", "")
			wantLimit(t, "mkdir", w.Mkdir(ctx, "c/d"), "WorkspaceFiles", 3, 4)
			wantLimit(t, "write", w.Write(ctx, "c/d", nil), "WorkspaceFiles", 3, 4)
			wantLimit(t, "move", w.Move(ctx, "a/b", "c/d/e"), "WorkspaceFiles", 3, 4)
			wantLimit(t, "copy a tree", w.Copy(ctx, "a", "c", true), "WorkspaceFiles", 3, 4)
			write(t, w, "c", "")
			wantLimit(t, "append", w.Append(ctx, "d", nil), "WorkspaceFiles", 3, 4)
			write(t, w, "c", "again")
			wantError(t, "move over", w.Move(ctx, "c", "a/b"), "", "")
			write(t, w, "e", "")
			wantError(t, "remove", w.Remove(ctx, "a", true), "", "")
			write(t, w, "f/g", "")
			if got := files(); !slices.Equal(got, []string{"e", "f", "f/g"}) {
				t.Errorf("got %q", got)
			}
		}},
		"WorkspaceFileSize": {Policy{MaxFileSize: 10}, func(t *testing.T, w *Workspace, files func() []string) {
			write(t, w, "a", "0123456789")
			wantLimit(t, "write", w.Write(ctx, "b", make([]byte, 11)), "WorkspaceFileSize", 10, 11)
			wantLimit(t, "append", w.Append(ctx, "a", []byte("x")), "WorkspaceFileSize", 10, 11)
			wantText(t, w, "a", "0123456789")
			if got := files(); !slices.Equal(got, []string{"a"}) {
				t.Errorf("got %q", got)
			}
		}},
		"WorkspaceReadSize": {Policy{MaxReadSize: 10}, func(t *testing.T, w *Workspace, files func() []string) {
			write(t, w, "a", "0123456789")
			wantText(t, w, "a", "0123456789")
			wantError(t, "append", w.Append(ctx, "a", []byte("ab")), "", "")
			_, err := w.Read(ctx, "a")
			wantLimit(t, "read", err, "WorkspaceReadSize", 10, 12)
			if got, err := w.ReadRange(ctx, "a", 2, 10); err != nil || string(got) != "23456789ab" {
				t.Errorf("range: got %q, %v", got, err)
			}
			write(t, w, "b", "\xFF\xFF\xFF\xFF")
			_, _, err = w.readText(ctx, "op", "b", 0, math.MaxInt64)
			wantLimit(t, "text that grows", err, "WorkspaceReadSize", 10, 12)
			write(t, w, "a name of length 19", "")
			_, err = w.List(ctx, ".", false)
			wantLimit(t, "list", err, "WorkspaceReadSize", 10, 20) // with one or both of the others
		}},
		"WorkspaceEntries": {Policy{MaxEntries: 3}, func(t *testing.T, w *Workspace, files func() []string) {
			for i := range 3 {
				write(t, w, fmt.Sprint("a/", i), "")
			}
			if got, err := w.List(ctx, "a", false); err != nil || len(got) != 3 {
				t.Errorf("got %q, %v", got, err)
			}
			write(t, w, "a/3", "")
			_, err := w.List(ctx, "a", false)
			wantLimit(t, "list", err, "WorkspaceEntries", 3, 4)
			_, err = w.Glob(ctx, "a/x*")
			wantLimit(t, "glob", err, "WorkspaceEntries", 3, 4)
			wantLimit(t, "remove", w.Remove(ctx, "a", true), "WorkspaceEntries", 3, 4)
			wantLimit(t, "copy", w.Copy(ctx, "a", "b", true), "WorkspaceEntries", 3, 4)
			if got := files(); len(got) != 5 {
				t.Errorf("got %q", got)
			}
		}},
		"WorkspacePathLength": {Policy{}, func(t *testing.T, w *Workspace, files func() []string) {
			_, err := w.Read(ctx, "x"+strings.Repeat("/", 4096))
			wantLimit(t, "read", err, "WorkspacePathLength", 4096, 4097)
			_, err = w.Glob(ctx, strings.Repeat("*", 4097))
			wantLimit(t, "glob", err, "WorkspacePathLength", 4096, 4097)
			_, err = w.Stat(strings.Repeat("x", 1<<20))
			wantLimit(t, "stat", err, "WorkspacePathLength", 4096, 1<<20)
			_, err = w.Read(ctx, "x"+strings.Repeat("/", 4095))
			wantError(t, "read", err, "ENOENT", "no such file: x")
		}},
		"WorkspaceNameLength": {Policy{}, func(t *testing.T, w *Workspace, files func() []string) {
			write(t, w, strings.Repeat("x", 255), "")
			wantLimit(t, "write", w.Write(ctx, strings.Repeat("x", 256), nil), "WorkspaceNameLength", 255, 256)
		}},
		"WorkspacePathDepth": {Policy{}, func(t *testing.T, w *Workspace, files func() []string) {
			deep := strings.Repeat("d/", 63) + "d"
			wantError(t, "mkdir", w.Mkdir(ctx, deep), "", "")
			wantLimit(t, "mkdir", w.Mkdir(ctx, deep+"/d"), "WorkspacePathDepth", 64, 65)
			_, err := w.Glob(ctx, deep+"/d")
			wantLimit(t, "glob", err, "WorkspacePathDepth", 64, 65)
			wantError(t, "move", w.Move(ctx, "d", "e/f/d"), "", "")
			wantLimit(t, "remove", w.Remove(ctx, "e", true), "WorkspacePathDepth", 64, 65)
			wantError(t, "remove", w.Remove(ctx, "e/f/d", true), "", "")
		}},
		"WorkspacePatternStates": {Policy{}, func(t *testing.T, w *Workspace, files func() []string) {
			_, err := w.Glob(ctx, strings.Repeat("?", 1023))
			wantError(t, "glob", err, "", "")
			_, err = w.Glob(ctx, strings.Repeat("?", 1024))
			wantLimit(t, "glob", err, "WorkspacePatternStates", 1024, 1025)
		}},
	}
	for _, l := range limits {
		row, ok := rows[l.Name]
		if !ok {
			t.Errorf("%s has no test", l.Name)
			continue
		}
		t.Run(l.Name, func(t *testing.T) {
			eachBackend(t, row.policy, func(t *testing.T, w *Workspace, files func() []string) {
				row.test(t, w, files)
				checkAccount(t, w)
			})
		})
	}
}

func TestAWorkspaceThatIsFullAtTheStart(t *testing.T) {
	m := NewMemory(nil)
	for i := range 4 {
		m.WriteFile(fmt.Sprint(i), make([]byte, 10))
	}
	w := grantOf(t, &Policy{FS: m, MaxFiles: 3}, 0)
	wantError(t, "write", w.Write(ctx, "0", nil), bridges.CodeLimit, "already holds more than 3 files")
	wantText(t, w, "0", string(make([]byte, 10)))
	wantError(t, "remove", w.Remove(ctx, "0", false), "", "")
	wantError(t, "write", w.Write(ctx, "1", nil), "", "")

	w = grantOf(t, &Policy{FS: m, MaxBytes: 15}, 0)
	wantError(t, "write", w.Write(ctx, "1", []byte("x")), bridges.CodeLimit, "21 bytes, more than the limit of 15")
	wantError(t, "write less", w.Write(ctx, "2", nil), "", "")
	wantError(t, "write", w.Write(ctx, "1", []byte("x")), "", "")
}

func TestMemoryOfTheRunBoundsReads(t *testing.T) {
	m := NewMemory(nil)
	m.WriteFile("big", make([]byte, 3<<20))
	w := grantOf(t, &Policy{FS: m}, 2<<20)
	_, err := w.Read(ctx, "big")
	wantError(t, "read", err, bridges.CodeLimit, "WorkspaceReadSize")
	if got, err := w.ReadRange(ctx, "big", 1<<20, 2<<20); err != nil || len(got) != 2<<20 {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
	// And a workspace that the run makes itself.
	w = grantOf(t, &Policy{}, 2<<20)
	wantError(t, "write", w.Write(ctx, "big", make([]byte, 2<<20+1)), bridges.CodeLimit, "WorkspaceBytes")
	// Reads at one time wait for each other.
	if err := w.take(ctx, 2<<20); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := w.take(ended, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	got := make(chan error)
	go func() { got <- w.take(ctx, 1) }()
	w.give(2 << 20)
	if err := <-got; err != nil {
		t.Error(err)
	}
}

// A growing file is larger than it said when it was opened.
type growing struct{ fs.File }

func (g growing) Stat() (fs.FileInfo, error) { return memoryInfo{name: "x", mode: 0o444, size: 1}, nil }
func (g growing) Read(p []byte) (int, error) { return len(p), nil }
func (g growing) Close() error               { return nil }

type growingFS struct{}

func (growingFS) Open(string) (fs.File, error) { return growing{}, nil }

func TestAFileThatGrowsForEver(t *testing.T) {
	w := grantOf(t, &Policy{FS: growingFS{}, MaxReadSize: 1 << 20}, 0)
	_, err := w.Read(ctx, "x")
	wantError(t, "read", err, bridges.CodeLimit, "WorkspaceReadSize")
	if got, err := w.ReadRange(ctx, "x", 1<<16, 100); err != nil || len(got) != 100 {
		t.Errorf("got %d, %v", len(got), err)
	}
}

func TestReadOnly(t *testing.T) {
	files := fstest.MapFS{"a/b.txt": {Data: []byte("text")}, "fifo": {Mode: fs.ModeNamedPipe}}
	dir := t.TempDir()
	os.MkdirAll(filepath.Join(dir, "a"), 0o777)
	os.WriteFile(filepath.Join(dir, "a/b.txt"), []byte("text"), 0o666)
	for name, p := range map[string]*Policy{"files": {FS: files}, "directory": {Dir: dir, ReadOnly: true}, "overlay": {FS: Overlay(files), ReadOnly: true}} {
		t.Run(name, func(t *testing.T) {
			w := grantOf(t, p, 0)
			wantText(t, w, "a/b.txt", "text")
			if got, err := w.ReadRange(ctx, "a/b.txt", 1, 2); err != nil || string(got) != "ex" {
				t.Errorf("got %q, %v", got, err)
			}
			if got, err := w.Glob(ctx, "**/*.txt"); err != nil || !slices.Equal(got, []string{"a/b.txt"}) {
				t.Errorf("got %q, %v", got, err)
			}
			for what, err := range map[string]error{"write": w.Write(ctx, "a/b.txt", nil), "append": w.Append(ctx, "x", nil), "mkdir": w.Mkdir(ctx, "a"), "remove": w.Remove(ctx, "a", true),
				"copy": w.Copy(ctx, "a", "b", true), "copy a file": w.Copy(ctx, "a/b.txt", "b", true), "move": w.Move(ctx, "a", "b")} {
				wantError(t, what, err, "EROFS", "the workspace is read-only")
			}
			if name == "files" {
				_, err := w.Read(ctx, "fifo")
				wantError(t, "fifo", err, "EINVAL", "not a regular file")
			}
		})
	}
}

func TestOverlay(t *testing.T) {
	base := fstest.MapFS{"a/b": {Data: []byte("below")}, "a/c": {Data: []byte("c")}, "d": {Data: []byte("d")}}
	m := Overlay(base)
	w := grantOf(t, &Policy{FS: m}, 0)
	wantText(t, w, "a/b", "below")
	write(t, w, "a/b", "above")
	wantText(t, w, "a/b", "above")
	wantError(t, "append", w.Append(ctx, "a/c", []byte("!")), "", "")
	wantText(t, w, "a/c", "c!")
	wantError(t, "remove", w.Remove(ctx, "d", false), "", "")
	_, err := w.Read(ctx, "d")
	wantError(t, "read what was removed", err, "ENOENT", "d")
	wantError(t, "move", w.Move(ctx, "a", "z/y"), "", "")
	if got, err := w.List(ctx, ".", true); err != nil || strings.Join(got, " ") != "z z/y z/y/b z/y/c" {
		t.Errorf("got %q, %v", got, err)
	}
	wantError(t, "mkdir", w.Mkdir(ctx, "a"), "", "")
	if got, err := w.List(ctx, "a", true); err != nil || len(got) != 0 {
		t.Errorf("what was below came back: %q, %v", got, err)
	}
	if string(base["a/b"].Data) != "below" || len(base) != 3 {
		t.Error("the base changed")
	}
	checkAccount(t, w)
	if err := fstest.TestFS(m, "z/y/b", "z/y/c", "a"); err != nil {
		t.Error(err)
	}
	if err := fstest.TestFS(Overlay(base), "a/b", "d"); err != nil {
		t.Error(err)
	}
}

func TestMemoryIsAnFS(t *testing.T) {
	m := NewMemory(nil)
	for _, name := range []string{"a", "b/c", "b/d/e"} {
		if err := m.WriteFile(name, []byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := fstest.TestFS(m, "a", "b/c", "b/d/e"); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"", ".", "/x", "a/b", "b", "../x"} {
		if err := m.WriteFile(name, nil); err == nil {
			t.Errorf("WriteFile(%q) gave no error", name)
		}
	}
}

func TestAReaderKeepsWhatItOpened(t *testing.T) {
	eachBackend(t, Policy{}, func(t *testing.T, w *Workspace, _ func() []string) {
		write(t, w, "a", "old content")
		name, err := w.resolve("op", "a")
		if err != nil {
			t.Fatal(err)
		}
		f, err := w.store.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		write(t, w, "a", "new")
		wantError(t, "append", w.Append(ctx, "a", []byte("er")), "", "")
		if b, err := io.ReadAll(f); err != nil || string(b) != "old content" {
			t.Errorf("got %q, %v", b, err)
		}
	})
}

func TestParallelCallsKeepTheAccount(t *testing.T) {
	eachBackend(t, Policy{MaxBytes: 10_000, MaxFiles: 60}, func(t *testing.T, w *Workspace, files func() []string) {
		var wg sync.WaitGroup
		for g := range 8 {
			wg.Go(func() {
				for i := range 40 {
					p := fmt.Sprintf("d%d/f%d", g%3, i%11)
					q := fmt.Sprintf("d%d/f%d", (g+1)%3, i%7)
					var err error
					switch (g + i) % 6 {
					case 0, 1:
						err = w.Write(ctx, p, make([]byte, 97*(i%7)))
					case 2:
						err = w.Append(ctx, p, make([]byte, 131))
					case 3:
						err = w.Move(ctx, p, q)
					case 4:
						err = w.Copy(ctx, p, q, false)
					case 5:
						err = w.Remove(ctx, p, false)
					}
					var e *bridges.Error
					if err != nil && (!errors.As(err, &e) || e.Code != "ENOENT" && e.Code != bridges.CodeLimit) {
						t.Errorf("%v", err)
					}
					if b, err := w.Read(ctx, q); err == nil && len(b) > 10_000 {
						t.Errorf("read %d bytes", len(b))
					}
				}
			})
		}
		wg.Wait()
		checkAccount(t, w)
		if !w.host && (w.account.bytes > 10_000 || w.account.files > 60) {
			t.Errorf("the account says %+v", w.account)
		}
		for _, f := range files() {
			if hidden(filepath.Base(f)) {
				t.Errorf("%s was left", f)
			}
		}
	})
}

// cancels ends a context at the nth look at it.
type cancels struct {
	context.Context
	mu   sync.Mutex
	left int
}

func (c *cancels) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestCancellingLeavesNoPartialFile(t *testing.T) {
	eachBackend(t, Policy{}, func(t *testing.T, w *Workspace, files func() []string) {
		big := bytes.Repeat([]byte("x"), 3<<20)
		write(t, w, "src/big", string(big))
		before := files()
		for n := range 8 {
			c := &cancels{Context: ctx, left: n}
			if err := w.Write(c, "new/dir/f", big); err == nil {
				wantError(t, "remove", w.Remove(ctx, "new", true), "", "")
			}
			c = &cancels{Context: ctx, left: n}
			if err := w.copyFile(c, "op", "src/big", mustName(t, w, "src/big"), "new/copy", mustName(t, w, "new/copy")); err == nil {
				wantError(t, "remove", w.Remove(ctx, "new", true), "", "")
			}
			if got := files(); !slices.Equal(got, before) {
				t.Fatalf("cancelled at %d: got %q", n, got)
			}
		}
		checkAccount(t, w)
	})
}

func mustName(t testing.TB, w *Workspace, path string) string {
	t.Helper()
	name, err := w.resolve("op", path)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func TestHostMode(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	other := t.TempDir()
	w := grantOf(t, &Policy{Dir: dir, HostMode: true, Home: home}, 0)
	write(t, w, "rel/a", "1")
	write(t, w, "~/b", "2")
	write(t, w, other+"/c", "3")
	for name, want := range map[string]string{dir + "/rel/a": "1", home + "/b": "2", other + "/c": "3"} {
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
		wantText(t, w, name, want)
	}
	rel, err := filepath.Rel(dir, other)
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, w, rel+"/c", "3")
	if w.Root() != filepath.ToSlash(dir) {
		t.Errorf("root: got %s", w.Root())
	}
	if got, err := w.Glob(ctx, "*/a"); err != nil || !slices.Equal(got, []string{"rel/a"}) {
		t.Errorf("glob: got %q, %v", got, err)
	}
	if got, err := w.Glob(ctx, other+"/?"); err != nil || !slices.Equal(got, []string{filepath.ToSlash(other) + "/c"}) {
		t.Errorf("glob: got %q, %v", got, err)
	}
	if got, err := w.Glob(ctx, "~/*"); err != nil || !slices.Equal(got, []string{filepath.ToSlash(home) + "/b"}) {
		t.Errorf("glob: got %q, %v", got, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	// Links are followed, and are what stat describes.
	os.Symlink(other, dir+"/link")
	wantText(t, w, "link/c", "3")
	write(t, w, "link/d", "4")
	if got, err := os.ReadFile(other + "/d"); err != nil || string(got) != "4" {
		t.Errorf("got %q, %v", got, err)
	}
	os.Symlink(other+"/d", dir+"/flink")
	write(t, w, "flink", "5")
	if got, err := os.ReadFile(other + "/d"); err != nil || string(got) != "5" {
		t.Errorf("got %q, %v", got, err)
	}
	if st, err := w.Stat("link"); err != nil || !st.IsSymlink || st.IsDirectory || !st.Exists {
		t.Errorf("got %+v, %v", st, err)
	}
	if _, err := w.Read(ctx, "/dev/null"); err == nil {
		t.Error("a device was read")
	}
	wantError(t, "a device", w.Write(ctx, "/dev/null", nil), "EINVAL", "not a regular file")
	if _, err := check(&Policy{HostMode: true, Dir: "relative"}); err == nil {
		t.Error("host mode without an absolute directory")
	}
}

func TestPolicies(t *testing.T) {
	for _, p := range []any{nil, (*Policy)(nil), Policy{}, &Policy{Dir: "x", FS: NewMemory(nil)}, &Policy{HostMode: true}, &Policy{ShowDir: true}, &Policy{MaxBytes: -1}, &Policy{MaxFiles: -1}, &Policy{MaxFileSize: -1}, &Policy{MaxReadSize: -1}, &Policy{MaxEntries: -1}} {
		if _, err := check(p); err == nil {
			t.Errorf("%+v: no error", p)
		}
	}
	given := &Policy{MaxBytes: 1 << 60}
	c, err := check(given)
	if got := c.(*Policy); err != nil || got.MaxBytes != limitBytes.Ceiling || got.MaxFiles != limitFiles.Default || given.MaxBytes != 1<<60 {
		t.Errorf("got %+v, %v", got, err)
	}
	for kind, p := range map[string]*Policy{"memory": {FS: NewMemory(nil)}, "directory": {Dir: "x"}, "files": {FS: fstest.MapFS{}}, "host": {Dir: "/x", HostMode: true}} {
		if got := describe(p).(map[string]any); got["kind"] != kind || got["readOnly"] != (kind == "files") {
			t.Errorf("%s: got %v", kind, got)
		}
	}
	// A directory that is not there.
	dir := filepath.Join(t.TempDir(), "absent")
	s := bridges.NewSession(bridges.SessionOptions{Grants: map[*bridges.Bridge]any{Bridge: &Policy{Dir: dir}}})
	defer s.Close()
	if _, err := Of(s); err == nil || strings.Contains(err.Error(), "absent") {
		t.Errorf("got %v", err)
	}
	// No grant.
	s = bridges.NewSession(bridges.SessionOptions{})
	defer s.Close()
	if _, err := Of(s); !errors.Is(err, bridges.ErrNotGranted) {
		t.Errorf("got %v", err)
	}
}

func TestShowDir(t *testing.T) {
	dir := t.TempDir()
	w := grantOf(t, &Policy{Dir: dir, ShowDir: true}, 0)
	root := filepath.ToSlash(dir)
	if w.Root() != root {
		t.Errorf("got %s", w.Root())
	}
	write(t, w, root+"/a", "1")
	wantText(t, w, "a", "1")
	wantText(t, w, "/workspace/a", "1")
	if p, err := w.Path("/workspace/x/../a"); err != nil || p != root+"/a" {
		t.Errorf("got %s, %v", p, err)
	}
	_, err := w.Read(ctx, root+"/../x")
	wantError(t, "read", err, "EACCES", "outside the workspace")
	w = grantOf(t, &Policy{Dir: dir}, 0)
	if p, err := w.Path("x/../a"); err != nil || p != "/workspace/a" || w.Root() != "/workspace" {
		t.Errorf("got %s, %v, %s", p, err, w.Root())
	}
}

// TestErrorsOfTheSystem checks that nothing from below gets through.
func TestErrorsOfTheSystem(t *testing.T) {
	for _, row := range []struct {
		err  error
		want string
	}{
		{&fs.PathError{Op: "openat", Path: "/srv/secret/x", Err: syscall.EACCES}, "EACCES: permission denied: guest"},
		{&fs.PathError{Op: "openat", Path: "/srv/secret/x", Err: syscall.ENOSPC}, "ENOSPC: no space left: guest"},
		{&fs.PathError{Op: "openat", Path: "/srv/secret/x", Err: syscall.EMFILE}, "EMFILE: too many open files: guest"},
		{&os.LinkError{Op: "rename", Old: "/srv/a", New: "/srv/b", Err: syscall.ENOTEMPTY}, "ENOTEMPTY: directory not empty: guest"},
		{&fs.PathError{Op: "openat", Path: "/srv/secret/x", Err: syscall.EIO}, "EIO: input or output failed: guest"},
		{errors.New("open /srv/secret: broken"), "EIO: input or output failed: guest"},
		{ErrOutside, "Path 'guest' is outside the workspace"},
	} {
		if got := explain("guest", row.err); got.Error() != row.want {
			t.Errorf("%v: got %v, want %s", row.err, got, row.want)
		}
	}
	if got := show(strings.Repeat("é", 1000)); len(got) > 310 || !strings.HasSuffix(got, "é…") {
		t.Errorf("got %q", got)
	}
}

// TestResultsCountUntilTheGuestHasThem reads more than a run may hold, in calls whose results
// wait for a guest that computes.
func TestResultsCountUntilTheGuestHasThem(t *testing.T) {
	const size = 1 << 20
	for _, f := range []string{"workspace.read", "workspace.readBytes"} {
		checked, err := check(&Policy{FS: Overlay(fstest.MapFS{"f": {Data: make([]byte, size)}, "big": {Data: make([]byte, 4*size)}})})
		if err != nil {
			t.Fatal(err)
		}
		s := bridges.NewSession(bridges.SessionOptions{Grants: map[*bridges.Bridge]any{Bridge: checked}, Memory: 3 * size})
		defer s.Close()
		read := func(ctx context.Context, args ...any) (*bridges.Call, error) {
			v, err := marshal.NewValue(args, marshal.EncodeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(Bridge.Funcs, func(b bridges.Func) bool { return b.Name == f })
			c, err := bridges.Unpack(s, Bridge, &Bridge.Funcs[i], v)
			if err != nil {
				t.Fatal(err)
			}
			if c.State, err = s.State(Bridge); err != nil {
				t.Fatal(err)
			}
			_, err = c.Func.Call(ctx, c)
			return c, err
		}
		failed := func(_ *bridges.Call, err error) error { return err }
		ended, cancel := context.WithCancel(ctx)
		cancel()
		var first *bridges.Call
		for range 3 {
			if first, err = read(ctx, "f"); err != nil {
				t.Fatalf("%s: %v", f, err)
			}
			// What fails holds nothing.
			for _, err := range []error{failed(read(ctx, "big")), failed(read(ctx, "none")), failed(read(ended, "f"))} {
				if err == nil {
					t.Fatalf("%s: no error", f)
				}
			}
		}
		if _, err := read(ended, "f"); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: a read beyond what the run may hold did not wait: %v", f, err)
		}
		first.Settled()
		first.Settled() // counts once
		if _, err := read(ctx, "f"); err != nil {
			t.Errorf("%s: after a result was taken: %v", f, err)
		}
		if _, err := read(ended, "f"); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: a read beyond it afterwards did not wait: %v", f, err)
		}
	}
}
