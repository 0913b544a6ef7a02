package webcrypto

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"quicksand/bridges"
	"quicksand/internal/marshal"
)

// A guest is the scripts' side of a run: it calls the functions as they do.
type guest struct {
	t testing.TB
	s *bridges.Session
}

func newGuest(t testing.TB, o bridges.SessionOptions) *guest {
	t.Helper()
	s := bridges.NewSession(o)
	t.Cleanup(func() { s.Close() })
	return &guest{t, s}
}

// bounded is a guest with a policy.
func bounded(t testing.TB, p *Policy) *guest {
	t.Helper()
	v, err := check(p)
	if err != nil {
		t.Fatal(err)
	}
	return newGuest(t, bridges.SessionOptions{Grants: map[*bridges.Bridge]any{Subtle: v, Hashing: v}})
}

func function(t testing.TB, name string) (*bridges.Bridge, *bridges.Func) {
	t.Helper()
	for _, b := range []*bridges.Bridge{Hashing, Subtle} {
		for i := range b.Funcs {
			if f := &b.Funcs[i]; f.Name == name {
				return b, f
			}
		}
	}
	t.Fatalf("there is no function %s", name)
	return nil, nil
}

func (g *guest) call(name string, args ...any) (bridges.Value, error) {
	g.t.Helper()
	if !strings.Contains(name, ".") && name[0] != '_' {
		name = "crypto.subtle." + name
	}
	b, f := function(g.t, name)
	m, err := marshal.Encode(args, marshal.EncodeOptions{})
	if err != nil {
		g.t.Fatal(err)
	}
	v, err := marshal.Decode(m)
	if err != nil {
		g.t.Fatal(err)
	}
	c, err := bridges.Unpack(g.s, b, f, v)
	if err != nil {
		return bridges.Value{}, err
	}
	if f.QuickIf != nil {
		f.QuickIf(c)
	}
	if c.State, err = g.s.State(b); err != nil {
		g.t.Fatal(err)
	}
	r, err := f.Call(g.s.Context(), c)
	if err != nil {
		return bridges.Value{}, err
	}
	if m, err = marshal.Encode(r, marshal.EncodeOptions{}); err != nil {
		g.t.Fatal(err)
	}
	if v, err = marshal.Decode(m); err != nil {
		g.t.Fatal(err)
	}
	return v, nil
}

func (g *guest) must(name string, args ...any) bridges.Value {
	g.t.Helper()
	v, err := g.call(name, args...)
	if err != nil {
		g.t.Fatalf("%s: %v", name, err)
	}
	return v
}

// id is the number of a key, for later calls.
func id(v bridges.Value) int {
	f, _ := v.Field("id").Float()
	return int(f)
}

func bytesOf(v bridges.Value) []byte { b, _ := v.Bytes(); return b }

type object = map[string]any

// A goldenRow is one row of node.json, by kind.
type goldenRow struct {
	Kind                                                        string
	Algorithm, How                                              object
	Data, Signature, Ciphertext, Bits, Raw, PKCS8, SPKI, Public string
	JWK                                                         object
	Length                                                      int
}

// readable turns {"hex": …} of a row's algorithm into bytes.
func readable(o object) object {
	out := object{}
	for k, v := range o {
		if h, ok := v.(object); ok && h["hex"] != nil {
			b, _ := hex.DecodeString(h["hex"].(string))
			v = b
		}
		out[k] = v
	}
	return out
}

func TestTheSameAsAnotherImplementation(t *testing.T) {
	text, err := os.ReadFile("testdata/node.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct{ Rows []goldenRow }
	if err := json.Unmarshal(text, &golden); err != nil {
		t.Fatal(err)
	}
	if len(golden.Rows) < 60 {
		t.Fatalf("%d rows", len(golden.Rows))
	}
	unhex := func(s string) []byte {
		b, err := hex.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, row := range golden.Rows {
		name, _ := json.Marshal([]any{row.Kind, row.Algorithm, row.How})
		t.Run(string(name[:min(len(name), 90)]), func(t *testing.T) {
			g := newGuest(t, bridges.SessionOptions{})
			alg, how := readable(row.Algorithm), readable(row.How)
			// The private or secret key, in each of its formats.
			usages := map[string][]string{"sign": {"sign"}, "encrypt": {"decrypt"}, "derive": {"deriveBits"}, "agree": {"deriveBits"}}[row.Kind]
			var keys []bridges.Value
			if row.Raw != "" {
				keys = append(keys, g.must("importKey", "raw", unhex(row.Raw), alg, row.Kind != "derive", usages))
			}
			if row.PKCS8 != "" {
				keys = append(keys, g.must("importKey", "pkcs8", unhex(row.PKCS8), alg, true, usages))
			}
			if row.JWK != nil {
				j := object{}
				for k, v := range row.JWK {
					j[k] = v
				}
				keys = append(keys, g.must("importKey", "jwk", j, alg, true, usages))
				exported := g.must("exportKey", "jwk", id(keys[len(keys)-1]))
				for k, v := range row.JWK {
					if s, ok := v.(string); ok {
						if got, _ := exported.Field(k).Str(); got != s {
							t.Errorf("jwk member %s: got %q, want %q", k, got, s)
						}
					}
				}
			}
			for _, k := range keys {
				switch row.Kind {
				case "sign":
					if row.SPKI == "" {
						if got := bytesOf(g.must("sign", how, id(k), unhex(row.Data))); hex.EncodeToString(got) != row.Signature {
							t.Errorf("signature: got %x", got)
						}
						continue
					}
					if got := bytesOf(g.must("exportKey", "pkcs8", id(k))); hex.EncodeToString(got) != row.PKCS8 {
						t.Errorf("pkcs8: got  %x\nwant %s", got, row.PKCS8)
					}
					pub := g.must("importKey", "spki", unhex(row.SPKI), alg, true, []string{"verify"})
					if got := bytesOf(g.must("exportKey", "spki", id(pub))); hex.EncodeToString(got) != row.SPKI {
						t.Errorf("spki: got  %x\nwant %s", got, row.SPKI)
					}
					for _, sig := range [][]byte{unhex(row.Signature), bytesOf(g.must("sign", how, id(k), unhex(row.Data)))} {
						if ok, _ := g.must("verify", how, id(pub), sig, unhex(row.Data)).Bool(); !ok {
							t.Errorf("%x is not accepted", sig)
						}
					}
				case "encrypt":
					if got := bytesOf(g.must("decrypt", how, id(k), unhex(row.Ciphertext))); hex.EncodeToString(got) != row.Data {
						t.Errorf("got %x", got)
					}
				case "derive":
					if got := bytesOf(g.must("deriveBits", how, id(k), row.Length)); hex.EncodeToString(got) != row.Bits {
						t.Errorf("got %x", got)
					}
				case "agree":
					for format, data := range map[string]string{"spki": row.SPKI, "raw": row.Public} {
						pub := g.must("importKey", format, unhex(data), alg, true, []string{})
						if got := bytesOf(g.must("exportKey", format, id(pub))); hex.EncodeToString(got) != data {
							t.Errorf("%s: got %x", format, got)
						}
						got := bytesOf(g.must("deriveBits", object{"name": alg["name"], "public": id(pub)}, id(k), row.Length))
						if hex.EncodeToString(got) != row.Bits {
							t.Errorf("got %x", got)
						}
					}
				default:
					t.Fatalf("kind %q", row.Kind)
				}
			}
		})
	}
}

// wantError checks the name and a part of the text of an error, and that it names its operation.
func wantError(t *testing.T, err error, op, name, words string) *bridges.Error {
	t.Helper()
	var e *bridges.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want %s …%s…", err, name, words)
	}
	if e.Name != name || !strings.Contains(e.Message, words) || e.Op != op {
		t.Errorf("got %s of %q: %s\nwant %s …%s…", e.Name, e.Op, e.Message, name, words)
	}
	return e
}

func TestLimits(t *testing.T) {
	aes := object{"name": "AES-GCM", "length": 128}
	usages := []string{"encrypt"}
	rsa := object{"name": "RSA-PSS", "hash": "SHA-256", "modulusLength": 2048, "publicExponent": []byte{1, 0, 1}}
	pbkdf2 := func(n int) object {
		return object{"name": "PBKDF2", "hash": "SHA-1", "salt": []byte{}, "iterations": n}
	}
	quota := func(t *testing.T, err error, op, limit string, value, used int64) {
		t.Helper()
		e := wantError(t, err, op, "QuotaExceededError", "("+limit+")")
		if e.Kind != bridges.KindLimit || e.Limit != limit || e.Value != value || e.Used != used {
			t.Errorf("got %s %s %d %d, want %s %d %d", e.Kind, e.Limit, e.Value, e.Used, limit, value, used)
		}
	}
	t.Run("CryptoKeys", func(t *testing.T) {
		g := bounded(t, &Policy{Keys: 3})
		g.must("generateKey", aes, true, usages)
		g.must("generateKey", object{"name": "Ed25519"}, true, []string{"sign"})
		_, err := g.call("generateKey", aes, true, usages)
		quota(t, err, "crypto.subtle.generateKey", "CryptoKeys", 3, 4)
		_, err = g.call("importKey", "raw", make([]byte, 16), aes, true, usages)
		quota(t, err, "crypto.subtle.importKey", "CryptoKeys", 3, 4)
	})
	t.Run("CryptoKeyData", func(t *testing.T) {
		g := bounded(t, &Policy{KeyData: 4096})
		h := object{"name": "HMAC", "hash": "SHA-1"}
		g.must("importKey", "raw", make([]byte, 3000), h, true, []string{"sign"})
		_, err := g.call("importKey", "raw", make([]byte, 3000), h, true, []string{"sign"})
		quota(t, err, "crypto.subtle.importKey", "CryptoKeyData", 4096, 6256)
		_, err = g.call("generateKey", object{"name": "HMAC", "hash": "SHA-1", "length": 1 << 32}, true, []string{"sign"})
		quota(t, err, "crypto.subtle.generateKey", "CryptoKeyData", 4096, 1<<29)
	})
	t.Run("CryptoRSAKeys", func(t *testing.T) {
		g := bounded(t, &Policy{RSAKeys: 1})
		g.must("generateKey", rsa, true, []string{"sign"})
		_, err := g.call("generateKey", rsa, true, []string{"sign"})
		quota(t, err, "crypto.subtle.generateKey", "CryptoRSAKeys", 1, 2)
	})
	t.Run("CryptoIterations", func(t *testing.T) {
		g := bounded(t, &Policy{Iterations: 1000})
		k := id(g.must("importKey", "raw", []byte("pw"), object{"name": "PBKDF2"}, false, []string{"deriveBits"}))
		g.must("deriveBits", pbkdf2(1000), k, 160)
		g.must("deriveBits", pbkdf2(500), k, 320)
		_, err := g.call("deriveBits", pbkdf2(1001), k, 160)
		quota(t, err, "crypto.subtle.deriveBits", "CryptoIterations", 1000, 1001)
		_, err = g.call("deriveBits", pbkdf2(501), k, 328)
		quota(t, err, "crypto.subtle.deriveBits", "CryptoIterations", 1000, 1503)
	})
	t.Run("CryptoData", func(t *testing.T) {
		g := bounded(t, &Policy{Data: 2000})
		g.must("digest", object{"name": "SHA-1"}, make([]byte, 2000))
		_, err := g.call("digest", object{"name": "SHA-1"}, make([]byte, 2001))
		quota(t, err, "crypto.subtle.digest", "CryptoData", 2000, 2001)
		k := id(g.must("importKey", "raw", []byte("pw"), object{"name": "PBKDF2"}, false, []string{"deriveBits"}))
		_, err = g.call("deriveBits", pbkdf2(1), k, 8*2001)
		quota(t, err, "crypto.subtle.deriveBits", "CryptoData", 2000, 2001)
	})
	t.Run("CryptoHashers", func(t *testing.T) {
		g := bounded(t, &Policy{Hashers: 2})
		one := g.must("crypto.createHash", "MD5")
		g.must("crypto.createHash", "MD5")
		_, err := g.call("crypto.createHash", "MD5")
		quota(t, err, "crypto.createHash", "CryptoHashers", 2, 3)
		g.must("_sum", one)
		g.must("crypto.createHash", "MD5")
	})
	t.Run("a negative limit and another type are refused", func(t *testing.T) {
		for _, grant := range []any{&Policy{Keys: -1}, &Policy{Data: -1}, Policy{}, 5} {
			if _, err := check(grant); err == nil {
				t.Errorf("%#v was taken", grant)
			}
		}
	})
	t.Run("limits above the ceiling are clamped", func(t *testing.T) {
		b, err := resolve(&Policy{Keys: 1 << 40, Iterations: 1 << 50})
		if err != nil || b.keys != limitKeys.Ceiling || b.iterations != limitIterations.Ceiling || b.data != limitData.Default {
			t.Errorf("got %+v, %v", b, err)
		}
	})
}

func TestWorkStopsWithTheRun(t *testing.T) {
	rows := []struct {
		name string
		call func(g *guest) error
	}{
		{"PBKDF2 of many iterations", func(g *guest) error {
			k := id(g.must("importKey", "raw", []byte("pw"), object{"name": "PBKDF2"}, false, []string{"deriveBits"}))
			g.s.Close()
			_, err := g.call("deriveBits", object{"name": "PBKDF2", "hash": "SHA-512", "salt": []byte{}, "iterations": 4_000_000_000}, k, 512)
			return err
		}},
		{"PBKDF2 of many blocks", func(g *guest) error {
			k := id(g.must("importKey", "raw", []byte("pw"), object{"name": "PBKDF2"}, false, []string{"deriveBits"}))
			_, err := g.call("deriveBits", object{"name": "PBKDF2", "hash": "SHA-512", "salt": []byte{}, "iterations": 1}, k, 8*64_000_000)
			return err
		}},
		{"the search for primes", func(g *guest) error {
			_, err := g.call("generateKey", object{"name": "RSA-PSS", "hash": "SHA-256", "modulusLength": 4096, "publicExponent": []byte{3}}, true, []string{"sign"})
			return err
		}},
		{"a hash of much", func(g *guest) error {
			_, err := g.call("digest", object{"name": "SHA-512"}, make([]byte, 64<<20))
			return err
		}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			cancel() // work looks at it while it goes on
			v, err := check(&Policy{Iterations: 1 << 32})
			if err != nil {
				t.Fatal(err)
			}
			g := newGuest(t, bridges.SessionOptions{Context: ctx, Grants: map[*bridges.Bridge]any{Subtle: v}})
			if _, err := g.s.State(Subtle); err != nil {
				t.Fatal(err)
			}
			if err := row.call(g); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// A seeded run makes the same keys again.
func TestASeedRepeatsKeys(t *testing.T) {
	make := func() string {
		g := newGuest(t, bridges.SessionOptions{Random: rand.NewChaCha8([32]byte{7})})
		var all []byte
		for _, row := range []struct {
			alg    object
			usages []string
		}{
			{object{"name": "AES-GCM", "length": 256}, []string{"encrypt"}},
			{object{"name": "ECDSA", "namedCurve": "P-521"}, []string{"sign"}},
			{object{"name": "Ed25519"}, []string{"sign"}},
			{object{"name": "X25519"}, []string{"deriveBits"}},
			{object{"name": "RSA-PSS", "hash": "SHA-256", "modulusLength": 2048, "publicExponent": []byte{1, 0, 1}}, []string{"sign"}},
		} {
			v := g.must("generateKey", row.alg, true, row.usages)
			k, format := v, "raw"
			if p := v.Field("privateKey"); !p.IsNullish() {
				k, format = p, "pkcs8"
			}
			all = append(all, bytesOf(g.must("exportKey", format, id(k)))...)
			if row.alg["name"] == "RSA-PSS" {
				all = append(all, bytesOf(g.must("sign", object{"name": "RSA-PSS", "saltLength": 32}, id(k), []byte("x")))...)
			}
		}
		return hex.EncodeToString(all)
	}
	if a, b := make(), make(); a != b {
		t.Errorf("got  %s\nthen %s", a, b)
	}
}

func TestRSAKeysAreWhatTheyShouldBe(t *testing.T) {
	g := newGuest(t, bridges.SessionOptions{})
	st, err := g.s.State(Subtle)
	if err != nil {
		t.Fatal(err)
	}
	r := st.(*ring)
	a, err := find("RSA-PSS", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []int64{3, 17, 65537, 1<<31 - 1} {
		k, err := r.generateRSA(context.Background(), &params{alg: a, modulusLength: option{2048, true}, publicExponent: big.NewInt(e).Bytes()})
		if err != nil {
			t.Fatal(err)
		}
		p, q := k.Primes[0], k.Primes[1]
		switch {
		case k.N.BitLen() != 2048 || p.BitLen() != 1024 || q.BitLen() != 1024:
			t.Errorf("e %d: %d bits of %d and %d", e, k.N.BitLen(), p.BitLen(), q.BitLen())
		case !p.ProbablyPrime(20) || !q.ProbablyPrime(20) || p.Cmp(q) == 0:
			t.Errorf("e %d: no two primes", e)
		case int64(k.E) != e || k.Validate() != nil:
			t.Errorf("e %d: got %d, %v", e, k.E, k.Validate())
		}
	}
}

func TestSmallFactor(t *testing.T) {
	rows := map[string]bool{
		"170141183460469231731687303715884105727": false, // 2^127-1, a prime
		"3": true, "4093": true, "4095": true, "4099": false, "16785409": true, // 4093·4101
		"16801801": false, // 4099², above the sieve
	}
	for s, want := range rows {
		n, _ := new(big.Int).SetString(s, 10)
		if got := smallFactor(n); got != want {
			t.Errorf("%s: got %v", s, got)
		}
	}
}

// Arguments that no well-meaning guest gives neither panic nor make a key.
func TestHostileArguments(t *testing.T) {
	bad := func(s string) object { return object{"kty": "RSA", "n": s, "e": "AQAB"} }
	g := newGuest(t, bridges.SessionOptions{Random: rand.NewChaCha8([32]byte{1})})
	v := g.must("generateKey", object{"name": "RSA-PSS", "hash": "SHA-256", "modulusLength": 2048, "publicExponent": []byte{1, 0, 1}}, true, []string{"sign"})
	j := g.must("exportKey", "jwk", id(v.Field("privateKey")))
	rsaKey := func(change object) object {
		out := object{}
		for _, k := range []string{"kty", "n", "e", "d", "p", "q", "dp", "dq", "qi"} {
			out[k], _ = j.Field(k).Str()
		}
		for k, v := range change {
			if v == nil {
				delete(out, k)
			} else {
				out[k] = v
			}
		}
		return out
	}
	pss, sign, none := object{"name": "RSA-PSS", "hash": "SHA-256"}, []string{"sign"}, []string{}
	p256 := object{"name": "ECDH", "namedCurve": "P-256"}
	zero32 := strings.Repeat("A", 43)
	rows := []struct {
		name string
		op   string
		args []any
		want string
	}{
		{"a key of no run", "encrypt", []any{object{"name": "AES-GCM"}, 99, []byte{}}, typeError},
		{"a negative key", "sign", []any{object{"name": "HMAC"}, -1, []byte{}}, typeError},
		{"a key that is infinite", "sign", []any{object{"name": "HMAC"}, 1e300, []byte{}}, typeError},
		{"a key that is text", "exportKey", []any{"raw", "0"}, typeError},
		{"no algorithm", "digest", []any{object{}, []byte{}}, notSupportedError},
		{"an unknown algorithm", "generateKey", []any{object{"name": "AES-KW", "length": 128}, true, []string{"wrapKey"}}, notSupportedError},
		{"an algorithm that cannot do it", "generateKey", []any{object{"name": "PBKDF2"}, true, []string{"deriveBits"}}, notSupportedError},
		{"an unknown hash", "generateKey", []any{object{"name": "HMAC", "hash": "MD5"}, true, sign}, notSupportedError},
		{"no hash", "generateKey", []any{object{"name": "HMAC"}, true, sign}, typeError},
		{"a key of no bits", "generateKey", []any{object{"name": "HMAC", "hash": "SHA-1", "length": 0}, true, sign}, operationError},
		{"an AES key of other sizes", "generateKey", []any{object{"name": "AES-GCM", "length": 129}, true, []string{"encrypt"}}, operationError},
		{"an unknown usage", "generateKey", []any{object{"name": "AES-GCM", "length": 128}, true, []string{"admire"}}, typeError},
		{"a usage that is no text", "generateKey", []any{object{"name": "AES-GCM", "length": 128}, true, []any{5}}, typeError},
		{"a usage of another algorithm", "generateKey", []any{object{"name": "AES-GCM", "length": 128}, true, sign}, syntaxError},
		{"a usage of no half of a pair", "generateKey", []any{object{"name": "Ed25519"}, true, []string{"sign", "encrypt"}}, syntaxError},
		{"no usage", "generateKey", []any{object{"name": "AES-GCM", "length": 128}, true, none}, syntaxError},
		{"no usage of the private half", "generateKey", []any{object{"name": "Ed25519"}, true, []string{"verify"}}, syntaxError},
		{"an unknown curve", "generateKey", []any{object{"name": "ECDSA", "namedCurve": "P-224"}, true, sign}, notSupportedError},
		{"RSA of 1024 bits to be generated", "generateKey", []any{object{"name": "RSA-PSS", "hash": "SHA-256", "modulusLength": 1024, "publicExponent": []byte{3}}, true, sign}, operationError},
		{"RSA of a million bits", "generateKey", []any{object{"name": "RSA-PSS", "hash": "SHA-256", "modulusLength": 1 << 20, "publicExponent": []byte{3}}, true, sign}, operationError},
		{"RSA of odd size", "generateKey", []any{object{"name": "RSA-PSS", "hash": "SHA-256", "modulusLength": 2049, "publicExponent": []byte{3}}, true, sign}, operationError},
		{"an even exponent", "generateKey", []any{object{"name": "RSA-PSS", "hash": "SHA-256", "modulusLength": 2048, "publicExponent": []byte{4}}, true, sign}, operationError},
		{"the exponent 1", "generateKey", []any{object{"name": "RSA-PSS", "hash": "SHA-256", "modulusLength": 2048, "publicExponent": []byte{1}}, true, sign}, operationError},
		{"no exponent at all", "generateKey", []any{object{"name": "RSA-PSS", "hash": "SHA-256", "modulusLength": 2048, "publicExponent": []byte{}}, true, sign}, operationError},
		{"a huge exponent", "generateKey", []any{object{"name": "RSA-PSS", "hash": "SHA-256", "modulusLength": 2048, "publicExponent": bytes.Repeat([]byte{255}, 9000)}, true, sign}, operationError},
		{"an unknown format", "importKey", []any{"pem", []byte{}, pss, true, sign}, typeError},
		{"raw RSA", "importKey", []any{"raw", []byte{1}, pss, true, []string{"verify"}}, notSupportedError},
		{"bytes for jwk", "importKey", []any{"jwk", []byte{1}, pss, true, []string{"verify"}}, dataError},
		{"an object for raw", "importKey", []any{"raw", object{}, object{"name": "AES-GCM"}, true, []string{"encrypt"}}, dataError},
		{"an empty PKCS #8", "importKey", []any{"pkcs8", []byte{}, pss, true, sign}, dataError},
		{"PKCS #8 that says it is long", "importKey", []any{"pkcs8", []byte{0x30, 0x84, 0xff, 0xff, 0xff, 0xff}, pss, true, sign}, dataError},
		{"PKCS #8 that is long", "importKey", []any{"pkcs8", make([]byte, 1<<20), pss, true, sign}, dataError},
		{"an empty SPKI", "importKey", []any{"spki", []byte{}, pss, true, []string{"verify"}}, dataError},
		{"an empty HMAC key", "importKey", []any{"raw", []byte{}, object{"name": "HMAC", "hash": "SHA-1"}, true, sign}, dataError},
		{"an HMAC key shorter than it says", "importKey", []any{"raw", []byte{1}, object{"name": "HMAC", "hash": "SHA-1", "length": 9}, true, sign}, dataError},
		{"an extractable password", "importKey", []any{"raw", []byte{1}, object{"name": "PBKDF2"}, true, []string{"deriveBits"}}, syntaxError},
		{"a point off the curve", "importKey", []any{"raw", append([]byte{4}, make([]byte, 64)...), p256, true, none}, dataError},
		{"the point at infinity", "importKey", []any{"raw", []byte{0}, p256, true, none}, dataError},
		{"a point cut short", "importKey", []any{"raw", []byte{4, 1}, p256, true, none}, dataError},
		{"no point", "importKey", []any{"raw", []byte{}, p256, true, none}, dataError},
		{"a short Ed25519 key", "importKey", []any{"raw", make([]byte, 31), object{"name": "Ed25519"}, true, []string{"verify"}}, dataError},
		{"an EC jwk of zeros", "importKey", []any{"jwk", object{"kty": "EC", "crv": "P-256", "x": zero32, "y": zero32, "d": zero32}, p256, true, []string{"deriveBits"}}, dataError},
		{"an EC jwk of another curve", "importKey", []any{"jwk", object{"kty": "EC", "crv": "P-384", "x": zero32, "y": zero32}, p256, true, none}, dataError},
		{"an EC jwk without y", "importKey", []any{"jwk", object{"kty": "EC", "crv": "P-256", "x": zero32}, p256, true, none}, dataError},
		{"an Ed25519 jwk whose halves differ", "importKey", []any{"jwk", object{"kty": "OKP", "crv": "Ed25519", "x": zero32, "d": zero32}, object{"name": "Ed25519"}, true, sign}, dataError},
		{"an RSA jwk without n", "importKey", []any{"jwk", object{"kty": "RSA", "e": "AQAB"}, pss, true, []string{"verify"}}, dataError},
		{"an RSA jwk of zero", "importKey", []any{"jwk", bad("AA"), pss, true, []string{"verify"}}, notSupportedError},
		{"an even modulus", "importKey", []any{"jwk", bad(strings.Repeat("_", 341) + "-"), pss, true, []string{"verify"}}, dataError},
		{"a huge modulus", "importKey", []any{"jwk", bad(strings.Repeat("_", 100000)), pss, true, []string{"verify"}}, dataError},
		{"a modulus in base64 with padding", "importKey", []any{"jwk", bad("AQ=="), pss, true, []string{"verify"}}, dataError},
		{"RSA with more primes", "importKey", []any{"jwk", rsaKey(object{"oth": true}), pss, true, sign}, notSupportedError},
		{"RSA with p zero", "importKey", []any{"jwk", rsaKey(object{"p": "AA"}), pss, true, sign}, dataError},
		{"RSA with q one", "importKey", []any{"jwk", rsaKey(object{"q": "AQ"}), pss, true, sign}, dataError},
		{"RSA with d zero", "importKey", []any{"jwk", rsaKey(object{"d": "AA"}), pss, true, sign}, dataError},
		{"RSA with another d", "importKey", []any{"jwk", rsaKey(object{"d": "AQAB"}), pss, true, sign}, dataError},
		{"RSA with another dp", "importKey", []any{"jwk", rsaKey(object{"dp": "AQAB"}), pss, true, sign}, dataError},
		{"RSA with another qi", "importKey", []any{"jwk", rsaKey(object{"qi": "AQAB"}), pss, true, sign}, dataError},
		{"RSA without q", "importKey", []any{"jwk", rsaKey(object{"q": nil}), pss, true, sign}, dataError},
		{"RSA with e one", "importKey", []any{"jwk", rsaKey(object{"e": "AQ"}), pss, true, sign}, dataError},
		{"a derivation of no length", "deriveKey", []any{object{"name": "PBKDF2"}, 0, object{"name": "AES-GCM"}, true, []string{"encrypt"}}, typeError},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			g := newGuest(t, bridges.SessionOptions{})
			_, err := g.call(row.op, row.args...)
			wantError(t, err, "crypto.subtle."+row.op, row.want, "")
		})
	}
}

// What is wrong with the parameters of an operation, for keys that are right.
func TestParametersOfOperations(t *testing.T) {
	g := newGuest(t, bridges.SessionOptions{})
	aes := func(name string) int {
		return id(g.must("importKey", "raw", make([]byte, 16), object{"name": name}, true, []string{"encrypt", "decrypt"}))
	}
	cbc, ctr, gcm := aes("AES-CBC"), aes("AES-CTR"), aes("AES-GCM")
	kdf := func(name string) int {
		return id(g.must("importKey", "raw", []byte("x"), object{"name": name}, false, []string{"deriveBits", "deriveKey"}))
	}
	pbkdf2, hkdf := kdf("PBKDF2"), kdf("HKDF")
	pair := func(alg object, usages ...string) (int, int) {
		v := g.must("generateKey", alg, true, usages)
		return id(v.Field("privateKey")), id(v.Field("publicKey"))
	}
	ec, ecPublic := pair(object{"name": "ECDH", "namedCurve": "P-256"}, "deriveBits")
	_, ec384 := pair(object{"name": "ECDH", "namedCurve": "P-384"}, "deriveBits")
	x, xPublic := pair(object{"name": "X25519"}, "deriveBits")
	ecdsa, ecdsaPublic := pair(object{"name": "ECDSA", "namedCurve": "P-256"}, "sign", "verify")
	pss, _ := pair(object{"name": "RSA-PSS", "hash": "SHA-512", "modulusLength": 2048, "publicExponent": []byte{1, 0, 1}}, "sign", "verify")
	low := id(g.must("importKey", "raw", make([]byte, 32), object{"name": "X25519"}, true, []string{}))
	iv16 := make([]byte, 16)
	rows := []struct {
		name, op   string
		args       []any
		want, text string
	}{
		{"CBC without an IV", "encrypt", []any{object{"name": "AES-CBC"}, cbc, iv16}, typeError, "iv is required"},
		{"CBC with a short IV", "encrypt", []any{object{"name": "AES-CBC", "iv": iv16[1:]}, cbc, iv16}, operationError, "16 bytes, not 15"},
		{"CTR without a counter", "encrypt", []any{object{"name": "AES-CTR", "length": 64}, ctr, iv16}, typeError, "are required"},
		{"CTR of no bits", "encrypt", []any{object{"name": "AES-CTR", "counter": iv16, "length": 0}, ctr, iv16}, operationError, "1 to 128, not 0"},
		{"CTR of too many bits", "decrypt", []any{object{"name": "AES-CTR", "counter": iv16, "length": 129}, ctr, iv16}, operationError, "1 to 128"},
		{"GCM without an IV", "encrypt", []any{object{"name": "AES-GCM"}, gcm, iv16}, typeError, "iv is required"},
		{"GCM with an empty IV", "encrypt", []any{object{"name": "AES-GCM", "iv": []byte{}}, gcm, iv16}, operationError, "must not be empty"},
		{"GCM with a tag of 8 bits", "decrypt", []any{object{"name": "AES-GCM", "iv": iv16, "tagLength": 8}, gcm, iv16}, operationError, "tagLength must be"},
		{"GCM of less than a tag", "decrypt", []any{object{"name": "AES-GCM", "iv": iv16}, gcm, iv16[:15]}, operationError, "shorter than its tag"},
		{"PBKDF2 of no iterations", "deriveBits", []any{object{"name": "PBKDF2", "hash": "SHA-1", "salt": iv16, "iterations": 0}, pbkdf2, 8}, operationError, "at least 1"},
		{"PBKDF2 of part of a byte", "deriveBits", []any{object{"name": "PBKDF2", "hash": "SHA-1", "salt": iv16, "iterations": 1}, pbkdf2, 7}, operationError, "multiple of 8"},
		{"PBKDF2 of all bits", "deriveBits", []any{object{"name": "PBKDF2", "hash": "SHA-1", "salt": iv16, "iterations": 1}, pbkdf2}, operationError, "multiple of 8"},
		{"PBKDF2 without a salt", "deriveBits", []any{object{"name": "PBKDF2", "hash": "SHA-1", "iterations": 1}, pbkdf2, 8}, typeError, "salt is required"},
		{"PBKDF2 without a hash", "deriveBits", []any{object{"name": "PBKDF2", "salt": iv16, "iterations": 1}, pbkdf2, 8}, typeError, "hash is required"},
		{"HKDF of more than it gives", "deriveBits", []any{object{"name": "HKDF", "hash": "SHA-1", "salt": iv16, "info": iv16}, hkdf, 8 * 5101}, operationError, "at most 40800 bits"},
		{"HKDF without info", "deriveBits", []any{object{"name": "HKDF", "hash": "SHA-1", "salt": iv16}, hkdf, 8}, typeError, "info is required"},
		{"ECDH without the other's key", "deriveBits", []any{object{"name": "ECDH"}, ec, 8}, typeError, "public is required"},
		{"ECDH with a private key as the other's", "deriveBits", []any{object{"name": "ECDH", "public": ec}, ec, 8}, invalidAccessError, "must be a public key"},
		{"ECDH with another curve", "deriveBits", []any{object{"name": "ECDH", "public": ec384}, ec, 8}, invalidAccessError, "same algorithm and curve"},
		{"ECDH with another algorithm", "deriveBits", []any{object{"name": "ECDH", "public": xPublic}, ec, 8}, invalidAccessError, "same algorithm and curve"},
		{"ECDH of more bits than there are", "deriveBits", []any{object{"name": "ECDH", "public": ecPublic}, ec, 264}, operationError, "at most 256 bits"},
		{"X25519 with a point of low order", "deriveBits", []any{object{"name": "X25519", "public": low}, x}, operationError, "gives no secret"},
		{"a key that is not derived", "deriveKey", []any{object{"name": "PBKDF2", "hash": "SHA-1", "salt": iv16, "iterations": 1}, pbkdf2, object{"name": "Ed25519"}, true, []string{"sign"}}, notSupportedError, "not derived"},
		{"ECDSA without a hash", "sign", []any{object{"name": "ECDSA"}, ecdsa, iv16}, typeError, "hash is required"},
		{"a signature by a public key", "sign", []any{object{"name": "ECDSA", "hash": "SHA-1"}, ecdsaPublic, iv16}, invalidAccessError, "do not include sign"},
		{"PSS without the length of its salt", "sign", []any{object{"name": "RSA-PSS"}, pss, iv16}, typeError, "saltLength is required"},
		{"PSS without a salt", "sign", []any{object{"name": "RSA-PSS", "saltLength": 0}, pss, iv16}, notSupportedError, "without a salt"},
		{"PSS with more salt than room", "sign", []any{object{"name": "RSA-PSS", "saltLength": 191}, pss, iv16}, operationError, "room for 190"},
		{"a public key as PKCS #8", "exportKey", []any{"pkcs8", ecPublic}, invalidAccessError, "a public key is not exported as pkcs8"},
		{"a private key as raw", "exportKey", []any{"raw", ec}, invalidAccessError, "a private key is not exported as raw"},
		{"a secret key as SPKI", "exportKey", []any{"spki", gcm}, notSupportedError, "not exported as spki"},
		{"a password", "exportKey", []any{"raw", pbkdf2}, notSupportedError, "not exported"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			_, err := g.call(row.op, row.args...)
			wantError(t, err, "crypto.subtle."+row.op, row.want, row.text)
		})
	}
	g.must("sign", object{"name": "RSA-PSS", "saltLength": 190}, pss, iv16)
	if v := g.must("verify", object{"name": "ECDSA", "hash": "SHA-1"}, ecdsaPublic, make([]byte, 64), iv16); v.String() != "false" {
		t.Errorf("a signature of zeros: got %v", v)
	}
}

func FuzzImport(f *testing.F) {
	text, err := os.ReadFile("testdata/node.json")
	if err != nil {
		f.Fatal(err)
	}
	var golden struct{ Rows []goldenRow }
	if err := json.Unmarshal(text, &golden); err != nil {
		f.Fatal(err)
	}
	for _, row := range golden.Rows {
		j, _ := json.Marshal(row.JWK)
		for format, s := range map[uint8]string{0: row.Raw, 1: row.PKCS8, 2: row.SPKI, 3: hex.EncodeToString(j)} {
			if b, _ := hex.DecodeString(s); len(b) > 0 {
				for i := range algorithms {
					if algorithms[i].name == row.Algorithm["name"] {
						f.Add(b, format, uint8(i))
					}
				}
			}
		}
	}
	formats := []string{"raw", "pkcs8", "spki", "jwk"}
	f.Fuzz(func(t *testing.T, data []byte, format, which uint8) {
		g := newGuest(t, bridges.SessionOptions{})
		a := algorithms[int(which)%len(algorithms)]
		name := formats[format%4]
		var from any = data
		if name == "jwk" {
			j, err := unwrapJWK(data)
			if err != nil {
				return
			}
			from = j
		}
		usages := a.secret | a.public
		if name == "pkcs8" || name == "jwk" && from.(*jwk).D != nil {
			usages = a.secret | a.private
		}
		alg := object{"name": a.name, "hash": "SHA-256", "namedCurve": "P-256"}
		v, err := g.call("importKey", name, from, alg, a.does&doesGenerate != 0, usages.names())
		if err != nil {
			var e *bridges.Error
			if !errors.As(err, &e) || e.Name == "" {
				t.Fatalf("an error without a name: %v", err)
			}
			return
		}
		if a.does&doesGenerate == 0 {
			return
		}
		// What was taken goes out again, and what goes out comes back the same.
		j := g.must("exportKey", "jwk", id(v))
		again := g.must("importKey", "jwk", j, alg, true, usages.names())
		x, _ := j.JSON()
		y, _ := g.must("exportKey", "jwk", id(again)).JSON()
		if !bytes.Equal(x, y) {
			t.Errorf("got  %s\nthen %s", x, y)
		}
	})
}

// Each y of smallOrders is of a point which three doublings bring to (0, 1).
func TestPointsOfSmallOrder(t *testing.T) {
	p := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	mod := func(n *big.Int) *big.Int { return n.Mod(n, p) }
	mul := func(a, b *big.Int) *big.Int { return mod(new(big.Int).Mul(a, b)) }
	add := func(a, b *big.Int) *big.Int { return mod(new(big.Int).Add(a, b)) }
	inverse := func(a *big.Int) *big.Int { return new(big.Int).ModInverse(a, p) }
	one := big.NewInt(1)
	d := mod(new(big.Int).Neg(mul(big.NewInt(121665), inverse(big.NewInt(121666)))))
	for _, enc := range smallOrders {
		le := enc
		slices.Reverse(le[:])
		y := mod(new(big.Int).SetBytes(le[:]))
		for range 3 {
			// -x² + y² = 1 + d·x²·y²; the y of the double is (y² + x²) / (1 - d·x²·y²).
			yy := mul(y, y)
			xx := mul(add(yy, new(big.Int).Neg(one)), inverse(add(mul(d, yy), one)))
			y = mul(add(yy, xx), inverse(add(one, new(big.Int).Neg(mul(d, mul(xx, yy))))))
		}
		if y.Cmp(one) != 0 {
			t.Errorf("%x is not of small order", enc)
		}
	}
	// The signature of S = 0 and R the neutral point by the neutral point fits all data.
	g := newGuest(t, bridges.SessionOptions{})
	neutral := append([]byte{1}, make([]byte, 31)...)
	k := id(g.must("importKey", "raw", neutral, object{"name": "Ed25519"}, true, []string{"verify"}))
	forged := append(bytes.Clone(neutral), make([]byte, 32)...)
	if !ed25519.Verify(neutral, []byte("any"), forged) {
		t.Fatal("the library refuses it by itself")
	}
	if ok, _ := g.must("verify", object{"name": "Ed25519"}, k, forged, []byte("any")).Bool(); ok {
		t.Error("a signature by a key of small order was accepted")
	}
}

func TestWhatIsQuick(t *testing.T) {
	rows := []struct {
		name string
		op   string
		args []any
		want bool
	}{
		{"a hash of little", "digest", []any{object{"name": "sha-256"}, make([]byte, inline)}, true},
		{"a hash of more", "digest", []any{object{"name": "SHA-256"}, make([]byte, inline+1)}, false},
		{"a MAC of little", "sign", []any{object{"name": "HMAC"}, 0, make([]byte, 9)}, true},
		{"a signature", "sign", []any{object{"name": "RSA-PSS"}, 0, make([]byte, 9)}, false},
		{"a cipher of little", "encrypt", []any{object{"name": "AES-GCM"}, 0, make([]byte, 9)}, true},
		{"RSA", "decrypt", []any{object{"name": "RSA-OAEP"}, 0, make([]byte, 9)}, false},
		{"raw keys", "importKey", []any{"raw", []byte{}, object{"name": "HMAC"}, true, []string{}}, true},
		{"keys to be parsed", "importKey", []any{"spki", []byte{}, object{"name": "ECDH"}, true, []string{}}, false},
		{"derivation", "deriveBits", []any{object{"name": "PBKDF2"}, 0, 8}, false},
		{"generation", "generateKey", []any{object{"name": "AES-GCM"}, true, []string{}}, false},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			b, f := function(t, "crypto.subtle."+row.op)
			m, err := marshal.Encode(row.args, marshal.EncodeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			v, err := marshal.Decode(m)
			if err != nil {
				t.Fatal(err)
			}
			c, err := bridges.Unpack(newGuest(t, bridges.SessionOptions{}).s, b, f, v)
			if err != nil {
				t.Fatal(err)
			}
			if got := f.QuickIf != nil && f.QuickIf(c); got != row.want {
				t.Errorf("got %v", got)
			}
		})
	}
}
