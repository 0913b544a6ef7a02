package assets

import (
	"context"
	"errors"
	"math"
	"strings"

	"quicksand/bridges"
	"quicksand/internal/marshal"
)

// openHandle is the medium of a handle and its bytes, at most most of them.
func openHandle(ctx context.Context, c *bridges.Call, kind, id string, most int64) (*bridges.Medium, []byte, error) {
	m, err := c.Session.Medium(c.Op(), id, kind)
	if err != nil {
		return nil, nil, err
	}
	data, err := m.Bytes(ctx)
	if err != nil {
		return nil, nil, withOp(c.Op(), err)
	}
	if int64(len(data)) > most {
		name := callLimit.Name
		if most < maxCall {
			name = "Memory"
		}
		return nil, nil, bridges.Limitf(c.Op(), name, most, int64(len(data)), "%s%s is %d bytes, over the %d byte limit", bridges.HandleURI, m.ID, len(data), most)
	}
	return m, data, nil
}

// saveHandle is a builder for a handle.
func saveHandle(ctx context.Context, c *bridges.Call, kind, id string) (any, error) {
	want := kind
	if kind == "document" {
		want = ""
	}
	m, data, err := openHandle(ctx, c, want, id, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	return c.State.(*run).saveAs(ctx, c.Op(), kind, m.MIME, data, c.Options(1))
}

// Save keeps data as an asset of kind for op, a function of another bridge, and returns the
// reference. mime is what is known of their type, or "". The options are those of
// media.toImage: mimeType and filename.
func Save(ctx context.Context, s *bridges.Session, op, kind, mime string, data []byte, o bridges.Options) (any, error) {
	state, err := s.State(Bridge)
	if errors.Is(err, bridges.ErrNotGranted) {
		return nil, &bridges.Error{Kind: bridges.KindDenied, Name: "NotGrantedError", Code: bridges.CodeNotGranted,
			Message: op + " is not available without a context: this run was not granted " + Bridge.Name + ", which media." + builderOf(kind) + " needs, too; the host grants it with " + Bridge.Granting()}
	}
	if err != nil {
		return nil, err
	}
	return state.(*run).saveAs(ctx, op, kind, mime, data, o)
}

func (r *run) saveAs(ctx context.Context, op, kind, mime string, data []byte, o bridges.Options) (any, error) {
	explicit, err := mimeOption(op, o)
	if err != nil {
		return nil, err
	}
	name, err := nameOption(op, o)
	switch {
	case err != nil:
		return nil, err
	case len(data) == 0:
		return nil, bridges.TypeErrorf(op, "bytes must not be empty")
	}
	for _, m := range []string{Sniff(kind, data), mime, MIMEByName(name), defaultMIME(kind)} {
		if explicit == "" {
			explicit = m
		}
	}
	return r.save(ctx, op, kind, explicit, name, data, true)
}

// builderOf is the function of media.* that makes a reference of kind.
func builderOf(kind string) string {
	return "to" + strings.ToUpper(kind[:1]) + kind[1:]
}

// IsRef reports whether v is a reference where one may stand: text that names a place, or an
// object with one of the fields uri, asset_id, asset_uri and data.
func IsRef(v bridges.Value) bool {
	if s, ok := v.Str(); ok {
		return isPlace(strings.TrimSpace(s))
	}
	if v.Kind() != marshal.KindObject {
		return false
	}
	for _, key := range []string{"uri", "asset_id", "asset_uri", "url"} {
		if _, ok := v.Field(key).Str(); ok {
			return true
		}
	}
	return !v.Field("data").IsUndefined()
}

// Load loads what a reference means for op, a function of another bridge that wants media of
// kind, at most most bytes of it, which is the limit that limit names. The data stay on the
// host. A run that was not granted assets has what it can read otherwise: data in the
// reference itself, its workspace, addresses that its fetch may reach.
func Load(ctx context.Context, s *bridges.Session, op string, v bridges.Value, kind, limit string, most int64) (data []byte, mime string, err error) {
	ref, err := parseRef(op, v)
	if err != nil {
		return nil, "", err
	}
	switch ref.kind {
	case "image", "audio", "video":
		if ref.kind != kind {
			return nil, "", &bridges.Error{Op: op, Name: "TypeError", Code: "ERR_MEDIA_TYPE", Message: "expected " + kind + " media, but received " + ref.kind}
		}
	default:
		ref.kind = kind
	}
	r := &run{session: s, policy: new(Policy), runMedia: most, memory: most, limit: limit, whole: make(chan struct{}, 1)}
	state, err := s.State(Bridge)
	switch {
	case err == nil:
		r.policy = state.(*run).policy
	case !errors.Is(err, bridges.ErrNotGranted):
		return nil, "", err
	case needsAssets(ref):
		return nil, "", &bridges.Error{Kind: bridges.KindDenied, Op: op, Code: bridges.CodeNotGranted,
			Message: "cannot resolve " + ref.what() + " in this run: pass bytes, a handle or a generation result; the host grants assets with " + Bridge.Granting()}
	}
	src, err := r.open(ctx, op, ref, most)
	if err != nil {
		return nil, "", err
	}
	if data, err = r.read(ctx, op, ref.what(), src, most); err != nil {
		return nil, "", err
	}
	return data, mimeOf(ref, src, data), nil
}

// needsAssets reports whether nothing but the host's assets can have what a reference means.
func needsAssets(ref *ref) bool {
	if !ref.data.IsNullish() {
		return false
	}
	return hasScheme(ref.uri, "asset://") || strings.HasPrefix(ref.uri, "/api/") || ref.uri != "" && ref.uri == ref.id
}
