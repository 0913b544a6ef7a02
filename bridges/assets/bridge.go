package assets

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode"

	"quicksand/bridges"
	"quicksand/bridges/workspace"
	"quicksand/internal/marshal"
)

// Policy grants assets and references to a run. With the zero Policy a run can read what it
// has elsewhere (data: URIs, files of its workspace, addresses that its fetch may reach),
// and new media become data: URIs.
type Policy struct {
	// Store has the assets. Nil is none.
	Store Store
	// Storage is where new media go if the Store creates none, and what references that
	// begin with /api/storage/ mean. Nil is none.
	Storage Storage
}

var builderOptions = []bridges.Param{
	{Name: "bytes", Doc: "a Uint8Array"},
	{Name: "options", Type: bridges.Object, Optional: true, Fields: []bridges.Param{
		{Name: "mimeType", Optional: true, Doc: "else by the filename, else by the content"},
		{Name: "filename", Optional: true, Doc: "for people"},
	}},
}

// Bridge is the capability. Its grant is a *Policy.
var Bridge = &bridges.Bridge{
	Name:  "assets",
	Doc:   "load what references mean, and keep files as the host's assets",
	Grant: "Options.Assets (on the command line --assets)",
	// Each of its calls may hold maxCall bytes.
	Concurrency: 4,
	Limits:      []bridges.Limit{callLimit, dataURILimit},
	Funcs: []bridges.Func{
		{Name: "assetToSandbox", Doc: "writes an asset to a file of the workspace", Result: "the path of the file in full",
			Params: []bridges.Param{{Name: "assetId", Doc: "an id, an asset:// URI or a reference"}, {Name: "path", Type: bridges.String}}, Call: assetToSandbox},
		{Name: "sandboxToAsset", Doc: "makes an asset of a file of the workspace", Result: "the reference",
			Params: []bridges.Param{{Name: "path", Type: bridges.String}}, Call: sandboxToAsset},
		{Name: "media.bytes", Doc: "loads what a reference means", Result: "a Uint8Array",
			Params: []bridges.Param{{Name: "ref"}},
			Call: func(ctx context.Context, c *bridges.Call) (any, error) {
				data, err := load(ctx, c)
				return data, err
			}},
		{Name: "media.text", Doc: "loads text", Result: "a string",
			Params: []bridges.Param{{Name: "ref"}, {Name: "options", Type: bridges.Object, Optional: true, Fields: []bridges.Param{
				{Name: "encoding", Optional: true, Doc: "a label of the Encoding Standard; utf-8 by default"}}}},
			Call: text},
		{Name: "media.info", Doc: "describes what a reference means", Result: "{ type, mimeType, uri, size }",
			Params: []bridges.Param{{Name: "ref"}}, Call: info},
		{Name: "media.toDocument", Doc: "keeps bytes as a document", Result: "the reference", Params: builderOptions, Call: builder("document")},
		{Name: "media.toImage", Doc: "keeps bytes as an image", Result: "the reference", Params: builderOptions, Call: builder("image")},
		{Name: "media.toAudio", Doc: "keeps bytes as audio", Result: "the reference", Params: builderOptions, Call: builder("audio")},
		{Name: "media.toVideo", Doc: "keeps bytes as a video", Result: "the reference", Params: builderOptions, Call: builder("video")},
	},
	Check: func(grant any) (any, error) {
		p, ok := grant.(*Policy)
		if !ok || p == nil {
			return nil, fmt.Errorf("assets: the grant is a %T, not a *assets.Policy", grant)
		}
		checked := *p
		return &checked, nil
	},
	Open: func(s *bridges.Session, grant any) (any, error) {
		return &run{session: s, policy: grant.(*Policy), runMedia: s.Media().Limit(), memory: s.Memory(), whole: make(chan struct{}, 1)}, nil
	},
	Describe: func(grant any) any {
		p := grant.(*Policy)
		return map[string]any{"store": p.Store != nil, "storage": p.Storage != nil}
	},
}

// load is what the first argument of a media call means.
func load(ctx context.Context, c *bridges.Call) ([]byte, error) {
	if id, ok := bridges.HandleID(c.Arg(0)); ok {
		_, data, err := openHandle(ctx, c, "", id, min(maxCall, c.Session.Memory()))
		return data, err
	}
	r := c.State.(*run)
	ref, err := parseRef(c.Op(), c.Arg(0))
	if err != nil {
		return nil, err
	}
	s, err := r.open(ctx, c.Op(), ref, maxCall)
	if err != nil {
		return nil, err
	}
	return r.read(ctx, c.Op(), ref.what(), s, maxCall)
}

func text(ctx context.Context, c *bridges.Call) (any, error) {
	label := "utf-8"
	if o := c.Options(1); o.Has("encoding") {
		var ok bool
		if label, ok = o.Field("encoding").Str(); !ok {
			return nil, bridges.TypeErrorf(c.Op(), "encoding must be a string")
		}
	}
	if _, ok := decodeText(label, nil); !ok {
		return nil, &bridges.Error{Op: c.Op(), Name: "RangeError", Message: fmt.Sprintf("unsupported encoding %q", cut(label))}
	}
	data, err := load(ctx, c)
	if err != nil {
		return nil, err
	}
	s, _ := decodeText(label, data)
	return s, nil
}

// info loads only what does not tell its size.
func info(ctx context.Context, c *bridges.Call) (any, error) {
	about := &marshal.Object{}
	if id, ok := bridges.HandleID(c.Arg(0)); ok {
		m, data, err := openHandle(ctx, c, "", id, math.MaxInt64)
		if err != nil {
			return nil, err
		}
		about.Set("type", m.Kind)
		about.Set("mimeType", m.MIME)
		about.Set("uri", bridges.HandleURI+m.ID)
		about.Set("size", len(data))
		return about, nil
	}
	r := c.State.(*run)
	ref, err := parseRef(c.Op(), c.Arg(0))
	if err != nil {
		return nil, err
	}
	s, err := r.open(ctx, c.Op(), ref, maxCall)
	if err != nil {
		return nil, err
	}
	if s.body == nil || s.size < 0 {
		if _, err := r.read(ctx, c.Op(), ref.what(), s, maxCall); err != nil {
			return nil, err
		}
	}
	s.close()
	about.Set("type", ref.kind)
	about.Set("mimeType", mimeOf(ref, s, s.data))
	about.Set("uri", ref.shown)
	about.Set("size", s.size)
	return about, nil
}

// files is the run's workspace.
func files(c *bridges.Call) (*workspace.Workspace, error) {
	ws, err := workspace.Of(c.Session)
	if errors.Is(err, bridges.ErrNotGranted) {
		return nil, &bridges.Error{Kind: bridges.KindDenied, Name: "NotGrantedError", Code: bridges.CodeNotGranted,
			Message: c.Op() + " is not available without a workspace: this run was not granted workspace; the host grants it with " + workspace.Bridge.Granting()}
	}
	return ws, err
}

func assetToSandbox(ctx context.Context, c *bridges.Call) (any, error) {
	r := c.State.(*run)
	ws, err := files(c)
	if err != nil {
		return nil, err
	}
	id, isText := c.Arg(0).Str()
	id = strings.TrimSpace(id)
	var from *ref
	switch {
	case isText && id == "":
		return nil, bridges.TypeErrorf(c.Op(), "assetId must not be empty")
	case isText && !isPlace(id):
		from = &ref{kind: "document", id: id, uri: "asset://" + id}
	default:
		if handle, ok := bridges.HandleID(c.Arg(0)); ok {
			return handleToFile(ctx, c, ws, handle)
		}
		if from, err = parseRef(c.Op(), c.Arg(0)); err != nil {
			return nil, err
		}
	}
	if err := r.lock(ctx); err != nil {
		return nil, err
	}
	defer r.unlock()
	s, err := r.open(ctx, c.Op(), from, r.runMedia)
	if err != nil {
		var e *bridges.Error
		if hasScheme(from.uri, "asset://") && errors.As(err, &e) && e.Code == "ENOENT" {
			e.Message = fmt.Sprintf("Unable to resolve asset '%s'%s", cut(from.uri[len("asset://"):]), r.tried())
		}
		return nil, err
	}
	data, err := r.read(ctx, c.Op(), from.what(), s, r.runMedia)
	if err != nil {
		return nil, err
	}
	return writeFile(ctx, c, ws, data)
}

// handleToFile is assetToSandbox for a handle.
func handleToFile(ctx context.Context, c *bridges.Call, ws *workspace.Workspace, id string) (any, error) {
	_, data, err := openHandle(ctx, c, "", id, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	return writeFile(ctx, c, ws, data)
}

// writeFile writes to the path in the second argument, and returns it in full.
func writeFile(ctx context.Context, c *bridges.Call, ws *workspace.Workspace, data []byte) (any, error) {
	if err := ws.Write(ctx, c.Str(1), data); err != nil {
		return nil, withOp(c.Op(), err)
	}
	path, err := ws.Path(c.Str(1))
	if err != nil {
		return nil, withOp(c.Op(), err)
	}
	return path, nil
}

// tried says where an asset was looked for.
func (r *run) tried() string {
	var places []string
	if r.policy.Store != nil {
		places = append(places, "the asset store")
	}
	if r.policy.Storage != nil {
		places = append(places, "the storage")
	}
	if places == nil {
		return ": the host has no assets for this run"
	}
	return ": it is not in " + strings.Join(places, " nor in ")
}

func sandboxToAsset(ctx context.Context, c *bridges.Call) (any, error) {
	r := c.State.(*run)
	ws, err := files(c)
	if err != nil {
		return nil, err
	}
	if err := r.lock(ctx); err != nil {
		return nil, err
	}
	defer r.unlock()
	path := c.Str(0)
	data, err := r.readFile(ctx, c.Op(), ws, path, cut(path), r.runMedia)
	if err != nil {
		return nil, withOp(c.Op(), err)
	}
	mime := MIMEByName(path)
	if mime == "" {
		mime = defaultMIME("document")
	}
	name := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '_'
		}
		return r
	}, path[strings.LastIndexAny(path, `/\`)+1:])
	saved, err := r.save(ctx, c.Op(), kindOf(mime), mime, name, data, false)
	if err != nil {
		return nil, err
	}
	// Only these three, as the original returns them.
	ref, about := saved.(*marshal.Object), &marshal.Object{}
	for _, key := range []string{"type", "uri", "asset_id"} {
		v, _ := ref.Get(key)
		about.Set(key, v)
	}
	return about, nil
}

// withOp makes an error of the workspace one of op, which called it.
func withOp(op string, err error) error {
	var e *bridges.Error
	if !errors.As(err, &e) || e.Op == op {
		return err
	}
	copied := *e
	copied.Op = op
	return &copied
}
