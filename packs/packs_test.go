package packs

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"quicksand/modules"
)

// ids are all packs.
func ids(t *testing.T) []string {
	t.Helper()
	list, err := fs.ReadDir(FS(), ".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	if len(names) != 18 {
		t.Fatalf("got %d packs, want 18: %v", len(names), names)
	}
	return names
}

// built skips a test in a checkout without the bundles.
func built(t *testing.T) {
	t.Helper()
	if _, err := Licences(); errors.Is(err, ErrNotBuilt) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
}

func TestTheFileSystemOfPacks(t *testing.T) {
	built(t)
	var want []string
	for _, id := range ids(t) {
		want = append(want, id+"/index.js", id+"/package.json", id+"/SKILL.md")
	}
	if err := fstest.TestFS(FS(), want...); err != nil {
		t.Error(err)
	}
}

// manifest is what the tests read of a package.json.
type manifest struct {
	Name, Version string
	Dependencies  map[string]string
}

func readManifest(t *testing.T, text []byte) (m manifest) {
	t.Helper()
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestAPackHasTheVersionOfItsLibrary finds the library in the first import of the facade.
func TestAPackHasTheVersionOfItsLibrary(t *testing.T) {
	root, err := os.ReadFile("package.json")
	if err != nil {
		t.Fatal(err)
	}
	versions := readManifest(t, root).Dependencies
	from := regexp.MustCompile(`from "([a-z][^"]*)"`)
	for _, id := range ids(t) {
		text, err := fs.ReadFile(FS(), id+"/package.json")
		if err != nil {
			t.Fatal(err)
		}
		facade, err := os.ReadFile("src/" + id + "/index.js")
		if err != nil {
			t.Fatal(err)
		}
		library := strings.TrimSuffix(string(from.FindSubmatch(facade)[1]), "/en")
		if m := readManifest(t, text); m.Name != "@nodetool-ai/sandbox-"+id || m.Version != versions[library] {
			t.Errorf("the pack %s is %s %s, and its library %s has version %s", id, m.Name, m.Version, library, versions[library])
		}
	}
}

func TestTheTableOfPacks(t *testing.T) {
	table, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.ReadFile("package.json")
	if err != nil {
		t.Fatal(err)
	}
	for library, version := range readManifest(t, root).Dependencies {
		if !strings.Contains(string(table), "| "+library+" "+version+" |") {
			t.Errorf("README.md has no row of %s %s", library, version)
		}
	}
	for _, id := range ids(t) {
		if !strings.Contains(string(table), "\n| "+id+" | ") {
			t.Errorf("README.md has no row of the pack %s", id)
		}
	}
}

func TestAPackIsOneBundle(t *testing.T) {
	built(t)
	imports := regexp.MustCompile(`\bimport\s*\(|(?:^|[;\n}])\s*(?:import|export)\b[^;]{0,200}?\bfrom\s*["']`)
	for _, id := range ids(t) {
		code, err := fs.ReadFile(FS(), id+"/index.js")
		if err != nil {
			t.Fatal(err)
		}
		if m := imports.Find(code); m != nil {
			t.Errorf("%s imports something: %s", id, m)
		}
		if len(code) > modules.MaxShipped {
			t.Errorf("%s has %d bytes, more than %d", id, len(code), modules.MaxShipped)
		}
		if info, err := fs.Stat(FS(), id+"/index.js"); err != nil || info.Size() != int64(len(code)) {
			t.Errorf("the size of %s is %v (%v), want %d", id, info, err, len(code))
		}
		if strings.Contains(string(code), "registry.") || strings.Contains(string(code), "node_modules") {
			t.Errorf("%s says where it comes from", id)
		}
	}
}

func TestTheLockFileNamesNoRegistry(t *testing.T) {
	text, err := os.ReadFile("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	var lock struct {
		Packages map[string]struct{ Version, Resolved, Integrity string }
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		t.Fatal(err)
	}
	for name, p := range lock.Packages {
		if p.Resolved != "" {
			t.Errorf("%s is resolved to an address", name)
		}
		if name != "" && p.Integrity == "" {
			t.Errorf("%s has no hash", name)
		}
	}
}

func TestLicencesOfAllPackages(t *testing.T) {
	built(t)
	text, err := Licences()
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.ReadFile("package.json")
	if err != nil {
		t.Fatal(err)
	}
	// The table, then a heading and a text for each file.
	parts := strings.Split(text, "\n"+strings.Repeat("=", 78)+"\n")
	texts := make(map[string]int) // package: characters
	for i := 1; i+1 < len(parts); i += 2 {
		p, _, _ := strings.Cut(parts[i], ": ")
		texts[p] += len(strings.TrimSpace(parts[i+1]))
	}
	var names []string
	for _, line := range strings.Split(strings.TrimSpace(parts[0]), "\n")[2:] {
		p, licence, _ := strings.Cut(line, ": ")
		names = append(names, p)
		if licence == "" || texts[p] < 400 {
			t.Errorf("%s has the licence %q with a text of %d characters", p, licence, texts[p])
		}
	}
	for library, version := range readManifest(t, root).Dependencies {
		if !slices.Contains(names, library+" "+version) {
			t.Errorf("%s %s is not among the licences", library, version)
		}
	}
	for _, p := range []string{"jszip 3.10.2", "pako 1.0.11", "underscore 1.13.8", "fflate 0.8.3"} {
		if !slices.Contains(names, p) {
			t.Errorf("%s is not among the licences", p)
		}
	}
}

func TestDocumentationOfPacks(t *testing.T) {
	c, err := modules.Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids(t) {
		skill := c.Skill("@nodetool-ai/sandbox-" + id)
		if skill == nil {
			t.Errorf("%s has no documentation", id)
			continue
		}
		if skill.Name != "sandbox-"+id || skill.Description == "" || !skill.Trusted {
			t.Errorf("%s: got name %q, description %q, trusted %v", id, skill.Name, skill.Description, skill.Trusted)
		}
		for _, section := range []string{"exports", "examples", "pitfalls"} {
			if skill.Sections[section] == "" {
				t.Errorf("%s has no section %s", id, section)
			}
		}
	}
}

// TestWithoutBundles has the files of a checkout where nothing was built.
func TestWithoutBundles(t *testing.T) {
	p := &packFS{files: fstest.MapFS{
		"src/dates/package.json": {Data: []byte("{}")},
		"src/dates/SKILL.md":     {Data: []byte("---")},
		"built/README.md":        {Data: []byte("nothing")},
	}}
	if err := fstest.TestFS(p, "dates/package.json", "dates/SKILL.md"); err != nil {
		t.Error(err)
	}
	_, err := fs.ReadFile(p, "dates/index.js")
	if !errors.Is(err, ErrNotBuilt) || !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "make packs") {
		t.Errorf("got %v, want ErrNotBuilt, which names make packs", err)
	}
	if _, err := fs.ReadFile(p, "none/index.js"); errors.Is(err, ErrNotBuilt) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v for a pack that there is not", err)
	}
	if _, err := p.code("LICENSES.txt"); err != ErrNotBuilt {
		t.Errorf("got %v for the licences", err)
	}
}

func BenchmarkDecompress(b *testing.B) {
	small, err := embedded.ReadFile("built/pdflib.js.zst")
	if err != nil {
		b.Skip(ErrNotBuilt)
	}
	for b.Loop() {
		p := &packFS{files: fstest.MapFS{"built/pdflib.js.zst": {Data: small}}}
		if _, err := p.code("pdflib.js"); err != nil {
			b.Fatal(err)
		}
	}
}
