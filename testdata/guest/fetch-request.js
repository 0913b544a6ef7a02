// what a request looks like
//@server open
const r = await fetch(server + "/echo?a=b#c");
delete r.json.headers["accept-encoding"];
return r.json; //= {"body": "", "headers": {"accept": "*/*", "user-agent": "quicksand"}, "method": "GET", "uri": "/echo?a=b"}
---
//@server tight
return (await fetch(server + "/echo")).json.headers["user-agent"]; //= "tester/1"
---
// bodies and their content types
//@server open
const send = async (body, headers) => { const e = (await fetch(server + "/echo", { method: "POST", body, headers })).json; return [e.body, e.headers["content-type"] ?? null]; };
return [
  await send("text"), await send(""), await send({ a: 1 }), await send([1, "b"]), await send(5), await send(true), await send(new URLSearchParams({ a: "b c", d: "&" })),
  await send(new Uint8Array([104, 105])), await send(new Uint8Array([0, 104, 105, 0]).subarray(1, 3)), await send(new Uint16Array([0x6968])), await send(new TextEncoder().encode("é").buffer), await send(new DataView(new ArrayBuffer(3), 1)),
  await send(null), await send(undefined), await send({ a: 1 }, { "Content-Type": "text/x" }), await send("{}", { "content-type": "application/json" }), await send(new Date(0)),
]; //= [["text", "text/plain;charset=UTF-8"], ["", "text/plain;charset=UTF-8"], ["{\"a\":1}", "application/json"], ["[1,\"b\"]", "application/json"], ["5", "application/json"], ["true", "application/json"], ["a=b+c&d=%26", "application/x-www-form-urlencoded;charset=UTF-8"], ["hi", null], ["hi", null], ["hi", null], ["é", null], ["\u0000\u0000", null], ["", null], ["", null], ["{\"a\":1}", "text/x"], ["{}", "application/json"], ["\"1970-01-01T00:00:00.000Z\"", "application/json"]]
---
// headers come as an object, pairs or another response's headers
//@server open
const send = async (headers) => { const h = (await fetch(server + "/echo", { headers })).json.headers; return Object.keys(h).filter((k) => k.startsWith("x-")).map((k) => k + "=" + h[k]); };
const map = new Map([["X-A", 1], ["x-b", "é"]]);
return [await send({ "X-A": " 1 ", "x-none": undefined, "x-null": null, "x-n": 5 }), await send([["x-a", "1"], ["X-A", "2"]]), await send(map), await send({}), await send(null), await send({ [Symbol("x")]: 1, "x-list": [1, 2] }),
  await send((await fetch(server + "/big?n=1&h-x-r=1")).headers), await send(Object.create({ "x-inherited": 1 }))]; //= [["x-a=1", "x-n=5"], ["x-a=1, 2"], ["x-a=1", "x-b=�"], [], [], ["x-list=1,2"], ["x-r=1"], []]
---
// a URL may be given, and methods in any case
//@server open
const u = new URL("/echo", server);
u.searchParams.set("q", "é");
const e = (await fetch(u, { method: "patch", body: "x", credentials: "include", mode: "cors", cache: "no-store", keepalive: true })).json;
return [e.method, e.uri]; //= ["PATCH", "/echo?q=%C3%A9"]
---
// each call is work of its own, started at the call
//@server open
const all = await Promise.allSettled([fetch(server + "/echo"), fetch("http://nowhere.test/"), fetch(server + "/status?n=500"), fetch("ftp://x/")]);
return all.map((p) => p.status === "fulfilled" ? p.value.status : [p.reason.name, p.reason.code]); //= [200, ["DNSError", "ENOTFOUND"], 500, ["TypeError", "ERR_INVALID_URL"]]
---
//@server open
return [typeof fetch, fetch.name, Object.isFrozen(fetch), typeof Response, typeof Headers, typeof Request]; //= ["function", "fetch", true, "undefined", "undefined", "undefined"]
---
//@server open
const errors = [];
for (const f of [() => fetch(), () => fetch(""), () => fetch(5), () => fetch({}), () => fetch(server, 5), () => fetch(server, { headers: "a" }), () => fetch(server, { headers: [["a"]] }), () => fetch(server, { headers: { "a b": 1 } }),
  () => fetch(server, { headers: { a: "1\n2" } }), () => fetch(server, { method: "GET", body: "x" }), () => fetch(server, { body: {} }), () => fetch(server, { method: "POST", body: fetch }), () => fetch(server, { method: "POST", body: new Map() }),
  () => fetch(server, { method: "POST", body: Promise.resolve() }), () => fetch(server, { signal: {} }), () => fetch(server, { timeoutMs: 0 }), () => fetch(server, { timeoutMs: "x" }), () => fetch(server, { redirect: "no" }), () => fetch("nowhere"), () => fetch("http://u:p@x/")]) {
  try { const p = f(); await p; errors.push("none"); } catch (e) { errors.push(e.name + ": " + e.message); }
}
return errors; //= ["TypeError: fetch: url must be a non-empty string", "TypeError: fetch: url must be a non-empty string", "TypeError: fetch: url must be a non-empty string", "TypeError: fetch: url must be a non-empty string", "TypeError: fetch: options must be an object", "TypeError: fetch: headers must be an object or pairs of name and value", "TypeError: fetch: each pair of headers must have a name and a value", "TypeError: fetch: \"a b\" is not the name of a header", "TypeError: fetch: the value of the header \"a\" has characters that headers cannot have", "TypeError: fetch: a request with method GET cannot have a body", "TypeError: fetch: a request with method GET cannot have a body", "TypeError: fetch: a function cannot be a body", "TypeError: fetch: a Map cannot be a body; make an object or array of it", "TypeError: fetch: the body is a Promise — await it first", "TypeError: fetch: signal must be an AbortSignal", "RangeError: fetch: timeoutMs must be above zero", "RangeError: fetch: timeoutMs must be above zero", "TypeError: fetch: redirect must be \"follow\", \"error\" or \"manual\", not \"no\"", "TypeError: fetch: invalid URL \"nowhere\"", "TypeError: fetch: the URL holds a user name or password; send an authorization header instead"]
---
//@server open
//@stack main.js:4
const a = 1;
await fetch("http://nowhere.test/"); //! DNSError "was not found"
---
// an aborted signal fails at once, one that aborts later does nothing
//@server open
const s = AbortSignal.abort(new Error("mine")), c = new AbortController();
let e;
try { await fetch(server + "/echo", { signal: s }); } catch (x) { e = x.message; }
const r = await fetch(server + "/echo", { signal: c.signal });
c.abort();
return [e, r.status, r.json.method]; //= ["mine", 200, "GET"]
---
// refused requests do not count, and their loop ends
//@server tight
const codes = {};
for (let i = 0; i < 103; i++) try { await fetch("http://other.test/"); } catch (e) { codes[e.code] = (codes[e.code] ?? 0) + 1; }
return codes; //= {"ERR_DENIED": 100, "ERR_LIMIT": 3}
---
//@server tight
const out = [];
for (let i = 0; i < 4; i++) try { await fetch("http://other.test/"); } catch (e) {}
for (let i = 0; i < 4; i++) try { out.push((await fetch(server + "/echo")).status); } catch (e) { out.push(e.message); }
return out; //= [200, 200, 200, "fetch: Fetch limit exceeded (max 3 requests per execution) (FetchCalls)"]
---
// without a grant
await fetch("http://a.test/"); //! NotGrantedError "fetch is not available: this run was not granted the network; the host grants it with Options.Fetch"
