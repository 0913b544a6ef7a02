// shapes: roundRect
import { check, report, cells, at, whole, fill, broken, error } from "checks";
// rounded tells for the corners from the top left clockwise which are cut off.
const rounded = (c) => [[1, 1], [98, 1], [98, 48], [1, 48]].map(([x, y]) => at(c, x, y).rgba[3] === 255 ? "-" : "o").join("");
const round = (...radii) => (c) => { c.roundRect(0, 0, 100, 50, ...radii); c.fill(); return rounded(c); };
check("roundRect without radii is a rectangle", round(), "----");
check("roundRect with one number rounds all corners", round(20), "oooo");
check("roundRect with an empty list is refused", (c) => error(() => c.roundRect(0, 0, 9, 9, [])), "RangeError");
check("roundRect with a list of one rounds all corners", round([20]), "oooo");
check("roundRect with a list of two rounds top left and bottom right with the first", round([20, 0]), "o-o-");
check("roundRect with a list of two rounds the others with the second", round([0, 20]), "-o-o");
check("roundRect with a list of three rounds top left with the first", round([20, 0, 0]), "o---");
check("roundRect with a list of three rounds top right and bottom left with the second", round([0, 20, 0]), "-o-o");
check("roundRect with a list of three rounds bottom right with the third", round([0, 0, 20]), "--o-");
check("roundRect with a list of four rounds top left with the first", round([20, 0, 0, 0]), "o---");
check("roundRect with a list of four rounds top right with the second", round([0, 20, 0, 0]), "-o--");
check("roundRect with a list of four rounds bottom right with the third", round([0, 0, 20, 0]), "--o-");
check("roundRect with a list of four rounds bottom left with the fourth", round([0, 0, 0, 20]), "---o");
check("roundRect with a list of five is refused", (c) => error(() => c.roundRect(0, 0, 9, 9, [1, 2, 3, 4, 5])), "RangeError");
check("roundRect takes points as radii", (c) => { c.roundRect(0, 0, 100, 50, { x: 40, y: 20 }); c.fill(); return [at(c, 20, 1), at(c, 42, 1), at(c, 1, 10), at(c, 1, 22)]; }, ["none", "black", "none", "black"]);
check("roundRect takes a DOMPoint as radius", (c) => { c.roundRect(0, 0, 100, 50, new DOMPoint(40, 20)); c.fill(); return [at(c, 20, 1), at(c, 42, 1), at(c, 1, 10), at(c, 1, 22)]; }, ["none", "black", "none", "black"]);
check("roundRect takes points in its list", (c) => { c.roundRect(0, 0, 100, 50, [0, new DOMPoint(40, 20), 0, { x: 40, y: 20 }]); c.fill(); return [at(c, 1, 1), at(c, 79, 1), at(c, 98, 10), at(c, 58, 1), at(c, 20, 48), at(c, 98, 48)]; }, ["black", "none", "none", "black", "none", "black"]);
check("roundRect takes a point without x as round by nothing", round([{ y: 20 }]), "----");
check("roundRect makes numbers of radii", round(["20", 0]), "o-o-");
check("roundRect scales radii down together when they do not fit", (c) => { c.roundRect(0, 0, 100, 50, [100, 0, 0, 0]); c.fill(); return [at(c, 48, 1), at(c, 51, 1), at(c, 1, 48)]; }, [[0, 0, 0, 255], "black", "black"]);
check("roundRect with radii of the size makes an ellipse of circles", (c) => { c.roundRect(0, 0, 100, 50, 1000); c.fill(); return [rounded(c), at(c, 26, 1), at(c, 4, 5), at(c, 8, 12)]; }, ["oooo", "black", "none", "black"]);
check("roundRect refuses negative radii", (c) => [-1, [-1], [1, -1], [{ x: -1, y: 1 }], [{ x: 1, y: -1 }], [1, 1, 1, -1]].map((r) => error(() => c.roundRect(0, 0, 9, 9, r))), Array(6).fill("RangeError"));
check("roundRect leaves out what is not finite", (c) => {
  c.moveTo(0, 0); c.lineTo(100, 0);
  for (const a of broken(0, 50, 1, 1)) c.roundRect(...a, [0]);
  for (const bad of [Infinity, -Infinity, NaN]) for (const r of [bad, [bad], [0, bad], [0, 0, bad], [0, 0, 0, bad], [{ x: bad, y: 1 }], [{ x: 1, y: bad }], [new DOMPoint(bad, 1)]]) c.roundRect(0, 0, 100, 100, r);
  c.lineTo(100, 50); c.lineTo(0, 50); c.fill(); return cells(c);
}, "K");
check("roundRect with one negative size mirrors its corners", (c) => { c.roundRect(100, 0, -100, 50, [20, 0, 0, 0]); c.fill(); return rounded(c); }, "-o--");
check("roundRect with both sizes negative turns its corners", (c) => { c.roundRect(100, 50, -100, -50, [20, 0, 0, 0]); c.fill(); return rounded(c); }, "--o-");
check("roundRect with a negative size winds the other way", (c) => { c.roundRect(0, 0, 100, 50, 0); c.roundRect(100, 0, -100, 50, 0); c.fill(); return whole(c); }, "none");
check("roundRect begins a subpath and goes on at its corner", (c) => { c.moveTo(-100, 25); c.lineTo(-50, 25); c.roundRect(200, 25, 1, 1, 0); c.lineWidth = 50; c.stroke(); const first = cells(c); c.beginPath(); c.roundRect(200, 25, 400, 1000, 0); c.lineTo(-2000, 25); c.stroke(); return [first, cells(c)]; }, [".", "K"]);
check("roundRect goes on at its corner though that is round", (c) => { c.roundRect(101, 51, 2000, 2000, [500]); c.lineTo(-1, -1); c.lineWidth = 100; c.stroke(); return [at(c, 1, 1), at(c, 98, 48)]; }, ["black", "black"]);
check("roundRect without height is a line", (c) => { c.roundRect(0, 50, 100, 0, 0); c.lineWidth = 100; c.stroke(); return cells(c); }, "K");
check("roundRect without both sizes draws nothing", (c) => { c.roundRect(50, 25, 0, 0, 0); c.lineWidth = 100; c.stroke(); return whole(c); }, "none");
check("roundRect of a Path2D takes the same radii", (c) => { const p = new Path2D(); p.roundRect(0, 0, 100, 50, [0, 20]); c.fill(p); return rounded(c); }, "-o-o");
return report(); //= {"checks":31,"failed":[]}
---
// shapes: fill
import { check, report, cells, at, whole, fill, error } from "checks";
const ring = (c, turn) => { c.rect(0, 0, 100, 50); if (turn) c.rect(80, 10, -60, 30); else c.rect(20, 10, 60, 30); };
check("fill closes open subpaths", (c) => { c.moveTo(0, 0); c.lineTo(50, 0); c.lineTo(50, 50); c.lineTo(0, 50); c.fill(); return cells(c); }, "KKKKK.....");
check("fill closes each subpath for itself", (c) => { c.moveTo(0, 0); c.lineTo(20, 0); c.lineTo(20, 50); c.lineTo(0, 50); c.moveTo(80, 0); c.lineTo(100, 0); c.lineTo(100, 50); c.lineTo(80, 50); c.fill(); return cells(c); }, "KK......KK");
check("fill does not close the path that goes on", (c) => { c.moveTo(0, 0); c.lineTo(100, 0); c.fill(); c.lineTo(100, 50); c.lineTo(0, 50); c.fill(); return cells(c); }, "K");
check("shapes in the same direction add up", (c) => { ring(c); c.fill(); return cells(c); }, "K");
check("shapes in opposite directions make a hole", (c) => { ring(c, true); c.fill(); return cells(c); }, "KKKKKKKKKK/KK......KK/KK......KK/KK......KK/KKKKKKKKKK");
check("evenodd makes a hole of any overlap", (c) => { ring(c); c.fill("evenodd"); return cells(c); }, "KKKKKKKKKK/KK......KK/KK......KK/KK......KK/KKKKKKKKKK");
check("nonzero is the rule by default", (c) => { ring(c); c.fill("nonzero"); return cells(c); }, "K");
check("fill with undefined uses the default rule", (c) => { ring(c); c.fill(undefined); return cells(c); }, "K");
check("fill refuses other rules", (c) => [error(() => c.fill("odd")), error(() => c.fill("EVENODD")), error(() => c.fill(""))], Array(3).fill("TypeError"));
check("fill refuses what is neither a rule nor a path", (c) => [error(() => c.fill(null)), error(() => c.fill({})), error(() => c.fill(null, "nonzero")), error(() => c.fill([], "nonzero"))], Array(4).fill("TypeError"));
check("fill and clip refuse a rule after what is no path", (c) => [error(() => c.fill(undefined, "evenodd")), error(() => c.fill("nonzero", "evenodd")), error(() => c.clip("nonzero", "evenodd"))], Array(3).fill("TypeError"));
check("two windings against one leave one", (c) => { c.rect(0, 0, 100, 50); c.rect(0, 0, 100, 50); c.rect(100, 0, -100, 50); c.fill(); return cells(c); }, "K");
check("parts of a shape that overlap are painted once", (c) => { c.fillStyle = "rgba(0,0,0,0.5)"; c.rect(0, 0, 60, 50); c.rect(40, 0, 60, 50); c.fill(); return whole(c); }, [0, 0, 0, 128]);
check("a star of five lines is full by winding", (c) => { for (let i = 0; i < 5; i++) c.lineTo(50 + 24 * Math.sin(4 * Math.PI * i / 5), 25 - 24 * Math.cos(4 * Math.PI * i / 5)); c.fill(); return at(c, 50, 25); }, "black");
check("a star of five lines is hollow by parity", (c) => { for (let i = 0; i < 5; i++) c.lineTo(50 + 24 * Math.sin(4 * Math.PI * i / 5), 25 - 24 * Math.cos(4 * Math.PI * i / 5)); c.fill("evenodd"); return [at(c, 50, 25), at(c, 50, 8)]; }, ["none", "black"]);
check("shapes beside each other leave no seam of their background", (c) => { c.fillStyle = "lime"; c.rect(0, 0, 50, 50); c.rect(50, 0, 50, 50); c.fill(); return whole(c); }, "lime");
return report(); //= {"checks":16,"failed":[]}
---
// shapes: stroke
import { check, report, cells, at, whole, fill, error } from "checks";
check("stroke leaves subpaths open", (c) => { c.moveTo(-100, -100); c.lineTo(-100, 100); c.lineTo(300, 100); c.lineTo(300, -100); c.lineWidth = 150; c.stroke(); return at(c, 50, 10); }, "none");
check("stroke draws all subpaths", (c) => { c.lineWidth = 10; c.moveTo(0, 5); c.lineTo(100, 5); c.moveTo(0, 45); c.lineTo(100, 45); c.stroke(); return cells(c); }, "KKKKKKKKKK/........../........../........../KKKKKKKKKK");
check("subpaths of one stroke that cross are painted once", (c) => { c.strokeStyle = "rgba(0,0,0,0.5)"; c.lineWidth = 20; c.moveTo(0, 25); c.lineTo(100, 25); c.moveTo(50, 0); c.lineTo(50, 50); c.stroke(); return [at(c, 50, 25), at(c, 20, 25)]; }, [[0, 0, 0, 128], [0, 0, 0, 128]]);
check("stroke skips lines of no length between others", (c) => { c.lineWidth = 50; c.lineCap = "butt"; c.moveTo(0, 25); c.lineTo(0, 25); c.lineTo(50, 25); c.lineTo(50, 25); c.stroke(); return cells(c); }, "KKKKK.....");
check("stroke drops curves that go nowhere", (c) => { c.lineWidth = 50; c.lineCap = "round"; c.moveTo(50, 25); c.quadraticCurveTo(50, 25, 50, 25); c.moveTo(50, 25); c.bezierCurveTo(50, 25, 50, 25, 50, 25); c.stroke(); return whole(c); }, "none");
check("stroke drops arcs that go nowhere", (c) => { c.lineWidth = 50; c.lineCap = "round"; c.moveTo(50, 25); c.arcTo(50, 25, 150, 25, 10); c.stroke(); return whole(c); }, "none");
check("stroke drops a rect without sizes, with every join", (c) => { c.lineWidth = 50; c.lineCap = "round"; c.lineJoin = "round"; c.rect(50, 25, 0, 0); c.stroke(); return whole(c); }, "none");
check("a repeated corner point does not change the join", (c) => { c.lineWidth = 40; c.moveTo(20, 100); c.lineTo(20, 20); c.lineTo(20, 20); c.lineTo(100, 20); c.stroke(); return at(c, 1, 1); }, "black");
check("stroke under an uneven scale has uneven width", (c) => { c.scale(1, 5); c.lineWidth = 4; c.strokeRect(30, 4, 40, 2); return [at(c, 27, 25), at(c, 28, 25), at(c, 50, 10), at(c, 50, 9), at(c, 50, 39), at(c, 50, 40)]; }, ["none", "black", "black", "none", "black", "none"]);
check("stroke under a shear shears the line", (c) => { c.transform(1, 0, 2, 1, 0, 0); c.lineWidth = 10; c.moveTo(0, 0); c.lineTo(0, 50); c.stroke(); return [at(c, 20, 10), at(c, 40, 20), at(c, 13, 10)]; }, ["black", "black", "none"]);
check("stroke of a whole circle has no gap", (c) => { c.lineWidth = 6; c.arc(50, 25, 20, 1, 1 + 2 * Math.PI); c.stroke(); let gaps = 0; for (let a = 0; a < 360; a += 5) if (at(c, 50 + 20 * Math.cos(a * Math.PI / 180) | 0, 25 + 20 * Math.sin(a * Math.PI / 180) | 0).rgba[3] < 250) gaps++; return gaps; }, 0);
check("lines in opposite directions add up", (c) => { c.lineWidth = 40; c.moveTo(0, 10); c.lineTo(100, 10); c.moveTo(100, 40); c.lineTo(0, 40); c.stroke(); return cells(c); }, "K");
check("stroke does not begin a subpath", (c) => { c.lineWidth = 50; c.moveTo(0, 25); c.lineTo(0, -100); c.lineTo(100, -100); c.lineTo(100, 25); c.stroke(); c.closePath(); c.stroke(); return at(c, 50, 25); }, "black");
check("stroke under a rotation and an uneven scale", (c) => { c.rect(25, 12.5, 50, 25); c.rotate(Math.PI / 2); c.scale(25, 50); c.strokeStyle = "lime"; c.stroke(); return whole(c); }, "lime");
check("stroke of what lies beside the surface stays there under an uneven scale", (c) => { c.rect(-25, -12.5, 150, 75); c.scale(50, 25); c.stroke(); return whole(c); }, "none");
check("a line far away is skewed onto the surface", (c) => { c.moveTo(49, -50); c.lineTo(201, -50); c.rotate(Math.PI / 4); c.scale(1, 283); c.strokeStyle = "lime"; c.stroke(); return whole(c); }, "lime");
check("a line far away is skewed past the surface", (c) => { c.translate(-150, 0); c.moveTo(49, -50); c.lineTo(199, -50); c.rotate(Math.PI / 4); c.scale(1, 142); c.stroke(); return whole(c); }, "none");
check("stroke of a path takes a Path2D", (c) => { const p = new Path2D(); p.moveTo(0, 25); p.lineTo(50, 25); c.lineWidth = 50; c.stroke(p); return cells(c); }, "KKKKK.....");
check("stroke refuses what is not a path", (c) => [error(() => c.stroke(null)), error(() => c.stroke(undefined)), error(() => c.stroke({})), error(() => c.stroke("M 0 0"))], Array(4).fill("TypeError"));
check("stroke of a shape with a hole leaves the hole", (c) => { c.lineWidth = 4; c.strokeRect(10, 10, 80, 30); return [at(c, 50, 25), at(c, 10, 25), at(c, 50, 10)]; }, ["none", "black", "black"]);
return report(); //= {"checks":20,"failed":[]}
---
// shapes: fillRect, strokeRect, clearRect
import { check, report, cells, at, whole, fill, broken, error } from "checks";
check("fillRect fills a rectangle", (c) => { c.fillRect(20, 10, 30, 20); return cells(c); }, "........../..KKK...../..KKK...../........../..........");
check("fillRect takes negative sizes", (c) => { c.fillRect(50, 30, -30, -20); return cells(c); }, "........../..KKK...../..KKK...../........../..........");
check("fillRect without a size draws nothing", (c) => { c.fillRect(0, 0, 100, 0); c.fillRect(0, 0, 0, 50); return whole(c); }, "none");
check("fillRect leaves the path as it is", (c) => { c.rect(0, 0, 50, 50); c.fillStyle = "lime"; c.fillRect(0, 0, 10, 10); c.fill(); return cells(c); }, "GGGGG.....");
check("fillRect leaves out what is not finite", (c) => { for (const a of broken(0, 0, 100, 50)) c.fillRect(...a); return whole(c); }, "none");
check("fillRect needs four numbers", (c) => error(() => c.fillRect(0, 0, 1)), "TypeError");
check("fillRect is transformed and clipped", (c) => { c.beginPath(); c.rect(0, 0, 40, 50); c.clip(); c.translate(20, 0); c.fillRect(0, 0, 100, 50); return cells(c); }, "..KK......");
check("fillRect between pixels covers its edges in part", (c) => { c.fillRect(10.5, 0, 1, 50); return [at(c, 10, 25).rgba[3] > 120, at(c, 11, 25).rgba[3] < 135, at(c, 12, 25)]; }, [true, true, "none"]);
check("fillRect that is turned covers a diamond", (c) => { c.translate(50, 25); c.rotate(Math.PI / 4); c.fillRect(-14, -14, 28, 28); return [at(c, 50, 7), at(c, 32, 25), at(c, 36, 11), at(c, 63, 38)]; }, ["black", "black", "none", "none"]);
check("strokeRect draws the outline", (c) => { c.lineWidth = 10; c.strokeRect(15, 5, 70, 40); return cells(c); }, ".KKKKKKKK./.K......K./.K......K./.K......K./.KKKKKKKK.");
check("strokeRect takes negative sizes", (c) => { c.lineWidth = 10; c.strokeRect(85, 45, -70, -40); return cells(c); }, ".KKKKKKKK./.K......K./.K......K./.K......K./.KKKKKKKK.");
check("strokeRect without height is a line", (c) => { c.lineWidth = 50; c.strokeRect(0, 25, 50, 0); return at(c, 25, 25); }, "black");
check("strokeRect without both sizes draws nothing", (c) => { c.lineWidth = 50; c.strokeRect(50, 25, 0, 0); c.lineCap = "round"; c.lineJoin = "round"; c.strokeRect(50, 25, 0, 0); return whole(c); }, "none");
check("strokeRect leaves the path as it is", (c) => { c.rect(0, 0, 50, 50); c.strokeRect(60, 10, 5, 5); c.clearRect(0, 0, 100, 50); c.fill(); return cells(c); }, "KKKKK.....");
check("strokeRect leaves out what is not finite", (c) => { c.lineWidth = 50; for (const a of broken(0, 0, 100, 50)) c.strokeRect(...a); return whole(c); }, "none");
check("strokeRect has the join that is set", (c) => { c.lineWidth = 20; c.lineJoin = "round"; c.strokeRect(20, 20, 60, 60); const r = at(c, 11, 11); c.lineJoin = "miter"; c.strokeRect(20, 20, 60, 60); return [r, at(c, 11, 11)]; }, ["none", "black"]);
check("strokeRect smaller than its line has no hole", (c) => { c.lineWidth = 50; c.strokeRect(45, 20, 10, 10); return at(c, 50, 25); }, "black");
check("clearRect makes pixels transparent", (c) => { fill(c, "red"); c.clearRect(0, 0, 50, 50); return cells(c); }, ".....RRRRR");
check("clearRect takes negative sizes", (c) => { fill(c, "red"); c.clearRect(50, 50, -50, -50); return cells(c); }, ".....RRRRR");
check("clearRect without a size clears nothing", (c) => { fill(c, "lime"); c.clearRect(0, 0, 100, 0); c.clearRect(0, 0, 0, 50); return whole(c); }, "lime");
check("clearRect is clipped", (c) => { fill(c, "red"); c.rect(0, 0, 50, 50); c.clip(); c.clearRect(0, 0, 100, 50); return cells(c); }, ".....RRRRR");
check("clearRect is transformed", (c) => { fill(c, "red"); c.scale(10, 10); c.translate(0, 5); c.clearRect(0, -5, 5, 5); return cells(c); }, ".....RRRRR");
check("clearRect ignores alpha, modes, styles and shadows", (c) => { fill(c, "red"); c.globalAlpha = 0.1; c.globalCompositeOperation = "destination-over"; c.fillStyle = "lime"; c.shadowColor = "lime"; c.shadowOffsetX = 30; c.clearRect(0, 0, 50, 50); return cells(c); }, ".....RRRRR");
check("clearRect leaves the path as it is", (c) => { c.rect(0, 0, 50, 50); c.clearRect(0, 0, 16, 16); c.fill(); return cells(c); }, "KKKKK.....");
check("clearRect leaves out what is not finite", (c) => { fill(c, "lime"); for (const a of broken(0, 0, 100, 50)) c.clearRect(...a); return whole(c); }, "lime");
return report(); //= {"checks":25,"failed":[]}
---
// shapes: clip
import { check, report, cells, at, whole, fill, error } from "checks";
check("clip keeps painting inside a path", (c) => { c.rect(0, 0, 50, 50); c.clip(); c.fillRect(0, 0, 100, 50); return cells(c); }, "KKKKK.....");
check("clip with an empty path keeps everything out", (c) => { c.beginPath(); c.clip(); c.fillRect(0, 0, 100, 50); return whole(c); }, "none");
check("clip with lines that enclose nothing keeps everything out", (c) => { c.moveTo(0, 0); c.lineTo(100, 50); c.clip(); c.fillRect(0, 0, 100, 50); return whole(c); }, "none");
check("clips intersect", (c) => { c.rect(0, 0, 60, 50); c.clip(); c.beginPath(); c.rect(40, 0, 60, 50); c.clip(); c.fillRect(0, 0, 100, 50); return cells(c); }, "....KK....");
check("a clip never grows", (c) => { c.rect(0, 0, 50, 50); c.clip(); c.beginPath(); c.rect(0, 0, 100, 50); c.clip(); c.fillRect(0, 0, 100, 50); return cells(c); }, "KKKKK.....");
check("restore lifts the clip", (c) => { c.save(); c.rect(0, 0, 1, 1); c.clip(); c.restore(); c.fillRect(0, 0, 100, 50); return cells(c); }, "K");
check("clip closes open subpaths", (c) => { c.moveTo(0, 0); c.lineTo(50, 0); c.lineTo(50, 50); c.lineTo(0, 50); c.clip(); c.fillRect(0, 0, 100, 50); return cells(c); }, "KKKKK.....");
check("clip leaves the path as it is", (c) => { c.moveTo(0, 0); c.lineTo(0, 50); c.lineTo(50, 50); c.clip(); c.lineTo(50, 0); c.restore(); c.fill(); return [at(c, 5, 45), at(c, 45, 5)]; }, ["black", "none"]);
check("clip by winding has a hole where directions differ", (c) => { c.rect(0, 0, 100, 50); c.rect(80, 10, -60, 30); c.clip(); c.fillRect(0, 0, 100, 50); return cells(c); }, "KKKKKKKKKK/KK......KK/KK......KK/KK......KK/KKKKKKKKKK");
check("clip by parity has a hole where shapes overlap", (c) => { c.rect(0, 0, 100, 50); c.rect(20, 10, 60, 30); c.clip("evenodd"); c.fillRect(0, 0, 100, 50); return cells(c); }, "KKKKKKKKKK/KK......KK/KK......KK/KK......KK/KKKKKKKKKK");
check("clip takes a Path2D", (c) => { const p = new Path2D(); p.rect(50, 0, 50, 50); c.clip(p); c.fillRect(0, 0, 100, 50); return cells(c); }, ".....KKKKK");
check("clip takes a Path2D and a rule", (c) => { const p = new Path2D(); p.rect(0, 0, 100, 50); p.rect(0, 0, 50, 50); c.clip(p, "evenodd"); c.fillRect(0, 0, 100, 50); return cells(c); }, ".....KKKKK");
check("clip refuses other rules and other objects", (c) => [error(() => c.clip("odd")), error(() => c.clip(null)), error(() => c.clip({}, "nonzero"))], Array(3).fill("TypeError"));
check("clip is where it was set though the matrix changes", (c) => { c.translate(20, 0); c.rect(0, 0, 30, 50); c.clip(); c.resetTransform(); c.fillRect(0, 0, 100, 50); return cells(c); }, "..KKK.....");
check("clip holds for strokes and images", (c) => { c.rect(0, 0, 50, 50); c.clip(); c.lineWidth = 20; c.beginPath(); c.moveTo(0, 10); c.lineTo(100, 10); c.stroke(); const s = createCanvas(100, 20); fill(s.getContext("2d"), "lime"); c.drawImage(s, 0, 30); return cells(c); }, "KKKKK...../KKKKK...../........../GGGGG...../GGGGG.....");
check("the edge of a round clip is smooth", (c) => { c.arc(50, 25, 20, 0, 7); c.clip(); c.fillRect(0, 0, 100, 50); let soft = 0; for (let x = 25; x < 75; x++) { const a = at(c, x, 12).rgba[3]; if (a > 8 && a < 248) soft++; } return [soft > 0, at(c, 50, 25), at(c, 28, 25)]; }, [true, "black", "none"]);
check("a clip between pixels covers its edges in part", (c) => { c.rect(10.5, 0, 20, 50); c.clip(); c.fillRect(0, 0, 100, 50); const a = at(c, 10, 25).rgba[3]; return [a > 110 && a < 145, at(c, 11, 25), at(c, 9, 25)]; }, [true, "black", "none"]);
check("a clip outside the surface keeps everything out", (c) => { c.rect(200, 0, 50, 50); c.clip(); c.fillRect(0, 0, 300, 50); return whole(c); }, "none");
return report(); //= {"checks":18,"failed":[]}
