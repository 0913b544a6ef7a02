// scene: transforms-turned-squares
ctx.translate(128, 128);
for (let i = 0; i < 18; i++) {
  ctx.rotate(Math.PI / 9);
  ctx.globalAlpha = 0.25 + i / 30;
  ctx.fillStyle = `hsl(${i * 20}, 80%, 45%)`;
  ctx.fillRect(50, -9, 60, 22);
}

// scene: transforms-skewed
ctx.transform(1, 0.3, 0.5, 1, 10, 5);
for (let y = 0; y < 6; y++) {
  for (let x = 0; x < 6; x++) {
    ctx.fillStyle = (x + y) % 2 ? "#222" : "#eb4";
    ctx.fillRect(x * 24, y * 24, 24, 24);
  }
}

// scene: transforms-mirrored
ctx.save();
ctx.translate(256, 0);
ctx.scale(-1, 1);
ctx.beginPath();
ctx.moveTo(20, 20);
ctx.arc(80, 60, 40, 0, 4);
ctx.lineTo(30, 120);
ctx.fillStyle = "#639";
ctx.fill();
ctx.restore();
ctx.scale(0.5, -1.5);
ctx.translate(40, -160);
ctx.beginPath();
ctx.arc(100, 40, 36, 1, 5, true);
ctx.lineWidth = 12;
ctx.stroke();

// scene: transforms-set-and-reset
ctx.setTransform(0.8, 0.2, -0.2, 0.8, 60, 10);
ctx.fillStyle = "#19a";
ctx.fillRect(20, 20, 120, 80);
const m = ctx.getTransform();
ctx.resetTransform();
ctx.fillStyle = "#a19";
ctx.fillRect(5, 180, 60, 60);
ctx.setTransform(m);
ctx.fillStyle = "#9a1";
ctx.fillRect(60, 110, 100, 50);
ctx.setTransform({ a: 2, d: 0.5, e: 100, f: 220 });
ctx.fillRect(0, 0, 60, 40);

// scene: transforms-flat
ctx.fillStyle = "#c22";
ctx.fillRect(20, 20, 60, 60);
ctx.save();
ctx.scale(0, 1); // nothing is seen through it
ctx.fillRect(0, 0, 200, 200);
ctx.restore();
ctx.save();
ctx.scale(1e-3, 1e3);
ctx.fillRect(1e5, 0.1, 1e5, 0.05);
ctx.restore();
ctx.translate(1e6, 1e6);
ctx.fillRect(-1e6 + 100.5, -1e6 + 170.5, 120, 60);
