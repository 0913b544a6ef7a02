package assets

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"
	"unicode"

	"quicksand/bridges"
	"quicksand/internal/marshal"
)

// builder is the function that makes a reference of kind.
func builder(kind string) func(context.Context, *bridges.Call) (any, error) {
	return func(ctx context.Context, c *bridges.Call) (any, error) {
		if id, ok := bridges.HandleID(c.Arg(0)); ok {
			return saveHandle(ctx, c, kind, id)
		}
		data, ok := c.Arg(0).Bytes()
		if !ok {
			return nil, bridges.TypeErrorf(c.Op(), "bytes must be a Uint8Array")
		}
		o := c.Options(1)
		mime, err := mimeOption(c.Op(), o)
		if err != nil {
			return nil, err
		}
		name, err := nameOption(c.Op(), o)
		switch {
		case err != nil:
			return nil, err
		case len(data) == 0:
			return nil, bridges.TypeErrorf(c.Op(), "bytes must not be empty")
		case len(data) > maxCall:
			return nil, bridges.Limitf(c.Op(), callLimit.Name, maxCall, int64(len(data)), "the payload is %d bytes, over the %d byte limit", len(data), maxCall)
		}
		for _, m := range []string{MIMEByName(name), Sniff(kind, data), defaultMIME(kind)} {
			if mime == "" {
				mime = m
			}
		}
		return c.State.(*run).save(ctx, c.Op(), kind, mime, name, data, true)
	}
}

// mimeOption is the option mimeType, or "".
func mimeOption(op string, o bridges.Options) (string, error) {
	if !o.Has("mimeType") {
		return "", nil
	}
	mime, ok := o.Field("mimeType").Str()
	mime = strings.TrimSpace(mime)
	switch {
	case !ok:
		return "", bridges.TypeErrorf(op, "mimeType must be a string")
	case mime == "":
		return "", nil
	case len(mime) > maxName || !validMIME.MatchString(mime):
		return "", bridges.TypeErrorf(op, "mimeType must be a MIME type like image/png")
	}
	return mime, nil
}

// nameOption is the option filename, or "".
func nameOption(op string, o bridges.Options) (string, error) {
	if !o.Has("filename") {
		return "", nil
	}
	name, ok := o.Field("filename").Str()
	switch {
	case !ok:
		return "", bridges.TypeErrorf(op, "filename must be a string")
	case len(name) > maxName:
		return "", bridges.TypeErrorf(op, "filename is %d bytes long, more than %d", len(name), maxName)
	case strings.ContainsFunc(name, unicode.IsControl):
		return "", bridges.TypeErrorf(op, "filename must have no control characters")
	}
	return strings.TrimSpace(name), nil
}

// save keeps data where the host keeps such things and returns the reference. inline lets
// the reference itself hold them where there is no such place.
func (r *run) save(ctx context.Context, op, kind, mime, name string, data []byte, inline bool) (any, error) {
	if err := r.take(op, &r.stored, int64(len(data))); err != nil {
		return nil, err
	}
	uri, id, err := r.keep(ctx, op, mime, name, data, inline)
	if err != nil {
		r.stored.Add(-int64(len(data)))
		return nil, err
	}
	ref := &marshal.Object{}
	ref.Set("type", kind)
	ref.Set("uri", uri)
	ref.Set("asset_id", id)
	if kind != "document" {
		ref.Set("mimeType", mime)
	}
	if name != "" {
		about := &marshal.Object{}
		about.Set("filename", name)
		ref.Set("metadata", about)
	}
	return ref, nil
}

// keep is save without the reference: where data is now, and its asset's id or nil.
func (r *run) keep(ctx context.Context, op, mime, name string, data []byte, inline bool) (uri string, id any, err error) {
	failed := func(err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &bridges.Error{Kind: bridges.KindInternal, Op: op, Code: "EIO", Message: "the host could not store the asset", Err: err}
	}
	unique := uuid() + "." + extensionFor(name, mime)
	if s := r.policy.Store; s != nil {
		title := name
		if title == "" {
			title = "sandbox-" + unique
		}
		id, err := s.Create(ctx, title, mime, data)
		if err == nil && !plain(id) {
			err = errors.New("assets: the store gave an id that cannot be one")
		}
		if err == nil {
			return "asset://" + id, id, nil
		}
		if !errors.Is(err, errors.ErrUnsupported) {
			return "", nil, failed(err)
		}
	}
	if s := r.policy.Storage; s != nil {
		key := "sandbox/" + unique
		if err := s.Put(ctx, key, mime, data); err != nil {
			return "", nil, failed(err)
		}
		return storagePrefix + key, nil, nil
	}
	switch {
	case !inline:
		return "", nil, bridges.Errorf(op, "the host keeps no assets for this run; it does with a Store in Options.Assets (on the command line --assets)")
	case len(data) > maxDataURI:
		return "", nil, bridges.Limitf(op, dataURILimit.Name, maxDataURI, int64(len(data)), "a payload of %d bytes needs storage: a data: URI holds %d, and the host keeps no assets for this run", len(data), maxDataURI)
	}
	return "data:" + mime + ";base64," + base64.StdEncoding.EncodeToString(data), nil, nil
}

// uuid is a random UUID (RFC 9562, version 4) that no seed repeats, see newID.
func uuid() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	t := hex.EncodeToString(b[:])
	return t[:8] + "-" + t[8:12] + "-" + t[12:16] + "-" + t[16:20] + "-" + t[20:]
}
