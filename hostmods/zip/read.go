package zip

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"sync"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
)

// Read is the contents of an entry, in memory of just that size; of a directory it is empty.
func (a *Archive) Read(ctx context.Context, e *Entry) ([]byte, error) {
	if err := a.admit(e); err != nil {
		return nil, err
	}
	return a.read(ctx, e)
}

// ReadAll is the contents of several entries, read on all processors.
func (a *Archive) ReadAll(ctx context.Context, entries []*Entry) ([][]byte, error) {
	for _, e := range entries {
		if err := a.admit(e); err != nil {
			return nil, err
		}
	}
	all := make([][]byte, len(entries))
	return all, inParallel(len(entries), func(i int) (err error) {
		all[i], err = a.read(ctx, entries[i])
		return err
	})
}

// WriteTo writes the contents of an entry to w in pieces, as they come out of it. Of what it
// wrote nothing counts if it fails: the checksum is the last thing to be known. An error of
// w is returned as it is.
func (a *Archive) WriteTo(ctx context.Context, e *Entry, w io.Writer) error {
	if err := a.admit(e); err != nil {
		return err
	}
	buf := make([]byte, min(e.Size+1, piece))
	return a.stream(ctx, e, func() ([]byte, error) { return buf, nil }, func(b []byte) error {
		_, err := w.Write(b)
		return err
	})
}

// piece is how much of a stream there is at one time.
const piece = 256 << 10

// admit takes what an entry declares off the limits. More than that does not come out of it.
func (a *Archive) admit(e *Entry) error {
	switch {
	case e.Refused != "":
		return malformed("entry %s %s", show(e.Raw), e.Refused)
	case e.Size > a.limits.Entry && a.limits.Entry < a.limits.Total:
		return over(limitEntry, a.limits.Entry, e.Size, "entry %s has %d bytes, more than the limit of %d", show(e.Raw), e.Size, a.limits.Entry)
	case e.Size > ratioFrom && e.Size/a.limits.Ratio > e.Compressed:
		return over(limitRatio, a.limits.Ratio, e.Size/max(e.Compressed, 1), "entry %s says that %d bytes are in %d, more than the limit of %d to one", show(e.Raw), e.Size, e.Compressed, a.limits.Ratio)
	}
	for {
		left := a.left.Load()
		if e.Size > left {
			// Said of all that was asked for so far, which is at least what is told.
			used := a.limits.Total - left + min(e.Size, math.MaxInt64-a.limits.Total)
			return over(limitTotal, a.limits.Total, used, "the contents up to entry %s have %d bytes, more than the limit of %d", show(e.Raw), used, a.limits.Total)
		}
		if a.left.CompareAndSwap(left, left-e.Size) {
			return nil
		}
	}
}

// read is Read of an entry that was admitted.
func (a *Archive) read(ctx context.Context, e *Entry) ([]byte, error) {
	out := make([]byte, e.Size)
	if a.mem == nil || e.Method == Zstd {
		n := 0
		err := a.stream(ctx, e, func() ([]byte, error) {
			if n == len(out) {
				return make([]byte, 1), nil // there should be no more
			}
			return out[n:min(len(out), n+piece)], nil
		}, func(b []byte) error {
			n += len(b)
			return nil
		})
		return out, err
	}
	in := a.mem[e.data : e.data+e.Compressed]
	if e.Method == Store {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		copy(out, in)
	} else {
		used, err := inflate(ctx, out, in)
		if err == nil && used < len(in) {
			err = errAfter
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			return nil, e.failed(err)
		}
	}
	if crc32.ChecksumIEEE(out) != e.CRC {
		return nil, e.failed(errChecksum)
	}
	return out, nil
}

var (
	errChecksum = errors.New("zip: the checksum is wrong")
	errAfter    = errors.New("zip: there is more than the compressed data")
)

// failed is an error of decompression in words, not one of a context.
func (e *Entry) failed(err error) error {
	name := show(e.Raw)
	switch {
	case errors.Is(err, errShort), errors.Is(err, io.ErrUnexpectedEOF):
		return malformed("entry %s ends before the %d bytes that it should have", name, e.Size)
	case errors.Is(err, errLong):
		return malformed("entry %s holds more than the %d bytes that it should have", name, e.Size)
	case errors.Is(err, errChecksum):
		return malformed("entry %s is damaged: its checksum is wrong", name)
	case errors.Is(err, errAfter):
		return malformed("entry %s is damaged: its compressed data end before they should", name)
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return malformed("entry %s needs a window of more than %d bytes, which is not supported", name, maxWindow)
	}
	return malformed("entry %s is damaged: its compressed data make no sense", name)
}

// stream decompresses an entry into the memory that room returns, piece by piece, and calls
// got with what is there of it each time.
func (a *Archive) stream(ctx context.Context, e *Entry, room func() ([]byte, error), got func([]byte) error) error {
	section := &source{SectionReader: io.NewSectionReader(a.src, e.data, e.Compressed)}
	var r io.Reader
	finish := func() error { return nil }
	switch e.Method {
	case Store:
		r = section
	case Deflate:
		d := streams.Get().(*deflated)
		defer streams.Put(d)
		d.buf.Reset(section)
		d.r.(flate.Resetter).Reset(d.buf, nil)
		defer d.buf.Reset(nil)
		r = d.r
		finish = func() error {
			if _, err := d.buf.ReadByte(); err != io.EOF {
				return errAfter
			}
			return nil
		}
	case Zstd:
		// Its window is memory that no limit counts, so there is one at a time.
		select {
		case zstdTurn <- struct{}{}:
			defer func() { <-zstdTurn }()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		z, err := zstd.NewReader(section, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return e.failed(err)
		}
		defer z.Close()
		r = z
	}
	size, sum := int64(0), uint32(0)
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		buf, err := room()
		if err != nil {
			return err
		}
		n, err := io.ReadFull(r, buf)
		if size += int64(n); size > e.Size {
			return e.failed(errLong)
		}
		sum = crc32.Update(sum, crc32.IEEETable, buf[:n])
		if n > 0 {
			if err := got(buf[:n]); err != nil {
				return err
			}
		}
		if err == nil {
			continue
		}
		// ReadFull makes two errors of the end, one of which a reader can mean as well.
		if section.err != nil {
			return section.err
		}
		if err != io.EOF && err != io.ErrUnexpectedEOF {
			return e.failed(err)
		}
		if _, again := r.Read(buf[:1]); again != io.EOF {
			return e.failed(io.ErrUnexpectedEOF)
		}
		break
	}
	if size < e.Size {
		return e.failed(errShort)
	}
	if err := finish(); err != nil {
		return e.failed(err)
	}
	if sum != e.CRC {
		return e.failed(errChecksum)
	}
	return nil
}

// maxWindow is the window of Zstandard, which at its default levels is never larger.
const maxWindow = 8 << 20

var zstdTurn = make(chan struct{}, 1)

// source is the compressed bytes of an entry. It remembers how reading them failed.
type source struct {
	*io.SectionReader
	err error
}

func (s *source) Read(b []byte) (int, error) {
	n, err := s.SectionReader.Read(b)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// deflated is a reader of Deflate, which is worth keeping.
type deflated struct {
	buf *bufio.Reader
	r   io.Reader
}

var streams = sync.Pool{New: func() any {
	return &deflated{bufio.NewReaderSize(nil, 64<<10), flate.NewReader(bytes.NewReader(nil))}
}}
