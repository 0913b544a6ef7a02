package fetch

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"quicksand/bridges"
)

func TestHostPatterns(t *testing.T) {
	for _, row := range []struct {
		pattern string
		yes, no string // URLs
	}{
		{"api.example.com", "https://api.example.com/ http://api.example.com/x https://api.example.com:8443/ https://API.example.com./", "https://example.com/ https://xapi.example.com/ https://api.example.com.evil.test/ https://a.api.example.com/"},
		{"API.Example.COM.", "https://api.example.com/", "https://example.com/"},
		{"api.example.com:8443", "https://api.example.com:8443/ http://api.example.com:8443/", "https://api.example.com/ https://api.example.com:84/ https://api.example.com:84430/"},
		{"api.example.com:443", "https://api.example.com/", "http://api.example.com/"},
		{"api.example.com:80", "http://api.example.com/", "https://api.example.com/"},
		{"*.example.com", "https://a.example.com/ https://a.b.example.com:1/ https://a.example.com./", "https://example.com/ https://aexample.com/ https://example.com.evil.test/"},
		{"*.example.com:8443", "https://a.example.com:8443/", "https://a.example.com/"},
		{"https://api.example.com", "https://api.example.com/ https://api.example.com:8443/", "http://api.example.com/"},
		{"http://*", "http://x.test/ http://192.0.2.1/", "https://x.test/"},
		{"*", "http://x.test/ https://192.0.2.1:5/ http://[2001:db8::1]/", ""},
		{"*:443", "https://x.test/", "http://x.test/ https://x.test:444/"},
		{"example.com:*", "https://example.com:5/", "https://example.org:5/"},
		{"192.0.2.1", "http://192.0.2.1/ http://192.0.2.1:81/ http://0xc0000201/", "http://192.0.2.10/ http://1.192.0.2/"},
		{"0xc0.0.2.1", "http://192.0.2.1/", ""},
		{"[2001:db8::1]", "http://[2001:db8::1]/ http://[2001:db8:0::1]:8/", "http://[2001:db8::2]/"},
		{"2001:db8::1", "http://[2001:db8::1]/", ""},
		{"[2001:DB8::1]:81", "http://[2001:db8::1]:81/", "http://[2001:db8::1]/"},
		{"bücher.example", "https://xn--bcher-kva.example/ https://bücher.example/", "https://bucher.example/"},
		{"xn--bcher-kva.example", "https://BÜCHER.example/", ""},
		{"localhost", "http://localhost/ http://localhost.:1/", "http://a.localhost/"},
		{"com", "http://com/", "http://example.com/"},
	} {
		list, err := parsePatterns("Allow", []string{row.pattern})
		if err != nil {
			t.Errorf("%s: %v", row.pattern, err)
			continue
		}
		for want, urls := range map[bool]string{true: row.yes, false: row.no} {
			for _, u := range strings.Fields(urls) {
				target, e := parseTarget(u, "")
				if u == "https://api.example.com:84430/" {
					continue // no URL
				}
				if e != nil {
					t.Fatalf("%s: %v", u, e)
				}
				if got := matches(list, target); got != want {
					t.Errorf("%s for %s: %v", row.pattern, u, got)
				}
			}
		}
	}
	for _, bad := range []string{"", "*.", "a*.com", "*a.com", "**", "a.*", "*.*", "http://", "https://*.", "a.com/", "a.com/x", "http://a.com/", "a.com:", "a.com:0", "a.com:65536", "a.com:080", "a.com:x",
		"ftp://a.com", "u@a.com", "a b.com", "a.com?", "a.com#", "[::1", "::1]", "[::1]x", "*.127.0.0.1", "*.[::1]", "a.com:80:80x", "%61.com", "xn--a.com", "1.2.3.4.5", "a\\b", "."} {
		if _, err := parsePatterns("Allow", []string{bad}); err == nil {
			t.Errorf("%q is taken for a pattern", bad)
		}
	}
}

func TestPolicyChecks(t *testing.T) {
	bind := func(b Binding) Policy { return Policy{Secrets: []Binding{b}} }
	for _, row := range []struct {
		name string
		p    Policy
		want string // "" means that it is fine
	}{
		{"the zero policy", Policy{}, ""},
		{"a bad pattern to allow", Policy{Allow: []string{"a/b"}}, "Allow"},
		{"a bad pattern to deny", Policy{Deny: []string{"a/b"}}, "Deny"},
		{"a negative number of calls", Policy{MaxCalls: -1}, "FetchCalls"},
		{"a negative body", Policy{MaxBody: -1}, "FetchBody"},
		{"negative bytes", Policy{MaxBytes: -1}, "FetchBytes"},
		{"a negative timeout", Policy{Timeout: -1}, "FetchTimeout"},
		{"no method at all", Policy{Methods: []string{}}, "Methods"},
		{"a method that nobody may use", Policy{Methods: []string{"connect"}}, "Methods"},
		{"a method that is none", Policy{Methods: []string{"GET POST"}}, "Methods"},
		{"a user agent with a line break", Policy{UserAgent: "a\r\nb"}, "UserAgent"},
		{"a proxy without host", Policy{Proxy: &url.URL{Scheme: "http"}}, "Proxy"},
		{"a proxy of another kind", Policy{Proxy: &url.URL{Scheme: "ftp", Host: "x"}}, "Proxy"},
		{"a proxy", Policy{Proxy: &url.URL{Scheme: "http", Host: "x:1"}}, ""},
		{"a secret without name", bind(Binding{Value: "value", Hosts: []string{"a.test"}}), "no name"},
		{"a secret without value", bind(Binding{Name: "A", Hosts: []string{"a.test"}}), "neither"},
		{"a secret that is too short", bind(Binding{Name: "A", Value: "abc", Hosts: []string{"a.test"}}), "shorter than 4"},
		{"a secret without hosts", bind(Binding{Name: "A", Value: "value"}), "bound to hosts"},
		{"a secret for everybody", bind(Binding{Name: "A", Value: "value", Hosts: []string{"*"}}), "not to all"},
		{"a secret for everybody by https", bind(Binding{Name: "A", Value: "value", Hosts: []string{"a.test", "https://*"}}), "not to all"},
		{"a secret for every host on one port", bind(Binding{Name: "A", Value: "value", Hosts: []string{"*:443"}}), "not to all"},
		{"a secret with a bad host", bind(Binding{Name: "A", Value: "value", Hosts: []string{"a/b"}}), "no host pattern"},
		{"a secret", bind(Binding{Name: "A", Value: "value", Hosts: []string{"*.a.test"}}), ""},
		{"a secret twice", Policy{Secrets: []Binding{{Name: "A", Value: "value", Hosts: []string{"a.test"}}, {Name: "A", Value: "other", Hosts: []string{"b.test"}}}}, "twice"},
	} {
		c, err := New(&row.p)
		if err == nil {
			c.Close()
		}
		if (err == nil) != (row.want == "") || err != nil && !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: got error %v, want %q", row.name, err, row.want)
		}
	}
}

func TestLimitsAreClamped(t *testing.T) {
	for _, row := range []struct {
		name string
		p    Policy
		want Policy
	}{
		{"zero means the default", Policy{}, Policy{MaxCalls: 20, MaxBody: 1_000_000, MaxBytes: 64 << 20, Timeout: 15 * time.Second}},
		{"below the floor", Policy{MaxCalls: 1, MaxBody: 1, MaxBytes: 1, Timeout: 1}, Policy{MaxCalls: 1, MaxBody: 1024, MaxBytes: 1024, Timeout: 100 * time.Millisecond}},
		{"above the ceiling", Policy{MaxCalls: 1e6, MaxBody: 1e12, MaxBytes: 1e12, Timeout: time.Hour}, Policy{MaxCalls: 100, MaxBody: 52_428_800, MaxBytes: 2 << 30, Timeout: 2 * time.Minute}},
		{"between", Policy{MaxCalls: 7, MaxBody: 5000, MaxBytes: 6000, Timeout: time.Second}, Policy{MaxCalls: 7, MaxBody: 5000, MaxBytes: 6000, Timeout: time.Second}},
	} {
		s, err := check(&row.p)
		if err != nil {
			t.Fatal(err)
		}
		if s.MaxCalls != row.want.MaxCalls || s.MaxBody != row.want.MaxBody || s.MaxBytes != row.want.MaxBytes || s.Timeout != row.want.Timeout {
			t.Errorf("%s: got %d %d %d %s", row.name, s.MaxCalls, s.MaxBody, s.MaxBytes, s.Timeout)
		}
	}
}

func FuzzPatterns(f *testing.F) {
	for _, s := range []string{"api.example.com", "*.example.com:1", "https://[::1]:2", "bücher.example", "*"} {
		f.Add(s, "https://api.example.com/")
	}
	f.Fuzz(func(t *testing.T, text, u string) {
		p, ok := parsePattern(text)
		if !ok {
			return
		}
		target, e := parseTarget(u, "")
		if e != nil {
			return
		}
		// A pattern matches the host that it names, and nothing that does not end in it.
		if matches([]pattern{p}, target) && p.host != "" && !strings.HasSuffix(target.name, p.host) {
			t.Errorf("%q matches %q", text, u)
		}
	})
}

func FuzzCharset(f *testing.F) {
	for _, s := range []string{"text/html; charset=utf-8", `text/html;x="a;charset=b";charset="latin1"`, "a;charset", ";;charset==", `;charset="`, "a;b;charset=c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := charsetOf(s); !strings.Contains(s, got) {
			t.Errorf("%q: charset %q", s, got)
		}
	})
}

func TestCharsetOf(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "text/html": "", "text/html; charset=utf-8": "utf-8", "text/html;charset=\"ISO-8859-1\"": "ISO-8859-1", "text/html; CHARSET = x ": "x",
		"text/html; a=b; charset=c; d=e": "c", `text/html; a="x;charset=no"; charset=yes`: "yes", "text/html;;charset=x": "x", "text/html; broken; charset=x": "x", "charset=x": "",
	} {
		if got := charsetOf(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestCallsOfJSON(t *testing.T) {
	for code, want := range map[string]bool{
		"await r.json()": true, "(await fetch(u)).json()": true, "r?.json?.()": true, "r\n  .json\n  ()": true, "r[ 'json' ] ()": true, `r["json"]?.()`: true, "x.json; y.json()": true,
		"r.json": false, "r.json.map((x) => x)": false, "const { json } = r": false, "json(r)": false, "r.jsonp()": false, "toJson(r.json)": false, `r["json"]`: false, `f("json")`: false, `["json", 1].map(f)`: false,
		"": false, "json": false, ".json": false, `"json`: false, "JSON.parse(x)": false,
	} {
		if got := callsJSON(code); got != want {
			t.Errorf("%q: %v", code, got)
		}
	}
}

func TestTheCallerOfFetch(t *testing.T) {
	s := bridges.NewSession(bridges.SessionOptions{Source: func(name string) (string, bool) {
		code, ok := map[string]string{"": "program", "main.js": "program", "pkg": "package", "pkg/./lib/a.js": "file", "@x/y:1": "odd"}[name]
		return code, ok
	}})
	for _, row := range []struct{ stack, want string }{
		{"    at f (main.js:3:14)\n    at pkg:1:1\n", "program"}, {"    at pkg:7:1\n    at main.js:3:14", "package"}, {"    at map (native)\n    at <anonymous> (pkg/./lib/a.js:1:2)\n", "file"},
		{"", "program"}, {"    at f (native)\n", "program"}, {"    at g (@x/y:1:5:6)\n", "odd"}, {"    at f (pkg)\n", "package"}, {"garbage ((:::\n)", "program"},
	} {
		if _, code, ok := caller(s, row.stack); code != row.want || !ok {
			t.Errorf("%q: %q", row.stack, code)
		}
	}
	if _, _, ok := caller(bridges.NewSession(bridges.SessionOptions{}), "at main.js:1:1"); ok {
		t.Error("code without code")
	}
}

func TestCredentialHeaders(t *testing.T) {
	for _, name := range strings.Fields("authorization Cookie proxy-authorization x-api-key X-Auth-Token api-key apikey private-token x-amz-security-token x-goog-api-key ocp-apim-subscription-key x-vault-token x-csrf-token x-session-id x-hub-signature x-secret x-password dd-application-key") {
		if !isCredential(name) {
			t.Errorf("%s would follow a redirect", name)
		}
	}
	for _, name := range strings.Fields("accept content-type user-agent x-request-id idempotency-key accept-language range if-none-match x-keyboard") {
		if isCredential(name) {
			t.Errorf("%s would be lost", name)
		}
	}
}
