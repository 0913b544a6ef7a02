package vector

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quicksand/canvas"
	"quicksand/media/image"
)

// pdfObjects reads the objects of a file by its table of references, checking both.
func pdfObjects(t *testing.T, data []byte) map[int][]byte {
	t.Helper()
	if !bytes.HasPrefix(data, []byte("%PDF-1.7\n")) || !bytes.HasSuffix(data, []byte("%%EOF\n")) {
		t.Fatal("no PDF")
	}
	var at, size int
	if _, err := fmt.Sscanf(string(data[bytes.LastIndex(data, []byte("startxref")):]), "startxref\n%d", &at); err != nil {
		t.Fatal(err)
	}
	table := data[at:]
	if _, err := fmt.Sscanf(string(table), "xref\n0 %d\n", &size); err != nil {
		t.Fatal(err)
	}
	table = table[bytes.IndexByte(table, '0')+len(fmt.Sprintf("0 %d\n", size)):]
	objects := map[int][]byte{}
	for i := range size {
		entry := string(table[20*i : 20*i+20])
		if i == 0 {
			if entry != "0000000000 65535 f \n" {
				t.Fatalf("first entry %q", entry)
			}
			continue
		}
		offset, err := strconv.Atoi(entry[:10])
		if err != nil || entry[10:] != " 00000 n \n" {
			t.Fatalf("entry %q", entry)
		}
		head := fmt.Sprintf("%d 0 obj\n", i)
		if !bytes.HasPrefix(data[offset:], []byte(head)) {
			t.Fatalf("object %d is not at %d", i, offset)
		}
		o := data[offset+len(head):]
		objects[i] = o[:bytes.Index(o, []byte("\nendobj\n"))]
	}
	for i, o := range objects {
		dict, _, _ := bytes.Cut(o, []byte("stream\n"))
		for _, m := range regexp.MustCompile(`(\d+) 0 R`).FindAllSubmatch(dict, -1) {
			if n, _ := strconv.Atoi(string(m[1])); objects[n] == nil {
				t.Errorf("object %d refers to %d, which does not exist", i, n)
			}
		}
	}
	return objects
}

// unpacked is the data of a stream, whose length must be as it says.
func unpacked(t *testing.T, object []byte) string {
	t.Helper()
	dict, data, _ := bytes.Cut(object, []byte("stream\n"))
	data = bytes.TrimSuffix(data, []byte("\nendstream"))
	if want := fmt.Sprintf("/Length %d>>", len(data)); !bytes.Contains(dict, []byte(want)) {
		t.Errorf("a stream without %s: %s", want, dict)
	}
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestPDFIsWellFormed(t *testing.T) {
	for _, sc := range append(slices.Clone(scenes), modeScenes()...) {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			var r recorder
			sc.draw(&r)
			data, _, err := PDF(t.Context(), r.recording(t), size, size, r.image, Options{})
			if err != nil {
				t.Fatal(err)
			}
			objects := pdfObjects(t, data)
			if want := "<</Type /Catalog /Pages 2 0 R>>"; string(objects[1]) != want {
				t.Errorf("object 1 is %s", objects[1])
			}
			if !bytes.Contains(objects[3], []byte("/MediaBox [0 0 90 90]")) {
				t.Errorf("the page is %s", objects[3])
			}
			content := unpacked(t, objects[4])
			depth := 0
			for line := range strings.Lines(content) {
				fields := strings.Fields(line)
				switch op := fields[len(fields)-1]; op {
				case "q":
					depth++
				case "Q":
					depth--
				case "gs", "scn", "SCN", "Do":
					name := fields[len(fields)-2] + " "
					if !bytes.Contains(objects[5], []byte(name)) {
						t.Errorf("%s is no resource", name)
					}
				}
				for _, f := range fields {
					if f[0] >= '0' && f[0] <= '9' && strings.ContainsAny(f, "eE") {
						t.Errorf("number %s has an exponent", f)
					}
				}
				if depth < 0 {
					t.Fatal("more Q than q")
				}
			}
			if depth != 0 {
				t.Errorf("%d states are left", depth)
			}
		})
	}
}

// TestPDFInPoppler compares what pdftoppm draws, where it is installed, with the canvas. Its
// anti-aliasing is coarser (4 by 4 samples), which the limits allow for.
func TestPDFInPoppler(t *testing.T) {
	tool, err := exec.LookPath("pdftoppm")
	if err != nil {
		t.Skip("pdftoppm is not installed")
	}
	if testing.Short() {
		t.Skip("starts a process for each scene")
	}
	for _, sc := range append(slices.Clone(scenes), modeScenes()...) {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			var r recorder
			sc.draw(&r)
			white := [4]uint8{255, 255, 255, 255}
			want := r.raster(t, nil).Clone()
			image.Fill(want, white, image.DestinationOver)
			data, notes, err := PDF(t.Context(), r.recording(t), size, size, r.image, Options{})
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			file := filepath.Join(dir, "a.pdf")
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.CommandContext(t.Context(), tool, "-r", "96", "-png", "-singlefile", file, filepath.Join(dir, "a")).CombinedOutput(); err != nil || len(out) > 0 {
				t.Fatalf("%v: %s", err, out)
			}
			png, err := os.ReadFile(filepath.Join(dir, "a.png"))
			if err != nil {
				t.Fatal(err)
			}
			p, err := image.Open(png, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.Surface(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			mae, off := difference(got, want)
			t.Logf("mean difference %.2f, %.1f %% off, %d bytes, %q", mae, off*100, len(data), notes)
			// Poppler has its own idea of two blend modes.
			limit := 2.5
			if strings.HasPrefix(sc.name, "mode hue") || strings.HasPrefix(sc.name, "mode saturation") {
				limit = 5
			}
			if mae > limit {
				t.Errorf("mean difference %.2f, limit %.1f", mae, limit)
			}
		})
	}
}

func TestPDFSaysWhatIsPixels(t *testing.T) {
	var r recorder
	r.op(canvas.OpShadowColor, red).op(canvas.OpShadowBlur, 4).op(canvas.OpFillRect, 10, 10, 20, 20).op(canvas.OpShadowColor, 0)
	r.op(canvas.OpFilter, r.str("blur(2px)")).op(canvas.OpFillRect, 50, 50, 20, 20).op(canvas.OpFilter, r.str("none"))
	r.op(canvas.OpGradient, 0, 2, 0, 60, 60, 0, 0, 0, 0, red, 1, green).op(canvas.OpFillGradient, 0).op(canvas.OpFillRect, 80, 80, 20, 20)
	_, notes, err := PDF(t.Context(), r.recording(t), size, size, r.image, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"shadows are pixels", "filters: the shape is pixels", "conic gradients: the shape is pixels"}; !slices.Equal(notes, want) {
		t.Errorf("notes %q, want %q", notes, want)
	}
}
