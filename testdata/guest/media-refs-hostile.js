// a getter is asked once, and what it says then counts
//@assets {"a": "A", "b": "B"}
let n = 0;
const ref = { get uri() { return n++ === 0 ? "asset://a" : "asset://b"; } };
return [await media.text(ref), n]; //= ["A", 1]
---
// a getter that throws rejects the call
//@assets {"a": "A"}
await media.bytes({ get uri() { throw new RangeError("mine"); } }); //! RangeError "mine"
---
// only own properties count
//@assets {"a": "A"}
await media.bytes(Object.create({ uri: "asset://a" })); //! Error "could not read a document ref with no uri, asset_id, or data"
---
//@assets {"a": "A"}
Object.prototype.uri = "asset://a"; Object.prototype.asset_id = "a";
await media.bytes({}); //! Error "could not read a document ref with no uri, asset_id, or data"
---
// a key named __proto__ is a key
//@assets {"a": "A"}
await media.bytes(JSON.parse("{\"__proto__\": {\"uri\": \"asset://a\"}}")); //! Error "could not read a document ref with no uri, asset_id, or data"
---
// instances of classes are their own properties
//@assets {"a": "A"}
class Ref { constructor(uri) { this.uri = uri; } get asset_id() { return "nope"; } }
return await media.text(new Ref("asset://a")); //= "A"
---
// a proxy is asked like an object
//@assets {"a": "A"}
return await media.text(new Proxy({ uri: "asset://a" }, {})); //= "A"
---
// a reference that contains itself
//@assets {"a": "A"}
const ref = { uri: "asset://a" };
ref.self = ref; ref.metadata = { back: ref };
return await media.text(ref); //= "A"
---
// ids that are paths
//@assets {"a": "A"}
const out = [];
for (const id of ["../a", "..", "/etc/passwd", "a/../a", "a\u0000", "%2e%2e", "C:\\a", "", " ", "\ud800", "a".repeat(600)]) {
  for (const ref of [{ uri: "asset://" + id }, { asset_id: id }, { uri: "/api/storage/" + id }]) {
    try { out.push(id + ": " + await media.text(ref)); } catch (e) { if (!/could not read/.test(e.message)) out.push(e.message); }
  }
}
return out; //= []
---
// addresses of other kinds
//@assets {}
//@workspace {"x": "x"}
const out = [];
for (const uri of ["javascript:alert(1)", "ftp://h/x", "blob:abc", "about:blank", "ws://h/", "file://", "file:", "data", "data:", "//h/x", "http:/x", "https:", "HTTP://127.0.0.1/x", "sandbox://other", "asset:", "asset://", "package:x"]) {
  try { out.push(uri + " gave " + await media.bytes({ uri })); } catch (e) { if (!e.message.startsWith("media.bytes: could not read")) out.push(e.message); }
}
return out; //= []
---
// data URIs that are none
//@assets {}
const out = [];
for (const uri of ["data:", "data:;base64", "data:;base64,A", "data:;base64,====", "data:;base64,Y Q = = x", "data:;base64,\u00e9", "data:;base64,%zz"]) {
  try { out.push(uri + " gave " + await media.bytes({ uri })); } catch (e) { if (!e.message.startsWith("media.bytes: could not read data:")) out.push(e.message); }
}
return out; //= []
---
// values that cannot cross
//@assets {}
const out = [];
for (const ref of [() => 1, Symbol("x"), { uri: () => 1 }]) { try { await media.bytes(ref); out.push("crossed"); } catch (e) { out.push(e.name); } }
return out; //= ["DataCloneError", "DataCloneError", "DataCloneError"]
---
// values of other types where text belongs
//@assets {"5": "five"}
const out = [];
for (const uri of [5, true, null, undefined, {}, [], 5n, new Date(0), new Uint8Array(2), NaN]) { try { out.push(await media.text({ uri, url: uri, asset_id: uri, asset_uri: uri })); } catch (e) { out.push(/with no uri, asset_id, or data/.test(e.message)); } }
return out.every((v) => v === true); //= true
