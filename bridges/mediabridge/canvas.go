package mediabridge

import (
	"context"
	"fmt"
	"sync"

	"quicksand/bridges"
	"quicksand/canvas"
	"quicksand/canvas/text"
	"quicksand/canvas/vector"
)

// CanvasOptions are the value of a grant of Canvas, for hosts that want other limits than the
// defaults, or more fonts. Runs have the canvas without a grant, too. They may be used by many
// runs, at one time too, and must not be changed after the first: fonts are read once.
type CanvasOptions struct {
	// Limits bound the recordings of every surface and what is drawn of them.
	Limits canvas.Limits
	// Fonts are faces besides the bundled ones.
	Fonts []CanvasFont

	once sync.Once
	set  *text.Fonts // of Fonts, shared by all runs; nil when there are none
	err  error
}

// fonts is the set of Fonts.
func (o *CanvasOptions) fonts() (*text.Fonts, error) {
	o.once.Do(func() { o.set, o.err = o.newFonts() })
	return o.set, o.err
}

// newFonts makes a set that can be added to, nil without Fonts.
func (o *CanvasOptions) newFonts() (*text.Fonts, error) {
	if len(o.Fonts) == 0 {
		return nil, nil
	}
	set := text.NewFonts()
	for i := range o.Fonts {
		if _, err := set.Register(o.Fonts[i].Data, o.Fonts[i].FaceOptions); err != nil {
			return nil, fmt.Errorf("font %d: %w", i, err)
		}
	}
	return set, nil
}

// A CanvasFont is a font file, and what it is registered as.
type CanvasFont struct {
	Data []byte // must not be changed
	text.FaceOptions
}

// canvasLimit is the limit of a field of canvas.Limits.
func canvasLimit(name, unit string, standard, ceiling int64, doc string) bridges.Limit {
	return bridges.Limit{Name: "Canvas" + name, Unit: unit, Default: standard, Floor: 1, Ceiling: ceiling, Doc: doc}
}

var (
	canvasOps      = canvasLimit("Ops", "operations", canvas.DefaultOps, canvas.MaxOps, "operations of one surface")
	canvasNumbers  = canvasLimit("Numbers", "numbers", canvas.DefaultNumbers, canvas.MaxNumbers, "arguments of all operations of one surface")
	canvasText     = canvasLimit("Text", "bytes", canvas.DefaultText, canvas.MaxText, "texts of all operations of one surface, as UTF-8")
	canvasSaves    = canvasLimit("SaveDepth", "states", canvas.DefaultSaveDepth, canvas.MaxSaveDepth, "states that save has put aside; further ones end the drawing")
	canvasSegments = canvasLimit("Segments", "segments", canvas.DefaultSegments, canvas.MaxSegments, "segments of one path, and of its lines when it is flattened, dashed and stroked")
	canvasWork     = canvasLimit("Work", "pixels", canvas.DefaultWork, canvas.MaxWork, "areas that the operations of one surface may paint, of all their passes together")
	canvasSurfaces = fixed("CanvasSurfaces", "surfaces", maxSurfaces, "surfaces of a run that have been drawn on, at one time")
	fileLimit      = fixed("CanvasFileBytes", "bytes", vector.DefaultMaxBytes, "one SVG or PDF file that a surface is written as")
	pixelsOfFile   = fixed("CanvasFilePixels", "pixels", vector.MaxPixels, "all parts of an SVG or PDF file that are pixels since they are no shapes there")
	fontLimit      = fixed("FontBytes", "bytes", text.MaxFontBytes, "one font file that is registered")
	fontsLimit     = fixed("FontSetBytes", "bytes", text.MaxFontsBytes, "all font files that a run registers")
	facesLimit     = fixed("FontFaces", "faces", text.MaxFaces, "faces that a run registers")
	shapedLimit    = fixed("TextBytes", "bytes", text.MaxText, "one text that is measured or set; and as many glyphs")
)

const maxSurfaces = 10_000

// Canvas is createCanvas and canvas.*, and the classes of the canvas. It needs no grant; a
// grant's value is a *CanvasOptions.
var Canvas = &bridges.Bridge{
	Name: "canvas", Doc: "drawing as on the canvas of a browser: recorded by the guest, painted by the host",
	Always: true,
	Script: canvasScript,
	Check:  checkCanvas,
	Open:   openCanvases,
	Limits: []bridges.Limit{canvasOps, canvasNumbers, canvasText, canvasSaves, canvasSegments, canvasWork, canvasSurfaces, fileLimit, pixelsOfFile, fontLimit, fontsLimit, facesLimit, shapedLimit},
	Funcs: []bridges.Func{
		{Name: "createCanvas", Sync: true, Doc: "makes a surface with getContext(\"2d\"), toImage, toBytes, toSVG, toPDF, toSpec and reset", Result: "the surface",
			Params: []bridges.Param{{Name: "width"}, {Name: "height"}}},
		{Name: "canvas.render", Doc: "draws a list of operations { width, height, ops, gradients, background, format, quality }", Result: "a handle",
			Params: []bridges.Param{{Name: "spec"}}},
		{Name: "canvas.measureText", Doc: "measures a line of text", Result: "{ width, actualBoundingBoxLeft, … }",
			Params: []bridges.Param{{Name: "text", Type: bridges.String}, {Name: "font", Optional: true}}, Quick: true, Call: asking(measureText)},
		{Name: "canvas.registerFont", Doc: "adds a font file to those of the run, as family, weight and style", Result: "the faces, as canvas.fonts lists them",
			Params: []bridges.Param{{Name: "font", Doc: "a reference or the bytes of a file"}, optionsParam}, Call: asking(registerFont)},
		{Name: "canvas.fonts", Doc: "lists the faces that text can be set in", Result: "{ family, weight, style, bundled } of each", Quick: true, Call: asking(listFonts)},

		{Name: "_canvasColour", Op: "canvas", Sync: true, Params: words("text"), Call: parsing("colour", parseColour)},
		{Name: "_canvasFont", Op: "canvas", Sync: true, Params: words("text"), Call: parsing("font", parseFont)},
		{Name: "_canvasFilter", Op: "canvas", Sync: true, Params: words("text"), Call: parsing("filter", parseFilter)},
		{Name: "_canvasLength", Op: "canvas", Sync: true, Params: words("text"), Call: parsing("length", parseLength)},
		{Name: "_canvasIgnored", Op: "canvas", Sync: true, Params: words("property", "value"), Call: asking(func(k *call, d *canvases) (any, error) {
			d.ignored(k.Str(0), k.Str(1))
			return bridges.Undefined, nil
		})},
		{Name: "_canvasMatrix", Op: "DOMMatrix", Sync: true, Params: words("text"), Call: asking(parseMatrix)},
		{Name: "_canvasBox", Op: "fillTextBox", Sync: true, Params: words("options"), Call: asking(checkBox)},
		{Name: "_canvasMeasure", Op: "measureText", Sync: true, Params: []bridges.Param{{Name: "state"}, {Name: "text", Type: bridges.String}}, Call: asking(measureState)},
		{Name: "_canvasMeasureBox", Op: "measureTextBox", Sync: true, Params: []bridges.Param{{Name: "state"}, {Name: "text", Type: bridges.String}, {Name: "width", Type: bridges.Number}, {Name: "options", Type: bridges.String}}, Call: asking(measureBox)},

		{Name: "_canvasNew", Op: "createCanvas", Sync: true, Params: append(numbers("width", "height"), bridges.Param{Name: "opaque", Type: bridges.Boolean}), Call: asking(newSurface)},
		{Name: "_canvasReset", Op: "canvas", Sync: true, Params: append(numbers("id", "width", "height"), bridges.Param{Name: "opaque", Type: bridges.Boolean}), Call: surfaceCall(resetSurface)},
		{Name: "_canvasLost", Op: "canvas", Sync: true, Params: numbers("id"), Call: surfaceCall(loseSurface)},
		{Name: "_canvasFlush", Op: "canvas", Sync: true, Params: []bridges.Param{{Name: "id", Type: bridges.Number}, {Name: "ops", Type: bridges.Bytes}, {Name: "strings", Type: bridges.Array}}, Call: surfaceCall(flushSurface)},
		{Name: "_canvasUse", Op: "canvas", Sync: true, Params: numbers("id", "picture"), Call: surfaceCall(usePicture)},
		{Name: "_canvasSource", Op: "drawImage", Sync: true, Params: []bridges.Param{{Name: "id", Type: bridges.Number}, {Name: "image"}, {Name: "op", Type: bridges.Number}}, Call: surfaceCall(addSource)},
		{Name: "_canvasSnapshot", Op: "drawImage", Sync: true, Params: numbers("id"), Call: surfaceCall(snapshotSurface)},
		{Name: "_canvasPicture", Op: "createPattern", Sync: true, Params: []bridges.Param{{Name: "image"}}, Call: asking(newPicture)},
		{Name: "_canvasPixels", Op: "putImageData", Sync: true, Params: []bridges.Param{{Name: "rows", Type: bridges.Bytes}, {Name: "width", Type: bridges.Number}, {Name: "height", Type: bridges.Number}, {Name: "x", Type: bridges.Number}, {Name: "columns", Type: bridges.Number}}, Call: asking(newPixels)},
		{Name: "_canvasForget", Op: "canvas", Sync: true, Params: numbers("picture"), Call: asking(forgetPicture)},
		{Name: "_canvasRead", Op: "getImageData", Sync: true, Params: numbers("id", "x", "y", "width", "height"), Call: surfaceCall(readSurface)},
		{Name: "_canvasContains", Op: "isPointInPath", Sync: true, Params: numbers("id", "path", "x", "y", "rule"), Call: surfaceCall(containsPoint)},
		{Name: "_canvasLoad", Op: "canvas.render", Params: numbers("id"), Call: asking(loadSources)},
		{Name: "_canvasImage", Op: "canvas.render", Sync: true, Params: []bridges.Param{{Name: "id", Type: bridges.Number}, optionsParam}, Call: surfaceCall(renderSurface)},
		{Name: "_canvasCheck", Op: "canvas.render", Sync: true, Params: append(numbers("width", "height", "count"), optionsParam), Call: asking(checkSpec)},
		{Name: "_canvasSpec", Op: "toSpec", Sync: true, Params: numbers("id"), Call: surfaceCall(specOf)},
		{Name: "_canvasFreeze", Op: "toSVG", Sync: true, Params: numbers("id"), Call: surfaceCall(freezeSurface)},
		{Name: "_canvasVector", Op: "toSVG", Params: []bridges.Param{{Name: "frozen", Type: bridges.Number}, {Name: "format", Type: bridges.String}, optionsParam}, Call: asking(writeVector)},
		{Name: "_canvasOpen", Op: "createImageBitmap", Params: []bridges.Param{{Name: "image"}}, Call: asking(openPicture)},
		{Name: "_canvasDataURL", Op: "toDataURL", Sync: true, Params: []bridges.Param{{Name: "id", Type: bridges.Number}, {Name: "type", Type: bridges.String}, {Name: "quality", Type: bridges.Number, Optional: true}}, Call: surfaceCall(dataURL)},
		{Name: "_canvasEncode", Op: "canvas.render", Params: words("id"), Call: asking(encodeImage)},
	},
}

// CanvasClasses are the constructors of the canvas among the globals, which guests may replace
// as they can those of the web.
var CanvasClasses = &bridges.Bridge{
	Name: "canvas classes", Doc: "the interfaces of the canvas that are global in browsers",
	Always: true, Replaceable: true,
	Script: `(function (I) { "use strict"; return I.bridge("createCanvas")._canvas; })`,
	Funcs: []bridges.Func{
		{Name: "CanvasRenderingContext2D", Doc: "what getContext(\"2d\") gives"}, {Name: "OffscreenCanvasRenderingContext2D", Doc: "the same"},
		{Name: "CanvasGradient", Doc: "what createLinearGradient gives"}, {Name: "CanvasPattern", Doc: "what createPattern gives"},
		{Name: "Path2D", Doc: "a path, of SVG path data or another path"}, {Name: "ImageData", Doc: "pixels, straight RGBA"},
		{Name: "ImageBitmap", Doc: "a picture that does not change"}, {Name: "TextMetrics", Doc: "what measureText gives"},
		{Name: "DOMPoint", Doc: "a point"}, {Name: "DOMMatrix", Doc: "a matrix"}, {Name: "OffscreenCanvas", Doc: "what createCanvas gives"},
		{Name: "createImageBitmap", Doc: "an ImageBitmap of a picture, or of the part x, y, width, height", Result: "the bitmap",
			Params: []bridges.Param{{Name: "image"}, {Name: "x", Optional: true}, {Name: "y", Optional: true}, {Name: "width", Optional: true}, {Name: "height", Optional: true}}},
	},
}

func init() {
	bridges.Register(Canvas)
	bridges.Register(CanvasClasses)
	for i := range CanvasClasses.Funcs {
		CanvasClasses.Funcs[i].Sync = CanvasClasses.Funcs[i].Result == ""
	}
}

func words(names ...string) (list []bridges.Param) {
	for _, n := range names {
		list = append(list, bridges.Param{Name: n, Type: bridges.String})
	}
	return list
}

func numbers(names ...string) (list []bridges.Param) {
	for _, n := range names {
		list = append(list, bridges.Param{Name: n, Type: bridges.Number})
	}
	return list
}

func checkCanvas(grant any) (any, error) {
	switch o := grant.(type) {
	case nil:
		return &CanvasOptions{}, nil
	case *CanvasOptions:
		if o == nil {
			return &CanvasOptions{}, nil
		}
		_, err := o.fonts()
		return o, err
	}
	return nil, fmt.Errorf("the value is a %T, not a *mediabridge.CanvasOptions", grant)
}

// asking makes a function of the bridge of one that gets a call and the run's canvases.
func asking(f func(k *call, d *canvases) (any, error)) func(context.Context, *bridges.Call) (any, error) {
	return func(ctx context.Context, c *bridges.Call) (any, error) {
		store, err := storeOf(c.Session)
		if err != nil {
			return nil, err
		}
		k := &call{Call: c, ctx: ctx, op: c.Op(), store: store}
		defer k.close()
		v, err := f(k, c.State.(*canvases))
		if err != nil {
			return nil, canvasFailure(k.op, err)
		}
		return v, nil
	}
}

// surfaceCall is asking for a function whose first argument is the id of a surface, which it
// has for itself until it returns.
func surfaceCall(f func(k *call, d *canvases, s *surface) (any, error)) func(context.Context, *bridges.Call) (any, error) {
	return asking(func(k *call, d *canvases) (any, error) {
		s := d.surface(int(k.Float(0)))
		if s == nil {
			return nil, k.wrong("there is no such surface")
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		return f(k, d, s)
	})
}
