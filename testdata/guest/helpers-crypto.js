return /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()); //= true
---
return crypto.randomUUID() === crypto.randomUUID(); //= false
---
// getRandomValues takes a length, floors it and stops at 65 536
return [0, 3.9, "4", 70000].map((n) => crypto.getRandomValues(n).length); //= [0, 3, 4, 65536]
---
// getRandomValues fills the view it is given, within its own range
const all = new Uint8Array(64), part = all.subarray(16, 48);
const same = crypto.getRandomValues(part) === part;
return [same, all.slice(0, 16).every((b) => b === 0), part.some((b) => b !== 0), all.slice(48).every((b) => b === 0)]; //= [true, true, true, true]
---
return crypto.getRandomValues(-1); //! TypeError "finite"
---
return crypto.getRandomValues(NaN); //! TypeError "finite"
---
return crypto.getRandomValues(); //! TypeError "finite"
---
return crypto.getRandomValues(new Float32Array(1)); //! TypeMismatchError "integer typed array"
---
return crypto.getRandomValues(new Uint8Array(65537)); //! QuotaExceededError "65536"
---
return toHex(await crypto.digest("SHA-256", "abc")); //= "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
---
// the name of an algorithm may lack its dash and be in any case
return [(await crypto.digest(" sha1 ", "")).length, (await crypto.digest("Sha-384", "")).length, (await crypto.digest("SHA512", "")).length]; //= [20, 48, 64]
---
return toHex(await crypto.hmac("SHA-256", "key", "The quick brown fox jumps over the lazy dog")); //= "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"
---
// a view is hashed by its own range
const bytes = new TextEncoder().encode("xxabcyy").subarray(2, 5);
return toHex(await crypto.digest("SHA-1", bytes)); //= "a9993e364706816aba3e25717850c26c9cd0d89d"
---
// text, typed array, buffer, array and array-like are the same data
const abc = new TextEncoder().encode("abc");
const all = ["abc", abc, abc.buffer, new DataView(abc.buffer), [97, 98, 99], { length: 3, 0: 97, 1: 98, 2: 99 }];
return new Set((await parallelMap(all, (v) => crypto.digest("SHA-1", v))).map((b) => toHex(b))).size; //= 1
---
return await crypto.digest("MD4", "x"); //! TypeError "unsupported algorithm "MD4"; use SHA-1, SHA-256, SHA-384 or SHA-512"
---
// MD5, SHA-224 and SHA-3 are there for other systems (RFC 1321, A.5; FIPS 180-4; FIPS 202)
return (await parallelMap(["md5", "SHA-224", "sha3-256", "SHA3-512"], (a) => crypto.digest(a, "abc"))).map((b) => toHex(b).slice(0, 16)); //= ["900150983cd24fb0","23097d223405d822","3a985da74fe225b2","b751850b1a57168a"]
---
// HMAC-MD5 is that of RFC 2202, case 2
return toHex(await crypto.hmac("MD5", "Jefe", "what do ya want for nothing?")); //= "750c783e6ab0b503eaa86e310a5db738"
---
return await crypto.digest("SHA-1", 5); //! TypeError "must be a string or Uint8Array"
---
return await crypto.hmac("SHA-1", undefined, "x"); //! TypeError "key must be a string or Uint8Array"
---
return [crypto.timingSafeEqual("abc", [97, 98, 99]), crypto.timingSafeEqual("abc", "abd"), crypto.timingSafeEqual("a", "ab")]; //= [true, false, false]
---
return [typeof crypto.subtle, Object.isFrozen(crypto), Object.keys(crypto)]; //= ["object", true, ["randomUUID","getRandomValues","digest","hmac","timingSafeEqual","crc32","createHash","subtle"]]
---
// nothing that is no number of milliseconds waits
return [await sleep(), await sleep(-5), await sleep("x"), await sleep(NaN), await sleep({}), await sleep(1)]; //= [null, null, null, null, null, null]
