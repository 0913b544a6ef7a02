package mp3

import (
	"io"
	"unsafe"

	"quicksand/media/audio"
)

func init() {
	audio.Register(audio.MP3, audio.Decoder{Config: config, Open: open})
}

func (f file) info() audio.Info {
	info := audio.Info{
		Codec: "mp3", Rate: f.head.rate, Channels: f.channels, Frames: f.frames,
		Scratch: int64(unsafe.Sizeof(decoder{})) + 16<<10,
	}
	if f.frames > 0 {
		info.BitRate = int(float64(f.size) * 8 * float64(f.head.rate) / float64(f.frames+f.skip))
	}
	return info
}

func config(data []byte) (audio.Info, error) {
	f, err := openFile(data)
	if err != nil {
		return audio.Info{}, err
	}
	return f.info(), nil
}

func open(data []byte) (audio.Reader, error) {
	f, err := openFile(data)
	if err != nil {
		return nil, err
	}
	return &reader{file: f, decoder: newDecoder(f.channels), skip: f.skip, left: f.frames}, nil
}

// reader is an audio.Reader.
type reader struct {
	file     file
	decoder  *decoder
	skip     int64
	left     int64
	at, size int // what of decoder.out was not read
}

func (r *reader) Info() audio.Info { return r.file.info() }

func (r *reader) Read(dst [][]float32) (int, error) {
	n, room := 0, len(dst[0])
	for n < room && r.left > 0 {
		if r.at == r.size {
			h, frame, ok := r.file.walk.next()
			if !ok {
				break
			}
			r.decoder.decode(h, frame)
			r.size = h.frames()
			r.at = int(min(r.skip, int64(r.size)))
			r.skip -= int64(r.at)
			continue
		}
		k := int(min(int64(room-n), int64(r.size-r.at), r.left))
		for c := range dst {
			copy(dst[c][n:n+k], r.decoder.out[c][r.at:])
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
