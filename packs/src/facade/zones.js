import { refuse } from "./checks.js";

const formats = new Map();

// offsetAt is how many minutes a zone is ahead of UTC at an instant. A zone is a number of
// minutes, "Z", "+02:00", or a name like "Europe/Berlin".
export function offsetAt(zone, ms) {
  if (typeof zone === "number" && Number.isFinite(zone)) return zone;
  const m = /^(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?$/.exec(zone);
  if (m) return (m[1] === "-" ? -1 : 1) * (60 * m[2] + Number(m[3] ?? 0));
  if (zone === "Z" || zone === "UTC" || zone === "GMT") return 0;
  let f = formats.get(zone);
  if (!f) {
    try {
      f = new Intl.DateTimeFormat("en-US", { timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" });
    } catch {
      refuse(`${JSON.stringify(zone)} is not a time zone: give a name like "Europe/Berlin", an offset like "+02:00", or minutes`);
    }
    formats.set(zone, f);
  }
  const p = {};
  for (const { type, value } of f.formatToParts(new Date(ms))) p[type] = Number(value);
  return Math.round((Date.UTC(p.year, p.month - 1, p.day, p.hour % 24, p.minute, p.second) - Math.floor(ms / 1000) * 1000) / 60000);
}

// toInstant is the instant at which clocks of a zone show a time, which is given as if it
// were UTC. A time that clocks skip is taken with the offset before the change.
export function toInstant(zone, wall) {
  const first = wall - 60000 * offsetAt(zone, wall - 86400000);
  if (offsetAt(zone, first) === offsetAt(zone, wall - 86400000)) return first;
  const second = wall - 60000 * offsetAt(zone, first);
  return offsetAt(zone, second) === offsetAt(zone, first) ? second : first;
}
