// Package mediabridge gives guests image.*, pictures which the host decodes, transforms and
// encodes, audio.*, the same for sounds, and createCanvas and canvas.*, drawing as in a
// browser. A program that imports it has them in every run:
//
//	import _ "quicksand/bridges/mediabridge"
//
// Further formats of pictures come with the packages of their codecs.
//
// # Handles
//
// Bytes of pictures stay on the host. A transform returns a handle, a small plain object
// that names what is kept for the run:
//
//	{ __nodetool_sandbox_media__: "m1", type: "image", uri: "sandbox://media/m1",
//	  mimeType: "image/png", byteLength: 1234, width: 40, height: 20 }
//
// What is kept is the surface, or the luma and chroma of a photo. It is encoded when bytes
// are asked for, once: by image.bytes, image.toAsset and image.info, by a host that takes
// media from the result, and by reading byteLength, which is an accessor. So a chain of
// handles decodes once, loses nothing in between, and encodes once.
//
// A handle lives until image.release or the end of the run. One that the guest's garbage
// collector has found unreachable is dropped when its room is needed, unless byteLength was
// read, as all do that copy a handle: spread, JSON.stringify, structuredClone, and leaving
// the guest. Any copy is a handle as good as the first.
//
// # Inputs
//
// Where a function takes a picture it takes a handle, encoded bytes (a typed array, buffer,
// array of numbers or array-like object), or a reference, which package assets loads and
// whose bytes never enter the guest. Nothing else in the arguments is taken for one of
// these: a URL in an option is text.
//
// # Sounds
//
// Handles of sounds keep 32-bit floats, or a file which nothing was changed of, and are encoded
// as pictures are: as WAV of 16 bits unless format, depth and so on say otherwise. They have
// neither width nor height; audio.info has the duration, which is that of the decoded frames.
//
// What a chain of steps does to samples is done to floats, without clipping; gains add up in
// decibels and are applied once. audio.trim shares samples with its input, audio.convert all
// of it: a file that is only converted, measured or drawn is decoded in blocks and never lies
// decoded in memory, and one that is damaged behind its header is found out then.
//
// audio.concat, audio.mix and audio.merge bring all inputs to the rate of the first one, and
// the former two to the most channels among them. audio.mix divides by the number of inputs;
// with mode "sum" it adds them as they are and limits the peaks. An input of it may be an
// object { audio, gain, start } with decibels and seconds.
//
// audio.normalize is about the peak, audio.normalizeLoudness about the loudness, as EBU R 128
// measures it.
//
// # The canvas
//
// A context is an object of the guest alone: it has the state, converts and checks arguments,
// throws what a browser throws, and notes what is drawn in the format of package canvas. The
// notes go to the host when a buffer is full, and before the guest asks for anything that
// needs them: a picture, pixels, a hit test, a picture of the surface for another one. What
// was noted by then is drawn at the latest during that call (a full buffer before, on another
// core), the rest of it later, so that nothing is drawn twice unless a background is asked
// for. A reference that is drawn is loaded by toImage,
// toBytes, toSVG and toPDF; other questions fail before it is (ERR_CANVAS_PENDING).
//
// Values that mean nothing are ignored, as browsers do, and told in the logs of the run.
//
// # Limits
//
// The bytes of all inputs of one call together, everything that is decoded, and everything
// that is kept count against Limits.RunMedia while the host holds it. Sizes are read from
// headers before memory is taken.
package mediabridge
