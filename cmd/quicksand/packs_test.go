package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// packFiles are a folder of packages: one that works, one with a dependency, one that breaks
// a rule.
var packFiles = map[string]string{
	"packs/geo/package.json": `{"name": "@acme/geo", "version": "1.2.0", "nodetool": {"sandboxModules": [{"kind": "js", "name": ".", "file": "geo.js"}, {"kind": "js", "name": "extra", "file": "extra.js"}]}}`,
	"packs/geo/SKILL.md":     "---\nname: geo\ndescription: Distances.\n---\nUse `far`.",
	"packs/geo/geo.js":       "export const far = (a, b) => Math.abs(a - b) * 111",
	"packs/geo/extra.js":     "export * from './geo.js'",
	"packs/tiny/package.json": `{"name": "tiny-pack", "version": "1.0.0", "dependencies": {"tiny": "1"}, "nodetool": {"sandboxModules": [
		{"kind": "js", "name": ".", "npm": "tiny"}, {"kind": "js", "name": "gone", "npm": "gone"}]}}`,
	"packs/tiny/node_modules/tiny/package.json": `{"name": "tiny", "version": "1.0.0", "main": "index.js"}`,
	"packs/tiny/node_modules/tiny/index.js":     "exports.half = (n) => n / 2",
	"bad/package.json":                          `{"name": "bad", "nodetool": {"sandboxModules": [{"kind": "js", "name": ".", "file": "../x.js"}]}}`,
	"empty/package.json":                        `{"name": "empty"}`,
	"geo.js":                                    `import { far } from "@acme/geo"; return far(1, 3)`,
	"both.js":                                   `import { far } from "@acme/geo/extra"; import { half } from "tiny-pack"; return half(far(1, 3))`,
	"docs.js":                                   `return (await nodetool.packs.docs("@acme/geo")).trusted`,
	"list.js":                                   `return (await nodetool.packs.list()).allowedSpecifiers.length > 20`,
	"csv.js":                                    `import { parse } from "@nodetool-ai/sandbox-csv"; return await parse("name,city\nada,london\n")`,
}

func TestPacksCommand(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	put(t, packFiles)
	for _, c := range []struct {
		name           string
		args           string
		status         int
		stdout, stderr string // contained; "" means that nothing is written
	}{
		{"help", "packs --help", 0, "quicksand packs compile DIR", ""},
		{"help packs", "help packs", 0, "quicksand packs compile DIR", ""},
		{"help bench", "help bench", 0, "Usage: quicksand bench [flags]", ""},
		{"no verb", "packs", 2, "", "packs needs list, info or compile"},
		{"another verb", "packs install x", 2, "", `packs can list, info and compile, not "install"`},
		{"an unknown flag", "packs list --fast", 2, "", "unknown flag --fast; try quicksand packs --help"},
		{"list with --force", "packs list --force", 2, "", "--force goes with packs compile"},
		{"compile without a directory", "packs compile", 2, "", "packs compile needs a directory"},
		{"a directory that is missing", "packs list none", 2, "", "none: no such file or directory"},
		{"a file", "packs list geo.js", 2, "", "geo.js is no directory"},
		{"what comes with quicksand", "packs list --pack @nodetool-ai/sandbox-csv", 0, "@nodetool-ai/sandbox-csv  1.0.0  host", ""},
		{"a package that is not there", "packs list packs/geo --pack left-pad", 2, "", "there is no package left-pad"},
		{"a package by its folder", "packs list packs/geo", 0, "@acme/geo/extra  1.2.0  js  Distances.", ""},
		{"a dependency that was not compiled", "packs list packs", 1, "not available", "skipped pending-compile: tiny-pack: tiny was not compiled here"},
		{"only the package that is asked for", "packs list packs --pack @acme/geo", 0, "@acme/geo        1.2.0  js  Distances.\n@acme/geo/extra", ""},
		{"a package that breaks a rule", "packs list bad", 1, "", `error discovery-failed: `},
		{"a folder without packages", "packs list empty", 0, "", `there is no sandbox package in empty: `},
		{"info", "packs info packs/geo", 0, "  module     @acme/geo (js)\n    exports  far\n", ""},
		{"info with documentation", "packs info packs/geo", 0, "\n\n    Use `far`.\n", ""},
		{"info of a star", "packs info packs/geo", 0, "    exports   and perhaps more", ""},

		{"run without compiling", "run both.js --packs packs", 1, "", "quicksand packs compile"},
		{"compile", "packs compile packs", 1, "tiny-pack  tiny  npm-module-compiled: ", ""},
		{"compile again", "packs compile packs --pack tiny-pack", 1, "(cached)", ""},
		{"compile by force", "packs compile --force packs", 1, "tiny-pack/gone  gone  npm-module-unresolved: ", ""},
		{"nothing to compile", "packs compile packs/geo", 0, "", "no package declares an npm dependency"},
		{"why there is no module", "packs list packs", 1, "tiny-pack        1.0.0  js", "skipped npm-module-unresolved: tiny-pack/gone"},

		{"run", "run geo.js --packs packs", 0, "222\n", ""},
		{"run with a dependency", "run both.js --packs packs", 0, "111\n", ""},
		{"run with all that is needed", "run both.js --packs packs --allow-import @acme/geo,tiny-pack", 0, "111\n", ""},
		{"run without what is needed", "run both.js --packs packs --allow-import @acme/geo", 1, "", `cannot import "tiny-pack": the run is not allowed to import it (allowed: @acme/geo, @acme/geo/extra)`},
		{"run without any", "run geo.js --packs packs --allow-import none", 1, "", "quicksand: denied: "},
		{"run with a package that breaks a rule", "run csv.js --packs bad", 0, `"city": "london"`, "quicksand: error discovery-failed: "},
		{"run without packs", "run geo.js", 1, "", `cannot import "@acme/geo"`},
		{"run with a directory that is missing", "run geo.js --packs none", 2, "", "--packs: none: no such file or directory"},
		{"run with an empty flag", "run geo.js --packs=", 2, "", "want a directory"},
		{"run with an empty list", "run geo.js --allow-import=,", 2, "", "want a package"},
		{"a host module needs no flag", "run csv.js", 0, `"city": "london"`, ""},
		{"the program learns what it can import", "run list.js", 0, "true\n", ""},
		{"documentation of strangers", "run docs.js --packs packs", 0, "false\n", ""},
		{"documentation that is trusted", "run docs.js --packs packs --trust-pack @acme/geo", 0, "true\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, stdout, stderr := execute("", strings.Fields(c.args)...)
			if status != c.status || !strings.Contains(stdout, c.stdout) || !strings.Contains(stderr, c.stderr) ||
				c.stdout == "" && stdout != "" || c.stderr == "" && stderr != "" && c.status != 1 {
				t.Errorf("status %d, want %d\nstdout %q, want %q\nstderr %q, want %q", status, c.status, stdout, c.stdout, stderr, c.stderr)
			}
		})
	}
}

func TestPacksAsJSON(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	put(t, packFiles)
	var list struct {
		Modules     []struct{ Specifier, ContentDigest string }
		Diagnostics []struct{ Status, Code, Specifier string }
	}
	status, stdout, stderr := execute("", "packs", "list", "--json", "packs")
	if err := json.Unmarshal([]byte(stdout), &list); err != nil || status != exitGuest || stderr != "" {
		t.Fatalf("status %d, %v, stderr %q", status, err, stderr)
	}
	if len(list.Modules) != 4 || list.Modules[0].Specifier != "@acme/geo" || len(list.Modules[0].ContentDigest) != 64 {
		t.Errorf("modules %+v", list.Modules)
	}
	if len(list.Diagnostics) != 3 || list.Diagnostics[0].Code != "pending-compile" || list.Diagnostics[0].Status != "skipped" || list.Diagnostics[2].Code != "skill-missing" {
		t.Errorf("diagnostics %+v", list.Diagnostics)
	}
	var info struct {
		Packs []struct {
			Name, Description, Documentation string
			Modules                          []struct {
				Specifier string
				Exports   []string
			}
		}
	}
	_, stdout, _ = execute("", "packs", "info", "--json", "packs/geo")
	if err := json.Unmarshal([]byte(stdout), &info); err != nil {
		t.Fatal(err)
	}
	if p := info.Packs; len(p) != 1 || p[0].Name != "@acme/geo" || p[0].Documentation != "Use `far`." || len(p[0].Modules) != 2 || p[0].Modules[0].Exports[0] != "far" {
		t.Errorf("packs %+v", p)
	}
	var reports []struct {
		Pack    string
		Modules []struct{ Specifier, NPM, Status, Code string }
	}
	status, stdout, _ = execute("", "packs", "compile", "--json", "packs")
	if err := json.Unmarshal([]byte(stdout), &reports); err != nil || status != exitGuest {
		t.Fatalf("status %d, %v", status, err)
	}
	if r := reports; len(r) != 1 || r[0].Pack != "tiny-pack" || len(r[0].Modules) != 2 || r[0].Modules[0].Status != "ready" || r[0].Modules[1].Code != "npm-module-unresolved" {
		t.Errorf("reports %+v", r)
	}
}
