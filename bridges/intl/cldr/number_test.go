package cldr

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

func TestDecimalsAreReadAsNumberDoesButExactly(t *testing.T) {
	t.Parallel()
	f, err := NewNumberFormat([]string{"en"}, NumberOptions{DigitOptions: DigitOptions{MaximumFractionDigits: new(30.0)}, UseGrouping: "false"})
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		"": "0", "  12\n": "12", "-0": "-0", "+5": "5", ".5": "0.5", "5.": "5", ".": "NaN", "abc": "NaN", "1_000": "NaN",
		"0x1F": "31", "0b11": "3", "0o17": "15", "0x": "NaN", "0x-1": "NaN", "-0x1": "NaN", "1e3": "1000", "1E-3": "0.001", "1e": "NaN", "1e+-3": "NaN",
		"Infinity": "∞", "-Infinity": "-∞", "infinity": "NaN", "0.1000": "0.1", "1e10000": "∞", "-1e-999999999999": "-0", "0e99999": "0",
		"12345678901234567890.123456789": "12345678901234567890.123456789", "\u00a07\ufeff": "7", "--1": "NaN", "1 2": "NaN", "12n": "NaN",
	} {
		if got := f.Format(ParseDecimal(in)); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
	for in, want := range map[float64]string{0.1: "0.1", 1e21: "1000000000000000000000", 5e-324: "0", 123456789.125: "123456789.125", -0.5: "-0.5"} {
		if got := f.FormatFloat(in); got != want {
			t.Errorf("%v gives %q, want %q", in, got, want)
		}
	}
	if got := f.FormatFloat(math.Copysign(0, -1)); got != "-0" {
		t.Errorf("negative zero gives %q", got)
	}
}

func TestRoundingModes(t *testing.T) {
	t.Parallel()
	values := []string{"-2.5", "-1.5", "-1.2", "-0.5", "0.4", "0.5", "0.6", "1.5", "2.5", "9.5"}
	for mode, want := range map[string]string{
		"ceil":       "-2 -1 -1 -0 1 1 1 2 3 10",
		"floor":      "-3 -2 -2 -1 0 0 0 1 2 9",
		"expand":     "-3 -2 -2 -1 1 1 1 2 3 10",
		"trunc":      "-2 -1 -1 -0 0 0 0 1 2 9",
		"halfCeil":   "-2 -1 -1 -0 0 1 1 2 3 10",
		"halfFloor":  "-3 -2 -1 -1 0 0 1 1 2 9",
		"halfExpand": "-3 -2 -1 -1 0 1 1 2 3 10",
		"halfTrunc":  "-2 -1 -1 -0 0 0 1 1 2 9",
		"halfEven":   "-2 -2 -1 -0 0 0 1 2 2 10",
	} {
		f, err := NewNumberFormat(nil, NumberOptions{RoundingMode: mode, DigitOptions: DigitOptions{MaximumFractionDigits: new(0.0)}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, v := range values {
			got = append(got, f.Format(ParseDecimal(v)))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s gives %s, want %s", mode, s, want)
		}
	}
}

func TestRoundingToAnIncrement(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		increment, digits float64
		mode              string
		in, want          string
	}{
		{5, 2, "", "1.024", "1.00"}, {5, 2, "", "1.025", "1.05"}, {5, 2, "", "1.0249999", "1.00"}, {5, 2, "", "-1.025", "-1.05"},
		{25, 0, "", "12", "0"}, {25, 0, "", "12.5", "25"}, {25, 0, "", "12.4999", "0"}, {25, 0, "halfEven", "12.5", "0"}, {25, 0, "halfEven", "37.5", "50"},
		{5000, 0, "ceil", "1", "5,000"}, {5000, 0, "floor", "-1", "-5,000"}, {5000, 0, "trunc", "9999", "5,000"}, {2, 0, "", "0.3", "0"}, {2, 0, "", "1", "2"},
		{10, 1, "", "0.55", "1.0"}, {10, 1, "", "0.44", "0.0"},
	} {
		f, err := NewNumberFormat([]string{"en"}, NumberOptions{RoundingIncrement: &c.increment, RoundingMode: c.mode,
			DigitOptions: DigitOptions{MinimumFractionDigits: &c.digits, MaximumFractionDigits: &c.digits}})
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Format(ParseDecimal(c.in)); got != c.want {
			t.Errorf("%s to %v×10^-%v %s gives %s, want %s", c.in, c.increment, c.digits, c.mode, got, c.want)
		}
	}
}

func TestOptionsThatAreNotAllowedFailAsInV8(t *testing.T) {
	t.Parallel()
	n := func(f float64) *float64 { return &f }
	for _, c := range []struct {
		options NumberOptions
		want    string
	}{
		{NumberOptions{Style: "foo"}, "RangeError: Value foo out of range for Intl.NumberFormat options property style"},
		{NumberOptions{Style: "currency"}, "TypeError: Currency code is required with currency style."},
		{NumberOptions{Style: "currency", Currency: "x"}, "RangeError: Invalid currency code : x"},
		{NumberOptions{Currency: "12é"}, "RangeError: Invalid currency code : 12é"},
		{NumberOptions{Style: "unit"}, "TypeError: Invalid unit argument for Intl.NumberFormat() ''"},
		{NumberOptions{Unit: "foo"}, "RangeError: Invalid unit argument for Intl.NumberFormat() 'foo'"},
		{NumberOptions{Style: "unit", Unit: "meter-per-"}, "RangeError: Invalid unit argument for Intl.NumberFormat() 'meter-per-'"},
		{NumberOptions{NumberingSystem: "ab"}, "RangeError: Invalid numberingSystem : ab"},
		{NumberOptions{RoundingMode: "x"}, "RangeError: Value x out of range for Intl.NumberFormat options property roundingMode"},
		{NumberOptions{UseGrouping: "x"}, "RangeError: Value x out of range for Intl.NumberFormat options property useGrouping"},
		{NumberOptions{RoundingIncrement: n(3)}, "RangeError: roundingIncrement value is out of range."},
		{NumberOptions{RoundingIncrement: n(5), DigitOptions: DigitOptions{MinimumFractionDigits: n(2), MaximumFractionDigits: n(3)}},
			"RangeError: maximumFractionDigits not equal to minimumFractionDigits"},
		{NumberOptions{RoundingIncrement: n(5), DigitOptions: DigitOptions{MaximumSignificantDigits: n(2)}}, "TypeError: RoundingType is not fractionDigits"},
		{NumberOptions{DigitOptions: DigitOptions{MinimumIntegerDigits: n(22)}}, "RangeError: minimumIntegerDigits value is out of range."},
		{NumberOptions{DigitOptions: DigitOptions{MinimumFractionDigits: n(5), MaximumFractionDigits: n(2)}}, "RangeError: maximumFractionDigits value is out of range."},
		{NumberOptions{DigitOptions: DigitOptions{MaximumFractionDigits: n(math.NaN())}}, "RangeError: maximumFractionDigits value is out of range."},
		{NumberOptions{DigitOptions: DigitOptions{MinimumSignificantDigits: n(5), MaximumSignificantDigits: n(3)}}, "RangeError: maximumSignificantDigits value is out of range."},
		{NumberOptions{DigitOptions: DigitOptions{RoundingPriority: "x"}}, "RangeError: Value x out of range for SetNumberFormatDigitOptions options property roundingPriority"},
	} {
		_, err := NewNumberFormat([]string{"en"}, c.options)
		e, ok := err.(*Error)
		if !ok || e.Type+": "+e.Msg != c.want {
			t.Errorf("%+v fails with %v, want %s", c.options, err, c.want)
		}
	}
}

func TestALongOptionIsCutInTheMessage(t *testing.T) {
	t.Parallel()
	_, err := NewNumberFormat(nil, NumberOptions{Style: strings.Repeat("é", 1000)})
	if err == nil || len(err.Error()) > 200 || !strings.Contains(err.Error(), "…") {
		t.Errorf("message %v", err)
	}
}

func TestNumberingSystems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, tag, option, locale, system, text string }{
		{"the locale's own", "ar-EG", "", "ar-EG", "arab", "١٬٢٣٤٫٥"},
		{"the keyword's", "de-u-nu-thai", "", "de-u-nu-thai", "thai", "๑.๒๓๔,๕"},
		{"the option wins over the keyword", "de-u-nu-thai", "deva", "de", "deva", "१.२३४,५"},
		{"an option that equals the keyword keeps it", "de-u-nu-thai", "thai", "de-u-nu-thai", "thai", "๑.๒๓๔,๕"},
		{"an unknown keyword is ignored", "de-u-nu-xxxx", "", "de", "latn", "1.234,5"},
		{"an unknown option is ignored", "de", "xxxx", "de", "latn", "1.234,5"},
		{"systems without digits are ignored", "de", "roman", "de", "latn", "1.234,5"},
		{"digits outside the basic plane", "en", "mathsans", "en", "mathsans", "𝟣,𝟤𝟥𝟦.𝟧"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f, err := NewNumberFormat([]string{c.tag}, NumberOptions{NumberingSystem: c.option})
			if err != nil {
				t.Fatal(err)
			}
			r := f.ResolvedOptions()
			if r.Locale != c.locale || r.NumberingSystem != c.system || f.FormatFloat(1234.5) != c.text {
				t.Errorf("got %s %s %s, want %s %s %s", r.Locale, r.NumberingSystem, f.FormatFloat(1234.5), c.locale, c.system, c.text)
			}
		})
	}
}

func TestRelativeTimesRefuseWhatIsNotAUnitOrFinite(t *testing.T) {
	t.Parallel()
	f, err := NewRelativeTimeFormat([]string{"en"}, RelativeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Format(math.NaN(), "day"); err == nil || err.Error() != "Value need to be finite number for Intl.RelativeTimeFormat.prototype.format()" {
		t.Errorf("NaN: %v", err)
	}
	if _, err := f.FormatToParts(1, "foo"); err == nil || err.Error() != "Invalid unit argument for Intl.RelativeTimeFormat.prototype.formatToParts() 'foo'" {
		t.Errorf("foo: %v", err)
	}
	if got, err := f.Format(math.Copysign(0, -1), "days"); got != "0 days ago" || err != nil {
		t.Errorf("-0 days: %q, %v", got, err)
	}
}

// FuzzFormat: what is formatted for en without grouping reads back as the number, and
// nothing a guest can pass makes a formatter panic.
func FuzzFormat(f *testing.F) {
	for _, s := range []string{"0", "-0.5", "1e300", "123456789.987654321", "NaN", "0x10", "9.9999999"} {
		f.Add(s, 3.0, 2.0, uint8(0))
	}
	styles := []NumberOptions{{}, {Style: "percent"}, {Style: "currency", Currency: "JPY", CurrencyDisplay: "name"}, {Notation: "compact"},
		{Notation: "scientific"}, {Notation: "engineering"}, {Style: "unit", Unit: "mile", UnitDisplay: "long"}, {RoundingIncrement: new(25.0)}}
	exact, err := NewNumberFormat([]string{"en"}, NumberOptions{UseGrouping: "false", DigitOptions: DigitOptions{MaximumSignificantDigits: new(21.0)}})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string, frac, sig float64, pick uint8) {
		d := ParseDecimal(s)
		if v, err := strconv.ParseFloat(exact.Format(Float(math.Abs(3.7*sig))), 64); err == nil && !math.IsInf(v, 0) && v != math.Abs(3.7*sig) {
			t.Errorf("%v reads back as %v", math.Abs(3.7*sig), v)
		}
		o := styles[int(pick)%len(styles)]
		o.MaximumFractionDigits = &frac
		if pick&64 != 0 {
			o.MaximumSignificantDigits = &sig
		}
		if pick&128 != 0 {
			o.RoundingPriority = "lessPrecision"
		}
		locales := []string{"en", "ar-EG", "hi", "fr", "my"}
		nf, err := NewNumberFormat(locales[int(pick)%len(locales):], o)
		if err != nil {
			return
		}
		text := nf.Format(d)
		var b strings.Builder
		for _, p := range nf.FormatToParts(d) {
			b.WriteString(p.Value)
		}
		if b.String() != text {
			t.Errorf("parts join to %q, text is %q", b.String(), text)
		}
		if !d.IsNaN() {
			if _, err := nf.FormatRange(d, Float(frac)); err != nil && !math.IsNaN(frac) {
				t.Error(err)
			}
		}
	})
}

func BenchmarkFormat(b *testing.B) {
	for _, c := range []struct {
		name, locale string
		options      NumberOptions
	}{
		{"decimal", "en", NumberOptions{}}, {"currency", "de", NumberOptions{Style: "currency", Currency: "EUR"}},
		{"compact", "en", NumberOptions{Notation: "compact"}}, {"arab", "ar-EG", NumberOptions{}}, {"unit", "fr", NumberOptions{Style: "unit", Unit: "kilometer", UnitDisplay: "long"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			f, err := NewNumberFormat([]string{c.locale}, c.options)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				f.FormatFloat(1234567.891)
			}
		})
	}
}

func BenchmarkNewNumberFormat(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := NewNumberFormat([]string{"de-CH"}, NumberOptions{Style: "currency", Currency: "CHF"}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFirstUse is what the first formatter of a language costs in a process.
func BenchmarkFirstUse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newSection("numbers.bin", numbersData).record("de-AT")
	}
}
