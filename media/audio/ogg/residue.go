package ogg

// A residue is how the lines of a block are coded, in partitions (Vorbis I §8).
type residue struct {
	kind       int
	begin, end int
	size       int // of a partition
	classes    int
	book       *codebook
	books      [][8]*codebook // by class and pass, nil for none
	passes     int
}

func (s *residue) read(r *bitReader, books []codebook) error {
	s.kind = r.bits(16)
	s.begin, s.end, s.size = r.bits(24), r.bits(24), r.bits(24)+1
	s.classes = r.bits(6) + 1
	book := r.bits(8)
	if s.kind > 2 || s.begin > s.end || book >= len(books) {
		return errVorbis
	}
	s.book = &books[book]
	// All combinations of classes must have an entry.
	if s.book.dims == 0 || !power(s.classes, s.book.dims, s.book.entries) {
		return errVorbis
	}
	cascade := make([]int, s.classes)
	for i := range cascade {
		cascade[i] = r.bits(3)
		if r.bit() {
			cascade[i] |= r.bits(5) << 3
		}
	}
	s.books = make([][8]*codebook, s.classes)
	for i, c := range cascade {
		for pass := range 8 {
			if c>>pass&1 == 0 {
				continue
			}
			book := r.bits(8)
			if book >= len(books) || books[book].values == nil || s.kind == 0 && s.size%books[book].dims != 0 {
				return errVorbis
			}
			s.books[i][pass] = &books[book]
			s.passes = max(s.passes, pass+1)
		}
	}
	if r.over() {
		return errVorbis
	}
	return nil
}

// decode adds to the vectors, which are all of one length. A nil one is not in the packet.
// classes is memory for its work. It stops where the packet ends.
func (s *residue) decode(r *bitReader, vectors [][]float32, n int, classes *[]uint8) {
	begin, end := min(s.begin, n), min(s.end, n)
	count := (end - begin) / s.size
	words := s.book.dims
	stride := count + words
	if need := stride * len(vectors); cap(*classes) < need {
		*classes = make([]uint8, need)
	}
	class := (*classes)[:cap(*classes)]
	for pass := range s.passes {
		for p := 0; p < count; {
			if pass == 0 {
				for v, vector := range vectors {
					if vector == nil {
						continue
					}
					e, ok := s.book.decode(r)
					if !ok {
						return
					}
					for i := words - 1; i >= 0; i-- {
						class[v*stride+p+i] = uint8(e % s.classes)
						e /= s.classes
					}
				}
			}
			for to := min(p+words, count); p < to; p++ {
				for v, vector := range vectors {
					if vector == nil {
						continue
					}
					book := s.books[class[v*stride+p]][pass]
					if book == nil {
						continue
					}
					from := begin + p*s.size
					part := vector[from : from+s.size]
					if s.kind == 0 {
						if !book.addSpread(r, part) {
							return
						}
					} else if !book.add(r, part) {
						return
					}
				}
			}
		}
	}
}

// add reads vectors one after the other.
func (b *codebook) add(r *bitReader, part []float32) bool {
	for len(part) > 0 {
		// This is decode, whose call is too much here.
		w, e := r.peek(), 0
		if t := b.table[w&(1<<firstBits-1)]; t != 0 {
			r.pos += int(t & 63)
			e = int(t >> 6)
		} else {
			e, _ = b.search(r, w)
		}
		if r.over() || e >= b.entries {
			return false
		}
		v := b.values[e*b.dims : (e+1)*b.dims]
		if len(v) > len(part) {
			v = v[:len(part)]
		}
		for i, x := range v {
			part[i] += x
		}
		part = part[len(v):]
	}
	return true
}

// addSpread reads vectors whose values are spread over the part.
func (b *codebook) addSpread(r *bitReader, part []float32) bool {
	step := len(part) / b.dims
	for i := range step {
		e, ok := b.decode(r)
		if !ok {
			return false
		}
		for k, x := range b.values[e*b.dims : (e+1)*b.dims] {
			part[i+k*step] += x
		}
	}
	return true
}
