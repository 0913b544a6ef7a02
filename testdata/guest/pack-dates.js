// every name of date-fns 4.4 is exported, and nothing else
import * as dates from "@nodetool-ai/sandbox-dates";
const all = Object.keys(dates);
return [all.length, all.every((n) => /^[a-z][A-Za-z0-9]*$/.test(n)), typeof dates.default]; //= [250,true,"undefined"]
---
// arithmetic does not change its argument, and ends of months are cut
import { add, addMonths, sub, addBusinessDays } from "@nodetool-ai/sandbox-dates";
const d = new Date("2026-01-31T10:00:00Z");
return [addMonths(d, 1), add(d, { years: 1, days: 1, hours: 2 }), sub(d, { weeks: 2 }), addBusinessDays(d, 3), d].map((x) => x.toISOString()); //= ["2026-02-28T10:00:00.000Z","2027-02-01T12:00:00.000Z","2026-01-17T10:00:00.000Z","2026-02-04T10:00:00.000Z","2026-01-31T10:00:00.000Z"]
---
// differences are whole units, or steps of the calendar
import { differenceInDays, differenceInCalendarDays, differenceInMonths, differenceInBusinessDays, differenceInWeeks } from "@nodetool-ai/sandbox-dates";
const a = new Date("2026-03-31T08:00:00Z"), b = new Date("2026-02-28T20:00:00Z");
return [differenceInDays(a, b), differenceInCalendarDays(a, b), differenceInMonths(a, b), differenceInBusinessDays(a, b), differenceInWeeks(a, b)]; //= [30,31,1,21,4]
---
// formatting by patterns, in English
import { format, formatISO, formatRFC7231, formatDistance, formatDuration, lightFormat, intervalToDuration } from "@nodetool-ai/sandbox-dates";
const d = new Date("2026-03-04T15:06:07.089Z");
return [format(d, "EEEE, do MMMM yyyy, h:mm:ss.SSS aaa"), format(d, "QQQ 'week' II RRRR xxx"), formatISO(d), formatRFC7231(d), lightFormat(d, "yy/M/d"),
  formatDistance(d, new Date("2026-05-01"), { addSuffix: true }), formatDuration({ hours: 2, minutes: 30 }), intervalToDuration({ start: d, end: new Date("2027-05-06T16:07:08Z") })]; //= ["Wednesday, 4th March 2026, 3:06:07.089 pm","Q1 week 10 2026 +00:00","2026-03-04T15:06:07Z","Wed, 04 Mar 2026 15:06:07 GMT","26/3/4","about 2 months ago","2 hours 30 minutes",{"years":1,"months":2,"days":2,"hours":1,"minutes":1}]
---
// parsing by patterns and of ISO texts
import { parse, parseISO, isValid, isMatch } from "@nodetool-ai/sandbox-dates";
const base = new Date(0);
return [parse("04.03.2026 17:05", "dd.MM.yyyy HH:mm", base), parse("March 4th, 2026", "MMMM do, yyyy", base), parseISO("2026-W10-3"), parseISO("2026-03-04T10:00:00+05:30")].map((x) => x.toISOString())
  .concat([isValid(parse("31.02.2026", "dd.MM.yyyy", base)), isMatch("2026-02-30", "yyyy-MM-dd")]); //= ["2026-03-04T17:05:00.000Z","2026-03-04T00:00:00.000Z","2026-03-04T00:00:00.000Z","2026-03-04T04:30:00.000Z",false,false]
---
// lists of intervals, and questions about them
import { eachWeekOfInterval, eachWeekendOfMonth, isWithinInterval, areIntervalsOverlapping, closestTo, min, getISOWeek, startOfISOWeek } from "@nodetool-ai/sandbox-dates";
const start = new Date("2026-03-01"), end = new Date("2026-03-31");
return [eachWeekOfInterval({ start, end }, { weekStartsOn: 1 }).map((d) => d.getUTCDate()), eachWeekendOfMonth(start).length, isWithinInterval(new Date("2026-03-15"), { start, end }),
  areIntervalsOverlapping({ start, end }, { start: end, end: new Date("2026-04-02") }), closestTo(new Date("2026-03-20"), [start, end]).getUTCDate(), min([end, start]).getUTCDate(), getISOWeek(end), startOfISOWeek(start).toISOString()]; //= [[23,2,9,16,23,30],9,true,false,31,1,14,"2026-02-23T00:00:00.000Z"]
---
// names that depend on Intl work
import { intlFormat, intlFormatDistance } from "@nodetool-ai/sandbox-dates";
return [intlFormat(new Date("2026-03-04T12:00:00Z"), { year: "numeric", month: "long", day: "numeric" }, { locale: "de-DE" }), intlFormatDistance(new Date("2026-03-06"), new Date("2026-03-04"))]; //= ["4. März 2026","in 2 days"]
---
import { format } from "@nodetool-ai/sandbox-dates";
return format(new Date(NaN), "yyyy"); //! RangeError "Invalid time value"
---
import { format } from "@nodetool-ai/sandbox-dates";
return format(new Date(0), "YYYY"); //! RangeError "YYYY"
