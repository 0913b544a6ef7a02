package flac

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	mewkiz "github.com/mewkiz/flac"
)

// encodeAll writes a file of samples given in chunks of different sizes.
func encodeAll(t testing.TB, info Info, planes [][]int32, o Options) []byte {
	t.Helper()
	e, err := NewEncoder(info, o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	views := make([][]int32, len(planes))
	for at, size := 0, 1; at < len(planes[0]); size = size*3%7001 + 1 {
		to := min(at+size, len(planes[0]))
		for i, p := range planes {
			views[i] = p[at:to]
		}
		if err := e.Write(views); err != nil {
			t.Fatal(err)
		}
		at = to
	}
	out, err := e.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// decodeAll reads a file with the sum of its samples verified.
func decodeAll(data []byte) (Info, [][]int32, error) {
	d, err := NewDecoder(data)
	if err != nil {
		return Info{}, nil, err
	}
	d.Verify()
	planes := make([][]int32, d.Info().Channels)
	for {
		block, err := d.Next()
		if err == io.EOF {
			return d.Info(), planes, nil
		}
		if err != nil {
			return d.Info(), planes, err
		}
		for i, p := range block {
			planes[i] = append(planes[i], p...)
		}
	}
}

// oracle reads a file with an independent decoder.
func oracle(data []byte) (planes [][]int32, err error) {
	s, err := mewkiz.New(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	planes = make([][]int32, s.Info.NChannels)
	for {
		f, err := s.ParseNext()
		if err == io.EOF {
			return planes, nil
		}
		if err != nil {
			return planes, err
		}
		for i, sub := range f.Subframes {
			planes[i] = append(planes[i], sub.Samples...)
		}
	}
}

// difference says where two sounds differ first, or "".
func difference(got, want [][]int32) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d channels, want %d", len(got), len(want))
	}
	for c := range want {
		if len(got[c]) != len(want[c]) {
			return fmt.Sprintf("%d samples in channel %d, want %d", len(got[c]), c, len(want[c]))
		}
		for i, v := range want[c] {
			if got[c][i] != v {
				return fmt.Sprintf("sample %d of channel %d is %d, want %d", i, c, got[c][i], v)
			}
		}
	}
	return ""
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	efforts, sizes := []int{1, 5, 7, 10}, []int{1, 2, 5, 17, 4096, 3*4096 + 1234}
	if testing.Short() {
		efforts, sizes = []int{5}, []int{17, 5000}
	}
	for _, s := range signals {
		for _, effort := range efforts {
			for _, frames := range sizes {
				t.Run(fmt.Sprintf("%s, effort %d, %d frames", s.name, effort, frames), func(t *testing.T) {
					t.Parallel()
					want := s.samples(frames)
					file := encodeAll(t, s.info(frames), want, Options{Effort: effort})
					info, got, err := decodeAll(file)
					if err != nil {
						t.Fatal(err)
					}
					if d := difference(got, want); d != "" {
						t.Error(d)
					}
					if info.Rate != s.rate || info.Depth != s.depth || info.Frames != int64(frames) || info.MD5 == [16]byte{} {
						t.Errorf("the header says %+v", info)
					}
					if s.depth == 32 || s.depth == 13 {
						return // which the oracle cannot read
					}
					theirs, err := oracle(file)
					if err != nil {
						t.Fatalf("the oracle says: %v", err)
					}
					if d := difference(theirs, want); d != "" {
						t.Errorf("the oracle reads: %s", d)
					}
				})
			}
		}
	}
}

func TestNoSoundIsAFile(t *testing.T) {
	file := encodeAll(t, Info{Rate: 8000, Channels: 1, Depth: 16}, [][]int32{{}}, Options{})
	info, planes, err := decodeAll(file)
	if err != nil || len(planes[0]) != 0 {
		t.Errorf("got %d samples and %v", len(planes[0]), err)
	}
	if info.Frames != -1 {
		t.Errorf("the header says %d frames", info.Frames)
	}
}

func TestSilenceTakesNothing(t *testing.T) {
	const frames = 10 * 4096
	planes := [][]int32{make([]int32, frames), make([]int32, frames)}
	file := encodeAll(t, Info{Rate: 44100, Channels: 2, Depth: 16, Frames: frames}, planes, Options{})
	// A frame is a header of 6 bytes, two constants of 3 bytes, and a checksum.
	if want := 4 + 4 + infoSize + 10*14; len(file) != want {
		t.Errorf("got %d bytes, want %d", len(file), want)
	}
}

func TestSeekPointsAreWhereFramesBegin(t *testing.T) {
	const rate, frames = 8000, 95*8000 + 5
	s := signals[2]
	planes := s.samples(frames)
	info := Info{Rate: rate, Channels: 1, Depth: 16, Frames: frames}
	file := encodeAll(t, info, planes, Options{Effort: 1})
	stream, err := mewkiz.New(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, err := readHead(file)
	if err != nil {
		t.Fatal(err)
	}
	table := file[4+4+infoSize:]
	if table[0] != typeSeek|lastBlock {
		t.Fatalf("the second block is of type %d", table[0])
	}
	points := (len(file) - len(rest) - 4 - 4 - infoSize - 4) / 18
	// One each 80 000 samples, but one not nearer than 65 536.
	if points != 9 {
		t.Errorf("got %d points", points)
	}
	for i := range points {
		p := table[4+18*i:]
		var sample, at int64
		for _, b := range p[:8] {
			sample = sample<<8 | int64(b)
		}
		for _, b := range p[8:16] {
			at = at<<8 | int64(b)
		}
		target := int64(i+1) * 80000
		if sample > target || sample+4096 <= target {
			t.Errorf("point %d is at sample %d", i, sample)
		}
		h, ok := parseFrameHeader(rest[at:])
		if !ok || int64(h.number)*4096 != sample {
			t.Errorf("point %d: the frame there is %d, %v", i, h.number, ok)
		}
	}
	if stream.Info.NSamples != frames {
		t.Errorf("the oracle sees %d samples", stream.Info.NSamples)
	}
}

func TestEncodersSayWhatTheyCannotDo(t *testing.T) {
	for _, c := range []struct {
		name string
		info Info
		o    Options
		want string
	}{
		{"no rate", Info{Channels: 1, Depth: 16}, Options{}, "the sampling rate is 0 Hz; FLAC has 1 to 1048575"},
		{"a rate of two MHz", Info{Rate: 2e6, Channels: 1, Depth: 16}, Options{}, "the sampling rate is 2000000 Hz; FLAC has 1 to 1048575"},
		{"nine channels", Info{Rate: 1, Channels: 9, Depth: 16}, Options{}, "there are 9 channels; FLAC has 1 to 8"},
		{"three bits", Info{Rate: 1, Channels: 1, Depth: 3}, Options{}, "samples of 3 bits cannot be written; FLAC has 4 to 32"},
		{"too much effort", Info{Rate: 1, Channels: 1, Depth: 16}, Options{Effort: 11}, "the effort is 11; it must be 1 to 10"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := NewEncoder(c.info, c.o); err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	e, err := NewEncoder(Info{Rate: 1, Channels: 2, Depth: 16}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if err := e.Write([][]int32{{1}}); err == nil || err.Error() != "there are 1 channels instead of 2" {
		t.Errorf("got %v", err)
	}
}

func TestCodedNumbers(t *testing.T) {
	for _, x := range []uint64{0, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 1<<21 - 1, 1 << 21, 1<<26 - 1, 1 << 26, 1<<31 - 1, 1 << 31, 1<<36 - 1} {
		b := appendCodedNumber(nil, x)
		got, n := codedNumber(b)
		if got != x || n != len(b) {
			t.Errorf("%#x is written as % x and read as %#x of %d bytes", x, b, got, n)
		}
		if n > 1 {
			if _, n := codedNumber(b[:n-1]); n != 0 {
				t.Errorf("%#x is read without its last byte", x)
			}
		}
	}
	for _, b := range [][]byte{{0x80}, {0xFF}, {0xC2, 0x00}} {
		if _, n := codedNumber(b); n != 0 {
			t.Errorf("% x is a number of %d bytes", b, n)
		}
	}
}

func TestChecksums(t *testing.T) {
	// The check values of CRC-8/SMBUS and CRC-16/UMTS.
	if got := crc8([]byte("123456789")); got != 0xF4 {
		t.Errorf("CRC-8 is %#x, want 0xf4", got)
	}
	if got := crc16([]byte("123456789")); got != 0xFEE8 {
		t.Errorf("CRC-16 is %#x, want 0xfee8", got)
	}
	b := []byte(strings.Repeat("the quick brown fox", 9))
	for n := range b {
		want := uint16(0)
		for _, x := range b[:n] {
			want ^= uint16(x) << 8
			for range 8 {
				want = want<<1 ^ want>>15*0x8005
			}
		}
		if got := crc16(b[:n]); got != want {
			t.Fatalf("CRC-16 of %d bytes is %#x, want %#x", n, got, want)
		}
	}
}

func TestDamagedFilesAreErrors(t *testing.T) {
	s := signals[0]
	const frames = 3 * 4096
	good := encodeAll(t, s.info(frames), s.samples(frames), Options{})
	_, rest, err := readHead(good)
	if err != nil {
		t.Fatal(err)
	}
	start := len(good) - len(rest)
	set := func(at int, b byte) func([]byte) []byte {
		return func(d []byte) []byte { d[at] = b; return d }
	}
	for _, c := range []struct {
		name   string
		change func([]byte) []byte
		want   string
	}{
		{"nothing", func(d []byte) []byte { return nil }, "it is no FLAC file"},
		{"another marker", set(0, 'F'), "it is no FLAC file"},
		{"only the marker", func(d []byte) []byte { return d[:4] }, "the file ends within its header"},
		{"half a header", func(d []byte) []byte { return d[:30] }, "the file ends within its header"},
		{"a block longer than the file", set(5, 0xFF), "the file ends within its header"},
		{"STREAMINFO is not first", set(4, typeSeek), "the header is damaged"},
		{"STREAMINFO is too short", set(7, infoSize-1), "the header is damaged"},
		{"blocks of no samples", func(d []byte) []byte { clear(d[8:12]); return d }, "the header is damaged"},
		{"no sampling rate", func(d []byte) []byte { d[18], d[19], d[20] = 0, 0, d[20]&15; return d }, "the file has no sampling rate"},
		{"samples of one bit", func(d []byte) []byte { d[20] &= 0xFE; d[21] &= 0x0F; return d }, "samples are of 1 bits, and must be of 4 to 32"},
		{"a bit in the first frame", func(d []byte) []byte { d[start+100] ^= 4; return d }, "the frame at 0.000 seconds is damaged"},
		{"the frame's header", func(d []byte) []byte { d[start+1] ^= 4; return d }, "the frame at 0.000 seconds is damaged"},
		{"the last checksum", func(d []byte) []byte { d[len(d)-1]++; return d }, "the frame at 0.186 seconds is damaged"},
		{"the last byte is missing", func(d []byte) []byte { return d[:len(d)-1] }, "the frame at 0.186 seconds is damaged"},
		{"there are more samples than the header says", func(d []byte) []byte { d[24]--; return d }, "the sum of all samples is not that of the header"},
		{"there are fewer samples than the header says", func(d []byte) []byte { d[24]++; return d }, "the file ends after 0.279 of 0.284 seconds"},
		{"a sum that is wrong", func(d []byte) []byte { d[30]++; return d }, "the sum of all samples is not that of the header"},
		{"another depth", func(d []byte) []byte { d[21] ^= 0x10; return d }, "the frame at 0.000 seconds is not as the header says"},
		{"another rate", func(d []byte) []byte { d[18] ^= 1; return d }, "the sampling rate changes from 48196 to 44100 Hz at 0.000 seconds"},
		{"frames larger than the header says", func(d []byte) []byte { d[8], d[10] = 1, 1; return d }, "the frame at 0.000 seconds is not as the header says"},
		{"a frame is missing", func(d []byte) []byte {
			h := bytes.Index(d[start+1:], []byte{0xFF, 0xF8}) + start + 1
			return append(d[:start:start], d[h:]...)
		}, "the file ends after 0.186 of 0.279 seconds"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := decodeAll(c.change(slices.Clone(good)))
			if err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func TestWhatIsAroundAFileIsSkipped(t *testing.T) {
	s := signals[0]
	const frames = 5000
	want := s.samples(frames)
	good := encodeAll(t, s.info(frames), want, Options{})
	unknown := slices.Clone(good)
	clear(unknown[22:26]) // the number of samples
	unknown[21] &= 0xF0
	id3 := append([]byte("ID3\x04\x00\x00\x00\x00\x00\x14"), make([]byte, 20)...)
	tag := append([]byte("TAG"), make([]byte, 125)...)
	// A padding block and a tag's block between STREAMINFO and the frames.
	blocks := slices.Concat(good[:4], []byte{0}, good[5:42], []byte{1, 0, 0, 3, 0, 0, 0}, []byte{4 | lastBlock, 0, 0, 2, 'h', 'i'}, good[42:])
	for _, c := range []struct {
		name string
		data []byte
	}{
		{"the file itself", good},
		{"a file that does not say how long it is", unknown},
		{"an ID3v2 tag in front", append(id3, good...)},
		{"an ID3v1 tag behind", append(slices.Clip(good), tag...)},
		{"an ID3v1 tag behind a file that does not say how long it is", append(slices.Clip(unknown), tag...)},
		{"other blocks in the header", blocks},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, got, err := decodeAll(c.data)
			if err != nil {
				t.Fatal(err)
			}
			if d := difference(got, want); d != "" {
				t.Error(d)
			}
		})
	}
}
