//go:build cgo && linux && (amd64 || arm64) && !purego

package enginetest_test

import (
	"errors"
	"runtime"
	"testing"

	"github.com/buke/quickjs-go"
)

func init() {
	raws["cgo"] = func(tb testing.TB, code string) func() error {
		runtime.LockOSThread()
		rt := quickjs.NewRuntime()
		ctx := rt.NewContext()
		tb.Cleanup(func() {
			ctx.Close()
			rt.Close()
			runtime.UnlockOSThread()
		})
		return func() error {
			v := ctx.Eval(code)
			defer v.Free()
			if v.IsException() {
				return errors.New("the raw engine threw")
			}
			return nil
		}
	}
}
