// Package hosttest calls functions of host modules in tests, as a guest would.
package hosttest

import (
	"context"
	"errors"
	"fmt"

	"quicksand/bridges"
	"quicksand/hostmods"
	"quicksand/internal/marshal"
)

// Call calls an export of a registered module, for example "csv.parse", with Go values as
// arguments. Its result is what a guest gets, its error what a guest sees. It may be called
// by any number of goroutines.
func Call(ctx context.Context, export string, args ...any) (marshal.Value, error) {
	for _, m := range hostmods.Registered() {
		for i := range m.Funcs {
			f := m.Funcs[i]
			if f.Op = m.ID + "." + f.Name; f.Op != export {
				continue
			}
			if args == nil {
				args = []any{}
			}
			list, err := marshal.NewValue(args, marshal.EncodeOptions{})
			if err != nil {
				return marshal.Value{}, err
			}
			call, err := bridges.Unpack(nil, &bridges.Bridge{Name: m.Pack()}, &f, list)
			if err != nil {
				return marshal.Value{}, err
			}
			v, err := f.Call(ctx, call)
			if err != nil {
				var e *bridges.Error
				if errors.As(err, &e) && e.Op == "" || e == nil && ctx.Err() == nil {
					err = fmt.Errorf("%s: %w", export, err)
				}
				return marshal.Value{}, err
			}
			return marshal.NewValue(v, marshal.EncodeOptions{})
		}
	}
	return marshal.Value{}, fmt.Errorf("no module has an export %s", export)
}

// JSON is the result of Call as JSON, or the error after "! ".
func JSON(ctx context.Context, export string, args ...any) string {
	v, err := Call(ctx, export, args...)
	if err != nil {
		return "! " + err.Error()
	}
	b, err := v.JSON()
	if err != nil {
		return "! " + err.Error()
	}
	return string(b)
}
