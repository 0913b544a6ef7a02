package modules

import (
	"errors"
	"os"
)

// A Dependency is an npm dependency which a package offers as a module.
type Dependency struct {
	Specifier string // what programs import
	NPM       string // name of the dependency, which a path may follow
}

// Dependencies reads the manifest of the package in a directory: its name and version, and
// the modules that have to be compiled before programs can import them, in its order. A
// directory without a sandbox package has none.
func Dependencies(dir string) (pack, version string, list []Dependency, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", "", nil, reason(err)
	}
	defer root.Close()
	text, err := readPackage(root.FS())
	var m *manifest
	if err == nil {
		m, err = parseManifest(text)
	}
	if errors.Is(err, errNoPack) {
		return "", "", nil, nil
	}
	if err != nil {
		return "", "", nil, err
	}
	for i := range m.modules {
		if d := &m.modules[i]; d.npm != "" {
			list = append(list, Dependency{m.specifier(d), d.npm})
		}
	}
	return m.name, m.version, list, nil
}
