package modules

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/semaphore"

	"quicksand/bridges"
	"quicksand/hostmods"
	"quicksand/internal/marshal"
)

// HostBridge makes the bridge that serves a module on the host: every run has it, and each
// of its calls has the limits of the module. A Func of the bridge is named as its export,
// and its Op is the ID, a dot and that name.
func HostBridge(m *hostmods.Module) *bridges.Bridge {
	timeout := cmp.Or(m.Limits.Timeout, hostmods.DefaultTimeout)
	result := cmp.Or(m.Limits.Result, hostmods.DefaultResult)
	b := &bridges.Bridge{
		Name:        m.Pack(),
		Doc:         m.Doc,
		Always:      true,
		Concurrency: cmp.Or(m.Limits.Concurrency, hostmods.DefaultConcurrency),
	}
	for _, f := range m.Funcs {
		f.Op = m.ID + "." + f.Name
		f.Sync, f.Quick, f.QuickIf = false, false, nil
		f.Call = accounted(m.Limits, bounded(f.Op, f.Call, timeout, result))
		b.Funcs = append(b.Funcs, f)
	}
	return b
}

type call = func(ctx context.Context, c *bridges.Call) (any, error)

// memory is what calls of a run share: the memory of the host that they take at one time.
var memory = &bridges.Bridge{
	Name: "memory of modules on the host", Always: true,
	Open: func(*bridges.Session, any) (any, error) { return semaphore.NewWeighted(hostmods.MaxMemory), nil },
}

// accounted is a function that waits until there is memory for it. Waiting is no part of the
// time that a call may take.
func accounted(l hostmods.Limits, f call) call {
	return func(run context.Context, c *bridges.Call) (any, error) {
		state, err := c.Session.State(memory)
		if err != nil {
			return nil, err
		}
		account, n := state.(*semaphore.Weighted), l.Estimate(c.Size())
		if err := account.Acquire(run, n); err != nil {
			return nil, context.Canceled
		}
		defer account.Release(n)
		return f(run, c)
	}
}

// bounded is a function under the limits of a module. What it returns is encoded, so that
// it is measured once and crosses as it is.
func bounded(op string, f call, timeout time.Duration, result int64) call {
	return func(run context.Context, c *bridges.Call) (any, error) {
		ctx, cancel := context.WithTimeout(run, timeout)
		defer cancel()
		v, err := f(ctx, c)
		switch {
		case run.Err() != nil:
			return nil, context.Canceled
		case ctx.Err() != nil:
			// Also when it came to an end a moment later.
			return nil, bridges.Limitf(op, hostmods.LimitTimeout, int64(timeout), int64(timeout), "the call took longer than the limit of %s", timeout)
		case err != nil:
			return nil, withOp(op, err)
		}
		out, err := marshal.NewValue(v, marshal.EncodeOptions{Path: "result", MaxSize: result})
		if errors.Is(err, marshal.ErrTooLarge) {
			return nil, bridges.Limitf(op, hostmods.LimitResult, result, result+1, "the result%s is more than the limit of %d bytes", sized(v), result)
		}
		if err != nil {
			return nil, &bridges.Error{Kind: bridges.KindInternal, Op: op, Message: "the result cannot be passed to the guest", Err: err}
		}
		return out, nil
	}
}

// sized says how large a result is, where that is simple to tell.
func sized(v any) string {
	switch v := v.(type) {
	case []byte:
		return fmt.Sprintf(" of %d bytes", len(v))
	case string:
		return fmt.Sprintf(" of %d bytes", len(v))
	}
	return ""
}

// withOp names the operation in an error that does not.
func withOp(op string, err error) error {
	var e *bridges.Error
	if !errors.As(err, &e) {
		return &bridges.Error{Op: op, Message: err.Error(), Err: err}
	}
	if e.Op != "" {
		return e
	}
	named := *e
	named.Op = op
	return &named
}
