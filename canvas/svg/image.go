package svg

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"

	"quicksand/canvas"
	"quicksand/canvas/geometry"
	"quicksand/media/image"
)

// pictureBudget counts what pictures within the document take: decoding included, four times
// the bytes of MaxImagePixels.
type pictureBudget struct {
	taken int64
	next  image.Budget
}

const maxPictureBytes = 8 * MaxImagePixels

func (b *pictureBudget) Reserve(n int64) error {
	if b.taken+n > maxPictureBytes {
		return fmt.Errorf("svg: a picture in the document takes more than %d bytes to decode", maxPictureBytes)
	}
	if b.next != nil {
		if err := b.next.Reserve(n); err != nil {
			return err
		}
	}
	b.taken += n
	return nil
}

func (b *pictureBudget) Release(n int64) {
	b.taken -= n
	if b.next != nil {
		b.next.Release(n)
	}
}

// image draws an image element whose picture is in the document. One that cannot be read is
// not drawn, as in browsers.
func (r *renderer) image(n *node, f frame) error {
	if !f.st.visible {
		return nil
	}
	data, ok := dataURI(n.href())
	if !ok || image.Sniff(data) == image.SVG {
		return nil
	}
	budget := &pictureBudget{next: r.o.Budget}
	p, err := image.Open(data, budget)
	if err != nil {
		return nil
	}
	if r.pictures += int64(p.Info.Width) * int64(p.Info.Height); r.pictures > MaxImagePixels {
		return limitError("pixels of pictures", MaxImagePixels)
	}
	port := rect{f.length(n, "x", f.port.w, 0), f.length(n, "y", f.port.h, 0), f.length(n, "width", f.port.w, -1), f.length(n, "height", f.port.h, -1)}
	w, h := float64(p.Info.Width), float64(p.Info.Height)
	switch {
	case port.w < 0 && port.h < 0:
		port.w, port.h = w, h
	case port.w < 0:
		port.w = port.h * w / h
	case port.h < 0:
		port.h = port.w * h / w
	}
	if port.empty() {
		return nil
	}
	s, err := p.Surface(r.ctx)
	if err != nil {
		return r.ctx.Err()
	}
	defer p.Drop()
	m, slice := fit(rect{0, 0, w, h}, port, n.attr("preserveAspectRatio"))
	r.c.Save()
	defer r.c.Restore()
	r.matrix(f.m)
	if slice && f.st.overflow != "visible" {
		clip := &geometry.Path{}
		clip.Rect(port.x, port.y, port.w, port.h)
		r.c.ClipPath(clip, canvas.NonZero)
	}
	r.matrix(f.m.Mul(m))
	r.c.SetImageSmoothingEnabled(!f.st.pixelated)
	r.c.SetImageSmoothingQuality(canvas.Medium)
	r.c.DrawImage(s, 0, 0)
	// The picture is given back when it is drawn.
	return r.c.Flush(r.ctx)
}

// dataURI is what a data: URL holds (RFC 2397).
func dataURI(s string) ([]byte, bool) {
	if len(s) < 5 || !strings.EqualFold(s[:5], "data:") {
		return nil, false
	}
	head, body, found := strings.Cut(s[5:], ",")
	if !found {
		return nil, false
	}
	if strings.Contains(body, "%") {
		var err error
		if body, err = url.PathUnescape(body); err != nil {
			return nil, false
		}
	}
	head = strings.ToLower(strings.ReplaceAll(head, " ", ""))
	if !strings.HasSuffix(head, ";base64") {
		return []byte(body), true
	}
	body = strings.Map(func(c rune) rune {
		if c == ' ' || c == '\n' || c == '\r' || c == '\t' {
			return -1
		}
		return c
	}, body)
	data, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(body, "="))
	return data, err == nil
}
