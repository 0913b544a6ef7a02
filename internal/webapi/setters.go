package webapi

import "strings"

// SetURL runs the setter of one part (href, protocol, username, password, host,
// hostname, port, pathname, search or hash) on the URL href and returns the URL after
// it. As in the standard, a value that does not fit leaves the URL as it was. SetURL
// reports false when the part is href and value does not parse, and when href does not
// parse or there is no such part, which is a fault of the caller.
func SetURL(href, part, value string) (Record, bool) {
	if part == "href" {
		return ParseURL(value, "", false)
	}
	var u urlRecord
	if !u.parse(href, nil) {
		return Record{}, false
	}
	before := u
	if len(value) <= MaxURL {
		value = validUTF8(value)
		switch part {
		case "protocol":
			u.setProtocol(stripTabs(value))
		case "username":
			if u.canHaveCredentials() {
				u.username = encode(value, userinfoSet)
			}
		case "password":
			if u.canHaveCredentials() {
				u.password = encode(value, userinfoSet)
			}
		case "host":
			if !u.opaque {
				u.setHost(stripTabs(value), false)
			}
		case "hostname":
			if !u.opaque {
				u.setHost(stripTabs(value), true)
			}
		case "port":
			if u.canHaveCredentials() {
				if value == "" {
					u.port = -1
				} else {
					u.setPortPrefix(stripTabs(value))
				}
			}
		case "pathname":
			if !u.opaque {
				u.setPathname(stripTabs(value))
			}
		case "search":
			u.query, u.hasQuery = "", value != ""
			u.query = encode(stripTabs(strings.TrimPrefix(value, "?")), u.querySet())
			u.trimOpaque()
		case "hash":
			u.fragment, u.hasFragment = "", value != ""
			u.fragment = encode(stripTabs(strings.TrimPrefix(value, "#")), fragmentSet)
			u.trimOpaque()
		default:
			return Record{}, false
		}
	}
	if r, ok := u.record(); ok {
		return r, true
	}
	return before.record()
}

// canHaveCredentials is the opposite of "cannot have a username/password/port".
func (u *urlRecord) canHaveCredentials() bool {
	return u.host != "" && u.scheme != "file"
}

// setProtocol: the scheme states with a state override.
func (u *urlRecord) setProtocol(v string) {
	v, _, _ = strings.Cut(v, ":")
	if schemeLen(v+":") != len(v) || v == "" {
		return
	}
	v = asciiLower(v)
	special, _ := schemeInfo(v)
	if special != u.special ||
		v == "file" && (u.hasCredentials() || u.port >= 0) ||
		u.scheme == "file" && u.host == "" {
		return
	}
	u.setScheme(v)
	u.setPort(u.port)
}

// setHost: the host, hostname and file host states with a state override.
func (u *urlRecord) setHost(v string, nameOnly bool) {
	if i := strings.IndexAny(v, "/?#"); i >= 0 {
		v = v[:i]
	}
	v = v[:u.slashIndex(v)]
	if u.scheme == "file" {
		u.setFileHost(v)
		return
	}
	name, port, hasPort := cutPort(v)
	if hasPort && (nameOnly || name == "") ||
		name == "" && (u.special || u.hasCredentials() || u.port >= 0) {
		return
	}
	host, ok := parseHost(name, u.special)
	if !ok {
		return
	}
	u.host, u.hasHost = host, true
	if hasPort {
		u.setPortPrefix(port)
	}
}

// setPortPrefix: the port state with a state override. Whatever follows the digits is
// ignored.
func (u *urlRecord) setPortPrefix(v string) {
	if n, digits := parsePort(v); digits > 0 && n <= 65535 {
		u.setPort(n)
	}
}

// setPathname: the path start and path states with a state override, in which "?" and
// "#" are encoded.
func (u *urlRecord) setPathname(v string) {
	if v == "" && !u.special && !u.hasHost {
		u.path = "/"
		return
	}
	u.parsePath(v)
}

// trimOpaque is "potentially strip trailing spaces from an opaque path", without which the
// href would not parse to the same URL.
func (u *urlRecord) trimOpaque() {
	if u.opaque && !u.hasQuery && !u.hasFragment {
		u.path = strings.TrimRight(u.path, " ")
	}
}
