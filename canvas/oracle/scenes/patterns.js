// scenes: patterns-$ for repeat repeat-x repeat-y no-repeat
const tile = helpers.picture(48, 40);
ctx.fillStyle = ctx.createPattern(tile, word);
ctx.beginPath();
ctx.arc(128, 128, 120, 0, 2 * Math.PI);
ctx.fill();
ctx.translate(20, 30);
ctx.fillRect(0, 0, 90, 60);

// scene: patterns-turned
ctx.fillStyle = ctx.createPattern(helpers.picture(32, 32), "repeat");
ctx.translate(40, 20);
ctx.rotate(0.4);
ctx.scale(1.7, 1.2);
ctx.fillRect(0, 0, 110, 130);

// scene: patterns-of-squares
ctx.fillStyle = ctx.createPattern(helpers.picture(32, 32), "repeat");
ctx.imageSmoothingEnabled = false;
ctx.translate(10, 20);
ctx.scale(2.37, 2.37);
ctx.fillRect(0, 0, 96, 90);

// scene: patterns-with-a-matrix
const p = ctx.createPattern(helpers.picture(40, 40), "repeat");
ctx.save();
ctx.translate(30, 10);
ctx.rotate(-0.5);
ctx.scale(0.5, 0.8);
const m = ctx.getTransform();
ctx.restore();
p.setTransform(m);
ctx.fillStyle = p;
ctx.fillRect(10, 10, 236, 150);
ctx.strokeStyle = p;
ctx.lineWidth = 30;
ctx.beginPath();
ctx.moveTo(20, 230);
ctx.bezierCurveTo(80, 140, 180, 280, 240, 200);
ctx.stroke();
