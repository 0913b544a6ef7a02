package quicksand

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"quicksand/bridges/workspace"
)

func TestAWorkspaceIsADirectory(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		base := t.TempDir()
		dir := base + "/ws"
		for name, text := range map[string]string{"ws/in.csv": "a,b\n1,2\n", "outside/secret": "CANARY"} {
			if err := os.MkdirAll(filepath.Dir(base+"/"+name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(base+"/"+name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		for link, target := range map[string]string{"abs": base + "/outside", "rel": "../outside/secret", "in": "in.csv", "none": "nothing"} {
			if err := os.Symlink(target, dir+"/"+link); err != nil {
				t.Skip("no links here")
			}
		}
		o := Options{Workspace: &workspace.Policy{Dir: dir}}
		res := must(t, s, `
const [head, ...rows] = (await workspace.read("in.csv")).trim().split("\n").map((l) => l.split(","));
await workspace.write("out/report.json", JSON.stringify({ head, rows }));
const refused = [];
for (const f of [() => workspace.read("abs/secret"), () => workspace.read("rel"), () => workspace.write("rel", "x"), () => workspace.write("abs/new", "x"), () => workspace.remove("rel"), () => workspace.remove("abs/secret"),
  () => workspace.copy("rel", "x"), () => workspace.copy("in.csv", "abs/x"), () => workspace.move("rel", "x"), () => workspace.move("in.csv", "rel"), () => workspace.list("abs"), () => workspace.mkdir("abs/x"), () => workspace.read("none"), () => workspace.append("none", "x")])
  await f().then(() => refused.push("none"), (e) => refused.push(e.code + (e.message.includes("is outside the workspace") ? "" : e.message)));
return [refused.every((r) => r === "EACCES"), refused.length, await workspace.read("in"), await workspace.list(".", { recursive: true }), await workspace.root(), (await workspace.stat("rel")).exists, await workspace.glob("**/*secret*")];`, o)
		wantJSON(t, "what the guest saw", res.Value, `[true,14,"a,b\n1,2\n",["abs","in","in.csv","none","out","out/report.json","rel"],"/workspace",false,[]]`)
		if got := readFile(t, dir+"/out/report.json"); got != `{"head":["a","b"],"rows":[["1","2"]]}` {
			t.Errorf("got %s", got)
		}
		if got := readFile(t, base+"/outside/secret"); got != "CANARY" {
			t.Errorf("the file outside is now %q", got)
		}
		if entries, err := os.ReadDir(base + "/outside"); err != nil || len(entries) != 1 {
			t.Errorf("outside: got %v, %v", entries, err)
		}
	})
}

func TestErrorsOfTheWorkspaceAreTheHosts(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		dir := t.TempDir()
		o := Options{Workspace: &workspace.Policy{Dir: dir, MaxBytes: 100, MaxFileSize: 60}}
		_, e := fails(t, s, "await workspace.write('a', 'x'.repeat(50));\nawait workspace.write('b/c', 'x'.repeat(51));", o, KindLimit)
		wantLimit(t, e, "WorkspaceBytes", 100, 101, 101)
		if e.Op != "workspace.write" || e.Position.Line != 2 {
			t.Errorf("got %q at %v", e.Op, e.Position)
		}
		_, e = fails(t, s, "await workspace.write('b', 'x'.repeat(61))", o, KindLimit)
		wantLimit(t, e, "WorkspaceFileSize", 60, 61, 61)
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 || entries[0].Name() != "a" {
			t.Errorf("got %v, %v", entries, err)
		}
		_, e = fails(t, s, "await workspace.remove('a')", Options{Workspace: &workspace.Policy{Dir: dir, ReadOnly: true}}, KindDenied)
		if e.Code != "EROFS" || !strings.Contains(e.Message, "the workspace is read-only: a") {
			t.Errorf("got %v", e)
		}
		// Nothing of the host is in an error.
		_, e = fails(t, s, "await workspace.read('a')", Options{Workspace: &workspace.Policy{Dir: dir + "/absent"}}, KindInternal)
		if strings.Contains(e.Message+e.Stack, "absent") {
			t.Errorf("got %v\n%s", e, e.Stack)
		}
		if _, err := s.Run(context.Background(), "1", Options{Workspace: &workspace.Policy{Dir: dir, FS: workspace.NewMemory(nil)}}); !errors.Is(err, ErrUsage) {
			t.Errorf("got %v", err)
		}
	})
}

func TestAHostSharesFilesWithRuns(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		m := workspace.NewMemory(nil)
		if err := m.WriteFile("in/n", []byte("20")); err != nil {
			t.Fatal(err)
		}
		o := Options{Workspace: &workspace.Policy{FS: m}}
		must(t, s, `await workspace.write("out/n", String(2 + Number(await workspace.read("in/n"))))`, o)
		res := must(t, s, `return await workspace.read("out/n")`, o)
		wantJSON(t, "the next run", res.Value, `"22"`)
		// A tree that no host keeps is gone with its run.
		must(t, s, `await workspace.write("x", "")`, Options{Workspace: &workspace.Policy{}})
		res = must(t, s, `return await workspace.list()`, Options{Workspace: &workspace.Policy{}})
		wantJSON(t, "a tree of its own", res.Value, `[]`)
		res = must(t, s, `return await workspace.read("example_test.go").then((t) => t.startsWith("package"))`, Options{Workspace: &workspace.Policy{FS: os.DirFS(".")}})
		wantJSON(t, "an fs.FS", res.Value, `true`)
	})
}

func TestACancelledRunLeavesNoPartialFile(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		dir := t.TempDir()
		for i := range 6 {
			ctx, cancel := context.WithCancel(context.Background())
			o := Options{Workspace: &workspace.Policy{Dir: dir}, OnLog: func(_, _ string) { cancel() }}
			_, err := s.Run(ctx, `const big = new Uint8Array(1 << 20).fill(7); const all = [];
for (let i = 0; i < 30; i++) all.push(workspace.writeBytes("d/f" + i, big));
for (let i = 0; i < inputs.wait; i++) await all[i];
console.log("now"); await Promise.all(all); await workspace.list(); for (;;) await sleep(1);`, Options{Workspace: o.Workspace, OnLog: o.OnLog, Inputs: map[string]any{"wait": i * 4}})
			cancel()
			if !errors.Is(err, ErrCancelled) {
				t.Fatalf("got %v", err)
			}
			var names []string
			err = filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				fi, err := d.Info()
				if err != nil {
					return err
				}
				if names = append(names, d.Name()); fi.Size() != 1<<20 {
					return fmt.Errorf("%s has %d bytes", d.Name(), fi.Size())
				}
				return nil
			})
			if err != nil || slices.ContainsFunc(names, func(n string) bool { return !strings.HasPrefix(n, "f") }) {
				t.Errorf("got %v, %v", names, err)
			}
			if err := os.RemoveAll(dir + "/d"); err != nil {
				t.Fatal(err)
			}
		}
		alive(t, s)
	})
}

func TestReadsOfMoreThanARunMayHoldTakeTurns(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Limits: Limits{Memory: 32 << 20}, Workspace: &workspace.Policy{FS: workspace.Overlay(fstest.MapFS{"f": {Data: make([]byte, 6<<20)}})}}
		res := must(t, s, `
const sizes = await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 ? workspace.readBytes("f") : workspace.read("f")).then((b) => b.length)));
return sizes.every((n) => n === 6291456) && sizes.length;`, o)
		wantJSON(t, "reads", res.Value, `40`)
	})
}
