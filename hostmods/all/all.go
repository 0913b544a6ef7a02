// Package all registers the host modules that ship. Importing it makes a program larger by
// some 13 MB, of which 12 are the vocabularies of tokens; a program that needs only some of
// them imports their packages instead.
package all

import (
	_ "quicksand/hostmods/aws"
	_ "quicksand/hostmods/csv"
	_ "quicksand/hostmods/exif"
	_ "quicksand/hostmods/html"
	_ "quicksand/hostmods/notion"
	_ "quicksand/hostmods/subtitle"
	_ "quicksand/hostmods/supabase"
	_ "quicksand/hostmods/tokens"
	_ "quicksand/hostmods/twilio"
	_ "quicksand/hostmods/xlsx"
	_ "quicksand/hostmods/xml"
	_ "quicksand/hostmods/zip"
)
