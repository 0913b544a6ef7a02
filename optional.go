package quicksand

import (
	"context"
	"strings"

	"quicksand/bridges"
)

// optional are bridges whose packages an embedder links by importing them, because they bring
// codecs: by name, the package and the functions. Without the package guests find these
// functions too, which say what is missing.
var optional = []struct{ name, doc, pkg, funcs string }{
	{"image", "pictures", "quicksand/bridges/mediabridge", `image.bytes image.toAsset image.info image.decode image.stats image.blank image.pad image.grid
		image.resize image.crop image.trim image.rotate image.flip image.adjust image.sharpen image.threshold image.mask image.composite
		image.convert image.frames image.animate image.text image.release`},
	{"audio", "sounds", "quicksand/bridges/mediabridge", `audio.bytes audio.toAsset audio.info audio.stats audio.loudness audio.waveform audio.spectrum
		audio.normalize audio.normalizeLoudness audio.gain audio.trim audio.concat audio.mix audio.reverse audio.fadeIn audio.fadeOut
		audio.repeat audio.pad audio.silence audio.speed audio.resample audio.convert audio.split audio.merge audio.release media.waveformImage`},
	{"canvas", "drawing", "quicksand/bridges/mediabridge", `createCanvas canvas.render canvas.measureText canvas.registerFont canvas.fonts`},
	{"canvas classes", "the interfaces of the canvas", "quicksand/bridges/mediabridge", `CanvasRenderingContext2D OffscreenCanvasRenderingContext2D CanvasGradient
		CanvasPattern Path2D ImageData ImageBitmap TextMetrics DOMPoint DOMMatrix OffscreenCanvas createImageBitmap`},
}

// withOptional are the bridges that packages have registered, and substitutes for those
// which none has.
func withOptional(registered []*bridges.Bridge) []*bridges.Bridge {
	var list []*bridges.Bridge
	known := make(map[string]*bridges.Bridge)
	for _, b := range registered {
		known[b.Name] = b
	}
	for _, o := range optional {
		b := known[o.name]
		if b == nil {
			b = missing(o.name, o.doc, o.pkg, strings.Fields(o.funcs))
		}
		list = append(list, b)
		delete(known, o.name)
	}
	for _, b := range registered {
		if known[b.Name] != nil {
			list = append(list, b)
		}
	}
	return list
}

// missing is a bridge of a package that the program does not have.
func missing(name, doc, pkg string, funcs []string) *bridges.Bridge {
	b := &bridges.Bridge{Name: name, Doc: doc, Grant: "a program that imports " + pkg}
	fail := func(_ context.Context, c *bridges.Call) (any, error) {
		return nil, &bridges.Error{Kind: bridges.KindDenied, Name: "NotGrantedError", Code: bridges.CodeNotGranted,
			Message: c.Op() + " is not available in this program: the host has to import " + pkg}
	}
	for _, f := range funcs {
		// A name without a dot is a constructor of the guest's half.
		b.Funcs = append(b.Funcs, bridges.Func{Name: f, Sync: !strings.Contains(f, "."), Call: fail, Without: fail})
	}
	return b
}
