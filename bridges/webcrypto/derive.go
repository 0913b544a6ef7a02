package webcrypto

import (
	"context"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/hkdf"
	"crypto/hmac"
	"encoding/binary"
	"math"
)

// derive is deriveBits. bits is negative for all that there are, which only key agreements know.
func (r *ring) derive(ctx context.Context, p *params, k *key, bits int64) ([]byte, error) {
	if max := r.bounds.data * 8; bits > max {
		return nil, exceeded("", &limitData, r.bounds.data, bits/8, "more than %d bytes", r.bounds.data)
	}
	switch p.alg.name {
	case "PBKDF2", "HKDF":
		if err := p.needHash(); err != nil {
			return nil, err
		}
		if p.salt == nil {
			return nil, failf(typeError, "algorithm.salt is required for %s", p.alg.name)
		}
		if bits < 0 || bits%8 != 0 {
			return nil, failf(operationError, "the length must be a multiple of 8 bits")
		}
		if p.alg.name == "PBKDF2" {
			return r.stretch(ctx, p, k.secret, int(bits/8))
		}
		if p.info == nil {
			return nil, failf(typeError, "algorithm.info is required for HKDF")
		}
		h := NewHash(p.hash)
		if max := 255 * int64(h().Size()); bits/8 > max {
			return nil, failf(operationError, "HKDF with %s gives at most %d bits", p.hash, 8*max)
		}
		return hkdf.Key(h, k.secret, p.salt, string(p.info), int(bits/8))
	}
	secret, err := agree(p, k)
	if err != nil {
		return nil, err
	}
	if bits < 0 {
		return secret, nil
	}
	if bits > 8*int64(len(secret)) {
		return nil, failf(operationError, "%s with this curve gives at most %d bits", p.alg.name, 8*len(secret))
	}
	return firstBits(secret, int(bits)), nil
}

// firstBits cuts b, and clears what is left in its last byte.
func firstBits(b []byte, bits int) []byte {
	b = b[:(bits+7)/8]
	if rest := bits % 8; rest != 0 {
		b[len(b)-1] &= 0xff << (8 - rest)
	}
	return b
}

// agree computes a shared secret.
func agree(p *params, k *key) ([]byte, error) {
	if k.kind != "private" {
		return nil, failf(invalidAccessError, "a private key is needed")
	}
	other := p.public
	switch {
	case other == nil:
		return nil, failf(typeError, "algorithm.public is required for %s", p.alg.name)
	case other.kind != "public":
		return nil, failf(invalidAccessError, "algorithm.public must be a public key")
	case other.alg != k.alg || other.curve != k.curve:
		return nil, failf(invalidAccessError, "algorithm.public must be of the same algorithm and curve as the key")
	}
	private, err := agreePrivate(k.private)
	if err != nil {
		return nil, err
	}
	public, err := agreePublic(other.public)
	if err != nil {
		return nil, err
	}
	secret, err := private.ECDH(public)
	if err != nil { // X25519 with a point of low order
		return nil, failf(operationError, "the public key gives no secret")
	}
	return secret, nil
}

func agreePrivate(k any) (*ecdh.PrivateKey, error) {
	if e, ok := k.(*ecdsa.PrivateKey); ok {
		return e.ECDH()
	}
	return k.(*ecdh.PrivateKey), nil
}

func agreePublic(k any) (*ecdh.PublicKey, error) {
	if e, ok := k.(*ecdsa.PublicKey); ok {
		return e.ECDH()
	}
	return k.(*ecdh.PublicKey), nil
}

// stretch is PBKDF2 (RFC 8018, 5.2). It is our own because that of the standard library
// cannot be stopped.
func (r *ring) stretch(ctx context.Context, p *params, password []byte, size int) ([]byte, error) {
	if !p.iterations.set {
		return nil, failf(typeError, "algorithm.iterations is required for PBKDF2")
	}
	n := p.iterations.value
	if n < 1 {
		return nil, failf(operationError, "algorithm.iterations must be at least 1")
	}
	mac := hmac.New(NewHash(p.hash), password)
	width := mac.Size()
	blocks := (int64(size) + int64(width) - 1) / int64(width)
	if blocks > 0 && n > r.bounds.iterations/blocks {
		used := int64(math.MaxInt64)
		if n <= used/blocks {
			used = n * blocks
		}
		return nil, exceeded("", &limitIterations, r.bounds.iterations, used, "more than %d iterations, for all %d blocks of output", r.bounds.iterations, blocks)
	}
	out := make([]byte, 0, int(blocks)*width)
	u, t := make([]byte, 0, width), make([]byte, width)
	for i := int64(1); i <= blocks; i++ {
		mac.Reset()
		mac.Write(p.salt)
		mac.Write(binary.BigEndian.AppendUint32(nil, uint32(i)))
		u = mac.Sum(u[:0])
		copy(t, u)
		for j := int64(1); j < n; j++ {
			if j%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			mac.Reset()
			mac.Write(u)
			u = mac.Sum(u[:0])
			for x := range t {
				t[x] ^= u[x]
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		out = append(out, t...)
	}
	return out[:size], nil
}
