package ogg

import "bytes"

// maxPacket is the most bytes of a packet that are looked at. Packets of audio have at most
// some kilobytes, and a setup header some tens of them; only comments are larger, because
// they carry pictures, and nobody looks at those here.
const maxPacket = 1 << 20

// A packet of a stream. Its data is valid until the next one is read.
type packet struct {
	data []byte
	// granule is that of the page if this is the last packet that ends on it, else −1.
	granule int64
	// end says that this packet is the last of the stream.
	end bool
	// large says that data is not all of it.
	large bool
}

// packets reads the packets of one stream.
type packets struct {
	pages   pages
	serial  uint32
	page    page
	seg     int // of page.lacing, the next one
	off     int // of page.body
	final   int // the segment at which the last packet of the page ends, −1 without one
	loaded  bool
	body    bool // pages behind the first ones of all streams have been read
	partial []byte
	open    bool // partial is the beginning of a packet, even if it is empty
	large   bool
	joined  []byte // memory for partial
	next32  uint32 // the number of the next page
	done    bool
}

// stream finds the first stream whose first packet begins with magic. It returns that packet
// too, and nil if there is none.
func stream(data []byte, magic string) (*packets, []byte) {
	r := pages{data: data}
	for {
		p, ok := r.next()
		if !ok || p.flags&first == 0 {
			return nil, nil
		}
		if bytes.HasPrefix(p.body, []byte(magic)) {
			s := &packets{pages: pages{data: data}, serial: p.serial}
			head, ok := s.next()
			if !ok {
				return nil, nil
			}
			return s, head.data
		}
	}
}

// next reports false at the end of the stream. That is where its last page ends, where another
// file of a chain begins, or the end of the file.
func (s *packets) next() (packet, bool) {
	for {
		if !s.loaded && !s.load() {
			return packet{}, false
		}
		from := s.off
		for s.seg < len(s.page.lacing) {
			n := int(s.page.lacing[s.seg])
			s.seg++
			s.off += n
			if n == 255 {
				continue
			}
			p := packet{data: s.page.body[from:s.off], granule: -1}
			if s.open {
				s.add(p.data)
				p.data, p.large = s.partial, s.large
				s.open, s.large = false, false
			}
			if s.seg-1 == s.final {
				p.granule = s.page.granule
				p.end = s.page.flags&last != 0
			}
			return p, true
		}
		// What is left goes on on the next page.
		if from < s.off || s.open {
			if !s.open {
				s.open, s.partial = true, s.joined[:0]
			}
			s.add(s.page.body[from:s.off])
		}
		s.loaded = false
		if s.page.flags&last != 0 {
			s.done = true
		}
	}
}

// add appends to the packet that is not complete.
func (s *packets) add(part []byte) {
	if room := maxPacket - len(s.partial); len(part) > room {
		part, s.large = part[:room], true
	}
	s.partial = append(s.partial, part...)
	s.joined = s.partial
}

// load reads the stream's next page.
func (s *packets) load() bool {
	for !s.done {
		p, ok := s.pages.next()
		if !ok {
			break
		}
		if p.flags&first != 0 {
			if s.body {
				break
			}
		} else {
			s.body = true
		}
		if p.serial != s.serial {
			continue
		}
		if s.open && (p.flags&continued == 0 || p.sequence != s.next32) {
			s.open, s.large = false, false
		}
		s.page, s.seg, s.off, s.loaded, s.next32 = p, 0, 0, true, p.sequence+1
		s.final = -1
		for i, n := range p.lacing {
			if n < 255 {
				s.final = i
			}
		}
		if p.flags&continued != 0 && !s.open {
			// Its beginning is lost.
			for s.seg < len(p.lacing) {
				n := int(p.lacing[s.seg])
				s.seg++
				s.off += n
				if n < 255 {
					break
				}
			}
		}
		return true
	}
	s.done = true
	return false
}
