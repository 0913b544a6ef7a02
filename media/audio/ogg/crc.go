package ogg

import "encoding/binary"

// crcTables[k][b] is the checksum of the byte b with k zero bytes behind it: polynomial
// 0x04C11DB7, most significant bit first, starting at 0 (RFC 3533 §6).
var crcTables = func() (t [8][256]uint32) {
	for b := range t[0] {
		crc := uint32(b) << 24
		for range 8 {
			carry := crc >> 31
			crc = crc<<1 ^ carry*0x04C11DB7
		}
		t[0][b] = crc
	}
	for k := 1; k < len(t); k++ {
		for b := range t[k] {
			prev := t[k-1][b]
			t[k][b] = prev<<8 ^ t[0][prev>>24]
		}
	}
	return t
}()

// checksum continues a checksum with p.
func checksum(crc uint32, p []byte) uint32 {
	t := &crcTables
	for len(p) >= 8 {
		x := crc ^ binary.BigEndian.Uint32(p)
		crc = t[7][x>>24] ^ t[6][x>>16&0xFF] ^ t[5][x>>8&0xFF] ^ t[4][x&0xFF] ^
			t[3][p[4]] ^ t[2][p[5]] ^ t[1][p[6]] ^ t[0][p[7]]
		p = p[8:]
	}
	for _, b := range p {
		crc = crc<<8 ^ t[0][byte(crc>>24)^b]
	}
	return crc
}

// pageChecksum is the checksum of a page, whose own field for it counts as zero.
func pageChecksum(page []byte) uint32 {
	crc := checksum(0, page[:22])
	crc = checksum(crc, []byte{0, 0, 0, 0})
	return checksum(crc, page[26:])
}
