//go:build cgo && linux && (amd64 || arm64) && !purego

package qjscgo

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Types of qjs_abi.h and their fields. Opaque types have none.
var abiTypes = []struct {
	name   string
	fields []string
}{
	{"JSValueUnion", []string{"int32", "float64", "ptr", "short_big_int"}},
	{"JSValue", []string{"u", "tag"}},
	{"JSMallocFunctions", []string{"js_calloc", "js_malloc", "js_free", "js_realloc", "js_malloc_usable_size"}},
	{"JSPropertyEnum", []string{"is_enumerable", "atom"}},
	{"JSPropertyDescriptor", []string{"flags", "value", "getter", "setter"}},
	{"JSEvalOptions", []string{"version", "eval_flags", "filename", "line_num"}},
	{"JSClassID", nil},
	{"JSAtom", nil},
	{"JSCFunctionEnum", nil},
	{"JSTypedArrayEnum", nil},
	{"JSPromiseStateEnum", nil},
}

var enumerator = regexp.MustCompile(`\bJS_(?:TAG|CFUNC|TYPED_ARRAY|PROMISE)_\w+`)

// The compiler compares our declarations of functions and macros with the real ones,
// and the sizes, offsets and values of ours with theirs.
func TestHeaderMatchesTheRealOne(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/buke/quickjs-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	include := filepath.Join(strings.TrimSpace(string(dir)), "deps", "quickjs")
	ours, err := filepath.Abs("qjs_abi.h")
	if err != nil {
		t.Fatal(err)
	}
	header, err := os.ReadFile(ours)
	if err != nil {
		t.Fatal(err)
	}

	var types strings.Builder
	types.WriteString("#include <stddef.h>\n#include \"quickjs.h\"\n")
	values := map[string]bool{}
	for _, name := range enumerator.FindAllString(string(header), -1) {
		values[name] = true
	}
	if len(values) < 30 {
		t.Fatalf("found %d enumerators in the header", len(values))
	}
	for name := range values {
		fmt.Fprintf(&types, "enum { real_%s = %s };\n#define %[1]s ours_%[1]s\n", name, name)
	}
	for _, x := range abiTypes {
		fmt.Fprintf(&types, "typedef %s real_%[1]s;\n#define %[1]s ours_%[1]s\n", x.name)
	}
	// The types of functions are compared through the functions that take them.
	for _, name := range []string{"JSCFunction", "JSInterruptHandler", "JSModuleNormalizeFunc", "JSModuleLoaderFunc", "JSModuleInitFunc"} {
		fmt.Fprintf(&types, "#define %s ours_%[1]s\n", name)
	}
	fmt.Fprintf(&types, "#define QS_ABI_TYPES\n#include %q\n", ours)
	for name := range values {
		fmt.Fprintf(&types, "_Static_assert((int)real_%s == (int)ours_%[1]s, \"%[1]s\");\n", name)
	}
	for _, x := range abiTypes {
		fmt.Fprintf(&types, "_Static_assert(sizeof(real_%s) == sizeof(ours_%[1]s), \"%[1]s\");\n", x.name)
		fmt.Fprintf(&types, "_Static_assert(_Alignof(real_%s) == _Alignof(ours_%[1]s), \"%[1]s\");\n", x.name)
		for _, f := range x.fields {
			fmt.Fprintf(&types, "_Static_assert(offsetof(real_%s, %s) == offsetof(ours_%[1]s, %[2]s), \"%[1]s.%[2]s\");\n", x.name, f)
			fmt.Fprintf(&types, "_Static_assert(sizeof(((real_%s *)0)->%s) == sizeof(((ours_%[1]s *)0)->%[2]s), \"%[1]s.%[2]s\");\n", x.name, f)
		}
	}

	declared := fmt.Sprintf("#include \"quickjs.h\"\n#define QS_ABI_CHECK\n#include %q\n", ours)
	check := func(code string) error {
		cmd := exec.Command(gcc, "-x", "c", "-std=gnu11", "-Werror", "-Wno-unused", "-I", include, "-fsyntax-only", "-")
		cmd.Stdin = strings.NewReader(code)
		out, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Errorf("%v\n%s", err, out)
		}
		return nil
	}
	if err := check(types.String()); err != nil {
		t.Errorf("types: %v", err)
	}
	if err := check(declared); err != nil {
		t.Errorf("functions: %v", err)
	}
	// The check itself notices a difference.
	for _, wrong := range []string{
		"extern int JS_GetVersion(void);",
		"extern JSValue JS_ReadObject(JSContext *ctx, const uint8_t *buf, int buf_len, int flags);",
	} {
		if check(declared+wrong) == nil {
			t.Errorf("accepted %s", wrong)
		}
	}
}

func TestVersionIsTheOneTheHeaderIsFor(t *testing.T) {
	if err := start(); err != nil {
		t.Fatal(err)
	}
	if got := newEngine(t).Version(); got != "quickjs-ng 0.15.1" {
		t.Errorf("Version() = %q", got)
	}
}
