// Package webapi is the host half of the guest's URL and TextDecoder: the URL
// Standard's parser and setters (https://url.spec.whatwg.org) and the Encoding
// Standard's labels and legacy decoders (https://encoding.spec.whatwg.org).
//
// It takes and returns plain Go values and knows nothing of engines. All functions are
// safe for concurrent use, keep no state between calls, and never panic; every argument
// may be hostile. Time and memory are linear in the length of the arguments, except
// for internationalised domains, whose length is therefore capped (maxIDNA).
//
// Strings are UTF-8. A caller that has UTF-16 turns lone surrogates into U+FFFD first,
// as the standards ask of the guest's interfaces; invalid UTF-8 is treated as U+FFFD.
//
// The URL parser is our own. github.com/nlnwa/whatwg-url 0.6.2 gives the right href
// for all parser vectors, too, but needs 14 µs and 80 allocations for an ordinary URL, where this one
// needs 0.6 µs and one. UTS #46 is x/net's (with the differences that idna.go names), the
// tables of the legacy encodings are x/text's.
package webapi
