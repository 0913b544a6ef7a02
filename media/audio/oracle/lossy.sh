#!/bin/sh
# Makes the files of testdata/ in media/audio/mp3 and media/audio/ogg, and what ffmpeg decodes
# them to. It needs ffmpeg (with libmp3lame, libvorbis and libopus), sox and python3, as Debian
# has them, and writes about 600 KB. The results are committed, so that tests need none of it.
#
# A .ref file is: frames (4 bytes), channels and stride (1 byte each), and every stride-th
# frame as float32, all little-endian.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p mp3/testdata ogg/testdata

# Noise that comes and goes makes encoders switch between block sizes, and is partly the same
# in both channels.
sox -q -R -n -r 48000 -c 2 -b 16 "$work/beats.wav" synth 0.01 noise synth 0.07 sin mix 200-3000 gain -6 pad 0 0.05 repeat 4
sox -q -R -n -r 48000 -c 2 -b 16 "$work/noise.wav" synth 0.6123 pinknoise synth 0.6123 exp mix 100-12000 gain -9
sox -q -R -n -r 48000 -c 1 -b 16 "$work/voice.wav" synth 0.6123 triangle 110:160 tremolo 5 60 gain -9
sox -q "$work/beats.wav" "$work/noise.wav" "$work/both.wav" trim 0 0.9513
sox -q -R -n -r 48000 -c 6 -b 16 "$work/six.wav" synth 0.4321 sin 300 sin 500 sin 800 sin 60 sin 1100 sin 1700 gain -9
sox -q -R -n -r 48000 -c 8 -b 16 "$work/eight.wav" synth 0.2321 sin 300 sin 500 sin 800 sin 60 sin 1100 sin 1700 sin 2100 sin 2700 gain -9

# reference file [decoder options]
reference() {
	file=$1
	shift
	ffmpeg -v error -y -bitexact "$@" -i "$file" -map 0:a:0 -f f32le "$work/out.f32" </dev/null
	channels=$(ffprobe -v error -select_streams a:0 -show_entries stream=channels -of csv=p=0 "$file" | head -1 | tr -dc 0-9)
	python3 - "$work/out.f32" "$channels" "$file.ref" <<'PY'
import struct, sys
data, channels, stride = open(sys.argv[1], "rb").read(), int(sys.argv[2]), 17
size = 4 * channels
frames = len(data) // size
out = struct.pack("<IBB", frames, channels, stride)
for i in range(0, frames, stride):
    out += data[i * size:(i + 1) * size]
open(sys.argv[3], "wb").write(out)
PY
}

# mp3 name input options
mp3() {
	name=mp3/testdata/$1.mp3
	input=$work/$2.wav
	shift 2
	ffmpeg -v error -y -i "$input" -bitexact -c:a libmp3lame "$@" "$name" </dev/null
	reference "$name" -c:a mp3float
}

mp3 joint-44100 both -ar 44100 -b:a 128k
mp3 vbr-48000 both -q:a 2
mp3 stereo-32000 both -ar 32000 -joint_stereo 0 -b:a 96k
mp3 low-24000 both -ar 24000 -q:a 3
mp3 low-22050-mono both -ar 22050 -ac 1 -b:a 64k
mp3 low-16000 both -ar 16000 -b:a 64k
mp3 lowest-12000 both -ar 12000 -b:a 32k
mp3 lowest-11025-mono both -ar 11025 -ac 1 -q:a 4
mp3 lowest-8000 both -ar 8000 -b:a 32k
mp3 noinfo both -ar 44100 -b:a 96k -write_xing 0
mp3 noreservoir both -ar 44100 -ac 1 -b:a 64k -reservoir 0 -write_xing 0

# Nothing here writes intensity stereo or tags at the end, so they are put there by hand.
python3 - <<'PY'
src = open("mp3/testdata/joint-44100.mp3", "rb").read()
out, at = bytearray(src), 0
rates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
if src[:3] == b"ID3":
    at = 10 + (src[6] << 21 | src[7] << 14 | src[8] << 7 | src[9])
start = at
while at + 4 <= len(out):
    assert out[at] == 0xFF
    if out[at + 3] >> 6 == 1:
        out[at + 3] |= 0x10
    at += 144 * rates[out[at + 2] >> 4] * 1000 // 44100 + (out[at + 2] >> 1 & 1)
open("mp3/testdata/intensity.mp3", "wb").write(out)

# An ID3v2 tag with a picture in which frames seem to begin, unsynchronised, then zeros and
# bytes that are no frame; APE and ID3v1 behind.
picture = (b"\xff\xfb\x90\x64" * 300).replace(b"\xff", b"\xff\x00")
frame = b"\0image/jpeg\0\x03\0" + picture
size = lambda n: bytes([n >> 21 & 127, n >> 14 & 127, n >> 7 & 127, n & 127])
frame = b"APIC" + size(len(frame)) + b"\0\0" + frame
tag = b"ID3\x04\0\x80" + size(len(frame)) + frame
ape = b"Title".join([b"\x05\0\0\0\0\0\0\0", b"\0hello"])
def apehead(flags):
    return b"APETAGEX" + (2000).to_bytes(4, "little") + (len(ape) + 32).to_bytes(4, "little") + (1).to_bytes(4, "little") + flags.to_bytes(4, "little") + bytes(8)
end = apehead(0xA0000000) + ape + apehead(0x80000000) + b"TAG" + b"\xff\xfb\x90\x64" * 31 + b"\0"
open("mp3/testdata/tagged.mp3", "wb").write(tag + bytes(100) + b"junk\xff\xfb" + src[start:] + end)
PY
reference mp3/testdata/intensity.mp3 -c:a mp3float
cp mp3/testdata/joint-44100.mp3.ref mp3/testdata/tagged.mp3.ref
ffmpeg -v error -y -i "$work/voice.wav" -bitexact -c:a mp2 -t 0.1 -f mp2 mp3/testdata/layer2.mp3 </dev/null

# ogg name input options
ogg() {
	name=ogg/testdata/$1
	input=$work/$2.wav
	shift 2
	ffmpeg -v error -y -i "$input" -bitexact "$@" -page_duration 200000 "$name" </dev/null
	# ffmpeg's own decoder of Opus has another resampler behind SILK than the reference has.
	case $name in
	*.opus) reference "$name" -c:a libopus -request_sample_fmt flt ;;
	*) reference "$name" ;;
	esac
}

ogg vorbis-44100.ogg both -ar 44100 -c:a libvorbis -q:a 5
ogg vorbis-8000-mono.ogg voice -ar 8000 -c:a libvorbis -q:a 1
ogg vorbis-22050-low.ogg both -ar 22050 -c:a libvorbis -q:a 0
ogg vorbis-48000-high.ogg both -c:a libvorbis -q:a 9
ogg vorbis-six.ogg six -c:a libvorbis -q:a 3
ogg music.opus both -c:a libopus -b:a 96k
ogg voice.opus voice -c:a libopus -b:a 12k -application voip
ogg hybrid.opus voice -c:a libopus -b:a 28k -application voip -frame_duration 20
ogg long.opus voice -c:a libopus -b:a 24k -frame_duration 60
ogg short.opus both -c:a libopus -b:a 64k -frame_duration 2.5 -application lowdelay
ogg six.opus six -c:a libopus -mapping_family 1 -b:a 192k
ogg eight.opus eight -c:a libopus -mapping_family 1 -b:a 256k

ffmpeg -v error -y -i "$work/both.wav" -i "$work/voice.wav" -bitexact -map 0 -c:a:0 libvorbis -map 1 -c:a:1 libopus -page_duration 200000 -f ogg ogg/testdata/two-streams.ogg </dev/null
reference ogg/testdata/two-streams.ogg
cat ogg/testdata/vorbis-44100.ogg ogg/testdata/vorbis-8000-mono.ogg >ogg/testdata/chain.ogg
cp ogg/testdata/vorbis-44100.ogg.ref ogg/testdata/chain.ogg.ref

# A header that asks for −6 dB, with its page's checksum.
python3 - <<'PY'
data = bytearray(open("ogg/testdata/music.opus", "rb").read())
def crc(page):
    c = 0
    for b in page:
        c ^= b << 24
        for _ in range(8):
            c = (c << 1 ^ 0x04C11DB7) & 0xFFFFFFFF if c >> 31 else c << 1
    return c
at = data.index(b"OpusHead")
data[at + 16:at + 18] = (-6 * 256 & 0xFFFF).to_bytes(2, "little")
end = data.index(b"OggS", at)
data[22:26] = bytes(4)
data[22:26] = crc(data[:end]).to_bytes(4, "little")
open("ogg/testdata/gain.opus", "wb").write(data)
PY
reference ogg/testdata/gain.opus -c:a libopus -request_sample_fmt flt
