package assets

import (
	"bytes"
	"regexp"
	"strings"
)

// types are the MIME types by extension. The first extension of a type is the one that
// files of it get. It is our own table, so that no machine's differs.
var types = []struct{ extension, mime string }{
	{"json", "application/json"}, {"bin", "application/octet-stream"}, {"pdf", "application/pdf"}, {"zip", "application/zip"},
	{"aac", "audio/aac"}, {"flac", "audio/flac"}, {"m4a", "audio/mp4"}, {"mp3", "audio/mpeg"}, {"ogg", "audio/ogg"}, {"wav", "audio/wav"}, {"wav", "audio/x-wav"},
	{"avif", "image/avif"}, {"bmp", "image/bmp"}, {"gif", "image/gif"}, {"jpg", "image/jpeg"}, {"jpeg", "image/jpeg"}, {"png", "image/png"}, {"svg", "image/svg+xml"}, {"webp", "image/webp"},
	{"csv", "text/csv"}, {"html", "text/html"}, {"htm", "text/html"}, {"md", "text/markdown"}, {"txt", "text/plain"},
	{"mp4", "video/mp4"}, {"mov", "video/quicktime"}, {"webm", "video/webm"}, {"mkv", "video/x-matroska"}, {"avi", "video/x-msvideo"},
}

// MIMEByName is the MIME type that the extension of a file name, path or URI means, or "".
// Query and fragment of a URI do not count.
func MIMEByName(name string) string {
	if strings.Contains(name, "://") {
		if i := strings.IndexAny(name, "?#"); i >= 0 {
			name = name[:i]
		}
	}
	ext := extension(name)
	for _, t := range types {
		if ext != "" && t.extension == ext {
			return t.mime
		}
	}
	return ""
}

// extension is what follows the last dot of the last name of a path, in lower case.
func extension(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	if i := strings.LastIndexByte(name, '.'); i >= 0 && len(name)-i <= 9 {
		return strings.ToLower(name[i+1:])
	}
	return ""
}

// extensionFor is the extension for a file of a type: its name's, if that is a known one,
// else the type's, else "bin".
func extensionFor(name, mime string) string {
	if MIMEByName(name) != "" {
		return extension(name)
	}
	mime = essence(mime)
	for _, t := range types {
		if t.mime == mime {
			return t.extension
		}
	}
	return "bin"
}

// essence is a MIME type without parameters, in lower case.
func essence(mime string) string {
	mime, _, _ = strings.Cut(mime, ";")
	return strings.ToLower(strings.TrimSpace(mime))
}

// validMIME is a MIME type as RFC 2045 writes it.
var validMIME = regexp.MustCompile(`^[!#$%&'*+.^_{|}~0-9A-Za-z-]+/[!#$%&'*+.^_{|}~0-9A-Za-z-]+( *; *[!#$%&'*+.^_{|}~0-9A-Za-z-]+=([!#$%&'*+.^_{|}~0-9A-Za-z-]+|"[ -!#-\[\]-~]*"))*$`)

// kindOf is the type of a reference to something of a MIME type.
func kindOf(mime string) string {
	switch kind, _, _ := strings.Cut(essence(mime), "/"); kind {
	case "image", "audio", "video":
		return kind
	}
	return "document"
}

// defaultMIME is the MIME type of a kind when nothing says more.
func defaultMIME(kind string) string {
	switch kind {
	case "image":
		return "image/png"
	case "audio":
		return "audio/mpeg"
	case "video":
		return "video/mp4"
	}
	return "application/octet-stream"
}

// Sniff is the MIME type that the first bytes of data mean for an image, audio or video
// (the value of kind), or "". The same container can be of several kinds.
func Sniff(kind string, data []byte) string {
	at := func(i int, magic string) bool { return len(data) >= i && bytes.HasPrefix(data[i:], []byte(magic)) }
	switch kind {
	case "image":
		switch {
		case at(0, "\x89PNG"):
			return "image/png"
		case at(0, "\xff\xd8\xff"):
			return "image/jpeg"
		case at(0, "GIF8"):
			return "image/gif"
		case at(0, "RIFF") && at(8, "WEBP"):
			return "image/webp"
		case at(4, "ftypavif"), at(4, "ftypavis"):
			return "image/avif"
		}
	case "audio":
		switch {
		case at(0, "RIFF") && at(8, "WAVE"):
			return "audio/wav"
		case at(0, "fLaC"):
			return "audio/flac"
		case at(0, "OggS"):
			return "audio/ogg"
		case at(0, "ID3"), len(data) >= 2 && data[0] == 0xff && data[1]&0xe0 == 0xe0:
			return "audio/mpeg"
		case at(4, "ftyp"):
			return "audio/mp4"
		}
	case "video":
		switch {
		case at(0, "RIFF") && at(8, "AVI "):
			return "video/x-msvideo"
		case at(0, "\x1a\x45"):
			if bytes.Contains(data[:min(len(data), 64)], []byte("webm")) {
				return "video/webm"
			}
			return "video/x-matroska"
		case at(4, "ftypqt  "):
			return "video/quicktime"
		case at(4, "ftyp"):
			return "video/mp4"
		}
	}
	return ""
}
