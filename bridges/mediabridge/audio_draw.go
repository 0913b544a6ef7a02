package mediabridge

import (
	"math"

	"quicksand/canvas"
	"quicksand/canvas/geometry"
	"quicksand/media/audio"
	"quicksand/media/image"
)

// Colours of media.waveformImage, straight.
var (
	waveColour = [4]uint8{0x2F, 0x6F, 0xD6, 0xFF}
	rmsColour  = [4]uint8{0x8F, 0xB6, 0xF2, 0xFF}
	zeroColour = [4]uint8{0x2F, 0x6F, 0xD6, 0x60}
)

// waveformImage draws the extremes of each column of pixels, and the root of the mean square
// inside of them.
func waveformImage(k *soundCall) (any, error) {
	o := k.Options(1)
	out, err := k.output(o)
	if err != nil {
		return nil, err
	}
	width, err := k.integer(o, "width", 800, 1, image.MaxEdge)
	if err != nil {
		return nil, err
	}
	height, err := k.integer(o, "height", 160, 1, image.MaxEdge)
	if err != nil {
		return nil, err
	}
	padding, err := k.within(o, "padding", 0, 0, image.MaxEdge)
	if err != nil {
		return nil, err
	}
	split, err := named(k, o, "channels", []naming[bool]{{"mixed", false}, {"split", true}})
	if err != nil {
		return nil, err
	}
	colours := [3][4]uint8{waveColour, rmsColour, zeroColour}
	for i, name := range []string{"color", "rmsColor", "lineColor"} {
		c, err := k.colour(o, name)
		if err != nil {
			return nil, err
		}
		if c != nil {
			colours[i] = *c
		}
	}
	columns := width - 2*int(padding)
	if columns < 1 || float64(height)-2*padding < 1 {
		return nil, k.wrong("a padding of %s leaves no room in %d×%d", plain(padding), width, height)
	}
	if err := checkSize(k.op, width, height); err != nil {
		return nil, err
	}

	h, err := k.hear(k.Arg(0), "")
	if err != nil {
		return nil, err
	}
	src, err := h.source()
	if err != nil {
		return nil, err
	}
	lanes, _, err := k.buckets(h, src, columns)
	if err != nil {
		return nil, err
	}
	if !split {
		lanes = [][]audio.Bucket{mixBuckets(lanes)}
	}
	gain := 1.0
	if truthy(o.Field("normalize")) {
		gain = fullScale(lanes)
	}

	c, err := canvas.NewContext(width, height, canvas.Options{Budget: k.call, Background: out.background})
	if err != nil {
		return nil, canvasFailure(k.op, err)
	}
	defer c.Close()
	lane := (float64(height) - 2*padding) / float64(len(lanes))
	for i, buckets := range lanes {
		middle := padding + (float64(i)+0.5)*lane
		half := lane / 2
		if len(lanes) > 1 {
			half *= 0.94 // a little air between channels
		}
		y := func(v float64) float64 { return middle - half*min(max(v*gain, -1), 1) }
		c.SetFillColour(colours[2])
		c.FillRect(padding, math.Floor(middle), float64(columns), 1) // sharp
		c.SetFillColour(colours[0])
		c.FillPath(outline(buckets, padding, func(b audio.Bucket) (float64, float64) { return y(float64(b.Max)), y(float64(b.Min)) }), canvas.NonZero)
		c.SetFillColour(colours[1])
		c.FillPath(outline(buckets, padding, func(b audio.Bucket) (float64, float64) {
			// Not beyond the extremes, as with a constant part.
			low, high := max(-b.RMS, b.Min), min(b.RMS, b.Max)
			return y(float64(high)), y(float64(max(min(low, high), b.Min)))
		}), canvas.NonZero)
	}
	s, err := c.Surface(k.ctx)
	if err != nil {
		return nil, canvasFailure(k.op, err)
	}
	n := bytesOf(s.Width, s.Height)
	if err := k.Reserve(n); err != nil {
		return nil, failure(k.op, err)
	}
	if under, paints := out.under(); paints && !s.Opaque() {
		image.Fill(s, under, image.DestinationOver) // the context draws no more
	}
	made, err := k.call.keep(&pixels{pic: image.FromSurface(s), reserved: n}, out)
	if err != nil {
		return nil, err
	}
	return made.reply(), nil
}

// outline is a shape that is as high in each column as f says.
func outline(buckets []audio.Bucket, x float64, f func(b audio.Bucket) (top, bottom float64)) *geometry.Path {
	p := new(geometry.Path)
	n := len(buckets)
	at := func(i int) float64 {
		// From edge to edge, through the middles of the columns.
		switch i {
		case 0:
			return x
		case n - 1:
			return x + float64(n)
		}
		return x + float64(i) + 0.5
	}
	bottoms := make([]float64, n)
	for i, b := range buckets {
		top, bottom := f(b)
		bottoms[i] = bottom
		if i == 0 {
			p.MoveTo(at(i), top)
		}
		p.LineTo(at(i), top)
	}
	if n == 1 {
		p.LineTo(x+1, bottoms[0])
	}
	for i := n - 1; i >= 0; i-- {
		p.LineTo(at(i), bottoms[i])
	}
	p.Close()
	return p
}

// mixBuckets are the extremes of all channels together, and the mean of their powers.
func mixBuckets(lanes [][]audio.Bucket) []audio.Bucket {
	out := make([]audio.Bucket, len(lanes[0]))
	for i := range out {
		out[i] = lanes[0][i]
		power := 0.0
		for _, l := range lanes {
			out[i].Min, out[i].Max = min(out[i].Min, l[i].Min), max(out[i].Max, l[i].Max)
			power += float64(l[i].RMS) * float64(l[i].RMS)
		}
		out[i].RMS = float32(math.Sqrt(power / float64(len(lanes))))
	}
	return out
}

// fullScale is what takes the largest extreme to 1.
func fullScale(lanes [][]audio.Bucket) float64 {
	peak := 0.0
	for _, l := range lanes {
		for _, b := range l {
			peak = max(peak, float64(b.Max), -float64(b.Min))
		}
	}
	if peak == 0 || math.IsInf(peak, 0) || math.IsNaN(peak) {
		return 1
	}
	return 1 / peak
}
