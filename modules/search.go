package modules

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxCandidates bounds the folders of one search root.
const maxCandidates = 50_000

// search finds the folders below a search root that may be packages. A root that is a sandbox
// package is the only one; one with a folder node_modules stands for that.
func search(root string) ([]string, error) {
	real, err := realDir(root)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", root, reason(err))
	}
	info, err := os.Stat(real)
	if err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s is no directory", root)
	}
	if isPack(real) {
		return []string{real}, nil
	}
	if info, err := os.Stat(filepath.Join(real, "node_modules")); err == nil && info.IsDir() {
		real = filepath.Join(real, "node_modules")
	}
	var list []string
	if err := folders(real, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", root, reason(err))
	}
	var packs []string
	for _, dir := range list {
		if !strings.HasPrefix(filepath.Base(dir), "@") {
			packs = append(packs, dir)
			continue
		}
		// A scope that cannot be read holds no package that could be.
		if err := folders(dir, &packs); err != nil && !errors.Is(err, fs.ErrPermission) {
			return nil, fmt.Errorf("%s: %w", root, reason(err))
		}
	}
	return packs, nil
}

// folders adds the folders in dir to list, with links to folders, which package managers
// make. Hidden ones are theirs.
func folders(dir string, list *[]string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || !e.IsDir() && e.Type()&fs.ModeSymlink == 0 {
			continue
		}
		if len(*list) == maxCandidates {
			return fmt.Errorf("there are more than %d folders", maxCandidates)
		}
		*list = append(*list, filepath.Join(dir, e.Name()))
	}
	return nil
}

// isPack reports whether the folder itself is a sandbox package, or tries to be one.
func isPack(dir string) bool {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return false
	}
	defer root.Close()
	text, err := readPackage(root.FS())
	if err != nil {
		return false
	}
	_, err = parseManifest(text)
	return !errors.Is(err, errNoPack)
}

// discoverDir reads the package in a folder of the host.
func discoverDir(dir string, compiled Compiled) (*pack, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, reason(err)
	}
	defer root.Close()
	return discover(root.FS(), dir, false, compiled)
}
