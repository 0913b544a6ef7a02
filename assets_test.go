package quicksand

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"quicksand/bridges/assets"
	"quicksand/bridges/fetch"
	"quicksand/bridges/workspace"
)

func TestAssetsInADirectoryOutliveARun(t *testing.T) {
	dir, err := assets.OpenDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		files := workspace.NewMemory(nil)
		o := Options{Assets: &assets.Policy{Store: dir}, Workspace: &workspace.Policy{FS: files}}
		res := must(t, s, `await workspace.write("report.csv", "a,b\n1,2\n"); return await sandboxToAsset("report.csv");`, o)
		o.Inputs = res.Value.Any()
		o.Workspace = nil
		res = must(t, s, `return [await media.text(inputs), (await media.info(inputs)).mimeType];`, o)
		wantJSON(t, "the next run", res.Value, `["a,b\n1,2\n", "text/csv"]`)
		o.Workspace = &workspace.Policy{}
		res = must(t, s, `return await workspace.read(await assetToSandbox(inputs.uri, "in/copy.csv"));`, o)
		wantJSON(t, "as a file", res.Value, `"a,b\n1,2\n"`)
	})
}

func TestMediaWithoutAStoreAreDataURIs(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Assets: &assets.Policy{}, Workspace: &workspace.Policy{}}
		res := must(t, s, `return await media.toImage(fromBase64("iVBORw0KGgo="), { filename: "c.png" })`, o)
		wantJSON(t, "reference", res.Value, `{"type":"image","uri":"data:image/png;base64,iVBORw0KGgo=","asset_id":null,"mimeType":"image/png","metadata":{"filename":"c.png"}}`)
		_, e := fails(t, s, `await media.toVideo(new Uint8Array(4194305))`, o, KindLimit)
		if e.Limit != "DataURI" || e.Value != 4194304 || e.Used != 4194305 || !strings.Contains(e.Message, "needs storage") {
			t.Errorf("got %v", e)
		}
		_, e = fails(t, s, `await workspace.write("x", "x"); await sandboxToAsset("x")`, o, KindGuest)
		if !strings.Contains(e.Message, "the host keeps no assets for this run") {
			t.Errorf("got %v", e)
		}
	})
}

func TestHugeReferencesAreRefused(t *testing.T) {
	long(t, "a hundred megabytes cross to the host")
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for name, code := range map[string]string{
			"base64":                `await media.bytes({ data: "A".repeat(23000000) })`,
			"a data URI in base64":  `await media.bytes({ uri: "data:;base64," + "QUJD".repeat(5700000) })`,
			"a data URI of escapes": `await media.bytes({ uri: "data:," + "%41".repeat(16777217) })`,
			"text as a place":       `await media.bytes("data:," + "x".repeat(16777217))`,
		} {
			_, e := fails(t, s, code, Options{Assets: &assets.Policy{}, Limits: Limits{Memory: 256 << 20}}, KindLimit)
			if e.Limit != "MediaCall" || e.Value != 16777216 || e.Used < e.Value || len(e.Message) > 400 {
				t.Errorf("%s: got %v", name, e)
			}
		}
		// What is too large to cross fails before.
		_, err := s.Run(context.Background(), `await media.bytes({ uri: "data:," + "x".repeat(70000000) })`, Options{Assets: &assets.Policy{}, Limits: Limits{Memory: 200 << 20}})
		if err == nil {
			t.Error("seventy megabytes were loaded")
		}
		alive(t, s)
	})
}

// TestReferencesToAddressesAreFetched checks that references go the way of fetch: its
// policy, guard, counters and limits.
func TestReferencesToAddressesAreFetched(t *testing.T) {
	var requests atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		switch r.URL.Path {
		case "/pic.png":
			w.Write([]byte("\x89PNG picture"))
		case "/private":
			http.Redirect(w, r, "http://169.254.169.254/latest/meta-data", http.StatusFound)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer server.Close()
	open := &fetch.Policy{Allow: []string{"127.0.0.1:*", "169.254.169.254"}, AllowPrivateNetwork: true, MaxCalls: 3}
	guarded := &fetch.Policy{Allow: []string{"*"}}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		run := func(f *fetch.Policy, code string) (*Result, error) {
			return s.Run(context.Background(), code, Options{Fetch: f, Assets: &assets.Policy{}, Inputs: server.URL})
		}
		res, err := run(open, `const ref = { type: "image", uri: inputs + "/pic.png" };
			return [(await media.bytes(ref)).length, (await media.info(ref)).mimeType];`)
		if err != nil {
			t.Fatal(err)
		}
		wantJSON(t, "an address", res.Value, `[12, "text/plain"]`)

		for _, row := range []struct {
			name   string
			policy *fetch.Policy
			code   string
			kind   Kind
			text   string
			sent   int64
		}{
			{"without fetch", nil, `await media.bytes({ uri: inputs + "/pic.png" })`, KindDenied, "this run was not granted fetch", 0},
			{"a private address", guarded, `await media.bytes({ uri: inputs + "/pic.png" })`, KindDenied, "media.bytes: could not read http://127.0.0.1:", 0},
			{"another spelling of it", guarded, `await media.bytes({ uri: inputs.replace("127.0.0.1", "0x7f.1") + "/pic.png" })`, KindDenied, "media.bytes: could not read http://0x7f.1:", 0},
			{"a host that is not allowed", open, `await media.bytes({ uri: "https://example.com/x" })`, KindDenied, "could not read https://example.com/x", 0},
			{"nothing there", open, `await media.bytes({ uri: inputs + "/none" })`, KindGuest, "/none: the answer was 404 Not Found", 1},
			{"the run's requests count together", open, `await fetch(inputs + "/pic.png"); await media.bytes({ uri: inputs + "/pic.png" }); await fetch(inputs + "/pic.png"); await media.bytes({ uri: inputs + "/pic.png" })`,
				KindLimit, "Fetch limit exceeded (max 3 requests per execution)", 3},
			{"a redirect is guarded too", &fetch.Policy{Allow: []string{"127.0.0.1:*"}, AllowPrivateNetwork: true}, `await media.bytes({ uri: inputs + "/private" })`, KindDenied, "/private: ", 1},
		} {
			before := requests.Load()
			_, err := run(row.policy, row.code)
			e := wantKind(t, err, row.kind)
			if !strings.Contains(e.Message, row.text) {
				t.Errorf("%s: got %v, want %s", row.name, e, row.text)
			}
			if n := requests.Load() - before; n != row.sent {
				t.Errorf("%s: %d requests, want %d", row.name, n, row.sent)
			}
		}
	})
}

// oddStore does what a store should not.
type oddStore struct{ how string }

func (s oddStore) Resolve(ctx context.Context, id string) (*assets.Asset, error) {
	switch s.how {
	case "wait":
		<-ctx.Done()
		return nil, ctx.Err()
	case "panic":
		panic("db.internal is down")
	case "nothing":
		return nil, nil
	case "no body":
		return &assets.Asset{Name: "x"}, nil
	}
	return nil, errors.New("db.internal is down")
}

func (s oddStore) Create(ctx context.Context, name, mime string, data []byte) (string, error) {
	switch s.how {
	case "wait", "panic", "fails":
		_, err := s.Resolve(ctx, "")
		return "", err
	case "nothing":
		return "", nil
	}
	return "a\nb", nil
}

func TestStoresOfTheHostThatMisbehave(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, row := range []struct{ how, load, save string }{
			{"fails", "media.bytes: could not read asset://x: the store failed", "media.toDocument: the host could not store the asset"},
			{"panic", "internal error in a host function", "internal error in a host function"},
			{"nothing", "media.bytes: could not read asset://x", "media.toDocument: the host could not store the asset"},
			{"no body", "media.bytes: could not read asset://x", "media.toDocument: the host could not store the asset"},
		} {
			o := Options{Assets: &assets.Policy{Store: oddStore{row.how}}}
			got, err := s.Run(context.Background(), `const text = (p) => p.catch((e) => e.message);
				return [await text(media.bytes({ uri: "asset://x" })), await text(media.toDocument(new Uint8Array(1)))]`, o)
			if row.how == "panic" { // the run itself fails, because the host's code does
				if !errors.Is(err, ErrInternal) {
					t.Errorf("%s: got %v", row.how, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", row.how, err)
				continue
			}
			var texts []string
			if err := got.Value.Unmarshal(&texts); err != nil || texts[0] != row.load || texts[1] != row.save {
				t.Errorf("%s: got %q, %v", row.how, texts, err)
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		o := Options{Assets: &assets.Policy{Store: oddStore{"wait"}}, OnLog: func(_, _ string) { cancel() }}
		_, err := s.Run(ctx, `const all = Array.from({ length: 20 }, () => media.bytes({ uri: "asset://x" })); await sleep(1); console.log("waiting"); await Promise.all(all)`, o)
		if !errors.Is(err, ErrCancelled) {
			t.Errorf("a store that waits: got %v", err)
		}
		if _, err := s.Run(context.Background(), `1`, Options{Limits: Limits{RunMedia: -1}}); !errors.Is(err, ErrUsage) {
			t.Errorf("a negative limit: got %v", err)
		}
	})
}
