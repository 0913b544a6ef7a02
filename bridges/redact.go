package bridges

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"math/bits"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"

	"quicksand/internal/marshal"
)

// A Redactor replaces secrets in what leaves a run. The zero Redactor knows none. It is
// safe for concurrent use.
//
// It finds a secret as it is, as JSON and URLs write it, in hexadecimal, and in base64 in
// whatever text around it, and the longer lines of a secret of several lines one by one. It
// does not find what a guest made unrecognisable on purpose, such as a secret spelt
// backwards: it keeps secrets out of logs and reports by mistake, and a guest that must not
// have a secret must not get it.
type Redactor struct {
	// active and hidden say whether texts and values know any: the usual run pays one load
	// for each text.
	active, hidden atomic.Bool

	mu    sync.RWMutex
	known map[secret]bool
	// texts replaces all secrets, values only those that guests never see.
	texts, values finder
}

type secret struct {
	name, value string
	injected    bool
}

const (
	// MinSecret is the shortest secret, in bytes, that is redacted: replacing a shorter one
	// would tear up ordinary text, and hide little.
	MinSecret = 4
	// minLine is the shortest line of a secret of several that is redacted by itself.
	minLine = 16
	// maxLabel is how much of a secret's name its replacement shows.
	maxLabel = 40
	// maxGrowth is by how many bytes a text may grow by the names of secrets. After that
	// asterisks replace them, so that nobody blows a text up by repeating a short secret.
	maxGrowth = 4096
)

// Add makes texts show "[redacted NAME]" instead of a secret that the guest may know. Its
// results, outputs and emitted values keep it. A value shorter than MinSecret is not
// redacted at all. value takes about twelve times its length until the run ends.
func (r *Redactor) Add(name, value string) { r.add(secret{name, value, false}) }

// AddInjected is Add for a secret that the guest never sees, because the host puts it in
// its place behind the guest's back. Results, outputs and emitted values show its
// replacement, too, and binary data asterisks.
func (r *Redactor) AddInjected(name, value string) { r.add(secret{name, value, true}) }

func (r *Redactor) add(s secret) {
	if len(s.value) < MinSecret {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known[s] {
		return
	}
	if r.known == nil {
		r.known = make(map[secret]bool)
	}
	r.known[s] = true
	label := "[redacted " + clean(s.name) + "]"
	for _, f := range SecretForms(s.value) {
		r.texts.add(f, label)
		if s.injected {
			r.values.add(f, label)
		}
	}
	r.active.Store(true)
	if s.injected {
		r.hidden.Store(true)
	}
}

// clean is a secret's name as far as a label shows it.
func clean(name string) string {
	if len(name) > maxLabel {
		n := maxLabel
		for n > 0 && !utf8.RuneStart(name[n]) {
			n--
		}
		name = name[:n] + "…"
	}
	return name
}

// Active reports whether there is anything to redact in texts.
func (r *Redactor) Active() bool { return r.active.Load() }

// Redact returns text without the secrets.
func (r *Redactor) Redact(text string) string {
	if !r.active.Load() {
		return text
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	if out := r.texts.replace(text); out != nil {
		return string(out)
	}
	return text
}

// RedactName is Redact for a text that is part of a value, such as the name of an output: it
// keeps what the guest may know.
func (r *Redactor) RedactName(text string) string {
	if !r.hidden.Load() {
		return text
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	if out := r.values.replace(text); out != nil {
		return string(out)
	}
	return text
}

// RedactMessage returns an encoded value without the secrets that guests never see: texts
// and keys in it show replacements, binary data asterisks. m is as it was, and the result
// may share memory with it. A message that does not decode is returned as it is.
func (r *Redactor) RedactMessage(m marshal.Message) marshal.Message {
	if !r.hidden.Load() {
		return m
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	found := func(b []byte) bool { _, ok := r.values.first(view(b), 0); return ok }
	if !found(m.Wire) && !slices.ContainsFunc(m.Blobs, found) {
		return m
	}
	if _, err := marshal.Decode(m); err != nil {
		return m
	}
	return marshal.Rewrite(m, func(b []byte) []byte { return r.values.replace(view(b)) }, r.values.mask)
}

// RedactValue is RedactMessage for a value.
func (r *Redactor) RedactValue(v Value) Value {
	if !r.hidden.Load() {
		return v
	}
	m, err := v.Message()
	if err == nil {
		v, err = marshal.Decode(r.RedactMessage(m))
	}
	if err != nil {
		return Value{} // the value is whole, so this cannot happen
	}
	return v
}

// SecretForms are the ways in which a text may hold a secret, each at least MinSecret bytes
// long: what a Redactor looks for.
func SecretForms(value string) (out []string) {
	add := func(s string) {
		if len(s) >= MinSecret && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	add(value)
	if strings.ContainsAny(value, "\r\n") {
		for _, line := range strings.FieldsFunc(value, func(r rune) bool { return r == '\n' || r == '\r' }) {
			if line = strings.TrimSpace(line); len(line) >= minLine {
				add(line)
			}
		}
	}
	for _, quoted := range []string{inJSON(value, false), inJSON(value, true), inASCII(value)} {
		add(quoted)
		add(strings.ReplaceAll(quoted, "/", `\/`))
	}
	add(strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(value)) // in single quotes
	for _, escaped := range []string{url.QueryEscape(value), strings.ReplaceAll(url.QueryEscape(value), "+", "%20"), url.PathEscape(value), inComponent(value)} {
		add(escaped)
		add(lowerEscapes(escaped))
	}
	digits := hex.EncodeToString([]byte(value))
	add(digits)
	add(strings.ToUpper(digits))
	// In base64 the secret falls on one of three alignments, and its first and last
	// characters also hold bits of what is around it.
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for before := range 3 {
			s := enc.EncodeToString(append(make([]byte, before), value...))[[]int{0, 2, 3}[before]:]
			if (before+len(value))%3 != 0 {
				s = s[:len(s)-1]
			}
			add(s)
		}
	}
	return out
}

// inJSON is s between the quotes of a JSON string, as JSON.stringify writes it or, with
// html, as encoders for web pages do.
func inJSON(s string, html bool) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(html)
	if enc.Encode(s) != nil {
		return s // a string always encodes
	}
	return strings.TrimSuffix(strings.TrimPrefix(b.String(), `"`), "\"\n")
}

// inASCII is inJSON as encoders write it that escape all but ASCII.
func inASCII(s string) string {
	var b strings.Builder
	for _, r := range inJSON(s, false) {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
			continue
		}
		for _, u := range utf16.Encode([]rune{r}) {
			b.WriteString(`\u` + hex.EncodeToString([]byte{byte(u >> 8), byte(u)}))
		}
	}
	return b.String()
}

// inComponent is s as encodeURIComponent writes it.
func inComponent(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_.!~*'()", c) >= 0 {
			b.WriteByte(c)
		} else {
			b.WriteString("%" + strings.ToUpper(strconv.FormatUint(uint64(c)|0x100, 16)[1:]))
		}
	}
	return b.String()
}

// lowerEscapes writes the digits of percent escapes in lower case.
func lowerEscapes(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], strings.ToLower(s[i+1:i+3]))
		}
	}
	return string(b)
}

// A finder finds texts of at least four bytes. The zero finder finds none.
//
// It asks at each byte whether a text may begin there: the four bytes from there on, hashed,
// have a bit in a table of 8 KiB, which is rarely set. That costs 2.6 ns for each byte
// however many texts there are (strings.Replacer: 5.7 ns with those of one secret).
type finder struct {
	// table has the bits, byPrefix the texts by their first four bytes, longest first.
	table    *[1 << 10]uint64
	byPrefix map[uint32][]found
}

type found struct{ text, label string }

func hashed(prefix uint32) uint32 { return prefix * 0x9e3779b1 >> 16 }

func (f *finder) add(text, label string) {
	if f.table == nil {
		f.table, f.byPrefix = new([1 << 10]uint64), make(map[uint32][]found)
	}
	prefix := load(text, 0)
	list := f.byPrefix[prefix]
	at, _ := slices.BinarySearchFunc(list, len(text), func(e found, n int) int { return n - len(e.text) })
	f.byPrefix[prefix] = slices.Insert(list, at, found{text, label})
	h := hashed(prefix)
	f.table[h>>6] |= bits.RotateLeft64(1, int(h&63))
}

// A match is a stretch that one text covers, or several which overlap.
type match struct {
	start, end int
	label      string
}

// first finds the first match at or after from.
func (f *finder) first(s string, from int) (m match, ok bool) {
	if f.table == nil {
		return m, false
	}
	end := len(s) - 3 // of where a match may start; once there is one, of it
	if from >= end {
		return m, false
	}
	table, prefix := f.table, load(s, from)<<8
	for i := from; i < end; i++ {
		prefix = prefix>>8 | uint32(s[i+3])<<24
		if h := hashed(prefix); table[h>>6]>>(h&63)&1 == 0 {
			continue
		}
		for _, e := range f.byPrefix[prefix] {
			if !strings.HasPrefix(s[i:], e.text) {
				continue
			}
			if !ok {
				m, ok = match{i, i, e.label}, true
			}
			m.end = max(m.end, i+len(e.text))
			end = min(m.end, len(s)-3)
			break // the others are shorter
		}
	}
	return m, ok
}

// load is the four bytes of s from i on.
func load(s string, i int) uint32 {
	s = s[i : i+4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// view is b as a string that shares its memory, for the time of a search.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// replace is s with labels for all matches, or nil when there are none.
func (f *finder) replace(s string) (out []byte) {
	for at := 0; ; {
		m, ok := f.first(s, at)
		if !ok {
			if at == 0 {
				return nil
			}
			return append(out, s[at:]...)
		}
		out = append(out, s[at:m.start]...)
		if grown := len(out) - m.start; grown+len(m.label)-(m.end-m.start) <= maxGrowth {
			out = append(out, m.label...)
		} else {
			for range m.end - m.start {
				out = append(out, '*')
			}
		}
		at = m.end
	}
}

// mask is a copy of b with asterisks for all matches, or nil when there are none.
func (f *finder) mask(b []byte) (out []byte) {
	for at := 0; ; {
		m, ok := f.first(view(b), at)
		if !ok {
			return out
		}
		if out == nil {
			out = slices.Clone(b)
		}
		for i := m.start; i < m.end; i++ {
			out[i] = '*'
		}
		at = m.end
	}
}
