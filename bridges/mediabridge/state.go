package mediabridge

import (
	"context"
	"errors"

	"quicksand/bridges"
	"quicksand/media"
	"quicksand/media/image"
)

// shared holds the media of a run, which all bridges of this package work with.
var shared = &bridges.Bridge{
	Name: "media store", Always: true,
	Open: func(s *bridges.Session, _ any) (any, error) { return media.NewStore(s.Media()), nil },
}

// storeOf is the store of a run.
func storeOf(s *bridges.Session) (*media.Store, error) {
	v, err := s.State(shared)
	if err != nil {
		return nil, err
	}
	return v.(*media.Store), nil
}

func init() {
	bridges.ServeMedia(find)
	bridges.Register(Image)
}

// find is Session.Medium.
func find(s *bridges.Session, op, id, kind string) (*bridges.Medium, error) {
	store, err := storeOf(s)
	if err != nil {
		return nil, err
	}
	i, err := store.Get(id, media.Kind(kind))
	if err != nil {
		return nil, failure(op, err)
	}
	return &bridges.Medium{ID: i.ID, Kind: string(i.Kind), MIME: i.Content.MIME(), Width: i.Width, Height: i.Height,
		Bytes: func(ctx context.Context) ([]byte, error) {
			data, err := i.Content.Bytes(ctx)
			if err != nil {
				return nil, failure(op, err)
			}
			return data, nil
		}}, nil
}

// Codes of errors.
const (
	codeDecode = "ERR_IMAGE_DECODE" // the file cannot be decoded
	codeFormat = "ERR_IMAGE_FORMAT" // the format cannot be written
	codeSize   = "ERR_IMAGE_SIZE"   // no picture can have this size, or the part is not in it
	codeEncode = "ERR_IMAGE_ENCODE" // the encoder failed
)

// failure makes the error of a call of what went wrong below. Errors of package image are
// worded for guests.
func failure(op string, err error) error {
	var be *bridges.Error
	var budget *media.BudgetError
	var size *image.SizeError
	var decode *image.DecodeError
	var handle *media.HandleError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &be):
		return err
	case errors.As(err, &budget):
		return &bridges.Error{Kind: bridges.KindLimit, Op: op, Name: "RangeError", Code: bridges.CodeLimit, Limit: media.LimitName,
			Value: budget.Limit, Used: budget.Used, Message: budget.Error()}
	case errors.As(err, &size):
		return sizeError(op, "", size)
	case errors.As(err, &decode):
		return &bridges.Error{Op: op, Code: codeDecode, Message: decode.Error(), Err: err}
	case errors.As(err, &handle):
		if handle.Is == "" {
			return bridges.NoMedium(op, handle.ID)
		}
		return &bridges.Error{Op: op, Name: "TypeError", Code: bridges.CodeHandle, Message: handle.Error()}
	}
	if e := audioError(op, err); e != nil {
		return e // of the bytes of a handle
	}
	return &bridges.Error{Kind: bridges.KindInternal, Op: op, Code: codeEncode, Message: "the picture could not be made", Err: err}
}

// sizeError is the error for a size that no picture may have; where stands in front.
func sizeError(op, where string, e *image.SizeError) error {
	n := int64(e.Width) * int64(e.Height)
	switch {
	case e.Width < 1 || e.Height < 1:
		return &bridges.Error{Op: op, Name: "RangeError", Code: codeSize, Message: where + e.Error()}
	case e.Width > image.MaxEdge || e.Height > image.MaxEdge:
		return bridges.Limitf(op, edgeLimit.Name, image.MaxEdge, int64(max(e.Width, e.Height)), "%s%v", where, e)
	}
	return bridges.Limitf(op, pixelLimit.Name, image.MaxPixels, n, "%s%v", where, e)
}

// checkSize refuses a size that no picture may have.
func checkSize(op string, width, height int) error {
	var e *image.SizeError
	if errors.As(image.CheckSize(width, height), &e) {
		return sizeError(op, "", e)
	}
	return nil
}
