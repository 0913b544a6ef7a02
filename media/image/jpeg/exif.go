package jpeg

import "encoding/binary"

// Orientation reads tag 0x0112 of the first directory of a TIFF structure (Exif 2.32,
// 4.6.4). 0 means that there is none.
func Orientation(b []byte) int {
	if len(b) < 8 {
		return 0
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch string(b[:2]) {
	case "II":
	case "MM":
		order = binary.BigEndian
	default:
		return 0
	}
	at := uint64(order.Uint32(b[4:]))
	if at+2 > uint64(len(b)) {
		return 0
	}
	n := int(order.Uint16(b[at:]))
	for i := range n {
		e := at + 2 + 12*uint64(i)
		if e+12 > uint64(len(b)) {
			return 0
		}
		if order.Uint16(b[e:]) == 0x0112 && order.Uint16(b[e+2:]) == 3 {
			if v := int(order.Uint16(b[e+8:])); v >= 1 && v <= 8 {
				return v
			}
			return 0
		}
	}
	return 0
}
