package canvas

import (
	"context"
	"image"
	"math"
	"sync"
	"sync/atomic"

	"quicksand/canvas/geometry"
	"quicksand/canvas/internal/paint"
	"quicksand/canvas/internal/raster"
	mediaimage "quicksand/media/image"
)

// A command is one thing to be done to the surface, with everything resolved: it depends on no
// state, and on the pixels that are there only by what it paints over.
type command struct {
	kind   kind
	rule   raster.Rule
	bounds image.Rectangle // the pixels that it may change, within the surface
	op     paint.Op

	lines   *geometry.Polyline  // polygon
	box     geometry.Rect       // box
	whole   image.Rectangle     // wholeRect
	masks   []paint.Mask        // glyphs
	mask    *paint.Mask         // coverage
	picture *mediaimage.Surface // putRows
	from    image.Point         // putRows: the pixel of picture that comes to lie at bounds.Min
}

// A kind says what a command does.
type kind uint8

const (
	polygon   kind = iota // paint inside of lines
	box                   // paint inside of box
	wholeRect             // paint whole
	glyphs                // paint masks, one after the other
	coverage              // paint what mask covers
	clearRows             // make bounds transparent
	putRows               // copy from picture
)

// A queue collects commands into a batch. A full batch is drawn in the background, in bands of
// rows each of which is drawn by one goroutine at a time, while the next batch is filled: a
// context computes shapes on one core and paints on all.
type queue struct {
	batch   *batch // that is being filled
	running *batch // that is being drawn, with drawn to come; nil without one
	drawn   chan error

	threads int
	opaque  bool // the surface is, whatever is drawn
	bands   []*band
	painted *mediaimage.Surface // that the bands are of

	// What shapes are computed with.
	stroker      geometry.Stroker
	raster       raster.Rasterizer
	textures     map[*mediaimage.Surface]*paint.Texture
	shrunk       map[shrunk]bool
	textureBytes int64 // that they take of the budget
	temporary    int64 // that the last drawing took of it for its effects only
}

// shrunk is a part of a texture of which smaller ones are kept.
type shrunk struct {
	texture *paint.Texture
	part    image.Rectangle
}

// A batch is a list of commands.
type batch struct {
	commands []command
	lines    []*lineSpace // of which used are in use
	used     int
	chunks   [][]geometry.Point // that their points lie in, unless they are long
	chunk    int                // that points are put into,
	filled   int                // from here on
	masks    []paint.Mask
	points   int   // of the lines
	pixels   int64 // of all commands
	taken    int64 // of the budget, until all is drawn
}

// A lineSpace is a polyline with room for the ends of a few subpaths.
type lineSpace struct {
	geometry.Polyline
	ends   [4]int
	closed [4]bool
}

// A batch is drawn once it has as many commands or points, or touches as many pixels: enough
// that handing it over costs little, and few enough that all cores get some early. On a surface
// of several bandBytes it may be as many times larger, up to largeBatch times, so that a band
// that has come into the cache is painted on often: ten thousand shapes on 2048² take 0.7 of
// the time.
const (
	batchCommands = 512
	batchPoints   = 64 << 10
	batchPixels   = 4 << 20
	batchBytes    = 8 << 20 // of layers
	largeBatch    = 8
)

// Points of lines lie in chunks of at least firstChunk and at most chunkPoints points. Where
// fewer than roomPoints are left, the next one begins; lines that do not fit are on their own,
// and those longer than longLine count to the budget. keptChunks stay for the next batch.
const (
	firstChunk  = 4 << 10
	chunkPoints = 16 << 10
	roomPoints  = 256
	longLine    = 1024
	keptChunks  = 16
	pointBytes  = 16
)

// inlinePixels is up to how many pixels a batch is drawn by the goroutine that asks for them.
const inlinePixels = 32 << 10

// A band is a range of rows of a surface.
type band struct {
	surface *mediaimage.Surface
	opaque  bool
	rows    image.Rectangle
	painter *paint.Painter
}

// Memory to work with is worth more than drawing a small surface: contexts share it.
var (
	batches     = sync.Pool{New: func() any { return new(batch) }}
	rasterizers = sync.Pool{New: func() any { return new(raster.Rasterizer) }}
)

// newLines is an empty polyline for a command of the batch.
func (q *queue) newLines() *geometry.Polyline {
	b := q.current()
	if b.used == len(b.lines) {
		for block := make([]lineSpace, 32); len(block) > 0; block = block[1:] {
			b.lines = append(b.lines, &block[0])
		}
	}
	if b.chunk < len(b.chunks) && len(b.chunks[b.chunk])-b.filled < roomPoints {
		b.chunk, b.filled = b.chunk+1, 0
	}
	if b.chunk == len(b.chunks) {
		b.chunks = append(b.chunks, make([]geometry.Point, min(firstChunk<<b.chunk, chunkPoints)))
	}
	l := b.lines[b.used]
	l.Points, l.Ends, l.Closed = b.chunks[b.chunk][b.filled:b.filled], l.ends[:0], l.closed[:0]
	return &l.Polyline
}

// keepLines makes the last new lines, which are those of a command, stay.
func (b *batch) keepLines(l *geometry.Polyline) {
	b.used++
	b.points += len(l.Points)
	if len(l.Points) > 0 && &l.Points[0] == &b.chunks[b.chunk][b.filled] {
		b.filled += len(l.Points)
	}
}

func (q *queue) current() *batch {
	if q.batch == nil {
		q.batch = batches.Get().(*batch)
	}
	return q.batch
}

// push adds a command to the batch. Its lines, if it has any, are the last that newLines has
// made.
func (c *Context) push(cmd command) {
	if cmd.bounds.Empty() {
		return
	}
	pixels := int64(cmd.bounds.Dx()) * int64(cmd.bounds.Dy())
	if !c.spend(pixels) {
		return
	}
	if cmd.lines != nil && len(cmd.lines.Points) > longLine && !c.hold(pointBytes*int64(cap(cmd.lines.Points)), 0) {
		return
	}
	b := c.queue.current()
	if cmd.lines != nil {
		b.keepLines(cmd.lines)
	}
	b.commands = append(b.commands, cmd)
	b.pixels += pixels
}

// clear makes the surface, which has this size, transparent.
func (q *queue) clear(width, height int) {
	b := q.current()
	b.commands = append(b.commands, command{kind: clearRows, bounds: image.Rect(0, 0, width, height)})
	b.pixels += int64(width) * int64(height)
}

// hold takes memory of the budget until the batch is drawn, and temporary memory until the next
// drawing.
func (c *Context) hold(kept, temporary int64) bool {
	err := c.reserve(kept + temporary)
	if err != nil && c.queue.running != nil {
		// What is being drawn has some, too.
		c.wait()
		err = c.reserve(kept + temporary)
	}
	if err != nil {
		c.fail(err)
		return false
	}
	c.queue.current().taken += kept
	c.queue.temporary += temporary
	return true
}

// begin is called before each drawing, which may become more than one command and takes lines
// and masks from the batch: only then may a full batch be drawn.
func (c *Context) begin() {
	c.dropTemporary()
	b := c.queue.batch
	if b == nil {
		return
	}
	times := min(max(4*c.width*c.height/bandBytes, 1), largeBatch)
	if len(b.commands) >= times*batchCommands || b.points >= times*batchPoints || b.pixels >= int64(times)*batchPixels || b.taken >= batchBytes {
		c.submit(c.ctx)
	}
}

// dropTemporary gives back what the drawing before took for its effects only.
func (c *Context) dropTemporary() {
	c.release(c.queue.temporary)
	c.queue.temporary = 0
}

// submit draws the batch: at once if it is small, otherwise in the background once the one
// before is drawn.
func (c *Context) submit(ctx context.Context) {
	q := &c.queue
	c.wait()
	b := q.batch
	if b == nil || len(b.commands) == 0 {
		return
	}
	q.batch = nil
	if c.err != nil {
		c.recycle(b)
		return
	}
	if c.shared {
		c.surface, c.shared = c.surface.Clone(), false
	}
	q.prepare(c.surface)
	if len(q.bands) == 1 || b.pixels <= inlinePixels {
		for _, band := range q.bands {
			if err := band.draw(ctx, b, &q.raster); err != nil {
				c.fail(err)
				break
			}
		}
		c.recycle(b)
		return
	}
	q.running, q.drawn = b, make(chan error, 1)
	go func() { q.drawn <- drawBands(ctx, b, q.bands, q.threads) }()
}

// drawBands draws a batch with several goroutines.
func drawBands(ctx context.Context, b *batch, bands []*band, threads int) error {
	var (
		next   atomic.Int64
		wg     sync.WaitGroup
		failed atomic.Pointer[error]
	)
	for range min(threads, len(bands)) {
		wg.Go(func() {
			r := rasterizers.Get().(*raster.Rasterizer)
			defer rasterizers.Put(r)
			for n := int(next.Add(1)) - 1; n < len(bands); n = int(next.Add(1)) - 1 {
				if err := bands[n].draw(ctx, b, r); err != nil {
					failed.Store(&err)
					return
				}
			}
		})
	}
	wg.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

// wait waits for the batch that is drawn in the background.
func (c *Context) wait() {
	q := &c.queue
	if q.running == nil {
		return
	}
	if err := <-q.drawn; err != nil {
		c.fail(err)
	}
	c.recycle(q.running)
	q.running = nil
}

// finish draws all that is to be drawn.
func (c *Context) finish(ctx context.Context) {
	c.dropTemporary()
	c.submit(ctx)
	c.wait()
	// What is shrunk of pictures is kept only as long as they may not change.
	clear(c.queue.textures)
	clear(c.queue.shrunk)
	c.release(c.queue.textureBytes)
	c.queue.textureBytes = 0
}

// recycle keeps the memory of a batch that is drawn, if it is not much.
func (c *Context) recycle(b *batch) {
	c.release(b.taken)
	clear(b.commands)
	b.commands = b.commands[:0]
	clear(b.masks)
	b.masks = b.masks[:0]
	for _, l := range b.lines[:b.used] {
		l.Polyline = geometry.Polyline{}
	}
	if len(b.chunks) > keptChunks {
		clear(b.chunks[keptChunks:])
		b.chunks = b.chunks[:keptChunks]
	}
	b.used, b.points, b.pixels, b.taken = 0, 0, 0, 0
	b.chunk, b.filled = 0, 0
	batches.Put(b)
}

// prepare makes the bands for a surface.
func (q *queue) prepare(s *mediaimage.Surface) {
	if q.painted == s {
		return
	}
	q.painted = s
	n := (len(s.Pix) + bandBytes - 1) / bandBytes
	if q.threads > 1 {
		// More than threads, since bands differ in what is on them.
		n = max(n, 4*q.threads)
	}
	n = min(n, max(s.Height/minBand, 1))
	if len(q.bands) != n {
		q.bands = make([]*band, n)
		for i := range q.bands {
			q.bands[i] = new(band)
		}
	}
	for i, b := range q.bands {
		b.surface, b.opaque = s, q.opaque
		b.rows = image.Rect(0, s.Height*i/n, s.Width, s.Height*(i+1)/n)
		b.painter = paint.NewPainter(s, b.rows.Min.Y, b.rows.Max.Y)
	}
}

// bandBytes is how much of a surface stays in the cache of a core, and minBand the least height
// of a band: what crosses a border is begun twice.
const (
	bandBytes = 1 << 20
	minBand   = 16
)

// draw does what the commands of a batch do to the band.
func (b *band) draw(ctx context.Context, batch *batch, r *raster.Rasterizer) error {
	// One shape may be long work. What is stopped is incomplete, and nobody gets to see it.
	before := r.Stop
	r.Stop = func() bool { return ctx.Err() != nil }
	defer func() { r.Stop = before }()
	for i := range batch.commands {
		cmd := &batch.commands[i]
		part := cmd.bounds.Intersect(b.rows)
		if part.Empty() {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		switch cmd.kind {
		case clearRows:
			for y := part.Min.Y; y < part.Max.Y; y++ {
				clear(b.surface.Row(y)[4*part.Min.X : 4*part.Max.X])
			}
		case putRows:
			from := cmd.from.Add(part.Min.Sub(cmd.bounds.Min))
			for y := part.Min.Y; y < part.Max.Y; y++ {
				copy(b.surface.Row(y)[4*part.Min.X:4*part.Max.X], cmd.picture.Row(from.Y + y - part.Min.Y)[4*from.X:])
			}
		default:
			b.painter.Begin(cmd.op)
			cmd.paint(b.painter, r)
			b.painter.End()
		}
		if b.opaque && cmd.weakens() {
			for y := part.Min.Y; y < part.Max.Y; y++ {
				row := b.surface.Row(y)
				for i := 4*part.Min.X + 3; i < 4*part.Max.X; i += 4 {
					row[i] = 255
				}
			}
		}
	}
	return ctx.Err()
}

// weakens reports whether the command may leave opaque pixels translucent.
func (cmd *command) weakens() bool {
	if cmd.kind == clearRows || cmd.kind == putRows {
		return true
	}
	switch cmd.op.Mode {
	case mediaimage.SourceIn, mediaimage.SourceOut, mediaimage.DestinationIn, mediaimage.DestinationOut, mediaimage.DestinationAtop, mediaimage.Copy, mediaimage.Xor:
		return true
	}
	return false
}

// paint gives what the command covers to a painter that has begun.
func (cmd *command) paint(p *paint.Painter, r *raster.Rasterizer) {
	switch cmd.kind {
	case wholeRect:
		p.Rect(cmd.whole, 255)
	case coverage:
		p.Draw(cmd.mask)
	case glyphs:
		for i := range cmd.masks {
			p.Draw(&cmd.masks[i])
		}
	default:
		cmd.cover(p, p.Bounds(), r)
	}
}

// cover gives the coverage of a polygon or box within clip to a sink.
func (cmd *command) cover(sink paint.Sink, clip image.Rectangle, r *raster.Rasterizer) {
	if cmd.kind == box {
		coverBox(cmd.box, clip, sink)
		return
	}
	r.Rasterize(cmd.lines, cmd.rule, clip, sink)
}

// coverBox is a rasteriser for a rectangle along the axes.
func coverBox(b geometry.Rect, clip image.Rectangle, sink paint.Sink) {
	b.X0, b.X1 = max(b.X0, float64(clip.Min.X)), min(b.X1, float64(clip.Max.X))
	b.Y0, b.Y1 = max(b.Y0, float64(clip.Min.Y)), min(b.Y1, float64(clip.Max.Y))
	if b.Empty() {
		return
	}
	x, y := thirds(b.X0, b.X1), thirds(b.Y0, b.Y1)
	p, _ := sink.(*paint.Painter)
	for i := range 3 {
		for k := range 3 {
			r := image.Rect(x.from[k], y.from[i], x.from[k+1], y.from[i+1])
			cover := uint8(y.part[i]*x.part[k]*255 + 0.5)
			switch {
			case r.Empty() || cover == 0:
			case p != nil:
				p.Rect(r, cover)
			default:
				for y := r.Min.Y; y < r.Max.Y; y++ {
					sink.Run(r.Min.X, y, r.Dx(), cover)
				}
			}
		}
	}
}

// third is the division of a range into a first and a last pixel that are covered in part, if
// there are such, and those between: where each begins and, the last one, ends, and how much of
// its pixels is covered.
type third struct {
	from [4]int
	part [3]float64
}

func thirds(v0, v1 float64) third {
	i, j := int(math.Floor(v0)), int(math.Ceil(v1))
	if j-i == 1 {
		return third{[4]int{i, j, j, j}, [3]float64{v1 - v0}}
	}
	t := third{[4]int{i, i, j, j}, [3]float64{float64(i+1) - v0, 1, v1 - float64(j-1)}}
	if t.part[0] < 1 {
		t.from[1]++
	}
	if t.part[2] < 1 {
		t.from[2]--
	}
	return t
}
