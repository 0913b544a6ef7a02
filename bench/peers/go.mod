// Everything that Quicksand is compared with. A module of its own, so that nothing of it
// is a dependency of Quicksand.
module quicksand/bench/peers

go 1.26.0

require (
	github.com/buke/quickjs-go v0.7.7
	github.com/disintegration/imaging v1.6.2
	github.com/dop251/goja v0.0.0-20260917113740-793a2a65c13b
	github.com/fastschema/qjs v0.0.6
	github.com/go-fonts/liberation v0.3.3
	modernc.org/quickjs v0.27.0
	quicksand v0.0.0
	rogchap.com/v8go v0.9.0
)

require (
	github.com/HugoSmits86/nativewebp v0.9.3 // indirect
	github.com/andybalholm/brotli v1.3.0 // indirect
	github.com/dlclark/regexp2/v2 v2.5.2 // indirect
	github.com/dustin/go-humanize v1.1.0 // indirect
	github.com/ebitengine/purego v0.8.3 // indirect
	github.com/gen2brain/webp v0.5.5 // indirect
	github.com/go-fonts/dejavu v0.3.2 // indirect
	github.com/go-sourcemap/sourcemap v2.1.3+incompatible // indirect
	github.com/go-text/typesetting v0.3.5 // indirect
	github.com/google/pprof v0.0.0-20230207041349-798e818bf904 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/klauspost/compress v1.20.4 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	github.com/ncruces/go-strftime v1.1.0 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	github.com/tetratelabs/wazero v1.12.0 // indirect
	github.com/thesyncim/gopus v0.1.0 // indirect
	golang.org/x/image v0.48.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sync v0.25.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/text v0.44.0 // indirect
	modernc.org/libc v1.79.0 // indirect
	modernc.org/libquickjs v0.14.0 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/memory v1.12.1 // indirect
)

replace quicksand => ../..

replace github.com/ebitengine/purego => ../../internal/purego
