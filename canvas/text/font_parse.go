package text

func parseFont(css string) (Font, bool) { return DefaultFont, true }
func (f *Font) serialize() string       { return "10px sans-serif" }

var generics = map[string]bool{}
