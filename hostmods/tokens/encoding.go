package tokens

import (
	"context"
	"fmt"
	"hash/maphash"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
)

// An Encoding is a byte pair encoding: a vocabulary, and the rule by which a text is cut into
// pieces before their bytes are merged. It is immutable and safe for concurrent use.
type Encoding struct {
	name    string
	split   func(s string, i int) int // the end of the piece that begins at i
	words   []string                  // bytes of the tokens by id, "" where there is none
	table   []uint32                  // ids plus 1 of the tokens by the hashes of their bytes
	single  [256]uint32               // ids of the tokens of one byte
	longest int                       // bytes of the longest token
	special map[uint32]string         // texts of the control tokens
}

// family is what one of the encodings is made of.
type family struct {
	name    string
	split   func(s string, i int) int
	source  func() *codec.Codec
	ids     uint // there is no token from this id on, control tokens aside
	special map[uint32]string
	load    func() *Encoding
}

var families = []*family{
	{name: "cl100k_base", split: splitCL100K, source: codec.NewCl100kBase, ids: 100256, special: map[uint32]string{
		100257: "<|endoftext|>", 100258: "<|fim_prefix|>", 100259: "<|fim_middle|>", 100260: "<|fim_suffix|>", 100276: "<|endofprompt|>"}},
	{name: "p50k_base", split: splitGPT2, source: codec.NewP50kBase, ids: 50281, special: map[uint32]string{50256: "<|endoftext|>"}},
	{name: "r50k_base", split: splitGPT2, source: codec.NewR50kBase, ids: 50256, special: map[uint32]string{50256: "<|endoftext|>"}},
	{name: "o200k_base", split: splitO200K, source: codec.NewO200kBase, ids: 199998, special: map[uint32]string{
		199999: "<|endoftext|>", 200018: "<|endofprompt|>"}},
}

func init() {
	for _, f := range families {
		f.load = sync.OnceValue(f.read)
	}
}

// Names are the encodings there are.
func Names() []string {
	var names []string
	for _, f := range families {
		names = append(names, f.name)
	}
	return names
}

// Load is the encoding of a name. The first call for each takes about a tenth of a second and
// some 20 MB, which the process keeps.
func Load(name string) (*Encoding, error) {
	for _, f := range families {
		if f.name == name {
			return f.load(), nil
		}
	}
	if len(name) > 40 {
		name = strings.ToValidUTF8(name[:40], "") + "…"
	}
	return nil, fmt.Errorf("there is no encoding %q, only %s", name, strings.Join(Names(), ", "))
}

// read makes the encoding out of the vocabulary that is part of the program.
func (f *family) read() *Encoding {
	e := &Encoding{name: f.name, split: f.split, special: f.special,
		words: make([]string, f.ids), table: make([]uint32, 2<<bits.Len(f.ids))}
	source := f.source()
	for id := range f.ids {
		w, err := source.Decode([]uint{id})
		if err != nil {
			continue // a gap
		}
		e.words[id] = w
		*e.place(w) = uint32(id) + 1
		e.longest = max(e.longest, len(w))
		if len(w) == 1 {
			e.single[w[0]] = uint32(id)
		}
	}
	return e
}

var seed = maphash.MakeSeed()

// place is where the table has a token, or would have it. At most half of the table is full. It
// takes a third of the memory of a map with the words as keys, and less time to make.
func (e *Encoding) place(s string) *uint32 {
	mask := uint64(len(e.table) - 1)
	for i := maphash.String(seed, s) & mask; ; i = (i + 1) & mask {
		if p := &e.table[i]; *p == 0 || e.words[*p-1] == s {
			return p
		}
	}
}

// rank is the id of the token that s is, or unmergeable.
func (e *Encoding) rank(s string) uint32 {
	if len(s) > e.longest {
		return unmergeable
	}
	return *e.place(s) - 1
}

// Name is the name for Load.
func (e *Encoding) Name() string { return e.name }

// Count is the number of tokens of text, which is valid UTF-8. Control tokens have no meaning
// in it: "<|endoftext|>" is text as any other. The error is that of ctx.
func (e *Encoding) Count(ctx context.Context, text string) (int, error) {
	n := 0
	err := e.each(ctx, text, func(ids []uint32) bool {
		n += len(ids)
		return true
	})
	return n, err
}

// Encode is the ids of the tokens of text, as Count sees it.
func (e *Encoding) Encode(ctx context.Context, text string) ([]int, error) {
	ids := make([]int, 0, len(text)/4+4)
	err := e.each(ctx, text, func(next []uint32) bool {
		for _, id := range next {
			ids = append(ids, int(id))
		}
		return true
	})
	return ids, err
}

// Truncate is the beginning of text that at most n tokens hold. It ends between two
// characters: one of which a token beyond n has a part is left out.
func (e *Encoding) Truncate(ctx context.Context, text string, n int) (string, error) {
	end := 0
	if n <= 0 {
		return "", nil
	}
	err := e.each(ctx, text, func(ids []uint32) bool {
		for _, id := range ids {
			if n == 0 {
				return false
			}
			n--
			end += len(e.words[id])
		}
		return true
	})
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end], err
}

// Decode is the text of tokens. Ids that name none are left out, and what is not UTF-8 after
// all becomes U+FFFD, as with a TextDecoder.
func (e *Encoding) Decode(ids []uint32) string {
	var b []byte
	for _, id := range ids {
		if int(id) < len(e.words) && e.words[id] != "" {
			b = append(b, e.words[id]...)
		} else {
			b = append(b, e.special[id]...)
		}
	}
	return text(b)
}

// Part is the bytes of a token, and whether there is one of this id.
func (e *Encoding) Part(id uint32) (bytes string, ok bool) {
	if int(id) < len(e.words) && e.words[id] != "" {
		return e.words[id], true
	}
	s, ok := e.special[id]
	return s, ok
}

// checkEvery is how many bytes of text are encoded between two looks at the context.
const checkEvery = 16 << 10

// each calls f with the ids of piece after piece, which are good until f returns, until f
// returns false or ctx ends.
func (e *Encoding) each(ctx context.Context, s string, f func(ids []uint32) bool) error {
	var m merger
	buf := make([]uint32, 0, 64)
	look := 0
	for i := 0; i < len(s); {
		if i >= look {
			if err := ctx.Err(); err != nil {
				return err
			}
			look = i + checkEvery
		}
		end := e.split(s, i)
		piece := s[i:end]
		i = end
		buf = buf[:0]
		if id := e.rank(piece); id != unmergeable {
			if !f(append(buf, id)) {
				return nil
			}
			continue
		}
		var err error
		if buf, err = m.merge(ctx, e, piece, buf); err != nil {
			return err
		}
		if !f(buf) {
			return nil
		}
	}
	return nil
}

// text makes a string of bytes: each longest beginning of a character that does not go on,
// and each byte that begins none, becomes one U+FFFD (Unicode 16, section 3.9.6).
func text(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	out := make([]byte, 0, len(b)+16)
	for len(b) > 0 {
		if r, n := utf8.DecodeRune(b); r != utf8.RuneError || n > 1 {
			out, b = append(out, b[:n]...), b[n:]
			continue
		}
		out = append(out, "\uFFFD"...)
		n := 1
		for n < len(b) && n < 3 && !utf8.FullRune(b[:n]) {
			n++
		}
		// What is full and wrong ends before the byte that made it wrong.
		if n > 1 && utf8.FullRune(b[:n]) {
			n--
		}
		b = b[n:]
	}
	return string(out)
}

// ids checks numbers that came from a guest.
func ids(list []float64) ([]uint32, error) {
	out := make([]uint32, len(list))
	for i, x := range list {
		if !(x >= 0) || x != float64(int64(x)) || x > 1<<53-1 {
			return nil, fmt.Errorf("ids[%d] is %v, not a whole number of at least 0", i, x)
		}
		out[i] = uint32(min(x, 1<<32-1))
	}
	return slices.Clip(out), nil
}
