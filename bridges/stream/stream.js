// stream, over the host's takes: each step of an iterator is one.
(function (I, host) {
"use strict";
const { put, freeze, create, $Symbol, $TypeError } = I;
const asyncIterator = $Symbol.asyncIterator;
const ready = host["_stream.ready"], takeOne = host["_stream.take"], release = host["_stream.release"], probe = host["stream.open"];

function check(name, verb) {
  if (typeof name !== "string") throw new $TypeError(verb + ": name must be a string");
}

// Takes of one handle are made one after the other, so that values come in the order in
// which they were asked for. A line has the latest take of its handle while it is under way.
const lines = create(null);
const lineOf = (name) => lines[name === undefined ? "any" : "=" + name] ??= { __proto__: null, last: undefined };
const begin = (line, name, loop) => line.last = line.last === undefined ? takeOne(name, loop.id) : after(line.last, name, loop);
async function after(before, name, loop) {
  try { await before; } catch {}
  return loop.left ? undefined : takeOne(name, loop.id);
}

let loops = 0;
function iterable(name) {
  ready();
  const open = () => {
    const loop = { __proto__: null, id: ++loops, waits: 0, left: false }, line = lineOf(name);
    // Engines call return() at the end and after an error, too, where there is nothing to release.
    let ended = false;
    return {
      async next() {
        if (loop.left) return { done: true, value: undefined };
        ended = true;
        const mine = begin(line, name, loop);
        loop.waits++;
        let r;
        try { r = await mine; } finally {
          loop.waits--;
          if (line.last === mine) line.last = undefined;
        }
        if (r === undefined) return { done: true, value: undefined };
        ended = false;
        return { done: false, value: name === undefined ? r : r[1] };
      },
      // A loop that is left by break, return or throw calls it.
      async return(value) {
        if (!loop.left && (!ended || loop.waits > 0)) {
          loop.left = true;
          release(name, loop.id, loop.waits > 0);
        }
        return { done: true, value };
      },
      [asyncIterator]() { return this; },
    };
  };
  return { [asyncIterator]: open };
}
const single = { __proto__: null, id: 0, left: false };

const stream = function stream(name) {
  check(name, "stream");
  return iterable(name);
};
put(stream, "any", freeze({ any() { return iterable(undefined); } }.any));
put(stream, "first", freeze({
  async first(name) {
    check(name, "stream.first");
    const line = lineOf(name), mine = begin(line, name, single);
    try {
      const r = await mine;
      return r === undefined ? undefined : r[1];
    } finally { if (line.last === mine) line.last = undefined; }
  },
}.first));
put(stream, "open", freeze({
  open(name) {
    check(name, "stream.open");
    return probe(name);
  },
}.open));
return { __proto__: null, stream: freeze(stream) };
})
