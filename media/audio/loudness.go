package audio

import (
	"context"
	"fmt"

	"quicksand/media/audio/dsp"
)

// LoudnessOf measures a sound (EBU R 128).
func LoudnessOf(ctx context.Context, s Source) (dsp.Loudness, error) {
	info := s.Info()
	m, err := dsp.NewMeter(info.Rate, info.Channels)
	if err != nil {
		return dsp.Loudness{}, err
	}
	err = s.Blocks(ctx, func(block [][]float32) error { m.Write(block); return nil })
	return m.Loudness(), err
}

// NormalizeLoudness is the clip at an integrated loudness of target LUFS, from −70 to 0, with
// a true peak of at most ceiling dBTP, from −20 to 0. A gain that is pending is all that
// changes where that does; else a limiter keeps the peaks. Silence stays as it is.
func (c *Clip) NormalizeLoudness(ctx context.Context, target, ceiling float64) (*Clip, error) {
	if !(target >= -70 && target <= 0) {
		return nil, fmt.Errorf("the target must be from -70 to 0 LUFS")
	}
	if !(ceiling >= -20 && ceiling <= 0) {
		return nil, fmt.Errorf("the peak must be from -20 to 0 dBTP")
	}
	measured, err := LoudnessOf(ctx, c)
	if err != nil {
		return nil, err
	}
	gain := dsp.NormalizeGain(measured, target)
	if measured.TruePeak+gain <= ceiling {
		return c.view(c.planes, c.gain+gain)
	}
	out, err := c.copied(ctx)
	if err != nil {
		return nil, err
	}
	_, _, err = dsp.Normalize(ctx, out.planes, c.rate, target, ceiling)
	return out.unless(err)
}
