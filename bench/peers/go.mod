// Everything that Quicksand is compared with. A module of its own, so that nothing of it
// is a dependency of Quicksand.
module quicksand/bench/peers

go 1.26.0

require (
	github.com/disintegration/imaging v1.6.2
	github.com/go-fonts/liberation v0.3.3
	quicksand v0.0.0
)

require (
	github.com/HugoSmits86/nativewebp v0.9.3 // indirect
	github.com/andybalholm/brotli v1.3.0 // indirect
	github.com/buke/quickjs-go v0.7.7 // indirect
	github.com/dustin/go-humanize v1.1.0 // indirect
	github.com/ebitengine/purego v0.8.3 // indirect
	github.com/gen2brain/webp v0.5.5 // indirect
	github.com/go-fonts/dejavu v0.3.2 // indirect
	github.com/go-text/typesetting v0.3.5 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/klauspost/compress v1.20.4 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	github.com/tetratelabs/wazero v1.12.0 // indirect
	github.com/thesyncim/gopus v0.1.0 // indirect
	golang.org/x/image v0.48.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/text v0.44.0 // indirect
	modernc.org/libc v1.79.0 // indirect
	modernc.org/libquickjs v0.14.0 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/memory v1.12.1 // indirect
)

replace quicksand => ../..

replace github.com/ebitengine/purego => ../../internal/purego
