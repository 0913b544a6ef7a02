package zip

import (
	"context"
	_ "embed"
	"errors"
	"math"
	"strings"
	"time"

	"quicksand/bridges"
	"quicksand/bridges/workspace"
	"quicksand/hostmods"
	"quicksand/internal/marshal"
)

//go:embed SKILL.md
var skill string

func init() { hostmods.Register(module) }

// maxSource is the largest archive, and the largest sum of what zip takes, in memory.
const maxSource = 50 << 20

// maxStreamed is what may come out of unzipTo unless a call says otherwise: the quotas of the
// workspace are what bounds it.
const maxStreamed = 1 << 30

var (
	sourceParam = bridges.Param{Name: "source", Type: bridges.Any, Doc: "the archive: a Uint8Array, or the path of a file in the workspace"}
	limitFields = []bridges.Param{
		{Name: "maxTotal", Type: bridges.Integer, Optional: true, Doc: "most bytes that may come out"},
		{Name: "maxEntry", Type: bridges.Integer, Optional: true, Doc: "most bytes of one entry"},
		{Name: "maxRatio", Type: bridges.Integer, Optional: true, Doc: "how many times larger than its compressed form an entry may be"},
		{Name: "maxEntries", Type: bridges.Integer, Optional: true, Doc: "most entries of the archive"},
	}
	pickFields = append([]bridges.Param{
		{Name: "only", Type: bridges.Any, Optional: true, Doc: "names or patterns of the entries to read: a string or an array"},
		{Name: "except", Type: bridges.Any, Optional: true, Doc: "names or patterns of entries to leave out"},
		{Name: "skipRefused", Type: bridges.Boolean, Optional: true, Doc: "leave out encrypted entries, links and what else cannot be read, instead of failing"},
	}, limitFields...)
	writeFields = []bridges.Param{
		{Name: "level", Type: bridges.Integer, Optional: true, Doc: "0 stores, 1 is fast, 9 is small; default 6"},
		{Name: "comment", Type: bridges.String, Optional: true},
		{Name: "zip64", Type: bridges.Boolean, Optional: true, Doc: "use zip64 where it is not needed, too"},
	}
)

func options(fields ...bridges.Param) bridges.Param {
	return bridges.Param{Name: "options", Type: bridges.Any, Optional: true, Fields: fields}
}

var module = &hostmods.Module{
	ID:    "zip",
	Doc:   "reads and writes zip archives and gzip, in memory and in the workspace",
	Skill: skill,
	// Two calls at a time, since each may hold 50 MiB.
	Limits: hostmods.Limits{Concurrency: 2, Timeout: 2 * time.Minute, Memory: 64 << 20, MemoryPerByte: 2},
	Funcs: []bridges.Func{{
		Name: "unzip", Doc: "the contents of the entries", Result: "{path: Uint8Array}; directories are empty and end in a slash",
		Params: []bridges.Param{sourceParam, options(pickFields...)}, Call: call(unzip),
	}, {
		Name: "zip", Doc: "makes an archive", Result: "a Uint8Array",
		Params: []bridges.Param{{Name: "files", Type: bridges.Any, Doc: "{path: Uint8Array | string | {data, level, store, mtime, mode, comment}}"},
			options(append(writeFields, bridges.Param{Name: "mtime", Type: bridges.Any, Optional: true, Doc: "time of the files: a Date or milliseconds"})...)},
		Call: call(zip),
	}, {
		Name: "list", Doc: "describes the entries, and reads none", Result: "[{name, size, compressedSize, crc, method, mtime, mode, directory, encrypted, comment, refused, rawName}]",
		Params: []bridges.Param{sourceParam, options(limitFields...)}, Call: call(list),
	}, {
		Name: "unzipTo", Doc: "unpacks into a directory of the workspace, without holding more than a part in memory", Result: "the paths that were written",
		Params: []bridges.Param{sourceParam, {Name: "dir", Type: bridges.String}, options(append(pickFields, bridges.Param{Name: "overwrite", Type: bridges.Boolean, Optional: true, Doc: "replace files that are there; default true"})...)},
		Call:   call(unzipTo),
	}, {
		Name: "zipFrom", Doc: "packs files of the workspace into an archive there, without holding more than a part in memory", Result: "{entries, size}",
		Params: []bridges.Param{{Name: "paths", Type: bridges.Any, Doc: "a directory, or an array of files, directories and patterns"}, {Name: "file", Type: bridges.String, Doc: "where the archive goes"},
			options(append(writeFields, bridges.Param{Name: "base", Type: bridges.String, Optional: true, Doc: "directory from which names in the archive start"},
				bridges.Param{Name: "times", Type: bridges.Boolean, Optional: true, Doc: "keep when files were changed"},
				bridges.Param{Name: "only", Type: bridges.Any, Optional: true}, bridges.Param{Name: "except", Type: bridges.Any, Optional: true})...)},
		Call: call(zipFrom),
	}, {
		Name: "gzip", Doc: "compresses into the format of gzip", Result: "a Uint8Array",
		Params: []bridges.Param{hostmods.TextParam("data", ""), options(writeFields[0])}, Call: call(gzip),
	}, {
		Name: "gunzip", Doc: "what gzip compressed", Result: "a Uint8Array",
		Params: []bridges.Param{hostmods.BytesParam("data", ""), options(limitFields[0], limitFields[2])}, Call: call(gunzip),
	}},
}

// call is a Func.Call whose errors are ready for the guest.
func call(f func(ctx context.Context, c *bridges.Call) (any, error)) func(context.Context, *bridges.Call) (any, error) {
	return func(ctx context.Context, c *bridges.Call) (any, error) {
		v, err := f(ctx, c)
		if err != nil {
			return nil, explain(c.Op(), err)
		}
		return v, nil
	}
}

func explain(op string, err error) error {
	var (
		known  *bridges.Error
		format *FormatError
		limit  *LimitError
	)
	switch {
	case errors.As(err, &known):
		named := *known
		named.Op = op
		return &named
	case errors.As(err, &format):
		return bridges.Errorf(op, "%s", format.Message)
	case errors.As(err, &limit):
		return bridges.Limitf(op, limit.Limit, limit.Value, limit.Used, "%s", limit.Message)
	}
	return err // of a context
}

// optionsOf is an option bag: what is no object has no options. The types of fields were
// checked before.
func optionsOf(c *bridges.Call, i int) (bridges.Options, error) {
	o := c.Options(i)
	for _, p := range c.Func.Params[i].Fields {
		if p.Type == bridges.Integer && o.Int(p.Name) < 0 {
			return o, bridges.TypeErrorf(c.Op(), "options.%s must be at least 0", p.Name)
		}
	}
	return o, nil
}

// limitsOf are the limits of a call by its options. What comes out in memory is at most as
// much as the run may hold.
func limitsOf(c *bridges.Call, o bridges.Options, most, usual int64) Limits {
	if c.Session != nil {
		most, usual = min(most, c.Session.Memory()), min(usual, c.Session.Memory())
	}
	l := Limits{Total: usual, Ratio: o.Int("maxRatio"), Entry: o.Int("maxEntry"), Entries: o.Int("maxEntries")}
	if o.Has("maxTotal") {
		l.Total = min(max(o.Int("maxTotal"), 1), most)
	}
	l.Entries = min(l.Entries, 100*DefaultEntries)
	return l
}

// sourceOf opens the archive of argument 0. close is to be called when it is not needed any
// more.
func sourceOf(ctx context.Context, c *bridges.Call, l Limits) (a *Archive, close func(), err error) {
	v := c.Arg(0)
	if path, ok := v.Str(); ok {
		ws, err := files(c)
		if err != nil {
			return nil, nil, err
		}
		f, err := ws.Open(ctx, path)
		if err != nil {
			return nil, nil, err
		}
		if a, err = Open(ctx, f, f.Size(), l); err != nil {
			f.Close()
			return nil, nil, err
		}
		return a, func() { f.Close() }, nil
	}
	if _, ok := v.Bytes(); !ok {
		return nil, nil, bridges.TypeErrorf(c.Op(), "source must be a Uint8Array or the path of a file in the workspace, not %s; %s", bridges.Describe(v), hostmods.BytesHint)
	}
	data, err := hostmods.BytesUpTo(c, 0, limitInput, maxSource)
	if err != nil {
		return nil, nil, err
	}
	a, err = OpenBytes(data, l)
	return a, func() {}, err
}

// files is the workspace of the run.
func files(c *bridges.Call) (*workspace.Workspace, error) {
	ungranted := &bridges.Error{Kind: bridges.KindDenied, Op: c.Op(), Code: bridges.CodeNotGranted,
		Message: "this run was not granted workspace; the host grants it with " + workspace.Bridge.Granting()}
	if c.Session == nil {
		return nil, ungranted
	}
	ws, err := workspace.Of(c.Session)
	if errors.Is(err, bridges.ErrNotGranted) {
		return nil, ungranted
	}
	return ws, err
}

// A pick chooses entries by the options only and except.
type pick struct{ only, except []*rule }

// A rule is one name or pattern.
type rule struct {
	text    string // as the guest wrote it
	name    string
	below   bool               // all that is in a directory
	pattern *workspace.Pattern // or nil
	used    bool
}

// maxRules bounds the names and patterns of one option.
const maxRules = 1000

func pickOf(c *bridges.Call, o bridges.Options) (*pick, error) {
	var p pick
	var err error
	if p.only, err = rulesOf(c.Op(), "only", o.Field("only")); err != nil {
		return nil, err
	}
	p.except, err = rulesOf(c.Op(), "except", o.Field("except"))
	return &p, err
}

func rulesOf(op, option string, v bridges.Value) ([]*rule, error) {
	if v.IsNullish() {
		return nil, nil
	}
	var texts []string
	if s, ok := v.Str(); ok {
		texts = []string{s}
	} else {
		if v.Kind() != marshal.KindArray || v.Len() > maxRules {
			return nil, bridges.TypeErrorf(op, "options.%s must be a string, or an array of at most %d strings", option, maxRules)
		}
		for _, e := range v.Elements() {
			s, ok := e.Str()
			if !ok {
				return nil, bridges.TypeErrorf(op, "options.%s must hold strings", option)
			}
			texts = append(texts, s)
		}
	}
	rules := make([]*rule, 0, len(texts)) // not nil: an empty list chooses nothing
	for _, t := range texts {
		if len(t) > maxName {
			return nil, bridges.TypeErrorf(op, "a name in options.%s has %d bytes, more than %d", option, len(t), maxName)
		}
		r := &rule{text: t, below: strings.HasSuffix(t, "/"), name: strings.TrimSuffix(t, "/")}
		if !r.below && strings.ContainsAny(t, "*?[{") {
			var err error
			if r.pattern, err = workspace.NewPattern(op, t, true); err != nil {
				return nil, err
			}
		}
		rules = append(rules, r)
	}
	return rules, nil
}

func (r *rule) matches(name string) bool {
	return name == r.name || r.below && strings.HasPrefix(name, r.name+"/") || r.pattern != nil && r.pattern.Match(name)
}

// chooses reports whether an entry of a name is to be read.
func (p *pick) chooses(name string) bool {
	chosen := p.only == nil
	for _, r := range p.only {
		if (!chosen || !r.used) && r.matches(name) {
			chosen, r.used = true, true
		}
	}
	if !chosen {
		return false
	}
	for _, r := range p.except {
		if r.matches(name) {
			return false
		}
	}
	return true
}

// entries are those of an archive that a call asks for.
func (p *pick) entries(ctx context.Context, a *Archive, skipRefused bool) ([]*Entry, error) {
	chosen := make([]*Entry, 0, len(a.Entries))
	for i := range a.Entries {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		e := &a.Entries[i]
		if !p.chooses(e.Name) {
			continue
		}
		if e.Refused == "" {
			chosen = append(chosen, e)
		} else if !skipRefused {
			return nil, malformed("entry %s %s; leave it out with except, or all of that kind with skipRefused", show(e.Raw), e.Refused)
		}
	}
	for _, r := range p.only {
		if !r.used && r.pattern == nil {
			return nil, malformed("the archive has no entry %s", show(r.text))
		}
	}
	return chosen, nil
}

func unzip(ctx context.Context, c *bridges.Call) (any, error) {
	o, err := optionsOf(c, 1)
	if err != nil {
		return nil, err
	}
	p, err := pickOf(c, o)
	if err != nil {
		return nil, err
	}
	a, done, err := sourceOf(ctx, c, limitsOf(c, o, DefaultTotal, DefaultTotal))
	if err != nil {
		return nil, err
	}
	defer done()
	chosen, err := p.entries(ctx, a, o.Bool("skipRefused"))
	if err != nil {
		return nil, err
	}
	all, err := a.ReadAll(ctx, chosen)
	if err != nil {
		return nil, err
	}
	out := &marshal.Object{Entries: make([]marshal.Entry, len(chosen))}
	for i, e := range chosen {
		out.Entries[i] = marshal.Entry{Key: e.path(), Value: all[i]}
	}
	return out, nil
}

// path is the name with a slash at the end of a directory's.
func (e *Entry) path() string {
	if e.Dir {
		return e.Name + "/"
	}
	return e.Name
}

func list(ctx context.Context, c *bridges.Call) (any, error) {
	o, err := optionsOf(c, 1)
	if err != nil {
		return nil, err
	}
	a, done, err := sourceOf(ctx, c, limitsOf(c, o, DefaultTotal, DefaultTotal))
	if err != nil {
		return nil, err
	}
	defer done()
	out := make([]any, len(a.Entries))
	for i := range a.Entries {
		e := &a.Entries[i]
		d := &marshal.Object{Entries: make([]marshal.Entry, 0, 12)}
		add := func(key string, v any) { d.Entries = append(d.Entries, marshal.Entry{Key: key, Value: v}) }
		add("name", e.path())
		add("size", e.Size)
		add("compressedSize", e.Compressed)
		add("crc", e.CRC)
		add("method", e.methodName())
		add("mtime", nil)
		if !e.Modified.IsZero() {
			d.Entries[5].Value = e.Modified
		}
		add("mode", nil)
		if e.Mode != 0 {
			d.Entries[6].Value = e.Mode & 0o7777
		}
		add("directory", e.Dir)
		add("encrypted", e.Encrypted != "")
		add("comment", e.Comment)
		if e.Refused != "" {
			add("refused", e.Refused)
		}
		if e.Raw != e.path() {
			add("rawName", e.Raw)
		}
		out[i] = d
	}
	return out, nil
}

func (e *Entry) methodName() string {
	switch e.Method {
	case Store:
		return "store"
	case Deflate:
		return "deflate"
	case Zstd:
		return "zstd"
	}
	if name := methods[e.Method]; name != "" {
		return name
	}
	return "unknown"
}

// packing are the options of writing.
func packing(c *bridges.Call, o bridges.Options) (Options, bool, error) {
	level := o.Int("level")
	if level > 9 {
		return Options{}, false, bridges.TypeErrorf(c.Op(), "options.level must be 0 to 9")
	}
	return Options{Level: int(level), Comment: o.Str("comment"), Zip64: o.Bool("zip64")}, o.Has("level") && level == 0, nil
}

func zip(ctx context.Context, c *bridges.Call) (any, error) {
	v := c.Arg(0)
	if v.Kind() != marshal.KindObject {
		return nil, bridges.TypeErrorf(c.Op(), "files must be an object of paths and contents, not %s", bridges.Describe(v))
	}
	o, err := optionsOf(c, 1)
	if err != nil {
		return nil, err
	}
	oo, store, err := packing(c, o)
	if err != nil {
		return nil, err
	}
	mtime, err := timeOf(c.Op(), "options.mtime", o.Field("mtime"))
	if err != nil {
		return nil, err
	}
	var list []File
	total := int64(0)
	for name, v := range v.Fields() {
		if int64(len(list)) == DefaultEntries {
			return nil, over(limitEntries, DefaultEntries, DefaultEntries+1, "there are more than %d entries", DefaultEntries)
		}
		f := File{Name: name, Store: store, Modified: mtime}
		if err := f.fill(c.Op(), v); err != nil {
			return nil, err
		}
		if total += int64(len(f.Data)); total > maxSource {
			return nil, over(limitInput, maxSource, total, "the contents up to entry %s have %d bytes, more than the limit of %d", show(name), total, maxSource)
		}
		list = append(list, f)
	}
	return Create(ctx, list, oo)
}

// fill sets what a guest gave for an entry.
func (f *File) fill(op string, v bridges.Value) error {
	wrong := func(what string) error { return bridges.TypeErrorf(op, "entry %s: %s", show(f.Name), what) }
	content := v
	if v.Kind() == marshal.KindObject {
		content = v.Field("data")
		if content.IsNullish() && strings.HasSuffix(f.Name, "/") {
			content = bridges.Value{}
		}
		if l := v.Field("level"); !l.IsNullish() {
			n, ok := l.Float()
			if !ok || n != math.Trunc(n) || n < 0 || n > 9 {
				return wrong("level must be 0 to 9")
			}
			f.Level, f.Store = int(n), n == 0
		}
		if s := v.Field("store"); !s.IsNullish() {
			b, ok := s.Bool()
			if !ok {
				return wrong("store must be true or false")
			}
			f.Store = b
		}
		if m := v.Field("mode"); !m.IsNullish() {
			n, ok := m.Float()
			if !ok || n != math.Trunc(n) || n < 0 || n > 0o177777 {
				return wrong("mode must be the rights of a file, as in 0o644")
			}
			f.Mode = uint32(n) & 0o7777
		}
		if s := v.Field("comment"); !s.IsNullish() {
			text, ok := s.Str()
			if !ok {
				return wrong("comment must be a string")
			}
			f.Comment = text
		}
		if t := v.Field("mtime"); !t.IsNullish() {
			m, err := timeOf(op, "entry "+show(f.Name)+": mtime", t)
			if err != nil {
				return err
			}
			f.Modified = m
		}
		if content.IsNullish() && strings.HasSuffix(f.Name, "/") {
			return nil
		}
	}
	if b, ok := content.Bytes(); ok {
		f.Data = b
		return nil
	}
	if s, ok := content.Str(); ok {
		f.Data = []byte(s)
		return nil
	}
	return wrong("must be a Uint8Array, a string or an object with data")
}

// timeOf is a Date or milliseconds since 1970, or zero where there is none.
func timeOf(op, what string, v bridges.Value) (time.Time, error) {
	if v.IsNullish() {
		return time.Time{}, nil
	}
	if ms, ok := v.Float(); ok && math.Abs(ms) <= 8.64e15 {
		return time.UnixMilli(int64(ms)).UTC(), nil
	}
	if v.Kind() == marshal.KindDate {
		if t, ok := v.Any().(time.Time); ok {
			return t, nil
		}
	}
	return time.Time{}, bridges.TypeErrorf(op, "%s must be a Date or milliseconds", what)
}
