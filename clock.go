package quicksand

import (
	"context"

	"quicksand/internal/meter"
)

// clockKey finds the clock of a run in the context of its host functions.
type clockKey struct{}

// SuspendClock stops the timeout of the run that ctx belongs to, for a host
// function which waits for something that is not the guest's fault, such as a
// person. The clock goes on when resume was called as often as SuspendClock; calling
// one resume twice does nothing. In sum a run may be suspended for 30 minutes. For a
// context of no run it does nothing.
func SuspendClock(ctx context.Context) (resume func()) {
	c, _ := ctx.Value(clockKey{}).(*meter.Clock)
	if c == nil {
		return func() {}
	}
	return c.Suspend()
}
