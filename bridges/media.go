package bridges

import (
	"context"
	"strings"
	"sync/atomic"

	"quicksand/internal/meter"
)

// HandleMark is the key that makes an object of a guest a handle: the id of a medium which
// the host keeps for the run. HandleURI is how the uri of a handle begins.
const (
	HandleMark = "__nodetool_sandbox_media__"
	HandleURI  = "sandbox://media/"
)

// HandleID is the id of a handle: of an object with the mark, or of its uri.
func HandleID(v Value) (id string, ok bool) {
	if id, ok = v.Field(HandleMark).Str(); ok {
		return id, true
	}
	s, isText := v.Str()
	if !isText {
		s, _ = v.Field("uri").Str()
	}
	return strings.CutPrefix(strings.TrimSpace(s), HandleURI)
}

// A Medium is a picture, sound or film which the host keeps for a run.
type Medium struct {
	ID            string
	Kind          string // "image", "audio" or "video"
	MIME          string
	Width, Height int // pixels, 0 for sounds
	// Bytes is the encoded medium, which must not be changed. It is encoded at the first
	// call. It works as long as the run has not ended.
	Bytes func(ctx context.Context) ([]byte, error)
}

var mediaOf atomic.Pointer[func(s *Session, op, id, kind string) (*Medium, error)]

// ServeMedia sets how handles are looked up; the package that makes them calls it when it is
// initialized. An empty kind is any.
func ServeMedia(find func(s *Session, op, id, kind string) (*Medium, error)) { mediaOf.Store(&find) }

// Medium is what a handle of the run names. It must be of the kind, where that is not
// empty. op is the function for which it is looked up.
func (s *Session) Medium(op, id, kind string) (*Medium, error) {
	find := mediaOf.Load()
	if find == nil {
		return nil, NoMedium(op, id)
	}
	return (*find)(s, op, id, kind)
}

// CodeHandle is the code of the errors for handles that name nothing, or something else than
// is asked for.
const CodeHandle = "ERR_MEDIA_HANDLE"

// NoMedium is the error for a handle that names nothing.
func NoMedium(op, id string) *Error {
	if len(id) > 40 {
		id = strings.ToValidUTF8(id[:40], "") + "…"
	}
	return &Error{Op: op, Code: CodeHandle, Message: HandleURI + id +
		" is not available in this run: a handle only lives for the action that produced it; save it as an asset to keep it"}
}

// Media is the budget of the run's media: what the host holds of them, encoded and decoded,
// counts against it.
func (s *Session) Media() *meter.Budget { return s.media }

// AsBytes is the content of a value that a parameter of type Bytes would take.
func AsBytes(v Value) (b []byte, ok bool) {
	if !holdsBytes(v) {
		return nil, false
	}
	return bytesOf(v), true
}

// OptionsOf are the fields of an object inside of an argument, none of anything else.
func OptionsOf(v Value) Options { return Options{v} }
