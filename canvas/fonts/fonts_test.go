package fonts

import "testing"

func TestEveryNameStandsForABundledFamily(t *testing.T) {
	plain := make(map[string]int)
	for _, f := range Faces() {
		if len(f.TTF) < 200_000 || string(f.TTF[:4]) != "\x00\x01\x00\x00" {
			t.Errorf("%s %v: %d bytes", f.Family, f.Weight, len(f.TTF))
		}
		plain[f.Family]++
	}
	for family, n := range map[string]int{Sans: 4, Serif: 4, Mono: 4, Fallback: 2} {
		if plain[family] != n {
			t.Errorf("%s has %d faces, want %d", family, plain[family], n)
		}
	}
	for name := range aliases {
		if family, ok := Alias(name); !ok || plain[family] == 0 {
			t.Errorf("%q stands for %q", name, family)
		}
	}
	for name := range standIns {
		if family, ok := StandIn(name); !ok || plain[family] == 0 {
			t.Errorf("%q resembles %q", name, family)
		}
		if _, ok := Alias(name); ok {
			t.Errorf("%q both stands for a family and resembles one", name)
		}
	}
	for _, name := range []string{"Arial", "", "no such family"} {
		if _, ok := Alias(name); ok {
			t.Errorf("%q stands for a family", name)
		}
	}
}
