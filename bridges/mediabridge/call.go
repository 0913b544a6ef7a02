package mediabridge

import (
	"context"
	"errors"
	"fmt"

	"quicksand/bridges"
	"quicksand/bridges/assets"
	"quicksand/media"
	"quicksand/media/image"
)

// A call is one call of a function that works with pictures. What it takes of the budget it
// gives back at its end, but for what it has put into handles.
type call struct {
	*bridges.Call
	ctx   context.Context
	op    string
	store *media.Store

	taken int64     // of the budget
	held  []*pixels // references
	fed   int64     // bytes of inputs
}

// operation makes a bridge's function of one that gets a call.
func operation(f func(k *call) (any, error)) func(context.Context, *bridges.Call) (any, error) {
	return func(ctx context.Context, c *bridges.Call) (any, error) {
		store, err := storeOf(c.Session)
		if err != nil {
			return nil, err
		}
		k := &call{Call: c, ctx: ctx, op: c.Op(), store: store}
		defer k.close()
		v, err := f(k)
		if err != nil {
			return nil, failure(k.op, err)
		}
		return v, nil
	}
}

func (k *call) close() {
	for _, px := range k.held {
		px.release()
	}
	k.store.Budget.Release(k.taken)
}

// Reserve and Release make a call a budget for pictures.
func (k *call) Reserve(n int64) error {
	if err := k.store.Reserve(n); err != nil {
		return err
	}
	k.taken += n
	return nil
}

// Release gives n bytes back.
func (k *call) Release(n int64) {
	k.taken -= n
	k.store.Budget.Release(n)
}

// wrong is a TypeError of the call.
func (k *call) wrong(format string, args ...any) error {
	return bridges.TypeErrorf(k.op, format, args...)
}

// A source is a picture among the arguments.
type source struct {
	pic *image.Picture
	px  *pixels // of a handle, or nil
	k   *call
}

// An input is what a guest gives for a picture: a handle, or a file.
type input struct {
	item *media.Item // or nil
	data []byte
	mime string // what is known of data, or ""
}

// input reads an argument. where stands in front of errors: "layer 2: " or nothing.
func (k *call) input(v bridges.Value, where string) (*input, error) {
	if id, ok := bridges.HandleID(v); ok {
		i, err := k.store.Get(id, media.Image)
		if err != nil {
			return nil, err
		}
		return &input{item: i}, nil
	}
	in := &input{}
	file, isRaw, err := k.raw(v)
	if err != nil {
		return nil, err
	}
	var isBytes bool
	switch in.data, isBytes = bridges.AsBytes(v); {
	case isBytes:
	case isRaw:
		in.data, in.mime = file, image.PNG.MIME()
	case assets.IsRef(v):
		name, most := encodedLimit.Name, int64(image.MaxEncoded)
		if left := k.store.Budget.Limit() - k.fed; left < most {
			name, most = media.LimitName, left
		}
		if in.data, in.mime, err = assets.Load(k.ctx, k.Session, k.op, v, string(media.Image), name, most); err != nil {
			return nil, err
		}
	default:
		if n, ok := v.Field("length").Int(); ok && n > image.MaxEncoded {
			return nil, k.tooLarge(where, n)
		}
		return nil, k.wrong("%sbytes must be a Uint8Array of encoded image bytes, or pass a handle or a reference", where)
	}
	if n := int64(len(in.data)); n > image.MaxEncoded && k.fed+n <= k.store.Budget.Limit() {
		return nil, k.tooLarge(where, n)
	}
	return in, k.feed(len(in.data), where, media.Image)
}

// feed counts a file of n bytes among the inputs, and takes memory for it.
func (k *call) feed(n int, where string, kind media.Kind) error {
	k.fed += int64(n)
	switch limit := k.store.Budget.Limit(); {
	case k.fed > limit:
		return bridges.Limitf(k.op, media.LimitName, limit, k.fed, "aggregate media input exceeds the %d byte run media limit", limit)
	case n == 0:
		return k.wrong("%s%s bytes are empty", where, kind)
	}
	return k.Reserve(int64(n))
}

// tooLarge refuses a file of n bytes.
func (k *call) tooLarge(where string, n int64) error {
	return bridges.Limitf(k.op, encodedLimit.Name, image.MaxEncoded, n, "%simage of %d bytes exceeds the %d byte limit", where, n, image.MaxEncoded)
}

// open opens a picture among the arguments: of a file the header is read.
func (k *call) open(v bridges.Value, where string) (*source, error) {
	in, err := k.input(v, where)
	if err != nil {
		return nil, err
	}
	if in.item != nil {
		c, ok := in.item.Content.(*content)
		if ok {
			px, ok := c.use()
			if !ok {
				return nil, &media.HandleError{ID: in.item.ID}
			}
			k.held = append(k.held, px)
			return &source{pic: px.pic, px: px, k: k}, nil
		}
		// A medium that exists as a file alone.
		if in.data, err = in.item.Content.Bytes(k.ctx); err != nil {
			return nil, err
		}
	}
	pic, err := image.Open(in.data, k)
	if err != nil {
		var size *image.SizeError
		switch err = failure(k.op, err); {
		case where == "":
		case errors.As(err, &size):
			err = sizeError(k.op, where, size)
		default:
			var be *bridges.Error
			if errors.As(err, &be) {
				be.Message = where + be.Message
			}
		}
		return nil, err
	}
	return &source{pic: pic, k: k}, nil
}

func (s *source) width() int  { return s.pic.Info.Width }
func (s *source) height() int { return s.pic.Info.Height }

// surface is the picture's surface, which must not be changed.
func (s *source) surface() (*image.Surface, error) {
	if s.px != nil {
		return s.px.surface(s.k.ctx)
	}
	return s.pic.Surface(s.k.ctx)
}

// derive makes a picture of another, which may need its surface.
func (s *source) derive(f func(p *image.Picture) (*image.Picture, error)) (out *image.Picture, err error) {
	make := func() (err error) { out, err = f(s.pic); return err }
	if s.px != nil {
		err = s.px.counted(make)
	} else {
		err = make()
	}
	return out, err
}

// own is a surface that the call may change, and has taken memory for.
func (s *source) own() (*image.Surface, error) {
	if s.px == nil {
		return s.pic.Surface(s.k.ctx) // nobody else has it
	}
	p, err := s.surface()
	if err != nil {
		return nil, err
	}
	if err := s.k.Reserve(int64(len(p.Pix))); err != nil {
		return nil, err
	}
	return p.Clone(), nil
}

// drop gives the pixels of a file back before the end of the call.
func (s *source) drop() {
	if s.px == nil {
		s.pic.Drop()
	}
}

// blank is a new surface, for which memory was taken.
func (k *call) blank(width, height int) (*image.Surface, error) {
	if err := k.room(width, height); err != nil {
		return nil, err
	}
	return image.New(width, height), nil
}

// room takes memory for a surface.
func (k *call) room(width, height int) error {
	if err := checkSize(k.op, width, height); err != nil {
		return err
	}
	return k.Reserve(bytesOf(width, height))
}

// mint makes a handle of a surface that the call has taken memory for and nobody else has.
func (k *call) mint(s *image.Surface, o output) (*handle, error) {
	if c, ok := o.under(); ok && !s.Opaque() {
		image.Fill(s, c, image.DestinationOver)
	}
	return k.keep(&pixels{pic: image.FromSurface(s), reserved: bytesOf(s.Width, s.Height)}, o)
}

// mintPicture makes a handle of what came of a picture, as luma and chroma where it is such.
// The call has taken memory for a surface.
func (k *call) mintPicture(p *image.Picture, o output) (*handle, error) {
	if !p.Info.Alpha && !p.Decoded() {
		// Chroma may be as large as luma.
		whole, planes := bytesOf(p.Info.Width, p.Info.Height), 3*int64(p.Info.Width)*int64(p.Info.Height)
		k.Release(whole - planes)
		return k.keep(&pixels{pic: p, reserved: planes, planar: true}, o)
	}
	s, err := p.Surface(k.ctx)
	if err != nil {
		return nil, err
	}
	return k.mint(s, o)
}

// keep makes a handle of pixels, whose memory now belongs to them.
func (k *call) keep(px *pixels, o output) (*handle, error) {
	k.taken -= px.reserved
	px.store, px.refs = k.store, 1
	return k.add(px, o)
}

// share makes a handle of a picture as it is.
func (k *call) share(src *source, o output) (*handle, error) {
	if src.px == nil {
		s, err := src.surface()
		if err != nil {
			return nil, err
		}
		return k.mint(s, o)
	}
	src.px.mu.Lock()
	planar := src.px.planar
	src.px.mu.Unlock()
	if _, paints := o.under(); paints && !planar {
		s, err := src.surface()
		if err != nil {
			return nil, err
		}
		if !s.Opaque() {
			if s, err = src.own(); err != nil {
				return nil, err
			}
			return k.mint(s, o)
		}
	}
	src.px.retain() // the call has a reference, so there is one
	return k.add(src.px, o)
}

// add puts a picture into the store.
func (k *call) add(px *pixels, o output) (*handle, error) {
	c := newContent(px, o)
	i, err := k.store.Add(media.Image, px.pic.Info.Width, px.pic.Info.Height, c)
	if err != nil {
		return nil, k.notKept(err)
	}
	return &handle{i}, nil
}

// notKept is the error of a store that takes no more.
func (k *call) notKept(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return bridges.Limitf(k.op, itemLimit.Name, media.MaxItems, media.MaxItems+1, "a run can hold at most %d media at one time: release handles that are no longer needed", media.MaxItems)
}

// result counts n bytes of the result, which the call has taken, until the guest has it.
func (k *call) result(n int64) {
	k.taken -= n
	k.WhenSettled(func() { k.store.Budget.Release(n) })
}

// A handle is what the guest's half makes a handle of.
type handle struct{ item *media.Item }

// reply is the handle for the guest's half.
func (h *handle) reply() []any {
	i := h.item
	return []any{i.ID, string(i.Kind), i.Content.MIME(), i.Width, i.Height}
}

// making is operation for a function that returns a handle.
func making(f func(k *call) (*handle, error)) func(context.Context, *bridges.Call) (any, error) {
	return operation(func(k *call) (any, error) {
		h, err := f(k)
		if err != nil {
			return nil, err
		}
		return h.reply(), nil
	})
}

// layerName is how errors call an element of an array.
func layerName(what string, i int) string { return fmt.Sprintf("%s %d: ", what, i) }
