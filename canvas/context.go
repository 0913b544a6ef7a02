package canvas

import (
	"context"
	"errors"
	"image"
	"runtime"
	"sync"

	"quicksand/canvas/geometry"
	"quicksand/canvas/internal/paint"
	"quicksand/canvas/text"
	mediaimage "quicksand/media/image"
)

// Options are those of a new context. The zero value is good.
type Options struct {
	// Fonts are the faces of text; nil means the bundled ones.
	Fonts *text.Fonts
	// Budget is asked for the surface, layers, clips and copies. Nil means that nobody counts.
	Budget mediaimage.Budget
	// Limits bound the context.
	Limits Limits
	// Background is a straight colour which the surface has from the beginning and gets again
	// by Reset. Nil leaves it transparent.
	Background *[4]uint8
	// Opaque makes all pixels opaque at all times, as a context without alpha in browsers does:
	// a surface begins black, and what would make a pixel translucent only darkens it.
	Opaque bool
	// Threads is the most goroutines that draw at once; 0 means GOMAXPROCS. Pixels do not
	// depend on it.
	Threads int
}

// A Context is the drawing context of one surface, as CanvasRenderingContext2D ("HTML
// Standard", 4.12.5.1). Methods named as there do the same, with arguments that are converted
// already; what the standard ignores is ignored.
//
// Methods that draw only note what is to be drawn. It is drawn at the latest by Flush, or by
// whatever needs pixels. A method that fails (a limit is exceeded, or the budget) ends the
// context: nothing more is drawn, and Flush and all that return errors return that one.
//
// A Context must be used by one goroutine at a time. Close gives its memory back.
type Context struct {
	width, height int
	limits        Limits
	budget        mediaimage.Budget
	fonts         *text.Fonts
	background    *[4]uint8
	device        Device

	state State
	saved []State
	path  geometry.Path // in device space

	surface *mediaimage.Surface
	shared  bool  // a snapshot shows the surface: it is copied before the next write
	taken   int64 // of the budget
	work    int64 // pixels touched so far

	// ctx is looked at by what is drawn before the next Flush.
	ctx   context.Context
	queue queue
	all   *paint.Clip   // all of the surface
	shape geometry.Path // of rectangles, used again
	last  replayed

	glyphPictures map[*byte]*mediaimage.Surface // decoded, by where their files begin
	glyphBytes    int64                         // that they take of the budget

	err error
}

// NewContext makes a context with a new surface. The error is a *image.SizeError if no surface
// may have the size, or the budget's.
func NewContext(width, height int, o Options) (*Context, error) {
	c, err := newContext(width, height, o)
	if err != nil {
		return nil, err
	}
	if err := c.reserve(4 * int64(width) * int64(height)); err != nil {
		return nil, err
	}
	c.newSurface()
	if o.Opaque {
		c.queue.clear(width, height)
	}
	c.paintBackground()
	return c, nil
}

// surfaces are the pixels of large surfaces that nobody has seen but their contexts: getting
// new memory from the system takes longer than drawing a hundred shapes.
var surfaces sync.Pool // *[]byte

// newSurface makes the surface of a new context.
func (c *Context) newSurface() {
	n := 4 * c.width * c.height
	if n >= bandBytes {
		if old, _ := surfaces.Get().(*[]byte); old != nil && n <= cap(*old) && cap(*old) <= 2*n {
			c.surface = &mediaimage.Surface{Width: c.width, Height: c.height, Pix: (*old)[:n]}
			// What is on it is the first thing to go: in the bands, on all cores. Until then
			// nothing reads it.
			c.queue.clear(c.surface.Width, c.surface.Height)
			return
		}
	}
	c.surface = mediaimage.New(c.width, c.height)
}

func newContext(width, height int, o Options) (*Context, error) {
	if err := mediaimage.CheckSize(width, height); err != nil {
		return nil, err
	}
	c := &Context{
		width: width, height: height,
		limits: o.Limits.WithDefaults(), budget: o.Budget, fonts: o.Fonts, background: o.Background,
		state: newState(), ctx: context.Background(), all: paint.NewClip(image.Rect(0, 0, width, height)),
	}
	c.queue.opaque = o.Opaque
	c.queue.stroker.Stop = func() bool { return c.ctx.Err() != nil }
	if c.queue.threads = o.Threads; c.queue.threads <= 0 {
		c.queue.threads = runtime.GOMAXPROCS(0)
	}
	if c.fonts == nil {
		c.fonts = text.NewFonts()
	}
	c.queue.raster.Stop = c.stopped
	return c, nil
}

// Width and Height are the size of the surface.
func (c *Context) Width() int { return c.width }

// Height is the height of the surface.
func (c *Context) Height() int { return c.height }

// Err is what has ended the context, nil if nothing has.
func (c *Context) Err() error { return c.err }

// stopped says whether work on clips and layers is to end, and with it the context.
func (c *Context) stopped() bool {
	if err := c.ctx.Err(); err != nil {
		c.fail(err)
	}
	return c.err != nil
}

func (c *Context) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// Reset gives the context its first state and the surface its background.
func (c *Context) Reset() {
	c.dropCover()
	for i := len(c.saved) - 1; i >= 0; i-- {
		c.state, c.saved = c.saved[i], c.saved[:i]
		c.dropCover()
	}
	c.saved = nil
	c.state = newState()
	c.path = geometry.Path{}
	if c.device != nil {
		c.draw(Draw{Kind: DrawReset})
		return
	}
	c.begin()
	if c.spend(int64(c.width) * int64(c.height)) {
		c.queue.clear(c.width, c.height)
	}
	c.paintBackground()
}

func (c *Context) paintBackground() {
	if b := c.background; b != nil && b[3] != 0 {
		all := image.Rect(0, 0, c.width, c.height)
		c.push(command{kind: wholeRect, whole: all, bounds: all, op: paint.Op{Mode: mediaimage.Copy, Alpha: 1, Source: paint.NewColour(*b)}})
	}
}

func (c *Context) reserve(n int64) error {
	if c.budget != nil {
		if err := c.budget.Reserve(n); err != nil {
			return err
		}
	}
	c.taken += n
	return nil
}

func (c *Context) release(n int64) {
	if n == 0 {
		return
	}
	c.taken -= n
	if c.budget != nil {
		c.budget.Release(n)
	}
}

// spend counts pixels that are touched.
func (c *Context) spend(pixels int64) bool {
	c.work += pixels
	if c.work > c.limits.Work {
		c.fail(&LimitError{"Work", "pixels touched", c.limits.Work, c.work})
	}
	return c.err == nil
}

// Flush draws what is to be drawn, on several cores. When ctx ends, drawing stops and the
// context with it.
func (c *Context) Flush(ctx context.Context) error {
	if c.err == nil {
		c.err = ctx.Err()
	}
	c.finish(ctx)
	return c.err
}

// Surface draws what is to be drawn and returns the surface as it is then: later drawing goes
// to a copy, which costs nothing until there is any. It must not be changed. Its memory is
// counted as long as the context draws on it, and is from then on up to who holds it.
func (c *Context) Surface(ctx context.Context) (*mediaimage.Surface, error) {
	if err := c.Flush(ctx); err != nil {
		return nil, err
	}
	c.shared = c.surface != nil
	return c.surface, nil
}

// Close gives memory back to the budget. The context must not be used afterwards.
func (c *Context) Close() {
	c.fail(errClosed)
	c.finish(context.Background())
	c.release(c.taken)
	if c.surface != nil && !c.shared && cap(c.surface.Pix) >= bandBytes {
		surfaces.Put(&c.surface.Pix)
	}
	c.surface = nil
}

var errClosed = errors.New("the canvas is closed")
