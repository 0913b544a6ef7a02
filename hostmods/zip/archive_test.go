package zip

import (
	gozip "archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

func zstded(plain []byte, o ...zstd.EOption) []byte {
	w, err := zstd.NewWriter(nil, o...)
	if err != nil {
		panic(err)
	}
	return w.EncodeAll(plain, nil)
}

func TestNamesAreMadeSafe(t *testing.T) {
	for _, test := range []struct{ raw, want string }{
		{"a/b.txt", "a/b.txt"},
		{"../a", "a"},
		{"../../../../etc/passwd", "etc/passwd"},
		{"/etc/x", "etc/x"},
		{"//server/share/x", "server/share/x"},
		{`C:\x`, "x"},
		{"C:x", "x"},
		{"C:D:/E:x", "x"},
		{"/C:/x", "x"},
		{"a/C:/x", "a/C:/x"},
		{`a\..\..\b`, "a/b"},
		{"a/\x00b", "a/_b"},
		{"a\nb\x7f", "a_b_"},
		{"a/./b//c/", "a/b/c"},
		{"..", ""},
		{"/", ""},
		{"", ""},
		{" ", ""},
		{"  x  ", "x"},
		{"x/ ..", "x/ .."},
		{" ../x", "x"},
		{"x/.. ", "x"},
		{"x / y ", "x / y"},
		{"...", "..."},
		{"..a/b..", "..a/b.."},
		{"ä/日本.txt", "ä/日本.txt"},
		{"bad\uFFFD", "bad_"},
		{"workspace/x", "workspace/x"},
	} {
		if got := safe(test.raw); got != test.want {
			t.Errorf("safe(%q) is %q, not %q", test.raw, got, test.want)
		}
	}
}

func FuzzSafe(f *testing.F) {
	for _, s := range []string{"../a", `C:\x`, " . ", "C: C: C:", "a/../b", "\x00", " /\t/C:..", "x/. /.. / "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		name := safe(raw)
		if again := safe(name); again != name {
			t.Fatalf("safe(%q) is %q, which is made %q", raw, name, again)
		}
		if name == "" {
			return
		}
		if strings.ContainsAny(name, "\\\x00\n") || strings.TrimSpace(name) != name || name[0] == '/' || len(name) > 1 && name[1] == ':' && isLetter(name[0]) {
			t.Fatalf("safe(%q) is %q", raw, name)
		}
		for part := range strings.SplitSeq(name, "/") {
			if part == "" || part == "." || part == ".." {
				t.Fatalf("safe(%q) is %q", raw, name)
			}
		}
	})
}

func TestArchivesAreRead(t *testing.T) {
	text := strings.Repeat("hello zip ", 1000)
	for _, test := range []struct {
		name string
		data []byte
		want map[string]string
	}{
		{"an empty archive", build("", ""), map[string]string{}},
		{"stored contents", build("", "", part{name: "a", plain: []byte("x")}), map[string]string{"a": "x"}},
		{"deflated contents", build("", "", part{name: "a", plain: []byte(text), method: Deflate}), map[string]string{"a": text}},
		{"contents in zstd", build("", "", part{name: "a", plain: []byte(text), data: zstded([]byte(text)), method: Zstd}), map[string]string{"a": text}},
		{"an empty file", build("", "", part{name: "a"}), map[string]string{"a": ""}},
		{"an empty file that is deflated", build("", "", part{name: "a", method: Deflate}), map[string]string{"a": ""}},
		{"a directory by its slash", build("", "", part{name: "d/"}), map[string]string{"d/": ""}},
		{"a directory by its mode", build("", "", part{name: "d", made: 3, mode: 0o40755}), map[string]string{"d/": ""}},
		{"a data descriptor", build("", "", part{name: "a", plain: []byte(text), method: Deflate, descriptor: true}, part{name: "b", plain: []byte("b")}), map[string]string{"a": text, "b": "b"}},
		{"bytes in front", build("#!/bin/sh\nexec something\n", "", part{name: "a", plain: []byte("x")}), map[string]string{"a": "x"}},
		{"a comment", build("", "hello", part{name: "a", plain: []byte("x"), comment: "of a"}), map[string]string{"a": "x"}},
		{"a comment that looks like an end", build("", "PK\x05\x06 and more than twenty bytes", part{name: "a", plain: []byte("x")}), map[string]string{"a": "x"}},
		{"a name in code page 437", build("", "", part{name: "\x84\x81.txt", plain: []byte("x")}), map[string]string{"äü.txt": "x"}},
		{"a name in UTF-8 without its flag", build("", "", part{name: "ä", plain: []byte("x")}), map[string]string{"ä": "x"}},
		{"a name in an extra field", build("", "", part{name: "?", plain: []byte("x"),
			extra: append(le.AppendUint32([]byte{0x75, 0x70, 8, 0, 1}, crc32.ChecksumIEEE([]byte("?"))), "日"...)}), map[string]string{"日": "x"}},
		{"a name in an extra field of another name", build("", "", part{name: "q", plain: []byte("x"),
			extra: append(le.AppendUint32([]byte{0x75, 0x70, 8, 0, 1}, crc32.ChecksumIEEE([]byte("?"))), "日"...)}), map[string]string{"q": "x"}},
		{"names that are not safe", build("", "", part{name: "../a", plain: []byte("1")}, part{name: `C:\b`, plain: []byte("2")}, part{name: "/c", plain: []byte("3")}), map[string]string{"a": "1", "b": "2", "c": "3"}},
		{"an extra field that is cut", build("", "", part{name: "a", plain: []byte("x"), extra: []byte{1, 2, 200, 0, 1}}), map[string]string{"a": "x"}},
		{"a digital signature", signed(), map[string]string{"a": "x"}},
		{"an end that is followed by other bytes", append(build("", "", part{name: "a", plain: []byte("x")}), "trailing"...), map[string]string{"a": "x"}},
	} {
		got, err := readAll(t, test.data, Limits{})
		if err != nil || !maps.Equal(got, test.want) {
			t.Errorf("%s: got %.60q %v, not %.60q", test.name, got, err, test.want)
		}
		// The same piece by piece, from what is not in memory.
		a, err := Open(t.Context(), bytes.NewReader(test.data), int64(len(test.data)), Limits{})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		for i := range a.Entries {
			e := &a.Entries[i]
			var buf bytes.Buffer
			if err := a.WriteTo(t.Context(), e, &buf); err != nil || buf.String() != test.want[e.path()] {
				t.Errorf("%s, in pieces: got %.60q %v for %s", test.name, buf.String(), err, e.Name)
			}
			if b, err := a.Read(t.Context(), e); err != nil || string(b) != test.want[e.path()] {
				t.Errorf("%s, from a file: got %.60q %v for %s", test.name, b, err, e.Name)
			}
		}
	}
}

func signed() []byte {
	b := build("", "", part{name: "a", plain: []byte("x")})
	end := b[len(b)-endLen:]
	dir := int(le.Uint32(end[12:]))
	out := append(bytes.Clone(b[:len(b)-endLen]), "PK\x05\x05\x03\x00sig"...)
	return append(out, ending(1, dir+9, int(le.Uint32(end[16:])), "")...)
}

func TestEntriesAreDescribed(t *testing.T) {
	stamp := time.Date(2021, 2, 3, 4, 5, 7, 0, time.UTC)
	ntfs := le.AppendUint64([]byte{0x0a, 0, 32, 0, 0, 0, 0, 0, 1, 0, 24, 0}, uint64(stamp.Unix()+11644473600)*1e7+5000)
	ntfs = append(ntfs, make([]byte, 16)...)
	a, err := OpenBytes(build("prefix", "the comment",
		part{name: "dos", plain: []byte("x"), comment: "c"},
		part{name: "unix", plain: []byte("x"), made: 3, mode: 0o100755, extra: le.AppendUint32([]byte{0x55, 0x54, 5, 0, 1}, uint32(stamp.Unix()))},
		part{name: "ntfs", plain: []byte("x"), extra: ntfs},
		part{name: `..\raw`, plain: []byte("x"), central: func(h []byte) { le.PutUint32(h[12:], 0) }, local: func(h []byte) { le.PutUint32(h[10:], 0) }},
	), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if a.Comment != "the comment" || a.Prefix != 6 {
		t.Errorf("comment %q, prefix %d", a.Comment, a.Prefix)
	}
	var got []string
	for _, e := range a.Entries {
		got = append(got, fmt.Sprintf("%s %q %q %s %o %d", e.Name, e.Raw, e.Comment, e.Modified.Format(time.RFC3339Nano), e.Mode, e.CRC))
	}
	want := []string{
		`dos "dos" "c" 2024-05-06T12:30:02Z 0 2363233923`,
		`unix "unix" "" 2021-02-03T04:05:07Z 100755 2363233923`,
		`ntfs "ntfs" "" 2021-02-03T04:05:07.0005Z 0 2363233923`,
		`raw "..\\raw" "" 0001-01-01T00:00:00Z 0 2363233923`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestEntriesAreRefusedOneByOne(t *testing.T) {
	data := build("", "",
		part{name: "good", plain: []byte("good")},
		part{name: "crypt", plain: []byte("crypt"), flags: flagEncrypted},
		part{name: "aes", plain: []byte("aes"), flags: flagEncrypted, method: 99, extra: []byte{0x01, 0x99, 7, 0, 2, 0, 'A', 'E', 3, 8, 0}},
		part{name: "strong", plain: []byte("strong"), flags: flagEncrypted | flagStrong},
		part{name: "link", plain: []byte("/etc"), made: 3, mode: 0o120777},
		part{name: "device", made: 3, mode: 0o20666},
		part{name: "bz", plain: []byte("bz"), method: 12},
		part{name: "odd", plain: []byte("odd"), method: 1234},
		part{name: "good", plain: []byte("again")},
		part{name: "../good", plain: []byte("again")},
		part{name: "..", plain: []byte("nothing")},
		part{name: "last", plain: []byte("last"), method: Deflate},
	)
	a, err := OpenBytes(data, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"good: good", "crypt is encrypted (ZipCrypto)", "aes is encrypted (AES)", "strong is encrypted (strong encryption)", "link is a symbolic link",
		"device is no regular file", "bz uses the method bzip2 (12), which is not supported", "odd uses the method unknown (1234), which is not supported",
		"good has the name of an entry before it", "../good has the name of an entry before it", ".. has a name of which nothing is left when it is made safe", "last: last"}
	for i := range a.Entries {
		e := &a.Entries[i]
		b, err := a.Read(t.Context(), e)
		got := e.Raw + ": " + string(b)
		if err != nil {
			got = strings.TrimPrefix(err.Error(), "entry ")
		}
		if got != want[i] {
			t.Errorf("got %q, not %q", got, want[i])
		}
	}
}

func TestContradictionsAreErrors(t *testing.T) {
	text := bytes.Repeat([]byte("text "), 100)
	deflated := deflated9(text)
	honest := build("", "", part{name: "a", plain: text, method: Deflate}, part{name: "b", plain: text})
	change := func(at int, b ...byte) []byte {
		c := bytes.Clone(honest)
		if at < 0 {
			at += len(c)
		}
		copy(c[at:], b)
		return c
	}
	end := -endLen
	for _, test := range []struct {
		name string
		data []byte
		want string
	}{
		{"nothing", nil, "this is no zip archive"},
		{"no archive", bytes.Repeat([]byte("x"), 100_000), "this is no zip archive"},
		{"an archive without its end", honest[:len(honest)-1], "this is no zip archive"},
		{"a directory behind the end", change(end+16, 0xff, 0xff, 0xff, 0x7f), "lies outside"},
		{"a directory that is too large", change(end+12, 0xff, 0xff, 0xff, 0x7f), "lies outside"},
		{"more entries than there is room for", change(end+8, 200, 0, 200, 0), "too small for the 200 entries"},
		{"one entry more than there is", change(end+8, 3, 0, 3, 0), "too small"},
		{"fewer entries than there are", change(end+8, 1, 0, 1, 0), "has more than the 1 entries"},
		{"several disks", change(end+4, 1, 0), "split into several files"},
		{"entries on another disk", change(end+8, 1, 0, 2, 0), "split into several files"},
		{"an entry on another disk", build("", "", part{name: "a", central: func(h []byte) { h[34] = 1 }}), "split into several files"},
		{"another name", build("", "", part{name: "a", local: func(h []byte) { h[30] = 'b' }}), "different names"},
		{"a longer name", build("", "", part{name: "a", local: func(h []byte) { h[26] = 9 }, data: make([]byte, 10), size: 10}), "outside of the archive"},
		{"another method", build("", "", part{name: "a", local: func(h []byte) { h[8] = 8 }}), "different methods"},
		{"another size", build("", "", part{name: "a", plain: []byte("x"), local: func(h []byte) { h[22] = 2 }}), "different sizes or checksums"},
		{"another checksum", build("", "", part{name: "a", plain: []byte("x"), local: func(h []byte) { h[14]++ }}), "different sizes or checksums"},
		{"encrypted in one header only", build("", "", part{name: "a", plain: []byte("x"), local: func(h []byte) { h[6] = 1 }}), "differ in whether it is encrypted"},
		{"no local header", build("", "", part{name: "a", plain: []byte("x"), local: func(h []byte) { h[0] = 0 }}), "not where the directory says"},
		{"a header outside", build("", "", part{name: "a", at: 1 << 30}), "outside of the archive"},
		{"contents that reach into the directory", build("", "", part{name: "a", plain: []byte("x"), compressed: 50, size: 50}), "outside of the archive"},
		{"a stored entry of two sizes", build("", "", part{name: "a", plain: []byte("xy"), size: 1}), "is stored in 2 bytes and should have 1"},
		{"a directory with contents", build("", "", part{name: "a/", plain: []byte("x")}), "is a directory with contents"},
		{"a wrong checksum", build("", "", part{name: "a", plain: text, method: Deflate, crc: 7}), "entry a is damaged: its checksum is wrong"},
		{"a wrong checksum of stored bytes", build("", "", part{name: "a", plain: text, crc: 7}), "entry a is damaged: its checksum is wrong"},
		{"more bytes than declared", build("", "", part{name: "a", plain: text, method: Deflate, size: 10}), "entry a holds more than the 10 bytes"},
		{"fewer bytes than declared", build("", "", part{name: "a", plain: text, method: Deflate, size: 600}), "entry a ends before the 600 bytes"},
		{"compressed data that are cut", build("", "", part{name: "a", plain: text, data: deflated[:len(deflated)/2], method: Deflate}), "entry a ends before the 500 bytes"},
		{"compressed data that end early", build("", "", part{name: "a", plain: text, data: append(bytes.Clone(deflated), 0), method: Deflate}), "compressed data end before they should"},
		{"compressed data that make no sense", build("", "", part{name: "a", plain: text, data: bytes.Repeat([]byte{0xff}, 30), method: Deflate}), "make no sense"},
		{"zstd that makes no sense", build("", "", part{name: "a", plain: text, data: bytes.Repeat([]byte{0xff}, 30), method: Zstd}), "make no sense"},
		{"zstd with more than declared", build("", "", part{name: "a", plain: text, data: zstded(text), method: Zstd, size: 3}), "holds more than the 3 bytes"},
		{"zstd with less than declared", build("", "", part{name: "a", plain: text, data: zstded(text), method: Zstd, size: 501}), "ends before the 501 bytes"},
		{"a zip64 field that is too short", build("", "", part{name: "a", plain: text, extra: []byte{1, 0, 4, 0, 0, 0, 0, 0}, central: func(h []byte) { le.PutUint32(h[24:], math.MaxUint32) }}), "zip64 field that is too short"},
		{"two entries in one place", build("", "", part{name: "a", plain: text}, part{name: "a", plain: text, central: func(h []byte) { le.PutUint32(h[42:], 0) }}), "entries a and a overlap"},
	} {
		for _, how := range []string{"in memory", "in pieces"} {
			var err error
			if how == "in memory" {
				_, err = readAll(t, test.data, Limits{})
			} else {
				err = inPieces(t, test.data)
			}
			var format *FormatError
			if !errors.As(err, &format) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s, %s: got %v, not %q", test.name, how, err, test.want)
			}
		}
	}
}

func inPieces(t testing.TB, data []byte) error {
	a, err := Open(t.Context(), bytes.NewReader(data), int64(len(data)), Limits{})
	if err != nil {
		return err
	}
	for i := range a.Entries {
		if err := a.WriteTo(t.Context(), &a.Entries[i], io.Discard); err != nil {
			return err
		}
	}
	return nil
}

func TestZip64(t *testing.T) {
	honest := build("", "", part{name: "a", plain: []byte("x")}, part{name: "b", plain: []byte("y")})
	end := honest[len(honest)-endLen:]
	size, start := uint64(le.Uint32(end[12:])), uint64(le.Uint32(end[16:]))
	body := honest[:len(honest)-endLen]
	at := uint64(len(body))
	with := func(prefix string, end []byte) []byte { return append(append([]byte(prefix), body...), end...) }
	for _, test := range []struct {
		name string
		data []byte
		want string
	}{
		{"an end of zip64", with("", ending64(2, size, start, at)), ""},
		{"an end of zip64 behind other bytes", with("some bytes", ending64(2, size, start, at)), ""},
		{"a huge count", with("", ending64(math.MaxUint64, size, start, at)), "more than the limit of 10000"},
		{"a count that is too large", with("", ending64(9000, size, start, at)), "too small for the 9000 entries"},
		{"a huge directory", with("", ending64(2, math.MaxUint64, start, at)), "lies outside"},
		{"a huge directory that wraps", with("", ending64(2, math.MaxUint64-start+1, start, at)), "lies outside"},
		{"a huge start", with("", ending64(2, size, math.MaxUint64-size, at)), "lies outside"},
		{"an end that is outside", with("", ending64(2, size, start, math.MaxUint64-3)), "lies outside"},
		{"an end that is not there", with("", ending64(2, size, start, at)[4:]), "outside of the archive"},
	} {
		got, err := readAll(t, test.data, Limits{})
		if test.want == "" {
			if err != nil || len(got) != 2 || got["b"] != "y" {
				t.Errorf("%s: got %v, %v", test.name, got, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, not %q", test.name, err, test.want)
		}
	}
	// Sizes in extra fields that no archive can have.
	for _, huge := range []uint64{1 << 40, math.MaxInt64, math.MaxUint64} {
		extra := le.AppendUint64(le.AppendUint64([]byte{1, 0, 16, 0}, huge), 3)
		data := build("", "", part{name: "a", plain: []byte("xyz"), method: Deflate, data: []byte("xyz"), extra: extra, descriptor: true,
			central: func(h []byte) { le.PutUint32(h[24:], math.MaxUint32); le.PutUint32(h[20:], math.MaxUint32) }})
		if _, err := readAll(t, data, Limits{}); err == nil || !strings.Contains(err.Error(), "more") {
			t.Errorf("size %d: got %v", huge, err)
		}
	}
}

func TestLimits(t *testing.T) {
	zeros := make([]byte, 4<<20)
	data := build("", "", part{name: "a", plain: zeros, method: Deflate}, part{name: "b", plain: zeros, method: Deflate})
	zs := zstded(zeros)
	for _, test := range []struct {
		name   string
		data   []byte
		limits Limits
		limit  string
	}{
		{"all within", data, Limits{Total: 8 << 20}, ""},
		{"one byte too many in all", data, Limits{Total: 8<<20 - 1}, limitTotal},
		{"one byte too many in one", data, Limits{Entry: 4<<20 - 1}, limitEntry},
		{"as many entries as may be", data, Limits{Entries: 2}, ""},
		{"one entry too many", data, Limits{Entries: 1}, limitEntries},
		{"a ratio", data, Limits{Ratio: 500}, limitRatio},
		{"a ratio that only zstd reaches", build("", "", part{name: "a", plain: zeros, data: zs, method: Zstd}), Limits{}, limitRatio},
		{"the same when it is allowed", build("", "", part{name: "a", plain: zeros, data: zs, method: Zstd}), Limits{Ratio: 1 << 20}, ""},
		{"a long name", build("", "", part{name: strings.Repeat("n", maxName+1)}), Limits{}, limitName},
		{"the longest name", build("", "", part{name: strings.Repeat("n", maxName)}), Limits{}, ""},
	} {
		_, err := readAll(t, test.data, test.limits)
		var l *LimitError
		if test.limit == "" && err != nil || test.limit != "" && (!errors.As(err, &l) || l.Limit != test.limit || l.Used <= l.Value) {
			t.Errorf("%s: got %v, not %q", test.name, err, test.limit)
		}
	}
	many := make([]part, 2100)
	for i := range many {
		many[i] = part{name: fmt.Sprint(i, strings.Repeat("n", 4090))}
	}
	var l *LimitError
	if _, err := OpenBytes(build("", "", many...), Limits{}); !errors.As(err, &l) || l.Limit != limitDirectory {
		t.Errorf("a large directory: got %v", err)
	}
}

func TestReadersOfOthersAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 12 archives of 4 MB: more than a second")
	}
	sizes := []int{0, 1, 64<<10 - 1, 64 << 10, 64<<10 + 1, blockSize, blockSize + 1, 2*blockSize + 17}
	contents := make([][]byte, len(sizes))
	for i, n := range sizes {
		if contents[i] = prose(n, 1); i%3 == 2 {
			contents[i] = noise(n)
		}
	}
	for _, level := range []int{0, 1, 9} {
		for _, zip64 := range []bool{false, true} {
			for _, streamed := range []bool{false, true} {
				var files []File
				for i, n := range sizes {
					f := File{Name: fmt.Sprintf("dir/ünï-%d.txt", n), Data: contents[i], Level: level, Modified: time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC), Mode: 0o600}
					f.Store = i%4 == 3
					if streamed {
						data := f.Data
						f.Data, f.Open = nil, func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
					}
					files = append(files, f)
				}
				files = append(files, File{Name: "dir/empty/"})
				var buf bytes.Buffer
				if err := Write(t.Context(), &buf, files, Options{Zip64: zip64, Comment: "c"}); err != nil {
					t.Fatal(err)
				}
				want := make(map[string]string)
				for i := range sizes {
					want[files[i].Name] = string(contents[i])
				}
				want["dir/empty/"] = ""
				name := fmt.Sprintf("level %d, zip64 %v, streamed %v", level, zip64, streamed)
				got, err := readAll(t, buf.Bytes(), Limits{})
				if err != nil || !maps.Equal(got, want) {
					t.Fatalf("%s: ours reads %d files, %v", name, len(got), err)
				}
				r, err := gozip.NewReader(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
				if err != nil || r.Comment != "c" || len(r.File) != len(files) {
					t.Fatalf("%s: %v", name, err)
				}
				for i, f := range r.File {
					rc, err := f.Open()
					if err != nil {
						t.Fatal(err)
					}
					b, err := io.ReadAll(rc)
					if err != nil || want[f.Name] != string(b) {
						t.Fatalf("%s: Go reads %d bytes of %s: %v", name, len(b), f.Name, err)
					}
					if i < len(sizes) && (!f.Modified.Equal(files[i].Modified) || f.Mode() != 0o600) {
						t.Errorf("%s: %s is of %v, mode %v", name, f.Name, f.Modified, f.Mode())
					}
				}
				if !streamed {
					again, err := Create(t.Context(), files, Options{Zip64: zip64, Comment: "c"})
					if err != nil || !bytes.Equal(again, buf.Bytes()) {
						t.Errorf("%s: the same files make another archive: %v", name, err)
					}
				}
			}
		}
	}
}

// noise is n bytes that do not get smaller.
func noise(n int) []byte {
	b, x := make([]byte, n), uint64(88172645463325252)
	for i := range b {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		b[i] = byte(x >> 32)
	}
	return b
}

func TestWritersOfOthersAreRead(t *testing.T) {
	var buf bytes.Buffer
	w := gozip.NewWriter(&buf)
	want := make(map[string]string)
	for i, n := range []int{0, 1, 64<<10 - 1, 64 << 10, 64<<10 + 1, 1 << 20} {
		for _, method := range []uint16{gozip.Store, gozip.Deflate} {
			name := fmt.Sprintf("%d-%d-ä", n, method)
			to, err := w.CreateHeader(&gozip.FileHeader{Name: name, Method: method, Modified: time.Unix(1.6e9, 0)})
			if err != nil {
				t.Fatal(err)
			}
			to.Write(prose(n, uint64(i)))
			want[name] = string(prose(n, uint64(i)))
		}
	}
	w.SetComment("from Go")
	w.Close()
	got, err := readAll(t, buf.Bytes(), Limits{})
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("got %d files, %v", len(got), err)
	}
}

func TestIncompressibleIsStored(t *testing.T) {
	out, err := Create(t.Context(), []File{{Name: "noise", Data: noise(600 << 10)}, {Name: "text", Data: prose(600<<10, 1)}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := OpenBytes(out, Limits{})
	if err != nil || a.Entries[0].Method != Store || a.Entries[1].Method != Deflate {
		t.Errorf("methods %d and %d, %v", a.Entries[0].Method, a.Entries[1].Method, err)
	}
}

func TestFilesThatCannotBeWritten(t *testing.T) {
	for _, test := range []struct {
		files []File
		want  string
	}{
		{[]File{{Name: ""}}, `"" is no name for an entry`},
		{[]File{{Name: "../a"}}, `the name "../a" is not safe; "a" would be`},
		{[]File{{Name: "/a"}}, "not safe"},
		{[]File{{Name: `a\b`}}, "not safe"},
		{[]File{{Name: "a"}, {Name: "a"}}, "two entries have the name a"},
		{[]File{{Name: "a"}, {Name: "a/"}}, "two entries have the name a"},
		{[]File{{Name: "a/", Data: []byte("x")}}, "cannot have contents"},
		{[]File{{Name: strings.Repeat("a", 5000)}}, "more than the limit of 4096"},
		{[]File{{Name: "a", Level: 10}}, "levels are 1 to 9"},
		{[]File{{Name: "a", Comment: strings.Repeat("a", 70000)}}, "comment of entry a"},
	} {
		if _, err := Create(t.Context(), test.files, Options{}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, not %q", err, test.want)
		}
	}
	broken := errors.New("broken")
	for name, f := range map[string]File{
		"a file that does not open": {Name: "a", Open: func(context.Context) (io.ReadCloser, error) { return nil, broken }},
		"a file that cannot be read": {Name: "a", Open: func(context.Context) (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(bytes.NewReader(make([]byte, 2<<20)), failing{broken})), nil
		}},
	} {
		if _, err := Create(t.Context(), []File{{Name: "first", Data: make([]byte, 5<<20)}, f, {Name: "last"}}, Options{}); !errors.Is(err, broken) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := Write(t.Context(), failing{broken}, texts(5<<20, 3), Options{}); !errors.Is(err, broken) {
		t.Errorf("a writer that fails: got %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error)          { return 0, f.err }
func (f failing) Write([]byte) (int, error)         { return 0, f.err }
func (f failing) ReadAt([]byte, int64) (int, error) { return 0, f.err }

func TestErrorsOfASourceAreItsOwn(t *testing.T) {
	broken := errors.New("broken")
	if _, err := Open(t.Context(), failing{broken}, 1000, Limits{}); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	data := build("", "", part{name: "a", plain: prose(1<<20, 1), method: Deflate})
	src := &breaks{bytes.NewReader(data), math.MaxInt64, broken}
	a, err := Open(t.Context(), src, int64(len(data)), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	src.from = 1000
	if err := a.WriteTo(t.Context(), &a.Entries[0], io.Discard); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if _, err := a.Read(t.Context(), &a.Entries[0]); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if err := a.WriteTo(t.Context(), &a.Entries[0], failing{broken}); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

type breaks struct {
	r    io.ReaderAt
	from int64
	err  error
}

func (b *breaks) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > b.from {
		return 0, b.err
	}
	return b.r.ReadAt(p, off)
}
