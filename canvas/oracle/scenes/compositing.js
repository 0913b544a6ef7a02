// scenes: compositing-$ for source-over source-in source-out source-atop destination-over destination-in destination-out destination-atop lighter copy xor multiply screen overlay darken lighten color-dodge color-burn hard-light soft-light difference exclusion hue saturation color luminosity
helpers.backdrop(ctx, w, h);
ctx.globalCompositeOperation = word;
const g = ctx.createLinearGradient(0, 40, 0, 220);
g.addColorStop(0, "rgba(255, 0, 120, 1)");
g.addColorStop(0.5, "rgba(60, 220, 255, 1)");
g.addColorStop(0.8, "rgba(200, 200, 60, 0.6)");
g.addColorStop(1, "rgba(0, 0, 0, 0)");
ctx.fillStyle = g;
ctx.beginPath();
ctx.arc(128, 130, 90, 0, 2 * Math.PI);
ctx.fill();

// scenes: compositing-of-images-$ for source-over copy destination-atop lighter soft-light
helpers.backdrop(ctx, w, h);
ctx.globalAlpha = 0.75;
ctx.globalCompositeOperation = word;
ctx.drawImage(helpers.picture(100, 100), 60, 50, 130, 160);

// scene: compositing-alphas
for (let i = 0; i < 16; i++) {
  for (let j = 0; j < 16; j++) {
    ctx.globalAlpha = (i + 1) / 16;
    ctx.fillStyle = `rgba(${i * 17}, ${j * 17}, 128, ${(j + 1) / 16})`;
    ctx.fillRect(i * 16, j * 16, 15.5, 15.5);
    ctx.fillRect(i * 16 + 4, j * 16 + 4, 8, 8);
  }
}
