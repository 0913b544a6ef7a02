// Package subtitle reads and writes SubRip (SRT) and WebVTT files, and registers the host
// module "subtitle".
//
// Reading is lenient where files in use are: indices may be missing, a cue may hold empty
// lines, times may leave out their hours and have a comma or a point. Time and memory are
// linear in the text.
package subtitle
