package zip

import (
	gozip "archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	kflate "github.com/klauspost/compress/flate"
)

// prose is n bytes of text whose words come as often as those of a language do. It repeats
// itself at a distance which Deflate does not see.
func prose(n int, seed uint64) []byte {
	if most := 256 << 10; n > most {
		b := prose(most, seed)
		for len(b) < n {
			b = append(b, b[:min(len(b), n-len(b))]...)
		}
		return b
	}
	r := rand.New(rand.NewPCG(seed, 1))
	words := make([]string, 8000)
	for i := range words {
		var w strings.Builder
		for range 2 + r.IntN(3) {
			w.WriteByte("bcdfghklmnprstvw"[r.IntN(16)])
			w.WriteByte("aeiou"[r.IntN(5)])
		}
		words[i] = w.String()
	}
	z := rand.NewZipf(r, 1.2, 4, uint64(len(words)-1))
	b := make([]byte, 0, n+16)
	for len(b) < n {
		b = append(b, words[z.Uint64()]...)
		switch r.IntN(12) {
		case 0:
			b = append(b, ",.\n;"[r.IntN(4)])
		}
		b = append(b, ' ')
	}
	return b[:n]
}

// texts are files of text, n bytes in all.
func texts(n, files int) []File {
	list := make([]File, files)
	for i := range list {
		list[i] = File{Name: fmt.Sprintf("text/%03d.txt", i), Data: prose(n/files, uint64(i))}
	}
	return list
}

func BenchmarkCreate(b *testing.B) {
	for _, files := range []int{1, 50} {
		list := texts(50<<20, files)
		for level := 1; level <= 9; level++ {
			b.Run(fmt.Sprintf("files=%d/level=%d", files, level), func(b *testing.B) {
				b.SetBytes(50 << 20)
				for b.Loop() {
					out, err := Create(b.Context(), list, Options{Level: level})
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(len(out)), "size")
				}
			})
		}
		b.Run(fmt.Sprintf("files=%d/archive-zip", files), func(b *testing.B) {
			b.SetBytes(50 << 20)
			for b.Loop() {
				b.ReportMetric(float64(len(goZip(b, list))), "size")
			}
		})
	}
}

func goZip(t testing.TB, files []File) []byte {
	var buf bytes.Buffer
	w := gozip.NewWriter(&buf)
	for _, f := range files {
		to, err := w.Create(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		to.Write(f.Data)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func BenchmarkReadAll(b *testing.B) {
	for _, files := range []int{1, 50} {
		data := goZip(b, texts(50<<20, files))
		b.Run(fmt.Sprintf("files=%d/ours", files), func(b *testing.B) {
			b.SetBytes(50 << 20)
			for b.Loop() {
				a, err := OpenBytes(data, Limits{})
				if err != nil {
					b.Fatal(err)
				}
				list := make([]*Entry, len(a.Entries))
				for i := range list {
					list[i] = &a.Entries[i]
				}
				if _, err := a.ReadAll(b.Context(), list); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("files=%d/archive-zip", files), func(b *testing.B) {
			b.SetBytes(50 << 20)
			for b.Loop() {
				r, err := gozip.NewReader(bytes.NewReader(data), int64(len(data)))
				if err != nil {
					b.Fatal(err)
				}
				for _, f := range r.File {
					rc, err := f.Open()
					if err != nil {
						b.Fatal(err)
					}
					out := make([]byte, f.UncompressedSize64)
					if _, err := io.ReadFull(rc, out); err != nil {
						b.Fatal(err)
					}
					rc.Close()
				}
			}
		})
	}
}

func BenchmarkInflate(b *testing.B) {
	data := prose(8<<20, 1)
	var buf bytes.Buffer
	w, _ := flate.NewWriter(&buf, 6)
	w.Write(data)
	w.Close()
	out := make([]byte, len(data))
	run := func(name string, f func() error) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}
			if !bytes.Equal(out, data) {
				b.Fatal("other bytes came out")
			}
		})
	}
	run("ours", func() error { _, err := inflate(b.Context(), out, buf.Bytes()); return err })
	k := kflate.NewReader(bytes.NewReader(nil))
	run("klauspost", func() error {
		k.(kflate.Resetter).Reset(bytes.NewReader(buf.Bytes()), nil)
		_, err := io.ReadFull(k, out)
		return err
	})
	s := flate.NewReader(bytes.NewReader(nil))
	run("standard", func() error {
		s.(flate.Resetter).Reset(bytes.NewReader(buf.Bytes()), nil)
		_, err := io.ReadFull(s, out)
		return err
	})
	runtime.KeepAlive(out)
}
