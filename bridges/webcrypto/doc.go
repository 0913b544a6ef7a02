// Package webcrypto is what guests find as crypto beyond random numbers: hashes, checksums,
// and crypto.subtle as the Web Cryptography API has it
// (https://www.w3.org/TR/webcrypto-2/). Every run has it; a Policy sets other limits.
//
// # Hashes
//
// NewHash gives the algorithms of crypto.digest, crypto.hmac and crypto.createHash. MD5 and
// SHA-1 are there for old formats and protocols; they protect nothing.
//
// # crypto.subtle
//
//	digest                  SHA-1, SHA-256, SHA-384, SHA-512
//	sign, verify            HMAC, ECDSA, Ed25519, RSASSA-PKCS1-v1_5, RSA-PSS
//	encrypt, decrypt        AES-GCM, AES-CBC, AES-CTR, RSA-OAEP
//	deriveBits, deriveKey   PBKDF2, HKDF, ECDH, X25519
//	generateKey             all of these with keys of their own
//	importKey, exportKey    raw, jwk, pkcs8, spki
//	wrapKey, unwrapKey      by the algorithms of encrypt
//
// Curves are P-256, P-384 and P-521; RSA keys have 2048 to 4096 bits when generated and 1024
// to 4096 when imported. AES-KW, and RSA-PSS without a salt, are NotSupportedErrors: the
// standard library has neither.
//
// The material of a key stays on the host. A guest holds a frozen CryptoKey, whose private
// number means a key only to the functions of crypto.subtle in the same run; extractable
// and usages are enforced here, not in the guest. A CryptoKey is not an input or a result: it
// leaves a run by exportKey only.
//
// # Randomness
//
// Keys, the salts of RSA-PSS and the padding of RSA-OAEP come from the randomness of the run:
// ChaCha8, seeded by the operating system, or by the run's seed, which makes them again. Since
// Go 1.26 the standard library generates keys from no other source than its own, so they
// are made here: of EC keys the scalar, of Ed25519 and X25519 the 32 bytes, of RSA the primes.
// Arithmetic on these primes takes a time that depends on them, which only the run that
// made them could measure. ECDSA signatures are deterministic (RFC 6979), as those of Ed25519
// are.
//
// # Costs
//
// Symmetric operations on small data run on the goroutine of the run, all else on workers,
// four at a time. PBKDF2, the search for primes and hashes stop when the run ends.
package webcrypto
