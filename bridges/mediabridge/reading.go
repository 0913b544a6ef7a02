package mediabridge

import (
	"context"
	"fmt"
	"time"

	"quicksand/bridges"
	"quicksand/bridges/assets"
	"quicksand/internal/marshal"
	"quicksand/media"
	"quicksand/media/image"
)

// object is an object for a guest, of keys and values.
func object(pairs ...any) *marshal.Object {
	o := &marshal.Object{}
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

// encoded is a picture's file, and what is known of its type.
func (k *call) encoded(v bridges.Value) (data []byte, mime string, err error) {
	in, err := k.input(v, "")
	if err != nil {
		return nil, "", err
	}
	return in.encoded(k.ctx)
}

// encoded is the file itself, and what is known of its type.
func (in *input) encoded(ctx context.Context) (data []byte, mime string, err error) {
	if in.item == nil {
		return in.data, in.mime, nil
	}
	data, err = in.item.Content.Bytes(ctx)
	return data, in.item.Content.MIME(), err
}

func imageBytes(k *call) (any, error) {
	data, _, err := k.encoded(k.Arg(0))
	if err != nil {
		return nil, err
	}
	return k.give(data)
}

// give makes bytes the result of the call, which count until the guest has them.
func (k *call) give(data []byte) (any, error) {
	n := int64(len(data))
	if err := k.fits(n); err != nil {
		return nil, err
	}
	if err := k.Reserve(n); err != nil {
		return nil, failure(k.op, err)
	}
	k.result(n)
	return data, nil
}

// fits refuses a result which a guest has no room for.
func (k *call) fits(n int64) error {
	if most := k.Session.Memory(); n > most {
		return bridges.Limitf(k.op, "Memory", most, n, "the result of %d bytes is larger than the guest's memory of %d", n, most)
	}
	return nil
}

func imageToAsset(k *call) (any, error) {
	data, mime, err := k.encoded(k.Arg(0))
	if err != nil {
		return nil, err
	}
	return assets.Save(k.ctx, k.Session, k.op, string(media.Image), mime, data, k.Options(1))
}

func imageInfo(k *call) (any, error) {
	in, err := k.input(k.Arg(0), "")
	if err != nil {
		return nil, err
	}
	data := in.data
	if in.item != nil {
		if data, err = in.item.Content.Bytes(k.ctx); err != nil {
			return nil, err
		}
	}
	pic, err := image.Open(data, nil)
	if err != nil {
		return nil, err
	}
	i := pic.Info
	var profile any
	if i.Profile != "" {
		profile = i.Profile
	}
	o := object("width", i.Width, "height", i.Height, "format", string(i.Format), "byteLength", len(data),
		"orientation", max(i.Orientation, 1), "frames", i.Frames, "hasAlpha", i.Alpha, "depth", i.Depth, "profile", profile)
	if i.Frames > 1 {
		o.Set("duration", float64(i.Duration)/float64(time.Millisecond))
		o.Set("plays", i.Plays)
	}
	return o, nil
}

func imageDecode(k *call) (any, error) {
	src, err := k.open(k.Arg(0), "")
	if err != nil {
		return nil, err
	}
	if n := int64(src.width()) * int64(src.height()); n > maxDecoded {
		return nil, bridges.Limitf(k.op, decodedLimit.Name, maxDecoded, n, "%d×%d is %d pixels, over the limit of %d: resize it first", src.width(), src.height(), n, maxDecoded)
	}
	if err := k.fits(bytesOf(src.width(), src.height())); err != nil {
		return nil, err
	}
	s, err := src.surface()
	if err != nil {
		return nil, err
	}
	if err := k.Reserve(int64(len(s.Pix))); err != nil {
		return nil, err
	}
	pix := make([]byte, len(s.Pix))
	k.result(int64(len(pix)))
	s.Straight(pix)
	return object("width", s.Width, "height", s.Height, "pixels", pix), nil
}

func imageStats(k *call) (any, error) {
	src, err := k.open(k.Arg(0), "")
	if err != nil {
		return nil, err
	}
	s, err := src.surface()
	if err != nil {
		return nil, err
	}
	st, err := image.Measure(k.ctx, s)
	if err != nil {
		return nil, err
	}
	histogram := truthy(k.Options(1).Field("histogram"))
	channels := object()
	for i, name := range []string{"r", "g", "b", "a"} {
		c := &st.Channels[i]
		ch := object("mean", c.Mean, "min", int(c.Min), "max", int(c.Max))
		if histogram {
			counts := make([]float64, len(c.Histogram))
			for v, n := range c.Histogram {
				counts[v] = float64(n)
			}
			list := make([]any, len(counts))
			for v, n := range counts {
				list[v] = n
			}
			ch.Set("histogram", list)
		}
		channels.Set(name, ch)
	}
	return object("width", st.Width, "height", st.Height, "pixels", st.Pixels, "luminance", st.Luminance, "opaque", st.Opaque, "channels", channels), nil
}

func imageFrames(k *call) (any, error) {
	o := k.Options(1)
	out, err := k.output(o)
	if err != nil {
		return nil, err
	}
	first, err := k.between(o, "first", 0, 0, 1e6)
	if err != nil {
		return nil, err
	}
	count, err := k.between(o, "count", 1e6, 1, 1e6)
	if err != nil {
		return nil, err
	}
	src, err := k.open(k.Arg(0), "")
	if err != nil {
		return nil, err
	}
	from, to := round(first), min(src.pic.Info.Frames, round(first)+round(count))
	if from >= src.pic.Info.Frames {
		return nil, k.wrong("first is %d, and the picture has %d frames", from, src.pic.Info.Frames)
	}
	if n := to - from; n > maxFrames {
		return nil, bridges.Limitf(k.op, frameLimit.Name, maxFrames, int64(n), "%d frames are more than %d in one call: pass first and count", n, maxFrames)
	}
	var made []*handle
	list := []any{}
	add := func(n int, s *image.Surface, delay time.Duration) error {
		switch {
		case n < from:
			return k.ctx.Err()
		case n >= to:
			return errEnough
		}
		if err := k.room(s.Width, s.Height); err != nil {
			return err
		}
		h, err := k.mint(s.Clone(), out)
		if err != nil {
			return err
		}
		made = append(made, h)
		list = append(list, append(h.reply(), float64(delay)/float64(time.Millisecond)))
		return nil
	}
	if src.px != nil {
		s, serr := src.surface()
		if serr != nil {
			return nil, serr
		}
		err = add(0, s, 0)
	} else {
		err = src.pic.Frames(k.ctx, add)
	}
	if err != nil && err != errEnough {
		for _, h := range made {
			k.store.Release(h.item.ID)
		}
		return nil, err
	}
	return list, nil
}

// errEnough ends the decoding of frames.
var errEnough = fmt.Errorf("mediabridge: no more frames are wanted")

func imageRelease(k *call) (any, error) {
	id, ok := bridges.HandleID(k.Arg(0))
	if !ok {
		return nil, k.wrong("pass a handle")
	}
	if _, err := k.store.Get(id, media.Image); err != nil {
		if e, wrong := err.(*media.HandleError); wrong && e.Is != "" {
			return nil, err
		}
	}
	return k.store.Release(id), nil
}

// mediaSize is the byteLength of a handle, which is encoded for it. Who reads it may be
// copying the handle.
func mediaSize(ctx context.Context, c *bridges.Call) (any, error) {
	store, err := storeOf(c.Session)
	if err != nil {
		return nil, err
	}
	i, err := store.Get(c.Str(0), "")
	if err != nil {
		return nil, failure("byteLength", err)
	}
	store.Keep(i.ID)
	if t, ok := i.Content.(*track); ok {
		n, err := t.size(ctx)
		if err != nil {
			return nil, failure("byteLength", err)
		}
		return n, nil
	}
	data, err := i.Content.Bytes(ctx)
	if err != nil {
		return nil, failure("byteLength", err)
	}
	return len(data), nil
}

func mediaLost(_ context.Context, c *bridges.Call) (any, error) {
	store, err := storeOf(c.Session)
	if err != nil {
		return nil, err
	}
	store.Lose(c.Str(0))
	return bridges.Undefined, nil
}
