package text

// Options are the properties of a context, other than its font, which change how text is set.
// The zero value is how a new context sets text.
type Options struct {
	// LetterSpacing is added after each character and WordSpacing to each space, in pixels;
	// either may be negative.
	LetterSpacing, WordSpacing float64
	Kerning                    Kerning
	// Caps replaces the font's own variant unless it is CapsNormal.
	Caps Caps
	// Stretch replaces the font's own stretch, in percent, unless it is 0.
	Stretch   float64
	Rendering Rendering
	// RTL is whether the base direction is from right to left.
	RTL bool
	// Lang is a BCP 47 tag, or empty.
	Lang string
}

// Kerning is a fontKerning, in the order of canvas.FontKernings.
type Kerning uint8

// The values of fontKerning.
const (
	KerningAuto Kerning = iota
	KerningNormal
	KerningNone
)

// Caps is a fontVariantCaps, in the order of canvas.FontVariantCaps.
type Caps uint8

// The values of fontVariantCaps.
const (
	CapsNormal Caps = iota
	SmallCaps
	AllSmallCaps
	PetiteCaps
	AllPetiteCaps
	Unicase
	TitlingCaps
)

// Rendering is a textRendering, in the order of canvas.TextRenderings.
type Rendering uint8

// The values of textRendering.
const (
	RenderingAuto Rendering = iota
	OptimizeSpeed
	OptimizeLegibility
	GeometricPrecision
)

// StretchOf are the percentages of the words in canvas.FontStretches, in their order.
var StretchOf = [...]float64{100, 50, 62.5, 75, 87.5, 112.5, 125, 150, 200}

// Align is a textAlign, in the order of canvas.TextAligns.
type Align uint8

// The values of textAlign.
const (
	AlignStart Align = iota
	AlignEnd
	AlignLeft
	AlignRight
	AlignCenter
)

// Baseline is a textBaseline, in the order of canvas.TextBaselines.
type Baseline uint8

// The values of textBaseline.
const (
	BaselineAlphabetic Baseline = iota
	BaselineTop
	BaselineHanging
	BaselineMiddle
	BaselineIdeographic
	BaselineBottom
)
