package exif

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
)

// segments are the parts of a file with metadata. All alias the file.
type segments struct {
	format string // "jpeg", "png", "webp", "tiff", "heif"
	tiff   []byte
	jfif   []byte
	ihdr   []byte
	texts  [][2]string // of PNG: keyword and text
	xmp    []byte
	iptc   []byte
	icc    [][]byte // pieces
	zlib   bool     // icc is deflated
}

var errUnknown = errors.New("unknown file format: expected JPEG, PNG, WebP, TIFF, HEIC or AVIF")

// find finds the parts of a file.
func find(b []byte) (*segments, error) {
	s := &segments{}
	switch {
	case bytes.HasPrefix(b, []byte("\xff\xd8")):
		s.format = "jpeg"
		s.jpeg(b)
	case bytes.HasPrefix(b, []byte(pngMagic)):
		s.format = "png"
		s.png(b)
	case len(b) >= 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP":
		s.format = "webp"
		s.webp(b)
	case bytes.HasPrefix(b, []byte("II*\x00")), bytes.HasPrefix(b, []byte("MM\x00*")):
		s.format = "tiff"
		s.tiff = b
	case len(b) >= 12 && string(b[4:8]) == "ftyp":
		s.format = "heif"
		if !s.heif(b) {
			return nil, errUnknown
		}
	default:
		return nil, errUnknown
	}
	return s, nil
}

// Markers of JPEG (ITU-T T.81, table B.1).
const (
	markerSOI  = 0xd8
	markerEOI  = 0xd9
	markerSOS  = 0xda
	markerCOM  = 0xfe
	markerAPP0 = 0xe0
)

// jpegSegment is the marker segment at i and where it ends; ok is false where there is none.
// Markers without a segment have an empty body.
func jpegSegment(b []byte, i int) (marker byte, body []byte, end int, ok bool) {
	if i+1 >= len(b) || b[i] != 0xff {
		return 0, nil, 0, false
	}
	for i+1 < len(b) && b[i+1] == 0xff { // fill bytes
		i++
	}
	if i+1 >= len(b) {
		return 0, nil, 0, false
	}
	marker = b[i+1]
	i += 2
	if marker == markerSOI || marker == markerEOI || marker == 0x01 || marker >= 0xd0 && marker <= 0xd7 {
		return marker, nil, i, true
	}
	if i+2 > len(b) {
		return 0, nil, 0, false
	}
	n := int(binary.BigEndian.Uint16(b[i:]))
	if n < 2 || i+n > len(b) {
		return 0, nil, 0, false
	}
	return marker, b[i+2 : i+n], i + n, true
}

const (
	exifHeader = "Exif\x00\x00"
	xmpHeader  = "http://ns.adobe.com/xap/1.0/\x00"
	iccHeader  = "ICC_PROFILE\x00"
	psHeader   = "Photoshop 3.0\x00"
)

// maxPieces bounds the pieces of an ICC profile.
const maxPieces = 255

func (s *segments) jpeg(b []byte) {
	for i := 2; ; {
		marker, body, end, ok := jpegSegment(b, i)
		if !ok || marker == markerSOS || marker == markerEOI {
			return
		}
		switch marker {
		case markerAPP0:
			if after, ok := bytes.CutPrefix(body, []byte("JFIF\x00")); ok && s.jfif == nil {
				s.jfif = after
			}
		case markerAPP0 + 1:
			if after, ok := bytes.CutPrefix(body, []byte("Exif\x00")); ok && s.tiff == nil && len(after) > 0 {
				s.tiff = after[1:]
			} else if after, ok := bytes.CutPrefix(body, []byte(xmpHeader)); ok && s.xmp == nil {
				s.xmp = after
			}
		case markerAPP0 + 2:
			if after, ok := bytes.CutPrefix(body, []byte(iccHeader)); ok && len(after) > 2 && len(s.icc) < maxPieces {
				s.icc = append(s.icc, after[2:])
			}
		case markerAPP0 + 13:
			if after, ok := bytes.CutPrefix(body, []byte(psHeader)); ok && s.iptc == nil {
				s.iptc = photoshopIPTC(after)
			}
		}
		i = end
	}
}

// photoshopIPTC is the IPTC record among image resources.
func photoshopIPTC(b []byte) []byte {
	for len(b) >= 12 && string(b[:4]) == "8BIM" {
		id := binary.BigEndian.Uint16(b[4:])
		name := (int(b[6]) + 2) &^ 1 // with its length, padded
		if len(b) < 6+name+4 {
			return nil
		}
		b = b[6+name:]
		n := uint64(binary.BigEndian.Uint32(b))
		b = b[4:]
		if n > uint64(len(b)) {
			return nil
		}
		if id == 0x0404 {
			return b[:n]
		}
		b = b[min(uint64(len(b)), n+n&1):]
	}
	return nil
}

const pngMagic = "\x89PNG\r\n\x1a\n"

// pngChunk is the chunk at i and where it ends.
func pngChunk(b []byte, i int) (kind string, body []byte, end int, ok bool) {
	if i+12 > len(b) {
		return "", nil, 0, false
	}
	n := uint64(binary.BigEndian.Uint32(b[i:]))
	if uint64(i)+12+n > uint64(len(b)) {
		return "", nil, 0, false
	}
	end = i + 12 + int(n)
	return string(b[i+4 : i+8]), b[i+8 : end-4], end, true
}

// maxTexts bounds the texts of a PNG that are read.
const maxTexts = 256

func (s *segments) png(b []byte) {
	for i := len(pngMagic); ; {
		kind, body, end, ok := pngChunk(b, i)
		if !ok || kind == "IEND" {
			return
		}
		switch kind {
		case "IHDR":
			if s.ihdr == nil && len(body) >= 13 {
				s.ihdr = body
			}
		case "eXIf":
			if s.tiff == nil {
				s.tiff = body
			}
		case "tEXt":
			if k, v, ok := bytes.Cut(body, []byte{0}); ok && len(s.texts) < maxTexts && len(v) < 64<<10 {
				s.texts = append(s.texts, [2]string{latin(k), latin(v)})
			}
		case "iTXt":
			// Keyword, whether it is deflated, how, language, translated keyword, text.
			if after, ok := bytes.CutPrefix(body, []byte("XML:com.adobe.xmp\x00\x00\x00")); ok && s.xmp == nil {
				if _, after, ok = bytes.Cut(after, []byte{0}); ok {
					_, s.xmp, _ = bytes.Cut(after, []byte{0})
				}
			}
		case "iCCP":
			if name, after, ok := bytes.Cut(body, []byte{0}); ok && len(after) > 1 && s.icc == nil {
				s.icc, s.zlib = [][]byte{after[1:]}, true
				if len(name) < 80 {
					s.texts = append(s.texts, [2]string{"ProfileName", latin(name)})
				}
			}
		}
		i = end
	}
}

// riffChunk is the chunk at i and where it ends.
func riffChunk(b []byte, i int) (kind string, body []byte, end int, ok bool) {
	if i+8 > len(b) {
		return "", nil, 0, false
	}
	n := uint64(binary.LittleEndian.Uint32(b[i+4:]))
	if uint64(i)+8+n > uint64(len(b)) {
		return "", nil, 0, false
	}
	end = i + 8 + int(n)
	return string(b[i : i+4]), b[i+8 : end], min(end+int(n&1), len(b)), true
}

func (s *segments) webp(b []byte) {
	for i := 12; ; {
		kind, body, end, ok := riffChunk(b, i)
		if !ok {
			return
		}
		switch kind {
		case "EXIF":
			if s.tiff == nil {
				s.tiff = bytes.TrimPrefix(body, []byte(exifHeader))
			}
		case "XMP ":
			if s.xmp == nil {
				s.xmp = body
			}
		case "ICCP":
			if s.icc == nil {
				s.icc = [][]byte{body}
			}
		}
		i = end
	}
}

// box is the box of ISO/IEC 14496-12 at i and where it ends.
func box(b []byte, i int) (kind string, body []byte, end int, ok bool) {
	if i+8 > len(b) {
		return "", nil, 0, false
	}
	n, head := uint64(binary.BigEndian.Uint32(b[i:])), uint64(8)
	kind = string(b[i+4 : i+8])
	switch n {
	case 0:
		n = uint64(len(b) - i)
	case 1:
		if i+16 > len(b) {
			return "", nil, 0, false
		}
		n, head = binary.BigEndian.Uint64(b[i+8:]), 16
	}
	if n < head || n > uint64(len(b)-i) {
		return "", nil, 0, false
	}
	return kind, b[i+int(head) : i+int(n)], i + int(n), true
}

// inside is the first box of a kind among those in b, nil without one.
func inside(b []byte, want string) []byte {
	for i := 0; ; {
		kind, body, end, ok := box(b, i)
		if !ok {
			return nil
		}
		if kind == want {
			return body
		}
		i = end
	}
}

var heifBrands = []string{"heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis"}

// heif finds the items with metadata of HEIC and AVIF. It reports whether the file is one.
func (s *segments) heif(b []byte) bool {
	brands := inside(b, "ftyp")
	known := false
	for i := 0; i+4 <= len(brands); i += 4 {
		// The second word is a version.
		if i != 4 && slices.Contains(heifBrands, string(brands[i:i+4])) {
			known = true
		}
	}
	meta := inside(b, "meta")
	if !known || len(meta) < 4 {
		return known
	}
	meta = meta[4:] // version and flags
	exifID, xmpID := heifItems(inside(meta, "iinf"))
	idat := inside(meta, "idat")
	if item := heifItem(b, idat, inside(meta, "iloc"), exifID); len(item) > 4 {
		// How far the TIFF structure is behind this number.
		if skip := uint64(binary.BigEndian.Uint32(item)); 4+skip < uint64(len(item)) {
			s.tiff = item[4+skip:]
		}
	}
	s.xmp = heifItem(b, idat, inside(meta, "iloc"), xmpID)
	if iprp := inside(meta, "iprp"); iprp != nil {
		if colr := inside(inside(iprp, "ipco"), "colr"); len(colr) > 4 && (string(colr[:4]) == "prof" || string(colr[:4]) == "rICC") {
			s.icc = [][]byte{colr[4:]}
		}
	}
	return true
}

// heifItems are the numbers of the items with EXIF and XMP, 0 where there is none.
func heifItems(iinf []byte) (exif, xmp uint32) {
	if len(iinf) < 8 {
		return 0, 0
	}
	at := 6
	if iinf[0] > 0 {
		at = 8
	}
	for i := at; ; {
		kind, body, end, ok := box(iinf, i)
		if !ok {
			return exif, xmp
		}
		i = end
		if kind != "infe" || len(body) < 12 {
			continue
		}
		id, rest := uint32(binary.BigEndian.Uint16(body[4:])), body[6:]
		if body[0] >= 3 {
			id, rest = binary.BigEndian.Uint32(body[4:]), body[8:]
		}
		if body[0] < 2 || len(rest) < 6 {
			continue
		}
		switch string(rest[2:6]) {
		case "Exif":
			exif = id
		case "mime":
			if bytes.Contains(rest[6:], []byte("application/rdf+xml")) {
				xmp = id
			}
		}
	}
}

// heifItem is the content of an item which is in one piece.
func heifItem(file, idat, iloc []byte, id uint32) []byte {
	if len(iloc) < 8 || id == 0 {
		return nil
	}
	r := reader{b: iloc}
	version := r.number(1)
	r.number(3)
	sizes := r.number(2)
	offsetSize, lengthSize, baseSize, indexSize := sizes>>12&15, sizes>>8&15, sizes>>4&15, sizes&15
	wide := uint64(2)
	if version == 2 {
		wide = 4
	}
	if version == 0 {
		indexSize = 0
	}
	for range r.number(wide) {
		item := r.number(wide)
		method := uint64(0)
		if version > 0 {
			method = r.number(2) & 15
		}
		r.number(2)
		base := r.number(baseSize)
		extents := r.number(2)
		if item != uint64(id) {
			r.skip(extents * (indexSize + offsetSize + lengthSize))
			if r.bad {
				return nil
			}
			continue
		}
		r.number(indexSize)
		at, n := base+r.number(offsetSize), r.number(lengthSize)
		from := file
		if method == 1 {
			from = idat
		}
		if r.bad || extents != 1 || method > 1 || at > uint64(len(from)) || n > uint64(len(from))-at {
			return nil
		}
		return from[at : at+n]
	}
	return nil
}

// reader reads big-endian numbers.
type reader struct {
	b   []byte
	bad bool // there were not enough bytes
}

func (r *reader) skip(n uint64) {
	if n > uint64(len(r.b)) {
		r.bad, n = true, uint64(len(r.b))
	}
	r.b = r.b[n:]
}

// number is the next n bytes as a number, n up to 8.
func (r *reader) number(n uint64) (v uint64) {
	if n > 8 || n > uint64(len(r.b)) {
		r.bad = true
		return 0
	}
	for _, c := range r.b[:n] {
		v = v<<8 | uint64(c)
	}
	r.b = r.b[n:]
	return v
}
