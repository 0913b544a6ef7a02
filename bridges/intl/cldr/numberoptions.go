package cldr

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// NumberOptions are the options of Intl.NumberFormat. The zero value of a field stands
// for undefined; the numeric ones are pointers, nil for undefined.
type NumberOptions struct {
	NumberingSystem string
	Style           string // decimal, percent, currency, unit
	Currency        string
	CurrencyDisplay string // symbol, narrowSymbol, code, name
	CurrencySign    string // standard, accounting
	Unit            string
	UnitDisplay     string // short, narrow, long
	Notation        string // standard, scientific, engineering, compact
	CompactDisplay  string // short, long
	SignDisplay     string // auto, never, always, exceptZero, negative
	// UseGrouping is "always", "auto", "min2" or "false".
	UseGrouping string
	DigitOptions
	RoundingIncrement   *float64
	RoundingMode        string
	TrailingZeroDisplay string // auto, stripIfInteger
}

// DigitOptions are the options about digits that numbers and plural rules share.
type DigitOptions struct {
	MinimumIntegerDigits     *float64
	MinimumFractionDigits    *float64
	MaximumFractionDigits    *float64
	MinimumSignificantDigits *float64
	MaximumSignificantDigits *float64
	RoundingPriority         string // auto, morePrecision, lessPrecision
}

// ResolvedNumber is what a NumberFormat uses, as resolvedOptions shows it. Fields that
// do not apply are empty; significant digits of 0 do not apply, nor do fraction digits
// of -1.
type ResolvedNumber struct {
	Locale, NumberingSystem                      string
	Style                                        string
	Currency, CurrencyDisplay, CurrencySign      string
	Unit, UnitDisplay                            string
	MinimumIntegerDigits                         int
	MinimumFractionDigits, MaximumFractionDigits int
	MinimumSignificantDigits                     int
	MaximumSignificantDigits                     int
	UseGrouping                                  string
	Notation, CompactDisplay                     string
	SignDisplay                                  string
	RoundingMode                                 string
	RoundingIncrement                            int
	TrailingZeroDisplay                          string
	RoundingPriority                             string
}

// choose checks a string option against its values; "" is the first.
func choose(service, property, value string, values ...string) (string, error) {
	if value == "" {
		return values[0], nil
	}
	if slices.Contains(values, value) {
		return value, nil
	}
	return "", rangeError("Value " + clip(value) + " out of range for " + service + " options property " + property)
}

// clip shortens what a message quotes.
func clip(s string) string {
	const limit = 80
	if len(s) > limit {
		return strings.ToValidUTF8(s[:limit], "") + "…"
	}
	return s
}

// between checks a numeric option and rounds it down.
func between(property string, value *float64, lo, hi, fallback int) (int, error) {
	if value == nil {
		return fallback, nil
	}
	if !(*value >= float64(lo) && *value <= float64(hi)) { // NaN too
		return 0, rangeError(property + " value is out of range.")
	}
	return int(*value), nil
}

// digitSettings are resolved DigitOptions.
type digitSettings struct {
	minInt, minFrac, maxFrac, minSig, maxSig int
	// rule says which of the two apply: "fraction", "significant", "more" or "less".
	rule string
}

// resolveDigits is SetNumberFormatDigitOptions of ECMA-402.
func resolveDigits(o *DigitOptions, mnfdDefault, mxfdDefault int, compact bool, increment int) (d digitSettings, err error) {
	if d.minInt, err = between("minimumIntegerDigits", o.MinimumIntegerDigits, 1, 21, 1); err != nil {
		return d, err
	}
	priority, err := choose("SetNumberFormatDigitOptions", "roundingPriority", o.RoundingPriority, "auto", "morePrecision", "lessPrecision")
	if err != nil {
		return d, err
	}
	hasSD := o.MinimumSignificantDigits != nil || o.MaximumSignificantDigits != nil
	hasFD := o.MinimumFractionDigits != nil || o.MaximumFractionDigits != nil
	needSD, needFD := true, true
	if priority == "auto" {
		needSD = hasSD
		if needSD || !hasFD && compact {
			needFD = false
		}
	}
	if increment != 1 {
		mxfdDefault = mnfdDefault
	}
	d.minFrac, d.maxFrac = -1, -1
	if needSD {
		d.minSig, d.maxSig = 1, 21
		if hasSD {
			if d.minSig, err = between("minimumSignificantDigits", o.MinimumSignificantDigits, 1, 21, 1); err != nil {
				return d, err
			}
			if d.maxSig, err = between("maximumSignificantDigits", o.MaximumSignificantDigits, d.minSig, 21, 21); err != nil {
				return d, err
			}
		}
	}
	if needFD {
		d.minFrac, d.maxFrac = mnfdDefault, mxfdDefault
		if hasFD {
			// ECMA-402 allows 100 since 2023, 20 before.
			mnfd, err := between("minimumFractionDigits", o.MinimumFractionDigits, 0, 100, -1)
			if err != nil {
				return d, err
			}
			mxfd, err := between("maximumFractionDigits", o.MaximumFractionDigits, 0, 100, -1)
			if err != nil {
				return d, err
			}
			switch {
			case mnfd < 0:
				mnfd = min(mnfdDefault, mxfd)
			case mxfd < 0:
				mxfd = max(mxfdDefault, mnfd)
			case mnfd > mxfd:
				return d, rangeError("maximumFractionDigits value is out of range.")
			}
			d.minFrac, d.maxFrac = mnfd, mxfd
		}
	}
	switch {
	case !needSD && !needFD:
		d.minFrac, d.maxFrac, d.minSig, d.maxSig = 0, 0, 1, 2
		d.rule = "more"
	case priority == "morePrecision":
		d.rule = "more"
	case priority == "lessPrecision":
		d.rule = "less"
	case needSD:
		d.rule = "significant"
	default:
		d.rule = "fraction"
	}
	if increment != 1 {
		if d.rule != "fraction" {
			return d, typeError("RoundingType is not fractionDigits")
		}
		if d.minFrac != d.maxFrac {
			return d, rangeError("maximumFractionDigits not equal to minimumFractionDigits")
		}
	}
	return d, nil
}

var increments = []int{1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000}

// Units are the simple units of ECMA-402, sorted. A unit may also be two of them with
// "-per-" between.
var Units = strings.Fields(`acre bit byte celsius centimeter day degree fahrenheit fluid-ounce foot gallon gigabit
	gigabyte gram hectare hour inch kilobit kilobyte kilogram kilometer liter megabit megabyte meter microsecond mile
	mile-scandinavian milliliter millimeter millisecond minute month nanosecond ounce percent petabyte pound second
	stone terabit terabyte week yard year`)

func isUnit(s string) bool {
	if slices.Contains(Units, s) {
		return true
	}
	a, b, ok := strings.Cut(s, "-per-")
	return ok && slices.Contains(Units, a) && slices.Contains(Units, b)
}

// wellFormedType reports whether s may be the value of a -u- keyword.
func wellFormedType(s string) bool {
	for _, p := range strings.Split(s, "-") {
		if len(p) < 3 || len(p) > 8 || !all(p, isAlnum) {
			return false
		}
	}
	return true
}

// digitsOf returns the ten digits of a numbering system, or "".
func digitsOf(ns string) string { return core.record("@").get("digits/" + ns) }

// NumberingSystems returns the numbering systems with digits, sorted.
func NumberingSystems() []string {
	var out []string
	core.record("@").each("digits/", func(ns, _ string) { out = append(out, ns) })
	return out
}

// resolveNumbering picks a numbering system: the option, else the -u-nu- keyword, else
// the locale's own. tag is what resolvedOptions shows as the locale.
func resolveNumbering(loc *Locale, option string) (ns, tag string, err error) {
	rec := numbers.record(loc.data)
	if option != "" {
		if !wellFormedType(option) {
			return "", "", rangeError("Invalid numberingSystem : " + clip(option))
		}
		option = strings.ToLower(option)
	}
	ns, tag = rec.get("nu"), loc.Tag
	if ns == "" || digitsOf(ns) == "" {
		ns = "latn"
	}
	if kw, ok := loc.keyword("nu"); ok && digitsOf(kw) != "" {
		ns = kw
		tag = loc.with([]keyword{{"nu", kw}})
	}
	if option != "" && digitsOf(option) != "" && option != ns {
		ns, tag = option, loc.Tag
	}
	return ns, tag, nil
}

// currencyDigits is the number of fraction digits of a currency.
func currencyDigits(code string) int {
	sup := core.record("@")
	v, ok := sup.lookup("currency/digits/" + code)
	if !ok {
		v = sup.get("currency/digits/DEFAULT")
	}
	n, err := strconv.Atoi(v)
	if err != nil {
		panic(fmt.Sprintf("cldr: fraction digits of %s: %v", code, err))
	}
	return n
}

// resolveNumber is the constructor of Intl.NumberFormat: options are checked in the
// order of the standard.
func resolveNumber(loc *Locale, o *NumberOptions) (r ResolvedNumber, d digitSettings, err error) {
	const service = "Intl.NumberFormat"
	if r.NumberingSystem, r.Locale, err = resolveNumbering(loc, o.NumberingSystem); err != nil {
		return
	}
	if r.Style, err = choose(service, "style", o.Style, "decimal", "percent", "currency", "unit"); err != nil {
		return
	}
	if o.Currency != "" {
		if len(o.Currency) != 3 || !all(o.Currency, isAlpha) {
			err = rangeError("Invalid currency code : " + clip(o.Currency))
			return
		}
	} else if r.Style == "currency" {
		err = typeError("Currency code is required with currency style.")
		return
	}
	currencyDisplay, err := choose(service, "currencyDisplay", o.CurrencyDisplay, "symbol", "narrowSymbol", "code", "name")
	if err != nil {
		return
	}
	currencySign, err := choose(service, "currencySign", o.CurrencySign, "standard", "accounting")
	if err != nil {
		return
	}
	if o.Unit != "" && !isUnit(o.Unit) {
		err = rangeError("Invalid unit argument for Intl.NumberFormat() '" + clip(o.Unit) + "'")
		return
	}
	if o.Unit == "" && r.Style == "unit" {
		err = typeError("Invalid unit argument for Intl.NumberFormat() ''")
		return
	}
	unitDisplay, err := choose(service, "unitDisplay", o.UnitDisplay, "short", "narrow", "long")
	if err != nil {
		return
	}
	minFrac, maxFrac := 0, 3
	switch r.Style {
	case "currency":
		r.Currency, r.CurrencyDisplay, r.CurrencySign = strings.ToUpper(o.Currency), currencyDisplay, currencySign
		minFrac = currencyDigits(r.Currency)
		maxFrac = minFrac
	case "unit":
		r.Unit, r.UnitDisplay = o.Unit, unitDisplay
	case "percent":
		maxFrac = 0
	}
	if r.Notation, err = choose(service, "notation", o.Notation, "standard", "scientific", "engineering", "compact"); err != nil {
		return
	}
	if r.Style == "currency" && r.Notation != "standard" {
		minFrac, maxFrac = 0, 0
		if r.Notation != "compact" {
			minFrac = currencyDigits(r.Currency)
			maxFrac = minFrac
		}
	}
	r.RoundingIncrement = 1
	if o.RoundingIncrement != nil {
		if r.RoundingIncrement, err = between("roundingIncrement", o.RoundingIncrement, 1, 5000, 1); err != nil {
			return
		}
		if !slices.Contains(increments, r.RoundingIncrement) {
			err = rangeError("roundingIncrement value is out of range.")
			return
		}
	}
	if r.RoundingMode, err = choose(service, "roundingMode", o.RoundingMode, "halfExpand", "ceil", "floor", "expand", "trunc",
		"halfCeil", "halfFloor", "halfTrunc", "halfEven"); err != nil {
		return
	}
	if r.TrailingZeroDisplay, err = choose(service, "trailingZeroDisplay", o.TrailingZeroDisplay, "auto", "stripIfInteger"); err != nil {
		return
	}
	if d, err = resolveDigits(&o.DigitOptions, minFrac, maxFrac, r.Notation == "compact", r.RoundingIncrement); err != nil {
		return
	}
	r.MinimumIntegerDigits, r.MinimumFractionDigits, r.MaximumFractionDigits = d.minInt, d.minFrac, d.maxFrac
	r.MinimumSignificantDigits, r.MaximumSignificantDigits = d.minSig, d.maxSig
	r.RoundingPriority = map[string]string{"more": "morePrecision", "less": "lessPrecision"}[d.rule]
	if r.RoundingPriority == "" {
		r.RoundingPriority = "auto"
	}
	compactDisplay, err := choose(service, "compactDisplay", o.CompactDisplay, "short", "long")
	if err != nil {
		return
	}
	grouping := "auto"
	if r.Notation == "compact" {
		r.CompactDisplay = compactDisplay
		grouping = "min2"
	}
	if r.UseGrouping, err = choose(service, "useGrouping", o.UseGrouping, grouping, "auto", "always", "min2", "false"); err != nil {
		return
	}
	r.SignDisplay, err = choose(service, "signDisplay", o.SignDisplay, "auto", "never", "always", "exceptZero", "negative")
	return
}
