package webcrypto

import (
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"sync"

	"quicksand/bridges"
	"quicksand/internal/marshal"
)

// A key is the host's half of a CryptoKey. It is immutable.
type key struct {
	id          int
	alg         *algorithm
	kind        string // "secret", "private", "public"
	extractable bool
	usages      usages

	hash   string // of HMAC and RSA keys
	curve  string // of ECDSA and ECDH keys
	length int    // in bits, of AES and HMAC keys

	secret  []byte // of secret keys
	private any    // *rsa.PrivateKey, *ecdsa.PrivateKey, ed25519.PrivateKey or *ecdh.PrivateKey
	public  any    // *rsa.PublicKey, *ecdsa.PublicKey, ed25519.PublicKey or *ecdh.PublicKey; of public keys only
}

// size is about what the key holds.
func (k *key) size() int64 {
	const overhead = 128
	if n := int64(len(k.secret)); n > 0 {
		return n + overhead
	}
	switch m := k.private.(type) {
	case *rsa.PrivateKey:
		return 10*int64(m.Size()) + overhead // d, the primes, and what speeds it up
	case nil:
	default:
		return 4 * overhead
	}
	if m, ok := k.public.(*rsa.PublicKey); ok {
		return int64(m.Size()) + overhead
	}
	return 2 * overhead
}

// describe is what the guest's half of the key shows.
func (k *key) describe() map[string]any {
	alg := new(marshal.Object)
	alg.Set("name", k.alg.name)
	if pub := k.rsaPublic(); pub != nil {
		alg.Set("modulusLength", pub.N.BitLen())
		alg.Set("publicExponent", exponentBytes(pub.E))
	}
	if k.length > 0 {
		alg.Set("length", k.length)
	}
	if k.curve != "" {
		alg.Set("namedCurve", k.curve)
	}
	if k.hash != "" {
		alg.Set("hash", map[string]any{"name": k.hash})
	}
	return map[string]any{"id": k.id, "type": k.kind, "extractable": k.extractable, "algorithm": alg, "usages": k.usages.names()}
}

// rsaPublic is the public half of an RSA key, or nil.
func (k *key) rsaPublic() *rsa.PublicKey {
	if p, ok := k.private.(*rsa.PrivateKey); ok {
		return &p.PublicKey
	}
	p, _ := k.public.(*rsa.PublicKey)
	return p
}

// half is the public part of a private or public key.
func (k *key) half() any {
	switch p := k.private.(type) {
	case *rsa.PrivateKey:
		return &p.PublicKey
	case *ecdsa.PrivateKey:
		return &p.PublicKey
	case ed25519.PrivateKey:
		return p.Public()
	case *ecdh.PrivateKey:
		return p.PublicKey()
	}
	return k.public
}

// grant decides what a new key may be used for. It is a SyntaxError when its algorithm cannot
// do what is asked, or a private or secret key would be good for nothing.
func (k *key) grant(asked usages, extractable bool) error {
	allowed := k.alg.secret
	switch k.kind {
	case "private":
		allowed = k.alg.private
	case "public":
		allowed = k.alg.public
	}
	if bad := asked &^ allowed; bad != 0 {
		return failf(syntaxError, "a %s %s key cannot have the usage %s", k.kind, k.alg.name, bad.names()[0])
	}
	if asked == 0 && k.kind != "public" {
		return failf(syntaxError, "a %s key needs at least one usage", k.kind)
	}
	k.usages, k.extractable = asked, extractable
	return nil
}

// may is an error unless k may be used for u with the algorithm a.
func (k *key) may(u usages, a *algorithm) error {
	if k.alg != a {
		return failf(invalidAccessError, "the key is for %s, not for %s", k.alg.name, a.name)
	}
	if k.usages&u != u {
		return failf(invalidAccessError, "the key's usages do not include %s", u.names()[0])
	}
	return nil
}

// A ring holds the keys of one run. It is safe for concurrent use.
type ring struct {
	random func([]byte)
	bounds *bounds

	mu   sync.Mutex
	keys []*key
	held int64
	rsa  int64
}

// key is the key which the guest's half stands for.
func (r *ring) key(id bridges.Value) (*key, error) {
	f, ok := id.Float()
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := int(f); ok && f >= 0 && f < float64(len(r.keys)) {
		return r.keys[i], nil
	}
	return nil, failf(typeError, "a CryptoKey of this run is needed")
}

// add gives keys their numbers, all or none.
func (r *ring) add(keys ...*key) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := int64(len(r.keys) + len(keys)); n > r.bounds.keys {
		return exceeded("", &limitKeys, r.bounds.keys, n, "more than %d keys in one run", r.bounds.keys)
	}
	held := r.held
	for _, k := range keys {
		held += k.size()
	}
	if held > r.bounds.keyData {
		return exceeded("", &limitKeyData, r.bounds.keyData, held, "the keys of the run hold more than %d bytes", r.bounds.keyData)
	}
	r.held = held
	for _, k := range keys {
		k.id = len(r.keys)
		r.keys = append(r.keys, k)
	}
	return nil
}

// takeRSA counts a key pair to generate.
func (r *ring) takeRSA() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.rsa >= r.bounds.rsaKeys {
		return exceeded("", &limitRSAKeys, r.bounds.rsaKeys, r.rsa+1, "more than %d RSA keys generated in one run", r.bounds.rsaKeys)
	}
	r.rsa++
	return nil
}

// bytes is a number of random bytes.
func (r *ring) bytes(n int) []byte {
	b := make([]byte, n)
	r.random(b)
	return b
}

// Read fills p with randomness of the run.
func (r *ring) Read(p []byte) (int, error) {
	r.random(p)
	return len(p), nil
}
