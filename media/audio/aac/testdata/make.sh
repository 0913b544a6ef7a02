#!/bin/sh
# Makes the files of this folder, golden.txt with the rate, the channels and the frames of
# each, and its samples of 16 bits in a file of the same name and .raw, as the fixed-point decoder
# of ffmpeg decodes them. Of MP4 only the 0.15 s that were encoded count, which ffmpeg 5.1
# follows with padding. Needs ffmpeg 5.1 and sox 14.4, as in Debian 12:
#
#	apt-get install ffmpeg sox && sh make.sh
set -eu
cd "$(dirname "$0")"
rm -f ./*.raw ./*.m4a ./*.mov ./*.aac golden.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sox -R -n -r 44100 -c 2 -b 16 "$work/in.wav" synth 0.15 pinknoise synth 0.15 sine mix 300-3000 gain -n -3
run() { ffmpeg -nostdin -loglevel error -bitexact -i "$work/in.wav" -c:a aac "$@"; }
run -b:a 96k stereo.m4a
run -b:a 48k -ac 1 -ar 48000 mono.m4a
run -b:a 64k -movflags faststart faststart.m4a
run -b:a 64k -f mov quicktime.mov
run -b:a 64k -f adts stereo.aac
run -b:a 48k -ac 1 -ar 22050 -f adts mono.aac
run -b:a 32k -t 0.1 -movflags frag_keyframe+empty_moov fragmented.m4a
ffmpeg -nostdin -loglevel error -bitexact -i "$work/in.wav" -t 0.1 -c:a alac alac.m4a
for f in stereo.m4a mono.m4a faststart.m4a quicktime.mov stereo.aac mono.aac; do
	ffmpeg -nostdin -loglevel error -bitexact -c:a aac_fixed -i "$f" -f s16le -c:a pcm_s16le "$f.raw" -y
	case $f in
	mono.m4a) truncate -s $((7200 * 2)) "$f.raw" ;;
	*.m4a | *.mov) truncate -s $((6615 * 4)) "$f.raw" ;;
	esac
	set -- $(ffprobe -loglevel error -select_streams a -show_entries stream=sample_rate,channels -of csv=p=0 "$f" | tr , ' ')
	echo "$f $1 $2 $(($(stat -c %s "$f.raw") / 2 / $2))" >>golden.txt
done
