package audio

import (
	"context"
	"math"

	"quicksand/media/audio/dsp"
)

// Resample is the clip at another rate, of dsp.ResampledFrames frames.
func (c *Clip) Resample(ctx context.Context, rate int, q dsp.Quality) (*Clip, error) {
	if rate == c.rate {
		return c.view(c.planes, c.gain)
	}
	if err := CheckFormat(rate, c.Channels(), 0); err != nil {
		return nil, err
	}
	return c.stretch(ctx, c.rate, rate, rate, q)
}

// stretch resamples as from one rate to another and says that the result has a third one.
func (c *Clip) stretch(ctx context.Context, from, to, rate int, q dsp.Quality) (*Clip, error) {
	out, err := newClip(c.memory.budget, rate, c.Channels(), dsp.ResampledFrames(c.Frames(), from, to))
	if err != nil {
		return nil, err
	}
	out.gain = c.gain
	if out.Frames() == 0 {
		return out, nil
	}
	if !c.backwards && len(c.fades) == 0 {
		return out.unless(dsp.Resample(ctx, out.planes, c.planes, from, to, q))
	}
	r, err := dsp.NewResampler(from, to, c.Channels(), q)
	if err != nil {
		return out.unless(err)
	}
	return out.unless(out.fill(ctx, c.ungained(), r))
}

// MinSpeed and MaxSpeed are the factors that Speed takes.
const MinSpeed, MaxSpeed = 0.1, 10.0

// speedSteps is how exactly Speed keeps its factor: to 1/speedSteps.
const speedSteps = 10_000

// Speed is the clip played faster by a factor, or slower under 1, with the pitch that comes
// of it. Factors are rounded to four digits behind the point.
func (c *Clip) Speed(ctx context.Context, factor float64, q dsp.Quality) (*Clip, error) {
	if !(factor >= MinSpeed && factor <= MaxSpeed) {
		return nil, &LimitError{"AudioSpeed", "the speed", factor, MinSpeed, MaxSpeed}
	}
	from := int(math.Round(factor * speedSteps))
	if from == speedSteps {
		return c.view(c.planes, c.gain)
	}
	return c.stretch(ctx, from, speedSteps, c.rate, q)
}

// Convert is a source at another rate and with another number of channels, resampled and
// mapped (dsp.MixMatrix) block by block, whenever its blocks are asked for.
func Convert(s Source, rate, channels int, q dsp.Quality) (Source, error) {
	info := s.Info()
	if rate == info.Rate && channels == info.Channels {
		return s, nil
	}
	if err := CheckFormat(rate, channels, 0); err != nil {
		return nil, err
	}
	m, err := dsp.MixMatrix(info.Channels, channels)
	if err != nil {
		return nil, err
	}
	if _, err := dsp.NewResampler(info.Rate, rate, channels, q); err != nil {
		return nil, err
	}
	c := &converted{source: s, quality: q, info: Info{Codec: "pcm-f32", Rate: rate, Channels: channels, Frames: info.Frames, Depth: 32, Float: true, Seconds: info.Seconds}}
	if channels != info.Channels {
		c.matrix = m
	}
	if info.Frames >= 0 {
		c.info.Frames = dsp.ResampledFrames(info.Frames, info.Rate, rate)
		c.info.Seconds = float64(c.info.Frames) / float64(rate)
	}
	return c, nil
}

// converted is what Convert makes.
type converted struct {
	source  Source
	matrix  dsp.Matrix // nil where the channels stay
	quality dsp.Quality
	info    Info
}

// Info implements Source.
func (c *converted) Info() Info { return c.info }

// Blocks implements Source.
func (c *converted) Blocks(ctx context.Context, yield func([][]float32) error) error {
	mapped := c.source
	if c.matrix != nil {
		mapped = mappedSource{c.source, c.matrix}
	}
	from := c.source.Info().Rate
	if from == c.info.Rate {
		return mapped.Blocks(ctx, yield)
	}
	r, err := dsp.NewResampler(from, c.info.Rate, c.info.Channels, c.quality)
	if err != nil {
		return err
	}
	return process(ctx, mapped, r, c.info.Channels, yield)
}

// mappedSource has its channels mapped.
type mappedSource struct {
	Source
	matrix dsp.Matrix
}

// Blocks implements Source.
func (m mappedSource) Blocks(ctx context.Context, yield func([][]float32) error) error {
	dst, block := planesOf(len(m.matrix), BlockFrames), make([][]float32, len(m.matrix))
	return m.Source.Blocks(ctx, func(src [][]float32) error {
		for i := range dst {
			block[i] = dst[i][:len(src[0])]
		}
		m.matrix.Apply(block, src)
		return yield(block)
	})
}
