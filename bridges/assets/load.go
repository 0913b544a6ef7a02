package assets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"strings"
	"sync/atomic"

	"quicksand/bridges"
	"quicksand/bridges/fetch"
	"quicksand/bridges/workspace"
	"quicksand/internal/meter"
)

// run is what a run loads and stores.
type run struct {
	session *bridges.Session
	policy  *Policy
	// runMedia is how many bytes the run may load from references, and how many it may
	// store. memory bounds what is held at one time.
	runMedia, memory int64
	limit            string // the name of runMedia where that is not RunMedia

	loaded, stored atomic.Int64 // bytes
	// whole has room for the one call that holds a file of any size.
	whole chan struct{}
}

// lock waits until no other call holds a file of any size.
func (r *run) lock(ctx context.Context) error {
	select {
	case r.whole <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (r *run) unlock() { <-r.whole }

// take counts n bytes, or says that the run has had its share.
func (r *run) take(op string, sum *atomic.Int64, n int64) error {
	if used := sum.Add(n); used > r.runMedia {
		sum.Add(-n)
		return bridges.Limitf(op, meter.RunMedia, r.runMedia, used, "media of %d bytes are more than the limit for one run of %d", used, r.runMedia)
	}
	return nil
}

// room is how many of most bytes the run can still load at one time.
func (r *run) room(most int64) int64 {
	return min(most, r.memory, max(r.runMedia-r.loaded.Load(), 0))
}

// A source is what a reference turned out to be. Its bytes are in data or come from body.
type source struct {
	mime string // what the place says, or ""
	name string
	size int64 // -1 when it is not known
	data []byte
	body io.ReadCloser // or nil
}

func inMemory(data []byte, mime string) *source {
	return &source{mime: mime, size: int64(len(data)), data: data}
}

func (s *source) close() {
	if s.body != nil {
		s.body.Close()
	}
}

// read is all of a source, at most most bytes of it, which count as loaded.
func (r *run) read(ctx context.Context, op, what string, s *source, most int64) ([]byte, error) {
	defer s.close()
	limit := r.room(most)
	if s.size > limit {
		return nil, r.tooLarge(op, what, s.size, most)
	}
	if s.body != nil {
		var b bytes.Buffer
		if s.size > 0 {
			b.Grow(int(s.size) + bytes.MinRead)
		}
		_, err := b.ReadFrom(io.LimitReader(s.body, limit+1))
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			return nil, unreadable(op, what, "the store failed", &bridges.Error{Kind: bridges.KindInternal, Err: err})
		case int64(b.Len()) > limit:
			return nil, r.tooLarge(op, what, int64(b.Len()), most)
		}
		s.data, s.size = b.Bytes(), int64(b.Len())
	}
	return s.data, r.take(op, &r.loaded, s.size)
}

// tooLarge is the error for media of size bytes, or at least that, where a call may have most:
// whichever bound is the closest counts.
func (r *run) tooLarge(op, what string, size, most int64) error {
	left := r.runMedia - r.loaded.Load()
	switch m := r.memory; {
	case left < min(most, m):
		used := r.loaded.Load() + size
		return bridges.Limitf(op, meter.RunMedia, r.runMedia, used, "media of %d bytes are more than the limit for one run of %d", used, r.runMedia)
	case m < most:
		return bridges.Limitf(op, "Memory", m, size, "%s is %d bytes, over the %d byte limit", what, size, m)
	case most == maxCall:
		return bridges.Limitf(op, callLimit.Name, most, size, "%s is %d bytes, over the %d byte limit", what, size, most)
	}
	limit := meter.RunMedia
	if r.limit != "" {
		limit = r.limit
	}
	return bridges.Limitf(op, limit, most, size, "%s is %d bytes, over the %d byte limit", what, size, most)
}

// unreadable is the error for a reference that leads nowhere. reason may be empty. from, if
// it is not nil, gives kind, code, limit and host's cause.
func unreadable(op, what, reason string, from *bridges.Error) error {
	e := &bridges.Error{}
	if from != nil {
		copied := *from
		e = &copied
	}
	e.Op, e.Name, e.Message = op, "", "could not read "+what
	if e.Code == "" {
		e.Code = "ENOENT"
	}
	if reason != "" {
		e.Message += ": " + reason
	}
	return e
}

// open finds what a reference means. most is how many bytes the caller can use; more is an
// error where the size shows before the bytes are there.
func (r *run) open(ctx context.Context, op string, ref *ref, most int64) (*source, error) {
	if s, err := r.openData(op, ref, most); s != nil || err != nil {
		return s, err
	}
	id := ref.id
	if hasScheme(ref.uri, "asset://") {
		if s, err := r.openAsset(ctx, op, ref.what(), ref.uri[len("asset://"):]); s != nil || err != nil {
			return s, err
		}
	}
	if hasScheme(ref.uri, "package://") {
		return nil, unreadable(op, ref.what(), "references into packages are not supported", nil)
	}
	if key, ok := strings.CutPrefix(ref.uri, storagePrefix); ok {
		if s, err := r.openStorage(ctx, op, ref.what(), key); s != nil || err != nil {
			return s, err
		}
	}
	if id != "" {
		if s, err := r.openAsset(ctx, op, ref.what(), id); s != nil || err != nil {
			return s, err
		}
		for _, ext := range extensionsOf(ref.kind) {
			if s, err := r.openStorage(ctx, op, ref.what(), id+"."+ext); s != nil || err != nil {
				return s, err
			}
		}
	}
	switch {
	case hasScheme(ref.uri, "data:"):
		mime, data, size, err := decodeDataURI(ref.uri, r.room(most))
		switch {
		case errors.Is(err, errTooLarge):
			return nil, r.tooLarge(op, ref.what(), size, most)
		case err != nil:
			return nil, unreadable(op, ref.what(), err.Error(), nil)
		}
		return inMemory(data, mime), nil
	case hasScheme(ref.uri, "http://"), hasScheme(ref.uri, "https://"):
		return r.openURL(ctx, op, ref, most)
	case hasScheme(ref.uri, "file://"):
		path, err := url.PathUnescape(ref.uri[len("file://"):])
		if err != nil {
			return nil, unreadable(op, ref.what(), "the address is not escaped properly", nil)
		}
		return r.openFile(ctx, op, ref, path, most)
	case ref.uri != "" && !isPlace(ref.uri):
		return r.openFile(ctx, op, ref, ref.uri, most)
	}
	return nil, unreadable(op, ref.what(), "", nil)
}

// openData reads the field data. Without one both results are nil.
func (r *run) openData(op string, ref *ref, most int64) (*source, error) {
	if b, ok := ref.data.Bytes(); ok && len(b) > 0 {
		return inMemory(b, ""), nil
	}
	text, ok := ref.data.Str()
	if !ok || strings.TrimSpace(text) == "" {
		return nil, nil
	}
	what, mime := "the data of the "+ref.kind+" ref", ""
	if hasScheme(text, "data:") {
		m, _, body, err := splitDataURI(text)
		if err != nil {
			return nil, unreadable(op, what, err.Error(), nil)
		}
		mime, text = m, body
	}
	data, size, err := decodeBase64(text, r.room(most))
	switch {
	case errors.Is(err, errTooLarge):
		return nil, r.tooLarge(op, what, size, most)
	case err != nil:
		return nil, unreadable(op, what, err.Error(), nil)
	}
	return inMemory(data, mime), nil
}

// found turns what a store returned into a source. Both results are nil when there is
// nothing.
func found(ctx context.Context, op, what string, a *Asset, err error) (*source, error) {
	switch {
	case err == nil && a != nil && a.Body != nil:
		return &source{mime: a.MIME, name: a.Name, size: max(a.Size, -1), body: a.Body}, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil, errors.Is(err, fs.ErrNotExist):
		return nil, nil
	}
	return nil, unreadable(op, what, "the store failed", &bridges.Error{Kind: bridges.KindInternal, Code: "EIO", Err: err})
}

// openAsset looks an id up, and without its extension if it has one.
func (r *run) openAsset(ctx context.Context, op, what, id string) (*source, error) {
	if r.policy.Store == nil || !plain(id) {
		return nil, nil
	}
	a, err := r.policy.Store.Resolve(ctx, id)
	s, err := found(ctx, op, what, a, err)
	if ext := extension(id); s == nil && err == nil && ext != "" && MIMEByName(id) != "" {
		a, err = r.policy.Store.Resolve(ctx, id[:len(id)-len(ext)-1])
		s, err = found(ctx, op, what, a, err)
	}
	return s, err
}

func (r *run) openStorage(ctx context.Context, op, what, key string) (*source, error) {
	if r.policy.Storage == nil || !plain(key) || strings.Contains("/"+key+"/", "/../") || strings.Contains("/"+key+"/", "/./") {
		return nil, nil
	}
	a, err := r.policy.Storage.Get(ctx, key)
	return found(ctx, op, what, a, err)
}

// plain reports whether text can be an id or a key at all.
func plain(id string) bool {
	return id != "" && len(id) <= maxID && !strings.ContainsFunc(id, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\uFFFD' })
}

// extensionsOf are the extensions under which a storage may have what has an asset_id.
func extensionsOf(kind string) []string {
	switch kind {
	case "image":
		return []string{"png", "jpg", "jpeg", "webp", "gif", "bmp", "svg"}
	case "audio":
		return []string{"wav", "mp3", "ogg", "m4a", "aac", "flac"}
	case "video":
		return []string{"mp4", "webm", "mov", "avi", "mpeg", "mkv"}
	case "model3d":
		return []string{"glb", "gltf", "obj", "fbx"}
	}
	return []string{"bin"}
}

// ungranted says that a reference needs another capability.
func ungranted(op, what string, b *bridges.Bridge) error {
	return unreadable(op, what, "this run was not granted "+b.Name+"; the host grants it with "+b.Granting(),
		&bridges.Error{Kind: bridges.KindDenied, Code: bridges.CodeNotGranted})
}

// openFile reads from the workspace.
func (r *run) openFile(ctx context.Context, op string, ref *ref, path string, most int64) (*source, error) {
	ws, err := workspace.Of(r.session)
	if errors.Is(err, bridges.ErrNotGranted) {
		return nil, ungranted(op, ref.what(), workspace.Bridge)
	}
	if err != nil {
		return nil, err
	}
	data, err := r.readFile(ctx, op, ws, path, ref.what(), most)
	if err != nil {
		var e *bridges.Error
		if !errors.As(err, &e) || e.Op == op {
			return nil, err
		}
		return nil, unreadable(op, ref.what(), e.Message, e)
	}
	return inMemory(data, ""), nil
}

// readFile reads a file of at most most bytes, and looks at its size before.
func (r *run) readFile(ctx context.Context, op string, ws *workspace.Workspace, path, what string, most int64) ([]byte, error) {
	limit := r.room(most)
	st, err := ws.Stat(path)
	if err != nil {
		return nil, err
	}
	if st.Size > limit {
		return nil, r.tooLarge(op, what, st.Size, most)
	}
	data, err := ws.ReadRange(ctx, path, 0, limit+1)
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit { // it grew
		return nil, r.tooLarge(op, what, int64(len(data)), most)
	}
	return data, nil
}

// openURL asks the run's own client, whose policy, guard and counters apply.
func (r *run) openURL(ctx context.Context, op string, ref *ref, most int64) (*source, error) {
	client, err := fetch.Of(r.session)
	if errors.Is(err, bridges.ErrNotGranted) {
		return nil, ungranted(op, ref.what(), fetch.Bridge)
	}
	if err != nil {
		return nil, err
	}
	limit := max(r.room(most), 1)
	resp, err := client.Get(ctx, ref.uri, limit)
	if err != nil {
		var e *bridges.Error
		if ctx.Err() != nil || !errors.As(err, &e) {
			return nil, err
		}
		return nil, unreadable(op, ref.what(), e.Message, e)
	}
	if resp.Status < 200 || resp.Status > 299 {
		return nil, unreadable(op, ref.what(), fmt.Sprintf("the answer was %d %s", resp.Status, resp.StatusText), nil)
	}
	if resp.Truncated {
		if int64(len(resp.Body)) >= limit {
			return nil, r.tooLarge(op, ref.what(), limit+1, most)
		}
		reason := "the answer was cut"
		if e := resp.BodyError; e != nil {
			return nil, unreadable(op, ref.what(), reason+": "+e.Message, e)
		}
		return nil, unreadable(op, ref.what(), reason, nil)
	}
	return inMemory(resp.Body, essence(resp.Get("content-type"))), nil
}

// mimeOf is the MIME type of what a reference means. data may be nil.
func mimeOf(ref *ref, s *source, data []byte) string {
	for _, m := range []string{ref.mime, s.mime, MIMEByName(s.name), placeMIME(ref.uri), Sniff(ref.kind, data)} {
		if m != "" {
			return m
		}
	}
	return defaultMIME(ref.kind)
}

// placeMIME is MIMEByName for what may be a data: URI, whose body is no name.
func placeMIME(uri string) string {
	if hasScheme(uri, "data:") {
		return ""
	}
	return MIMEByName(uri)
}
