#!/bin/sh
# Writes the results of ImageMagick 6.9; see doc.go.
set -e
cd "$(dirname "$0")/testdata"
png="-define png:compression-level=9 -strip"

convert in-photo.png -filter Lanczos -resize 100x75! $png magick-lanczos-100.png
convert in-photo.png -filter Lanczos -resize 300x225! $png magick-lanczos-300.png
convert in-alpha.png -filter Lanczos -resize 32x24! $png magick-alpha-32.png
convert in-alpha.png -filter Lanczos -resize 150x100! $png magick-alpha-150.png
convert in-photo.png -filter Box -resize 60x45! $png magick-box-60.png
convert in-photo.png -filter Triangle -resize 80x60! $png magick-triangle-80.png
convert in-photo.png -colorspace RGB -filter Lanczos -resize 60x45! -colorspace sRGB $png magick-linear-60.png
convert in-alpha.png -virtual-pixel transparent -channel RGBA -gaussian-blur 0x2 $png magick-blur-2.png
convert in-photo.png -unsharp 0x1.5+1+0 $png magick-unsharp.png
convert in-photo.png -unsharp 0x2+1.8+0.04 $png magick-unsharp-threshold.png
convert in-photo.png -rotate 90 $png magick-rotate-90.png
convert in-photo.png -rotate 270 $png magick-rotate-270.png
convert in-photo.png -virtual-pixel transparent -matte -interpolate catrom -filter point -distort SRT 30 +repage $png magick-rotate-30.png
convert in-photo.png -channel RGB -threshold 54.9% $png magick-threshold.png
convert in-border.png -fuzz 4% -trim +repage $png magick-trim.png
convert in-photo.png -profile in-p3.icc -profile in-srgb.icc $png magick-p3.png
convert in-photo.png -profile in-adobe.icc -profile in-srgb.icc $png magick-adobe.png
