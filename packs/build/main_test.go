package main

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
)

func TestBundlesAreOfTheseSources(t *testing.T) {
	built, err := os.ReadFile("../built/SOURCES")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the guest packs are not built: run make packs")
	} else if err != nil {
		t.Fatal(err)
	}
	want, err := sources("..")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(string(built)); got != want {
		t.Error("the guest packs were built from other sources: run make packs")
	}
}

func TestPackageOfAFile(t *testing.T) {
	for file, want := range map[string]string{
		"src/dates/index.js":                                "",
		"node_modules/date-fns/add.js":                      "node_modules/date-fns",
		"node_modules/@pdf-lib/upng/UPNG.js":                "node_modules/@pdf-lib/upng",
		"node_modules/ics/node_modules/nanoid/index.js":     "node_modules/ics/node_modules/nanoid",
		"node_modules/ics/node_modules/@a/b/lib/c/index.js": "node_modules/ics/node_modules/@a/b",
	} {
		if got := packageOf(file); got != want {
			t.Errorf("%s: got %q, want %q", file, got, want)
		}
	}
}

func TestLicencesWithoutAText(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(dir+"/"+name[:strings.LastIndex(name, "/")], 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(dir+"/"+name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("node_modules/a/package.json", `{"name": "a", "version": "1.0.0", "license": "MIT"}`)
	write("node_modules/b/package.json", `{"name": "b", "version": "2.0.0", "license": "ISC"}`)
	write("node_modules/b/LICENSE", "the text of b")
	write("node_modules/c/package.json", `{"name": "c", "version": "3.0.0", "license": "Secret"}`)
	text, err := licences(dir, map[string]bool{"node_modules/a": true, "node_modules/b": true})
	if err != nil || !strings.Contains(text, "a 1.0.0: MIT\nb 2.0.0: ISC\n") || !strings.Contains(text, "WITHOUT WARRANTY OF ANY KIND") || !strings.Contains(text, "the text of b") {
		t.Errorf("got %v and %s", err, text)
	}
	if _, err := licences(dir, map[string]bool{"node_modules/c": true}); err == nil {
		t.Error("a package without the text of a licence that is not known passes")
	}
}
