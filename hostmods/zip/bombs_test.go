package zip

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"
)

// zeroed is n zeros, compressed, without the zeros being there at one time.
func zeroed(n int) []byte {
	b, err := Gzip(context.Background(), make([]byte, n), 9)
	if err != nil {
		panic(err)
	}
	return b[10 : len(b)-8]
}

// overlapping is an archive whose entries share one body, as in "A better zip bomb" by David
// Fifield: each entry begins with a stored block that quotes the next one's local header, and
// goes on with the contents of that one.
func overlapping(entries int, body []byte, plain int) []byte {
	name := func(i int) string { return fmt.Sprintf("%05d", i) }
	const header = entryLen + 5
	// From the last entry to the first, so that the sizes are known.
	total := entries*header + (entries-1)*5 + len(body)
	b := make([]byte, 0, total)
	var dir []byte
	for i := range entries {
		at := len(b)
		quotes := entries - 1 - i
		size, compressed := uint32(quotes*header+plain), uint32(quotes*(header+5)+len(body))
		fields := le.AppendUint16(le.AppendUint16(nil, 0), Deflate)
		fields = le.AppendUint32(fields, 0)
		fields = le.AppendUint32(fields, 1) // a checksum
		fields = le.AppendUint32(le.AppendUint32(fields, compressed), size)
		fields = le.AppendUint16(fields, 5)
		b = append(le.AppendUint16(le.AppendUint32(b, sigEntry), 20), fields...)
		b = append(le.AppendUint16(b, 0), name(i)...)
		if quotes > 0 {
			b = append(b, 0, header, 0, 0xff-header, 0xff) // a stored block with the next header
		}
		d := append(le.AppendUint32(nil, sigDirectory), 20, 0, 20, 0)
		d = append(d, fields...)
		d = append(d, make([]byte, 12)...)
		d = le.AppendUint32(d, uint32(at))
		dir = append(append(dir, d...), name(i)...)
	}
	b = append(b, body...)
	start := len(b)
	return append(append(b, dir...), ending(entries, len(dir), start, "")...)
}

// quine is an archive that holds itself, as far as it is read: a stored entry whose contents
// are the bytes of the archive up to a point, of which it is a part.
func quine() []byte {
	outer := build("", "", part{name: "q.zip", plain: make([]byte, 200)})
	copy(outer[entryLen+5:], outer[:200])
	sum := crcOf(outer[entryLen+5 : entryLen+5+200])
	le.PutUint32(outer[14:], sum)
	le.PutUint32(outer[entryLen+5+200+16:], sum)
	return outer
}

func crcOf(b []byte) uint32 {
	a := build("", "", part{name: "a", plain: b})
	return le.Uint32(a[14:])
}

func TestBombsStopAtTheirLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("makes and reads some hundred megabytes: two seconds")
	}
	bomb := zeroed(60 << 20)
	nested := build("", "", part{name: "zeros", plain: nil, data: bomb, method: Deflate, size: 60 << 20, crc: 1})
	for range 5 {
		nested = build("", "", part{name: "inner.zip", plain: nested, method: Deflate})
	}
	empty := make([]part, 100_000)
	for i := range empty {
		empty[i].name = strconv.Itoa(i)
	}
	eleven := make([]part, 11)
	five := zeroed(5 << 20)
	for i := range eleven {
		eleven[i] = part{name: strconv.Itoa(i), data: five, method: Deflate, size: 5 << 20, crc: le.Uint32(checksum(5 << 20))}
	}
	for _, test := range []struct {
		name, want string
		data       []byte
	}{
		{"60 MB of zeros in 60 KB whose header says 10 bytes", "holds more than the 10 bytes", build("", "", part{name: "a", data: bomb, method: Deflate, size: 10, crc: 1})},
		{"60 MB of zeros whose header says 40 MB", "holds more than the 41943040 bytes", build("", "", part{name: "a", data: bomb, method: Deflate, size: 40 << 20, crc: 1})},
		{"60 MB of zeros whose header tells", "more than the limit of 52428800", build("", "", part{name: "a", data: bomb, method: Deflate, size: 60 << 20, crc: 1})},
		{"eleven times 5 MB", "more than the limit of 52428800", build("", "", eleven...)},
		{"a few bytes that should be 49 MB", "limit of 1100 to one", build("", "", part{name: "a", data: bomb[:100], method: Deflate, size: 49 << 20, crc: 1})},
		{"100 000 empty entries", "more than the limit of 10000", build("", "", empty...)},
		{"100 000 empty entries of which the end tells 9 999", "more than the 9999 entries", lessEntries(build("", "", empty...), 9999)},
		{"entries that overlap", "overlap", overlapping(1000, bomb, 60<<20)},
		{"an archive that holds itself", "", quine()},
		{"five archives in each other", "", nested},
	} {
		for _, how := range []struct {
			name string
			read func() error
		}{
			{"in memory", func() error { _, err := readAll(t, test.data, Limits{}); return err }},
			{"in pieces", func() error { return inPieces(t, test.data) }},
		} {
			var err error
			grew := growth(t, func() { err = how.read() })
			t.Logf("%s, %s: %.1f MB, %v", test.name, how.name, float64(grew)/1e6, err)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("%s, %s: got %v, not %q", test.name, how.name, err, test.want)
			}
			if most := int64(DefaultTotal + 16<<20); grew >= most {
				t.Errorf("%s, %s: memory grew by %d bytes, more than %d", test.name, how.name, grew, most)
			}
			if how.name == "in pieces" && grew >= 16<<20 {
				t.Errorf("%s, %s: memory grew by %d bytes", test.name, how.name, grew)
			}
		}
	}
	// Gzip knows no size beforehand.
	gz, err := Gzip(t.Context(), make([]byte, 60<<20), 9)
	if err != nil {
		t.Fatal(err)
	}
	lying := bytes.Clone(gz)
	le.PutUint32(lying[len(lying)-4:], 10)
	members := bytes.Repeat(mustGzip(t, make([]byte, 1<<20)), 60)
	for name, data := range map[string][]byte{"60 MB of zeros": gz, "60 MB of zeros that say 10 bytes": lying, "60 members": members} {
		var err error
		grew := growth(t, func() { _, err = Gunzip(t.Context(), data, Limits{}) })
		var l *LimitError
		if !errors.As(err, &l) || l.Limit != limitTotal {
			t.Errorf("gzip, %s: got %v", name, err)
		}
		if grew > DefaultTotal+16<<20 {
			t.Errorf("gzip, %s: memory grew by %d bytes", name, grew)
		}
	}
}

func mustGzip(t testing.TB, data []byte) []byte {
	b, err := Gzip(t.Context(), data, 0)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func checksum(zeros int) []byte { return le.AppendUint32(nil, crcOf(make([]byte, zeros))) }

// lessEntries changes the number of entries of an end.
func lessEntries(b []byte, n uint16) []byte {
	le.PutUint16(b[len(b)-endLen+8:], n)
	le.PutUint16(b[len(b)-endLen+10:], n)
	return b
}

// growth is how many bytes more than before the process had in memory while f ran.
func growth(t testing.TB, f func()) int64 {
	debug.FreeOSMemory()
	if os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) != nil {
		f() // not Linux, or not allowed: what it does is tested all the same
		return 0
	}
	before := highWater(t)
	f()
	return highWater(t) - before
}

func highWater(t testing.TB) int64 {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(b), "VmHWM:")
	kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kb << 10
}

// fixtures are archives of all kinds, for mutations.
func fixtures(t testing.TB) map[string][]byte {
	text := prose(3000, 1)
	own, err := Create(t.Context(), []File{{Name: "a.txt", Data: text}, {Name: "d/"}, {Name: "ü", Data: []byte("x"), Modified: time.Unix(1e9, 0), Comment: "c"}}, Options{Comment: "hello", Zip64: true})
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{
		"own":        own,
		"go":         goZip(t, []File{{Name: "a.txt", Data: text}, {Name: "b.bin", Data: noise(500)}}),
		"descriptor": build("prefix", "comment", part{name: "a", plain: text, method: Deflate, descriptor: true}, part{name: "b", plain: text}),
		"zstd":       build("", "", part{name: "a", plain: text, data: zstded(text), method: Zstd}),
		"refused":    build("", "", part{name: "a", plain: text, flags: flagEncrypted}, part{name: "l", plain: []byte("/etc"), made: 3, mode: 0o120777}),
		"overlap":    overlapping(5, deflated9(text), len(text)),
		"quine":      quine(),
	}
}

// examine reads an archive in all ways under small limits. It fails the test if more comes
// out than may.
func examine(t testing.TB, data []byte) {
	l := Limits{Total: 1 << 20, Entries: 100}
	for _, open := range []func() (*Archive, error){
		func() (*Archive, error) { return OpenBytes(data, l) },
		func() (*Archive, error) { return Open(t.Context(), bytes.NewReader(data), int64(len(data)), l) },
	} {
		a, err := open()
		if err != nil {
			mustBeOurs(t, err)
			continue
		}
		total := 0
		for i := range a.Entries {
			e := &a.Entries[i]
			if e.Refused == "" && (e.Name == "" || safe(e.Name) != e.Name) {
				t.Errorf("an entry is named %q", e.Name)
			}
			b, err := a.Read(t.Context(), e)
			if err != nil {
				mustBeOurs(t, err)
				continue
			}
			var w bytes.Buffer
			total += len(b)
			if err := a.WriteTo(t.Context(), e, &w); err != nil {
				if l := new(LimitError); !errors.As(err, &l) {
					t.Errorf("entry %s can be read at once, and in pieces: %v", e.Name, err)
				}
				continue
			}
			if total += len(b); !bytes.Equal(w.Bytes(), b) {
				t.Errorf("entry %s has other contents in pieces", e.Name)
			}
		}
		if total > 1<<20 {
			t.Errorf("%d bytes came out", total)
		}
	}
}

func mustBeOurs(t testing.TB, err error) {
	var format *FormatError
	var limit *LimitError
	if !errors.As(err, &format) && !errors.As(err, &limit) {
		t.Errorf("an error of its own: %T %v", err, err)
	}
}

func TestMutantsAreReadOrRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for name, data := range fixtures(t) {
		for i := range 400 {
			m := bytes.Clone(data)
			switch r.IntN(4) {
			case 0: // cut
				m = m[:r.IntN(len(m))]
			case 1: // lose a piece
				at := r.IntN(len(m))
				m = append(m[:at], m[min(at+1+r.IntN(40), len(m)):]...)
			default:
				for range 1 + r.IntN(4) {
					at := r.IntN(len(m))
					if r.IntN(2) == 0 { // in the directory, where it matters most
						at = len(m) - 1 - r.IntN(min(len(m), 200))
					}
					m[at] = [...]byte{0, 1, 0x7f, 0x80, 0xff, byte(r.Uint32())}[r.IntN(6)]
				}
			}
			examine(t, m)
			if t.Failed() {
				t.Fatalf("mutant %d of %s", i, name)
			}
		}
	}
}

func FuzzUnzip(f *testing.F) {
	for _, data := range fixtures(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { examine(t, data) })
}

func FuzzGunzip(f *testing.F) {
	f.Add(mustGzip(f, []byte("hello")))
	f.Add(append(mustGzip(f, prose(5000, 1)), mustGzip(f, noise(10))...))
	f.Fuzz(func(t *testing.T, data []byte) {
		out, err := Gunzip(t.Context(), data, Limits{Total: 1 << 20})
		if err != nil {
			mustBeOurs(t, err)
		} else if len(out) > 1<<20 {
			t.Errorf("%d bytes came out", len(out))
		}
	})
}

func TestWorkEndsWithItsContext(t *testing.T) {
	big := []File{{Name: "a", Data: noise(4 << 20)}, {Name: "b", Data: noise(4 << 20)}}
	data := goZip(t, []File{{Name: "a", Data: make([]byte, 48<<20)}})
	gz := mustGzip(t, make([]byte, 48<<20))
	for name, work := range map[string]func(ctx context.Context) error{
		"reading": func(ctx context.Context) error {
			a, err := OpenBytes(data, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			_, err = a.Read(ctx, &a.Entries[0])
			return err
		},
		"reading in pieces": func(ctx context.Context) error {
			a, err := OpenBytes(data, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			return a.WriteTo(ctx, &a.Entries[0], io.Discard)
		},
		"opening": func(ctx context.Context) error {
			_, err := Open(ctx, bytes.NewReader(data), int64(len(data)), Limits{})
			return err
		},
		"writing": func(ctx context.Context) error { _, err := Create(ctx, big, Options{Level: 9}); return err },
		"gzip":    func(ctx context.Context) error { _, err := Gzip(ctx, big[0].Data, 9); return err },
		"gunzip":  func(ctx context.Context) error { _, err := Gunzip(ctx, gz, Limits{}); return err },
		"gunzip of two": func(ctx context.Context) error {
			_, err := Gunzip(ctx, append(gz, gz...), Limits{Total: 1 << 30})
			return err
		},
	} {
		gone, cancel := context.WithCancelCause(t.Context())
		why := errors.New("enough of " + name)
		cancel(why)
		if err := work(gone); !errors.Is(err, why) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	// In the middle of it: the context ends while most of the work is left, which shows in what
	// was written.
	ctx, cancel := context.WithCancel(t.Context())
	written := 0
	err := Write(ctx, writerFunc(func(b []byte) (int, error) {
		written += len(b)
		cancel()
		return len(b), nil
	}), []File{{Name: "small"}, big[0], big[1]}, Options{})
	if !errors.Is(err, context.Canceled) || written > 1<<20 {
		t.Errorf("got %v after %d bytes", err, written)
	}
	a, err := OpenBytes(data, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	written = 0
	err = a.WriteTo(ctx, &a.Entries[0], writerFunc(func(b []byte) (int, error) {
		written += len(b)
		cancel()
		return len(b), nil
	}))
	if !errors.Is(err, context.Canceled) || written > piece {
		t.Errorf("got %v after %d bytes", err, written)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

func TestPanicsReachTheCaller(t *testing.T) {
	before := runtime.NumGoroutine()
	for name, work := range map[string]func(){
		"reading a file": func() {
			Write(t.Context(), io.Discard, []File{{Name: "a", Open: func(context.Context) (io.ReadCloser, error) { panic("oops") }}}, Options{})
		},
		"in parallel": func() {
			inParallel(100, func(i int) error {
				if i == 50 {
					panic("oops")
				}
				return nil
			})
		},
	} {
		func() {
			defer func() {
				if r := recover(); r != "oops" {
					t.Errorf("%s: recovered %v", name, r)
				}
			}()
			work()
		}()
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines became %d", before, n)
	}
}
