package vector

import (
	"bytes"
	"testing"

	"quicksand/canvas"
	"quicksand/canvas/svg"
	"quicksand/media/image"
)

// FuzzVector makes recordings of bytes: one an operation, one each of its arguments.
func FuzzVector(f *testing.F) {
	f.Add([]byte{byte(canvas.OpFillRect), 10, 10, 20, 20, byte(canvas.OpClearRect), 10, 10, 20, 20})
	f.Add([]byte{byte(canvas.OpGradient), 0, 1, 1, 2, 3, 4, 5, 6, 0, 1, 1, 2, byte(canvas.OpFillGradient), 0, byte(canvas.OpFillText), 0, 1, 2})
	f.Add([]byte{byte(canvas.OpPattern), 0, 0, 1, 1, 0, 0, 1, 3, 4, byte(canvas.OpFillPattern), 0, byte(canvas.OpGlobalCompositeOperation), 6, byte(canvas.OpFillRect), 0, 0, 50, 50})
	f.Add([]byte{byte(canvas.OpShadowColor), 9, byte(canvas.OpShadowBlur), 9, byte(canvas.OpDrawImage), 0, 1, 2, byte(canvas.OpStrokeRect), 1, 2, 30, 40})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 600 {
			return
		}
		var r recorder
		r.strings = []string{"Text", "blur(2px)", "bold 12px serif", "drop-shadow(1px 2px 1px red)"}
		r.images = []*image.Surface{gradientPicture(8, 6)}
		rec := &canvas.Recording{}
		if err := rec.Append(nil, r.strings, 1); err != nil {
			t.Fatal(err)
		}
		for len(data) > 0 {
			o := canvas.Op(data[0])
			data = data[1:]
			info, ok := o.Info()
			if !ok {
				continue
			}
			var one recorder
			var args []float64
			for _, c := range info.Args {
				if c == '|' || c == '(' || len(data) == 0 {
					break
				}
				v := float64(data[0])
				data = data[1:]
				switch c {
				case 'n':
					v = (v - 40) / 1.5
				case 'b':
					v = float64(int(v) % 2)
				case 's', 'w', 'd', 'g', 'p', 'P':
					v = float64(int(v) % 4)
				case 'i':
					v = 0
				case 'c':
					v *= 1 << 24 / 3 * 2
					v = float64(uint32(v))
				}
				args = append(args, v)
			}
			one.op(o, args...)
			// What is wrong is refused by itself.
			_ = rec.Append(one.ops, nil, 1)
		}
		for name, write := range map[string]bool{"svg": true, "pdf": false} {
			do := PDF
			if write {
				do = SVG
			}
			a, _, errA := do(t.Context(), rec, 50, 40, r.image, Options{})
			b, _, errB := do(t.Context(), rec, 50, 40, r.image, Options{})
			if (errA == nil) != (errB == nil) || !bytes.Equal(a, b) {
				t.Fatalf("%s: two times differ: %v, %v", name, errA, errB)
			}
			if errA != nil {
				continue
			}
			if !write {
				pdfObjects(t, a)
				continue
			}
			checkXML(t, a)
			d, err := svg.Parse(a)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := d.Render(t.Context(), 50, 40, svg.Options{}); err != nil {
				t.Fatalf("%v\n%s", err, a)
			}
		}
	})
}
