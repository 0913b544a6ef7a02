package text

// A Font is what the CSS shorthand font says. The zero value is not useful: start from
// DefaultFont or ParseFont.
type Font struct {
	Style Style
	// Angle is that of an oblique style in degrees clockwise, -90 to 90.
	Angle float64
	// SmallCaps is font-variant: small-caps.
	SmallCaps bool
	// Weight is 1 to 1000; 400 is normal and 700 bold.
	Weight float64
	// Stretch is the width in percent of the normal one; 100 is normal.
	Stretch float64
	// Size is that of the em in CSS pixels, finite and ≥ 0.
	Size float64
	// LineHeight is in CSS pixels, or 0 for normal.
	LineHeight float64
	// Families are in order of preference. They must not be changed: copies of the font share
	// them.
	Families []Family
}

// A Family is the name of a font family.
type Family struct {
	// Name is as written, or in lower case when it is a generic one.
	Name string
	// Generic is whether it is one of the keywords of CSS, such as sans-serif.
	Generic bool
}

// Style is a font-style.
type Style uint8

// The styles.
const (
	Normal Style = iota
	Italic
	Oblique
)

// DefaultFont is the font of a new context, "10px sans-serif".
var DefaultFont = Font{Weight: 400, Stretch: 100, Size: 10, Families: []Family{{Name: "sans-serif", Generic: true}}}

// ParseFont reads the CSS shorthand font ("CSS Fonts Level 4", 2.7) as the property of that
// name of the canvas does. ok is false for what it ignores: text that is not a font, the
// keywords that hold for all properties, such as inherit, and text above 4096 bytes. The fonts
// of the system, such as caption, are 16px Arial, as in Chromium on Linux.
//
// Lengths relative to a font are relative to 10px, the font of a canvas outside of a document;
// bolder and lighter to weight 400. There is no viewport: its units are not read.
func ParseFont(css string) (font Font, ok bool) {
	return parseFont(css)
}

// String returns the font as the property font of the canvas reads back in Chromium: without
// what is normal, without the line height, the size in px. Unlike there, a stretch and an angle
// are kept.
func (f Font) String() string { return f.serialize() }
