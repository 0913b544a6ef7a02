package aws

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"
)

// signer has what all signatures of one key, time, region and service have in common (AWS
// Signature Version 4).
type signer struct {
	accessKey, secretKey string
	region, service      string
	at                   time.Time // in UTC
}

const (
	algorithm  = "AWS4-HMAC-SHA256"
	timeFormat = "20060102T150405Z"
	// unsigned stands for the hash of a body that is not signed.
	unsigned = "UNSIGNED-PAYLOAD"
)

// field is a header or a parameter of a query.
type field struct{ name, value string }

func (s *signer) scope() string {
	return s.at.Format("20060102") + "/" + s.region + "/" + s.service + "/aws4_request"
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// canonical is the canonical request, and the names of the headers that it has.
func canonical(method, path string, query, headers []field, payload string) (request, signed string) {
	list := make([]field, 0, len(headers))
	for _, h := range headers {
		list = append(list, field{strings.ToLower(h.name), strings.Join(strings.Fields(h.value), " ")})
	}
	slices.SortStableFunc(list, func(a, b field) int { return strings.Compare(a.name, b.name) })
	var lines strings.Builder
	var names []string
	for i, h := range list {
		if i > 0 && list[i-1].name == h.name {
			// Headers of one name are one header with all values.
			lines.WriteString("," + h.value)
			continue
		}
		if i > 0 {
			lines.WriteByte('\n')
		}
		lines.WriteString(h.name + ":" + h.value)
		names = append(names, h.name)
	}
	signed = strings.Join(names, ";")
	return method + "\n" + path + "\n" + joinQuery(query) + "\n" + lines.String() + "\n\n" + signed + "\n" + payload, signed
}

// signature signs a canonical request.
func (s *signer) signature(request string) string {
	text := algorithm + "\n" + s.at.Format(timeFormat) + "\n" + s.scope() + "\n" + hash([]byte(request))
	key := []byte("AWS4" + s.secretKey)
	for _, part := range []string{s.at.Format("20060102"), s.region, s.service, "aws4_request", text} {
		key = mac(key, part)
	}
	return hex.EncodeToString(key)
}

// authorization is the header of a canonical request.
func (s *signer) authorization(request, signed string) string {
	return algorithm + " Credential=" + s.accessKey + "/" + s.scope() + ", SignedHeaders=" + signed + ", Signature=" + s.signature(request)
}

// joinQuery writes a query in canonical form: sorted by name, then by value.
func joinQuery(query []field) string {
	list := make([]field, len(query))
	for i, f := range query {
		list[i] = field{encode(f.name), encode(f.value)}
	}
	slices.SortFunc(list, func(a, b field) int {
		if a.name != b.name {
			return strings.Compare(a.name, b.name)
		}
		return strings.Compare(a.value, b.value)
	})
	var b strings.Builder
	for i, f := range list {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(f.name + "=" + f.value)
	}
	return b.String()
}

// encode escapes all but the unreserved characters of RFC 3986.
func encode(s string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}

// encodePath escapes the segments of a path.
func encodePath(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		segments[i] = encode(s)
	}
	return strings.Join(segments, "/")
}

// errDots is the error of a path that a client would change after it was signed.
var errDots = errors.New("has a segment of dots, which clients resolve")

// paths are the path of an address as it has to be sent, and as it is signed: S3 signs what
// is sent, other services escape it once more.
func paths(u *url.URL, service string) (wire, signed string, err error) {
	if u.Path == "" {
		return "/", "/", nil
	}
	for s := range strings.SplitSeq(u.EscapedPath(), "/") {
		if dots := strings.ReplaceAll(strings.ToLower(s), "%2e", "."); dots == "." || dots == ".." {
			return "", "", errDots
		}
	}
	segments := strings.Split(u.EscapedPath(), "/")
	for i, s := range segments {
		plain, err := url.PathUnescape(s)
		if err != nil {
			return "", "", errors.New("has an escape that is not valid")
		}
		segments[i] = encode(plain)
	}
	wire = strings.Join(segments, "/")
	if service == "s3" {
		return wire, wire, nil
	}
	// Other services see no empty segments.
	signed = encodePath(wire)
	for strings.Contains(signed, "//") {
		signed = strings.ReplaceAll(signed, "//", "/")
	}
	return wire, signed, nil
}

// parseQuery reads a query. A plus sign is a space, as in forms.
func parseQuery(raw string) ([]field, error) {
	var list []field
	for part := range strings.SplitSeq(raw, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		n, err1 := url.QueryUnescape(name)
		v, err2 := url.QueryUnescape(value)
		if err1 != nil || err2 != nil {
			return nil, errors.New("has an escape in its query that is not valid")
		}
		list = append(list, field{n, v})
	}
	return list, nil
}
