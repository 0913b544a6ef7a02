package npm

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"

	"quicksand/modules"
)

// packageJSON is what resolution needs of one.
type packageJSON struct {
	dir          string // where it is
	name         string
	main, module string
	browser      string // "browser" as the name of a file
	exports      any    // nil if there is none
	imports      *object
	esm          bool    // "type": "module"
	inBrowser    *object // "browser" as a table: "./file.js" or a package to another one, or to false
	// pure says that no file has side effects, or none but those of effects.
	pure    bool
	effects []string
}

// An object is a JSON object in its order, which matters among conditions.
type object struct {
	keys   []string
	values []any
}

func (o *object) get(key string) (any, bool) {
	if o != nil {
		for i, k := range o.keys {
			if k == key {
				return o.values[i], true
			}
		}
	}
	return nil, false
}

// readPackage reads dir/package.json; nil if there is none that can be read.
func readPackage(dir string, content []byte) *packageJSON {
	var fields map[string]json.RawMessage
	if content == nil || len(content) > modules.MaxManifest || json.Unmarshal(content, &fields) != nil {
		return nil
	}
	text := func(key string) (s string) {
		if json.Unmarshal(fields[key], &s) != nil {
			return ""
		}
		return s
	}
	p := &packageJSON{dir: dir, name: text("name"), main: text("main"), module: text("module"), esm: text("type") == "module"}
	if v, err := ordered(fields["exports"]); err == nil {
		p.exports = v
	}
	if v, err := ordered(fields["imports"]); err == nil {
		p.imports, _ = v.(*object)
	}
	if v, err := ordered(fields["browser"]); err == nil {
		p.inBrowser, _ = v.(*object)
		p.browser, _ = v.(string)
	}
	switch v, err := ordered(fields["sideEffects"]); list := v.(type) {
	case bool:
		p.pure = err == nil && !list
	case []any:
		p.pure = true
		for _, e := range list {
			if s, ok := e.(string); ok {
				p.effects = append(p.effects, s)
			}
		}
	}
	return p
}

// ordered decodes JSON with objects as *object.
func ordered(text json.RawMessage) (any, error) {
	if len(text) == 0 {
		return nil, nil
	}
	return orderedValue(json.NewDecoder(strings.NewReader(string(text))), 0)
}

func orderedValue(d *json.Decoder, depth int) (any, error) {
	const maxDepth = 32
	if depth > maxDepth {
		return nil, errors.New("nested too deep")
	}
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := t.(json.Delim)
	if !ok {
		return t, nil
	}
	if delim == '[' {
		list := []any{}
		for d.More() {
			v, err := orderedValue(d, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.Token()
		return list, err
	}
	o := &object{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		v, err := orderedValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		o.keys, o.values = append(o.keys, key.(string)), append(o.values, v)
	}
	_, err = d.Token()
	return o, err
}

// sideEffects reports whether importing a file for nothing but its effects means something.
func (p *packageJSON) sideEffects(path string) bool {
	if p == nil || !p.pure {
		return true
	}
	rel, err := filepath.Rel(p.dir, path)
	if err != nil {
		return true
	}
	rel = filepath.ToSlash(rel)
	for _, pattern := range p.effects {
		pattern = strings.TrimPrefix(pattern, "./")
		if !strings.Contains(pattern, "/") {
			pattern = "**/" + pattern
		}
		if matchGlob(pattern, rel) {
			return true
		}
	}
	return false
}

// matchGlob matches a path with a pattern of * (not /), ** and ?. It does so in time
// proportional to the product of their lengths. Braces are not understood: a pattern that
// has them matches everything, which is the safe answer.
func matchGlob(pattern, path string) bool {
	if strings.ContainsAny(pattern, "{}[]!()") {
		return true
	}
	// reach[j] says that the pattern so far matches path[:j].
	reach := make([]bool, len(path)+1)
	reach[0] = true
	for i := 0; i < len(pattern); {
		switch {
		case strings.HasPrefix(pattern[i:], "**/"): // nothing, or directories
			i += 3
			var any bool
			for j := range reach {
				was := reach[j]
				reach[j] = was || any && j > 0 && path[j-1] == '/'
				any = any || was
			}
		case strings.HasPrefix(pattern[i:], "**"):
			i += 2
			for j := 1; j < len(reach); j++ {
				reach[j] = reach[j] || reach[j-1]
			}
		case pattern[i] == '*':
			i++
			for j := 1; j < len(reach); j++ {
				reach[j] = reach[j] || reach[j-1] && path[j-1] != '/'
			}
		default:
			for j := len(path); j > 0; j-- {
				reach[j] = reach[j-1] && (path[j-1] == pattern[i] || pattern[i] == '?' && path[j-1] != '/')
			}
			reach[0] = false
			i++
		}
	}
	return reach[len(path)]
}
