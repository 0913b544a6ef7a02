package zip

import "fmt"

// A FormatError says what is wrong with an archive, in words for whoever gave it.
type FormatError struct{ Message string }

// Error returns the message.
func (e *FormatError) Error() string { return e.Message }

func malformed(format string, args ...any) error {
	return &FormatError{fmt.Sprintf(format, args...)}
}

// A LimitError says which limit an archive exceeds.
type LimitError struct {
	// Limit is the name of the limit, Value what it is, Used what would have been needed, or
	// at least that.
	Limit       string
	Value, Used int64
	Message     string
}

// Error returns the message.
func (e *LimitError) Error() string { return e.Message }

func over(limit string, value, used int64, format string, args ...any) error {
	return &LimitError{limit, value, used, fmt.Sprintf(format, args...)}
}
