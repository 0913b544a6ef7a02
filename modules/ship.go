package modules

import (
	"io/fs"
	"slices"
	"sync"
)

var ships struct {
	sync.Mutex
	list []fs.FS
}

// Ship makes packages that a program brings known to every catalog that is opened from then
// on: each top directory of fsys is one, with package.json, SKILL.md and its files, of which
// JavaScript may be up to MaxShipped bytes. Packages call it when they are initialized. fsys
// must not change. A file that a manifest names and that is not there was not built: the
// module is skipped.
func Ship(fsys fs.FS) {
	ships.Lock()
	defer ships.Unlock()
	ships.list = append(ships.list, fsys)
}

func shipped() []fs.FS {
	ships.Lock()
	defer ships.Unlock()
	return slices.Clone(ships.list)
}
