package assets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func openTestDir(t *testing.T) (*Dir, string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "new", "assets")
	d, err := OpenDir(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d, name
}

func TestDirKeepsAssets(t *testing.T) {
	d, _ := openTestDir(t)
	for name, s := range map[string]Store{"a directory": d, "memory": new(Memory)} {
		data := []byte("content")
		id, err := s.Create(context.Background(), `../"odd" näme.PNG`, "image/png", data)
		if err != nil || !regexp.MustCompile(`^[a-z2-7]{26}\.png$`).MatchString(id) {
			t.Fatalf("%s: got %q, %v", name, id, err)
		}
		data[0] = 'X' // the store has its own
		a, err := s.Resolve(context.Background(), id)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		b, err := io.ReadAll(a.Body)
		a.Body.Close()
		if string(b) != "content" || err != nil || a.Size != 7 || a.Name != `../"odd" näme.PNG` || a.MIME != "image/png" {
			t.Errorf("%s: got %q, %+v, %v", name, b, a, err)
		}
		again, err := s.Create(context.Background(), "", "", nil)
		if err != nil || again == id || !strings.HasSuffix(again, ".bin") {
			t.Errorf("%s: got %q, %v", name, again, err)
		}
	}
}

func TestDirTakesFilesOfOthers(t *testing.T) {
	d, name := openTestDir(t)
	os.WriteFile(filepath.Join(name, "logo.svg"), []byte("<svg/>"), 0o600)
	os.Mkdir(filepath.Join(name, metaDir), 0o700)
	os.WriteFile(filepath.Join(name, "x.png"), []byte("x"), 0o600)
	os.WriteFile(filepath.Join(name, metaDir, "x.png.json"), []byte("{broken"), 0o600)
	for id, want := range map[string]string{"logo.svg": "logo.svg image/svg+xml 6", "x.png": "x.png image/png 1"} {
		a, err := d.Resolve(context.Background(), id)
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		if got := fmt.Sprint(a.Name, " ", a.MIME, " ", a.Size); got != want {
			t.Errorf("%s: got %s, want %s", id, got, want)
		}
	}
}

func TestDirRefusesHostileIDs(t *testing.T) {
	d, name := openTestDir(t)
	outside := filepath.Join(filepath.Dir(name), "secret.txt")
	for path, text := range map[string]string{outside: "secret", filepath.Join(name, ".hidden"): "hidden", filepath.Join(name, "a b"): "space"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.Create(context.Background(), "a", "text/plain", []byte("x")); err != nil {
		t.Fatal(err)
	}
	os.Mkdir(filepath.Join(name, "sub"), 0o700)
	ids := []string{"", ".", "..", "../secret.txt", "..\\secret.txt", "/etc/passwd", outside, "sub", "sub/x", "./logo", ".hidden", ".meta", ".meta/x.json",
		"a b", "a\x00b", "a\n", "é", "x.", strings.Repeat("x", 129), "%2e%2e", "nope", "-", "C:x", "a:b"}
	if runtime.GOOS != "windows" {
		os.Symlink(outside, filepath.Join(name, "link"))
		os.Symlink("/dev/zero", filepath.Join(name, "zero"))
		os.Symlink("nowhere", filepath.Join(name, "dangling"))
		if err := exec.Command("mkfifo", filepath.Join(name, "fifo")).Run(); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, "link", "zero", "dangling", "fifo")
	}
	for _, id := range ids {
		a, err := d.Resolve(context.Background(), id)
		if err == nil {
			a.Body.Close()
			t.Errorf("%q was opened", id)
		}
		if id != "link" && id != "zero" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: got %v, want that it does not exist", id, err)
		}
	}
}

func TestDirLeavesNothingBehind(t *testing.T) {
	d, name := openTestDir(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := d.Create(ctx, "a.png", "image/png", []byte("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	filepath.WalkDir(name, func(path string, e fs.DirEntry, err error) error {
		if !e.IsDir() {
			t.Errorf("%s is left", path)
		}
		return err
	})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 5 {
				if _, err := d.Create(context.Background(), "a.png", "image/png", []byte("content")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	files, _ := os.ReadDir(name)
	if len(files) != 41 {
		t.Errorf("got %d entries, want 40 assets and %s", len(files), metaDir)
	}
}
