package npm_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"quicksand"
	"quicksand/modules"
	"quicksand/modules/npm"
)

// A package on disk offers one of its npm dependencies as a module.
func ExampleCompile() {
	dir, err := os.MkdirTemp("", "pack")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{
		"package.json":                `{"name": "@acme/geo", "version": "1.0.0", "nodetool": {"sandboxModules": [{"kind": "js", "name": "points", "npm": "points"}]}}`,
		"node_modules/points/main.js": `exports.distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y)`,
		// What an npm client installs has one, too.
		"node_modules/points/package.json": `{"name": "points", "main": "main.js"}`,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			panic(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			panic(err)
		}
	}

	cache := modules.NewCache(filepath.Join(dir, "cache"))
	report, err := npm.Compile(context.Background(), dir, npm.Options{Cache: cache})
	if err != nil {
		panic(err)
	}
	for _, m := range report.Modules {
		fmt.Println(m.Specifier, m.Level, m.Exports)
	}

	catalog, err := modules.Config{Dirs: []string{dir}, Compiled: cache}.Open()
	if err != nil {
		panic(err)
	}
	result, err := quicksand.Run(context.Background(), `import { distance } from "@acme/geo/points";
		return distance({ x: 0, y: 0 }, { x: 3, y: 4 });`, quicksand.Options{Packs: catalog.Set("@acme/geo")})
	if err != nil {
		panic(err)
	}
	text, err := result.Value.MarshalJSON()
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
	// Output:
	// @acme/geo/points ready [default distance]
	// 5
}
