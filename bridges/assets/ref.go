package assets

import (
	"strings"

	"quicksand/bridges"
	"quicksand/internal/marshal"
)

// A ref is what a guest's reference says.
type ref struct {
	kind string // its type: "image", "audio", "video", "document" and so on
	// uri is the place that counts, or "". id is the asset_id, or "".
	uri, id string
	mime    string // explicit, or ""
	// data is the field data, undefined without it.
	data bridges.Value
	// shown is the field uri, for media.info.
	shown string
}

// parseRef reads a reference, or text that names a place. Handles are none.
func parseRef(op string, v bridges.Value) (*ref, error) {
	if s, ok := v.Str(); ok && isPlace(strings.TrimSpace(s)) {
		s = strings.TrimSpace(s)
		return &ref{kind: "document", uri: s, shown: s}, nil
	}
	if v.Kind() != marshal.KindObject {
		return nil, bridges.TypeErrorf(op, "expected a media ref object")
	}
	str := func(key string) string { s, _ := v.Field(key).Str(); return strings.TrimSpace(s) }
	r := &ref{kind: str("type"), id: str("asset_id"), data: v.Field("data"), mime: str("mimeType")}
	r.shown, _ = v.Field("uri").Str()
	if r.kind == "" || len(r.kind) > 64 {
		r.kind = "document"
	}
	if r.mime == "" {
		r.mime = str("mime_type")
	}
	if len(r.mime) > maxName || !validMIME.MatchString(r.mime) {
		r.mime = ""
	}
	places := []string{str("asset_uri"), r.id, str("url"), strings.TrimSpace(r.shown)}
	for _, p := range places {
		if isPlace(p) && !strings.HasPrefix(p, "file://") {
			r.uri = p
			return r, nil
		}
	}
	for _, p := range append([]string{r.id}, places...) {
		if p != "" {
			r.uri = p
			break
		}
	}
	return r, nil
}

// isPlace reports whether text names a place by itself, as a URI or a key of the storage.
func isPlace(s string) bool {
	return strings.Contains(s, "://") || strings.HasPrefix(s, "/api/") || hasScheme(s, "data:")
}

const storagePrefix = "/api/storage/"

// hasScheme reports whether s begins with scheme, in any case.
func hasScheme(s, scheme string) bool {
	return len(s) >= len(scheme) && strings.EqualFold(s[:len(scheme)], scheme)
}

// what names a reference in errors.
func (r *ref) what() string {
	switch {
	case r.uri != "" && r.uri != r.id:
		return cut(r.uri)
	case r.id != "":
		return "asset " + cut(r.id)
	case !r.data.IsUndefined():
		return "the data of the " + r.kind + " ref"
	}
	return article(r.kind) + " " + r.kind + " ref with no uri, asset_id, or data"
}

func article(word string) string {
	if strings.ContainsRune("aeiou", rune(word[0]|0x20)) {
		return "an"
	}
	return "a"
}

// cut is the first 200 characters of a text.
func cut(s string) string {
	n := 0
	for i := range s {
		if n == 200 {
			return s[:i] + "…"
		}
		n++
	}
	return s
}
