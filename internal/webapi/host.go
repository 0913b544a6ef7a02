package webapi

import (
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"
)

// parseHost is the standard's host parser and serialiser in one; special says that the
// host is a domain or an address and not opaque.
func parseHost(s string, special bool) (string, bool) {
	if strings.HasPrefix(s, "[") {
		if s[len(s)-1] != ']' {
			return "", false
		}
		return parseIPv6(s[1 : len(s)-1])
	}
	if !special {
		if hasAny(s, forbiddenHost) {
			return "", false
		}
		return encode(s, controlSet), true
	}
	domain := s
	if strings.IndexByte(s, '%') >= 0 {
		domain = decodeUTF8(percentDecode(s))
	}
	if needsIDNA(domain) {
		var ok bool
		if domain, ok = domainToASCII(domain); !ok {
			return "", false
		}
	} else {
		domain = asciiLower(domain)
	}
	if domain == "" || hasAny(domain, forbiddenDomain) {
		return "", false
	}
	if endsInNumber(domain) {
		return parseIPv4(domain)
	}
	return domain, true
}

// decodeUTF8 is "UTF-8 decode without BOM": each maximal invalid part is one U+FFFD.
func decodeUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	// A domain with U+FFFD is never valid, however many there are.
	return strings.ToValidUTF8(s, "\uFFFD")
}

// endsInNumber is the "ends in a number checker".
func endsInNumber(s string) bool {
	s = strings.TrimSuffix(s, ".")
	last := s[strings.LastIndexByte(s, '.')+1:]
	if last == "" || !isDigit(last[0]) {
		return false
	}
	i := 1
	for i < len(last) && isDigit(last[i]) {
		i++
	}
	if i == len(last) {
		return true
	}
	_, ok := parseIPv4Number(last)
	return ok
}

// parseIPv4 is the IPv4 parser and serialiser for a domain that ends in a number.
func parseIPv4(s string) (string, bool) {
	s = strings.TrimSuffix(s, ".")
	var addr uint64
	for i := 0; ; i++ {
		part, rest, more := strings.Cut(s, ".")
		n, ok := parseIPv4Number(part)
		if !ok || i == 4 {
			return "", false
		}
		if !more {
			if n >= 1<<(8*(4-i)) {
				return "", false
			}
			addr += n
			break
		}
		if n > 255 {
			return "", false
		}
		addr += n << (8 * (3 - i) & 31)
		s = rest
	}
	return netip.AddrFrom4([4]byte{byte(addr >> 24), byte(addr >> 16), byte(addr >> 8), byte(addr)}).String(), true
}

// parseIPv4Number reads a decimal, octal (0…) or hexadecimal (0x…) number. Values above
// 32 bits all become 1<<32.
func parseIPv4Number(s string) (uint64, bool) {
	if s == "" {
		return 0, false
	}
	radix := uint64(10)
	if len(s) >= 2 && s[0] == '0' {
		if s[1]|0x20 == 'x' {
			radix, s = 16, s[2:]
		} else {
			radix, s = 8, s[1:]
		}
	}
	n := uint64(0)
	for i := 0; i < len(s); i++ {
		d := uint64(unhex(s[i]))
		if d >= radix {
			return 0, false
		}
		n = min(n*radix+d, 1<<32)
	}
	return n, true
}

// parseIPv6 is the IPv6 parser and serialiser; the result has brackets.
func parseIPv6(s string) (string, bool) {
	if len(s) > len("1111:2222:3333:4444:5555:6666:255.255.255.255") || strings.IndexByte(s, '%') >= 0 {
		return "", false
	}
	addr, err := netip.ParseAddr(s)
	if err != nil || !addr.Is6() {
		return "", false
	}
	a := addr.As16()
	var pieces [8]uint16
	for i := range pieces {
		pieces[i] = uint16(a[2*i])<<8 | uint16(a[2*i+1])
	}
	// The first longest run of at least two zeros is compressed.
	start, length := -1, 1
	for i := 0; i < 8; i++ {
		j := i
		for j < 8 && pieces[j] == 0 {
			j++
		}
		if j-i > length {
			start, length = i, j-i
		}
		i = max(i, j-1)
	}
	// netip would write an IPv4-mapped address in dots, which the standard does not.
	buf := make([]byte, 0, 41)
	buf = append(buf, '[')
	for i := 0; i < 8; i++ {
		if i == start {
			if i == 0 {
				buf = append(buf, ':')
			}
			buf = append(buf, ':')
			i += length - 1
			continue
		}
		buf = strconv.AppendUint(buf, uint64(pieces[i]), 16)
		if i < 7 {
			buf = append(buf, ':')
		}
	}
	return string(append(buf, ']')), true
}
