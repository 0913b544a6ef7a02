import * as rrule from "@nodetool-ai/sandbox-rrule";
return Object.keys(rrule).sort(); //= ["ALL_WEEKDAYS","Frequency","RRule","RRuleSet","Weekday","datetime","rrulestr"]
---
import { RRule, datetime } from "@nodetool-ai/sandbox-rrule";
const day = (d) => d.toISOString().slice(0, 16);
const rules = [
  { freq: RRule.DAILY, interval: 3, count: 4, byhour: [9, 17], byminute: 30, bysecond: 0 },
  { freq: RRule.WEEKLY, byweekday: [RRule.MO, RRule.FR], until: datetime(2026, 1, 20) },
  { freq: RRule.MONTHLY, byweekday: [RRule.FR.nth(-1)], count: 3 },
  { freq: RRule.MONTHLY, bymonthday: [-1], count: 3 },
  { freq: RRule.YEARLY, byeaster: 0, count: 2 },
  { freq: RRule.YEARLY, bymonth: [2], bymonthday: [29], count: 2 },
  { freq: RRule.MONTHLY, byweekday: [RRule.MO, RRule.TU, RRule.WE, RRule.TH, RRule.FR], bysetpos: [-1], count: 3 },
].map((o) => new RRule({ dtstart: datetime(2026, 1, 1, 8, 0), ...o }));
return rules.map((r) => [r.all().map(day), r.toString(), r.toText()]); //= [[["2026-01-01T09:30","2026-01-01T17:30","2026-01-04T09:30","2026-01-04T17:30"],"DTSTART:20260101T080000Z\nRRULE:FREQ=DAILY;INTERVAL=3;COUNT=4;BYHOUR=9,17;BYMINUTE=30;BYSECOND=0","every 3 days at 9 and 17 for 4 times"],[["2026-01-02T08:00","2026-01-05T08:00","2026-01-09T08:00","2026-01-12T08:00","2026-01-16T08:00","2026-01-19T08:00"],"DTSTART:20260101T080000Z\nRRULE:FREQ=WEEKLY;BYDAY=MO,FR;UNTIL=20260120T000000Z","every week on Monday, Friday until January 20, 2026"],[["2026-01-30T08:00","2026-02-27T08:00","2026-03-27T08:00"],"DTSTART:20260101T080000Z\nRRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=3","every month on the last Friday for 3 times"],[["2026-01-31T08:00","2026-02-28T08:00","2026-03-31T08:00"],"DTSTART:20260101T080000Z\nRRULE:FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3","every month on the last for 3 times"],[["2026-04-05T08:00","2027-03-28T08:00"],"DTSTART:20260101T080000Z\nRRULE:FREQ=YEARLY;BYEASTER=0;COUNT=2","every year for 2 times"],[["2028-02-29T08:00","2032-02-29T08:00"],"DTSTART:20260101T080000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=2","every February on the 29th for 2 times"],[["2026-01-30T08:00","2026-02-27T08:00","2026-03-31T08:00"],"DTSTART:20260101T080000Z\nRRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3","every month on weekdays for 3 times"]]
---
import { RRuleSet, RRule, datetime, rrulestr } from "@nodetool-ai/sandbox-rrule";
const set = new RRuleSet();
set.rrule(new RRule({ freq: RRule.DAILY, count: 5, dtstart: datetime(2026, 3, 1) }));
set.exdate(datetime(2026, 3, 3));
set.rdate(datetime(2026, 4, 1));
const back = rrulestr(set.toString(), { forceset: true });
return [set.all().map((d) => d.toISOString().slice(0, 10)), set.valueOf(), back.all().length, set.between(datetime(2026, 3, 2), datetime(2026, 3, 4), true).length, set.after(datetime(2026, 3, 20)).toISOString(), set.before(datetime(2026, 3, 2)).toISOString()]; //= [["2026-03-01","2026-03-02","2026-03-04","2026-03-05","2026-04-01"],["DTSTART:20260301T000000Z","RRULE:FREQ=DAILY;COUNT=5","RDATE:20260401T000000Z","EXDATE:20260303T000000Z"],5,2,"2026-04-01T00:00:00.000Z","2026-03-01T00:00:00.000Z"]
---
// rules without an end are asked for a part
import { rrulestr, Frequency } from "@nodetool-ai/sandbox-rrule";
const r = rrulestr("DTSTART:20260302T090000Z\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE");
return [r.options.freq === Frequency.WEEKLY, r.all((_, i) => i < 3).length, r.between(new Date("2026-04-01"), new Date("2026-04-15")).map((d) => d.toISOString())]; //= [true,3,["2026-04-01T09:00:00.000Z","2026-04-13T09:00:00.000Z"]]
---
import { rrulestr } from "@nodetool-ai/sandbox-rrule";
return rrulestr("RRULE:FREQ=SOMETIMES"); //! Error "Invalid frequency"
