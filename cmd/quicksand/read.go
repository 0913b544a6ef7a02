package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"quicksand"
)

const (
	maxFile    = 256 << 20 // bytes of one file
	maxDepth   = 200       // levels of nesting in JSON, as many as a guest can get
	maxPackage = 10_000    // files of one module's directory
)

// readSource reads a file, or standard input for "-".
func readSource(name string, stdin io.Reader) ([]byte, error) {
	r, what := stdin, "standard input"
	if name != "-" {
		info, err := os.Stat(name)
		if err != nil {
			return nil, fileError(name, err)
		}
		if info.IsDir() {
			return nil, fmt.Errorf("%s is a directory", name)
		}
		f, err := os.Open(name)
		if err != nil {
			return nil, fileError(name, err)
		}
		defer f.Close()
		r, what = f, name
	}
	b, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, fileError(what, err)
	}
	if len(b) > maxFile {
		return nil, fmt.Errorf("%s is larger than %d MiB", what, maxFile>>20)
	}
	return b, nil
}

// fileError says what is wrong with a file without the name of a system call.
func fileError(name string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("cannot read %s: %w", name, err)
}

// readJSON reads the value of a flag: a JSON text, or @ and a file. Objects keep the
// order of their keys, and numbers their digits.
func readJSON(option, value string, stdin io.Reader) (any, error) {
	text, what := []byte(value), option
	if name, ok := strings.CutPrefix(value, "@"); ok {
		var err error
		if text, err = readSource(name, stdin); err != nil {
			return nil, fmt.Errorf("%s: %w", option, err)
		}
		what = fmt.Sprintf("%s: %s", option, name)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := decode(d, 0)
	if err == nil {
		if _, err = d.Token(); err == io.EOF {
			return v, nil
		}
		if err == nil {
			err = errors.New("there is text after the value")
		}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the text ends too early")
	}
	offset := d.InputOffset()
	var se *json.SyntaxError
	if errors.As(err, &se) {
		offset = max(se.Offset-1, 0)
	}
	before := text[:min(offset, int64(len(text)))]
	line := 1 + bytes.Count(before, []byte("\n"))
	return nil, fmt.Errorf("%s is not JSON: %w (line %d, byte %d)", what, err, line, len(before)-bytes.LastIndexByte(before, '\n'))
}

// decode reads one value.
func decode(d *json.Decoder, depth int) (any, error) {
	tok, err := d.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := tok.(json.Delim)
	if !ok {
		return tok, nil
	}
	if depth++; depth > maxDepth {
		return nil, fmt.Errorf("it is nested deeper than %d levels", maxDepth)
	}
	if delim == '[' {
		list := []any{}
		for d.More() {
			v, err := decode(d, depth)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.Token()
		return list, err
	}
	o := &quicksand.Object{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		v, err := decode(d, depth)
		if err != nil {
			return nil, err
		}
		// Not Set, which looks through all keys: of equal keys the encoder takes the last.
		o.Entries = append(o.Entries, struct {
			Key   string
			Value any
		}{key.(string), v})
	}
	_, err = d.Token()
	return o, err
}

// readGlobals reads the value of --globals.
func readGlobals(value string, stdin io.Reader) (map[string]any, error) {
	v, err := readJSON("--globals", value, stdin)
	if err != nil {
		return nil, err
	}
	o, ok := v.(*quicksand.Object)
	if !ok {
		return nil, errors.New("--globals wants a JSON object, whose properties become globals")
	}
	m := make(map[string]any, len(o.Entries))
	for _, e := range o.Entries {
		m[e.Key] = e.Value
	}
	return m, nil
}

// readModules reads what the --module flags name.
func readModules(flags []string) (map[string]quicksand.Module, error) {
	modules := make(map[string]quicksand.Module, len(flags))
	for _, f := range flags {
		name, path, _ := strings.Cut(f, "=")
		if _, twice := modules[name]; twice {
			return nil, fmt.Errorf("--module: %s is given twice", name)
		}
		m, err := readModule(path)
		if err != nil {
			return nil, fmt.Errorf("--module %s: %w", name, err)
		}
		modules[name] = m
	}
	return modules, nil
}

func readModule(path string) (quicksand.Module, error) {
	info, err := os.Stat(path)
	if err != nil {
		return quicksand.Module{}, fileError(path, err)
	}
	if !info.IsDir() {
		code, err := readSource(path, nil)
		return quicksand.Module{Code: string(code)}, err
	}
	m := quicksand.Module{Files: make(map[string]string)}
	size := 0
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fileError(p, err)
		case d.IsDir():
			if p != path && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		case !d.Type().IsRegular(): // a link could lead out of the directory
			return nil
		}
		if ext := filepath.Ext(p); ext != ".js" && ext != ".mjs" {
			return nil
		}
		code, err := readSource(p, nil)
		if err != nil {
			return err
		}
		if size += len(code); size > maxFile || len(m.Files) >= maxPackage {
			return fmt.Errorf("%s has more than %d files or %d MiB of code", path, maxPackage, maxFile>>20)
		}
		name, err := filepath.Rel(path, p)
		if err != nil {
			return err
		}
		m.Files[filepath.ToSlash(name)] = string(code)
		return nil
	})
	if err != nil {
		return quicksand.Module{}, err
	}
	code, ok := m.Files["index.js"]
	if !ok {
		return quicksand.Module{}, fmt.Errorf("%s has no index.js", path)
	}
	m.Code = code
	delete(m.Files, "index.js")
	return m, nil
}
