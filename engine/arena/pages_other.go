//go:build !linux

package arena

// mappedImage is out of reach: only Linux tells which pages of a mapping were written to.
const mappedImage = ^uintptr(0)

type pageImage struct{}

func (im *Image) mapFile() bool      { return false }
func (im *Image) restorePages() bool { return false }
func (im *Image) dropPages()         {}

func releaseImage([]byte) error { return nil }
