package exif

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"quicksand/internal/marshal"
)

// Options say which metadata is read and how. The zero value reads nothing; see defaults.
type options struct {
	blocks                                 [len(blockNames)]bool
	ihdr, jfif, xmp, iptc, icc             bool
	makerNote, userComment                 bool
	translateKeys, translateValues, revive bool
	merge                                  bool
	typed                                  bool // dates as Dates
	pick                                   map[string]bool
}

// defaults are the options of a call without any.
func defaults() options {
	o := options{ihdr: true, translateKeys: true, translateValues: true, revive: true, merge: true}
	o.blocks[ifd0], o.blocks[exifIFD], o.blocks[gpsIFD] = true, true, true
	return o
}

// output collects what parse returns.
type output struct {
	o   *options
	all marshal.Object
	at  map[string]int // keys of all, when everything is merged
}

// section adds the entries of a block: to the whole, or as an object of its own.
func (w *output) section(name string, list []marshal.Entry) {
	if w.o.pick != nil {
		list = slices.DeleteFunc(list, func(e marshal.Entry) bool { return !w.o.pick[e.Key] })
	}
	if len(list) == 0 {
		return
	}
	if !w.o.merge {
		w.all.Entries = append(w.all.Entries, marshal.Entry{Key: name, Value: &marshal.Object{Entries: list}})
		return
	}
	if w.at == nil {
		w.at = map[string]int{}
	}
	for _, e := range list {
		if i, ok := w.at[e.Key]; ok {
			w.all.Entries[i].Value = e.Value
			continue
		}
		w.at[e.Key] = len(w.all.Entries)
		w.all.Entries = append(w.all.Entries, e)
	}
}

// parse is the metadata of a file, nil without any.
func parse(b []byte, o *options) (*marshal.Object, error) {
	s, err := find(b)
	if err != nil {
		return nil, err
	}
	w := &output{o: o}
	if o.ihdr && s.ihdr != nil {
		w.section("ihdr", append(header(s.ihdr, o), texts(s.texts)...))
	}
	if t, first, ok := openTIFF(s.tiff); ok {
		w.tiff(t, first, s)
	}
	if o.jfif && len(s.jfif) >= 9 {
		j := s.jfif
		n := func(at int) any { return float64(binary.BigEndian.Uint16(j[at:])) }
		w.section("jfif", []marshal.Entry{{Key: "JFIFVersion", Value: n(0)}, {Key: "ResolutionUnit", Value: float64(j[2])},
			{Key: "XResolution", Value: n(3)}, {Key: "YResolution", Value: n(5)},
			{Key: "ThumbnailWidth", Value: float64(j[7])}, {Key: "ThumbnailHeight", Value: float64(j[8])}})
	}
	if o.iptc {
		w.section("iptc", iptc(s.iptc))
	}
	if o.icc {
		w.section("icc", icc(s.profile()))
	}
	if o.xmp && len(s.xmp) > 0 && len(s.xmp) <= maxXMP && (o.pick == nil || o.pick["xmp"]) {
		w.all.Entries = append(w.all.Entries, marshal.Entry{Key: "xmp", Value: strings.ToValidUTF8(string(s.xmp), "\uFFFD")})
	}
	if len(w.all.Entries) == 0 {
		return nil, nil
	}
	return &w.all, nil
}

// maxXMP is the largest XMP packet that is given out, in bytes.
const maxXMP = 4 << 20

// directories are the blocks of a TIFF structure. Each is read once.
type directories [len(blockNames)]directory

func readDirectories(t *tiff, first uint32, want *[len(blockNames)]bool) (d directories) {
	var next uint32
	d[ifd0], next = t.read(first)
	at := func(tag uint16) uint32 { return d[ifd0].offset(tag) }
	interop := at(tagInterop)
	if off := at(tagExif); off > 0 && (want[exifIFD] || want[interopIFD]) {
		d[exifIFD], _ = t.read(off)
		if interop == 0 {
			interop = d[exifIFD].offset(tagInterop)
		}
	}
	if off := at(tagGPS); off > 0 && want[gpsIFD] {
		d[gpsIFD], _ = t.read(off)
	}
	if interop > 0 && want[interopIFD] {
		d[interopIFD], _ = t.read(interop)
	}
	if next > 0 && want[ifd1] {
		d[ifd1], _ = t.read(next)
	}
	return d
}

// tiff adds the blocks of a TIFF structure.
func (w *output) tiff(t *tiff, first uint32, s *segments) {
	d := readDirectories(t, first, &w.o.blocks)
	// A TIFF file has the other kinds of metadata in tags.
	for tag, to := range map[uint16]*[]byte{tagXMP: &s.xmp, tagIPTC: &s.iptc} {
		if b, ok := d[ifd0].get(tag).([]byte); ok && *to == nil {
			*to = b
		}
	}
	if b, ok := d[ifd0].get(tagICC).([]byte); ok && s.icc == nil {
		s.icc = [][]byte{b}
	}
	note, comment := d[exifIFD].get(tagMakerNote), d[exifIFD].get(tagUserComment)
	for _, k := range []block{ifd0, ifd1, exifIFD, gpsIFD, interopIFD} {
		if !w.o.blocks[k] || k == ifd1 && w.o.merge {
			continue // the tags of the thumbnail are those of the picture
		}
		kept := d[k].without(tagXMP, tagIPTC, tagExif, tagICC, tagGPS, tagInterop, tagMakerNote, tagUserComment)
		list := make([]marshal.Entry, 0, len(kept)+2)
		for _, e := range kept {
			list = append(list, w.o.entry(k, e))
		}
		if k == gpsIFD {
			if lat, lon, ok := position(d[gpsIFD]); ok {
				list = append(list, marshal.Entry{Key: "latitude", Value: lat}, marshal.Entry{Key: "longitude", Value: lon})
			}
		}
		w.section(blockNames[k], list)
	}
	if w.o.makerNote && note != nil {
		w.section("makerNote", []marshal.Entry{{Key: "makerNote", Value: note}})
	}
	if b, ok := comment.([]byte); ok && w.o.userComment {
		if text := commentText(b, t.order); text != "" {
			w.section("userComment", []marshal.Entry{{Key: "userComment", Value: text}})
		}
	}
}

// entry is a tag as a guest sees it.
func (o *options) entry(k block, e entry) marshal.Entry {
	v := e.value
	if b, ok := v.([]byte); ok && len(b) == 1 && k == exifIFD && (e.tag == 0xa300 || e.tag == 0xa301) {
		v = float64(b[0])
	}
	revived := false
	if o.revive {
		v, revived = o.meaning(k, e.tag, v)
	}
	if !revived && o.translateValues {
		v = word(k, e.tag, v)
	}
	key, ok := names[k][e.tag]
	if !ok || !o.translateKeys {
		key = strconv.Itoa(int(e.tag))
	}
	return marshal.Entry{Key: key, Value: v}
}

// word is what a value means, or the value.
func word(k block, tag uint16, v any) any {
	switch v := v.(type) {
	case float64:
		if s, ok := valueWords[k][tag][int(v)]; ok && v == math.Trunc(v) {
			return s
		}
	case string:
		if s, ok := gpsWords[tag][v]; ok && k == gpsIFD {
			return s
		}
	}
	return v
}

// meaning makes dates, versions and texts of the values that hold such. known reports
// whether the tag is one of those.
func (o *options) meaning(k block, tag uint16, v any) (meaning any, known bool) {
	switch k {
	case ifd0, ifd1:
		switch {
		case tag == 0x0132:
			return o.date(v), true
		case tag >= 0x9c9b && tag <= 0x9c9f:
			if b, ok := v.([]byte); ok {
				return utf16Text(b, binary.LittleEndian), true
			}
			return v, true
		case tag == 0xc68b:
			if b, ok := v.([]byte); ok {
				return latin(b), true
			}
		}
	case exifIFD:
		switch tag {
		case 0x9003, 0x9004:
			return o.date(v), true
		case 0x9000, 0xa000:
			return version(v), true
		case 0xa002, 0xa003:
			if list, ok := v.([]any); ok {
				return list[0], true
			}
		}
	case gpsIFD:
		switch tag {
		case 0:
			return joined(v, "."), true
		case 7:
			return joined(v, ":"), true
		}
	}
	return v, false
}

// date is a date of EXIF, "2018:07:25 16:34:23", which has no time zone: as if it were UTC.
// What is none stays.
func (o *options) date(v any) any {
	s, ok := v.(string)
	if !ok {
		return v
	}
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == ':' || r == '-' || r == ' ' || r == 'T' })
	var n [6]int
	for i := range n {
		if i >= len(parts) {
			break
		}
		text, _, _ := strings.Cut(parts[i], ".")
		x, err := strconv.ParseUint(text, 10, 16)
		if err != nil {
			if i < 3 {
				return s
			}
			break
		}
		n[i] = int(x)
	}
	if len(parts) < 3 || n[0] == 0 || n[0] > 9999 || n[1] < 1 || n[1] > 12 || n[2] < 1 || n[2] > 31 || n[3] > 24 || n[4] > 59 || n[5] > 60 {
		return s
	}
	t := time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], 0, time.UTC)
	if o.typed {
		return t
	}
	return t.Format("2006-01-02T15:04:05.000Z")
}

// version is "2.3" of the bytes "0230".
func version(v any) any {
	b, ok := v.([]byte)
	if s, text := v.(string); text {
		b, ok = []byte(s), true
	}
	if !ok || len(b) < 2 {
		return v
	}
	var parts []string
	for _, c := range b[1:] {
		if c >= '0' && c <= '9' {
			c -= '0'
		}
		parts = append(parts, strconv.Itoa(int(c)))
	}
	if len(parts) > 2 && parts[2] == "0" {
		parts = parts[:len(parts)-1]
	}
	return strings.Join(parts, ".")
}

// joined is numbers or bytes as one text.
func joined(v any, by string) any {
	var parts []string
	switch v := v.(type) {
	case []byte:
		for _, c := range v {
			parts = append(parts, strconv.Itoa(int(c)))
		}
	case []any:
		for _, x := range v {
			parts = append(parts, strconv.FormatFloat(x.(float64), 'f', -1, 64))
		}
	default:
		return v
	}
	return strings.Join(parts, by)
}

// utf16Text is a text in UTF-16 without zeros at its end.
func utf16Text(b []byte, order binary.ByteOrder) string {
	u := make([]uint16, len(b)/2)
	for i := range u {
		u[i] = order.Uint16(b[2*i:])
	}
	return strings.TrimSpace(strings.TrimRight(string(utf16.Decode(u)), "\x00"))
}

// commentText is the text of a comment, behind the eight bytes that say how it is written
// (Exif 2.32, 4.6.5).
func commentText(b []byte, order binary.ByteOrder) string {
	if len(b) < 8 {
		return latin(b)
	}
	if string(b[:8]) == "UNICODE\x00" {
		return utf16Text(b[8:], order)
	}
	if i := bytes.IndexByte(b[:8], 0); i >= 0 {
		return latin(b[8:])
	}
	return latin(b)
}

// position is where a picture was taken, in degrees.
func position(gps directory) (lat, lon float64, ok bool) {
	lat, ok1 := degrees(gps.get(2), gps.get(1), "S")
	lon, ok2 := degrees(gps.get(4), gps.get(3), "W")
	return lat, lon, ok1 && ok2
}

// degrees is an angle of degrees, minutes and seconds, negative for one hemisphere.
func degrees(v, ref any, negative string) (float64, bool) {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return 0, false
	}
	sum, unit := 0.0, 1.0
	for _, x := range list[:min(3, len(list))] {
		f := x.(float64)
		if f != f && unit > 1 {
			f = 0 // 0/0 for what is not known
		}
		sum += f / unit
		unit *= 60
	}
	if math.IsNaN(sum) || math.Abs(sum) > 360 {
		return 0, false
	}
	if s, _ := ref.(string); s == negative {
		sum = -sum
	}
	return sum, true
}

// header is the first chunk of a PNG (section 11.2.1).
func header(b []byte, o *options) []marshal.Entry {
	list := []marshal.Entry{
		{Key: "ImageWidth", Value: float64(binary.BigEndian.Uint32(b))}, {Key: "ImageHeight", Value: float64(binary.BigEndian.Uint32(b[4:]))},
		{Key: "BitDepth", Value: float64(b[8])}, {Key: "ColorType", Value: float64(b[9])}, {Key: "Compression", Value: float64(b[10])},
		{Key: "Filter", Value: float64(b[11])}, {Key: "Interlace", Value: float64(b[12])},
	}
	if o.translateValues {
		for i, w := range [...]words{
			{0: "Grayscale", 2: "RGB", 3: "Palette", 4: "Grayscale with Alpha", 6: "RGB with Alpha"},
			{0: "Deflate/Inflate"}, {0: "Adaptive"}, {0: "Noninterlaced", 1: "Adam7 Interlace"},
		} {
			s, ok := w[int(b[9+i])]
			if !ok {
				s = "Unknown"
			}
			list[3+i].Value = s
		}
	}
	return list
}

func texts(list [][2]string) []marshal.Entry {
	var out []marshal.Entry
	for _, t := range list {
		if t[0] != "" {
			out = append(out, marshal.Entry{Key: t[0], Value: t[1]})
		}
	}
	return out
}

// maxDataSets bounds the data sets of IPTC that are read.
const maxDataSets = 4096

// iptc is the application record, in which a data set that occurs again makes a list.
func iptc(b []byte) []marshal.Entry {
	var out []marshal.Entry
	at := map[string]int{}
	for range maxDataSets {
		if len(b) < 5 || b[0] != 0x1c {
			break
		}
		n := int(binary.BigEndian.Uint16(b[3:]))
		if n > len(b)-5 {
			break
		}
		record, set, data := b[1], b[2], b[5:5+n]
		b = b[5+n:]
		if record != 2 {
			continue
		}
		key, ok := iptcNames[set]
		if !ok {
			key = strconv.Itoa(int(set))
		}
		var v any = latin(data)
		if set == 0 && n == 2 {
			v = float64(binary.BigEndian.Uint16(data))
		}
		i, again := at[key]
		switch {
		case !again:
			at[key] = len(out)
			out = append(out, marshal.Entry{Key: key, Value: v})
		default:
			list, ok := out[i].Value.([]any)
			if !ok {
				list = []any{out[i].Value}
			}
			out[i].Value = append(list, v)
		}
	}
	return out
}

// maxProfile is the largest ICC profile that is read, in bytes.
const maxProfile = 4 << 20

// profile is the ICC profile, nil without one.
func (s *segments) profile() []byte {
	b := bytes.Join(s.icc, nil)
	if !s.zlib {
		return b
	}
	r, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil
	}
	defer r.Close()
	b, _ = io.ReadAll(io.LimitReader(r, maxProfile))
	return b
}

// icc is what the header of a profile says, and its texts (ICC.1:2022, 7.2).
func icc(b []byte) []marshal.Entry {
	if len(b) < 132 || string(b[36:40]) != "acsp" {
		return nil
	}
	classes := map[string]string{"scnr": "Input Device Profile", "mntr": "Display Device Profile", "prtr": "Output Device Profile",
		"link": "Device Link Profile", "spac": "ColorSpace Conversion Profile", "abst": "Abstract Profile", "nmcl": "Named Color Profile"}
	class := string(b[12:16])
	if w, ok := classes[class]; ok {
		class = w
	}
	out := []marshal.Entry{
		{Key: "ProfileVersion", Value: fmt.Sprintf("%d.%d.%d", b[8], b[9]>>4, b[9]&15)},
		{Key: "ProfileClass", Value: strings.TrimSpace(class)},
		{Key: "ColorSpaceData", Value: latin(b[16:20])},
		{Key: "ProfileConnectionSpace", Value: latin(b[20:24])},
	}
	tags := b[132:]
	for range min(binary.BigEndian.Uint32(b[128:]), 100) {
		if len(tags) < 12 {
			break
		}
		at, n := uint64(binary.BigEndian.Uint32(tags[4:])), uint64(binary.BigEndian.Uint32(tags[8:]))
		key := map[string]string{"desc": "ProfileDescription", "cprt": "ProfileCopyright"}[string(tags[:4])]
		tags = tags[12:]
		if key == "" || at+n > uint64(len(b)) || n < 12 || n > 64<<10 {
			continue
		}
		if s := iccText(b[at : at+n]); s != "" {
			out = append(out, marshal.Entry{Key: key, Value: s})
		}
	}
	return out
}

// iccText is a text of the types text, desc and mluc; of the last the first language.
func iccText(b []byte) string {
	switch string(b[:4]) {
	case "text":
		return latin(b[8:])
	case "desc":
		if n := uint64(binary.BigEndian.Uint32(b[8:])); n <= uint64(len(b)-12) {
			return latin(b[12 : 12+n])
		}
	case "mluc":
		if len(b) < 28 {
			return ""
		}
		n, at := uint64(binary.BigEndian.Uint32(b[20:])), uint64(binary.BigEndian.Uint32(b[24:]))
		if at+n <= uint64(len(b)) {
			return utf16Text(b[at:at+n], binary.BigEndian)
		}
	}
	return ""
}
