// Command fetch copies files of a Go module into the folder lib of the current package, with
// a file that says where they are from. It is what go generate runs:
//
//	fetch module@version file...
package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 3 {
		log.Fatal("usage: fetch module@version file...")
	}
	out, err := exec.Command("go", "mod", "download", "-json", os.Args[1]).Output()
	if err != nil {
		log.Fatal(err)
	}
	var module struct{ Dir, Sum string }
	if err := json.Unmarshal(out, &module); err != nil {
		log.Fatal(err)
	}
	var source strings.Builder
	fmt.Fprintf(&source, "%s %s\n", os.Args[1], module.Sum)
	for _, name := range os.Args[2:] {
		data, err := os.ReadFile(filepath.Join(module.Dir, name))
		if err != nil {
			log.Fatal(err)
		}
		base := filepath.Base(name)
		if err := os.WriteFile(filepath.Join("lib", base), data, 0o644); err != nil {
			log.Fatal(err)
		}
		fmt.Fprintf(&source, "%x %s\n", sha256.Sum256(data), base)
	}
	if err := os.WriteFile(filepath.Join("lib", "SOURCE"), []byte(source.String()), 0o644); err != nil {
		log.Fatal(err)
	}
}
