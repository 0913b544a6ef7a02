// setTimeout and its kin, for runs whose host allows them.
(function (I) {
"use strict";
const { native, state, log, apply, setPrototypeOf, $Number, $TypeError, $RangeError } = I;
const now = () => native(OP.PerformanceNow);

// The timers that wait, in the order in which they are due, and of one moment in the order in
// which they were set. For all of them the host waits once, until the first is due.
const waiting = setPrototypeOf([], null);
let last = 0; // id of a timer
let wake = 0, wakeAt = 0; // the wait of the host: its id, or 0, and its end

function insert(t) {
  let i = waiting.length;
  for (; i > 0 && waiting[i - 1].at > t.at; i--) waiting[i] = waiting[i - 1];
  waiting[i] = t;
}
function remove(i) {
  for (; i + 1 < waiting.length; i++) waiting[i] = waiting[i + 1];
  waiting.length--;
}

// arm lets the host wait for the first timer, if it does not do so already.
function arm() {
  if (wake !== 0) {
    if (waiting.length > 0 && wakeAt <= waiting[0].at) return;
    native(OP.EndWait, wake);
    wake = 0;
  }
  if (waiting.length === 0) return;
  wakeAt = waiting[0].at;
  const ms = wakeAt - now(), id = ++state.waits;
  woken(native(OP.Timer, [ms > 0 ? ms : 0, id]), id);
  wake = id;
}
// woken runs one timer, so that what it leaves in promises comes before the next.
async function woken(wait, id) {
  await wait;
  if (wake !== id) return;
  wake = 0;
  const t = waiting[0];
  const due = t !== undefined && t.at <= now() + 0.01;
  if (due) {
    remove(0);
    if (t.every > 0) {
      t.at = now() + t.every;
      insert(t);
    }
  }
  try { arm(); } catch (e) { log("error", ["Timers stopped:", e]); }
  if (!due) return;
  try { apply(t.callback, undefined, t.args); } catch (e) { log("error", ["Uncaught in a timer:", e]); }
}

function set(verb, callback, ms, every, args) {
  if (typeof callback !== "function") throw new $TypeError(verb + ": callback must be a function");
  if (waiting.length >= state.timers) throw new $RangeError(verb + ": more than " + state.timers + " timers at one time (Timers)");
  ms = $Number(ms);
  ms = ms > 0 ? ms > 2147483647 ? 2147483647 : ms : 0;
  if (every && ms < 1) ms = 1;
  const t = { __proto__: null, id: ++last, at: now() + ms, every: every ? ms : 0, callback, args };
  insert(t);
  try { arm(); } catch (e) { clear(t.id); throw e; } // too many calls are open
  return t.id;
}
function clear(id) {
  for (let i = 0; i < waiting.length; i++) {
    if (waiting[i].id !== id) continue;
    remove(i);
    if (waiting.length === 0) arm();
    return;
  }
}

return {
  __proto__: null,
  setTimeout(callback, ms, ...args) { return set("setTimeout", callback, ms, false, args); },
  setInterval(callback, ms, ...args) { return set("setInterval", callback, ms, true, args); },
  clearTimeout(id) { clear(id); },
  clearInterval(id) { clear(id); },
};
})
