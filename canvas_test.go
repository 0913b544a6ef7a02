package quicksand

import (
	"context"
	"fmt"
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

// BenchmarkCanvasRecording is what the guest takes to note 10 000 operations of ten kinds,
// with nothing drawn.
func BenchmarkCanvasRecording(b *testing.B) {
	eachEngineBench(b, func(b *testing.B, s *Sandbox) {
		o := drawing(canvas.Limits{Ops: canvas.MaxOps})
		const code = `
const x = createCanvas(512, 512).getContext("2d"), colours = ["#ff0000", "rgb(0 128 255 / 50%)", "tomato", "hsl(120 50% 50%)"];
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
