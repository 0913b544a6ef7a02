// scene: clips-circle
ctx.beginPath();
ctx.arc(128, 128, 100.5, 0, 2 * Math.PI);
ctx.clip();
for (let i = 0; i < 16; i++) {
  ctx.fillStyle = i % 2 ? "#e63" : "#36e";
  ctx.fillRect(0, i * 16, w, 16);
}

// scene: clips-nested
ctx.save();
ctx.beginPath();
ctx.rect(20, 30.5, 180.25, 190);
ctx.clip();
ctx.fillStyle = "#ddd";
ctx.fillRect(0, 0, w, h);
ctx.beginPath();
ctx.arc(140, 120, 90, 0, 2 * Math.PI);
ctx.clip();
ctx.fillStyle = "#7ad";
ctx.fillRect(0, 0, w, h);
ctx.save();
ctx.beginPath();
helpers.star(ctx, 120, 120, 90);
ctx.clip();
ctx.fillStyle = "#a21";
ctx.fillRect(0, 0, w, h);
ctx.restore();
ctx.fillStyle = "rgba(0, 0, 0, 0.4)";
ctx.fillRect(0, 150, w, 20);
ctx.restore();
ctx.fillStyle = "#000";
ctx.fillRect(0, 240, w, 6);

// scene: clips-evenodd
ctx.beginPath();
helpers.star(ctx, 128, 134, 122);
ctx.clip("evenodd");
const g = ctx.createLinearGradient(0, 0, w, h);
g.addColorStop(0, "#f0f");
g.addColorStop(1, "#0ff");
ctx.fillStyle = g;
ctx.fillRect(0, 0, w, h);

// scene: clips-turned-rect
ctx.translate(128, 128);
ctx.rotate(0.35);
ctx.beginPath();
ctx.rect(-80, -50, 160, 100);
ctx.clip();
ctx.rotate(-0.7);
ctx.lineWidth = 9;
ctx.strokeStyle = "#333";
for (let i = -10; i < 10; i++) {
  ctx.beginPath();
  ctx.moveTo(-200, i * 18);
  ctx.lineTo(200, i * 18);
  ctx.stroke();
}

// scene: clips-and-clear
ctx.fillStyle = "#593";
ctx.fillRect(0, 0, w, h);
ctx.beginPath();
ctx.ellipse(128, 128, 110, 60, 0.3, 0, 2 * Math.PI);
ctx.clip();
ctx.clearRect(30, 30, 120.5, 190.5);
ctx.globalAlpha = 0.3; // does not matter to clearRect
ctx.rotate(0.2);
ctx.clearRect(190, 20, 30, 150);

// scene: clips-empty
ctx.fillStyle = "#00c";
ctx.fillRect(20, 20, 100, 100);
ctx.beginPath();
ctx.clip();
ctx.fillStyle = "#c00";
ctx.fillRect(0, 0, w, h);
ctx.clearRect(0, 0, w, h);

// scene: clips-composited
helpers.backdrop(ctx, w, h);
ctx.beginPath();
ctx.arc(100, 110, 70, 0, 2 * Math.PI);
ctx.clip();
ctx.globalCompositeOperation = "source-in"; // clears all of the clip
ctx.fillStyle = "rgba(255, 255, 0, 0.8)";
ctx.fillRect(60, 60, 90, 60);

// scene: clips-shadow
ctx.beginPath();
ctx.roundRect(30, 30, 190, 190, 40);
ctx.clip();
ctx.shadowColor = "#000";
ctx.shadowBlur = 20;
ctx.shadowOffsetX = 15;
ctx.shadowOffsetY = 15;
ctx.fillStyle = "#fb3";
ctx.beginPath();
ctx.arc(150, 150, 60, 0, 2 * Math.PI);
ctx.fill();
