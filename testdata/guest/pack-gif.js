import GIFEncoder, * as gif from "@nodetool-ai/sandbox-gif";
return [Object.keys(gif).sort(), GIFEncoder === gif.GIFEncoder]; //= [["GIFEncoder","applyPalette","default","nearestColor","nearestColorIndex","nearestColorIndexWithDistance","prequantize","quantize","snapColorsToPalette"],true]
---
// the same bytes as in Node
import { GIFEncoder, quantize, applyPalette } from "@nodetool-ai/sandbox-gif";
const w = 12, h = 10, g = GIFEncoder();
let palette;
for (let f = 0; f < 3; f++) {
  const rgba = new Uint8Array(w * h * 4);
  for (let i = 0; i < w * h; i++) rgba.set([i * 2, (i * 7 + f * 50) % 256, f * 80, 255], 4 * i);
  palette = quantize(rgba, 16);
  g.writeFrame(applyPalette(rgba, palette), w, h, { palette, delay: 120, repeat: 0 });
}
g.finish();
const bytes = g.bytes();
return [bytes.length, palette, bytes.reduce((sum, b, i) => (sum * 31 + b) % 4294967291, 7), String.fromCharCode(...bytes.slice(0, 6)), bytes.at(-1)]; //= [446,[[7,124,160],[21,172,160],[36,225,160],[52,24,160],[67,77,160],[83,133,160],[99,189,160],[112,236,160],[126,30,160],[143,90,160],[161,152,160],[177,208,160],[187,244,160],[199,28,160],[213,76,160],[229,133,160]],2398674002,"GIF89a",59]
---
import { quantize, nearestColor, nearestColorIndex, nearestColorIndexWithDistance, snapColorsToPalette, prequantize, applyPalette } from "@nodetool-ai/sandbox-gif";
const rgba = Uint8Array.from([255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 128, 250, 4, 6, 255]), palette = [[255, 0, 0], [0, 0, 255], [9, 9, 9]];
const alpha = quantize(rgba, 4, { format: "rgba4444", oneBitAlpha: true });
snapColorsToPalette(palette, [[10, 10, 10]], 5);
const rounded = rgba.slice();
prequantize(rounded, { roundRGB: 8 });
return [alpha, nearestColorIndex(palette, [250, 10, 10]), nearestColor(palette, [0, 10, 250]), nearestColorIndexWithDistance(palette, [0, 0, 250]), palette, Array.from(rounded), Array.from(applyPalette(rgba, palette))]; //= [[[0,0,255,255],[253,2,3,255],[0,255,0,255]],0,[0,0,255],[1,25],[[255,0,0],[0,0,255],[10,10,10]],[0,1,0,4,0,0,1,4,0,0,0,131,248,8,8,4],[0,2,1,0]]
