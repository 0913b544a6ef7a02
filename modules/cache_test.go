package modules

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// compiledPack is a directory with a dependency and the artifact that is made of it.
func compiledPack(t testing.TB) (dir string, a *Artifact) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{
		"package.json": `{"name": "p"}`, "node_modules/y/package.json": `{"name": "y"}`, "node_modules/y/index.js": "export const y = 1",
	} {
		write(t, filepath.Join(dir, name), text)
	}
	a = &Artifact{NPM: "y", Bundler: "b 1", Options: "o", Source: "export const y = 1", Exports: []string{"y"}, Warnings: []string{"w"}}
	for _, path := range []string{"node_modules/y/index.js", "node_modules/y/package.json"} {
		a.Inputs = append(a.Inputs, FileDigest{path, DigestFile(dir, path)})
	}
	for _, path := range []string{"package.json", "node_modules/y/package.json", "../node_modules/y/package.json"} {
		a.Resolution = append(a.Resolution, FileDigest{path, DigestFile(dir, path)})
	}
	return dir, a
}

func write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestCacheKeepsArtifacts(t *testing.T) {
	dir, a := compiledPack(t)
	c := NewCache(filepath.Join(t.TempDir(), "new"))
	if got := c.Lookup(dir, "y"); got != nil {
		t.Fatalf("an empty cache has %+v", got)
	}
	if err := c.Put(dir, a); err != nil {
		t.Fatal(err)
	}
	for _, got := range []*Artifact{c.Lookup(dir, "y"), c.Get(a.Key())} {
		if got == nil || got.Source != a.Source || !slices.Equal(got.Exports, a.Exports) || !slices.Equal(got.Warnings, a.Warnings) || got.Key() != a.Key() {
			t.Errorf("got %+v, want %+v", got, a)
		}
	}
	if got := c.Lookup(dir, "z"); got != nil {
		t.Errorf("another dependency is %+v", got)
	}
	other, _ := compiledPack(t)
	if got := c.Lookup(other, "y"); got != nil {
		t.Errorf("the dependency of another package is %+v", got)
	}
	if err := c.Point(other, "y", a.Key()); err != nil {
		t.Fatal(err)
	}
	if c.Lookup(other, "y") == nil {
		t.Error("another package with the same files, which points to the artifact, does not find it")
	}
	left, _ := filepath.Glob(filepath.Join(c.Dir(), "*", ".new-*"))
	if more, _ := filepath.Glob(filepath.Join(c.Dir(), ".new-*")); len(left)+len(more) > 0 {
		t.Errorf("temporary files are left: %v %v", left, more)
	}
}

func TestCacheSeesThatFilesHaveChanged(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, dir string)
		found  bool
	}{
		{"nothing", func(*testing.T, string) {}, true},
		{"a file that nobody read", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "README.md"), "x") }, true},
		{"an input", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "node_modules/y/index.js"), "export const y = 2")
		}, false},
		{"an input that is gone", func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "node_modules/y/index.js")) }, false},
		{"the package.json of the package", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "package.json"), `{"name": "q"}`) }, false},
		{"a dependency that now comes from elsewhere", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "../node_modules/y/package.json"), `{"name": "y"}`)
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, a := compiledPack(t)
			c := NewCache(t.TempDir())
			if err := c.Put(dir, a); err != nil {
				t.Fatal(err)
			}
			tt.change(t, dir)
			if got := c.Lookup(dir, "y"); (got != nil) != tt.found {
				t.Errorf("found %v, want %v", got != nil, tt.found)
			}
			if c.Get(a.Key()) == nil {
				t.Error("the artifact itself is gone, which is still what its key says")
			}
		})
	}
}

func TestCacheRefusesArtifactsOfNothing(t *testing.T) {
	dir, a := compiledPack(t)
	c := NewCache(t.TempDir())
	for name, change := range map[string]func(*Artifact){
		"without inputs":     func(a *Artifact) { a.Inputs = nil },
		"without resolution": func(a *Artifact) { a.Resolution = nil },
	} {
		b := *a
		change(&b)
		if err := c.Put(dir, &b); err != nil {
			t.Fatal(err)
		}
		if got := c.Lookup(dir, "y"); got != nil {
			t.Errorf("%s: got %+v", name, got)
		}
	}
	// One that says that there is nothing to read needs no inputs.
	b := *a
	b.Inputs, b.Source, b.Skip = nil, "", &Skip{CodeUnresolved, "y is not installed"}
	if err := c.Put(dir, &b); err != nil {
		t.Fatal(err)
	}
	if got := c.Lookup(dir, "y"); got == nil || *got.Skip != *b.Skip {
		t.Errorf("a skip: got %+v", got)
	}
}

func TestCacheRemovesWhatIsDamaged(t *testing.T) {
	for _, tt := range []struct {
		name   string
		damage func(text string) string
	}{
		{"a file that is cut", func(s string) string { return s[:len(s)/2] }},
		{"a source that was changed", func(s string) string { return strings.Replace(s, "export const y = 1", "export const y = 9", 1) }},
		{"an artifact of another key", func(s string) string { return strings.Replace(s, `"bundler":"b 1"`, `"bundler":"b 2"`, 1) }},
		{"an artifact of another contract", func(s string) string {
			return strings.Replace(s, `"contract":"`+CompilerContract, `"contract":"0`, 1)
		}},
		{"an empty file", func(string) string { return "" }},
		{"null", func(string) string { return "null" }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, a := compiledPack(t)
			c := NewCache(t.TempDir())
			if err := c.Put(dir, a); err != nil {
				t.Fatal(err)
			}
			name := c.entry(a.Key())
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			damaged := tt.damage(string(text))
			if damaged == string(text) {
				t.Fatal("nothing was damaged")
			}
			write(t, name, damaged)
			if got := c.Lookup(dir, "y"); got != nil {
				t.Errorf("got %+v", got)
			}
			if _, err := os.Stat(name); !os.IsNotExist(err) {
				t.Errorf("the damaged file is still there: %v", err)
			}
		})
	}
	t.Run("a pointer to somewhere else", func(t *testing.T) {
		dir, a := compiledPack(t)
		c := NewCache(t.TempDir())
		if err := c.Put(dir, a); err != nil {
			t.Fatal(err)
		}
		real, _ := realDir(dir)
		write(t, c.pointer(real, "y"), `{"key": "../../../etc/passwd"}`)
		if got := c.Lookup(dir, "y"); got != nil {
			t.Errorf("got %+v", got)
		}
	})
}

func TestCacheWithoutADirectory(t *testing.T) {
	dir, a := compiledPack(t)
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	for name, c := range map[string]*Cache{"none at all": {}, "a file": NewCache(file), "below a file": NewCache(filepath.Join(file, "x"))} {
		if err := c.Put(dir, a); err == nil {
			t.Errorf("%s: Put has no error", name)
		}
		if c.Lookup(dir, "y") != nil || c.Get(a.Key()) != nil {
			t.Errorf("%s: it has something", name)
		}
	}
	c := NewCache(t.TempDir())
	for _, key := range []string{"", "../x", strings.Repeat("A", 64), strings.Repeat("a", 63)} {
		if c.Get(key) != nil {
			t.Errorf("the key %q has something", key)
		}
	}
}

func TestCacheIsSafeForConcurrentUse(t *testing.T) {
	dir, a := compiledPack(t)
	c := NewCache(t.TempDir())
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				if err := c.Put(dir, a); err != nil {
					t.Error(err)
				}
				if got := c.Lookup(dir, "y"); got == nil || got.Source != a.Source {
					t.Errorf("got %+v", got)
				}
			}
		})
	}
	wg.Wait()
}

func TestDigestFile(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a"), "abc")
	for path, want := range map[string]string{
		"a": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
		"b": Absent, "a/b": Absent, ".": Unreadable,
	} {
		if got := DigestFile(dir, path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

func FuzzStoredArtifact(f *testing.F) {
	a := &Artifact{NPM: "y", Bundler: "b", Options: "o", Source: "export default 1", Inputs: []FileDigest{{"a", Absent}}}
	c := NewCache(f.TempDir())
	dir := f.TempDir()
	if err := c.Put(dir, a); err != nil {
		f.Fatal(err)
	}
	text, err := os.ReadFile(c.entry(a.Key()))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text, a.Key())
	f.Add([]byte(fmt.Sprintf(`{"key":%q,"artifact":null}`, a.Key())), a.Key())
	f.Fuzz(func(t *testing.T, text []byte, key string) {
		if got := parseStored(text, key); got != nil && got.Key() != key {
			t.Fatalf("the key %s has an artifact of %s", key, got.Key())
		}
	})
}

func BenchmarkLookup(b *testing.B) {
	dir, a := compiledPack(b)
	c := NewCache(b.TempDir())
	// As many inputs as a library of some size has.
	for i := range 300 {
		path := fmt.Sprintf("node_modules/y/lib/%d.js", i)
		write(b, filepath.Join(dir, path), strings.Repeat("x", 1000))
		a.Inputs = append(a.Inputs, FileDigest{path, DigestFile(dir, path)})
	}
	if err := c.Put(dir, a); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if c.Lookup(dir, "y") == nil {
			b.Fatal("not found")
		}
	}
}
