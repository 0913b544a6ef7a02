// Package fonts holds the faces that come with the canvas: Liberation Sans, Serif and Mono
// (SIL Open Font License), whose advances equal those of Arial, Times New Roman and Courier
// New, and DejaVu Sans (Bitstream Vera licence) for the scripts and symbols they lack.
//
// The files are embedded, so text looks and measures the same on every machine. Nothing is
// parsed here and the fonts of the system are never looked at.
package fonts

import (
	"github.com/go-fonts/dejavu/dejavusans"
	"github.com/go-fonts/dejavu/dejavusansbold"
	"github.com/go-fonts/liberation/liberationmonobold"
	"github.com/go-fonts/liberation/liberationmonobolditalic"
	"github.com/go-fonts/liberation/liberationmonoitalic"
	"github.com/go-fonts/liberation/liberationmonoregular"
	"github.com/go-fonts/liberation/liberationsansbold"
	"github.com/go-fonts/liberation/liberationsansbolditalic"
	"github.com/go-fonts/liberation/liberationsansitalic"
	"github.com/go-fonts/liberation/liberationsansregular"
	"github.com/go-fonts/liberation/liberationserifbold"
	"github.com/go-fonts/liberation/liberationserifbolditalic"
	"github.com/go-fonts/liberation/liberationserifitalic"
	"github.com/go-fonts/liberation/liberationserifregular"
)

// A Face is one bundled font file.
type Face struct {
	// Family is its name, as a CSS font family.
	Family string
	// Weight is 400 or 700.
	Weight float64
	Italic bool
	// TTF is the file. It must not be written to.
	TTF []byte
}

// Families of the faces.
const (
	Sans     = "Liberation Sans"
	Serif    = "Liberation Serif"
	Mono     = "Liberation Mono"
	Fallback = "DejaVu Sans"
)

// Faces returns the bundled faces. The caller must not change the result.
func Faces() []Face { return faces }

var faces = []Face{
	{Sans, 400, false, liberationsansregular.TTF},
	{Sans, 400, true, liberationsansitalic.TTF},
	{Sans, 700, false, liberationsansbold.TTF},
	{Sans, 700, true, liberationsansbolditalic.TTF},
	{Serif, 400, false, liberationserifregular.TTF},
	{Serif, 400, true, liberationserifitalic.TTF},
	{Serif, 700, false, liberationserifbold.TTF},
	{Serif, 700, true, liberationserifbolditalic.TTF},
	{Mono, 400, false, liberationmonoregular.TTF},
	{Mono, 400, true, liberationmonoitalic.TTF},
	{Mono, 700, false, liberationmonobold.TTF},
	{Mono, 700, true, liberationmonobolditalic.TTF},
	{Fallback, 400, false, dejavusans.TTF},
	{Fallback, 700, false, dejavusansbold.TTF},
}

// Alias returns the bundled family that stands for a family of this name, generic or not, in
// lower case: "arial" and "sans-serif" are Liberation Sans. ok is false when there is none.
func Alias(family string) (bundled string, ok bool) {
	bundled, ok = aliases[family]
	return bundled, ok
}

var aliases = map[string]string{
	"liberation sans":  Sans,
	"liberation serif": Serif,
	"liberation mono":  Mono,
	"dejavu sans":      Fallback,

	"arial":           Sans,
	"helvetica":       Sans,
	"times new roman": Serif,
	"times":           Serif,
	"courier new":     Mono,
	"courier":         Mono,

	"sans-serif":    Sans,
	"serif":         Serif,
	"monospace":     Mono,
	"system-ui":     Sans,
	"ui-sans-serif": Sans,
	"ui-serif":      Serif,
	"ui-monospace":  Mono,
	"ui-rounded":    Sans,
	"cursive":       Sans,
	"fantasy":       Sans,
	"math":          Serif,
	"emoji":         Fallback,
	"fangsong":      Serif,
}

// StandIn returns the bundled family that resembles a widely known one, in lower case, which
// is not bundled itself: "verdana" is a sans-serif one. Its advances are not the same.
func StandIn(family string) (bundled string, ok bool) {
	bundled, ok = standIns[family]
	return bundled, ok
}

var standIns = map[string]string{
	"-apple-system":      Sans,
	"blinkmacsystemfont": Sans,
	"calibri":            Sans,
	"helvetica neue":     Sans,
	"inter":              Sans,
	"noto sans":          Sans,
	"open sans":          Sans,
	"roboto":             Sans,
	"segoe ui":           Sans,
	"tahoma":             Sans,
	"trebuchet ms":       Sans,
	"ubuntu":             Sans,
	"verdana":            Sans,

	"consolas":        Mono,
	"lucida console":  Mono,
	"menlo":           Mono,
	"monaco":          Mono,
	"roboto mono":     Mono,
	"sf mono":         Mono,
	"source code pro": Mono,
}
