package ogg

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"

	"quicksand/media/audio"
)

func init() {
	audio.Register(audio.Vorbis, audio.Decoder{Config: vorbisConfig, Open: vorbisOpen})
}

// vorbisHead is the identification header (Vorbis I §4.2.2).
type vorbisHead struct {
	channels int
	rate     int
	bitRate  int    // nominal, or 0
	blocks   [2]int // short and long
}

func parseVorbisHead(b []byte) (h vorbisHead, err error) {
	if len(b) < 30 || b[29]&1 == 0 {
		return h, audio.FormatError("the header of Vorbis is damaged")
	}
	le := binary.LittleEndian
	if le.Uint32(b[7:]) != 0 {
		return h, audio.FormatError("this version of Vorbis is not supported")
	}
	h.channels, h.rate = int(b[11]), int(le.Uint32(b[12:]))
	h.bitRate = max(int(int32(le.Uint32(b[20:]))), 0)
	h.blocks = [2]int{1 << (b[28] & 15), 1 << (b[28] >> 4)}
	if h.blocks[0] < 64 || h.blocks[0] > h.blocks[1] || h.blocks[1] > 8192 {
		return h, audio.FormatError("the header of Vorbis is damaged")
	}
	return h, audio.CheckFormat(h.rate, h.channels, -1)
}

// A mapping says how channels are coded together (Vorbis I §4.2.4).
type mapping struct {
	coupled [][2]int // magnitude and angle
	submap  []int    // of each channel
	submaps []submap
}

type submap struct {
	floor   *floor
	residue *residue
}

// A mode is a kind of block.
type mode struct {
	long    bool
	mapping *mapping
}

// vorbisSetup is the setup header (Vorbis I §4.2.4).
type vorbisSetup struct {
	books    []codebook
	floors   []floor
	residues []residue
	mappings []mapping
	modes    []mode
}

func parseVorbisSetup(h vorbisHead, b []byte) (*vorbisSetup, error) {
	if !bytes.HasPrefix(b, []byte("\x05vorbis")) {
		return nil, errVorbis
	}
	var (
		r    = &bitReader{data: b[7:]}
		s    = &vorbisSetup{}
		left = room{maxTable, maxTable}
	)
	s.books = make([]codebook, r.bits(8)+1)
	for i := range s.books {
		if err := s.books[i].read(r, &left); err != nil {
			return nil, err
		}
	}
	for range r.bits(6) + 1 {
		if r.bits(16) != 0 {
			return nil, errVorbis
		}
	}
	s.floors = make([]floor, r.bits(6)+1)
	for i := range s.floors {
		if err := s.floors[i].read(r, s.books); err != nil {
			return nil, err
		}
	}
	s.residues = make([]residue, r.bits(6)+1)
	for i := range s.residues {
		if err := s.residues[i].read(r, s.books); err != nil {
			return nil, err
		}
	}
	s.mappings = make([]mapping, r.bits(6)+1)
	for i := range s.mappings {
		if err := s.mappings[i].read(r, h.channels, s); err != nil {
			return nil, err
		}
	}
	s.modes = make([]mode, r.bits(6)+1)
	for i := range s.modes {
		s.modes[i].long = r.bit()
		kinds, m := r.bits(32), r.bits(8)
		if kinds != 0 || m >= len(s.mappings) {
			return nil, errVorbis
		}
		s.modes[i].mapping = &s.mappings[m]
	}
	if !r.bit() || r.over() {
		return nil, errVorbis
	}
	return s, nil
}

func (m *mapping) read(r *bitReader, channels int, s *vorbisSetup) error {
	if r.bits(16) != 0 {
		return errVorbis
	}
	n := 1
	if r.bit() {
		n = r.bits(4) + 1
	}
	if r.bit() {
		width := bits.Len(uint(channels - 1))
		for range r.bits(8) + 1 {
			c := [2]int{r.bits(width), r.bits(width)}
			if c[0] == c[1] || max(c[0], c[1]) >= channels {
				return errVorbis
			}
			m.coupled = append(m.coupled, c)
		}
	}
	if r.bits(2) != 0 {
		return errVorbis
	}
	m.submap = make([]int, channels)
	if n > 1 {
		for c := range m.submap {
			if m.submap[c] = r.bits(4); m.submap[c] >= n {
				return errVorbis
			}
		}
	}
	for range n {
		r.bits(8)
		f, x := r.bits(8), r.bits(8)
		if f >= len(s.floors) || x >= len(s.residues) {
			return errVorbis
		}
		m.submaps = append(m.submaps, submap{&s.floors[f], &s.residues[x]})
	}
	if r.over() {
		return errVorbis
	}
	return nil
}

// vorbisStream is at the first packet of audio.
func vorbisStream(data []byte) (*packets, vorbisHead, *vorbisSetup, error) {
	s, head := stream(data, "\x01vorbis")
	if s == nil {
		return nil, vorbisHead{}, nil, audio.FormatError("there is no stream of Vorbis in it")
	}
	h, err := parseVorbisHead(head)
	if err != nil {
		return nil, h, nil, err
	}
	if p, ok := s.next(); !ok || !bytes.HasPrefix(p.data, []byte("\x03vorbis")) {
		return nil, h, nil, audio.FormatError("the comments of Vorbis are missing")
	}
	p, ok := s.next()
	if !ok || p.large {
		return nil, h, nil, audio.FormatError("the setup of Vorbis is missing")
	}
	setup, err := parseVorbisSetup(h, p.data)
	return s, h, setup, err
}

func vorbisInfo(h vorbisHead, frames int64, size int) audio.Info {
	info := audio.Info{
		Codec: "vorbis", Rate: h.rate, Channels: h.channels, Frames: frames, BitRate: h.bitRate,
		// Tables of at most maxTable and 256 times 4 KB, and ten times a block of floats for
		// each channel.
		Scratch: maxPacket + 24*maxTable + 1<<20 + int64(h.channels*h.blocks[1]*40),
	}
	if frames > 0 {
		info.BitRate = int(float64(size) * 8 * float64(h.rate) / float64(frames))
	}
	return info
}

func vorbisConfig(data []byte) (audio.Info, error) {
	s, h, setup, err := vorbisStream(data)
	if err != nil {
		return audio.Info{}, err
	}
	span := measure(s, &vorbisDecoder{head: h, setup: setup}, 0, true)
	return vorbisInfo(h, span.frames, len(data)), nil
}

func vorbisOpen(data []byte) (audio.Reader, error) {
	s, h, setup, err := vorbisStream(data)
	if err != nil {
		return nil, err
	}
	span := measure(s, &vorbisDecoder{head: h, setup: setup}, 0, true)
	d := newVorbisDecoder(h, setup)
	return &reader{info: vorbisInfo(h, span.frames, len(data)), s: s, codec: d, skip: span.skip, left: span.frames}, nil
}

// vorbisDecoder is a codec. The one that measures has no memory for decoding.
type vorbisDecoder struct {
	head  vorbisHead
	setup *vorbisSetup
	prev  int // size of the block before, 0 at the beginning

	mdct    [2]*mdct
	window  [2][]float32   // the rising halves
	lines   [][]float32    // by channel
	samples [2][][]float32 // of this block and the one before
	heights [][maxPoints]int
	silent  []bool
	vectors [][]float32
	joined  []float32 // lines of channels that take turns
	classes []uint8
	planes  [][]float32
	block   [][]float32
}

func newVorbisDecoder(h vorbisHead, setup *vorbisSetup) *vorbisDecoder {
	d := &vorbisDecoder{head: h, setup: setup}
	for i, n := range h.blocks {
		d.mdct[i] = newMDCT(n)
		d.window[i] = make([]float32, n/2)
		for k := range d.window[i] {
			s := math.Sin(math.Pi * (float64(k) + 0.5) / float64(n))
			d.window[i][k] = float32(math.Sin(math.Pi / 2 * s * s))
		}
	}
	n := h.blocks[1]
	planes := func(size int) [][]float32 {
		p := make([][]float32, h.channels)
		for c := range p {
			p[c] = make([]float32, size)
		}
		return p
	}
	d.lines, d.planes = planes(n/2), planes(n/2)
	d.samples = [2][][]float32{planes(n), planes(n)}
	d.heights = make([][maxPoints]int, h.channels)
	d.silent = make([]bool, h.channels)
	d.joined = make([]float32, h.channels*n/2)
	d.block = make([][]float32, h.channels)
	return d
}

// begin reads how a packet begins. It reports false for a packet that is none of audio.
func (d *vorbisDecoder) begin(r *bitReader) (m mode, ok bool) {
	if r.bit() || len(r.data) == 0 {
		return m, false
	}
	i := r.bits(bits.Len(uint(len(d.setup.modes) - 1)))
	if i >= len(d.setup.modes) || r.over() {
		return m, false
	}
	m = d.setup.modes[i]
	if m.long {
		r.bits(2) // the shapes of its neighbours, which are known from themselves
	}
	return m, true
}

// size is that of a block.
func (d *vorbisDecoder) size(m mode) int {
	if m.long {
		return d.head.blocks[1]
	}
	return d.head.blocks[0]
}

func (d *vorbisDecoder) frames(data []byte) int {
	m, ok := d.begin(&bitReader{data: data})
	if !ok {
		return 0
	}
	size, prev := d.size(m), d.prev
	d.prev = size
	if prev == 0 {
		return 0
	}
	return size/4 + prev/4
}

func (d *vorbisDecoder) decode(data []byte) [][]float32 {
	r := &bitReader{data: data}
	m, ok := d.begin(r)
	if !ok {
		return nil
	}
	size := d.size(m)
	d.spectrum(r, m.mapping, size/2)

	d.samples[0], d.samples[1] = d.samples[1], d.samples[0]
	which := 0
	if size == d.head.blocks[1] {
		which = 1
	}
	prev := d.prev
	d.prev = size
	for c, lines := range d.lines {
		cur := d.samples[0][c][:size]
		if d.silent[c] {
			clear(cur)
		} else {
			d.mdct[which].run(lines[:size/2], cur)
		}
		if prev > 0 {
			d.planes[c] = d.overlap(d.planes[c][:0], cur, d.samples[1][c][:prev])
		}
	}
	if prev == 0 {
		return nil
	}
	for i, c := range order[d.head.channels] {
		d.block[i] = d.planes[c]
	}
	return d.block
}

// overlap joins the second half of a block to the first half of the next one.
func (d *vorbisDecoder) overlap(out, cur, before []float32) []float32 {
	lap := min(len(cur), len(before)) / 2
	w := d.window[0]
	if len(w) != lap {
		w = d.window[1]
	}
	w = w[:lap]
	before, cur = before[len(before)/2:], cur[:len(cur)/2]
	alone := (len(before) - lap) / 2
	start := (len(cur) - lap) / 2
	out = out[:len(before)/2+len(cur)/2]
	copy(out, before[:alone])
	a, b, o := before[alone:alone+lap], cur[start:start+lap], out[alone:alone+lap]
	for i, v := range w {
		o[i] = a[i]*w[lap-1-i] + b[i]*v
	}
	copy(out[alone+lap:], cur[start+lap:])
	return out
}

// spectrum decodes the n lines of each channel.
func (d *vorbisDecoder) spectrum(r *bitReader, m *mapping, n int) {
	books := d.setup.books
	for c := range d.lines {
		f := m.submaps[m.submap[c]].floor
		d.silent[c] = !f.heights(r, books, &d.heights[c])
		clear(d.lines[c][:n])
	}
	var coded [audio.MaxChannels]bool
	for c := range d.lines {
		coded[c] = !d.silent[c]
	}
	for _, k := range m.coupled {
		if coded[k[0]] || coded[k[1]] {
			coded[k[0]], coded[k[1]] = true, true
		}
	}
	for i, s := range m.submaps {
		d.vectors = d.vectors[:0]
		wanted := false
		for c, lines := range d.lines {
			if m.submap[c] != i {
				continue
			}
			if coded[c] || s.residue.kind == 2 {
				wanted = wanted || coded[c]
				d.vectors = append(d.vectors, lines[:n])
			} else {
				d.vectors = append(d.vectors, nil)
			}
		}
		if !wanted {
			continue
		}
		if s.residue.kind < 2 || len(d.vectors) == 1 {
			s.residue.decode(r, d.vectors, n, &d.classes)
			continue
		}
		// The channels' lines take turns in one vector.
		count := len(d.vectors)
		joined := d.joined[:count*n]
		clear(joined)
		s.residue.decode(r, [][]float32{joined}, count*n, &d.classes)
		for c, lines := range d.vectors {
			part := joined[c:]
			for i := range lines {
				lines[i] = part[i*count]
			}
		}
	}
	for i := len(m.coupled) - 1; i >= 0; i-- {
		k := m.coupled[i]
		decouple(d.lines[k[0]][:n], d.lines[k[1]][:n])
	}
	for c, lines := range d.lines {
		if !d.silent[c] {
			m.submaps[m.submap[c]].floor.apply(&d.heights[c], lines[:n])
		}
	}
}

// decouple makes two channels of magnitudes and angles (Vorbis I §4.3.5). With b the angle,
// negated where the magnitude is not above 0, they are m and m−b where the angle is above 0,
// else m+b and m. The signs are as good as random, and branches on them took 14 % of all
// decoding; without any this takes 3 %.
func decouple(magnitude, angle []float32) {
	angle = angle[:len(magnitude)]
	for i, m := range magnitude {
		a := int32(math.Float32bits(angle[i]))
		b := uint32(a) ^ uint32((int32(math.Float32bits(m))-1)>>31)<<31
		above := uint32(-a >> 31) // all ones if the angle is above 0
		magnitude[i] = m + math.Float32frombits(b&^above)
		angle[i] = m - math.Float32frombits(b&above)
	}
}
