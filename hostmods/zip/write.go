package zip

import (
	"bytes"
	"cmp"
	"context"
	"hash/crc32"
	"io"
	"math"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/flate"
)

// A File is what Write puts into an archive.
type File struct {
	// Name is its path: one that reading would leave as it is. A slash at its end makes a
	// directory, which has no contents.
	Name string
	// Data are its contents, unless there is Open.
	Data []byte
	// Open opens contents that are read once, in pieces. Write closes them. Size is what is
	// known of how much it will be, and may be wrong by less than it takes to get to 4 GiB.
	Open func(ctx context.Context) (io.ReadCloser, error)
	Size int64
	// Level is from 1, fast, to 9, small. Zero is that of Options.
	Level int
	// Store leaves the contents uncompressed.
	Store bool
	// Modified is kept to the second. Zero is the first moment that an archive knows, the
	// start of 1980, so that equal files make equal archives.
	Modified time.Time
	// Mode is the rights on Unix, as in 0o755. Zero is 0o644, or 0o755 for a directory.
	Mode    uint32
	Comment string
}

// Options are about a whole archive.
type Options struct {
	// Level is that of files that have none. Zero is DefaultLevel.
	Level   int
	Comment string
	// Zip64 uses the fields of zip64 where they are not needed, too.
	Zip64 bool
}

// DefaultLevel compresses text about as small as level 6 of zlib.
const DefaultLevel = 6

// Create is Write into memory.
func Create(ctx context.Context, files []File, o Options) ([]byte, error) {
	var list chunks
	if err := Write(ctx, &list, files, o); err != nil {
		return nil, err
	}
	return bytes.Join(list.all, nil), nil
}

// chunks keeps what is written to it, without a copy where the bytes can be kept.
type chunks struct{ all [][]byte }

func (c *chunks) Write(b []byte) (int, error) {
	c.all = append(c.all, bytes.Clone(b))
	return len(b), nil
}

// Write writes an archive to w. Errors of w and of File.Open are returned as they are, all
// others are a *FormatError or of ctx.
func Write(ctx context.Context, w io.Writer, files []File, o Options) error {
	if err := check(files, o); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	p := &pipe{
		ctx: ctx, cancel: cancel, files: files, level: cmp.Or(o.Level, DefaultLevel),
		work: make(chan *block), ordered: make(chan *block, runtime.GOMAXPROCS(0)),
	}
	var wg sync.WaitGroup
	wg.Go(func() { p.guard(p.read) })
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() { p.guard(p.compress) })
	}
	out := &archiver{w: w, o: o, entries: make([]written, 0, len(files))}
	out.list, _ = w.(*chunks)
	err := out.run(ctx, p)
	cancel()
	wg.Wait() // all of them look at ctx
	if p.panicked != nil {
		panic(p.panicked) // the caller has somebody to recover it
	}
	return err
}

// check looks at all that can be wrong before anything is written.
func check(files []File, o Options) error {
	if len(o.Comment) > math.MaxUint16 {
		return malformed("the comment has %d bytes, more than an archive has room for, %d", len(o.Comment), math.MaxUint16)
	}
	used := make(map[string]bool, len(files))
	for i := range files {
		f := &files[i]
		name := strings.TrimSuffix(f.Name, "/")
		switch is := safe(name); {
		case len(f.Name) > maxName:
			return over(limitName, maxName, int64(len(f.Name)), "the name %s has %d bytes, more than the limit of %d", show(f.Name), len(f.Name), maxName)
		case is == "":
			return malformed("%q is no name for an entry", show(f.Name))
		case is != name:
			return malformed("the name %q is not safe; %q would be", show(f.Name), show(is))
		case used[name]:
			return malformed("two entries have the name %s", show(name))
		case name != f.Name && len(f.Data) > 0:
			return malformed("entry %s is a directory and cannot have contents", show(f.Name))
		case f.Level < 0 || f.Level > 9:
			return malformed("the level of entry %s is %d; levels are 1 to 9", show(f.Name), f.Level)
		case len(f.Comment) > math.MaxUint16:
			return malformed("the comment of entry %s has %d bytes, more than there is room for, %d", show(f.Name), len(f.Comment), math.MaxUint16)
		}
		used[name] = true
	}
	return nil
}

// Sizes of blocks. The second is how much of the one before the compressor sees, so that a
// block can refer to it: as far as Deflate reaches back. Blocks of 512 KiB cost 0.06 % of size.
const (
	blockSize = 512 << 10
	dictSize  = 32 << 10
)

// A block is a part of a file on its way through a pipe.
type block struct {
	file        int
	first, last bool
	dict, raw   []byte
	packed      []byte
	mem         *[dictSize + blockSize]byte // what raw is in, if it is read in pieces
	sum         uint32                      // of the file up to and with this block
	done        chan struct{}               // closed when packed is there
	err         error
}

// A pipe reads files, compresses their blocks and hands them on in order.
type pipe struct {
	ctx     context.Context
	cancel  func()
	files   []File
	level   int
	work    chan *block
	ordered chan *block // closed at the end of the last file

	once     sync.Once
	panicked any
}

// guard keeps a panic for the goroutine that has somebody to recover it.
func (p *pipe) guard(f func()) {
	defer func() {
		if r := recover(); r != nil {
			p.once.Do(func() { p.panicked = r })
			p.cancel()
		}
	}()
	f()
}

// send puts a block in line, or reports that nobody waits for it any more.
func (p *pipe) send(b *block) bool {
	b.done = make(chan struct{})
	if b.err != nil {
		close(b.done)
	}
	select {
	case p.ordered <- b:
	case <-p.ctx.Done():
		return false
	}
	if b.err != nil {
		return false
	}
	select {
	case p.work <- b:
		return true
	case <-p.ctx.Done():
		return false
	}
}

func (p *pipe) read() {
	defer close(p.work)
	for i := range p.files {
		var ok bool
		if p.files[i].Open != nil {
			ok = p.readStream(i)
		} else {
			ok = p.readBytes(i)
		}
		if !ok {
			return
		}
	}
	close(p.ordered)
}

func (p *pipe) readBytes(i int) bool {
	data, sum := p.files[i].Data, uint32(0)
	for at := 0; ; at += blockSize {
		end := min(at+blockSize, len(data))
		b := &block{file: i, first: at == 0, last: end == len(data), dict: data[max(at-dictSize, 0):at], raw: data[at:end]}
		sum = crc32.Update(sum, crc32.IEEETable, b.raw)
		if b.sum = sum; !p.send(b) {
			return false
		}
		if b.last {
			return true
		}
	}
}

var blocks = sync.Pool{New: func() any { return new([dictSize + blockSize]byte) }}

func (p *pipe) readStream(i int) bool {
	r, err := p.files[i].Open(p.ctx)
	if err != nil {
		return p.send(&block{err: err})
	}
	defer r.Close()
	var tail []byte
	sum := uint32(0)
	for first := true; ; first = false {
		mem := blocks.Get().(*[dictSize + blockSize]byte)
		n := copy(mem[dictSize-len(tail):], tail)
		b := &block{file: i, first: first, mem: mem, dict: mem[dictSize-n : dictSize]}
		n, err := io.ReadFull(r, mem[dictSize:])
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return p.send(&block{err: err})
		}
		b.raw, b.last = mem[dictSize:dictSize+n], err != nil
		sum = crc32.Update(sum, crc32.IEEETable, b.raw)
		b.sum = sum
		if !b.last {
			tail = append(tail[:0], b.raw[n-dictSize:]...)
		}
		if !p.send(b) {
			return false
		}
		if b.last {
			return true
		}
	}
}

func (p *pipe) compress() {
	for b := range p.work {
		f := &p.files[b.file]
		if !f.Store && len(b.raw)+len(b.dict) > 0 {
			b.packed, b.err = deflate(p.ctx, cmp.Or(f.Level, p.level), b.raw, b.dict, b.last)
		}
		close(b.done)
	}
}

// A packer is a compressor, which is worth keeping: it has tables of up to a megabyte.
type packer struct {
	w    *flate.Writer
	buf  bytes.Buffer
	dict [dictSize]byte // a copy, for w keeps it
}

var packers [10]sync.Pool

// deflate compresses a part of a stream, of which dict has been before. What it returns ends
// at a byte, and ends the stream if this is the last part.
func deflate(ctx context.Context, level int, raw, dict []byte, last bool) ([]byte, error) {
	p, _ := packers[level].Get().(*packer)
	if p == nil {
		p = new(packer)
		p.w, _ = flate.NewWriter(&p.buf, level) // a level that there is
	}
	p.buf.Reset()
	p.w.ResetDict(&p.buf, p.dict[:copy(p.dict[:], dict)])
	for len(raw) > 0 {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		n := min(len(raw), 64<<10)
		if _, err := p.w.Write(raw[:n]); err != nil {
			return nil, err
		}
		raw = raw[n:]
	}
	end := p.w.Flush
	if last {
		end = p.w.Close
	}
	if err := end(); err != nil {
		return nil, err
	}
	packed := bytes.Clone(p.buf.Bytes())
	packers[level].Put(p)
	return packed, nil
}

// written is an entry that is in the archive, for the central directory.
type written struct {
	file             *File
	method, flags    uint16
	sum              uint32
	size, compressed int64
	header           int64
	zip64            bool
}

// An archiver writes the parts of an archive in order.
type archiver struct {
	w       io.Writer
	list    *chunks // w, if it can keep bytes
	at      int64
	o       Options
	entries []written
}

// put writes bytes that nobody changes any more.
func (a *archiver) put(b []byte) error {
	a.at += int64(len(b))
	if a.list != nil {
		a.list.all = append(a.list.all, b)
		return nil
	}
	_, err := a.w.Write(b)
	return err
}

func (a *archiver) run(ctx context.Context, p *pipe) error {
	var packed [][]byte // of a file that is written when its size is known
	streamed := false
	var e *written
	for {
		var b *block
		select {
		case b = <-p.ordered:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if b == nil {
			return a.finish()
		}
		select {
		case <-b.done:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if b.err != nil {
			return b.err
		}
		f := &p.files[b.file]
		if b.first {
			packed, streamed = packed[:0], f.Open != nil && !b.last
			a.entries = append(a.entries, written{file: f, header: a.at, method: Deflate})
			e = &a.entries[len(a.entries)-1]
			if f.Store || streamed && len(b.packed) >= len(b.raw) {
				e.method = Store
			}
			if streamed {
				e.flags = flagDescriptor
				e.zip64 = a.o.Zip64 || f.Size > math.MaxUint32-16<<20
				if err := a.header(e); err != nil {
					return err
				}
			}
		}
		e.size += int64(len(b.raw))
		e.sum = b.sum
		piece := b.packed
		if streamed {
			if e.method == Store {
				piece = b.raw
			}
			e.compressed += int64(len(piece))
			if a.list != nil && b.mem != nil && e.method == Store {
				piece = bytes.Clone(piece)
			}
			if err := a.put(piece); err != nil {
				return err
			}
			if b.last {
				if err := a.descriptor(e); err != nil {
					return err
				}
			}
		} else {
			packed = append(packed, piece)
			e.compressed += int64(len(piece))
			if b.last {
				data := f.Data
				if f.Open != nil {
					data = b.raw
					if a.list != nil {
						data = bytes.Clone(data)
					}
				}
				if err := a.whole(e, packed, data); err != nil {
					return err
				}
			}
		}
		if b.mem != nil {
			blocks.Put(b.mem)
		}
	}
}

// whole writes an entry of which all is known, compressed if that makes it smaller.
func (a *archiver) whole(e *written, packed [][]byte, data []byte) error {
	if e.method == Store || e.compressed >= e.size {
		e.method, e.compressed, packed = Store, e.size, [][]byte{data}
	}
	e.zip64 = a.o.Zip64 || max(e.size, e.compressed) >= math.MaxUint32
	if err := a.header(e); err != nil {
		return err
	}
	for _, b := range packed {
		if len(b) == 0 {
			continue
		}
		if err := a.put(b); err != nil {
			return err
		}
	}
	return nil
}

// Versions that a reader needs to know (4.4.3).
const (
	version20 = 20
	version45 = 45
)

func (e *written) version() uint16 {
	if e.zip64 {
		return version45
	}
	return version20
}

// times are the extra field for the time of an entry, or nothing, and the fields of MS-DOS.
func (e *written) times() (extra []byte, date, clock uint16) {
	t := e.file.Modified
	if t.IsZero() {
		return nil, 1<<5 | 1, 0
	}
	t = t.UTC()
	if s := t.Unix(); s == int64(int32(s)) {
		extra = le.AppendUint32([]byte{0x55, 0x54, 5, 0, 1}, uint32(s))
	}
	switch y := t.Year(); {
	case y < 1980:
		return extra, 1<<5 | 1, 0
	case y > 2107:
		return extra, 127<<9 | 12<<5 | 31, 23<<11 | 59<<5 | 29
	}
	return extra, uint16((t.Year()-1980)<<9 | int(t.Month())<<5 | t.Day()), uint16(t.Hour()<<11 | t.Minute()<<5 | t.Second()/2)
}

// header writes a local header. It fixes the flags of the entry.
func (a *archiver) header(e *written) error {
	name := e.file.Name
	if !ascii(name) || !ascii(e.file.Comment) {
		e.flags |= flagUTF8
	}
	extra, date, clock := e.times()
	size, compressed := uint32(e.size), uint32(e.compressed)
	if e.flags&flagDescriptor != 0 {
		size, compressed = 0, 0
	}
	if e.zip64 {
		extra = le.AppendUint16(extra, 1)
		extra = le.AppendUint16(extra, 16)
		if e.flags&flagDescriptor != 0 {
			extra = append(extra, make([]byte, 16)...)
		} else {
			extra = le.AppendUint64(extra, uint64(e.size))
			extra = le.AppendUint64(extra, uint64(e.compressed))
		}
		size, compressed = math.MaxUint32, math.MaxUint32
	}
	sum := e.sum
	if e.flags&flagDescriptor != 0 {
		sum = 0
	}
	b := make([]byte, 0, entryLen+len(name)+len(extra))
	b = le.AppendUint32(b, sigEntry)
	b = le.AppendUint16(b, e.version())
	b = le.AppendUint16(b, e.flags)
	b = le.AppendUint16(b, e.method)
	b = le.AppendUint16(b, clock)
	b = le.AppendUint16(b, date)
	b = le.AppendUint32(b, sum)
	b = le.AppendUint32(b, compressed)
	b = le.AppendUint32(b, size)
	b = le.AppendUint16(b, uint16(len(name)))
	b = le.AppendUint16(b, uint16(len(extra)))
	b = append(b, name...)
	return a.put(append(b, extra...))
}

// descriptor writes what was not known at the header (4.3.9).
func (a *archiver) descriptor(e *written) error {
	b := le.AppendUint32(nil, sigData)
	b = le.AppendUint32(b, e.sum)
	if e.zip64 {
		b = le.AppendUint64(b, uint64(e.compressed))
		b = le.AppendUint64(b, uint64(e.size))
		return a.put(b)
	}
	if max(e.size, e.compressed) >= math.MaxUint32 {
		return malformed("entry %s became larger than 4 GiB while it was read", show(e.file.Name))
	}
	b = le.AppendUint32(b, uint32(e.compressed))
	return a.put(le.AppendUint32(b, uint32(e.size)))
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// finish writes the central directory and its end.
func (a *archiver) finish() error {
	start := a.at
	var b []byte
	for i := range a.entries {
		b = a.entries[i].directory(b)
		if len(b) >= blockSize {
			if err := a.put(b); err != nil {
				return err
			}
			b = nil
		}
	}
	size := a.at + int64(len(b)) - start
	count := len(a.entries)
	count16, size32, start32 := uint16(min(count, math.MaxUint16)), uint32(min(size, math.MaxUint32)), uint32(min(start, math.MaxUint32))
	if a.o.Zip64 || count >= math.MaxUint16 || size >= math.MaxUint32 || start >= math.MaxUint32 {
		b = le.AppendUint32(b, sigEnd64)
		b = le.AppendUint64(b, end64Len-12)
		b = le.AppendUint16(b, 3<<8|version45)
		b = le.AppendUint16(b, version45)
		b = le.AppendUint64(b, 0) // disks
		b = le.AppendUint64(b, uint64(count))
		b = le.AppendUint64(b, uint64(count))
		b = le.AppendUint64(b, uint64(size))
		b = le.AppendUint64(b, uint64(start))
		b = le.AppendUint32(b, sigLocator)
		b = le.AppendUint32(b, 0)
		b = le.AppendUint64(b, uint64(start+size))
		b = le.AppendUint32(b, 1)
		if a.o.Zip64 {
			count16, size32, start32 = math.MaxUint16, math.MaxUint32, math.MaxUint32
		}
	}
	b = le.AppendUint32(b, sigEnd)
	b = le.AppendUint32(b, 0) // disks
	b = le.AppendUint16(b, count16)
	b = le.AppendUint16(b, count16)
	b = le.AppendUint32(b, size32)
	b = le.AppendUint32(b, start32)
	b = le.AppendUint16(b, uint16(len(a.o.Comment)))
	return a.put(append(b, a.o.Comment...))
}

// directory appends the header of the central directory to b.
func (e *written) directory(b []byte) []byte {
	extra, date, clock := e.times()
	size, compressed, header := uint32(e.size), uint32(e.compressed), uint32(min(e.header, math.MaxUint32))
	if e.zip64 || header == math.MaxUint32 {
		var f []byte
		if e.zip64 {
			f = le.AppendUint64(f, uint64(e.size))
			f = le.AppendUint64(f, uint64(e.compressed))
			size, compressed, header = math.MaxUint32, math.MaxUint32, math.MaxUint32
		}
		f = le.AppendUint64(f, uint64(e.header))
		extra = le.AppendUint16(extra, 1)
		extra = le.AppendUint16(extra, uint16(len(f)))
		extra = append(extra, f...)
	}
	version := e.version()
	if header == math.MaxUint32 {
		version = version45
	}
	name, comment := e.file.Name, e.file.Comment
	mode := e.file.Mode & 0o7777
	attrs := uint32(0)
	if strings.HasSuffix(name, "/") {
		mode, attrs = cmp.Or(mode, 0o755)|modeDir, 0x10
	} else {
		mode = cmp.Or(mode, 0o644) | modeRegular
	}
	b = le.AppendUint32(b, sigDirectory)
	b = le.AppendUint16(b, 3<<8|version) // made on Unix
	b = le.AppendUint16(b, version)
	b = le.AppendUint16(b, e.flags)
	b = le.AppendUint16(b, e.method)
	b = le.AppendUint16(b, clock)
	b = le.AppendUint16(b, date)
	b = le.AppendUint32(b, e.sum)
	b = le.AppendUint32(b, compressed)
	b = le.AppendUint32(b, size)
	b = le.AppendUint16(b, uint16(len(name)))
	b = le.AppendUint16(b, uint16(len(extra)))
	b = le.AppendUint16(b, uint16(len(comment)))
	b = le.AppendUint32(b, 0) // the disk, and whether it is text
	b = le.AppendUint32(b, mode<<16|attrs)
	b = le.AppendUint32(b, header)
	b = append(b, name...)
	b = append(b, extra...)
	return append(b, comment...)
}
