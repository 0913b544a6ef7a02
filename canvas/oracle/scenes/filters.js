// scenes: filters-$ for blur(0.6px) blur(3px) blur(14px) brightness(1.6) brightness(40%) contrast(2) contrast(0.45) grayscale(0.8) hue-rotate(110deg) hue-rotate(-0.25turn) invert(0.75) opacity(45%) saturate(3) saturate(0.3) sepia(0.9)
ctx.fillStyle = "#eee";
ctx.fillRect(0, 0, w, 120);
ctx.filter = word;
ctx.drawImage(helpers.picture(120, 120), 10, 10);
ctx.fillStyle = "rgba(30, 140, 220, 0.8)";
ctx.beginPath();
ctx.arc(190, 80, 45, 0, 2 * Math.PI);
ctx.fill();
const g = ctx.createLinearGradient(20, 0, 236, 0);
["#f00", "#ff0", "rgba(0, 255, 0, 0.5)", "#0ff", "#00f"].forEach((c, i) => g.addColorStop(i / 4, c));
ctx.fillStyle = g;
ctx.fillRect(20, 160, 216, 70);

// scenes: filters-drop-shadow-$ for 1 2 3
ctx.filter = ["", "drop-shadow(10px 12px 5px rgba(0, 0, 0, 0.6))", "drop-shadow(-14px 8px #c03)", "drop-shadow(6px 6px 2px blue) drop-shadow(20px 0 8px rgba(255, 120, 0, 0.8))"][word];
ctx.fillStyle = "rgba(120, 200, 80, 0.9)";
ctx.beginPath();
helpers.star(ctx, 110, 110, 85);
ctx.fill();
ctx.lineWidth = 6;
ctx.strokeRect(170, 170, 50, 50);

// scene: filters-in-a-row
ctx.filter = "saturate(2) blur(2px) hue-rotate(60deg) contrast(1.4)";
ctx.drawImage(helpers.picture(160, 160), 20, 20);
ctx.filter = "invert(1) opacity(0.6)";
ctx.fillStyle = "#a40";
ctx.fillRect(120, 120, 110, 110);

// scene: filters-with-shadow-clip-and-mode
helpers.backdrop(ctx, w, h);
ctx.beginPath();
ctx.ellipse(128, 128, 120, 90, 0, 0, 2 * Math.PI);
ctx.clip();
ctx.filter = "blur(4px) sepia(0.7)";
ctx.shadowColor = "#002";
ctx.shadowBlur = 10;
ctx.shadowOffsetX = 20;
ctx.globalAlpha = 0.8;
ctx.globalCompositeOperation = "multiply";
ctx.fillStyle = "#4c9";
ctx.fillRect(60, 70, 110, 100);
