package webcrypto

import (
	"fmt"

	"quicksand/bridges"
)

// Policy bounds what a run may do with crypto. Every run has the functions; nil, like the
// zero Policy, means the defaults.
type Policy struct {
	// Keys is how many CryptoKeys the run may make (limit CryptoKeys), and KeyData how many
	// bytes they may hold together (CryptoKeyData). A key lives until the run ends.
	Keys, KeyData int64
	// RSAKeys is how many RSA key pairs it may generate (CryptoRSAKeys): one of 4096 bits
	// takes a processor about a second.
	RSAKeys int64
	// Iterations bounds one PBKDF2 derivation: iterations times blocks of output
	// (CryptoIterations).
	Iterations int64
	// Data is how many bytes one operation of crypto.subtle may take or give (CryptoData).
	Data int64
	// Hashers is how many hashers of createHash may be open at a time (CryptoHashers).
	Hashers int64
}

// The limits. LIMITS.md has them all.
var (
	limitKeys       = bridges.Limit{Name: "CryptoKeys", Unit: "keys", Default: 4096, Floor: 1, Ceiling: 1 << 16, Doc: "CryptoKeys that one run makes; the call rejects"}
	limitKeyData    = bridges.Limit{Name: "CryptoKeyData", Unit: "bytes", Default: 8 << 20, Floor: 1 << 10, Ceiling: 256 << 20, Doc: "Bytes that the CryptoKeys of one run hold together; the call rejects"}
	limitRSAKeys    = bridges.Limit{Name: "CryptoRSAKeys", Unit: "keys", Default: 8, Floor: 1, Ceiling: 1024, Doc: "RSA key pairs that one run generates; the call rejects"}
	limitIterations = bridges.Limit{Name: "CryptoIterations", Unit: "iterations", Default: 10_000_000, Floor: 1, Ceiling: 1 << 32, Doc: "Iterations of one PBKDF2 derivation, times its blocks of output; the call rejects"}
	limitData       = bridges.Limit{Name: "CryptoData", Unit: "bytes", Default: 64 << 20, Floor: 1 << 10, Ceiling: 512 << 20, Doc: "Bytes that one operation of crypto.subtle takes or gives; the call rejects"}
	limitHashers    = bridges.Limit{Name: "CryptoHashers", Unit: "hashers", Default: 1024, Floor: 1, Ceiling: 1 << 16, Doc: "Hashers of crypto.createHash that are open at one time; the call throws"}
)

// bounds are the limits of one run.
type bounds struct{ keys, keyData, rsaKeys, iterations, data, hashers int64 }

// resolve completes a policy, which may be nil.
func resolve(p *Policy) (*bounds, error) {
	if p == nil {
		p = new(Policy)
	}
	b := new(bounds)
	for _, row := range []struct {
		limit *bridges.Limit
		value int64
		into  *int64
	}{
		{&limitKeys, p.Keys, &b.keys},
		{&limitKeyData, p.KeyData, &b.keyData},
		{&limitRSAKeys, p.RSAKeys, &b.rsaKeys},
		{&limitIterations, p.Iterations, &b.iterations},
		{&limitData, p.Data, &b.data},
		{&limitHashers, p.Hashers, &b.hashers},
	} {
		v, err := row.limit.Resolve(row.value)
		if err != nil {
			return nil, err
		}
		*row.into = v
	}
	return b, nil
}

// check is Bridge.Check of both bridges: a *Policy becomes *bounds.
func check(grant any) (any, error) {
	p, ok := grant.(*Policy)
	if !ok {
		return nil, fmt.Errorf("a *webcrypto.Policy is needed, not %T", grant)
	}
	return resolve(p)
}

// opened are the bounds of a run: its grant after check, or nil for a run without.
func opened(grant any) *bounds {
	if b, ok := grant.(*bounds); ok {
		return b
	}
	b, err := resolve(nil)
	if err != nil {
		panic(err) // the defaults are no negative numbers
	}
	return b
}

// exceeded is the error of a limit. Its name is the one that the standard has for it.
func exceeded(op string, l *bridges.Limit, value, used int64, format string, args ...any) error {
	e := bridges.Limitf(op, l.Name, value, used, format, args...)
	e.Name = "QuotaExceededError"
	return e
}
