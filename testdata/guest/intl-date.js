// dates: UTC when no zone is given
const t = Date.UTC(2026, 0, 2, 3, 4, 5, 678), s = (x) => x.replace(/\s/g, " ");
return [new Intl.DateTimeFormat("en").format(t), s(new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeStyle: "long", timeZone: "America/New_York" }).format(t)), new Intl.DateTimeFormat("de", { dateStyle: "medium", timeStyle: "short" }).format(new Date(t)),
  new Intl.DateTimeFormat("ja", { year: "numeric", month: "long", day: "numeric", weekday: "long" }).format(t), new Intl.DateTimeFormat("ar-EG", { dateStyle: "short" }).format(t)];
//= ["1/2/2026", "Thursday, January 1, 2026 at 10:04:05 PM EST", "02.01.2026, 03:04", "2026年1月2日金曜日", "٢‏/١‏/٢٠٢٦"]
---
const f = new Intl.DateTimeFormat("en", { hour: "numeric", minute: "2-digit", hour12: false, timeZone: "Asia/Kolkata" });
const { locale, calendar, numberingSystem, timeZone, hourCycle, hour12 } = f.resolvedOptions();
return [f.format(0), locale, calendar, numberingSystem, timeZone, hourCycle, hour12, new Intl.DateTimeFormat().resolvedOptions().timeZone];
//= ["05:30", "en", "gregory", "latn", "Asia/Kolkata", "h23", false, "UTC"]
---
return new Intl.DateTimeFormat("en", { dateStyle: "short" }).formatToParts(0).map((p) => p.type + ":" + p.value).join("|");
//= "month:1|literal:/|day:1|literal:/|year:70"
---
const f = new Intl.DateTimeFormat("en", { year: "numeric", month: "short", day: "numeric" });
return [f.formatRange(0, 2 * 864e5).replace(/\s/g, " "), f.formatRange(0, 0), f.formatRangeToParts(0, 2 * 864e5).filter((p) => p.type === "day").map((p) => p.source + p.value)];
//= ["Jan 1 – 3, 1970", "Jan 1, 1970", ["startRange1", "endRange3"]]
---
return new Intl.DateTimeFormat("en").format(NaN); //! RangeError "Invalid time value"
---
return new Intl.DateTimeFormat("en", { timeZone: "Mars/Olympus" }); //! RangeError "Invalid time zone specified: Mars/Olympus"
---
return new Intl.DateTimeFormat("en").formatRange(0); //! TypeError "startDate or endDate cannot be undefined"
---
// the methods of Date
const d = new Date(Date.UTC(2026, 0, 2, 3, 4, 5)), s = (x) => x.replace(/\s/g, " ");
return [s(d.toLocaleString("en-US")), d.toLocaleDateString("de"), s(d.toLocaleTimeString("en-US")), d.toLocaleDateString("en", { month: "long" }), s(d.toLocaleTimeString("en", { timeStyle: "short" })), new Date(NaN).toLocaleDateString(), s(d.toLocaleString("en", { timeZone: "Europe/Vienna" })), [d].toLocaleString("de")];
//= ["1/2/2026, 3:04:05 AM", "2.1.2026", "3:04:05 AM", "January", "3:04 AM", "Invalid Date", "1/2/2026, 4:04:05 AM", "2.1.2026, 03:04:05"]
---
return new Date(0).toLocaleDateString("en", { timeStyle: "short" }); //! TypeError "Invalid option : timeStyle"
---
return Date.prototype.toLocaleString.call({}); //! TypeError
---
return typeof Intl.DateTimeFormat("en").format(); //= "string"
