package vector

import (
	"context"
	"slices"

	"quicksand/canvas"
	"quicksand/canvas/geometry"
	"quicksand/canvas/text"
	"quicksand/media/image"
)

// Options are those of writing. The zero value is good.
type Options struct {
	// Fonts are the faces of text; nil means the bundled ones.
	Fonts *text.Fonts
	// Budget is asked for the file, and for surfaces on which parts are drawn as pixels. Nil:
	// nobody counts.
	Budget image.Budget
	// Limits are those of the context that replays the recording.
	Limits canvas.Limits
	// Background is a straight colour behind everything. Nil leaves it transparent.
	Background *[4]uint8
	// MaxBytes is the most bytes of the file; zero means DefaultMaxBytes.
	MaxBytes int
}

// DefaultMaxBytes is the default of Options.MaxBytes.
const DefaultMaxBytes = 64 << 20

// maxNotes bounds the notes, which say each thing once.
const maxNotes = 50

// MaxPixels is the most pixels of all parts that are drawn as pixels.
const MaxPixels = 1 << 30

// SVG writes a recording as an SVG document of width by height CSS pixels. images gives the
// picture for an index, as in canvas.Context.Replay. notes say what is not written as shapes.
func SVG(ctx context.Context, r *canvas.Recording, width, height int, images func(i int) (*image.Surface, error), o Options) (data []byte, notes []string, err error) {
	return write(ctx, r, width, height, images, o, func(j *job) writer { return newSVGWriter(j) })
}

// PDF writes a recording as a PDF file of one page, on which a CSS pixel is 1/96 of an inch.
// images and notes are as in SVG.
func PDF(ctx context.Context, r *canvas.Recording, width, height int, images func(i int) (*image.Surface, error), o Options) (data []byte, notes []string, err error) {
	return write(ctx, r, width, height, images, o, func(j *job) writer { return newPDFWriter(j) })
}

// A writer writes one format.
type writer interface {
	// mode says how the format has a blend mode: wraps also for a DrawClear.
	mode(d *canvas.Draw) support
	// background writes a colour that covers everything.
	background(c [4]uint8) error
	// draw writes one thing that mode has agreed to, which is neither pixels nor, unless mode
	// says wraps, text.
	draw(d *canvas.Draw) error
	// glyphs writes a text by glyphs that are defined once, or reports that it does not.
	glyphs(d *canvas.Draw) bool
	// size is how many bytes there are so far, about.
	size() int
	// memory is how many bytes what is written takes.
	memory() int64
	// finish is the file.
	finish() ([]byte, error)
}

// support is how a format has a way of drawing.
type support uint8

const (
	lacks support = iota // it has none
	wraps                // by an element around all that was drawn before, of which there are not many
	draws                // it draws it as anything else
)

// maxWraps is how many elements are around each other: readers take a layer for each. What is
// erased in succession takes one.
const maxWraps = 3

// erases reports whether a draw does no more than weaken what was drawn before.
func erases(d *canvas.Draw) bool {
	return d.Kind == canvas.DrawClear || d.Mode == image.DestinationOut
}

// A job is one call of SVG or PDF.
type job struct {
	ctx           context.Context
	width, height int
	o             Options
	w             writer
	notes         []string
	rastered      int64
	taken         int64 // of the budget, for what is written
	clips         clips
}

// take sees to it that as much of the budget is taken.
func (j *job) take(n int64) error {
	if j.o.Budget == nil {
		return nil
	}
	if n > j.taken {
		if err := j.o.Budget.Reserve(n - j.taken); err != nil {
			return err
		}
	} else {
		j.o.Budget.Release(j.taken - n)
	}
	j.taken = n
	return nil
}

// segmentBytes is about what a segment takes as it is and as it is written.
const segmentBytes = 128

// draw has a thing written, with room for it.
func (j *job) draw(d *canvas.Draw) error {
	if d.Path != nil {
		if most := j.o.Limits.WithDefaults().Segments; d.Path.Len() > most {
			return segmentsError(most, d.Path.Len())
		}
		if err := j.take(j.w.memory() + segmentBytes*int64(d.Path.Len())); err != nil {
			return err
		}
	}
	if err := j.w.draw(d); err != nil {
		return err
	}
	if n := j.w.size(); n > j.o.MaxBytes {
		return j.tooLarge(n)
	}
	return j.take(j.w.memory())
}

func write(ctx context.Context, r *canvas.Recording, width, height int, images func(i int) (*image.Surface, error), o Options, open func(*job) writer) ([]byte, []string, error) {
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	j := &job{ctx: ctx, width: width, height: height, o: o}
	j.w = open(j)
	defer func() { _ = j.take(0) }()
	replay := func(d canvas.Device) error {
		c, err := canvas.NewDeviceContext(width, height, d, canvas.Options{Fonts: o.Fonts, Budget: o.Budget, Limits: o.Limits})
		if err != nil {
			return err
		}
		defer c.Close()
		if err := c.Replay(ctx, r, images); err != nil {
			return err
		}
		return c.Flush(ctx)
	}
	// First what has to become pixels, then the writing.
	s := &scan{job: j, empty: o.Background == nil, pixels: -1}
	if err := replay(s); err != nil {
		return nil, nil, err
	}
	e := &emit{job: j, first: s.first, pixels: s.pixels, bare: s.bare}
	if err := e.begin(); err != nil {
		return nil, nil, err
	}
	if err := replay(e); err != nil {
		return nil, nil, err
	}
	if err := j.take(2 * j.w.memory()); err != nil {
		return nil, nil, err
	}
	data, err := j.w.finish()
	if err != nil {
		return nil, nil, err
	}
	if len(data) > o.MaxBytes {
		return nil, nil, j.tooLarge(len(data))
	}
	return data, j.notes, nil
}

func (j *job) tooLarge(n int) error {
	return &canvas.LimitError{Name: "FileBytes", What: "bytes of a file", Limit: int64(j.o.MaxBytes), Value: int64(n)}
}

// note tells once what is not written as it was drawn.
func (j *job) note(text string) {
	if len(j.notes) < maxNotes && !slices.Contains(j.notes, text) {
		j.notes = append(j.notes, text)
	}
}

// scan finds where the picture begins anew last, and the last thing after that which takes
// what was drawn before into account in a way that the format does not have.
type scan struct {
	*job
	at     int
	first  int  // what is before does not show
	bare   bool // nor does the background
	pixels int  // up to and with this one all becomes pixels; -1: nothing
	empty  bool // nothing is drawn since first
	wraps  int  // elements around the first thing drawn
	erased bool // by the last thing
}

// Draw implements canvas.Device.
func (s *scan) Draw(d *canvas.Draw) error {
	at := s.at
	s.at++
	erased := s.erased
	s.erased = false
	begin := func(first int, bare, empty bool) {
		s.first, s.pixels, s.bare, s.empty, s.wraps = first, -1, bare, empty, 0
	}
	flatten := func(note string) {
		s.pixels, s.empty, s.wraps = at, false, 0
		s.note(note + ": what was drawn before is pixels")
	}
	_, deep := s.clips.simple(d.Clip)
	switch {
	case d.Kind == canvas.DrawReset:
		begin(at+1, false, s.o.Background == nil)
	case d.Kind == canvas.DrawClear && s.covered(d.Path, d.PathMatrix) && d.Clip == nil:
		begin(at+1, true, true)
	case d.Kind == canvas.DrawPixels && !s.empty && !opaque(d.Image):
		flatten("putImageData")
	case d.Kind == canvas.DrawPixels:
		s.empty = false
	case d.Kind != canvas.DrawClear && d.Mode == image.Copy && d.Clip == nil:
		begin(at, true, false)
	case s.empty && (d.Kind == canvas.DrawClear || alone(d.Mode) == nothing):
	case s.empty && !deep:
		s.empty = false
	default:
		if deep {
			flatten("many clips within each other")
			return nil
		}
		switch how := s.w.mode(d); {
		case how == wraps && erased && erases(d):
			s.erased = true
		case how == wraps && s.wraps < maxWraps:
			s.wraps++
			s.erased = erases(d)
		case how == draws:
		case d.Kind == canvas.DrawClear:
			flatten("clearing a part")
		default:
			flatten(d.Mode.String())
		}
	}
	return nil
}

// What a mode leaves of a shape on nothing at all.
const (
	nothing = iota
	shows
)

func alone(m image.BlendMode) int {
	switch m {
	case image.SourceIn, image.SourceAtop, image.DestinationIn, image.DestinationOut:
		return nothing
	}
	return shows
}

func opaque(s *image.Surface) bool { return s != nil && s.Opaque() }

// covered reports whether a path is one rectangle that covers the whole surface.
func (j *job) covered(p *geometry.Path, m geometry.Matrix) bool {
	if !m.Axial() || p.Len() != 5 {
		return false
	}
	var pl geometry.Polyline
	p.Flatten(&pl, m, geometry.Tolerance)
	b := pl.Bounds()
	return len(pl.Points) == 4 && b.X0 <= 0 && b.Y0 <= 0 && b.X1 >= float64(j.width) && b.Y1 >= float64(j.height)
}

// emit writes.
type emit struct {
	*job
	at            int
	first, pixels int
	bare          bool
	raster        *canvas.Context // what becomes pixels
	empty         bool
}

func (e *emit) begin() error {
	e.empty = e.o.Background == nil || e.bare
	if e.pixels >= 0 {
		o := canvas.Options{Fonts: e.o.Fonts, Budget: e.o.Budget, Limits: e.o.Limits}
		if !e.bare {
			o.Background = e.o.Background
		}
		var err error
		e.raster, err = canvas.NewContext(e.width, e.height, o)
		return err
	}
	if !e.empty {
		return e.w.background(*e.o.Background)
	}
	return nil
}

// Draw implements canvas.Device.
func (e *emit) Draw(d *canvas.Draw) error {
	at := e.at
	e.at++
	if err := e.ctx.Err(); err != nil {
		return err
	}
	if at < e.first {
		return nil
	}
	if at <= e.pixels {
		if err := e.replayDraw(e.raster, d); err != nil {
			return err
		}
		if at < e.pixels {
			return nil
		}
		defer e.raster.Close()
		s, err := e.raster.Surface(e.ctx)
		if err != nil {
			return err
		}
		e.empty = false
		return e.draw(whole(s, 0, 0))
	}
	one := *d
	one.Clip, _ = e.clips.simple(d.Clip)
	switch {
	case d.Kind == canvas.DrawReset, e.empty && d.Kind == canvas.DrawClear, d.Kind == canvas.DrawClear && at < e.first:
		return nil
	case d.Kind == canvas.DrawClear:
		return e.draw(&one)
	case d.Kind == canvas.DrawPixels:
		one = *whole(d.Image, 0, 0)
		one.Source, one.Target = d.Source, d.Target
		one.Smoothing = false
	case e.empty && alone(d.Mode) == nothing:
		return nil
	case at == e.first && d.Mode == image.Copy, e.empty:
		one.Mode = image.SourceOver
	}
	e.empty = false
	if one.Kind != canvas.DrawText || e.w.mode(&one) == wraps {
		return e.draw(&one)
	}
	// Each glyph is a use of its outline.
	if err := e.take(e.w.memory() + segmentBytes*int64(len(one.Text.Glyphs))); err != nil {
		return err
	}
	if e.w.glyphs(&one) {
		if n := e.w.size(); n > e.o.MaxBytes {
			return e.tooLarge(n)
		}
		return e.take(e.w.memory())
	}
	return eachOfText(e.ctx, &one, e.o.Limits, e.draw)
}

// whole is a surface that is drawn as it is with its first pixel at x, y.
func whole(s *image.Surface, x, y int) *canvas.Draw {
	r := image.Rect{Width: float64(s.Width), Height: float64(s.Height)}
	t := r
	t.X, t.Y = float64(x), float64(y)
	return &canvas.Draw{Kind: canvas.DrawImage, Matrix: geometry.Identity, PathMatrix: geometry.Identity, Image: s, Source: r, Target: t, Alpha: 1}
}
