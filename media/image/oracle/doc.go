// Package oracle compares the operations of package image with other programs.
//
// The files in testdata are results of sharp, @napi-rs/canvas and ImageMagick, written once:
//
//	go test ./media/image/oracle -run Inputs -update   # in-*.png
//	npm install --prefix DIR sharp@0.35.5 @napi-rs/canvas@1.1.1
//	NODE_PATH=DIR/node_modules node media/image/oracle/make.cjs
//	sh media/image/oracle/make.sh                      # ImageMagick 6.9
//
// Each row of the tests says how far the results may be apart in the mean over all samples,
// in levels of 255, colours being multiplied by alpha. The tests need none of the programs.
package oracle
