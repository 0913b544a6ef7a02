// Package aws is the module "aws" for guests: it signs requests to the services of AWS, and
// of others that do as AWS does, with Signature Version 4. It does no input or output itself:
// the guest sends a request with fetch.
//
// Unlike NodeTool's module it escapes paths of other services than S3 twice, as AWS does; it
// returns the query as it was signed, with a plus sign read as a space; it leaves out the
// header host, which fetch sets; and it refuses what a client would change after it was signed:
// segments of dots, headers and parameters that the signature adds.
//
// Importing the package registers the module. It has no state; all of it may be used by any
// number of goroutines.
package aws

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"quicksand/bridges"
	"quicksand/hostmods"
	"quicksand/internal/marshal"
)

//go:embed SKILL.md
var skill string

func init() {
	fields := func(more ...bridges.Param) []bridges.Param {
		list := []bridges.Param{
			{Name: "url", Type: bridges.String, Doc: "with scheme and host"},
			{Name: "method", Type: bridges.String, Optional: true},
			{Name: "region", Type: bridges.String, Optional: true},
			{Name: "service", Type: bridges.String, Optional: true},
		}
		return append(list, more...)
	}
	hostmods.Register(&hostmods.Module{
		ID:    "aws",
		Doc:   "Signed requests and addresses for AWS (Signature Version 4).",
		Skill: skill,
		Funcs: []bridges.Func{
			{Name: "sigv4", Result: "{url, method, headers} for fetch", Doc: "Signs a request.",
				Params: []bridges.Param{{Name: "options", Type: bridges.Object,
					Fields: fields(bridges.Param{Name: "headers", Type: bridges.Object, Optional: true}, bridges.Param{Name: "body", Type: bridges.Text, Optional: true},
						bridges.Param{Name: "payloadHash", Type: bridges.String, Optional: true}),
					Doc: "url, method, region, service, accessKeyId, secretAccessKey, sessionToken, headers, body, payloadHash"}},
				Call: sigv4},
			{Name: "presign", Result: "an address that is valid for expiresIn seconds", Doc: "Signs an address.",
				Params: []bridges.Param{{Name: "options", Type: bridges.Object, Fields: fields(bridges.Param{Name: "expiresIn", Type: bridges.Number, Optional: true}),
					Doc: "url, method, region, service, accessKeyId, secretAccessKey, sessionToken, expiresIn"}},
				Call: presign},
		},
	})
}

// Limits of addresses that are signed.
const (
	maxURL     = 64 << 10 // bytes
	maxHeaders = 100
)

// input is what both functions take.
type input struct {
	signer
	method, token string
	origin, host  string
	wire, signed  string // paths
	query         []field
}

var (
	methods = regexp.MustCompile(`^[A-Z]{1,20}$`)
	scopes  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`)
	tokens  = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$") // of RFC 9110, 5.6.2
	hashes  = regexp.MustCompile(`^[A-Za-z0-9-]{1,80}$`)
)

// option is where a text of the options goes.
type option struct {
	name string
	dst  *string
}

// read checks the options that both functions take. Errors tell nothing of credentials, the
// address included, which may hold some.
func read(c *bridges.Call) (*input, error) {
	o := c.Options(0)
	in := &input{method: strings.ToUpper(o.Str("method"))}
	fail := func(format string, args ...any) (*input, error) {
		return nil, bridges.TypeErrorf(c.Op(), format, args...)
	}
	if in.method == "" {
		in.method = "GET"
	}
	if !methods.MatchString(in.method) {
		return fail("options.method must be the name of an HTTP method")
	}
	in.region, in.service = "us-east-1", "s3"
	for _, f := range []option{{"region", &in.region}, {"service", &in.service}} {
		if s := o.Str(f.name); s != "" {
			*f.dst = s
		}
		if !scopes.MatchString(*f.dst) {
			return fail("options.%s must be a name of letters, digits and dashes", f.name)
		}
	}
	for _, f := range []option{{"accessKeyId", &in.accessKey}, {"secretAccessKey", &in.secretKey}, {"sessionToken", &in.token}} {
		s, ok := o.Field(f.name).Str()
		if !ok && o.Has(f.name) || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
			return fail("options.%s must be a string of visible ASCII characters", f.name)
		}
		*f.dst = s
	}
	if in.accessKey == "" || in.secretKey == "" {
		return fail("options.accessKeyId and options.secretAccessKey must be given; getSecret(name) gives them")
	}
	raw := o.Str("url")
	if len(raw) > maxURL {
		return fail("options.url has %d bytes, more than the limit of %d", len(raw), maxURL)
	}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.Opaque != "" || u.User != nil {
		return fail("options.url must be an absolute http or https address without a user")
	}
	in.host = strings.ToLower(u.Host)
	if port := map[string]string{"https": ":443", "http": ":80"}[u.Scheme]; strings.HasSuffix(in.host, port) {
		in.host = strings.TrimSuffix(in.host, port)
	}
	in.origin = u.Scheme + "://" + in.host
	if in.wire, in.signed, err = paths(u, in.service); err != nil {
		return fail("options.url %v", err)
	}
	if in.query, err = parseQuery(u.RawQuery); err != nil {
		return fail("options.url %v", err)
	}
	in.at = now(c).UTC()
	return in, nil
}

// now is the time that the guest sees.
func now(c *bridges.Call) time.Time {
	if c.Session == nil {
		return time.Now()
	}
	return c.Session.Now()
}

// address is what has to be fetched, with the query as it was signed.
func (in *input) address(query string) string {
	if query != "" {
		query = "?" + query
	}
	return in.origin + in.wire + query
}

func sigv4(_ context.Context, c *bridges.Call) (any, error) {
	in, err := read(c)
	if err != nil {
		return nil, err
	}
	o := c.Options(0)
	given, err := headers(c, o.Field("headers"))
	if err != nil {
		return nil, err
	}
	payload := o.Str("payloadHash")
	switch body := o.Field("body"); {
	case payload != "":
		if !hashes.MatchString(payload) {
			return nil, bridges.TypeErrorf(c.Op(), "options.payloadHash must be the hexadecimal SHA-256 of the body or UNSIGNED-PAYLOAD")
		}
	default:
		if n := int64(body.Len()); n > hostmods.MaxBytes {
			return nil, bridges.Limitf(c.Op(), hostmods.LimitBytes, hostmods.MaxBytes, n, "the body has %d bytes, more than the limit of %d", n, hostmods.MaxBytes)
		}
		payload = hash(o.Bytes("body"))
	}
	added := []field{{"x-amz-date", in.at.Format(timeFormat)}}
	if in.service == "s3" {
		added = append(added, field{"x-amz-content-sha256", payload})
	}
	if in.token != "" {
		added = append(added, field{"x-amz-security-token", in.token})
	}
	all := append([]field{{"host", in.host}}, added...)
	for _, h := range given {
		for _, a := range all {
			if strings.EqualFold(h.name, a.name) {
				return nil, bridges.TypeErrorf(c.Op(), "options.headers must not have %s, which the signature adds", a.name)
			}
		}
	}
	request, signed := canonical(in.method, in.signed, in.query, append(all, given...), payload)
	out := new(marshal.Object)
	for _, h := range append(given, added...) {
		out.Entries = append(out.Entries, marshal.Entry{Key: h.name, Value: h.value})
	}
	out.Set("Authorization", in.authorization(request, signed))
	return &marshal.Object{Entries: []marshal.Entry{
		{Key: "url", Value: in.address(joinQuery(in.query))},
		{Key: "method", Value: in.method},
		{Key: "headers", Value: out},
	}}, nil
}

// headers reads the headers that a guest gave.
func headers(c *bridges.Call, bag bridges.Value) ([]field, error) {
	var list []field
	known := make(map[string]bool)
	for name, v := range bag.Fields() {
		if v.IsNullish() {
			continue
		}
		text, ok := hostmods.Scalar(v)
		lower := strings.ToLower(name)
		switch {
		case !tokens.MatchString(name):
			return nil, bridges.TypeErrorf(c.Op(), "options.headers has %q, which is no name of a header", cut(name))
		case known[lower]:
			return nil, bridges.TypeErrorf(c.Op(), "options.headers has %s twice", cut(name))
		case !ok:
			return nil, bridges.TypeErrorf(c.Op(), "options.headers.%s must be a string, number, boolean or date", cut(name))
		case strings.ContainsAny(text, "\r\n\x00"):
			return nil, bridges.TypeErrorf(c.Op(), "options.headers.%s must not have line breaks", cut(name))
		case len(list) == maxHeaders:
			return nil, bridges.TypeErrorf(c.Op(), "options.headers has more than %d headers", maxHeaders)
		}
		known[lower] = true
		list = append(list, field{name, text})
	}
	return list, nil
}

func cut(name string) string { return fmt.Sprintf("%.80s", name) }

// Seconds that a presigned address may be valid for.
const (
	defaultExpiry = 3600
	maxExpiry     = 604_800
)

func presign(_ context.Context, c *bridges.Call) (any, error) {
	in, err := read(c)
	if err != nil {
		return nil, err
	}
	seconds := float64(defaultExpiry)
	if o := c.Options(0); o.Has("expiresIn") {
		if seconds = math.Floor(o.Float("expiresIn")); math.IsNaN(seconds) {
			return nil, bridges.TypeErrorf(c.Op(), "options.expiresIn must be a number of seconds, not NaN")
		}
	}
	seconds = min(max(seconds, 1), maxExpiry)
	query := []field{
		{"X-Amz-Algorithm", algorithm},
		{"X-Amz-Credential", in.accessKey + "/" + in.scope()},
		{"X-Amz-Date", in.at.Format(timeFormat)},
		{"X-Amz-Expires", strconv.Itoa(int(seconds))},
		{"X-Amz-SignedHeaders", "host"},
	}
	if in.token != "" {
		query = append(query, field{"X-Amz-Security-Token", in.token})
	}
	for _, q := range in.query {
		for _, own := range append(query, field{name: "X-Amz-Signature"}) {
			if strings.EqualFold(q.name, own.name) {
				return nil, bridges.TypeErrorf(c.Op(), "options.url must not have the parameter %s, which the signature adds", own.name)
			}
		}
	}
	query = append(query, in.query...)
	request, _ := canonical(in.method, in.signed, query, []field{{"host", in.host}}, unsigned)
	return in.address(joinQuery(query) + "&X-Amz-Signature=" + in.signature(request)), nil
}
