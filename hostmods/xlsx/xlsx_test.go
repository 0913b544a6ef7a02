package xlsx

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"quicksand/hostmods/hosttest"
	"quicksand/internal/marshal"
)

type obj = map[string]any

// ordered is an object with its keys in order: ordered("a", 1, "b", 2).
func ordered(pairs ...any) *marshal.Object {
	o := &marshal.Object{}
	for i := 0; i < len(pairs); i += 2 {
		o.Entries = append(o.Entries, marshal.Entry{Key: pairs[i].(string), Value: pairs[i+1]})
	}
	return o
}

// written is the file that write makes of its arguments.
func written(t testing.TB, args ...any) []byte {
	t.Helper()
	v, err := hosttest.Call(context.Background(), "xlsx.write", args...)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := v.Bytes()
	return b
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	ctx := context.Background()
	day := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
	noon := day.Add(12*time.Hour + 34*time.Minute + 56*time.Second)
	for _, row := range []struct {
		name   string
		sheets any
		opt    any
		parse  any
		want   string
	}{
		{"records come back", obj{"S": []any{ordered("a", 1, "b", "x"), ordered("a", 2.5, "b", true)}}, nil, nil,
			`{"S":[{"a":1,"b":"x"},{"a":2.5,"b":true}]}`},
		{"columns are the union of keys in the order they are seen", obj{"S": []any{ordered("b", 1), ordered("a", 2, "b", 3)}}, nil, nil,
			`{"S":[{"b":1,"a":null},{"b":3,"a":2}]}`},
		{"columns choose and order", []any{obj{"name": "S", "rows": []any{obj{"a": 1, "b": 2, "c": 3}}, "columns": []any{"c", "a", "z"}}}, nil, nil,
			`{"S":[{"c":3,"a":1,"z":null}]}`},
		{"columns have titles", []any{obj{"name": "S", "rows": []any{obj{"a": 1}}, "columns": []any{obj{"key": "a", "header": "A title"}}}}, nil, nil,
			`{"S":[{"A title":1}]}`},
		{"arrays come back", obj{"S": []any{[]any{1, nil, "x"}, []any{}, []any{nil, marshal.Undefined, false}}}, obj{"header": false}, obj{"header": false},
			`{"S":[[1,null,"x"],[null,null,false]]}`},
		{"several sheets keep their order", []any{obj{"name": "Z", "rows": []any{obj{"a": 1}}}, obj{"name": "A", "rows": []any{[]any{1}}, "header": false}}, nil, nil,
			`{"Z":[{"a":1}],"A":[]}`},
		{"one sheet is an array", []any{obj{"name": "Z", "rows": []any{obj{"a": 1}}}, obj{"name": "Ä", "rows": []any{obj{"a": 2}}}}, nil, obj{"sheet": "Ä"}, `[{"a":2}]`},
		{"names of sheets have any case", obj{"Sales": []any{obj{"a": 1}}}, nil, obj{"sheet": "SALES"}, `[{"a":1}]`},
		{"no rows are no records", obj{"S": []any{}}, nil, nil, `{"S":[]}`},
		{"objects become JSON", obj{"S": []any{obj{"a": ordered("x", []any{1, "y"})}}}, nil, nil, `{"S":[{"a":"{\"x\":[1,\"y\"]}"}]}`},
		{"dates are ISO strings", obj{"S": []any{ordered("d", day, "t", noon)}}, nil, nil, `{"S":[{"d":"2024-02-29T00:00:00.000Z","t":"2024-02-29T12:34:56.000Z"}]}`},
		{"dates can be numbers", obj{"S": []any{ordered("d", day)}}, nil, obj{"dates": "number"}, `{"S":[{"d":45351}]}`},
		{"an invalid date is empty", obj{"S": []any{ordered("d", marshal.InvalidDate, "x", 1)}}, nil, nil, `{"S":[{"d":null,"x":1}]}`},
		{"dates before 1900 are texts", obj{"S": []any{ordered("d", time.Date(1815, 12, 10, 0, 0, 0, 0, time.UTC))}}, nil, nil, `{"S":[{"d":"1815-12-10T00:00:00.000Z"}]}`},
		{"NaN is an error cell", obj{"S": []any{ordered("n", math.NaN(), "i", math.Inf(-1))}}, nil, nil, `{"S":[{"n":"#NUM!","i":"#NUM!"}]}`},
		{"texts keep their spaces, lines and control characters", obj{"S": []any{ordered("a", "  x\r\n\ty ", "b", "\x01_x0041_ _x", "c", "<&>\"'", "d", "")}}, nil, nil,
			`{"S":[{"a":"  x\r\n\ty ","b":"\u0001_x0041_ _x","c":"<&>\"'","d":""}]}`},
		{"texts stay texts", obj{"S": []any{ordered("a", "=1+1", "b", "007", "c", "2024-01-01")}}, nil, nil, `{"S":[{"a":"=1+1","b":"007","c":"2024-01-01"}]}`},
		{"formulas give their results", obj{"S": []any{ordered("a", obj{"formula": "=1+1", "result": 2}, "b", obj{"formula": "A1&B1", "result": "x"}, "c", obj{"formula": "TRUE()", "result": true})}}, nil, nil,
			`{"S":[{"a":2,"b":"x","c":true}]}`},
		{"formulas without results are their texts", obj{"S": []any{ordered("a", obj{"formula": "SUM(1,2)"})}}, nil, nil, `{"S":[{"a":"=SUM(1,2)"}]}`},
		{"formulas can be objects", obj{"S": []any{ordered("a", obj{"formula": "SUM(1,2)"}, "b", obj{"formula": "1<2", "result": true})}}, nil, obj{"formulas": true},
			`{"S":[{"a":{"formula":"SUM(1,2)","result":null},"b":{"formula":"1<2","result":true}}]}`},
		{"of duplicate headers the last counts", obj{"S": []any{[]any{"a", "b", "a"}, []any{1, 2, 3}}}, obj{"header": false}, nil, `{"S":[{"a":3,"b":2}]}`},
		{"duplicate headers can be told apart", obj{"S": []any{[]any{"a", "b", "a", "a"}, []any{1, 2, 3, 4}}}, obj{"header": false}, obj{"duplicates": "rename"}, `{"S":[{"a":1,"b":2,"a_1":3,"a_2":4}]}`},
		{"a missing header is its column", obj{"S": []any{[]any{"a", nil, true, 1.5}, []any{1, 2, 3, 4, 5}, []any{1}}}, obj{"header": false}, nil,
			`{"S":[{"a":1,"col_2":2,"true":3,"1.5":4,"col_5":5},{"a":1,"col_2":null,"true":null,"1.5":null,"col_5":null}]}`},
		{"empty rows are skipped", obj{"S": []any{[]any{}, []any{nil}, []any{"a"}, []any{nil, nil}, []any{1}}}, obj{"header": false}, nil, `{"S":[{"a":1}]}`},
		{"a range is a part", obj{"S": []any{[]any{1, 2, 3}, []any{"a", "b", "c"}, []any{4, 5, 6}, []any{7, 8, 9}}}, obj{"header": false}, obj{"range": "B2:C3"}, `{"S":[{"b":5,"c":6}]}`},
		{"columns of a range are counted in it", obj{"S": []any{[]any{1, 2, 3}}}, obj{"header": false}, obj{"range": "$C$1:B1", "header": false}, `{"S":[[2,3]]}`},
		{"keys that are special are keys", obj{"S": []any{[]any{"__proto__", "constructor"}, []any{1, 2}}}, obj{"header": false}, nil, `{"S":[{"__proto__":1,"constructor":2}]}`},
		{"names of sheets are cut", obj{strings.Repeat("é", 40): []any{}}, nil, nil, `{"` + strings.Repeat("é", 31) + `":[]}`},
		{"names are not cut through a character", obj{strings.Repeat("é", 30) + "😀": []any{}}, nil, nil, `{"` + strings.Repeat("é", 30) + `":[]}`},
		{"integers of any size", obj{"S": []any{ordered("a", int64(1<<53), "e", int64(1<<53)+1, "b", 1e300, "c", -1e-300, "d", 123456789012)}}, nil, nil, `{"S":[{"a":9007199254740992,"e":"9007199254740993","b":1e+300,"c":-1e-300,"d":123456789012}]}`},
	} {
		b := written(t, row.sheets, row.opt)
		if got := hosttest.JSON(ctx, "xlsx.parse", b, row.parse); got != row.want {
			t.Errorf("%s:\n got %s\nwant %s", row.name, got, row.want)
		}
	}
}

func TestTypedDates(t *testing.T) {
	b := written(t, obj{"S": []any{obj{"d": time.Date(1999, 12, 31, 23, 59, 59, 0, time.UTC)}}})
	v, err := hosttest.Call(context.Background(), "xlsx.parse", b, obj{"dates": "date", "sheet": "S"})
	if err != nil {
		t.Fatal(err)
	}
	got := v.Index(0).Field("d").Any()
	if want := time.Date(1999, 12, 31, 23, 59, 59, 0, time.UTC); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestErrors(t *testing.T) {
	ctx := context.Background()
	good := written(t, obj{"Sales": []any{obj{"a": 1}}, "Costs": []any{}})
	long := []any{obj{"a": strings.Repeat("x", 32_768)}}
	rows := make([]any, 125_000)
	for i := range rows {
		rows[i] = ordered("a", 1, "b", nil)
	}
	sheet := func(pairs ...any) []any {
		return []any{ordered(append([]any{"name", "S", "rows", []any{obj{"a": 1}}}, pairs...)...)}
	}
	style := func(pairs ...any) []any { return sheet("styles", []any{ordered(pairs...)}) }
	cyclic := obj{}
	cyclic["self"] = cyclic
	many := obj{}
	for i := range 65 {
		many[strings.Repeat("x", i%30)+string(rune('a'+i/30))] = []any{}
	}
	for _, row := range []struct {
		name string
		call string
		args []any
		want string
	}{
		{"text is no file", "parse", []any{"x"}, "xlsx.parse: bytes must be a Uint8Array, not a string; workspace.readBytes(path) and response.bytes() give one"},
		{"too many bytes", "parse", []any{make([]byte, 10_485_761)}, "xlsx.parse: bytes has 10485761 bytes, more than the limit of 10485760 (HostBytesSize)"},
		{"something else is no workbook", "parse", []any{[]byte("a,b\n1,2\n")}, "xlsx.parse: the file is no .xlsx workbook"},
		{"nothing is no workbook", "parse", []any{[]byte{}}, "xlsx.parse: the file is no .xlsx workbook"},
		{"a damaged directory", "parse", []any{[]byte("PK\x03\x04xxxxxxxxxxxxxxxxxx")}, "xlsx.parse: the file is no .xlsx workbook, or is damaged: its zip directory cannot be read"},
		{"old and encrypted workbooks", "parse", []any{[]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1xxxx")}, "xlsx.parse: the file is an encrypted workbook or one of Excel 97 (.xls): save it as .xlsx without a password"},
		{"unknown sheets", "parse", []any{good, obj{"sheet": "Sale"}}, `xlsx.parse: there is no sheet "Sale", only "Costs", "Sales"`},
		{"a sheet by its place", "parse", []any{good, obj{"sheet": 0}}, "xlsx.parse: options.sheet must be the name of a sheet"},
		{"unknown words", "parse", []any{good, obj{"dates": "text"}}, `xlsx.parse: options.dates must be "iso" or "date" or "number"`},
		{"a bad range", "parse", []any{good, obj{"range": "A:B"}}, "xlsx.parse: options.range must be like A1:F100"},

		{"no sheets at all", "write", []any{nil}, "xlsx.write: sheets must be an object {name: rows} or an array of {name, rows}"},
		{"sheets that are a text", "write", []any{"x"}, "xlsx.write: sheets must be an object {name: rows} or an array of {name, rows}"},
		{"an empty object", "write", []any{obj{}}, "xlsx.write: there are no sheets to write"},
		{"an empty array", "write", []any{[]any{}}, "xlsx.write: there are no sheets to write"},
		{"too many sheets", "write", []any{many}, "xlsx.write: there are 65 sheets, more than the limit of 64"},
		{"a sheet without a name", "write", []any{[]any{obj{"rows": []any{}}}}, "xlsx.write: sheets[0] has no name"},
		{"a blank name", "write", []any{[]any{obj{"name": " ", "rows": []any{}}}}, "xlsx.write: sheets[0] has no name"},
		{"a blank key", "write", []any{obj{"": []any{}}}, "xlsx.write: a sheet has no name"},
		{"one name twice", "write", []any{[]any{obj{"name": "A", "rows": []any{}}, obj{"name": "a", "rows": []any{}}}}, `xlsx.write: the sheets "A" and "a" have one name`},
		{"one name when they are cut", "write", []any{[]any{obj{"name": strings.Repeat("x", 32), "rows": []any{}}, obj{"name": strings.Repeat("x", 31), "rows": []any{}}}},
			`xlsx.write: the sheets "` + strings.Repeat("x", 32) + `" and "` + strings.Repeat("x", 31) + `" have one name`},
		{"a name with a slash", "write", []any{obj{"a/b": []any{}}}, `xlsx.write: the name of sheet "a/b" has one of * ? : \ / [ ], which Excel does not take`},
		{"a name that Excel keeps", "write", []any{obj{"History": []any{}}}, "xlsx.write: a sheet cannot have the name History, which Excel keeps for itself"},
		{"a name in apostrophes", "write", []any{obj{"'a'": []any{}}}, `xlsx.write: the name of sheet "'a'" begins or ends with an apostrophe, which Excel does not take`},
		{"rows that are no array", "write", []any{obj{"S": obj{}}}, `xlsx.write: the rows of sheet "S" must be an array`},
		{"rows of an entry that are no array", "write", []any{[]any{obj{"name": "S", "rows": 1}}}, "xlsx.write: sheets[0].rows must be an array"},
		{"missing rows", "write", []any{[]any{obj{"name": "S"}}}, "xlsx.write: sheets[0].rows must be an array"},
		{"a row that is no object", "write", []any{obj{"S": []any{[]any{1}}}}, `xlsx.write: row 0 of sheet "S" must be an object; use header: false for rows that are arrays`},
		{"a row that is no array", "write", []any{obj{"S": []any{obj{}}}, obj{"header": false}}, `xlsx.write: row 0 of sheet "S" must be an array, since header is false`},
		{"columns that are no array", "write", []any{sheet("columns", "a")}, "xlsx.write: sheets[0].columns must be an array"},
		{"a column without a key", "write", []any{sheet("columns", []any{obj{"width": 3}})}, "xlsx.write: sheets[0].columns[0] has no key"},
		{"a column that is too wide", "write", []any{sheet("columns", []any{obj{"key": "a", "width": 300}})}, "xlsx.write: sheets[0].columns[0].width must be a number above 0 and up to 255"},
		{"styles that are no array", "write", []any{sheet("styles", obj{})}, "xlsx.write: sheets[0].styles must be an array"},
		{"a style that is no object", "write", []any{sheet("styles", []any{"A1"})}, "xlsx.write: sheets[0].styles[0] must be an object {range, bold?, …}"},
		{"a style without a range", "write", []any{style("bold", true)}, `xlsx.write: sheets[0].styles[0].range must be like A1 or A1:C20, not ""`},
		{"a range that is none", "write", []any{style("range", "A0:B2")}, `xlsx.write: sheets[0].styles[0].range must be like A1 or A1:C20, not "A0:B2"`},
		{"a range outside of sheets", "write", []any{style("range", "XFE1")}, `xlsx.write: sheets[0].styles[0].range must be like A1 or A1:C20, not "XFE1"`},
		{"a whole sheet of styles", "write", []any{style("range", "A1:XFD1048576", "bold", true)},
			"xlsx.write: the ranges of styles have more cells than the limit of 1000000 (SheetStyles)"},
		{"a far column of styles", "write", []any{style("range", "XFD1:XFD1000", "bold", true)},
			"xlsx.write: the ranges of styles have more cells than the limit of 1000000 (SheetStyles)"},
		{"a colour that is none", "write", []any{style("range", "A1", "color", "red")}, `xlsx.write: sheets[0].styles[0].color must have 6 or 8 hexadecimal digits, not "red"`},
		{"a background of seven digits", "write", []any{style("range", "A1", "background", "#1234567")}, `xlsx.write: sheets[0].styles[0].background must have 6 or 8 hexadecimal digits, not "#1234567"`},
		{"more cells than the limit", "write", []any{obj{"S": rows}}, "xlsx.write: the cells are more than the limit of 250000 (SheetCells)"},
		{"bytes in a cell", "write", []any{obj{"S": []any{obj{"a": []byte{1}}}}}, `xlsx.write: cell A2 of sheet "S" holds bytes: write them as text, for example in base64`},
		{"a text that Excel cannot open", "write", []any{obj{"S": long}}, `xlsx.write: cell A2 of sheet "S" has more characters than the limit of 32767 (SheetCellText)`},
		{"an empty formula", "write", []any{obj{"S": []any{obj{"a": obj{"formula": "="}}}}}, `xlsx.write: cell A2 of sheet "S" has a formula of 0 bytes, not between 1 and 8192`},
		{"an object in itself", "write", []any{obj{"S": []any{obj{"a": cyclic}}}}, `xlsx.write: cell A2 of sheet "S" holds an object that contains itself or is too large for a cell`},
		{"too many bytes in sheets", "sheets", []any{make([]byte, 10_485_761)}, "xlsx.sheets: bytes has 10485761 bytes, more than the limit of 10485760 (HostBytesSize)"},
	} {
		if got := hosttest.JSON(ctx, "xlsx."+row.call, row.args...); got != "! "+row.want {
			t.Errorf("%s:\n got %s\nwant ! %s", row.name, got, row.want)
		}
	}
}

func TestACancelledCallEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	b := written(t, obj{"S": []any{obj{"a": 1}}})
	cancel()
	if _, err := hosttest.Call(ctx, "xlsx.parse", b); !errors.Is(err, context.Canceled) {
		t.Errorf("parse: got %v", err)
	}
	rows := make([]any, 100)
	for i := range rows {
		rows[i] = obj{"a": i}
	}
	if _, err := hosttest.Call(ctx, "xlsx.write", obj{"S": rows}); !errors.Is(err, context.Canceled) {
		t.Errorf("write: got %v", err)
	}
}

// Excel's own reader is not at hand; excelize reads what is written here.
func TestExcelizeReadsWhatIsWritten(t *testing.T) {
	day := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
	b := written(t, []any{ordered("name", "Data & <more>", "rows", []any{
		ordered("Name", "  Ann\n& <Bob>", "Sum", 1234.5, "Day", day, "Ok", true, "F", obj{"formula": "B2*2", "result": 2469}, "T", "\x02x"),
	}, "columns", []any{"Name", obj{"key": "Sum", "numberFormat": "#,##0.00 \"€\"", "width": 20}, "Day", "Ok", "F", "T"},
		"styles", []any{
			ordered("range", "C1:A1", "bold", true, "background", "#ffee00", "size", 14),
			ordered("range", "A1:A3", "italic", true, "color", "80112233"),
		}, "freezeHeader", true), ordered("name", "Two", "rows", []any{})})
	f, err := excelize.OpenReader(strings.NewReader(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const s = "Data & <more>"
	if got := f.GetSheetList(); len(got) != 2 || got[0] != s || got[1] != "Two" {
		t.Errorf("sheets: got %q", got)
	}
	for cell, want := range map[string]string{
		"A1": "Name", "A2": "  Ann\n& <Bob>", "B2": "1,234.50 €", "C2": "2024-02-29", "D2": "TRUE", "E2": "2469", "T2": "", "F2": "\x02x",
	} {
		if got, err := f.GetCellValue(s, cell); got != want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", cell, got, err, want)
		}
	}
	if got, _ := f.GetCellFormula(s, "E2"); got != "B2*2" {
		t.Errorf("formula: got %q", got)
	}
	if got, _ := f.GetColWidth(s, "B"); got != 20 {
		t.Errorf("width of B: got %v, want 20", got)
	}
	if got, _ := f.GetColWidth(s, "D"); got != 8 {
		t.Errorf("width of D: got %v, want 8", got)
	}
	if p, err := f.GetPanes(s); err != nil || !p.Freeze || p.YSplit != 1 {
		t.Errorf("panes: got %+v, %v", p, err)
	}
	style := func(cell string) *excelize.Style {
		id, err := f.GetCellStyle(s, cell)
		if err != nil {
			t.Fatal(err)
		}
		st, err := f.GetStyle(id)
		if err != nil {
			t.Fatal(err)
		}
		return st
	}
	if st := style("A1"); !st.Font.Bold || !st.Font.Italic || st.Font.Size != 14 || st.Font.Color != "80112233" || st.Fill.Pattern != 1 {
		t.Errorf("A1: got %+v, %+v", st.Font, st.Fill)
	}
	if got := f.Styles.Fills.Fill[2].PatternFill.FgColor.RGB; got != "FFFFEE00" {
		t.Errorf("background: got %s", got)
	}
	if st := style("B1"); !st.Font.Bold || st.Font.Italic {
		t.Errorf("B1: got %+v", st.Font)
	}
	if st := style("A3"); !st.Font.Italic || st.Font.Bold {
		t.Errorf("A3, which is empty: got %+v", st.Font)
	}
}

// excelizeFile is a workbook by another writer.
func excelizeFile(t testing.TB, fill func(f *excelize.File)) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	fill(f)
	b, err := f.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func rich(t testing.TB) []byte {
	return excelizeFile(t, func(f *excelize.File) {
		must := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		must(f.SetSheetRow("Sheet1", "A1", &[]any{"Text", "Number", "Bool", "Date", "Rich", "Link", "Error", "Formula"}))
		must(f.SetSheetRow("Sheet1", "A3", &[]any{"x", 1.5, true, time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)}))
		must(f.SetCellRichText("Sheet1", "E3", []excelize.RichTextRun{{Text: "bold ", Font: &excelize.Font{Bold: true}}, {Text: "plain"}}))
		must(f.SetCellValue("Sheet1", "F3", "a link"))
		must(f.SetCellHyperLink("Sheet1", "F3", "https://example.com/", "External"))
		must(f.SetCellFormula("Sheet1", "H3", "SUM(B3,1)"))
		must(f.SetCellValue("Sheet1", "A5", "merged"))
		must(f.MergeCell("Sheet1", "A5", "B6"))
		_, err := f.NewSheet("Hidden")
		must(err)
		must(f.SetCellValue("Hidden", "B2", 7))
		must(f.SetSheetVisible("Hidden", false))
	})
}

func TestFilesOfExcelize(t *testing.T) {
	ctx := context.Background()
	b := rich(t)
	want := `{"Sheet1":[` +
		`{"Text":"x","Number":1.5,"Bool":true,"Date":"2024-05-06T07:08:09.000Z","Rich":"bold plain","Link":"a link","Error":null,"Formula":"=SUM(B3,1)"},` +
		`{"Text":"merged","Number":"merged","Bool":null,"Date":null,"Rich":null,"Link":null,"Error":null,"Formula":null},` +
		`{"Text":"merged","Number":"merged","Bool":null,"Date":null,"Rich":null,"Link":null,"Error":null,"Formula":null}],` +
		`"Hidden":[]}`
	if got := hosttest.JSON(ctx, "xlsx.parse", b); got != want {
		t.Errorf(" got %s\nwant %s", got, want)
	}
	want = `[["Text","Number","Bool","Date","Rich","Link","Error","Formula"],["x",1.5,true,45418.297326388885,"bold plain","a link",null,"=SUM(B3,1)"],["merged"]]`
	if got := hosttest.JSON(ctx, "xlsx.parse", b, obj{"header": false, "sheet": "Sheet1", "merged": "first", "dates": "number"}); got != want {
		t.Errorf(" got %s\nwant %s", got, want)
	}
	want = `[{"name":"Sheet1","state":"visible","rows":5,"columns":8},{"name":"Hidden","state":"hidden","rows":2,"columns":2}]`
	if got := hosttest.JSON(ctx, "xlsx.sheets", b); got != want {
		t.Errorf(" got %s\nwant %s", got, want)
	}
}

func TestFormatsThatShowDates(t *testing.T) {
	for format, want := range map[string]bool{
		"General": false, "0.00": false, "#,##0.00_);[Red](#,##0.00)": false, `"day" 0`: false, `\d0`: false, "@": false, "0.00E+00": false,
		"yyyy-mm-dd": true, "[$-409]d-mmm-yy": true, "[h]:mm:ss": true, `"at" hh`: true, "M/D/YY": true, "[unclosed yyyy": false, `"unclosed yyyy`: false, `x\`: false,
	} {
		if got := showsDates(format); got != want {
			t.Errorf("%s: got %v, want %v", format, got, want)
		}
	}
}

func TestReferences(t *testing.T) {
	for col, want := range map[int]string{0: "A1", 25: "Z1", 26: "AA1", 701: "ZZ1", 702: "AAA1", 16383: "XFD1"} {
		if got := string(appendCell(nil, col, 0)); got != want {
			t.Errorf("column %d: got %s, want %s", col, got, want)
		}
		if c, r, ok := parseCell([]byte(want)); c != col || r != 0 || !ok {
			t.Errorf("%s: got %d, %d, %v", want, c, r, ok)
		}
	}
	for _, bad := range []string{"", "A", "1", "A0", "a1b", "XFE1", "A1048577", "AAAA1", "A99999999", "é1", "A-1", "A01"} {
		if c, r, ok := parseCell([]byte(bad)); ok {
			t.Errorf("%s: got %d, %d", bad, c, r)
		}
	}
}

// TestLimitsPage compares LIMITS.md with the code.
func TestLimitsPage(t *testing.T) {
	page, err := os.ReadFile("../../LIMITS.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		limitCells: fmt.Sprint(maxCells, " cells"), limitStyles: fmt.Sprint(maxPainted, " cells"), limitCellText: fmt.Sprint(maxCellText, " characters"),
		limitPart: fmt.Sprint(maxPart, " bytes"), limitTotal: fmt.Sprint(maxInflated, " bytes"), limitStrings: fmt.Sprint(maxShared, " strings"),
	} {
		if want := fmt.Sprintf("\n| `%s` | %s |", name, value); strings.Count(string(page), want) != 1 {
			t.Errorf("LIMITS.md has no row that begins %q", want[1:])
		}
	}
}

func TestNothingIsWrittenToDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a sheet of 10 MB")
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	rows := make([]any, 20_000)
	for i := range rows {
		rows[i] = ordered("a", strings.Repeat("x", 500)+string(rune('a'+i%26)), "b", i, "c", json.Number("1.5"))
	}
	b := written(t, obj{"S": rows})
	if _, err := hosttest.Call(context.Background(), "xlsx.parse", b); err != nil {
		t.Fatal(err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		t.Errorf("got %v, %v", list, err)
	}
}
