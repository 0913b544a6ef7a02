package modules

import (
	"fmt"
	"strings"

	"quicksand/hostmods"
)

// Quicksand ships more than every program links. These are the IDs of what it has, for
// errors that say what to do.
var (
	shippedHosts  = words("aws csv exif html notion subtitle supabase tokens twilio xlsx xml zip")
	shippedGuests = words("chrono color dates decimal diff docx expr gif ics jmespath mammoth markdown pdflib pptxgen qr rrule stats yaml")
)

func words(list string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// unlinkedHost says what makes a host module that Quicksand ships part of a program.
func unlinkedHost(id string) string {
	return fmt.Sprintf("this program was built without the host module %s: import quicksand/hostmods/%s or quicksand/hostmods/all", id, id)
}

// hint says what makes a package available that a catalog does not have, or is empty for a
// package that nobody knows.
func hint(pack string) string {
	id, ok := strings.CutPrefix(pack, hostmods.PackOf(""))
	switch {
	case ok && shippedHosts[id]:
		return unlinkedHost(id)
	case ok && shippedGuests[id]:
		return "this program was built without the guest packs: import quicksand/packs"
	}
	return ""
}
