package fetch

import (
	"bytes"
	stdgzip "compress/gzip"
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// BenchmarkClientOfARun is what it costs that each run has connections of its own.
func BenchmarkClientOfARun(b *testing.B) {
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, `{"a":1}`) })
	plain, secure := httptest.NewServer(answer), httptest.NewTLSServer(answer)
	defer plain.Close()
	defer secure.Close()
	roots := x509.NewCertPool()
	roots.AddCert(secure.Certificate())
	policy := &Policy{Allow: []string{"*"}, AllowPrivateNetwork: true, RootCAs: roots, MaxCalls: 100}
	checked, err := check(policy)
	if err != nil {
		b.Fatal(err)
	}
	get := func(b *testing.B, c *Client, u string) {
		if _, err := c.Get(context.Background(), u, 0); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("check", func(b *testing.B) {
		for b.Loop() {
			check(policy)
		}
	})
	b.Run("new and close", func(b *testing.B) {
		for b.Loop() {
			newClient(checked, nil).Close()
		}
	})
	for name, u := range map[string]string{"http": plain.URL, "https": secure.URL} {
		b.Run(name+", a client for each request", func(b *testing.B) {
			for b.Loop() {
				c := newClient(checked, nil)
				get(b, c, u)
				c.Close()
			}
		})
		b.Run(name+", one client", func(b *testing.B) {
			c := newClient(checked, nil)
			defer c.Close()
			for b.Loop() {
				c.calls.Store(0)
				c.bytes.Store(0)
				get(b, c, u)
			}
		})
	}
}

func BenchmarkGzip(b *testing.B) {
	var rows strings.Builder
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 20_000 {
		fmt.Fprintf(&rows, `{"id":%d,"name":"customer %x","active":%v,"score":%v},`, i, random.Uint32(), random.IntN(2) == 0, random.Float32())
	}
	text := []byte(rows.String())
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write(text)
	w.Close()
	b.Run("klauspost", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			r, _ := gzip.NewReader(bytes.NewReader(z.Bytes()))
			io.Copy(io.Discard, r)
		}
	})
	b.Run("standard", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			r, _ := stdgzip.NewReader(bytes.NewReader(z.Bytes()))
			io.Copy(io.Discard, r)
		}
	})
}
