// gradients: stops and arguments
import { check, report, at, whole, cells, error, broken, near } from "checks";
const across = (c, ...stops) => { const g = c.createLinearGradient(0, 0, 100, 0); for (const s of stops) g.addColorStop(...s); c.fillStyle = g; c.fillRect(0, 0, 100, 50); };
check("createLinearGradient gives a CanvasGradient", (c) => [String(c.createLinearGradient(0, 0, 1, 1)), c.createRadialGradient(0, 0, 1, 0, 0, 2) instanceof CanvasGradient, c.createConicGradient(0, 0, 0) instanceof CanvasGradient], ["[object CanvasGradient]", true, true]);
check("addColorStop refuses offsets outside 0 and 1", (c) => { const g = c.createLinearGradient(0, 0, 1, 1); return [-1, 2, -0.001, 1.001].map((o) => error(() => g.addColorStop(o, "#000"))); }, Array(4).fill("IndexSizeError"));
check("addColorStop refuses offsets that are not finite", (c) => { const g = c.createLinearGradient(0, 0, 1, 1); return [Infinity, -Infinity, NaN].map((o) => error(() => g.addColorStop(o, "#000"))); }, Array(3).fill("TypeError"));
check("addColorStop refuses what is no colour", (c) => { const g = c.createLinearGradient(0, 0, 1, 1); return ["", "nonsense", "rgb(NaN%, NaN%, NaN%)", null, undefined].map((o) => error(() => g.addColorStop(0, o))); }, Array(5).fill("SyntaxError"));
check("addColorStop needs both arguments", (c) => { const g = c.createLinearGradient(0, 0, 1, 1); return [error(() => g.addColorStop()), error(() => g.addColorStop(0))]; }, ["TypeError", "TypeError"]);
check("createLinearGradient refuses what is not finite", (c) => broken(0, 0, 1, 1).filter((a) => error(() => c.createLinearGradient(...a)) !== "TypeError"), []);
check("createRadialGradient refuses what is not finite", (c) => broken(0, 0, 1, 0, 0, 2).filter((a) => error(() => c.createRadialGradient(...a)) !== "TypeError"), []);
check("createConicGradient refuses what is not finite", (c) => broken(0, 0, 0).filter((a) => error(() => c.createConicGradient(...a)) !== "TypeError"), []);
check("createRadialGradient refuses negative radii", (c) => [error(() => c.createRadialGradient(0, 0, -0.1, 0, 0, 1)), error(() => c.createRadialGradient(0, 0, 1, 0, 0, -0.1)), error(() => c.createRadialGradient(0, 0, -1, 0, 0, -1))], Array(3).fill("IndexSizeError"));
check("creating gradients needs all numbers", (c) => [error(() => c.createLinearGradient(0, 0, 1)), error(() => c.createRadialGradient(0, 0, 1, 0, 0)), error(() => c.createConicGradient(0, 0))], Array(3).fill("TypeError"));
check("a gradient without stops paints nothing", (c) => { across(c); return whole(c); }, "none");
check("a gradient with one stop is that colour", (c) => { across(c, [0.5, "lime"]); return whole(c); }, "lime");
check("a gradient between equal colours is that colour", (c) => { across(c, [0, "lime"], [1, "lime"]); return whole(c); }, "lime");
check("a gradient changes evenly", (c) => { across(c, [0, "#ff0"], [1, "#00f"]); return [at(c, 25, 25), at(c, 50, 25), at(c, 75, 25)]; }, [[190, 190, 65, 255], [126, 126, 129, 255], [62, 62, 193, 255]]);
check("a gradient goes through all its stops", (c) => { across(c, [0, "#ff0"], [0.5, "#0ff"], [1, "#f0f"]); return [at(c, 25, 25), at(c, 50, 25), at(c, 75, 25)]; }, [[126, 255, 129, 255], [2, 253, 255, 255], [129, 126, 255, 255]]);
check("a gradient mixes alpha and colours apart", (c) => { across(c, [0, "rgba(255,255,0,0)"], [1, "rgba(0,0,255,1)"]); return [at(c, 25, 25), at(c, 50, 25), at(c, 75, 25)].map((p) => p.is([[190, 190, 65, 65], [126, 126, 129, 129], [62, 62, 193, 193]].find((w) => Math.abs(w[3] - p.rgba[3]) < 9), 5)); }, [true, true, true]);
check("before the first stop and after the last their colours go on", (c) => { across(c, [0.3, "red"], [0.3, "lime"], [0.7, "lime"], [0.7, "blue"]); return cells(c); }, "RRRGGGGBBB");
check("of stops at one place the first counts before it, the last after it", (c) => { across(c, [0, "lime"], [0.5, "lime"], [0.5, "red"], [0.5, "yellow"], [0.5, "blue"], [1, "blue"]); return cells(c); }, "GGGGGBBBBB");
check("stops are sorted by their places", (c) => { across(c, [1, "blue"], [0.5, "blue"], [0.5, "lime"], [0, "lime"]); return [at(c, 49, 5), at(c, 50, 5)]; }, [[0, 3, 252, 255], [0, 252, 3, 255]]);
check("stops at one place keep their order though others come between", (c) => { across(c, [0.5, "lime"], [0, "lime"], [1, "blue"], [0.5, "blue"]); return cells(c); }, "GGGGGBBBBB");
check("stops that are added later count", (c) => { const g = c.createLinearGradient(0, 0, 100, 0); c.fillStyle = g; g.addColorStop(0, "lime"); c.fillRect(0, 0, 50, 50); g.addColorStop(0, "red"); g.addColorStop(1, "red"); c.fillRect(50, 0, 50, 50); return cells(c); }, "GGGGGRRRRR");
check("of many stops at one place only the first and the last count", (c) => { across(c, ...[0, 0.1, 0.25, 1 / 3, 0.5, 0.75, 1].flatMap((p) => [[p, "lime"], ...Array(15).fill([p, "red"]), [p, "lime"]])); return [at(c, 1, 25), at(c, 30, 25), at(c, 40, 25), at(c, 60, 25), at(c, 80, 25)]; }, Array(5).fill("lime"));
check("a gradient between stops that lie close together is sharp", (c) => { across(c, [0, "lime"], [0.499, "lime"], [0.501, "blue"], [1, "blue"]); return cells(c); }, "GGGGGBBBBB");
check("a gradient over what is there mixes with it", (c) => { c.fillStyle = "#ff0"; c.fillRect(0, 0, 100, 50); across(c, [0, "rgba(0,0,255,0)"], [1, "rgba(0,0,255,1)"]); return [at(c, 25, 25).is([190, 190, 65, 255], 4), at(c, 75, 25).is([62, 62, 193, 255], 4)]; }, [true, true]);
check("currentcolor in a gradient is black", (c) => { across(c, [0, "currentColor"], [1, "currentColor"]); return whole(c); }, "black");
check("addColorStop reads colours of all kinds", (c) => { across(c, [0, "hsl(120 100% 50%)"], [1, "#0f0f"]); return whole(c); }, "lime");
return report(); //= {"checks":26,"failed":[]}
---
// gradients: linear
import { check, report, at, whole, cells, fill } from "checks";
const two = (g) => { g.addColorStop(0, "lime"); g.addColorStop(0.5, "lime"); g.addColorStop(0.5, "blue"); g.addColorStop(1, "blue"); return g; };
check("a linear gradient runs along its line", (c) => { c.fillStyle = two(c.createLinearGradient(0, 0, 0, 40)); c.fillRect(0, 0, 100, 50); return cells(c); }, "GGGGGGGGGG/GGGGGGGGGG/BBBBBBBBBB/BBBBBBBBBB/BBBBBBBBBB");
check("a linear gradient is the same across its line", (c) => { c.fillStyle = two(c.createLinearGradient(20, 0, 40, 20)); c.fillRect(0, 0, 100, 50); return [at(c, 30, 5), at(c, 25, 10), at(c, 35, 10), at(c, 30, 14), at(c, 38, 0), at(c, 41, 3)]; }, ["lime", "lime", "blue", "blue", "lime", "blue"]);
check("a linear gradient between equal points paints nothing", (c) => { c.fillStyle = two(c.createLinearGradient(50, 25, 50, 25)); c.fillRect(0, 0, 100, 50); return whole(c); }, "none");
check("a linear gradient is in the space of the matrix when it is drawn", (c) => { c.fillStyle = two(c.createLinearGradient(0, 0, 20, 0)); c.translate(40, 0); c.scale(2, 1); c.fillRect(-20, 0, 50, 50); return cells(c); }, "GGGGGGBBBB");
check("a linear gradient does not follow the matrix when it was made", (c) => { c.translate(100, 0); const g = two(c.createLinearGradient(0, 0, 100, 0)); c.setTransform(1, 0, 0, 1, 0, 0); c.fillStyle = g; c.fillRect(0, 0, 100, 50); return cells(c); }, "GGGGGBBBBB");
check("a linear gradient under a shear is sheared", (c) => { c.transform(1, 0, 1, 1, 0, 0); c.fillStyle = two(c.createLinearGradient(0, 0, 60, 0)); c.fillRect(-50, 0, 150, 50); return [at(c, 30, 5), at(c, 45, 5), at(c, 65, 45), at(c, 85, 45)]; }, ["lime", "blue", "lime", "blue"]);
check("strokes take gradients", (c) => { c.strokeStyle = two(c.createLinearGradient(0, 0, 100, 0)); c.lineWidth = 50; c.strokeRect(0, 25, 100, 0); return cells(c); }, "GGGGGBBBBB");
check("a gradient between equal points paints nothing, whatever is drawn", (c) => { const g = c.createLinearGradient(50, 25, 50, 25); g.addColorStop(0, "red"); g.addColorStop(1, "red"); c.fillStyle = c.strokeStyle = g; c.font = "60px sans-serif"; c.rect(20, 20, 60, 10); c.fill(); c.stroke(); c.strokeRect(10, 10, 80, 30); c.fillText("AA", 0, 50); c.strokeText("AA", 0, 50); return whole(c); }, "none");
check("a gradient that was drawn is drawn right under another matrix", (c) => { c.fillStyle = two(c.createLinearGradient(0, 0, 100, 0)); c.fillRect(0, 0, 100, 50); c.translate(-20, 0); c.fillRect(0, 0, 120, 50); return cells(c); }, "GGGBBBBBBB");
check("a gradient survives a new size of the surface", (c) => { const g = two(c.createLinearGradient(0, 0, 100, 0)); c.canvas.width = 100; c.fillStyle = g; c.fillRect(0, 0, 100, 50); return cells(c); }, "GGGGGBBBBB");
check("one gradient paints two shapes as parts of one picture", (c) => { c.fillStyle = two(c.createLinearGradient(0, 0, 100, 0)); c.fillRect(0, 0, 30, 50); c.fillRect(70, 0, 30, 50); return cells(c); }, "GGG....BBB");
check("a gradient of one surface paints on another", (c) => { const g = two(createCanvas(9, 9).getContext("2d").createLinearGradient(0, 0, 100, 0)); c.fillStyle = g; c.fillRect(0, 0, 100, 50); return cells(c); }, "GGGGGBBBBB");
check("a gradient much longer than the surface", (c) => { const g = c.createLinearGradient(-1e6, 0, 1e6, 0); g.addColorStop(0, "#000"); g.addColorStop(1, "#fff"); c.fillStyle = g; c.fillRect(0, 0, 100, 50); return at(c, 50, 25); }, [128, 128, 128, 255]);
return report(); //= {"checks":13,"failed":[]}
---
// gradients: radial
import { check, report, at, whole, cells, fill } from "checks";
const paint = (c, ...args) => { const g = c.createRadialGradient(...args); g.addColorStop(0, "lime"); g.addColorStop(0.5, "lime"); g.addColorStop(0.5, "blue"); g.addColorStop(1, "blue"); c.fillStyle = g; c.fillRect(0, 0, 100, 50); };
const plain = (c, ...args) => { const g = c.createRadialGradient(...args); g.addColorStop(0, "lime"); g.addColorStop(1, "lime"); c.fillStyle = g; c.fillRect(0, 0, 100, 50); };
check("a radial gradient grows from one circle to another", (c) => { paint(c, 50, 25, 0, 50, 25, 40); return [at(c, 50, 25), at(c, 68, 25), at(c, 71, 25), at(c, 99, 25)]; }, ["lime", "lime", "blue", "blue"]);
check("inside the first circle its colour goes on", (c) => { paint(c, 50, 25, 20, 50, 25, 40); return [at(c, 50, 25), at(c, 65, 25), at(c, 78, 25), at(c, 82, 25)]; }, ["lime", "lime", "lime", "blue"]);
check("a radial gradient may shrink", (c) => { paint(c, 50, 25, 40, 50, 25, 0); return [at(c, 50, 25), at(c, 68, 25), at(c, 71, 25), at(c, 99, 25)]; }, ["blue", "blue", "lime", "lime"]);
check("a radial gradient between equal circles paints nothing", (c) => { paint(c, 50, 25, 20, 50, 25, 20); return whole(c); }, "none");
check("a radial gradient between equal circles of radius zero paints nothing", (c) => { paint(c, 50, 25, 0, 50, 25, 0); return whole(c); }, "none");
check("circles that do not touch paint a cone", (c) => { plain(c, 20, 25, 10, 80, 25, 20); return [at(c, 50, 25), at(c, 99, 25), at(c, 99, 5), at(c, 50, 5), at(c, 20, 2)]; }, ["lime", "lime", "lime", "none", "none"]);
check("a cone shrinks towards its tip and ends there", (c) => { plain(c, 80, 25, 20, 50, 25, 10); return [at(c, 50, 25), at(c, 30, 25), at(c, 10, 25), at(c, 15, 30)]; }, ["lime", "lime", "none", "none"]);
check("circles of one size paint a strip", (c) => { plain(c, 30, 25, 10, 70, 25, 10); return [at(c, 50, 25), at(c, 5, 25), at(c, 95, 25), at(c, 50, 10), at(c, 50, 40)]; }, ["lime", "lime", "lime", "none", "none"]);
check("circles that touch from the inside paint half the plane", (c) => { plain(c, 60, 25, 10, 80, 25, 30); return [at(c, 48, 25), at(c, 53, 25), at(c, 99, 2)]; }, ["none", "lime", "lime"]);
check("circles that touch from the inside paint nothing on the far side", (c) => { plain(c, 150, 25, 50, 200, 25, 100); plain(c, 120, -15, 25, 140, -30, 50); return whole(c); }, "none");
check("a cone paints nothing behind its tip", (c) => { plain(c, 120, 25, 10, 211, 25, 100); return whole(c); }, "none");
check("a cone paints nothing beside it", (c) => { plain(c, 0, 100, 40, 100, 100, 50); return whole(c); }, "none");
check("a cone in front is the colour of its end", (c) => { const g = c.createRadialGradient(311, 25, 10, 210, 25, 100); g.addColorStop(0, "red"); g.addColorStop(1, "lime"); c.fillStyle = g; c.fillRect(0, 0, 100, 50); return whole(c); }, "lime");
check("a strip before its first circle is the colour of its start", (c) => { const g = c.createRadialGradient(210, 25, 100, 230, 25, 100); g.addColorStop(0, "lime"); g.addColorStop(1, "red"); c.fillStyle = g; c.fillRect(0, 0, 100, 50); return whole(c); }, "lime");
check("a cone has straight sides", (c) => { plain(c, 55, 40, 15, 67.5, 40, 22.5); const side = (x) => 40 - (x - 30) * 0.75; return [40, 60, 75].map((x) => [at(c, x, side(x) - 2), at(c, x, side(x) + 2)]); }, Array(3).fill(["none", "lime"]));
check("a circle inside another paints everything", (c) => { plain(c, 50, 25, 5, 55, 25, 30); return whole(c); }, "lime");
check("a circle inside another, off its middle, is nearer on one side", (c) => { paint(c, 50, 25, 0, 60, 25, 40); return [at(c, 37, 25), at(c, 33, 25), at(c, 72, 25), at(c, 78, 25)]; }, ["lime", "blue", "lime", "blue"]);
check("the later circle lies over the earlier", (c) => { const g = c.createRadialGradient(20, 25, 20, 80, 25, 20.5); g.addColorStop(0, "red"); g.addColorStop(0.01, "lime"); g.addColorStop(1, "lime"); c.fillStyle = g; c.fillRect(0, 0, 100, 50); return at(c, 30, 25); }, "lime");
check("a radial gradient is in the space of the matrix when it is drawn", (c) => { c.scale(2, 1); paint(c, 25, 25, 0, 25, 25, 20); return [at(c, 50, 25), at(c, 68, 25), at(c, 72, 25), at(c, 50, 34), at(c, 50, 37)]; }, ["lime", "lime", "blue", "lime", "blue"]);
check("a radial gradient from a point", (c) => { plain(c, 50, 25, 0, 50, 25, 1); return whole(c); }, "lime");
check("a radial gradient fades evenly", (c) => { const g = c.createRadialGradient(0, 25.5, 0, 0, 25.5, 100); g.addColorStop(0, "#000"); g.addColorStop(1, "#fff"); c.fillStyle = g; c.fillRect(0, 0, 100, 50); return [at(c, 25, 25), at(c, 50, 25), at(c, 75, 25)]; }, [[65, 65, 65, 255], [129, 129, 129, 255], [193, 193, 193, 255]]);
return report(); //= {"checks":21,"failed":[]}
---
// gradients: conic
import { check, report, at, whole, cells, fill } from "checks";
const paint = (c, ...args) => { const g = c.createConicGradient(...args); g.addColorStop(0, "red"); g.addColorStop(0.25, "red"); g.addColorStop(0.25, "lime"); g.addColorStop(0.5, "lime"); g.addColorStop(0.5, "blue"); g.addColorStop(0.75, "blue"); g.addColorStop(0.75, "white"); c.fillStyle = g; c.fillRect(0, 0, 100, 50); return cells(c, 25); };
check("a conic gradient begins to the right and turns clockwise", (c) => paint(c, 0, 50, 25), "BBWW/GGRR");
check("a conic gradient begins at its angle", (c) => paint(c, Math.PI / 2, 50, 25), "GGBB/RRWW");
check("a conic gradient begins at a negative angle", (c) => paint(c, -Math.PI / 2, 50, 25), "WWRR/BBGG");
check("a conic gradient takes angles of many turns", (c) => paint(c, 20 * Math.PI, 50, 25), "BBWW/GGRR");
check("a conic gradient is in the space of the matrix when it is drawn", (c) => { c.translate(50, 25); c.rotate(Math.PI / 2); const g = c.createConicGradient(0, 0, 0); g.addColorStop(0, "red"); g.addColorStop(0.5, "red"); g.addColorStop(0.5, "lime"); c.fillStyle = g; c.fillRect(-50, -50, 100, 100); return cells(c, 25); }, "RRGG");
check("a conic gradient fades evenly", (c) => { const g = c.createConicGradient(0, 50, 25); g.addColorStop(0, "#000"); g.addColorStop(1, "#fff"); c.fillStyle = g; c.fillRect(0, 0, 100, 50); return [at(c, 50, 49), at(c, 0, 25), at(c, 50, 0)]; }, [[64, 64, 64, 255], [127, 127, 127, 255], [191, 191, 191, 255]]);
check("a conic gradient without stops paints nothing", (c) => { c.fillStyle = c.createConicGradient(0, 50, 25); c.fillRect(0, 0, 100, 50); return whole(c); }, "none");
check("a conic gradient strokes", (c) => { const g = c.createConicGradient(0, 50, 25); g.addColorStop(0, "lime"); c.strokeStyle = g; c.lineWidth = 50; c.strokeRect(0, 25, 100, 0); return whole(c); }, "lime");
return report(); //= {"checks":8,"failed":[]}
---
// gradients: patterns
import { check, report, at, whole, cells, fill, error, surface } from "checks";
const tile = () => surface(20, 20, (d) => { fill(d, "lime"); d.fillStyle = "blue"; d.fillRect(0, 0, 10, 10); });
const paint = (c, repeat) => { c.fillStyle = c.createPattern(tile(), repeat); c.fillRect(0, 0, 100, 50); return cells(c); };
check("createPattern gives a CanvasPattern", (c) => [String(c.createPattern(tile(), "repeat")), c.createPattern(tile(), "repeat") instanceof CanvasPattern], ["[object CanvasPattern]", true]);
check("a pattern repeats in both directions", (c) => paint(c, "repeat"), "BGBGBGBGBG/GGGGGGGGGG/BGBGBGBGBG/GGGGGGGGGG/BGBGBGBGBG");
check("a pattern repeats across", (c) => paint(c, "repeat-x"), "BGBGBGBGBG/GGGGGGGGGG/........../........../..........");
check("a pattern repeats down", (c) => paint(c, "repeat-y"), "BG......../GG......../BG......../GG......../BG........");
check("a pattern is there once", (c) => paint(c, "no-repeat"), "BG......../GG......../........../........../..........");
check("a pattern repeats when the word is empty or null", (c) => [paint(c, "") === paint(c, "repeat"), paint(c, null) === paint(c, "repeat")], [true, true]);
check("createPattern refuses other words", (c) => ["Repeat", "repeat ", "invalid", undefined, "repeat\0", "repeat-z", "norepeat"].map((w) => error(() => c.createPattern(tile(), w))), Array(7).fill("SyntaxError"));
check("createPattern refuses what is no image", (c) => [null, undefined, 0, "x", {}].map((w) => error(() => c.createPattern(w, "repeat"))), Array(5).fill("TypeError"));
check("createPattern needs two arguments", (c) => error(() => c.createPattern(tile())), "TypeError");
check("a pattern begins at the origin, not at the shape", (c) => { c.fillStyle = c.createPattern(tile(), "repeat"); c.fillRect(10, 0, 90, 50); return cells(c).slice(0, 10); }, ".GBGBGBGBG");
check("a pattern repeats to the left and above", (c) => { c.translate(50, 20); c.fillStyle = c.createPattern(tile(), "repeat"); c.fillRect(-50, -20, 100, 50); return cells(c); }, "GBGBGBGBGB/GGGGGGGGGG/GBGBGBGBGB/GGGGGGGGGG/GBGBGBGBGB");
check("a pattern is under the matrix when it is drawn", (c) => { c.fillStyle = c.createPattern(tile(), "repeat"); c.scale(2, 1); c.fillRect(0, 0, 50, 10); return cells(c).slice(0, 10); }, "BBGGBBGGBB");
check("a pattern holds the picture of when it was made", (c) => { const s = tile(), p = c.createPattern(s, "repeat"); fill(s.getContext("2d"), "red"); c.fillStyle = p; c.fillRect(0, 0, 100, 50); return cells(c).slice(0, 10); }, "BGBGBGBGBG");
check("a pattern of the surface itself", (c) => { c.fillStyle = "lime"; c.fillRect(0, 0, 10, 50); c.fillStyle = "blue"; c.fillRect(10, 0, 90, 50); const p = c.createPattern(c.canvas, "repeat"); c.fillStyle = p; c.translate(10, 0); c.fillRect(-10, 0, 100, 50); return cells(c); }, "BGBBBBBBBB");
check("strokes take patterns", (c) => { c.strokeStyle = c.createPattern(tile(), "repeat"); c.lineWidth = 10; c.strokeRect(0, 5, 100, 0); return cells(c).slice(0, 10); }, "BGBGBGBGBG");
check("setTransform of a pattern moves it", (c) => { const p = c.createPattern(tile(), "repeat"); p.setTransform(new DOMMatrix([1, 0, 0, 1, 10, 0])); c.fillStyle = p; c.fillRect(0, 0, 100, 50); return cells(c).slice(0, 10); }, "GBGBGBGBGB");
check("setTransform of a pattern scales it", (c) => { const p = c.createPattern(tile(), "repeat"); p.setTransform({ a: 2, d: 2 }); c.fillStyle = p; c.imageSmoothingEnabled = false; c.fillRect(0, 0, 100, 50); return cells(c); }, "BBGGBBGGBB/BBGGBBGGBB/GGGGGGGGGG/GGGGGGGGGG/BBGGBBGGBB");
check("setTransform of a pattern without argument is the identity", (c) => { const p = c.createPattern(tile(), "repeat"); p.setTransform({ e: 10 }); p.setTransform(); c.fillStyle = p; c.fillRect(0, 0, 100, 50); return cells(c).slice(0, 10); }, "BGBGBGBGBG");
check("setTransform of a pattern counts from then on", (c) => { const p = c.createPattern(tile(), "repeat"); c.fillStyle = p; c.fillRect(0, 0, 50, 10); p.setTransform({ e: 10 }); c.fillRect(50, 0, 50, 10); return cells(c).slice(0, 10); }, "BGBGBBGBGB");
check("a pattern of one surface paints on another", (c) => { c.fillStyle = createCanvas(1, 1).getContext("2d").createPattern(tile(), "repeat"); c.fillRect(0, 0, 100, 50); return cells(c).slice(0, 10); }, "BGBGBGBGBG");
check("outside of a pattern that is there once nothing is painted", (c) => { fill(c, "red"); return paint(c, "no-repeat").slice(0, 10); }, "BGRRRRRRRR");
check("a pattern has the alpha of its picture", (c) => { c.fillStyle = c.createPattern(surface(10, 10, (d) => fill(d, "rgba(0,255,0,0.5)")), "repeat"); c.fillRect(0, 0, 100, 50); return at(c, 50, 25); }, [0, 255, 0, 128]);
check("a pattern of a surface that nothing was drawn on paints nothing", (c) => { fill(c, "lime"); c.fillStyle = c.createPattern(createCanvas(100, 50), "no-repeat"); c.fillRect(0, 0, 100, 50); return whole(c); }, "lime");
check("a pattern survives a new size of its surface", (c) => { const s = tile(), p = c.createPattern(s, "repeat"); s.width = 5; c.fillStyle = p; c.fillRect(0, 0, 100, 50); return cells(c).slice(0, 10); }, "BGBGBGBGBG");
check("setTransform of a pattern with what is not finite is left out", (c) => { const p = c.createPattern(tile(), "repeat"); p.setTransform({ a: Infinity }); c.fillStyle = p; c.fillRect(0, 0, 100, 50); return cells(c).slice(0, 10); }, "BGBGBGBGBG");
check("setTransform of a pattern refuses names that contradict each other", (c) => error(() => c.createPattern(tile(), "repeat").setTransform({ a: 1, m11: 2 })), "TypeError");
check("a pattern of a surface without pixels is refused", (c) => { const s = createCanvas(10, 10); s.width = 0; return error(() => c.createPattern(s, "repeat")); }, "InvalidStateError");
return report(); //= {"checks":27,"failed":[]}
