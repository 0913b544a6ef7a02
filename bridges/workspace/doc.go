// Package workspace lets guests work with files: those of one directory, of a tree in
// memory, of any fs.FS, or, where a host says so in as many words, all of the machine's.
//
// A Policy grants it. Guests find the calls of Bridge under workspace.*; other bridges get
// the same files under the same policy from Of.
//
// # Where the files are
//
//	Policy{}                        an empty tree in memory, which ends with the run
//	Policy{Dir: "/srv/job-17"}      a directory, which guests cannot leave
//	Policy{FS: memory}              a Memory that the host keeps, filled before, read after
//	Policy{FS: Overlay(fsys)}       an fs.FS below, changes in memory above
//	Policy{FS: fsys}                any other fs.FS, to read only
//	Policy{Dir: dir, HostMode: true} the machine's files; relative paths start at dir
//
// A Store is what all of them come down to: an fs.FS that can change. Anything else that
// implements it can be granted too.
//
// # Containment
//
// A directory is held as an os.Root from the first call to the end of the run, and every
// operation goes through it: there is no path that is checked first and used later. Links
// that stay inside are followed, also absolute ones; those that lead outside, and those
// without a target, fail with "outside the workspace". Whoever replaces directories by
// links while a call works can make it fail or work on other files of the workspace, not on
// files outside.
//
// Only regular files are read or written. Devices, FIFOs and sockets are refused before
// they are opened, and opened without blocking in case they took a file's place meanwhile.
//
// What containment does not cover: mounts inside of the directory are part of it. A hard
// link to a file outside is that file, for reading; writing puts a new file in its place,
// and appending too, so that the file outside stays as it is. On Windows, reserved device
// names, alternate data streams and names that end in a dot or a space are refused.
//
// # Writing
//
// A file is written under another name in its directory and then renamed, so that it is
// there as a whole or not at all: also when the run ends meanwhile, a quota is met or the
// disk is full. Names that begin with the prefix for those files, ".quicksand-tmp-", are
// not shown and cannot be used. Moving is renaming. Appending adds in place.
//
// # Quotas
//
// The sums of bytes and of files are those of the workspace: what is there when the run
// first changes it is counted (its links and special files as files of no size), and what
// the run does is added. All changes of one run are made one after the other, so that the
// account is exact. Changes of others during the run are not seen. In host mode only what
// the run itself adds counts.
package workspace
