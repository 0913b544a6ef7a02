package quicksand

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	stdimage "image"
	"image/color"
	stdjpeg "image/jpeg"
	stdpng "image/png"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quicksand/bridges"
	"quicksand/bridges/assets"
	_ "quicksand/bridges/mediabridge"
	"quicksand/bridges/workspace"
	"quicksand/media/image"
)

// Codecs of these tests count, or wait. They stand in for formats that this package has no
// codec of.
var counting struct{ decoded, encoded atomic.Int64 }

func init() {
	image.RegisterDecoder(image.JXL, image.Decoder{
		Config: func(data []byte) (image.Info, error) {
			return image.Info{Format: image.JXL, Width: 64, Height: 48, Frames: 1, Depth: 8, Alpha: true}, nil
		},
		Decode: func(ctx context.Context, _ []byte, _ int) (*image.Surface, error) {
			counting.decoded.Add(1)
			s := image.New(64, 48)
			for i := range s.Pix {
				s.Pix[i] = 255
			}
			return s, nil
		},
	})
	image.RegisterEncoder(image.JXL, image.Encoder{Alpha: true,
		Encode: func(_ context.Context, s *image.Surface, _ image.EncodeOptions) ([]byte, error) {
			counting.encoded.Add(1)
			return []byte{0xff, 0x0a, byte(s.Width), byte(s.Height)}, nil
		},
	})
	// AVIF waits for the end of its context.
	image.RegisterEncoder(image.AVIF, image.Encoder{Alpha: true,
		Encode: func(ctx context.Context, _ *image.Surface, _ image.EncodeOptions) ([]byte, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		},
	})
}

// files is a workspace in memory.
func files(t *testing.T, list map[string][]byte) *workspace.Policy {
	t.Helper()
	m := workspace.NewMemory(nil)
	for name, data := range list {
		if err := m.WriteFile(name, data); err != nil {
			t.Fatal(err)
		}
	}
	return &workspace.Policy{FS: m}
}

func TestAChainDecodesAndEncodesOnce(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Workspace: files(t, map[string][]byte{"p.jxl": {0xff, 0x0a}})}
		counting.decoded.Store(0)
		counting.encoded.Store(0)
		res := must(t, s, `
let h = { uri: "p.jxl" };
for (let i = 0; i < 15; i++) {
  h = await image.rotate(h, 90, { format: "jxl" });
  h = await image.flip(h, { format: "jxl" });
  h = await image.adjust(h, { contrast: 1.01 }, { format: "jxl" });
}
h = await image.convert(h, { format: "jxl" });
const sizes = [h.byteLength, (await image.bytes(h)).length, JSON.parse(JSON.stringify(h)).byteLength, (await image.info(h)).byteLength];
return [h.width, h.height, sizes];`, o)
		wantJSON(t, "result", res.Value, `[48,64,[4,4,4,4]]`)
		if d, e := counting.decoded.Load(), counting.encoded.Load(); d != 1 || e != 1 {
			t.Errorf("46 operations decoded %d times and encoded %d times", d, e)
		}
		// Bytes never crossed: the arguments and results of the calls are small.
		if u := res.Usage; u.BytesIn+u.BytesOut > 30_000 {
			t.Errorf("%d bytes crossed", u.BytesIn+u.BytesOut)
		}
	})
}

func photo(w, h int) *stdimage.RGBA {
	m := stdimage.NewRGBA(stdimage.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.SetRGBA(x, y, color.RGBA{uint8(128 + 100*math.Sin(float64(x)/17)), uint8(y * 255 / h), uint8((x ^ y) & 127), 255})
		}
	}
	return m
}

func jpegOf(t testing.TB, m stdimage.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := stdjpeg.Encode(&b, m, &stdjpeg.Options{Quality: 92}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestTwentyStepsOfAJPEGLoseNoMoreThanOne(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Workspace: files(t, map[string][]byte{"p.jpg": jpegOf(t, photo(61, 47))})}
		res := must(t, s, `
const once = await image.bytes(await image.convert({ uri: "p.jpg" }, { format: "jpeg" }));
let h = { uri: "p.jpg" };
for (let i = 0; i < 20; i++) h = await [(x) => image.convert(x, { format: "jpeg" }), (x) => image.rotate(x, 0, { format: "jpeg" }), (x) => image.crop(x, { format: "jpeg" }), (x) => image.flip(x, { horizontal: false, format: "jpeg" })][i % 4](h);
const many = await image.bytes(h);
let turned = { uri: "p.jpg" };
for (let i = 0; i < 4; i++) turned = await image.rotate(turned, 90);
const a = (await image.decode(turned)).pixels, b = (await image.decode({ uri: "p.jpg" })).pixels;
return [toHex(once) === toHex(many), toHex(a) === toHex(b)];`, o)
		wantJSON(t, "result", res.Value, `[true,true]`)
	})
}

func TestAPhotoIsShrunkWithoutBecomingPixels(t *testing.T) {
	// A photo of 12 megapixels takes 48 MB as pixels and, at an eighth, less than 1 as luma and
	// chroma: with 16 MiB there is no other way.
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Workspace: files(t, map[string][]byte{"p.jpg": jpegOf(t, stdimage.NewYCbCr(stdimage.Rect(0, 0, 4000, 3000), stdimage.YCbCrSubsampleRatio420))}),
			Limits: Limits{RunMedia: 40 << 20}}
		res := must(t, s, `
const h = await image.resize({ uri: "p.jpg" }, { width: 400, format: "jpeg" });
let full;
try { await image.convert({ uri: "p.jpg" }); } catch (e) { full = e.code; }
return [h.width, h.height, (await image.info(h)).format, full];`, o)
		wantJSON(t, "result", res.Value, `[400,300,"jpeg","ERR_LIMIT"]`)
	})
}

func TestDepthsAndModelsOfFiles(t *testing.T) {
	grey16 := stdimage.NewGray16(stdimage.Rect(0, 0, 3, 1))
	grey16.SetGray16(0, 0, color.Gray16{0x1234})
	grey16.SetGray16(1, 0, color.Gray16{0xffff})
	palette := stdimage.NewPaletted(stdimage.Rect(0, 0, 2, 1), color.Palette{color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 255, 0, 128}})
	palette.SetColorIndex(1, 0, 1)
	encode := func(m stdimage.Image) []byte {
		var b bytes.Buffer
		if err := stdpng.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Workspace: files(t, map[string][]byte{"g16.png": encode(grey16), "p.png": encode(palette)})}
		res := must(t, s, `
const out = [];
for (const uri of ["g16.png", "p.png"]) {
  const i = await image.info({ uri }), d = await image.decode({ uri });
  out.push([i.depth, i.hasAlpha, Array.from(d.pixels).join()]);
}
return out;`, o)
		wantJSON(t, "result", res.Value, `[[16,false,"18,18,18,255,255,255,255,255,0,0,0,255"],[8,true,"255,0,0,255,0,255,0,128"]]`)
	})
}

func TestReferencesAreLoadedOnTheHost(t *testing.T) {
	// One byte more than media.bytes brings to the guest, and the guest has no room for it.
	large := append([]byte{0xff, 0x0a}, make([]byte, 16<<20-1)...)
	store := new(assets.Memory)
	store.Put("large.jxl", "", "image/jxl", large)
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Assets: &assets.Policy{Store: store}, Limits: Limits{Memory: 4 << 20}}
		res := must(t, s, `
const h = await image.resize("asset://large.jxl", { width: 32 });
let text;
try { await media.bytes("asset://large.jxl"); } catch (e) { text = e.code; }
return [h.width, h.height, (await image.info("asset://large.jxl")).byteLength, text];`, o)
		wantJSON(t, "result", res.Value, `[32,24,16777217,"ERR_LIMIT"]`)
		_, e := fails(t, s, `await image.bytes("asset://large.jxl")`, o, KindLimit)
		if e.Limit != "Memory" || e.Value != 4<<20 || e.Used != 16<<20+1 {
			t.Errorf("got %v", e)
		}
	})
}

func TestTheMediaBudgetOfACall(t *testing.T) {
	big := append([]byte{0xff, 0x0a}, make([]byte, 600<<10)...)
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Workspace: files(t, map[string][]byte{"p.jxl": big}), Limits: Limits{RunMedia: 1 << 20}}
		must(t, s, `for (let i = 0; i < 5; i++) await image.info({ uri: "p.jxl" });`, o)
		_, e := fails(t, s, `await image.grid([{ uri: "p.jxl" }, { uri: "p.jxl" }])`, o, KindLimit)
		if e.Limit != "RunMedia" {
			t.Errorf("got %v", e)
		}
		o = Options{Limits: Limits{RunMedia: 1 << 20}}
		_, e = fails(t, s, `const b = new Uint8Array(600000); b[0] = 0xff; b[1] = 0x0a; await image.grid([b, b])`, o, KindLimit)
		wantLimit(t, e, "RunMedia", 1<<20, 1200000, 1200000)
		if !strings.Contains(e.Message, "aggregate media input exceeds the 1048576 byte run media limit") {
			t.Errorf("got %v", e)
		}
	})
}

func TestMediaLeaveTheRun(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		var got []Medium
		o := Options{OnMedia: func(_ context.Context, m Medium) (any, error) {
			got = append(got, m)
			if m.Type == "image" && m.Width == 3 {
				return nil, nil // stays
			}
			return map[string]any{"file": m.ID}, nil
		}}
		res := must(t, s, `
const a = await image.blank(1, 2, { color: "red" }), b = await image.blank(3, 1, { format: "jpeg" }), unused = await image.blank(9, 9);
await output("x", { a, list: [a, new Map([["k", a]]), new Set([a])], date: new Date(5), n: NaN });
await emit("y", a);
const cycle = { a }; cycle.self = cycle;
await output("z", cycle.a);
return { b, a: { ...a }, same: "sandbox://media/m1", foreign: { __nodetool_sandbox_media__: "m99" } };`, o)
		if len(got) != 2 || got[0].From != "output x" || got[0].ID != "m1" || got[0].MIME != "image/png" || got[1].From != "result" || got[1].ID != "m2" || got[1].MIME != "image/jpeg" || got[1].Height != 1 {
			t.Fatalf("got %+v", got)
		}
		if m, err := stdpng.Decode(bytes.NewReader(got[0].Data)); err != nil || m.Bounds() != stdimage.Rect(0, 0, 1, 2) {
			t.Errorf("got %v", err)
		}
		if v := res.Value.Field("a").Field("file"); v.String() != "m1" {
			t.Errorf("got %v", res.Value)
		}
		if v := res.Value.Field("b").Field("uri"); v.String() != "sandbox://media/m2" {
			t.Errorf("a handle for which the host has nothing: got %v", v)
		}
		if v := res.Value.Field("foreign").Field(bridges.HandleMark); v.String() != "m99" {
			t.Errorf("a handle that names nothing: got %v", v)
		}
		if v := res.Value.Field("same"); v.String() != "sandbox://media/m1" {
			t.Errorf("text: got %v", v)
		}
		x := res.Outputs["x"]
		if v := x.Field("list").Index(0).Field("file"); v.String() != "m1" {
			t.Errorf("got %v", x)
		}
		if m := x.Field("list").Index(1).Any().(*Map); fmt.Sprint(m.Entries[0].Value) != "map[file:m1]" {
			t.Errorf("got %v", m)
		}
		if v := res.Emitted[0].Value.Field("file"); v.String() != "m1" {
			t.Errorf("got %v", v)
		}
		if n, _ := x.Field("n").Float(); !math.IsNaN(n) {
			t.Errorf("got %v", x.Field("n"))
		}

		o.OnMedia = func(context.Context, Medium) (any, error) { return nil, errors.New("the disk is full") }
		_, e := fails(t, s, `return [await image.blank(1, 1)]`, o, KindInternal)
		if !strings.Contains(e.Message, "sandbox://media/m1") || strings.Contains(e.Message, "disk") || e.Err == nil {
			t.Errorf("got %v", e)
		}
		res = must(t, s, `const h = await image.blank(1, 1); try { await emit("x", h); } catch (e) { return e.message; }`, o)
		if got := res.Value.String(); !strings.Contains(got, "the host did not take sandbox://media/m1") || strings.Contains(got, "disk") {
			t.Errorf("got %s", got)
		}
	})
}

func TestAHandleDoesNotOutliveItsRun(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Globals: map[string]any{"state": map[string]any{}}}
		res := must(t, s, `state.kept = await image.blank(4, 4);`, o)
		o.Globals["state"] = res.Globals["state"].Any()
		_, e := fails(t, s, `await image.blank(1, 1); await image.blank(1, 1); state.kept.__nodetool_sandbox_media__ = "m3"; await image.crop(state.kept, { width: 1 })`, o, KindGuest)
		for _, words := range []string{"sandbox://media/m3", "only lives for the action that produced it", "save it as an asset"} {
			if !strings.Contains(e.Message, words) {
				t.Errorf("got %v, want %q in it", e, words)
			}
		}
	})
}

func TestASizeThatIsNotThereInTime(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Limits: Limits{Timeout: 150 * time.Millisecond}}
		for _, code := range []string{
			`const h = await image.blank(2, 2, { format: "avif" }); return h.byteLength;`,
			`const h = await image.blank(2, 2, { format: "avif" }); try { return JSON.stringify(h); } catch { for (;;); }`,
			`const h = await image.blank(2, 2, { format: "avif" }); await image.bytes(h);`,
			`return await image.blank(2, 2, { format: "avif" });`,
		} {
			inTime(t, o.Limits.Timeout, func() { fails(t, s, code, o, KindTimeout) })
		}
		alive(t, s)
	})
}

func TestCancelledWorkOnPicturesLeavesNothingBehind(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		must(t, s, "await sleep(1)", Options{})
		before := runtime.NumGoroutine()
		for _, code := range []string{
			`await Promise.all(Array.from({ length: 20 }, async () => image.adjust(await image.blank(1000, 1000, { color: "red" }), { blur: 500 })))`,
			`let h = await image.blank(3000, 3000); for (;;) h = await image.rotate(h, 1e-3)`,
			`const h = await image.blank(2000, 2000); await image.composite(h, Array.from({ length: 64 }, () => ({ image: h, blendMode: "luminosity" })))`,
			`const h = await image.blank(8, 8, { format: "avif" }); await Promise.all([image.bytes(h), image.bytes(h), image.toAsset(h), image.info(h)])`,
		} {
			ctx, cancel := context.WithCancel(context.Background())
			o := Options{OnLog: func(_, _ string) { cancel() }, Assets: &assets.Policy{}}
			res, err := s.Run(ctx, `(async () => { await sleep(5); console.log("now"); })(); `+code, o)
			cancel()
			if !errors.Is(err, ErrCancelled) {
				t.Errorf("%s: got %v", head(code), err)
			}
			// Under the race detector the steps between two looks at the context take longer than
			// the end of a run waits.
			if res != nil && res.Usage.Abandoned != 0 && !raceEnabled {
				t.Errorf("%s: %d calls are still running", head(code), res.Usage.Abandoned)
			}
		}
		for range 200 {
			if runtime.NumGoroutine() <= before+2 {
				return
			}
			runtime.Gosched()
			time.Sleep(time.Millisecond)
		}
		t.Errorf("%d goroutines, before %d", runtime.NumGoroutine(), before)
	})
}

func TestWithoutThePackageOfABridge(t *testing.T) {
	reg, err := newRegistry(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	linked := bridges.Registered()
	for _, o := range optional {
		var b, real *bridges.Bridge
		for _, c := range reg.bridges {
			if c.Name == o.name {
				b = c
			}
		}
		for _, c := range linked {
			if c.Name == o.name {
				real = c
			}
		}
		if b == nil {
			t.Fatalf("there is no substitute for %s", o.name)
		}
		names := make(map[string]bool)
		for i := range b.Funcs {
			f := &b.Funcs[i]
			names[f.Name] = true
			_, err := f.Without(context.Background(), &bridges.Call{Func: f})
			var e *bridges.Error
			if !errors.As(err, &e) || e.Message != f.Name+" is not available in this program: the host has to import "+o.pkg || e.Code != bridges.CodeNotGranted {
				t.Errorf("%s: got %v", f.Name, err)
			}
		}
		if real == nil {
			continue
		}
		for i := range real.Funcs {
			if f := &real.Funcs[i]; !f.Internal() && !names[f.Name] {
				t.Errorf("%s is missing in the substitute", f.Name)
			}
		}
	}
	if m := reg.manifest(func(b *bridges.Bridge) (any, bool) { return nil, b.Always }); len(m) == 0 {
		t.Error("the manifest is empty")
	}
}
