package meter

import (
	"sync"
	"testing"
	"time"
)

func TestClockStandsWhileSuspended(t *testing.T) {
	var c Clock
	start := time.Now()
	changes := 0
	c.Start(start, func() { changes++ })
	outer := c.Suspend()
	inner := c.Suspend()
	if _, standing := c.Suspended(time.Now()); !standing {
		t.Error("the clock runs inside of two suspensions")
	}
	inner()
	inner()
	later := time.Now().Add(time.Hour)
	if d, standing := c.Suspended(later); !standing || d < 59*time.Minute {
		t.Errorf("got %v suspended, standing %v: one suspension is still open", d, standing)
	}
	if r := c.Running(later); r > time.Minute {
		t.Errorf("got %v running in an hour of suspension", r)
	}
	outer()
	if _, standing := c.Suspended(time.Now()); standing {
		t.Error("the clock stands after all suspensions were resumed")
	}
	if changes != 4 {
		t.Errorf("got %d changes, want 4: resuming twice is none", changes)
	}
}

func TestClockGoesOnWhileTheGuestComputes(t *testing.T) {
	var c Clock
	start := time.Now()
	c.Start(start, nil)
	if c.Busy(true, start) {
		t.Error("a suspension is open before the first")
	}
	resume := c.Suspend()
	if d, standing := c.Suspended(start.Add(time.Hour)); d != 0 || standing {
		t.Errorf("while the guest computes: got %v suspended, standing %v", d, standing)
	}
	if !c.Busy(false, start.Add(time.Hour)) {
		t.Error("no suspension is open")
	}
	if d, standing := c.Suspended(start.Add(3 * time.Hour)); d != 2*time.Hour || !standing {
		t.Errorf("after an hour of computing and two of waiting: got %v suspended, standing %v", d, standing)
	}
	c.Busy(true, start.Add(3*time.Hour))
	resume()
	c.Busy(false, start.Add(4*time.Hour))
	if r := c.Running(start.Add(5 * time.Hour)); r != 3*time.Hour {
		t.Errorf("got %v running, want three of five hours", r)
	}
}

func TestClockIgnoresAResumeOfAnEarlierRun(t *testing.T) {
	var c Clock
	c.Start(time.Now(), nil)
	late := c.Suspend()
	c.Start(time.Now().Add(time.Nanosecond), nil)
	open := c.Suspend()
	late()
	if _, standing := c.Suspended(time.Now()); !standing {
		t.Error("a resume of the run before ended a suspension of this one")
	}
	open()
}

func TestClockIsSafeForConcurrentUse(t *testing.T) {
	var c Clock
	c.Start(time.Now(), func() {})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				resume := c.Suspend()
				c.Running(time.Now())
				resume()
			}
		})
	}
	wg.Wait()
	if _, standing := c.Suspended(time.Now()); standing {
		t.Error("the clock stands after all were resumed")
	}
}
