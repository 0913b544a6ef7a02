package ogg

import (
	"io"

	"quicksand/media/audio"
)

// A codec decodes the packets of one stream.
type codec interface {
	// frames is how many frames a packet adds, without decoding it. It is called for all of
	// them in order.
	frames(data []byte) int
	// decode is what a packet adds, as many frames as frames says, for each channel. It is
	// valid until the next call.
	decode(data []byte) [][]float32
}

// A span is what of a stream is sound: frames behind the first skip ones.
type span struct{ skip, frames int64 }

// measure reads all packets of audio for the length of the stream, from a copy of it. delay is
// how many frames at the beginning are none of it.
func measure(from *packets, c codec, delay int64, early bool) span {
	var (
		s     = *from
		total int64
		start int64
		begun bool
		end   = int64(-1)
	)
	for {
		p, ok := s.next()
		if !ok {
			break
		}
		total += int64(c.frames(p.data))
		if p.granule >= 0 {
			if !begun {
				begun = true
				if start = p.granule - total; start < 0 {
					// The first page is the last one too, and cut at its end; or the frames
					// before 0 are none of the sound, where the codec allows that.
					if early && !p.end {
						delay += -start
					} else {
						start = 0
					}
				}
			}
			if p.end {
				end = p.granule
			}
		}
	}
	from.pages.whole = s.pages.wasted == 0
	if end >= 0 {
		total = min(total, end-start)
	}
	return span{delay, max(total-delay, 0)}
}

// reader is an audio.Reader of one stream.
type reader struct {
	info  audio.Info
	s     *packets
	codec codec
	skip  int64
	left  int64
	block [][]float32 // what was decoded and not read
	at    int
	size  int
}

func (r *reader) Info() audio.Info { return r.info }

func (r *reader) Read(dst [][]float32) (int, error) {
	n, room := 0, len(dst[0])
	for n < room && r.left > 0 {
		if r.at == r.size {
			p, ok := r.s.next()
			if !ok {
				break
			}
			r.block = r.codec.decode(p.data)
			r.at, r.size = 0, 0
			if len(r.block) > 0 {
				r.size = len(r.block[0])
			}
			drop := min(r.skip, int64(r.size))
			r.skip -= drop
			r.at = int(drop)
			continue
		}
		k := int(min(int64(room-n), int64(r.size-r.at), r.left))
		for c := range dst {
			copy(dst[c][n:n+k], r.block[c][r.at:])
		}
		n += k
		r.at += k
		r.left -= int64(k)
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}
