package mediabridge

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"quicksand/bridges"
	"quicksand/internal/marshal"
	"quicksand/media"
	"quicksand/media/image"
)

// world is a run without a guest.
type world struct {
	session *bridges.Session
	store   *media.Store
}

func newWorld(t testing.TB, o bridges.SessionOptions) *world {
	t.Helper()
	s := bridges.NewSession(o)
	t.Cleanup(func() { s.Close() })
	store, err := storeOf(s)
	if err != nil {
		t.Fatal(err)
	}
	return &world{s, store}
}

func (w *world) call(t testing.TB, name string, args ...any) (any, error) {
	t.Helper()
	v, err := marshal.NewValue(args, marshal.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range Image.Funcs {
		f := &Image.Funcs[i]
		if f.Name != name {
			continue
		}
		c, err := bridges.Unpack(w.session, Image, f, v)
		if err != nil {
			return nil, err
		}
		defer c.Settled()
		return f.Call(context.Background(), c)
	}
	t.Fatalf("there is no %s", name)
	return nil, nil
}

// made is the handle that a call made.
func (w *world) made(t testing.TB, name string, args ...any) map[string]any {
	t.Helper()
	v, err := w.call(t, name, args...)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return map[string]any{bridges.HandleMark: v.([]any)[0]}
}

// hostile are values that no function of ours expects.
var hostile = []any{
	nil, marshal.Undefined, true, math.NaN(), math.Inf(-1), -1, 1e300, "", "x", "sandbox://media/m1", "sandbox://media/", strings.Repeat("y", 5000),
	[]any{}, []any{nil}, []any{[]any{[]any{}}}, []byte{}, []byte{0x89, 'P', 'N', 'G'}, []byte("GIF89a\xff\xff\xff\xff"),
	map[string]any{}, map[string]any{bridges.HandleMark: "m999"}, map[string]any{bridges.HandleMark: 5}, map[string]any{bridges.HandleMark: ""},
	map[string]any{"uri": ""}, map[string]any{"data": nil}, map[string]any{"data": []byte{1}}, map[string]any{"image": map[string]any{}}, map[string]any{"length": 3},
	map[string]any{"width": math.Inf(1), "height": -5, "format": 7, "quality": "x", "background": []any{}, "columns": -1, "gap": 1e308, "level": 1e9, "sigma": math.NaN(), "x": 1e308, "blur": 1e308, "all": 1e308, "delay": -1},
	map[string]any{"width": 1e300}, map[string]any{"top": 1e300}, map[string]any{"gap": 1e300}, map[string]any{"x": -1e300, "width": 1e300}, map[string]any{"first": 1e300, "count": 1e300},
}

func TestHostileArguments(t *testing.T) {
	w := newWorld(t, bridges.SessionOptions{RunMedia: 64 << 20})
	good := w.made(t, "image.blank", 3, 2)
	check := func(name string, args ...any) {
		t.Helper()
		defer func() {
			if p := recover(); p != nil {
				t.Errorf("%s(%v): panic %v", name, args, p)
			}
		}()
		if _, err := w.call(t, name, args...); err != nil {
			var e *bridges.Error
			switch {
			case !errors.As(err, &e):
				t.Errorf("%s(%v): the error is a %T: %v", name, args, err, err)
			case e.Kind == bridges.KindInternal:
				t.Errorf("%s(%v): %v (%v)", name, args, err, e.Err)
			case len(e.Message) > 1000 || !strings.HasPrefix(e.Error(), name+": ") && e.Code != bridges.CodeNotGranted:
				t.Errorf("%s: got %q", name, e.Error())
			}
		}
	}
	for i := range Image.Funcs {
		f := &Image.Funcs[i]
		if f.Internal() || f.Name == "image.release" {
			continue
		}
		for _, a := range hostile {
			check(f.Name, a)
			check(f.Name, good, a)
			check(f.Name, []any{good}, a)
			check(f.Name, good, good, a)
			check(f.Name, good, []any{map[string]any{"image": good}, a})
			check(f.Name, good, []any{map[string]any{"image": a}})
			check(f.Name, a, a, a)
			check(f.Name, []any{good, a})
			check(f.Name, 2, 2, a)
		}
	}
	if used := w.store.Budget.Used(); used > 64<<20 {
		t.Errorf("%d bytes are used", used)
	}
	w.session.Close()
	if used := w.store.Budget.Used(); used != 0 {
		t.Errorf("after the end of the run %d bytes are used", used)
	}
}

func TestCallsGiveBackWhatTheyTook(t *testing.T) {
	w := newWorld(t, bridges.SessionOptions{})
	base := w.made(t, "image.blank", 40, 30, map[string]any{"color": "tomato"})
	v, err := w.call(t, "image.bytes", base)
	if err != nil {
		t.Fatal(err)
	}
	png := v.([]byte)
	v, err = w.call(t, "image.bytes", w.made(t, "image.convert", base, map[string]any{"format": "jpeg"}))
	if err != nil {
		t.Fatal(err)
	}
	jpeg := v.([]byte)
	rows := []struct {
		name string
		args []any // after the picture
	}{
		{"image.bytes", nil}, {"image.info", nil}, {"image.decode", nil}, {"image.stats", nil}, {"image.pad", []any{map[string]any{"all": 2}}}, {"image.pad", nil},
		{"image.resize", []any{map[string]any{"width": 20}}}, {"image.resize", []any{map[string]any{"width": 20, "format": "jpeg"}}}, {"image.resize", []any{map[string]any{"width": 20, "height": 20}}},
		{"image.resize", []any{map[string]any{"width": 20, "linear": true}}}, {"image.resize", []any{map[string]any{"width": 20, "fit": "no"}}},
		{"image.crop", []any{map[string]any{"x": 3, "width": 9}}}, {"image.crop", []any{map[string]any{"x": 300}}}, {"image.trim", nil}, {"image.rotate", []any{90}}, {"image.rotate", []any{33}},
		{"image.flip", nil}, {"image.adjust", []any{map[string]any{"blur": 2}}}, {"image.sharpen", nil}, {"image.threshold", nil}, {"image.mask", []any{base}}, {"image.mask", []any{5}},
		{"image.composite", []any{[]any{map[string]any{"image": base, "width": 7}}}}, {"image.composite", []any{[]any{map[string]any{"image": png}, map[string]any{"image": 5}}}},
		{"image.convert", nil}, {"image.convert", []any{map[string]any{"format": "jpeg"}}}, {"image.convert", []any{map[string]any{"background": "blue"}}}, {"image.frames", nil},
	}
	before, items := w.store.Budget.Used(), w.store.Len()
	for _, row := range rows {
		for what, input := range map[string]any{"a handle": base, "a PNG": png, "a JPEG": jpeg} {
			v, _ := w.call(t, row.name, append([]any{input}, row.args...)...)
			for _, id := range made(v) {
				i, err := w.store.Get(id, media.Image)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := i.Content.Bytes(context.Background()); err != nil {
					t.Errorf("%s of %s: %v", row.name, what, err)
				}
				w.store.Release(id)
			}
			// The base may have been decoded or encoded meanwhile, but not more than once.
			if used := w.store.Budget.Used(); used != before || w.store.Len() != items {
				t.Fatalf("%s%v of %s: %d bytes and %d media more", row.name, row.args, what, used-before, w.store.Len()-items)
			}
		}
	}
}

// made are the ids in the reply of a call.
func made(v any) (ids []string) {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return nil
	}
	if id, ok := list[0].(string); ok {
		return []string{id}
	}
	for _, e := range list {
		ids = append(ids, made(e)...)
	}
	return ids
}

func TestAHandleIsOneTooMany(t *testing.T) {
	w := newWorld(t, bridges.SessionOptions{})
	for range media.MaxItems - 1 {
		c, err := media.NewEncoded("image/png", nil, w.store.Budget)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.store.Add(media.Image, 1, 1, c); err != nil {
			t.Fatal(err)
		}
	}
	w.made(t, "image.blank", 1, 1)
	used := w.store.Budget.Used()
	_, err := w.call(t, "image.blank", 1, 1)
	var e *bridges.Error
	if !errors.As(err, &e) || e.Limit != "MediaItems" || e.Value != media.MaxItems || e.Used != media.MaxItems+1 {
		t.Errorf("got %v", err)
	}
	if w.store.Budget.Used() != used {
		t.Errorf("%d bytes more are used", w.store.Budget.Used()-used)
	}
	w.store.Lose("m5")
	w.made(t, "image.blank", 1, 1)
}

func TestPixelsThatAreReleasedWhileSomebodyWorksWithThem(t *testing.T) {
	w := newWorld(t, bridges.SessionOptions{})
	h := w.made(t, "image.blank", 100, 100)
	id := h[bridges.HandleMark].(string)
	i, err := w.store.Get(id, media.Image)
	if err != nil {
		t.Fatal(err)
	}
	c := i.Content.(*content)
	px, ok := c.use()
	if !ok {
		t.Fatal("the pixels are gone")
	}
	w.store.Release(id)
	if used := w.store.Budget.Used(); used != 40_000 {
		t.Errorf("%d bytes are used while the pixels are", used)
	}
	if s, err := px.surface(context.Background()); err != nil || s.Width != 100 {
		t.Errorf("got %v, %v", s, err)
	}
	px.release()
	if used := w.store.Budget.Used(); used != 0 {
		t.Errorf("%d bytes are used", used)
	}
	if _, ok := c.use(); ok {
		t.Error("pixels were used after the last reference")
	}
	if _, err := c.Bytes(context.Background()); err == nil {
		t.Error("a released picture was encoded")
	}
}

// image.frames gives at most maxFrames in one call; the others are asked for with first.
func TestFramesOfOneCall(t *testing.T) {
	frames := make([]image.Frame, maxFrames+1)
	for i := range frames {
		s := image.New(1, 1)
		s.Pix[0], s.Pix[3] = byte(i), 255
		frames[i] = image.Frame{Surface: s, Delay: 20 * time.Millisecond}
	}
	data, err := image.EncodeAnimation(context.Background(), image.GIF, frames, image.AnimationOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, bridges.SessionOptions{})
	var e *bridges.Error
	if _, err := w.call(t, "image.frames", data); !errors.As(err, &e) || e.Kind != bridges.KindLimit || e.Limit != "ImageFrames" || e.Value != maxFrames || e.Used != maxFrames+1 {
		t.Errorf("%d frames: got %v", len(frames), err)
	}
	if w.store.Len() != 0 {
		t.Errorf("%d pictures are left", w.store.Len())
	}
	rest, err := w.call(t, "image.frames", data, map[string]any{"first": maxFrames})
	if err != nil || len(rest.([]any)) != 1 {
		t.Errorf("the last one: got %v, %v", rest, err)
	}
}
