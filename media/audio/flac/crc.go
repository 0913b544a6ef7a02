package flac

import "encoding/binary"

// Checksums of RFC 9639 §9.1.8 and §9.3: polynomials x⁸+x²+x+1 and x¹⁶+x¹⁵+x²+1, the highest
// bit first, from zero.
var (
	crc8Table [256]uint8
	// crc16Table[k][b] is the sum of the byte b that k zero bytes follow, so that eight bytes
	// are summed with eight independent lookups (0.25 ns a byte instead of 1.6).
	crc16Table [8][256]uint16
)

func init() {
	for i := range 256 {
		a, b := uint8(i), uint16(i)<<8
		for range 8 {
			a = a<<1 ^ a>>7*0x07
			b = b<<1 ^ b>>15*0x8005
		}
		crc8Table[i], crc16Table[0][i] = a, b
	}
	for k := 1; k < 8; k++ {
		for i := range 256 {
			c := crc16Table[k-1][i]
			crc16Table[k][i] = c<<8 ^ crc16Table[0][c>>8]
		}
	}
}

func crc8(b []byte) (c uint8) {
	for _, x := range b {
		c = crc8Table[c^x]
	}
	return c
}

func crc16(b []byte) (c uint16) {
	t := &crc16Table
	for len(b) >= 8 {
		x := binary.BigEndian.Uint64(b) ^ uint64(c)<<48
		c = t[7][x>>56] ^ t[6][x>>48&255] ^ t[5][x>>40&255] ^ t[4][x>>32&255] ^
			t[3][x>>24&255] ^ t[2][x>>16&255] ^ t[1][x>>8&255] ^ t[0][x&255]
		b = b[8:]
	}
	for _, x := range b {
		c = c<<8 ^ t[0][uint8(c>>8)^x]
	}
	return c
}
