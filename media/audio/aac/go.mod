// AAC is a module of its own, because its decoder is under the LGPL: whoever does not import
// it has nothing of that licence in the program.
module quicksand/media/audio/aac

go 1.26.0

require (
	github.com/tphakala/go-aac v0.4.0
	quicksand v0.0.0
)

require (
	github.com/tphakala/simd v1.5.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)

replace quicksand => ../../..
