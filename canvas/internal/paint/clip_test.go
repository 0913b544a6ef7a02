package paint

import (
	"image"
	"testing"
)

func TestClips(t *testing.T) {
	all := NewClip(image.Rect(0, 0, 20, 20))
	rect := func(r image.Rectangle, cover uint8) func(Sink, image.Rectangle) {
		return func(s Sink, asked image.Rectangle) {
			for y := r.Min.Y; y < r.Max.Y; y++ {
				s.Run(r.Min.X, y, r.Dx(), cover)
			}
		}
	}
	whole := all.Shape(image.Rect(-5, -5, 50, 50), rect(image.Rect(3, 4, 9, 40), 255))
	if !whole.IsRect() || whole.Bounds() != image.Rect(3, 4, 9, 20) {
		t.Errorf("a rectangle of whole pixels becomes %v, rectangle %v", whole.Bounds(), whole.IsRect())
	}
	half := whole.Shape(image.Rect(0, 0, 20, 20), rect(image.Rect(5, 5, 12, 8), 128))
	if half.IsRect() || half.Bounds() != image.Rect(5, 5, 9, 8) {
		t.Fatalf("a shape within it becomes %v", half.Bounds())
	}
	quarter := half.Shape(image.Rect(0, 0, 20, 20), rect(image.Rect(0, 6, 20, 20), 128))
	if quarter.Bounds() != image.Rect(5, 6, 9, 8) || quarter.mask.Row(7)[0] != 64 {
		t.Errorf("nested, they cover %v by %v", quarter.Bounds(), quarter.mask.Row(7))
	}
	if half.mask.Row(7)[0] != 128 {
		t.Error("the outer clip has changed")
	}
	part := quarter.Intersect(image.Rect(8, 7, 30, 30))
	if part.Bounds() != image.Rect(8, 7, 9, 8) || part.mask.Row(7)[0] != 64 {
		t.Errorf("a rectangle of it is %v", part.Bounds())
	}
	for name, c := range map[string]*Clip{
		"a rectangle outside":      quarter.Intersect(image.Rect(0, 0, 2, 2)),
		"a shape outside":          quarter.Shape(image.Rect(0, 0, 2, 2), rect(image.Rect(0, 0, 2, 2), 255)),
		"a shape that has nothing": all.Shape(image.Rect(0, 0, 9, 9), func(Sink, image.Rectangle) {}),
	} {
		if !c.Bounds().Empty() {
			t.Errorf("%s leaves %v", name, c.Bounds())
		}
		if again := c.Shape(image.Rect(0, 0, 9, 9), rect(image.Rect(0, 0, 9, 9), 255)); !again.Bounds().Empty() {
			t.Errorf("%s, and a shape in it: %v", name, again.Bounds())
		}
	}
}

func TestMasksAddWhatIsCovered(t *testing.T) {
	m := NewMask(image.Rect(2, 2, 6, 4))
	m.Run(0, 2, 4, 128)
	m.Mask(3, 2, []uint8{128, 50, 255, 255, 255})
	m.Run(0, 1, 100, 255)
	n := NewMask(image.Rect(0, 0, 3, 9))
	n.Run(0, 3, 3, 7)
	m.Draw(n)
	want := []uint8{128, 192, 50, 255, 7, 0, 0, 0}
	if string(m.Pix) != string(want) {
		t.Errorf("got %v, want %v", m.Pix, want)
	}
	m.Run(2, 3, 1, 255)
	if m.Row(3)[0] != 255 {
		t.Error("full coverage is not full")
	}
}
