package mediabridge

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"quicksand/bridges"
	"quicksand/internal/marshal"
	"quicksand/media/image"
)

// An output is how a picture is written.
type output struct {
	format image.Format
	encode image.EncodeOptions
	// background is painted under the picture; nil is nothing.
	background *[4]uint8
}

// under is the colour that has to be painted under a picture that is not opaque.
func (o output) under() (c [4]uint8, ok bool) {
	switch {
	case o.background == nil && o.format == image.JPEG:
		return [4]uint8{255, 255, 255, 255}, true
	case o.background == nil:
		return c, false
	}
	c = *o.background
	if o.format == image.JPEG && c[3] != 255 {
		// White under the colour, as paper is.
		s := image.Surface{Width: 1, Height: 1, Pix: []byte{c[0], c[1], c[2], c[3]}}
		image.Premultiply(s.Pix)
		image.Fill(&s, [4]uint8{255, 255, 255, 255}, image.DestinationOver)
		c = [4]uint8(s.Pix)
	}
	return c, true
}

// written are the formats which the specification has; others follow when they are linked.
var written = []image.Format{image.PNG, image.JPEG, image.WebP, image.AVIF}

// output reads the options of encoding. The colour of the first of names that is there is
// the background.
func (k *call) output(o bridges.Options, names ...string) (output, error) {
	out := output{format: image.PNG}
	var err error
	if out.format, err = k.format(o, image.PNG, append(slices.Clone(written), image.Encoders()...)); err != nil {
		return out, err
	}
	if !slices.Contains(image.Encoders(), out.format) {
		return out, &bridges.Error{Op: k.op, Code: codeFormat, Message: "this program cannot write " + string(out.format) +
			": it was built without quicksand/media/image/" + string(out.format)}
	}
	if v := o.Field("quality"); !v.IsNullish() {
		q, isNumber := v.Float()
		switch {
		case !isNumber:
			return out, k.wrong("quality must be a number from 0 to 1")
		case math.IsNaN(q) || math.IsInf(q, 0):
			// The default, as the original has it.
		default:
			out.encode.Quality = min(max(q, image.LowestQuality), 1)
		}
	}
	out.encode.Lossless = truthy(o.Field("lossless"))
	if names == nil {
		names = []string{"background"}
	}
	out.background, err = k.colour(o, names...)
	return out, err
}

// format is the option format, one of those listed.
func (k *call) format(o bridges.Options, otherwise image.Format, list []image.Format) (image.Format, error) {
	v := o.Field("format")
	if v.IsNullish() {
		return otherwise, nil
	}
	name, _ := v.Str()
	f := image.Format(strings.ToLower(strings.TrimSpace(name)))
	if f == "jpg" {
		f = image.JPEG
	}
	if !slices.Contains(list, f) {
		var names []string
		for _, l := range list {
			if !slices.Contains(names, string(l)) {
				names = append(names, string(l))
			}
		}
		return "", &bridges.Error{Op: k.op, Name: "TypeError", Code: codeFormat, Message: "format must be one of " + strings.Join(names, ", ") + ", not " + shown(v)}
	}
	return f, nil
}

// colour is the first of some options that is there and not empty.
func (k *call) colour(o bridges.Options, names ...string) (*[4]uint8, error) {
	for _, name := range names {
		v := o.Field(name)
		if v.IsNullish() {
			continue
		}
		text, ok := v.Str()
		if ok && strings.TrimSpace(text) == "" {
			continue
		}
		c, valid := image.ParseColour(text)
		if !ok || !valid {
			return nil, k.wrong("%s must be a CSS colour like #ff8000, rgb(255 128 0 / 50%%) or tomato, not %s", name, shown(v))
		}
		return &c, nil
	}
	return nil, nil
}

// choice is the option name, one of the names that parse knows; list has them all.
func choice[T any](k *call, o bridges.Options, name, list string, parse func(string) (T, bool)) (T, error) {
	var none T
	v := o.Field(name)
	if v.IsNullish() {
		return none, nil
	}
	text, _ := v.Str()
	if c, ok := parse(text); ok {
		return c, nil
	}
	return none, k.wrong("%s must be %s, not %s", name, list, shown(v))
}

// number is the option name as a number, which is finite.
func (k *call) number(o bridges.Options, name string, otherwise float64) (float64, error) {
	v := o.Field(name)
	if v.IsNullish() {
		return otherwise, nil
	}
	n := toNumber(v)
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return 0, k.wrong("%s must be a number, not %s", name, shown(v))
	}
	return n, nil
}

// between is the option name as a number within bounds.
func (k *call) between(o bridges.Options, name string, otherwise, lo, hi float64) (float64, error) {
	n, err := k.number(o, name, otherwise)
	if err == nil && (n < lo || n > hi) {
		err = k.wrong("%s must be from %s to %s, not %s", name, plain(lo), plain(hi), plain(n))
	}
	return n, err
}

// plain is a number without an exponent.
func plain(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// round is Math.round, within what any picture needs.
func round(v float64) int { return int(math.Floor(min(max(v, -1e9), 1e9) + 0.5)) }

// toNumber is Number(v), for what can cross.
func toNumber(v bridges.Value) float64 {
	if f, ok := v.Float(); ok {
		return f
	}
	if b, ok := v.Bool(); ok {
		if b {
			return 1
		}
		return 0
	}
	if text, ok := v.Str(); ok {
		text = strings.TrimSpace(text)
		if text == "" {
			return 0
		}
		if f, err := strconv.ParseFloat(text, 64); err == nil && !strings.ContainsAny(text, "_xXpPnN") {
			return f
		}
		return math.NaN()
	}
	if v.Kind() == marshal.KindNull {
		return 0
	}
	return math.NaN()
}

// truthy is Boolean(v).
func truthy(v bridges.Value) bool {
	if b, ok := v.Bool(); ok {
		return b
	}
	if f, ok := v.Float(); ok {
		return f != 0 && !math.IsNaN(f)
	}
	if s, ok := v.Str(); ok {
		return s != ""
	}
	return !v.IsNullish()
}

// shown is a value in an error.
func shown(v bridges.Value) string {
	if s, ok := v.Str(); ok {
		if len(s) > 60 {
			s = strings.ToValidUTF8(s[:60], "") + "…"
		}
		return strconv.Quote(s)
	}
	switch v.Kind() {
	case marshal.KindArray, marshal.KindObject:
		return "an " + v.Kind().String()
	case marshal.KindNumber, marshal.KindBool, marshal.KindNull, marshal.KindUndefined:
		return v.String()
	}
	return "a value of another type"
}
