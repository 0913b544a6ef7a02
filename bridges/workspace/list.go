package workspace

import (
	"cmp"
	"context"
	"io"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"
)

// entry is something below a directory.
type entry struct {
	path string // from that directory
	dir  bool
}

// entriesOf calls f for each entry of a directory.
func (w *Workspace) entriesOf(ctx context.Context, dir string, f func(fs.DirEntry) error) error {
	d, err := w.store.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	r, ok := d.(fs.ReadDirFile)
	if !ok {
		return syscall.ENOTDIR
	}
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		entries, err := r.ReadDir(256)
		for _, e := range entries {
			if err := f(e); err != nil {
				return err
			}
		}
		if err == io.EOF || err == nil && len(entries) == 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// walk is what is below a directory, directories before what they hold. pick says of each
// entry, a name in a directory given by its path from the start, "" for that itself, whether
// to keep it and, for a directory, whether to look into it; nil is all of it. Links are never
// looked into. temps adds files that are being written.
func (w *Workspace) walk(ctx context.Context, op, path, start string, temps bool, pick func(dir, name string) (keep, into bool)) ([]entry, error) {
	var found []entry
	var bytes int64
	dirs := []string{""}
	seen := int64(0)
	for len(dirs) > 0 {
		dir := dirs[len(dirs)-1]
		dirs = dirs[:len(dirs)-1]
		if n := int64(strings.Count(dir, "/")) + 1; n > limitPathDepth.Default {
			return nil, over(op, &limitPathDepth, limitPathDepth.Default, n, "directories are nested deeper than %d: %s", limitPathDepth.Default, show(path))
		}
		err := w.entriesOf(ctx, join(start, dir), func(e fs.DirEntry) error {
			if seen++; seen > w.entries {
				return over(op, &limitEntries, w.entries, seen, "more than %d directory entries: %s", w.entries, show(path))
			}
			if hidden(e.Name()) && !temps {
				return nil
			}
			at := e.Name()
			if dir != "" {
				at = dir + "/" + at
			}
			keep, into := true, true
			if pick != nil {
				keep, into = pick(dir, e.Name())
			}
			into = into && e.IsDir()
			if !keep && !into {
				return nil
			}
			// What a result holds in memory is bounded as what a read returns.
			if bytes += int64(len(at)); bytes > w.readSize {
				return over(op, &limitReadSize, w.readSize, bytes, "the paths are longer than a result may be, %d bytes: %s", w.readSize, show(path))
			}
			if into {
				dirs = append(dirs, at)
			}
			if !keep {
				return nil
			}
			found = append(found, entry{at, e.IsDir()})
			return nil
		})
		if dir != "" && isMissing(err) {
			continue // it went away meanwhile
		}
		if isMissing(err) {
			return nil, failure("ENOENT", "no such directory", path, err)
		}
		if err != nil {
			return nil, explain(path, err)
		}
	}
	return found, nil
}

func (w *Workspace) list(ctx context.Context, op, path string, recursive bool) ([]string, error) {
	if path == "" {
		path = "."
	}
	name, err := w.resolve(op, path)
	if err != nil {
		return nil, err
	}
	found, err := w.walk(ctx, op, path, name, false, func(_, _ string) (keep, into bool) { return true, recursive })
	if err != nil {
		return nil, err
	}
	return sorted("", found), nil
}

// sorted is the paths of entries as guests get them, behind a prefix, in order.
func sorted(prefix string, found []entry) []string {
	paths := make([]string, len(found))
	for i, e := range found {
		// A name that is no text can be seen, not used.
		paths[i] = prefix + strings.ToValidUTF8(e.path, "\uFFFD")
	}
	slices.SortFunc(paths, compare)
	return paths
}

// order is the characters of ASCII in the order of ICU's root locale, which localeCompare
// has in most languages: letters of both cases have one place, white space comes first.
const order = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789"

// rank is where each character of ASCII stands.
var rank = func() (r [utf8.RuneSelf]int32) {
	for i, c := range []byte(order) {
		r[c] = int32(i + 1)
	}
	for c := 'a'; c <= 'z'; c++ {
		r[c] = int32(len(order)) + 1 + c - 'a'
		r[c-'a'+'A'] = r[c]
	}
	return r
}()

// weight is the first-level weight of a character. Beyond ASCII it is by its lower case, so
// that letters with accents come after z.
func weight(c rune) int32 {
	if c < utf8.RuneSelf {
		return rank[c]
	}
	return int32(len(order)) + 100 + unicode.ToLower(c)
}

// compare orders paths: as ICU's root locale does those of ASCII; others by code points,
// whatever their case. Lower case comes first where nothing else differs.
func compare(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		c, n := utf8.DecodeRuneInString(x)
		d, m := utf8.DecodeRuneInString(y)
		if diff := cmp.Compare(weight(c), weight(d)); diff != 0 {
			return diff
		}
		x, y = x[n:], y[m:]
	}
	if diff := cmp.Compare(len(x), len(y)); diff != 0 {
		return diff
	}
	return cmp.Compare(b, a) // lower case has the higher code
}
