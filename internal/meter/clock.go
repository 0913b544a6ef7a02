// Package meter measures and bounds what a run uses.
package meter

import (
	"sync"
	"time"
)

// Clock measures the time of one run without the time in which it was suspended.
// Suspensions nest: the clock stands while at least one is open and the guest does not
// compute. The zero value is not started; Start makes it run. It is safe for concurrent use.
type Clock struct {
	mu        sync.Mutex
	start     time.Time
	open      int       // suspensions that are open
	busy      bool      // the guest computes
	since     time.Time // when the clock came to stand, while it does
	suspended time.Duration
	// changed is called after the clock stood still or went on, without the lock.
	changed func()
}

// Start begins a measurement. changed, which may be nil, is called after each
// change between running and standing; it must not block.
func (c *Clock) Start(now time.Time, changed func()) {
	c.mu.Lock()
	c.start, c.open, c.busy, c.suspended, c.changed = now, 0, false, 0, changed
	c.mu.Unlock()
}

// Suspend stops the clock until the returned function is called. Calling that
// function more than once has no further effect.
func (c *Clock) Suspend() (resume func()) {
	c.mu.Lock()
	if c.open++; c.open == 1 {
		c.since = time.Now()
	}
	start, changed := c.start, c.changed
	c.mu.Unlock()
	if changed != nil {
		changed()
	}
	var once sync.Once
	return func() {
		once.Do(func() {
			c.mu.Lock()
			// A resume that arrives after the run ended must not disturb the next one.
			if c.start != start || c.open == 0 {
				c.mu.Unlock()
				return
			}
			if c.open--; c.open == 0 && !c.busy {
				c.suspended += time.Since(c.since)
			}
			changed := c.changed
			c.mu.Unlock()
			if changed != nil {
				changed()
			}
		})
	}
}

// Busy says whether the guest computes. Meanwhile the clock goes on in spite of
// suspensions: who waits for something does not compute, and a guest that does both at
// one time must not get time for it. It reports whether a suspension is open.
func (c *Clock) Busy(busy bool, now time.Time) (open bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open > 0 && busy != c.busy {
		if busy {
			c.suspended += now.Sub(c.since)
		} else {
			c.since = now
		}
	}
	c.busy = busy
	return c.open > 0
}

// Suspended is the time spent standing so far, an open suspension included, and
// whether the clock stands now.
func (c *Clock) Suspended(now time.Time) (time.Duration, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d, standing := c.suspended, c.open > 0 && !c.busy
	if standing {
		d += now.Sub(c.since)
	}
	return d, standing
}

// Running is the time since Start without the suspended time.
func (c *Clock) Running(now time.Time) time.Duration {
	c.mu.Lock()
	start := c.start
	c.mu.Unlock()
	d, _ := c.Suspended(now)
	return now.Sub(start) - d
}
