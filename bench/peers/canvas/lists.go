package main

import (
	"encoding/binary"
	"fmt"
	"math"

	"quicksand/canvas"
)

// random is that of lists.js.
type random uint32

func (r *random) next() float64 {
	*r = *r*1664525 + 1013904223
	return float64(*r) / (1 << 32)
}

// palette holds colours as recordings have them.
var palette = func() (p [64]float64) {
	rnd := random(3)
	for i := range p {
		c := uint32(255)
		if i%2 == 1 {
			c = 160
		}
		for k := range 3 {
			c |= uint32(rnd.next()*256) << (24 - 8*k)
		}
		p[i] = float64(c)
	}
	return p
}()

// A recorder writes operations as the guest's half does.
type recorder struct {
	ops     []byte
	strings []string
	calls   int
}

func (r *recorder) op(op canvas.Op, args ...float64) {
	r.ops = binary.LittleEndian.AppendUint64(r.ops, math.Float64bits(float64(int(op)+256*len(args))))
	for _, a := range args {
		r.ops = binary.LittleEndian.AppendUint64(r.ops, math.Float64bits(a))
	}
	r.calls++
}

func (r *recorder) text(s string) float64 {
	r.strings = append(r.strings, s)
	return float64(len(r.strings) - 1)
}

func mixed(r *recorder, size float64, n int) {
	rnd := random(1)
	r.op(canvas.OpFont, r.text(`16px "Liberation Sans"`))
	for i := range n {
		x, y := rnd.next()*size, rnd.next()*size
		s := size/64 + rnd.next()*size/8
		c := palette[int(rnd.next()*64)]
		switch i % 8 {
		case 0:
			r.op(canvas.OpFillColor, c)
			r.op(canvas.OpFillRect, x, y, s, s*0.7)
		case 1:
			r.op(canvas.OpFillColor, c)
			r.op(canvas.OpBeginPath)
			r.op(canvas.OpArc, x, y, s/2, 0, 2*math.Pi, 0)
			r.op(canvas.OpFill, 0)
		case 2:
			r.op(canvas.OpStrokeColor, c)
			r.op(canvas.OpLineWidth, 1+rnd.next()*4)
			r.op(canvas.OpBeginPath)
			r.op(canvas.OpMoveTo, x, y)
			r.op(canvas.OpLineTo, x+s, y-s)
			r.op(canvas.OpStroke)
		case 3:
			r.op(canvas.OpStrokeColor, c)
			r.op(canvas.OpLineWidth, 1+rnd.next()*4)
			r.op(canvas.OpBeginPath)
			r.op(canvas.OpMoveTo, x, y)
			r.op(canvas.OpBezierCurveTo, x+s, y, x, y+s, x+s, y+s)
			r.op(canvas.OpStroke)
		case 4:
			r.op(canvas.OpGradient, 0, 0, x, y, x+s, y+s, 0, 0, 0, c, 1, palette[i%64])
			r.op(canvas.OpFillGradient, 0)
			r.op(canvas.OpFillRect, x, y, s, s)
		case 5:
			r.op(canvas.OpFillColor, c)
			r.op(canvas.OpBeginPath)
			r.op(canvas.OpMoveTo, x, y)
			r.op(canvas.OpLineTo, x+s, y+s/3)
			r.op(canvas.OpLineTo, x+s/4, y+s)
			r.op(canvas.OpClosePath)
			r.op(canvas.OpFill, 0)
		case 6:
			r.op(canvas.OpStrokeColor, c)
			r.op(canvas.OpLineWidth, 1+rnd.next()*4)
			r.op(canvas.OpStrokeRect, x, y, s, s/2)
		case 7:
			r.op(canvas.OpFillColor, c)
			r.op(canvas.OpFillText, r.text(fmt.Sprint("item ", i)), x, y)
		}
	}
}

func rects(r *recorder, size float64, n int) {
	rnd := random(2)
	for i := range n {
		r.op(canvas.OpFillColor, palette[i%64])
		r.op(canvas.OpFillRect, rnd.next()*size, rnd.next()*size, 2+rnd.next()*40, 2+rnd.next()*40)
	}
}

func lines(r *recorder, size float64, n int) {
	rnd := random(3)
	r.op(canvas.OpFont, r.text(`14px "Liberation Sans"`))
	for i := range n {
		r.op(canvas.OpFillColor, palette[i%64])
		r.op(canvas.OpFillText, r.text(fmt.Sprint("A line of text, ", 1000+i)), rnd.next()*size*0.8, rnd.next()*size)
	}
}

func strokes(r *recorder, size float64, n int) {
	rnd := random(4)
	r.op(canvas.OpLineJoin, 1)
	r.op(canvas.OpLineCap, 1)
	for i := range n {
		r.op(canvas.OpStrokeColor, palette[i%64])
		r.op(canvas.OpLineWidth, 1+rnd.next()*7)
		r.op(canvas.OpBeginPath)
		for k := range 21 {
			op := canvas.OpLineTo
			if k == 0 {
				op = canvas.OpMoveTo
			}
			r.op(op, rnd.next()*size, rnd.next()*size)
		}
		r.op(canvas.OpStroke)
	}
}
