package flac

import (
	"io"
	"os"
	"testing"
)

func BenchmarkFile(b *testing.B) {
	data, err := os.ReadFile(os.Getenv("FLAC_FILE"))
	if err != nil {
		b.Skip()
	}
	n := 0
	for b.Loop() {
		d, err := NewDecoder(data)
		if err != nil {
			b.Fatal(err)
		}
		n = 0
		for {
			p, err := d.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			n += len(p) * len(p[0])
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/sample")
}
