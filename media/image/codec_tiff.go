package image

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"golang.org/x/image/ccitt"
	"golang.org/x/image/tiff/lzw"
)

// TIFF is read by TIFF 6.0 (Aldus, 1992) and its supplements: the first picture of a file, in
// strips or tiles, of 1, 2, 4, 8 or 16 bits, grey, RGB, palette or CMYK, with alpha, plain or
// packed by PackBits, LZW, Deflate or the codes of ITU-T T.4 and T.6. Blocks are converted
// one at a time: golang.org/x/image/tiff keeps a second picture and up to four times a
// block, and reads planes that are stored apart as if they were not.

func init() {
	RegisterDecoder(TIFF, Decoder{Config: tiffConfig, Decode: decodeTIFF})
}

// Tags of the first directory.
const (
	tiffWidth           = 256
	tiffHeight          = 257
	tiffBits            = 258
	tiffCompression     = 259
	tiffPhotometric     = 262
	tiffFillOrder       = 266
	tiffStripOffsets    = 273
	tiffOrientation     = 274
	tiffSamples         = 277
	tiffRowsPerStrip    = 278
	tiffStripByteCounts = 279
	tiffPlanar          = 284
	tiffPredictor       = 317
	tiffColorMap        = 320
	tiffTileWidth       = 322
	tiffTileLength      = 323
	tiffTileOffsets     = 324
	tiffTileByteCounts  = 325
	tiffInkSet          = 332
	tiffExtraSamples    = 338
	tiffSampleFormat    = 339
	tiffICC             = 34675
)

// Photometric interpretations.
const (
	tiffWhiteIsZero = 0
	tiffBlackIsZero = 1
	tiffRGB         = 2
	tiffPalette     = 3
	tiffCMYK        = 5
)

type tiffFile struct {
	data          []byte
	order         binary.ByteOrder
	entries       map[int]tiffEntry
	width, height int
	orientation   int
	icc           []byte

	bits, samples, photometric int
	compression, predictor     int
	planar                     bool // each sample in blocks of its own
	alpha                      int  // which sample is alpha, or -1
	associated                 bool // colours are premultiplied
	reversed                   bool // the first pixel is in the lowest bit
	palette                    [][4]byte
	blockWidth, blockHeight    int
	tiled                      bool
}

type tiffEntry struct {
	kind   uint16
	count  int64
	values []byte // in the order of the file
}

// tiffSizes are the sizes of the types of values, by their number.
var tiffSizes = [...]int64{1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8}

func tiffConfig(data []byte) (Info, error) {
	f, err := parseTIFF(data)
	if err != nil {
		return Info{}, err
	}
	info := Info{Format: TIFF, Width: f.width, Height: f.height, Orientation: f.orientation, Frames: 1, Depth: max(f.bits, 8), Alpha: f.alpha >= 0, Profile: ProfileName(f.icc), ICC: f.icc}
	// One block, for each plane of it, and what unpacks it.
	info.Scratch = f.blockBytes()*int64(f.planes()) + 1<<17
	return info, nil
}

// parseTIFF reads the first directory. Of a file whose size is not allowed it tells the size
// only.
func parseTIFF(data []byte) (*tiffFile, error) {
	if len(data) < 8 {
		return nil, errors.New("tiff: the header is cut short")
	}
	f := &tiffFile{data: data, order: binary.ByteOrder(binary.LittleEndian), entries: make(map[int]tiffEntry)}
	if data[0] == 'M' {
		f.order = binary.BigEndian
	}
	at := int64(f.order.Uint32(data[4:]))
	if at+2 > int64(len(data)) {
		return nil, errors.New("tiff: the directory is outside of the file")
	}
	n := int64(f.order.Uint16(data[at:]))
	at += 2
	if at+12*n > int64(len(data)) {
		return nil, errors.New("tiff: the directory is cut short")
	}
	for i := range n {
		e := data[at+12*i : at+12*i+12]
		kind, count := f.order.Uint16(e[2:]), int64(f.order.Uint32(e[4:]))
		if int(kind) >= len(tiffSizes) || kind == 0 {
			continue
		}
		size := tiffSizes[kind] * count
		values := e[8:12]
		if size > 4 {
			from := int64(f.order.Uint32(e[8:]))
			if from+size > int64(len(data)) {
				if tag := int(f.order.Uint16(e)); tag > tiffSampleFormat {
					continue // metadata
				}
				return nil, errors.New("tiff: the directory points outside of the file")
			}
			values = data[from : from+size]
		}
		if tag := int(f.order.Uint16(e)); f.entries[tag].values == nil {
			f.entries[tag] = tiffEntry{kind, count, values[:size]}
		}
	}
	f.width, f.height = f.first(tiffWidth, 0), f.first(tiffHeight, 0)
	if CheckSize(f.width, f.height) != nil {
		return f, nil
	}
	return f, f.check()
}

// value is value i of a tag of whole numbers.
func (f *tiffFile) value(tag int, i int64) (int64, bool) {
	e := f.entries[tag]
	if i < 0 || i >= e.count {
		return 0, false
	}
	switch e.kind {
	case 1:
		return int64(e.values[i]), true
	case 3:
		return int64(f.order.Uint16(e.values[2*i:])), true
	case 4:
		return int64(f.order.Uint32(e.values[4*i:])), true
	}
	return 0, false
}

func (f *tiffFile) first(tag, absent int) int {
	if v, ok := f.value(tag, 0); ok {
		return int(v)
	}
	return absent
}

// check reads how pixels are stored and refuses what this decoder does not read.
func (f *tiffFile) check() error {
	f.bits, f.samples, f.photometric = f.first(tiffBits, 1), f.first(tiffSamples, 1), f.first(tiffPhotometric, -1)
	f.compression, f.predictor = f.first(tiffCompression, 1), f.first(tiffPredictor, 1)
	f.planar = f.first(tiffPlanar, 1) == 2
	f.reversed = f.first(tiffFillOrder, 1) == 2
	if o := f.first(tiffOrientation, 0); o >= 1 && o <= 8 {
		f.orientation = o
	}
	f.icc = f.entries[tiffICC].values
	if f.samples < 1 || f.samples > 8 {
		return fmt.Errorf("tiff: %d samples in a pixel", f.samples)
	}
	for i := range f.samples {
		if v, ok := f.value(tiffBits, int64(i)); ok && int(v) != f.bits {
			return errors.New("tiff: samples of different sizes are not supported")
		}
		if v, ok := f.value(tiffSampleFormat, int64(i)); ok && v != 1 && v != 4 {
			return errors.New("tiff: samples that are no unsigned integers are not supported")
		}
	}
	switch f.bits {
	case 1, 2, 4, 8, 16:
	default:
		return fmt.Errorf("tiff: samples of %d bits are not supported", f.bits)
	}
	colours := 0
	switch f.photometric {
	case tiffWhiteIsZero, tiffBlackIsZero:
		colours = 1
	case tiffRGB:
		colours = 3
	case tiffPalette:
		if colours = 1; f.bits == 16 {
			return errors.New("tiff: a palette of 16 bits is not supported")
		}
		n := int64(1) << f.bits
		if f.entries[tiffColorMap].count < 3*n {
			return errors.New("tiff: the palette is cut short")
		}
		for i := range n {
			r, _ := f.value(tiffColorMap, i)
			g, _ := f.value(tiffColorMap, n+i)
			b, _ := f.value(tiffColorMap, 2*n+i)
			f.palette = append(f.palette, [4]byte{round16(uint32(r)), round16(uint32(g)), round16(uint32(b)), 255})
		}
	case tiffCMYK:
		if colours = 4; f.first(tiffInkSet, 1) != 1 {
			return errors.New("tiff: inks other than CMYK are not supported")
		}
	case 6:
		return errors.New("tiff: YCbCr is not supported")
	case 8, 9, 10:
		return errors.New("tiff: Lab is not supported")
	default:
		return fmt.Errorf("tiff: photometric interpretation %d is not supported", f.photometric)
	}
	if f.samples < colours {
		return fmt.Errorf("tiff: %d samples in a pixel", f.samples)
	}
	f.alpha = -1
	for i := colours; i < f.samples; i++ {
		if v, _ := f.value(tiffExtraSamples, int64(i-colours)); f.alpha < 0 && (v == 1 || v == 2) {
			f.alpha, f.associated = i, v == 1
		}
	}
	switch f.predictor {
	case 1:
	case 2:
		if f.bits < 8 {
			return fmt.Errorf("tiff: prediction of %d bits is not supported", f.bits)
		}
	default:
		return fmt.Errorf("tiff: predictor %d is not supported", f.predictor)
	}
	switch f.compression {
	case 1, 5, 8, 32946, 32773:
	case 2:
		return errors.New("tiff: the code of compression 2 is not supported")
	case 3, 4:
		if f.bits != 1 || f.samples != 1 {
			return errors.New("tiff: a fax code of more than one bit")
		}
	case 6, 7:
		return errors.New("tiff: JPEG within TIFF is not supported")
	default:
		return fmt.Errorf("tiff: compression %d is not supported", f.compression)
	}
	f.blockWidth, f.blockHeight = f.width, min(f.first(tiffRowsPerStrip, f.height), f.height)
	if _, f.tiled = f.entries[tiffTileWidth]; f.tiled {
		f.blockWidth, f.blockHeight = f.first(tiffTileWidth, 0), f.first(tiffTileLength, 0)
		// A tile may be padded, but one that is both large and larger than the picture is there
		// to take memory.
		if f.blockWidth > max(f.width+16, 1024) || f.blockHeight > max(f.height+16, 1024) {
			return fmt.Errorf("tiff: tiles of %d×%d pixels in a picture of %d×%d", f.blockWidth, f.blockHeight, f.width, f.height)
		}
	}
	if f.blockWidth < 1 || f.blockHeight < 1 {
		return errors.New("tiff: blocks without pixels")
	}
	if f.tiled && (f.blockWidth < 8 || f.blockHeight < 8) {
		return errors.New("tiff: tiles of less than 8 pixels")
	}
	across, down := f.grid()
	offsets, counts := f.blockTags()
	if n := int64(across) * int64(down) * int64(f.planes()); f.entries[offsets].count < n || f.entries[counts].count < n {
		// A single strip needs no count.
		if n != 1 || f.entries[offsets].count < 1 {
			return errors.New("tiff: places of blocks are missing")
		}
	}
	return nil
}

func (f *tiffFile) blockTags() (offsets, counts int) {
	if f.tiled {
		return tiffTileOffsets, tiffTileByteCounts
	}
	return tiffStripOffsets, tiffStripByteCounts
}

func (f *tiffFile) grid() (across, down int) {
	return (f.width + f.blockWidth - 1) / f.blockWidth, (f.height + f.blockHeight - 1) / f.blockHeight
}

// planes is the number of blocks that hold a pixel.
func (f *tiffFile) planes() int {
	if f.planar {
		return f.samples
	}
	return 1
}

// rowBytes is the size of a row of a block.
func (f *tiffFile) rowBytes() int64 {
	n := int64(f.samples)
	if f.planar {
		n = 1
	}
	return (int64(f.blockWidth)*n*int64(f.bits) + 7) / 8
}

func (f *tiffFile) blockBytes() int64 {
	if f.width == 0 || f.blockWidth == 0 {
		return 0 // of a size that is not allowed
	}
	return f.rowBytes() * int64(f.blockHeight)
}

func decodeTIFF(ctx context.Context, data []byte, _ int) (*Surface, error) {
	f, err := parseTIFF(data)
	if err != nil {
		return nil, err
	}
	s := New(f.width, f.height)
	across, down := f.grid()
	planes := make([][]byte, f.planes())
	for i := range planes {
		planes[i] = make([]byte, f.blockBytes())
	}
	for by := range down {
		// Strips are not padded at the bottom.
		rows := f.blockHeight
		if !f.tiled {
			rows = min(rows, f.height-by*f.blockHeight)
		}
		for bx := range across {
			for i := range planes {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				n := int64((i*down+by)*across + bx)
				block := planes[i][:f.rowBytes()*int64(rows)]
				if err := f.unpack(ctx, block, n, rows); err != nil {
					return nil, err
				}
				f.undo(block)
			}
			for y := by * f.blockHeight; y < min((by+1)*f.blockHeight, f.height); y++ {
				f.convert(s.Row(y), planes, bx*f.blockWidth, y-by*f.blockHeight)
			}
		}
	}
	if f.alpha >= 0 {
		if f.associated {
			// Colours above alpha are no premultiplied ones.
			for i := 0; i < len(s.Pix); i += 4 {
				p := s.Pix[i : i+4 : i+4]
				p[0], p[1], p[2] = min(p[0], p[3]), min(p[1], p[3]), min(p[2], p[3])
			}
		} else {
			Premultiply(s.Pix)
		}
	}
	return s, nil
}

// unpack fills dst with block n.
func (f *tiffFile) unpack(ctx context.Context, dst []byte, n int64, rows int) error {
	offsets, counts := f.blockTags()
	from, _ := f.value(offsets, n)
	size, ok := f.value(counts, n)
	if !ok {
		size = int64(len(f.data)) - from
	}
	if from > int64(len(f.data)) {
		return fmt.Errorf("tiff: block %d is outside of the file", n)
	}
	src := f.data[from:min(from+size, int64(len(f.data)))]
	if f.reversed && f.compression != 3 && f.compression != 4 && f.bits < 8 {
		turned := make([]byte, min(len(src), len(dst)))
		for i := range turned {
			turned[i] = bits.Reverse8(src[i])
		}
		src = turned
	}
	var r io.Reader = contextReader{ctx, bytes.NewReader(src)}
	switch f.compression {
	case 32773:
		return unpackBits(dst, src)
	case 5:
		z := lzw.NewReader(r, lzw.MSB, 8)
		defer z.Close()
		r = z
	case 8, 32946:
		z, err := zlib.NewReader(r)
		if err != nil {
			return fmt.Errorf("tiff: %w", err)
		}
		defer z.Close()
		r = z
	case 3, 4:
		order, code := ccitt.MSB, ccitt.Group3
		if f.reversed {
			order = ccitt.LSB
		}
		if f.compression == 4 {
			code = ccitt.Group4
		}
		// The codes speak of white, which is what zero means in the block.
		r = ccitt.NewReader(r, order, code, f.blockWidth, rows, &ccitt.Options{Invert: true})
	}
	if _, err := io.ReadFull(r, dst); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("tiff: the data of block %d is damaged or too short", n)
	}
	return nil
}

// unpackBits is the code of TIFF 6.0, section 9.
func unpackBits(dst, src []byte) error {
	for len(dst) > 0 {
		if len(src) == 0 {
			return errors.New("tiff: packed data is too short")
		}
		n := int(int8(src[0]))
		src = src[1:]
		switch {
		case n >= 0:
			k := min(n+1, len(dst))
			if k > len(src) {
				return errors.New("tiff: packed data is too short")
			}
			copy(dst, src[:k])
			dst, src = dst[k:], src[k:]
		case n > -128:
			if len(src) == 0 {
				return errors.New("tiff: packed data is too short")
			}
			k := min(1-n, len(dst))
			for i := range k {
				dst[i] = src[0]
			}
			dst, src = dst[k:], src[1:]
		}
	}
	return nil
}

// undo adds up the differences of prediction.
func (f *tiffFile) undo(block []byte) {
	if f.predictor != 2 {
		return
	}
	step := f.samples
	if f.planar {
		step = 1
	}
	row := int(f.rowBytes())
	for at := 0; at+row <= len(block); at += row {
		b := block[at : at+row]
		if f.bits == 8 {
			for i := step; i < len(b); i++ {
				b[i] += b[i-step]
			}
			continue
		}
		for i := 2 * step; i+1 < len(b); i += 2 {
			f.order.PutUint16(b[i:], f.order.Uint16(b[i:])+f.order.Uint16(b[i-2*step:]))
		}
	}
}

// convert writes row y of a block, whose left side is at column x of the picture.
func (f *tiffFile) convert(dst []byte, planes [][]byte, x, y int) {
	row, most := int(f.rowBytes()), uint32(1<<min(f.bits, 8)-1)
	sample := func(i, k int) byte { // sample i of pixel k
		b := planes[0]
		if f.planar {
			b = planes[i]
		} else {
			k = k*f.samples + i
		}
		b = b[y*row : (y+1)*row]
		switch f.bits {
		case 8:
			return b[k]
		case 16:
			return round16(uint32(f.order.Uint16(b[2*k:])))
		}
		bit := k * f.bits
		return byte(uint32(b[bit>>3]) >> (8 - f.bits - bit&7) & most)
	}
	spread := func(v byte) byte {
		if f.bits < 8 {
			return byte(uint32(v) * 255 / most)
		}
		return v
	}
	for k := range min(f.blockWidth, f.width-x) {
		d := dst[4*(x+k) : 4*(x+k)+4 : 4*(x+k)+4]
		switch f.photometric {
		case tiffPalette:
			copy(d, f.palette[sample(0, k)][:])
		case tiffRGB:
			d[0], d[1], d[2], d[3] = spread(sample(0, k)), spread(sample(1, k)), spread(sample(2, k)), 255
		case tiffCMYK:
			black := uint32(255 - spread(sample(3, k)))
			for c := range 3 {
				d[c] = byte(muldiv255(uint32(255-spread(sample(c, k))), black))
			}
			d[3] = 255
		default:
			v := spread(sample(0, k))
			if f.photometric == tiffWhiteIsZero {
				v = 255 - v
			}
			d[0], d[1], d[2], d[3] = v, v, v, 255
		}
		if f.alpha >= 0 {
			d[3] = spread(sample(f.alpha, k))
		}
	}
}
