package mp3

import (
	"bytes"
	"encoding/binary"

	"quicksand/media/audio"
)

// decoderDelay is how many frames later than an encoder assumes a decoder gives the sound, as
// encoders count: 528 for the filter banks, and one.
const decoderDelay = 529

// A file is what is known of one before it is decoded.
type file struct {
	head     header
	walk     walker // at the first frame of sound
	channels int
	skip     int64 // frames in front that are none of the sound
	frames   int64 // of the sound
	size     int64 // of all frames of the file, in bytes
}

// openFile looks through the file.
func openFile(data []byte) (file, error) {
	data = trimEnd(audio.TrimID3(data))
	start := audio.MPEGStart(data)
	if start < 0 {
		if h, ok := parseHeader(data); ok && h.bitRate == 0 {
			return file{}, audio.FormatError("the free format of MPEG audio, without a bit rate, is not supported")
		}
		return file{}, audio.FormatError("there is no frame of MPEG audio in it")
	}
	h, ok := parseHeader(data[start:])
	switch {
	case !ok:
		return file{}, audio.FormatError("there is no frame of MPEG audio in it")
	case h.layer != 3:
		return file{}, audio.FormatError("MPEG audio is supported in layer III only, and this is layer " + [4]string{1: "I", 2: "II"}[h.layer])
	}
	f := file{head: h, channels: h.channels(), walk: walker{data: data, at: start, kind: h.kind}}
	begin := f.walk
	_, frame, ok := f.walk.next()
	if !ok {
		return file{}, audio.FormatError("there is no frame of MPEG audio in it")
	}
	x, isInfo := parseInfo(h, frame)
	if !isInfo {
		f.walk = begin
	}
	count := int64(0)
	for w := f.walk; ; {
		_, frame, ok := w.next()
		if !ok {
			break
		}
		count++
		f.size += int64(len(frame))
	}
	f.frames = count * int64(h.frames())
	if x.gapless {
		f.skip = int64(x.delay + decoderDelay)
		f.frames -= f.skip
		// Of a file that was cut off, or to which another one was added, nothing can be said
		// of the end.
		if x.count == 0 || x.count == count {
			f.frames -= int64(max(x.padding-decoderDelay, 0))
		}
	}
	f.frames = max(f.frames, 0)
	return f, nil
}

// trimEnd takes off the tags that data ends with: ID3v1, APE (wiki.hydrogenaudio.org, APEv2),
// and ID3v1 behind APE.
func trimEnd(data []byte) []byte {
	for {
		switch n := len(data); {
		case n >= 128 && string(data[n-128:n-125]) == "TAG":
			data = data[:n-128]
		case n >= 32 && string(data[n-32:n-24]) == "APETAGEX":
			size := uint64(binary.LittleEndian.Uint32(data[n-20:]))
			if binary.LittleEndian.Uint32(data[n-12:])&(1<<31) != 0 {
				size += 32 // its header
			}
			data = data[:n-int(min(max(size, 32), uint64(n)))]
		default:
			return data
		}
	}
}

// An info is what the frame says that encoders put in front of the sound, which itself is
// none.
type info struct {
	count          int64 // frames of the file, 0 if it does not say
	gapless        bool
	delay, padding int
}

// parseInfo reads a Xing, Info or VBRI frame (gabriel.mp3-tech.org, mp3infotag; the other two
// are documented by their makers in program text only). It reports false for a frame of
// sound.
func parseInfo(h header, frame []byte) (x info, ok bool) {
	if len(frame) >= 4+32+26 && string(frame[36:40]) == "VBRI" {
		return x, true
	}
	b := frame[4+h.sideSize():]
	if len(b) < 8 || string(b[:4]) != "Xing" && string(b[:4]) != "Info" {
		return x, false
	}
	flags := binary.BigEndian.Uint32(b[4:])
	b = b[8:]
	for bit, size := range []int{4, 4, 100, 4} {
		if flags>>bit&1 == 0 {
			continue
		}
		if len(b) < size {
			return x, true
		}
		if bit == 0 {
			x.count = int64(binary.BigEndian.Uint32(b))
		}
		b = b[size:]
	}
	if len(b) < 24 {
		return x, true
	}
	for _, name := range []string{"LAME", "L3.9", "Lavf", "Lavc"} {
		if bytes.HasPrefix(b, []byte(name)) {
			x.gapless = true
			x.delay = int(b[21])<<4 | int(b[22])>>4
			x.padding = int(b[22]&15)<<8 | int(b[23])
		}
	}
	return x, true
}
