// Package subtitle reads and writes SubRip (SRT) and WebVTT files, and registers the host
// module "subtitle".
//
// Reading is lenient where files in use are: indices may be missing, a cue may hold empty
// lines, times may leave out their hours and have a comma or a point. Time and memory are
// linear in the text.
//
// # What differs from the npm package subtitle
//
//   - Cues of WebVTT may have any id, where the other takes only numbers.
//   - Times that are no numbers, negative or infinite are refused instead of printed.
//   - Names of formats have any case, and one that is not known is refused instead of taken
//     for SRT.
//   - An arrow in a text is escaped in WebVTT, where it would begin a cue.
package subtitle
