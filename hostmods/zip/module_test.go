package zip

import (
	gozip "archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quicksand/bridges"
	"quicksand/bridges/workspace"
	"quicksand/hostmods"
	"quicksand/internal/marshal"
)

// A guest calls functions of the module in one run.
type guest struct{ session *bridges.Session }

// newGuest is a guest with the files of a directory, or without if dir is empty.
func newGuest(t testing.TB, dir string, memory int64) *guest {
	o := bridges.SessionOptions{Memory: memory, Context: t.Context()}
	if dir != "" {
		p, err := workspace.Bridge.Check(&workspace.Policy{Dir: dir, MaxBytes: 128 << 20})
		if err != nil {
			t.Fatal(err)
		}
		o.Grants = map[*bridges.Bridge]any{workspace.Bridge: p}
	}
	g := &guest{bridges.NewSession(o)}
	t.Cleanup(func() { g.session.Close() })
	return g
}

func (g *guest) call(ctx context.Context, name string, args ...any) (any, error) {
	i := slices.IndexFunc(module.Funcs, func(f bridges.Func) bool { return f.Name == name })
	f := module.Funcs[i]
	f.Op = "zip." + name
	list, err := marshal.NewValue(args, marshal.EncodeOptions{})
	if err != nil {
		return nil, err
	}
	c, err := bridges.Unpack(g.session, &bridges.Bridge{Name: module.Pack()}, &f, list)
	if err != nil {
		return nil, err
	}
	return f.Call(ctx, c)
}

// flipped is gzip with another checksum.
func flipped(b []byte) []byte {
	b[len(b)-8]++
	return b
}

func object(pairs ...any) *marshal.Object {
	o := &marshal.Object{}
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

func TestTheModuleIsRegistered(t *testing.T) {
	m := hostmods.Lookup("zip")
	if m == nil || m.Pack() != "@nodetool-ai/sandbox-zip" || !strings.HasPrefix(m.Skill, "---\nname: zip\n") {
		t.Fatalf("got %+v", m)
	}
	if len(m.Skill) > 16<<10 {
		t.Errorf("SKILL.md has %d bytes", len(m.Skill))
	}
	for _, f := range m.Funcs {
		if !strings.Contains(m.Skill, "`"+f.Name+"(") {
			t.Errorf("SKILL.md does not tell of %s", f.Name)
		}
	}
}

func TestLimitsAreInTheirTable(t *testing.T) {
	page := string(must(os.ReadFile("../../LIMITS.md")))
	for name, value := range map[string]string{
		limitInput: fmt.Sprint(maxSource, " bytes"), limitTotal: fmt.Sprint(DefaultTotal, " bytes"), limitEntry: fmt.Sprint(DefaultTotal, " bytes"),
		limitRatio: fmt.Sprint(DefaultRatio, " times"), limitEntries: fmt.Sprint(DefaultEntries, " entries"), limitName: fmt.Sprint(maxName, " bytes"), limitDirectory: fmt.Sprint(maxDirectory, " bytes"),
	} {
		if row := fmt.Sprintf("\n| `%s` | %s | ", name, value); strings.Count(page, row) != 1 {
			t.Errorf("LIMITS.md has no row that begins %q", row)
		}
	}
}

// TestGoldens are those of the original.
func TestGoldens(t *testing.T) {
	g := newGuest(t, "", 0)
	full := make([]byte, 50<<20)
	made, err := g.call(t.Context(), "zip", object("a", "ä", "b/c", []byte{1}, "d/", []byte{}))
	if err != nil {
		t.Fatal(err)
	}
	got, err := g.call(t.Context(), "unzip", made)
	if err != nil || fmt.Sprint(got) != fmt.Sprint(object("a", []byte("ä"), "b/c", []byte{1}, "d/", []byte{})) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, test := range []struct {
		name, call string
		args       []any
		want       string
	}{
		{"50 MiB may go in", "zip", []any{object("a", full)}, ""},
		{"more may not", "zip", []any{object("a", full, "b", "x")}, "zip.zip: the contents up to entry b have 52428801 bytes, more than the limit of 52428800 (ZipInputSize)"},
		{"no object", "zip", []any{"x"}, "zip.zip: files must be an object"},
		{"an array", "zip", []any{[]any{}}, "zip.zip: files must be an object"},
		{"bytes", "zip", []any{[]byte{1}}, "zip.zip: files must be an object"},
		{"nothing", "zip", nil, "zip.zip: files must be an object"},
		{"a number as contents", "zip", []any{object("a", 1)}, "zip.zip: entry a: must be a Uint8Array, a string or an object with data"},
		{"null as contents", "zip", []any{object("a", nil)}, "zip.zip: entry a: must be"},
		{"an array as contents", "zip", []any{object("a", []any{1.0})}, "zip.zip: entry a: must be"},
		{"an object without data", "zip", []any{object("a", object())}, "zip.zip: entry a: must be"},
		{"a level that is none", "zip", []any{object("a", object("data", "x", "level", 10))}, "zip.zip: entry a: level must be 0 to 9"},
		{"a mode that is none", "zip", []any{object("a", object("data", "x", "mode", "rw"))}, "zip.zip: entry a: mode must be"},
		{"a time that is none", "zip", []any{object("a", object("data", "x", "mtime", "now"))}, "zip.zip: entry a: mtime must be a Date or milliseconds"},
		{"contents of a directory", "zip", []any{object("a/", "x")}, "zip.zip: entry a/ is a directory and cannot have contents"},
		{"a level for all that is none", "zip", []any{object(), object("level", 10)}, "zip.zip: options.level must be 0 to 9"},
		{"a negative level", "zip", []any{object(), object("level", -1)}, "zip.zip: options.level must be at least 0"},
		{"no archive", "unzip", []any{[]byte("no archive, but long enough to be one")}, "zip.unzip: this is no zip archive"},
		{"an archive of a wrong type", "unzip", []any{1}, "zip.unzip: source must be a Uint8Array"},
		{"too many bytes", "unzip", []any{append(full, 1)}, "zip.unzip: source has 52428801 bytes, more than the limit of 52428800 ("},
		{"a negative limit", "unzip", []any{made, object("maxTotal", -1)}, "zip.unzip: options.maxTotal must be at least 0"},
		{"a list of numbers", "unzip", []any{made, object("only", []any{1})}, "zip.unzip: options.only must hold strings"},
		{"a number as a list", "unzip", []any{made, object("except", 1)}, "zip.unzip: options.except must be a string, or an array"},
		{"a path without a workspace", "list", []any{"a.zip"}, "zip.list: this run was not granted workspace"},
		{"a directory without a workspace", "unzipTo", []any{made, "dir"}, "zip.unzipTo: this run was not granted workspace"},
		{"no gzip", "gunzip", []any{[]byte("no gzip data")}, "zip.gunzip: these are no gzip data"},
		{"gzip that ends early", "gunzip", []any{mustGzip(t, []byte("hello"))[:20]}, "zip.gunzip: the gzip data end early"},
		{"gzip with a wrong checksum", "gunzip", []any{flipped(mustGzip(t, []byte("hello")))}, "zip.gunzip: the gzip data are damaged: their checksum is wrong"},
		{"gzip that is too large", "gunzip", []any{mustGzip(t, full[:1001]), object("maxTotal", 1000)}, "zip.gunzip: the gzip data hold more than the limit of 1000 bytes (ZipTotalSize)"},
	} {
		_, err := g.call(t.Context(), test.call, test.args...)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.HasPrefix(err.Error(), test.want)) {
			t.Errorf("%s: got %v, not %q", test.name, err, test.want)
		}
	}
}

func TestMemoryOfTheRunBoundsWhatComesOut(t *testing.T) {
	data := goZip(t, []File{{Name: "a", Data: make([]byte, 3<<20)}})
	if _, err := newGuest(t, "", 2<<20).call(t.Context(), "unzip", data, object("maxTotal", 1<<30)); err == nil || !strings.Contains(err.Error(), "more than the limit of 2097152") {
		t.Errorf("got %v", err)
	}
	if _, err := newGuest(t, "", 4<<20).call(t.Context(), "unzip", data); err != nil {
		t.Error(err)
	}
}

func TestRefusedEntriesAreLeftOut(t *testing.T) {
	g := newGuest(t, "", 0)
	data := build("", "", part{name: "a", plain: []byte("1")}, part{name: "s", plain: []byte("?"), flags: flagEncrypted}, part{name: "l", plain: []byte("/etc"), made: 3, mode: 0o120777})
	for _, test := range []struct{ options, want any }{
		{nil, "zip.unzip: entry s is encrypted (ZipCrypto); leave it out with except, or all of that kind with skipRefused"},
		{object("except", "s"), "zip.unzip: entry l is a symbolic link; leave it out with except, or all of that kind with skipRefused"},
		{object("only", "s", "skipRefused", true), object()},
		{object("except", []any{"s", "l"}), object("a", []byte("1"))},
		{object("only", "a"), object("a", []byte("1"))},
		{object("skipRefused", true), object("a", []byte("1"))},
	} {
		got, err := g.call(t.Context(), "unzip", data, test.options)
		if err != nil {
			got = err.Error()
		}
		if fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("with %v: got %v, not %v", test.options, got, test.want)
		}
	}
	listed, err := g.call(t.Context(), "list", data)
	if err != nil {
		t.Fatal(err)
	}
	if why, _ := listed.([]any)[1].(*marshal.Object).Get("refused"); why != "is encrypted (ZipCrypto)" {
		t.Errorf("refused is %v", why)
	}
}

// outside is what is in a directory besides inside.
func outside(t *testing.T, dir, inside string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if path == inside {
			return fs.SkipDir
		}
		if !d.IsDir() {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func TestNothingIsWrittenOutside(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "deep", "work")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(base, filepath.Join(dir, "out")); err != nil {
		t.Skip(err)
	}
	var parts []part
	for i, name := range []string{"../a", "../../../../a", "/etc/quicksand-zip", `C:\x`, `..\..\b`, "a/\x00b", "./../c", "ok", "ok2/../../../d", "workspace/e", "/workspace/../f"} {
		parts = append(parts, part{name: name, plain: []byte{byte('0' + i)}})
	}
	link := part{name: "ln", plain: []byte("/etc"), made: 3, mode: 0o120777}
	parts = append(parts, link, part{name: "ln/passwd", plain: []byte("x")})
	g := newGuest(t, dir, 0)
	got, err := g.call(t.Context(), "unzipTo", build("", "", parts...), "in", object("skipRefused", true))
	want := "[a etc/quicksand-zip x b a/_b c ok ok2/d workspace/e workspace/f ln/passwd]"
	// "a" is a file, so that "a/_b" cannot be one.
	if err == nil || !strings.Contains(err.Error(), "zip.unzipTo: ENOTDIR") {
		t.Errorf("got %v, %v", got, err)
	}
	parts = slices.Delete(parts, 0, 2)
	got, err = g.call(t.Context(), "unzipTo", build("", "", parts...), "in2", object("skipRefused", true))
	if err != nil || fmt.Sprint(got) != strings.Replace(want, "[a ", "[", 1) {
		t.Errorf("got %v, %v", got, err)
	}
	// A link of the workspace that leads outside.
	if _, err := g.call(t.Context(), "unzipTo", build("", "", part{name: "g", plain: []byte("g")}), "out"); err == nil || !strings.Contains(err.Error(), "outside the workspace") {
		t.Errorf("through a link: got %v", err)
	}
	if _, err := g.call(t.Context(), "unzipTo", build("", "", part{name: "g", plain: []byte("g")}), "../.."); err == nil || !strings.Contains(err.Error(), "outside the workspace") {
		t.Errorf("to the directory above: got %v", err)
	}
	if found := outside(t, base, dir); len(found) > 0 {
		t.Errorf("outside there is %v", found)
	}
}

func TestArchivesStreamToAndFromTheWorkspace(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 200 MB: a second")
	}
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	if err := os.Mkdir(in, 0o755); err != nil {
		t.Fatal(err)
	}
	const size = 40 << 20
	text := prose(1<<20, 1)
	f, err := os.Create(filepath.Join(in, "large"))
	if err != nil {
		t.Fatal(err)
	}
	for range size / len(text) {
		f.Write(text)
	}
	f.Close()
	os.WriteFile(filepath.Join(in, "small"), []byte("small"), 0o644)
	os.WriteFile(filepath.Join(in, "noise"), noise(2<<20), 0o644)
	stamp := time.Unix(1.5e9, 0)
	os.Chtimes(filepath.Join(in, "small"), stamp, stamp)
	g := newGuest(t, dir, 0)
	text = nil
	var made, paths any
	grew := growth(t, func() { made, err = g.call(t.Context(), "zipFrom", "in", "z.zip", object("times", true, "level", 1)) })
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("zipFrom: %v, memory grew by %.1f MB", made, float64(grew)/1e6)
	if grew >= 16<<20 {
		t.Errorf("zipFrom: memory grew by %d bytes", grew)
	}
	r, err := gozip.OpenReader(filepath.Join(dir, "z.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var got []string
	for _, f := range r.File {
		rc, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, rc)
		got = append(got, fmt.Sprint(f.Name, " ", n, " ", f.Method, " ", err))
		if f.Name == "small" && !f.Modified.Equal(stamp) {
			t.Errorf("small is of %v", f.Modified)
		}
	}
	if want := []string{fmt.Sprint("large ", size, " 8 <nil>"), "noise 2097152 0 <nil>", "small 5 0 <nil>"}; !slices.Equal(got, want) {
		t.Errorf("got %q, not %q", got, want)
	}
	grew = growth(t, func() { paths, err = g.call(t.Context(), "unzipTo", "z.zip", "out") })
	if err != nil || fmt.Sprint(paths) != "[large noise small]" {
		t.Errorf("got %v, %v", paths, err)
	}
	t.Logf("unzipTo: memory grew by %.1f MB", float64(grew)/1e6)
	if grew >= 16<<20 {
		t.Errorf("unzipTo: memory grew by %d bytes", grew)
	}
	for _, name := range []string{"large", "noise", "small"} {
		if !sameFile(t, filepath.Join(in, name), filepath.Join(dir, "out", name)) {
			t.Errorf("%s is another one", name)
		}
	}
	// A limit, a quota, a wrong checksum and the end of the run leave nothing half done.
	bad := build("", "", part{name: "first", plain: []byte("1")}, part{name: "bad", plain: noise(1 << 20), crc: 1})
	over := build("", "", part{name: "bad", plain: make([]byte, 60<<20), method: Deflate})
	for name, call := range map[string]func() (any, error){
		"a limit":          func() (any, error) { return g.call(t.Context(), "unzipTo", "z.zip", "new", object("maxTotal", 1<<20)) },
		"a quota":          func() (any, error) { return g.call(t.Context(), "unzipTo", over, "new") },
		"a wrong checksum": func() (any, error) { return g.call(t.Context(), "unzipTo", bad, "new") },
		"its end": func() (any, error) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			return g.call(ctx, "zipFrom", "in", "new/bad")
		},
	} {
		v, err := call()
		if err == nil {
			t.Errorf("%s: got %v", name, v)
		}
		if _, err := os.Stat(filepath.Join(dir, "new", "bad")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: there is a file: %v", name, err)
		}
		left, _ := filepath.Glob(filepath.Join(dir, "new", ".quicksand*"))
		if len(left) > 0 {
			t.Errorf("%s: %v is left", name, left)
		}
	}
}

func sameFile(t *testing.T, a, b string) bool {
	x, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := os.ReadFile(b)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Equal(x, y)
}

func TestPathsOfZipFrom(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"a.txt", "d/b.txt", "d/c.csv", "d/e/f.csv", ".hidden"} {
		os.MkdirAll(filepath.Dir(filepath.Join(dir, f)), 0o755)
		os.WriteFile(filepath.Join(dir, f), []byte(f), 0o644)
	}
	os.Mkdir(filepath.Join(dir, "d", "empty"), 0o755)
	g := newGuest(t, dir, 0)
	for _, test := range []struct{ paths, options, want any }{
		{"d", nil, "[b.txt c.csv e/f.csv empty/]"},
		{".", nil, "[.hidden a.txt d/b.txt d/c.csv d/e/f.csv d/empty/]"},
		{"d", object("base", "."), "[d/b.txt d/c.csv d/e/f.csv d/empty/]"},
		{"a.txt", nil, "[a.txt]"},
		{"d/b.txt", nil, "[d/b.txt]"},
		{"d/b.txt", object("base", "d"), "[b.txt]"},
		{[]any{"a.txt", "d/**/*.csv"}, nil, "[a.txt d/c.csv d/e/f.csv]"},
		{[]any{"d/e", "d"}, object("base", "d"), "[e/f.csv b.txt c.csv empty/]"},
		{"d", object("only", "**/*.csv"), "[c.csv e/f.csv]"},
		{"d", object("except", []any{"**/*.csv", "empty"}), "[b.txt]"},
		{[]any{"none/*"}, nil, "[]"},
		{"none", nil, "zip.zipFrom: ENOENT: no such file: none"},
		{"a.txt", object("base", "d"), "zip.zipFrom: a.txt is not below the base /workspace/d"},
		{"../a", nil, "zip.zipFrom: Path '../a' is outside the workspace"},
		{[]any{1}, nil, "zip.zipFrom: paths must hold strings"},
		{nil, nil, "zip.zipFrom: paths must be a string, or an array of at most 1000 strings"},
	} {
		var got string
		if _, err := g.call(t.Context(), "zipFrom", test.paths, "out.zip", test.options); err != nil {
			got = err.Error()
		} else {
			a, err := readAll(t, must(os.ReadFile(filepath.Join(dir, "out.zip"))), Limits{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := OpenBytes(must(os.ReadFile(filepath.Join(dir, "out.zip"))), Limits{})
			if err != nil {
				t.Fatal(err)
			}
			names := []string{}
			for i := range r.Entries {
				n := r.Entries[i].path()
				names = append(names, n)
				if !r.Entries[i].Dir && !strings.HasSuffix(a[n], filepath.Base(n)) {
					t.Errorf("%s holds %q", n, a[n])
				}
			}
			got = fmt.Sprint(names)
		}
		os.Remove(filepath.Join(dir, "out.zip"))
		if got != test.want {
			t.Errorf("%v with %v: got %s, not %s", test.paths, test.options, got, test.want)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
