package mediabridge

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"quicksand/bridges"
	"quicksand/bridges/assets"
	"quicksand/internal/marshal"
	"quicksand/media"
	"quicksand/media/audio"
)

// A soundCall is one call of a function that works with sounds. Clips and recordings that it
// has are released at its end, but for those which it has put into handles.
type soundCall struct {
	*call
	clips      []*audio.Clip
	recordings []*recording
}

// hearing makes a bridge's function of one that gets a call.
func hearing(f func(k *soundCall) (any, error)) func(context.Context, *bridges.Call) (any, error) {
	return func(ctx context.Context, c *bridges.Call) (any, error) {
		store, err := storeOf(c.Session)
		if err != nil {
			return nil, err
		}
		k := &soundCall{call: &call{Call: c, ctx: ctx, op: c.Op(), store: store}}
		defer k.close()
		v, err := f(k)
		if err != nil {
			return nil, soundFailure(k.op, err)
		}
		return v, nil
	}
}

// sounding is hearing for a function that makes a clip, which takes its options of encoding
// from its last parameter.
func sounding(f func(k *soundCall) (*handle, error)) func(context.Context, *bridges.Call) (any, error) {
	return hearing(func(k *soundCall) (any, error) {
		h, err := f(k)
		if err != nil {
			return nil, err
		}
		return h.reply(), nil
	})
}

func (k *soundCall) close() {
	for _, c := range k.clips {
		c.Release()
	}
	for _, r := range k.recordings {
		r.release()
	}
	k.call.close()
}

// own has a clip released at the end of the call.
func (k *soundCall) own(c *audio.Clip, err error) (*audio.Clip, error) {
	if err != nil {
		return nil, err
	}
	k.clips = append(k.clips, c)
	return c, nil
}

// A hearable is a sound among the arguments.
type hearable struct {
	rec   *recording
	shape reshaping
	k     *soundCall
}

// noSound is what errors say of an argument that is no sound.
const noSound = "expected media bytes, a media handle, or a media ref"

// file reads an argument: a handle's item, or a file, for which memory was taken. where stands
// in front of errors: "audio 2: " or nothing.
func (k *soundCall) file(v bridges.Value, where string) (*input, error) {
	if id, ok := bridges.HandleID(v); ok {
		i, err := k.store.Get(id, media.Audio)
		if err != nil {
			return nil, failure(k.op, err)
		}
		return &input{item: i}, nil
	}
	in := &input{}
	var isBytes bool
	var err error
	switch in.data, isBytes = bridges.AsBytes(v); {
	case isBytes:
	case assets.IsRef(v):
		if in.data, in.mime, err = assets.Load(k.ctx, k.Session, k.op, v, string(media.Audio), media.LimitName, k.store.Budget.Limit()-k.fed); err != nil {
			return nil, err
		}
	default:
		return nil, k.wrong("%s%s", where, noSound)
	}
	if err := k.feed(len(in.data), where, media.Audio); err != nil {
		return nil, failure(k.op, err)
	}
	return in, nil
}

// hear opens a sound among the arguments: of a file the header is read.
func (k *soundCall) hear(v bridges.Value, where string) (*hearable, error) {
	in, err := k.file(v, where)
	if err != nil {
		return nil, err
	}
	if in.item != nil {
		if t, ok := in.item.Content.(*track); ok {
			rec, ok := t.use()
			if !ok {
				return nil, &media.HandleError{ID: in.item.ID}
			}
			k.recordings = append(k.recordings, rec)
			return &hearable{rec: rec, shape: t.shape, k: k}, nil
		}
		// A medium that exists as a file alone.
		if in.data, err = in.item.Content.Bytes(k.ctx); err != nil {
			return nil, err
		}
	}
	s, err := audio.Open(in.data, room{k.store})
	if err != nil {
		if err = soundFailure(k.op, err); where != "" {
			var be *bridges.Error
			if errors.As(err, &be) {
				be.Message = where + be.Message
			}
		}
		return nil, err
	}
	rec := &recording{store: k.store, sound: s, refs: 1}
	if in.item == nil {
		// The file belongs to the recording, which a handle may keep.
		rec.size = int64(len(in.data))
		k.taken -= rec.size
	}
	k.recordings = append(k.recordings, rec)
	return &hearable{rec: rec, k: k}, nil
}

// source gives the samples in blocks.
func (h *hearable) source() (audio.Source, error) { return h.rec.source(h.shape) }

// clip is the whole, decoded.
func (h *hearable) clip() (*audio.Clip, error) { return h.k.own(h.rec.clip(h.k.ctx, h.shape)) }

// list are the elements of an argument that is an array of sounds.
func (k *soundCall) list(v bridges.Value) ([]bridges.Value, error) {
	if v.Kind() != marshal.KindArray {
		if n, ok := v.Field("length").Int(); ok && n > audio.MaxInputs {
			return nil, bridges.Limitf(k.op, audioInputLimit.Name, audio.MaxInputs, n, "%d audios: at most %d audios per call", n, audio.MaxInputs)
		}
		return nil, k.wrong("pass an array of sounds, as in %s([a, b])", k.op)
	}
	if v.Len() == 0 {
		return nil, k.wrong("at least one audio input is required")
	}
	return k.elements(v, "audios", audio.MaxInputs, audioInputLimit)
}

// hearAll decodes the elements of an argument that is an array of sounds.
func (k *soundCall) hearAll(v bridges.Value) ([]*audio.Clip, error) {
	list, err := k.list(v)
	if err != nil {
		return nil, err
	}
	clips := make([]*audio.Clip, len(list))
	for i, v := range list {
		h, err := k.hear(v, layerName("audio", i))
		if err != nil {
			return nil, err
		}
		if clips[i], err = h.clip(); err != nil {
			return nil, err
		}
	}
	return clips, nil
}

// keep makes a handle of a clip, which belongs to it then.
func (k *soundCall) keep(c *audio.Clip, out soundOutput) (*handle, error) {
	if err := out.check(k.ctx, c.Rate(), c.Channels()); err != nil {
		c.Release()
		return nil, err
	}
	return k.addTrack(newTrack(&recording{store: k.store, sound: audio.FromClip(c), refs: 1}, reshaping{}, out))
}

// made is keep for a clip that was made, or not.
func (k *soundCall) made(c *audio.Clip, err error, out soundOutput) (*handle, error) {
	if err != nil {
		return nil, err
	}
	return k.keep(c, out)
}

// addTrack puts a track into the store.
func (k *soundCall) addTrack(t *track) (*handle, error) {
	i, err := k.store.Add(media.Audio, 0, 0, t)
	if err != nil {
		return nil, k.notKept(err)
	}
	return &handle{i}, nil
}

// Codes of errors.
const (
	codeAudioDecode = "ERR_AUDIO_DECODE" // the file cannot be decoded
	codeAudioFormat = "ERR_AUDIO_FORMAT" // the format cannot be written, or not so
	codeAudioEncode = "ERR_AUDIO_ENCODE" // the encoder failed
)

// soundFailure makes the error of a call of what package audio says. What it says plainly is
// worded for guests: arguments that make no sense.
func soundFailure(op string, err error) error {
	var (
		be     *bridges.Error
		handle *media.HandleError
		budget *media.BudgetError
	)
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &be):
		return err
	case errors.As(err, &handle):
		return failure(op, err)
	case errors.As(err, &budget):
		return &bridges.Error{Kind: bridges.KindLimit, Op: op, Name: "RangeError", Code: bridges.CodeLimit, Limit: media.LimitName,
			Value: budget.Limit, Used: budget.Used, Message: "decoded audio exceeds the run media limit: " + budget.Error()}
	}
	if e := audioError(op, err); e != nil {
		return e
	}
	return &bridges.Error{Op: op, Name: "RangeError", Message: err.Error()}
}

// audioError is the error for those types of errors that only package audio has, else nil.
func audioError(op string, err error) error {
	var (
		decode *audio.DecodeError
		limit  *audio.LimitError
		panics *audio.PanicError
		encode *encodeError
	)
	switch {
	case errors.As(err, &panics):
		return &bridges.Error{Kind: bridges.KindInternal, Op: op, Code: codeAudioEncode, Message: "the codec failed", Err: err}
	case errors.As(err, &encode):
		return encode.error(op)
	case errors.As(err, &decode):
		return &bridges.Error{Op: op, Code: codeAudioDecode, Message: decode.Error(), Err: err}
	case errors.As(err, &limit):
		e := bridges.Limitf(op, limit.Limit, int64(limit.Max), int64(limit.Value), "%s", strings.TrimSuffix(limit.Error(), " ("+limit.Limit+")"))
		if limit.Value < limit.Min {
			e.Value = int64(limit.Min)
		}
		return e
	}
	return nil
}

// An encodeError says why a sound cannot be written in a format.
type encodeError struct {
	format audio.Format
	err    error
}

func (e *encodeError) Error() string { return fmt.Sprintf("could not encode the audio (%s)", e.format) }
func (e *encodeError) Unwrap() error { return e.err }

func (e *encodeError) error(op string) error {
	var plain audio.FormatError
	if errors.As(e.err, &plain) {
		return &bridges.Error{Op: op, Name: "RangeError", Code: codeAudioFormat, Message: e.Error() + ": " + string(plain), Err: e.err}
	}
	return &bridges.Error{Kind: bridges.KindInternal, Op: op, Code: codeAudioEncode, Message: e.Error(), Err: e.err}
}
