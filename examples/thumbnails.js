// Thumbnails of a folder: a WebP of each picture in thumbnails/, all of them on a contact
// sheet, and what is known of each as JSON. The program moves files and handles; pixels stay on
// the host.
//
//   go run ./examples/pictures /tmp/pictures
//   quicksand run examples/thumbnails.js --workspace /tmp/pictures

const size = { width: 160, height: 120 };
const names = (await workspace.list(".")).filter((name) => /\.(png|jpe?g|gif|webp|bmp|tiff?|avif|jxl)$/i.test(name));
if (names.length === 0) throw new Error("there are no pictures in the workspace");

let done = 0;
const pictures = await parallelMap(names, async (name) => {
  const file = await workspace.readBytes(name);
  const [info, stats] = await Promise.all([image.info(file), image.stats(file)]);
  // Smaller pictures are not enlarged, larger ones keep their shape.
  const fitted = await image.resize(file, { ...size, withoutEnlargement: true });
  const thumbnail = await image.convert(fitted, { format: "webp", quality: 0.8 });
  await workspace.writeBytes("thumbnails/" + name.replace(/\.\w+$/, "") + ".webp", await image.bytes(thumbnail));
  // On the sheet, what is transparent shows a light paper.
  const tile = await image.pad(fitted, { all: 6, color: "#f4f1ea" });
  progress((++done / names.length) * 100, name);
  return { name, info, stats, thumbnail, tile };
}, 4);

const sheet = await image.grid(pictures.map((p) => p.tile), { columns: 5, gap: 10, background: "#ffffff", format: "png" });
await workspace.writeBytes("thumbnails/sheet.png", await image.bytes(sheet));

const report = pictures.map(({ name, info, stats, thumbnail }) => ({
  name,
  format: info.format,
  size: info.width + "×" + info.height,
  bytes: info.byteLength,
  luminance: Math.round(stats.luminance),
  opaque: stats.opaque,
  mean: ["r", "g", "b"].map((c) => Math.round(stats.channels[c].mean)),
  smaller: thumbnail.byteLength < info.byteLength,
}));
await workspace.write("thumbnails/stats.json", JSON.stringify(report, null, 2));

for (const r of report) console.log("%s %s %s, luminance %d%s", r.name, r.format, r.size, r.luminance, r.opaque ? "" : ", transparent");
return {
  pictures: report.length,
  formats: [...new Set(report.map((r) => r.format))].sort(),
  sheet: sheet.width + "×" + sheet.height,
  // All eight orientations show the same picture.
  upright: new Set(report.filter((r) => r.name.startsWith("orientation-")).map((r) => r.size)).size === 1,
};
