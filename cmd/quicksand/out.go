package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"quicksand"
)

// outDir is where --out puts media. Names come from the program, so that only a root opens
// them.
type outDir struct {
	path string
	root *os.Root
	used map[string]bool
}

func openOut(path string) (*outDir, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	return &outDir{path, root, make(map[string]bool)}, nil
}

func (d *outDir) close() { d.root.Close() }

// write makes a file of a medium and returns its path. A file of an earlier run is replaced.
func (d *outDir) write(_ context.Context, m quicksand.Medium) (any, error) {
	base, ext := fileName(m.From), extensions[m.MIME]
	if ext == "" {
		ext = ".bin"
	}
	name := base + ext
	for i := 2; d.used[strings.ToLower(name)]; i++ {
		name = base + "-" + strconv.Itoa(i) + ext
	}
	d.used[strings.ToLower(name)] = true
	if err := d.root.WriteFile(name, m.Data, 0o666); err != nil {
		return nil, err
	}
	return filepath.Join(d.path, name), nil
}

// fileName makes a name of where a medium was: "result", or what an output is called.
func fileName(from string) string {
	for _, kind := range []string{"output ", "emit "} {
		if name, ok := strings.CutPrefix(from, kind); ok {
			from = name
			break
		}
	}
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return '_'
	}, from)
	if name = strings.Trim(name, "_"); name == "" {
		return "media"
	}
	return name[:min(len(name), 60)]
}

// extensions are those of files, by MIME type.
var extensions = map[string]string{
	"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp", "image/avif": ".avif", "image/gif": ".gif", "image/jxl": ".jxl",
	"audio/wav": ".wav", "audio/mpeg": ".mp3", "audio/flac": ".flac", "audio/ogg": ".ogg", "audio/mp4": ".m4a", "audio/aac": ".aac",
	"video/mp4": ".mp4", "video/webm": ".webm", "video/quicktime": ".mov", "video/x-matroska": ".mkv",
}
