package svg

import (
	"bytes"
	"context"

	"quicksand/media/image"
)

func init() {
	image.RegisterDecoder(image.SVG, image.Decoder{Config: config, Decode: decode})
}

func config(data []byte) (image.Info, error) {
	root, err := readRoot(data)
	if err != nil {
		return image.Info{}, err
	}
	w, h := intrinsic(root)
	info := image.Info{Format: image.SVG, Width: pixels(w), Height: pixels(h), Frames: 1, Depth: 8, Alpha: true}
	if image.CheckSize(info.Width, info.Height) == nil {
		info.Scratch = scratch(data, info.Width, info.Height)
	}
	return info, nil
}

// scratch is what parsing and drawing take, in bytes: of the document what its elements and
// attributes can become, and layers and pictures where there can be any.
func scratch(data []byte, width, height int) int64 {
	n := int64(len(data)) + 400*int64(min(bytes.Count(data, []byte("<")), MaxElements)) + 100*int64(min(bytes.Count(data, []byte("=")), MaxAttributes))
	for _, word := range []string{"opacity", "mask", "filter", "blend", "isolat", "pattern", "clip"} {
		if bytes.Contains(data, []byte(word)) {
			n += 4 * liveLayers(width, height)
			break
		}
	}
	if bytes.Contains(data, []byte("<image")) || bytes.Contains(data, []byte(":image")) {
		n += maxPictureBytes
	}
	return n
}

func decode(ctx context.Context, data []byte, _ int) (*image.Surface, error) {
	d, err := Parse(data)
	if err != nil {
		return nil, err
	}
	return d.Render(ctx, pixels(d.width), pixels(d.height), Options{})
}
