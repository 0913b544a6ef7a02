package quicksand

import (
	"cmp"
	"encoding/json"
	"fmt"
	stdimage "image"
	"image/color"
	"image/draw"
	stdpng "image/png"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A scene is a program of canvas/oracle/scenes.
type scene struct{ name, code string }

var (
	sceneHead  = regexp.MustCompile(`(?m)^// scenes?: (\S+)(?: for (.+))?\n`)
	notInNames = regexp.MustCompile(`[^\w.-]+`)
)

// readScenes splits the files as generate.mjs does.
func readScenes(t *testing.T) []scene {
	t.Helper()
	files, err := filepath.Glob("canvas/oracle/scenes/*.js")
	if err != nil {
		t.Fatal(err)
	}
	var scenes []scene
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		heads := sceneHead.FindAllSubmatchIndex(text, -1)
		for i, h := range heads {
			end := len(text)
			if i+1 < len(heads) {
				end = heads[i+1][0]
			}
			name, body, words := string(text[h[2]:h[3]]), string(text[h[1]:end]), []string{""}
			if h[4] >= 0 {
				words = strings.Split(string(text[h[4]:h[5]]), " ")
			}
			for _, w := range words {
				part := strings.TrimSuffix(notInNames.ReplaceAllString(w, "-"), "-")
				scenes = append(scenes, scene{strings.Replace(name, "$", part, 1), fmt.Sprintf("const word = %q;\n%s", w, body)})
			}
		}
	}
	return scenes
}

const sceneSize = 256

// draw runs a scene as a guest does and returns its straight RGBA pixels.
func (c scene) draw(t *testing.T, s *Sandbox, helpers string) []byte {
	t.Helper()
	res := must(t, s, fmt.Sprintf(`
const blank = (width, height) => createCanvas(width, height);
const helpers = (() => { %s })();
const surface = blank(%[2]d, %[2]d);
((ctx, w, h, helpers) => {
%[3]s
})(surface.getContext("2d"), %[2]d, %[2]d, helpers);
const { data } = surface.getContext("2d").getImageData(0, 0, %[2]d, %[2]d);
return new Uint8Array(data.buffer, data.byteOffset, data.length);
`, helpers, sceneSize, c.code), Options{})
	pix, ok := res.Value.Bytes()
	if !ok || len(pix) != 4*sceneSize*sceneSize {
		t.Fatalf("%s: the program returned %.100v", c.name, res.Value)
	}
	return pix
}

// A difference is the mean of the differences of premultiplied components, from 0 to 255, and
// the share of pixels where one of them is above 32.
type difference struct{ Mean, Off float64 }

func (d difference) within(most difference) bool { return d.Mean <= most.Mean && d.Off <= most.Off }

func (d difference) String() string {
	return fmt.Sprintf("%.3f, %.2f %% of pixels", d.Mean, 100*d.Off)
}

func differ(a, b []byte) (d difference) {
	for i := 0; i < len(a); i += 4 {
		aa, ba := float64(a[i+3]), float64(b[i+3])
		most := math.Abs(aa - ba)
		d.Mean += most
		for k := range 3 {
			v := math.Abs(float64(a[i+k])*aa-float64(b[i+k])*ba) / 255
			d.Mean += v
			most = max(most, v)
		}
		if most > 32 {
			d.Off++
		}
	}
	d.Mean /= float64(len(a))
	d.Off /= float64(len(a) / 4)
	return d
}

// picture reads a golden, nil if there is none of that name.
func picture(t *testing.T, name string) []byte {
	t.Helper()
	f, err := os.Open(filepath.Join("canvas/oracle/testdata", name+".png"))
	if os.IsNotExist(err) {
		return nil
	} else if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := stdpng.Decode(f)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	n := stdimage.NewNRGBA(stdimage.Rect(0, 0, sceneSize, sceneSize))
	draw.Draw(n, n.Rect, m, stdimage.Point{}, draw.Src)
	switch m := m.(type) { // drawing rounds where alpha is low
	case *stdimage.NRGBA:
		return m.Pix
	case *stdimage.Paletted:
		for i, v := range m.Pix {
			c := color.NRGBAModel.Convert(m.Palette[v]).(color.NRGBA)
			copy(n.Pix[4*i:], []byte{c.R, c.G, c.B, c.A})
		}
	}
	return n.Pix
}

// Each scene is within a tolerance of what the browser draws, in one of its ways, or nearer
// to the truth than the browser is. Where @napi-rs/canvas draws otherwise, which it does with
// text, to be within the tolerance of that is enough. With QUICKSAND_SCENES set to a folder,
// pictures go there.
func TestScenesLookAsInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("177 programs of many pixels")
	}
	var tolerances struct {
		// Rules are by the beginning of names; the longest one that fits counts.
		Rules map[string]difference
	}
	readJSON(t, "canvas/oracle/tolerances.json", &tolerances)
	helpers, err := os.ReadFile("canvas/oracle/helpers.js")
	if err != nil {
		t.Fatal(err)
	}
	scenes := readScenes(t)
	if len(scenes) < 60 {
		t.Fatalf("%d scenes", len(scenes))
	}
	var summary sceneSummary
	defer func() { t.Log("\n" + summary.String()) }()
	save := os.Getenv("QUICKSAND_SCENES")
	first := sharedSandbox(t, engineNames[0])
	for i, c := range scenes {
		t.Run(c.name, func(t *testing.T) {
			pix := c.draw(t, first, string(helpers))
			if save != "" {
				writePicture(t, filepath.Join(save, c.name+".png"), pix)
			}
			golden := picture(t, c.name)
			if golden == nil {
				t.Fatal("there is no picture of it: see canvas/oracle/README.md")
			}
			key := ""
			for k := range tolerances.Rules {
				if strings.HasPrefix(c.name, k) && len(k) > len(key) {
					key = k
				}
			}
			rule, got := tolerances.Rules[key], differ(pix, golden)
			figures, by := fmt.Sprintf("from the browser %v", got), ""
			var near difference // from what it passes by
			passes := func(ok bool, what string, d difference) {
				if ok && by == "" {
					by, near = what, d
				}
			}
			passes(got.within(rule), "the browser", got)
			for _, o := range []struct{ kind, from string }{{".gpu", "the browser with hardware"}, {".unhinted", "the browser without hinting"}, {".napi", "@napi-rs/canvas"}} {
				if other := picture(t, c.name+o.kind); other != nil {
					d := differ(pix, other)
					figures += fmt.Sprintf("; from %s %v", o.from, d)
					passes(d.within(rule), o.from, d)
				}
			}
			if truth := picture(t, c.name+".truth"); truth != nil {
				ours, theirs := differ(pix, truth), differ(golden, truth)
				figures += fmt.Sprintf("; from the truth %v, the browser %v", ours, theirs)
				passes(ours.Mean < theirs.Mean && ours.Off <= theirs.Off, "the truth", ours)
			}
			t.Log(figures)
			if by == "" {
				t.Errorf("%s; allowed %v", figures, rule)
			}
			summary.add(c.name, got, by, near)
			// The host draws, so engines can only differ in what they record.
			if i%8 == 0 {
				for _, engine := range engineNames[1:] {
					if d := differ(c.draw(t, sharedSandbox(t, engine), string(helpers)), pix); d.Mean != 0 {
						t.Errorf("on %s it differs by %v", engine, d)
					}
				}
			}
		})
	}
}

// A sceneSummary is a table of how far scenes are from the browser, by the first word of their
// names, and of those that pass by another picture.
type sceneSummary struct {
	classes []string
	means   map[string][]float64
	others  []string
}

func (s *sceneSummary) add(name string, got difference, by string, near difference) {
	class, _, _ := strings.Cut(name, "-")
	if s.means == nil {
		s.means = map[string][]float64{}
	}
	if s.means[class] == nil {
		s.classes = append(s.classes, class)
	}
	s.means[class] = append(s.means[class], got.Mean)
	if by != "the browser" {
		s.others = append(s.others, fmt.Sprintf("| %s | %.3f | %s | %.3f |", name, got.Mean, by, near.Mean))
	}
}

func (s *sceneSummary) String() string {
	var b strings.Builder
	b.WriteString("| class | scenes | median | most |\n|---|--:|--:|--:|\n")
	for _, class := range s.classes {
		m := slices.Sorted(slices.Values(s.means[class]))
		fmt.Fprintf(&b, "| %s | %d | %.3f | %.3f |\n", class, len(m), m[len(m)/2], m[len(m)-1])
	}
	b.WriteString("\n| scene | from the browser | passes by | |\n|---|--:|---|--:|\n" + strings.Join(s.others, "\n"))
	return b.String()
}

func writePicture(t *testing.T, path string, pix []byte) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := stdpng.Encode(f, &stdimage.NRGBA{Pix: pix, Stride: 4 * sceneSize, Rect: stdimage.Rect(0, 0, sceneSize, sceneSize)}); err != nil {
		t.Fatal(err)
	}
}

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// Texts are as wide as in the browser, to a hundredth of a pixel, and their fonts as high.
func TestTextIsMeasuredAsInABrowser(t *testing.T) {
	var golden struct {
		Metrics []string
		Strings []struct {
			Font, Text string
			Set        map[string]string
			Chromium   []float64
			Napi       []float64
		}
	}
	readJSON(t, "canvas/oracle/testdata/metrics.json", &golden)
	if len(golden.Strings) < 30 {
		t.Fatalf("%d strings", len(golden.Strings))
	}
	width := slices.Index(golden.Metrics, "width")
	code, err := json.Marshal(golden.Strings)
	if err != nil {
		t.Fatal(err)
	}
	names, err := json.Marshal(golden.Metrics)
	if err != nil {
		t.Fatal(err)
	}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		res := must(t, s, fmt.Sprintf(`
const ctx = createCanvas(10, 10).getContext("2d"), names = %s;
return JSON.stringify(%s.map(({ Font, Text, Set }) => {
  ctx.save();
  ctx.font = Font;
  Object.assign(ctx, Set);
  const m = ctx.measureText(Text);
  ctx.restore();
  return names.map((n) => m[n]);
}));
`, names, code), Options{})
		text, _ := res.Value.Str()
		var got [][]float64
		if err := json.Unmarshal([]byte(text), &got); err != nil || len(got) != len(golden.Strings) {
			t.Fatalf("%.200v: %v", res.Value, err)
		}
		for i, g := range golden.Strings {
			for k, name := range golden.Metrics {
				// How far ink goes is rounded outwards in browsers, and hinted there.
				most := 1.25
				if k == width {
					most = 0.01
				}
				if d := math.Abs(got[i][k] - g.Chromium[k]); cmp.Compare(d, most) > 0 || math.IsNaN(d) {
					t.Errorf("%s %q %v: %s is %v, in the browser %v", g.Font, g.Text, g.Set, name, got[i][k], g.Chromium[k])
				}
			}
		}
	})
}
