package mediabridge

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"quicksand/bridges"
	"quicksand/internal/marshal"
	"quicksand/media/audio"
)

func (w *world) sound(t testing.TB, name string, args ...any) (any, error) {
	t.Helper()
	v, err := marshal.NewValue(args, marshal.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(Audio.Funcs, func(f bridges.Func) bool { return f.Name == name })
	c, err := bridges.Unpack(w.session, Audio, &Audio.Funcs[i], v)
	if err != nil {
		return nil, err
	}
	defer c.Settled()
	return Audio.Funcs[i].Call(context.Background(), c)
}

// hostileSounds are values that no function of sounds expects.
var hostileSounds = []any{
	[]byte("RIFF\xff\xff\xff\xffWAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x01\x00\x00\x00\x02\x00\x00\x00\x02\x00\x10\x00data\xff\xff\xff\xff\x00\x80"), // a file of one frame at 1 Hz
	[]byte("RIFF\x00\x00\x00\x00WAVE"), []byte("fLaC\x00\x00\x00\x22"), []byte("OggS\x00\x02"), []byte("\xff\xfb\x90\x00"), []byte("FORM\x00\x00\x00\x00AIFF"),
	map[string]any{"audio": map[string]any{}}, map[string]any{"audio": nil, "gain": math.NaN()}, map[string]any{"start": 1e300, "end": -1e300}, map[string]any{"start": -1e300, "end": 1e300},
	map[string]any{"start": 86400, "end": 86400}, map[string]any{"duration": 86400, "channels": 8, "rate": 768000}, map[string]any{"duration": 1e-300, "rate": 1},
	map[string]any{"db": 200, "factor": 0.1, "rate": 768000, "loops": 100, "buckets": 100000, "size": 65536}, map[string]any{"db": -200, "factor": 10, "rate": 1, "loops": 1, "buckets": 1, "size": 16},
	map[string]any{"lufs": 0, "peak": 0, "format": "flac", "depth": 32}, map[string]any{"lufs": -70, "peak": -20, "format": "opus", "bitrate": 500}, map[string]any{"factor": 3, "channels": 8, "rate": 7, "format": "opus"},
	map[string]any{"width": 1, "height": 1}, map[string]any{"width": 16384, "height": 1, "channels": "split"}, map[string]any{"mode": "sum", "limit": false, "float": true, "curve": "s-curve", "quality": "fast"},
}

func TestHostileArgumentsForSounds(t *testing.T) {
	const budget = 64 << 20
	w := newWorld(t, bridges.SessionOptions{RunMedia: budget})
	r, err := w.sound(t, "audio.silence", map[string]any{"duration": 0.01, "rate": 8000, "channels": 2})
	if err != nil {
		t.Fatal(err)
	}
	good := map[string]any{bridges.HandleMark: r.([]any)[0]}
	check := func(name string, args ...any) {
		t.Helper()
		defer func() {
			if p := recover(); p != nil {
				t.Errorf("%s(%v): panic %v", name, args, p)
			}
		}()
		v, err := w.sound(t, name, args...)
		if err != nil {
			var e *bridges.Error
			switch {
			case !errors.As(err, &e):
				t.Errorf("%s(%v): the error is a %T: %v", name, args, err, err)
			case e.Kind == bridges.KindInternal:
				t.Errorf("%s(%v): %v (%v)", name, args, err, e.Err)
			case len(e.Message) > 1000 || !strings.HasPrefix(e.Error(), name+": ") && e.Code != bridges.CodeNotGranted:
				t.Errorf("%s(%v): got %q", name, args, e.Error())
			}
			return
		}
		if list, ok := v.([]any); ok && len(list) > 1 {
			if id, ok := list[0].(string); ok {
				// What was made can be written, or says why not.
				i, err := w.store.Get(id, "")
				if err != nil {
					t.Fatal(err)
				}
				var e *bridges.Error
				if _, err := i.Content.Bytes(context.Background()); err != nil && (!errors.As(failure(name, err), &e) || e.Kind == bridges.KindInternal) {
					t.Errorf("%s(%v): its bytes: %v", name, args, err)
				}
				w.store.Release(id)
			}
		}
	}
	for i := range Audio.Funcs {
		f := &Audio.Funcs[i]
		if f.Name == "audio.release" {
			continue
		}
		for _, a := range append(slices.Clone(hostile), hostileSounds...) {
			check(f.Name, a)
			check(f.Name, good, a)
			check(f.Name, []any{good}, a)
			check(f.Name, []any{good, a})
			check(f.Name, []any{map[string]any{"audio": good}, a}, a)
			check(f.Name, a, a, a)
		}
	}
	if used := w.store.Budget.Used(); used > budget {
		t.Errorf("%d bytes are used", used)
	}
	w.session.Close()
	if used := w.store.Budget.Used(); used != 0 {
		t.Errorf("after the end of the run %d bytes are used", used)
	}
}

func TestWhatSoundsHoldOfTheBudget(t *testing.T) {
	w := newWorld(t, bridges.SessionOptions{RunMedia: 64 << 20})
	made := func(name string, args ...any) map[string]any {
		t.Helper()
		v, err := w.sound(t, name, args...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return map[string]any{bridges.HandleMark: v.([]any)[0]}
	}
	used := func(what string, want int64) {
		t.Helper()
		if got := w.store.Budget.Used(); got != want {
			t.Errorf("%s: %d bytes are used, want %d", what, got, want)
		}
	}
	const second = 4 * 44100
	a := made("audio.silence")
	used("a second of silence", second)
	b := made("audio.gain", a, map[string]any{"db": 3})
	c := made("audio.trim", b, map[string]any{"end": 0.5})
	d := made("audio.convert", c, map[string]any{"rate": 48000})
	used("what shares it", second)
	e := made("audio.reverse", d)
	used("half a second at 48 kHz more", second+4*24000)
	v, err := w.sound(t, "audio.bytes", e)
	if err != nil || len(v.([]byte)) != 44+2*24000 {
		t.Fatalf("got %v", err)
	}
	used("and its file", second+4*24000+44+2*24000)
	for _, h := range []map[string]any{a, b, c} {
		if v, err := w.sound(t, "audio.release", h); v != true || err != nil {
			t.Errorf("got %v, %v", v, err)
		}
	}
	used("while one is left that shares it", second+4*24000+44+2*24000)
	w.sound(t, "audio.release", d)
	used("when none is", 4*24000+44+2*24000)
	w.sound(t, "audio.release", e)
	used("at the end", 0)

	file := append([]byte(nil), v.([]byte)...)
	f := made("audio.convert", file, map[string]any{"format": "flac"})
	used("a file that is only converted", int64(len(file)))
	if _, err := w.sound(t, "audio.info", file); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"audio.stats", "audio.loudness", "audio.waveform", "audio.spectrum"} {
		if _, err := w.sound(t, name, f); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	used("after it was measured in blocks", int64(len(file)))
	made("audio.reverse", f)
	made("audio.fadeIn", made("audio.reverse", f))
	used("with its samples, which are read backwards and faded", int64(len(file))+4*24000)
}

// There is no room for the samples of the file, which would be the error if it were decoded.
func TestRepeatRefusesBeforeItDecodes(t *testing.T) {
	w := newWorld(t, bridges.SessionOptions{RunMedia: 150_000})
	long, err := audio.Silence(nil, 50_000, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	file, err := audio.Encode(context.Background(), audio.WAV, long, audio.EncodeOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for loops, want := range map[int]string{
		2: "audio.repeat: the duration in seconds is 100000, over the limit of 86400",
		1: "audio.repeat: decoded audio exceeds the run media limit",
	} {
		_, err := w.sound(t, "audio.repeat", file, map[string]any{"loops": loops})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%d times: got %v, want %s", loops, err, want)
		}
	}
	if used := w.store.Budget.Used(); used != 0 {
		t.Errorf("%d bytes are used", used)
	}
}

func TestFormatsThatGuestsAreTold(t *testing.T) {
	if list := soundFormats(); !slices.Equal(list, []audio.Format{audio.WAV, audio.FLAC, audio.Opus}) {
		t.Errorf("got %v; the documentation of the bridge names wav, flac and opus", list)
	}
}
