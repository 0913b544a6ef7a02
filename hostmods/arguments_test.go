package hostmods

import (
	"context"
	"errors"
	"strings"
	"testing"

	"quicksand/bridges"
	"quicksand/internal/marshal"
)

// call makes the call of a function with one parameter.
func call(t *testing.T, p bridges.Param, arg any) (*bridges.Call, error) {
	t.Helper()
	v, err := marshal.NewValue([]any{arg}, marshal.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f := &bridges.Func{Name: "parse", Op: "csv.parse", Params: []bridges.Param{p}, Call: func(context.Context, *bridges.Call) (any, error) { return nil, nil }}
	s := bridges.NewSession(bridges.SessionOptions{})
	t.Cleanup(func() { s.Close() })
	return bridges.Unpack(s, &bridges.Bridge{}, f, v)
}

func TestText(t *testing.T) {
	wide := strings.Repeat("😀", MaxText/2) // two units each
	for _, tt := range []struct {
		name string
		p    bridges.Param
		arg  any
		want string
		err  string
	}{
		{"a string", StringParam("text", ""), "a,b", "a,b", ""},
		{"a string where bytes may be", TextParam("text", ""), "a,b", "a,b", ""},
		{"bytes where a string may be", TextParam("text", ""), []byte("\xef\xbb\xbfa,\xff"), "a,\ufffd", ""},
		{"as many units as there may be", StringParam("text", ""), wide, wide, ""},
		{"a unit more", StringParam("text", ""), wide + "x", "", "csv.parse: text has 5242881 characters, more than the limit of 5242880 (HostTextSize)"},
		{"letters that take more bytes than units", StringParam("text", ""), strings.Repeat("ä", MaxText), strings.Repeat("ä", MaxText), ""},
		{"more bytes than there may be", TextParam("text", ""), make([]byte, MaxBytes+1), "", "csv.parse: text has 10485761 bytes, more than the limit of 10485760 (HostBytesSize)"},
		{"a number", StringParam("text", ""), 1, "", "csv.parse: text must be a string, not the number 1"},
		{"a number where anything may be", bridges.Param{Name: "text"}, 1, "", "csv.parse: text must be a string or Uint8Array, not the number 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := call(t, tt.p, tt.arg)
			got := ""
			if err == nil {
				got, err = Text(c, 0)
			}
			check(t, err, tt.err)
			if err == nil && got != tt.want {
				t.Errorf("got %d bytes, want %d", len(got), len(tt.want))
			}
		})
	}
}

func TestBytes(t *testing.T) {
	for _, tt := range []struct {
		name string
		arg  any
		want string
		err  string
	}{
		{"a Uint8Array", []byte("abc"), "abc", ""},
		{"an ArrayBuffer", marshal.Buffer("abc"), "abc", ""},
		{"a list of numbers", []any{97, 98 + 256}, "ab", ""},
		{"an empty list", []any{}, "", ""},
		{"a string", "abc", "", "csv.parse: data must be a Uint8Array, not a string; workspace.readBytes(path) and response.bytes() give one"},
		{"more than there may be", make([]byte, MaxBytes+1), "", "csv.parse: data has 10485761 bytes, more than the limit of 10485760 (HostBytesSize)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := call(t, BytesParam("data", ""), tt.arg)
			var got []byte
			if err == nil {
				got, err = Bytes(c, 0)
			}
			check(t, err, tt.err)
			if err == nil && string(got) != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	c, err := call(t, BytesParam("data", ""), []byte("abc"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := BytesUpTo(c, 0, "TwoBytes", 2); err == nil || !strings.Contains(err.Error(), "more than the limit of 2 (TwoBytes)") {
		t.Errorf("got %v", err)
	}
}

func check(t *testing.T, err error, want string) {
	t.Helper()
	var e *bridges.Error
	switch {
	case want == "" && err != nil:
		t.Error(err)
	case want != "" && (!errors.As(err, &e) || e.Error() != want):
		t.Errorf("got %v, want %q", err, want)
	}
}

func TestRegister(t *testing.T) {
	a, b := &Module{ID: "z-test"}, &Module{ID: "z-test"}
	Register(a)
	Register(b)
	if Lookup("z-test") != b || Lookup("none") != nil {
		t.Error("Lookup does not find the later module of an ID")
	}
	if list := Registered(); list[len(list)-1] != b || b.Pack() != "@nodetool-ai/sandbox-z-test" {
		t.Errorf("Registered ends with %+v", list[len(list)-1])
	}
}
