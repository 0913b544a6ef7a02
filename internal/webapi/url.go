package webapi

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxURL is the longest URL, in bytes, that is parsed or produced: 2 MiB, as in
// Chromium. Longer inputs do not parse, inputs whose serialisation would be longer do
// not either, and a setter that would exceed it changes nothing. So the href of every
// Record parses again.
const MaxURL = 2 << 20

// Record is a URL as the guest's URL object shows it, in this order:
//
//	href, protocol, username, password, host, hostname, port, pathname, search, hash, origin
//
// Most of its strings are parts of the first and share its memory.
type Record [11]string

// ParseURL parses input by the URL Standard, against base if hasBase. It reports false
// if either does not parse or is longer than MaxURL.
func ParseURL(input, base string, hasBase bool) (Record, bool) {
	var b, u urlRecord
	if hasBase {
		if !b.parse(base, nil) {
			return Record{}, false
		}
		if !u.parse(input, &b) {
			return Record{}, false
		}
	} else if !u.parse(input, nil) {
		return Record{}, false
	}
	return u.record()
}

// urlRecord is the standard's URL record.
type urlRecord struct {
	scheme             string // lower case, without the colon
	special            bool   // scheme is ftp, file, http, https, ws or wss
	username, password string
	host               string // serialised; "" is the empty host if hasHost
	hasHost            bool
	port               int // -1 is null
	// path is the serialised path. A path that is not opaque is "" or, for each
	// segment, "/" and the segment; no segment contains a slash, so that nothing is
	// lost by not keeping a list.
	path        string
	opaque      bool
	query       string
	hasQuery    bool
	fragment    string
	hasFragment bool
}

// schemeInfo reports whether a scheme is special, and its default port, -1 if none.
func schemeInfo(scheme string) (special bool, port int) {
	switch scheme {
	case "https", "wss":
		return true, 443
	case "http", "ws":
		return true, 80
	case "ftp":
		return true, 21
	case "file":
		return true, -1
	}
	return false, -1
}

func (u *urlRecord) setScheme(scheme string) {
	u.scheme = scheme
	u.special, _ = schemeInfo(scheme)
}

// setPort stores a port, which is null if it is the scheme's default.
func (u *urlRecord) setPort(port int) {
	if _, def := schemeInfo(u.scheme); port == def {
		port = -1
	}
	u.port = port
}

func (u *urlRecord) hasCredentials() bool { return u.username != "" || u.password != "" }

// isSlash reports whether c ends a path segment: a slash, or a backslash in a special URL.
func (u *urlRecord) isSlash(c byte) bool { return c == '/' || c == '\\' && u.special }

// slashIndex returns the index of the first slash in s as isSlash means it, or len(s).
func (u *urlRecord) slashIndex(s string) int {
	i := strings.IndexByte(s, '/')
	if i < 0 {
		i = len(s)
	}
	if u.special {
		if j := strings.IndexByte(s[:i], '\\'); j >= 0 {
			i = j
		}
	}
	return i
}

// parse is the basic URL parser without a state override. The standard's state machine
// looks at one code point at a time; here the input is cut at its delimiters, and each
// method below does the work of the states named in its comment.
func (u *urlRecord) parse(in string, base *urlRecord) bool {
	if len(in) > MaxURL {
		return false
	}
	in = stripTabs(trimControls(validUTF8(in)))
	u.port = -1

	// In every state, "#" starts the fragment and before that "?" starts the query.
	p := in
	if i := strings.IndexByte(p, '#'); i >= 0 {
		u.fragment, u.hasFragment = encode(p[i+1:], fragmentSet), true
		p = p[:i]
	}
	query := ""
	if i := strings.IndexByte(p, '?'); i >= 0 {
		query, u.hasQuery = p[i+1:], true
		p = p[:i]
	}

	ok := true
	if n := schemeLen(p); n > 0 {
		u.setScheme(asciiLower(p[:n]))
		ok = u.parseAfterScheme(p[n+1:], base)
	} else { // no scheme state
		switch {
		case base == nil:
			return false
		case base.opaque:
			if p != "" || u.hasQuery || !u.hasFragment {
				return false
			}
			u.setScheme(base.scheme)
			u.path, u.opaque = base.path, true
			u.query, u.hasQuery = base.query, base.hasQuery
			return true
		}
		u.setScheme(base.scheme)
		if base.scheme == "file" {
			ok = u.parseFile(p, base)
		} else {
			ok = u.parseRelative(p, base)
		}
	}
	if query != "" {
		u.query = encode(query, u.querySet())
	}
	return ok
}

func (u *urlRecord) querySet() charSet {
	if u.special {
		return specialQuerySet
	}
	return querySet
}

// schemeLen returns the length of the scheme that s starts with, 0 if it has none.
func schemeLen(s string) int {
	if s == "" || !isAlpha(s[0]) {
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == ':':
			return i
		case !isAlpha(c) && !isDigit(c) && c != '+' && c != '-' && c != '.':
			return 0
		}
	}
	return 0
}

// parseAfterScheme: the end of the scheme state, the special authority states, and the
// path or authority state. p starts after the colon.
func (u *urlRecord) parseAfterScheme(p string, base *urlRecord) bool {
	switch {
	case u.scheme == "file":
		return u.parseFile(p, base)
	case u.special:
		if base != nil && base.scheme == u.scheme && !strings.HasPrefix(p, "//") {
			return u.parseRelative(p, base)
		}
		return u.parseAuthority(strings.TrimLeft(p, `/\`))
	case strings.HasPrefix(p, "//"):
		return u.parseAuthority(p[2:])
	case strings.HasPrefix(p, "/"):
		u.parsePath(p)
	default:
		u.opaque = true
		u.path = encode(p, controlSet)
	}
	return true
}

// parseRelative: the relative state and the relative slash state.
func (u *urlRecord) parseRelative(p string, base *urlRecord) bool {
	if p != "" && u.isSlash(p[0]) {
		if len(p) > 1 && u.isSlash(p[1]) {
			if u.special {
				return u.parseAuthority(strings.TrimLeft(p, `/\`))
			}
			return u.parseAuthority(p[2:])
		}
		u.copyAuthority(base)
		u.parsePath(p)
		return true
	}
	u.copyAuthority(base)
	u.path = base.path
	if p == "" {
		u.copyQuery(base)
		return true
	}
	u.path = u.path[:u.shortened(u.path)]
	u.appendPath(p)
	return true
}

func (u *urlRecord) copyAuthority(base *urlRecord) {
	u.username, u.password = base.username, base.password
	u.host, u.hasHost, u.port = base.host, base.hasHost, base.port
}

// copyQuery takes the base's query unless the input has its own.
func (u *urlRecord) copyQuery(base *urlRecord) {
	if !u.hasQuery {
		u.query, u.hasQuery = base.query, base.hasQuery
	}
}

// parseAuthority: the authority, host and port states. p starts after the slashes.
func (u *urlRecord) parseAuthority(p string) bool {
	end := u.slashIndex(p)
	auth, rest := p[:end], p[end:]
	if at := strings.LastIndexByte(auth, '@'); at >= 0 {
		user, password, _ := strings.Cut(auth[:at], ":")
		u.username, u.password = encode(user, userinfoSet), encode(password, userinfoSet)
		if auth = auth[at+1:]; auth == "" {
			return false
		}
	}
	host, port, hasPort := cutPort(auth)
	if host == "" && (u.special || hasPort) {
		return false
	}
	var ok bool
	if u.host, ok = parseHost(host, u.special); !ok {
		return false
	}
	u.hasHost = true
	if port != "" {
		n, digits := parsePort(port)
		if digits != len(port) || n > 65535 {
			return false
		}
		u.setPort(n)
	}
	u.parsePath(rest)
	return true
}

// cutPort splits at the first colon that is not in brackets.
func cutPort(s string) (host, port string, found bool) {
	in := false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[':
			in = true
		case ']':
			in = false
		case ':':
			if !in {
				return s[:i], s[i+1:], true
			}
		}
	}
	return s, "", false
}

// parsePort returns the value of the digits that s starts with and their count; any
// value above 65535 stands for all of them.
func parsePort(s string) (n, digits int) {
	for digits < len(s) && isDigit(s[digits]) {
		if n <= 65535 {
			n = n*10 + int(s[digits]-'0')
		}
		digits++
	}
	return n, digits
}

// parseFile: the file, file slash and file host states.
func (u *urlRecord) parseFile(p string, base *urlRecord) bool {
	u.hasHost = true
	if base != nil && base.scheme != "file" {
		base = nil
	}
	switch {
	case p == "" || !u.isSlash(p[0]):
		if base == nil {
			u.appendPath(p)
			return true
		}
		u.host, u.path = base.host, base.path
		switch {
		case p == "":
			u.copyQuery(base)
			return true
		case startsWithDrive(p):
			u.path = ""
		default:
			u.path = u.path[:u.shortened(u.path)]
		}
		u.appendPath(p)
	case len(p) == 1 || !u.isSlash(p[1]):
		p = p[1:]
		if base != nil {
			u.host = base.host
			if !startsWithDrive(p) && hasDrive(base.path) {
				u.path = base.path[:3]
			}
		}
		u.appendPath(p)
	default:
		p = p[2:]
		end := u.slashIndex(p)
		if isDrive(p[:end]) {
			u.appendPath(p)
			return true
		}
		if !u.setFileHost(p[:end]) {
			return false
		}
		u.parsePath(p[end:])
	}
	return true
}

// setFileHost: the end of the file host state.
func (u *urlRecord) setFileHost(s string) bool {
	host := ""
	if s != "" {
		var ok bool
		if host, ok = parseHost(s, true); !ok {
			return false
		}
		if host == "localhost" {
			host = ""
		}
	}
	u.host, u.hasHost = host, true
	return true
}

// isDrive reports whether s is a Windows drive letter: "C:" or "C|".
func isDrive(s string) bool {
	return len(s) == 2 && isAlpha(s[0]) && (s[1] == ':' || s[1] == '|')
}

// startsWithDrive reports whether s starts with a Windows drive letter that is a whole
// segment.
func startsWithDrive(s string) bool {
	return len(s) >= 2 && isDrive(s[:2]) && (len(s) == 2 || s[2] == '/' || s[2] == '\\')
}

// hasDrive reports whether the first segment of a path is a normalised drive letter.
func hasDrive(path string) bool {
	return len(path) >= 3 && isAlpha(path[1]) && path[2] == ':' && (len(path) == 3 || path[3] == '/')
}

// shortened returns the length of path without its last segment. A drive letter that is
// the only segment of a file URL stays.
func (u *urlRecord) shortened(path string) int {
	if u.scheme == "file" && len(path) == 3 && hasDrive(path) {
		return 3
	}
	return max(strings.LastIndexByte(path, '/'), 0)
}

// parsePath: the path start state and what follows, for a path that starts at its slash.
func (u *urlRecord) parsePath(p string) {
	switch {
	case p == "" && !u.special:
		u.path = ""
	case p == "":
		u.path = "/"
	case !u.isSlash(p[0]):
		u.path = ""
		u.appendPath(p)
	case u.isPlainPath(p):
		u.path = p
	default:
		u.path = ""
		u.appendPath(p[1:])
	}
}

// isPlainPath reports whether p, which starts with a slash, is its own serialisation.
// It may say no to some that are.
func (u *urlRecord) isPlainPath(p string) bool {
	if p[0] != '/' || u.scheme == "file" {
		return false
	}
	for i := 0; i < len(p); i++ {
		c := p[i]
		if sets[c]&(pathSet|dotOrSlash) == 0 {
			continue
		}
		// A slash, dot, backslash or something to encode.
		if sets[c]&pathSet != 0 || c == '\\' && u.special {
			return false
		}
		if c == '/' && i+1 < len(p) && (p[i+1] == '.' || p[i+1] == '%') {
			return false
		}
	}
	return true
}

// appendPath: the path state, from the start of a segment.
func (u *urlRecord) appendPath(p string) {
	buf := make([]byte, 0, len(u.path)+len(p)+1)
	buf = append(buf, u.path...)
	for {
		n := u.slashIndex(p)
		seg, last := p[:n], n == len(p)
		switch dots(seg) {
		case 2:
			if !(u.scheme == "file" && len(buf) == 3 && isAlpha(buf[1]) && buf[2] == ':') {
				n := len(buf)
				for n > 0 && buf[n-1] != '/' {
					n--
				}
				buf = buf[:max(n-1, 0)]
			}
			if last {
				buf = append(buf, '/')
			}
		case 1:
			if last {
				buf = append(buf, '/')
			}
		default:
			drive := u.scheme == "file" && len(buf) == 0 && isDrive(seg)
			buf = append(buf, '/')
			if drive {
				buf = append(buf, seg[0], ':')
			} else {
				buf = appendEncoded(buf, seg, pathSet)
			}
		}
		if last {
			break
		}
		p = p[n+1:]
	}
	u.path = string(buf)
}

// dots returns 1 for a single-dot segment, 2 for a double-dot segment, 0 for others.
// "%2e" counts as a dot.
func dots(seg string) int {
	if len(seg) > 6 {
		return 0
	}
	n := 0
	for ; seg != ""; n++ {
		switch {
		case seg[0] == '.':
			seg = seg[1:]
		case len(seg) >= 3 && seg[0] == '%' && seg[1] == '2' && seg[2]|0x20 == 'e':
			seg = seg[3:]
		default:
			return 0
		}
	}
	if n > 2 {
		return 0
	}
	return n
}

// record serialises u. It reports false if the result is longer than MaxURL.
func (u *urlRecord) record() (Record, bool) {
	size := len(u.scheme) + len("://:@:65535/.?#") + len(u.username) + len(u.password) +
		len(u.host) + len(u.path) + len(u.query) + len(u.fragment)
	var sb strings.Builder
	sb.Grow(size)
	sb.WriteString(u.scheme)
	sb.WriteByte(':')
	hostStart, hostEnd, portStart := 0, 0, 0
	if u.hasHost {
		sb.WriteString("//")
		if u.hasCredentials() {
			sb.WriteString(u.username)
			if u.password != "" {
				sb.WriteByte(':')
				sb.WriteString(u.password)
			}
			sb.WriteByte('@')
		}
		hostStart = sb.Len()
		sb.WriteString(u.host)
		hostEnd = sb.Len()
		portStart = hostEnd
		if u.port >= 0 {
			sb.WriteByte(':')
			portStart = sb.Len()
			var digits [5]byte
			sb.Write(strconv.AppendInt(digits[:0], int64(u.port), 10))
		}
	} else if !u.opaque && strings.HasPrefix(u.path, "//") {
		// Or else the path would be read as an authority.
		sb.WriteString("/.")
	}
	portEnd := sb.Len()
	sb.WriteString(u.path)
	pathEnd := sb.Len()
	if u.hasQuery {
		sb.WriteByte('?')
		sb.WriteString(u.query)
	}
	queryEnd := sb.Len()
	if u.hasFragment {
		sb.WriteByte('#')
		sb.WriteString(u.fragment)
	}
	if sb.Len() > MaxURL {
		return Record{}, false
	}
	href := sb.String()

	r := Record{
		href,
		href[:len(u.scheme)+1],
		u.username,
		u.password,
		"", "", "",
		href[portEnd:pathEnd],
		"", "",
		"null",
	}
	if u.hasHost {
		r[4] = href[hostStart:portEnd]
		r[5] = href[hostStart:hostEnd]
		r[6] = href[portStart:portEnd]
	}
	if u.query != "" {
		r[8] = href[pathEnd:queryEnd]
	}
	if u.fragment != "" {
		r[9] = href[queryEnd:]
	}
	switch {
	case u.special && u.scheme != "file":
		if u.hasCredentials() {
			r[10] = u.scheme + "://" + r[4]
		} else {
			r[10] = href[:portEnd]
		}
	case u.scheme == "blob":
		r[10] = blobOrigin(u.path)
	}
	return r, true
}

// blobOrigin is the origin of the http or https URL that is the path of a blob URL.
func blobOrigin(path string) string {
	var u urlRecord
	if !u.parse(path, nil) || u.scheme != "http" && u.scheme != "https" {
		return "null"
	}
	u.username, u.password = "", ""
	u.path, u.query, u.hasQuery, u.fragment, u.hasFragment = "", "", false, "", false
	r, _ := u.record()
	return r[10]
}

// validUTF8 replaces invalid bytes by U+FFFD.
func validUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// trimControls removes C0 controls and spaces at both ends.
func trimControls(s string) string {
	for s != "" && s[0] <= ' ' {
		s = s[1:]
	}
	for s != "" && s[len(s)-1] <= ' ' {
		s = s[:len(s)-1]
	}
	return s
}

// stripTabs removes all ASCII tabs and newlines.
func stripTabs(s string) string {
	if strings.IndexByte(s, '\t') < 0 && strings.IndexByte(s, '\n') < 0 && strings.IndexByte(s, '\r') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '\t' && c != '\n' && c != '\r' {
			b = append(b, c)
		}
	}
	return string(b)
}

func isAlpha(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// asciiLower is strings.ToLower for ASCII letters only.
func asciiLower(s string) string {
	for i := 0; i < len(s); i++ {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if 'A' <= b[i] && b[i] <= 'Z' {
					b[i] |= 0x20
				}
			}
			return string(b)
		}
	}
	return s
}
