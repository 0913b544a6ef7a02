package assets

import "quicksand/bridges"

// The fixed limits.
const (
	maxCall    = 16 << 20 // bytes that one media call brings to the guest or takes from it
	maxDataURI = 4 << 20  // bytes that a new data: URI holds
	maxID      = 512      // bytes of an asset's id or key; longer ones do not exist
	maxName    = 255      // bytes of a filename or MIME type; longer ones are a TypeError
)

var (
	callLimit = bridges.Limit{Name: "MediaCall", Unit: "bytes", Default: maxCall, Floor: maxCall, Ceiling: maxCall,
		Doc: "what one call of media.* takes or returns (fixed)"}
	dataURILimit = bridges.Limit{Name: "DataURI", Unit: "bytes", Default: maxDataURI, Floor: maxDataURI, Ceiling: maxDataURI,
		Doc: "what a reference holds by itself in a run without storage (fixed)"}
)
