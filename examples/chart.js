// A chart, drawn once and written as PNG and as SVG: an area with a gradient, a dashed line, a
// legend, turned labels, and signs that the font of the labels does not have.
//
//   quicksand run examples/chart.js --workspace /tmp/pictures

const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const series = [
  { name: "This year ☀", colour: "#1f77d0", values: [41, 47, 58, 72, 88, 104, 121, 117, 96, 81, 62, 55] },
  { name: "Last year ☁", colour: "#e2762b", values: [38, 40, 49, 61, 70, 83, 95, 99, 84, 66, 52, 44], dashed: true },
];
const width = 960, height = 540;
const plot = { left: 84, top: 96, right: width - 36, bottom: height - 96 };
const most = 140, step = 20;
const x = (i) => plot.left + ((i + 0.5) * (plot.right - plot.left)) / months.length;
const y = (v) => plot.bottom - (v * (plot.bottom - plot.top)) / most;

const surface = createCanvas(width, height);
const ctx = surface.getContext("2d");
ctx.fillStyle = "#fff";
ctx.fillRect(0, 0, width, height);

// Title.
ctx.fillStyle = "#1c2733";
ctx.font = "bold 26px sans-serif";
ctx.fillText("Visitors of the botanical garden", plot.left, 44);
ctx.fillStyle = "#6a7886";
ctx.font = "15px sans-serif";
ctx.fillText("Thousands a month, both entrances", plot.left, 68);

// Grid, with values to its left and months below, turned.
ctx.textBaseline = "middle";
ctx.textAlign = "right";
ctx.font = "13px sans-serif";
ctx.lineWidth = 1;
for (let v = 0; v <= most; v += step) {
  const at = Math.round(y(v)) + 0.5; // on a row of pixels, not between two
  ctx.strokeStyle = v === 0 ? "#9aa7b4" : "#e4e9ee";
  ctx.beginPath();
  ctx.moveTo(plot.left, at);
  ctx.lineTo(plot.right, at);
  ctx.stroke();
  ctx.fillText(String(v), plot.left - 12, at);
}
months.forEach((name, i) => {
  ctx.save();
  ctx.translate(x(i), plot.bottom + 16);
  ctx.rotate(-Math.PI / 6);
  ctx.fillText(name, 6, 0);
  ctx.restore();
});
ctx.save();
ctx.translate(26, (plot.top + plot.bottom) / 2);
ctx.rotate(-Math.PI / 2);
ctx.textAlign = "center";
ctx.fillText("visitors (1 000)", 0, 0);
ctx.restore();

// curve is a path through all points, level at each highest and lowest one, so that it never
// runs above what was counted.
function curve(values) {
  const slope = (i) => {
    const a = values[i] - values[i - 1], b = values[i + 1] - values[i];
    return a * b > 0 ? (2 * a * b) / (a + b) : 0;
  };
  const third = (x(1) - x(0)) / 3, path = new Path2D();
  path.moveTo(x(0), y(values[0]));
  for (let i = 1; i < values.length; i++) {
    path.bezierCurveTo(x(i - 1) + third, y(values[i - 1] + slope(i - 1) / 3), x(i) - third, y(values[i] - slope(i) / 3), x(i), y(values[i]));
  }
  return path;
}

for (const s of series) {
  const line = curve(s.values);
  if (!s.dashed) {
    const shade = ctx.createLinearGradient(0, plot.top, 0, plot.bottom);
    shade.addColorStop(0, s.colour + "99");
    shade.addColorStop(1, s.colour + "08");
    const area = new Path2D(line);
    area.lineTo(x(s.values.length - 1), plot.bottom);
    area.lineTo(x(0), plot.bottom);
    area.closePath();
    ctx.fillStyle = shade;
    ctx.fill(area);
  }
  ctx.strokeStyle = s.colour;
  ctx.lineWidth = 3;
  ctx.lineJoin = ctx.lineCap = "round";
  ctx.setLineDash(s.dashed ? [2, 7] : []);
  ctx.stroke(line);
  ctx.setLineDash([]);
  if (s.dashed) continue;
  s.values.forEach((v, i) => {
    ctx.beginPath();
    ctx.arc(x(i), y(v), 4.5, 0, 2 * Math.PI);
    ctx.fillStyle = "#fff";
    ctx.fill();
    ctx.lineWidth = 2.5;
    ctx.stroke();
  });
}

// The best month, in a bubble above its point.
const best = series[0].values.indexOf(Math.max(...series[0].values));
ctx.font = "bold 13px sans-serif";
ctx.textAlign = "center";
const label = series[0].values[best] + " 000 in " + months[best] + " 😀";
const half = ctx.measureText(label).width / 2 + 12, at = { x: x(best), y: y(series[0].values[best]) - 30 };
ctx.fillStyle = "#1c2733";
ctx.beginPath();
ctx.roundRect(at.x - half, at.y - 14, 2 * half, 28, 7);
ctx.moveTo(at.x - 6, at.y + 14);
ctx.lineTo(at.x + 6, at.y + 14);
ctx.lineTo(at.x, at.y + 20);
ctx.fill();
ctx.fillStyle = "#fff";
ctx.fillText(label, at.x, at.y);

// Legend, from the right.
ctx.font = "14px sans-serif";
ctx.textAlign = "left";
let right = plot.right;
for (const s of series.toReversed()) {
  right -= ctx.measureText(s.name).width;
  ctx.fillStyle = "#3b4754";
  ctx.fillText(s.name, right, 62);
  ctx.strokeStyle = s.colour;
  ctx.lineWidth = 3;
  ctx.setLineDash(s.dashed ? [2, 7] : []);
  ctx.beginPath();
  ctx.moveTo(right - 36, 62);
  ctx.lineTo(right - 10, 62);
  ctx.stroke();
  right -= 64;
}

await workspace.writeBytes("chart.png", await surface.toBytes());
await workspace.write("chart.svg", await surface.toSVG());
return { chart: await surface.toImage(), best: label };
