#!/usr/bin/env python3
"""Makes the files of golden/ here and in ../avif/testdata and ../jxl/testdata, each with
what another decoder makes of it as name.png, or name.N.png for frame N.

Debian: imagemagick python3-pil webp libtiff-tools gifsicle libavif-bin libjxl-tools
"""
import os, shutil, struct, subprocess, sys, tempfile, zlib
from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))
W, H = 37, 29
T = tempfile.mkdtemp()

def run(*args):
    subprocess.run([str(a) for a in args], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

def picture(w, h, alpha=False, shift=0):
    """A gradient with edges and a deterministic noise."""
    im, seed = Image.new("RGBA" if alpha else "RGB", (w, h)), 1 + shift
    for y in range(h):
        for x in range(w):
            seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
            n = (seed >> 16) % 17 - 8
            r, g, b = 3 * x + 40 + n + shift, 255 - 5 * y + n, 4 * (x + y) + n
            if (x // 7 + y // 6) % 3 == 0:
                r, b = 255 - r, 255 - b
            p = tuple(max(0, min(255, v)) for v in (r, g, b))
            if alpha:
                p += (0 if x < 6 and y < 6 else max(0, min(255, 9 * x - 30)),)
            im.putpixel((x, y), p)
    return im

def golden(sub):
    d = os.path.join(HERE, sub)
    shutil.rmtree(d, ignore_errors=True)
    os.makedirs(d)
    return d

def magick(path, *options):
    run("convert", path + "[0]", *options, "-depth", "8", "-strip", "PNG32:" + os.path.splitext(path)[0] + ".png")

def write(path, data):
    open(path, "wb").write(data)

rgb, rgba = picture(W, H), picture(W, H, True)
rgb.save(T + "/rgb.png"); rgba.save(T + "/rgba.png")
D = golden("golden")

# PNG
P = D + "/png-"
run("convert", T + "/rgb.png", "-colors", "13", "-type", "Palette", "PNG8:" + P + "palette.png")
def png_file(path, w, h, depth, colour, rows, extra=b"", interlace=0):
    def chunk(n, b): return struct.pack(">I", len(b)) + n + b + struct.pack(">I", zlib.crc32(n + b))
    write(path, b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, depth, colour, 0, 0, interlace)) + extra + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
    return chunk
def chunk(n, b): return struct.pack(">I", len(b)) + n + b + struct.pack(">I", zlib.crc32(n + b))
px = rgb.load()
pngs = {}
pngs["gray16"] = (16, 0, b"".join(b"\0" + b"".join(struct.pack(">H", (x * 1771 + y * 333) & 0xFFFF) for x in range(W)) for y in range(H)), b"", 0)
pngs["rgb16"] = (16, 2, b"".join(b"\0" + b"".join(struct.pack(">HHH", x * 1771, y * 2259, (x * y * 61) & 0xFFFF) for x in range(W)) for y in range(H)), b"", 0)
pngs["rgba16"] = (16, 6, b"".join(b"\0" + b"".join(struct.pack(">HHHH", x * 1771, y * 2259, 40000, min(65535, x * 1900)) for x in range(W)) for y in range(H)), b"", 0)
pngs["gray-alpha"] = (8, 4, b"".join(b"\0" + b"".join(bytes((x * 6, min(255, y * 9))) for x in range(W)) for y in range(H)), b"", 0)
pal = bytes(v for i in range(4) for v in (i * 80, 255 - i * 60, i * 30))
pngs["palette-trns"] = (8, 3, b"".join(b"\0" + bytes((x // 3 + y // 4) % 4 for x in range(W)) for y in range(H)), chunk(b"PLTE", pal) + chunk(b"tRNS", bytes([0, 128, 255])), 0)
pngs["palette-2bit-trns"] = (2, 3, b"".join(b"\0" + bytes(0x1B if (i + y) % 2 else 0xE4 for i in range((W + 3) // 4)) for y in range(H)), chunk(b"PLTE", pal) + chunk(b"tRNS", bytes([255, 60])), 0)
pngs["gray-trns"] = (8, 0, b"".join(b"\0" + bytes((x // 4 * 40) & 255 for x in range(W)) for y in range(H)), chunk(b"tRNS", struct.pack(">H", 80)), 0)
pngs["rgb-trns"] = (8, 2, b"".join(b"\0" + b"".join(bytes((x // 9 * 60, 10, y // 9 * 70)) for x in range(W)) for y in range(H)), chunk(b"tRNS", struct.pack(">HHH", 60, 10, 70)), 0)
pngs["gray-1bit"] = (1, 0, b"".join(b"\0" + bytes((0xA5 + 37 * i * y) & 255 for i in range((W + 7) // 8)) for y in range(H)), b"", 0)
for n, (depth, colour, rows, extra, il) in pngs.items():
    png_file(P + n + ".png", W, H, depth, colour, rows, extra, il)
run("convert", T + "/rgb.png", "-interlace", "PNG", "PNG24:" + P + "interlaced.png")
run("convert", T + "/rgba.png", "-interlace", "PNG", "PNG32:" + P + "interlaced-alpha.png")
for f in sorted(os.listdir(D)):
    run("convert", D + "/" + f, "-depth", "8", "-strip", "PNG32:" + D + "/" + f[:-4] + ".ref.png")

# APNG
def frame_data(im):
    raw = im.tobytes()
    n = im.width * 4
    return zlib.compress(b"".join(b"\0" + raw[y * n:(y + 1) * n] for y in range(im.height)))
def apng(name, frames, size, plays=0, default=None):
    """frames: (image, x, y, delay/100, dispose, blend)"""
    out = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size[0], size[1], 8, 6, 0, 0, 0))
    out += chunk(b"acTL", struct.pack(">II", len(frames), plays))
    seq = 0
    if default is not None:
        out += chunk(b"IDAT", frame_data(default))
    for i, (im, x, y, delay, dispose, blend) in enumerate(frames):
        out += chunk(b"fcTL", struct.pack(">IIIIIHHBB", seq, im.width, im.height, x, y, delay, 100, dispose, blend)); seq += 1
        if i == 0 and default is None:
            d = frame_data(im)
            out += chunk(b"IDAT", d[:50]) + chunk(b"IDAT", d[50:])
        else:
            out += chunk(b"fdAT", struct.pack(">I", seq) + frame_data(im)); seq += 1
    write(D + "/apng-" + name + ".png", out + chunk(b"IEND", b""))
# References are composed here, by the rules.
def over(dst, src):
    return Image.alpha_composite(dst, src)
def compose(name, frames, size):
    canvas = Image.new("RGBA", size)
    for i, (im, x, y, delay, dispose, blend) in enumerate(frames):
        before = canvas.copy()
        if blend == 0:
            canvas.paste(im, (x, y))
        else:
            layer = Image.new("RGBA", size); layer.paste(im, (x, y))
            canvas = over(canvas, layer)
        canvas.save(D + "/" + name + ".%d.ref.png" % i)
        if dispose == 1 or dispose == 2 and i == 0:
            canvas.paste(Image.new("RGBA", im.size), (x, y))
        elif dispose == 2:
            canvas = before
part = lambda w, h, s: picture(w, h, True, s)
frames = [(rgba, 0, 0, 10, 0, 0), (part(12, 9, 30), 3, 5, 20, 1, 1), (part(20, 20, 60), 10, 8, 5, 2, 0), (part(9, 9, 90), 0, 20, 7, 0, 1), (part(14, 8, 10), 20, 3, 0, 2, 1), (part(5, 5, 77), 1, 1, 100, 0, 0)]
apng("disposals", frames, (W, H)); compose("apng-disposals", frames, (W, H))
frames = [(part(W, H, 5), 0, 0, 10, 2, 0), (part(10, 10, 9), 5, 5, 10, 0, 1)]
apng("default-apart", frames, (W, H), 3, rgb.convert("RGBA")); compose("apng-default-apart", frames, (W, H))

# GIF
G = D + "/gif-"
def gif(im, path, colors=60, alpha=False):
    p = im.convert("RGB").quantize(colors)
    if alpha:
        a = im.getchannel("A")
        p = im.convert("RGB").quantize(colors - 1)
        p.paste(colors, mask=a.point(lambda v: 255 if v < 128 else 0))
        p.save(path, transparency=colors)
    else:
        p.save(path)
gif(rgb, T + "/a.gif"); gif(part(20, 14, 40), T + "/b.gif", 20, True); gif(part(9, 21, 80), T + "/c.gif", 14, True)
gif(part(15, 15, 20), T + "/d.gif", 31, True)
shutil.copy(T + "/a.gif", G + "still.gif")
run("gifsicle", "-i", T + "/a.gif", "-o", G + "interlaced.gif")
gif(rgba, G + "transparent.gif", 40, True)
run("gifsicle", "--loopcount=4", "-d", "10", "-D", "none", T + "/a.gif", "-d", "20", "-D", "background", "-p", "3,4", T + "/b.gif", "-d", "3", "-D", "previous", "-p", "20,5", T + "/c.gif", "-D", "none", "-p", "8,8", T + "/d.gif", "-D", "previous", "-p", "1,1", T + "/b.gif", "-D", "asis", "-p", "15,2", T + "/c.gif", "-o", G + "disposals.gif")
run("gifsicle", "--loopcount=forever", "-d", "5", "-i", "-D", "previous", T + "/d.gif", "-D", "background", "-p", "4,4", T + "/c.gif", T + "/d.gif", "-o", G + "first-previous.gif")
for n in ["still", "interlaced", "transparent", "disposals", "first-previous"]:
    im = Image.open(G + n + ".gif")
    run("convert", G + n + ".gif", "-coalesce", "-depth", "8", "-strip", "PNG32:" + T + "/f-%d.png")
    for i in range(im.n_frames):
        src = T + "/f-%d.png" % i if im.n_frames > 1 else T + "/f-0.png"
        shutil.move(src, G + n + (".%d" % i if im.n_frames > 1 else "") + ".ref.png")

# BMP
B = D + "/bmp-"
def bmp(name, bits, rows, header=40, comp=0, palette=b"", masks=b"", top=False, used=0):
    if header == 12:
        head = struct.pack("<IHHHH", 12, W, H, 1, bits)
    else:
        head = struct.pack("<IiiHHIIiiII", header, W, -H if top else H, 1, bits, comp, len(rows), 2835, 2835, used, 0)
        if header >= 52:
            head += masks; masks = b""
        head += bytes(max(0, header - len(head)))
    off = 14 + len(head) + len(masks) + len(palette)
    write(B + name + ".bmp", b"BM" + struct.pack("<IHHI", off + len(rows), 0, 0, off) + head + masks + palette + rows)
def rows(f, bits, top=False):
    out = b""
    for y in (range(H) if top else range(H - 1, -1, -1)):
        v = n = 0; line = b""
        for x in range(W):
            if bits >= 8:
                line += f(x, y).to_bytes(bits // 8, "little")
            else:
                v = v << bits | f(x, y); n += bits
                if n == 8: line += bytes([v]); v = n = 0
        if n: line += bytes([v << (8 - n)])
        out += line + bytes(-len(line) % 4)
    return out
def colours(n, entry=4): return b"".join(bytes([(i * 255 // (n - 1)), (255 - i * 9) & 255, (i * 77) & 255] + [0] * (entry - 3)) for i in range(n))
idx = lambda n: lambda x, y: (x // 2 + y // 3 * 5) % n
u24 = lambda x, y: px[x, y][0] << 16 | px[x, y][1] << 8 | px[x, y][2]
bmp("1bit", 1, rows(idx(2), 1), palette=colours(2))
bmp("4bit", 4, rows(idx(16), 4), palette=colours(16))
bmp("8bit", 8, rows(idx(250), 8), palette=colours(250), used=250)
bmp("os2-8bit", 8, rows(idx(256), 8), header=12, palette=colours(256, 3))
bmp("24bit", 24, rows(u24, 24))
bmp("24bit-topdown", 24, rows(u24, 24, True), top=True)
bmp("32bit", 32, rows(u24, 32))
bmp("16bit-555", 16, rows(lambda x, y: (px[x, y][0] >> 3) << 10 | (px[x, y][1] >> 3) << 5 | px[x, y][2] >> 3, 16))
bmp("16bit-565", 16, rows(lambda x, y: (px[x, y][0] >> 3) << 11 | (px[x, y][1] >> 2) << 5 | px[x, y][2] >> 3, 16), comp=3, masks=struct.pack("<III", 0xF800, 0x7E0, 0x1F))
pa = rgba.load()
bmp("32bit-alpha-v4", 32, rows(lambda x, y: pa[x, y][3] << 24 | pa[x, y][0] << 16 | pa[x, y][1] << 8 | pa[x, y][2], 32), header=108, comp=3, masks=struct.pack("<IIII", 0xFF0000, 0xFF00, 0xFF, 0xFF000000))
bmp("32bit-v5-topdown", 32, rows(lambda x, y: pa[x, y][3] | pa[x, y][0] << 8 | pa[x, y][1] << 16 | pa[x, y][2] << 24, 32, True), header=124, comp=3, masks=struct.pack("<IIII", 0xFF00, 0xFF0000, 0xFF000000, 0xFF), top=True)
def rle(bits):
    out, f = b"", idx(16 if bits == 4 else 200)
    for y in range(H - 1, -1, -1):
        line = [f(x, y) for x in range(W)]
        if y % 3 == 0: # as they are
            for part in (line[:20], line[20:]):
                d = bytes(part) if bits == 8 else bytes(a << 4 | b for a, b in zip(part[::2], part[1::2] + [0]))
                out += bytes([0, len(part)]) + d + bytes(len(d) % 2)
        else:
            x = 0
            while x < W:
                n = 1
                if bits == 8:
                    while x + n < W and line[x + n] == line[x]: n += 1
                    out += bytes([n, line[x]])
                else:
                    a, b = line[x], line[x + 1] if x + 1 < W else 0
                    while x + n < W and line[x + n] == (a, b)[n % 2]: n += 1
                    out += bytes([n, a << 4 | b])
                x += n
        out += b"\0\0"
    return out + b"\0\1"
bmp("rle8", 8, rle(8), comp=1, palette=colours(200), used=200)
bmp("rle4", 4, rle(4), comp=2, palette=colours(16))
bmp("rle8-jumps", 8, b"\x05\x03\0\0" + b"\0\x02\x04\x03" + b"\x06\x07" + b"\0\x02\x01\x02\x03\x05\0\1", comp=1, palette=colours(16), used=16)
# ImageMagick wants more data than that; the reference is drawn here.
c = Image.new("RGBA", (W, H)); entries = colours(16)
def spot(i): return (entries[4 * i + 2], entries[4 * i + 1], entries[4 * i], 255)
c.paste(spot(0), (0, 0, W, H))
for x, y, n, i in [(0, 0, 5, 3), (4, 4, 6, 7), (11, 6, 3, 5)]:
    c.paste(spot(i), (x, H - 1 - y, x + n, H - y))
c.save(B + "rle8-jumps.ref.png")
for f in sorted(os.listdir(D)):
    if f.startswith("bmp-") and "jumps" not in f:
        magick(D + "/" + f); os.rename(D + "/" + f[:-4] + ".png", D + "/" + f[:-4] + ".ref.png")

# ImageMagick takes the fourth byte for alpha; Windows and browsers do not.
rgb.convert("RGBA").save(B + "32bit.ref.png")

# TIFF
X = D + "/tiff-"
def tiff(name, src, *args):
    run("tiffcp", *args, src, X + name + ".tif")
run("convert", T + "/rgb.png", "-compress", "none", "TIFF:" + T + "/rgb.tif")
run("convert", T + "/rgba.png", "-compress", "none", "TIFF:" + T + "/rgba.tif")
run("convert", T + "/rgba.png", "-compress", "none", "-define", "tiff:alpha=associated", "TIFF:" + T + "/assoc.tif")
run("convert", T + "/rgb.png", "-colorspace", "Gray", "-depth", "8", "-compress", "none", "TIFF:" + T + "/gray.tif")
run("convert", T + "/rgb.png", "-colorspace", "Gray", "-threshold", "50%", "-depth", "1", "-type", "bilevel", "-compress", "none", "TIFF:" + T + "/bilevel.tif")
run("convert", T + "/rgb.png", "-colors", "12", "-depth", "8", "-type", "Palette", "-compress", "none", "TIFF:" + T + "/palette.tif")
run("convert", P + "rgb16.png", "-depth", "16", "-compress", "none", "TIFF:" + T + "/rgb16.tif")
run("convert", P + "gray16.png", "-depth", "16", "-compress", "none", "TIFF:" + T + "/gray16.tif")
run("convert", T + "/rgb.png", "-colorspace", "CMYK", "-depth", "8", "-compress", "none", "TIFF:" + T + "/cmyk.tif")
tiff("none", T + "/rgb.tif", "-c", "none", "-r", "8")
tiff("lzw", T + "/rgb.tif", "-c", "lzw", "-r", "7")
tiff("lzw-predictor", T + "/rgb.tif", "-c", "lzw:2")
tiff("zip-predictor", T + "/rgba.tif", "-c", "zip:2")
tiff("packbits", T + "/gray.tif", "-c", "packbits")
tiff("bigendian", T + "/rgb.tif", "-B", "-c", "zip")
tiff("tiled", T + "/rgb.tif", "-t", "-w", "16", "-l", "16", "-c", "lzw")
tiff("planes", T + "/rgb.tif", "-p", "separate", "-c", "zip", "-r", "10")
tiff("planes-tiled", T + "/rgba.tif", "-p", "separate", "-t", "-w", "16", "-l", "32", "-c", "lzw:2")
tiff("alpha", T + "/rgba.tif", "-c", "packbits")
tiff("alpha-associated", T + "/assoc.tif", "-c", "zip")
tiff("bilevel", T + "/bilevel.tif", "-c", "none")
tiff("fax3", T + "/bilevel.tif", "-c", "g3")
tiff("fax4", T + "/bilevel.tif", "-c", "g4")
tiff("palette", T + "/palette.tif", "-c", "lzw")
tiff("rgb16", T + "/rgb16.tif", "-c", "zip:2")
tiff("rgb16-bigendian", T + "/rgb16.tif", "-B", "-c", "lzw:2")
tiff("gray16", T + "/gray16.tif", "-c", "none", "-B")
tiff("cmyk", T + "/cmyk.tif", "-c", "lzw")
run("convert", T + "/bilevel.tif", "-define", "quantum:polarity=min-is-white", "-compress", "Group4", "TIFF:" + X + "fax4-minwhite.tif")
for f in sorted(os.listdir(D)):
    if f.startswith("tiff-"):
        magick(D + "/" + f, "-auto-orient"); os.rename(D + "/" + f[:-4] + ".png", D + "/" + f[:-4] + ".ref.png")
# The orientation is applied by the reader that this is a test of.
run("tiffcp", "-c", "none", T + "/rgb.tif", X + "orientation-6.tif")
run("tiffset", "-s", "274", "6", X + "orientation-6.tif")
rgb.convert("RGBA").transpose(Image.Transpose.ROTATE_270).save(X + "orientation-6.ref.png")

# WebP
V = D + "/webp-"
run("cwebp", "-q", "75", T + "/rgb.png", "-o", V + "lossy.webp")
run("cwebp", "-q", "30", "-m", "6", "-segments", "4", "-f", "60", T + "/rgb.png", "-o", V + "lossy-low.webp")
run("cwebp", "-q", "90", "-alpha_filter", "best", T + "/rgba.png", "-o", V + "lossy-alpha.webp")
run("cwebp", "-q", "90", "-alpha_method", "0", T + "/rgba.png", "-o", V + "lossy-alpha-raw.webp")
run("cwebp", "-q", "80", "-alpha_q", "40", T + "/rgba.png", "-o", V + "lossy-alpha-levels.webp")
run("cwebp", "-lossless", T + "/rgb.png", "-o", V + "lossless.webp")
run("cwebp", "-lossless", "-exact", T + "/rgba.png", "-o", V + "lossless-alpha.webp")
run("convert", T + "/rgb.png", "-colors", "7", "PNG8:" + T + "/p.png")
run("cwebp", "-lossless", T + "/p.png", "-o", V + "lossless-palette.webp")
run("cwebp", "-q", "75", "-resize", "36", "28", T + "/rgb.png", "-o", V + "even.webp")
for f in sorted(os.listdir(D)):
    if f.startswith("webp-"):
        run("dwebp", D + "/" + f, "-o", T + "/o.png")
        run("convert", T + "/o.png", "PNG32:" + D + "/" + f[:-5] + ".ref.png")
# EXIF in a WebP file
write(T + "/exif", b"II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\6\0\0\0\0\0\0\0")
run("webpmux", "-set", "exif", T + "/exif", V + "lossless.webp", "-o", V + "orientation-6.webp")
rgb.convert("RGBA").transpose(Image.Transpose.ROTATE_270).save(V + "orientation-6.ref.png")
for name, opt in {"animated": [], "animated-lossy": ["-lossy", "-q", "80"], "animated-mixed": ["-mixed"]}.items():
    run("gif2webp", *opt, "-kmin", "0", "-kmax", "0", G + "disposals.gif", "-o", V + name + ".webp")
    im = Image.open(V + name + ".webp")
    for i in range(im.n_frames):
        im.seek(i)
        im.convert("RGBA").save(V + name + ".%d.ref.png" % i)

# AVIF
A = golden("../avif/testdata") + "/"
run("convert", T + "/rgb.png", T + "/rgb.png")
run("avifenc", "--min", "10", "--max", "20", "-s", "8", "-y", "444", T + "/rgb.png", A + "8bit-444.avif")
run("avifenc", "--min", "10", "--max", "20", "-s", "8", "-y", "420", T + "/rgb.png", A + "8bit-420.avif")
run("avifenc", "--min", "10", "--max", "20", "-s", "8", "-y", "444", T + "/rgba.png", A + "alpha.avif")
run("avifenc", "--min", "10", "--max", "20", "-s", "8", "-d", "10", "-y", "444", T + "/rgb.png", A + "10bit.avif")
run("avifenc", "--min", "10", "--max", "20", "-s", "8", "-d", "12", "-y", "422", T + "/rgb.png", A + "12bit.avif")
run("avifenc", "--min", "10", "--max", "20", "-s", "8", "-y", "400", T + "/rgb.png", A + "gray.avif")
run("avifenc", "--lossless", "-s", "8", T + "/rgb.png", A + "lossless.avif")
for f in sorted(os.listdir(A)):
    run("avifdec", A + f, "-d", "8", A + f[:-5] + ".ref.png")
run("avifenc", "--lossless", "-s", "8", "--irot", "3", T + "/rgb.png", A + "rotated.avif")
rgb.convert("RGBA").transpose(Image.Transpose.ROTATE_270).save(A + "rotated.ref.png")
run("avifenc", "--lossless", "-s", "8", "--irot", "1", "--imir", "0", T + "/rgb.png", A + "transposed.avif")
rgb.convert("RGBA").transpose(Image.Transpose.TRANSPOSE).save(A + "transposed.ref.png")

# JPEG XL
J = golden("../jxl/testdata") + "/"
run("cjxl", T + "/rgb.png", J + "lossy.jxl", "-q", "90")
run("cjxl", T + "/rgba.png", J + "lossy-alpha.jxl", "-q", "90")
run("cjxl", T + "/rgb.png", J + "lossless.jxl", "-q", "100")
run("cjxl", T + "/rgba.png", J + "lossless-alpha.jxl", "-q", "100")
run("cjxl", P + "rgb16.png", J + "lossless-16bit.jxl", "-q", "100")
run("cjxl", P + "gray16.png", J + "gray16.jxl", "-q", "100")
run("cjxl", T + "/rgb.png", J + "container.jxl", "-q", "90", "--container=1")
for f in sorted(os.listdir(J)):
    run("djxl", J + f, T + "/o.png")
    run("convert", T + "/o.png", "-depth", "8", "-strip", "PNG32:" + J + f[:-4] + ".ref.png")
shutil.rmtree(T)
