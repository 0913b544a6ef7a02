// what other engines ask while they make an error is never asked here
let asked = 0;
for (const k of ["stackTraceLimit", "prepareStackTrace"]) {
  Error[k] = { valueOf() { asked++; return 1; } };
  Object.defineProperty(Error, k, { get() { asked++; return () => { asked++; }; }, configurable: true });
}
const seen = [await sleep(1)];
try { structuredClone(() => 1); } catch (e) { seen.push(e.name); }
try { await crypto.digest("MD4", "x"); } catch (e) { seen.push(typeof e.stack); }
try { null.x; } catch (e) { seen.push(e.name); }
await Promise.reject(new RangeError("r")).catch((e) => { seen.push(structuredClone(e).message); });
return [asked, ...seen]; //= [0, null, "DataCloneError", "string", "TypeError", "r"]
---
// the stack of a rejection stays the guest's own call
//@host refuse
//@stack at ask (main.js:7:
let asked = 0;
Error.prepareStackTrace = (e, sites) => { asked++; return sites; };
Object.defineProperty(Error, "stackTraceLimit", { get() { asked++; return 0; } });
const ask = async () => { await refuse("no"); }; //! RangeError "no"
await ask();
