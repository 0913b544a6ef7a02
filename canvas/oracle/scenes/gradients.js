// scene: gradients-linear
const g = ctx.createLinearGradient(20, 20, 236, 200);
["#f00", "#ff0", "#0f0", "#0ff", "#00f", "#f0f"].forEach((c, i) => g.addColorStop(i / 5, c));
ctx.fillStyle = g;
ctx.fillRect(0, 0, w, h);

// scene: gradients-linear-translucent
const g = ctx.createLinearGradient(0, 0, 256, 0);
g.addColorStop(0, "rgba(255, 0, 0, 1)");
g.addColorStop(0.5, "rgba(0, 0, 255, 0)");
g.addColorStop(1, "rgba(0, 255, 0, 1)");
ctx.fillStyle = g;
ctx.fillRect(0, 0, w, 128);
ctx.fillStyle = "#ccc";
ctx.fillRect(0, 128, w, 128);
ctx.globalAlpha = 0.7;
ctx.fillStyle = g;
ctx.fillRect(0, 150, w, 80);

// scene: gradients-hard-stops
const g = ctx.createLinearGradient(30, 0, 226, 60);
g.addColorStop(0.2, "#111");
g.addColorStop(0.2, "#e22");
g.addColorStop(0.5, "#e22");
g.addColorStop(0.5, "#2e2");
g.addColorStop(0.5, "#22e");
g.addColorStop(0.8, "#fff");
ctx.fillStyle = g;
ctx.fillRect(0, 0, w, h);

// scene: gradients-radial
const g = ctx.createRadialGradient(128, 128, 10, 128, 128, 110);
g.addColorStop(0, "#fff");
g.addColorStop(0.3, "#fc0");
g.addColorStop(0.6, "rgba(200, 0, 80, 0.8)");
g.addColorStop(1, "rgba(0, 0, 60, 0.3)");
ctx.fillStyle = g;
ctx.fillRect(0, 0, w, h);

// scene: gradients-radial-focus
const g = ctx.createRadialGradient(90, 80, 0, 128, 128, 110);
g.addColorStop(0, "#fff");
g.addColorStop(1, "#036");
ctx.fillStyle = g;
ctx.beginPath();
ctx.arc(128, 128, 120, 0, 2 * Math.PI);
ctx.fill();

// scene: gradients-cone
const g = ctx.createRadialGradient(60, 128, 12, 180, 128, 50);
g.addColorStop(0, "#f60");
g.addColorStop(0.5, "rgba(255, 255, 0, 0.5)");
g.addColorStop(1, "#06f");
ctx.fillStyle = g;
ctx.fillRect(0, 0, w, h);

// scene: gradients-cone-shrinking
const g = ctx.createRadialGradient(60, 90, 60, 190, 170, 8);
g.addColorStop(0, "#000");
g.addColorStop(1, "#8f8");
ctx.fillStyle = g;
ctx.fillRect(0, 0, w, h);

// scene: gradients-cylinder
const g = ctx.createRadialGradient(60, 60, 40, 180, 200, 40);
g.addColorStop(0, "#a00");
g.addColorStop(0.5, "#fff");
g.addColorStop(1, "#00a");
ctx.fillStyle = g;
ctx.fillRect(0, 0, w, h);

// scene: gradients-conic
const g = ctx.createConicGradient(0.5, 120, 130);
["#f00", "#ff0", "#0f0", "#0ff", "#00f", "#f0f", "#f00"].forEach((c, i) => g.addColorStop(i / 6, c));
ctx.fillStyle = g;
ctx.fillRect(0, 0, w, h);

// scene: gradients-conic-translucent
const g = ctx.createConicGradient(-Math.PI / 2, 128, 128);
g.addColorStop(0.1, "rgba(0, 0, 0, 0)");
g.addColorStop(0.5, "#08f");
g.addColorStop(0.5, "#f80");
g.addColorStop(0.9, "rgba(255, 255, 255, 0.4)");
ctx.fillStyle = g;
ctx.beginPath();
ctx.arc(128, 128, 110, 0, 2 * Math.PI);
ctx.arc(128, 128, 50, 0, 2 * Math.PI, true);
ctx.fill();

// scene: gradients-transformed
const l = ctx.createLinearGradient(0, 0, 50, 0);
l.addColorStop(0, "#e00");
l.addColorStop(1, "#00e");
const r = ctx.createRadialGradient(25, 25, 5, 25, 25, 30);
r.addColorStop(0, "#ff8");
r.addColorStop(1, "#084");
const c = ctx.createConicGradient(0, 25, 25);
c.addColorStop(0, "#000");
c.addColorStop(1, "#fff");
[l, r, c].forEach((g, i) => {
  ctx.fillStyle = g;
  ctx.setTransform(1.4, 0.3, -0.4, 1.1, 30 + i * 76, 10);
  ctx.fillRect(0, 0, 50, 50);
  ctx.setTransform(1, 0, 0, 2, 8 + i * 84, 130);
  ctx.fillRect(5, 5, 60, 50);
});

// scene: gradients-stroked
const g = ctx.createLinearGradient(0, 0, 256, 256);
g.addColorStop(0, "#0a5");
g.addColorStop(0.5, "#fa0");
g.addColorStop(1, "#a05");
ctx.strokeStyle = g;
ctx.lineWidth = 18;
ctx.lineJoin = "round";
ctx.beginPath();
helpers.star(ctx, 128, 134, 105);
ctx.stroke();

// scene: gradients-that-paint-nothing
ctx.fillStyle = "#9c9";
ctx.fillRect(0, 0, w, h);
const none = ctx.createLinearGradient(0, 0, 100, 0);
const same = ctx.createLinearGradient(40, 40, 40, 40);
same.addColorStop(0, "#f00");
const circles = ctx.createRadialGradient(40, 40, 20, 40, 40, 20);
circles.addColorStop(0, "#f00");
const one = ctx.createLinearGradient(0, 0, 100, 0);
one.addColorStop(0.5, "rgba(0, 0, 200, 0.5)");
[none, same, circles, one].forEach((g, i) => {
  ctx.fillStyle = g;
  ctx.fillRect(10 + i * 60, 20, 50, 200);
});
