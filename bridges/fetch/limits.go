package fetch

import (
	"time"

	"quicksand/bridges"
)

// The fixed limits of a run's requests.
const (
	MaxRedirects      = 5       // hops of one request
	MaxRefusals       = 100     // requests of a run that the policy or the address guard refused
	MaxURL            = 1 << 16 // bytes of one URL
	MaxRequestHeader  = 1 << 16 // bytes of the names and values of a request's headers
	MaxResponseHeader = 1 << 18 // bytes of the headers of an answer, before decompression of HTTP/2's
)

// The limits that a Policy sets.
var (
	callsLimit = bridges.Limit{Name: "FetchCalls", Unit: "calls", Default: 20, Floor: 1, Ceiling: 100,
		Doc: "requests of a run. None is a nil Policy or an empty Allow"}
	bodyLimit = bridges.Limit{Name: "FetchBody", Unit: "bytes", Default: 1_000_000, Floor: 1024, Ceiling: 52_428_800,
		Doc: "one response body, after decompression; more is cut and reported"}
	bytesLimit = bridges.Limit{Name: "FetchBytes", Unit: "bytes", Default: 64 << 20, Floor: 1024, Ceiling: 2 << 30,
		Doc: "all request and response bodies of a run"}
	timeoutLimit = bridges.Limit{Name: "FetchTimeout", Unit: "ns", Default: int64(15 * time.Second), Floor: int64(100 * time.Millisecond), Ceiling: int64(120 * time.Second),
		Doc: "one request with its redirects and body"}
	redirectsLimit = bridges.Limit{Name: "FetchRedirects", Unit: "hops", Default: MaxRedirects, Floor: MaxRedirects, Ceiling: MaxRedirects,
		Doc: "redirects of one request (fixed)"}
	refusalsLimit = bridges.Limit{Name: "FetchRefusals", Unit: "calls", Default: MaxRefusals, Floor: MaxRefusals, Ceiling: MaxRefusals,
		Doc: "requests of a run that the policy or the address guard refused (fixed)"}
	urlLimit = bridges.Limit{Name: "FetchURLBytes", Unit: "bytes", Default: MaxURL, Floor: MaxURL, Ceiling: MaxURL,
		Doc: "one URL (fixed)"}
	headerLimit = bridges.Limit{Name: "FetchHeaderBytes", Unit: "bytes", Default: MaxRequestHeader, Floor: MaxRequestHeader, Ceiling: MaxRequestHeader,
		Doc: "names and values of the headers of one request; of a response four times as many (fixed)"}
)
