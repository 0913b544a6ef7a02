package webcrypto

import (
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"hash"
	"hash/crc32"
	"sync"

	"quicksand/bridges"
)

// NewHash returns the maker of a hash by the name that crypto.digest knows it by, or nil:
// SHA-1, SHA-256, SHA-384, SHA-512, and for the sake of other systems MD5, SHA-224, SHA3-256,
// SHA3-384 and SHA3-512.
func NewHash(name string) func() hash.Hash {
	switch name {
	case "SHA-1":
		return sha1.New
	case "SHA-256":
		return sha256.New
	case "SHA-384":
		return sha512.New384
	case "SHA-512":
		return sha512.New
	case "MD5":
		return md5.New
	case "SHA-224":
		return sha256.New224
	case "SHA3-256":
		return func() hash.Hash { return sha3.New256() }
	case "SHA3-384":
		return func() hash.Hash { return sha3.New384() }
	case "SHA3-512":
		return func() hash.Hash { return sha3.New512() }
	}
	return nil
}

// stride is how much is hashed between two looks at the context: about a millisecond's worth.
const stride = 1 << 20

// Sum hashes data with h, and stops early when ctx ends.
func Sum(ctx context.Context, h hash.Hash, data []byte) ([]byte, error) {
	for len(data) > stride {
		h.Write(data[:stride])
		data = data[stride:]
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	h.Write(data)
	return h.Sum(nil), nil
}

// hashers are the open hashers of a run.
type hashers struct {
	limit int64

	mu   sync.Mutex
	last int64
	open map[int64]hash.Hash
}

func newHashers(limit int64) *hashers { return &hashers{limit: limit, open: make(map[int64]hash.Hash)} }

// create opens a hasher.
func (hs *hashers) create(op, name string) (id int64, err error) {
	make := NewHash(name)
	if make == nil {
		return 0, bridges.TypeErrorf(op, "unsupported algorithm %.100q", name)
	}
	hs.mu.Lock()
	defer hs.mu.Unlock()
	if n := int64(len(hs.open)); n >= hs.limit {
		return 0, exceeded(op, &limitHashers, hs.limit, n+1, "more than %d hashers are open at one time", hs.limit)
	}
	hs.last++
	hs.open[hs.last] = make()
	return hs.last, nil
}

// update adds data to a hasher.
func (hs *hashers) update(op string, id int64, data []byte) error {
	hs.mu.Lock()
	defer hs.mu.Unlock()
	h := hs.open[id]
	if h == nil {
		return bridges.Errorf(op, "the hasher is closed")
	}
	h.Write(data)
	return nil
}

// sum closes a hasher.
func (hs *hashers) sum(op string, id int64) ([]byte, error) {
	hs.mu.Lock()
	defer hs.mu.Unlock()
	h := hs.open[id]
	if h == nil {
		return nil, bridges.Errorf(op, "the hasher is closed")
	}
	delete(hs.open, id)
	return h.Sum(nil), nil
}

// checksum continues the CRC-32 of ISO 3309, which zip, gzip and PNG use.
func checksum(before uint32, data []byte) uint32 {
	return crc32.Update(before, crc32.IEEETable, data)
}
