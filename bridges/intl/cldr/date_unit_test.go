package cldr

import (
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

func formatDate(t *testing.T, locale string, o DateTimeOptions, ms float64) string {
	t.Helper()
	f, err := NewDateTimeFormat([]string{locale}, o)
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Format(ms)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func ptr[T any](v T) *T { return &v }

func TestBadDateOptionsAreRefusedAsV8Does(t *testing.T) {
	for _, c := range []struct {
		name string
		tags []string
		o    DateTimeOptions
		kind string
		msg  string
	}{
		{"a zone that does not exist", nil, DateTimeOptions{TimeZone: "x/y"}, "RangeError", "Invalid time zone specified: x/y"},
		{"a zone with an offset behind a name", nil, DateTimeOptions{TimeZone: "UTC+1"}, "RangeError", "Invalid time zone specified: UTC+1"},
		{"an offset of 24 hours", nil, DateTimeOptions{TimeZone: "+24:00"}, "RangeError", "Invalid time zone specified: +24:00"},
		{"an offset with seconds", nil, DateTimeOptions{TimeZone: "+01:00:00"}, "RangeError", "Invalid time zone specified: +01:00:00"},
		{"a zone with a letter that only folds to ASCII", nil, DateTimeOptions{TimeZone: "Asia/ſhanghai"}, "RangeError", "Invalid time zone specified: Asia/ſhanghai"},
		{"a style with a field", nil, DateTimeOptions{DateStyle: "full", Hour: "numeric"}, "TypeError", "Can't set option hour when dateStyle is used"},
		{"a time style with a zone name", nil, DateTimeOptions{TimeStyle: "full", TimeZoneName: "short"}, "TypeError", "Can't set option timeZoneName when timeStyle is used"},
		{"a time style for a date", nil, DateTimeOptions{TimeStyle: "full", Required: "date", Defaults: "date"}, "TypeError", "Invalid option : timeStyle"},
		{"a date style for a time", nil, DateTimeOptions{DateStyle: "full", Required: "time", Defaults: "time"}, "TypeError", "Invalid option : dateStyle"},
		{"a style that does not exist", nil, DateTimeOptions{DateStyle: "x"}, "RangeError", "Value x out of range for Intl.DateTimeFormat options property dateStyle"},
		{"a width that the field has not", nil, DateTimeOptions{Weekday: "numeric"}, "RangeError", "Value numeric out of range for Intl.DateTimeFormat options property weekday"},
		{"a zone name that does not exist", nil, DateTimeOptions{TimeZoneName: "x"}, "RangeError", "Value x out of range for Intl.DateTimeFormat options property timeZoneName"},
		{"an hour cycle that does not exist", nil, DateTimeOptions{HourCycle: "h25"}, "RangeError", "Value h25 out of range for Intl.DateTimeFormat options property hourCycle"},
		{"four fractional digits", nil, DateTimeOptions{FractionalSecondDigits: ptr(4.0)}, "RangeError", "fractionalSecondDigits value is out of range."},
		{"a fraction that is no number", nil, DateTimeOptions{FractionalSecondDigits: ptr(math.NaN())}, "RangeError", "fractionalSecondDigits value is out of range."},
		{"a malformed calendar", nil, DateTimeOptions{Calendar: "*"}, "RangeError", "Invalid calendar : *"},
		{"a malformed numbering system", nil, DateTimeOptions{NumberingSystem: "a"}, "RangeError", "Invalid numberingSystem : a"},
		{"a matcher that does not exist", nil, DateTimeOptions{LocaleMatcher: "z"}, "RangeError", "Value z out of range for Intl.DateTimeFormat options property localeMatcher"},
		{"a format matcher that does not exist", nil, DateTimeOptions{FormatMatcher: "z"}, "RangeError", "Value z out of range for Intl.DateTimeFormat options property formatMatcher"},
		{"a malformed tag", []string{"x_y"}, DateTimeOptions{}, "RangeError", "Incorrect locale information provided: x_y"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := NewDateTimeFormat(c.tags, c.o)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v, want *Error", err)
			}
			if e.Type != c.kind || e.Msg != c.msg {
				t.Errorf("got %s: %s\nwant %s: %s", e.Type, e.Msg, c.kind, c.msg)
			}
		})
	}
}

func TestLongValuesAreCutInDateErrors(t *testing.T) {
	long := strings.Repeat("é", 10_000)
	for name, o := range map[string]DateTimeOptions{
		"zone": {TimeZone: long}, "calendar": {Calendar: long}, "style": {DateStyle: long}, "month": {Month: long},
	} {
		_, err := NewDateTimeFormat(nil, o)
		if err == nil {
			t.Errorf("%s: no error", name)
		} else if n := len(err.Error()); n > 300 {
			t.Errorf("%s: message of %d bytes", name, n)
		}
	}
}

func TestTimesOutsideOfTheRangeAreRefused(t *testing.T) {
	f, err := NewDateTimeFormat(nil, DateTimeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, ms := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 8.64e15 + 1, -8.64e15 - 1} {
		_, e1 := f.Format(ms)
		_, e2 := f.FormatToParts(ms)
		_, e3 := f.FormatRange(0, ms)
		_, e4 := f.FormatRangeToParts(ms, 0)
		for _, err := range []error{e1, e2, e3, e4} {
			if err == nil || err.Error() != "Invalid time value" {
				t.Errorf("%v: error %v", ms, err)
			}
		}
	}
	for ms, want := range map[float64]string{8.64e15: "9/13/275760", -8.64e15: "4/20/271822", -0.9: "1/1/1970", -1: "12/31/1969"} {
		if got := formatDate(t, "en", DateTimeOptions{}, ms); got != want {
			t.Errorf("%v: got %s, want %s", ms, got, want)
		}
	}
}

func TestDatesThatNodeCannotTellUs(t *testing.T) {
	const june = 1718438707123 // 2024-06-15T08:05:07.123Z
	for _, c := range []struct {
		name, locale string
		o            DateTimeOptions
		ms           float64
		want         string
	}{
		{"an offset as the zone", "en", DateTimeOptions{TimeZone: "+05:30", Hour: "numeric", Minute: "2-digit", TimeZoneName: "short"}, june, "1:35 PM GMT+5:30"},
		{"an offset without a colon", "en", DateTimeOptions{TimeZone: "-0330", Hour: "numeric", Minute: "2-digit", TimeZoneName: "longGeneric"}, june, "4:35 AM GMT-03:30"},
		{"an offset of hours", "de", DateTimeOptions{TimeZone: "+09", TimeStyle: "full"}, june, "17:05:07 GMT+09:00"},
		{"a zone in capitals", "en", DateTimeOptions{TimeZone: "EUROPE/BERLIN", TimeStyle: "long"}, june, "10:05:07 AM GMT+2"},
		{"hour12 false at midnight is h23", "en", DateTimeOptions{Hour: "numeric", Minute: "2-digit", Hour12: ptr(false)}, 0, "00:00"},
		{"hour12 true where the clock has 24 hours is h12", "en-GB", DateTimeOptions{Hour: "numeric", Minute: "2-digit", Hour12: ptr(true)}, 0, "12:00 am"},
		{"hour12 true in Japan is h11", "ja", DateTimeOptions{Hour: "numeric", Minute: "2-digit", Hour12: ptr(true)}, 12 * 3600e3, "午後0:00"},
		{"hour12 goes before hourCycle", "en", DateTimeOptions{Hour: "numeric", Hour12: ptr(true), HourCycle: "h23"}, 13 * 3600e3, "1 PM"},
		{"a calendar that is not there is ignored", "en", DateTimeOptions{Calendar: "chinese"}, june, "6/15/2024"},
		{"islamic is the civil calendar", "en", DateTimeOptions{Calendar: "islamic", DateStyle: "long"}, june, "Dhuʻl-Hijjah 8, 1445 AH"},
		{"the clock skips an hour", "en", DateTimeOptions{TimeZone: "America/New_York", TimeStyle: "long"}, 1710054000000, "3:00:00 AM EDT"},
		{"and before", "en", DateTimeOptions{TimeZone: "America/New_York", TimeStyle: "long"}, 1710053999999, "1:59:59 AM EST"},
		{"the clock repeats an hour", "en", DateTimeOptions{TimeZone: "America/New_York", TimeStyle: "long"}, 1730611800000, "1:30:00 AM EDT"},
		{"and again", "en", DateTimeOptions{TimeZone: "America/New_York", TimeStyle: "long"}, 1730615400000, "1:30:00 AM EST"},
		{"a defaulted time", "en", DateTimeOptions{Required: "time", Defaults: "time"}, june, "8:05:07 AM"},
		{"a defaulted date and time", "en", DateTimeOptions{Required: "any", Defaults: "all"}, june, "6/15/2024, 8:05:07 AM"},
		{"a date beside the hour that was asked for", "en", DateTimeOptions{Required: "date", Defaults: "date", Hour: "numeric"}, june, "6/15/2024, 8 AM"},
		{"the first year of an era in Japan", "ja", DateTimeOptions{Calendar: "japanese", DateStyle: "long"}, 1559347200000, "令和元年6月1日"},
		{"Hebrew letters", "he", DateTimeOptions{Calendar: "hebrew", DateStyle: "full"}, june, "יום שבת, ט׳ בסיוון תשפ״ד"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := formatDate(t, c.locale, c.o, c.ms); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestZonesAreShownByTheNameThatWasGiven(t *testing.T) {
	for in, want := range map[string]string{
		"": "UTC", "utc": "UTC", "asia/kolkata": "Asia/Kolkata", "Asia/Calcutta": "Asia/Calcutta", "+0530": "+05:30", "-00:00": "+00:00", "-07": "-07:00", "us/pacific": "US/Pacific",
	} {
		f, err := NewDateTimeFormat(nil, DateTimeOptions{TimeZone: in})
		if err != nil {
			t.Errorf("%s: %v", in, err)
		} else if got := f.ResolvedOptions().TimeZone; got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

func TestEveryZoneCanBeLoaded(t *testing.T) {
	list := TimeZones()
	if len(list) < 550 {
		t.Errorf("%d zones", len(list))
	}
	for _, name := range list {
		z, err := timeZoneNamed(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if z.name != name {
			t.Errorf("%s is called %s", name, z.name)
		}
	}
}

// Each day of two thousand years: the next date follows the last.
func TestCalendarsCountWithoutGaps(t *testing.T) {
	for id, c := range calendars {
		t.Run(id, func(t *testing.T) {
			last := c.date(-400_000)
			for day := int64(-399_999); day < 400_000; day++ {
				d := c.date(day)
				switch {
				case d.month < 1 || d.month > 13 || d.day < 1 || d.day > 31:
					t.Fatalf("day %d is %+v", day, d)
				case d.day == last.day+1 && d.month == last.month && d.year == last.year:
				case d.day == 1 && d.month != last.month && (last.day >= 28 || last.month == 13):
				case d.era != last.era && d.day == last.day+1 && d.year == 1:
				default:
					t.Fatalf("day %d is %+v after %+v", day, d, last)
				}
				last = d
			}
			for _, day := range []int64{-100_000_001, 100_000_001} {
				if d := c.date(day); d.month < 1 || d.day < 1 {
					t.Errorf("day %d is %+v", day, d)
				}
			}
		})
	}
}

func TestDateFormattersCanBeShared(t *testing.T) {
	f, err := NewDateTimeFormat([]string{"fr"}, DateTimeOptions{DateStyle: "full", TimeStyle: "full", TimeZone: "America/Toronto"})
	if err != nil {
		t.Fatal(err)
	}
	want, _ := f.Format(0)
	fresh, err := NewDateTimeFormat([]string{"fr"}, DateTimeOptions{DateStyle: "full", TimeStyle: "full", TimeZone: "America/Toronto"})
	if err != nil {
		t.Fatal(err)
	}
	wantRange, _ := fresh.FormatRange(0, 86400e3) // f meets its first range in the goroutines
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				if got, err := f.Format(0); err != nil || got != want {
					t.Errorf("got %q, %v, want %q", got, err, want)
				}
				if got, err := f.FormatRange(0, 86400e3); err != nil || got != wantRange {
					t.Errorf("got %q, %v, want %q", got, err, wantRange)
				}
			}
		})
	}
	wg.Wait()
}

func FuzzDateTimeFormat(f *testing.F) {
	f.Add("de", "Europe/Berlin", "persian", "arab", "long", "short", 0.0, 1e12)
	f.Add("ja-JP-u-ca-japanese-hc-h11", "+05:30", "", "", "", "longGeneric", -8.64e15, 8.64e15)
	f.Add("he-u-ca-hebrew", "UTC", "hebrew", "hanidec", "full", "", math.NaN(), 5.5)
	f.Fuzz(func(t *testing.T, locale, zone, cal, ns, style, zoneName string, a, b float64) {
		for _, o := range []DateTimeOptions{
			{TimeZone: zone, Calendar: cal, NumberingSystem: ns, DateStyle: style, TimeStyle: style},
			{TimeZone: zone, Calendar: cal, NumberingSystem: ns, TimeZoneName: zoneName, Era: "long", Year: "numeric", Day: "numeric", Hour: "numeric", FractionalSecondDigits: &a},
		} {
			d, err := NewDateTimeFormat([]string{locale}, o)
			if err != nil {
				continue
			}
			s, err := d.Format(a)
			if err == nil && (s == "" || !utf8.ValidString(s)) {
				t.Errorf("%q", s)
			}
			parts, err := d.FormatToParts(a)
			if err == nil {
				joined := ""
				for _, p := range parts {
					joined += p.Value
				}
				if joined != s {
					t.Errorf("parts make %q, the text is %q", joined, s)
				}
			}
			if s, err := d.FormatRange(a, b); err == nil && s == "" {
				t.Error("empty range")
			}
		}
	})
}
