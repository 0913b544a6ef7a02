import chrono, * as all from "@nodetool-ai/sandbox-chrono";
return [Object.keys(all).sort(), chrono.parse === all.parse, await chrono.parseDate("no date here"), await chrono.parse("no date here")]; //= [["default", "parse", "parseDate"], true, null, []]
---
import { parseDate } from "@nodetool-ai/sandbox-chrono";
const now = "2026-03-04T10:00:00Z";
return await Promise.all(["tomorrow at 5pm", "next friday", "in 2 hours", "2026-08-10", "5 days ago", "last week", "10/08/2026"].map((s) => parseDate(s, now))); //= ["2026-03-05T17:00:00.000Z", "2026-03-13T12:00:00.000Z", "2026-03-04T12:00:00.000Z", "2026-08-10T12:00:00.000Z", "2026-02-27T10:00:00.000Z", "2026-02-25T10:00:00.000Z", "2026-10-08T12:00:00.000Z"]
---
// ranges, and text around them
import { parse } from "@nodetool-ai/sandbox-chrono";
return await parse("The fair is Aug 10 - 12 2026, doors open at 9am on Friday", Date.UTC(2026, 2, 4, 10)); //= [{"text":"Aug 10 - 12 2026","start":"2026-08-10T12:00:00.000Z","end":"2026-08-12T12:00:00.000Z"},{"text":"at 9am on Friday","start":"2026-03-06T09:00:00.000Z","end":null}]
---
// much that people write
import { parseDate } from "@nodetool-ai/sandbox-chrono";
const now = new Date("2026-03-04T10:00:00Z");
return await Promise.all(["today", "yesterday evening", "tonight at 8", "noon", "midnight", "monday", "last monday", "next month", "in a fortnight", "3 weeks from now", "the 5th of May", "May 5", "5 May 2027 14:30", "2026-05-06T07:08:09Z", "2026-05-06T07:08:09+02:00", "at 7:30pm EST", "half an hour ago", "end of next month", "Sat Aug 17 2013 18:40:39 GMT+0900", "12.5.2026", "this weekend"].map((s) => parseDate(s, now))); //= ["2026-03-04T10:00:00.000Z","2026-03-03T20:00:00.000Z","2026-03-04T20:00:00.000Z","2026-03-04T12:00:00.000Z","2026-03-05T00:00:00.000Z","2026-03-02T12:00:00.000Z","2026-03-02T12:00:00.000Z","2026-04-04T10:00:00.000Z",null,"2026-03-25T10:00:00.000Z","2026-05-05T12:00:00.000Z","2026-05-05T12:00:00.000Z","2027-05-05T14:30:00.000Z","2026-05-06T07:08:09.000Z","2026-05-06T05:08:09.000Z","2026-03-05T00:30:00.000Z","2026-03-04T09:30:00.000Z","2026-04-30T12:00:00.000Z","2013-08-17T09:40:39.000Z","2026-12-05T12:00:00.000Z","2026-03-07T12:00:00.000Z"]
---
// a zone decides what a text means, with the offset of that day
import { parseDate } from "@nodetool-ai/sandbox-chrono";
const now = "2026-03-04T23:30:00Z";
const at = (s, timezone) => parseDate(s, now, { timezone });
return [await at("tomorrow at 5pm", "UTC"), await at("tomorrow at 5pm", "Europe/Berlin"), await at("July 1 at 5pm", "Europe/Berlin"), await at("tomorrow at 5pm", "+09:00"), await at("tomorrow at 5pm", -300), await at("in 2 hours", "Asia/Tokyo"), await at("July 1 at 5pm GMT", "Asia/Tokyo"), await at("2026-03-29 02:30", "Europe/Berlin")]; //= ["2026-03-05T17:00:00.000Z", "2026-03-06T16:00:00.000Z", "2026-07-01T15:00:00.000Z", "2026-03-06T08:00:00.000Z", "2026-03-05T22:00:00.000Z", "2026-03-05T01:30:00.000Z", "2026-07-01T17:00:00.000Z", "2026-03-29T01:30:00.000Z"]
---
// day first, never in the past, no casual words, and what is certain
import { parse, parseDate } from "@nodetool-ai/sandbox-chrono";
const now = "2026-03-04T10:00:00Z";
return [await parseDate("10/08/2026", now, { dayFirst: true }), await parseDate("January 5", now, { forwardDate: true }), await parseDate("tomorrow", now, { strict: true }), await parse("May 5 at 3pm", now, { details: true })]; //= ["2026-08-10T12:00:00.000Z", "2027-01-05T12:00:00.000Z", null, [{"text": "May 5 at 3pm", "start": "2026-05-05T15:00:00.000Z", "end": null, "index": 0, "startCertain": ["month", "day", "hour", "minute", "meridiem"], "endCertain": null}]]
---
// what is no reference means the current time
import { parseDate } from "@nodetool-ai/sandbox-chrono";
const near = async (now) => Math.abs(Date.parse(await parseDate("in 1 hour", now)) - Date.now() - 3600000) < 60000;
return [await near(), await near("rubbish"), await near(null), await near({})]; //= [true, true, true, true]
---
import { parse } from "@nodetool-ai/sandbox-chrono";
return await parse({}); //! Error "chrono.parse: the text must be a string, got an object"
---
import { parseDate } from "@nodetool-ai/sandbox-chrono";
return await parseDate("today", 0, { timezone: "Mars/Olympus" }); //! Error "chrono.parseDate: \"Mars/Olympus\" is not a time zone"
