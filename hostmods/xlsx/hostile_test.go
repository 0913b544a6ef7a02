package xlsx

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"quicksand/hostmods/hosttest"
	"quicksand/internal/marshal"
)

// file is a workbook with one sheet of the XML and the other parts.
func file(t testing.TB, sheet string, parts map[string]string) []byte {
	t.Helper()
	all := map[string]string{
		"_rels/.rels":                `<Relationships><Relationship Id="a" Type="http://x/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml":            `<x:workbook xmlns:x="y"><x:sheets><x:sheet name="S" sheetId="1" r:id="s"/></x:sheets></x:workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="s" Type="http://x/worksheet" Target="/xl/s.xml"/><Relationship Id="t" Type="http://x/sharedStrings" Target="t.xml"/><Relationship Id="f" Type="http://x/styles" Target="f.xml"/></Relationships>`,
		"xl/s.xml":                   sheet,
	}
	for name, content := range parts {
		all[name] = content
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, content := range all {
		out, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(out, content)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestUnusualSheets(t *testing.T) {
	ctx := context.Background()
	cells := func(s string) string { return "<worksheet><sheetData>" + s + "</sheetData></worksheet>" }
	for _, row := range []struct {
		name  string
		sheet string
		parts map[string]string
		want  string
	}{
		{"places may be missing", cells(`<row><c><v>1</v></c><c><v>2</v></c></row><row><c/><c><v>3</v></c></row>`), nil, `{"S":[[1,2],[null,3]]}`},
		{"rows and cells may be in any order", cells(`<row r="3"><c r="B3"><v>4</v></c><c r="A3"><v>3</v></c></row><row r="1"><c r="A1"><v>1</v></c></row>`), nil, `{"S":[[1],[3,4]]}`},
		{"of a place that occurs twice the later counts", cells(`<row r="1"><c r="A1"><v>1</v></c></row><row r="1"><c r="A1"><v>2</v></c></row>`), nil, `{"S":[[2]]}`},
		{"prefixes and comments do not matter", `<a:worksheet xmlns:a="b"><!-- <c> --><a:sheetData><a:row r="1"><a:c r="A1" t="inlineStr"><a:is><a:t>x</a:t></a:is></a:c></a:row></a:sheetData></a:worksheet>`, nil, `{"S":[["x"]]}`},
		{"shared strings have runs, and phonetic ones do not count", cells(`<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>9</v></c></row>`),
			map[string]string{"xl/t.xml": `<sst><si><r><t>a&amp;</t></r><r><t xml:space="preserve"> b</t></r><rPh><t>no</t></rPh></si><si><t><![CDATA[<c>]]>&#233;&#x1F600;&unknown;</t></si></sst>`},
			`{"S":[["a& b","<c>é😀&unknown;"]]}`},
		{"errors and texts of formulas", cells(`<row><c t="e"><v>#N/A</v></c><c t="str"><f>A1</f><v>x</v></c><c t="e"><f>1/0</f><v>#DIV/0!</v></c><c><f t="shared" si="0" ref="D1:E1">B1</f></c><c><f t="shared" si="0"/></c></row>`), nil,
			`{"S":[["#N/A","x","#DIV/0!","=B1"]]}`},
		{"dates of 1904, by format and by type", cells(`<row><c s="1"><v>0.5</v></c><c s="0"><v>1</v></c><c t="d"><v>2024-01-02T03:04:05</v></c><c s="2"><v>1</v></c></row>`), map[string]string{
			"xl/workbook.xml": `<workbook><workbookPr date1904="1"/><sheets><sheet name="S" r:id="s"/></sheets></workbook>`,
			"xl/f.xml":        `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="0&quot;d&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>`},
			`{"S":[["1904-01-01T12:00:00.000Z",1,"2024-01-02T03:04:05.000Z",1]]}`},
		{"serial numbers that are no dates stay numbers", cells(`<row><c s="0"><v>1e9</v></c></row>`), map[string]string{"xl/f.xml": `<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>`}, `{"S":[[1000000000]]}`},
		{"booleans, and numbers that are none", cells(`<row><c t="b"><v>1</v></c><c t="b"><v>0</v></c><c><v>x</v></c><c><v>1e999</v></c><c><v> 5 </v></c><c t="n"><v/></c></row>`), nil, `{"S":[[true,false,"x","1e999",5]]}`},
		{"merged cells without a value are empty", cells(`<row r="1"><c r="A1"><v>1</v></c></row>`) + `<mergeCells><mergeCell ref="A2:XFD1048576"/><mergeCell ref="A1:B1"/></mergeCells>`, nil, `{"S":[[1,1]]}`},

		{"a document type", `<!DOCTYPE x [<!ENTITY a "b">]><worksheet/>`, nil, `! xlsx.parse: the workbook is damaged: part "xl/s.xml": it has a document type, which workbooks must not have`},
		{"half a sheet", `<worksheet><sheetData><row><c><v>1`, nil, `! xlsx.parse: the workbook is damaged: part "xl/s.xml": its XML ends too early`},
		{"a row outside of sheets", cells(`<row r="1048577"/>`), nil, `! xlsx.parse: the workbook is damaged: a sheet has a row 1048577`},
		{"a cell in another row", cells(`<row r="1"><c r="A2"/></row>`), nil, `! xlsx.parse: the workbook is damaged: row 1 has a cell "A2"`},
		{"a missing sheet", "", map[string]string{"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="s" Type="http://x/worksheet" Target="../../../etc/passwd"/></Relationships>`},
			`! xlsx.parse: the workbook is damaged: it has no part "etc/passwd"`},
		{"another document", "", map[string]string{"_rels/.rels": "<a/>", "xl/workbook.xml": "", "word/document.xml": ""}, `{}`},
		{"a merged range of everything", cells(`<row r="1"><c r="A1"><v>1</v></c></row>`) + `<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>`, nil,
			`! xlsx.parse: the cells are more than the limit of 250000 (SheetCells)`},
		{"rows that are far apart from their first column", cells(far(20)), nil,
			`! xlsx.parse: the cells are more than the limit of 250000 (SheetCells)`},
		{"more strings than the limit", cells(""), map[string]string{"xl/t.xml": "<sst>" + strings.Repeat("<si/>", 1_000_001) + "</sst>"},
			`! xlsx.parse: the workbook has more strings than the limit of 1000000 (SheetStrings)`},
		{"one long text in many cells", cells(strings.Repeat(`<row><c t="s"><v>0</v></c></row>`, 1000)), map[string]string{"xl/t.xml": "<sst><si><t>" + strings.Repeat("x", 1<<20) + "</t></si></sst>"},
			`! xlsx.parse: the texts have more bytes than the limit of 67108864 (HostResultSize)`},
		{"one long text in a merged range", cells(`<row><c t="inlineStr"><is><t>`+strings.Repeat("x", 1<<20)+`</t></is></c></row>`) + `<mergeCells><mergeCell ref="A1:Z10"/></mergeCells>`, nil,
			`! xlsx.parse: the texts have more bytes than the limit of 67108864 (HostResultSize)`},
		{"more cells than the limit", cells(strings.Repeat("<row>"+strings.Repeat("<c><v>1</v></c>", 100)+"</row>", 2501)), nil,
			`! xlsx.parse: the cells are more than the limit of 250000 (SheetCells)`},
	} {
		if got := hosttest.JSON(ctx, "xlsx.parse", file(t, row.sheet, row.parts), obj{"header": false}); got != row.want {
			t.Errorf("%s:\n got %s\nwant %s", row.name, got, row.want)
		}
	}
}

// far is rows with one cell in the last column.
func far(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `<row r="%d"><c r="XFD%d"><v>1</v></c></row>`, i+1, i+1)
	}
	return b.String()
}

// grown is how much more memory is in use at most while f runs, in bytes, seen every
// millisecond, of what the runtime took for the heap.
func grown(f func()) int64 {
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	done := make(chan struct{})
	go func() { // ends with f
		defer close(done)
		f()
	}()
	most := int64(0)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return most
		case <-tick.C:
			runtime.ReadMemStats(&now)
			most = max(most, int64(now.HeapAlloc)-int64(before.HeapAlloc))
		}
	}
}

func TestBombsStopAtTheCap(t *testing.T) {
	if testing.Short() {
		t.Skip("deflates 160 MB")
	}
	ctx := context.Background()
	spaces := strings.Repeat(" ", 80<<20)
	for name, honest := range map[string][]byte{
		"a sheet":        file(t, "<worksheet>"+spaces+"</worksheet>", nil),
		"shared strings": file(t, "<worksheet/>", map[string]string{"xl/t.xml": spaces}),
	} {
		for _, lie := range []uint32{0, 100, 60 << 20, 90 << 10} {
			b := honest
			if lie > 0 {
				// The directory says that everything large inflates to something else.
				b = bytes.Clone(b)
				for i := 0; i+46 < len(b); i++ {
					if string(b[i:i+4]) == "PK\x01\x02" && binary.LittleEndian.Uint32(b[i+24:]) > 1000 {
						binary.LittleEndian.PutUint32(b[i+24:], lie)
					}
				}
			}
			var got string
			memory := grown(func() { got = hosttest.JSON(ctx, "xlsx.parse", b) })
			if !strings.HasPrefix(got, "! xlsx.parse: part ") && !strings.HasPrefix(got, "! xlsx.parse: the workbook is damaged") {
				t.Errorf("%s, lie %d: got %.200s", name, lie, got)
			}
			if memory > maxPart+16<<20 {
				t.Errorf("%s, lie %d: took %d MB", name, lie, memory>>20)
			}
			t.Logf("%s, lie %d: %d MB, %s", name, lie, memory>>20, got)
		}
	}
}

func TestManyLargePartsStopAtTheCap(t *testing.T) {
	if testing.Short() {
		t.Skip("deflates 150 MB")
	}
	spaces := strings.Repeat(" ", 50<<20)
	b := file(t, "<worksheet/>"+spaces, map[string]string{"xl/t.xml": spaces, "xl/f.xml": spaces})
	const want = "! xlsx.parse: the parts of the workbook inflate to more than the limit of 134217728 bytes (SheetTotalSize)"
	if got := hosttest.JSON(context.Background(), "xlsx.parse", b); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestMutants(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 400 zip files")
	}
	ctx := context.Background()
	rnd := rand.New(rand.NewPCG(1, 2))
	small := written(t, obj{"S": []any{ordered("a", 1, "b", "x"), ordered("a", time.Unix(0, 0), "b", true)}})
	for _, b := range [][]byte{rich(t), small} {
		// Of the parts, since a mutated byte of the file mostly breaks a checksum.
		r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		parts := map[string]string{}
		var names []string
		for _, f := range r.File {
			in, _ := f.Open()
			content, _ := io.ReadAll(in)
			parts[f.Name] = string(content)
			names = append(names, f.Name)
		}
		for i := range 200 {
			mutant := map[string]string{}
			for k, v := range parts {
				mutant[k] = v
			}
			for range 1 + rnd.IntN(4) {
				n := names[rnd.IntN(len(names))]
				mutant[n] = string(mutate(rnd, []byte(mutant[n])))
			}
			var out bytes.Buffer
			w := zip.NewWriter(&out)
			for k, v := range mutant {
				f, _ := w.Create(k)
				_, _ = io.WriteString(f, v)
			}
			w.Close()
			for _, got := range []string{
				hosttest.JSON(ctx, "xlsx.parse", out.Bytes(), obj{"header": i%2 == 0}),
				hosttest.JSON(ctx, "xlsx.sheets", mutate(rnd, bytes.Clone(b))),
			} {
				if strings.HasPrefix(got, "! ") && !strings.HasPrefix(got, "! xlsx.") {
					t.Errorf("mutant %d: got %s", i, got)
				}
			}
		}
	}
}

// mutate changes, removes or repeats some bytes.
func mutate(rnd *rand.Rand, b []byte) []byte {
	for range 1 + rnd.IntN(5) {
		if len(b) < 2 {
			return b
		}
		i := rnd.IntN(len(b))
		j := min(len(b), i+1+rnd.IntN(8))
		switch rnd.IntN(4) {
		case 0:
			b[i] = byte(rnd.IntN(256))
		case 1:
			b[i] = "<>/\"&;=9 A"[rnd.IntN(10)]
		case 2:
			b = append(b[:i], b[j:]...)
		default:
			b = append(b[:j:j], b[i:]...)
		}
	}
	return b
}

func FuzzSheet(f *testing.F) {
	f.Add(`<worksheet><sheetData><row r="1"><c r="A1" t="s" s="1"><v>0</v></c><c><f>A1</f><v>2</v></c></row></sheetData><mergeCells><mergeCell ref="A1:B2"/></mergeCells></worksheet>`,
		`<sst><si><t>x</t></si></sst>`, `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yy"/></numFmts><cellXfs><xf/><xf numFmtId="170"/></cellXfs></styleSheet>`)
	f.Fuzz(func(t *testing.T, sheet, shared, styles string) {
		b := file(t, sheet, map[string]string{"xl/t.xml": shared, "xl/f.xml": styles})
		ctx := context.Background()
		for _, opt := range []*readOptions{{header: true, rename: true}, {formulas: true, dates: datesTyped}} {
			got, err := parseWorkbook(ctx, b, opt, "S", true)
			if err != nil || !opt.formulas {
				continue
			}
			// What is read can be written, and reads the same.
			rows := got.([]any)
			file, err := writeRows(rows)
			if err != nil {
				continue // for example a text that is too long
			}
			again, err := parseWorkbook(ctx, file, opt, "S", true)
			if err != nil {
				t.Fatalf("%q: what was written of it: %v", sheet, err)
			}
			if a, b := asJSON(t, rows), asJSON(t, again); a != b && !strings.Contains(a, "sharedFormula") && !strings.Contains(a, `"formula":"`) {
				t.Fatalf("%q:\n got %s\nback %s", sheet, a, b)
			}
		}
	})
}

func asJSON(t *testing.T, x any) string {
	v, err := marshal.NewValue(x, marshal.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := v.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func writeRows(rows []any) ([]byte, error) {
	plans, err := planSheets([]any{ordered("name", "S", "rows", rows)}, writeOptions{})
	if err != nil {
		return nil, err
	}
	return writeWorkbook(context.Background(), plans, true)
}

func table5000() []any {
	rows := make([]any, 5000)
	for i := range rows {
		rows[i] = ordered("id", float64(i), "name", fmt.Sprintf("Customer %d", i), "city", []string{"Berlin", "Paris", "Oslo"}[i%3], "amount", float64(i)*1.37,
			"paid", i%2 == 0, "date", time.Date(2024, 1, 1+i%365, 0, 0, 0, 0, time.UTC), "note", "a note of some words", "rate", 0.25)
	}
	return rows
}

func BenchmarkWrite5000x8(b *testing.B) {
	rows := table5000()
	b.ReportAllocs()
	for b.Loop() {
		plans, err := planSheets([]any{ordered("name", "S", "rows", rows)}, writeOptions{header: true})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := writeWorkbook(context.Background(), plans, true); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRead5000x8(b *testing.B) {
	file := written(b, obj{"S": table5000()})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parseWorkbook(context.Background(), file, &readOptions{header: true}, "", false); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkExcelizeRead5000x8(b *testing.B) {
	file := written(b, obj{"S": table5000()})
	b.ReportAllocs()
	for b.Loop() {
		f, err := excelize.OpenReader(bytes.NewReader(file))
		if err != nil {
			b.Fatal(err)
		}
		if rows, err := f.GetRows("S"); err != nil || len(rows) != 5001 {
			b.Fatal(len(rows), err)
		}
		f.Close()
	}
}

func BenchmarkExcelizeStreamWrite5000x8(b *testing.B) {
	rows := table5000()
	b.ReportAllocs()
	for b.Loop() {
		f := excelize.NewFile()
		w, err := f.NewStreamWriter("Sheet1")
		if err != nil {
			b.Fatal(err)
		}
		for i, r := range rows {
			var cells []any
			for _, e := range r.(*marshal.Object).Entries {
				cells = append(cells, e.Value)
			}
			if err := w.SetRow(fmt.Sprintf("A%d", i+1), cells); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			b.Fatal(err)
		}
		if _, err := f.WriteToBuffer(); err != nil {
			b.Fatal(err)
		}
		f.Close()
	}
}
