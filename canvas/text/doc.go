// Package text sets text for the canvas: it reads CSS fonts, chooses faces, shapes a string
// into positioned glyphs, measures it as TextMetrics does and gives the glyphs as outlines,
// coverage masks, coloured layers or pictures.
//
// Everything depends on the bytes of the faces alone, never on the machine: outlines are not
// hinted and the fonts of the system are not used.
//
// # Coordinates
//
// Lengths are CSS pixels of user space, x to the right and y downwards, with the origin at the
// alphabetic baseline and the left end of a line.
//
// # Hostile input
//
// Fonts and strings come from guests. Fonts are bounded in size and number, and parsing,
// shaping and outlines of a registered face run under recover: a face that breaks draws
// nothing. Strings are bounded by MaxText and long ones look at their context.
package text
