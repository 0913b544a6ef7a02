package npm

import (
	"errors"
	"os"
	"regexp"
	"slices"
	"testing"
	"unicode/utf8"

	"quicksand/modules"
)

// FuzzScan looks for texts that stop the process, and for answers that no caller expects.
func FuzzScan(f *testing.F) {
	source, err := os.ReadFile("scan_test.go")
	if err != nil {
		f.Fatal(err)
	}
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(string(source), -1) {
		f.Add(m[1])
	}
	f.Add(`import("./" + x); require(require); globalThis.process ||= top?.[self]; export default class extends window {}`)
	f.Fuzz(func(t *testing.T, code string) {
		if len(code) > 8192 {
			return
		}
		list, err := scan(code)
		if err != nil {
			if s := (*errSkip)(nil); !errors.As(err, &s) || s.Code != modules.CodeScanRejected || !utf8.ValidString(s.Message) {
				t.Fatalf("error %v is no rejection", err)
			}
			return
		}
		for i, f := range list {
			if f.name != "import" && !slices.Contains(slices.Concat(forbidden, conditional, missing), f.name) {
				t.Errorf("found %q", f.name)
			}
			if i > 0 && list[i-1].name >= f.name {
				t.Errorf("%q after %q", f.name, list[i-1].name)
			}
			if f.line < 0 || f.column < 0 {
				t.Errorf("%s is at %d:%d", f.name, f.line, f.column)
			}
		}
		if _, err := verdict(&bundle{code: []byte(code)}); err != nil {
			if s := (*errSkip)(nil); !errors.As(err, &s) {
				t.Fatalf("error %v is no skip", err)
			}
		}
	})
}

// FuzzPackageJSON resolves with hostile manifests: what is found stays in the package.
func FuzzPackageJSON(f *testing.F) {
	f.Add(`{"name":"dep","exports":{".":"./a.js","./x/*":["./y/*.js",null],"./old/":"./new/"},"imports":{"#a":{"node":"fs","default":"./a.js"}},"sideEffects":["*.css","src/**/x.js"],"browser":{"fs":false,"./a":"./b"}}`, "./x/y")
	f.Add(`{"exports":{"import":{"default":"./../../x"},"require":"./b"}}`, ".")
	f.Add(`{"exports":"./%2e%2e/x","sideEffects":false,"browser":"./b.js"}`, "#a")
	f.Fuzz(func(t *testing.T, text, sub string) {
		if len(text) > 4096 || len(sub) > 512 || sub == "" {
			return
		}
		pkg := readPackage("/p", []byte(text))
		if pkg == nil {
			return
		}
		pkg.sideEffects("/p/" + sub)
		for _, browser := range []bool{false, true} {
			r := &resolver{browser: browser}
			for _, require := range []bool{false, true} {
				for _, table := range []any{pkg.exports, pkg.imports} {
					o, ok := table.(*object)
					if !ok || o == nil {
						continue
					}
					found, err := r.mapped(o, sub, require, table == pkg.imports)
					if err == nil && (found == "" || found[0] == '/' || len(found) > 2 && found[:3] == "../") {
						t.Errorf("%q leads to %q", sub, found)
					}
				}
			}
		}
	})
}
