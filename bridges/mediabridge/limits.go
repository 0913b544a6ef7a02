package mediabridge

import (
	"quicksand/bridges"
	"quicksand/canvas/svg"
	"quicksand/media"
	"quicksand/media/image"
)

// The fixed limits, besides those of package image.
const (
	maxDecoded = 8 << 20 // pixels of image.decode
	maxLayers  = 64      // layers of one composite, images of one grid or animation
	maxFrames  = 1000    // frames that one call gives
)

func fixed(name, unit string, n int64, doc string) bridges.Limit {
	return bridges.Limit{Name: name, Unit: unit, Default: n, Floor: n, Ceiling: n, Doc: doc + " (fixed)"}
}

var (
	encodedLimit = fixed("ImageBytes", "bytes", image.MaxEncoded, "one encoded picture that is read")
	edgeLimit    = fixed("ImageEdge", "pixels", image.MaxEdge, "width and height of a picture that is read or made, by its header before it is decoded")
	pixelLimit   = fixed("ImagePixels", "pixels", image.MaxPixels, "width times height of a picture that is read or made, by its header before it is decoded")
	decodedLimit = fixed("ImageDecode", "pixels", maxDecoded, "width times height of a picture for image.decode")
	layerLimit   = fixed("ImageLayers", "images", maxLayers, "layers of image.composite, and images of image.grid")
	frameLimit   = fixed("ImageFrames", "images", maxFrames, "frames that image.frames gives and image.animate takes in one call")
	partsLimit   = fixed("AnimationFrames", "images", image.MaxFrames, "frames of an animation that is read or written")
	areaLimit    = fixed("AnimationPixels", "pixels", image.MaxFramePixels, "the areas of all frames of an animation together")
	codecLimit   = fixed("ImageCodec", "bytes", image.MaxCodecMemory, "memory of one AVIF, JPEG XL or lossy WebP codec at work; two work at one time, or as many as there are processors")
	svgDepth     = fixed("SVGDepth", "elements", svg.MaxDepth, "elements within each other of an SVG document")
	svgElements  = fixed("SVGElements", "elements", svg.MaxElements, "elements of an SVG document, and separately pieces of text")
	svgDrawn     = fixed("SVGDrawn", "elements", svg.MaxDrawn, "elements of an SVG document that are drawn, each use counting again")
	svgSegments  = fixed("SVGSegments", "segments", svg.MaxSegments, "segments of all paths of an SVG document")
	svgLayers    = fixed("SVGLayers", "pixels", svg.MaxLayerPixels, "pixels of all layers of an SVG document: groups with opacity, masks, filters, patterns")
	svgImages    = fixed("SVGImages", "pixels", svg.MaxImagePixels, "pixels of all pictures within an SVG document")
	itemLimit    = fixed("MediaItems", "media", media.MaxItems, "handles of a run at one time")
)
