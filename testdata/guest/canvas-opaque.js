// a context without alpha begins black and stays opaque
const c = createCanvas(4, 4), x = c.getContext("2d", { alpha: false });
const at = (a, b) => [...x.getImageData(a, b, 1, 1).data].join();
const seen = [at(0, 0)];
x.fillStyle = "#f00";
x.fillRect(0, 0, 4, 4);
x.clearRect(0, 0, 1, 1);
seen.push(at(0, 0), at(1, 1));
x.globalCompositeOperation = "destination-out";
x.fillStyle = "rgba(0, 0, 0, 0.5)";
x.fillRect(1, 1, 1, 1);
seen.push(at(1, 1));
x.globalCompositeOperation = "copy";
x.fillStyle = "rgba(0, 255, 0, 0.5)";
x.fillRect(2, 2, 1, 1);
seen.push(at(1, 1), at(2, 2));
x.putImageData(new ImageData(new Uint8ClampedArray([255, 0, 0, 128]), 1, 1), 3, 3);
seen.push(at(3, 3));
return seen //= ["0,0,0,255","0,0,0,255","255,0,0,255","127,0,0,255","0,0,0,255","0,128,0,255","128,0,0,255"]
---
// resizing, resetting, drawing it elsewhere, rendering and its list of operations keep it opaque
const c = createCanvas(4, 4), x = c.getContext("2d", { alpha: false }), d = createCanvas(4, 4), y = d.getContext("2d");
const at = (x) => [...x.getImageData(0, 0, 1, 1).data].join();
y.drawImage(c, 0, 0);
const seen = [at(y)];
c.width = 5;
seen.push(at(x));
x.reset();
seen.push(at(x), (await image.info(await c.toImage({ background: "white" }))).hasAlpha);
y.reset();
y.drawImage(await canvas.render(c.toSpec()), 0, 0);
return [...seen, at(y), c.toSpec().alpha, "alpha" in d.toSpec()] //= ["0,0,0,255","0,0,0,255","0,0,0,255",false,"0,0,0,255",false,false]
---
// the first settings count, also on a surface that has been rendered
const c = createCanvas(1, 1);
await c.toImage();
const x = c.getContext("2d", { get alpha() { return 0; }, willReadFrequently: 1, colorSpace: "display-p3" });
return [[...x.getImageData(0, 0, 1, 1).data], c.getContext("2d", { alpha: true }) === x, x.getContextAttributes()] //= [[0,0,0,255],true,{"alpha":false,"colorSpace":"srgb","colorType":"unorm8","desynchronized":false,"willReadFrequently":true}]
---
// settings that ask for a context meanwhile get the same one
const c = createCanvas(1, 1);
let inner;
const x = c.getContext("2d", { get alpha() { inner = c.getContext("2d"); return false; } });
return [inner === x, x.getContextAttributes().alpha] //= [true,true]
---
// a colour space that does not exist
createCanvas(1, 1).getContext("2d", { colorSpace: "cmyk" }); //! TypeError "color space"
---
// consoles show the objects of the canvas
//@logs ["OffscreenCanvas { width: 3, height: 2 }","DOMMatrix { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 } DOMPoint { x: 1, y: 2, z: 0, w: 1 }","ImageBitmap { width: 3, height: 2 } CanvasGradient { type: 'linear', stops: 1 } CanvasPattern { repetition: 'repeat-x' }","ImageData { width: 1, height: 1, data: Uint8ClampedArray(4) [ 0, 0, 0, 0 ] } Path2D { operations: 3 } Path2D { operations: 0 }","true true"]
const c = createCanvas(3, 2), x = c.getContext("2d");
console.log(c);
console.log(new DOMMatrix([1, 2, 3, 4, 5, 6]), new DOMPoint(1, 2));
console.log(await createImageBitmap(c), x.createLinearGradient(0, 0, 1, 1).addColorStop(0, "red"), x.createPattern(c, "repeat-x"));
const p = new Path2D("M0 0h1");
p.moveTo(0, 0);
p.arc(0, 0, 1, 0, 1);
console.log(new ImageData(1, 1), p, new Path2D());
x.lineWidth = 3;
console.log(x.lineWidth === 3, x.measureText("").width === 0);
return 1 //= 1
