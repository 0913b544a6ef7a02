export { RRule, RRuleSet, rrulestr, Frequency, Weekday, ALL_WEEKDAYS, datetime } from "rrule";
