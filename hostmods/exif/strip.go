package exif

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"slices"
)

// stripOptions say what stays.
type stripOptions struct {
	orientation, profile bool
}

var (
	errDamaged = errors.New("the file is damaged or not complete")
	errStrip   = errors.New("unknown file format: expected JPEG, PNG or WebP")
)

// strip is a file without metadata: the same picture, pixel for pixel. What is not known to
// be part of the picture is left out, and so is what follows its end.
func strip(b []byte, o stripOptions) ([]byte, error) {
	s, err := find(b)
	if err != nil {
		return nil, errStrip
	}
	var keep []byte // a TIFF structure with the orientation
	if o.orientation {
		if n := orientation(s.tiff); n > 1 {
			keep = orientationTIFF(n)
		}
	}
	switch s.format {
	case "jpeg":
		return stripJPEG(b, keep, o.profile)
	case "png":
		return stripPNG(b, keep, o.profile)
	case "webp":
		return stripWebP(b, keep, o.profile)
	}
	return nil, errStrip
}

// orientation is the value of the tag, 1 to 8, or 0 without it.
func orientation(b []byte) int {
	t, first, ok := openTIFF(b)
	if !ok {
		return 0
	}
	d, _ := t.read(first)
	if f, ok := d.get(tagOrientation).(float64); ok && f >= 1 && f <= 8 {
		return int(f)
	}
	return 0
}

// orientationTIFF is a TIFF structure with nothing but an orientation.
func orientationTIFF(n int) []byte {
	return []byte{'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, byte(n), 0, 0, 0, 0, 0, 0}
}

func stripJPEG(b, keep []byte, profile bool) ([]byte, error) {
	out := make([]byte, 0, len(b)+64)
	out = append(out, b[:2]...)
	insert := func() {
		if keep != nil {
			out = append(out, 0xff, markerAPP0+1)
			out = binary.BigEndian.AppendUint16(out, uint16(2+len(exifHeader)+len(keep)))
			out = append(append(out, exifHeader...), keep...)
			keep = nil
		}
	}
	for i := 2; ; {
		marker, body, end, ok := jpegSegment(b, i)
		if !ok {
			return nil, errDamaged
		}
		drop := marker == markerCOM || marker >= markerAPP0 && marker <= markerAPP0+15
		switch {
		case marker == markerAPP0 && bytes.HasPrefix(body, []byte("JFIF\x00")),
			marker == markerAPP0+14 && bytes.HasPrefix(body, []byte("Adobe")),
			marker == markerAPP0+2 && profile && bytes.HasPrefix(body, []byte(iccHeader)):
			drop = false
		}
		if marker != markerAPP0 {
			insert() // behind the segment of JFIF, which has to be the first
		}
		if !drop {
			out = append(out, b[i:end]...)
		}
		i = end
		switch marker {
		case markerEOI:
			return out, nil
		case markerSOS:
			end := entropyEnd(b, i)
			out = append(out, b[i:end]...)
			i = end
		}
	}
}

// entropyEnd is where the coded data at i ends: at the next marker that does not belong to it.
func entropyEnd(b []byte, i int) int {
	for {
		n := bytes.IndexByte(b[i:], 0xff)
		if n < 0 || i+n+1 >= len(b) {
			return len(b)
		}
		i += n
		if c := b[i+1]; c != 0 && c != 0xff && (c < 0xd0 || c > 0xd7) {
			return i
		}
		i++
		if b[i] != 0xff {
			i++
		}
	}
}

// pictureChunks are the chunks of PNG, beside the critical ones, that change how it looks.
var pictureChunks = []string{"tRNS", "cHRM", "gAMA", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "bKGD", "hIST", "pHYs", "sPLT", "acTL", "fcTL", "fdAT"}

func stripPNG(b, keep []byte, profile bool) ([]byte, error) {
	out := make([]byte, 0, len(b)+64)
	out = append(out, pngMagic...)
	for i := len(pngMagic); ; {
		kind, _, end, ok := pngChunk(b, i)
		if !ok {
			return nil, errDamaged
		}
		critical := kind[0]&0x20 == 0
		if critical || slices.Contains(pictureChunks, kind) || kind == "iCCP" && profile {
			out = append(out, b[i:end]...)
		}
		if kind == "IHDR" && keep != nil {
			out = binary.BigEndian.AppendUint32(out, uint32(len(keep)))
			at := len(out)
			out = append(append(out, "eXIf"...), keep...)
			out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[at:]))
			keep = nil
		}
		i = end
		if kind == "IEND" {
			return out, nil
		}
	}
}

// Flags of the chunk VP8X.
const (
	webpXMP  = 0x04
	webpEXIF = 0x08
	webpICC  = 0x20
)

func stripWebP(b, keep []byte, profile bool) ([]byte, error) {
	out := make([]byte, 0, len(b)+64)
	out = append(out, "RIFF\x00\x00\x00\x00WEBP"...)
	size := uint64(binary.LittleEndian.Uint32(b[4:])) + 8
	if size > uint64(len(b)) || size < 12 {
		return nil, errDamaged
	}
	b = b[:size]
	flags := -1 // where they are in out
	for i := 12; i < len(b); {
		kind, body, end, ok := riffChunk(b, i)
		if !ok {
			return nil, errDamaged
		}
		switch kind {
		case "VP8X":
			if len(body) < 10 {
				return nil, errDamaged
			}
			flags = len(out) + 8
			out = append(out, b[i:end]...)
			out[flags] &^= webpXMP | webpEXIF
			if !profile {
				out[flags] &^= webpICC
			}
		case "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF":
			out = append(out, b[i:end]...)
		case "ICCP":
			if profile {
				out = append(out, b[i:end]...)
			}
		}
		i = end
	}
	if keep != nil && flags >= 0 {
		out[flags] |= webpEXIF
		out = append(out, "EXIF"...)
		out = binary.LittleEndian.AppendUint32(out, uint32(len(keep)))
		out = append(out, keep...)
	}
	if len(out)&1 != 0 {
		out = append(out, 0)
	}
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	return out, nil
}
