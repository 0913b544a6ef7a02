package workspace

import (
	"context"
	"math"

	"quicksand/bridges"
)

// Bridge is the capability; its grant is a *Policy.
var Bridge = &bridges.Bridge{
	Name:     "workspace",
	Doc:      "files of the workspace",
	Grant:    "Options.Workspace (on the command line --workspace)",
	Limits:   limits,
	Check:    check,
	Open:     open,
	Describe: describe,
	Funcs: []bridges.Func{
		{Name: "workspace.read", Params: params(path_, span), Result: "text", Doc: "reads a file as UTF-8, or a range of its bytes",
			Call: func(ctx context.Context, c *bridges.Call) (any, error) {
				offset, length, err := spanOf(c)
				if err != nil {
					return nil, err
				}
				text, give, err := of(c).readText(ctx, c.Op(), c.Str(0), offset, length)
				if err != nil {
					return nil, err
				}
				c.WhenSettled(give)
				return text, nil
			}},
		{Name: "workspace.readBytes", Params: params(path_, span), Result: "Uint8Array", Doc: "reads a file, or a range of it",
			Call: func(ctx context.Context, c *bridges.Call) (any, error) {
				offset, length, err := spanOf(c)
				if err != nil {
					return nil, err
				}
				data, give, err := of(c).readHeld(ctx, c.Op(), c.Str(0), offset, length)
				if err != nil {
					return nil, err
				}
				c.WhenSettled(give)
				return data, nil
			}},
		{Name: "workspace.write", Params: params(path_, bridges.Param{Name: "text", Type: bridges.Text}), Doc: "writes a file as a whole and makes its directories",
			Call: call(func(ctx context.Context, w *Workspace, c *bridges.Call) error {
				return w.write(ctx, c.Op(), c.Str(0), c.Bytes(1))
			})},
		{Name: "workspace.writeBytes", Params: params(path_, bridges.Param{Name: "bytes", Type: bridges.Bytes}), Doc: "writes a file as a whole and makes its directories",
			Call: call(func(ctx context.Context, w *Workspace, c *bridges.Call) error {
				return w.write(ctx, c.Op(), c.Str(0), c.Bytes(1))
			})},
		{Name: "workspace.append", Params: params(path_, bridges.Param{Name: "data", Type: bridges.Text}), Doc: "adds text or bytes to the end of a file, or makes it",
			Call: call(func(ctx context.Context, w *Workspace, c *bridges.Call) error {
				return w.append(ctx, c.Op(), c.Str(0), c.Bytes(1))
			})},
		{Name: "workspace.appendBytes", Params: params(path_, bridges.Param{Name: "bytes", Type: bridges.Bytes}), Doc: "adds bytes to the end of a file, or makes it",
			Call: call(func(ctx context.Context, w *Workspace, c *bridges.Call) error {
				return w.append(ctx, c.Op(), c.Str(0), c.Bytes(1))
			})},
		{Name: "workspace.list", Params: params(bridges.Param{Name: "path", Type: bridges.String, Optional: true}, recursive), Result: "names",
			Doc: "names of a directory's entries, sorted; with recursive also the paths below, from that directory",
			Call: func(ctx context.Context, c *bridges.Call) (any, error) {
				return of(c).list(ctx, c.Op(), c.Str(0), c.Options(1).Bool("recursive"))
			}},
		{Name: "workspace.glob", Params: params(bridges.Param{Name: "pattern", Type: bridges.String}, bridges.Param{Name: "options", Type: bridges.Object, Optional: true,
			Fields: []bridges.Param{{Name: "dot", Type: bridges.Boolean, Optional: true, Doc: "wildcards match names that begin with a dot too"}}}), Result: "paths",
			Doc: "paths that match a pattern with *, ?, [a-z], {a,b} and **, sorted",
			Call: func(ctx context.Context, c *bridges.Call) (any, error) {
				return of(c).glob(ctx, c.Op(), c.Str(0), c.Options(1).Bool("dot"))
			}},
		{Name: "workspace.stat", Params: params(path_), Result: "{exists, size, isDirectory, isFile, isSymlink, modifiedMs, createdMs, accessedMs}", Doc: "describes a file or directory; exists is false without one",
			Call: func(ctx context.Context, c *bridges.Call) (any, error) { return of(c).stat(c.Op(), c.Str(0)) }},
		{Name: "workspace.exists", Params: params(path_), Result: "boolean", Doc: "whether there is a file or directory",
			Call: func(ctx context.Context, c *bridges.Call) (any, error) {
				st, err := of(c).stat(c.Op(), c.Str(0))
				return st.Exists, err
			}},
		{Name: "workspace.root", Result: "path", Doc: "the path of the workspace itself",
			Call: func(ctx context.Context, c *bridges.Call) (any, error) { return of(c).Root(), nil }},
		{Name: "workspace.copy", Params: params(from, to, recursive), Doc: "copies a file, or with recursive a directory",
			Call: call(func(ctx context.Context, w *Workspace, c *bridges.Call) error {
				return w.copy(ctx, c.Op(), c.Str(0), c.Str(1), c.Options(2).Bool("recursive"))
			})},
		{Name: "workspace.move", Params: params(from, to), Doc: "moves a file or directory in one step",
			Call: call(func(ctx context.Context, w *Workspace, c *bridges.Call) error {
				return w.move(ctx, c.Op(), c.Str(0), c.Str(1))
			})},
		{Name: "workspace.mkdir", Params: params(path_), Doc: "makes a directory and those above it",
			Call: call(func(ctx context.Context, w *Workspace, c *bridges.Call) error {
				return w.mkdir(ctx, c.Op(), c.Str(0))
			})},
		{Name: "workspace.remove", Params: params(path_, recursive), Doc: "removes a file or an empty directory, or with recursive any directory",
			Call: call(func(ctx context.Context, w *Workspace, c *bridges.Call) error {
				return w.remove(ctx, c.Op(), c.Str(0), c.Options(1).Bool("recursive"))
			})},
	},
}

var (
	path_ = bridges.Param{Name: "path", Type: bridges.String}
	from  = bridges.Param{Name: "from", Type: bridges.String}
	to    = bridges.Param{Name: "to", Type: bridges.String}

	span = bridges.Param{Name: "range", Type: bridges.Object, Optional: true, Fields: []bridges.Param{
		{Name: "offset", Type: bridges.Integer, Optional: true, Doc: "first byte, by default 0"},
		{Name: "length", Type: bridges.Integer, Optional: true, Doc: "number of bytes, by default all that follow"},
	}}
	recursive = bridges.Param{Name: "options", Type: bridges.Object, Optional: true, Fields: []bridges.Param{
		{Name: "recursive", Type: bridges.Boolean, Optional: true, Doc: "work on all that a directory holds"},
	}}
)

func params(p ...bridges.Param) []bridges.Param { return p }

func of(c *bridges.Call) *Workspace { return c.State.(*Workspace) }

// call is a Func.Call without a result.
func call(f func(ctx context.Context, w *Workspace, c *bridges.Call) error) func(context.Context, *bridges.Call) (any, error) {
	return func(ctx context.Context, c *bridges.Call) (any, error) {
		if err := f(ctx, of(c), c); err != nil {
			return nil, err
		}
		return bridges.Undefined, nil
	}
}

// spanOf is the range of a read.
func spanOf(c *bridges.Call) (offset, length int64, err error) {
	o := c.Options(1)
	offset, length = o.Int("offset"), math.MaxInt64
	if o.Has("length") {
		length = o.Int("length")
	}
	if offset < 0 || length < 0 {
		return 0, 0, &bridges.Error{Op: c.Op(), Name: "RangeError", Message: "offset and length of a range cannot be negative"}
	}
	return offset, length, nil
}
