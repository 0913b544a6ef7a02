package fetch

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"syscall"

	"quicksand/bridges"
)

// CodeBlocked is the code of errors of the address guard.
const CodeBlocked = "ERR_BLOCKED_ADDRESS"

// The special-purpose registries of IANA (RFC 6890 and its updates) and, at the end, the
// address at which Azure serves its hosts.
var blocked4 = prefixes(`0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
	192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24
	198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32`)

// Within 2000::/3, the only part of IPv6 in which hosts of the Internet are: protocol
// assignments with Teredo, documentation, 6to4, AS112.
var blocked6 = prefixes(`2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20`)

var (
	global6 = netip.MustParsePrefix("2000::/3")
	nat64   = netip.MustParsePrefix("64:ff9b::/96")
)

func prefixes(list string) (out []netip.Prefix) {
	for _, s := range strings.Fields(list) {
		out = append(out, netip.MustParsePrefix(s))
	}
	return out
}

// isBlocked reports whether the guard refuses connections to a.
func isBlocked(a netip.Addr) bool {
	a = a.WithZone("").Unmap()
	list := blocked4
	if a.Is6() {
		if nat64.Contains(a) {
			b := a.As16()
			return isBlocked(netip.AddrFrom4([4]byte(b[12:])))
		}
		if !global6.Contains(a) {
			return true
		}
		list = blocked6
	}
	for _, p := range list {
		if p.Contains(a) {
			return true
		}
	}
	return !a.IsValid()
}

// literal is the address that a hostname of a URL is, if it is one.
func literal(hostname string) (netip.Addr, bool) {
	if h, ok := strings.CutPrefix(hostname, "["); ok {
		hostname = strings.TrimSuffix(h, "]")
	}
	a, err := netip.ParseAddr(hostname)
	return a, err == nil
}

// isLocalhost reports whether a name, without a dot at its end, means this host whatever
// DNS says (RFC 6761, section 6.3).
func isLocalhost(name string) bool {
	return name == "localhost" || strings.HasSuffix(name, ".localhost")
}

// guardTarget refuses what the URL alone shows to be internal.
func (c *Client) guardTarget(t *target) *bridges.Error {
	if c.p.AllowPrivateNetwork {
		return nil
	}
	if isLocalhost(t.name) {
		return blockedf("access to localhost is blocked")
	}
	if a, ok := literal(t.name); ok && isBlocked(a) {
		return blockedf("access to internal/private address %q is blocked", a)
	}
	return nil
}

// guardAnswers refuses a name of which any address is internal.
func (c *Client) guardAnswers(host string, answers []netip.Addr) *bridges.Error {
	if c.p.AllowPrivateNetwork {
		return nil
	}
	for _, a := range answers {
		if isBlocked(a) {
			return blockedf("%q resolves to the internal address %q, which is blocked", host, a.WithZone("").Unmap())
		}
	}
	return nil
}

// guardSocket is the last check, on the address to which a socket is about to connect. What
// came before has checked it already; it holds if that ever fails to.
func (c *Client) guardSocket(_ context.Context, network, address string, _ syscall.RawConn) error {
	if c.p.AllowPrivateNetwork {
		return nil
	}
	ap, err := netip.ParseAddrPort(address)
	if err != nil || network != "tcp4" && network != "tcp6" || isBlocked(ap.Addr()) {
		return blockedf("access to an internal/private address is blocked")
	}
	return nil
}

func blockedf(format string, args ...any) *bridges.Error {
	return &bridges.Error{Kind: bridges.KindDenied, Op: "fetch", Name: "BlockedError", Code: CodeBlocked, Message: fmt.Sprintf(format, args...)}
}
