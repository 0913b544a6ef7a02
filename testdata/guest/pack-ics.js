import ics, * as all from "@nodetool-ai/sandbox-ics";
return [Object.keys(all).sort(), ics.createEvent === all.createEvent]; //= [["createEvent","createEvents","default","parse"],true]
---
// a whole calendar
import { createEvent } from "@nodetool-ai/sandbox-ics";
const text = await createEvent({
  uid: "u-1", start: [2026, 3, 4, 10, 0], duration: { hours: 6, minutes: 30 }, title: "Plan, then; act\\now\nagain", description: "D", location: "Room 4", url: "https://example.com/x",
  geo: { lat: 52.5, lon: 13.25 }, status: "CONFIRMED", busyStatus: "BUSY", transp: "OPAQUE", categories: ["a", "b"], organizer: { name: "Ann", email: "ann@example.com" },
  attendees: [{ name: "Bob", email: "bob@example.com", rsvp: true, partstat: "ACCEPTED", role: "REQ-PARTICIPANT" }], recurrenceRule: "FREQ=WEEKLY;COUNT=4", sequence: 2, calName: "Work",
  alarms: [{ action: "display", description: "soon", trigger: { hours: 2, minutes: 30, before: true } }],
});
return text.replace(/DTSTAMP:\d{8}T\d{6}Z/, "DTSTAMP:now").split("\r\n"); //= ["BEGIN:VCALENDAR","VERSION:2.0","CALSCALE:GREGORIAN","PRODID:-//Quicksand//sandbox-ics//EN","METHOD:PUBLISH","X-WR-CALNAME:Work","X-PUBLISHED-TTL:PT1H","BEGIN:VEVENT","UID:u-1","SUMMARY:Plan\\, then\\; act\\\\now\\nagain","DTSTAMP:now","DTSTART:20260304T100000Z","SEQUENCE:2","DESCRIPTION:D","URL:https://example.com/x","GEO:52.5;13.25","LOCATION:Room 4","STATUS:CONFIRMED","CATEGORIES:a,b","ORGANIZER;CN=\"Ann\":MAILTO:ann@example.com","X-MICROSOFT-CDO-BUSYSTATUS:BUSY","TRANSP:OPAQUE","ATTENDEE;RSVP=TRUE;ROLE=\"REQ-PARTICIPANT\";PARTSTAT=\"ACCEPTED\";CN=\"Bob\":mail"," to:bob@example.com","RRULE:FREQ=WEEKLY;COUNT=4","DURATION:PT6H30M","BEGIN:VALARM","ACTION:DISPLAY","DESCRIPTION:soon","TRIGGER:-PT2H30M","END:VALARM","END:VEVENT","END:VCALENDAR",""]
---
// days, milliseconds and ends; a title there always is
import { createEvents } from "@nodetool-ai/sandbox-ics";
const text = await createEvents([{ uid: "a", start: [2026, 12, 24], end: [2026, 12, 27] }, { uid: "b", title: "B", start: Date.UTC(2026, 2, 4, 10), end: [2026, 3, 4, 11, 30] }]);
return text.replace(/DTSTAMP:\d{8}T\d{6}Z/g, "DTSTAMP:now").split("\r\n").filter((l) => !/^(VERSION|CALSCALE|PRODID|METHOD|X-)/.test(l)); //= ["BEGIN:VCALENDAR","BEGIN:VEVENT","UID:a","SUMMARY:Untitled event","DTSTAMP:now","DTSTART;VALUE=DATE:20261224","DTEND;VALUE=DATE:20261227","END:VEVENT","BEGIN:VEVENT","UID:b","SUMMARY:B","DTSTAMP:now","DTSTART:20260304T100000Z","DTEND:20260304T113000Z","END:VEVENT","END:VCALENDAR",""]
---
// local times are those of a zone, with its summer time
import { createEvents } from "@nodetool-ai/sandbox-ics";
const start = (text) => text.match(/DTSTART:\S+/g);
const events = [{ start: [2026, 3, 4, 10, 0] }, { start: [2026, 7, 4, 10, 0] }];
return [start(await createEvents(events)), start(await createEvents(events, { timezone: "Europe/Berlin" })), start(await createEvents(events, { timezone: "-05:00" }))]; //= [["DTSTART:20260304T100000Z","DTSTART:20260704T100000Z"],["DTSTART:20260304T090000Z","DTSTART:20260704T080000Z"],["DTSTART:20260304T150000Z","DTSTART:20260704T150000Z"]]
---
// lines have at most 75 octets, characters stay whole, and folds begin with a space
import { createEvent, parse } from "@nodetool-ai/sandbox-ics";
const title = "Grüße an 世界 👋 ".repeat(20);
const text = await createEvent({ uid: "x", start: [2026, 1, 1], title, description: "a".repeat(300) });
const lines = text.split("\r\n"), size = (l) => new TextEncoder().encode(l).length;
return [Math.max(...lines.map(size)), lines.some((l) => l.startsWith("\t")), lines.filter((l) => l.startsWith(" ")).length > 5, (await parse(text))[0].title === title, lines.at(-1)]; //= [75, false, true, true, ""]
---
// no text adds lines of its own
import { createEvent } from "@nodetool-ai/sandbox-ics";
const evil = "x\r\nATTENDEE:mailto:evil@example.com";
const text = await createEvent({ uid: evil, start: [2026, 1, 1], title: evil, location: evil, categories: [evil], organizer: { name: evil, email: "a@example.com" }, attendees: [{ name: evil }], alarms: [{ action: "display", description: evil, summary: evil, trigger: { minutes: 5 } }], productId: evil, calName: evil, recurrenceRule: evil });
return text.split(/\r\n|\r|\n/).filter((l) => l.startsWith("ATTENDEE:mailto:evil")); //= []
---
// calendars of others: folded lines, zones, parameters in quotes
import { parse } from "@nodetool-ai/sandbox-ics";
return await parse(`BEGIN:VCALENDAR
BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:STANDARD
DTSTART:19701025T030000
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:1
SUMMARY:Long
  title\\, with\\nlines
DTSTART;TZID=Europe/Berlin:20260704T100000
DTEND;TZID="Europe/Berlin":20260704T113000
ORGANIZER;CN="Doe; Ann":mailto:ann@example.com
ATTENDEE;CN=Bob;PARTSTAT=ACCEPTED:mailto:bob@example.com
EXDATE:20260711T080000Z,20260718T080000Z
CATEGORIES:a,b\\,c
BEGIN:VALARM
DESCRIPTION:not of the event
END:VALARM
END:VEVENT
BEGIN:VEVENT
DTSTART;VALUE=DATE:20261224
DURATION:P1D
END:VEVENT
BEGIN:VEVENT
DTSTART:20260704T100000
END:VEVENT
END:VCALENDAR`, { timezone: "+02:00" }); //= [{"uid":"1","title":"Long title, with\nlines","start":"2026-07-04T08:00:00.000Z","end":"2026-07-04T09:30:00.000Z","allDay":false,"organizer":{"name":"Doe; Ann","email":"ann@example.com"},"attendees":[{"name":"Bob","email":"bob@example.com","partstat":"ACCEPTED"}],"exclusionDates":["2026-07-11T08:00:00.000Z","2026-07-18T08:00:00.000Z"],"categories":["a","b,c"]},{"uid":null,"title":"","start":"2026-12-24","end":null,"allDay":true,"duration":"P1D"},{"uid":null,"title":"","start":"2026-07-04T08:00:00.000Z","end":null,"allDay":false}]
---
import { createEvent } from "@nodetool-ai/sandbox-ics";
return await createEvent({ title: "x" }); //! Error "ics.createEvent: start is required"
---
import { createEvent } from "@nodetool-ai/sandbox-ics";
return await createEvent({ start: [2026, 1, 1], colour: "red" }); //! Error "ics.createEvent: this field has unspecified keys: colour"
---
import { createEvent } from "@nodetool-ai/sandbox-ics";
return await createEvent({ start: [2026, 13, 1] }); //! Error "ics.createEvent: start[1]"
---
import { createEvent } from "@nodetool-ai/sandbox-ics";
return await createEvent({ start: [2026, 1, 1], status: "MAYBE" }); //! Error "status must match"
---
import { createEvents } from "@nodetool-ai/sandbox-ics";
return await createEvents([]); //! Error "ics.createEvents: events must have at least one event"
---
import { createEvents } from "@nodetool-ai/sandbox-ics";
return await createEvents([{ start: [2026, 1, 1] }, { start: [2026, 1, 1], end: [2026, 1, 2], duration: { days: 1 } }]); //! Error "ics.createEvents: event 1: an event has an end or a duration, not both"
---
import { createEvent } from "@nodetool-ai/sandbox-ics";
return await createEvent({ start: [2026, 1, 1, 8, 0] }, { timezone: "Moon/Sea" }); //! Error "ics.createEvent: \"Moon/Sea\" is not a time zone"
---
import { parse } from "@nodetool-ai/sandbox-ics";
return await parse("hello"); //! Error "ics.parse: the text is no calendar"
