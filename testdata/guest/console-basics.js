// every method returns undefined, also when it prints nothing
return ["log", "info", "warn", "error", "debug", "trace", "dir", "table", "time", "timeLog", "timeEnd", "group", "groupCollapsed",
  "groupEnd", "assert", "count", "countReset"].filter((name) => console[name]("x") !== undefined); //= []
---
// these are all the methods
return Object.keys(console).sort().join(" "); //= "assert count countReset debug dir error group groupCollapsed groupEnd info log table time timeEnd timeLog trace warn"
---
// methods work without their receiver
const { log, error } = console;
log("a"); error("b");
return [1, 2].map(console.log).length; //= 2
---
// a value whose every part throws can be printed
const bad = new Proxy({}, { ownKeys() { throw new Error("no"); }, get() { throw new Error("no"); }, getPrototypeOf() { throw new Error("no"); } });
const { proxy, revoke } = Proxy.revocable({}, {});
revoke();
console.log(bad, { bad }, [bad], proxy);
console.table(bad); console.dir(bad); console.log("%s %d %i %f %j %o", bad, bad, bad, bad, bad, bad);
class Evil extends Error { get name() { throw 1; } get message() { throw 2; } get stack() { throw 3; } }
console.error(new Evil());
return "alive"; //= "alive"
---
// a getter is not run by printing
let runs = 0;
console.log({ get a() { runs++; return 1; } });
return runs; //= 0
---
// a huge structure is not walked to its end
const rows = Array.from({ length: 100000 }, (_, i) => ({ i, text: "row " + i }));
const big = new Map(rows.map((r) => [r.i, r]));
console.log(rows, big, { rows, big });
return rows.length; //= 100000
---
// nesting of any depth is cut
let deep = {};
for (let i = 0; i < 20000; i++) deep = { deep };
console.log(deep, [deep]);
return 1; //= 1
---
console.log = () => {}; //! TypeError
---
// the console cannot be replaced, but a local may have its name
const console = { log: () => "local" };
return console.log(); //= "local"
