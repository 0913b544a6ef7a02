package fetch

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"code.dny.dev/ssrf"

	"quicksand/bridges"
)

func TestBlockedRanges(t *testing.T) {
	for _, row := range []struct {
		addr    string
		blocked bool
	}{
		{"0.0.0.0", true}, {"0.255.255.255", true}, {"1.0.0.0", false}, {"9.255.255.255", false}, {"10.0.0.0", true}, {"10.255.255.255", true}, {"11.0.0.0", false},
		{"100.63.255.255", false}, {"100.64.0.0", true}, {"100.100.100.200", true}, {"100.127.255.255", true}, {"100.128.0.0", false},
		{"126.255.255.255", false}, {"127.0.0.0", true}, {"127.255.255.255", true}, {"128.0.0.0", false},
		{"168.63.129.15", false}, {"168.63.129.16", true}, {"168.63.129.17", false},
		{"169.253.255.255", false}, {"169.254.0.0", true}, {"169.254.169.254", true}, {"169.254.255.255", true}, {"169.255.0.0", false},
		{"172.15.255.255", false}, {"172.16.0.0", true}, {"172.31.255.255", true}, {"172.32.0.0", false},
		{"191.255.255.255", false}, {"192.0.0.0", true}, {"192.0.0.192", true}, {"192.0.1.0", false}, {"192.0.2.255", true}, {"192.0.3.0", false},
		{"192.88.98.255", false}, {"192.88.99.1", true}, {"192.167.255.255", false}, {"192.168.0.0", true}, {"192.168.255.255", true}, {"192.169.0.0", false},
		{"198.17.255.255", false}, {"198.18.0.0", true}, {"198.19.255.255", true}, {"198.20.0.0", false},
		{"198.51.99.255", false}, {"198.51.100.7", true}, {"203.0.112.255", false}, {"203.0.113.7", true}, {"203.0.114.0", false},
		{"223.255.255.255", false}, {"224.0.0.0", true}, {"239.255.255.255", true}, {"240.0.0.0", true}, {"255.255.255.255", true},
		{"::", true}, {"::1", true}, {"::2", true}, {"::8.8.8.8", true}, {"::127.0.0.1", true}, {"::ffff:127.0.0.1", true}, {"::ffff:8.8.8.8", false},
		{"::ffff:0:8.8.8.8", true}, {"64:ff9b::127.0.0.1", true}, {"64:ff9b::8.8.8.8", false}, {"64:ff9b::a9fe:a9fe", true}, {"64:ff9b:1::8.8.8.8", true}, {"64:ff9b::1:0:0", true},
		{"100::1", true}, {"1fff::1", true}, {"2000::1", false}, {"2001::1", true}, {"2001:1ff::", true}, {"2001:200::1", false}, {"2001:db7::1", false},
		{"2001:db8::1", true}, {"2001:db9::1", false}, {"2002:808:808::1", true}, {"2003::1", false}, {"2606:4700::1111", false}, {"3fff::1", true}, {"3fff:1000::1", false},
		{"4000::1", true}, {"5f00::1", true}, {"fc00::1", true}, {"fd00:ec2::254", true}, {"fe00::1", true}, {"fe80::1", true}, {"fe80::1%eth0", true}, {"febf::1", true}, {"fec0::1", true}, {"ff02::1", true},
		{"2606:4700::1111%eth0", false},
	} {
		if got := isBlocked(netip.MustParseAddr(row.addr)); got != row.blocked {
			t.Errorf("%s: blocked is %v, want %v", row.addr, got, row.blocked)
		}
	}
	if !isBlocked(netip.Addr{}) {
		t.Error("no address at all passes")
	}
}

// TestGuardAgainstOracle compares with a library that was written from the same registries.
func TestGuardAgainstOracle(t *testing.T) {
	oracle := ssrf.New()
	azure := netip.MustParseAddr("168.63.129.16")
	compare := func(a netip.Addr) {
		a = a.Unmap() // as sockets name them
		network := "tcp4"
		if a.Is6() {
			network = "tcp6"
		}
		blocked := oracle.Safe(network, netip.AddrPortFrom(a, 443).String(), nil) != nil
		if nat64.Contains(a) {
			// It refuses NAT64 as a whole, or allows it with whatever is embedded.
			b := a.As16()
			blocked = oracle.Safe("tcp4", netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[12:])), 443).String(), nil) != nil
		}
		if got := isBlocked(a); got != blocked && a != azure {
			t.Errorf("%s: blocked is %v, the oracle says %v", a, got, blocked)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, p := range append(append([]netip.Prefix{global6, nat64}, blocked4...), blocked6...) {
		first := p.Masked().Addr()
		compare(first)
		if prev := first.Prev(); prev.IsValid() {
			compare(prev)
		}
		b := first.AsSlice()
		for i := p.Bits(); i < len(b)*8; i++ {
			b[i/8] |= 0x80 >> (i % 8)
		}
		last, _ := netip.AddrFromSlice(b)
		compare(last)
		if next := last.Next(); next.IsValid() {
			compare(next)
		}
	}
	for range 20000 {
		var v4 [4]byte
		var v6 [16]byte
		for i := range v4 {
			v4[i] = byte(r.Uint32())
		}
		for i := range v6 {
			v6[i] = byte(r.Uint32())
		}
		compare(netip.AddrFrom4(v4))
		compare(netip.AddrFrom16(v6))
		v6[0] = v6[0]&0x1f | 0x20 // global unicast
		compare(netip.AddrFrom16(v6))
		copy(v6[:], netip.MustParseAddr("64:ff9b::").AsSlice())
		copy(v6[12:], v4[:])
		compare(netip.AddrFrom16(v6))
	}
}

// publicIP stands for the only host on the Internet that tests know: connections to it go
// to a server of the test.
const publicIP = "93.184.215.14"

// fakeDNS answers from a table: the answers of one name in turn.
type fakeDNS struct {
	mu    sync.Mutex
	names map[string][]string // each a list of addresses, separated by spaces
	asked map[string]int
}

func (d *fakeDNS) LookupNetIP(_ context.Context, _, host string) (out []netip.Addr, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.asked == nil {
		d.asked = make(map[string]int)
	}
	answers := d.names[strings.TrimSuffix(host, ".")]
	if len(answers) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	n := d.asked[host]
	d.asked[host]++
	for _, a := range strings.Fields(answers[n%len(answers)]) {
		out = append(out, netip.MustParseAddr(a))
	}
	return out, nil
}

// victim is a server that nobody may reach: it listens on all addresses of the loopback
// interface and counts.
func victim(t *testing.T) (port string, hits *atomic.Int64) {
	t.Helper()
	hits = new(atomic.Int64)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ = net.SplitHostPort(l.Addr().String())
	listeners := []net.Listener{l}
	if l6, err := net.Listen("tcp", net.JoinHostPort("::1", port)); err == nil {
		listeners = append(listeners, l6)
	}
	var wg sync.WaitGroup
	for _, l := range listeners {
		wg.Go(func() { // ends when the listener is closed
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				hits.Add(1)
				c.Close()
			}
		})
	}
	t.Cleanup(func() {
		for _, l := range listeners {
			l.Close()
		}
		wg.Wait()
	})
	return port, hits
}

// guarded is a client without private network, whose Internet is one server.
func guarded(t *testing.T, dns Resolver, internet string, p Policy) *Client {
	t.Helper()
	if p.Allow == nil {
		p.Allow = []string{"*"}
	}
	p.Resolver = dns
	c, err := New(&p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	real := c.dialer.connect
	c.dialer.connect = func(ctx context.Context, network, address string) (net.Conn, error) {
		switch host, _, _ := net.SplitHostPort(address); {
		case host == publicIP:
			return new(net.Dialer).DialContext(ctx, network, internet)
		case netip.MustParseAddr(host).IsLoopback():
			return real(ctx, network, address)
		}
		t.Errorf("dialled %s", address)
		return nil, errors.New("not in a test")
	}
	return c
}

// hostile are URLs that must not connect to anything; PORT stands for the victim's port.
var hostile = strings.Fields(`
	http://127.0.0.1:PORT/ http://127.1:PORT/ http://127.0.1:PORT/ http://2130706433:PORT/ http://0x7f000001:PORT/ http://0x7f.0.0.1:PORT/
	http://0x7F.1:PORT/ http://0177.0.0.1:PORT/ http://017700000001:PORT/ http://0177.1:PORT/ http://127.0.0.1.:PORT/ http://127.1.:PORT/
	http://%31%32%37.0.0.1:PORT/ http://①②⑦.0.0.1:PORT/ http://127。0。0。1:PORT/ http://１２７．０．０．１:PORT/ http://0:PORT/ http://0.0.0.0:PORT/
	http://00.0.0.0:PORT/ http://0x0:PORT/ http://127.255.255.254:PORT/ http://127.0.0.1:0PORT/
	http://[::1]:PORT/ http://[0:0:0:0:0:0:0:1]:PORT/ http://[0000::0001]:PORT/ http://[::]:PORT/ http://[::ffff:127.0.0.1]:PORT/
	http://[::ffff:7f00:1]:PORT/ http://[0:0:0:0:0:ffff:7f00:0001]:PORT/ http://[::FFFF:127.0.0.1]:PORT/ http://[::127.0.0.1]:PORT/ http://[::7f00:1]:PORT/
	http://[::ffff:0:127.0.0.1]:PORT/ http://[64:ff9b::127.0.0.1]:PORT/ http://[64:ff9b::7f00:1]:PORT/ http://[64:ff9b:1::127.0.0.1]:PORT/
	http://[2002:7f00:1::]:PORT/ http://[2002:7f00:1::1]:PORT/ http://[2001:0:7f00:1::]:PORT/ http://[2001::1]:PORT/ http://[fe80::1]:PORT/
	http://[fe80::1%25lo]:PORT/ http://[::1%25lo]:PORT/ http://[::1%lo]:PORT/ http://[fec0::1]:PORT/ http://[fc00::1]:PORT/ http://[fd00:ec2::254]:PORT/ http://[ff02::1]:PORT/
	http://[ff0e::1]:PORT/ http://[2001:db8::1]:PORT/ http://[3fff::1]:PORT/ http://[100::1]:PORT/
	http://10.0.0.1:PORT/ http://10.255.255.255:PORT/ http://172.16.0.1:PORT/ http://172.31.255.254:PORT/ http://192.168.0.1:PORT/ http://192.168.255.255:PORT/
	http://169.254.169.254/latest/meta-data/ http://0xa9fea9fe/ http://2852039166/ http://169.254.170.2/ http://100.64.0.1:PORT/ http://100.100.100.200/ http://168.63.129.16/
	http://192.0.0.192/ http://192.0.2.1:PORT/ http://192.88.99.1:PORT/ http://198.18.0.1:PORT/ http://198.51.100.1:PORT/ http://203.0.113.1:PORT/
	http://224.0.0.1:PORT/ http://239.255.255.255:PORT/ http://240.0.0.1:PORT/ http://255.255.255.255:PORT/
	http://localhost:PORT/ http://LOCALHOST:PORT/ http://localhost.:PORT/ http://a.localhost:PORT/ http://a.b.LocalHost.:PORT/ http://ⓛocalhost:PORT/ http://loc%61lhost:PORT/ https://localhost:PORT/
	http://loopback.test:PORT/ http://loopback.test.:PORT/ http://LOOPBACK.TEST:PORT/ http://six.test:PORT/ http://mapped.test:PORT/ http://zone.test:PORT/ http://mixed.test:PORT/ http://mixed-last.test:PORT/
	http://nat64.test:PORT/ http://metadata.test:PORT/ http://many.test:PORT/ https://loopback.test:PORT/ http://unset.test:PORT/
	http://public.test@127.0.0.1:PORT/ http://127.0.0.1:PORT@public.test/ http://public.test:80@127.0.0.1:PORT/ http://127.0.0.1:PORT#@public.test/ http://127.0.0.1:PORT\@public.test/
	http://127.0.0.1:PORT?@public.test/ http:127.0.0.1:PORT http:/127.0.0.1:PORT/ http:\\127.0.0.1:PORT/ http:///127.0.0.1:PORT/ http:////127.0.0.1:PORT/ HTTP://127.0.0.1:PORT/ 
	//127.0.0.1:PORT/ 127.0.0.1:PORT file:///etc/passwd file://localhost/etc/passwd ftp://127.0.0.1:PORT/ gopher://127.0.0.1:PORT/_x ws://127.0.0.1:PORT/ wss://127.0.0.1:PORT/
	data:text/plain,hi javascript:1 blob:http://127.0.0.1:PORT/x jar:http://127.0.0.1:PORT/!x about:blank view-source:http://127.0.0.1:PORT/ unix:/var/run/docker.sock http+unix://x/
	http://127.0.0.1:PORT%2f@public.test/ http://[::1]%2f:PORT/ http://[::1:PORT/ http://[::1].public.test:PORT/ http://127.0.0.1%00.public.test:PORT/ http://256.256.256.256:PORT/ http://1.2.3.4.5:PORT/ http://0x100000000:PORT/
	`)

func hostileDNS() *fakeDNS {
	return &fakeDNS{names: map[string][]string{
		"public.test": {publicIP}, "loopback.test": {"127.0.0.1"}, "six.test": {"::1"}, "mapped.test": {"::ffff:127.0.0.1"}, "zone.test": {"fe80::1%lo"},
		"mixed.test": {"127.0.0.1 " + publicIP}, "mixed-last.test": {publicIP + " " + publicIP + " ::1"}, "nat64.test": {"64:ff9b::7f00:1"},
		"metadata.test": {"169.254.169.254"}, "many.test": {strings.Repeat(publicIP+" ", 20) + "10.0.0.1"}, "unset.test": {"0.0.0.0"},
	}}
}

func TestNothingInternalIsReached(t *testing.T) {
	if len(hostile) < 60 {
		t.Fatalf("only %d URLs", len(hostile))
	}
	port, hits := victim(t)
	var redirected atomic.Int64
	internet := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		redirected.Add(1)
		// A chain of as many hops as the query says, then the target.
		q := r.URL.Query()
		if n := len(q.Get("hops")); n > 0 {
			q.Set("hops", q.Get("hops")[1:])
			w.Header().Set("Location", "?"+q.Encode())
		} else {
			w.Header()["Location"] = []string{q.Get("to")}
		}
		w.WriteHeader(http.StatusTemporaryRedirect)
	}))
	defer internet.Close()
	for _, u := range hostile {
		u = strings.ReplaceAll(u, "PORT", port)
		for _, via := range []string{"", "redirect", "chain"} {
			name, target := u, u
			switch via {
			case "redirect":
				target = "http://public.test/?to=" + url.QueryEscape(u)
				name += " by redirect"
			case "chain":
				target = "http://public.test/?hops=xxx&to=" + url.QueryEscape(u)
				name += " at the end of a chain"
			}
			c := guarded(t, hostileDNS(), internet.Listener.Addr().String(), Policy{})
			before := redirected.Load()
			res, err := c.Do(context.Background(), &Request{Method: "POST", URL: target, Body: []byte("x"), Header: []Field{{"authorization", "a"}}})
			if via != "" && (u == "127.0.0.1:"+port || strings.HasPrefix(u, "http:127") || strings.HasPrefix(u, "http:/127")) {
				// Relative to an http URL these are paths, of the server that redirects.
				if err != nil || !strings.HasPrefix(res.URL, "http://public.test/127.0.0.1:") {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			var e *bridges.Error
			if !errors.As(err, &e) {
				t.Errorf("%s: no error", name)
				continue
			}
			refused := e.Kind == bridges.KindDenied || e.Code == CodeURL || e.Name == "BlockedError"
			if !refused {
				t.Errorf("%s: %s %s: %s", name, e.Name, e.Code, e)
			}
			if via == "" && c.calls.Load() != 0 {
				t.Errorf("%s: a refused request counted as a call", name)
			}
			if want := map[string]int64{"": 0, "redirect": 1, "chain": 4}[via]; redirected.Load()-before != want {
				t.Errorf("%s: %d hops, want %d", name, redirected.Load()-before, want)
			}
			c.Close()
		}
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("%d connections reached the internal server", n)
	}
}

// TestRebinding changes what a name means after it was checked.
func TestRebinding(t *testing.T) {
	port, hits := victim(t)
	internet := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/again" {
			http.Redirect(w, r, "http://rebind.test:"+port+"/", http.StatusFound)
		}
		w.Header().Set("Connection", "close")
	}))
	defer internet.Close()
	dns := &fakeDNS{names: map[string][]string{"rebind.test": {publicIP, "127.0.0.1", "::1"}}}
	c := guarded(t, dns, internet.Listener.Addr().String(), Policy{})
	for _, path := range []string{"/", "/again", "/", "/again"} {
		if _, err := c.Get(context.Background(), "http://rebind.test:"+port+path, 0); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if dns.asked["rebind.test"] != 1 {
		t.Errorf("the name was resolved %d times, want once", dns.asked["rebind.test"])
	}
	// A client that asks again meets the second answer.
	c2 := guarded(t, dns, internet.Listener.Addr().String(), Policy{})
	_, err := c2.Get(context.Background(), "http://rebind.test:"+port+"/", 0)
	if want := `fetch: "rebind.test" resolves to the internal address "127.0.0.1", which is blocked`; err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
	if hits.Load() != 0 {
		t.Errorf("%d connections reached the internal server", hits.Load())
	}
}

// TestTheSocketIsGuardedToo goes around the checks that come before.
func TestTheSocketIsGuardedToo(t *testing.T) {
	port, hits := victim(t)
	c, err := New(&Policy{Allow: []string{"*"}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, host := range []string{"127.0.0.1", "::1", "localhost", "::ffff:127.0.0.1", "0.0.0.0"} {
		conn, err := c.dialer.connect(context.Background(), "tcp", net.JoinHostPort(host, port))
		if err == nil {
			conn.Close()
			t.Errorf("%s: connected", host)
			continue
		}
		if e := explain(context.Background(), host, err, 0, false); e.Name != "BlockedError" {
			t.Errorf("%s: %v", host, err)
		}
	}
	if err := c.guardSocket(context.Background(), "unix", "/tmp/socket", nil); err == nil {
		t.Error("a unix socket passes")
	}
	if hits.Load() != 0 {
		t.Errorf("%d connections reached the internal server", hits.Load())
	}
}

func TestGuardMessages(t *testing.T) {
	c := guarded(t, hostileDNS(), "", Policy{})
	for _, row := range []struct{ url, want string }{
		{"http://2130706433/", `fetch: access to internal/private address "127.0.0.1" is blocked`},
		{"http://[::ffff:7f00:1]/", `fetch: access to internal/private address "::ffff:127.0.0.1" is blocked`},
		{"http://a.localhost./", `fetch: access to localhost is blocked`},
		{"http://mixed-last.test/", `fetch: "mixed-last.test" resolves to the internal address "::1", which is blocked`},
		{"http://zone.test/", `fetch: "zone.test" resolves to the internal address "fe80::1", which is blocked`},
		{"ftp://x/", `fetch: unsupported scheme "ftp:": use http: or https:`},
		{"http://[::1%25lo]/", `fetch: invalid URL "http://[::1%25lo]/"`},
		{"http://u:p@public.test/", `fetch: the URL holds a user name or password; send an authorization header instead`},
	} {
		if _, err := c.Get(context.Background(), row.url, 0); err == nil || err.Error() != row.want {
			t.Errorf("%s:\ngot  %v\nwant %s", row.url, err, row.want)
		}
	}
}

func TestPrivateNetworkByGrant(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Host) }))
	defer srv.Close()
	_, port, _ := net.SplitHostPort(srv.Listener.Addr().String())
	c, err := New(&Policy{Allow: []string{"inside.test", "127.0.0.1"}, AllowPrivateNetwork: true, Resolver: &fakeDNS{names: map[string][]string{"inside.test": {"127.0.0.1"}}}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, u := range []string{"http://inside.test:" + port + "/", "http://0x7f.1:" + port + "/"} {
		if res, err := c.Get(context.Background(), u, 0); err != nil || res.Status != 200 {
			t.Errorf("%s: %v", u, err)
		}
	}
	if _, err := c.Get(context.Background(), "http://localhost:"+port+"/", 0); err == nil || !strings.Contains(err.Error(), "not among the hosts") {
		t.Errorf("a name that is not allowed: %v", err)
	}
	if _, err := c.Get(context.Background(), "file:///etc/passwd", 0); err == nil || !strings.Contains(err.Error(), "unsupported scheme") {
		t.Errorf("a file: %v", err)
	}
}

func TestHappyEyeballs(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "ok") }))
	defer srv.Close()
	dns := &fakeDNS{names: map[string][]string{"two.test": {"2606:4700::1 " + publicIP}, "dead.test": {"2606:4700::1 2606:4700::2"}}}
	c, err := New(&Policy{Allow: []string{"*"}, Resolver: dns})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	hang := make(chan struct{})
	c.dialer.connect = func(ctx context.Context, network, address string) (net.Conn, error) {
		switch host, _, _ := net.SplitHostPort(address); host {
		case publicIP:
			return net.Dial("tcp", srv.Listener.Addr().String())
		case "2606:4700::1":
			if strings.HasSuffix(address, ":1") {
				return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
			}
			<-ctx.Done() // a network that swallows packets
			close(hang)
			return nil, ctx.Err()
		}
		return nil, &net.OpError{Op: "dial", Err: syscall.EHOSTUNREACH}
	}
	if res, err := c.Get(context.Background(), "http://two.test/", 0); err != nil || string(res.Body) != "ok" {
		t.Errorf("the second address: %v", err)
	}
	<-hang // the first attempt ended, too
	var e *bridges.Error
	if _, err := c.Get(context.Background(), "http://dead.test:1/", 0); !errors.As(err, &e) || e.Code != CodeRefused {
		t.Errorf("the first error counts, got %v", err)
	}
}
