// Package all registers the host modules that ship. Importing it makes a program larger by
// some 25 MB, half of which are the vocabularies of tokens; a program that needs only some of
// them imports their packages instead.
package all

import (
	_ "quicksand/hostmods/csv"
	_ "quicksand/hostmods/subtitle"
	_ "quicksand/hostmods/tokens"
	_ "quicksand/hostmods/zip"
)
