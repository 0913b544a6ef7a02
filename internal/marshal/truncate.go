package marshal

import (
	"fmt"
	"sort"
	"unicode/utf8"
)

// TruncateLimits bound one value. A zero or negative field does not limit.
type TruncateLimits struct {
	// Size is about how long the JSON text of the value may be, in bytes; see Truncate.
	Size int64
	// Bytes is how many bytes of binary data the value may hold.
	Bytes int64
}

// Truncation says what Truncate left out.
type Truncation struct {
	// Size is the size of the whole value and Kept that of what is left, as Truncate
	// counts it.
	Size, Kept int64
	// Strings is how many strings were cut, Elements how many elements, entries and
	// properties were left out of what is kept.
	Strings, Elements int64
	// Paths are the places of the first cuts: the cut string, or the container that
	// lost elements. There are at most eight.
	Paths []string
}

// TruncatedMark ends a string that was cut.
const TruncatedMark = "\n...[truncated]"

const (
	maxTruncatedPaths = 8
	// fairShare is the least share of each child for which all children of a container
	// are kept, each cut to its share; below, the last ones are left out. It leaves
	// room for a few characters, the mark and quotes.
	fairShare = 48
	// fairElements is up to how many elements an array shares out. Longer ones are
	// tables, and whole rows are worth more than beginnings of all rows.
	fairElements = 32
)

// Truncate cuts a message down to limits and keeps its structure: what was an object
// is still an object with the same keys where possible. A message within the
// limits is returned as it is, with a nil report; a short one, which must be within
// them, without a look at it.
//
// Size counts the length of JSON text, about: strings with their quotes, keys,
// digits, punctuation; null for undefined, 26 for a date, 17 for a number with a
// fraction, 8 for a shared object that was counted elsewhere, 2 for binary data.
// Escapes do not count. The limit may be exceeded by as much as the marks of cut
// strings need.
//
// Objects and short arrays share the size out: what is small stays whole and what is
// large is cut to equal parts. Of long arrays the first elements stay. Binary data
// is never cut: more than limits.Bytes is an error that wraps ErrTooLarge and says
// where the limit was passed. A bigint or regular expression that does not fit is left
// out, or null where a place must be kept; as the whole value it is an error.
func Truncate(m Message, limits TruncateLimits) (Message, *Truncation, error) {
	size, bytes := limits.Size, limits.Bytes
	if size <= 0 {
		size = maxWire
	}
	if bytes <= 0 {
		bytes = 1 << 62
	}
	// Keys that occur again make a text at most quadratic in the wire.
	if n := int64(len(m.Wire)); len(m.Blobs) == 0 && n <= bytes && n*(n/2+12) <= size {
		return m, nil, nil
	}
	w, ok := openMessage(m)
	if !ok {
		s := scanner{wire: m.Wire, blobs: m.Blobs, hostFuncs: true}
		return Message{}, nil, s.check()
	}
	c := coster{w: w.v.wire, index: &w.index, v: &w.v, containers: make([]measured, len(w.index.containers)), bytesLeft: bytes}
	total := c.value()
	if c.bytesLeft < 0 {
		return Message{}, nil, &PathError{pathTo(w, c.overAt), fmt.Errorf("%w: binary data of more than %d bytes", ErrTooLarge, bytes)}
	}
	if total <= size {
		return m, nil, nil
	}
	t := truncater{coster: &c, e: &encoder{keys: map[string]uint32{}, max: maxWire},
		numbers: make([]uint32, len(c.containers)), report: &Truncation{Size: total}}
	t.pos, t.next = 0, 0
	kept, err := t.top(size)
	if err != nil {
		return Message{}, nil, err
	}
	if t.report.Strings == 0 && t.report.Elements == 0 {
		return m, nil, nil // a number in a limit of a few bytes
	}
	t.report.Kept = kept
	out := m
	out.Wire, out.Blobs = t.e.buf, t.e.blobs
	return out, t.report, nil
}

// coster measures a message.
type coster struct {
	w          []byte
	v          *Value
	index      *index
	containers []measured
	pos, next  int
	bytesLeft  int64
	overAt     int // position of the byte range that passed the limit
}

// measured is what is known of a container: its cost, the position after it and the
// number of the first container after it.
type measured struct {
	cost      int64
	end, next uint32
}

// scalarCost is the cost of the value at pos if it is no container.
func (c *coster) scalarCost(pos int) int64 {
	switch c.w[pos] {
	case TagInt:
		n, _ := intAt(c.w, pos+1)
		return digits(n)
	case TagFloat:
		return 17
	case TagBigInt, TagString:
		n, _ := uvarintAt(c.w, pos+1)
		return int64(n) + 2
	case TagRef:
		return 8
	}
	return 4
}

func digits(n int64) int64 {
	k := int64(1)
	if n < 0 {
		k, n = 2, -n
	}
	for ; n >= 10; n /= 10 {
		k++
	}
	return k
}

func (c *coster) keyLen(code, pos int) (n, end int) {
	if code&1 != 0 {
		s := c.index.keys[code>>1]
		return int(s.end - s.start), pos
	}
	n = code>>1 - 1
	return n, pos + n
}

func (c *coster) value() int64 {
	tag := c.w[c.pos]
	if tag < TagArray || tag > TagBlob {
		cost := c.scalarCost(c.pos)
		c.pos = skip(c.w, c.pos)
		return cost
	}
	number := c.next
	c.next++
	cost := int64(2)
	switch tag {
	case TagArray, TagSet, TagMap:
		var n int
		n, c.pos = uvarintAt(c.w, c.pos+1)
		for range n {
			cost += c.value() + 1
			if tag == TagMap {
				cost += c.value() + 3
			}
		}
	case TagObject, TagError:
		c.pos++
		if tag == TagError {
			end := skipTexts(c.w, c.pos)
			cost += int64(end-c.pos) + 30
			c.pos = end
		}
		for {
			var code, n int
			code, c.pos = uvarintAt(c.w, c.pos)
			if code == 0 {
				break
			}
			n, c.pos = c.keyLen(code, c.pos)
			cost += int64(n) + 4 + c.value()
		}
	case TagDate:
		cost = 26
		c.pos += 9
	case TagRegExp:
		end := skip(c.w, c.pos)
		cost += int64(end - c.pos)
		c.pos = end
	default:
		_, b, end := c.v.byteRange(c.pos)
		if c.bytesLeft -= int64(len(b)); c.bytesLeft < 0 && c.overAt == 0 {
			c.overAt = c.pos
		}
		c.pos = end
	}
	c.containers[number] = measured{cost, uint32(c.pos), uint32(c.next)}
	return cost
}

// truncater writes a message again with parts left out.
type truncater struct {
	*coster
	e       *encoder
	numbers []uint32 // new number of a container plus one, 0 while it has none
	report  *Truncation
	path    []segment
}

// cost is the cost of the value at t.pos.
func (t *truncater) cost() int64 {
	if tag := t.w[t.pos]; tag >= TagArray && tag <= TagBlob {
		return t.containers[t.next].cost
	}
	return t.scalarCost(t.pos)
}

// pass goes over the value at t.pos.
func (t *truncater) pass() {
	if tag := t.w[t.pos]; tag >= TagArray && tag <= TagBlob {
		m := t.containers[t.next]
		t.pos, t.next = int(m.end), int(m.next)
		return
	}
	t.pos = skip(t.w, t.pos)
}

func (t *truncater) note() {
	if len(t.report.Paths) < maxTruncatedPaths {
		t.report.Paths = append(t.report.Paths, pathString("value", t.path))
	}
}

func (t *truncater) top(size int64) (int64, error) {
	switch t.w[0] {
	case TagString:
		// The spec's form: as many bytes as the limit, then the mark.
		return t.string(size + 2 + int64(len(TruncatedMark))), nil
	case TagBigInt, TagRegExp:
		return 0, &PathError{"value", fmt.Errorf("%w: %s of more than %d characters", ErrTooLarge, kindOfTag[t.w[0]], size)}
	}
	return t.value(size)
}

// string writes the string at t.pos with at most size of cost, and returns what it
// costs.
func (t *truncater) string(size int64) int64 {
	b, end := textAt(t.w, t.pos+1)
	t.pos = end
	t.e.buf = append(t.e.buf, TagString)
	return t.text(b, size-2) + 2
}

// text writes a text with at most size bytes, the mark included if it is cut.
func (t *truncater) text(b []byte, size int64) int64 {
	if int64(len(b)) <= size {
		t.e.uvarint(uint64(len(b)))
		t.e.buf = append(t.e.buf, b...)
		return int64(len(b))
	}
	n := int(max(size-int64(len(TruncatedMark)), 0))
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	t.e.uvarint(uint64(n + len(TruncatedMark)))
	t.e.buf = append(t.e.buf, b[:n]...)
	t.e.buf = append(t.e.buf, TruncatedMark...)
	t.report.Strings++
	t.note()
	return int64(n + len(TruncatedMark))
}

// value writes the value at t.pos with at most size of cost, about, and returns what
// it costs. What cannot be cut becomes null.
func (t *truncater) value(size int64) (int64, error) {
	tag := t.w[t.pos]
	cost := t.cost()
	switch {
	case tag == TagRef:
		n, end := uvarintAt(t.w, t.pos+1)
		t.pos = end
		if to := t.numbers[n]; to != 0 {
			t.e.buf = append(t.e.buf, TagRef)
			t.e.uvarint(uint64(to - 1))
			return 8, nil
		}
		// The object was left out where it is; it comes here, within this share.
		pos, next := t.pos, t.next
		t.pos, t.next = int(t.index.containers[n]), n
		kept, err := t.value(size)
		t.pos, t.next = pos, next
		return kept, err
	case tag == TagString && cost > size:
		return t.string(size), nil
	case tag < TagArray || tag > TagBlob:
		if cost > size && tag == TagBigInt {
			t.null()
			return 4, nil
		}
		end := skip(t.w, t.pos)
		t.e.buf = append(t.e.buf, t.w[t.pos:end]...)
		t.pos = end
		return cost, nil
	case t.numbers[t.next] != 0:
		// A ref brought it into the message before its turn.
		t.e.buf = append(t.e.buf, TagRef)
		t.e.uvarint(uint64(t.numbers[t.next] - 1))
		t.pass()
		return 8, nil
	case tag == TagRegExp && cost > size, len(t.e.open) >= MaxDepth:
		t.null()
		return 4, nil
	}
	number := t.next
	t.numbers[number] = t.e.count + 1
	t.next++
	if err := t.e.begin(tag); err != nil {
		return 0, err
	}
	kept := int64(2)
	var err error
	switch tag {
	case TagArray, TagSet, TagMap:
		kept, err = t.elements(tag, size)
		t.pos, t.next = int(t.containers[number].end), int(t.containers[number].next)
	case TagObject, TagError:
		kept, err = t.properties(tag, size)
		t.pos, t.next = int(t.containers[number].end), int(t.containers[number].next)
	case TagDate, TagRegExp:
		end := skip(t.w, t.pos)
		t.e.buf = append(t.e.buf, t.w[t.pos+1:end]...)
		t.pos = end
		kept = cost
	default:
		et, b, end := t.v.byteRange(t.pos)
		t.e.buf = append(t.e.buf, byte(et))
		if tag == TagBlob {
			t.e.uvarint(uint64(len(t.e.blobs)))
			t.e.blobs = append(t.e.blobs, b)
		} else {
			t.e.uvarint(uint64(len(b)))
			t.e.buf = append(t.e.buf, b...)
		}
		t.pos = end
	}
	t.e.end()
	return kept, err
}

// null writes null for the value at t.pos.
func (t *truncater) null() {
	t.e.buf = append(t.e.buf, TagNull)
	t.report.Elements++
	t.note()
	t.pass()
}

// child is an element, an entry or a property that may stay.
type child struct {
	pos, next int
	fixed     int64 // punctuation and key
	cost      int64 // of the value, or of both values of an entry
	key       span
}

// share decides how many children stay and how much each may cost at most.
func share(children []child, size int64, most int) (n int, each int64) {
	if len(children) <= most {
		fixed, costs := int64(0), make([]int64, len(children))
		for i, c := range children {
			fixed += c.fixed
			costs[i] = c.cost
		}
		sort.Slice(costs, func(i, j int) bool { return costs[i] < costs[j] })
		left := size - fixed
		for i, c := range costs {
			each = left / int64(len(costs)-i)
			if c > each {
				if each < fairShare {
					break
				}
				return len(children), each
			}
			left -= c
			if i == len(costs)-1 && left >= 0 {
				return len(children), 1 << 62
			}
		}
	}
	// The first ones, and the beginning of the next if enough of it fits.
	left := size
	for n < len(children) {
		c := children[n]
		if c.fixed+c.cost > left {
			if left-c.fixed >= fairShare {
				return n + 1, left - c.fixed
			}
			return n, 1 << 62
		}
		left -= c.fixed + c.cost
		n++
	}
	return n, 1 << 62
}

func (t *truncater) dropped(n int) {
	if n > 0 {
		t.report.Elements += int64(n)
		t.note()
	}
}

func (t *truncater) elements(tag byte, size int64) (int64, error) {
	n, pos := uvarintAt(t.w, t.pos+1)
	t.pos = pos
	var children []child
	sum := int64(0)
	for range n {
		if len(children) > fairElements && sum > size {
			break // none of these can stay
		}
		c := child{pos: t.pos, next: t.next, fixed: 1, cost: t.cost()}
		t.pass()
		if tag == TagMap {
			c.fixed += 3
			c.cost += t.cost()
			t.pass()
		}
		children = append(children, c)
		sum += c.fixed + c.cost
	}
	stay, each := share(children, size-2, fairElements)
	t.dropped(n - stay)
	t.e.uvarint(uint64(stay))
	kept := int64(2)
	t.path = append(t.path, segment{})
	top := &t.path[len(t.path)-1]
	for i, c := range children[:stay] {
		t.pos, t.next = c.pos, c.next
		limit := c.cost
		if limit > each {
			limit = each
		}
		kept += c.fixed
		if tag == TagMap {
			*top = segment{pos: i, kind: mapKeySegment}
			k, err := t.value(limit)
			if err != nil {
				return 0, err
			}
			kept += k
			limit -= k
			*top = segment{pos: i, kind: mapValueSegment}
		} else {
			*top = segment{pos: i, kind: indexSegment}
		}
		k, err := t.value(limit)
		if err != nil {
			return 0, err
		}
		kept += k
		top = &t.path[len(t.path)-1]
	}
	t.path = t.path[:len(t.path)-1]
	return kept, nil
}

// fairProperties is fairElements for objects: longer ones are tables by key.
const fairProperties = 256

func (t *truncater) properties(tag byte, size int64) (int64, error) {
	kept := int64(2)
	t.pos++
	if tag == TagError {
		for range 3 {
			b, end := textAt(t.w, t.pos)
			t.pos = end
			kept += t.text(b, max(size/4, fairShare)) + 10
		}
	}
	var children []child
	n, sum := 0, int64(0)
	for ; ; n++ {
		code, pos := uvarintAt(t.w, t.pos)
		t.pos = pos
		if code == 0 {
			break
		}
		var key span
		if code&1 != 0 {
			key = t.index.keys[code>>1]
		} else {
			key = span{uint32(pos), uint32(pos + code>>1 - 1)}
			t.pos = int(key.end)
		}
		if len(children) <= fairProperties || sum <= size {
			c := child{t.pos, t.next, int64(key.end-key.start) + 4, t.cost(), key}
			children = append(children, c)
			sum += c.fixed + c.cost
		}
		t.pass()
	}
	stay, each := share(children, size-kept, fairProperties)
	t.dropped(n - stay)
	t.path = append(t.path, segment{})
	for _, c := range children[:stay] {
		key := t.w[c.key.start:c.key.end]
		t.path[len(t.path)-1] = segment{key: toText(key)}
		t.pos, t.next = c.pos, c.next
		if _, err := t.e.rawKey(key); err != nil {
			return 0, err
		}
		k, err := t.value(min(c.cost, each))
		if err != nil {
			return 0, err
		}
		kept += c.fixed + k
	}
	t.path = t.path[:len(t.path)-1]
	t.e.buf = append(t.e.buf, 0)
	return kept, nil
}

// pathTo finds the path to the value at a position.
func pathTo(w *walker, target int) string {
	var path []segment
	var find func(pos int) (int, bool)
	find = func(pos int) (int, bool) {
		if pos == target {
			return pos, true
		}
		tag := w.v.wire[pos]
		switch tag {
		case TagArray, TagSet, TagMap:
			n, p := uvarintAt(w.v.wire, pos+1)
			for i := range n {
				kinds := []segmentKind{indexSegment}
				if tag == TagMap {
					kinds = []segmentKind{mapKeySegment, mapValueSegment}
				}
				for _, kind := range kinds {
					path = append(path, segment{pos: i, kind: kind})
					end, ok := find(p)
					if ok {
						return 0, true
					}
					path = path[:len(path)-1]
					p = end
				}
			}
			return p, false
		case TagObject, TagError:
			p := pos + 1
			if tag == TagError {
				p = skipTexts(w.v.wire, p)
			}
			for {
				w.pos = p
				key, more := w.key()
				if !more {
					return w.pos, false
				}
				path = append(path, segment{key: toText(key)})
				end, ok := find(w.pos)
				if ok {
					return 0, true
				}
				path = path[:len(path)-1]
				p = end
			}
		}
		return skip(w.v.wire, pos), false
	}
	find(0)
	return pathString("value", path)
}
