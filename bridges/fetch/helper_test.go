package fetch

import (
	"io"
	"log"
)

// discard takes what servers of tests complain about.
var discard = log.New(io.Discard, "", 0)
