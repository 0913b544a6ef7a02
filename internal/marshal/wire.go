// Package marshal is the encoding in which values cross between host and guest,
// and its Go half. The guest halves are inside the engines.
//
// # Encoding
//
// A Message is one value. Integers are unsigned LEB128 varints (at most 10
// bytes). A text is a varint byte length and that many bytes of UTF-8, in which a
// lone surrogate is encoded as its three-byte generalized form (WTF-8) when a guest
// wrote it; the Go side turns such sequences, and all malformed ones, into U+FFFD.
// A value is a tag byte followed by:
//
//	undefined null false true
//	int        zigzag varint, -2^31 … 2^31-1
//	float      8 bytes, IEEE 754 little endian (also -0, NaN, infinities)
//	bigint     text: optional "-", lower-case hexadecimal digits without prefix
//	string     text
//	ref        varint: number of an earlier container of this message
//	array      varint length, values (a hole is undefined)
//	object     entries
//	map        varint size, size × (key value, value)
//	set        varint size, values
//	date       8 bytes float: milliseconds since the epoch, NaN if invalid
//	error      text name, text message, text stack, entries (cause, errors, own enumerable)
//	regexp     text source, text flags
//	bytes      element type byte, varint byte length, that many bytes, little endian
//	blob       element type byte, varint index into Message.Blobs
//	hostfunc   varint id, text name (host to guest only)
//
// Containers are array, object, map, set, date, error, regexp, bytes and blob.
// They are numbered from 0 in the order of their tags, so that a parent has a
// lower number than its children; a ref to a container whose children are still
// being read is a cycle.
//
// Entries are a sequence of key code and value which ends with key code 0. A key
// code is a varint: even 2(n+1) introduces a literal key, n bytes of text follow;
// odd 2i+1 is the i-th literal key of this message, counted from 0. Only the first
// MaxKeys literal keys are counted; a writer may write a key literally again. Keys
// are own enumerable string keys in property order; a key may be "__proto__" and
// always makes an own property.
//
// Byte ranges of BlobSize and more are blobs: they stay out of the wire so that
// they are copied once on each side. Each view carries its own range only; two
// views of one buffer become two buffers.
//
// Nesting deeper than MaxDepth is refused by writers and readers.
package marshal

// Tags.
const (
	TagUndefined = 0x00
	TagNull      = 0x01
	TagFalse     = 0x02
	TagTrue      = 0x03
	TagInt       = 0x04
	TagFloat     = 0x05
	TagBigInt    = 0x06
	TagString    = 0x07
	TagRef       = 0x08
	TagArray     = 0x09
	TagObject    = 0x0a
	TagMap       = 0x0b
	TagSet       = 0x0c
	TagDate      = 0x0d
	TagError     = 0x0e
	TagRegExp    = 0x0f
	TagBytes     = 0x10
	TagBlob      = 0x11
	TagHostFunc  = 0x12
)

// ElementType says what a byte range is on the guest's side.
type ElementType uint8

// Element types, in the order of the encoding.
const (
	Uint8Array ElementType = iota
	Uint8ClampedArray
	Int8Array
	Int16Array
	Uint16Array
	Int32Array
	Uint32Array
	BigInt64Array
	BigUint64Array
	Float16Array
	Float32Array
	Float64Array
	ArrayBuffer
	DataView
	elementTypes // number of element types
)

const (
	MaxDepth = 200     // levels of containers inside each other
	MaxKeys  = 4096    // literal keys that a message counts
	BlobSize = 1 << 16 // bytes from which a byte range is a blob
)

// Message is one encoded value. The zero Message is undefined.
type Message struct {
	Wire  []byte
	Blobs [][]byte
	// Dropped counts the functions and symbols which a lenient guest encoder left
	// out; DroppedPath is where the first one was, for example "result.rows[2].fn".
	Dropped     int
	DroppedPath string
}

// Size is the number of bytes of the message, blobs included.
func (m Message) Size() int64 {
	n := int64(len(m.Wire))
	for _, b := range m.Blobs {
		n += int64(len(b))
	}
	return n
}
