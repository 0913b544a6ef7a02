package zip

import (
	"bytes"
	"cmp"
	"context"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"

	"quicksand/bridges"
	"quicksand/hostmods"
)

// Gzip compresses data into one member of the format of gzip (RFC 1952), on all processors
// and without a time. Level is that of File.
func Gzip(ctx context.Context, data []byte, level int) ([]byte, error) {
	level = cmp.Or(level, DefaultLevel)
	n := max((len(data)+blockSize-1)/blockSize, 1)
	parts := make([][]byte, n+2)
	parts[0] = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}
	err := inParallel(n, func(i int) (err error) {
		at := i * blockSize
		parts[i+1], err = deflate(ctx, level, data[at:min(at+blockSize, len(data))], data[max(at-dictSize, 0):at], i == n-1)
		return err
	})
	if err != nil {
		return nil, err
	}
	parts[n+1] = le.AppendUint32(le.AppendUint32(nil, crc32.ChecksumIEEE(data)), uint32(len(data)))
	return bytes.Join(parts, nil), nil
}

// Gunzip is what the members of gzip in data hold, one after the other. Of the limits Total
// and Ratio count.
func Gunzip(ctx context.Context, data []byte, l Limits) ([]byte, error) {
	l = l.complete()
	// The size is known where there is one member; else it is counted first, for memory that
	// grows while it fills would be twice as much at times.
	size, err := int64(0), error(nil)
	body, err := gzipHeader(data)
	if err != nil {
		return nil, err
	}
	if len(body) >= 8 {
		said := int64(le.Uint32(data[len(data)-4:]))
		if said <= l.Total && (said <= ratioFrom || said/l.Ratio <= int64(len(data))) {
			out := make([]byte, said)
			used, err := inflate(ctx, out, body)
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if err == nil && used == len(body)-8 {
				if crc32.ChecksumIEEE(out) != le.Uint32(body[used:]) {
					return nil, malformed("the gzip data are damaged: their checksum is wrong")
				}
				return out, nil
			}
		}
	}
	if size, err = members(ctx, data, l, nil); err != nil {
		return nil, err
	}
	out := make([]byte, size)
	_, err = members(ctx, data, l, out)
	return out, err
}

// members decompresses all members into out, or counts their bytes without it.
func members(ctx context.Context, data []byte, l Limits, out []byte) (int64, error) {
	buf := make([]byte, 64<<10)
	r := bytes.NewReader(nil)
	d := flate.NewReader(r)
	total := int64(0)
	for rest := data; ; {
		body, err := gzipHeader(rest)
		if err != nil {
			return 0, err
		}
		r.Reset(body)
		d.(flate.Resetter).Reset(r, nil)
		size, sum := uint32(0), uint32(0)
		for err == nil {
			if ctx.Err() != nil {
				return 0, context.Cause(ctx)
			}
			to := buf
			if out != nil && int64(len(out)) > total {
				to = out[total:]
				to = to[:min(len(to), len(buf))]
			}
			var n int
			n, err = d.Read(to)
			total += int64(n)
			size += uint32(n)
			sum = crc32.Update(sum, crc32.IEEETable, to[:n])
			if total > l.Total {
				return 0, over(limitTotal, l.Total, total, "the gzip data hold more than the limit of %d bytes", l.Total)
			}
			if total > ratioFrom && total/l.Ratio > int64(len(data)) {
				return 0, over(limitRatio, l.Ratio, total/int64(len(data)), "the gzip data are more than %d times larger than their compressed form", l.Ratio)
			}
		}
		switch {
		case err == io.ErrUnexpectedEOF:
			return 0, malformed("the gzip data end early")
		case err != io.EOF:
			return 0, malformed("the gzip data are damaged")
		}
		rest = body[len(body)-r.Len():]
		if len(rest) < 8 {
			return 0, malformed("the gzip data end early")
		}
		if le.Uint32(rest) != sum || le.Uint32(rest[4:]) != size {
			return 0, malformed("the gzip data are damaged: their checksum is wrong")
		}
		// Zeros may follow, as tapes and some programs have them.
		if rest = rest[8:]; len(bytes.TrimLeft(rest, "\x00")) == 0 {
			return total, nil
		}
	}
}

// gzipHeader is what follows the header of a member.
func gzipHeader(b []byte) ([]byte, error) {
	if len(b) < 10 || b[0] != 0x1f || b[1] != 0x8b {
		return nil, malformed("these are no gzip data")
	}
	if b[2] != 8 {
		return nil, malformed("the gzip data use a method that does not exist")
	}
	flags := b[3]
	b = b[10:]
	if flags&4 != 0 { // extra fields
		if len(b) < 2 || len(b)-2 < int(le.Uint16(b)) {
			return nil, malformed("the gzip data end early")
		}
		b = b[2+int(le.Uint16(b)):]
	}
	for _, f := range []byte{8, 16} { // a name, a comment
		if flags&f != 0 {
			end := bytes.IndexByte(b, 0)
			if end < 0 {
				return nil, malformed("the gzip data end early")
			}
			b = b[end+1:]
		}
	}
	if flags&2 != 0 { // a checksum of the header
		if len(b) < 2 {
			return nil, malformed("the gzip data end early")
		}
		b = b[2:]
	}
	return b, nil
}

func gzip(ctx context.Context, c *bridges.Call) (any, error) {
	o, err := optionsOf(c, 1)
	if err != nil {
		return nil, err
	}
	oo, store, err := packing(c, o)
	if err != nil {
		return nil, err
	}
	if store {
		return nil, bridges.TypeErrorf(c.Op(), "options.level must be 1 to 9")
	}
	data := c.Bytes(0)
	if n := int64(len(data)); n > maxSource {
		return nil, over(limitInput, maxSource, n, "data has %d bytes, more than the limit of %d", n, maxSource)
	}
	return Gzip(ctx, data, oo.Level)
}

func gunzip(ctx context.Context, c *bridges.Call) (any, error) {
	o, err := optionsOf(c, 1)
	if err != nil {
		return nil, err
	}
	data, err := hostmods.BytesUpTo(c, 0, limitInput, maxSource)
	if err != nil {
		return nil, err
	}
	return Gunzip(ctx, data, limitsOf(c, o, DefaultTotal, DefaultTotal))
}
