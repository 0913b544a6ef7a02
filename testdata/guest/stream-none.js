// a run without input streams: making an iterable throws at once
stream("x"); //! NotGrantedError "stream() requires streaming-input mode; this run has no input stream; the host grants it with Options.Input"
---
stream.any(); //! Denied "stream() requires streaming-input mode; this run has no input stream"
---
await stream.first("x"); //! Denied "stream() requires streaming-input mode; this run has no input stream"
---
stream.open("x"); //! Denied "stream() requires streaming-input mode; this run has no input stream"
---
// names are checked first, and at once
const got = [];
for (const f of [() => stream(), () => stream(5), () => stream(null), () => stream.open({}), () => stream.open(Symbol())]) {
  try { f(); got.push("fine"); } catch (e) { got.push(e.name + ": " + e.message); }
}
return got; //= ["TypeError: stream: name must be a string", "TypeError: stream: name must be a string", "TypeError: stream: name must be a string", "TypeError: stream.open: name must be a string", "TypeError: stream.open: name must be a string"]
---
// stream.first is asynchronous: it rejects
let p;
try { p = stream.first(7); } catch { return "threw"; }
try { await p; } catch (e) { return [e.name, e.message]; } //= ["TypeError", "stream.first: name must be a string"]
---
// stream is there, and frozen with all that is on it
return [typeof stream, Object.keys(stream), Object.isFrozen(stream), [stream.any, stream.first, stream.open].every(Object.isFrozen), stream.name, stream.length]; //= ["function", ["any", "first", "open"], true, true, "stream", 1]
