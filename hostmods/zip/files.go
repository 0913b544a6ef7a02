package zip

import (
	"context"
	"io"
	"strings"
	"time"

	"quicksand/bridges"
	"quicksand/bridges/workspace"
	"quicksand/internal/marshal"
)

// unzipTo writes entries as files, one after the other. Each is there as a whole or not at
// all; when one fails, those before it stay.
func unzipTo(ctx context.Context, c *bridges.Call) (any, error) {
	o, err := optionsOf(c, 2)
	if err != nil {
		return nil, err
	}
	p, err := pickOf(c, o)
	if err != nil {
		return nil, err
	}
	ws, err := files(c)
	if err != nil {
		return nil, err
	}
	l := limitsOf(c, o, DefaultTotal, DefaultTotal)
	if l.Total = maxStreamed; o.Has("maxTotal") {
		l.Total = max(o.Int("maxTotal"), 1)
	}
	a, done, err := sourceOf(ctx, c, l)
	if err != nil {
		return nil, err
	}
	defer done()
	chosen, err := p.entries(ctx, a, o.Bool("skipRefused"))
	if err != nil {
		return nil, err
	}
	dir, err := ws.Path(c.Str(1))
	if err != nil {
		return nil, err
	}
	// The dot keeps the workspace from taking an entry's "workspace/" for its own root.
	dir = strings.TrimSuffix(dir, "/") + "/./"
	if o.Has("overwrite") && !o.Bool("overwrite") {
		for _, e := range chosen {
			if st, err := ws.Stat(dir + e.Name); err != nil || st.Exists && !e.Dir {
				if err == nil {
					err = malformed("%s is there already", show(e.Name))
				}
				return nil, err
			}
		}
	}
	if err := ws.Mkdir(ctx, dir); err != nil {
		return nil, err
	}
	paths := make([]any, len(chosen))
	for i, e := range chosen {
		if e.Dir {
			err = ws.Mkdir(ctx, dir+e.Name)
		} else {
			err = ws.WriteFrom(ctx, dir+e.Name, func(w io.Writer) error { return a.WriteTo(ctx, e, w) })
		}
		if err != nil {
			return nil, err
		}
		paths[i] = e.path()
	}
	return paths, nil
}

// zipFrom packs what is in the workspace.
func zipFrom(ctx context.Context, c *bridges.Call) (any, error) {
	o, err := optionsOf(c, 2)
	if err != nil {
		return nil, err
	}
	oo, store, err := packing(c, o)
	if err != nil {
		return nil, err
	}
	p, err := pickOf(c, o)
	if err != nil {
		return nil, err
	}
	ws, err := files(c)
	if err != nil {
		return nil, err
	}
	target, err := ws.Path(c.Str(1))
	if err != nil {
		return nil, err
	}
	g := &gathering{ctx: ctx, op: c.Op(), ws: ws, pick: p, target: target, used: make(map[string]bool), store: store, times: o.Bool("times")}
	if err := g.all(c.Arg(0), o.Str("base"), o.Has("base")); err != nil {
		return nil, err
	}
	size := int64(0)
	err = ws.WriteFrom(ctx, c.Str(1), func(w io.Writer) error {
		count := &counter{w: w}
		defer func() { size = count.n }()
		return Write(ctx, count, g.files, oo)
	})
	if err != nil {
		return nil, err
	}
	return &marshal.Object{Entries: []marshal.Entry{{Key: "entries", Value: len(g.files)}, {Key: "size", Value: size}}}, nil
}

type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// A gathering finds the files of zipFrom.
type gathering struct {
	ctx          context.Context
	op           string
	ws           *workspace.Workspace
	pick         *pick
	target       string // the archive itself, which is left out
	files        []File
	used         map[string]bool // names in the archive
	store, times bool
}

func (g *gathering) all(v bridges.Value, base string, hasBase bool) error {
	if path, ok := v.Str(); ok {
		// One directory, from which names start unless base says otherwise.
		st, err := g.ws.Stat(path)
		if err != nil {
			return err
		}
		if st.IsDirectory && !hasBase {
			base = path
		}
		return g.path(path, base)
	}
	if v.Kind() != marshal.KindArray || v.Len() > maxRules {
		return bridges.TypeErrorf(g.op, "paths must be a string, or an array of at most %d strings", maxRules)
	}
	for _, e := range v.Elements() {
		path, ok := e.Str()
		if !ok {
			return bridges.TypeErrorf(g.op, "paths must hold strings")
		}
		if err := g.path(path, base); err != nil {
			return err
		}
	}
	return nil
}

// path adds a file, a directory with all that it holds, or what a pattern matches.
func (g *gathering) path(path, base string) error {
	root, err := g.ws.Path(base)
	if err != nil {
		return err
	}
	st, err := g.ws.Stat(path)
	if err != nil {
		return err
	}
	switch {
	case st.IsDirectory:
		full, err := g.ws.Path(path)
		if err != nil {
			return err
		}
		below, err := g.ws.List(g.ctx, path, true)
		if err != nil {
			return err
		}
		// Directories are in the archive by the names of what they hold; only those which
		// hold nothing need an entry.
		holds := make(map[string]bool)
		for _, b := range below {
			if i := strings.LastIndexByte(b, '/'); i >= 0 {
				holds[b[:i]] = true
			}
		}
		for _, b := range below {
			if holds[b] {
				continue
			}
			if err := g.add(full+"/./"+b, strings.TrimSuffix(full, "/")+"/"+b, root); err != nil {
				return err
			}
		}
		return nil
	case !st.Exists && strings.ContainsAny(path, "*?[{"):
		found, err := g.ws.Glob(g.ctx, path)
		if err != nil {
			return err
		}
		for _, f := range found {
			full, err := g.ws.Path(f)
			if err != nil {
				return err
			}
			st, err := g.ws.Stat(f)
			if err != nil {
				return err
			}
			if st.IsDirectory {
				continue // what is in it matches, or is not meant
			}
			if err := g.add(f, full, root); err != nil {
				return err
			}
		}
		return nil
	}
	full, err := g.ws.Path(path)
	if err != nil {
		return err
	}
	return g.add(path, full, root)
}

// add adds what is at path, whose full name is given and must be below root.
func (g *gathering) add(path, full, root string) error {
	if full == g.target {
		return nil
	}
	name, below := strings.CutPrefix(full, strings.TrimSuffix(root, "/")+"/")
	if !below {
		return malformed("%s is not below the base %s", show(path), show(root))
	}
	if !g.pick.chooses(name) || g.used[name] {
		return nil
	}
	if int64(len(g.files)) == DefaultEntries {
		return over(limitEntries, DefaultEntries, DefaultEntries+1, "there are more than %d entries", DefaultEntries)
	}
	st, err := g.ws.Stat(path)
	if err != nil {
		return err
	}
	f := File{Name: name, Store: g.store, Size: st.Size}
	if g.times {
		f.Modified = time.UnixMilli(st.ModifiedMs)
	}
	if st.IsDirectory {
		f.Name += "/"
	} else {
		f.Open = func(ctx context.Context) (io.ReadCloser, error) {
			r, err := g.ws.Open(ctx, path)
			if err != nil {
				return nil, err // not a nil *workspace.File as an interface
			}
			return r, nil
		}
	}
	g.used[name] = true
	g.files = append(g.files, f)
	return nil
}
