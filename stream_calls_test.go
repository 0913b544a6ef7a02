package quicksand

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quicksand/bridges"
)

// visitServer answers lines on loopback, except those which say wait, and counts its
// connections.
type visitServer struct {
	l       net.Listener
	all     sync.WaitGroup
	open    atomic.Int64
	total   atomic.Int64
	waiting chan struct{} // one for each line that gets no answer
}

func newVisitServer(t *testing.T) *visitServer {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &visitServer{l: l, waiting: make(chan struct{}, 2000)}
	s.all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s.open.Add(1)
			s.total.Add(1)
			s.all.Go(func() { // ends when the other side closes
				defer s.open.Add(-1)
				defer c.Close()
				for in := bufio.NewScanner(c); in.Scan(); {
					if in.Text() == "wait" {
						s.waiting <- struct{}{}
						continue
					}
					fmt.Fprintln(c, "hello", in.Text())
				}
			})
		}
	})
	return s
}

// visitBridge is a capability as an embedder writes one: each call has a connection and a
// file of its own, and gives both back whichever way it ends.
func visitBridge(addr, dir string, calls *sync.WaitGroup) *bridges.Bridge {
	return &bridges.Bridge{Name: "visit", Always: true, Concurrency: 200, Funcs: []bridges.Func{{
		Name: "visit", Params: []bridges.Param{{Name: "line", Type: bridges.String}},
		Call: func(ctx context.Context, c *bridges.Call) (any, error) {
			calls.Add(1)
			defer calls.Done()
			f, err := os.CreateTemp(dir, "visit")
			if err != nil {
				return nil, bridges.Errorf("visit", "no file")
			}
			defer os.Remove(f.Name())
			defer f.Close()
			conn, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
			if err != nil {
				return nil, bridges.Errorf("visit", "no connection")
			}
			defer conn.Close()
			defer context.AfterFunc(ctx, func() { conn.Close() })()
			fmt.Fprintln(conn, c.Str(0))
			answer, err := bufio.NewReader(conn).ReadString('\n')
			if err != nil {
				return nil, bridges.Errorf("visit", "no answer")
			}
			_, err = f.WriteString(answer)
			return answer, err
		}}}}
}

// Calls that are cut off with their run give back all that they held.
func TestCancelledCallsLeaveNothingBehind(t *testing.T) {
	sequential, parallel := 1000, 200
	if testing.Short() {
		sequential = 100
	}
	for _, row := range []struct {
		name, code string
		waits      int // lines without an answer after which the run is cancelled
	}{
		{"after the sequential calls, among the parallel ones",
			`for (let i = 0; i < inputs.sequential; i++) if (await visit("n" + i) !== "hello n" + i + "\n") throw 1;
			const all = []; for (let i = 0; i < inputs.parallel; i++) all.push(visit(i % 2 ? "wait" : "n"));
			await Promise.all(all);`, parallel / 2},
		{"in the middle of the sequential calls, with parallel ones under way",
			`const all = []; for (let i = 0; i + 1 < inputs.parallel; i++) all.push(visit("wait"));
			for (let i = 0; i < inputs.sequential; i++) await visit(i === inputs.sequential / 2 ? "wait" : "n");
			await Promise.all(all);`, parallel},
	} {
		t.Run(row.name, func(t *testing.T) {
			eachEngine(t, func(t *testing.T, base *Sandbox) {
				dir := t.TempDir()
				before := processNow(t)
				server := newVisitServer(t)
				var calls sync.WaitGroup
				box := own(t, base, Config{Isolates: 1, Bridges: []*bridges.Bridge{visitBridge(server.l.Addr().String(), dir, &calls)}})
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				canceller := make(chan struct{})
				go func() {
					defer close(canceller)
					for range row.waits {
						<-server.waiting
					}
					cancel()
				}()
				res, err := box.Run(ctx, row.code, Options{Inputs: map[string]any{"sequential": sequential, "parallel": parallel}, Limits: Limits{Timeout: time.Minute}})
				wantKind(t, err, KindCancelled)
				<-canceller
				if n := res.Usage.Abandoned; n > 10 && !raceEnabled {
					t.Errorf("%d calls were still cleaning up when Run returned", n) // on a busy machine a few may be
				}
				calls.Wait()
				server.l.Close()
				server.all.Wait() // each connection was closed from the other side
				if n, total := server.open.Load(), server.total.Load(); n != 0 || total < int64(row.waits) {
					t.Errorf("%d of %d connections are open", n, total)
				}
				if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 0 {
					t.Errorf("%d files are left", len(left))
				}
				alive(t, box)
				after := processNow(t)
				for i := 0; i < 1000 && after.goroutines > before.goroutines; i++ {
					runtime.Gosched() // a worker ends after its last call
					after.goroutines = runtime.NumGoroutine()
				}
				if after.goroutines > before.goroutines || after.fds > before.fds {
					t.Errorf("grew from %+v to %+v", before, after)
				}
			})
		})
	}
}
