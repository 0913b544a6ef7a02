package flac

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"quicksand/media"
	"quicksand/media/audio"
)

// seeds are files with everything in them.
func seeds(t testing.TB, frames int) (files [][]byte) {
	for _, s := range signals {
		files = append(files, encodeAll(t, s.info(frames), s.samples(frames), Options{Effort: 7}))
	}
	return files
}

// seal makes the checksums of a damaged file right again, as far as frames still begin where
// they did, so that decoders look at what is in them.
func seal(file []byte, starts []int) {
	for i, at := range starts {
		end := len(file)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		if end-at < 8 {
			continue // no frame
		}
		for n := 5; n < 17 && at+n+1 < end; n++ {
			// The header is as long as it was if its checksum still fits somewhere.
			c := file[at+n]
			file[at+n] = crc8(file[at : at+n])
			if _, ok := parseFrameHeader(file[at:end]); ok {
				break
			}
			file[at+n] = c
		}
		sum := crc16(file[at : end-2])
		file[end-2], file[end-1] = byte(sum>>8), byte(sum)
	}
}

// frameStarts are where the frames of a file begin that is not damaged.
func frameStarts(t testing.TB, file []byte) (starts []int) {
	d, err := NewDecoder(file)
	if err != nil {
		t.Fatal(err)
	}
	for {
		at := len(file) - len(d.rest)
		if _, err := d.Next(); err == io.EOF {
			return starts
		} else if err != nil {
			t.Fatal(err)
		}
		starts = append(starts, at)
	}
}

// read decodes a file with a budget, as a sandbox does.
func read(file []byte, budget audio.Budget) (int64, error) {
	sound, err := audio.Open(file, budget)
	if err != nil {
		return 0, err
	}
	defer sound.Release()
	c, err := sound.Clip(context.Background())
	if err != nil {
		return 0, err
	}
	defer c.Release()
	return c.Frames(), nil
}

// TestMutatedFiles decodes damaged files, half of them with checksums that are right.
func TestMutatedFiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 9639))
	files := seeds(t, 6000)
	failed, sealed := 0, 0
	for i := range 400 {
		good := files[i%len(files)]
		starts := frameStarts(t, good)
		file := slices.Clone(good)
		first := starts[0]
		for range 1 + rng.IntN(4) {
			at := first + rng.IntN(min(len(file)-first, 40+rng.IntN(2000)))
			if i%8 == 0 {
				at = rng.IntN(first) // in the header of the file
			}
			file[at] ^= byte(1 << rng.IntN(8))
		}
		if i%2 == 1 {
			seal(file, starts)
		}
		if i%16 == 15 {
			file = file[:rng.IntN(len(file))]
		}
		budget := media.NewBudget(64 << 20)
		begin := time.Now()
		_, err := read(file, budget)
		if took := time.Since(begin); took > 2*time.Second {
			t.Errorf("file %d took %v", i, took)
		}
		if budget.Used() != 0 {
			t.Errorf("file %d: %d bytes are still held", i, budget.Used())
		}
		var panicked *audio.PanicError
		if errors.As(err, &panicked) {
			t.Errorf("file %d: %v\n%s", i, panicked, panicked.Stack)
		}
		if err != nil {
			failed++
		} else if i%2 == 1 {
			sealed++
		}
	}
	// Damage is found, unless someone made the checksums right.
	if failed < 200 || sealed < 20 {
		t.Errorf("%d of 400 files were damaged; of 200 with checksums made right %d were read", failed, sealed)
	}
}

// TestPromisesAreNotBelieved reads files that say they are longer than they are.
func TestPromisesAreNotBelieved(t *testing.T) {
	s := signals[0]
	file := encodeAll(t, s.info(4096), s.samples(4096), Options{})
	for _, c := range []struct {
		name   string
		change func([]byte)
		budget int64
		want   string
	}{
		{"a day and more, and a last frame that is damaged", func(d []byte) { d[21] |= 15; d[22] = 0xFF; d[len(d)-1]++ }, 1 << 40,
			"could not decode the audio (flac): the duration in seconds is 1557884.436, over the limit of 86400 (AudioDuration)"},
		{"an hour, and a last frame that is damaged", func(d []byte) { d[22] = 9; d[len(d)-1]++ }, 1 << 30,
			"could not decode the audio (flac): the frame at 0.000 seconds is damaged"},
		{"an hour, and a small budget", func(d []byte) { d[22] = 9 }, 1 << 20, ""},
		{"the largest frames", func(d []byte) { d[10], d[11] = 0xFF, 0xFF }, 1 << 20, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := slices.Clone(file)
			c.change(file)
			budget := media.NewBudget(c.budget)
			n, err := read(file, budget)
			switch {
			case c.want == "":
				var e *media.BudgetError
				if err != nil && !errors.As(err, &e) {
					t.Errorf("got %v", err)
				}
			case err == nil || err.Error() != c.want:
				t.Errorf("got %d frames and %v, want %s", n, err, c.want)
			}
			if budget.Used() != 0 {
				t.Errorf("%d bytes are still held", budget.Used())
			}
		})
	}
}

// TestFilesThatAreCutOff reads files that end early, which have the frames that are whole, and
// whose lengths are known before they are decoded.
func TestFilesThatAreCutOff(t *testing.T) {
	s := signals[0]
	const frames = 3*4096 + 100
	file := encodeAll(t, s.info(frames), s.samples(frames), Options{})
	_, rest, err := readHead(file)
	if err != nil {
		t.Fatal(err)
	}
	var starts []int // of frames
	for d := (&Decoder{info: s.info(frames), rest: rest}); ; {
		d.info.MaxBlock = 4096
		starts = append(starts, len(file)-len(d.rest))
		if _, err := d.Next(); err != nil {
			break
		}
	}
	if len(starts) != 5 || starts[4] != len(file) {
		t.Fatalf("frames begin at %v", starts)
	}
	unknown := func(d []byte) []byte { d[21] &^= 15; clear(d[22:26]); return d }
	moved := func(d []byte) []byte { return append(unknown(d)[:starts[0]:starts[0]], d[starts[2]:]...) }
	for _, c := range []struct {
		name   string
		change func([]byte) []byte
		want   int64
	}{
		{"behind two frames", func(d []byte) []byte { return d[:starts[2]] }, 2 * 4096},
		{"within the third", func(d []byte) []byte { return d[:starts[2]+100] }, 2 * 4096},
		{"within its header", func(d []byte) []byte { return d[:starts[2]+3] }, 2 * 4096},
		{"before its last byte", func(d []byte) []byte { return d[:starts[3]-1] }, 2 * 4096},
		{"before the last byte of all", func(d []byte) []byte { return d[:len(d)-1] }, 3 * 4096},
		{"not at all", func(d []byte) []byte { return d }, frames},
		{"not at all, with tags behind it", func(d []byte) []byte { return append(d, "APETAGEX\xFF\xF8\xC9\x18\x02"...) }, frames},
		{"not at all, of a stream", unknown, frames},
		{"within the third, of a stream", func(d []byte) []byte { return unknown(d)[:starts[2]+100] }, 2 * 4096},
		{"a stream that begins late", moved, frames - 2*4096},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := c.change(slices.Clone(file))
			info, err := config(d)
			if err != nil || info.Frames != c.want {
				t.Errorf("got %d frames and %v, want %d", info.Frames, err, c.want)
			}
			if n, err := read(d, nil); err != nil || n != c.want {
				t.Errorf("%d frames were read, and %v, want %d", n, err, c.want)
			}
		})
	}
	if _, err := read(append(slices.Clone(file)[:starts[1]], file[starts[2]:]...), nil); err == nil {
		t.Error("a frame that is missing is no error")
	}
}

// FuzzFLAC decodes anything, and, where it is sound, writes and reads it again.
func FuzzFLAC(f *testing.F) {
	for _, file := range seeds(f, 100) {
		f.Add(file, true)
	}
	f.Add([]byte("fLaC"), false)
	f.Fuzz(func(t *testing.T, file []byte, fix bool) {
		if info, err := config(file); err == nil && (info.Frames == 0 || info.Frames < -1) {
			t.Fatalf("%d frames", info.Frames)
		}
		d, err := NewDecoder(file)
		if err != nil {
			return
		}
		if fix {
			file = slices.Clone(file)
			_, rest, _ := readHead(file)
			seal(file, []int{len(file) - len(rest)})
			if d, err = NewDecoder(file); err != nil {
				return
			}
		}
		info := d.Info()
		depth := info.Depth
		total := 0
		for total < 1<<17 {
			planes, err := d.Next()
			if err != nil {
				if err != io.EOF && bytes.Contains([]byte(err.Error()), []byte("runtime")) {
					t.Fatal(err)
				}
				return
			}
			if len(planes) != info.Channels || len(planes[0]) == 0 || len(planes[0]) > info.MaxBlock {
				t.Fatalf("%d channels of %d samples", len(planes), len(planes[0]))
			}
			total += len(planes) * len(planes[0])
			for _, p := range planes {
				for i := range p {
					// Frames with checksums made right may hold samples that do not fit.
					p[i] = p[i] << (32 - depth) >> (32 - depth)
				}
			}
			again := encodeAll(t, Info{Rate: info.Rate, Channels: info.Channels, Depth: depth, Frames: -1}, planes, Options{Effort: 10})
			_, got, err := decodeAll(again)
			if err != nil {
				t.Fatal(err)
			}
			if s := difference(got, planes); s != "" {
				t.Fatal(s)
			}
		}
	})
}
