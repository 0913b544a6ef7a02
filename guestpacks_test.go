package quicksand

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"io/fs"
	"log/slog"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quicksand/modules"
	"quicksand/packs"
)

// guestPacks is a set of all modules that come with a program. Tests that want it are skipped
// in a checkout where the guest packs were not built.
func guestPacks(t testing.TB) *modules.Set {
	t.Helper()
	if _, err := packs.Licences(); errors.Is(err, packs.ErrNotBuilt) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	c, err := modules.Open()
	if err != nil {
		t.Fatal(err)
	}
	return c.Set()
}

// TestExportsOfGuestPacks compares them with packs/testdata/exports.txt.
func TestExportsOfGuestPacks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	set := guestPacks(t)
	want := make(map[string]string)
	id := ""
	for _, line := range strings.Split(readFile(t, "packs/testdata/exports.txt"), "\n") {
		if names, more := strings.CutPrefix(line, "  "); more {
			want[id] = strings.TrimSpace(want[id] + " " + names)
		} else if line != "" && line[0] != '#' {
			id = line
		}
	}
	if len(want) != 18 || len(strings.Fields(want["dates"])) != 250 || len(strings.Fields(want["color"])) != 219 || len(strings.Fields(want["stats"])) != 105 {
		t.Fatalf("the list of exports is not whole: %d packs", len(want))
	}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for id, names := range want {
			res, err := s.Run(context.Background(), `import * as m from "@nodetool-ai/sandbox-`+id+`";
return Object.keys(m).sort().join(" ");`, Options{Packs: set})
			if err != nil {
				t.Errorf("%s: %v", id, err)
				continue
			}
			wantJSON(t, "exports of "+id, res.Value, strconv.Quote(names))
		}
	})
}

// TestAllGuestPacksInOneHeap evaluates them once, into the image of a sandbox.
func TestAllGuestPacksInOneHeap(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	guestPacks(t)
	dirs, err := fs.ReadDir(packs.FS(), ".")
	if err != nil {
		t.Fatal(err)
	}
	c, err := modules.Open()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	code := ""
	for i, d := range dirs {
		name := "@nodetool-ai/sandbox-" + d.Name()
		names = append(names, name)
		code += fmt.Sprintf("import * as m%d from %q;\n", i, name)
	}
	set := c.Set(names...)
	eachEngine(t, func(t *testing.T, shared *Sandbox) {
		if raceEnabled && engineName(shared) == "pure" {
			t.Skip("the pure engine runs it without the race detector")
		}
		var logged bytes.Buffer
		s := own(t, shared, Config{Warm: set, Isolates: 1, Logger: slog.New(slog.NewTextHandler(&logged, nil))})
		for range 2 {
			res, err := s.Run(context.Background(), code+"return m2.format(new Date(0), 'yyyy') + m17.dump([1]);", Options{Packs: set})
			if err != nil {
				t.Fatal(err)
			}
			wantJSON(t, "result", res.Value, `"1970- 1\n"`)
		}
		if logged.Len() > 0 {
			t.Errorf("not every pack is part of the heap: %s", &logged)
		}
	})
}

var (
	examples    = regexp.MustCompile("(?s)\n```js\n(.*?)```")
	exampleMark = regexp.MustCompile(`//= (.*)`)
)

// TestSkillsOfGuestPacks runs the examples of the documentation that comes with the packs.
func TestSkillsOfGuestPacks(t *testing.T) {
	set := guestPacks(t)
	s := sharedSandbox(t, engineNames[0])
	dirs, err := fs.ReadDir(packs.FS(), ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		id := d.Name()
		skill, err := fs.ReadFile(packs.FS(), id+"/SKILL.md")
		if err != nil {
			t.Fatal(err)
		}
		found := examples.FindAllStringSubmatch(string(skill), -1)
		if len(found) == 0 {
			t.Errorf("%s has no example", id)
		}
		for i, m := range found {
			t.Run(fmt.Sprintf("%s %d", id, i+1), func(t *testing.T) {
				res, err := s.Run(context.Background(), m[1], Options{Packs: set})
				if err != nil {
					t.Fatalf("%v\n%s", err, m[1])
				}
				if want := exampleMark.FindStringSubmatch(m[1]); want != nil {
					wantJSON(t, "result", res.Value, want[1])
				}
			})
		}
	}
}

// TestGuestPacks runs the programs testdata/guest/pack-*.js.
func TestGuestPacks(t *testing.T) {
	set := guestPacks(t)
	all := guestChunks(t)
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, c := range all {
			if !strings.HasPrefix(c.name, "pack-") {
				continue
			}
			t.Run(c.name, func(t *testing.T) {
				if raceEnabled && engineName(s) == "pure" {
					t.Skip("the pure engine runs it without the race detector")
				}
				o := c.options(t)
				o.Packs = set
				res, err := s.Run(context.Background(), c.code, o)
				if c.fails {
					c.checkError(t, err)
				} else if err != nil {
					t.Fatal(err)
				} else {
					wantJSON(t, "result", res.Value, c.want)
				}
				c.checkDirectives(t, res)
			})
		}
	})
}

// madeByPack runs a program that returns the bytes of a file, on each engine.
func madeByPack(t *testing.T, code string, check func(t *testing.T, file []byte)) {
	t.Helper()
	set := guestPacks(t)
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		if raceEnabled && engineName(s) == "pure" {
			t.Skip("the pure engine runs it without the race detector")
		}
		res, err := s.Run(context.Background(), code, Options{Packs: set, Inputs: map[string]any{"png": encodedPNG(t), "jpeg": encodedJPEG(t)}})
		if err != nil {
			t.Fatal(err)
		}
		file, ok := res.Value.Bytes()
		if !ok {
			t.Fatalf("got %v, want bytes", res.Value)
		}
		check(t, file)
	})
}

func encodedPNG(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, 40, 20))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func encodedJPEG(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewRGBA(image.Rect(0, 0, 40, 20)), nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// officeParts opens an Office file and checks what its programs insist on: every part of
// XML is well-formed, every part has a content type, and every relationship leads to a part.
func officeParts(t *testing.T, file []byte) map[string]string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	parts := make(map[string]string)
	for _, f := range r.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if _, twice := parts[f.Name]; twice {
			t.Errorf("the part %s is there twice", f.Name)
		}
		parts[f.Name] = string(text)
	}
	var types struct {
		Default []struct {
			Extension   string `xml:",attr"`
			ContentType string `xml:",attr"`
		}
		Override []struct {
			PartName    string `xml:",attr"`
			ContentType string `xml:",attr"`
		}
	}
	if err := xml.Unmarshal([]byte(parts["[Content_Types].xml"]), &types); err != nil {
		t.Fatal(err)
	}
	for name, text := range parts {
		if ext := path.Ext(name); ext == ".xml" || ext == ".rels" {
			d := xml.NewDecoder(strings.NewReader(text))
			for {
				if _, err := d.Token(); err == io.EOF {
					break
				} else if err != nil {
					t.Errorf("%s: %v", name, err)
					break
				}
			}
		}
		typed := name == "[Content_Types].xml"
		for _, d := range types.Default {
			typed = typed || strings.EqualFold("."+d.Extension, path.Ext(name)) && d.ContentType != ""
		}
		for _, o := range types.Override {
			typed = typed || o.PartName == "/"+name && o.ContentType != ""
		}
		if !typed {
			t.Errorf("the part %s has no content type", name)
		}
		dir, base := path.Split(name)
		if !strings.HasSuffix(dir, "_rels/") {
			continue
		}
		var rels struct {
			Relationship []struct {
				Target     string `xml:",attr"`
				TargetMode string `xml:",attr"`
			}
		}
		if err := xml.Unmarshal([]byte(text), &rels); err != nil {
			t.Fatal(err)
		}
		for _, rel := range rels.Relationship {
			if rel.TargetMode == "External" {
				continue
			}
			target := path.Join(path.Dir(path.Clean(dir)), rel.Target)
			if strings.HasPrefix(rel.Target, "/") {
				target = rel.Target[1:]
			}
			if _, ok := parts[target]; !ok {
				t.Errorf("%s%s leads to %s, which is no part", dir, base, target)
			}
		}
	}
	return parts
}

func TestWordDocumentsOfAGuestPack(t *testing.T) {
	madeByPack(t, `import { build } from "@nodetool-ai/sandbox-docx";
return await build({ properties: { title: "Report & more", author: "Ann", subject: "S", keywords: ["a", "b"] }, page: { landscape: true, margin: 0.5 }, elements: [
  { type: "heading", text: "Title <1>" },
  { type: "paragraph", text: "justified", alignment: "JUSTIFY", fontSize: 10.5 },
  { type: "image", data: inputs.png, width: 2, alt: "a dot" }, { type: "image", data: inputs.jpeg },
  { type: "list", ordered: true, items: ["one", "two"] }, { type: "list", ordered: true, items: ["again one"] },
  { type: "table", header: true, rows: [["a", "b"], [1]], widths: [1, 2] },
  { type: "paragraph", runs: [{ text: "link", link: "https://example.com/?a=1&b=2" }] },
] });`, func(t *testing.T, file []byte) {
		parts := officeParts(t, file)
		body := parts["word/document.xml"]
		for _, want := range []string{
			`<w:jc w:val="both"/>`, `<w:sz w:val="21"/>`, `<w:pStyle w:val="Heading1"/>`, `Title &lt;1&gt;`, `<w:tblHeader/>`, `w:orient="landscape"`,
			`cx="1828800" cy="914400"`, `cx="1905000" cy="952500"`, `descr="a dot"`,
		} {
			if !strings.Contains(body, want) {
				t.Errorf("the document has no %s", want)
			}
		}
		if !strings.Contains(parts["docProps/core.xml"], "Report &amp; more") {
			t.Errorf("the title is not among the properties: %s", parts["docProps/core.xml"])
		}
		var media []string
		for name := range parts {
			if strings.HasPrefix(name, "word/media/") {
				media = append(media, path.Ext(name))
			}
		}
		slices.Sort(media)
		if got := strings.Join(media, " "); got != ".jpg .png" {
			t.Errorf("got pictures %s, want one of .jpg and one of .png", got)
		}
	})
}

func TestPresentationsOfAGuestPack(t *testing.T) {
	madeByPack(t, `import { build } from "@nodetool-ai/sandbox-pptxgen";
return await build({ title: "Deck & more", author: "Ann", slides: [
  { background: "#eee", notes: "say <this>", items: [{ type: "text", text: "héllo & <b>\nnext", color: "#F00", bold: true, align: "center" }, { type: "shape" }, { type: "shape", shape: "ellipse", fill: "#0f0", x: 1 }] },
  { items: [{ type: "image", data: inputs.png, w: 2, h: 1 }, { type: "image", data: inputs.jpeg, width: 2, height: 1 }, { type: "table", y: 3, header: true, rows: [["a", "b"], [1, null]] }] },
  {},
] });`, func(t *testing.T, file []byte) {
		parts := officeParts(t, file)
		slides := 0
		for name := range parts {
			if ok, _ := path.Match("ppt/slides/slide*.xml", name); ok {
				slides++
			}
		}
		if slides != 3 {
			t.Errorf("got %d slides, want 3", slides)
		}
		for part, words := range map[string][]string{
			"ppt/presentation.xml":            {`cx="9144000" cy="5143500"`},
			"ppt/slides/slide1.xml":           {`héllo &amp; &lt;b&gt;`, `prst="ellipse"`, `prst="rect"`, `val="FF0000"`, `val="2563EB"`, `sz="1800"`, `algn="ctr"`, `EEEEEE`},
			"ppt/slides/slide2.xml":           {`<a:tbl>`, `cx="1828800" cy="914400"`},
			"ppt/notesSlides/notesSlide1.xml": {`say &lt;this&gt;`},
			"docProps/core.xml":               {`Deck &amp; more`, `Ann`},
		} {
			for _, want := range words {
				if !strings.Contains(strings.ToUpper(parts[part]), strings.ToUpper(want)) {
					t.Errorf("%s has no %s", part, want)
				}
			}
		}
	})
}

// TestTextsOfOtherPeopleInDocuments puts a text that is hostile to XML wherever one can be.
func TestTextsOfOtherPeopleInDocuments(t *testing.T) {
	const evil = "const evil = `\"'<b>&amp;]]>&#0;\\u0001\\ud800<!--\\n`;\n"
	check := func(t *testing.T, file []byte) { officeParts(t, file) }
	madeByPack(t, `import { build } from "@nodetool-ai/sandbox-docx";
`+evil+`return await build({ properties: { title: evil, author: evil, subject: evil, keywords: [evil] }, elements: [
  { type: "heading", text: evil }, { type: "paragraph", text: evil, font: evil }, { type: "paragraph", runs: [{ text: evil, link: "https://example.com/" + evil }] },
  { type: "image", data: inputs.png, alt: evil }, { type: "table", rows: [[evil]] }, { type: "list", items: [evil] },
] });`, check)
	madeByPack(t, `import { build } from "@nodetool-ai/sandbox-pptxgen";
`+evil+`return await build({ title: evil, author: evil, subject: evil, slides: [
  { notes: evil, items: [{ type: "text", text: evil }, { type: "image", data: inputs.png, alt: evil }, { type: "table", rows: [[evil]] }] },
] });`, check)
}

var pdfPage = regexp.MustCompile(`/Type\s*/Page\b[^s]`)

// pdfTexts are a PDF's bytes outside of streams and what its compressed streams hold.
func pdfTexts(t *testing.T, file []byte) []string {
	t.Helper()
	if !bytes.HasPrefix(file, []byte("%PDF-")) || !bytes.HasSuffix(bytes.TrimSpace(file), []byte("%%EOF")) {
		t.Error("the file does not begin and end like a PDF")
	}
	var texts []string
	for rest := file; ; {
		head, after, ok := bytes.Cut(rest, []byte("stream\n"))
		texts = append(texts, string(head))
		if !ok {
			return texts
		}
		body, tail, _ := bytes.Cut(after, []byte("\nendstream"))
		if bytes.Contains(head[bytes.LastIndex(head, []byte(" obj")):], []byte("/FlateDecode")) {
			r, err := zlib.NewReader(bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(text))
		}
		rest = tail
	}
}

func TestPDFsOfAGuestPack(t *testing.T) {
	madeByPack(t, `import { build, merge } from "@nodetool-ai/sandbox-pdflib";
const a = await build({ title: "T", pages: [{ width: 300, height: 200, items: [
  { type: "text", text: "AB\nC", x: 10, y: 20, size: 10, color: "#f00" }, { type: "text", text: "red", y: 100, color: "no colour", font: "Times-Roman" },
  { type: "text", text: "one two three four five", y: 120, width: 60, align: "right" },
  { type: "image", data: inputs.png, x: 5, y: 6 }, { type: "image", data: inputs.jpeg, x: 50, y: 6, width: 20 }, { type: "rect", stroke: "#00f" }, { type: "line", x2: 9, y2: 9 },
] }, {}] });
return await merge([a, await build({ pages: [{ width: 50, height: 50 }] })]);`, func(t *testing.T, file []byte) {
		texts := pdfTexts(t, file)
		pages, content := 0, ""
		for _, s := range texts {
			pages += len(pdfPage.FindAllString(s+" ", -1))
			if strings.Contains(s, " Tm\n") || strings.Contains(s, " Tf\n") {
				content += s
			}
		}
		if pages != 3 {
			t.Errorf("got %d pages, want 3", pages)
		}
		for _, want := range []string{
			"1 0 0 rg", "1 0 0 1 10 170 Tm", "<4142> Tj", "1 0 0 1 10 158 Tm", "<43> Tj", // a red A B above a C
			"0 0 0 rg", "1 0 0 1 0 88 Tm", // no colour is black
			"40 0 0 20 0 0 cm", "1 0 0 1 5 174 cm", "20 0 0 10 0 0 cm", // pictures in their size, and in proportion
		} {
			if !strings.Contains(content, want) {
				t.Errorf("no page has %q", want)
			}
		}
		if n := strings.Count(content, " Tj"); n != 3+3 {
			t.Errorf("got %d lines of text, want six: %s", n, content)
		}
	})
}
