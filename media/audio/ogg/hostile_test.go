package ogg

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"testing"

	"quicksand/media"
	"quicksand/media/audio"
	"quicksand/media/audio/internal/codectest"
)

// headers is in how many bytes at the beginning of a file its headers are.
const headers = 6000

// mutate damages a file and then, mostly, makes the checksums of pages right again, so that it
// is the packets that are damaged and not only the pages.
func mutate(r *rand.Rand, data []byte) []byte {
	b := codectest.Mutate(r, data, headers)
	if r.IntN(4) > 0 {
		repair(b)
	}
	return b
}

func repair(b []byte) {
	for at := 0; at < len(b); {
		i := bytes.Index(b[at:], []byte("OggS"))
		if i < 0 {
			return
		}
		at += i
		size := pageSize(b[at:])
		if size == 0 {
			at++
			continue
		}
		binary.LittleEndian.PutUint32(b[at+22:], pageChecksum(b[at:at+size]))
		at += size
	}
}

// survive decodes a file of which nothing is known, which does not go on behind what its header
// says.
func survive(t *testing.T, data []byte) {
	t.Helper()
	codectest.Survive(t, data, func(i audio.Info, frames int64) bool { return i.Frames < 0 || frames <= i.Frames })
}

func TestMutated(t *testing.T) {
	if testing.Short() {
		t.Skip("1600 files are decoded")
	}
	for _, pattern := range []string{"*.ogg", "*.opus"} {
		names := codectest.Names(t, pattern)
		for i := range 800 {
			data := codectest.File(t, names[i%len(names)])
			survive(t, mutate(rand.New(rand.NewPCG(uint64(i), 2)), data))
		}
	}
}

// newPage is a page with its checksum.
func newPage(flags byte, granule int64, sequence uint32, packets ...[]byte) []byte {
	w := pageWriter{sequence: sequence}
	for _, p := range packets {
		w.add(p)
	}
	w.flush(flags, granule)
	return w.out
}

func opusHeader(channels byte, rest ...byte) []byte {
	h := append([]byte("OpusHead\x01"), channels, 0x38, 0x01, 0x80, 0xBB, 0, 0, 0, 0)
	return append(h, rest...)
}

var opusTags = []byte("OpusTags\x00\x00\x00\x00\x00\x00\x00\x00")

// bits writes what bitReader reads.
type bitWriter struct {
	out []byte
	n   int
}

func (w *bitWriter) put(v uint64, n int) {
	for i := range n {
		if w.n%8 == 0 {
			w.out = append(w.out, 0)
		}
		w.out[w.n/8] |= byte(v>>i&1) << (w.n % 8)
		w.n++
	}
}

// vorbisFile is a file with such a setup.
func vorbisFile(blocks byte, setup []byte) []byte {
	head := append([]byte("\x01vorbis\x00\x00\x00\x00\x02\x44\xAC\x00\x00"), make([]byte, 12)...)
	head = append(head, blocks, 1)
	b := newPage(first, 0, 0, head)
	return append(b, newPage(0, 0, 1, []byte("\x03vorbis\x00\x00\x00\x00\x00\x00\x00\x00\x01"), append([]byte("\x05vorbis"), setup...))...)
}

func TestRefused(t *testing.T) {
	bomb := func(dims, entries uint64, then func(*bitWriter)) []byte {
		var w bitWriter
		w.put(0, 8)
		w.put(0x564342, 24)
		w.put(dims, 16)
		w.put(entries, 24)
		then(&w)
		return w.out
	}
	opus := func(head []byte) []byte {
		return append(newPage(first, 0, 0, head), newPage(0, 0, 1, opusTags)...)
	}
	for _, test := range []struct {
		name string
		data []byte
		want string
	}{
		{
			"a codebook of 2²⁴ entries is refused before it is made",
			vorbisFile(0xB8, bomb(1, 1<<24-1, func(w *bitWriter) { w.put(1, 1) })),
			"could not decode the audio (ogg): the tables of Vorbis are too large",
		},
		{
			"a codebook of many long vectors is refused before they are made",
			vorbisFile(0xB8, bomb(65535, 256, func(w *bitWriter) {
				w.put(1, 1)
				w.put(7, 5)
				w.put(256, 9)
				w.put(1, 4)
			})),
			"could not decode the audio (ogg): the tables of Vorbis are too large",
		},
		{
			"a codebook whose codes leave gaps is refused",
			vorbisFile(0xB8, bomb(1, 3, func(w *bitWriter) {
				w.put(0, 2)
				for range 3 {
					w.put(1, 5)
				}
			})),
			"could not decode the audio (ogg): the setup of Vorbis is damaged",
		},
		{
			"a codebook with too many codes is refused",
			vorbisFile(0xB8, bomb(1, 3, func(w *bitWriter) {
				w.put(0, 2)
				for range 3 {
					w.put(0, 5)
				}
			})),
			"could not decode the audio (ogg): the setup of Vorbis is damaged",
		},
		{
			"floor curves of type 0 are refused by name",
			vorbisFile(0xB8, bomb(1, 1, func(w *bitWriter) {
				w.put(0, 2)
				w.put(0, 5+4)
				w.put(0, 6+16)
				w.put(0, 6+16)
				w.put(0, 64)
			})),
			"could not decode the audio (ogg): Vorbis with floor curves of type 0 is not supported",
		},
		{
			"blocks larger than 8192 are refused",
			vorbisFile(0xF8, nil),
			"could not decode the audio (ogg): the header of Vorbis is damaged",
		},
		{
			"255 channels of Opus are over the limit",
			opus(append(opusHeader(255, 255, 255, 0), make([]byte, 255)...)),
			"could not decode the audio (opus): the number of channels is 255, over the limit of 8 (AudioChannels)",
		},
		{
			"more streams than channels are refused",
			opus(opusHeader(2, 1, 255, 0, 0, 1)),
			"could not decode the audio (opus): the header of Opus is damaged",
		},
		{
			"a channel without a stream is refused",
			opus(opusHeader(2, 1, 1, 0, 0, 1)),
			"could not decode the audio (opus): the header of Opus is damaged",
		},
		{
			"ambisonics are refused by name",
			opus(opusHeader(4, 2, 4, 0, 0, 1, 2, 3)),
			"could not decode the audio (opus): Opus is supported with one to eight channels of the usual positions only, not with channel mapping families above 1",
		},
		{
			"a file that is cut off in its headers is refused",
			newPage(first, 0, 0, opusHeader(2, 0)),
			"could not decode the audio (opus): the comments of Opus are missing",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := audio.Open(test.data, media.NewBudget(codectest.Budget))
			runtime.ReadMemStats(&after)
			if took := after.TotalAlloc - before.TotalAlloc; took > 8<<20 {
				t.Errorf("it took %d bytes of memory", took)
			}
			if err == nil || err.Error() != test.want {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// Pages of no length, packets of no length, and what looks like pages everywhere, take time in
// proportion to their size only.
func TestEmptyPages(t *testing.T) {
	head := append(newPage(first, 0, 0, opusHeader(2, 0)), newPage(0, 0, 1, opusTags)...)
	empty := bytes.Repeat(newPage(0, -1, 2), 10_000)
	none := make([][]byte, 255)
	none255 := bytes.Repeat(newPage(0, 0, 2, none...), 1000)
	// Each is a page of 65 KB with a wrong checksum.
	fake := append([]byte("OggS"), make([]byte, 23)...)
	fake[26] = 255
	fakes := bytes.Repeat(append(fake, bytes.Repeat([]byte{255}, 5)...), 10_000)
	for _, body := range [][]byte{empty, none255, fakes} {
		s, err := audio.Open(append(bytes.Clone(head), body...), nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := s.Info().Frames; n != 0 {
			t.Errorf("%d frames, want 0", n)
		}
		survive(t, append(bytes.Clone(head), body...))
	}
	r := &pages{data: append(bytes.Clone(head), fakes...)}
	for {
		if _, ok := r.next(); !ok {
			break
		}
	}
	if r.wasted > len(r.data)+(1<<17) {
		t.Errorf("%d bytes were summed up in vain for %d", r.wasted, len(r.data))
	}
}

func fuzz(f *testing.F, pattern string) {
	names := codectest.Names(f, pattern)
	for _, name := range names {
		f.Add(codectest.File(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		data = bytes.Clone(data)
		survive(t, data)
		repair(data)
		survive(t, data)
	})
}

func FuzzVorbis(f *testing.F) { fuzz(f, "*.ogg") }

func FuzzOpus(f *testing.F) { fuzz(f, "*.opus") }
