package secrets

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"unicode/utf8"
)

// A Provider has secrets. It must be safe for concurrent use.
type Provider interface {
	// Lookup returns the secret of a name. ok is false when there is none, which is no
	// error. name comes from a guest and may be any text. ctx ends with the run. The text of
	// an error is the host's and does not reach the guest.
	Lookup(ctx context.Context, name string) (value string, ok bool, err error)
}

// ProviderFunc is a function as a Provider.
type ProviderFunc func(ctx context.Context, name string) (value string, ok bool, err error)

// Lookup calls f.
func (f ProviderFunc) Lookup(ctx context.Context, name string) (string, bool, error) {
	return f(ctx, name)
}

// Map is a Provider of secrets in memory, by name. It must not change while a run uses it.
type Map map[string]string

// Lookup returns m[name].
func (m Map) Lookup(_ context.Context, name string) (string, bool, error) {
	v, ok := m[name]
	return v, ok, nil
}

// Env is a Provider of the environment variables whose names begin with prefix: the secret
// TOKEN is the variable prefix+"TOKEN". With an empty prefix it has nothing, since a guest
// could read the whole environment; a Map names single variables. It looks at the
// environment at each call.
func Env(prefix string) Provider { return env(prefix) }

type env string

func (e env) Lookup(_ context.Context, name string) (string, bool, error) {
	if e == "" || name == "" || strings.ContainsAny(name, "=\x00") {
		return "", false, nil
	}
	v, ok := os.LookupEnv(string(e) + name)
	return v, ok, nil
}

// Chain is a Provider that asks others in turn and takes the first secret which is set. An
// error ends the search, so that a store which is out of reach does not change whose secret
// it is.
func Chain(providers ...Provider) Provider { return chain(providers) }

type chain []Provider

func (c chain) Lookup(ctx context.Context, name string) (string, bool, error) {
	for _, p := range c {
		if v, ok, err := p.Lookup(ctx, name); ok || err != nil {
			return v, ok, err
		}
	}
	return "", false, nil
}

// maxFile is the largest file that File reads.
const maxFile = 1 << 20

// File reads a file of secrets, once. It holds either a JSON object whose values are
// strings, or lines:
//
//	# a comment; blank lines do not count
//	TOKEN=value up to the end of the line, without white space around it
//	export OTHER="in double quotes, with the escapes of JSON: \n \" \\ \u00e9"
//	THIRD='in single quotes, as it is'
//
// Each name occurs once. The file has at most 1 MiB and must be a regular file that its
// owner alone may read or write (mode 0600 or less; on Windows the mode says nothing and is
// not checked). A symbolic link may not lead out of its directory.
func File(path string) (Map, error) {
	data, err := readPrivate(path)
	if err != nil {
		return nil, fmt.Errorf("secrets: %w", err)
	}
	var m Map
	if !utf8.Valid(data) {
		err = errors.New("it is no text in UTF-8")
	} else if trimmed := bytes.TrimSpace(data); len(trimmed) > 0 && trimmed[0] == '{' {
		m, err = parseJSON(trimmed)
	} else {
		m, err = parseLines(string(data))
	}
	if err != nil {
		return nil, fmt.Errorf("secrets: %s: %w", path, err)
	}
	return m, nil
}

// readPrivate reads a file that nobody else may read. What is checked is the file that is
// open, so that nothing can come between.
func readPrivate(path string) ([]byte, error) {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	// O_NONBLOCK, because opening a FIFO would wait for its other end.
	f, err := root.OpenFile(filepath.Base(path), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be opened, or leads out of its directory: %w", path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", path)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("%s has mode %04o, so that others may read or write it; it needs 0600", path, info.Mode().Perm())
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%s has %d bytes, more than %d", path, info.Size(), maxFile)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s has more than %d bytes", path, maxFile)
	}
	return data, err
}

// parseJSON and parseLines do not quote what they read in their errors: it may be a secret.
func parseJSON(data []byte) (Map, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	m := make(Map)
	dec.Token() // the brace
	for dec.More() {
		key, err := dec.Token()
		name, ok := key.(string)
		if err != nil || !ok {
			return nil, errors.New("it is no JSON object")
		}
		value, err := dec.Token()
		if err != nil {
			return nil, errors.New("it is no JSON object")
		}
		if _, twice := m[name]; twice {
			return nil, fmt.Errorf("%q occurs again", name)
		}
		if m[name], ok = value.(string); !ok {
			return nil, fmt.Errorf("the value of %q is no string", name)
		}
	}
	if _, err := dec.Token(); err != nil {
		return nil, errors.New("it is no JSON object")
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("something follows the JSON object")
	}
	return m, nil
}

func parseLines(text string) (Map, error) {
	m := make(Map)
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\uFEFF")) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" || strings.ContainsAny(name, " \t\"'") {
			return nil, fmt.Errorf("line %d is not NAME=value", n)
		}
		switch {
		case strings.HasPrefix(value, `"`):
			if json.Unmarshal([]byte(value), &value) != nil {
				return nil, fmt.Errorf("line %d: the value in double quotes is no JSON string", n)
			}
		case strings.HasPrefix(value, "'"):
			if len(value) < 2 || strings.IndexByte(value[1:], '\'') != len(value)-2 {
				return nil, fmt.Errorf("line %d: the single quotes do not enclose the value", n)
			}
			value = value[1 : len(value)-1]
		}
		if _, twice := m[name]; twice {
			return nil, fmt.Errorf("line %d: %q occurs again", n, name)
		}
		m[name] = value
	}
	return m, nil
}
