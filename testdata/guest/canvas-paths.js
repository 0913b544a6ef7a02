// paths: beginPath, moveTo, lineTo, closePath
import { check, report, cells, at, whole, fill, broken, error } from "checks";
const wide = (c) => { c.lineWidth = 50; c.stroke(); return cells(c); };
check("a new context has an empty path", (c) => { c.closePath(); c.fill(); c.stroke(); return whole(c); }, "none");
check("beginPath empties the path", (c) => { c.rect(0, 0, 100, 50); c.beginPath(); c.fill(); return whole(c); }, "none");
check("fill leaves the path as it is", (c) => { c.rect(0, 0, 50, 50); c.fill(); c.fillStyle = "lime"; c.fill(); return cells(c); }, "GGGGG.....");
check("moveTo begins a subpath of its own", (c) => { c.rect(0, 0, 10, 50); c.moveTo(50, 0); c.lineTo(100, 0); c.lineTo(100, 50); c.lineTo(50, 50); c.fill(); return cells(c); }, "K....KKKKK");
check("points of moveTo alone make no shape", (c) => { c.moveTo(0, 0); c.moveTo(100, 0); c.moveTo(100, 50); c.moveTo(0, 50); c.fill(); return whole(c); }, "none");
check("the last of many moveTo counts", (c) => { c.moveTo(0, 25); c.moveTo(100, 25); c.moveTo(50, 25); c.lineTo(100, 25); return wide(c); }, ".....KKKKK");
check("moveTo leaves out what is not finite", (c) => { c.moveTo(0, 0); c.lineTo(100, 0); for (const a of broken(0, 50)) c.moveTo(...a); c.lineTo(100, 50); c.lineTo(0, 50); c.fill(); return cells(c); }, "K");
check("lineTo on an empty path is a moveTo", (c) => { c.lineTo(50, 25); const first = wide(c); c.lineTo(100, 25); return [first, wide(c)]; }, [".", ".....KKKKK"]);
check("lineTo goes on from the last point", (c) => { c.moveTo(-100, -100); c.lineTo(0, 25); c.lineTo(50, 25); return wide(c)[5] + at(c, 49, 1).rgba[3]; }, ".255");
check("lineTo leaves out what is not finite", (c) => { c.moveTo(0, 0); c.lineTo(100, 0); for (const a of broken(0, 50)) c.lineTo(...a); c.lineTo(100, 50); c.lineTo(0, 50); c.fill(); return cells(c); }, "K");
check("lineTo converts its second number though the first is not finite", (c) => { let n = 0; for (const bad of [Infinity, -Infinity, NaN]) c.lineTo(bad, { valueOf() { n++; return 0; } }); return n; }, 3);
check("lineTo needs two numbers", (c) => [error(() => c.lineTo()), error(() => c.lineTo(1))], ["TypeError", "TypeError"]);
check("lineTo takes what converts to numbers", (c) => { c.moveTo("0", null); c.lineTo("50", false); c.lineTo([50], "0x32"); c.lineTo({ valueOf: () => 0 }, 50); c.fill(); return cells(c); }, "KKKKK.....");
check("a symbol is no number", (c) => error(() => c.lineTo(Symbol("x"), 1)), "TypeError");
check("a bigint is no number", (c) => error(() => c.lineTo(1n, 1)), "TypeError");
check("closePath draws the line back", (c) => { c.moveTo(0, 25); c.lineTo(0, -100); c.lineTo(100, -100); c.lineTo(100, 25); c.closePath(); return wide(c); }, "K");
check("closePath begins the next subpath where the closed one began", (c) => { c.moveTo(0, 25); c.lineTo(0, -1000); c.closePath(); c.lineTo(50, 25); c.lineWidth = 50; c.stroke(); return [at(c, 40, 25), at(c, 60, 25)]; }, ["black", "none"]);
check("closePath twice is closePath once", (c) => { c.moveTo(10, 10); c.lineTo(90, 10); c.lineTo(90, 40); c.closePath(); c.closePath(); c.lineTo(10, 40); c.lineWidth = 4; c.stroke(); return [at(c, 50, 25).rgba[3] > 0, at(c, 10, 30)]; }, [true, "black"]);
check("save and restore leave the path as it is", (c) => { c.save(); c.rect(0, 0, 50, 50); c.restore(); c.fill(); return cells(c); }, "KKKKK.....");
check("a path far outside the surface draws what is inside", (c) => { c.moveTo(-1e7, -1e7); c.lineTo(1e7, -1e7); c.lineTo(1e7, 25); c.lineTo(-1e7, 25); c.fill(); return [at(c, 50, 24), at(c, 50, 25)]; }, ["black", "none"]);
check("a line of enormous length ends", (c) => { c.lineWidth = 50; c.moveTo(-1e30, 25); c.lineTo(1e30, 25); c.stroke(); c.fillStyle = "lime"; c.fillRect(0, 0, 10, 50); return cells(c)[0]; }, "G");
return report(); //= {"checks":21,"failed":[]}
---
// paths: curves
import { check, report, cells, at, whole, fill, broken } from "checks";
const corners = (c) => [at(c, 1, 1), at(c, 98, 1), at(c, 1, 48), at(c, 98, 48), at(c, 50, 25)];
const all = ["black", "black", "black", "black", "black"];
check("quadraticCurveTo on an empty path begins at its control point", (c) => { c.lineWidth = 50; c.quadraticCurveTo(0, 25, 100, 25); c.stroke(); return cells(c); }, "K");
check("quadraticCurveTo on an empty path draws nothing up to there", (c) => { c.lineWidth = 50; c.quadraticCurveTo(100, 50, 200, 50); c.stroke(); return at(c, 95, 45); }, "none");
check("quadraticCurveTo with all points on a line is that line", (c) => { c.lineWidth = 50; c.moveTo(0, 25); c.quadraticCurveTo(50, 25, 50, 25); c.stroke(); return cells(c); }, "KKKKK.....");
check("quadraticCurveTo passes through its middle", (c) => { c.moveTo(0, 50); c.quadraticCurveTo(50, -30, 100, 50); c.lineWidth = 4; c.stroke(); return [at(c, 50, 9), at(c, 50, 13), at(c, 25, 20).rgba[3] > 0, at(c, 25, 26)]; }, ["black", "none", true, "none"]);
check("quadraticCurveTo is exact when it is large", (c) => { c.lineWidth = 55; c.moveTo(-1000, 1050); c.quadraticCurveTo(0, -1000, 1200, 1050); c.stroke(); return corners(c); }, all);
check("quadraticCurveTo is exact when it is scaled", (c) => { c.scale(1000, 1000); c.lineWidth = 0.055; c.moveTo(-1, 1.05); c.quadraticCurveTo(0, -1, 1.2, 1.05); c.stroke(); return corners(c); }, all);
check("quadraticCurveTo leaves out what is not finite", (c) => { c.moveTo(0, 0); c.lineTo(100, 0); for (const a of broken(0, 50, 0, 50)) c.quadraticCurveTo(...a); c.lineTo(100, 50); c.lineTo(0, 50); c.fill(); return cells(c); }, "K");
check("bezierCurveTo on an empty path begins at its control point", (c) => { c.lineWidth = 50; c.bezierCurveTo(0, 25, 100, 25, 100, 25); c.stroke(); return cells(c); }, "K");
check("bezierCurveTo on an empty path draws nothing up to there", (c) => { c.lineWidth = 50; c.bezierCurveTo(100, 50, 200, 50, 200, 50); c.stroke(); return at(c, 95, 45); }, "none");
check("bezierCurveTo with all points on a line is that line", (c) => { c.lineWidth = 50; c.moveTo(0, 25); c.bezierCurveTo(50, 25, 50, 25, 50, 25); c.stroke(); return cells(c); }, "KKKKK.....");
check("bezierCurveTo passes through its middle", (c) => { c.moveTo(0, 50); c.bezierCurveTo(0, -10, 100, -10, 100, 50); c.lineWidth = 4; c.stroke(); return [at(c, 50, 4), at(c, 50, 8)]; }, ["black", "none"]);
check("bezierCurveTo is exact when it is large", (c) => { c.lineWidth = 55; c.moveTo(-2000, 3100); c.bezierCurveTo(-2000, -1000, 2100, -1000, 2100, 3100); c.stroke(); return corners(c); }, all);
check("bezierCurveTo is exact when it is scaled", (c) => { c.scale(1000, 1000); c.lineWidth = 0.055; c.moveTo(-2, 3.1); c.bezierCurveTo(-2, -1, 2.1, -1, 2.1, 3.1); c.stroke(); return corners(c); }, all);
check("bezierCurveTo leaves out what is not finite", (c) => { c.moveTo(0, 0); c.lineTo(100, 0); for (const a of broken(0, 50, 0, 50, 0, 50)) c.bezierCurveTo(...a); c.lineTo(100, 50); c.lineTo(0, 50); c.fill(); return cells(c); }, "K");
check("a curve with a loop is filled by its winding", (c) => { c.moveTo(20, 50); c.bezierCurveTo(140, -40, -40, -40, 80, 50); c.fill(); return [at(c, 50, 8), at(c, 50, 45), at(c, 10, 10)]; }, ["black", "black", "none"]);
return report(); //= {"checks":15,"failed":[]}
---
// paths: arcTo
import { check, report, cells, at, whole, fill, broken, error } from "checks";
const wide = (c) => { c.lineWidth = 50; c.stroke(); return cells(c); };
check("arcTo on an empty path is a moveTo", (c) => { c.arcTo(0, 25, 50, 250, 0.1); const first = wide(c); c.lineTo(100, 25); return [first, wide(c)]; }, [".", "K"]);
check("arcTo to the point where the path is draws nothing", (c) => { c.moveTo(50, 25); c.arcTo(50, 25, 100, 25, 1); return wide(c); }, ".");
check("arcTo with both points equal is a line", (c) => { c.moveTo(0, 25); c.arcTo(50, 25, 50, 25, 1); return wide(c); }, "KKKKK.....");
check("arcTo straight on is a line to the first point", (c) => { c.moveTo(0, 25); c.arcTo(50, 25, 200, 25, 1); return wide(c); }, "KKKKK.....");
check("arcTo that turns back halfway is a line to the first point", (c) => { c.moveTo(0, 25); c.arcTo(50, 25, 10, 25, 1); return wide(c); }, "KKKKK.....");
check("arcTo that turns back beyond the start is a line to the first point", (c) => { c.moveTo(0, 25); c.arcTo(50, 25, -50, 25, 1); return wide(c); }, "KKKKK.....");
check("arcTo with radius zero is a line to the first point", (c) => { c.moveTo(0, 25); c.arcTo(50, 25, 50, 100, 0); return wide(c); }, "KKKKK.....");
check("arcTo draws a line up to its arc", (c) => { c.moveTo(0, 25); c.arcTo(200, 25, 200, 50, 10); return wide(c); }, "K");
check("arcTo draws nothing after its arc", (c) => { c.moveTo(-100, -100); c.arcTo(-100, 25, 200, 25, 10); return wide(c); }, ".");
check("arcTo touches both lines with its radius", (c) => { c.moveTo(10, 10); c.arcTo(50, 10, 50, 50, 20); c.lineWidth = 4; c.stroke(); return [at(c, 25, 10), at(c, 44, 15), at(c, 49, 28), at(c, 49, 10), at(c, 49, 40)]; }, ["black", "black", "black", "none", "none"]);
check("arcTo turns to the left too", (c) => { c.moveTo(10, 40); c.arcTo(50, 40, 50, 0, 20); c.lineWidth = 4; c.stroke(); return [at(c, 25, 40), at(c, 44, 34), at(c, 49, 22), at(c, 49, 39)]; }, ["black", "black", "black", "none"]);
check("arcTo with a radius too large begins before the start", (c) => { c.moveTo(50, 10); c.arcTo(60, 10, 60, 20, 30); c.lineWidth = 4; c.stroke(); return [at(c, 40, 10), at(c, 59, 38)]; }, ["black", "black"]);
check("arcTo goes on from the end of its arc", (c) => { c.moveTo(0, 0); c.arcTo(50, 0, 50, 50, 30); c.lineTo(50, 50); c.lineTo(0, 50); c.fill(); return [at(c, 48, 2), at(c, 48, 45), at(c, 2, 48)]; }, ["none", "black", "black"]);
check("arcTo joins a last point that was given under another matrix", (c) => { fill(c, "red"); c.fillStyle = "lime"; c.moveTo(0, 50); c.translate(100, 0); c.arcTo(50, 50, 50, 0, 50); c.lineTo(-100, 0); c.fill(); return [cells(c), at(c, 0, 49), at(c, 99, 49)]; }, ["G", "lime", "lime"]);
check("arcTo is scaled as a whole", (c) => { fill(c, "red"); c.fillStyle = "lime"; c.moveTo(0, 50); c.translate(100, 0); c.scale(0.1, 1); c.arcTo(50, 50, 50, 0, 50); c.lineTo(-1000, 0); c.fill(); return [cells(c), at(c, 0, 49), at(c, 99, 49)]; }, ["G", "lime", "lime"]);
check("arcTo on an empty path is a moveTo under every matrix", (c) => { c.translate(8.34, 8.86); c.rotate(0.31); c.scale(0.84, 1.51); c.arcTo(28.47, 14.16, 80.76, 36, 27.05); c.lineTo(10, 35); c.lineWidth = 0.1; c.fill(); return whole(c); }, "none");
check("arcTo to the point where the path is draws nothing under every matrix", (c) => { c.rotate(0.31); c.scale(0.84, 1.51); c.moveTo(0, 0); c.lineTo(30, 25); c.lineTo(33.33, 7.77); c.arcTo(33.33, 7.77, 80.76, 36, 27.05); c.fill(); return [at(c, 15, 22), whole(c, 30, 0)]; }, ["black", "none"]);
check("arcTo refuses a negative radius", (c) => [error(() => c.arcTo(0, 0, 0, 0, -1)), error(() => new Path2D().arcTo(10, 10, 20, 20, -5))], ["IndexSizeError", "IndexSizeError"]);
check("arcTo leaves out what is not finite", (c) => { c.moveTo(0, 0); c.lineTo(100, 0); for (const a of broken(0, 50, 0, 50, 0)) c.arcTo(...a); c.lineTo(100, 50); c.lineTo(0, 50); c.fill(); return cells(c); }, "K");
return report(); //= {"checks":19,"failed":[]}
---
// paths: arc and ellipse
import { check, report, cells, at, whole, fill, broken, error, near } from "checks";
const { PI } = Math;
const wide = (c, w = 50) => { c.lineWidth = w; c.stroke(); return cells(c); };
const pie = (c, ...arc) => { c.beginPath(); c.moveTo(50, 25); c.arc(50, 25, 24, ...arc); c.fill(); return [[62, 37], [38, 37], [38, 13], [62, 13]].map(([x, y]) => at(c, x, y).rgba[3] ? "#" : ".").join(""); };
check("arc draws no line to its start on an empty path", (c) => { c.arc(200, 25, 5, 0, 2 * PI, true); return wide(c); }, ".");
check("arc draws a line to its start from the last point", (c) => { c.moveTo(0, 25); c.arc(200, 25, 5, 0, 2 * PI, true); return wide(c); }, "K");
check("arc goes on from its end", (c) => { c.moveTo(-100, 0); c.arc(-100, 0, 25, -PI / 2, PI / 2, true); c.lineTo(100, 25); return wide(c); }, "K");
check("arc is clockwise unless it is told", (c) => pie(c, 0, PI / 2), "#...");
check("arc counterclockwise takes the other way", (c) => pie(c, 0, PI / 2, true), ".###");
check("arc from -π to π/2 is three quarters", (c) => pie(c, -PI, PI / 2), "#.##");
check("arc from π/2 to -π counterclockwise is three quarters", (c) => pie(c, PI / 2, -PI, true), "#.##");
check("arc from -3π/2 to -π counterclockwise is three quarters", (c) => pie(c, -3 * PI / 2, -PI, true), "#.##");
check("arc wraps an end that is behind the start", (c) => pie(c, 1023 * PI, 512.5 * PI), "#.##");
check("arc wraps an end that is behind the start counterclockwise", (c) => pie(c, 512.5 * PI, 1023 * PI, true), "#.##");
check("arc of more than a turn is a circle", (c) => [pie(c, 512.5 * PI, 1023 * PI), pie(c, 1023 * PI, 512.5 * PI, true)], ["####", "####"]);
check("arc of exactly a turn is a circle", (c) => [pie(c, 0, 2 * PI), pie(c, 2 * PI, 0, true)], ["####", "####"]);
check("arc of a turn against its direction is a circle", (c) => [pie(c, 2 * PI, 0), pie(c, 0, 2 * PI, true)], ["####", "####"]);
check("arc from an angle to itself is nothing", (c) => { c.arc(50, 25, 50, 0, 0, true); c.moveTo(0, 0); c.arc(50, 25, 50, 0, 0, false); c.beginPath(); c.arc(50, 25, 50, 0, 0); return wide(c, 100); }, ".");
check("arc of a little less than a turn counterclockwise is next to nothing", (c) => { c.arc(50, 25, 50, 0, 2 * PI - 1e-4, true); c.lineWidth = 100; c.stroke(); return at(c, 50, 20); }, "none");
check("arc of a little less than a turn clockwise is a circle", (c) => { c.arc(50, 25, 50, 0, 2 * PI - 1e-4); c.lineWidth = 100; c.stroke(); return at(c, 50, 20); }, "black");
check("arc of a little more than a turn is a circle in both directions", (c) => [true, false].map((ccw) => { c.clearRect(0, 0, 100, 50); c.beginPath(); c.arc(50, 25, 50, 0, 2 * PI + 1e-4, ccw); c.lineWidth = 100; c.stroke(); return at(c, 50, 20); }), ["black", "black"]);
check("arc from 0 to π stays in the lower half", (c) => { c.arc(50, 50, 50, 0, PI); return wide(c); }, ".");
check("arc from 0 to π counterclockwise fills the upper half", (c) => { c.arc(50, 50, 50, 0, PI, true); return wide(c, 100); }, "K");
check("arc from 0 to -π/2 clockwise leaves that quarter out", (c) => { c.arc(0, 50, 50, 0, -PI / 2); c.lineWidth = 100; c.stroke(); return [at(c, 50, 25), at(c, 1, 1), at(c, 98, 1), at(c, 1, 48), at(c, 98, 48)]; }, Array(5).fill("none"));
check("arc from 0 to -π/2 counterclockwise is that quarter", (c) => { c.arc(-50, 50, 100, 0, -PI / 2, true); c.lineWidth = 150; c.stroke(); return [at(c, 50, 25), at(c, 1, 1), at(c, 98, 1), at(c, 1, 48), at(c, 98, 48)]; }, Array(5).fill("black"));
check("arc of five half turns draws only its circle", (c) => { c.arc(300, 0, 100, 0, 5 * PI); return wide(c, 200); }, ".");
check("a line wider than its arc stays in its sector", (c) => { c.lineWidth = 200; c.arc(100, 50, 25, 0, -PI / 2, true); c.stroke(); c.beginPath(); c.arc(0, 0, 25, 0, -PI / 2, true); c.stroke(); return [at(c, 1, 1), at(c, 50, 25)]; }, ["none", "none"]);
check("a line wider than its arc fills its sector", (c) => { c.lineWidth = 180; c.arc(-50, 50, 25, 0, -PI / 2, true); c.stroke(); c.beginPath(); c.arc(100, 0, 25, 0, -PI / 2, true); c.stroke(); return [at(c, 50, 25), at(c, 90, 10), at(c, 97, 2), at(c, 2, 48)]; }, Array(4).fill("black"));
check("arc of radius zero is a line to its centre", (c) => { c.moveTo(0, 25); c.arc(200, 25, 0, 0, PI, true); return wide(c); }, "K");
check("arc under an uneven scale is an ellipse", (c) => { c.scale(2, 0.5); c.arc(25, 50, 24, 0, 2 * PI); c.fill(); return [at(c, 4, 25), at(c, 95, 25), at(c, 50, 14), at(c, 50, 11), at(c, 0, 25)]; }, ["black", "black", "black", "none", "none"]);
check("arc that is scaled much is round", (c) => { c.scale(100, 100); c.lineWidth = 1.2; c.arc(0, 0, 0.6, 0, PI / 2); c.stroke(); return cells(c); }, "K");
check("arc has the size that it says", (c) => { c.arc(50, 25, 20, 0, 2 * PI); c.fill(); return [at(c, 30, 25), at(c, 28, 25), at(c, 69, 25), at(c, 71, 25), at(c, 63, 38), at(c, 65, 40)].map((p) => p.rgba[3] > 127); }, [true, false, true, false, true, false]);
check("a large arc lies where it should to a tenth of a pixel", (c) => { c.arc(50, 10025.5, 10000, 0, 2 * PI); c.fill(); return [at(c, 50, 24), at(c, 50, 25).rgba[3], at(c, 50, 26)]; }, ["none", near(128, 20), "black"]);
check("arc refuses a negative radius", (c) => [error(() => c.arc(0, 0, -1, 0, 0, true)), error(() => new Path2D().arc(10, 10, -5, 0, 1))], ["IndexSizeError", "IndexSizeError"]);
check("arc leaves out what is not finite, even a negative radius beside it", (c) => { c.moveTo(0, 0); c.lineTo(100, 0); for (const a of broken(0, 0, 50, 0, 6)) c.arc(...a, true); const e = error(() => c.arc(NaN, 0, -1, 0, 1)); c.lineTo(100, 50); c.lineTo(0, 50); c.fill(); return [cells(c), e]; }, ["K", "none"]);
check("arc makes a boolean of its last argument", (c) => pie(c, 0, PI / 2, "yes"), ".###");
check("ellipse has two radii", (c) => { c.ellipse(50, 25, 40, 10, 0, 0, 2 * PI); c.fill(); return [at(c, 11, 25), at(c, 8, 25), at(c, 50, 16), at(c, 50, 13)]; }, ["black", "none", "black", "none"]);
check("ellipse is turned by its rotation", (c) => { c.ellipse(50, 25, 10, 40, PI / 2, 0, 2 * PI); c.fill(); return [at(c, 11, 25), at(c, 50, 16), at(c, 50, 13)]; }, ["black", "black", "none"]);
check("ellipse takes its angles from its own axes", (c) => { c.ellipse(50, 25, 20, 20, PI / 2, 0, PI); c.fill(); return [at(c, 40, 25), at(c, 60, 25)]; }, ["black", "none"]);
check("ellipse counterclockwise takes the other way", (c) => { c.ellipse(50, 25, 20, 20, 0, 0, PI, true); c.fill(); return [at(c, 50, 15), at(c, 50, 35)]; }, ["black", "none"]);
check("ellipse is joined by a line", (c) => { c.moveTo(0, 25); c.ellipse(200, 25, 5, 9, 0, 0, 2 * PI); return wide(c); }, "K");
check("ellipse with a radius of zero is a line", (c) => { c.lineWidth = 10; c.ellipse(50, 25, 30, 0, 0, 0, PI); c.stroke(); return [at(c, 50, 25), at(c, 22, 25), at(c, 18, 25)]; }, ["black", "black", "none"]);
check("ellipse refuses negative radii", (c) => [error(() => c.ellipse(0, 0, -1, 1, 0, 0, 1)), error(() => c.ellipse(0, 0, 1, -1, 0, 0, 1)), error(() => new Path2D().ellipse(0, 0, -1, -1, 0, 0, 1))], Array(3).fill("IndexSizeError"));
check("ellipse leaves out what is not finite", (c) => { for (const a of broken(50, 25, 30, 20, 0, 0, 6)) c.ellipse(...a); c.fill(); return whole(c); }, "none");
check("ellipse needs seven numbers", (c) => error(() => c.ellipse(1, 2, 3, 4, 5, 6)), "TypeError");
return report(); //= {"checks":41,"failed":[]}
---
// paths: rect
import { check, report, cells, at, whole, fill, broken, near } from "checks";
const wide = (c, w) => { c.lineWidth = w; c.stroke(); return cells(c); };
check("rect adds a rectangle", (c) => { c.rect(20, 10, 30, 20); c.fill(); return cells(c); }, "........../..KKK...../..KKK...../........../..........");
check("rect begins a subpath of its own", (c) => { c.moveTo(-100, 25); c.lineTo(-50, 25); c.rect(200, 25, 1, 1); return wide(c, 50); }, ".");
check("rect is closed, with a join at its corner", (c) => { c.rect(100, 50, 100, 100); return wide(c, 200); }, "K");
check("after rect the path goes on at its corner", (c) => { c.rect(200, 100, 400, 1000); c.lineTo(-2000, -1000); return wide(c, 100); }, "K");
check("what goes on after rect has caps, not a join", (c) => { c.lineCap = "round"; c.lineJoin = "bevel"; c.rect(150, 150, 2000, 2000); c.lineTo(160, 160); c.lineWidth = 450; c.stroke(); return [at(c, 1, 1), at(c, 98, 1), at(c, 1, 48), at(c, 98, 48)]; }, Array(4).fill("black"));
check("rect without height is a line", (c) => { c.rect(0, 50, 100, 0); return wide(c, 100); }, "K");
check("rect without width is a line", (c) => { c.rect(50, -100, 0, 250); return wide(c, 100); }, "K");
check("rect without both draws nothing", (c) => { c.rect(50, 25, 0, 0); return wide(c, 100); }, ".");
check("rect without both is where the path goes on", (c) => { c.rect(100, 25, 0, 0); c.lineTo(0, 25); return wide(c, 50); }, "K");
check("rect without both is not joined to what was before", (c) => { c.moveTo(0, 0); c.rect(100, 25, 0, 0); return wide(c, 50); }, ".");
check("rect without height has no miters above the limit", (c) => { c.miterLimit = 1.4; c.rect(100, 25, 1000, 0); return wide(c, 200); }, ".");
check("rect takes negative sizes", (c) => { c.rect(0, 0, 50, 25); c.rect(100, 0, -50, 25); c.rect(0, 50, 50, -25); c.rect(100, 50, -50, -25); c.fill(); return cells(c); }, "K");
check("rect winds the other way with one negative size", (c) => { c.rect(0, 0, 50, 50); c.rect(100, 50, -50, -50); c.rect(0, 25, 100, -25); c.rect(100, 25, -100, 25); c.fill(); return cells(c); }, ".");
check("the stroke of a rect smaller than its line has no hole", (c) => { c.rect(45, 20, 10, 10); return wide(c, 90); }, "K");
check("rect leaves out what is not finite", (c) => { c.moveTo(0, 0); c.lineTo(100, 0); for (const a of broken(0, 50, 1, 1)) c.rect(...a); c.lineTo(100, 50); c.lineTo(0, 50); c.fill(); return cells(c); }, "K");
check("rect between pixels covers its edges in part", (c) => { c.rect(10.5, 10.25, 20, 20); c.fill(); return [at(c, 10, 15), at(c, 15, 10), at(c, 10, 10), at(c, 15, 30)].map((p) => p.rgba[3]); }, [near(128, 2), near(191, 2), near(96, 2), near(64, 2)]);
return report(); //= {"checks":16,"failed":[]}
