// hits: isPointInPath
import { check, report, error } from "checks";
const hits = (c, ...points) => points.map(([x, y]) => c.isPointInPath(x, y) ? "#" : ".").join("");
check("isPointInPath tells inside from outside", (c) => { c.rect(20, 0, 20, 20); return hits(c, [10, 10], [30, 10], [50, 10]); }, ".#.");
check("isPointInPath counts the outline as inside", (c) => { c.rect(0, 0, 20, 20); return hits(c, [0, 0], [10, 0], [20, 0], [20, 10], [20, 20], [10, 20], [0, 20], [0, 10]); }, "########");
check("isPointInPath is exact to a hundredth", (c) => { c.rect(0, 0, 20, 20); return hits(c, [10, -0.01], [10, 20.01], [-0.01, 10], [20.01, 10]); }, "....");
check("isPointInPath of an empty path is false", (c) => hits(c, [0, 0]), ".");
check("isPointInPath of a point alone", (c) => { c.moveTo(5, 5); return hits(c, [6, 6]); }, ".");
check("isPointInPath looks at all subpaths", (c) => { c.rect(0, 0, 20, 20); c.beginPath(); c.rect(20, 0, 20, 20); c.closePath(); c.rect(40, 0, 20, 20); return hits(c, [10, 10], [30, 10], [50, 10]); }, ".##");
check("isPointInPath works outside the surface", (c) => { c.rect(0, -100, 20, 20); return hits(c, [10, -110], [10, -90], [10, -70]); }, ".#.");
check("isPointInPath closes open subpaths", (c) => { c.moveTo(0, 0); c.lineTo(20, 0); c.lineTo(20, 20); c.lineTo(0, 20); return hits(c, [10, 10], [30, 10], [1, 10]); }, "#.#");
check("isPointInPath of half a disc", (c) => { c.arc(50, 25, 10, 0, Math.PI); return hits(c, [50, 20], [50, 30], [50, 40], [30, 30], [70, 30]); }, ".#...");
check("isPointInPath of an arc of more than a turn", (c) => { c.arc(50, 25, 10, 0, 7); return hits(c, [50, 10], [50, 20], [50, 30], [50, 40], [30, 20]); }, ".##..");
check("isPointInPath of a curve", (c) => { c.moveTo(25, 25); c.bezierCurveTo(50, -50, 50, 100, 75, 25); return hits(c, [25, 20], [30, 20], [40, 2], [40, 20], [40, 30], [55, 20], [55, 30], [60, 30], [60, 47], [75, 30]); }, ".#.#..##..");
check("isPointInPath counts windings", (c) => { c.rect(0, 0, 50, 50); c.rect(40, 10, -30, 30); return hits(c, [5, 5], [25, 25], [45, 45]); }, "#.#");
check("isPointInPath takes a rule", (c) => { c.rect(0, 0, 50, 50); c.rect(10, 10, 30, 30); return [c.isPointInPath(25, 25), c.isPointInPath(25, 25, "nonzero"), c.isPointInPath(25, 25, "evenodd"), c.isPointInPath(5, 5, "evenodd")]; }, [true, true, false, true]);
check("isPointInPath takes points of the surface, whatever the matrix", (c) => { c.translate(50, 0); c.rect(0, 0, 20, 20); return hits(c, [10, 10], [49, 10], [51, 10], [69, 10], [71, 10]); }, "..##.");
check("isPointInPath keeps the points of a path when the matrix changes", (c) => { c.rect(50, 0, 20, 20); c.translate(50, 0); return hits(c, [10, 10], [51, 10], [71, 10]); }, ".#.");
check("isPointInPath of a mirrored path", (c) => { c.scale(-1, 1); c.rect(-70, 0, 20, 20); return hits(c, [-60, 10], [60, 10]); }, ".#");
check("isPointInPath after a matrix without inverse is false", (c) => { c.scale(0, 0); c.rect(-10, -10, 20, 20); return hits(c, [0, 0]); }, ".");
check("isPointInPath under an enormous scale", (c) => { c.scale(1e300, 1e300); c.rect(-10, -10, 20, 20); return hits(c, [0, 0]); }, "#");
check("isPointInPath is false for what is not finite", (c) => { c.rect(-100, -50, 200, 100); return hits(c, [Infinity, 0], [-Infinity, 0], [NaN, 0], [0, Infinity], [0, NaN], [NaN, NaN]); }, "......");
check("isPointInPath takes a Path2D", (c) => { const p = new Path2D(); p.rect(0, 0, 50, 50); p.rect(10, 10, 30, 30); return [c.isPointInPath(p, 25, 25), c.isPointInPath(p, 25, 25, undefined), c.isPointInPath(p, 25, 25, "evenodd"), c.isPointInPath(p, 60, 25), c.isPointInPath(p, NaN, 25)]; }, [true, true, false, false, false]);
check("isPointInPath transforms a Path2D", (c) => { const p = new Path2D(); p.rect(0, 0, 10, 10); c.translate(50, 0); return [c.isPointInPath(p, 55, 5), c.isPointInPath(p, 5, 5)]; }, [true, false]);
check("isPointInPath refuses other rules", (c) => [error(() => c.isPointInPath(1, 1, "odd")), error(() => c.isPointInPath(new Path2D(), 1, 1, "odd")), error(() => c.isPointInPath(new Path2D(), 1, 1, null))], Array(3).fill("TypeError"));
check("isPointInPath refuses what is not a path", (c) => [null, undefined, [], {}].flatMap((p) => [error(() => c.isPointInPath(p, 50, 50)), error(() => c.isPointInPath(p, 50, 50, "nonzero"))]), Array(8).fill("TypeError"));
check("isPointInPath needs two numbers", (c) => error(() => c.isPointInPath(1)), "TypeError");
check("isPointInPath does not look at the clip", (c) => { c.rect(0, 0, 1, 1); c.clip(); c.beginPath(); c.rect(0, 0, 50, 50); return hits(c, [25, 25]); }, "#");
return report(); //= {"checks":25,"failed":[]}
---
// hits: isPointInStroke
import { check, report, error } from "checks";
const hits = (c, ...points) => points.map(([x, y]) => c.isPointInStroke(x, y) ? "#" : ".").join("");
check("isPointInStroke tells the line from what it encloses", (c) => { c.lineWidth = 4; c.rect(10, 10, 30, 30); return hits(c, [10, 20], [11.5, 20], [13, 20], [25, 25], [25, 10], [7, 20]); }, "##..#.");
check("isPointInStroke of an empty path is false", (c) => hits(c, [0, 0]), ".");
check("isPointInStroke uses the width that is set", (c) => { c.moveTo(0, 25); c.lineTo(100, 25); const thin = hits(c, [50, 30]); c.lineWidth = 20; return thin + hits(c, [50, 30]); }, ".#");
check("isPointInStroke knows caps", (c) => { c.lineWidth = 20; c.moveTo(20, 25); c.lineTo(80, 25); const butt = hits(c, [12, 25], [12, 17]); c.lineCap = "round"; const round = hits(c, [12, 25], [12, 17]); c.lineCap = "square"; return [butt, round, hits(c, [12, 25], [12, 17])]; }, ["..", "#.", "##"]);
check("isPointInStroke knows joins", (c) => { c.lineWidth = 20; c.moveTo(10, 20); c.lineTo(30, 20); c.lineTo(30, 50); const miter = hits(c, [39, 11]); c.lineJoin = "bevel"; return miter + hits(c, [39, 11]); }, "#.");
check("isPointInStroke knows dashes", (c) => { c.lineWidth = 10; c.setLineDash([20, 20]); c.moveTo(0, 25); c.lineTo(100, 25); return hits(c, [10, 25], [30, 25], [50, 25], [70, 25]); }, "#.#.");
check("isPointInStroke knows dashes on a scaled ellipse", (c) => { c.setLineDash([10, 21.4159]); c.scale(20, 20); c.ellipse(6, 10, 5, 5, 0, 2 * Math.PI, false); return hits(c, [220, 200], [174, 284.2], [82, 292.6], [74.8, 289.2]); }, "###.");
check("isPointInStroke takes points of the surface, whatever the matrix", (c) => { c.scale(10, 1); c.lineWidth = 2; c.moveTo(5, 0); c.lineTo(5, 50); return hits(c, [41, 25], [59, 25], [61, 25], [5, 25]); }, "##..");
check("isPointInStroke takes a Path2D", (c) => { const p = new Path2D(); p.rect(10, 10, 30, 30); c.lineWidth = 4; return [c.isPointInStroke(p, 10, 20), c.isPointInStroke(p, 25, 25), c.isPointInStroke(p, NaN, 25)]; }, [true, false, false]);
check("isPointInStroke is false for what is not finite", (c) => { c.lineWidth = 500; c.rect(-100, -50, 200, 100); return hits(c, [Infinity, 0], [NaN, 0], [0, -Infinity]); }, "...");
check("isPointInStroke refuses what is not a path", (c) => [null, undefined, [], {}].map((p) => error(() => c.isPointInStroke(p, 50, 50))), Array(4).fill("TypeError"));
check("isPointInStroke after a matrix without inverse is false", (c) => { c.scale(0, 0); c.rect(-10, -10, 20, 20); return hits(c, [0, 0]); }, ".");
return report(); //= {"checks":12,"failed":[]}
---
// hits: Path2D
import { check, report, cells, at, whole, error } from "checks";
check("a new Path2D is empty", (c) => { c.fill(new Path2D()); return whole(c); }, "none");
check("Path2D needs new", () => error(() => Path2D()), "TypeError");
check("Path2D has the methods of paths", () => ["closePath", "moveTo", "lineTo", "quadraticCurveTo", "bezierCurveTo", "arcTo", "rect", "roundRect", "arc", "ellipse", "addPath"].filter((n) => typeof Path2D.prototype[n] !== "function"), []);
check("Path2D copies another, which does not follow it", (c) => { const p = new Path2D(); p.rect(0, 0, 50, 50); const q = new Path2D(p); p.rect(50, 0, 50, 50); c.fill(q); return cells(c); }, "KKKKK.....");
check("Path2D reads path data", (c) => { c.fill(new Path2D("M 0 0 L 50 0 L 50 50 L 0 50 Z")); return cells(c); }, "KKKKK.....");
check("path data has relative commands", (c) => { c.fill(new Path2D("m10 0h40v50h-40z")); return cells(c); }, ".KKKK.....");
check("path data repeats commands and does without commas", (c) => { c.fill(new Path2D("M0,0 50,0 50,50 0,50")); return cells(c); }, "KKKKK.....");
check("path data has curves", (c) => { c.lineWidth = 50; c.stroke(new Path2D("M0 25C50 25 50 25 50 25")); return cells(c); }, "KKKKK.....");
check("path data has smooth curves", (c) => { c.fill(new Path2D("M0 50C0 0 50 0 50 50S100 100 100 50Z")); return [at(c, 25, 20), at(c, 75, 20)]; }, ["black", "none"]);
check("path data has quadratic curves", (c) => { c.fill(new Path2D("M0 50Q25 -50 50 50T100 50Z")); return [at(c, 25, 10), at(c, 75, 10)]; }, ["black", "none"]);
check("path data has arcs", (c) => { c.fill(new Path2D("M30 25A20 20 0 0 1 70 25Z")); return [at(c, 50, 8), at(c, 50, 40)]; }, ["black", "none"]);
check("path data has arcs with flags in one word", (c) => { c.fill(new Path2D("M30 25a20 20 0 0170 25")); return at(c, 1, 1); }, "none");
check("path data is drawn up to its error", (c) => { c.fill(new Path2D("M0 0H50V50H0Z M 60 0 L x")); return cells(c); }, "KKKKK.....");
check("path data that begins with anything but M is empty", (c) => { c.fill(new Path2D("L 50 0 L 50 50 L 0 50")); return whole(c); }, "none");
check("path data has numbers with exponents and without zeros", (c) => { c.fill(new Path2D("M0 0H5e1V.5e2H-.0z")); return cells(c); }, "KKKKK.....");
check("addPath adds another path", (c) => { const p = new Path2D(), q = new Path2D(); p.rect(0, 0, 20, 50); q.rect(80, 0, 20, 50); p.addPath(q); c.fill(p); return cells(c); }, "KK......KK");
check("addPath transforms what it adds", (c) => { const p = new Path2D(), q = new Path2D(); q.rect(0, 0, 10, 50); p.addPath(q, new DOMMatrix([2, 0, 0, 1, 30, 0])); c.fill(p); return cells(c); }, "...KK.....");
check("addPath takes an object as matrix", (c) => { const p = new Path2D(), q = new Path2D(); q.rect(0, 0, 10, 50); p.addPath(q, { e: 50 }); c.fill(p); return cells(c); }, ".....K....");
check("addPath with a matrix that is not finite adds nothing", (c) => { const p = new Path2D(), q = new Path2D(); q.rect(0, 0, 10, 50); p.addPath(q, { e: NaN }); c.fill(p); return whole(c); }, "none");
check("addPath of a path to itself keeps it", (c) => { const p = new Path2D(); p.rect(0, 0, 10, 50); p.addPath(p, { e: 50 }); c.fill(p); return cells(c); }, "K....K....");
check("addPath refuses what is not a path", () => [error(() => new Path2D().addPath(null)), error(() => new Path2D().addPath({})), error(() => new Path2D().addPath())], Array(3).fill("TypeError"));
check("a Path2D may be changed after it was drawn", (c) => { const p = new Path2D(); p.rect(0, 0, 10, 50); c.fill(p); p.rect(50, 0, 10, 50); c.fill(p); return cells(c); }, "K....K....");
check("drawing a Path2D leaves the current path", (c) => { c.rect(0, 0, 10, 50); c.fill(new Path2D("M50 0H60V50H50Z")); c.fill(); return cells(c); }, "K....K....");
check("a Path2D is drawn under the matrix of the moment", (c) => { const p = new Path2D("M0 0H10V50H0Z"); c.fill(p); c.translate(50, 0); c.fill(p); return cells(c); }, "K....K....");
check("a Path2D is filled by the rule that is given", (c) => { const p = new Path2D(); p.rect(0, 0, 100, 50); p.rect(0, 0, 50, 50); c.fill(p, "evenodd"); return cells(c); }, ".....KKKKK");
check("a Path2D draws on several surfaces", (c) => { const p = new Path2D("M0 0H50V50H0Z"), d = createCanvas(100, 50).getContext("2d"); d.fill(p); c.fill(p); return [cells(c), cells(d)]; }, ["KKKKK.....", "KKKKK....."]);
return report(); //= {"checks":26,"failed":[]}
