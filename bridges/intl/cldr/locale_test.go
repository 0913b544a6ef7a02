package cldr

import (
	"errors"
	"slices"
	"sync"
	"testing"
)

func TestTagsAreCanonicalised(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, tag, canonical, locale string }{
		{"letter case is that of the standard", "EN-us", "en-US", "en-US"},
		{"an old language code is replaced", "iw", "he", "he"},
		{"an old code with its own script is replaced", "sh", "sr-Latn", "sr-Latn"},
		{"a macrolanguage member is replaced", "cmn", "zh", "zh"},
		{"a three-letter region is replaced", "en-840", "en-US", "en-US"},
		{"a state that fell apart becomes the part that speaks the language", "hy-SU", "hy-AM", "hy-AM"},
		{"a variant that became a language is dropped", "hy-arevela", "hy", "hy"},
		{"two variants with one successor", "ja-latn-hepburn-heploc", "ja-Latn-alalc97", "ja"},
		{"posix becomes a keyword", "en-US-posix", "en-US-u-va-posix", "en-US"},
		{"keywords are sorted, the first of equal ones counts", "en-u-nu-latn-ca-islamicc-nu-arab", "en-u-ca-islamic-civil-nu-latn", "en"},
		{"the value true is left out", "ja-u-kn-true", "ja-u-kn", "ja"},
		{"transformations are sorted", "de-t-en-us-m0-true", "de-t-en-us-m0-true", "de"},
		{"a variant is cut off for want of data", "de-1996", "de-1996", "de"},
		{"an unknown region is cut off", "de-XX", "de-XX", "de"},
		{"a region with an implied script has data", "zh-TW", "zh-TW", "zh-TW"},
		{"private use is kept in the canonical form", "en-a-bbb-x-c", "en-a-bbb-x-c", "en"},
		{"a language without data falls back to the default", "xx", "xx", "en-US"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := Canonical(c.tag)
			if err != nil || got != c.canonical {
				t.Errorf("Canonical(%q) = %q, %v, want %q", c.tag, got, err, c.canonical)
			}
			loc, err := ParseLocales([]string{c.tag})
			if err != nil || loc.Tag != c.locale {
				t.Errorf("ParseLocales(%q) = %q, %v, want %q", c.tag, loc.Tag, err, c.locale)
			}
		})
	}
}

func TestMalformedTagsAreRangeErrors(t *testing.T) {
	t.Parallel()
	for _, tag := range []string{"", "x", "e", "en_US", "en-", "-en", "en--US", "i-klingon", "zh-cmn", "aaaa", "en-u", "en-t", "en-a",
		"de-de-de", "en-abcde-abcde", "en-u-ca-latn-u-nu-arab", "abcdefghi", "en-é", "b-en", "en-US-1", "x-"} {
		_, err := Canonical(tag)
		var e *Error
		if !errors.As(err, &e) || e.Type != "RangeError" || e.Msg != "Incorrect locale information provided: "+tag {
			t.Errorf("Canonical(%q) fails with %v", tag, err)
		}
	}
}

func TestEveryLocaleHasUsableData(t *testing.T) {
	t.Parallel()
	locales := Locales()
	if len(locales) < 400 {
		t.Errorf("%d locales", len(locales))
	}
	for _, id := range locales {
		for _, o := range []NumberOptions{{}, {Style: "currency", Currency: "EUR", CurrencyDisplay: "name"}, {Notation: "compact", CompactDisplay: "long"},
			{Style: "unit", Unit: "mile-per-hour", UnitDisplay: "long"}, {Style: "currency", Currency: "JPY", Notation: "compact"}} {
			f, err := NewNumberFormat([]string{id}, o)
			if err != nil {
				t.Fatal(id, err)
			}
			if f.res.Locale != id {
				t.Errorf("%s resolves to %s", id, f.res.Locale)
			}
			if s := f.FormatFloat(-12345.678); s == "" {
				t.Errorf("%s %+v is empty", id, o)
			}
		}
		if f, err := NewRelativeTimeFormat([]string{id}, RelativeOptions{Numeric: "auto"}); err != nil {
			t.Error(id, err)
		} else if s, err := f.Format(-1, "day"); s == "" || err != nil {
			t.Errorf("%s yesterday: %q, %v", id, s, err)
		}
		if f, err := NewListFormat([]string{id}, ListOptions{}); err != nil {
			t.Error(id, err)
		} else if s := f.Format([]string{"A", "B", "C"}); len(s) < 5 {
			t.Errorf("%s lists as %q", id, s)
		}
	}
}

func TestSectionsAreSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	s := newSection("numbers.bin", numbersData)
	want := numbers.record("de").get("sym/latn/decimal")
	if want != "," {
		t.Fatalf("decimal of de is %q", want)
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for _, id := range slices.Concat([]string{"de", "de-AT"}, Locales()[i*10:i*10+10]) {
				if r := s.record(id); r.get("sym/latn/decimal") != numbers.record(id).get("sym/latn/decimal") {
					t.Errorf("%s differs", id)
				}
			}
		})
	}
	wg.Wait()
	if r := s.record("xx-YY"); r.get("sym/latn/decimal") != "" {
		t.Error("an unknown record has entries")
	}
}

func TestRecordsTakeAwayWhatTheParentHas(t *testing.T) {
	t.Parallel()
	// Austria groups money with a point and numbers with a space; Germany has one sign.
	if v, ok := numbers.record("de").lookup("sym/latn/curgroup"); ok {
		t.Errorf("de has a currency group %q", v)
	}
	if v := numbers.record("de-AT").get("sym/latn/curgroup"); v != "." {
		t.Errorf("de-AT has the currency group %q", v)
	}
	n := 0
	numbers.record("en").each("rel/day/", func(rest, value string) {
		if rest == "-1" && value != "yesterday" {
			t.Errorf("rel/day/-1 is %q", value)
		}
		n++
	})
	if n != 5 {
		t.Errorf("en has %d entries for days", n)
	}
}

func FuzzCanonical(f *testing.F) {
	for _, s := range []string{"en", "zh-Hant-TW", "de-u-nu-arab-ca-buddhist", "en-t-de-m0-x", "x-a", "sl-rozaj-biske-1994", "hy-arevela"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := Canonical(s)
		if err != nil {
			return
		}
		again, err := Canonical(c)
		if err != nil || again != c {
			t.Errorf("%q is canonically %q, and that %q, %v", s, c, again, err)
		}
		if _, err := ParseLocales([]string{s}); err != nil {
			t.Error(err)
		}
	})
}
