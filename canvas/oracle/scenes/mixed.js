// scene: mixed-bars
ctx.fillStyle = "#fff";
ctx.fillRect(0, 0, w, h);
ctx.strokeStyle = "#ddd";
ctx.lineWidth = 1;
for (let i = 0; i < 8; i++) {
  ctx.beginPath();
  ctx.moveTo(24, 20.5 + i * 28);
  ctx.lineTo(246, 20.5 + i * 28);
  ctx.stroke();
}
[60, 140, 90, 180, 120, 30].forEach((v, i) => {
  const g = ctx.createLinearGradient(0, 216 - v, 0, 216);
  g.addColorStop(0, "#3a7bd5");
  g.addColorStop(1, "#00d2ff");
  ctx.fillStyle = g;
  ctx.beginPath();
  ctx.roundRect(34 + i * 36, 216 - v, 24, v, [6, 6, 0, 0]);
  ctx.fill();
});
ctx.strokeStyle = "#d33";
ctx.lineWidth = 2.5;
ctx.lineJoin = "round";
ctx.beginPath();
[80, 100, 130, 120, 160, 190].forEach((v, i) => ctx.lineTo(46 + i * 36, 216 - v));
ctx.stroke();

// scene: mixed-dials
for (let i = 0; i < 3; i++) {
  const x = 44 + i * 84, y = 60;
  ctx.lineWidth = 14;
  ctx.strokeStyle = "#ddd";
  ctx.beginPath();
  ctx.arc(x, y, 28, 0.75 * Math.PI, 2.25 * Math.PI);
  ctx.stroke();
  ctx.strokeStyle = ["#2a6", "#fa2", "#e33"][i];
  ctx.lineCap = "round";
  ctx.beginPath();
  ctx.arc(x, y, 28, 0.75 * Math.PI, (1.1 + i * 0.4) * Math.PI);
  ctx.stroke();
}
let a = -Math.PI / 2;
[0.35, 0.25, 0.2, 0.12, 0.08].forEach((part, i) => {
  ctx.beginPath();
  ctx.moveTo(128, 180);
  ctx.arc(128, 180, 66, a, a + part * 2 * Math.PI);
  ctx.closePath();
  a += part * 2 * Math.PI;
  ctx.fillStyle = `hsl(${200 + i * 30}, 65%, ${40 + i * 8}%)`;
  ctx.fill();
  ctx.lineWidth = 2;
  ctx.strokeStyle = "#fff";
  ctx.stroke();
});
ctx.globalCompositeOperation = "destination-out";
ctx.beginPath();
ctx.arc(128, 180, 30, 0, 2 * Math.PI);
ctx.fill();

// scene: mixed-state
ctx.fillStyle = "#111";
ctx.save();
ctx.fillStyle = "#c22";
ctx.translate(20, 20);
ctx.globalAlpha = 0.5;
ctx.save();
ctx.beginPath();
ctx.arc(60, 60, 50, 0, 7);
ctx.clip();
ctx.setLineDash([5, 5]);
ctx.lineWidth = 6;
ctx.fillRect(0, 0, 110, 110);
ctx.strokeRect(20, 20, 80, 80);
ctx.restore();
ctx.strokeRect(120.5, 20.5, 90, 90);
ctx.restore();
ctx.restore();
ctx.restore();
ctx.fillRect(20, 150, 200, 40);
for (let i = 0; i < 50; i++) ctx.save();
ctx.fillStyle = "#2c2";
ctx.fillRect(20, 200, 200, 20);
for (let i = 0; i < 50; i++) ctx.restore();
ctx.fillRect(20, 230, 200, 10);
