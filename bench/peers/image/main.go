// Command image compares Quicksand's pictures with sharp, @napi-rs/canvas and
// disintegration/imaging: the same bytes, the same work, taking turns in one run. It prints
// tables, and writes them to IMAGE.md and, with all times, to out/image.json.
//
// Run it in bench/peers, after npm ci there:
//
//	go run ./image
package main

import (
	"bytes"
	"context"
	"fmt"
	stdimage "image"
	"image/jpeg"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/disintegration/imaging"

	"quicksand/bench/peers/node"
	"quicksand/bench/peers/rounds"
	"quicksand/media/image"
	_ "quicksand/media/image/webp"
)

var command = rounds.NewCommand("image", 15)

func main() { command.Main(run) }

// A bench holds what tasks share.
type bench struct {
	dir   string
	child *node.Child // nil without node
	// missing says of each library for Node why it is not there.
	missing map[string]string
	report  rounds.Report
}

func run(dir string) error {
	b := &bench{dir: dir, missing: map[string]string{}, report: rounds.NewReport()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == "github.com/disintegration/imaging" {
				b.report.Versions[m.Path] = m.Version
			}
		}
	}
	if err := b.startNode(); err != nil {
		return err
	}
	if b.child != nil {
		defer b.child.Close()
	}
	for _, t := range []struct {
		name string
		make func(name string) (rounds.Task, error)
	}{
		{"JPEG of 12 Mpx (4000×3000) to JPEG of 800 px", func(n string) (rounds.Task, error) { return b.jpegTask(n, 4000, 3000) }},
		{"JPEG of 24 Mpx (6000×4000) to JPEG of 800 px", func(n string) (rounds.Task, error) { return b.jpegTask(n, 6000, 4000) }},
		{"PNG of 12 Mpx to WebP of 1200 px, quality 80", func(n string) (rounds.Task, error) { return b.webpTask(n, false) }},
		{"PNG of 12 Mpx to WebP of 1200 px, without loss", func(n string) (rounds.Task, error) { return b.webpTask(n, true) }},
		{"45 operations on a PNG of 1280×960", b.chainTask},
		{"Lanczos3, 4000×3000 RGBA to 800×600", func(n string) (rounds.Task, error) { return b.resizeTask(n, 800, 600) }},
		{"Lanczos3, 4000×3000 RGBA to 1200×900", func(n string) (rounds.Task, error) { return b.resizeTask(n, 1200, 900) }},
	} {
		if !command.Wants(t.name) {
			continue
		}
		task, err := t.make(t.name)
		if err != nil {
			return err
		}
		b.report.Tables = append(b.report.Tables, command.Measure(task))
	}
	return command.Finish(&b.report, b.markdown)
}

func (b *bench) startNode() error {
	child, err := node.Start("image/peers.mjs")
	if err != nil {
		b.missing["sharp"], b.missing["@napi-rs/canvas"] = "node is not installed", "node is not installed"
		return nil
	}
	var v struct{ Versions, Missing map[string]string }
	if err := child.Call(map[string]any{"do": "versions"}, &v); err != nil {
		return err
	}
	for k, version := range v.Versions {
		b.report.Versions[k] = version
	}
	b.child, b.missing = child, v.Missing
	return nil
}

// give hands bytes to the child under a name.
func (b *bench) give(name string, data []byte) error {
	if b.child == nil {
		return nil
	}
	path := filepath.Join(b.dir, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return err
	}
	defer os.Remove(path)
	return b.child.Call(map[string]any{"do": "file", "name": name, "path": path}, nil)
}

// describe says how large an encoded picture is and how far it is from ours.
func describe(data []byte, reference **image.Surface) (string, error) {
	s, err := decode(data)
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("%d×%d, %d KB", s.Width, s.Height, (len(data)+500)/1000)
	return text + differs(s, reference), nil
}

// decode reads an output through our own decoders.
func decode(data []byte) (*image.Surface, error) {
	p, err := image.Open(data, nil)
	if err != nil {
		return nil, err
	}
	return p.Surface(context.Background())
}

// differs compares with the reference, or sets it if there is none yet.
func differs(s *image.Surface, reference **image.Surface) string {
	r := *reference
	if r == nil {
		*reference = s
		return ""
	}
	if s.Width != r.Width || s.Height != r.Height {
		return ", not comparable"
	}
	sum := 0
	for i, v := range s.Pix {
		sum += max(int(v), int(r.Pix[i])) - min(int(v), int(r.Pix[i]))
	}
	return fmt.Sprintf(", mean difference from ours %.2f", float64(sum)/float64(len(s.Pix)))
}

// ours is a peer of this process on a number of threads, 0 being all.
func ours(name string, threads int, reference **image.Surface, f func() ([]byte, error)) rounds.Peer {
	var out []byte
	all := runtime.GOMAXPROCS(0)
	return rounds.Peer{Name: name,
		Run: func() (err error) {
			if threads > 0 {
				runtime.GOMAXPROCS(threads)
				defer runtime.GOMAXPROCS(all)
			}
			out, err = f()
			return err
		},
		Describe: func() (string, error) { return describe(out, reference) }}
}

// other is a peer in the child.
func (b *bench) other(name, library string, reference **image.Surface, request map[string]any) rounds.Peer {
	p := rounds.Peer{Name: name, Skip: b.missing[library]}
	if p.Skip != "" {
		return p
	}
	request["do"] = map[string]string{"sharp": "sharp", "@napi-rs/canvas": "napi"}[library]
	p.Before = func() error { return b.child.Call(map[string]any{"do": "gc"}, nil) }
	p.Run = func() error { return b.child.Call(request, nil) }
	p.Describe = func() (string, error) {
		path := filepath.Join(b.dir, "result")
		if err := b.child.Call(map[string]any{"do": "write", "path": path}, nil); err != nil {
			return "", err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		if image.Sniff(data) == image.Unknown && request["task"] == "resize" {
			if request["channels"] == 3 {
				data = withAlpha(data)
			}
			return raw(data, request["width"].(int), request["height"].(int), reference)
		}
		return describe(data, reference)
	}
	return p
}

// opaque is RGBA without its alpha.
func opaque(rgba []byte) []byte {
	rgb := make([]byte, 0, len(rgba)/4*3)
	for i := 0; i < len(rgba); i += 4 {
		rgb = append(rgb, rgba[i:i+3]...)
	}
	return rgb
}

func withAlpha(rgb []byte) []byte {
	rgba := make([]byte, 0, len(rgb)/3*4)
	for i := 0; i+2 < len(rgb); i += 3 {
		rgba = append(rgba, rgb[i], rgb[i+1], rgb[i+2], 255)
	}
	return rgba
}

// raw describes RGBA pixels.
func raw(data []byte, width, height int, reference **image.Surface) (string, error) {
	if len(data) != 4*width*height {
		return "", fmt.Errorf("%d bytes of pixels, not %d", len(data), 4*width*height)
	}
	s := &image.Surface{Width: width, Height: height, Pix: data}
	return fmt.Sprintf("%d×%d", width, height) + differs(s, reference), nil
}

func (b *bench) jpegTask(name string, width, height int) (rounds.Task, error) {
	data, err := toJPEG(photo(width, height, 1), 90)
	if err != nil {
		return rounds.Task{}, err
	}
	if err := b.give("in.jpg", data); err != nil {
		return rounds.Task{}, err
	}
	w, h := 800, (height*800+width/2)/width
	our := func() ([]byte, error) {
		ctx := context.Background()
		p, err := image.Open(data, nil)
		if err != nil {
			return nil, err
		}
		if p, err = p.Resize(ctx, image.Rect{Width: float64(width), Height: float64(height)}, w, h, image.Lanczos3); err != nil {
			return nil, err
		}
		return p.Encode(ctx, image.JPEG, [4]uint8{}, image.EncodeOptions{Quality: 0.8})
	}
	plain := func() ([]byte, error) {
		m, err := imaging.Decode(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		var out bytes.Buffer
		err = jpeg.Encode(&out, imaging.Resize(m, w, 0, imaging.Lanczos), &jpeg.Options{Quality: 80})
		return out.Bytes(), err
	}
	var ref *image.Surface
	return rounds.Task{Name: name, Rounds: command.Rounds,
		Notes: []string{fmt.Sprintf("4:2:0, quality 90, %.1f MB; to quality 80. Ours and sharp decode at a reduced scale and shrink the rest with Lanczos3; @napi-rs/canvas draws with its high smoothing.", float64(len(data))/1e6)},
		Peers: []rounds.Peer{
			ours("ours, 1 thread", 1, &ref, our),
			ours("ours", 0, &ref, our),
			b.other("sharp, 1 thread", "sharp", &ref, map[string]any{"task": "jpeg", "file": "in.jpg", "width": w, "threads": 1}),
			b.other("sharp", "sharp", &ref, map[string]any{"task": "jpeg", "file": "in.jpg", "width": w, "threads": 0}),
			b.other("@napi-rs/canvas", "@napi-rs/canvas", &ref, map[string]any{"task": "jpeg", "file": "in.jpg", "width": w}),
			seldom(ours("imaging, 1 thread", 1, &ref, plain)),
			seldom(ours("imaging", 0, &ref, plain)),
		}}, nil
}

// seldom is p in every third round.
func seldom(p rounds.Peer) rounds.Peer {
	p.Every = 3
	return p
}

// slow is the number of rounds of a task that takes seconds.
func slow() int { return max(3, command.Rounds/3) }

func (b *bench) webpTask(name string, lossless bool) (rounds.Task, error) {
	data, err := toPNG(photo(4000, 3000, 2))
	if err != nil {
		return rounds.Task{}, err
	}
	if err := b.give("in.png", data); err != nil {
		return rounds.Task{}, err
	}
	our := func() ([]byte, error) {
		ctx := context.Background()
		p, err := image.Open(data, nil)
		if err != nil {
			return nil, err
		}
		if p, err = p.Resize(ctx, image.Rect{Width: 4000, Height: 3000}, 1200, 900, image.Lanczos3); err != nil {
			return nil, err
		}
		return p.Encode(ctx, image.WebP, [4]uint8{}, image.EncodeOptions{Quality: 0.8, Lossless: lossless})
	}
	note := "Ours is a writer of our own, which sets time against size."
	if !lossless {
		note = "Ours is libwebp as WebAssembly, without vector instructions; by a profile of one thread it is half of the time, reading the PNG with the standard library's inflate most of the rest, and resampling 4 %."
	}
	var ref *image.Surface
	request := func(threads int) map[string]any {
		return map[string]any{"task": "webp", "file": "in.png", "width": 1200, "lossless": lossless, "threads": threads}
	}
	return rounds.Task{Name: name, Rounds: slow(),
		Notes: []string{fmt.Sprintf("PNG of 8-bit RGB, %.1f MB. %s", float64(len(data))/1e6, note)},
		Peers: []rounds.Peer{
			ours("ours, 1 thread", 1, &ref, our),
			ours("ours", 0, &ref, our),
			b.other("sharp, 1 thread", "sharp", &ref, request(1)),
			b.other("sharp", "sharp", &ref, request(0)),
			b.other("@napi-rs/canvas", "@napi-rs/canvas", &ref, request(0)),
			{Name: "imaging", Skip: "it does not write WebP"},
		}}, nil
}

func (b *bench) chainTask(name string) (rounds.Task, error) {
	data, err := toPNG(photo(1280, 960, 3))
	if err != nil {
		return rounds.Task{}, err
	}
	mark := badge()
	if err := b.give("chain.png", data); err != nil {
		return rounds.Task{}, err
	}
	if err := b.give("mark", mark.Pix); err != nil {
		return rounds.Task{}, err
	}
	steps := chain()
	our := func() ([]byte, error) { return oursChain(data, steps) }
	plain := func() ([]byte, error) { return imagingChain(data, steps) }
	request := func(task string, threads int) map[string]any {
		return map[string]any{"task": task, "file": "chain.png", "mark": "mark", "steps": steps, "threads": threads}
	}
	var ref *image.Surface
	return rounds.Task{Name: name, Rounds: slow(),
		Notes: []string{fmt.Sprintf("PNG of %.1f MB; %d times %s, written as PNG at the end. The peers for Node do it in both of their usual ways: a file in and a file out at each step, and pixels kept between the steps. What works on files takes part in every third round.",
			float64(len(data))/1e6, len(steps)/len(cycle), opNames(cycle))},
		Peers: []rounds.Peer{
			ours("ours, 1 thread", 1, &ref, our),
			ours("ours", 0, &ref, our),
			seldom(b.other("sharp, 1 thread, files", "sharp", &ref, request("chainFiles", 1))),
			seldom(b.other("sharp, files", "sharp", &ref, request("chainFiles", 0))),
			b.other("sharp, 1 thread, pixels", "sharp", &ref, request("chainPixels", 1)),
			b.other("sharp, pixels", "sharp", &ref, request("chainPixels", 0)),
			seldom(b.other("@napi-rs/canvas, files", "@napi-rs/canvas", &ref, request("chainFiles", 0))),
			b.other("@napi-rs/canvas, pixels", "@napi-rs/canvas", &ref, request("chainPixels", 0)),
			seldom(ours("imaging, 1 thread", 1, &ref, plain)),
			seldom(ours("imaging", 0, &ref, plain)),
		}}, nil
}

func opNames(steps []step) string {
	var names []string
	for _, t := range steps {
		n := t.Op
		if n == "rotate" {
			n = fmt.Sprintf("rotate %v°", t.Amount)
		}
		names = append(names, n)
	}
	return strings.Join(names, ", ")
}

func (b *bench) resizeTask(name string, width, height int) (rounds.Task, error) {
	m := photo(4000, 3000, 4)
	if err := b.give("in.rgba", m.Pix); err != nil {
		return rounds.Task{}, err
	}
	if err := b.give("in.rgb", opaque(m.Pix)); err != nil {
		return rounds.Task{}, err
	}
	src := &image.Surface{Width: 4000, Height: 3000, Pix: m.Pix}
	nrgba := &stdimage.NRGBA{Pix: m.Pix, Stride: m.Stride, Rect: m.Rect}
	var ref *image.Surface
	kernel := func(name string, threads int, f func() ([]byte, error)) rounds.Peer {
		var out []byte
		p := ours(name, threads, &ref, func() (_ []byte, err error) { out, err = f(); return out, err })
		p.Describe = func() (string, error) { return raw(out, width, height, &ref) }
		return p
	}
	our := func() ([]byte, error) {
		s, err := image.ResizeSurface(context.Background(), src, image.Rect{Width: 4000, Height: 3000}, width, height, image.Lanczos3)
		if err != nil {
			return nil, err
		}
		return s.Pix, nil
	}
	plain := func() ([]byte, error) { return imaging.Resize(nrgba, width, height, imaging.Lanczos).Pix, nil }
	request := func(threads, channels int) map[string]any {
		file := map[int]string{3: "in.rgb", 4: "in.rgba"}[channels]
		return map[string]any{"task": "resize", "file": file, "from": []int{4000, 3000}, "channels": channels, "width": width, "height": height, "threads": threads}
	}
	return rounds.Task{Name: name, Rounds: command.Rounds,
		Notes: []string{"Pixels in, pixels out. sharp premultiplies RGBA for the work, which ours always is; for RGB it has nothing to do and a quarter less to add up, in vector instructions, where ours is plain Go. @napi-rs/canvas has no Lanczos: it draws with its high smoothing."},
		Peers: []rounds.Peer{
			kernel("ours, 1 thread", 1, our),
			kernel("ours", 0, our),
			b.other("sharp, 1 thread, RGB", "sharp", &ref, request(1, 3)),
			b.other("sharp, RGB", "sharp", &ref, request(0, 3)),
			b.other("sharp, 1 thread, RGBA", "sharp", &ref, request(1, 4)),
			b.other("@napi-rs/canvas", "@napi-rs/canvas", &ref, request(0, 4)),
			kernel("imaging, 1 thread", 1, plain),
			kernel("imaging", 0, plain),
		}}, nil
}

func (b *bench) markdown(w io.Writer) {
	fmt.Fprintf(w, "# Pictures, side by side\n\nWritten by `make bench-peers`. One run; peers take turns in each round.\n\n")
	b.report.Origin(w)
	for _, t := range b.report.Tables {
		t.Markdown(w)
	}
	targets(w, b.report.Tables)
}

// targets prints the ratios that matter, ours on one thread.
func targets(w io.Writer, tables []rounds.Table) {
	fmt.Fprintf(w, "## Targets\n\n| | target | got |\n|---|---|---:|\n")
	row := func(task, what, peer string, limit float64, ahead bool) {
		for _, t := range tables {
			r := t.Of(peer)
			if !strings.HasPrefix(t.Task, task) || r == nil || r.Ratio == 0 {
				continue
			}
			if ahead {
				fmt.Fprintf(w, "| %s: %s ÷ ours | ≥ %g | %.2f |\n", t.Task, what, limit, r.Ratio)
			} else {
				fmt.Fprintf(w, "| %s: ours ÷ %s | ≤ %g | %.2f |\n", t.Task, what, limit, 1/r.Ratio)
			}
		}
	}
	for _, p := range []string{"JPEG of 12", "JPEG of 24"} {
		row(p, "@napi-rs/canvas", "@napi-rs/canvas", 2, true)
		row(p, "sharp, 1 thread each", "sharp, 1 thread", 2.5, false)
	}
	row("PNG", "sharp, 1 thread each", "sharp, 1 thread", 2.5, false)
	row("45", "@napi-rs/canvas (files)", "@napi-rs/canvas, files", 5, true)
	row("45", "@napi-rs/canvas (pixels)", "@napi-rs/canvas, pixels", 1, true)
	row("45", "sharp (pixels), 1 thread each", "sharp, 1 thread, pixels", 2.5, false)
	row("45", "sharp (files), 1 thread each", "sharp, 1 thread, files", 2.5, false)
	row("Lanczos3", "sharp (RGB), 1 thread each", "sharp, 1 thread, RGB", 1.5, false)
	row("Lanczos3", "sharp (RGBA), 1 thread each", "sharp, 1 thread, RGBA", 1.5, false)
}
