package main

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
)

// photo makes the same picture on every machine: noise of nine octaves as nature has it,
// hard edges, slow colours and the noise of a sensor. Its JPEG file takes about as many bits
// as a photograph of that size and quality.
func photo(width, height int, seed uint32) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	luma, red, blue := make([]int32, width), make([]int32, width), make([]int32, width)
	for y := range height {
		clear(luma)
		clear(red)
		clear(blue)
		for o := range 9 {
			// Amplitudes fall with the square root of the wavelength.
			amplitude := [9]int32{82, 58, 41, 29, 20, 14, 10, 7, 5}[o]
			octave(luma, y, 10-o, amplitude, seed+uint32(o))
		}
		octave(red, y, 9, 70, seed+100)
		octave(red, y, 6, 20, seed+101)
		octave(blue, y, 9, 70, seed+200)
		octave(blue, y, 6, 20, seed+201)
		row := m.Pix[y*m.Stride:]
		for x := range width {
			// Tiles, some of them much lighter or darker, have the edges.
			l := 128 + luma[x]>>8
			switch t := hash(uint32(x/173), uint32((y+x/9)/131), seed+300); t & 15 {
			case 0:
				l += 70
			case 1:
				l -= 70
			}
			n := hash(uint32(x), uint32(y), seed+400)
			grain := (int32(n&31+n>>5&31+n>>10&31+n>>15&31) - 62) / 4
			r, b := red[x]>>8, blue[x]>>8
			p := row[4*x : 4*x+4 : 4*x+4]
			p[0], p[1], p[2], p[3] = sample(l+r+grain), sample(l-(r+b)/2+grain), sample(l+b+grain), 255
		}
	}
	return m
}

// octave adds noise with a wavelength of 1<<shift pixels to a row, 256 times too large.
func octave(row []int32, y, shift int, amplitude int32, seed uint32) {
	size := 1 << shift
	ly, fy := uint32(y>>shift), int32(y&(size-1))
	at := func(lx uint32) int32 {
		a, b := int32(hash(lx, ly, seed)&511)-256, int32(hash(lx, ly+1, seed)&511)-256
		return amplitude * (a + (b-a)*fy>>shift)
	}
	left, right := at(0), at(1)
	for x := range row {
		fx := int32(x & (size - 1))
		if fx == 0 && x > 0 {
			left, right = right, at(uint32(x>>shift)+1)
		}
		row[x] += left + int32(int64(right-left)*int64(fx)>>shift)
	}
}

// hash mixes three numbers.
func hash(x, y, seed uint32) uint32 {
	h := x*0x9E3779B1 ^ y*0x85EBCA77 ^ seed*0xC2B2AE3D
	h ^= h >> 15
	h *= 0x2C1B3C6D
	h ^= h >> 12
	h *= 0x297A2D39
	return h ^ h>>15
}

func sample(v int32) uint8 { return uint8(min(max(v, 0), 255)) }

// toJPEG is 4:2:0.
func toJPEG(m image.Image, quality int) ([]byte, error) {
	var b bytes.Buffer
	err := jpeg.Encode(&b, m, &jpeg.Options{Quality: quality})
	return b.Bytes(), err
}

func toPNG(m image.Image) ([]byte, error) {
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	err := e.Encode(&b, m)
	return b.Bytes(), err
}
