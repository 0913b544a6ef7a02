// Package intl gives guests formatting by locale: a standard Intl global (ECMA-402:
// NumberFormat, PluralRules, RelativeTimeFormat, ListFormat and DateTimeFormat), the
// toLocaleString methods of numbers, dates and arrays, and format, four asynchronous
// functions for the usual cases. Data are those of package cldr, so that every host
// gives the same text: neither its locale nor its time zone is looked at.
//
// Both are granted to every run, as they are computation only. A host that wants other
// defaults than en-US and UTC grants Bridge a Defaults.
//
// Of ECMA-402 there is no Collator, DisplayNames, Segmenter, DurationFormat or Locale;
// String.prototype.localeCompare compares code points.
package intl
