package image

import "fmt"

// MaxPadding is the greatest padding of one side that is not refused out of hand.
const MaxPadding = MaxEdge

// Pad puts s on a larger surface with that many pixels more on each side, painted with a
// straight colour, which also shows through s.
func Pad(s *Surface, top, right, bottom, left int, colour [4]uint8) (*Surface, error) {
	for _, n := range [4]int{top, right, bottom, left} {
		if n < 0 || n > MaxPadding {
			return nil, fmt.Errorf("a padding must be a number from 0 to %d", MaxPadding)
		}
	}
	width, height := s.Width+left+right, s.Height+top+bottom
	if err := CheckSize(width, height); err != nil {
		return nil, err
	}
	out := New(width, height)
	if colour[3] != 0 {
		Fill(out, colour, Copy)
	}
	Draw(out, s, left, top, SourceOver, 255)
	return out, nil
}

// A GridLayout says where the pictures of a grid lie.
type GridLayout struct {
	Width, Height         int
	Columns, Rows         int
	CellWidth, CellHeight int
	// X and Y are the upper left corner of each picture.
	X, Y []int
}

// LayoutGrid arranges pictures of the given sizes row by row in cells of the largest width
// and height, gap pixels apart, each in the middle of its cell. Columns are at least 1 and
// at most as many as there are pictures; 0 means as many. The size of the grid is one that
// CheckSize allows.
func LayoutGrid(sizes [][2]int, columns, gap int) (GridLayout, error) {
	if len(sizes) == 0 {
		return GridLayout{}, fmt.Errorf("pass at least one image")
	}
	if columns < 0 || gap < 0 || gap > MaxEdge {
		return GridLayout{}, fmt.Errorf("columns must not be negative, and gap must be from 0 to %d", MaxEdge)
	}
	if columns == 0 || columns > len(sizes) {
		columns = len(sizes)
	}
	g := GridLayout{Columns: columns, Rows: (len(sizes) + columns - 1) / columns}
	for _, s := range sizes {
		g.CellWidth, g.CellHeight = max(g.CellWidth, s[0]), max(g.CellHeight, s[1])
	}
	g.Width = g.Columns*g.CellWidth + (g.Columns-1)*gap
	g.Height = g.Rows*g.CellHeight + (g.Rows-1)*gap
	if err := CheckSize(g.Width, g.Height); err != nil {
		return GridLayout{}, err
	}
	for i, s := range sizes {
		g.X = append(g.X, i%columns*(g.CellWidth+gap)+round(float64(g.CellWidth-s[0])/2))
		g.Y = append(g.Y, i/columns*(g.CellHeight+gap)+round(float64(g.CellHeight-s[1])/2))
	}
	return g, nil
}
