package quicksand

import (
	"context"
	"testing"
	"time"

	"quicksand/bridges/webcrypto"
)

func TestCryptoOfASeededRunRepeats(t *testing.T) {
	const code = `const S = crypto.subtle, out = [];
for (const [alg, usages] of [[{ name: "AES-GCM", length: 128 }, ["encrypt"]], ["Ed25519", ["sign"]], [{ name: "ECDSA", namedCurve: "P-256" }, ["sign"]]]) {
  const k = await S.generateKey(alg, true, usages);
  out.push(await S.exportKey("jwk", k.privateKey ?? k));
}
return JSON.stringify(out);`
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		run := func(seed uint64) string { return must(t, s, code, Options{Seed: seed}).Value.String() }
		if a, b := run(5), run(5); a != b {
			t.Errorf("with one seed got %s, then %s", a, b)
		}
		if a, b := run(5), run(6); a == b {
			t.Errorf("with two seeds got %s twice", a)
		}
		if a, b := run(0), run(0); a == b {
			t.Errorf("without a seed got %s twice", a)
		}
	})
}

func TestOptionsCryptoSetsLimits(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		const code = `for (;;) await crypto.subtle.generateKey({ name: "AES-GCM", length: 128 }, true, ["encrypt"]);`
		_, e := fails(t, s, code, Options{Crypto: &webcrypto.Policy{Keys: 3}}, KindLimit)
		wantLimit(t, e, "CryptoKeys", 3, 4, 4)
		if e.Position.Line != 1 {
			t.Errorf("got position %v", e.Position)
		}
		_, e = fails(t, s, `for (;;) crypto.createHash("MD5");`, Options{Crypto: &webcrypto.Policy{Hashers: 2}}, KindLimit)
		wantLimit(t, e, "CryptoHashers", 2, 3, 3)
		fails(t, s, "return 1", Options{Crypto: &webcrypto.Policy{Data: -1}}, KindUsage)
	})
}

// Long work of crypto.subtle ends with its run, and leaves nothing behind.
func TestCryptoStopsWithTheRun(t *testing.T) {
	long(t, "it searches for primes until a deadline")
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, code := range []string{
			`const k = await crypto.subtle.importKey("raw", new Uint8Array(1), "PBKDF2", false, ["deriveBits"]);
			await crypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-512", salt: new Uint8Array(), iterations: 4000000000 }, k, 512);`,
			`for (;;) await crypto.subtle.generateKey({ name: "RSA-PSS", hash: "SHA-256", modulusLength: 4096, publicExponent: new Uint8Array([1, 0, 1]) }, true, ["sign"]);`,
		} {
			o := Options{Limits: Limits{Timeout: 200 * time.Millisecond}, Crypto: &webcrypto.Policy{RSAKeys: 1000, Iterations: 1 << 32}}
			res, err := s.Run(context.Background(), code, o)
			wantKind(t, err, KindTimeout)
			// Under the race detector the steps between two looks at the context take longer than
			// the end of a run waits.
			if res.Usage.Abandoned != 0 && !raceEnabled {
				t.Errorf("%d calls go on after their run", res.Usage.Abandoned)
			}
		}
		alive(t, s)
	})
}
