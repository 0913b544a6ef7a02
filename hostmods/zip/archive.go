package zip

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"sync/atomic"
	"time"
)

// Methods of compression (APPNOTE.TXT, 4.4.5).
const (
	Store   uint16 = 0
	Deflate uint16 = 8
	Zstd    uint16 = 93
)

// An Entry is a file or directory of an archive. It must not be changed.
type Entry struct {
	// Name is the path of the entry, made safe, without a slash at its end. It may be empty
	// in a refused entry.
	Name string
	// Raw is the name in the archive, as text.
	Raw     string
	Comment string
	Method  uint16
	CRC     uint32
	// Size and Compressed are bytes, as the archive declares them.
	Size, Compressed int64
	// Modified is in UTC, to which times without a zone count, too. Zero means that the
	// archive has none.
	Modified time.Time
	// Mode is what Unix calls st_mode, zero where the archive was made elsewhere.
	Mode uint32
	Dir  bool
	// Encrypted says how: "ZipCrypto", "AES", "strong encryption", or nothing.
	Encrypted string
	// Refused says why the entry cannot be read, as the end of a sentence: "is encrypted
	// (AES)". Empty means that it can.
	Refused string

	flags        uint16
	rawName      []byte // as in the directory, for comparison
	header, data int64  // where the local header and the contents are
}

// An Archive is an open archive.
type Archive struct {
	// Entries are in the order of the central directory.
	Entries []Entry
	Comment string
	// Prefix is how many bytes are in front of the archive.
	Prefix int64

	src    io.ReaderAt
	mem    []byte // the same, where it is in memory
	limits Limits
	left   atomic.Int64 // of Limits.Total
}

// OpenBytes opens an archive in memory, which must not change while it is used.
func OpenBytes(data []byte, l Limits) (*Archive, error) {
	a := &Archive{src: bytes.NewReader(data), mem: data, limits: l.complete()}
	return a, a.open(context.Background(), int64(len(data)))
}

// Open opens an archive of size bytes. An error of r is returned as it is, all others are a
// *FormatError, a *LimitError or of ctx.
func Open(ctx context.Context, r io.ReaderAt, size int64, l Limits) (*Archive, error) {
	a := &Archive{src: r, limits: l.complete()}
	return a, a.open(ctx, size)
}

const (
	sigEntry     = 0x04034b50
	sigDirectory = 0x02014b50
	sigEnd       = 0x06054b50
	sigEnd64     = 0x06064b50
	sigLocator   = 0x07064b50
	sigSignature = 0x05054b50
	sigData      = 0x08074b50

	entryLen     = 30
	directoryLen = 46
	endLen       = 22
	end64Len     = 56
	locatorLen   = 20
)

var le = binary.LittleEndian

// end is where the central directory is and what it should have.
type end struct {
	count, size, offset uint64
	at                  int64 // where what follows the directory begins
}

func (a *Archive) open(ctx context.Context, size int64) error {
	a.left.Store(a.limits.Total)
	e, err := a.findEnd(size)
	if err != nil {
		return err
	}
	if e.count > uint64(a.limits.Entries) {
		return over(limitEntries, a.limits.Entries, clampInt(e.count), "the archive says that it has %d entries, more than the limit of %d", e.count, a.limits.Entries)
	}
	if e.size > uint64(e.at) || e.offset > uint64(e.at)-e.size {
		return malformed("the central directory lies outside of the archive")
	}
	if e.count*directoryLen > e.size {
		return malformed("the central directory is too small for the %d entries it should have", e.count)
	}
	if e.size > maxDirectory {
		return over(limitDirectory, maxDirectory, int64(e.size), "the central directory has %d bytes, more than the limit of %d", e.size, maxDirectory)
	}
	// Where the directory ends is known. How far that is from where it should end is how many
	// bytes somebody put in front.
	start := e.at - int64(e.size)
	a.Prefix = start - int64(e.offset)
	dir, err := a.bytes(start, int64(e.size))
	if err != nil {
		return err
	}
	if err := a.readDirectory(ctx, dir, int(e.count)); err != nil {
		return err
	}
	return a.readHeaders(ctx, start)
}

func clampInt(n uint64) int64 { return int64(min(n, math.MaxInt64)) }

// bytes are n bytes from off, which lie within the archive. They are not to be changed.
func (a *Archive) bytes(off, n int64) ([]byte, error) {
	if a.mem != nil {
		return a.mem[off : off+n], nil
	}
	b := make([]byte, n)
	return b, a.readAt(b, off)
}

func (a *Archive) readAt(b []byte, off int64) error {
	n, err := a.src.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return malformed("the archive ends early")
	}
	return err
}

// findEnd finds the end of central directory record (APPNOTE.TXT, 4.3.16), the last one
// whose comment fits, and the one of zip64 in front of it if there is one.
func (a *Archive) findEnd(size int64) (end, error) {
	none := malformed("this is no zip archive, or its end is missing")
	if size < endLen {
		return end{}, none
	}
	// A first look where the record is without a comment, to spare most the rest.
	var tail []byte
	found := -1
	for _, n := range []int64{1 << 10, endLen + 1<<16 - 1} {
		n = min(n, size)
		var err error
		if tail, err = a.bytes(size-n, n); err != nil {
			return end{}, err
		}
		for i := len(tail) - endLen; i >= 0 && found < 0; i-- {
			if tail[i] == 'P' && le.Uint32(tail[i:]) == sigEnd && i+endLen+int(le.Uint16(tail[i+20:])) <= len(tail) {
				found = i
			}
		}
		if found >= 0 {
			break
		}
	}
	if found < 0 {
		return end{}, none
	}
	at := size - int64(len(tail)-found)
	b := tail[found:]
	a.Comment = decodeName(b[endLen:endLen+int(le.Uint16(b[20:]))], false)
	disk, start := le.Uint16(b[4:]), le.Uint16(b[6:])
	here, count := le.Uint16(b[8:]), le.Uint16(b[10:])
	e := end{count: uint64(count), size: uint64(le.Uint32(b[12:])), offset: uint64(le.Uint32(b[16:])), at: at}
	if at >= locatorLen {
		loc, err := a.bytes(at-locatorLen, locatorLen)
		if err != nil {
			return end{}, err
		}
		if le.Uint32(loc) == sigLocator {
			return a.findEnd64(e, loc)
		}
	}
	if disk != 0 || start != 0 || here != count {
		return end{}, malformed("the archive is split into several files, which is not supported")
	}
	return e, nil
}

// findEnd64 reads the records of zip64 (4.3.14, 4.3.15).
func (a *Archive) findEnd64(e end, loc []byte) (end, error) {
	if le.Uint32(loc[4:]) != 0 || le.Uint32(loc[16:]) > 1 {
		return end{}, malformed("the archive is split into several files, which is not supported")
	}
	place := e.at - locatorLen
	said := le.Uint64(loc[8:])
	if said > uint64(place) || uint64(place)-said < end64Len {
		return end{}, malformed("the zip64 end of the central directory lies outside of the archive")
	}
	// It is where the locator says or, behind bytes in front, right before the locator.
	at := int64(said)
	b, err := a.bytes(at, end64Len)
	if err != nil {
		return end{}, err
	}
	if le.Uint32(b) != sigEnd64 {
		at = place - end64Len
		if b, err = a.bytes(at, end64Len); err != nil {
			return end{}, err
		}
	}
	if le.Uint32(b) != sigEnd64 {
		return end{}, malformed("the zip64 end of the central directory is not where it should be")
	}
	if n := le.Uint64(b[4:]); n < end64Len-12 || n > uint64(place-at-12) {
		return end{}, malformed("the zip64 end of the central directory has a size that it cannot have")
	}
	if le.Uint32(b[16:]) != 0 || le.Uint32(b[20:]) != 0 || le.Uint64(b[24:]) != le.Uint64(b[32:]) {
		return end{}, malformed("the archive is split into several files, which is not supported")
	}
	e64 := end{count: le.Uint64(b[32:]), size: le.Uint64(b[40:]), offset: le.Uint64(b[48:]), at: at}
	if e.count != math.MaxUint16 && e.count != e64.count || e.size != math.MaxUint32 && e.size != e64.size || e.offset != math.MaxUint32 && e.offset != e64.offset {
		return end{}, malformed("the two ends of the central directory contradict each other")
	}
	return e64, nil
}

// readDirectory reads the entries of the central directory (4.3.12), which keep parts of b.
func (a *Archive) readDirectory(ctx context.Context, b []byte, count int) error {
	a.Entries = make([]Entry, 0, count)
	used := make(map[string]bool, count)
	for len(a.Entries) < count {
		if len(a.Entries)%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if len(b) < directoryLen || le.Uint32(b) != sigDirectory {
			return malformed("the central directory ends after %d of %d entries", len(a.Entries), count)
		}
		name, extra, comment := int(le.Uint16(b[28:])), int(le.Uint16(b[30:])), int(le.Uint16(b[32:]))
		if len(b) < directoryLen+name+extra+comment {
			return malformed("the central directory is cut in entry %d", len(a.Entries)+1)
		}
		if name > maxName {
			return over(limitName, maxName, int64(name), "the name of entry %d has %d bytes, more than the limit of %d", len(a.Entries)+1, name, maxName)
		}
		rest := b[directoryLen:]
		e, err := readEntry(b, rest[:name:name], rest[name:name+extra], rest[name+extra:name+extra+comment])
		if err != nil {
			return err
		}
		b = rest[name+extra+comment:]
		switch {
		case e.Refused != "":
		case e.Name == "":
			e.Refused = "has a name of which nothing is left when it is made safe"
		case used[e.Name]:
			e.Refused = "has the name of an entry before it"
		}
		if e.Refused == "" {
			used[e.Name] = true
		}
		a.Entries = append(a.Entries, e)
	}
	// Only a digital signature (4.3.13) may follow.
	if len(b) > 0 && (len(b) < 6 || le.Uint32(b) != sigSignature || len(b) != 6+int(le.Uint16(b[4:]))) {
		return malformed("the central directory has more than the %d entries it should have", count)
	}
	return nil
}

const (
	flagEncrypted  = 1 << 0
	flagDescriptor = 1 << 3
	flagStrong     = 1 << 6
	flagUTF8       = 1 << 11
	flagMasked     = 1 << 13

	modeType    = 0o170000
	modeDir     = 0o040000
	modeRegular = 0o100000
	modeLink    = 0o120000
)

// methods are names of what can be met and not be read (4.4.5).
var methods = map[uint16]string{1: "Shrink", 2: "Reduce", 3: "Reduce", 4: "Reduce", 5: "Reduce", 6: "Implode", 9: "Deflate64", 10: "PKWARE Implode",
	12: "bzip2", 14: "LZMA", 16: "IBM z/OS CMPSC", 18: "IBM TERSE", 19: "IBM LZ77", 94: "MP3", 95: "XZ", 96: "JPEG", 97: "WavPack", 98: "PPMd", 99: "AES"}

func readEntry(h, name, extra, comment []byte) (Entry, error) {
	flags := le.Uint16(h[8:])
	e := Entry{
		flags: flags, rawName: name, Raw: decodeName(name, flags&flagUTF8 != 0), Comment: decodeName(comment, flags&flagUTF8 != 0),
		Method: le.Uint16(h[10:]), CRC: le.Uint32(h[16:]), Modified: dosTime(le.Uint16(h[14:]), le.Uint16(h[12:])),
	}
	compressed, size, offset, disk := uint64(le.Uint32(h[20:])), uint64(le.Uint32(h[24:])), uint64(le.Uint32(h[42:])), uint32(le.Uint16(h[34:]))
	if err := e.readExtra(extra, &size, &compressed, &offset, &disk); err != nil {
		return e, err
	}
	if disk != 0 {
		return e, malformed("the archive is split into several files, which is not supported")
	}
	if size > math.MaxInt64 || compressed > math.MaxInt64 || offset > math.MaxInt64 {
		return e, malformed("entry %s says that it has more bytes than can be", show(e.Raw))
	}
	e.Size, e.Compressed, e.header = int64(size), int64(compressed), int64(offset)
	switch attrs := le.Uint32(h[38:]); h[5] { // who made it (4.4.2)
	case 3, 19: // Unix, macOS
		e.Mode = attrs >> 16
	case 0, 10, 11, 14: // MS-DOS, Windows
		e.Dir = attrs&0x10 != 0
	}
	if n := len(e.Raw); n > 0 && (e.Raw[n-1] == '/' || e.Raw[n-1] == '\\') || e.Mode&modeType == modeDir {
		e.Dir = true
	}
	e.Name = safe(e.Raw)
	switch kind := e.Mode & modeType; {
	case flags&flagMasked != 0 || flags&(flagEncrypted|flagStrong) == flagEncrypted|flagStrong:
		e.Encrypted = "strong encryption"
	case e.Method == 99:
		e.Encrypted = "AES"
	case flags&flagEncrypted != 0:
		e.Encrypted = "ZipCrypto"
	case kind == modeLink:
		e.Refused = "is a symbolic link"
	case kind != 0 && kind != modeRegular && kind != modeDir:
		e.Refused = "is no regular file"
	}
	if e.Encrypted != "" {
		e.Refused = "is encrypted (" + e.Encrypted + ")"
	}
	if e.Refused == "" {
		e.Refused = unread(e.Method)
	}
	switch {
	case e.Refused != "" || e.Encrypted != "":
	case e.Dir && e.Size != 0:
		return e, malformed("entry %s is a directory with contents", show(e.Raw))
	case e.Method == Store && e.Size != e.Compressed:
		return e, malformed("entry %s is stored in %d bytes and should have %d", show(e.Raw), e.Compressed, e.Size)
	}
	return e, nil
}

// unread says why a method cannot be read, or nothing.
func unread(method uint16) string {
	switch method {
	case Store, Deflate, Zstd:
		return ""
	}
	name := methods[method]
	if name == "" {
		name = "unknown"
	}
	return "uses the method " + name + " (" + itoa(method) + "), which is not supported"
}

func itoa(n uint16) string {
	b := [5]byte{}
	i := len(b)
	for {
		i--
		b[i] = byte('0' + n%10)
		if n /= 10; n == 0 {
			return string(b[i:])
		}
	}
}

// readExtra reads extra fields (4.5). Those that are damaged and only say more of an entry are
// ignored, as others do.
func (e *Entry) readExtra(b []byte, size, compressed, offset *uint64, disk *uint32) error {
	done64 := false
	for len(b) >= 4 {
		id, n := le.Uint16(b), int(le.Uint16(b[2:]))
		if n > len(b)-4 {
			break // what is padded or cut
		}
		f := b[4 : 4+n]
		b = b[4+n:]
		switch id {
		case 0x0001: // zip64: those fields, in this order, that have no room elsewhere (4.5.3)
			if done64 {
				continue
			}
			done64 = true
			for _, v := range []*uint64{size, compressed, offset} {
				if *v != math.MaxUint32 {
					continue
				}
				if len(f) < 8 {
					return malformed("entry %s has a zip64 field that is too short", show(e.Raw))
				}
				*v, f = le.Uint64(f), f[8:]
			}
			if *disk == math.MaxUint16 {
				if len(f) < 4 {
					return malformed("entry %s has a zip64 field that is too short", show(e.Raw))
				}
				*disk = le.Uint32(f)
			}
		case 0x000a: // NTFS (4.5.5): units of 100 ns since 1601
			for f = f[min(4, len(f)):]; len(f) >= 4; {
				tag, m := le.Uint16(f), int(le.Uint16(f[2:]))
				if m > len(f)-4 {
					break
				}
				if tag == 1 && m >= 8 {
					if le.Uint64(f[4:]) < 1<<62 {
						ticks := int64(le.Uint64(f[4:]))
						e.Modified = time.Unix(ticks/1e7-11644473600, ticks%1e7*100).UTC()
					}
				}
				f = f[4+m:]
			}
		case 0x5455: // Info-ZIP: seconds since 1970
			if n >= 5 && f[0]&1 != 0 {
				e.Modified = time.Unix(int64(int32(le.Uint32(f[1:]))), 0).UTC()
			}
		case 0x7075: // Info-ZIP: the name in UTF-8, if it is that of the name it goes with
			if n > 5 && f[0] == 1 && le.Uint32(f[1:]) == crc32.ChecksumIEEE(e.rawName) && n-5 <= maxName {
				e.Raw = decodeName(f[5:], true)
			}
		}
	}
	return nil
}

// dosTime is a time of MS-DOS, to two seconds, or zero.
func dosTime(date, clock uint16) time.Time {
	month, day := time.Month(date>>5&15), int(date&31)
	if month < 1 || month > 12 || day < 1 {
		return time.Time{}
	}
	return time.Date(1980+int(date>>9), month, day, int(clock>>11), int(clock>>5&63), int(clock&31)*2, 0, time.UTC)
}

// readHeaders reads the local headers (4.3.7), which must say what the directory says, and
// lie one behind the other in front of it.
func (a *Archive) readHeaders(ctx context.Context, directory int64) error {
	order := make([]int32, len(a.Entries))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		x, y := a.Entries[i].header, a.Entries[j].header
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	free := int64(0) // where nothing has been yet
	var before *Entry
	var fixed [entryLen]byte
	for n, i := range order {
		if n%256 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		e := &a.Entries[i]
		if e.header > directory-a.Prefix-entryLen {
			return malformed("entry %s lies outside of the archive", show(e.Raw))
		}
		e.header += a.Prefix
		if e.header < free {
			return malformed("the entries %s and %s overlap", show(before.Raw), show(e.Raw))
		}
		if err := a.readAt(fixed[:], e.header); err != nil {
			return err
		}
		h := fixed[:]
		if le.Uint32(h) != sigEntry {
			return malformed("entry %s is not where the directory says", show(e.Raw))
		}
		name, extra := int64(le.Uint16(h[26:])), int64(le.Uint16(h[28:]))
		e.data = e.header + entryLen + name + extra
		if e.data > directory || e.Compressed > directory-e.data {
			return malformed("entry %s lies outside of the archive", show(e.Raw))
		}
		if name != int64(len(e.rawName)) {
			return malformed("the two headers of entry %s have different names", show(e.Raw))
		}
		v, err := a.bytes(e.header+entryLen, name+extra)
		if err != nil {
			return err
		}
		if err := e.agrees(h, v[:name], v[name:]); err != nil {
			return err
		}
		e.rawName = nil
		free, before = e.data+e.Compressed, e
	}
	return nil
}

// agrees compares a local header with what the directory says.
func (e *Entry) agrees(h, name, extra []byte) error {
	const masked = flagEncrypted | flagDescriptor | flagStrong
	switch flags := le.Uint16(h[6:]); {
	case !bytes.Equal(name, e.rawName) && e.flags&flagMasked == 0:
		return malformed("the two headers of entry %s have different names", show(e.Raw))
	case le.Uint16(h[8:]) != e.Method:
		return malformed("the two headers of entry %s have different methods", show(e.Raw))
	case flags&flagEncrypted != e.flags&flagEncrypted:
		return malformed("the two headers of entry %s differ in whether it is encrypted", show(e.Raw))
	case flags&flagDescriptor != 0 || e.flags&masked != 0:
		return nil // its sizes follow the contents
	}
	crc, compressed, size := le.Uint32(h[14:]), uint64(le.Uint32(h[18:])), uint64(le.Uint32(h[22:]))
	offset, disk := uint64(0), uint32(0)
	local := Entry{Raw: e.Raw}
	if err := local.readExtra(extra, &size, &compressed, &offset, &disk); err != nil {
		return err
	}
	if crc != e.CRC || size != uint64(e.Size) || compressed != uint64(e.Compressed) {
		return malformed("the two headers of entry %s have different sizes or checksums", show(e.Raw))
	}
	return nil
}
