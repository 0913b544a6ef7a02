// The console methods that few runs use.
(function (I) {
"use strict";
const { native, m, unit, clean, log, send, state, now, ownKeys, getOwnPropertyDescriptor, hasOwn, slice, $String, $Map } = I;
const { format, inspect, isObject, thrown, value, list, append, indentBy, defaultDepth, begin, room, cell, property } = unit(UNIT.inspect);
const S = m("String"), M = m("Map"), B = m("Bytes");

function table(data, only) {
  if (state.quiet) return;
  if (!isObject(data)) return log("log", [data]);
  begin();
  const columns = list(), rows = list(), names = list();
  let values = false, cut = 0;
  const column = (k) => {
    for (let i = 0; i < columns.length; i++) if (columns[i] === k) return i;
    if (columns.length >= 50) return -1;
    append(columns, k);
    return columns.length - 1;
  };
  const row = (label, v) => {
    const r = { __proto__: null, cells: list(), value: undefined };
    append(names, label);
    append(rows, r);
    if (!isObject(v) || typeof v === "function") { r.value = cell(v); values = true; return; }
    const keys = only === undefined ? ownKeys(v) : only;
    for (let i = 0; i < keys.length && i < 200; i++) {
      const d = getOwnPropertyDescriptor(v, keys[i]);
      if (typeof keys[i] === "symbol" || only === undefined && !d.enumerable) continue;
      const at = column($String(keys[i]));
      if (at >= 0 && d !== undefined) r.cells[at] = property(d, cell);
    }
  };
  const full = () => rows.length >= 500 || !room();
  let head = "(index)";
  try {
    const cls = native(OP.Class, data);
    if (only !== undefined) for (let i = 0; i < only.length; i++) column($String(only[i]));
    if (cls === "Map" || cls === "Set") {
      head = "(iteration index)";
      const map = cls === "Map", n = map ? M.size(data) : m("Set").size(data);
      const it = map ? M.entries(data) : m("Set").values(data), next = m(cls + "Iterator").next;
      for (let i = 0; i < n; i++) {
        if (full()) { cut = n - i; break; }
        const e = next(it).value;
        if (map) { const r = { __proto__: null, Key: e[0], Values: e[1] }; row("" + i, r); } else row("" + i, e);
      }
    } else if (slice(cls, -5) === "Array" && cls !== "Array") {
      const n = B.length(data);
      for (let i = 0; i < n; i++) { if (full()) { cut = n - i; break; } row("" + i, data[i]); }
    } else {
      const keys = ownKeys(data);
      for (let i = 0; i < keys.length; i++) {
        if (full()) { cut = keys.length - i; break; }
        const d = getOwnPropertyDescriptor(data, keys[i]);
        if (typeof keys[i] === "string" && d !== undefined && d.enumerable) row(keys[i], hasOwn(d, "value") ? d.value : property(d));
      }
    }
  } catch (e) { return send("log", "<table that throws " + thrown(e) + ">"); }
  const grid = list(), widths = list();
  const line = (cells) => {
    for (let i = 0; i < cells.length; i++) if (!(widths[i] >= cells[i].length)) widths[i] = cells[i].length;
    append(grid, cells);
  };
  const cells = (first, get, last) => {
    const c = list();
    append(c, first);
    for (let i = 0; i < columns.length; i++) append(c, get(i));
    if (values) append(c, last);
    return c;
  };
  line(cells(head, (i) => columns[i], "Values"));
  for (let r = 0; r < rows.length; r++) line(cells(names[r], (i) => rows[r].cells[i] ?? "", rows[r].value ?? ""));
  const rule = (a, b, c) => {
    let s = a;
    for (let i = 0; i < widths.length; i++) s += (i > 0 ? b : "") + S.repeat("─", widths[i] + 2);
    return s + c;
  };
  let s = rule("┌", "┬", "┐");
  for (let r = 0; r < grid.length; r++) {
    s += "\n";
    for (let i = 0; i < widths.length; i++) s += "│ " + S.padEnd(grid[r][i], widths[i] + 1);
    s += "│" + (r === 0 ? "\n" + rule("├", "┼", "┤") : "");
  }
  s += "\n" + rule("└", "┴", "┘");
  if (cut > 0) s += "\n... " + cut + " more rows";
  send("log", s);
}

const timers = new $Map(), counts = new $Map();
const label = (l) => l === undefined ? "default" : $String(l);
function elapsed(l, rest, end) {
  const t = M.get(timers, l);
  if (t === undefined) return log("warn", ["No such label '" + l + "' for console.time" + (end ? "End" : "Log") + "()"]);
  const ms = now() - t;
  const fixed = m("Number").toFixed;
  let s = l + ": " + (ms < 1000 ? fixed(ms, 3) + "ms" : fixed(ms / 1000, 3) + "s");
  for (let i = 0; i < rest.length; i++) s += " " + format([rest[i]]);
  send("log", s);
  if (end) M.delete(timers, l);
}

return {
  __proto__: null,
  indent: (s) => state.indent + indentBy(s, state.indent),
  table,
  trace(...args) {
    if (state.quiet) return;
    const s = args.length === 0 ? "Trace" : "Trace: " + format(args);
    send("debug", slice(s + "\n" + clean(native(OP.Stack)), 0, -1));
  },
  dir(v, options) {
    if (state.quiet) return;
    let depth = defaultDepth;
    if (isObject(options)) {
      const d = value(options, "depth");
      if (typeof d === "number" && d >= 0) depth = d;
      else if (d === null) depth = Infinity;
    }
    send("log", inspect(v, depth));
  },
  time(l) {
    l = label(l);
    if (M.has(timers, l)) return log("warn", ["Label '" + l + "' already exists for console.time()"]);
    if (M.size(timers) < 1000) M.set(timers, l, now());
  },
  timeEnd(l) { elapsed(label(l), [], true); },
  timeLog(l, ...rest) { elapsed(label(l), rest, false); },
  group(...args) {
    if (args.length > 0) log("log", args);
    if (state.indent.length < 200) state.indent += "  ";
  },
  groupCollapsed(...args) {
    if (args.length > 0) log("log", args);
    if (state.indent.length < 200) state.indent += "  ";
  },
  groupEnd() { state.indent = slice(state.indent, 2); },
  assert(ok, ...args) {
    if (ok || state.quiet) return;
    let s = "Assertion failed";
    if (args.length > 0) s += (typeof args[0] === "string" ? ": " : " ") + format(args);
    send("error", s);
  },
  count(l) {
    l = label(l);
    const n = (M.get(counts, l) ?? 0) + 1;
    if (n > 1 || M.size(counts) < 1000) M.set(counts, l, n);
    log("log", [l + ": " + n]);
  },
  countReset(l) {
    l = label(l);
    if (!M.delete(counts, l)) log("warn", ["Count for '" + l + "' does not exist"]);
  },
};
})
