package assets

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"

	"quicksand/bridges"
	"quicksand/bridges/fetch"
	"quicksand/bridges/workspace"
	"quicksand/internal/marshal"
)

// shelf is a Storage in memory.
type shelf struct {
	mu   sync.Mutex
	data map[string][]byte
	err  error
}

func (s *shelf) Get(_ context.Context, key string) (*Asset, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return nil, s.err
	}
	b, ok := s.data[key]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return &Asset{Size: -1, Body: io.NopCloser(bytes.NewReader(b))}, nil
}

func (s *shelf) Put(_ context.Context, key, mime string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.data[key] = data
	}
	return s.err
}

// readOnly is a Store that creates nothing.
type readOnly struct{ Store }

func (readOnly) Create(context.Context, string, string, []byte) (string, error) {
	return "", fmt.Errorf("read only: %w", errors.ErrUnsupported)
}

// brokenStore fails.
type brokenStore struct{ err error }

func (s brokenStore) Resolve(context.Context, string) (*Asset, error) { return nil, s.err }
func (s brokenStore) Create(context.Context, string, string, []byte) (string, error) {
	return "", s.err
}

// endless is an asset that does not tell its size, and whether it was closed.
type endless struct{ closed bool }

func (e *endless) Read(p []byte) (int, error) { return len(p), nil }
func (e *endless) Close() error               { e.closed = true; return nil }

type endlessStore struct {
	*Memory
	last *endless
}

func (s *endlessStore) Resolve(ctx context.Context, id string) (*Asset, error) {
	if id == "endless" {
		s.last = new(endless)
		return &Asset{Size: -1, Body: s.last}, nil
	}
	return s.Memory.Resolve(ctx, id)
}

var png = []byte("\x89PNG\r\n\x1a\n rest of the picture")

// world is what tests have around a run.
type world struct {
	session *bridges.Session
	store   *Memory
	storage *shelf
	files   *workspace.Memory
	server  *httptest.Server
}

// newWorld grants everything that skip does not name.
func newWorld(t *testing.T, p *Policy, skip string) *world {
	t.Helper()
	w := &world{store: new(Memory), storage: &shelf{data: map[string][]byte{}}, files: workspace.NewMemory(nil)}
	w.store.Put("img1", "cover.png", "image/png", png)
	w.store.Put("plain", "", "", []byte("plain text"))
	w.store.Put("song.mp3", "", "", []byte("ID3 song"))
	w.storage.data["a/b.png"] = png
	w.storage.data["img2.webp"] = []byte("RIFF....WEBP")
	w.storage.data["doc1.bin"] = []byte("bin")
	for name, text := range map[string]string{"notes.txt": "notes", "dir/pic.jpg": "\xff\xd8\xffjpeg", "a b.csv": "x,y", "noext": "?"} {
		if err := w.files.WriteFile(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	w.server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/pic":
			rw.Header().Set("Content-Type", "image/webp; x=y")
			rw.Write([]byte("RIFF....WEBP"))
		case "/large":
			rw.Write(make([]byte, maxCall+1))
		case "/full":
			rw.Write(make([]byte, maxCall))
		case "/cut":
			rw.Header().Set("Content-Length", "100")
			rw.Write([]byte("only this"))
		default:
			rw.WriteHeader(404)
		}
	}))
	t.Cleanup(w.server.Close)
	if p == nil {
		p = &Policy{Store: w.store, Storage: w.storage}
	}
	grants := make(map[*bridges.Bridge]any)
	for b, v := range map[*bridges.Bridge]any{Bridge: p, workspace.Bridge: &workspace.Policy{FS: w.files},
		fetch.Bridge: &fetch.Policy{Allow: []string{"127.0.0.1:*"}, AllowPrivateNetwork: true}} {
		checked, err := b.Check(v)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(skip, b.Name) {
			grants[b] = checked
		}
	}
	w.session = bridges.NewSession(bridges.SessionOptions{Grants: grants})
	t.Cleanup(func() { w.session.Close() })
	return w
}

// runMedia begins another run, whose limit RunMedia is n.
func (w *world) runMedia(t *testing.T, p *Policy, n int64) {
	t.Helper()
	grants := map[*bridges.Bridge]any{Bridge: p}
	if files, ok := w.session.Grant(workspace.Bridge); ok {
		grants[workspace.Bridge] = files
	}
	w.session = bridges.NewSession(bridges.SessionOptions{Grants: grants, RunMedia: n})
	t.Cleanup(func() { w.session.Close() })
}

func (w *world) call(t *testing.T, name string, args ...any) (any, error) {
	t.Helper()
	v, err := marshal.NewValue(args, marshal.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range Bridge.Funcs {
		f := &Bridge.Funcs[i]
		if f.Name != name {
			continue
		}
		c, err := bridges.Unpack(w.session, Bridge, f, v)
		if err != nil {
			return nil, err
		}
		if c.State, err = w.session.State(Bridge); err != nil {
			return nil, err
		}
		return f.Call(context.Background(), c)
	}
	t.Fatalf("no function %s", name)
	return nil, nil
}

type m = map[string]any

func TestReferences(t *testing.T) {
	w := newWorld(t, nil, "")
	b64 := base64.StdEncoding.EncodeToString
	for _, row := range []struct {
		name  string
		ref   any
		want  string // the bytes
		fails string // a part of the error
		kind  bridges.Kind
	}{
		{"an asset by its URI", m{"type": "image", "uri": "asset://img1"}, string(png), "", ""},
		{"an asset with an extension that is not in its id", m{"type": "image", "uri": "asset://img1.png"}, string(png), "", ""},
		{"an asset whose id has an extension", m{"uri": "asset://song.mp3"}, "ID3 song", "", ""},
		{"no id is found without its unknown extension", m{"uri": "asset://img1.exe"}, "", "media.bytes: could not read asset://img1.exe", ""},
		{"schemes in any case", m{"uri": "ASSET://img1"}, string(png), "", ""},
		{"a generation result goes through its asset, not the host's file", m{"type": "image", "asset_id": "img1", "asset_uri": "asset://img1.png", "url": "asset://img1", "uri": "file:///etc/passwd"}, string(png), "", ""},
		{"url before a file", m{"url": "asset://plain", "uri": "file:///notes.txt"}, "plain text", "", ""},
		{"asset_id alone", m{"type": "document", "asset_id": "plain"}, "plain text", "", ""},
		{"asset_id before a file", m{"asset_id": "plain", "uri": "file:///notes.txt"}, "plain text", "", ""},
		{"asset_id before a path", m{"asset_id": "plain", "uri": "notes.txt"}, "plain text", "", ""},
		{"asset_id with the extensions of the type in the storage", m{"type": "image", "asset_id": "img2"}, "RIFF....WEBP", "", ""},
		{"asset_id of a document in the storage", m{"asset_id": "doc1"}, "bin", "", ""},
		{"the extensions are those of the type", m{"type": "audio", "asset_id": "img2"}, "", "could not read asset img2", ""},
		{"the storage by its address", m{"uri": "/api/storage/a/b.png"}, string(png), "", ""},
		{"another address of the host", m{"uri": "/api/users/1"}, "", "could not read /api/users/1", ""},
		{"a place as text", "asset://plain", "plain text", "", ""},
		{"white space around it", m{"uri": "  asset://plain\n"}, "plain text", "", ""},
		{"blank candidates do not count", m{"asset_uri": " ", "url": "", "uri": "asset://plain"}, "plain text", "", ""},
		{"candidates that are no text do not count", m{"asset_uri": 5, "asset_id": nil, "url": m{}, "uri": "asset://plain"}, "plain text", "", ""},
		{"base64 data", m{"type": "image", "data": b64([]byte("data!"))}, "data!", "", ""},
		{"data comes before all else", m{"uri": "asset://img1", "data": b64([]byte("data!"))}, "data!", "", ""},
		{"data with a header", m{"data": "data:text/plain;base64," + b64([]byte("data!"))}, "data!", "", ""},
		{"bytes as data", m{"data": []byte("raw")}, "raw", "", ""},
		{"empty data does not count", m{"uri": "asset://plain", "data": []byte{}}, "plain text", "", ""},
		{"empty text as data does not count", m{"uri": "asset://plain", "data": ""}, "plain text", "", ""},
		{"null as data does not count", m{"uri": "asset://plain", "data": nil}, "plain text", "", ""},
		{"data that is not base64", m{"data": "§§§"}, "", "could not read the data of the document ref: the data is not base64", ""},
		{"a data URI", m{"uri": "data:text/plain,a%20b%zz"}, "a b%zz", "", ""},
		{"one in base64", m{"uri": "data:image/png;base64," + b64(png)}, string(png), "", ""},
		{"one without padding, with white space and the other alphabet", m{"uri": "data:;BASE64, __-_\n _w"}, "\xff\xff\xbf\xff", "", ""},
		{"escapes inside base64", m{"uri": "data:;base64,%2B%2B%3D%3D"}, "\xfb", "", ""},
		{"a hash is part of it", m{"uri": "data:image/svg+xml,<svg fill='#fff'/>"}, "<svg fill='#fff'/>", "", ""},
		{"an empty one", m{"uri": "data:,"}, "", "", ""},
		{"one without a comma", m{"uri": "data:text/plain"}, "", "could not read data:text/plain: the data URI has no comma", ""},
		{"one with bad base64", m{"uri": "data:;base64,a"}, "", "the data is not base64", ""},
		{"one with padding in the middle", m{"uri": "data:;base64,YQ==YQ=="}, "", "the data is not base64", ""},
		{"a file of the workspace", m{"uri": "notes.txt"}, "notes", "", ""},
		{"by its path in full", m{"uri": "/workspace/dir/pic.jpg"}, "\xff\xd8\xffjpeg", "", ""},
		{"by a file URI", m{"uri": "file:///workspace/a%20b.csv"}, "x,y", "", ""},
		{"an absolute path is inside the workspace", m{"uri": "/notes.txt"}, "notes", "", ""},
		{"a file that is not there", m{"uri": "/etc/passwd"}, "", "could not read /etc/passwd: ENOENT", ""},
		{"a path that leaves the workspace", m{"uri": "../notes.txt"}, "", "could not read ../notes.txt: Path '../notes.txt' is outside the workspace", bridges.KindDenied},
		{"a file URI that leaves it", m{"uri": "file:///%2e%2e/x"}, "", "outside the workspace", bridges.KindDenied},
		{"a file URI with a bad escape", m{"uri": "file:///%zz"}, "", "the address is not escaped properly", ""},
		{"a directory", m{"uri": "dir"}, "", "could not read dir", ""},
		{"an address", m{"uri": w.server.URL + "/pic"}, "RIFF....WEBP", "", ""},
		{"an address that is not there", m{"uri": w.server.URL + "/none"}, "", "/none: the answer was 404 Not Found", ""},
		{"an answer that is cut", m{"uri": w.server.URL + "/cut"}, "", "/cut: the answer was cut", ""},
		{"a host that is not allowed", m{"uri": "https://other.example/x"}, "", "could not read https://other.example/x", bridges.KindDenied},
		{"a package", m{"uri": "package://p/x.png"}, "", "references into packages are not supported", ""},
		{"another scheme", m{"uri": "ftp://x/y"}, "", "could not read ftp://x/y", ""},
		{"an empty reference", m{}, "", "could not read a document ref with no uri, asset_id, or data", ""},
		{"an empty reference to an image", m{"type": "image"}, "", "could not read an image ref with no uri, asset_id, or data", ""},
		{"a long URI is cut", m{"uri": "asset://" + strings.Repeat("é", 300)}, "", "could not read asset://" + strings.Repeat("é", 192) + "…", ""},
		{"a handle", m{"__nodetool_sandbox_media__": "m1", "type": "image", "uri": "sandbox://media/m1"}, "", "sandbox://media/m1 is not available in this run: a handle only lives for the action that produced it; save it as an asset", ""},
		{"the URI of a handle", "sandbox://media/m7", "", "sandbox://media/m7 is not available in this run", ""},
		{"text that names no place", "cover", "", "media.bytes: expected a media ref object", ""},
		{"bytes", []byte("x"), "", "media.bytes: expected a media ref object", ""},
		{"null", nil, "", "media.bytes: expected a media ref object", ""},
		{"an array", []any{m{"uri": "asset://plain"}}, "", "media.bytes: expected a media ref object", ""},
		{"a Map", &marshal.Map{Entries: []marshal.MapEntry{{Key: "uri", Value: "asset://plain"}}}, "", "media.bytes: expected a media ref object", ""},
	} {
		got, err := w.call(t, "media.bytes", row.ref)
		if row.fails != "" {
			var e *bridges.Error
			if !errors.As(err, &e) || !strings.Contains(e.Error(), row.fails) || e.Kind != row.kind {
				t.Errorf("%s: got %v, %v\nwant %s", row.name, got, err, row.fails)
			}
			continue
		}
		if b, _ := got.([]byte); err != nil || string(b) != row.want {
			t.Errorf("%s: got %q, %v, want %q", row.name, got, err, row.want)
		}
	}
}

func TestReferencesWithoutTheOtherGrants(t *testing.T) {
	w := newWorld(t, &Policy{}, "workspace fetch")
	for uri, want := range map[string]string{
		"notes.txt":         "media.bytes: could not read notes.txt: this run was not granted workspace; the host grants it with " + workspace.Bridge.Granting(),
		"https://x.example": "media.bytes: could not read https://x.example: this run was not granted fetch; the host grants it with " + fetch.Bridge.Granting(),
	} {
		_, err := w.call(t, "media.bytes", m{"uri": uri})
		var e *bridges.Error
		if !errors.As(err, &e) || e.Error() != want || e.Kind != bridges.KindDenied || e.Code != bridges.CodeNotGranted {
			t.Errorf("%s: got %#v", uri, err)
		}
	}
	for _, args := range [][]any{{"assetToSandbox", "img1", "x"}, {"sandboxToAsset", "x"}} {
		_, err := w.call(t, args[0].(string), args[1:]...)
		if err == nil || !strings.Contains(err.Error(), args[0].(string)+" is not available without a workspace") {
			t.Errorf("%v: got %v", args, err)
		}
	}
	for _, uri := range []string{"asset://img1", "/api/storage/a/b.png"} {
		if _, err := w.call(t, "media.bytes", m{"uri": uri}); err == nil || err.Error() != "media.bytes: could not read "+uri {
			t.Errorf("%s: got %v", uri, err)
		}
	}
}

func TestHostileIDs(t *testing.T) {
	var asked []string
	s := &askedStore{Memory: new(Memory), asked: &asked}
	w := newWorld(t, &Policy{Store: s, Storage: s}, "")
	for _, id := range []string{"", strings.Repeat("x", maxID+1), "a\x00b", "a\nb", "a\x7fb", "a\uFFFDb"} {
		w.call(t, "media.bytes", m{"asset_id": id})
		w.call(t, "media.bytes", m{"uri": "asset://" + id})
		w.call(t, "media.bytes", m{"uri": "/api/storage/" + id})
	}
	for _, key := range []string{"../x", "a/../b", "a/..", "./x", "a/./b", "."} {
		w.call(t, "media.bytes", m{"uri": "/api/storage/" + key})
	}
	if len(asked) != 0 {
		t.Errorf("the stores were asked for %q", asked)
	}
}

type askedStore struct {
	*Memory
	asked *[]string
}

func (s *askedStore) Resolve(ctx context.Context, id string) (*Asset, error) {
	*s.asked = append(*s.asked, id)
	return nil, fs.ErrNotExist
}
func (s *askedStore) Get(ctx context.Context, key string) (*Asset, error) { return s.Resolve(ctx, key) }
func (s *askedStore) Put(context.Context, string, string, []byte) error   { return nil }

func TestText(t *testing.T) {
	w := newWorld(t, nil, "")
	for _, row := range []struct {
		name    string
		data    string
		options any
		want    string
		fails   string
	}{
		{"UTF-8 by default", "h\u00e9llo 日本 😀", nil, "héllo 日本 😀", ""},
		{"a byte order mark is dropped", "\xef\xbb\xbfabc", nil, "abc", ""},
		{"only one", "\xef\xbb\xbf\xef\xbb\xbfabc", nil, "\uFEFFabc", ""},
		{"errors are replaced as the standard asks for", "a\xf0\x9f\x98b\xe2\x82\xff\xed\xa0\x80\xc0\x80", nil, "a\uFFFDb\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD", ""},
		{"no options", "abc", m{}, "abc", ""},
		{"null is the default", "abc", m{"encoding": nil}, "abc", ""},
		{"latin1", "caf\xe9 \x80", m{"encoding": "latin1"}, "café €", ""},
		{"labels in any case", "caf\xe9", m{"encoding": " ISO-8859-1 "}, "café", ""},
		{"utf-16le with a mark", "\xff\xfea\x00b\x00", m{"encoding": "utf-16le"}, "ab", ""},
		{"utf-16be", "\x00a\x00b", m{"encoding": "utf-16be"}, "ab", ""},
		{"shift_jis", "\x93\xfa\x96\x7b", m{"encoding": "sjis"}, "日本", ""},
		{"an unknown encoding", "abc", m{"encoding": "klingon"}, "", `media.text: unsupported encoding "klingon"`},
		{"a long label", "abc", m{"encoding": strings.Repeat("x", 300)}, "", "…\""},
		{"an encoding that is no text", "abc", m{"encoding": 8}, "", "media.text: encoding must be a string"},
		{"options that are no object", "abc", "latin1", "", "media.text: options must be an object, not a string"},
	} {
		got, err := w.call(t, "media.text", m{"data": []byte(row.data)}, row.options)
		if row.fails != "" {
			if err == nil || !strings.Contains(err.Error(), row.fails) {
				t.Errorf("%s: got %v, %v", row.name, got, err)
			}
		} else if got != row.want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", row.name, got, err, row.want)
		}
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	value, err := marshal.NewValue(v, marshal.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := value.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestInfo(t *testing.T) {
	w := newWorld(t, nil, "")
	for _, row := range []struct {
		name string
		ref  any
		want string
	}{
		{"what the store says", m{"type": "image", "uri": "asset://img1"}, fmt.Sprintf(`{"type":"image","mimeType":"image/png","uri":"asset://img1","size":%d}`, len(png))},
		{"an explicit type comes first", m{"type": "image", "uri": "asset://img1", "mimeType": "image/x-own"}, fmt.Sprintf(`{"type":"image","mimeType":"image/x-own","uri":"asset://img1","size":%d}`, len(png))},
		{"in the other spelling", m{"uri": "asset://img1", "mime_type": "a/b"}, fmt.Sprintf(`{"type":"document","mimeType":"a/b","uri":"asset://img1","size":%d}`, len(png))},
		{"an explicit type that is none does not count", m{"uri": "asset://img1", "mimeType": "x\r\ny"}, fmt.Sprintf(`{"type":"document","mimeType":"image/png","uri":"asset://img1","size":%d}`, len(png))},
		{"the extension", m{"type": "audio", "uri": "asset://song.mp3"}, `{"type":"audio","mimeType":"audio/mpeg","uri":"asset://song.mp3","size":8}`},
		{"of a file", m{"uri": "a b.csv"}, `{"type":"document","mimeType":"text/csv","uri":"a b.csv","size":3}`},
		{"the header of a data URI", m{"uri": "data:text/html;charset=utf-8,abc"}, `{"type":"document","mimeType":"text/html;charset=utf-8","uri":"data:text/html;charset=utf-8,abc","size":3}`},
		{"the answer's type", m{"uri": w.server.URL + "/pic"}, `{"type":"document","mimeType":"image/webp","uri":"` + w.server.URL + `/pic","size":12}`},
		{"the first bytes", m{"type": "image", "data": []byte("GIF89a")}, `{"type":"image","mimeType":"image/gif","uri":"","size":6}`},
		{"a default of the kind", m{"type": "video", "data": []byte("?")}, `{"type":"video","mimeType":"video/mp4","uri":"","size":1}`},
		{"a document's default", m{"asset_id": "plain"}, `{"type":"document","mimeType":"application/octet-stream","uri":"","size":10}`},
		{"a size that the storage does not tell is found out", m{"uri": "/api/storage/a/b.png"}, fmt.Sprintf(`{"type":"document","mimeType":"image/png","uri":"/api/storage/a/b.png","size":%d}`, len(png))},
		{"text for a reference", "asset://plain", `{"type":"document","mimeType":"application/octet-stream","uri":"asset://plain","size":10}`},
	} {
		got, err := w.call(t, "media.info", row.ref)
		if err != nil || asJSON(t, got) != row.want {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", row.name, asJSON(t, got), err, row.want)
		}
	}
}

func TestBuilders(t *testing.T) {
	const id = `[a-z2-7]{26}`
	const uuid = `[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`
	for _, row := range []struct {
		name, call string
		args       []any
		policy     string // "store", "storage" or ""
		want       string // a regular expression
		fails      string
	}{
		{"an image in the store", "media.toImage", []any{png}, "store", `{"type":"image","uri":"asset://` + id + `\.png","asset_id":"` + id + `\.png","mimeType":"image/png"}`, ""},
		{"the content decides where nothing else does", "media.toImage", []any{[]byte("\xff\xd8\xff")}, "store", `{.*\.jpg","mimeType":"image/jpeg"}`, ""},
		{"WAV is WAV", "media.toAudio", []any{[]byte("RIFF....WAVEfmt ")}, "", `{"type":"audio","uri":"data:audio/wav;base64,.*","asset_id":null,"mimeType":"audio/wav"}`, ""},
		{"the filename comes before the content", "media.toAudio", []any{[]byte("RIFF....WAVEfmt "), m{"filename": "x.ogg"}}, "", `{"type":"audio","uri":"data:audio/ogg;base64,.*","asset_id":null,"mimeType":"audio/ogg","metadata":{"filename":"x.ogg"}}`, ""},
		{"and the option before that", "media.toAudio", []any{[]byte("?"), m{"filename": "x.ogg", "mimeType": "audio/flac"}}, "store", `{"type":"audio","uri":"asset://` + id + `\.ogg",.*"mimeType":"audio/flac",.*}`, ""},
		{"audio by default", "media.toAudio", []any{[]byte("?")}, "store", `{.*\.mp3","mimeType":"audio/mpeg"}`, ""},
		{"a video by default", "media.toVideo", []any{[]byte("?")}, "store", `{"type":"video",.*\.mp4","mimeType":"video/mp4"}`, ""},
		{"a document has no mimeType", "media.toDocument", []any{[]byte("?")}, "store", `{"type":"document","uri":"asset://` + id + `\.bin","asset_id":"` + id + `\.bin"}`, ""},
		{"a document with a name", "media.toDocument", []any{[]byte("a,b"), m{"filename": "r.csv"}}, "", `{"type":"document","uri":"data:text/csv;base64,YSxi","asset_id":null,"metadata":{"filename":"r.csv"}}`, ""},
		{"the storage", "media.toImage", []any{png, m{"filename": "x.png"}}, "storage", `{"type":"image","uri":"/api/storage/sandbox/` + uuid + `\.png","asset_id":null,"mimeType":"image/png","metadata":{"filename":"x.png"}}`, ""},
		{"a store that only reads leaves it to the storage", "media.toImage", []any{png}, "readonly storage", `{.*"/api/storage/sandbox/` + uuid + `\.png".*}`, ""},
		{"options that are null", "media.toImage", []any{png, m{"filename": nil, "mimeType": nil}}, "", `{.*"mimeType":"image/png"}`, ""},
		{"blank options", "media.toImage", []any{png, m{"filename": " ", "mimeType": ""}}, "", `{"type":"image","uri":"data:image/png.*","asset_id":null,"mimeType":"image/png"}`, ""},
		{"other typed arrays are their bytes", "media.toDocument", []any{[]uint16{0x6161}}, "", `{.*base64,YWE=.*}`, ""},
		{"text for bytes", "media.toImage", []any{"asset://img1"}, "store", "", "media.toImage: bytes must be a Uint8Array"},
		{"a reference for bytes", "media.toDocument", []any{m{"uri": "asset://img1"}}, "store", "", "media.toDocument: bytes must be a Uint8Array"},
		{"numbers for bytes", "media.toImage", []any{[]any{1, 2}}, "store", "", "media.toImage: bytes must be a Uint8Array"},
		{"nothing for bytes", "media.toImage", []any{}, "store", "", "media.toImage: bytes must be a Uint8Array"},
		{"empty bytes", "media.toImage", []any{[]byte{}}, "store", "", "media.toImage: bytes must not be empty"},
		{"a handle", "media.toImage", []any{m{"__nodetool_sandbox_media__": "m1"}}, "store", "", "media.toImage: sandbox://media/m1 is not available in this run"},
		{"a type that is none", "media.toImage", []any{png, m{"mimeType": "png"}}, "store", "", "media.toImage: mimeType must be a MIME type like image/png"},
		{"a type that breaks out of the URI", "media.toImage", []any{png, m{"mimeType": "image/png,<script>"}}, "", "", "mimeType must be a MIME type"},
		{"a type with a line break", "media.toImage", []any{png, m{"mimeType": "image/png\r\nX: y"}}, "", "", "mimeType must be a MIME type"},
		{"a long type", "media.toImage", []any{png, m{"mimeType": "image/" + strings.Repeat("x", 300)}}, "", "", "mimeType must be a MIME type"},
		{"a type that is no text", "media.toImage", []any{png, m{"mimeType": 5}}, "", "", "media.toImage: mimeType must be a string"},
		{"a name that is no text", "media.toImage", []any{png, m{"filename": m{}}}, "", "", "media.toImage: filename must be a string"},
		{"a long name", "media.toImage", []any{png, m{"filename": strings.Repeat("x", 256)}}, "", "", "filename is 256 bytes long, more than 255"},
		{"a name with control characters", "media.toImage", []any{png, m{"filename": "a\x00b"}}, "", "", "filename must have no control characters"},
		{"a store that fails", "media.toImage", []any{png}, "broken", "", "media.toImage: the host could not store the asset"},
	} {
		w := newWorld(t, &Policy{}, "")
		p := &Policy{}
		if strings.Contains(row.policy, "storage") {
			p.Storage = w.storage
		}
		switch {
		case strings.HasPrefix(row.policy, "readonly"):
			p.Store = readOnly{w.store}
		case row.policy == "store":
			p.Store = w.store
		case row.policy == "broken":
			p.Store = brokenStore{errors.New("disk /dev/sda1 is full")}
		}
		w = newWorld(t, p, "")
		got, err := w.call(t, row.call, row.args...)
		if row.fails != "" {
			if err == nil || !strings.Contains(err.Error(), row.fails) || strings.Contains(err.Error(), "sda1") {
				t.Errorf("%s: got %v, %v\nwant %s", row.name, got, err, row.fails)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
		} else if text := asJSON(t, got); !regexp.MustCompile("^" + row.want + "$").MatchString(text) {
			t.Errorf("%s:\ngot  %s\nwant %s", row.name, text, row.want)
		}
		// What was built can be loaded again.
		if ref, ok := got.(*marshal.Object); ok {
			want, _ := marshal.NewValue(row.args[0], marshal.EncodeOptions{})
			wantBytes, _ := want.Bytes()
			back, err := w.call(t, "media.bytes", ref)
			if b, _ := back.([]byte); err != nil || !bytes.Equal(b, wantBytes) {
				t.Errorf("%s: loaded again: %q, %v", row.name, back, err)
			}
		}
	}
}

func TestSandboxAndAssets(t *testing.T) {
	w := newWorld(t, nil, "")
	for _, row := range []struct {
		name  string
		args  []any
		want  string
		text  string // of the file then
		fails string
	}{
		{"an id", []any{"assetToSandbox", "img1", "out/a.png"}, "/workspace/out/a.png", string(png), ""},
		{"a URI", []any{"assetToSandbox", "asset://img1.png", "b.png"}, "/workspace/b.png", string(png), ""},
		{"a reference", []any{"assetToSandbox", m{"asset_id": "plain"}, "/workspace/c.txt"}, "/workspace/c.txt", "plain text", ""},
		{"an id that is not there", []any{"assetToSandbox", "none", "x"}, "", "", "assetToSandbox: Unable to resolve asset 'none': it is not in the asset store nor in the storage"},
		{"a URI that is not there", []any{"assetToSandbox", "asset://none.png", "x"}, "", "", "assetToSandbox: Unable to resolve asset 'none.png'"},
		{"an empty id", []any{"assetToSandbox", " ", "x"}, "", "", "assetToSandbox: assetId must not be empty"},
		{"a number", []any{"assetToSandbox", 5, "x"}, "", "", "assetToSandbox: expected a media ref object"},
		{"no path", []any{"assetToSandbox", "img1"}, "", "", "assetToSandbox: path must be a string, not undefined"},
		{"a path outside", []any{"assetToSandbox", "img1", "../x"}, "", "", "assetToSandbox: Path '../x' is outside the workspace"},
		{"a handle", []any{"assetToSandbox", "sandbox://media/m1", "x"}, "", "", "sandbox://media/m1 is not available"},
	} {
		got, err := w.call(t, row.args[0].(string), row.args[1:]...)
		if row.fails != "" {
			if err == nil || !strings.Contains(err.Error(), row.fails) {
				t.Errorf("%s: got %v, %v\nwant %s", row.name, got, err, row.fails)
			}
			continue
		}
		ws, _ := workspace.Of(w.session)
		text, rerr := ws.Read(context.Background(), fmt.Sprint(got))
		if got != row.want || err != nil || rerr != nil || string(text) != row.text {
			t.Errorf("%s: got %v, %v with %q, %v", row.name, got, err, text, rerr)
		}
	}
	for path, want := range map[string]string{
		"dir/pic.jpg": `^{"type":"image","uri":"asset://[a-z2-7]{26}\.jpg","asset_id":"[a-z2-7]{26}\.jpg"}$`,
		"notes.txt":   `^{"type":"document","uri":"asset://[a-z2-7]{26}\.txt","asset_id":"[a-z2-7]{26}\.txt"}$`,
		"noext":       `^{"type":"document","uri":"asset://[a-z2-7]{26}\.bin","asset_id":"[a-z2-7]{26}\.bin"}$`,
	} {
		got, err := w.call(t, "sandboxToAsset", path)
		if err != nil || !regexp.MustCompile(want).MatchString(asJSON(t, got)) {
			t.Errorf("%s: got %v, %v", path, got, err)
			continue
		}
		id, _ := got.(*marshal.Object).Get("asset_id")
		a, err := w.store.Resolve(context.Background(), id.(string))
		if err != nil || !strings.HasSuffix(path, a.Name) {
			t.Errorf("%s: the store has %v, %v", path, a, err)
		}
	}
	for path, want := range map[string]string{"none.txt": "sandboxToAsset: ENOENT", "../x": "sandboxToAsset: Path '../x' is outside", "dir": "sandboxToAsset: EISDIR"} {
		if _, err := w.call(t, "sandboxToAsset", path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", path, err)
		}
	}
	w = newWorld(t, &Policy{}, "")
	if _, err := w.call(t, "sandboxToAsset", "notes.txt"); err == nil || !strings.Contains(err.Error(), "sandboxToAsset: the host keeps no assets for this run; it does with a Store in Options.Assets") {
		t.Errorf("without a store: got %v", err)
	}
	if _, err := w.call(t, "assetToSandbox", "img1", "x"); err == nil || !strings.Contains(err.Error(), "Unable to resolve asset 'img1': the host has no assets for this run") {
		t.Errorf("without a store: got %v", err)
	}
}

func TestStoresThatFail(t *testing.T) {
	broken := errors.New("dial db.internal:5432: refused")
	w := newWorld(t, &Policy{Store: brokenStore{broken}}, "")
	_, err := w.call(t, "media.bytes", m{"uri": "asset://x"})
	var e *bridges.Error
	if !errors.As(err, &e) || e.Kind != bridges.KindInternal || e.Error() != "media.bytes: could not read asset://x: the store failed" || !errors.Is(err, broken) {
		t.Errorf("got %#v", err)
	}
	w = newWorld(t, &Policy{Storage: &shelf{err: broken}}, "")
	if _, err = w.call(t, "media.toImage", png); err == nil || err.Error() != "media.toImage: the host could not store the asset" || !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func TestLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("takes more than a second: it moves some hundred megabytes")
	}
	wantLimit := func(what string, err error, name string, value, used int64) {
		t.Helper()
		var e *bridges.Error
		if !errors.As(err, &e) || e.Kind != bridges.KindLimit || e.Limit != name || e.Value != value || e.Used < used || !strings.HasSuffix(e.Message, "("+name+")") {
			t.Errorf("%s: got %v, %#v\nwant the limit %s of %d", what, err, e, name, value)
		}
	}
	full, over := make([]byte, maxCall), make([]byte, maxCall+1)
	store := &endlessStore{Memory: new(Memory)}
	store.Put("full", "", "", full)
	store.Put("over", "", "", over)
	w := newWorld(t, &Policy{Store: store}, "")
	w.files.WriteFile("full", full)
	w.files.WriteFile("over", over)
	text := func(b []byte) string { return base64.StdEncoding.EncodeToString(b) }
	for _, row := range []struct {
		name string
		ref  any
		over bool
	}{
		{"an asset of the largest size", m{"asset_id": "full"}, false},
		{"an asset that is larger", m{"asset_id": "over"}, true},
		{"one that does not tell its size", m{"asset_id": "endless"}, true},
		{"a file of the largest size", m{"uri": "full"}, false},
		{"a larger file", m{"uri": "over"}, true},
		{"base64 of the largest size", m{"data": text(full)}, false},
		{"larger base64", m{"data": text(over)}, true},
		{"base64 with much white space", m{"data": strings.Repeat(" ", maxCall) + "YQ=="}, false},
		{"bytes of the largest size", m{"data": full}, false},
		{"more bytes", m{"data": over}, true},
		{"a data URI of the largest size", m{"uri": "data:," + strings.Repeat("x", maxCall)}, false},
		{"a larger one", m{"uri": "data:," + strings.Repeat("x", maxCall+1)}, true},
		{"a larger one of escapes", m{"uri": "data:," + strings.Repeat("%78", maxCall+1)}, true},
		{"a larger one in base64", m{"uri": "data:;base64," + text(over)}, true},
		{"one that breaks off in base64", m{"uri": "data:;base64," + strings.Repeat("A", 30<<20)}, true},
		{"an answer of the largest size", m{"uri": w.server.URL + "/full"}, false},
		{"a larger answer", m{"uri": w.server.URL + "/large"}, true},
	} {
		got, err := w.call(t, "media.bytes", row.ref)
		if row.over {
			wantLimit(row.name, err, "MediaCall", maxCall, maxCall+1)
			if err != nil && !strings.Contains(err.Error(), "bytes, over the 16777216 byte limit") {
				t.Errorf("%s: got %v", row.name, err)
			}
		} else if b, ok := got.([]byte); !ok || err != nil {
			t.Errorf("%s: got %d bytes, %v", row.name, len(b), err)
		}
	}
	if !store.last.closed {
		t.Error("an asset was not closed")
	}
	_, err := w.call(t, "media.toImage", over)
	wantLimit("a builder", err, "MediaCall", maxCall, maxCall+1)
	if _, err := w.call(t, "media.toImage", full); err != nil {
		t.Errorf("a builder with the largest size: %v", err)
	}
	if n, err := w.call(t, "media.info", m{"asset_id": "over"}); err != nil || !strings.Contains(asJSON(t, n), fmt.Sprint(maxCall+1)) {
		t.Errorf("info of what need not be loaded: %v, %v", n, err)
	}

	w = newWorld(t, &Policy{}, "")
	_, err = w.call(t, "media.toDocument", make([]byte, maxDataURI+1))
	wantLimit("a data URI", err, "DataURI", maxDataURI, maxDataURI+1)
	if err == nil || !strings.Contains(err.Error(), "needs storage") {
		t.Errorf("got %v", err)
	}
	if _, err := w.call(t, "media.toDocument", make([]byte, maxDataURI)); err != nil {
		t.Errorf("the largest data URI: %v", err)
	}

	// What a run loads and what it stores count apart.
	half := make([]byte, 512<<10)
	store.Put("half", "", "", half)
	store.Put("more", "", "", make([]byte, 1<<20+1))
	w = newWorld(t, &Policy{Store: store}, "")
	w.runMedia(t, &Policy{Store: store}, 1<<20)
	w.files.WriteFile("half", half)
	_, err = w.call(t, "assetToSandbox", "more", "x")
	wantLimit("an asset that is larger than all", err, "RunMedia", 1<<20, 1<<20+1)
	for range 2 {
		if _, err := w.call(t, "media.bytes", m{"asset_id": "half"}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.call(t, "media.toDocument", half); err != nil {
			t.Fatal(err)
		}
	}
	_, err = w.call(t, "media.bytes", m{"asset_id": "half"})
	wantLimit("loading", err, "RunMedia", 1<<20, 1<<20+1)
	_, err = w.call(t, "media.bytes", m{"data": "YQ=="})
	wantLimit("loading one byte", err, "RunMedia", 1<<20, 1<<20+1)
	_, err = w.call(t, "media.toDocument", []byte("x"))
	wantLimit("storing", err, "RunMedia", 1<<20, 1<<20+1)

	// The run's memory bounds what is held at one time.
	checked, _ := Bridge.Check(&Policy{Store: store})
	files, _ := workspace.Bridge.Check(&workspace.Policy{FS: workspace.NewMemory(nil)})
	s := bridges.NewSession(bridges.SessionOptions{Grants: map[*bridges.Bridge]any{Bridge: checked, workspace.Bridge: files}, Memory: 1 << 20})
	defer s.Close()
	w.session = s
	_, err = w.call(t, "assetToSandbox", "more", "x")
	wantLimit("the run's memory", err, "Memory", 1<<20, 1<<20+1)
}

// TestCallsAtOneTime runs calls of all kinds next to each other, for the race detector.
func TestCallsAtOneTime(t *testing.T) {
	w := newWorld(t, nil, "")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 5 {
				for _, args := range [][]any{{"media.bytes", m{"asset_id": "img1"}}, {"media.toImage", png}, {"media.info", m{"uri": "notes.txt"}},
					{"assetToSandbox", "img1", fmt.Sprintf("f%d", i)}, {"sandboxToAsset", "notes.txt"}} {
					if _, err := w.call(t, args[0].(string), args[1:]...); err != nil {
						t.Errorf("%v: %v", args[0], err)
					}
				}
			}
		})
	}
	wg.Wait()
}

func TestCheckAndDescribe(t *testing.T) {
	for _, grant := range []any{nil, (*Policy)(nil), Policy{}, 5} {
		if _, err := Bridge.Check(grant); err == nil || !strings.Contains(err.Error(), "not a *assets.Policy") {
			t.Errorf("%T: got %v", grant, err)
		}
	}
	checked, err := Bridge.Check(&Policy{Store: new(Memory)})
	if err != nil {
		t.Fatal(err)
	}
	b, _ := json.Marshal(Bridge.Describe(checked))
	if string(b) != `{"storage":false,"store":true}` {
		t.Errorf("it is described as %s", b)
	}
}
