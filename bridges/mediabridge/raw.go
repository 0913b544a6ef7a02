package mediabridge

import (
	"quicksand/bridges"
	"quicksand/media/image"
)

// rawTypes are the media types of pixels without a file around them.
var rawTypes = map[string]bool{"image/x-raw-rgba": true, "image/raw-rgba": true, "image/x-rgba": true, "image/rgba": true}

// raw makes a PNG file of a raw RGBA value: an object with the type image, one of rawTypes as
// its mimeType, width, height, and data of 4·width·height bytes, straight RGBA by rows.
// Anything else is not ok.
func (k *call) raw(v bridges.Value) (file []byte, ok bool, err error) {
	mime, _ := v.Field("mimeType").Str()
	if mime == "" {
		mime, _ = v.Field("mime_type").Str()
	}
	if kind, _ := v.Field("type").Str(); kind != "image" || !rawTypes[mime] {
		return nil, false, nil
	}
	width, _ := v.Field("width").Int()
	height, _ := v.Field("height").Int()
	data, _ := v.Field("data").Bytes()
	if width < 1 || height < 1 || width > image.MaxEdge || height > image.MaxEdge || int64(len(data)) != 4*width*height {
		return nil, false, nil
	}
	if err := checkSize(k.op, int(width), int(height)); err != nil {
		return nil, false, err
	}
	n := int64(len(data))
	if err := k.Reserve(n); err != nil {
		return nil, false, err
	}
	defer k.Release(n)
	s := image.New(int(width), int(height))
	copy(s.Pix, data)
	image.Premultiply(s.Pix)
	file, err = image.FromSurface(s).Encode(k.ctx, image.PNG, [4]uint8{}, image.EncodeOptions{})
	return file, err == nil, err
}
