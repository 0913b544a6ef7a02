// toBase64 takes a string as UTF-8
return toBase64("héllo"); //= "aMOpbGxv"
---
// toBase64 uses the range of a view and not its whole buffer
return [toBase64(new Uint8Array([1, 2, 3, 4]).subarray(1, 3)), toHex(new DataView(new Uint8Array([1, 2, 3]).buffer, 1, 1))]; //= ["AgM=", "02"]
---
// toBase64 and toHex take arrays, array-likes, buffers and every typed array by its bytes
return [toBase64([255, 254]), toHex({ length: 2, 0: 1, 1: 16 }), toHex(new Uint8Array([9]).buffer), toHex(new Uint16Array([1, 2]))]; //= ["//4=", "0110", "09", "01000200"]
---
return toBase64(5); //! TypeError "expected a Uint8Array or string, got a number"
---
return toHex(Promise.resolve("x")); //! TypeError "a Promise — await it first"
---
return toBase64(null); //! TypeError "expected a Uint8Array or string, got null"
---
// fromBase64 takes both alphabets and ignores everything else
return ["aGk=", "aGk", " a-G_k!=", "-_-_", "+/+/", "a", "", "====", "aG\nk=", "QUJD REVG"].map((s) => toHex(fromBase64(s))); //= ["6869", "6869", "6be1bf", "fbffbf", "fbffbf", "", "", "", "6869", "414243444546"]
---
// a round trip through base64 and hex keeps all bytes
const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
return [toHex(fromBase64(toBase64(bytes))) === toHex(bytes), toBase64(fromHex(toHex(bytes))) === toBase64(bytes), fromBase64(toBase64(bytes)) instanceof Uint8Array]; //= [true, true, true]
---
// fromHex ignores other characters and drops an odd digit
return ["0aFf", "0a:Ff", "0g1", "abc", "", "zz"].map((s) => toHex(fromHex(s))); //= ["0aff", "0aff", "01", "ab", "", ""]
---
// strict decoding accepts what is right
return [toHex(fromBase64("aGk=", { strict: true })), toHex(fromBase64("aGk", { strict: true })), toHex(fromBase64("-_-_", { strict: true })), toHex(fromHex("0aFF", { strict: true }))]; //= ["6869", "6869", "fbffbf", "0aff"]
---
return fromBase64("aG k", { strict: true }); //! TypeError "unexpected character at position 2"
---
return fromBase64("aGkab", { strict: true }); //! TypeError "ends inside a byte"
---
return fromHex("0x", { strict: true }); //! TypeError "unexpected character at position 1"
---
return fromHex("abc", { strict: true }); //! TypeError "odd number of digits"
---
return [btoa("hi"), btoa("\xff\x00"), btoa(""), atob("aGk="), atob(" a G k "), atob("/w=="), atob("aGk")]; //= ["aGk=", "/wA=", "", "hi", "hi", "ÿ", "hi"]
---
return btoa("日本"); //! InvalidCharacterError "outside of Latin-1"
---
return atob("a"); //! InvalidCharacterError "not correctly encoded"
---
return atob("ab="); //! InvalidCharacterError
---
return atob("a-_b"); //! InvalidCharacterError
---
try { atob("*"); } catch (e) { return [e instanceof DOMException, e.code, e instanceof Error]; } //= [true, 5, true]
---
toBase64 = () => "hijacked"; //! TypeError
---
// long inputs take the same way
const text = "0123456789abcdef".repeat(5000);
return [atob(btoa(text)) === text, fromHex("zz" + text).length, fromBase64(toBase64(text) + "*").length]; //= [true, 40000, 80000]
