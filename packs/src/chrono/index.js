import { casual, strict, GB } from "chrono-node/en";
import { exported, text, bag } from "../facade/checks.js";
import { offsetAt, toInstant } from "../facade/zones.js";

// reference is what "tomorrow" counts from: an ISO string, milliseconds or a Date. What is
// none of them means the current time.
function reference(now) {
  const ms = now instanceof Date ? now.getTime() : typeof now === "number" || typeof now === "string" ? new Date(now).getTime() : NaN;
  return Number.isNaN(ms) ? Date.now() : ms;
}

const units = ["year", "month", "day", "weekday", "hour", "minute", "second", "millisecond", "meridiem", "timezoneOffset"];

function results(input, now, o) {
  o = bag(o);
  const zone = o.timezone ?? "UTC", instant = reference(now);
  const parser = o.dayFirst === true ? GB : o.strict === true ? strict : casual;
  const found = parser.parse(text(input), { instant: new Date(instant), timezone: offsetAt(zone, instant) }, { forwardDate: o.forwardDate === true });
  // moment is the instant of what was found: a text without an offset means the zone, whose
  // offset on that day may be another than that of the reference.
  const moment = (c) => {
    if (c.isCertain("timezoneOffset")) return c.date();
    const wall = new Date(Date.UTC(2000, c.get("month") - 1, c.get("day"), c.get("hour") ?? 12, c.get("minute") ?? 0, c.get("second") ?? 0, c.get("millisecond") ?? 0));
    wall.setUTCFullYear(c.get("year"), c.get("month") - 1, c.get("day"));
    return new Date(toInstant(zone, wall.getTime()));
  };
  const iso = (c) => c ? moment(c).toISOString() : null;
  const certain = (c) => c ? units.filter((u) => c.isCertain(u)) : null;
  return found.map((r) => ({
    text: r.text, start: iso(r.start), end: iso(r.end),
    ...(o.details === true ? { index: r.index, startCertain: certain(r.start), endCertain: certain(r.end) } : {}),
  }));
}

export const parse = exported("chrono", "parse", results);
export const parseDate = exported("chrono", "parseDate", (input, now, o) => results(input, now, o)[0]?.start ?? null);

export default { parse, parseDate };
