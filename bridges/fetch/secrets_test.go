package fetch

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"quicksand/bridges"
)

const apiKey = `sk-a/b+c"d%e&1234567`

// bound makes a client with one bound secret, for a server that repeats what it gets.
func boundClient(t *testing.T, b Binding, h http.HandlerFunc) (*Client, *httptest.Server, string) {
	t.Helper()
	srv := httptest.NewTLSServer(h)
	t.Cleanup(srv.Close)
	if b.Name == "" {
		b.Name = "KEY"
	}
	if b.Value == "" && b.Lookup == nil {
		b.Value = apiKey
	}
	if b.Hosts == nil {
		b.Hosts = []string{"127.0.0.1"}
	}
	c := reach(t, Policy{MaxCalls: 100, Secrets: []Binding{b}, Resolver: &fakeDNS{names: map[string][]string{"other.test": {"127.0.0.1"}}}}, srv)
	p, ok := c.Placeholder("KEY")
	if !ok || len(p) != 35 {
		t.Fatalf("placeholder %q", p)
	}
	return c, srv, p
}

func TestASecretIsInjectedOnTheWire(t *testing.T) {
	var got struct{ auth, uri, body string }
	c, srv, p := boundClient(t, Binding{URL: true, Body: true}, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got.auth, got.uri, got.body = r.Header.Get("Authorization"), r.RequestURI, string(b)
	})
	for _, row := range []struct {
		name            string
		r               Request
		auth, uri, body string
	}{
		{"in a header", Request{URL: "/", Header: []Field{{"authorization", "Bearer " + p}}}, "Bearer " + apiKey, "/", ""},
		{"twice", Request{URL: "/", Header: []Field{{"authorization", p + " " + p}}}, apiKey + " " + apiKey, "/", ""},
		{"in Basic credentials", Request{URL: "/", Header: []Field{{"authorization", "Basic " + base64.StdEncoding.EncodeToString([]byte("user:"+p))}}}, "Basic " + base64.StdEncoding.EncodeToString([]byte("user:"+apiKey)), "/", ""},
		{"Basic credentials of others", Request{URL: "/", Header: []Field{{"authorization", "bAsIc eDp5"}}}, "bAsIc eDp5", "/", ""},
		{"in the query", Request{URL: "/?key=" + p}, "", "/?key=" + url.QueryEscape(apiKey), ""},
		{"in the path", Request{URL: "/bot" + p + "/send"}, "", "/bot" + url.PathEscape(apiKey) + "/send", ""},
		{"in a text", Request{Method: "POST", URL: "/", Body: []byte("key=" + p)}, "", "/", "key=" + apiKey},
		{"in a form", Request{Method: "POST", URL: "/", Body: []byte("key=" + p), Header: []Field{{"content-type", "application/x-www-form-urlencoded;charset=UTF-8"}}}, "", "/", "key=" + url.QueryEscape(apiKey)},
		{"in JSON", Request{Method: "POST", URL: "/", Body: []byte(`{"key":"` + p + `"}`), Header: []Field{{"content-type", "application/json"}}}, "", "/", `{"key":"sk-a/b+c\"d%e&1234567"}`},
	} {
		row.r.URL = srv.URL + row.r.URL
		res := must(t, c, &row.r)
		if got.auth != row.auth || got.uri != row.uri || got.body != row.body {
			t.Errorf("%s: got %+v", row.name, got)
		}
		if res.URL != row.r.URL {
			t.Errorf("%s: the answer's URL is %s", row.name, res.URL)
		}
	}
}

func TestWhereASecretDoesNotGo(t *testing.T) {
	var arrived []string
	record := func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		arrived = append(arrived, fmt.Sprintln(r.RequestURI, r.Header, string(b)))
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusTemporaryRedirect)
		}
	}
	plain := httptest.NewServer(http.HandlerFunc(record))
	defer plain.Close()
	c, srv, p := boundClient(t, Binding{}, record)
	other := strings.Replace(srv.URL, "127.0.0.1", "other.test", 1)
	auth := []Field{{"authorization", p}, {"x-plain", "say " + p}}
	failsWith(t, c, &Request{URL: other, Header: auth}, "", bridges.CodeDenied, `fetch: the secret "KEY" is not bound to "other.test:`)
	failsWith(t, c, &Request{URL: plain.URL, Header: auth}, "", bridges.CodeDenied, `the secret "KEY" may be sent by https only`)
	failsWith(t, c, &Request{URL: srv.URL + "/?k=" + p}, "", bridges.CodeDenied, `the secret "KEY" may not be used in a URL`)
	failsWith(t, c, &Request{URL: srv.URL + "/" + p}, "", bridges.CodeDenied, `the secret "KEY" may not be used in a URL`)
	failsWith(t, c, &Request{Method: "POST", URL: srv.URL, Body: []byte(p)}, "", bridges.CodeDenied, `the secret "KEY" may not be used in a request body`)
	if len(arrived) != 0 || c.calls.Load() != 0 {
		t.Errorf("arrived: %q, %d calls", arrived, c.calls.Load())
	}
	// The certificate of the test server is for 127.0.0.1 and example.com, so that a
	// redirect to another name goes by http.
	_, err := c.Do(context.Background(), &Request{URL: srv.URL + "/?to=" + url.QueryEscape(strings.Replace(plain.URL, "127.0.0.1", "other.test", 1)+"/x"), Header: auth})
	if err != nil {
		t.Fatal(err)
	}
	if len(arrived) != 2 || !strings.Contains(arrived[0], apiKey) || strings.Contains(arrived[1], apiKey) || strings.Contains(arrived[1], p) {
		t.Errorf("arrived: %q", arrived)
	}
}

func TestASecretByHTTPIfTheHostSaysSo(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Key") != apiKey {
			w.WriteHeader(401)
		}
	}))
	defer srv.Close()
	c := reach(t, Policy{Secrets: []Binding{{Name: "KEY", Value: apiKey, Hosts: []string{"127.0.0.1"}, AllowHTTP: true}}}, srv)
	p, _ := c.Placeholder("KEY")
	if res := must(t, c, &Request{URL: srv.URL, Header: []Field{{"x-key", p}}}); res.Status != 200 {
		t.Errorf("status %d", res.Status)
	}
	if _, ok := c.Placeholder("OTHER"); ok {
		t.Error("a secret that nobody bound has a placeholder")
	}
}

func TestAnEchoIsRedacted(t *testing.T) {
	gz := func(b []byte) []byte { return encode(t, "gzip", b) }
	reply := map[string]func(w http.ResponseWriter, key string){
		"raw":   func(w http.ResponseWriter, key string) { io.WriteString(w, "you said "+key+" and "+key) },
		"query": func(w http.ResponseWriter, key string) { io.WriteString(w, url.QueryEscape(key)) },
		"lower": func(w http.ResponseWriter, key string) { io.WriteString(w, strings.ToLower(url.QueryEscape(key))) },
		"path":  func(w http.ResponseWriter, key string) { io.WriteString(w, url.PathEscape(key)) },
		"json":  func(w http.ResponseWriter, key string) { fmt.Fprintf(w, `{"key":"%s"}`, inJSON(key)) },
		"php": func(w http.ResponseWriter, key string) {
			io.WriteString(w, strings.ReplaceAll(inJSON(key), "/", `\/`))
		},
		"hex":  func(w http.ResponseWriter, key string) { io.WriteString(w, hex.EncodeToString([]byte(key))) },
		"html": func(w http.ResponseWriter, key string) { io.WriteString(w, "sk-a/b+c&#34;d%e&amp;1234567") },
		"gzip": func(w http.ResponseWriter, key string) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(gz([]byte(key)))
		},
		"header": func(w http.ResponseWriter, key string) { w.Header().Set("X-Echo", key) },
		"utf16": func(w http.ResponseWriter, key string) {
			for _, b := range []byte(key) {
				w.Write([]byte{b, 0})
			}
		},
		"location": func(w http.ResponseWriter, key string) {
			w.Header().Set("Location", "/seen?k="+url.QueryEscape(key))
			w.WriteHeader(302)
		},
		"seen": func(w http.ResponseWriter, key string) {},
	}
	for n := range 3 {
		reply[fmt.Sprint("basic", n)] = func(w http.ResponseWriter, key string) {
			io.WriteString(w, base64.StdEncoding.EncodeToString([]byte("user:"+strings.Repeat("x", n)+key+strings.Repeat("y", n))))
		}
		reply[fmt.Sprint("url64", n)] = func(w http.ResponseWriter, key string) {
			io.WriteString(w, base64.RawURLEncoding.EncodeToString([]byte(strings.Repeat("x", n)+key)))
		}
	}
	c, srv, p := boundClient(t, Binding{URL: true}, func(w http.ResponseWriter, r *http.Request) { reply[r.URL.Path[1:]](w, apiKey) })
	for name := range reply {
		res := must(t, c, &Request{URL: srv.URL + "/" + name, Header: []Field{{"authorization", p}}})
		all := fmt.Sprint(res.URL, res.Header, string(res.Body))
		for _, part := range []string{apiKey, "1234567", "c3RhLWEvYitj", "sk-a", hex.EncodeToString([]byte("1234"))} {
			if strings.Contains(all, part) {
				t.Errorf("%s: %q is in %s", name, part, all)
			}
		}
		if name != "seen" && !strings.Contains(all, p) {
			t.Errorf("%s: no placeholder in %s", name, all)
		}
	}
	if res := must(t, c, &Request{URL: srv.URL + "/raw"}); string(res.Body) != "you said "+p+" and "+p {
		t.Errorf("an answer to a request without the secret: %q", res.Body)
	}
}

// TestNoPartOfASecretStaysAtACut moves the end of what is read across an echo.
func TestNoPartOfASecretStaysAtACut(t *testing.T) {
	const limit = 1024
	broken := false
	var pad int
	c, srv, p := boundClient(t, Binding{}, func(w http.ResponseWriter, r *http.Request) {
		body := strings.Repeat("-", pad) + apiKey + strings.Repeat("+", 500)
		if !broken {
			io.WriteString(w, body)
			return
		}
		w.Header().Set("Content-Length", "5000")
		io.WriteString(w, body[:limit])
	})
	for _, broken = range []bool{false, true} {
		for pad = limit - len(apiKey) - 2; pad <= limit+2; pad++ {
			c.calls.Store(0)
			res, err := c.Do(context.Background(), &Request{URL: srv.URL, MaxBody: limit, Header: []Field{{"authorization", p}}})
			if err != nil {
				t.Fatal(err)
			}
			if !res.Truncated {
				t.Fatalf("pad %d: whole", pad)
			}
			if bytes.Contains(res.Body, []byte(apiKey[:minSecret])) {
				t.Errorf("broken %v, pad %d: a part of the secret is in %q", broken, pad, res.Body[max(0, len(res.Body)-40):])
			}
		}
	}
}

// TestAnAnswerDoesNotTellWhichGuessIsRight lets a guest put guesses at the edges of partial
// answers.
func TestAnAnswerDoesNotTellWhichGuessIsRight(t *testing.T) {
	for _, row := range []struct{ name, host, body, want string }{
		{"the beginning of the secret, from another host", "other.test", "x" + apiKey[:6], "x" + apiKey[:6]},
		{"the end of the secret, from another host", "other.test", apiKey[6:] + "x", apiKey[6:] + "x"},
		{"the whole secret, from another host", "other.test", "x" + apiKey, "xKEY"},
		{"the beginning of the secret, from its host", "127.0.0.1", "x" + apiKey[:6], "xKEY"},
		{"the end of the secret, from its host", "127.0.0.1", apiKey[6:] + "x", "KEYx"},
	} {
		c, srv, p := boundClient(t, Binding{}, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusPartialContent)
			io.WriteString(w, row.body)
		})
		c.transport.TLSClientConfig.ServerName = "example.com" // which the server's certificate is for
		res := must(t, c, &Request{URL: strings.Replace(srv.URL, "127.0.0.1", row.host, 1)})
		if got := strings.ReplaceAll(string(res.Body), p, "KEY"); got != row.want {
			t.Errorf("%s: got %s, want %s", row.name, got, row.want)
		}
	}
}

func TestLookups(t *testing.T) {
	var registered []string
	fail := errors.New("vault at 10.0.0.1 is down")
	asked := 0
	s, err := check(&Policy{Allow: []string{"*"}, AllowPrivateNetwork: true, Secrets: []Binding{
		{Name: "KEY", Hosts: []string{"127.0.0.1"}, AllowHTTP: true, Lookup: func(context.Context) (string, error) {
			asked++
			if asked == 1 {
				return "", fail
			}
			return apiKey, nil
		}},
		{Name: "UNSET", Hosts: []string{"127.0.0.1"}, AllowHTTP: true, Lookup: func(context.Context) (string, error) { return "", nil }},
	}})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Header.Get("X-Key")) }))
	defer srv.Close()
	c := newClient(s, func(name, value string) { registered = append(registered, name+"="+value) })
	defer c.Close()
	key, _ := c.Placeholder("KEY")
	unset, _ := c.Placeholder("UNSET")
	e := failsWith(t, c, &Request{URL: srv.URL, Header: []Field{{"x-key", key}}}, "", "", `fetch: the secret "KEY" is not set`)
	if !errors.Is(e, fail) || strings.Contains(e.Error(), "10.0.0.1") {
		t.Errorf("got %v", e)
	}
	if res := must(t, c, &Request{URL: srv.URL, Header: []Field{{"x-key", key}}}); string(res.Body) != key {
		t.Errorf("got %q", res.Body)
	}
	must(t, c, &Request{URL: srv.URL})
	if asked != 2 || len(registered) != 1 || registered[0] != "KEY="+apiKey {
		t.Errorf("asked %d times, registered %q", asked, registered)
	}
	failsWith(t, c, &Request{URL: srv.URL, Header: []Field{{"x-key", unset}}}, "", "", `the secret "UNSET" is not set`)
}

func TestPlaceholdersAreNewInEachRun(t *testing.T) {
	p := Policy{Secrets: []Binding{{Name: "KEY", Value: apiKey, Hosts: []string{"a.test"}}}}
	a, _ := New(&p)
	b, _ := New(&p)
	x, _ := a.Placeholder("KEY")
	y, _ := b.Placeholder("KEY")
	if x == y || !isToken(x) || url.QueryEscape(x) != x {
		t.Errorf("%q and %q", x, y)
	}
}
