package fetch

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A Field is one header.
type Field struct{ Name, Value string }

// Get is the value of the first field of a name, in lower case, or "".
func Get(fields []Field, name string) string {
	for _, f := range fields {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// isToken reports whether s is a method or the name of a header (RFC 9110, section 5.6.2).
func isToken(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return false
		}
	}
	return s != ""
}

// validValue reports whether bytes can be the value of a header. Tabs may occur, other
// controls not.
func validValue(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// toBytes turns a guest's header value into the bytes that are sent: a character each
// (the Fetch Standard's byte strings).
func toBytes(s string) (string, bool) {
	if isASCII(s) {
		return s, true
	}
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xff {
			return "", false
		}
		b = append(b, byte(r))
	}
	return string(b), true
}

// fromBytes is the reverse of toBytes.
func fromBytes(s string) string {
	if isASCII(s) {
		return s
	}
	b := make([]byte, 0, 2*len(s))
	for i := range len(s) {
		b = utf8.AppendRune(b, rune(s[i]))
	}
	return string(b)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// forbiddenMethod reports what no policy can allow: the methods that are for proxies and
// for debugging servers (the Fetch Standard, "forbidden method").
func forbiddenMethod(method string) bool {
	return method == "CONNECT" || method == "TRACE" || method == "TRACK"
}

// ignoredHeader reports headers that the client writes, or that belong to a connection.
func ignoredHeader(name string) bool {
	switch name {
	case "connection", "content-length", "expect", "http2-settings", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade":
		return true
	}
	return false
}

// refusedHeader reports headers that would get around the policy.
func refusedHeader(name string) bool { return name == "host" || strings.HasPrefix(name, "proxy-") }

// isCredential reports headers that must not follow a redirect to another origin. There is
// no list that could be complete, so it goes by what their names speak of.
func isCredential(name string) bool {
	name = strings.ToLower(name)
	if name == "idempotency-key" {
		return false
	}
	return strings.HasSuffix(name, "-key") || slices.ContainsFunc([]string{
		"auth", "cookie", "token", "secret", "apikey", "api-key", "password", "passwd", "passphrase", "credential", "session", "signature",
	}, func(word string) bool { return strings.Contains(name, word) })
}

// charsetOf is the charset parameter of a content type, or "". Unlike mime.ParseMediaType
// it finds it among malformed others.
func charsetOf(contentType string) string {
	_, rest, _ := strings.Cut(contentType, ";")
	for rest != "" {
		rest = strings.TrimLeft(rest, " \t;")
		name, after, ok := strings.Cut(rest, "=")
		if semi := strings.IndexByte(name, ';'); !ok || semi >= 0 {
			if semi < 0 {
				return ""
			}
			rest = rest[semi:]
			continue
		}
		var value string
		if quoted, is := strings.CutPrefix(after, `"`); is {
			value, rest, _ = strings.Cut(quoted, `"`)
			_, rest, _ = strings.Cut(rest, ";")
		} else {
			value, rest, _ = strings.Cut(after, ";")
		}
		if strings.EqualFold(strings.TrimSpace(name), "charset") {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
