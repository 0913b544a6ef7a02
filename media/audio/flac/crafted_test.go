package flac

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"testing"
)

// A crafted file has frames that no encoder at hand writes.
type crafted struct {
	info   Info
	frames []byte
	frame  frameHeader
	bitWriter
}

func craft(depth, channels, block int) *crafted {
	return &crafted{info: Info{Rate: 44100, Channels: channels, Depth: depth, Frames: -1, MinBlock: 16, MaxBlock: block}}
}

// begin starts a frame.
func (c *crafted) begin(h frameHeader) {
	h.rate, h.channels, h.depth = c.info.Rate, c.info.Channels, c.info.Depth
	c.frame = h
	head := h.append(nil)
	if h.variable {
		head[1] |= 1
		head[len(head)-1] = crc8(head[:len(head)-1])
	}
	c.bitWriter = bitWriter{buf: make([]byte, 1<<20)}
	c.pos = copy(c.buf, head)
}

// end completes it.
func (c *crafted) end() {
	b := c.align()
	c.frames = binary.BigEndian.AppendUint16(append(c.frames, b...), crc16(b))
}

// nothing writes a residual of zeros: its head and so many parts.
func (c *crafted) nothing(order uint64, parts int) {
	c.put(order, 6)
	for range parts {
		c.put(15, 4)
		c.put(0, 5)
	}
}

func (c *crafted) file() []byte {
	b := append([]byte("fLaC"), typeInfo|lastBlock, 0, 0, infoSize)
	return append(appendInfo(b, c.info, 0, 0), c.frames...)
}

// A writing is a way to write a channel.
type writing string

const (
	asConstant writing = "a constant"
	asVerbatim writing = "verbatim"
	asFixed    writing = "a fixed predictor"
	asLPC      writing = "coefficients"
	asRaw      writing = "residuals without a code"
)

// channel writes the samples of a channel of so many bits.
func (c *crafted) channel(how writing, x []int64, depth uint) {
	coefs, shift := []int64(nil), uint(0)
	switch how {
	case asConstant:
		c.put(0, 8)
		c.signed(x[0], depth)
		return
	case asVerbatim:
		c.put(1<<1, 8)
		for _, v := range x {
			c.signed(v, depth)
		}
		return
	case asFixed, asRaw:
		c.put(10<<1, 8)
		coefs = []int64{2, -1}
	case asLPC:
		c.put(33<<1, 8)
		coefs, shift = []int64{2*64 + 3, -64}, 6
	}
	for _, v := range x[:2] {
		c.signed(v, depth)
	}
	if how == asLPC {
		c.put(12-1, 4)
		c.put(uint64(shift), 5)
		for _, k := range coefs {
			c.signed(k, 12)
		}
	}
	// Two parts: the first raw with 32 bits, or Rice's code with a parameter of 20.
	c.put(1<<4|1, 6)
	for part := range 2 {
		if how == asRaw || part == 0 && how != asFixed {
			c.put(31, 5)
			c.put(31, 5)
		} else {
			c.put(20, 5)
		}
		for i := part * len(x) / 2; i < (part+1)*len(x)/2; i++ {
			if i < 2 {
				continue
			}
			r := x[i] - (coefs[0]*x[i-1]+coefs[1]*x[i-2])>>shift
			if how == asRaw || part == 0 && how != asFixed {
				c.signed(r, 31)
				continue
			}
			v := uint64(r<<1 ^ r>>63)
			for range v >> 20 {
				c.put(0, 1)
			}
			c.put(1<<20|v&(1<<20-1), 21)
		}
	}
}

// TestTheDifferenceOf32BitsHas33 decodes channels in opposition, in all modes and ways.
func TestTheDifferenceOf32BitsHas33(t *testing.T) {
	const block = 64
	for _, mode := range []stereoMode{leftSide, sideRight, midSide} {
		for _, how := range []writing{asConstant, asVerbatim, asFixed, asLPC, asRaw} {
			t.Run(fmt.Sprintf("mode %d, %s", mode, how), func(t *testing.T) {
				left, right := make([]int64, block), make([]int64, block)
				for i := range left {
					x := math.Round((1<<31 - 1) * math.Cos(2*math.Pi*float64(i)/500))
					if how == asConstant {
						x = 1<<31 - 1
					}
					left[i], right[i] = int64(x), -int64(x)-1
				}
				c := craft(32, 2, block)
				c.begin(frameHeader{block: block, stereo: mode})
				side, mid := make([]int64, block), make([]int64, block)
				for i := range side {
					side[i], mid[i] = left[i]-right[i], (left[i]+right[i])>>1
				}
				switch mode {
				case leftSide:
					c.channel(how, left, 32)
					c.channel(how, side, 33)
				case sideRight:
					c.channel(how, side, 33)
					c.channel(how, right, 32)
				case midSide:
					c.channel(asVerbatim, mid, 32)
					c.channel(how, side, 33)
				}
				c.end()
				_, got, err := decodeAll(c.file())
				if err != nil {
					t.Fatal(err)
				}
				for i := range block {
					if int64(got[0][i]) != left[i] || int64(got[1][i]) != right[i] {
						t.Fatalf("samples %d are %d and %d, want %d and %d", i, got[0][i], got[1][i], left[i], right[i])
					}
				}
			})
		}
	}
}

// TestBlocksOfChangingSize decodes a file with frames of several sizes, numbered by samples.
func TestBlocksOfChangingSize(t *testing.T) {
	c := craft(16, 1, 5000)
	var want []int32
	for i, block := range []int{192, 16, 256, 5000, 4608, 17, 1000, 1, 4096} {
		x := make([]int64, block)
		for k := range x {
			x[k] = int64(i*1000 + k%7)
			want = append(want, int32(x[k]))
		}
		c.begin(frameHeader{variable: true, number: uint64(len(want) - block), block: block})
		if block%2 == 0 {
			c.channel(asFixed, x, 16)
		} else {
			c.channel(asVerbatim, x, 16)
		}
		c.end()
	}
	file := c.file()
	_, got, err := decodeAll(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := difference(got, [][]int32{want}); d != "" {
		t.Error(d)
	}
	theirs, err := oracle(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := difference(theirs, [][]int32{want}); d != "" {
		t.Errorf("the oracle reads: %s", d)
	}
}

// TestWhatTheFormatReserves decodes frames with right checksums that mean nothing.
func TestWhatTheFormatReserves(t *testing.T) {
	const damaged = "the frame at 0.000 seconds is damaged"
	for _, x := range []struct {
		name string
		body func(c *crafted)
	}{
		{"nothing that is reserved", func(c *crafted) { c.put(8<<1, 8); c.nothing(5, 32) }}, // which is all right
		{"a subframe of type 2", func(c *crafted) { c.put(2<<1, 8) }},
		{"a subframe of type 13", func(c *crafted) { c.put(13<<1, 8) }},
		{"a subframe that begins with a one", func(c *crafted) { c.put(0x80, 8) }},
		{"as many wasted bits as there are", func(c *crafted) { c.put(1, 8); c.put(1, 16) }},
		{"zeros to the end", func(c *crafted) { c.put(1, 8) }},
		{"a precision of 16", func(c *crafted) { c.put(32<<1, 8); c.put(0, 16); c.put(15, 4); c.put(0, 5+16); c.nothing(0, 1) }},
		{"a negative shift", func(c *crafted) {
			c.put(32<<1, 8)
			c.put(0, 16)
			c.put(5, 4)
			c.put(31, 5)
			c.put(0, 6)
			c.nothing(0, 1)
		}},
		{"a residual of another method", func(c *crafted) { c.put(8<<1, 8); c.put(2<<4, 6) }},
		{"parts that do not divide the block", func(c *crafted) { c.put(8<<1, 8); c.put(7, 6) }},
		{"more parts than samples", func(c *crafted) { c.put(8<<1, 8); c.put(15, 6) }},
		{"a first part shorter than the order", func(c *crafted) { c.put(12<<1, 8); c.put(0, 56); c.put(0, 8); c.nothing(5, 31) }},
		{"an order above the block", func(c *crafted) { c.put(63<<1, 8); c.pos += 300 }},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := craft(16, 1, 96)
			block := 96
			if x.name == "an order above the block" {
				block = 17
			}
			c.begin(frameHeader{block: block})
			x.body(c)
			c.end()
			_, got, err := decodeAll(c.file())
			if x.name == "nothing that is reserved" {
				if err != nil || len(got[0]) != block {
					t.Errorf("got %d samples and %v", len(got[0]), err)
				}
				return
			}
			if err == nil || err.Error() != damaged {
				t.Errorf("got %v, want %s", err, damaged)
			}
		})
	}
}

func TestFrameHeaders(t *testing.T) {
	seal := func(b ...byte) []byte { return append(b, crc8(b)) }
	for _, c := range []struct {
		name string
		b    []byte
		want frameHeader // without size; none if block is zero
	}{
		{"192 samples, 88.2 kHz", seal(0xFF, 0xF8, 0x11, 0x08, 0), frameHeader{block: 192, rate: 88200, channels: 1, depth: 16}},
		{"576 samples, the file's rate and depth", seal(0xFF, 0xF8, 0x20, 0x10, 5), frameHeader{block: 576, channels: 2, number: 5}},
		{"4608 samples, 96 kHz", seal(0xFF, 0xF8, 0x5B, 0x7E, 0), frameHeader{block: 4608, rate: 96000, channels: 8, depth: 32}},
		{"256 samples, left and side", seal(0xFF, 0xF8, 0x8A, 0x82, 0), frameHeader{block: 256, rate: 48000, channels: 2, stereo: leftSide, depth: 8}},
		{"32768 samples, middle and side", seal(0xFF, 0xF8, 0xF9, 0xAC, 0), frameHeader{block: 32768, rate: 44100, channels: 2, stereo: midSide, depth: 24}},
		{"100 samples, 13 kHz", seal(0xFF, 0xF8, 0x6C, 0x04, 0, 99, 13), frameHeader{block: 100, rate: 13000, channels: 1, depth: 12}},
		{"65536 samples, 12345 Hz", seal(0xFF, 0xF8, 0x7D, 0x0A, 0, 0xFF, 0xFF, 0x30, 0x39), frameHeader{block: 65536, rate: 12345, channels: 1, depth: 20}},
		{"655350 Hz", seal(0xFF, 0xF9, 0x1E, 0x00, 0xC2, 0x80, 0xFF, 0xFF), frameHeader{variable: true, number: 128, block: 192, rate: 655350, channels: 1}},
		{"no sync code", seal(0xFE, 0xF8, 0x11, 0x08, 0), frameHeader{}},
		{"a reserved bit", seal(0xFF, 0xFA, 0x11, 0x08, 0), frameHeader{}},
		{"another reserved bit", seal(0xFF, 0xF8, 0x11, 0x09, 0), frameHeader{}},
		{"a reserved size", seal(0xFF, 0xF8, 0x01, 0x08, 0), frameHeader{}},
		{"a forbidden rate", seal(0xFF, 0xF8, 0x1F, 0x08, 0), frameHeader{}},
		{"reserved channels", seal(0xFF, 0xF8, 0x11, 0xB8, 0), frameHeader{}},
		{"a reserved depth", seal(0xFF, 0xF8, 0x11, 0x06, 0), frameHeader{}},
		{"a number that is none", seal(0xFF, 0xF8, 0x11, 0x08, 0x80), frameHeader{}},
		{"a wrong checksum", []byte{0xFF, 0xF8, 0x11, 0x08, 0, 1}, frameHeader{}},
		{"a header that is too short", seal(0xFF, 0xF8, 0x7D, 0x0A, 0, 0xFF), frameHeader{}},
		{"four bytes", []byte{0xFF, 0xF8, 0x11, 0x08}, frameHeader{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := parseFrameHeader(c.b)
			if c.want.block == 0 {
				if ok {
					t.Errorf("it is a header: %+v", got)
				}
				return
			}
			c.want.size = len(c.b)
			if !ok || got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if c.want.rate == 0 || c.want.depth == 0 || c.want.variable || c.want.block == 192 || c.want.block%576 == 0 || c.want.block == 65536 {
				return // which is not written in this way
			}
			if again := got.append(nil); !bytes.Equal(again, c.b) {
				t.Errorf("it is written as % x, want % x", again, c.b)
			}
		})
	}
}
