package mediabridge

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strings"
	"sync"

	"quicksand/bridges"
	"quicksand/bridges/assets"
	"quicksand/canvas"
	"quicksand/canvas/geometry"
	"quicksand/canvas/text"
	"quicksand/internal/marshal"
	"quicksand/media"
	"quicksand/media/image"
)

// canvases is what the canvas keeps for a run.
type canvases struct {
	session *bridges.Session
	store   *media.Store
	options *CanvasOptions

	mu       sync.Mutex
	surfaces map[int]*surface
	pictures map[int]*picture
	files    map[uint64]int // numbers of pictures, by a hash of their files
	last     int            // id of a surface or number of a picture
	frozen   map[int]*frozen
	fonts    *text.Fonts // nil: the bundled ones alone
	scratch  *canvas.Context
	unknown  map[string]bool // values that were ignored
}

func openCanvases(s *bridges.Session, grant any) (any, error) {
	store, err := storeOf(s)
	if err != nil {
		return nil, err
	}
	o, _ := grant.(*CanvasOptions)
	if o == nil {
		o = &CanvasOptions{}
	}
	return &canvases{session: s, store: store, options: o, surfaces: make(map[int]*surface), pictures: make(map[int]*picture),
		files: make(map[uint64]int), frozen: make(map[int]*frozen), unknown: make(map[string]bool)}, nil
}

// Close gives up everything.
func (d *canvases) Close() error {
	d.mu.Lock()
	surfaces := d.surfaces
	d.surfaces = make(map[int]*surface)
	d.mu.Unlock()
	for _, s := range surfaces {
		s.mu.Lock()
		s.clear()
		s.mu.Unlock()
	}
	return nil
}

// Reserve and Release make canvases a budget for pictures.
func (d *canvases) Reserve(n int64) error { return d.store.Reserve(n) }

// Release gives n bytes back.
func (d *canvases) Release(n int64) { d.store.Budget.Release(n) }

func (d *canvases) surface(id int) *surface {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.surfaces[id]
}

// A surface is what the host keeps of one that a guest draws on: the recording, and what has
// been drawn of it.
type surface struct {
	of *canvases

	mu            sync.Mutex
	width, height float64 // as the guest has them: they may be of no surface
	opaque        bool
	rec           *canvas.Recording
	definitions   int   // operations of rec that define something, which no guest knows of
	full          error // when there are too many others
	images        []drawn
	ctx           *canvas.Context // nil before something is drawn
	background    *[4]uint8       // of ctx
	ahead         ahead
}

// drawn is a picture, of which a surface holds a reference, and how errors call it.
type drawn struct {
	*picture
	where string
}

// A picture is one that is drawn on surfaces. It does not change.
type picture struct {
	of     *canvases
	number int
	hash   uint64 // of data, where it is among the files
	hashed bool

	// Of canvases.mu.
	refs     int
	reserved int64

	mu      sync.Mutex
	surface *image.Surface // once it is decoded
	px      *pixels        // of a handle, a reference
	data    []byte         // of a file
	ref     bridges.Value  // to be loaded, before it is
	pending bool
}

// add gives a picture a number. It has one reference, and the memory it has reserved.
func (d *canvases) add(p *picture) *picture {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last++
	p.of, p.number, p.refs = d, d.last, 1
	d.pictures[p.number] = p
	if p.hashed {
		d.files[p.hash] = p.number
	}
	return p
}

// find is a picture with another reference.
func (d *canvases) find(number int) *picture {
	d.mu.Lock()
	defer d.mu.Unlock()
	p := d.pictures[number]
	if p != nil {
		p.refs++
	}
	return p
}

func (p *picture) release() {
	d := p.of
	d.mu.Lock()
	p.refs--
	gone, n := p.refs == 0, int64(0)
	if gone {
		n, p.reserved = p.reserved, 0
		delete(d.pictures, p.number)
		if p.hashed && d.files[p.hash] == p.number {
			delete(d.files, p.hash)
		}
	}
	d.mu.Unlock()
	if !gone {
		return
	}
	d.Release(n)
	if p.px != nil {
		p.px.release()
	}
}

// took adds to what a picture has reserved.
func (p *picture) took(n int64) {
	p.of.mu.Lock()
	p.reserved += n
	p.of.mu.Unlock()
}

// decoded is the picture's surface. where is how errors call it.
func (p *picture) decoded(ctx context.Context, where string) (*image.Surface, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.surface != nil:
		return p.surface, nil
	case p.px != nil:
		s, err := p.px.surface(ctx)
		if err == nil {
			p.surface = s
		}
		return s, err
	case p.pending:
		return nil, &bridges.Error{Op: "canvas", Name: "InvalidStateError", Code: codePending,
			Message: where + "a picture that was drawn is not loaded yet: await toImage() first, or draw a handle"}
	}
	var taken ledger = ledger{of: p.of}
	pic, err := image.Open(p.data, &taken)
	if err == nil {
		p.surface, err = pic.Surface(ctx)
	}
	if err != nil {
		p.of.Release(taken.n)
		return nil, placed(where, err)
	}
	p.took(taken.n)
	return p.surface, nil
}

// codePending is the code of the error for a question that needs a reference which is not
// loaded.
const codePending = "ERR_CANVAS_PENDING"

// A ledger is a budget that remembers what was taken.
type ledger struct {
	of *canvases
	n  int64
}

// Reserve implements image.Budget.
func (l *ledger) Reserve(n int64) error {
	if err := l.of.Reserve(n); err != nil {
		return err
	}
	l.n += n
	return nil
}

// Release implements image.Budget.
func (l *ledger) Release(n int64) { l.n -= n; l.of.Release(n) }

// placed puts where in front of an error.
func placed(where string, err error) error {
	var size *image.SizeError
	if errors.As(err, &size) {
		return sizeError("canvas.render", where, size)
	}
	err = failure("canvas.render", err)
	var be *bridges.Error
	if where != "" && errors.As(err, &be) {
		e := *be
		e.Message = where + e.Message
		return &e
	}
	return err
}

// canvasFailure makes the error of a call of what went wrong below.
func canvasFailure(op string, err error) error {
	var limit *canvas.LimitError
	var text *text.LimitError
	var record *canvas.RecordError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &record):
		if record.Err == nil {
			return &bridges.Error{Op: op, Message: record.Error(), Err: err}
		}
		var inner *bridges.Error
		if err = canvasFailure(op, record.Err); !errors.As(err, &inner) {
			return err
		}
		e := *inner
		e.Message = record.Place() + e.Message
		return &e
	case errors.As(err, &limit):
		return overLimit(op, "Canvas"+limit.Name, limit.Limit, limit.Value, limit.Error())
	case errors.As(err, &text):
		return overLimit(op, text.Name, text.Limit, text.Value, text.Error())
	}
	return failure(op, err)
}

func overLimit(op, name string, limit, value int64, message string) error {
	return &bridges.Error{Kind: bridges.KindLimit, Op: op, Name: "RangeError", Code: bridges.CodeLimit, Limit: name, Value: limit, Used: value, Message: message}
}

func newSurface(k *call, d *canvases) (any, error) {
	s := &surface{of: d, width: k.Float(0), height: k.Float(1), opaque: k.Bool(2)}
	s.clear()
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.surfaces) >= maxSurfaces {
		return nil, bridges.Limitf(k.op, canvasSurfaces.Name, maxSurfaces, int64(len(d.surfaces)+1), "a run can have at most %d surfaces at one time", maxSurfaces)
	}
	d.last++
	d.surfaces[d.last] = s
	return d.last, nil
}

// clear gives up what was recorded and drawn.
func (s *surface) clear() {
	s.undraw()
	if s.rec != nil {
		s.rec.Reset()
	}
	for _, p := range s.images {
		p.release()
	}
	s.images = nil
	l := s.of.options.Limits.WithDefaults()
	l.Ops *= 2 // of which flushSurface counts those that are the guest's
	s.rec, s.definitions, s.full = &canvas.Recording{Limits: l, Budget: s.of}, 0, nil
	s.ahead = ahead{}
}

// undraw gives up what was drawn.
func (s *surface) undraw() {
	s.ahead.stop()
	if s.ctx != nil {
		s.ctx.Close()
		s.ctx = nil
	}
}

func resetSurface(k *call, _ *canvases, s *surface) (any, error) {
	s.clear()
	s.width, s.height, s.opaque = k.Float(1), k.Float(2), k.Bool(3)
	return bridges.Undefined, nil
}

func loseSurface(k *call, d *canvases, s *surface) (any, error) {
	s.clear()
	d.mu.Lock()
	delete(d.surfaces, int(k.Float(0)))
	d.mu.Unlock()
	return bridges.Undefined, nil
}

func flushSurface(k *call, _ *canvases, s *surface) (any, error) {
	list := k.Arg(2)
	strings := make([]string, list.Len())
	for i, v := range list.Elements() {
		var ok bool
		if strings[i], ok = v.Str(); !ok {
			return nil, k.wrong("a text is not a string")
		}
	}
	if s.full != nil {
		return nil, s.full
	}
	most, before := s.of.options.Limits.WithDefaults().Ops, s.rec.Len()
	err := s.rec.Append(k.Bytes(1), strings, len(s.images))
	var limit *canvas.LimitError
	if errors.As(err, &limit) && limit.Name == "Ops" {
		err = tooManyOps(most, limit.Value-int64(s.definitions))
	}
	if err != nil {
		return nil, err
	}
	for c := range s.rec.Calls(before) {
		if c.Op >= canvas.OpGradient {
			s.definitions++
		}
	}
	n := s.rec.Len() - s.definitions
	if n > most {
		s.full = tooManyOps(most, int64(n))
		return nil, s.full
	}
	if len(k.Bytes(1)) >= aheadBytes {
		s.drawAhead()
	}
	return n, nil
}

func tooManyOps(most int, n int64) error {
	return &canvas.LimitError{Name: "Ops", What: "operations", Limit: int64(most), Value: n}
}

// use gives a picture, whose reference it takes, the next index.
func (s *surface) use(p *picture, where string) int {
	s.images = append(s.images, drawn{p, where})
	return len(s.images) - 1
}

// held are the pictures, with a reference to each.
func (s *surface) held() []drawn {
	images := slices.Clone(s.images)
	for _, p := range images {
		s.of.find(p.number)
	}
	return images
}

func usePicture(k *call, d *canvases, s *surface) (any, error) {
	p := d.find(int(k.Float(1)))
	if p == nil {
		return nil, k.wrong("there is no such picture")
	}
	return s.use(p, ""), nil
}

// source makes a picture of what a guest gives.
func (d *canvases) source(k *call, v bridges.Value) (*picture, error) {
	if _, isHandle := bridges.HandleID(v); !isHandle && assets.IsRef(v) {
		if _, raw, err := k.raw(v); err != nil {
			return nil, err
		} else if !raw {
			if _, isBytes := bridges.AsBytes(v); !isBytes {
				return d.reference(v)
			}
		}
	}
	in, err := k.input(v, "")
	if err != nil {
		return nil, err
	}
	return d.ofInput(k, in)
}

// reference makes a picture of a reference that is to be loaded. The arguments of synchronous
// calls are gone when these return, so it has a copy.
func (d *canvases) reference(v bridges.Value) (*picture, error) {
	m, err := v.Message()
	if err != nil {
		return nil, err
	}
	n := int64(len(m.Wire))
	for _, b := range m.Blobs {
		n += int64(len(b))
	}
	if err := d.Reserve(n); err != nil {
		return nil, err
	}
	own := marshal.Message{Wire: bytes.Clone(m.Wire)}
	for _, b := range m.Blobs {
		own.Blobs = append(own.Blobs, bytes.Clone(b))
	}
	p := &picture{pending: true, reserved: n}
	if p.ref, err = marshal.Decode(own); err != nil {
		d.Release(n)
		return nil, err
	}
	return d.add(p), nil
}

// ofInput makes a picture of an input, whose memory it takes over.
func (d *canvases) ofInput(k *call, in *input) (*picture, error) {
	p := &picture{}
	if err := p.fill(k, in); err != nil {
		return nil, err
	}
	if p.px != nil {
		return d.add(p), nil
	}
	p.hash, p.hashed = maphash.Bytes(seed, p.data), true
	d.mu.Lock()
	known := d.pictures[d.files[p.hash]]
	if known != nil && bytes.Equal(known.data, p.data) {
		known.refs++
		d.mu.Unlock()
		return known, nil
	}
	d.mu.Unlock()
	n := int64(len(p.data))
	k.taken -= n
	p.reserved = n
	p.data = bytes.Clone(p.data) // as in reference
	return d.add(p), nil
}

var seed = maphash.MakeSeed()

// fill gives a picture what an input has.
func (p *picture) fill(k *call, in *input) error {
	if in.item != nil {
		if c, ok := in.item.Content.(*content); ok {
			px, ok := c.use()
			if !ok {
				return &media.HandleError{ID: in.item.ID}
			}
			p.px = px
			return nil
		}
		data, err := in.item.Content.Bytes(k.ctx)
		if err != nil {
			return err
		}
		if err := k.Reserve(int64(len(data))); err != nil {
			return err
		}
		in.data = data
	}
	p.data = in.data
	return nil
}

// opName is how errors call what an operation draws.
func opName(index float64) string {
	if index >= 0 && index <= canvas.MaxOps {
		return layerName("op", int(index))
	}
	return ""
}

// addSource gives the surface a picture: the result is its index, and whether it is to be
// loaded.
func addSource(k *call, d *canvases, s *surface) (any, error) {
	p, err := d.source(k, k.Arg(1))
	if err != nil {
		return nil, err
	}
	return []any{s.use(p, opName(k.Float(2))), p.pending}, nil
}

func newPicture(k *call, d *canvases) (any, error) {
	p, err := d.source(k, k.Arg(0))
	if err != nil {
		return nil, err
	}
	return []any{p.number, p.pending}, nil
}

func forgetPicture(k *call, d *canvases) (any, error) {
	d.mu.Lock()
	p := d.pictures[int(k.Float(0))]
	d.mu.Unlock()
	if p != nil {
		p.release()
	}
	return bridges.Undefined, nil
}

// newPixels makes a picture of columns of rows of straight RGBA pixels.
func newPixels(k *call, d *canvases) (any, error) {
	rows, width, height, x, columns := k.Bytes(0), int(k.Float(1)), int(k.Float(2)), int(k.Float(3)), int(k.Float(4))
	if err := checkSize(k.op, columns, height); err != nil {
		return nil, err
	}
	if width < 1 || width > 1<<31 || x < 0 || x > width-columns || int64(len(rows)) != 4*int64(width)*int64(height) {
		return nil, k.wrong("the pixels are not as many as the size says")
	}
	n := bytesOf(columns, height)
	if err := d.Reserve(n); err != nil {
		return nil, err
	}
	s := image.New(columns, height)
	for y := range height {
		copy(s.Row(y), rows[4*(y*width+x):])
	}
	image.Premultiply(s.Pix)
	return d.add(&picture{surface: s, reserved: n}).number, nil
}

// loadSources loads and decodes all that is drawn on a surface. Meanwhile the guest may go on
// drawing on it.
func loadSources(k *call, d *canvases) (any, error) {
	s := d.surface(int(k.Float(0)))
	if s == nil {
		return nil, k.wrong("there is no such surface")
	}
	s.mu.Lock()
	images := s.held()
	s.mu.Unlock()
	defer func() {
		for _, p := range images {
			p.release()
		}
	}()
	for _, p := range images {
		if err := p.load(k, p.where); err != nil {
			return nil, err
		}
		if _, err := p.decoded(k.ctx, p.where); err != nil {
			return nil, err
		}
	}
	return bridges.Undefined, nil
}

// load loads what a reference means.
func (p *picture) load(k *call, where string) error {
	p.mu.Lock()
	pending, ref := p.pending, p.ref
	p.mu.Unlock()
	if !pending {
		return nil
	}
	in, err := k.input(ref, "")
	if err != nil {
		return placed(where, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.pending {
		return nil // another call was faster
	}
	if err := p.fill(k, in); err != nil {
		return err
	}
	p.pending, p.ref = false, bridges.Value{}
	n := int64(len(p.data))
	k.taken -= n
	p.took(n)
	return nil
}

// size is the surface's size, or an error.
func (s *surface) size(op string) (width, height int, err error) {
	if math.IsNaN(s.width) || math.IsNaN(s.height) {
		return 0, 0, bridges.TypeErrorf(op, "width and height must be numbers")
	}
	width, height = round(s.width), round(s.height)
	return width, height, checkSize(op, width, height)
}

// draw draws what is recorded, on a background, which does not show on an opaque surface.
func (s *surface) draw(ctx context.Context, op string, background *[4]uint8) error {
	width, height, err := s.size(op)
	if err != nil {
		return err
	}
	if s.opaque {
		background = nil
	}
	if s.ctx != nil && !same(s.background, background) {
		s.undraw()
	}
	defer s.ahead.endWith(ctx)()
	if err := s.ahead.wait(); err != nil {
		if ctx.Err() != nil {
			s.undraw()
			return ctx.Err()
		}
		s.undraw() // and begin anew: the error is the same, unless it was that of another call
	}
	for _, p := range s.images {
		if _, err := p.decoded(ctx, p.where); err != nil {
			return err
		}
	}
	if s.ctx == nil {
		if err := s.begin(width, height, background); err != nil {
			return err
		}
	}
	s.ahead.seen = *s.rec
	err = s.ctx.Replay(ctx, &s.ahead.seen, s.picturesOf(ctx))
	if err != nil {
		s.undraw()
	}
	return err
}

// begin makes ctx.
func (s *surface) begin(width, height int, background *[4]uint8) error {
	fonts, err := s.of.faces()
	if err != nil {
		return err
	}
	s.ctx, err = canvas.NewContext(width, height, canvas.Options{Fonts: fonts, Budget: s.of, Limits: s.of.options.Limits, Background: background, Opaque: s.opaque})
	s.background = background
	return err
}

// picturesOf gives a replay the pictures that there are now.
func (s *surface) picturesOf(ctx context.Context) func(i int) (*image.Surface, error) {
	images := s.images
	return func(i int) (*image.Surface, error) { return images[i].decoded(ctx, images[i].where) }
}

func same(a, b *[4]uint8) bool { return a == b || a != nil && b != nil && *a == *b }

// snapshot is what is on the surface, for which memory was taken.
func (s *surface) snapshot(ctx context.Context, op string, background *[4]uint8) (*image.Surface, int64, error) {
	if err := s.draw(ctx, op, background); err != nil {
		return nil, 0, err
	}
	p, err := s.ctx.Surface(ctx)
	if err != nil {
		s.undraw()
		return nil, 0, err
	}
	n := bytesOf(p.Width, p.Height)
	return p, n, s.of.Reserve(n)
}

func snapshotSurface(k *call, d *canvases, s *surface) (any, error) {
	p, n, err := s.snapshot(k.ctx, k.op, nil)
	if err != nil {
		return nil, err
	}
	return []any{d.add(&picture{surface: p, reserved: n}).number, p.Width, p.Height}, nil
}

func readSurface(k *call, _ *canvases, s *surface) (any, error) {
	x, y, width, height := int(k.Float(1)), int(k.Float(2)), int(k.Float(3)), int(k.Float(4))
	if err := checkSize(k.op, width, height); err != nil {
		return nil, err
	}
	n := bytesOf(width, height)
	if err := k.fits(n); err != nil {
		return nil, err
	}
	if err := k.Reserve(n); err != nil {
		return nil, err
	}
	k.result(n)
	if s.width == 0 || s.height == 0 {
		return make([]byte, n), nil
	}
	if err := s.draw(k.ctx, k.op, nil); err != nil {
		return nil, err
	}
	return s.ctx.ImageData(k.ctx, x, y, width, height)
}

func renderSurface(k *call, _ *canvases, s *surface) (any, error) {
	if _, _, err := s.size(k.op); err != nil {
		return nil, err
	}
	out, err := k.output(k.Options(1))
	if err != nil {
		return nil, err
	}
	background := out.background
	if c, ok := out.under(); ok && background == nil {
		background = &c
	}
	p, n, err := s.snapshot(k.ctx, k.op, background)
	if err != nil {
		return nil, err
	}
	if c, ok := out.under(); ok && out.format == image.JPEG && !p.Opaque() {
		// Nobody else may see it.
		p = p.Clone()
		image.Fill(p, c, image.DestinationOver)
	}
	k.taken += n
	h, err := k.keep(&pixels{pic: image.FromSurface(p), reserved: n}, out)
	if err != nil {
		return nil, err
	}
	return h.reply(), nil
}

// openPicture makes a picture of what a guest gives, loaded: number, width and height.
func openPicture(k *call, d *canvases) (any, error) {
	in, err := k.input(k.Arg(0), "")
	if err != nil {
		return nil, err
	}
	p, err := d.ofInput(k, in)
	if err != nil {
		return nil, err
	}
	s, err := p.decoded(k.ctx, "")
	if err != nil {
		p.release()
		return nil, err
	}
	return []any{p.number, s.Width, s.Height}, nil
}

// dataURL is the surface as an address of type data. A format that cannot be written is PNG.
func dataURL(k *call, _ *canvases, s *surface) (any, error) {
	out := output{format: image.PNG}
	for _, f := range []image.Format{image.JPEG, image.WebP} {
		if f.MIME() == strings.ToLower(k.Str(1)) && slices.Contains(image.Encoders(), f) {
			out.format, out.encode.Quality = f, max(k.Float(2), image.LowestQuality)
			if !k.Has(2) {
				out.encode.Quality = 0
			}
		}
	}
	p, n, err := s.snapshot(k.ctx, k.op, nil)
	if err != nil {
		return nil, err
	}
	k.taken += n
	var black [4]uint8
	if out.format == image.JPEG {
		black[3] = 255 // as browsers have it
	}
	data, err := encodeInTime(k.ctx, image.FromSurface(p), out, black)
	if err != nil {
		return nil, err
	}
	size := int64(len(data)+2)/3*4 + 40
	if err := k.fits(size); err != nil {
		return nil, err
	}
	if err := k.Reserve(size); err != nil {
		return nil, err
	}
	k.result(size)
	return "data:" + out.format.MIME() + ";base64," + base64.StdEncoding.EncodeToString(data), nil
}

// encodeInTime does not wait for an encoder that goes on after the end of its context, which
// that of lossless WebP does for seconds: the guest is stopped meanwhile.
func encodeInTime(ctx context.Context, p *image.Picture, o output, under [4]uint8) ([]byte, error) {
	type reply struct {
		data []byte
		err  error
	}
	done := make(chan reply, 1)
	go func() {
		defer func() {
			if v := recover(); v != nil {
				done <- reply{err: fmt.Errorf("the encoder panicked: %v", v)}
			}
		}()
		data, err := p.Encode(ctx, o.format, under, o.encode)
		done <- reply{data, err}
	}()
	select {
	case r := <-done:
		return r.data, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// encodeImage gives the bytes of a handle that nobody else has, and releases it.
func encodeImage(k *call, _ *canvases) (any, error) {
	defer k.store.Release(k.Str(0))
	i, err := k.store.Get(k.Str(0), media.Image)
	if err != nil {
		return nil, err
	}
	data, err := i.Content.Bytes(k.ctx)
	if err != nil {
		return nil, err
	}
	return k.give(data)
}

// containsPoint answers isPointInPath and, with a rule below 0, isPointInStroke: for the
// current path, or for one that the recording defines by the number path.
func containsPoint(k *call, _ *canvases, s *surface) (any, error) {
	number, x, y, rule := k.Float(1), k.Float(2), k.Float(3), canvas.FillRule(max(k.Float(4), 0))
	stroke := k.Float(4) < 0
	var path *geometry.Path
	if number >= 0 {
		var err error
		if path, err = s.path(number); err != nil {
			return nil, err
		}
	}
	if _, _, err := s.size(k.op); err != nil {
		// Geometry does not need pixels.
		width, height := s.width, s.height
		s.width, s.height = 1, 1
		defer func() {
			s.undraw()
			s.width, s.height = width, height
		}()
	}
	if err := s.draw(k.ctx, k.op, nil); err != nil {
		return nil, err
	}
	switch {
	case path != nil && stroke:
		return s.ctx.StrokeContains(k.ctx, path, x, y)
	case path != nil:
		return s.ctx.PathContains(path, x, y, rule), nil
	case stroke:
		return s.ctx.PointInStroke(k.ctx, x, y)
	}
	return s.ctx.PointInPath(x, y, rule), nil
}

// path is the path that the recording has defined last by a number.
func (s *surface) path(number float64) (*geometry.Path, error) {
	var def []float64
	for c := range s.rec.Calls(0) {
		if c.Op == canvas.OpPath && c.Args[0] == number {
			def = c.Args[1:]
		}
	}
	// Only what it refers to is looked up.
	var strings []string
	for i := 0; i < len(def); i += 1 + int(def[i])>>8 {
		if canvas.Op(int(def[i])&255) == canvas.OpSVGPath {
			n := int(def[i+1])
			for len(strings) <= n {
				strings = append(strings, s.rec.String(len(strings)))
			}
		}
	}
	return canvas.DecodePath(def, strings, s.of.options.Limits)
}
