package enginetest_test

import (
	"errors"
	"testing"

	"modernc.org/libc"
	lib "modernc.org/libquickjs"
)

func init() {
	raws["pure"] = func(tb testing.TB, code string) func() error {
		tls := libc.NewTLS()
		rt := lib.XJS_NewRuntime(tls)
		ctx := lib.XJS_NewContext(tls, rt)
		source, err := libc.CString(code)
		if err != nil {
			tb.Fatal(err)
		}
		name, err := libc.CString("raw.js")
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() {
			lib.XJS_FreeContext(tls, ctx)
			lib.XJS_FreeRuntime(tls, rt)
			tls.Close()
		})
		return func() error {
			v := lib.XJS_Eval(tls, ctx, source, lib.Tsize_t(len(code)), name, lib.MJS_EVAL_TYPE_GLOBAL)
			if v.Ftag == int64(lib.EJS_TAG_EXCEPTION) {
				return errors.New("the raw engine threw")
			}
			return nil // the loops give numbers, which need not be freed
		}
	}
}
