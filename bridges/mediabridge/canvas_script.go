package mediabridge

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"strconv"

	"quicksand/canvas"
	"quicksand/media/image"
)

//go:embed canvas.js
var canvasSource string

// canvasScript is the guest's half, with the numbers and words of package canvas in it.
var canvasScript = replaceOps(canvasSource)

var opConstant = regexp.MustCompile(`\bH\.([A-Z]\w*?)(\d+)\b|\bWORDS\.(\w+)\b`)

// replaceOps writes headers of operations and lists of words into a script.
func replaceOps(script string) string {
	return opConstant.ReplaceAllStringFunc(script, func(s string) string {
		m := opConstant.FindStringSubmatch(s)
		if m[3] != "" {
			list, ok := opWords[m[3]]
			if !ok {
				panic("mediabridge: canvas.js has no words " + m[3]) // a test evaluates the script
			}
			b, _ := json.Marshal(list)
			return string(b)
		}
		op, ok := ops[m[1]]
		if !ok {
			panic("mediabridge: canvas.js names no operation " + m[1])
		}
		n, _ := strconv.Atoi(m[2])
		return strconv.Itoa(int(op) + 256*n)
	})
}

var opWords = map[string][]string{
	"FillRules": canvas.FillRules, "LineCaps": canvas.LineCaps, "LineJoins": canvas.LineJoins, "TextAligns": canvas.TextAligns,
	"TextBaselines": canvas.TextBaselines, "Directions": canvas.Directions, "SmoothingQualities": canvas.SmoothingQualities,
	"FontKernings": canvas.FontKernings, "FontStretches": canvas.FontStretches, "FontVariantCaps": canvas.FontVariantCaps,
	"TextRenderings": canvas.TextRenderings, "Repetitions": canvas.Repetitions, "BlendModes": blendModes(),
}

func blendModes() (names []string) {
	for m := image.SourceOver; m <= image.Luminosity; m++ {
		names = append(names, m.String())
	}
	return names
}

var ops = map[string]canvas.Op{
	"Arc":                      canvas.OpArc,
	"ArcTo":                    canvas.OpArcTo,
	"BeginPath":                canvas.OpBeginPath,
	"BezierCurveTo":            canvas.OpBezierCurveTo,
	"ClearRect":                canvas.OpClearRect,
	"Clip":                     canvas.OpClip,
	"ClipPath":                 canvas.OpClipPath,
	"ClosePath":                canvas.OpClosePath,
	"Direction":                canvas.OpDirection,
	"DrawImage":                canvas.OpDrawImage,
	"Ellipse":                  canvas.OpEllipse,
	"Fill":                     canvas.OpFill,
	"FillColor":                canvas.OpFillColor,
	"FillGradient":             canvas.OpFillGradient,
	"FillPath":                 canvas.OpFillPath,
	"FillPattern":              canvas.OpFillPattern,
	"FillRect":                 canvas.OpFillRect,
	"FillText":                 canvas.OpFillText,
	"FillTextBox":              canvas.OpFillTextBox,
	"Filter":                   canvas.OpFilter,
	"Font":                     canvas.OpFont,
	"FontKerning":              canvas.OpFontKerning,
	"FontStretch":              canvas.OpFontStretch,
	"FontVariantCaps":          canvas.OpFontVariantCaps,
	"GlobalAlpha":              canvas.OpGlobalAlpha,
	"GlobalCompositeOperation": canvas.OpGlobalCompositeOperation,
	"Gradient":                 canvas.OpGradient,
	"ImageSmoothingEnabled":    canvas.OpImageSmoothingEnabled,
	"ImageSmoothingQuality":    canvas.OpImageSmoothingQuality,
	"Lang":                     canvas.OpLang,
	"LetterSpacing":            canvas.OpLetterSpacing,
	"LineCap":                  canvas.OpLineCap,
	"LineDash":                 canvas.OpLineDash,
	"LineDashOffset":           canvas.OpLineDashOffset,
	"LineJoin":                 canvas.OpLineJoin,
	"LineTo":                   canvas.OpLineTo,
	"LineWidth":                canvas.OpLineWidth,
	"MiterLimit":               canvas.OpMiterLimit,
	"MoveTo":                   canvas.OpMoveTo,
	"Path":                     canvas.OpPath,
	"Pattern":                  canvas.OpPattern,
	"PutImageData":             canvas.OpPutImageData,
	"QuadraticCurveTo":         canvas.OpQuadraticCurveTo,
	"Rect":                     canvas.OpRect,
	"Reset":                    canvas.OpReset,
	"ResetTransform":           canvas.OpResetTransform,
	"Restore":                  canvas.OpRestore,
	"Rotate":                   canvas.OpRotate,
	"RoundRect":                canvas.OpRoundRect,
	"SVGPath":                  canvas.OpSVGPath,
	"Save":                     canvas.OpSave,
	"Scale":                    canvas.OpScale,
	"SetTransform":             canvas.OpSetTransform,
	"ShadowBlur":               canvas.OpShadowBlur,
	"ShadowColor":              canvas.OpShadowColor,
	"ShadowOffsetX":            canvas.OpShadowOffsetX,
	"ShadowOffsetY":            canvas.OpShadowOffsetY,
	"Stroke":                   canvas.OpStroke,
	"StrokeColor":              canvas.OpStrokeColor,
	"StrokeGradient":           canvas.OpStrokeGradient,
	"StrokePath":               canvas.OpStrokePath,
	"StrokePattern":            canvas.OpStrokePattern,
	"StrokeRect":               canvas.OpStrokeRect,
	"StrokeText":               canvas.OpStrokeText,
	"TextAlign":                canvas.OpTextAlign,
	"TextBaseline":             canvas.OpTextBaseline,
	"TextRendering":            canvas.OpTextRendering,
	"Transform":                canvas.OpTransform,
	"Translate":                canvas.OpTranslate,
	"WordSpacing":              canvas.OpWordSpacing,
}
