package ogg

import "encoding/binary"

// packetsPerPage is how many packets a page gets: a second of them.
const packetsPerPage = 50

// A pageWriter writes the pages of one stream (RFC 3533 §6), whose packets all fit into one.
type pageWriter struct {
	out      []byte
	lacing   []byte
	body     []byte
	packets  int
	sequence uint32
}

// full reports whether the page has no room for a packet of so many bytes.
func (w *pageWriter) full(size int) bool {
	return w.packets >= packetsPerPage || len(w.lacing)+size/255+1 > 255
}

// add puts a packet on the page.
func (w *pageWriter) add(packet []byte) {
	for n := len(packet); ; n -= 255 {
		w.lacing = append(w.lacing, byte(min(n, 255)))
		if n < 255 {
			break
		}
	}
	w.body = append(w.body, packet...)
	w.packets++
}

// flush writes the page.
func (w *pageWriter) flush(flags byte, granule int64) {
	le := binary.LittleEndian
	at := len(w.out)
	w.out = append(w.out, 'O', 'g', 'g', 'S', 0, flags)
	w.out = le.AppendUint64(w.out, uint64(granule))
	w.out = le.AppendUint32(w.out, serial)
	w.out = le.AppendUint32(w.out, w.sequence)
	w.out = append(w.out, 0, 0, 0, 0, byte(len(w.lacing)))
	w.out = append(append(w.out, w.lacing...), w.body...)
	le.PutUint32(w.out[at+22:], pageChecksum(w.out[at:]))
	w.lacing, w.body, w.packets = w.lacing[:0], w.body[:0], 0
	w.sequence++
}
