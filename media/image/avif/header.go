package avif

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// A header is what the boxes of a file say (ISO/IEC 14496-12, 23008-12 and the AV1 image file
// format).
type header struct {
	width, height int
	depth         int
	alpha         bool
	orientation   int // 0 without rotation or mirroring
	icc           []byte
}

// boxes calls f with each box of data.
func boxes(data []byte, f func(kind string, body []byte) error) error {
	for len(data) >= 8 {
		size, head := uint64(binary.BigEndian.Uint32(data)), uint64(8)
		switch {
		case size == 1 && len(data) >= 16:
			size, head = binary.BigEndian.Uint64(data[8:]), 16
		case size == 0:
			size = uint64(len(data))
		}
		if size < head || size > uint64(len(data)) {
			return errors.New("avif: the file is cut short")
		}
		if err := f(string(data[4:8]), data[head:size]); err != nil {
			return err
		}
		data = data[size:]
	}
	return nil
}

// A property is one of the list that items refer to by number.
type property struct {
	kind string
	body []byte
}

func parse(data []byte) (*header, error) {
	if len(data) < 16 || string(data[4:8]) != "ftyp" {
		return nil, errors.New("avif: the header is cut short")
	}
	sequence := string(data[8:12]) == "avis"
	h := &header{}
	var found bool
	var failure error
	err := boxes(data, func(kind string, body []byte) error {
		switch {
		case kind == "meta" && !sequence && !found:
			found = true
			failure = h.meta(body)
		case kind == "moov" && sequence && !found:
			found = true
			failure = h.movie(body)
		}
		return nil
	})
	switch {
	case failure != nil:
		return nil, failure
	case !found && err != nil:
		return nil, err
	case !found:
		return nil, errors.New("avif: the file has no picture")
	}
	return h, nil
}

// meta reads the properties of the primary item.
func (h *header) meta(b []byte) error {
	if len(b) < 4 {
		return errors.New("avif: the header is cut short")
	}
	primary, hasPrimary := uint32(0), false
	var list []property
	var own []int // numbers of the properties of the primary item
	var associations [][]byte
	err := boxes(b[4:], func(kind string, body []byte) error {
		switch kind {
		case "pitm":
			switch {
			case len(body) >= 6 && body[0] == 0:
				primary, hasPrimary = uint32(binary.BigEndian.Uint16(body[4:])), true
			case len(body) >= 8:
				primary, hasPrimary = binary.BigEndian.Uint32(body[4:]), true
			}
		case "iprp":
			return boxes(body, func(kind string, body []byte) error {
				switch kind {
				case "ipco":
					return boxes(body, func(kind string, body []byte) error {
						list = append(list, property{kind, body})
						if len(list) > 4096 {
							return errors.New("avif: too many properties")
						}
						return nil
					})
				case "ipma":
					associations = append(associations, body)
				}
				return nil
			})
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !hasPrimary {
		return errors.New("avif: the file has no picture")
	}
	for _, body := range associations {
		own = append(own, associated(body, primary)...)
	}
	angle, mirror, turned := 0, 0, false
	for _, n := range own {
		if n < 1 || n > len(list) {
			continue
		}
		p := list[n-1]
		switch b := p.body; {
		case p.kind == "ispe" && len(b) >= 12 && h.width == 0:
			h.width, h.height = int(binary.BigEndian.Uint32(b[4:])&0x7FFFFFFF), int(binary.BigEndian.Uint32(b[8:])&0x7FFFFFFF)
		case p.kind == "pixi" && len(b) >= 6:
			h.depth = int(b[5])
		case p.kind == "irot" && len(b) >= 1:
			angle, turned = int(b[0]&3), true
		case p.kind == "imir" && len(b) >= 1:
			mirror, turned = 1+int(b[0]&1), true
		case p.kind == "colr" && len(b) >= 4 && (string(b[:4]) == "prof" || string(b[:4]) == "rICC"):
			h.icc = b[4:]
		}
	}
	for _, p := range list {
		switch {
		case p.kind == "auxC" && strings.Contains(string(p.body), "alpha"):
			h.alpha = true
		case p.kind == "av1C" && h.depth == 0:
			h.depth = av1Depth(p.body)
		}
	}
	if turned {
		// Turned against the clock first; then mirrored, top to bottom or left to right.
		h.orientation = [4][3]int{{1, 4, 2}, {8, 5, 7}, {3, 2, 4}, {6, 7, 5}}[angle][mirror]
	}
	return h.check()
}

// associated are the numbers of an item's properties in an ipma box.
func associated(b []byte, item uint32) []int {
	if len(b) < 8 {
		return nil
	}
	wideItems, wideNumbers := b[0] >= 1, b[3]&1 != 0
	count := binary.BigEndian.Uint32(b[4:])
	b = b[8:]
	for range count {
		var id uint32
		switch {
		case wideItems && len(b) >= 5:
			id, b = binary.BigEndian.Uint32(b), b[4:]
		case !wideItems && len(b) >= 3:
			id, b = uint32(binary.BigEndian.Uint16(b)), b[2:]
		default:
			return nil
		}
		n := int(b[0])
		b = b[1:]
		size := n
		if wideNumbers {
			size *= 2
		}
		if size > len(b) {
			return nil
		}
		if id == item {
			var own []int
			for i := range n {
				if wideNumbers {
					own = append(own, int(binary.BigEndian.Uint16(b[2*i:])&0x7FFF))
				} else {
					own = append(own, int(b[i]&0x7F))
				}
			}
			return own
		}
		b = b[size:]
	}
	return nil
}

// movie reads the first track of a sequence that has a size.
func (h *header) movie(b []byte) error {
	err := boxes(b, func(kind string, body []byte) error {
		if kind != "trak" || h.width != 0 {
			return nil
		}
		return boxes(body, func(kind string, body []byte) error {
			if kind == "tkhd" && len(body) >= 84 {
				at := 76
				if body[0] == 1 {
					at = 88
				}
				if len(body) >= at+8 {
					h.width, h.height = int(binary.BigEndian.Uint32(body[at:])>>16), int(binary.BigEndian.Uint32(body[at+4:])>>16)
				}
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	h.alpha = true
	// What the depth is is deep in the tables; the larger one only costs memory.
	h.depth = 10
	if i := strings.Index(string(b), "av1C"); i >= 0 {
		h.depth = av1Depth(b[i+4:])
	}
	return h.check()
}

// av1Depth is the depth in a configuration record (AV1 in ISO BMFF, 2.3.3).
func av1Depth(b []byte) int {
	switch {
	case len(b) < 3 || b[2]&0x40 == 0:
		return 8
	case b[2]&0x20 != 0:
		return 12
	}
	return 10
}

func (h *header) check() error {
	if h.width == 0 || h.height == 0 {
		return errors.New("avif: the file does not say the size of its picture")
	}
	if h.depth == 0 {
		h.depth = 8
	}
	if h.depth != 8 && h.depth != 10 && h.depth != 12 {
		return fmt.Errorf("avif: samples of %d bits", h.depth)
	}
	return nil
}
