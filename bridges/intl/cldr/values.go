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
