package intl

import (
	"quicksand/bridges"
	"quicksand/bridges/intl/cldr"
)

const (
	// maxItems is how many items a list may have that is formatted.
	maxItems = 100_000
	// maxLocales is how many locales a guest may ask for at one time.
	maxLocales = 1000
)

var limits = []bridges.Limit{
	fixed("IntlDigits", "digits", cldr.MaxDigits, "a bigint or decimal string that is formatted"),
	fixed("IntlItems", "items", maxItems, "a list that is formatted"),
	fixed("IntlLocales", "locales", maxLocales, "locales that one formatter is asked for"),
}

func fixed(name, unit string, value int64, doc string) bridges.Limit {
	return bridges.Limit{Name: name, Unit: unit, Default: value, Floor: value, Ceiling: value, Doc: doc + " (fixed)"}
}

func tooManyDigits(n int) error {
	return bridges.Limitf("Intl", "IntlDigits", cldr.MaxDigits, int64(n), "a number of more than %d digits", cldr.MaxDigits)
}

func tooManyItems(n int) error {
	return bridges.Limitf("Intl", "IntlItems", maxItems, int64(n), "a list of more than %d items", maxItems)
}

func tooManyLocales(n float64) error {
	return bridges.Limitf("Intl", "IntlLocales", maxLocales, int64(min(n, 1<<53)), "more than %d locales", maxLocales)
}
