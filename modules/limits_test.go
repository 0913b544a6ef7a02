package modules

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"quicksand/hostmods"
)

// TestLimitsPage compares LIMITS.md with the code. The tests of the limits themselves are
// those of discovery, of manifests and of calls.
func TestLimitsPage(t *testing.T) {
	page, err := os.ReadFile("../LIMITS.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"MaxManifest":             fmt.Sprint(MaxManifest, " bytes"),
		"MaxFile":                 fmt.Sprint(MaxFile, " bytes"),
		"MaxBundle":               fmt.Sprint(MaxBundle, " bytes"),
		"MaxWASM":                 fmt.Sprint(MaxWASM, " bytes"),
		"MaxPack":                 fmt.Sprint(MaxPack, " bytes"),
		"MaxSkill":                fmt.Sprint(MaxSkill, " bytes"),
		"maxModules":              fmt.Sprint(maxModules, " modules"),
		"maxInternal":             fmt.Sprint(maxInternal, " files"),
		"maxExports":              fmt.Sprint(maxExports, " exports"),
		"maxImports":              fmt.Sprint(maxImports, " imports"),
		hostmods.LimitText:        fmt.Sprint(hostmods.MaxText, " characters"),
		hostmods.LimitBytes:       fmt.Sprint(hostmods.MaxBytes, " bytes"),
		hostmods.LimitResult:      fmt.Sprint(hostmods.DefaultResult, " bytes"),
		hostmods.LimitRequestBody: fmt.Sprint(hostmods.MaxRequestBody, " characters"),
		hostmods.LimitTimeout:     fmt.Sprint(hostmods.DefaultTimeout),
		hostmods.LimitMemory:      fmt.Sprintf("%d bytes", hostmods.MaxMemory),
		"HostCallConcurrency":     fmt.Sprint(hostmods.DefaultConcurrency, " calls"),
	} {
		if want := fmt.Sprintf("\n| `%s` | %s |", name, value); strings.Count(string(page), want) != 1 {
			t.Errorf("LIMITS.md has no row that begins %q", want[1:])
		}
	}
	if !strings.Contains(string(page), fmt.Sprintf("%d (`MaxShipped`)", MaxShipped)) {
		t.Error("LIMITS.md does not tell MaxShipped")
	}
}
