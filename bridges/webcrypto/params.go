package webcrypto

import (
	"context"
	"crypto"
	"errors"
	"hash"
	"strings"

	"quicksand/bridges"
)

// params are the algorithm argument of an operation: the dictionaries of the standard in
// one. A nil slice and an option that is not set are absent.
type params struct {
	alg                                                            *algorithm
	hash                                                           string // canonical, or ""
	curve                                                          string
	iv, additionalData, counter, label, salt, info, publicExponent []byte
	tagLength, length, iterations, modulusLength, saltLength       option
	public                                                         *key
}

// option is a number that may be absent.
type option struct {
	value int64
	set   bool
}

// or is the value, or otherwise when it is absent.
func (o option) or(otherwise int64) int64 {
	if o.set {
		return o.value
	}
	return otherwise
}

// Names of errors, as the standard has them.
const (
	operationError     = "OperationError"
	invalidAccessError = "InvalidAccessError"
	dataError          = "DataError"
	notSupportedError  = "NotSupportedError"
	syntaxError        = "SyntaxError"
	typeError          = "TypeError"
)

// failf is an error without the operation, which its border adds.
func failf(name, format string, args ...any) error {
	e := bridges.Errorf("", format, args...)
	e.Name = name
	return e
}

// at adds the operation to an error, and hides what is not ours.
func at(op string, err error) error {
	var e *bridges.Error
	switch {
	case errors.As(err, &e):
		if e.Op == "" {
			e.Op = op
		}
		return e
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return &bridges.Error{Op: op, Name: operationError, Message: "the operation failed", Err: err}
}

// An algorithm is one of crypto.subtle.
type algorithm struct {
	name                    string
	does                    actions
	secret, private, public usages // what its keys may be used for
}

// actions are what an algorithm can do.
type actions uint16

const (
	doesEncrypt  actions = 1 << iota // and decrypt, wrapKey, unwrapKey
	doesSign                         // and verify
	doesDerive                       // bits and keys
	doesGenerate                     // and export
)

// usages is a set of KeyUsage.
type usages uint16

const (
	mayEncrypt usages = 1 << iota
	mayDecrypt
	maySign
	mayVerify
	mayDeriveKey
	mayDeriveBits
	mayWrap
	mayUnwrap
)

// usageNames are in the order of the bits, which is the standard's.
var usageNames = []string{"encrypt", "decrypt", "sign", "verify", "deriveKey", "deriveBits", "wrapKey", "unwrapKey"}

func (u usages) names() []string {
	list := []string{}
	for i, n := range usageNames {
		if u&(1<<i) != 0 {
			list = append(list, n)
		}
	}
	return list
}

// parseUsages reads a list of names.
func parseUsages(list []string) (usages, error) {
	var u usages
next:
	for _, s := range list {
		for i, n := range usageNames {
			if s == n {
				u |= 1 << i
				continue next
			}
		}
		return 0, failf(typeError, "%.40q is no key usage", s)
	}
	return u, nil
}

const (
	mayCrypt  = mayEncrypt | mayDecrypt | mayWrap | mayUnwrap
	mayDerive = mayDeriveKey | mayDeriveBits
)

var algorithms = []*algorithm{
	{name: "AES-CBC", does: doesEncrypt | doesGenerate, secret: mayCrypt},
	{name: "AES-CTR", does: doesEncrypt | doesGenerate, secret: mayCrypt},
	{name: "AES-GCM", does: doesEncrypt | doesGenerate, secret: mayCrypt},
	{name: "HMAC", does: doesSign | doesGenerate, secret: maySign | mayVerify},
	{name: "PBKDF2", does: doesDerive, secret: mayDerive},
	{name: "HKDF", does: doesDerive, secret: mayDerive},
	{name: "ECDSA", does: doesSign | doesGenerate, private: maySign, public: mayVerify},
	{name: "ECDH", does: doesDerive | doesGenerate, private: mayDerive},
	{name: "Ed25519", does: doesSign | doesGenerate, private: maySign, public: mayVerify},
	{name: "X25519", does: doesDerive | doesGenerate, private: mayDerive},
	{name: "RSASSA-PKCS1-v1_5", does: doesSign | doesGenerate, private: maySign, public: mayVerify},
	{name: "RSA-PSS", does: doesSign | doesGenerate, private: maySign, public: mayVerify},
	{name: "RSA-OAEP", does: doesEncrypt | doesGenerate, private: mayDecrypt | mayUnwrap, public: mayEncrypt | mayWrap},
}

// find looks an algorithm up that can do what; 0 asks nothing of it.
func find(name string, what actions) (*algorithm, error) {
	for _, a := range algorithms {
		if strings.EqualFold(a.name, name) && a.does&what == what {
			return a, nil
		}
	}
	return nil, failf(notSupportedError, "the algorithm %.60q is not supported here", name)
}

func (a *algorithm) isAES() bool { return strings.HasPrefix(a.name, "AES-") }
func (a *algorithm) isRSA() bool { return strings.HasPrefix(a.name, "RSA") }
func (a *algorithm) isEC() bool  { return a.name == "ECDSA" || a.name == "ECDH" }

// subtleHashes are the hashes that the standard has.
var subtleHashes = map[string]crypto.Hash{
	"SHA-1": crypto.SHA1, "SHA-256": crypto.SHA256, "SHA-384": crypto.SHA384, "SHA-512": crypto.SHA512,
}

// hashName is the canonical name of one of them.
func hashName(name string) (string, error) {
	up := strings.ToUpper(name)
	if _, ok := subtleHashes[up]; ok {
		return up, nil
	}
	return "", failf(notSupportedError, "the hash %.60q is not supported: use SHA-1, SHA-256, SHA-384 or SHA-512", name)
}

// needHash is an error unless the parameters name a hash.
func (p *params) needHash() error {
	if p.hash == "" {
		return failf(typeError, "algorithm.hash is required for %s", p.alg.name)
	}
	return nil
}

// hashes make the hash of a key or of parameters, by canonical name.
func newHash(name string) hash.Hash { return NewHash(name)() }

// parse reads the algorithm argument that the guest's half has put together.
func (r *ring) parse(v bridges.Value, what actions) (*params, error) {
	name, ok := v.Field("name").Str()
	if !ok {
		return nil, failf(typeError, "algorithm.name is required")
	}
	a, err := find(name, what)
	if err != nil {
		return nil, err
	}
	p := &params{alg: a}
	if s, ok := v.Field("hash").Str(); ok {
		if p.hash, err = hashName(s); err != nil {
			return nil, err
		}
	}
	p.curve, _ = v.Field("namedCurve").Str()
	for _, m := range []struct {
		name string
		into *[]byte
	}{{"iv", &p.iv}, {"additionalData", &p.additionalData}, {"counter", &p.counter}, {"label", &p.label},
		{"salt", &p.salt}, {"info", &p.info}, {"publicExponent", &p.publicExponent}} {
		if b, ok := v.Field(m.name).Bytes(); ok {
			*m.into = b
			if b == nil {
				*m.into = []byte{}
			}
		}
	}
	for _, m := range []struct {
		name string
		into *option
	}{{"tagLength", &p.tagLength}, {"length", &p.length}, {"iterations", &p.iterations},
		{"modulusLength", &p.modulusLength}, {"saltLength", &p.saltLength}} {
		if f, ok := v.Field(m.name).Float(); ok {
			*m.into = option{int64(f), true}
		}
	}
	if id := v.Field("public"); !id.IsNullish() {
		if p.public, err = r.key(id); err != nil {
			return nil, err
		}
	}
	return p, nil
}
