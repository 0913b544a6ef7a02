package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"quicksand/packs"
)

// A zip of CSV files becomes a workbook, which another library reads, and the same text, by
// both engines, with libraries of every kind.
func TestReport(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the program that makes the orders")
	}
	if _, err := packs.Licences(); err != nil {
		t.Skip(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	orders := t.TempDir()
	make := exec.Command("go", "run", "./examples/orders", orders)
	make.Dir = root
	if out, err := make.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	first := map[string]string{}
	eachEngine(t, func(t *testing.T, engine string) {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(orders)); err != nil {
			t.Fatal(err)
		}
		status, stdout, stderr := execute("", "run", filepath.Join(root, "examples/report.js"), "--engine", engine, "--workspace", dir, "--packs", filepath.Join(root, "testdata/packs"))
		if status != 0 {
			t.Fatalf("got %d, %s%s", status, stdout, stderr)
		}
		var got struct {
			Orders   int
			Total    float64
			Branches map[string]float64
			Boxes    []int
		}
		if err := json.Unmarshal([]byte(stdout), &got); err != nil {
			t.Fatal(err)
		}
		if got.Orders != 720 || got.Total != 751090.2 || got.Branches["Munich"] != 257370.2 || len(got.Boxes) != 3 || got.Boxes[0] != 2 {
			t.Errorf("got %s", stdout)
		}
		book, err := excelize.OpenFile(filepath.Join(dir, "report.xlsx"))
		if err != nil {
			t.Fatal(err)
		}
		defer book.Close()
		if names := strings.Join(book.GetSheetList(), " "); names != "Hamburg Munich Cologne" {
			t.Errorf("sheets %s", names)
		}
		rows, err := book.GetRows("Munich")
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != 241 || strings.Join(rows[0], " ") != "order date product quantity price total" || len(rows[1]) != 6 || !strings.HasPrefix(rows[1][1], "2026-0") {
			t.Errorf("%d rows, %q", len(rows), rows[:2])
		}
		if f, err := book.GetCellFormula("Munich", "F2"); err != nil || f != "D2*E2" {
			t.Errorf("formula %q, %v", f, err)
		}
		for name, part := range map[string]string{"report.md": "| Munich | 240 |", "report.html": "<strong>€751,090.20</strong>", "report.xlsx": "PK"} {
			b, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(b), part) {
				t.Errorf("%s lacks %q", name, part)
			}
			if old, ok := first[name]; ok && old != string(b) {
				t.Errorf("%s differs between the engines", name)
			}
			first[name] = string(b)
		}
	})
}
