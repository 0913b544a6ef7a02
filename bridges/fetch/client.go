package fetch

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"quicksand/bridges"
	"quicksand/internal/webapi"
)

// A Client makes requests under a Policy. Its limits are those of one run: a client is not
// reused for another, and neither are its connections. It is safe for concurrent use.
type Client struct {
	p         *settings
	resolver  Resolver
	transport *http.Transport
	dialer    *dialer
	vault     *vault

	calls, refused, bytes atomic.Int64
}

// New makes a client. Who makes it closes it.
func New(p *Policy) (*Client, error) {
	s, err := check(p)
	if err != nil {
		return nil, err
	}
	return newClient(s, nil), nil
}

func newClient(s *settings, register func(name, value string)) *Client {
	c := &Client{p: s, resolver: s.Resolver, vault: newVault(s, register)}
	if c.resolver == nil {
		c.resolver = net.DefaultResolver
	}
	c.dialer = newDialer(c)
	c.transport = &http.Transport{
		DialContext:            c.dialer.dial,
		TLSClientConfig:        &tls.Config{RootCAs: s.RootCAs, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // decoded here, where it is counted
		MaxResponseHeaderBytes: MaxResponseHeader,
		MaxIdleConnsPerHost:    16,
		IdleConnTimeout:        30 * time.Second,
	}
	if s.Proxy != nil {
		c.transport.Proxy = http.ProxyURL(s.Proxy)
	}
	return c
}

// Close closes all connections. Requests that are under way fail.
func (c *Client) Close() error {
	c.dialer.closeAll()
	c.transport.CloseIdleConnections()
	return nil
}

// Placeholder is what stands for a bound secret in this run, and whether there is one of
// that name.
func (c *Client) Placeholder(name string) (string, bool) {
	for _, b := range c.vault.secrets {
		if b.Name == name {
			return b.placeholder, true
		}
	}
	return "", false
}

// Redirect says what to do with a redirect.
type Redirect string

// The modes of Request.Redirect. The zero Redirect is RedirectFollow.
const (
	RedirectFollow Redirect = "follow" // go where it leads
	RedirectError  Redirect = "error"  // fail
	RedirectManual Redirect = "manual" // return it as it is
)

// A Request is what to ask for.
type Request struct {
	// Method is GET if it is empty. Case does not matter.
	Method string
	URL    string
	// Header are the headers, in order. Names may occur more than once.
	Header []Field
	// Body is sent unless it is nil. GET and HEAD take none.
	Body []byte
	// Redirect is what to do with redirects.
	Redirect Redirect
	// Timeout is for the whole request. More than Policy.Timeout, or zero, means that.
	Timeout time.Duration
	// MaxBody replaces Policy.MaxBody, if it is above zero. It may be larger.
	MaxBody int64
}

// A Response is a whole answer.
type Response struct {
	// URL is where the answer came from, without fragment.
	URL        string
	Redirected bool
	Status     int
	StatusText string
	// Header are the headers, their names in lower case and in alphabetical order, and
	// characters U+0000 to U+00FF for the bytes of the values.
	Header []Field
	// Body is the body after decompression.
	Body []byte
	// Encoding is the name of the body's encoding, if it is text: by its byte order mark,
	// else by the content type, else "utf-8".
	Encoding string
	// Truncated says that Body is only the beginning, and BodyError why.
	Truncated bool
	BodyError *bridges.Error
}

// Get is the value of a header, in lower case, or "".
func (r *Response) Get(name string) string { return Get(r.Header, name) }

// Get requests a URL. maxBytes is Request.MaxBody.
func (c *Client) Get(ctx context.Context, url string, maxBytes int64) (*Response, error) {
	return c.Do(ctx, &Request{URL: url, MaxBody: maxBytes})
}

// Do makes a request and reads its whole answer. Answers of any status are answers;
// errors are *bridges.Error and say no more than a guest may know.
func (c *Client) Do(ctx context.Context, r *Request) (*Response, error) {
	if n := c.calls.Load(); n >= int64(c.p.MaxCalls) {
		return nil, c.tooMany(n + 1)
	}
	if n := c.refused.Load(); n >= MaxRefusals {
		return nil, bridges.Limitf("fetch", refusalsLimit.Name, MaxRefusals, n+1, "more than %d requests of this run were refused", MaxRefusals)
	}
	h, err := c.first(r)
	if err != nil {
		return nil, c.failed(err)
	}
	if n := c.calls.Add(1); n > int64(c.p.MaxCalls) {
		c.calls.Add(-1)
		return nil, c.tooMany(n)
	}

	timeout, ours := c.p.Timeout, true
	if r.Timeout > 0 && r.Timeout < timeout {
		timeout, ours = r.Timeout, false
	}
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, errTimeout)
	defer cancel()
	c.vault.open(ctx)
	for {
		res, err := c.hop(ctx, h, r)
		if err == nil && res != nil {
			return res, nil
		}
		if err != nil {
			e := explain(ctx, h.authority, err, timeout, ours)
			if e.Kind == bridges.KindDenied && h.hops == 0 {
				c.calls.Add(-1) // nothing left
			}
			return nil, c.failed(e)
		}
	}
}

func (c *Client) tooMany(used int64) error {
	return bridges.Limitf("fetch", callsLimit.Name, int64(c.p.MaxCalls), used, "Fetch limit exceeded (max %d requests per execution)", c.p.MaxCalls)
}

// failed counts refusals.
func (c *Client) failed(e *bridges.Error) error {
	if e.Kind == bridges.KindDenied {
		c.refused.Add(1)
	}
	return e
}

// A target is where a request goes.
type target struct {
	href      string // without fragment
	scheme    string // with the colon
	authority string // host and port as the guest wrote them, for errors too
	name      string // the host without a dot at the end
	port      string // also the default one
	path      string
	query     string // with the question mark, or ""
}

func (t *target) origin() string { return t.scheme + "//" + t.authority }

// The fields of a webapi.Record.
const (
	urlHref = iota
	urlProtocol
	urlUsername
	urlPassword
	urlHost
	urlHostname
	urlPort
	urlPathname
	urlSearch
	urlHash
)

func parseTarget(input, base string) (*target, *bridges.Error) {
	if len(input) > MaxURL {
		return nil, longURL(len(input))
	}
	u, ok := webapi.ParseURL(input, base, base != "")
	if !ok {
		e := typeErrorf("invalid URL %.200q", input)
		e.Code = CodeURL
		return nil, e
	}
	t := &target{
		href: strings.TrimSuffix(u[urlHref], u[urlHash]), scheme: u[urlProtocol], authority: u[urlHost],
		name: strings.TrimSuffix(u[urlHostname], "."), port: u[urlPort], path: u[urlPathname], query: u[urlSearch],
	}
	switch t.scheme {
	case "http:", "https:":
	default:
		e := typeErrorf("unsupported scheme %.50q: use http: or https:", t.scheme)
		e.Kind, e.Code = bridges.KindDenied, CodeURL
		return nil, e
	}
	if len(t.href) > MaxURL {
		return nil, longURL(len(t.href))
	}
	if u[urlUsername] != "" || u[urlPassword] != "" {
		e := typeErrorf("the URL holds a user name or password; send an authorization header instead")
		e.Code = CodeURL
		return nil, e
	}
	if t.port == "" {
		if t.port = "80"; t.scheme == "https:" {
			t.port = "443"
		}
	}
	// The serialiser leaves out the fragment's sign when the fragment is empty, not this one.
	t.href = strings.TrimSuffix(t.href, "#")
	return t, nil
}

func longURL(n int) *bridges.Error {
	return bridges.Limitf("fetch", urlLimit.Name, MaxURL, int64(n), "the URL has %d bytes, at most %d are allowed", n, MaxURL)
}

// allowed applies the policy and the address guard to a target.
func (c *Client) allowed(t *target, method string) *bridges.Error {
	switch {
	case !matches(c.p.allow, t):
		return bridges.Deniedf("fetch", "%q is not among the hosts that this run may reach", t.origin())
	case matches(c.p.deny, t):
		return bridges.Deniedf("fetch", "%q is among the hosts that this run may not reach", t.origin())
	case c.p.Methods != nil && !slices.Contains(c.p.Methods, method):
		return bridges.Deniedf("fetch", "the method %s is not allowed; this run may use %s", method, strings.Join(c.p.Methods, ", "))
	}
	return c.guardTarget(t)
}

// A hop is one of the requests that a Request makes.
type hop struct {
	*target
	method string
	header []Field
	body   []byte
	hops   int
	away   bool // a redirect led to another origin: no secrets from here on
}

// first makes the first hop of a request and checks all of it.
func (c *Client) first(r *Request) (*hop, *bridges.Error) {
	if r.URL == "" {
		return nil, typeErrorf("url must be a non-empty string")
	}
	h := &hop{method: strings.ToUpper(cmp.Or(r.Method, "GET")), body: r.Body}
	switch {
	case !isToken(h.method):
		return nil, typeErrorf("%.50q is not a method", r.Method)
	case forbiddenMethod(h.method):
		return nil, typeErrorf("the method %s cannot be used", h.method)
	case r.Body != nil && (h.method == "GET" || h.method == "HEAD"):
		return nil, typeErrorf("a request with method %s cannot have a body", h.method)
	}
	switch r.Redirect {
	case "", RedirectFollow, RedirectError, RedirectManual:
	default:
		return nil, typeErrorf(`redirect must be "follow", "error" or "manual", not %.50q`, string(r.Redirect))
	}
	size := 0
	for _, f := range r.Header {
		if !isToken(f.Name) {
			return nil, typeErrorf("%.100q is not the name of a header", f.Name)
		}
		value, ok := toBytes(strings.Trim(f.Value, " \t\r\n"))
		if !ok || !validValue(value) {
			return nil, typeErrorf("the value of the header %.100q has characters that headers cannot have", f.Name)
		}
		name := strings.ToLower(f.Name)
		if refusedHeader(name) {
			return nil, typeErrorf("the header %.100q cannot be set", f.Name)
		}
		if size += len(name) + len(value); size > MaxRequestHeader {
			return nil, bridges.Limitf("fetch", headerLimit.Name, MaxRequestHeader, int64(size), "the request's headers are larger than %d bytes", MaxRequestHeader)
		}
		if !ignoredHeader(name) {
			h.header = append(h.header, Field{name, value})
		}
	}
	var err *bridges.Error
	if h.target, err = parseTarget(r.URL, ""); err != nil {
		return nil, err
	}
	if err := c.allowed(h.target, h.method); err != nil {
		return nil, err
	}
	if n := c.bytes.Load() + int64(len(h.body)); n > c.p.MaxBytes {
		return nil, c.tooManyBytes(n)
	}
	return h, nil
}

func (c *Client) tooManyBytes(used int64) *bridges.Error {
	return bridges.Limitf("fetch", bytesLimit.Name, c.p.MaxBytes, used, "the bodies of this run's requests and answers are larger than %d bytes", c.p.MaxBytes)
}

var noSecrets = new(vault)

// request is the HTTP request of a hop, with secrets in place.
func (c *Client) request(ctx context.Context, h *hop) (*http.Request, error) {
	vault := c.vault
	if h.away {
		vault = noSecrets
	}
	path, e := vault.inject(h.target, inURL, h.path, url.PathEscape)
	if e != nil {
		return nil, e
	}
	query, e := vault.inject(h.target, inURL, h.query, url.QueryEscape)
	if e != nil {
		return nil, e
	}
	u := &url.URL{Scheme: strings.TrimSuffix(h.scheme, ":"), Host: h.authority}
	switch {
	case strings.HasPrefix(path, "//"):
		// As an opaque part it would be taken for a host.
		u.RawPath = path
		if u.Path, e = unescape(path); e != nil {
			return nil, e
		}
	case c.p.Proxy != nil && h.scheme == "http:":
		u.Opaque = "//" + h.authority + path // what a proxy is sent is absolute
	default:
		u.Opaque = path // exactly as the parser wrote it
	}
	u.RawQuery = strings.TrimPrefix(query, "?")
	u.ForceQuery = query == "" && strings.HasSuffix(h.href, "?")

	header := make(http.Header, len(h.header)+3)
	header.Set("Accept", "*/*")
	header.Set("Accept-Encoding", acceptEncoding)
	header.Set("User-Agent", c.p.UserAgent)
	set := make(map[string]bool)
	contentType := ""
	for _, f := range h.header {
		value, e := vault.injectHeader(h.target, f.Value)
		if e != nil {
			return nil, e
		}
		if !validValue(value) {
			return nil, typeErrorf("the value of the header %.100q has characters that headers cannot have", f.Name)
		}
		if !set[f.Name] {
			header.Del(f.Name)
			set[f.Name] = true
		}
		header.Add(f.Name, value)
		if f.Name == "content-type" {
			contentType = f.Value
		}
	}
	req := (&http.Request{Method: h.method, URL: u, Header: header, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}).WithContext(ctx)
	if h.body != nil {
		body := h.body
		if vault.holds(string(body)) {
			filled, e := vault.inject(h.target, inBody, string(body), bodyEncoding(contentType))
			if e != nil {
				return nil, e
			}
			body = []byte(filled)
		}
		if n := c.bytes.Add(int64(len(body))); n > c.p.MaxBytes {
			return nil, c.tooManyBytes(n)
		}
		req.ContentLength = int64(len(body))
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		req.Body = http.NoBody
		if len(body) > 0 {
			req.Body, _ = req.GetBody()
		}
	}
	return req, nil
}

// hop sends one hop. It returns the answer, or changes h to the next hop and returns nil.
func (c *Client) hop(ctx context.Context, h *hop, r *Request) (*Response, error) {
	if c.p.Proxy != nil && !c.p.AllowPrivateNetwork {
		// The proxy resolves names itself; what resolves here is checked all the same.
		if _, isAddr := literal(h.name); !isAddr {
			if answers, err := c.dialer.resolve(ctx, h.name); err == nil {
				if err := c.guardAnswers(h.name, answers); err != nil {
					return nil, err
				}
			}
		}
	}
	req, err := c.request(ctx, h)
	if err != nil {
		return nil, err
	}
	resp, err := c.transport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 {
		return nil, netError("NetworkError", CodeNetwork, nil, "%q answered with status %d, which nobody asked for", h.authority, resp.StatusCode)
	}
	redact := c.vault.snapshot()
	location := resp.Header.Get("Location")
	if redirects(resp.StatusCode) && location != "" && r.Redirect != RedirectManual {
		if r.Redirect == RedirectError {
			return nil, netError("NetworkError", CodeRedirect, nil, "%q answered with a redirect", h.authority)
		}
		io.CopyN(io.Discard, resp.Body, 4096) // so that the connection can be used again
		return nil, c.follow(h, resp.StatusCode, redact.text(location))
	}
	return c.answer(ctx, h, r, resp, redact)
}

func redirects(status int) bool {
	return status >= 300 && status < 400 && status != http.StatusNotModified
}

// follow makes h the hop to which a redirect leads.
func (c *Client) follow(h *hop, status int, location string) error {
	if h.hops++; h.hops > MaxRedirects {
		e := netError("NetworkError", CodeRedirect, nil, "too many redirects: more than %d (%s)", MaxRedirects, redirectsLimit.Name)
		e.Kind, e.Limit, e.Value, e.Used = bridges.KindLimit, redirectsLimit.Name, MaxRedirects, int64(h.hops)
		return e
	}
	t, err := parseTarget(location, h.href)
	if err != nil {
		err.Message = "redirect: " + err.Message
		return err
	}
	if status == 303 && h.method != "HEAD" || (status == 301 || status == 302) && h.method != "GET" && h.method != "HEAD" {
		h.method, h.body = "GET", nil
		h.header = slices.DeleteFunc(h.header, func(f Field) bool {
			return f.Name == "content-type" || f.Name == "content-encoding" || f.Name == "content-language" || f.Name == "content-location"
		})
	}
	if t.origin() != h.origin() {
		h.away = true
		h.header = slices.DeleteFunc(h.header, func(f Field) bool { return isCredential(f.Name) || c.vault.holds(f.Value) })
	}
	h.target = t
	if err := c.allowed(t, h.method); err != nil {
		return err
	}
	return nil
}

// answer reads a response to its end, or to the limit.
func (c *Client) answer(ctx context.Context, h *hop, r *Request, resp *http.Response, redact redaction) (*Response, error) {
	res := &Response{URL: h.href, Redirected: h.hops > 0, Status: resp.StatusCode, Encoding: "utf-8"}
	_, text, _ := strings.Cut(resp.Status, " ")
	res.StatusText = redact.text(fromBytes(text))
	for name, values := range resp.Header {
		for _, v := range values {
			res.Header = append(res.Header, Field{strings.ToLower(name), redact.text(fromBytes(v))})
		}
	}
	slices.SortStableFunc(res.Header, func(a, b Field) int { return cmp.Compare(a.Name, b.Name) })

	limit := c.p.MaxBody
	if r.MaxBody > 0 {
		limit = min(r.MaxBody, bytesLimit.Ceiling)
	}
	err := c.readBody(ctx, h.target, res, resp, limit, redact)
	if err != nil {
		return nil, err
	}
	if name, ok := webapi.EncodingName(charsetOf(Get(res.Header, "content-type"))); ok {
		res.Encoding = name
	}
	switch b := res.Body; {
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")):
		res.Encoding = "utf-8"
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		res.Encoding = "utf-16be"
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		res.Encoding = "utf-16le"
	}
	return res, nil
}

var errWire = errors.New("more compressed than decompressed bytes")

// wire bounds the bytes of a body before decompression: what decompresses to nothing would
// go on as long as the timeout allows.
type wire struct {
	r    io.Reader
	left int64
}

func (w *wire) Read(p []byte) (int, error) {
	if w.left <= 0 {
		return 0, errWire
	}
	n, err := w.r.Read(p[:min(int64(len(p)), w.left)])
	w.left -= int64(n)
	return n, err
}

// readBody reads the body of an answer of t into res. What a body lacks is res.BodyError; an
// error is the end of the request.
func (c *Client) readBody(ctx context.Context, t *target, res *Response, resp *http.Response, limit int64, redact redaction) error {
	cut := func(e *bridges.Error) { res.Truncated, res.BodyError = true, e }
	tooLarge := func() *bridges.Error {
		return bridges.Limitf("fetch", bodyLimit.Name, limit, limit+1, "the body is larger than %d bytes", limit)
	}
	margin := redact.margin()
	want := limit + int64(margin) + 1 // one more tells that there is more
	broken := func(err error) error {
		switch {
		case ctx.Err() != nil:
			return err
		case errors.Is(err, errWire):
			cut(tooLarge())
		case errors.Is(err, errCodings):
			cut(netError("NetworkError", CodeDecoding, err, "the body is compressed more than %d times", maxCodings))
		case errors.Is(err, io.ErrUnexpectedEOF) || isNet(err):
			cut(netError("NetworkError", CodeReset, err, "the connection broke before the body was complete"))
		default:
			cut(netError("NetworkError", CodeDecoding, err, "the body cannot be decompressed"))
		}
		return nil
	}

	body := []byte{}
	read := func() error {
		in, err := decoded(resp.Header.Get("Content-Encoding"), &wire{resp.Body, want + 1<<16})
		if err != nil {
			return broken(err)
		}
		defer in.Close()
		hint := int64(4096)
		if resp.ContentLength > 0 {
			hint = resp.ContentLength + 1
		}
		body = make([]byte, 0, min(hint, want, 64<<10))
		for int64(len(body)) < want {
			if len(body) == cap(body) {
				body = slices.Grow(body, int(min(want-int64(len(body)), int64(max(cap(body), 4096)))))
			}
			n, err := in.Read(body[len(body):min(int64(cap(body)), want)])
			body = body[:len(body)+n]
			if used := c.bytes.Add(int64(n)); used > c.p.MaxBytes {
				over := min(used-c.p.MaxBytes, int64(n))
				body = body[:len(body)-int(over)]
				c.bytes.Add(-over)
				cut(c.tooManyBytes(used))
				return nil
			}
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return broken(err)
			}
		}
		return nil
	}
	if err := read(); err != nil {
		return err
	}
	more := int64(len(body)) > limit
	body = redact.bytes(body)
	if more || res.Truncated || res.Status == http.StatusPartialContent {
		body = redact.edges(body, t)
	}
	if more || int64(len(body)) > 2*limit { // placeholders may be longer than what they replace
		body = body[:min(int64(len(body)), limit)]
		if !res.Truncated {
			cut(tooLarge())
		}
	}
	res.Body = body
	return nil
}

func isNet(err error) bool {
	var e net.Error
	return errors.As(err, &e) || errors.Is(err, io.EOF) || strings.Contains(fmt.Sprint(err), "http2: ") || strings.Contains(fmt.Sprint(err), "stream error")
}

// unescape undoes the escapes of a path; those that are none stay as they are.
func unescape(path string) (string, *bridges.Error) {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if path[i] == '%' && i+2 < len(path) {
			if s, err := url.PathUnescape(path[i : i+3]); err == nil {
				b.WriteString(s)
				i += 2
				continue
			}
		}
		b.WriteByte(path[i])
	}
	return b.String(), nil
}
