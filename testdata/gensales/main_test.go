package main

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"
)

func TestCommittedFileIsWhatTheGeneratorWrites(t *testing.T) {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile("../sales.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), file) {
		t.Error("testdata/sales.json differs: go run ./testdata/gensales > testdata/sales.json")
	}
	var rows []map[string]any
	if err := json.Unmarshal(file, &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) != orders || len(rows[0]) != 9 {
		t.Errorf("%d rows with %d fields, want %d with 9", len(rows), len(rows[0]), orders)
	}
	if len(file) >= 1_500_000 {
		t.Errorf("the file has %d bytes, want less than 1.5 MB", len(file))
	}
}
