package canvas

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"

	"quicksand/canvas/geometry"
	mediaimage "quicksand/media/image"
)

// A Recording is a list of operations, as op.go describes it. The zero value is empty and has
// the default limits; Limits and Budget are not to be changed after the first Append. It must
// be used by one goroutine at a time.
type Recording struct {
	Limits Limits
	Budget mediaimage.Budget // is asked for the operations' memory; nil: nobody counts

	numbers []float64 // of all operations, headers too
	starts  []int     // where in numbers each operation begins
	strings []string
	images  int
	text    int
	taken   int64 // of Budget
	epoch   int   // counts Resets
	svg     int   // bytes of path data, each time that they are used

	gradients, patterns, paths map[int]bool // that are defined
}

// A RecordError says what is wrong with a recording. Its text is for guests, too.
type RecordError struct {
	Index  int    // of the operation, counted over all Appends
	Name   string // of the operation, "" when it is not known
	Reason string
	// Err is what has failed, nil if the recording itself is wrong. Its text is the reason.
	Err error
}

// Unwrap returns Err.
func (e *RecordError) Unwrap() error { return e.Err }

func (e *RecordError) Error() string { return e.Place() + e.Reason }

// Place is how texts of errors begin: "op 3 (fillRect): ".
func (e *RecordError) Place() string {
	if e.Name == "" {
		return fmt.Sprintf("op %d: ", e.Index)
	}
	return fmt.Sprintf("op %d (%s): ", e.Index, e.Name)
}

// Append adds operations. strings are added to those that there are, so that an index counts
// from the first string of the first Append. images is how many images the recording has from
// now on, not fewer than before.
//
// The operations must be right, with all that they refer to; otherwise nothing is added and
// the error is a *RecordError, a *LimitError or the budget's.
func (r *Recording) Append(ops []byte, strings []string, images int) error {
	l := r.Limits.WithDefaults()
	if len(ops)%8 != 0 {
		return &RecordError{Index: r.Len(), Reason: "the operations are not a sequence of float64"}
	}
	if len(ops)/8 > l.Numbers-len(r.numbers) {
		return &LimitError{"Numbers", "numbers in a recording", int64(l.Numbers), int64(len(r.numbers) + len(ops)/8)}
	}
	if images < r.images {
		return &RecordError{Index: r.Len(), Reason: fmt.Sprintf("%d images are fewer than the %d before", images, r.images)}
	}
	bytes := 0
	for _, s := range strings {
		bytes += len(s)
	}
	if bytes > l.Text-r.text {
		return &LimitError{"Text", "bytes of text in a recording", int64(l.Text), int64(r.text + bytes)}
	}
	// At most one operation for eight bytes.
	size := int64(len(ops))*2 + int64(bytes) + 16*int64(len(strings))
	if r.Budget != nil {
		if err := r.Budget.Reserve(size); err != nil {
			return err
		}
	}
	// What is there is not changed until all is checked: slices are only grown, and lengths
	// set at the end.
	d := decoder{limits: l, r: r, images: images, at: len(r.numbers), svg: r.svg}
	d.numbers = r.numbers
	for i := 0; i < len(ops); i += 8 {
		d.numbers = append(d.numbers, math.Float64frombits(binary.LittleEndian.Uint64(ops[i:])))
	}
	d.strings = append(r.strings, strings...)
	d.starts = r.starts
	if err := d.run(); err != nil {
		if r.Budget != nil {
			r.Budget.Release(size)
		}
		return err
	}
	r.numbers, r.starts, r.strings, r.images = d.numbers, d.starts, d.strings, images
	r.text += bytes
	r.taken += size
	d.keep()
	return nil
}

// Len is the number of operations, and Images that of images.
func (r *Recording) Len() int { return len(r.starts) }

// Images is the number of images that operations may refer to.
func (r *Recording) Images() int { return r.images }

// String is a string of the recording.
func (r *Recording) String(i int) string { return r.strings[i] }

// Reset removes all operations, strings and images, and gives their memory back.
func (r *Recording) Reset() {
	if r.Budget != nil {
		r.Budget.Release(r.taken)
	}
	*r = Recording{Limits: r.Limits, Budget: r.Budget, epoch: r.epoch + 1}
}

// A Call is one operation with its arguments, which are those of the recording and must not be
// changed.
type Call struct {
	Index int
	Op    Op
	Args  []float64
}

// Calls are the operations from the one with the index from on.
func (r *Recording) Calls(from int) iter.Seq[Call] {
	return func(yield func(Call) bool) {
		for i := max(from, 0); i < len(r.starts); i++ {
			if !yield(r.call(i)) {
				return
			}
		}
	}
}

func (r *Recording) call(i int) Call {
	at := r.starts[i]
	h := int(r.numbers[at])
	return Call{i, Op(h & 255), r.numbers[at+1 : at+1+h>>8]}
}

// DecodePath makes a path of the operations of a definition: what follows the number in the
// arguments of OpPath. The error is a *RecordError, or a *LimitError.
func DecodePath(args []float64, strings []string, l Limits) (*geometry.Path, error) {
	d := decoder{strings: strings, limits: l.WithDefaults()}
	if reason := d.path(args); reason != "" {
		return nil, &RecordError{Name: opInfos[OpPath].Name, Reason: reason}
	}
	return buildPath(args, strings, l.WithDefaults())
}
