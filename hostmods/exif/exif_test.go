package exif

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"quicksand/hostmods/hosttest"
	"quicksand/internal/marshal"
)

type obj = map[string]any

// field is an entry of a directory that a test writes.
type field struct {
	tag, kind uint16
	value     any // string, []byte, []int, or [][2]int of fractions
}

// builder writes TIFF structures.
type builder struct {
	order binary.ByteOrder
	b     []byte
}

func newBuilder(order binary.ByteOrder) *builder {
	b := &builder{order: order, b: make([]byte, 8)}
	copy(b.b, "MM\x00*")
	if order == binary.LittleEndian {
		copy(b.b, "II*\x00")
	}
	return b
}

// directory adds a directory and returns its offset. A value of *[]field is a directory of
// its own.
func (b *builder) directory(fields []field, next uint32) uint32 {
	type raw struct {
		count uint32
		data  []byte
	}
	values := make([]raw, len(fields))
	for i, f := range fields {
		switch v := f.value.(type) {
		case string:
			values[i] = raw{uint32(len(v) + 1), append([]byte(v), 0)}
		case []byte:
			values[i] = raw{uint32(len(v)), v}
		case []int:
			values[i].count = uint32(len(v))
			for _, n := range v {
				switch typeSizes[f.kind] {
				case 1:
					values[i].data = append(values[i].data, byte(n))
				case 2:
					values[i].data = b.appendUint16(values[i].data, uint16(n))
				default:
					values[i].data = b.appendUint32(values[i].data, uint32(n))
				}
			}
		case [][2]int:
			values[i].count = uint32(len(v))
			for _, n := range v {
				values[i].data = b.appendUint32(b.appendUint32(values[i].data, uint32(n[0])), uint32(n[1]))
			}
		case *[]field:
			values[i] = raw{1, b.appendUint32(nil, b.directory(*v, 0))}
		}
	}
	for i := range values {
		if len(values[i].data) > 4 {
			at := uint32(len(b.b))
			b.b = append(b.b, values[i].data...)
			values[i].data = b.appendUint32(nil, at)
		}
		values[i].data = append(values[i].data, 0, 0, 0, 0)[:4]
	}
	at := uint32(len(b.b))
	b.b = b.appendUint16(b.b, uint16(len(fields)))
	for i, f := range fields {
		b.b = b.appendUint16(b.appendUint16(b.b, f.tag), f.kind)
		b.b = append(b.appendUint32(b.b, values[i].count), values[i].data...)
	}
	b.b = b.appendUint32(b.b, next)
	return at
}

func (b *builder) appendUint16(to []byte, n uint16) []byte {
	return append(to, b.bytes(uint64(n), 2)...)
}
func (b *builder) appendUint32(to []byte, n uint32) []byte {
	return append(to, b.bytes(uint64(n), 4)...)
}
func (b *builder) bytes(n uint64, size int) []byte {
	out := make([]byte, 8)
	if b.order == binary.LittleEndian {
		binary.LittleEndian.PutUint64(out, n)
		return out[:size]
	}
	binary.BigEndian.PutUint64(out, n)
	return out[8-size:]
}

// finish sets the first directory.
func (b *builder) finish(first uint32) []byte {
	copy(b.b[4:], b.bytes(uint64(first), 4))
	return b.b
}

// full is a TIFF structure with all kinds of values.
func full(order binary.ByteOrder) []byte {
	b := newBuilder(order)
	small := []byte("\xff\xd8small\xff\xd9")
	at := len(b.b)
	b.b = append(b.b, small...)
	second := b.directory([]field{{tagThumbnailOffset, 4, []int{at}}, {tagThumbnailLength, 4, []int{len(small)}}, {0x0103, 3, []int{6}}}, 0)
	return b.finish(b.directory([]field{
		{0x010f, 2, "Maker "}, {0x0110, 2, "Modél"}, {0x0112, 3, []int{6}}, {0x011a, 5, [][2]int{{72, 1}}}, {0x011b, 5, [][2]int{{144, 2}}},
		{0x0128, 3, []int{2}}, {0x0131, 2, ""}, {0x0132, 2, "2018:07:25 16:34:23"}, {0x0213, 3, []int{1}}, {0x0102, 3, []int{8, 8, 8}},
		{0x8298, 2, "\xa9 Someone"}, {0x9c9b, 1, []byte("T\x00i\x00\xe9\x00\x00\x00")}, {0xbeef, 4, []int{7}},
		{tagExif, 4, &[]field{
			{0x829a, 5, [][2]int{{1, 200}}}, {0x829d, 5, [][2]int{{28, 10}}}, {0x8822, 3, []int{2}}, {0x8827, 3, []int{100}}, {0x9000, 7, []byte("0230")},
			{0x9003, 2, "2018:07:25 16:34:22"}, {0x9004, 2, "not a date"}, {0x9010, 2, "+02:00"}, {0x9101, 7, []byte{1, 2, 3, 0}}, {0x9204, 10, [][2]int{{-1, 3}}},
			{0x9207, 3, []int{5}}, {0x9208, 3, []int{99}}, {0x9209, 3, []int{16}}, {0x920a, 5, [][2]int{{50, 1}}}, {tagMakerNote, 7, []byte("secret")},
			{tagUserComment, 7, []byte("ASCII\x00\x00\x00hello")}, {0x9290, 2, "12"}, {0xa000, 7, []byte("0100")}, {0xa001, 3, []int{1}}, {0xa002, 4, []int{4000}}, {0xa003, 3, []int{3000, 1}},
			{0xa300, 7, []byte{3}}, {0xa301, 7, []byte{1}}, {0xa402, 3, []int{0}}, {0xa432, 5, [][2]int{{24, 1}, {70, 1}, {28, 10}, {28, 10}}},
			{tagInterop, 4, &[]field{{1, 2, "R98"}}},
		}},
		{tagGPS, 4, &[]field{
			{0, 1, []byte{2, 3, 0, 0}}, {1, 2, "N"}, {2, 5, [][2]int{{50, 1}, {17, 1}, {5857, 100}}}, {3, 2, "W"}, {4, 5, [][2]int{{14, 1}, {49, 1}, {0, 1}}},
			{5, 1, []byte{0}}, {6, 5, [][2]int{{2505, 10}}}, {7, 5, [][2]int{{14, 1}, {34, 1}, {22, 1}}}, {16, 2, "T"}, {23, 2, "M"}, {29, 2, "2018:07:25"},
		}},
	}, second))
}

// photo is a JPEG with the segments, which follow the first marker.
func photo(t testing.TB, segments ...[]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	m := image.NewRGBA(image.Rect(0, 0, 16, 8))
	for i := range m.Pix {
		m.Pix[i] = byte(i * 37)
	}
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	out := append([]byte{}, b.Bytes()[:2]...)
	for _, s := range segments {
		out = append(out, s...)
	}
	return append(out, b.Bytes()[2:]...)
}

func app(n byte, parts ...string) []byte {
	body := strings.Join(parts, "")
	return append(binary.BigEndian.AppendUint16([]byte{0xff, 0xe0 + n}, uint16(len(body)+2)), body...)
}

// chunk is a chunk of PNG.
func chunk(kind string, body []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	out = append(append(out, kind...), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

// pixel is a PNG of one pixel with the chunks behind its header.
func pixel(t testing.TB, chunks ...[]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	m := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	m.Set(0, 0, color.NRGBA{1, 2, 3, 4})
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	out := append([]byte{}, b.Bytes()[:33]...)
	for _, c := range chunks {
		out = append(out, c...)
	}
	return append(out, b.Bytes()[33:]...)
}

// riff is a WebP file of chunks.
func riff(chunks ...[]byte) []byte {
	body := []byte("WEBP")
	for _, c := range chunks {
		body = append(body, c...)
	}
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

func riffPart(kind string, body []byte) []byte {
	out := append(binary.LittleEndian.AppendUint32([]byte(kind), uint32(len(body))), body...)
	if len(body)&1 != 0 {
		out = append(out, 0)
	}
	return out
}

func mp4(kind string, parts ...[]byte) []byte {
	body := bytes.Join(parts, nil)
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(8+len(body))), kind...), body...)
}

// heic is a file of HEIF with EXIF and XMP.
func heic(tiff []byte, xmp string) []byte {
	item := append([]byte{0, 0, 0, 6}, exifHeader...)
	item = append(item, tiff...)
	infe := func(id byte, kind, more string) []byte {
		return mp4("infe", []byte{2, 0, 0, 0, 0, id, 0, 0}, []byte(kind), []byte("\x00"+more))
	}
	iinf := mp4("iinf", []byte{0, 0, 0, 0, 0, 2}, infe(1, "Exif", ""), infe(2, "mime", "application/rdf+xml\x00"))
	ftyp := mp4("ftyp", []byte("heic\x00\x00\x00\x00mif1heic"))
	iloc := func(at uint32) []byte {
		b := []byte{1, 0, 0, 0, 0x44, 0, 0, 2, 0, 1, 0, 0, 0, 0, 0, 1}
		b = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(b, at), uint32(len(item)))
		b = append(b, 0, 2, 0, 1, 0, 0, 0, 1) // in the box idat
		return mp4("iloc", binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(b, 0), uint32(len(xmp))))
	}
	meta := func(at uint32) []byte {
		return mp4("meta", []byte{0, 0, 0, 0}, iinf, iloc(at), mp4("idat", []byte(xmp)))
	}
	at := len(ftyp) + len(meta(0)) + 8
	return bytes.Join([][]byte{ftyp, meta(uint32(at)), mp4("mdat", item)}, nil)
}

// What exifr 7.1.3 makes of full in the time zone UTC, but that it loses the sign of the
// copyright, which is in Latin-1. Beyond that, of 161 pictures of other projects it gave the same
// for 146; the others are WebP, which it does not know, and damaged ones, of which it gives less.
const golden = `{"Make":"Maker","Model":"Modél","Orientation":"Rotate 90 CW","XResolution":72,"YResolution":72,"ResolutionUnit":"inches",` +
	`"ModifyDate":"2018-07-25T16:34:23.000Z","YCbCrPositioning":1,"BitsPerSample":[8,8,8],"Copyright":"© Someone","XPTitle":"Tié","48879":7,` +
	`"ExposureTime":0.005,"FNumber":2.8,"ExposureProgram":"Normal program","ISO":100,"ExifVersion":"2.3","DateTimeOriginal":"2018-07-25T16:34:22.000Z",` +
	`"CreateDate":"not a date","OffsetTime":"+02:00","ComponentsConfiguration":"AQIDAA==","ExposureCompensation":-0.3333333333333333,` +
	`"MeteringMode":"Pattern","LightSource":99,"Flash":"Flash did not fire, compulsory flash mode","FocalLength":50,"SubSecTime":"12",` +
	`"FlashpixVersion":"1.0","ColorSpace":1,"ExifImageWidth":4000,"ExifImageHeight":3000,"FileSource":"Digital Camera",` +
	`"SceneType":"Directly photographed","ExposureMode":"Auto","LensInfo":[24,70,2.8,2.8],"GPSVersionID":"2.3.0.0","GPSLatitudeRef":"N",` +
	`"GPSLatitude":[50,17,58.57],"GPSLongitudeRef":"W","GPSLongitude":[14,49,0],"GPSAltitudeRef":"AA==","GPSAltitude":250.5,` +
	`"GPSTimeStamp":"14:34:22","GPSImgDirectionRef":"T","GPSDestBearingRef":"Magnetic North","GPSDateStamp":"2018:07:25",` +
	`"latitude":50.29960277777778,"longitude":-14.816666666666666}`

const rdf = `<x:xmpmeta xmlns:x="adobe:ns:meta/"/>`

func TestParse(t *testing.T) {
	ctx := context.Background()
	le, be := full(binary.LittleEndian), full(binary.BigEndian)
	exif := func(b []byte) []byte { return app(1, exifHeader, string(b)) }
	iim := "\x1c\x02\x00\x00\x02\x00\x04\x1c\x02\x19\x00\x03one\x1c\x02\x19\x00\x03two\x1c\x02\x5a\x00\x06Berlin\x1c\x01\x00\x00\x01x"
	ps := psHeader + "8BIM\x03\xed\x00\x00\x00\x00\x00\x02xx8BIM\x04\x04\x00\x00\x00\x00\x00" + string(rune(len(iim))) + iim
	const ihdr = `"ImageWidth":1,"ImageHeight":1,"BitDepth":8,"ColorType":"RGB with Alpha","Compression":"Deflate/Inflate","Filter":"Adaptive","Interlace":"Noninterlaced"`
	for _, row := range []struct {
		name string
		file []byte
		opt  any
		want string
	}{
		{"a picture of one pixel", pixel(t), nil, "{" + ihdr + "}"},
		{"a JPEG in one order of bytes", photo(t, exif(le)), nil, golden},
		{"a JPEG in the other", photo(t, exif(be)), nil, golden},
		{"a TIFF file", le, nil, golden},
		{"a PNG with texts", pixel(t, chunk("eXIf", be), chunk("tEXt", []byte("Author\x00Ann\xe9"))), nil, "{" + ihdr + `,"Author":"Anné",` + golden[1:]},
		{"a WebP", riff(riffPart("VP8X", make([]byte, 10)), riffPart("VP8 ", []byte("x")), riffPart("EXIF", be)), nil, golden},
		{"a WebP with a header that does not belong there", riff(riffPart("EXIF", append([]byte(exifHeader), le...))), nil, golden},
		{"a HEIC", heic(le, rdf), nil, golden},
		{"without tags there is nothing", photo(t), nil, "null"},
		{"a WebP without metadata", riff(riffPart("VP8L", []byte{1})), nil, "null"},
		{"some tags", photo(t, exif(le)), []any{"Make", "ISO", "latitude", "Nothing"}, `{"Make":"Maker","ISO":100,"latitude":50.29960277777778}`},
		{"some tags by an option", photo(t, exif(le)), obj{"pick": []any{"Flash"}, "raw": true}, `{"Flash":16}`},
		{"only where it was", photo(t, exif(le)), obj{"tiff": false, "gps": true, "pick": []any{"longitude", "Make"}}, `{"longitude":-14.816666666666666}`},
		{"as it is in the file", photo(t, exif(le)), obj{"raw": true, "exif": false, "gps": false},
			`{"Make":"Maker","Model":"Modél","Orientation":6,"XResolution":72,"YResolution":72,"ResolutionUnit":2,"ModifyDate":"2018:07:25 16:34:23",` +
				`"YCbCrPositioning":1,"BitsPerSample":[8,8,8],"Copyright":"© Someone","XPTitle":"VABpAOkAAAA=","48879":7}`},
		{"blocks on their own", photo(t, exif(le)), obj{"mergeOutput": false, "ifd0": false, "exif": false, "gps": false, "interop": true, "ifd1": true},
			`{"ifd1":{"ThumbnailOffset":8,"ThumbnailLength":9,"Compression":6},"interop":{"InteropIndex":"R98"}}`},
		{"the comment", photo(t, exif(le)), obj{"tiff": false, "exif": true, "userComment": true, "pick": []any{"userComment"}}, `{"userComment":"hello"}`},
		{"JFIF", photo(t, app(0, "JFIF\x00\x01\x02\x01\x00\x48\x00\x60\x00\x00")), obj{"jfif": true},
			`{"JFIFVersion":258,"ResolutionUnit":1,"XResolution":72,"YResolution":96,"ThumbnailWidth":0,"ThumbnailHeight":0}`},
		{"IPTC", photo(t, app(13, ps)), obj{"iptc": true}, `{"ApplicationRecordVersion":4,"Keywords":["one","two"],"City":"Berlin"}`},
		{"XMP of JPEG", photo(t, app(1, xmpHeader, rdf)), obj{"xmp": true}, `{"xmp":"<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>"}`},
		{"XMP of PNG", pixel(t, chunk("iTXt", []byte("XML:com.adobe.xmp\x00\x00\x00\x00\x00"+rdf))), obj{"xmp": true, "ihdr": false}, `{"xmp":"<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>"}`},
		{"XMP of HEIC", heic(le, rdf), obj{"xmp": true, "tiff": false}, `{"xmp":"<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>"}`},
		{"a colour profile", photo(t, app(2, iccHeader, "\x01\x01", string(profile()))), obj{"icc": true},
			`{"ProfileVersion":"4.3.0","ProfileClass":"Display Device Profile","ColorSpaceData":"RGB","ProfileConnectionSpace":"XYZ","ProfileDescription":"Hé"}`},

		{"no picture", []byte("hello, hello, hello"), nil, "! exif.parse: unknown file format: expected JPEG, PNG, WebP, TIFF, HEIC or AVIF"},
		{"nothing", []byte{}, nil, "! exif.parse: unknown file format: expected JPEG, PNG, WebP, TIFF, HEIC or AVIF"},
		{"a film", mp4("ftyp", []byte("isom\x00\x00\x00\x00isommp42")), nil, "! exif.parse: unknown file format: expected JPEG, PNG, WebP, TIFF, HEIC or AVIF"},
		{"too many bytes", make([]byte, 10_485_761), nil, "! exif.parse: bytes has 10485761 bytes, more than the limit of 10485760 (HostBytesSize)"},
		{"a pick that is no list", photo(t), obj{"pick": "Make"}, "! exif.parse: options.pick must be an array of names of tags"},
		{"an unknown kind of dates", photo(t), obj{"dates": "local"}, `! exif.parse: options.dates must be "iso" or "date"`},
	} {
		if got := hosttest.JSON(ctx, "exif.parse", row.file, row.opt); got != row.want {
			t.Errorf("%s:\n got %s\nwant %s", row.name, got, row.want)
		}
	}
	if dir := os.Getenv("EXIF_FIXTURE"); dir != "" {
		_ = os.WriteFile(dir, photo(t, exif(le)), 0o600)
	}
}

// profile is a colour profile with a description in Unicode.
func profile() []byte {
	b := make([]byte, 144)
	copy(b[8:], "\x04\x30")
	copy(b[12:], "mntrRGB XYZ ")
	copy(b[36:], "acsp")
	b[131] = 1
	copy(b[132:], "desc\x00\x00\x00\x90\x00\x00\x00\x20")
	return append(b, "mluc\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x0cenUS\x00\x00\x00\x04\x00\x00\x00\x1c\x00H\x00\xe9"...)
}

func TestDates(t *testing.T) {
	for in, want := range map[string]any{
		"2018:07:25 16:34:23":     "2018-07-25T16:34:23.000Z",
		"2009-09-23 17:40:52 UTC": "2009-09-23T17:40:52.000Z",
		"2018:07:25":              "2018-07-25T00:00:00.000Z",
		"2018:07:25 16:34:23.5":   "2018-07-25T16:34:23.000Z",
		"0000:00:00 00:00:00":     "0000:00:00 00:00:00",
		"    :  :     :  :  ":     "    :  :     :  :  ",
		"2018:13:25 16:34:23":     "2018:13:25 16:34:23",
	} {
		o := defaults()
		if got := o.date(in); got != want {
			t.Errorf("%q: got %v, want %v", in, got, want)
		}
	}
	o := defaults()
	o.typed = true
	if got, want := o.date("2018:07:25 16:34:23"), time.Date(2018, 7, 25, 16, 34, 23, 0, time.UTC); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestSmallCalls(t *testing.T) {
	ctx := context.Background()
	b := photo(t, app(1, exifHeader, string(full(binary.BigEndian))))
	for _, row := range []struct {
		call string
		file []byte
		want string
	}{
		{"gps", b, `{"latitude":50.29960277777778,"longitude":-14.816666666666666}`},
		{"gps", photo(t), "null"},
		{"orientation", b, "6"},
		{"orientation", pixel(t), "null"},
		{"thumbnail", b, `"` + base64.StdEncoding.EncodeToString([]byte("\xff\xd8small\xff\xd9")) + `"`},
		{"thumbnail", photo(t), "null"},
		{"gps", []byte("x"), "! exif.gps: unknown file format: expected JPEG, PNG, WebP, TIFF, HEIC or AVIF"},
		{"strip", []byte("x"), "! exif.strip: unknown file format: expected JPEG, PNG or WebP"},
		{"strip", full(binary.BigEndian), "! exif.strip: unknown file format: expected JPEG, PNG or WebP"},
		{"strip", []byte("\xff\xd8\xff\xe1\x00"), "! exif.strip: the file is damaged or not complete"},
	} {
		if got := hosttest.JSON(ctx, "exif."+row.call, row.file); got != row.want {
			t.Errorf("%s: got %s, want %s", row.call, got, row.want)
		}
	}
}

func TestStrip(t *testing.T) {
	ctx := context.Background()
	tiff := string(full(binary.LittleEndian))
	secrets := [][]byte{app(1, exifHeader, tiff), app(1, xmpHeader, "secret"), app(13, psHeader, "secret"), append([]byte{0xff, 0xfe, 0, 8}, "secret"...), app(5, "secret")}
	icc := app(2, iccHeader, "\x01\x01", string(profile()))
	jfif := app(0, "JFIF\x00\x01\x02\x01\x00\x48\x00\x60\x00\x00")
	jpg := append(photo(t, append([][]byte{jfif, icc}, secrets...)...), "secret behind the end"...)
	pngFile := append(pixel(t, chunk("eXIf", []byte(tiff)), chunk("tEXt", []byte("a\x00secret")), chunk("gAMA", []byte{0, 0, 1, 0}), chunk("prVt", []byte("secret"))), "secret"...)
	vp8x := make([]byte, 10)
	vp8x[0] = webpXMP | webpEXIF | webpICC
	webp := riff(riffPart("VP8X", vp8x), riffPart("ICCP", profile()), riffPart("VP8 ", []byte("abc")), riffPart("EXIF", []byte(tiff)), riffPart("XMP ", []byte("secret")), riffPart("JUNK", []byte("secret")))
	strip := func(b []byte, opt any) []byte {
		v, err := hosttest.Call(ctx, "exif.strip", b, opt)
		if err != nil {
			t.Fatal(err)
		}
		out, _ := v.Bytes()
		if bytes.Contains(out, []byte("secret")) || bytes.Contains(out, []byte("Maker")) {
			t.Errorf("the metadata is still there: %q", out)
		}
		return out
	}
	for _, row := range []struct {
		name string
		got  []byte
		want []byte
	}{
		{"JPEG", strip(jpg, nil), photo(t, jfif, app(1, exifHeader, string(orientationTIFF(6))), icc)},
		{"JPEG without anything", strip(jpg, obj{"keepOrientation": false, "keepProfile": false}), photo(t, jfif)},
		{"PNG", strip(pngFile, nil), pixel(t, chunk("eXIf", orientationTIFF(6)), chunk("gAMA", []byte{0, 0, 1, 0}))},
		{"PNG without anything", strip(pngFile, obj{"keepOrientation": false}), pixel(t, chunk("gAMA", []byte{0, 0, 1, 0}))},
		{"WebP", strip(webp, nil), riff(riffPart("VP8X", []byte{webpEXIF | webpICC, 0, 0, 0, 0, 0, 0, 0, 0, 0}), riffPart("ICCP", profile()), riffPart("VP8 ", []byte("abc")), riffPart("EXIF", orientationTIFF(6)))},
		{"WebP without anything", strip(webp, obj{"keepOrientation": false, "keepProfile": false}), riff(riffPart("VP8X", make([]byte, 10)), riffPart("VP8 ", []byte("abc")))},
	} {
		if !bytes.Equal(row.got, row.want) {
			t.Errorf("%s:\n got %q\nwant %q", row.name, row.got, row.want)
		}
		if again := strip(row.got, nil); row.name != "JPEG without anything" && !bytes.Equal(again, row.got) {
			t.Errorf("%s: stripped again it is %q", row.name, again)
		}
	}
	if got := hosttest.JSON(ctx, "exif.orientation", strip(jpg, nil)); got != "6" {
		t.Errorf("orientation: got %s, want 6", got)
	}
	// A progressive picture has several scans, whose tables stay.
	if b, err := os.ReadFile("../../media/image/jpeg/testdata/progressive-444.jpg"); err == nil {
		before, err1 := jpeg.Decode(bytes.NewReader(b))
		after, err2 := jpeg.Decode(bytes.NewReader(strip(b, nil)))
		if err1 != nil || err2 != nil || !bytes.Equal(before.(*image.YCbCr).Y, after.(*image.YCbCr).Y) {
			t.Errorf("progressive: %v, %v, or not the same pixels", err1, err2)
		}
	}
}

// A directory whose entries all name the same bytes costs no more than the file.
func TestDirectoriesThatRepeat(t *testing.T) {
	b := newBuilder(binary.LittleEndian)
	b.b = append(b.b, make([]byte, 4<<20)...)
	at := uint32(len(b.b))
	b.b = b.appendUint16(b.b, 65535)
	for i := range 65535 {
		kind := []uint16{7, 2, 3, 5, 12}[i%5]
		count := (4 << 20) / uint32(typeSizes[kind])
		b.b = b.appendUint32(b.appendUint32(b.appendUint16(b.appendUint16(b.b, uint16(i)), kind), count), 8)
	}
	file := b.finish(at)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	v, err := hosttest.Call(context.Background(), "exif.parse", file, true)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if m, _ := v.Message(); m.Size() > 64<<20 {
		t.Errorf("the result has %d bytes", m.Size())
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 400<<20 {
		t.Errorf("took %d MB", took>>20)
	}
}

// Sizes and offsets at their extremes; one JPEG of 274 bytes once made another reader ask
// for 25 GB.
func TestMutants(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	ctx := context.Background()
	for name, seed := range seeds(t) {
		for i := range 400 {
			b := mutate(rnd, bytes.Clone(seed))
			var before, after runtime.MemStats
			if i%50 == 0 {
				runtime.ReadMemStats(&before)
			}
			for _, call := range []string{"parse", "gps", "orientation", "thumbnail", "strip"} {
				if v, err := hosttest.Call(ctx, "exif."+call, b, true); err == nil && v.Kind() == marshal.KindUndefined {
					t.Errorf("%s: %s gave undefined", name, call)
				}
			}
			if i%50 == 0 {
				runtime.ReadMemStats(&after)
				if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
					t.Errorf("%s: mutant %d took %d MB", name, i, took>>20)
				}
			}
		}
	}
}

func mutate(rnd *rand.Rand, b []byte) []byte {
	for range 1 + rnd.IntN(6) {
		if len(b) < 8 {
			return b
		}
		i := rnd.IntN(len(b) - 4)
		switch rnd.IntN(4) {
		case 0:
			b[i] = byte(rnd.IntN(256))
		case 1:
			binary.BigEndian.PutUint32(b[i:], []uint32{0, math.MaxUint32, math.MaxInt32, 0x80000000, uint32(len(b)), 1}[rnd.IntN(6)])
		case 2:
			binary.LittleEndian.PutUint32(b[i:], []uint32{math.MaxUint32, math.MaxInt32, 0x10000, uint32(len(b) - 1)}[rnd.IntN(4)])
		default:
			b = append(b[:i], b[i+1+rnd.IntN(3):]...)
		}
	}
	return b
}

func seeds(t testing.TB) map[string][]byte {
	le, be := full(binary.LittleEndian), full(binary.BigEndian)
	return map[string][]byte{
		"jpeg": photo(t, app(1, exifHeader, string(le)), app(2, iccHeader, "\x01\x01", string(profile())), app(13, psHeader, "8BIM\x04\x04\x00\x00\x00\x00\x00\x07\x1c\x02\x19\x00\x02on")),
		"png":  pixel(t, chunk("eXIf", be), chunk("tEXt", []byte("a\x00b")), chunk("iCCP", []byte("n\x00\x00x\x9c\x03\x00\x00\x00\x00\x01"))),
		"webp": riff(riffPart("VP8X", make([]byte, 10)), riffPart("VP8 ", []byte("x")), riffPart("EXIF", be), riffPart("XMP ", []byte(rdf))),
		"tiff": le,
		"heic": heic(be, rdf),
	}
}

func FuzzParse(f *testing.F) {
	for _, b := range seeds(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		o := defaults()
		for k := range o.blocks {
			o.blocks[k] = true
		}
		o.jfif, o.xmp, o.iptc, o.icc, o.userComment, o.makerNote = true, true, true, true, true, true
		if _, err := parse(b, &o); err != nil && err != errUnknown {
			t.Fatal(err)
		}
		if s, err := find(b); err == nil {
			thumbnail(s.tiff)
		}
		out, err := strip(b, stripOptions{orientation: true})
		if err != nil {
			return
		}
		again, err := strip(out, stripOptions{orientation: true})
		if err != nil || !bytes.Equal(out, again) {
			t.Fatalf("stripped: %q, again: %q, %v", out, again, err)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	file := photo(b, app(1, exifHeader, string(full(binary.BigEndian))))
	b.ReportAllocs()
	for b.Loop() {
		o := defaults()
		if _, err := parse(file, &o); err != nil {
			b.Fatal(err)
		}
	}
}
