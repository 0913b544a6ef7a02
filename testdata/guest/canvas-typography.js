// typography: the font property
import { check, report } from "checks";
const back = (...list) => (c) => list.map((v) => { c.font = "7px serif"; c.font = v; return c.font; });
check("font is 10px sans-serif at first", (c) => c.font, "10px sans-serif");
check("font reads back in its shortest form", back("20px serif", "20PX   SERIF", "italic 400 12px/2 Arial, sans-serif"), ["20px serif", "20px serif", "italic 12px Arial, sans-serif"]);
check("font knows style, variant, weight and stretch in any order", back("bold italic 16px serif", "italic bold 16px serif", "small-caps italic 400 16px serif", "normal normal normal normal 16px serif"), ["italic bold 16px serif", "italic bold 16px serif", "italic small-caps 16px serif", "16px serif"]);
check("font reads back numbers of weights", back("100 16px serif", "900 16px serif", "700 16px serif", "400 16px serif", "350 16px serif"), ["100 16px serif", "900 16px serif", "bold 16px serif", "16px serif", "350 16px serif"]);
check("font leaves its line height out", back("16px/1.5 serif", "16px / 20px serif", "16px/normal serif"), Array(3).fill("16px serif"));
check("font converts units of length to pixels", back("12pt serif", "1in serif", "1pc serif", "2.54cm serif", "25.4mm serif"), ["16px serif", "96px serif", "16px serif", "96px serif", "96px serif"]);
check("font takes fractions", back("12.5px serif", ".5px serif", "1e1px serif"), ["12.5px serif", "0.5px serif", "10px serif"]);
check("font keeps quotes where names need them", back('16px "My Font"', "16px 'Arial'", "16px My Font", '16px "serif"'), ['16px "My Font"', "16px Arial", '16px "My Font"', '16px "serif"']);
check("font takes lists of families", back('20px "A B", Arial,sans-serif'), ['20px "A B", Arial, sans-serif']);
check("font leaves out what it cannot read", back("", "bogus", "16px", "serif", "16 serif", "-1px serif", "16px serif,", "16px {bogus}", "bold bold 16px serif", "16px !important serif", "10px serif; x", "1px initial"), Array(12).fill("7px serif"));
check("font leaves out words that are inherited", back("inherit", "initial", "unset", "16px inherit", null, undefined, 12), Array(7).fill("7px serif"));
check("font takes a size of zero", back("0px serif"), ["0px serif"]);
check("font knows words for sizes", back("medium serif", "small serif", "x-large serif"), ["16px serif", "13px serif", "24px serif"]);
check("save and restore hold the font", (c) => { c.font = "33px serif"; c.save(); c.font = "5px monospace"; c.restore(); return c.font; }, "33px serif");
return report(); //= {"checks":14,"failed":[]}
---
// typography: other properties of text
import { check, report } from "checks";
const takes = (c, name, start, values) => values.map((v) => { c[name] = start; c[name] = v; return c[name]; });
check("properties of text at first", (c) => [c.textAlign, c.textBaseline, c.direction, c.letterSpacing, c.wordSpacing, c.fontKerning, c.fontStretch, c.fontVariantCaps, c.textRendering], ["start", "alphabetic", "inherit", "0px", "0px", "auto", "normal", "normal", "auto"]);
check("textAlign takes its five words", (c) => takes(c, "textAlign", "start", ["start", "end", "left", "right", "center"]), ["start", "end", "left", "right", "center"]);
check("textAlign leaves out others", (c) => takes(c, "textAlign", "right", ["bogus", "END", "end ", "end\0", "", "justify", null]), Array(7).fill("right"));
check("textBaseline takes its six words", (c) => takes(c, "textBaseline", "top", ["top", "hanging", "middle", "alphabetic", "ideographic", "bottom"]), ["top", "hanging", "middle", "alphabetic", "ideographic", "bottom"]);
check("textBaseline leaves out others", (c) => takes(c, "textBaseline", "top", ["bogus", "MIDDLE", "middle ", "middle\0", "", "baseline"]), Array(6).fill("top"));
check("direction takes ltr and rtl", (c) => takes(c, "direction", "ltr", ["rtl", "ltr"]), ["rtl", "ltr"]);
check("direction leaves out others", (c) => takes(c, "direction", "rtl", ["bogus", "LTR", "", "auto"]), Array(4).fill("rtl"));
check("letterSpacing takes lengths", (c) => takes(c, "letterSpacing", "0px", ["3px", "-2px", "0px", "1.5px", "1em"]), ["3px", "-2px", "0px", "1.5px", "1em"]);
check("letterSpacing leaves out others", (c) => takes(c, "letterSpacing", "1px", ["3", "3 px", "wide", "", "10%", NaN, 3]), Array(7).fill("1px"));
check("wordSpacing takes lengths", (c) => takes(c, "wordSpacing", "0px", ["3px", "-2px", "0px", "1.5px"]), ["3px", "-2px", "0px", "1.5px"]);
check("wordSpacing leaves out others", (c) => takes(c, "wordSpacing", "1px", ["3", "3 px", "wide", ""]), Array(4).fill("1px"));
check("fontKerning takes its words", (c) => takes(c, "fontKerning", "auto", ["normal", "none", "auto"]), ["normal", "none", "auto"]);
check("fontKerning leaves out others", (c) => takes(c, "fontKerning", "none", ["bogus", "NORMAL", ""]), Array(3).fill("none"));
check("fontStretch takes its words", (c) => takes(c, "fontStretch", "normal", ["ultra-condensed", "extra-condensed", "condensed", "semi-condensed", "normal", "semi-expanded", "expanded", "extra-expanded", "ultra-expanded"]), ["ultra-condensed", "extra-condensed", "condensed", "semi-condensed", "normal", "semi-expanded", "expanded", "extra-expanded", "ultra-expanded"]);
check("fontStretch leaves out others", (c) => takes(c, "fontStretch", "expanded", ["bogus", "NORMAL", "50%", ""]), Array(4).fill("expanded"));
check("fontVariantCaps takes its words", (c) => takes(c, "fontVariantCaps", "normal", ["small-caps", "all-small-caps", "petite-caps", "all-petite-caps", "unicase", "titling-caps", "normal"]), ["small-caps", "all-small-caps", "petite-caps", "all-petite-caps", "unicase", "titling-caps", "normal"]);
check("fontVariantCaps leaves out others", (c) => takes(c, "fontVariantCaps", "unicase", ["bogus", "NORMAL", ""]), Array(3).fill("unicase"));
check("textRendering takes its words", (c) => takes(c, "textRendering", "auto", ["optimizeSpeed", "optimizeLegibility", "geometricPrecision", "auto"]), ["optimizeSpeed", "optimizeLegibility", "geometricPrecision", "auto"]);
check("textRendering leaves out others", (c) => takes(c, "textRendering", "optimizeSpeed", ["bogus", "AUTO", "optimizespeed"]), Array(3).fill("optimizeSpeed"));
check("save and restore hold the properties of text", (c) => { const set = { textAlign: "end", textBaseline: "top", direction: "rtl", letterSpacing: "1px", wordSpacing: "2px", fontKerning: "none", fontStretch: "expanded", fontVariantCaps: "small-caps", textRendering: "optimizeSpeed" }; Object.assign(c, set); c.save(); Object.assign(c, { textAlign: "left", textBaseline: "bottom", direction: "ltr", letterSpacing: "9px", wordSpacing: "9px", fontKerning: "normal", fontStretch: "normal", fontVariantCaps: "unicase", textRendering: "auto" }); c.restore(); return Object.keys(set).filter((k) => c[k] !== set[k]); }, []);
return report(); //= {"checks":20,"failed":[]}
---
// typography: measureText
import { check, report, near, error } from "checks";
const width = (c, s, props = {}) => { Object.assign(c, { font: "40px sans-serif", ...props }); return c.measureText(s).width; };
check("measureText gives TextMetrics", (c) => String(c.measureText("x")), "[object TextMetrics]");
check("measureText has all its numbers", (c) => { const m = c.measureText("Hxg"); return ["width", "actualBoundingBoxLeft", "actualBoundingBoxRight", "actualBoundingBoxAscent", "actualBoundingBoxDescent", "fontBoundingBoxAscent", "fontBoundingBoxDescent", "emHeightAscent", "emHeightDescent", "hangingBaseline", "alphabeticBaseline", "ideographicBaseline"].filter((n) => typeof m[n] !== "number" || !Number.isFinite(m[n])); }, []);
check("the width of nothing is zero", (c) => c.measureText("").width, 0);
check("the width of a space is not zero", (c) => width(c, " ") > 5, true);
check("the width grows with the text", (c) => width(c, "MM") > width(c, "M"), true);
check("the width of letters in a proportional font differs", (c) => width(c, "M") > 2 * width(c, "i"), true);
check("the width of letters in a monospaced font is the same", (c) => width(c, "M", { font: "40px monospace" }) - width(c, "i", { font: "40px monospace" }), 0);
check("the width grows with the size", (c) => width(c, "MMMM", { font: "80px sans-serif" }) / width(c, "MMMM"), near(2, 0.02));
check("the width does not depend on the matrix", (c) => { const w = width(c, "Text"); c.scale(3, 3); return width(c, "Text") - w; }, 0);
check("the width does not depend on textAlign", (c) => width(c, "Text", { textAlign: "center" }) - width(c, "Text", { textAlign: "left" }), 0);
check("newlines and tabs are spaces", (c) => ["a\nb", "a\tb", "a\rb", "a\fb"].map((s) => Math.abs(width(c, s) - width(c, "a b")) < 0.01), Array(4).fill(true));
check("spaces are not collapsed", (c) => width(c, "a   b") - width(c, "a b"), near(2 * 11.11, 4));
check("letterSpacing adds to each letter", (c) => width(c, "abcd", { letterSpacing: "5px" }) - width(c, "abcd", { letterSpacing: "0px" }), near(20, 0.1));
check("letterSpacing in em follows the font", (c) => width(c, "abcd", { letterSpacing: "0.5em" }) - width(c, "abcd", { letterSpacing: "0px" }), near(80, 0.1));
check("negative letterSpacing takes away", (c) => width(c, "abcd", { letterSpacing: "-2px" }) - width(c, "abcd", { letterSpacing: "0px" }), near(-8, 0.1));
check("wordSpacing adds to each space", (c) => width(c, "a b c", { wordSpacing: "7px" }) - width(c, "a b c", { wordSpacing: "0px" }), near(14, 0.1));
check("bounds of text that begins at its origin", (c) => { c.font = "40px sans-serif"; const m = c.measureText("H"); return [m.actualBoundingBoxRight + m.actualBoundingBoxLeft > 15, m.actualBoundingBoxAscent > 25, Math.abs(m.actualBoundingBoxDescent) < 1]; }, [true, true, true]);
check("letters with tails go below the baseline", (c) => { c.font = "40px sans-serif"; return c.measureText("gp").actualBoundingBoxDescent > 5; }, true);
check("bounds move with textAlign", (c) => { c.font = "40px sans-serif"; const m = (a) => { c.textAlign = a; return c.measureText("HHH"); }; const l = m("left"), r = m("right"), mid = m("center"); return [r.actualBoundingBoxLeft > 60, r.actualBoundingBoxRight < 5, Math.abs(mid.actualBoundingBoxLeft - mid.actualBoundingBoxRight) < 3, l.actualBoundingBoxLeft < 5]; }, [true, true, true, true]);
check("bounds move with textBaseline", (c) => { c.font = "40px sans-serif"; c.textBaseline = "top"; const t = c.measureText("H"); c.textBaseline = "bottom"; const b = c.measureText("H"); return [t.actualBoundingBoxAscent < 5, t.actualBoundingBoxDescent > 25, b.actualBoundingBoxDescent < 0]; }, [true, true, true]);
check("baselines are measured from the one that is set", (c) => { c.font = "40px sans-serif"; const a = c.measureText("H"); c.textBaseline = "hanging"; const h = c.measureText("H"); return [a.alphabeticBaseline, a.hangingBaseline > 20, a.ideographicBaseline < 0, h.hangingBaseline, h.alphabeticBaseline < -20]; }, [0, true, true, 0, true]);
check("font bounds do not depend on the text", (c) => { c.font = "40px sans-serif"; const a = c.measureText("a"), b = c.measureText("Ég"); return [a.fontBoundingBoxAscent - b.fontBoundingBoxAscent, a.fontBoundingBoxAscent > 30, a.fontBoundingBoxDescent > 5]; }, [0, true, true]);
check("em heights add up to the size", (c) => { c.font = "40px sans-serif"; const m = c.measureText("a"); return m.emHeightAscent + m.emHeightDescent; }, near(40, 0.5));
check("measureText needs a text", (c) => error(() => c.measureText()), "TypeError");
check("measureText converts what it is given", (c) => [c.measureText(12).width - c.measureText("12").width, c.measureText(null).width - c.measureText("null").width], [0, 0]);
check("bold text is wider", (c) => width(c, "mmmm", { font: "bold 40px sans-serif" }) > width(c, "mmmm"), true);
check("combining marks do not add to the width", (c) => width(c, "e\u0301") - width(c, "e"), near(0, 1));
check("letters of other scripts have widths", (c) => ["Ж", "Ω", "é", "ß", "א", "ب"].filter((s) => !(width(c, s) > 3)), []);
return report(); //= {"checks":28,"failed":[]}
---
// typography: fillText and strokeText
import { check, report, at, whole, cells, fill, near, error, surface } from "checks";
// box is the left, top, right and bottom edge of what is painted.
const box = (c) => { const { data } = c.getImageData(0, 0, 100, 50); let l = 100, t = 50, r = -1, b = -1; for (let i = 0; i < 5000; i++) if (data[4 * i + 3] > 100) { const x = i % 100, y = Math.floor(i / 100); l = Math.min(l, x); r = Math.max(r, x); t = Math.min(t, y); b = Math.max(b, y); } return [l, t, r, b]; };
const text = (c, s, x, y, props = {}, ...most) => { Object.assign(c, { font: "30px sans-serif", ...props }); c.fillText(s, x, y, ...most); return box(c); };
check("fillText draws above its baseline", (c) => { const [, t, , b] = text(c, "HHH", 10, 40); return [b, t > 10 && t < 25]; }, [39, true]);
check("fillText begins at x", (c) => { const [l] = text(c, "H", 30, 40); return l > 30 && l < 36; }, true);
check("fillText with textAlign right ends at x", (c) => { const [, , r] = text(c, "HH", 80, 40, { textAlign: "right" }); return r > 72 && r < 80; }, true);
check("fillText with textAlign center is around x", (c) => { const [l, , r] = text(c, "HH", 50, 40, { textAlign: "center" }); return Math.abs(l + r + 1 - 100) <= 2; }, true);
check("textAlign start and end follow direction", (c) => { const a = text(c, "HH", 50, 40, { direction: "rtl", textAlign: "start" }); c.clearRect(0, 0, 100, 50); const b = text(c, "HH", 50, 40, { direction: "rtl", textAlign: "end" }); c.clearRect(0, 0, 100, 50); const e = text(c, "HH", 50, 40, { direction: "ltr", textAlign: "end" }); return [a[2] < 51, b[0] > 49, e[2] < 51]; }, [true, true, true]);
check("textAlign left and right do not follow direction", (c) => text(c, "HH", 50, 40, { direction: "rtl", textAlign: "left" })[0] > 49, true);
check("textBaseline top draws below y", (c) => { const [, t, , b] = text(c, "H", 10, 5, { textBaseline: "top" }); return [t >= 5 && t < 15, b > 25]; }, [true, true]);
check("textBaseline middle draws around y", (c) => { const [, t, , b] = text(c, "H", 10, 25, { textBaseline: "middle" }); return Math.abs((t + b) / 2 - 25) < 4; }, true);
check("textBaseline bottom draws above y", (c) => text(c, "H", 10, 48, { textBaseline: "bottom" })[3] < 46, true);
check("textBaseline hanging draws its top near y", (c) => Math.abs(text(c, "H", 10, 10, { textBaseline: "hanging" })[1] - 10) < 6, true);
check("textBaseline ideographic is below the letters", (c) => { const b = text(c, "H", 10, 45, { textBaseline: "ideographic" })[3]; return b < 44 && b > 30; }, true);
check("fillText follows the fill style", (c) => { const g = c.createLinearGradient(0, 0, 100, 0); g.addColorStop(0, "lime"); g.addColorStop(1, "lime"); text(c, "MMMM", 0, 40, { fillStyle: g }); let n = 0; for (let x = 0; x < 100; x++) if (at(c, x, 30).is([0, 255, 0, 255])) n++; return n > 10; }, true);
check("strokeText draws outlines", (c) => { Object.assign(c, { font: "bold 60px sans-serif", lineWidth: 1 }); c.strokeText("I", 10, 48); const [l, , r] = box(c); return [r - l > 5, at(c, Math.round((l + r) / 2), 30)]; }, [true, "none"]);
check("strokeText follows lineWidth", (c) => { Object.assign(c, { font: "30px sans-serif", lineWidth: 8 }); c.strokeText("H", 30, 40); const [l, , , b] = box(c); return [l < 31, b > 41]; }, [true, true]);
check("fillText leaves the path as it is", (c) => { c.rect(0, 0, 10, 10); text(c, "HH", 0, 90); c.fill(); return at(c, 5, 5); }, "black");
check("maxWidth larger than the text changes nothing", (c) => { const a = text(c, "HHH", 10, 40); c.clearRect(0, 0, 100, 50); return text(c, "HHH", 10, 40, {}, 500).join() === a.join(); }, true);
check("maxWidth narrows the text", (c) => { const [l, , r] = text(c, "HHHHHH", 10, 40, {}, 40); return [l >= 10, r <= 50, r > 42]; }, [true, true, true]);
check("maxWidth narrows around the place of alignment", (c) => { const [l, , r] = text(c, "HHHHHH", 50, 40, { textAlign: "center" }, 40); return [l >= 29, r <= 70, r > 60]; }, [true, true, true]);
check("maxWidth of zero or less draws nothing", (c) => { for (const m of [0, -1]) text(c, "HHH", 10, 40, {}, m); return whole(c); }, "none");
check("maxWidth that is not a number draws nothing", (c) => { for (const m of [NaN, -Infinity]) text(c, "HHH", 10, 40, {}, m); return whole(c); }, "none");
check("fillText leaves out what is not finite", (c) => { for (const v of [NaN, Infinity, -Infinity]) { text(c, "HHH", v, 40); text(c, "HHH", 10, v); } return whole(c); }, "none");
check("fillText of nothing and of spaces draws nothing", (c) => { text(c, "", 10, 40); text(c, "   \n\t", 10, 40); return whole(c); }, "none");
check("fillText draws one line", (c) => { const a = text(c, "H\nH", 10, 40); return a[3] <= 40; }, true);
check("fillText is under the matrix", (c) => { c.scale(2, 1); const [l] = text(c, "H", 20, 40); return l >= 40; }, true);
check("fillText that is turned", (c) => { c.translate(20, 5); c.rotate(Math.PI / 2); const [l, t, r, b] = text(c, "II", 0, 0); return [r - l > 15, l >= 19]; }, [true, true]);
check("fillText with globalAlpha", (c) => { c.globalAlpha = 0.5; text(c, "MMMM", 0, 40); let most = 0; for (let x = 0; x < 100; x++) most = Math.max(most, at(c, x, 30).rgba[3]); return most; }, near(128, 2));
check("fillText is clipped", (c) => { c.beginPath(); c.rect(0, 0, 50, 50); c.clip(); return text(c, "MMMM", 0, 40)[2] < 50; }, true);
check("fillText with a mode that clears outside", (c) => { fill(c, "lime"); c.globalCompositeOperation = "copy"; text(c, "I", 10, 40); return at(c, 90, 25); }, "none");
check("fillText with a filter", (c) => { c.filter = "invert(1)"; text(c, "MMMM", 0, 40); let n = 0; for (let x = 0; x < 100; x++) if (at(c, x, 30).is([255, 255, 255, 255])) n++; return n > 5; }, true);
check("letterSpacing moves letters apart", (c) => { const a = text(c, "II", 10, 40); c.clearRect(0, 0, 100, 50); return text(c, "II", 10, 40, { letterSpacing: "20px" })[2] - a[2]; }, near(20, 1));
check("a missing glyph draws a box or a letter of another font", (c) => { const [l, , r] = text(c, "\u{10FFFD}", 10, 40); return r >= l; }, true);
check("fillText needs three arguments", (c) => [error(() => c.fillText("x", 0)), error(() => c.strokeText("x"))], ["TypeError", "TypeError"]);
check("fillText converts what it is given", (c) => { const a = text(c, 111, "10", [40]); return a[2] > a[0]; }, true);
check("small text is drawn", (c) => { c.font = "6px sans-serif"; c.fillText("mmm", 10, 40); let sum = 0; const { data } = c.getImageData(0, 0, 100, 50); for (let i = 3; i < data.length; i += 4) sum += data[i]; return sum > 1000; }, true);
check("text of a size of zero draws nothing", (c) => { text(c, "HHH", 10, 40, { font: "0px sans-serif" }); return whole(c); }, "none");
return report(); //= {"checks":35,"failed":[]}
