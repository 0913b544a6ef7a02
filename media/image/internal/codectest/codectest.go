// Package codectest tests codecs that are packages of their own, from the tests of those.
package codectest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"quicksand/media/image"
)

// A Tolerance is what a picture may differ by: a sample at most, and all on average.
type Tolerance struct {
	Max  int
	Mean float64
}

// files are those of testdata with the extension.
func files(t testing.TB, ext string) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/*" + ext)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files of %s: %v", ext, err)
	}
	list := make(map[string][]byte)
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		list[strings.TrimSuffix(filepath.Base(path), ext)] = data
	}
	return list
}

// Golden compares each file of testdata with the PNG file of its name. Tolerances are by
// name; the one of "" is for the others.
func Golden(t *testing.T, ext string, tolerances map[string]Tolerance) {
	for name, data := range files(t, ext) {
		p, err := image.Open(data, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, err := p.Surface(context.Background())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		ref, err := os.ReadFile(filepath.Join("testdata", name+".ref.png"))
		if err != nil {
			t.Fatal(err)
		}
		q, err := image.Open(ref, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := q.Surface(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		tolerance, ok := tolerances[name]
		if !ok {
			tolerance = tolerances[""]
		}
		if got.Width != want.Width || got.Height != want.Height || got.Width != p.Info.Width || got.Height != p.Info.Height {
			t.Errorf("%s: %d×%d, and %d×%d by its header, want %d×%d", name, got.Width, got.Height, p.Info.Width, p.Info.Height, want.Width, want.Height)
			continue
		}
		if most, mean := difference(got, want); most > tolerance.Max || mean > tolerance.Mean {
			t.Errorf("%s: differs by %d at most and %.2f on average, may differ by %d and %.2f", name, most, mean, tolerance.Max, tolerance.Mean)
		}
		if !p.Info.Alpha && !got.Opaque() {
			t.Errorf("%s: transparent, but the header says that it cannot be", name)
		}
	}
}

func difference(a, b *image.Surface) (most int, mean float64) {
	sum := 0
	for i := range a.Pix {
		d := int(a.Pix[i]) - int(b.Pix[i])
		d = max(d, -d)
		most = max(most, d)
		sum += d
	}
	return most, float64(sum) / float64(len(a.Pix))
}

// scene is a smooth picture, transparent at one side.
func scene(w, h int, noise int) *image.Surface {
	s := image.New(w, h)
	r := rand.New(rand.NewPCG(1, 2))
	for y := range h {
		for x := range w {
			n := 0
			if noise > 0 {
				n = r.IntN(noise)
			}
			copy(s.Row(y)[4*x:], []byte{byte(min(x*200/w+n, 255)), byte(min(y*200/h+n, 255)), byte(min((x+y)*100/(w+h)+n, 255)), byte(min(x*1000/w, 255))})
		}
	}
	image.Premultiply(s.Pix)
	return s
}

// RoundTrip writes a picture with transparency and reads it back.
func RoundTrip(t *testing.T, f image.Format, o image.EncodeOptions, mean float64) {
	t.Helper()
	for _, size := range [][2]int{{1, 1}, {97, 61}} {
		want := scene(size[0], size[1], 0)
		data, err := image.FromSurface(want).Encode(context.Background(), f, [4]uint8{}, o)
		if err != nil {
			t.Fatal(err)
		}
		p, err := image.Open(data, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Surface(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if p.Info.Format != f || got.Width != size[0] || got.Height != size[1] {
			t.Fatalf("got %+v", p.Info)
		}
		if _, d := difference(got, want); d > mean {
			t.Errorf("%v: %v differs by %.2f on average, may by %.2f", o, size, d, mean)
		}
	}
}

// Quality checks that a higher quality makes larger files, and the default is 0.92.
func Quality(t *testing.T, f image.Format) {
	p := image.FromSurface(scene(128, 96, 60))
	size := func(q float64) []byte {
		data, err := p.Encode(context.Background(), f, [4]uint8{}, image.EncodeOptions{Quality: q})
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	low, middle, high := size(0.2), size(0.6), size(0.92)
	if len(low) >= len(middle) || len(middle) >= len(high) {
		t.Errorf("%d, %d and %d bytes at the qualities 0.2, 0.6 and 0.92", len(low), len(middle), len(high))
	}
	if !bytes.Equal(size(0), high) {
		t.Error("the default is not 0.92")
	}
}

// Cancel ends the writing of a large picture in its middle.
func Cancel(t *testing.T, f image.Format, edge int) {
	p := image.FromSurface(scene(64, 64, 50))
	if _, err := p.Encode(context.Background(), f, [4]uint8{}, image.EncodeOptions{}); err != nil {
		t.Fatal(err) // what compiles the code
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Encode(ended, f, [4]uint8{}, image.EncodeOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
	if testing.Short() {
		t.Skip("takes seconds")
	}
	large := image.FromSurface(scene(edge, edge, 120))
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	if _, err := large.Encode(ctx, f, [4]uint8{}, image.EncodeOptions{Quality: 0.95}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the deadline", err)
	}
	if _, err := p.Encode(context.Background(), f, [4]uint8{}, image.EncodeOptions{}); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// mutate changes a file in a way that seed decides.
func mutate(data []byte, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 7))
	b := append([]byte(nil), data...)
	for range 1 + r.IntN(8) {
		if len(b) == 0 {
			break
		}
		at := r.IntN(len(b))
		if r.IntN(2) == 0 {
			at = r.IntN(min(len(b), 100)) // where the headers are
		}
		switch r.IntN(6) {
		case 0:
			b[at] ^= 1 << r.IntN(8)
		case 1:
			b[at] = byte(r.IntN(256))
		case 2:
			b[at] = []byte{0, 0xFF, 0x7F, 0x80}[r.IntN(4)]
		case 3:
			b = b[:at]
		case 4:
			n := min(1+r.IntN(16), len(b)-at)
			b = append(b[:at], b[at+n:]...)
		case 5:
			n := min(1+r.IntN(16), len(b)-at)
			b = append(b[:at+n:at+n], b[at:]...)
		}
	}
	return b
}

// Check opens and decodes a file, damaged or not. It reports by an error that a decoder
// panicked, or took longer than its context, or said another size than it gave.
func Check(data []byte) error {
	p, err := image.Open(data, nil)
	if err != nil {
		return panicked(err)
	}
	if p.Info.Width*p.Info.Height > 4<<20 {
		return nil // right, and slow
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s, err := p.Surface(ctx)
	runtime.ReadMemStats(&after)
	if took, may := int64(after.TotalAlloc-before.TotalAlloc), 8*int64(p.Info.Width)*int64(p.Info.Height)+p.Info.Scratch+4<<20; took > may {
		return fmt.Errorf("%d bytes were taken for %+v, which may take %d", took, p.Info, may)
	}
	if err != nil {
		return panicked(err)
	}
	if s.Width != p.Info.Width || s.Height != p.Info.Height {
		return fmt.Errorf("%d×%d of %+v", s.Width, s.Height, p.Info)
	}
	for i := 0; i < len(s.Pix); i += 4 {
		if a := s.Pix[i+3]; s.Pix[i] > a || s.Pix[i+1] > a || s.Pix[i+2] > a {
			return fmt.Errorf("pixel %v is not premultiplied", s.Pix[i:i+4])
		}
	}
	if p.Info.Frames == 1 {
		return nil
	}
	frames := 0
	err = p.Frames(ctx, func(n int, s *image.Surface, _ time.Duration) error {
		if frames++; n != frames-1 || s.Width != p.Info.Width || s.Height != p.Info.Height {
			return fmt.Errorf("frame %d of %d×%d in %+v", n, s.Width, s.Height, p.Info)
		}
		return nil
	})
	if err != nil {
		return panicked(err)
	}
	if frames != p.Info.Frames {
		return fmt.Errorf("%d frames of %+v", frames, p.Info)
	}
	return nil
}

func panicked(err error) error {
	var p *image.PanicError
	if errors.As(err, &p) {
		return fmt.Errorf("%v\n%s", p, p.Stack)
	}
	return nil
}

// Damaged decodes 2000 files that were made of those of testdata, 50 in short tests.
func Damaged(t *testing.T, ext string) {
	n := 2000
	if testing.Short() {
		n = 50
	}
	DamagedFiles(t, files(t, ext), n)
}

// DamagedFiles decodes n files that were made of list.
func DamagedFiles(t *testing.T, list map[string][]byte, n int) {
	var names []string
	for name, data := range list {
		names = append(names, name)
		if p, err := image.Open(data, nil); err == nil {
			p.Surface(context.Background()) // what is compiled or filled once does not count
		}
	}
	// The order of a map is no order.
	for i := range names {
		for k := i; k > 0 && names[k] < names[k-1]; k-- {
			names[k], names[k-1] = names[k-1], names[k]
		}
	}
	slow := time.Duration(0)
	for i := range n {
		name := names[i%len(names)]
		start := time.Now()
		if err := Check(mutate(list[name], uint64(i))); err != nil {
			t.Errorf("%s with the seed %d: %v", name, i, err)
		}
		slow = max(slow, time.Since(start))
	}
	t.Logf("%d files, the slowest took %v", n, slow)
}

// Fuzz decodes whatever it is given, from the files of testdata on.
func Fuzz(f *testing.F, ext string) {
	FuzzFiles(f, files(f, ext))
}

// FuzzFiles is Fuzz with files of its own.
func FuzzFiles(f *testing.F, list map[string][]byte) {
	for _, data := range list {
		if p, err := image.Open(data, nil); err == nil {
			p.Surface(context.Background()) // what is compiled or filled once does not count
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := Check(data); err != nil {
			t.Error(err)
		}
	})
}

// Sealed checks that the package runs the code with these sums (SHA-256), and that no library
// of the system is loaded for it: the module with the code has got the stand-in for the one
// that could, and none has been loaded after a picture was written.
func Sealed(t *testing.T, code map[string][]byte) {
	for want, data := range code {
		if got := fmt.Sprintf("%x", sha256.Sum256(data)); got != want {
			t.Errorf("%d bytes of code have the sum %s, want %s", len(data), got, want)
		}
	}
	out, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{with .Replace}} {{.Path}}{{end}}{{end}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out), "github.com/ebitengine/purego ./internal/purego\n") {
		t.Error("the module that loads libraries has not been replaced")
	}
	if maps, err := os.ReadFile("/proc/self/maps"); err == nil {
		for _, lib := range []string{"libwebp", "libavif", "libaom", "libjxl"} {
			if bytes.Contains(maps, []byte(lib)) {
				t.Errorf("%s is in the process", lib)
			}
		}
	}
}
