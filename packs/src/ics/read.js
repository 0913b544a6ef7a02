import { list, refuse } from "../facade/checks.js";
import { toInstant } from "../facade/zones.js";

const maxLines = 200_000;

// property splits a line: its name, its parameters and its value.
function property(line) {
  const m = /^([A-Za-z0-9-]+)((?:;[A-Za-z0-9-]+=(?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)*):([^]*)$/.exec(line);
  if (!m) return null;
  const params = Object.create(null);
  for (const [, k, v] of m[2].matchAll(/;([A-Za-z0-9-]+)=((?:"[^"]*"|[^";])*)/g)) params[k.toUpperCase()] = v.replaceAll('"', "");
  return { name: m[1].toUpperCase(), params, value: m[3] };
}

// unescape is a loop, since replacing by a pattern holds all matches at one time.
function unescape(s) {
  let out = "", from = 0;
  for (let at = s.indexOf("\\"); at >= 0 && at + 1 < s.length; at = s.indexOf("\\", from)) {
    const c = s[at + 1];
    out += s.slice(from, at) + (c === "n" || c === "N" ? "\n" : "\\,;".includes(c) ? c : "\\" + c);
    from = at + 2;
  }
  return out + s.slice(from);
}

const split = (s) => s.split(/(?<!\\),/).map(unescape);

// time is a date as "2026-03-04", or an instant as an ISO string. Times without a zone are
// those of the zone of the options.
function time({ params, value }, zone) {
  const m = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(value.trim());
  if (!m) return null;
  if (m[4] === undefined) return `${m[1]}-${m[2]}-${m[3]}`;
  const wall = Date.UTC(m[1], m[2] - 1, m[3], m[4], m[5], m[6]);
  return new Date(m[7] === "Z" ? wall : toInstant(known(params.TZID) ?? zone, wall)).toISOString();
}

// known is a zone by a name that this machine knows: some programs have names of their own.
function known(name) {
  try {
    if (name) toInstant(name, 0);
    return name || undefined;
  } catch {
    return undefined;
  }
}

const person = ({ params, value }) => ({ name: params.CN ?? null, email: value.replace(/^mailto:/i, ""), ...(params.PARTSTAT ? { partstat: params.PARTSTAT } : {}), ...(params.ROLE ? { role: params.ROLE } : {}) });

// read takes the events out of a calendar.
export function read(calendar, o) {
  const lines = calendar.replace(/\r\n|\r/g, "\n").replace(/\n[ \t]/g, "").split("\n");
  list(lines, "the calendar", maxLines);
  const zone = o.timezone ?? "UTC", events = [];
  let event = null, inside = [], seen = false;
  for (const line of lines) {
    const p = property(line);
    if (!p) continue;
    if (p.name === "BEGIN") {
      const what = p.value.trim().toUpperCase();
      seen ||= what === "VCALENDAR";
      inside.push(what);
      if (what === "VEVENT") events.push(event = { uid: null, title: "", start: null, end: null, allDay: false });
      continue;
    }
    if (p.name === "END") {
      if (inside.pop() === "VEVENT") event = null;
      continue;
    }
    if (!event || inside.at(-1) !== "VEVENT") continue;
    switch (p.name) {
      case "UID": event.uid = p.value; break;
      case "SUMMARY": event.title = unescape(p.value); break;
      case "DESCRIPTION": case "LOCATION": event[p.name.toLowerCase()] = unescape(p.value); break;
      case "URL": case "STATUS": case "TRANSP": event[p.name.toLowerCase()] = p.value; break;
      case "DTSTART":
        event.start = time(p, zone);
        event.allDay = event.start?.length === 10;
        break;
      case "DTEND": event.end = time(p, zone); break;
      case "DURATION": event.duration = p.value; break;
      case "RRULE": event.recurrenceRule = p.value; break;
      case "EXDATE": (event.exclusionDates ??= []).push(...p.value.split(",").map((value) => time({ ...p, value }, zone)).filter(Boolean)); break;
      case "CATEGORIES": (event.categories ??= []).push(...split(p.value)); break;
      case "SEQUENCE": event.sequence = Number(p.value); break;
      case "ORGANIZER": event.organizer = person(p); break;
      case "ATTENDEE": (event.attendees ??= []).push(person(p)); break;
      case "GEO": {
        const [lat, lon] = p.value.split(";").map(Number);
        event.geo = { lat, lon };
      }
    }
  }
  return seen ? events : refuse("the text is no calendar: it has no BEGIN:VCALENDAR");
}
