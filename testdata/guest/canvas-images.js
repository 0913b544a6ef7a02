// images: drawImage
import { check, report, at, whole, cells, fill, error, surface, broken, near } from "checks";
// quarters is red and lime above blue and white.
const quarters = (n = 20) => surface(2 * n, 2 * n, (d) => { fill(d, "red"); d.fillStyle = "lime"; d.fillRect(n, 0, n, n); d.fillStyle = "blue"; d.fillRect(0, n, n, n); d.fillStyle = "white"; d.fillRect(n, n, n, n); });
check("drawImage draws at a place", (c) => { c.drawImage(quarters(), 10, 10); return cells(c); }, "........../.RRGG...../.RRGG...../.BBWW...../.BBWW.....");
check("drawImage draws to a size", (c) => { c.imageSmoothingEnabled = false; c.drawImage(quarters(), 0, 0, 100, 20); return cells(c); }, "RRRRRGGGGG/BBBBBWWWWW/........../........../..........");
check("drawImage draws a part", (c) => { c.drawImage(quarters(), 20, 0, 20, 20, 30, 10, 20, 20); return cells(c); }, "........../...GG...../...GG...../........../..........");
check("drawImage enlarges a part", (c) => { c.imageSmoothingEnabled = false; c.drawImage(quarters(), 10, 10, 20, 20, 0, 0, 100, 50); return cells(c, 25); }, "RRGG/BBWW");
check("drawImage of a part mixes in what is beside it, as when all is drawn", (c) => { c.drawImage(quarters(2), 0, 0, 2, 4, 0, 0, 50, 50); const part = at(c, 48, 5).rgba; c.drawImage(quarters(2), 0, 0, 100, 50); return [part[1] > 40, at(c, 48, 5).is(part, 3)]; }, [true, true]);
check("drawImage to a negative size draws to the other side", (c) => { c.drawImage(quarters(), 50, 45, -40, -40); return [at(c, 15, 10), at(c, 45, 10), at(c, 15, 40), at(c, 45, 40)]; }, ["red", "lime", "blue", "white"]);
check("drawImage takes a part with negative sizes", (c) => { c.drawImage(quarters(), 40, 20, -20, -20, 30, 10, 20, 20); return cells(c); }, "........../...GG...../...GG...../........../..........");
check("drawImage clips a part that goes beyond its source", (c) => { c.imageSmoothingEnabled = false; c.drawImage(quarters(), -40, 0, 80, 40, 0, 0, 80, 40); return cells(c); }, "....RRGG../....RRGG../....BBWW../....BBWW../..........");
check("drawImage of a part outside of its source draws nothing", (c) => { c.drawImage(quarters(), 100, 0, 20, 20, 0, 0, 100, 50); return whole(c); }, "none");
check("drawImage of a part without size draws nothing", (c) => { c.drawImage(quarters(), 10, 10, 0, 10, 0, 0, 100, 50); c.drawImage(quarters(), 10, 10, 10, 0, 0, 0, 100, 50); return whole(c); }, "none");
check("drawImage to a size of zero draws nothing", (c) => { c.drawImage(quarters(), 10, 10, 0, 40); return whole(c); }, "none");
check("drawImage of a surface without pixels is refused", (c) => { const s = createCanvas(10, 10); s.height = 0; return error(() => c.drawImage(s, 0, 0)); }, "InvalidStateError");
check("drawImage leaves out what is not finite", (c) => { const s = quarters(); for (const a of [...broken(0, 0), ...broken(0, 0, 100, 50), ...broken(0, 0, 40, 40, 0, 0, 100, 50)]) c.drawImage(s, ...a); return whole(c); }, "none");
check("drawImage takes three, five or nine arguments", (c) => { const s = quarters(); return [2, 4, 6, 7, 8].map((n) => error(() => c.drawImage(s, ...Array(n - 1).fill(1)))); }, Array(5).fill("TypeError"));
check("drawImage leaves out arguments that are too many", (c) => { c.drawImage(quarters(), 0, 0, 40, 40, 0, 0, 40, 40, 99); return at(c, 5, 5); }, "red");
check("drawImage refuses what is no image", (c) => [null, undefined, 0, "", {}, [], c].map((v) => error(() => c.drawImage(v, 0, 0))), Array(7).fill("TypeError"));
check("drawImage is under the matrix", (c) => { c.translate(50, 0); c.scale(0.5, 0.5); c.drawImage(quarters(), 0, 0); return cells(c); }, ".....RG.../.....BW.../........../........../..........");
check("drawImage turns pictures", (c) => { c.translate(40, 0); c.rotate(Math.PI / 2); c.drawImage(quarters(), 0, 0); return cells(c); }, "BBRR....../BBRR....../WWGG....../WWGG....../..........");
check("drawImage mirrors pictures", (c) => { c.translate(40, 0); c.scale(-1, 1); c.drawImage(quarters(), 0, 0); return cells(c); }, "GGRR....../GGRR....../WWBB....../WWBB....../..........");
check("drawImage leaves the path as it is", (c) => { c.rect(0, 0, 50, 50); c.drawImage(quarters(), 60, 0); c.fill(); return at(c, 25, 25); }, "black");
check("drawImage is clipped", (c) => { c.rect(0, 0, 20, 50); c.clip(); c.drawImage(quarters(), 0, 0); return cells(c); }, "RR......../RR......../BB......../BB......../..........");
check("drawImage takes what is drawn on a surface at that time", (c) => { const s = quarters(); c.drawImage(s, 0, 0); fill(s.getContext("2d"), "black"); c.drawImage(s, 60, 0); return cells(c).slice(0, 10); }, "RRGG..KKKK");
check("drawImage draws a surface onto itself", (c) => { c.fillStyle = "lime"; c.fillRect(0, 0, 20, 50); c.drawImage(c.canvas, 50, 0); return cells(c); }, "GG...GG...");
check("drawImage of a surface onto itself reads before it writes", (c) => { c.fillStyle = "lime"; c.fillRect(0, 0, 10, 50); c.drawImage(c.canvas, 10, 0); return cells(c); }, "GG........");
check("drawImage of a surface onto itself takes a part", (c) => { c.fillStyle = "lime"; c.fillRect(0, 0, 10, 10); c.imageSmoothingEnabled = false; c.drawImage(c.canvas, 0, 0, 10, 10, 50, 0, 50, 50); return cells(c); }, "G....GGGGG/.....GGGGG/.....GGGGG/.....GGGGG/.....GGGGG");
check("drawImage keeps the alpha of pictures", (c) => { c.drawImage(surface(100, 50, (d) => fill(d, "rgba(0,255,0,0.5)")), 0, 0); return at(c, 50, 25); }, [0, 255, 0, 128]);
check("drawImage does not use fillStyle", (c) => { c.fillStyle = "red"; c.drawImage(surface(100, 50, (d) => fill(d, "lime")), 0, 0); return whole(c); }, "lime");
check("drawImage converts its numbers", (c) => { c.drawImage(quarters(), "10", [10]); return at(c, 15, 15); }, "red");
return report(); //= {"checks":28,"failed":[]}
---
// images: smoothing
import { check, report, at, whole, cells, fill, surface, near } from "checks";
const two = () => surface(2, 1, (d) => { fill(d, "black"); d.fillStyle = "white"; d.fillRect(1, 0, 1, 1); });
check("imageSmoothingEnabled is true at first, its quality low", (c) => [c.imageSmoothingEnabled, c.imageSmoothingQuality], [true, "low"]);
check("imageSmoothingEnabled is a boolean", (c) => [0, 1, "", "no", null, {}].map((v) => { c.imageSmoothingEnabled = v; return c.imageSmoothingEnabled; }), [false, true, false, true, false, true]);
check("imageSmoothingQuality takes its three words", (c) => ["medium", "high", "low"].map((v) => { c.imageSmoothingQuality = v; return c.imageSmoothingQuality; }), ["medium", "high", "low"]);
check("imageSmoothingQuality leaves out others", (c) => ["best", "HIGH", "", "high ", null].map((v) => { c.imageSmoothingQuality = "medium"; c.imageSmoothingQuality = v; return c.imageSmoothingQuality; }), Array(5).fill("medium"));
check("save and restore hold smoothing", (c) => { c.imageSmoothingEnabled = false; c.imageSmoothingQuality = "high"; c.save(); c.imageSmoothingEnabled = true; c.imageSmoothingQuality = "low"; c.restore(); return [c.imageSmoothingEnabled, c.imageSmoothingQuality]; }, [false, "high"]);
check("without smoothing pixels are squares", (c) => { c.imageSmoothingEnabled = false; c.drawImage(two(), 0, 0, 100, 50); return [whole(c, 0, 0, 50, 50), whole(c, 50, 0, 50, 50)]; }, ["black", "white"]);
check("with smoothing pixels fade into each other", (c) => { c.drawImage(two(), 0, 0, 100, 50); const v = at(c, 50, 25).rgba[0]; return [v > 100 && v < 155, at(c, 10, 25).rgba[0] < 60, at(c, 90, 25).rgba[0] > 195]; }, [true, true, true]);
check("with smoothing the edges of an opaque picture stay opaque", (c) => { c.drawImage(surface(2, 2, (d) => fill(d, "lime")), 0, 0, 100, 50); return whole(c); }, "lime");
check("a picture that is made smaller takes the mean", (c) => { c.imageSmoothingQuality = "high"; c.drawImage(surface(100, 100, (d) => { fill(d, "black"); d.fillStyle = "white"; for (let x = 0; x < 100; x += 2) d.fillRect(x, 0, 1, 100); }), 0, 0, 10, 10); return at(c, 5, 5).rgba[0]; }, near(127, 20));
check("smoothing does not mix in the colour of clear pixels", (c) => { c.drawImage(surface(2, 1, (d) => { d.fillStyle = "lime"; d.fillRect(0, 0, 1, 1); }), 0, 0, 100, 50); const p = at(c, 50, 25).rgba; return [p[1] > 250, p[0] < 5, p[3] > 90 && p[3] < 165]; }, [true, true, true]);
check("without smoothing a picture of its own size is exact", (c) => { const s = surface(100, 50, (d) => { for (let i = 0; i < 100; i++) { d.fillStyle = `rgb(${i * 2},${i},${255 - i})`; d.fillRect(i, 0, 1, 50); } }); c.drawImage(s, 0, 0); return [0, 37, 99].map((x) => at(c, x, 20)); }, [[0, 0, 255, 255], [74, 37, 218, 255], [198, 99, 156, 255]]);
check("patterns follow imageSmoothingEnabled", (c) => { c.imageSmoothingEnabled = false; c.fillStyle = c.createPattern(two(), "repeat"); c.scale(50, 50); c.fillRect(0, 0, 2, 1); return [whole(c, 0, 0, 50, 50), whole(c, 50, 0, 50, 50)]; }, ["black", "white"]);
return report(); //= {"checks":12,"failed":[]}
---
// images: filters
import { check, report, at, whole, cells, fill, surface, near } from "checks";
const filtered = (c, filter, colour) => { c.clearRect(0, 0, 100, 50); c.filter = filter; c.fillStyle = colour; c.fillRect(-50, -50, 200, 150); return at(c, 50, 25); };
check("filter is none at first", (c) => c.filter, "none");
check("filter reads back what was set", (c) => ["blur(5px)", "none", "brightness(50%) contrast(2)"].map((v) => { c.filter = v; return c.filter; }), ["blur(5px)", "none", "brightness(50%) contrast(2)"]);
check("filter leaves out what it cannot read", (c) => ["blur", "blur(-1px)", "blur(5)", "nonsense(1)", "brightness(-1)", "hue-rotate(90)", "opacity(1) x", null].map((v) => { c.filter = "sepia(1)"; c.filter = v; return c.filter; }), Array(8).fill("sepia(1)"));
check("filter with an empty text", (c) => { c.filter = "sepia(1)"; c.filter = ""; return c.filter; }, "sepia(1)");
check("save and restore hold the filter", (c) => { c.filter = "sepia(1)"; c.save(); c.filter = "none"; c.restore(); return c.filter; }, "sepia(1)");
check("invert", (c) => [filtered(c, "invert(1)", "red"), filtered(c, "invert(100%)", "#204060"), filtered(c, "invert(0)", "red"), filtered(c, "invert()", "red")], ["cyan", [223, 191, 159, 255], "red", "cyan"]);
check("grayscale", (c) => [filtered(c, "grayscale(1)", "lime"), filtered(c, "grayscale(0)", "lime"), filtered(c, "grayscale(50%)", "lime"), filtered(c, "grayscale(5)", "lime")], [[182, 182, 182, 255], "lime", [91, 219, 91, 255], [182, 182, 182, 255]]);
check("sepia", (c) => [filtered(c, "sepia(1)", "red"), filtered(c, "sepia(0)", "red"), filtered(c, "sepia(100%)", "white")], [[100, 89, 69, 255], "red", [255, 255, 239, 255]]);
check("saturate", (c) => [filtered(c, "saturate(0)", "red"), filtered(c, "saturate(1)", "red"), filtered(c, "saturate(2)", "#806040")], [[54, 54, 54, 255], "red", [154, 90, 26, 255]]);
check("hue-rotate", (c) => [filtered(c, "hue-rotate(180deg)", "red"), filtered(c, "hue-rotate(0)", "red"), filtered(c, "hue-rotate(360deg)", "#123456"), filtered(c, "hue-rotate(0.5turn)", "red")], [[0, 109, 109, 255], "red", [18, 52, 86, 255], [0, 109, 109, 255]]);
check("brightness", (c) => [filtered(c, "brightness(0.5)", "#8040c0"), filtered(c, "brightness(200%)", "#404080"), filtered(c, "brightness(0)", "white")], [[64, 32, 96, 255], [128, 128, 255, 255], "black"]);
check("contrast", (c) => [filtered(c, "contrast(0)", "red"), filtered(c, "contrast(2)", "#6080a0"), filtered(c, "contrast(1)", "red")], [[128, 128, 128, 255], [65, 129, 193, 255], "red"]);
check("opacity", (c) => [filtered(c, "opacity(0.5)", "red"), filtered(c, "opacity(0)", "red"), filtered(c, "opacity(200%)", "red")], [[255, 0, 0, 128], "none", "red"]);
check("filters of a list work one after the other", (c) => [filtered(c, "brightness(0) invert(1)", "red"), filtered(c, "invert(1) brightness(0)", "red")], ["white", "black"]);
check("filters work on colours without their alpha", (c) => { c.filter = "invert(1)"; c.fillStyle = "rgba(255,0,0,0.5)"; c.fillRect(0, 0, 100, 50); return at(c, 50, 25); }, [0, 255, 255, 128]);
check("filters leave what is not drawn", (c) => { c.filter = "invert(1)"; c.fillStyle = "red"; c.fillRect(0, 0, 50, 50); return cells(c); }, "CCCCC.....");
check("blur is a Gaussian of that standard deviation", (c) => { c.filter = "blur(10px)"; c.fillRect(-200, -200, 250, 500); return [at(c, 40, 25), at(c, 50, 25), at(c, 59, 25)].map((p) => p.rgba[3]); }, [near(210, 12), near(124, 8), near(47, 12)]);
check("blur of nothing is sharp", (c) => { c.filter = "blur(0)"; c.fillRect(0, 0, 50, 50); return cells(c); }, "KKKKK.....");
check("drop-shadow draws a shadow", (c) => { c.filter = "drop-shadow(50px 0 0 lime)"; c.fillStyle = "red"; c.fillRect(0, 0, 50, 50); return cells(c); }, "RRRRRGGGGG");
check("drop-shadow takes its colour first", (c) => { c.filter = "drop-shadow(lime 50px 0)"; c.fillStyle = "red"; c.fillRect(0, 0, 50, 50); return cells(c); }, "RRRRRGGGGG");
check("drop-shadow without a colour is black", (c) => { c.filter = "drop-shadow(50px 0)"; c.fillStyle = "red"; c.fillRect(0, 0, 50, 50); return cells(c); }, "RRRRRKKKKK");
check("filters work on images", (c) => { c.filter = "invert(1)"; c.drawImage(surface(50, 50, (d) => fill(d, "red")), 0, 0); return cells(c); }, "CCCCC.....");
check("filters work on strokes", (c) => { c.filter = "invert(1)"; c.strokeStyle = "red"; c.lineWidth = 50; c.strokeRect(0, 25, 50, 0); return at(c, 25, 25); }, "cyan");
check("filters do not work on putImageData and clearRect", (c) => { const d = c.createImageData(50, 50); d.data.fill(255); c.filter = "invert(1)"; c.putImageData(d, 0, 0); c.clearRect(0, 0, 20, 50); return cells(c); }, "..WWW.....");
check("a filter comes before the shadow", (c) => { c.filter = "invert(1)"; c.shadowColor = "lime"; c.shadowOffsetX = 50; c.fillStyle = "red"; c.fillRect(0, 0, 50, 50); return cells(c); }, "CCCCCGGGGG");
check("a filter with globalAlpha", (c) => { c.filter = "invert(1)"; c.globalAlpha = 0.5; c.fillStyle = "red"; c.fillRect(0, 0, 100, 50); return at(c, 50, 25); }, [0, 255, 255, 128]);
check("globalAlpha thins what a filter has made, shape and shadow together", (c) => { c.globalAlpha = 0.5; c.filter = "drop-shadow(20px 0 0 lime)"; c.fillStyle = "red"; c.fillRect(0, 0, 50, 50); return [at(c, 10, 25), at(c, 40, 25), at(c, 60, 25)]; }, [[255, 0, 0, 128], [255, 0, 0, 128], [0, 255, 0, 128]]);
check("a filter stays in the clip", (c) => { c.rect(0, 0, 50, 50); c.clip(); c.filter = "blur(10px)"; c.fillRect(0, 0, 100, 50); return at(c, 55, 25); }, "none");
return report(); //= {"checks":28,"failed":[]}
