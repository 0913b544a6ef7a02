package mediabridge

import (
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"quicksand/bridges"
	"quicksand/canvas"
	"quicksand/internal/marshal"
	"quicksand/media/image"
)

// TestTheScriptIsComplete looks for names in canvas.js which nothing was put in for, and for
// functions of the host that it does not use, or that there are not.
func TestTheScriptIsComplete(t *testing.T) {
	if m := regexp.MustCompile(`\b(H\.[A-Z]\w*|WORDS\.\w+)`).FindAllString(canvasScript, -1); m != nil {
		for _, name := range m {
			if name != "H.FillRect4" && name != "WORDS.LineCaps" { // of the comment
				t.Errorf("%s was not replaced", name)
			}
		}
	}
	known := map[string]bool{}
	for _, f := range Canvas.Funcs {
		if f.Internal() {
			known[f.Name] = true
			if !strings.Contains(canvasSource, "host."+f.Name+"(") && !strings.Contains(canvasSource, "host."+f.Name+")") {
				t.Errorf("the script does not use %s", f.Name)
			}
		}
	}
	for _, m := range regexp.MustCompile(`host\.(_\w+)`).FindAllStringSubmatch(canvasSource, -1) {
		if !known[m[1]] {
			t.Errorf("the script uses %s, which is not declared", m[1])
		}
	}
}

// TestHeadersInTheScript compares the numbers of arguments in canvas.js with the format.
func TestHeadersInTheScript(t *testing.T) {
	for _, m := range opConstant.FindAllStringSubmatch(canvasSource, -1) {
		if m[3] != "" {
			continue
		}
		op, ok := ops[m[1]]
		if !ok {
			t.Errorf("there is no operation %s", m[1])
			continue
		}
		info, _ := op.Info()
		fits := strings.HasSuffix(info.Args, "*") // how many is added where it is recorded
		for _, variant := range strings.Split(info.Args, "|") {
			fits = fits || len(variant) == int(m[2][0]-'0') || len(variant) == 12 && m[2] == "12"
		}
		if !fits {
			t.Errorf("%s has the arguments %q", m[0], info.Args)
		}
	}
}

// hostileArguments are values for the functions that only the script calls: none of them may
// harm the host, whoever reaches them.
func hostileArguments(r *rand.Rand) any {
	numbers := []float64{0, 1, 2, 3, -1, 0.5, 7, 100, 1e9, -1e9, 1e18, -1e18, 1e300, math.MaxInt64, math.MinInt64, math.NaN(), math.Inf(1), math.Inf(-1), 1 << 31, 1 << 32, 1 << 53}
	switch r.IntN(8) {
	case 0, 1, 2:
		return numbers[r.IntN(len(numbers))]
	case 3:
		return []string{"", "m1", "red", "svg", "pdf", "10px serif", "{}", `{"align":"center"}`, "rotate(3turn)", "image/jpeg", "asset://x", strings.Repeat("z", 5000)}[r.IntN(12)]
	case 4:
		b := make([]byte, 8*r.IntN(30))
		for i := 0; i < len(b); i += 8 {
			binary.LittleEndian.PutUint64(b[i:], math.Float64bits(float64(r.IntN(80)+256*r.IntN(10))))
		}
		return b
	case 5:
		return []any{"text", 1.0, -5.0, 1e300, nil, "9px x"}[:r.IntN(7)]
	case 6:
		return map[string]any{"format": []any{"png", "jpeg", 5.0, nil}[r.IntN(4)], "background": []any{"red", "x", nil}[r.IntN(3)], bridges.HandleMark: "m1"}
	}
	return nil
}

func TestForgedCallsAreHarmless(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	turns := 60_000
	if testing.Short() {
		turns = 6000
	}
	w := newWorld(t, bridges.SessionOptions{Grants: map[*bridges.Bridge]any{Canvas: &CanvasOptions{}}, RunMedia: 32 << 20, Memory: 4 << 20})
	state, err := w.session.State(Canvas)
	if err != nil {
		t.Fatal(err)
	}
	panicked := 0
	for range turns {
		f := &Canvas.Funcs[r.IntN(len(Canvas.Funcs))]
		if f.Call == nil {
			continue
		}
		args := make([]any, len(f.Params))
		for i, p := range f.Params {
			for range 6 { // most of them of the right type
				args[i] = hostileArguments(r)
				if _, isNumber := args[i].(float64); isNumber == (p.Type == bridges.Number) {
					break
				}
			}
		}
		v, err := marshal.NewValue(args, marshal.EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		c, err := bridges.Unpack(w.session, Canvas, f, v)
		if err != nil {
			continue
		}
		c.State = state
		func() {
			defer func() {
				if p := recover(); p != nil {
					if panicked++; panicked < 5 {
						t.Errorf("%s%v: panic: %v", f.Name, args, p)
					}
				}
			}()
			f.Call(context.Background(), c)
			c.Settled()
		}()
	}
}

// TestMemoryComesBack draws all kinds of things and looks at the budget afterwards.
func TestMemoryComesBack(t *testing.T) {
	w := newWorld(t, bridges.SessionOptions{Grants: map[*bridges.Bridge]any{Canvas: &CanvasOptions{}}})
	state, err := w.session.State(Canvas)
	if err != nil {
		t.Fatal(err)
	}
	call := func(name string, args ...any) any {
		t.Helper()
		v, err := marshal.NewValue(args, marshal.EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range Canvas.Funcs {
			f := &Canvas.Funcs[i]
			if f.Name != name {
				continue
			}
			c, err := bridges.Unpack(w.session, Canvas, f, v)
			if err != nil {
				t.Fatal(err)
			}
			c.State = state
			defer c.Settled()
			out, err := f.Call(context.Background(), c)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return out
		}
		t.Fatalf("there is no %s", name)
		return nil
	}
	record := func(values ...float64) []byte {
		var b []byte
		for _, v := range values {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		return b
	}
	png, err := image.FromSurface(image.New(30, 20)).Encode(context.Background(), image.PNG, [4]uint8{}, image.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	before := w.store.Budget.Used()
	id := call("_canvasNew", 100.0, 80.0, false).(int)
	a := call("_canvasSource", float64(id), png, 0.0).([]any)[0].(int)
	b := call("_canvasSource", float64(id), png, 1.0).([]any)[0].(int)
	pixels := call("_canvasPixels", make([]byte, 4*10*10), 10.0, 10.0, 2.0, 5.0).(int)
	c := call("_canvasUse", float64(id), float64(pixels)).(int)
	const three, seven = 3 << 8, 7 << 8
	ops := record(float64(canvas.OpDrawImage)+three, float64(a), 1, 1, float64(canvas.OpDrawImage)+three, float64(b), 5, 5,
		float64(canvas.OpPutImageData)+seven, float64(c), 0, 0, 0, 0, 5, 10)
	if n := call("_canvasFlush", float64(id), ops, []any{}).(int); n != 3 {
		t.Errorf("%d operations, want 3", n)
	}
	shot := call("_canvasSnapshot", float64(id)).([]any)
	call("_canvasRead", float64(id), 0.0, 0.0, 10.0, 10.0)
	h := call("_canvasImage", float64(id), map[string]any{"format": "jpeg"}).([]any)
	call("_canvasVector", float64(call("_canvasFreeze", float64(id)).(int)), "svg", nil)
	if used := w.store.Budget.Used() - before; used < 4*100*80 {
		t.Errorf("a surface with pictures takes %d bytes", used)
	}
	if n := len(state.(*canvases).pictures); n != 3 {
		t.Errorf("%d pictures, want 3: the same file twice is one", n)
	}
	w.store.Release(h[0].(string))
	call("_canvasForget", float64(shot[0].(int)))
	call("_canvasForget", float64(pixels))
	call("_canvasReset", float64(id), 50.0, 50.0, false)
	if used := w.store.Budget.Used() - before; used != 0 {
		t.Errorf("%d bytes are left after a reset", used)
	}
	call("_canvasImage", float64(id), nil)
	call("_canvasLost", float64(id))
	w.store.Release("m2")
	if used := w.store.Budget.Used() - before; used != 0 || len(state.(*canvases).surfaces)+len(state.(*canvases).pictures) != 0 {
		t.Errorf("%d bytes are left at the end", used)
	}
}

func TestTransformsOfCSS(t *testing.T) {
	for _, c := range []struct {
		text string
		want [6]float64
		ok   bool
	}{
		{"", [6]float64{1, 0, 0, 1, 0, 0}, true},
		{" none ", [6]float64{1, 0, 0, 1, 0, 0}, true},
		{"matrix(1, 2,3 ,4,5.5,-6e1)", [6]float64{1, 2, 3, 4, 5.5, -60}, true},
		{"translate(5px) scale(2)", [6]float64{2, 0, 0, 2, 5, 0}, true},
		{"translate(1in, 0)scaleX(3) SCALEY(2)", [6]float64{3, 0, 0, 2, 96, 0}, true},
		{"translateX(1px)translateY(2px)", [6]float64{1, 0, 0, 1, 1, 2}, true},
		{"rotate(90deg)", [6]float64{0, 1, -1, 0, 0, 0}, true},
		{"rotate(0.25turn)", [6]float64{0, 1, -1, 0, 0, 0}, true},
		{"skew(45deg)", [6]float64{1, 0, 1, 1, 0, 0}, true},
		{"skewY(50grad)skewX(0)", [6]float64{1, 1, 0, 1, 0, 0}, true},
		{text: "translate(5)"}, {text: "translate(5%)"}, {text: "translate(1em)"}, {text: "rotate(5)"}, {text: "scale()"}, {text: "scale(1,2,3)"},
		{text: "matrix(1,2,3,4,5)"}, {text: "matrix(1,2,3,4,5,NaN)"}, {text: "rotate3d(1,0,0,1deg)"}, {text: "scale(1"}, {text: "scale 1)"}, {text: "scale(1),scale(1)"}, {text: "none scale(1)"}, {text: "scale(1px)"},
	} {
		got, ok := cssTransform(c.text)
		if ok != c.ok {
			t.Errorf("%q: ok is %v", c.text, ok)
			continue
		}
		for i := range got {
			if ok && math.Abs(got[i]-c.want[i]) > 1e-12 {
				t.Errorf("%q: got %v, want %v", c.text, got, c.want)
				break
			}
		}
	}
}
