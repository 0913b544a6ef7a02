// transforms: translate, scale, rotate
import { check, report, cells, at, fill, broken } from "checks";
check("translate moves what is drawn", (c) => { c.translate(50, 20); c.fillStyle = "lime"; c.fillRect(-50, -20, 50, 50); return cells(c); }, "GGGGG.....");
check("translations add up", (c) => { c.translate(30, 0); c.translate(20, 0); c.fillStyle = "lime"; c.fillRect(0, 0, 50, 50); return cells(c); }, ".....GGGGG");
check("translate leaves out what is not finite", (c) => { for (const a of broken(7, 9)) c.translate(...a); c.fillStyle = "lime"; c.fillRect(0, 0, 50, 50); return cells(c); }, "GGGGG.....");
check("scale makes what is drawn larger", (c) => { c.scale(5, 2); c.fillStyle = "lime"; c.fillRect(0, 0, 10, 25); return cells(c); }, "GGGGG.....");
check("scales multiply", (c) => { c.scale(2, 5); c.scale(5, 2); c.fillStyle = "lime"; c.fillRect(2, 0, 8, 5); return cells(c); }, "..GGGGGGGG");
check("scale by a negative factor mirrors", (c) => { c.scale(-1, 1); c.fillStyle = "lime"; c.fillRect(-30, 0, 30, 50); return cells(c); }, "GGG.......");
check("scale by zero across draws nothing", (c) => { c.scale(0, 1); c.fillRect(0, 0, 100, 50); return cells(c); }, ".");
check("scale by zero down draws nothing", (c) => { c.scale(1, 0); c.fillRect(0, 0, 100, 50); return cells(c); }, ".");
check("after a scale by zero, restore draws again", (c) => { c.save(); c.scale(0, 0); c.fillRect(0, 0, 100, 50); c.restore(); c.fillStyle = "lime"; c.fillRect(0, 0, 100, 50); return cells(c); }, "G");
check("scale by a hundred thousand fills everything with one pixel", (c) => { c.scale(1e5, 1e5); c.fillStyle = "lime"; c.fillRect(0, 0, 1, 1); return cells(c); }, "G");
check("scale by a hundred thousandth takes large numbers", (c) => { c.scale(1e-5, 1e-5); c.fillStyle = "lime"; c.fillRect(0, 0, 5e6, 5e6); return cells(c); }, "GGGGG.....");
check("scale leaves out what is not finite", (c) => { for (const a of broken(0.1, 0.1)) c.scale(...a); c.fillStyle = "lime"; c.fillRect(0, 0, 50, 50); return cells(c); }, "GGGGG.....");
check("rotate by zero does nothing", (c) => { c.rotate(0); c.fillStyle = "lime"; c.fillRect(0, 0, 30, 50); return cells(c); }, "GGG.......");
check("rotate takes radians", (c) => { c.rotate(Math.PI); c.fillStyle = "lime"; c.fillRect(-30, -50, 30, 50); return cells(c); }, "GGG.......");
check("rotate turns clockwise", (c) => { c.rotate(Math.PI / 2); c.fillStyle = "lime"; c.fillRect(0, -40, 50, 40); return cells(c); }, "GGGG......");
check("rotate by a negative angle turns counterclockwise", (c) => { c.translate(0, 50); c.rotate(-Math.PI / 2); c.fillStyle = "lime"; c.fillRect(0, 0, 50, 40); return cells(c); }, "GGGG......");
check("rotate wraps angles of many turns", (c) => { c.rotate(2049 * Math.PI); c.fillStyle = "lime"; c.fillRect(-100, -50, 100, 50); return [cells(c), at(c, 98, 1), at(c, 1, 48)]; }, ["G", "lime", "lime"]);
check("rotate wraps negative angles of many turns", (c) => { c.rotate(-2049 * Math.PI); c.fillStyle = "lime"; c.fillRect(-100, -50, 100, 50); return [cells(c), at(c, 98, 1), at(c, 1, 48)]; }, ["G", "lime", "lime"]);
check("rotate leaves out what is not finite", (c) => { for (const a of broken(1)) c.rotate(...a); c.fillStyle = "lime"; c.fillRect(0, 0, 30, 50); return cells(c); }, "GGG.......");
check("the transform called last is applied to points first", (c) => { c.translate(50, 0); c.scale(2, 2); c.fillStyle = "lime"; c.fillRect(0, 0, 10, 25); return cells(c); }, ".....GG...");
check("a scale before a rotation stretches the rotated shape", (c) => { c.scale(2, 1); c.rotate(Math.PI / 2); c.fillStyle = "lime"; c.fillRect(0, -20, 50, 20); return cells(c); }, "GGGG......");
check("a rotation before a scale turns the stretched shape", (c) => { c.rotate(Math.PI / 2); c.scale(2, 1); c.fillStyle = "lime"; c.fillRect(0, -20, 25, 20); return cells(c); }, "GG........");
return report(); //= {"checks":22,"failed":[]}
---
// transforms: transform, setTransform, resetTransform
import { check, report, cells, at, fill, broken, error } from "checks";
check("transform by the identity does nothing", (c) => { c.transform(1, 0, 0, 1, 0, 0); c.fillStyle = "lime"; c.fillRect(0, 0, 30, 50); return cells(c); }, "GGG.......");
check("transform multiplies the matrix from the right", (c) => { c.transform(2, 0, 0, 1, 10, 0); c.transform(1, 0, 0, 1, 10, 0); c.fillStyle = "lime"; c.fillRect(0, 0, 10, 50); return cells(c); }, "...GG.....");
check("transform by a matrix and its inverse gives the identity", (c) => { c.transform(1, 2, 3, 4, 5, 6); c.transform(-2, 1, 1.5, -0.5, 1, -2); c.fillStyle = "lime"; c.fillRect(0, 0, 100, 50); return cells(c); }, "G");
check("transform shears along x with its third number", (c) => { c.transform(1, 0, 1, 1, 0, 0); c.fillStyle = "lime"; c.fillRect(0, 0, 20, 50); return cells(c); }, "?G?......./.?G?....../..?G?...../...?G?..../....?G?...");
check("transform shears along y with its second number", (c) => { c.transform(1, 1, 0, 1, 0, 0); c.fillStyle = "lime"; c.fillRect(0, 0, 100, 10); return cells(c); }, "?........./??......../.??......./..??....../...??.....");
check("a sheared path covers the pixels its points say", (c) => {
  fill(c, "red"); c.transform(1, 4, 2, 3, 5, 6); c.fillStyle = "lime"; c.beginPath();
  const inverse = (x, y) => [(3 * (x - 5) - 2 * (y - 6)) / -5, (-4 * (x - 5) + (y - 6)) / -5];
  for (const p of [[20, 10], [80, 10], [80, 40], [20, 40]]) c.lineTo(...inverse(...p));
  c.fill(); return cells(c);
}, "RRRRRRRRRR/RRGGGGGGRR/RRGGGGGGRR/RRGGGGGGRR/RRRRRRRRRR");
check("transform leaves out what is not finite", (c) => { for (const a of broken(0, 0, 0, 0, 0, 0)) c.transform(...a); c.fillStyle = "lime"; c.fillRect(0, 0, 30, 50); return cells(c); }, "GGG.......");
check("transform needs six numbers", (c) => error(() => c.transform(1, 0, 0, 1, 0)), "TypeError");
check("setTransform replaces what was there", (c) => { c.scale(9, 9); c.setTransform(1, 0, 0, 1, 20, 0); c.fillStyle = "lime"; c.fillRect(0, 0, 30, 50); return cells(c); }, "..GGG.....");
check("setTransform with nothing is the identity", (c) => { c.translate(50, 0); c.setTransform(); c.fillStyle = "lime"; c.fillRect(0, 0, 30, 50); return cells(c); }, "GGG.......");
check("setTransform takes an object with a to f", (c) => { c.setTransform({ a: 2, d: 1, e: 20 }); c.fillStyle = "lime"; c.fillRect(0, 0, 10, 50); return cells(c); }, "..GG......");
check("setTransform takes an object with m11 to m42", (c) => { c.setTransform({ m11: 2, m22: 1, m41: 20 }); c.fillStyle = "lime"; c.fillRect(0, 0, 10, 50); return cells(c); }, "..GG......");
check("setTransform takes a DOMMatrix", (c) => { c.setTransform(new DOMMatrix([1, 0, 0, 1, 30, 0])); c.fillStyle = "lime"; c.fillRect(0, 0, 10, 50); return cells(c); }, "...G......");
check("setTransform refuses an object whose names contradict each other", (c) => error(() => c.setTransform({ a: 1, m11: 2 })), "TypeError");
check("setTransform with an object that is not finite is left out", (c) => { c.setTransform({ a: NaN }); c.setTransform({ e: Infinity }); c.fillStyle = "lime"; c.fillRect(0, 0, 10, 50); return cells(c); }, "G.........");
check("setTransform leaves out what is not finite", (c) => { c.translate(20, 0); for (const a of broken(1, 0, 0, 1, 0, 0)) c.setTransform(...a); c.fillStyle = "lime"; c.fillRect(0, 0, 30, 50); return cells(c); }, "..GGG.....");
check("setTransform shears", (c) => { c.rotate(1); c.setTransform(1, 0, 1, 1, 0, 0); c.fillStyle = "lime"; c.fillRect(0, 0, 20, 50); return cells(c); }, "?G?......./.?G?....../..?G?...../...?G?..../....?G?...");
check("resetTransform is the identity again", (c) => { c.rotate(1); c.scale(3, 4); c.resetTransform(); c.fillStyle = "lime"; c.fillRect(0, 0, 30, 50); return cells(c); }, "GGG.......");
check("a matrix that cannot be inverted draws nothing until it is replaced", (c) => { c.setTransform(1, 1, 1, 1, 0, 0); c.fillStyle = "red"; c.fillRect(0, 0, 100, 50); c.setTransform(1, 0, 0, 1, 0, 0); c.fillStyle = "lime"; c.fillRect(0, 0, 100, 50); return cells(c); }, "G");
check("a path keeps the points it was given under an earlier matrix", (c) => { c.rect(0, 0, 30, 50); c.translate(50, 0); c.fillStyle = "lime"; c.fill(); return cells(c); }, "GGG.......");
check("points of one path may be given under different matrices", (c) => { c.moveTo(0, 0); c.translate(50, 0); c.lineTo(0, 0); c.translate(0, 50); c.lineTo(0, 0); c.setTransform(1, 0, 0, 1, 0, 50); c.lineTo(0, 0); c.fillStyle = "lime"; c.fill(); return cells(c); }, "GGGGG.....");
return report(); //= {"checks":21,"failed":[]}
---
// transforms: getTransform, DOMMatrix
import { check, report, cells, near } from "checks";
const six = (m) => [m.a, m.b, m.c, m.d, m.e, m.f];
check("getTransform of a new context is the identity", (c) => [...six(c.getTransform()), c.getTransform().isIdentity], [1, 0, 0, 1, 0, 0, true]);
check("getTransform is a DOMMatrix of two dimensions", (c) => [c.getTransform() instanceof DOMMatrix, c.getTransform().is2D], [true, true]);
check("getTransform says what translate and scale did", (c) => { c.translate(3, 4); c.scale(5, 6); return six(c.getTransform()); }, [5, 0, 0, 6, 3, 4]);
check("getTransform says what rotate did", (c) => { c.rotate(Math.PI / 6); return six(c.getTransform()); }, [Math.sqrt(3) / 2, 0.5, -0.5, Math.sqrt(3) / 2, 0, 0]);
check("getTransform says what transform did", (c) => { c.transform(1, 2, 3, 4, 5, 6); c.transform(7, 8, 9, 10, 11, 12); return six(c.getTransform()); }, [31, 46, 39, 58, 52, 76]);
check("getTransform gives a copy", (c) => { c.getTransform().translateSelf(50, 0); const m = c.getTransform(); m.e = 9; return c.getTransform().e; }, 0);
check("what getTransform gives can be set", (c) => { c.translate(20, 0); const m = c.getTransform(); c.resetTransform(); c.setTransform(m); c.fillStyle = "lime"; c.fillRect(0, 0, 10, 50); return cells(c); }, "..G.......");
check("save and restore hold the matrix", (c) => { c.scale(2, 3); c.save(); c.rotate(2); c.restore(); return six(c.getTransform()); }, [2, 0, 0, 3, 0, 0]);
check("getTransform after a scale by zero is that matrix", (c) => { c.scale(0, 0); return six(c.getTransform()); }, [0, 0, 0, 0, 0, 0]);
check("a DOMMatrix knows its names of three dimensions", () => { const m = new DOMMatrix([1, 2, 3, 4, 5, 6]); return [m.m11, m.m12, m.m21, m.m22, m.m41, m.m42, m.m33, m.m44]; }, [1, 2, 3, 4, 5, 6, 1, 1]);
check("multiply applies the argument first", () => six(new DOMMatrix([2, 0, 0, 2, 0, 0]).multiply(new DOMMatrix([1, 0, 0, 1, 5, 6]))), [2, 0, 0, 2, 10, 12]);
check("translate and scale of a DOMMatrix give new ones", () => { const m = new DOMMatrix(); return [six(m.translate(1, 2).scale(3)), six(m)]; }, [[3, 0, 0, 3, 1, 2], [1, 0, 0, 1, 0, 0]]);
check("scale of a DOMMatrix takes both factors", () => six(new DOMMatrix().scale(2, 5)), [2, 0, 0, 5, 0, 0]);
check("rotate of a DOMMatrix takes degrees", () => six(new DOMMatrix().rotate(90)), [0, 1, -1, 0, 0, 0]);
check("invert of a DOMMatrix undoes it", () => six(new DOMMatrix([2, 0, 0, 4, 6, 8]).inverse()), [0.5, 0, 0, 0.25, -3, -2]);
check("inverse of what has none is not a number", () => six(new DOMMatrix([0, 0, 0, 0, 0, 0]).inverse()), [NaN, NaN, NaN, NaN, NaN, NaN]);
check("transformPoint of a DOMMatrix gives a point", () => { const p = new DOMMatrix([2, 0, 0, 3, 4, 5]).transformPoint({ x: 1, y: 1 }); return [p.x, p.y, p instanceof DOMPoint]; }, [6, 8, true]);
check("a DOMMatrix reads the text that it writes", () => { const m = new DOMMatrix([1, 2, 3, 4, 5, 6]); return [String(m), ...six(new DOMMatrix(String(m)))]; }, ["matrix(1, 2, 3, 4, 5, 6)", 1, 2, 3, 4, 5, 6]);
check("skewX of a DOMMatrix takes degrees", () => six(new DOMMatrix().skewX(45)), [1, 0, 1, 1, 0, 0]);
check("flipX of a DOMMatrix mirrors", () => six(new DOMMatrix().flipX()), [-1, 0, 0, 1, 0, 0]);
return report(); //= {"checks":20,"failed":[]}
