// Command build bundles the guest packs that Quicksand ships: each folder of packs/src with
// the npm libraries behind it becomes one compressed file in packs/built, where the package
// packs embeds it. It wants the libraries in packs/node_modules:
//
//	make packs
//
// The same sources and libraries give the same bytes.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/klauspost/compress/zstd"
)

// shims are what some libraries want and guests do not have, from packs/src/shims. They
// stand for free names inside of one bundle only: a guest never sees them.
var shims = map[string][]string{
	"docx":    {"decoder.js"},
	"mammoth": {"timers.js", "process.js", "self.js"},
	"pptxgen": {"timers.js", "process.js"},
}

// replaced are files of libraries that a facade has no use for, and what stands in their place.
// The package ics folds a line in time that grows with its square; its facade folds anew.
var replaced = map[string]string{
	"node_modules/ics/dist/utils/fold-line.js": "exports.__esModule = true; exports.default = (line) => line;",
}

// inlined are packages whose code is in the published file of another, where the bundler
// does not see them.
var inlined = map[string][]string{
	"node_modules/docx": {"node_modules/fflate", "node_modules/nanoid"},
}

// maxBundle is what the module system takes for one bundled file.
const maxBundle = 1 << 20

func main() {
	log.SetFlags(0)
	log.SetPrefix("packs/build: ")
	if len(os.Args) != 2 {
		log.Fatal("usage: build PACKS, the folder of package packs")
	}
	if err := build(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func build(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	entries, err := filepath.Glob(filepath.Join(dir, "src", "*", "index.js"))
	if err != nil {
		return err
	}
	out := filepath.Join(dir, "built")
	old, err := filepath.Glob(filepath.Join(out, "*.zst"))
	if err != nil {
		return err
	}
	for _, f := range old {
		if err := os.Remove(f); err != nil {
			return err
		}
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	write := func(name string, data []byte) (int, error) {
		small := enc.EncodeAll(data, nil)
		return len(small), os.WriteFile(filepath.Join(out, name+".zst"), small, 0o644)
	}
	used := make(map[string]bool) // folders of packages
	met := make(map[string]bool)  // files of replaced
	var legal strings.Builder
	for _, entry := range entries {
		id := filepath.Base(filepath.Dir(entry))
		b, err := bundle(dir, id, met)
		if err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
		if len(b.code) > maxBundle {
			return fmt.Errorf("%s: the bundle of %d bytes is more than %d", id, len(b.code), maxBundle)
		}
		for _, p := range b.packages {
			used[p] = true
			for _, q := range inlined[p] {
				used[q] = true
			}
		}
		if len(b.legal) > 0 {
			fmt.Fprintf(&legal, "\n%[1]s\nComments in the files of the pack %[2]s\n%[1]s\n\n%[3]s", rule, id, b.legal)
		}
		n, err := write(id+".js", b.code)
		if err != nil {
			return err
		}
		fmt.Printf("%-10s %7d bytes, %6d compressed\n", id, len(b.code), n)
	}
	for name := range replaced {
		if !met[name] {
			return fmt.Errorf("no bundle has the file %s, which is to be replaced", name)
		}
	}
	text, err := licences(dir, used)
	if err != nil {
		return err
	}
	if _, err := write("LICENSES.txt", []byte(text+legal.String())); err != nil {
		return err
	}
	sum, err := sources(dir)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "SOURCES"), []byte(sum+"\n"), 0o644)
}

// sources is a digest of everything that decides about the bundles: built/SOURCES keeps it,
// so that a test can tell whether they are of an older state.
func sources(dir string) (string, error) {
	sum := sha256.New()
	add := func(name string) error {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		fmt.Fprintf(sum, "%s %d\n%s", name, len(data), data)
		return err
	}
	for _, name := range []string{"package-lock.json", "build/main.go"} {
		if err := add(name); err != nil {
			return "", err
		}
	}
	err := fs.WalkDir(os.DirFS(dir), "src", func(name string, e fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".js" {
			return err
		}
		return add(name)
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

type bundled struct {
	code     []byte
	legal    []byte   // comments that ask to be kept
	packages []string // folders below packs
}

func bundle(dir, id string, used map[string]bool) (bundled, error) {
	inject := []string{}
	for _, s := range shims[id] {
		inject = append(inject, "src/shims/"+s)
	}
	r := api.Build(api.BuildOptions{
		AbsWorkingDir: dir,
		EntryPoints:   []string{"src/" + id + "/index.js"},
		Outfile:       "built/" + id + ".js",
		Bundle:        true,
		Format:        api.FormatESModule,
		Platform:      api.PlatformBrowser,
		MainFields:    []string{"module", "browser", "main"},
		Target:        api.ES2023,
		Define: map[string]string{
			"process.env.NODE_ENV": `"production"`,
			"global":               "globalThis",
		},
		Inject:            inject,
		Plugins:           []api.Plugin{replacing(dir, used)},
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsExternal,
		Metafile:          true,
		LogLevel:          api.LogLevelSilent,
	})
	if len(r.Errors) > 0 {
		return bundled{}, errors.New(strings.Join(api.FormatMessages(r.Errors, api.FormatMessagesOptions{}), ""))
	}
	var b bundled
	for _, f := range r.OutputFiles {
		if strings.HasSuffix(f.Path, ".js") {
			b.code = f.Contents
		} else {
			b.legal = f.Contents
		}
	}
	var meta struct {
		Inputs  map[string]any
		Outputs map[string]struct {
			Inputs  map[string]struct{ BytesInOutput int }
			Imports []struct{ Path string }
		}
	}
	if err := json.Unmarshal([]byte(r.Metafile), &meta); err != nil {
		return bundled{}, err
	}
	for _, o := range meta.Outputs {
		if len(o.Imports) > 0 {
			return bundled{}, fmt.Errorf("the bundle still imports %s", o.Imports[0].Path)
		}
		for in, share := range o.Inputs {
			if p := packageOf(in); p != "" && share.BytesInOutput > 0 && !slices.Contains(b.packages, p) {
				b.packages = append(b.packages, p)
			}
		}
	}
	return b, nil
}

// replacing puts other texts in the place of files, and notes in used which of them it met.
func replacing(dir string, used map[string]bool) api.Plugin {
	var lock sync.Mutex
	return api.Plugin{Name: "replaced", Setup: func(b api.PluginBuild) {
		b.OnLoad(api.OnLoadOptions{Filter: `\.js$`}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			name, err := filepath.Rel(dir, a.Path)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			name = filepath.ToSlash(name)
			if text, ok := replaced[name]; ok {
				lock.Lock()
				defer lock.Unlock()
				used[name] = true
				return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
			}
			return api.OnLoadResult{}, nil
		})
	}}
}

// packageOf is the folder of the package that a file belongs to, or nothing for our own.
func packageOf(file string) string {
	i := strings.LastIndex(file, "node_modules/")
	if i < 0 {
		return ""
	}
	i += len("node_modules/")
	parts := strings.SplitN(file[i:], "/", 3)
	if strings.HasPrefix(file[i:], "@") {
		return path.Join(file[:i], parts[0], parts[1])
	}
	return path.Join(file[:i], parts[0])
}

var rule = strings.Repeat("=", 78)

// licences are the texts that come with the packages whose code is in the bundles, after a
// table of all of them.
func licences(dir string, used map[string]bool) (string, error) {
	var table, texts strings.Builder
	table.WriteString("Code of these packages is in the guest packs. Their licences follow.\n\n")
	var folders []string
	for p := range used {
		folders = append(folders, p)
	}
	slices.Sort(folders)
	for _, folder := range folders {
		data, err := os.ReadFile(filepath.Join(dir, folder, "package.json"))
		if err != nil {
			return "", err
		}
		var manifest struct {
			Name, Version string
			License       any
			Author        any
		}
		if err := json.Unmarshal(data, &manifest); err != nil {
			return "", fmt.Errorf("%s: %w", folder, err)
		}
		kind := fmt.Sprint(manifest.License)
		fmt.Fprintf(&table, "%s %s: %s\n", manifest.Name, manifest.Version, kind)
		files, err := os.ReadDir(filepath.Join(dir, folder))
		if err != nil {
			return "", err
		}
		n := 0
		for _, f := range files {
			if name := strings.ToLower(f.Name()); f.IsDir() || !isLicence(name) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(dir, folder, f.Name()))
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&texts, "\n%[1]s\n%[2]s %[3]s: %[4]s\n%[1]s\n\n%[5]s\n", rule, manifest.Name, manifest.Version, f.Name(), strings.TrimSpace(string(text)))
			n++
		}
		if n == 0 {
			text, ok := standardTexts[kind]
			if !ok {
				return "", fmt.Errorf("%s comes without the text of its licence, %s", folder, kind)
			}
			fmt.Fprintf(&texts, "\n%[1]s\n%[2]s %[3]s: comes without a text; that of %[4]s\n%[1]s\n\nCopyright (c) the authors of %[2]s\n\n%[5]s\n", rule, manifest.Name, manifest.Version, kind, text)
		}
	}
	return table.String() + texts.String(), nil
}

func isLicence(name string) bool {
	for _, prefix := range []string{"license", "licence", "copying", "notice"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// standardTexts are licences that packages name without including them.
var standardTexts = map[string]string{
	"MIT": `Permission is hereby granted, free of charge, to any person obtaining a copy of this
software and associated documentation files (the "Software"), to deal in the Software
without restriction, including without limitation the rights to use, copy, modify, merge,
publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons
to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or
substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED,
INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR
PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE
FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER
DEALINGS IN THE SOFTWARE.`,
}
