package workspace

import (
	"context"
	"io/fs"
	"path"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzClean checks that every path which is accepted is a name below the root, which cleaning
// keeps unless it begins with the name of the root or with what looks like a drive.
func FuzzClean(f *testing.F) {
	for _, row := range hostilePaths {
		f.Add(row)
	}
	f.Fuzz(func(t *testing.T, p string) {
		name, err := clean("op", p)
		if err != nil {
			if name != "" {
				t.Errorf("%q: a name with an error, %q", p, name)
			}
			return
		}
		if !fs.ValidPath(name) || !fs.ValidPath(path.Clean(name)) || strings.ContainsAny(name, "\\\x00") || hidden(path.Base(name)) {
			t.Fatalf("%q: got %q", p, name)
		}
		if again, err := clean("op", "/workspace/"+name); err != nil || again != name {
			// Outer white space is the only other thing that is dropped.
			if strings.TrimSpace(name) == name {
				t.Errorf("%q: got %q, and from that %q, %v", p, name, again, err)
			}
		}
	})
}

var hostilePaths = []string{"a/b", "../x", "/workspace/x", `C:\..\x`, " a ", "a/./../b", "workspace", "", ".", "...", "a\x00", "\xff", tempPrefix + "x", "é/ü", "a:b"}

// FuzzGlob compares with path.Match, for patterns that mean the same to both.
func FuzzGlob(f *testing.F) {
	for _, row := range [][2]string{{"*.go", "a.go"}, {"[a-c]?", "bx"}, {"a*b*c", "aXXbYYc"}, {"*", "x"}, {"[^a]", "b"}, {"é*", "éa"}, {"[", "["}, {"a/*", "a/b"}} {
		f.Add(row[0], row[1])
	}
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if len(pattern) > 200 || len(name) > 200 || !utf8.ValidString(pattern) || !utf8.ValidString(name) {
			return
		}
		m, err := compile("op", pattern, true)
		if err != nil {
			t.Fatal(err)
		}
		if name == "" || strings.HasPrefix(name, "/") || strings.HasSuffix(name, "/") || strings.Contains(name, "//") {
			return
		}
		got := m.matches(m.run(m.start(), name))
		// Sets are read differently at their edges, and only we know braces and "**".
		if strings.ContainsAny(pattern, `{}!\]`) || strings.Contains(pattern, "**") || strings.Contains(pattern, "[") {
			return
		}
		if want, err := path.Match(pattern, name); err == nil && got != want {
			t.Errorf("%q on %q: got %v, want %v", pattern, name, got, want)
		}
	})
}

func BenchmarkDirectory(b *testing.B) {
	w := grantOf(b, &Policy{Dir: b.TempDir()}, 0)
	data := make([]byte, 1024)
	write(b, w, "d/read", string(data))
	for _, row := range []struct {
		name string
		call func() error
	}{
		{"Read", func() error { _, err := w.Read(context.Background(), "d/read"); return err }},
		{"Write", func() error { return w.Write(context.Background(), "d/write", data) }},
		{"Append", func() error { return w.Append(context.Background(), "d/append", data[:16]) }},
		{"Stat", func() error { _, err := w.Stat("d/read"); return err }},
	} {
		b.Run(row.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := row.call(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
