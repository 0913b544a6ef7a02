package audio

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"quicksand/media"
)

// Info is what is known of a sound, of a file by its header alone.
type Info struct {
	// Format is the file's. Open sets it; it is "" for what is no file.
	Format Format
	// Container and Codec are names for guests: "wav" and "pcm-s16", "ogg" and "vorbis".
	// Codecs without compression are "pcm-u8", "pcm-s16", "pcm-s24", "pcm-s32", "pcm-f32",
	// "pcm-f64", and "alaw" and "ulaw". Open sets Container where a decoder leaves it "".
	Container, Codec string
	// Rate is the sampling rate in Hz, of what the decoder gives.
	Rate     int
	Channels int
	// Frames is how many samples each channel has, without the delay and padding of an
	// encoder, or −1 where the header does not tell.
	Frames int64
	// Depth is the number of bits of a sample in the file: 8 to 64, 0 for codecs with loss.
	Depth int
	// Float says that samples are floating-point numbers in the file.
	Float bool
	// Seconds is the duration: Frames / Rate, which Open sets, or an estimate where Frames is
	// −1, or 0.
	Seconds float64
	// BitRate is that of the encoded sound in bits a second, 0 where it does not say.
	BitRate int
	// Scratch is what decoding takes besides the samples, in bytes.
	Scratch int64
}

// A Budget is asked before memory is taken. It is safe for concurrent use.
type Budget interface {
	// Reserve takes n bytes or says why there are not so many.
	Reserve(n int64) error
	// Release gives n bytes back.
	Release(n int64)
}

// A Source is sound that gives its samples in blocks: a *Clip, or a *Sound which was not
// decoded. It is safe for concurrent use.
type Source interface {
	// Info says what it is. Frames may be −1.
	Info() Info
	// Blocks gives all samples in order, one slice for each channel, all of the same length
	// of 1 to BlockFrames. They must not be changed and are valid until yield returns; an
	// error of yield is returned as it is. Blocks looks at ctx.
	Blocks(ctx context.Context, yield func(block [][]float32) error) error
}

// A Reader decodes one file, in blocks. Only one goroutine uses it. It reads from memory and
// has nothing to be closed.
type Reader interface {
	// Info is that of the decoder's Config, of the same file.
	Info() Info
	// Read decodes up to len(dst[0]) frames, for each channel into its own slice of dst, all
	// of the same length, which is not 0. It returns how many there are, io.EOF without any
	// after the last one, or an error, before which n frames were decoded. What an encoder
	// added for its delay and as padding is not among them. A file that ends early is no
	// error. A call takes some milliseconds, and never returns (0, nil).
	Read(dst [][]float32) (n int, err error)
}

// A Decoder reads one format. Its functions are called with files of that format by Sniff,
// whole, with the tags in front, from any goroutine.
type Decoder struct {
	// Config reads the header, in time and memory that do not depend on what it declares. It
	// may look through the file where that is what tells the duration, if that is cheap.
	Config func(data []byte) (Info, error)
	// Open begins to decode. It may take Info.Scratch bytes.
	Open func(data []byte) (Reader, error)
}

// An Encoder writes one format.
type Encoder struct {
	// Encode writes a sound, of which it asks for the blocks at least once. The result must
	// not be larger than MaxEncodedSize. It checks what of the rates, channels and options the
	// format cannot do, and says so.
	Encode func(ctx context.Context, s Source, o EncodeOptions) ([]byte, error)
	// MIME is the media type of what it writes.
	MIME string
	// Loss says that the size of what it writes depends on the duration, not on the samples.
	Loss bool
}

// EncodeOptions say how a sound is written. The zero value is the default of each format.
type EncodeOptions struct {
	// Depth is the bits of a sample for formats without loss: 16, 24, and 32 where the format
	// has it. Zero means 16, as WAV has always been written here.
	Depth int
	// Float asks for floating-point samples where the format has them; Depth is then 32.
	Float bool
	// NoDither leaves dither out where it would be applied.
	NoDither bool
	// BitRate is in bits a second, for formats with loss, of all channels together. Zero
	// means a good one for the channels.
	BitRate int
	// Effort is how hard to try for a small file, from 1 to 10. Zero means 5.
	Effort int
}

var codecs struct {
	sync.RWMutex
	decoders map[Format]Decoder
	encoders map[Format]Encoder
}

// Register adds a format that can be read. Packages of codecs call it when they are
// initialized.
func Register(f Format, d Decoder) {
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
	return sortedKeys(codecs.encoders)
}

// Decoders are the formats that can be read, in alphabetical order.
func Decoders() []Format {
	codecs.RLock()
	defer codecs.RUnlock()
	return sortedKeys(codecs.decoders)
}

func sortedKeys[V any](m map[Format]V) []Format {
	var list []Format
	for f := range m {
		list = append(list, f)
	}
	slices.Sort(list)
	return list
}

func decoder(f Format) (Decoder, bool) {
	codecs.RLock()
	defer codecs.RUnlock()
	d, ok := codecs.decoders[f]
	return d, ok
}

// EncoderMIME is the media type of what the encoder of a format writes. It reports false
// without an encoder.
func EncoderMIME(f Format) (string, bool) {
	codecs.RLock()
	defer codecs.RUnlock()
	e, ok := codecs.encoders[f]
	return e.MIME, ok
}

// MaxEncodedSize is the most bytes that an encoder may write for so many frames: no more than
// samples of the depth take, or 64 KB a second with loss, and a little for headers and tables.
func MaxEncodedSize(rate, channels int, frames int64, loss bool, o EncodeOptions) int64 {
	return encodedHead + encodedBody(rate, channels, frames, loss, o)
}

// encodedHead is for headers and tables, and for what packets take more.
const encodedHead = 64 << 10

func encodedBody(rate, channels int, frames int64, loss bool, o EncodeOptions) int64 {
	if loss {
		return frames*(64<<10)/int64(rate) + 1 + frames/64
	}
	depth := max(o.Depth, 16)
	if o.Float {
		depth = 32
	}
	return int64((depth+7)/8)*int64(channels)*frames + frames/64 + 1
}

// Encode writes a sound. Meanwhile it holds what the file may take of budget, which may be
// nil; what the result takes is for the caller to reserve afterwards.
func Encode(ctx context.Context, f Format, s Source, o EncodeOptions, budget Budget) ([]byte, error) {
	codecs.RLock()
	e, ok := codecs.encoders[f]
	codecs.RUnlock()
	if !ok {
		return nil, fmt.Errorf("format %q cannot be written: it must be one of %s", f, join(Encoders()))
	}
	m := &metered{Source: s, budget: budget}
	m.size = func(frames int64) int64 { return encodedBody(s.Info().Rate, s.Info().Channels, frames, e.Loss, o) }
	defer m.release()
	if err := m.take(encodedHead); err != nil {
		return nil, err
	}
	var out []byte
	err := contained(func() (err error) { out, err = e.Encode(ctx, m, o); return err })
	if err != nil {
		return nil, err
	}
	if budget != nil && int64(len(out)) > m.held {
		return nil, fmt.Errorf("the encoder for %s wrote %d bytes, and may write %d", f, len(out), m.held)
	}
	if len(out) > MaxEncoded {
		return nil, &LimitError{"AudioBytes", "the encoded sound in bytes", float64(len(out)), 0, MaxEncoded}
	}
	return out, nil
}

// metered is a source that reserves what its blocks may be encoded to.
type metered struct {
	Source
	budget Budget
	held   int64
	size   func(frames int64) int64 // of what frames are encoded to
}

func (m *metered) take(n int64) error {
	if m.budget == nil {
		return nil
	}
	if err := m.budget.Reserve(n); err != nil {
		return err
	}
	m.held += n
	return nil
}

func (m *metered) release() {
	if m.budget != nil {
		m.budget.Release(m.held)
	}
}

// Blocks implements Source. An encoder that takes them twice is metered twice, which is right
// as far as it is more careful.
func (m *metered) Blocks(ctx context.Context, yield func([][]float32) error) error {
	return m.Source.Blocks(ctx, func(block [][]float32) error {
		if err := m.take(m.size(int64(len(block[0])))); err != nil {
			return err
		}
		return yield(block)
	})
}

// onGrid passes on what the source knows about itself.
func (m *metered) onGrid(ctx context.Context, depth int) (bool, error) {
	return OnGrid(ctx, m.Source, depth)
}

func join(list []Format) string {
	var b strings.Builder
	for i, f := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(f))
	}
	return b.String()
}

// A DecodeError says why a file cannot be decoded. Its text is for guests, too.
type DecodeError struct {
	Format Format
	Reason string
	// Err is the decoder's own error, for the host.
	Err error
}

func (e *DecodeError) Error() string {
	return fmt.Sprintf("could not decode the audio (%s): %s", e.Format, e.Reason)
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

// A FormatError is what the decoders of this module say about files that they cannot decode.
// Its text is for guests. Errors of other kinds are those of libraries, which guests do not
// see.
type FormatError string

func (e FormatError) Error() string { return string(e) }

// decodeError makes a DecodeError of what a decoder said.
func decodeError(f Format, err error) error {
	var (
		format FormatError
		limit  *LimitError
		budget *media.BudgetError
		done   *DecodeError
	)
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.As(err, &budget), errors.As(err, &done):
		return err
	case errors.As(err, &limit):
		return &DecodeError{f, limit.Error(), err}
	case errors.As(err, &format):
		return &DecodeError{f, format.Error(), err}
	}
	return &DecodeError{f, "the file is damaged", err}
}

// supplements say what to do about formats without a decoder.
var supplements = map[Format]string{
	MP3:      "this program was built without MP3; the package quicksand/media/audio/mp3 has it",
	FLAC:     "this program was built without FLAC; the package quicksand/media/audio/flac has it",
	OggFLAC:  "FLAC in Ogg is not supported; FLAC by itself is",
	Vorbis:   "this program was built without Vorbis; the package quicksand/media/audio/ogg has it",
	Opus:     "this program was built without Opus; the package quicksand/media/audio/ogg has it",
	AAC:      "this program was built without AAC; the module quicksand/media/audio/aac has it, under the LGPL",
	M4A:      "this program was built without AAC in MP4; the module quicksand/media/audio/aac has it, under the LGPL",
	Matroska: "Matroska is not supported",
	WebM:     "WebM is not supported",
}

func noDecoder(f Format) error {
	reason := supplements[f]
	if reason == "" {
		reason = "it is none of the formats that can be read: " + join(Decoders())
	}
	return &DecodeError{Format: f, Reason: reason}
}
