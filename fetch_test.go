package quicksand

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quicksand/bridges"
	"quicksand/bridges/fetch"
)

// fetchServer is a server for one guest program, and what lets the program reach it: the
// policy "open", or "tight" with small limits.
func fetchServer(t testing.TB, policy string) (base string, p *fetch.Policy) {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(serveGuest))
	t.Cleanup(srv.Close)
	_, port, _ := net.SplitHostPort(srv.Listener.Addr().String())
	p = &fetch.Policy{Allow: []string{"127.0.0.1:" + port, "nowhere.test"}, AllowPrivateNetwork: true, Resolver: noNames{}}
	switch policy {
	case "open":
		p.MaxCalls = 100
	case "tight":
		p.MaxCalls, p.MaxBody, p.Methods, p.UserAgent = 3, 1024, []string{"GET"}, "tester/1"
	default:
		t.Fatalf("no policy %q", policy)
	}
	return srv.URL, p
}

// bomb is 4 MiB of zeros.
var bomb = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(make([]byte, 4<<20))
	z.Close()
	return b.Bytes()
})

type noNames struct{}

func (noNames) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
}

func serveGuest(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	for name, values := range q {
		if h, ok := strings.CutPrefix(name, "h-"); ok {
			for _, v := range values {
				w.Header().Add(h, v)
			}
		}
	}
	switch r.URL.Path {
	case "/echo": // the request, as JSON
		b, _ := io.ReadAll(r.Body)
		headers := map[string]string{}
		for name := range r.Header {
			headers[strings.ToLower(name)] = strings.Join(r.Header[name], ", ")
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"method": r.Method, "uri": r.RequestURI, "headers": headers, "body": string(b)})
	case "/bytes": // the query's own bytes, with the headers that it names
		io.WriteString(w, q.Get("body"))
	case "/status":
		n, _ := strconv.Atoi(q.Get("n"))
		w.WriteHeader(n)
	case "/big":
		n, _ := strconv.Atoi(q.Get("n"))
		w.Write([]byte(strings.Repeat("x", n)))
	case "/bomb":
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(bomb())
	case "/short":
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"a\":1,")
			conn.Close()
		}
	case "/never":
		<-r.Context().Done()
	default:
		http.NotFound(w, r)
	}
}

// TestFetchesOverlap has a server that answers when five requests are there at one time.
func TestFetchesOverlap(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		var here sync.WaitGroup
		here.Add(5)
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			here.Done()
			here.Wait()
			io.WriteString(w, r.URL.Path)
		}))
		defer srv.Close()
		res := must(t, s, `return (await Promise.all([1, 2, 3, 4, 5].map((n) => fetch(server + "/" + n)))).map((r) => r.body);`,
			Options{Globals: map[string]any{"server": srv.URL}, Fetch: &fetch.Policy{Allow: []string{"127.0.0.1"}, AllowPrivateNetwork: true}})
		wantJSON(t, "result", res.Value, `["/1","/2","/3","/4","/5"]`)
	})
}

// TestAnAbortedFetchEndsOnTheServer waits for the server to see the end of the request.
func TestAnAbortedFetchEndsOnTheServer(t *testing.T) {
	for _, row := range []struct{ name, code, want string }{
		{"an abort", `const c = new AbortController(); const p = fetch(server, { signal: c.signal }); await sleep(20); c.abort(); try { await p; } catch (e) { return [e.name, e.message]; }`,
			`["AbortError","This operation was aborted"]`},
		{"an abort with a reason", `const c = new AbortController(); const p = fetch(server, { signal: c.signal }); await sleep(20); c.abort("enough"); try { await p; } catch (e) { return e; }`, `"enough"`},
		{"a timeout signal", `try { await fetch(server, { signal: AbortSignal.timeout(20) }); } catch (e) { return [e.name, e.code]; }`, `["TimeoutError",23]`},
		{"one of two signals", `const c = new AbortController(); const p = fetch(server, { signal: AbortSignal.any([c.signal, AbortSignal.timeout(60000)]) }); await sleep(20); c.abort(); try { await p; } catch (e) { return e.name; }`, `"AbortError"`},
		{"timeoutMs", `try { await fetch(server, { timeoutMs: 20 }); } catch (e) { return [e.name, e.code, e instanceof Error]; }`, `["TimeoutError","ERR_TIMEOUT",true]`},
		{"the end of the run", `fetch(server); await sleep(20); return "left";`, `"left"`},
	} {
		eachEngine(t, func(t *testing.T, s *Sandbox) {
			t.Run(row.name, func(t *testing.T) {
				ended := make(chan struct{})
				srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					<-r.Context().Done()
					close(ended)
				}))
				defer srv.Close()
				res := must(t, s, row.code, Options{Globals: map[string]any{"server": srv.URL}, Fetch: &fetch.Policy{Allow: []string{"127.0.0.1"}, AllowPrivateNetwork: true}})
				wantJSON(t, "result", res.Value, row.want)
				<-ended // or the test hangs
			})
		})
	}
}

func TestCancellingARunEndsItsFetches(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var seen atomic.Int64
		ended := make(chan struct{}, 40)
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if seen.Add(1) == 16 { // as many as work at one time
				cancel()
			}
			<-r.Context().Done()
			ended <- struct{}{}
		}))
		defer srv.Close()
		_, err := s.Run(ctx, `await Promise.all(Array.from({ length: 40 }, () => fetch(server)));`,
			Options{Globals: map[string]any{"server": srv.URL}, Fetch: &fetch.Policy{Allow: []string{"127.0.0.1"}, AllowPrivateNetwork: true, MaxCalls: 40}})
		if !errors.Is(err, ErrCancelled) {
			t.Fatalf("got error %v", err)
		}
		for range 16 {
			<-ended
		}
		if seen.Load() != 16 {
			t.Errorf("%d requests arrived", seen.Load())
		}
	})
}

func TestFetchErrorsKeepTheirKind(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		base, open := fetchServer(t, "open")
		_, tight := fetchServer(t, "tight")
		tight.Allow = open.Allow
		hurried := &fetch.Policy{Allow: open.Allow, AllowPrivateNetwork: true, Timeout: 100 * time.Millisecond}
		for _, row := range []struct {
			name, code string
			policy     *fetch.Policy
			kind       Kind
			text       string
		}{
			{"without a grant", `await fetch(server)`, nil, KindDenied, "fetch is not available: this run was not granted the network; the host grants it with Options.Fetch"},
			{"an empty policy", `await fetch(server)`, &fetch.Policy{}, KindDenied, "is not among the hosts that this run may reach"},
			{"the address guard", `await fetch(server)`, &fetch.Policy{Allow: []string{"*"}}, KindDenied, `fetch: access to internal/private address "127.0.0.1" is blocked`},
			{"the call limit", `for (;;) await fetch(server + "/big?n=1")`, tight, KindLimit, "Fetch limit exceeded (max 3 requests per execution)"},
			{"the host's timeout", `await fetch(server + "/never")`, hurried, KindLimit, "within 100 ms (FetchTimeout)"},
			{"the guest's timeout", `await fetch(server + "/never", { timeoutMs: 50 })`, open, KindGuest, "within 50 ms"},
			{"a method", `await fetch(server, { method: "DELETE" })`, tight, KindDenied, "the method DELETE is not allowed; this run may use GET"},
			{"no such name", `await fetch("http://nowhere.test/")`, open, KindGuest, `fetch: the name "nowhere.test" was not found`},
		} {
			_, err := s.Run(context.Background(), row.code, Options{Globals: map[string]any{"server": base}, Fetch: row.policy})
			var e *Error
			if !errors.As(err, &e) || e.Kind != row.kind || !strings.Contains(e.Error(), row.text) {
				t.Errorf("%s: got %v\nwant %s: %s", row.name, err, row.kind, row.text)
			}
		}
		if _, err := s.Run(context.Background(), "1", Options{Fetch: &fetch.Policy{Allow: []string{"a/b"}}}); !errors.Is(err, ErrUsage) {
			t.Errorf("a bad policy: %v", err)
		}
	})
}

// TestABoundSecretNeverReachesTheGuest has a server that repeats what it gets.
func TestABoundSecretNeverReachesTheGuest(t *testing.T) {
	const value = "sk-live-0123456789"
	var arrived string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		arrived = r.Header.Get("Authorization")
		w.Header().Set("X-Echo", arrived)
		fmt.Fprintf(w, `{"auth":%q}`, arrived)
	}))
	defer srv.Close()
	// Placeholders are known to the host, so that a bridge of the test can hand one out.
	hand := &bridges.Bridge{Name: "hand", Always: true, Funcs: []bridges.Func{{Name: "placeholder", Sync: true, Call: func(_ context.Context, c *bridges.Call) (any, error) {
		p, ok := fetch.Placeholder(c.Session, "KEY")
		if !ok {
			return nil, errors.New("not bound")
		}
		return p, nil
	}}}}
	eachEngine(t, func(t *testing.T, base *Sandbox) {
		s := own(t, base, Config{Bridges: []*bridges.Bridge{hand}})
		arrived = ""
		res := must(t, s, `const p = placeholder();
			const r = await fetch(server, { headers: { Authorization: "Bearer " + p } });
			console.log(r.body);
			output("echo", r.body);
			const all = r.body + r.headers["x-echo"] + JSON.stringify(r.json);
			return [all.includes("sk-live"), all.includes("0123456789"), r.json.auth === "Bearer " + p, r.headers.get("x-echo") === "Bearer " + p, p.length];`,
			Options{Globals: map[string]any{"server": srv.URL}, Fetch: &fetch.Policy{Allow: []string{"127.0.0.1"}, AllowPrivateNetwork: true,
				Secrets: []fetch.Binding{{Name: "KEY", Value: value, Hosts: []string{"127.0.0.1"}, AllowHTTP: true}}}})
		wantJSON(t, "result", res.Value, `[false,false,true,true,35]`)
		if arrived != "Bearer "+value {
			t.Errorf("the server got %q", arrived)
		}
		if all := fmt.Sprint(res.Logs, res.Outputs); strings.Contains(all, value) {
			t.Errorf("the secret is in %s", all)
		}
	})
}

// TestOtherBridgesUseTheSameClient counts their requests together with the guest's.
func TestOtherBridgesUseTheSameClient(t *testing.T) {
	loader := &bridges.Bridge{Name: "loader", Always: true, Funcs: []bridges.Func{{Name: "load", Params: []bridges.Param{{Name: "url", Type: bridges.String}}, Call: func(ctx context.Context, c *bridges.Call) (any, error) {
		client, err := fetch.Of(c.Session)
		if err != nil {
			return nil, err
		}
		res, err := client.Get(ctx, c.Str(0), 2_000_000)
		if err != nil {
			return nil, err
		}
		return len(res.Body), nil
	}}}}
	eachEngine(t, func(t *testing.T, engine *Sandbox) {
		s := own(t, engine, Config{Bridges: []*bridges.Bridge{loader}})
		base, p := fetchServer(t, "tight")
		o := Options{Globals: map[string]any{"server": base}, Fetch: p}
		res := must(t, s, `const n = await load(server + "/big?n=1500000"); await fetch(server + "/big?n=1"); await fetch(server + "/big?n=1");
			try { await load(server + "/big?n=1"); } catch (e) { return [n, e.name, e.code]; }`, o)
		wantJSON(t, "result", res.Value, `[1500000,"RangeError","ERR_LIMIT"]`)
		o.Fetch = nil
		if _, err := s.Run(context.Background(), `await load(server)`, o); err == nil || !strings.Contains(err.Error(), "not granted") {
			t.Errorf("without a grant: %v", err)
		}
	})
}

// TestTheCallerDecidesWhatJSONIs has a package that calls json, and a program that reads it.
func TestTheCallerDecidesWhatJSONIs(t *testing.T) {
	modules := map[string]Module{
		"client": {Code: `export const get = async (u) => await (await fetch(u)).json(); export * from "./raw";`, Files: map[string]string{"raw.js": `export const raw = (u) => fetch(u);`}},
	}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		base, p := fetchServer(t, "open")
		o := Options{Globals: map[string]any{"server": base + `/bytes?body={"a":1}`}, Fetch: p, Modules: modules}
		res := must(t, s, `import { get, raw } from "client";
			const r = await fetch(server), all = await Promise.all([server, server].map((u) => fetch(u)));
			return { typeof: typeof r.json, nested: [r.json, all[1].json], got: await get(server), raw: typeof (await raw(server)).json };`, o)
		wantJSON(t, "result", res.Value, `{"typeof":"object","nested":[{"a":1},{"a":1}],"got":{"a":1},"raw":"object"}`)
		res = must(t, s, `import { raw } from "client";
			const r = await fetch(server); return [typeof r.json, await r.json(), typeof (await raw(server)).json, await Promise.resolve(server).then(fetch).then((r) => r.json())];`, o)
		wantJSON(t, "result", res.Value, `["function",{"a":1},"object",{"a":1}]`)
	})
}
