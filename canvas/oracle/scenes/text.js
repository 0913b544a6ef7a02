// scenes: text-size-$ for 9 12 16 24 48
ctx.font = `${word}px "Liberation Sans"`;
const step = Number(word) * 1.25;
const lines = ["The quick brown fox", "jumps over the lazy", "dog 0123456789 &@%", "AVAToWaTypLT. fi fl", "(Größe) «naïve» Æther"];
for (let i = 0; i * step < h - step; i++) ctx.fillText(lines[i % lines.length], 6, (i + 1) * step);

// scene: text-align
ctx.font = '18px "Liberation Sans"';
ctx.fillStyle = "#c00";
ctx.fillRect(128, 0, 1, h);
ctx.fillStyle = "#000";
["start", "end", "left", "right", "center"].forEach((a, i) => {
  ctx.textAlign = a;
  ctx.direction = "ltr";
  ctx.fillText(a + " ltr", 128, 24 + i * 24);
  ctx.direction = "rtl";
  ctx.fillText(a + " rtl", 128, 146 + i * 24);
});

// scene: text-baseline
ctx.font = '20px "Liberation Sans"';
["top", "hanging", "middle", "alphabetic", "ideographic", "bottom"].forEach((b, i) => {
  ctx.textBaseline = b;
  const y = 25 + i * 40;
  ctx.fillStyle = "#09c";
  ctx.fillRect(0, y, w, 1);
  ctx.fillStyle = "#000";
  ctx.fillText("Ágjx " + b, 8, y);
});

// scene: text-max-width
ctx.font = '24px "Liberation Sans"';
[300, 200, 150, 100, 50, 10].forEach((m, i) => {
  ctx.fillStyle = "#ddd";
  ctx.fillRect(10, 12 + i * 40, m, 32);
  ctx.fillStyle = "#000";
  ctx.fillText("Condensed to a width", 10, 36 + i * 40, m);
});
ctx.fillText("nothing", 10, 20, 0);

// scene: text-spacing
ctx.font = '18px "Liberation Sans"';
["0px", "3px", "-1.5px", "0.25em"].forEach((s, i) => {
  ctx.letterSpacing = s;
  ctx.fillText("letter spacing " + s, 8, 26 + i * 26);
});
ctx.letterSpacing = "0px";
["0px", "10px", "-3px"].forEach((s, i) => {
  ctx.wordSpacing = s;
  ctx.fillText("words far apart " + s, 8, 140 + i * 26);
});
ctx.letterSpacing = "4px";
ctx.wordSpacing = "0px";
ctx.textAlign = "center";
ctx.fillText("in the centre", 128, 240);

// scene: text-turned
ctx.font = '17px "Liberation Sans"';
ctx.translate(128, 128);
for (let i = 0; i < 10; i++) {
  ctx.rotate(Math.PI / 5);
  ctx.fillStyle = `hsl(${i * 36}, 70%, 35%)`;
  ctx.fillText("turned text", 30, 0);
}

// scene: text-outlined
ctx.lineJoin = "round";
ctx.font = 'bold 70px "Liberation Sans"';
ctx.lineWidth = 6;
ctx.strokeStyle = "#024";
ctx.strokeText("Stroke", 10, 80);
ctx.fillStyle = "#fb0";
ctx.fillText("Stroke", 10, 80);
ctx.font = 'italic 40px "Liberation Serif"';
ctx.lineWidth = 1;
ctx.strokeText("thin outline", 14, 140);
ctx.lineWidth = 3;
ctx.setLineDash([6, 3]);
ctx.font = '80px "Liberation Sans"';
ctx.strokeText("dash", 20, 230);

// scene: text-faces
const faces = ['"Liberation Sans"', '"Liberation Serif"', '"Liberation Mono"'];
faces.forEach((f, i) => {
  ["", "bold ", "italic ", "italic bold "].forEach((s, j) => {
    ctx.font = `${s}17px ${f}`;
    ctx.fillText("Grafik 12½ €", 6 + (j % 2) * 126, 24 + i * 84 + Math.floor(j / 2) * 28);
  });
});

// scene: text-large
ctx.font = '220px "Liberation Serif"';
const g = ctx.createLinearGradient(0, 0, 0, 256);
g.addColorStop(0, "#06f");
g.addColorStop(1, "#f06");
ctx.fillStyle = g;
ctx.fillText("Rg", -10, 190);

// scene: text-scaled
ctx.font = '10px "Liberation Sans"';
ctx.save();
ctx.scale(4, 4);
ctx.fillText("four times", 2, 14);
ctx.restore();
ctx.save();
ctx.scale(3, 1.5);
ctx.fillText("wide and low", 4, 66);
ctx.restore();
ctx.save();
ctx.transform(2, 0, -0.8, 2, 90, 100);
ctx.fillText("slanted by a matrix", 0, 20);
ctx.restore();
ctx.translate(250, 200);
ctx.scale(-2, 2);
ctx.fillText("in the mirror", 0, 0);
ctx.fillText("Ångström", 0, 20);

// scene: text-between-pixels
ctx.font = '13px "Liberation Sans"';
for (let i = 0; i < 16; i++) ctx.fillText("Position by quarters illi", 8 + i / 8, 16 + i * 15 + i / 16);

// scene: text-shadowed
ctx.font = 'bold 44px "Liberation Sans"';
ctx.shadowColor = "rgba(0, 0, 0, 0.7)";
ctx.shadowBlur = 6;
ctx.shadowOffsetX = 4;
ctx.shadowOffsetY = 5;
ctx.fillStyle = "#5a2";
ctx.fillText("Shadow", 20, 70);
ctx.font = '24px "Liberation Serif"';
ctx.shadowBlur = 0;
ctx.fillText("Shadow", 30, 130);

// scene: text-clipped
ctx.font = 'bold 44px "Liberation Sans"';
ctx.beginPath();
ctx.arc(128, 128, 110, 0, 2 * Math.PI);
ctx.clip();
ctx.fillStyle = "#eee";
ctx.fillRect(0, 0, w, h);
ctx.globalAlpha = 0.6;
ctx.fillStyle = "#a25";
for (let i = 0; i < 6; i++) ctx.fillText("clipped away", 10, 60 + i * 34);

// scene: text-kerning-and-capitals
ctx.font = '26px "Liberation Serif"';
ctx.fillText("AVATAR To Wa. LTY", 6, 36);
ctx.fontKerning = "none";
ctx.fillText("AVATAR To Wa. LTY", 6, 76);
ctx.fontKerning = "auto";
ctx.fontVariantCaps = "small-caps";
ctx.fillText("Small Capitals", 6, 116);
ctx.fontVariantCaps = "normal";
ctx.fillText("first\tline\nnot second", 6, 156);
ctx.textRendering = "geometricPrecision";
ctx.font = '15.5px "Liberation Sans"';
ctx.fillText("geometric precision at 15.5 px", 6, 196);
ctx.textRendering = "optimizeLegibility";
ctx.fillText("office waffle affluent", 6, 226);

// scene: text-tones
for (let i = 0; i < 12; i++) {
  const l = Math.min(36 * i, 255);
  ctx.fillStyle = i < 8 ? `rgb(${l}, ${l}, ${l})` : ["#f00", "#0f0", "#00f", "rgba(255, 255, 255, 0.5)"][i - 8];
  ctx.font = `${9 + i / 2}px Liberation Serif`;
  ctx.fillText("Light is bold, dark is thin", 5 + 0.2 * i, 18 + 20.3 * i);
}
