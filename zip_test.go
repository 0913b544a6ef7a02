package quicksand

import (
	gozip "archive/zip"
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quicksand/bridges/workspace"
	"quicksand/hostmods/zip"
)

// zipOptions are those of a run that may import the modules of the host.
func zipOptions(t testing.TB) Options {
	t.Helper()
	set, err := hostModules()
	if err != nil {
		t.Fatal(err)
	}
	return Options{Packs: set}
}

func TestArchivesOfOthersInGuests(t *testing.T) {
	var buf bytes.Buffer
	w := gozip.NewWriter(&buf)
	for _, name := range []string{"../up", "/etc/abs", `C:\drive`, "plain", "a/plain"} {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		f.Write([]byte(name))
	}
	link := &gozip.FileHeader{Name: "link"}
	link.SetMode(os.ModeSymlink | 0o777)
	f, err := w.CreateHeader(link)
	if err != nil {
		t.Fatal(err)
	}
	f.Write([]byte("/etc"))
	w.Close()
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		base := t.TempDir()
		dir := filepath.Join(base, "a", "work")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		o := zipOptions(t)
		o.Inputs = map[string]any{"archive": buf.Bytes()}
		o.Workspace = &workspace.Policy{Dir: dir}
		res := must(t, s, `import { unzipTo } from "@nodetool-ai/sandbox-zip";
const refused = await unzipTo(inputs.archive, "in").catch((e) => e.message);
return [refused, await unzipTo(inputs.archive, "in", { skipRefused: true })];`, o)
		want := `["zip.unzipTo: entry link is a symbolic link; leave it out with except, or all of that kind with skipRefused",["up","etc/abs","drive","plain","a/plain"]]`
		if got := valueText(t, res); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		var files []string
		filepath.WalkDir(base, func(path string, d os.DirEntry, err error) error {
			if !d.IsDir() {
				files = append(files, strings.TrimPrefix(path, base+"/"))
			}
			return err
		})
		if want := []string{"a/work/in/a/plain", "a/work/in/drive", "a/work/in/etc/abs", "a/work/in/plain", "a/work/in/up"}; !slices.Equal(files, want) {
			t.Errorf("there is %v, want %v", files, want)
		}
	})
}

func TestAGuestMayNotInflateMoreThanItsMemory(t *testing.T) {
	bomb, err := zip.Create(context.Background(), []zip.File{{Name: "zeros", Data: make([]byte, 60<<20)}}, zip.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		memory int64
		words  string
	}{
		{0, "zip.unzip: the contents up to entry zeros have 62914560 bytes, more than the limit of 52428800 (ZipTotalSize)"},
		{16 << 20, "zip.unzip: the contents up to entry zeros have 62914560 bytes, more than the limit of 16777216 (ZipTotalSize)"},
	} {
		eachEngine(t, func(t *testing.T, s *Sandbox) {
			o := zipOptions(t)
			o.Inputs = map[string]any{"bomb": bomb}
			o.Limits.Memory = tt.memory
			_, e := fails(t, s, `import { unzip } from "@nodetool-ai/sandbox-zip"; await unzip(inputs.bomb);`, o, KindLimit)
			if !strings.Contains(e.Message, tt.words) {
				t.Errorf("got %s, want %s", e.Message, tt.words)
			}
			// An archive within an archive is a file like any other.
			o.Inputs = map[string]any{"nested": gozipOf(t, "bomb.zip", bomb)}
			res := must(t, s, `import { unzip } from "@nodetool-ai/sandbox-zip"; return Object.entries(await unzip(inputs.nested)).map(([k, v]) => [k, v.length]);`, o)
			if got := valueText(t, res); !strings.HasPrefix(got, `[["bomb.zip",`) {
				t.Errorf("got %s", got)
			}
		})
	}
}

func gozipOf(t testing.TB, name string, data []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := gozip.NewWriter(&buf)
	f, err := w.Create(name)
	if err == nil {
		_, err = f.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// TestARunEndsWhileItZips ends runs in the middle of work for some seconds. That the call
// ends with it is what Run waits for.
func TestARunEndsWhileItZips(t *testing.T) {
	if testing.Short() {
		t.Skip("compresses for a second in all")
	}
	data := make([]byte, 40<<20)
	for i := range data {
		data[i] = byte(i * i >> 7)
	}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		o := zipOptions(t)
		o.Limits.Memory = 256 << 20
		o.Inputs = map[string]any{"data": data}
		o.Globals = map[string]any{"begun": func() { cancel() }}
		_, err := s.Run(ctx, `import { zip } from "@nodetool-ai/sandbox-zip";
const made = zip(inputs, { level: 9 });
await begun();
await made;`, o)
		var e *Error
		if !errors.As(err, &e) || e.Kind != KindCancelled {
			t.Errorf("got %v", err)
		}
	})
}
