package secrets

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestEnvAndChain(t *testing.T) {
	t.Setenv("QSTEST_TOKEN", "from the environment")
	t.Setenv("QSTEST_EMPTY", "")
	t.Setenv("TOKEN", "not this")
	broken := errors.New("broken")
	failing := ProviderFunc(func(context.Context, string) (string, bool, error) { return "", false, broken })
	for _, row := range []struct {
		name     string
		provider Provider
		secret   string
		want     string
		ok       bool
		err      error
	}{
		{"a variable with the prefix", Env("QSTEST_"), "TOKEN", "from the environment", true, nil},
		{"an empty variable is set", Env("QSTEST_"), "EMPTY", "", true, nil},
		{"a variable that is not set", Env("QSTEST_"), "NOPE", "", false, nil},
		{"an empty prefix has nothing", Env(""), "TOKEN", "", false, nil},
		{"an empty name", Env("QSTEST_"), "", "", false, nil},
		{"a name with an equals sign", Env("QSTEST_"), "TOKEN=from", "", false, nil},
		{"a name with a zero", Env("QSTEST_"), "TOKEN\x00", "", false, nil},
		{"an empty chain", Chain(), "TOKEN", "", false, nil},
		{"the first that has it", Chain(Map{"A": "1"}, Map{"A": "2", "B": "3"}), "A", "1", true, nil},
		{"one that only the second has", Chain(Map{"A": "1"}, Map{"A": "2", "B": "3"}), "B", "3", true, nil},
		{"an error ends the search", Chain(failing, Map{"A": "2"}), "A", "", false, broken},
		{"behind a hit nobody is asked", Chain(Map{"A": "2"}, failing), "A", "2", true, nil},
	} {
		got, ok, err := row.provider.Lookup(context.Background(), row.secret)
		if got != row.want || ok != row.ok || err != row.err {
			t.Errorf("%s: got %q, %v, %v", row.name, got, ok, err)
		}
	}
}

func TestFileFormats(t *testing.T) {
	for _, row := range []struct {
		name, text string
		want       string // fmt.Sprint of the map
		fails      string
	}{
		{"nothing", "", "map[]", ""},
		{"lines", "A=1\nB = two words \r\n\n# C=3\n  D=x=y#z\nexport E=e\nF=", "map[A:1 B:two words D:x=y#z E:e F:]", ""},
		{"a byte order mark", "\uFEFFA=1", "map[A:1]", ""},
		{"double quotes", `A="a \"b\"\n\u00e9 "`, "map[A:a \"b\"\né ]", ""},
		{"single quotes", `A=' a \n"b" '`, `map[A: a \n"b" ]`, ""},
		{"JSON", ` {"A": "1", "B": "x\ny"} `, "map[A:1 B:x\ny]", ""},
		{"empty JSON", `{}`, "map[]", ""},
		{"a line without a name", "A=1\n=hush", "", "line 2 is not NAME=value"},
		{"a line without a value", "hush", "", "line 1 is not NAME=value"},
		{"a name of two words", "A B=hush", "", "line 1 is not NAME=value"},
		{"a name twice", "A=1\nA=hush", "", `line 2: "A" occurs again`},
		{"open double quotes", `A="hush`, "", "line 1: the value in double quotes is no JSON string"},
		{"something behind the quotes", `A="hush" # x`, "", "line 1: the value in double quotes"},
		{"open single quotes", `A='hush`, "", "line 1: the single quotes do not enclose the value"},
		{"a single quote alone", `A='`, "", "line 1: the single quotes do not enclose the value"},
		{"a number in JSON", `{"A": 5}`, "", `the value of "A" is no string`},
		{"an object in JSON", `{"A": {"hush": "x"}}`, "", `the value of "A" is no string`},
		{"a name twice in JSON", `{"A": "1", "A": "hush"}`, "", `"A" occurs again`},
		{"JSON that is cut", `{"A": "hush"`, "", "it is no JSON object"},
		{"JSON that is broken", `{"A": hush}`, "", "it is no JSON object"},
		{"two JSON objects", `{"A": "1"} {"B": "hush"}`, "", "something follows the JSON object"},
		{"no text", "A=\xff\xfe", "", "it is no text in UTF-8"},
	} {
		path := filepath.Join(t.TempDir(), "s")
		if err := os.WriteFile(path, []byte(row.text), 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := File(path)
		switch {
		case row.fails != "":
			if err == nil || !strings.Contains(err.Error(), row.fails) || strings.Contains(err.Error(), "hush") || m != nil {
				t.Errorf("%s: got %v, %v, want %s", row.name, m, err, row.fails)
			}
		case err != nil || fmt.Sprint(map[string]string(m)) != row.want:
			t.Errorf("%s: got %v, %v, want %s", row.name, m, err, row.want)
		}
	}
}

func TestFileRefusesWhatOthersMayRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing there")
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write := func(name string, size int, mode os.FileMode) {
		if err := os.WriteFile(at(name), append([]byte("A=1\n#"), make([]byte, size)...), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(at(name), mode); err != nil {
			t.Fatal(err)
		}
	}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Mkdir(at("sub"), 0o700))
	write("good", 0, 0o600)
	write("readonly", 0, 0o400)
	write("group", 0, 0o640)
	write("others", 0, 0o604)
	write("writable", 0, 0o620)
	write("large", maxFile, 0o600)
	outside := filepath.Join(t.TempDir(), "outside")
	must(os.WriteFile(outside, []byte("A=1"), 0o600))
	must(os.Symlink("good", at("link")))
	must(os.Symlink(outside, at("away")))
	must(os.Symlink("../"+filepath.Base(dir)+"/good", at("around")))
	must(os.Symlink("group", at("togroup")))
	must(exec.Command("mkfifo", at("fifo")).Run())
	for name, fails := range map[string]string{
		"good": "", "readonly": "", "link": "",
		"group": "has mode 0640", "others": "has mode 0604", "writable": "has mode 0620", "togroup": "has mode 0640",
		"large": "more than 1048576", "away": "leads out of its directory", "around": "leads out of its directory",
		"sub": "is no regular file", "fifo": "is no regular file", "absent": "cannot be opened",
	} {
		m, err := File(at(name))
		if fails == "" && (err != nil || m["A"] != "1") || fails != "" && (err == nil || !strings.Contains(err.Error(), fails)) {
			t.Errorf("%s: got %v, %v, want %q", name, m, err, fails)
		}
	}
}

func FuzzFile(f *testing.F) {
	f.Add("A=1\nB='x'\n")
	f.Add(`{"A":"1"}`)
	f.Add("export A=\"\\u00e9\"")
	f.Fuzz(func(t *testing.T, text string) {
		if m, err := parseLines(text); (m == nil) == (err == nil) {
			t.Errorf("lines: got %v and %v", m, err)
		}
		if m, err := parseJSON([]byte("{" + text)); (m == nil) == (err == nil) {
			t.Errorf("JSON: got %v and %v", m, err)
		}
	})
}
