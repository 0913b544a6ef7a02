package svg

import (
	"fmt"
	"strings"
	"testing"

	"quicksand/media/image"
)

// in is a document of 40 by 40 pixels.
func in(body string) string {
	return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40">` + body + `</svg>`
}

// at is a pixel, straight.
func at(s *image.Surface, x, y int) [4]uint8 {
	one := &image.Surface{Width: 1, Height: 1, Pix: s.Row(y)[4*x : 4*x+4]}
	var c [4]uint8
	one.Straight(c[:])
	return c
}

type probe struct {
	x, y int
	want [4]uint8
}

var (
	none  = [4]uint8{}
	red   = [4]uint8{255, 0, 0, 255}
	green = [4]uint8{0, 128, 0, 255}
	blue  = [4]uint8{0, 0, 255, 255}
	black = [4]uint8{0, 0, 0, 255}
)

const rectRed = `<rect width="40" height="40" fill="red"/>`

func TestPixels(t *testing.T) {
	for _, row := range []struct {
		name, body string
		probes     []probe
	}{
		{"a rectangle is black where nothing is said", `<rect x="10" y="10" width="10" height="10"/>`, []probe{{15, 15, black}, {5, 5, none}, {20, 20, none}}},
		{"percentages are of the viewport", `<rect x="50%" y="25%" width="25%" height="50%" fill="red"/>`, []probe{{20, 10, red}, {29, 29, red}, {30, 10, none}, {19, 12, none}}},
		{"units are those of CSS", `<rect width="0.25in" height="7.5pt" fill="red"/><rect y="20" width="1pc" height="1em" fill="green"/>`, []probe{{23, 9, red}, {24, 9, none}, {23, 10, none}, {15, 35, green}, {16, 35, none}, {15, 36, none}}},
		{"a shape of no size is not drawn", `<rect width="0" height="10" fill="red"/><circle r="0" fill="red"/><rect width="-5" height="5" fill="red"/>`, []probe{{0, 0, none}}},
		{"presentation attributes are weaker than rules", `<style>rect{fill:green}</style>` + rectRed, []probe{{0, 0, green}}},
		{"the style attribute is stronger than rules", `<style>#a{fill:red}</style><rect id="a" width="40" height="40" style="fill: green"/>`, []probe{{0, 0, green}}},
		{"important is strongest", `<style>rect{fill:green !important}</style><rect width="40" height="40" style="fill:red"/>`, []probe{{0, 0, green}}},
		{"an id beats classes, which beat elements", `<style>#a{fill:green}.b.c{fill:red}rect{fill:blue}</style><rect id="a" class="b c" width="20" height="40"/><rect class="b" x="20" width="20" height="40"/>`, []probe{{0, 0, green}, {30, 0, blue}}},
		{"a rule with an unknown selector is ignored", `<style>rect[x]{fill:red} rect::before{fill:red} {fill:red}</style><rect width="40" height="40" fill="green"/>`, []probe{{0, 0, green}}},
		{"a child selector does not match grandchildren", `<style>svg > rect{fill:red}</style><g><rect width="40" height="40" fill="green"/></g>`, []probe{{0, 0, green}}},
		{"currentcolor is the color around", `<g color="green"><rect width="40" height="40" fill="currentColor"/></g>`, []probe{{0, 0, green}}},
		{"an invalid fill is as none was given", `<g fill="green"><rect width="40" height="40" fill="nonsense"/></g>`, []probe{{0, 0, green}}},
		{"a paint that does not exist falls back", `<rect width="20" height="40" fill="url(#x) green"/><rect x="20" width="20" height="40" fill="url(#x)"/>`, []probe{{0, 0, green}, {30, 0, none}}},
		{"display none hides all within", `<g display="none"><rect width="40" height="40" visibility="visible"/></g>`, []probe{{0, 0, none}}},
		{"hidden is inherited and can be undone", `<g visibility="hidden">` + rectRed + `<rect width="20" height="40" fill="green" visibility="visible"/></g>`, []probe{{0, 0, green}, {30, 0, none}}},
		{"opacity of a group is of all together", `<g opacity="0.5"><rect width="40" height="40" fill="red"/><rect width="20" height="40" fill="green"/></g>`, []probe{{0, 0, [4]uint8{0, 128, 0, 128}}, {30, 0, [4]uint8{255, 0, 0, 128}}}},
		{"use draws elsewhere", `<defs><rect id="a" width="10" height="10" fill="red"/></defs><use href="#a" x="20" y="10"/>`, []probe{{25, 15, red}, {5, 5, none}}},
		{"use of itself is nothing", `<g id="a"><use href="#a"/><rect width="10" height="10" fill="red"/></g>`, []probe{{5, 5, red}}},
		{"what is used inherits from the use", `<defs><rect id="a" width="10" height="10"/></defs><use href="#a" fill="green"/>`, []probe{{5, 5, green}}},
		{"a symbol is clipped to its viewport", `<symbol id="a" viewBox="0 0 1 1"><rect width="5" height="1" fill="red"/></symbol><use href="#a" width="20" height="20"/>`, []probe{{19, 10, red}, {21, 10, none}}},
		{"href goes before xlink:href", `<defs><rect id="a" width="40" height="40" fill="red"/><rect id="b" width="40" height="40" fill="green"/></defs><use xlink:href="#a" href="#b"/>`, []probe{{0, 0, green}}},
		{"switch takes the first that holds", `<switch><rect requiredExtensions="a" width="40" height="40" fill="red"/><rect width="40" height="40" fill="green"/><rect width="40" height="40" fill="red"/></switch>`, []probe{{0, 0, green}}},
		{"foreignObject and scripts are not drawn", `<foreignObject width="40" height="40"><rect width="40" height="40"/></foreignObject><script>x</script>`, []probe{{0, 0, none}}},
		{"elements of other namespaces are not drawn", `<x:rect xmlns:x="urn:x" width="40" height="40"/><x:g xmlns:x="urn:x">` + rectRed + `</x:g>`, []probe{{0, 0, none}}},
		{"a gradient of one stop is its colour", `<linearGradient id="a"><stop stop-color="green"/></linearGradient><rect width="40" height="40" fill="url(#a)"/>`, []probe{{0, 0, green}}},
		{"a gradient without length is its last colour", `<linearGradient id="a" x2="0"><stop stop-color="red"/><stop offset="1" stop-color="green"/></linearGradient><rect width="40" height="40" fill="url(#a)"/>`, []probe{{0, 0, green}}},
		{"a gradient without stops is none", `<linearGradient id="a"/><rect width="40" height="40" fill="url(#a)"/>`, []probe{{0, 0, none}}},
		{"a gradient in the box of a line is none", `<linearGradient id="a"><stop stop-color="red"/><stop offset="1"/></linearGradient><path d="M0 20H40" stroke="url(#a)" stroke-width="9"/>`, []probe{{20, 20, none}}},
		{"gradients that refer to each other end", `<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/><rect width="40" height="40" fill="url(#a)"/>`, []probe{{0, 0, none}}},
		{"a clip leaves its inside", `<clipPath id="a"><rect width="20" height="40"/></clipPath><g clip-path="url(#a)">` + rectRed + `</g>`, []probe{{19, 0, red}, {20, 0, none}}},
		{"a clip that is empty leaves nothing", `<clipPath id="a"/><g clip-path="url(#a)">` + rectRed + `</g>`, []probe{{19, 0, none}}},
		{"a clip of text leaves glyphs", `<clipPath id="a"><text y="36" font-size="50" font-family="monospace">█</text></clipPath><g clip-path="url(#a)">` + rectRed + `</g>`, []probe{{10, 20, red}}},
		{"a mask weighs by luminance", `<mask id="a"><rect width="20" height="40" fill="white"/><rect x="20" width="20" height="40" fill="red"/></mask><g mask="url(#a)">` + rectRed + `</g>`, []probe{{5, 5, red}, {30, 5, [4]uint8{255, 0, 0, 54}}}},
		{"a mask of itself is none", `<mask id="a" mask="url(#a)"><rect width="20" height="40" fill="white"/></mask><g mask="url(#a)">` + rectRed + `</g>`, []probe{{5, 5, red}, {30, 5, none}}},
		{"evenodd leaves the middle", `<path fill="red" fill-rule="evenodd" d="M0 0H40V40H0ZM10 10H30V30H10Z"/>`, []probe{{5, 5, red}, {20, 20, none}}},
		{"a path is drawn up to its error", `<path d="M0 0H20V20H0Z L x" fill="red"/>`, []probe{{5, 5, red}}},
		{"a dot has round ends", `<path d="M20 20h0" stroke="red" stroke-width="10" stroke-linecap="round"/>`, []probe{{20, 20, red}, {23, 20, red}, {27, 20, none}}},
		{"a stroke that does not scale", `<path transform="scale(10)" d="M0 2H4" stroke="red" stroke-width="4" vector-effect="non-scaling-stroke"/>`, []probe{{20, 19, red}, {20, 25, none}}},
		{"pictures from elsewhere are not drawn", `<image href="file:///etc/passwd" width="40" height="40"/><image href="http://127.0.0.1/a.png" width="40" height="40"/><use href="a.svg#b"/>`, []probe{{5, 5, none}}},
		{"a picture within is drawn", `<image width="40" height="40" image-rendering="pixelated" href="data:image/gif;base64,R0lGODlhAQABAPAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=="/>`, []probe{{5, 5, red}, {39, 39, red}}},
		{"a blur spreads", `<filter id="a"><feGaussianBlur stdDeviation="0"/></filter><g filter="url(#a)">` + rectRed + `</g>`, []probe{{5, 5, red}}},
		{"a filter that is empty leaves nothing", `<filter id="a"/><g filter="url(#a)">` + rectRed + `</g>`, []probe{{5, 5, none}}},
		{"a flood fills the region", `<filter id="a" filterUnits="userSpaceOnUse" x="10" y="10" width="20" height="20"><feFlood flood-color="green"/></filter><g filter="url(#a)">` + rectRed + `</g>`, []probe{{10, 10, green}, {29, 29, green}, {9, 10, none}, {30, 29, none}}},
		{"functions of CSS filter", `<g style="filter: invert(1)"><rect width="40" height="40" fill="#ffff00"/></g>`, []probe{{5, 5, blue}}},
		{"a blend mode sees what is behind", `<rect width="40" height="40" fill="#ff0"/><rect width="40" height="40" fill="#0ff" style="mix-blend-mode:multiply"/>`, []probe{{5, 5, [4]uint8{0, 255, 0, 255}}}},
		{"isolation hides what is behind", `<rect width="40" height="40" fill="#ff0"/><g style="isolation:isolate"><rect width="40" height="40" fill="#0ff" style="mix-blend-mode:multiply"/></g>`, []probe{{5, 5, [4]uint8{0, 255, 255, 255}}}},
		{"text begins, is centred and ends at x", `<g font-size="20" font-family="monospace"><text x="20" y="15">█</text><text x="20" y="39" text-anchor="end">█</text></g>`, []probe{{25, 8, black}, {15, 8, none}, {15, 34, black}, {25, 34, none}}},
		{"white space is collapsed", "<text y=\"15\" font-size=\"20\" font-family=\"monospace\">\n   █ \n </text>", []probe{{5, 8, black}, {15, 8, none}}},
		{"tspan moves what follows", `<text y="15" font-size="10" font-family="monospace"><tspan x="20 5">██</tspan></text>`, []probe{{22, 10, black}, {8, 10, black}, {15, 10, none}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := render(t, in(row.body))
			for _, p := range row.probes {
				if got := at(s, p.x, p.y); got != p.want {
					t.Errorf("pixel %d, %d is %v, want %v", p.x, p.y, got, p.want)
				}
			}
		})
	}
}

func TestSizes(t *testing.T) {
	for _, row := range []struct {
		name, attributes string
		w, h             int
	}{
		{"width and height", `width="30" height="20"`, 30, 20},
		{"fractions are rounded", `width="30.6" height="20.2"`, 31, 20},
		{"less than a pixel is one", `width="0.1" height="20"`, 1, 20},
		{"units", `width="1in" height="10mm"`, 96, 38},
		{"the view box", `viewBox="5 5 70 30"`, 70, 30},
		{"percentages are as nothing", `width="100%" height="50%" viewBox="0 0 70 30"`, 70, 30},
		{"height by the view box", `width="140" viewBox="0 0 70 30"`, 140, 60},
		{"width by the view box", `height="60" viewBox="0 0 70 30"`, 140, 60},
		{"nothing", ``, 300, 150},
		{"a width alone", `width="40"`, 40, 150},
		{"a view box that is none", `viewBox="0 0 -1 5"`, 300, 150},
		{"zero is as nothing", `width="0" height="0"`, 300, 150},
	} {
		t.Run(row.name, func(t *testing.T) {
			document := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" %s/>`, row.attributes)
			p, err := image.Open([]byte(document), nil)
			if err != nil {
				t.Fatal(err)
			}
			if p.Info.Width != row.w || p.Info.Height != row.h || p.Info.Format != image.SVG || !p.Info.Alpha {
				t.Errorf("%+v, want %d×%d", p.Info, row.w, row.h)
			}
			if s, err := p.Surface(t.Context()); err != nil || s.Width != row.w {
				t.Errorf("surface %v, %v", s, err)
			}
		})
	}
}

func TestBeginningsOfDocuments(t *testing.T) {
	root := `<svg xmlns="http://www.w3.org/2000/svg" width="3" height="4"><rect width="3" height="4" fill="red"/></svg>`
	for name, document := range map[string]string{
		"a byte order mark":       "\xEF\xBB\xBF" + root,
		"an XML declaration":      `<?xml version="1.0" encoding="UTF-8" standalone="no"?>` + "\n" + root,
		"a comment":               "\n<!-- Created -->\n" + root,
		"a document type":         `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">` + root,
		"all of them":             "\xEF\xBB\xBF<?xml version='1.0'?><!-- a --><!DOCTYPE svg [ <!ENTITY a \"b\"> <!-- > --> ]>" + root,
		"no namespace":            strings.Replace(root, ` xmlns="http://www.w3.org/2000/svg"`, "", 1),
		"another encoding":        "<?xml version='1.0' encoding='ISO-8859-1'?><!-- \xE4 -->" + root,
		"a prefix":                `<?xml version='1.0'?><s:svg xmlns:s="http://www.w3.org/2000/svg" width="3" height="4"><s:rect width="3" height="4" fill="red"/></s:svg>`,
		"a sheet as instructions": `<?xml-stylesheet href="a.css"?>` + root,
	} {
		t.Run(name, func(t *testing.T) {
			s := render(t, document)
			if s.Width != 3 || s.Height != 4 || at(s, 1, 1) != red {
				t.Errorf("%d×%d, %v", s.Width, s.Height, at(s, 1, 1))
			}
		})
	}
}

func TestRenderScales(t *testing.T) {
	d, err := Parse([]byte(in(`<circle cx="20" cy="20" r="20" fill="red"/>`)))
	if err != nil {
		t.Fatal(err)
	}
	if w, h := d.Size(); w != 40 || h != 40 {
		t.Errorf("size %v×%v", w, h)
	}
	s, err := d.Render(t.Context(), 400, 200, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if at(s, 200, 100) != red || at(s, 200, 1) != red || at(s, 0, 0) != none {
		t.Error("it is not as large as the surface")
	}
}
