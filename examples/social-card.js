// The card that a network shows beside a link: a picture cut to a circle, a badge with a
// shadow, a headline that finds its own lines. Written as PNG and as SVG.
//
//   quicksand run examples/social-card.js --workspace /tmp/pictures
//   … --inputs '{"title":"Tides","text":"When to walk to the island"}'

const {
  title = "A field guide to sandboxes",
  text = "What a program may do is what its host has granted: files, hosts, secrets, and a canvas that draws the same pixels on every machine.",
  site = "quicksand.example",
} = globalThis.inputs ?? {};
const width = 1200, height = 630;

// The picture: dunes under a low sun. A photograph from the workspace would do as well.
function dunes(size) {
  const surface = createCanvas(size, size);
  const ctx = surface.getContext("2d");
  const sky = ctx.createLinearGradient(0, 0, 0, size);
  [[0, "#25396b"], [0.4, "#d9718a"], [0.6, "#ffc98a"]].forEach((s) => sky.addColorStop(...s));
  ctx.fillStyle = sky;
  ctx.fillRect(0, 0, size, size);
  const glow = ctx.createRadialGradient(size * 0.62, size * 0.52, size * 0.04, size * 0.62, size * 0.52, size * 0.4);
  glow.addColorStop(0, "rgba(255, 244, 214, 1)");
  glow.addColorStop(0.2, "rgba(255, 226, 160, 0.7)");
  glow.addColorStop(1, "rgba(255, 200, 140, 0)");
  ctx.fillStyle = glow;
  ctx.fillRect(0, 0, size, size);
  [["#b4623f", 0.6, 0.1, 0.4], ["#8a4330", 0.7, 0.09, 2.2], ["#54291f", 0.82, 0.07, 4.1]].forEach(([colour, base, swing, phase]) => {
    const side = ctx.createLinearGradient(0, size * (base - swing), 0, size);
    side.addColorStop(0, colour);
    side.addColorStop(1, "#2b1511");
    ctx.fillStyle = side;
    ctx.beginPath();
    ctx.moveTo(0, size);
    for (let x = 0; x <= size; x += 4) ctx.lineTo(x, size * (base + swing * Math.sin(phase + (x / size) * 5) * Math.cos((x / size) * 2)));
    ctx.lineTo(size, size);
    ctx.fill();
  });
  return surface;
}

const surface = createCanvas(width, height);
const ctx = surface.getContext("2d");

// Paper.
const paper = ctx.createLinearGradient(0, 0, width, height);
paper.addColorStop(0, "#fdf8f0");
paper.addColorStop(1, "#f3e3cd");
ctx.fillStyle = paper;
ctx.fillRect(0, 0, width, height);

// The picture in a circle, with a ring whose shadow falls on the paper.
const round = { x: 920, y: 300, r: 210 };
ctx.save();
ctx.shadowColor = "rgba(70, 30, 10, 0.45)";
ctx.shadowBlur = 40;
ctx.shadowOffsetY = 18;
ctx.fillStyle = "#fff";
ctx.beginPath();
ctx.arc(round.x, round.y, round.r + 12, 0, 2 * Math.PI);
ctx.fill();
ctx.restore();
ctx.save();
ctx.beginPath();
ctx.arc(round.x, round.y, round.r, 0, 2 * Math.PI);
ctx.clip();
ctx.imageSmoothingQuality = "high";
ctx.drawImage(dunes(640), round.x - round.r, round.y - round.r, 2 * round.r, 2 * round.r);
ctx.restore();

// A badge across its edge.
ctx.save();
ctx.translate(round.x + 135, round.y + 160);
ctx.rotate(-0.12);
ctx.shadowColor = "rgba(0, 0, 0, 0.35)";
ctx.shadowBlur = 14;
ctx.shadowOffsetY = 6;
ctx.fillStyle = "#c8452f";
ctx.beginPath();
ctx.roundRect(-92, -30, 184, 60, 30);
ctx.fill();
ctx.shadowColor = "transparent";
ctx.fillStyle = "#fff";
ctx.font = "bold 24px sans-serif";
ctx.textAlign = "center";
ctx.textBaseline = "middle";
ctx.fillText("★ new ★", 0, 1);
ctx.restore();

// Words, each box as high as its text.
const left = 80, column = 540;
ctx.fillStyle = "#c8452f";
ctx.fillRect(left, 92, 72, 8);
ctx.fillStyle = "#2a1a12";
ctx.font = "bold 64px serif";
const lines = { lineHeight: 1.1, maxLines: 3 };
const headline = ctx.measureTextBox(title, column, lines);
ctx.fillTextBox(title, left, 122, column, lines);
ctx.fillStyle = "#5d473a";
ctx.font = "28px sans-serif";
ctx.fillTextBox(text, left, 122 + headline.height + 24, column, { lineHeight: 1.4, maxLines: 5 });
ctx.fillStyle = "#8a7466";
ctx.font = "22px monospace";
ctx.fillText(site, left, height - 64);

await workspace.writeBytes("social-card.png", await surface.toBytes());
await workspace.write("social-card.svg", await surface.toSVG());
return { card: await surface.toImage(), lines: headline.lines };
