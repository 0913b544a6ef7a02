// scenes: images-enlarged-$ for off low medium high
ctx.imageSmoothingEnabled = word !== "off";
if (word !== "off") ctx.imageSmoothingQuality = word;
const p = helpers.picture(40, 40);
ctx.drawImage(p, 8, 8, 150, 150);
ctx.drawImage(p, 170.3, 10.6, 70.7, 133.3);
ctx.drawImage(p, 10, 10, 20, 20, 20, 170, 200, 75);

// scenes: images-shrunk-$ for off low medium high
ctx.imageSmoothingEnabled = word !== "off";
if (word !== "off") ctx.imageSmoothingQuality = word;
const p = helpers.picture(480, 400);
ctx.drawImage(p, 4, 4, 151, 127);
ctx.drawImage(p, 170, 10, 61, 51);
ctx.drawImage(p, 170.5, 70.25, 25, 21);
ctx.drawImage(p, 100, 100, 300, 250, 20, 140, 200, 100);

// scenes: images-shrunk-and-turned-$ for medium high
ctx.imageSmoothingQuality = word;
const p = helpers.picture(300, 301); // halves of odd sizes
ctx.drawImage(p, 4, 4, 200, 40); // more in one direction than in the other
ctx.drawImage(p, 206, 4, 40, 240);
ctx.drawImage(p, 4, 210, 200, 400);
ctx.translate(104, 126);
ctx.rotate(0.4);
ctx.drawImage(p, -70, -40, 100, 80);
ctx.transform(1, 0.3, -0.5, 1, 0, 0);
ctx.drawImage(p, 100, 100, 150, 100, 40, -40, 40, 60);

// scene: images-as-they-are
const p = helpers.picture(70, 60);
ctx.drawImage(p, 10, 10);
ctx.drawImage(p, 100.5, 10.25);
ctx.globalAlpha = 0.5;
ctx.drawImage(p, 20, 90);
ctx.globalAlpha = 1;
ctx.scale(-1, 1);
ctx.drawImage(p, -180, 90);
ctx.setTransform(0, 1, -1, 0, 90, 165);
ctx.drawImage(p, 0, 0);

// scene: images-turned
ctx.translate(128, 128);
ctx.rotate(0.6);
ctx.drawImage(helpers.picture(120, 120), -90, -90, 180, 150);
ctx.rotate(-1.5);
ctx.transform(1, 0.4, 0, 1, 0, 0);
ctx.globalAlpha = 0.7;
ctx.drawImage(helpers.picture(60, 60), 10, 10, 40, 40, 20, -10, 90, 100);

// scene: images-parts
const p = helpers.picture(80, 80);
ctx.drawImage(p, -20, -20, 60, 60, 10, 10, 90, 90); // part of the source is outside the picture
ctx.drawImage(p, 60, 60, 60, 60, 120, 10, 90, 90);
ctx.drawImage(p, 70, 10, -40, 50, 10, 130, 100, 100); // given from the other side
ctx.drawImage(p, 20, 20, 30, 30, 220, 230, -80, -90);
ctx.drawImage(p, 0, 0, 0, 30, 0, 0, 256, 256); // nothing

// scene: images-of-itself
ctx.fillStyle = "#27a";
ctx.fillRect(10, 10, 60, 60);
ctx.fillStyle = "#fd4";
ctx.beginPath();
ctx.arc(60, 60, 25, 0, 2 * Math.PI);
ctx.fill();
ctx.drawImage(ctx.canvas, 0, 0, 100, 100, 100, 20, 150, 150);
ctx.drawImage(ctx.canvas, 20, 20, 200, 200, 10, 120, 110, 110);

// scene: images-of-a-surface-drawn-on-later
const other = helpers.blank(100, 100);
const g = other.getContext("2d");
g.fillStyle = "#c33";
g.fillRect(10, 10, 80, 80);
ctx.drawImage(other, 10, 10);
g.fillStyle = "#3c3";
g.beginPath();
g.arc(50, 50, 40, 0, 2 * Math.PI);
g.fill();
ctx.drawImage(other, 130, 10);
ctx.fillStyle = ctx.createPattern(other, "repeat");
g.clearRect(0, 0, 100, 100);
ctx.fillRect(20, 130, 210, 110);
