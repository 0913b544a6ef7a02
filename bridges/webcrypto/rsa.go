package webcrypto

import (
	"context"
	"crypto/rsa"
	"crypto/x509"
	"math/big"
	"math/bits"
)

// Sizes of RSA keys, in bits.
const (
	minGenerateRSA, maxGenerateRSA = 2048, 4096
	minImportRSA, maxImportRSA     = 1024, 4096
)

// exponentBytes is a public exponent as a BigInteger of the standard.
func exponentBytes(e int) []byte { return big.NewInt(int64(e)).Bytes() }

// checkRSA refuses keys of other sizes than we work with.
func checkRSA(n *big.Int) error {
	if b := n.BitLen(); b < minImportRSA || b > maxImportRSA {
		return failf(notSupportedError, "RSA keys must have %d to %d bits, not %d", minImportRSA, maxImportRSA, b)
	}
	return nil
}

// generateRSA makes a key pair from the run's randomness. The standard library's own
// generation takes no source of randomness since Go 1.26, and cannot be stopped.
//
// Primes are chosen as FIPS 186-5, A.1.3 says: random, odd, with the two highest bits set,
// prime to e less one, and apart from each other.
func (r *ring) generateRSA(ctx context.Context, p *params) (*rsa.PrivateKey, error) {
	if !p.modulusLength.set || p.publicExponent == nil {
		return nil, failf(typeError, "algorithm.modulusLength and algorithm.publicExponent are required for %s", p.alg.name)
	}
	size := p.modulusLength.value
	if size < minGenerateRSA || size > maxGenerateRSA || size%16 != 0 {
		return nil, failf(operationError, "algorithm.modulusLength must be a multiple of 16 from %d to %d, not %d", minGenerateRSA, maxGenerateRSA, size)
	}
	e := new(big.Int).SetBytes(p.publicExponent)
	if e.BitLen() > 31 || e.Int64() < 3 || e.Bit(0) == 0 {
		return nil, failf(operationError, "algorithm.publicExponent must be odd, at least 3 and below 2147483648")
	}
	if err := r.takeRSA(); err != nil {
		return nil, err
	}
	half := int(size / 2)
	one := big.NewInt(1)
	for {
		a, err := r.prime(ctx, half, e)
		if err != nil {
			return nil, err
		}
		b, err := r.prime(ctx, half, e)
		if err != nil {
			return nil, err
		}
		if new(big.Int).Sub(a, b).BitLen() <= half-100 {
			continue
		}
		a1, b1 := new(big.Int).Sub(a, one), new(big.Int).Sub(b, one)
		lcm := new(big.Int).Mul(a1, b1)
		lcm.Div(lcm, new(big.Int).GCD(nil, nil, a1, b1))
		d := new(big.Int).ModInverse(e, lcm)
		if d == nil || d.BitLen() <= half {
			continue
		}
		k := &rsa.PrivateKey{PublicKey: rsa.PublicKey{N: new(big.Int).Mul(a, b), E: int(e.Int64())}, D: d, Primes: []*big.Int{a, b}}
		k.Precompute()
		if err := k.Validate(); err != nil {
			return nil, err
		}
		return k, nil
	}
}

// sieve holds the odd primes below 4096, as products that fit a word.
var sieve = func() []sieveWord {
	var words []sieveWord
	w := sieveWord{product: 1}
	for n := uint64(3); n < 4096; n += 2 {
		if !big.NewInt(int64(n)).ProbablyPrime(0) { // exact below 2^64
			continue
		}
		if hi, _ := bits.Mul64(w.product, n); hi != 0 {
			words = append(words, w)
			w = sieveWord{product: 1}
		}
		w.product *= n
		w.primes = append(w.primes, n)
	}
	return append(words, w)
}()

type sieveWord struct {
	product uint64
	primes  []uint64
}

// smallFactor reports whether n has a factor below 4096.
func smallFactor(n *big.Int) bool {
	words := n.Bits()
	for _, s := range sieve {
		rest := uint64(0)
		for i := len(words) - 1; i >= 0; i-- {
			if bits.UintSize == 64 {
				rest = bits.Rem64(rest, uint64(words[i]), s.product)
			} else {
				// rest·2^32 + word, in two words
				rest = bits.Rem64(rest>>32, rest<<32|uint64(words[i]), s.product)
			}
		}
		for _, p := range s.primes {
			if rest%p == 0 {
				return true
			}
		}
	}
	return false
}

// prime finds a prime of size bits with the two highest set, whose predecessor has no factor
// in common with e. It looks at the context before each candidate that costs milliseconds.
func (r *ring) prime(ctx context.Context, size int, e *big.Int) (*big.Int, error) {
	buf := make([]byte, size/8)
	n, gcd, one := new(big.Int), new(big.Int), big.NewInt(1)
	for {
		r.random(buf)
		buf[0] |= 0xc0
		buf[len(buf)-1] |= 1
		n.SetBytes(buf)
		if smallFactor(n) {
			continue
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		// A Baillie-PSW test and eight rounds of Miller and Rabin.
		if !n.ProbablyPrime(8) {
			continue
		}
		if gcd.GCD(nil, nil, new(big.Int).Sub(n, one), e).Cmp(one) == 0 {
			return n, nil
		}
	}
}

// signRSA signs with RSASSA-PKCS1-v1_5 or RSA-PSS.
func (r *ring) signRSA(p *params, k *key, digest []byte) ([]byte, error) {
	private := k.private.(*rsa.PrivateKey)
	h := subtleHashes[k.hash]
	if p.alg.name != "RSA-PSS" {
		return rsa.SignPKCS1v15(nil, private, h, digest)
	}
	salt, err := pssSalt(p, k)
	if err != nil {
		return nil, err
	}
	return rsa.SignPSS(r, private, h, digest, &rsa.PSSOptions{SaltLength: salt, Hash: h})
}

// verifyRSA is its counterpart.
func verifyRSA(p *params, k *key, digest, signature []byte) (bool, error) {
	public := k.public.(*rsa.PublicKey)
	h := subtleHashes[k.hash]
	if p.alg.name != "RSA-PSS" {
		return rsa.VerifyPKCS1v15(public, h, digest, signature) == nil, nil
	}
	salt, err := pssSalt(p, k)
	if err != nil {
		return false, err
	}
	return rsa.VerifyPSS(public, h, digest, signature, &rsa.PSSOptions{SaltLength: salt, Hash: h}) == nil, nil
}

// pssSalt is the length of the salt. The standard library has no way to ask for none.
func pssSalt(p *params, k *key) (int, error) {
	if !p.saltLength.set {
		return 0, failf(typeError, "algorithm.saltLength is required for RSA-PSS")
	}
	n := p.saltLength.value
	if n == 0 {
		return 0, failf(notSupportedError, "RSA-PSS without a salt is not supported here: use the length of the hash")
	}
	if max := int64((k.rsaPublic().N.BitLen()+6)/8 - subtleHashes[k.hash].Size() - 2); n > max {
		return 0, failf(operationError, "algorithm.saltLength is %d bytes: this key has room for %d", n, max)
	}
	return int(n), nil
}

// encryptOAEP and decryptOAEP are RSA-OAEP.

func (r *ring) encryptOAEP(p *params, k *key, data []byte) ([]byte, error) {
	public := k.public.(*rsa.PublicKey)
	if max := public.Size() - 2*subtleHashes[k.hash].Size() - 2; len(data) > max {
		return nil, failf(operationError, "%d bytes are too many for this key: at most %d", len(data), max)
	}
	return rsa.EncryptOAEP(newHash(k.hash), r, public, data, p.label)
}

func decryptOAEP(p *params, k *key, data []byte) ([]byte, error) {
	out, err := rsa.DecryptOAEP(newHash(k.hash), nil, k.private.(*rsa.PrivateKey), data, p.label)
	if err != nil {
		return nil, failf(operationError, "decryption failed")
	}
	return out, nil
}

// importRSA checks a key that came from outside.
func importRSA(parsed any) (private *rsa.PrivateKey, public *rsa.PublicKey, err error) {
	switch m := parsed.(type) {
	case *rsa.PrivateKey:
		return m, nil, checkRSA(m.N)
	case *rsa.PublicKey:
		return nil, m, checkRSA(m.N)
	}
	return nil, nil, failf(dataError, "the key is no RSA key")
}

// maxDER bounds the encoded keys that are read: an RSA key of 4096 bits has 2 376 bytes.
// Checking a larger one, which the standard library does first, takes the longer.
const maxDER = 2600

func parsePKCS8(der []byte) (any, error) {
	if len(der) > maxDER {
		return nil, failf(dataError, "%d bytes are too many for a key", len(der))
	}
	k, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, failf(dataError, "the data is no private key in PKCS #8")
	}
	return k, nil
}

func parseSPKI(der []byte) (any, error) {
	if len(der) > maxDER {
		return nil, failf(dataError, "%d bytes are too many for a key", len(der))
	}
	k, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		return nil, failf(dataError, "the data is no SubjectPublicKeyInfo")
	}
	return k, nil
}
