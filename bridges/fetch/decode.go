package fetch

import (
	"bufio"
	"errors"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// acceptEncoding is asked for unless a guest asks for something else.
const acceptEncoding = "gzip, br, zstd, deflate"

// maxCodings bounds how many codings of one body are undone, each of which costs memory.
const maxCodings = 3

var errCodings = errors.New("too many content codings")

// decoded undoes the content codings of a body. A coding that is not known leaves the body
// as it came. The caller closes what it gets, which does not close body.
func decoded(contentEncoding string, body io.Reader) (io.ReadCloser, error) {
	var codings []string
	for _, c := range strings.Split(strings.ToLower(contentEncoding), ",") {
		switch c = strings.TrimSpace(c); c {
		case "", "identity":
		case "gzip", "x-gzip", "br", "zstd", "deflate":
			codings = append(codings, c)
		default:
			return io.NopCloser(body), nil
		}
	}
	if len(codings) > maxCodings {
		return nil, errCodings
	}
	d := &decoder{Reader: body}
	for i := len(codings) - 1; i >= 0; i-- {
		in := bufio.NewReader(d.Reader)
		// An empty body has no header to read: the body of a HEAD, or of a server that
		// names a coding and sends nothing.
		if _, err := in.Peek(1); err == io.EOF {
			break
		}
		switch codings[i] {
		case "gzip", "x-gzip":
			z, err := gzip.NewReader(in)
			if err != nil {
				return nil, err
			}
			d.Reader = z
		case "br":
			d.Reader = brotli.NewReader(in)
		case "zstd":
			// RFC 9659 bounds the window of the coding to 8 MiB.
			z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(8<<20))
			if err != nil {
				return nil, err
			}
			d.Reader, d.close = z, append(d.close, z.Close)
		case "deflate":
			// By RFC 9110 it is zlib's format; some servers send the bare one.
			head, err := in.Peek(2)
			if err == nil && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
				z, err := zlib.NewReader(in)
				if err != nil {
					return nil, err
				}
				d.Reader = z
			} else {
				d.Reader = flate.NewReader(in)
			}
		}
	}
	return d, nil
}

type decoder struct {
	io.Reader
	close []func()
}

func (d *decoder) Close() error {
	for _, f := range d.close {
		f()
	}
	return nil
}
