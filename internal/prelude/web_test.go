package prelude_test

import (
	"quicksand/engine"
)

// web serves the operations of URL and the encodings.
func web(op uint32, arg any) engine.Reply {
	return engine.Reply{}
}
