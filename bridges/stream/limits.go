package stream

import (
	_ "embed"

	"quicksand/bridges"
)

//go:embed stream.js
var script string

const (
	// maxWaiting is how many takes may wait at one time, each on a handle of its own. More
	// queue up.
	maxWaiting = 256
	// maxLine is the longest line that Lines reads, in bytes.
	maxLine = 16 << 20
	// maxAside is how many values Pairs keeps for handles that nobody asked for yet.
	maxAside = 1024
	// maxName is the longest name of a handle that Pairs remembers to drop.
	maxName = 1024
)

var limits = []bridges.Limit{
	{Name: "StreamLine", Unit: "bytes", Default: maxLine, Floor: maxLine, Ceiling: maxLine, Doc: "one line of a source made by stream.Lines"},
	{Name: "StreamAside", Unit: "values", Default: maxAside, Floor: maxAside, Ceiling: maxAside, Doc: "values that a source made by stream.Pairs keeps for other handles than the one that was asked for"},
}
