package quicksand

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"quicksand/packs"
)

// guestPacks are the shipped packs as modules of a run. Tests that want them are skipped in
// a checkout where they were not built.
func guestPacks(t testing.TB) map[string]Module {
	t.Helper()
	all := make(map[string]Module)
	dirs, err := fs.ReadDir(packs.FS(), ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		code, err := fs.ReadFile(packs.FS(), d.Name()+"/index.js")
		if errors.Is(err, packs.ErrNotBuilt) {
			t.Skip(err)
		} else if err != nil {
			t.Fatal(err)
		}
		all["@nodetool-ai/sandbox-"+d.Name()] = Module{Code: string(code)}
	}
	return all
}

var (
	examples    = regexp.MustCompile("(?s)\n```js\n(.*?)```")
	exampleMark = regexp.MustCompile(`//= (.*)`)
)

// TestSkillsOfGuestPacks runs the examples of the documentation that comes with the packs.
func TestSkillsOfGuestPacks(t *testing.T) {
	modules := guestPacks(t)
	s, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for specifier := range modules {
		id := strings.TrimPrefix(specifier, "@nodetool-ai/sandbox-")
		skill, err := fs.ReadFile(packs.FS(), id+"/SKILL.md")
		if err != nil {
			t.Fatal(err)
		}
		found := examples.FindAllStringSubmatch(string(skill), -1)
		if len(found) == 0 {
			t.Errorf("%s has no example", specifier)
		}
		for i, m := range found {
			t.Run(fmt.Sprintf("%s %d", id, i+1), func(t *testing.T) {
				res, err := s.Run(context.Background(), m[1], Options{Modules: modules})
				if err != nil {
					t.Fatalf("%v\n%s", err, m[1])
				}
				if want := exampleMark.FindStringSubmatch(m[1]); want != nil {
					wantJSON(t, "result", res.Value, want[1])
				}
			})
		}
	}
}

// TestGuestPacks runs the programs testdata/guest/pack-*.js.
func TestGuestPacks(t *testing.T) {
	modules := guestPacks(t)
	all := guestChunks(t)
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, c := range all {
			if !strings.HasPrefix(c.name, "pack-") {
				continue
			}
			t.Run(c.name, func(t *testing.T) {
				if raceEnabled && engineName(s) == "pure" {
					t.Skip("the pure engine runs it without the race detector")
				}
				o := c.options(t)
				o.Modules = modules
				res, err := s.Run(context.Background(), c.code, o)
				if c.fails {
					c.checkError(t, err)
				} else if err != nil {
					t.Fatal(err)
				} else {
					wantJSON(t, "result", res.Value, c.want)
				}
				c.checkDirectives(t, res)
			})
		}
	})
}
