package text

import "context"

// MaxText is the length in bytes of the longest string that is shaped.
const MaxText = 1 << 20

// Shape sets a string in a font. Words are shaped one by one, as browsers do, unless the
// options ask for kerning across spaces; white space is one space for each character; what no
// face has is the box of the first face.
//
// It fails when the string is longer than MaxText or the context ends.
func (f *Fonts) Shape(ctx context.Context, font Font, o Options, s string) (*Line, error) {
	return f.shape(ctx, &font, &o, s)
}
