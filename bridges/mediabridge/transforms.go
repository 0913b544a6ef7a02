package mediabridge

import (
	"fmt"
	"math"
	"strings"
	"time"

	"quicksand/bridges"
	"quicksand/internal/marshal"
	"quicksand/media"
	"quicksand/media/image"
)

func imageConvert(k *call) (*handle, error) {
	out, err := k.output(k.Options(1))
	if err != nil {
		return nil, err
	}
	src, err := k.open(k.Arg(0), "")
	if err != nil {
		return nil, err
	}
	return k.share(src, out)
}

func imageBlank(k *call) (*handle, error) {
	w, h := toNumber(k.Arg(0)), toNumber(k.Arg(1))
	if math.IsNaN(w) || math.IsInf(w, 0) || math.IsNaN(h) || math.IsInf(h, 0) {
		return nil, k.wrong("width and height must be numbers")
	}
	o := k.Options(2)
	out, err := k.output(o)
	if err != nil {
		return nil, err
	}
	c, err := k.colour(o, "color", "background")
	if err != nil {
		return nil, err
	}
	s, err := k.blank(round(w), round(h))
	if err != nil {
		return nil, err
	}
	if c != nil {
		image.Fill(s, *c, image.Copy)
		out.background = nil // the colour, already
	}
	return k.mint(s, out)
}

func imagePad(k *call) (*handle, error) {
	o := k.Options(1)
	out, err := k.output(o, "color", "background")
	if err != nil {
		return nil, err
	}
	var sides [4]int
	all, err := k.padding(o, "all", 0)
	if err != nil {
		return nil, err
	}
	for i, name := range []string{"top", "right", "bottom", "left"} {
		if sides[i], err = k.padding(o, name, all); err != nil {
			return nil, err
		}
	}
	src, err := k.open(k.Arg(0), "")
	if err != nil {
		return nil, err
	}
	if sides == [4]int{} {
		return k.share(src, out)
	}
	w, h := src.width()+sides[1]+sides[3], src.height()+sides[0]+sides[2]
	s, err := k.blank(w, h)
	if err != nil {
		return nil, err
	}
	p, err := src.surface()
	if err != nil {
		return nil, err
	}
	image.Draw(s, p, sides[3], sides[0], image.SourceOver, 255)
	return k.mint(s, out)
}

// padding is the number of pixels of one side.
func (k *call) padding(o bridges.Options, name string, otherwise int) (int, error) {
	n, err := k.number(o, name, float64(otherwise))
	if err != nil || n < 0 {
		return 0, k.wrong("%s must be a non-negative number", name)
	}
	return round(n), nil
}

func imageGrid(k *call) (*handle, error) {
	o := k.Options(1)
	out, err := k.output(o, "background", "color")
	if err != nil {
		return nil, err
	}
	list, err := k.list(k.Arg(0), "images", maxLayers, layerLimit)
	if err != nil {
		return nil, err
	}
	columns, err := k.number(o, "columns", float64(len(list)))
	if err != nil {
		return nil, err
	}
	gap, err := k.number(o, "gap", 0)
	if err != nil {
		return nil, err
	}
	all := make([]*source, len(list))
	sizes := make([][2]int, len(list))
	for i, v := range list {
		if all[i], err = k.open(v, layerName("image", i)); err != nil {
			return nil, err
		}
		sizes[i] = [2]int{all[i].width(), all[i].height()}
	}
	g, err := image.LayoutGrid(sizes, max(round(columns), 1), min(max(round(gap), 0), image.MaxEdge))
	if err != nil {
		return nil, err
	}
	s, err := k.blank(g.Width, g.Height)
	if err != nil {
		return nil, err
	}
	for i, src := range all {
		p, err := src.surface()
		if err != nil {
			return nil, err
		}
		image.Draw(s, p, g.X[i], g.Y[i], image.SourceOver, 255)
		src.drop()
	}
	return k.mint(s, out)
}

// list is an argument that is an array with at least one element and at most most.
func (k *call) list(v bridges.Value, name string, most int, limit bridges.Limit) ([]bridges.Value, error) {
	if v.Kind() != marshal.KindArray || v.Len() == 0 {
		return nil, k.wrong("%s must be a non-empty array", name)
	}
	return k.elements(v, name, most, limit)
}

func (k *call) elements(v bridges.Value, name string, most int, limit bridges.Limit) ([]bridges.Value, error) {
	if n := v.Len(); n > most {
		return nil, bridges.Limitf(k.op, limit.Name, int64(most), int64(n), "%d %s: at most %d %s per call", n, name, most, name)
	}
	var list []bridges.Value
	for _, e := range v.Elements() {
		list = append(list, e)
	}
	return list, nil
}

func imageResize(k *call) (*handle, error) {
	o := k.Options(1)
	out, err := k.output(o)
	if err != nil {
		return nil, err
	}
	if !o.Has("width") && !o.Has("height") {
		return nil, k.wrong("pass width, height, or both")
	}
	var fit image.FitOptions
	for _, side := range []struct {
		name string
		to   *int
	}{{"width", &fit.Width}, {"height", &fit.Height}} {
		if o.Has(side.name) {
			n, err := k.number(o, side.name, 0)
			if err != nil {
				return nil, err
			}
			*side.to = max(round(n), 1)
		}
	}
	if fit.Fit, err = choice(k, o, "fit", "cover, contain or fill", image.ParseFit); err != nil {
		return nil, err
	}
	if fit.Anchor, err = choice(k, o, "anchor", "center, top, top-right, right, bottom-right, bottom, bottom-left, left or top-left", image.ParseAnchor); err != nil {
		return nil, err
	}
	kernel, err := choice(k, o, "kernel", kernelNames, image.ParseKernel)
	if err != nil {
		return nil, err
	}
	fit.WithoutEnlargement = truthy(o.Field("withoutEnlargement"))
	how := sampling{kernel, truthy(o.Field("linear"))}
	src, err := k.open(k.Arg(0), "")
	if err != nil {
		return nil, err
	}
	p, err := image.Place(src.width(), src.height(), fit)
	if err != nil {
		return nil, err
	}
	if p.Whole() && p.Width == src.width() && p.Height == src.height() && p.Part == whole(src) {
		return k.share(src, out)
	}
	if p.Whole() {
		pic, err := k.resamplePicture(src, p.Part, p.Width, p.Height, how)
		if err != nil {
			return nil, err
		}
		return k.mintPicture(pic, out)
	}
	s, err := k.blank(p.Width, p.Height)
	if err != nil {
		return nil, err
	}
	part, err := k.resample(src, p.Part, p.PartWidth, p.PartHeight, how)
	if err != nil {
		return nil, err
	}
	image.Draw(s, part, p.X, p.Y, image.SourceOver, 255)
	return k.mint(s, out)
}

// kernelNames are those of image.ParseKernel, for errors.
var kernelNames = func() string {
	var names []string
	for n := image.Kernel(0); n <= image.Nearest; n++ {
		names = append(names, n.String())
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}()

// whole is all of a picture.
func whole(s *source) image.Rect {
	return image.Rect{Width: float64(s.width()), Height: float64(s.height())}
}

// sampling is how pixels are resampled. The zero value is Lanczos, as samples are stored.
type sampling struct {
	kernel image.Kernel
	linear bool // in linear light
}

// resample is the resampled part of a picture as a surface, for which memory was taken.
func (k *call) resample(src *source, part image.Rect, width, height int, how sampling) (*image.Surface, error) {
	pic, err := k.resamplePicture(src, part, width, height, how)
	if err != nil {
		return nil, err
	}
	return pic.Surface(k.ctx)
}

func (k *call) resamplePicture(src *source, part image.Rect, width, height int, how sampling) (*image.Picture, error) {
	if err := k.room(width, height); err != nil {
		return nil, err
	}
	// What shrinking by means takes meanwhile: a quarter, and a quarter of that, …
	scratch := bytesOf(src.width(), src.height()) / 3
	if err := k.Reserve(scratch); err != nil {
		return nil, err
	}
	defer k.Release(scratch)
	if how.linear {
		s, err := src.surface()
		if err != nil {
			return nil, err
		}
		out, err := image.ResizeLinear(k.ctx, s, part, width, height, how.kernel)
		if err != nil {
			return nil, err
		}
		return image.FromSurface(out), nil
	}
	return src.derive(func(p *image.Picture) (*image.Picture, error) {
		return p.Resize(k.ctx, part, width, height, how.kernel)
	})
}

func imageCrop(k *call) (*handle, error) {
	o := k.Options(1)
	out, err := k.output(o)
	if err != nil {
		return nil, err
	}
	src, err := k.open(k.Arg(0), "")
	if err != nil {
		return nil, err
	}
	var rect [4]int
	for i, name := range []string{"x", "y", "width", "height"} {
		otherwise := 0.0
		switch i {
		case 2:
			otherwise = float64(src.width() - rect[0])
		case 3:
			otherwise = float64(src.height() - rect[1])
		}
		n, err := k.number(o, name, otherwise)
		if err != nil {
			return nil, err
		}
		rect[i] = round(n)
	}
	x, y, w, h := rect[0], rect[1], rect[2], rect[3]
	if w < 1 || h < 1 || x < 0 || y < 0 || x > src.width()-w || y > src.height()-h {
		return nil, &bridges.Error{Op: k.op, Name: "RangeError", Code: codeSize,
			Message: fmt.Sprintf("%d×%d at %d, %d falls outside the %dx%d image", w, h, x, y, src.width(), src.height())}
	}
	if w == src.width() && h == src.height() {
		return k.share(src, out)
	}
	return k.cut(src, x, y, w, h, out)
}

func (k *call) cut(src *source, x, y, w, h int, out output) (*handle, error) {
	if err := k.room(w, h); err != nil {
		return nil, err
	}
	part, err := src.derive(func(p *image.Picture) (*image.Picture, error) { return p.Crop(k.ctx, x, y, w, h) })
	if err != nil {
		return nil, err
	}
	return k.mintPicture(part, out)
}

func imageTrim(k *call) (*handle, error) {
	o := k.Options(1)
	out, err := k.output(o)
	if err != nil {
		return nil, err
	}
	level, err := k.between(o, "threshold", image.DefaultTrim, 0, 255)
	if err != nil {
		return nil, err
	}
	trim := image.TrimOptions{Threshold: uint8(round(level))}
	if trim.Colour, err = k.colour(o, "color"); err != nil {
		return nil, err
	}
	src, err := k.open(k.Arg(0), "")
	if err != nil {
		return nil, err
	}
	s, err := src.surface()
	if err != nil {
		return nil, err
	}
	x, y, w, h, err := image.TrimBounds(k.ctx, s, trim)
	if err != nil {
		return nil, err
	}
	if w == s.Width && h == s.Height {
		return k.share(src, out)
	}
	return k.cut(src, x, y, w, h, out)
}

func imageRotate(k *call) (*handle, error) {
	degrees := toNumber(k.Arg(1))
	if math.IsNaN(degrees) || math.IsInf(degrees, 0) {
		return nil, k.wrong("degrees must be a finite number, not %s", shown(k.Arg(1)))
	}
	out, err := k.output(k.Options(2))
	if err != nil {
		return nil, err
	}
	src, err := k.open(k.Arg(0), "")
	if err != nil {
		return nil, err
	}
	degrees = math.Mod(degrees, 360)
	if degrees == 0 {
		return k.share(src, out)
	}
	w, h := float64(src.width()), float64(src.height())
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	if err := k.room(max(1, round(w*math.Abs(cos)+h*math.Abs(sin))), max(1, round(w*math.Abs(sin)+h*math.Abs(cos)))); err != nil {
		return nil, err
	}
	if q := degrees / 90; q == math.Trunc(q) {
		pic, err := src.derive(func(p *image.Picture) (*image.Picture, error) { return p.Turn(k.ctx, int(q)) })
		if err != nil {
			return nil, err
		}
		return k.mintPicture(pic, out)
	}
	s, err := src.surface()
	if err != nil {
		return nil, err
	}
	turned, err := image.Rotate(k.ctx, s, degrees)
	if err != nil {
		return nil, err
	}
	return k.mint(turned, out)
}

func imageFlip(k *call) (*handle, error) {
	o := k.Options(1)
	out, err := k.output(o)
	if err != nil {
		return nil, err
	}
	horizontal := o.Field("horizontal").IsUndefined() || truthy(o.Field("horizontal"))
	vertical := truthy(o.Field("vertical"))
	src, err := k.open(k.Arg(0), "")
	if err != nil {
		return nil, err
	}
	if !horizontal && !vertical {
		return k.share(src, out)
	}
	if err := k.room(src.width(), src.height()); err != nil {
		return nil, err
	}
	pic, err := src.derive(func(p *image.Picture) (*image.Picture, error) { return p.Flip(k.ctx, horizontal, vertical) })
	if err != nil {
		return nil, err
	}
	return k.mintPicture(pic, out)
}

// filterKinds are in the order in which they are applied.
var filterKinds = []image.FilterKind{image.Brightness, image.Contrast, image.Saturate, image.Grayscale, image.Sepia, image.Invert, image.Blur, image.HueRotate, image.Opacity}

func imageAdjust(k *call) (*handle, error) {
	o := k.Options(1)
	out, err := k.output(o)
	if err != nil {
		return nil, err
	}
	var filters []image.Filter
	var names []string
	for _, kind := range filterKinds {
		names = append(names, kind.String())
		if !o.Has(kind.String()) {
			continue
		}
		n, err := k.number(o, kind.String(), 0)
		if err != nil {
			return nil, err
		}
		f := image.Filter{Kind: kind, Amount: n}
		if err := f.Check(); err != nil {
			return nil, k.wrong("%v", err)
		}
		filters = append(filters, f)
	}
	if filters == nil {
		return nil, k.wrong("name at least one of %s", strings.Join(names, ", "))
	}
	return k.change(out, 1, func(s *image.Surface) error { return image.Apply(k.ctx, s, filters) })
}

// change makes a handle of the first argument after f has changed it, which takes scratch
// more surfaces.
func (k *call) change(out output, scratch int64, f func(s *image.Surface) error) (*handle, error) {
	src, err := k.open(k.Arg(0), "")
	if err != nil {
		return nil, err
	}
	s, err := src.own()
	if err != nil {
		return nil, err
	}
	n := scratch * int64(len(s.Pix))
	if err := k.Reserve(n); err != nil {
		return nil, err
	}
	if err := f(s); err != nil {
		return nil, err
	}
	k.Release(n)
	return k.mint(s, out)
}

func imageSharpen(k *call) (*handle, error) {
	o := k.Options(1)
	out, err := k.output(o)
	if err != nil {
		return nil, err
	}
	var sharpen image.SharpenOptions
	for _, n := range []struct {
		name      string
		to        *float64
		otherwise float64
	}{{"sigma", &sharpen.Sigma, 1}, {"amount", &sharpen.Amount, 1}, {"threshold", &sharpen.Threshold, 0}} {
		if *n.to, err = k.number(o, n.name, n.otherwise); err != nil {
			return nil, err
		}
	}
	if err := sharpen.Check(); err != nil {
		return nil, k.wrong("%v", err)
	}
	return k.change(out, 2, func(s *image.Surface) error { return image.Sharpen(k.ctx, s, sharpen) })
}

func imageThreshold(k *call) (*handle, error) {
	o := k.Options(1)
	out, err := k.output(o)
	if err != nil {
		return nil, err
	}
	level, err := k.between(o, "level", 128, 0, 255)
	if err != nil {
		return nil, err
	}
	return k.change(out, 0, func(s *image.Surface) error {
		return image.Threshold(k.ctx, s, uint8(round(level)), truthy(o.Field("perChannel")))
	})
}

func imageMask(k *call) (*handle, error) {
	o := k.Options(2)
	out, err := k.output(o)
	if err != nil {
		return nil, err
	}
	kind, err := choice(k, o, "mode", "alpha or luminance", func(name string) (image.MaskKind, bool) {
		switch name {
		case "alpha":
			return image.MaskAlpha, true
		case "luminance":
			return image.MaskLuminance, true
		}
		return 0, false
	})
	if err != nil {
		return nil, err
	}
	by, err := k.open(k.Arg(1), "mask: ")
	if err != nil {
		return nil, err
	}
	return k.change(out, 1, func(s *image.Surface) error {
		m, err := by.surface()
		if err != nil {
			return err
		}
		return image.Mask(k.ctx, s, m, kind, truthy(o.Field("invert")))
	})
}

// A layer is one of image.composite.
type layer struct {
	src           *source
	x, y          int
	width, height int
	opacity       uint8
	mode          image.BlendMode
}

func imageComposite(k *call) (*handle, error) {
	out, err := k.output(k.Options(2))
	if err != nil {
		return nil, err
	}
	if k.Arg(1).Kind() != marshal.KindArray {
		return nil, k.wrong("layers must be an array")
	}
	list, err := k.elements(k.Arg(1), "layers", maxLayers, layerLimit)
	if err != nil {
		return nil, err
	}
	layers := make([]layer, len(list))
	for i, v := range list {
		if layers[i], err = k.layer(v, i); err != nil {
			return nil, err
		}
	}
	src, err := k.open(k.Arg(0), "")
	if err != nil {
		return nil, err
	}
	if len(layers) == 0 {
		return k.share(src, out)
	}
	s, err := src.own()
	if err != nil {
		return nil, err
	}
	for i := range layers {
		if err := k.draw(s, &layers[i]); err != nil {
			return nil, err
		}
	}
	return k.mint(s, out)
}

// layer reads a layer.
func (k *call) layer(v bridges.Value, i int) (l layer, err error) {
	where := layerName("layer", i)
	o := bridges.OptionsOf(v)
	if v.Kind() != marshal.KindObject || !o.Has("image") {
		return l, k.wrong("%simage is missing: a layer is an object { image, x, y, width, height, opacity, blendMode }", where)
	}
	if l.src, err = k.open(o.Field("image"), where); err != nil {
		return l, err
	}
	number := func(name string, otherwise float64) float64 {
		n, nerr := k.number(o, name, otherwise)
		if nerr != nil && err == nil {
			err = k.wrong("%s%s must be a number, not %s", where, name, shown(o.Field(name)))
		}
		return n
	}
	l.x, l.y = round(number("x", 0)), round(number("y", 0))
	l.width, l.height = round(number("width", float64(l.src.width()))), round(number("height", float64(l.src.height())))
	l.opacity = uint8(min(max(number("opacity", 1), 0), 1)*255 + 0.5)
	if err != nil {
		return l, err
	}
	if e := image.CheckSize(l.width, l.height); e != nil {
		return l, sizeError(k.op, where, e.(*image.SizeError))
	}
	if v := o.Field("blendMode"); !v.IsNullish() {
		name, _ := v.Str()
		var ok bool
		if l.mode, ok = image.ParseBlendMode(name); !ok {
			return l, k.wrong("%sblendMode %s is none of %s", where, shown(v), blendNames)
		}
	}
	return l, nil
}

// blendNames are those of image.ParseBlendMode, for errors.
var blendNames = func() string {
	var names []string
	for m := image.SourceOver; m <= image.Luminosity; m++ {
		names = append(names, m.String())
	}
	return strings.Join(names, ", ")
}()

// drawRows is how many rows are drawn between two looks at the context.
const drawRows = 256

func (k *call) draw(s *image.Surface, l *layer) error {
	var p *image.Surface
	var err error
	if l.width == l.src.width() && l.height == l.src.height() {
		p, err = l.src.surface()
	} else {
		p, err = k.resample(l.src, whole(l.src), l.width, l.height, sampling{})
		defer k.Release(bytesOf(l.width, l.height))
	}
	if err != nil {
		return err
	}
	for y := 0; y < s.Height; y += drawRows {
		if err := k.ctx.Err(); err != nil {
			return err
		}
		n := min(drawRows, s.Height-y)
		band := image.Surface{Width: s.Width, Height: n, Pix: s.Pix[4*s.Width*y : 4*s.Width*(y+n)]}
		image.Draw(&band, p, l.x, l.y-y, l.mode, l.opacity)
	}
	l.src.drop()
	return nil
}

// defaultDelay is how long a frame is shown when nothing is said.
const defaultDelay = 100 * time.Millisecond

func imageAnimate(k *call) (*handle, error) {
	o := k.Options(1)
	format, err := k.format(o, image.GIF, image.Animations())
	if err != nil {
		return nil, err
	}
	list, err := k.list(k.Arg(0), "images", maxFrames, frameLimit)
	if err != nil {
		return nil, err
	}
	plays, err := k.between(o, "plays", 0, 0, 65535)
	if err != nil {
		return nil, err
	}
	colors, err := k.between(o, "colors", 256, 2, 256)
	if err != nil {
		return nil, err
	}
	delay, err := k.between(o, "delay", float64(defaultDelay/time.Millisecond), 0, 60_000)
	if err != nil {
		return nil, err
	}
	frames := make([]image.Frame, len(list))
	for i, v := range list {
		src, err := k.open(v, layerName("image", i))
		if err != nil {
			return nil, err
		}
		if frames[i].Surface, err = src.surface(); err != nil {
			return nil, err
		}
		f := frames[0].Surface
		if f.Width != src.width() || f.Height != src.height() {
			return nil, &bridges.Error{Op: k.op, Name: "RangeError", Code: codeSize,
				Message: fmt.Sprintf("image %d is %d×%d, and the first is %d×%d: an animation has one size", i, src.width(), src.height(), f.Width, f.Height)}
		}
		frames[i].Delay = time.Duration(delay * float64(time.Millisecond))
	}
	data, err := image.EncodeAnimation(k.ctx, format, frames, image.AnimationOptions{Plays: round(plays), Colors: round(colors), Dither: truthy(o.Field("dither"))})
	if err != nil {
		return nil, err
	}
	if err := k.Reserve(int64(len(data))); err != nil { // which may drop what was lost
		return nil, err
	}
	k.Release(int64(len(data)))
	c, err := media.NewEncoded(format.MIME(), data, k.store.Budget)
	if err != nil {
		return nil, err
	}
	i, err := k.store.Add(media.Image, frames[0].Surface.Width, frames[0].Surface.Height, c)
	if err != nil {
		return nil, k.notKept(err)
	}
	return &handle{i}, nil
}
