#!/bin/sh
# Makes the files of this folder, and golden.txt: for each the rate, the channels, the frames
# and the SHA-256 of its samples as ffmpeg decodes them to little-endian floats. Needs sox 14.4
# and ffmpeg 5.1, as in Debian 12:
#
#	apt-get install sox ffmpeg && sh make.sh
set -eu
cd "$(dirname "$0")"
rm -f ./*.wav ./*.aif ./*.aifc golden.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sox -R -n -r 11025 -c 2 -e float -b 32 "$work/in.wav" synth 0.04 pinknoise gain -n -1
run() { ffmpeg -nostdin -loglevel error -bitexact -i "$work/in.wav" "$@"; }
for codec in pcm_u8 pcm_s16le pcm_s24le pcm_s32le pcm_f32le pcm_f64le pcm_alaw pcm_mulaw; do
	run -c:a $codec "ffmpeg-$codec.wav"
done
run -c:a pcm_s16le -rf64 always ffmpeg-rf64.wav
run -c:a pcm_s16le -ac 6 ffmpeg-surround.wav
run -c:a pcm_s16le -metadata title=odd ffmpeg-list.wav
ffmpeg -nostdin -loglevel error -bitexact -i "$work/in.wav" -c:a pcm_s16le -f wav pipe:1 >ffmpeg-pipe.wav
for codec in pcm_s16be pcm_s24be pcm_s32be; do
	run -c:a $codec -f aiff "ffmpeg-$codec.aif"
done
for codec in pcm_s16le pcm_f32be pcm_f64be pcm_alaw pcm_mulaw; do
	run -c:a $codec -f aiff "ffmpeg-$codec.aifc"
done
sox -R "$work/in.wav" -b 8 sox-8.wav
sox -R "$work/in.wav" -b 24 sox-24.wav
sox -R "$work/in.wav" -b 24 sox-24.aif
sox -R "$work/in.wav" -b 8 sox-8.aif
sox -R "$work/in.wav" -b 16 -c 1 -r 22254.5454 sox-mac.aif
sox -R "$work/in.wav" -b 16 -t aifc sox-16.aifc
sox -R "$work/in.wav" -e float -b 32 -t wavpcm sox-wavpcm.wav 2>/dev/null || rm -f sox-wavpcm.wav

for f in *.wav *.aif *.aifc; do
	ffmpeg -nostdin -loglevel error -i "$f" -f f32le -c:a pcm_f32le "$work/out.raw" -y
	set -- $(ffprobe -loglevel error -select_streams a -show_entries stream=sample_rate,channels -of csv=p=0 "$f" | tr , ' ')
	echo "$f $1 $2 $(($(stat -c %s "$work/out.raw") / 4 / $2)) $(sha256sum <"$work/out.raw" | cut -d' ' -f1)" >>golden.txt
done
