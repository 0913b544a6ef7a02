package bridges

import (
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"quicksand/internal/marshal"
)

// A shape is what a Go type takes from guests and gives them, as marshal converts it. It is
// immutable once it is made.
type shape struct {
	kind shapeKind
	name string // of the type
	elem *shape // of lists, maps and pointers
	// low and high bound integers.
	low, high float64
	fixed     int // length of an array type, or 0
	fields    []shapeField
	byName    map[string]int
	// recursive says that the type contains itself.
	recursive bool
}

type shapeField struct {
	name, doc string
	shape     *shape
	omitted   bool // the zero value needs not cross
	enum      []string
	min, max  *float64
}

// optional reports whether guests may leave the field out.
func (f *shapeField) optional() bool {
	return f.omitted || f.shape.kind == pointerShape || f.shape.kind == anyShape
}

type shapeKind uint8

const (
	anyShape shapeKind = iota
	stringShape
	numberShape
	integerShape
	boolShape
	bytesShape
	timeShape
	listShape
	mapShape
	objectShape
	pointerShape
)

func (k shapeKind) jsonType() string {
	return [...]string{"", "string", "number", "integer", "boolean", "string", "string", "array", "object", "object", ""}[k]
}

// maxSafe is one more than the largest integer that a number holds exactly together with
// its neighbours.
const maxSafe = 1 << 53

var (
	contentValue     = reflect.TypeFor[Value]()
	contentTime      = reflect.TypeFor[time.Time]()
	contentBig       = reflect.TypeFor[big.Int]()
	contentNumber    = reflect.TypeFor[json.Number]()
	jsonMarshaler    = reflect.TypeFor[json.Marshaler]()
	jsonUnmarshaler  = reflect.TypeFor[json.Unmarshaler]()
	textMarshaler    = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler  = reflect.TypeFor[encoding.TextUnmarshaler]()
	crossingPointers = []reflect.Type{reflect.TypeFor[marshal.Object](), reflect.TypeFor[marshal.Map](), reflect.TypeFor[marshal.Set](),
		reflect.TypeFor[marshal.Error](), reflect.TypeFor[marshal.RegExp]()}
)

func shapeOf(t reflect.Type) (*shape, error) {
	m := shaper{known: make(map[reflect.Type]*shape), busy: make(map[reflect.Type]bool)}
	return m.shape(t)
}

// shaper makes shapes of types, one of each.
type shaper struct {
	known map[reflect.Type]*shape
	busy  map[reflect.Type]bool // types whose shape is being made
}

func (m shaper) shape(t reflect.Type) (*shape, error) {
	if s := m.known[t]; s != nil {
		s.recursive = s.recursive || m.busy[t]
		return s, nil
	}
	s := &shape{name: t.Name(), low: -maxSafe, high: maxSafe}
	if t.Kind() != reflect.Pointer { // in a circle of types the others are enough
		m.known[t], m.busy[t] = s, true
		defer delete(m.busy, t)
	}
	for _, c := range crossingPointers {
		if t == c || t == reflect.PointerTo(c) {
			return s, nil // anything
		}
	}
	p := reflect.PointerTo(t)
	switch {
	case t == contentValue:
		return s, nil
	case t == contentTime:
		s.kind = timeShape
		return s, nil
	case t == contentBig:
		s.kind, s.low, s.high = integerShape, math.Inf(-1), math.Inf(1)
		return s, nil
	case t == contentNumber:
		s.kind = numberShape
		return s, nil
	case t.Kind() == reflect.Pointer, t.Kind() == reflect.Interface:
	case p.Implements(jsonMarshaler), p.Implements(jsonUnmarshaler):
		return s, nil
	case p.Implements(textMarshaler), p.Implements(textUnmarshaler):
		s.kind = stringShape
		return s, nil
	}
	var err error
	switch k := t.Kind(); k {
	case reflect.Bool:
		s.kind = boolShape
	case reflect.String:
		s.kind = stringShape
	case reflect.Float32, reflect.Float64:
		s.kind = numberShape
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		s.kind = integerShape
		if bits := t.Bits(); bits < 64 {
			s.low, s.high = -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1)-1
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		s.kind, s.low = integerShape, 0
		if bits := t.Bits(); bits < 64 {
			s.high = math.Ldexp(1, bits) - 1
		}
	case reflect.Interface:
		if t.NumMethod() > 0 {
			return nil, fmt.Errorf("the interface %s is not any", t)
		}
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Pointer {
			return nil, fmt.Errorf("%s is a pointer to a pointer", t)
		}
		s.kind = pointerShape
		s.elem, err = m.shape(t.Elem())
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 && k == reflect.Slice {
			s.kind = bytesShape
			break
		}
		s.kind = listShape
		if k == reflect.Array {
			s.fixed = t.Len()
		}
		s.elem, err = m.shape(t.Elem())
	case reflect.Map:
		s.kind = mapShape
		s.elem, err = m.shape(t.Elem())
	case reflect.Struct:
		s.kind = objectShape
		err = m.object(s, t)
	default:
		return nil, fmt.Errorf("a %s cannot cross to a guest", t)
	}
	return s, err
}

func (m shaper) object(s *shape, t reflect.Type) error {
	fields := make([]shapeField, 0)
	byName := make(map[string]int)
	for _, f := range marshal.Fields(t) {
		sf := t.FieldByIndex(f.Index)
		fs, err := m.shape(sf.Type)
		if err != nil {
			return fmt.Errorf("field %s: %w", f.Name, err)
		}
		field := shapeField{name: f.Name, doc: sf.Tag.Get("doc"), shape: fs, omitted: f.Omitted}
		if err := field.tags(sf.Tag); err != nil {
			return fmt.Errorf("field %s: %w", f.Name, err)
		}
		byName[f.Name] = len(fields)
		fields = append(fields, field)
	}
	s.fields, s.byName = fields, byName
	return nil
}

func (f *shapeField) tags(tag reflect.StructTag) error {
	content := f.shape
	if content.kind == pointerShape {
		content = content.elem
	}
	if list, ok := tag.Lookup("enum"); ok {
		f.enum = strings.Split(list, ",")
		if content.kind != stringShape && !(content.kind == listShape && content.elem != nil && content.elem.kind == stringShape) {
			return errors.New("enum is for strings and lists of them")
		}
	}
	for name, at := range map[string]**float64{"min": &f.min, "max": &f.max} {
		text, ok := tag.Lookup(name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("%s:%q is no number", name, text)
		}
		switch content.kind {
		case stringShape, numberShape, integerShape, bytesShape, listShape:
		default:
			return fmt.Errorf("%s is for numbers, strings, bytes and lists", name)
		}
		*at = &n
	}
	return nil
}

// optional reports whether guests may leave the whole object out.
func (s *shape) optional() bool {
	for i := range s.fields {
		if !s.fields[i].optional() {
			return false
		}
	}
	return true
}

// read checks v and stores it in dst, a pointer to the type of s.
func (s *shape) read(op string, v Value, dst any) error {
	if v.IsNullish() && s.optional() {
		return nil
	}
	var r reader
	if m := r.check(s, nil, v, 0); m != nil {
		return m.error(op)
	}
	err := v.Unmarshal(dst)
	var at *marshal.PathError
	if !errors.As(err, &at) {
		return err // nil: all errors of Unmarshal say where
	}
	// What is left are types that read themselves, integers of many bits, and circles.
	text := " has a value that does not fit"
	if errors.Is(err, marshal.ErrCycle) {
		text = " refers back to an object that it is in"
	}
	return &Error{Op: op, Name: "TypeError", Message: inputName + strings.TrimPrefix(at.Path, "value") + text, Err: err}
}

// A mismatch is why an argument does not fit.
type mismatch struct {
	steps []string // the path, innermost first
	name  string   // of the error; empty means TypeError
	text  string   // behind the path
}

func (m *mismatch) error(op string) *Error {
	slices.Reverse(m.steps)
	return &Error{Op: op, Name: cmp.Or(m.name, "TypeError"), Message: inputName + strings.Join(m.steps, "") + " " + m.text}
}

// in is m one step further out.
func (m *mismatch) in(step string) *mismatch {
	m.steps = append(m.steps, step)
	return m
}

// wants is the mismatch of v with what it must be.
func wants(v Value, format string, args ...any) *mismatch {
	return &mismatch{text: "must be " + fmt.Sprintf(format, args...) + ", not " + shown(v)}
}

// shown describes a value, with its content where that is short.
func shown(v Value) string {
	if s, ok := v.Str(); ok && len(s) <= 40 {
		return "the string " + strconv.Quote(s)
	}
	if b, ok := v.Bool(); ok {
		return strconv.FormatBool(b)
	}
	return Describe(v)
}

// reader checks one argument.
type reader struct {
	// done are objects in several places, by shape, which need one check only. Without it
	// few objects could stand for billions.
	done map[readKey]bool
}

type readKey struct {
	place int
	shape *shape
}

// maxReadDepth bounds how deep an argument may nest by objects in several places, which can
// be nested deeper than a message.
const maxReadDepth = 4 * marshal.MaxDepth

// check looks at v and all that is inside. f has the tags of the field that it is, or is nil.
func (r *reader) check(s *shape, f *shapeField, v Value, depth int) *mismatch {
	if s.kind == pointerShape {
		if v.IsNullish() {
			return nil
		}
		return r.check(s.elem, f, v, depth)
	}
	if f == nil {
		f = &plainField
	}
	if s.kind >= listShape {
		if depth > maxReadDepth {
			return &mismatch{text: fmt.Sprintf("is nested deeper than %d levels", maxReadDepth)}
		}
		if v.Shares() && !r.first(s, v) {
			return nil
		}
	}
	switch s.kind {
	case stringShape:
		return checkString(f, v)
	case numberShape:
		if n, ok := v.Float(); !ok || f.min != nil && !(n >= *f.min) || f.max != nil && !(n <= *f.max) {
			return wants(v, "a number%s", within(f.min, f.max))
		}
	case integerShape:
		return checkInteger(s, f, v)
	case boolShape:
		if _, ok := v.Bool(); !ok {
			return wants(v, "true or false")
		}
	case bytesShape:
		if !holdsBytes(v) {
			return wants(v, "a Uint8Array")
		}
		return f.length("bytes", v.Len())
	case timeShape:
		return checkTime(v)
	case listShape:
		return r.list(s, f, v, depth)
	case mapShape:
		if v.Kind() == marshal.KindMap {
			return nil // checked when it is stored, since its keys may be anything
		}
		if v.Kind() != marshal.KindObject {
			return wants(v, "an object")
		}
		for name, x := range v.Fields() {
			if m := r.check(s.elem, nil, x, depth+1); m != nil {
				return m.in(step(name))
			}
		}
	case objectShape:
		return r.object(s, v, depth)
	}
	return nil
}

var plainField shapeField

// first reports whether v is met as s for the first time.
func (r *reader) first(s *shape, v Value) bool {
	key := readKey{v.Place(), s}
	if r.done[key] {
		return false
	}
	if r.done == nil {
		r.done = make(map[readKey]bool)
	}
	r.done[key] = true
	return true
}

func checkString(f *shapeField, v Value) *mismatch {
	text, ok := v.Str()
	switch {
	case ok && slices.Contains(f.enum, text):
		return nil
	case f.enum != nil:
		return wants(v, "one of %s", quotedList(f.enum))
	case !ok:
		return wants(v, "a string")
	case f.min != nil || f.max != nil:
		return f.length("characters", utf8.RuneCountInString(text))
	}
	return nil
}

func checkInteger(s *shape, f *shapeField, v Value) *mismatch {
	n, ok := v.Float()
	ok = ok && n == math.Trunc(n)
	low, high := s.low, s.high
	if v.Kind() == marshal.KindBigInt {
		// The type may hold more than a number. If it does not, storing fails.
		n, _ = new(big.Float).SetInt(v.Any().(*big.Int)).Float64()
		ok, low, high = true, math.Inf(-1), math.Inf(1)
	}
	if f.min != nil {
		low = max(low, *f.min)
	}
	if f.max != nil {
		high = min(high, *f.max)
	}
	if ok && n >= low && n <= high {
		return nil
	}
	var from, to *float64
	if low > -maxSafe {
		from = &low
	}
	if high < maxSafe {
		to = &high
	}
	return wants(v, "an integer%s", within(from, to))
}

func checkTime(v Value) *mismatch {
	if text, ok := v.Str(); ok {
		if _, err := time.Parse(time.RFC3339, text); err == nil {
			return nil
		}
	} else if v.Kind() == marshal.KindDate {
		if _, ok := v.Any().(time.Time); ok {
			return nil
		}
	}
	return wants(v, "a valid Date or a string as 2026-01-31T12:00:00Z")
}

// length bounds how long something is.
func (f *shapeField) length(unit string, n int) *mismatch {
	if f.min != nil && float64(n) < *f.min || f.max != nil && float64(n) > *f.max {
		return &mismatch{name: "RangeError", text: fmt.Sprintf("has %d %s, not%s", n, unit, within(f.min, f.max))}
	}
	return nil
}

func within(low, high *float64) string {
	text := func(f *float64) string { return strconv.FormatFloat(*f, 'f', -1, 64) }
	switch {
	case low != nil && high != nil:
		return " from " + text(low) + " to " + text(high)
	case low != nil:
		return " of at least " + text(low)
	case high != nil:
		return " of at most " + text(high)
	}
	return ""
}

func (r *reader) list(s *shape, f *shapeField, v Value, depth int) *mismatch {
	if v.Kind() == marshal.KindBytes && (s.elem.kind == numberShape || s.elem.kind == integerShape) {
		return nil // the numbers of a typed array, which are checked when they are stored
	}
	if v.Kind() != marshal.KindArray && v.Kind() != marshal.KindSet {
		return wants(v, "an array")
	}
	n := v.Len()
	if s.fixed > 0 && n > s.fixed {
		return &mismatch{text: fmt.Sprintf("has %d elements, not at most %d", n, s.fixed)}
	}
	if m := f.length("elements", n); m != nil {
		return m
	}
	inside := &plainField
	if f.enum != nil {
		inside = &shapeField{enum: f.enum}
	}
	for i, x := range v.Elements() {
		if m := r.check(s.elem, inside, x, depth+1); m != nil {
			return m.in("[" + strconv.Itoa(i) + "]")
		}
	}
	return nil
}

func (r *reader) object(s *shape, v Value, depth int) *mismatch {
	if v.Kind() != marshal.KindObject {
		return wants(v, "an object %s", s.script())
	}
	given := make([]bool, len(s.fields))
	for name, x := range v.Fields() {
		i, ok := s.byName[name]
		switch {
		case x.IsUndefined():
			continue // as if it were not there
		case !ok:
			return s.unknown(name)
		}
		given[i] = true
		f := &s.fields[i]
		if x.IsNullish() && f.optional() {
			continue
		}
		if m := r.check(f.shape, f, x, depth+1); m != nil {
			return m.in(step(name))
		}
	}
	for i := range s.fields {
		if f := &s.fields[i]; !given[i] && !f.optional() {
			return r.check(f.shape, f, Value{}, depth+1).in(step(f.name))
		}
	}
	return nil
}

// unknown is the mismatch of a property that there is no field for.
func (s *shape) unknown(name string) *mismatch {
	names := make([]string, len(s.fields))
	for i := range s.fields {
		names[i] = s.fields[i].name
	}
	hint := "it has none"
	if near := nearest(name, names); near != "" {
		hint = "did you mean " + near + "?"
	} else if len(names) > 0 {
		hint = "it has " + strings.Join(names, ", ")
	}
	return &mismatch{text: fmt.Sprintf("has no property %s (%s)", quotedName(name), hint)}
}

// nearest is the name that a misspelled one may mean, or "".
func nearest(name string, names []string) string {
	if len(name) > 64 {
		return ""
	}
	best, least := "", 1+len(name)/3
	for _, n := range names {
		if strings.EqualFold(n, name) {
			return n
		}
		if d := editDistance(name, n); d <= least && (best == "" || d < least) {
			best, least = n, d
		}
	}
	return best
}

// editDistance is the number of bytes to insert, remove or replace.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// step is the part of a path for a property.
func step(name string) string {
	if plainName.MatchString(name) && len(name) <= 80 {
		return "." + name
	}
	return "[" + quotedName(name) + "]"
}

var plainName = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)

// quotedName is a name that a guest made, cut where it is long.
func quotedName(name string) string {
	if len(name) > 80 {
		name = strings.ToValidUTF8(name[:80], "") + "…"
	}
	return strconv.Quote(name)
}

func quotedList(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = strconv.Quote(s)
	}
	return strings.Join(quoted, ", ")
}

// script is the type in the manner of TypeScript, for people and models.
func (s *shape) script() string {
	var b strings.Builder
	s.appendScript(&b, nil, 0)
	return b.String()
}

// maxScriptDepth is how deep script shows types.
const maxScriptDepth = 3

func (s *shape) appendScript(b *strings.Builder, enum []string, depth int) {
	if depth >= maxScriptDepth && s.kind >= listShape && s.kind != pointerShape {
		b.WriteString(s.kind.jsonType())
		return
	}
	switch s.kind {
	case stringShape:
		if enum != nil {
			b.WriteString(strings.ReplaceAll(quotedList(enum), ", ", " | "))
			return
		}
		b.WriteString("string")
	case numberShape, integerShape:
		b.WriteString("number")
	case boolShape:
		b.WriteString("boolean")
	case bytesShape:
		b.WriteString("Uint8Array")
	case timeShape:
		b.WriteString("Date")
	case pointerShape:
		s.elem.appendScript(b, enum, depth)
	case listShape:
		if enum != nil {
			b.WriteByte('(')
		}
		s.elem.appendScript(b, enum, depth+1)
		if enum != nil {
			b.WriteByte(')')
		}
		b.WriteString("[]")
	case mapShape:
		b.WriteString("{[name: string]: ")
		s.elem.appendScript(b, nil, depth+1)
		b.WriteByte('}')
	case objectShape:
		b.WriteByte('{')
		for i := range s.fields {
			f := &s.fields[i]
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(f.name)
			if f.optional() {
				b.WriteByte('?')
			}
			b.WriteString(": ")
			f.shape.appendScript(b, f.enum, depth+1)
		}
		b.WriteByte('}')
	default:
		b.WriteString("any")
	}
}
