package audio

import (
	"bytes"
	"strings"
	"testing"
)

// frames are n frames of an MPEG file without sound: 128 kbit/s, 44.1 kHz, layer III.
func mpegFrames(n int) []byte {
	return bytes.Repeat(append([]byte{0xFF, 0xFB, 0x90, 0x64}, make([]byte, 413)...), n)
}

// id3 is an ID3v2 tag with a picture of so many bytes, which look like frames of MPEG.
func id3(size int) []byte {
	b := []byte{'I', 'D', '3', 4, 0, 0, byte(size >> 21 & 0x7F), byte(size >> 14 & 0x7F), byte(size >> 7 & 0x7F), byte(size & 0x7F)}
	return append(b, bytes.Repeat([]byte{0xFF, 0xFB}, size/2+1)[:size]...)
}

// oggPage is the first page of a stream.
func oggPage(packet string) []byte {
	b := append([]byte("OggS\x00\x02"), make([]byte, 20)...)
	return append(append(b, 1, byte(len(packet))), packet...)
}

func TestSniff(t *testing.T) {
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	adts := bytes.Repeat(append([]byte{0xFF, 0xF1, 0x50, 0x80, 0x04, 0x1F, 0xFC}, make([]byte, 25)...), 3)
	noise := make([]byte, 4000)
	for i := range noise {
		noise[i] = byte(i * i >> 3)
	}
	for _, test := range []struct {
		name string
		data []byte
		want Format
	}{
		{"WAV", []byte("RIFF\x00\x00\x00\x00WAVE"), WAV},
		{"RF64", []byte("RF64\xFF\xFF\xFF\xFFWAVEds64"), WAV},
		{"BW64", []byte("BW64\xFF\xFF\xFF\xFFWAVEds64"), WAV},
		{"AVI", []byte("RIFF\x00\x00\x00\x00AVI "), Unknown},
		{"AIFF", []byte("FORM\x00\x00\x00\x00AIFF"), AIFF},
		{"AIFF-C", []byte("FORM\x00\x00\x00\x00AIFC"), AIFF},
		{"8SVX", []byte("FORM\x00\x00\x00\x008SVX"), Unknown},
		{"FLAC", []byte("fLaC\x00\x00\x00\x22"), FLAC},
		{"FLAC behind ID3v2", join(id3(500), []byte("fLaC\x00\x00\x00\x22")), FLAC},
		{"Vorbis", oggPage("\x01vorbis"), Vorbis},
		{"Opus", oggPage("OpusHead\x01"), Opus},
		{"FLAC in Ogg", oggPage("\x7FFLAC\x01"), OggFLAC},
		{"Theora in Ogg", oggPage("\x80theora"), Unknown},
		{"Ogg that is cut", oggPage("OpusHead\x01")[:20], Unknown},
		{"Ogg whose lacing is cut", append([]byte("OggS"), bytes.Repeat([]byte{255}, 30)...), Unknown},
		{"MP3", mpegFrames(2), MP3},
		{"one frame of MP3", mpegFrames(1), MP3},
		{"MP3 behind ID3v2 with a picture", join(id3(100_000), mpegFrames(2)), MP3},
		{"MP3 behind 1 KB of zeros, ID3v2 and more zeros", join(make([]byte, 1024), id3(4000), make([]byte, 300), mpegFrames(2), []byte("TAG"), make([]byte, 125)), MP3},
		{"MP3 behind two tags", join(id3(300), id3(200), mpegFrames(2)), MP3},
		{"MP3 behind noise", join(noise, mpegFrames(3)), MP3},
		{"MP3 behind more zeros than junk may be", join(make([]byte, MaxJunk+100), mpegFrames(2)), MP3},
		{"MP3 behind too much junk", join(bytes.Repeat([]byte{1}, MaxJunk+1), mpegFrames(2)), Unknown},
		{"one frame of MP3 and ID3v1", join(mpegFrames(1), []byte("TAG"), make([]byte, 125)), MP3},
		{"a tag that is cut", id3(500)[:300], Unknown},
		{"a tag alone", id3(500), Unknown},
		{"ADTS", adts, AAC},
		{"ADTS behind ID3v2", join(id3(50), adts), AAC},
		{"M4A", []byte("\x00\x00\x00\x20ftypM4A \x00\x00\x00\x00"), M4A},
		{"WebM", []byte("\x1A\x45\xDF\xA3\x9F\x42\x86\x81\x01\x42\x82\x84webm"), WebM},
		{"Matroska", []byte("\x1A\x45\xDF\xA3\x9F\x42\x86\x81\x01\x42\x82\x88matroska"), Matroska},
		{"text", []byte("ID3 is a kind of tag"), Unknown},
		{"text of UTF-16", []byte("\xFF\xFEH\x00e\x00l\x00l\x00o\x00"), Unknown},
		{"a JPEG picture", append([]byte("\xFF\xD8\xFF\xE0\x00\x10JFIF\x00"), noise...), Unknown},
		{"noise", noise, Unknown},
		{"zeros", make([]byte, 5000), Unknown},
		{"nothing", nil, Unknown},
	} {
		if got := Sniff(test.data); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

// Frame sizes are those of the formulas of ISO/IEC 11172-3 §2.4.3.1 and 13818-3, reckoned by
// hand.
func TestMPEGFrameSizes(t *testing.T) {
	for _, test := range []struct {
		name   string
		header []byte
		want   int
	}{
		{"version 1, layer III, 128 kbit/s, 44.1 kHz", []byte{0xFF, 0xFB, 0x90, 0}, 417},
		{"the same with padding", []byte{0xFF, 0xFB, 0x92, 0}, 418},
		{"version 1, layer III, 320 kbit/s, 48 kHz", []byte{0xFF, 0xFB, 0xE4, 0}, 960},
		{"version 1, layer II, 192 kbit/s, 48 kHz", []byte{0xFF, 0xFD, 0xA4, 0}, 576},
		{"version 1, layer I, 384 kbit/s, 32 kHz", []byte{0xFF, 0xFF, 0xC8, 0}, 576},
		{"version 2, layer III, 64 kbit/s, 22.05 kHz", []byte{0xFF, 0xF3, 0x80, 0}, 208},
		{"version 2.5, layer III, 16 kbit/s, 8 kHz", []byte{0xFF, 0xE3, 0x28, 0}, 144},
		{"a reserved version", []byte{0xFF, 0xEB, 0x90, 0}, 0},
		{"a reserved layer", []byte{0xFF, 0xF9, 0x90, 0}, 0},
		{"a reserved rate", []byte{0xFF, 0xFB, 0x9C, 0}, 0},
		{"a free bit rate", []byte{0xFF, 0xFB, 0x00, 0}, 0},
	} {
		if h, ok := parseMPEG(test.header); h.size != test.want || ok != (test.want > 0) {
			t.Errorf("%s: got %d, %v, want %d", test.name, h.size, ok, test.want)
		}
	}
}

func TestFormatsWithoutDecoderSayWhatToImport(t *testing.T) {
	for want, data := range map[string][]byte{
		"could not decode the audio (m4a): this program was built without AAC in MP4; the module quicksand/media/audio/aac has it, under the LGPL": []byte("\x00\x00\x00\x20ftypM4A \x00\x00\x00\x00"),
		"could not decode the audio (mp3): this program was built without MP3; the package quicksand/media/audio/mp3 has it":                       mpegFrames(2),
		"could not decode the audio (webm): WebM is not supported":                                                                                 []byte("\x1A\x45\xDF\xA3\x9F\x42\x86\x81\x01\x42\x82\x84webm"),
		"could not decode the audio (unknown): it is none of the formats that can be read: aiff, wav":                                              []byte(strings.Repeat("text ", 20)),
		"audio bytes are empty": nil,
	} {
		if _, err := Open(data, nil); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestMIME(t *testing.T) {
	for f, want := range map[Format]string{WAV: "audio/wav", MP3: "audio/mpeg", Opus: "audio/ogg", M4A: "audio/mp4", FLAC: "audio/flac", AIFF: "audio/aiff", Unknown: "application/octet-stream"} {
		if got := f.MIME(); got != want {
			t.Errorf("%s: got %s, want %s", f, got, want)
		}
	}
	if m, ok := EncoderMIME(WAV); m != "audio/wav" || !ok {
		t.Errorf("the encoder of WAV: got %q, %v", m, ok)
	}
	if _, ok := EncoderMIME(AIFF); ok {
		t.Error("AIFF has an encoder")
	}
}
