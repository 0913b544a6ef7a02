package hostmods

import (
	"strings"

	"quicksand/bridges"
)

// The largest arguments of a call, unless a module says otherwise.
const (
	MaxText  = 5_242_880  // UTF-16 units of a text
	MaxBytes = 10_485_760 // bytes
)

// Names of limits, as in LIMITS.md.
const (
	LimitText    = "HostTextSize"
	LimitBytes   = "HostBytesSize"
	LimitResult  = "HostResultSize"
	LimitTimeout = "HostCallTimeout"
	LimitMemory  = "HostMemory"
)

// BytesHint tells guests where bytes come from.
const BytesHint = "workspace.readBytes(path) and response.bytes() give one"

// BytesParam is a parameter for Bytes.
func BytesParam(name, doc string) bridges.Param {
	return bridges.Param{Name: name, Type: bridges.Bytes, Doc: doc, Hint: BytesHint}
}

// StringParam is a parameter for Text which takes a string alone.
func StringParam(name, doc string) bridges.Param {
	return bridges.Param{Name: name, Type: bridges.String, Doc: doc}
}

// TextParam is a parameter for Text which takes a string or UTF-8.
func TextParam(name, doc string) bridges.Param {
	return bridges.Param{Name: name, Type: bridges.Text, Doc: doc}
}

// Text is argument i of c: a string of at most MaxText UTF-16 units or, where the parameter
// takes bytes, at most MaxBytes of UTF-8, without their byte order mark and with U+FFFD for
// what is not valid. An error is ready for the guest.
func Text(c *bridges.Call, i int) (string, error) {
	if s, ok := c.Arg(i).Str(); ok {
		return s, checkText(c, i, s)
	}
	if _, ok := c.Arg(i).Bytes(); !ok {
		return "", bridges.TypeErrorf(c.Op(), "%s must be a string or Uint8Array, not %s", paramName(c, i), bridges.Describe(c.Arg(i)))
	}
	b, err := Bytes(c, i)
	if err != nil {
		return "", err
	}
	return strings.ToValidUTF8(strings.TrimPrefix(string(b), "\ufeff"), "\ufffd"), nil
}

// Bytes is argument i of c, at most MaxBytes of them. They must not be changed. An error is
// ready for the guest.
func Bytes(c *bridges.Call, i int) ([]byte, error) { return BytesUpTo(c, i, LimitBytes, MaxBytes) }

// BytesUpTo is Bytes with a limit of its own, which name is the row of in LIMITS.md.
func BytesUpTo(c *bridges.Call, i int, name string, limit int64) ([]byte, error) {
	v := c.Arg(i)
	n := int64(v.Len()) // of an array of numbers, before it is converted
	b, ok := v.Bytes()
	if ok {
		n = int64(len(b))
	}
	if n > limit {
		return nil, bridges.Limitf(c.Op(), name, limit, n, "%s has %d bytes, more than the limit of %d", paramName(c, i), n, limit)
	}
	if !ok {
		if b = c.Bytes(i); b == nil {
			return nil, bridges.TypeErrorf(c.Op(), "%s must be a Uint8Array, not %s; %s", paramName(c, i), bridges.Describe(v), BytesHint)
		}
	}
	return b, nil
}

// checkText bounds a string.
func checkText(c *bridges.Call, i int, s string) error {
	// A string has no more UTF-16 units than bytes.
	if len(s) <= MaxText {
		return nil
	}
	n := int64(0)
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	if n <= MaxText {
		return nil
	}
	return bridges.Limitf(c.Op(), LimitText, MaxText, n, "%s has %d characters, more than the limit of %d", paramName(c, i), n, MaxText)
}

// paramName is how errors call argument i.
func paramName(c *bridges.Call, i int) string {
	if i < len(c.Func.Params) {
		return c.Func.Params[i].Name
	}
	return "the argument"
}
