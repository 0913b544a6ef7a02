package text

import "context"

func (f *Fonts) shape(ctx context.Context, font *Font, o *Options, s string) (*Line, error) {
	return new(Line), nil
}

type wordKey struct{ face *Face }
type word struct{}
