// squares: metrics of a font of exact rectangles
import { check, report, near } from "checks";
import squares from "squares";
await canvas.registerFont(squares(), { family: "Squares" });
await canvas.registerFont(squares({ baselines: false }), { family: "Plain" });
await canvas.registerFont(squares({ ascent: 250 }), { family: "Low" });
await canvas.registerFont(squares({ descent: 0 }), { family: "Footless" });
const metrics = (c, text, font = "40px Squares") => { c.font = font; return c.measureText(text); };
check("letters of one em are as wide as the size", (c) => ["A", "AA", "ABE"].map((s) => metrics(c, s).width), [40, 80, 120]);
check("the width follows the size", (c) => metrics(c, "A", "100px Squares").width, 100);
check("a space is as wide as the font says", (c) => [metrics(c, "A B").width, metrics(c, "A  B").width, metrics(c, " AB").width, metrics(c, "AB ").width], [120, 160, 120, 120]);
check("white space of all kinds is as wide as a space", (c) => metrics(c, "A \t\n\f\r  \t\n\f\rB").width, 520);
check("bounds of a rectangle are the rectangle", (c) => { const m = metrics(c, "A"); return [m.actualBoundingBoxLeft, m.actualBoundingBoxRight, m.actualBoundingBoxAscent, m.actualBoundingBoxDescent].map((v) => Math.abs(v)); }, [0, 40, 30, 0].map((v) => near(v, 0.5)));
check("bounds go from the first to the last letter, and over all of them", (c) => { const m = metrics(c, "ABE"); return [m.actualBoundingBoxRight, m.actualBoundingBoxAscent, m.actualBoundingBoxDescent]; }, [120, 30, 10].map((v) => near(v, 0.5)));
check("font bounds are those of the font's tables", (c) => ["40px Squares", "40px Low", "40px Footless"].map((f) => { const m = metrics(c, "A", f); return [m.fontBoundingBoxAscent, m.fontBoundingBoxDescent]; }), [[30, 10], [10, 10], [30, 0]]);
check("em heights share the size as ascent and descent do", (c) => ["40px Squares", "40px Low", "40px Footless"].map((f) => { const m = metrics(c, "A", f); return [m.emHeightAscent, m.emHeightDescent]; }), [[30, 10], [20, 20], [40, 0]]);
check("baselines are those of the font's table", (c) => { const m = metrics(c, "A"); return [Math.abs(m.alphabeticBaseline), m.ideographicBaseline, m.hangingBaseline]; }, [0, 5, 20]);
check("baselines of a font without that table come from its ascent and descent", (c) => { const m = metrics(c, "A", "40px Plain"); return [m.ideographicBaseline, m.hangingBaseline]; }, [-10, 24]);
check("a family that is not there gives its place to the next", (c) => [metrics(c, "A", "40px Missing, Squares").width, metrics(c, "A", "40px 'Squares', serif").width], [40, 40]);
check("letters that the family lacks come from another", (c) => metrics(c, "Ax").width > 45, true);
check("letterSpacing is added after each letter", (c) => { c.letterSpacing = "10px"; return metrics(c, "AA").width; }, 100);
return report(); //= {"checks":13,"failed":[]}
---
// squares: drawing in a font of exact rectangles
import { check, report, at, whole, cells, fill, near } from "checks";
import squares from "squares";
await canvas.registerFont(squares(), { family: "Squares" });
const draw = (c, text, x, y, props = {}, ...most) => { Object.assign(c, { font: "20px Squares", ...props }); c.fillText(text, x, y, ...most); return cells(c, 5); };
const rows = (c, text, y, props) => { draw(c, text, 0, y, props); const { data } = c.getImageData(5, 0, 1, 50); let first = -1, last = -1; for (let i = 0; i < 50; i++) if (data[4 * i + 3] > 127) { if (first < 0) first = i; last = i; } return [first, last + 1]; };
const columns = (c, text, x, props, ...most) => { draw(c, text, x, 40, props, ...most); const { data } = c.getImageData(0, 35, 100, 1); let first = -1, last = -1; for (let i = 0; i < 100; i++) if (data[4 * i + 3] > 127) { if (first < 0) first = i; last = i; } return [first, last + 1]; };
check("a rectangle of the font covers its pixels exactly", (c) => { draw(c, "E", 20, 30); return [whole(c, 20, 15, 20, 20), at(c, 19, 20), at(c, 40, 20), at(c, 30, 14), at(c, 30, 35)]; }, ["black", "none", "none", "none", "none"]);
check("the alphabetic baseline is at y", (c) => rows(c, "A", 30), [15, 30]);
check("what is below the baseline is below y", (c) => rows(c, "B", 30), [30, 35]);
check("the top baseline is the top of the em", (c) => rows(c, "E", 10, { textBaseline: "top" }), [10, 30]);
check("the bottom baseline is the bottom of the em", (c) => rows(c, "E", 40, { textBaseline: "bottom" }), [20, 40]);
check("the middle baseline is the middle of the em", (c) => rows(c, "E", 25, { textBaseline: "middle" }), [15, 35]);
check("the hanging baseline is the font's", (c) => rows(c, "E", 20, { textBaseline: "hanging" }), [15, 35]);
check("the ideographic baseline is the font's", (c) => rows(c, "E", 30, { textBaseline: "ideographic", font: "24px Squares" }), [15, 39]);
check("textAlign left begins the first em at x", (c) => columns(c, "EE", 30, { textAlign: "left" }), [30, 70]);
check("textAlign right ends the last em at x", (c) => columns(c, "EE", 70, { textAlign: "right" }), [30, 70]);
check("textAlign center puts the middle at x", (c) => columns(c, "EE", 50, { textAlign: "center" }), [30, 70]);
check("textAlign start is at the right when the direction is", (c) => columns(c, "EE", 70, { textAlign: "start", direction: "rtl" }), [30, 70]);
check("textAlign end is at the left when the direction is to the left", (c) => columns(c, "EE", 30, { textAlign: "end", direction: "rtl" }), [30, 70]);
check("spaces are drawn as wide as they are", (c) => { draw(c, "E EE", 0, 30); return [at(c, 10, 20), at(c, 30, 20), at(c, 50, 20), at(c, 70, 20), at(c, 90, 20)]; }, ["black", "none", "black", "black", "none"]);
check("spaces at the beginning are drawn", (c) => columns(c, " E", 20), [40, 60]);
check("spaces at the end count for textAlign", (c) => columns(c, "E ", 80, { textAlign: "right" }), [40, 60]);
check("maxWidth narrows by the width, not by what is painted", (c) => columns(c, "EEEE", 10, {}, 40), [10, 50]);
check("maxWidth of the width changes nothing", (c) => columns(c, "EE", 10, {}, 40), [10, 50]);
check("letterSpacing leaves gaps", (c) => { draw(c, "EE", 0, 30, { letterSpacing: "10px" }); return [at(c, 10, 20), at(c, 25, 20), at(c, 40, 20), at(c, 55, 20)]; }, ["black", "none", "black", "none"]);
check("wordSpacing widens spaces between words", (c) => { draw(c, "E E", 0, 30, { wordSpacing: "10px" }); return [at(c, 19, 20), at(c, 49, 20), at(c, 50, 20), at(c, 69, 20), at(c, 70, 20)]; }, ["black", "none", "black", "black", "none"]);
check("text is scaled with the matrix", (c) => { c.scale(2, 2); c.font = "10px Squares"; c.fillText("E", 10, 15); return [whole(c, 20, 15, 20, 20), at(c, 19, 20), at(c, 40, 20)]; }, ["black", "none", "none"]);
check("text is turned with the matrix", (c) => { c.translate(50, 10); c.rotate(Math.PI / 2); c.font = "20px Squares"; c.fillText("E", 0, 0); return [whole(c, 45, 10, 20, 20), at(c, 44, 20), at(c, 65, 20)]; }, ["black", "none", "none"]);
check("strokeText draws the outline of a rectangle", (c) => { c.font = "20px Squares"; c.lineWidth = 4; c.strokeText("E", 20, 30); return [at(c, 18, 20), at(c, 21, 20), at(c, 30, 25), at(c, 41, 36), at(c, 17, 20)]; }, ["black", "black", "none", "black", "none"]);
check("synthesised slant leans to the right", (c) => { draw(c, "E", 30, 35, { font: "italic 20px Squares" }); return [at(c, 31, 21), at(c, 51, 21)]; }, ["none", "black"]);
return report(); //= {"checks":24,"failed":[]}
