// One chart of a group of workloads: a row for each, a mark for each contender, on a
// logarithmic axis. The global inputs has title, unit, rows: [{name, values: [{contender, value}]}]
// and contenders: [{name, own}].
const { title, unit, rows, contenders } = inputs;
const left = 150, right = 30, top = 76 + 18 * Math.ceil(contenders.length / 4), rowHeight = 30, bottom = 44, width = 920;
const height = top + rows.length * rowHeight + bottom;
const c = createCanvas(width, height), x = c.getContext("2d");
const palette = ["#0b6e4f", "#5fb49c", "#c1440e", "#e08e45", "#6a4c93", "#1982c4", "#8a817c", "#d81159", "#b5a400", "#2d3142", "#7f5539", "#ff6b9d"];
const colour = new Map(contenders.map(({ name }, i) => [name, palette[i % palette.length]]));

x.fillStyle = "#fff";
x.fillRect(0, 0, width, height);
x.fillStyle = "#222";
x.font = "bold 18px sans-serif";
x.fillText(title, 20, 32);
x.font = "12px sans-serif";
contenders.forEach(({ name, own }, i) => {
  const lx = 20 + (i % 4) * 222, ly = 56 + 18 * Math.floor(i / 4);
  mark(lx + 6, ly - 4, colour.get(name), own);
  x.fillStyle = "#222";
  x.fillText(name, lx + 18, ly);
});

const all = rows.flatMap((r) => r.values.map((v) => v.value)).filter((v) => v > 0);
const low = Math.floor(Math.log10(Math.min(...all))), high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...all))));
const at = (v) => left + (Math.log10(v) - low) / (high - low) * (width - left - right);
x.strokeStyle = "#ddd";
x.lineWidth = 1;
x.textAlign = "center";
x.fillStyle = "#555";
for (let k = low; k <= high; k++) {
  const gx = Math.round(at(10 ** k)) + 0.5;
  x.beginPath();
  x.moveTo(gx, top - 6);
  x.lineTo(gx, height - bottom + 6);
  x.stroke();
  x.fillText(label(10 ** k), gx, height - bottom + 24);
}
rows.forEach((r, i) => {
  const y = top + (i + 0.5) * rowHeight;
  if (i % 2 === 0) {
    x.fillStyle = "rgba(0,0,0,0.035)";
    x.fillRect(10, y - rowHeight / 2, width - 20, rowHeight);
  }
  x.fillStyle = "#222";
  x.textAlign = "right";
  x.fillText(r.name, left - 14, y + 4);
  for (const { contender, value } of r.values) {
    const own = contenders.find((k) => k.name === contender).own;
    if (!own && value > 0) mark(at(value), y, colour.get(contender), false);
  }
  for (const { contender, value } of r.values) {
    const own = contenders.find((k) => k.name === contender).own;
    if (own && value > 0) mark(at(value), y, colour.get(contender), true);
  }
});
return await c.toSVG();

// mark is a diamond for us and a circle for peers.
function mark(cx, cy, fill, own) {
  x.beginPath();
  if (own) {
    x.moveTo(cx, cy - 8);
    x.lineTo(cx + 7, cy);
    x.lineTo(cx, cy + 8);
    x.lineTo(cx - 7, cy);
    x.closePath();
  } else x.arc(cx, cy, 5, 0, 2 * Math.PI);
  x.fillStyle = fill;
  x.fill();
  x.strokeStyle = "#fff";
  x.stroke();
}

function label(v) {
  const steps = unit === "bytes" ? [[1e9, "GB"], [1e6, "MB"], [1e3, "KB"], [1, "B"]] : [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];
  for (const [from, name] of steps) if (v >= from) return v / from + " " + name;
  return v + " " + steps.at(-1)[1];
}
