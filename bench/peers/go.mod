// Everything that Quicksand is compared with. A module of its own, so that nothing of it
// is a dependency of Quicksand.
module quicksand/bench/peers

go 1.26.0

require (
	github.com/disintegration/imaging v1.6.2
	quicksand v0.0.0
)

require (
	github.com/HugoSmits86/nativewebp v0.9.3 // indirect
	github.com/klauspost/compress v1.20.4 // indirect
	github.com/tetratelabs/wazero v1.12.0 // indirect
	golang.org/x/image v0.48.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)

replace quicksand => ../..
