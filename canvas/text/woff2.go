package text

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
)

// knownTags are the tags that WOFF2 writes as one byte ("WOFF File Format 2.0", 4.1).
var knownTags = strings.Split("cmap,head,hhea,hmtx,maxp,name,OS/2,post,cvt ,fpgm,glyf,loca,prep,CFF ,VORG,EBDT,EBLC,gasp,hdmx,kern,LTSH,PCLT,VDMX,vhea,vmtx,BASE,GDEF,GPOS,GSUB,EBSC,JSTF,MATH,CBDT,CBLC,COLR,CPAL,SVG ,sbix,acnt,avar,bdat,bloc,bsln,cvar,fdsc,feat,fmtx,fvar,gvar,hsty,just,lcar,mort,morx,opbd,prop,trak,Zapf,Silf,Glat,Gloc,Feat,Sill", ",")

// readWOFF2 unpacks the tables of a WOFF2 file with one font.
func readWOFF2(data []byte) (sfntTables, bool) {
	type entry struct {
		tag         string
		size        int // in the stream
		transformed bool
	}
	in := stream{data: data, at: 48}
	n := reader(data).u16(12)
	if n == 0 || n > maxTables || reader(data).tag(4) == "ttcf" {
		return nil, false
	}
	var entries []entry
	total := 0
	for range n {
		flags := in.u8()
		var e entry
		if i := flags & 63; i < len(knownTags) {
			e.tag = knownTags[i]
		} else {
			e.tag = string(in.bytes(4))
		}
		version := flags >> 6
		e.transformed = version != 0
		if e.tag == "glyf" || e.tag == "loca" {
			e.transformed = version != 3
		}
		e.size = in.base128()
		if e.transformed {
			e.size = in.base128()
		}
		if total += e.size; total > MaxFontBytes {
			return nil, false
		}
		entries = append(entries, e)
	}
	packed := in.bytes(reader(data).u32(20))
	if in.bad {
		return nil, false
	}
	var body bytes.Buffer // grows with what is there, not with what is declared
	if k, err := io.Copy(&body, io.LimitReader(brotli.NewReader(bytes.NewReader(packed)), int64(total))); err != nil || k != int64(total) {
		return nil, false
	}
	tables := make(sfntTables)
	transformed := make(map[string][]byte)
	rest := body.Bytes()
	for _, e := range entries {
		table := rest[:e.size:e.size]
		rest = rest[e.size:]
		switch {
		case !kept[e.tag]:
		case e.transformed:
			transformed[e.tag] = table
		default:
			tables[e.tag] = table
		}
	}
	var lefts []int16
	if glyf, ok := transformed["glyf"]; ok {
		head := bytes.Clone(tables["head"])
		if len(head) < 54 {
			return nil, false
		}
		binary.BigEndian.PutUint16(head[50:], 1) // offsets of 32 bits
		tables["head"] = head
		tables["glyf"], tables["loca"], lefts, ok = restoreGlyf(glyf)
		if !ok {
			return nil, false
		}
	}
	if hmtx, ok := transformed["hmtx"]; ok {
		if tables["hmtx"], ok = restoreHmtx(hmtx, reader(tables["hhea"]).u16(34), lefts); !ok {
			return nil, false
		}
	}
	return tables, true
}

// stream reads one value after the other. bad is set at the end of the data.
type stream struct {
	data []byte
	at   int
	bad  bool
}

func (s *stream) bytes(n int) []byte {
	if n < 0 || n > len(s.data)-s.at {
		s.bad = true
		return make([]byte, min(max(n, 0), 8))
	}
	s.at += n
	return s.data[s.at-n : s.at]
}

func (s *stream) u8() int { return int(s.bytes(1)[0]) }

func (s *stream) u16() int { return int(binary.BigEndian.Uint16(s.bytes(2))) }

func (s *stream) u32() int { return int(binary.BigEndian.Uint32(s.bytes(4))) }

func (s *stream) sub(n int) *stream {
	data := s.bytes(n)
	return &stream{data: data, bad: s.bad}
}

// base128 reads a UIntBase128.
func (s *stream) base128() int {
	v := 0
	for i := range 5 {
		b := s.u8()
		if i == 0 && b == 0x80 || v >= 1<<25 {
			break
		}
		v = v<<7 | b&127
		if b < 128 {
			return v
		}
	}
	s.bad = true
	return 0
}

// short reads a 255UInt16.
func (s *stream) short() int {
	switch b := s.u8(); b {
	case 253:
		return s.u16()
	case 254:
		return 506 + s.u8()
	case 255:
		return 253 + s.u8()
	default:
		return b
	}
}

// restoreGlyf undoes the transformation of the outlines (5.1 there), without their
// instructions, which nobody runs. lefts are the left ends of the glyphs.
func restoreGlyf(data []byte) (glyf, loca []byte, lefts []int16, ok bool) {
	in := stream{data: data, at: 4}
	n := in.u16()
	in.u16()
	var sizes [7]int
	for i := range sizes {
		sizes[i] = in.u32()
	}
	var streams [7]*stream
	for i, size := range sizes {
		streams[i] = in.sub(size)
	}
	contours, counts, flags, glyphs, composites, boxes := streams[0], streams[1], streams[2], streams[3], streams[4], streams[5]
	bitmap := boxes.bytes((n + 31) / 32 * 4)
	if in.bad || boxes.bad {
		return nil, nil, nil, false
	}
	total := 0
	for i := range n {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		lefts = append(lefts, 0)
		count := contours.u16()
		boxed := bitmap[i/8]&(0x80>>(i%8)) != 0
		if count == 0 {
			if boxed {
				return nil, nil, nil, false
			}
			continue
		}
		glyf = binary.BigEndian.AppendUint16(glyf, uint16(count))
		at := len(glyf)
		if boxed {
			glyf = append(glyf, boxes.bytes(8)...)
		} else {
			glyf = append(glyf, make([]byte, 8)...)
		}
		if count == 0xffff {
			if !boxed {
				return nil, nil, nil, false
			}
			glyf = copyComposite(glyf, composites, glyphs)
		} else {
			var ends []int
			points := 0
			for range count {
				points += counts.short()
				ends = append(ends, points-1)
				if counts.bad || points > 0xffff {
					return nil, nil, nil, false
				}
			}
			if total += points; total > maxPoints {
				return nil, nil, nil, false
			}
			var box [4]int16
			glyf, box = restorePoints(glyf, ends, points, flags, glyphs)
			glyphs.short() // the length of the instructions
			if !boxed {
				for j, v := range box {
					binary.BigEndian.PutUint16(glyf[at+2*j:], uint16(v))
				}
			}
		}
		lefts[i] = int16(binary.BigEndian.Uint16(glyf[at:]))
		for len(glyf)%4 != 0 {
			glyf = append(glyf, 0)
		}
		for _, s := range streams {
			if s.bad {
				return nil, nil, nil, false
			}
		}
	}
	loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
	return glyf, loca, lefts, true
}

// copyComposite copies the parts of a composite glyph.
func copyComposite(glyf []byte, composites, glyphs *stream) []byte {
	const words, scale, more, scales, matrix, instructions = 1, 8, 0x20, 0x40, 0x80, 0x100
	instructed := false
	for !composites.bad {
		f := composites.u16()
		instructed = instructed || f&instructions != 0
		size := 4
		if f&words != 0 {
			size = 6
		}
		switch {
		case f&scale != 0:
			size += 2
		case f&scales != 0:
			size += 4
		case f&matrix != 0:
			size += 8
		}
		glyf = binary.BigEndian.AppendUint16(glyf, uint16(f&^instructions))
		glyf = append(glyf, composites.bytes(size)...)
		if f&more == 0 {
			break
		}
	}
	if instructed {
		glyphs.short()
	}
	return glyf
}

// restorePoints writes the points of a simple glyph, each with coordinates of 16 bits, and
// returns the box around them.
func restorePoints(glyf []byte, ends []int, points int, flags, glyphs *stream) ([]byte, [4]int16) {
	for _, e := range ends {
		glyf = binary.BigEndian.AppendUint16(glyf, uint16(e))
	}
	glyf = append(glyf, 0, 0)
	at := len(glyf)
	glyf = append(glyf, make([]byte, 5*points)...)
	onCurve, xs, ys := glyf[at:at+points], glyf[at+points:at+3*points], glyf[at+3*points:]
	var x, y int
	var box [4]int16
	for i := range points {
		if flags.bad || glyphs.bad {
			break
		}
		f := flags.u8()
		onCurve[i] = byte(f>>7 ^ 1)
		dx, dy := triplet(f&127, glyphs)
		binary.BigEndian.PutUint16(xs[2*i:], uint16(dx))
		binary.BigEndian.PutUint16(ys[2*i:], uint16(dy))
		x, y = x+dx, y+dy
		if i == 0 {
			box = [4]int16{int16(x), int16(y), int16(x), int16(y)}
		}
		box[0], box[1] = min(box[0], int16(x)), min(box[1], int16(y))
		box[2], box[3] = max(box[2], int16(x)), max(box[3], int16(y))
	}
	return glyf, box
}

// triplet reads the movement to a point, of which the flag says the form (5.2 there).
func triplet(f int, s *stream) (dx, dy int) {
	sign := func(bit, v int) int {
		if f>>bit&1 == 0 {
			return -v
		}
		return v
	}
	switch {
	case f < 10:
		return 0, sign(0, f&14<<7+s.u8())
	case f < 20:
		return sign(0, (f-10)&14<<7+s.u8()), 0
	case f < 84:
		b, v := f-20, s.u8()
		return sign(0, 1+b&0x30+v>>4), sign(1, 1+b&0x0c<<2+v&15)
	case f < 120:
		b, v, w := f-84, s.u8(), s.u8()
		return sign(0, 1+b/12<<8+v), sign(1, 1+b%12>>2<<8+w)
	case f < 124:
		u, v, w := s.u8(), s.u8(), s.u8()
		return sign(0, u<<4+v>>4), sign(1, v&15<<8+w)
	default:
		v, w := s.u16(), s.u16()
		return sign(0, v), sign(1, w)
	}
}

// restoreHmtx undoes the transformation of the advances (5.4 there): side bearings that are
// left out are the left ends of the glyphs.
func restoreHmtx(data []byte, metrics int, lefts []int16) ([]byte, bool) {
	in := stream{data: data}
	flags := in.u8()
	if metrics > len(lefts) {
		return nil, false
	}
	advances := in.bytes(2 * metrics)
	var bearings []byte
	for i, left := range lefts {
		absent := flags & 1
		if i >= metrics {
			absent = flags & 2
		}
		if absent != 0 {
			bearings = binary.BigEndian.AppendUint16(bearings, uint16(left))
		} else {
			bearings = append(bearings, in.bytes(2)...)
		}
	}
	if in.bad {
		return nil, false
	}
	var out []byte
	for i := range metrics {
		out = append(out, advances[2*i:2*i+2]...)
		out = append(out, bearings[2*i:2*i+2]...)
	}
	return append(out, bearings[2*metrics:]...), true
}
