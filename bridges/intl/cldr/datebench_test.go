package cldr

import "testing"

func benchmarkDates(b *testing.B, locale string, o DateTimeOptions) {
	f, err := NewDateTimeFormat([]string{locale}, o)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	ms := 1.718438707123e12
	for b.Loop() {
		if _, err := f.Format(ms); err != nil {
			b.Fatal(err)
		}
		ms += 86_461_001
	}
}

func BenchmarkDateNumeric(b *testing.B) { benchmarkDates(b, "en", DateTimeOptions{}) }

func BenchmarkDateTimeInAZone(b *testing.B) {
	benchmarkDates(b, "de", DateTimeOptions{DateStyle: "full", TimeStyle: "long", TimeZone: "Europe/Berlin"})
}

func BenchmarkDatePersian(b *testing.B) {
	benchmarkDates(b, "fa", DateTimeOptions{DateStyle: "long", TimeStyle: "short", TimeZone: "Asia/Tehran"})
}

func BenchmarkDateGenericZone(b *testing.B) {
	benchmarkDates(b, "fr", DateTimeOptions{Hour: "numeric", TimeZoneName: "longGeneric", TimeZone: "America/New_York"})
}

func BenchmarkDateRange(b *testing.B) {
	f, err := NewDateTimeFormat([]string{"en"}, DateTimeOptions{DateStyle: "medium"})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.FormatRange(1.7e12, 1.71e12); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDateFormatter makes formatters, with the language's data at hand.
func BenchmarkDateFormatter(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := NewDateTimeFormat([]string{"de"}, DateTimeOptions{Year: "numeric", Month: "long", Day: "numeric", Hour: "numeric", Minute: "2-digit"}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDateLanguage decodes a language's data and makes a formatter.
func BenchmarkDateLanguage(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		dates = newSection("dates.bin", datesData)
		zones = newSection("zones.bin", zonesData)
		dateCache.Clear()
		zoneCache.Clear()
		if _, err := NewDateTimeFormat([]string{"de"}, DateTimeOptions{DateStyle: "long", TimeStyle: "full", TimeZone: "Europe/Berlin"}); err != nil {
			b.Fatal(err)
		}
	}
}
