// What the scenes share. A function body over (blank), which makes a canvas of a size; it
// returns the object that scenes know as helpers. Nothing here or in a scene depends on time,
// chance or the machine.

// random gives numbers in [0, 1) that are the same everywhere.
function random(seed) {
  let s = seed >>> 0;
  return () => {
    s = (Math.imul(s, 1664525) + 1013904223) >>> 0;
    return s / 4294967296;
  };
}

// picture is a canvas of pixels that show what a resampler does: a smooth ground, a fine
// checkerboard, hard diagonals, and a translucent corner.
function picture(width, height) {
  const c = blank(width, height);
  const g = c.getContext("2d");
  const d = g.createImageData(width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = 4 * (y * width + x);
      const u = x / width, v = y / height;
      let r = 255 * u, gr = 255 * v, b = 128 + 100 * Math.sin(9 * (u + v)), a = 255;
      if (u < 0.5 && v >= 0.5 && (x + y) % 2 === 0) r = gr = b = 255;
      if (u >= 0.5 && v < 0.5 && Math.floor((x - y + 4096) / 3) % 2 === 0) r = 20, gr = 60, b = 20;
      if (u > 0.75 && v > 0.75) a = 255 * (1.75 - u - v / 1.2 + 0.1);
      d.data[i] = Math.round(r);
      d.data[i + 1] = Math.round(gr);
      d.data[i + 2] = Math.round(b);
      d.data[i + 3] = Math.round(Math.max(0, Math.min(255, a)));
    }
  }
  g.putImageData(d, 0, 0);
  return c;
}

// star adds a five-pointed star to a path.
function star(path, x, y, r) {
  for (let i = 0; i < 5; i++) {
    const a = -Math.PI / 2 + (i * 4 * Math.PI) / 5;
    path[i === 0 ? "moveTo" : "lineTo"](x + r * Math.cos(a), y + r * Math.sin(a));
  }
  path.closePath();
}

// backdrop is what compositing scenes draw on: colours and every alpha.
function backdrop(g, w, h) {
  const l = g.createLinearGradient(0, 0, w, 0);
  l.addColorStop(0, "rgba(255, 40, 0, 0)");
  l.addColorStop(0.4, "rgba(255, 180, 0, 0.6)");
  l.addColorStop(0.7, "rgba(0, 160, 90, 1)");
  l.addColorStop(1, "rgba(20, 40, 200, 1)");
  g.fillStyle = l;
  g.fillRect(0, 24, w, h - 80);
}

return { blank, random, picture, star, backdrop };
