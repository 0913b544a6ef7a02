// scene: pixels-put
const d = ctx.createImageData(100, 100);
for (let i = 0; i < 100 * 100; i++) {
  const x = i % 100, y = Math.floor(i / 100);
  d.data[4 * i] = (x * 255) / 99;
  d.data[4 * i + 1] = (y * 255) / 99;
  d.data[4 * i + 2] = (x ^ y) * 2;
  d.data[4 * i + 3] = x < 50 ? 255 : 255 - y * 2.5;
}
ctx.fillStyle = "#fc9";
ctx.fillRect(0, 0, w, h);
ctx.beginPath();
ctx.rect(0, 0, 10, 10);
ctx.clip(); // the clip, the transform, alpha, shadow and mode do not matter to putImageData
ctx.translate(50, 50);
ctx.globalAlpha = 0.1;
ctx.shadowColor = "#000";
ctx.shadowBlur = 10;
ctx.globalCompositeOperation = "xor";
ctx.putImageData(d, 10, 10);
ctx.putImageData(d, 130, 10, 20, 30, 60, 40);
ctx.putImageData(d, 130, 130, 90, 90, -50, -70);
ctx.putImageData(d, -40, 150);
ctx.putImageData(d, 220, 220);

// scene: pixels-read-and-written
helpers.backdrop(ctx, w, h);
const d = ctx.getImageData(20, 20, 120, 120);
for (let i = 0; i < d.data.length; i += 4) {
  d.data[i] = 255 - d.data[i];
  d.data[i + 3] = Math.min(255, d.data[i + 3] + 60);
}
ctx.putImageData(d, 100, 120);
const outside = ctx.getImageData(-20, -20, 60, 60);
ctx.putImageData(outside, 180, 5);

// scene: pixels-cleared
ctx.fillStyle = "#38a";
ctx.fillRect(0, 0, w, h);
ctx.clearRect(20, 20, 60, 60);
ctx.clearRect(100.5, 20.5, 60, 60);
ctx.shadowColor = "#f00";
ctx.shadowBlur = 20;
ctx.globalCompositeOperation = "copy";
ctx.clearRect(180, 20, 50, 60);
ctx.translate(128, 170);
ctx.rotate(0.5);
ctx.clearRect(-60, -30, 120, 60);
