package prelude

import "quicksand/engine"

// Operations that the prelude asks of the host. The prelude's JavaScript sees
// them as the constants OP.Log and so on, generated from Ops.
//
// "arg" is the single value that crosses; a list in brackets is an array. A
// synchronous operation that fails throws in the guest; an asynchronous one rejects.
const (
	// OpLog [level, text]: one finished console line. level is "log", "info",
	// "warn", "error" or "debug".
	OpLog = engine.OpHost + iota
	// OpProgress [percent, message or undefined]: percent is finite, 0 to 100. The message may
	// be longer than what the host shows of it.
	OpProgress
	// OpRandomBytes n: a Uint8Array of n ≤ 65 536 random bytes.
	OpRandomBytes
	// OpRandomUUID no argument: a version 4 UUID string.
	OpRandomUUID
	// OpURLParse [input, base or undefined]: the parsed record (see OpURLSet), or
	// undefined when it does not parse.
	OpURLParse
	// OpURLSet [href, part, value]: the record of the URL after the WHATWG setter of
	// that part (href, protocol, username, password, host, hostname, port, pathname,
	// search, hash) ran; undefined when setting href fails. A record is the array
	// [href, protocol, username, password, host, hostname, port, pathname, search, hash, origin].
	OpURLSet
	// OpEncodingName label: the WHATWG name of an encoding in lower case, or undefined.
	OpEncodingName
	// OpDecodeText [name, bytes, fatal, last]: [text, consumed] for an encoding
	// other than UTF-8. Bytes of an unfinished sequence are not consumed unless last.
	// With fatal, malformed input gives undefined.
	OpDecodeText
	// OpEndWait id: resolves the OpSleep or OpTimer with this id at once, if it waits.
	OpEndWait
)

const (
	// OpSleep ms, or [ms, id]: resolves undefined after ms milliseconds. The ids, by which
	// OpEndWait finds a wait, rise from 1 over both kinds.
	OpSleep = engine.OpAsync + iota
	// OpCallGlobal [id, args]: calls the Go function that the global with this id
	// stands for.
	OpCallGlobal
	// OpDigest [algorithm, bytes]: algorithm is SHA-1, SHA-256, SHA-384 or SHA-512.
	OpDigest
	// OpHMAC [algorithm, key, bytes].
	OpHMAC
	// OpEmit [name, value].
	OpEmit
	// OpOutput [name, value].
	OpOutput
	// OpTimer ms, or [ms, id]: resolves undefined after ms milliseconds, for
	// AbortSignal.timeout and setTimeout.
	// Unlike OpSleep it has no cap (other than the run's own end), it is not work that
	// a run leaves undone when it ends first, and it does not make a run wait: a run in
	// which nothing else can settle has nothing to wait for but timers.
	OpTimer
)

// Ops names every operation for the generated constants.
var Ops = map[string]int{
	"Log": OpLog, "Progress": OpProgress, "RandomBytes": OpRandomBytes, "RandomUUID": OpRandomUUID,
	"URLParse": OpURLParse, "URLSet": OpURLSet, "EncodingName": OpEncodingName, "DecodeText": OpDecodeText,
	"Sleep": OpSleep, "CallGlobal": OpCallGlobal, "Digest": OpDigest, "HMAC": OpHMAC, "Emit": OpEmit, "Output": OpOutput,
	"Timer": OpTimer, "EndWait": OpEndWait,
}
