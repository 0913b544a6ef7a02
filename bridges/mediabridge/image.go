package mediabridge

import (
	_ "embed"
	"runtime"

	"quicksand/bridges"
)

//go:embed image.js
var imageScript string

func imageParam(name string) bridges.Param {
	return bridges.Param{Name: name, Doc: "a handle, a reference or the bytes of a file"}
}

var optionsParam = bridges.Param{Name: "options", Type: bridges.Object, Optional: true}

// encoding is what all transforms say of their options.
const encoding = "; with format (png, jpeg, webp, avif), quality and background"

// Image is image.*. It needs no grant.
var Image = &bridges.Bridge{
	Name: "image", Doc: "pictures: decode, transform, compose, encode",
	Always:      true,
	Concurrency: 2 * runtime.GOMAXPROCS(0),
	Script:      imageScript,
	Limits:      []bridges.Limit{encodedLimit, edgeLimit, pixelLimit, decodedLimit, layerLimit, frameLimit, partsLimit, areaLimit, codecLimit, svgDepth, svgElements, svgDrawn, svgSegments, svgLayers, svgImages, itemLimit},
	Funcs: []bridges.Func{
		{Name: "image.bytes", Doc: "gives the encoded bytes", Result: "a Uint8Array",
			Params: []bridges.Param{imageParam("image")}, Call: operation(imageBytes)},
		{Name: "image.toAsset", Doc: "keeps a picture as an asset", Result: "a reference",
			Params: []bridges.Param{imageParam("image"), optionsParam}, Call: operation(imageToAsset)},
		{Name: "image.info", Doc: "reads the header", Result: "{ width, height, format, byteLength, orientation, frames, hasAlpha, depth, profile }",
			Params: []bridges.Param{imageParam("image")}, Call: operation(imageInfo)},
		{Name: "image.decode", Doc: "gives the pixels, straight RGBA", Result: "{ width, height, pixels }",
			Params: []bridges.Param{imageParam("image")}, Call: operation(imageDecode)},
		{Name: "image.stats", Doc: "measures the channels; with histogram", Result: "{ width, height, pixels, luminance, opaque, channels }",
			Params: []bridges.Param{imageParam("image"), optionsParam}, Call: operation(imageStats)},
		{Name: "image.blank", Doc: "makes a picture of one color" + encoding, Result: "a handle",
			Params: []bridges.Param{{Name: "width"}, {Name: "height"}, optionsParam}, Call: making(imageBlank)},
		{Name: "image.pad", Doc: "adds all, top, right, bottom and left pixels of color" + encoding, Result: "a handle",
			Params: []bridges.Param{imageParam("image"), optionsParam}, Call: making(imagePad)},
		{Name: "image.grid", Doc: "arranges pictures in columns with a gap" + encoding, Result: "a handle",
			Params: []bridges.Param{{Name: "images"}, optionsParam}, Call: making(imageGrid)},
		{Name: "image.resize", Doc: "resamples to width and height, by fit, anchor, kernel, linear, withoutEnlargement" + encoding, Result: "a handle",
			Params: []bridges.Param{imageParam("image"), optionsParam}, Call: making(imageResize)},
		{Name: "image.crop", Doc: "cuts out x, y, width, height" + encoding, Result: "a handle",
			Params: []bridges.Param{imageParam("image"), optionsParam}, Call: making(imageCrop)},
		{Name: "image.trim", Doc: "cuts off a border of one color, within threshold" + encoding, Result: "a handle",
			Params: []bridges.Param{imageParam("image"), optionsParam}, Call: making(imageTrim)},
		{Name: "image.rotate", Doc: "turns clockwise by degrees" + encoding, Result: "a handle",
			Params: []bridges.Param{imageParam("image"), {Name: "degrees"}, optionsParam}, Call: making(imageRotate)},
		{Name: "image.flip", Doc: "mirrors, horizontal by default, or vertical" + encoding, Result: "a handle",
			Params: []bridges.Param{imageParam("image"), optionsParam}, Call: making(imageFlip)},
		{Name: "image.adjust", Doc: "applies brightness, contrast, saturate, grayscale, sepia, invert, blur, hueRotate and opacity as CSS does" + encoding, Result: "a handle",
			Params: []bridges.Param{imageParam("image"), optionsParam}, Call: making(imageAdjust)},
		{Name: "image.sharpen", Doc: "sharpens by an unsharp mask of sigma, amount and threshold" + encoding, Result: "a handle",
			Params: []bridges.Param{imageParam("image"), optionsParam}, Call: making(imageSharpen)},
		{Name: "image.threshold", Doc: "makes pixels black or white by level, or each channel with perChannel" + encoding, Result: "a handle",
			Params: []bridges.Param{imageParam("image"), optionsParam}, Call: making(imageThreshold)},
		{Name: "image.mask", Doc: "hides what the alpha or luminance (mode) of mask hides, or shows it with invert" + encoding, Result: "a handle",
			Params: []bridges.Param{imageParam("image"), imageParam("mask"), optionsParam}, Call: making(imageMask)},
		{Name: "image.composite", Doc: "draws layers { image, x, y, width, height, opacity, blendMode }" + encoding, Result: "a handle",
			Params: []bridges.Param{imageParam("image"), {Name: "layers"}, optionsParam}, Call: making(imageComposite)},
		{Name: "image.convert", Doc: "encodes in another format" + encoding, Result: "a handle",
			Params: []bridges.Param{imageParam("image"), optionsParam}, Call: making(imageConvert)},
		{Name: "image.frames", Doc: "gives the frames of an animation, from first, at most count" + encoding, Result: "handles that also have delay, in milliseconds",
			Params: []bridges.Param{imageParam("image"), optionsParam}, Call: operation(imageFrames)},
		{Name: "image.animate", Doc: "makes an animation (format gif or png) of pictures, each shown for delay milliseconds, plays times", Result: "a handle",
			Params: []bridges.Param{{Name: "images"}, optionsParam}, Call: making(imageAnimate)},
		{Name: "image.text", Doc: "sets text in font and color, within width, with padding, align, lineHeight, maxLines and ellipsis" + encoding, Result: "a handle",
			Params: []bridges.Param{{Name: "text", Type: bridges.String}, optionsParam}, Call: making(imageText)},
		{Name: "image.release", Doc: "gives up a handle before the run ends", Result: "whether there was one", Quick: true,
			Params: []bridges.Param{{Name: "handle"}}, Call: operation(imageRelease)},

		// For handles of all kinds.
		{Name: "_mediaSize", Op: "byteLength", Sync: true, Params: []bridges.Param{{Name: "id", Type: bridges.String}}, Call: mediaSize},
		{Name: "_mediaLost", Op: "media", Sync: true, Params: []bridges.Param{{Name: "id", Type: bridges.String}}, Call: mediaLost},
	},
}
