package fetch

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/zlib"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"quicksand/bridges"
)

// serve runs a server and makes a client that may reach it.
func serve(t *testing.T, p Policy, h http.HandlerFunc) (*Client, *httptest.Server) {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return reach(t, p, srv), srv
}

func reach(t *testing.T, p Policy, srv *httptest.Server) *Client {
	t.Helper()
	if p.Allow == nil {
		p.Allow = []string{"*"}
	}
	p.AllowPrivateNetwork = true
	if srv.TLS != nil {
		p.RootCAs = x509.NewCertPool()
		p.RootCAs.AddCert(srv.Certificate())
	}
	c, err := New(&p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func must(t *testing.T, c *Client, r *Request) *Response {
	t.Helper()
	res, err := c.Do(context.Background(), r)
	if err != nil {
		t.Fatalf("%s %s: %v", r.Method, r.URL, err)
	}
	return res
}

// failsWith makes a request that fails and checks how.
func failsWith(t *testing.T, c *Client, r *Request, name, code, text string) *bridges.Error {
	t.Helper()
	_, err := c.Do(context.Background(), r)
	var e *bridges.Error
	if !errors.As(err, &e) {
		t.Errorf("%s: got error %v, want %s", r.URL, err, name)
		return &bridges.Error{}
	}
	if e.Name != name || e.Code != code || !strings.Contains(e.Error(), text) {
		t.Errorf("%s: got %s %s %q\nwant %s %s %q", r.URL, e.Name, e.Code, e.Error(), name, code, text)
	}
	return e
}

// dump writes what a request looks like on the wire.
func dump(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var names []string
	for name := range r.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	fmt.Fprintf(w, "%s %s %s\n", r.Method, r.RequestURI, r.Proto)
	for _, n := range names {
		fmt.Fprintf(w, "%s: %q\n", n, r.Header[n])
	}
	fmt.Fprintf(w, "%d %q", r.ContentLength, body)
}

func TestWhatGoesOut(t *testing.T) {
	c, srv := serve(t, Policy{MaxCalls: 100}, dump)
	const usual = "Accept: [\"*/*\"]\nAccept-Encoding: [\"gzip, br, zstd, deflate\"]\n"
	const agent = "User-Agent: [\"quicksand\"]\n"
	for _, row := range []struct {
		name string
		r    Request
		want string
	}{
		{"a plain GET", Request{URL: "/a?b=c#d"}, "GET /a?b=c HTTP/1.1\n" + usual + agent + "0 \"\""},
		{"a path is sent as the parser wrote it", Request{URL: "/a|b^c/%41/ü/'?x=%zz&y='|^ü"}, "GET /a|b^c/%41/%C3%BC/'?x=%zz&y=%27|^%C3%BC HTTP/1.1\n" + usual + agent + "0 \"\""},
		{"a path with two slashes is not a host", Request{URL: "//evil.test/x"}, "GET //evil.test/x HTTP/1.1\n" + usual + agent + "0 \"\""},
		{"an empty query", Request{URL: "/?"}, "GET /? HTTP/1.1\n" + usual + agent + "0 \"\""},
		{"dots are resolved", Request{URL: "/a/../b/./%2e%2e/c"}, "GET /c HTTP/1.1\n" + usual + agent + "0 \"\""},
		{"a body", Request{Method: "post", URL: "/", Body: []byte("hi")}, "POST / HTTP/1.1\n" + usual + "Content-Length: [\"2\"]\n" + agent + "2 \"hi\""},
		{"an empty body", Request{Method: "POST", URL: "/", Body: []byte{}}, "POST / HTTP/1.1\n" + usual + "Content-Length: [\"0\"]\n" + agent + "0 \"\""},
		{"headers", Request{URL: "/", Header: []Field{{"X-One", " a "}, {"x-one", "b"}, {"Accept", "text/html"}, {"USER-AGENT", "me"}, {"Cookie", "a=1"}, {"x-latin", "é"}}},
			"GET / HTTP/1.1\nAccept: [\"text/html\"]\nAccept-Encoding: [\"gzip, br, zstd, deflate\"]\nCookie: [\"a=1\"]\nUser-Agent: [\"me\"]\nX-Latin: [\"\\xe9\"]\nX-One: [\"a\" \"b\"]\n0 \"\""},
		{"headers that frame messages are ignored", Request{Method: "PUT", URL: "/", Body: []byte("x"), Header: []Field{{"content-length", "99"}, {"Transfer-Encoding", "chunked"}, {"connection", "close"}, {"Expect", "100-continue"}, {"te", "trailers"}, {"Upgrade", "websocket"}, {"keep-alive", "1"}, {"trailer", "x"}}},
			"PUT / HTTP/1.1\n" + usual + "Content-Length: [\"1\"]\n" + agent + "1 \"x\""},
		{"a custom method", Request{Method: "PropFind", URL: "/"}, "PROPFIND / HTTP/1.1\n" + usual + agent + "0 \"\""},
	} {
		row.r.URL = srv.URL + row.r.URL
		if got := string(must(t, c, &row.r).Body); got != row.want {
			t.Errorf("%s:\ngot  %s\nwant %s", row.name, got, row.want)
		}
	}
}

func TestRequestsThatMakeNoSense(t *testing.T) {
	var hits atomic.Int64
	c, srv := serve(t, Policy{}, func(w http.ResponseWriter, r *http.Request) { hits.Add(1) })
	for _, row := range []struct {
		name string
		r    Request
		code string
		text string
	}{
		{"no URL", Request{}, "", "url must be a non-empty string"},
		{"a relative URL", Request{URL: "/x"}, CodeURL, "invalid URL"},
		{"a space for a method", Request{Method: "GET /", URL: srv.URL}, "", "not a method"},
		{"a line break in a method", Request{Method: "GET\r\nX: y", URL: srv.URL}, "", "not a method"},
		{"CONNECT", Request{Method: "connect", URL: srv.URL}, "", "cannot be used"},
		{"TRACE", Request{Method: "TRACE", URL: srv.URL}, "", "cannot be used"},
		{"a GET with body", Request{URL: srv.URL, Body: []byte("x")}, "", "method GET cannot have a body"},
		{"a HEAD with body", Request{Method: "HEAD", URL: srv.URL, Body: []byte{}}, "", "method HEAD cannot have a body"},
		{"an unknown redirect mode", Request{URL: srv.URL, Redirect: "maybe"}, "", "redirect must be"},
		{"a header without name", Request{URL: srv.URL, Header: []Field{{"", "x"}}}, "", "not the name of a header"},
		{"a header with a colon", Request{URL: srv.URL, Header: []Field{{"a:b", "x"}}}, "", "not the name of a header"},
		{"a header with a line break in its name", Request{URL: srv.URL, Header: []Field{{"a\r\nb", "x"}}}, "", "not the name of a header"},
		{"a header in Greek", Request{URL: srv.URL, Header: []Field{{"α", "x"}}}, "", "not the name of a header"},
		{"a line break in a value", Request{URL: srv.URL, Header: []Field{{"a", "x\r\nHost: evil"}}}, "", "characters that headers cannot have"},
		{"a bare line feed in a value", Request{URL: srv.URL, Header: []Field{{"a", "x\ny"}}}, "", "characters that headers cannot have"},
		{"a NUL in a value", Request{URL: srv.URL, Header: []Field{{"a", "x\x00y"}}}, "", "characters that headers cannot have"},
		{"Greek in a value", Request{URL: srv.URL, Header: []Field{{"a", "α"}}}, "", "characters that headers cannot have"},
		{"the host", Request{URL: srv.URL, Header: []Field{{"HOST", "x"}}}, "", "cannot be set"},
		{"a header for proxies", Request{URL: srv.URL, Header: []Field{{"Proxy-Authorization", "x"}}}, "", "cannot be set"},
	} {
		failsWith(t, c, &row.r, "TypeError", row.code, row.text)
	}
	if hits.Load() != 0 || c.calls.Load() != 0 {
		t.Errorf("%d requests left, %d counted", hits.Load(), c.calls.Load())
	}
}

func TestSizesOfRequests(t *testing.T) {
	c, srv := serve(t, Policy{MaxBytes: 2048}, func(w http.ResponseWriter, r *http.Request) {})
	for _, row := range []struct {
		name, limit string
		r           Request
	}{
		{"a long URL", "FetchURLBytes", Request{URL: srv.URL + "/" + strings.Repeat("a", MaxURL)}},
		{"a URL that grows", "FetchURLBytes", Request{URL: srv.URL + "/" + strings.Repeat("é", MaxURL/4)}},
		{"large headers", "FetchHeaderBytes", Request{URL: srv.URL, Header: []Field{{"a", strings.Repeat("x", MaxRequestHeader)}}}},
		{"many headers", "FetchHeaderBytes", Request{URL: srv.URL, Header: slices.Repeat([]Field{{"aa", strings.Repeat("x", 14)}}, MaxRequestHeader/16+1)}},
		{"a large body", "FetchBytes", Request{Method: "POST", URL: srv.URL, Body: make([]byte, 2049)}},
	} {
		e := failsWith(t, c, &row.r, "RangeError", bridges.CodeLimit, row.limit)
		if e.Kind != bridges.KindLimit || e.Limit != row.limit || e.Used <= e.Value {
			t.Errorf("%s: %+v", row.name, e)
		}
	}
}

func TestWhatComesBack(t *testing.T) {
	c, srv := serve(t, Policy{MaxCalls: 100}, func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		switch r.URL.Path {
		case "/cookies":
			h.Add("Set-Cookie", "a=1; Path=/")
			h.Add("Set-Cookie", "b=2, c")
			h.Add("X-Two", "1")
			h.Add("X-Two", "2")
			h["X-Latin"] = []string{"caf\xe9"}
		case "/status":
			w.WriteHeader(418)
			fmt.Fprint(w, "short and stout")
		case "/empty":
			w.WriteHeader(204)
		case "/not-modified":
			h.Set("Location", "/elsewhere")
			w.WriteHeader(304)
		case "/charset":
			h.Set("Content-Type", r.URL.Query().Get("type"))
			fmt.Fprint(w, r.URL.Query().Get("body"))
		}
	})
	res := must(t, c, &Request{URL: srv.URL + "/cookies?x#y"})
	if res.URL != srv.URL+"/cookies?x" || res.Redirected || res.Status != 200 || res.StatusText != "OK" || res.Truncated {
		t.Errorf("%+v", res)
	}
	var got []string
	for _, f := range res.Header {
		if f.Name != "date" {
			got = append(got, f.Name+"="+f.Value)
		}
	}
	if want := []string{"content-length=0", "set-cookie=a=1; Path=/", "set-cookie=b=2, c", "x-latin=café", "x-two=1", "x-two=2"}; !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if res := must(t, c, &Request{URL: srv.URL + "/status"}); res.Status != 418 || res.StatusText != "I'm a teapot" || string(res.Body) != "short and stout" {
		t.Errorf("%+v", res)
	}
	if res := must(t, c, &Request{URL: srv.URL + "/empty"}); res.Status != 204 || len(res.Body) != 0 {
		t.Errorf("%+v", res)
	}
	if res := must(t, c, &Request{URL: srv.URL + "/not-modified"}); res.Status != 304 {
		t.Errorf("%+v", res)
	}
	if res := must(t, c, &Request{Method: "HEAD", URL: srv.URL + "/status"}); res.Status != 418 || len(res.Body) != 0 || res.Truncated {
		t.Errorf("%+v", res)
	}
	for _, row := range []struct{ contentType, body, want string }{
		{"text/html", "x", "utf-8"}, {"text/html; charset=ISO-8859-1", "x", "windows-1252"}, {"text/html; charset=nonsense", "x", "utf-8"}, {"text/html; charset=Shift_JIS", "x", "shift_jis"},
		{"text/html; charset=latin1", "\xef\xbb\xbfx", "utf-8"}, {"text/html", "\xff\xfex\x00", "utf-16le"}, {"text/html", "\xfe\xff\x00x", "utf-16be"},
	} {
		res := must(t, c, &Request{URL: srv.URL + "/charset?" + url.Values{"type": {row.contentType}, "body": {row.body}}.Encode()})
		if res.Encoding != row.want {
			t.Errorf("%s %q: %s, want %s", row.contentType, row.body, res.Encoding, row.want)
		}
	}
}

func encode(t *testing.T, coding string, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "gzip":
		w = gzip.NewWriter(&out)
	case "br":
		w = brotli.NewWriter(&out)
	case "zstd":
		w, _ = zstd.NewWriter(&out)
	case "deflate":
		w = zlib.NewWriter(&out)
	case "raw":
		w, _ = flate.NewWriter(&out, 6)
	default:
		return b
	}
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func TestContentCodings(t *testing.T) {
	text := bytes.Repeat([]byte("quicksand "), 500)
	bodies := map[string]struct {
		coding string
		body   []byte
	}{
		"gzip": {"gzip", encode(t, "gzip", text)}, "x-gzip": {"X-GZIP", encode(t, "gzip", text)}, "br": {"br", encode(t, "br", text)}, "zstd": {"zstd", encode(t, "zstd", text)},
		"deflate": {"deflate", encode(t, "deflate", text)}, "raw": {"deflate", encode(t, "raw", text)}, "identity": {"identity", text},
		"two": {"gzip, br", encode(t, "br", encode(t, "gzip", text))}, "members": {"gzip", append(encode(t, "gzip", text[:2000]), encode(t, "gzip", text[2000:])...)},
		"unknown": {"compress", text}, "four": {"gzip, gzip, gzip, gzip", text},
		"damaged": {"gzip", append(encode(t, "gzip", text), "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff"...)}, "cut": {"gzip", encode(t, "gzip", text)[:40]}, "no-br": {"br", []byte("\xff\xff\xff\xff")}, "no-zstd": {"zstd", []byte("nothing")}, "no-gzip": {"gzip", []byte("nothing at all")},
		"nothing": {"gzip", nil},
	}
	c, srv := serve(t, Policy{MaxCalls: 100}, func(w http.ResponseWriter, r *http.Request) {
		b := bodies[r.URL.Path[1:]]
		w.Header().Set("Content-Encoding", b.coding)
		w.Write(b.body)
	})
	for _, name := range strings.Fields("gzip x-gzip br zstd deflate raw identity two members unknown") {
		res := must(t, c, &Request{URL: srv.URL + "/" + name})
		if !bytes.Equal(res.Body, text) || res.Truncated {
			t.Errorf("%s: %d bytes, truncated: %v %v", name, len(res.Body), res.Truncated, res.BodyError)
		}
	}
	if res := must(t, c, &Request{URL: srv.URL + "/nothing"}); len(res.Body) != 0 || res.Truncated {
		t.Errorf("an empty body with a coding: %+v", res)
	}
	for name, code := range map[string]string{"damaged": CodeDecoding, "cut": CodeReset, "no-br": CodeDecoding, "no-zstd": CodeDecoding, "no-gzip": CodeDecoding, "four": CodeDecoding} {
		res := must(t, c, &Request{URL: srv.URL + "/" + name})
		if !res.Truncated || res.BodyError == nil || res.BodyError.Code != code {
			t.Errorf("%s: truncated: %v, %v", name, res.Truncated, res.BodyError)
		}
	}
}

func TestBodyLimits(t *testing.T) {
	zeros := make([]byte, 4<<20)
	bomb := map[string][]byte{}
	for _, coding := range []string{"gzip", "br", "zstd", "deflate"} {
		bomb[coding] = encode(t, coding, zeros)
	}
	empty := bytes.Repeat(encode(t, "gzip", nil), 100_000) // decompresses to nothing
	c, srv := serve(t, Policy{MaxCalls: 100, MaxBody: 2000}, func(w http.ResponseWriter, r *http.Request) {
		coding := r.URL.Path[1:]
		switch {
		case coding == "empty":
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(empty)
		case bomb[coding] != nil:
			w.Header().Set("Content-Encoding", coding)
			w.Write(bomb[coding])
		default:
			n, _ := strconv.Atoi(coding)
			w.Write(bytes.Repeat([]byte("x"), n))
		}
	})
	for _, row := range []struct {
		path string
		want int
		cut  bool
	}{
		{"0", 0, false}, {"1999", 1999, false}, {"2000", 2000, false}, {"2001", 2000, true}, {"1000000", 2000, true},
		{"gzip", 2000, true}, {"br", 2000, true}, {"zstd", 2000, true}, {"deflate", 2000, true}, {"empty", 0, true},
	} {
		res := must(t, c, &Request{URL: srv.URL + "/" + row.path})
		if len(res.Body) != row.want || res.Truncated != row.cut || row.cut && (res.BodyError == nil || res.BodyError.Limit != "FetchBody") || !row.cut && res.BodyError != nil {
			t.Errorf("%s: %d bytes, truncated: %v %v", row.path, len(res.Body), res.Truncated, res.BodyError)
		}
	}
	if res, err := c.Get(context.Background(), srv.URL+"/1000000", 500_000); err != nil || len(res.Body) != 500_000 || !res.Truncated {
		t.Errorf("a limit of the caller: %v", err)
	}
}

func TestBytesOfARun(t *testing.T) {
	c, srv := serve(t, Policy{MaxBytes: 5000, MaxCalls: 100}, func(w http.ResponseWriter, r *http.Request) { w.Write(make([]byte, 2000)) })
	for i, want := range []int{2000, 1500} {
		r := Request{Method: "POST", URL: srv.URL, Body: make([]byte, 500+500*i)}
		res := must(t, c, &r)
		if cut := want < 2000; len(res.Body) != want || res.Truncated != cut || cut && res.BodyError.Limit != "FetchBytes" {
			t.Errorf("request %d: %d bytes, truncated: %v %v", i, len(res.Body), res.Truncated, res.BodyError)
		}
	}
	failsWith(t, c, &Request{Method: "POST", URL: srv.URL, Body: []byte("x")}, "RangeError", bridges.CodeLimit, "(FetchBytes)")
}

func TestCalls(t *testing.T) {
	var hits atomic.Int64
	c, srv := serve(t, Policy{MaxCalls: 3, Allow: []string{"127.0.0.1"}}, func(w http.ResponseWriter, r *http.Request) { hits.Add(1) })
	failsWith(t, c, &Request{URL: "http://other.test/"}, "", bridges.CodeDenied, `"http://other.test" is not among the hosts`)
	var wg sync.WaitGroup
	var ok, over atomic.Int64
	for range 10 {
		wg.Go(func() {
			_, err := c.Get(context.Background(), srv.URL, 0)
			var e *bridges.Error
			switch {
			case err == nil:
				ok.Add(1)
			case errors.As(err, &e) && e.Kind == bridges.KindLimit && e.Error() == "fetch: Fetch limit exceeded (max 3 requests per execution) (FetchCalls)":
				over.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if ok.Load() != 3 || over.Load() != 7 || hits.Load() != 3 {
		t.Errorf("%d answered, %d refused, %d arrived", ok.Load(), over.Load(), hits.Load())
	}
}

func TestALoopOfRefusalsEnds(t *testing.T) {
	c, srv := serve(t, Policy{Allow: []string{"127.0.0.1"}}, func(w http.ResponseWriter, r *http.Request) {})
	for range MaxRefusals {
		failsWith(t, c, &Request{URL: "http://other.test/"}, "", bridges.CodeDenied, "not among")
	}
	failsWith(t, c, &Request{URL: "http://other.test/"}, "RangeError", bridges.CodeLimit, "(FetchRefusals)")
	failsWith(t, c, &Request{URL: srv.URL}, "RangeError", bridges.CodeLimit, "(FetchRefusals)")
}

func TestAllowAndDeny(t *testing.T) {
	for _, row := range []struct {
		name   string
		p      Policy
		method string
		url    string
		want   string // "" means that the policy allows it
	}{
		{"the zero policy allows nothing", Policy{}, "GET", "http://a.test/", "not among"},
		{"deny wins", Policy{Allow: []string{"*"}, Deny: []string{"*.a.test"}}, "GET", "http://x.a.test/", "is among the hosts that this run may not reach"},
		{"deny by port", Policy{Allow: []string{"*"}, Deny: []string{"*:22"}}, "GET", "http://x.test:22/", "is among"},
		{"deny by scheme", Policy{Allow: []string{"*"}, Deny: []string{"http://*"}}, "GET", "http://x.test/", "is among"},
		{"a trailing dot does not get around deny", Policy{Allow: []string{"*"}, Deny: []string{"a.test"}}, "GET", "http://a.test./", "is among"},
		{"methods", Policy{Allow: []string{"*"}, Methods: []string{"get"}}, "post", "http://a.test/", "the method POST is not allowed; this run may use GET"},
		{"methods that are allowed", Policy{Allow: []string{"*"}, Methods: []string{"get"}}, "get", "http://a.test/", ""},
	} {
		s, err := check(&row.p)
		if err != nil {
			t.Fatal(err)
		}
		c := newClient(s, nil)
		_, e := c.first(&Request{Method: row.method, URL: row.url})
		if (e == nil) != (row.want == "") || e != nil && (!strings.Contains(e.Error(), row.want) || e.Kind != bridges.KindDenied) {
			t.Errorf("%s: %v", row.name, e)
		}
	}
}

func TestRedirects(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(dump))
	defer other.Close()
	c, srv := serve(t, Policy{MaxCalls: 100, Deny: []string{"denied.test"}}, func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		if status := q.Get("status"); status != "" {
			n, _ := strconv.Atoi(status)
			if to := q.Get("to"); to != "" {
				w.Header().Set("Location", to)
			}
			w.WriteHeader(n)
			return
		}
		if n, _ := strconv.Atoi(q.Get("left")); n > 0 {
			http.Redirect(w, r, fmt.Sprintf("/?left=%d", n-1), http.StatusFound)
			return
		}
		dump(w, r)
	})
	to := func(status int, target string) string {
		return srv.URL + "/?" + url.Values{"status": {strconv.Itoa(status)}, "to": {target}}.Encode()
	}
	full := []Field{{"Content-Type", "a/b"}, {"X-Keep", "1"}, {"Authorization", "secret"}, {"Cookie", "c"}, {"X-Api-Key", "k"}, {"X-My-Token", "t"}}
	for _, row := range []struct {
		name   string
		r      Request
		has    string // parts of what arrives
		hasNot string
	}{
		{"301 turns POST into GET", Request{Method: "POST", URL: to(301, "/x"), Body: []byte("b"), Header: full}, "GET /x|X-Keep|Authorization|Cookie|X-Api-Key|0 \"\"", "Content-Type"},
		{"302 turns POST into GET", Request{Method: "POST", URL: to(302, "/x"), Body: []byte("b"), Header: full}, "GET /x|0 \"\"", "Content-Type"},
		{"302 turns PUT into GET", Request{Method: "PUT", URL: to(302, "/x"), Body: []byte("b"), Header: full}, "GET /x|0 \"\"", "Content-Type"},
		{"303 turns PUT into GET", Request{Method: "PUT", URL: to(303, "/x"), Body: []byte("b")}, "GET /x|0 \"\"", ""},
		{"307 keeps method and body", Request{Method: "PUT", URL: to(307, "/x"), Body: []byte("b"), Header: full}, "PUT /x|Content-Type|1 \"b\"", ""},
		{"308 keeps method and body", Request{Method: "PATCH", URL: to(308, "/x"), Body: []byte("b")}, "PATCH /x|1 \"b\"", ""},
		{"300 with a location is followed", Request{URL: to(300, "/x")}, "GET /x", ""},
		{"credentials do not cross origins", Request{Method: "POST", URL: to(307, other.URL+"/y"), Body: []byte("b"), Header: full}, "POST /y|X-Keep|Content-Type|1 \"b\"", "Authorization|Cookie|Api-Key|Token|secret"},
		{"five hops", Request{URL: srv.URL + "/?left=5"}, "GET /?left=0", ""},
	} {
		got := string(must(t, c, &row.r).Body)
		for _, part := range strings.Split(row.has, "|") {
			if !strings.Contains(got, part) {
				t.Errorf("%s: %q is not in\n%s", row.name, part, got)
			}
		}
		for _, part := range strings.Split(row.hasNot, "|") {
			if part != "" && strings.Contains(got, part) {
				t.Errorf("%s: %q is in\n%s", row.name, part, got)
			}
		}
	}
	res := must(t, c, &Request{URL: to(302, other.URL+"/y#frag")})
	if !res.Redirected || res.URL != other.URL+"/y" {
		t.Errorf("%+v", res)
	}
	if res := must(t, c, &Request{URL: to(302, "")}); res.Status != 302 || res.Redirected {
		t.Errorf("a redirect to nowhere: %+v", res)
	}
	if res := must(t, c, &Request{URL: to(302, "/x"), Redirect: RedirectManual}); res.Status != 302 || res.Get("location") != "/x" || res.Redirected {
		t.Errorf("manual: %+v", res)
	}
	failsWith(t, c, &Request{URL: to(302, "/x"), Redirect: RedirectError}, "NetworkError", CodeRedirect, "answered with a redirect")
	if e := failsWith(t, c, &Request{URL: srv.URL + "/?left=6"}, "NetworkError", CodeRedirect, "too many redirects"); e.Limit != "FetchRedirects" {
		t.Errorf("%+v", e)
	}
	failsWith(t, c, &Request{URL: to(302, "file:///etc/passwd")}, "TypeError", CodeURL, "unsupported scheme")
	failsWith(t, c, &Request{URL: to(302, "http://denied.test/")}, "", bridges.CodeDenied, "is among")
	failsWith(t, c, &Request{URL: to(302, "http://u:p@127.0.0.1/")}, "TypeError", CodeURL, "user name or password")
	failsWith(t, c, &Request{URL: to(302, "http://[")}, "TypeError", CodeURL, "redirect: invalid URL")
}

func TestRedirectsToAMethodThatIsNotAllowed(t *testing.T) {
	c, srv := serve(t, Policy{Methods: []string{"POST"}}, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x", http.StatusSeeOther) })
	failsWith(t, c, &Request{Method: "POST", URL: srv.URL, Body: []byte("b")}, "", bridges.CodeDenied, "the method GET is not allowed")
}

func TestNoCredentialsFromHTTPSToHTTP(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(dump))
	defer plain.Close()
	srv := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, plain.URL, http.StatusTemporaryRedirect)
	}))
	defer srv.Close()
	c := reach(t, Policy{}, srv)
	res := must(t, c, &Request{URL: srv.URL, Header: []Field{{"authorization", "secret"}, {"x-keep", "1"}}})
	if strings.Contains(string(res.Body), "secret") || !strings.Contains(string(res.Body), "X-Keep") {
		t.Errorf("got %s", res.Body)
	}
}

// TestPathsThatGoDoesNotParse looks at the first line of a request.
func TestPathsThatGoDoesNotParse(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	lines := make(chan string, 2)
	go func() { // ends when the listener is closed
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			line, _ := bufio.NewReader(conn).ReadString('\n')
			lines <- strings.TrimSpace(line)
			io.WriteString(conn, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
			conn.Close()
		}
	}()
	c, err := New(&Policy{Allow: []string{"*"}, AllowPrivateNetwork: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for path, want := range map[string]string{"/a%zz/%": "GET /a%zz/% HTTP/1.1", "//a%zz": "GET //a%25zz HTTP/1.1"} {
		must(t, c, &Request{URL: "http://" + l.Addr().String() + path})
		if got := <-lines; got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

func TestHTTP2(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(dump))
	srv.EnableHTTP2 = true
	srv.StartTLS()
	defer srv.Close()
	c := reach(t, Policy{}, srv)
	for _, path := range []string{"/a|%41?%zz", "//evil.test/x"} {
		if got := string(must(t, c, &Request{URL: srv.URL + path}).Body); !strings.HasPrefix(got, "GET "+path+" HTTP/2.0\n") {
			t.Errorf("got %s", got)
		}
	}
	res := must(t, c, &Request{Method: "POST", URL: srv.URL, Body: []byte("hello")})
	if !strings.HasSuffix(string(res.Body), `5 "hello"`) {
		t.Errorf("got %s", res.Body)
	}
}

func TestHowRequestsFail(t *testing.T) {
	done := make(chan struct{})
	t.Cleanup(func() { close(done) })
	hijack := func(w http.ResponseWriter, text string) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		io.WriteString(conn, text)
		conn.Close()
	}
	dns := &fakeDNS{names: map[string][]string{}}
	c, srv := serve(t, Policy{MaxCalls: 100, Resolver: dns}, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/close":
			hijack(w, "")
		case "/nonsense":
			hijack(w, "this is not HTTP at all\r\n\r\n")
		case "/101":
			hijack(w, "HTTP/1.1 101 Switching Protocols\r\n\r\n")
		case "/headers":
			hijack(w, "HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", MaxResponseHeader+1000)+"\r\n\r\n")
		case "/short":
			hijack(w, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
		case "/chunks":
			hijack(w, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
		case "/never":
			select {
			case <-r.Context().Done():
			case <-done:
			}
		case "/stalls":
			w.Write([]byte("begun"))
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
			case <-done:
			}
		}
	})
	_, port, _ := net.SplitHostPort(srv.Listener.Addr().String())
	closed, _ := net.Listen("tcp", "127.0.0.1:0")
	nobody := "http://" + closed.Addr().String() + "/"
	closed.Close()
	untrusted := httptest.NewUnstartedServer(http.HandlerFunc(dump))
	untrusted.Config.ErrorLog = discard
	untrusted.StartTLS()
	defer untrusted.Close()

	failsWith(t, c, &Request{URL: "http://absent.test/"}, "DNSError", CodeNotFound, `fetch: the name "absent.test" was not found`)
	failsWith(t, c, &Request{URL: nobody}, "ConnectError", CodeRefused, "refused the connection")
	failsWith(t, c, &Request{URL: "https://127.0.0.1:" + port}, "TLSError", CodeTLS, "does not speak TLS")
	failsWith(t, c, &Request{URL: untrusted.URL}, "TLSError", CodeCert, "unknown authority")
	failsWith(t, c, &Request{URL: srv.URL + "/close"}, "NetworkError", CodeReset, "closed the connection")
	failsWith(t, c, &Request{URL: srv.URL + "/nonsense"}, "NetworkError", CodeNetwork, "did not give a valid answer")
	failsWith(t, c, &Request{URL: srv.URL + "/101"}, "NetworkError", CodeNetwork, "status 101")
	failsWith(t, c, &Request{URL: srv.URL + "/headers"}, "NetworkError", CodeNetwork, "the headers of the answer")
	for _, path := range []string{"/never", "/stalls"} {
		if e := failsWith(t, c, &Request{URL: srv.URL + path, Timeout: 120 * time.Millisecond}, "TimeoutError", CodeTimeout, "within 120 ms"); e.Kind == bridges.KindLimit {
			t.Error("a timeout of the guest's own is a limit")
		}
	}
	for path, want := range map[string]string{"/short": "only this", "/chunks": "hello"} {
		res := must(t, c, &Request{URL: srv.URL + path})
		if string(res.Body) != want || !res.Truncated || res.BodyError.Code != CodeReset {
			t.Errorf("%s: %q, truncated: %v %v", path, res.Body, res.Truncated, res.BodyError)
		}
	}
	wrong := reach(t, Policy{Resolver: &fakeDNS{names: map[string][]string{"wrong.test": {"127.0.0.1"}}}}, untrusted)
	_, tlsPort, _ := net.SplitHostPort(untrusted.Listener.Addr().String())
	failsWith(t, wrong, &Request{URL: "https://wrong.test:" + tlsPort}, "TLSError", CodeCert, "the certificate is not for")

	hurried := reach(t, Policy{Timeout: 100 * time.Millisecond}, srv)
	e := failsWith(t, hurried, &Request{URL: srv.URL + "/never", Timeout: time.Hour}, "TimeoutError", CodeTimeout, "within 100 ms (FetchTimeout)")
	if e.Kind != bridges.KindLimit || e.Limit != "FetchTimeout" {
		t.Errorf("%+v", e)
	}

	ctx, cancel := context.WithCancelCause(context.Background())
	time.AfterFunc(20*time.Millisecond, func() { cancel(errCanceled) })
	_, err := c.Get(ctx, srv.URL+"/never", 0)
	var aborted *bridges.Error
	if !errors.As(err, &aborted) || aborted.Name != "AbortError" || aborted.Code != CodeCanceled {
		t.Errorf("aborted: %v", err)
	}
	ctx2, cancel2 := context.WithCancel(context.Background())
	cancel2()
	if _, err := c.Get(ctx2, srv.URL+"/never", 0); !errors.As(err, &aborted) || aborted.Name != "ExecutionCancelled" || aborted.Error() != "Execution cancelled" {
		t.Errorf("cancelled: %v", err)
	}
}

func TestErrorsSayNothingOfTheHost(t *testing.T) {
	c := guarded(t, &fakeDNS{names: map[string][]string{"a.test": {publicIP}}}, "127.0.0.1:1", Policy{})
	_, err := c.Get(context.Background(), "http://a.test/", 0)
	if err == nil || strings.ContainsAny(err.Error(), "0123456789") {
		t.Errorf("got %v", err)
	}
}

// TestTheProxyIsAskedToConnect has a proxy that knows no other host than the test's.
func TestTheProxyIsAskedToConnect(t *testing.T) {
	var asked []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+" "+r.RequestURI)
		fmt.Fprint(w, "by proxy")
	}))
	defer proxy.Close()
	u, _ := url.Parse(proxy.URL)
	p := Policy{Allow: []string{"*"}, Proxy: u, Resolver: hostileDNS()}
	c, err := New(&p)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, target := range []string{"http://public.test/a|%41?%zz", "http://only-the-proxy-knows.test/"} {
		if res := must(t, c, &Request{URL: target}); string(res.Body) != "by proxy" {
			t.Errorf("%s: %q", target, res.Body)
		}
	}
	for _, target := range []string{"http://127.0.0.1/", "http://loopback.test/", "http://localhost/", "http://mixed.test/"} {
		failsWith(t, c, &Request{URL: target}, "BlockedError", CodeBlocked, "blocked")
	}
	if want := []string{"GET http://public.test/a|%41?%zz", "GET http://only-the-proxy-knows.test/"}; !slices.Equal(asked, want) {
		t.Errorf("got  %q\nwant %q", asked, want)
	}
}

func TestTheEnvironmentsProxyIsNotUsed(t *testing.T) {
	port, hits := victim(t)
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy"} {
		t.Setenv(name, "http://127.0.0.1:"+port)
	}
	internet := httptest.NewServer(http.HandlerFunc(dump))
	defer internet.Close()
	c := guarded(t, hostileDNS(), internet.Listener.Addr().String(), Policy{})
	must(t, c, &Request{URL: "http://public.test/"})
	if hits.Load() != 0 {
		t.Error("the proxy was asked")
	}
}

func TestNothingStaysOpen(t *testing.T) {
	var mu sync.Mutex
	changed := sync.NewCond(&mu)
	open := 0
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/never" {
			<-r.Context().Done()
		}
	}))
	srv.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		mu.Lock()
		defer mu.Unlock()
		switch s {
		case http.StateNew:
			open++
		case http.StateClosed:
			open--
		}
		changed.Broadcast()
	}
	srv.Start()
	defer srv.Close()
	c := reach(t, Policy{MaxCalls: 100}, srv)
	var calls sync.WaitGroup
	for range 5 {
		calls.Go(func() { c.Get(context.Background(), srv.URL, 0) })
	}
	calls.Wait()
	ctx, cancel := context.WithCancel(context.Background())
	for range 5 {
		calls.Go(func() { c.Get(ctx, srv.URL+"/never", 0) })
	}
	time.AfterFunc(10*time.Millisecond, cancel)
	calls.Wait()
	c.Close()
	mu.Lock()
	for open > 0 { // a connection that stays makes the test hang
		changed.Wait()
	}
	mu.Unlock()
	if _, err := c.Get(context.Background(), srv.URL, 0); err == nil {
		t.Error("a closed client connects")
	}
}
