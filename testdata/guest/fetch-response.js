// a response can be returned whole
//@server open
const r = await fetch(server + "/bytes?body=%7B%22a%22%3A1%7D");
delete r.headers.date;
return { ...r, url: r.url.replace(server, "") }; //= {"ok": true, "status": 200, "statusText": "OK", "url": "/bytes?body=%7B%22a%22%3A1%7D", "redirected": false, "type": "basic", "headers": {"content-length": "7", "content-type": "text/plain; charset=utf-8"}, "truncated": false, "body": "{\"a\":1}", "json": {"a": 1}}
---
// json is plain data in a program that never calls it
//@server open
const r = await fetch(server + '/bytes?body={"a":[1,2]}'), { json } = r;
return [typeof json, Array.isArray(json.a), json.a.map((x) => x * 2), JSON.stringify(json), r.json === json, { ...json }, (await fetch(server + "/bytes?body=[1]")).json]; //= ["object", true, [2, 4], "{\"a\":[1,2]}", true, {"a": [1, 2]}, [1]]
---
// json of a body that is none is undefined
//@server open
const of = async (body) => (await fetch(server + "/bytes?body=" + encodeURIComponent(body))).json;
return [await of("<p>") === undefined, await of("") === undefined, await of("5"), await of('"x"'), await of("null"), await of("true"), await of("{\"__proto__\":1}")]; //= [true, true, 5, "x", null, true, {"__proto__": 1}]
---
// json can be called and read in one program
//@server open
const r = await fetch(server + '/bytes?body={"a":[1,2],"b":{"c":3}}'), d = await r.json();
return [d, r.json.b.c, r.json.a.length, Object.keys(r.json), "a" in r.json, { ...r.json }, JSON.stringify(r.json), JSON.stringify({ deep: [r.json] }), await r.json() === d, await r.json, typeof r.json]; //= [{"a": [1, 2], "b": {"c": 3}}, 3, 2, ["a", "b"], true, {"a": [1, 2], "b": {"c": 3}}, "{\"a\":[1,2],\"b\":{\"c\":3}}", "{\"deep\":[{\"a\":[1,2],\"b\":{\"c\":3}}]}", false, {"a": [1, 2], "b": {"c": 3}}, "function"]
---
// an array that can be called is an array
//@server open
const r = await fetch(server + "/bytes?body=[3,1,2]");
await r.json();
const j = r.json, sum = [];
for (const x of j) sum.push(x);
j.push(9);
return [Array.isArray(j), j instanceof Array, j.length, [...j], j.map((x) => x + 1), [].concat(j), sum, JSON.stringify(j), j.sort()[0], j[0], delete j[0], Array.isArray([]), Array.isArray(r)]; //= [true, true, 4, [3, 1, 2, 9], [4, 2, 3, 10], [3, 1, 2, 9], [3, 1, 2], "[3,1,2,9]", 1, 1, true, true, false]
---
// primitives and bodies that are no JSON, when json is called
//@server open
const of = async (body) => fetch(server + "/bytes?body=" + encodeURIComponent(body));
const five = await of("5"), none = await of("<html>"), text = await of('"abc"');
let message;
try { await none.json(); } catch (e) { message = [e.name, e.message]; }
return [await five.json(), five.json + 1, JSON.stringify(five.json), await (await of("null")).json(), await text.json(), text.json.toUpperCase(), await none.json === undefined, message]; //= [5, 6, "5", null, "abc", "ABC", true, ["SyntaxError", "fetch: the body is not JSON, it begins with \"<html>\""]]
---
// a then of the data is not hidden
//@server open
const r = await fetch(server + '/bytes?body={"then":1,"toJSON":2}');
return [(await r.json()).then, r.json.then, r.json.toJSON]; //= [1, 1, 2]
---
//@server open
//@logs ["{ a: [ 1 ] } [ 2 ] 7"]
const of = async (body) => { const r = await fetch(server + "/bytes?body=" + body); await r.json(); return r.json; };
const [a, b, c] = [await of('{"a":[1]}'), await of("[2]"), await of("7")];
console.log(a, b, c);
return null; //= null
---
// text, bytes and arrayBuffer can be asked for any number of times
//@server open
const r = await fetch(server + "/bytes?body=h%C3%A9"), c = r.clone();
const b = await r.bytes();
b[0] = 0;
return [r.body, await r.text(), await r.text(), Array.from(await r.bytes()), (await r.arrayBuffer()).byteLength, await c.text(), c.status, r.bodyUsed, c === r]; //= ["hé", "hé", "hé", [104, 195, 169], 3, "hé", 200, false, false]
---
// the charset of the content type counts, and a byte order mark more
//@server open
const of = async (type, body) => (await fetch(server + "/bytes?h-content-type=" + encodeURIComponent(type) + "&body=" + body)).body;
return [await of("text/plain; charset=ISO-8859-1", "caf%E9"), await of("text/plain; charset=shift_jis", "%93%FA%96%7B"), await of("text/plain", "caf%E9"), await of("text/plain; charset=latin1", "%EF%BB%BFh%C3%A9"), await of("text/plain", "%FF%FEh%00%E9%00"), await of("text/plain", "%EF%BB%BFx")]; //= ["café", "日本", "caf�", "hé", "hé", "x"]
---
// headers are an object and more
//@server open
const r = await fetch(server + "/bytes?body=x&h-set-cookie=a=1&h-set-cookie=b=2&h-x-two=1&h-x-two=2&h-x-latin=caf%E9&h-get=own&h-date=now");
const h = r.headers, seen = [];
for (const [k, v] of h) seen.push(k + "=" + v);
h.forEach((v, k) => { if (k === "x-two") seen.push(v); });
return [h["x-two"], h.get("X-TWO"), h.has("x-two"), h.has("x-none"), h.get("x-none"), h.getSetCookie(), h["set-cookie"], h["x-latin"], h.get("get"), typeof h.get, Object.keys(h), seen, [...h.keys()].length, [...h.values()].includes("own"), JSON.parse(JSON.stringify(h))["x-two"], String(h)]; //= ["1, 2", "1, 2", true, false, null, ["a=1", "b=2"], "a=1, b=2", "café", "own", "function", ["content-length", "content-type", "date", "set-cookie", "x-latin", "x-two"], ["content-length=1", "content-type=text/plain; charset=utf-8", "date=now", "get=own", "set-cookie=a=1", "set-cookie=b=2", "x-latin=café", "x-two=1, 2", "1, 2"], 8, true, "1, 2", "[object Headers]"]
---
//@server open
(await fetch(server + "/big?n=1")).headers.set("a", "b"); //! TypeError "the headers of a response cannot be changed"
---
//@server open
const r = await fetch(server + "/big?n=1");
new r.constructor([]); //! TypeError "illegal constructor"
---
//@server open
const r = await fetch(server + "/status?n=404");
return [r.ok, r.status, r.statusText, r.body, r.json === undefined, String(r)]; //= [false, 404, "Not Found", "", true, "[object Response]"]
---
// a redirect is followed, returned or refused
//@server open
const to = server + "/status?n=302&h-location=/big%3Fn=2%23x";
const r = await fetch(to), m = await fetch(to, { redirect: "manual" });
let e;
try { await fetch(to, { redirect: "error" }); } catch (x) { e = x.code; }
return [r.body, r.redirected, r.url.replace(server, ""), m.status, m.headers.location, m.redirected, e]; //= ["xx", true, "/big?n=2", 302, "/big?n=2#x", false, "ERR_REDIRECT"]
---
// a body that was cut says so
//@server tight
const r = await fetch(server + "/big?n=5000"), b = await fetch(server + "/bomb"), s = await fetch(server + "/short");
return [r.ok, r.body.length, r.truncated, r.bodyError.name, r.bodyError.code, r.bodyError.message, (await b.bytes()).length, b.truncated, s.body, s.truncated, s.bodyError.code, s.json === undefined]; //= [true, 1024, true, "RangeError", "ERR_LIMIT", "fetch: the body is larger than 1024 bytes (FetchBody)", 1024, true, "{\"a\":1,", true, "ECONNRESET", true]
---
//@server open
await (await fetch(server + "/short")).json(); //! SyntaxError "fetch: the body is not JSON; it was cut: fetch: the connection broke before the body was complete"
---
// a guest that breaks the intrinsics breaks only itself
//@server open
const r0 = await fetch(server + "/bytes?body=[1]");
Array.prototype[Symbol.iterator] = Promise.prototype.then = JSON.parse = JSON.stringify = String.prototype.toLowerCase = Object.defineProperty = Array.prototype.push = () => { throw 1; };
WeakMap.prototype.get = Uint8Array.prototype.set = () => { throw 2; };
Object.defineProperty = undefined;
const r = await fetch(server + "/bytes?body=[7]", { headers: { A: "b" } });
return [r0.json[0], r.json[0], r.body, r.headers.get("Content-Length"), await r.text()]; //= [1, 7, "[7]", "3", "[7]"]
