package bridges

import (
	"encoding/json"
	"strconv"
)

// A Schema describes the argument and the result of a Func of Typed.
type Schema struct {
	// Input is the JSON Schema (draft 2020-12) of the argument, an object.
	Input json.RawMessage `json:"input"`
	// Output is that of the result. It is empty when there is none.
	Output json.RawMessage `json:"output,omitempty"`

	// The same for people, in the manner of TypeScript.
	input, output string
}

const dialect = "https://json-schema.org/draft/2020-12/schema"

func newSchema(in, out *shape) *Schema {
	s := &Schema{Input: writeSchema(in, false), input: in.script()}
	if out != nil {
		s.Output, s.output = writeSchema(out, true), out.script()
	}
	return s
}

// schemaWriter writes the schema of one type. Recursive types are definitions of their own.
type schemaWriter struct {
	buf    []byte
	output bool
	names  map[*shape]string
	todo   []*shape // definitions that are not yet written
	taken  map[string]bool
}

func writeSchema(s *shape, output bool) json.RawMessage {
	w := &schemaWriter{output: output, names: make(map[*shape]string), taken: make(map[string]bool)}
	w.buf = append(w.buf, `{"$schema":"`+dialect+`"`...)
	w.keywords(s, nil)
	for i := 0; i < len(w.todo); i++ {
		if i == 0 {
			w.buf = append(w.buf, `,"$defs":{`...)
		} else {
			w.buf = append(w.buf, ',')
		}
		w.string(w.names[w.todo[i]])
		w.buf = append(w.buf, ":{"...)
		start := len(w.buf)
		w.define(w.todo[i], nil)
		w.buf = append(w.buf[:start], w.buf[start+1:]...) // the first comma
		w.buf = append(w.buf, '}')
	}
	if len(w.todo) > 0 {
		w.buf = append(w.buf, '}')
	}
	return append(w.buf, '}')
}

func (w *schemaWriter) string(s string) {
	b, _ := json.Marshal(s) // a string always has a JSON text
	w.buf = append(w.buf, b...)
}

// keyword begins a keyword.
func (w *schemaWriter) keyword(name string) {
	w.buf = append(w.buf, ',', '"')
	w.buf = append(w.buf, name...)
	w.buf = append(w.buf, `":`...)
}

func (w *schemaWriter) text(name, value string) {
	w.keyword(name)
	w.string(value)
}

func (w *schemaWriter) number(name string, f float64) {
	w.keyword(name)
	w.buf = strconv.AppendFloat(w.buf, f, 'f', -1, 64)
}

// object writes a schema of its own.
func (w *schemaWriter) object(s *shape, f *shapeField) {
	w.buf = append(w.buf, '{')
	start := len(w.buf)
	w.keywords(s, f)
	if len(w.buf) > start {
		w.buf = append(w.buf[:start], w.buf[start+1:]...) // the first comma
	}
	w.buf = append(w.buf, '}')
}

// keywords writes the keywords of s, each behind a comma. f is the field with its tags, or
// nil.
func (w *schemaWriter) keywords(s *shape, f *shapeField) {
	if s.kind == pointerShape && s.elem.recursive && w.output {
		w.keyword("anyOf")
		w.buf = append(w.buf, '[')
		w.object(s.elem, f)
		w.buf = append(w.buf, `,{"type":"null"}]`...)
		return
	}
	if s.kind == pointerShape && s.elem.recursive {
		s = s.elem
	}
	if !s.recursive {
		w.define(s, f)
		return
	}
	name, known := w.names[s]
	if !known {
		name = s.name
		for i := 2; w.taken[name]; i++ {
			name = s.name + strconv.Itoa(i)
		}
		w.names[s], w.taken[name] = name, true
		w.todo = append(w.todo, s)
	}
	w.text("$ref", "#/$defs/"+name)
	if f != nil && f.doc != "" {
		w.text("description", f.doc)
	}
}

func (w *schemaWriter) define(s *shape, f *shapeField) {
	if f == nil {
		f = new(shapeField)
	}
	nullable := s.kind == pointerShape && w.output
	if s.kind == pointerShape {
		s = s.elem
	}
	if s.kind != anyShape {
		w.keyword("type")
		if nullable {
			w.buf = append(w.buf, '[')
		}
		w.string(s.kind.jsonType())
		if nullable {
			w.buf = append(w.buf, `,"null"]`...)
		}
	}
	if f.doc != "" {
		w.text("description", f.doc)
	}
	switch s.kind {
	case stringShape:
		w.enum(f.enum)
		w.bounds("minLength", "maxLength", f)
	case numberShape:
		w.bounds("minimum", "maximum", f)
	case integerShape:
		low, high := s.low, s.high
		if f.min != nil && *f.min > low {
			low = *f.min
		}
		if f.max != nil && *f.max < high {
			high = *f.max
		}
		if low > -maxSafe {
			w.number("minimum", low)
		}
		if high < maxSafe {
			w.number("maximum", high)
		}
	case bytesShape:
		w.text("contentEncoding", "base64")
	case timeShape:
		w.text("format", "date-time")
	case listShape:
		w.keyword("items")
		w.object(s.elem, &shapeField{enum: f.enum})
		if s.fixed > 0 && f.max == nil {
			w.number("maxItems", float64(s.fixed))
		}
		w.bounds("minItems", "maxItems", f)
	case mapShape:
		w.keyword("additionalProperties")
		w.object(s.elem, nil)
	case objectShape:
		w.properties(s)
	}
}

func (w *schemaWriter) enum(list []string) {
	if list == nil {
		return
	}
	w.keyword("enum")
	b, _ := json.Marshal(list)
	w.buf = append(w.buf, b...)
}

func (w *schemaWriter) bounds(low, high string, f *shapeField) {
	if f.min != nil {
		w.number(low, *f.min)
	}
	if f.max != nil {
		w.number(high, *f.max)
	}
}

func (w *schemaWriter) properties(s *shape) {
	w.keyword("properties")
	w.buf = append(w.buf, '{')
	for i := range s.fields {
		f := &s.fields[i]
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		w.string(f.name)
		w.buf = append(w.buf, ':')
		w.object(f.shape, f)
	}
	w.buf = append(w.buf, '}')
	first := true
	for i := range s.fields {
		f := &s.fields[i]
		if f.omitted || !w.output && f.optional() {
			continue
		}
		if first {
			w.keyword("required")
			w.buf = append(w.buf, '[')
			first = false
		} else {
			w.buf = append(w.buf, ',')
		}
		w.string(f.name)
	}
	if !first {
		w.buf = append(w.buf, ']')
	}
	w.keyword("additionalProperties")
	w.buf = append(w.buf, "false"...)
}
