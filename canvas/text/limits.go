package text

import "fmt"

// A LimitError says that a limit is exceeded. Its text is for guests, too.
type LimitError struct {
	Name  string // TextBytes, FontBytes, FontFaces or FontSetBytes
	What  string // is counted
	Limit int64
	Value int64 // that was asked for
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%d %s exceeds the %d limit (%s)", e.Value, e.What, e.Limit, e.Name)
}
