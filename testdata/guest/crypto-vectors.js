// SHA-1 to SHA-512 of "abc" (FIPS 180-4, examples of NIST)
const abc = new TextEncoder().encode("abc"), out = [];
for (const n of ["SHA-1", "sha-256", "SHA-384", "SHA-512"]) out.push(toHex(await crypto.subtle.digest(n, abc)));
return out; //= ["a9993e364706816aba3e25717850c26c9cd0d89d","ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad","cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7","ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"]
---
// HMAC of RFC 4231, cases 1 and 2, and of RFC 2202, case 2
const mac = async (hash, key, data) => toHex(await crypto.subtle.sign("HMAC", await crypto.subtle.importKey("raw", key, { name: "HMAC", hash }, false, ["sign"]), data));
const T = (s) => new TextEncoder().encode(s);
return [await mac("SHA-256", fromHex("0b".repeat(20)), T("Hi There")), await mac("SHA-256", T("Jefe"), T("what do ya want for nothing?")),
  await mac("SHA-1", T("Jefe"), T("what do ya want for nothing?")), (await mac("SHA-512", fromHex("0b".repeat(20)), T("Hi There"))).slice(0, 32)]; //= ["b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7","5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843","effcdf6ae5eb2fa2d27416d5f184df9c259a7c79","87aa7cdea5ef619d4ff0b4241a1d6cb0"]
---
// HKDF of RFC 5869, A.1 and A.3
const derive = async (ikm, salt, info, n) => toHex(await crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt: fromHex(salt), info: fromHex(info) },
  await crypto.subtle.importKey("raw", fromHex(ikm), "HKDF", false, ["deriveBits"]), n * 8));
return [await derive("0b".repeat(22), "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9", 42), await derive("0b".repeat(22), "", "", 42)]; //= ["3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865","8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"]
---
// PBKDF2 of RFC 6070, and of RFC 7914, section 11
const derive = async (hash, password, salt, iterations, n) => toHex(await crypto.subtle.deriveBits({ name: "PBKDF2", hash, salt: new TextEncoder().encode(salt), iterations },
  await crypto.subtle.importKey("raw", new TextEncoder().encode(password), "PBKDF2", false, ["deriveBits"]), n * 8));
return [await derive("SHA-1", "password", "salt", 1, 20), await derive("SHA-1", "password", "salt", 2, 20), await derive("SHA-1", "password", "salt", 4096, 20),
  await derive("SHA-1", "passwordPASSWORDpassword", "saltSALTsaltSALTsaltSALTsaltSALTsalt", 4096, 25), await derive("SHA-1", "pass\0word", "sa\0lt", 4096, 16),
  await derive("SHA-256", "passwd", "salt", 1, 64)]; //= ["0c60c80f961f0e71f3a9b524af6012062fe037a6","ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957","4b007901b765489abead49d926f721d065a429c1","3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038","56fa6aa75548099dcc37d7f03425e0c3","55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"]
---
// AES-GCM of McGrew and Viega's submission to NIST, cases 2, 4, 5 (short IV), 6 (long IV) and 16
const key = "feffe9928665731c6d6a8f9467308308", aad = "feedfacedeadbeeffeedfacedeadbeefabaddad2",
  text = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
  long = "9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728c3c0c95156809539fcf0e2429a6b525416aedbf5a0de6a57a637b39b";
const seal = async (k, iv, t, a) => {
  const kk = await crypto.subtle.importKey("raw", fromHex(k), "AES-GCM", false, ["encrypt", "decrypt"]), alg = { name: "AES-GCM", iv: fromHex(iv), additionalData: fromHex(a) };
  const ct = await crypto.subtle.encrypt(alg, kk, fromHex(t));
  return [toHex(ct).slice(-32), toHex(await crypto.subtle.decrypt(alg, kk, ct)) === t];
};
return [await seal("00".repeat(16), "00".repeat(12), "00".repeat(16), ""), await seal(key, "cafebabefacedbaddecaf888", text, aad), await seal(key, "cafebabefacedbad", text, aad),
  await seal(key, long, text, aad), await seal(key + key, "cafebabefacedbaddecaf888", text, aad)]; //= [["ab6e47d42cec13bdf53a67b21257bddf",true],["5bc94fbc3221a5db94fae95ae7121a47",true],["3612d2e79e3b0785561be14aaca2fccb",true],["619cc5aefffe0bfa462af43c1699d050",true],["76fc6ece0f4e1768cddf8853bb2d551b",true]]
---
// AES-CBC and AES-CTR of NIST SP 800-38A, F.2.1 and F.5.1; CBC has a block of padding more
const k = fromHex("2b7e151628aed2a6abf7158809cf4f3c"), t = fromHex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51");
const cbc = await crypto.subtle.encrypt({ name: "AES-CBC", iv: fromHex("000102030405060708090a0b0c0d0e0f") }, await crypto.subtle.importKey("raw", k, "AES-CBC", false, ["encrypt"]), t);
const ctr = await crypto.subtle.encrypt({ name: "AES-CTR", counter: fromHex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"), length: 64 }, await crypto.subtle.importKey("raw", k, "AES-CTR", false, ["encrypt"]), t);
return [toHex(cbc).slice(0, 64), cbc.byteLength, toHex(ctr)]; //= ["7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2",48,"874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"]
---
// Ed25519 of RFC 8032, 7.1, tests 1 to 3
const out = [];
for (const [d, x, m, s] of [
  ["9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60", "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "", "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"],
  ["4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb", "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72", "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"],
  ["c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7", "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82", "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"]]) {
  const b = (h) => toBase64(fromHex(h)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
  const priv = await crypto.subtle.importKey("jwk", { kty: "OKP", crv: "Ed25519", d: b(d), x: b(x) }, "Ed25519", false, ["sign"]);
  const pub = await crypto.subtle.importKey("raw", fromHex(x), "Ed25519", true, ["verify"]);
  out.push(toHex(await crypto.subtle.sign("Ed25519", priv, fromHex(m))) === s, await crypto.subtle.verify("Ed25519", pub, fromHex(s), fromHex(m)), await crypto.subtle.verify("Ed25519", pub, fromHex(s), fromHex(m + "00")));
}
return out; //= [true,true,false,true,true,false,true,true,false]
---
// X25519 of RFC 7748, 6.1
const b = (h) => toBase64(fromHex(h)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
const alice = await crypto.subtle.importKey("jwk", { kty: "OKP", crv: "X25519", d: b("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"),
  x: b("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a") }, "X25519", false, ["deriveBits"]);
const bob = await crypto.subtle.importKey("raw", fromHex("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"), "X25519", true, []);
return toHex(await crypto.subtle.deriveBits({ name: "X25519", public: bob }, alice, 256)); //= "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
---
// ECDSA of RFC 6979, A.2.5: P-256, SHA-256, "sample" and "test"
const b = (h) => toBase64(fromHex(h)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
const jwk = { kty: "EC", crv: "P-256", x: b("60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"), y: b("7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299") };
const alg = { name: "ECDSA", namedCurve: "P-256" }, how = { name: "ECDSA", hash: "SHA-256" };
const priv = await crypto.subtle.importKey("jwk", { ...jwk, d: b("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721") }, alg, false, ["sign"]);
const pub = await crypto.subtle.importKey("jwk", jwk, alg, false, ["verify"]), T = (s) => new TextEncoder().encode(s);
const s1 = await crypto.subtle.sign(how, priv, T("sample")), s2 = await crypto.subtle.sign(how, priv, T("test"));
return [toHex(s1).toUpperCase(), toHex(s2).toUpperCase(), await crypto.subtle.verify(how, pub, s1, T("sample")), await crypto.subtle.verify(how, pub, s1, T("test"))]; //= ["EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8","F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083",true,false]
---
// ECDH of RFC 5903, 8.1
const b = (h) => toBase64(fromHex(h)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
const alg = { name: "ECDH", namedCurve: "P-256" };
const ix = "DAD0B65394221CF9B051E1FECA5787D098DFE637FC90B9EF945D0C3772581180", iy = "5271A0461CDB8252D61F1C456FA3E59AB1F45B33ACCF5F58389E0577B8990BB3";
const i = await crypto.subtle.importKey("jwk", { kty: "EC", crv: "P-256", x: b(ix), y: b(iy), d: b("C88F01F510D9AC3F70A292DAA2316DE544E9AAB8AFE84049C62A9C57862D1433") }, alg, false, ["deriveBits"]);
const r = await crypto.subtle.importKey("raw", fromHex("04D12DFB5289C8D4F81208B70270398C342296970A0BCCB74C736FC7554494BF6356FBF3CA366CC23E8157854C13C58D6AAC23F046ADA30F8353E74F33039872AB"), alg, true, []);
const bits = async (n) => toHex(await crypto.subtle.deriveBits({ name: "ECDH", public: r }, i, n)).toUpperCase();
return [await bits(256), await bits(null), await bits(), await bits(12)]; //= ["D6840F6B42F6EDAFD13116E0E12565202FEF8E9ECE7DCE03812464D04B9442DE","D6840F6B42F6EDAFD13116E0E12565202FEF8E9ECE7DCE03812464D04B9442DE","D6840F6B42F6EDAFD13116E0E12565202FEF8E9ECE7DCE03812464D04B9442DE","D680"]
---
// CRC-32 of the check value that every catalogue of CRCs gives, in one piece and in two
return [crypto.crc32("123456789"), crypto.crc32(new Uint8Array()), crypto.crc32("6789", crypto.crc32("12345")), crypto.crc32([0x31, 0x32], 0).toString(16)]; //= [3421780262,0,3421780262,"4f5344cd"]
