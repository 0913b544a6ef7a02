// Writes the results of sharp and @napi-rs/canvas; see doc.go.
const path = require("path");
const fs = require("fs");
const sharp = require("sharp");
const { createCanvas, loadImage } = require("@napi-rs/canvas");

const dir = path.join(__dirname, "testdata");
const input = (name) => path.join(dir, `in-${name}.png`);
const png = { compressionLevel: 9, adaptiveFiltering: true };
const write = (s, name) => s.png(png).toFile(path.join(dir, `${name}.png`));

// Enlarging is compared with ImageMagick: libvips shifts by half a pixel.
const sizes = [[100, 75], [80, 60], [60, 45], [30, 23]];

async function resizes() {
  for (const kernel of ["lanczos3", "lanczos2", "mitchell", "cubic", "nearest"]) {
    for (const [width, height] of kernel === "lanczos3" ? sizes : sizes.slice(1, 2)) {
      await write(sharp(input("photo")).resize(width, height, { kernel, fit: "fill" }), `sharp-${kernel}-${width}`);
    }
  }
  await write(sharp(input("alpha")).resize(32, 24, { kernel: "lanczos3", fit: "fill" }), "sharp-alpha-32");
  await write(sharp(input("photo")).gamma(2.2).resize(60, 45, { fit: "fill" }), "sharp-gamma-60");
  for (const [name, position] of [["center", "center"], ["left-top", "left top"], ["right", "right"]]) {
    await write(sharp(input("photo")).resize(40, 60, { fit: "cover", position }), `sharp-cover-${name}`);
    await write(sharp(input("photo")).resize(40, 60, { fit: "contain", position, background: "#00000000" }), `sharp-contain-${name}`);
  }
}

async function operations() {
  await write(sharp(input("photo")).threshold(140, { grayscale: false }), "sharp-threshold");
  await write(sharp(input("border")).trim({ threshold: 10 }), "sharp-trim");
  await write(sharp(input("photo")).rotate(90), "sharp-rotate-90");
  await write(sharp(input("photo")).flop(), "sharp-flop");
  await write(sharp(input("photo")).flip(), "sharp-flip");
  await write(sharp(input("photo")).negate({ alpha: false }), "sharp-negate");
}

const modes = ["source-over", "source-in", "source-out", "source-atop", "destination-over", "destination-in",
  "destination-out", "destination-atop", "lighter", "copy", "xor", "multiply", "screen", "overlay", "darken", "lighten",
  "color-dodge", "color-burn", "hard-light", "soft-light", "difference", "exclusion", "hue", "saturation", "color", "luminosity"];

async function canvases() {
  const base = await loadImage(input("alpha"));
  const layer = await loadImage(input("layer"));
  const photo = await loadImage(input("photo"));
  const save = (c, name) => sharp(c.toBuffer("image/png")).png(png).toFile(path.join(dir, `${name}.png`));
  for (const mode of modes) {
    const c = createCanvas(base.width, base.height);
    const g = c.getContext("2d");
    g.drawImage(base, 0, 0);
    g.globalCompositeOperation = mode;
    g.drawImage(layer, 0, 0);
    await save(c, `canvas-${mode}`);
  }
  const filters = { brightness: "brightness(1.3)", contrast: "contrast(1.5)", saturate: "saturate(2)", grayscale: "grayscale(0.7)",
    sepia: "sepia(0.8)", invert: "invert(0.6)", "hue-rotate": "hue-rotate(75deg)", opacity: "opacity(0.4)",
    "blur-1": "blur(1px)", "blur-3": "blur(3px)", "blur-12": "blur(12px)" };
  for (const [name, filter] of Object.entries(filters)) {
    const c = createCanvas(photo.width, photo.height);
    const g = c.getContext("2d");
    g.filter = filter;
    g.drawImage(photo, 0, 0);
    await save(c, `canvas-${name}`);
  }
}

(async () => {
  await resizes();
  await operations();
  await canvases();
  console.log(`${fs.readdirSync(dir).length} files`);
})();
