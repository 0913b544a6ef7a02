package quicksand

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"quicksand/bridges"
	"quicksand/bridges/mediabridge"
	"quicksand/canvas"
	"quicksand/canvas/fonts"
	"quicksand/canvas/text"
)

// drawing are options of a run with limits of the canvas.
func drawing(l canvas.Limits) Options {
	return Options{Grants: []bridges.Grant{{Bridge: mediabridge.Canvas, Value: &mediabridge.CanvasOptions{Limits: l}}}}
}

func TestLimitsOfTheCanvas(t *testing.T) {
	const begin = `const c = createCanvas(50, 50), x = c.getContext("2d"); `
	cases := []struct {
		limit  string
		set    canvas.Limits
		within string // at the limit
		beyond string
		value  int64
	}{
		{"CanvasOps", canvas.Limits{Ops: 20}, `for (let i = 0; i < 20; i++) x.fillRect(i, 0, 1, 1); await c.toBytes()`, `for (let i = 0; i < 21; i++) x.fillRect(i, 0, 1, 1); await c.toBytes()`, 20},
		{"CanvasOps", canvas.Limits{Ops: 20}, `await canvas.render({ width: 5, height: 5, ops: Array(20).fill({ op: "save" }) })`, `await canvas.render({ width: 5, height: 5, ops: Array(21).fill({ op: "save" }) })`, 20},
		{"CanvasOps", canvas.Limits{}, `for (let i = 0; i < 10000; i++) x.fillRect(i, 0, 1, 1); await c.toBytes()`, `for (let i = 0; i < 10001; i++) x.fillRect(i, 0, 1, 1); await c.toBytes()`, 10_000},
		{"CanvasNumbers", canvas.Limits{Numbers: 50}, `x.setLineDash(Array(48).fill(1)); await c.toBytes()`, `x.setLineDash(Array(52).fill(1)); await c.toBytes()`, 50},
		{"CanvasText", canvas.Limits{Text: 40}, `x.fillText("a".repeat(40), 0, 9); await c.toBytes()`, `x.fillText("a".repeat(41), 0, 9); await c.toBytes()`, 40},
		{"CanvasText", canvas.Limits{Text: 40}, `x.measureText("a".repeat(40))`, `x.measureText("a".repeat(41))`, 40},
		{"CanvasText", canvas.Limits{Text: 40}, `await canvas.measureText("a".repeat(40))`, `await canvas.measureText("a".repeat(41))`, 40},
		{"CanvasText", canvas.Limits{Text: 40}, `x.measureTextBox("a".repeat(40), 9)`, `x.measureTextBox("a".repeat(41), 9)`, 40},
		{"CanvasText", canvas.Limits{Text: 40}, `await image.text("a".repeat(40))`, `await image.text("a".repeat(41))`, 40},
		{"CanvasSaveDepth", canvas.Limits{SaveDepth: 5}, `for (let i = 0; i < 5; i++) x.save(); await c.toBytes()`, `for (let i = 0; i < 6; i++) x.save(); await c.toBytes()`, 5},
		{"CanvasSegments", canvas.Limits{Segments: 100}, `for (let i = 0; i < 90; i++) x.lineTo(i, i % 7); x.fill(); await c.toBytes()`, `for (let i = 0; i < 200; i++) x.lineTo(i, i % 7); x.fill(); await c.toBytes()`, 100},
		{"TextBytes", canvas.Limits{}, `x.measureText("a".repeat(1 << 20))`, `x.measureText("a".repeat((1 << 20) + 1))`, 1 << 20},
		{"TextBytes", canvas.Limits{}, `await canvas.measureText("a".repeat(1 << 20))`, `await canvas.measureText("a".repeat((1 << 20) + 1))`, 1 << 20},
		{"TextBytes", canvas.Limits{}, `x.fillText("a".repeat(1 << 20), 0, 9); await c.toBytes()`, `x.fillText("a".repeat((1 << 20) + 1), 0, 9); await c.toBytes()`, 1 << 20},
		{"TextBytes", canvas.Limits{}, `x.fillText("a".repeat(10000), 0, 9); await c.toPDF()`, `x.fillText("a".repeat((1 << 20) + 1), 0, 9); await c.toPDF()`, 1 << 20},
		{"CanvasSegments", canvas.Limits{Segments: 10_000}, `x.fillText("a".repeat(100), 0, 9); await c.toPDF()`, `x.fillText("a".repeat(10000), 0, 9); await c.toPDF()`, 10_000},
		{"CanvasSegments", canvas.Limits{Segments: 10_000}, `x.strokeText("a".repeat(100), 0, 9); await c.toSVG()`, `x.strokeText("a".repeat(10000), 0, 9); await c.toSVG()`, 10_000},
		{"CanvasWork", canvas.Limits{Work: 20_000}, `for (let i = 0; i < 7; i++) x.fillRect(0, 0, 50, 50); await c.toBytes()`, `for (let i = 0; i < 20; i++) x.fillRect(0, 0, 50, 50); await c.toBytes()`, 20_000},
	}
	tested := map[string]bool{"CanvasSurfaces": true, "FontBytes": true, // below
		"FontSetBytes": true, "FontFaces": true, "CanvasFileBytes": true, "CanvasFilePixels": true} // in packages text and vector
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for i, c := range cases {
			tested[c.limit] = true
			t.Run(fmt.Sprintf("%s %d", c.limit, i), func(t *testing.T) {
				must(t, s, begin+c.within, drawing(c.set))
				_, e := fails(t, s, begin+c.beyond, drawing(c.set), KindLimit)
				if e.Limit != c.limit || e.Value != c.value || e.Used <= c.value {
					t.Errorf("limit %s, value %d, used %d, want %s and %d: %v", e.Limit, e.Value, e.Used, c.limit, c.value, e)
				}
				if !strings.Contains(e.Message, "("+c.limit+")") || !strings.Contains(e.Message, fmt.Sprint(c.value)) {
					t.Errorf("the message does not name the limit: %s", e.Message)
				}
				if e.Position.Line == 0 {
					t.Errorf("the error has no place in the program")
				}
			})
		}
	})
	for _, l := range mediabridge.Canvas.Limits {
		if !tested[l.Name] {
			t.Errorf("the limit %s has no test", l.Name)
		}
	}
}

func TestSurfacesAtOneTime(t *testing.T) {
	// Those which nothing refers to do not count for long.
	const code = `const all = [];
for (let i = 0; i < inputs.n; i++) { const c = createCanvas(1, 1), x = c.getContext("2d"); if (inputs.keep) all[i] = x; x.fillRect(0, 0, 1, 1); x.isPointInPath(0, 0); if (i % 500 === 0) await null; }
return all.length`
	if testing.Short() {
		t.Skip("ten thousand surfaces")
	}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := func(n int, keep bool) Options {
			return Options{Inputs: map[string]any{"n": n, "keep": keep}, Limits: Limits{Memory: 256 << 20, RunMedia: 1 << 30}}
		}
		must(t, s, code, o(9990, true))
		_, e := fails(t, s, code, o(10_001, true), KindLimit)
		if e.Limit != "CanvasSurfaces" || e.Value != 10_000 {
			t.Errorf("got %v", e)
		}
	})
}

func TestMemoryOfTheCanvas(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Limits: Limits{RunMedia: 8 << 20}}
		// A surface of 1000 × 1000 is 4 MB, and the picture that is made of it another 4.
		res := must(t, s, `
const c = createCanvas(1000, 1000), x = c.getContext("2d"), out = [];
for (let i = 0; i < 20; i++) {
  x.fillRect(0, 0, 9, 9);
  const h = await c.toImage();
  out.push(h.width);
  await image.release(h);
  c.reset();
}
x.fillRect(0, 0, 9, 9);
let full;
const h = await c.toImage();
x.fillRect(5, 5, 9, 9);
try { await c.toImage(); } catch (e) { full = [e.name, e.code, e.message.includes("(RunMedia)")]; }
await image.release(h);
x.fillRect(5, 5, 9, 9);
out.push((await c.toImage()).height);
return [out.length, full];`, o)
		wantJSON(t, "result", res.Value, `[21,["RangeError","ERR_LIMIT",true]]`)
		// What is forgotten makes room.
		res = must(t, s, `
let n = 0;
for (let i = 0; i < 20; i++) {
  const c = createCanvas(900, 900), x = c.getContext("2d");
  x.fillRect(0, 0, 9, 9);
  n += (await c.toImage()).width;
}
return n`, o)
		wantJSON(t, "result", res.Value, `18000`)
		for _, code := range []string{
			`await createCanvas(4000, 4000).toImage()`,
			`const x = createCanvas(2000, 2000).getContext("2d"); x.fillRect(0, 0, 1, 1); x.getImageData(0, 0, 1, 1)`,
			`const x = createCanvas(9, 9).getContext("2d"); x.getImageData(0, 0, 2000, 2000)`,
			`const x = createCanvas(3000, 3000).getContext("2d"), d = x.createImageData(1000, 1000); for (let i = 0; i < 9; i++) x.putImageData(d, i, 0)`,
			`const x = createCanvas(9, 9).getContext("2d"); for (let i = 0; i < 9; i++) x.drawImage(new Uint8Array(1 << 20).fill(i), 0, 0)`,
			`const x = createCanvas(9, 9).getContext("2d"); for (let i = 0; i < 9; i++) x.drawImage({ data: "A".repeat(1 << 20) + i }, 0, 0)`,
		} {
			_, e := fails(t, s, code, o, KindLimit)
			if e.Limit != "RunMedia" {
				t.Errorf("%s\ngot %v", code, e)
			}
		}
		_, e := fails(t, s, `const x = createCanvas(1000, 1000).getContext("2d"); x.filter = "blur(9px)"; x.fillRect(0, 0, 1000, 1000); x.getImageData(0, 0, 1, 1)`, o, KindLimit)
		if e.Limit != "RunMedia" || !strings.HasPrefix(e.Message, "getImageData: op 1 (fillRect): ") {
			t.Errorf("got %v", e)
		}
		// So do the operations themselves.
		big := drawing(canvas.Limits{Ops: 1_000_000})
		big.Limits.RunMedia = 4 << 20
		_, e = fails(t, s, `const x = createCanvas(9, 9).getContext("2d"); for (let i = 0; i < 900000; i++) x.fillRect(0, 0, 1, 1)`, big, KindLimit)
		if e.Limit != "RunMedia" {
			t.Errorf("got %v", e)
		}
		_, e = fails(t, s, `const c = createCanvas(9, 9), x = c.getContext("2d"); for (let i = 0; i < 30000; i++) x.beginPath(); c.toSpec()`, big, KindLimit)
		if e.Limit != "RunMedia" {
			t.Errorf("got %v", e)
		}
	})
}

func TestAMillionOperations(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		if hurried(s) {
			t.Skip("a million operations")
		}
		o := drawing(canvas.Limits{Ops: 1 << 30}) // the ceiling
		// The guest holds a few thousand of them at one time.
		o.Limits = Limits{Memory: 2 << 20, Timeout: time.Minute}
		res := must(t, s, `const c = createCanvas(64, 64), x = c.getContext("2d");
for (let i = 0; i < 999999; i++) x.moveTo(i & 63, 1);
x.fillRect(1, 1, 1, 1);
return [...x.getImageData(1, 1, 1, 1).data]`, o)
		wantJSON(t, "result", res.Value, `[0,0,0,255]`)
		_, e := fails(t, s, `const c = createCanvas(64, 64), x = c.getContext("2d"); for (let i = 0; i < 1100000; i++) x.beginPath(); return 1`, o, KindLimit)
		if e.Limit != "CanvasOps" || e.Value != canvas.MaxOps {
			t.Errorf("got %v", e)
		}
	})
}

func TestDrawingEndsWithTheRun(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, ask := range []string{"await c.toBytes()", "x.getImageData(0, 0, 1, 1)", "await c.toPDF()", "createCanvas(1, 1).getContext('2d').drawImage(c, 0, 0)"} {
			code := `const c = createCanvas(2000, 2000), x = c.getContext("2d");
x.filter = "blur(30px)";
for (let i = 0; i < 5000; i++) x.fillRect(0, 0, 1999, 1999 - i / 10);
` + ask
			inTime(t, 300*time.Millisecond, func() {
				fails(t, s, code, Options{Limits: Limits{Timeout: 300 * time.Millisecond}}, KindTimeout)
			})
		}
	})
}

func TestWarningsOfTheCanvas(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		res := must(t, s, `const x = createCanvas(1, 1).getContext("2d");
for (let k = 0; k < 2; k++) for (let i = 0; i < 5000; i++) x.fillStyle = "colour " + i;
x.font = "z".repeat(1000);
return x.fillStyle`, Options{})
		var lines []string
		for _, l := range res.Logs {
			lines = append(lines, l.Message)
		}
		if len(lines) != 21 || lines[0] != `canvas: the colour "colour 0" is ignored` || lines[20] != "canvas: more values are ignored" {
			t.Errorf("%d lines: %q", len(lines), lines)
		}
		res = must(t, s, `createCanvas(1, 1).getContext("2d").font = "z".repeat(1000); return 1`, Options{})
		if len(res.Logs) != 1 || len(res.Logs[0].Message) > 120 {
			t.Errorf("got %v", res.Logs)
		}
	})
}

func TestFontsOfHostAndGuest(t *testing.T) {
	mono := fonts.Faces()[slices.IndexFunc(fonts.Faces(), func(f fonts.Face) bool { return f.Family == fonts.Mono })].TTF
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Workspace: files(t, map[string][]byte{"mono.ttf": mono}),
			Grants: []bridges.Grant{{Bridge: mediabridge.Canvas, Value: &mediabridge.CanvasOptions{Fonts: []mediabridge.CanvasFont{{Data: mono, FaceOptions: text.FaceOptions{Family: "House"}}}}}}}
		res := must(t, s, `
const x = createCanvas(1, 1).getContext("2d"), width = (f) => { x.font = "20px " + f; return Math.round(x.measureText("iiii").width * 10) / 10; };
const own = (l) => l.filter((f) => !f.bundled).map((f) => f.family + " " + f.weight + " " + f.style).join();
const before = [width("House"), width("Guest"), own(await canvas.fonts())];
const made = await canvas.registerFont({ uri: "mono.ttf" }, { family: "Guest", weight: "bold", style: "italic" });
await canvas.registerFont(await workspace.readBytes("mono.ttf"), { family: "Bytes", weight: 300 });
const m = await canvas.measureText("iiii", "20px Bytes"), h = await image.text("iiii", { font: "20px Guest", padding: 0 });
return [before, own(made), width("Guest"), Math.round(m.width * 10) / 10, own(await canvas.fonts()), h.width]`, o)
		wantJSON(t, "result", res.Value, `[[48,22.2,"House 400 normal"],"Guest 700 italic",48,48,"House 400 normal,Guest 700 italic,Bytes 300 normal",49]`)
		// The next run has only those of its host.
		res = must(t, s, `return (await canvas.fonts()).filter((f) => !f.bundled).length`, Options{})
		wantJSON(t, "result", res.Value, `0`)
		o.Workspace = files(t, map[string][]byte{"big.ttf": make([]byte, text.MaxFontBytes+1)})
		_, e := fails(t, s, `await canvas.registerFont({ uri: "big.ttf" })`, o, KindLimit)
		if e.Limit != "FontBytes" || e.Value != text.MaxFontBytes {
			t.Errorf("got %v", e)
		}
	})
	for _, c := range []struct {
		value any
		want  string
	}{
		{"fonts", "the value is a string, not a *mediabridge.CanvasOptions"},
		{&mediabridge.CanvasOptions{Fonts: []mediabridge.CanvasFont{{Data: []byte("x")}}}, "font 0: register font: "},
	} {
		_, err := sharedSandbox(t, engineNames[0]).Run(context.Background(), "return 1", Options{Grants: []bridges.Grant{{Bridge: mediabridge.Canvas, Value: c.value}}})
		if e := wantKind(t, err, KindUsage); !strings.Contains(e.Error(), c.want) {
			t.Errorf("got %v, want %s", e, c.want)
		}
	}
	var none *mediabridge.CanvasOptions
	must(t, sharedSandbox(t, engineNames[0]), "return (await createCanvas(1, 1).toImage()).width", Options{Grants: []bridges.Grant{{Bridge: mediabridge.Canvas, Value: none}}})
}

// TestDrawnAhead compares pictures of which the most is drawn while the guest records with the
// same, of which pixels are asked for so often that nothing is.
func TestDrawnAhead(t *testing.T) {
	const scene = `
const run = (c, ask, n = 1200) => {
  const x = c.getContext("2d");
  x.font = "12px sans-serif";
  for (let i = 0; i < n; i++) {
    x.fillStyle = "#" + (i * 5003 % 16777216).toString(16).padStart(6, "0") + "90";
    x.fillRect(i * 7 % 90, i * 13 % 80, 20, 9.5);
    if (i % 5 === 0) { const g = x.createLinearGradient(0, 0, i % 60 + 1, 9); g.addColorStop(0, "#f00"); g.addColorStop(0.5, "#0f08"); g.addColorStop(1, "#00f"); x.fillStyle = g; x.fillRect(i % 50, i % 40, 9, 9); }
    if (i % 7 === 0) { x.save(); x.translate(i % 60, 40); x.rotate(i); x.beginPath(); x.arc(0, 0, 9, 0, 5); x.lineWidth = 1 + i % 3; x.stroke(); x.restore(); }
    if (i % 50 === 0) x.fillText("text " + i, i % 60, i % 80);
    if (ask && i % 100 === 0) x.getImageData(0, 0, 1, 1);
  }
  return x;
};
const pix = (x) => toHex(x.getImageData(0, 0, 100, 90).data);
`
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := drawing(canvas.Limits{Ops: canvas.MaxOps})
		for _, c := range []struct{ name, code, want string }{
			{"pixels are the same", `return pix(run(createCanvas(100, 90), false)) === pix(run(createCanvas(100, 90), true))`, `true`},
			{"what was drawn before a reset is gone", `const c = createCanvas(100, 90), x = run(c, false); x.reset(); run(c, false, 300); return pix(x) === pix(run(createCanvas(100, 90), true, 300))`, `true`},
			{"a surface may get another size", `const c = createCanvas(300, 300), x = run(c, false); c.width = 100; c.height = 90; run(c, false, 400); return pix(x) === pix(run(createCanvas(100, 90), true, 400))`, `true`},
			{"a background is under all of it", `const a = createCanvas(100, 90), b = createCanvas(100, 90), o = { background: "teal" }; run(a, false); run(b, true);
return toHex(await a.toBytes(o)) === toHex(await b.toBytes(o)) && toHex(await a.toBytes(o)) !== toHex(await a.toBytes())`, `true`},
			{"a snapshot in between does not change", `const c = createCanvas(100, 90), other = createCanvas(100, 90).getContext("2d"); run(c, false); const before = pix(c.getContext("2d"));
other.drawImage(c, 0, 0); run(c, false); return pix(other) === before && pix(c.getContext("2d")) !== before`, `true`},
			{"a run may end without asking", `run(createCanvas(100, 90), false); return 1`, `1`},
			{"a picture that is not loaded is waited for", `await workspace.writeBytes("dot.png", await image.bytes(await image.blank(2, 2, { color: "red" })));
const c = createCanvas(100, 90), x = c.getContext("2d"); x.drawImage({ uri: "dot.png" }, 0, 0); x.drawImage({ uri: "dot.png" }, 50, 50); run(c, false, 300); await c.toBytes(); x.drawImage({ uri: "dot.png" }, 1, 1); await c.toBytes(); return [...x.getImageData(1, 1, 1, 1).data]`, `[255,0,0,255]`},
		} {
			t.Run(c.name, func(t *testing.T) {
				o := o
				o.Workspace = files(t, nil)
				wantJSON(t, "result", must(t, s, scene+c.code, o).Value, c.want)
			})
		}
		t.Run("a limit is an error only of what asks", func(t *testing.T) {
			o := drawing(canvas.Limits{Ops: canvas.MaxOps, Work: 50_000})
			res := must(t, s, scene+`const c = createCanvas(100, 90), x = run(c, false), out = [];
for (let k = 0; k < 2; k++) try { pix(x); } catch (e) { out.push(e.code + " " + e.message.slice(0, 14)); }
return out`, o)
			wantJSON(t, "result", res.Value, `["ERR_LIMIT getImageData: ","ERR_LIMIT getImageData: "]`)
		})
	})
}

// TestInternalNames makes mistakes whose errors come from functions that only scripts of the
// host see.
func TestInternalNames(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		res := must(t, s, `
const c = createCanvas(4, 4), x = c.getContext("2d"), none = createCanvas(0, 4), far = createCanvas(1e9, 1), out = [];
const h = await image.blank(2, 2), gone = await image.blank(2, 2), a = await audio.silence({ duration: 0.01 });
const copy = { ...gone };
await image.release(gone);
const wrong = [9, true, [1], Symbol("s"), 1n, () => 1, { format: "_tiff" }, { quality: "x" }, { background: 1 }, { lossless: { then: 1 } }, new Map(), "image/none"];
const tries = [];
for (const v of wrong) {
  tries.push(() => c.toBytes(v), () => c.toImage(v), () => c.toSVG(v), () => c.toPDF(v), () => c.toDataURL(v, v), () => c.toSpec(v), () => c.reset(v), () => c.convertToBlob(v), () => c.getContext(v),
    () => x.drawImage(v, 0, 0), () => x.createPattern(v, "repeat"), () => x.putImageData(v, 0, 0), () => x.getImageData(v, v, v, v), () => x.measureText(v), () => x.measureTextBox(v, v, v), () => x.fillTextBox(v, 1, 1, 1, v),
    () => x.fillStyle = v, () => x.font = v, () => x.filter = v, () => x.letterSpacing = v, () => new DOMMatrix(v), () => new Path2D(v), () => createImageBitmap(v), () => canvas.render(v), () => canvas.measureText(v, v), () => canvas.registerFont(v, v),
    () => image.resize(h, v), () => image.bytes(v), () => image.toAsset(v, v), () => audio.gain(a, v), () => audio.bytes(v), () => media.waveformImage(v, v));
}
for (const e of [none, far]) tries.push(() => e.toBytes(), () => e.toImage(), () => e.toSVG(), () => e.toDataURL(), () => e.getContext("2d").getImageData(0, 0, 1, 1), () => x.drawImage(e, 0, 0), () => e.getContext("2d").isPointInPath(0, 0), () => createImageBitmap(e));
tries.push(() => gone.byteLength, () => copy.byteLength, () => x.drawImage(gone, 0, 0), () => c.toBytes(), () => createCanvas(Symbol(), 1).toBytes(), () => x.getImageData(0, 0, 1e9, 1e9));
for (const f of tries) {
  try { await f(); } catch (e) { out.push(e.name + ": " + e.message); }
}
return out`, Options{})
		list := res.Value.Elements()
		n := 0
		for _, v := range list {
			text, _ := v.Str()
			n++
			if internalName.MatchString(text) {
				t.Errorf("the error shows an internal name: %s", text)
			}
		}
		if n < 200 {
			t.Errorf("only %d of the mistakes are errors", n)
		}
	})
}

// internalName is a function of bridges as only their scripts see it.
var internalName = regexp.MustCompile(`(?:^|[^\w"])_[a-z]\w+`)

// BenchmarkCanvasRecording is what the guest takes to note 10 000 operations of ten kinds, on a
// surface that is too large to be drawn ahead.
func BenchmarkCanvasRecording(b *testing.B) {
	eachEngineBench(b, func(b *testing.B, s *Sandbox) {
		o := drawing(canvas.Limits{Ops: canvas.MaxOps})
		const code = `
const x = createCanvas(4096, 4096).getContext("2d"), colours = ["#ff0000", "rgb(0 128 255 / 50%)", "tomato", "hsl(120 50% 50%)"];
function scene() {
  for (let i = 0; i < 10000; i += 10) {
    x.save();
    x.translate(i % 512, i % 300);
    x.fillStyle = colours[(i / 10) & 3];
    x.fillRect(1.5, 2, 30, 20.25);
    x.beginPath();
    x.moveTo(0, 0);
    x.lineTo(i, 10);
    x.arc(10, 10, 5, 0, 6.28);
    x.stroke();
    x.restore();
  }
}
let best = Infinity;
for (let k = 0; k < 20; k++) { x.reset(); const t = Date.now(); scene(); best = Math.min(best, Date.now() - t); }
return best`
		best := 1e9
		for b.Loop() {
			ms, _ := must(b, s, code, o).Value.Float()
			best = min(best, ms)
		}
		b.ReportMetric(best, "ms/10kops")
	})
}

// BenchmarkCanvasQuestion is a question to the host that draws nothing.
func BenchmarkCanvasQuestion(b *testing.B) {
	eachEngineBench(b, func(b *testing.B, s *Sandbox) {
		inGuest(b, s, `const x = createCanvas(1, 1).getContext("2d"); x.rect(0, 0, 1, 1); let n = 0;
for (let i = 0; i < inputs.n; i++) n += x.isPointInPath(0.5, 0.5); return n`, Options{})
	})
}
