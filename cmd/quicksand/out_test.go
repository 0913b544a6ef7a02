package main

import (
	"bytes"
	"encoding/json"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const pictures = `
const a = await image.blank(4, 3, { color: "tomato" }), b = await image.blank(2, 2, { format: "jpeg" });
await output("my cover", { a, list: [a] });
await output("../../escape", b);
await emit("NUL", await image.blank(1, 1));
return { again: a, b, c: await image.blank(5, 5) };`

func TestMediaAreWrittenToFiles(t *testing.T) {
	eachEngine(t, func(t *testing.T, engine string) {
		put(t, map[string]string{"p.js": pictures})
		status, stdout, stderr := execute("", "run", "p.js", "--out", "deep/pictures", "--json", "--engine", engine)
		if status != exitOK {
			t.Fatalf("status %d\n%s", status, stderr)
		}
		var r struct {
			Result  map[string]string
			Outputs map[string]json.RawMessage
			Emitted []struct{ Value string }
		}
		if err := json.Unmarshal([]byte(stdout), &r); err != nil {
			t.Fatal(err)
		}
		at := func(name string) string { return filepath.Join("deep", "pictures", name) }
		if r.Result["again"] != at("my_cover.png") || r.Result["b"] != at("escape.jpg") || r.Result["c"] != at("result.png") {
			t.Errorf("got result %v", r.Result)
		}
		if got := strings.Join(strings.Fields(string(r.Outputs["my cover"])), ""); got != `{"a":"`+at("my_cover.png")+`","list":["`+at("my_cover.png")+`"]}` || r.Emitted[0].Value != at("NUL.png") {
			t.Errorf("got %s and %v", got, r.Emitted)
		}
		var names []string
		entries, err := os.ReadDir(filepath.Join("deep", "pictures"))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		if want := []string{"NUL.png", "escape.jpg", "my_cover.png", "result.png"}; !slices.Equal(names, want) {
			t.Errorf("got files %v, want %v", names, want)
		}
		data, _ := os.ReadFile(at("my_cover.png"))
		if m, err := png.Decode(bytes.NewReader(data)); err != nil || m.Bounds().Dx() != 4 || m.Bounds().Dy() != 3 {
			t.Errorf("my_cover.png: %v", err)
		}
		data, _ = os.ReadFile(at("escape.jpg"))
		if _, err := jpeg.Decode(bytes.NewReader(data)); err != nil {
			t.Errorf("escape.jpg: %v", err)
		}
	})
}

func TestMediaOfOneNameAreNumbered(t *testing.T) {
	put(t, map[string]string{"p.js": `const all = []; for (let i = 1; i < 4; i++) all.push(await image.blank(i, 1)); return all;`})
	for range 2 { // the second run replaces the files of the first
		status, stdout, stderr := execute("", "run", "p.js", "--out", ".")
		if want := "[\n  \"result.png\",\n  \"result-2.png\",\n  \"result-3.png\"\n]\n"; status != exitOK || stdout != want {
			t.Errorf("status %d, got %s%s", status, stdout, stderr)
		}
	}
}

func TestMediaWithoutADirectory(t *testing.T) {
	put(t, map[string]string{"p.js": `return await image.blank(2, 1);`, "file": "x"})
	status, stdout, _ := execute("", "run", "p.js")
	if status != exitOK || !strings.Contains(stdout, `"uri": "sandbox://media/m1"`) {
		t.Errorf("status %d, got %s", status, stdout)
	}
	for _, args := range [][]string{{"--out", "file"}, {"--out", ""}} {
		if status, _, stderr := execute("", append([]string{"run", "p.js"}, args...)...); status != exitUsage || !strings.Contains(stderr, "--out") {
			t.Errorf("%v: status %d, got %s", args, status, stderr)
		}
	}
	if status, _, stderr := execute("", "run", "p.js", "--media", "1MiB"); status != exitOK {
		t.Errorf("status %d, got %s", status, stderr)
	}
	put(t, map[string]string{"p.js": `await image.blank(1000, 1000);`})
	if status, _, stderr := execute("", "run", "p.js", "--media", "1MiB"); status != exitLimit || !strings.Contains(stderr, "RunMedia") {
		t.Errorf("status %d, got %s", status, stderr)
	}
}

func TestNamesOfFiles(t *testing.T) {
	for from, want := range map[string]string{
		"result": "result", "output cover": "cover", "output my cover (1)": "my_cover__1", "emit ../x": "x", "output ": "media", "output ../..": "media",
		"output a/b\\c:d": "a_b_c_d", "emit héllo": "h_llo", "output " + strings.Repeat("x", 300): strings.Repeat("x", 60),
	} {
		if got := fileName(from); got != want {
			t.Errorf("%q: got %q, want %q", from, got, want)
		}
	}
}
