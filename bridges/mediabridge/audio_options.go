package mediabridge

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"quicksand/bridges"
	"quicksand/media"
	"quicksand/media/audio"
	"quicksand/media/audio/dsp"
)

// A soundOutput is how a sound is written.
type soundOutput struct {
	format audio.Format
	encode audio.EncodeOptions
}

func (o soundOutput) mime() string {
	m, _ := audio.EncoderMIME(o.format)
	return m
}

// failed makes an encodeError of what is not known as something else.
func (o soundOutput) failed(err error) error {
	var (
		budget *media.BudgetError
		limit  *audio.LimitError
		decode *audio.DecodeError
		panics *audio.PanicError
	)
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.As(err, &budget) || errors.As(err, &limit) || errors.As(err, &decode) || errors.As(err, &panics) {
		return err
	}
	return &encodeError{o.format, err}
}

// check has the encoder write nothing at a rate, so that what it does not do is said before
// there is a handle.
func (o soundOutput) check(ctx context.Context, rate, channels int) error {
	if o.format == audio.WAV {
		return nil // does everything
	}
	c, err := audio.Silence(nil, 0, rate, channels)
	if err != nil {
		return err
	}
	_, err = audio.Encode(ctx, o.format, c, o.encode, nil)
	// What an encoder says of options and figures alone is for the guest, and about its
	// arguments.
	var encode *encodeError
	var limit *audio.LimitError
	switch err = o.failed(err); {
	case errors.As(err, &encode):
		return &encodeError{o.format, audio.FormatError(encode.err.Error())}
	case errors.As(err, &limit):
		return &encodeError{o.format, audio.FormatError(strings.TrimSuffix(limit.Error(), " ("+limit.Limit+")"))}
	}
	return err
}

// soundFormats are the formats that can be written, WAV first.
func soundFormats() []audio.Format {
	list := audio.Encoders()
	slices.SortStableFunc(list, func(a, b audio.Format) int {
		switch {
		case a == audio.WAV:
			return -1
		case b == audio.WAV:
			return 1
		}
		return 0
	})
	return list
}

// soundOutput reads the options of encoding.
func (k *soundCall) soundOutput(o bridges.Options) (soundOutput, error) {
	out := soundOutput{format: audio.WAV}
	if v := o.Field("format"); !v.IsNullish() {
		name, _ := v.Str()
		out.format = audio.Format(strings.ToLower(strings.TrimSpace(name)))
		if list := soundFormats(); !slices.Contains(list, out.format) {
			var names []string
			for _, f := range list {
				names = append(names, string(f))
			}
			return out, &bridges.Error{Op: k.op, Name: "TypeError", Code: codeAudioFormat, Message: "format must be one of " + strings.Join(names, ", ") + ", not " + shown(v)}
		}
	}
	out.encode.Float = truthy(o.Field("float"))
	if v := o.Field("dither"); !v.IsNullish() {
		out.encode.NoDither = !truthy(v)
	}
	depth, err := k.integer(o, "depth", 0, 16, 32)
	if err != nil {
		return out, err
	}
	switch {
	case depth != 0 && depth != 16 && depth != 24 && depth != 32:
		return out, k.wrong("depth must be 16, 24 or 32")
	case out.encode.Float && out.format != audio.WAV:
		return out, k.wrong("float is for wav")
	case out.encode.Float && depth != 0 && depth != 32:
		return out, k.wrong("depth must be 32 with float")
	}
	out.encode.Depth = depth
	if out.encode.BitRate, err = k.integer(o, "bitrate", 0, 500, 10_000_000); err != nil {
		return out, err
	}
	return out, nil
}

// finite is the option name as a finite number, without coercion.
func (k *soundCall) finite(o bridges.Options, name string, otherwise float64) (float64, error) {
	v := o.Field(name)
	if v.IsUndefined() {
		return otherwise, nil
	}
	f, ok := v.Float()
	if !ok || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, k.wrong("%s must be a finite number", name)
	}
	return f, nil
}

// within is the option name as a number within bounds.
func (k *soundCall) within(o bridges.Options, name string, otherwise, lo, hi float64) (float64, error) {
	f, err := k.finite(o, name, otherwise)
	if err == nil && !o.Field(name).IsUndefined() && !(f >= lo && f <= hi) {
		err = k.outside("%s must be from %s to %s, not %s", name, plain(lo), plain(hi), plain(f))
	}
	return f, err
}

// integer is the option name as an integer within bounds.
func (k *soundCall) integer(o bridges.Options, name string, otherwise, lo, hi int) (int, error) {
	f, err := k.finite(o, name, float64(otherwise))
	if err == nil && !o.Field(name).IsUndefined() && !(f == math.Trunc(f) && f >= float64(lo) && f <= float64(hi)) {
		err = k.outside("%s must be an integer from %d to %d", name, lo, hi)
	}
	if err != nil {
		return 0, err
	}
	return int(f), nil
}

// outside is a RangeError of the call.
func (k *soundCall) outside(format string, args ...any) error {
	e := bridges.TypeErrorf(k.op, format, args...)
	e.Name = "RangeError"
	return e
}

// named is the option name, one of the names of a table; the first one is the default.
func named[T any](k *soundCall, o bridges.Options, name string, table []naming[T]) (T, error) {
	v := o.Field(name)
	if v.IsUndefined() {
		return table[0].value, nil
	}
	text, _ := v.Str()
	var names []string
	for _, row := range table {
		if row.name == text {
			return row.value, nil
		}
		names = append(names, row.name)
	}
	last := len(names) - 1
	return table[0].value, k.wrong("%s must be %s or %s, not %s", name, strings.Join(names[:last], ", "), names[last], shown(v))
}

type naming[T any] struct {
	name  string
	value T
}

var (
	curves    = []naming[dsp.Curve]{{"linear", dsp.LinearFade}, {"equal-power", dsp.EqualPower}, {"exponential", dsp.Exponential}, {"s-curve", dsp.SCurve}}
	qualities = []naming[dsp.Quality]{{"high", dsp.High}, {"medium", dsp.Medium}, {"fast", dsp.Fast}}
	windows   = []naming[dsp.Window]{{"hann", dsp.Hann}, {"blackman-harris", dsp.BlackmanHarris}, {"rectangular", dsp.Rectangular}}
)

// rate is the option rate, 0 without it.
func (k *soundCall) rate(o bridges.Options, otherwise int) (int, error) {
	return k.integer(o, "rate", otherwise, audio.MinRate, audio.MaxRate)
}

// channels is the option channels, 0 without it.
func (k *soundCall) channels(o bridges.Options, otherwise int) (int, error) {
	return k.integer(o, "channels", otherwise, 1, audio.MaxChannels)
}
