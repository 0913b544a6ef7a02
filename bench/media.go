package bench

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"strings"

	"quicksand"
	_ "quicksand/hostmods/zip" // zip/round
	"quicksand/modules"
	_ "quicksand/packs" // import/*
)

// catalog holds what is shipped.
func catalog(specifiers ...string) (*modules.Set, error) {
	c, err := modules.Open()
	if err != nil {
		return nil, err
	}
	set := c.Set(specifiers...)
	for _, s := range specifiers {
		if set.Lookup(s) == nil {
			return nil, Unsupported("%s is not in this build", s)
		}
	}
	return set, nil
}

const (
	datesPack = "@nodetool-ai/sandbox-dates"
	yamlPack  = "@nodetool-ai/sandbox-yaml"
	zipPack   = "@nodetool-ai/sandbox-zip"
)

func (o *own) imports(name string) (Session, error) {
	set, err := catalog(datesPack, yamlPack)
	if err != nil {
		return nil, err
	}
	code := fmt.Sprintf(`import { format } from %q; import { load } from %q; return typeof format === "function" && typeof load === "function" ? 2 : 0`, datesPack, yamlPack)
	options := quicksand.Options{Packs: set}
	config := quicksand.Config{Engine: o.info.Name, Isolates: 1}
	switch name {
	case "cold":
		config.CacheSize = -1
	case "warm":
		config.Warm = set
	}
	box, err := quicksand.New(config)
	if err != nil {
		return nil, err
	}
	s := timed(func() error { return returns(box, code, options, 2) })
	s.close = box.Close
	return s, nil
}

// Photograph is a JPEG of 1600×1200 with structure at all scales.
func Photograph() []byte {
	m := image.NewYCbCr(image.Rect(0, 0, 1600, 1200), image.YCbCrSubsampleRatio420)
	seed := uint32(1)
	for y := range 1200 {
		for x := range 1600 {
			seed = seed*1664525 + 1013904223
			v := 128 + 60*math.Sin(float64(x)/97)*math.Cos(float64(y)/61) + 30*math.Sin(float64(x*y)/9000) + float64(seed>>29)
			c := color.YCbCr{Y: uint8(v), Cb: uint8(128 + 40*math.Sin(float64(x)/300)), Cr: uint8(128 + 40*math.Cos(float64(y)/200))}
			m.Y[m.YOffset(x, y)] = c.Y
			m.Cb[m.COffset(x, y)], m.Cr[m.COffset(x, y)] = c.Cb, c.Cr
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 88}); err != nil {
		panic(err) // a buffer takes everything
	}
	return b.Bytes()
}

// Music is a WAV of 10 s, stereo with 44.1 kHz and 16 bits.
func Music() []byte {
	const rate, frames = 44100, 441000
	b := make([]byte, 44+4*frames)
	copy(b, "RIFF")
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)-8))
	copy(b[8:], "WAVEfmt ")
	for i, v := range []uint32{16, 1 | 2<<16, rate, rate * 4, 4 | 16<<16} {
		binary.LittleEndian.PutUint32(b[16+4*i:], v)
	}
	copy(b[36:], "data")
	binary.LittleEndian.PutUint32(b[40:], 4*frames)
	for i := range frames {
		t := float64(i) / rate
		l := 9000*math.Sin(2*math.Pi*220*t) + 4000*math.Sin(2*math.Pi*1760*t*(1+0.01*math.Sin(t)))
		r := 9000*math.Sin(2*math.Pi*330*t) + 2000*math.Sin(2*math.Pi*6000*t)
		binary.LittleEndian.PutUint16(b[44+4*i:], uint16(int16(l)))
		binary.LittleEndian.PutUint16(b[46+4*i:], uint16(int16(r)))
	}
	return b
}

// Texts are 16 files with 2 MB of text in sum, by name.
func Texts() map[string]string {
	files := make(map[string]string)
	for k := range 16 {
		var b strings.Builder
		for i := 0; b.Len() < 128<<10; i++ {
			fmt.Fprintf(&b, "%d;customer %d;%s;%.2f\n", i, (i*7919+k)%5000, [...]string{"north", "south", "east", "west"}[(i*i+k)%4], float64(i*k%10007)/7)
		}
		files[fmt.Sprintf("table-%02d.csv", k)] = b.String()[:128<<10]
	}
	return files
}

// Shapes is a program over a canvas's context x that draws 1 000 mixed shapes on 512×512. A
// peer with a Canvas 2D API can run it.
const Shapes = `let seed = 7;
const next = () => (seed = (seed * 1664525 + 1013904223) % 4294967296) / 4294967296;
x.font = "14px sans-serif";
for (let i = 0; i < 1000; i++) {
  const px = next() * 512, py = next() * 512, s = 8 + next() * 60;
  x.fillStyle = x.strokeStyle = "#" + Math.floor(next() * 0xffffff).toString(16).padStart(6, "0");
  switch (i % 5) {
    case 0: x.fillRect(px, py, s, s * 0.7); break;
    case 1: x.beginPath(); x.arc(px, py, s / 2, 0, 2 * Math.PI); x.fill(); break;
    case 2: x.lineWidth = 1 + next() * 4; x.beginPath(); x.moveTo(px, py); x.lineTo(px + s, py - s); x.stroke(); break;
    case 3: x.fillText("label " + i, px, py); break;
    default: x.beginPath(); x.moveTo(px, py); x.bezierCurveTo(px + s, py, px, py + s, px + s, py + s); x.lineTo(px, py + s); x.closePath(); x.fill();
  }
}`

// FixturesVariable is the variable of the environment that tells peers the folder which
// WriteFixtures has filled.
const FixturesVariable = "QUICKSAND_BENCH_FIXTURES"

// WriteFixtures writes what workloads of media start from, for peers: photo.jpg, music.wav,
// texts.json and shapes.js.
func WriteFixtures(dir string) error {
	texts, err := json.Marshal(Texts())
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{"photo.jpg": Photograph(), "music.wav": Music(), "texts.json": texts, "shapes.js": []byte(Shapes)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

var mediaPrograms = map[string]string{
	"image/thumbnail": `const small = await image.convert(await image.resize(photo, { width: 320 }), { format: "jpeg", quality: 0.8 });
return (await image.bytes(small)).length > 1000 ? 2 : 0`,
	"audio/podcast": `const cut = await audio.fadeOut(await audio.fadeIn(await audio.trim(music, { start: 0.5, end: 9.5 }), { duration: 1 }), { duration: 1 });
const out = await audio.resample(cut, { rate: 48000 });
return (await audio.loudness(out)).integrated < 0 ? 2 : 0`,
	"canvas/shapes": "const c = createCanvas(512, 512), x = c.getContext('2d');\n" + Shapes + "\nreturn (await c.toBytes()).length > 1000 ? 2 : 0",
	"zip/round": `import { zip, unzip } from "` + zipPack + `";
return Object.keys(await unzip(await zip(files))).length === 16 ? 2 : 0`,
}

func (o *own) media(name string) (Session, error) {
	box, err := o.sandbox()
	if err != nil {
		return nil, err
	}
	options := quicksand.Options{Globals: map[string]any{}}
	switch name {
	case "image/thumbnail":
		options.Globals["photo"] = Photograph()
	case "audio/podcast":
		options.Globals["music"] = Music()
	case "zip/round":
		if options.Packs, err = catalog(zipPack); err != nil {
			return nil, err
		}
		options.Globals["files"] = Texts()
	}
	code := mediaPrograms[name]
	if code == "" {
		return nil, Unsupported("the workload is unknown")
	}
	// Why a program fails is told before it is timed.
	if _, err := box.Run(context.Background(), code, options); err != nil {
		return nil, err
	}
	return timed(func() error { return returns(box, code, options, 2) }), nil
}
