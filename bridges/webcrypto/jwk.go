package webcrypto

import (
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"slices"
)

// A jwk is a JSON Web Key (RFC 7517, 7518 and 8037), its members in the order in which a
// dictionary of the web converts to an object.
type jwk struct {
	Alg    string          `json:"alg,omitempty"`
	Crv    string          `json:"crv,omitempty"`
	D      *string         `json:"d,omitempty"`
	DP     *string         `json:"dp,omitempty"`
	DQ     *string         `json:"dq,omitempty"`
	E      *string         `json:"e,omitempty"`
	Ext    *bool           `json:"ext,omitempty"`
	K      *string         `json:"k,omitempty"`
	KeyOps []string        `json:"key_ops"`
	Kty    string          `json:"kty"`
	N      *string         `json:"n,omitempty"`
	Oth    json.RawMessage `json:"oth,omitempty"`
	P      *string         `json:"p,omitempty"`
	Q      *string         `json:"q,omitempty"`
	QI     *string         `json:"qi,omitempty"`
	Use    string          `json:"use,omitempty"`
	X      *string         `json:"x,omitempty"`
	Y      *string         `json:"y,omitempty"`
}

// maxJWK bounds the JSON text of a wrapped key, other than that of a large HMAC key.
const maxJWK = 1 << 20

// base64url has no padding, and no second way to write the same bytes.
var base64url = base64.RawURLEncoding.Strict()

// octets decodes a member.
func (j *jwk) octets(name string, v *string) ([]byte, error) {
	if v == nil {
		return nil, failf(dataError, "the JSON Web Key has no %q", name)
	}
	b, err := base64url.DecodeString(*v)
	if err != nil {
		return nil, failf(dataError, "%q of the JSON Web Key is not base64url", name)
	}
	return b, nil
}

// number decodes a member that is a big integer.
func (j *jwk) number(name string, v *string) (*big.Int, error) {
	b, err := j.octets(name, v)
	if err != nil {
		return nil, err
	}
	if len(b) > maxImportRSA/8 {
		return nil, failf(dataError, "%q of the JSON Web Key is too large", name)
	}
	return new(big.Int).SetBytes(b), nil
}

// algName is the alg of a JSON Web Key for k, "" when there is none.
func algName(k *key) string {
	sha := ""
	if k.hash != "" {
		sha = k.hash[4:] // 1, 256 and so on
	}
	switch k.alg.name {
	case "HMAC":
		return "HS" + sha
	case "RSASSA-PKCS1-v1_5":
		return "RS" + sha
	case "RSA-PSS":
		return "PS" + sha
	case "Ed25519":
		return "Ed25519"
	case "RSA-OAEP":
		if sha == "1" {
			return "RSA-OAEP"
		}
		return "RSA-OAEP-" + sha
	}
	if k.alg.isAES() {
		return "A" + map[int]string{16: "128", 24: "192", 32: "256"}[len(k.secret)] + k.alg.name[4:]
	}
	return ""
}

// check compares what a JSON Web Key says of itself with what it is imported as.
func (j *jwk) check(p *params, k *key) error {
	kty := "RSA"
	switch {
	case p.alg.secret != 0:
		kty = "oct"
	case p.alg.isEC():
		kty = "EC"
	case !p.alg.isRSA():
		kty = "OKP"
	}
	if j.Kty != kty {
		return failf(dataError, "the JSON Web Key has the kty %.20q, not %q", j.Kty, kty)
	}
	if j.Use != "" && k.usages != 0 {
		use := "enc"
		if p.alg.does&doesSign != 0 {
			use = "sig"
		}
		if j.Use != use {
			return failf(dataError, "the JSON Web Key has the use %.20q, not %q", j.Use, use)
		}
	}
	if j.KeyOps != nil {
		for i, op := range j.KeyOps {
			if slices.Contains(j.KeyOps[:i], op) {
				return failf(dataError, "key_ops of the JSON Web Key has an entry twice")
			}
		}
		for _, u := range k.usages.names() {
			if !slices.Contains(j.KeyOps, u) {
				return failf(dataError, "key_ops of the JSON Web Key does not have %s", u)
			}
		}
	}
	if j.Ext != nil && !*j.Ext && k.extractable {
		return failf(dataError, "the JSON Web Key says that it is not extractable")
	}
	if j.Oth != nil {
		return failf(notSupportedError, "RSA keys with more than two primes are not supported")
	}
	if (p.alg.isEC() || kty == "OKP") && j.Crv != k.crv() {
		return failf(dataError, "the JSON Web Key has the crv %.20q, not %q", j.Crv, k.crv())
	}
	if j.Alg == "" || kty == "oct" && j.K == nil {
		return nil
	}
	want := algName(k)
	switch {
	case p.alg.isAES():
		b, err := j.octets("k", j.K)
		if err != nil {
			return err
		}
		want = algName(&key{alg: p.alg, secret: b})
	case p.alg.name == "ECDSA":
		want = map[string]string{"P-256": "ES256", "P-384": "ES384", "P-521": "ES512"}[k.curve]
	case p.alg.name == "Ed25519" && j.Alg == "EdDSA":
		want = "EdDSA"
	}
	if want != "" && j.Alg != want {
		return failf(dataError, "the JSON Web Key has the alg %.20q, not %q", j.Alg, want)
	}
	return nil
}

// crv is the curve of k as a JSON Web Key has it.
func (k *key) crv() string {
	if k.curve != "" {
		return k.curve
	}
	return k.alg.name
}

// fill takes the material of a private or public key.
func (j *jwk) fill(k *key) (err error) {
	switch {
	case k.alg.isRSA():
		return j.fillRSA(k)
	case k.alg.isEC():
		c := curves[k.curve]
		n := width(c)
		encoded := []byte{4}
		for _, m := range []struct {
			name string
			v    *string
		}{{"x", j.X}, {"y", j.Y}} {
			b, err := j.octets(m.name, m.v)
			if err != nil {
				return err
			}
			if len(b) != n {
				return failf(dataError, "%q of the JSON Web Key must have %d bytes, not %d", m.name, n, len(b))
			}
			encoded = append(encoded, b...)
		}
		public, err := point(c, encoded)
		if err != nil {
			return err
		}
		if k.kind == "public" {
			k.public = public
			return nil
		}
		d, err := j.octets("d", j.D)
		if err != nil {
			return err
		}
		private, err := ecdsa.ParseRawPrivateKey(c, d)
		if err != nil || !private.PublicKey.Equal(public) {
			return failf(dataError, "\"d\" of the JSON Web Key does not belong to \"x\" and \"y\"")
		}
		k.private = private
		return nil
	}
	x, err := j.octets("x", j.X)
	if err != nil {
		return err
	}
	public, err := octetPublic(k.alg, x)
	if err != nil {
		return err
	}
	if k.kind == "public" {
		k.public = public
		return nil
	}
	d, err := j.octets("d", j.D)
	if err != nil {
		return err
	}
	if k.private, err = octetKey(k.alg, d); err != nil {
		return err
	}
	if _, is := k.octets(); string(is) != string(x) {
		return failf(dataError, "\"d\" of the JSON Web Key does not belong to \"x\"")
	}
	return nil
}

func (j *jwk) fillRSA(k *key) error {
	n, err := j.number("n", j.N)
	if err != nil {
		return err
	}
	e, err := j.number("e", j.E)
	if err != nil {
		return err
	}
	if err := checkRSA(n); err != nil {
		return err
	}
	if e.BitLen() > 31 || e.Int64() < 3 || e.Bit(0) == 0 || n.Bit(0) == 0 {
		return failf(dataError, "\"n\" and \"e\" of the JSON Web Key are no public key")
	}
	public := rsa.PublicKey{N: n, E: int(e.Int64())}
	if k.kind == "public" {
		k.public = &public
		return nil
	}
	private := &rsa.PrivateKey{PublicKey: public, Primes: make([]*big.Int, 2)}
	var dp, dq, qi *big.Int
	for _, m := range []struct {
		name string
		v    *string
		into **big.Int
	}{{"d", j.D, &private.D}, {"p", j.P, &private.Primes[0]}, {"q", j.Q, &private.Primes[1]}, {"dp", j.DP, &dp}, {"dq", j.DQ, &dq}, {"qi", j.QI, &qi}} {
		if *m.into, err = j.number(m.name, m.v); err != nil {
			return err
		}
	}
	private.Precompute()
	if err := private.Validate(); err != nil {
		return failf(dataError, "the members of the JSON Web Key are no RSA key")
	}
	pre := &private.Precomputed
	if pre.Dp == nil || pre.Dp.Cmp(dp) != 0 || pre.Dq.Cmp(dq) != 0 || pre.Qinv.Cmp(qi) != 0 {
		return failf(dataError, "\"dp\", \"dq\" and \"qi\" of the JSON Web Key do not belong to it")
	}
	k.private = private
	return nil
}

// jwk is the key as a JSON Web Key.
func (k *key) jwk() *jwk {
	ext := k.extractable
	j := &jwk{Ext: &ext, KeyOps: k.usages.names(), Alg: algName(k)}
	text := func(b []byte) *string {
		s := base64url.EncodeToString(b)
		return &s
	}
	if k.kind == "secret" {
		j.Kty, j.K = "oct", text(k.secret)
		return j
	}
	private, isPrivate := k.private.(*rsa.PrivateKey)
	switch public := k.half().(type) {
	case *rsa.PublicKey:
		j.Kty, j.N, j.E = "RSA", text(public.N.Bytes()), text(exponentBytes(public.E))
		if isPrivate {
			pre := &private.Precomputed
			j.D, j.P, j.Q = text(private.D.Bytes()), text(private.Primes[0].Bytes()), text(private.Primes[1].Bytes())
			j.DP, j.DQ, j.QI = text(pre.Dp.Bytes()), text(pre.Dq.Bytes()), text(pre.Qinv.Bytes())
		}
	case *ecdsa.PublicKey:
		// The encodings of keys of our curves cannot fail.
		b, _ := public.Bytes()
		n := (len(b) - 1) / 2
		j.Kty, j.Crv, j.X, j.Y = "EC", k.curve, text(b[1:1+n]), text(b[1+n:])
		if d, ok := k.private.(*ecdsa.PrivateKey); ok {
			b, _ := d.Bytes()
			j.D = text(b)
		}
	case ed25519.PublicKey, *ecdh.PublicKey:
		d, x := k.octets()
		j.Kty, j.Crv, j.X = "OKP", k.alg.name, text(x)
		if d != nil {
			j.D = text(d)
		}
	}
	return j
}
