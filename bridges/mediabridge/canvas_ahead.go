package mediabridge

import (
	"context"
	"fmt"

	"quicksand/canvas"
)

// A surface that much is recorded on is drawn while the guest goes on recording, on another
// core. What comes of it can be seen only by how long things take: whatever goes wrong, memory
// that there is none of too, is forgotten, and happens again when the guest asks for pixels.

// aheadBytes is how much a guest sends at one time of a recording that is drawn ahead: its
// buffer is full. aheadPixels is how large a surface may be: it takes memory that guests which
// only want a list or SVG do not need.
const (
	aheadBytes  = 8 * 1500
	aheadPixels = 4 << 20
)

// ahead is what draws a surface ahead. While it runs, it has the surface's ctx and seen for
// itself; all else belongs to who holds the surface's lock.
type ahead struct {
	// seen is the recording as far as it is to be drawn: the guest adds to the other one
	// meanwhile. Replays know it by its address.
	seen   canvas.Recording
	ctx    context.Context // of drawing ahead on the surface's ctx; nil before it has begun
	cancel context.CancelFunc
	done   chan error // nil when nothing runs
	failed bool       // not worth another try
}

// drawAhead begins to draw what is recorded and returns at once. When there is still something
// being drawn, that is for the next time.
func (s *surface) drawAhead() {
	a := &s.ahead
	if a.done != nil {
		if len(a.done) == 0 {
			return
		}
		if a.wait() != nil {
			s.undraw()
		}
	}
	if a.failed {
		return
	}
	width, height, err := s.size("canvas")
	if err != nil || width*height > aheadPixels {
		return
	}
	for _, p := range s.images {
		if p.waits() {
			return
		}
	}
	if a.ctx == nil {
		a.ctx, a.cancel = context.WithCancel(s.of.session.Context())
	}
	if s.ctx == nil && s.begin(width, height, nil) != nil {
		s.ctx, a.failed = nil, true
		return
	}
	a.seen = *s.rec
	done, ctx, images := make(chan error, 1), a.ctx, s.picturesOf(a.ctx)
	a.done = done
	go func() {
		var err error
		defer func() {
			if v := recover(); v != nil {
				err = fmt.Errorf("drawing panicked: %v", v)
			}
			done <- err
		}()
		s.ctx.Advance(ctx, &a.seen, images)
		err = s.ctx.Err()
	}()
}

// waits reports whether the picture is still to be loaded.
func (p *picture) waits() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pending
}

// endWith lets drawing ahead end when ctx does, until the function that it returns is called.
// Who waits for it needs that: a run that is stopped while it waits has a context that goes on.
func (a *ahead) endWith(ctx context.Context) func() bool {
	if a.cancel == nil {
		return func() bool { return true }
	}
	return context.AfterFunc(ctx, a.cancel)
}

// wait waits until what was to be drawn ahead is drawn or on its way.
func (a *ahead) wait() error {
	if a.done == nil {
		return nil
	}
	err := <-a.done
	a.done = nil
	a.failed = a.failed || err != nil
	return err
}

// stop ends drawing ahead.
func (a *ahead) stop() {
	if a.cancel == nil {
		return
	}
	a.cancel()
	failed := a.failed
	a.wait()
	a.ctx, a.cancel, a.failed = nil, nil, failed
}
