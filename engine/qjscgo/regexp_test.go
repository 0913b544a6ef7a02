package qjscgo

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The numbers of operations in regexp.c are those of the engine's own list.
func TestRegExpOperations(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/buke/quickjs-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "deps", "quickjs", "libregexp-opcode.h"))
	if err != nil {
		t.Fatal(err)
	}
	real := make(map[string]int)
	for i, m := range regexp.MustCompile(`(?m)^DEF\((\w+),`).FindAllSubmatch(list, -1) {
		real[string(m[1])] = i
	}
	source, err := os.ReadFile("regexp.c")
	if err != nil {
		t.Fatal(err)
	}
	ours := regexp.MustCompile(`op_(\w+) = (\d+),`).FindAllSubmatch(source, -1)
	if len(ours) != 7 {
		t.Fatalf("found %d operations in regexp.c", len(ours))
	}
	for _, m := range ours {
		n, err := strconv.Atoi(string(m[2]))
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := real[string(m[1])]; !ok || got != n {
			t.Errorf("%s is %d, the engine has %d", m[1], n, got)
		}
	}
}
