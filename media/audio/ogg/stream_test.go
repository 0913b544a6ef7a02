package ogg

import (
	"bytes"
	"testing"

	"quicksand/media/audio/internal/codectest"
)

// split cuts a file into its pages.
func split(t *testing.T, data []byte) (raw [][]byte, list []page) {
	t.Helper()
	r := pages{data: data}
	for from := 0; ; from = r.at {
		p, ok := r.next()
		if !ok {
			return raw, list
		}
		raw, list = append(raw, data[from:r.at]), append(list, p)
	}
}

func TestLostPages(t *testing.T) {
	for _, name := range []string{"music.opus", "vorbis-44100.ogg"} {
		raw, list := split(t, codectest.File(t, name))
		if len(raw) < 6 {
			t.Fatalf("%s has %d pages only", name, len(raw))
		}
		skip := int64(0)
		if name == "music.opus" {
			skip = 312
		}
		end := list[len(list)-1].granule
		whole, _ := codectest.Decode(t, bytes.Join(raw, nil))
		for _, test := range []struct {
			name  string
			pages [][]byte
			want  int64 // frames
		}{
			{"all pages", raw, end - skip},
			{"bytes between pages that are none", [][]byte{raw[0], raw[1], []byte("OggS is not always a page"), bytes.Join(raw[2:], nil)}, end - skip},
			{"the end is missing", raw[:len(raw)-1], list[len(raw)-2].granule - skip},
			{"the beginning of the sound is missing", append([][]byte{raw[0], raw[1]}, raw[3:]...), -1},
			{"a page in the middle is missing", append(append([][]byte{}, raw[:3]...), raw[4:]...), -1},
		} {
			got, info := codectest.Decode(t, bytes.Join(test.pages, nil))
			switch {
			case test.want >= 0 && info.Frames != test.want:
				t.Errorf("%s: %s: %d frames, want %d", name, test.name, info.Frames, test.want)
			case test.want < 0 && (info.Frames < end/2 || info.Frames >= int64(len(whole[0]))):
				t.Errorf("%s: %s: %d frames of %d", name, test.name, info.Frames, len(whole[0]))
			}
			if test.want >= 0 {
				for i, v := range got[0] {
					if v != whole[0][i] {
						t.Errorf("%s: %s: frame %d is %g, want %g", name, test.name, i, v, whole[0][i])
						break
					}
				}
			}
		}
	}
}

// A page with a wrong checksum is no page.
func TestDamagedPage(t *testing.T) {
	raw, _ := split(t, codectest.File(t, "vorbis-44100.ogg"))
	bad := bytes.Clone(raw[3])
	bad[len(bad)-1] ^= 1
	without, _ := codectest.Decode(t, bytes.Join(append(append([][]byte{}, raw[:3]...), raw[4:]...), nil))
	with, _ := codectest.Decode(t, bytes.Join(append(append([][]byte{}, raw[:3]...), append([][]byte{bad}, raw[4:]...)...), nil))
	if len(with[0]) != len(without[0]) {
		t.Errorf("%d frames, want %d", len(with[0]), len(without[0]))
	}
}

func TestPackets(t *testing.T) {
	long := bytes.Repeat([]byte{7}, 600)
	page := func(flags byte, granule int64, sequence uint32, lacing []byte, body []byte) []byte {
		w := pageWriter{sequence: sequence, lacing: lacing, body: body}
		w.flush(flags, granule)
		return w.out
	}
	head := page(first, 0, 0, []byte{4}, []byte("HEAD"))
	for _, test := range []struct {
		name string
		data [][]byte
		want []int // sizes
	}{
		{"packets on one page", [][]byte{page(0, 5, 1, []byte{3, 0, 255, 0}, long[:258])}, []int{3, 0, 255}},
		{"a packet on three pages", [][]byte{
			page(0, -1, 1, []byte{255}, long[:255]),
			page(continued, -1, 2, []byte{255}, long[:255]),
			page(continued|last, 9, 3, []byte{90}, long[:90]),
		}, []int{600}},
		{"a packet whose middle is lost is left out", [][]byte{
			page(0, -1, 1, []byte{2, 255}, long[:257]),
			page(continued|last, 9, 3, []byte{90, 1}, long[:91]),
		}, []int{2, 1}},
		{"a packet that does not go on is left out", [][]byte{
			page(0, -1, 1, []byte{255}, long[:255]),
			page(0, 9, 2, []byte{8}, long[:8]),
		}, []int{8}},
		{"nothing counts behind the last page", [][]byte{
			page(last, 1, 1, []byte{1}, long[:1]),
			page(0, 9, 2, []byte{8}, long[:8]),
		}, []int{1}},
		{"another file of a chain ends this one", [][]byte{
			page(0, 1, 1, []byte{1}, long[:1]),
			page(first, 0, 0, []byte{8}, long[:8]),
		}, []int{1}},
	} {
		s, _ := stream(append(bytes.Clone(head), bytes.Join(test.data, nil)...), "HEAD")
		if s == nil {
			t.Fatal(test.name)
		}
		var got []int
		for {
			p, ok := s.next()
			if !ok {
				break
			}
			got = append(got, len(p.data))
		}
		if len(got) != len(test.want) {
			t.Errorf("%s: sizes are %d, want %d", test.name, got, test.want)
			continue
		}
		for i, n := range got {
			if n != test.want[i] {
				t.Errorf("%s: sizes are %d, want %d", test.name, got, test.want)
			}
		}
	}
}

// A stream of something else in front does not hide that of Vorbis.
func TestOtherStreamFirst(t *testing.T) {
	raw, list := split(t, codectest.File(t, "vorbis-44100.ogg"))
	other := func(flags byte, sequence uint32) []byte {
		b := newPage(flags, 0, sequence, []byte("\x80theora and so on"))
		copy(b[14:], "1234") // another serial number
		repair(b)
		return b
	}
	var mixed []byte
	mixed = append(mixed, other(first, 0)...)
	for i, p := range raw {
		mixed = append(mixed, p...)
		if i > 0 {
			mixed = append(mixed, other(0, uint32(i))...)
		}
	}
	got, info := codectest.Decode(t, mixed)
	if info.Codec != "vorbis" || int64(len(got[0])) != list[len(list)-1].granule {
		t.Errorf("%d frames of %+v", len(got[0]), info)
	}
}
