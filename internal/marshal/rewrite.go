package marshal

import "encoding/binary"

// Rewrite returns m with some of its texts and bytes replaced: text gets the string
// values, keys, and texts of errors and regular expressions, bytes the byte ranges. They
// return what comes instead, or nil for what stays; bytes must return as many bytes as it
// got, so that elements stay whole. Both get parts of m, which they must not change. m must
// have passed Decode or come from Encode. The result may share memory with m.
//
// A text that holds a lone surrogate is in the generalized form, see the package comment.
func Rewrite(m Message, text, bytes func([]byte) []byte) Message {
	r := rewriter{w: m.Wire, text: text, bytes: bytes}
	if len(r.w) > 0 {
		r.value()
	}
	if r.copied > 0 {
		m.Wire = append(r.out, r.w[r.copied:]...)
	}
	shared := true
	for i, b := range m.Blobs {
		if with := bytes(b); with != nil {
			if shared {
				m.Blobs, shared = append([][]byte(nil), m.Blobs...), false
			}
			m.Blobs[i] = with
		}
	}
	return m
}

// rewriter reads w and writes what it has read of it, up to copied, to out.
type rewriter struct {
	w, out      []byte
	pos, copied int
	text, bytes func([]byte) []byte
}

// replaceText reads a text, whose length is at pos.
func (r *rewriter) replaceText(with func([]byte) []byte) {
	b, end := textAt(r.w, r.pos)
	if s := with(b); s != nil {
		r.out = append(r.out, r.w[r.copied:r.pos]...)
		r.out = binary.AppendUvarint(r.out, uint64(len(s)))
		r.out = append(r.out, s...)
		r.copied = end
	}
	r.pos = end
}

func (r *rewriter) value() {
	tag := r.w[r.pos]
	switch tag {
	case TagString:
		r.pos++
		r.replaceText(r.text)
	case TagRegExp:
		r.pos++
		r.replaceText(r.text)
		r.replaceText(r.text)
	case TagBytes:
		r.pos += 2
		r.replaceText(r.bytes)
	case TagArray, TagSet, TagMap:
		var n int
		n, r.pos = uvarintAt(r.w, r.pos+1)
		if tag == TagMap {
			n *= 2
		}
		for ; n > 0; n-- {
			r.value()
		}
	case TagObject, TagError:
		r.pos++
		if tag == TagError {
			for range 3 {
				r.replaceText(r.text)
			}
		}
		r.entries()
	default:
		r.pos = skip(r.w, r.pos)
	}
}

func (r *rewriter) entries() {
	for {
		code, pos := uvarintAt(r.w, r.pos)
		if code > 0 && code&1 == 0 {
			end := pos + code>>1 - 1
			if s := r.text(r.w[pos:end]); s != nil {
				r.out = append(r.out, r.w[r.copied:r.pos]...)
				r.out = binary.AppendUvarint(r.out, 2*(uint64(len(s))+1))
				r.out = append(r.out, s...)
				r.copied = end
			}
			pos = end
		}
		r.pos = pos
		if code == 0 {
			return
		}
		r.value()
	}
}
