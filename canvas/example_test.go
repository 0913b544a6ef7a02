package canvas_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"quicksand/canvas"
)

// A context draws as that of a browser does.
func Example() {
	ctx := context.Background()
	c, err := canvas.NewContext(200, 100, canvas.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()

	c.SetFillGradient(&canvas.Gradient{
		Coords: [6]float64{0, 0, 200, 0},
		Stops:  []canvas.Stop{{Offset: 0, Colour: [4]uint8{255, 0, 0, 255}}, {Offset: 1, Colour: [4]uint8{0, 0, 255, 255}}},
	})
	c.FillRect(0, 0, 200, 100)
	c.BeginPath()
	c.Arc(100, 50, 30, 0, 2*math.Pi, false)
	c.SetFillColour([4]uint8{255, 255, 255, 255})
	c.Fill(canvas.NonZero)

	pixels, err := c.ImageData(ctx, 100, 50, 1, 1)
	fmt.Println(pixels, err)
	fmt.Println(c.PointInPath(100, 50, canvas.NonZero), c.PointInPath(10, 10, canvas.NonZero))
	// Output:
	// [255 255 255 255] <nil>
	// true false
}

// A recording is checked when it is written, and drawn when pixels are needed.
func ExampleRecording() {
	var ops []byte
	op := func(op canvas.Op, args ...float64) {
		ops = binary.LittleEndian.AppendUint64(ops, math.Float64bits(float64(int(op)+256*len(args))))
		for _, a := range args {
			ops = binary.LittleEndian.AppendUint64(ops, math.Float64bits(a))
		}
	}
	op(canvas.OpFillColor, 0x00ff00ff)
	op(canvas.OpFillRect, 0, 0, 10, 10)
	var r canvas.Recording
	fmt.Println(r.Append(ops, nil, 0))

	ops = nil
	op(canvas.OpSave)
	op(canvas.OpArc, 5, 5, -3, 0, 1, 0)
	fmt.Println(r.Append(ops, nil, 0))

	c, err := canvas.NewContext(10, 10, canvas.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	fmt.Println(c.Replay(context.Background(), &r, nil))
	pixels, _ := c.ImageData(context.Background(), 0, 0, 1, 1)
	fmt.Println(pixels)
	// Output:
	// <nil>
	// op 3 (arc): argument 3 is not a number from 0
	// <nil>
	// [0 255 0 255]
}

// Text is set in a box, and measured before.
func ExampleContext_MeasureTextBox() {
	c, err := canvas.NewContext(200, 100, canvas.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	c.SetFont("16px/20px monospace")
	box, err := c.MeasureTextBox(context.Background(), "the quick brown fox jumps over the lazy dog", 120, canvas.TextBoxOptions{MaxLines: 3})
	fmt.Println(box.Lines, box.Height, box.Cut, err)
	// Output: 3 60 true <nil>
}
