package quicksand

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"quicksand/bridges/assets"
	"quicksand/media/audio"
)

// wavOf is a WAV file of 16 bits, of frames in which channel c has f(i, c).
func wavOf(rate, channels, frames int, f func(i, c int) int16) []byte {
	le := binary.LittleEndian
	size := 2 * channels * frames
	b := append(make([]byte, 0, 44+size), "RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00"...)
	le.PutUint32(b[4:], uint32(36+size))
	b = le.AppendUint16(b, uint16(channels))
	b = le.AppendUint32(b, uint32(rate))
	b = le.AppendUint32(b, uint32(2*rate*channels))
	b = le.AppendUint16(b, uint16(2*channels))
	b = le.AppendUint16(b, 16)
	b = le.AppendUint32(append(b, "data"...), uint32(size))
	for i := range frames {
		for c := range channels {
			b = le.AppendUint16(b, uint16(f(i, c)))
		}
	}
	return b
}

// music is a chord with an envelope, so that nothing about it is regular.
func music(rate, channels int, seconds float64) []byte {
	return wavOf(rate, channels, int(seconds*float64(rate)), func(i, c int) int16 {
		t := float64(i) / float64(rate)
		v := 0.0
		for k, hz := range []float64{220, 277.2, 329.6, 440} {
			v += math.Sin(2*math.Pi*hz*t+float64(k*c)) / 4
		}
		return int16(20000 * v * (0.6 + 0.4*math.Sin(2*math.Pi*0.7*t)))
	})
}

func TestASoundThatRepeatsTooOften(t *testing.T) {
	// 0.5 s at 8 kHz is 16 000 bytes of samples, a hundred times 1.6 MB.
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Workspace: files(t, map[string][]byte{"a.wav": music(8000, 1, 0.5)}), Limits: Limits{RunMedia: 1 << 20}}
		_, e := fails(t, s, `await audio.repeat({ uri: "a.wav" }, { loops: 100 })`, o, KindLimit)
		if e.Limit != "RunMedia" || e.Value != 1<<20 || e.Used < 1_600_000 || !strings.Contains(e.Message, "decoded audio exceeds the run media limit") {
			t.Errorf("got %v", e)
		}
		res := must(t, s, `return (await audio.info(await audio.repeat({ uri: "a.wav" }, { loops: 50 }))).duration`, o)
		wantJSON(t, "result", res.Value, `25`)
	})
}

func TestALongFileIsConvertedWithoutLyingDecodedInMemory(t *testing.T) {
	// 20 s of stereo are 7 MB as samples and 3.5 MB in the file.
	file := music(44100, 2, 20)
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Workspace: files(t, map[string][]byte{"a.wav": file}), Limits: Limits{RunMedia: 10 << 20}}
		res := must(t, s, `
const h = await audio.convert({ uri: "a.wav" }, { format: "flac", rate: 22050, channels: 1 });
const before = await audio.info({ uri: "a.wav" });
const part = await audio.trim({ uri: "a.wav" }, { start: 10, end: 11 });
const picture = await media.waveformImage({ uri: "a.wav" }, { width: 100 });
const loud = await audio.loudness({ uri: "a.wav" });
const info = await audio.info(h);
let whole;
try { await audio.reverse({ uri: "a.wav" }); } catch (e) { whole = e.code; }
return [info.duration, info.sample_rate, info.channels, info.codec, before.duration, (await audio.info(part)).duration, picture.width, loud.integrated < -10 && loud.integrated > -25, whole];`, o)
		wantJSON(t, "result", res.Value, `[20,22050,1,"flac",20,1,100,true,"ERR_LIMIT"]`)
	})
}

func TestInputsOfOneCallTogether(t *testing.T) {
	file := music(8000, 1, 40) // 640 KB
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Workspace: files(t, map[string][]byte{"a.wav": file}), Limits: Limits{RunMedia: 1 << 20}}
		must(t, s, `for (let i = 0; i < 5; i++) await audio.info({ uri: "a.wav" });`, o)
		_, e := fails(t, s, `await audio.concat([{ uri: "a.wav" }, { uri: "a.wav" }])`, o, KindLimit)
		if e.Limit != "RunMedia" {
			t.Errorf("got %v", e)
		}
		o = Options{Limits: Limits{RunMedia: 1 << 20}}
		_, e = fails(t, s, `const b = new Uint8Array(600000); await audio.concat([b, b])`, o, KindGuest)
		if !strings.Contains(e.Message, "audio 0: could not decode the audio (unknown)") {
			t.Errorf("got %v", e)
		}
		_, e = fails(t, s, `await audio.info(new Uint8Array(1100000))`, o, KindLimit)
		wantLimit(t, e, "RunMedia", 1<<20, 1100000, 1100000)
		if !strings.Contains(e.Message, "aggregate media input exceeds the 1048576 byte run media limit") {
			t.Errorf("got %v", e)
		}
	})
}

func TestCallsAtOneTimeShareTheRoomForSamples(t *testing.T) {
	file := music(48000, 2, 5) // 0.96 MB, 1.92 MB as samples
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Workspace: files(t, map[string][]byte{"a.wav": file}), Limits: Limits{RunMedia: 16 << 20}}
		res := must(t, s, `
const kept = [];
const results = await Promise.allSettled(Array.from({ length: 24 }, async () => kept.push(await audio.reverse({ uri: "a.wav" }))));
const made = results.filter((r) => r.status === "fulfilled").length;
const codes = new Set(results.filter((r) => r.status === "rejected").map((r) => r.reason.code));
for (const h of kept) await audio.release(h);
// All of the room is there again.
return [made >= 3 && made <= 8, [...codes].join(), (await audio.info(await audio.repeat({ uri: "a.wav" }, { loops: 6 }))).duration];`, o)
		wantJSON(t, "result", res.Value, `[true,"ERR_LIMIT",30]`)
	})
}

func TestSoundsLeaveTheRun(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		var got []Medium
		o := Options{Workspace: files(t, map[string][]byte{"a.wav": music(8000, 1, 0.25)}), OnMedia: func(_ context.Context, m Medium) (any, error) {
			got = append(got, m)
			return map[string]any{"file": m.ID}, nil
		}}
		res := must(t, s, `return { a: await audio.convert({ uri: "a.wav" }, { format: "flac" }) };`, o)
		if len(got) != 1 || got[0].Type != "audio" || got[0].MIME != "audio/flac" || got[0].Width != 0 {
			t.Fatalf("got %+v", got)
		}
		if snd, err := audio.Open(got[0].Data, nil); err != nil || snd.Info().Frames != 2000 {
			t.Errorf("got %v", err)
		}
		if v := res.Value.Field("a").Field("file"); v.String() != "m1" {
			t.Errorf("got %v", res.Value)
		}
	})
}

func TestAChainMovesNoSamplesIntoTheGuest(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Workspace: files(t, map[string][]byte{"a.wav": music(44100, 2, 2)})}
		res := must(t, s, `
let h = { uri: "a.wav" };
for (let i = 0; i < 10; i++) {
  h = await audio.reverse(h);
  h = await audio.gain(h, { db: i % 2 ? 3 : -3 });
  h = await audio.fadeIn(h, { duration: 0.1 });
}
return (await audio.info(h)).duration;`, o)
		wantJSON(t, "result", res.Value, `2`)
		if u := res.Usage; u.BytesIn+u.BytesOut > 30_000 {
			t.Errorf("%d bytes crossed", u.BytesIn+u.BytesOut)
		}
	})
}

func TestADamagedFileIsFoundOutWhenItIsDecoded(t *testing.T) {
	// A codec of this test fails in the middle of a file.
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Workspace: files(t, map[string][]byte{"a.mkv": []byte("\x1A\x45\xDF\xA3 a file")})}
		_, e := fails(t, s, `await audio.convert({ uri: "a.mkv" }); await audio.reverse({ uri: "a.mkv" })`, o, KindGuest)
		if !strings.Contains(e.Message, "audio.reverse: could not decode the audio (mkv): the file is damaged") || strings.Contains(e.Message, "secret") {
			t.Errorf("got %v", e)
		}
		_, e = fails(t, s, `const h = await audio.convert({ uri: "a.mkv" }, { format: "flac" }); h.byteLength`, o, KindGuest)
		if !strings.Contains(e.Message, "byteLength: could not decode the audio (mkv)") {
			t.Errorf("got %v", e)
		}
		// One that panics takes nothing with it.
		o = Options{Workspace: files(t, map[string][]byte{"a.mkv": []byte("\x1A\x45\xDF\xA3 panic")})}
		_, err := s.Run(context.Background(), `await audio.reverse({ uri: "a.mkv" })`, o)
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("got %v", err)
		}
		alive(t, s)
	})
}

// The format of these tests stands in for one that this package has no codec of.
func init() {
	info := audio.Info{Codec: "test", Rate: 8000, Channels: 1, Frames: 80_000}
	audio.Register(audio.Matroska, audio.Decoder{
		Config: func([]byte) (audio.Info, error) { return info, nil },
		Open: func(data []byte) (audio.Reader, error) {
			return &failing{info, strings.Contains(string(data), "panic"), 3}, nil
		},
	})
}

type failing struct {
	info   audio.Info
	panics bool
	left   int
}

func (f *failing) Info() audio.Info { return f.info }

func (f *failing) Read(dst [][]float32) (int, error) {
	if f.left--; f.left > 0 {
		return 100, nil
	}
	if f.panics {
		panic("a secret of the codec")
	}
	return 0, errors.New("a secret of the codec")
}

func TestCancelledWorkOnSoundsLeavesNothingBehind(t *testing.T) {
	long(t, "twelve runs are cancelled at work")
	file := music(44100, 2, 20)
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		must(t, s, "await sleep(1)", Options{})
		before := runtime.NumGoroutine()
		for _, code := range []string{
			`await Promise.all(Array.from({ length: 20 }, async () => { for (;;) await audio.release(await audio.reverse({ uri: "a.wav" })); }))`,
			`const h = await audio.repeat({ uri: "a.wav" }, { loops: 8 }); for (;;) await audio.release(await audio.resample(h, { rate: 44101 }))`,
			`const h = await audio.repeat({ uri: "a.wav" }, { loops: 8 }); for (;;) await audio.loudness(h)`,
			`const h = await audio.repeat({ uri: "a.wav" }, { loops: 8 }); for (;;) { const f = await audio.convert(h, { format: "flac" }); f.byteLength; await audio.release(f); }`,
			`const h = await audio.repeat({ uri: "a.wav" }, { loops: 8 }); for (;;) { const f = await audio.convert(h, { format: "opus" }); await Promise.all([audio.bytes(f), audio.toAsset(f), audio.info(f)]); await audio.release(f); }`,
			`const h = await audio.repeat({ uri: "a.wav" }, { loops: 3 }); for (;;) await audio.release(await audio.mix([h, { audio: h, gain: 6 }], { mode: "sum" }))`,
		} {
			ctx, cancel := context.WithCancel(context.Background())
			o := Options{OnLog: func(_, _ string) { cancel() }, Assets: &assets.Policy{}, Workspace: files(t, map[string][]byte{"a.wav": file})}
			_, err := s.Run(ctx, `(async () => { await sleep(50); console.log("now"); })(); `+code, o)
			cancel()
			if !errors.Is(err, ErrCancelled) {
				t.Errorf("%s: got %v", head(code), err)
			}
		}
		for range 1000 {
			if runtime.NumGoroutine() <= before+2 {
				return
			}
			runtime.Gosched()
			time.Sleep(time.Millisecond)
		}
		t.Errorf("%d goroutines, before %d", runtime.NumGoroutine(), before)
	})
}

func TestASizeOfASoundThatIsNotThereInTime(t *testing.T) {
	file := music(44100, 2, 20)
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Limits: Limits{Timeout: 300 * time.Millisecond}, Workspace: files(t, map[string][]byte{"a.wav": file})}
		inTime(t, o.Limits.Timeout, func() {
			fails(t, s, `const h = await audio.repeat({ uri: "a.wav" }, { loops: 12 }); for (;;) (await audio.convert(h, { format: "flac", depth: 24 })).byteLength;`, o, KindTimeout)
		})
		alive(t, s)
	})
}
