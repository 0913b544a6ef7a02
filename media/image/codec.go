package image

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sort"
	"strings"
	"sync"
	"time"
)

// Info is what the header of a file says.
type Info struct {
	Format Format
	// Width and Height are those of the picture as it is shown, with Orientation applied.
	Width, Height int
	// Orientation is the EXIF tag, 1 to 8, or 0 without it.
	Orientation int
	// Frames is the number of frames of an animation, 1 for any other file.
	Frames int
	// Plays is how many times an animation is shown, 0 for ever and for any other file.
	Plays int
	// Duration is the sum of the delays of an animation's frames.
	Duration time.Duration
	// Depth is the number of bits of a channel in the file: 8, 16 and so on.
	Depth int
	// Alpha says whether pixels can be transparent.
	Alpha bool
	// Profile names the colour profile in the file, "" without one.
	Profile string
	// ICC is the profile itself, if the decoder leaves it to Picture to apply it: at most
	// MaxProfile bytes, which may alias the file. ProfileUse says what Picture does about it.
	ICC        []byte
	ProfileUse ProfileUse
	// Scratch is what decoding takes besides the surface, in bytes.
	Scratch int64
}

// A Budget is asked before memory is taken. It is safe for concurrent use.
type Budget interface {
	// Reserve takes n bytes or says why there are not so many.
	Reserve(n int64) error
	// Release gives n bytes back.
	Release(n int64)
}

// A Decoder reads one format. Its functions are called with files of that format by Sniff,
// at most MaxEncoded bytes, from any goroutine.
type Decoder struct {
	// Config reads the header, in time and memory that do not depend on the size which it
	// declares. The size is the stored one, before Orientation.
	Config func(data []byte) (Info, error)
	// Decode decodes one frame, whose size and scratch memory were found in order, without
	// applying the orientation.
	Decode func(ctx context.Context, data []byte, frame int) (*Surface, error)
	// Frames decodes all frames in order and gives them to yield, whose error it returns. The
	// surface is valid until yield returns. Nil where a file has one frame.
	Frames func(ctx context.Context, data []byte, yield func(n int, s *Surface, delay time.Duration) error) error
	// Planes decodes to luma and chroma at 1/scale of the size (1, 2, 4 or 8), if the file
	// has them. Nil where the format does not.
	Planes func(ctx context.Context, data []byte, scale int) (*YCC, error)
}

// MaxCodecMemory is the most memory that one codec at work takes for itself, in bytes,
// where it runs as WebAssembly: it cannot take more.
const MaxCodecMemory = 1 << 30

// An Encoder writes one format.
type Encoder struct {
	// Encode writes a picture.
	Encode func(ctx context.Context, s *Surface, o EncodeOptions) ([]byte, error)
	// Planes writes one from luma and chroma. Nil where that is not cheaper.
	Planes func(ctx context.Context, y *YCC, o EncodeOptions) ([]byte, error)
	// Animate writes an animation. Nil where the format has none.
	Animate func(ctx context.Context, frames []Frame, o AnimationOptions) ([]byte, error)
	// Alpha says whether the format can store transparency.
	Alpha bool
}

// EncodeOptions say how a picture is written.
type EncodeOptions struct {
	// Quality is from 0 to 1. Zero means DefaultQuality; LowestQuality is the lowest. It does
	// not matter to formats without loss.
	Quality float64
	// Lossless asks for a mode without loss where the format has both.
	Lossless bool
}

// Qualities of EncodeOptions.
const (
	DefaultQuality = 0.92
	LowestQuality  = 1e-9
)

// Percent is the quality from 1 to 100, rounded, which most encoders ask for.
func (o EncodeOptions) Percent() int {
	q := o.Quality
	if q == 0 {
		q = DefaultQuality
	}
	return min(max(int(q*100+0.5), 1), 100)
}

// MaxEncoded is the largest file that is decoded, in bytes.
const MaxEncoded = 25 << 20

var codecs struct {
	sync.RWMutex
	decoders map[Format]Decoder
	encoders map[Format]Encoder
}

// RegisterDecoder adds a format that can be read. Packages of codecs call it when they are
// initialized.
func RegisterDecoder(f Format, d Decoder) {
	codecs.Lock()
	defer codecs.Unlock()
	if codecs.decoders == nil {
		codecs.decoders = make(map[Format]Decoder)
	}
	codecs.decoders[f] = d
}

// RegisterEncoder adds a format that can be written.
func RegisterEncoder(f Format, e Encoder) {
	codecs.Lock()
	defer codecs.Unlock()
	if codecs.encoders == nil {
		codecs.encoders = make(map[Format]Encoder)
	}
	codecs.encoders[f] = e
}

// Encoders are the formats that can be written, in alphabetical order.
func Encoders() []Format {
	codecs.RLock()
	defer codecs.RUnlock()
	var list []Format
	for f := range codecs.encoders {
		list = append(list, f)
	}
	sort.Slice(list, func(i, k int) bool { return list[i] < list[k] })
	return list
}

func decoder(f Format) (Decoder, bool) {
	codecs.RLock()
	defer codecs.RUnlock()
	d, ok := codecs.decoders[f]
	return d, ok
}

func encoder(f Format) (Encoder, bool) {
	codecs.RLock()
	defer codecs.RUnlock()
	e, ok := codecs.encoders[f]
	return e, ok
}

// A DecodeError says why a file cannot be decoded. Its text is for guests, too.
type DecodeError struct {
	Format Format
	Reason string
	// Err is the decoder's own error, for the host.
	Err error
}

func (e *DecodeError) Error() string {
	return fmt.Sprintf("could not decode the image (%s): %s", e.Format, e.Reason)
}

// Unwrap returns Err.
func (e *DecodeError) Unwrap() error { return e.Err }

// A PanicError is a panic of a codec, which is a defect of it.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprint("the codec panicked: ", e.Value) }

// contained calls a codec, which must not take the process with it.
func contained(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{p, debug.Stack()}
		}
	}()
	return f()
}

// decodeError makes a DecodeError of what a decoder said.
func decodeError(f Format, err error) error {
	var p *PanicError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &p):
		return &DecodeError{f, "the file is damaged", err}
	}
	// Decoders write "png: invalid format: …", which says enough and nothing of the host.
	reason := err.Error()
	if _, rest, ok := strings.Cut(reason, ": "); ok {
		reason = rest
	}
	return &DecodeError{f, reason, err}
}

// supplements say what to do about formats without a decoder.
var supplements = map[Format]string{
	AVIF: "this program was built without AVIF; the package quicksand/media/image/avif has it",
	JXL:  "this program was built without JPEG XL; the package quicksand/media/image/jxl has it",
	HEIC: "HEIC is not supported, because its decoders are not free to use",
	SVG:  "this program was built without SVG; the package quicksand/canvas/svg has it",
}

func noDecoder(f Format) error {
	reason := supplements[f]
	if reason == "" {
		reason = "it is none of the formats that can be read"
	}
	return &DecodeError{Format: f, Reason: reason}
}
