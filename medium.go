package quicksand

import (
	"bytes"

	"quicksand/bridges"
	"quicksand/internal/marshal"
)

// A Medium is a picture, sound or film that leaves a run.
type Medium struct {
	// From is where: "result", "output NAME" or "emit NAME", the first that had it.
	From string
	// ID is unique in the run: "m1".
	ID string
	// Type is "image", "audio" or "video", and MIME the type of Data.
	Type, MIME    string
	Width, Height int // pixels, 0 for sounds
	// Data are the encoded bytes, which must not be changed.
	Data []byte
}

// handOut gives media whose handles are in a value to Options.OnMedia, and puts what that
// returns in their places. Handles that name nothing stay.
func (r *run) handOut(what string, m marshal.Message) (marshal.Message, error) {
	if r.opts.OnMedia == nil || r.bridges == nil || !bytes.Contains(m.Wire, []byte(bridges.HandleMark)) {
		return m, nil
	}
	v, err := marshal.Decode(m)
	if err != nil {
		return m, &Error{Kind: KindInternal, Op: what, Message: "the value cannot be read", Err: err}
	}
	h := handing{run: r, what: what, seen: make(map[any]bool)}
	x := h.value(v.Ordered())
	if h.err != nil || !h.changed {
		return m, h.err
	}
	out, err := marshal.Encode(x, marshal.EncodeOptions{Path: what, MaxSize: r.limits.Memory})
	if err != nil {
		return m, &Error{Kind: KindInternal, Op: what, Message: "what stands for media cannot be encoded", Err: err}
	}
	return out, nil
}

// handing is one handOut.
type handing struct {
	run     *run
	what    string
	seen    map[any]bool // containers, by pointer
	changed bool
	err     error
}

// value is what stands for a value. Containers are changed in place.
func (h *handing) value(v any) any {
	switch c := v.(type) {
	case *Object:
		if id, ok := c.Get(bridges.HandleMark); ok {
			if id, ok := id.(string); ok {
				if x := h.medium(id); x != nil {
					h.changed = true
					return x
				}
				return v
			}
		}
		if h.seen[c] {
			return v
		}
		h.seen[c] = true
		for i := range c.Entries {
			c.Entries[i].Value = h.value(c.Entries[i].Value)
		}
	case []any:
		if len(c) == 0 || h.seen[&c[0]] {
			return v
		}
		h.seen[&c[0]] = true
		for i := range c {
			c[i] = h.value(c[i])
		}
	case *Map:
		if h.seen[c] {
			return v
		}
		h.seen[c] = true
		for i := range c.Entries {
			c.Entries[i].Value = h.value(c.Entries[i].Value)
		}
	case *Set:
		if h.seen[c] {
			return v
		}
		h.seen[c] = true
		for i := range c.Values {
			c.Values[i] = h.value(c.Values[i])
		}
	}
	return v
}

// medium is what stands for a handle, or nil.
func (h *handing) medium(id string) any {
	r := h.run
	if x, known := r.handed[id]; known || h.err != nil {
		return x
	}
	m, err := r.bridges.session.Medium(h.what, id, "")
	if err != nil {
		return nil
	}
	out := Medium{From: h.what, ID: m.ID, Type: m.Kind, MIME: m.MIME, Width: m.Width, Height: m.Height}
	var x any
	if out.Data, err = m.Bytes(r.syncWork); err == nil {
		x, err = r.opts.OnMedia(r.syncWork, out)
	}
	if err != nil {
		h.err = &Error{Kind: KindInternal, Op: h.what, Message: "the host did not take " + bridges.HandleURI + m.ID, Err: err}
		return nil
	}
	if r.handed == nil {
		r.handed = make(map[string]any)
	}
	r.handed[id] = x
	return x
}
