package hostmods

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"quicksand/bridges"
	"quicksand/internal/marshal"
)

// MaxRequestBody is the size of the body of a prepared request in UTF-16 units.
const MaxRequestBody = 1_048_576

// LimitRequestBody is its name in LIMITS.md.
const LimitRequestBody = "HostRequestBody"

// A Request is an HTTP request that a module prepares and the guest sends, with
// fetch(req.url, req). It is built in steps, of which the first that fails counts: Result
// returns its error. The address is joined of parts and never resolved, so that no part can
// lead the credentials of the headers to another host.
type Request struct {
	c       *bridges.Call
	method  string
	origin  string // scheme and host
	path    strings.Builder
	query   strings.Builder
	headers []marshal.Entry
	body    string
	hasBody bool
	err     error
}

// NewRequest begins a request of call c to an origin such as "https://api.example.com". The
// method is "GET" where the guest gave none.
func NewRequest(c *bridges.Call, origin, method string) *Request {
	r := &Request{c: c, origin: origin, method: strings.ToUpper(method)}
	if r.method == "" {
		r.method = "GET"
	}
	for _, ch := range []byte(r.method) {
		if ch < 'A' || ch > 'Z' {
			r.Fail("method must be the name of an HTTP method")
		}
	}
	return r
}

// Fail ends the request with an error, unless it has one.
func (r *Request) Fail(format string, args ...any) {
	if r.err == nil {
		r.err = bridges.TypeErrorf(r.c.Op(), format, args...)
	}
}

// Method is the method in upper case.
func (r *Request) Method() string { return r.method }

// Path appends what a guest gave as a path or a part of one, with its query if it has one.
// Characters that a path cannot have are escaped, escapes stay as they are. What could mean
// another host or a path further up is an error: an address, a second slash, a backslash, a
// segment of dots. An empty prefix takes a path that begins with a slash.
func (r *Request) Path(prefix, path string) {
	r.path.WriteString(prefix)
	path, query, hasQuery := strings.Cut(path, "?")
	switch {
	case strings.HasPrefix(path, "//") || strings.Contains(path, "://"):
		r.Fail("path must be a path of %s, not an address", r.origin)
	case strings.ContainsAny(path, "\\\t\r\n") || !utf8.ValidString(path) || strings.ContainsFunc(path, func(c rune) bool { return c < ' ' || c == 0x7f }):
		r.Fail("path must not have control characters or backslashes")
	}
	for segment := range strings.SplitSeq(path, "/") {
		switch dots := strings.ReplaceAll(strings.ToLower(segment), "%2e", "."); dots {
		case ".", "..":
			r.Fail("path must not have the segment %s", dots)
		}
	}
	escape(&r.path, path, func(c byte, rest string) bool {
		return unreserved(c) || strings.IndexByte("/!$&'()*+,;=:@", c) >= 0 || c == '%' && isEscape(rest)
	})
	if hasQuery {
		query, _, _ = strings.Cut(query, "#")
		r.separate()
		escape(&r.query, query, func(c byte, rest string) bool {
			return unreserved(c) || strings.IndexByte("/?!$&'()*+,;=:@", c) >= 0 || c == '%' && isEscape(rest)
		})
	}
}

// Segment appends one segment of the path, in which everything that could mean more than
// itself is escaped.
func (r *Request) Segment(name, value string) {
	if value == "." || value == ".." || !utf8.ValidString(value) {
		r.Fail("%s is not the name of anything", name)
	}
	r.path.WriteByte('/')
	escape(&r.path, value, func(c byte, _ string) bool { return unreserved(c) })
}

func (r *Request) separate() {
	if r.query.Len() > 0 {
		r.query.WriteByte('&')
	}
}

// Param appends a parameter to the query.
func (r *Request) Param(name, value string) {
	r.separate()
	FormField(&r.query, name, value)
}

// Query appends what a guest gave as the option name: an object of values, arrays of which
// repeat their key. Undefined and null are left out.
func (r *Request) Query(name string, bag bridges.Value) {
	r.bag(name, bag, r.Param)
}

// Form makes the body of the fields of an object, as a form does.
func (r *Request) Form(name string, bag bridges.Value) {
	var b strings.Builder
	r.bag(name, bag, func(key, value string) {
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		if b.Len() <= MaxRequestBody {
			FormField(&b, key, value)
		}
	})
	r.Header("Content-Type", "application/x-www-form-urlencoded")
	r.setBody(b.String())
}

func (r *Request) bag(name string, bag bridges.Value, add func(key, value string)) {
	if bag.IsNullish() {
		return
	}
	if bag.Kind() != marshal.KindObject {
		r.Fail("%s must be an object", name)
		return
	}
	for key, v := range bag.Fields() {
		if v.Kind() != marshal.KindArray {
			r.field(name, key, v, add)
			continue
		}
		for _, e := range v.Elements() {
			r.field(name, key, e, add)
		}
	}
}

func (r *Request) field(name, key string, v bridges.Value, add func(key, value string)) {
	if v.IsNullish() {
		return
	}
	text, ok := Scalar(v)
	if !ok {
		r.Fail("%s.%.80s must be a string, number, bigint, boolean or date, or an array of them", name, key)
		return
	}
	add(key, text)
}

// Scalar is the text of a string, number, bigint, boolean or date.
func Scalar(v bridges.Value) (text string, ok bool) {
	switch v.Kind() {
	case marshal.KindString, marshal.KindNumber, marshal.KindBool, marshal.KindDate:
		text = v.String()
		if v.Kind() == marshal.KindDate {
			text = strings.Trim(text, `"`)
		}
		return text, true
	case marshal.KindBigInt:
		return strings.TrimSuffix(v.String(), "n"), true
	}
	return "", false
}

// Header adds a header of ours.
func (r *Request) Header(name, value string) {
	r.headers = append(r.headers, marshal.Entry{Key: name, Value: value})
}

// Secret adds a header that holds a credential of the guest's, the option named. The value
// is in no error.
func (r *Request) Secret(header, option, before, secret string) {
	if secret == "" || strings.ContainsFunc(secret, func(c rune) bool { return c <= ' ' || c >= 0x7f }) {
		r.Fail("%s must be a credential of visible ASCII characters; getSecret(name) gives one", option)
	}
	r.Header(header, before+secret)
}

// JSON makes the body of a value: its JSON text, or a string as it is.
func (r *Request) JSON(body bridges.Value) {
	text, ok := body.Str()
	if !ok {
		// No character takes more than three bytes of each of its UTF-16 units.
		b, err := body.AppendJSON(nil, 3*MaxRequestBody+8)
		if err != nil {
			r.Fail("body has no JSON text of at most %d characters", MaxRequestBody)
			return
		}
		text = strings.TrimSpace(string(b))
	}
	r.Header("Content-Type", "application/json")
	r.setBody(text)
}

func (r *Request) setBody(text string) {
	if n := units(text); n > MaxRequestBody && r.err == nil {
		r.err = bridges.Limitf(r.c.Op(), LimitRequestBody, MaxRequestBody, n, "the body has %d characters, more than the limit of %d", n, MaxRequestBody)
	}
	r.body, r.hasBody = text, true
}

// Result is what the guest gets: {url, method, headers, body?}. It fails unless the address
// leads to the origin.
func (r *Request) Result() (any, error) {
	if r.err != nil {
		return nil, r.err
	}
	address := r.origin + r.path.String()
	if r.query.Len() > 0 {
		address += "?" + r.query.String()
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme+"://"+u.Host != r.origin || u.User != nil {
		return nil, bridges.Errorf(r.c.Op(), "the request does not lead to %s", r.origin)
	}
	result := &marshal.Object{Entries: []marshal.Entry{
		{Key: "url", Value: address},
		{Key: "method", Value: r.method},
		{Key: "headers", Value: &marshal.Object{Entries: slices.Clone(r.headers)}},
	}}
	if r.hasBody {
		result.Set("body", r.body)
	}
	return result, nil
}

// units is the length of a text in UTF-16.
func units(s string) int64 {
	n := int64(0)
	for _, c := range s {
		n++
		if c > 0xffff {
			n++
		}
	}
	return n
}

// FormField writes a name and a value as forms and URLSearchParams do (URL Standard, 5.2).
func FormField(b *strings.Builder, name, value string) {
	form := func(s string) {
		for i, part := range strings.Split(s, " ") {
			if i > 0 {
				b.WriteByte('+')
			}
			escape(b, part, func(c byte, _ string) bool { return c != '~' && unreserved(c) || c == '*' })
		}
	}
	form(name)
	b.WriteByte('=')
	form(value)
}

// escape writes a text, with escapes for the bytes that keep does not want as they are.
func escape(b *strings.Builder, s string, keep func(c byte, rest string) bool) {
	const digits = "0123456789ABCDEF"
	for i := range len(s) {
		if c := s[i]; keep(c, s[i+1:]) {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
}

// unreserved are the characters that mean themselves everywhere (RFC 3986, 2.3).
func unreserved(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~'
}

func isEscape(rest string) bool {
	hex := func(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }
	return len(rest) >= 2 && hex(rest[0]) && hex(rest[1])
}
