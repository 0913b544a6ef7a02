package canvas

// A recording is a sequence of operations, each a sequence of float64 in little-endian order:
//
//	header   the code of the operation + 256 × the number of arguments
//	         the arguments
//
// Every argument is a finite number. What is not a number is one all the same:
//
//	string      its index in the recording's list of strings
//	boolean     0 or 1
//	word        its index in the list of words of the operation
//	colour      straight red<<24 | green<<16 | blue<<8 | alpha
//	resource    the number by which the recording has defined a gradient, pattern or path
//	image       its index in the recording's list of images
//
// The recorder has checked and converted the arguments as browsers do and leaves out calls
// which those ignore, but a recording may come from anywhere: whatever breaks these rules is
// refused before any of it is drawn.

// Op is the code of an operation.
type Op uint8

// The operations. Their arguments are in the table opInfos.
const (
	_ Op = iota

	// State.
	OpSave
	OpRestore
	OpReset

	// Transformation matrix.
	OpTranslate
	OpRotate
	OpScale
	OpTransform
	OpSetTransform
	OpResetTransform

	// Path. These, without BeginPath, also make up the definition of a Path2D.
	OpBeginPath
	OpClosePath
	OpMoveTo
	OpLineTo
	OpQuadraticCurveTo
	OpBezierCurveTo
	OpArc
	OpArcTo
	OpEllipse
	OpRect
	OpRoundRect
	OpSVGPath // in definitions only: path data of SVG

	// Painting.
	OpFill
	OpStroke
	OpClip
	OpFillPath
	OpStrokePath
	OpClipPath
	OpFillRect
	OpStrokeRect
	OpClearRect
	OpFillText
	OpStrokeText
	OpFillTextBox
	OpDrawImage
	OpPutImageData

	// Properties.
	OpFillColor
	OpFillGradient
	OpFillPattern
	OpStrokeColor
	OpStrokeGradient
	OpStrokePattern
	OpLineWidth
	OpLineCap
	OpLineJoin
	OpMiterLimit
	OpLineDash
	OpLineDashOffset
	OpGlobalAlpha
	OpGlobalCompositeOperation
	OpFilter
	OpShadowColor
	OpShadowBlur
	OpShadowOffsetX
	OpShadowOffsetY
	OpImageSmoothingEnabled
	OpImageSmoothingQuality
	OpFont
	OpTextAlign
	OpTextBaseline
	OpDirection
	OpLetterSpacing
	OpWordSpacing
	OpFontKerning
	OpFontStretch
	OpFontVariantCaps
	OpTextRendering
	OpLang

	// Definitions. One with a number that is taken replaces it for the operations that follow.
	OpGradient
	OpPattern
	OpPath

	opEnd
)

// Words of arguments, in the order of their indices.
var (
	FillRules          = []string{"nonzero", "evenodd"}
	LineCaps           = []string{"butt", "round", "square"}
	LineJoins          = []string{"miter", "round", "bevel"}
	TextAligns         = []string{"start", "end", "left", "right", "center"}
	TextBaselines      = []string{"alphabetic", "top", "hanging", "middle", "ideographic", "bottom"}
	Directions         = []string{"ltr", "rtl", "inherit"}
	SmoothingQualities = []string{"low", "medium", "high"}
	FontKernings       = []string{"auto", "normal", "none"}
	FontStretches      = []string{"normal", "ultra-condensed", "extra-condensed", "condensed", "semi-condensed", "semi-expanded", "expanded", "extra-expanded", "ultra-expanded"}
	FontVariantCaps    = []string{"normal", "small-caps", "all-small-caps", "petite-caps", "all-petite-caps", "unicase", "titling-caps"}
	TextRenderings     = []string{"auto", "optimizeSpeed", "optimizeLegibility", "geometricPrecision"}
	GradientTypes      = []string{"linear", "radial", "conic"}
	Repetitions        = []string{"repeat", "repeat-x", "repeat-y", "no-repeat"}
	BoxAligns          = []string{"start", "end", "left", "right", "center", "justify"}
	VerticalAligns     = []string{"top", "middle", "bottom"}
)

// An OpInfo describes an operation.
type OpInfo struct {
	// Name is that of the method or property.
	Name string
	// Args has a letter for each argument:
	//
	//	n  number            s  string        b  boolean
	//	w  word              c  colour        r  radius, a number ≥ 0
	//	g  gradient          p  pattern       P  path       i  image
	//	d  the number which the definition gives its resource: an integer from 0
	//
	// A "|" separates the variants of an operation that takes different numbers of arguments,
	// and "*" ends a list whose last group, in parentheses, occurs any number of times.
	Args string
	// Words are those of a w; nil for globalCompositeOperation, whose words are
	// image.BlendMode in order.
	Words []string
}

// opInfos describes the operations.
var opInfos = [opEnd]OpInfo{
	OpSave:    {Name: "save"},
	OpRestore: {Name: "restore"},
	OpReset:   {Name: "reset"},

	OpTranslate:      {Name: "translate", Args: "nn"},
	OpRotate:         {Name: "rotate", Args: "n"}, // radians
	OpScale:          {Name: "scale", Args: "nn"},
	OpTransform:      {Name: "transform", Args: "nnnnnn"}, // a b c d e f
	OpSetTransform:   {Name: "setTransform", Args: "nnnnnn"},
	OpResetTransform: {Name: "resetTransform"},

	OpBeginPath:        {Name: "beginPath"},
	OpClosePath:        {Name: "closePath"},
	OpMoveTo:           {Name: "moveTo", Args: "nn"},
	OpLineTo:           {Name: "lineTo", Args: "nn"},
	OpQuadraticCurveTo: {Name: "quadraticCurveTo", Args: "nnnn"},
	OpBezierCurveTo:    {Name: "bezierCurveTo", Args: "nnnnnn"},
	OpArc:              {Name: "arc", Args: "nnrnnb"},       // x y radius start end counterclockwise
	OpArcTo:            {Name: "arcTo", Args: "nnnnr"},      // x1 y1 x2 y2 radius
	OpEllipse:          {Name: "ellipse", Args: "nnrrnnnb"}, // x y rx ry rotation start end counterclockwise
	OpRect:             {Name: "rect", Args: "nnnn"},
	OpRoundRect:        {Name: "roundRect", Args: "nnnnrrrrrrrr"}, // x y w h, then rx ry of top left, top right, bottom right, bottom left, not yet scaled to fit
	OpSVGPath:          {Name: "svg", Args: "s"},

	OpFill:         {Name: "fill", Args: "w", Words: FillRules},
	OpStroke:       {Name: "stroke"},
	OpClip:         {Name: "clip", Args: "w", Words: FillRules},
	OpFillPath:     {Name: "fill", Args: "Pw", Words: FillRules},
	OpStrokePath:   {Name: "stroke", Args: "P"},
	OpClipPath:     {Name: "clip", Args: "Pw", Words: FillRules},
	OpFillRect:     {Name: "fillRect", Args: "nnnn"},
	OpStrokeRect:   {Name: "strokeRect", Args: "nnnn"},
	OpClearRect:    {Name: "clearRect", Args: "nnnn"},
	OpFillText:     {Name: "fillText", Args: "snn|snnr"}, // text x y maxWidth
	OpStrokeText:   {Name: "strokeText", Args: "snn|snnr"},
	OpFillTextBox:  {Name: "fillTextBox", Args: "snnrs"}, // text x y width, and the options as JSON: see TextBoxOptions
	OpDrawImage:    {Name: "drawImage", Args: "inn|innnn|innnnnnnn"},
	OpPutImageData: {Name: "putImageData", Args: "innnnnn"}, // image, dx dy, and x y width height of the part that is put, in pixels of the image

	OpFillColor:                {Name: "fillStyle", Args: "c"},
	OpFillGradient:             {Name: "fillStyle", Args: "g"},
	OpFillPattern:              {Name: "fillStyle", Args: "p"},
	OpStrokeColor:              {Name: "strokeStyle", Args: "c"},
	OpStrokeGradient:           {Name: "strokeStyle", Args: "g"},
	OpStrokePattern:            {Name: "strokeStyle", Args: "p"},
	OpLineWidth:                {Name: "lineWidth", Args: "r"},
	OpLineCap:                  {Name: "lineCap", Args: "w", Words: LineCaps},
	OpLineJoin:                 {Name: "lineJoin", Args: "w", Words: LineJoins},
	OpMiterLimit:               {Name: "miterLimit", Args: "r"},
	OpLineDash:                 {Name: "setLineDash", Args: "(r)*"},
	OpLineDashOffset:           {Name: "lineDashOffset", Args: "n"},
	OpGlobalAlpha:              {Name: "globalAlpha", Args: "r"},
	OpGlobalCompositeOperation: {Name: "globalCompositeOperation", Args: "w"},
	OpFilter:                   {Name: "filter", Args: "s"},
	OpShadowColor:              {Name: "shadowColor", Args: "c"},
	OpShadowBlur:               {Name: "shadowBlur", Args: "r"},
	OpShadowOffsetX:            {Name: "shadowOffsetX", Args: "n"},
	OpShadowOffsetY:            {Name: "shadowOffsetY", Args: "n"},
	OpImageSmoothingEnabled:    {Name: "imageSmoothingEnabled", Args: "b"},
	OpImageSmoothingQuality:    {Name: "imageSmoothingQuality", Args: "w", Words: SmoothingQualities},
	OpFont:                     {Name: "font", Args: "s"},
	OpTextAlign:                {Name: "textAlign", Args: "w", Words: TextAligns},
	OpTextBaseline:             {Name: "textBaseline", Args: "w", Words: TextBaselines},
	OpDirection:                {Name: "direction", Args: "w", Words: Directions},
	OpLetterSpacing:            {Name: "letterSpacing", Args: "s"},
	OpWordSpacing:              {Name: "wordSpacing", Args: "s"},
	OpFontKerning:              {Name: "fontKerning", Args: "w", Words: FontKernings},
	OpFontStretch:              {Name: "fontStretch", Args: "w", Words: FontStretches},
	OpFontVariantCaps:          {Name: "fontVariantCaps", Args: "w", Words: FontVariantCaps},
	OpTextRendering:            {Name: "textRendering", Args: "w", Words: TextRenderings},
	OpLang:                     {Name: "lang", Args: "s"},

	OpGradient: {Name: "gradient", Args: "dwnnnnnn(nc)*", Words: GradientTypes}, // coordinates: linear x0 y0 x1 y1 0 0, radial x0 y0 r0 x1 y1 r1, conic angle x y 0 0 0; then stops: offset, colour
	OpPattern:  {Name: "pattern", Args: "diwnnnnnn", Words: Repetitions},        // image, repetition, matrix a b c d e f
	OpPath:     {Name: "Path2D", Args: "d(n)*"},                                 // operations of paths with their headers, one after the other; a setTransform among them holds for those that follow
}

// Info describes the operation, ok being false when there is none of this code.
func (o Op) Info() (info OpInfo, ok bool) {
	if o == 0 || o >= opEnd {
		return OpInfo{}, false
	}
	return opInfos[o], true
}
