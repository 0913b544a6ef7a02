// scene: paths-rects-between-pixels
for (let i = 0; i < 8; i++) {
  ctx.fillStyle = `rgba(${30 * i}, ${255 - 30 * i}, 120, 0.8)`;
  ctx.fillRect(10.1 + 30 * i, 12.3 + 9.7 * i, 40.5 - i, 60.25 + i * 3.3);
}
ctx.fillStyle = "#124";
for (let i = 0; i < 30; i++) ctx.fillRect(8 + 8 * i + i / 30, 200, 0.2 + i / 16, 40.5);

// scene: paths-triangles
for (let i = 0; i < 12; i++) {
  const a = (i / 12) * 2 * Math.PI;
  ctx.fillStyle = `hsl(${i * 30}, 70%, 50%)`;
  ctx.beginPath();
  ctx.moveTo(128, 128);
  ctx.lineTo(128 + 115 * Math.cos(a), 128 + 115 * Math.sin(a));
  ctx.lineTo(128 + 115 * Math.cos(a + 0.45), 128 + 115 * Math.sin(a + 0.45));
  ctx.fill();
}

// scene: paths-slivers
ctx.fillStyle = "#000";
for (let i = 0; i < 24; i++) {
  ctx.beginPath();
  ctx.moveTo(4, 6 + i * 10);
  ctx.lineTo(252, 6 + i * 10 + i / 2);
  ctx.lineTo(252, 6.3 + i * 10 + i / 2 + i / 12);
  ctx.fill();
}

// scene: paths-arc-fill
ctx.fillStyle = "#27c";
ctx.beginPath();
ctx.arc(90, 90, 75.5, 0, 2 * Math.PI);
ctx.fill();
ctx.fillStyle = "rgba(220, 60, 20, 0.7)";
ctx.beginPath();
ctx.arc(160.3, 160.7, 82.2, 0.3, 4.4);
ctx.fill();
ctx.fillStyle = "#0a0";
for (let i = 1; i < 12; i++) {
  ctx.beginPath();
  ctx.arc(20 * i, 246, i * 0.8, 0, 7);
  ctx.fill();
}

// scene: paths-arc-directions
ctx.lineWidth = 3;
const cases = [[0, 1, false], [0, 1, true], [1, 0, false], [1, 0, true], [0, 7, false], [0, 7, true], [-7, 0, false], [0, -7, true],
  [5, 1, false], [5, 1, true], [0, Math.PI, false], [0, -Math.PI, false], [2, 2, false], [3 * Math.PI, Math.PI / 2, false], [1, 9, false], [9, 1, true]];
cases.forEach(([from, to, back], i) => {
  const x = 32 + 64 * (i % 4), y = 32 + 64 * Math.floor(i / 4);
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.arc(x, y, 25, from, to, back);
  ctx.fillStyle = i % 2 ? "#fc6" : "#9cf";
  ctx.fill();
  ctx.stroke();
});

// scene: paths-arc-to
ctx.lineWidth = 4;
ctx.strokeStyle = "#333";
for (let i = 0; i < 7; i++) {
  ctx.beginPath();
  ctx.moveTo(10, 20 + i * 8);
  ctx.arcTo(120 + i * 20, 20 + i * 8, 60 + i * 25, 240, 4 + i * 9);
  ctx.lineTo(60 + i * 25, 248);
  ctx.stroke();
}
ctx.strokeStyle = "red";
ctx.beginPath();
ctx.moveTo(10, 100);
ctx.arcTo(40, 130, 70, 160, 20); // on a line: no arc
ctx.arcTo(70, 160, 20, 200, 0); // no radius: a corner
ctx.stroke();

// scene: paths-ellipses
for (let i = 0; i < 9; i++) {
  ctx.fillStyle = `rgba(${20 * i}, 80, ${255 - 25 * i}, 0.5)`;
  ctx.beginPath();
  ctx.ellipse(128, 128, 120 - i * 5, 14 + i * 6, (i * Math.PI) / 9, 0, 2 * Math.PI);
  ctx.fill();
}
ctx.fillStyle = "#fe3";
ctx.beginPath();
ctx.ellipse(128, 128, 40, 20, 0.5, 1, 4, true);
ctx.fill();

// scene: paths-beziers
ctx.fillStyle = "#846";
ctx.beginPath();
ctx.moveTo(20, 128);
ctx.bezierCurveTo(20, -60, 236, 316, 236, 128);
ctx.bezierCurveTo(300, 20, 140, 40, 128, 10);
ctx.bezierCurveTo(90, 100, 60, 10, 20, 128);
ctx.fill();
ctx.fillStyle = "rgba(0, 180, 160, 0.6)";
ctx.beginPath();
ctx.moveTo(30, 240);
ctx.bezierCurveTo(260, 130, 0, 130, 230, 240); // a loop
ctx.fill();

// scene: paths-quadratics
ctx.fillStyle = "#364";
ctx.beginPath();
ctx.moveTo(10, 240);
for (let i = 0; i < 6; i++) ctx.quadraticCurveTo(30 + 40 * i, -60 + 50 * i, 50 + 40 * i, 240);
ctx.fill();
ctx.fillStyle = "rgba(255, 200, 0, 0.8)";
ctx.beginPath();
ctx.moveTo(5, 5);
ctx.quadraticCurveTo(250, 5, 250, 120);
ctx.quadraticCurveTo(5, 120, 5, 5);
ctx.fill();

// scene: paths-round-rects
const radii = [0, 12, [30], [5, 40], [10, 20, 30], [4, 12, 24, 48], [{ x: 50, y: 10 }], [100], [{ x: 40, y: 40 }, 0]];
radii.forEach((r, i) => {
  const x = 6 + 84 * (i % 3), y = 6 + 84 * Math.floor(i / 3);
  ctx.beginPath();
  ctx.roundRect(x + 0.5, y + 0.5, 73, 67, r);
  ctx.fillStyle = `hsl(${i * 40}, 60%, 60%)`;
  ctx.fill();
  ctx.stroke();
});

// scene: paths-star-nonzero
ctx.fillStyle = "#d22";
ctx.beginPath();
helpers.star(ctx, 128, 134, 122);
ctx.fill("nonzero");

// scene: paths-star-evenodd
ctx.fillStyle = "#d22";
ctx.beginPath();
helpers.star(ctx, 128, 134, 122);
ctx.arc(128, 134, 60, 0, 2 * Math.PI);
ctx.fill("evenodd");

// scene: paths-winding-of-holes
ctx.fillStyle = "#225";
ctx.beginPath();
ctx.rect(10, 10, 110, 236);
ctx.moveTo(30, 30);
ctx.lineTo(30, 110);
ctx.lineTo(100, 110);
ctx.lineTo(100, 30);
ctx.closePath();
ctx.rect(30, 140, 70, 80);
ctx.fill();
ctx.beginPath();
ctx.arc(190, 70, 56, 0, 2 * Math.PI);
ctx.arc(190, 70, 30, 0, 2 * Math.PI, true);
ctx.moveTo(246, 190);
ctx.arc(190, 190, 56, 0, 2 * Math.PI);
ctx.moveTo(220, 190);
ctx.arc(190, 190, 30, 0, 2 * Math.PI);
ctx.fill();

// scene: paths-svg-data
const p = new Path2D("M20 100 C20 20 110 20 110 100 S200 180 236 60 l-20 90 h-40 v-30 q-30 60 -60 10 t-60 20 z m10 60 a40 25 -20 1 0 70 0 A30 30 0 0 1 180 190 L60 240 Z");
ctx.fillStyle = "#486";
ctx.fill(p);
ctx.lineWidth = 2;
ctx.stroke(p);

// scene: paths-of-paths
const p = new Path2D();
helpers.star(p, 64, 64, 55);
const q = new Path2D(p);
q.rect(40, 40, 48, 48);
ctx.fillStyle = "#b50";
ctx.fill(q, "evenodd");
ctx.translate(128, 128);
ctx.scale(1, 0.7);
ctx.fillStyle = "#05b";
ctx.fill(q);
ctx.rotate(0.4);
ctx.strokeStyle = "#000";
ctx.stroke(p);
ctx.setTransform(1, 0, 0, 1, 0, 128);
ctx.clip(p);
ctx.fillStyle = "#5b0";
ctx.fillRect(0, 0, 128, 80);

// scene: paths-subpaths-left-open
ctx.fillStyle = "#777";
ctx.strokeStyle = "#c00";
ctx.lineWidth = 5;
ctx.beginPath();
ctx.lineTo(20, 20); // without moveTo
ctx.lineTo(100, 40);
ctx.lineTo(60, 110);
ctx.moveTo(140, 20);
ctx.lineTo(230, 30);
ctx.lineTo(180, 110);
ctx.closePath();
ctx.lineTo(150, 120); // goes on from where the closed subpath began
ctx.rect(30, 150, 80, 70);
ctx.lineTo(60, 240); // and from the corner of the rectangle
ctx.moveTo(200, 200);
ctx.fill();
ctx.stroke();

// scene: paths-many-small
const rnd = helpers.random(7);
for (let i = 0; i < 600; i++) {
  ctx.fillStyle = `rgba(${Math.floor(rnd() * 256)}, ${Math.floor(rnd() * 256)}, ${Math.floor(rnd() * 256)}, 0.7)`;
  ctx.beginPath();
  const x = rnd() * w, y = rnd() * h, r = 1 + rnd() * 5;
  if (i % 3) ctx.arc(x, y, r, 0, 2 * Math.PI);
  else ctx.rect(x, y, r, 2 * r);
  ctx.fill();
}

// scene: paths-moved-between-points
ctx.beginPath();
ctx.moveTo(20, 20);
ctx.rotate(0.3);
ctx.lineTo(200, 20);
ctx.scale(1, 0.5);
ctx.arc(160, 220, 60, 0, Math.PI);
ctx.translate(-30, 40);
ctx.quadraticCurveTo(40, 300, 60, 100);
ctx.closePath();
ctx.fillStyle = "#7a4";
ctx.fill();
ctx.lineWidth = 6;
ctx.stroke();
