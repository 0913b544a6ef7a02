// scenes: strokes-cap-$ for butt round square
ctx.lineCap = word;
for (let i = 0; i < 6; i++) {
  ctx.lineWidth = 2 + i * 4.5;
  ctx.strokeStyle = `hsl(${i * 50}, 60%, 45%)`;
  ctx.beginPath();
  ctx.moveTo(30, 25 + i * 41);
  ctx.lineTo(110 + i * 8, 18 + i * 40);
  ctx.stroke();
}
ctx.lineWidth = 20;
ctx.strokeStyle = "rgba(0, 0, 0, 0.5)";
ctx.beginPath();
ctx.moveTo(200, 30);
ctx.quadraticCurveTo(240, 120, 190, 220);
ctx.stroke();

// scenes: strokes-join-$ for miter round bevel
ctx.lineJoin = word;
ctx.lineWidth = 14;
ctx.strokeStyle = "rgba(20, 60, 140, 0.8)";
for (let i = 0; i < 5; i++) {
  ctx.beginPath();
  ctx.moveTo(20 + i * 22, 40 + i * 44);
  ctx.lineTo(70 + i * 20, 20 + i * 44);
  ctx.lineTo(40 + i * 30, 60 + i * 40);
  ctx.stroke();
}
ctx.beginPath();
ctx.moveTo(180, 30);
ctx.lineTo(235, 40);
ctx.lineTo(190, 90);
ctx.closePath();
ctx.stroke();

// scene: strokes-miter-limits
ctx.lineWidth = 8;
[1, 1.5, 2, 3, 5, 10, 30].forEach((limit, i) => {
  ctx.miterLimit = limit;
  ctx.beginPath();
  ctx.moveTo(15 + i * 32, 70);
  ctx.lineTo(27 + i * 32, 20);
  ctx.lineTo(39 + i * 32, 70);
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(25 + i * 32, 180);
  ctx.lineTo(27 + i * 32, 130);
  ctx.lineTo(33 + i * 32, 180);
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(12 + i * 32, 200);
  ctx.lineTo(27 + i * 32, 216);
  ctx.lineTo(15 + i * 32, 240);
  ctx.stroke();
});

// scenes: strokes-dashes-$ for butt round square
ctx.lineCap = word;
const patterns = [[10], [10, 5], [1, 8], [20, 5, 3, 5], [15, 3, 8], [0, 12], [30, 0.5]];
patterns.forEach((d, i) => {
  ctx.setLineDash(d);
  ctx.lineWidth = 2 + i;
  ctx.beginPath();
  ctx.moveTo(12, 14 + i * 18);
  ctx.lineTo(240, 20 + i * 18);
  ctx.stroke();
});
ctx.lineWidth = 5;
ctx.setLineDash([14, 9]);
for (let i = 0; i < 4; i++) {
  ctx.lineDashOffset = i * 7 - 8;
  ctx.strokeRect(14 + i * 60, 160, 46, 80);
}

// scene: strokes-dashed-curves
ctx.lineWidth = 6;
ctx.strokeStyle = "#a06";
ctx.setLineDash([16, 8]);
ctx.beginPath();
ctx.arc(80, 80, 60, 0, 2 * Math.PI);
ctx.stroke();
ctx.setLineDash([3, 6]);
ctx.lineCap = "round";
ctx.beginPath();
ctx.moveTo(20, 230);
ctx.bezierCurveTo(60, 100, 200, 300, 240, 120);
ctx.stroke();
ctx.lineCap = "butt";
ctx.lineWidth = 18;
ctx.setLineDash([25, 4, 4, 4]);
ctx.beginPath();
ctx.ellipse(190, 70, 50, 40, 0.4, 0, 2 * Math.PI);
ctx.stroke();

// scene: strokes-curves
ctx.lineCap = ctx.lineJoin = "round";
for (let i = 0; i < 7; i++) {
  ctx.lineWidth = 1 + i * 3;
  ctx.strokeStyle = `rgba(${i * 36}, 40, ${255 - i * 36}, 0.7)`;
  ctx.beginPath();
  ctx.moveTo(15, 30 + i * 30);
  ctx.bezierCurveTo(90, -50 + i * 40, 150, 110 + i * 25, 240, 20 + i * 32);
  ctx.stroke();
}

// scene: strokes-tight-curves
ctx.lineWidth = 26;
ctx.strokeStyle = "rgba(0, 90, 90, 0.6)";
ctx.beginPath();
ctx.moveTo(30, 230);
ctx.bezierCurveTo(110, -100, 110, -100, 190, 230);
ctx.stroke();
ctx.lineWidth = 40;
ctx.beginPath();
ctx.moveTo(200, 40);
ctx.quadraticCurveTo(250, 60, 205, 80);
ctx.stroke();
ctx.beginPath();
ctx.arc(60, 60, 12, 0, 2 * Math.PI);
ctx.stroke();

// scene: strokes-hairlines
for (let i = 0; i < 12; i++) {
  ctx.lineWidth = 0.1 + i * 0.17;
  ctx.beginPath();
  ctx.moveTo(10, 8 + i * 9);
  ctx.lineTo(246, 14 + i * 9);
  ctx.stroke();
  ctx.beginPath();
  ctx.arc(128, 182, 5 + i * 5, 0.2, 5);
  ctx.stroke();
}

// scene: strokes-rects
ctx.lineWidth = 1;
ctx.strokeRect(5, 5, 40, 30);
ctx.strokeRect(55.5, 5.5, 40, 30);
ctx.lineWidth = 7;
ctx.lineJoin = "round";
ctx.strokeRect(110, 10, 50, 30);
ctx.lineJoin = "bevel";
ctx.strokeRect(180, 10, 60, 30);
ctx.lineJoin = "miter";
ctx.strokeRect(15, 60, 0, 50);
ctx.strokeRect(40, 60, 60, 0);
ctx.strokeRect(120, 60, 6, 50);
ctx.strokeStyle = "rgba(200, 0, 0, 0.5)";
ctx.lineWidth = 30;
ctx.strokeRect(160, 80, 60, 40);
ctx.strokeRect(140, 220, -100, -60);

// scene: strokes-transformed
ctx.strokeStyle = "#063";
ctx.lineWidth = 10;
ctx.save();
ctx.scale(1, 0.25);
ctx.beginPath();
ctx.arc(70, 240, 55, 0, 2 * Math.PI);
ctx.stroke();
ctx.restore();
ctx.save();
ctx.transform(1, 0.3, -0.8, 1, 140, 10);
ctx.strokeRect(20, 10, 60, 60);
ctx.restore();
ctx.save();
ctx.translate(128, 190);
ctx.rotate(-0.4);
ctx.scale(4, 0.6);
ctx.lineJoin = ctx.lineCap = "round";
ctx.setLineDash([14, 14]);
ctx.beginPath();
ctx.moveTo(-25, 30);
ctx.lineTo(0, -60);
ctx.lineTo(25, 40);
ctx.stroke();
ctx.restore();
ctx.beginPath();
ctx.save();
ctx.scale(3, 1);
ctx.moveTo(10, 130);
ctx.lineTo(30, 110);
ctx.lineTo(40, 150);
ctx.restore();
ctx.stroke(); // the path was made larger, the pen is not

// scene: strokes-of-no-length
ctx.lineWidth = 20;
["butt", "round", "square"].forEach((cap, i) => {
  ctx.lineCap = cap;
  const x = 45 + i * 80;
  ctx.beginPath();
  ctx.moveTo(x, 30);
  ctx.lineTo(x, 30);
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(x, 80);
  ctx.closePath();
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(x, 130);
  ctx.stroke();
  ctx.beginPath();
  ctx.arc(x, 180, 0, 0, 6);
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(x, 230);
  ctx.quadraticCurveTo(x, 230, x, 230);
  ctx.stroke();
});

// scene: strokes-closed-and-open
ctx.lineWidth = 12;
ctx.globalAlpha = 0.6;
for (let i = 0; i < 2; i++) {
  ctx.beginPath();
  ctx.moveTo(30 + 120 * i, 40);
  ctx.lineTo(100 + 120 * i, 50);
  ctx.lineTo(60 + 120 * i, 110);
  ctx.lineTo(30 + 120 * i, 40);
  if (i) ctx.closePath();
  ctx.stroke();
}
ctx.beginPath();
ctx.moveTo(20, 150);
ctx.lineTo(230, 230);
ctx.lineTo(230, 150);
ctx.lineTo(20, 230); // crosses itself, painted once
ctx.stroke();

// scene: strokes-turning-back
ctx.lineWidth = 16;
["miter", "round", "bevel"].forEach((join, i) => {
  ctx.lineJoin = join;
  ctx.beginPath();
  ctx.moveTo(30, 40 + i * 80);
  ctx.lineTo(130, 40 + i * 80);
  ctx.lineTo(60, 40 + i * 80);
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(170, 60 + i * 80);
  ctx.bezierCurveTo(260, 10 + i * 80, 160, 10 + i * 80, 240, 60 + i * 80);
  ctx.stroke();
});

// scene: strokes-spirals
ctx.lineWidth = 2.5;
ctx.lineJoin = "round";
ctx.beginPath();
for (let i = 0; i < 700; i++) {
  const a = i / 14, r = 2 + i / 6;
  ctx.lineTo(128 + r * Math.cos(a), 128 + r * Math.sin(a));
}
ctx.stroke();
