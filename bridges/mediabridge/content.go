package mediabridge

import (
	"context"
	"sync"

	"quicksand/media"
	"quicksand/media/image"
)

// pixels are a picture that one or more handles show. Whoever works with them holds a
// reference, and the last one to go gives the memory back.
type pixels struct {
	store *media.Store
	pic   *image.Picture

	mu       sync.Mutex
	refs     int
	reserved int64
	planar   bool // luma and chroma, whose surface is not counted yet
}

// bytesOf is what a surface takes.
func bytesOf(width, height int) int64 { return 4 * int64(width) * int64(height) }

// retain takes another reference. It reports false when the last one is gone.
func (p *pixels) retain() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.refs == 0 {
		return false
	}
	p.refs++
	return true
}

func (p *pixels) release() {
	p.mu.Lock()
	p.refs--
	n := int64(0)
	if p.refs == 0 {
		n, p.reserved = p.reserved, 0
	}
	p.mu.Unlock()
	p.store.Budget.Release(n)
}

// surface is the picture's surface, which must not be changed.
func (p *pixels) surface(ctx context.Context) (s *image.Surface, err error) {
	err = p.counted(func() error { s, err = p.pic.Surface(ctx); return err })
	return s, err
}

// counted does what may make the surface, and takes memory for it before.
func (p *pixels) counted(f func() error) error {
	p.mu.Lock()
	planar := p.planar
	p.mu.Unlock()
	if !planar {
		return f()
	}
	n := bytesOf(p.pic.Info.Width, p.pic.Info.Height)
	if err := p.store.Reserve(n); err != nil {
		return err
	}
	err := f()
	p.mu.Lock()
	if p.planar && p.pic.Decoded() {
		p.planar = false
		p.reserved += n
		n = 0
	}
	p.mu.Unlock()
	p.store.Budget.Release(n)
	return err
}

// content is what a handle of a picture names: pixels, and how they are to be encoded.
type content struct {
	px  *pixels // a reference
	out output

	turn chan struct{} // taken by who encodes

	mu       sync.Mutex
	data     []byte // once encoded
	released bool
}

func newContent(px *pixels, out output) *content {
	return &content{px: px, out: out, turn: make(chan struct{}, 1)}
}

// MIME implements media.Content.
func (c *content) MIME() string { return c.out.format.MIME() }

// use takes a reference to the pixels, or reports that they are gone.
func (c *content) use() (*pixels, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.released {
		return nil, false
	}
	return c.px, c.px.retain()
}

// Bytes implements media.Content.
func (c *content) Bytes(ctx context.Context) ([]byte, error) {
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-c.turn }()
	c.mu.Lock()
	data := c.data
	c.mu.Unlock()
	if data != nil {
		return data, nil
	}
	px, ok := c.use()
	if !ok {
		return nil, &media.HandleError{ID: "?"}
	}
	defer px.release()
	err := px.counted(func() (err error) {
		data, err = px.pic.Encode(ctx, c.out.format, [4]uint8{}, c.out.encode)
		return err
	})
	if err != nil {
		return nil, err
	}
	n := int64(len(data))
	if err := px.store.Reserve(n); err != nil {
		return nil, err
	}
	c.mu.Lock()
	if !c.released {
		c.data = data
		n = 0
	}
	c.mu.Unlock()
	px.store.Budget.Release(n)
	return data, nil
}

// Release implements media.Content.
func (c *content) Release() {
	c.mu.Lock()
	released, n := c.released, int64(len(c.data))
	c.released, c.data = true, nil
	c.mu.Unlock()
	if released {
		return
	}
	c.px.store.Budget.Release(n)
	c.px.release()
}
