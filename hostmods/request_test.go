package hostmods

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"quicksand/bridges"
	"quicksand/internal/marshal"
)

// prepare makes the address of a request with a guest's path, or returns false.
func prepare(t *testing.T, prefix, path, segment string) (address string, ok bool) {
	t.Helper()
	f := &bridges.Func{Name: "request", Call: func(context.Context, *bridges.Call) (any, error) { return nil, nil }}
	args, err := marshal.NewValue([]any{}, marshal.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := bridges.Unpack(nil, &bridges.Bridge{Name: "x"}, f, args)
	if err != nil {
		t.Fatal(err)
	}
	r := NewRequest(c, "https://api.example.com", "")
	r.Path("/v1", "")
	r.Segment("segment", segment)
	r.Path(prefix, path)
	r.Param("last", "x")
	v, err := r.Result()
	if err != nil {
		return "", false
	}
	u, _ := v.(*marshal.Object).Get("url")
	return u.(string), true
}

// FuzzRequestPath: whatever a guest gives as a path, the address leads to the host and below the
// prefix, for Go's reading of addresses and by the letters.
func FuzzRequestPath(f *testing.F) {
	for _, s := range []string{"pages/1", "/x", "//evil.com/x", `\\evil.com`, "../x", "%2e%2E/x", "https://evil.com", "@evil.com", "a?b=c#d", "é %zz%41", "\t/evil.com", ";x", "?", "#"} {
		f.Add(s, "A1")
		f.Add("x", s)
	}
	f.Fuzz(func(t *testing.T, path, segment string) {
		address, ok := prepare(t, "/", path, segment)
		if !ok {
			return
		}
		const below = "https://api.example.com/v1/"
		u, err := url.Parse(address)
		if err != nil || u.Host != "api.example.com" || u.User != nil || u.Fragment != "" || !strings.HasPrefix(address, below) {
			t.Fatalf("%q and %q lead to %s: %v", path, segment, address, err)
		}
		for _, c := range []byte(address) {
			if c <= ' ' || c >= 0x7f || strings.IndexByte(`"<>\^`+"`{|}#", c) >= 0 {
				t.Fatalf("%q and %q make an address with %q: %s", path, segment, c, address)
			}
		}
		if resolved := u.ResolveReference(&url.URL{}).EscapedPath(); strings.Count(resolved, "/") != strings.Count(u.EscapedPath(), "/") {
			t.Fatalf("%q and %q make an address that clients change: %s", path, segment, address)
		}
		if !strings.HasSuffix(u.RawQuery, "last=x") {
			t.Fatalf("%q and %q take over the query: %s", path, segment, address)
		}
	})
}
