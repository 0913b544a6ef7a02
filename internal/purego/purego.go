// Package purego stands in for the module of that name, which calls libraries of the system
// without cgo. The modules with the codecs of AVIF, WebP and JPEG XL load such a library when
// they are initialized, if the machine has one, and link programs dynamically for it. Here
// none of that may happen: no file of a guest goes to whatever C code the machine has, and a
// program without cgo is static. So go.mod puts this in its place, in which there is no
// library, and what remains of the codecs is their WebAssembly.
package purego

import "errors"

// Modes of Dlopen.
const (
	RTLD_NOW    = 2
	RTLD_GLOBAL = 0x100
)

// Dlopen fails.
func Dlopen(path string, mode int) (uintptr, error) {
	return 0, errors.New("purego: no library of the system is loaded")
}

// RegisterLibFunc panics, since there is no library that has a function. On Windows, where
// the codecs load libraries themselves, that makes them give up theirs.
func RegisterLibFunc(fptr any, handle uintptr, name string) {
	panic("purego: no function of a library is called: " + name)
}

// NewCallback returns no address, since there is no library that would call back.
func NewCallback(fn any) uintptr { return 0 }
