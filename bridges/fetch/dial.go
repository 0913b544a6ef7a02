package fetch

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"
)

const (
	// maxAnswers bounds how many addresses of a name are tried.
	maxAnswers = 8
	// answersLast bounds how long answers of the resolver are used again, for runs that
	// wait for hours.
	answersLast = time.Minute
	// headStart is how long a connection attempt may take before the next address is tried
	// beside it (RFC 8305, section 5).
	headStart = 250 * time.Millisecond
)

// dialer opens the connections of one Client and remembers those that are open.
type dialer struct {
	c       *Client
	connect func(ctx context.Context, network, address string) (net.Conn, error)

	mu     sync.Mutex
	names  map[string]*lookup
	conns  map[*conn]struct{}
	closed bool
}

// A lookup is the question for the addresses of a name; done is closed when it is answered.
type lookup struct {
	done    chan struct{}
	answers []netip.Addr
	err     error
	until   time.Time
}

func newDialer(c *Client) *dialer {
	socket := &net.Dialer{ControlContext: c.guardSocket, KeepAlive: -1}
	if c.p.Proxy != nil {
		socket.ControlContext = nil // what the host chose to connect to
	}
	return &dialer{c: c, connect: socket.DialContext, names: make(map[string]*lookup), conns: make(map[*conn]struct{})}
}

// dial is http.Transport's DialContext.
func (d *dialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if d.c.p.Proxy != nil {
		raw, err := d.connect(ctx, network, address)
		return d.track(raw, err)
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if a, ok := literal(host); ok {
		if err := d.c.guardAnswers(host, []netip.Addr{a}); err != nil {
			return nil, err
		}
		raw, err := d.connect(ctx, network, net.JoinHostPort(a.String(), port))
		return d.track(raw, err)
	}
	answers, err := d.resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	if err := d.c.guardAnswers(host, answers); err != nil {
		return nil, err
	}
	return d.track(d.race(ctx, network, answers[:min(len(answers), maxAnswers)], port))
}

// race connects to the first address that answers.
func (d *dialer) race(ctx context.Context, network string, addrs []netip.Addr, port string) (net.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type result struct {
		conn net.Conn
		err  error
	}
	results := make(chan result, len(addrs))
	timer := time.NewTimer(headStart)
	defer timer.Stop()
	pending, next := 0, 0
	var first error
	for {
		if next < len(addrs) {
			address := net.JoinHostPort(addrs[next].String(), port)
			next++
			pending++
			// Ends with the attempt, which ends with ctx.
			go func() {
				conn, err := d.connect(ctx, network, address)
				results <- result{conn, err}
			}()
			timer.Reset(headStart)
		}
		select {
		case r := <-results:
			pending--
			if r.err == nil {
				// Those that are still under way end now, as ctx does.
				go func() {
					for range pending {
						if r := <-results; r.err == nil {
							r.conn.Close()
						}
					}
				}()
				return r.conn, nil
			}
			if first == nil {
				first = r.err
			}
			if pending == 0 && next == len(addrs) {
				return nil, first
			}
		case <-timer.C:
		}
	}
}

// resolve is the addresses of a name, at least one.
func (d *dialer) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	for {
		d.mu.Lock()
		l := d.names[host]
		leads := l == nil
		if leads {
			l = &lookup{done: make(chan struct{})}
			d.names[host] = l
		}
		d.mu.Unlock()
		if leads {
			d.ask(ctx, host, l)
			return l.answers, l.err
		}
		select {
		case <-l.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if l.err == nil && time.Now().Before(l.until) {
			return l.answers, nil
		}
		if l.err != nil && !errors.Is(l.err, context.Canceled) && !errors.Is(l.err, context.DeadlineExceeded) {
			return nil, l.err
		}
		// It ended for a reason of the one who asked, or is too old: ask again.
		d.forget(host, l)
	}
}

func (d *dialer) forget(host string, l *lookup) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.names[host] == l {
		delete(d.names, host)
	}
}

func (d *dialer) ask(ctx context.Context, host string, l *lookup) {
	l.answers, l.err = d.c.resolver.LookupNetIP(ctx, "ip", host)
	if l.err == nil && len(l.answers) == 0 {
		l.err = &net.DNSError{Err: "no addresses", Name: host, IsNotFound: true}
	}
	if l.err != nil && ctx.Err() != nil {
		l.err = ctx.Err()
	}
	l.until = time.Now().Add(answersLast)
	if l.err != nil {
		d.forget(host, l)
	}
	close(l.done)
}

// track remembers a connection until it is closed.
func (d *dialer) track(raw net.Conn, err error) (net.Conn, error) {
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: raw, d: d}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		raw.Close()
		return nil, net.ErrClosed
	}
	d.conns[c] = struct{}{}
	return c, nil
}

// closeAll closes all connections, and those that come later.
func (d *dialer) closeAll() {
	d.mu.Lock()
	d.closed = true
	conns := d.conns
	d.conns = make(map[*conn]struct{})
	d.mu.Unlock()
	for c := range conns {
		c.Conn.Close()
	}
}

type conn struct {
	net.Conn
	d *dialer
}

func (c *conn) Close() error {
	c.d.mu.Lock()
	delete(c.d.conns, c)
	c.d.mu.Unlock()
	return c.Conn.Close()
}
