// scenes: shadows-blur-$ for 0 1 4 12 40
ctx.shadowColor = "rgba(0, 0, 0, 0.8)";
ctx.shadowBlur = Number(word);
ctx.shadowOffsetX = 14;
ctx.shadowOffsetY = 10;
ctx.fillStyle = "#e84";
ctx.fillRect(30, 30, 90, 70);
ctx.beginPath();
ctx.arc(180, 180, 45, 0, 2 * Math.PI);
ctx.fill();

// scene: shadows-of-strokes
ctx.shadowColor = "#06c";
ctx.shadowBlur = 8;
ctx.shadowOffsetY = 12;
ctx.lineWidth = 8;
ctx.strokeStyle = "rgba(200, 30, 30, 0.6)";
ctx.beginPath();
helpers.star(ctx, 128, 120, 100);
ctx.stroke();

// scene: shadows-and-transforms
ctx.shadowColor = "rgba(0, 100, 0, 0.7)";
ctx.shadowOffsetX = 20;
ctx.shadowOffsetY = 0;
ctx.shadowBlur = 6;
ctx.fillStyle = "#888";
ctx.translate(128, 20);
ctx.rotate(0.7);
ctx.scale(2, 0.8);
ctx.fillRect(0, 20, 60, 50); // the offset and the blur are not turned
ctx.globalAlpha = 0.4;
ctx.fillRect(30, 110, 50, 40);

// scene: shadows-of-gradients-and-images
ctx.shadowColor = "#903";
ctx.shadowBlur = 10;
ctx.shadowOffsetX = ctx.shadowOffsetY = 8;
const g = ctx.createLinearGradient(20, 0, 120, 0);
g.addColorStop(0, "rgba(0, 120, 200, 1)");
g.addColorStop(1, "rgba(0, 120, 200, 0)");
ctx.fillStyle = g;
ctx.fillRect(20, 20, 100, 100);
ctx.drawImage(helpers.picture(80, 80), 140, 30);
ctx.clearRect(30, 30, 20, 20); // casts none
ctx.fillStyle = ctx.createPattern(helpers.picture(20, 20), "repeat");
ctx.beginPath();
ctx.arc(128, 190, 40, 0, 2 * Math.PI);
ctx.fill();

// scenes: shadows-composited-$ for destination-over source-atop xor lighter multiply copy
helpers.backdrop(ctx, w, h);
ctx.globalCompositeOperation = word;
ctx.shadowColor = "rgba(40, 0, 80, 0.9)";
ctx.shadowBlur = 9;
ctx.shadowOffsetX = 30;
ctx.shadowOffsetY = 24;
ctx.fillStyle = "rgba(255, 220, 60, 0.8)";
ctx.beginPath();
ctx.arc(110, 110, 60, 0, 2 * Math.PI);
ctx.fill();
