package cldr

import (
	"compress/flate"
	"encoding/binary"
	"io"
	"sort"
	"strings"
	"sync"
)

// A section is one embedded data file: for each locale a record of keys and values,
// both strings. Records are decoded on first use and kept for the life of the process
// (their number is that of the locales). Safe for concurrent use.
//
// The format, which gen/generate.js writes; a varint is that of encoding/binary, a
// string is a varint length and UTF-8 bytes:
//
//	file   = "QCLDR1\n" count (name compressedLength rawLength)* chunk*
//	chunk  = raw deflate of head (the first, with the empty name) or of one language
//	head   = count key*, sorted by bytes  count commonString*
//	lang   = count localString*  count record*
//	record = id parent count keyDelta* value*
//
// A value is 0 for "the parent has this key and this locale does not", else 1 + the
// index in the common strings followed by the chunk's local ones. The record "@" holds
// what belongs to no locale. A parent's entries apply where the record has none.
type section struct {
	name string
	data string

	head    func() *sectionHead
	records sync.Map // id to *record
	mu      sync.Mutex
	chunks  map[string]map[string]rawRecord // guarded by mu
}

type sectionHead struct {
	index  map[string]chunkPlace
	keys   []string
	common []string
}

type chunkPlace struct{ off, size, raw int }

type rawRecord struct {
	parent string
	keys   []uint32
	vals   []string // with absent for a key that is taken away
}

// A record is the data of one locale, its parents' included. The zero record is empty.
type record struct {
	head *sectionHead
	keys []uint32 // indices into head.keys, rising
	vals []string
}

// absent marks a key that the parent has and a record has not.
const absent = "\x00"

const sectionMagic = "QCLDR1\n"

func newSection(name, data string) *section {
	s := &section{name: name, data: data, chunks: map[string]map[string]rawRecord{}}
	s.head = sync.OnceValue(s.readHead)
	return s
}

// record returns the record of a data locale ("@" for the supplemental data); an
// empty one when the section has none.
func (s *section) record(id string) *record {
	if r, ok := s.records.Load(id); ok {
		return r.(*record)
	}
	h := s.head()
	s.mu.Lock()
	raw, ok := s.raw(h, id)
	s.mu.Unlock()
	r := &record{head: h}
	if !ok {
		return r // not kept: the ids of records are finite, others are not
	}
	var base *record
	if raw.parent != "" {
		base = s.record(raw.parent)
	} else {
		base = &record{}
	}
	r.keys = make([]uint32, 0, len(raw.keys)+len(base.keys))
	r.vals = make([]string, 0, len(raw.keys)+len(base.keys))
	i := 0
	for j, k := range raw.keys {
		for ; i < len(base.keys) && base.keys[i] < k; i++ {
			r.keys, r.vals = append(r.keys, base.keys[i]), append(r.vals, base.vals[i])
		}
		if i < len(base.keys) && base.keys[i] == k {
			i++
		}
		if raw.vals[j] != absent {
			r.keys, r.vals = append(r.keys, k), append(r.vals, raw.vals[j])
		}
	}
	r.keys, r.vals = append(r.keys, base.keys[i:]...), append(r.vals, base.vals[i:]...)
	kept, _ := s.records.LoadOrStore(id, r)
	return kept.(*record)
}

// raw returns what the file has for id, decoding its chunk if need be.
func (s *section) raw(h *sectionHead, id string) (rawRecord, bool) {
	lang, _, _ := strings.Cut(id, "-")
	if lang == "" {
		return rawRecord{}, false
	}
	chunk, ok := s.chunks[lang]
	if !ok {
		place, ok := h.index[lang]
		if !ok {
			return rawRecord{}, false
		}
		chunk = readChunk(s.inflate(place), h.common)
		s.chunks[lang] = chunk
	}
	r, ok := chunk[id]
	return r, ok
}

func (s *section) readHead() *sectionHead {
	if !strings.HasPrefix(s.data, sectionMagic) {
		panic("cldr: " + s.name + " is not a data file")
	}
	d := decoder{s: s.data[len(sectionMagic):]}
	h := &sectionHead{index: map[string]chunkPlace{}}
	off := 0
	var order []string
	for n := d.int(); n > 0; n-- {
		name := d.string()
		size, raw := d.int(), d.int()
		h.index[name] = chunkPlace{off, size, raw}
		order = append(order, name)
		off += size
	}
	start := len(s.data) - off
	for _, name := range order {
		p := h.index[name]
		p.off += start
		h.index[name] = p
	}
	c := decoder{s: s.inflate(h.index[""])}
	h.keys = c.strings()
	h.common = c.strings()
	return h
}

func (s *section) inflate(p chunkPlace) string {
	var b strings.Builder
	b.Grow(p.raw)
	r := flate.NewReader(strings.NewReader(s.data[p.off : p.off+p.size]))
	if _, err := io.Copy(&b, r); err != nil || b.Len() != p.raw {
		panic("cldr: " + s.name + " is damaged") // embedded in the program
	}
	return b.String()
}

func readChunk(raw string, common []string) map[string]rawRecord {
	d := decoder{s: raw}
	local := d.strings()
	n := d.int()
	out := make(map[string]rawRecord, n)
	for ; n > 0; n-- {
		id := d.string()
		r := rawRecord{parent: d.string()}
		count := d.int()
		r.keys = make([]uint32, count)
		r.vals = make([]string, count)
		k := 0
		for i := range r.keys {
			k += d.int()
			r.keys[i] = uint32(k)
		}
		for i := range r.vals {
			switch v := d.int(); {
			case v == 0:
				r.vals[i] = absent
			case v <= len(common):
				r.vals[i] = common[v-1]
			default:
				r.vals[i] = local[v-1-len(common)]
			}
		}
		out[id] = r
	}
	return out
}

// decoder reads embedded data; damage panics.
type decoder struct{ s string }

func (d *decoder) int() int {
	var b [binary.MaxVarintLen64]byte
	n := copy(b[:], d.s)
	v, size := binary.Uvarint(b[:n])
	if size <= 0 {
		panic("cldr: damaged data")
	}
	d.s = d.s[size:]
	return int(v)
}

func (d *decoder) string() string {
	n := d.int()
	v := d.s[:n]
	d.s = d.s[n:]
	return v
}

func (d *decoder) strings() []string {
	out := make([]string, d.int())
	for i := range out {
		out[i] = d.string()
	}
	return out
}

// lookup returns the value of key.
func (r *record) lookup(key string) (string, bool) {
	if r.head == nil {
		return "", false
	}
	id, ok := sort.Find(len(r.head.keys), func(i int) int { return strings.Compare(key, r.head.keys[i]) })
	if !ok {
		return "", false
	}
	i, ok := sort.Find(len(r.keys), func(i int) int { return int(int64(id) - int64(r.keys[i])) })
	if !ok {
		return "", false
	}
	return r.vals[i], true
}

// get returns the value of key, or "".
func (r *record) get(key string) string {
	v, _ := r.lookup(key)
	return v
}

// each calls f for the entries whose key begins with prefix, in the order of their
// keys, with what follows the prefix.
func (r *record) each(prefix string, f func(rest, value string)) {
	if r.head == nil {
		return
	}
	lo := sort.SearchStrings(r.head.keys, prefix)
	i := sort.Search(len(r.keys), func(i int) bool { return int(r.keys[i]) >= lo })
	for ; i < len(r.keys); i++ {
		rest, ok := strings.CutPrefix(r.head.keys[r.keys[i]], prefix)
		if !ok {
			return
		}
		f(rest, r.vals[i])
	}
}
