import * as color from "@nodetool-ai/sandbox-color";
return [Object.keys(color).length, color.default === undefined]; //= [219,true]
---
import { parse } from "@nodetool-ai/sandbox-color";
return [parse("#06c"), parse("rgb(10% 20% 30% / 0.5)"), parse("hsl(120, 50%, 50%)"), parse("rebeccapurple"), parse("oklch(0.7 0.1 200)"), parse("color(display-p3 1 0 0)"), parse("nonsense") === undefined]; //= [{"mode":"rgb","r":0,"g":0.4,"b":0.8},{"mode":"rgb","r":0.1,"g":0.2,"b":0.3,"alpha":0.5},{"mode":"hsl","h":120,"s":0.5,"l":0.5},{"mode":"rgb","r":0.4,"g":0.2,"b":0.6},{"mode":"oklch","l":0.7,"c":0.1,"h":200},{"mode":"p3","r":1,"g":0,"b":0},true]
---
// conversions, to five digits: the last ones depend on the machine's cube root
import { rgb, hsl, hwb, lab, lch, oklab, oklch, xyz65, yiq, p3, converter } from "@nodetool-ai/sandbox-color";
const round = (c) => Object.fromEntries(Object.entries(c).map(([k, v]) => [k, typeof v === "number" ? Number(v.toFixed(5)) : v]));
return [rgb, hsl, hwb, lab, lch, oklab, oklch, xyz65, yiq, p3, converter("cubehelix")].map((f) => round(f("#2563eb"))); //= [{"mode":"rgb","r":0.1451,"g":0.38824,"b":0.92157},{"mode":"hsl","s":0.83193,"l":0.53333,"h":221.21212},{"mode":"hwb","w":0.1451,"b":0.07843,"h":221.21212},{"mode":"lab","l":44.79058,"a":21.04773,"b":-75.59885},{"mode":"lch","l":44.79058,"c":78.47415,"h":285.55792},{"mode":"oklab","l":0.54615,"a":-0.02667,"b":-0.21355},{"mode":"oklch","l":0.54615,"c":0.21521,"h":262.88092},{"mode":"xyz65","x":0.20218,"y":0.15314,"z":0.8049},{"mode":"yiq","y":0.37662,"i":-0.31653,"q":0.11453},{"mode":"p3","r":0.2132,"g":0.38297,"b":0.88898},{"mode":"cubehelix","l":0.37396,"s":1.26793,"h":-140.76441}]
---
import { formatHex, formatHex8, formatRgb, formatHsl, formatCss, clampChroma } from "@nodetool-ai/sandbox-color";
return [formatHex("rebeccapurple"), formatHex8("rgb(1 2 3 / 0.5)"), formatRgb("#abc"), formatHsl("#abc"), formatCss({ mode: "lab", l: 50, a: 10, b: -20 }), formatHex(clampChroma({ mode: "oklch", l: 0.8, c: 0.4, h: 150 }, "oklch"))]; //= ["#663399","#01020380","rgb(170, 187, 204)","hsl(210, 25%, 73.33%)","lab(50 10 -20)","#00e36a"]
---
import { interpolate, samples, formatHex, average, blend, nearest, filterGrayscale, filterDeficiencyProt } from "@nodetool-ai/sandbox-color";
return [samples(5).map(interpolate(["#f00", "#0f0", "#00f"], "oklab")).map(formatHex), formatHex(average(["#fff", "#000"], "rgb")), formatHex(blend(["#fc0", "#0cf"], "multiply")), nearest(["#f00", "#0f0", "#00f"])("#c33"), formatHex(filterGrayscale(1)("#2563eb")), formatHex(filterDeficiencyProt(1)("#2563eb"))]; //= [["#ff0000","#d0a800","#00ff00","#00aabf","#0000ff"],"#808080","#00a300",["#f00"],"#606060","#3e69f2"]
---
import { wcagContrast, wcagLuminance, differenceCiede2000, differenceEuclidean, inGamut, displayable } from "@nodetool-ai/sandbox-color";
return [wcagContrast("#fff", "#2563eb").toFixed(6), wcagLuminance("#888").toFixed(6), differenceCiede2000()("#2563eb", "#7c3aed").toFixed(6), differenceEuclidean("oklab")("#000", "#fff").toFixed(6), inGamut("rgb")("color(display-p3 1 0 0)"), displayable("#fff")]; //= ["5.168556","0.246201","15.119758","1.000000",false,true]
