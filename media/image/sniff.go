package image

import "bytes"

// A Format is a file format, by the name that guests see.
type Format string

// Formats that Sniff tells apart.
const (
	PNG     Format = "png"
	JPEG    Format = "jpeg"
	GIF     Format = "gif"
	BMP     Format = "bmp"
	WebP    Format = "webp"
	AVIF    Format = "avif"
	HEIC    Format = "heic"
	SVG     Format = "svg"
	TIFF    Format = "tiff"
	JXL     Format = "jxl"
	Unknown Format = "unknown"
)

// MIME is the format's media type.
func (f Format) MIME() string {
	switch f {
	case SVG:
		return "image/svg+xml"
	case Unknown:
		return "application/octet-stream"
	}
	return "image/" + string(f)
}

// Sniff tells the format of a file by its first bytes. That it has a format does not mean
// that it is well formed.
func Sniff(data []byte) Format {
	has := func(at int, magic string) bool {
		return len(data) >= at+len(magic) && string(data[at:at+len(magic)]) == magic
	}
	switch {
	case has(0, "\x89PNG"):
		return PNG
	case has(0, "\xFF\xD8\xFF"):
		return JPEG
	case has(0, "GIF"):
		return GIF
	case has(0, "BM"):
		return BMP
	case has(0, "RIFF") && has(8, "WEBP"):
		return WebP
	case has(4, "ftyp"):
		switch {
		case has(8, "avif"), has(8, "avis"):
			return AVIF
		case has(8, "heic"), has(8, "heix"), has(8, "mif1"):
			return HEIC
		}
	case has(0, "II*\x00"), has(0, "MM\x00*"):
		return TIFF
	case has(0, "\xFF\x0A"), has(0, "\x00\x00\x00\x0CJXL \r\n\x87\n"):
		return JXL
	}
	if isSVG(data) {
		return SVG
	}
	return Unknown
}

// isSVG reports whether data is text that begins with an XML declaration, or with a root
// element svg after comments, processing instructions and a document type.
func isSVG(data []byte) bool {
	t := bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	for {
		t = bytes.TrimLeft(t, " \t\r\n")
		has := func(prefix string) bool { return bytes.HasPrefix(t, []byte(prefix)) }
		var end string
		switch {
		case has("<svg"), has("<?xml"), has("<!DOCTYPE svg"):
			return true
		case has("<!--"):
			end = "-->"
		case has("<?"):
			end = "?>"
		default:
			return false
		}
		at := bytes.Index(t, []byte(end))
		if at < 0 {
			return false
		}
		t = t[at+len(end):]
	}
}
