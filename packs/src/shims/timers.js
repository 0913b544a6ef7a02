// The timers of libraries that only want to continue later: a guest has none unless its run
// grants them, and these never wait.
let last = 0;
const waiting = new Set();

export function setTimeout(f, _ms, ...args) {
  const id = ++last;
  waiting.add(id);
  queueMicrotask(() => {
    if (waiting.delete(id)) f(...args);
  });
  return id;
}

export function clearTimeout(id) {
  waiting.delete(id);
}

export const setImmediate = (f, ...args) => setTimeout(f, 0, ...args);
export const clearImmediate = clearTimeout;
