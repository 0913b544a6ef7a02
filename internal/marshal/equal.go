package marshal

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Equal reports whether two messages are the same value: the same types, contents
// and key order, and the same containers shared in the same places. How it is
// written does not matter: a small integer may be an int or a float, a key literal
// or numbered, bytes inside or outside of the wire. Malformed messages equal
// nothing.
func Equal(a, b Message) bool {
	x, okA := openMessage(a)
	y, okB := openMessage(b)
	return okA && okB && equalValues(x, y)
}

// walker reads a checked message from start to end.
type walker struct {
	v     Value
	index index
	pos   int
}

func openMessage(m Message) (*walker, bool) {
	if len(m.Wire) == 0 {
		m.Wire = []byte{TagUndefined}
	}
	w := &walker{v: newValue(m, true)}
	s := scanner{wire: m.Wire, blobs: m.Blobs, hostFuncs: true, index: &w.index}
	return w, s.check() == nil
}

func (w *walker) tag() byte {
	w.pos++
	return w.v.wire[w.pos-1]
}

func (w *walker) uvarint() (n int) {
	n, w.pos = uvarintAt(w.v.wire, w.pos)
	return n
}

func (w *walker) text() (b []byte) {
	b, w.pos = textAt(w.v.wire, w.pos)
	return b
}

func (w *walker) float() float64 {
	w.pos += 8
	return floatAt(w.v.wire, w.pos-8)
}

// number reads what follows the tag of an int or a float.
func (w *walker) number(tag byte) float64 {
	if tag == TagFloat {
		return w.float()
	}
	n, pos := intAt(w.v.wire, w.pos)
	w.pos = pos
	return float64(n)
}

// id reads the id of a host function, which may need 64 bits.
func (w *walker) id() uint64 {
	n, k := binary.Uvarint(w.v.wire[w.pos:])
	w.pos += k
	return n
}

// key reads a key, or false at the end of the entries.
func (w *walker) key() ([]byte, bool) {
	code := w.uvarint()
	switch {
	case code == 0:
		return nil, false
	case code&1 != 0:
		s := w.index.keys[code>>1]
		return w.v.wire[s.start:s.end], true
	}
	start := w.pos
	w.pos += code>>1 - 1
	return w.v.wire[start:w.pos], true
}

// bytes reads what follows the tag of a byte range.
func (w *walker) bytes() (t ElementType, b []byte) {
	t, b, w.pos = w.v.byteRange(w.pos - 1)
	return t, b
}

func sameNumber(a, b float64) bool {
	return a != a && b != b || a == b && math.Signbit(a) == math.Signbit(b)
}

func isNumber(tag byte) bool { return tag == TagInt || tag == TagFloat }
func isBytes(tag byte) bool  { return tag == TagBytes || tag == TagBlob }

func equalValues(a, b *walker) bool {
	s, t := a.tag(), b.tag()
	switch {
	case isNumber(s) && isNumber(t):
		return sameNumber(a.number(s), b.number(t))
	case isBytes(s) && isBytes(t):
		e, p := a.bytes()
		f, q := b.bytes()
		return e == f && bytes.Equal(p, q)
	case s != t:
		return false
	}
	switch s {
	case TagBigInt:
		return parseBigInt(a.text()).Cmp(parseBigInt(b.text())) == 0
	case TagString:
		return bytes.Equal(a.text(), b.text())
	case TagRef:
		return a.uvarint() == b.uvarint()
	case TagArray, TagSet, TagMap:
		n := a.uvarint()
		if n != b.uvarint() {
			return false
		}
		if s == TagMap {
			n *= 2
		}
		for ; n > 0; n-- {
			if !equalValues(a, b) {
				return false
			}
		}
	case TagError, TagObject:
		if s == TagError {
			for range 3 {
				if !bytes.Equal(a.text(), b.text()) {
					return false
				}
			}
		}
		for {
			k, more := a.key()
			l, also := b.key()
			if more != also || !bytes.Equal(k, l) {
				return false
			}
			if !more {
				return true
			}
			if !equalValues(a, b) {
				return false
			}
		}
	case TagDate:
		return sameNumber(a.float(), b.float())
	case TagRegExp:
		return slices.EqualFunc([][]byte{a.text(), a.text()}, [][]byte{b.text(), b.text()}, bytes.Equal)
	case TagHostFunc:
		return a.id() == b.id() && bytes.Equal(a.text(), b.text())
	}
	return true
}

// maxDump is about how long the text of Dump is at most, and maxDumpText how much of
// one text it shows.
const (
	maxDump     = 1 << 16
	maxDumpText = 200
)

// Dump describes a message for people who look for a difference: one line for each
// value, containers with their numbers. It accepts malformed messages, and cuts
// long ones.
func Dump(m Message) string {
	w, ok := openMessage(m)
	if !ok {
		s := scanner{wire: m.Wire, blobs: m.Blobs, hostFuncs: true}
		return fmt.Sprintf("%v\n% x\n", s.check(), m.Wire[:min(len(m.Wire), 4*maxDumpText)])
	}
	d := dumper{walker: w}
	d.value("")
	if d.out.Len() > maxDump {
		d.out.WriteString("…\n")
	}
	if m.Dropped > 0 {
		fmt.Fprintf(&d.out, "dropped %d, first at %s\n", m.Dropped, m.DroppedPath)
	}
	return d.out.String()
}

type dumper struct {
	*walker
	out  strings.Builder
	next int
}

func (d *dumper) quote(b []byte) string {
	if len(b) > maxDumpText {
		return fmt.Sprintf("%q… (%d bytes)", b[:maxDumpText], len(b))
	}
	return fmt.Sprintf("%q", b)
}

// value writes the value with its line already begun.
func (d *dumper) value(indent string) {
	if d.out.Len() > maxDump {
		return
	}
	tag := d.tag()
	if tag >= TagArray && tag <= TagBlob {
		fmt.Fprintf(&d.out, "#%d ", d.next)
		d.next++
	}
	inner := indent + "  "
	switch tag {
	case TagUndefined, TagNull, TagFalse, TagTrue:
		d.out.WriteString([...]string{"undefined", "null", "false", "true"}[tag] + "\n")
	case TagInt, TagFloat:
		f := d.number(tag)
		text := string(appendNumber(nil, f, true))
		if f == 0 && math.Signbit(f) {
			text = "-0"
		}
		d.out.WriteString(text + "\n")
	case TagBigInt:
		fmt.Fprintf(&d.out, "bigint 0x%.200s\n", d.text())
	case TagString:
		d.out.WriteString(d.quote(d.text()) + "\n")
	case TagRef:
		fmt.Fprintf(&d.out, "ref #%d\n", d.uvarint())
	case TagDate:
		fmt.Fprintf(&d.out, "date %v\n", d.float())
	case TagRegExp:
		fmt.Fprintf(&d.out, "regexp %s %s\n", d.quote(d.text()), d.quote(d.text()))
	case TagBytes, TagBlob:
		t, b := d.bytes()
		fmt.Fprintf(&d.out, "%s %d bytes % x\n", t, len(b), b[:min(len(b), 32)])
	case TagHostFunc:
		fmt.Fprintf(&d.out, "host function %d %s\n", d.id(), d.quote(d.text()))
	case TagArray, TagSet, TagMap:
		n := d.uvarint()
		fmt.Fprintf(&d.out, "%s %d\n", kindOfTag[tag], n)
		for range n {
			d.out.WriteString(inner + "- ")
			d.value(inner)
			if tag == TagMap {
				d.out.WriteString(inner + "  => ")
				d.value(inner)
			}
			if d.out.Len() > maxDump {
				return
			}
		}
	case TagObject, TagError:
		d.out.WriteString(kindOfTag[tag].String())
		if tag == TagError {
			fmt.Fprintf(&d.out, " %s %s %s", d.quote(d.text()), d.quote(d.text()), d.quote(d.text()))
		}
		d.out.WriteByte('\n')
		for d.out.Len() <= maxDump {
			k, ok := d.key()
			if !ok {
				return
			}
			d.out.WriteString(inner + d.quote(k) + ": ")
			d.value(inner)
		}
	}
}

var elementNames = [elementTypes]string{"Uint8Array", "Uint8ClampedArray", "Int8Array", "Int16Array", "Uint16Array",
	"Int32Array", "Uint32Array", "BigInt64Array", "BigUint64Array", "Float16Array", "Float32Array", "Float64Array",
	"ArrayBuffer", "DataView"}

// String is the name of the guest's constructor.
func (t ElementType) String() string {
	if t < elementTypes {
		return elementNames[t]
	}
	return fmt.Sprintf("ElementType(%d)", uint8(t))
}
