package arena

// CopyWhole makes an image restore itself without the help of the system.
func (im *Image) CopyWhole() { im.file = pageImage{} }
