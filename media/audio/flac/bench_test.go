package flac

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"syscall"
	"testing"
)

func BenchmarkFile(b *testing.B) {
	data, err := os.ReadFile(os.Getenv("FLAC_FILE"))
	if err != nil {
		b.Skip()
	}
	n := 0
	var u0, u1 syscall.Rusage
	syscall.Getrusage(0, &u0)
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
	syscall.Getrusage(0, &u1)
	b.ReportMetric(float64(u1.Utime.Nano()-u0.Utime.Nano())/float64(b.N)/float64(n), "cpu-ns/sample")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/sample")
}

func BenchmarkEnc(b *testing.B) {
	data, err := os.ReadFile(os.Getenv("WAV_FILE"))
	if err != nil {
		b.Skip()
	}
	data = data[bytes.Index(data, []byte("data"))+8:]
	n := len(data) / 4
	l, r := make([]int32, n), make([]int32, n)
	for i := range n {
		l[i] = int32(int16(uint16(data[4*i]) | uint16(data[4*i+1])<<8))
		r[i] = int32(int16(uint16(data[4*i+2]) | uint16(data[4*i+3])<<8))
	}
	eff, _ := strconv.Atoi(os.Getenv("EFFORT"))
	var u0, u1 syscall.Rusage
	syscall.Getrusage(0, &u0)
	var out []byte
	for b.Loop() {
		e, err := NewEncoder(Info{Rate: 44100, Channels: 2, Depth: 16, Frames: int64(n)}, Options{Effort: eff})
		if err != nil {
			b.Fatal(err)
		}
		for at := 0; at < n; at += 16384 {
			to := min(at+16384, n)
			e.Write([][]int32{l[at:to], r[at:to]})
		}
		out, err = e.Finish()
		if err != nil {
			b.Fatal(err)
		}
	}
	syscall.Getrusage(0, &u1)
	os.WriteFile(os.Getenv("OUT_FILE"), out, 0o644)
	b.ReportMetric(float64(len(out)), "bytes")
	b.ReportMetric(float64(u1.Utime.Nano()-u0.Utime.Nano())/float64(b.N)/float64(2*n), "cpu-ns/sample")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(2*n), "ns/sample")
}
