package webcrypto

import (
	"context"
	_ "embed"
	"strings"

	"quicksand/bridges"
	"quicksand/internal/marshal"
)

//go:embed hashing.js
var hashingScript string

//go:embed subtle.js
var subtleScript string

// inline is the size of data up to which symmetric operations are done on the goroutine of
// the run: a worker costs about as much as hashing 4 KB.
const inline = 4096

// Hashing is crypto.crc32 and crypto.createHash. Its grant is a *Policy, which a run need not
// have.
var Hashing = &bridges.Bridge{
	Name: "hashing", Doc: "checksums, and hashes of data that comes in pieces",
	Always: true, Check: check, Grant: "Options.Crypto",
	Script: hashingScript,
	Limits: []bridges.Limit{limitHashers},
	Open: func(_ *bridges.Session, grant any) (any, error) {
		return newHashers(opened(grant).hashers), nil
	},
	Funcs: []bridges.Func{
		{
			Name: "crypto.crc32", Sync: true, Result: "the checksum, 0 to 4294967295",
			Doc:    "computes the CRC-32 of zip, gzip and PNG; before is the checksum of what came before",
			Params: []bridges.Param{{Name: "data", Type: bridges.Text}, {Name: "before", Type: bridges.Integer, Optional: true}},
			Call: func(_ context.Context, c *bridges.Call) (any, error) {
				return checksum(uint32(c.Int(1)), c.Bytes(0)), nil
			},
		},
		{
			Name: "crypto.createHash", Sync: true, Result: "a hasher: update(data) returns it again, await digest() gives the hash and closes it",
			Doc:    "begins a hash of data that comes in pieces, by an algorithm of crypto.digest",
			Params: []bridges.Param{{Name: "algorithm", Type: bridges.String}},
			Call: func(_ context.Context, c *bridges.Call) (any, error) {
				return c.State.(*hashers).create(c.Op(), c.Str(0))
			},
		},
		{
			Name: "_update", Sync: true,
			Params: []bridges.Param{{Name: "hasher", Type: bridges.Integer}, {Name: "data", Type: bridges.Bytes}},
			Call: func(_ context.Context, c *bridges.Call) (any, error) {
				return bridges.Undefined, c.State.(*hashers).update("update", c.Int(0), c.Bytes(1))
			},
		},
		{
			Name: "_sum", Sync: true,
			Params: []bridges.Param{{Name: "hasher", Type: bridges.Integer}},
			Call: func(_ context.Context, c *bridges.Call) (any, error) {
				return c.State.(*hashers).sum("digest", c.Int(0))
			},
		},
	},
}

// Parameters of crypto.subtle. The guest's half turns an algorithm into an object and a
// CryptoKey into its number.
var (
	algorithmParam   = bridges.Param{Name: "algorithm"} // a name or an object
	keyParam         = bridges.Param{Name: "key"}
	dataParam        = bridges.Param{Name: "data", Type: bridges.Bytes}
	formatParam      = bridges.Param{Name: "format", Type: bridges.String}
	extractableParam = bridges.Param{Name: "extractable", Type: bridges.Boolean}
	usagesParam      = bridges.Param{Name: "keyUsages", Type: bridges.Array}
)

// Subtle is crypto.subtle. Its grant is a *Policy, which a run need not have.
var Subtle = &bridges.Bridge{
	Name: "webcrypto", Doc: "cryptography, as the Web Cryptography API has it",
	Always: true, Check: check, Grant: "Options.Crypto",
	Concurrency: 4,
	Script:      subtleScript,
	Limits:      []bridges.Limit{limitKeys, limitKeyData, limitRSAKeys, limitIterations, limitData},
	Open: func(s *bridges.Session, grant any) (any, error) {
		return &ring{random: s.Random, bounds: opened(grant)}, nil
	},
	Funcs: []bridges.Func{
		{Name: "CryptoKey", Sync: true, Doc: "the class of keys; crypto.subtle makes them"},
		{
			Name: "crypto.subtle.digest", Result: "an ArrayBuffer", Doc: "hashes data",
			Params:  []bridges.Param{algorithmParam, dataParam},
			QuickIf: small(0, 1),
			Call: operation(func(ctx context.Context, r *ring, c *bridges.Call) (any, error) {
				name, err := hashName(c.Options(0).Str("name"))
				if err != nil {
					return nil, err
				}
				return buffer(Sum(ctx, newHash(name), c.Bytes(1)))
			}),
		},
		{
			Name: "crypto.subtle.encrypt", Result: "an ArrayBuffer", Doc: "encrypts data",
			Params:  []bridges.Param{algorithmParam, keyParam, dataParam},
			QuickIf: small(0, 2),
			Call: operation(func(_ context.Context, r *ring, c *bridges.Call) (any, error) {
				p, k, err := r.use(c.Arg(0), c.Arg(1), doesEncrypt, mayEncrypt)
				if err != nil {
					return nil, err
				}
				return buffer(r.encrypt(p, k, c.Bytes(2)))
			}),
		},
		{
			Name: "crypto.subtle.decrypt", Result: "an ArrayBuffer", Doc: "decrypts data",
			Params:  []bridges.Param{algorithmParam, keyParam, dataParam},
			QuickIf: small(0, 2),
			Call: operation(func(_ context.Context, r *ring, c *bridges.Call) (any, error) {
				p, k, err := r.use(c.Arg(0), c.Arg(1), doesEncrypt, mayDecrypt)
				if err != nil {
					return nil, err
				}
				return buffer(r.decrypt(p, k, c.Bytes(2)))
			}),
		},
		{
			Name: "crypto.subtle.sign", Result: "the signature, an ArrayBuffer", Doc: "signs data",
			Params:  []bridges.Param{algorithmParam, keyParam, dataParam},
			QuickIf: small(0, 2),
			Call: operation(func(ctx context.Context, r *ring, c *bridges.Call) (any, error) {
				p, k, err := r.use(c.Arg(0), c.Arg(1), doesSign, maySign)
				if err != nil {
					return nil, err
				}
				return buffer(r.sign(ctx, p, k, c.Bytes(2)))
			}),
		},
		{
			Name: "crypto.subtle.verify", Result: "whether the signature is right", Doc: "verifies a signature of data",
			Params:  []bridges.Param{algorithmParam, keyParam, {Name: "signature", Type: bridges.Bytes}, dataParam},
			QuickIf: small(0, 3),
			Call: operation(func(ctx context.Context, r *ring, c *bridges.Call) (any, error) {
				p, k, err := r.use(c.Arg(0), c.Arg(1), doesSign, mayVerify)
				if err != nil {
					return nil, err
				}
				return r.verify(ctx, p, k, c.Bytes(2), c.Bytes(3))
			}),
		},
		{
			Name: "crypto.subtle.generateKey", Result: "a CryptoKey, or an object of privateKey and publicKey", Doc: "generates a key or a pair of keys",
			Params: []bridges.Param{algorithmParam, extractableParam, usagesParam},
			Call: operation(func(ctx context.Context, r *ring, c *bridges.Call) (any, error) {
				p, asked, err := r.newKey(c.Arg(0), c.Arg(2), doesGenerate)
				if err != nil {
					return nil, err
				}
				keys, err := r.generate(ctx, p, c.Bool(1), asked)
				if err != nil {
					return nil, err
				}
				if len(keys) == 1 {
					return keys[0].describe(), nil
				}
				return map[string]any{"privateKey": keys[0].describe(), "publicKey": keys[1].describe()}, nil
			}),
		},
		{
			Name: "crypto.subtle.importKey", Result: "a CryptoKey", Doc: "makes a key of data: raw, jwk, pkcs8 or spki",
			Params: []bridges.Param{formatParam, {Name: "keyData"}, algorithmParam, extractableParam, usagesParam},
			QuickIf: func(c *bridges.Call) bool {
				return c.Str(0) == "raw"
			},
			Call: operation(func(_ context.Context, r *ring, c *bridges.Call) (any, error) {
				if err := checkFormat(c.Str(0)); err != nil {
					return nil, err
				}
				p, asked, err := r.newKey(c.Arg(2), c.Arg(4), 0)
				if err != nil {
					return nil, err
				}
				var j *jwk
				var data []byte
				if c.Str(0) == "jwk" {
					j = new(jwk)
					if err := c.Arg(1).Unmarshal(j); err != nil {
						return nil, failf(dataError, "the key data is no JSON Web Key")
					}
				} else {
					data, _ = c.Arg(1).Bytes()
				}
				return described(r.importKey(c.Str(0), data, j, p, c.Bool(3), asked))
			}),
		},
		{
			Name: "crypto.subtle.exportKey", Result: "an ArrayBuffer, or an object for jwk", Doc: "gives the material of an extractable key",
			Params: []bridges.Param{formatParam, keyParam},
			Call: operation(func(_ context.Context, r *ring, c *bridges.Call) (any, error) {
				if err := checkFormat(c.Str(0)); err != nil {
					return nil, err
				}
				k, err := r.key(c.Arg(1))
				if err != nil {
					return nil, err
				}
				out, err := k.export(c.Str(0))
				if b, ok := out.([]byte); ok {
					return marshal.Buffer(b), err
				}
				return out, err
			}),
		},
		{
			Name: "crypto.subtle.deriveBits", Result: "an ArrayBuffer", Doc: "derives bits from a password, a secret or two keys",
			Params: []bridges.Param{algorithmParam, {Name: "baseKey"}, {Name: "length", Type: bridges.Integer, Optional: true}},
			Call: operation(func(ctx context.Context, r *ring, c *bridges.Call) (any, error) {
				p, k, err := r.use(c.Arg(0), c.Arg(1), doesDerive, mayDeriveBits)
				if err != nil {
					return nil, err
				}
				bits := int64(-1)
				if c.Has(2) {
					bits = c.Int(2)
				}
				return buffer(r.derive(ctx, p, k, bits))
			}),
		},
		{
			Name: "crypto.subtle.deriveKey", Result: "a CryptoKey", Doc: "derives a key",
			Params: []bridges.Param{algorithmParam, {Name: "baseKey"}, {Name: "derivedKeyType"}, extractableParam, usagesParam},
			Call: operation(func(ctx context.Context, r *ring, c *bridges.Call) (any, error) {
				p, k, err := r.use(c.Arg(0), c.Arg(1), doesDerive, mayDeriveKey)
				if err != nil {
					return nil, err
				}
				derived, asked, err := r.newKey(c.Arg(2), c.Arg(4), 0)
				if err != nil {
					return nil, err
				}
				return described(r.deriveKey(ctx, p, k, derived, c.Bool(3), asked))
			}),
		},
		{
			Name: "crypto.subtle.wrapKey", Result: "an ArrayBuffer", Doc: "exports a key and encrypts it",
			Params: []bridges.Param{formatParam, keyParam, {Name: "wrappingKey"}, {Name: "wrapAlgorithm"}},
			Call: operation(func(_ context.Context, r *ring, c *bridges.Call) (any, error) {
				if err := checkFormat(c.Str(0)); err != nil {
					return nil, err
				}
				p, by, err := r.use(c.Arg(3), c.Arg(2), doesEncrypt, mayWrap)
				if err != nil {
					return nil, err
				}
				k, err := r.key(c.Arg(1))
				if err != nil {
					return nil, err
				}
				data, err := k.wrap(c.Str(0))
				if err != nil {
					return nil, err
				}
				return buffer(r.encrypt(p, by, data))
			}),
		},
		{
			Name: "crypto.subtle.unwrapKey", Result: "a CryptoKey", Doc: "decrypts a key and imports it",
			Params: []bridges.Param{formatParam, {Name: "wrappedKey", Type: bridges.Bytes}, {Name: "unwrappingKey"},
				{Name: "unwrapAlgorithm"}, {Name: "unwrappedKeyAlgorithm"}, extractableParam, usagesParam},
			Call: operation(func(_ context.Context, r *ring, c *bridges.Call) (any, error) {
				if err := checkFormat(c.Str(0)); err != nil {
					return nil, err
				}
				p, by, err := r.use(c.Arg(3), c.Arg(2), doesEncrypt, mayUnwrap)
				if err != nil {
					return nil, err
				}
				made, asked, err := r.newKey(c.Arg(4), c.Arg(6), 0)
				if err != nil {
					return nil, err
				}
				data, err := r.decrypt(p, by, c.Bytes(1))
				if err != nil {
					return nil, err
				}
				var j *jwk
				if c.Str(0) == "jwk" {
					if j, err = unwrapJWK(data); err != nil {
						return nil, err
					}
				}
				return described(r.importKey(c.Str(0), data, j, made, c.Bool(5), asked))
			}),
		},
	},
}

// operation is the border of a function of crypto.subtle: it bounds the data and names the
// operation in errors.
func operation(f func(context.Context, *ring, *bridges.Call) (any, error)) func(context.Context, *bridges.Call) (any, error) {
	return func(ctx context.Context, c *bridges.Call) (any, error) {
		r := c.State.(*ring)
		for i := range c.Func.Params {
			if b, ok := c.Arg(i).Bytes(); ok && int64(len(b)) > r.bounds.data {
				return nil, exceeded(c.Op(), &limitData, r.bounds.data, int64(len(b)), "more than %d bytes", r.bounds.data)
			}
		}
		v, err := f(ctx, r, c)
		if err != nil {
			return nil, at(c.Op(), err)
		}
		return v, nil
	}
}

// use reads the algorithm and key of an operation, which the key must allow.
func (r *ring) use(algorithm, id bridges.Value, what actions, usage usages) (*params, *key, error) {
	p, err := r.parse(algorithm, what)
	if err != nil {
		return nil, nil, err
	}
	k, err := r.key(id)
	if err != nil {
		return nil, nil, err
	}
	return p, k, k.may(usage, p.alg)
}

// newKey reads the algorithm and usages of a key to be made.
func (r *ring) newKey(algorithm, list bridges.Value, what actions) (*params, usages, error) {
	p, err := r.parse(algorithm, what)
	if err != nil {
		return nil, 0, err
	}
	var names []string
	for _, v := range list.Elements() {
		s, _ := v.Str()
		names = append(names, s)
	}
	u, err := parseUsages(names)
	return p, u, err
}

// small says of calls whose algorithm, argument a, is a hash or symmetric that they are quick
// when argument d has little data.
func small(a, d int) func(*bridges.Call) bool {
	return func(c *bridges.Call) bool {
		b, _ := c.Arg(d).Bytes()
		if len(b) > inline {
			return false
		}
		name := strings.ToUpper(c.Options(a).Str("name"))
		return strings.HasPrefix(name, "AES-") || name == "HMAC" || strings.HasPrefix(name, "SHA-")
	}
}

// buffer is an ArrayBuffer as a result.
func buffer(b []byte, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return marshal.Buffer(b), nil
}

// described is a key as a result.
func described(k *key, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return k.describe(), nil
}
