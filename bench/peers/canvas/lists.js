// The lists of operations, for the guest and for Node alike: a function body that returns them.
// Each draws n shapes on a square surface. lists.go records the same for a context in Go; the
// tables show whether the pictures are alike.

function random(seed) {
  let s = seed >>> 0;
  return () => {
    s = (Math.imul(s, 1664525) + 1013904223) >>> 0;
    return s / 4294967296;
  };
}

// palette is 64 colours, every second one translucent.
const palette = [];
for (let i = 0, rnd = random(3); i < 64; i++) {
  const [r, g, b] = [rnd(), rnd(), rnd()].map((v) => Math.floor(v * 256));
  palette.push("#" + [r, g, b, i % 2 ? 160 : 255].map((v) => v.toString(16).padStart(2, "0")).join(""));
}

function mixed(ctx, size, n) {
  const rnd = random(1);
  ctx.font = '16px "Liberation Sans"';
  for (let i = 0; i < n; i++) {
    const x = rnd() * size, y = rnd() * size, s = size / 64 + (rnd() * size) / 8, c = palette[Math.floor(rnd() * 64)];
    switch (i % 8) {
      case 0:
        ctx.fillStyle = c;
        ctx.fillRect(x, y, s, s * 0.7);
        break;
      case 1:
        ctx.fillStyle = c;
        ctx.beginPath();
        ctx.arc(x, y, s / 2, 0, 2 * Math.PI);
        ctx.fill();
        break;
      case 2:
        ctx.strokeStyle = c;
        ctx.lineWidth = 1 + rnd() * 4;
        ctx.beginPath();
        ctx.moveTo(x, y);
        ctx.lineTo(x + s, y - s);
        ctx.stroke();
        break;
      case 3:
        ctx.strokeStyle = c;
        ctx.lineWidth = 1 + rnd() * 4;
        ctx.beginPath();
        ctx.moveTo(x, y);
        ctx.bezierCurveTo(x + s, y, x, y + s, x + s, y + s);
        ctx.stroke();
        break;
      case 4: {
        const g = ctx.createLinearGradient(x, y, x + s, y + s);
        g.addColorStop(0, c);
        g.addColorStop(1, palette[i % 64]);
        ctx.fillStyle = g;
        ctx.fillRect(x, y, s, s);
        break;
      }
      case 5:
        ctx.fillStyle = c;
        ctx.beginPath();
        ctx.moveTo(x, y);
        ctx.lineTo(x + s, y + s / 3);
        ctx.lineTo(x + s / 4, y + s);
        ctx.closePath();
        ctx.fill();
        break;
      case 6:
        ctx.strokeStyle = c;
        ctx.lineWidth = 1 + rnd() * 4;
        ctx.strokeRect(x, y, s, s / 2);
        break;
      case 7:
        ctx.fillStyle = c;
        ctx.fillText("item " + i, x, y);
    }
  }
}

function rects(ctx, size, n) {
  const rnd = random(2);
  for (let i = 0; i < n; i++) {
    ctx.fillStyle = palette[i % 64];
    ctx.fillRect(rnd() * size, rnd() * size, 2 + rnd() * 40, 2 + rnd() * 40);
  }
}

function strings(ctx, size, n) {
  const rnd = random(3);
  ctx.font = '14px "Liberation Sans"';
  for (let i = 0; i < n; i++) {
    ctx.fillStyle = palette[i % 64];
    ctx.fillText("A line of text, " + (1000 + i), rnd() * size * 0.8, rnd() * size);
  }
}

function strokes(ctx, size, n) {
  const rnd = random(4);
  ctx.lineJoin = ctx.lineCap = "round";
  for (let i = 0; i < n; i++) {
    ctx.strokeStyle = palette[i % 64];
    ctx.lineWidth = 1 + rnd() * 7;
    ctx.beginPath();
    for (let k = 0; k <= 20; k++) ctx.lineTo(rnd() * size, rnd() * size);
    ctx.stroke();
  }
}

return { mixed, rects, strings, strokes };
