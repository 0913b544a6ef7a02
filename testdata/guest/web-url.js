// every part
const u = new URL("https://user:pa%20ss@EXAMPLE.com:8080/a/../b?x=1&y=2#top");
return [u.href, u.protocol, u.username, u.password, u.host, u.hostname, u.port, u.pathname, u.search, u.hash, u.origin]; //= ["https://user:pa%20ss@example.com:8080/b?x=1&y=2#top", "https:", "user", "pa%20ss", "example.com:8080", "example.com", "8080", "/b", "?x=1&y=2", "#top", "https://example.com:8080"]
---
// setting a part changes the URL
const u = new URL("http://a.test/x");
u.protocol = "https"; u.host = "b.test:81"; u.pathname = "/p q"; u.search = "k=v"; u.hash = "h"; u.username = "me"; u.password = "s:t"; u.port = "443"; u.hostname = "c.test";
return u.href; //= "https://me:s%3At@c.test/p%20q?k=v#h"
---
// a part that does not fit is ignored
const u = new URL("http://a.test/");
u.protocol = "mailto"; u.host = "x y"; u.port = "99999"; u.hostname = "";
return u.href; //= "http://a.test/"
---
// searchParams and search follow each other
const u = new URL("http://a.test/?a=1"), p = u.searchParams;
p.append("b", "2 3"); p.delete("a");
const first = u.search;
u.search = "?c=4";
const second = [...p];
u.href = "http://b.test/?d=5&d=6";
return [first, second, p.getAll("d"), p === u.searchParams, (p.delete("d"), u.href)]; //= ["?b=2+3", [["c", "4"]], ["5", "6"], true, "http://b.test/"]
---
return new URL("/x", "nope"); //! TypeError "Invalid URL"
---
return new URL("nope"); //! TypeError "Invalid URL: "nope""
---
try { new URL("nope"); } catch (e) { return [e.name, e.code]; } //= ["TypeError", "ERR_INVALID_URL"]
---
const u = new URL("http://a.test/");
u.href = "nope"; //! TypeError "Invalid URL"
---
return [new URL("../c?q#f", "http://a.test/x/y/z").href, URL.canParse("nope"), URL.canParse("x", "http://a.test"), URL.parse("nope"), URL.parse("x", "http://a.test").href]; //= ["http://a.test/x/c?q#f", false, true, null, "http://a.test/x"]
---
const u = new URL("http://a.test/?q=1");
return [String(u), u.toJSON(), JSON.stringify({ u }), Object.prototype.toString.call(u), new URL(u).href, `${u}`]; //= ["http://a.test/?q=1", "http://a.test/?q=1", "{\"u\":\"http://a.test/?q=1\"}", "[object URL]", "http://a.test/?q=1", "http://a.test/?q=1"]
---
return [new URL("http://bücher.example/ü?ü#ü").href, new URL("data:text/plain,hi").origin, new URL("http://0x7f.1/").hostname, new URL("file:///C|/x/../y").href]; //= ["http://xn--bcher-kva.example/%C3%BC?%C3%BC#%C3%BC", "null", "127.0.0.1", "file:///C:/y"]
---
new URL("http://a.test/").origin = "x"; //! TypeError
---
URL("http://a.test/"); //! TypeError
---
// a subclass works
class API extends URL { constructor(path) { super(path, "https://api.test/v1/"); } get id() { return this.searchParams.get("id"); } }
const a = new API("users?id=7");
return [a.href, a.id, a instanceof URL]; //= ["https://api.test/v1/users?id=7", "7", true]
---
// URLSearchParams keeps order, repeats and empty names
const p = new URLSearchParams("?a=1&b=2&a=3&c=%20x+y&d=a=b&&=e&f");
return [p.toString(), p.getAll("a"), p.get("nope"), p.has("a", "3"), p.has("a", "4"), p.size, p.get("c"), p.get("d"), p.get(""), p.get("f")]; //= ["a=1&b=2&a=3&c=+x+y&d=a%3Db&=e&f=", ["1", "3"], null, true, false, 7, " x y", "a=b", "e", ""]
---
const p = new URLSearchParams([["a", "1"], new Set(["b", "2"])]);
p.set("a", "z"); p.append("é", "~*'()!"); p.append("a", "y"); p.set("a", "only"); p.delete("b", "no");
return p.toString(); //= "a=only&b=2&%C3%A9=%7E*%27%28%29%21"
---
return [new URLSearchParams({ x: 1, y: [2, 3] }) + "", new URLSearchParams(new Map([["k", "v"]])) + "", new URLSearchParams(new URLSearchParams("q=1")) + "", new URLSearchParams() + "", new URLSearchParams(undefined).size, new URLSearchParams(null) + ""]; //= ["x=1&y=2%2C3", "k=v", "q=1", "", 0, "null="]
---
return [[...new URLSearchParams("a=%ff%zz%4&b=%E6%97%A5")], new URLSearchParams("a=%EF%BB%BFb").get("a").length, new URLSearchParams("%61+b=c").get("a b")]; //= [[["a", "�%zz%4"], ["b", "日"]], 2, "c"]
---
const p = new URLSearchParams("z=1&a=2&z=0&😀=x&ﬃ=y");
p.sort();
return [...p.keys()].join(" ") + " " + [...p.values()].join(""); //= "a z z 😀 ﬃ 210xy"
---
// iteration is live
const p = new URLSearchParams("a=1&b=2&c=3"), seen = [];
for (const [k] of p) { seen.push(k); if (k === "a") p.delete("b"); }
p.forEach(function (v, k, all) { seen.push(v + k + (all === p) + this.x); }, { x: 1 });
const it = p.entries();
return [seen, it[Symbol.iterator]() === it, it.toString(), Object.keys(it.next()), URLSearchParams.prototype[Symbol.iterator] === URLSearchParams.prototype.entries]; //= [["a", "c", "1atrue1", "3ctrue1"], true, "[object URLSearchParams Iterator]", ["value", "done"], true]
---
return new URLSearchParams([["a"]]); //! TypeError "a name and a value"
---
return new URLSearchParams([1]); //! TypeError "iterable"
---
return new URLSearchParams().append("a"); //! TypeError "2 arguments required"
