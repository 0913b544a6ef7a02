package webcrypto

import (
	"bytes"
	"context"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
)

// generate is generateKey: one secret key, or a private key and its public half.
func (r *ring) generate(ctx context.Context, p *params, extractable bool, asked usages) ([]*key, error) {
	if p.alg.secret != 0 {
		k := &key{alg: p.alg, kind: "secret"}
		bits, err := p.keyLength()
		if err != nil {
			return nil, err
		}
		if p.alg.name == "HMAC" {
			k.hash = p.hash
			if bits == 0 {
				return nil, failf(operationError, "algorithm.length must not be 0")
			}
		}
		if err := k.grant(asked, extractable); err != nil {
			return nil, err
		}
		if bits/8 > r.bounds.keyData {
			return nil, exceeded("", &limitKeyData, r.bounds.keyData, bits/8, "a key of %d bytes", bits/8)
		}
		k.length, k.secret = int(bits), firstBits(r.bytes(int(bits+7)/8), int(bits))
		return []*key{k}, r.add(k)
	}
	private, public := &key{alg: p.alg, kind: "private"}, &key{alg: p.alg, kind: "public"}
	if bad := asked &^ (p.alg.private | p.alg.public); bad != 0 {
		return nil, failf(syntaxError, "an %s key pair cannot have the usage %s", p.alg.name, bad.names()[0])
	}
	if err := private.grant(asked&p.alg.private, extractable); err != nil {
		return nil, err
	}
	if err := public.grant(asked&p.alg.public, true); err != nil {
		return nil, err
	}
	switch {
	case p.alg.isRSA():
		if err := p.needHash(); err != nil {
			return nil, err
		}
		k, err := r.generateRSA(ctx, p)
		if err != nil {
			return nil, err
		}
		private.private, private.hash, public.hash = k, p.hash, p.hash
	case p.alg.isEC():
		c, err := curveOf(p)
		if err != nil {
			return nil, err
		}
		k, err := r.generateEC(c)
		if err != nil {
			return nil, err
		}
		private.private, private.curve, public.curve = k, p.curve, p.curve
	default:
		k, err := octetKey(p.alg, r.bytes(32))
		if err != nil {
			return nil, err
		}
		private.private = k
	}
	public.public = private.half()
	return []*key{private, public}, r.add(private, public)
}

// keyLength is the length in bits of a key that is generated or derived.
func (p *params) keyLength() (int64, error) {
	if p.alg.isAES() {
		if !p.length.set {
			return 0, failf(typeError, "algorithm.length is required for %s", p.alg.name)
		}
		if n := p.length.value; n != 128 && n != 192 && n != 256 {
			return 0, failf(operationError, "algorithm.length must be 128, 192 or 256, not %d", n)
		}
		return p.length.value, nil
	}
	if err := p.needHash(); err != nil {
		return 0, err
	}
	return p.length.or(8 * int64(newHash(p.hash).BlockSize())), nil
}

// importKey makes a key of data in a format; j is the data of the format jwk.
func (r *ring) importKey(format string, data []byte, j *jwk, p *params, extractable bool, asked usages) (*key, error) {
	k := &key{alg: p.alg, kind: "secret"}
	if p.alg.isRSA() || p.alg.name == "HMAC" {
		if err := p.needHash(); err != nil {
			return nil, err
		}
		k.hash = p.hash
	}
	if p.alg.isEC() {
		if _, err := curveOf(p); err != nil {
			return nil, err
		}
		k.curve = p.curve
	}
	if p.alg.secret == 0 {
		k.kind = "public"
		if format == "pkcs8" || format == "jwk" && j.D != nil {
			k.kind = "private"
		}
	}
	if err := k.grant(asked, extractable); err != nil {
		return nil, err
	}
	if format == "jwk" {
		if err := j.check(p, k); err != nil {
			return nil, err
		}
	}
	var err error
	switch {
	case p.alg.secret != 0:
		err = k.importSecret(format, data, j, p)
	case format == "jwk":
		err = j.fill(k)
	case format == "pkcs8":
		if k.private, err = parsePKCS8(data); err == nil {
			err = k.fits()
		}
	case format == "spki":
		if k.public, err = parseSPKI(data); err == nil {
			err = k.fits()
		}
	case format != "raw" || p.alg.isRSA():
		err = failf(notSupportedError, "%s keys are not imported as %s", p.alg.name, format)
	case p.alg.isEC():
		k.public, err = point(curves[k.curve], data)
	default:
		k.public, err = octetPublic(p.alg, data)
	}
	if err != nil {
		return nil, err
	}
	return k, r.add(k)
}

// importSecret reads a secret key.
func (k *key) importSecret(format string, data []byte, j *jwk, p *params) error {
	switch format {
	case "jwk":
		if p.alg.does&doesGenerate == 0 {
			return failf(notSupportedError, "%s keys are imported as raw only", p.alg.name)
		}
		var err error
		if data, err = j.octets("k", j.K); err != nil {
			return err
		}
	case "raw":
	default:
		return failf(notSupportedError, "%s keys are not imported as %s", p.alg.name, format)
	}
	bits := int64(len(data)) * 8
	switch {
	case p.alg.isAES():
		if bits != 128 && bits != 192 && bits != 256 {
			return failf(dataError, "an AES key has 16, 24 or 32 bytes, not %d", len(data))
		}
		k.length = int(bits)
	case p.alg.name == "HMAC":
		if bits == 0 {
			return failf(dataError, "an HMAC key must not be empty")
		}
		n := p.length.or(bits)
		if n > bits || n <= bits-8 {
			return failf(dataError, "algorithm.length is %d bits, and the key has %d", n, bits)
		}
		k.length = int(n)
		k.secret = firstBits(bytes.Clone(data), int(n))
		return nil
	case k.extractable:
		return failf(syntaxError, "a key for %s cannot be extractable", p.alg.name)
	}
	k.secret = bytes.Clone(data)
	return nil
}

// fits checks that a parsed key is of the algorithm and curve that were said.
func (k *key) fits() error {
	material := k.private
	if material == nil {
		material = k.public
	}
	switch m := material.(type) {
	case *rsa.PrivateKey, *rsa.PublicKey:
		if k.alg.isRSA() {
			_, _, err := importRSA(material)
			return err
		}
	case *ecdsa.PrivateKey:
		if k.alg.isEC() && m.Curve == curves[k.curve] {
			return nil
		}
	case *ecdsa.PublicKey:
		if k.alg.isEC() && m.Curve == curves[k.curve] {
			return nil
		}
	case ed25519.PrivateKey, ed25519.PublicKey:
		if k.alg.name == "Ed25519" {
			return nil
		}
	case *ecdh.PrivateKey:
		if k.alg.name == "X25519" && m.Curve() == ecdh.X25519() {
			return nil
		}
	case *ecdh.PublicKey:
		if k.alg.name == "X25519" && m.Curve() == ecdh.X25519() {
			return nil
		}
	}
	return failf(dataError, "the key is of another algorithm or curve than %s", k.alg.name)
}

// export is exportKey: bytes, or a *jwk.
func (k *key) export(format string) (any, error) {
	if k.alg.does&doesGenerate == 0 {
		return nil, failf(notSupportedError, "%s keys are not exported", k.alg.name)
	}
	if !k.extractable {
		return nil, failf(invalidAccessError, "the key is not extractable")
	}
	switch {
	case format == "jwk":
		return k.jwk(), nil
	case format == "raw" && k.kind == "secret":
		return bytes.Clone(k.secret), nil
	case k.kind == "secret" || format == "raw" && k.alg.isRSA():
		return nil, failf(notSupportedError, "%s keys are not exported as %s", k.alg.name, format)
	case format == "pkcs8" && k.kind != "private", format != "pkcs8" && k.kind != "public":
		return nil, failf(invalidAccessError, "a %s key is not exported as %s", k.kind, format)
	case format == "raw":
		if e, ok := k.public.(*ecdsa.PublicKey); ok {
			return e.Bytes()
		}
		_, public := k.octets()
		return bytes.Clone(public), nil
	case format == "spki":
		return x509.MarshalPKIXPublicKey(k.public)
	default:
		return x509.MarshalPKCS8PrivateKey(k.private)
	}
}

// wrap is the first half of wrapKey: the key as bytes to be encrypted.
func (k *key) wrap(format string) ([]byte, error) {
	out, err := k.export(format)
	if err != nil {
		return nil, err
	}
	if j, ok := out.(*jwk); ok {
		return json.Marshal(j)
	}
	return out.([]byte), nil
}

// unwrapJWK is the second half of unwrapKey for the format jwk.
func unwrapJWK(data []byte) (*jwk, error) {
	if len(data) > maxJWK {
		return nil, failf(dataError, "%d bytes are too many for a JSON Web Key", len(data))
	}
	j := new(jwk)
	if err := json.Unmarshal(data, j); err != nil || j.Kty == "" {
		return nil, failf(dataError, "what was wrapped is no JSON Web Key")
	}
	return j, nil
}

// checkFormat refuses what is no KeyFormat.
func checkFormat(format string) error {
	switch format {
	case "raw", "jwk", "pkcs8", "spki":
		return nil
	}
	return failf(typeError, "%.40q is no key format: use raw, jwk, pkcs8 or spki", format)
}
