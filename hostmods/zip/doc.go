// Package zip reads and writes zip archives whose contents nobody vouches for, and gzip. It
// registers itself as the host module "zip".
//
// # Reading
//
// Open reads the central directory (APPNOTE.TXT, 4.3 to 4.5), from memory or from anything
// with ReadAt: zip64, data descriptors, Unicode names and times in extra fields, comments, and
// bytes in front of an archive as self-extractors have them. Contents may be stored, deflated
// (RFC 1951) or compressed with Zstandard. Everything is checked against everything: an
// archive whose headers contradict each other, whose entries share bytes, that says it has
// more entries than its directory has room for, or that consists of several files is refused
// as a whole. Single entries that cannot be read are listed with the reason in
// Entry.Refused, and the others stay readable.
//
// Limits count what comes out while it comes out; what headers declare can only make reading
// end earlier. Nothing is opened but the archive itself: archives in archives are bytes.
//
// # Names
//
// Entry.Name is safe to join to a directory, by this rule: a backslash counts as a slash; the
// letter of a drive, slashes at either end, empty names, "." and ".." are left out; a control
// character and what is no text become "_"; white space around the path goes. Entry.Raw is
// the name as it was. A name that has been used before, or of which nothing is left, makes its
// entry a refused one. Links are refused, too: nothing here makes one.
//
// # Writing
//
// Write compresses blocks on all processors, several entries and several parts of one entry
// at a time, and writes them in order: the same input gives the same bytes on every machine,
// unless times are given. Contents that do not get smaller are stored.
//
// An Archive is safe for concurrent use; its limits hold for all its reads together.
package zip
