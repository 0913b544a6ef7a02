// Package aac reads AAC-LC, in ADTS files and in MP4 (M4A, MOV). Import it for its side
// effect:
//
//	import _ "quicksand/media/audio/aac"
//
// It is a module of its own. Its decoder, github.com/tphakala/go-aac, is under the LGPL 2.1 or
// later, which a program that links it has to comply with; Quicksand itself is free of it.
//
// What encoders add for their delay and as padding is taken off as far as the file says it:
// by the edit list and the durations of MP4, or by the comment iTunSMPB. ADTS cannot say it,
// so that sounds in it are about 1024 frames longer than what was encoded. One and two channels
// are read. HE-AAC, other profiles, fragmented and encrypted MP4 are errors that say so.
package aac
