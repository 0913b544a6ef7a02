package webcrypto

import (
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"encoding/asn1"
	"encoding/hex"
	"math/big"
)

// curves are the named curves, in their canonical case.
var curves = map[string]elliptic.Curve{"P-256": elliptic.P256(), "P-384": elliptic.P384(), "P-521": elliptic.P521()}

// curveOf is the curve that the parameters name.
func curveOf(p *params) (elliptic.Curve, error) {
	if p.curve == "" {
		return nil, failf(typeError, "algorithm.namedCurve is required for %s", p.alg.name)
	}
	c := curves[p.curve]
	if c == nil {
		return nil, failf(notSupportedError, "the curve %.40q is not supported: use P-256, P-384 or P-521", p.curve)
	}
	return c, nil
}

// width is the size of a coordinate in bytes.
func width(c elliptic.Curve) int { return (c.Params().BitSize + 7) / 8 }

// generateEC draws a private key until it is in the range of the curve's order.
func (r *ring) generateEC(c elliptic.Curve) (*ecdsa.PrivateKey, error) {
	n := width(c)
	for {
		b := r.bytes(n)
		b[0] &= 0xff >> (8*n - c.Params().N.BitLen())
		if k, err := ecdsa.ParseRawPrivateKey(c, b); err == nil {
			return k, nil
		}
	}
}

// point reads an uncompressed point.
func point(c elliptic.Curve, b []byte) (*ecdsa.PublicKey, error) {
	k, err := ecdsa.ParseUncompressedPublicKey(c, b)
	if err != nil {
		return nil, failf(dataError, "the data is no uncompressed point of %s", c.Params().Name)
	}
	return k, nil
}

// signature is how ASN.1 holds the two numbers that the standard puts one behind the other.
type signature struct{ R, S *big.Int }

func signECDSA(p *params, k *key, digest []byte) ([]byte, error) {
	private := k.private.(*ecdsa.PrivateKey)
	der, err := private.Sign(nil, digest, subtleHashes[p.hash]) // RFC 6979
	if err != nil {
		return nil, err
	}
	var s signature
	if _, err := asn1.Unmarshal(der, &s); err != nil {
		return nil, err
	}
	n := width(private.Curve)
	out := make([]byte, 2*n)
	s.R.FillBytes(out[:n])
	s.S.FillBytes(out[n:])
	return out, nil
}

func verifyECDSA(k *key, digest, sig []byte) (bool, error) {
	public := k.public.(*ecdsa.PublicKey)
	n := width(public.Curve)
	if len(sig) != 2*n {
		return false, nil
	}
	der, err := asn1.Marshal(signature{new(big.Int).SetBytes(sig[:n]), new(big.Int).SetBytes(sig[n:])})
	if err != nil {
		return false, err
	}
	return ecdsa.VerifyASN1(public, digest, der), nil
}

// octets are the private and public bytes of an Ed25519 or X25519 key; private is nil for a
// public key.
func (k *key) octets() (private, public []byte) {
	switch m := k.private.(type) {
	case ed25519.PrivateKey:
		private = m.Seed()
	case *ecdh.PrivateKey:
		private = m.Bytes()
	}
	switch m := k.half().(type) {
	case ed25519.PublicKey:
		public = m
	case *ecdh.PublicKey:
		public = m.Bytes()
	}
	return private, public
}

// octetKey makes the private key of a, Ed25519 or X25519, from its 32 bytes.
func octetKey(a *algorithm, b []byte) (any, error) {
	if len(b) != 32 {
		return nil, failf(dataError, "a key of %s has 32 bytes, not %d", a.name, len(b))
	}
	if a.name == "Ed25519" {
		return ed25519.NewKeyFromSeed(b), nil
	}
	return ecdh.X25519().NewPrivateKey(b)
}

// octetPublic makes the public key.
func octetPublic(a *algorithm, b []byte) (any, error) {
	if len(b) != 32 {
		return nil, failf(dataError, "a key of %s has 32 bytes, not %d", a.name, len(b))
	}
	if a.name == "Ed25519" {
		return ed25519.PublicKey(b), nil
	}
	return ecdh.X25519().NewPublicKey(b)
}

func signEd25519(k *key, data []byte) []byte {
	return ed25519.Sign(k.private.(ed25519.PrivateKey), data)
}

// verifyEd25519 refuses keys and signatures whose point is of small order, as the standard
// says: with those a signature can fit any data. RFC 8032 and the library allow them.
func verifyEd25519(k *key, data, sig []byte) bool {
	public := k.public.(ed25519.PublicKey)
	return len(sig) == ed25519.SignatureSize && !smallOrder(public) && !smallOrder(sig[:32]) && ed25519.Verify(public, data, sig)
}

// smallOrder reports whether b encodes a point of order 1, 2, 4 or 8.
func smallOrder(b []byte) bool {
	y := [32]byte(b)
	y[31] &= 0x7f // the sign of x
	for i := range smallOrders {
		if y == smallOrders[i] {
			return true
		}
	}
	return false
}

// smallOrders are the y of those points, also where they are written with p added.
var smallOrders = func() (list [7][32]byte) {
	for i, s := range []string{
		"0000000000000000000000000000000000000000000000000000000000000000", // order 4
		"0100000000000000000000000000000000000000000000000000000000000000", // 1
		"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", // 8
		"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", // 8
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", // 2
		"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", // 4, as p
		"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", // 1, as p+1
	} {
		if _, err := hex.Decode(list[i][:], []byte(s)); err != nil {
			panic(err) // the table is ours
		}
	}
	return list
}()
