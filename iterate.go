package quicksand

import (
	"context"
	"iter"
	"sync/atomic"
)

// Iterate prepares a run whose emitted values the caller ranges over while it goes on:
//
//	it := box.Iterate(ctx, code, quicksand.Options{})
//	for e, err := range it.All() {
//		if err != nil {
//			return err // of the run; it comes last
//		}
//		use(e.Name, e.Value)
//	}
//	res := it.Result()
//
// The program starts with the loop. Its call of emit settles when the body of the loop
// is done with the value, so that a slow body slows an awaiting program down, and no value is
// kept in between. Options.OnEmit must be nil.
func (s *Sandbox) Iterate(ctx context.Context, code string, o Options) *Iteration {
	return &Iteration{box: s, ctx: ctx, code: code, opts: o}
}

// An Iteration is a run that Iterate prepared. It serves one loop, and belongs to the
// goroutine of that.
type Iteration struct {
	box  *Sandbox
	ctx  context.Context
	code string
	opts Options

	began atomic.Bool
	res   *Result
	err   error
}

// All runs the program and gives the values that it emits in their order, each with a nil
// error, and after them the error of the run, if it has one, with a zero Emitted. Leaving
// the loop early cancels the run. In each way out of the loop the run has ended before
// the loop does. A second loop gets an error.
func (it *Iteration) All() iter.Seq2[Emitted, error] {
	return func(yield func(Emitted, error) bool) {
		switch {
		case it.began.Swap(true):
			yield(Emitted{}, usageError("Iterate: the run was begun before; each loop needs an Iteration of its own"))
			return
		case it.opts.OnEmit != nil:
			it.err = usageError("Iterate: Options.OnEmit must be nil, since the loop takes the values")
			yield(Emitted{}, it.err)
			return
		}
		ctx, cancel := context.WithCancel(it.ctx)
		values, taken, ended := make(chan Emitted), make(chan struct{}), make(chan struct{})
		o := it.opts
		o.OnEmit = func(ctx context.Context, name string, v Value) error {
			select {
			case values <- Emitted{name, v}:
			case <-ctx.Done():
				return ctx.Err()
			}
			select {
			case <-taken:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		var res *Result
		var err error
		// The goroutine ends with the run, which cancel ends.
		go func() {
			defer close(ended)
			res, err = it.box.Run(ctx, it.code, o)
		}()
		defer func() { // also when the body panics
			cancel()
			<-ended
			it.res, it.err = res, err
		}()
		for {
			select {
			case e := <-values:
				if !yield(e, nil) {
					return
				}
				select {
				case taken <- struct{}{}:
				case <-ended: // the run was stopped meanwhile
				}
			case <-ended:
				if it.res, it.err = res, err; err != nil {
					yield(Emitted{}, err)
				}
				return
			}
		}
	}
}

// Result is the result of the run once the loop has ended, as Run returns it: nil before,
// and for a run that never began. Emitted is not in it.
func (it *Iteration) Result() *Result { return it.res }

// Err is the error of the run once the loop has ended. After a loop that was left early it
// is that of a cancelled run, unless the program had ended first.
func (it *Iteration) Err() error { return it.err }
