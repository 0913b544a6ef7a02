#!/usr/bin/env python3
"""Makes the files of this folder with the Independent JPEG Group's tools and ImageMagick
(Debian: libjpeg-turbo-progs, imagemagick), and writes to golden.txt the SHA-256 of the
samples that djpeg decodes from each (-dct int), as PPM or PGM without comments.
"""
import hashlib, math, os, subprocess, sys

os.chdir(os.path.dirname(os.path.abspath(__file__)))
W, H = 67, 45

def picture():
    """A gradient with edges and a deterministic noise."""
    out, seed = bytearray(b"P6\n%d %d\n255\n" % (W, H)), 1
    for y in range(H):
        for x in range(W):
            seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
            n = (seed >> 16) % 17 - 8
            v = 128 + 90 * math.sin(x / 6.0) * math.cos(y / 5.0) + n
            r, g, b = v, 255 - 3 * x + n, 4 * y + n
            if (x // 11 + y // 9) % 3 == 0:
                r, g, b = 255 - r, g, 255 - b
            out += bytes(max(0, min(255, int(c))) for c in (r, g, b))
    return bytes(out)

def run(args, data):
    return subprocess.run(args, input=data, stdout=subprocess.PIPE, check=True).stdout

ppm = picture()
files = {
    "baseline-420": ["-quality", "85"],
    "baseline-444": ["-quality", "92", "-sample", "1x1"],
    "baseline-422": ["-quality", "80", "-sample", "2x1"],
    "baseline-440": ["-quality", "80", "-sample", "1x2"],
    "baseline-411": ["-quality", "80", "-sample", "4x1"],
    "baseline-410": ["-quality", "80", "-sample", "4x2"],
    "optimized": ["-quality", "75", "-optimize"],
    "quality-5": ["-quality", "5"],
    "quality-100": ["-quality", "100", "-sample", "1x1"],
    "restart-1": ["-quality", "85", "-restart", "1B"],
    "restart-row": ["-quality", "85", "-restart", "1"],
    "progressive-420": ["-quality", "85", "-progressive"],
    "progressive-444": ["-quality", "90", "-progressive", "-sample", "1x1"],
    "progressive-restart": ["-quality", "85", "-progressive", "-restart", "2B"],
    "gray": ["-quality", "85", "-grayscale"],
    "gray-progressive": ["-quality", "85", "-grayscale", "-progressive"],
    "rgb": ["-quality", "90", "-rgb"],
    "arithmetic": ["-quality", "85", "-arithmetic"],
}
golden = []
for name, args in files.items():
    data = run(["cjpeg", "-dct", "int"] + args, ppm)
    open(name + ".jpg", "wb").write(data)
    if name != "arithmetic":
        golden.append((name, run(["djpeg", "-dct", "int", "-pnm"], data)))
for name, args in {"cmyk": [], "cmyk-progressive": ["-interlace", "plane"]}.items():
    data = run(["convert", "ppm:-", "-colorspace", "CMYK", "-quality", "85", "-sampling-factor", "1x1", "-strip"] + args + ["jpeg:-"], ppm)
    open(name + ".jpg", "wb").write(data)
with open("golden.txt", "w") as f:
    for name, data in golden:
        f.write("%s %s\n" % (name, hashlib.sha256(data).hexdigest()))
