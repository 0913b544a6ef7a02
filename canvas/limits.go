package canvas

import "fmt"

// Limits bound what a recording and a context may take. A zero field means the default; values
// above the ceiling are cut to it. What memory is taken is up to the Budget, besides.
type Limits struct {
	// Ops is the most operations of a recording.
	Ops int
	// Numbers is the most arguments of all operations of a recording, Text the most bytes of
	// its strings.
	Numbers, Text int
	// SaveDepth is the most states that save has put aside.
	SaveDepth int
	// Segments is the most segments of one path. What it becomes, flattened, dashed and stroked,
	// may have four points for each.
	Segments int
	// Work is the most pixels that a context touches: the sum of the areas which operations
	// may paint, of all passes over them. A point of a path that is drawn and a byte of text
	// take as long as many pixels, and count as 32. It does not depend on how many goroutines
	// draw.
	Work int64
}

// Defaults and ceilings of Limits.
const (
	DefaultOps       = 10_000
	MaxOps           = 1_000_000
	DefaultNumbers   = 4 << 20
	MaxNumbers       = 64 << 20
	DefaultText      = 4 << 20
	MaxText          = 64 << 20
	DefaultSaveDepth = 10_000
	MaxSaveDepth     = 100_000
	DefaultSegments  = 1 << 20
	MaxSegments      = 16 << 20
	DefaultWork      = 16 << 30
	MaxWork          = 1 << 40
)

// slowWork is how many pixels a point or a byte of text counts as.
const slowWork = 32

// maxWord is how long fonts, filters, lengths, languages and options in recordings may be, in
// bytes: they are read each time.
const maxWord = 4096

// MaxResource is the largest number of a gradient, pattern or path in a recording.
const MaxResource = 1<<31 - 1

func limit[T int | int64](v, standard, ceiling T) T {
	if v <= 0 {
		return standard
	}
	return min(v, ceiling)
}

// WithDefaults is l with defaults and ceilings applied.
func (l Limits) WithDefaults() Limits {
	return Limits{
		Ops:       limit(l.Ops, DefaultOps, MaxOps),
		Numbers:   limit(l.Numbers, DefaultNumbers, MaxNumbers),
		Text:      limit(l.Text, DefaultText, MaxText),
		SaveDepth: limit(l.SaveDepth, DefaultSaveDepth, MaxSaveDepth),
		Segments:  limit(l.Segments, DefaultSegments, MaxSegments),
		Work:      limit(l.Work, DefaultWork, MaxWork),
	}
}

// A LimitError says that a limit is exceeded. Its text is for guests, too.
type LimitError struct {
	Name  string // of the field of Limits
	What  string // is counted
	Limit int64
	Value int64 // that was asked for
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%d %s exceeds the %d limit (Canvas%s)", e.Value, e.What, e.Limit, e.Name)
}
