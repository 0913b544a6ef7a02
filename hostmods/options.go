package hostmods

import (
	"quicksand/bridges"
	"quicksand/internal/marshal"
)

// OptionsParam is a bag of options: what is no object has none.
func OptionsParam(names string) bridges.Param {
	return bridges.Param{Name: "options", Optional: true, Doc: names}
}

// Truthy is what a condition makes of an option: unless is its value where it is undefined.
func Truthy(v bridges.Value, unless bool) bool {
	switch v.Kind() {
	case marshal.KindUndefined:
		return unless
	case marshal.KindNull:
		return false
	case marshal.KindBool:
		b, _ := v.Bool()
		return b
	case marshal.KindNumber:
		f, _ := v.Float()
		return f != 0 && f == f
	case marshal.KindString:
		return v.Len() > 0
	}
	return true
}
