package webcrypto

import (
	"context"
	"crypto/hmac"
)

// encrypt, decrypt, sign and verify are the operations of the same names, for a key that may
// do them.

func (r *ring) encrypt(p *params, k *key, data []byte) ([]byte, error) {
	if p.alg.isAES() {
		return encryptAES(p, k, data)
	}
	return r.encryptOAEP(p, k, data)
}

func (r *ring) decrypt(p *params, k *key, data []byte) ([]byte, error) {
	if p.alg.isAES() {
		return decryptAES(p, k, data)
	}
	return decryptOAEP(p, k, data)
}

// digestFor hashes what is to be signed with the hash of the parameters or of the key.
func digestFor(ctx context.Context, p *params, k *key, data []byte) ([]byte, error) {
	name := k.hash
	if p.alg.name == "ECDSA" {
		if err := p.needHash(); err != nil {
			return nil, err
		}
		name = p.hash
	}
	return Sum(ctx, newHash(name), data)
}

func (r *ring) sign(ctx context.Context, p *params, k *key, data []byte) ([]byte, error) {
	switch p.alg.name {
	case "HMAC":
		return Sum(ctx, hmac.New(NewHash(k.hash), k.secret), data)
	case "Ed25519":
		return signEd25519(k, data), nil
	}
	digest, err := digestFor(ctx, p, k, data)
	if err != nil {
		return nil, err
	}
	if p.alg.name == "ECDSA" {
		return signECDSA(p, k, digest)
	}
	return r.signRSA(p, k, digest)
}

func (r *ring) verify(ctx context.Context, p *params, k *key, signature, data []byte) (bool, error) {
	switch p.alg.name {
	case "HMAC":
		mac, err := Sum(ctx, hmac.New(NewHash(k.hash), k.secret), data)
		return err == nil && hmac.Equal(mac, signature), err
	case "Ed25519":
		return verifyEd25519(k, data, signature), nil
	}
	digest, err := digestFor(ctx, p, k, data)
	if err != nil {
		return false, err
	}
	if p.alg.name == "ECDSA" {
		return verifyECDSA(k, digest, signature)
	}
	return verifyRSA(p, k, digest, signature)
}

// deriveKey is deriveBits and importKey together. derived says what key is wanted.
func (r *ring) deriveKey(ctx context.Context, p *params, k *key, derived *params, extractable bool, asked usages) (*key, error) {
	if derived.alg.secret == 0 {
		return nil, failf(notSupportedError, "%s keys are not derived", derived.alg.name)
	}
	bits := int64(-1)
	if derived.alg.does&doesGenerate != 0 {
		var err error
		if bits, err = derived.keyLength(); err != nil {
			return nil, err
		}
		if derived.alg.name == "HMAC" && bits == 0 {
			return nil, failf(operationError, "algorithm.length must not be 0")
		}
	}
	// What importKey would refuse is refused before the work.
	if err := (&key{alg: derived.alg, kind: "secret"}).grant(asked, extractable); err != nil {
		return nil, err
	}
	secret, err := r.derive(ctx, p, k, bits)
	if err != nil {
		return nil, err
	}
	return r.importKey("raw", secret, nil, derived, extractable, asked)
}
