// without a grant nothing is set, and the logs say what to grant, once
//@logs ["[warn] getSecret: this run was not granted secrets, so none is set; the host grants them with Options.Secrets (on the command line --secret)"]
return [await getSecret("A"), await getSecret("B"), nodetool.secrets.list(), __secretScope]; //= [null, null, null, null]
---
// a body that makes do without its key
const key = (await getSecret("API_KEY")) ?? "";
return key ? "online" : "offline"; //= "offline"
---
await nodetool.secrets.get("A"); //! NotGrantedError "nodetool.secrets.get is not available without a context: this run was not granted secrets; the host grants it with Options.Secrets"
---
return await nodetool.secrets.tryGet("A"); //= null
---
//@secrets {"A": "value-of-a", "E": ""}
return [await getSecret("A"), await getSecret("E"), typeof await getSecret("B"), await nodetool.secrets.get("A"), typeof await nodetool.secrets.tryGet("E")]; //= ["value-of-a", "", "undefined", "value-of-a", "undefined"]
---
// all calls return promises but list
//@secrets {"A": "value-of-a"}
//@scope ["A"]
return [getSecret("A"), nodetool.secrets.get("A"), nodetool.secrets.tryGet("A"), nodetool.secrets.list()].map((v) => v instanceof Promise); //= [true, true, true, false]
---
//@secrets {"A": "value-of-a"}
await getSecret("A"); await nodetool.secrets.get("B"); //! Error "nodetool.secrets.get(\"B\"): not set; the host adds it where it keeps the secrets of its runs"
---
//@secrets {"A": "value-of-a"}
//@scope ["B", "C"]
await getSecret("A"); //! Denied "getSecret: \"A\" cannot be read: this run may read only \"B\", \"C\""
---
//@secrets {"A": "value-of-a"}
//@scope []
await nodetool.secrets.tryGet("A"); //! Denied "this run declares no secrets, so it can read none"
---
// the scope is the host's: the guest's copy of it decides nothing
//@secrets {"A": "value-of-a", "B": "value-of-b"}
//@scope ["A"]
const before = [...__secretScope];
__secretScope.push("B");
nodetool.secrets.list().push("B");
globalThis.__secretScope = ["B"];
const denied = await getSecret("B").catch((e) => [e.name, e.code, e instanceof Error]);
return [before, nodetool.secrets.list(), denied]; //= [["A"], ["A"], ["Error", "ERR_DENIED", true]]
---
// a scope error can be caught and the program goes on
//@secrets {"A": "value-of-a"}
//@scope ["A"]
try { await getSecret("NOPE"); } catch (e) { return [e.message, await getSecret("A")]; } //= ["getSecret: \"NOPE\" cannot be read: this run may read only \"A\"", "value-of-a"]
---
//@secrets {"A": "value-of-a"}
await getSecret({ name: "A" }); //! TypeError "getSecret: name must be a string, not an object"
---
//@secrets {"A": "value-of-a"}
await nodetool.secrets.get(); //! TypeError "nodetool.secrets.get: a secret name is required"
---
// many at one time
//@secrets {"A": "value-of-a", "B": "value-of-b"}
return (await Promise.all(Array.from({ length: 300 }, (_, i) => getSecret("AB"[i % 2])))).join() === Array.from({ length: 300 }, (_, i) => "value-of-" + "ab"[i % 2]).join(); //= true
---
// names that mean something to objects
//@secrets {"__proto__x": "1", "toString": "own"}
return [typeof await getSecret("constructor"), typeof await getSecret("__proto__"), await getSecret("toString")]; //= ["undefined", "undefined", "own"]
---
// neither the function nor the object can be changed
//@secrets {"A": "value-of-a"}
const r = [];
for (const f of [() => { getSecret.x = 1; }, () => { globalThis.getSecret = 1; }, () => { nodetool.secrets.get = 1; }, () => { delete nodetool.secrets.list; }]) { try { f(); r.push("changed"); } catch (e) { r.push(e.name); } }
return r; //= ["TypeError", "TypeError", "TypeError", "TypeError"]
