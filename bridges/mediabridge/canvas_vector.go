package mediabridge

import (
	"quicksand/canvas"
	"quicksand/canvas/vector"
	"quicksand/media/image"
)

// frozen is a recording as it was when a guest asked for it: what is recorded later does not
// change it, because recordings only grow.
type frozen struct {
	rec           canvas.Recording
	images        []drawn // references of their own
	width, height int
	opaque        bool
}

func freezeSurface(k *call, d *canvases, s *surface) (any, error) {
	width, height, err := s.size(k.op)
	if err != nil {
		return nil, err
	}
	f := &frozen{rec: *s.rec, width: width, height: height, opaque: s.opaque}
	f.images = s.held()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last++
	d.frozen[d.last] = f
	return d.last, nil
}

// writeVector writes what is frozen as SVG or PDF, and forgets it.
func writeVector(k *call, d *canvases) (any, error) {
	n := int(k.Float(0))
	d.mu.Lock()
	f := d.frozen[n]
	delete(d.frozen, n)
	d.mu.Unlock()
	if f == nil {
		return nil, k.wrong("there is no such recording")
	}
	defer func() {
		for _, p := range f.images {
			p.release()
		}
	}()
	write := vector.SVG
	pdf := k.Str(1) == "pdf"
	if pdf {
		k.op, write = "toPDF", vector.PDF
	}
	background, err := k.colour(k.Options(2), "background")
	if err != nil {
		return nil, err
	}
	if f.opaque {
		background = &[4]uint8{3: 255}
	}
	fonts, err := d.faces()
	if err != nil {
		return nil, err
	}
	for _, p := range f.images {
		if _, err := p.decoded(k.ctx, p.where); err != nil {
			return nil, err
		}
	}
	data, notes, err := write(k.ctx, &f.rec, f.width, f.height, func(i int) (*image.Surface, error) { return f.images[i].decoded(k.ctx, f.images[i].where) },
		vector.Options{Fonts: fonts, Budget: d, Limits: d.options.Limits, Background: background})
	if err != nil {
		return nil, err
	}
	for _, n := range notes {
		d.session.WarnOnce("canvas: " + n)
	}
	size := int64(len(data))
	if err := k.fits(size); err != nil {
		return nil, err
	}
	if err := k.Reserve(size); err != nil {
		return nil, err
	}
	k.result(size)
	if pdf {
		return data, nil
	}
	return string(data), nil
}
