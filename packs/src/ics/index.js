import { createEvents as create } from "ics";
import { exported, text, bag, isObject, list, refuse } from "../facade/checks.js";
import { offsetAt, toInstant } from "../facade/zones.js";
import { read } from "./read.js";

const product = "-//Quicksand//sandbox-ics//EN";
const maxEvents = 10_000;

// safe takes line ends out of the texts that the library writes as they are, or a name could
// add lines of its own to the calendar.
function safe(v, key) {
  if (typeof v === "string") return ["title", "description", "location", "summary", "htmlContent"].includes(key) ? v.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, "") : v.replace(/[\0-\x1f\x7f]+/g, " ");
  if (Array.isArray(v)) return v.map((x) => safe(x, key));
  return isObject(v) ? Object.fromEntries(Object.entries(v).map(([k, x]) => [k, safe(x, k)])) : v;
}

// inZone turns a local time into one in UTC.
function inZone(time, zone) {
  if (!Array.isArray(time) || time.length <= 3) return time;
  const d = new Date(toInstant(zone, Date.UTC(time[0], time[1] - 1, time[2], time[3] ?? 0, time[4] ?? 0, time[5] ?? 0)));
  return [d.getUTCFullYear(), d.getUTCMonth() + 1, d.getUTCDate(), d.getUTCHours(), d.getUTCMinutes(), ...(time.length > 5 ? [d.getUTCSeconds()] : [])];
}

function prepare(event, index, o) {
  const where = index === undefined ? "" : `event ${index}: `;
  if (!isObject(event)) refuse(`${where}the event must be an object`);
  const e = safe(event);
  if (e.start === undefined || e.start === null) refuse(`${where}start is required: [year, month, day], [year, month, day, hour, minute] or milliseconds`);
  if (e.end !== undefined && e.duration !== undefined) refuse(`${where}an event has an end or a duration, not both`);
  e.productId ??= product;
  e.method ??= "PUBLISH";
  if (o.timezone !== undefined) {
    offsetAt(o.timezone, 0); // whether there is such a zone
    for (const [field, type] of [["start", "startInputType"], ["end", "endInputType"]]) {
      if (e[type] === "utc" || !Array.isArray(e[field]) || e[field].length <= 3) continue;
      e[field] = inZone(e[field], o.timezone);
      e[type] = "utc";
      e[type.replace("Input", "Output")] ??= "utc";
    }
    if (Array.isArray(e.exclusionDates)) e.exclusionDates = e.exclusionDates.map((d) => inZone(d, o.timezone));
  }
  return e;
}

// fold cuts lines as RFC 5545 has it: at most 75 octets in a line without its end, never
// inside of a character, and a space to continue. The library's own folds are left out of
// the bundle.
function fold(ics) {
  const out = [];
  for (const line of ics.split("\r\n")) {
    if (line.length < 26) { // at most three octets a unit
      out.push(line);
      continue;
    }
    let octets = 0, from = 0, at = 0;
    for (const c of line) {
      const code = c.codePointAt(0), n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
      if (octets + n > 75) {
        out.push((from > 0 ? " " : "") + line.slice(from, at));
        from = at;
        octets = 1; // the space
      }
      octets += n;
      at += c.length;
    }
    out.push((from > 0 ? " " : "") + line.slice(from));
  }
  return out.join("\r\n");
}

function write(events) {
  const { error, value } = create(events);
  if (error) refuse(Array.isArray(error.errors) && error.errors.length ? error.errors.join("; ") : error.message ?? "the event is not valid");
  return fold(value);
}

export const createEvent = exported("ics", "createEvent", (event, o) => write([prepare(event, undefined, bag(o))]));

export const createEvents = exported("ics", "createEvents", (events, o) => {
  list(events, "events", maxEvents);
  if (events.length === 0) refuse("events must have at least one event");
  return write(events.map((e, i) => prepare(e, i, bag(o))));
});

// parse reads the events of a calendar.
export const parse = exported("ics", "parse", (calendar, o) => read(text(calendar), bag(o)));

export default { createEvent, createEvents, parse };
