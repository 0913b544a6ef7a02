package mediabridge

import (
	"strconv"

	"quicksand/bridges"
	"quicksand/canvas"
	"quicksand/internal/marshal"
	"quicksand/media/image"
)

// checkSpec checks what canvas.render looks at before the operations: the size, how many
// there are, below 0 for what is no list, and the options of encoding.
func checkSpec(k *call, d *canvases) (any, error) {
	s := &surface{of: d, width: k.Float(0), height: k.Float(1)}
	if _, _, err := s.size(k.op); err != nil {
		return nil, err
	}
	most := d.options.Limits.WithDefaults().Ops
	switch n := k.Float(2); {
	case n < 0:
		return nil, k.wrong("ops must be an array")
	case n > float64(most):
		return nil, bridges.Limitf(k.op, canvasOps.Name, int64(most), int64(n), "%.0f ops exceeds the %d limit", n, most)
	}
	_, err := k.output(k.Options(3))
	return bridges.Undefined, err
}

// Keys of objects in lists of operations that stand for something defined elsewhere.
const (
	gradientMark = "__nodetool_canvas_gradient__"
	patternMark  = "__nodetool_canvas_pattern__"
	pathMark     = "__nodetool_canvas_path__"
)

// propertyOps are operations that set what their name says.
func isProperty(op canvas.Op) bool {
	return op >= canvas.OpFillColor && op <= canvas.OpLang && op != canvas.OpLineDash
}

// A describer makes data for guests of a recording.
type describer struct {
	rec                        *canvas.Recording
	gradients                  *marshal.Object
	patterns, paths            []any
	gradient, pattern, path    map[float64]string // names by number
	gradientN, patternN, pathN int
}

// specOf is the recording as canvas.render takes it, with numbers for pictures, which are in
// a list of their own: { gradients, patterns, paths, ops, images }.
func specOf(k *call, _ *canvases, s *surface) (any, error) {
	d := &describer{rec: s.rec, gradients: &marshal.Object{}, gradient: map[float64]string{}, pattern: map[float64]string{}, path: map[float64]string{}}
	// The data take about so much while they are made.
	numbers := 0
	for c := range s.rec.Calls(0) {
		numbers += len(c.Args)
	}
	if err := k.Reserve(400*int64(s.rec.Len()) + 50*int64(numbers)); err != nil {
		return nil, err
	}
	ops := []any{}
	for c := range s.rec.Calls(0) {
		switch c.Op {
		case canvas.OpGradient:
			d.defineGradient(c.Args)
		case canvas.OpPattern:
			id := name(d.pattern, c.Args[0], "p", &d.patternN)
			d.patterns = append(d.patterns, object("id", id, "image", c.Args[1], "repetition", canvas.Repetitions[int(c.Args[2])], "matrix",
				object("a", c.Args[3], "b", c.Args[4], "c", c.Args[5], "d", c.Args[6], "e", c.Args[7], "f", c.Args[8])))
		case canvas.OpPath:
			id := name(d.path, c.Args[0], "path", &d.pathN)
			list := []any{}
			for a := c.Args[1:]; len(a) > 0; {
				n := int(a[0]) >> 8
				list = append(list, d.operation(canvas.Op(int(a[0])&255), a[1:1+n]))
				a = a[1+n:]
			}
			d.paths = append(d.paths, object("id", id, "ops", list))
		default:
			ops = append(ops, d.operation(c.Op, c.Args))
		}
	}
	images := make([]any, len(s.images))
	for i, p := range s.images {
		var err error
		if images[i], err = p.describe(k); err != nil {
			return nil, err
		}
	}
	if d.patterns == nil {
		d.patterns = []any{}
	}
	if d.paths == nil {
		d.paths = []any{}
	}
	return object("gradients", d.gradients, "patterns", d.patterns, "paths", d.paths, "ops", ops, "images", images), nil
}

// name gives what is defined under a number another name.
func name(names map[float64]string, number float64, prefix string, n *int) string {
	s := prefix + strconv.Itoa(*n)
	*n++
	names[number] = s
	return s
}

func (d *describer) defineGradient(a []float64) {
	id := name(d.gradient, a[0], "g", &d.gradientN)
	coords := []any{}
	for _, v := range a[2 : 2+[]int{4, 6, 3}[int(a[1])]] {
		coords = append(coords, v)
	}
	stops := []any{}
	for a := a[8:]; len(a) > 1; a = a[2:] {
		stops = append(stops, []any{a[0], colourText(a[1])})
	}
	d.gradients.Set(id, object("type", canvas.GradientTypes[int(a[1])], "coords", coords, "stops", stops))
}

func colourText(v float64) string {
	n := uint32(v)
	return canvas.SerializeColour([4]uint8{uint8(n >> 24), uint8(n >> 16), uint8(n >> 8), uint8(n)})
}

// operation is one of a list.
func (d *describer) operation(op canvas.Op, a []float64) any {
	info, _ := op.Info()
	args := []any{}
	switch op {
	case canvas.OpRoundRect:
		radii := []any{}
		for i := 4; i < 12; i += 2 {
			radii = append(radii, object("x", a[i], "y", a[i+1]))
		}
		args = append(args, a[0], a[1], a[2], a[3], radii)
	case canvas.OpLineDash:
		list := []any{}
		for _, v := range a {
			list = append(list, v)
		}
		args = append(args, list)
	case canvas.OpGlobalCompositeOperation:
		args = append(args, image.BlendMode(a[0]).String())
	default:
		i := 0
		for _, letter := range info.Args {
			if letter == '|' || i == len(a) {
				break
			}
			v := a[i]
			i++
			switch letter {
			case 's':
				args = append(args, d.rec.String(int(v)))
			case 'b':
				args = append(args, v != 0)
			case 'w':
				args = append(args, info.Words[int(v)])
			case 'c':
				args = append(args, colourText(v))
			case 'g':
				args = append(args, object(gradientMark, d.gradient[v]))
			case 'p':
				args = append(args, object(patternMark, d.pattern[v]))
			case 'P':
				args = append(args, object(pathMark, d.path[v]))
			default:
				args = append(args, v)
			}
		}
		for ; i < len(a); i++ {
			args = append(args, a[i])
		}
	}
	if isProperty(op) {
		return object("op", "set", "args", append([]any{info.Name}, args...))
	}
	return object("op", info.Name, "args", args)
}

// describe is a picture for a guest: a reference as it was given, or the reply for a handle.
func (p *picture) describe(k *call) (any, error) {
	p.mu.Lock()
	pending, ref, px := p.pending, p.ref, p.px
	p.mu.Unlock()
	out := output{format: image.PNG}
	switch {
	case pending:
		return ref, nil
	case px != nil && px.retain():
		h, err := k.add(px, out)
		if err != nil {
			return nil, err
		}
		return h.reply(), nil
	}
	s, err := p.decoded(k.ctx, "")
	if err != nil {
		return nil, err
	}
	n := bytesOf(s.Width, s.Height)
	if err := k.Reserve(n); err != nil {
		return nil, err
	}
	h, err := k.keep(&pixels{pic: image.FromSurface(s), reserved: n}, out)
	if err != nil {
		return nil, err
	}
	return h.reply(), nil
}
