package jxl

import (
	"encoding/binary"
	"errors"
)

// A header is what the head of a codestream says (ISO/IEC 18181-1, annexes A and D), with the
// size as it is shown.
type header struct {
	width, height int
	depth         int
	alpha         bool
	premultiplied bool
}

var errCut = errors.New("jxl: the header is cut short")

// maxHead is how much of a codestream is looked at.
const maxHead = 1 << 16

func parse(data []byte) (*header, error) {
	if len(data) >= 2 && data[0] == 0xFF && data[1] == 0x0A {
		return parseCodestream(data[2:])
	}
	// Boxes (ISO/IEC 18181-2): the codestream is in one, or in parts.
	var stream []byte
	for len(data) >= 8 {
		size, head := uint64(binary.BigEndian.Uint32(data)), uint64(8)
		switch {
		case size == 1 && len(data) >= 16:
			size, head = binary.BigEndian.Uint64(data[8:]), 16
		case size == 0:
			size = uint64(len(data))
		}
		kind := string(data[4:8])
		if size < head {
			return nil, errCut
		}
		body := data[head:min(max(size, head), uint64(len(data)))]
		if kind == "jxlp" && len(body) >= 4 {
			stream = append(stream, body[4:min(len(body), maxHead)]...)
		}
		if kind == "jxlc" {
			stream = body
		}
		if kind == "jxlc" || len(stream) >= maxHead || size >= uint64(len(data)) {
			break
		}
		data = data[size:]
	}
	if len(stream) < 2 || stream[0] != 0xFF || stream[1] != 0x0A {
		return nil, errors.New("jxl: the file has no picture")
	}
	return parseCodestream(stream[2:])
}

// bitReader reads bits from the lowest of each byte.
type bitReader struct {
	b   []byte
	at  int // in bits
	err error
}

func (r *bitReader) u(n int) int {
	v := 0
	for i := range n {
		if r.at>>3 >= len(r.b) {
			r.err = errCut
			return 0
		}
		v |= int(r.b[r.at>>3]>>(r.at&7)&1) << i
		r.at++
	}
	return v
}

func (r *bitReader) bool() bool { return r.u(1) == 1 }

// A choice of a U32: n bits more than least.
type choice struct{ least, n int }

func (r *bitReader) u32(a, b, c, d choice) int {
	ch := [4]choice{a, b, c, d}[r.u(2)]
	return ch.least + r.u(ch.n)
}

func (r *bitReader) enum() int {
	return r.u32(choice{0, 0}, choice{1, 0}, choice{2, 4}, choice{18, 6})
}

// ratios of the width to the height.
var ratios = [8][2]int{1: {1, 1}, 2: {12, 10}, 3: {4, 3}, 4: {3, 2}, 5: {16, 9}, 6: {5, 4}, 7: {2, 1}}

// size is a SizeHeader.
func (r *bitReader) size() (width, height int) {
	small := r.bool()
	side := func() int {
		if small {
			return 8 * (r.u(5) + 1)
		}
		return r.u32(choice{1, 9}, choice{1, 13}, choice{1, 18}, choice{1, 30})
	}
	height = side()
	if ratio := r.u(3); ratio != 0 {
		return height * ratios[ratio][0] / ratios[ratio][1], height
	}
	return side(), height
}

// preview is a PreviewHeader, which does not matter.
func (r *bitReader) preview() {
	eighths := r.bool()
	side := func() {
		if eighths {
			r.u32(choice{16, 0}, choice{32, 0}, choice{1, 5}, choice{33, 9})
		} else {
			r.u32(choice{1, 6}, choice{65, 8}, choice{321, 10}, choice{1345, 12})
		}
	}
	side()
	if r.u(3) == 0 {
		side()
	}
}

func (r *bitReader) depth() int {
	if r.bool() { // of floating point
		d := r.u32(choice{32, 0}, choice{16, 0}, choice{24, 0}, choice{1, 6})
		r.u(4)
		return d
	}
	return r.u32(choice{8, 0}, choice{10, 0}, choice{12, 0}, choice{1, 6})
}

func parseCodestream(b []byte) (*header, error) {
	r := &bitReader{b: b[:min(len(b), maxHead)]}
	h := &header{depth: 8}
	h.width, h.height = r.size()
	orientation := 1
	if !r.bool() { // not all is as usual
		if r.bool() {
			orientation = r.u(3) + 1
			if r.bool() {
				r.size() // intrinsic
			}
			if r.bool() {
				r.preview()
			}
			if r.bool() { // animation
				r.u32(choice{100, 0}, choice{1000, 0}, choice{1, 10}, choice{1, 30})
				r.u32(choice{1, 0}, choice{1001, 0}, choice{1, 8}, choice{1, 10})
				r.u32(choice{0, 0}, choice{0, 3}, choice{0, 16}, choice{0, 32})
				r.bool()
			}
		}
		h.depth = r.depth()
		r.bool()
		n := r.u32(choice{0, 0}, choice{1, 0}, choice{2, 4}, choice{1, 12})
		for i := 0; i < n && r.err == nil; i++ {
			r.extraChannel(h)
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	if orientation >= 5 {
		h.width, h.height = h.height, h.width
	}
	return h, nil
}

// extraChannel is an ExtraChannelInfo.
func (r *bitReader) extraChannel(h *header) {
	const alpha, spot, cfa = 0, 2, 5
	if r.bool() { // alpha as usual
		h.alpha = true
		return
	}
	kind := r.enum()
	r.depth()
	r.u32(choice{0, 0}, choice{3, 0}, choice{4, 0}, choice{1, 3})
	name := r.u32(choice{0, 0}, choice{0, 4}, choice{16, 5}, choice{48, 10})
	r.at += 8 * name
	switch kind {
	case alpha:
		premultiplied := r.bool()
		if !h.alpha {
			h.premultiplied = premultiplied
		}
		h.alpha = true
	case spot:
		r.u(64)
	case cfa:
		r.u32(choice{1, 0}, choice{0, 2}, choice{3, 4}, choice{19, 8})
	}
}
