package image

import "context"

// Stats are figures of the straight samples of a surface.
type Stats struct {
	Width, Height, Pixels int
	// Luminance is the mean of 0.299 R + 0.587 G + 0.114 B (ITU-R BT.601), 0 to 255, without
	// regard to alpha.
	Luminance float64
	Opaque    bool
	// Channels are red, green, blue and alpha.
	Channels [4]ChannelStats
}

// ChannelStats are figures of one channel, 0 to 255.
type ChannelStats struct {
	Mean     float64
	Min, Max uint8
	// Histogram counts the samples of each value.
	Histogram [256]int64
}

// Measure computes the figures of s.
func Measure(ctx context.Context, s *Surface) (*Stats, error) {
	st := &Stats{Width: s.Width, Height: s.Height, Pixels: s.Width * s.Height}
	row := make([]byte, 4*s.Width)
	for y := range s.Height {
		if y&63 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		line := Surface{s.Width, 1, s.Row(y)}
		line.Straight(row)
		for i := 0; i < len(row); i += 4 {
			for c := range 4 {
				st.Channels[c].Histogram[row[i+c]]++
			}
		}
	}
	for c := range st.Channels {
		ch := &st.Channels[c]
		sum, first := int64(0), true
		for v, n := range ch.Histogram {
			if n == 0 {
				continue
			}
			if first {
				ch.Min, first = uint8(v), false
			}
			ch.Max = uint8(v)
			sum += int64(v) * n
		}
		ch.Mean = float64(sum) / float64(st.Pixels)
	}
	st.Luminance = 0.299*st.Channels[0].Mean + 0.587*st.Channels[1].Mean + 0.114*st.Channels[2].Mean
	st.Opaque = st.Channels[3].Min == 255
	return st, nil
}
