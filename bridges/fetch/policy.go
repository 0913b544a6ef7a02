package fetch

import (
	"context"
	"crypto/x509"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"quicksand/internal/webapi"
)

// A Policy says what a run may reach, and is the value of a Grant of Bridge. The zero
// Policy allows nothing. It is not changed and may serve any number of runs, at one time
// too.
type Policy struct {
	// Allow are the hosts that may be reached, Deny those of them that may not:
	//
	//	api.example.com          this host, on every port
	//	api.example.com:8443     on this port
	//	*.example.com            every name below example.com, not example.com itself
	//	https://api.example.com  by https only
	//	*                        every public host
	//	192.0.2.1, [2001:db8::1] addresses, if the URL has them
	//
	// Case and a dot at the end do not matter, international names may be written either
	// way. An empty Allow allows nothing. Deny looks at names, not at what they resolve to.
	Allow, Deny []string
	// Methods are the methods that may be used. Nil means all, except for CONNECT, TRACE and
	// TRACK, which nobody may.
	Methods []string
	// AllowPrivateNetwork lets requests connect to every address: this host, its network,
	// and the metadata services of clouds. Allow still decides about the names.
	AllowPrivateNetwork bool

	// MaxCalls is the limit FetchCalls, MaxBody FetchBody, MaxBytes FetchBytes and Timeout
	// FetchTimeout: zero means the default.
	MaxCalls int
	MaxBody  int64
	MaxBytes int64
	Timeout  time.Duration

	// UserAgent is sent unless a guest sets its own. Empty means "quicksand".
	UserAgent string
	// Proxy is asked to connect, if it is not nil: http, https or socks5. The
	// environment's proxy is never used.
	Proxy *url.URL
	// RootCAs verify servers. Nil means those of the system.
	RootCAs *x509.CertPool
	// Resolver looks up names. Nil means net.DefaultResolver.
	Resolver Resolver
	// Secrets are bound to hosts: guests see placeholders.
	Secrets []Binding
}

// A Resolver looks up the addresses of a name. *net.Resolver is one. It must be safe for
// concurrent use.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// A Binding is a secret that goes out to some hosts only and that guests never see.
type Binding struct {
	// Name is the name by which guests ask for it.
	Name string
	// Value is the secret, at least 4 bytes. Lookup gives it when the run makes its first
	// request, if Value is empty.
	Value  string
	Lookup func(ctx context.Context) (string, error)
	// Hosts are the hosts that get it, as in Policy.Allow, which has to allow them too. A
	// bare "*" is an error.
	Hosts []string
	// AllowHTTP sends it by http too.
	AllowHTTP bool
	// URL and Body let guests put it into the path and query of a URL, and into request bodies.
	// Headers may always have it, Basic credentials in their base64 form included.
	URL, Body bool
}

// settings are a checked Policy.
type settings struct {
	Policy
	allow, deny []pattern
	secretHosts [][]pattern // by index of Secrets
}

// check validates p and fills its defaults.
func check(p *Policy) (*settings, error) {
	s := &settings{Policy: *p}
	var err error
	if s.allow, err = parsePatterns("Allow", p.Allow); err != nil {
		return nil, err
	}
	if s.deny, err = parsePatterns("Deny", p.Deny); err != nil {
		return nil, err
	}
	s.Methods = nil
	for _, m := range p.Methods {
		m = strings.ToUpper(m)
		if !isToken(m) || forbiddenMethod(m) {
			return nil, fmt.Errorf("fetch: Methods: %q is no method that can be allowed", m)
		}
		s.Methods = append(s.Methods, m)
	}
	if p.Methods != nil && len(s.Methods) == 0 {
		return nil, fmt.Errorf("fetch: Methods is empty: nil allows all methods, and an empty Allow forbids all requests")
	}
	var calls, timeout int64
	for _, l := range []struct {
		set  *int64
		from int64
		resolve
	}{
		{&calls, int64(p.MaxCalls), callsLimit.Resolve},
		{&s.MaxBody, p.MaxBody, bodyLimit.Resolve},
		{&s.MaxBytes, p.MaxBytes, bytesLimit.Resolve},
		{&timeout, int64(p.Timeout), timeoutLimit.Resolve},
	} {
		if *l.set, err = l.resolve(l.from); err != nil {
			return nil, fmt.Errorf("fetch: %w", err)
		}
	}
	s.MaxCalls, s.Timeout = int(calls), time.Duration(timeout)
	if s.UserAgent == "" {
		s.UserAgent = "quicksand"
	}
	if !validValue(s.UserAgent) {
		return nil, fmt.Errorf("fetch: UserAgent %q cannot be a header", s.UserAgent)
	}
	if p.Proxy != nil && (p.Proxy.Host == "" || !slices.Contains([]string{"http", "https", "socks5", "socks5h"}, p.Proxy.Scheme)) {
		return nil, fmt.Errorf("fetch: Proxy must be an http, https or socks5 URL with a host")
	}
	names := make(map[string]bool)
	for _, b := range p.Secrets {
		switch {
		case b.Name == "":
			return nil, fmt.Errorf("fetch: Secrets: a binding has no name")
		case names[b.Name]:
			return nil, fmt.Errorf("fetch: Secrets: %s is bound twice", b.Name)
		case b.Value == "" && b.Lookup == nil:
			return nil, fmt.Errorf("fetch: Secrets: %s has neither Value nor Lookup", b.Name)
		case b.Value != "" && len(b.Value) < minSecret:
			return nil, fmt.Errorf("fetch: Secrets: the value of %s is shorter than %d bytes and cannot be kept from a guest", b.Name, minSecret)
		case len(b.Hosts) == 0 || slices.ContainsFunc(b.Hosts, func(h string) bool { return strings.HasSuffix(h, "//*") || h == "*" || strings.HasPrefix(h, "*:") }):
			return nil, fmt.Errorf("fetch: Secrets: %s must be bound to hosts, and not to all of them", b.Name)
		}
		names[b.Name] = true
		hosts, err := parsePatterns("Secrets: "+b.Name, b.Hosts)
		if err != nil {
			return nil, err
		}
		s.secretHosts = append(s.secretHosts, hosts)
	}
	return s, nil
}

type resolve = func(int64) (int64, error)

// A pattern is one entry of Policy.Allow. Its zero fields match everything.
type pattern struct {
	scheme string // with the colon
	host   string // normalised; below it: everything that ends in "."+host
	below  bool
	port   string
}

func parsePatterns(what string, list []string) ([]pattern, error) {
	out := make([]pattern, 0, len(list))
	for _, text := range list {
		p, ok := parsePattern(text)
		if !ok {
			return nil, fmt.Errorf("fetch: %s: %q is no host pattern like api.example.com, *.example.com, example.com:8443, https://example.com or *", what, text)
		}
		out = append(out, p)
	}
	return out, nil
}

func parsePattern(text string) (p pattern, ok bool) {
	rest := strings.ToLower(text)
	for _, scheme := range []string{"http:", "https:"} {
		if r, found := strings.CutPrefix(rest, scheme+"//"); found {
			p.scheme, rest = scheme, r
		}
	}
	if i := strings.LastIndexByte(rest, ':'); i >= 0 && !strings.HasSuffix(rest, "]") && (strings.HasPrefix(rest, "[") || strings.Count(rest, ":") == 1) {
		p.port, rest = rest[i+1:], rest[:i]
		if p.port == "*" {
			p.port = ""
		} else if !validPort(p.port) {
			return p, false
		}
	} else if strings.Count(rest, ":") > 1 && !strings.HasPrefix(rest, "[") {
		rest = "[" + rest + "]"
	}
	if rest == "*" {
		return p, true
	}
	rest, p.below = strings.CutPrefix(rest, "*.")
	if rest == "" || strings.ContainsAny(rest, "*/\\?#@% \t\r\n") {
		return p, false
	}
	// The port keeps a number such as "1" from being read as one.
	u, ok := webapi.ParseURL("http://"+rest+":1/", "", false)
	if !ok || u[urlPort] != "1" {
		return p, false
	}
	p.host = strings.TrimSuffix(u[urlHostname], ".")
	if _, isAddr := literal(p.host); isAddr && p.below {
		return p, false
	}
	return p, p.host != ""
}

func validPort(s string) bool {
	if s == "" || len(s) > 5 || s[0] == '0' {
		return false
	}
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
		n = 10*n + int(c-'0')
	}
	return n < 1<<16
}

// matches reports whether one of the patterns is for the target.
func matches(list []pattern, t *target) bool {
	return slices.ContainsFunc(list, func(p pattern) bool {
		if p.scheme != "" && p.scheme != t.scheme || p.port != "" && p.port != t.port {
			return false
		}
		if p.below {
			return strings.HasSuffix(t.name, "."+p.host)
		}
		return p.host == "" || p.host == t.name
	})
}
