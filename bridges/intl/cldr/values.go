package cldr

import (
	"maps"
	"slices"
	"strings"
)

// Currencies returns the codes of the currencies that have names, sorted.
func Currencies() []string { return strings.Fields(core.record("@").get("currency/codes")) }

// Calendars returns the calendars that dates can be shown in, sorted.
func Calendars() []string { return slices.Sorted(maps.Keys(calendars)) }

// PrimaryTimeZones returns the time zones without their other names, sorted.
func PrimaryTimeZones() []string {
	out := []string{"UTC"}
	zones.record("@").each("zone/", func(_, v string) {
		if name, other, _ := strings.Cut(v, listSep); other == "" && name != "UTC" {
			out = append(out, name)
		}
	})
	slices.Sort(out)
	return out
}
