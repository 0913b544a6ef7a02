package marshal

import (
	"slices"
	"sort"
	"unicode/utf8"
)

// splicer copies a Value into a message that is being written: containers, keys and
// blobs get new numbers.
type splicer struct {
	e       *encoder
	v       Value
	index   *index
	pos     int
	next    int      // number of the next container in the source
	nextKey int      // number of the next literal key in the source
	numbers []uint32 // new number of a container plus one, 0 while it has none
	keys    []uint32 // new number of a key, or noKey
}

func (e *encoder) splice(v Value) error {
	if len(v.wire) == 0 {
		e.buf = append(e.buf, TagUndefined)
		return nil
	}
	if v.pos == 0 && e.count == 0 && len(e.path) == 0 && !v.refs {
		// The value is all of the message: all numbers stay as they are. This is how rows
		// from a host module cross, for which copying piece by piece takes 2 ms a megabyte.
		return e.whole(v)
	}
	s := splicer{e: e, v: v, pos: int(v.pos)}
	if t := v.tag(); t < TagArray {
		return s.value()
	}
	s.index = v.getIndex()
	if v.refs {
		s.numbers = make([]uint32, len(s.index.containers))
	}
	s.keys = make([]uint32, len(s.index.keys))
	for i := range s.keys {
		s.keys[i] = noKey
	}
	s.seek(s.pos)
	return s.value()
}

// whole copies a message that becomes the message.
func (e *encoder) whole(v Value) error {
	for _, b := range v.blobs() {
		e.blobBytes += len(b)
	}
	if err := e.room(len(v.wire)); err != nil {
		return err
	}
	e.buf = append(e.buf, v.wire...)
	e.blobs = append(e.blobs, v.blobs()...)
	return nil
}

// seek goes to a container.
func (s *splicer) seek(pos int) {
	s.pos = pos
	s.next = s.index.number(pos)
	s.nextKey = sort.Search(len(s.index.keys), func(i int) bool { return int(s.index.keys[i].start) > pos })
}

// copy copies the source up to end.
func (s *splicer) copy(end int) error {
	if err := s.e.room(end - s.pos); err != nil {
		return err
	}
	s.e.buf = append(s.e.buf, s.v.wire[s.pos:end]...)
	s.pos = end
	return nil
}

func (s *splicer) value() error {
	e, w := s.e, s.v.wire
	tag := w[s.pos]
	switch {
	case tag == TagRef:
		n, end := uvarintAt(w, s.pos+1)
		if to := s.numbers[n]; to != 0 {
			if e.opt.RefuseCycles && slices.Contains(e.open, to-1) {
				return e.fail(ErrCycle)
			}
			e.buf = append(e.buf, TagRef)
			e.uvarint(uint64(to - 1))
		} else {
			// The container lies outside the copied value: it comes here.
			next, nextKey := s.next, s.nextKey
			s.seek(int(s.index.containers[n]))
			if err := s.value(); err != nil {
				return err
			}
			s.next, s.nextKey = next, nextKey
		}
		s.pos = end
		return nil
	case tag < TagArray || tag > TagBlob:
		return s.copy(skip(w, s.pos))
	}
	if s.numbers != nil {
		s.numbers[s.next] = e.count + 1
	}
	s.next++
	if err := e.begin(tag); err != nil {
		return err
	}
	s.pos++
	switch tag {
	case TagArray, TagSet, TagMap:
		n, pos := uvarintAt(w, s.pos)
		s.pos = pos
		e.uvarint(uint64(n))
		if tag == TagMap {
			n *= 2
		}
		for ; n > 0; n-- {
			if err := s.value(); err != nil {
				return err
			}
		}
	case TagObject, TagError:
		if tag == TagError {
			if err := s.copy(skipTexts(w, s.pos)); err != nil {
				return err
			}
		}
		if err := s.entries(); err != nil {
			return err
		}
	case TagBlob:
		_, b, end := s.v.byteRange(s.pos - 1)
		if err := e.room(len(b)); err != nil {
			return err
		}
		e.buf = append(e.buf, w[s.pos])
		e.uvarint(uint64(len(e.blobs)))
		e.blobs = append(e.blobs, b)
		e.blobBytes += len(b)
		s.pos = end
	default:
		if err := s.copy(skip(w, s.pos-1)); err != nil {
			return err
		}
	}
	e.end()
	return nil
}

func (s *splicer) entries() error {
	w := s.v.wire
	for {
		code, pos := uvarintAt(w, s.pos)
		s.pos = pos
		switch {
		case code == 0:
			s.e.buf = append(s.e.buf, 0)
			return nil
		case code&1 != 0:
			n := code >> 1
			if to := s.keys[n]; to != noKey {
				s.e.uvarint(uint64(to)<<1 | 1)
				break
			}
			span := s.index.keys[n]
			to, err := s.e.rawKey(w[span.start:span.end])
			if err != nil {
				return err
			}
			s.keys[n] = to
		default:
			end := s.pos + code>>1 - 1
			to, err := s.e.rawKey(w[s.pos:end])
			if err != nil {
				return err
			}
			s.pos = end
			if s.nextKey < len(s.keys) {
				s.keys[s.nextKey] = to
				s.nextKey++
			}
		}
		if err := s.value(); err != nil {
			return err
		}
	}
}

// rawKey is key for a text of a message, which may hold lone surrogates.
func (e *encoder) rawKey(b []byte) (uint32, error) {
	if n, ok := e.keys[string(b)]; ok {
		e.uvarint(uint64(n)<<1 | 1)
		return n, nil
	}
	if utf8.Valid(b) {
		return e.key(string(b))
	}
	if err := e.room(len(b) + 16); err != nil {
		return 0, err
	}
	e.uvarint(2 * (uint64(len(b)) + 1))
	e.buf = append(e.buf, b...)
	if e.nkeys >= MaxKeys {
		return noKey, nil
	}
	e.nkeys++
	return e.nkeys - 1, nil
}
