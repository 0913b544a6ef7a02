package canvas

import (
	"fmt"
	"math"
	"strings"

	mediaimage "quicksand/media/image"
)

// A variant is one of the argument lists that an operation may have: kinds, and group any
// number of times after them.
type variant struct{ kinds, group string }

// variants are those of opInfos, taken apart.
var variants = func() (v [opEnd][]variant) {
	for op, info := range opInfos {
		for s := range strings.SplitSeq(info.Args, "|") {
			kinds, group, _ := strings.Cut(s, "(")
			v[op] = append(v[op], variant{kinds, strings.TrimSuffix(group, ")*")})
		}
	}
	return v
}()

// fits reports whether there may be n arguments.
func (v variant) fits(n int) bool {
	n -= len(v.kinds)
	if v.group == "" {
		return n == 0
	}
	return n >= 0 && n%len(v.group) == 0
}

// kind is the letter for argument i.
func (v variant) kind(i int) byte {
	if i < len(v.kinds) {
		return v.kinds[i]
	}
	return v.group[(i-len(v.kinds))%len(v.group)]
}

// modes are the words of globalCompositeOperation.
const modes = int(mediaimage.Luminosity) + 1

// A decoder checks operations that are added to a recording. It changes nothing of it.
type decoder struct {
	limits  Limits
	r       *Recording // nil in a definition of a path that stands alone
	numbers []float64
	at      int // the first number that is not checked yet
	starts  []int
	strings []string
	images  int
	boxes   map[float64]bool // strings that are good options of a text box
	svg     int              // bytes of path data

	gradients, patterns, paths map[int]bool // that the new operations define
}

func (d *decoder) run() error {
	for d.at < len(d.numbers) {
		index := len(d.starts)
		if index >= d.limits.Ops {
			return &LimitError{"Ops", "operations", int64(d.limits.Ops), int64(index) + 1}
		}
		op, args, next, reason := header(d.numbers, d.at)
		name := ""
		if op != 0 {
			name = opInfos[op].Name
		}
		if reason == "" {
			reason = d.call(op, args)
		}
		if reason != "" {
			return &RecordError{Index: index, Name: name, Reason: reason}
		}
		d.starts = append(d.starts, d.at)
		d.at = next
	}
	return nil
}

// header reads the operation that begins at a place. op is 0 when there is none of its code.
func header(numbers []float64, at int) (op Op, args []float64, next int, reason string) {
	h := numbers[at]
	if !(h >= 0 && h < 1<<40) || h != math.Trunc(h) {
		return 0, nil, 0, "its header is not an integer"
	}
	code, n := int64(h)&255, int64(h)>>8
	if code == 0 || code >= int64(opEnd) {
		return 0, nil, 0, fmt.Sprintf("there is no operation %d", code)
	}
	op = Op(code)
	if n > int64(len(numbers)-at-1) {
		return op, nil, 0, fmt.Sprintf("%d arguments are more than the numbers that follow", n)
	}
	next = at + 1 + int(n)
	return op, numbers[at+1 : next : next], next, ""
}

// call checks the arguments of an operation and says what is wrong.
func (d *decoder) call(op Op, args []float64) (reason string) {
	if reason := d.arguments(op, args); reason != "" {
		return reason
	}
	switch op {
	case OpSVGPath:
		return "it is only for definitions of paths"
	case OpGradient:
		for i := 8; i < len(args); i += 2 {
			if args[i] < 0 || args[i] > 1 {
				return fmt.Sprintf("argument %d is not an offset from 0 to 1", i+1)
			}
		}
		if args[1] == float64(Radial) && (args[4] < 0 || args[7] < 0) {
			return "a radius is negative"
		}
		define(&d.gradients, args[0])
	case OpPattern:
		define(&d.patterns, args[0])
	case OpPath:
		if reason := d.path(args[1:]); reason != "" {
			return reason
		}
		define(&d.paths, args[0])
	case OpFilter, OpFont, OpLetterSpacing, OpWordSpacing, OpLang:
		if n := len(d.strings[int(args[0])]); n > maxWord {
			return fmt.Sprintf("%d bytes are more than the limit of %d", n, maxWord)
		}
	case OpFillTextBox:
		if o := args[4]; !d.boxes[o] {
			if n := len(d.strings[int(o)]); n > maxWord {
				return fmt.Sprintf("options of %d bytes are more than the limit of %d", n, maxWord)
			}
			if _, err := ParseTextBoxOptions(d.strings[int(o)]); err != nil {
				return err.Error()
			}
			if d.boxes == nil {
				d.boxes = map[float64]bool{}
			}
			d.boxes[o] = true
		}
	}
	return ""
}

func define(m *map[int]bool, n float64) {
	if *m == nil {
		*m = map[int]bool{}
	}
	(*m)[int(n)] = true
}

// path checks the operations in a definition of a path.
func (d *decoder) path(numbers []float64) (reason string) {
	for at, n := 0, 0; at < len(numbers); n++ {
		op, args, next, reason := header(numbers, at)
		if reason == "" {
			switch {
			case op >= OpClosePath && op <= OpSVGPath, op == OpSetTransform:
				if reason = d.arguments(op, args); reason == "" && op == OpSVGPath {
					// It is read each time.
					if d.svg += len(d.strings[int(args[0])]); d.svg > d.limits.Text {
						reason = fmt.Sprintf("%d bytes of path data are more than the limit of %d", d.svg, d.limits.Text)
					}
				}
			default:
				reason = "it is no operation of a path"
			}
		}
		if reason != "" {
			if op != 0 {
				return fmt.Sprintf("op %d of the definition (%s): %s", n, opInfos[op].Name, reason)
			}
			return fmt.Sprintf("op %d of the definition: %s", n, reason)
		}
		at = next
	}
	return ""
}

// arguments checks the number and the kinds of arguments.
func (d *decoder) arguments(op Op, args []float64) (reason string) {
	var v variant
	for _, v = range variants[op] {
		if v.fits(len(args)) {
			break
		}
	}
	if !v.fits(len(args)) {
		return fmt.Sprintf("it does not take %d arguments", len(args))
	}
	for i, a := range args {
		what := ""
		switch v.kind(i) {
		case 'n':
			if a-a != 0 {
				what = "a finite number"
			}
		case 'r':
			if !(a >= 0 && a <= math.MaxFloat64) {
				what = "a number from 0"
			}
		case 'b':
			if a != 0 && a != 1 {
				what = "0 or 1"
			}
		case 'w':
			words := len(opInfos[op].Words)
			if op == OpGlobalCompositeOperation {
				words = modes
			}
			if !index(a, words) {
				what = "the index of a word"
			}
		case 'c':
			if !index(a, 1<<32) {
				what = "a colour"
			}
		case 's':
			if !index(a, len(d.strings)) {
				what = "the index of a string"
			}
		case 'i':
			if !index(a, d.images) {
				what = "the index of an image"
			}
		case 'd':
			if !index(a, MaxResource+1) {
				what = "the number of a resource"
			}
		case 'g':
			if !index(a, MaxResource+1) || !d.gradients[int(a)] && !d.r.gradients[int(a)] {
				what = "the number of a gradient"
			}
		case 'p':
			if !index(a, MaxResource+1) || !d.patterns[int(a)] && !d.r.patterns[int(a)] {
				what = "the number of a pattern"
			}
		case 'P':
			if !index(a, MaxResource+1) || !d.paths[int(a)] && !d.r.paths[int(a)] {
				what = "the number of a path"
			}
		}
		if what != "" {
			return fmt.Sprintf("argument %d is not %s", i+1, what)
		}
	}
	return ""
}

// index reports whether a is an integer from 0 to n - 1.
func index(a float64, n int) bool {
	return a >= 0 && a < float64(n) && a == math.Trunc(a)
}

// keep adds what was defined to the recording.
func (d *decoder) keep() {
	d.r.svg = d.svg
	merge(&d.r.gradients, d.gradients)
	merge(&d.r.patterns, d.patterns)
	merge(&d.r.paths, d.paths)
}

func merge(dst *map[int]bool, src map[int]bool) {
	if *dst == nil {
		*dst = src
		return
	}
	for n := range src {
		(*dst)[n] = true
	}
}
