package meter

import (
	"fmt"
	"sync/atomic"
)

// RunMedia is the name of a run's media budget in limits and errors.
const RunMedia = "RunMedia"

// A Budget bounds the memory that the media of one run take on the host: encoded bytes,
// decoded pixels and samples, and what decoding needs meanwhile. All calls of the run, those
// at the same time too, share it. It is safe for concurrent use.
type Budget struct {
	limit int64
	used  atomic.Int64
	peak  atomic.Int64
}

// NewBudget makes a budget of limit bytes.
func NewBudget(limit int64) *Budget { return &Budget{limit: limit} }

// A BudgetError says that a budget is exhausted.
type BudgetError struct {
	Limit int64 // of the run
	Used  int64 // with what was asked for
}

func (e *BudgetError) Error() string {
	return fmt.Sprintf("%d bytes of media are more than the limit for one run of %d (%s): use fewer or smaller files, release handles that are no longer needed, or save intermediate results as assets", e.Used, e.Limit, RunMedia)
}

// Reserve takes n bytes, or fails with a *BudgetError and takes none.
func (b *Budget) Reserve(n int64) error {
	for {
		used := b.used.Load()
		if n < 0 || n > b.limit || used > b.limit-n {
			return &BudgetError{b.limit, used + n}
		}
		if b.used.CompareAndSwap(used, used+n) {
			for {
				peak := b.peak.Load()
				if used+n <= peak || b.peak.CompareAndSwap(peak, used+n) {
					return nil
				}
			}
		}
	}
}

// Release gives n bytes back.
func (b *Budget) Release(n int64) { b.used.Add(-n) }

// Left is how many bytes there are.
func (b *Budget) Left() int64 { return max(b.limit-b.used.Load(), 0) }

// Used is how many bytes are taken, and Peak how many were at most.
func (b *Budget) Used() int64 { return b.used.Load() }

// Peak is the largest Used there was.
func (b *Budget) Peak() int64 { return b.peak.Load() }

// Limit is the size of the budget.
func (b *Budget) Limit() int64 { return b.limit }
