// lines: width, caps
import { check, report, cells, at, whole, fill } from "checks";
const line = (c, ...points) => { c.beginPath(); for (let i = 0; i < points.length; i += 2) c.lineTo(points[i], points[i + 1]); c.stroke(); };
check("a new context has lines of width 1 with butt caps, miter joins, miter limit 10", (c) => [c.lineWidth, c.lineCap, c.lineJoin, c.miterLimit], [1, "butt", "miter", 10]);
check("a line is as wide as lineWidth, half on each side", (c) => { c.lineWidth = 20; line(c, 25, 0, 25, 50); return [at(c, 14, 25), at(c, 15, 25), at(c, 34, 25), at(c, 35, 25)]; }, ["none", "black", "black", "none"]);
check("a line of width 1 between pixels covers half of both", (c) => { line(c, 0, 10, 100, 10); return [at(c, 50, 9), at(c, 50, 10), at(c, 50, 8)]; }, [[0, 0, 0, 128], [0, 0, 0, 128], "none"]);
check("a line of width 1 through the middle of pixels covers them", (c) => { line(c, 0, 10.5, 100, 10.5); return [at(c, 50, 10), at(c, 50, 9), at(c, 50, 11)]; }, ["black", "none", "none"]);
check("a line thinner than a pixel covers a part of it", (c) => { c.lineWidth = 0.5; line(c, 0, 10.5, 100, 10.5); return [at(c, 50, 10), at(c, 50, 9)]; }, [[0, 0, 0, 128], "none"]);
check("scale widens lines", (c) => { c.scale(10, 1); c.lineWidth = 2; line(c, 5, 0, 5, 50); return cells(c); }, "....KK....");
check("scale by a negative factor widens lines", (c) => { c.scale(-10, 1); c.lineWidth = 2; line(c, -5, 0, -5, 50); return cells(c); }, "....KK....");
check("scale of one direction leaves the width of lines along it", (c) => { c.scale(10, 1); c.lineWidth = 20; line(c, 0, 20, 10, 20); return cells(c); }, "./K/K/./.".replace(/[.K]/g, (l) => l.repeat(10)));
check("scale widens lines of the width that is default", (c) => { c.scale(50, 50); line(c, 0, 0.5, 2, 0.5); return cells(c); }, "K");
check("the matrix at stroke makes the width, not the one of the points", (c) => { c.moveTo(50, 0); c.lineTo(50, 50); c.lineWidth = 2; c.scale(10, 1); c.stroke(); return cells(c); }, "....KK....");
check("butt caps end with the line", (c) => { c.lineWidth = 20; line(c, 20, 25, 80, 25); return [at(c, 19, 25), at(c, 20, 25), at(c, 79, 25), at(c, 80, 25)]; }, ["none", "black", "black", "none"]);
check("square caps add half a width", (c) => { c.lineWidth = 20; c.lineCap = "square"; line(c, 20, 25, 80, 25); return [at(c, 9, 25), at(c, 10, 15), at(c, 10, 34), at(c, 89, 34), at(c, 90, 25)]; }, ["none", "black", "black", "black", "none"]);
check("round caps add half a disc", (c) => { c.lineWidth = 20; c.lineCap = "round"; line(c, 20, 25, 80, 25); return [at(c, 9, 25), at(c, 11, 25), at(c, 11, 16), at(c, 14, 18), at(c, 88, 25), at(c, 88, 16)]; }, ["none", "black", "none", "black", "black", "none"]);
check("caps are at the ends of an open rectangle", (c) => { c.lineWidth = 40; c.lineCap = "square"; c.lineJoin = "bevel"; line(c, 20, 20, 20, 200, 200, 200, 200, 20, 20, 20); return at(c, 1, 1); }, "black");
check("no caps are at the corners of a closed rectangle", (c) => { c.lineWidth = 40; c.lineCap = "square"; c.lineJoin = "bevel"; c.moveTo(20, 20); c.lineTo(20, 200); c.lineTo(200, 200); c.lineTo(200, 20); c.closePath(); c.stroke(); return at(c, 1, 1); }, "none");
check("a line of no length draws nothing, even with a round cap", (c) => { c.lineWidth = 20; c.lineCap = "round"; c.moveTo(50, 25); c.lineTo(50, 25); c.stroke(); return whole(c); }, "none");
check("a line of no length draws nothing, even with a square cap", (c) => { c.lineWidth = 20; c.lineCap = "square"; c.moveTo(50, 25); c.lineTo(50, 25); c.stroke(); return whole(c); }, "none");
check("a line of no length with butt caps draws nothing", (c) => { c.lineWidth = 20; c.moveTo(50, 25); c.lineTo(50, 25); c.stroke(); return whole(c); }, "none");
check("a point that is closed draws nothing", (c) => { c.lineWidth = 20; c.lineCap = "round"; c.moveTo(50, 25); c.closePath(); c.stroke(); return whole(c); }, "none");
check("a point that goes nowhere draws nothing", (c) => { c.lineWidth = 20; c.lineCap = "round"; c.moveTo(50, 25); c.stroke(); return whole(c); }, "none");
check("parts of a line that lie over each other are painted once", (c) => { c.strokeStyle = "rgba(0,0,0,0.5)"; c.lineWidth = 20; line(c, 20, 25, 80, 25, 20, 25); return at(c, 50, 25); }, [0, 0, 0, 128]);
check("a line that crosses itself is painted once", (c) => { c.strokeStyle = "rgba(0,0,0,0.5)"; c.lineWidth = 10; line(c, 10, 10, 90, 40, 90, 10, 10, 40); return at(c, 50, 25); }, [0, 0, 0, 128]);
return report(); //= {"checks":22,"failed":[]}
---
// lines: joins
import { check, report, cells, at, whole } from "checks";
const corner = (c, ...points) => { c.beginPath(); for (let i = 0; i < points.length; i += 2) c.lineTo(points[i], points[i + 1]); c.stroke(); };
check("a miter join fills the corner", (c) => { c.lineWidth = 20; corner(c, 10, 20, 30, 20, 30, 50); return [at(c, 38, 11), at(c, 39, 10), at(c, 40, 9)]; }, ["black", "black", "none"]);
check("a bevel join cuts the corner off", (c) => { c.lineWidth = 20; c.lineJoin = "bevel"; corner(c, 10, 20, 30, 20, 30, 50); return [at(c, 33, 16), at(c, 36, 13), at(c, 38, 11)]; }, ["black", "none", "none"]);
check("a round join is a disc at the corner", (c) => { c.lineWidth = 20; c.lineJoin = "round"; corner(c, 10, 20, 30, 20, 30, 50); return [at(c, 35, 14), at(c, 36, 13), at(c, 38, 11)]; }, ["black", "black", "none"]);
check("no join is where an open rectangle begins and ends", (c) => { c.lineWidth = 40; corner(c, 20, 10, 20, 200, 200, 200, 200, 10, 20, 10); return at(c, 5, 2); }, "none");
check("a join is where a closed rectangle begins and ends", (c) => { c.lineWidth = 40; c.moveTo(20, 20); c.lineTo(20, 200); c.lineTo(200, 200); c.lineTo(200, 20); c.closePath(); c.stroke(); return at(c, 1, 1); }, "black");
check("a round join is at a line that turns back", (c) => { c.lineWidth = 30; c.lineJoin = "round"; corner(c, 10, 25, 50, 25, 10, 25); return [at(c, 62, 25), at(c, 62, 12)]; }, ["black", "none"]);
check("a miter join of a line that turns back draws nothing beyond it", (c) => { c.lineWidth = 30; corner(c, 10, 25, 50, 25, 10, 25); return at(c, 51, 25); }, "none");
check("a miter is left out above the limit", (c) => { c.lineWidth = 40; c.miterLimit = 1.414; corner(c, 20, 100, 20, 20, 100, 20); return [at(c, 1, 1), at(c, 15, 15)]; }, ["none", "black"]);
check("a miter is drawn within the limit", (c) => { c.lineWidth = 40; c.miterLimit = 1.416; corner(c, 20, 100, 20, 20, 100, 20); return at(c, 1, 1); }, "black");
check("the limit of miters is right at a corner of 45 degrees", (c) => { c.lineWidth = 20; c.miterLimit = 2.614; corner(c, 20, 200, 20, 30, 200, 210); const within = at(c, 12, 12); c.clearRect(0, 0, 100, 50); c.miterLimit = 2.612; corner(c, 20, 200, 20, 30, 200, 210); return [within, at(c, 12, 12)]; }, ["black", "none"]);
check("the limit of miters is right at a corner of 135 degrees", (c) => { const go = (limit) => { c.clearRect(0, 0, 100, 50); c.miterLimit = limit; corner(c, 80, 200, 80, 28, 180, -72); return at(c, 35, 10); }; c.lineWidth = 92; return [go(1.084), go(1.081)]; }, ["black", "none"]);
check("the miter limit counts at the ends of a rectangle without height", (c) => { c.lineWidth = 40; c.miterLimit = 1.4; c.strokeRect(40, 25, 200, 0); return at(c, 30, 25); }, "none");
check("joins are on the outer side only", (c) => { c.lineWidth = 40; c.lineJoin = "bevel"; corner(c, 60, 0, 60, 30, 30, 30); return at(c, 15, 45); }, "none");
check("joins and caps of a thin closed path form one shape", (c) => { c.strokeStyle = "lime"; c.lineWidth = 50; c.lineCap = "round"; c.moveTo(0, 24); c.lineTo(100, 25); c.lineTo(0, 26); c.closePath(); c.stroke(); return cells(c); }, "G");
check("the line of a circle narrower than it has no hole", (c) => { c.lineWidth = 40; c.arc(50, 25, 10, 0, 2 * Math.PI); c.stroke(); return [at(c, 50, 25), at(c, 45, 22), whole(c, 30, 15, 40, 20)]; }, ["black", "black", "black"]);
check("joins of curves are smooth with every lineJoin", (c) => { c.lineJoin = "bevel"; c.lineWidth = 20; c.arc(50, 25, 15, 0, 2 * Math.PI); c.stroke(); return [at(c, 50, 1), at(c, 33, 8), at(c, 27, 25)]; }, ["black", "black", "black"]);
check("lineJoin does not matter for a straight line with a point in it", (c) => { c.lineJoin = "round"; c.lineWidth = 20; corner(c, 10, 25, 50, 25, 90, 25); return [whole(c, 10, 15, 80, 20), at(c, 50, 14)]; }, ["black", "none"]);
return report(); //= {"checks":17,"failed":[]}
---
// lines: what properties take
import { check, report } from "checks";
const takes = (c, name, start, values) => values.map((v) => { c[name] = start; c[name] = v; return c[name]; });
check("lineWidth takes numbers above zero", (c) => takes(c, "lineWidth", 2, [1.5, "1e1", 1 / 1024, 1000, true, [3], "0x10"]), [1.5, 10, 1 / 1024, 1000, 1, 3, 16]);
check("lineWidth leaves out what is not a number above zero", (c) => takes(c, "lineWidth", 1.5, [0, -1, Infinity, -Infinity, NaN, "wide", false, null, undefined, {}]), Array(10).fill(1.5));
check("miterLimit takes numbers above zero", (c) => takes(c, "miterLimit", 2, [1.5, "1e1", 1 / 1024, 1000, true]), [1.5, 10, 1 / 1024, 1000, 1]);
check("miterLimit leaves out what is not a number above zero", (c) => takes(c, "miterLimit", 1.5, [0, -1, Infinity, -Infinity, NaN, "high", false, null]), Array(8).fill(1.5));
check("lineCap takes its three words", (c) => takes(c, "lineCap", "butt", ["round", "square", "butt"]), ["round", "square", "butt"]);
check("lineCap leaves out other words, capitals, spaces and nulls", (c) => takes(c, "lineCap", "square", ["bevel", "ROUND", "round ", "round\0", "", null, undefined]), Array(7).fill("square"));
check("lineJoin takes its three words", (c) => takes(c, "lineJoin", "miter", ["round", "bevel", "miter"]), ["round", "bevel", "miter"]);
check("lineJoin leaves out other words, capitals, spaces and nulls", (c) => takes(c, "lineJoin", "bevel", ["butt", "ROUND", "round ", "round\0", "", null]), Array(6).fill("bevel"));
check("lineDashOffset takes numbers of both signs", (c) => takes(c, "lineDashOffset", 1, [0, -1.5, "7", 1e6]), [0, -1.5, 7, 1e6]);
check("lineDashOffset leaves out what is not finite", (c) => takes(c, "lineDashOffset", 1, [NaN, Infinity, -Infinity, "far", undefined]), Array(5).fill(1));
check("words are made of objects with toString", (c) => takes(c, "lineCap", "butt", [{ toString: () => "round" }]), ["round"]);
check("numbers are made of objects with valueOf", (c) => takes(c, "lineWidth", 1, [{ valueOf: () => 7 }]), [7]);
return report(); //= {"checks":12,"failed":[]}
---
// lines: dashes
import { check, report, cells, at, whole, near } from "checks";
const dash = (c, list, offset = 0) => { c.setLineDash(list); c.lineDashOffset = offset; c.lineWidth = 50; c.beginPath(); c.moveTo(0, 25); c.lineTo(100, 25); c.stroke(); return cells(c); };
check("a new context has no dashes", (c) => [c.getLineDash(), c.lineDashOffset], [[], 0]);
check("dashes alternate with gaps", (c) => dash(c, [20, 10]), "KK.KK.KK.K");
check("a list of odd length counts twice", (c) => dash(c, [20, 10, 10]), "KK.K..K.KK");
check("getLineDash of a list of odd length gives it twice", (c) => { c.setLineDash([1, 2, 3]); return c.getLineDash(); }, [1, 2, 3, 1, 2, 3]);
check("getLineDash gives what was set", (c) => { c.setLineDash([5, 0.5]); return c.getLineDash(); }, [5, 0.5]);
check("getLineDash gives a copy", (c) => { c.setLineDash([5, 5]); c.getLineDash()[0] = 9; return c.getLineDash(); }, [5, 5]);
check("an empty list is a solid line", (c) => { c.setLineDash([5, 5]); return dash(c, []); }, "K");
check("a list of zeros is a solid line", (c) => dash(c, [0, 0]), "K");
check("a list with a negative number is left out", (c) => { c.setLineDash([20, 20]); c.setLineDash([5, -1]); return c.getLineDash(); }, [20, 20]);
check("a list with what is not finite is left out", (c) => { c.setLineDash([20, 20]); for (const v of [NaN, Infinity, -Infinity]) c.setLineDash([5, v]); return c.getLineDash(); }, [20, 20]);
check("a list converts its members to numbers", (c) => { c.setLineDash(["5", true]); return c.getLineDash(); }, [5, 1]);
check("any iterable is a list of dashes", (c) => { c.setLineDash(new Set([4, 6])); return c.getLineDash(); }, [4, 6]);
check("lineDashOffset shifts the dashes back", (c) => dash(c, [20, 20], 10), "K..KK..KK.");
check("a negative lineDashOffset shifts the dashes on", (c) => dash(c, [20, 20], -10), ".KK..KK..K");
check("lineDashOffset wraps around the list", (c) => dash(c, [20, 20], 410), "K..KK..KK.");
check("dashes go on around a corner", (c) => { c.setLineDash([30, 20]); c.lineWidth = 10; c.moveTo(5, 45); c.lineTo(5, 5); c.lineTo(95, 5); c.stroke(); return cells(c); }, ".KKK..KKK./K........./K........./K........./..........");
check("dashes begin anew with each subpath", (c) => { c.setLineDash([20, 20]); c.lineWidth = 10; c.moveTo(0, 5); c.lineTo(30, 5); c.moveTo(0, 25); c.lineTo(100, 25); c.stroke(); return cells(c); }, "KK......../........../KK..KK..KK/........../..........");
check("each dash has caps", (c) => { c.lineCap = "square"; c.setLineDash([10, 30]); c.lineWidth = 20; c.moveTo(10, 25); c.lineTo(90, 25); c.stroke(); return [at(c, 1, 25), at(c, 29, 25), at(c, 31, 25), at(c, 41, 25), at(c, 39, 25)]; }, ["black", "black", "none", "black", "none"]);
check("dashes of length zero with round caps are dots", (c) => { c.lineCap = "round"; c.setLineDash([0, 30]); c.lineWidth = 10; c.moveTo(20, 25); c.lineTo(90, 25); c.stroke(); return [at(c, 20, 25), at(c, 35, 25), at(c, 50, 25), at(c, 80, 25)]; }, ["black", "none", "black", "black"]);
check("dashes are scaled with the matrix", (c) => { c.scale(10, 1); c.setLineDash([2, 1]); c.lineWidth = 50; c.moveTo(0, 25); c.lineTo(10, 25); c.stroke(); return cells(c); }, "KK.KK.KK.K");
check("strokeRect is dashed from its corner on", (c) => { c.setLineDash([40, 20]); c.lineWidth = 10; c.strokeRect(5, 5, 90, 40); return cells(c); }, "KKKK..KKKK/K........./........../.........K/KKKK..KKKK");
check("save and restore hold the dashes", (c) => { c.setLineDash([1, 2]); c.lineDashOffset = 3; c.save(); c.setLineDash([4]); c.lineDashOffset = 5; c.restore(); return [c.getLineDash(), c.lineDashOffset]; }, [[1, 2], 3]);
check("dashes much shorter than a pixel cover it in part", (c) => { c.setLineDash([0.01, 0.01]); c.lineWidth = 50; c.moveTo(0, 25); c.lineTo(100, 25); c.stroke(); return at(c, 50, 25).rgba[3]; }, near(128, 10));
return report(); //= {"checks":23,"failed":[]}
