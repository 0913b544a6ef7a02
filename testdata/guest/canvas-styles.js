// styles: colours that are read
import { check, report, at, whole, cells } from "checks";
// paints is what a colour paints over black; a colour that is not read leaves blue.
const paints = (colour) => (c) => { c.fillRect(0, 0, 100, 50); c.fillStyle = "blue"; c.fillStyle = colour; c.fillRect(0, 0, 100, 50); return whole(c); };
const ignored = (...list) => (c) => list.filter((v) => { c.fillStyle = "#123456"; c.fillStyle = v; return c.fillStyle !== "#123456"; });
const reads = (...list) => (c) => list.map((v) => { c.fillStyle = "#123456"; c.fillStyle = v; return c.fillStyle; });
const same = (n, colour) => Array(n).fill(colour);
check("#rgb", paints("#0f0"), "lime");
check("#rrggbb", paints("#00FF00"), "lime");
check("#rgba", reads("#0f08", "#0F0F"), ["rgba(0, 255, 0, 0.533)", "#00ff00"]);
check("#rrggbbaa", reads("#00ff0080", "#00fF00ff"), ["rgba(0, 255, 0, 0.5)", "#00ff00"]);
check("hexadecimal colours of other lengths or letters are left out", ignored("#", "#0", "#00", "#00000", "#0000000", "#000000000", "#0g0", "#ff ff00", "0f0", "#-ff000", "# f00", "#f00 0"), []);
// A space before it sends a colour to the host.
check("hexadecimal colours are the same in the guest and on the host", () => {
  const list = ["#", "#f", "#ff", "#fffff", "#ff00gg", "#0x1234", "#1e5", "#12.5", "#+12", "#-123456", "#1_2", "#ff00 ", "#ff000\n", "#f00\u00a0", "#\uff11\uff12\uff13", "#fff/**/", "#FffFFFff"];
  for (let i = 0; i < 256; i++) {
    const h = i.toString(16).padStart(2, "0");
    list.push("#fe80" + h, "#" + h + "80FE", "#00" + h + "ff" + h, "#" + h + "0000" + h.toUpperCase(), "#" + h + h[0], "#" + h[1] + "0" + h);
  }
  const a = createCanvas(1, 1), b = createCanvas(1, 1), x = a.getContext("2d"), y = b.getContext("2d"), differ = [];
  for (const v of list) {
    x.fillStyle = v; y.fillStyle = " " + v;
    x.fillRect(0, 0, 1, 1); y.fillRect(0, 0, 1, 1);
    if (x.fillStyle !== y.fillStyle) differ.push(v, x.fillStyle, y.fillStyle);
  }
  return [differ, JSON.stringify(a.toSpec().ops) === JSON.stringify(b.toSpec().ops)];
}, [[], true]);
check("names of colours are read", reads("lime", "Red", "BLUE", "rebeccapurple", "lightgoldenrodyellow", "grey", "darkslategrey"), ["#00ff00", "#ff0000", "#0000ff", "#663399", "#fafad2", "#808080", "#2f4f4f"]);
check("transparent is transparent black", reads("transparent", "TransParent"), same(2, "rgba(0, 0, 0, 0)"));
check("names that are none are left out", ignored("lime green", "limegreens", "none", "inherit", "initial", "", "re d", "red;", "red blue"), []);
check("rgb() with commas", reads("rgb(0,255,0)", "rgb( 0 , 255 , 0 )", "RGB(0, 255, 0)", "rgb(0, 255, 0)"), same(4, "#00ff00"));
check("rgb() with percentages", reads("rgb(0%, 100%, 0%)", "rgb(0%,100%,0.0%)"), same(2, "#00ff00"));
check("rgb() clamps", reads("rgb(-1000, 1000, -1000)", "rgb(-200%, 200%, -200%)"), same(2, "#00ff00"));
check("rgb() rounds to whole components", reads("rgb(0.4, 254.6, 0)", "rgb(0%, 99.9%, 0%)"), same(2, "#00ff00"));
check("rgb() with spaces and a slash", reads("rgb(0 255 0)", "rgb(0 255 0 / 1)", "rgb(0 255 0 / 100%)", "rgb(0 255 0/.5)"), ["#00ff00", "#00ff00", "#00ff00", "rgba(0, 255, 0, 0.5)"]);
check("rgb() and rgba() take three or four", reads("rgba(0, 255, 0)", "rgb(0, 255, 0, 0.5)", "rgba(0 255 0)"), ["#00ff00", "rgba(0, 255, 0, 0.5)", "#00ff00"]);
check("rgba() has alpha", reads("rgba(0,255,0,.25)", "rgba(0, 255, 0, 50%)", "rgba(0% , 100% , 0% , 0.2)"), ["rgba(0, 255, 0, 0.25)", "rgba(0, 255, 0, 0.5)", "rgba(0, 255, 0, 0.2)"]);
check("rgba() clamps its alpha", reads("rgba(0,255,0,7)", "rgba(0,255,0,-7)"), ["#00ff00", "rgba(0, 255, 0, 0)"]);
check("rgb() takes exponents and signs", reads("rgb(+0, 2.55e2, -0)", "rgba(0, 255, 0, 5e-1)"), ["#00ff00", "rgba(0, 255, 0, 0.5)"]);
check("rgb() with none counts as zero", reads("rgb(none 255 none)"), ["#00ff00"]);
check("rgb() that is malformed is left out", ignored("rgb(0, 255)", "rgb(0, 255, 0, 1, 1)", "rgb(0 255, 0)", "rgb(0, 255 0)", "rgb (0, 255, 0)", "rgb(0, 255, 0) x", "rgb()", "rgb(0,, 255, 0)", "rgb(a, b, c)", "rgb(0 255 0 1)", "rgb(0, 255, 0 / 1)", "rgb(0px, 255, 0)", "rgb(100%, 0, 0)"), []);
check("hsl() with commas", reads("hsl(120, 100%, 50%)", "hsl( 120.0 , 100.0% , 50.0% )", "HSL(120,100%,50%)"), same(3, "#00ff00"));
check("hsl() wraps its angle", reads("hsl(480, 100%, 50%)", "hsl(-240, 100%, 50%)", "hsl(3720, 100%, 50%)"), same(3, "#00ff00"));
check("hsl() takes units of angles", reads("hsl(120deg, 100%, 50%)", "hsl(0.33333333turn, 100%, 50%)", "hsl(2.0943951rad, 100%, 50%)", "hsl(133.33333333grad, 100%, 50%)"), same(4, "#00ff00"));
check("hsl() clamps saturation and lightness", reads("hsl(120, 200%, 50%)", "hsl(120, -200%, 50%)", "hsl(120, 100%, 200%)", "hsl(120, 100%, -200%)"), ["#00ff00", "#808080", "#ffffff", "#000000"]);
check("hsla() has alpha", reads("hsla(120, 100%, 50%, 0.5)", "hsl(120 100% 50% / 50%)", "hsla(120,100%,50%,2)"), ["rgba(0, 255, 0, 0.5)", "rgba(0, 255, 0, 0.5)", "#00ff00"]);
check("hsl() of all hues", reads("hsl(0,100%,50%)", "hsl(60,100%,50%)", "hsl(180,100%,50%)", "hsl(240,100%,50%)", "hsl(300,100%,50%)", "hsl(0,0%,50%)", "hsl(0,100%,25%)", "hsl(200,50%,40%)"), ["#ff0000", "#ffff00", "#00ffff", "#0000ff", "#ff00ff", "#808080", "#800000", "#337799"]);
check("hsl() that is malformed is left out", ignored("hsl(120, 100%, 50%, 1, 1)", "hsl(120 100%, 50%)", "hsl(120px, 100%, 50%)", "hsl(120, 100, 50%)", "hsl(120)", "hsl(120%, 100%, 50%)"), []);
check("hwb() mixes a hue with white and black", reads("hwb(120 0% 0%)", "hwb(120 50% 0%)", "hwb(0 50% 50%)", "hwb(120 0% 0% / 50%)"), ["#00ff00", "#80ff80", "#808080", "rgba(0, 255, 0, 0.5)"]);
check("currentcolor is black on a surface that is nowhere", reads("currentColor", "CURRENTCOLOR"), same(2, "#000000"));
check("white space around a colour does not matter", reads(" lime ", "\t#0f0\n", "\nrgb(0,255,0)\f"), same(3, "#00ff00"));
check("comments within a colour do not matter", reads("rgb(0/**/,255,/* x */0)"), ["#00ff00"]);
check("the end of the text closes what is open", reads("rgb(0,255,0", "rgb(0 255 0 / 50%", "hsl(120, 100%, 50%"), ["#00ff00", "rgba(0, 255, 0, 0.5)", "#00ff00"]);
check("rgb() clamps numbers with hundreds of digits", (c) => [39, 310].flatMap((n) => { const big = "1" + "0".repeat(n); return reads(`rgb(-${big}, ${big}, -${big})`)(c); }), same(2, "#00ff00"));
check("colours whose numbers are malformed are left out", ignored("rgb(255, 0, 0,)", "rgb(255, - 1, 0)", "rgba(255, 0, 0, 1. 0)", "rgba(255, 0, 0, 1.)", "rgba(255, 0, 0, ", "hsl(0, 100.%, 50%)", "hsl(0, 100% 50%)", "rgb(0 0 0 /)", "rgba(255 0 0, 1)"), []);
check("words in quotes are no colours", ignored('"red"', "'red'", '"red'), []);
check("system colours have the values of a light page", reads("CanvasText", "canvas", "ButtonFace", "LINKTEXT", "GrayText"), ["#000000", "#ffffff", "#efefef", "#0000ee", "#808080"]);
check("system colours of old names stand for newer ones", reads("ThreeDDarkShadow", "Window", "InfoText"), ["#000000", "#ffffff", "#000000"]);
check("color(), lab() and their like paint", (c) => ["color(srgb 0 1 0)", "color(display-p3 0 1 0)", "color(srgb-linear 0 1 0)", "color(xyz 0.3576 0.7152 0.1192)", "lab(87.8% -79.3 81)", "oklch(0.866 0.295 142.5)"].map((v) => { c.fillStyle = "red"; c.fillStyle = v; c.fillRect(0, 0, 100, 50); return at(c, 5, 5).is([0, 255, 0, 255], 4); }), same(6, true));
check("an error in toString is thrown on", (c) => { let name; try { c.fillStyle = { toString() { throw new RangeError("mine"); } }; } catch (e) { name = e.name; } return name; }, "RangeError");
check("objects are read as the text they make", reads({ toString: () => "#0f0" }), ["#00ff00"]);
check("numbers, undefined and null are no colours", ignored(undefined, null, 0, 123, NaN, true, {}, []), []);
check("strokeStyle reads as fillStyle does", (c) => ["#0f0", "rgb(0 255 0)", "hsl(120,100%,50%)", "nonsense"].map((v) => { c.strokeStyle = v; return c.strokeStyle; }), same(4, "#00ff00"));
check("shadowColor reads as fillStyle does", (c) => ["#0f0", "rgb(0 255 0)", "hsl(120,100%,50%)", "nonsense"].map((v) => { c.shadowColor = v; return c.shadowColor; }), same(4, "#00ff00"));
return report(); //= {"checks":43,"failed":[]}
---
// styles: what properties read back
import { check, report, at, whole, cells, error } from "checks";
const back = (...list) => (c) => list.map((v) => { c.fillStyle = v; return c.fillStyle; });
check("a new context paints in black", (c) => [c.fillStyle, c.strokeStyle], ["#000000", "#000000"]);
check("an opaque colour reads back as #rrggbb in small letters", back("#fa0", "#FFAA00", "Orange", "rgb(255,170,0)"), ["#ffaa00", "#ffaa00", "#ffa500", "#ffaa00"]);
check("a translucent colour reads back as rgba()", back("rgba(255,255,255,0.45)", "rgba(0,0,0,0)", "#fff8"), ["rgba(255, 255, 255, 0.45)", "rgba(0, 0, 0, 0)", "rgba(255, 255, 255, 0.533)"]);
check("alpha reads back with as few digits as tell it apart", back("rgba(1,2,3,0.5)", "rgba(1,2,3,0.502)", "rgba(1,2,3,0.25)", "rgba(1,2,3,0.004)"), ["rgba(1, 2, 3, 0.5)", "rgba(1, 2, 3, 0.5)", "rgba(1, 2, 3, 0.25)", "rgba(1, 2, 3, 0.004)"]);
check("alpha is held to 255 steps", (c) => { c.fillStyle = "rgba(0,0,0,0.5)"; c.fillRect(0, 0, 100, 50); return at(c, 1, 1); }, [0, 0, 0, 128]);
check("a gradient reads back as the same object", (c) => { const g = c.createLinearGradient(0, 0, 1, 1); c.fillStyle = g; c.strokeStyle = g; return [c.fillStyle === g, c.strokeStyle === g]; }, [true, true]);
check("a pattern reads back as the same object", (c) => { const p = c.createPattern(c.canvas, "repeat"); c.fillStyle = p; return c.fillStyle === p; }, true);
check("an invalid colour after a gradient leaves the gradient", (c) => { const g = c.createLinearGradient(0, 0, 1, 1); c.fillStyle = g; c.fillStyle = "nonsense"; return c.fillStyle === g; }, true);
check("fillStyle paints fills, strokeStyle strokes", (c) => { c.fillStyle = "lime"; c.strokeStyle = "red"; c.lineWidth = 20; c.fillRect(0, 0, 50, 50); c.strokeRect(60, 10, 30, 30); return [at(c, 10, 10), at(c, 60, 10)]; }, ["lime", "red"]);
check("save and restore hold styles", (c) => { c.fillStyle = "#111111"; c.strokeStyle = "#222222"; c.save(); c.fillStyle = "red"; c.strokeStyle = c.createLinearGradient(0, 0, 1, 1); c.restore(); return [c.fillStyle, c.strokeStyle]; }, ["#111111", "#222222"]);
check("a colour that is set again after a change of the text has no memory", (c) => { const o = { n: 0, toString() { return ["red", "lime"][this.n++]; } }; c.fillStyle = o; c.fillStyle = o; return c.fillStyle; }, "#00ff00");
return report(); //= {"checks":11,"failed":[]}
---
// styles: alpha of the context
import { check, report, at, whole, fill, surface } from "checks";
const takes = (c, name, start, values) => values.map((v) => { c[name] = start; c[name] = v; return c[name]; });
check("globalAlpha is 1 at first", (c) => c.globalAlpha, 1);
check("globalAlpha takes numbers from 0 to 1", (c) => takes(c, "globalAlpha", 0.3, [0, 0.25, 1, "0.5", true, null]), [0, 0.25, 1, 0.5, 1, 0]);
check("globalAlpha leaves out others", (c) => takes(c, "globalAlpha", 0.3, [-0.1, 1.1, Infinity, -Infinity, NaN, undefined, "x"]), Array(7).fill(0.3));
check("globalAlpha is held exactly", (c) => { c.globalAlpha = 0.123456789012345; return c.globalAlpha === 0.123456789012345 || Math.abs(c.globalAlpha - 0.123456789012345) < 1e-7; }, true);
check("globalAlpha thins fills", (c) => { fill(c, "lime"); c.globalAlpha = 0.01; c.fillStyle = "red"; c.fillRect(0, 0, 100, 50); return at(c, 50, 25); }, [2, 253, 0, 255]);
check("globalAlpha multiplies with the alpha of colours", (c) => { c.globalAlpha = 0.5; c.fillStyle = "rgba(0,0,0,0.5)"; c.fillRect(0, 0, 100, 50); return at(c, 1, 1); }, [0, 0, 0, 64]);
check("globalAlpha thins strokes", (c) => { c.globalAlpha = 0.5; c.lineWidth = 50; c.strokeRect(0, 25, 100, 0); return at(c, 50, 25); }, [0, 0, 0, 128]);
check("globalAlpha thins gradients", (c) => { const g = c.createLinearGradient(0, 0, 100, 0); g.addColorStop(0, "red"); g.addColorStop(1, "red"); c.fillStyle = g; c.globalAlpha = 0.5; c.fillRect(0, 0, 100, 50); return at(c, 50, 25); }, [255, 0, 0, 128]);
check("globalAlpha thins patterns", (c) => { c.fillStyle = c.createPattern(surface(10, 10, (d) => fill(d, "red")), "repeat"); c.globalAlpha = 0.5; c.fillRect(0, 0, 100, 50); return at(c, 50, 25); }, [255, 0, 0, 128]);
check("globalAlpha thins images", (c) => { c.globalAlpha = 0.5; c.drawImage(surface(100, 50, (d) => fill(d, "red")), 0, 0); return at(c, 50, 25); }, [255, 0, 0, 128]);
check("globalAlpha 0 draws nothing", (c) => { c.globalAlpha = 0; c.fillRect(0, 0, 100, 50); return whole(c); }, "none");
return report(); //= {"checks":11,"failed":[]}
